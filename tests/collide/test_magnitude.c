/* Magnitudes that cannot be computed are refused, by every question and in the same words; all others are answered. */
#include "support.h"

#include <float.h>
#include <time.h>

#include "base/vec.h"
#include "geometry/triangle_pair.h"

static syn_trimesh *with_vertex(const syn_trimesh *mesh, uint32_t vertex, syn_vec3 place) {
  syn_error error;
  syn_trimesh *made;
  syn_vec3 *vertices = malloc(mesh->vertex_count * sizeof *vertices);
  memcpy(vertices, mesh->vertices, mesh->vertex_count * sizeof *vertices);
  vertices[vertex] = place;
  ASSERT_OK(
      syn_trimesh_create(NULL, vertices, mesh->vertex_count, mesh->triangles, mesh->triangle_count, &made, &error));
  free(vertices);
  return made;
}

static syn_tetmesh *tet_of(double size) {
  syn_error error;
  syn_tetmesh *made;
  const syn_vec3 corners[4] = {{0, 0, 0}, {size, 0, 0}, {0, size, 0}, {0, 0, size}};
  ASSERT_OK(syn_tetmesh_create(NULL, corners, 4, &(syn_tet){{0, 1, 2, 3}}, 1, &made, &error));
  return made;
}

static syn_collide_options options_for(const char *method, const double *threshold) {
  syn_collide_options options = syn_default_collide_options();
  if (strcmp(method, "split") == 0) {
    options.thresholds_mm = threshold;
    options.threshold_count = 1;
  }
  return options;
}

static void every_method_refuses_bodies_of_absurd_size(void **state) {
  (void)state;
  static const double sizes[] = {5e-324, 1e-310, 1e-299, 1e-13, 1.1e12, 1e17, 1e45, 1e80, 1e101, 1e300, DBL_MAX};
  const double threshold = 1;
  syn_trimesh *cube = make_cube(NULL, 1);
  syn_tetmesh *tet = tet_of(1);
  syn_error error;
  syn_collider *collider;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
    syn_trimesh *odd_cube = make_cube(NULL, sizes[i]);
    syn_tetmesh *odd_tet = tet_of(sizes[i]);
    const syn_body good = {.surface = cube, .volume = tet}, bad = {.surface = odd_cube, .volume = odd_tet};
    const char *why = sizes[i] < 1 ? "mm across" : "more than 1e+12 mm";
    for (size_t k = 0; k < syn_method_count(); ++k) {
      const char *method = syn_method_at(k).name;
      const syn_collide_options options = options_for(method, &threshold);
      ASSERT_FAILS(syn_collider_create(NULL, method, &bad, &good, &options, &collider, &error), SYN_BAD_MESH, "fixed");
      check_message(&error, SYN_BAD_MESH, why);
      ASSERT_FAILS(syn_collider_create(NULL, method, &good, &bad, &options, &collider, &error), SYN_BAD_MESH, "mobile");
      assert_null(collider);
    }
    syn_distance *distance;
    syn_rotation *rotation;
    syn_overlap *overlap;
    ASSERT_FAILS(syn_distance_create(odd_cube, cube, NULL, &distance, &error), SYN_BAD_MESH, why);
    ASSERT_FAILS(syn_rotation_create(cube, odd_cube, vec3(0, 0, 0), &rotation, &error), SYN_BAD_MESH, why);
    ASSERT_FAILS(syn_overlap_create(odd_cube, cube, NULL, &overlap, &error), SYN_BAD_MESH, why);
    syn_trimesh_destroy(odd_cube);
    syn_tetmesh_destroy(odd_tet);
  }
  syn_trimesh_destroy(cube);
  syn_tetmesh_destroy(tet);
}

