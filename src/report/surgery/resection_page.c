/* Writes a resection as a page: degrees gained against bone removed, and the hip after the deepest cut. */
#include <math.h>

#include "base/vec.h"
#include "clinic/hip.h"
#include "clinic/surgery/resection.h"
#include "report/hip/hip_page.h"
#include "report/html.h"
#include <synovia/surgery.h>

enum { TABLE_FIRST = 3, TABLE_EACH = 2 };

static const syn_resection_step *last_of(const syn_resection *r) { return &r->steps[r->step_count - 1]; }

/* ---- texts ------------------------------------------------------------------------------------------------------- */

static const char *clock_text(syn_page *page, double hour) {
  char words[16];
  return syn_page_text(page, "%s", syn_clock_words(hour, words));
}

static const char *cut_sentence(syn_page *page, const syn_resection *r) {
  const syn_resection_step *last = last_of(r);
  if (r->step_count == 1) return "There is nothing to remove: no bone stands out beyond the shape aimed at.";
  const char *hours = syn_page_text(page, "%s to %s o'clock", clock_text(page, r->options.from_hour),
                                    clock_text(page, r->options.to_hour));
  if (r->options.kind == SYN_RESECTION_RIM)
    return syn_page_text(page, "Lowering the rim of the acetabulum by %.1f mm from %s removes %.0f mm³ of the pelvis.",
                         last->depth_mm, hours, last->volume_mm3);
  return syn_page_text(
      page,
      "Cutting the cam from %s, %.1f mm at its deepest, removes %.0f mm³ of the femur; the largest alpha "
      "angle there goes from %.0f to %.0f°.",
      hours, last->deepest_mm, last->volume_mm3, r->steps[0].alpha_deg, last->alpha_deg);
}

/* Returns the first step whose gain is within 0.05 degrees of the last one's. */
static size_t enough(const syn_resection *r, size_t m) {
  const double all = last_of(r)->motions[m].gain_deg;
  size_t step = 0;
  while (step + 1 < r->step_count && !(r->steps[step].motions[m].gain_deg >= all - 0.05)) ++step;
  return step;
}

static const char *gain_sentence(syn_page *page, const syn_resection *r, size_t m) {
  const syn_gain *before = &r->steps[0].motions[m], *after = &last_of(r)->motions[m];
  const char *label = before->motion->label;
  char words[2][96], band[160];
  if (isnan(after->gain_deg))
    return syn_page_text(page, "%s: %s before, %s after.", label, syn_hip_limit_words(&before->limit, words[0]),
                         syn_hip_limit_words(&after->limit, words[1]));
  const char *where = syn_contact_place_words(&after->place, words[0]);
  const size_t step = enough(r, m);
  const char *rest =
      step + 1 < r->step_count && after->gain_deg > 0.05
          ? syn_page_text(page, "; nothing more beyond %s", syn_page_quantity(page, r->steps[step].depth_mm, "mm"))
          : "";
  /* The difference of the numbers as shown. */
  const double from = before->limit.angle * SYN_RADIAN, to = after->limit.angle * SYN_RADIAN,
               gain = syn_shown_value(to, "deg") - syn_shown_value(from, "deg");
  return syn_page_text(page, "%s: %s before, %s after, a gain of %s%s%s%s.", label,
                       syn_page_quantity(page, from, "deg"), syn_page_quantity(page, to, "deg"),
                       syn_shown_banded(gain, after->gain_band_deg.low, after->gain_band_deg.high, "deg", band), rest,
                       where[0] ? ". It then ends at the " : "", where);
}

/* ---- curves ------------------------------------------------------------------------------------------------------ */

/* Shows the femur at the limit of the first motion that has one with each cut; else neutral. */
static void fill_poses(const syn_resection *r, const syn_hip *hip, syn_pose *poses) {
  for (size_t i = 0; i < r->step_count; ++i) {
    poses[i] = syn_hip_pose(hip, (syn_hip_angles){0, 0, 0});
    for (size_t m = 0; m < r->motion_count; ++m) {
      const syn_gain *of = &r->steps[i].motions[m];
      if (of->limit.state != SYN_LIMIT_STOPPED) continue;
      poses[i] = syn_hip_pose(hip, syn_hip_angles_along(of->motion, of->limit.angle));
      break;
    }
  }
}

static syn_status add_gain_curves(syn_page *page, const syn_resection *r, syn_report_motion motion, syn_error *error) {
  syn_report_motion *added = syn_page_add_motion(page, motion);
  for (size_t m = 0; m < r->motion_count; ++m) {
    const syn_motion *of = r->steps[0].motions[m].motion;
    double *values;
    SYN_TRY(SYN_TAKE(&page->arena, &values, r->step_count, error));
    for (size_t i = 0; i < r->step_count; ++i) values[i] = r->steps[i].motions[m].gain_deg;
    syn_page_add_curve(page, added, (syn_report_curve){of->name, of->label, "°", values});
  }
  return SYN_OK;
}

