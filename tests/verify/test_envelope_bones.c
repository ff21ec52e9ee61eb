/* The envelope of real bones, compared pose by pose with single queries. */
#include "motion/rom/limit_text.h"
#include "support.h"

static void check_cell(const syn_rom *rom, const syn_envelope *e, uint32_t f, uint32_t a, void *scratch) {
  const syn_hip_angles start = {.flexion = e->flexion_from + f * e->step, .adduction = e->adduction_from + a * e->step};
  const uint32_t cell = f * e->adduction_count + a;
  const double told[2] = {e->internal[cell], e->external[cell]};
  const syn_limit_state states[2] = {e->internal_states[cell], e->external_states[cell]};
  const syn_body_pair by[2] = {e->limited_by[cell], e->external_limited_by[cell]};
  for (int way = 0; way < 2; ++way) {
    const syn_motion motion = {
        .name = "rotation", .start = start, .axis = SYN_AXIS_ROTATION, .sign = way ? -1 : 1, .max_deg = 90};
    syn_limit limit;
    syn_rom_query(rom, &motion, scratch, &limit);
    assert_int_equal(states[way], limit.state);
    if (states[way] == SYN_LIMIT_NO_FREE_POSE)
      assert_true(isnan(told[way]));
    else
      ASSERT_NEAR(told[way], limit.followed, 1e-12);
    if (isfinite(syn_limit_free_again_deg(&limit))) continue;
    assert_int_equal(by[way].fixed, limit.fixed);
    assert_int_equal(by[way].mobile, limit.mobile);
  }
}

static void the_envelope_of_z013_is_what_single_questions_tell(void **state) {
  (void)state;
  char pelvis[1024];
  REQUIRE_DATA(pelvis_path, "vsd_NC/z013/Hip_R.ply");
  snprintf(pelvis, sizeof pelvis, "%s", pelvis_path);
  REQUIRE_DATA(femur, "vsd_NC/z013/Femur_R.ply");
  syn_error error;
  syn_hip_case *hip_case;
  syn_rom *rom;
  syn_envelope *envelope;
  syn_hip_input input = syn_default_hip_input();
  input.parts[SYN_HIP_PELVIS] = pelvis;
  input.parts[SYN_HIP_FEMUR] = femur;
  const syn_envelope_options options = syn_default_envelope_options();
  ASSERT_OK(syn_hip_case_create(NULL, &input, &hip_case, &error));
  ASSERT_OK(syn_hip_rom_create(NULL, &hip_case->hip, &rom, &error));
  ASSERT_OK(syn_envelope_create(NULL, rom, &options, &envelope, &error));
  assert_int_equal(envelope->flexion_count * envelope->adduction_count, 33 * 21);
  void *scratch = malloc(syn_rom_scratch(rom) + 1);
  assert_non_null(scratch);
  for (uint32_t f = 0; f < envelope->flexion_count; ++f)
    for (uint32_t a = 0; a < envelope->adduction_count; ++a) check_cell(rom, envelope, f, a, scratch);
  free(scratch);
  syn_envelope_destroy(envelope);
  syn_rom_destroy(rom);
  syn_hip_case_destroy(hip_case);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_envelope_of_z013_is_what_single_questions_tell),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
