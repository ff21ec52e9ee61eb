/* A resection as a page: degrees gained against bone removed, and the hip after the deepest cut. */
#include "report/surgery/resection_page.h"

#include <math.h>

#include "report/shown.h"

/* The curves stand before the motions to their limits. */
enum { CURVED_MOTIONS = 2, TABLE_FIRST = 3, TABLE_EACH = 2 };

static const syn_resection_step *last_of(const syn_resection *r) { return &r->steps[r->step_count - 1]; }

/* ---- words --------------------------------------------------------------------------------------------------------
 */

static const char *cut_sentence(resection_writing *w) {
  const syn_resection *r = w->resection;
  const syn_resection_step *last = last_of(r);
  if (r->step_count == 1) return "There is nothing to remove: no bone stands out beyond the shape aimed at.";
  const char *hours = hip_text(&w->hip, "%s to %s o'clock", syn_hip_hour(&w->hip, r->options.from_hour),
                               syn_hip_hour(&w->hip, r->options.to_hour));
  if (r->options.kind == SYN_RESECTION_RIM)
    return hip_text(&w->hip, "Lowering the rim of the acetabulum by %.1f mm from %s removes %.0f mm³ of the pelvis.",
                    last->depth_mm, hours, last->volume_mm3);
  return hip_text(&w->hip,
                  "Cutting the cam from %s, %.1f mm at its deepest, removes %.0f mm³ of the femur; the largest alpha "
                  "angle there goes from %.0f to %.0f°.",
                  hours, last->deepest_mm, last->volume_mm3, r->steps[0].alpha_deg, last->alpha_deg);
}

/* The first step that gains all but a twentieth of a degree of what the last one does. */
static size_t enough(const syn_resection *r, size_t m) {
  const double all = last_of(r)->motions[m].gain_deg;
  size_t step = 0;
  while (step + 1 < r->step_count && !(r->steps[step].motions[m].gain_deg >= all - 0.05)) ++step;
  return step;
}

static const char *gain_sentence(resection_writing *w, size_t m) {
  const syn_resection *r = w->resection;
  const syn_resected_motion *before = &r->steps[0].motions[m], *after = &last_of(r)->motions[m];
  const char *label = before->motion->label;
  char words[2][96];
  if (isnan(after->gain_deg))
    return hip_text(&w->hip, "%s: %s before, %s after.", label, syn_hip_limit_words(&before->limit, words[0]),
                    syn_hip_limit_words(&after->limit, words[1]));
  const char *where = syn_contact_place_words(&after->place, words[0]);
  const size_t step = enough(r, m);
  const char *rest =
      step + 1 < r->step_count && after->gain_deg > 0.05
          ? hip_text(&w->hip, "; nothing more beyond %s", syn_hip_value(&w->hip, r->steps[step].depth_mm, "mm"))
          : "";
  /* The difference of the numbers that stand there. */
  const double from = syn_hip_limit_deg(&before->limit), to = syn_hip_limit_deg(&after->limit),
               gain = syn_shown_value(to, "deg") - syn_shown_value(from, "deg");
  return hip_text(&w->hip, "%s: %s before, %s after, a gain of %s%s%s%s.", label, syn_hip_degrees(&w->hip, from),
                  syn_hip_degrees(&w->hip, to), syn_hip_banded(&w->hip, gain, &after->gain_band_deg, "deg"), rest,
                  where[0] ? ". It then ends at the " : "", where);
}

static syn_status fill_summary(resection_writing *w, syn_error *error) {
  const syn_resection *r = w->resection;
  const char **summary;
  SYN_TRY(syn_arena_take(&w->hip.arena, r->motion_count + 1, sizeof *summary, (void **)&summary, error));
  summary[0] = cut_sentence(w);
  for (size_t m = 0; m < r->motion_count; ++m) summary[1 + m] = gain_sentence(w, m);
  w->hip.report.summary = summary;
  w->hip.report.summary_count = r->motion_count + 1;
  return SYN_OK;
}

