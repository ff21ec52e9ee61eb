/* VTK's legacy format. */
#include "io_meshes.h"

#include "mesh/io/numbers.h"

#define HEAD "# vtk DataFile Version 3.0\ntitle\nASCII\n"
#define POLY HEAD "DATASET POLYDATA\nPOINTS 4 float\n0 0 0 1 0 0\n1 1 0 0 1 0\n"
#define GRID HEAD "DATASET UNSTRUCTURED_GRID\nPOINTS 5 double\n0 0 0 1 0 0 1 1 0 0 1 0 0 0 .1e1\n"

static void polydata_of_text_is_read_with_all_its_values(void **state) {
  (void)state;
  test_memory memory = {0};
  syn_context context = test_context(&memory);
  /* Cells are numbered vertices, lines, polygons, strips, in whatever order they stand. */
  syn_geometry g = parsed_text(
      &context, "f.vtk",
      POLY "TRIANGLE_STRIPS 1 5\n4 0 1 3 2\nPOLYGONS 2 9\n4 0 1 2 3\n3 0 1 2\nVERTICES 1 2\n1 0\nLINES 1 3\n2 0 "
           "1\nPOINT_DATA 4\nSCALARS s%20t float\nLOOKUP_TABLE default\n1 2 3 4\nSCALARS uv int 2\nLOOKUP_TABLE "
           "default\n1 2 3 4 5 6 7 8\nVECTORS v double\n1 2 3 4 5 6 7 8 9 10 11 12\nLOOKUP_TABLE colors 1\n0 0 0 "
           "1\nCELL_DATA 5\nNORMALS n float\n0 0 0 1 1 1 2 2 2 3 3 3 4 4 4\nFIELD FieldData 2\na 1 5 int\n10 11 "
           "12 13 14\nMETADATA\nINFORMATION 1\nNAME x LOCATION y\nDATA 2 0 1\n\nb 1 5 short\n5 4 3 2 1\n"
           "METADATA\nINFORMATION 0\n\nTENSORS t float\n1 2 3 4 5 6 7 8 9 1 2 3 4 5 6 7 8 9 1 2 3 4 5 6 7 8 9 "
           "1 2 3 4 5 6 7 8 9 1 2 3 4 5 6 7 8 9\nTENSORS6 t6 float\n1 2 3 4 5 6 1 2 3 4 5 6 1 2 3 4 5 6 1 2 3 4 5 "
           "6 1 2 3 4 5 6\nTEXTURE_COORDINATES tc 2 float\n1 2 3 4 5 6 7 8 9 10\nCOLOR_SCALARS c 1\n0 .1 .2 .3 "
           ".4\nGLOBAL_IDS ids vtkIdType\n1 2 3 4 5\n");
  assert_int_equal(g.point_count, 4);
  assert_int_equal(g.triangle_count, 2 + 1 + 2);
  assert_int_equal(g.tet_count, 0);
  assert_int_equal(g.space, SYN_SPACE_UNKNOWN);
  assert_true(find_field(&g, "s t", SYN_ON_POINTS)->values[3] == 4);
  assert_int_equal(find_field(&g, "uv", SYN_ON_POINTS)->components, 2);
  assert_true(find_field(&g, "v", SYN_ON_POINTS)->values[11] == 12);
  const double a[] = {12, 12, 13, 14, 14}, n[] = {2, 2, 3, 4, 4};
  for (int i = 0; i < 5; ++i) {
    assert_true(find_field(&g, "a", SYN_ON_TRIANGLES)->values[i] == a[i]);
    assert_true(find_field(&g, "n", SYN_ON_TRIANGLES)->values[3 * i + 2] == n[i]);
  }
  assert_true(find_field(&g, "b", SYN_ON_TRIANGLES)->values[0] == 3);
  assert_int_equal(find_field(&g, "t", SYN_ON_TRIANGLES)->components, 9);
  assert_int_equal(find_field(&g, "t6", SYN_ON_TRIANGLES)->components, 6);
  assert_true(find_field(&g, "tc", SYN_ON_TRIANGLES)->values[9] == 10);
  assert_true(find_field(&g, "c", SYN_ON_TRIANGLES)->values[4] == 0.4);
  assert_true(find_field(&g, "ids", SYN_ON_TRIANGLES)->values[0] == 3);
  assert_non_null(strstr(memory.all_warnings, "1 points, 1 lines"));
  assert_non_null(strstr(memory.all_warnings, "table of colours 'colors'"));
  syn_geometry_free(&context, &g);
  assert_int_equal(memory.live, 0);
}

