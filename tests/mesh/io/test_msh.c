/* Gmsh files: versions 2.2 and 4.1, text and bytes of both orders. */
#define _GNU_SOURCE /* memmem */
#include "io_meshes.h"

static const char text_2[] =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
    "$PhysicalNames\n1\n2 7 \"bone\"\n$EndPhysicalNames\n"
    "$Nodes\n5\n10 0 0 0\n20 1 0 0\n30 0 1 0\n99999999999 0 0 1\n5 1 1 1\n$EndNodes\n"
    "$Elements\n6\n1 15 2 0 1 10\n2 1 2 0 1 10 20\n3 2 2 7 2 10 20 30\n"
    "4 3 2 8 3 10 20 5 30\n5 4 3 9 4 1 10 20 30 99999999999\n6 5 2 0 1 5 5 5 5 5 5 5 5\n"
    "$EndElements\n"
    "$NodeData\n1\n\"depth (mm)\"\n1\n0.5\n3\n0\n1\n2\n20 1.5\n5 -2\n$EndNodeData\n"
    "$ElementData\n1\n\"stress\"\n1\n0\n4\n2\n3\n3\n0\n2 9 9 9\n3 1 2 3\n5 4 5 6\n$EndElementData\n";

static void version_2_text_is_read(void **state) {
  (void)state;
  test_memory memory = {0};
  syn_context context = test_context(&memory);
  syn_geometry g = parsed_text(&context, "a.msh", text_2);
  assert_int_equal(g.point_count, 5);
  assert_int_equal(g.triangle_count, 3);
  assert_int_equal(g.tet_count, 1);
  assert_true(g.points[4].x == 1 && g.points[3].z == 1);
  check_triangle(&g, 0, 0, 1, 2);
  check_tet(&g, 0, 0, 1, 2, 3);
  check_field(&g, "physical", SYN_ON_TRIANGLES, 1, 3, (const double[]){7, 8, 8});
  check_field(&g, "entity", SYN_ON_TRIANGLES, 1, 3, (const double[]){2, 3, 3});
  check_field(&g, "physical", SYN_ON_TETS, 1, 1, (const double[]){9});
  check_field(&g, "depth (mm)", SYN_ON_POINTS, 1, 5, (const double[]){NAN, 1.5, NAN, NAN, -2});
  check_field(&g, "stress@2", SYN_ON_TRIANGLES, 3, 9, (const double[]){1, 2, 3, NAN, NAN, NAN, NAN, NAN, NAN});
  check_field(&g, "stress@2", SYN_ON_TETS, 3, 3, (const double[]){4, 5, 6});
  assert_int_equal(memory.warnings, 1);
  assert_non_null(strstr(memory.last_warning, "1 hexahedra"));
  syn_geometry_free(&context, &g);
  assert_int_equal(memory.live, 0);
}

static const char text_4[] =
    "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"
    "$Entities\n1 1 1 1\n7 0 0 0 0\n1 0 0 0 1 1 1 0 2 7 7\n3 0 0 0 1 1 1 2 -42 17 1 1\n5 0 0 0 1 1 1 1 6 1 3\n"
    "$EndEntities\n"
    "$Nodes\n3 4 1 40\n0 7 0 1\n40\n0 0 0\n2 3 1 2\n1\n2\n1 0 0 0.5 0.5\n0 1 0 0.25 0.75\n3 5 0 1\n9\n0 0 "
    "1\n$EndNodes\n"
    "$Elements\n3 3 1 3\n0 7 15 1\n1 40\n2 3 2 1\n2 40 1 2\n3 5 4 1\n3 40 1 2 9\n$EndElements\n";

static void version_4_text_is_read(void **state) {
  (void)state;
  test_memory memory = {0};
  syn_context context = test_context(&memory);
  syn_geometry g = parsed_text(&context, "a.msh", text_4);
  assert_int_equal(g.point_count, 4);
  check_triangle(&g, 0, 0, 1, 2);
  check_tet(&g, 0, 0, 1, 2, 3);
  assert_true(g.points[2].y == 1 && g.points[2].z == 0);
  check_field(&g, "physical", SYN_ON_TRIANGLES, 1, 1, (const double[]){42});
  check_field(&g, "physical", SYN_ON_TETS, 1, 1, (const double[]){6});
  check_field(&g, "entity", SYN_ON_TETS, 1, 1, (const double[]){5});
  assert_int_equal(memory.warnings, 0);
  syn_geometry_free(&context, &g);
}

