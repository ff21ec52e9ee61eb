/* Triangle soups in every format give the surface that an STL gives; vertices that are apart on purpose stay apart. */
#include "io_meshes.h"
#include "shape/shape_maker.h"

/* A body of the library, its coordinates rounded to what an STL holds. */
static syn_trimesh *make_body(const char *shape) {
  syn_error error;
  syn_joint *joint;
  syn_trimesh *mesh;
  ASSERT_OK(syn_shape_create(NULL, shape, NULL, 0, &joint, &error));
  syn_geometry copy = syn_trimesh_geometry(joint->bodies[0].surface);
  syn_vec3 *points = malloc(copy.point_count * sizeof *points);
  for (size_t i = 0; i < copy.point_count; ++i)
    points[i] =
        (syn_vec3){(double)(float)copy.points[i].x, (double)(float)copy.points[i].y, (double)(float)copy.points[i].z};
  copy.points = points;
  ASSERT_OK(syn_trimesh_from_geometry(NULL, &copy, &mesh, &error));
  free(points);
  syn_joint_destroy(joint);
  return mesh;
}

enum { NO_FIELDS, SAME_VALUES, OTHER_VALUES, FIELD_KINDS };

/* Each face on vertices of its own: triangles, or two at a time where the second shares an edge with the first. */
static syn_geometry soup_of(const syn_trimesh *mesh, int fields) {
  const size_t corners = 3 * (size_t)mesh->triangle_count;
  syn_vec3 *points = malloc(corners * sizeof *points);
  syn_triangle *triangles = malloc(mesh->triangle_count * sizeof *triangles);
  double *values = malloc(corners * sizeof *values);
  syn_field *field = calloc(1, sizeof *field);
  for (size_t i = 0; i < corners; ++i) {
    const uint32_t vertex = mesh->triangles[i / 3].v[i % 3];
    points[i] = mesh->vertices[vertex];
    triangles[i / 3].v[i % 3] = (uint32_t)i;
    values[i] = fields == SAME_VALUES ? 0.5 * vertex : (double)i;
  }
  *field = (syn_field){.name = "depth", .on = SYN_ON_POINTS, .components = 1, .values = values};
  return (syn_geometry){.point_count = corners,
                        .triangle_count = mesh->triangle_count,
                        .points = points,
                        .triangles = triangles,
                        .fields = field,
                        .field_count = fields != NO_FIELDS};
}

static void free_soup(syn_geometry *soup) {
  free((void *)(uintptr_t)soup->points);
  free((void *)(uintptr_t)soup->triangles);
  free((void *)(uintptr_t)soup->fields->values);
  free((void *)(uintptr_t)soup->fields);
}

static syn_trimesh *read_surface(const syn_context *context, const char *path, const syn_read_options *options) {
  syn_error error;
  syn_trimesh *mesh;
  ASSERT_OK(syn_trimesh_read_surface(context, path, options, &mesh, &error));
  return mesh;
}

static void check_same_mesh(const syn_trimesh *a, const syn_trimesh *b) {
  assert_int_equal(a->vertex_count, b->vertex_count);
  assert_int_equal(a->triangle_count, b->triangle_count);
  assert_memory_equal(a->vertices, b->vertices, a->vertex_count * sizeof *a->vertices);
  assert_memory_equal(a->triangles, b->triangles, a->triangle_count * sizeof *a->triangles);
}

/* What a command that keeps fields gets: joined where no value is lost. */
static void check_geometry(const char *path, const syn_geometry *soup, const syn_trimesh *expected, bool lost) {
  syn_geometry g;
  syn_error error;
  test_memory memory = {0};
  const syn_context context = test_context(&memory);
  ASSERT_OK(syn_geometry_read(&context, path, NULL, &g, &error));
  assert_int_equal(g.point_count, lost ? soup->point_count : expected->vertex_count);
  assert_non_null(strstr(memory.all_warnings, lost ? "the values of 'depth' differ" : "no two faces share a vertex"));
  const syn_field *field = soup->field_count ? find_field(&g, "depth", SYN_ON_POINTS) : NULL;
  for (size_t i = 0; field && i < soup->point_count; ++i)
    ASSERT_NEAR(field->values[g.triangles[i / 3].v[i % 3]], soup->fields[0].values[i], 0);
  syn_geometry_free(&context, &g);
  assert_int_equal(memory.live, 0);
}

