/* The parts of contact beside slow twins: cutting, integrals, and forces as derivatives of an energy. */
#include "block_pair.h"

#include "base/vec.h"
#include "pressure/contact/contact_problem.h"

/* ---- cutting -------------------------------------------------------------------------------------------------------
 */

static double area_of(const contact_point *p, int count) {
  double twice = 0;
  for (int i = 0; i < count; ++i) {
    const contact_point a = p[i], b = p[(i + 1) % count];
    twice += a.u * b.v - a.v * b.u;
  }
  return twice / 2;
}

static bool inside(const contact_point *p, int count, double u, double v) {
  for (int i = 0; i < count; ++i) {
    const contact_point a = p[i], b = p[(i + 1) % count];
    if ((b.u - a.u) * (v - a.v) - (b.v - a.v) * (u - a.u) < 0) return false;
  }
  return true;
}

/* Corners at growing angles around a middle: convex for four corners on an ellipse. */
static int random_polygon(test_random *random, contact_point *out) {
  const int count = 3 + (int)random_below(random, 2);
  const syn_vec3 middle = random_vec3(random, 0.5);
  const double long_one = random_between(random, 0.5, 1), short_one = random_between(random, 0.3, 1);
  for (int i = 0; i < count; ++i) {
    const double angle = 2 * SYN_PI * (i + random_between(random, 0, 0.8)) / count;
    out[i] = (contact_point){middle.x + long_one * cos(angle), middle.y + short_one * sin(angle)};
  }
  return count;
}

static void cutting_agrees_with_counting_points(void **state) {
  (void)state;
  test_random random = {5};
  enum { GRID = 200 };
  for (int round = 0; round < repeats(60, 1); ++round) {
    contact_point a[4], b[4], cut[CONTACT_POLYGON];
    const int a_count = random_polygon(&random, a), b_count = random_polygon(&random, b);
    const int count = syn_contact_clip(a, a_count, b, b_count, cut);
    int both = 0;
    for (int i = 0; i < GRID * GRID; ++i) {
      const double u = -2 + 4 * (i % GRID + 0.5) / GRID, v = -2 + 4 * (i / GRID + 0.5) / GRID;
      both += inside(a, a_count, u, v) && inside(b, b_count, u, v);
    }
    ASSERT_NEAR(count ? area_of(cut, count) : 0, 16.0 * both / (GRID * GRID), 0.03);
    if (count) assert_true(area_of(cut, count) >= 0); /* the orientation is kept */
  }
}

static void points_are_found_in_faces(void **state) {
  (void)state;
  test_random random = {6};
  for (int round = 0; round < 200; ++round) {
    contact_point corners[4] = {{0}};
    const int count = random_polygon(&random, corners);
    double given[4] = {0}, found[4];
    const double at[2] = {random_between(&random, 0, 0.5), random_between(&random, 0, 0.5)};
    syn_contact_shapes[count == 4 ? CONTACT_QUAD4 : CONTACT_TRI3].values(at, given);
    contact_point p = {0, 0};
    for (int i = 0; i < count; ++i) p.u += given[i] * corners[i].u, p.v += given[i] * corners[i].v;
    syn_contact_locate(corners, count, p, found);
    for (int i = 0; i < count; ++i) ASSERT_NEAR(found[i], given[i], 1e-10);
  }
}

/* ---- integrals -----------------------------------------------------------------------------------------------------
 */

static syn_contact_problem *make_contact_problem(const block_pair *pair) {
  syn_error error;
  syn_contact_problem *problem;
  ASSERT_OK(syn_contact_problem_create(NULL, &pair->bodies[0], &pair->bodies[1], NULL, &problem, &error));
  return problem;
}

/* Positions that overlap here and there, bent and shifted. */
static void disturb(const syn_contact_problem *c, test_random *random, syn_vec3 *x) {
  const syn_vec3 shift = vec3(0.07, -0.05, -0.02);
  for (uint32_t i = 0; i < c->bodies.node_count; ++i) {
    const syn_vec3 p = c->bodies.rest[i];
    x[i] = vec3_add(p, vec3(0, 0, 0.04 * sin(3 * p.x) * cos(2 * p.y)));
    if (i >= c->bodies.sides[1].first) x[i] = vec3_add(x[i], shift);
    x[i] = vec3_add(x[i], random_vec3(random, 0.01));
  }
}

/* Two flat surfaces that overlap in part: the integrals of the slave's functions add up to the area that both cover,
 * and those of the master's to the same. */
