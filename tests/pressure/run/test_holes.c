/* Bones with triangles missing at random: the pressure is that of the whole hip, or the answer is refused, or marked as
 * none. */
#include "support.h"

#include <synovia/pressure.h>

#include "base/vec.h"

static void be_quiet(void *user, const char *message) { (void)user, (void)message; }

static syn_trimesh *with_holes(const syn_trimesh *mesh, double part, test_random *random) {
  syn_error error;
  syn_trimesh *holed;
  syn_triangle *kept = malloc(mesh->triangle_count * sizeof *kept);
  size_t count = 0;
  for (uint32_t t = 0; t < mesh->triangle_count; ++t)
    if (random_between(random, 0, 1) >= part) kept[count++] = mesh->triangles[t];
  ASSERT_OK(syn_trimesh_create(NULL, mesh->vertices, mesh->vertex_count, kept, count, &holed, &error));
  free(kept);
  return holed;
}

/* Peak of a valid answer; NAN: refused or marked. */
static double honest_peak(const syn_context *context, const syn_hip_case *c, const syn_pressure_options *options) {
  syn_pressure *p;
  syn_error error;
  const syn_status status = syn_pressure_run(context, c, options, &p, &error);
  assert_true(status == SYN_OK || status == SYN_BAD_MESH || status == SYN_NOT_CONVERGED);
  if (status == SYN_BAD_MESH) assert_true(error.message[0] != 0);
  if (!p) return NAN;
  const double peak = p->invalid_count == 0 ? p->peak->total.peak_mpa : (double)NAN;
  syn_pressure_destroy(p);
  return peak;
}

static const double parts_missing[] = {0.0001, 0.001, 0.003, 0.01, 0.03, 0.1};
enum { PARTS_MISSING = sizeof parts_missing / sizeof *parts_missing };

static void a_made_hip_with_holes(void **state) {
  (void)state;
  syn_error error;
  test_random random = {5};
  syn_context context = syn_default_context();
  context.warn = be_quiet;
  syn_joint *shape;
  const syn_shape_value values[] = {{"resolution", 4}};
  ASSERT_OK(syn_shape_create(NULL, "hip", values, 1, &shape, &error));
  syn_hip_case c = {.joint = shape, .hip = hip_of_shape(shape)};
  syn_pressure_options options = syn_default_pressure_options();
  options.load.load = "standing";
  options.layers.edge_mm = 4;
  const double whole = honest_peak(&context, &c, &options);
  assert_true(whole > 0.5);
  size_t refused = 0;
  for (int part = SYN_HIP_PELVIS; part <= SYN_HIP_FEMORAL_CARTILAGE; ++part) {
    const syn_trimesh *mesh = c.hip.parts[part];
    for (int i = 0; i < PARTS_MISSING && mesh; ++i) {
      syn_trimesh *holed = with_holes(mesh, parts_missing[i], &random);
      c.hip.parts[part] = holed;
      const double peak = honest_peak(&context, &c, &options);
      refused += isnan(peak);
      if (!(isnan(peak) || fabs(peak / whole - 1) < 0.1))
        fail_msg("%g of the %s missing: %.2f MPa, whole %.2f", parts_missing[i], syn_hip_part_name((syn_hip_part)part),
                 peak, whole);
      c.hip.parts[part] = mesh;
      syn_trimesh_destroy(holed);
    }
  }
  assert_true(refused > 3);
  syn_joint_destroy(shape);
}

static void check_scan(const syn_context *context, const char *pelvis, const char *femur, uint64_t seed) {
  static const syn_hip_part bones[2] = {SYN_HIP_PELVIS, SYN_HIP_FEMUR};
  syn_error error;
  test_random random = {seed};
  syn_hip_input input = syn_default_hip_input();
  const char *files[2] = {pelvis, femur};
  syn_hip_case *c;
  syn_pressure_options options = syn_default_pressure_options();
  options.load.load = "walking";
  input.parts[SYN_HIP_PELVIS] = pelvis;
  input.parts[SYN_HIP_FEMUR] = femur;
  ASSERT_OK(syn_hip_case_create(context, &input, &c, &error));
  const double whole = honest_peak(context, c, &options);
  syn_hip_case_destroy(c);
  print_message("whole %.2f MPa\n", whole);
  assert_true(whole > 1 && whole < 8);
  for (int bone = 0; bone < 2; ++bone)
    for (int i = 1; i < PARTS_MISSING; i += 2) {
      const char *path = temporary_path("holed.ply");
      syn_trimesh *mesh;
      ASSERT_OK(syn_trimesh_read(NULL, files[bone], NULL, &mesh, &error));
      syn_trimesh *holed = with_holes(mesh, parts_missing[i], &random);
      const syn_geometry geometry = syn_trimesh_geometry(holed);
      ASSERT_OK(syn_geometry_write(NULL, &geometry, path, NULL, &error));
      syn_trimesh_destroy(holed);
      syn_trimesh_destroy(mesh);
      input.parts[SYN_HIP_PELVIS] = pelvis;
      input.parts[SYN_HIP_FEMUR] = femur;
      input.parts[bones[bone]] = path;
      const syn_status status = syn_hip_case_create(context, &input, &c, &error);
      const double peak = status == SYN_OK ? honest_peak(context, c, &options) : (double)NAN;
      print_message("%s %g: %.2f MPa\n", syn_hip_part_name(bones[bone]), parts_missing[i], peak);
      if (!(isnan(peak) || fabs(peak / whole - 1) < 0.1))
        fail_msg("%g of the %s missing: %.2f MPa, whole %.2f", parts_missing[i], syn_hip_part_name(bones[bone]), peak,
                 whole);
      if (status == SYN_OK) syn_hip_case_destroy(c);
    }
}

static void a_scanned_hip_with_holes(void **state) {
  (void)state;
  REQUIRE_DATA(pelvis, "vsd_NC/z013/Hip_R.ply");
  REQUIRE_DATA(femur, "vsd_NC/z013/Femur_R.ply");
  SLOW_UNDER_SANITIZERS();
  syn_context context = syn_default_context();
  context.warn = be_quiet;
  check_scan(&context, pelvis, femur, 11);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_made_hip_with_holes),
                                     cmocka_unit_test(a_scanned_hip_with_holes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
