// test: slow, early
/* Steps that hold at default settings: what has no solution at once is found in parts, what is too long for positions
 * is divided, and what has no equilibrium at all is told by its cause. */
#include "spring_body.h"

#include <synovia/tissue.h>

#include "base/vec.h"
#include "tissue/simulation/simulation.h"

/* ---- parts of equilibria --------------------------------------------------------------------------------------------
 */

typedef struct turning {
  syn_soft *soft;
  syn_simulation *s;
} turning;

/* A bar of springs that is held below and turned above. */
static turning make_turning(uint32_t iterations, uint32_t halvings) {
  syn_error error;
  const uint32_t cells[3] = {1, 1, 4};
  turning t = {.soft = make_spring_block(NULL, cells, 5, vec3(0, 0, 0), 2)};
  syn_simulation_options options = syn_default_simulation_options();
  options.integrator = SYN_INTEGRATOR_STATIC;
  options.iterations = iterations;
  options.halvings = halvings;
  options.gravity = vec3(0, 0, -9810);
  uint32_t body;
  ASSERT_OK(syn_simulation_create(NULL, &options, &t.s, &error));
  ASSERT_OK(syn_simulation_add_soft(t.s, t.soft, NULL, &body, &error));
  for (uint32_t i = 0; i < t.soft->node_count; ++i)
    if (t.soft->rest[i].z < 1 || t.soft->rest[i].z > 19)
      ASSERT_OK(syn_simulation_prescribe(t.s, 0, i, 7, SYN_NONE, &error));
  const syn_pose turn = syn_pose_about_axis(vec3(2.5, 2.5, 0), vec3(0.1, 0, 1), 0.8);
  for (uint32_t i = 0; i < t.soft->node_count; ++i)
    if (t.soft->rest[i].z > 19) syn_simulation_move_node(t.s, 0, i, syn_pose_point(&turn, t.soft->rest[i]));
  syn_simulation_load(t.s, 0, 8, vec3(0.4, 0, 0));
  return t;
}

static void drop_turning(turning *t) {
  syn_simulation_destroy(t->s);
  syn_soft_destroy(t->soft);
}

static void a_step_without_a_solution_is_taken_in_parts(void **state) {
  (void)state;
  syn_error error;
  turning whole = make_turning(0, 0);
  ASSERT_OK(syn_simulation_step(whole.s, &error));
  syn_tissue_step report;
  syn_simulation_report(whole.s, &report);
  assert_true(report.iterations > 4);
  const uint32_t too_few = report.iterations - 1;

  turning failing = make_turning(too_few, 0); /* not halved: it has no solution, and nothing has changed */
  ASSERT_FAILS(syn_simulation_step(failing.s, &error), SYN_NOT_CONVERGED, "step 1 has no solution after");
  assert_memory_equal(syn_simulation_positions(failing.s, 0), failing.soft->rest,
                      failing.soft->node_count * sizeof(syn_vec3));

  turning parts = make_turning(too_few, 10);
  ASSERT_OK(syn_simulation_step(parts.s, &error));
  const syn_vec3 *x = syn_simulation_positions(parts.s, 0), *expected = syn_simulation_positions(whole.s, 0);
  for (uint32_t i = 0; i < parts.soft->node_count; ++i) ASSERT_NEAR(vec3_distance(x[i], expected[i]), 0, 1e-6);
  syn_simulation_report(parts.s, &report);
  assert_int_equal(report.step, 1);
  ASSERT_NEAR(report.time_s, 0.001, 1e-15);
  assert_true(report.iterations > 2);              /* of all parts */
  ASSERT_OK(syn_simulation_step(parts.s, &error)); /* nothing is left to do */
  assert_int_equal(parts.s->steps, 2);

  turning never = make_turning(1, 3);
  const size_t count = syn_simulation_get_state(never.s, NULL);
  double *before = malloc(count * sizeof *before), *after = malloc(count * sizeof *after);
  syn_simulation_get_state(never.s, before);
  ASSERT_FAILS(syn_simulation_step(never.s, &error), SYN_NOT_CONVERGED, "nor by parts of 1/8 of the step");
  syn_simulation_get_state(never.s, after);
  assert_memory_equal(before, after, count * sizeof *before);
  free(before);
  free(after);
  drop_turning(&whole);
  drop_turning(&failing);
  drop_turning(&parts);
  drop_turning(&never);
}