static void integrals_add_up_to_the_common_area(void **state) {
  (void)state;
  static const syn_material one = {10, 0.3, 1000};
  const syn_material materials[2] = {one, one};
  for (int element = 0; element < SYN_ELEMENTS; ++element) {
    const uint32_t lower[3] = {3, 4, 1}, upper[3] = {5, 3, 1};
    block_pair pair = make_block_pair((syn_element)element, lower, upper, 0.8, materials, SYN_LAW_LINEAR, 0, 0);
    syn_contact_problem *c = make_contact_problem(&pair);
    syn_error error;
    for (uint32_t i = c->bodies.sides[1].first; i < c->bodies.node_count; ++i)
      c->equilibrium.x[i] = vec3_add(c->equilibrium.x[i], vec3(0.3, -0.2, 0.01));
    ASSERT_OK(syn_contact_evaluate(c, c->equilibrium.x, &error));
    double own = 0, across = 0;
    for (uint32_t s = 0; s < contact_slave(c)->face_count; ++s)
      for (int a = 0; a < CONTACT_CORNERS; ++a)
        for (int b = 0; b < CONTACT_NODES; ++b) own += c->contact.slave_faces[s].own[a][b];
    for (size_t k = 0; k < c->contact.pair_count; ++k)
      for (int a = 0; c->contact.pairs[k].meets && a < CONTACT_CORNERS; ++a)
        for (int b = 0; b < CONTACT_NODES; ++b) across += c->contact.pairs[k].across[a][b];
    ASSERT_NEAR(own, 0.7 * 0.8, 1e-12);
    ASSERT_NEAR(across, 0.7 * 0.8, 1e-12);
    for (uint32_t i = 0; i < contact_slave(c)->node_count; ++i)
      if (c->contact.area[i] > 0) ASSERT_NEAR(c->contact.gap[i], 0.01, 1e-12);
    syn_contact_problem_destroy(c);
    drop_block_pair(&pair);
  }
}

/* ---- forces and matrix ---------------------------------------------------------------------------------------------
 */

/* whole area / (2 penalty) p^2 over all corners, with the faces cut as they were. */
static double energy_of(syn_contact_problem *c, const syn_vec3 *x) {
  syn_error error;
  ASSERT_OK(syn_contact_evaluate(c, x, &error));
  double sum = 0;
  for (uint32_t i = 0; i < contact_slave(c)->node_count; ++i)
    if (c->contact.pressure[i] > 0)
      sum += c->bodies.whole_area[i] * c->contact.pressure[i] * c->contact.pressure[i] / (2 * c->contact.penalty[i]);
  for (int k = 0; k < 2; ++k)
    if (c->bodies.sides[k].soft) sum += syn_soft_energy(c->bodies.sides[k].soft, x + c->bodies.sides[k].first);
  return sum;
}

static void all_forces(syn_contact_problem *c, const syn_vec3 *x, syn_vec3 *f) {
  syn_error error;
  ASSERT_OK(syn_contact_elastic_forces(c, x, f, &error));
  ASSERT_OK(syn_contact_evaluate(c, x, &error));
  syn_contact_add_forces(c, f);
}

static syn_vec3 axis(int k) { return vec3(k == 0, k == 1, k == 2); }

static block_pair small_pair(syn_law law) {
  static const uint32_t lower[3] = {2, 3, 1}, upper[3] = {3, 2, 1};
  static const syn_material materials[2] = {{10, 0.3, 1000}, {20, 0.4, 1000}};
  return make_block_pair(SYN_ELEMENT_HEX8, lower, upper, 0.8, materials, law, 0, 0);
}

static void forces_are_the_slope_of_the_energy(void **state) {
  (void)state;
  test_random random = {3};
  for (int law = 0; law < SYN_LAW_FIBRES; ++law) {
    block_pair pair = small_pair((syn_law)law);
    syn_contact_problem *c = make_contact_problem(&pair);
    syn_vec3 *x = malloc(c->bodies.node_count * sizeof *x), *f = malloc(c->bodies.node_count * sizeof *f);
    disturb(c, &random, x);
    for (uint32_t i = 0; i < contact_slave(c)->node_count; ++i) c->contact.lambda[i] = random_between(&random, 0, 1);
    all_forces(c, x, f);
    c->contact.frozen = true;
    for (uint32_t i = 0; i < c->bodies.node_count; ++i)
      for (int k = 0; k < 3; ++k) {
        const double h = 1e-6;
        const syn_vec3 at = x[i];
        x[i] = vec3_madd(at, h, axis(k));
        const double high = energy_of(c, x);
        x[i] = vec3_madd(at, -h, axis(k));
        const double low = energy_of(c, x);
        x[i] = at;
        ASSERT_NEAR(vec3_at(f[i], k), (low - high) / (2 * h), 1e-5);
      }
    free(x), free(f);
    syn_contact_problem_destroy(c);
    drop_block_pair(&pair);
  }
}

