/* Range of motion: closed forms on blocks, and stepping a collider as the slow twin. */
#include "block_hip.h"

#include "base/vec.h"
#include "clinic/hip.h"
#include "clinic/rom/hip_rom.h"

static const double degrees = SYN_PI / 180;

/* ---- asking -------------------------------------------------------------------------------------------------------
 */

static syn_rom *rom_of(const syn_hip *hip) {
  syn_error error;
  syn_rom *rom;
  ASSERT_OK(syn_hip_rom_create(NULL, hip, &rom, &error));
  return rom;
}

/* With scratch of exactly the stated size. */
static syn_limit ask(const syn_rom *rom, syn_hip_angles start, syn_hip_axis axis, int sign) {
  syn_limit limit;
  void *scratch = malloc(syn_rom_scratch(rom));
  syn_rom_query(rom, &(syn_motion){.start = start, .axis = axis, .sign = sign}, scratch, &limit);
  free(scratch);
  return limit;
}

static syn_limit ask_hip(const syn_hip *hip, syn_hip_angles start, syn_hip_axis axis, int sign) {
  syn_rom *rom = rom_of(hip);
  const syn_limit limit = ask(rom, start, axis, sign);
  syn_rom_destroy(rom);
  return limit;
}

/* ---- closed forms -------------------------------------------------------------------------------------------------
 */

static void check_block_limits(const syn_hip *hip) {
  syn_rom *rom = rom_of(hip);
  const struct {
    syn_hip_axis axis;
    int sign;
    double angle;
  } cases[] = {{SYN_AXIS_FLEXION, 1, block_flexion()},
               {SYN_AXIS_FLEXION, -1, block_extension()},
               {SYN_AXIS_ADDUCTION, 1, block_adduction()},
               {SYN_AXIS_ROTATION, 1, block_internal_rotation()},
               {SYN_AXIS_ROTATION, -1, block_external_rotation()}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    const syn_limit limit = ask(rom, (syn_hip_angles){0}, cases[i].axis, cases[i].sign);
    assert_true(limit.state != SYN_LIMIT_NO_STOP && !limit.start_overlaps);
    ASSERT_NEAR(limit.followed, cases[i].angle, 1e-12);
    assert_true(limit.event.angle == limit.followed);
    assert_true(limit.fixed == SYN_HIP_PELVIS && limit.mobile == SYN_HIP_FEMUR);
  }
  syn_rom_destroy(rom);
}

static void blocks_stop_where_the_closed_form_says_on_both_sides_and_in_turned_scenes(void **state) {
  (void)state;
  test_random random = {11};
  for (int i = 0; i < 20; ++i) {
    const syn_pose pose = random_pose(&random, 30);
    block_hip blocks = make_block_hip(NULL, i & 1 ? SYN_SIDE_LEFT : SYN_SIDE_RIGHT, i < 2 ? NULL : &pose);
    check_block_limits(&blocks.hip);
    drop_block_hip(&blocks);
  }
}

static void a_turn_from_an_angle_adds_to_that_angle(void **state) {
  (void)state;
  block_hip blocks = make_block_hip(NULL, SYN_SIDE_LEFT, NULL);
  syn_rom *rom = rom_of(&blocks.hip);
  const syn_hip_angles starts[3] = {{.flexion = 0.3}, {.adduction = 0.3}, {.rotation = 0.3}};
  const double ends[3] = {block_flexion(), block_adduction(), block_internal_rotation()};
  for (int axis = 0; axis < 3; ++axis)
    ASSERT_NEAR(ask(rom, starts[axis], (syn_hip_axis)axis, 1).angle, ends[axis] - 0.3, 1e-12);
  syn_rom_destroy(rom);
  drop_block_hip(&blocks);
}

