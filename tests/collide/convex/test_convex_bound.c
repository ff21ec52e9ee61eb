/* What is stated of a distance that is wanted to a few digits only is the best of all planes that were tried. */
#include "convex_bodies.h"

#include "base/vec.h"

static syn_convex_result ask(const syn_convex *a, const syn_convex *b, const syn_pose *pose, double precision,
                             double far) {
  syn_convex_options options = syn_default_convex_options();
  options.algorithm = SYN_CONVEX_GJK;
  options.precision = precision;
  options.far_mm = far;
  syn_convex_result result;
  assert_int_equal(syn_convex_query(a, b, pose, &options, NULL, NULL, &result), SYN_OK);
  return result;
}

/* The search that may end at a distance goes the same way up to there: it never finds a plane that shows more than what
 * was stated without it. */
static void no_plane_on_the_way_shows_more_than_the_bound(void **state) {
  (void)state;
  test_random random = {23};
  uint32_t apart = 0;
  for (int round = 0; round < 100; ++round) {
    syn_convex *a = random_convex(NULL, &random, (int)random_below(&random, CONVEX_KINDS), 1);
    syn_convex *b = random_convex(NULL, &random, (int)random_below(&random, CONVEX_KINDS), 1);
    for (int turn = 0; turn < 400; ++turn) {
      const syn_pose pose = random_pose(&random, 2);
      const double precision = random_between(&random, 0.05, 0.5);
      const syn_convex_result rough = ask(a, b, &pose, precision, INFINITY);
      if (rough.exit == SYN_CONVEX_COLLIDING) continue;
      ++apart;
      const syn_convex_result again = ask(a, b, &pose, precision, rough.bound_mm + 1e-9);
      if (again.supports == 0) continue; /* the balls around both were enough */
      if (again.exit == SYN_CONVEX_FAR) fail_msg("%g mm are stated, %g mm known", rough.bound_mm, again.bound_mm);
    }
    syn_convex_destroy(a);
    syn_convex_destroy(b);
  }
  assert_true(apart > 1000);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(no_plane_on_the_way_shows_more_than_the_bound)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
