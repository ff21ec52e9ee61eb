// test: slow
/* The femur's anatomy and measures on generated hips, turned, mirrored, cut, dirty, or not a femur at all. */
#include "base/vec.h"
#include "support.h"

/* The femur of a parametric hip with its cartilage, as one mesh: alpha is that of the outermost surface. */
static syn_trimesh *make_femur(const syn_context *context, double alpha, double ce, double resolution) {
  const syn_shape_value values[] = {{"alpha", alpha}, {"ce", ce}, {"resolution", resolution}};
  syn_joint *shape;
  syn_trimesh *merged;
  syn_error error;
  ASSERT_OK(syn_shape_create(context, "hip", values, 3, &shape, &error));
  const syn_trimesh *parts[] = {syn_joint_body_named(shape, "femur")->surface,
                                syn_joint_body_named(shape, "femoral_cartilage")->surface};
  ASSERT_OK(syn_trimesh_merge(context, parts, 2, &merged, &error));
  syn_joint_destroy(shape);
  return merged;
}

static syn_trimesh *make_bone(double alpha) {
  const syn_shape_value values[] = {{"alpha", alpha}};
  syn_joint *shape;
  syn_trimesh *copy;
  syn_error error;
  ASSERT_OK(syn_shape_create(NULL, "hip", values, 1, &shape, &error));
  const syn_trimesh *bone = syn_joint_body_named(shape, "femur")->surface;
  ASSERT_OK(syn_trimesh_merge(NULL, &bone, 1, &copy, &error));
  syn_joint_destroy(shape);
  return copy;
}

static syn_anatomy *find(const syn_trimesh *femur, syn_measures *measures) {
  syn_anatomy *anatomy;
  syn_error error;
  ASSERT_OK(syn_anatomy_create(NULL, NULL, femur, NULL, &anatomy, &error));
  ASSERT_OK(syn_measures_find(NULL, NULL, femur, anatomy, NULL, measures, &error));
  return anatomy;
}

/* ---- what was asked for is what is measured ------------------------------------------------------------------------
 */

static void the_25_hips_have_the_alpha_and_neck_shaft_angle_that_were_asked_for(void **state) {
  (void)state;
  for (double alpha = 40; alpha <= 80; alpha += 10)
    for (double ce = 0; ce <= 40; ce += 10) {
      syn_trimesh *femur = make_femur(NULL, alpha, ce, 4);
      syn_measures measures;
      syn_anatomy *anatomy = find(femur, &measures);
      assert_true(vec3_length(anatomy->head.center) < 1e-6);
      ASSERT_NEAR(measures.value[SYN_MEASURE_NECK_SHAFT_DEG], 135, 1);
      assert_int_equal(anatomy->side, SYN_SIDE_RIGHT);
      assert_true(anatomy->side_confidence > 0.5);
      ASSERT_NEAR(measures.value[SYN_MEASURE_ALPHA_DEG], alpha, 1.5);
      for (int k = 0; k < SYN_CLOCK_STEPS; ++k) ASSERT_NEAR(measures.alpha_clock_deg[k], alpha, 1.5);
      syn_anatomy_destroy(anatomy);
      syn_trimesh_destroy(femur);
    }
}

