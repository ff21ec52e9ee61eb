/* A joint of any kind in one pose and at many: two cubes, a third beside them, whose distances are known. */
#include "support.h"

#include <synovia/motion.h>

#include "base/vec.h"

typedef struct cubes {
  syn_trimesh *cube;
  syn_body bodies[3];
  syn_joint joint;
} cubes;

/* Cubes of 2 mm: a fixed one about the origin, the mobile ones as they lie 5 and 9 mm along x. */
static void make_cubes(const syn_context *context, cubes *c) {
  syn_error error;
  syn_trimesh *near = NULL;
  *c = (cubes){.cube = make_cube(context, 2)};
  const syn_box box = syn_trimesh_bounds(c->cube);
  const syn_vec3 middle = vec3_scale(vec3_add(box.min, box.max), -0.5);
  const syn_pose places[] = {{syn_pose_identity().rotation, middle},
                             {syn_pose_identity().rotation, vec3_add(middle, vec3(5, 0, 0))},
                             {syn_pose_identity().rotation, vec3_add(middle, vec3(9, 0, 0))}};
  const char *const names[] = {"still", "near", "far"};
  for (int i = 0; i < 3; ++i) {
    ASSERT_OK(syn_trimesh_transform(c->cube, &places[i], &near, &error));
    c->bodies[i] = (syn_body){.name = names[i], .moves = i > 0, .surface = near};
  }
  c->joint = (syn_joint){
      .name = "cubes", .bodies = c->bodies, .body_count = 3, .has_center = true, .folder = "", .context = context};
}

static void drop_cubes(cubes *c) {
  for (int i = 0; i < 3; ++i) syn_trimesh_destroy((syn_trimesh *)(uintptr_t)c->bodies[i].surface);
  syn_trimesh_destroy(c->cube);
}

static const syn_pose closer = {{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {-4, 0, 0}}; /* 1 mm into the fixed one */

static void pairs_collide_in_one_pose(void **state) {
  (void)state;
  syn_error error;
  test_memory memory = {0};
  const syn_context context = test_context(&memory);
  cubes c;
  make_cubes(&context, &c);
  for (int turn = 0; turn < 2; ++turn) {
    syn_joint_collision *pairs;
    size_t count, touching = 0;
    ASSERT_OK(syn_joint_collide(&context, &c.joint, "obb", NULL, turn ? &closer : NULL, 10, &pairs, &count, &error));
    assert_int_equal(count, 2); /* the mobile ones are no pair */
    for (size_t i = 0; i < count; ++i) {
      assert_string_equal(pairs[i].fixed->name, "still");
      touching += pairs[i].collision->contacts.penetrating;
    }
    assert_int_equal(touching, turn);
    syn_joint_collisions_destroy(&context, pairs, count);
    ASSERT_OK(
        syn_joint_collide_all(&context, &c.joint, "obb", NULL, turn ? &closer : NULL, 10, &pairs, &count, &error));
    assert_int_equal(count, turn); /* boxes that do not meet are not listed */
    syn_joint_collisions_destroy(&context, pairs, count);
  }
  drop_cubes(&c);
  assert_int_equal(memory.live, 0);
}

static void depths_and_clearances_at_many_poses(void **state) {
  (void)state;
  syn_error error;
  test_memory memory = {0};
  const syn_context context = test_context(&memory);
  const syn_pose as_they_lie = syn_pose_identity();
  cubes c;
  syn_pose_query *query;
  make_cubes(&context, &c);
  ASSERT_OK(syn_pose_query_create(&context, &c.joint, NULL, 100, &query, &error));
  syn_limit limits[SYN_JOINT_AXES][2];
  assert_false(syn_pose_query_limits(query, &as_they_lie, limits)); /* without a range of motion */
  for (int turn = 0; turn < 2; ++turn) {
    size_t count;
    const syn_joint_clearance *clearances = syn_pose_query_clearances(query, turn ? &closer : &as_they_lie, &count);
    assert_int_equal(count, 2);
    for (size_t i = 0; i < count; ++i) {
      assert_int_equal(clearances[i].fixed, 0);
      const double apart = clearances[i].mobile == 1 ? 3 : 7;
      if (!turn) ASSERT_NEAR(clearances[i].clearance.distance_mm, apart, 1e-9);
      if (turn && clearances[i].mobile == 2) ASSERT_NEAR(clearances[i].clearance.distance_mm, 3, 1e-9);
      if (turn && clearances[i].mobile == 1) assert_true(clearances[i].clearance.crossing);
    }
    const double *const *depth = syn_pose_query_depths(query, SYN_POSE_DEPTH, turn ? &closer : &as_they_lie);
    double most = -INFINITY;
    for (uint32_t v = 0; v < c.bodies[2].surface->vertex_count; ++v) most = fmax(most, depth[2][v]);
    ASSERT_NEAR(most, turn ? -3 : -7, 1e-9);
  }
  syn_pose_query_destroy(query);
  drop_cubes(&c);
  assert_int_equal(memory.live, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pairs_collide_in_one_pose),
      cmocka_unit_test(depths_and_clearances_at_many_poses),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
