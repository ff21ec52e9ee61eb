/* Convex bodies: the hull is exact, and climbing finds what looking at every vertex finds. */
#include "collide/convex/convex.h"
#include "convex_bodies.h"
#include "geometry/convex_hull.h"
#include "geometry/predicates.h"
#include "surfaces.h"

static bool face_sees(const syn_convex *convex, uint32_t triangle, syn_vec3 p) {
  const uint32_t *v = convex->triangles[triangle].v;
  return syn_orient3d(convex->vertices[v[0]], convex->vertices[v[1]], convex->vertices[v[2]], p) > 0;
}

static bool is_outside(const syn_convex *convex, syn_vec3 p) {
  for (uint32_t t = 0; t < convex->triangle_count; ++t)
    if (face_sees(convex, t, p)) return true;
  return false;
}

static void check_hull_surface(const syn_convex *convex) {
  syn_error error;
  syn_trimesh *mesh;
  ASSERT_OK(syn_trimesh_create(NULL, convex->vertices, convex->vertex_count, convex->triangles, convex->triangle_count,
                               &mesh, &error));
  assert_int_equal(check_closed_manifold(mesh), 2);
  assert_true(surface_volume(mesh) > -1e-15 * pow(convex->radius, 3)); /* outward, to double precision */
  syn_trimesh_destroy(mesh);
}

/* Each corner must be missed by the hull of all others. */
static void check_corners(const syn_convex *convex) {
  syn_vec3 others[64];
  assert_true(convex->vertex_count <= 64);
  for (uint32_t out = 0; out < convex->vertex_count; ++out) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < convex->vertex_count; ++i)
      if (i != out) others[count++] = convex->vertices[i];
    syn_convex *rest = convex_of_points(others, count);
    if (rest->dimension == 3) assert_true(is_outside(rest, convex->vertices[out]));
    syn_convex_destroy(rest);
  }
}

static void check_hull(const syn_vec3 *points, uint32_t count) {
  syn_convex *convex = convex_of_points(points, count);
  for (uint32_t i = 0; i < convex->vertex_count; ++i)
    assert_memory_equal(&convex->vertices[i], &points[convex->point_of_vertex[i]], sizeof *points);
  for (uint32_t i = 0; i < count; ++i) {
    assert_true(sqrt(pow(points[i].x - convex->center.x, 2) + pow(points[i].y - convex->center.y, 2) +
                     pow(points[i].z - convex->center.z, 2)) <= convex->radius * (1 + 1e-14));
    if (convex->dimension == 3) assert_false(is_outside(convex, points[i]));
  }
  if (convex->dimension == 3) {
    check_hull_surface(convex);
    check_corners(convex);
  }
  syn_convex_destroy(convex);
}

static void hulls_of_random_points_hold_all_and_waste_none(void **state) {
  (void)state;
  test_random random = {3};
  syn_vec3 points[64];
  for (int round = 0; round < 300; ++round) {
    const uint32_t count = 1 + random_below(&random, 40), kind = round % 4;
    const double thin = pow(10, random_between(&random, -18, 0));
    for (uint32_t i = 0; i < count; ++i) {
      points[i] = random_vec3(&random, 1);
      if (kind == 1) points[i].z *= thin;
      if (kind == 2) /* coplanar, collinear and equal ones in plenty */
        points[i] = (syn_vec3){random_below(&random, 3), random_below(&random, 3), random_below(&random, 3)};
      if (kind == 3) { /* flat but for rounding */
        points[i].y = points[i].x * 0.3;
        points[i].z = points[i].x * 0.7 + points[i].y * 0.1;
      }
    }
    check_hull(points, count);
  }
}

static void a_fine_cube_has_eight_corners(void **state) {
  (void)state;
  static syn_vec3 points[11 * 11 * 11];
  uint32_t count = 0;
  for (int x = 0; x < 11; ++x)
    for (int y = 0; y < 11; ++y)
      for (int z = 0; z < 11; ++z) points[count++] = (syn_vec3){x, y, z};
  syn_convex *cube = convex_of_points(points, count);
  assert_int_equal(cube->dimension, 3);
  assert_int_equal(cube->vertex_count, 8);
  assert_int_equal(cube->triangle_count, 12);
  check_hull_surface(cube);
  syn_convex_destroy(cube);
}