/* The next step begins as short as the last one ended, and a simulation that is set to its state does so, too. */
static void parts_are_part_of_the_state(void **state) {
  (void)state;
  syn_error error;
  turning a = make_turning(5, 10), b = make_turning(5, 10);
  if (syn_simulation_step(a.s, &error)) fail_msg("%s", error.message);
  const size_t count = syn_simulation_get_state(a.s, NULL);
  double *now = malloc(count * sizeof *now);
  syn_simulation_get_state(a.s, now);
  syn_simulation_set_state(b.s, now);
  assert_int_equal(a.s->cut, b.s->cut);
  for (int i = 0; i < 2; ++i) {
    turning *t = i ? &b : &a;
    syn_simulation_load(t->s, 0, 8, vec3(0, 1, 0));
    ASSERT_OK(syn_simulation_step(t->s, &error));
  }
  assert_memory_equal(syn_simulation_positions(a.s, 0), syn_simulation_positions(b.s, 0),
                      a.soft->node_count * sizeof(syn_vec3));
  free(now);
  drop_turning(&a);
  drop_turning(&b);
}

static void what_nothing_holds_is_named(void **state) {
  (void)state;
  syn_error error;
  const uint32_t cells[3] = {2, 2, 2};
  for (int k = 0; k < 2; ++k) {
    syn_soft *soft = make_spring_block(NULL, cells, 5, vec3(0, 0, 0), 2);
    syn_simulation_options options = syn_default_simulation_options();
    options.integrator = SYN_INTEGRATOR_STATIC;
    options.gravity = vec3(0, 9810, 0);
    syn_simulation *s;
    uint32_t body;
    ASSERT_OK(syn_simulation_create(NULL, &options, &s, &error));
    ASSERT_OK(syn_simulation_add_soft(s, soft, "ball", &body, &error));
    for (uint32_t i = 0; k && i < 9; ++i) ASSERT_OK(syn_simulation_prescribe(s, body, i, SYN_Z, SYN_NONE, &error));
    ASSERT_FAILS(syn_simulation_step(s, &error), SYN_NOT_CONVERGED,
                 k ? "'ball' can still move as a whole, since what holds it stops only 3 of 6 ways"
                   : "no equilibrium: nothing holds 'ball'");
    syn_simulation_destroy(s);
    syn_soft_destroy(soft);
  }
}

/* A free body between two plates, on its corners, is held by no friction: an equilibrium says so, whatever presses it.
 */