static void a_cam_of_some_hours_is_found_at_its_hours(void **state) {
  (void)state;
  const syn_shape_value values[] = {{"alpha", 75}, {"cam-clock", 1.5}, {"cam-width", 60}};
  syn_joint *shape;
  syn_trimesh *merged, *mirrored;
  syn_error error;
  ASSERT_OK(syn_shape_create(NULL, "hip", values, 3, &shape, &error));
  const syn_trimesh *parts[] = {syn_joint_body_named(shape, "femur")->surface,
                                syn_joint_body_named(shape, "femoral_cartilage")->surface};
  ASSERT_OK(syn_trimesh_merge(NULL, parts, 2, &merged, &error));
  ASSERT_OK(syn_trimesh_mirror(merged, &mirrored, &error));
  const syn_trimesh *both[] = {merged, mirrored};
  for (int i = 0; i < 2; ++i) {
    syn_measures measures;
    syn_anatomy *anatomy = find(both[i], &measures);
    ASSERT_NEAR(measures.value[SYN_MEASURE_ALPHA_1_30_DEG], 75, 1.5);
    ASSERT_NEAR(measures.value[SYN_MEASURE_ALPHA_DEG], 75, 1.5);
    ASSERT_NEAR(measures.alpha_worst_hour, 1.5, 1.01);
    ASSERT_NEAR(measures.alpha_clock_deg[30], 40, 1.5); /* 7:30 */
    assert_int_equal(anatomy->side, i ? SYN_SIDE_LEFT : SYN_SIDE_RIGHT);
    syn_anatomy_destroy(anatomy);
  }
  syn_trimesh_destroy(mirrored);
  syn_trimesh_destroy(merged);
  syn_joint_destroy(shape);
}

static void offset_and_ratio_are_those_of_a_round_neck(void **state) {
  (void)state;
  syn_trimesh *femur = make_femur(NULL, 50, 20, 8);
  syn_measures measures;
  syn_anatomy *anatomy = find(femur, &measures);
  const double neck = 0.52 * 25, head = anatomy->head.radius_mm;
  ASSERT_NEAR(measures.value[SYN_MEASURE_HEAD_NECK_OFFSET_MM], head - neck, 0.3);
  ASSERT_NEAR(measures.value[SYN_MEASURE_HEAD_NECK_OFFSET_RATIO], (head - neck) / (2 * head), 0.01);
  ASSERT_NEAR(measures.value[SYN_MEASURE_HEAD_NECK_RATIO], head / neck, 0.05);
  ASSERT_NEAR(measures.value[SYN_MEASURE_HEAD_SPHERICITY_MM], 0, 1e-6);
  for (uint32_t v = 0; v < femur->vertex_count; ++v)
    if (anatomy->head_vertices[v]) ASSERT_NEAR(vec3_length(femur->vertices[v]), head, 1e-4);
  syn_anatomy_destroy(anatomy);
  syn_trimesh_destroy(femur);
}

/* ---- no matter how it lies -----------------------------------------------------------------------------------------
 */

static void check_same(const syn_measures *a, const syn_measures *b) {
  for (int id = 0; id < SYN_MEASURES; ++id) {
    assert_int_equal(!a->why_not[id], !b->why_not[id]);
    if (!a->why_not[id]) ASSERT_NEAR(b->value[id], a->value[id], 0.001);
  }
  for (int k = 0; k < SYN_CLOCK_STEPS; ++k)
    if (isfinite(a->alpha_clock_deg[k])) ASSERT_NEAR(b->alpha_clock_deg[k], a->alpha_clock_deg[k], 0.001);
}

static void check_invariance(const syn_trimesh *femur, int turns) {
  test_random random = {11};
  syn_error error;
  syn_measures measures, other;
  syn_anatomy *anatomy = find(femur, &measures);
  for (int i = 0; i < 2 * turns; ++i) {
    const syn_pose pose = random_pose(&random, 500);
    syn_trimesh *moved, *mirrored = NULL;
    ASSERT_OK(syn_trimesh_transform(femur, &pose, &moved, &error));
    if (i & 1) ASSERT_OK(syn_trimesh_mirror(moved, &mirrored, &error));
    syn_anatomy *again = find(mirrored ? mirrored : moved, &other);
    check_same(&measures, &other);
    assert_true((again->side == anatomy->side) == !mirrored);
    const double sense = mirrored ? -1 : 1;
    for (int k = 0; k < SYN_LANDMARKS; ++k) {
      assert_int_equal(again->landmarks[k].found, anatomy->landmarks[k].found);
      if (anatomy->landmarks[k].found == SYN_FOUND_NOT) continue;
      syn_vec3 expected = syn_pose_point(&pose, anatomy->landmarks[k].place);
      expected.x *= sense;
      ASSERT_NEAR(vec3_distance(again->landmarks[k].place, expected), 0, 1e-4);
    }
    /* Right becomes left, so that the flexion axis of a mirrored bone points the other way. */
    syn_vec3 flexion = syn_pose_direction(&pose, anatomy->femur_axes.flexion);
    flexion.x *= sense;
    ASSERT_NEAR(vec3_distance(again->femur_axes.flexion, vec3_scale(flexion, sense)), 0, 1e-5);
    syn_anatomy_destroy(again);
    syn_trimesh_destroy(mirrored);
    syn_trimesh_destroy(moved);
  }
  syn_anatomy_destroy(anatomy);
}