static void the_touch_is_one_point_on_both_bones(void **state) {
  (void)state;
  block_hip blocks = make_block_hip(NULL, SYN_SIDE_RIGHT, NULL);
  const syn_limit limit = ask_hip(&blocks.hip, (syn_hip_angles){0}, SYN_AXIS_FLEXION, 1);
  /* the edge of the front block, on the front of the bar */
  ASSERT_NEAR(limit.event.point.y, 20, 1e-9);
  ASSERT_NEAR(limit.event.point.z, -20, 1e-9);
  ASSERT_NEAR(limit.mobile_point.y, 3, 1e-9);
  ASSERT_NEAR(limit.mobile_point.z, -sqrt(800 - 9), 1e-9);
  const syn_pose pose = syn_hip_pose(&blocks.hip, (syn_hip_angles){.flexion = limit.followed});
  assert_true(vec3_distance(syn_pose_point(&pose, limit.mobile_point), limit.event.point) < 1e-9);
  drop_block_hip(&blocks);
}

static void what_nothing_stops_is_free_all_the_way_round(void **state) {
  (void)state;
  block_hip blocks = make_block_hip(NULL, SYN_SIDE_RIGHT, NULL);
  syn_trimesh *far = make_block(NULL, vec3(100, 100, 100), vec3(101, 101, 101));
  blocks.hip.parts[SYN_HIP_PELVIS] = far;
  const syn_limit none = ask_hip(&blocks.hip, (syn_hip_angles){0}, SYN_AXIS_FLEXION, 1);
  assert_int_equal(none.state, SYN_LIMIT_NO_STOP);
  assert_true(none.state == SYN_LIMIT_NO_STOP && !none.start_overlaps && none.event.kind == SYN_EVENT_NONE);
  assert_true(none.followed == 2 * SYN_PI && none.fixed == SYN_NONE && none.mobile == SYN_NONE);
  syn_trimesh_destroy(far);
  drop_block_hip(&blocks);
}

/* ---- starts that are not free -------------------------------------------------------------------------------------
 */

static void a_start_in_overlap_tells_how_far_to_go_back(void **state) {
  (void)state;
  test_random random = {5};
  for (int side = 0; side < 2; ++side) {
    const syn_pose pose = random_pose(&random, 10);
    block_hip blocks = make_block_hip(NULL, side ? SYN_SIDE_LEFT : SYN_SIDE_RIGHT, &pose);
    syn_rom *rom = rom_of(&blocks.hip);
    for (int i = 0; i <= 10; ++i) {
      const double start = 42 + 1.3 * i;
      const syn_limit limit = ask(rom, (syn_hip_angles){.flexion = start * degrees}, SYN_AXIS_FLEXION, 1);
      assert_true(limit.state != SYN_LIMIT_NO_STOP && limit.start_overlaps);
      ASSERT_NEAR(limit.followed, block_flexion() - start * degrees, 1e-11);
      const syn_limit back = ask(rom, (syn_hip_angles){.flexion = start * degrees}, SYN_AXIS_FLEXION, -1);
      ASSERT_NEAR(back.followed, block_extension() + start * degrees, 1e-11);
    }
    /* nearer to the far side of the block: the free stretch lies ahead */
    const syn_limit ahead = ask(rom, (syn_hip_angles){.flexion = 75 * degrees}, SYN_AXIS_FLEXION, -1);
    ASSERT_NEAR(ahead.angle, block_extension() - 2 * SYN_PI + 75 * degrees, 1e-11);
    assert_true(ahead.followed < 0 && ahead.start_overlaps);
    syn_rom_destroy(rom);
    drop_block_hip(&blocks);
  }
}

static void a_start_that_touches_has_no_way_to_go(void **state) {
  (void)state;
  block_hip blocks = make_block_hip(NULL, SYN_SIDE_RIGHT, NULL);
  syn_trimesh *wall = make_block(NULL, vec3(-5, 3, -20), vec3(5, 12, -12)); /* against the bar's front */
  blocks.hip.parts[SYN_HIP_PELVIS] = wall;
  const syn_limit limit = ask_hip(&blocks.hip, (syn_hip_angles){0}, SYN_AXIS_FLEXION, 1);
  assert_true(limit.state != SYN_LIMIT_NO_STOP && limit.start_overlaps);
  ASSERT_NEAR(limit.followed, 0, 1e-12);
  syn_trimesh_destroy(wall);
  drop_block_hip(&blocks);
}

