// test: slow, early
/* What a response does to energy and momentum: a free cube meets another at rest, of the same size and a little beside
 * it. The figures of docs/evidence/contacts.md are those that are printed here. */
#include "support.h"

#include "base/vec.h"

#include <synovia/tissue.h>

typedef struct impact {
  const char *model, *integrator, *response;
  double step_s, pressure_mpa_mm, damping_s; /* 0: unless given */
} impact;

/* As parts of what there was at first. */
typedef struct outcome {
  double most, last, momentum, turning;
  bool diverged;
} outcome;

static int write_cube(const char *name, const char *model, double x, double y, char *text, size_t size) {
  return snprintf(text, size,
                  "{\"name\":\"%s\",\"shape\":{\"name\":\"beam\",\"length\":6,\"width\":6,\"height\":6,\"cells-x\":3,"
                  "\"cells-y\":3,\"cells-z\":3},\"place\":[%g,%g,0],\"model\":\"%s\"%s,\"material\":{\"young_mpa\":1,"
                  "\"poisson\":0.3,\"density_kg_m3\":1000}}",
                  name, x, y, model, strcmp(model, "molecules") == 0 ? ",\"spacing_mm\":1.5" : "");
}

static syn_tissue_scene *read_impact(const impact *c) {
  char text[2500], left[700], right[700], how[200] = "";
  write_cube("left", c->model, -6.05, 0, left, sizeof left);
  write_cube("right", c->model, 0, 0.7, right, sizeof right);
  if (c->pressure_mpa_mm > 0)
    snprintf(how, sizeof how, ",\"pressure_mpa_mm\":%g,\"damping_s\":%g", c->pressure_mpa_mm, c->damping_s);
  snprintf(text, sizeof text,
           "{\"synovia\":1,\"name\":\"impact\",\"bodies\":[%s,%s],\"contacts\":[{\"fixed\":\"right\",\"mobile\":"
           "\"left\",\"response\":\"%s\"%s}],\"integrator\":\"%s\",\"step_s\":%g,\"duration_s\":0.004}",
           left, right, c->response, how, c->integrator, c->step_s);
  const char *path = temporary_path("impact.json");
  write_text_file(path, text);
  syn_tissue_scene *scene;
  syn_error error;
  ASSERT_OK(syn_tissue_scene_read(NULL, path, NULL, &scene, &error));
  return scene;
}

static double energy_of(const syn_simulation *s) {
  syn_tissue_step r;
  syn_simulation_report(s, &r);
  return r.kinetic_nmm + r.elastic_nmm + r.contact_nmm;
}

static void add_momentum(const syn_tissue_scene *scene, syn_vec3 *sum, syn_vec3 *moment) {
  const syn_simulation *s = scene->simulation;
  *sum = *moment = vec3(0, 0, 0);
  for (uint32_t b = 0; b < 2; ++b) {
    const syn_soft *soft = scene->bodies[b].soft;
    const syn_vec3 *x = syn_simulation_positions(s, b), *v = syn_simulation_velocities(s, b);
    for (uint32_t i = 0; i < syn_soft_node_count(soft); ++i) {
      const syn_vec3 p = vec3_scale(v[i], syn_soft_masses(soft)[i]);
      *sum = vec3_add(*sum, p);
      *moment = vec3_add(*moment, vec3_cross(x[i], p));
    }
  }
}

