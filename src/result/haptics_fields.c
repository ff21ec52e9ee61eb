/* A haptic loop: how well it kept its rate, and what was felt. */
#include <math.h>

#include <synovia/haptics.h>

#include "result/value.h"

#define OF(name, value)                                                                                                \
  static syn_value name(const void *object, size_t i) {                                                                \
    const syn_haptics_result *result = object;                                                                         \
    const syn_haptics_report *r = &result->report;                                                                     \
    (void)i, (void)r;                                                                                                  \
    return value;                                                                                                      \
  }

OF(computing_p50, value_real(r->computing.p50_us))
OF(computing_p99, value_real(r->computing.p99_us))
OF(computing_p999, value_real(r->computing.p999_us))
OF(computing_max, value_real(r->computing.max_us))
static const syn_result_field computing_fields[] = {FIELD(REAL, "p50_us", "Median", "us", FILE_ONLY, computing_p50),
                                                    FIELD(REAL, "p99_us", "99 %", "us", FILE_ONLY, computing_p99),
                                                    FIELD(REAL, "p999_us", "99.9 %", "us", FILE_ONLY, computing_p999),
                                                    FIELD(REAL, "max_us", "Longest", "us", FILE_ONLY, computing_max)};
static const syn_record computing_record = RECORD("computing", computing_fields);

OF(waking_p50, value_real(r->waking.p50_us))
OF(waking_p99, value_real(r->waking.p99_us))
OF(waking_p999, value_real(r->waking.p999_us))
OF(waking_max, value_real(r->waking.max_us))
static const syn_result_field waking_fields[] = {FIELD(REAL, "p50_us", "Median", "us", FILE_ONLY, waking_p50),
                                                 FIELD(REAL, "p99_us", "99 %", "us", FILE_ONLY, waking_p99),
                                                 FIELD(REAL, "p999_us", "99.9 %", "us", FILE_ONLY, waking_p999),
                                                 FIELD(REAL, "max_us", "Longest", "us", FILE_ONLY, waking_max)};
static const syn_record waking_record = RECORD("waking", waking_fields);

OF(name, value_text(result->scene->name))
OF(device, value_text(result->device))
OF(model, value_text(syn_soft_model_name(result->scene->soft)))
OF(nodes, value_count(syn_soft_node_count(result->scene->soft)))
OF(held, value_count(result->scene->held_nodes))
OF(rate, value_real(r->rate_hz))
OF(late, value_count((size_t)r->late))
OF(p999, value_real(r->computing.p999_us))
OF(force, value_real(r->force_n))
OF(seconds, value_real(r->seconds))
OF(periods, value_count((size_t)r->periods))
OF(frames, value_count((size_t)r->frames))
OF(simulation_rate, value_real(r->simulation_hz))
OF(points, value_count(syn_haptics_points_of(result->scene->haptics).count))
OF(left_off, value_count(r->left_off))
OF(priority, value_boolean(r->has_priority))
OF(locked, value_boolean(r->has_locked_memory))
OF(computing, value_record(result, 0))
OF(waking, value_record(result, 0))
OF(published_simulation,
   value_real(result->scene->built_in ? result->scene->built_in->published_simulation_hz : (double)NAN))
OF(published_force, value_real(result->scene->built_in ? result->scene->built_in->published_force_hz : (double)NAN))

static const syn_result_field fields[] = {
    FIELD(TEXT, "name", "Scene", "", FILE_ONLY, name),
    FIELD(TEXT, "model", "Model", "", FILE_ONLY, model),
    FIELD(INTEGER, "nodes", "Nodes", "", FILE_ONLY, nodes),
    FIELD(INTEGER, "held_nodes", "Nodes that are held", "", FILE_ONLY, held),
    FIELD(TEXT, "device", "Device", "", FILE_ONLY, device),
    FIELD(REAL, "rate_hz", "Rate of forces", "Hz", FILE_ONLY, rate),
    FIELD(INTEGER, "late", "Periods missed", "", FILE_ONLY, late),
    FIELD(REAL, "p999_us", "Computing time, 99.9 %", "us", FILE_ONLY, p999),
    FIELD(REAL, "force_n", "Largest force", "N", FILE_ONLY, force),
    FIELD(REAL, "seconds", "Time", "s", FILE_ONLY, seconds),
    FIELD(INTEGER, "periods", "Periods", "", FILE_ONLY, periods),
    FIELD(INTEGER, "frames", "Frames of the simulation", "", FILE_ONLY, frames),
    FIELD(REAL, "simulation_hz", "Rate of the simulation", "Hz", FILE_ONLY, simulation_rate),
    FIELD(INTEGER, "points", "Points near the probe", "", FILE_ONLY, points),
    FIELD(INTEGER, "left_off", "Points left off", "", FILE_ONLY, left_off),
    FIELD_OF(RECORD, computing_record, "computing", "Computing time", FILE_ONLY, computing),
    FIELD_OF(RECORD, waking_record, "waking", "Lateness of waking up", FILE_ONLY, waking),
    FIELD(BOOLEAN, "has_priority", "Real-time priority", "", FILE_ONLY, priority),
    FIELD(BOOLEAN, "has_locked_memory", "Locked memory", "", FILE_ONLY, locked),
    FIELD(REAL, "published_simulation_hz", "Published rate of the simulation", "Hz", FILE_ONLY, published_simulation),
    FIELD(REAL, "published_force_hz", "Published rate of forces", "Hz", FILE_ONLY, published_force)};
#define TIME_WORDS "{p50_us:9.1} {p99_us:9.1} {p999_us:9.1} {max_us:9.1}\n"
static const char haptics_words[] =
    "{name}: {model}, {nodes} nodes, {held_nodes} of them held; device: {device}\n"
    "{seconds:.1} s: {periods} forces at {rate_hz:.1} Hz, {late} periods missed; {frames} frames at {simulation_hz:.1} "
    "Hz\n"
    "{?published_force_hz}published: {published_simulation_hz} Hz of the simulation, {published_force_hz} Hz of "
    "forces\n{/}"
    "largest force {force_n:.4g} N\n"
    "\n  microseconds                50 %      99 %    99.9 %   longest\n"
    "{#computing}  computing the force      " TIME_WORDS "{/}{#waking}  late to wake up          " TIME_WORDS "{/}"
    "\nreal-time priority: {?has_priority}granted{:}not permitted{/}; locked memory: "
    "{?has_locked_memory}granted{:}not permitted{/}\n";
const syn_record syn_haptics_record = RECORD_IN_WORDS("haptics", fields, haptics_words);