static void soups_of_every_format_are_what_an_stl_is(void **state) {
  (void)state;
  static const char *const shapes[] = {"sphere", "torus", "box"};
  syn_error error;
  size_t tried = 0;
  for (size_t s = 0; s < sizeof shapes / sizeof *shapes; ++s) {
    if (!syn_shape_named(shapes[s])) continue;
    syn_trimesh *body = make_body(shapes[s]);
    for (size_t f = 0; f < syn_format_count(); ++f) {
      const syn_format_info info = syn_format_at(f);
      if (!format_takes(&info, ONLY_TRIANGLES)) continue;
      for (int fields = 0; fields < (info.holds_fields ? FIELD_KINDS : 1); ++fields)
        for (int binary = 0; binary < 2; ++binary) {
          test_memory memory = {0};
          const syn_context context = test_context(&memory);
          syn_geometry soup = soup_of(body, fields);
          syn_write_options options = syn_default_write_options();
          options.binary = binary;
          const char *path = path_for(&info, "soup"), *stl = temporary_path("soup_twin.stl");
          ASSERT_OK(syn_geometry_write(NULL, &soup, path, &options, &error));
          ASSERT_OK(syn_geometry_write(NULL, &soup, stl, NULL, &error));
          syn_trimesh *read = read_surface(&context, path, NULL), *expected = read_surface(NULL, stl, NULL);
          assert_int_equal(expected->vertex_count, body->vertex_count);
          check_same_mesh(read, expected);
          if (strcmp(info.name, "stl") != 0) {
            assert_non_null(strstr(memory.all_warnings, "no two faces share a vertex"));
            check_geometry(path, &soup, expected, fields == OTHER_VALUES);
            ++tried;
          }
          syn_trimesh_destroy(read);
          syn_trimesh_destroy(expected);
          assert_int_equal(memory.live, 0);
          free_soup(&soup);
        }
    }
    syn_trimesh_destroy(body);
  }
  assert_true(tried > 40);
}

static void corners_stay_apart_where_that_is_asked_for(void **state) {
  (void)state;
  syn_error error;
  test_memory memory = {0};
  const syn_context context = test_context(&memory);
  syn_trimesh *body = make_body("sphere");
  syn_geometry soup = soup_of(body, NO_FIELDS);
  const char *path = temporary_path("apart.ply");
  syn_read_options options = syn_default_read_options();
  options.weld = false;
  ASSERT_OK(syn_geometry_write(NULL, &soup, path, NULL, &error));
  syn_trimesh *mesh = read_surface(&context, path, &options);
  assert_int_equal(mesh->vertex_count, soup.point_count);
  assert_int_equal(memory.warnings, 0);
  syn_trimesh_destroy(mesh);
  syn_trimesh_destroy(body);
  free_soup(&soup);
}

/* Quadrilaterals on corners of their own, as modelling programs write bodies with hard edges. */
static void soups_of_quadrilaterals_are_joined_too(void **state) {
  (void)state;
  test_memory memory = {0};
  const syn_context context = test_context(&memory);
  const syn_geometry g = parsed_text(&context, "strip.obj",
                                     "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 1 0 0\nv 2 0 0\nv 2 1 0\nv 1 1 0\n"
                                     "f 1 2 3 4\nf 5 6 7 8\n");
  assert_int_equal(g.point_count, 6);
  assert_non_null(strstr(memory.all_warnings, "2 corners at the very position"));
  syn_geometry copy = g;
  syn_geometry_free(&context, &copy);
  assert_int_equal(memory.live, 0);
}

/* Each of these has vertices at one position that must stay apart. */
static void what_is_apart_on_purpose_stays_apart(void **state) {
  (void)state;
  static const struct {
    const char *name, *text;
    size_t points;
  } cases[] = {{"cut_sheet.off",
                "OFF\n8 5 0\n0 0 0\n1 0 0\n2 0 0\n0 1 0\n1 1 0\n2 1 0\n1 0 0\n1 1 0\n"
                "3 0 1 4\n3 0 4 3\n3 6 2 5\n3 6 5 7\n3 0 1 3\n",
                8},
               {"two_tets.off",
                "OFF\n8 8 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n1 0 0\n2 0 0\n1 1 0\n1 0 1\n"
                "3 0 2 1\n3 0 1 3\n3 1 2 3\n3 0 3 2\n3 4 6 5\n3 4 5 7\n3 5 6 7\n3 4 7 6\n",
                8},
               {"fan_and_twin.off",
                "OFF\n8 4 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n-1 1 0\n0 0 0\n1 0 0\n0 -1 0\n"
                "3 0 1 2\n3 0 2 3\n3 0 3 4\n3 5 6 7\n",
                8},
               {"loose.off", "OFF\n6 2 0\n0 0 0\n1 0 0\n0 1 0\n5 0 0\n6 0 0\n5 1 0\n3 0 1 2\n3 3 4 5\n", 6}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    test_memory memory = {0};
    const syn_context context = test_context(&memory);
    syn_geometry g = parsed_text(&context, cases[i].name, cases[i].text);
    assert_int_equal(g.point_count, cases[i].points);
    assert_int_equal(memory.warnings, 0);
    syn_geometry_free(&context, &g);
  }
}

static void refused_memory_leaves_nothing_behind(void **state) {
  (void)state;
  named_text soup = {"soup.off", "OFF\n6 2 0\n0 0 0\n1 0 0\n0 1 0\n1 0 0\n0 1 0\n1 1 0\n3 0 1 2\n3 3 5 4\n"};
  check_every_allocation(parse_attempt, &soup);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(soups_of_every_format_are_what_an_stl_is),
      cmocka_unit_test(corners_stay_apart_where_that_is_asked_for),
      cmocka_unit_test(soups_of_quadrilaterals_are_joined_too),
      cmocka_unit_test(what_is_apart_on_purpose_stays_apart),
      cmocka_unit_test(refused_memory_leaves_nothing_behind),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
