/* A graft as a page: it deforms between femur and tibia while the knee bends, with its stress, as planned and with the
 * best tunnels nearby. */
#include <math.h>
#include <string.h>

#include <synovia/report.h>

#include "base/vec.h"
#include "report/filling.h"
#include "report/shown.h"

enum { PLANS = 2, CURVES = 7, BODIES = 3, MARKERS = 2, MOST_TABLES = 3 };

typedef struct writing {
  const syn_graft *graft;
  const syn_trimesh *bones[2]; /* femur, tibia */
  const syn_graft_plan *plans[PLANS];
  size_t plan_count;
  syn_arena arena; /* everything that the report points to */
  syn_report report;
  syn_joint joint; /* only its centre and axes: the views of the page */
  syn_report_body bodies[BODIES];
  syn_report_motion motions[PLANS];
  syn_report_field fields[PLANS];
  syn_report_vectors vectors[PLANS];
  syn_report_table tables[MOST_TABLES];
  syn_report_marker markers[PLANS * MARKERS];
  syn_report_input inputs[2];
  const char *summary[PLANS];
} writing;

#define text(w, ...) syn_filled_text(&(w)->arena, __VA_ARGS__)

static const char *const names[PLANS] = {"before", "after"};
static const char *const labels[PLANS] = {"As planned", "Best nearby"};

static const char *quantity(writing *w, double value, const char *unit) {
  char room[96];
  return text(w, "%s", syn_shown_quantity(value, unit, room));
}

/* ---- motions ------------------------------------------------------------------------------------------------------
 */

static double value_of(const syn_graft_row *r, size_t curve) {
  const double values[CURVES] = {r->femur_mpa, r->middle_mpa,      r->tibia_mpa,      r->outlets_mm,
                                 r->length_mm, r->femur_touch_mm2, r->tibia_touch_mm2};
  return values[curve];
}

static const syn_report_curve shown[CURVES] = {{"femur_end", "Greatest stress, quarter at the femur", "MPa", NULL},
                                               {"middle", "Greatest stress, middle half", "MPa", NULL},
                                               {"tibia_end", "Greatest stress, quarter at the tibia", "MPa", NULL},
                                               {"outlets", "Distance of the outlets", "mm", NULL},
                                               {"length", "Length of the middle line", "mm", NULL},
                                               {"femur_touch", "Touches the femur", "mm²", NULL},
                                               {"tibia_touch", "Touches the tibia", "mm²", NULL}};

static syn_status fill_motion(writing *w, size_t p, syn_error *error) {
  const syn_graft_plan *plan = w->plans[p];
  syn_report_curve *curves;
  syn_pose *poses;
  double *along, *values;
  SYN_TRY(SYN_TAKE(&w->arena, &curves, CURVES, error));
  SYN_TRY(SYN_TAKE(&w->arena, &poses, plan->row_count, error));
  SYN_TRY(SYN_TAKE(&w->arena, &along, plan->row_count, error));
  SYN_TRY(SYN_TAKE(&w->arena, &values, CURVES * plan->row_count, error));
  for (size_t i = 0; i < plan->row_count; ++i) {
    along[i] = plan->rows[i].flexion * SYN_RADIAN;
    poses[i] = plan->rows[i].tibia;
    for (size_t k = 0; k < CURVES; ++k) values[k * plan->row_count + i] = value_of(&plan->rows[i], k);
  }
  for (size_t k = 0; k < CURVES; ++k) {
    curves[k] = shown[k];
    curves[k].values = values + k * plan->row_count;
  }
  w->motions[p] = (syn_report_motion){.name = names[p],
                                      .label = labels[p],
                                      .poses = poses,
                                      .pose_count = plan->row_count,
                                      .along_label = "Flexion",
                                      .along_unit = "°",
                                      .along = along,
                                      .curves = curves,
                                      .curve_count = CURVES};
  return SYN_OK;
}

