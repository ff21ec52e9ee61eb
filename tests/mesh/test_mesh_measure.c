#include "support.h"

#include "base/vec.h"

static syn_trimesh *moved_and_destroyed(syn_trimesh *mesh, const syn_pose *pose) {
  syn_trimesh *moved;
  syn_error error;
  ASSERT_OK(syn_trimesh_transform(mesh, pose, &moved, &error));
  syn_trimesh_destroy(mesh);
  return moved;
}

static void a_cube_has_its_textbook_mass(void **state) {
  (void)state;
  syn_trimesh *cube = make_cube(NULL, 3);
  const syn_mass m = syn_trimesh_mass(cube);
  ASSERT_NEAR(m.area_mm2, 54, 1e-12);
  ASSERT_NEAR(m.volume_mm3, 27, 1e-12);
  ASSERT_NEAR(vec3_distance(m.centroid, vec3(1.5, 1.5, 1.5)), 0, 1e-14);
  for (int i = 0; i < 3; ++i) {
    const double moments[3] = {27 * 9 / 6.0, 0, 0}; /* m a^2 / 6 about any axis */
    for (int k = 0; k < 3; ++k) ASSERT_NEAR(vec3_at(m.inertia.row[i], k), moments[(k - i + 3) % 3], 1e-12);
  }
  const syn_box box = syn_trimesh_bounds(cube);
  assert_true(vec3_equal(box.min, vec3(0, 0, 0)) && vec3_equal(box.max, vec3(3, 3, 3)));
  syn_trimesh_destroy(cube);
}

/* A grid over the torus of radii R and r; inscribed, so that everything falls short in the second order. */
static syn_trimesh *torus(double ring, double tube, uint32_t n) {
  syn_vec3 *points = calloc((size_t)n * n, sizeof *points);
  syn_triangle *faces = calloc(2 * (size_t)n * n, sizeof *faces);
  syn_trimesh *mesh;
  syn_error error;
  for (uint32_t i = 0; i < n; ++i)
    for (uint32_t j = 0; j < n; ++j) {
      const double u = 2 * SYN_PI * i / n, v = 2 * SYN_PI * j / n, r = ring + tube * cos(v);
      const uint32_t i2 = (i + 1) % n, j2 = (j + 1) % n;
      points[i * n + j] = vec3(r * cos(u), r * sin(u), tube * sin(v));
      faces[2 * (i * n + j)] = (syn_triangle){{i * n + j, i2 * n + j, i2 * n + j2}};
      faces[2 * (i * n + j) + 1] = (syn_triangle){{i * n + j, i2 * n + j2, i * n + j2}};
    }
  ASSERT_OK(syn_trimesh_create(NULL, points, (size_t)n * n, faces, 2 * (size_t)n * n, &mesh, &error));
  free(points);
  free(faces);
  return mesh;
}

static void sphere_and_torus_converge_to_their_formulas(void **state) {
  (void)state;
  test_random random = {71};
  double sphere_error[2], torus_error[2];
  for (uint32_t i = 0; i < 2; ++i) {
    syn_trimesh *sphere = make_blob(NULL, &random, 20u << i, 40u << i, 0), *ring = torus(3, 1, 40u << i);
    const syn_mass s = syn_trimesh_mass(sphere), t = syn_trimesh_mass(ring);
    const double volume = 4 * SYN_PI / 3, torus_volume = 2 * SYN_PI * SYN_PI * 3;
    sphere_error[i] = fabs(s.volume_mm3 / volume - 1) + fabs(s.area_mm2 / (4 * SYN_PI) - 1) +
                      fabs(s.inertia.row[2].z / (0.4 * volume) - 1);
    /* about its axis m (R^2 + 3/4 r^2), about a diameter m (R^2 / 2 + 5/8 r^2) */
    torus_error[i] = fabs(t.volume_mm3 / torus_volume - 1) + fabs(t.area_mm2 / (4 * SYN_PI * SYN_PI * 3) - 1) +
                     fabs(t.inertia.row[2].z / (torus_volume * 9.75) - 1) +
                     fabs(t.inertia.row[0].x / (torus_volume * 5.125) - 1);
    syn_trimesh_destroy(sphere);
    syn_trimesh_destroy(ring);
  }
  assert_true(sphere_error[1] < 0.02 && torus_error[1] < 0.02);
  ASSERT_NEAR(sphere_error[0] / sphere_error[1], 4, 0.2);
  ASSERT_NEAR(torus_error[0] / torus_error[1], 4, 0.2);
}

/* R I R^T */
static syn_mat3 turned(const syn_mat3 *inertia, const syn_mat3 *rotation) {
  const syn_mat3 half = mat3_multiply(rotation, inertia), back = mat3_transpose(rotation);
  return mat3_multiply(&half, &back);
}

static void a_rigid_motion_moves_the_mass_with_it(void **state) {
  (void)state;
  test_random random = {72};
  for (int i = 0; i < 30; ++i) {
    /* near the origin to rounding; a kilometre away the coordinates themselves are rounded to 1e-10 mm */
    const double shift = i % 2 ? 10 : 1e6, tolerance = i % 2 ? 1e-12 : 1e-8;
    syn_trimesh *mesh = make_blob(NULL, &random, 15, 20, 0.5);
    const syn_pose pose = random_pose(&random, shift);
    const syn_mass before = syn_trimesh_mass(mesh);
    mesh = moved_and_destroyed(mesh, &pose);
    const syn_mass after = syn_trimesh_mass(mesh);
    const syn_mat3 expected = turned(&before.inertia, &pose.rotation);
    ASSERT_NEAR(after.area_mm2, before.area_mm2, tolerance * 100);
    ASSERT_NEAR(after.volume_mm3, before.volume_mm3, tolerance * 100);
    ASSERT_NEAR(vec3_distance(after.centroid, syn_pose_point(&pose, before.centroid)), 0, tolerance);
    for (int r = 0; r < 3; ++r) ASSERT_NEAR(vec3_distance(after.inertia.row[r], expected.row[r]), 0, tolerance * 100);
    syn_trimesh_destroy(mesh);
  }
}

