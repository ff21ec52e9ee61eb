/* Noise that is put on a surface is found again, and shape is not taken for noise. */
#include "support.h"

#include "base/vec.h"

static double normal(test_random *random) {
  double sum = -6; /* of twelve uniform ones */
  for (int i = 0; i < 12; ++i) sum += random_between(random, 0, 1);
  return sum;
}

static syn_trimesh *noisy_sphere(double noise, uint64_t seed) {
  syn_error error;
  syn_joint *ball;
  syn_trimesh *noisy;
  test_random random = {seed};
  ASSERT_OK(syn_shape_create(NULL, "sphere", (syn_shape_value[]){{"radius", 25}, {"level", 5}}, 2, &ball, &error));
  const syn_trimesh *round = ball->bodies[0].surface;
  syn_vec3 *vertices = malloc(round->vertex_count * sizeof *vertices);
  for (uint32_t i = 0; i < round->vertex_count; ++i) {
    const double x = normal(&random), y = normal(&random), z = normal(&random);
    vertices[i] = vec3_madd(round->vertices[i], noise, vec3(x, y, z));
  }
  ASSERT_OK(
      syn_trimesh_create(NULL, vertices, round->vertex_count, round->triangles, round->triangle_count, &noisy, &error));
  free(vertices);
  syn_joint_destroy(ball);
  return noisy;
}

static void noise_is_measured(void **state) {
  (void)state;
  for (int i = 0; i < 4; ++i) {
    const double noise = 0.1 * i;
    syn_error error;
    syn_trimesh *mesh = noisy_sphere(noise, 5 + (uint64_t)i);
    double found;
    ASSERT_OK(syn_trimesh_roughness(mesh, &found, &error));
    ASSERT_NEAR(found, noise, noise > 0 ? 0.1 * noise : 0.005);
    syn_trimesh_destroy(mesh);
  }
}

static void edges_of_a_body_are_no_noise(void **state) {
  (void)state;
  syn_error error;
  syn_trimesh *cube = make_cube(NULL, 20);
  for (int i = 0; i < 5; ++i) {
    syn_trimesh *finer;
    ASSERT_OK(syn_trimesh_subdivide(cube, &finer, &error));
    syn_trimesh_destroy(cube);
    cube = finer;
  }
  double found;
  ASSERT_OK(syn_trimesh_roughness(cube, &found, &error));
  assert_true(found < 1e-9);
  syn_trimesh_destroy(cube);
}

static void a_mesh_without_vertices_has_none(void **state) {
  (void)state;
  syn_error error;
  const syn_trimesh nothing = {0};
  double found = 1;
  ASSERT_OK(syn_trimesh_roughness(&nothing, &found, &error));
  assert_true(found == 0);
}

static syn_status attempt(const syn_context *context, void *user, syn_error *error) {
  const syn_trimesh mesh = with_context(user, context);
  double found;
  return syn_trimesh_roughness(&mesh, &found, error);
}

static void refused_memory_leaves_nothing_behind(void **state) {
  (void)state;
  syn_trimesh *mesh = noisy_sphere(0.1, 1);
  check_every_allocation(attempt, mesh);
  syn_trimesh_destroy(mesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(noise_is_measured),
      cmocka_unit_test(edges_of_a_body_are_no_noise),
      cmocka_unit_test(a_mesh_without_vertices_has_none),
      cmocka_unit_test(refused_memory_leaves_nothing_behind),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
