/* The range of motion of any joint: closed forms on blocks, a hip's own answers, and as the slow twin steps that look
 * at every pair of triangles. */
#include <synovia/clinic.h>
#include <synovia/motion.h>

#include "base/vec.h"
#include "block_hip.h"
#include "clinic/rom/hip_rom.h"
#include "geometry/triangle_pair.h"
#include "motion/rom/limit_text.h"

static const double degrees = SYN_PI / 180;

/* ---- blocks -------------------------------------------------------------------------------------------------------
 */

/* The blocks of a hip as a joint of another kind. */
typedef struct block_joint {
  block_hip blocks;
  syn_body bodies[2];
  syn_joint joint;
} block_joint;

static void make_block_joint(block_joint *b) {
  b->blocks = make_block_hip(NULL, SYN_SIDE_RIGHT, NULL);
  b->bodies[0] = (syn_body){.name = "block", .surface = b->blocks.meshes[SYN_HIP_PELVIS]};
  b->bodies[1] = (syn_body){.name = "bar", .moves = true, .surface = b->blocks.meshes[SYN_HIP_FEMUR]};
  b->joint = (syn_joint){.name = "hinge",
                         .kind = "hinge",
                         .body_count = 2,
                         .bodies = b->bodies,
                         .has_center = true,
                         .has_axes = true,
                         .axes = b->blocks.hip.pelvis_axes,
                         .directions = {{"up", "down"}, {"in", "out"}, {"left", "right"}}};
}

static const syn_motion_limit *limit_named(const syn_joint_analysis *a, const char *name) {
  for (size_t i = 0; i < a->limit_count; ++i)
    if (strcmp(a->limits[i].motion->name, name) == 0) return &a->limits[i];
  fail_msg("there is no motion %s", name);
  return NULL;
}

static void blocks_stop_where_geometry_says(void **state) {
  (void)state;
  block_joint b;
  syn_error error;
  syn_joint_analysis *a;
  make_block_joint(&b);
  ASSERT_OK(syn_joint_analysis_create(NULL, &b.joint, NULL, &a, &error));
  assert_int_equal(a->limit_count, 6);
  const struct {
    const char *name, *label;
    double angle;
  } expected[] = {{"up", "Up", block_flexion()},
                  {"down", "Down", block_extension()},
                  {"in", "In", block_adduction()},
                  {"left", "Left", block_internal_rotation()},
                  {"right", "Right", block_external_rotation()}};
  for (size_t i = 0; i < sizeof expected / sizeof *expected; ++i) {
    const syn_motion_limit *l = limit_named(a, expected[i].name);
    ASSERT_NEAR(l->limit.followed, expected[i].angle, 1e-12);
    assert_string_equal(l->motion->label, expected[i].label);
    assert_ptr_equal(l->fixed, &b.bodies[0]);
    assert_ptr_equal(l->mobile, &b.bodies[1]);
  }
  assert_int_equal(a->overlap_count, 0);
  syn_joint_analysis_destroy(a);
  drop_block_hip(&b.blocks);
}

/* A stop beyond what is still the motion is none. */
static void a_motion_ends_where_its_joint_says(void **state) {
  (void)state;
  block_joint b;
  syn_error error;
  syn_rom *rom;
  make_block_joint(&b);
  ASSERT_OK(syn_rom_create(NULL, &b.joint, NULL, &rom, &error));
  void *scratch = malloc(syn_rom_scratch(rom) + 1);
  const double stop_deg = block_flexion() * 180 / SYN_PI;
  for (int i = -1; i <= 1; ++i) {
    syn_motion motion = {.name = "up", .axis = 0, .sign = 1, .max_deg = i ? stop_deg + i : 0};
    syn_limit limit;
    syn_rom_query(rom, &motion, scratch, &limit);
    assert_int_equal(limit.state, i < 0 ? SYN_LIMIT_NO_STOP : SYN_LIMIT_STOPPED);
    ASSERT_NEAR(limit.followed * 180 / SYN_PI, i < 0 ? stop_deg - 1 : stop_deg, 1e-9);
    assert_true((limit.fixed == SYN_NONE) == (i < 0) && isnan(limit.angle) == (i < 0));
  }
  free(scratch);
  syn_rom_destroy(rom);
  drop_block_hip(&b.blocks);
}