/* ---- curves -------------------------------------------------------------------------------------------------------
 */

static syn_status fill_curves(resection_writing *w, syn_report_curve *curves, syn_error *error) {
  const syn_resection *r = w->resection;
  for (size_t m = 0; m < r->motion_count; ++m) {
    const syn_clinical_motion *motion = r->steps[0].motions[m].motion;
    double *values;
    SYN_TRY(SYN_TAKE(&w->hip.arena, &values, r->step_count, error));
    for (size_t i = 0; i < r->step_count; ++i) values[i] = r->steps[i].motions[m].gain_deg;
    curves[m] = (syn_report_curve){motion->name, motion->label, "°", values};
  }
  return SYN_OK;
}

/* The femur where the first motion that stops ends with each cut; else neutral. */
static void fill_poses(const resection_writing *w, syn_pose *poses) {
  const syn_resection *r = w->resection;
  const syn_hip *hip = &w->cut_case.hip;
  for (size_t i = 0; i < r->step_count; ++i) {
    poses[i] = syn_hip_pose(hip, (syn_hip_angles){0, 0, 0});
    for (size_t m = 0; m < r->motion_count; ++m) {
      const syn_resected_motion *of = &r->steps[i].motions[m];
      if (syn_hip_limit_state(&of->limit) != SYN_LIMIT_STOPPED) continue;
      poses[i] = syn_hip_pose(hip, syn_hip_angles_along(of->motion, of->limit.angle));
      break;
    }
  }
}

static syn_status add_curves(resection_writing *w, syn_report_motion motions[CURVED_MOTIONS], syn_error *error) {
  const syn_resection *r = w->resection;
  syn_report_curve *curves;
  syn_pose *poses;
  double *depths, *volumes;
  SYN_TRY(SYN_TAKE(&w->hip.arena, &curves, r->motion_count, error));
  SYN_TRY(SYN_TAKE(&w->hip.arena, &poses, r->step_count, error));
  SYN_TRY(SYN_TAKE(&w->hip.arena, &depths, r->step_count, error));
  SYN_TRY(SYN_TAKE(&w->hip.arena, &volumes, r->step_count, error));
  SYN_TRY(fill_curves(w, curves, error));
  fill_poses(w, poses);
  for (size_t i = 0; i < r->step_count; ++i) {
    depths[i] = r->steps[i].depth_mm;
    volumes[i] = r->steps[i].volume_mm3;
  }
  const syn_report_motion by_depth = {.name = "gain_by_depth",
                                      .label = "Gain by depth",
                                      .poses = poses,
                                      .pose_count = r->step_count,
                                      .along_label = "Depth of the cut",
                                      .along_unit = "mm",
                                      .along = depths,
                                      .curves = curves,
                                      .curve_count = r->motion_count};
  motions[0] = motions[1] = by_depth;
  motions[1].name = "gain_by_volume";
  motions[1].label = "Gain by bone removed";
  motions[1].along_label = "Bone removed";
  motions[1].along_unit = "mm³";
  motions[1].along = volumes;
  return SYN_OK;
}

static syn_status fill_motions(resection_writing *w, syn_error *error) {
  const bool curved = w->resection->step_count > 1;
  syn_report_motion *motions;
  SYN_TRY(syn_hip_fill_motions(&w->hip, error));
  const syn_report_motion *to_limits = w->hip.report.motions;
  const size_t limits = w->hip.report.motion_count, before = curved ? CURVED_MOTIONS : 0;
  SYN_TRY(SYN_TAKE(&w->hip.arena, &motions, before + limits, error));
  if (curved) SYN_TRY(add_curves(w, motions, error));
  for (size_t i = 0; i < limits; ++i) motions[before + i] = to_limits[i];
  w->hip.report.motions = motions;
  w->hip.report.motion_count = before + limits;
  return SYN_OK;
}

/* ---- the scene and the table --------------------------------------------------------------------------------------
 */

