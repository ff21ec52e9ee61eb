/* The envelope: the same as single queries, on any number of threads. */
#include "block_hip.h"

#include "base/vec.h"
#include "clinic/rom/hip_rom.h"
#include "motion/rom/limit_text.h"

static const double degrees = SYN_PI / 180;

typedef struct watcher {
  int calls, stop_at; /* 0: never */
  double last;
} watcher;

static bool watch(void *user, const char *what, double fraction) {
  watcher *w = user;
  assert_non_null(what);
  assert_true(fraction >= w->last && fraction < 1);
  w->last = fraction;
  return ++w->calls != w->stop_at;
}

/* A pelvis with blocks and a femur with a fin: free cells, overlapping ones, and some where no rotation is free. */
static syn_rom *rom_of_blocks(block_hip *blocks) {
  syn_error error;
  syn_rom *rom;
  *blocks = make_block_hip(NULL, SYN_SIDE_RIGHT, NULL);
  ASSERT_OK(syn_hip_rom_create(NULL, &blocks->hip, &rom, &error));
  return rom;
}

static syn_context context_with(int threads) {
  syn_context context = syn_default_context();
  context.threads = threads;
  return context;
}

static syn_envelope *envelope_of(const syn_rom *rom, const syn_context *context, const syn_envelope_options *options) {
  syn_error error;
  syn_envelope *envelope;
  ASSERT_OK(syn_envelope_create(context, rom, options, &envelope, &error));
  return envelope;
}

/* A rotation as the clinical ones are: followed to 90 degrees. */
static void ask(const syn_rom *rom, syn_hip_angles start, int sign, void *scratch, syn_limit *limit) {
  const syn_motion motion = {
      .name = "rotation", .start = start, .axis = SYN_AXIS_ROTATION, .sign = sign, .max_deg = 90};
  syn_rom_query(rom, &motion, scratch, limit);
}

/* Where the start collides there is no angle, even if poses further on are free. */
static void check_turn(const syn_limit *limit, syn_limit_state state, double told, syn_body_pair by) {
  const bool ahead = isfinite(syn_limit_free_again_deg(limit));
  assert_int_equal(state, limit->state);
  if (state == SYN_LIMIT_NO_FREE_POSE)
    assert_true(isnan(told));
  else
    assert_memory_equal(&told, &limit->followed, sizeof told);
  assert_int_equal(by.fixed, ahead ? SYN_NONE : limit->fixed);
  assert_int_equal(by.mobile, ahead ? SYN_NONE : limit->mobile);
}

static void the_envelope_is_what_single_queries_tell(void **state) {
  (void)state;
  block_hip blocks;
  syn_rom *rom = rom_of_blocks(&blocks);
  const syn_envelope_options options = syn_default_envelope_options();
  const syn_context context = context_with(2);
  syn_envelope *envelope = envelope_of(rom, &context, &options);
  assert_int_equal(envelope->flexion_count, 33);
  assert_int_equal(envelope->adduction_count, 21);
  void *scratch = malloc(syn_rom_scratch(rom));
  size_t cell = 0, seen[SYN_LIMIT_STATES] = {0}, ahead = 0, back = 0;
  for (uint32_t f = 0; f < envelope->flexion_count; ++f)
    for (uint32_t a = 0; a < envelope->adduction_count; ++a, ++cell) {
      const syn_hip_angles start = {envelope->flexion_from + f * envelope->step,
                                    envelope->adduction_from + a * envelope->step, 0};
      syn_limit inward, outward;
      ask(rom, start, 1, scratch, &inward);
      ask(rom, start, -1, scratch, &outward);
      check_turn(&inward, envelope->internal_states[cell], envelope->internal[cell], envelope->limited_by[cell]);
      check_turn(&outward, envelope->external_states[cell], envelope->external[cell],
                 envelope->external_limited_by[cell]);
      ++seen[envelope->internal_states[cell]];
      ahead += isfinite(syn_limit_free_again_deg(&inward)) || isfinite(syn_limit_free_again_deg(&outward));
      back += envelope->internal[cell] < 0 || envelope->external[cell] < 0;
    }
  /* else the comparison says little */
  assert_true(seen[SYN_LIMIT_STOPPED] > 0 && seen[SYN_LIMIT_NO_STOP] > 0 && seen[SYN_LIMIT_NO_FREE_POSE] > 0);
  assert_true(back > 0 && ahead > 0);
  free(scratch);
  syn_envelope_destroy(envelope);
  syn_rom_destroy(rom);
  drop_block_hip(&blocks);
}