static void a_grid_of_text_is_read_with_its_solids(void **state) {
  (void)state;
  test_memory memory = {0};
  syn_context context = test_context(&memory);
  syn_geometry g = parsed_text(&context, "f.vtk",
                               GRID "CELLS 4 17\n4 0 1 2 4\n4 0 1 2 3\n3 1 2 4\n2 0 1\nCELL_TYPES 4\n10 9 5 3\n"
                                    "CELL_DATA 4\nSCALARS q float 1\nLOOKUP_TABLE default\n1 2 3 4\n");
  assert_int_equal(g.tet_count, 1);
  assert_int_equal(g.triangle_count, 3);
  assert_true(g.points[4].z == 1);
  assert_true(find_field(&g, "q", SYN_ON_TETS)->values[0] == 1);
  const double *q = find_field(&g, "q", SYN_ON_TRIANGLES)->values;
  assert_true(q[0] == 2 && q[1] == 2 && q[2] == 3);
  assert_non_null(strstr(memory.all_warnings, "1 lines"));
  syn_geometry_free(&context, &g);
}

static void version_five_tells_cells_by_offsets(void **state) {
  (void)state;
  syn_geometry g = parsed_text(
      NULL, "f.vtk",
      "# vtk DataFile Version 5.1\n3D Slicer output. SPACE=RAS\nASCII\nDATASET POLYDATA\nPOINTS 4 float\n0 0 0 1 0 0 "
      "1 1 0 0 1 0\nMETADATA\nINFORMATION 1\nNAME L2_NORM_RANGE LOCATION vtkDataArray\nDATA 2 0 2.2\n\nPOLYGONS 3 "
      "6\nOFFSETS vtktypeint64\n0 3 6\nCONNECTIVITY vtktypeint64\n0 1 2 0 2 3\nCELL_DATA 2\nFIELD FieldData 1\nq 1 2 "
      "double\n7 8\nMETADATA\nINFORMATION 0\n\n");
  assert_int_equal(g.triangle_count, 2);
  assert_true(g.points[2].x == -1 && g.points[2].y == -1); /* turned from RAS to LPS */
  assert_true(g.space == SYN_SPACE_LPS && g.fields[0].values[1] == 8);
  syn_geometry_free(NULL, &g);
}

/* Big-endian numbers and length-coded texts, as VTK 9 writes them. */
static void binary_files_are_read(void **state) {
  (void)state;
  test_memory memory = {0};
  syn_context context = test_context(&memory);
  char *bytes = NULL;
  size_t size = 0;
  FILE *stream = open_memstream(&bytes, &size);
  unsigned char room[256] = {0};
  fputs("# vtk DataFile Version 5.1\nvtk output\nBINARY\nDATASET UNSTRUCTURED_GRID\nFIELD FieldData 4\nSPACE 1 1 "
        "string\n\xc3RAS\nTIME 1 1 double\n",
        stream);
  fwrite(room, 1, 8, stream);
  fputs("\nlong 1 2 string\n", stream);
  fwrite("\x80\x02hi\x40\x00\x00\x01!\n", 1, 10, stream);
  fputs("mask 1 9 bit\n", stream);
  fwrite("\xff\x80\n", 1, 3, stream);
  fputs("POINTS 4 double\n", stream);
  syn_numbers_encode(SYN_FLOAT64, true, (double[]){0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1e-9}, 12, room);
  fwrite(room, 8, 12, stream);
  fputs("\nCELLS 2 4\nOFFSETS vtktypeint64\n", stream);
  syn_numbers_encode(SYN_INT64, true, (double[]){0, 4}, 2, room);
  fwrite(room, 8, 2, stream);
  fputs("\nCONNECTIVITY int\n", stream);
  syn_numbers_encode(SYN_INT32, true, (double[]){3, 2, 1, 0}, 4, room);
  fwrite(room, 4, 4, stream);
  fputs("\nCELL_TYPES 1\n", stream);
  fwrite("\0\0\0\x0a\n", 1, 5, stream);
  fputs("POINT_DATA 4\nSCALARS s unsigned_char\nLOOKUP_TABLE default\n\x01\x02\x03\xff\nCOLOR_SCALARS c "
        "1\n\xff\xff\x01\xff\n",
        stream);
  fclose(stream);
  syn_geometry g;
  syn_error error = {0};
  ASSERT_OK(syn_geometry_parse(&context, bytes, size, "f.vtk", NULL, &g, &error));
  assert_int_equal(g.tet_count, 1);
  assert_memory_equal(g.tets, ((uint32_t[]){3, 2, 1, 0}), 16);
  assert_true(g.points[3].z == 1e-9 && g.points[1].x == -1);
  assert_true(find_field(&g, "s", SYN_ON_POINTS)->values[3] == 255);
  assert_true(find_field(&g, "c", SYN_ON_POINTS)->values[2] == 1 / 255.0);
  assert_int_equal(memory.warnings, 3); /* TIME, long and mask */
  syn_geometry_free(&context, &g);
  check_every_prefix("f.vtk", bytes, size, 0);
  check_random_damage("f.vtk", bytes, size, 3000);
  free(bytes);
}