static void a_flat_sheet_has_the_centroid_of_its_surface(void **state) {
  (void)state;
  syn_error error;
  test_random random = {73};
  static const syn_vec3 points[4] = {{0, 0, 0}, {4, 0, 0}, {4, 2, 0}, {0, 2, 0}};
  static const syn_triangle faces[2] = {{{0, 1, 2}}, {{0, 2, 3}}};
  for (int i = 0; i < 20; ++i) {
    const syn_pose pose = random_pose(&random, 100);
    syn_trimesh *sheet;
    ASSERT_OK(syn_trimesh_create(NULL, points, 4, faces, 2, &sheet, &error));
    sheet = moved_and_destroyed(sheet, &pose);
    const syn_mass m = syn_trimesh_mass(sheet);
    ASSERT_NEAR(m.area_mm2, 8, 1e-12);
    ASSERT_NEAR(vec3_distance(m.centroid, syn_pose_point(&pose, vec3(2, 1, 0))), 0, 1e-12);
    syn_trimesh_destroy(sheet);
  }
}

static void empty_meshes_and_single_points_have_no_mass(void **state) {
  (void)state;
  syn_error error;
  syn_trimesh *empty, *point;
  ASSERT_OK(syn_trimesh_create(NULL, NULL, 0, NULL, 0, &empty, &error));
  ASSERT_OK(syn_trimesh_create(NULL, &(syn_vec3){1, 2, 3}, 1, &(syn_triangle){{0, 0, 0}}, 1, &point, &error));
  const syn_box box = syn_trimesh_bounds(empty);
  assert_true(box.min.x > box.max.x);
  assert_true(syn_trimesh_mass(empty).area_mm2 == 0 && syn_trimesh_mass(empty).volume_mm3 == 0);
  const syn_mass m = syn_trimesh_mass(point);
  assert_true(m.area_mm2 == 0 && m.volume_mm3 == 0 && vec3_equal(m.centroid, vec3(1, 2, 3)));
  syn_trimesh_destroy(empty);
  syn_trimesh_destroy(point);
}

static void normals_of_a_cube_point_outward(void **state) {
  (void)state;
  syn_trimesh *cube = make_cube(NULL, 2);
  syn_vec3 faces[12], vertices[8];
  syn_trimesh_face_normals(cube, faces);
  syn_trimesh_vertex_normals(cube, vertices);
  static const syn_vec3 expected[6] = {{0, 0, -1}, {0, 0, 1}, {0, -1, 0}, {1, 0, 0}, {0, 1, 0}, {-1, 0, 0}};
  for (int t = 0; t < 12; ++t) assert_true(vec3_equal(faces[t], expected[t / 2]));
  /* by angle all three faces of a corner weigh the same, however many triangles each has there */
  for (int v = 0; v < 8; ++v) {
    const syn_vec3 out = vec3_unit(vec3_sub(cube->vertices[v], vec3(1, 1, 1)));
    ASSERT_NEAR(vec3_distance(vertices[v], out), 0, 1e-15);
  }
  syn_trimesh_destroy(cube);
}

static void normals_survive_any_size_and_vanish_on_flat_faces(void **state) {
  (void)state;
  syn_error error;
  static const double sizes[] = {1e-200, 1e-3, 1e200};
  for (int i = 0; i < 3; ++i) {
    const double s = sizes[i];
    const syn_vec3 points[5] = {{0, 0, 0}, {s, 0, 0}, {0, s, 0}, {0.1 * s, 0.7 * s, 0}, {3, 3, 3}};
    const syn_triangle faces[2] = {{{0, 1, 2}}, {{0, 3, 3}}};
    syn_trimesh *mesh;
    syn_vec3 normals[2], vertex[5];
    ASSERT_OK(syn_trimesh_create(NULL, points, 5, faces, 2, &mesh, &error));
    syn_trimesh_face_normals(mesh, normals);
    syn_trimesh_vertex_normals(mesh, vertex);
    assert_true(vec3_equal(normals[0], vec3(0, 0, 1)) && vec3_equal(normals[1], vec3(0, 0, 0)));
    assert_true(vec3_equal(vertex[1], vec3(0, 0, 1)) && vec3_equal(vertex[4], vec3(0, 0, 0)));
    syn_trimesh_destroy(mesh);
  }
  /* exactly on a line, though scaling the edges is rounded */
  syn_trimesh *mesh;
  syn_vec3 normal;
  const syn_vec3 line[3] = {{0, 0, 0}, {0.1, 0.7, 0.3}, {-0.8, -0.7 * 8, -0.3 * 8}};
  ASSERT_OK(syn_trimesh_create(NULL, line, 3, &(syn_triangle){{0, 1, 2}}, 1, &mesh, &error));
  syn_trimesh_face_normals(mesh, &normal);
  assert_true(vec3_equal(normal, vec3(0, 0, 0)));
  syn_trimesh_destroy(mesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_cube_has_its_textbook_mass),
      cmocka_unit_test(sphere_and_torus_converge_to_their_formulas),
      cmocka_unit_test(a_rigid_motion_moves_the_mass_with_it),
      cmocka_unit_test(a_flat_sheet_has_the_centroid_of_its_surface),
      cmocka_unit_test(empty_meshes_and_single_points_have_no_mass),
      cmocka_unit_test(normals_of_a_cube_point_outward),
      cmocka_unit_test(normals_survive_any_size_and_vanish_on_flat_faces),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
