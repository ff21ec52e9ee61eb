#include "io_support.h"

/* ---- hand-made files -------------------------------------------------------------------------------------------- */

/* Everything at once: comments, an element to pass over, lists on vertices, all kinds of fields, a quad, a line. */
static const char rich[] = "ply\r\n"
                           "format ascii 1.0\r\n"
                           "comment SPACE=LPS\n"
                           "obj_info made by hand\n"
                           "element camera 1\n"
                           "property list uchar float view\n"
                           "property float focus\n"
                           "element vertex 4\n"
                           "property float x\n"
                           "property double y\n"
                           "property int z\n"
                           "property float nx\n"
                           "property float ny\n"
                           "property float nz\n"
                           "property uchar red\n"
                           "property uchar green\n"
                           "property uchar blue\n"
                           "property uchar alpha\n"
                           "property float quality\n"
                           "property float flow_0\n"
                           "property float flow_1\n"
                           "property list uchar int rings\n"
                           "element face 3\n"
                           "property uchar region\n"
                           "property list uchar int vertex_index\n"
                           "property list uchar float texcoord\n"
                           "end_header\n"
                           "2 1 1 35\n"
                           "0 0 0  0 0 1  255 0 0 255  0.5  1 2  0\n"
                           "1 0 0  0 0 1  0 255 0 255  0.25 3 4  2 7 8\n"
                           "1 1 0  0 1 0  0 0 255 128  -1   5 6  0\n"
                           "0 1e0 -3  1 0 0  9 8 7 6  nan   7 8  1 4\n"
                           "11 4 0 1 2 3 0\n"
                           "12 2 0 1 1 0.5\n"
                           "13 3 2 1 0 0\n";

static void every_kind_of_property_finds_its_place(void **state) {
  (void)state;
  test_memory memory = {0};
  syn_context context = test_context(&memory);
  syn_geometry g;
  syn_error error;
  ASSERT_OK(parse_text(&context, "a.ply", rich, &g, &error));
  assert_int_equal(g.point_count, 4);
  assert_int_equal(g.triangle_count, 3); /* a quad is two, a line none, a triangle one */
  assert_int_equal(g.space, SYN_SPACE_LPS);
  assert_true(g.points[3].x == 0 && g.points[3].y == 1 && g.points[3].z == -3);
  assert_int_equal(g.field_count, 5);
  const syn_field *normal = find_field(&g, "normal", SYN_ON_POINTS), *color = find_field(&g, "color", SYN_ON_POINTS);
  const syn_field *flow = find_field(&g, "flow", SYN_ON_POINTS), *region = find_field(&g, "region", SYN_ON_TRIANGLES);
  assert_int_equal(normal->components, 3);
  assert_true(normal->values[7] == 1 && normal->values[9] == 1);
  assert_int_equal(color->components, 4);
  assert_true(color->values[11] == 128);
  assert_int_equal(flow->components, 2);
  assert_true(flow->values[5] == 6);
  assert_true(find_field(&g, "quality", SYN_ON_POINTS)->values[1] == 0.25);
  assert_true(region->values[0] == 11 && region->values[1] == 11 && region->values[2] == 13);
  assert_non_null(strstr(memory.all_warnings, "a.ply: 1 items of 'camera' were left out\n"));
  assert_non_null(strstr(memory.all_warnings, "a.ply: the lists 'rings' of 'vertex' were left out\n"));
  assert_non_null(strstr(memory.all_warnings, "a.ply: the lists 'texcoord' of 'face' were left out\n"));
  assert_non_null(strstr(memory.all_warnings, "a.ply: 1 faces with fewer than three corners were left out\n"));
  assert_int_equal(memory.warnings, 4);
  syn_geometry_free(&context, &g);
  assert_int_equal(memory.live, 0);
}

/* ---- binary ----------------------------------------------------------------------------------------------------- */

typedef struct file {
  char bytes[2048];
  size_t size;
  bool big;
} file;

static void put_text(file *f, const char *text) {
  memcpy(f->bytes + f->size, text, strlen(text));
  f->size += strlen(text);
}

/* `size` bytes of the number in the file's order; written without the reader's tricks. */
static void put_bits(file *f, uint64_t bits, size_t size) {
  for (size_t i = 0; i < size; ++i) f->bytes[f->size + i] = (char)(bits >> 8 * (f->big ? size - 1 - i : i));
  f->size += size;
}

static void put_float(file *f, float value) {
  uint32_t bits;
  memcpy(&bits, &value, 4);
  put_bits(f, bits, 4);
}

