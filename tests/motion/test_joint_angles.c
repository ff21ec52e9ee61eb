/* Frames of bones, joint angles of any joint, and the knee's coordinates. */
#include "base/vec.h"
#include "motion/joint_coordinates.h"
#include "support.h"

static const syn_vec3 right = {1, 0, 0}, forward = {0, 1, 0}, up = {0, 0, 1};

static syn_joint_axes upright(syn_side side) {
  if (side == SYN_SIDE_RIGHT) return (syn_joint_axes){right, forward, up};
  return (syn_joint_axes){right, vec3_neg(forward), vec3_neg(up)};
}

static syn_joint_axes turned(const syn_joint_axes *axes, const syn_pose *pose) {
  return (syn_joint_axes){syn_pose_direction(pose, axes->flexion), syn_pose_direction(pose, axes->adduction),
                          syn_pose_direction(pose, axes->rotation)};
}

static void assert_same_axes(const syn_joint_axes *a, const syn_joint_axes *b) {
  assert_true(vec3_distance(a->flexion, b->flexion) < 1e-14);
  assert_true(vec3_distance(a->adduction, b->adduction) < 1e-14);
  assert_true(vec3_distance(a->rotation, b->rotation) < 1e-14);
}

static void four_points_give_a_bones_frame_on_both_sides(void **state) {
  (void)state;
  for (int s = 0; s < 2; ++s) {
    const syn_side side = s ? SYN_SIDE_LEFT : SYN_SIDE_RIGHT;
    const double lateral = s ? -1 : 1;
    /* the line across need not be at right angles to the long axis */
    syn_error error;
    syn_joint_axes axes;
    ASSERT_OK(syn_joint_axes_from_points(side, vec3(5, 5, 400), vec3(5, 5, 0), vec3(-40 * lateral, 3, 7),
                                         vec3(40 * lateral, 3, -9), &axes, &error));
    const syn_joint_axes expected = upright(side);
    assert_same_axes(&axes, &expected);
  }
}

static void points_on_one_line_give_no_frame(void **state) {
  (void)state;
  syn_error error;
  syn_joint_axes axes;
  const syn_vec3 zero = {0, 0, 0};
  ASSERT_FAILS(syn_joint_axes_from_points(SYN_SIDE_RIGHT, up, zero, zero, up, &axes, &error), SYN_BAD_ARGUMENT,
               "on one line");
  ASSERT_FAILS(syn_joint_axes_from_points(SYN_SIDE_RIGHT, up, up, zero, right, &axes, &error), SYN_BAD_ARGUMENT,
               "on one line");
  ASSERT_FAILS(syn_joint_axes_from_points(SYN_SIDE_RIGHT, up, zero, right, right, &axes, &error), SYN_BAD_ARGUMENT,
               "on one line");
  ASSERT_FAILS(syn_joint_axes_from_points(SYN_SIDE_RIGHT, vec3(NAN, 0, 0), zero, zero, right, &axes, &error),
               SYN_BAD_ARGUMENT, "on one line");
}

/* The twin: each turn about the axis as the ones before have left it, then the distal frame brought to the proximal. */
static syn_pose turn_by_turn(const syn_joint_axes *proximal, const syn_joint_axes *distal, syn_vec3 center,
                             syn_joint_angles angles) {
  const syn_mat3 from = {{distal->flexion, distal->adduction, distal->rotation}};
  const syn_mat3 to = {{proximal->flexion, proximal->adduction, proximal->rotation}}, back = mat3_transpose(&to);
  syn_pose pose = {mat3_multiply(&back, &from), {0, 0, 0}};
  pose.translation = vec3_sub(center, mat3_apply(&pose.rotation, center));
  const syn_vec3 axes[3] = {proximal->flexion, proximal->adduction, proximal->rotation};
  const double turns[3] = {angles.flexion, angles.adduction, angles.rotation};
  for (int i = 2; i >= 0; --i) { /* the last turn comes first in fixed axes */
    const syn_pose turn = syn_pose_about_axis(center, axes[i], turns[i]);
    pose = syn_pose_compose(&turn, &pose);
  }
  return pose;
}

static double pose_distance(const syn_pose *a, const syn_pose *b) {
  double most = vec3_distance(a->translation, b->translation);
  for (int i = 0; i < 3; ++i) most = fmax(most, vec3_distance(a->rotation.row[i], b->rotation.row[i]));
  return most;
}

