// test: slow
/* The envelope and the effect of the centre of joints that are not hips: a knee and a shoulder of people, against
 * single queries and against joints that have another centre. */
#include "base/vec.h"
#include "motion/rom/limit_text.h"
#include "person_joint.h"

static const double degrees = SYN_PI / 180;

static void check_cell(const syn_rom *rom, const syn_envelope *e, uint32_t f, uint32_t a, void *scratch) {
  const size_t cell = (size_t)f * e->adduction_count + a;
  for (int way = 0; way < 2; ++way) {
    const syn_motion motion = {
        .start = {.flexion = e->flexion_from + f * e->step, .adduction = e->adduction_from + a * e->step},
        .axis = 2,
        .sign = way ? -1 : 1,
        .max_deg = 90};
    const double angle = way ? e->external[cell] : e->internal[cell];
    const syn_limit_state state = way ? e->external_states[cell] : e->internal_states[cell];
    const syn_body_pair by = way ? e->external_limited_by[cell] : e->limited_by[cell];
    syn_limit limit;
    syn_rom_query(rom, &motion, scratch, &limit);
    assert_int_equal(state, limit.state);
    if (state == SYN_LIMIT_NO_FREE_POSE)
      assert_true(isnan(angle));
    else
      assert_true(angle == limit.followed);
    if (isnan(syn_limit_free_again_deg(&limit))) assert_true(by.fixed == limit.fixed && by.mobile == limit.mobile);
  }
}

static void check_envelope(const person_joint *p, double from_deg, double to_deg, double side_deg) {
  syn_envelope_options options = syn_default_envelope_options();
  syn_envelope *e;
  syn_rom *rom;
  syn_error error;
  size_t stopped = 0;
  options.flexion_from = from_deg * degrees;
  options.flexion_to = to_deg * degrees;
  options.adduction_from = -side_deg * degrees;
  options.adduction_to = side_deg * degrees;
  options.step = side_deg * degrees;
  ASSERT_OK(syn_rom_create(NULL, &p->joint, NULL, &rom, &error));
  ASSERT_OK(syn_envelope_create(NULL, rom, &options, &e, &error));
  assert_int_equal(e->adduction_count, 3);
  assert_null(e->places);
  void *scratch = malloc(syn_rom_scratch(rom));
  for (uint32_t f = 0; f < e->flexion_count; ++f)
    for (uint32_t a = 0; a < e->adduction_count; ++a) {
      check_cell(rom, e, f, a, scratch);
      stopped += e->internal_states[f * e->adduction_count + a] == SYN_LIMIT_STOPPED;
    }
  assert_true(stopped > 0);
  free(scratch);
  syn_envelope_destroy(e);
  syn_rom_destroy(rom);
}

/* A joint with its centre elsewhere, prepared from the beginning. */
static void widen(const syn_joint *joint, syn_vec3 center, const syn_motion *motion, syn_band *band) {
  syn_joint moved = *joint;
  syn_rom *rom;
  syn_limit limit;
  syn_error error;
  moved.center = center;
  ASSERT_OK(syn_rom_create(NULL, &moved, NULL, &rom, &error));
  void *scratch = malloc(syn_rom_scratch(rom));
  syn_rom_query(rom, motion, scratch, &limit);
  if (limit.state != SYN_LIMIT_NO_STOP) {
    band->low = fmin(band->low, limit.followed / degrees);
    band->high = fmax(band->high, limit.followed / degrees);
  }
  free(scratch);
  syn_rom_destroy(rom);
}

static void check_centers(const syn_joint *joint, const syn_motion *motion) {
  const double shift_mm = 2;
  const syn_vec3 axes[] = {joint->axes.flexion, joint->axes.adduction, joint->axes.rotation};
  syn_band found, expected = {NAN, NAN};
  syn_rom *rom;
  syn_error error;
  ASSERT_OK(syn_rom_create(NULL, joint, NULL, &rom, &error));
  ASSERT_OK(syn_center_bands_find(rom, &motion, 1, shift_mm, &found, &error));
  ASSERT_FAILS(syn_center_bands_find(rom, &motion, 1, -1, &found, &error), SYN_BAD_ARGUMENT, "0 or more");
  syn_rom_destroy(rom);
  widen(joint, joint->center, motion, &expected);
  for (int i = 0; i < 6; ++i)
    widen(joint, vec3_madd(joint->center, i & 1 ? -shift_mm : shift_mm, axes[i / 2]), motion, &expected);
  ASSERT_NEAR(found.low, expected.low, 1e-9);
  ASSERT_NEAR(found.high, expected.high, 1e-9);
  assert_true(found.high > found.low);
}

static void a_knee_has_an_envelope_and_an_effect_of_its_centre(void **state) {
  (void)state;
  const syn_motion sideward = {.name = "abduction", .axis = 1, .sign = 1, .max_deg = 90};
  person_joint knee;
  if (!read_knee(&knee)) skip();
  check_envelope(&knee, 0, 100, 4);
  check_centers(&knee.joint, &sideward);
  drop_person_joint(&knee);
}

static void a_shoulder_has_an_envelope_and_an_effect_of_its_centre(void **state) {
  (void)state;
  const syn_motion upward = {.name = "flexion", .axis = 0, .sign = -1, .max_deg = 180};
  person_joint shoulder;
  if (!read_shoulder(&shoulder)) skip();
  const syn_ball head = {{-9.9, -32.2, 8.3}, 24};
  shoulder.joint.articular = &head;
  shoulder.joint.articular_count = 1;
  check_envelope(&shoulder, -150, -30, 30);
  check_centers(&shoulder.joint, &upward);
  drop_person_joint(&shoulder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_knee_has_an_envelope_and_an_effect_of_its_centre),
      cmocka_unit_test(a_shoulder_has_an_envelope_and_an_effect_of_its_centre),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