/* Creates by any method a pair that can be computed, and has it updated and asked with what cannot. */
static void every_method_refuses_such_updates_centres_and_poses(void **state) {
  (void)state;
  static const double odd[] = {NAN, INFINITY, 1e13, 1e300};
  const double threshold = 1;
  syn_trimesh *cube = make_cube(NULL, 1);
  syn_tetmesh *tet = tet_of(1);
  const syn_body body = {.surface = cube, .volume = tet}, other = {.surface = cube, .volume = tet};
  syn_error error;
  for (size_t k = 0; k < syn_method_count(); ++k) {
    const syn_method_info info = syn_method_at(k);
    syn_collide_options options = options_for(info.name, &threshold);
    syn_collider *collider, *none;
    ASSERT_OK(syn_collider_create(NULL, info.name, &body, &other, &options, &collider, &error));
    void *scratch = calloc(1, syn_collider_scratch(collider) + 1);
    for (int i = 0; i < 4; ++i) {
      syn_vec3 moved[8];
      memcpy(moved, info.needs_volume ? tet->vertices : cube->vertices, (info.needs_volume ? 4 : 8) * sizeof *moved);
      moved[2].y = odd[i];
      ASSERT_FAILS(syn_collider_update(collider, moved, NULL, &error), SYN_BAD_MESH, "fixed vertex 2");
      ASSERT_FAILS(syn_collider_update(collider, NULL, moved, &error), SYN_BAD_MESH, "mobile vertex 2");
      options.center = vec3(0, odd[i], 0);
      ASSERT_FAILS(syn_collider_create(NULL, info.name, &body, &other, &options, &none, &error), SYN_BAD_ARGUMENT,
                   "centre");
      syn_pose pose = {syn_pose_identity().rotation, vec3(0, 0, odd[i])};
      double depth[8] = {0};
      syn_contacts result = {.vertex_depth = depth};
      assert_int_equal(syn_collider_query(collider, &pose, scratch, &result), SYN_BAD_ARGUMENT);
      assert_true(result.count == 0 && !result.penetrating && isnan(result.max_depth_mm));
      if (info.tells_field) assert_true(isnan(depth[0]) && isnan(depth[7]));
      ASSERT_FAILS(syn_pose_check(&pose, &error), SYN_BAD_ARGUMENT, "translation");
      pose = syn_pose_identity();
      pose.rotation.row[1].x = odd[i];
      assert_int_equal(syn_collider_query(collider, &pose, scratch, &result), SYN_BAD_ARGUMENT);
      ASSERT_FAILS(syn_pose_check(&pose, &error), SYN_BAD_ARGUMENT, "rotation");
    }
    syn_contacts result = {0};
    syn_pose sheared = syn_pose_identity(), mirrored = sheared;
    sheared.rotation.row[0].y = 0.127;
    mirrored.rotation.row[2].z = -1;
    assert_int_equal(syn_collider_query(collider, &sheared, scratch, &result), SYN_BAD_ARGUMENT);
    assert_int_equal(syn_collider_query(collider, &mirrored, scratch, &result), SYN_BAD_ARGUMENT);
    assert_int_equal(syn_collider_query(collider, NULL, scratch, &result), SYN_OK);
    free(scratch);
    syn_collider_destroy(collider);
  }
  syn_trimesh_destroy(cube);
  syn_tetmesh_destroy(tet);
}

/* Bodies may well be far apart: a thousand kilometres, and the farthest that is allowed. */
static void far_poses_are_answered(void **state) {
  (void)state;
  const double threshold = 1;
  syn_trimesh *cube = make_cube(NULL, 1);
  syn_tetmesh *tet = tet_of(1);
  const syn_body fixed = {.surface = cube, .volume = tet};
  syn_tetmesh *copy = tet_of(1); /* another volume: not one body with itself */
  const syn_body mobile = {.surface = cube, .volume = copy};
  syn_error error;
  for (double far = 1e9; far <= 1e12; far *= 10) {
    const syn_pose pose = {syn_pose_identity().rotation, vec3(far, 0, 0)};
    for (size_t k = 0; k < syn_method_count(); ++k) {
      const syn_collide_options options = options_for(syn_method_at(k).name, &threshold);
      syn_collider *collider;
      ASSERT_OK(syn_collider_create(NULL, syn_method_at(k).name, &fixed, &mobile, &options, &collider, &error));
      void *scratch = calloc(1, syn_collider_scratch(collider) + 1);
      syn_contacts result = {0};
      assert_int_equal(syn_collider_query(collider, &pose, scratch, &result), SYN_OK);
      assert_true(!result.penetrating && result.count == 0);
      free(scratch);
      syn_collider_destroy(collider);
    }
    syn_distance *distance;
    syn_clearance clearance;
    ASSERT_OK(syn_distance_create(cube, cube, NULL, &distance, &error));
    void *scratch = malloc(syn_distance_scratch(distance));
    assert_int_equal(syn_distance_query(distance, &pose, NULL, scratch, &clearance), SYN_OK);
    ASSERT_NEAR(clearance.distance_mm, far - 1, 1e-12 * far);
    free(scratch);
    syn_distance_destroy(distance);
    syn_overlap *overlap;
    ASSERT_OK(syn_overlap_create(cube, cube, &pose, &overlap, &error));
    assert_true(overlap->volume_mm3 == 0);
    syn_overlap_destroy(overlap);
  }
  syn_trimesh_destroy(cube);
  syn_tetmesh_destroy(tet);
  syn_tetmesh_destroy(copy);
}