/* ---- where its rotations end ---------------------------------------------------------------------------------------
 */

static bool same_number(double a, double b) { return a == b || (isnan(a) && isnan(b)); }

static bool same_place(const syn_contact_place *a, const syn_contact_place *b) {
  return a->femur == b->femur && a->pelvis == b->pelvis && a->inside_joint == b->inside_joint &&
         same_number(a->femur_hour, b->femur_hour) && same_number(a->pelvis_hour, b->pelvis_hour);
}

/* Of either rotation the place is that of a single query; the two differ somewhere. */
static void places_are_those_of_single_queries(void **state) {
  (void)state;
  syn_error error;
  syn_joint *shape;
  syn_hip_case *hip_case;
  syn_rom *rom;
  syn_envelope *envelope;
  syn_hip_input input = syn_default_hip_input();
  syn_envelope_options options = syn_default_envelope_options();
  const syn_shape_value values[] = {{"ce", 35}, {"alpha", 70}, {"resolution", 3}};
  ASSERT_OK(syn_shape_create(NULL, "hip", values, 3, &shape, &error));
  input.meshes[SYN_HIP_PELVIS] = syn_joint_body_named(shape, "pelvis")->surface;
  input.meshes[SYN_HIP_FEMUR] = syn_joint_body_named(shape, "femur")->surface;
  ASSERT_OK(syn_hip_case_create(NULL, &input, &hip_case, &error));
  const syn_hip *hip = &hip_case->hip;
  ASSERT_OK(syn_hip_rom_create(NULL, hip, &rom, &error));
  options.step = 20 * SYN_PI / 180;
  ASSERT_OK(syn_hip_envelope_create(NULL, hip, hip_case->anatomy, rom, &options, &envelope, &error));
  void *scratch = malloc(syn_rom_scratch(rom));
  size_t cell = 0, differ = 0, named = 0;
  for (uint32_t f = 0; f < envelope->flexion_count; ++f)
    for (uint32_t a = 0; a < envelope->adduction_count; ++a, ++cell) {
      const syn_joint_angles start = {envelope->flexion_from + f * envelope->step,
                                      envelope->adduction_from + a * envelope->step, 0};
      for (int way = 0; way < 2; ++way) {
        const syn_contact_place *found = way ? &envelope->external_places[cell] : &envelope->places[cell];
        syn_limit limit;
        ask(rom, start, way ? -1 : 1, scratch, &limit);
        const syn_contact_place expected = syn_limit_place(hip, hip_case->anatomy, &limit);
        assert_true(same_place(found, &expected));
        named += found->pelvis < SYN_PELVIS_REGIONS;
      }
      differ += !same_place(&envelope->places[cell], &envelope->external_places[cell]);
    }
  assert_true(differ > 0 && named > 0);
  free(scratch);
  syn_envelope_destroy(envelope);
  syn_rom_destroy(rom);
  syn_hip_case_destroy(hip_case);
  syn_joint_destroy(shape);
}

static void the_bits_do_not_depend_on_the_number_of_threads(void **state) {
  (void)state;
  block_hip blocks;
  syn_rom *rom = rom_of_blocks(&blocks);
  syn_envelope_options options = syn_default_envelope_options();
  options.step = 3 * degrees;
  const syn_context alone = context_with(1);
  syn_envelope *one = envelope_of(rom, &alone, &options);
  const size_t count = (size_t)one->flexion_count * one->adduction_count;
  for (int threads = 2; threads <= 7; threads += 5) {
    const syn_context context = context_with(threads);
    syn_envelope *many = envelope_of(rom, &context, &options);
    assert_memory_equal(one->internal, many->internal, count * sizeof *one->internal);
    assert_memory_equal(one->external, many->external, count * sizeof *one->external);
    assert_memory_equal(one->limited_by, many->limited_by, count * sizeof *one->limited_by);
    assert_memory_equal(one->internal_states, many->internal_states, count * sizeof *one->internal_states);
    assert_memory_equal(one->external_states, many->external_states, count * sizeof *one->external_states);
    syn_envelope_destroy(many);
  }
  syn_envelope_destroy(one);
  syn_rom_destroy(rom);
  drop_block_hip(&blocks);
}