/* The motions with the bone that the deepest cut leaves, as an analysis has them. */
static syn_status fill_limits(resection_writing *w, syn_error *error) {
  const syn_resection *r = w->resection;
  SYN_TRY(SYN_TAKE(&w->hip.arena, &w->analysis.limits, r->motion_count, error));
  for (size_t m = 0; m < r->motion_count; ++m) {
    const syn_resected_motion *of = &last_of(r)->motions[m];
    const bool stopped = syn_hip_limit_state(&of->limit) == SYN_LIMIT_STOPPED;
    syn_motion_limit limit = {
        .motion = of->motion, .limit = of->limit, .bones = of->limit, .place = of->place, .stopped_part = NAN};
    limit.hour =
        stopped ? syn_hip_clock_hour(&w->cut_case.hip, w->cut_case.anatomy, of->limit.event.point) : (double)NAN;
    for (int k = 0; k < SYN_BAND_SLOTS; ++k) limit.bands[k] = (syn_band){NAN, NAN};
    w->analysis.limits[m] = limit;
  }
  w->analysis.limit_count = r->motion_count;
  return SYN_OK;
}

/* Bone that was not cut is not coloured. */
static syn_status shown_depths(resection_writing *w, size_t first, size_t count, const double **values,
                               syn_error *error) {
  const uint32_t vertices = last_of(w->resection)->bone->vertex_count;
  double *shown;
  SYN_TRY(SYN_TAKE(&w->hip.arena, &shown, count * vertices, error));
  for (size_t i = 0; i < count; ++i)
    for (uint32_t v = 0; v < vertices; ++v) {
      const double removed = w->resection->steps[first + i].removed_mm[v];
      shown[i * vertices + v] = removed > 0 ? removed : (double)NAN;
    }
  *values = shown;
  return SYN_OK;
}

/* After the deepest cut, and along the curves after each, unless that would make the page too large. */
static syn_status fill_depths(resection_writing *w, syn_error *error) {
  static const size_t most_values = 2000000;
  const syn_resection *r = w->resection;
  const syn_resection_step *last = last_of(r);
  const bool by_step = r->step_count > 1 && r->step_count * last->bone->vertex_count <= most_values;
  for (size_t k = 0; k < RESECTION_FIELDS; ++k)
    w->fields[k] = (syn_report_field){.name = "removed", .label = "Depth of the cut", .unit = "mm", .steps = 1};
  SYN_TRY(shown_depths(w, r->step_count - 1, 1, &w->fields[0].values, error));
  if (by_step) {
    w->fields[1].steps = r->step_count;
    w->fields[1].motion = "gain_by_depth";
    SYN_TRY(shown_depths(w, 0, r->step_count, &w->fields[1].values, error));
  }
  for (size_t i = 0; i < w->hip.report.body_count; ++i) {
    if (w->hip.bodies[i].body.surface != last->bone) continue;
    w->hip.bodies[i].fields = w->fields;
    w->hip.bodies[i].field_count = by_step ? RESECTION_FIELDS : 1;
  }
  return SYN_OK;
}

static void fill_columns(resection_writing *w, syn_report_column *columns) {
  const syn_report_column first[TABLE_FIRST] = {
      {"depth", "Depth", "mm", true}, {"volume", "Bone removed", "mm³", true}, {"alpha", "Alpha", "°", true}};
  for (size_t i = 0; i < TABLE_FIRST; ++i) columns[i] = first[i];
  for (size_t m = 0; m < w->resection->motion_count; ++m) {
    const syn_clinical_motion *motion = w->resection->steps[0].motions[m].motion;
    syn_report_column *of = columns + TABLE_FIRST + TABLE_EACH * m;
    of[0] = (syn_report_column){motion->name, motion->label, "°", true};
    of[1] = (syn_report_column){hip_text(&w->hip, "%s_gain", motion->name), "Gain", "°", true};
  }
}