/* ---- one far vertex ------------------------------------------------------------------------------------------------
 */

static double distance_of_all_pairs(const syn_trimesh *a, const syn_trimesh *b) {
  double least2 = INFINITY;
  for (uint32_t i = 0; i < a->triangle_count; ++i)
    for (uint32_t j = 0; j < b->triangle_count; ++j) {
      syn_vec3 p[3], q[3];
      for (int c = 0; c < 3; ++c) {
        p[c] = a->vertices[a->triangles[i].v[c]];
        q[c] = b->vertices[b->triangles[j].v[c]];
      }
      least2 = min2(least2, syn_triangle_distance(p, q).distance2);
    }
  return sqrt(least2);
}

static double seconds_of_pairs(const char *method, const syn_trimesh *fixed, const syn_trimesh *mobile) {
  const syn_body bodies[2] = {{.surface = fixed}, {.surface = mobile}};
  syn_collide_options options = syn_default_collide_options();
  syn_contacts result = {0};
  syn_collider *collider;
  syn_error error;
  options.center = vec3(1.15, 3, 0); /* beside both: shells about it part nothing */
  ASSERT_OK(syn_collider_create(NULL, method, &bodies[0], &bodies[1], &options, &collider, &error));
  void *scratch = malloc(syn_collider_scratch(collider) + 1);
  const clock_t begin = clock();
  assert_int_equal(syn_collider_query(collider, NULL, scratch, &result), SYN_OK);
  const clock_t end = clock();
  assert_false(result.penetrating);
  free(scratch);
  syn_collider_destroy(collider);
  return (double)(end - begin) / CLOCKS_PER_SEC;
}

static double seconds_of_clearance(const syn_trimesh *fixed, const syn_trimesh *mobile) {
  syn_distance *distance;
  syn_clearance clearance;
  syn_error error;
  ASSERT_OK(syn_distance_create(fixed, mobile, NULL, &distance, &error));
  void *scratch = malloc(syn_distance_scratch(distance));
  const clock_t begin = clock();
  assert_int_equal(syn_distance_query(distance, NULL, NULL, scratch, &clearance), SYN_OK);
  const clock_t end = clock();
  free(scratch);
  syn_distance_destroy(distance);
  return (double)(end - begin) / CLOCKS_PER_SEC;
}

/* Boxes that are all as wide as the rounding of one far vertex tell nothing apart: every triangle would be compared
 * with every other one, which takes seconds where it should take less than a millisecond. */
static void one_stray_vertex_takes_no_time(void **state) {
  (void)state;
  test_random random = {7};
  syn_trimesh *fixed = make_blob(NULL, &random, 60, 80, 0.1), *round = make_blob(NULL, &random, 60, 80, 0.1), *near;
  syn_error error;
  const syn_pose beside = {syn_pose_identity().rotation, vec3(2.3, 0, 0)};
  ASSERT_OK(syn_trimesh_transform(round, &beside, &near, &error));
  syn_trimesh *mobile = with_vertex(near, near->triangles[near->triangle_count - 1].v[0], vec3(1e9, 3e8, 5e8));
  assert_true(seconds_of_pairs("obb", fixed, mobile) < 0.1);
  assert_true(seconds_of_pairs("aabb", fixed, mobile) < 0.1);
  assert_true(seconds_of_clearance(fixed, mobile) < 0.1);
  syn_trimesh_destroy(mobile);
  syn_trimesh_destroy(near);
  syn_trimesh_destroy(round);
  syn_trimesh_destroy(fixed);
}