static void a_body_between_plates_is_pressed_or_told_free(void **state) {
  (void)state;
  static const char *const responses[] = {"penalty", "barrier"};
  const syn_pose back = {.rotation = syn_pose_about_axis(vec3(0, 0, 0), vec3(0, 0, 1), 0).rotation,
                         .translation = vec3(-3, 0, 0)}; /* of the shape */
  syn_pose turn = syn_pose_about_axis(vec3(0, 0, 0), vec3(0.5, 0.8, 0.1), 0.7);
  turn.translation.z = 5.3;
  double m[16];
  turn = syn_pose_compose(&turn, &back);
  syn_pose_to_matrix(&turn, m);
  char place[400];
  snprintf(place, sizeof place, "%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,0,0,0,1", m[0],
           m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8], m[9], m[10], m[11]);
  for (int k = 0; k < 2; ++k) {
    syn_error error;
    char text[2000];
    snprintf(
        text, sizeof text,
        "{\"synovia\":1,\"name\":\"between\",\"bodies\":[{\"name\":\"ball\",\"shape\":{\"name\":\"beam\",\"length\":6,"
        "\"width\":6,\"height\":6,\"cells-x\":3,\"cells-y\":3,\"cells-z\":3},\"place\":[%s],\"model\":\"fem\","
        "\"material\":{\"young_mpa\":1,\"poisson\":0.3,\"density_kg_m3\":1000}},{\"name\":\"below\",\"shape\":{"
        "\"name\":"
        "\"cube\",\"edge\":16,\"cells\":4},\"place\":[0,0,-8]},{\"name\":\"above\",\"shape\":{\"name\":\"cube\","
        "\"edge\":"
        "16,\"cells\":4},\"place\":[0,0,18.6]}],\"motions\":[{\"body\":\"above\",\"shift_mm\":[0,0,-3]}],\"contacts\":["
        "{"
        "\"fixed\":\"below\",\"mobile\":\"ball\",\"response\":\"%s\"},{\"fixed\":\"above\",\"mobile\":\"ball\","
        "\"response\":\"%s\"}],\"integrator\":\"static\",\"step_s\":0.1,\"duration_s\":1}",
        place, responses[k], responses[k]);
    const char *path = temporary_path("between.json");
    write_text_file(path, text);
    syn_tissue_scene *scene;
    ASSERT_OK(syn_tissue_scene_read(NULL, path, NULL, &scene, &error));
    syn_status status = SYN_OK;
    for (int i = 0; i < 10 && !status; ++i) status = syn_tissue_scene_step(scene, &error);
    print_message("%s: %s\n", responses[k], status ? error.message : "runs");
    if (status) check_message(&error, status, "no equilibrium: nothing holds 'ball'");
    if (status && !strstr(error.message, "contacts have no friction")) fail_msg("%s", error.message);
    syn_tissue_scene_destroy(scene);
  }
}

/* A bar of nearly no stiffness, held at one end: its whole weight at once has no solution in so few corrections. Read
 * with `iterations` and taken through its only step; its positions. */
static syn_vec3 *hang(uint32_t iterations, uint32_t *count) {
  syn_error error;
  char text[1000];
  snprintf(
      text, sizeof text,
      "{\"synovia\":1,\"name\":\"weight\",\"bodies\":[{\"name\":\"bar\",\"shape\":{\"name\":\"beam\",\"length\":60,"
      "\"width\":10,\"height\":10,\"cells-x\":12,\"cells-y\":2,\"cells-z\":2},\"model\":\"fem\",\"law\":"
      "\"neo-hookean\",\"material\":{\"young_mpa\":0.003,\"poisson\":0.3,\"density_kg_m3\":1000}}],\"hold\":[{"
      "\"body\":\"bar\",\"box\":{\"min\":[-1,-6,-6],\"max\":[0.001,6,6]}}],\"gravity\":[0,0,-9810],\"integrator\":"
      "\"static\",\"step_s\":1,\"duration_s\":1,\"iterations\":%u}",
      iterations);
  const char *path = temporary_path("weight.json");
  write_text_file(path, text);
  syn_tissue_scene *scene;
  ASSERT_OK(syn_tissue_scene_read(NULL, path, NULL, &scene, &error));
  ASSERT_OK(syn_tissue_scene_step(scene, &error));
  *count = syn_soft_node_count(scene->bodies[0].soft);
  syn_vec3 *places = malloc(*count * sizeof *places);
  assert_non_null(places);
  memcpy(places, syn_simulation_positions(scene->simulation, 0), *count * sizeof *places);
  syn_tissue_scene_destroy(scene);
  return places;
}

static void weight_grows_with_the_parts_of_the_first_step(void **state) {
  (void)state;
  uint32_t count;
  syn_vec3 *parts = hang(20, &count), *whole = hang(100, &count);
  for (uint32_t i = 0; i < count; ++i) assert_true(vec3_distance(parts[i], whole[i]) < 1e-6);
  free(parts);
  free(whole);
}

