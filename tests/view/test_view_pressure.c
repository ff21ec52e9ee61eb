// test: early
/* Contact pressure while the femur is dragged: the same as by `syn_pressure_run`, on every body of the hip. */
#include <signal.h>

#include "program.h"
#include "viewer.h"

static char joint[512];

static int make_joint(void **state) {
  (void)state;
  const char *folder = temporary_path("hip");
  program_run run = run_synovia("shape", "hip", "--resolution", "2", "-o", folder, NULL);
  assert_int_equal(run.code, 0);
  end_run(&run);
  snprintf(joint, sizeof joint, "%s/joint.json", folder);
  return 0;
}

/* How many vertices of a body have a pressure, and the greatest. */
static size_t count_known(const pose_answer *a, size_t field, size_t next, double *most) {
  json_t *value = json_array_get(json_at(a->value, "fields"), field);
  const double low = json_number_value(json_object_get(value, "low")),
               step = json_number_value(json_object_get(value, "step"));
  size_t known = 0;
  for (size_t i = (size_t)json_integer_value(json_object_get(value, "offset")); i < next; ++i) {
    const unsigned stored = a->stored[2 * i] + 256u * a->stored[2 * i + 1];
    if (stored == 65535) continue;
    ++known;
    *most = fmax(*most, low + step * stored);
  }
  return known;
}

static void pressure_follows_the_pose(void **state) {
  (void)state;
  syn_error error;
  syn_hip_case *hip_case;
  syn_pressure *run;
  syn_hip_input input = syn_default_hip_input();
  syn_pressure_options options = syn_default_pressure_options();
  input.joint = joint;
  options.load.steps = 3;
  ASSERT_OK(syn_hip_case_create(NULL, &input, &hip_case, &error));
  ASSERT_OK(syn_pressure_run(NULL, hip_case, &options, &run, &error));
  const char *const words[] = {joint, "--threads", "1", NULL};
  viewer v = start_viewer(words);
  for (size_t i = 0; i < run->step_count; ++i) {
    pose_answer a = ask_pose(&v, &run->loads.poses[i].pose, "pose_pressure");
    const syn_pressure_part *expected = &run->steps[i].total;
    ASSERT_NEAR(number_named(a.value, "peak_pressure"), expected->peak_mpa, 1e-4 * expected->peak_mpa);
    ASSERT_NEAR(number_named(a.value, "mean_pressure"), expected->mean_mpa, 1e-4 * expected->mean_mpa);
    ASSERT_NEAR(number_named(a.value, "contact_area"), expected->area_mm2, 1e-4 * expected->area_mm2);
    json_t *fields = json_at(a.value, "fields");
    double most = 0;
    size_t known = 0;
    for (size_t k = 0; k < json_array_size(fields); ++k) {
      json_t *following = json_array_get(fields, k + 1);
      known += count_known(
          &a, k, following ? (size_t)json_integer_value(json_object_get(following, "offset")) : a.stored_count, &most);
    }
    assert_true(known > 100);
    assert_true(most > 0.8 * expected->peak_mpa && most < 1.01 * expected->peak_mpa);
    end_pose(&a);
  }
  assert_int_equal(stop_viewer(&v, SIGTERM), 0);
  syn_pressure_destroy(run);
  syn_hip_case_destroy(hip_case);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(pressure_follows_the_pose)};
  return cmocka_run_group_tests(tests, make_joint, NULL);
}
