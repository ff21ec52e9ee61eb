// test: slow, early
/* Small scenes drawn at random, of every model, integrator, response, stiffness and step: each runs to its end, or ends
 * with a message that truly says why. `make verify` draws two hundred, and drops of all models on barriers. */
#include "support.h"

#include "base/vec.h"

#include <synovia/tissue.h>

enum { FEW = 32, ALL = 200, STEPS = 40 };

typedef enum kind { FALL, PATCH, PRESS, PAIR, KINDS } kind;

typedef struct drawn {
  kind kind;
  const char *model, *law, *integrator, *response;
  double young, step;
} drawn;

static const char *const kind_names[KINDS] = {"cube on plate", "blocks on each other", "ball pressed in", "two cubes"};

#define PICK(random, list) (list)[random_below(random, (uint32_t)(sizeof(list) / sizeof *(list)))]

static drawn draw(test_random *random) {
  static const char *const models[][2] = {{"fem", "corotational"}, {"fem", "linear"},   {"fem", "neo-hookean"},
                                          {"fem", "corotational"}, {"molecules", NULL}, {"vdm", NULL}};
  static const char *const integrators[] = {"implicit",  "implicit",   "static", "positions",
                                            "positions", "symplectic", "rk4",    "explicit"};
  static const char *const responses[] = {"penalty",    "penalty",    "penalty", "barrier",
                                          "correction", "look-ahead", "volume"};
  static const double youngs[] = {0.05, 1, 100}, steps[] = {1e-4, 1e-3, 1e-2};
  drawn d;
  d.kind = (kind)random_below(random, KINDS);
  const uint32_t model = random_below(random, 6);
  d.model = models[model][0];
  d.law = models[model][1];
  d.integrator = PICK(random, integrators);
  d.response = PICK(random, responses);
  d.young = PICK(random, youngs);
  d.step = PICK(random, steps);
  return d;
}

/* A cube of 6 mm whose lower side is at `z`. */
static int write_block(const drawn *d, const char *name, double z, char *text, size_t size) {
  return snprintf(
      text, size,
      "{\"name\":\"%s\",\"shape\":{\"name\":\"beam\",\"length\":6,\"width\":6,\"height\":6,\"cells-x\":3,"
      "\"cells-y\":3,\"cells-z\":3},\"place\":[-3,0,%g],\"model\":\"%s\"%s%s%s%s,\"material\":{\"young_mpa\":%g,"
      "\"poisson\":0.3,\"density_kg_m3\":1000}}",
      name, z + 3, d->model, d->law ? ",\"law\":\"" : "", d->law ? d->law : "", d->law ? "\"" : "",
      strcmp(d->model, "molecules") == 0 ? ",\"spacing_mm\":1.5" : "", d->young);
}

/* Between the bodies. An equilibrium begins with surfaces in each other where its response takes that: without contact
 * nothing would carry the upper body. */
static const double ROOM = 0.01;

static bool is(const char *a, const char *b) { return strcmp(a, b) == 0; }

static double room_of(const drawn *d) {
  return is(d->integrator, "static") && is(d->response, "penalty") ? -ROOM : ROOM;
}

static void write_scene(const drawn *d, const char *path) {
  char text[4000], lower[800], upper[800];
  const char *const plate =
      "{\"name\":\"plate\",\"shape\":{\"name\":\"cube\",\"edge\":16,\"cells\":4},\"place\":[0,0,-8]}";
  const char *const hold_low = "\"hold\":[{\"body\":\"low\",\"box\":{\"min\":[-9,-9,-6.1],\"max\":[9,9,-4.5]}}],";
  const bool on_plate = d->kind == FALL;
  write_block(d, on_plate ? "cube" : "low", on_plate ? room_of(d) : -6, lower, sizeof lower);
  write_block(d, "high", room_of(d), upper, sizeof upper);
  char second[800], extra[400] = "", contact[300];
  snprintf(second, sizeof second, "%s", on_plate ? plate : upper);
  if (d->kind == PRESS)
    snprintf(second, sizeof second,
             "{\"name\":\"high\",\"shape\":{\"name\":\"sphere\",\"radius\":4,\"level\":2},\"place\":[0.1,0.2,%g]}",
             4 + room_of(d));
  if (d->kind == PRESS)
    snprintf(extra, sizeof extra, "\"motions\":[{\"body\":\"high\",\"shift_mm\":[0,0,-1]}],%s", hold_low);
  else if (d->kind == PATCH) /* the upper one rests on the lower: in its own line */
    snprintf(extra, sizeof extra,
             "\"hold\":[{\"body\":\"low\",\"box\":{\"min\":[-9,-9,-6.1],\"max\":[9,9,-4.5]}},"
             "{\"body\":\"high\",\"box\":{\"min\":[-9,-9,-9],\"max\":[9,9,9]},\"axes\":\"xy\"}],");
  else if (d->kind == PAIR)
    snprintf(extra, sizeof extra, "%s", hold_low);
  snprintf(contact, sizeof contact, "{\"fixed\":\"%s\",\"mobile\":\"%s\",\"response\":\"%s\"}",
           on_plate           ? "plate"
           : d->kind == PRESS ? "high"
                              : "low",
           on_plate           ? "cube"
           : d->kind == PRESS ? "low"
                              : "high",
           d->response);
  snprintf(text, sizeof text,
           "{\"synovia\":1,\"name\":\"small\",\"bodies\":[%s,%s],%s\"contacts\":[%s],\"gravity\":[0,0,-9810],"
           "\"integrator\":\"%s\",\"step_s\":%g,\"duration_s\":%g}",
           lower, second, extra, contact, d->integrator, d->step, STEPS * d->step);
  write_text_file(path, text);
}