/* Sum of the forces on the nodes of one unknown. */
static void reduce(const syn_contact_problem *c, const syn_vec3 *f, syn_vec3 *r) {
  memset(r, 0, c->bodies.unknown_count * sizeof *r);
  for (uint32_t i = 0; i < c->bodies.node_count; ++i)
    if (c->bodies.unknown[i] != SYN_NONE) r[c->bodies.unknown[i]] = vec3_add(r[c->bodies.unknown[i]], f[i]);
}

/* With the frame turned, so that blocks must turn, too; the bonded nodes move as the one unknown that they are. */
static void the_matrix_is_the_slope_of_the_forces(void **state) {
  (void)state;
  test_random random = {9};
  block_pair pair = small_pair(SYN_LAW_NEO_HOOKEAN);
  syn_contact_problem *c = make_contact_problem(&pair);
  syn_error error;
  const uint32_t n = c->bodies.node_count, m = c->bodies.unknown_count;
  syn_vec3 *x = malloc(n * sizeof *x), *f = malloc(n * sizeof *f), *high = malloc(m * sizeof *high),
           *low = malloc(m * sizeof *low), *unit = calloc(m, sizeof *unit), *column = malloc(m * sizeof *column);
  c->equilibrium.load.pose = syn_pose_about_axis(vec3(0.5, 0.5, 1), vec3(0.3, 0.2, 1), 0.2);
  disturb(c, &random, x);
  for (uint32_t i = c->bodies.sides[1].first; i < n; ++i) x[i] = syn_pose_point(&c->equilibrium.load.pose, x[i]);
  all_forces(c, x, f);
  c->contact.frozen = true;
  ASSERT_OK(syn_contact_factorize(c, x, &error));
  double worst = 0, most = 0;
  for (uint32_t u = 0; u < m; ++u)
    for (int k = 0; k < 3; ++k) {
      const double h = 1e-6;
      for (int sign = -1; sign <= 1; sign += 2) {
        for (uint32_t i = 0; i < n; ++i)
          if (c->bodies.unknown[i] == u) x[i] = vec3_madd(x[i], sign * h, axis(k));
        all_forces(c, x, f);
        reduce(c, f, sign < 0 ? low : high);
        for (uint32_t i = 0; i < n; ++i)
          if (c->bodies.unknown[i] == u) x[i] = vec3_madd(x[i], -sign * h, axis(k));
      }
      unit[u] = axis(k);
      syn_block_multiply(c->solver.pattern, (const double(*)[9])c->solver.blocks, unit, column);
      unit[u] = vec3(0, 0, 0);
      for (uint32_t v = 0; v < m; ++v) {
        const syn_vec3 slope = vec3_scale(vec3_sub(low[v], high[v]), 1 / (2 * h));
        worst = fmax(worst, vec3_distance(slope, column[v]));
        most = fmax(most, vec3_length(slope));
      }
    }
  print_message("matrix: %.2e of the largest column\n", worst / most);
  assert_true(worst < 2e-6 * most);
  free(x), free(f), free(high), free(low), free(unit), free(column);
  syn_contact_problem_destroy(c);
  drop_block_pair(&pair);
}

/* ---- without jumps -------------------------------------------------------------------------------------------------
 */

/* Ways of the upper block, `at` from 0 to 1: it comes from beyond the distance that surfaces see, turns until its face
 * looks away, or slides, with faces that are no parallelograms. */
typedef enum way { COMES_NEAR, TURNS, SLIDES, WAYS } way;

static void place_upper(const syn_contact_problem *c, way by, double at, syn_vec3 *x) {
  const syn_pose turn = syn_pose_about_axis(vec3(0.5, 0.4, 0.8), by == SLIDES ? vec3(0, 0, 1) : vec3(1, 0.3, 0),
                                            by == TURNS    ? 1.2 + 0.4 * at
                                            : by == SLIDES ? 0.3 + 0.2 * at
                                                           : 0);
  const syn_vec3 apart = by == COMES_NEAR ? vec3(0, 0, 1.1 * c->bodies.thickness_mm * (1 - at))
                         : by == SLIDES   ? vec3(0.3 * at, 0.2 * at, 0)
                                          : vec3(0, 0, 0);
  for (uint32_t i = 0; i < c->bodies.node_count; ++i) {
    const syn_vec3 p = c->bodies.rest[i];
    x[i] = by == SLIDES ? vec3_add(p, vec3(0.1 * sin(9 * p.x * p.y), 0.1 * cos(7 * p.x * p.y), 0)) : p;
    if (i >= c->bodies.sides[1].first) x[i] = vec3_add(syn_pose_point(&turn, x[i]), apart);
  }
}

/* The largest change of the forces' slope from one of `count` places to the next, in steps of the way: where forces
 * have a bend it does not depend on the steps, where they jump it grows as these shrink. */