static void turning_and_mirroring_change_nothing_on_a_generated_femur(void **state) {
  (void)state;
  syn_trimesh *femur = make_femur(NULL, 60, 20, 4);
  check_invariance(femur, 3);
  syn_trimesh_destroy(femur);
}

static void turning_and_mirroring_change_nothing_on_a_real_femur(void **state) {
  (void)state;
  REQUIRE_DATA(path, "bodyparts3d/femur_R_FMA24474.ply");
  syn_trimesh *femur;
  syn_error error;
  ASSERT_OK(syn_trimesh_read(NULL, path, NULL, &femur, &error));
  check_invariance(femur, 1);
  syn_trimesh_destroy(femur);
}

static void axes_are_unit_right_handed_and_point_where_they_should(void **state) {
  (void)state;
  syn_trimesh *femur = make_femur(NULL, 50, 20, 4);
  syn_measures measures;
  syn_anatomy *anatomy = find(femur, &measures);
  const syn_hip_axes *axes = &anatomy->femur_axes;
  assert_true(vec3_distance(vec3_cross(axes->flexion, axes->adduction), axes->rotation) < 1e-12);
  /* No version, but 14 degrees of torsion assumed, and a shaft that is flexed and adducted as what is left of a bone
   * that ends five head radii below its head on average: the model's is upright, but for bumps that tilt it by a
   * degree. */
  assert_true(anatomy->shaft_axis.z > 0.999);
  ASSERT_NEAR(acos(axes->rotation.z) * 180 / SYN_PI, hypot(11.9, 1.4), 1.5);
  ASSERT_NEAR(asin(vec3_dot(anatomy->shaft_axis, axes->adduction)) * 180 / SYN_PI, -11.9, 1.5);
  ASSERT_NEAR(asin(vec3_dot(anatomy->shaft_axis, axes->flexion)) * 180 / SYN_PI, 1.4, 1.5);
  const syn_vec3 neck = anatomy->neck_axis;
  ASSERT_NEAR(atan2(vec3_dot(neck, axes->adduction), -vec3_dot(neck, axes->flexion)) * 180 / SYN_PI, 14, 1e-6);
  const syn_vec3 up = anatomy->shaft_axis,
                 across = vec3_madd(anatomy->neck_axis, -vec3_dot(anatomy->neck_axis, up), up);
  assert_true(vec3_dot(across, axes->adduction) > 0.1); /* forward */
  syn_anatomy_destroy(anatomy);
  syn_trimesh_destroy(femur);
}

/* ---- dirty and partial meshes --------------------------------------------------------------------------------------
 */

/* Only the triangles that lie wholly where dot(p, normal) <= offset. */
static syn_trimesh *cut(const syn_trimesh *mesh, syn_vec3 normal, double offset) {
  syn_triangle *kept = malloc(mesh->triangle_count * sizeof *kept);
  size_t count = 0;
  syn_trimesh *result;
  syn_error error;
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    bool inside = true;
    for (int c = 0; c < 3; ++c) inside = inside && vec3_dot(mesh->vertices[mesh->triangles[t].v[c]], normal) <= offset;
    if (inside) kept[count++] = mesh->triangles[t];
  }
  ASSERT_OK(syn_trimesh_create(NULL, mesh->vertices, mesh->vertex_count, kept, count, &result, &error));
  free(kept);
  return result;
}