static void fill_row(const resection_writing *w, const syn_resection_step *s, syn_report_cell *row) {
  const double first[TABLE_FIRST] = {s->depth_mm, s->volume_mm3, s->alpha_deg};
  for (size_t i = 0; i < TABLE_FIRST; ++i) *row++ = syn_filled_number(first[i]);
  for (size_t m = 0; m < w->resection->motion_count; ++m) {
    const syn_resected_motion *of = &s->motions[m];
    const syn_limit_state state = syn_hip_limit_state(&of->limit);
    *row++ = state == SYN_LIMIT_STOPPED ? syn_filled_number(syn_hip_limit_deg(&of->limit))
                                        : syn_filled_words(state == SYN_LIMIT_NO_STOP ? "no stop" : "no free pose");
    *row++ = syn_filled_number(of->gain_deg);
  }
}

static syn_status fill_table(resection_writing *w, syn_error *error) {
  const syn_resection *r = w->resection;
  const size_t width = TABLE_FIRST + TABLE_EACH * r->motion_count;
  syn_report_column *columns;
  syn_report_cell *cells;
  SYN_TRY(SYN_TAKE(&w->hip.arena, &columns, width, error));
  SYN_TRY(SYN_TAKE(&w->hip.arena, &cells, width * r->step_count, error));
  fill_columns(w, columns);
  for (size_t i = 0; i < r->step_count; ++i) fill_row(w, &r->steps[i], cells + i * width);
  w->hip.tables[0] =
      (syn_report_table){"resection",
                         "Bone removed and degrees gained",
                         "Bone to bone. Each angle is exact for the mesh that the cut leaves; each cut lies within the "
                         "next.",
                         columns,
                         width,
                         r->step_count,
                         cells,
                         NULL};
  w->hip.report.tables = w->hip.tables;
  w->hip.report.table_count = 1;
  return SYN_OK;
}

/* ---- the page -----------------------------------------------------------------------------------------------------
 */

void syn_resection_begin(resection_writing *w, const syn_context *context, const syn_resection *resection,
                         const syn_provenance *provenance) {
  *w = (resection_writing){.resection = resection, .cut_case = *resection->hip_case};
  w->cut_case.hip = syn_hip_bones(&resection->hip_case->hip);
  w->cut_case.hip.parts[syn_resection_part(resection->options.kind)] = last_of(resection)->bone;
  w->analysis = (syn_hip_analysis){.context = context, .hip_case = &w->cut_case};
  w->hip = (syn_hip_writing){.context = context,
                             .analysis = &w->analysis,
                             .provenance = syn_filled_provenance(provenance),
                             .arena = {.context = context}};
}

syn_status syn_resection_fill_page(resection_writing *w, const char *title, syn_error *error) {
  const syn_hip_case *c = &w->cut_case;
  syn_filled_head(&w->hip.report, "surgery", title, NULL, w->hip.provenance);
  w->hip.report.subtitle =
      hip_text(&w->hip, "%s hip, resection of the %s", c->hip.side == SYN_SIDE_LEFT ? "Left" : "Right",
               syn_resection_kind_name(w->resection->options.kind));
  w->hip.report.hip = &c->hip;
  w->hip.report.cup_normal = c->anatomy && c->anatomy->has_rim ? c->anatomy->rim_normal : vec3(0, 0, 0);
  SYN_TRY(fill_limits(w, error));
  SYN_TRY(fill_summary(w, error));
  SYN_TRY(syn_hip_fill_notes(&w->hip, error));
  SYN_TRY(syn_hip_fill_bodies(&w->hip, error));
  SYN_TRY(fill_depths(w, error));
  SYN_TRY(syn_hip_fill_ranges(&w->hip, error));
  SYN_TRY(fill_motions(w, error));
  SYN_TRY(fill_table(w, error));
  SYN_TRY(syn_hip_fill_inputs(&w->hip, error));
  return syn_arena_check(&w->hip.arena, error);
}
