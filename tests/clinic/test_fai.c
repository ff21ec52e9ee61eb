// test: slow
/* Impingement by penetration depth: closed forms on small bodies, and what may not matter does not. */
#include <synovia/clinic.h>

#include "base/vec.h"
#include "clinic/fai/fai.h"
#include "clinic/hip.h"
#include "support.h"

static const double DEGREE = SYN_PI / 180;

/* ---- hips ----------------------------------------------------------------------------------------------------------
 */

static syn_joint *make_hip(double ce, double alpha, double resolution) {
  const syn_shape_value values[] = {{"ce", ce}, {"alpha", alpha}, {"resolution", resolution}};
  syn_joint *shape;
  syn_error error;
  ASSERT_OK(syn_shape_create(NULL, "hip", values, 3, &shape, &error));
  return shape;
}

static syn_fai *run(const syn_context *context, const syn_hip *hip, const syn_pose *motion, size_t count) {
  syn_error error;
  syn_fai *fai;
  ASSERT_OK(syn_fai_create(context, hip, motion, count, NULL, &fai, &error));
  assert_int_equal(fai->step_count, count);
  return fai;
}

static void check_same(const syn_fai *a, const syn_fai *b, double tolerance) {
  for (size_t i = 0; i < a->step_count; ++i) {
    ASSERT_NEAR(a->curvilinear_mm[i], b->curvilinear_mm[i], tolerance);
    ASSERT_NEAR(a->curvilinear_swapped_mm[i], b->curvilinear_swapped_mm[i], tolerance);
    ASSERT_NEAR(a->radial_mm[i], b->radial_mm[i], tolerance);
    ASSERT_NEAR(a->radial_swapped_mm[i], b->radial_swapped_mm[i], tolerance);
  }
  ASSERT_NEAR(a->curvilinear_max_mm, b->curvilinear_max_mm, tolerance);
  ASSERT_NEAR(a->radial_max_mm, b->radial_max_mm, tolerance);
  assert_int_equal(a->fai_class, b->fai_class);
}

/* ---- closed forms --------------------------------------------------------------------------------------------------
 */

/* A block of labrum, x 17.5 to 19.5, y 10 to 12, z -1 to 1, and a femur with one corner ahead, 21 mm from the axis z;
 * the rest of it trails behind and stays free in all that is tested. */
typedef struct block_scene {
  syn_trimesh *labrum, *femur;
  syn_hip hip;
} block_scene;
enum { TIP = 0 };

static block_scene make_blocks(const syn_context *context) {
  block_scene scene;
  syn_error error;
  scene.labrum = make_cube(context, 2);
  const syn_pose there = {syn_pose_identity().rotation, {17.5, 10, -1}};
  syn_trimesh *moved;
  ASSERT_OK(syn_trimesh_transform(scene.labrum, &there, &moved, &error));
  syn_trimesh_destroy(scene.labrum);
  scene.labrum = moved;
  const syn_vec3 points[4] = {{21, 0, 0.1}, {20.9, -9, -0.4}, {21.1, -9, -0.4}, {21, -9, 0.5}};
  const syn_triangle triangles[4] = {{{0, 2, 1}}, {{0, 3, 2}}, {{0, 1, 3}}, {{1, 2, 3}}}; /* outward */
  ASSERT_OK(syn_trimesh_create(context, points, 4, triangles, 4, &scene.femur, &error));
  const syn_hip_axes axes = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
  scene.hip = (syn_hip){.pelvis_axes = axes, .femur_axes = axes};
  scene.hip.parts[SYN_HIP_LABRUM] = scene.labrum;
  scene.hip.parts[SYN_HIP_FEMUR] = scene.femur;
  return scene;
}

static void release_blocks(block_scene *scene) {
  syn_trimesh_destroy(scene->labrum);
  syn_trimesh_destroy(scene->femur);
}

static syn_pose turned(double degrees) { return syn_pose_about_axis(vec3(0, 0, 0), vec3(0, 0, 1), degrees * DEGREE); }