/* ---- a cube falls on a plate ----------------------------------------------------------------------------------------
 */

typedef struct fall {
  const char *integrator, *model;
  double step_s, duration_s, thick_mm, young_mpa;
  bool whole; /* steps may not be divided */
} fall;

/* 10 mm, 2 mm above a plate whose vertices and edges lie under its own; nothing else is set. Returns the contact's
 * force by the weight, as a mean over the last quarter; *gained is the highest energy by the first. */
static double drop(const fall *f, double *lowest_mm, double *gained) {
  syn_error error;
  char text[1500];
  snprintf(text, sizeof text,
           "{\"synovia\":1,\"name\":\"fall\",\"bodies\":[{\"name\":\"cube\",\"shape\":{\"name\":\"beam\",\"length\":10,"
           "\"width\":10,\"height\":10,\"cells-x\":4,\"cells-y\":4,\"cells-z\":4},\"place\":[-5,0,7],\"model\":\"%s\","
           "\"material\":{\"young_mpa\":%g,\"poisson\":0.3,\"density_kg_m3\":1000}},{\"name\":\"plate\",\"shape\":{"
           "\"name\":\"beam\",\"length\":40,\"width\":40,\"height\":%g,\"cells-x\":4,\"cells-y\":4,\"cells-z\":1},"
           "\"place\":[-20,0,%g]}],\"contacts\":[{\"fixed\":\"plate\",\"mobile\":\"cube\"}],\"gravity\":[0,0,-9810],"
           "\"integrator\":\"%s\",\"step_s\":%g,\"duration_s\":%g}",
           f->model, f->young_mpa, f->thick_mm, -f->thick_mm / 2, f->integrator, f->step_s, f->duration_s);
  const char *path = temporary_path("fall.json");
  write_text_file(path, text);
  syn_tissue_scene *scene;
  ASSERT_OK(syn_tissue_scene_read(NULL, path, NULL, &scene, &error));
  syn_simulation *s = scene->simulation;
  const syn_soft *soft = scene->bodies[0].soft;
  if (f->whole) s->options.halvings = 0;
  const int steps = (int)(f->duration_s / f->step_s + 0.5);
  const double weight = 9810 * 1e-6, first = 2 * weight;
  double force = 0, counted = 0;
  *lowest_mm = INFINITY;
  *gained = 0;
  syn_vec3 *push = malloc(soft->node_count * sizeof *push);
  for (int i = 1; i <= steps; ++i) {
    ASSERT_OK(syn_tissue_scene_step(scene, &error));
    syn_tissue_step r;
    syn_simulation_report(s, &r);
    double energy = r.kinetic_nmm + r.elastic_nmm + r.contact_nmm;
    syn_simulation_forces(s, 0, push, NULL);
    for (uint32_t k = 0; k < soft->node_count; ++k) {
      const double z = syn_simulation_positions(s, 0)[k].z;
      energy += soft->mass[k] * 9810 * (z - soft->rest[k].z + 2);
      *lowest_mm = fmin(*lowest_mm, z);
      if (4 * i > 3 * steps) force += push[k].z;
    }
    counted += 4 * i > 3 * steps;
    *gained = fmax(*gained, energy / first);
  }
  free(push);
  syn_tissue_scene_destroy(scene);
  return force / counted / weight;
}

