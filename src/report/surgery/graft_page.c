/* Writes a graft as a page: it deforms between femur and tibia while the knee bends, with its stress, as planned and
 * with the best tunnels nearby. */
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "clinic/surgery_rows.h"
#include "report/publish_result.h"
#include <synovia/surgery.h>

static const char *const names[] = {"before", "after"};
static const char *const labels[] = {"As planned", "Best nearby"};

static const syn_graft_plan *plan_of(const syn_graft *graft, size_t p) { return p ? &graft->after : &graft->before; }
static size_t plan_count(const syn_graft *graft) { return graft->searched ? 2 : 1; }

/* ---- motions ----------------------------------------------------------------------------------------------------- */

#define OF(NAME) .offset = offsetof(syn_graft_row, NAME)
static const syn_page_column quantities[] = {
    {"femur_end", "Greatest stress, quarter at the femur", "MPa", OF(femur_mpa)},
    {"middle", "Greatest stress, middle half", "MPa", OF(middle_mpa)},
    {"tibia_end", "Greatest stress, quarter at the tibia", "MPa", OF(tibia_mpa)},
    {"outlets", "Distance of the outlets", "mm", OF(outlets_mm)},
    {"length", "Length of the middle line", "mm", OF(length_mm)},
    {"femur_touch", "Touches the femur", "mm²", OF(femur_touch_mm2)},
    {"tibia_touch", "Touches the tibia", "mm²", OF(tibia_touch_mm2)}};
static const syn_page_column flexion = {OF(flexion), .factor = SYN_RADIAN};
#undef OF
enum { QUANTITIES = sizeof quantities / sizeof *quantities };

static syn_page_rows rows_of(const syn_graft_plan *plan) { return SYN_PAGE_ROWS(plan->rows, plan->row_count); }

static syn_status add_motion(syn_page *page, const syn_graft_plan *plan, size_t p, syn_error *error) {
  syn_pose *poses;
  SYN_TRY(SYN_TAKE(&page->arena, &poses, plan->row_count, error));
  for (size_t i = 0; i < plan->row_count; ++i) poses[i] = plan->rows[i].tibia;
  syn_report_motion *motion =
      syn_page_add_motion(page, (syn_report_motion){.name = names[p],
                                                    .label = labels[p],
                                                    .poses = poses,
                                                    .pose_count = plan->row_count,
                                                    .along_label = "Flexion",
                                                    .along_unit = "°",
                                                    .along = syn_page_values(page, &flexion, rows_of(plan))});
  syn_page_add_curves(page, motion, quantities, QUANTITIES, rows_of(plan));
  return SYN_OK;
}

/* Adds one body for both plans, since their surfaces have the same triangles: the planned graft at rest, displaced to
 * its position in either plan. */
static syn_status add_graft(syn_page *page, const syn_graft *graft, syn_error *error) {
  const syn_trimesh *rest = graft->before.surface;
  const syn_body body = {.name = "graft", .tissue = SYN_TISSUE_LIGAMENT, .surface = rest};
  syn_report_body *added = syn_page_add_body(page, (syn_report_body){.body = body, .label = "Graft"});
  for (size_t p = 0; p < plan_count(graft); ++p) {
    const syn_graft_plan *plan = plan_of(graft, p);
    SYN_TRY(syn_page_add_deformation(
        page, added, &(syn_page_deformation){names[p], plan->row_count, plan->places, plan->stress_mpa}, error));
  }
  return SYN_OK;
}

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

static void add_bones(syn_page *page, const syn_graft *graft) {
  const syn_body femur = {.name = "femur", .tissue = SYN_TISSUE_BONE, .surface = graft->femur},
                 tibia = {.name = "tibia", .tissue = SYN_TISSUE_BONE, .moves = true, .surface = graft->tibia};
  syn_page_add_body(page, (syn_report_body){.body = femur, .label = "Femur"});
  syn_page_add_body(page, (syn_report_body){.body = tibia, .label = "Tibia"});
  for (size_t p = 0; p < plan_count(graft); ++p)
    for (int b = 0; b < 2; ++b) {
      const syn_graft_plan *plan = plan_of(graft, p);
      const char *bone = b ? tibia.name : femur.name;
      syn_page_add_marker(
          page, (syn_report_marker){.name = syn_page_text(page, "%s_%s", bone, names[p]),
                                    .label = syn_page_text(page, "Outlet on the %s, %s", bone, p ? "best" : "planned"),
                                    .body = bone,
                                    .point = b ? plan->tibia_outlet : plan->femur_outlet,
                                    .confidence = 1});
    }
}