/* One body for both plans, since their surfaces have the same triangles: it is the planned graft at rest, and goes from
 * there to where either plan has it. Fields of one name and different motions are one field to a reader. */
static syn_status deform(writing *w, size_t p, syn_error *error) {
  const syn_graft_plan *plan = w->plans[p];
  const syn_trimesh *rest = w->plans[0]->surface;
  const uint32_t vertices = rest->vertex_count;
  const char *motion = plan->row_count > 1 ? names[p] : NULL;
  syn_vec3 *way;
  SYN_TRY(SYN_TAKE(&w->arena, &way, plan->row_count * vertices, error));
  for (size_t i = 0; i < plan->row_count * vertices; ++i)
    way[i] = vec3_sub(plan->places[i], rest->vertices[i % vertices]);
  w->fields[p] = (syn_report_field){.name = "stress",
                                    .label = "Stress",
                                    .unit = "MPa",
                                    .values = plan->stress_mpa,
                                    .steps = plan->row_count,
                                    .motion = motion};
  w->vectors[p] = (syn_report_vectors){.name = "displacement",
                                       .label = "Displacement",
                                       .unit = "mm",
                                       .values = way,
                                       .steps = plan->row_count,
                                       .motion = motion,
                                       .displaces = true};
  return SYN_OK;
}

/* ---- bodies -------------------------------------------------------------------------------------------------------
 */

static void fill_bodies(writing *w) {
  static const char *const bones[] = {"femur", "tibia"}, *const capitals[] = {"Femur", "Tibia"};
  for (int b = 0; b < 2; ++b)
    w->bodies[b] = (syn_report_body){
        .body = {.name = bones[b], .tissue = SYN_TISSUE_BONE, .moves = b == 1, .surface = w->bones[b]},
        .label = capitals[b]};
  w->bodies[2] =
      (syn_report_body){.body = {.name = "graft", .tissue = SYN_TISSUE_LIGAMENT, .surface = w->plans[0]->surface},
                        .label = "Graft",
                        .fields = w->fields,
                        .field_count = w->plan_count,
                        .vectors = w->vectors,
                        .vector_count = w->plan_count};
  for (size_t p = 0; p < w->plan_count; ++p)
    for (int b = 0; b < 2; ++b)
      w->markers[w->report.marker_count++] =
          (syn_report_marker){.name = text(w, "%s_%s", bones[b], names[p]),
                              .label = text(w, "Outlet on the %s, %s", bones[b], p ? "best" : "planned"),
                              .body = bones[b],
                              .point = b ? w->plans[p]->tunnels.tibia : w->plans[p]->tunnels.femur,
                              .confidence = 1};
  w->report.bodies = w->bodies;
  w->report.body_count = BODIES;
  w->report.markers = w->markers;
}

/* Seen along the axis of flexion and those across it, about the middle of the graft. */
static void fill_axes(writing *w) {
  static const char *const directions[SYN_JOINT_AXES][2] = {
      {"extension", "flexion"}, {"adduction", "abduction"}, {"internal_rotation", "external_rotation"}};
  const syn_graft_row *first = &w->plans[0]->rows[0];
  const syn_graft_tunnels *tunnels = &w->plans[0]->tunnels;
  const syn_vec3 right = vec3_neg(vec3_unit(w->graft->axis)), along = w->graft->long_axis,
                 up = vec3_unit(vec3_madd(along, -vec3_dot(along, right), right));
  if (!(vec3_length2(up) > 0.5)) return; /* it bends about its own length: seen along the axes of the meshes */
  w->joint = (syn_joint){.name = "knee",
                         .kind = "knee",
                         .side_unknown = true,
                         .has_center = true,
                         .has_axes = true,
                         .center = vec3_lerp(tunnels->femur, syn_pose_point(&first->tibia, tunnels->tibia), 0.5),
                         .axes = {right, vec3_cross(up, right), up}};
  memcpy(w->joint.directions, directions, sizeof directions);
  w->report.joint = &w->joint;
}