static void a_cube_falls_on_a_plate_at_default_settings(void **state) {
  (void)state;
  static const fall falls[] = {{"implicit", "fem", 1e-3, 0.1, 40, 1, false},
                               {"implicit", "fem", 1e-2, 0.2, 40, 0.05, false},
                               {"implicit", "fem", 1e-2, 0.2, 4, 100, false},
                               {"implicit", "molecules", 1e-2, 0.2, 4, 1, false}};
  enum { FAST = 2 }; /* the last ones; all of them in `make verify` */
  const size_t count = sizeof falls / sizeof *falls;
  for (size_t i = long_cases() ? 0 : count - FAST; i < count; ++i) {
    double lowest, gained;
    const double carried = drop(&falls[i], &lowest, &gained);
    print_message("%s, %g s: %.4f of the weight, lowest %g mm, energy %.4f\n", falls[i].integrator, falls[i].step_s,
                  carried, lowest, gained);
    ASSERT_NEAR(carried, 1, 0.02);
    assert_true(lowest > -0.5 && gained < 1.001);
  }
}

/* Vertices that rest on the plate come and go from one correction to the next: such a step is solved as it is. */
static void a_cube_at_rest_needs_no_parts(void **state) {
  (void)state;
  static const fall falls[] = {{"implicit", "fem", 1e-2, 0.05, 4, 100, true},
                               {"implicit", "molecules", 1e-2, 0.05, 4, 1, true}};
  for (size_t i = 0; i < sizeof falls / sizeof *falls; ++i) {
    double lowest, gained;
    drop(&falls[i], &lowest, &gained);
    assert_true(lowest > -0.5 && gained < 1.001);
  }
}

/* Steps that are too long for positions are divided: no energy comes, and a thin plate is not passed. */
static void positions_divide_their_steps(void **state) {
  (void)state;
  static const double steps[] = {0.01, 0.02, 0.05}, thick[] = {40, 4};
  for (int i = long_cases() ? 0 : 2; i < 3; ++i)
    for (int k = 0; k < 2; ++k) {
      const fall f = {"positions", "fem", steps[i], 0.3, thick[k], 0.05, false};
      double lowest, gained;
      const double carried = drop(&f, &lowest, &gained);
      print_message("positions, %g s, plate of %g mm: %.4f of the weight, lowest %g mm, energy %.4f\n", steps[i],
                    thick[k], carried, lowest, gained);
      ASSERT_NEAR(carried, 1, 0.05);
      assert_true(lowest > -0.05 && gained < 1.01);
    }
}

/* A cube whose lower side is below the top of a plate; nothing pulls or pushes it. */
static syn_tissue_scene *sunken_cube(double depth_mm, double young_mpa, double step_s, double gravity) {
  syn_error error;
  char text[1500];
  snprintf(
      text, sizeof text,
      "{\"synovia\":1,\"name\":\"sunken\",\"bodies\":[{\"name\":\"cube\",\"shape\":{\"name\":\"beam\",\"length\":10,"
      "\"width\":10,\"height\":10,\"cells-x\":4,\"cells-y\":4,\"cells-z\":4},\"place\":[-5,0,%g],\"model\":\"fem\","
      "\"material\":{\"young_mpa\":%g,\"poisson\":0.3,\"density_kg_m3\":1000}},{\"name\":\"plate\",\"shape\":{"
      "\"name\":\"beam\",\"length\":30,\"width\":30,\"height\":4,\"cells-x\":1,\"cells-y\":1,\"cells-z\":1},"
      "\"place\":[-15,0,-2]}],\"contacts\":[{\"fixed\":\"plate\",\"mobile\":\"cube\"}],\"gravity\":[0,0,%g],"
      "\"integrator\":\"positions\",\"step_s\":%g,\"duration_s\":1}",
      5 - depth_mm, young_mpa, gravity, step_s);
  const char *path = temporary_path("sunken.json");
  write_text_file(path, text);
  syn_tissue_scene *scene;
  ASSERT_OK(syn_tissue_scene_read(NULL, path, NULL, &scene, &error));
  return scene;
}

/* The way out of a penetration is no velocity. What the cube bounces by is what parting has stored in it: less than if
 * its lowest layer of elements, of 2.5 mm, took all of the depth. */