static void fewer_dimensions_are_bodies_too(void **state) {
  (void)state;
  const syn_vec3 square[9] = {{0, 0, 1}, {1, 0, 1}, {2, 0, 1}, {0, 1, 1}, {1, 1, 1},
                              {2, 1, 1}, {0, 2, 1}, {1, 2, 1}, {2, 2, 1}};
  syn_convex *convex = convex_of_points(square, 9);
  assert_int_equal(convex->dimension, 2);
  assert_int_equal(convex->vertex_count, 4);
  assert_int_equal(convex->triangle_count, 4);
  for (uint32_t i = 0; i < 4; ++i) assert_int_equal(convex->point_of_vertex[i], ((uint32_t[]){0, 2, 6, 8})[i]);
  syn_convex_destroy(convex);
  const syn_vec3 line[4] = {{1, 1, 1}, {3, 3, 3}, {-1, -1, -1}, {3, 3, 3}};
  convex = convex_of_points(line, 4);
  assert_int_equal(convex->dimension, 1);
  assert_int_equal(convex->vertex_count, 2);
  assert_int_equal(convex->neighbours[convex->neighbour_start[0]], 1);
  assert_int_equal(convex->neighbours[convex->neighbour_start[1]], 0);
  syn_convex_destroy(convex);
  convex = convex_of_points(&line[1], 1);
  assert_int_equal(convex->dimension, 0);
  assert_int_equal(convex->vertex_count, 1);
  assert_int_equal(convex->neighbour_start[1], 0);
  syn_convex_destroy(convex);
}

/* Directions at random, and across the faces, where whole faces are equally high. */
static void check_climbs(const syn_convex *convex, test_random *random, int directions) {
  for (int k = 0; k < directions; ++k) {
    syn_vec3 d = random_vec3(random, 1);
    if (k % 2 && convex->triangle_count) {
      const uint32_t *v = convex->triangles[random_below(random, convex->triangle_count)].v;
      const syn_vec3 a = convex->vertices[v[0]];
      d = vec3_cross(vec3_sub(convex->vertices[v[1]], a), vec3_sub(convex->vertices[v[2]], a));
      if (k % 4 == 3) d = vec3_neg(d);
    }
    d = vec3_unit(d);
    const uint32_t start = k % 5 ? random_below(random, convex->vertex_count) : SYN_NONE;
    uint32_t looked = 0;
    const uint32_t top = syn_convex_climb(convex, d, start, &looked);
    ASSERT_NEAR(vec3_dot(convex->vertices[top], d), highest(convex, d), 1e-14 * (convex->radius + 1e-300) * 8);
  }
}

static void climbing_finds_the_highest_vertex(void **state) {
  (void)state;
  test_random random = {5};
  for (int round = 0; round < 400; ++round) {
    syn_convex *convex = random_convex(NULL, &random, round % CONVEX_KINDS, 1);
    check_climbs(convex, &random, 60);
    syn_convex_destroy(convex);
  }
  syn_convex *sphere = convex_sphere(25, 4);
  check_climbs(sphere, &random, 500);
  syn_convex_destroy(sphere);
}

/* Turned by an odd angle, the faces of a fine cube are flat but for rounding and most of their vertices are corners by
 * a hair: climbing must not stay on the wrong side. */
static void climbing_leaves_faces_that_are_flat_but_for_rounding(void **state) {
  (void)state;
  test_random random = {6};
  for (int round = 0; round < 20; ++round) {
    const syn_pose pose = random_pose(&random, 3);
    static syn_vec3 points[9 * 9 * 9];
    uint32_t count = 0;
    for (int x = 0; x < 9; ++x)
      for (int y = 0; y < 9; ++y)
        for (int z = 0; z < 9; ++z) points[count++] = syn_pose_point(&pose, (syn_vec3){x, y, z});
    syn_convex *cube = convex_of_points(points, count);
    assert_true(cube->vertex_count > 8);
    for (int k = 0; k < 6; ++k) {
      syn_vec3 axis = {k % 3 == 0, k % 3 == 1, k % 3 == 2};
      const syn_vec3 d = syn_pose_direction(&pose, k < 3 ? axis : vec3_neg(axis));
      for (uint32_t start = 0; start < cube->vertex_count; ++start) {
        uint32_t looked = 0;
        const uint32_t top = syn_convex_climb(cube, d, start, &looked);
        ASSERT_NEAR(vec3_dot(cube->vertices[top], d), highest(cube, d), 1e-13);
      }
    }
    syn_convex_destroy(cube);
  }
}