/* Views are along the axis of flexion and those across it, about the middle of the graft. */
static syn_status add_axes(syn_page *page, const syn_graft *graft, syn_error *error) {
  static const char *const directions[SYN_JOINT_AXES][2] = {
      {"extension", "flexion"}, {"adduction", "abduction"}, {"internal_rotation", "external_rotation"}};
  const syn_graft_row *first = &graft->before.rows[0];
  const syn_vec3 right = vec3_neg(vec3_unit(graft->axis)), along = graft->long_axis,
                 up = vec3_unit(vec3_madd(along, -vec3_dot(along, right), right));
  syn_joint *joint;
  if (!(vec3_length2(up) > 0.5))
    return SYN_OK; /* flexion axis parallel to the graft: viewed along the axes of the meshes */
  SYN_TRY(SYN_TAKE(&page->arena, &joint, 1, error));
  *joint = (syn_joint){
      .name = "knee",
      .kind = "knee",
      .side_unknown = true,
      .has_center = true,
      .has_axes = true,
      .center = vec3_lerp(graft->before.femur_outlet, syn_pose_point(&first->tibia, graft->before.tibia_outlet), 0.5),
      .axes = {right, vec3_cross(up, right), up}};
  memcpy(joint->directions, directions, sizeof directions);
  page->report.joint = joint;
  return SYN_OK;
}

/* ---- texts and tables -------------------------------------------------------------------------------------------- */

static const char *plan_sentence(syn_page *page, const syn_graft *graft, size_t p) {
  const syn_graft_plan *plan = plan_of(graft, p);
  const char *outlets =
      syn_page_text(page, "the outlets' distance varies by %s", syn_page_quantity(page, plan->isometry_mm, "mm"));
  const char *most = syn_page_text(page, "%s at %s of flexion, %.0f %% of the way to the tibia",
                                   syn_page_quantity(page, plan->peak_mpa, "MPa"),
                                   syn_page_quantity(page, plan->peak_flexion * SYN_RADIAN, "°"), 100 * plan->peak_at);
  if (!isfinite(plan->failure))
    return syn_page_text(page, "%s: the graft does not tear; its greatest stress is %s; %s.", labels[p], most, outlets);
  return syn_page_text(page,
                       "%s: the graft tears at %s of flexion, where its stress exceeds %s (greatest one: %s); %s.",
                       labels[p], syn_page_quantity(page, plan->failure * SYN_RADIAN, "°"),
                       syn_page_quantity(page, graft->failure_mpa, "MPa"), most, outlets);
}

#define OF(NAME) .offset = offsetof(syn_graft_plan, NAME)
static const syn_page_column compared[] = {
    {.label = "Length at rest", .unit = "mm", OF(rest_mm)},
    {.label = "The outlets' distance varies by", .unit = "mm", OF(isometry_mm)},
    {.label = "Greatest stretch of a straight fibre", .unit = "%", OF(strain), .factor = 100},
    {.label = "Slack", .unit = "mm", OF(slack_mm)},
    {.label = "Greatest stress", .unit = "MPa", OF(peak_mpa)},
    {.label = "Tears at", .unit = "°", OF(failure), .factor = SYN_RADIAN}};
#undef OF
enum { COMPARED = sizeof compared / sizeof *compared };