static void a_corner_that_turns_into_a_block_is_as_deep_as_the_circle_says(void **state) {
  (void)state;
  block_scene scene = make_blocks(NULL);
  const double enters = asin(10 / 21.0) / DEGREE; /* through the face y = 10 */
  const syn_pose motion[] = {turned(0), turned(enters - 0.1), turned(enters + 1), turned(enters + 3)};
  syn_fai *fai = run(NULL, &scene.hip, motion, 4);
  assert_true(fai->curvilinear_mm[0] == 0 && fai->curvilinear_mm[1] == 0 && fai->radial_mm[1] == 0);
  ASSERT_NEAR(fai->curvilinear_mm[2], 21 * 1 * DEGREE, 1e-9);
  ASSERT_NEAR(fai->curvilinear_mm[3], 21 * 3 * DEGREE, 1e-9);
  ASSERT_NEAR(fai->curvilinear_max_mm, 21 * 3 * DEGREE, 1e-9);
  ASSERT_NEAR(fai->femur_depth_mm[TIP], 21 * 3 * DEGREE, 1e-9);
  assert_true(fai->femur_depth_mm[1] == 0 && fai->femur_depth_mm[2] == 0 && fai->femur_depth_mm[3] == 0);
  assert_int_equal(fai->curvilinear_step, 3);
  assert_true(vec3_distance(fai->curvilinear_point, syn_pose_point(&motion[3], scene.femur->vertices[TIP])) < 1e-9);
  for (uint32_t v = 0; v < scene.labrum->vertex_count; ++v) assert_true(fai->labrum_depth_mm[v] == 0);
  /* the ray to the corner enters the block through the same face, later through x = 17.5 */
  const double at = sqrt(21 * 21 + 0.01);
  ASSERT_NEAR(fai->radial_mm[2], at * (1 - 10 / (21 * sin((enters + 1) * DEGREE))), 1e-9);
  ASSERT_NEAR(fai->radial_mm[3], at * (1 - 17.5 / (21 * cos((enters + 3) * DEGREE))), 1e-9);
  ASSERT_NEAR(fai->femur_radial_mm[TIP], fai->radial_mm[2], 1e-12);
  assert_true(fai->radial_max_mm == fai->radial_mm[2] && fai->radial_step == 2);
  ASSERT_NEAR(fai->difference, fai->curvilinear_max_mm / 25 - fai->radial_max_mm / 10, 1e-15);
  syn_fai_destroy(fai);
  release_blocks(&scene);
}

static void what_is_inside_from_the_start_counts_from_there(void **state) {
  (void)state;
  block_scene scene = make_blocks(NULL);
  const double enters = asin(10 / 21.0) / DEGREE;
  test_memory memory = {0};
  syn_context context = test_context(&memory);
  const syn_pose motion[] = {turned(enters + 1), turned(enters + 2)};
  syn_fai *fai = run(&context, &scene.hip, motion, 2);
  ASSERT_NEAR(fai->curvilinear_mm[0], 0, 1e-12);
  ASSERT_NEAR(fai->curvilinear_mm[1], 21 * 1 * DEGREE, 1e-9);
  assert_true(fai->radial_mm[0] > 0);
  assert_non_null(strstr(memory.all_warnings, "already where the motion starts"));
  syn_fai_destroy(fai);
  release_blocks(&scene);
}

static void a_single_pose_came_from_where_the_femur_lies(void **state) {
  (void)state;
  block_scene scene = make_blocks(NULL);
  const double enters = asin(10 / 21.0) / DEGREE;
  const syn_pose poses[] = {turned(enters + 2), turned(enters + 2)};
  for (size_t count = 1; count <= 2; ++count) {
    syn_fai *fai = run(NULL, &scene.hip, poses, count);
    ASSERT_NEAR(fai->curvilinear_mm[count - 1], 21 * 2 * DEGREE, 1e-9);
    syn_fai_destroy(fai);
  }
  release_blocks(&scene);
}

static void without_any_turn_the_shorter_arc_counts(void **state) {
  (void)state;
  block_scene scene = make_blocks(NULL);
  syn_error error;
  syn_trimesh *inside;
  const syn_pose shift = {syn_pose_identity().rotation, {-2.5, 11, 0}};
  ASSERT_OK(syn_trimesh_transform(scene.femur, &shift, &inside, &error));
  scene.hip.parts[SYN_HIP_FEMUR] = inside;
  const syn_pose pose = syn_pose_identity();
  syn_fai *fai = run(NULL, &scene.hip, &pose, 1);
  const double radius = hypot(18.5, 11), angle = atan2(11, 18.5);
  const double back = angle - asin(10 / radius), ahead = asin(12 / radius) - angle;
  assert_true(fabs(back - ahead) > 1e-3);
  ASSERT_NEAR(fai->femur_depth_mm[TIP], radius * fmin(back, ahead), 1e-9);
  syn_fai_destroy(fai);
  syn_trimesh_destroy(inside);
  release_blocks(&scene);
}