/* At the end of a motion the way on is shut and the way back as long as it was, whatever the rounding of the pose. */
static void a_pose_at_a_limit_is_free_away_from_it(void **state) {
  (void)state;
  test_random random = {17};
  for (int i = 0; i < 40; ++i) {
    const syn_pose pose = random_pose(&random, 30);
    block_hip blocks = make_block_hip(NULL, i & 1 ? SYN_SIDE_LEFT : SYN_SIDE_RIGHT, i < 2 ? NULL : &pose);
    syn_rom *rom = rom_of(&blocks.hip);
    const double off = (i % 5 - 2) * 1e-10; /* not quite there, there, a little beyond */
    const syn_hip_angles flexed = {.flexion = block_flexion() + off}, turned = {.rotation = block_internal_rotation()};
    ASSERT_NEAR(ask(rom, flexed, SYN_AXIS_FLEXION, 1).angle, 0, 1e-9);
    const syn_limit back = ask(rom, flexed, SYN_AXIS_FLEXION, -1);
    assert_true(back.state == SYN_LIMIT_STOPPED && !back.start_overlaps);
    ASSERT_NEAR(back.followed, block_extension() + block_flexion(), 1e-9);
    ASSERT_NEAR(ask(rom, turned, SYN_AXIS_ROTATION, 1).angle, 0, 1e-9);
    ASSERT_NEAR(ask(rom, turned, SYN_AXIS_ROTATION, -1).angle, block_external_rotation() + block_internal_rotation(),
                1e-9);
    syn_rom_destroy(rom);
    drop_block_hip(&blocks);
  }
}

static void a_start_that_collides_is_no_free_motion(void **state) {
  (void)state;
  block_hip blocks = make_block_hip(NULL, SYN_SIDE_RIGHT, NULL);
  syn_rom *rom = rom_of(&blocks.hip);
  const syn_hip_angles inside = {.flexion = block_flexion() + 0.05};
  const syn_limit ahead = ask(rom, inside, SYN_AXIS_FLEXION, -1), behind = ask(rom, inside, SYN_AXIS_FLEXION, 1);
  assert_true(ahead.followed > 1 && ahead.start_overlaps);
  assert_string_equal(syn_limit_state_name(ahead.state), "no_free_pose");
  assert_true(behind.angle < 0);
  assert_string_equal(syn_limit_state_name(behind.state), "stopped");
  const syn_limit all_round = ask(rom, (syn_hip_angles){0}, SYN_AXIS_ADDUCTION, 1),
                  stuck = ask(rom, inside, SYN_AXIS_ROTATION, 1);
  assert_int_equal(all_round.state, SYN_LIMIT_STOPPED);
  assert_true(all_round.angle == all_round.followed && behind.angle == behind.followed);
  assert_true(isnan(ahead.angle) && isnan(stuck.angle)); /* the joint reaches no angle */
  assert_string_equal(syn_limit_state_name(SYN_LIMIT_NO_STOP), "no_stop");
  syn_rom_destroy(rom);
  drop_block_hip(&blocks);
}

static void where_no_turn_is_free_the_angle_is_not_a_number(void **state) {
  (void)state;
  block_hip blocks = make_block_hip(NULL, SYN_SIDE_RIGHT, NULL);
  syn_trimesh *stake = make_block(NULL, vec3(-1, -1, -30), vec3(1, 1, -20)); /* wholly inside the bar, on its axis */
  blocks.hip.parts[SYN_HIP_PELVIS] = stake;
  syn_rom *rom = rom_of(&blocks.hip);
  const syn_limit limit = ask(rom, (syn_hip_angles){0}, SYN_AXIS_ROTATION, 1);
  assert_true(limit.state != SYN_LIMIT_NO_STOP && limit.start_overlaps && isnan(limit.followed) &&
              isnan(limit.mobile_point.x));
  assert_true(limit.fixed == SYN_HIP_PELVIS && limit.mobile == SYN_HIP_FEMUR);
  char words[96];
  assert_string_equal(syn_hip_limit_words(&limit, words), "no free pose: femur overlaps pelvis");
  /* in flexion the bar leaves it behind */
  assert_false(isnan(ask(rom, (syn_hip_angles){0}, SYN_AXIS_FLEXION, 1).angle));
  syn_rom_destroy(rom);
  syn_trimesh_destroy(stake);
  drop_block_hip(&blocks);
}

/* ---- the slow twin ------------------------------------------------------------------------------------------------
 */

