/* The numbers of a hip's report: against published ranges, on the clock face, and as tables. */
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "hip_report.h"

/* ---- ranges -------------------------------------------------------------------------------------------------------
 */

/* The same for drawings, which set the space themselves. */
static const char *short_unit(const char *unit) {
  return strcmp(unit, "deg") == 0 ? "°" : strcmp(unit, "percent") == 0 ? "%" : unit;
}

void cli_report_fill_ranges(cli_hip_writing *w) {
  const syn_hip_analysis *a = w->analysis;
  for (size_t i = 0; i < a->limit_count; ++i) {
    const syn_clinical_motion *motion = a->limits[i].motion;
    const bool by_bones = motion->source && a->has_soft;
    const syn_hip_limit *limit = by_bones ? &a->limits[i].bones : &a->limits[i].limit;
    const bool stopped = syn_hip_limit_state(limit) == SYN_LIMIT_STOPPED;
    char room[96];
    w->ranges[w->report.range_count++] =
        (syn_report_range){motion->name,
                           by_bones ? cli_report_text(w, "%s, bones alone", motion->label) : motion->label,
                           "°",
                           cli_stop_deg(limit),
                           stopped ? NULL : cli_report_text(w, "%s", cli_limit_words(limit, room)),
                           motion->low_deg,
                           motion->high_deg,
                           motion->source,
                           true};
    const syn_hip_limit *stop = &a->limits[i].limit;
    if (isfinite(cli_stop_deg(stop)) && isfinite(a->limits[i].hour))
      w->clock[w->report.clock_count++] =
          (syn_report_clock_mark){a->limits[i].hour, cli_stop_deg(stop), motion->label, "°"};
  }
  for (int i = 0; a->has_measures && i < SYN_MEASURES; ++i) {
    const syn_measure_info *info = syn_measure_describe((syn_measure_id)i);
    w->ranges[w->report.range_count++] = (syn_report_range){info->name,
                                                            cli_report_capital(cli_report_text(w, "%s", info->label)),
                                                            short_unit(info->unit),
                                                            a->measures.value[i],
                                                            a->measures.why_not[i],
                                                            info->low,
                                                            info->high,
                                                            info->source,
                                                            false};
  }
  w->report.ranges = w->ranges;
  w->report.clock = w->clock;
}

/* ---- tables -------------------------------------------------------------------------------------------------------
 */

static syn_report_cell words(const char *content) { return (syn_report_cell){content ? content : "", 0}; }
static syn_report_cell number(double value) { return (syn_report_cell){NULL, value}; }

static const char *short_state(const syn_hip_limit *limit) {
  return syn_hip_limit_state(limit) == SYN_LIMIT_NO_STOP ? "no stop" : "no free pose";
}

/* The angle stands in a column of its own. */
static const char *state_words(cli_hip_writing *w, const syn_hip_limit *limit) {
  char room[96];
  if (syn_hip_limit_state(limit) != SYN_LIMIT_STOPPED) return cli_report_text(w, "%s", cli_limit_words(limit, room));
  return limit->start_overlaps && limit->angle < 0 ? "stopped; the start collides" : "stopped";
}

static syn_status motion_table(cli_hip_writing *w, syn_report_table *table, syn_error *error) {
  static const syn_report_column columns[] = {
      {"motion", "Motion", "", false},      {"state", "State", "", false}, {"angle", "Ends at", "°", true},
      {"by", "Stopped by", "", false},      {"clock", "Clock", "", false}, {"bones", "Bones alone", "°", true},
      {"low", "Published from", "°", true}, {"high", "to", "°", true},     {"source", "Source", "", false}};
  enum { COLUMNS = sizeof columns / sizeof *columns };
  const syn_motion_limit *limits = w->analysis->limits;
  const double seat = vec3_length(w->analysis->hip_case->hip.seat);
  syn_report_cell *cell;
  SYN_TRY(SYN_TAKE(&w->arena, &cell, w->analysis->limit_count * COLUMNS, error));
  *table =
      (syn_report_table){"motions",
                         "Range of motion",
                         cli_report_text(w,
                                         "Joint angles as in the ISB standard; 0 is where the frames of both bones "
                                         "agree. Exact for the meshes as given%s.",
                                         seat > 0 ? cli_report_text(w, ", the femur shifted by %.2f mm", seat) : ""),
                         columns,
                         COLUMNS,
                         w->analysis->limit_count,
                         cell};
  for (size_t i = 0; i < w->analysis->limit_count; ++i) {
    const syn_clinical_motion *motion = limits[i].motion;
    const syn_hip_limit *limit = &limits[i].limit;
    const bool stopped = syn_hip_limit_state(limit) == SYN_LIMIT_STOPPED;
    *cell++ = words(motion->label);
    *cell++ = words(state_words(w, limit));
    *cell++ = number(cli_stop_deg(limit));
    *cell++ = words(stopped ? cli_report_text(w, "%s on %s", syn_hip_part_name(limit->mobile_part),
                                              syn_hip_part_name(limit->fixed_part))
                            : NULL);
    *cell++ = words(cli_report_hour(w, limits[i].hour));
    const syn_hip_limit *bones = &limits[i].bones;
    *cell++ = syn_hip_limit_state(bones) == SYN_LIMIT_STOPPED ? number(cli_stop_deg(bones)) : words(short_state(bones));
    *cell++ = number(motion->low_deg);
    *cell++ = number(motion->high_deg);
    *cell++ = words(motion->source);
  }
  return SYN_OK;
}

