/* Result fields of a haptic loop: its actual rate, and the forces. */
#include <math.h>

#include <synovia/tissue.h>

#include "result/value.h"

static const syn_result_field timing_fields[] = {
    MEMBER(syn_haptics_times, p50_us, "p50_us", "Median", "us", FILE_ONLY),
    MEMBER(syn_haptics_times, p99_us, "p99_us", "99 %", "us", FILE_ONLY),
    MEMBER(syn_haptics_times, p999_us, "p999_us", "99.9 %", "us", FILE_ONLY),
    MEMBER(syn_haptics_times, max_us, "max_us", "Longest", "us", FILE_ONLY)};
static const syn_record timing_record = RECORD_OF(syn_haptics_times, "timing", timing_fields);

GET(soft_model, syn_haptics_result, value_text(syn_soft_model_name(at->scene->soft)))
GET(soft_nodes, syn_haptics_result, value_count(syn_soft_node_count(at->scene->soft)))
GET(near_points, syn_haptics_result, value_count(syn_haptics_points_of(at->scene->haptics).count))
GET(published_simulation, syn_haptics_result,
    value_real(at->scene->built_in ? at->scene->built_in->published_simulation_hz : (double)NAN))
GET(published_force, syn_haptics_result,
    value_real(at->scene->built_in ? at->scene->built_in->published_force_hz : (double)NAN))

static const syn_result_field haptics_fields[] = {
    MEMBER(syn_haptics_scene, name, "name", "Scene", "", FILE_ONLY, THROUGH(syn_haptics_result, scene)),
    FIELD(TEXT, "model", "Model", "", FILE_ONLY, soft_model),
    FIELD(INTEGER, "nodes", "Nodes", "", FILE_ONLY, soft_nodes),
    MEMBER(syn_haptics_scene, held_nodes, "held_nodes", "Nodes that are held", "", FILE_ONLY,
           THROUGH(syn_haptics_result, scene)),
    MEMBER(syn_haptics_result, device, "device", "Device", "", FILE_ONLY),
    MEMBER(syn_haptics_result, report.rate_hz, "rate_hz", "Rate of forces", "Hz", FILE_ONLY),
    MEMBER(syn_haptics_result, report.late, "late", "Periods missed", "", FILE_ONLY),
    MEMBER(syn_haptics_result, report.computing.p999_us, "p999_us", "Computing time, 99.9 %", "us", FILE_ONLY),
    MEMBER(syn_haptics_result, report.force_n, "force_n", "Largest force", "N", FILE_ONLY),
    MEMBER(syn_haptics_result, report.seconds, "seconds", "Time", "s", FILE_ONLY),
    MEMBER(syn_haptics_result, report.periods, "periods", "Periods", "", FILE_ONLY),
    MEMBER(syn_haptics_result, report.frames, "frames", "Frames of the simulation", "", FILE_ONLY),
    MEMBER(syn_haptics_result, report.simulation_hz, "simulation_hz", "Rate of the simulation", "Hz", FILE_ONLY),
    FIELD(INTEGER, "points", "Points near the probe", "", FILE_ONLY, near_points),
    MEMBER(syn_haptics_result, report.left_off, "left_off", "Points left off", "", FILE_ONLY),
    PART(syn_haptics_result, report.computing, timing_record, "computing", "Computing time", FILE_ONLY),
    PART(syn_haptics_result, report.waking, timing_record, "waking", "Lateness of waking up", FILE_ONLY),
    MEMBER(syn_haptics_result, report.has_priority, "has_priority", "Real-time priority", "", FILE_ONLY),
    MEMBER(syn_haptics_result, report.has_locked_memory, "has_locked_memory", "Locked memory", "", FILE_ONLY),
    FIELD(REAL, "published_simulation_hz", "Published rate of the simulation", "Hz", FILE_ONLY, published_simulation),
    FIELD(REAL, "published_force_hz", "Published rate of forces", "Hz", FILE_ONLY, published_force)};

const syn_record syn_haptics_record = RECORD_OF(syn_haptics_result, "haptics", haptics_fields);
