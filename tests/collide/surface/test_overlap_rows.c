/* The rows of an overlap's table of zones are the triangles of each body, counted one by one. */
#include <synovia/collide.h>

#include "surfaces.h"

static double value_at(const syn_overlap *o, const char *key, size_t zone) {
  for (size_t i = 0; i < syn_record_count(&syn_zone_record); ++i)
    if (strcmp(syn_record_field(&syn_zone_record, i).key, key) == 0) {
      const syn_value value = syn_record_value(&syn_zone_record, i, o, zone);
      return syn_value_number(&value);
    }
  fail_msg("no column \"%s\"", key);
  return NAN;
}

static uint32_t count_zone(const uint8_t *zones, uint32_t count, size_t zone) {
  uint32_t found = 0;
  for (uint32_t t = 0; t < count; ++t) found += zones[t] == zone;
  return found;
}

static void each_body_has_its_own_column(void **state) {
  (void)state;
  test_random random = {7};
  syn_error error;
  syn_overlap *o;
  syn_trimesh *cube = make_cube(NULL, 1), *blob = make_blob(NULL, &random, 12, 16, 0.1);
  ASSERT_OK(syn_overlap_create(cube, blob, NULL, &o, &error));
  uint32_t differing = 0;
  for (size_t zone = 0; zone < SYN_ZONES; ++zone) {
    const uint32_t fixed = count_zone(o->fixed_zones, o->fixed_count, zone),
                   mobile = count_zone(o->mobile_zones, o->mobile_count, zone);
    ASSERT_NEAR(value_at(o, "fixed", zone), fixed, 0);
    ASSERT_NEAR(value_at(o, "mobile", zone), mobile, 0);
    differing += fixed != mobile;
  }
  assert_true(differing > 1);
  syn_overlap_destroy(o);
  syn_trimesh_destroy(blob);
  syn_trimesh_destroy(cube);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(each_body_has_its_own_column)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