/* ---- what may not matter -------------------------------------------------------------------------------------------
 */

enum { STEPS = 3 };

static void the_number_of_threads_changes_no_bit(void **state) {
  (void)state;
  syn_joint *shape = make_hip(30, 70, 2);
  const syn_hip hip = hip_of_shape(shape);
  syn_pose motion[STEPS + 1];
  syn_motion_series_poses(syn_motion_series_named("stand_to_sit"), &hip, STEPS, motion);
  syn_fai *first = NULL;
  syn_context contexts[3];
  for (int i = 0; i < 3; ++i) {
    contexts[i] = syn_default_context();
    contexts[i].threads = i + 1;
    syn_fai *fai = run(&contexts[i], &hip, motion, STEPS + 1);
    if (!first) {
      first = fai;
      assert_true(fai->curvilinear_max_mm > 10 && fai->radial_max_mm > 5);
      continue;
    }
    check_same(first, fai, 0);
    const size_t femur = hip.parts[SYN_HIP_FEMUR]->vertex_count * sizeof(double);
    const size_t labrum = hip.parts[SYN_HIP_LABRUM]->vertex_count * sizeof(double);
    assert_memory_equal(first->femur_depth_mm, fai->femur_depth_mm, femur);
    assert_memory_equal(first->femur_radial_mm, fai->femur_radial_mm, femur);
    assert_memory_equal(first->labrum_depth_mm, fai->labrum_depth_mm, labrum);
    assert_memory_equal(first->labrum_radial_mm, fai->labrum_radial_mm, labrum);
    syn_fai_destroy(fai);
  }
  syn_fai_destroy(first);
  syn_joint_destroy(shape);
}

/* Every part moved by `pose`, or mirrored across x = 0 to the other side. */
typedef struct moved_hip {
  syn_trimesh *meshes[SYN_HIP_PARTS];
  syn_hip hip;
} moved_hip;

static syn_trimesh *mirror_mesh(const syn_trimesh *mesh) {
  syn_error error;
  syn_trimesh *mirrored;
  syn_vec3 *points = malloc(mesh->vertex_count * sizeof *points);
  syn_triangle *triangles = malloc(mesh->triangle_count * sizeof *triangles);
  for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    points[v] = vec3(-mesh->vertices[v].x, mesh->vertices[v].y, mesh->vertices[v].z);
  for (uint32_t t = 0; t < mesh->triangle_count; ++t)
    triangles[t] = (syn_triangle){{mesh->triangles[t].v[0], mesh->triangles[t].v[2], mesh->triangles[t].v[1]}};
  ASSERT_OK(syn_trimesh_create(NULL, points, mesh->vertex_count, triangles, mesh->triangle_count, &mirrored, &error));
  free(points);
  free(triangles);
  return mirrored;
}

static moved_hip move_hip(const syn_hip *hip, const syn_pose *pose, const syn_pose *femur_pose, bool mirror) {
  moved_hip moved = {.hip = *hip};
  syn_error error;
  for (int part = 0; part < SYN_HIP_PARTS; ++part) {
    syn_trimesh *mesh = NULL, *placed;
    if (mirror) mesh = mirror_mesh(hip->parts[part]);
    const syn_pose *first = femur_pose && syn_hip_part_moves((syn_hip_part)part) ? femur_pose : NULL;
    const syn_pose its = first ? syn_pose_compose(pose, first) : *pose;
    ASSERT_OK(syn_trimesh_transform(mesh ? mesh : hip->parts[part], &its, &placed, &error));
    syn_trimesh_destroy(mesh);
    moved.hip.parts[part] = moved.meshes[part] = placed;
  }
  syn_hip_axes axes = hip->pelvis_axes;
  if (mirror) axes = (syn_hip_axes){axes.flexion, vec3_neg(axes.adduction), vec3_neg(axes.rotation)};
  moved.hip.side = mirror ? SYN_SIDE_LEFT : SYN_SIDE_RIGHT;
  moved.hip.center = syn_pose_point(pose, hip->center);
  moved.hip.pelvis_axes =
      (syn_hip_axes){syn_pose_direction(pose, axes.flexion), syn_pose_direction(pose, axes.adduction),
                     syn_pose_direction(pose, axes.rotation)};
  moved.hip.femur_axes = moved.hip.pelvis_axes;
  if (femur_pose) {
    const syn_pose its = syn_pose_compose(pose, femur_pose);
    moved.hip.femur_axes =
        (syn_hip_axes){syn_pose_direction(&its, axes.flexion), syn_pose_direction(&its, axes.adduction),
                       syn_pose_direction(&its, axes.rotation)};
  }
  return moved;
}

