// test: slow
/* The split method: radial near the centre, cylindrical beyond, and nothing twice. */
#include "support.h"

#include "base/vec.h"

typedef struct answer {
  syn_contacts result;
  syn_contact contacts[4096];
  double depth[1024];
} answer;

static void ask(const syn_collider *collider, const syn_pose *pose, answer *a, size_t capacity) {
  void *scratch = malloc(syn_collider_scratch(collider));
  a->result = (syn_contacts){.contacts = a->contacts, .capacity = capacity, .vertex_depth = a->depth};
  syn_collider_query(collider, pose, scratch, &a->result);
  free(scratch);
}

static const double thresholds[] = {0.7, 0.9, 1.1, 1.2};
static const char *const methods[3] = {"radial", "cylindrical", "split"};

typedef struct scene {
  syn_trimesh *fixed, *mobile;
  syn_collide_options options;
  syn_collider *colliders[3];
} scene;

/* Bodies of so many rings of vertices. */
static scene make_scene(const syn_context *context, test_random *random, uint32_t rings, size_t threshold_count) {
  scene s = {.fixed = make_blob(context, random, rings, rings + 4, 0.4),
             .mobile = make_blob(context, random, rings, rings + 4, 0.4),
             .options = syn_default_collide_options()};
  syn_error error;
  s.options.center = random_vec3(random, 0.1);
  s.options.axis = random_vec3(random, 1);
  s.options.thresholds_mm = thresholds;
  s.options.threshold_count = threshold_count;
  s.options.both_roles = random_below(random, 2);
  s.options.between_vertices = random_below(random, 2);
  const syn_body fixed = {.surface = s.fixed}, mobile = {.surface = s.mobile};
  for (int m = 0; m < 3; ++m)
    ASSERT_OK(syn_collider_create(context, methods[m], &fixed, &mobile, &s.options, &s.colliders[m], &error));
  return s;
}

static void release_scene(scene *s) {
  for (int m = 0; m < 3; ++m) syn_collider_destroy(s->colliders[m]);
  syn_trimesh_destroy(s->fixed);
  syn_trimesh_destroy(s->mobile);
}

/* 0: radial, 1: cylindrical */
static int method_at(const scene *s, syn_vec3 place) {
  int method = 0;
  for (size_t i = 0; i < s->options.threshold_count; ++i)
    if (vec3_distance(place, s->options.center) >= thresholds[i]) method = 1 - method;
  return method;
}

static size_t check_split(const scene *s, const syn_pose *pose, const syn_vec3 *mobile, size_t seen[2]) {
  static answer parts[2], both;
  for (int m = 0; m < 2; ++m) ask(s->colliders[m], pose, &parts[m], 4096);
  ask(s->colliders[2], pose, &both, 4096);
  double most = -INFINITY;
  size_t expected = 0;
  for (uint32_t v = 0; v < s->mobile->vertex_count; ++v) {
    const int method = method_at(s, syn_pose_point(pose, mobile[v]));
    ++seen[method];
    assert_true(both.depth[v] == parts[method].depth[v]);
    most = max2(most, both.depth[v]);
  }
  for (int m = 0; m < 2; ++m)
    for (size_t i = 0; i < parts[m].result.count; ++i)
      if (method_at(s, parts[m].contacts[i].point) == m) {
        ++expected;
        most = max2(most, parts[m].contacts[i].depth_mm);
      }
  assert_int_equal(both.result.count, expected);
  assert_true(both.result.penetrating == (expected > 0));
  assert_true(both.result.max_depth_mm == most);
  for (size_t i = 0; i < expected; ++i) {
    const syn_contact *c = &both.contacts[i];
    if (i > 0) assert_true(c[-1].mobile_element <= c->mobile_element);
    if (c->of == SYN_OF_VERTEX_TRIANGLE) assert_true(c->depth_mm == both.depth[c->mobile_element]);
  }
  return expected;
}