/* The same turns by the same code: to the bit, from any start. */
static void a_hip_as_another_joint_has_the_limits_of_a_hip(void **state) {
  (void)state;
  block_joint b;
  syn_error error;
  syn_rom *rom;
  syn_rom *hip_rom;
  make_block_joint(&b);
  ASSERT_OK(syn_rom_create(NULL, &b.joint, NULL, &rom, &error));
  ASSERT_OK(syn_hip_rom_create(NULL, &b.blocks.hip, &hip_rom, &error));
  void *scratch = malloc(syn_rom_scratch(rom) + syn_rom_scratch(hip_rom));
  for (size_t i = 0; i < SYN_CLINICAL_MOTIONS; ++i) {
    const syn_motion *m = &syn_clinical_motions[i];
    const syn_motion motion = {.name = m->name,
                               .axis = (int)m->axis,
                               .sign = m->sign,
                               .start = {m->start.flexion, m->start.adduction, m->start.rotation}};
    syn_limit limit, of_hip;
    syn_rom_query(rom, &motion, scratch, &limit);
    syn_rom_query(hip_rom, &(syn_motion){.start = m->start, .axis = m->axis, .sign = m->sign}, scratch, &of_hip);
    assert_memory_equal(&limit.followed, &of_hip.followed, sizeof of_hip.followed);
    assert_int_equal(limit.state, of_hip.state);
    assert_memory_equal(&limit.event.point, &of_hip.event.point, sizeof of_hip.event.point);
  }
  free(scratch);
  syn_rom_destroy(hip_rom);
  syn_rom_destroy(rom);
  drop_block_hip(&b.blocks);
}

/* ---- motions of the joint -----------------------------------------------------------------------------------------
 */

/* The same draws for the same seed: the bands of a hip whose frames are certain. */
static void a_hip_as_another_joint_has_the_bands_of_a_hip(void **state) {
  (void)state;
  block_joint b;
  syn_error error;
  syn_rom *rom;
  syn_rom *hip_rom;
  syn_hip_motion_limit hip_limits[3] = {{0}};
  syn_motion_limit limits[3];
  syn_motion motions[3];
  syn_band_options options = syn_default_band_options();
  syn_context contexts[2] = {syn_default_context(), syn_default_context()};
  static const char *const names[] = {"flexion", "adduction", "abduction"};
  options.draws = 40;
  options.voxel_mm = 0.7;
  make_block_joint(&b);
  ASSERT_OK(syn_rom_create(NULL, &b.joint, NULL, &rom, &error));
  ASSERT_OK(syn_hip_rom_create(NULL, &b.blocks.hip, &hip_rom, &error));
  void *scratch = malloc(syn_rom_scratch(rom) + syn_rom_scratch(hip_rom));
  for (int i = 0; i < 3; ++i) {
    const syn_motion *m = syn_clinical_motion_named(names[i]);
    motions[i] = (syn_motion){.name = m->name, .axis = (int)m->axis, .sign = m->sign, .max_deg = m->max_deg};
    limits[i] = (syn_motion_limit){.motion = &motions[i]};
    syn_rom_query(rom, &motions[i], scratch, &limits[i].limit);
    hip_limits[i].motion = m;
    syn_rom_query(hip_rom, m, scratch, &hip_limits[i].bones);
  }
  ASSERT_OK(syn_hip_bands_find(hip_rom, NULL, &options, hip_limits, 3, &error));
  for (int threads = 0; threads < 2; ++threads) {
    syn_rom *of_threads;
    contexts[threads].threads = threads ? 5 : 1;
    ASSERT_OK(syn_rom_create(&contexts[threads], &b.joint, NULL, &of_threads, &error));
    ASSERT_OK(syn_bands_find(of_threads, NULL, &options, limits, 3, &error));
    syn_rom_destroy(of_threads);
    for (int i = 0; i < 3; ++i) {
      assert_true(limits[i].stopped_part == hip_limits[i].stopped_part);
      for (int k = SYN_BAND_ALL; k <= SYN_BAND_CENTER; ++k) {
        ASSERT_NEAR(limits[i].bands[k].low, hip_limits[i].bands[k].low, 0);
        ASSERT_NEAR(limits[i].bands[k].high, hip_limits[i].bands[k].high, 0);
      }
      assert_true(isnan(limits[i].bands[SYN_BAND_FRAME].low)); /* of its axes nothing is known */
    }
  }
  assert_true(limits[0].bands[SYN_BAND_ALL].high > limits[0].bands[SYN_BAND_ALL].low + 1);
  free(scratch);
  syn_rom_destroy(hip_rom);
  syn_rom_destroy(rom);
  drop_block_hip(&b.blocks);
}