static void what_was_parted_does_not_become_speed(void **state) {
  (void)state;
  syn_error error;
  const double depth = 0.2, young = 0.05, layer = 2.5, area = 100;
  const double stored = young / 2 * pow(depth / layer, 2) * layer * area;
  syn_tissue_scene *scene = sunken_cube(depth, young, 1e-3, 0);
  for (int i = 0; i < 5; ++i) {
    syn_tissue_step r;
    ASSERT_OK(syn_tissue_scene_step(scene, &error));
    syn_simulation_report(scene->simulation, &r);
    assert_true(r.kinetic_nmm + r.elastic_nmm > 0.01 * stored && r.kinetic_nmm + r.elastic_nmm < stored);
  }
  syn_tissue_scene_destroy(scene);
}

/* A part of a step is short beside the body that moves, however slowly that vibrates: in a tenth of a second it would
 * fall by ten times its size. */
static void positions_go_short_ways_at_a_time(void **state) {
  (void)state;
  syn_error error;
  const double step = 0.1, gravity = 9810, diagonal = 10 * sqrt(3);
  uint32_t parts;
  syn_tissue_scene *scene = sunken_cube(-40, 1e-5, step, -gravity);
  ASSERT_OK(syn_positions_parts(scene->simulation, &parts, &error));
  assert_true(parts >= gravity * step * step / (0.02 * diagonal) && parts < 1000);
  syn_tissue_scene_destroy(scene);
}

/* A ball pressed slowly into a block, which is held below: elastic energy at the end, N mm. */
static double press(const char *integrator, const char *response, double step_s) {
  syn_error error;
  char text[1500];
  snprintf(
      text, sizeof text,
      "{\"synovia\":1,\"name\":\"press\",\"bodies\":[{\"name\":\"tissue\",\"shape\":{\"name\":\"beam\",\"length\":12,"
      "\"width\":12,\"height\":6,\"cells-x\":6,\"cells-y\":6,\"cells-z\":3},\"model\":\"fem\",\"law\":\"neo-hookean\","
      "\"material\":{\"young_mpa\":0.1,\"poisson\":0.4,\"density_kg_m3\":1000}},{\"name\":\"ball\",\"shape\":{\"name\":"
      "\"sphere\",\"radius\":6,\"level\":3},\"place\":[6,0,9.02]}],\"hold\":[{\"body\":\"tissue\",\"box\":{\"min\":[-1,"
      "-9,"
      "-4],\"max\":[13,9,-2.99]}}],\"contacts\":[{\"fixed\":\"ball\",\"mobile\":\"tissue\",\"response\":\"%s\"%s}],"
      "\"motions\":[{\"body\":\"ball\",\"shift_mm\":[0,0,-1]}],\"integrator\":\"%s\",\"step_s\":%g,\"duration_s\":0.2}",
      response, response[0] == 'b' ? ",\"barrier_mm\":0.02" : "", integrator, step_s);
  const char *path = temporary_path("press.json");
  write_text_file(path, text);
  syn_tissue_scene *scene;
  ASSERT_OK(syn_tissue_scene_read(NULL, path, NULL, &scene, &error));
  const int steps = (int)(0.2 / step_s + 0.5);
  for (int i = 0; i < steps; ++i) ASSERT_OK(syn_tissue_scene_step(scene, &error));
  syn_tissue_step r;
  syn_simulation_report(scene->simulation, &r);
  print_message("%s, %s, %g s: elastic %.4f N mm, kinetic %.2g\n", integrator, response, step_s, r.elastic_nmm,
                r.kinetic_nmm);
  syn_tissue_scene_destroy(scene);
  return r.elastic_nmm;
}

/* As the barrier in equilibrium does, but for what swings; and the same in steps of any length. */
static void positions_press_as_an_equilibrium_does(void **state) {
  (void)state;
  const double still = press("static", "barrier", 0.02);
  static const double steps[] = {0.02, 0.005};
  for (int i = 0; i < 2; ++i) ASSERT_NEAR(press("positions", "penalty", steps[i]), still, 0.15 * still);
}

