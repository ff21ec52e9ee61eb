/* Abaqus and CalculiX input files. */
#include "io_meshes.h"

static const char sample[] = "** a comment\n*Heading\nbones, in mm\n*NODE, NSET=all\n10, 0, 0, 0\n20, 1., 0.\n"
                             "** between\n30, 0, 1e0, 0,\n\n9223372036854775807, 0, 0, 1\n 5 , 1 , 1 , 0\n"
                             "*element, type=C3D4H,\n elset=\"hard bone\"\n1, 10, 20, 30, 9223372036854775807\n"
                             "*ELEMENT, TYPE=C3D10, ELSET=soft\n2, 10, 20, 30, 9223372036854775807,\n10, 10, 10,\n"
                             "10, 10, 10\n*ELEMENT, ELSET=Hard Bone, TYPE=C3D4\n3, 20, 10, 30, 9223372036854775807\n"
                             "*ELEMENT, TYPE=S3R\n4, 10, 20, 30\n*ELEMENT, TYPE=S4\n5, 10, 20, 5, 30\n"
                             "*ELEMENT, TYPE=C3D8R\n6, 5, 5, 5, 5, 5, 5, 5, 5\n*ELEMENT, TYPE=B31\n7, 10, 20\n"
                             "*MATERIAL, NAME=m\n*ELASTIC\n17000, 0.3\n*NODE PRINT\nU\n*ELEMENT OUTPUT\nS\n";

static void nodes_and_elements_are_read(void **state) {
  (void)state;
  test_memory memory = {0};
  syn_context context = test_context(&memory);
  syn_geometry g = parsed_text(&context, "a.inp", sample);
  assert_int_equal(g.point_count, 5);
  assert_true(g.points[1].x == 1 && g.points[1].z == 0 && g.points[3].z == 1 && g.points[4].y == 1);
  assert_int_equal(g.tet_count, 3);
  assert_int_equal(g.triangle_count, 3);
  check_tet(&g, 0, 0, 1, 2, 3);
  check_tet(&g, 1, 0, 1, 2, 3);
  check_tet(&g, 2, 1, 0, 2, 3);
  check_triangle(&g, 0, 0, 1, 2);
  check_field(&g, "part", SYN_ON_TETS, 1, 3, (const double[]){1, 2, 1});
  check_field(&g, "part", SYN_ON_TRIANGLES, 1, 3, (const double[]){0, 0, 0});
  assert_non_null(strstr(memory.all_warnings, "type 'B31' were left out"));
  assert_non_null(strstr(memory.all_warnings, "1 hexahedra"));
  assert_non_null(strstr(memory.all_warnings, "1 quadratic tetrahedra"));
  syn_geometry_free(&context, &g);
  assert_int_equal(memory.live, 0);
}

/* Elements may come first; each part counts for itself; an instance may carry a mesh of its own. */
static void parts_number_their_nodes_each_for_themselves(void **state) {
  (void)state;
  test_memory memory = {0};
  syn_context context = test_context(&memory);
  syn_geometry g = parsed_text(&context, NULL,
                               "*PART, NAME=a\n*ELEMENT, TYPE=CPS3\n1, 1, 2, 3\n*NODE\n1, 0, 0\n2, 1, 0\n3, 0, 1\n"
                               "*END PART\n*PART, NAME=b\n*NODE\n1, 5, 0, 0\n2, 6, 0, 0\n3, 5, 1, 0\n"
                               "*ELEMENT, TYPE=M3D3\n1, 3, 2, 1\n*END PART\n*ASSEMBLY, NAME=all\n"
                               "*INSTANCE, NAME=a1, PART=a\n*END INSTANCE\n*INSTANCE, NAME=b1, PART=b\n1., 2., 3.\n"
                               "*END INSTANCE\n*INSTANCE, NAME=c\n*NODE\n1, 7, 7, 7\n*END INSTANCE\n*NODE\n1, 9, 9, 9\n"
                               "*END ASSEMBLY\n");
  assert_int_equal(g.point_count, 8);
  check_triangle(&g, 0, 0, 1, 2);
  check_triangle(&g, 1, 5, 4, 3);
  check_field(&g, "part", SYN_ON_TRIANGLES, 1, 2, (const double[]){1, 2});
  assert_non_null(strstr(memory.last_warning, "1 instances have a position of their own"));
  syn_geometry_free(&context, &g);
}

