/* What the page carries is what was given, to the error that it states. */
#include "geometry/closest.h"
#include "page_reader.h"
#include "report/display.h"

static char *write_page(const syn_report *report, size_t display_triangles) {
  syn_error error;
  syn_report_options options = syn_default_report_options();
  if (display_triangles) options.display_triangles = display_triangles;
  const char *path = temporary_path("page.html");
  ASSERT_OK(syn_report_write(NULL, report, &options, path, &error));
  size_t size;
  return read_whole_file(path, &size);
}

static syn_report report_of(const syn_report_body *body) {
  return (syn_report){.kind = "demo", .title = "Pack", .bodies = body, .body_count = 1};
}

static double distance_from(const syn_trimesh *mesh, syn_vec3 point) {
  double least = INFINITY;
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    syn_vec3 v[3];
    for (int c = 0; c < 3; ++c) v[c] = mesh->vertices[mesh->triangles[t].v[c]];
    least = fmin(least, vec3_distance(point, closest_on_triangle(point, v)));
  }
  return least;
}

/* The nearest vertex, brute force. */
static uint32_t nearest_vertex(const syn_trimesh *mesh, syn_vec3 point) {
  uint32_t best = 0;
  for (uint32_t i = 1; i < mesh->vertex_count; ++i)
    if (vec3_distance(mesh->vertices[i], point) < vec3_distance(mesh->vertices[best], point)) best = i;
  return best;
}

static int compare_triples(const void *a, const void *b) { return memcmp(a, b, 3 * sizeof(uint32_t)); }

/* Same triangles in any order, each from its lowest corner on. */
static void sort_triangles(uint32_t (*triangles)[3], size_t count) {
  for (size_t t = 0; t < count; ++t)
    while (triangles[t][0] > triangles[t][1] || triangles[t][0] > triangles[t][2]) {
      const uint32_t first = triangles[t][0];
      triangles[t][0] = triangles[t][1];
      triangles[t][1] = triangles[t][2];
      triangles[t][2] = first;
    }
  qsort(triangles, count, sizeof *triangles, compare_triples);
}

static void check_same_surface(const syn_trimesh *mesh, const shown_mesh *shown, double error_mm) {
  assert_int_equal(shown->triangle_count, mesh->triangle_count);
  uint32_t(*expected)[3] = malloc((mesh->triangle_count + 1) * sizeof *expected);
  uint32_t(*found)[3] = malloc((mesh->triangle_count + 1) * sizeof *found);
  uint32_t *source = malloc((shown->vertex_count + 1) * sizeof *source);
  for (size_t i = 0; i < shown->vertex_count; ++i) {
    source[i] = nearest_vertex(mesh, shown->vertices[i]);
    assert_true(vec3_distance(mesh->vertices[source[i]], shown->vertices[i]) <= error_mm * (1 + 1e-9));
  }
  for (uint32_t t = 0; t < mesh->triangle_count; ++t)
    for (int c = 0; c < 3; ++c) {
      expected[t][c] = mesh->triangles[t].v[c];
      found[t][c] = source[shown->indices[3 * t + (unsigned)c]];
    }
  sort_triangles(expected, mesh->triangle_count);
  sort_triangles(found, mesh->triangle_count);
  assert_memory_equal(expected, found, mesh->triangle_count * sizeof *expected);
  free(expected);
  free(found);
  free(source);
}

