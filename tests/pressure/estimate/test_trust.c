/* How far an estimate is trusted: on a grid of shapes whose pressure depends on the socket alone, where leaving out one
 * hip finds a twin and says that nothing is wrong. */
#include "support.h"

enum { FEATURES = SYN_PRESSURE_FEATURES, SIDE = 5, COUNT = SIDE * SIDE, STEPS = 3 };

typedef struct grid {
  syn_pressure_model model;
  double features[COUNT * FEATURES], at[STEPS];
  syn_pressure_part values[COUNT * STEPS];
  char text[COUNT][24];
  const char *names[COUNT];
} grid;

static double bump(int f, double place, double width) { return exp(-pow((f % 648 - place) / width, 2)); }

/* The femur by a, the socket by b. */
static void shape_of(double a, double b, double *features) {
  for (int f = 0; f < FEATURES; ++f) {
    features[f] = 1;
    features[f] += f < 648 ? 0.2 * bump(f, 100 + 60 * a, 80) : f >= 1296 ? 0.3 * bump(f, 300 + 100 * b, 120) : 0;
  }
}

static double pressure_of(double b, int step) { return (2 + step) * exp(-1.2 * b); }

static grid *make_grid(void) {
  grid *made = calloc(1, sizeof *made);
  made->model = (syn_pressure_model){.motion = "stand_to_sit",
                                     .pressure_by = "foundation",
                                     .hip_count = COUNT,
                                     .step_count = STEPS,
                                     .names = made->names,
                                     .at = made->at,
                                     .features = made->features,
                                     .values = made->values};
  for (int j = 0; j < STEPS; ++j) made->at[j] = j / (STEPS - 1.0);
  for (size_t i = 0; i < COUNT; ++i) {
    const double a = (double)(i % SIDE) / (SIDE - 1), b = (double)(i / SIDE) / (SIDE - 1);
    snprintf(made->text[i], sizeof made->text[i], "hip%zu", i);
    made->names[i] = made->text[i];
    shape_of(a, b, made->features + i * FEATURES);
    for (int j = 0; j < STEPS; ++j)
      made->values[i * STEPS + (size_t)j] =
          (syn_pressure_part){.peak_mpa = pressure_of(b, j), .mean_mpa = NAN, .area_mm2 = NAN};
  }
  return made;
}

static syn_pressure_trust trust_at(const syn_pressure_model *model, double a, double b) {
  double features[FEATURES];
  syn_pressure_trust trust;
  syn_error error;
  shape_of(a, b, features);
  ASSERT_OK(syn_pressure_model_estimate(model, features, SYN_PRESSURE_COMPONENTS, NULL, &trust, &error));
  return trust;
}

/* Largest error of the peaks, in percent. */
static double error_at(const syn_pressure_model *model, double a, double b) {
  double features[FEATURES], most = 0;
  syn_pressure_part values[STEPS];
  syn_error error;
  shape_of(a, b, features);
  ASSERT_OK(syn_pressure_model_estimate(model, features, SYN_PRESSURE_COMPONENTS, values, NULL, &error));
  for (int j = 0; j < STEPS; ++j) most = fmax(most, 100 * fabs(values[j].peak_mpa / pressure_of(b, j) - 1));
  return most;
}

static void a_twin_in_the_grid_does_not_make_it_sure(void **state) {
  (void)state;
  grid *g = make_grid();
  syn_pressure_training training;
  syn_error error;
  ASSERT_OK(syn_pressure_model_test(&g->model, &training, &error));
  assert_true(training.median_percent < 0.5);
  syn_free(NULL, training.errors_percent);
  for (int i = 0; i < 16; ++i) {
    const double a = (i % 4 + 0.5) / 4, b = (i / 4 + 0.5) / 4;
    const syn_pressure_trust trust = trust_at(&g->model, a, b);
    assert_false(trust.outside);
    assert_true(trust.distance > 0 && trust.distance < trust.spacing);
    assert_true(trust.error_percent > 5);
    assert_true(error_at(&g->model, a, b) <= trust.error_percent);
  }
  free(g);
}

static void a_hip_of_the_model_is_known(void **state) {
  (void)state;
  grid *g = make_grid();
  for (size_t i = 0; i < COUNT; ++i) {
    const syn_pressure_trust trust =
        trust_at(&g->model, (double)(i % SIDE) / (SIDE - 1), (double)(i / SIDE) / (SIDE - 1));
    assert_int_equal(trust.nearest, i);
    assert_true(trust.distance < 1e-12 && trust.error_percent == 0 && !trust.outside);
  }
  free(g);
}

static void a_hip_beyond_the_model_is_outside(void **state) {
  (void)state;
  grid *g = make_grid();
  static const double beyond[][2] = {{-0.5, 0.5}, {1.125, 0.5}, {0.5, 1.125}, {1.5, 0.5},
                                     {0.5, 1.5},  {0.5, -0.5},  {3, 3},       {-1, -1}};
  for (size_t i = 0; i < sizeof beyond / sizeof *beyond; ++i)
    assert_true(trust_at(&g->model, beyond[i][0], beyond[i][1]).outside);
  double features[FEATURES];
  syn_pressure_trust trust;
  syn_error error;
  shape_of(0.5, 0.5, features);
  for (int f = 648; f < 1296; ++f) features[f] += 0.4; /* another cartilage */
  ASSERT_OK(syn_pressure_model_estimate(&g->model, features, SYN_PRESSURE_COMPONENTS, NULL, &trust, &error));
  assert_true(trust.outside);
  features[7] = NAN;
  ASSERT_FAILS(syn_pressure_model_estimate(&g->model, features, SYN_PRESSURE_COMPONENTS, NULL, &trust, &error),
               SYN_BAD_ARGUMENT, "feature 8");
  free(g);
}

/* Radii of one hip and of another in turn: each is within the range of the model's, and no hip of it is like this. */
static void a_hip_unlike_any_is_outside_though_no_radius_is(void **state) {
  (void)state;
  grid *g = make_grid();
  double features[FEATURES];
  syn_pressure_trust trust;
  syn_error error;
  for (int f = 0; f < FEATURES; ++f) features[f] = g->features[(f % 2 ? COUNT - 1 : 0) * FEATURES + f];
  ASSERT_OK(syn_pressure_model_estimate(&g->model, features, SYN_PRESSURE_COMPONENTS, NULL, &trust, &error));
  assert_true(trust.distance > trust.spacing);
  assert_true(trust.outside);
  free(g);
}

/* The errors go through the file, and are the same as without one. */
static void the_file_carries_the_errors(void **state) {
  (void)state;
  grid *g = make_grid();
  syn_pressure_model *again;
  syn_error error;
  const char *path = temporary_path("trust.model");
  ASSERT_OK(syn_pressure_model_write(NULL, &g->model, path, &error));
  ASSERT_OK(syn_pressure_model_read(NULL, path, &again, &error));
  assert_non_null(again->errors_percent);
  for (int i = 0; i < 16; ++i) {
    const double a = (i % 4 + 0.4) / 4, b = (i / 4 + 0.7) / 4;
    ASSERT_NEAR(trust_at(again, a, b).error_percent, trust_at(&g->model, a, b).error_percent, 1e-9);
  }
  syn_pressure_model_destroy(again);
  free(g);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_twin_in_the_grid_does_not_make_it_sure),
      cmocka_unit_test(a_hip_of_the_model_is_known),
      cmocka_unit_test(a_hip_beyond_the_model_is_outside),
      cmocka_unit_test(a_hip_unlike_any_is_outside_though_no_radius_is),
      cmocka_unit_test(the_file_carries_the_errors),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