static void motions_are_those_of_the_joint_or_those_asked_for(void **state) {
  (void)state;
  static const char *const listed[] = {"down"}, *const asked[] = {"up", "lifted", "up"}, *const wrong[] = {"sideway"};
  block_joint b;
  syn_error error;
  syn_joint_analysis *a;
  make_block_joint(&b);
  const double start = 10 * degrees;
  const syn_motion turns[] = {
      {.name = "lifted", .axis = 0, .sign = 1, .start = {start}, .low_deg = 1, .high_deg = 2, .source = "here"},
      {.name = "down", .axis = SYN_JOINT_AXES, .sign = -1, .vector = {1, 0, 0}}};
  b.joint.motions = listed;
  b.joint.motion_count = 1;
  b.joint.turns = turns;
  b.joint.turn_count = 2;
  ASSERT_OK(syn_joint_analysis_create(NULL, &b.joint, NULL, &a, &error));
  assert_int_equal(a->limit_count, 2); /* the joint's own "down" comes before the turn of that name, and once */
  assert_int_equal(a->limits[0].motion->axis, SYN_JOINT_AXES);
  ASSERT_NEAR(a->limits[0].limit.followed, block_extension(), 1e-12);
  ASSERT_NEAR(a->limits[1].limit.followed, block_flexion() - start, 1e-12);
  syn_joint_analysis_destroy(a);
  syn_joint_analysis_options options = syn_default_joint_analysis_options();
  options.motions = asked;
  options.motion_count = 3;
  ASSERT_OK(syn_joint_analysis_create(NULL, &b.joint, &options, &a, &error));
  assert_int_equal(a->limit_count, 2);
  assert_string_equal(a->limits[0].motion->name, "up");
  assert_string_equal(a->limits[1].motion->label, "Lifted");
  syn_joint_analysis_destroy(a);
  options.motions = wrong;
  options.motion_count = 1;
  ASSERT_FAILS(syn_joint_analysis_create(NULL, &b.joint, &options, &a, &error), SYN_BAD_ARGUMENT,
               "this joint has no motion 'sideway'");
  assert_null(a);
  drop_block_hip(&b.blocks);
}

/* ---- what counts --------------------------------------------------------------------------------------------------
 */

/* Everything of the bar that meets the block in flexion lies in the ball; what is left passes by. */
static void joint_surfaces_and_pairs_that_are_not_listed_do_not_count(void **state) {
  (void)state;
  block_joint b;
  syn_error error;
  syn_rom *rom;
  make_block_joint(&b);
  /* the bar hangs from -10 to -50, the fin sticks out to x = 26 */
  const syn_ball ball = {{0, 0, -30}, 24};
  b.joint.articular = &ball;
  b.joint.articular_count = 1;
  ASSERT_OK(syn_rom_create(NULL, &b.joint, NULL, &rom, &error));
  void *scratch = malloc(syn_rom_scratch(rom));
  const syn_motion up = {.name = "up", .axis = 0, .sign = 1}, left = {.name = "left", .axis = 2, .sign = 1};
  syn_limit limit;
  syn_rom_query(rom, &up, scratch, &limit);
  assert_true(limit.state == SYN_LIMIT_NO_STOP || limit.followed > block_flexion() + 0.01);
  syn_rom_query(rom, &left, scratch, &limit);
  ASSERT_NEAR(limit.followed, block_internal_rotation(), 1e-12); /* the fin still counts */
  free(scratch);
  syn_rom_destroy(rom);
  const syn_joint_contact none = {"block", "other", SYN_CONTACT_BOTH};
  b.joint.contacts = &none;
  b.joint.contact_count = 1;
  ASSERT_FAILS(syn_rom_create(NULL, &b.joint, NULL, &rom, &error), SYN_BAD_ARGUMENT, "a body that stands");
  drop_block_hip(&b.blocks);
}

