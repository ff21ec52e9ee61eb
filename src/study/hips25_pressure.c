/* Contact pressure in the 25 published hips beside Arbabi 2009: Tables 8 and 9 (correlation of depths with von Mises
 * stress, cell by cell with p), Table 11 (how far the finite elements went), Tables 12 and 13 (pressure from shape,
 * each hip estimated from the others). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study/study_page.h"
#include "study/study_pressure.h"

enum { CES = 5, ALPHAS = 5, HIPS = CES * ALPHAS, COMPONENTS = 10 };

typedef double table[CES][ALPHAS]; /* rows CE 0 to 40, columns alpha 40 to 80; NAN: no penetration, or left out */

#define NP NAN
static const table curvilinear_r = {{NP, NP, NP, NP, 0.85},
                                    {NP, NP, NP, 0.83, 0.89},
                                    {NP, NP, 0.89, 0.91, 0.89},
                                    {NP, 0.90, 0.95, 0.90, 0.91},
                                    {0.97, 0.96, 0.93, 0.88, 0.95}};
static const table radial_r = {{NP, NP, NP, NP, 0.83},
                               {0.31, 0.34, 0.39, 0.83, 0.90},
                               {0.60, 0.61, 0.89, 0.95, 0.91},
                               {0.58, 0.90, 0.97, 0.97, 0.93},
                               {0.97, 0.97, 0.96, 0.97, 0.96}};
static const table reached_percent = {{100, 100, 100, 100, 100},
                                      {100, 100, 100, 100, 100},
                                      {100, 100, 100, 100, 91},
                                      {100, 100, 100, 100, 71},
                                      {100, 100, 87, 83, 50}};
static const table half_error = {{4.64, 4.52, 4.93, 4.42, 8.66},
                                 {3.75, 2.79, 1.22, 3.00, 1.71},
                                 {1.58, 1.84, 0.78, 1.65, 2.41},
                                 {1.78, 1.21, 1.00, 1.11, 0.90},
                                 {1.85, 43.59, 1.69, 5.34, 22.17}};
static const table full_error = {{5.48, 5.52, 4.98, 5.06, 1.24},
                                 {1.66, 2.57, 1.82, 5.74, 3.15},
                                 {1.63, 3.21, 0.72, 8.42, NP},
                                 {2.05, 6.93, 6.16, 8.06, NP},
                                 {4.99, 17.66, NP, NP, NP}};

/* ---- what the cases have -------------------------------------------------------------------------------------------
 */

/* Result of the pressure of each hip; all of them are there. */
typedef struct pressed {
  syn_study_page *page;
  size_t cases[HIPS]; /* by CE, then alpha */
  const json_t *results[HIPS];
} pressed;

static bool find_results(syn_study_page *page, pressed *hips) {
  hips->page = page;
  for (int k = 0; k < HIPS; ++k) {
    hips->cases[k] = syn_study_hip25(page->content, 10 * (k / ALPHAS), 40 + 10 * (k % ALPHAS));
    if (hips->cases[k] == SIZE_MAX) return false;
    const json_t *result = json_object_get(page->content->answers[hips->cases[k]], "result");
    hips->results[k] = json_object_get(result, "pressure");
    if (!json_is_object(hips->results[k])) return false;
  }
  return true;
}