typedef struct stepper {
  const syn_hip *hip;
  syn_collider *collider;
  void *scratch;
} stepper;

static stepper make_stepper(const syn_hip *hip) {
  syn_error error;
  stepper s = {.hip = hip};
  const syn_body fixed = {.surface = hip->parts[SYN_HIP_PELVIS]}, mobile = {.surface = hip->parts[SYN_HIP_FEMUR]};
  const syn_collide_options options = syn_default_collide_options();
  ASSERT_OK(syn_collider_create(NULL, "aabb", &fixed, &mobile, &options, &s.collider, &error));
  s.scratch = malloc(syn_collider_scratch(s.collider) + 1);
  return s;
}

static bool collides(const stepper *s, const syn_pose *start, syn_vec3 axis, double angle) {
  const syn_pose turn = syn_pose_about_axis(s->hip->center, axis, angle), pose = syn_pose_compose(&turn, start);
  syn_contacts contacts = {.first_only = true};
  syn_collider_query(s->collider, &pose, s->scratch, &contacts);
  return contacts.penetrating;
}

/* From a free start: free up to the limit, in touch just behind it. */
static void check_limit_by_steps(const stepper *s, const syn_pose *start, syn_vec3 axis, int sign,
                                 const syn_limit *limit) {
  for (int i = 0; i * 0.5 * degrees < limit->followed - 1e-9; ++i)
    assert_false(collides(s, start, axis, sign * i * 0.5 * degrees));
  if (limit->state == SYN_LIMIT_NO_STOP) return;
  assert_false(collides(s, start, axis, sign * (limit->followed - 1e-9)));
  assert_true(collides(s, start, axis, sign * (limit->followed + 1e-7)));
}

/* From a start in overlap: no step nearer to the start than the reported interval is free. */
static void check_stretch_by_steps(const stepper *s, const syn_pose *start, syn_vec3 axis, const syn_limit *positive,
                                   const syn_limit *negative) {
  if (isnan(positive->followed)) {
    for (int i = 0; i < 180; ++i) assert_true(collides(s, start, axis, i * 2 * degrees));
    return;
  }
  const double high = positive->followed, low = -negative->followed, near = low > 0 ? low : -high;
  assert_true(low <= high && near >= -1e-9);
  assert_false(collides(s, start, axis, (low + high) / 2));
  for (int i = 0; i * 2 * degrees < near - 1e-9; ++i)
    assert_true(collides(s, start, axis, i * 2 * degrees) && collides(s, start, axis, -i * 2 * degrees));
}

/* The bones alone, or with the soft tissue. */
static syn_hip hip_with(const syn_joint *shape, bool soft) {
  syn_hip hip = hip_of_shape(shape);
  for (int part = SYN_HIP_FEMUR + 1; part < SYN_HIP_PARTS && !soft; ++part) hip.parts[part] = NULL;
  return hip;
}

static void a_hip_stops_where_stepping_finds_it_stop(void **state) {
  (void)state;
  syn_error error;
  syn_joint *shape;
  const syn_shape_value tight[] = {{"resolution", 2}, {"ce", 40}, {"alpha", 80}};
  ASSERT_OK(syn_shape_create(NULL, "hip", tight, 3, &shape, &error));
  const syn_hip hip = hip_with(shape, false);
  syn_rom *rom = rom_of(&hip);
  const stepper s = make_stepper(&hip);
  void *scratch = malloc(syn_rom_scratch(rom));
  test_random random = {3};
  int counts[2] = {0};
  for (int i = 0; i < 40; ++i) {
    const double much = i & 1 ? 1 : 0.3;
    const syn_hip_angles angles = {random_between(&random, -0.5, 2.2) * much, random_between(&random, -1, 0.7) * much,
                                   random_between(&random, -1, 1) * much};
    const syn_pose start = syn_hip_pose(&hip, angles);
    const syn_vec3 axis = vec3_unit(random_vec3(&random, 1));
    syn_limit positive, negative;
    syn_rom_turn(rom, &start, axis, scratch, &positive, &negative);
    const bool overlaps = collides(&s, &start, axis, 0);
    assert_true(positive.start_overlaps == overlaps || positive.state == SYN_LIMIT_NO_STOP);
    ++counts[overlaps];
    if (overlaps) {
      check_stretch_by_steps(&s, &start, axis, &positive, &negative);
    } else {
      check_limit_by_steps(&s, &start, axis, 1, &positive);
      check_limit_by_steps(&s, &start, axis, -1, &negative);
    }
  }
  assert_true(counts[0] >= 5 && counts[1] >= 5); /* both sorts were there */
  free(scratch);
  free(s.scratch);
  syn_collider_destroy(s.collider);
  syn_rom_destroy(rom);
  syn_joint_destroy(shape);
}

