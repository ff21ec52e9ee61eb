/* Pressure from shape against plain loops over all features, against families whose answer is known, and as a file. */
#include "support.h"

#include "base/status.h"
#include "pressure/estimate/estimate.h"

enum { FEATURES = SYN_PRESSURE_FEATURES, COMPONENTS = SYN_PRESSURE_COMPONENTS, MOST = 25, STEPS = 4 };

/* Hips on a grid of two numbers, as the published ones are, with some more that the shape does not show. */
typedef struct family {
  syn_pressure_model model;
  double features[MOST * FEATURES], at[STEPS];
  syn_pressure_part values[MOST * STEPS];
  char text[MOST][24];
  const char *names[MOST];
} family;

static double bump(int f, double place, double width) { return exp(-pow((f % 648 - place) / width, 2)); }

/* A shape over the numbers a and b: nonlinear in both, smooth. */
static void shape_of(double a, double b, test_random *random, double noise, double *features) {
  for (int f = 0; f < FEATURES; ++f) {
    features[f] = 1 + 0.02 * (f % 7);
    features[f] += f < 648 ? 0.4 * a * bump(f, 100 + 60 * a, 80) : f >= 1296 ? b * bump(f, 300 + 200 * b, 120) : 0;
    if (noise > 0) features[f] += random_between(random, 0, noise);
  }
}

static family *make_family(size_t count, uint64_t seed) {
  family *made = calloc(1, sizeof *made);
  test_random random = {seed};
  made->model = (syn_pressure_model){.motion = "stand_to_sit",
                                     .pressure_by = "fem",
                                     .hip_count = count,
                                     .step_count = STEPS,
                                     .names = made->names,
                                     .at = made->at,
                                     .features = made->features,
                                     .values = made->values};
  for (int j = 0; j < STEPS; ++j) made->at[j] = j / (STEPS - 1.0);
  for (size_t i = 0; i < count; ++i) {
    const double a = (double)(i % 5) / 4, b = (double)(i / 5) / 4;
    snprintf(made->text[i], sizeof made->text[i], "hip%zu", i);
    made->names[i] = made->text[i];
    shape_of(a, b, &random, 0.05, made->features + i * FEATURES);
    for (int j = 0; j < STEPS; ++j)
      made->values[i * STEPS + (size_t)j] =
          (syn_pressure_part){.peak_mpa = 5 + a * j - 2 * b + a * b,
                              .mean_mpa = 2 + b + 0.1 * j,
                              .area_mm2 = 900 - 200 * b + random_between(&random, 0, 9)};
  }
  return made;
}

static syn_pressure_model *train(const family *from) {
  syn_pressure_model *model;
  syn_error error;
  ASSERT_OK(syn_pressure_model_train(NULL, &from->model, &model, &error));
  return model;
}

/* ---- the twin: components in the space of the features, by turning pairs of rows until all are at right angles
 * -------
 */

typedef struct twin {
  size_t count, found;
  double rows[MOST][FEATURES], scores[COMPONENTS][MOST], target[COMPONENTS];
} twin;

static double product(const double *a, const double *b) {
  double sum = 0;
  for (int f = 0; f < FEATURES; ++f) sum += a[f] * b[f];
  return sum;
}

static void make_orthogonal(twin *t) {
  for (int sweep = 0; sweep < 12; ++sweep)
    for (size_t p = 0; p < t->count; ++p)
      for (size_t q = p + 1; q < t->count; ++q) {
        const double pq = product(t->rows[p], t->rows[q]);
        if (fabs(pq) < 1e-15) continue;
        const double pp = product(t->rows[p], t->rows[p]), qq = product(t->rows[q], t->rows[q]);
        const double angle = 0.5 * atan2(2 * pq, pp - qq);
        for (int f = 0; f < FEATURES; ++f) {
          const double x = t->rows[p][f], y = t->rows[q][f];
          t->rows[p][f] = cos(angle) * x + sin(angle) * y;
          t->rows[q][f] = cos(angle) * y - sin(angle) * x;
        }
      }
}

