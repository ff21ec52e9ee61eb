/* Meshes of FEBio files. */
#include "io_meshes.h"

#define NODES5                                                                                                         \
  "<Nodes name=\"all\">\n<node id=\"10\">0,0,0</node>\n<node id=\"7\"> 1.5e0, 0 ,0 </node>\n<node "                    \
  "id=\"3\">0,1,0</node>"                                                                                              \
  "\n</Nodes><Nodes><node id=\"400000000000\">0,0,1</node><node id=\"2\">1,1,1</node></Nodes>\n"

static void check_mesh(const syn_geometry *g) {
  assert_int_equal(g->point_count, 5);
  assert_int_equal(g->triangle_count, 3);
  assert_int_equal(g->tet_count, 2);
  assert_true(g->points[1].x == 1.5);
  assert_memory_equal(g->tets[0].v, ((uint32_t[]){0, 1, 2, 3}), 16);
  assert_memory_equal(g->tets[1].v, ((uint32_t[]){4, 1, 2, 3}), 16);
  assert_memory_equal(g->triangles[0].v, ((uint32_t[]){0, 1, 2}), 12);
  const double *tets = find_field(g, "part", SYN_ON_TETS)->values;
  const double *triangles = find_field(g, "part", SYN_ON_TRIANGLES)->values;
  assert_true(tets[0] == 1 && tets[1] == 3);
  assert_true(triangles[0] == 2 && triangles[1] == 2 && triangles[2] == 2);
}

static void all_specifications_are_read(void **state) {
  (void)state;
  const char *texts[] = {
      /* 1.2: elements called by their type, parts identified only by the section */
      "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n<febio_spec version=\"1.2\"><Geometry>" NODES5
      "<Elements mat='1'><tet4 id='1'>10,7,3,400000000000</tet4></Elements><Elements "
      "mat='2'><tri3>10,7,3</tri3><quad4>10,7,2,3"
      "</quad4></Elements><Elements mat='3'><tet4>2,7,3,400000000000</tet4></Elements></Geometry></febio_spec>",
      "<febio_spec version=\"2.5\"><Module type='solid'/><Geometry>" NODES5
      "<Elements type='tet4' mat='1' name='bone'><elem id='1'>10,7,3,400000000000</elem></Elements><Elements "
      "type='tri3' "
      "name='skin'><elem id='2'>10,7,3</elem></Elements><Elements type='quad4' name='skin'><elem id='3'>10,7,2,3</elem>"
      "</Elements><Elements type='tet4' name='fat'><elem "
      "id='4'>2,7,3,400000000000</elem></Elements></Geometry></febio_spec>",
      "<febio_spec version=\"4.0\"><Module type='solid'/><Material><material id='1' name='m'/></Material><Mesh>" NODES5
      "<Elements type='tet4' name='bone'><elem id='1'>10,7,3,400000000000</elem></Elements><Elements type='tri3' "
      "name='skin'><elem id='2'>10,7,3</elem></Elements><Elements type='q4ans' name='skin'><elem id='3'>10 7\n2 "
      "3</elem>"
      "</Elements><Elements type='tet4' name='fat'><elem "
      "id='4'>2,7,3,400000000000</elem></Elements></Mesh><MeshDomains/>"
      "</febio_spec>"};
  for (int i = 0; i < 3; ++i) {
    test_memory memory = {0};
    syn_context context = test_context(&memory);
    syn_geometry g = parsed_text(&context, "f.feb", texts[i]);
    check_mesh(&g);
    assert_int_equal(memory.warnings, 0);
    syn_geometry_free(&context, &g);
    assert_int_equal(memory.live, 0);
    check_every_prefix("f.feb", texts[i], strlen(texts[i]), 0);
    check_random_damage("f.feb", texts[i], strlen(texts[i]), 1000);
  }
}

static void surfaces_count_only_where_there_are_no_elements(void **state) {
  (void)state;
  test_memory memory = {0};
  syn_context context = test_context(&memory);
  syn_geometry g = parsed_text(&context, "f.feb",
                               "<febio_spec><Mesh>" NODES5 "<Surface name='s'><tri3 id='1'>10,7,3</tri3><quad4 id='2'>"
                               "10,7,2,3</quad4></Surface></Mesh></febio_spec>");
  assert_int_equal(g.triangle_count, 3);
  assert_int_equal(memory.warnings, 0);
  syn_geometry_free(&context, &g);
  g = parsed_text(&context, "f.feb",
                  "<febio_spec><Mesh>" NODES5 "<Elements type='tet4'><elem>10,7,3,2</elem></Elements><Surface name='s'>"
                  "<tri3 id='1'>10,7,3</tri3></Surface></Mesh></febio_spec>");
  assert_int_equal(g.triangle_count, 0);
  assert_int_equal(g.tet_count, 1);
  assert_non_null(strstr(memory.last_warning, "surfaces were left out"));
  syn_geometry_free(&context, &g);
}