static void turning_mirroring_or_scanning_the_femur_bent_changes_nothing(void **state) {
  (void)state;
  syn_joint *shape = make_hip(20, 70, 2);
  const syn_hip hip = hip_of_shape(shape);
  syn_pose motion[STEPS + 1];
  syn_motion_series_poses(syn_motion_series_named("stand_to_sit"), &hip, STEPS, motion);
  syn_fai *plain = run(NULL, &hip, motion, STEPS + 1);
  assert_int_equal(plain->fai_class, SYN_FAI_CAM);
  test_random random = {11};
  for (int round = 0; round < 3; ++round) {
    const syn_pose pose = random_pose(&random, 100);
    const syn_pose bent = syn_pose_about_axis(hip.center, random_vec3(&random, 1), 0.7);
    moved_hip moved = move_hip(&hip, &pose, round % 3 == 2 ? &bent : NULL, round % 3 == 1);
    syn_motion_series_poses(syn_motion_series_named("stand_to_sit"), &moved.hip, STEPS, motion);
    syn_fai *fai = run(NULL, &moved.hip, motion, STEPS + 1);
    check_same(plain, fai, 1e-6);
    syn_fai_destroy(fai);
    for (int part = 0; part < SYN_HIP_PARTS; ++part) syn_trimesh_destroy(moved.meshes[part]);
  }
  syn_fai_destroy(plain);
  syn_joint_destroy(shape);
}

/* A motion whose axis changes from pose to pose: every pose is as if it alone had been reached from the start. */
static void every_pose_of_any_motion_is_measured_from_the_start(void **state) {
  (void)state;
  syn_joint *shape = make_hip(40, 60, 2);
  const syn_hip hip = hip_of_shape(shape);
  enum { POSES = 6 };
  syn_pose motion[POSES];
  for (int i = 0; i < POSES; ++i)
    motion[i] = syn_hip_pose(&hip, (syn_hip_angles){0.22 * i, 0.1 * sin(i), 0.15 * (i > 3 ? 3 : i)});
  motion[2] = motion[0];
  motion[4].translation = vec3_add(motion[4].translation, vec3(0.05, -0.1, 0.02));
  syn_fai *fai = run(NULL, &hip, motion, POSES);
  assert_true(fai->curvilinear_max_mm > 5);
  for (int i = 1; i < POSES; ++i) {
    const syn_pose pair[2] = {motion[0], motion[i]};
    syn_fai *alone = run(NULL, &hip, pair, 2);
    if (i != 2) ASSERT_NEAR(fai->curvilinear_mm[i], alone->curvilinear_mm[1], 1e-9);
    if (i != 2) ASSERT_NEAR(fai->curvilinear_swapped_mm[i], alone->curvilinear_swapped_mm[1], 1e-9);
    ASSERT_NEAR(fai->radial_mm[i], alone->radial_mm[1], 1e-9);
    ASSERT_NEAR(fai->radial_swapped_mm[i], alone->radial_swapped_mm[1], 1e-9);
    syn_fai_destroy(alone);
  }
  assert_true(fai->curvilinear_mm[2] == 0 && fai->curvilinear_swapped_mm[2] == 0);
  syn_fai_destroy(fai);
  syn_joint_destroy(shape);
}

