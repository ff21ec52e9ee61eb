/* The joint surface of the head stops no motion: the same limits as of a femur that was cut by hand, a collision of all
 * triangles as the slow twin, and what is said of the part that is left out. */
#include "block_hip.h"

#include "base/vec.h"
#include "clinic/hip.h"
#include "clinic/rom/hip_rom.h"
#include "geometry/triangle_pair.h"

/* ---- a hip whose head catches --------------------------------------------------------------------------------------
 */

typedef struct rough_hip {
  syn_joint *shape;
  syn_trimesh *pelvis, *femur; /* with rough surfaces */
  syn_hip hip;
} rough_hip;

static syn_trimesh *roughened(const syn_trimesh *mesh, test_random *random, double by) {
  syn_error error;
  syn_trimesh *rough;
  syn_vec3 *vertices = malloc(mesh->vertex_count * sizeof *vertices);
  for (uint32_t i = 0; i < mesh->vertex_count; ++i) vertices[i] = vec3_add(mesh->vertices[i], random_vec3(random, by));
  ASSERT_OK(
      syn_trimesh_create(NULL, vertices, mesh->vertex_count, mesh->triangles, mesh->triangle_count, &rough, &error));
  free(vertices);
  return rough;
}

/* The bones of a parametric hip with thin cartilage, so that the head is near its socket. */
static void make_rough(double by, uint64_t seed, rough_hip *h) {
  syn_error error;
  test_random random = {seed};
  const syn_shape_value values[] = {{"ce", 30}, {"alpha", 60}, {"resolution", 2}, {"cartilage", 0.5}};
  ASSERT_OK(syn_shape_create(NULL, "hip", values, 4, &h->shape, &error));
  const syn_joint *j = h->shape;
  h->hip = (syn_hip){.side = SYN_SIDE_RIGHT, .center = j->center, .pelvis_axes = j->axes, .femur_axes = j->axes};
  for (size_t i = 0; i < j->body_count; ++i) {
    const syn_hip_part part = syn_hip_part_of_body(&j->bodies[i]);
    if (part == SYN_HIP_PELVIS) h->pelvis = roughened(j->bodies[i].surface, &random, by);
    if (part == SYN_HIP_FEMUR) h->femur = roughened(j->bodies[i].surface, &random, by);
  }
  h->hip.parts[SYN_HIP_PELVIS] = h->pelvis;
  h->hip.parts[SYN_HIP_FEMUR] = h->femur;
}

static void drop_rough(rough_hip *h) {
  syn_trimesh_destroy(h->pelvis);
  syn_trimesh_destroy(h->femur);
  syn_joint_destroy(h->shape);
}

static bool in_ball(const syn_hip *hip, const syn_trimesh *mesh, uint32_t t) {
  for (int c = 0; c < 3; ++c)
    if (vec3_distance(mesh->vertices[mesh->triangles[t].v[c]], hip->joint_ball.center) >= hip->joint_ball.radius_mm)
      return false;
  return true;
}

/* The femur without the triangles in the ball. */
static syn_trimesh *cut_by_hand(const syn_hip *hip) {
  const syn_trimesh *femur = hip->parts[SYN_HIP_FEMUR];
  syn_error error;
  syn_trimesh *rest;
  syn_triangle *kept = malloc(femur->triangle_count * sizeof *kept);
  size_t count = 0;
  for (uint32_t t = 0; t < femur->triangle_count; ++t)
    if (!in_ball(hip, femur, t)) kept[count++] = femur->triangles[t];
  ASSERT_OK(syn_trimesh_create(NULL, femur->vertices, femur->vertex_count, kept, count, &rest, &error));
  free(kept);
  return rest;
}

/* ---- the same as a femur cut by hand -------------------------------------------------------------------------------
 */

/* The point of the femur lies on the element that the event names. */
static void check_element(const syn_trimesh *femur, const syn_topology *topology, const syn_limit *limit) {
  const syn_event *event = &limit->event;
  const syn_vec3 *v = femur->vertices, p = limit->mobile_point;
  if (event->kind == SYN_EVENT_VERTEX_FACE) assert_true(vec3_distance(v[event->mobile_element], p) < 1e-6);
  if (event->kind == SYN_EVENT_EDGE_EDGE) {
    const uint32_t *ends = topology->edge_vertices[event->mobile_element];
    const double along = vec3_distance(v[ends[0]], p) + vec3_distance(p, v[ends[1]]);
    ASSERT_NEAR(along, vec3_distance(v[ends[0]], v[ends[1]]), 1e-6);
  }
  if (event->kind != SYN_EVENT_FACE_VERTEX) return;
  const uint32_t *t = femur->triangles[event->mobile_element].v;
  const syn_vec3 n = vec3_unit(vec3_cross(vec3_sub(v[t[1]], v[t[0]]), vec3_sub(v[t[2]], v[t[0]])));
  assert_true(fabs(vec3_dot(n, vec3_sub(p, v[t[0]]))) < 1e-6);
}