/* ---- bytes: the same files made by hand, in both orders ------------------------------------------------------------
 */

typedef struct bytes {
  char at[4096];
  size_t size;
  bool swapped;
} bytes;

static void put(bytes *b, const void *value, size_t size) {
  for (size_t i = 0; i < size; ++i) b->at[b->size + i] = ((const char *)value)[b->swapped ? size - 1 - i : i];
  b->size += size;
}
static void put_text(bytes *b, const char *text) {
  memcpy(b->at + b->size, text, strlen(text));
  b->size += strlen(text);
}
static void put_ints(bytes *b, int count, const int32_t *values) {
  for (int i = 0; i < count; ++i) put(b, &values[i], 4);
}
static void put_sizes(bytes *b, int count, const uint64_t *values) {
  for (int i = 0; i < count; ++i) put(b, &values[i], 8);
}
static void put_doubles(bytes *b, int count, const double *values) {
  for (int i = 0; i < count; ++i) put(b, &values[i], 8);
}
#define INTS(b, ...) put_ints((b), sizeof((int32_t[]){__VA_ARGS__}) / 4, (const int32_t[]){__VA_ARGS__})
#define SIZES(b, ...) put_sizes((b), sizeof((uint64_t[]){__VA_ARGS__}) / 8, (const uint64_t[]){__VA_ARGS__})
#define DOUBLES(b, ...) put_doubles((b), sizeof((double[]){__VA_ARGS__}) / 8, (const double[]){__VA_ARGS__})

static void make_binary_2(bytes *b) {
  put_text(b, "$MeshFormat\n2.2 1 8\n");
  INTS(b, 1);
  put_text(b, "\n$EndMeshFormat\n$Nodes\n4\n");
  for (int i = 0; i < 4; ++i) {
    INTS(b, 10 * i + 10);
    DOUBLES(b, i == 1, i == 2, i == 3);
  }
  put_text(b, "\n$EndNodes\n$Elements\n3\n");
  INTS(b, 2, 2, 2, 1, 7, 2, 10, 20, 30, 2, 8, 2, 10, 30, 40);
  INTS(b, 4, 1, 2, 3, 9, 1, 10, 20, 30, 40);
  put_text(b, "\n$EndElements\n$ElementData\n1\n\"s\"\n0\n3\n0\n1\n2\n");
  INTS(b, 2);
  DOUBLES(b, 2.5);
  INTS(b, 3);
  DOUBLES(b, -1);
  put_text(b, "\n$EndElementData\n");
}

static void make_binary_4(bytes *b) {
  put_text(b, "$MeshFormat\n4.1 1 8\n");
  INTS(b, 1);
  put_text(b, "\n$EndMeshFormat\n$Entities\n");
  SIZES(b, 0, 0, 1, 0);
  INTS(b, 3);
  DOUBLES(b, 0, 0, 0, 1, 1, 1);
  SIZES(b, 1);
  INTS(b, 42);
  SIZES(b, 0);
  put_text(b, "\n$EndEntities\n$Nodes\n");
  SIZES(b, 1, 3, 1, 30);
  INTS(b, 2, 3, 1);
  SIZES(b, 3, 10, 20, 30);
  DOUBLES(b, 0, 0, 0, 9, 9, 1, 0, 0, 9, 9, 0, 1, 0, 9, 9);
  put_text(b, "\n$EndNodes\n$Elements\n");
  SIZES(b, 1, 1, 1, 1);
  INTS(b, 2, 3, 2);
  SIZES(b, 1, 1, 10, 20, 30);
  put_text(b, "\n$EndElements\n");
}