static void an_open_or_inside_out_femur_gives_the_same_answer(void **state) {
  (void)state;
  syn_trimesh *bone = make_bone(50), *open = cut(bone, vec3(0, 0, -1), 145), *flipped;
  syn_triangle *turned = malloc(bone->triangle_count * sizeof *turned);
  syn_error error;
  for (uint32_t t = 0; t < bone->triangle_count; ++t)
    turned[t] = (syn_triangle){{bone->triangles[t].v[0], bone->triangles[t].v[2], bone->triangles[t].v[1]}};
  ASSERT_OK(
      syn_trimesh_create(NULL, bone->vertices, bone->vertex_count, turned, bone->triangle_count, &flipped, &error));
  free(turned);
  assert_true(open->triangle_count < bone->triangle_count);
  syn_measures whole, other;
  syn_anatomy *anatomy = find(bone, &whole), *again = find(flipped, &other);
  check_same(&whole, &other);
  syn_anatomy_destroy(again);
  again = find(open, &other);
  ASSERT_NEAR(other.value[SYN_MEASURE_ALPHA_DEG], whole.value[SYN_MEASURE_ALPHA_DEG], 0.5);
  ASSERT_NEAR(other.value[SYN_MEASURE_NECK_SHAFT_DEG], whole.value[SYN_MEASURE_NECK_SHAFT_DEG], 0.5);
  syn_anatomy_destroy(again);
  syn_anatomy_destroy(anatomy);
  syn_trimesh_destroy(flipped);
  syn_trimesh_destroy(open);
  syn_trimesh_destroy(bone);
}

static void crumbs_are_left_out_with_a_warning(void **state) {
  (void)state;
  test_memory memory = {0};
  const syn_context context = test_context(&memory);
  syn_trimesh *bone = make_bone(50), *cube = make_cube(NULL, 4), *moved, *merged;
  const syn_pose away = {syn_pose_identity().rotation, {60, 40, -300}};
  syn_measures clean, dirty;
  syn_error error;
  ASSERT_OK(syn_trimesh_transform(cube, &away, &moved, &error));
  const syn_trimesh *parts[] = {moved, bone, cube};
  ASSERT_OK(syn_trimesh_merge(&context, parts, 3, &merged, &error));
  syn_anatomy *anatomy = find(bone, &clean), *with_crumbs;
  ASSERT_OK(syn_anatomy_create(&context, NULL, merged, NULL, &with_crumbs, &error));
  assert_non_null(strstr(memory.all_warnings, "2 small pieces"));
  ASSERT_OK(syn_measures_find(&context, NULL, merged, with_crumbs, NULL, &dirty, &error));
  check_same(&clean, &dirty);
  syn_anatomy_destroy(with_crumbs);
  syn_anatomy_destroy(anatomy);
  syn_trimesh_destroy(merged);
  syn_trimesh_destroy(moved);
  syn_trimesh_destroy(cube);
  syn_trimesh_destroy(bone);
  assert_int_equal(memory.live, 0);
}

static void without_a_shaft_the_axes_are_those_of_the_scan(void **state) {
  (void)state;
  test_memory memory = {0};
  const syn_context context = test_context(&memory);
  syn_trimesh *bone = make_bone(50), *stump = cut(bone, vec3_unit(vec3(0.766, 0, -0.643)), 42);
  syn_anatomy *anatomy;
  syn_measures measures;
  syn_error error;
  ASSERT_OK(syn_anatomy_create(&context, NULL, stump, NULL, &anatomy, &error));
  assert_false(anatomy->has_shaft);
  assert_true(anatomy->has_neck);
  assert_int_equal(anatomy->femur_frame, SYN_FRAME_BODY);
  assert_true(anatomy->side_confidence == 0);
  assert_non_null(strstr(memory.all_warnings, "axes of the scan"));
  assert_non_null(strstr(memory.all_warnings, "cannot be seen from its shape"));
  ASSERT_OK(syn_measures_find(&context, NULL, stump, anatomy, NULL, &measures, &error));
  assert_non_null(measures.why_not[SYN_MEASURE_NECK_SHAFT_DEG]);
  assert_null(measures.why_not[SYN_MEASURE_ALPHA_DEG]);
  syn_anatomy_destroy(anatomy);
  const syn_side left = SYN_SIDE_LEFT;
  syn_anatomy_options options = syn_default_anatomy_options();
  options.side = &left;
  ASSERT_OK(syn_anatomy_create(&context, NULL, stump, &options, &anatomy, &error));
  assert_int_equal(anatomy->side, SYN_SIDE_LEFT);
  assert_true(anatomy->side_confidence == 1 && anatomy->femur_axes.rotation.z == -1);
  syn_anatomy_destroy(anatomy);
  syn_trimesh_destroy(stump);
  syn_trimesh_destroy(bone);
}