/* A damaged vertex must not blunt the bounds of all others, nor the answer. */
static void one_stray_vertex_changes_no_other_part(void **state) {
  (void)state;
  static const double strays[] = {1e3, 1e6, 1e9, 9e11};
  test_random random = {7};
  syn_trimesh *fixed = make_blob(NULL, &random, 12, 14, 0.1), *round = make_blob(NULL, &random, 12, 14, 0.1), *near;
  syn_error error;
  const syn_pose beside = {syn_pose_identity().rotation, vec3(2.3, 0, 0)};
  ASSERT_OK(syn_trimesh_transform(round, &beside, &near, &error));
  const uint32_t vertex = near->triangles[near->triangle_count - 1].v[0];
  for (int i = 0; i < 4; ++i) {
    /* at the far end of the mobile body, away from the fixed one */
    syn_trimesh *mobile = with_vertex(near, vertex, vec3(strays[i], strays[i] / 3, strays[i] / 2));
    syn_distance *distance;
    syn_clearance clearance;
    ASSERT_OK(syn_distance_create(fixed, mobile, NULL, &distance, &error));
    void *scratch = malloc(syn_distance_scratch(distance));
    assert_int_equal(syn_distance_query(distance, NULL, NULL, scratch, &clearance), SYN_OK);
    ASSERT_NEAR(clearance.distance_mm, distance_of_all_pairs(fixed, mobile), 1e-6);
    free(scratch);
    syn_distance_destroy(distance);
    syn_rotation *rotation;
    syn_event event[2], plain[2];
    for (int stray = 0; stray < 2; ++stray) {
      ASSERT_OK(syn_rotation_create(fixed, stray ? mobile : near, vec3(2.3, 3, 0), &rotation, &error));
      scratch = malloc(syn_rotation_scratch(rotation));
      syn_event *to = stray ? event : plain;
      assert_int_equal(syn_rotation_query(rotation, NULL, vec3(0, 0, 1), NULL, scratch, &to[0], &to[1]), SYN_OK);
      free(scratch);
      syn_rotation_destroy(rotation);
    }
    /* the far triangles touch nothing before the others do, turning this way */
    assert_int_equal(event[1].kind, plain[1].kind);
    assert_true(event[1].angle <= plain[1].angle);
    syn_trimesh_destroy(mobile);
  }
  syn_trimesh_destroy(fixed);
  syn_trimesh_destroy(round);
  syn_trimesh_destroy(near);
}

/* Points, segments and sheets of ordinary size are bodies, too. */
static void flat_bodies_and_points_stay_welcome(void **state) {
  (void)state;
  const syn_vec3 point[3] = {{2, 2, 2}, {2, 2, 2}, {2, 2, 2}}, sheet[3] = {{2, 0, 0}, {2, 3, 0}, {2, 0, 3}};
  const syn_triangle one = {{0, 1, 2}};
  syn_trimesh *cube = make_cube(NULL, 1);
  syn_error error;
  for (int i = 0; i < 2; ++i) {
    syn_trimesh *thin;
    syn_distance *distance;
    syn_clearance clearance;
    ASSERT_OK(syn_trimesh_create(NULL, i ? sheet : point, 3, &one, 1, &thin, &error));
    ASSERT_OK(syn_distance_create(cube, thin, NULL, &distance, &error));
    void *scratch = malloc(syn_distance_scratch(distance));
    assert_int_equal(syn_distance_query(distance, NULL, NULL, scratch, &clearance), SYN_OK);
    ASSERT_NEAR(clearance.distance_mm, i ? 1 : sqrt(3), 1e-12);
    free(scratch);
    syn_distance_destroy(distance);
    syn_trimesh_destroy(thin);
  }
  syn_trimesh_destroy(cube);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_method_refuses_bodies_of_absurd_size),
      cmocka_unit_test(every_method_refuses_such_updates_centres_and_poses),
      cmocka_unit_test(far_poses_are_answered),
      cmocka_unit_test(one_stray_vertex_takes_no_time),
      cmocka_unit_test(one_stray_vertex_changes_no_other_part),
      cmocka_unit_test(flat_bodies_and_points_stay_welcome),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
