/* Joint surfaces of skeletons: a head that glides in its socket ends no Dof, its neck does. */
#include "base/status.h"
#include "base/vec.h"
#include "motion/skeleton_analysis.h"
#include "support.h"

enum { JOINTS = 3, BODIES = 3 };

/* A hip whose axis runs beside the centre of the head, as that of a recorded motion may: its head meets the socket
 * after a few degrees. The third body hangs on the femur. */
typedef struct eccentric_hip {
  syn_joint *hip;
  syn_dof dofs[2];
  syn_ball ball;
  syn_skeleton_joint joints[JOINTS];
  syn_skeleton_body bodies[BODIES];
  syn_skeleton *skeleton;
} eccentric_hip;

static const syn_vec3 beside = {0, 8, 0};

static syn_dof flexion_or_shift(const syn_joint *hip, const char *name, syn_dof_kind kind, double end) {
  return (syn_dof){.name = name,
                   .kind = kind,
                   .place = syn_pose_identity(),
                   .axis = hip->axes.flexion,
                   .lower = -end,
                   .upper = end,
                   .comfort_lower = -end,
                   .comfort_upper = end};
}

static void make_hip(eccentric_hip *h, double radius_mm) {
  syn_error error;
  *h = (eccentric_hip){0};
  ASSERT_OK(syn_shape_create(NULL, "hip", NULL, 0, &h->hip, &error));
  h->dofs[0] = flexion_or_shift(h->hip, "shift", SYN_DOF_TRANSLATION, 30);
  h->dofs[1] = flexion_or_shift(h->hip, "flexion", SYN_DOF_ROTATION, 3);
  h->ball = (syn_ball){vec3_neg(beside), radius_mm};
  h->joints[0] = (syn_skeleton_joint){.name = "ground", .type = SYN_JOINT_FIXED};
  h->joints[1] = (syn_skeleton_joint){.name = "hip",
                                      .parent = "ground",
                                      .type = SYN_JOINT_PLANAR,
                                      .dof_count = 2,
                                      .dofs = h->dofs,
                                      .place = syn_pose_identity(),
                                      .articular_count = radius_mm > 0,
                                      .articular = &h->ball};
  h->joints[1].place.translation = vec3_add(h->hip->center, beside);
  h->joints[2] = (syn_skeleton_joint){.name = "below", .parent = "hip", .type = SYN_JOINT_FIXED};
  const char *const names[BODIES] = {"pelvis", "femur", "labrum"}, *const joints[BODIES] = {"ground", "hip", "below"};
  for (int i = 0; i < BODIES; ++i)
    h->bodies[i] =
        (syn_skeleton_body){.body = {.name = names[i], .surface = syn_joint_body_named(h->hip, names[i])->surface},
                            .joint = joints[i],
                            .place = syn_pose_identity(),
                            .placed_at_rest = true};
  static const syn_skeleton_contact pair = {"pelvis", "femur"};
  const syn_skeleton_description d = {.joint_count = JOINTS,
                                      .body_count = BODIES,
                                      .joints = h->joints,
                                      .bodies = h->bodies,
                                      .contact_count = 1,
                                      .contacts = &pair};
  ASSERT_OK(syn_skeleton_create(NULL, &d, &h->skeleton, &error));
}

static void end_hip(eccentric_hip *h) {
  syn_skeleton_destroy(h->skeleton);
  syn_joint_destroy(h->hip);
}

static syn_status analyse(const syn_context *context, const eccentric_hip *h, syn_skeleton_analysis **analysis,
                          syn_error *error) {
  static const char *const dofs[] = {"flexion", "shift"};
  syn_skeleton_analysis_options options = syn_default_skeleton_analysis_options();
  options.ranges = dofs;
  options.range_count = 2;
  return syn_skeleton_analysis_create(context, h->skeleton, &options, analysis, error);
}