static void what_has_no_type_here_is_left_out_with_a_warning(void **state) {
  (void)state;
  test_memory memory = {0};
  syn_context context = test_context(&memory);
  syn_geometry g = parsed_text(
      &context, "f.feb",
      "<febio_spec><Mesh>" NODES5 "<Part name='p'/><Elements type='hex8'><elem>2,2,2,2,2,2,2,2</elem></Elements>\n"
      "<Elements type='tet15'><elem>1</elem><elem>1</elem></Elements><Elements type='tri6'><elem>10,7,3,2,2,2</elem>"
      "</Elements></Mesh></febio_spec>");
  assert_int_equal(g.triangle_count, 1);
  assert_true(g.fields[0].values[0] == 1); /* none of the sections has a name: one part */
  assert_non_null(strstr(memory.all_warnings, "1 hexahedra"));
  assert_non_null(strstr(memory.all_warnings, "2 elements of a type that Synovia does not know"));
  assert_non_null(strstr(memory.all_warnings, "'tet15'"));
  assert_non_null(strstr(memory.all_warnings, "1 quadratic triangles"));
  assert_non_null(strstr(memory.all_warnings, "<Part>"));
  syn_geometry_free(&context, &g);
}

static void mistakes_are_named_with_their_line(void **state) {
  (void)state;
#define MESH "<febio_spec>\n<Mesh>\n"
#define END "</Mesh></febio_spec>"
  const struct {
    const char *text, *part;
    int64_t line;
  } bad[] = {
      {"<febio>\n</febio>", "begins with <febio>", 1},
      {"<febio_spec>\n</febio_spec>", "neither <Mesh> nor <Geometry>", 1},
      {"<febio_spec>\n<Geometry from='mesh.feb'/></febio_spec>", "another file, read that one: mesh.feb", 2},
      {MESH "<Nodes>\n<node id='1'>0,0</node></Nodes>" END, "three coordinates, not 2", 4},
      {MESH "<Nodes>\n<node id='1'>0,0,0,0</node></Nodes>" END, "here are more", 4},
      {MESH "<Nodes>\n<node id='1'>0,0\n,up</node></Nodes>" END, "found 'up'", 5},
      {MESH "<Nodes>\n<node id='-1'>0,0,0</node></Nodes>" END, "not a count", 4},
      {MESH "<Nodes>\n<node id='1'>0,<b/>0,0</node></Nodes>" END, "split", 4},
      {MESH "<Nodes><node id='1'>0,0,0</node><node id='1'>0,0,0</node></Nodes>" END, "two nodes have the id 1", 0},
      {MESH NODES5 "<Elements type='tri3'>\n<elem>10,7,1</elem></Elements>" END, "no node with the id 1", 9},
      {MESH NODES5 "<Elements type='tri3'>\n<elem>10,7,x</elem></Elements>" END, "found 'x'", 9},
      {MESH NODES5 "<Elements type='tri3'>\n<elem>10,7</elem></Elements>" END, "2 nodes where triangles have 3", 9},
      {MESH "<Elements type='tri3'>\n<elem>10,7,3</elem></Elements>" END, "no node with the id 10", 4},
      {MESH NODES5
       "<Elements type='hex8'>\n<elem>2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2</elem>"
       "</Elements>" END,
       "no element has that many", 9},
      {MESH NODES5 "<Elements>", "not valid XML", 8},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i)
    check_text_fails("f.feb", bad[i].text, bad[i].line, bad[i].part);
}

static void meshes_survive_writing_and_reading(void **state) {
  (void)state;
  test_random random = {21};
  for (int round = 0; round < 20; ++round) {
    test_memory memory = {0};
    syn_context context = test_context(&memory);
    syn_geometry g = make_everything(&random, 1 + random_below(&random, 300), random_below(&random, 300),
                                     random_below(&random, 300)),
                 back;
    g.field_count = 0;
    write_and_read(&context, &g, "all.feb", NULL, &back);
    check_same_geometry(&g, &back, false);
    assert_int_equal(memory.warnings, 0);
    syn_geometry_free(&context, &back);
    assert_int_equal(memory.live, 0);
  }
}

static void every_refused_allocation_is_survived(void **state) {
  (void)state;
  named_text given = {"f.feb", "<febio_spec><Mesh>" NODES5
                               "<Elements type='tet4' name='a'><elem>10,7,3,2</elem></Elements><Elements type='tri3' "
                               "name='b'><elem>10,7,3</elem></Elements></Mesh></febio_spec>"};
  check_every_allocation(parse_attempt, &given);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_specifications_are_read),
      cmocka_unit_test(surfaces_count_only_where_there_are_no_elements),
      cmocka_unit_test(what_has_no_type_here_is_left_out_with_a_warning),
      cmocka_unit_test(mistakes_are_named_with_their_line),
      cmocka_unit_test(meshes_survive_writing_and_reading),
      cmocka_unit_test(every_refused_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
