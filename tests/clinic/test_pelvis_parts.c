/* The parts of finding a pelvis, each against its slow twin. */
#include "clinic/anatomy/pelvis.h"
#include "support.h"

/* ---- profiles --------------------------------------------------------------------------------------------------- */

/* Does the ray from the centre meet a face that looks at it, near enough and not just edge-on? */
static bool ray_sees(const syn_trimesh *mesh, const syn_profile *profile, syn_vec3 way) {
  for (uint32_t i = 0; i < mesh->triangle_count; ++i) {
    const uint32_t *v = mesh->triangles[i].v;
    const syn_vec3 a = vec3_sub(mesh->vertices[v[0]], profile->center);
    const syn_vec3 b = vec3_sub(mesh->vertices[v[1]], profile->center);
    const syn_vec3 c = vec3_sub(mesh->vertices[v[2]], profile->center);
    const double far = max2(vec3_length(a), max2(vec3_length(b), vec3_length(c)));
    const double u = vec3_dot(way, vec3_cross(b, a)), w = vec3_dot(way, vec3_cross(c, b));
    const syn_vec3 normal = vec3_cross(vec3_sub(b, a), vec3_sub(c, a));
    if (vec3_dot(normal, a) >= -0.05 * vec3_length(normal) * vec3_length(a)) continue;
    if (far <= profile->farthest && u >= 0 && w >= 0 && vec3_dot(way, vec3_cross(a, c)) >= 0) return true;
  }
  return false;
}

/* The last angle that rays see in steps of half a degree, with gaps up to so many of them; negative: none. */
static double edge_by_rays(const syn_trimesh *mesh, const syn_profile *profile, double gap) {
  const double step = SYN_PI / 360;
  double last = -1;
  for (double angle = profile->from; angle < SYN_PI && angle - (last < 0 ? profile->from : last) < gap * step;
       angle += step)
    if (ray_sees(mesh, profile,
                 vec3_add(vec3_scale(profile->start, cos(angle)), vec3_scale(profile->toward, sin(angle)))))
      last = angle;
  return last;
}

static void the_edge_of_a_profile_is_the_last_bone_that_rays_meet(void **state) {
  (void)state;
  syn_error error;
  syn_joint *shape;
  const syn_shape_value values[] = {{"ce", 35}, {"resolution", 3}, {"acetabular-version", 12}};
  ASSERT_OK(syn_shape_create(NULL, "hip", values, 3, &shape, &error));
  const syn_trimesh *bone = syn_joint_body_named(shape, "pelvis")->surface;
  test_random random = {8};
  int seen = 0;
  for (int i = 0; i < 60; ++i) {
    syn_profile profile = {.center = random_vec3(&random, 4), .farthest = 34};
    profile.start = vec3_unit(vec3_add(vec3(-0.64, 0, 0.77), random_vec3(&random, 0.4)));
    const syn_vec3 any = random_vec3(&random, 1);
    profile.toward = vec3_unit(vec3_cross(profile.start, any));
    profile.from = random_between(&random, 0.1, i % 6 ? 0.9 : 2.5);
    syn_vec3 edge;
    double angle;
    const bool found =
        syn_profile_edge(bone->vertices, bone->triangles, bone->triangle_count, NULL, &profile, &edge, &angle);
    const double twin = edge_by_rays(bone, &profile, 3.5);
    if (twin != edge_by_rays(bone, &profile, 8.5)) continue; /* a gap that may count or not */
    assert_int_equal(found, twin >= 0);
    if (!found) continue;
    ++seen;
    ASSERT_NEAR(angle, twin, SYN_PI / 180);
    const syn_vec3 off = vec3_sub(edge, profile.center);
    ASSERT_NEAR(atan2(vec3_dot(off, profile.toward), vec3_dot(off, profile.start)), angle, 1e-9);
    ASSERT_NEAR(vec3_dot(off, vec3_cross(profile.start, profile.toward)), 0, 1e-9);
  }
  assert_true(seen > 40);
  syn_joint_destroy(shape);
}

/* ---- own coordinates -------------------------------------------------------------------------------------------- */