/* The twin: the femur without every triangle whose corners are all in the ball, one after the other. */
static syn_turn_range twin_range(const eccentric_hip *h, double radius_mm, size_t *left_out) {
  const syn_trimesh *femur = h->bodies[1].body.surface;
  syn_triangle *kept = calloc(femur->triangle_count, sizeof *kept);
  uint32_t count = 0;
  for (uint32_t t = 0; t < femur->triangle_count; ++t) {
    double farthest = 0;
    for (int c = 0; c < 3; ++c)
      farthest = fmax(farthest, vec3_distance(femur->vertices[femur->triangles[t].v[c]], h->hip->center));
    if (!(farthest < radius_mm)) kept[count++] = femur->triangles[t];
  }
  *left_out = femur->triangle_count - count;
  syn_trimesh *rest;
  syn_turn_range range;
  syn_error error;
  ASSERT_OK(syn_trimesh_create(NULL, femur->vertices, femur->vertex_count, kept, count, &rest, &error));
  ASSERT_OK(syn_turn_range_find(h->bodies[0].body.surface, rest, vec3_add(h->hip->center, beside), h->hip->axes.flexion,
                                &range, &error));
  syn_trimesh_destroy(rest);
  free(kept);
  return range;
}

static double end_of(const syn_event *event) { return fmin(event->angle, 3); }

static void a_gliding_head_ends_no_dof_and_the_neck_does(void **state) {
  (void)state;
  double reached[2][2], shifted[2];
  for (int gliding = 0; gliding < 2; ++gliding) {
    const double radius = gliding ? 26 : 0;
    eccentric_hip h;
    syn_error error;
    syn_skeleton_analysis *a;
    size_t left_out;
    make_hip(&h, radius);
    ASSERT_OK(analyse(NULL, &h, &a, &error));
    const syn_turn_range twin = twin_range(&h, radius, &left_out);
    assert_true(a->ranges[0].exact);
    assert_false(twin.overlap.found);
    ASSERT_NEAR(a->ranges[0].upper.value, end_of(&twin.positive), 1e-9);
    ASSERT_NEAR(a->ranges[0].lower.value, -end_of(&twin.negative), 1e-9);
    assert_int_equal(a->left_out[1], left_out);
    assert_int_equal(a->left_out[0], 0);
    assert_int_equal(left_out > 0, gliding);
    reached[gliding][0] = a->ranges[0].upper.value;
    reached[gliding][1] = -a->ranges[0].lower.value;
    shifted[gliding] = fmin(a->ranges[1].upper.value, -a->ranges[1].lower.value); /* followed in steps */
    /* what hangs on the femur meets all of it, the pelvis what is left */
    assert_ptr_equal(syn_skeleton_counted(a, 1, 2), h.bodies[1].body.surface);
    assert_int_equal(syn_skeleton_counted(a, 1, 0) == h.bodies[1].body.surface, !gliding);
    syn_skeleton_analysis_destroy(a);
    end_hip(&h);
  }
  assert_true(reached[1][0] > reached[0][0]);
  assert_true(reached[1][1] > 2 * reached[0][1] && reached[1][1] < 3); /* bone beyond the head ends it */
  assert_true(shifted[1] > shifted[0]);
}

/* A ball that is no ball is refused with its place. */
static void a_ball_without_a_radius_is_refused(void **state) {
  (void)state;
  const syn_ball balls[] = {{{0, 0, 0}, -1}, {{0, 0, 0}, NAN}, {{0, INFINITY, 0}, 1}, {{0, 0, 0}, INFINITY}};
  for (size_t i = 0; i < sizeof balls / sizeof *balls; ++i) {
    const syn_skeleton_joint joint = {
        .name = "j", .type = SYN_JOINT_FIXED, .articular_count = 1, .articular = &balls[i]};
    const syn_skeleton_description d = {.joint_count = 1, .joints = &joint};
    syn_skeleton *skeleton;
    syn_error error;
    ASSERT_FAILS(syn_skeleton_create(NULL, &d, &skeleton, &error), SYN_BAD_ARGUMENT, "joints[0].articular[0]");
  }
}

static syn_status attempt(const syn_context *context, void *user, syn_error *error) {
  syn_skeleton_analysis *a;
  SYN_TRY(analyse(context, user, &a, error));
  syn_skeleton_analysis_destroy(a);
  return SYN_OK;
}

static void every_refused_allocation_is_survived(void **state) {
  (void)state;
  SLOW_UNDER_SANITIZERS();
  eccentric_hip h;
  make_hip(&h, 26);
  check_every_allocation(attempt, &h);
  end_hip(&h);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_gliding_head_ends_no_dof_and_the_neck_does),
      cmocka_unit_test(a_ball_without_a_radius_is_refused),
      cmocka_unit_test(every_refused_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