/* Components of all hips but `left_out`, and the numbers of all along them. */
static void twin_components(const syn_pressure_model *model, size_t left_out, const double *target, twin *t) {
  double mean[FEATURES] = {0};
  t->count = 0;
  for (size_t i = 0; i < model->hip_count; ++i)
    if (i != left_out) memcpy(t->rows[t->count++], model->features + i * FEATURES, sizeof t->rows[0]);
  for (size_t i = 0; i < t->count; ++i)
    for (int f = 0; f < FEATURES; ++f) mean[f] += t->rows[i][f] / (double)t->count;
  for (size_t i = 0; i < t->count; ++i)
    for (int f = 0; f < FEATURES; ++f) t->rows[i][f] -= mean[f];
  make_orthogonal(t);
  bool taken[MOST] = {false};
  double first = 0;
  for (t->found = 0; t->found < COMPONENTS; ++t->found) {
    size_t best = MOST;
    for (size_t i = 0; i < t->count; ++i)
      if (!taken[i] && (best == MOST || product(t->rows[i], t->rows[i]) > product(t->rows[best], t->rows[best])))
        best = i;
    if (best == MOST) return;
    taken[best] = true;
    const double length = sqrt(product(t->rows[best], t->rows[best]));
    if (t->found == 0) first = length;
    if (!(length > 1e-5 * first)) return;
    for (size_t i = 0, n = 0; i <= model->hip_count; ++i) {
      double along = 0;
      const double *shape = i < model->hip_count ? model->features + i * FEATURES : target;
      for (int f = 0; f < FEATURES; ++f) along += (shape[f] - mean[f]) * t->rows[best][f] / length;
      if (i == model->hip_count)
        t->target[t->found] = along;
      else if (i != left_out)
        t->scores[t->found][n++] = along;
    }
  }
}

static double twin_correlation(const double *a, const double *b, size_t n) {
  double sa = 0, sb = 0, aa = 0, bb = 0, ab = 0;
  for (size_t i = 0; i < n; ++i) sa += a[i], sb += b[i];
  for (size_t i = 0; i < n; ++i) {
    const double x = a[i] - sa / (double)n, y = b[i] - sb / (double)n;
    aa += x * x, bb += y * y, ab += x * y;
  }
  return fabs(ab / sqrt(aa * bb));
}

/* The nearest along k among the four that are nearest over all others; each of the four found by counting. */
static size_t twin_closest(const twin *t, size_t k) {
  double others[MOST], own[MOST];
  size_t best = MOST;
  for (size_t i = 0; i < t->count; ++i) {
    others[i] = 0;
    for (size_t c = 0; c < t->found; ++c)
      if (c != k) others[i] += pow(t->scores[c][i] - t->target[c], 2);
    own[i] = fabs(t->scores[k][i] - t->target[k]);
  }
  for (size_t i = 0; i < t->count; ++i) {
    int nearer = 0;
    for (size_t j = 0; j < t->count; ++j) nearer += others[j] < others[i];
    if (nearer < 4 && (best == MOST || own[i] < own[best])) best = i;
  }
  return best;
}

static double twin_peak(const syn_pressure_model *model, size_t left_out, const twin *t, size_t step, size_t used) {
  double peaks[MOST], weights[COMPONENTS], sum = 0, weight = 0;
  size_t n = 0;
  for (size_t i = 0; i < model->hip_count; ++i)
    if (i != left_out) peaks[n++] = model->values[i * model->step_count + step].peak_mpa;
  for (size_t k = 0; k < t->found; ++k) weights[k] = twin_correlation(t->scores[k], peaks, n);
  for (size_t k = 0; k < t->found; ++k) {
    size_t better = 0;
    for (size_t c = 0; c < t->found; ++c) better += weights[c] > weights[k];
    if (better >= used) continue;
    sum += weights[k] * peaks[twin_closest(t, k)];
    weight += weights[k];
  }
  return sum / weight;
}