static void random_blobs_come_back_as_they_were(void **state) {
  (void)state;
  test_random random = {11};
  for (int round = 0; round < 12; ++round) {
    syn_trimesh *mesh = make_blob(NULL, &random, 3 + random_below(&random, 12), 3 + random_below(&random, 20), 0.3);
    double *values = malloc(mesh->vertex_count * sizeof *values);
    for (uint32_t i = 0; i < mesh->vertex_count; ++i)
      values[i] = random_below(&random, 5) ? random_between(&random, -7, 20) : (double)NAN;
    const syn_report_field field = {"f", "F", "mm", values, 1, NULL, 0, 0};
    const syn_report_body body = {.body = {.name = "blob", .surface = mesh}, .fields = &field, .field_count = 1};
    const syn_report report = report_of(&body);
    char *page = write_page(&report, 0);
    json_t *model = page_model(page), *item = json_array_get(json_object_get(model, "bodies"), 0);
    shown_mesh shown = decode_mesh(page, item);
    const double stated = json_real_value(json_object_get(item, "display_error_mm"));
    assert_true(stated > 0 && stated < 1e-4); /* of a sphere of radius 1 */
    check_same_surface(mesh, &shown, stated);
    double *back = decode_field(page, json_array_get(json_object_get(item, "fields"), 0), shown.vertex_count);
    for (size_t i = 0; i < shown.vertex_count; ++i) {
      const double was = values[nearest_vertex(mesh, shown.vertices[i])];
      if (isnan(was))
        assert_true(isnan(back[i]));
      else
        ASSERT_NEAR(back[i], was, 27.0 / 65534);
    }
    free(back);
    release_mesh(&shown);
    json_decref(model);
    free(page);
    free(values);
    syn_trimesh_destroy(mesh);
  }
}

/* A body that deforms, with a force that is unknown at some vertices: places and arrows come back, every step of them,
 * also where the body goes farther than it is long. */
static void vectors_in_time_come_back(void **state) {
  (void)state;
  enum { STEPS = 4 };
  const double lengths[] = {1e-3, 0.3, 40};
  const double along[STEPS] = {0, 1, 2, 3};
  syn_pose poses[STEPS];
  for (int i = 0; i < STEPS; ++i) poses[i] = syn_pose_identity();
  const syn_report_motion motion = {.name = "m", .poses = poses, .pose_count = STEPS, .along = along};
  test_random random = {23};
  for (size_t k = 0; k < sizeof lengths / sizeof *lengths; ++k) {
    syn_trimesh *mesh = make_blob(NULL, &random, 12, 20, 0.3);
    const size_t count = mesh->vertex_count;
    syn_vec3 *moved = malloc(STEPS * count * sizeof *moved), *force = malloc(STEPS * count * sizeof *force);
    for (size_t i = 0; i < STEPS * count; ++i) {
      for (int axis = 0; axis < 3; ++axis)
        (&moved[i].x)[axis] = lengths[k] * (double)(i / count) * random_between(&random, -1, 1);
      force[i] = random_below(&random, 4) ? vec3(random_between(&random, -5, 5), 1, -2) : vec3(NAN, 0, 0);
    }
    const syn_report_vectors vectors[] = {{"displacement", "Displacement", "mm", moved, STEPS, "m", true},
                                          {"force", "Force", "N", force, STEPS, "m", false}};
    const syn_report_body body = {.body = {.name = "blob", .surface = mesh}, .vectors = vectors, .vector_count = 2};
    syn_report report = report_of(&body);
    report.motions = &motion;
    report.motion_count = 1;
    char *page = write_page(&report, 0);
    json_t *model = page_model(page), *item = json_array_get(json_object_get(model, "bodies"), 0);
    shown_mesh shown = decode_mesh(page, item);
    for (size_t which = 0; which < 2; ++which) {
      const json_t *packed = json_array_get(json_object_get(item, "vectors"), which);
      const double step = json_number_value(json_object_get(packed, "step"));
      double longest = 0;
      syn_vec3 *back = decode_vectors(page, packed, shown.vertex_count);
      assert_true(which == 1 || step < fmax(1.2e-4, 1.1 * 3 * lengths[k] / 32767)); /* of a body with a radius of 1 */
      for (size_t i = 0; i < STEPS * shown.vertex_count; ++i) {
        const size_t v = nearest_vertex(mesh, shown.vertices[i % shown.vertex_count]);
        const syn_vec3 was = vectors[which].values[i / shown.vertex_count * count + v];
        if (isnan(was.x)) {
          assert_true(isnan(back[i].x) && isnan(back[i].y) && isnan(back[i].z));
          continue;
        }
        longest = fmax(longest, vec3_length(was));
        for (int axis = 0; axis < 3; ++axis) ASSERT_NEAR(vec3_at(back[i], axis), vec3_at(was, axis), 0.51 * step);
      }
      ASSERT_NEAR(json_number_value(json_object_get(packed, "longest")), longest, 1e-12 * longest);
      assert_int_equal(json_is_true(json_object_get(packed, "displaces")), which == 0);
      free(back);
    }
    release_mesh(&shown);
    json_decref(model);
    free(page);
    free(moved);
    free(force);
    syn_trimesh_destroy(mesh);
  }
}

