/* A shallow arch under a stamp: beyond a certain force there is no equilibrium near, and it snaps through. */
#include "support.h"

#include <math.h>

#include <synovia/pressure.h>
#include <synovia/tissue.h>

#include "base/vec.h"
#include "pressure/contact/contact_problem.h"

enum { ALONG = 32, THROUGH = 2, COLUMN = 2 * (THROUGH + 1), NODES = (ALONG + 1) * COLUMN, FACETS = 6 };
static const double length = 20, rise = 2.5, thickness = 0.6, radius = 4;

typedef struct arch {
  syn_vec3 nodes[NODES];
  uint32_t elements[ALONG * THROUGH][8], faces[ALONG][4];
  uint8_t held[NODES];
  syn_vec3 stamp_nodes[2 * (FACETS + 1)];
  uint32_t stamp_faces[FACETS][4];
  syn_soft *soft;
  syn_contact_problem *problem;
} arch;

static uint32_t node(int along, int through, int across) { return (uint32_t)(COLUMN * along + 2 * through + across); }

/* Held at both ends, and across: a plane problem. */
static void make_arch(arch *a) {
  for (int i = 0; i <= ALONG; ++i)
    for (int k = 0; k <= THROUGH; ++k)
      for (int j = 0; j < 2; ++j) {
        const double x = length * ((double)i / ALONG - 0.5);
        const double z = rise * (1 + cos(2 * SYN_PI * x / length)) / 2 + thickness * ((double)k / THROUGH - 1);
        a->nodes[node(i, k, j)] = vec3(x, j, z);
        a->held[node(i, k, j)] = i == 0 || i == ALONG ? 7 : 2;
      }
  for (int i = 0; i < ALONG; ++i) {
    for (int k = 0; k < THROUGH; ++k) {
      const uint32_t corners[8] = {node(i, k, 0),     node(i + 1, k, 0),     node(i + 1, k, 1),     node(i, k, 1),
                                   node(i, k + 1, 0), node(i + 1, k + 1, 0), node(i + 1, k + 1, 1), node(i, k + 1, 1)};
      memcpy(a->elements[i * THROUGH + k], corners, sizeof corners);
    }
    memcpy(a->faces[i], a->elements[i * THROUGH + THROUGH - 1] + 4, sizeof a->faces[i]);
  }
}

/* The underside of a cylinder across the arch. */
static void make_stamp(arch *a) {
  for (int i = 0; i <= FACETS; ++i) {
    const double angle = 0.5 * (2.0 * i / FACETS - 1);
    for (int j = 0; j < 2; ++j)
      a->stamp_nodes[2 * i + j] = vec3(radius * sin(angle), 1.2 * j - 0.1, rise + radius * (1 - cos(angle)));
  }
  for (uint32_t i = 0; i < FACETS; ++i) {
    const uint32_t corners[4] = {2 * i, 2 * i + 1, 2 * i + 3, 2 * i + 2};
    memcpy(a->stamp_faces[i], corners, sizeof corners);
  }
}

static arch *create(const syn_context *context) {
  syn_error error;
  syn_contact_options settings = syn_default_contact_options();
  settings.cuts = 1; /* smaller steps would fail as well, each after many iterations */
  arch *a = calloc(1, sizeof *a);
  assert_non_null(a);
  make_arch(a);
  make_stamp(a);
  const syn_fem_mesh mesh = {.element = SYN_ELEMENT_HEX8,
                             .node_count = NODES,
                             .element_count = ALONG * THROUGH,
                             .nodes = a->nodes,
                             .elements = a->elements[0]};
  syn_soft_options options = syn_default_soft_options();
  options.law = SYN_LAW_NEO_HOOKEAN;
  options.material = (syn_material){10, 0.3, 1000};
  ASSERT_OK(syn_soft_fem_create(context, &mesh, &options, &a->soft, &error));
  const syn_contact_body fixed = {
      .soft = a->soft, .held = a->held, .face_count = ALONG, .face_nodes = 4, .faces = a->faces[0]};
  const syn_contact_body mobile = {.node_count = 2 * (FACETS + 1),
                                   .nodes = a->stamp_nodes,
                                   .face_count = FACETS,
                                   .face_nodes = 4,
                                   .faces = a->stamp_faces[0]};
  ASSERT_OK(syn_contact_problem_create(context, &fixed, &mobile, &settings, &a->problem, &error));
  return a;
}

static void destroy(arch *a) {
  syn_contact_problem_destroy(a->problem);
  syn_soft_destroy(a->soft);
  free(a);
}

/* Forces are balanced to the tolerance, and nothing overlaps by more than it. */
static void check_equilibrium(const arch *a, double force) {
  const double *gap = syn_contact_problem_solution(a->problem).gap_mm[0];
  assert_true(syn_contact_problem_solution(a->problem).residual_n < 1e-3 * force);
  for (int i = 0; i < NODES; ++i) assert_true(isnan(gap[i]) || gap[i] > -0.01 * thickness);
}