static void estimates_are_those_of_plain_loops_over_all_features(void **state) {
  (void)state;
  static const size_t counts[] = {25, 17, 7};
  for (int round = 0; round < 3; ++round) {
    family *from = make_family(counts[round], 11 + (uint64_t)round);
    syn_pressure_model *model = train(from);
    syn_pressure_part found[STEPS];
    double target[FEATURES];
    twin *t = malloc(sizeof *t);
    test_random random = {5};
    syn_error error;
    shape_of(0.4, 0.3, &random, 0.05, target);
    twin_components(model, MOST, target, t);
    for (int used = 1; used <= COMPONENTS; used += 3) {
      ASSERT_OK(syn_pressure_model_estimate(model, target, used, found, NULL, &error));
      for (size_t j = 0; j < STEPS; ++j)
        ASSERT_NEAR(found[j].peak_mpa, twin_peak(model, MOST, t, j, (size_t)used), 1e-6);
    }
    free(t);
    syn_pressure_model_destroy(model);
    free(from);
  }
}

static void leaving_one_out_is_training_without_it(void **state) {
  (void)state;
  family *from = make_family(25, 3);
  syn_pressure_model *model = train(from);
  syn_pressure_part *values = malloc(25 * STEPS * sizeof *values), again[STEPS];
  double errors[25];
  syn_error error;
  ASSERT_OK(syn_pressure_model_leave_one_out(model, COMPONENTS, values, errors, &error));
  twin *t = malloc(sizeof *t);
  for (size_t i = 0; i < 25; i += 8) {
    bool left_out[25] = {false};
    syn_pressure_model *others;
    double mean = 0;
    left_out[i] = true;
    ASSERT_OK(syn_pressure_model_part(model, 1, left_out, &others, &error));
    assert_int_equal(others->hip_count, 24);
    ASSERT_OK(syn_pressure_model_estimate(others, model->features + i * FEATURES, COMPONENTS, again, NULL, &error));
    twin_components(model, i, model->features + i * FEATURES, t);
    for (size_t j = 0; j < STEPS; ++j) {
      const double known = model->values[i * STEPS + j].peak_mpa;
      ASSERT_NEAR(values[i * STEPS + j].peak_mpa, again[j].peak_mpa, 1e-9);
      ASSERT_NEAR(values[i * STEPS + j].area_mm2, again[j].area_mm2, 1e-6);
      ASSERT_NEAR(again[j].peak_mpa, twin_peak(model, i, t, j, COMPONENTS), 1e-6);
      mean += 100 * fabs(again[j].peak_mpa - known) / known / STEPS;
    }
    ASSERT_NEAR(errors[i], mean, 1e-8);
    syn_pressure_model_destroy(others);
  }
  free(t);
  free(values);
  syn_pressure_model_destroy(model);
  free(from);
}

/* ---- families whose answer is known --------------------------------------------------------------------------------
 */

static void a_known_shape_has_its_own_pressure(void **state) {
  (void)state;
  family *from = make_family(25, 7);
  syn_pressure_model *model = train(from);
  syn_pressure_part found[STEPS];
  syn_error error;
  for (size_t i = 0; i < 25; ++i)
    for (int used = 1; used <= COMPONENTS; used += 9) {
      ASSERT_OK(syn_pressure_model_estimate(model, model->features + i * FEATURES, used, found, NULL, &error));
      for (size_t j = 0; j < STEPS; ++j) {
        ASSERT_NEAR(found[j].peak_mpa, model->values[i * STEPS + j].peak_mpa, 1e-12);
        ASSERT_NEAR(found[j].mean_mpa, model->values[i * STEPS + j].mean_mpa, 1e-12);
        ASSERT_NEAR(found[j].area_mm2, model->values[i * STEPS + j].area_mm2, 1e-9);
      }
    }
  syn_pressure_model_destroy(model);
  free(from);
}

static void equal_pressures_are_found_whatever_the_shape(void **state) {
  (void)state;
  family *from = make_family(25, 9);
  double errors[25];
  syn_error error;
  for (size_t i = 0; i < 25 * STEPS; ++i)
    from->values[i] = (syn_pressure_part){.peak_mpa = 4.2, .mean_mpa = NAN, .area_mm2 = 700};
  syn_pressure_model *model = train(from);
  syn_pressure_part *values = malloc(25 * STEPS * sizeof *values);
  ASSERT_OK(syn_pressure_model_leave_one_out(model, 5, values, errors, &error));
  for (size_t i = 0; i < 25; ++i) {
    ASSERT_NEAR(errors[i], 0, 1e-12);
    ASSERT_NEAR(values[i * STEPS].area_mm2, 700, 1e-9);
    assert_true(isnan(values[i * STEPS].mean_mpa));
  }
  free(values);
  syn_pressure_model_destroy(model);
  free(from);
}

