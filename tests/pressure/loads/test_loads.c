/* Loads of the hip: activities, OrthoLoad files and tables, turned into the frame of the meshes. */
#include "support.h"

#include "base/vec.h"

static const syn_activity *activity_named(const char *name) {
  for (size_t i = 0; i < SYN_ACTIVITIES; ++i)
    if (strcmp(syn_activities[i].name, name) == 0) return &syn_activities[i];
  fail_msg("there is no activity %s", name);
  return NULL;
}

static const double degree = SYN_PI / 180;

/* A scan with x left, y back, z up. */
static syn_hip make_hip(syn_side side) {
  const double sign = side == SYN_SIDE_LEFT ? -1 : 1;
  const syn_hip_axes axes = {vec3(-1, 0, 0), vec3(0, -sign, 0), vec3(0, 0, sign)};
  return (syn_hip){.side = side, .center = vec3(10, 20, 30), .pelvis_axes = axes, .femur_axes = axes};
}

static syn_loads make(const syn_hip *hip, const syn_load_options *options) {
  syn_loads loads;
  syn_error error;
  ASSERT_OK(syn_loads_create(NULL, hip, NULL, options, &loads, &error));
  return loads;
}

static void assert_vec3(syn_vec3 a, syn_vec3 b, double tolerance) {
  ASSERT_NEAR(a.x, b.x, tolerance);
  ASSERT_NEAR(a.y, b.y, tolerance);
  ASSERT_NEAR(a.z, b.z, tolerance);
}

/* What presses the femur goes up, to the midline and forward, on either side. */
static void a_standing_hip_is_pressed_up_and_inward(void **state) {
  (void)state;
  for (syn_side side = SYN_SIDE_RIGHT; side < SYN_SIDES; ++side) {
    const syn_hip hip = make_hip(side);
    syn_load_options options = syn_default_load_options();
    options.load = "standing";
    options.body_weight_n = 1000;
    syn_loads loads = make(&hip, &options);
    assert_int_equal(loads.count, 1);
    /* x points left: towards the midline for a right hip. */
    assert_vec3(loads.poses[0].force, vec3(side == SYN_SIDE_RIGHT ? 736.2 : -736.2, -149.7, 2487.9), 1e-6);
    assert_string_equal(loads.label, "Standing on one leg");
    syn_loads_release(&loads);
  }
}

/* The force turns with the femur: bent by the rotation vector, it points up and back. */
static void the_force_turns_with_the_femur(void **state) {
  (void)state;
  const syn_hip hip = make_hip(SYN_SIDE_LEFT);
  syn_load_options options = syn_default_load_options();
  options.load = "sit_down";
  syn_loads down = make(&hip, &options);
  assert_int_equal(down.count, 31);
  ASSERT_NEAR(down.poses[0].angles[0], 0, 1e-12);
  assert_true(down.poses[30].angles[0] > 50 * degree);
  ASSERT_NEAR(down.poses[30].at, 1, 0);
  assert_true(down.poses[30].force.y > 0.5 * vec3_length(down.poses[30].force));
  for (size_t i = 0; i < down.count; ++i)
    ASSERT_NEAR(vec3_length(down.poses[i].force), vec3_length(down.poses[0].force), 1e-9);
  ASSERT_NEAR(vec3_length(down.poses[0].force), vec3_length(vec3(86.07, 23.44, 194.47)) * 7.355, 1e-9);
  options.load = "stand_up";
  options.force_n = 1000;
  syn_loads up = make(&hip, &options);
  ASSERT_NEAR(up.poses[0].angles[0], down.poses[30].angles[0], 1e-12);
  ASSERT_NEAR(vec3_length(up.poses[7].force), 1000, 1e-9);
  options.direction = vec3(0, 0, 5);
  options.motion = "squat";
  options.steps = 8;
  syn_loads straight = make(&hip, &options);
  assert_int_equal(straight.count, 9);
  assert_vec3(straight.poses[4].force, vec3(0, 0, 1000), 1e-9);
  syn_loads_release(&up);
  syn_loads_release(&down);
  syn_loads_release(&straight);
}

