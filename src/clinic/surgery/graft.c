/* Plans a graft for a torn cruciate ligament: options, the search for better tunnels, and the fields of its results. */
#include <math.h>
#include <string.h>

#include <synovia/collide.h>
#include <synovia/motion.h>

#include "base/vec.h"
#include "clinic/surgery/graft.h"
#include "motion/recording.h"
#include "result/record_csv.h"
#include "result/value.h"

syn_graft_options syn_default_graft_options(void) {
  syn_soft_options tissue = syn_default_soft_options();
  tissue.law = SYN_LAW_FIBRES;
  tissue.material = (syn_material){.young_mpa = 11, .poisson = 0.49, .density_kg_m3 = 1055};
  tissue.fibre_mpa = 225;
  tissue.bulk_mpa = 0.3;
  tissue.connectivity_mpa = 0.004;
  tissue.vdm_solver = SYN_VDM_NONLINEAR;
  return (syn_graft_options){.width_mm = 10,
                             .height_mm = 5,
                             .cells = {4, 2, 10},
                             .femur_outlet = {NAN, NAN, NAN},
                             .tibia_outlet = {NAN, NAN, NAN},
                             .model = "fem",
                             .tissue = tissue,
                             .failure_mpa = 39.6,
                             .axis = {0, 0, -1},
                             .long_axis = {0, 1, 0},
                             .to = SYN_PI / 2,
                             .step = SYN_PI / 120,
                             .touch_mm = 0.5,
                             .search_mm = 5,
                             .slack_mm = 3,
                             .cookie = SYN_COOKIE};
}

syn_status syn_graft_hinge_find(const syn_context *context, const char *motion, const char *femur, const char *tibia,
                                syn_graft_options *options, syn_error *error) {
  syn_motion_center found;
  SYN_TRY(SYN_CHECK_OPTIONS(options, syn_default_graft_options, error));
  SYN_TRY(syn_motion_center_read(context, motion, tibia, femur, 1000, &found, error));
  if (!found.has_axis)
    return syn_fail(error, SYN_BAD_ARGUMENT, "the motion turns too little to have an axis: give axis and centre");
  options->axis = vec3_dot(found.axis, options->axis) < 0 ? vec3_neg(found.axis) : found.axis;
  options->center = found.axis_point;
  return SYN_OK;
}

static syn_status check_options(const syn_graft_options *o, syn_error *error) {
  SYN_TRY(SYN_CHECK_OPTIONS(o, syn_default_graft_options, error));
  if (!(o->width_mm > 0 && o->height_mm > 0 && o->length_mm >= 0 && isfinite(o->length_mm)))
    return syn_fail(error, SYN_BAD_ARGUMENT, "width and height of the graft must be above 0 mm");
  if (!(o->taper >= 0 && o->taper <= 0.8))
    return syn_fail(error, SYN_BAD_ARGUMENT, "the taper of the graft must be 0 to 0.8, not %g", o->taper);
  if (!(o->cells[0] && o->cells[1] && o->cells[2] > 1) || (double)o->cells[0] * o->cells[1] * o->cells[2] > 1e5)
    return syn_fail(error, SYN_BAD_ARGUMENT, "the graft needs cells across and two or more along, 100,000 at most");
  if (!(o->step > 0 && o->to >= o->from && o->to - o->from <= 1e4 * o->step))
    return syn_fail(error, SYN_BAD_ARGUMENT, "the knee must bend in positive steps, 10,000 at most");
  if (!vec3_finite(o->center) || !(vec3_length2(o->axis) > 0) || !(vec3_length2(o->long_axis) > 0) ||
      !isfinite(o->rotation))
    return syn_fail(error, SYN_BAD_ARGUMENT, "the hinge of the knee needs a centre and an axis");
  if (!(o->failure_mpa > 0 && o->touch_mm >= 0 && o->search_mm >= 0 && isfinite(o->search_mm) && o->slack_mm >= 0))
    return syn_fail(error, SYN_BAD_ARGUMENT, "failure stress, distance of touch and of the search must be positive");
  if (strcmp(o->model, "fem") != 0 && strcmp(o->model, "vdm") != 0)
    return syn_fail(error, SYN_BAD_ARGUMENT, "a graft is of the model fem or vdm, not '%.40s'", o->model);
  return SYN_OK;
}

/* ---- the search -------------------------------------------------------------------------------------------------- */

