/* synovia skeleton, with own matrices and the collide command as its twins. */
#include "base/vec.h"
#include "program.h"

#define LEG SYN_SOURCE_DIR "/examples/leg.json"
#define BODY SYN_SOURCE_DIR "/examples/body.json"
#define MECHANISMS SYN_SOURCE_DIR "/examples/mechanisms/"

static json_t *named(json_t *list, const char *name) {
  size_t i;
  json_t *item;
  json_array_foreach(list, i,
                     item) if (strcmp(json_string_value(json_object_get(item, "name")), name) == 0) return item;
  fail_msg("there is no %s", name);
  return NULL;
}

static double dof_number(json_t *answer, const char *dof, const char *key) {
  return json_number_value(json_object_get(named(json_at(answer, "result.dofs"), dof), key));
}

static const char *dof_text(json_t *answer, const char *dof, const char *key) {
  return json_string_value(json_object_get(named(json_at(answer, "result.dofs"), dof), key));
}

/* ---- posture ------------------------------------------------------------------------------------------------------
 */

static void the_tree_is_printed_with_ranges_in_force(void **state) {
  (void)state;
  program_run run = run_synovia("skeleton", LEG, "--set", "knee_angle_r=15,knee_rotation_r=30", NULL);
  assert_int_equal(run.code, 0);
  assert_contains(run.out, "right leg: 6 joints, 15 degrees of freedom, 8 bodies");
  assert_contains(run.out, "  hip: polyaxial; carries femur");
  assert_contains(run.out, "of -16 to 10° (limits -40 to 30)  narrowed by knee_angle_r  clamped from 30°");
  assert_contains(run.out, "of -5 to 140°  slides");
  end_run(&run);
  json_t *answer = run_json(0, "skeleton", LEG, "--set", "knee_angle_r=15,knee_rotation_r=30", NULL);
  ASSERT_NEAR(dof_number(answer, "knee_rotation_r", "value"), 10, 1e-12);
  ASSERT_NEAR(dof_number(answer, "knee_rotation_r", "asked"), 30, 1e-12);
  ASSERT_NEAR(dof_number(answer, "knee_rotation_r", "range_lower"), -16, 1e-12);
  ASSERT_NEAR(dof_number(answer, "knee_rotation_r", "lower"), -40, 1e-12);
  assert_string_equal(dof_text(answer, "knee_rotation_r", "narrowed_by"), "knee_angle_r");
  assert_string_equal(dof_text(answer, "knee_rotation_r", "unit"), "deg");
  assert_string_equal(dof_text(answer, "fibula_r", "unit"), "mm");
  assert_true(json_is_null(json_object_get(named(json_at(answer, "result.dofs"), "hip_flexion_r"), "asked")));
  assert_true(json_is_null(json_at(answer, "result.contacts")));
  assert_int_equal(json_array_size(json_at(answer, "result.joints")), 6);
  json_decref(answer);
  /* the normalised parameter, and a joint's name before the Dof's */
  answer = run_json(0, "skeleton", LEG, "--set", "hip.hip_flexion_r=50%", NULL);
  ASSERT_NEAR(dof_number(answer, "hip_flexion_r", "value"), 45, 1e-9);
  ASSERT_NEAR(dof_number(answer, "hip_flexion_r", "parameter"), 0.5, 1e-12);
  json_decref(answer);
}

/* The femur of a flexed hip, by hand: its mesh turns about the hip's centre and the axis that points right. */
static void a_body_is_where_own_matrices_put_it(void **state) {
  (void)state;
  json_t *answer = run_json(0, "skeleton", LEG, "--set", "hip_flexion_r=30,pelvis_tx=10", NULL);
  const json_t *pose = json_object_get(named(json_at(answer, "result.bodies"), "femur"), "pose");
  const double c = cos(SYN_PI / 6), s = sin(SYN_PI / 6), center[2] = {-57.1, -72.7};
  /* at rest the mesh's y and z are -y - 150 and z - 892.7; then they turn about the centre; pelvis_tx shifts y */
  const double rest_y[4] = {0, -1, 0, -150}, rest_z[4] = {0, 0, 1, -892.7};
  for (size_t k = 0; k < 4; ++k) {
    const double y = rest_y[k] - (k == 3) * center[0], z = rest_z[k] - (k == 3) * center[1];
    const double twin[3] = {k == 0 ? -1 : 0, c * y - s * z + (k == 3) * (center[0] + 10),
                            s * y + c * z + (k == 3) * center[1]};
    for (size_t row = 0; row < 3; ++row)
      ASSERT_NEAR(json_number_value(json_array_get(pose, 4 * row + k)), twin[row], 1e-9);
  }
  json_decref(answer);
}