static syn_status add_comparison(syn_page *page, const syn_graft *graft, syn_error *error) {
  static const syn_report_column columns[] = {
      {"what", "", "", false}, {"before", "As planned", "", false}, {"after", "Best nearby", "", false}};
  const syn_report_table head = {.name = "plans",
                                 .title = "The tunnels",
                                 .columns = columns,
                                 .column_count = 1 + plan_count(graft),
                                 .row_count = COMPARED};
  syn_report_cell *cell;
  SYN_TRY(syn_page_add_table(page, head, &cell, error));
  for (size_t i = 0; i < COMPARED; ++i) {
    *cell++ = syn_filled_words(compared[i].label);
    for (size_t p = 0; p < plan_count(graft); ++p)
      *cell++ =
          syn_filled_words(syn_page_quantity(page, syn_page_value(&compared[i], plan_of(graft, p)), compared[i].unit));
  }
  return SYN_OK;
}

static syn_status add_rows(syn_page *page, const syn_graft_plan *plan, size_t p, syn_error *error) {
  enum { WIDTH = QUANTITIES + 1 };
  syn_report_column *columns;
  syn_report_cell *cell;
  SYN_TRY(SYN_TAKE(&page->arena, &columns, WIDTH, error));
  columns[0] = (syn_report_column){"flexion", "Flexion", "", false};
  for (size_t k = 0; k < QUANTITIES; ++k)
    columns[k + 1] = (syn_report_column){quantities[k].name, quantities[k].label, quantities[k].unit, true};
  const syn_report_table head = {
      .name = names[p], .title = labels[p], .columns = columns, .column_count = WIDTH, .row_count = plan->row_count};
  SYN_TRY(syn_page_add_table(page, head, &cell, error));
  for (size_t i = 0; i < plan->row_count; ++i) {
    /* a step of 1.5 degrees is not an integer */
    *cell++ = syn_filled_words(syn_page_text(page, "%.4g°", plan->rows[i].flexion * SYN_RADIAN));
    for (size_t k = 0; k < QUANTITIES; ++k) *cell++ = syn_filled_number(syn_page_value(&quantities[k], &plan->rows[i]));
  }
  return SYN_OK;
}

static void add_notes(syn_page *page, const syn_graft *graft) {
  syn_page_add_run_notes(page);
  if (graft->searched) syn_page_add_note(page, "Displacements of both grafts are from the planned one at rest.", NULL);
  syn_page_add_note(page, "Contact of graft and bones is measured, not resisted.", NULL);
  syn_page_add_note(page,
                    "The ends are clamped as flat faces, which turn against each other by the whole flexion; a real "
                    "graft bends at the edge of its tunnel. Stresses there are upper bounds.",
                    NULL);
}

/* ---- the page ---------------------------------------------------------------------------------------------------- */

static syn_status add_graft_page(syn_publication *to, const void *result, syn_error *error) {
  const syn_graft *graft = result;
  syn_page *page = &to->page;
  page->report.subtitle = "Knee, graft for a torn cruciate ligament";
  add_bones(page, graft);
  SYN_TRY(add_comparison(page, graft, error));
  for (size_t p = 0; p < plan_count(graft); ++p) {
    syn_page_add_finding(page, plan_sentence(page, graft, p), NULL);
    SYN_TRY(add_motion(page, plan_of(graft, p), p, error));
    SYN_TRY(add_rows(page, plan_of(graft, p), p, error));
  }
  SYN_TRY(add_graft(page, graft, error));
  add_notes(page, graft);
  return add_axes(page, graft, error);
}

static const char *name_graft_files(syn_publication *to, const void *result) {
  (void)result;
  return to->page.report.title;
}

static syn_status write_table(syn_publication *to, const void *result, syn_error *error) {
  const char *path;
  if (!(to->options->what & SYN_PUBLISH_FILES)) return SYN_OK;
  SYN_TRY(syn_publication_path(to, "graft.csv", &path, error));
  SYN_TRY(syn_csv_write(&to->files, &syn_graft_csv, result, path, error));
  return syn_publication_add(to, path, error);
}

const syn_published_kind syn_published_graft = {.record = &syn_graft_record,
                                                .kind = "surgery",
                                                .command = "surgery graft",
                                                .title = "Graft",
                                                .name_files = name_graft_files,
                                                .add = add_graft_page,
                                                .write = write_table};