static void put_double(file *f, double value) {
  uint64_t bits;
  memcpy(&bits, &value, 8);
  put_bits(f, bits, 8);
}

static file make_binary(bool big) {
  file f = {.big = big};
  put_text(&f, big ? "ply\nformat binary_big_endian 1.0\n" : "ply\nformat binary_little_endian 1.0\n");
  put_text(&f, "element vertex 3\nproperty float x\nproperty float32 y\nproperty double z\nproperty char a\n"
               "property uint8 b\nproperty short c\nproperty uint16 d\nproperty int e\nproperty uint32 f\n"
               "element face 1\nproperty list ushort uint vertex_indices\nproperty float64 g\n"
               "element edge 2\nproperty list char short rest\nend_header\n");
  for (int i = 0; i < 3; ++i) {
    put_float(&f, (float)i + 0.5f);
    put_float(&f, (float)(i == 1));
    put_double(&f, 0.1 * i);
    put_bits(&f, 0x80, 1);
    put_bits(&f, 0x81, 1);
    put_bits(&f, 0x8002, 2);
    put_bits(&f, 0x8003, 2);
    put_bits(&f, 0x80000004u, 4);
    put_bits(&f, 0x80000005u, 4);
  }
  put_bits(&f, 3, 2);
  for (uint64_t i = 0; i < 3; ++i) put_bits(&f, 2 - i, 4);
  put_double(&f, -1e300);
  put_bits(&f, 2, 1);
  put_bits(&f, 0, 4);
  put_bits(&f, 0, 1);
  return f;
}

static void both_byte_orders_and_all_types_are_read(void **state) {
  (void)state;
  for (int big = 0; big < 2; ++big) {
    const file f = make_binary(big);
    syn_geometry g;
    syn_error error;
    ASSERT_OK(parse_bytes(NULL, "memory", f.bytes, f.size, NULL, &g, &error));
    assert_int_equal(g.point_count, 3);
    assert_int_equal(g.triangle_count, 1);
    assert_true(g.points[1].x == 1.5 && g.points[1].y == 1 && g.points[1].z == 0.1);
    assert_int_equal(g.triangles[0].v[0], 2);
    static const double expected[6] = {-128, 129, -32766, 32771, -2147483644.0, 2147483653.0};
    for (int i = 0; i < 6; ++i) {
      const char name[2] = {(char)('a' + i), 0};
      assert_true(find_field(&g, name, SYN_ON_POINTS)->values[2] == expected[i]);
    }
    assert_true(find_field(&g, "g", SYN_ON_TRIANGLES)->values[0] == -1e300);
    syn_geometry_free(NULL, &g);
  }
}

static void a_cut_binary_file_names_the_byte(void **state) {
  (void)state;
  const file f = make_binary(false);
  syn_geometry g;
  syn_error error;
  ASSERT_FAILS(parse_bytes(NULL, "a.ply", f.bytes, f.size - 1, NULL, &g, &error), SYN_BAD_FORMAT,
               "the file ends inside its data");
  assert_int_equal(error.byte, f.size - 1);
  assert_int_equal(error.line, 0);
}

/* ---- errors ----------------------------------------------------------------------------------------------------- */

#define XYZ "property float x\nproperty float y\nproperty float z\n"
#define START "ply\nformat ascii 1.0\nelement vertex 3\n" XYZ
#define FACES START "element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n"

static void header_errors_name_the_line(void **state) {
  (void)state;
  check_text_fails("a.ply", "plyx\n", 1, "a PLY file begins with the line 'ply'");
  check_text_fails("a.ply", "ply\nformat utf8 1.0\n", 2, "'utf8' is not a PLY format");
  check_text_fails("a.ply", "ply\nelement vertex x\n", 2, "expected the number of items of this element, found 'x'");
  check_text_fails("a.ply", "ply\nelement\n", 2, "this element has no name");
  check_text_fails("a.ply", "ply\nproperty float x\n", 2, "this property belongs to no element");
  check_text_fails("a.ply", "ply\nelement vertex 1\nproperty real x\n", 3, "'real' is not a PLY type");
  check_text_fails("a.ply", "ply\nelement vertex 1\nproperty int\n", 3, "this property has no name");
  check_text_fails("a.ply", "ply\nelement face 1\nproperty list float int v\n", 3, "must be of an integer type");
  check_text_fails("a.ply", "ply\nfoo\n", 2, "'foo' is no line of a PLY header");
  check_text_fails("a.ply", "ply\nformat ascii 1.0\n", 3, "the file ends before the line 'end_header'");
  check_text_fails("a.ply", "ply\nend_header\n", 3, "the header has no line 'format'");
  check_text_fails("a.ply",
                   "ply\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\nend_header\n1 2 3\n",
                   7, "the header has no line 'format'");
  check_text_fails("a.ply", "ply\nformat ascii 1.0\nend_header\n", 0, "the file has no element 'vertex'");
}