static bool is_explicit(const drawn *d) {
  return is(d->integrator, "symplectic") || is(d->integrator, "rk4") || is(d->integrator, "explicit");
}

/* Not a force with an energy. */
static bool is_rule(const drawn *d) { return !is(d->response, "penalty") && !is(d->response, "barrier"); }

/* A force with an energy, in a scheme that loses some. */
static bool dissipates(const drawn *d) {
  return !is_rule(d) && (is(d->integrator, "implicit") || is(d->integrator, "positions")) && d->kind != PRESS;
}

/* The reasons that a scene may have not to run, each with what makes it true. */
static bool is_refused_rightly(const drawn *d, const char *message) {
  const bool solves = is(d->integrator, "implicit") || is(d->integrator, "static");
  if (strstr(message, "a barrier needs the implicit or the static")) return is(d->response, "barrier") && !solves;
  if (strstr(message, "has no constraints for the integrator by positions"))
    return is(d->model, "vdm") && is(d->integrator, "positions");
  return false;
}

static bool ends_rightly(const drawn *d, const char *message) {
  if (strstr(message, "nothing holds 'cube'")) return is(d->integrator, "static") && d->kind == FALL;
  if (strstr(message, "nothing holds 'high'")) return is(d->integrator, "static") && d->kind == PAIR;
  if (strstr(message, "'high' can still move as a whole")) return is(d->integrator, "static") && d->kind == PATCH;
  double limit;
  const char *at = strstr(message, "stable below about ");
  if (at && sscanf(at, "stable below about %lf s", &limit) == 1) return is_explicit(d) && d->step > limit;
  if (strstr(message, "gain energy at any length")) return is(d->integrator, "explicit");
  if (strstr(message, "what moves or pushes them is too much for the step")) return is_explicit(d) && is_rule(d);
  return false;
}

/* Positions go in parts as short as the body vibrates: stiff bodies get fewer steps. */
static int steps_of(const drawn *d) {
  if (!is(d->integrator, "positions")) return STEPS;
  const double steps = 0.01 / d->step / sqrt(d->young);
  return steps < 1 ? 1 : steps < STEPS ? (int)steps : STEPS;
}

static double energy_of(const syn_tissue_scene *scene) {
  const syn_simulation *s = scene->simulation;
  syn_tissue_step r;
  syn_simulation_report(s, &r);
  double sum = r.kinetic_nmm + r.elastic_nmm + r.contact_nmm;
  for (size_t b = 0; b < scene->body_count; ++b) {
    const syn_soft *soft = scene->bodies[b].soft;
    if (!soft) continue;
    const syn_vec3 *x = syn_simulation_positions(s, (uint32_t)b), *rest = syn_soft_rest(soft);
    for (uint32_t i = 0; i < syn_soft_node_count(soft); ++i)
      sum += syn_soft_masses(soft)[i] * 9810 * (x[i].z - rest[i].z);
  }
  return sum;
}

/* Finite, and not through the plate: a barrier is never crossed, and a penalty stops a body before it has gone in by a
 * third of its height. The other responses add energy at every depth, up to folding (docs/scene.md), and explicit steps
 * may be on their way to diverging. */
static bool are_places_right(const drawn *d, const syn_tissue_scene *scene, int step, const char *words) {
  const syn_simulation *s = scene->simulation;
  const double lowest = is(d->response, "barrier") ? 0 : -2;
  const bool stops = d->kind == FALL && !is_explicit(d) && !is_rule(d);
  for (size_t b = 0; b < scene->body_count; ++b) {
    const syn_soft *soft = scene->bodies[b].soft;
    const syn_vec3 *x = soft ? syn_simulation_positions(s, (uint32_t)b) : NULL;
    for (uint32_t i = 0; soft && i < syn_soft_node_count(soft); ++i) {
      if (isfinite(vec3_length2(x[i])) && !(stops && x[i].z < lowest)) continue;
      print_error("%s: step %d: node %u is at %g, %g, %g mm\n", words, step, i, x[i].x, x[i].y, x[i].z);
      return false;
    }
  }
  return true;
}