/* A force that is only a number stays in the pelvis as it is when standing. */
static void a_constant_force_stays_in_the_pelvis(void **state) {
  (void)state;
  const syn_hip hip = make_hip(SYN_SIDE_RIGHT);
  syn_load_options options = syn_default_load_options();
  syn_loads loads = make(&hip, NULL);
  const syn_vec3 expected = vec3_scale(vec3_unit(vec3(86.07, -23.44, 194.47)), 1714.2975);
  assert_int_equal(loads.count, 31);
  for (size_t i = 0; i < loads.count; ++i) assert_vec3(loads.poses[i].force, expected, 1e-9);
  syn_loads_release(&loads);
  options.force_n = 500;
  loads = make(&hip, &options);
  ASSERT_NEAR(vec3_length(loads.poses[30].force), 500, 1e-9);
  syn_loads_release(&loads);
}

/* Standing on both legs bears less than the moment before sitting: the size grows, the direction stays. */
static void a_force_may_rise_through_the_motion(void **state) {
  (void)state;
  const syn_hip hip = make_hip(SYN_SIDE_RIGHT);
  syn_load_options options = syn_default_load_options();
  options.load = "sit_down";
  options.force_n = 1000;
  options.direction = vec3(0, 0, 1);
  options.rises_from = 0.25;
  options.steps = 4;
  syn_loads loads = make(&hip, &options);
  for (size_t i = 0; i < 5; ++i) assert_vec3(loads.poses[i].force, vec3(0, 0, 250 + 187.5 * (double)i), 1e-9);
  assert_non_null(strstr(loads.source, "rises evenly from 25 %"));
  syn_loads_release(&loads);
  syn_error error;
  static const double wrong[] = {0, -1, 1.5, NAN};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    options.rises_from = wrong[i];
    ASSERT_FAILS(syn_loads_create(NULL, &hip, NULL, &options, &loads, &error), SYN_BAD_ARGUMENT, "at most 1");
  }
}

/* A shaft that leans by 6 degrees carries the frame of the force along. */
static void the_frame_of_forces_lies_along_the_shaft(void **state) {
  (void)state;
  const syn_hip hip = make_hip(SYN_SIDE_RIGHT);
  syn_anatomy anatomy = {.has_shaft = true, .shaft_axis = {sin(6 * degree), 0, cos(6 * degree)}};
  syn_load_options options = syn_default_load_options();
  syn_loads loads;
  syn_error error;
  options.load = "walking";
  options.body_weight_n = 100;
  ASSERT_OK(syn_loads_create(NULL, &hip, &anatomy, &options, &loads, &error));
  const double c = cos(6 * degree), s = sin(6 * degree);
  assert_vec3(loads.poses[0].force, vec3(67.7 * c + 235.82 * s, -23.62, 235.82 * c - 67.7 * s), 1e-9);
  syn_loads_release(&loads);
}

static const char *file_with(const char *name, const char *text) {
  const char *path = temporary_path(name);
  write_text_file(path, text);
  return path;
}

/* Axes of a scan that lie the other way round: the socket says where the side is. */
static void a_load_goes_into_the_socket(void **state) {
  (void)state;
  const syn_hip hip = make_hip(SYN_SIDE_RIGHT);
  syn_anatomy anatomy = {.has_rim = true, .pelvis_frame = SYN_FRAME_BODY, .rim_normal = {0.7, 0, -0.7}};
  test_memory memory = {0};
  const syn_context context = test_context(&memory);
  syn_loads loads;
  syn_error error;
  ASSERT_OK(syn_loads_create(&context, &hip, &anatomy, NULL, &loads, &error));
  assert_true(vec3_dot(loads.poses[0].force, anatomy.rim_normal) < 0);
  assert_int_equal(memory.warnings, 1);
  syn_loads_release(&loads);
  anatomy.rim_normal.x = -0.7;
  ASSERT_OK(syn_loads_create(&context, &hip, &anatomy, NULL, &loads, &error));
  assert_int_equal(memory.warnings, 1);
  syn_loads_release(&loads);
}

/* ---- files --------------------------------------------------------------------------------------------------------
 */