static void mistakes_are_named(void **state) {
  (void)state;
  static const char *const cases[][2] = {
      {"hip_flexion=20", "this skeleton has no Dof 'hip_flexion'. Did you mean 'hip_flexion_r'?"},
      {"hip_flexion_r=400", "hip_flexion_r=400 is beyond its limits of -30 to 120 degrees"},
      {"hip_flexion_r=x", "hip_flexion_r= needs a number of degrees"},
      {"hip_flexion_r", "NAME=VALUE"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    json_t *answer = run_json(2, "skeleton", LEG, "--set", cases[i][0], NULL);
    assert_contains(json_string_value(json_at(answer, "error.message")), cases[i][1]);
    json_decref(answer);
  }
  json_t *answer = run_json(2, "skeleton", LEG, "--rom", "knee", NULL);
  assert_contains(json_string_value(json_at(answer, "error.message")), "no Dof 'knee'");
  json_decref(answer);
  answer = run_json(2, "skeleton", LEG, "--method", "magic", NULL);
  json_decref(answer);
  answer = run_json(3, "skeleton", LEG, "--method", "obb", "--meshes", temporary_path("nowhere"), NULL);
  assert_contains(json_string_value(json_at(answer, "error.message")), "it is the mesh of the body 'pelvis'");
  json_decref(answer);
  const char *path = temporary_path("cycle.json");
  write_text_file(path, "{\"synovia\":1,\"joints\":[{\"name\":\"a\",\"parent\":\"b\",\"type\":\"fixed\"},"
                        "{\"name\":\"b\",\"parent\":\"a\",\"type\":\"fixed\"}]}");
  answer = run_json(3, "skeleton", path, NULL);
  assert_contains(json_string_value(json_at(answer, "error.message")),
                  "joints[0].parent: 'a' is its own ancestor through 'b'; a skeleton is a tree without cycles");
  json_decref(answer);
  answer = run_json(2, "skeleton", BODY, "-o", temporary_path("empty"), NULL);
  assert_contains(json_string_value(json_at(answer, "error.message")), "no body of this skeleton has a mesh");
  json_decref(answer);
}

/* ---- Table 2.1 ----------------------------------------------------------------------------------------------------
 */

static void the_body_has_the_joints_of_table_2_1(void **state) {
  (void)state;
  static const struct {
    const char *name, *type;
    int dofs;
  } rows[] = {
      {"frontoparietal", "sutura serrata", 0},
      {"interparietal", "schindylesis", 0},
      {"sphenoethmoid", "synchondrosis", 0},
      {"between_nasal_bones", "homogeneous sutura", 0},
      {"dentoalveolar", "gomphosis", 0},
      {"atlantooccipital", "trochoid", 1},
      {"temporomandibular", "condylarthrosis", 2},
      {"scapulo_humeral", "ball-and-socket", 3},
      {"humero_ulnar", "hinge", 1},
      {"proximal_radioulnar", "trochoid/pivot", 1},
      {"distal_radioulnar", "trochoid/pivot", 1},
      {"radiocarpal", "ellipsoid", 2},
      {"carpometacarpal_thumb", "saddle", 2},
      {"carpometacarpal_others", "arthrodial", 6},
      {"metacarpophalangeal", "condylarthrosis (ellipsoid)", 2},
      {"interphalangeal_hand", "hinge", 1},
      {"intervertebral", "typical amphiarthrosis", 3},
      {"costovertebral", "arthrodial", 1},
      {"costochondral", "synchondrosis", 0},
      {"chondrosternal", "arthrodial", 1},
      {"coxofemoral", "spheroid", 3},
      {"femorotibial", "condylarthrosis", 2},
      {"proximal_tibiofibular", "arthrodial", 3},
      {"distal_tibiofibular", "syndesmosis", 0},
      {"calcaneotibial", "hinge", 1},
      {"metatarsophalangeal", "ellipsoid", 2},
      {"interphalangeal_foot", "hinge", 1},
  };
  enum { ROWS = sizeof rows / sizeof *rows };
  json_t *answer = run_json(0, "skeleton", BODY, NULL);
  json_t *joints = json_at(answer, "result.joints");
  int dofs = 0;
  assert_int_equal(ROWS, 27);
  assert_int_equal(json_array_size(joints), ROWS + 1); /* and the root */
  for (size_t i = 0; i < ROWS; ++i) {
    const json_t *joint = named(joints, rows[i].name);
    assert_int_equal(json_integer_value(json_object_get(joint, "dof_count")), rows[i].dofs);
    assert_string_equal(json_string_value(json_object_get(joint, "anatomical")), rows[i].type);
    const char *type = json_string_value(json_object_get(joint, "type"));
    assert_int_equal(strcmp(type, "fixed") == 0, rows[i].dofs == 0); /* synarthroses do not move: section 2.4.1.1 */
    dofs += rows[i].dofs;
  }
  assert_int_equal(json_number_at(answer, "result.dof_count"), dofs + 6);
  /* "3-plane": the fibula shifts along three axes */
  assert_string_equal(dof_text(answer, "fibula_tz", "kind"), "translation");
  ASSERT_NEAR(dof_number(answer, "elbow_flexion", "upper"), 150, 1e-12);
  json_decref(answer);
  /* §2.4.5: a bent finger does not spread */
  answer = run_json(0, "skeleton", BODY, "--set", "finger_flexion=90,finger_abduction=15", NULL);
  ASSERT_NEAR(dof_number(answer, "finger_abduction", "value"), 0, 1e-9);
  json_decref(answer);
}

/* ---- mechanisms: Arbabi 2009, §3.7.2 ------------------------------------------------------------------------------
 */

static const char *shape(const char *name) {
  const char *folder = temporary_path(name);
  program_run run = run_synovia("shape", name, "-o", folder, NULL);
  assert_int_equal(run.code, 0);
  end_run(&run);
  return folder;
}

/* Depth and count of one pair in a skeleton's answer. */
static json_t *contact_of(json_t *answer, const char *mobile) {
  size_t i;
  json_t *item;
  json_array_foreach(json_at(answer, "result.contacts"), i,
                     item) if (strcmp(json_string_value(json_object_get(item, "mobile")), mobile) == 0) return item;
  fail_msg("%s touches nothing", mobile);
  return NULL;
}

/* One level: as two meshes in both roles. */
static void check_pair(const char *file, const char *folder, const char *fixed, const char *mobile, const char *set,
                       const char *center, const char *axis, const char *angle, const char *back) {
  char paths[2][512];
  snprintf(paths[0], sizeof paths[0], "%s/%s.ply", folder, fixed);
  snprintf(paths[1], sizeof paths[1], "%s/%s.ply", folder, mobile);
  json_t *answer = run_json(0, "skeleton", file, "--meshes", folder, "--set", set, "--method", "cylindrical", NULL);
  const json_t *contact = contact_of(answer, mobile);
  double depth = -INFINITY, count = 0;
  for (int role = 0; role < 2; ++role) {
    /* without a direction, so that the nearest way out counts: the pose is given by a matrix of its own */
    json_t *twin = run_json(0, "collide", "--fixed", paths[role], "--mobile", paths[!role], "--center", center,
                            "--axis", axis, "--pose", role ? back : angle, "--method", "cylindrical", NULL);
    depth = fmax(depth, json_number_at(twin, "result.max_depth_mm"));
    count += json_number_at(twin, "result.contact_count");
    json_decref(twin);
  }
  ASSERT_NEAR(json_number_value(json_object_get(contact, "depth_mm")), depth, 1e-9);
  ASSERT_NEAR(json_number_value(json_object_get(contact, "contact_count")), count, 0);
  json_decref(answer);
  /* nothing is as near as the threshold: by the split method all of it strikes */
  answer =
      run_json(0, "skeleton", file, "--meshes", folder, "--set", set, "--method", "split", "--threshold", "0.01", NULL);
  contact = contact_of(answer, mobile);
  ASSERT_NEAR(json_number_value(json_object_get(contact, "depth_mm")), depth, 1e-9);
  json_decref(answer);
  /* methods without roles of their own are asked for both at once */
  answer = run_json(0, "skeleton", file, "--meshes", folder, "--set", set, "--method", "distance", NULL);
  json_t *twin = run_json(0, "collide", "--fixed", paths[0], "--mobile", paths[1], "--center", center, "--pose", angle,
                          "--method", "distance", "--both-roles", NULL);
  contact = contact_of(answer, mobile);
  ASSERT_NEAR(json_number_value(json_object_get(contact, "depth_mm")), json_number_at(twin, "result.max_depth_mm"),
              1e-9);
  ASSERT_NEAR(json_number_value(json_object_get(contact, "contact_count")),
              json_number_at(twin, "result.contact_count"), 0);
  json_decref(answer);
  json_decref(twin);
}

static void lever_and_wrench_strike_as_two_meshes_do(void **state) {
  (void)state;
  char there[2][400], back[2][400];
  for (int i = 0; i < 2; ++i) {
    const double a = (i ? 3 : 8) * SYN_PI / 180, c = cos(a), s = sin(a);
    for (int k = 0; k < 2; ++k) {
      const double t = k ? -s : s;
      char *text = k ? back[i] : there[i];
      if (i)
        snprintf(text, 400, "%.17g %.17g 0 0 %.17g %.17g 0 0 0 0 1 0 0 0 0 1", c, -t, t, c);
      else
        snprintf(text, 400, "%.17g 0 %.17g 0 0 1 0 0 %.17g 0 %.17g 0 0 0 0 1", c, t, -t, c);
    }
  }
  check_pair(MECHANISMS "lever.json", shape("lever"), "stone", "lever", "stroke=8", "0,0,0", "0,1,0", there[0],
             back[0]);
  check_pair(MECHANISMS "wrench.json", shape("wrench"), "screw", "wrench", "turn=3", "0,0,2.5", "0,0,1", there[1],
             back[1]);
  /* the range of the wrench is that of the two meshes */
  const char *folder = temporary_path("wrench");
  char paths[2][512];
  snprintf(paths[0], sizeof paths[0], "%s/screw.ply", folder);
  snprintf(paths[1], sizeof paths[1], "%s/wrench.ply", folder);
  json_t *answer = run_json(0, "skeleton", MECHANISMS "wrench.json", "--meshes", folder, "--rom", "turn", NULL);
  json_t *twin =
      run_json(0, "rom", "--fixed", paths[0], "--mobile", paths[1], "--center", "0,0,2.5", "--axis", "0,0,1", NULL);
  json_t *range = json_array_get(json_at(answer, "result.ranges"), 0);
  ASSERT_NEAR(json_number_value(json_object_get(json_object_get(range, "upper"), "value")),
              json_number_at(twin, "result.positive_deg"), 1e-9);
  ASSERT_NEAR(json_number_value(json_object_get(json_object_get(range, "lower"), "value")),
              -json_number_at(twin, "result.negative_deg"), 1e-9);
  assert_true(json_is_true(json_object_get(range, "exact")));
  json_decref(answer);
  json_decref(twin);
}

static void the_torus_sinks_into_the_ground(void **state) {
  (void)state;
  shape("ground");
  shape("torus");
  const char *folder = temporary_path(".");
  json_t *answer = run_json(0, "skeleton", MECHANISMS "torus.json", "--meshes", folder, "--set", "along_x=5,spin=30",
                            "--method", "radial", NULL);
  const double depth = json_number_value(json_object_get(contact_of(answer, "torus"), "depth_mm"));
  json_decref(answer);
  assert_true(depth > 1 && depth < 10);
  /* 3 mm higher along the radius it is 3 mm less deep: that is what a radial depth is */
  answer = run_json(0, "skeleton", MECHANISMS "torus.json", "--meshes", folder, "--set", "along_x=5,spin=30,sink=185",
                    "--method", "radial", NULL);
  const double higher = json_number_value(json_object_get(contact_of(answer, "torus"), "depth_mm"));
  json_decref(answer);
  assert_true(higher < depth && higher > depth - 2);
}

static void every_level_of_the_arm_is_asked_about_its_own_hinge(void **state) {
  (void)state;
  const char *folder = shape("arm");
  json_t *answer = run_json(0, "skeleton", MECHANISMS "arm.json", "--meshes", folder, "--set",
                            "shoulder_turn=14,elbow_turn=2", "--method", "cylindrical", NULL);
  assert_string_equal(json_string_value(json_object_get(contact_of(answer, "hand"), "about")), "wrist_turn");
  assert_int_equal(json_number_at(answer, "result.pair_count"), 6);
  json_decref(answer);
  answer = run_json(0, "skeleton", MECHANISMS "arm.json", "--meshes", folder, "--rom", "shoulder_turn,base_turn", NULL);
  const json_t *range = json_array_get(json_at(answer, "result.ranges"), 0);
  assert_string_equal(json_string_value(json_object_get(json_object_get(range, "upper"), "mobile")), "hand");
  json_decref(answer);
}

/* Its files are the page, the result and, since it moves, an animation. */
static void a_mechanism_that_moves_leaves_an_animation(void **state) {
  (void)state;
  const char *folder = shape("arm");
  char path[600];
  snprintf(path, sizeof path, "%s", temporary_path("moved"));
  json_t *answer =
      run_json(0, "skeleton", MECHANISMS "arm.json", "--meshes", folder, "--rom", "elbow_turn", "-o", path, NULL);
  assert_int_equal(json_array_size(json_at(answer, "result.files")), 3);
  json_decref(answer);
  strcat(path, "/skeleton.glb");
  size_t size;
  char *animation = read_whole_file(path, &size);
  assert_memory_equal(animation, "glTF", 4);
  free(animation);
}

/* Two joints that turn alike, as both legs of a walk do: the page has a curve for each. */
static void rotations_of_equal_range_all_have_a_curve(void **state) {
  (void)state;
  size_t size;
  char path[600];
  const char *folder = temporary_path("alike"), *recording = temporary_path("alike.csv");
  write_text_file(recording, "time,elbow_turn,wrist_turn,shoulder_turn\n0,1,1,2\n1,3,3,2.5\n2,2,2,2\n");
  json_decref(run_json(0, "skeleton", MECHANISMS "arm.json", "--meshes", shape("arm"), "--motion", recording, "-o",
                       folder, NULL));
  snprintf(path, sizeof path, "%s/report.html", folder);
  char *page = read_whole_file(path, &size);
  const char *elbow = strstr(page, "\"label\":\"elbow_turn\",\"unit\":\"°\",\"values\""),
             *wrist = strstr(page, "\"label\":\"wrist_turn\",\"unit\":\"°\",\"values\""),
             *shoulder = strstr(page, "\"label\":\"shoulder_turn\",\"unit\":\"°\",\"values\"");
  assert_true(elbow && wrist && shoulder && elbow < wrist && wrist < shoulder);
  free(page);
}

/* ---- the leg with its bones ---------------------------------------------------------------------------------------
 */

static void a_flexed_leg_is_written_as_page_and_animation(void **state) {
  (void)state;
  REQUIRE_DATA(femur, "bodyparts3d/femur_R_FMA24474.ply");
  char data[512];
  snprintf(data, sizeof data, "%.*s", (int)(strstr(femur, "/bodyparts3d/") - femur), femur);
  const char *folder = temporary_path("leg");
  json_t *answer = run_json(0, "skeleton", LEG, "--meshes", data, "--set", "hip_flexion_r=60,knee_angle_r=80",
                            "--method", "distance", "--rom", "hip_rotation_r", "-o", folder, NULL);
  assert_int_equal(json_number_at(answer, "result.pair_count"), 18);
  const json_t *range = json_array_get(json_at(answer, "result.ranges"), 0);
  /* the head glides in its socket, which it used to meet after 6 degrees */
  const json_t *upper = json_object_get(range, "upper");
  assert_true(json_number_value(json_object_get(upper, "value")) > 25);
  const json_t *bodies = json_at(answer, "result.bodies"), *body;
  size_t i;
  json_array_foreach(bodies, i, body) {
    const bool is_femur = strcmp(json_string_value(json_object_get(body, "name")), "femur") == 0;
    assert_int_equal(json_number_value(json_object_get(body, "joint_surface_triangles")) > 0, is_femur);
  }
  assert_true(json_is_true(json_at(answer, "result.both_roles")));
  assert_int_equal(json_array_size(json_at(answer, "result.files")), 3);
  json_decref(answer);
  size_t size;
  char path[600];
  snprintf(path, sizeof path, "%s/report.html", folder);
  char *page = read_whole_file(path, &size);
  assert_contains(page, "hip_rotation_r goes up to");
  assert_contains(page, "\"kind\":\"skeleton\"");
  free(page);
  snprintf(path, sizeof path, "%s/skeleton.glb", folder);
  char *animation = read_whole_file(path, &size);
  assert_memory_equal(animation, "glTF", 4);
  free(animation);
}

static void the_neck_of_a_bent_hip_ends_its_rotation_not_its_head(void **state) {
  (void)state;
  REQUIRE_DATA(femur, "bodyparts3d/femur_R_FMA24474.ply");
  char data[512];
  snprintf(data, sizeof data, "%.*s", (int)(strstr(femur, "/bodyparts3d/") - femur), femur);
  json_t *answer =
      run_json(0, "skeleton", LEG, "--meshes", data, "--set", "hip_flexion_r=90", "--rom", "hip_rotation_r", NULL);
  const json_t *range = json_array_get(json_at(answer, "result.ranges"), 0), *upper = json_object_get(range, "upper");
  const json_t *point = json_object_get(upper, "point");
  const syn_vec3 at = {json_number_value(json_array_get(point, 0)), json_number_value(json_array_get(point, 1)),
                       json_number_value(json_array_get(point, 2))};
  assert_true(json_is_true(json_object_get(upper, "by_contact")));
  assert_true(json_number_value(json_object_get(upper, "value")) > 25); /* people: 30 to 45 degrees */
  assert_true(vec3_distance(at, vec3(81.4, -57.1, -72.7)) > 24.7);
  json_decref(answer);
}

/* Angles that could be radians are asked about; lengths are none. */
static void recorded_angles_of_a_doubtful_unit_are_asked_about(void **state) {
  (void)state;
  static const char *const texts[] = {"hip_flexion_r\n0\n1.2\n", "hip_flexion_r\n0\n12\n", "pelvis_tx\n0\n1.2\n"};
  const char *path = temporary_path("turned.csv");
  for (int i = 0; i < 3; ++i) {
    write_text_file(path, texts[i]);
    program_run run = run_synovia("skeleton", LEG, "--motion", path, NULL);
    assert_int_equal(run.code, 0);
    if (i == 0) assert_contains(run.err, "no angle exceeds 1.2, and they are taken as degrees");
    if (i > 0 && strstr(run.err, "taken as degrees")) fail_msg("row %d: %s", i, run.err);
    end_run(&run);
  }
}

static void a_recorded_squat_moves_the_leg(void **state) {
  (void)state;
  REQUIRE_DATA(squat, "motion/squats1.mot");
  char kept[512];
  snprintf(kept, sizeof kept, "%s", squat);
  json_t *answer = run_json(0, "skeleton", LEG, "--motion", kept, NULL);
  assert_int_equal(json_number_at(answer, "result.postures"), 801);
  assert_int_equal(json_number_at(answer, "result.motion_dofs"), 12);
  ASSERT_NEAR(dof_number(answer, "patella_r", "clamped_postures"), 801, 0); /* it follows */
  json_decref(answer);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_tree_is_printed_with_ranges_in_force),
      cmocka_unit_test(a_body_is_where_own_matrices_put_it),
      cmocka_unit_test(mistakes_are_named),
      cmocka_unit_test(the_body_has_the_joints_of_table_2_1),
      cmocka_unit_test(lever_and_wrench_strike_as_two_meshes_do),
      cmocka_unit_test(the_torus_sinks_into_the_ground),
      cmocka_unit_test(every_level_of_the_arm_is_asked_about_its_own_hinge),
      cmocka_unit_test(a_mechanism_that_moves_leaves_an_animation),
      cmocka_unit_test(rotations_of_equal_range_all_have_a_curve),
      cmocka_unit_test(a_flexed_leg_is_written_as_page_and_animation),
      cmocka_unit_test(the_neck_of_a_bent_hip_ends_its_rotation_not_its_head),
      cmocka_unit_test(recorded_angles_of_a_doubtful_unit_are_asked_about),
      cmocka_unit_test(a_recorded_squat_moves_the_leg),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