/* A place that is not known cannot be drawn; steps that the motion lacks cannot be played. */
static void bodies_that_deform_into_nothing_are_refused(void **state) {
  (void)state;
  syn_trimesh *cube = make_cube(NULL, 1);
  syn_vec3 moved[8] = {{0}};
  moved[5].y = NAN;
  syn_report_vectors vectors = {"displacement", "Displacement", "mm", moved, 1, NULL, true};
  const syn_report_body body = {.body = {.name = "cube", .surface = cube}, .vectors = &vectors, .vector_count = 1};
  const syn_report report = report_of(&body);
  syn_error error;
  const char *path = temporary_path("refused.html");
  ASSERT_FAILS(syn_report_write(NULL, &report, NULL, path, &error), SYN_BAD_ARGUMENT, "vertex 5 of cube");
  moved[5].y = 0;
  vectors.steps = 2;
  vectors.motion = "none";
  ASSERT_FAILS(syn_report_write(NULL, &report, NULL, path, &error), SYN_BAD_ARGUMENT, "that the report lacks");
  syn_trimesh_destroy(cube);
}

/* Decimated for display: the two surfaces are as near as the page says, and values are those of the vertices shown. */
static void a_decimated_body_states_its_error(void **state) {
  (void)state;
  test_random random = {5};
  syn_trimesh *mesh = make_blob(NULL, &random, 24, 40, 0.02);
  double *values = malloc(2 * (size_t)mesh->vertex_count * sizeof *values);
  for (uint32_t i = 0; i < 2 * mesh->vertex_count; ++i) values[i] = i;
  const double along[] = {0, 1};
  const syn_pose poses[] = {syn_pose_identity(), syn_pose_identity()};
  const syn_report_motion motion = {.name = "m", .poses = poses, .pose_count = 2, .along = along};
  const syn_report_field field = {"f", "F", "mm", values, 2, "m", 0, 0};
  const syn_report_body body = {.body = {.name = "blob", .surface = mesh}, .fields = &field, .field_count = 1};
  syn_report report = report_of(&body);
  report.motions = &motion;
  report.motion_count = 1;
  char *page = write_page(&report, 400);
  json_t *model = page_model(page), *item = json_array_get(json_object_get(model, "bodies"), 0);
  shown_mesh shown = decode_mesh(page, item);
  const double stated = json_real_value(json_object_get(item, "display_error_mm"));
  assert_true(shown.triangle_count <= 400);
  assert_int_equal(json_integer_value(json_object_get(json_object_get(item, "analysed"), "triangles")),
                   mesh->triangle_count);
  assert_non_null(strstr(page, "analysed with"));
  double *back = decode_field(page, json_array_get(json_object_get(item, "fields"), 0), shown.vertex_count);
  for (size_t i = 0; i < shown.vertex_count; ++i) {
    const uint32_t source = nearest_vertex(mesh, shown.vertices[i]);
    ASSERT_NEAR(back[i], values[source], 2.0 * mesh->vertex_count / 65534);
    ASSERT_NEAR(back[shown.vertex_count + i], values[mesh->vertex_count + source], 2.0 * mesh->vertex_count / 65534);
  }
  /* both ways, at places that the library did not look at: random points of the triangles */
  syn_triangle *triangles = malloc(shown.triangle_count * sizeof *triangles);
  for (size_t i = 0; i < 3 * shown.triangle_count; ++i) triangles[i / 3].v[i % 3] = shown.indices[i];
  syn_trimesh *coarse;
  syn_error error;
  ASSERT_OK(
      syn_trimesh_create(NULL, shown.vertices, shown.vertex_count, triangles, shown.triangle_count, &coarse, &error));
  double farthest = 0;
  for (uint32_t i = 0; i < mesh->vertex_count; ++i) farthest = fmax(farthest, distance_from(coarse, mesh->vertices[i]));
  assert_true(farthest <= stated);
  assert_true(farthest > stated / 20); /* not a number that is right because it is huge */
  syn_trimesh_destroy(coarse);
  free(triangles);
  free(back);
  release_mesh(&shown);
  json_decref(model);
  free(page);
  free(values);
  syn_trimesh_destroy(mesh);
}