/* ---- words and tables ---------------------------------------------------------------------------------------------
 */

static const char *plan_sentence(writing *w, size_t p) {
  const syn_graft_plan *plan = w->plans[p];
  const char *outlets = text(w, "the outlets' distance varies by %s", quantity(w, plan->isometry_mm, "mm"));
  const char *most = text(w, "%s at %s of flexion, %.0f %% of the way to the tibia", quantity(w, plan->peak_mpa, "MPa"),
                          quantity(w, plan->peak_flexion * SYN_RADIAN, "°"), 100 * plan->peak_at);
  if (!isfinite(plan->failure))
    return text(w, "%s: the graft does not tear; its greatest stress is %s; %s.", labels[p], most, outlets);
  return text(w, "%s: the graft tears at %s of flexion, where its stress exceeds %s (greatest one: %s); %s.", labels[p],
              quantity(w, plan->failure * SYN_RADIAN, "°"), quantity(w, w->graft->failure_mpa, "MPa"), most, outlets);
}

typedef struct compared {
  const char *label, *unit;
  double (*of)(const syn_graft_plan *plan);
} compared;
#define OF(NAME, VALUE)                                                                                                \
  static double NAME##_of(const syn_graft_plan *plan) { return VALUE; }
OF(rest, plan->rest_mm)
OF(isometry, plan->isometry_mm)
OF(strain, 100 * plan->strain)
OF(slack, plan->slack_mm)
OF(peak, plan->peak_mpa)
OF(failure, plan->failure *SYN_RADIAN)
static const compared quantities[] = {{"Length at rest", "mm", rest_of},
                                      {"The outlets' distance varies by", "mm", isometry_of},
                                      {"Greatest stretch of a straight fibre", "%", strain_of},
                                      {"Slack", "mm", slack_of},
                                      {"Greatest stress", "MPa", peak_of},
                                      {"Tears at", "°", failure_of}};
enum { COMPARED = sizeof quantities / sizeof *quantities };

static syn_status fill_comparison(writing *w, syn_report_table *table, syn_error *error) {
  static const syn_report_column columns[] = {
      {"what", "", "", false}, {"before", "As planned", "", false}, {"after", "Best nearby", "", false}};
  const size_t width = 1 + w->plan_count;
  syn_report_cell *cells;
  SYN_TRY(SYN_TAKE(&w->arena, &cells, width * COMPARED, error));
  for (size_t i = 0; i < COMPARED; ++i) {
    cells[i * width] = syn_filled_words(quantities[i].label);
    for (size_t p = 0; p < w->plan_count; ++p)
      cells[i * width + 1 + p] = syn_filled_words(quantity(w, quantities[i].of(w->plans[p]), quantities[i].unit));
  }
  *table = (syn_report_table){"plans", "The tunnels", NULL, columns, width, COMPARED, cells, NULL};
  return SYN_OK;
}

static syn_status fill_rows(writing *w, size_t p, syn_report_table *table, syn_error *error) {
  const syn_graft_plan *plan = w->plans[p];
  syn_report_column *columns;
  syn_report_cell *cells;
  enum { WIDTH = CURVES + 1 };
  SYN_TRY(SYN_TAKE(&w->arena, &columns, WIDTH, error));
  SYN_TRY(SYN_TAKE(&w->arena, &cells, WIDTH * plan->row_count, error));
  columns[0] = (syn_report_column){"flexion", "Flexion", "", false};
  for (size_t k = 0; k < CURVES; ++k)
    columns[k + 1] = (syn_report_column){shown[k].name, shown[k].label, shown[k].unit, true};
  for (size_t i = 0; i < plan->row_count; ++i) {
    /* a step of 1.5 degrees is not a whole one */
    cells[i * WIDTH] = syn_filled_words(text(w, "%.4g°", plan->rows[i].flexion * SYN_RADIAN));
    for (size_t k = 0; k < CURVES; ++k) cells[i * WIDTH + k + 1] = syn_filled_number(value_of(&plan->rows[i], k));
  }
  *table = (syn_report_table){names[p], labels[p], NULL, columns, WIDTH, plan->row_count, cells, NULL};
  return SYN_OK;
}