static double number(const pressed *hips, int k, const char *key) {
  const json_t *value = json_object_get(hips->results[k], key);
  return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

/* ---- tables --------------------------------------------------------------------------------------------------------
 */

static const syn_report_column columns[] = {{"ce", "CE", "°", true},         {"alpha40", "α 40°", "", false},
                                            {"alpha50", "α 50°", "", false}, {"alpha60", "α 60°", "", false},
                                            {"alpha70", "α 70°", "", false}, {"alpha80", "α 80°", "", false}};

/* `words(user, k)` is the text of a hip. */
static syn_status add_table(const pressed *hips, const char *name, const char *title, const char *note,
                            const char *(*words)(const pressed *hips, const void *user, int k), const void *user,
                            syn_error *error) {
  syn_study_page *page = hips->page;
  syn_report_cell *cell;
  SYN_TRY(SYN_TAKE(&page->arena, &cell, CES * (ALPHAS + 1), error));
  page->tables[page->report.table_count++] = (syn_report_table){.name = name,
                                                                .title = title,
                                                                .note = note,
                                                                .columns = columns,
                                                                .column_count = ALPHAS + 1,
                                                                .row_count = CES,
                                                                .cells = cell};
  for (int i = 0; i < CES; ++i) {
    *cell++ = (syn_report_cell){NULL, 10 * i};
    for (int j = 0; j < ALPHAS; ++j) *cell++ = (syn_report_cell){words(hips, user, ALPHAS * i + j), 0};
  }
  return SYN_OK;
}

/* ---- Tables 8 and 9 ------------------------------------------------------------------------------------------------
 */

typedef struct correlation {
  const char *name, *title, *depths;
  const char *r[2], *p[2]; /* with the stress of all tissues, and with that of the labrum */
  int number;
  const table *published;
} correlation;

static const correlation correlations[] = {
    {"published_curvilinear_r",
     "Curvilinear depth and stress, beside the published study",
     "curvilinear_mm",
     {"curvilinear_r", "curvilinear_labrum_r"},
     {"curvilinear_p", "curvilinear_labrum_p"},
     8,
     &curvilinear_r},
    {"published_radial_r",
     "Radial depth and stress, beside the published study",
     "radial_mm",
     {"radial_r", "radial_labrum_r"},
     {"radial_p", "radial_labrum_p"},
     9,
     &radial_r},
};

static double published_at(const table *published, int k) { return (*published)[k / ALPHAS][k % ALPHAS]; }

/* Numbers of a list, up to the part of the motion that the published study reached; returns how many. */
static size_t take_until(const json_t *result, const char *list, double until, size_t most, double *values) {
  const json_t *at = json_object_get(result, "stress_at"), *from = json_object_get(result, list);
  size_t count = 0;
  while (count < most && count < json_array_size(from) && json_number_value(json_array_get(at, count)) < until + 1e-9) {
    values[count] = json_number_value(json_array_get(from, count));
    ++count;
  }
  return count;
}

/* r and p over what the published study reached: its p belong to as many poses. `which`: all tissues, labrum. */
static double correlation_of(const pressed *hips, const correlation *what, int k, int which, double *p) {
  enum { MOST = 1000 };
  static const char *const stresses[2] = {"stresses_mpa", "labrum_stresses_mpa"};
  double depths[MOST], stress[MOST], r = number(hips, k, what->r[which]);
  *p = number(hips, k, what->p[which]);
  const double until = published_at(&reached_percent, k) / 100;
  if (until >= 1 || isnan(r)) return r;
  const size_t count = take_until(hips->results[k], what->depths, until, MOST, depths);
  if (count < 3 || take_until(hips->results[k], stresses[which], until, MOST, stress) != count) return r;
  return syn_study_correlation(depths, stress, count, p);
}

static const char *correlation_words(const pressed *hips, const void *user, int k) {
  const correlation *what = user;
  double p, labrum_p;
  const double r = correlation_of(hips, what, k, 0, &p), other = published_at(what->published, k);
  const double labrum = correlation_of(hips, what, k, 1, &labrum_p);
  char theirs[32] = "n.p.", ours[64] = "n.p.";
  if (!isnan(other)) snprintf(theirs, sizeof theirs, "%.2f", other);
  if (!isnan(r)) snprintf(ours, sizeof ours, "%.2f, p %.2g", r, p);
  if (!isnan(r) && !isnan(labrum))
    snprintf(ours + strlen(ours), sizeof ours - strlen(ours), "; labrum %.2f, p %.2g", labrum, labrum_p);
  return syn_study_page_text(hips->page, "%s (published: %s)", ours, theirs);
}

/* Mean and standard deviation over the cells where both have penetration. */
static int mean_of_cells(const pressed *hips, const correlation *what, int which, double means[2],
                         double deviations[2]) {
  int count = 0;
  double p, sums[2] = {0, 0}, squares[2] = {0, 0};
  for (int k = 0; k < HIPS; ++k) {
    const double values[2] = {correlation_of(hips, what, k, which, &p), published_at(what->published, k)};
    if (isnan(values[0]) || isnan(values[1])) continue;
    ++count;
    for (int i = 0; i < 2; ++i) {
      sums[i] += values[i];
      squares[i] += values[i] * values[i];
    }
  }
  for (int i = 0; i < 2; ++i) {
    means[i] = sums[i] / count;
    deviations[i] = count > 1 ? sqrt(fmax(0, squares[i] - count * means[i] * means[i]) / (count - 1)) : 0;
  }
  return count;
}

static syn_status add_correlation(const pressed *hips, const correlation *what, syn_error *error) {
  double means[2], deviations[2], labrum[2], labrum_deviations[2];
  int agree = 0;
  for (int k = 0; k < HIPS; ++k) agree += isnan(number(hips, k, what->r[0])) == isnan(published_at(what->published, k));
  const int both = mean_of_cells(hips, what, 0, means, deviations);
  mean_of_cells(hips, what, 1, labrum, labrum_deviations);
  const char *stress = json_string_value(json_object_get(hips->results[0], "stress"));
  const char *note = syn_study_page_text(
      hips->page,
      "Pearson's r of the greatest depth with the %s of all tissues at the same step, from standing to sitting, as far "
      "as the published motion went (Table 11); n.p.: no penetration (%d of %d cells as in Table %d). Mean over the %d "
      "cells where both have one: "
      "%.2f, standard deviation %.2f; with the stress in the labrum alone %.2f and %.2f; published %.2f and %.2f.",
      stress && strcmp(stress, "von_mises") == 0 ? "largest von Mises stress" : "peak pressure", agree, HIPS,
      what->number, both, means[0], deviations[0], labrum[0], labrum_deviations[0], means[1], deviations[1]);
  return add_table(hips, what->name, what->title, note, correlation_words, what, error);
}

/* ---- Table 11 ------------------------------------------------------------------------------------------------------
 */

static const char *reached_words(const pressed *hips, const void *user, int k) {
  (void)user;
  const double other = published_at(&reached_percent, k);
  return syn_study_page_text(hips->page, "%.0f %%, peak %.1f MPa (published: %.0f %%)",
                             number(hips, k, "reached_percent"), number(hips, k, "peak_mpa"), other);
}

static syn_status add_reached(const pressed *hips, syn_error *error) {
  int whole = 0;
  for (int k = 0; k < HIPS; ++k) whole += number(hips, k, "reached_percent") > 99.9;
  const char *method = json_string_value(json_object_get(hips->results[0], "method"));
  const char *note = syn_study_page_text(hips->page,
                                         "How far the motion went in equilibrium (method: %s), and the highest "
                                         "pressure until then: %d of %d hips to the end; 20 in Table 11 of the "
                                         "published study.",
                                         method ? method : "", whole, HIPS);
  return add_table(hips, "published_reached", "How far the motion went, beside the published study", note,
                   reached_words, NULL, error);
}

/* ---- Tables 12 and 13 ----------------------------------------------------------------------------------------------
 */

/* The hips that take part, and their errors. */
typedef struct estimate {
  const char *name, *title;
  int number;
  double until; /* part of the motion */
  const table *published;
  double errors[HIPS]; /* percent; NAN: left out */
} estimate;

static const char *estimate_words(const pressed *hips, const void *user, int k) {
  const estimate *e = user;
  const double other = published_at(e->published, k);
  char theirs[32] = "–", ours[32] = "–";
  if (!isnan(other)) snprintf(theirs, sizeof theirs, "%.2f %%", other);
  if (!isnan(e->errors[k])) snprintf(ours, sizeof ours, "%.2f %%", e->errors[k]);
  return syn_study_page_text(hips->page, "%s (published: %s)", ours, theirs);
}

static int by_size(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Mean, median, and the mean of the nine hips inside the grid. */
static void sum_up(const double errors[HIPS], double *mean, double *median, double *inner, int *count) {
  double known[HIPS], inside = 0;
  int inner_count = 0;
  *count = 0;
  *mean = 0;
  for (int k = 0; k < HIPS; ++k) {
    const int i = k / ALPHAS, j = k % ALPHAS;
    if (isnan(errors[k])) continue;
    known[(*count)++] = errors[k];
    *mean += errors[k];
    if (i == 0 || j == 0 || i == CES - 1 || j == ALPHAS - 1) continue;
    inside += errors[k];
    ++inner_count;
  }
  *mean /= *count;
  *inner = inside / inner_count;
  qsort(known, (size_t)*count, sizeof *known, by_size);
  *median = *count % 2 ? known[*count / 2] : 0.5 * (known[*count / 2 - 1] + known[*count / 2]);
}

/* The shape of a case, made again. */
static syn_status features_of(const pressed *hips, int k, double features[SYN_PRESSURE_FEATURES], syn_error *error) {
  const syn_study_content *content = hips->page->content;
  const syn_study_case *it = &content->shown.study->cases[hips->cases[k]];
  syn_context silent = *syn_context_or_default(content->context);
  syn_joint *shape;
  syn_hip hip = {.side = SYN_SIDE_RIGHT};
  silent.warn = NULL;
  SYN_TRY(syn_shape_create(&silent, it->shape, it->values, it->value_count, &shape, error));
  for (size_t i = 0; i < shape->body_count; ++i) {
    const syn_hip_part part = syn_hip_part_of_body(&shape->bodies[i]);
    if (part != SYN_HIP_PARTS) hip.parts[part] = shape->bodies[i].surface;
  }
  hip.center = shape->center;
  hip.pelvis_axes = hip.femur_axes = shape->axes;
  const syn_status status = syn_pressure_features(&silent, &hip, features, error);
  syn_joint_destroy(shape);
  return status;
}

static double number_in(const json_t *result, const char *list, size_t step) {
  return json_number_value(json_array_get(json_object_get(result, list), step));
}

/* Hips of the published table that went so far, and how many steps up to there all of them have. */
static size_t choose(const pressed *hips, const estimate *e, int which[HIPS], size_t *steps) {
  const double until = e->until;
  size_t count = 0;
  *steps = SIZE_MAX;
  for (int k = 0; k < HIPS; ++k) {
    if (isnan(published_at(e->published, k)) || !(number(hips, k, "reached_percent") > 100 * until - 0.01)) continue;
    const size_t all = json_array_size(json_object_get(hips->results[k], "at"));
    size_t reached = 0;
    while (reached < all && number_in(hips->results[k], "at", reached) < until + 1e-9) ++reached;
    *steps = reached < *steps ? reached : *steps;
    which[count++] = k;
  }
  return count;
}

/* The pressures of these hips; fewer than three leave *model NULL. `which` says which they are. */
static syn_status train(const pressed *hips, const double *features, const estimate *e, int which[HIPS],
                        syn_pressure_model **model, syn_error *error) {
  syn_arena *arena = &hips->page->arena;
  const char *names[HIPS];
  double *chosen, *at;
  syn_pressure_value *values;
  size_t steps;
  const size_t count = choose(hips, e, which, &steps);
  *model = NULL;
  if (count < 3 || steps < 2) return SYN_OK;
  SYN_TRY(SYN_TAKE(arena, &chosen, count * SYN_PRESSURE_FEATURES, error));
  SYN_TRY(SYN_TAKE(arena, &at, steps, error));
  SYN_TRY(SYN_TAKE(arena, &values, count * steps, error));
  for (size_t i = 0; i < count; ++i) {
    const json_t *result = hips->results[which[i]];
    names[i] = hips->page->content->shown.study->cases[hips->cases[which[i]]].name;
    memcpy(chosen + i * SYN_PRESSURE_FEATURES, features + (size_t)which[i] * SYN_PRESSURE_FEATURES,
           SYN_PRESSURE_FEATURES * sizeof *chosen);
    for (size_t s = 0; s < steps; ++s) {
      at[s] = number_in(result, "at", s);
      values[i * steps + s] = (syn_pressure_value){.peak_mpa = number_in(result, "peaks_mpa", s),
                                                   .mean_mpa = number_in(result, "means_mpa", s),
                                                   .area_mm2 = number_in(result, "areas_mm2", s)};
    }
  }
  const char *method = json_string_value(json_object_get(hips->results[0], "method"));
  const syn_pressure_model given = {.motion = "stand_to_sit",
                                    .pressure_by = method ? method : "",
                                    .hip_count = count,
                                    .step_count = steps,
                                    .names = names,
                                    .at = at,
                                    .features = chosen,
                                    .values = values};
  return syn_pressure_model_train(hips->page->content->context, &given, model, error);
}

static syn_status estimate_others(const pressed *hips, const double *features, estimate *e, size_t *took_part,
                                  syn_error *error) {
  int which[HIPS];
  double errors[HIPS];
  syn_pressure_model *model;
  for (int k = 0; k < HIPS; ++k) e->errors[k] = NAN;
  SYN_TRY(train(hips, features, e, which, &model, error));
  *took_part = model ? model->hip_count : 0;
  if (!model) return SYN_OK;
  const syn_status status = syn_pressure_model_leave_one_out(model, COMPONENTS, NULL, errors, error);
  for (size_t i = 0; status == SYN_OK && i < model->hip_count; ++i) e->errors[which[i]] = errors[i];
  syn_pressure_model_destroy(model);
  return status;
}

static syn_status add_estimate(const pressed *hips, const double *features, estimate *e, syn_error *error) {
  size_t took_part;
  double mean, median, inner, published[HIPS], their_mean, their_median, their_inner;
  int count, their_count;
  SYN_TRY(estimate_others(hips, features, e, &took_part, error));
  if (!took_part) return SYN_OK;
  for (int k = 0; k < HIPS; ++k) published[k] = published_at(e->published, k);
  sum_up(e->errors, &mean, &median, &inner, &count);
  sum_up(published, &their_mean, &their_median, &their_inner, &their_count);
  estimate *kept;
  SYN_TRY(SYN_TAKE(&hips->page->arena, &kept, 1, error));
  *kept = *e;
  const char *note = syn_study_page_text(
      hips->page,
      "Mean over the steps of how far the estimated peak pressure is from the computed one; each hip from the others, "
      "by "
      "shape alone. %d hips: mean %.2f %%, median %.2f %%, inside the grid %.2f %%; Table %d, %d hips: %.2f, %.2f and "
      "%.2f %%.",
      count, mean, median, inner, e->number, their_count, their_mean, their_median, their_inner);
  return add_table(hips, e->name, e->title, note, estimate_words, kept, error);
}

static syn_status add_estimates(const pressed *hips, syn_error *error) {
  estimate estimates[] = {
      {.name = "published_half",
       .title = "Pressure from shape over half of the motion, beside the published study",
       .number = 12,
       .until = 0.5,
       .published = &half_error},
      {.name = "published_full",
       .title = "Pressure from shape over all of the motion, beside the published study",
       .number = 13,
       .until = 1,
       .published = &full_error},
  };
  double *features;
  SYN_TRY(SYN_TAKE(&hips->page->arena, &features, (size_t)HIPS * SYN_PRESSURE_FEATURES, error));
  for (int k = 0; k < HIPS; ++k) SYN_TRY(features_of(hips, k, features + (size_t)k * SYN_PRESSURE_FEATURES, error));
  for (size_t i = 0; i < sizeof estimates / sizeof *estimates; ++i)
    SYN_TRY(add_estimate(hips, features, &estimates[i], error));
  return SYN_OK;
}

syn_status syn_study_page_published_pressure(syn_study_page *page, syn_error *error) {
  pressed hips;
  if (!find_results(page, &hips)) return SYN_OK;
  for (size_t i = 0; i < sizeof correlations / sizeof *correlations; ++i)
    SYN_TRY(add_correlation(&hips, &correlations[i], error));
  SYN_TRY(add_reached(&hips, error));
  return add_estimates(&hips, error);
}
