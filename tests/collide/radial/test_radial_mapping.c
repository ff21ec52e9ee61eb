#include "support.h"

#include "base/vec.h"
#include "collide/radial/radial_cover.h"
#include "collide/radial/radial_mapping.h"

static syn_vec3 random_direction(test_random *random) {
  syn_vec3 u = vec3_unit(random_vec3(random, 1));
  /* also along axes, in their planes and between the sides of the cube */
  switch (random_below(random, 8)) {
  case 0: u.x = 0; break;
  case 1: u.z = 0; break;
  case 2: u.y = u.x; break;
  case 3: u.z = -u.y; break;
  case 4: u.x = u.y = 0; break;
  default: break;
  }
  return vec3_length(u) > 0 ? vec3_unit(u) : vec3(0, -1, 0);
}

/* Eq. 5 and 6, and the cases of Eq. 33 word for word. */
static void test_addresses_follow_the_seed(void **state) {
  (void)state;
  test_random random = {21};
  const double q = SYN_PI / 4;
  for (int round = 0; round < 20000; ++round) {
    const syn_vec3 u = vec3_unit(random_vec3(&random, 1));
    const radial_address one = syn_radial_address(SYN_MAPPING_SPHERICAL, u);
    ASSERT_NEAR(sin(one.a2) * cos(one.a1), u.x, 1e-7);
    ASSERT_NEAR(sin(one.a2) * sin(one.a1), u.y, 1e-7);
    ASSERT_NEAR(cos(one.a2), u.z, 1e-12);
    const radial_address two = syn_radial_address(SYN_MAPPING_CARTESIAN, u);
    assert_true(two.a1 == u.x && two.a2 == u.y && two.a3 == (u.z > 0));
    const double t0 = atan2(u.x, u.y), t1 = atan2(u.y, u.z), t2 = atan2(u.z, u.x);
    const radial_address three = syn_radial_address(SYN_MAPPING_UNIFORM, u);
    double a1 = 0, a2 = 0;
    uint32_t a3 = 9;
    if (q < t0 && t0 < 3 * q && -q < t2 && t2 < q) a1 = t0 - q, a2 = t2 + q, a3 = 0;
    if (-q < t0 && t0 < q && q < t1 && t1 < 3 * q) a1 = t0 + q, a2 = t1 - q, a3 = 1;
    if (-3 * q < t0 && t0 < -q && t2 > 3 * q) a1 = t0 + 3 * q, a2 = t2 - 3 * q, a3 = 2;
    if (-3 * q < t0 && t0 < -q && t2 < -3 * q) a1 = t0 + 3 * q, a2 = t2 + 5 * q, a3 = 2;
    if (-3 * q < t1 && t1 < -q && t0 > 3 * q) a1 = t0 - 3 * q, a2 = t1 + 3 * q, a3 = 3;
    if (-3 * q < t1 && t1 < -q && t0 < -3 * q) a1 = t0 + 5 * q, a2 = t1 + 3 * q, a3 = 3;
    if (-q < t1 && t1 < q && q < t2 && t2 < 3 * q) a1 = t1 + q, a2 = t2 - q, a3 = 4;
    if (-3 * q < t2 && t2 < -q && t1 > 3 * q) a1 = t1 - 3 * q, a2 = t2 + 3 * q, a3 = 5;
    if (-3 * q < t2 && t2 < -q && t1 < -3 * q) a1 = t1 + 5 * q, a2 = t2 + 3 * q, a3 = 5;
    assert_int_equal(three.a3, a3);
    ASSERT_NEAR(three.a1, a1, 1e-12);
    ASSERT_NEAR(three.a2, a2, 1e-12);
  }
}

static const radial_span whole = {1, 0, 1, 0, 0};

static void test_the_middle_of_a_cell_lies_in_it(void **state) {
  (void)state;
  for (int mapping = 1; mapping <= 3; ++mapping) {
    const radial_grid grid = syn_radial_grid((syn_mapping)mapping, 3000, &whole);
    assert_true(grid.columns * grid.rows * grid.layers >= 3000);
    for (uint32_t layer = 0; layer < grid.layers; ++layer)
      for (uint32_t row = 1; row + 1 < grid.rows; ++row)
        for (uint32_t column = 1; column + 1 < grid.columns; ++column) {
          const uint32_t cell = syn_radial_cell_number(&grid, layer, row, column);
          const syn_vec3 middle = syn_radial_cell_middle(&grid, cell);
          assert_true(cell < syn_radial_cell_count(&grid));
          if (mapping == SYN_MAPPING_CARTESIAN && fabs(middle.z) < 1e-6) continue; /* outside the disc */
          assert_int_equal(syn_radial_locate(&grid, middle), cell);
        }
  }
}

typedef struct seen_cells {
  uint8_t *seen; /* 1, and above it the bits of `inside` */
  size_t count;
} seen_cells;