static syn_status measure_table(cli_hip_writing *w, syn_report_table *table, syn_error *error) {
  static const syn_report_column columns[] = {{"measure", "Measure", "", false}, {"value", "Value", "", true},
                                              {"unit", "Unit", "", false},       {"low", "Published from", "", true},
                                              {"high", "to", "", true},          {"source", "Source", "", false},
                                              {"method", "How", "", false}};
  enum { COLUMNS = sizeof columns / sizeof *columns };
  syn_report_cell *cell;
  SYN_TRY(SYN_TAKE(&w->arena, &cell, SYN_MEASURES * COLUMNS, error));
  const syn_anatomy *anatomy = w->analysis->hip_case->anatomy;
  const char *note =
      anatomy && w->analysis->hip_case->hip.parts[SYN_HIP_PELVIS] && anatomy->pelvis_frame == SYN_FRAME_PARTIAL
          ? "Measured in a partial pelvic frame: the plane of symmetry is assumed."
          : NULL;
  *table = (syn_report_table){"measures", "Measures", note, columns, COLUMNS, SYN_MEASURES, cell};
  for (int i = 0; i < SYN_MEASURES; ++i) {
    const syn_measure_info *info = syn_measure_describe((syn_measure_id)i);
    const char *why_not = w->analysis->measures.why_not[i];
    *cell++ = words(cli_report_capital(cli_report_text(w, "%s", info->label)));
    *cell++ = number(w->analysis->measures.value[i]);
    *cell++ = words(info->unit);
    *cell++ = number(info->low);
    *cell++ = number(info->high);
    *cell++ = words(info->source);
    *cell++ = words(why_not ? cli_report_text(w, "not known: %s", why_not) : info->method);
  }
  return SYN_OK;
}

static syn_status center_table(cli_hip_writing *w, syn_report_table *table, syn_error *error) {
  static const syn_report_column columns[] = {{"method", "Method", "", false},  {"x", "x", "mm", true},
                                              {"y", "y", "mm", true},           {"z", "z", "mm", true},
                                              {"radius", "Radius", "mm", true}, {"residual", "Residual", "mm", true},
                                              {"why_not", "Why not", "", false}};
  enum { COLUMNS = sizeof columns / sizeof *columns };
  syn_report_cell *cell;
  SYN_TRY(SYN_TAKE(&w->arena, &cell, SYN_CENTER_METHODS * COLUMNS, error));
  *table = (syn_report_table){"centers", "Hip centre", NULL, columns, COLUMNS, SYN_CENTER_METHODS, cell};
  for (int i = 0; i < SYN_CENTER_METHODS; ++i) {
    const syn_center *c = &w->analysis->hip_case->centers.methods[i];
    *cell++ = words(syn_center_method_name((syn_center_method)i));
    *cell++ = number(c->known ? c->center.x : (double)NAN);
    *cell++ = number(c->known ? c->center.y : (double)NAN);
    *cell++ = number(c->known ? c->center.z : (double)NAN);
    *cell++ = number(c->radius_mm);
    *cell++ = number(c->residual_mm);
    *cell++ = words(c->why_not);
  }
  return SYN_OK;
}

static syn_status effect_table(cli_hip_writing *w, syn_report_table *table, syn_error *error) {
  enum { FIRST = 3, COLUMNS = FIRST + SYN_CENTER_METHODS };
  const syn_center_effect *e = w->analysis->effect;
  syn_report_column *columns;
  syn_report_cell *cell;
  SYN_TRY(SYN_TAKE(&w->arena, &columns, COLUMNS, error));
  SYN_TRY(SYN_TAKE(&w->arena, &cell, e->motion_count * COLUMNS, error));
  columns[0] = (syn_report_column){"motion", "Motion", "", false};
  columns[1] = (syn_report_column){"low", "Least", "°", true};
  columns[2] = (syn_report_column){"high", "Greatest", "°", true};
  for (int m = 0; m < SYN_CENTER_METHODS; ++m) {
    const char *name = syn_center_method_name((syn_center_method)m);
    columns[FIRST + m] = (syn_report_column){name, name, "°", true};
  }
  *table = (syn_report_table){
      "center_effect",
      "How much the hip centre matters",
      cli_report_text(w,
                      "Least and greatest angle when the centre shifts by %g mm along each axis of the "
                      "pelvis, and the angle about the centre of each method.",
                      e->band_mm),
      columns,
      COLUMNS,
      e->motion_count,
      cell};
  for (size_t i = 0; i < e->motion_count; ++i) {
    *cell++ = words(syn_clinical_motion_at(i)->label);
    *cell++ = number(e->band_low[i] * CLI_DEGREES);
    *cell++ = number(e->band_high[i] * CLI_DEGREES);
    for (int m = 0; m < SYN_CENTER_METHODS; ++m)
      *cell++ = number(e->method_angle[(size_t)m * e->motion_count + i] * CLI_DEGREES);
  }
  return SYN_OK;
}

syn_status cli_report_fill_tables(cli_hip_writing *w, syn_error *error) {
  if (w->analysis->limit_count) SYN_TRY(motion_table(w, &w->tables[w->report.table_count++], error));
  if (w->analysis->has_measures) SYN_TRY(measure_table(w, &w->tables[w->report.table_count++], error));
  if (w->analysis->effect) SYN_TRY(effect_table(w, &w->tables[w->report.table_count++], error));
  if (w->analysis->hip_case->anatomy) SYN_TRY(center_table(w, &w->tables[w->report.table_count++], error));
  w->report.tables = w->tables;
  return SYN_OK;
}