static void a_bone_has_the_same_coordinates_however_it_lies(void **state) {
  (void)state;
  syn_error error;
  test_random random = {4};
  syn_trimesh *unit = make_blob(NULL, &random, 20, 30, 0.4);
  syn_vec3 *points = malloc(unit->vertex_count * sizeof *points);
  for (uint32_t i = 0; i < unit->vertex_count; ++i)
    points[i] = vec3(90 * unit->vertices[i].x, 60 * unit->vertices[i].y, 40 * unit->vertices[i].z);
  syn_trimesh *blob, *turned, *mirrored;
  ASSERT_OK(syn_trimesh_create(NULL, points, unit->vertex_count, unit->triangles, unit->triangle_count, &blob, &error));
  const syn_pose pose = random_pose(&random, 300);
  ASSERT_OK(syn_trimesh_transform(blob, &pose, &turned, &error));
  ASSERT_OK(syn_trimesh_mirror(turned, &mirrored, &error));
  syn_bone bones[3];
  ASSERT_OK(syn_bone_create(NULL, blob, &bones[0], &error));
  ASSERT_OK(syn_bone_create(NULL, turned, &bones[1], &error));
  ASSERT_OK(syn_bone_create(NULL, mirrored, &bones[2], &error));
  for (uint32_t i = 0; i < blob->vertex_count; ++i) {
    for (int k = 1; k < 3; ++k) {
      ASSERT_NEAR(vec3_distance(bones[0].points[i], bones[k].points[i]), 0, 1e-9);
      ASSERT_NEAR(vec3_distance(bones[0].normals[i], bones[k].normals[i]), 0, 1e-9);
    }
    ASSERT_NEAR(vec3_distance(syn_bone_outward(&bones[1], bones[1].points[i]), turned->vertices[i]), 0, 1e-9);
    assert_int_equal(bones[0].component[i], 0);
  }
  for (int k = 0; k < 3; ++k) syn_bone_release(&bones[k]);
  syn_trimesh_destroy(unit);
  syn_trimesh_destroy(blob);
  syn_trimesh_destroy(turned);
  syn_trimesh_destroy(mirrored);
  free(points);
}

/* ---- landmarks -------------------------------------------------------------------------------------------------- */

/* Where the landmarks of a typical right hip bone are, lateral, front, up, and how its cup opens. */
static const syn_vec3 typical_places[SYN_SPINES] = {{25, 39, 80},   {-39, -107, 80}, {11, 27, 42}, {-63, 52, -8},
                                                    {-35, -50, -7}, {-33, -21, -69}, {-82, 39, -9}};
static const syn_vec3 typical_normal = {0.76, 0.39, -0.51};

/* Two ways to lay it, half a turn about the cup apart: the right one fits all vertices, and of the coarse points the
 * wrong one fits a little better. The vertices decide. */
static void the_best_coarse_way_is_not_the_only_one_that_goes_on(void **state) {
  (void)state;
  enum { BOTH = 2 * SYN_SPINES, DRAWS = 20 };
  const syn_vec3 normal = vec3_unit(typical_normal);
  const syn_pose half_turn = syn_pose_from_quat((syn_quat){0, normal.x, normal.y, normal.z}, vec3(0, 0, 0));
  syn_vec3 points[BOTH], coarse[BOTH];
  double areas[BOTH];
  uint32_t pieces[BOTH] = {0};
  for (int i = 0; i < BOTH; ++i) areas[i] = 1;
  test_random random = {17};
  for (int draw = 0; draw < DRAWS; ++draw) {
    for (int i = 0; i < SYN_SPINES; ++i) {
      const syn_vec3 off = random_vec3(&random, 0.5);
      points[i] = typical_places[i];
      points[SYN_SPINES + i] = syn_pose_point(&half_turn, vec3_add(points[i], vec3_scale(off, 4)));
      coarse[i] = vec3_add(points[i], vec3_scale(off, 1.2));
      coarse[SYN_SPINES + i] = syn_pose_point(&half_turn, vec3_add(points[i], off));
    }
    syn_bone bone = {.child = 1, .vertex_count = BOTH, .points = points, .areas = areas, .component = pieces};
    bone.all = (syn_bone_points){BOTH, points, areas, pieces};
    bone.coarse = (syn_bone_points){BOTH, coarse, areas, pieces};
    syn_half half = {.component = SYN_NONE, .cup = {.normal = normal}};
    double rival;
    syn_spines_find(&bone, 1, &half, &rival);
    for (uint32_t k = 0; k < SYN_SPINES; ++k) assert_int_equal(half.vertex[k], k);
    assert_true(half.misfit < 1e-9);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_edge_of_a_profile_is_the_last_bone_that_rays_meet),
      cmocka_unit_test(a_bone_has_the_same_coordinates_however_it_lies),
      cmocka_unit_test(the_best_coarse_way_is_not_the_only_one_that_goes_on),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