static double largest_bend(syn_contact_problem *c, way by, int count, syn_vec3 *x, syn_vec3 *f[3]) {
  syn_error error;
  double most = 0;
  for (int k = 0; k <= count; ++k) {
    double bend = 0;
    syn_vec3 *const oldest = f[0];
    f[0] = f[1], f[1] = f[2], f[2] = oldest;
    place_upper(c, by, (double)k / count, x);
    memset(f[2], 0, c->bodies.node_count * sizeof *f[2]);
    ASSERT_OK(syn_contact_evaluate(c, x, &error));
    syn_contact_add_forces(c, f[2]);
    for (uint32_t i = 0; i < c->bodies.node_count; ++i)
      bend += vec3_length2(vec3_add(vec3_sub(f[2][i], f[1][i]), vec3_sub(f[0][i], f[1][i])));
    if (k > 1) most = fmax(most, count * sqrt(bend));
  }
  return most;
}

/* Beside a jump there is no balance to be found. */
static void forces_do_not_jump(void **state) {
  (void)state;
  static const char *const names[WAYS] = {"coming near", "turning", "sliding"};
  block_pair pair = small_pair(SYN_LAW_LINEAR);
  syn_contact_problem *c = make_contact_problem(&pair);
  syn_vec3 *x = malloc(c->bodies.node_count * sizeof *x), *f[3];
  for (int k = 0; k < 3; ++k) f[k] = malloc(c->bodies.node_count * sizeof *f[k]);
  for (uint32_t i = 0; i < contact_slave(c)->node_count; ++i) c->contact.lambda[i] = 1e6;
  for (int by = 0; by < WAYS; ++by) {
    const double coarse = largest_bend(c, (way)by, 1000, x, f), fine = largest_bend(c, (way)by, 5000, x, f);
    print_message("%s: %g, then %g\n", names[by], coarse, fine);
    assert_true(coarse > 0);
    assert_true(fine < coarse);
  }
  for (int k = 0; k < 3; ++k) free(f[k]);
  free(x);
  syn_contact_problem_destroy(c);
  drop_block_pair(&pair);
}

/* ---- the exact correction ------------------------------------------------------------------------------------------
 */

/* Forces that are left over fall as the correction says, cuts and normals included. */
static void the_exact_correction_knows_cuts_and_normals(void **state) {
  (void)state;
  test_random random = {4};
  block_pair pair = small_pair(SYN_LAW_NEO_HOOKEAN);
  syn_contact_problem *c = make_contact_problem(&pair);
  syn_error error;
  const uint32_t m = c->bodies.unknown_count;
  syn_vec3 *after = malloc(m * sizeof *after);
  disturb(c, &random, c->equilibrium.x);
  for (uint32_t i = 0; i < contact_slave(c)->node_count; ++i) c->contact.lambda[i] = random_between(&random, 4, 6);
  ASSERT_OK(syn_contact_residual(c, c->equilibrium.x, c->solver.r, &error));
  ASSERT_OK(syn_contact_factorize(c, c->equilibrium.x, &error));
  for (uint32_t i = 0; i < contact_slave(c)->node_count; ++i) c->solver.factor_active[i] = c->contact.pressure[i] > 0;
  double left[2];
  for (int exactly = 0; exactly < 2; ++exactly) {
    ASSERT_OK(syn_contact_residual(c, c->equilibrium.x, c->solver.r, &error));
    ASSERT_OK(exactly ? syn_contact_solve_exactly(c, 1e-4, &error) : syn_contact_solve_system(c, &error));
    const double part = 1e-4;
    for (uint32_t i = 0; i < c->bodies.node_count; ++i)
      c->solver.trial[i] = c->bodies.unknown[i] == SYN_NONE
                               ? c->equilibrium.x[i]
                               : vec3_madd(c->equilibrium.x[i], part, c->solver.d[c->bodies.unknown[i]]);
    ASSERT_OK(syn_contact_residual(c, c->solver.trial, after, &error));
    double sum = 0, all = 0;
    for (uint32_t u = 0; u < m; ++u) {
      sum += vec3_length2(vec3_sub(after[u], vec3_scale(c->solver.r[u], 1 - part)));
      all += vec3_length2(c->solver.r[u]);
    }
    left[exactly] = sqrt(sum / all) / part;
  }
  print_message("left over: %g of the forces without, %g with cuts and normals\n", left[0], left[1]);
  assert_true(left[1] < 0.01 && left[1] < 0.1 * left[0]);
  free(after);
  syn_contact_problem_destroy(c);
  drop_block_pair(&pair);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cutting_agrees_with_counting_points),
      cmocka_unit_test(points_are_found_in_faces),
      cmocka_unit_test(integrals_add_up_to_the_common_area),
      cmocka_unit_test(forces_are_the_slope_of_the_energy),
      cmocka_unit_test(the_matrix_is_the_slope_of_the_forces),
      cmocka_unit_test(forces_do_not_jump),
      cmocka_unit_test(the_exact_correction_knows_cuts_and_normals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