/* A pose of a seated hip has the seat, as the pages that compute give it: it counts once. */
static void a_seated_hip_is_free_up_to_its_limit(void **state) {
  (void)state;
  syn_error error;
  syn_joint *shape;
  syn_pose_query *query;
  syn_body bodies[SYN_HIP_PARTS];
  const syn_shape_value tight[] = {{"resolution", 2}, {"ce", 40}, {"alpha", 80}};
  ASSERT_OK(syn_shape_create(NULL, "hip", tight, 3, &shape, &error));
  syn_hip hip = hip_with(shape, false);
  hip.seat = vec3(-0.5, -0.3, 0.4);
  syn_rom *rom = rom_of(&hip);
  const syn_joint joint = syn_hip_joint(&hip, bodies);
  ASSERT_OK(syn_pose_query_create(NULL, &joint, rom, 5, &query, &error));
  const double limit = ask(rom, (syn_hip_angles){0}, SYN_AXIS_FLEXION, 1).angle;
  for (double before = 0.1; before > 1e-5; before /= 10) { /* degrees */
    const syn_hip_angles angles = {.flexion = limit - before * degrees};
    const syn_pose pose = syn_hip_pose(&hip, angles);
    syn_limit limits[3][2];
    assert_true(syn_pose_query_limits(query, &pose, limits));
    ASSERT_NEAR(limits[SYN_AXIS_FLEXION][0].angle, before * degrees, 1e-9);
    for (int i = 0; i < 6; ++i) {
      const syn_limit *found = &limits[i / 2][i % 2], expected = ask(rom, angles, i / 2, i % 2 ? -1 : 1);
      assert_false(found->start_overlaps);
      assert_int_equal(found->state, expected.state);
      ASSERT_NEAR(found->followed, expected.followed, 1e-9);
    }
  }
  syn_pose_query_destroy(query);
  syn_rom_destroy(rom);
  syn_joint_destroy(shape);
}

/* From where a turn has ended, about any other axis: a direction that parts the bodies is free up to its limit, the
 * others are shut at once. */
static void a_hip_at_a_limit_goes_on_where_stepping_finds_it_free(void **state) {
  (void)state;
  syn_error error;
  syn_joint *shape;
  const syn_shape_value tight[] = {{"resolution", 2}, {"ce", 40}, {"alpha", 80}};
  ASSERT_OK(syn_shape_create(NULL, "hip", tight, 3, &shape, &error));
  const syn_hip hip = hip_with(shape, false);
  syn_rom *rom = rom_of(&hip);
  const stepper s = make_stepper(&hip);
  void *scratch = malloc(syn_rom_scratch(rom));
  test_random random = {29};
  int parted = 0, shut = 0;
  for (int i = 0; i < 30; ++i) {
    const syn_hip_angles angles = {random_between(&random, -0.1, 0.3), random_between(&random, -0.2, 0.1),
                                   random_between(&random, -0.3, 0.3)};
    const syn_pose from = syn_hip_pose(&hip, angles);
    const syn_vec3 first = vec3_unit(random_vec3(&random, 1)), axis = vec3_unit(random_vec3(&random, 1));
    syn_limit limits[2];
    syn_rom_turn(rom, &from, first, scratch, &limits[0], &limits[1]);
    if (limits[0].state == SYN_LIMIT_NO_STOP || limits[0].start_overlaps) continue;
    const syn_pose turn = syn_pose_about_axis(hip.center, first, limits[0].followed);
    const syn_pose start = syn_pose_compose(&turn, &from);
    syn_rom_turn(rom, &start, axis, scratch, &limits[0], &limits[1]);
    for (int d = 0; d < 2; ++d) {
      const int sign = d ? -1 : 1;
      const double hair = 1e-6;
      if (collides(&s, &start, axis, sign * hair)) {
        assert_true(fabs(limits[d].followed) <= hair || limits[d].start_overlaps);
        ++shut;
        continue;
      }
      assert_false(limits[d].start_overlaps);
      assert_true(limits[d].followed > hair);
      const syn_pose beside_turn = syn_pose_about_axis(hip.center, axis, sign * hair);
      const syn_pose beside = syn_pose_compose(&beside_turn, &start);
      syn_limit left = limits[d];
      left.followed -= hair;
      check_limit_by_steps(&s, &beside, axis, sign, &left);
      ++parted;
    }
  }
  assert_true(parted >= 10 && shut >= 10);
  free(scratch);
  free(s.scratch);
  syn_collider_destroy(s.collider);
  syn_rom_destroy(rom);
  syn_joint_destroy(shape);
}

