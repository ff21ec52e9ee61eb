#include <pthread.h>

#include "support.h"

#include "base/memory.h"
#include "base/vec.h"
#include "mesh/derived.h"

static syn_trimesh *make_ball(const syn_context *context) {
  syn_error error;
  syn_joint *shape;
  syn_trimesh *copy;
  ASSERT_OK(syn_shape_create(NULL, "sphere", NULL, 0, &shape, &error));
  const syn_trimesh *m = shape->bodies[0].surface;
  ASSERT_OK(syn_trimesh_create(context, m->vertices, m->vertex_count, m->triangles, m->triangle_count, &copy, &error));
  syn_joint_destroy(shape);
  return copy;
}

static void one_is_made_and_shared(void **state) {
  (void)state;
  syn_error error;
  test_memory memory = {0};
  const syn_context context = test_context(&memory);
  syn_trimesh *mesh = make_ball(&context);
  syn_derived *first, *second;
  ASSERT_OK(syn_derive(mesh, &syn_derive_topology, &first, &error));
  const size_t allocations = memory.allocations;
  ASSERT_OK(syn_derive(mesh, &syn_derive_topology, &second, &error));
  assert_ptr_equal(first, second);
  assert_int_equal(memory.allocations, allocations);
  syn_derived_release(first);
  /* outlives the mesh */
  syn_trimesh_destroy(mesh);
  assert_int_equal(derived_topology(second)->boundary_edge_count, 0);
  assert_true(memory.live > 0);
  syn_derived_release(second);
  syn_derived_release(NULL);
  assert_int_equal(memory.live, 0);
}

static void owners_share_a_mesh_and_what_is_derived(void **state) {
  (void)state;
  syn_error error;
  test_memory memory = {0};
  const syn_context context = test_context(&memory);
  syn_trimesh *mesh = make_ball(&context), *same;
  syn_derived *of_first, *of_second;
  const syn_trimesh view = *mesh; /* a copy of the struct is the same mesh and owns nothing */
  ASSERT_OK(syn_trimesh_share(&view, &same, &error));
  assert_ptr_equal(same, mesh);
  ASSERT_OK(syn_derive(mesh, &syn_derive_box_tree, &of_first, &error));
  ASSERT_OK(syn_derive(same, &syn_derive_box_tree, &of_second, &error));
  assert_ptr_equal(of_first->made, of_second->made);
  syn_trimesh_destroy(mesh);
  assert_true(vec3_finite(same->vertices[0])); /* still there: the sanitizer would report it */
  syn_derived_release(of_first);
  syn_derived_release(of_second);
  syn_trimesh_destroy(same);
  assert_int_equal(memory.live, 0);
}

static void a_mesh_filled_by_hand_keeps_nothing(void **state) {
  (void)state;
  syn_error error;
  test_memory memory = {0};
  const syn_context context = test_context(&memory);
  const syn_vec3 corners[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  const syn_triangle face = {{0, 1, 2}};
  const syn_trimesh mesh = {
      .context = &context, .vertex_count = 3, .triangle_count = 1, .vertices = corners, .triangles = &face};
  syn_derived *first, *second;
  syn_trimesh *copy;
  ASSERT_OK(syn_derive(&mesh, &syn_derive_topology, &first, &error));
  ASSERT_OK(syn_derive(&mesh, &syn_derive_topology, &second, &error));
  assert_ptr_not_equal(first, second);
  ASSERT_OK(syn_trimesh_share(&mesh, &copy, &error));
  assert_ptr_not_equal(copy->vertices, corners);
  syn_derived_release(first);
  syn_derived_release(second);
  syn_trimesh_destroy(copy);
  assert_int_equal(memory.live, 0);
}

/* ---- threads ----------------------------------------------------------------------------------------------------- */

static void *take_and_release(void *user) {
  const syn_trimesh *mesh = user;
  for (int i = 0; i < 200; ++i) {
    syn_derived *topology, *tree;
    syn_trimesh *same;
    if (syn_derive(mesh, &syn_derive_topology, &topology, NULL) != SYN_OK) return user;
    if (syn_derive(mesh, &syn_derive_box_tree, &tree, NULL) != SYN_OK) return user;
    if (syn_trimesh_share(mesh, &same, NULL) != SYN_OK) return user;
    syn_derived_release(topology);
    syn_trimesh_destroy(same);
    syn_derived_release(tree);
  }
  return NULL;
}

static void threads_may_ask_at_once(void **state) {
  (void)state;
  for (int round = 0; round < 20; ++round) {
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    syn_trimesh *mesh = make_ball(NULL);
    for (int i = 0; i < THREADS; ++i) assert_int_equal(pthread_create(&threads[i], NULL, take_and_release, mesh), 0);
    for (int i = 0; i < THREADS; ++i) {
      void *failed;
      pthread_join(threads[i], &failed);
      assert_null(failed);
    }
    syn_trimesh_destroy(mesh);
  }
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

static syn_status attempt(const syn_context *context, void *user, syn_error *error) {
  const syn_trimesh *from = user;
  syn_trimesh *mesh;
  syn_derived *derived;
  SYN_TRY(syn_trimesh_create(context, from->vertices, from->vertex_count, from->triangles, from->triangle_count, &mesh,
                             error));
  const syn_status status = syn_derive(mesh, &syn_derive_topology, &derived, error);
  syn_derived_release(derived);
  syn_trimesh_destroy(mesh);
  return status;
}

static void every_refused_allocation_is_survived(void **state) {
  (void)state;
  syn_trimesh *mesh = make_ball(NULL);
  check_every_allocation(attempt, mesh);
  syn_trimesh_destroy(mesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_is_made_and_shared),
      cmocka_unit_test(owners_share_a_mesh_and_what_is_derived),
      cmocka_unit_test(a_mesh_filled_by_hand_keeps_nothing),
      cmocka_unit_test(threads_may_ask_at_once),
      cmocka_unit_test(every_refused_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
