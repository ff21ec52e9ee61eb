/* Whatever is written in one format and then in another must come back. Goes over the list of formats, so that a new
 * one is tested by being in it. */
#include "io_meshes.h"

/* How a format is written. */
typedef enum write_form { AS_DEFAULT, AS_TEXT, UNCOMPRESSED, FORMS } write_form;

static syn_write_options write_options(const syn_format_info *info, write_form form) {
  syn_write_options options = syn_default_write_options();
  options.format = info->name;
  options.binary = form != AS_TEXT;
  options.compress = form == AS_DEFAULT;
  return options;
}

static syn_geometry pass_through(const syn_format_info *info, write_form form, const syn_geometry *mesh) {
  const syn_write_options options = write_options(info, form);
  const char *path = path_for(info, "mesh");
  syn_geometry back;
  syn_error error;
  ASSERT_OK(syn_geometry_write(NULL, mesh, path, &options, &error));
  ASSERT_OK(syn_geometry_read(NULL, path, NULL, &back, &error));
  return back;
}

static void check_values(const double *a, const double *b, size_t count, bool bitwise, const char *what,
                         const char *route) {
  for (size_t i = 0; i < count; ++i)
    if (bitwise ? memcmp(&a[i], &b[i], sizeof *a) != 0 : (float)a[i] != (float)b[i])
      fail_msg("%s: value %zu of %s is %.17g, not %.17g", route, i, what, b[i], a[i]);
}

static size_t items_of(const syn_geometry *mesh, syn_field_on on) {
  return on == SYN_ON_POINTS ? mesh->point_count : on == SYN_ON_TRIANGLES ? mesh->triangle_count : mesh->tet_count;
}

/* Further fields (tags that a format adds) are fine. */
static void check_fields(const syn_geometry *mesh, const syn_geometry *back, bool bitwise, const char *route) {
  for (size_t f = 0; f < mesh->field_count; ++f) {
    const syn_field *wanted = &mesh->fields[f], *found = NULL;
    for (size_t k = 0; k < back->field_count; ++k)
      if (strcmp(back->fields[k].name, wanted->name) == 0 && back->fields[k].on == wanted->on) found = &back->fields[k];
    if (!found) fail_msg("%s: the field '%s' is gone", route, wanted->name);
    assert_int_equal(found->components, wanted->components);
    check_values(wanted->values, found->values, wanted->components * items_of(mesh, wanted->on), bitwise, wanted->name,
                 route);
  }
}

static void check_same(const syn_geometry *mesh, const syn_geometry *back, bool bitwise, bool fields,
                       const char *route) {
  if (back->point_count != mesh->point_count || back->triangle_count != mesh->triangle_count ||
      back->tet_count != mesh->tet_count)
    fail_msg("%s: %zu points, %zu triangles, %zu tets became %zu, %zu, %zu", route, mesh->point_count,
             mesh->triangle_count, mesh->tet_count, back->point_count, back->triangle_count, back->tet_count);
  check_values((const double *)mesh->points, (const double *)back->points, 3 * mesh->point_count, bitwise,
               "the coordinates", route);
  if (mesh->triangle_count &&
      memcmp(mesh->triangles, back->triangles, mesh->triangle_count * sizeof *mesh->triangles) != 0)
    fail_msg("%s: the triangles changed", route);
  if (mesh->tet_count && memcmp(mesh->tets, back->tets, mesh->tet_count * sizeof *mesh->tets) != 0)
    fail_msg("%s: the tetrahedra changed", route);
  if (fields) check_fields(mesh, back, bitwise, route);
}

static void check_route(const syn_format_info *a, write_form form, const syn_format_info *b, mesh_kind kind,
                        test_random *random) {
  char route[128];
  snprintf(route, sizeof route, "%s (form %d) then %s, mesh %d", a->name, (int)form, b->name, (int)kind);
  syn_geometry mesh = make_mesh(random, kind, 1 + random_below(random, 60));
  syn_geometry first = pass_through(a, form, &mesh), second = pass_through(b, AS_DEFAULT, &first);
  check_same(&mesh, &first, a->doubles, a->holds_fields, route);
  check_same(&mesh, &second, a->doubles && b->doubles, a->holds_fields && b->holds_fields, route);
  syn_geometry_free(NULL, &first);
  syn_geometry_free(NULL, &second);
  free_mesh(&mesh);
}