/* One feature that differs gives one component: its nearest hip along that feature is the answer. */
static void along_one_feature_the_nearest_hip_answers(void **state) {
  (void)state;
  family *from = make_family(10, 1);
  double target[FEATURES];
  syn_pressure_part found[STEPS];
  syn_error error;
  for (size_t i = 0; i < 10; ++i)
    for (int f = 0; f < FEATURES; ++f) from->features[i * FEATURES + (size_t)f] = f == 1000 ? 1 + 0.1 * (double)i : 1;
  syn_pressure_model *model = train(from);
  memcpy(target, from->features, sizeof target);
  for (size_t i = 0; i < 10; ++i) {
    target[1000] = 1 + 0.1 * (double)i + 0.04;
    ASSERT_OK(syn_pressure_model_estimate(model, target, COMPONENTS, found, NULL, &error));
    for (size_t j = 0; j < STEPS; ++j) ASSERT_NEAR(found[j].peak_mpa, from->values[i * STEPS + j].peak_mpa, 1e-12);
  }
  syn_pressure_model_destroy(model);
  free(from);
}

/* Arbabi 2009, Table 12: hips inside the grid are found better than those at its border. */
static void hips_inside_the_grid_are_found_better(void **state) {
  (void)state;
  family *from = make_family(25, 21);
  syn_pressure_model *model = train(from);
  double errors[25], inside = 0, border = 0;
  syn_error error;
  ASSERT_OK(syn_pressure_model_leave_one_out(model, COMPONENTS, NULL, errors, &error));
  for (size_t i = 0; i < 25; ++i) {
    const bool is_inside = i % 5 > 0 && i % 5 < 4 && i / 5 > 0 && i / 5 < 4;
    *(is_inside ? &inside : &border) += errors[i] / (is_inside ? 9 : 16);
  }
  assert_true(inside < 10 && inside < border);
  syn_pressure_model_destroy(model);
  free(from);
}

/* ---- not valid -----------------------------------------------------------------------------------------------------
 */

static void refuse(family *from, const char *part) {
  syn_pressure_model *model;
  syn_error error;
  ASSERT_FAILS(syn_pressure_model_train(NULL, &from->model, &model, &error), SYN_BAD_ARGUMENT, part);
  assert_null(model);
  free(from);
}

static void what_cannot_be_learnt_from_is_refused_by_hip_and_step(void **state) {
  (void)state;
  family *from = make_family(2, 1);
  refuse(from, "from 2 hips");
  from = make_family(5, 1);
  from->values[2 * STEPS + 1].peak_mpa = NAN;
  refuse(from, "'hip2' at step 2");
  from = make_family(5, 1);
  from->values[STEPS].mean_mpa = NAN;
  refuse(from, "'hip1' at step 1");
  from = make_family(5, 1);
  from->values[4 * STEPS + 3].area_mm2 = -1;
  refuse(from, "'hip4' at step 4");
  from = make_family(5, 1);
  from->features[3 * FEATURES + 99] = INFINITY;
  refuse(from, "feature 100 of hip 'hip3'");
  from = make_family(5, 1);
  from->names[3] = from->names[1];
  refuse(from, "the name 'hip1'");
  from = make_family(5, 1);
  from->names[0] = "";
  refuse(from, "hip 1 has no name");
  from = make_family(5, 1);
  from->at[2] = from->at[1];
  refuse(from, "step 3");
  from = make_family(5, 1);
  from->model.step_count = 0;
  refuse(from, "no step");
  from = make_family(5, 1);
  for (size_t i = 1; i < 5; ++i) memcpy(from->features + i * FEATURES, from->features, FEATURES * sizeof(double));
  refuse(from, "same shape");
}