/* One triangle, a point, nothing, a degenerate one, and coordinates at the ends of the doubles. */
static void nasty_meshes_are_carried(void **state) {
  (void)state;
  const syn_vec3 corner[] = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}},
                 huge[] = {{-0.8e308, 0, 0}, {0.8e308, 0, 0}, {0, 1e308, 3}};
  const syn_vec3 far[] = {{1e9, 1e9, 1e9}, {1e9 + 1, 1e9, 1e9}, {1e9, 1e9 + 2, 1e9}},
                 same[] = {{4, 5, 6}, {4, 5, 6}, {4, 5, 6}};
  const syn_vec3 *places[] = {corner, huge, far, same};
  const syn_triangle triangle = {{0, 1, 2}};
  syn_error error;
  for (size_t i = 0; i < sizeof places / sizeof *places; ++i)
    for (size_t triangles = 0; triangles <= 1; ++triangles) {
      syn_trimesh *mesh;
      ASSERT_OK(syn_trimesh_create(NULL, places[i], 3, &triangle, triangles, &mesh, &error));
      const syn_report_body body = {.body = {.name = "b", .surface = mesh}};
      const syn_report report = report_of(&body);
      char *page = write_page(&report, 0);
      json_t *model = page_model(page), *item = json_array_get(json_object_get(model, "bodies"), 0);
      shown_mesh shown = decode_mesh(page, item);
      const double stated = json_number_value(json_object_get(item, "display_error_mm"));
      assert_int_equal(shown.triangle_count, triangles);
      assert_int_equal(shown.vertex_count, 3 * triangles); /* a vertex without a triangle cannot be seen */
      for (size_t k = 0; k < shown.vertex_count; ++k)
        for (int axis = 0; axis < 3; ++axis)
          ASSERT_NEAR(vec3_at(shown.vertices[k], axis), vec3_at(places[i][k], axis), stated * (1 + 1e-9) + 1e-6);
      release_mesh(&shown);
      json_decref(model);
      free(page);
      syn_trimesh_destroy(mesh);
    }
}

/* A field at the ends of the doubles, a constant one, and one that is known nowhere. */
static void nasty_fields_are_carried(void **state) {
  (void)state;
  syn_trimesh *cube = make_cube(NULL, 1);
  const double sets[][8] = {{-0.8e308, 0.8e308, 0, NAN, INFINITY, -INFINITY, 1, 2},
                            {5, 5, 5, 5, 5, 5, 5, 5},
                            {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN}};
  for (size_t k = 0; k < sizeof sets / sizeof *sets; ++k) {
    const syn_report_field field = {"f", NULL, NULL, sets[k], 1, NULL, 0, 0};
    const syn_report_body body = {.body = {.name = "cube", .surface = cube}, .fields = &field, .field_count = 1};
    const syn_report report = report_of(&body);
    char *page = write_page(&report, 0);
    json_t *model = page_model(page), *item = json_array_get(json_object_get(model, "bodies"), 0);
    shown_mesh shown = decode_mesh(page, item);
    double *back = decode_field(page, json_array_get(json_object_get(item, "fields"), 0), shown.vertex_count);
    for (size_t i = 0; i < shown.vertex_count; ++i) {
      const double was = sets[k][nearest_vertex(cube, shown.vertices[i])];
      if (isfinite(was))
        ASSERT_NEAR(back[i], was, k == 0 ? 1.7e308 / 30000 : 0);
      else
        assert_true(isnan(back[i]));
    }
    free(back);
    release_mesh(&shown);
    json_decref(model);
    free(page);
  }
  syn_trimesh_destroy(cube);
}

