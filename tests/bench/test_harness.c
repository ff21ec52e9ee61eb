/* Contenders that only count what is done to them. */
#include "harness.h"

#include "support.h"

static double median_of(const double *values, size_t count) {
  bench_samples samples = {.count = count};
  memcpy(samples.ms, values, count * sizeof *values);
  return bench_median(&samples);
}

static void the_median_is_the_middle_of_the_sorted_samples(void **state) {
  (void)state;
  const double odd[] = {5, 1, 4}, even[] = {9, 1, 3, 2}, one[] = {7};
  ASSERT_NEAR(median_of(odd, 3), 4, 0);
  ASSERT_NEAR(median_of(even, 4), 2.5, 0);
  ASSERT_NEAR(median_of(one, 1), 7, 0);
  assert_true(isnan(median_of(odd, 0)));
}

static void the_median_agrees_with_counting(void **state) {
  (void)state;
  test_random random = {1};
  for (int round = 0; round < 1000; ++round) {
    bench_samples samples = {.count = 1 + random_below(&random, BENCH_MAX_SAMPLES)};
    for (size_t i = 0; i < samples.count; ++i) samples.ms[i] = random_below(&random, 20);
    const double median = bench_median(&samples);
    size_t below = 0, above = 0;
    for (size_t i = 0; i < samples.count; ++i) {
      below += samples.ms[i] < median;
      above += samples.ms[i] > median;
    }
    assert_true(2 * below <= samples.count && 2 * above <= samples.count);
  }
}

static void the_clock_does_not_go_back(void **state) {
  (void)state;
  double last = bench_now_ms();
  for (int i = 0; i < 1000; ++i) {
    const double now = bench_now_ms();
    assert_true(now >= last);
    last = now;
  }
}

/* ---- races --------------------------------------------------------------------------------------------------------
 */

typedef struct history {
  int opened, closed, asked;
  char order[4096]; /* one letter per event of any contender */
  size_t events;
} history;
static history seen[2];
static history together;

static void note(char letter) {
  if (together.events + 1 < sizeof together.order) together.order[together.events++] = letter;
}

static void *open_counting(const bench_contender *self, const bench_scene *scene, syn_error *error) {
  (void)scene, (void)error;
  ++seen[self->variant].opened;
  note((char)('A' + self->variant));
  return &seen[self->variant];
}

static void *open_refusing(const bench_contender *self, const bench_scene *scene, syn_error *error) {
  (void)self, (void)scene;
  snprintf(error->message, sizeof error->message, "no such thing");
  return NULL;
}

/* The depth is the translation of the pose, so that the merging over poses can be checked. */
static void ask_counting(void *state, const syn_pose *pose, bench_answer *answer) {
  history *h = state;
  ++h->asked;
  note((char)('a' + (h - seen)));
  answer->depth_mm = pose->translation.x;
  answer->count = 2;
  answer->turn_deg[0] = 5;
}

static void close_counting(void *state) { ++((history *)state)->closed; }

static const bench_contender counting[] = {
    {"one", "", "q", 0, open_counting, ask_counting, close_counting, NULL},
    {"two", "", "q", 1, open_counting, ask_counting, close_counting, NULL},
};
static const bench_contender refusing = {"none", "", "q", 0, open_refusing, ask_counting, close_counting, NULL};

static bench_scene scene_of(syn_pose *poses, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    poses[i] = syn_pose_identity();
    poses[i].translation.x = i == 1 ? 3 : -1;
  }
  memset(seen, 0, sizeof seen);
  memset(&together, 0, sizeof together);
  return (bench_scene){.name = "s", .poses = poses, .pose_count = count};
}

static void contenders_take_turns(void **state) {
  (void)state;
  syn_pose poses[1];
  const bench_scene scene = scene_of(poses, 1);
  const bench_pace pace = {.repeats = 3, .budget_ms = 1e9, .sample_ms = 0};
  bench_entry entries[2] = {{.contender = &counting[0]}, {.contender = &counting[1]}};
  bench_race(&scene, &pace, entries, 2);
  assert_string_equal(together.order, "ABABAB"   /* built in turns */
                                      "ab"       /* warmed up */
                                      "ababab"); /* asked in turns */
  for (int i = 0; i < 2; ++i) {
    assert_int_equal(seen[i].opened, seen[i].closed);
    assert_int_equal(entries[i].build.count, 3);
    assert_int_equal(entries[i].ask.count, 3);
  }
}

static void answers_are_merged_over_the_poses(void **state) {
  (void)state;
  syn_pose poses[3];
  const bench_scene scene = scene_of(poses, 3);
  const bench_pace pace = {.repeats = 1, .budget_ms = 1e9, .sample_ms = 0};
  bench_entry entry = {.contender = &counting[0]};
  bench_race(&scene, &pace, &entry, 1);
  assert_true(entry.took_part);
  ASSERT_NEAR(entry.answer.depth_mm, 3, 0);
  assert_int_equal(entry.answer.count, 6);
  ASSERT_NEAR(entry.answer.turn_deg[0], 5, 0);
}

static void who_cannot_take_part_says_why_and_stops_nobody(void **state) {
  (void)state;
  syn_pose poses[1];
  const bench_scene scene = scene_of(poses, 1);
  const bench_pace pace = {.repeats = 2, .budget_ms = 1e9, .sample_ms = 0};
  bench_entry entries[2] = {{.contender = &refusing}, {.contender = &counting[1]}};
  bench_race(&scene, &pace, entries, 2);
  assert_false(entries[0].took_part);
  assert_string_equal(entries[0].error.message, "no such thing");
  assert_int_equal(entries[0].ask.count, 0);
  assert_int_equal(entries[1].ask.count, 2);
  assert_int_equal(seen[0].asked, 0);
}

static void a_spent_budget_leaves_one_sample(void **state) {
  (void)state;
  syn_pose poses[1];
  const bench_scene scene = scene_of(poses, 1);
  const bench_pace pace = {.repeats = 5, .budget_ms = 0, .sample_ms = 0};
  bench_entry entry = {.contender = &counting[0]};
  bench_race(&scene, &pace, &entry, 1);
  assert_int_equal(entry.build.count, 1);
  assert_int_equal(entry.ask.count, 1);
  assert_int_equal(seen[0].asked, 1); /* the warm-up itself is the sample */
}

static void short_questions_are_repeated_within_a_sample(void **state) {
  (void)state;
  syn_pose poses[1];
  const bench_scene scene = scene_of(poses, 1);
  const bench_pace pace = {.repeats = 1, .budget_ms = 1e9, .sample_ms = 5};
  bench_entry entry = {.contender = &counting[0]};
  bench_race(&scene, &pace, &entry, 1);
  assert_true(seen[0].asked > 2);
  assert_true(entry.ask.ms[0] < 5);
}

static void a_race_of_nobody_ends(void **state) {
  (void)state;
  const bench_scene scene = {.name = "s"};
  const bench_pace pace = bench_default_pace();
  bench_race(&scene, &pace, NULL, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_median_is_the_middle_of_the_sorted_samples),
      cmocka_unit_test(the_median_agrees_with_counting),
      cmocka_unit_test(the_clock_does_not_go_back),
      cmocka_unit_test(contenders_take_turns),
      cmocka_unit_test(answers_are_merged_over_the_poses),
      cmocka_unit_test(who_cannot_take_part_says_why_and_stops_nobody),
      cmocka_unit_test(a_spent_budget_leaves_one_sample),
      cmocka_unit_test(short_questions_are_repeated_within_a_sample),
      cmocka_unit_test(a_race_of_nobody_ends),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