static void limits_are_those_of_a_femur_cut_by_hand(void **state) {
  (void)state;
  size_t changed = 0;
  for (uint64_t seed = 1; seed <= 4; ++seed) {
    rough_hip h;
    syn_error error;
    syn_topology *topology;
    syn_limit all[32], left_out[32], cut[32];
    make_rough(0.3, seed, &h);
    ASSERT_OK(syn_topology_create(h.femur, &topology, &error));
    ask_all_motions(&h.hip, all);
    h.hip.joint_ball = (syn_ball){h.hip.center, 26.5};
    ask_all_motions(&h.hip, left_out);
    syn_trimesh *rest = cut_by_hand(&h.hip);
    syn_hip other = h.hip;
    other.parts[SYN_HIP_FEMUR] = rest;
    other.joint_ball.radius_mm = 0;
    ask_all_motions(&other, cut);
    for (size_t i = 0; i < SYN_CLINICAL_MOTIONS; ++i) {
      assert_int_equal(left_out[i].state, cut[i].state);
      assert_true(left_out[i].angle == cut[i].angle || (isnan(left_out[i].angle) && isnan(cut[i].angle)));
      check_element(h.femur, topology, &left_out[i]);
      changed += all[i].state != cut[i].state || all[i].angle < cut[i].angle - 1e-3;
    }
    syn_trimesh_destroy(rest);
    syn_topology_destroy(topology);
    drop_rough(&h);
  }
  assert_true(changed > 10);
}

/* ---- all triangles, the slow twin ----------------------------------------------------------------------------------
 */

static bool boxes_apart(const syn_vec3 a[3], const syn_vec3 b[3]) {
  for (int k = 0; k < 3; ++k) {
    const double low_a = fmin(vec3_at(a[0], k), fmin(vec3_at(a[1], k), vec3_at(a[2], k))),
                 high_a = fmax(vec3_at(a[0], k), fmax(vec3_at(a[1], k), vec3_at(a[2], k))),
                 low_b = fmin(vec3_at(b[0], k), fmin(vec3_at(b[1], k), vec3_at(b[2], k))),
                 high_b = fmax(vec3_at(b[0], k), fmax(vec3_at(b[1], k), vec3_at(b[2], k)));
    if (high_a < low_b || high_b < low_a) return true;
  }
  return false;
}

static void place(const syn_trimesh *mesh, uint32_t t, const syn_pose *pose, syn_vec3 corners[3]) {
  for (int c = 0; c < 3; ++c) {
    const syn_vec3 v = mesh->vertices[mesh->triangles[t].v[c]];
    corners[c] = pose ? syn_pose_point(pose, v) : v;
  }
}

/* Does a pair of triangles that counts meet? */
static bool any_meet(const syn_hip *hip, const syn_pose *pose) {
  const syn_trimesh *pelvis = hip->parts[SYN_HIP_PELVIS], *femur = hip->parts[SYN_HIP_FEMUR];
  for (uint32_t m = 0; m < femur->triangle_count; ++m) {
    syn_vec3 mobile[3], fixed[3];
    if (in_ball(hip, femur, m)) continue;
    place(femur, m, pose, mobile);
    for (uint32_t f = 0; f < pelvis->triangle_count; ++f) {
      place(pelvis, f, NULL, fixed);
      if (!boxes_apart(mobile, fixed) && syn_triangles_meet(mobile, fixed)) return true;
    }
  }
  return false;
}

