/* Overlap of two bodies: volumes against closed forms and sampling, zones against every vertex, closed contours. */
#include "base/vec.h"
#include "collide/surface/surface_tree.h"
#include "support.h"
#include "surfaces.h"

static syn_overlap *overlap_of(const syn_trimesh *a, const syn_trimesh *b, const syn_pose *pose) {
  syn_error error;
  syn_overlap *o;
  ASSERT_OK(syn_overlap_create(a, b, pose, &o, &error));
  return o;
}

static syn_pose shifted(double x, double y, double z) {
  syn_pose pose = syn_pose_identity();
  pose.translation = vec3(x, y, z);
  return pose;
}

static void boxes_overlap_in_a_box(void **state) {
  (void)state;
  test_random random = {41};
  syn_trimesh *a = make_cube(NULL, 2), *b = make_cube(NULL, 1.5);
  for (int i = 0; i < 300; ++i) {
    const syn_vec3 at = random_vec3(&random, 2.5);
    const syn_pose pose = shifted(at.x, at.y, at.z);
    const syn_vec3 low = vec3_max(at, vec3(0, 0, 0)), high = vec3_min(vec3_add(at, vec3(1.5, 1.5, 1.5)), vec3(2, 2, 2));
    const syn_vec3 size = vec3_max(vec3_sub(high, low), vec3(0, 0, 0));
    const double volume = size.x * size.y * size.z;
    syn_overlap *o = overlap_of(a, b, &pose);
    ASSERT_NEAR(o->volume_mm3, volume, 1e-12);
    if (volume > 1e-6) {
      ASSERT_NEAR(vec3_distance(o->centroid, vec3_lerp(low, high, 0.5)), 0, 1e-9);
      ASSERT_NEAR(o->fixed_area_mm2 + o->mobile_area_mm2, 2 * (size.x * size.y + size.y * size.z + size.z * size.x),
                  1e-11);
    }
    syn_overlap_destroy(o);
  }
  syn_trimesh_destroy(a);
  syn_trimesh_destroy(b);
}

/* Faces in one plane, edges on edges, corners on corners: the answer is that of the bodies as they are. */
/* Every triangle is in one zone; the loops are as long as their edges. */
static void zones_are_counted_and_loops_measured(void **state) {
  (void)state;
  syn_trimesh *cube = make_cube(NULL, 1);
  const syn_pose pose = shifted(0.31, 0.27, 0.43), away = shifted(7, 0, 0);
  syn_overlap *o = overlap_of(cube, cube, &pose);
  for (int mobile = 0; mobile < 2; ++mobile) {
    uint32_t all = 0;
    for (int zone = 0; zone < SYN_ZONES; ++zone) all += syn_overlap_zone_count(o, mobile, (syn_zone)zone);
    assert_int_equal(all, cube->triangle_count);
    assert_true(syn_overlap_zone_count(o, mobile, SYN_ZONE_CUT) > 0);
  }
  assert_int_equal(o->loop_count, 1);
  /* six segments, two along each axis */
  ASSERT_NEAR(syn_overlap_loop_mm(o, 0), 2 * (1 - 0.31 + 1 - 0.27 + 1 - 0.43), 1e-9);
  syn_overlap_destroy(o);
  o = overlap_of(cube, cube, &away);
  assert_int_equal(syn_overlap_zone_count(o, true, SYN_ZONE_OUTSIDE), cube->triangle_count);
  syn_overlap_destroy(o);
  syn_trimesh_destroy(cube);
}

static void touching_boxes_are_nudged_and_right(void **state) {
  (void)state;
  syn_trimesh *a = make_cube(NULL, 2), *b = make_cube(NULL, 1);
  const struct {
    syn_vec3 at;
    double volume;
  } cases[] = {{{0, 0, 0}, 1},       {{1, 1, 1}, 1},
               {{0.5, 0.5, 1}, 1},   {{2, 0, 0}, 0},
               {{2, 2, 2}, 0},       {{-1, -1, 0.3}, 0},
               {{1.5, 0, 0}, 0.5},   {{0.5, 0.5, 1.5}, 0.5},
               {{0.5, 0.5, 0.5}, 1}, {{-0.5, -0.5, -0.5}, 0.125}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    const syn_pose pose = shifted(cases[i].at.x, cases[i].at.y, cases[i].at.z);
    syn_overlap *o = overlap_of(a, b, &pose);
    ASSERT_NEAR(o->volume_mm3, cases[i].volume, 1e-7);
    assert_true(o->nudge_mm <= 1e-8 * 3);
    syn_overlap_destroy(o);
  }
  syn_trimesh_destroy(a);
  syn_trimesh_destroy(b);
}