static void every_pair_of_formats_keeps_the_mesh(void **state) {
  (void)state;
  test_random random = {11};
  size_t routes = 0;
  for (size_t i = 0; i < syn_format_count(); ++i)
    for (size_t k = 0; k < syn_format_count(); ++k)
      for (mesh_kind kind = 0; kind < MESH_KINDS; ++kind) {
        const syn_format_info a = syn_format_at(i), b = syn_format_at(k);
        if (!format_takes(&a, kind) || !format_takes(&b, kind)) continue;
        for (int round = 0; round < 3; ++round) check_route(&a, AS_DEFAULT, &b, kind, &random);
        ++routes;
      }
  assert_true(routes >= 16);
}

static void every_form_of_a_format_keeps_the_mesh(void **state) {
  (void)state;
  test_random random = {12};
  for (size_t i = 0; i < syn_format_count(); ++i)
    for (mesh_kind kind = 0; kind < MESH_KINDS; ++kind)
      for (write_form form = 0; form < FORMS; ++form) {
        const syn_format_info info = syn_format_at(i);
        if (format_takes(&info, kind))
          for (int round = 0; round < repeats(10, 1); ++round) check_route(&info, form, &info, kind, &random);
      }
}

static void a_mesh_of_nothing_is_kept(void **state) {
  (void)state;
  const syn_geometry nothing = {0};
  for (size_t i = 0; i < syn_format_count(); ++i) {
    const syn_format_info info = syn_format_at(i);
    if (!format_takes(&info, ONLY_TRIANGLES)) continue;
    if (strcmp(info.name, "inp") == 0)
      continue; /* one without nodes could not be distinguished from a truncated file */
    syn_geometry back = pass_through(&info, AS_DEFAULT, &nothing);
    assert_int_equal(back.point_count, 0);
    assert_int_equal(back.triangle_count, 0);
    syn_geometry_free(NULL, &back);
  }
}

static void an_index_out_of_range_is_not_written(void **state) {
  (void)state;
  const syn_vec3 points[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  const syn_triangle triangle = {{0, 1, 3}};
  const syn_tet tet = {{0, 1, 2, 7}};
  syn_error error;
  syn_geometry g = {.point_count = 3, .points = points, .triangle_count = 1, .triangles = &triangle};
  ASSERT_FAILS(syn_geometry_write(NULL, &g, temporary_path("a.stl"), NULL, &error), SYN_BAD_MESH,
               "triangle 0 refers to vertex 3, but there are only 3");
  g = (syn_geometry){.point_count = 3, .points = points, .tet_count = 1, .tets = &tet};
  ASSERT_FAILS(syn_geometry_write(NULL, &g, temporary_path("a.stl"), NULL, &error), SYN_BAD_MESH,
               "tetrahedron 0 refers to vertex 7");
}

static void a_format_that_is_not_known_is_named(void **state) {
  (void)state;
  const syn_geometry nothing = {0};
  syn_error error;
  syn_write_options options = syn_default_write_options();
  ASSERT_FAILS(syn_geometry_write(NULL, &nothing, temporary_path("a.xyz"), &options, &error), SYN_BAD_ARGUMENT,
               "the name's ending is not of a mesh format that can be written");
  options.format = "xyz";
  ASSERT_FAILS(syn_geometry_write(NULL, &nothing, temporary_path("a.stl"), &options, &error), SYN_BAD_ARGUMENT,
               "'xyz' is not a format that can be written");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_pair_of_formats_keeps_the_mesh),
      cmocka_unit_test(every_form_of_a_format_keeps_the_mesh),
      cmocka_unit_test(a_mesh_of_nothing_is_kept),
      cmocka_unit_test(a_format_that_is_not_known_is_named),
      cmocka_unit_test(an_index_out_of_range_is_not_written),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