static void at_a_limit_the_first_pair_that_counts_meets(void **state) {
  (void)state;
  rough_hip h;
  syn_limit limits[32];
  make_rough(0.3, 7, &h);
  h.hip.joint_ball = (syn_ball){h.hip.center, 26.5};
  ask_all_motions(&h.hip, limits);
  for (size_t i = 0; i < 6; ++i) {
    const syn_motion *m = &syn_clinical_motions[i];
    if (limits[i].state != SYN_LIMIT_STOPPED) continue;
    const syn_pose start = syn_hip_pose(&h.hip, m->start);
    syn_body bodies[SYN_HIP_PARTS];
    const syn_joint joint = syn_hip_joint(&h.hip, bodies);
    const syn_vec3 axis = syn_motion_axis(&joint, m);
    for (int k = 0; k < 4; ++k) {
      const double part[] = {0.5, 0.9, 1, 1}, off[] = {0, 0, -1e-6, 1e-6};
      const syn_pose turn = syn_pose_about_axis(h.hip.center, axis, m->sign * (part[k] * limits[i].followed + off[k]));
      const syn_pose pose = syn_pose_compose(&turn, &start);
      assert_int_equal(any_meet(&h.hip, &pose), k == 3);
    }
  }
  drop_rough(&h);
}

/* ---- what is left out ----------------------------------------------------------------------------------------------
 */

static void the_ball_follows_from_the_head(void **state) {
  (void)state;
  syn_hip hip = {0};
  syn_anatomy anatomy = {.head = {.center = {1, 2, 3}, .radius_mm = 24, .residual_mm = 0.2}};
  syn_hip_leave_out_joint(&hip, &anatomy);
  assert_true(vec3_equal(hip.joint_ball.center, vec3(1, 2, 3)));
  ASSERT_NEAR(hip.joint_ball.radius_mm, 25.5, 1e-12);
  anatomy.head.residual_mm = 0.8; /* a rough scan */
  syn_hip_leave_out_joint(&hip, &anatomy);
  ASSERT_NEAR(hip.joint_ball.radius_mm, 26.4, 1e-12);
  anatomy.head.radius_mm = NAN;
  syn_hip_leave_out_joint(&hip, &anatomy);
  assert_true(hip.joint_ball.radius_mm == 0);
}

/* The height above the head at which the ball ends, this far from the neck. */
static double margin_at(const syn_hip *hip, const syn_anatomy *anatomy, double degrees_from_neck) {
  const double angle = degrees_from_neck * SYN_DEGREE;
  const syn_vec3 aside = vec3_any_normal(anatomy->neck_axis);
  const syn_vec3 way = vec3_madd(vec3_scale(anatomy->neck_axis, -cos(angle)), sin(angle), aside);
  double low = 0, high = 100;
  for (int i = 0; i < 100; ++i) {
    const double middle = (low + high) / 2;
    const syn_vec3 point = vec3_madd(anatomy->head.center, anatomy->head.radius_mm + middle, way);
    if (vec3_distance(point, hip->joint_ball.center) < hip->joint_ball.radius_mm)
      low = middle;
    else
      high = middle;
  }
  return low;
}

/* Up on the dome everything is joint surface; at the neck the margin is what it was. */
static void the_ball_rises_towards_the_dome(void **state) {
  (void)state;
  syn_hip hip = {0};
  const syn_anatomy anatomy = {
      .head = {.center = {1, 2, 3}, .radius_mm = 24, .residual_mm = 0.2}, .has_neck = true, .neck_axis = {0.6, 0, 0.8}};
  syn_hip_leave_out_joint(&hip, &anatomy);
  ASSERT_NEAR(margin_at(&hip, &anatomy, 50), 1.5, 1e-9);
  assert_true(margin_at(&hip, &anatomy, 30) < 1.3);
  ASSERT_NEAR(margin_at(&hip, &anatomy, 70), 1.9, 0.1);
  ASSERT_NEAR(margin_at(&hip, &anatomy, 90), 2.4, 0.1);
  assert_true(margin_at(&hip, &anatomy, 118) > 3);
}

/* A stair on the dome, and a cam on the neck of the same height, about a ball of 24 mm whose neck points down. */
static syn_trimesh *stepped_head(double from_degrees, double to_degrees, double step_mm) {
  syn_error error;
  syn_joint *ball;
  syn_trimesh *made;
  ASSERT_OK(syn_shape_create(NULL, "sphere", (syn_shape_value[]){{"radius", 24}, {"level", 6}}, 2, &ball, &error));
  const syn_trimesh *mesh = ball->bodies[0].surface;
  syn_vec3 *moved = malloc(mesh->vertex_count * sizeof *moved);
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
    const double angle = acos(fmax(-1, fmin(1, -mesh->vertices[v].z / 24))) * SYN_RADIAN;
    moved[v] = vec3_scale(mesh->vertices[v], angle > from_degrees && angle < to_degrees ? 1 + step_mm / 24 : 1);
  }
  ASSERT_OK(syn_trimesh_create(NULL, moved, mesh->vertex_count, mesh->triangles, mesh->triangle_count, &made, &error));
  free(moved);
  syn_joint_destroy(ball);
  return made;
}