/* ---- axes ---------------------------------------------------------------------------------------------------------
 */

static void the_horizontal_plane_holds_flexion_and_adduction(void **state) {
  (void)state;
  test_random random = {8};
  const syn_pose pose = random_pose(&random, 5);
  block_hip blocks = make_block_hip(NULL, SYN_SIDE_LEFT, &pose);
  syn_rom *rom = rom_of(&blocks.hip);
  void *scratch = malloc(syn_rom_scratch(rom));
  const double ends[2] = {block_flexion(), block_adduction()};
  for (int quarter = 0; quarter < 4; ++quarter) {
    syn_limit limit[2];
    const syn_vec3 axis = syn_hip_horizontal_axis(&blocks.hip, quarter * SYN_PI / 2);
    syn_rom_turn(rom, NULL, axis, scratch, &limit[0], &limit[1]);
    ASSERT_NEAR(limit[quarter / 2].angle, ends[quarter % 2], 1e-11);
  }
  free(scratch);
  syn_rom_destroy(rom);
  drop_block_hip(&blocks);
}

/* ---- soft parts ---------------------------------------------------------------------------------------------------
 */

static void a_labrum_stops_the_femur_before_the_bone_does(void **state) {
  (void)state;
  block_hip blocks = make_block_hip(NULL, SYN_SIDE_LEFT, NULL);
  add_block(&blocks, SYN_HIP_LABRUM, vec3(-5, 16, -24), vec3(5, 19, -21), NULL);
  const syn_limit limit = ask_hip(&blocks.hip, (syn_hip_angles){0}, SYN_AXIS_FLEXION, 1);
  ASSERT_NEAR(limit.followed, turn_to_edge(24, 16, 3), 1e-12);
  assert_true(limit.fixed == SYN_HIP_LABRUM && limit.mobile == SYN_HIP_FEMUR);
  drop_block_hip(&blocks);
}

static void soft_parts_that_touch_as_they_lie_are_left_out_by_name(void **state) {
  (void)state;
  test_memory memory = {0};
  const syn_context context = test_context(&memory);
  syn_error error;
  syn_rom *rom;
  block_hip blocks = make_block_hip(NULL, SYN_SIDE_RIGHT, NULL);
  add_block(&blocks, SYN_HIP_LABRUM, vec3(-5, 2, -24), vec3(5, 6, -21), NULL); /* reaches into the bar */
  ASSERT_OK(syn_hip_rom_create(&context, &blocks.hip, &rom, &error));
  assert_int_equal(memory.warnings, 1);
  assert_non_null(strstr(memory.last_warning, "labrum and femur touch as they lie"));
  ASSERT_NEAR(ask(rom, (syn_hip_angles){0}, SYN_AXIS_FLEXION, 1).angle, block_flexion(), 1e-12);
  syn_rom_destroy(rom);
  /* without a bone there is nothing left */
  blocks.hip.parts[SYN_HIP_PELVIS] = NULL;
  ASSERT_FAILS(syn_hip_rom_create(&context, &blocks.hip, &rom, &error), SYN_BAD_ARGUMENT, "a body that stands");
  assert_null(rom);
  assert_int_equal(memory.live, 0);
  drop_block_hip(&blocks);
}