static void the_hull_of_a_bone_holds_the_bone(void **state) {
  (void)state;
  REQUIRE_DATA(path, "vsd_NC/z013/Hip_R.ply");
  syn_error error;
  syn_trimesh *bone;
  ASSERT_OK(syn_trimesh_read(NULL, path, NULL, &bone, &error));
  syn_convex *hull = convex_of_points(bone->vertices, bone->vertex_count);
  assert_int_equal(hull->dimension, 3);
  check_hull_surface(hull);
  for (uint32_t i = 0; i < bone->vertex_count; i += 97) assert_false(is_outside(hull, bone->vertices[i]));
  syn_convex_destroy(hull);
  syn_trimesh_destroy(bone);
}

static void bad_points_are_refused(void **state) {
  (void)state;
  syn_error error;
  syn_convex *convex;
  const syn_vec3 bad[2][2] = {{{0, 0, 0}, {0, NAN, 0}}, {{0, 0, 0}, {0, 0, 1e91}}};
  ASSERT_FAILS(syn_convex_create(NULL, bad[0], 0, &convex, &error), SYN_BAD_ARGUMENT, "at least one point");
  ASSERT_FAILS(syn_convex_create(NULL, bad[0], 2, &convex, &error), SYN_BAD_ARGUMENT, "vertex 1");
  ASSERT_FAILS(syn_convex_create(NULL, bad[1], 2, &convex, &error), SYN_BAD_ARGUMENT, "1e+90");
  ASSERT_FAILS(syn_convex_create(NULL, bad[0], (size_t)1 << 31, &convex, &error), SYN_TOO_LARGE, "too many");
  assert_null(convex);
  /* Dust below the reach of the predicates counts as zero. */
  const syn_vec3 dust[5] = {{1e-300, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 1e-200}, {0.5, 0.5, -1e-310}};
  convex = convex_of_points(dust, 5);
  assert_int_equal(convex->dimension, 2);
  assert_int_equal(convex->vertex_count, 4);
  syn_convex_destroy(convex);
}

typedef struct given {
  const syn_vec3 *points;
  size_t count;
} given;

static syn_status make_convex(const syn_context *context, void *user, syn_error *error) {
  const given *g = user;
  syn_convex *convex;
  const syn_status status = syn_convex_create(context, g->points, g->count, &convex, error);
  if (status != SYN_OK) assert_null(convex);
  syn_convex_destroy(convex);
  return status;
}

static void every_refused_allocation_is_survived(void **state) {
  (void)state;
  const syn_vec3 points[5] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0, 0, 1}};
  for (size_t count = 1; count <= 5; ++count) check_every_allocation(make_convex, &(given){points, count});
}

/* A face sees what lies strictly before it; what lies in its plane it does not see, to the last bit. */
static void a_face_does_not_see_what_lies_in_its_plane(void **state) {
  (void)state;
  const syn_vec3 points[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const uint32_t corners[4] = {0, 1, 2, 3};
  hull_face faces[8] = {0};
  hull_surface hull = {.faces = faces};
  syn_hull_start(&hull, points, corners);
  assert_int_equal(hull.face_count, 4);
  for (uint32_t f = 0; f < 4; ++f) {
    const syn_vec3 a = points[faces[f].v[0]], b = points[faces[f].v[1]], c = points[faces[f].v[2]];
    const syn_vec3 out = vec3_cross(vec3_sub(b, a), vec3_sub(c, a));
    const syn_vec3 in_plane = vec3_add(a, vec3_sub(b, c)); /* exact: small integers */
    assert_false(syn_hull_sees(&hull, f, in_plane));
    assert_false(syn_hull_sees(&hull, f, a));
    assert_int_equal(syn_hull_sees(&hull, f, vec3_madd(in_plane, 0x1p-40, out)) +
                         syn_hull_sees(&hull, f, vec3_madd(in_plane, -0x1p-40, out)),
                     1);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(hulls_of_random_points_hold_all_and_waste_none),
      cmocka_unit_test(a_fine_cube_has_eight_corners),
      cmocka_unit_test(fewer_dimensions_are_bodies_too),
      cmocka_unit_test(climbing_finds_the_highest_vertex),
      cmocka_unit_test(climbing_leaves_faces_that_are_flat_but_for_rounding),
      cmocka_unit_test(the_hull_of_a_bone_holds_the_bone),
      cmocka_unit_test(bad_points_are_refused),
      cmocka_unit_test(a_face_does_not_see_what_lies_in_its_plane),
      cmocka_unit_test(every_refused_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