static outcome meet(const impact *c) {
  syn_tissue_scene *scene = read_impact(c);
  syn_simulation *s = scene->simulation;
  syn_error error;
  const uint32_t count = syn_soft_node_count(scene->bodies[0].soft);
  syn_vec3 *v = malloc(count * sizeof *v), sum, moment, begin, turning;
  for (uint32_t i = 0; i < count; ++i) v[i] = vec3(200, 0, 0);
  syn_simulation_set_motion(s, 0, syn_simulation_positions(s, 0), v);
  free(v);
  add_momentum(scene, &begin, &turning);
  const double first = energy_of(s);
  outcome o = {.most = 1};
  const int steps = (int)(0.004 / c->step_s + 0.5);
  for (int i = 0; i < steps; ++i) {
    const syn_status status = syn_tissue_scene_step(scene, &error);
    if (status) { /* so much came that the next step is too long for it */
      check_message(&error, SYN_NOT_CONVERGED, "what moves or pushes them is too much for the step");
      o.diverged = true;
      break;
    }
    o.most = fmax(o.most, energy_of(s) / first);
  }
  add_momentum(scene, &sum, &moment);
  o.last = energy_of(s) / first;
  o.momentum = vec3_distance(sum, begin) / vec3_length(begin);
  o.turning = vec3_distance(moment, turning) / (6 * vec3_length(begin));
  syn_tissue_scene_destroy(scene);
  print_message(
      "%-9s %-10s %-10s %5g s, %4g N/mm3, damping %g s: energy at most %.4g, last %.3g; momentum off by %.2g, "
      "angular %.2g%s\n",
      c->model, c->integrator, c->response, c->step_s, c->pressure_mpa_mm, c->damping_s, o.most, o.last, o.momentum,
      o.turning, o.diverged ? ", diverged" : "");
  return o;
}

static void forces_with_an_energy_keep_momentum_and_add_none(void **state) {
  (void)state;
  static const impact impacts[] = {{"fem", "implicit", "barrier", 1e-4, 0, 0},
                                   {"fem", "implicit", "penalty", 1e-4, 0, 0},
                                   {"molecules", "implicit", "penalty", 1e-4, 0, 0},
                                   {"molecules", "implicit", "barrier", 1e-4, 0, 0}};
  for (size_t i = 0; i < sizeof impacts / sizeof *impacts; ++i) {
    const outcome o = meet(&impacts[i]);
    assert_true(o.most < 1.001 && o.last < 1);
    assert_true(o.momentum < 1e-6);
  }
  static const impact exact[] = {{"fem", "symplectic", "penalty", 1e-5, 0, 0},
                                 {"molecules", "symplectic", "penalty", 1e-5, 0, 0},
                                 {"fem", "rk4", "penalty", 1e-5, 0, 0}};
  for (size_t i = 0; i < sizeof exact / sizeof *exact; ++i) {
    const outcome o = meet(&exact[i]);
    ASSERT_NEAR(o.last, 1, 0.02);
    assert_true(o.most < 1.05 && o.momentum < 1e-10 && o.turning < 0.01);
  }
}

static void a_correction_adds_energy(void **state) {
  (void)state;
  static const char *const models[] = {"fem", "molecules"};
  for (int m = 0; m < 2; ++m) {
    const impact c = {models[m], "symplectic", "correction", 1e-5, 0, 0};
    assert_true(meet(&c).most > 1.1);
  }
}

/* It moves places, too, which molecules do not forgive. */
static void looking_ahead_changes_momentum(void **state) {
  (void)state;
  const impact fem = {"fem", "symplectic", "look-ahead", 1e-5, 0, 0};
  const impact molecules = {"molecules", "symplectic", "look-ahead", 1e-5, 0, 0};
  const outcome a = meet(&fem), b = meet(&molecules);
  assert_true(a.most < 1.05 && a.last < 1 && a.momentum > 0.5);
  assert_true(b.most > 10 && b.momentum > 0.5);
}

static void a_volume_keeps_momentum_and_adds_energy(void **state) {
  (void)state;
  const impact soft = {"fem", "symplectic", "volume", 2e-5, 0.02, 0},
               hard = {"fem", "symplectic", "volume", 2e-5, 1, 0};
  const impact damped = {"fem", "symplectic", "volume", 2e-5, 0.02, 1e-3};
  const outcome a = meet(&soft), b = meet(&hard), d = meet(&damped);
  assert_true(a.momentum < 1e-10 && a.turning < 1e-10 && b.momentum < 1e-10 && b.turning < 1e-10);
  assert_true(a.last > 1.1 && b.last > 1.1);
  assert_true(d.last < a.last);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(forces_with_an_energy_keep_momentum_and_add_none),
      cmocka_unit_test(a_correction_adds_energy),
      cmocka_unit_test(looking_ahead_changes_momentum),
      cmocka_unit_test(a_volume_keeps_momentum_and_adds_energy),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
