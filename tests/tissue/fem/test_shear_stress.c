/* Stress and strain of any uniform deformation: six numbers each, by Hooke's law. */
#include "element_box.h"
#include "support.h"

#include "base/vec.h"
#include "tissue/soft.h"

static void check_equal(const syn_sym3 *a, const syn_sym3 *b) {
  ASSERT_NEAR(a->xx, b->xx, 1e-12);
  ASSERT_NEAR(a->yy, b->yy, 1e-12);
  ASSERT_NEAR(a->zz, b->zz, 1e-12);
  ASSERT_NEAR(a->xy, b->xy, 1e-12);
  ASSERT_NEAR(a->yz, b->yz, 1e-12);
  ASSERT_NEAR(a->zx, b->zx, 1e-12);
}

/* Every number of the strain is another one, the shears as well. */
static void a_uniform_deformation_has_one_stress(void **state) {
  (void)state;
  static const syn_sym3 strain = {0.01, -0.02, 0.03, 0.004, -0.005, 0.006};
  static const double young = 3, poisson = 0.3;
  const double mu = young / (2 * (1 + poisson)), lambda = young * poisson / ((1 + poisson) * (1 - 2 * poisson)),
               volume = lambda * (strain.xx + strain.yy + strain.zz);
  const syn_sym3 stress = {volume + 2 * mu * strain.xx, volume + 2 * mu * strain.yy, volume + 2 * mu * strain.zz,
                           2 * mu * strain.xy,          2 * mu * strain.yz,          2 * mu * strain.zx};
  for (int element = 0; element < SYN_ELEMENTS; ++element) {
    syn_error error;
    syn_soft *soft;
    element_box box = make_element_box((syn_element)element, 2, 2, 1, vec3(2, 2, 1));
    const syn_soft_options options = elastic_options(young, poisson, SYN_LAW_LINEAR);
    ASSERT_OK(syn_soft_fem_create(NULL, &box.mesh, &options, &soft, &error));
    const uint32_t count = soft->node_count;
    syn_vec3 *x = calloc(count, sizeof *x);
    syn_sym3 *found = calloc(2 * (size_t)count, sizeof *found);
    for (uint32_t i = 0; i < count; ++i) {
      const syn_vec3 p = soft->rest[i];
      x[i] = vec3_add(p, vec3(strain.xx * p.x + strain.xy * p.y + strain.zx * p.z,
                              strain.xy * p.x + strain.yy * p.y + strain.yz * p.z,
                              strain.zx * p.x + strain.yz * p.y + strain.zz * p.z));
    }
    syn_soft_stress(soft, x, NULL, found, found + count);
    for (uint32_t i = 0; i < count; ++i) {
      check_equal(&found[i], &stress);
      check_equal(&found[count + i], &strain);
    }
    free(found);
    free(x);
    syn_soft_destroy(soft);
    drop_element_box(&box);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_uniform_deformation_has_one_stress)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
