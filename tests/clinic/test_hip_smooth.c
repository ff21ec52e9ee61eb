/* Bones that are rough by noise are smoothed before anything is measured, others are left as they are. */
#include "support.h"

#include "base/vec.h"
#include "clinic/hip.h"

static double normal(test_random *random) {
  double sum = -6; /* of twelve uniform ones */
  for (int i = 0; i < 12; ++i) sum += random_between(random, 0, 1);
  return sum;
}

/* The femur of a parametric hip, with noise, in a file. */
static void write_femur(const char *path, double noise) {
  syn_error error;
  syn_joint *hip;
  test_random random = {3};
  ASSERT_OK(syn_shape_create(NULL, "hip", NULL, 0, &hip, &error));
  const syn_trimesh *femur = NULL;
  for (size_t i = 0; i < hip->body_count; ++i)
    if (syn_hip_part_of_body(&hip->bodies[i]) == SYN_HIP_FEMUR) femur = hip->bodies[i].surface;
  syn_vec3 *vertices = malloc(femur->vertex_count * sizeof *vertices);
  for (uint32_t i = 0; i < femur->vertex_count; ++i) {
    const double x = normal(&random), y = normal(&random), z = normal(&random);
    vertices[i] = vec3_madd(femur->vertices[i], noise, vec3(x, y, z));
  }
  syn_trimesh *noisy;
  ASSERT_OK(
      syn_trimesh_create(NULL, vertices, femur->vertex_count, femur->triangles, femur->triangle_count, &noisy, &error));
  const syn_geometry geometry = syn_trimesh_geometry(noisy);
  ASSERT_OK(syn_geometry_write(NULL, &geometry, path, NULL, &error));
  free(vertices);
  syn_trimesh_destroy(noisy);
  syn_joint_destroy(hip);
}

/* How rough the femur of the case is, after the file with this noise was opened. */
static double roughness_after(double noise, bool as_scanned, test_memory *memory, double *read_mm) {
  syn_error error;
  const syn_context context = test_context(memory);
  const char *path = temporary_path("femur.ply");
  syn_hip_input input = syn_default_hip_input();
  syn_hip_case *hip_case;
  double left;
  write_femur(path, noise);
  input.parts[SYN_HIP_FEMUR] = path;
  input.as_scanned = as_scanned;
  ASSERT_OK(syn_hip_case_create(&context, &input, &hip_case, &error));
  ASSERT_OK(syn_trimesh_roughness(hip_case->hip.parts[SYN_HIP_FEMUR], &left, &error));
  *read_mm = hip_case->roughness_mm[SYN_HIP_FEMUR];
  syn_hip_case_destroy(hip_case);
  assert_int_equal(memory->live, 0);
  return left;
}

static void noise_is_smoothed_and_told(void **state) {
  (void)state;
  test_memory memory = {0};
  double read_mm;
  assert_true(roughness_after(0.3, false, &memory, &read_mm) < 0.04);
  ASSERT_NEAR(read_mm, 0.3, 0.03);
  assert_non_null(strstr(memory.all_warnings, "it is smoothed"));
}

static void as_scanned_leaves_it(void **state) {
  (void)state;
  test_memory memory = {0};
  double read_mm;
  ASSERT_NEAR(roughness_after(0.3, true, &memory, &read_mm), 0.3, 0.03);
  assert_null(strstr(memory.all_warnings, "smoothed"));
}

static void noise_that_hardly_matters_is_left(void **state) {
  (void)state;
  test_memory memory = {0};
  double read_mm;
  const double left = roughness_after(0.02, false, &memory, &read_mm);
  assert_true(left == read_mm);
  assert_null(strstr(memory.all_warnings, "smoothed"));
}

/* Between the two limits the bone lies between the file's and the smoothed one, by the part of the way (roughness 0.03
 * to 0.05 mm), so that no answer jumps where the noise grows a little. */
static void a_little_noise_is_smoothed_in_part(void **state) {
  (void)state;
  syn_error error;
  test_memory memory = {0};
  double read_mm, expected;
  const double left = roughness_after(0.04, false, &memory, &read_mm);
  const double part = (read_mm - 0.03) / 0.02;
  assert_true(part > 0.1 && part < 0.9);
  /* The same by hand, from the file. */
  syn_trimesh *femur, *smooth, *blend;
  ASSERT_OK(syn_trimesh_read(NULL, temporary_path("femur.ply"), NULL, &femur, &error));
  ASSERT_OK(syn_trimesh_smooth(femur, 10, &smooth, &error));
  syn_vec3 *vertices = malloc(femur->vertex_count * sizeof *vertices);
  for (uint32_t v = 0; v < femur->vertex_count; ++v)
    vertices[v] = vec3_lerp(femur->vertices[v], smooth->vertices[v], part);
  ASSERT_OK(
      syn_trimesh_create(NULL, vertices, femur->vertex_count, femur->triangles, femur->triangle_count, &blend, &error));
  ASSERT_OK(syn_trimesh_roughness(blend, &expected, &error));
  ASSERT_NEAR(left, expected, 1e-6);
  ASSERT_OK(syn_trimesh_roughness(smooth, &expected, &error));
  assert_true(left > 1.2 * expected);
  free(vertices);
  syn_trimesh_destroy(blend);
  syn_trimesh_destroy(smooth);
  syn_trimesh_destroy(femur);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(noise_is_smoothed_and_told),
      cmocka_unit_test(as_scanned_leaves_it),
      cmocka_unit_test(noise_that_hardly_matters_is_left),
      cmocka_unit_test(a_little_noise_is_smoothed_in_part),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