static void soft_parts_that_slide_are_left_out_by_name(void **state) {
  (void)state;
  test_memory memory = {0};
  const syn_context context = test_context(&memory);
  syn_error error;
  syn_rom *rom;
  block_hip blocks = make_block_hip(NULL, SYN_SIDE_RIGHT, NULL);
  test_random random = {2};
  /* a bumpy ball in a shell of the same shape, a little wider: it touches soon whichever way it turns */
  syn_trimesh *bumpy = make_blob(NULL, &random, 12, 16, 0.02), *wide;
  syn_vec3 places[512];
  assert_true(bumpy->vertex_count <= 512);
  for (uint32_t i = 0; i < bumpy->vertex_count; ++i) places[i] = vec3_scale(bumpy->vertices[i], 1.01);
  syn_triangle turned[1024];
  for (uint32_t i = 0; i < bumpy->triangle_count; ++i)
    turned[i] = (syn_triangle){{bumpy->triangles[i].v[1], bumpy->triangles[i].v[0], bumpy->triangles[i].v[2]}};
  ASSERT_OK(syn_trimesh_create(NULL, places, bumpy->vertex_count, turned, bumpy->triangle_count - 1, &wide, &error));
  blocks.hip.parts[SYN_HIP_FEMORAL_CARTILAGE] = bumpy;
  blocks.hip.parts[SYN_HIP_ACETABULAR_CARTILAGE] = wide;
  ASSERT_OK(syn_hip_rom_create(&context, &blocks.hip, &rom, &error));
  assert_non_null(strstr(memory.all_warnings, "acetabular cartilage and femoral cartilage slide on each other"));
  ASSERT_NEAR(ask(rom, (syn_hip_angles){0}, SYN_AXIS_FLEXION, 1).angle, block_flexion(), 1e-12);
  syn_rom_destroy(rom);
  syn_trimesh_destroy(bumpy);
  syn_trimesh_destroy(wide);
  drop_block_hip(&blocks);
}

static void bones_count_even_where_they_overlap_as_scanned(void **state) {
  (void)state;
  test_memory memory = {0};
  const syn_context context = test_context(&memory);
  syn_error error;
  syn_rom *rom;
  block_hip blocks = make_block_hip(NULL, SYN_SIDE_RIGHT, NULL);
  syn_trimesh *wall = make_block(NULL, vec3(-5, 2, -30), vec3(5, 8, -20));
  blocks.hip.parts[SYN_HIP_PELVIS] = wall;
  ASSERT_OK(syn_hip_rom_create(&context, &blocks.hip, &rom, &error));
  assert_non_null(strstr(memory.last_warning, "pelvis and femur overlap as they were scanned"));
  const syn_limit limit = ask(rom, (syn_hip_angles){0}, SYN_AXIS_FLEXION, 1);
  assert_true(limit.start_overlaps);
  ASSERT_NEAR(limit.followed, turn_to_edge(20, 2, 3), 1e-11);
  assert_true(limit.followed < 0);
  syn_rom_destroy(rom);
  syn_trimesh_destroy(wall);
  drop_block_hip(&blocks);
}

static void the_soft_parts_of_a_parametric_hip_stop_it_at_the_labrum(void **state) {
  (void)state;
  syn_error error;
  syn_joint *shape;
  const syn_shape_value coarse[] = {{"resolution", 2}};
  ASSERT_OK(syn_shape_create(NULL, "hip", coarse, 1, &shape, &error));
  const syn_hip hip = hip_with(shape, true), bare = hip_with(shape, false);
  const syn_limit limit = ask_hip(&hip, (syn_hip_angles){0}, SYN_AXIS_FLEXION, 1);
  assert_true(limit.fixed == SYN_HIP_LABRUM && limit.mobile == SYN_HIP_FEMUR);
  assert_true(limit.followed < ask_hip(&bare, (syn_hip_angles){0}, SYN_AXIS_FLEXION, 1).followed);
  syn_joint_destroy(shape);
}

/* ---- life ---------------------------------------------------------------------------------------------------------
 */