/* Beyond that the page could not take the difference. */
static void what_no_page_could_show_is_refused(void **state) {
  (void)state;
  const syn_vec3 huge[] = {{-1.7e308, 0, 0}, {1.7e308, 0, 0}, {0, 1e308, 3}};
  const syn_triangle triangle = {{0, 1, 2}};
  const double values[] = {-1.7e308, 0, 1.7e308};
  const syn_report_field field = {"f", "F", "mm", values, 1, NULL, 0, 0};
  syn_error error;
  syn_trimesh *mesh, small;
  ASSERT_OK(syn_trimesh_create(NULL, huge, 3, &triangle, 1, &mesh, &error));
  syn_report_body body = {.body = {.name = "b", .surface = mesh}};
  const syn_report report = report_of(&body);
  const char *path = temporary_path("refused.html");
  ASSERT_FAILS(syn_report_write(NULL, &report, NULL, path, &error), SYN_TOO_LARGE, "too large");
  const syn_vec3 corner[] = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}};
  small = *mesh;
  small.vertices = corner;
  body = (syn_report_body){.body = {.name = "b", .surface = &small}, .fields = &field, .field_count = 1};
  ASSERT_FAILS(syn_report_write(NULL, &report, NULL, path, &error), SYN_TOO_LARGE, "field f");
  assert_null(fopen(path, "rb"));
  syn_trimesh_destroy(mesh);
}

static void a_real_hip_stays_small(void **state) {
  (void)state;
  const char *const files[] = {"vsd_NC/z013/Hip_R.ply", "vsd_NC/z013/Femur_R.ply"};
  syn_report_body bodies[2] = {{.body = {.name = "pelvis"}}, {.body = {.name = "femur", .moves = true}}};
  syn_report_field fields[2];
  syn_trimesh *meshes[2];
  double *values[2];
  syn_error error;
  for (int i = 0; i < 2; ++i) {
    REQUIRE_DATA(path, files[i]);
    ASSERT_OK(syn_trimesh_read(NULL, path, NULL, &meshes[i], &error));
    values[i] = malloc(meshes[i]->vertex_count * sizeof **values);
    for (uint32_t k = 0; k < meshes[i]->vertex_count; ++k) values[i][k] = meshes[i]->vertices[k].z / 3;
    fields[i] = (syn_report_field){"depth", "Depth", "mm", values[i], 1, NULL, 0, 0};
    bodies[i].body.surface = meshes[i];
    bodies[i].fields = &fields[i];
    bodies[i].field_count = 1;
  }
  syn_report report = report_of(bodies);
  report.body_count = 2;
  char *page = write_page(&report, 0);
  const size_t script = strlen(page) - strlen(strstr(page, "<script>"));
  print_message("%u + %u triangles with a field each: %zu bytes without the page's script\n", meshes[0]->triangle_count,
                meshes[1]->triangle_count, script);
  assert_true(script < 2500000);
  free(page);
  for (int i = 0; i < 2; ++i) {
    syn_trimesh_destroy(meshes[i]);
    free(values[i]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_blobs_come_back_as_they_were),
      cmocka_unit_test(vectors_in_time_come_back),
      cmocka_unit_test(bodies_that_deform_into_nothing_are_refused),
      cmocka_unit_test(a_decimated_body_states_its_error),
      cmocka_unit_test(nasty_meshes_are_carried),
      cmocka_unit_test(nasty_fields_are_carried),
      cmocka_unit_test(what_no_page_could_show_is_refused),
      cmocka_unit_test(a_real_hip_stays_small),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