static size_t counted_triangles(const syn_trimesh *femur) {
  syn_hip hip = {.parts = {NULL, femur}};
  const syn_anatomy anatomy = {.head = {.radius_mm = 24, .residual_mm = 0.3}, .has_neck = true, .neck_axis = {0, 0, 1}};
  uint8_t *marks = calloc(femur->triangle_count, 1);
  syn_hip_leave_out_joint(&hip, &anatomy);
  const size_t left_out = syn_rom_mark_joint(&hip, marks);
  free(marks);
  return femur->triangle_count - left_out;
}

static void stairs_of_the_dome_are_joint_surface_and_cams_are_not(void **state) {
  (void)state;
  syn_trimesh *stairs[] = {stepped_head(100, 130, 2.2), stepped_head(90, 100, 2.2), stepped_head(0, 180, 0)};
  for (int i = 0; i < 3; ++i) {
    assert_int_equal(counted_triangles(stairs[i]), 0);
    syn_trimesh_destroy(stairs[i]);
  }
  syn_trimesh *cam = stepped_head(45, 60, 3);
  assert_true(counted_triangles(cam) > 500);
  syn_trimesh_destroy(cam);
}

static void a_femur_of_joint_surface_alone_is_never_stopped(void **state) {
  (void)state;
  block_hip blocks = make_block_hip(NULL, SYN_SIDE_RIGHT, NULL);
  syn_limit limits[32];
  blocks.hip.joint_ball = (syn_ball){blocks.hip.center, 1000};
  ask_all_motions(&blocks.hip, limits);
  for (size_t i = 0; i < SYN_CLINICAL_MOTIONS; ++i) assert_int_equal(limits[i].state, SYN_LIMIT_NO_STOP);
  drop_block_hip(&blocks);
}

/* A cup of 24 mm and a ball in it that is pushed against the wall. */
static void the_overlap_of_head_and_socket_is_a_number(void **state) {
  (void)state;
  syn_error error;
  syn_joint *cup, *ball;
  syn_left_out left_out;
  ASSERT_OK(syn_shape_create(NULL, "cup", NULL, 0, &cup, &error));
  ASSERT_OK(syn_shape_create(NULL, "sphere", (syn_shape_value[]){{"radius", 23.5}, {"level", 5}}, 2, &ball, &error));
  const double shifts[] = {0, 1, 1.5};
  for (int i = 0; i < 3; ++i) {
    const syn_pose aside = {syn_pose_identity().rotation, {shifts[i], 0, 0}};
    syn_trimesh *femur;
    ASSERT_OK(syn_trimesh_transform(ball->bodies[0].surface, &aside, &femur, &error));
    syn_hip hip = {.parts = {cup->bodies[0].surface, femur}, .joint_ball = {aside.translation, 25}};
    ASSERT_OK(syn_hip_left_out_find(&hip, &left_out, &error));
    assert_int_equal(left_out.triangles, femur->triangle_count);
    ASSERT_NEAR(left_out.overlap_mm, fmax(shifts[i] - 0.5, 0), 0.05);
    assert_false(left_out.elsewhere.found);
    hip.joint_ball.radius_mm = 0; /* as scanned: an overlap like any other */
    ASSERT_OK(syn_hip_left_out_find(&hip, &left_out, &error));
    assert_true(left_out.triangles == 0 && left_out.overlap_mm == 0);
    assert_int_equal(left_out.elsewhere.found, shifts[i] > 0.5);
    syn_trimesh_destroy(femur);
  }
  syn_joint_destroy(cup);
  syn_joint_destroy(ball);
}