static void orthoload_files(void **state) {
  (void)state;
  const syn_hip hip = make_hip(SYN_SIDE_RIGHT);
  syn_load_options options = syn_default_load_options();
  options.load =
      file_with("H1L_LW.xml", "<?xml version=\"1.0\"?><struct><Weight_N>760</Weight_N><HJF_pBW>71.5</HJF_pBW>"
                              "<HJF_pBW>-28</HJF_pBW><HJF_pBW>-216</HJF_pBW></struct>");
  syn_loads loads = make(&hip, &options);
  assert_vec3(loads.poses[0].force, vec3(7.6 * 71.5, -7.6 * 28, 7.6 * 216), 1e-9);
  ASSERT_NEAR(loads.body_weight_n, 760, 0);
  assert_string_equal(loads.label, "H1L_LW.xml");
  syn_loads_release(&loads);
  syn_error error;
  options.load = file_with("few.xml", "<struct><Weight_N>760</Weight_N><HJF_pBW>1</HJF_pBW></struct>");
  ASSERT_FAILS(syn_loads_create(NULL, &hip, NULL, &options, &loads, &error), SYN_BAD_FORMAT, "three times");
  options.load = file_with("word.xml", "<struct><Weight_N>760</Weight_N><HJF_pBW>1</HJF_pBW><HJF_pBW>x</HJF_pBW>"
                                       "<HJF_pBW>1</HJF_pBW></struct>");
  ASSERT_FAILS(syn_loads_create(NULL, &hip, NULL, &options, &loads, &error), SYN_BAD_FORMAT, "a number");
}

static void tables_of_forces(void **state) {
  (void)state;
  const syn_hip hip = make_hip(SYN_SIDE_RIGHT);
  syn_load_options options = syn_default_load_options();
  options.body_weight_n = 800;
  options.load = file_with(
      "gait.csv", "time,flexion,adduction,rotation,fx_bw,fy_bw,fz_bw\n0,0,0,0,50,0,-200\n1,90,0,0,50,0,-200\n");
  syn_loads loads = make(&hip, &options);
  assert_int_equal(loads.count, 2);
  assert_vec3(loads.poses[0].force, vec3(400, 0, 1600), 1e-9);
  assert_vec3(loads.poses[1].force, vec3(400, 1600, 0), 1e-9); /* the shaft points forward: up it is back */
  ASSERT_NEAR(loads.poses[1].time_s, 1, 0);
  syn_loads_release(&loads);
  options.load = file_with("pelvis.csv", "pelvis_fx_n,pelvis_fy_n,pelvis_fz_n\n0,0,-100\n0,0,-300\n");
  options.motion = "stand_to_sit";
  options.steps = 2;
  loads = make(&hip, &options);
  assert_int_equal(loads.count, 3);
  assert_vec3(loads.poses[1].force, vec3(0, 0, 200), 1e-9);
  assert_vec3(loads.poses[2].force, vec3(0, 0, 300), 1e-9);
  syn_loads_release(&loads);
}