static syn_status fill_notes(writing *w, const syn_provenance *provenance, syn_error *error) {
  const char **notes;
  size_t count = 0;
  SYN_TRY(syn_arena_take(&w->arena, provenance->warning_count + 3, sizeof *notes, (void **)&notes, error));
  for (size_t i = 0; i < provenance->warning_count; ++i)
    notes[count++] = syn_filled_sentence(&w->arena, provenance->warnings[i]);
  if (w->plan_count > 1) notes[count++] = "Displacements of both grafts are from the planned one at rest.";
  notes[count++] = "Contact of graft and bones is measured, not resisted.";
  notes[count++] = "The ends are clamped as flat faces, which turn against each other by the whole flexion; a real "
                   "graft bends at the edge of its tunnel. Stresses there are upper bounds.";
  w->report.notes = notes;
  w->report.note_count = count;
  return SYN_OK;
}

/* ---- the page -----------------------------------------------------------------------------------------------------
 */

static syn_status fill(writing *w, const char *const *files, const char *title, const syn_provenance *provenance,
                       syn_error *error) {
  syn_filled_head(&w->report, "surgery", title ? title : "Graft", NULL, provenance);
  w->report.subtitle = "Knee, graft for a torn cruciate ligament";
  for (size_t p = 0; p < w->plan_count; ++p) {
    w->summary[p] = plan_sentence(w, p);
    SYN_TRY(fill_motion(w, p, error));
    SYN_TRY(deform(w, p, error));
    SYN_TRY(fill_rows(w, p, &w->tables[1 + p], error));
  }
  fill_bodies(w);
  fill_axes(w);
  SYN_TRY(fill_comparison(w, &w->tables[0], error));
  SYN_TRY(fill_notes(w, provenance, error));
  for (int b = 0; files && b < 2; ++b)
    SYN_TRY(syn_filled_input(&w->arena, files[b], w->bones[b], &w->inputs[w->report.input_count++], error));
  w->report.summary = w->summary;
  w->report.motions = w->motions;
  w->report.tables = w->tables;
  w->report.inputs = w->inputs;
  w->report.summary_count = w->report.motion_count = w->plan_count;
  w->report.table_count = 1 + w->plan_count;
  return syn_arena_check(&w->arena, error);
}

static syn_status write_both(writing *w, const char *hidden, syn_outbox *outbox, syn_error *error) {
  const char *page = text(w, "%s/report.html", hidden), *table = text(w, "%s/graft.csv", hidden);
  SYN_TRY(syn_arena_check(&w->arena, error));
  SYN_TRY(syn_report_write(w->arena.context, &w->report, NULL, page, error));
  SYN_TRY(syn_outbox_add(outbox, page, error));
  syn_context named = *syn_context_or_default(w->arena.context);
  named.title = w->report.title;
  SYN_TRY(syn_graft_write_csv(&named, w->graft, table, error));
  return syn_outbox_add(outbox, table, error);
}

syn_status syn_graft_stage(const syn_context *context, const syn_graft *graft, const char *const *files,
                           const char *title, const syn_provenance *provenance, syn_outbox *outbox, const char *folder,
                           syn_error *error) {
  writing w = {.graft = graft,
               .bones = {graft->femur, graft->tibia},
               .plans = {&graft->before, &graft->after},
               .plan_count = graft->searched ? 2 : 1,
               .arena = {.context = context}};
  const char *hidden;
  SYN_TRY(syn_outbox_stage(outbox, folder, &hidden, error));
  syn_status status = fill(&w, files, title, syn_filled_provenance(provenance), error);
  if (status == SYN_OK) status = write_both(&w, hidden, outbox, error);
  syn_arena_release(&w.arena);
  return status;
}
