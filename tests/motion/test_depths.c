/* Depths of any joint along a path: closed forms, the impingement of a hip, and as the slow twin one pose at a time. */
#include <string.h>

#include "base/vec.h"
#include "motion/path_depths.h"
#include "person_joint.h"

static const double degrees = SYN_PI / 180;

/* ---- a corner that turns into a block ------------------------------------------------------------------------------
 */

enum { TIP };

typedef struct scene {
  syn_trimesh *block, *corner;
  syn_body bodies[2];
  syn_joint joint;
} scene;

/* The tip, 21 mm from the axis z, enters through the face y = 10 of a block. */
static void make_scene(const syn_context *context, scene *s) {
  syn_error error;
  const syn_vec3 points[4] = {{21, 0, 0.1}, {20.9, -9, -0.4}, {21.1, -9, -0.4}, {21, -9, 0.5}};
  const syn_triangle triangles[4] = {{{0, 2, 1}}, {{0, 3, 2}}, {{0, 1, 3}}, {{1, 2, 3}}}; /* outward */
  const syn_pose there = {{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {17.5, 10, -1}};
  syn_trimesh *cube = make_cube(context, 2);
  ASSERT_OK(syn_trimesh_transform(cube, &there, &s->block, &error));
  syn_trimesh_destroy(cube);
  ASSERT_OK(syn_trimesh_create(context, points, 4, triangles, 4, &s->corner, &error));
  s->bodies[0] = (syn_body){.name = "block", .surface = s->block};
  s->bodies[1] = (syn_body){.name = "corner", .moves = true, .surface = s->corner};
  s->joint = (syn_joint){.kind = "other",
                         .body_count = 2,
                         .bodies = s->bodies,
                         .has_center = true,
                         .has_axes = true,
                         .axes = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}};
}

static void drop_scene(scene *s) {
  syn_trimesh_destroy(s->block);
  syn_trimesh_destroy(s->corner);
}

static syn_pose turned(double angle_deg) {
  return syn_pose_about_axis(vec3(0, 0, 0), vec3(0, 0, 1), angle_deg * degrees);
}

static void a_corner_is_as_deep_as_the_circle_and_the_ray_say(void **state) {
  (void)state;
  test_memory memory = {0};
  const syn_context context = test_context(&memory);
  const double enters = asin(10 / 21.0) / degrees;
  const syn_pose path[] = {turned(0), turned(enters - 0.1), turned(enters + 1)};
  scene s;
  syn_depths *d;
  syn_error error;
  make_scene(&context, &s);
  ASSERT_OK(syn_depths_create(&context, &s.joint, path, 3, NULL, &d, &error));
  assert_true(d->curvilinear_mm[0] == 0 && d->curvilinear_mm[1] == 0 && d->radial_mm[1] == 0);
  ASSERT_NEAR(d->curvilinear_mm[2], 21 * 1 * degrees, 1e-9);
  ASSERT_NEAR(d->curvilinear_max_mm, 21 * 1 * degrees, 1e-9);
  ASSERT_NEAR(d->bodies[1].curvilinear_mm[TIP], 21 * 1 * degrees, 1e-9);
  const double at = sqrt(21 * 21 + 0.01);
  ASSERT_NEAR(d->radial_mm[2], at * (1 - 10 / (21 * sin((enters + 1) * degrees))), 1e-9);
  assert_int_equal(d->curvilinear_step, 2);
  assert_true(vec3_distance(d->radial_point, syn_pose_point(&path[2], s.corner->vertices[TIP])) < 1e-9);
  assert_null(d->bodies[0].radial_steps_mm);
  syn_depths_destroy(d);
  drop_scene(&s);
  assert_int_equal(memory.live, 0);
}

/* A contact of the joint says which depths its pair has. */
static void pairs_have_the_depths_of_their_contacts(void **state) {
  (void)state;
  const double enters = asin(10 / 21.0) / degrees;
  const syn_pose path[] = {turned(0), turned(enters + 1)};
  for (int kind = 0; kind < SYN_CONTACT_KINDS; ++kind) {
    const syn_joint_contact contact = {"block", "corner", (syn_contact_kind)kind};
    scene s;
    syn_depths *d;
    syn_error error;
    make_scene(NULL, &s);
    s.joint.contacts = &contact;
    s.joint.contact_count = 1;
    ASSERT_OK(syn_depths_create(NULL, &s.joint, path, 2, NULL, &d, &error));
    assert_true((d->radial_max_mm > 0) == (kind != SYN_CONTACT_CURVILINEAR));
    assert_true((d->curvilinear_max_mm > 0) == (kind != SYN_CONTACT_RADIAL));
    syn_depths_destroy(d);
    drop_scene(&s);
  }
}

