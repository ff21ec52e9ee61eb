/* What queries derive from meshes, made ahead. */
#include "support.h"

#include "base/status.h"
#include "collide/pairs/obb_tree.h"
#include "collide/prepare.h"
#include "collide/rotation/rotation_plan.h"
#include "collide/surface/surface_tree.h"

static syn_trimesh *make_shape(const syn_context *context, const char *name) {
  syn_error error;
  syn_joint *shape;
  syn_trimesh *copy;
  ASSERT_OK(syn_shape_create(NULL, name, NULL, 0, &shape, &error));
  const syn_trimesh *m = shape->bodies[0].surface;
  ASSERT_OK(syn_trimesh_create(context, m->vertices, m->vertex_count, m->triangles, m->triangle_count, &copy, &error));
  syn_joint_destroy(shape);
  return copy;
}

static void nothing_is_left_to_make(void **state) {
  (void)state;
  static const syn_derivation *const kinds[] = {&syn_derive_topology, &syn_derive_surface, &syn_derive_obb_tree,
                                                &syn_derive_turn_order};
  syn_error error;
  test_memory memory = {0};
  const syn_context context = test_context(&memory);
  syn_trimesh *meshes[] = {make_shape(&context, "sphere"), make_shape(&context, "cube")};
  ASSERT_OK(syn_meshes_prepare(&context, (const syn_trimesh *const *)meshes, 2, NULL, NULL, &error));
  const size_t allocations = memory.allocations;
  for (size_t m = 0; m < 2; ++m)
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; ++k) {
      syn_derived *derived;
      ASSERT_OK(syn_derive(meshes[m], kinds[k], &derived, &error));
      syn_derived_release(derived);
    }
  assert_int_equal(memory.allocations, allocations);
  for (size_t m = 0; m < 2; ++m) syn_trimesh_destroy(meshes[m]);
  assert_int_equal(memory.live, 0);
}

static syn_status attempt(const syn_context *context, void *user, syn_error *error) {
  const syn_trimesh *ball = user;
  syn_trimesh *mesh;
  SYN_TRY(syn_trimesh_create(context, ball->vertices, ball->vertex_count, ball->triangles, ball->triangle_count, &mesh,
                             error));
  const syn_trimesh *const meshes[] = {mesh};
  const syn_status status = syn_meshes_prepare(context, meshes, 1, NULL, NULL, error);
  syn_trimesh_destroy(mesh);
  return status;
}

static void every_allocation_may_fail(void **state) {
  (void)state;
  syn_trimesh *ball = make_shape(NULL, "cube");
  check_every_allocation(attempt, ball);
  syn_trimesh_destroy(ball);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothing_is_left_to_make),
      cmocka_unit_test(every_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