static void a_target_or_a_number_of_components_that_is_not_valid_is_refused(void **state) {
  (void)state;
  family *from = make_family(6, 1);
  syn_pressure_model *model = train(from);
  double target[FEATURES];
  syn_pressure_part found[STEPS];
  syn_error error;
  memcpy(target, from->features, sizeof target);
  ASSERT_FAILS(syn_pressure_model_estimate(model, target, 0, found, NULL, &error), SYN_BAD_ARGUMENT, "0 components");
  ASSERT_FAILS(syn_pressure_model_estimate(model, target, 11, found, NULL, &error), SYN_BAD_ARGUMENT, "take 1 to 10");
  target[7] = NAN;
  ASSERT_FAILS(syn_pressure_model_estimate(model, target, 5, found, NULL, &error), SYN_BAD_ARGUMENT, "feature 8");
  syn_pressure_model *part;
  ASSERT_FAILS(syn_pressure_model_part(model, -1, NULL, &part, &error), SYN_BAD_ARGUMENT, "no step");
  ASSERT_FAILS(syn_pressure_model_part(model, 1, (bool[]){false, true, true, true, true, false}, &part, &error),
               SYN_BAD_ARGUMENT, "from 2 hips");
  ASSERT_OK(syn_pressure_model_part(model, 0.5, NULL, &part, &error));
  assert_int_equal(part->step_count, 2);
  ASSERT_NEAR(part->values[2].peak_mpa, model->values[STEPS].peak_mpa, 0);
  syn_pressure_model_destroy(part);
  syn_pressure_model_destroy(model);
  free(from);
}

/* Three hips have two components; when one is left out, the other two have one. Pressures of 0 have no error in
 * percent. */
static void few_hips_have_few_components(void **state) {
  (void)state;
  family *from = make_family(3, 1);
  for (size_t j = 0; j < STEPS; ++j) from->values[j].peak_mpa = 0;
  syn_pressure_model *model = train(from);
  double errors[3];
  syn_error error;
  ASSERT_OK(syn_pressure_model_leave_one_out(model, COMPONENTS, NULL, errors, &error));
  assert_true(isnan(errors[0]) && isfinite(errors[1]) && isfinite(errors[2]));
  memcpy(from->features + FEATURES, from->features, FEATURES * sizeof(double)); /* two of the three are the same */
  syn_pressure_model_destroy(model);
  model = train(from);
  ASSERT_FAILS(syn_pressure_model_leave_one_out(model, COMPONENTS, NULL, errors, &error), SYN_BAD_ARGUMENT,
               "same shape");
  syn_pressure_model_destroy(model);
  free(from);
}

/* ---- files ---------------------------------------------------------------------------------------------------------
 */

static void a_model_reads_back_to_the_bit(void **state) {
  (void)state;
  family *from = make_family(25, 4);
  for (size_t i = 0; i < 25 * STEPS; ++i) from->values[i].mean_mpa = NAN;
  syn_pressure_model *model = train(from), *again;
  const char *path = temporary_path("hips.model");
  syn_error error;
  ASSERT_OK(syn_pressure_model_write(NULL, model, path, &error));
  ASSERT_OK(syn_pressure_model_read(NULL, path, &again, &error));
  assert_int_equal(again->hip_count, 25);
  assert_int_equal(again->step_count, STEPS);
  assert_string_equal(again->motion, "stand_to_sit");
  assert_string_equal(again->pressure_by, "fem");
  assert_string_equal(again->names[24], "hip24");
  assert_memory_equal(again->features, model->features, 25 * FEATURES * sizeof(double));
  assert_memory_equal(again->at, model->at, STEPS * sizeof(double));
  for (size_t i = 0; i < 25 * STEPS; ++i) {
    assert_true(again->values[i].peak_mpa == model->values[i].peak_mpa && isnan(again->values[i].mean_mpa));
    assert_true(again->values[i].area_mm2 == model->values[i].area_mm2);
  }
  syn_pressure_model_destroy(again);
  syn_pressure_model_destroy(model);
  free(from);
}

/* The text with its first `old` replaced by `new`. */
static void write_changed(const char *text, const char *old, const char *new, const char *path) {
  const char *at = strstr(text, old);
  assert_non_null(at);
  const size_t before = (size_t)(at - text), size = strlen(text) + strlen(new) + 1;
  char *changed = malloc(size);
  snprintf(changed, size, "%.*s%s%s", (int)before, text, new, at + strlen(old));
  write_text_file(path, changed);
  free(changed);
}