/* Skipping what lies between the vertices where nothing meets leaves nothing out: every step by one full query. */
static void curves_are_those_of_plain_queries(void **state) {
  (void)state;
  syn_joint *shape = make_hip(30, 60, 2);
  syn_hip hip = hip_of_shape(shape);
  hip.parts[SYN_HIP_FEMORAL_CARTILAGE] = hip.parts[SYN_HIP_ACETABULAR_CARTILAGE] = NULL;
  enum { MANY = 8 };
  syn_pose motion[MANY + 1];
  syn_error error;
  syn_motion_series_poses(syn_motion_series_named("stand_to_sit"), &hip, MANY, motion);
  syn_fai *fai = run(NULL, &hip, motion, MANY + 1);
  const syn_body fixed = {.surface = hip.parts[SYN_HIP_LABRUM]}, mobile = {.surface = hip.parts[SYN_HIP_FEMUR]};
  syn_collide_options options = syn_default_collide_options();
  options.axis = vec3(59.6, 13.6, 10.9);
  options.angle = 1;
  options.both_roles = true;
  for (int method = 0; method < 2; ++method) {
    syn_collider *collider;
    options.between_vertices = method == 0;
    ASSERT_OK(
        syn_collider_create(NULL, method ? "radial" : "cylindrical", &fixed, &mobile, &options, &collider, &error));
    void *scratch = malloc(syn_collider_scratch(collider));
    for (int i = 0; i <= MANY; ++i) {
      syn_contacts found = {0};
      syn_collider_query(collider, &motion[i], scratch, &found);
      const double *own = method ? fai->radial_mm : fai->curvilinear_mm;
      const double *swapped = method ? fai->radial_swapped_mm : fai->curvilinear_swapped_mm;
      ASSERT_NEAR(fmax(own[i], swapped[i]), fmax(found.max_depth_mm, 0), 1e-12);
    }
    free(scratch);
    syn_collider_destroy(collider);
  }
  syn_fai_destroy(fai);
  syn_joint_destroy(shape);
}

/* ---- depths at each step -------------------------------------------------------------------------------------------
 */

enum { POSE_COUNT = 6, DEPTH_FIELDS = 4 };

static syn_fai *run_by_step(const syn_context *context, const syn_hip *hip, const syn_pose *motion, size_t count) {
  syn_fai_options options = syn_default_fai_options();
  syn_error error;
  syn_fai *fai;
  options.between_vertices = false;
  options.by_step = true;
  ASSERT_OK(syn_fai_create(context, hip, motion, count, &options, &fai, &error));
  return fai;
}

typedef struct depth_field {
  const double *greatest, *steps;
  size_t vertices;
} depth_field;

static void depth_fields(const syn_hip *hip, const syn_fai *fai, depth_field fields[DEPTH_FIELDS]) {
  const size_t femur = hip->parts[SYN_HIP_FEMUR]->vertex_count, labrum = hip->parts[SYN_HIP_LABRUM]->vertex_count;
  fields[0] = (depth_field){fai->femur_depth_mm, fai->femur_depth_steps_mm, femur};
  fields[1] = (depth_field){fai->labrum_depth_mm, fai->labrum_depth_steps_mm, labrum};
  fields[2] = (depth_field){fai->femur_radial_mm, fai->femur_radial_steps_mm, femur};
  fields[3] = (depth_field){fai->labrum_radial_mm, fai->labrum_radial_steps_mm, labrum};
}

/* Each pose gives what it gives when it alone is reached from the start, and the greatest of all is the motion's. */
static void depths_by_step_are_those_of_each_pose(void **state) {
  (void)state;
  syn_joint *shape = make_hip(40, 60, 3);
  const syn_hip hip = hip_of_shape(shape);
  syn_context many = syn_default_context();
  syn_pose motion[POSE_COUNT];
  depth_field whole[DEPTH_FIELDS], threaded[DEPTH_FIELDS], alone[DEPTH_FIELDS];
  for (int i = 0; i < POSE_COUNT; ++i)
    motion[i] = syn_hip_pose(&hip, (syn_hip_angles){0.22 * i, 0.1 * sin(i), 0.15 * (i > 3 ? 3 : i)});
  many.threads = 4;
  syn_fai *fai = run_by_step(NULL, &hip, motion, POSE_COUNT), *other = run_by_step(&many, &hip, motion, POSE_COUNT);
  depth_fields(&hip, fai, whole);
  depth_fields(&hip, other, threaded);
  for (int f = 0; f < DEPTH_FIELDS; ++f) {
    const size_t count = whole[f].vertices;
    size_t deep = 0;
    assert_memory_equal(whole[f].steps, threaded[f].steps, POSE_COUNT * count * sizeof(double));
    for (size_t v = 0; v < count; ++v) {
      double greatest = 0;
      for (size_t i = 0; i < POSE_COUNT; ++i) greatest = fmax(greatest, whole[f].steps[i * count + v]);
      assert_true(greatest == whole[f].greatest[v]);
      deep += greatest > 0;
    }
    assert_true(deep > 10);
  }
  for (size_t i = 1; i < POSE_COUNT; ++i) {
    const syn_pose pair[2] = {motion[0], motion[i]};
    syn_fai *single = run_by_step(NULL, &hip, pair, 2);
    depth_fields(&hip, single, alone);
    for (int f = 0; f < DEPTH_FIELDS; ++f)
      for (size_t v = 0, count = whole[f].vertices; v < count; ++v)
        ASSERT_NEAR(whole[f].steps[i * count + v], alone[f].steps[count + v], 1e-9);
    syn_fai_destroy(single);
  }
  syn_fai_destroy(other);
  syn_fai_destroy(fai);
  fai = run(NULL, &hip, motion, 2);
  assert_true(!fai->femur_depth_steps_mm && !fai->labrum_radial_steps_mm);
  syn_fai_destroy(fai);
  syn_joint_destroy(shape);
}