static void everything_survives_writing_and_reading(void **state) {
  (void)state;
  test_memory memory = {0};
  syn_context context = test_context(&memory);
  const syn_geometry g = sample_geometry();
  syn_geometry back;
  write_and_read(&context, &g, "sample.inp", NULL, &back);
  check_same_geometry(&back, &g, false);
  assert_int_equal(back.field_count, 0);
  assert_int_equal(memory.warnings, 0);
  syn_geometry_free(&context, &back);
}

/* No reader, including ours, accepts a file without nodes. */
static void a_mesh_without_points_is_not_written(void **state) {
  (void)state;
  syn_error error;
  const syn_geometry nothing = {0};
  const char *path = temporary_path("nothing.inp");
  ASSERT_FAILS(syn_geometry_write(NULL, &nothing, path, NULL, &error), SYN_BAD_MESH, "without points");
  assert_null(fopen(path, "rb"));
}

#define NODES "*NODE\n1, 0, 0, 0\n2, 1, 0, 0\n3, 0, 1, 0\n"

static void mistakes_are_named_with_their_line(void **state) {
  (void)state;
  check_text_fails("a.inp", "*HEADING\n", 0, "no *NODE");
  check_text_fails("a.inp", NODES "*INCLUDE, INPUT=b.inp\n", 6, "*INCLUDE is not followed");
  check_text_fails("a.inp", "*NODE, INPUT=nodes.txt\n", 2, "another file");
  check_text_fails("a.inp", "*NODE, SYSTEM=C\n1, 2, 90, 0\n", 2, "rectangular");
  check_text_fails("a.inp", "*SYSTEM\n1, 0, 0\n" NODES, 2, "*SYSTEM is not read");
  check_text_fails("a.inp", "*NODE\n1, 0, x, 0\n", 3, "expected a coordinate, found 'x'");
  check_text_fails("a.inp", "*NODE\none, 0, 0, 0\n", 3, "expected a node number, found 'one'");
  check_text_fails("a.inp", "*NODE\n1, 0\n1, 0\n", 0, "node 1 is defined twice");
  check_text_fails("a.inp", NODES "*ELEMENT, TYPE=S3, INPUT=e.txt\n", 6, "another file");
  check_text_fails("a.inp", NODES "*ELEMENT, TYPE=S3\n1, 1, 2, 4\n", 7, "element 1 uses node 4");
  check_text_fails("a.inp", NODES "*ELEMENT, TYPE=S3\n1, 1, 2\n", 7, "element 1 has 2 nodes, but its type needs 3");
  check_text_fails("a.inp", NODES "*ELEMENT, TYPE=S3\n1, 1, -2, 3\n", 7, "expected a node number, found '-2'");
}

static void files_cut_short_do_no_harm(void **state) {
  (void)state;
  check_every_prefix("a.inp", sample, sizeof sample - 1, (size_t)(strstr(sample, "10, 0") - sample));
}

/* Many blocks of different sets: looking a set up must not take as long as there are sets. */
static void many_sets_are_fast(void **state) {
  (void)state;
  enum { SETS = 30000 };
  char *text = malloc(64 * SETS + 1000);
  size_t size = (size_t)sprintf(text, NODES);
  for (int i = 0; i < SETS; ++i) size += (size_t)sprintf(text + size, "*ELEMENT,TYPE=S3,ELSET=s%d\n%d,1,2,3\n", i, i);
  syn_geometry g = parsed_text(NULL, "many.inp", text);
  assert_int_equal(g.triangle_count, SETS);
  assert_true(find_field(&g, "part", SYN_ON_TRIANGLES)->values[SETS - 1] == SETS);
  syn_geometry_free(NULL, &g);
  free(text);
}

static void every_refused_allocation_is_survived(void **state) {
  (void)state;
  named_text given = {"a.inp", sample};
  check_every_allocation(parse_attempt, &given);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nodes_and_elements_are_read),
      cmocka_unit_test(parts_number_their_nodes_each_for_themselves),
      cmocka_unit_test(everything_survives_writing_and_reading),
      cmocka_unit_test(a_mesh_without_points_is_not_written),
      cmocka_unit_test(mistakes_are_named_with_their_line),
      cmocka_unit_test(files_cut_short_do_no_harm),
      cmocka_unit_test(many_sets_are_fast),
      cmocka_unit_test(every_refused_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
