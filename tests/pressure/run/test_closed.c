// test: slow
/* Cartilage as closed bodies: the whole run of a hip on quadratic tetrahedra. */
#include "support.h"

#include <synovia/pressure.h>

#include "base/vec.h"

static void needs_gmsh(void) {
  if (system("command -v gmsh > /dev/null 2>&1") != 0) SKIP("gmsh is not installed");
}

static syn_joint *make_hip(double resolution) {
  const syn_shape_value values[] = {{"ce", 30}, {"alpha", 50}, {"resolution", resolution}};
  syn_joint *shape;
  syn_error error;
  ASSERT_OK(syn_shape_create(NULL, "hip", values, 3, &shape, &error));
  return shape;
}

static syn_pressure_options standing(bool closed) {
  syn_pressure_options options = syn_default_pressure_options();
  options.method = "fem";
  options.load.load = "standing";
  options.closed = closed;
  options.layers.edge_mm = 4;
  options.layers.layers = 2;
  return options;
}

static void hear(void *user, const char *message) {
  if (strstr(message, "only cartilage is filled")) *(bool *)user = true;
}

/* Two ways to mesh the same cartilage bear the same load in nearly the same way. */
static void closed_bodies_bear_as_layers_do(void **state) {
  (void)state;
  needs_gmsh();
  syn_joint *shape = make_hip(4);
  syn_hip_case hip_case = {.joint = shape, .hip = hip_of_shape(shape)};
  bool heard = false;
  syn_context context = syn_default_context();
  context.warn = hear;
  context.user = &heard;
  syn_pressure *runs[2];
  syn_error error;
  for (int k = 0; k < 2; ++k) {
    const syn_pressure_options options = standing(k == 1);
    ASSERT_OK(syn_pressure_run(&context, &hip_case, &options, &runs[k], &error));
    const syn_pressure_step *step = &runs[k]->steps[0];
    print_message("%s: %u and %u elements, peak %.3f mean %.3f MPa, area %.0f mm2, von Mises %.3f MPa, %u iterations\n",
                  k ? "closed" : "layers", runs[k]->socket.element_count, runs[k]->head.element_count,
                  step->total.peak_mpa, step->total.mean_mpa, step->total.area_mm2, step->total.von_mises_mpa,
                  step->iterations);
    assert_true(vec3_length(vec3_add(step->contact_force, step->loaded.force)) <
                1e-3 * vec3_length(step->loaded.force));
  }
  const syn_pressure_part *layers = &runs[0]->steps[0].total, *closed = &runs[1]->steps[0].total;
  ASSERT_NEAR(closed->peak_mpa / layers->peak_mpa, 1, 0.15);
  ASSERT_NEAR(closed->mean_mpa / layers->mean_mpa, 1, 0.15);
  assert_true(heard);
  assert_non_null(runs[1]->socket.edge_nodes);
  assert_int_equal(runs[1]->socket.region_count, 1);
  assert_false(runs[1]->socket.assumed);
  syn_pressure_destroy(runs[0]);
  syn_pressure_destroy(runs[1]);
  syn_joint_destroy(shape);
}

/* Without a body there is nothing to fill, and other methods know no tetrahedra. */
static void what_cannot_be_filled_is_refused(void **state) {
  (void)state;
  syn_joint *shape = make_hip(5);
  syn_hip_case hip_case = {.joint = shape, .hip = hip_of_shape(shape)};
  syn_pressure_options options = standing(true);
  syn_pressure *run;
  syn_error error;
  options.method = "foundation";
  ASSERT_FAILS(syn_pressure_run(NULL, &hip_case, &options, &run, &error), SYN_BAD_ARGUMENT, "method fem alone");
  options.method = "fem";
  options.beside_foundation = true;
  ASSERT_FAILS(syn_pressure_run(NULL, &hip_case, &options, &run, &error), SYN_BAD_ARGUMENT, "foundation beside it");
  options.beside_foundation = false;
  hip_case.hip.parts[SYN_HIP_ACETABULAR_CARTILAGE] = NULL;
  ASSERT_FAILS(syn_pressure_run(NULL, &hip_case, &options, &run, &error), SYN_BAD_ARGUMENT, "no body of cartilage");
  syn_joint_destroy(shape);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(closed_bodies_bear_as_layers_do),
                                     cmocka_unit_test(what_cannot_be_filled_is_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
