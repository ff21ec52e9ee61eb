/* Where no balance is found nothing presses: pressures of the pose before do not stay. */
#include "program.h"

#include "view/view_pose.h"

static size_t count_pressed(const syn_view_pressure *pressure, const syn_hip *hip) {
  size_t count = 0;
  for (int part = 0; part < SYN_HIP_PARTS; ++part) {
    const double *values = syn_view_pressure_on(pressure, (syn_hip_part)part);
    for (uint32_t v = 0; hip->parts[part] && v < hip->parts[part]->vertex_count; ++v) count += !isnan(values[v]);
  }
  return count;
}

static void a_hip_out_of_joint_has_no_pressure(void **state) {
  (void)state;
  syn_error error;
  syn_hip_case *hip_case;
  syn_view_pressure *pressure;
  syn_pressure_step step;
  char folder[512], path[600];
  snprintf(folder, sizeof folder, "%s", temporary_path("lost"));
  snprintf(path, sizeof path, "%s/joint.json", folder);
  program_run run = run_synovia("shape", "hip", "--resolution", "2", "-o", folder, NULL);
  assert_int_equal(run.code, 0);
  end_run(&run);
  syn_hip_input input = syn_default_hip_input();
  input.joint = path;
  ASSERT_OK(syn_hip_case_create(NULL, &input, &hip_case, &error));
  ASSERT_OK(syn_view_pressure_create(NULL, hip_case, &pressure, &error));
  assert_non_null(pressure);
  syn_pose pose = syn_pose_identity();
  assert_true(syn_view_pressure_at(pressure, &pose, &step));
  const size_t pressed = count_pressed(pressure, &hip_case->hip);
  assert_true(pressed > 100);
  pose.translation.x = 1e15; /* where numbers are too coarse for a joint space */
  assert_false(syn_view_pressure_at(pressure, &pose, &step));
  assert_int_equal(count_pressed(pressure, &hip_case->hip), 0);
  pose = syn_pose_identity();
  assert_true(syn_view_pressure_at(pressure, &pose, &step));
  assert_int_equal(count_pressed(pressure, &hip_case->hip), pressed);
  syn_view_pressure_destroy(pressure);
  syn_hip_case_destroy(hip_case);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_hip_out_of_joint_has_no_pressure)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