/* Steps that are long beside the bounce, or an equilibrium, bring the upper body to rest. A volume distribution holds
 * its nodes to their places at rest (docs/theory/tissue-vdm.md) and lies on nothing. */
static bool comes_to_rest(const drawn *d) {
  if (is_rule(d) || d->kind == PRESS || is(d->model, "vdm")) return false;
  return is(d->integrator, "static") ? d->kind == PATCH : is(d->integrator, "implicit") && d->step == 1e-2;
}

/* What the contact carries of the upper body by its weight. */
static double carried(const drawn *d, const syn_tissue_scene *scene) {
  const uint32_t body = d->kind == FALL ? 0 : 1;
  const syn_soft *soft = scene->bodies[body].soft;
  const uint32_t count = syn_soft_node_count(soft);
  syn_vec3 *push = malloc(count * sizeof *push);
  double force = 0, mass = 0;
  syn_simulation_forces(scene->simulation, body, push, NULL);
  for (uint32_t i = 0; i < count; ++i) {
    force += push[i].z;
    mass += syn_soft_masses(soft)[i];
  }
  free(push);
  return force / (mass * 9810);
}

typedef struct tally {
  uint32_t ran, refused, ended, wrong;
} tally;

static void step_scene(const drawn *d, syn_tissue_scene *scene, const char *words, tally *count) {
  syn_error error;
  const double first = energy_of(scene), scale = 216e-9 * 9810 * 0.05; /* the weight over 0.05 mm */
  const int steps = steps_of(d), late = 3 * steps / 4;
  double most = first, rests = 0;
  for (int i = 0; i < steps; ++i) {
    if (syn_tissue_scene_step(scene, &error)) {
      ++count->ended;
      if (is_refused_rightly(d, error.message) || ends_rightly(d, error.message)) return;
      print_error("%s: %s\n", words, error.message);
      ++count->wrong;
      return;
    }
    if (!are_places_right(d, scene, i + 1, words)) {
      ++count->wrong;
      return;
    }
    most = fmax(most, energy_of(scene));
    if (i >= late && comes_to_rest(d)) rests += carried(d, scene) / (steps - late);
  }
  ++count->ran;
  const bool gained = dissipates(d) && most > first + scale, held = !comes_to_rest(d) || fabs(rests - 1) < 0.02;
  if (gained) print_error("%s: energy %g, then %g N mm\n", words, first, most);
  if (!held) print_error("%s: the contact carries %g of the weight\n", words, rests);
  count->wrong += gained || !held;
}

static void run_scene(const drawn *d, tally *count) {
  syn_error error;
  char words[200];
  const char *path = temporary_path("small.json");
  snprintf(words, sizeof words, "%s, %s %s, %s, %s, E %g MPa, step %g s", kind_names[d->kind], d->model,
           d->law ? d->law : "", d->integrator, d->response, d->young, d->step);
  write_scene(d, path);
  syn_tissue_scene *scene;
  if (syn_tissue_scene_read(NULL, path, NULL, &scene, &error) == SYN_OK) {
    step_scene(d, scene, words, count);
    syn_tissue_scene_destroy(scene);
    return;
  }
  ++count->refused;
  if (is_refused_rightly(d, error.message)) return;
  print_error("%s: refused: %s\n", words, error.message);
  ++count->wrong;
}

static void every_scene_runs_or_says_why_not(void **state) {
  (void)state;
  test_random random = {34};
  tally count = {0};
  const int scenes = long_cases() ? ALL : FEW;
  for (int i = 0; i < scenes; ++i) {
    const drawn d = draw(&random);
    run_scene(&d, &count);
  }
  print_message("%d scenes: %u ran to their end, %u were refused, %u ended with their reason\n", scenes, count.ran,
                count.refused, count.ended);
  assert_int_equal(count.wrong, 0);
  assert_true(count.ran > (uint32_t)scenes / 3);
}

/* ---- drops onto a barrier -------------------------------------------------------------------------------------------
 */

typedef struct barrier_drop {
  bool molecules;
  double young, high_mm, barrier_mm, step_s;
  syn_pose pose;
} barrier_drop;