static void wrong_frames_are_refused(void **state) {
  (void)state;
  block_joint b;
  syn_error error;
  syn_rom *rom;
  make_block_joint(&b);
  syn_joint wrong = b.joint;
  wrong.has_center = false;
  ASSERT_FAILS(syn_rom_create(NULL, &wrong, NULL, &rom, &error), SYN_BAD_ARGUMENT, "centre and axes");
  wrong = b.joint;
  wrong.axes.rotation = vec3_neg(wrong.axes.rotation);
  ASSERT_FAILS(syn_rom_create(NULL, &wrong, NULL, &rom, &error), SYN_BAD_ARGUMENT, "right-handed");
  drop_block_hip(&b.blocks);
}

/* ---- from files ---------------------------------------------------------------------------------------------------
 */

static void write_part(const char *name, const syn_trimesh *mesh) {
  syn_error error;
  const syn_geometry geometry = syn_trimesh_geometry(mesh);
  ASSERT_OK(syn_geometry_write(NULL, &geometry, temporary_path(name), NULL, &error));
}

static const char knee[] = "{\"synovia\":1,\"side\":\"right\",\"bodies\":["
                           "{\"name\":\"femur\",\"mesh\":\"femur.ply\",\"tissue\":\"bone\",\"moves\":false},"
                           "{\"name\":\"tibia\",\"mesh\":\"tibia.ply\",\"tissue\":\"bone\",\"moves\":true}]%s}";

static syn_status open_knee(const char *more, syn_joint **joint, syn_error *error) {
  char text[2048];
  snprintf(text, sizeof text, knee, more);
  write_text_file(temporary_path("knee.json"), text);
  syn_joint_input input = syn_default_joint_input();
  input.joint = temporary_path("knee.json");
  return syn_joint_open(NULL, &input, joint, error);
}

/* The frames of Grood and Suntay from points; the tibia is bent by 10 degrees as it lies, so that flexion to where the
 * frames would agree, and further, counts from 0. */
static void a_knee_has_frames_by_landmarks(void **state) {
  (void)state;
  block_joint b;
  syn_error error;
  syn_joint *joint;
  make_block_joint(&b);
  write_part("femur.ply", b.bodies[0].surface);
  write_part("tibia.ply", b.bodies[1].surface);
  drop_block_hip(&b.blocks);
  char more[1024];
  const double bent = 10 * degrees; /* the ankle goes back */
  snprintf(more, sizeof more,
           ",\"frame\":{\"landmarks\":{\"head_center\":[0,0,400],\"medial_epicondyle\":[-40,0,0],"
           "\"lateral_epicondyle\":[40,0,0],\"medial_plateau\":[-30,0,0],\"lateral_plateau\":[30,0,0],"
           "\"ankle_center\":[0,%.17g,%.17g]}}",
           -400 * sin(bent), -400 * cos(bent));
  ASSERT_OK(open_knee(more, &joint, &error));
  assert_string_equal(syn_joint_kind(joint), "knee");
  const syn_pose as_it_lies = syn_pose_identity();
  ASSERT_NEAR(syn_joint_angles_of(joint, &as_it_lies).flexion, -bent,
              1e-12); /* right-handed about the patient's right is extension */
  ASSERT_NEAR(vec3_length(joint->center), 0, 1e-12);
  syn_joint_analysis *a;
  ASSERT_OK(syn_joint_analysis_create(NULL, joint, NULL, &a, &error));
  /* from 0, where the bar is turned forward by 10 degrees */
  ASSERT_NEAR(limit_named(a, "extension")->limit.followed, block_flexion() - bent, 1e-9);
  ASSERT_NEAR(limit_named(a, "flexion")->limit.followed, block_extension() + bent, 1e-9);
  syn_joint_analysis_destroy(a);
  syn_joint_destroy(joint);
}