static void mistakes_are_named_with_their_line(void **state) {
  (void)state;
  const struct {
    const char *text, *part;
    int64_t line;
  } bad[] = {
      {"# vtk DataFile Version 7.0\nt\nASCII\n", "versions 1 to 5", 2},
      {"# vtk DataFile Version 3.0", "ends after its first line", 1},
      {"# vtk DataFile Version 3.0\nt\nOCTAL\n", "found 'OCTAL'", 3},
      {"# vtk DataFile Version 3.0\nt\n", "ASCII or BINARY", 3},
      {HEAD "DATASET STRUCTURED_GRID\n", "STRUCTURED_GRID is no mesh", 4},
      {HEAD "POINTS 0 float\n", "no DATASET", 5},
      {HEAD "DATASET", "the kind of DATASET", 4},
      {POLY "POINTS 1 float\n0 0 0\n", "second POINTS", 8},
      {HEAD "DATASET POLYDATA\nPOINTS many float\n", "found 'many'", 5},
      {HEAD "DATASET POLYDATA\nPOINTS 1 quad\n", "'quad' is not a type", 5},
      {HEAD "DATASET POLYDATA\nPOINTS 1 float\n0 0 x\n", "found 'x'", 6},
      {HEAD "DATASET POLYDATA\nPOINTS 99999999999 float\n0 0 0\n", "cannot fit", 6},
      {HEAD "DATASET POLYDATA\nPOINTS 18446744073709551615 float\n0 0 0\n", "cannot fit", 6},
      {POLY "POLYGONS 1 4\n3 0 1 4\n", "uses point 4", 8},
      {POLY "POLYGONS 1 4\n3 0 1 -4\n", "impossible point", 8},
      {POLY "POLYGONS 1 4\n3 0 1 0.5\n", "impossible point", 8},
      {POLY "POLYGONS 1 4\n4 0 1 2\n", "cannot have 4 nodes", 9},
      {POLY "POLYGONS 1 4\n-1 0 1 2\n", "cannot have -1 nodes", 9},
      {POLY "POLYGONS 2 4\n3 0 1 2\n", "has 1 cells, not 2", 9},
      {POLY "POLYGONS 1 4\n3 0 1 2\nPOLYGONS 1 4\n3 0 1 2\n", "second list", 10},
      {POLY "POINT_DATA 5\n", "5 points, but there are 4", 9},
      {POLY "CELL_DATA 1\n", "1 cells, but there are 0", 9},
      {POLY "POINT_DATA 4\nSCALARS s float x\n", "number of components, found 'x'", 9},
      {POLY "POINT_DATA 4\nFIELD f 1\na 1 4 tensor\n", "'tensor' is not a type", 11},
      {POLY "POINT_DATA 4\nFIELD f 1\na 1 4 string\nx\n", "ends within the array", 12},
      {POLY "POINT_DATA 4\nFIELD f 2\n", "name of an array", 10},
      {POLY "POLYHEDRA 1 4\n", "'POLYHEDRA' is not a keyword", 8},
      {GRID "CELLS 1 5\n4 0 1 2 3\n", "1 CELLS but 0 CELL_TYPES", 9},
      {GRID "CELLS 1 5\n4 0 1 2 3\nCELL_TYPES 1\n300\n", "impossible type", 7},
      {GRID "CELLS 1 5\n4 0 1 2 3\nCELL_TYPES 1\n5\n", "has 4 nodes where triangles have 3", 7},
      {"# vtk DataFile Version 5.1\nt\nASCII\nDATASET POLYDATA\nPOLYGONS 2 3\n0 3\n", "expected OFFSETS", 5},
      {"# vtk DataFile Version 5.1\nt\nASCII\nDATASET POLYDATA\nPOLYGONS 2 3\nOFFSETS int\n1 3\nCONNECTIVITY int\n0 1 "
       "2\n",
       "begin with 0", 9},
      {"# vtk DataFile Version 5.1\nt\nASCII\nDATASET POLYDATA\nPOLYGONS 3 3\nOFFSETS int\n0 3 1\nCONNECTIVITY int\n0 "
       "1 2\n",
       NULL, 5},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i)
    check_text_fails("f.vtk", bad[i].text, bad[i].line, bad[i].part);
  char name[600] = POLY "POINT_DATA 4\nSCALARS ";
  memset(name + strlen(name), 'n', 300);
  check_text_fails("f.vtk", name, 9, "more than 255 letters");
}