/* Two spheres of radius 1 at distance d share a lens of volume pi (4 + d)(2 - d)^2 / 12; polyhedra a little less. */
static void spheres_overlap_in_a_lens(void **state) {
  (void)state;
  test_random random = {42};
  syn_trimesh *ball = make_blob(NULL, &random, 40, 60, 0);
  for (int i = 1; i < 10; ++i) {
    const double d = 0.2 * i, lens = SYN_PI * (4 + d) * (2 - d) * (2 - d) / 12;
    const syn_pose pose = shifted(0.6 * d, 0, 0.8 * d);
    syn_overlap *o = overlap_of(ball, ball, &pose);
    assert_true(o->volume_mm3 < lens && o->volume_mm3 > lens - 0.02 * SYN_PI * (2 - d));
    ASSERT_NEAR(vec3_distance(o->centroid, vec3(0.3 * d, 0, 0.4 * d)), 0, 2e-3);
    assert_int_equal(o->loop_count, 1);
    for (uint32_t k = 0; k < o->loop_start[1]; ++k) { /* the circle halfway between */
      const syn_vec3 p = o->loop_points[k];
      ASSERT_NEAR(0.6 * p.x + 0.8 * p.z, d / 2, 0.01);
    }
    syn_overlap_destroy(o);
  }
  syn_trimesh_destroy(ball);
}

/* What the pieces of a body have in common with a plane's two sides adds up to the body: cutting a blob by a large box
 * and by the box on the other side. */
static void two_halves_make_a_whole(void **state) {
  (void)state;
  test_random random = {43};
  syn_trimesh *box = make_cube(NULL, 20);
  for (int i = 0; i < 60; ++i) {
    syn_trimesh *blob = make_blob(NULL, &random, 6, 8, i % 2 ? 3 : 0.3);
    const syn_pose turn = random_pose(&random, 0.3);
    syn_pose lower = turn, upper = turn;
    lower.translation = vec3_add(turn.translation, vec3(10, 10, 20));
    upper.translation = vec3_add(turn.translation, vec3(10, 10, 0));
    syn_overlap *a = overlap_of(box, blob, &lower), *b = overlap_of(box, blob, &upper);
    ASSERT_NEAR(a->volume_mm3 + b->volume_mm3, surface_volume(blob), 1e-10);
    assert_true(a->volume_mm3 > 0 && b->volume_mm3 > 0);
    syn_overlap_destroy(a);
    syn_overlap_destroy(b);
    syn_trimesh_destroy(blob);
  }
  syn_trimesh_destroy(box);
}

static void check_zones(const syn_trimesh *own, const syn_surface_tree *other, const syn_pose *pose,
                        const uint8_t *zones) {
  for (uint32_t t = 0; t < own->triangle_count; ++t) {
    int in = 0;
    for (int c = 0; c < 3; ++c)
      in += syn_surface_tree_winding(other, syn_pose_point(pose, own->vertices[own->triangles[t].v[c]])) > 0.5;
    if (in != 0 && in != 3) assert_int_equal(zones[t], SYN_ZONE_CUT);
    if (zones[t] != SYN_ZONE_CUT) assert_int_equal(in, zones[t] >= SYN_ZONE_INNER ? 3 : 0);
  }
}

static double sampled_volume(test_random *random, const syn_surface_tree *a, const syn_surface_tree *b,
                             const syn_pose *back, int samples) {
  int hits = 0;
  for (int i = 0; i < samples; ++i) {
    const syn_vec3 p = vec3_madd(a->origin, a->reach, random_vec3(random, 1));
    hits += syn_surface_tree_winding(a, p) > 0.5 && syn_surface_tree_winding(b, syn_pose_point(back, p)) > 0.5;
  }
  return 8 * a->reach * a->reach * a->reach * hits / samples;
}

