#include "support.h"

#include "collide/volume/bucket_pairs.h"

enum { MOST = 500 };

static void check_sorted(const coordinate *list, size_t count, const double *values) {
  bool seen[MOST] = {false};
  for (size_t i = 0; i < count; ++i) {
    assert_true(i == 0 || list[i - 1].value <= list[i].value);
    assert_true(list[i].point < count && !seen[list[i].point]);
    seen[list[i].point] = true;
    assert_true(list[i].value == values[list[i].point]);
  }
}

/* Once shuffled at random, then moved a little again and again: both ways of sorting have their turn. */
static void moving_coordinates_stay_in_order(void **state) {
  (void)state;
  test_random random = {151};
  for (int round = 0; round < 200; ++round) {
    const size_t count = random_below(&random, MOST);
    coordinate list[MOST + 1], spare[MOST + 1];
    double values[MOST + 1];
    for (size_t i = 0; i < count; ++i) {
      values[i] = round % 3 ? random_between(&random, -1, 1) : random_below(&random, 5); /* many equal */
      list[i] = (coordinate){values[i], (uint32_t)i};
    }
    for (int step = 0; step < 4; ++step) {
      syn_sort_coordinates(list, count, spare);
      check_sorted(list, count, values);
      for (size_t i = 0; i < count; ++i) values[i] += random_between(&random, -1, 1) * (step == 2 ? 1 : 1e-3);
      for (size_t i = 0; i < count; ++i) list[i].value = values[list[i].point];
    }
  }
}

static void each_lies_between_its_bounds(void **state) {
  (void)state;
  test_random random = {152};
  for (int round = 0; round < 200; ++round) {
    const size_t count = 1 + random_below(&random, 100);
    const uint32_t intervals = 1 + random_below(&random, 20);
    coordinate list[100], spare[100];
    double bounds[21], values[100];
    uint16_t index[100];
    for (uint32_t i = 0; i <= intervals; ++i) bounds[i] = -0.5 + 0.125 * i;
    for (size_t i = 0; i < count; ++i) {
      values[i] = round % 2 ? random_between(&random, -1, 3) : 0.125 * random_below(&random, 24) - 1; /* on bounds */
      list[i] = (coordinate){values[i], (uint32_t)i};
    }
    syn_sort_coordinates(list, count, spare);
    syn_place_coordinates(list, count, bounds, intervals, index, 1);
    for (size_t i = 0; i < count; ++i) {
      assert_true(index[i] == 0 || values[i] >= bounds[index[i]]);
      assert_true(index[i] == intervals - 1 || values[i] < bounds[index[i] + 1]);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(moving_coordinates_stay_in_order),
      cmocka_unit_test(each_lies_between_its_bounds),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