static syn_status onto_bones(const syn_graft_bones *bones, syn_graft_tunnels *tunnels, syn_error *error) {
  syn_surface_point point;
  if (syn_surface_nearest(bones->femur, &tunnels->femur, 1, &point) != SYN_OK)
    return syn_fail(error, SYN_BAD_ARGUMENT, "the outlet on the femur is not a point");
  tunnels->femur = point.point;
  if (syn_surface_nearest(bones->tibia, &tunnels->tibia, 1, &point) != SYN_OK)
    return syn_fail(error, SYN_BAD_ARGUMENT, "the outlet on the tibia is not a point");
  tunnels->tibia = point.point;
  return SYN_OK;
}

/* The objective of the search: slack beyond the allowed amount counts as much as stretch. */
static double cost_of(const syn_graft_options *options, double strain, double slack_mm, double length_mm) {
  return strain + fmax(0, slack_mm - options->slack_mm) / length_mm;
}

/* Moves one outlet by a step along an axis, back onto its bone, no farther than allowed. */
static bool try_step(const syn_graft_options *options, const syn_graft_bones *bones, const syn_graft_tunnels *begin,
                     int move, double step, syn_graft_tunnels *best, double *least) {
  syn_graft_tunnels there = *best;
  syn_vec3 *outlet = move / 6 ? &there.tibia : &there.femur;
  double *const coordinates[3] = {&outlet->x, &outlet->y, &outlet->z};
  *coordinates[move / 2 % 3] += move % 2 ? -step : step;
  syn_graft_frame frame;
  if (onto_bones(bones, &there, NULL) != SYN_OK || vec3_distance(there.femur, begin->femur) > options->search_mm ||
      vec3_distance(there.tibia, begin->tibia) > options->search_mm ||
      syn_graft_frame_of(options, &there, &frame, NULL) != SYN_OK)
    return false;
  double slack_mm;
  const double strain = syn_graft_strain(options, &frame, &slack_mm);
  const double cost = cost_of(options, strain, slack_mm, frame.length_mm);
  if (!(cost < *least - 1e-12)) return false;
  *least = cost;
  *best = there;
  return true;
}

/* Pattern search: steps along the axes while they improve the cost, then half as long ones. */
static syn_graft_tunnels search(const syn_graft_options *options, const syn_graft_bones *bones,
                                const syn_graft_plan *begin) {
  const syn_graft_tunnels from = syn_graft_tunnels_of(begin);
  syn_graft_tunnels best = from;
  double least = cost_of(options, begin->strain, begin->slack_mm, begin->rest_mm);
  for (double step = options->search_mm / 2; step > 0.05; step /= 2)
    for (int round = 0; round < 50; ++round) {
      bool better = false;
      for (int move = 0; move < 12; ++move) better |= try_step(options, bones, &from, move, step, &best, &least);
      if (!better) break;
    }
  return best;
}

/* Straight fibres do not show how the graft bends at its ends: the best tunnels found with them, their neighbours, and
 * the requested ones are compared by the max stress of the whole graft. Angles are coarser by this factor. */
static const double coarser = 5;

typedef struct contest {
  const syn_graft_options *options;
  const syn_graft_bones *bones;
  const syn_context *context;
  syn_graft_tunnels best;
  double least_mpa;
} contest;

/* Tunnels with which the graft is too slack, or has no equilibrium, are excluded. */
static syn_status compete(contest *c, syn_graft_tunnels tunnels, bool allow_slack, syn_error *error) {
  syn_graft_options some = *c->options;
  syn_graft_plan plan = {.femur_outlet = tunnels.femur, .tibia_outlet = tunnels.tibia};
  some.step *= coarser;
  some.go_on = true;
  const syn_status status = syn_graft_run(c->context, &some, c->bones, "comparing tunnels", &plan, error);
  syn_graft_plan_release(c->context, &plan);
  if (status == SYN_NOT_CONVERGED || status == SYN_BAD_ARGUMENT) return SYN_OK;
  SYN_TRY(status);
  if (!(plan.peak_mpa < c->least_mpa) || (!allow_slack && plan.slack_mm > c->options->slack_mm)) return SYN_OK;
  c->least_mpa = plan.peak_mpa;
  c->best = tunnels;
  return SYN_OK;
}

