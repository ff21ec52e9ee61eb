// test: slow
/* A cam that goes deep into the labrum and on to the bone of the rim, by finite elements: the run that used to end
 * early. */
#include "support.h"

#include <synovia/pressure.h>

#include "base/vec.h"

/* Tissue that is pressed flat between the bones is reported. */
static void hear(void *user, const char *message) {
  if (strstr(message, "bone presses on bone")) *(bool *)user = true;
}

static void a_deep_cam_goes_to_the_end_of_the_motion(void **state) {
  (void)state;
  syn_error error;
  bool heard = false;
  syn_context context = syn_default_context();
  context.warn = hear;
  context.user = &heard;
  const syn_shape_value values[] = {{"ce", 30}, {"alpha", 80}, {"cartilage-edge", 82}, {"resolution", 5}};
  syn_joint *shape;
  ASSERT_OK(syn_shape_create(NULL, "hip", values, 4, &shape, &error));
  syn_hip_case hip_case = {.joint = shape, .hip = hip_of_shape(shape)};
  syn_pressure_options options = syn_default_pressure_options();
  options.method = "fem";
  options.load.load = "sit_down";
  options.load.force_n = 1147;
  options.load.direction = vec3(-73.62, 14.97, 248.79);
  options.load.steps = 6;
  options.layers.edge_mm = 9;
  options.layers.layers = 1;
  syn_pressure *run;
  ASSERT_OK(syn_pressure_run(&context, &hip_case, &options, &run, &error));
  assert_int_equal(run->step_count, 7);
  for (size_t i = 0; i < run->step_count; ++i) {
    const syn_pressure_step *step = &run->steps[i];
    print_message("at %.3f: peak %.2f MPa, shift %.2f mm, %u iterations\n", step->loaded.at, step->total.peak_mpa,
                  vec3_length(step->shift), step->iterations);
    assert_true(vec3_length(vec3_add(step->contact_force, step->loaded.force)) < 1.147);
  }
  assert_true(run->steps[6].total.peak_mpa > 3 * run->steps[0].total.peak_mpa);
  assert_true(heard);
  syn_pressure_destroy(run);
  syn_joint_destroy(shape);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_deep_cam_goes_to_the_end_of_the_motion)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