static void what_is_missing_is_named(void **state) {
  (void)state;
  static const char *const cases[][2] = {
      {"", "frame: is missing; the axes of a joint that is not a hip"},
      {",\"frame\":{\"landmarks\":{\"head_center\":[0,0,400]}}", "frame.landmarks.medial_epicondyle: is missing"},
      {",\"frame\":{\"flexion\":[1,0,0],\"adduction\":[0,1,0],\"rotation\":[0,0,1]}", "center: must be three numbers"},
      {",\"kind\":\"toe\"", "frame: is missing"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    syn_error error;
    syn_joint *joint;
    ASSERT_FAILS(open_knee(cases[i][0], &joint, &error), SYN_BAD_FORMAT, cases[i][1]);
    assert_null(joint);
  }
}

/* ---- the slow twin ------------------------------------------------------------------------------------------------
 */

enum { FIXED = 2, BODIES = 4 };

static bool meet(const syn_trimesh *fixed, const syn_trimesh *mobile, const syn_pose *pose) {
  for (uint32_t t = 0; t < mobile->triangle_count; ++t) {
    syn_vec3 moved[3];
    for (int c = 0; c < 3; ++c) moved[c] = syn_pose_point(pose, mobile->vertices[mobile->triangles[t].v[c]]);
    for (uint32_t s = 0; s < fixed->triangle_count; ++s) {
      syn_vec3 still[3];
      for (int c = 0; c < 3; ++c) still[c] = fixed->vertices[fixed->triangles[s].v[c]];
      if (syn_triangles_meet(still, moved)) return true;
    }
  }
  return false;
}

static bool any_meet(const syn_joint *joint, const syn_pose *start, syn_vec3 axis, double angle) {
  const syn_pose turn = syn_pose_about_axis(joint->center, axis, angle), pose = syn_pose_compose(&turn, start);
  for (size_t f = 0; f < FIXED; ++f)
    for (size_t m = FIXED; m < BODIES; ++m)
      if (meet(joint->bodies[f].surface, joint->bodies[m].surface, &pose)) return true;
  return false;
}

static void make_bodies(test_random *random, syn_body bodies[BODIES]) {
  static const char *const names[BODIES] = {"a", "b", "c", "d"};
  for (int i = 0; i < BODIES; ++i) {
    syn_error error;
    syn_trimesh *blob = make_blob(NULL, random, 4, 6, 0.3), *placed;
    const syn_pose pose = random_pose(random, 3.2);
    ASSERT_OK(syn_trimesh_transform(blob, &pose, &placed, &error));
    bodies[i] = (syn_body){.name = names[i], .moves = i >= FIXED, .surface = placed};
    syn_trimesh_destroy(blob);
  }
}

static void what_overlaps_is_named(void **state) {
  (void)state;
  const syn_body stone = {.name = "stone"}, lever = {.name = "lever"};
  syn_motion_limit limit = {
      .limit = {.state = SYN_LIMIT_NO_FREE_POSE, .start_overlaps = true, .angle = NAN, .followed = NAN}};
  char words[96];
  assert_string_equal(syn_motion_limit_words(&limit, words), "no free pose");
  limit.fixed = &lever;
  limit.mobile = &stone;
  assert_string_equal(syn_motion_limit_words(&limit, words), "no free pose: stone overlaps lever");
  limit.limit = (syn_limit){.state = SYN_LIMIT_STOPPED, .angle = 0.5 * SYN_PI, .followed = 0.5 * SYN_PI};
  assert_string_equal(syn_motion_limit_words(&limit, words), "stopped at 90°");
}

static void check_by_steps(const syn_joint *joint, const syn_motion *motion, const syn_limit *limit) {
  const syn_pose start = syn_joint_pose(joint, motion->start);
  const double step = 3 * degrees, angle = limit->followed;
  const syn_vec3 axis = vec3_scale(motion->vector, motion->sign);
  if (any_meet(joint, &start, axis, 0)) {
    assert_true(limit->start_overlaps || limit->state == SYN_LIMIT_NO_STOP);
    if (limit->state == SYN_LIMIT_STOPPED) assert_true(angle <= 0);
    return;
  }
  for (int i = 0; i * step < angle - 1e-9 && i < 120; ++i) assert_false(any_meet(joint, &start, axis, i * step));
  if (limit->state == SYN_LIMIT_NO_STOP) return;
  assert_false(any_meet(joint, &start, axis, angle - 1e-8));
  assert_true(any_meet(joint, &start, axis, angle + 1e-6));
  const syn_pose turn = syn_pose_about_axis(joint->center, axis, angle + 1e-6), pose = syn_pose_compose(&turn, &start);
  assert_true(meet(joint->bodies[limit->fixed].surface, joint->bodies[limit->mobile].surface,
                   &pose)); /* these two, by number */
}

static void random_bodies_stop_where_stepping_finds_them_stop(void **state) {
  (void)state;
  test_random random = {5};
  int stopped = 0, free_all_round = 0, overlapping = 0;
  for (int round = 0; round < 12; ++round) {
    syn_error error;
    syn_body bodies[BODIES];
    make_bodies(&random, bodies);
    const syn_joint joint = {.kind = "other",
                             .body_count = BODIES,
                             .bodies = bodies,
                             .has_center = true,
                             .center = random_vec3(&random, 1),
                             .has_axes = true,
                             .axes = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    syn_rom *rom;
    ASSERT_OK(syn_rom_create(NULL, &joint, NULL, &rom, &error));
    void *scratch = malloc(syn_rom_scratch(rom));
    for (int i = 0; i < 4; ++i) {
      const syn_motion motion = {.name = "m",
                                 .axis = SYN_JOINT_AXES,
                                 .sign = i % 2 ? -1 : 1,
                                 .vector = vec3_unit(random_vec3(&random, 1)),
                                 .start = {random_between(&random, -1, 1), random_between(&random, -1, 1), 0.3}};
      syn_limit limit;
      syn_rom_query(rom, &motion, scratch, &limit);
      check_by_steps(&joint, &motion, &limit);
      uint32_t fixed, mobile;
      const syn_pose start = syn_joint_pose(&joint, motion.start);
      assert_int_equal(syn_rom_meets(rom, &start, scratch, &fixed, &mobile),
                       any_meet(&joint, &start, motion.vector, 0));
      assert_true((fixed == SYN_NONE) == (mobile == SYN_NONE));
      if (fixed != SYN_NONE) assert_true(meet(bodies[fixed].surface, bodies[mobile].surface, &start));
      stopped += limit.state != SYN_LIMIT_NO_STOP && !limit.start_overlaps;
      overlapping += limit.start_overlaps;
      free_all_round += limit.state == SYN_LIMIT_NO_STOP;
    }
    free(scratch);
    syn_rom_destroy(rom);
    for (int i = 0; i < BODIES; ++i) syn_body_release(&bodies[i]);
  }
  print_message("%d stopped, %d free, %d overlapping\n", stopped, free_all_round, overlapping);
  assert_true(stopped >= 5 && overlapping >= 2);
}

/* ---- memory -------------------------------------------------------------------------------------------------------
 */

static syn_status analyse(const syn_context *context, void *user, syn_error *error) {
  block_joint *b = user;
  syn_joint_analysis_options options = syn_default_joint_analysis_options();
  syn_joint_analysis *a;
  options.bands.draws = 2; /* as many go through the same code */
  const syn_status status = syn_joint_analysis_create(context, &b->joint, &options, &a, error);
  if (status == SYN_OK) syn_joint_analysis_destroy(a);
  return status;
}

static void every_refused_allocation_is_survived(void **state) {
  (void)state;
  block_joint b;
  make_block_joint(&b);
  const syn_ball ball = {{0, 0, -30}, 24};
  b.joint.articular = &ball;
  b.joint.articular_count = 1;
  check_every_allocation(analyse, &b);
  drop_block_hip(&b.blocks);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(blocks_stop_where_geometry_says),
      cmocka_unit_test(a_motion_ends_where_its_joint_says),
      cmocka_unit_test(a_hip_as_another_joint_has_the_limits_of_a_hip),
      cmocka_unit_test(a_hip_as_another_joint_has_the_bands_of_a_hip),
      cmocka_unit_test(motions_are_those_of_the_joint_or_those_asked_for),
      cmocka_unit_test(joint_surfaces_and_pairs_that_are_not_listed_do_not_count),
      cmocka_unit_test(wrong_frames_are_refused),
      cmocka_unit_test(a_knee_has_frames_by_landmarks),
      cmocka_unit_test(what_is_missing_is_named),
      cmocka_unit_test(random_bodies_stop_where_stepping_finds_them_stop),
      cmocka_unit_test(what_overlaps_is_named),
      cmocka_unit_test(every_refused_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