static syn_status find_least_stress(const syn_context *context, const syn_graft_options *options,
                                    const syn_graft_bones *bones, const syn_graft_plan *begin,
                                    syn_graft_tunnels *tunnels, syn_error *error) {
  const syn_graft_tunnels middle = search(options, bones, begin);
  contest c = {options, bones, context, middle, INFINITY};
  SYN_TRY(compete(&c, middle, true, error));
  SYN_TRY(compete(&c, syn_graft_tunnels_of(begin), true, error));
  for (int move = 0; move < 12; ++move) {
    syn_graft_tunnels there = middle;
    syn_vec3 *outlet = move / 6 ? &there.tibia : &there.femur;
    double *const coordinates[3] = {&outlet->x, &outlet->y, &outlet->z};
    *coordinates[move / 2 % 3] += (move % 2 ? -0.25 : 0.25) * options->search_mm;
    if (onto_bones(bones, &there, NULL) != SYN_OK ||
        vec3_distance(there.femur, begin->femur_outlet) > options->search_mm ||
        vec3_distance(there.tibia, begin->tibia_outlet) > options->search_mm)
      continue;
    SYN_TRY(compete(&c, there, false, error));
  }
  *tunnels = c.best;
  return SYN_OK;
}

/* ---- all together ------------------------------------------------------------------------------------------------ */

static void release_graft(void *result) {
  syn_graft *graft = result;
  syn_graft_plan_release(graft->result.context, &graft->before);
  syn_graft_plan_release(graft->result.context, &graft->after);
  syn_trimesh_destroy(graft->femur);
  syn_trimesh_destroy(graft->tibia);
  syn_free(graft->result.context, graft);
}

static void take_outlets(syn_graft_tunnels tunnels, syn_graft_plan *plan) {
  plan->femur_outlet = tunnels.femur;
  plan->tibia_outlet = tunnels.tibia;
}

static syn_status simulate(const syn_graft_options *options, const syn_graft_bones *bones, syn_graft *graft,
                           syn_error *error) {
  syn_graft_tunnels tunnels = {options->femur_outlet, options->tibia_outlet};
  SYN_TRY(onto_bones(bones, &tunnels, error));
  take_outlets(tunnels, &graft->before);
  SYN_TRY(syn_graft_run(graft->result.context, options, bones, "graft", &graft->before, error));
  if (options->search_mm == 0) return SYN_OK;
  SYN_TRY(find_least_stress(graft->result.context, options, bones, &graft->before, &tunnels, error));
  take_outlets(tunnels, &graft->after);
  graft->searched = true;
  return syn_graft_run(graft->result.context, options, bones, "graft with the best tunnels", &graft->after, error);
}

syn_status syn_graft_create(const syn_context *context, const syn_trimesh *femur, const syn_trimesh *tibia,
                            const syn_graft_options *options, syn_graft **graft, syn_error *error) {
  *graft = NULL;
  const syn_graft_options standard = syn_default_graft_options();
  if (!options) options = &standard;
  SYN_TRY(syn_check_context(context, error));
  SYN_TRY(check_options(options, error));
  if (strcmp(options->model, "vdm") == 0)
    syn_warn(context, "stresses of the volume distribution method are not those at which tissue tears: ask finite "
                      "elements (model fem) whether the graft does");
  syn_graft_bones bones = {0};
  syn_graft *made = NULL;
  syn_status status = syn_surface_create(femur, &bones.femur, error);
  if (!status) status = syn_surface_create(tibia, &bones.tibia, error);
  if (!status) status = SYN_NEW_ZEROED(context, &made, 1, error);
  if (!status) made->result = (syn_result){&syn_graft_record, context};
  if (!status) status = syn_trimesh_share(femur, &made->femur, error);
  if (!status) status = syn_trimesh_share(tibia, &made->tibia, error);
  if (!status) {
    made->failure_mpa = options->failure_mpa;
    made->axis = options->axis;
    made->long_axis = options->long_axis;
    status = simulate(options, &bones, made, error);
  }
  syn_surface_destroy(bones.femur);
  syn_surface_destroy(bones.tibia);
  if (status) {
    syn_result_destroy(made);
    return status;
  }
  *graft = made;
  return SYN_OK;
}

/* ---- fields ------------------------------------------------------------------------------------------------------ */