static void a_step_that_fits_reaches_the_end_and_one_pose_is_a_grid(void **state) {
  (void)state;
  block_hip blocks;
  syn_rom *rom = rom_of_blocks(&blocks);
  syn_envelope_options options = syn_default_envelope_options();
  options.flexion_from = 0;
  options.flexion_to = 0.3;
  options.adduction_from = options.adduction_to = 0.1;
  options.step = 0.1;
  syn_envelope *envelope = envelope_of(rom, NULL, &options);
  assert_int_equal(envelope->flexion_count, 4);
  assert_int_equal(envelope->adduction_count, 1);
  syn_envelope_destroy(envelope);
  syn_envelope_destroy(NULL);
  syn_rom_destroy(rom);
  drop_block_hip(&blocks);
}

static void grids_that_make_no_sense_are_refused(void **state) {
  (void)state;
  syn_error error;
  syn_envelope *envelope;
  block_hip blocks;
  syn_rom *rom = rom_of_blocks(&blocks);
  const double bad_steps[] = {0, -1, NAN, INFINITY};
  for (size_t i = 0; i < sizeof bad_steps / sizeof *bad_steps; ++i) {
    syn_envelope_options options = syn_default_envelope_options();
    options.step = bad_steps[i];
    ASSERT_FAILS(syn_envelope_create(NULL, rom, &options, &envelope, &error), SYN_BAD_ARGUMENT, "steps");
    assert_null(envelope);
  }
  syn_envelope_options options = syn_default_envelope_options();
  options.flexion_to = options.flexion_from - 1;
  ASSERT_FAILS(syn_envelope_create(NULL, rom, &options, &envelope, &error), SYN_BAD_ARGUMENT, "rise");
  options = syn_default_envelope_options();
  options.adduction_from = NAN;
  ASSERT_FAILS(syn_envelope_create(NULL, rom, &options, &envelope, &error), SYN_BAD_ARGUMENT, "finite");
  const double fine_steps[] = {1e-4, 1e-300};
  for (size_t i = 0; i < 2; ++i) {
    options = syn_default_envelope_options();
    options.step = fine_steps[i];
    ASSERT_FAILS(syn_envelope_create(NULL, rom, &options, &envelope, &error), SYN_TOO_LARGE, "ten million");
  }
  options = syn_default_envelope_options();
  options.flexion_to = INFINITY;
  ASSERT_FAILS(syn_envelope_create(NULL, rom, &options, &envelope, &error), SYN_TOO_LARGE, "ten million");
  syn_rom_destroy(rom);
  drop_block_hip(&blocks);
}

static void it_tells_its_progress_and_stops_when_asked(void **state) {
  (void)state;
  syn_error error;
  syn_envelope *envelope;
  block_hip blocks;
  syn_rom *rom = rom_of_blocks(&blocks);
  const syn_envelope_options options = syn_default_envelope_options();
  watcher w = {0};
  syn_context context = syn_default_context();
  context.progress = watch;
  context.user = &w;
  context.threads = 2;
  ASSERT_OK(syn_envelope_create(&context, rom, &options, &envelope, &error));
  syn_envelope_destroy(envelope);
  assert_true(w.calls > 10);
  w = (watcher){.stop_at = 5};
  ASSERT_FAILS(syn_envelope_create(&context, rom, &options, &envelope, &error), SYN_CANCELLED, "cancelled");
  assert_null(envelope);
  assert_int_equal(w.calls, 5);
  syn_rom_destroy(rom);
  drop_block_hip(&blocks);
}

static syn_status create_and_drop(const syn_context *context, void *user, syn_error *error) {
  syn_envelope_options options = syn_default_envelope_options();
  syn_envelope *envelope;
  options.step = 60 * degrees;
  const syn_status status = syn_envelope_create(context, user, &options, &envelope, error);
  syn_envelope_destroy(envelope);
  return status;
}

static void no_memory_is_lost_when_there_is_too_little(void **state) {
  (void)state;
  block_hip blocks;
  syn_rom *rom = rom_of_blocks(&blocks);
  check_every_allocation(create_and_drop, rom);
  syn_rom_destroy(rom);
  drop_block_hip(&blocks);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_envelope_is_what_single_queries_tell),
      cmocka_unit_test(places_are_those_of_single_queries),
      cmocka_unit_test(the_bits_do_not_depend_on_the_number_of_threads),
      cmocka_unit_test(a_step_that_fits_reaches_the_end_and_one_pose_is_a_grid),
      cmocka_unit_test(grids_that_make_no_sense_are_refused),
      cmocka_unit_test(it_tells_its_progress_and_stops_when_asked),
      cmocka_unit_test(no_memory_is_lost_when_there_is_too_little),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