/* ---- classes -------------------------------------------------------------------------------------------------------
 */

static void the_rows_of_table_10_are_told_apart(void **state) {
  (void)state;
  /* middles of the bands */
  assert_int_equal(syn_fai_classify(2.5, 1, 20), SYN_FAI_NORMAL);
  assert_int_equal(syn_fai_classify(7.5, 1, 40), SYN_FAI_PINCER);
  assert_int_equal(syn_fai_classify(17.5, 9, 20), SYN_FAI_CAM);
  assert_int_equal(syn_fai_classify(22.5, 9, 40), SYN_FAI_COMBINED);
  assert_int_equal(syn_fai_classify(2.5, 1, 0), SYN_FAI_DYSPLASTIC);
  assert_int_equal(syn_fai_classify(2.5, 3, 0), SYN_FAI_DYSPLASTIC_IMPINGING);
  /* the borders of coverage: a degree is left for measuring it on a mesh */
  assert_int_equal(syn_fai_classify(0, 0, 18.99), SYN_FAI_DYSPLASTIC);
  assert_int_equal(syn_fai_classify(0, 0, 19.01), SYN_FAI_NORMAL);
  assert_int_equal(syn_fai_classify(5, 2, 38.99), SYN_FAI_CAM); /* undecided by the depths: coverage decides */
  assert_int_equal(syn_fai_classify(5, 2, 39.01), SYN_FAI_PINCER);
  /* unknown coverage counts as enough, and as no over-coverage */
  assert_int_equal(syn_fai_classify(0, 0, NAN), SYN_FAI_NORMAL);
  assert_int_equal(syn_fai_classify(22.5, 9, NAN), SYN_FAI_CAM);
  const char *const names[] = {"normal", "dysplastic", "cam", "pincer", "combined", "dysplastic_impinging"};
  for (int i = 0; i < SYN_FAI_CLASSES; ++i) assert_string_equal(syn_fai_class_name((syn_fai_class)i), names[i]);
}

static void coverage_is_the_centre_edge_angle_whichever_part_tells_it(void **state) {
  (void)state;
  for (int ce = -10; ce <= 50; ce += 15) {
    syn_joint *shape = make_hip(ce, 50, 3);
    syn_hip hip = hip_of_shape(shape);
    ASSERT_NEAR(syn_fai_coverage(&hip), ce, 0.1);
    hip.parts[SYN_HIP_ACETABULAR_CARTILAGE] = NULL;
    ASSERT_NEAR(syn_fai_coverage(&hip), ce, 0.1);
    hip.center = vec3(0, 500, 0);
    assert_true(isnan(syn_fai_coverage(&hip)));
    syn_joint_destroy(shape);
  }
}

/* The published models: where head and socket share one radius the facets of both cartilages overlap everywhere, the
 * bone strikes only what reaches beyond the cartilage's edge. */
static void the_bone_alone_may_be_asked_for(void **state) {
  (void)state;
  const syn_shape_value values[] = {{"ce", 0}, {"alpha", 40}, {"resolution", 3}, {"cartilage-edge", 82}};
  syn_joint *shape;
  syn_error error;
  syn_pose poses[3];
  syn_fai *fai;
  ASSERT_OK(syn_shape_create(NULL, "hip", values, 4, &shape, &error));
  syn_hip hip = hip_of_shape(shape);
  syn_fai_options options = syn_default_fai_options();
  syn_motion_series_poses(syn_motion_series_named("stand_to_sit"), &hip, 2, poses);
  for (int k = 0; k < 3; ++k) {
    options.bone_only = k > 0;
    if (k == 2) hip.parts[SYN_HIP_FEMUR] = NULL; /* then the cartilage is all there is */
    ASSERT_OK(syn_fai_create(NULL, &hip, poses, 3, &options, &fai, &error));
    assert_int_equal(fai->radial_max_mm > 0, k != 1);
    assert_true(fai->radial_max_mm < 0.3 && fai->curvilinear_max_mm == 0);
    syn_fai_destroy(fai);
  }
  syn_joint_destroy(shape);
}