static void every_distance_has_its_own_method(void **state) {
  (void)state;
  test_random random = {71};
  size_t contacts = 0, seen[2] = {0, 0};
  for (int round = 0; round < 340; ++round) {
    scene s = make_scene(NULL, &random, round < 5 ? 7 : 4, 1 + random_below(&random, 4));
    syn_error error;
    const syn_pose turn = syn_pose_about_axis(s.options.center, s.options.axis, random_between(&random, -3, 3));
    const syn_pose other = random_pose(&random, 0.1);
    contacts += check_split(&s, &turn, s.mobile->vertices, seen);
    contacts += check_split(&s, &other, s.mobile->vertices, seen);
    syn_vec3 *places = malloc(s.mobile->vertex_count * sizeof *places);
    for (uint32_t v = 0; v < s.mobile->vertex_count; ++v) places[v] = vec3_scale(s.mobile->vertices[v], 1.1);
    for (int m = 0; m < 3; ++m) ASSERT_OK(syn_collider_update(s.colliders[m], NULL, places, &error));
    contacts += check_split(&s, &turn, places, seen);
    free(places);
    release_scene(&s);
  }
  assert_true(contacts > 500 && seen[0] > 1000 && seen[1] > 1000);
}

static void a_short_list_has_the_first_contacts(void **state) {
  (void)state;
  static answer all, few;
  test_random random = {72};
  scene s = make_scene(NULL, &random, 7, 2);
  ask(s.colliders[2], NULL, &all, 4096);
  ask(s.colliders[2], NULL, &few, 5);
  assert_true(all.result.count > 5);
  assert_int_equal(few.result.count, all.result.count);
  for (int i = 0; i < 5; ++i) assert_int_equal(few.contacts[i].mobile_element, all.contacts[i].mobile_element);
  release_scene(&s);
}

static void thresholds_are_checked(void **state) {
  (void)state;
  syn_error error;
  syn_collider *collider;
  syn_trimesh *cube = make_cube(NULL, 1);
  const syn_body body = {.surface = cube};
  const double bad[3][2] = {{2, 1}, {-1, 1}, {1, NAN}};
  syn_collide_options options = syn_default_collide_options();
  ASSERT_FAILS(syn_collider_create(NULL, "split", &body, &body, &options, &collider, &error), SYN_BAD_ARGUMENT,
               "needs a threshold");
  options.threshold_count = 2;
  for (int i = 0; i < 3; ++i) {
    options.thresholds_mm = bad[i];
    ASSERT_FAILS(syn_collider_create(NULL, "split", &body, &body, &options, &collider, &error), SYN_BAD_ARGUMENT,
                 i == 1 ? "threshold 1" : "threshold 2");
  }
  syn_trimesh_destroy(cube);
}

static syn_status attempt(const syn_context *context, void *user, syn_error *error) {
  const scene *s = user;
  const syn_body fixed = {.surface = s->fixed}, mobile = {.surface = s->mobile};
  syn_collider *collider;
  syn_status status = syn_collider_create(context, "split", &fixed, &mobile, &s->options, &collider, error);
  if (status != SYN_OK) return status;
  status = syn_collider_update(collider, s->fixed->vertices, s->mobile->vertices, error);
  syn_collider_destroy(collider);
  return status;
}

static void every_refused_allocation_is_survived(void **state) {
  (void)state;
  test_random random = {73};
  scene s = make_scene(NULL, &random, 7, 3);
  syn_collide_options options = s.options;
  release_scene(&s);
  s = (scene){
      .fixed = make_blob(NULL, &random, 3, 4, 0.2), .mobile = make_blob(NULL, &random, 3, 4, 0.2), .options = options};
  check_every_allocation(attempt, &s);
  release_scene(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_distance_has_its_own_method),
      cmocka_unit_test(a_short_list_has_the_first_contacts),
      cmocka_unit_test(thresholds_are_checked),
      cmocka_unit_test(every_refused_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
