/* Values of the nodes as the skin shows them. */
#include "element_box.h"
#include "support.h"

#include "tissue/soft.h"

static void check_equal(const syn_sym3 *a, const syn_sym3 *b) {
  ASSERT_NEAR(a->xx, b->xx, 1e-12);
  ASSERT_NEAR(a->yy, b->yy, 1e-12);
  ASSERT_NEAR(a->zz, b->zz, 1e-12);
  ASSERT_NEAR(a->xy, b->xy, 1e-12);
  ASSERT_NEAR(a->yz, b->yz, 1e-12);
  ASSERT_NEAR(a->zx, b->zx, 1e-12);
}

/* Six different numbers at every node are the same six everywhere on the skin. */
static void what_is_the_same_at_all_nodes_is_so_on_the_skin(void **state) {
  (void)state;
  static const syn_sym3 everywhere = {1, 2, 3, 4, 5, 6};
  for (int element = 0; element < SYN_ELEMENTS; ++element) {
    syn_error error;
    syn_soft *soft;
    element_box box = make_element_box((syn_element)element, 2, 2, 1, (syn_vec3){2, 2, 1});
    const syn_soft_options options = elastic_options(1, 0.3, SYN_LAW_LINEAR);
    ASSERT_OK(syn_soft_fem_create(NULL, &box.mesh, &options, &soft, &error));
    syn_sym3 *values = calloc(box.mesh.node_count, sizeof *values),
             *on_skin = calloc(soft->skin->vertex_count, sizeof *on_skin);
    for (uint32_t i = 0; i < box.mesh.node_count; ++i) values[i] = everywhere;
    syn_soft_skin_values(soft, values, on_skin);
    assert_true(soft->skin->vertex_count > 0);
    for (uint32_t i = 0; i < soft->skin->vertex_count; ++i) check_equal(&on_skin[i], &everywhere);
    free(on_skin);
    free(values);
    syn_soft_destroy(soft);
    drop_element_box(&box);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_the_same_at_all_nodes_is_so_on_the_skin)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