/* ---- the motion ----------------------------------------------------------------------------------------------------
 */

static void standing_to_sitting_is_one_turn_in_equal_parts(void **state) {
  (void)state;
  const syn_hip_axes axes = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const syn_hip hip = {.center = {1, 2, 3}, .pelvis_axes = axes, .femur_axes = axes};
  const syn_vec3 turn = vec3_scale(vec3(59.6, 13.6, 10.9), DEGREE);
  syn_pose poses[31];
  syn_motion_series_poses(syn_motion_series_named("stand_to_sit"), &hip, 30, poses);
  for (int i = 0; i <= 30; ++i) {
    const syn_pose twin = syn_pose_about_axis(hip.center, turn, vec3_length(turn) * i / 30);
    for (int row = 0; row < 3; ++row)
      assert_true(vec3_distance(poses[i].rotation.row[row], twin.rotation.row[row]) < 1e-14);
    assert_true(vec3_distance(syn_pose_point(&poses[i], hip.center), hip.center) < 1e-13);
  }
  syn_motion_series_poses(syn_motion_series_named("stand_to_sit"), &hip, 0, poses);
  assert_true(vec3_equal(poses[0].rotation.row[1], vec3(0, 1, 0)));
}

/* ---- refusals ------------------------------------------------------------------------------------------------------
 */

static void what_is_missing_is_told(void **state) {
  (void)state;
  syn_joint *shape = make_hip(20, 80, 2);
  const syn_hip whole = hip_of_shape(shape);
  syn_pose motion[2];
  syn_motion_series_poses(syn_motion_series_named("stand_to_sit"), &whole, 1, motion);
  syn_error error;
  syn_fai *fai;
  test_memory memory = {0};
  syn_context context = test_context(&memory);

  syn_hip hip = whole;
  hip.parts[SYN_HIP_LABRUM] = hip.parts[SYN_HIP_PELVIS] = NULL;
  fai = run(&context, &hip, motion, 2);
  assert_true(!fai->has_curvilinear && fai->has_radial && isnan(fai->difference));
  assert_true(fai->curvilinear_max_mm == 0 && fai->radial_max_mm > 2 && !fai->labrum_depth_mm &&
              !fai->labrum_radial_mm);
  assert_int_equal(fai->fai_class, SYN_FAI_CAM);
  assert_non_null(strstr(memory.all_warnings, "without a labrum"));
  syn_fai_destroy(fai);

  hip = whole;
  hip.parts[SYN_HIP_FEMUR] = hip.parts[SYN_HIP_ACETABULAR_CARTILAGE] = NULL;
  fai = run(&context, &hip, motion, 2); /* the cartilage alone is round */
  assert_true(fai->has_curvilinear && fai->has_radial && fai->curvilinear_max_mm == 0 && fai->radial_max_mm == 0);
  assert_true(!fai->femur_depth_mm && fai->labrum_depth_mm);
  syn_fai_destroy(fai);

  hip.parts[SYN_HIP_FEMORAL_CARTILAGE] = NULL;
  ASSERT_FAILS(syn_fai_create(NULL, &hip, motion, 2, NULL, &fai, &error), SYN_BAD_ARGUMENT, "femur");
  hip = whole;
  hip.parts[SYN_HIP_LABRUM] = hip.parts[SYN_HIP_ACETABULAR_CARTILAGE] = NULL;
  ASSERT_FAILS(syn_fai_create(NULL, &hip, motion, 2, NULL, &fai, &error), SYN_BAD_ARGUMENT, "FADIR");
  hip = whole;
  hip.center.y = NAN;
  ASSERT_FAILS(syn_fai_create(NULL, &hip, motion, 2, NULL, &fai, &error), SYN_BAD_ARGUMENT, "centre");
  assert_null(fai);
  assert_int_equal(memory.live, 0);
  syn_fai_destroy(NULL);
  syn_joint_destroy(shape);
}