static barrier_drop draw_drop(test_random *random) {
  static const double youngs[] = {0.05, 1, 100}, reaches[] = {0.02, 0.05, 0.05, 0.2},
                      steps[] = {3e-4, 1e-3, 1e-3, 1e-2};
  barrier_drop d;
  d.molecules = random_below(random, 2);
  d.young = PICK(random, youngs);
  d.barrier_mm = PICK(random, reaches);
  d.step_s = PICK(random, steps);
  d.high_mm = random_between(random, 0.3, 2);
  const syn_vec3 axis = vec3_unit(vec3_add(vec3(0.1, 0.2, 0.3), random_vec3(random, 1)));
  const bool turned = random_below(random, 3) > 0; /* else the cube falls flat */
  d.pose = syn_pose_about_axis(vec3(0, 0, 0), axis, turned ? random_between(random, 0, 3) : 0);
  double lowest = 0;
  for (int c = 0; c < 8; ++c)
    lowest = fmin(lowest, syn_pose_point(&d.pose, vec3(c & 1 ? 3 : -3, c & 2 ? 3 : -3, c & 4 ? 3 : -3)).z);
  syn_pose middle = syn_pose_about_axis(vec3(0, 0, 0), axis, 0), up = middle;
  middle.translation = vec3(-3, 0, 0); /* of the shape */
  up.translation = vec3(0.1, 0.2, d.high_mm + d.barrier_mm - lowest);
  d.pose = syn_pose_compose(&d.pose, &middle);
  d.pose = syn_pose_compose(&up, &d.pose);
  return d;
}

static void write_drop(const barrier_drop *d, const char *path) {
  char text[3000], place[600] = "";
  double matrix[16];
  syn_pose_to_matrix(&d->pose, matrix);
  for (int i = 0; i < 16; ++i) {
    const size_t length = strlen(place);
    snprintf(place + length, sizeof place - length, "%s%.17g", i ? "," : "", matrix[i]);
  }
  snprintf(text, sizeof text,
           "{\"synovia\":1,\"name\":\"drop\",\"bodies\":[{\"name\":\"cube\",\"shape\":{\"name\":\"beam\",\"length\":6,"
           "\"width\":6,\"height\":6,\"cells-x\":3,\"cells-y\":3,\"cells-z\":3},\"place\":[%s],\"model\":\"%s\"%s,"
           "\"material\":{\"young_mpa\":%g,\"poisson\":0.3,\"density_kg_m3\":1000}},{\"name\":\"plate\",\"shape\":{"
           "\"name\":\"cube\",\"edge\":16,\"cells\":4},\"place\":[0,0,-8]}],\"contacts\":[{\"fixed\":\"plate\","
           "\"mobile\":\"cube\",\"response\":\"barrier\",\"barrier_mm\":%g}],\"gravity\":[0,0,-9810],\"step_s\":%g,"
           "\"duration_s\":1}",
           place, d->molecules ? "molecules" : "fem", d->molecules ? ",\"spacing_mm\":1.5" : "", d->young,
           d->barrier_mm, d->step_s);
  write_text_file(path, text);
}

/* Half as long again as the fall takes, or 40 steps. Returns whether the cube stayed above the plate. */
static bool stays_above(const barrier_drop *d) {
  syn_error error;
  syn_tissue_scene *scene;
  const char *path = temporary_path("drop.json");
  write_drop(d, path);
  ASSERT_OK(syn_tissue_scene_read(NULL, path, NULL, &scene, &error));
  const syn_soft *soft = scene->bodies[0].soft;
  const syn_vec3 *x = syn_simulation_positions(scene->simulation, 0);
  const double first = energy_of(scene), fall_s = sqrt(2 * d->high_mm / 9810);
  const int steps = (int)fmin(fmax(1.5 * fall_s / d->step_s, 10), 40);
  double lowest = INFINITY, most = first;
  syn_status status = SYN_OK;
  for (int i = 0; i < steps && !status; ++i) {
    status = syn_tissue_scene_step(scene, &error);
    for (uint32_t k = 0; !status && k < syn_soft_node_count(soft); ++k) lowest = fmin(lowest, x[k].z);
    if (!status) most = fmax(most, energy_of(scene));
  }
  const double weight = 216e-9 * 9810;
  const bool right = !status && lowest > 0 && most < first + weight * 0.01;
  if (!right)
    print_error(
        "%s, E %g MPa, from %g mm, barrier %g mm, step %g s: lowest %g mm, energy + %g of weight times mm: %s\n",
        d->molecules ? "molecules" : "fem", d->young, d->high_mm, d->barrier_mm, d->step_s, lowest,
        (most - first) / weight, status ? error.message : "");
  syn_tissue_scene_destroy(scene);
  return right;
}

/* Turned anyhow, or flat. */
static void cubes_dropped_onto_a_barrier_stay_above(void **state) {
  (void)state;
  test_random random = {5};
  int wrong = 0;
  for (int i = 0; i < (long_cases() ? 40 : 3); ++i) {
    const barrier_drop d = draw_drop(&random);
    wrong += !stays_above(&d);
  }
  assert_int_equal(wrong, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_scene_runs_or_says_why_not),
                                     cmocka_unit_test(cubes_dropped_onto_a_barrier_stay_above)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