static void hostile_numbers_of_bits_texts_and_arrays_are_refused(void **state) {
  (void)state;
  check_text_fails("f.vtk", POLY "FIELD f 1\na 18446744073709551615 2 string\n", 0, "so many texts");
  check_text_fails("f.vtk", POLY "FIELD f 1\na 18446744073709551615 2 bit\n", 0, "so many bits");
  check_text_fails("f.vtk", POLY "FIELD f 1\na 1 18446744073709551615 bit\n", 0, "cannot fit");
  check_text_fails("f.vtk", POLY "FIELD f 18446744073709551615\n", 0, "name of an array");
  check_text_fails("f.vtk", "# vtk DataFile Version 3.0\nt\nBINARY\nDATASET POLYDATA\nFIELD f 1\na 1 1 string\n\x01", 0,
                   "beyond the end");
}

static void a_small_file_is_refused_or_read_wherever_it_is_cut(void **state) {
  (void)state;
  const char *text =
      GRID "CELLS 2 9\n4 0 1 2 4\n3 0 1 2\nCELL_TYPES 2\n10\n5\nPOINT_DATA 5\nVECTORS v float\n0 0 0 1 1 1 2 "
           "2 2 3 3 3 4 4 4\nCELL_DATA 2\nFIELD f 1\nq 1 2 int\n1 2\n";
  check_every_prefix("f.vtk", text, strlen(text), 0);
  check_random_damage("f.vtk", text, strlen(text), 3000);
}

static void fields_without_a_place_and_null_arrays_are_passed_over(void **state) {
  (void)state;
  test_memory memory = {0};
  syn_context context = test_context(&memory);
  syn_geometry g = parsed_text(&context, "f.vtk",
                               POLY "POINT_DATA 4\nFIELD f 3\nNULL_ARRAY\nshort 1 3 int\n1 2 3\ngood 1 4 int\n1 2 3 "
                                    "4\n");
  assert_int_equal(g.field_count, 1);
  assert_non_null(strstr(memory.all_warnings, "'short' was left out"));
  syn_geometry_free(&context, &g);
  char text[4000] = POLY "POINT_DATA 4\nSCALARS wide float 300\nLOOKUP_TABLE default\n";
  for (int i = 0; i < 1200; ++i) strcat(text, "1 ");
  g = parsed_text(&context, "f.vtk", text);
  assert_int_equal(g.field_count, 0);
  assert_non_null(strstr(memory.all_warnings, "'wide' was left out"));
  syn_geometry_free(&context, &g);
  assert_int_equal(memory.live, 0);
}

