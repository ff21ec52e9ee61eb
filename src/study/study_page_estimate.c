/* Estimates pressure from shape within a study: each case from all others (Arbabi 2009, §4.5). */
#include <math.h>
#include <string.h>

#include "clinic/hip.h"
#include "study/study_page_number.h"
#include <synovia/pressure.h>

typedef struct estimate {
  syn_study_page *page;
  const syn_plan_number *number;
  size_t count;  /* number of cases included */
  size_t *cells; /* of the grid, and */
  size_t *cases; /* their cases */
  size_t steps;  /* common to all of them, up to the end of the motion that counts */
} estimate;

static const json_t *pressure_of(const syn_study_page *page, size_t i) {
  return json_object_get(json_object_get(page->content->answers[i], "result"), "pressure");
}

static double number_in(const json_t *result, const char *list, size_t step) {
  return json_number_value(json_array_get(json_object_get(result, list), step));
}

/* Chooses the cases whose motion reached this point, except cells without a published value. */
static syn_status choose_cases(estimate *e, const syn_plan_grid *grid, const double *published, syn_error *error) {
  SYN_TRY(SYN_TAKE(&e->page->arena, &e->cells, plan_cells(grid), error));
  SYN_TRY(SYN_TAKE(&e->page->arena, &e->cases, plan_cells(grid), error));
  e->steps = SIZE_MAX;
  for (size_t k = 0; k < plan_cells(grid); ++k) {
    const size_t i = syn_plan_case_at(e->page, grid, k);
    const double until = e->number->until ? e->number->until[k] : 1;
    if (i == SIZE_MAX || (published && isnan(published[k]))) continue;
    const json_t *result = pressure_of(e->page, i);
    if (!(json_number_value(json_object_get(result, "reached_percent")) > 100 * until - 0.01)) continue;
    const size_t all = json_array_size(json_object_get(result, "at"));
    size_t reached = 0;
    while (reached < all && number_in(result, "at", reached) < until + 1e-9) ++reached;
    e->steps = reached < e->steps ? reached : e->steps;
    e->cells[e->count] = k;
    e->cases[e->count++] = i;
  }
  return SYN_OK;
}

/* Generates the shape of a case again and computes its features. */
static syn_status find_features(syn_study_page *page, size_t i, double *features, syn_error *error) {
  const syn_study_case *it = &page->content->shown.study->cases[i];
  syn_context silent = *syn_context_or_default(page->content->context);
  syn_joint *shape;
  syn_hip hip = {.side = SYN_SIDE_RIGHT};
  silent.warn = NULL;
  SYN_TRY(syn_shape_create(&silent, it->shape, it->values, it->value_count, &shape, error));
  for (size_t k = 0; k < shape->body_count; ++k) {
    const syn_hip_part part = syn_hip_part_of_body(&shape->bodies[k]);
    if (part != SYN_HIP_PARTS) hip.parts[part] = shape->bodies[k].surface;
  }
  hip.center = shape->center;
  hip.pelvis_axes = hip.femur_axes = shape->axes;
  const syn_status status = syn_pressure_features(&silent, &hip, features, error);
  syn_joint_destroy(shape);
  return status;
}

/* Computes features once for all tables of the page. */
static syn_status features_of(syn_study_page *page, size_t i, const double **features, syn_error *error) {
  const size_t cases = page->content->shown.study->case_count;
  if (!page->features) {
    SYN_TRY(SYN_TAKE(&page->arena, &page->features, cases, error));
    memset((void *)page->features, 0, cases * sizeof *page->features);
  }
  if (!page->features[i]) {
    double *made;
    SYN_TRY(SYN_TAKE(&page->arena, &made, SYN_PRESSURE_FEATURES, error));
    SYN_TRY(find_features(page, i, made, error));
    page->features[i] = made;
  }
  *features = page->features[i];
  return SYN_OK;
}

static syn_status train_model(const estimate *e, syn_pressure_model **model, syn_error *error) {
  syn_arena *arena = &e->page->arena;
  const json_t *result = pressure_of(e->page, e->cases[0]);
  const char **names, *method = json_string_value(json_object_get(result, "method"));
  double *chosen, *at;
  const double *features;
  syn_pressure_value *values;
  SYN_TRY(SYN_TAKE(arena, &names, e->count, error));
  SYN_TRY(SYN_TAKE(arena, &chosen, e->count * SYN_PRESSURE_FEATURES, error));
  SYN_TRY(SYN_TAKE(arena, &at, e->steps, error));
  SYN_TRY(SYN_TAKE(arena, &values, e->count * e->steps, error));
  /* Gather the features of each case, and its pressures at the common steps. */
  for (size_t k = 0; k < e->count; ++k) {
    result = pressure_of(e->page, e->cases[k]);
    names[k] = e->page->content->shown.study->cases[e->cases[k]].name;
    SYN_TRY(features_of(e->page, e->cases[k], &features, error));
    memcpy(chosen + k * SYN_PRESSURE_FEATURES, features, SYN_PRESSURE_FEATURES * sizeof *chosen);
    for (size_t s = 0; s < e->steps; ++s) {
      at[s] = number_in(result, "at", s);
      values[k * e->steps + s] = (syn_pressure_value){.peak_mpa = number_in(result, "peaks_mpa", s),
                                                      .mean_mpa = number_in(result, "means_mpa", s),
                                                      .area_mm2 = number_in(result, "areas_mm2", s)};
    }
  }
  /* Train the model on all cases. */
  const syn_pressure_model given = {.motion = "stand_to_sit",
                                    .pressure_by = method ? method : "",
                                    .hip_count = e->count,
                                    .step_count = e->steps,
                                    .names = names,
                                    .at = at,
                                    .features = chosen,
                                    .values = values};
  return syn_pressure_model_train(e->page->content->context, &given, model, error);
}

syn_status syn_plan_estimate(syn_study_page *page, const syn_plan_grid *grid, const syn_plan_number *number,
                             const double *published, double *errors, syn_error *error) {
  estimate e = {.page = page, .number = number};
  syn_pressure_model *model;
  double *found;
  for (size_t k = 0; k < plan_cells(grid); ++k) errors[k] = NAN;
  SYN_TRY(choose_cases(&e, grid, published, error));
  if (e.count < 3 || e.steps < 2) return SYN_OK;
  SYN_TRY(SYN_TAKE(&page->arena, &found, e.count, error));
  SYN_TRY(train_model(&e, &model, error));
  const syn_status status = syn_pressure_model_leave_one_out(model, number->components, NULL, found, error);
  for (size_t k = 0; status == SYN_OK && k < e.count; ++k) errors[e.cells[k]] = found[k];
  syn_pressure_model_destroy(model);
  return status;
}