static void mark(void *user, uint32_t cell, uint32_t inside) {
  seen_cells *cells = user;
  assert_int_equal(cells->seen[cell], 0); /* never twice */
  cells->seen[cell] = (uint8_t)(1 | inside << 1);
  ++cells->count;
}

static syn_vec3 random_in_cone(test_random *random, const radial_cone *cone) {
  syn_vec3 sum = {0, 0, 0};
  for (uint32_t i = 0; i < cone->corner_count; ++i)
    sum = vec3_madd(sum, random_below(random, 4) ? random_between(random, 0, 1) : 0, cone->corners[i]);
  return vec3_unit(sum);
}

/* Corners of a cone of any size; sometimes all but seen edge-on, from a centre outside or amid them. */
static void random_corners(test_random *random, double size, syn_vec3 points[3]) {
  const syn_vec3 at = random_direction(random);
  for (int c = 0; c < 3; ++c) points[c] = vec3_add(at, vec3_scale(random_direction(random), size));
  const uint32_t kind = random_below(random, 8);
  if (kind > 1) return;
  const syn_vec3 mean = vec3_lerp(points[0], points[1], random_between(random, 0, 1));
  const double off = random_below(random, 2) ? pow(10, random_between(random, -18, -4)) : 0;
  points[2] = vec3_madd(vec3_scale(mean, kind ? -1 : 1), off, random_direction(random));
  for (int c = 0; c < 3 && off == 0; ++c) points[c].z = 0; /* all around a pole, and none nearer to it */
}

/* No direction of a cone, or close beside it, may lie in a cell that was not named, however curved the cell's borders
 * are. */
static void test_a_cone_is_covered_by_its_cells(void **state) {
  (void)state;
  test_random random = {22};
  for (int round = 0; round < 6000; ++round) {
    const syn_mapping mapping = (syn_mapping)(1 + round % 3);
    const radial_grid grid = syn_radial_grid(mapping, 1 + random_below(&random, round % 2 ? 60 : 3000), &whole);
    const double size = pow(10, random_between(&random, -4, 1));
    syn_vec3 points[3];
    random_corners(&random, size, points);
    const radial_cone cone = syn_radial_cone(points, round % 5 ? 3 : 2);
    const uint32_t cells = syn_radial_cell_count(&grid);
    seen_cells covered = {calloc(cells + 1, 1), 0};
    syn_radial_cover(&grid, &cone, mark, &covered);
    for (int sample = 0; sample < 60; ++sample) {
      syn_vec3 u = random_in_cone(&random, &cone);
      if (vec3_length(u) < 0.5) continue;
      if (sample % 2) u = vec3_unit(vec3_madd(u, 0.9 * RADIAL_SLACK, random_direction(&random)));
      const uint32_t cell = syn_radial_locate(&grid, u);
      assert_true(cell == SYN_NONE || covered.seen[cell]);
      /* the quick way may end in a neighbour, but in one that is covered, too */
      const double far = pow(10, random_between(&random, -29, 29));
      const uint32_t quick = syn_radial_find_cell(&grid, vec3_scale(u, far));
      assert_true(quick == cells || covered.seen[quick]);
      assert_int_equal(quick == cells, cell == SYN_NONE);
      assert_true(cell != SYN_NONE);
    }
    free(covered.seen);
  }
}

/* Wherever a cell is said to be inside a plane, each of its directions is. */
static void test_cells_inside_a_plane_have_no_direction_behind_it(void **state) {
  (void)state;
  test_random random = {24};
  size_t said[4] = {0};
  for (int round = 0; round < 3000; ++round) {
    const syn_mapping mapping = (syn_mapping)(1 + round % 3);
    const radial_grid grid = syn_radial_grid(mapping, 100 + random_below(&random, 3000), &whole);
    const double size = pow(10, random_between(&random, -2, 0.5));
    syn_vec3 points[3];
    random_corners(&random, size, points);
    const radial_cone cone = syn_radial_cone(points, 3);
    seen_cells covered = {calloc(syn_radial_cell_count(&grid) + 1, 1), 0};
    syn_radial_cover(&grid, &cone, mark, &covered);
    for (int sample = 0; sample < 100; ++sample) {
      const syn_vec3 u = vec3_unit(
          vec3_madd(random_in_cone(&random, &cone), random_between(&random, 0, 0.1), random_direction(&random)));
      const uint32_t cell = syn_radial_locate(&grid, u);
      for (int k = 0; k < 3 && cell != SYN_NONE; ++k) {
        if ((covered.seen[cell] >> (k + 1) & 1) == 0) continue;
        assert_true(vec3_dot(cone.planes[k], u) > RADIAL_SLACK);
        ++said[mapping];
      }
    }
    free(covered.seen);
  }
  for (int mapping = 1; mapping <= 3; ++mapping) assert_true(said[mapping] > 10000);
}