static void everything_survives_writing_and_reading(void **state) {
  (void)state;
  test_random random = {3};
  for (int round = 0; round < 16; ++round) {
    test_memory memory = {0};
    syn_context context = test_context(&memory);
    const bool tets = round & 2;
    syn_geometry g = make_everything(&random, 1 + random_below(&random, 500), random_below(&random, 500),
                                     tets ? 1 + random_below(&random, 500) : 0),
                 back;
    if (g.triangle_count == 0 || !tets) g.field_count = 2;
    if (g.triangle_count == 0) g.field_count = 1;
    g.space = round & 4 ? SYN_SPACE_UNKNOWN : SYN_SPACE_LPS;
    syn_write_options options = syn_default_write_options();
    options.binary = round & 1;
    write_and_read(&context, &g, "all.vtk", &options, &back);
    check_same_geometry(&g, &back, true);
    assert_int_equal(back.space, g.space);
    syn_geometry_free(&context, &back);
    options.single = true;
    write_and_read(&context, &g, "all.vtk", &options, &back);
    for (size_t i = 0; i < g.point_count; ++i) assert_true(back.points[i].y == (double)(float)g.points[i].y);
    syn_geometry_free(&context, &back);
    assert_int_equal(memory.live, 0);
    /* In text the NaN that fill up 'faces 100%' on the tetrahedra are reported, once for each of the two files. */
    assert_int_equal(memory.warnings, options.binary || g.field_count < 5 ? 0 : 2);
  }
}

static void text_that_vtk_would_not_read_is_told(void **state) {
  (void)state;
  test_memory memory = {0};
  syn_context context = test_context(&memory);
  test_random random = {6};
  syn_geometry g = make_everything(&random, 9, 4, 3), back;
  g.fields += 1, g.field_count = 1; /* stress on triangles alone: the tetrahedra get NaN */
  syn_write_options options = syn_default_write_options();
  write_and_read(&context, &g, "nan.vtk", &options, &back);
  check_same_geometry(&g, &back, true);
  syn_geometry_free(&context, &back);
  assert_int_equal(memory.warnings, 0);
  options.binary = false;
  write_and_read(&context, &g, "nan.vtk", &options, &back);
  check_same_geometry(&g, &back, true);
  syn_geometry_free(&context, &back);
  assert_non_null(strstr(memory.last_warning, "27 values of 'stress' are not finite"));
}

static void every_refused_allocation_is_survived(void **state) {
  (void)state;
  named_text given = {
      "f.vtk",
      GRID "CELLS 2 9\n4 0 1 2 4\n3 0 1 2\nCELL_TYPES 2\n10\n5\nPOINT_DATA 5\nVECTORS v float\n0 0 0 1 1 1 2 2 2 3 "
           "3 3 4 4 4\nCELL_DATA 2\nFIELD f 1\nq 1 2 int\n1 2\n"};
  check_every_allocation(parse_attempt, &given);
}

static void the_liver_is_read(void **state) {
  (void)state;
  REQUIRE_DATA(path, "deformable/liver.vtk");
  syn_geometry g;
  syn_error error = {0};
  ASSERT_OK(syn_geometry_read(NULL, path, NULL, &g, &error));
  assert_int_equal(g.point_count, 5008);
  assert_int_equal(g.triangle_count, 10000);
  syn_geometry_free(NULL, &g);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(polydata_of_text_is_read_with_all_its_values),
      cmocka_unit_test(a_grid_of_text_is_read_with_its_solids),
      cmocka_unit_test(version_five_tells_cells_by_offsets),
      cmocka_unit_test(binary_files_are_read),
      cmocka_unit_test(mistakes_are_named_with_their_line),
      cmocka_unit_test(hostile_numbers_of_bits_texts_and_arrays_are_refused),
      cmocka_unit_test(a_small_file_is_refused_or_read_wherever_it_is_cut),
      cmocka_unit_test(fields_without_a_place_and_null_arrays_are_passed_over),
      cmocka_unit_test(everything_survives_writing_and_reading),
      cmocka_unit_test(text_that_vtk_would_not_read_is_told),
      cmocka_unit_test(every_refused_allocation_is_survived),
      cmocka_unit_test(the_liver_is_read),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