static void what_makes_no_sense_is_refused(void **state) {
  (void)state;
  const syn_hip hip = make_hip(SYN_SIDE_RIGHT);
  syn_load_options options = syn_default_load_options();
  syn_loads loads;
  syn_error error;
  options.load = "walkin";
  ASSERT_FAILS(syn_loads_create(NULL, &hip, NULL, &options, &loads, &error), SYN_BAD_ARGUMENT, "walking");
  options.load = file_with("none.csv", "time,flexion\n0,1\n");
  ASSERT_FAILS(syn_loads_create(NULL, &hip, NULL, &options, &loads, &error), SYN_BAD_FORMAT, "no forces");
  options.load = file_with("zero.csv", "fx,fy,fz\n0,0,0\n");
  ASSERT_FAILS(syn_loads_create(NULL, &hip, NULL, &options, &loads, &error), SYN_BAD_ARGUMENT, "above 0 N");
  /* forces that no bone bears were answered with a pressure of 0 */
  options.load = file_with("huge.csv", "fx,fy,fz\n1e300,1e300,-1e300\n");
  ASSERT_FAILS(syn_loads_create(NULL, &hip, NULL, &options, &loads, &error), SYN_BAD_ARGUMENT, "at most 1e+06 N");
  options.load = file_with("beyond.csv", "fx_bw,fy_bw,fz_bw\n1e308,1e308,-1e308\n");
  ASSERT_FAILS(syn_loads_create(NULL, &hip, NULL, &options, &loads, &error), SYN_BAD_ARGUMENT, "at most");
  options.load = "walking";
  static const double lengths[] = {5e-324, 1e-200, 1e200, INFINITY, NAN};
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; ++i) {
    options.direction = vec3(0, lengths[i], 0);
    ASSERT_FAILS(syn_loads_create(NULL, &hip, NULL, &options, &loads, &error), SYN_BAD_ARGUMENT, "direction");
  }
  options.direction = vec3(0, 0, 0);
  options.force_n = 1e308;
  ASSERT_FAILS(syn_loads_create(NULL, &hip, NULL, &options, &loads, &error), SYN_BAD_ARGUMENT, "at most");
  options.force_n = -1;
  ASSERT_FAILS(syn_loads_create(NULL, &hip, NULL, &options, &loads, &error), SYN_BAD_ARGUMENT, "load must be");
  options.force_n = 1;
  options.body_weight_n = 0;
  ASSERT_FAILS(syn_loads_create(NULL, &hip, NULL, &options, &loads, &error), SYN_BAD_ARGUMENT, "body weight");
}

/* Stairs have the direction of walking, and the sizes of Bergmann et al. 2001 in percent of body weight. */
static void stairs_press_as_walking_does(void **state) {
  (void)state;
  static const struct {
    const char *name;
    double percent;
  } stairs[] = {{"stairs_up", 251}, {"stairs_down", 260}};
  const syn_vec3 walking = vec3_unit(activity_named("walking")->percent_bw);
  for (size_t i = 0; i < sizeof stairs / sizeof *stairs; ++i)
    assert_vec3(activity_named(stairs[i].name)->percent_bw, vec3_scale(walking, stairs[i].percent), 0.02);
}

/* The numbers of the table are those of the files. */
static void activities_are_the_mean_of_the_files(void **state) {
  (void)state;
  static const struct {
    const char *activity, *ending;
  } rows[] = {{"standing", "OLS"}, {"walking", "LW"}, {"stand_up", "SU"}};
  static const char *const people[] = {"H1L", "H2R", "H3L", "H4L", "H5L", "H6R", "H7R", "H8L", "H9L", "H10R"};
  const syn_hip hip = make_hip(SYN_SIDE_RIGHT);
  for (int r = 0; r < 3; ++r) {
    syn_vec3 sum = vec3(0, 0, 0);
    int count = 0;
    for (int p = 0; p < 10; ++p) {
      char name[64];
      syn_load_options options = syn_default_load_options();
      if (p == 0 && r == 2) continue; /* that patient was not measured standing up */
      snprintf(name, sizeof name, "motion/orthoload/%s_%s.xml", people[p], rows[r].ending);
      options.load = data_path(name);
      if (!options.load) skip();
      syn_loads loads = make(&hip, &options);
      sum = vec3_madd(sum, -100 / loads.body_weight_n, loads.poses[0].force);
      ++count;
      syn_loads_release(&loads);
    }
    const syn_vec3 mean = vec3_scale(sum, 1.0 / count), ours = activity_named(rows[r].activity)->percent_bw;
    assert_vec3(vec3(-mean.x, -mean.y, mean.z), ours, 0.006);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_standing_hip_is_pressed_up_and_inward),
      cmocka_unit_test(the_force_turns_with_the_femur),
      cmocka_unit_test(a_constant_force_stays_in_the_pelvis),
      cmocka_unit_test(a_force_may_rise_through_the_motion),
      cmocka_unit_test(the_frame_of_forces_lies_along_the_shaft),
      cmocka_unit_test(a_load_goes_into_the_socket),
      cmocka_unit_test(orthoload_files),
      cmocka_unit_test(tables_of_forces),
      cmocka_unit_test(what_makes_no_sense_is_refused),
      cmocka_unit_test(stairs_press_as_walking_does),
      cmocka_unit_test(activities_are_the_mean_of_the_files),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