static void bytes_of_both_orders_are_read(void **state) {
  (void)state;
  syn_error error;
  syn_geometry g;
  for (int swapped = 0; swapped < 2; ++swapped) {
    bytes two = {.swapped = swapped}, four = {.swapped = swapped};
    make_binary_2(&two);
    ASSERT_OK(syn_geometry_parse(NULL, two.at, two.size, "two", NULL, &g, &error));
    check_triangle(&g, 0, 0, 1, 2);
    check_triangle(&g, 1, 0, 2, 3);
    check_tet(&g, 0, 0, 1, 2, 3);
    assert_true(g.points[3].z == 1);
    check_field(&g, "physical", SYN_ON_TRIANGLES, 1, 2, (const double[]){7, 8});
    check_field(&g, "s", SYN_ON_TRIANGLES, 1, 2, (const double[]){NAN, 2.5});
    check_field(&g, "s", SYN_ON_TETS, 1, 1, (const double[]){-1});
    syn_geometry_free(NULL, &g);
    make_binary_4(&four);
    ASSERT_OK(syn_geometry_parse(NULL, four.at, four.size, "four", NULL, &g, &error));
    check_triangle(&g, 0, 0, 1, 2);
    assert_true(g.point_count == 3 && g.points[2].y == 1);
    check_field(&g, "physical", SYN_ON_TRIANGLES, 1, 1, (const double[]){42});
    syn_geometry_free(NULL, &g);
    check_every_prefix("two", two.at, two.size,
                       (size_t)((char *)memmem(two.at, two.size, "$EndElements", 12) - two.at));
    check_every_prefix("four", four.at, four.size, four.size - 1);
  }
}

static void quadratic_elements_keep_their_corners(void **state) {
  (void)state;
  test_memory memory = {0};
  syn_context context = test_context(&memory);
  syn_geometry g =
      parsed_text(&context, "q.msh",
                  "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n"
                  "$EndNodes\n$Elements\n2\n1 11 0 1 2 3 4 1 1 1 1 1 1\n2 9 0 1 2 3 4 4 4\n$EndElements\n");
  check_tet(&g, 0, 0, 1, 2, 3);
  check_triangle(&g, 0, 0, 1, 2);
  assert_int_equal(g.field_count, 0);
  assert_non_null(strstr(memory.all_warnings, "1 quadratic tetrahedra"));
  syn_geometry_free(&context, &g);
}

static void everything_survives_writing_and_reading(void **state) {
  (void)state;
  const double depth[5] = {1.5, -2, 0.1, 1e-300, 7}, axes[6] = {1, 2, 3, 4, 5, 6}, stress[2] = {8, 9};
  const double group[2] = {3, 4}, entity[2] = {1, 2};
  const syn_field fields[5] = {{"depth", SYN_ON_POINTS, 1, depth},
                               {"axes", SYN_ON_TRIANGLES, 3, axes},
                               {"axes", SYN_ON_TETS, 1, stress},
                               {"physical", SYN_ON_TETS, 1, group},
                               {"entity", SYN_ON_TRIANGLES, 1, entity}};
  syn_geometry g = sample_geometry();
  g.fields = fields;
  g.field_count = 5;
  for (int binary = 0; binary < 2; ++binary) {
    syn_write_options options = syn_default_write_options();
    options.binary = binary;
    syn_geometry back;
    write_and_read(NULL, &g, "sample.msh", &options, &back);
    check_same_geometry(&back, &g, false);
    check_field(&back, "depth", SYN_ON_POINTS, 1, 5, depth);
    check_field(&back, "axes", SYN_ON_TRIANGLES, 3, 6, axes);
    check_field(&back, "axes", SYN_ON_TETS, 1, 2, stress);
    check_field(&back, "physical", SYN_ON_TETS, 1, 2, group);
    check_field(&back, "entity", SYN_ON_TRIANGLES, 1, 2, entity);
    syn_geometry_free(NULL, &back);
    syn_geometry plain = sample_geometry();
    write_and_read(NULL, &plain, "plain.msh", &options, &back);
    check_same_geometry(&back, &plain, false);
    assert_int_equal(back.field_count, 0);
    syn_geometry_free(NULL, &back);
  }
  const double half[2] = {0.5, 1};
  const syn_field bad = {"physical", SYN_ON_TETS, 1, half};
  syn_error error;
  g.fields = &bad;
  g.field_count = 1;
  ASSERT_FAILS(syn_geometry_write(NULL, &g, temporary_path("bad.msh"), NULL, &error), SYN_BAD_MESH, "whole numbers");
}