/* Plots the gain by the depth of the cut, and by the removed volume. */
static syn_status add_gains(syn_page *page, const syn_resection *r, const syn_hip *hip, syn_error *error) {
  static const syn_page_column depth = {.offset = offsetof(syn_resection_step, depth_mm)},
                               volume = {.offset = offsetof(syn_resection_step, volume_mm3)};
  const syn_page_rows rows = SYN_PAGE_ROWS(r->steps, r->step_count);
  syn_pose *poses;
  SYN_TRY(SYN_TAKE(&page->arena, &poses, r->step_count, error));
  fill_poses(r, hip, poses);
  const syn_report_motion by_depth = {.name = "gain_by_depth",
                                      .label = "Gain by depth",
                                      .poses = poses,
                                      .pose_count = r->step_count,
                                      .along_label = "Depth of the cut",
                                      .along_unit = "mm",
                                      .along = syn_page_values(page, &depth, rows)};
  const syn_report_motion by_volume = {.name = "gain_by_volume",
                                       .label = "Gain by bone removed",
                                       .poses = poses,
                                       .pose_count = r->step_count,
                                       .along_label = "Bone removed",
                                       .along_unit = "mm³",
                                       .along = syn_page_values(page, &volume, rows)};
  SYN_TRY(add_gain_curves(page, r, by_depth, error));
  return add_gain_curves(page, r, by_volume, error);
}

/* ---- limits ------------------------------------------------------------------------------------------------------ */

/* Adds the motions after the deepest cut, with their published ranges and up to their limits. */
static syn_status add_limits(syn_page *page, const syn_resection *r, const syn_hip *hip, syn_error *error) {
  for (size_t m = 0; m < r->motion_count; ++m) {
    const syn_gain *of = &last_of(r)->motions[m];
    const bool stopped = of->limit.state == SYN_LIMIT_STOPPED;
    syn_hip_motion_limit limit = {
        .motion = of->motion, .limit = of->limit, .bones = of->limit, .place = of->place, .stopped_part = NAN};
    limit.hour = stopped ? syn_hip_clock_hour(hip, r->hip_case->anatomy, of->limit.event.point) : (double)NAN;
    for (int k = 0; k < SYN_BAND_SLOTS; ++k) limit.bands[k] = (syn_band){NAN, NAN};
    syn_page_add_limit_range(page, &limit, false);
    SYN_TRY(syn_page_add_limit_motion(page, hip, &limit, error));
  }
  return SYN_OK;
}

/* ---- the cut and the table --------------------------------------------------------------------------------------- */

/* Bone that was not cut has no colour. */
static syn_status add_depths(syn_page *page, const syn_resection *r, size_t first, const char *motion,
                             syn_report_body *body, syn_error *error) {
  const uint32_t vertices = last_of(r)->bone->vertex_count;
  const size_t count = r->step_count - first;
  double *shown;
  SYN_TRY(SYN_TAKE(&page->arena, &shown, count * vertices, error));
  for (size_t i = 0; i < count; ++i)
    for (uint32_t v = 0; v < vertices; ++v) {
      const double removed = r->steps[first + i].removed_mm[v];
      shown[i * vertices + v] = removed > 0 ? removed : (double)NAN;
    }
  syn_page_add_field(page, body, (syn_report_field){"removed", "Depth of the cut", "mm", shown, count, motion, 0, 0});
  return SYN_OK;
}

/* Shows the bone after the deepest cut, and along the curves after each, unless that would make the page too large. */
static syn_status add_cut(syn_page *page, const syn_resection *r, syn_error *error) {
  static const size_t max_values = 2000000;
  syn_report_body *body = syn_page_body(page, last_of(r)->bone);
  const bool by_step = r->step_count > 1 && r->step_count * last_of(r)->bone->vertex_count <= max_values;
  SYN_TRY(add_depths(page, r, r->step_count - 1, NULL, body, error));
  return by_step ? add_depths(page, r, 0, "gain_by_depth", body, error) : SYN_OK;
}

static void fill_columns(syn_page *page, const syn_resection *r, syn_report_column *columns) {
  const syn_report_column first[TABLE_FIRST] = {
      {"depth", "Depth", "mm", true}, {"volume", "Bone removed", "mm³", true}, {"alpha", "Alpha", "°", true}};
  for (size_t i = 0; i < TABLE_FIRST; ++i) columns[i] = first[i];
  for (size_t m = 0; m < r->motion_count; ++m) {
    const syn_motion *motion = r->steps[0].motions[m].motion;
    syn_report_column *of = columns + TABLE_FIRST + TABLE_EACH * m;
    of[0] = (syn_report_column){motion->name, motion->label, "°", true};
    of[1] = (syn_report_column){syn_page_text(page, "%s_gain", motion->name), "Gain", "°", true};
  }
}