static void data_errors_name_the_line(void **state) {
  (void)state;
  check_text_fails("a.ply", START "end_header\n0 0 0\n1 0 0\n0 x 0\n", 10, "expected a number, found 'x'");
  check_text_fails("a.ply", FACES "3 0 1 3\n", 13, "a face refers to vertex 3, but there are only 3");
  check_text_fails("a.ply", FACES "3 0 1 -1\n", 13, "a face refers to vertex -1, but there are only 3");
  check_text_fails("a.ply", FACES "3 0 1 0.5\n", 13, "a face refers to vertex 0.5");
  check_text_fails("a.ply", FACES "3 0 1\n", 14, "the file ends where a number was expected");
  check_text_fails("a.ply", FACES "-3 0 1 2\n", 13, "a list of -3 items cannot be in the 7 bytes that follow");
  check_text_fails("a.ply", FACES "4000000000 0 1 2\n", 13, "a list of 4000000000 items");
  check_text_fails("a.ply", FACES "nan 0 1 2\n", 13, "a list of nan items");
  check_text_fails("a.ply",
                   "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nend_header\n0 0\n", 0,
                   "the vertices have no scalar property 'z'");
  check_text_fails("a.ply",
                   "ply\nformat ascii 1.0\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n0\n", 0,
                   "the faces stand before the vertices");
  check_text_fails("a.ply", START "element face 1\nproperty int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n1\n",
                   0, "the faces have no list 'vertex_indices'");
}

static void hostile_counts_allocate_nothing(void **state) {
  (void)state;
  static const char *const counts[] = {"18446744073709551615", "4294967295", "1000000"};
  for (size_t i = 0; i < 3; ++i)
    for (int binary = 0; binary < 2; ++binary) {
      char text[512];
      test_memory memory = {0};
      syn_context context = test_context(&memory);
      syn_geometry g;
      syn_error error;
      snprintf(text, sizeof text, "ply\nformat %s 1.0\nelement vertex %s\n" XYZ "end_header\n0 0 0\n",
               binary ? "binary_big_endian" : "ascii", counts[i]);
      ASSERT_FAILS(parse_text(&context, "a.ply", text, &g, &error), SYN_BAD_FORMAT, "but the file can hold at most");
      assert_true(memory.peak_bytes < 4096);
    }
}

/* They take no bytes, so the file is long enough for any number of them. */
static void vertices_without_properties_allocate_nothing(void **state) {
  (void)state;
  test_memory memory = {0};
  syn_context context = test_context(&memory);
  syn_geometry g;
  syn_error error;
  ASSERT_FAILS(
      parse_text(&context, "a.ply", "ply\nformat ascii 1.0\nelement vertex 100000000\nend_header\n", &g, &error),
      SYN_BAD_FORMAT, "the vertices have no scalar property 'x'");
  assert_true(memory.peak_bytes < 4096);
}

static void an_element_without_properties_takes_no_time(void **state) {
  (void)state;
  syn_geometry g;
  syn_error error;
  ASSERT_OK(parse_text(NULL, "a.ply", START "element ghost 18446744073709551615\nend_header\n0 0 0\n1 0 0\n0 1 0", &g,
                       &error));
  assert_int_equal(g.point_count, 3);
  syn_geometry_free(NULL, &g);
}

/* A short file with many properties and one long polygon must not ask for their product. */
static void face_fields_cannot_blow_up(void **state) {
  (void)state;
  enum { PROPERTIES = 1000, CORNERS = 4000 };
  char *text = malloc(200000);
  size_t used = (size_t)sprintf(text, "%s", START "element face 1\nproperty list int int vertex_indices\n");
  for (int i = 0; i < PROPERTIES; ++i) used += (size_t)sprintf(text + used, "property uchar p%d\n", i);
  used += (size_t)sprintf(text + used, "end_header\n0 0 0\n1 0 0\n0 1 0\n%d", CORNERS);
  for (int i = 0; i < CORNERS; ++i) used += (size_t)sprintf(text + used, " %d", i % 3);
  for (int i = 0; i < PROPERTIES; ++i) used += (size_t)sprintf(text + used, " 1");
  syn_geometry g;
  syn_error error;
  ASSERT_FAILS(parse_text(NULL, "a.ply", text, &g, &error), SYN_TOO_LARGE, "would far exceed the file");
  free(text);
}