#define HEAD "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
#define NODES HEAD "$Nodes\n3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n$EndNodes\n"

static void mistakes_are_named_with_their_line(void **state) {
  (void)state;
  check_text_fails("a.msh", "$MeshFormat\n1.0 0 8\n$EndMeshFormat\n", 2, "version 1.0 is not read");
  check_text_fails("a.msh", "$MeshFormat\n4 0 8\n$EndMeshFormat\n", 2, "version 4 is not read");
  check_text_fails("a.msh", "$MeshFormat\n2.2 2 8\n$EndMeshFormat\n", 2, "neither text");
  check_text_fails("a.msh", "$MeshFormat\n2.2 0 4\n$EndMeshFormat\n", 2, "numbers of 4 bytes");
  check_text_fails("a.msh", "$MeshFormat\n2.2 1 8\nabcd\n$EndMeshFormat\n", 0, "byte order");
  check_text_fails("a.msh", HEAD HEAD, 5, "one section $MeshFormat");
  check_text_fails("a.msh", HEAD, 0, "no section $Nodes");
  check_text_fails("a.msh", NODES, 0, "no section $Elements");
  check_text_fails("a.msh", HEAD "nodes\n", 4, "found 'nodes'");
  check_text_fails("a.msh", HEAD "$Nodes\n2\n1 0 0 0\n1 1 0 0\n$EndNodes\n", 0, "node 1 is defined twice");
  check_text_fails("a.msh", HEAD "$Nodes\n1\n-1 0 0 0\n$EndNodes\n", 6, "negative");
  check_text_fails("a.msh", HEAD "$Nodes\n1\n1 0 x 0\n$EndNodes\n", 6, "expected a coordinate, found 'x'");
  check_text_fails("a.msh", HEAD "$Nodes\n1\n1 0 0 0\n2 0 0 0\n$EndNodes\n", 7, "$Nodes should end here");
  check_text_fails("a.msh", NODES NODES, 0, "one section $MeshFormat");
  check_text_fails("a.msh", NODES "$Nodes\n0\n$EndNodes\n", 11, "two sections $Nodes");
  check_text_fails("a.msh", HEAD "$Elements\n0\n$EndElements\n", 5, "before $Nodes");
  check_text_fails("a.msh", NODES "$Elements\n1\n1 2 2 0 1 1 2 4\n$EndElements\n", 12, "uses node 4, which is not");
  check_text_fails("a.msh", NODES "$Elements\n1\n1 77 2 0 1 1 2 3\n$EndElements\n", 12, "element type 77");
  check_text_fails("a.msh", NODES "$Elements\n9999999999999\n1 2 2 0 1 1 2 3\n$EndElements\n", 13, "expected");
  check_text_fails("a.msh", NODES "$Elements\n0\n$EndElements\n$Elements\n0\n$EndElements\n", 14, "two sections");
  check_text_fails("a.msh", NODES "$Comments\nwithout end\n", 0, "ends inside the section $Comments");
  check_text_fails("a.msh", NODES "$ElementData\n0\n0\n3\n0\n1\n0\n$EndElementData\n", 11, "before $Elements");
  check_text_fails("a.msh", HEAD "$NodeData\n0\n0\n3\n0\n1\n0\n$EndNodeData\n", 5, "before $Nodes");
  check_text_fails("a.msh", NODES "$NodeData\n0\n0\n2\n0\n1\n$EndNodeData\n", 13, "needs a step");
  check_text_fails("a.msh", NODES "$NodeData\n0\n0\n3\n0\n0\n1\n$EndNodeData\n", 16, "no number of components");
  check_text_fails("a.msh", NODES "$NodeData\n0\n0\n3\n0\n1\n-1\n$EndNodeData\n", 16, "no number of values");
  check_text_fails("a.msh", NODES "$NodeData\n0\n0\n3\n0\n60000\n1\n1 2\n$EndNodeData\n", 0,
                   "more than the file holds");
  check_text_fails("a.msh", NODES "$NodeData\n0\n0\n3\n0\n1\n1\n8 2\n$EndNodeData\n", 17,
                   "node 8, which is not defined");
  check_text_fails("a.msh",
                   "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n1 0 0 0\n1 0 0 0 1 2147483648\n$EndEntities\n", 6,
                   "more than 31 bits");
  check_text_fails("a.msh", "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 1 1 1\n4 1 0 1\n1\n0 0 0\n$EndNodes\n", 6,
                   "dimension 4");
}