static double press(arch *a, double force) {
  syn_error error;
  const syn_load_step load = {.pose = syn_pose_identity(), .driven = 3, .force = {0, 0, -force}};
  ASSERT_OK(syn_contact_problem_solve(a->problem, &load, &error));
  ASSERT_NEAR(syn_contact_problem_solution(a->problem).force.z, force, 1e-3 * force);
  check_equilibrium(a, force);
  const double way = -syn_contact_problem_solution(a->problem).shift.z;
  print_message("%.3f N: %.4f mm, snap %.3f, %u iterations\n", force, way,
                syn_contact_problem_solution(a->problem).snap_mm, syn_contact_problem_solution(a->problem).iterations);
  return way;
}

/* The limit is near 0.044 N. Beyond it the only equilibrium is that of the arch hanging through, which a stamp that
 * begins with so much force finds at once: where the way led does not matter here. */
static void an_arch_snaps_through(void **state) {
  (void)state;
  arch *a = create(NULL);
  ASSERT_NEAR(press(a, 0.042), 0.73, 0.05);
  assert_true(syn_contact_problem_solution(a->problem).snap_mm == 0);
  const double through = press(a, 0.05);
  assert_true(through > 2 * rise);
  ASSERT_NEAR(syn_contact_problem_solution(a->problem).snap_mm, through - 0.73, 0.3);
  press(a, 0.054);
  assert_true(syn_contact_problem_solution(a->problem).snap_mm == 0);
  destroy(a);
  a = create(NULL);
  ASSERT_NEAR(press(a, 0.05), through, 1e-3);
  destroy(a);
}

/* Newton's constants decide on the way to an equilibrium, not on where that is: both ends of the ranges that their
 * definition gives. */
static void constants_of_newton_change_no_answer(void **state) {
  (void)state;
  const contact_newton_options usual = syn_contact_newton_options();
  contact_newton_options tried[13];
  for (size_t i = 0; i < sizeof tried / sizeof *tried; ++i) tried[i] = usual;
  tried[1].search.reuse = 0, tried[2].search.reuse = 0.9;
  tried[3].easy = 2, tried[4].easy = 20;
  tried[5].exact_tolerance = 0.01, tried[6].exact_tolerance = 0.2;
  tried[7].augment = 0.01, tried[8].augment = 0.1;
  tried[9].active_share = 50, tried[10].active_share = 1000;
  tried[11].longest_step = 0.25, tried[12].lost = 0.5;
  double way = 0;
  for (size_t i = 0; i < sizeof tried / sizeof *tried; ++i) {
    arch *a = create(NULL);
    a->problem->solver.newton = tried[i];
    const double found = press(a, 0.042);
    if (i == 0) way = found;
    ASSERT_NEAR(found, way, 1e-4 * way);
    destroy(a);
  }
}

/* Pulled off, nothing bears it and there is no next equilibrium. */
static void what_leaves_does_not_snap(void **state) {
  (void)state;
  arch *a = create(NULL);
  syn_error error;
  press(a, 0.02);
  const syn_load_step load = {.pose = syn_pose_identity(), .driven = 3, .force = {0, 0, 0.02}};
  ASSERT_FAILS(syn_contact_problem_solve(a->problem, &load, &error), SYN_NOT_CONVERGED, "leaves the other one");
  ASSERT_NEAR(syn_contact_problem_solution(a->problem).shift.z, 0, 0.01); /* half-way, where the force is none */
  destroy(a);
}

/* Where memory ends on the way the arch is as it was before, and snaps when there is enough again. */
static void memory_may_be_refused_in_a_snap(void **state) {
  (void)state;
  enum { IN_IT = 50 }; /* of the 59 allocations from there to the end */
  test_memory memory = {.only_one = true};
  const syn_context context = test_context(&memory);
  const syn_load_step load = {.pose = syn_pose_identity(), .driven = 3, .force = {0, 0, -0.05}};
  arch *a = create(&context);
  syn_error error;
  const double before = press(a, 0.042);
  memory.refuse_at = memory.allocations + IN_IT;
  ASSERT_FAILS(syn_contact_problem_solve(a->problem, &load, &error), SYN_NO_MEMORY, "");
  ASSERT_NEAR(-syn_contact_problem_solution(a->problem).shift.z, before, 0);
  assert_true(press(a, 0.05) > 2 * rise && syn_contact_problem_solution(a->problem).snap_mm > rise);
  destroy(a);
  assert_int_equal(memory.live, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_arch_snaps_through), cmocka_unit_test(constants_of_newton_change_no_answer),
      cmocka_unit_test(what_leaves_does_not_snap), cmocka_unit_test(memory_may_be_refused_in_a_snap)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
