/* A mobile body that is far from where it was made, turned by about half a turn: it goes from one load to the next as
 * if it had been made there. */
#include "block_pair.h"

#include "base/vec.h"
#include "pressure/contact/contact_problem.h"

enum { CELLS = 8, ROW = CELLS + 1, NODES = ROW * ROW };
static const syn_material materials[2] = {{10, 0.3, 1000}, {20, 0.3, 1000}};
static const double degree = SYN_PI / 180, height = 0.8;
static const syn_vec3 pivot = {3, 0.5, 0.8};

typedef struct bowl {
  syn_vec3 nodes[NODES];
  uint32_t faces[CELLS * CELLS][4];
} bowl;

/* A turn about the upright axis through the pivot. */
static syn_pose turned(double angle) {
  const double c = cos(angle * degree), s = sin(angle * degree);
  syn_pose pose = {.rotation = {{{c, -s, 0}, {s, c, 0}, {0, 0, 1}}}};
  pose.translation = vec3_sub(pivot, syn_pose_direction(&pose, pivot));
  return pose;
}

/* The underside of a shallow rigid bowl that lies over the block once it is turned by `away` degrees. */
static void make_bowl(double away, bowl *made) {
  const syn_pose back = turned(-away);
  for (uint32_t i = 0; i < NODES; ++i) {
    const double x = 2.4 * (i % ROW) / CELLS - 1.2, y = 2.4 * (double)(i / ROW) / CELLS - 1.2;
    made->nodes[i] = syn_pose_point(&back, vec3(0.5 + x, 0.5 + y, height + 0.1 * (x * x + 2 * y * y)));
  }
  for (uint32_t q = 0; q < CELLS * CELLS; ++q) {
    const uint32_t at = q / CELLS * ROW + q % CELLS, corners[4] = {at, at + ROW, at + ROW + 1, at + 1};
    memcpy(made->faces[q], corners, sizeof corners);
  }
}

typedef struct outcome {
  syn_status status;
  uint32_t iterations;
  double snap, shift, pressure[64];
} outcome;

/* From 12 degrees on one side to 12 on the other, with so few iterations that the way is cut in parts. */
static outcome turn_over(const block_pair *pair, double away, uint32_t limit) {
  syn_error error;
  bowl rigid;
  outcome found = {0};
  syn_contact_problem *problem;
  make_bowl(away, &rigid);
  const syn_contact_body mobile = {
      .node_count = NODES, .nodes = rigid.nodes, .face_count = CELLS * CELLS, .face_nodes = 4, .faces = rigid.faces[0]};
  ASSERT_OK(syn_contact_problem_create(NULL, &pair->bodies[0], &mobile, NULL, &problem, &error));
  syn_load_step load = {.pose = turned(away - 12), .pivot = pivot, .driven = 3, .force = {0, 0, -0.3}};
  ASSERT_OK(syn_contact_problem_solve(problem, &load, &error));
  problem->options.iterations = limit;
  load.pose = turned(away + 12);
  found.status = syn_contact_problem_solve(problem, &load, &error);
  found.iterations = syn_contact_problem_solution(problem).iterations;
  found.snap = syn_contact_problem_solution(problem).snap_mm;
  found.shift = syn_contact_problem_solution(problem).shift.z;
  const uint32_t count = pair->boxes[0].mesh.node_count;
  assert_true(count <= 64);
  for (uint32_t i = 0; i < count; ++i) found.pressure[i] = syn_contact_problem_solution(problem).pressure_mpa[0][i];
  syn_contact_problem_destroy(problem);
  return found;
}

/* Beyond a third of a turn a quaternion may change its sign: the way between both loads must not. */
static void a_turn_goes_the_short_way(void **state) {
  (void)state;
  static const uint32_t lower[3] = {4, 4, 1}, upper[3] = {1, 1, 1};
  block_pair pair = make_block_pair(SYN_ELEMENT_HEX8, lower, upper, height, materials, SYN_LAW_NEO_HOOKEAN, 0, 0);
  for (uint32_t limit = 5; limit < 10; ++limit) {
    const outcome near = turn_over(&pair, 0, limit);
    assert_int_equal(near.status, SYN_OK);
    assert_true(limit == 9 || near.iterations > limit); /* it was cut */
    for (double away = -120; away <= 180; away += 300) {
      const outcome far = turn_over(&pair, away, limit);
      assert_int_equal(far.status, SYN_OK);
      ASSERT_NEAR(far.snap, near.snap, 1e-5);
      ASSERT_NEAR(far.shift, near.shift, 1e-5);
      for (int i = 0; i < 64; ++i) ASSERT_NEAR(far.pressure[i], near.pressure[i], 1e-4);
    }
  }
  drop_block_pair(&pair);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_turn_goes_the_short_way)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