static void poses_that_are_none_are_refused(void **state) {
  (void)state;
  block_scene scene = make_blocks(NULL);
  syn_error error;
  syn_fai *fai;
  syn_pose motion[3] = {turned(0), turned(1), turned(2)};
  ASSERT_FAILS(syn_fai_create(NULL, &scene.hip, motion, 0, NULL, &fai, &error), SYN_BAD_ARGUMENT, "no poses");
  motion[1].rotation.row[2].x = NAN;
  ASSERT_FAILS(syn_fai_create(NULL, &scene.hip, motion, 3, NULL, &fai, &error), SYN_BAD_ARGUMENT, "pose 1 ");
  motion[1] = turned(1);
  motion[2].translation.z = INFINITY;
  ASSERT_FAILS(syn_fai_create(NULL, &scene.hip, motion, 3, NULL, &fai, &error), SYN_BAD_ARGUMENT, "pose 2 ");
  motion[2] = turned(2);
  motion[0].rotation.row[0].x = -1;
  ASSERT_FAILS(syn_fai_create(NULL, &scene.hip, motion, 3, NULL, &fai, &error), SYN_BAD_ARGUMENT, "mirror");
  release_blocks(&scene);
}

static bool refuse_progress(void *user, const char *what, double fraction) {
  (void)user;
  (void)what;
  return fraction < 0.3;
}

static void it_can_be_stopped(void **state) {
  (void)state;
  block_scene scene = make_blocks(NULL);
  syn_context context = syn_default_context();
  context.progress = refuse_progress;
  syn_error error;
  syn_fai *fai;
  const syn_pose pose = turned(0);
  ASSERT_FAILS(syn_fai_create(&context, &scene.hip, &pose, 1, NULL, &fai, &error), SYN_CANCELLED, "cancelled");
  release_blocks(&scene);
}

/* All four parts, a start away from identity, two axes. */
static syn_status attempt(const syn_context *context, void *user, syn_error *error) {
  const block_scene *scene = user;
  syn_hip hip = scene->hip;
  const syn_trimesh femur = with_context(scene->femur, context), labrum = with_context(scene->labrum, context);
  hip.parts[SYN_HIP_FEMUR] = hip.parts[SYN_HIP_FEMORAL_CARTILAGE] = &femur;
  hip.parts[SYN_HIP_LABRUM] = hip.parts[SYN_HIP_ACETABULAR_CARTILAGE] = &labrum;
  const syn_pose motion[] = {turned(1), turned(30), syn_pose_about_axis(vec3(0, 0, 0), vec3(0, 1, 1), 0.2)};
  syn_fai *fai;
  SYN_TRY(syn_fai_create(context, &hip, motion, 3, NULL, &fai, error));
  syn_fai_destroy(fai);
  return SYN_OK;
}

static void every_refused_allocation_is_survived(void **state) {
  (void)state;
  block_scene scene = make_blocks(NULL);
  check_every_allocation(attempt, &scene);
  release_blocks(&scene);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_corner_that_turns_into_a_block_is_as_deep_as_the_circle_says),
      cmocka_unit_test(what_is_inside_from_the_start_counts_from_there),
      cmocka_unit_test(a_single_pose_came_from_where_the_femur_lies),
      cmocka_unit_test(without_any_turn_the_shorter_arc_counts),
      cmocka_unit_test(the_number_of_threads_changes_no_bit),
      cmocka_unit_test(turning_mirroring_or_scanning_the_femur_bent_changes_nothing),
      cmocka_unit_test(every_pose_of_any_motion_is_measured_from_the_start),
      cmocka_unit_test(curves_are_those_of_plain_queries),
      cmocka_unit_test(depths_by_step_are_those_of_each_pose),
      cmocka_unit_test(the_rows_of_table_10_are_told_apart),
      cmocka_unit_test(coverage_is_the_centre_edge_angle_whichever_part_tells_it),
      cmocka_unit_test(the_bone_alone_may_be_asked_for),
      cmocka_unit_test(standing_to_sitting_is_one_turn_in_equal_parts),
      cmocka_unit_test(what_is_missing_is_told),
      cmocka_unit_test(poses_that_are_none_are_refused),
      cmocka_unit_test(it_can_be_stopped),
      cmocka_unit_test(every_refused_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
