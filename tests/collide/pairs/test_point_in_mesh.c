#include "support.h"

#include "base/vec.h"
#include "collide/pairs/point_in_mesh.h"

static syn_vec3 *corners_of(const syn_trimesh *mesh) {
  syn_vec3 *corners = malloc((3 * (size_t)mesh->triangle_count + 1) * sizeof *corners);
  for (uint32_t t = 0; t < mesh->triangle_count; ++t)
    for (int c = 0; c < 3; ++c) corners[3 * t + c] = mesh->vertices[mesh->triangles[t].v[c]];
  return corners;
}

static syn_inclusion side_of_unit_cube(syn_vec3 p) {
  syn_inclusion side = SYN_INSIDE;
  for (int k = 0; k < 3; ++k) {
    const double x = vec3_at(p, k);
    if (x < 0 || x > 1) return SYN_OUTSIDE;
    if (x == 0 || x == 1) side = SYN_ON_SURFACE;
  }
  return side;
}

/* Rays run along edges, diagonals and faces and through corners. */
static void a_cube_is_right_at_every_grid_point_and_one_unit_beside_it(void **state) {
  (void)state;
  syn_error error;
  syn_trimesh *cube = make_cube(NULL, 1);
  syn_vec3 *corners = corners_of(cube);
  syn_box_tree *tree;
  ASSERT_OK(syn_box_tree_of_mesh(cube, &tree, &error));
  static const double steps[] = {-0.25, -0x1p-1074, 0, 0x1p-53, 0.25, 0.5, 0.75, 1 - 0x1p-53, 1, 1 + 0x1p-52, 1.5};
  enum { STEPS = sizeof steps / sizeof *steps };
  for (int x = 0; x < STEPS; ++x)
    for (int y = 0; y < STEPS; ++y)
      for (int z = 0; z < STEPS; ++z) {
        const syn_vec3 p = vec3(steps[x], steps[y], steps[z]);
        assert_int_equal(syn_point_in_mesh(tree, corners, NULL, p), side_of_unit_cube(p));
      }
  syn_box_tree_destroy(tree);
  syn_trimesh_destroy(cube);
  free(corners);
}

/* The winding number from solid angles (van Oosterom and Strackee). */
static double winding(const syn_vec3 *corners, uint32_t triangles, const syn_pose *pose, syn_vec3 point) {
  double sum = 0;
  for (uint32_t t = 0; t < triangles; ++t) {
    syn_vec3 v[3];
    double l[3];
    for (int c = 0; c < 3; ++c) {
      v[c] = vec3_sub(syn_pose_point(pose, corners[3 * t + c]), point);
      l[c] = vec3_length(v[c]);
    }
    sum += 2 *
           atan2(vec3_dot(v[0], vec3_cross(v[1], v[2])), l[0] * l[1] * l[2] + vec3_dot(v[0], v[1]) * l[2] +
                                                             vec3_dot(v[1], v[2]) * l[0] + vec3_dot(v[2], v[0]) * l[1]);
  }
  return sum / (4 * SYN_PI);
}

static void blobs_at_any_pose_agree_with_the_winding_number(void **state) {
  (void)state;
  test_random random = {111};
  syn_error error;
  int inside = 0;
  for (int round = 0; round < 20; ++round) {
    syn_trimesh *blob = make_blob(NULL, &random, 8, 10, 0.4);
    syn_vec3 *corners = corners_of(blob);
    syn_box_tree *tree;
    ASSERT_OK(syn_box_tree_of_mesh(blob, &tree, &error));
    for (int i = 0; i < 50; ++i) {
      const syn_pose pose = random_pose(&random, 0.5), identity = syn_pose_identity();
      const syn_vec3 point = random_vec3(&random, 1.2);
      const double expected = winding(corners, blob->triangle_count, &pose, point);
      const bool expected_inside = fabs(expected) > 0.5;
      assert_int_equal(syn_point_in_mesh(tree, corners, &pose, point), expected_inside ? SYN_INSIDE : SYN_OUTSIDE);
      assert_int_equal(syn_point_in_mesh(tree, corners, &identity, point),
                       syn_point_in_mesh(tree, corners, NULL, point));
      inside += expected_inside;
    }
    /* vertices are on it, wherever they went */
    const syn_pose pose = random_pose(&random, 3);
    for (uint32_t v = 0; v < blob->vertex_count; ++v)
      assert_int_equal(syn_point_in_mesh(tree, corners, &pose, syn_pose_point(&pose, blob->vertices[v])),
                       SYN_ON_SURFACE);
    syn_box_tree_destroy(tree);
    syn_trimesh_destroy(blob);
    free(corners);
  }
  assert_true(inside > 100 && inside < 900);
}

/* Octahedra and bipyramids with corners on a grid: rays from grid points run through corners and edges that other edges
 * leave upward, downward and level. */
static void a_bipyramid_is_right_where_rays_meet_its_corners(void **state) {
  (void)state;
  syn_error error;
  enum { RIM = 4, SIZE = 3 };
  const syn_vec3 vertices[RIM + 2] = {{SIZE, 0, 0},  {0, SIZE, 0}, {-SIZE, 0, 0},
                                      {0, -SIZE, 0}, {0, 0, SIZE}, {0, 0, -SIZE}};
  syn_triangle triangles[2 * RIM];
  for (uint32_t i = 0; i < RIM; ++i) {
    triangles[2 * i] = (syn_triangle){{i, (i + 1) % RIM, RIM}};
    triangles[2 * i + 1] = (syn_triangle){{(i + 1) % RIM, i, RIM + 1}};
  }
  syn_trimesh *mesh;
  ASSERT_OK(syn_trimesh_create(NULL, vertices, RIM + 2, triangles, 2 * RIM, &mesh, &error));
  syn_vec3 *corners = corners_of(mesh);
  syn_box_tree *tree;
  ASSERT_OK(syn_box_tree_of_mesh(mesh, &tree, &error));
  for (int x = -SIZE - 1; x <= SIZE + 1; ++x)
    for (int y = -SIZE - 1; y <= SIZE + 1; ++y)
      for (int z = -SIZE - 1; z <= SIZE + 1; ++z) {
        const int norm = abs(x) + abs(y) + abs(z);
        const syn_inclusion expected = norm < SIZE ? SYN_INSIDE : norm == SIZE ? SYN_ON_SURFACE : SYN_OUTSIDE;
        assert_int_equal(syn_point_in_mesh(tree, corners, NULL, vec3(x, y, z)), expected);
      }
  syn_box_tree_destroy(tree);
  syn_trimesh_destroy(mesh);
  free(corners);
}

static void nothing_is_inside_an_empty_mesh(void **state) {
  (void)state;
  syn_box_tree *tree;
  syn_error error;
  ASSERT_OK(syn_box_tree_create(NULL, NULL, 0, &tree, &error));
  assert_int_equal(syn_point_in_mesh(tree, NULL, NULL, vec3(0, 0, 0)), SYN_OUTSIDE);
  syn_box_tree_destroy(tree);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_cube_is_right_at_every_grid_point_and_one_unit_beside_it),
      cmocka_unit_test(blobs_at_any_pose_agree_with_the_winding_number),
      cmocka_unit_test(a_bipyramid_is_right_where_rays_meet_its_corners),
      cmocka_unit_test(nothing_is_inside_an_empty_mesh),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