static void what_cannot_be_asked_is_refused(void **state) {
  (void)state;
  const syn_pose path[] = {turned(0), {{{{2, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {0, 0, 0}}};
  scene s;
  syn_depths *d;
  syn_error error;
  make_scene(NULL, &s);
  ASSERT_FAILS(syn_depths_create(NULL, &s.joint, path, 0, NULL, &d, &error), SYN_BAD_ARGUMENT, "no poses");
  ASSERT_FAILS(syn_depths_create(NULL, &s.joint, path, 2, NULL, &d, &error), SYN_BAD_ARGUMENT, "pose 1");
  s.bodies[1].moves = false;
  ASSERT_FAILS(syn_depths_create(NULL, &s.joint, path, 1, NULL, &d, &error), SYN_BAD_ARGUMENT, "one that moves");
  s.joint.has_axes = false;
  ASSERT_FAILS(syn_depths_create(NULL, &s.joint, path, 1, NULL, &d, &error), SYN_BAD_ARGUMENT, "axes");
  drop_scene(&s);
}

/* A pose at the start has no turn of its own: it takes the axis of the next pose that has one, the last ones that of
 * the one before. */
static void poses_without_a_turn_take_the_axis_of_the_next_one(void **state) {
  (void)state;
  const syn_vec3 x = {1, 0, 0}, y = {0, 1, 0}, center = {3, -2, 5};
  const syn_joint joint = {.center = center, .axes = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}};
  const syn_pose rest = syn_pose_identity();
  const syn_pose motion[] = {rest, syn_pose_about_axis(center, x, 0.3), rest, syn_pose_about_axis(center, y, 0.2),
                             rest};
  const syn_vec3 expected[] = {x, x, y, y, y};
  syn_path_turn turns[5];
  syn_pose start;
  syn_path_turns(&joint, motion, 5, &start, turns);
  for (int i = 0; i < 5; ++i) {
    assert_true(vec3_distance(turns[i].axis, expected[i]) < 1e-9);
    ASSERT_NEAR(turns[i].angle, i == 1 ? 0.3 : i == 3 ? 0.2 : 0, 1e-9);
  }
}

/* ---- joints of people ----------------------------------------------------------------------------------------------
 */

/* The radial depth of every step is that of its pose alone, and a step has an arc where its pose has a contact. */
static void check_person(const person_joint *p, syn_joint_angles to, size_t steps) {
  syn_collide_options how = syn_default_collide_options();
  syn_depth_options options = syn_default_depth_options();
  syn_pose path[16];
  syn_depths *d;
  syn_error error;
  int free = 0;
  options.between_vertices = false;
  how.center = p->joint.center;
  how.both_roles = true;
  for (size_t i = 0; i < steps; ++i) {
    const double part = (double)i / (double)(steps - 1);
    path[i] = syn_joint_pose(&p->joint, (syn_joint_angles){to.flexion * part, to.adduction * part, to.rotation * part});
  }
  ASSERT_OK(syn_depths_create(NULL, &p->joint, path, steps, &options, &d, &error));
  for (size_t i = 0; i < steps; ++i) {
    syn_collision *alone;
    ASSERT_OK(syn_collision_create(NULL, "radial", &p->bodies[0], &p->bodies[1], &how, &path[i], 0, &alone, &error));
    const double depth = fmax(d->radial_mm[i], d->radial_swapped_mm[i]), arc = d->curvilinear_mm[i];
    ASSERT_NEAR(depth, fmax(alone->contacts.max_depth_mm, 0), 1e-9);
    assert_true(depth == 0 || d->radial_max_mm >= depth);
    assert_true(arc >= 0 && d->curvilinear_max_mm >= arc);
    free += depth == 0;
    syn_collision_destroy(alone);
  }
  assert_true(free > 0 && d->radial_max_mm > 0 && d->curvilinear_max_mm > 0);
  assert_true(d->curvilinear_mm[0] == 0);
  syn_depths_destroy(d);
}

static void a_knee_is_as_deep_as_each_pose_alone(void **state) {
  (void)state;
  person_joint knee;
  if (!read_knee(&knee)) skip();
  check_person(&knee, (syn_joint_angles){.adduction = 14 * degrees}, 8);
  drop_person_joint(&knee);
}

static void a_shoulder_is_as_deep_as_each_pose_alone(void **state) {
  (void)state;
  person_joint shoulder;
  if (!read_shoulder(&shoulder)) skip();
  check_person(&shoulder, (syn_joint_angles){.flexion = -165 * degrees}, 12);
  drop_person_joint(&shoulder);
}

/* ---- memory -------------------------------------------------------------------------------------------------------
 */

static syn_status attempt(const syn_context *context, void *user, syn_error *error) {
  const syn_pose path[] = {turned(0), turned(40)};
  syn_depth_options options = syn_default_depth_options();
  syn_depths *d;
  options.by_step = true;
  const syn_status status = syn_depths_create(context, user, path, 2, &options, &d, error);
  if (status == SYN_OK) syn_depths_destroy(d);
  return status;
}

static void refused_allocations_are_survived(void **state) {
  (void)state;
  scene s;
  make_scene(NULL, &s);
  check_every_allocation(attempt, &s.joint);
  drop_scene(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_corner_is_as_deep_as_the_circle_and_the_ray_say),
      cmocka_unit_test(pairs_have_the_depths_of_their_contacts),
      cmocka_unit_test(what_cannot_be_asked_is_refused),
      cmocka_unit_test(poses_without_a_turn_take_the_axis_of_the_next_one),
      cmocka_unit_test(a_knee_is_as_deep_as_each_pose_alone),
      cmocka_unit_test(a_shoulder_is_as_deep_as_each_pose_alone),
      cmocka_unit_test(refused_allocations_are_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