/* A pelvis with a hole has no inside, but the femur has. */
static void the_overlap_with_an_open_socket_is_known_from_the_other_bone(void **state) {
  (void)state;
  syn_error error;
  syn_joint *cup, *ball;
  syn_trimesh *open, *femur;
  syn_left_out left_out;
  ASSERT_OK(syn_shape_create(NULL, "cup", NULL, 0, &cup, &error));
  ASSERT_OK(syn_shape_create(NULL, "sphere", (syn_shape_value[]){{"radius", 23.5}, {"level", 5}}, 2, &ball, &error));
  const syn_trimesh *whole = cup->bodies[0].surface;
  const syn_pose aside = {syn_pose_identity().rotation, {1.5, 0, 0}};
  ASSERT_OK(syn_trimesh_create(NULL, whole->vertices, whole->vertex_count, whole->triangles, whole->triangle_count - 1,
                               &open, &error));
  ASSERT_OK(syn_trimesh_transform(ball->bodies[0].surface, &aside, &femur, &error));
  const syn_hip hip = {.parts = {open, femur}, .joint_ball = {aside.translation, 25}};
  ASSERT_OK(syn_hip_left_out_find(&hip, &left_out, &error));
  ASSERT_NEAR(left_out.overlap_mm, 1, 0.05);
  syn_trimesh_destroy(open);
  syn_trimesh_destroy(femur);
  syn_joint_destroy(cup);
  syn_joint_destroy(ball);
}

static void overlap_elsewhere_is_reported_and_warned_of_as_before(void **state) {
  (void)state;
  syn_error error;
  test_memory memory = {0};
  const syn_context context = test_context(&memory);
  block_hip blocks = make_block_hip(&context, SYN_SIDE_RIGHT, NULL);
  syn_trimesh *wall = make_block(&context, vec3(-5, 2, -20), vec3(5, 12, -12)); /* a millimetre into the bar */
  blocks.hip.parts[SYN_HIP_PELVIS] = wall;
  syn_left_out left_out;
  syn_rom *rom;
  for (int i = 0; i < 2; ++i) {
    blocks.hip.joint_ball.radius_mm = i ? 100 : 1; /* about the place or not */
    memory.all_warnings[0] = 0;
    ASSERT_OK(syn_hip_left_out_find(&blocks.hip, &left_out, &error));
    ASSERT_OK(syn_hip_rom_create(&context, &blocks.hip, &rom, &error));
    assert_int_equal(left_out.elsewhere.found, i == 0);
    assert_int_equal(left_out.overlap_mm > 0 || isnan(left_out.overlap_mm), i == 1 && left_out.overlap_mm > 0);
    assert_int_equal(strstr(memory.all_warnings, "overlap as they were scanned") != NULL, i == 0);
    assert_null(strstr(memory.all_warnings, "open"));
    syn_rom_destroy(rom);
  }
  syn_trimesh_destroy(wall);
  drop_block_hip(&blocks);
  assert_int_equal(memory.live, 0);
}

static syn_status try_left_out(const syn_context *context, void *user, syn_error *error) {
  const rough_hip *h = user;
  const syn_trimesh pelvis = with_context(h->pelvis, context), femur = with_context(h->femur, context);
  syn_hip hip = h->hip;
  syn_left_out left_out;
  syn_rom *rom;
  hip.parts[SYN_HIP_PELVIS] = &pelvis;
  hip.parts[SYN_HIP_FEMUR] = &femur;
  syn_status status = syn_hip_left_out_find(&hip, &left_out, error);
  if (status == SYN_OK) status = syn_hip_rom_create(context, &hip, &rom, error);
  if (status == SYN_OK) syn_rom_destroy(rom);
  return status;
}

static void refused_memory_leaves_nothing_behind(void **state) {
  (void)state;
  rough_hip h;
  make_rough(0.3, 3, &h);
  h.hip.joint_ball = (syn_ball){h.hip.center, 26.5};
  check_every_allocation(try_left_out, &h);
  drop_rough(&h);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(limits_are_those_of_a_femur_cut_by_hand),
      cmocka_unit_test(at_a_limit_the_first_pair_that_counts_meets),
      cmocka_unit_test(the_ball_follows_from_the_head),
      cmocka_unit_test(the_ball_rises_towards_the_dome),
      cmocka_unit_test(stairs_of_the_dome_are_joint_surface_and_cams_are_not),
      cmocka_unit_test(the_overlap_with_an_open_socket_is_known_from_the_other_bone),
      cmocka_unit_test(a_femur_of_joint_surface_alone_is_never_stopped),
      cmocka_unit_test(the_overlap_of_head_and_socket_is_a_number),
      cmocka_unit_test(overlap_elsewhere_is_reported_and_warned_of_as_before),
      cmocka_unit_test(refused_memory_leaves_nothing_behind),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