/* A stiff body in a long step would take too many parts, and is told so. */
static void positions_refuse_what_takes_too_many_parts(void **state) {
  (void)state;
  syn_error error;
  const uint32_t cells[3] = {1, 1, 1};
  syn_soft *soft = make_spring_block(NULL, cells, 5, vec3(0, 0, 0), 1e6);
  syn_simulation_options options = syn_default_simulation_options();
  options.integrator = SYN_INTEGRATOR_POSITIONS;
  options.step_s = 10;
  syn_simulation *s;
  uint32_t body;
  ASSERT_OK(syn_simulation_create(NULL, &options, &s, &error));
  ASSERT_OK(syn_simulation_add_soft(s, soft, NULL, &body, &error));
  ASSERT_FAILS(syn_simulation_step(s, &error), SYN_TOO_LARGE, "would take positions");
  syn_simulation_destroy(s);
  syn_soft_destroy(soft);
}

/* ---- the bound of explicit steps ------------------------------------------------------------------------------------
 */

/* Two masses on a spring: omega^2 = 2 k / m; symplectic steps are stable below 2 / omega. */
static void the_longest_stable_step_is_that_of_the_fastest_vibration(void **state) {
  (void)state;
  syn_error error;
  syn_soft *soft = make_spring_pair(vec3(0, 0, 0), vec3(10, 0, 0), 4, 1e-3);
  syn_simulation_options options = syn_default_simulation_options();
  const double w = sqrt(2 * 4 / 1e-3), expected[] = {2 / w, 2.78 / w, 0};
  static const syn_integrator kinds[] = {SYN_INTEGRATOR_SYMPLECTIC, SYN_INTEGRATOR_RK4, SYN_INTEGRATOR_EXPLICIT};
  for (int k = 0; k < 3; ++k) {
    options.integrator = kinds[k];
    syn_simulation *s;
    uint32_t body;
    double limit;
    ASSERT_OK(syn_simulation_create(NULL, &options, &s, &error));
    ASSERT_OK(syn_simulation_add_soft(s, soft, NULL, &body, &error));
    ASSERT_OK(syn_sim_stable_step(s, &limit, &error));
    ASSERT_NEAR(limit, expected[k], 1e-3 * expected[k]);
    syn_simulation_destroy(s);
  }
  syn_soft_destroy(soft);
}

static void a_step_above_the_bound_is_told_the_bound(void **state) {
  (void)state;
  syn_error error;
  const uint32_t cells[3] = {2, 2, 2};
  syn_soft *soft = make_spring_block(NULL, cells, 5, vec3(0, 0, 0), 2);
  for (int above = 0; above < 2; ++above) {
    syn_simulation_options options = syn_default_simulation_options();
    options.integrator = SYN_INTEGRATOR_SYMPLECTIC;
    options.gravity = vec3(0, 0, -9810);
    syn_simulation *s;
    uint32_t body;
    double limit;
    ASSERT_OK(syn_simulation_create(NULL, &options, &s, &error));
    ASSERT_OK(syn_simulation_add_soft(s, soft, NULL, &body, &error));
    for (uint32_t i = 0; i < 9; ++i) ASSERT_OK(syn_simulation_prescribe(s, 0, i, 7, SYN_NONE, &error));
    ASSERT_OK(syn_sim_stable_step(s, &limit, &error));
    ASSERT_OK(syn_simulation_set_step(s, (above ? 1.3 : 0.9) * limit, &error));
    syn_status status = SYN_OK;
    for (int i = 0; i < 1000 && !status; ++i) status = syn_simulation_step(s, &error);
    assert_int_equal(status, above ? SYN_NOT_CONVERGED : SYN_OK);
    if (above) check_message(&error, SYN_NOT_CONVERGED, "symplectic steps of these bodies are stable below about");
    syn_simulation_destroy(s);
  }
  syn_soft_destroy(soft);
}

