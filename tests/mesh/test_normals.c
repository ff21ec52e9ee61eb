#include "base/vec.h"
#include "support.h"

static void a_cube_has_axes_and_diagonals_however_it_is_cut(void **state) {
  (void)state;
  syn_error error;
  const syn_pose pose = syn_pose_about_axis((syn_vec3){1, 2, 3}, (syn_vec3){1, 1, 0}, 0.7);
  syn_trimesh *cube = make_cube(NULL, 2), *moved;
  ASSERT_OK(syn_trimesh_transform(cube, &pose, &moved, &error));
  syn_vec3 faces[12], vertices[8];
  syn_trimesh_face_normals(moved, faces);
  syn_trimesh_vertex_normals(moved, vertices);
  const syn_vec3 axes[6] = {{0, 0, -1}, {0, 0, 1}, {0, -1, 0}, {1, 0, 0}, {0, 1, 0}, {-1, 0, 0}};
  for (int t = 0; t < 12; ++t) assert_true(vec3_distance(faces[t], syn_pose_direction(&pose, axes[t / 2])) < 1e-14);
  for (int i = 0; i < 8; ++i) {
    const syn_vec3 outward = vec3_unit(vec3_sub(cube->vertices[i], vec3(1, 1, 1)));
    assert_true(vec3_distance(vertices[i], syn_pose_direction(&pose, outward)) < 1e-14);
  }
  syn_trimesh_destroy(moved);
  syn_trimesh_destroy(cube);
}

static void degenerate_faces_and_loose_vertices_have_none(void **state) {
  (void)state;
  syn_error error;
  const syn_vec3 points[5] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 1, 0}, {9, 9, 9}};
  const syn_triangle triangles[3] = {{{0, 1, 2}}, {{0, 0, 1}}, {{0, 2, 3}}};
  syn_trimesh *mesh;
  ASSERT_OK(syn_trimesh_create(NULL, points, 5, triangles, 3, &mesh, &error));
  syn_vec3 faces[3], vertices[5];
  syn_trimesh_face_normals(mesh, faces);
  syn_trimesh_vertex_normals(mesh, vertices);
  const syn_vec3 none = {0, 0, 0}, up = {0, 0, 1};
  assert_true(vec3_equal(faces[0], none) && vec3_equal(faces[1], none) && vec3_equal(faces[2], up));
  assert_true(vec3_equal(vertices[1], none) && vec3_equal(vertices[4], none) && vec3_equal(vertices[0], up));
  syn_trimesh_destroy(mesh);
}

/* The definition, vertex by vertex, with angles from the law of cosines. */
static void random_meshes_match_the_definition(void **state) {
  (void)state;
  test_random random = {3};
  for (int round = 0; round < 50; ++round) {
    syn_trimesh *mesh = round % 2 ? make_blob(NULL, &random, 5, 7, 0.5) : make_soup(NULL, &random, 12, 20);
    syn_vec3 faces[400], vertices[400];
    syn_trimesh_face_normals(mesh, faces);
    syn_trimesh_vertex_normals(mesh, vertices);
    for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
      syn_vec3 sum = {0, 0, 0};
      for (uint32_t t = 0; t < mesh->triangle_count; ++t)
        for (int c = 0; c < 3; ++c) {
          const uint32_t *v = mesh->triangles[t].v;
          if (v[c] != i) continue;
          const double a = vec3_distance(mesh->vertices[v[(c + 1) % 3]], mesh->vertices[i]);
          const double b = vec3_distance(mesh->vertices[v[(c + 2) % 3]], mesh->vertices[i]);
          const double d = vec3_distance(mesh->vertices[v[(c + 1) % 3]], mesh->vertices[v[(c + 2) % 3]]);
          if (a > 0 && b > 0 && d > 0) sum = vec3_madd(sum, acos((a * a + b * b - d * d) / (2 * a * b)), faces[t]);
        }
      if (vec3_length(sum) > 1e-3) assert_true(vec3_distance(vec3_unit(sum), vertices[i]) < 1e-9);
    }
    syn_trimesh_destroy(mesh);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_cube_has_axes_and_diagonals_however_it_is_cut),
      cmocka_unit_test(degenerate_faces_and_loose_vertices_have_none),
      cmocka_unit_test(random_meshes_match_the_definition),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
