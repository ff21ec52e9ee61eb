/* `collide` with every method of the library in every kind of scene: text and JSON agree with the library's results. */
#include "base/vec.h"
#include "program.h"

typedef enum body_kind { SURFACES, VOLUMES } body_kind;

/* What the mobile body does, as the command line says it. */
typedef struct scene {
  const char *name;
  const char *words[4]; /* options after the files */
  syn_pose pose;        /* the same for the library */
  syn_vec3 axis;
  double angle;
  bool fixed_inside, self;
  size_t most;
} scene;

enum { SCENES = 8, MOST = 1000 };

static syn_pose shifted(double x, double y, double z) {
  syn_pose pose = syn_pose_identity();
  pose.translation = (syn_vec3){x, y, z};
  return pose;
}

static const syn_vec3 center = {0.9, 1.1, 0.8};
static const char center_words[] = "0.9,1.1,0.8";

static void make_scenes(scene scenes[SCENES]) {
  static const char away[] = "1 0 0 50 0 1 0 0 0 0 1 0 0 0 0 1", into[] = "1 0 0 1.37 0 1 0 1.19 0 0 1 1.58 0 0 0 1",
                    touching[] = "1 0 0 2 0 1 0 0 0 0 1 0 0 0 0 1", aslant[] = "1 0 0 0.3 0 1 0 0.2 0 0 1 0.1 0 0 0 1";
  const syn_vec3 x = {1, 0, 0}, z = {0, 0, 1};
  const double turn = 30 * SYN_PI / 180;
  const scene all[SCENES] = {
      {"apart", {"--pose", away}, shifted(50, 0, 0), z, 0, false, false, MOST},
      {"a corner inside", {"--pose", into}, shifted(1.37, 1.19, 1.58), z, 0, false, false, MOST},
      {"side by side", {"--pose", touching}, shifted(2, 0, 0), z, 0, false, false, MOST},
      {"overlapping", {"--pose", aslant}, shifted(0.3, 0.2, 0.1), z, 0, false, false, MOST},
      {"turned",
       {"--axis", "1,0,0", "--angle", "30"},
       syn_pose_about_axis(center, x, turn),
       x,
       turn,
       false,
       false,
       MOST},
      {"the fixed one inside", {"--pose", into, "--fixed-inside"}, shifted(1.37, 1.19, 1.58), z, 0, true, false, MOST},
      {"one contact listed", {"--pose", aslant, "--max-contacts", "1"}, shifted(0.3, 0.2, 0.1), z, 0, false, false, 1},
      {"with itself", {NULL}, syn_pose_identity(), z, 0, false, true, MOST},
  };
  memcpy(scenes, all, sizeof all);
}

/* ---- the bodies ---------------------------------------------------------------------------------------------------
 */

typedef struct bodies {
  char path[2][512]; /* by body_kind */
  syn_trimesh *surface;
  syn_tetmesh *volume;
} bodies;

static int make_bodies(void **state) {
  static bodies b;
  syn_error error;
  syn_trimesh *cube = make_cube(NULL, 2);
  const syn_geometry geometry = syn_trimesh_geometry(cube);
  snprintf(b.path[SURFACES], sizeof b.path[SURFACES], "%s", temporary_path("box.ply"));
  ASSERT_OK(syn_geometry_write(NULL, &geometry, b.path[SURFACES], NULL, &error));
  syn_trimesh_destroy(cube);
  const char *folder = temporary_path("beam");
  json_decref(run_json(0, "shape", "beam", "--out", folder, NULL));
  snprintf(b.path[VOLUMES], sizeof b.path[VOLUMES], "%s/beam.vtu", folder);
  ASSERT_OK(syn_trimesh_read(NULL, b.path[SURFACES], NULL, &b.surface, &error));
  ASSERT_OK(syn_tetmesh_read(NULL, b.path[VOLUMES], NULL, &b.volume, &error));
  *state = &b;
  return 0;
}

static int drop_bodies(void **state) {
  bodies *b = *state;
  syn_trimesh_destroy(b->surface);
  syn_tetmesh_destroy(b->volume);
  return 0;
}

/* ---- what the library answers -------------------------------------------------------------------------------------
 */

static syn_contacts ask_library(const bodies *b, const syn_method_info *info, const scene *s) {
  syn_error error;
  syn_collider *collider;
  syn_collide_options options = syn_default_collide_options();
  const double threshold = 1;
  const syn_body box = {.surface = b->surface}, mobile = info->needs_volume ? (syn_body){.volume = b->volume} : box;
  /* two files of the same volume are two bodies; one volume given twice is a body with itself */
  syn_tetmesh other = info->needs_volume ? *b->volume : (syn_tetmesh){0};
  const syn_body fixed = info->needs_volume && !s->self ? (syn_body){.volume = &other} : mobile;
  if (!s->self) options.center = center;
  options.axis = s->axis;
  options.angle = s->angle;
  options.fixed_outside = !s->fixed_inside;
  options.thresholds_mm = &threshold;
  options.threshold_count = 1;
  ASSERT_OK(syn_collider_create(NULL, info->name, &fixed, &mobile, &options, &collider, &error));
  syn_contacts result = {.capacity = s->most, .contacts = malloc(s->most * sizeof *result.contacts)};
  void *scratch = malloc(syn_collider_scratch(collider) + 1);
  assert_int_equal(syn_collider_query(collider, &s->pose, scratch, &result), SYN_OK);
  free(scratch);
  syn_collider_destroy(collider);
  return result;
}

/* ---- what the program prints ---------------------------------------------------------------------------------------
 */

