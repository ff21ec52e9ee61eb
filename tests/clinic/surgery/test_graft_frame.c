/* A graft's straight fibres, against their lengths at each angle by hand. */
#include "clinic/surgery/graft.h"

#include "base/vec.h"
#include "support.h"

/* Rodrigues' formula, about an axis through a point. */
static syn_vec3 turned(syn_vec3 p, syn_vec3 center, syn_vec3 axis, double angle) {
  const syn_vec3 off = vec3_sub(p, center), along = vec3_scale(axis, vec3_dot(off, axis)),
                 across = vec3_sub(off, along);
  return vec3_add(vec3_add(center, along),
                  vec3_add(vec3_scale(across, cos(angle)), vec3_scale(vec3_cross(axis, across), sin(angle))));
}

static void stretch_is_that_of_the_longest_fibre_and_slack_that_of_the_middle_one(void **state) {
  (void)state;
  test_random random = {5};
  int slack_count = 0, edge_count = 0;
  for (int round = 0; round < 200; ++round) {
    syn_graft_options options = syn_default_graft_options();
    options.center = random_vec3(&random, 15);
    options.axis = vec3_unit(random_vec3(&random, 1));
    options.to = 60 * SYN_DEGREE;
    options.step = 10 * SYN_DEGREE;
    options.rotation = 0;
    const syn_graft_tunnels tunnels = {random_vec3(&random, 10), vec3_add(vec3(0, -25, 0), random_vec3(&random, 10))};
    syn_graft_frame frame;
    syn_error error;
    double slack_mm;
    ASSERT_OK(syn_graft_frame_of(&options, &tunnels, &frame, &error));
    const double strain = syn_graft_strain(&options, &frame, &slack_mm);
    double longest = 0, shortest = 0, corner = 0;
    for (int row = 0; row <= 6; ++row)
      for (int u = -1; u <= 1; ++u)
        for (int v = -1; v <= 1; ++v) {
          const syn_vec3 from = syn_graft_point(&options, &frame, u, v, 0),
                         to = syn_graft_point(&options, &frame, u, v, 1);
          const double length = vec3_distance(from, turned(to, options.center, options.axis, row * options.step));
          longest = fmax(longest, length - frame.length_mm);
          if (u == 0 && v == 0) shortest = fmin(shortest, length - frame.length_mm);
          if (u == 1 && v == 1) corner = fmin(corner, length - frame.length_mm);
        }
    ASSERT_NEAR(strain, longest / frame.length_mm, 1e-9);
    ASSERT_NEAR(slack_mm, -shortest, 1e-9);
    slack_count += slack_mm > 0.1;
    edge_count += fabs(corner - shortest) > 0.1;
  }
  assert_true(slack_count > 20 && edge_count > 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stretch_is_that_of_the_longest_fibre_and_slack_that_of_the_middle_one),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