GET(row_volume, syn_graft_row, value_real(100 * (at->volume - 1)))
static const syn_result_field row_fields[] = {
    ANGLE(syn_graft_row, flexion, "flexion_deg", "Flexion", PRINTED),
    MEMBER(syn_graft_row, outlets_mm, "outlets_mm", "Distance of the outlets", "mm", FILE_ONLY),
    MEMBER(syn_graft_row, length_mm, "length_mm", "Length of the middle line", "mm", PRINTED),
    FIELD(REAL, "volume_change_percent", "Change of volume", "percent", PRINTED, row_volume),
    MEMBER(syn_graft_row, peak_mpa, "peak_mpa", "Greatest stress", "MPa", FILE_ONLY),
    MEMBER(syn_graft_row, peak_at, "peak_at", "Its place: 0 femur, 1 tibia", "", FILE_ONLY),
    MEMBER(syn_graft_row, femur_mpa, "femur_end_mpa", "Greatest stress in the first quarter", "MPa", PRINTED),
    MEMBER(syn_graft_row, middle_mpa, "middle_mpa", "Greatest stress in the middle half", "MPa", PRINTED),
    MEMBER(syn_graft_row, tibia_mpa, "tibia_end_mpa", "Greatest stress in the last quarter", "MPa", PRINTED),
    MEMBER(syn_graft_row, femur_touch_mm2, "femur_touch_mm2", "Touches the femur", "mm²", PRINTED),
    MEMBER(syn_graft_row, tibia_touch_mm2, "tibia_touch_mm2", "Touches the tibia", "mm²", PRINTED)};
const syn_record syn_graft_row_record = RECORD_OF(syn_graft_row, "rows", row_fields);

static const syn_result_field plan_fields[] = {
    MEMBER(syn_graft_plan, femur_outlet, "femur", "Outlet on the femur", "mm", FILE_ONLY),
    MEMBER(syn_graft_plan, tibia_outlet, "tibia", "Outlet on the tibia", "mm", FILE_ONLY),
    MEMBER(syn_graft_plan, rest_mm, "rest_mm", "Length at rest", "mm", FILE_ONLY),
    MEMBER(syn_graft_plan, isometry_mm, "isometry_mm", "The outlets' distance varies by", "mm", FILE_ONLY),
    MEMBER(syn_graft_plan, strain, "strain_percent", "Greatest stretch of a straight fibre", "percent", FILE_ONLY,
           .factor = 100),
    MEMBER(syn_graft_plan, slack_mm, "slack_mm", "Slack", "mm", FILE_ONLY),
    MEMBER(syn_graft_plan, peak_mpa, "peak_mpa", "Greatest stress", "MPa", FILE_ONLY),
    ANGLE(syn_graft_plan, peak_flexion, "peak_flexion_deg", "at", FILE_ONLY),
    MEMBER(syn_graft_plan, peak_at, "peak_at", "Its place: 0 femur, 1 tibia", "", FILE_ONLY),
    ANGLE(syn_graft_plan, failure, "failure_deg", "Tears at", FILE_ONLY),
    LIST_OF(syn_graft_plan, rows, row_count, syn_graft_row_record, "rows", "Angles", FILE_ONLY)};
const syn_record syn_graft_plan_record = RECORD_OF(syn_graft_plan, "plan", plan_fields);

static const syn_result_field graft_fields[] = {
    MEMBER(syn_graft, failure_mpa, "failure_mpa", "Stress at which it tears", "MPa", FILE_ONLY),
    PART(syn_graft, before, syn_graft_plan_record, "before", "Tunnels as planned", FILE_ONLY),
    PART(syn_graft, after, syn_graft_plan_record, "after", "Best tunnels nearby", FILE_ONLY,
         KNOWN_IF(syn_graft, searched))};
const syn_record syn_graft_record = RESULT_OF(syn_graft, "graft", graft_fields, release_graft);

/* ---- as a table -------------------------------------------------------------------------------------------------- */

static size_t count_graft_rows(const void *graft) {
  const syn_graft *g = graft;
  return g->before.row_count + (g->searched ? g->after.row_count : 0);
}

static void put_graft_row(syn_csv *to, const void *graft, size_t row) {
  static const syn_csv_column of_row[] = {
      {"flexion_deg", NULL, 6},           {"outlets_mm", NULL, 0},     {"length_mm", NULL, 0},
      {"volume_change_percent", NULL, 0}, {"peak_mpa", NULL, 0},       {"peak_at", NULL, 0},
      {"femur_end_mpa", NULL, 0},         {"middle_mpa", NULL, 0},     {"tibia_end_mpa", NULL, 0},
      {"femur_touch_mm2", NULL, 0},       {"tibia_touch_mm2", NULL, 0}};
  const syn_graft *g = graft;
  const bool is_after = row >= g->before.row_count;
  syn_csv_put_text(to, "tunnels", is_after ? "after" : "before");
  syn_csv_put(to, "", &syn_graft_row_record, of_row, 11, is_after ? g->after.rows : g->before.rows,
              is_after ? row - g->before.row_count : row);
}
const syn_csv_table syn_graft_csv = {count_graft_rows, put_graft_row};