/* A body that falls onto a plate; `context` may refuse memory. */
static syn_simulation *make_fall(const syn_context *context, syn_soft *soft, const syn_trimesh *plate) {
  syn_error error;
  syn_simulation_options options = syn_default_simulation_options();
  options.integrator = SYN_INTEGRATOR_SYMPLECTIC;
  options.gravity = vec3(0, 0, -9810);
  options.step_s = 1e-5;
  syn_simulation *s;
  uint32_t body, below;
  ASSERT_OK(syn_simulation_create(context, &options, &s, &error));
  ASSERT_OK(syn_simulation_add_soft(s, soft, NULL, &body, &error));
  ASSERT_OK(syn_simulation_add_rigid(s, plate, NULL, &below, &error));
  ASSERT_OK(syn_simulation_touch(s, below, body, NULL, &error));
  const syn_pose rising = {.rotation = syn_pose_identity().rotation, .translation = vec3(0, 0, 0.5)};
  syn_simulation_move(s, below, &rising);
  return s;
}

/* The search for contacts at the end of a step fails after bodies have moved: time, bodies and poses go back. */
static void a_failed_search_for_contacts_undoes_its_step(void **state) {
  (void)state;
  syn_error error;
  test_memory memory = {0};
  const syn_context context = test_context(&memory);
  const uint32_t cells[3] = {2, 2, 2};
  syn_soft *soft = make_spring_block(NULL, cells, 5, vec3(-5, -5, 10.1), 2);
  syn_trimesh *plate = make_cube(NULL, 10);
  syn_simulation *s = make_fall(&context, soft, plate), *twin = make_fall(NULL, soft, plate);
  const size_t count = syn_simulation_get_state(s, NULL);
  double *before = malloc(count * sizeof *before), *after = malloc(count * sizeof *after);
  int refused = 0;
  for (int i = 0; i < 30; ++i) {
    syn_simulation_get_state(s, before);
    for (size_t number = 1;; ++number) {
      memory.refuse_at = memory.allocations + number;
      const syn_status status = syn_simulation_step(s, &error);
      memory.refuse_at = 0;
      if (!status) break;
      if (status != SYN_NO_MEMORY) fail_msg("%s", error.message);
      syn_simulation_get_state(s, after);
      assert_memory_equal(before, after, count * sizeof *before);
      ++refused;
    }
    ASSERT_OK(syn_simulation_step(twin, &error));
    syn_simulation_get_state(s, before);
    syn_simulation_get_state(twin, after);
    assert_memory_equal(before, after, count * sizeof *before);
  }
  assert_true(refused > 1 && s->gaps.count > 0);
  free(before);
  free(after);
  syn_simulation_destroy(s);
  syn_simulation_destroy(twin);
  syn_trimesh_destroy(plate);
  syn_soft_destroy(soft);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_step_without_a_solution_is_taken_in_parts),
      cmocka_unit_test(a_failed_search_for_contacts_undoes_its_step),
      cmocka_unit_test(parts_are_part_of_the_state),
      cmocka_unit_test(what_nothing_holds_is_named),
      cmocka_unit_test(a_body_between_plates_is_pressed_or_told_free),
      cmocka_unit_test(a_cube_falls_on_a_plate_at_default_settings),
      cmocka_unit_test(weight_grows_with_the_parts_of_the_first_step),
      cmocka_unit_test(a_cube_at_rest_needs_no_parts),
      cmocka_unit_test(positions_divide_their_steps),
      cmocka_unit_test(what_was_parted_does_not_become_speed),
      cmocka_unit_test(positions_go_short_ways_at_a_time),
      cmocka_unit_test(positions_press_as_an_equilibrium_does),
      cmocka_unit_test(positions_refuse_what_takes_too_many_parts),
      cmocka_unit_test(the_longest_stable_step_is_that_of_the_fastest_vibration),
      cmocka_unit_test(a_step_above_the_bound_is_told_the_bound),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
