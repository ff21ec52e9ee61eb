/* Which Dofs influence which, against the closure by Warshall's three loops, and long chains of them. */
#include "base/vec.h"
#include "motion/skeleton.h"
#include "support.h"

static const double ends[] = {0, 1};

static syn_dof hinge(const char *name, double lower) {
  return (syn_dof){.name = name,
                   .place = syn_pose_identity(),
                   .axis = {0, 0, 1},
                   .lower = lower,
                   .upper = 1,
                   .comfort_lower = lower,
                   .comfort_upper = 1,
                   .rest = lower};
}

enum { MOST_DOFS = 12 };

typedef struct influences {
  size_t count;
  bool direct[MOST_DOFS][MOST_DOFS]; /* direct[a][b]: b has a modifier by a */
  char names[MOST_DOFS][8];
  syn_range_modifier modifiers[MOST_DOFS][MOST_DOFS];
  syn_dof dofs[MOST_DOFS];
  syn_skeleton_joint joints[MOST_DOFS];
} influences;

/* Each Dof in a joint of its own, modified by whatever the graph has. */
static syn_status make_influences(influences *g, syn_skeleton **skeleton, syn_error *error) {
  for (size_t i = 0; i < g->count; ++i) {
    snprintf(g->names[i], sizeof g->names[i], "d%zu", i);
    g->dofs[i] = hinge(g->names[i], -1);
    g->dofs[i].modifiers = g->modifiers[i];
    for (size_t by = 0; by < g->count; ++by) {
      const syn_range_modifier m = {.by = g->names[by], .count = 2, .at = ends, .lower = ends};
      if (g->direct[by][i]) g->modifiers[i][g->dofs[i].modifier_count++] = m;
    }
    g->joints[i] =
        (syn_skeleton_joint){.name = g->names[i], .type = SYN_JOINT_UNIAXIAL, .dof_count = 1, .dofs = &g->dofs[i]};
  }
  return syn_skeleton_create(NULL, &(syn_skeleton_description){.joint_count = g->count, .joints = g->joints}, skeleton,
                             error);
}

/* Every third graph may have cycles, the others follow a random order of the Dofs. */
static void draw_influences(influences *g, test_random *random, int turn) {
  size_t rank[MOST_DOFS];
  *g = (influences){.count = 1 + random_below(random, MOST_DOFS)};
  for (size_t i = 0; i < g->count; ++i) {
    const size_t at = random_below(random, (uint32_t)i + 1);
    rank[i] = rank[at];
    rank[at] = i;
  }
  for (size_t i = 0; i < g->count; ++i)
    for (size_t k = 0; k < g->count; ++k)
      g->direct[i][k] = (turn % 3 == 0 || rank[i] < rank[k]) && random_below(random, turn % 3 ? 3 : 12) == 0;
}

static void influences_are_the_closure_and_cycles_are_refused(void **state) {
  (void)state;
  test_random random = {34};
  size_t refused = 0, made = 0;
  for (int turn = 0; turn < 600; ++turn) {
    influences g;
    draw_influences(&g, &random, turn);
    bool closure[MOST_DOFS][MOST_DOFS], cyclic = false;
    memcpy(closure, g.direct, sizeof closure);
    for (size_t k = 0; k < g.count; ++k)
      for (size_t i = 0; i < g.count; ++i)
        for (size_t j = 0; j < g.count; ++j) closure[i][j] = closure[i][j] || (closure[i][k] && closure[k][j]);
    for (size_t i = 0; i < g.count; ++i) cyclic = cyclic || closure[i][i];
    syn_skeleton *s;
    syn_error error;
    const syn_status status = make_influences(&g, &s, &error);
    assert_int_equal(status, cyclic ? SYN_BAD_ARGUMENT : SYN_OK);
    ++*(cyclic ? &refused : &made);
    for (size_t i = 0; !cyclic && i < g.count; ++i) {
      bool influenced[MOST_DOFS];
      size_t expected = 0;
      const size_t count = syn_skeleton_influenced(s, i, influenced);
      for (size_t j = 0; j < g.count; ++j) {
        assert_int_equal(influenced[j], closure[i][j]);
        expected += closure[i][j];
      }
      assert_int_equal(count, expected);
    }
    syn_skeleton_destroy(s);
  }
  assert_true(refused > 50 && made > 400);
}

/* Each Dof is modified by the two before it: as many ways from the first to the last as the 60,000th Fibonacci number
 * says. Listed from the last to the first, as no loop over the list in its order can resolve at once. A joint hangs on
 * the one before. What is not linear here takes minutes. */
static void long_chains_are_walked_once(void **state) {
  (void)state;
  enum { LENGTH = 60000, NAME = 12 };
  syn_dof *dofs = calloc(LENGTH, sizeof *dofs);
  syn_skeleton_joint *joints = calloc(LENGTH, sizeof *joints);
  syn_range_modifier(*modifiers)[2] = calloc(LENGTH, sizeof *modifiers);
  char(*names)[NAME] = calloc(LENGTH, NAME);
  bool *influenced = calloc(LENGTH, sizeof *influenced);
  double *values = calloc(LENGTH, sizeof *values);
  for (size_t i = 0; i < LENGTH; ++i) snprintf(names[i], NAME, "d%zu", i);
  for (size_t i = 0; i < LENGTH; ++i) {
    dofs[i] = hinge(names[i], 0);
    dofs[i].modifiers = modifiers[i];
    for (size_t k = i + 1; k < LENGTH && k <= i + 2; ++k)
      modifiers[i][dofs[i].modifier_count++] =
          (syn_range_modifier){.by = names[k], .count = 2, .at = ends, .upper = ends};
    joints[i] = (syn_skeleton_joint){.name = names[i],
                                     .parent = i ? names[i - 1] : NULL,
                                     .type = SYN_JOINT_UNIAXIAL,
                                     .dof_count = 1,
                                     .dofs = &dofs[i]};
  }
  syn_skeleton *s;
  syn_error error;
  ASSERT_OK(
      syn_skeleton_create(NULL, &(syn_skeleton_description){.joint_count = LENGTH, .joints = joints}, &s, &error));
  assert_int_equal(syn_skeleton_influenced(s, LENGTH - 1, influenced), LENGTH - 1);
  assert_int_equal(syn_skeleton_influenced(s, 7, influenced), 7);
  for (size_t i = 0; i < LENGTH; ++i) assert_int_equal(influenced[i], i < 7);
  for (size_t i = 0; i < LENGTH; ++i) values[i] = 1;
  values[LENGTH - 1] = 0.25; /* the others follow */
  assert_int_equal(syn_skeleton_clamp(s, values), LENGTH - 1);
  ASSERT_NEAR(values[0], 0.25, 0);
  syn_vec3 point, direction;
  syn_skeleton_axis(s, LENGTH - 1, values, &point, &direction); /* no deeper stack for a deeper tree */
  ASSERT_NEAR(vec3_distance(direction, vec3(0, 0, 1)), 0, 1e-9);
  syn_skeleton_destroy(s);
  free(values);
  free(influenced);
  free(names);
  free(modifiers);
  free(joints);
  free(dofs);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(influences_are_the_closure_and_cycles_are_refused),
      cmocka_unit_test(long_chains_are_walked_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