static void angles_and_poses_agree_with_three_turns_for_any_two_frames(void **state) {
  (void)state;
  test_random random = {3};
  for (int i = 0; i < 3000; ++i) {
    const syn_pose a = random_pose(&random, 0), b = random_pose(&random, 0);
    const syn_joint_axes frame = upright(i & 1 ? SYN_SIDE_LEFT : SYN_SIDE_RIGHT);
    const syn_joint_axes proximal = turned(&frame, &a), distal = turned(&frame, &b);
    const syn_joint_angles angles = {random_between(&random, -3.1, 3.1), random_between(&random, -1.55, 1.55),
                                     random_between(&random, -3.1, 3.1)};
    const syn_vec3 center = random_vec3(&random, 100);
    const syn_pose pose = syn_joint_axes_pose(&proximal, &distal, center, angles);
    const syn_pose twin = turn_by_turn(&proximal, &distal, center, angles);
    assert_true(pose_distance(&pose, &twin) < 1e-12);
    const syn_joint_angles back = syn_joint_axes_angles(&proximal, &distal, &pose);
    ASSERT_NEAR(back.flexion, angles.flexion, 1e-12);
    ASSERT_NEAR(back.adduction, angles.adduction, 1e-12);
    ASSERT_NEAR(back.rotation, angles.rotation, 1e-12);
  }
}

/* A knee, and its coordinates by the names of Grood and Suntay (1983): flexion (the calf goes back), adduction (varus),
 * internal rotation; lateral along the femur's axis, anterior along the floating one, distraction down the tibia's. */
typedef struct knee_frames {
  syn_side side;
  syn_joint_axes femur_axes, tibia_axes;
  syn_vec3 femur_origin, tibia_origin;
} knee_frames;

typedef struct knee_coordinates {
  syn_joint_angles angles;
  double lateral_mm, anterior_mm, distraction_mm;
} knee_coordinates;

static syn_pose knee_pose(const knee_frames *knee, const knee_coordinates *c) {
  const double sign = knee->side == SYN_SIDE_RIGHT ? 1 : -1;
  const syn_joint_coordinates general = {{-c->angles.flexion, c->angles.adduction, c->angles.rotation},
                                         {sign * c->lateral_mm, sign * c->anterior_mm, -sign * c->distraction_mm}};
  return syn_joint_coordinates_pose(&knee->femur_axes, knee->femur_origin, &knee->tibia_axes, knee->tibia_origin,
                                    &general);
}

static knee_coordinates knee_coordinates_of(const knee_frames *knee, const syn_pose *pose) {
  const double sign = knee->side == SYN_SIDE_RIGHT ? 1 : -1;
  const syn_joint_coordinates c =
      syn_joint_coordinates_find(&knee->femur_axes, knee->femur_origin, &knee->tibia_axes, knee->tibia_origin, pose);
  return (knee_coordinates){{-c.angles.flexion, c.angles.adduction, c.angles.rotation},
                            sign * c.shift_mm[0],
                            sign * c.shift_mm[1],
                            -sign * c.shift_mm[2]};
}

/* A straight knee whose tibia starts 5 mm below the end of the femur. */
static knee_frames knee_of(syn_side side) {
  return (knee_frames){side, upright(side), upright(side), {10, 20, 30}, {10, 20, 25}};
}

/* At 90 degrees of adduction only the sum of the other two shows: the angles found give the pose again. */
static void at_a_right_angle_the_pose_is_kept(void **state) {
  (void)state;
  const syn_joint_axes axes = upright(SYN_SIDE_RIGHT);
  for (int sign = -1; sign <= 1; sign += 2)
    for (double flexion = -2; flexion <= 2; flexion += 0.25) {
      const syn_pose pose =
          syn_joint_axes_pose(&axes, &axes, vec3(0, 0, 0), (syn_joint_angles){flexion, sign * SYN_PI / 2, 0.5});
      const syn_pose again =
          syn_joint_axes_pose(&axes, &axes, vec3(0, 0, 0), syn_joint_axes_angles(&axes, &axes, &pose));
      for (int i = 0; i < 3; ++i) assert_true(vec3_distance(pose.rotation.row[i], again.rotation.row[i]) < 1e-9);
    }
}

static void the_knee_moves_as_the_names_say_on_both_sides(void **state) {
  (void)state;
  const syn_vec3 down = vec3_neg(up);
  for (int s = 0; s < 2; ++s) {
    const knee_frames knee = knee_of(s ? SYN_SIDE_LEFT : SYN_SIDE_RIGHT);
    const double medial = s ? 1 : -1;
    syn_pose pose = knee_pose(&knee, &(knee_coordinates){.angles = {.flexion = 1}});
    assert_true(syn_pose_direction(&pose, down).y < -0.8);
    pose = knee_pose(&knee, &(knee_coordinates){.angles = {.adduction = 1}});
    assert_true(syn_pose_direction(&pose, down).x * medial > 0.8);
    pose = knee_pose(&knee, &(knee_coordinates){.angles = {.rotation = 1}});
    assert_true(syn_pose_direction(&pose, forward).x * medial > 0.8);
    pose = knee_pose(&knee, &(knee_coordinates){.lateral_mm = 2, .anterior_mm = 3, .distraction_mm = 4});
    const syn_vec3 origin = syn_pose_point(&pose, knee.tibia_origin);
    assert_true(vec3_distance(origin, vec3_add(knee.femur_origin, vec3(-2 * medial, 3, -4))) < 1e-13);
  }
}