static void the_meshes_need_not_outlive_the_range_of_motion(void **state) {
  (void)state;
  block_hip blocks = make_block_hip(NULL, SYN_SIDE_RIGHT, NULL);
  syn_rom *rom = rom_of(&blocks.hip);
  drop_block_hip(&blocks);
  ASSERT_NEAR(ask(rom, (syn_hip_angles){0}, SYN_AXIS_FLEXION, 1).angle, block_flexion(), 1e-12);
  syn_rom_destroy(rom);
  syn_rom_destroy(NULL);
}

static void a_hip_without_bones_axes_or_centre_is_refused(void **state) {
  (void)state;
  syn_error error;
  syn_rom *rom;
  block_hip blocks = make_block_hip(NULL, SYN_SIDE_RIGHT, NULL);
  syn_hip hip = blocks.hip;
  hip.parts[SYN_HIP_FEMUR] = NULL;
  ASSERT_FAILS(syn_hip_rom_create(NULL, &hip, &rom, &error), SYN_BAD_ARGUMENT, "pelvis and femur");
  hip = blocks.hip;
  hip.femur_axes.rotation = vec3_neg(hip.femur_axes.rotation);
  ASSERT_FAILS(syn_hip_rom_create(NULL, &hip, &rom, &error), SYN_BAD_ARGUMENT, "right-handed");
  hip = blocks.hip;
  hip.pelvis_axes.flexion.x = NAN;
  ASSERT_FAILS(syn_hip_rom_create(NULL, &hip, &rom, &error), SYN_BAD_ARGUMENT, "right-handed");
  hip = blocks.hip;
  hip.center.y = INFINITY;
  ASSERT_FAILS(syn_hip_rom_create(NULL, &hip, &rom, &error), SYN_BAD_ARGUMENT, "centre");
  drop_block_hip(&blocks);
}

static syn_status create_and_drop(const syn_context *context, void *user, syn_error *error) {
  syn_rom *rom;
  const syn_status status = syn_hip_rom_create(context, user, &rom, error);
  syn_rom_destroy(rom);
  return status;
}

static void no_memory_is_lost_when_there_is_too_little(void **state) {
  (void)state;
  block_hip blocks = make_block_hip(NULL, SYN_SIDE_RIGHT, NULL);
  add_block(&blocks, SYN_HIP_LABRUM, vec3(-5, 2, -24), vec3(5, 6, -21), NULL);
  check_every_allocation(create_and_drop, &blocks.hip);
  drop_block_hip(&blocks);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(blocks_stop_where_the_closed_form_says_on_both_sides_and_in_turned_scenes),
      cmocka_unit_test(a_turn_from_an_angle_adds_to_that_angle),
      cmocka_unit_test(the_touch_is_one_point_on_both_bones),
      cmocka_unit_test(what_nothing_stops_is_free_all_the_way_round),
      cmocka_unit_test(a_start_in_overlap_tells_how_far_to_go_back),
      cmocka_unit_test(a_start_that_touches_has_no_way_to_go),
      cmocka_unit_test(a_pose_at_a_limit_is_free_away_from_it),
      cmocka_unit_test(a_start_that_collides_is_no_free_motion),
      cmocka_unit_test(where_no_turn_is_free_the_angle_is_not_a_number),
      cmocka_unit_test(a_hip_stops_where_stepping_finds_it_stop),
      cmocka_unit_test(a_seated_hip_is_free_up_to_its_limit),
      cmocka_unit_test(a_hip_at_a_limit_goes_on_where_stepping_finds_it_free),
      cmocka_unit_test(the_horizontal_plane_holds_flexion_and_adduction),
      cmocka_unit_test(a_labrum_stops_the_femur_before_the_bone_does),
      cmocka_unit_test(soft_parts_that_touch_as_they_lie_are_left_out_by_name),
      cmocka_unit_test(soft_parts_that_slide_are_left_out_by_name),
      cmocka_unit_test(bones_count_even_where_they_overlap_as_scanned),
      cmocka_unit_test(the_soft_parts_of_a_parametric_hip_stop_it_at_the_labrum),
      cmocka_unit_test(the_meshes_need_not_outlive_the_range_of_motion),
      cmocka_unit_test(a_hip_without_bones_axes_or_centre_is_refused),
      cmocka_unit_test(no_memory_is_lost_when_there_is_too_little),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