/* Spiky bodies in any pose: zones by winding numbers, contours that close, volumes by throwing points. */
static void blobs_overlap_as_samples_say(void **state) {
  (void)state;
  test_random random = {44};
  for (int i = 0; i < 40; ++i) {
    syn_error error;
    syn_surface_tree *sa, *sb;
    syn_trimesh *a = make_blob(NULL, &random, 5, 7, i % 3), *b = make_blob(NULL, &random, 4, 6, i % 2);
    const syn_pose pose = random_pose(&random, 1), back = syn_pose_inverse(&pose);
    ASSERT_OK(syn_surface_tree_create(a->context, a, &sa, &error));
    ASSERT_OK(syn_surface_tree_create(b->context, b, &sb, &error));
    syn_overlap *o = overlap_of(a, b, &pose);
    check_zones(a, sb, &back, o->fixed_zones);
    check_zones(b, sa, &pose, o->mobile_zones);
    const double box = 8 * sa->reach * sa->reach * sa->reach, sampled = sampled_volume(&random, sa, sb, &back, 1500);
    ASSERT_NEAR(o->volume_mm3, sampled, 5 * box * sqrt(max2(sampled / box, 1e-3) / 1500));
    for (uint32_t loop = 0; loop < o->loop_count; ++loop)
      assert_true(o->loop_start[loop + 1] >= o->loop_start[loop] + 3);
    syn_overlap_destroy(o);
    syn_surface_tree_destroy(sa);
    syn_surface_tree_destroy(sb);
    syn_trimesh_destroy(a);
    syn_trimesh_destroy(b);
  }
}

static void a_body_inside_another_overlaps_with_all_of_it(void **state) {
  (void)state;
  syn_trimesh *a = make_cube(NULL, 3), *b = make_cube(NULL, 1);
  const syn_pose pose = shifted(1, 1, 1), apart = shifted(5, 0, 0);
  syn_overlap *o = overlap_of(a, b, &pose);
  ASSERT_NEAR(o->volume_mm3, 1, 1e-12);
  assert_int_equal(o->loop_count, 0);
  for (int t = 0; t < 12; ++t)
    assert_true(o->mobile_zones[t] == SYN_ZONE_INSIDE && o->fixed_zones[t] == SYN_ZONE_OUTSIDE);
  syn_overlap_destroy(o);
  o = overlap_of(a, b, &apart);
  assert_true(o->volume_mm3 == 0 && o->loop_count == 0 && o->nudge_mm == 0);
  syn_overlap_destroy(o);
  syn_overlap_destroy(NULL);
  syn_trimesh_destroy(a);
  syn_trimesh_destroy(b);
}

static void an_open_surface_is_refused(void **state) {
  (void)state;
  syn_error error;
  syn_overlap *o;
  syn_trimesh *cube = make_cube(NULL, 1), *open;
  ASSERT_OK(syn_trimesh_create(NULL, cube->vertices, 8, cube->triangles, 11, &open, &error));
  ASSERT_FAILS(syn_overlap_create(open, cube, NULL, &o, &error), SYN_BAD_MESH, "fixed surface");
  ASSERT_FAILS(syn_overlap_create(cube, open, NULL, &o, &error), SYN_BAD_MESH, "mobile surface");
  syn_trimesh_destroy(open);
  syn_trimesh_destroy(cube);
}

static syn_status make(const syn_context *context, void *user, syn_error *error) {
  syn_trimesh mesh = *(const syn_trimesh *)user;
  mesh.context = context;
  mesh.shared = NULL; /* all memory comes from this context */
  const syn_pose pose = shifted(0.31, 0.27, 0.43);
  syn_overlap *o;
  SYN_TRY(syn_overlap_create(&mesh, &mesh, &pose, &o, error));
  syn_status status = syn_overlap_write(o, &mesh, &mesh, temporary_path("zones.vtp"), NULL, error);
  if (status == SYN_OK) status = syn_overlap_write_contour(o, temporary_path("contour.vtp"), error);
  syn_overlap_destroy(o);
  return status;
}

static void every_refused_allocation_is_survived(void **state) {
  (void)state;
  syn_trimesh *cube = make_cube(NULL, 1);
  check_every_allocation(make, cube);
  syn_trimesh_destroy(cube);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(boxes_overlap_in_a_box),
      cmocka_unit_test(zones_are_counted_and_loops_measured),
      cmocka_unit_test(touching_boxes_are_nudged_and_right),
      cmocka_unit_test(spheres_overlap_in_a_lens),
      cmocka_unit_test(two_halves_make_a_whole),
      cmocka_unit_test(blobs_overlap_as_samples_say),
      cmocka_unit_test(a_body_inside_another_overlaps_with_all_of_it),
      cmocka_unit_test(an_open_surface_is_refused),
      cmocka_unit_test(every_refused_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