static void a_knee_as_it_lies_tells_its_gap(void **state) {
  (void)state;
  const knee_frames knee = knee_of(SYN_SIDE_LEFT);
  const syn_pose rest = syn_pose_identity();
  const knee_coordinates c = knee_coordinates_of(&knee, &rest);
  ASSERT_NEAR(c.angles.flexion, 0, 0);
  ASSERT_NEAR(c.lateral_mm, 0, 0);
  ASSERT_NEAR(c.anterior_mm, 0, 0);
  ASSERT_NEAR(c.distraction_mm, 5, 0);
}

static void knee_coordinates_go_back_and_forth(void **state) {
  (void)state;
  test_random random = {5};
  for (int i = 0; i < 3000; ++i) {
    const syn_side side = i & 1 ? SYN_SIDE_LEFT : SYN_SIDE_RIGHT;
    const syn_pose a = random_pose(&random, 0), b = random_pose(&random, 0);
    const syn_joint_axes frame = upright(side);
    const knee_frames knee = {side, turned(&frame, &a), turned(&frame, &b), random_vec3(&random, 50),
                              random_vec3(&random, 50)};
    const knee_coordinates c = {
        {random_between(&random, -0.2, 2.6), random_between(&random, -1, 1), random_between(&random, -1, 1)},
        random_between(&random, -9, 9),
        random_between(&random, -9, 9),
        random_between(&random, -9, 9)};
    const syn_pose pose = knee_pose(&knee, &c);
    const knee_coordinates back = knee_coordinates_of(&knee, &pose);
    ASSERT_NEAR(back.angles.flexion, c.angles.flexion, 1e-12);
    ASSERT_NEAR(back.angles.adduction, c.angles.adduction, 1e-12);
    ASSERT_NEAR(back.angles.rotation, c.angles.rotation, 1e-12);
    ASSERT_NEAR(back.lateral_mm, c.lateral_mm, 1e-12);
    ASSERT_NEAR(back.anterior_mm, c.anterior_mm, 1e-12);
    ASSERT_NEAR(back.distraction_mm, c.distraction_mm, 1e-12);
  }
}

/* Mirrored bones and a mirrored pose have the same coordinates on the other side. */
static void a_mirrored_knee_has_the_same_coordinates(void **state) {
  (void)state;
  const knee_frames one = knee_of(SYN_SIDE_RIGHT);
  knee_frames other = knee_of(SYN_SIDE_LEFT);
  other.femur_origin.x *= -1;
  other.tibia_origin.x *= -1;
  const knee_coordinates c = {{1.2, 0.1, -0.2}, 1, 2, 3};
  const syn_pose pose = knee_pose(&one, &c);
  syn_pose mirrored = pose;
  mirrored.translation.x *= -1;
  mirrored.rotation.row[0].y *= -1, mirrored.rotation.row[0].z *= -1;
  mirrored.rotation.row[1].x *= -1, mirrored.rotation.row[2].x *= -1;
  const syn_pose expected = knee_pose(&other, &c);
  assert_true(pose_distance(&mirrored, &expected) < 1e-13);
}

/* A small rotation about one of its own axes leaves that one, and carries the next towards the third. */
static void axes_rotate_about_themselves(void **state) {
  (void)state;
  const syn_joint_axes axes = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
  const double angle = 0.2;
  const syn_joint_axes same = syn_joint_axes_turned(&axes, vec3(0, 0, 0)),
                       turned = syn_joint_axes_turned(&axes, vec3(angle, 0, 0));
  assert_memory_equal(&same, &axes, sizeof axes);
  assert_true(vec3_distance(turned.flexion, axes.flexion) < 1e-15);
  assert_true(vec3_distance(turned.adduction, vec3(cos(angle), sin(angle), 0)) < 1e-15);
  assert_true(vec3_distance(turned.rotation, vec3(-sin(angle), cos(angle), 0)) < 1e-15);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(at_a_right_angle_the_pose_is_kept),
      cmocka_unit_test(four_points_give_a_bones_frame_on_both_sides),
      cmocka_unit_test(points_on_one_line_give_no_frame),
      cmocka_unit_test(angles_and_poses_agree_with_three_turns_for_any_two_frames),
      cmocka_unit_test(the_knee_moves_as_the_names_say_on_both_sides),
      cmocka_unit_test(a_knee_as_it_lies_tells_its_gap),
      cmocka_unit_test(knee_coordinates_go_back_and_forth),
      cmocka_unit_test(axes_rotate_about_themselves),
      cmocka_unit_test(a_mirrored_knee_has_the_same_coordinates),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