static program_run ask_program(const bodies *b, const syn_method_info *info, const scene *s, const char *json) {
  const char *path = b->path[info->needs_volume ? VOLUMES : SURFACES], *const *w = s->words;
  const char *last[6] = {json};
  size_t count = json ? 1 : 0;
  for (size_t i = 0; i < 4 && w[i]; ++i) last[count++] = w[i];
  if (s->self) return run_synovia("collide", "--method", info->name, "--self", path, "--threshold", "1", last[0], NULL);
  return run_synovia("collide", "--method", info->name, "--fixed", path, "--mobile", path, "--center", center_words,
                     "--threshold", "1", last[0], last[1], last[2], last[3], last[4], NULL);
}

/* To the fifteen digits that are printed. */
static bool same_number(json_t *value, double expected) {
  char a[32], b[32];
  if (!isfinite(expected)) return json_is_null(value);
  snprintf(a, sizeof a, "%.15g", json_number_value(value));
  snprintf(b, sizeof b, "%.15g", expected);
  return json_is_number(value) && strcmp(a, b) == 0;
}

static bool same_vector(json_t *value, syn_vec3 expected) {
  return same_number(json_array_get(value, 0), expected.x) && same_number(json_array_get(value, 1), expected.y) &&
         same_number(json_array_get(value, 2), expected.z);
}

static bool same_contact(json_t *value, const syn_contact *c) {
  return strcmp(json_string_value(json_at(value, "of")), syn_contact_of_name(c->of)) == 0 &&
         json_integer_value(json_at(value, "fixed_element")) == c->fixed_element &&
         json_integer_value(json_at(value, "mobile_element")) == c->mobile_element &&
         same_number(json_at(value, "depth_mm"), c->depth_mm) && same_vector(json_at(value, "point"), c->point) &&
         same_vector(json_at(value, "direction"), c->direction);
}

/* The reason why the object is not what the library says, or NULL. */
static const char *compare_json(json_t *result, const syn_method_info *info, const scene *s, const syn_contacts *c) {
  const bool known = c->max_vertex != SYN_NONE;
  const size_t listed = c->count < c->capacity ? c->count : c->capacity;
  if (strcmp(json_string_value(json_at(result, "method")), info->name) != 0) return "method";
  if (json_is_true(json_at(result, "self")) != s->self) return "self";
  if (json_is_true(json_at(result, "penetrating")) != c->penetrating) return "penetrating";
  if (!same_number(json_at(result, "max_depth_mm"), c->max_depth_mm)) return "max_depth_mm";
  if (json_is_integer(json_at(result, "max_vertex")) != known) return "max_vertex";
  if (known && json_integer_value(json_at(result, "max_vertex")) != c->max_vertex) return "max_vertex";
  if (known && !same_vector(json_at(result, "max_point"), c->max_point)) return "max_point";
  if (json_integer_value(json_at(result, "contact_count")) != (json_int_t)c->count) return "contact_count";
  if (json_array_size(json_at(result, "contacts")) != listed) return "the number of contacts";
  for (size_t i = 0; i < listed; ++i)
    if (!same_contact(json_array_get(json_at(result, "contacts"), i), &c->contacts[i])) return "a contact";
  return NULL;
}

static void check_json(const bodies *b, const syn_method_info *info, const scene *s, const syn_contacts *c) {
  program_run run = ask_program(b, info, s, "--json");
  json_t *root = json_loads(run.out, JSON_REJECT_DUPLICATES, NULL);
  if (run.code != 0 || !root) fail_msg("%s, %s: exit code %d: %s%s", info->name, s->name, run.code, run.out, run.err);
  const char *wrong = compare_json(json_at(root, "result"), info, s, c);
  if (wrong) fail_msg("%s, %s: another %s than the library: %s", info->name, s->name, wrong, run.out);
  json_decref(root);
  end_run(&run);
}

static void check_text(const bodies *b, const syn_method_info *info, const scene *s, const syn_contacts *c) {
  char line[128];
  program_run run = ask_program(b, info, s, NULL);
  if (run.code != 0) fail_msg("%s, %s: exit code %d: %s", info->name, s->name, run.code, run.err);
  snprintf(line, sizeof line, "%s: %s, ", info->name, c->penetrating ? "penetrating" : "apart");
  assert_contains(run.out, line);
  const char *deepest = c->max_depth_mm > 0 ? "deepest" : "nearest";
  snprintf(line, sizeof line, "%-16s %.6f mm\n", deepest, fabs(c->max_depth_mm));
  assert_int_equal(strstr(run.out, deepest) != NULL, isfinite(c->max_depth_mm) != 0);
  if (isfinite(c->max_depth_mm)) assert_contains(run.out, line);
  snprintf(line, sizeof line, "mobile element   %u at ", c->max_vertex);
  assert_int_equal(strstr(run.out, line) != NULL, c->max_vertex != SYN_NONE);
  end_run(&run);
}

/* ---- every method in every scene ----------------------------------------------------------------------------------
 */

static void every_method_tells_what_the_library_answers(void **state) {
  const bodies *b = *state;
  scene scenes[SCENES];
  make_scenes(scenes);
  size_t penetrating = 0, apart = 0;
  for (size_t m = 0; m < syn_method_count(); ++m) {
    const syn_method_info info = syn_method_at(m);
    for (size_t i = 0; i < SCENES; ++i) {
      if (scenes[i].self && !info.needs_volume) continue;
      syn_contacts c = ask_library(b, &info, &scenes[i]);
      check_json(b, &info, &scenes[i], &c);
      check_text(b, &info, &scenes[i], &c);
      penetrating += c.penetrating;
      apart += !c.penetrating;
      free(c.contacts);
    }
  }
  assert_true(penetrating >= 4 * syn_method_count() && apart >= syn_method_count());
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_method_tells_what_the_library_answers),
  };
  return cmocka_run_group_tests(tests, make_bodies, drop_bodies);
}