/* Small cones take few cells: coverage is not bought by naming them all. */
static void test_covers_are_tight(void **state) {
  (void)state;
  test_random random = {23};
  for (int mapping = 1; mapping <= 3; ++mapping) {
    const radial_grid grid = syn_radial_grid((syn_mapping)mapping, 20000, &whole);
    seen_cells covered = {NULL, 0};
    const int rounds = 300;
    for (int round = 0; round < rounds; ++round) {
      syn_vec3 points[3], at = random_direction(&random);
      for (int c = 0; c < 3; ++c) points[c] = vec3_add(at, vec3_scale(random_direction(&random), 1e-4));
      const radial_cone cone = syn_radial_cone(points, 3);
      covered.seen = calloc(syn_radial_cell_count(&grid) + 1, 1);
      syn_radial_cover(&grid, &cone, mark, &covered);
      free(covered.seen);
    }
    assert_true(covered.count <
                (mapping == SYN_MAPPING_SPHERICAL ? 60 : 3) * (size_t)rounds); /* poles touch a whole row */
  }
}

/* A triangle seen edge-on takes the cells along a line, whichever way rounding turns its planes. */
static void test_hair_thin_cones_take_a_line_of_cells(void **state) {
  (void)state;
  test_random random = {25};
  for (int round = 0; round < 900; ++round) {
    const radial_grid grid = syn_radial_grid((syn_mapping)(1 + round % 3), 20000, &whole);
    syn_vec3 points[3] = {random_direction(&random), {0, 0, 0}, {0, 0, 0}};
    if (fabs(points[0].z) > 0.7 || fabs(points[0].z) < 0.3) continue; /* near poles and equator cells are slender */
    points[1] = vec3_add(points[0], vec3_scale(random_direction(&random), 0.2));
    points[2] = vec3_lerp(points[0], points[1], random_below(&random, 3) ? random_between(&random, 0, 1) : 1);
    const radial_cone cone = syn_radial_cone(points, 3);
    seen_cells covered = {calloc(syn_radial_cell_count(&grid) + 1, 1), 0};
    syn_radial_cover(&grid, &cone, mark, &covered);
    assert_in_range(covered.count, 1, 60);
    free(covered.seen);
  }
}

static void fill_floats(test_random *random, size_t count, float *out) {
  for (size_t i = 0; i < count; ++i) out[i] = random_below(random, 9) ? (float)random_between(random, -1, 1) : 0;
}
static void fill_squares(test_random *random, size_t count, double *out) {
  for (size_t i = 0; i < count; ++i) out[i] = random_between(random, 0, 1);
}

static void test_both_kernels_find_the_same_cells(void **state) {
  (void)state;
#if SYN_AVX2
  if (!syn_has_avx2()) SKIP("this processor has no AVX2");
  test_random random = {26};
  size_t touched = 0, inside = 0;
  for (int round = 0; round < 5000; ++round) {
    cover_block block = {.rows = 1 + random_below(&random, COVER_ROWS), .bend = 1e-4F};
    cover_found plain[COVER_ROWS], quick[COVER_ROWS];
    block.margin = round % 50 ? (float)random_between(&random, 0, 0.1) : INFINITY;
    fill_floats(&random, sizeof block.side / sizeof(float), block.side[0]);
    fill_floats(&random, 3, block.slope);
    fill_floats(&random, 3, block.rise);
    fill_floats(&random, COVER_ROWS + 1, block.across);
    for (int r = 0; r <= COVER_ROWS; ++r) block.along[r] = (float)random_between(&random, 0, 1);
    fill_squares(&random, COVER_BORDERS, block.above);
    fill_squares(&random, COVER_ROWS + 1, block.square);
    fill_squares(&random, COVER_COLUMNS, block.nearest_above);
    fill_squares(&random, COVER_ROWS, block.nearest_square);
    for (int disc = 0; disc < 2; ++disc) {
      (disc ? syn_cover_portable.disc : syn_cover_portable.ruled)(&block, plain);
      (disc ? syn_cover_avx2.disc : syn_cover_avx2.ruled)(&block, quick);
      assert_memory_equal(plain, quick, block.rows * sizeof *plain);
      for (uint32_t r = 0; r < block.rows; ++r) {
        touched += (plain[r] & 255) != 0;
        inside += plain[r] >> 8 != 0;
      }
    }
  }
  assert_true(touched > 10000 && inside > 10000);
#else
  SKIP("this processor has no AVX2");
#endif
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_addresses_follow_the_seed),
      cmocka_unit_test(test_the_middle_of_a_cell_lies_in_it),
      cmocka_unit_test(test_a_cone_is_covered_by_its_cells),
      cmocka_unit_test(test_cells_inside_a_plane_have_no_direction_behind_it),
      cmocka_unit_test(test_covers_are_tight),
      cmocka_unit_test(test_hair_thin_cones_take_a_line_of_cells),
      cmocka_unit_test(test_both_kernels_find_the_same_cells),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