static void given_epicondyles_make_a_full_frame_of_a_cut_femur(void **state) {
  (void)state;
  syn_trimesh *bone = make_bone(50);
  syn_found_point given[SYN_LANDMARK_SLOTS] = {{0}};
  given[SYN_LANDMARK_MEDIAL_EPICONDYLE] = (syn_found_point){SYN_FOUND_GIVEN, {-20, 3, -400}, 1};
  given[SYN_LANDMARK_LATERAL_EPICONDYLE] = (syn_found_point){SYN_FOUND_GIVEN, {60, 3, -400}, 1};
  given[SYN_LANDMARK_HEAD_CENTER] = (syn_found_point){SYN_FOUND_GIVEN, {20, 3, 0}, 1};
  syn_anatomy_options options = syn_default_anatomy_options();
  options.given = given;
  syn_anatomy *anatomy;
  syn_error error;
  ASSERT_OK(syn_anatomy_create(NULL, NULL, bone, &options, &anatomy, &error));
  assert_int_equal(anatomy->femur_frame, SYN_FRAME_ISB);
  assert_true(vec3_distance(anatomy->femur_axes.rotation, vec3(0, 0, 1)) < 1e-12);
  assert_true(vec3_distance(anatomy->femur_axes.flexion, vec3(1, 0, 0)) < 1e-12);
  assert_int_equal(anatomy->landmarks[SYN_LANDMARK_HEAD_CENTER].found, SYN_FOUND_GIVEN);
  syn_anatomy_destroy(anatomy);
  syn_trimesh_destroy(bone);
}

/* ---- memory --------------------------------------------------------------------------------------------------------
 */

static syn_status attempt(const syn_context *context, void *user, syn_error *error) {
  const syn_trimesh mesh = with_context(user, context);
  syn_anatomy *anatomy;
  const syn_status status = syn_anatomy_create(context, NULL, &mesh, NULL, &anatomy, error);
  if (status == SYN_OK) syn_anatomy_destroy(anatomy);
  return status;
}

static void no_memory_is_lost_when_it_runs_out(void **state) {
  (void)state;
  syn_trimesh *femur = make_femur(NULL, 50, 20, 2);
  check_every_allocation(attempt, femur);
  syn_trimesh_destroy(femur);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_25_hips_have_the_alpha_and_neck_shaft_angle_that_were_asked_for),
      cmocka_unit_test(a_cam_of_some_hours_is_found_at_its_hours),
      cmocka_unit_test(offset_and_ratio_are_those_of_a_round_neck),
      cmocka_unit_test(turning_and_mirroring_change_nothing_on_a_generated_femur),
      cmocka_unit_test(turning_and_mirroring_change_nothing_on_a_real_femur),
      cmocka_unit_test(axes_are_unit_right_handed_and_point_where_they_should),
      cmocka_unit_test(an_open_or_inside_out_femur_gives_the_same_answer),
      cmocka_unit_test(crumbs_are_left_out_with_a_warning),
      cmocka_unit_test(without_a_shaft_the_axes_are_those_of_the_scan),
      cmocka_unit_test(given_epicondyles_make_a_full_frame_of_a_cut_femur),
      cmocka_unit_test(no_memory_is_lost_when_it_runs_out),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