static void fill_row(const syn_resection *r, const syn_resection_step *s, syn_report_cell *row) {
  const double first[TABLE_FIRST] = {s->depth_mm, s->volume_mm3, s->alpha_deg};
  for (size_t i = 0; i < TABLE_FIRST; ++i) *row++ = syn_filled_number(first[i]);
  for (size_t m = 0; m < r->motion_count; ++m) {
    const syn_gain *of = &s->motions[m];
    const syn_limit_state state = of->limit.state;
    *row++ = state == SYN_LIMIT_STOPPED ? syn_filled_number(of->limit.angle * SYN_RADIAN)
                                        : syn_filled_words(state == SYN_LIMIT_NO_STOP ? "no stop" : "no free pose");
    *row++ = syn_filled_number(of->gain_deg);
  }
}

static syn_status add_table(syn_page *page, const syn_resection *r, syn_error *error) {
  const size_t width = TABLE_FIRST + TABLE_EACH * r->motion_count;
  syn_report_column *columns;
  syn_report_cell *cells;
  SYN_TRY(SYN_TAKE(&page->arena, &columns, width, error));
  fill_columns(page, r, columns);
  const syn_report_table head = {
      .name = "resection",
      .title = "Bone removed and degrees gained",
      .note = "Bone to bone. Each angle is exact for the mesh that the cut leaves; each cut lies within the next.",
      .columns = columns,
      .column_count = width,
      .row_count = r->step_count};
  SYN_TRY(syn_page_add_table(page, head, &cells, error));
  for (size_t i = 0; i < r->step_count; ++i) fill_row(r, &r->steps[i], cells + i * width);
  return SYN_OK;
}

/* ---- the page ---------------------------------------------------------------------------------------------------- */

/* Shows the hip after the deepest cut, without soft tissue. */
static syn_status add_page(syn_publication *to, const void *result, syn_error *error) {
  const syn_resection *r = result;
  syn_page *page = &to->page;
  syn_hip hip = syn_hip_bones(&r->hip_case->hip);
  hip.parts[syn_resection_part(r->options.kind)] = last_of(r)->bone;
  syn_page_show_hip(page, r->hip_case,
                    syn_page_text(page, "resection of the %s", syn_resection_kind_name(r->options.kind)));
  syn_page_add_finding(page, cut_sentence(page, r), NULL);
  for (size_t m = 0; m < r->motion_count; ++m) syn_page_add_finding(page, gain_sentence(page, r, m), NULL);
  syn_page_add_hip_notes(page, &(syn_hip_assumed){.hip_case = r->hip_case, .has_limits = r->motion_count > 0});
  syn_page_add_hip_parts(page, &hip);
  SYN_TRY(add_cut(page, r, error));
  if (r->step_count > 1) SYN_TRY(add_gains(page, r, &hip, error));
  SYN_TRY(add_limits(page, r, &hip, error));
  SYN_TRY(add_table(page, r, error));
  return syn_page_add_hip_inputs(page, r->hip_case, NULL, error);
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

static syn_status write_bone(syn_publication *to, const syn_resection_step *s, const char *name, syn_error *error) {
  const syn_field field = {"removed_mm", SYN_ON_POINTS, 1, s->removed_mm};
  syn_geometry geometry = syn_trimesh_geometry(s->bone);
  const char *path;
  geometry.fields = &field;
  geometry.field_count = 1;
  SYN_TRY(syn_publication_path(to, name, &path, error));
  SYN_TRY(syn_geometry_write(&to->files, &geometry, path, NULL, error));
  return syn_publication_add(to, path, error);
}

static syn_status write_files(syn_publication *to, const void *result, syn_error *error) {
  const syn_resection *r = result;
  const char *path, *bone = syn_hip_part_name(syn_resection_part(r->options.kind));
  if (!(to->options->what & SYN_PUBLISH_FILES)) return SYN_OK;
  SYN_TRY(syn_publication_path(to, "resection.csv", &path, error));
  SYN_TRY(syn_csv_write(&to->files, &syn_resection_csv, r, path, error));
  SYN_TRY(syn_publication_add(to, path, error));
  for (size_t i = 1; to->options->every_cut && i < r->step_count; ++i) {
    const char *name = syn_page_text(&to->page, "%s_cut_%.2fmm.ply", bone, r->steps[i].depth_mm);
    SYN_TRY(write_bone(to, &r->steps[i], name, error));
  }
  return write_bone(to, last_of(r), syn_page_text(&to->page, "%s_cut.ply", bone), error);
}

static const char *name_files(syn_publication *to, const void *result) {
  const syn_resection *r = result;
  return syn_page_hip_name(&to->page, r->hip_case->hip.side, to->options->title);
}

const syn_published_kind syn_published_resection = {.record = &syn_resection_record,
                                                    .kind = "surgery",
                                                    .command = "surgery resect",
                                                    .title = "Resection",
                                                    .name_files = name_files,
                                                    .add = add_page,
                                                    .write = write_files};