static void a_file_that_is_not_a_model_is_refused_by_its_key(void **state) {
  (void)state;
  static const struct {
    const char *old, *new, *part;
  } changes[] = {{"\"synovia_pressure_model\": 2", "\"synovia_pressure_model\": 3", "later version"},
                 {"\"synovia_pressure_model\": 2", "\"synovia_pressure_model\": 1", "train it again"},
                 {"\"error_percent\": ", "\"error_percent\": -", "at least 0"},
                 {"\"error_percent\"", "\"error\"", "hips[0].error"},
                 {"\"motion\"", "\"moton\"", "moton"},
                 {"\"peak_mpa\": [", "\"peak_mpa\": [1,", "hips[0].peak_mpa: expected 4 numbers, found 5"},
                 {"\"peak_mpa\": [", "\"peak_mpa\": [null,", "expected 4"},
                 {"\"features\": [", "\"features\": [-1,", "expected 1944 numbers, found 1945"},
                 {"\"peak_mpa\"", "\"peak\"", "hips[0].peak"},
                 {"\"name\": \"hip1\"", "\"name\": \"hip0\"", "two hips have the name 'hip0'"},
                 {"\"area_mm2\": [", "\"area_mm2\": 5, \"x\": [", "hips[0].x"},
                 {"{", "[", ""}};
  family *from = make_family(4, 4);
  syn_pressure_model *model = train(from), *again;
  const char *path = temporary_path("good.model"), *changed = temporary_path("changed.model");
  syn_error error;
  size_t size;
  ASSERT_OK(syn_pressure_model_write(NULL, model, path, &error));
  char *text = read_whole_file(path, &size);
  for (size_t i = 0; i < sizeof changes / sizeof *changes; ++i) {
    write_changed(text, changes[i].old, changes[i].new, changed);
    ASSERT_FAILS(syn_pressure_model_read(NULL, changed, &again, &error), SYN_BAD_FORMAT, changes[i].part);
    assert_null(again);
  }
  ASSERT_FAILS(syn_pressure_model_read(NULL, temporary_path("none.model"), &again, &error), SYN_NOT_FOUND, NULL);
  free(text);
  syn_pressure_model_destroy(model);
  free(from);
}

static syn_status attempt(const syn_context *context, void *user, syn_error *error) {
  const family *from = user;
  syn_pressure_model *model = NULL, *again = NULL;
  double errors[6];
  const char *path = temporary_path("memory.model");
  syn_status status = syn_pressure_model_train(context, &from->model, &model, error);
  if (status == SYN_OK) status = syn_pressure_model_leave_one_out(model, 3, NULL, errors, error);
  if (status == SYN_OK) status = syn_pressure_model_write(context, model, path, error);
  if (status == SYN_OK) status = syn_pressure_model_read(context, path, &again, error);
  syn_pressure_model_destroy(model);
  syn_pressure_model_destroy(again);
  return status;
}

static void memory_that_is_refused_leaves_nothing_behind(void **state) {
  (void)state;
  family *from = make_family(6, 2);
  check_every_allocation(attempt, from);
  free(from);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(estimates_are_those_of_plain_loops_over_all_features),
      cmocka_unit_test(leaving_one_out_is_training_without_it),
      cmocka_unit_test(a_known_shape_has_its_own_pressure),
      cmocka_unit_test(equal_pressures_are_found_whatever_the_shape),
      cmocka_unit_test(along_one_feature_the_nearest_hip_answers),
      cmocka_unit_test(hips_inside_the_grid_are_found_better),
      cmocka_unit_test(what_cannot_be_learnt_from_is_refused_by_hip_and_step),
      cmocka_unit_test(a_target_or_a_number_of_components_that_is_not_valid_is_refused),
      cmocka_unit_test(few_hips_have_few_components),
      cmocka_unit_test(a_model_reads_back_to_the_bit),
      cmocka_unit_test(a_file_that_is_not_a_model_is_refused_by_its_key),
      cmocka_unit_test(memory_that_is_refused_leaves_nothing_behind),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