/* ---- writing ---------------------------------------------------------------------------------------------------- */

static void fields_survive_every_form_of_writing(void **state) {
  (void)state;
  const syn_vec3 points[3] = {{0.1, 0, 0}, {1, 1.0 / 3, 0}, {0, 1, 1e-300}};
  const syn_triangle triangle = {{0, 1, 2}};
  const double normal[9] = {0, 0, 1, 0, 1, 0, 1, 0, 0}, color[9] = {255, 0, 1, 2, 3, 4, 5, 6, 7};
  const double bright[12] = {0.5, 0, 1, 1, 0, 0, 0, 1, 1, 1, 1, 0}, odd[3] = {1, 2, 3}, stress[2] = {0.1, -7};
  const syn_field fields[] = {{"normal", SYN_ON_POINTS, 3, normal},    {"color", SYN_ON_POINTS, 3, color},
                              {"depth of it", SYN_ON_POINTS, 1, odd},  {"x", SYN_ON_POINTS, 1, odd},
                              {"stress", SYN_ON_TRIANGLES, 2, stress}, {"color", SYN_ON_TRIANGLES, 4, bright},
                              {"lost", SYN_ON_TETS, 1, NULL}};
  const syn_geometry g = {.point_count = 3,
                          .triangle_count = 1,
                          .field_count = 7,
                          .points = points,
                          .triangles = &triangle,
                          .fields = fields,
                          .space = SYN_SPACE_RAS};
  for (int form = 0; form < 4; ++form) {
    test_memory memory = {0};
    syn_context context = test_context(&memory);
    syn_write_options options = syn_default_write_options();
    options.binary = form % 2;
    options.single = form / 2;
    syn_read_options as_is = syn_default_read_options();
    as_is.space = SYN_SPACE_UNKNOWN;
    syn_geometry back;
    syn_error error;
    const char *path = temporary_path("fields.ply");
    ASSERT_OK(syn_geometry_write(&context, &g, path, &options, &error));
    ASSERT_OK(syn_geometry_read(&context, path, &as_is, &back, &error));
    assert_int_equal(back.space, SYN_SPACE_RAS);
    assert_int_equal(back.field_count, 6);
    for (int i = 0; i < 3; ++i) {
      assert_true(back.points[i].x == (options.single ? (double)(float)points[i].x : points[i].x));
      assert_true(back.points[i].y == (options.single ? (double)(float)points[i].y : points[i].y));
    }
    static const char *const names[6] = {"normal", "color", "depth_of_it", "field_x", "stress", "color"};
    static const size_t counts[6] = {9, 9, 3, 3, 2, 4};
    for (size_t f = 0; f < 6; ++f) {
      assert_string_equal(back.fields[f].name, names[f]);
      assert_int_equal(back.fields[f].on, fields[f].on);
      assert_memory_equal(back.fields[f].values, fields[f].values, counts[f] * sizeof(double));
    }
    assert_int_equal(memory.warnings, 3);
    assert_non_null(strstr(memory.all_warnings, "cannot name a property 'x': it was written as 'field_x'"));
    assert_non_null(strstr(memory.all_warnings, "the field 'lost' on them was left out"));
    syn_geometry_free(&context, &back);
    assert_int_equal(memory.live, 0);
  }
}

static void an_empty_mesh_is_written_and_read(void **state) {
  (void)state;
  const syn_geometry g = {0};
  syn_geometry back;
  write_and_read(NULL, &g, "empty.ply", NULL, &back);
  assert_int_equal(back.point_count, 0);
  assert_int_equal(back.triangle_count, 0);
  syn_geometry_free(NULL, &back);
}

static void damaged_files_are_survived(void **state) {
  (void)state;
  check_damage("a.ply", rich, sizeof rich - 1);
  const file f = make_binary(true);
  check_damage("a.ply", f.bytes, f.size);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_kind_of_property_finds_its_place),
      cmocka_unit_test(both_byte_orders_and_all_types_are_read),
      cmocka_unit_test(a_cut_binary_file_names_the_byte),
      cmocka_unit_test(header_errors_name_the_line),
      cmocka_unit_test(data_errors_name_the_line),
      cmocka_unit_test(hostile_counts_allocate_nothing),
      cmocka_unit_test(vertices_without_properties_allocate_nothing),
      cmocka_unit_test(an_element_without_properties_takes_no_time),
      cmocka_unit_test(face_fields_cannot_blow_up),
      cmocka_unit_test(fields_survive_every_form_of_writing),
      cmocka_unit_test(an_empty_mesh_is_written_and_read),
      cmocka_unit_test(damaged_files_are_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