static void files_cut_short_are_refused(void **state) {
  (void)state;
  const size_t elements = (size_t)(strstr(text_2, "$EndElements") - text_2);
  check_every_prefix("a.msh", text_2, sizeof text_2 - 1, elements);
  check_every_prefix("a.msh", text_4, sizeof text_4 - 1, sizeof text_4 - 2);
}

/* Counts and tags of the largest size in a few bytes: refused without taking space for them. */
static void hostile_counts_take_no_memory(void **state) {
  (void)state;
  for (int round = 0; round < 3; ++round) {
    bytes b = {0};
    put_text(&b, round == 2 ? "$MeshFormat\n4.1 1 8\n" : "$MeshFormat\n2.2 1 8\n");
    INTS(&b, 1);
    put_text(&b,
             round == 2 ? "\n$EndMeshFormat\n$Nodes\n" : "\n$EndMeshFormat\n$Nodes\n0\n\n$EndNodes\n$Elements\n2\n");
    if (round == 0) INTS(&b, 4, INT32_MAX, 2, 1, 2, 3);
    if (round == 1) INTS(&b, 4, 1, INT32_MAX, 1, 2, 3);
    if (round == 2) SIZES(&b, UINT64_MAX, UINT64_MAX, 0, UINT64_MAX);
    if (round == 2) INTS(&b, 3, 1, 1);
    if (round == 2) SIZES(&b, UINT64_MAX, 1, 2, 3);
    test_memory memory = {0};
    syn_context context = test_context(&memory);
    syn_geometry g;
    syn_error error;
    ASSERT_FAILS(syn_geometry_parse(&context, b.at, b.size, "b.msh", NULL, &g, &error), SYN_BAD_FORMAT, NULL);
    assert_true(error.byte > 0);
    assert_true(memory.peak_bytes < 10000);
  }
}

/* Each of many empty sections would ask for space for every node. */
static void many_empty_sections_take_no_memory(void **state) {
  (void)state;
  enum { N = 2000 };
  char *text = malloc(N * 100 + 1000);
  size_t size = (size_t)sprintf(text, HEAD "$Nodes\n%d\n", N);
  for (int i = 0; i < N; ++i) size += (size_t)sprintf(text + size, "%d 0 0 0\n", i);
  size += (size_t)sprintf(text + size, "$EndNodes\n$Elements\n0\n$EndElements\n");
  for (int i = 0; i < N; ++i)
    size += (size_t)sprintf(text + size, "$NodeData\n1\n\"f%d\"\n0\n3\n0\n9\n0\n$EndNodeData\n", i);
  test_memory memory = {0};
  syn_context context = test_context(&memory);
  syn_geometry g;
  syn_error error;
  ASSERT_FAILS(syn_geometry_parse(&context, text, size, "b.msh", NULL, &g, &error), SYN_BAD_FORMAT, "cannot be right");
  assert_true(memory.peak_bytes < 200 * size);
  assert_int_equal(memory.live, 0);
  free(text);
}

static void every_refused_allocation_is_survived(void **state) {
  (void)state;
  named_text two = {"a.msh", text_2}, four = {"a.msh", text_4};
  check_every_allocation(parse_attempt, &two);
  check_every_allocation(parse_attempt, &four);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(version_2_text_is_read),
      cmocka_unit_test(version_4_text_is_read),
      cmocka_unit_test(bytes_of_both_orders_are_read),
      cmocka_unit_test(quadratic_elements_keep_their_corners),
      cmocka_unit_test(everything_survives_writing_and_reading),
      cmocka_unit_test(mistakes_are_named_with_their_line),
      cmocka_unit_test(files_cut_short_are_refused),
      cmocka_unit_test(hostile_counts_take_no_memory),
      cmocka_unit_test(many_empty_sections_take_no_memory),
      cmocka_unit_test(every_refused_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
