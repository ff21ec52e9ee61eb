/* Joints that are not hips: rom, collide, view and reports use the names, motions and ranges of the joint file, and no
 * words of a hip. */
#include <signal.h>
#include <sys/stat.h>

#include <synovia/joint.h>

#include "block_hip.h"
#include "program.h"
#include "viewer.h"

static char folder[512], joint_file[600];

static const char *const hip_words[] = {"hip",   "Hip",    "femur", "Femur", "pelvis", "Pelvis",    "FADIR",
                                        "clock", "socket", "cup",   "alpha", "Alpha",  "adduction", "Tannast"};

/* A gate of two blocks: named turns, and a motion with a range. */
static int write_gate(void **state) {
  (void)state;
  static const char text[] =
      "{\"synovia\":1,\"kind\":\"gate\",\"name\":\"Garden gate\",\"units\":\"cm\",\"bodies\":["
      "{\"name\":\"post\",\"mesh\":\"post.ply\",\"tissue\":\"bone\",\"moves\":false},"
      "{\"name\":\"wing\",\"mesh\":\"wing.ply\",\"tissue\":\"bone\",\"moves\":true}],"
      "\"center\":[0,0,0],\"frame\":{\"axes\":["
      "{\"axis\":[1,0,0],\"positive\":\"lifting\",\"negative\":\"sinking\"},"
      "{\"axis\":[0,1,0],\"positive\":\"leaning\",\"negative\":\"righting\"},"
      "{\"axis\":[0,0,1],\"positive\":\"opening\",\"negative\":\"closing\"}]},"
      "\"motions\":[\"lifting\",\"opening\",{\"name\":\"wide\",\"label\":\"Wide open\",\"axis\":\"opening\","
      "\"start\":{\"opening\":5},\"range\":[1,2],\"source\":\"the carpenter\"}]}";
  block_hip blocks = make_block_hip(NULL, SYN_SIDE_RIGHT, NULL);
  static const char *const names[] = {"post.ply", "wing.ply"};
  snprintf(folder, sizeof folder, "%s", temporary_path("gate"));
  mkdir(folder, 0777);
  for (int i = 0; i < 2; ++i) { /* in cm, as the file says */
    syn_error error;
    char path[1024];
    syn_geometry geometry = syn_trimesh_geometry(blocks.meshes[i]);
    syn_vec3 *small = malloc(geometry.point_count * sizeof *small);
    for (size_t k = 0; k < geometry.point_count; ++k)
      small[k] = (syn_vec3){geometry.points[k].x / 10, geometry.points[k].y / 10, geometry.points[k].z / 10};
    geometry.points = small;
    snprintf(path, sizeof path, "%s/%s", folder, names[i]);
    ASSERT_OK(syn_geometry_write(NULL, &geometry, path, NULL, &error));
    free(small);
  }
  snprintf(joint_file, sizeof joint_file, "%s/joint.json", folder);
  write_text_file(joint_file, text);
  drop_block_hip(&blocks);
  return 0;
}

static void assert_no_hip_words(const char *text) {
  for (size_t i = 0; i < sizeof hip_words / sizeof *hip_words; ++i)
    if (strstr(text, hip_words[i])) fail_msg("'%s' stands in: %s", hip_words[i], text);
}

static void check_motion(const json_t *motion, const char *name, double degrees) {
  assert_string_equal(json_string_value(json_object_get(motion, "name")), name);
  assert_string_equal(json_string_value(json_object_get(motion, "state")), "stopped");
  ASSERT_NEAR(json_number_value(json_object_get(motion, "angle_deg")), degrees, 1e-5);
  assert_string_equal(json_string_value(json_object_get(json_object_get(motion, "limited_by"), "mobile")), "wing");
}

static void rom_uses_the_names_motions_and_ranges_of_the_file(void **state) {
  (void)state;
  const double degrees = 180 / acos(-1.0);
  program_run run = run_synovia("rom", folder, NULL); /* a folder stands for its joint.json */
  assert_int_equal(run.code, 0);
  assert_contains(run.out, "Range of motion of the gate:");
  assert_contains(run.out, "Wide open");
  assert_contains(run.out, "wing on post");
  assert_contains(run.out, "(range: 1 to 2, the carpenter)");
  assert_no_hip_words(run.out);
  assert_no_hip_words(run.err);
  end_run(&run);
  json_t *result = run_json(0, "rom", joint_file, NULL);
  assert_string_equal(json_string_value(json_at(result, "result.kind")), "gate");
  assert_true(json_is_null(json_at(result, "result.side"))); /* not given */
  const json_t *motions = json_at(result, "result.motions");
  assert_int_equal(json_array_size(motions), 3);
  check_motion(json_array_get(motions, 0), "lifting", block_flexion() * degrees);
  check_motion(json_array_get(motions, 1), "opening", block_internal_rotation() * degrees);
  check_motion(json_array_get(motions, 2), "wide", block_internal_rotation() * degrees - 5);
  json_decref(result);
}

static void rom_of_turns_that_are_named(void **state) {
  (void)state;
  json_t *result = run_json(0, "rom", joint_file, "closing", "--motion", "lifting,closing", NULL);
  assert_int_equal(json_array_size(json_at(result, "result.motions")), 2);
  json_decref(result);
  result = run_json(2, "rom", joint_file, "openning", NULL);
  assert_contains(json_string_value(json_at(result, "error.message")), "no motion 'openning'. Did you mean");
  json_decref(result);
  result = run_json(2, "rom", joint_file, "--sweep", "4", NULL);
  assert_contains(json_string_value(json_at(result, "error.message")), "--sweep is for hips");
  json_decref(result);
}

/* Writes 41 poses, a degree apart, in which the gate opens. */
static const char *write_opening(void) {
  char text[4096] = "time,opening\n";
  size_t used = strlen(text);
  for (int i = 0; i <= 40; ++i) used += (size_t)snprintf(text + used, sizeof text - used, "%g,%d\n", i * 0.1, i);
  const char *path = temporary_path("opening.csv");
  write_text_file(path, text);
  return path;
}

/* Angles in a table by the names of the turns; the post is in the way from some angle on. */
static void a_recorded_motion_is_followed(void **state) {
  (void)state;
  const char *path = write_opening();
  json_t *result = run_json(0, "rom", joint_file, "opening", "--recording", path, NULL);
  const int first = (int)ceil(block_internal_rotation() * 180 / acos(-1.0));
  assert_int_equal(json_number_at(result, "result.recorded.poses"), 41);
  assert_int_equal(json_number_at(result, "result.recorded.first_contact"), first);
  ASSERT_NEAR(json_number_at(result, "result.recorded.first_contact_s"), first * 0.1, 1e-12);
  assert_string_equal(json_string_value(json_at(result, "result.recorded.mobile")), "wing");
  json_decref(result);
  write_text_file(path, "time,hip_flexion_r\n0,1\n");
  result = run_json(3, "rom", joint_file, "--recording", path, NULL);
  assert_contains(json_string_value(json_at(result, "error.message")), "no motion of this joint");
  assert_contains(json_string_value(json_at(result, "error.message")), "lifting");
  json_decref(result);
}

/* The map agrees with the closed form where the gate opens from its position in the mesh, and its rows with its cells.
 */
static void the_map_is_over_the_joints_own_axes(void **state) {
  (void)state;
  const char *csv = temporary_path("gate-map.csv");
  json_t *result =
      run_json(0, "rom", joint_file, "opening", "--draws", "0", "--map", "--step", "30", "--csv", csv, NULL);
  const json_t *map = json_at(result, "result.map"), *first = json_object_get(map, "first_deg"),
               *second = json_object_get(map, "second_deg"), *cells = json_object_get(map, "cells");
  static const char *const directions[] = {"lifting", "sinking", "leaning", "righting", "opening", "closing"};
  for (size_t i = 0; i < 6; ++i)
    assert_string_equal(json_string_value(json_array_get(json_object_get(map, "directions"), i)), directions[i]);
  assert_int_equal(json_array_size(first), 6); /* -30 to 120 */
  assert_int_equal(json_array_size(second), 4);
  assert_int_equal(json_array_size(cells), 24);
  ASSERT_NEAR(json_number_value(json_array_get(first, 1)), 0, 1e-12);
  ASSERT_NEAR(json_number_value(json_array_get(second, 2)), 0, 1e-12);
  const double opening = block_internal_rotation() * 180 / acos(-1.0);
  const json_t *row = json_array_get(json_object_get(map, "positive_deg"), 1), *cell = json_array_get(cells, 4 + 2),
               *positive = json_object_get(cell, "positive");
  ASSERT_NEAR(json_number_value(json_array_get(row, 2)), opening, 1e-9);
  ASSERT_NEAR(json_number_value(json_object_get(positive, "angle_deg")), opening, 1e-9);
  assert_string_equal(json_string_value(json_object_get(positive, "state")), "stopped");
  assert_string_equal(json_string_value(json_object_get(positive, "mobile")), "wing");
  assert_string_equal(json_string_value(json_object_get(positive, "fixed")), "post");
  json_decref(result);
  size_t lines = 0, size;
  char *table = read_whole_file(csv, &size);
  for (const char *at = table; *at; ++at) lines += *at == '\n';
  assert_int_equal(lines, 25);
  assert_contains(table, "first_deg,second_deg,positive_state,positive_angle_deg,positive_fixed,positive_mobile,");
  assert_no_hip_words(table);
  free(table);
}

/* The page draws the map of a joint whose rotations have the names of limbs, without the poses of hips. */
static void the_page_has_the_map_of_a_limb(void **state) {
  (void)state;
  char path[600], page[700];
  snprintf(path, sizeof path, "%s/limb.json", folder);
  write_text_file(path,
                  "{\"synovia\":1,\"kind\":\"elbow\",\"units\":\"cm\",\"bodies\":["
                  "{\"name\":\"post\",\"mesh\":\"post.ply\",\"tissue\":\"bone\",\"moves\":false},"
                  "{\"name\":\"wing\",\"mesh\":\"wing.ply\",\"tissue\":\"bone\",\"moves\":true}],"
                  "\"center\":[0,0,0],\"frame\":{\"flexion\":[1,0,0],\"adduction\":[0,1,0],\"rotation\":[0,0,1]}}");
  const char *const files[] = {path, joint_file};
  for (int i = 0; i < 2; ++i) {
    size_t size;
    const char *out = temporary_path(i ? "gate-page" : "limb-page");
    json_t *result = run_json(0, "rom", files[i], "--draws", "0", "--map", "--step", "30", "-o", out, NULL);
    assert_int_equal(json_array_size(json_at(result, "result.map.cells")), 24);
    json_decref(result);
    snprintf(page, sizeof page, "%s/report.html", out);
    char *html = read_whole_file(page, &size);
    assert_int_equal(strstr(html, "data-plot=\"envelope\"") != NULL, i == 0);
    assert_null(strstr(html, "stroke-dasharray=\"4 2\"")); /* a range of poses */
    free(html);
  }
}

/* The effect of the centre is that of as many runs about other centres. */
static void the_effect_of_the_centre_is_that_of_shifted_centres(void **state) {
  (void)state;
  static const char *const centers[] = {"0,0,0", "3,0,0", "-3,0,0", "0,3,0", "0,-3,0", "0,0,3", "0,0,-3"};
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
  for (size_t c = 0; c < 7; ++c) {
    json_t *result = run_json(0, "rom", joint_file, "--draws", "0", "--center", centers[c], NULL);
    for (size_t i = 0; i < 3; ++i) {
      const json_t *motion = json_array_get(json_at(result, "result.motions"), i);
      const double angle = json_number_value(json_object_get(motion, "angle_deg"));
      low[i] = fmin(low[i], angle);
      high[i] = fmax(high[i], angle);
    }
    json_decref(result);
  }
  json_t *result = run_json(0, "center", folder, NULL);
  ASSERT_NEAR(json_number_at(result, "result.shift_mm"), 3, 0);
  assert_int_equal(json_array_size(json_at(result, "result.motions")), 3);
  for (size_t i = 0; i < 3; ++i) {
    const json_t *motion = json_array_get(json_at(result, "result.motions"), i);
    ASSERT_NEAR(json_number_value(json_object_get(motion, "low_deg")), low[i], 1e-9);
    ASSERT_NEAR(json_number_value(json_object_get(motion, "high_deg")), high[i], 1e-9);
    assert_true(high[i] - low[i] > 0.1);
  }
  json_decref(result);
  program_run run = run_synovia("center", folder, NULL);
  assert_contains(run.out, "Wide open");
  assert_null(strstr(run.out, "nan"));
  end_run(&run);
  run = run_synovia("center", folder, "--center", "12,-10,0",
                    NULL); /* a motion has no limit about this centre, and one near it */
  assert_int_equal(run.code, 0);
  assert_null(strstr(run.out, "nan"));
  assert_no_hip_words(run.out);
  end_run(&run);
}

/* The post's edge at (22, 10) mm enters the wing at the limit of its motion, and is the deeper along its arc the
 * further the wing opens, until it leaves at the back. */
static void depths_begin_at_the_limit(void **state) {
  (void)state;
  const char *path = write_opening(), *out = temporary_path("gate-depths");
  const double degree = acos(-1.0) / 180, limit = block_internal_rotation() / degree;
  json_t *result = run_json(0, "fai", folder, "--motion", path, "-o", out, NULL);
  assert_string_equal(json_string_value(json_at(result, "result.motion")), "opening.csv");
  assert_int_equal(json_number_at(result, "result.steps"), 41);
  const json_t *mobile = json_at(result, "result.curves.curvilinear_mm"),
               *fixed = json_at(result, "result.curves.curvilinear_swapped_mm"),
               *radial = json_at(result, "result.curves.radial_mm");
  double most = 0;
  for (size_t i = 0; i < 41; ++i) {
    const double of_mobile = json_number_value(json_array_get(mobile, i)),
                 of_fixed = json_number_value(json_array_get(fixed, i));
    if ((double)i < limit)
      assert_true(of_mobile == 0 && of_fixed == 0 && json_number_value(json_array_get(radial, i)) == 0);
    else if (i < 29)
      ASSERT_NEAR(of_fixed, hypot(22, 10) * ((double)i - limit) * degree, 1e-5);
    else
      assert_true(of_mobile > 0);
    most = fmax(most, fmax(of_mobile, of_fixed));
  }
  ASSERT_NEAR(json_number_at(result, "result.curvilinear_max_mm"), most, 0);
  json_decref(result);
  size_t size;
  char page[600];
  snprintf(page, sizeof page, "%s/report.html", out);
  char *html = read_whole_file(page, &size);
  assert_contains(html, "Depth along the turn");
  free(html);
  result = run_json(2, "fai", folder, NULL);
  assert_contains(json_string_value(json_at(result, "error.message")), "--motion FILE is missing");
  json_decref(result);
  result = run_json(2, "fai", folder, "--motion", path, "--bone-only", NULL);
  assert_contains(json_string_value(json_at(result, "error.message")), "--bone-only is for hips");
  json_decref(result);
  /* the same recording turns about one axis, the third */
  result = run_json(0, "center", folder, "--motion", path, NULL);
  ASSERT_NEAR(fabs(json_number_value(json_array_get(json_at(result, "result.motion.axis"), 2))), 1, 1e-9);
  json_decref(result);
}

/* Every pair by name, at a pose by the names of the turns: apart a degree before the limit, penetrating behind it. */
static void collide_takes_the_joint_file(void **state) {
  (void)state;
  const double limit = block_internal_rotation() * 180 / acos(-1.0);
  for (int behind = 0; behind < 2; ++behind) {
    char turn[64];
    snprintf(turn, sizeof turn, "opening=%.6f", limit + (behind ? 1 : -1));
    json_t *result = run_json(0, "collide", folder, "--turn", turn, NULL);
    assert_string_equal(json_string_value(json_at(result, "result.kind")), "gate");
    const json_t *pair = json_array_get(json_at(result, "result.pairs"), 0);
    assert_int_equal(json_array_size(json_at(result, "result.pairs")), 1);
    assert_string_equal(json_string_value(json_object_get(pair, "mobile")), "wing");
    assert_int_equal(json_is_true(json_object_get(json_object_get(pair, "collision"), "penetrating")), behind);
    json_decref(result);
  }
  json_t *together = run_json(0, "collide", folder, "--together", "--turn", "opening=0", NULL);
  assert_true(json_array_size(json_at(together, "result.pairs")) <= 1);
  json_decref(together);
  /* arcs run back along the turn, as of two meshes that are told its axis; options of methods go along */
  char turn[64], angle[32], post[600], wing[600];
  snprintf(turn, sizeof turn, "opening=%.6f", limit + 3);
  snprintf(angle, sizeof angle, "%.6f", limit + 3);
  snprintf(post, sizeof post, "%s/post.ply", folder);
  snprintf(wing, sizeof wing, "%s/wing.ply", folder);
  static const char *const threshold[] = {NULL, "1"}; /* nearer than anything: all of it strikes */
  json_t *twin = run_json(0, "collide", "--fixed", post, "--mobile", wing, "--units", "cm", "--center", "0,0,0",
                          "--axis", "0,0,1", "--angle", angle, "--both-roles", "--method", "cylindrical", NULL);
  for (int split = 0; split < 2; ++split) {
    json_t *result = run_json(0, "collide", joint_file, "--turn", turn, "--both-roles", "--method",
                              split ? "split" : "cylindrical", split ? "--threshold" : NULL, threshold[split], NULL),
           *found = json_object_get(json_array_get(json_at(result, "result.pairs"), 0), "collision");
    assert_true(json_number_at(twin, "result.max_depth_mm") > 0.01);
    ASSERT_NEAR(json_number_value(json_object_get(found, "max_depth_mm")), json_number_at(twin, "result.max_depth_mm"),
                1e-9);
    assert_int_equal(json_integer_value(json_object_get(found, "contact_count")),
                     json_integer_value(json_at(twin, "result.contact_count")));
    json_decref(result);
  }
  json_decref(twin);
  program_run run = run_synovia("collide", joint_file, "--method", "distance", NULL);
  assert_int_equal(run.code, 0);
  assert_contains(run.out, "wing and post: apart");
  assert_no_hip_words(run.out);
  end_run(&run);
  static const char *const wrong[][3] = {{"--turn", "open=3", "this joint has no turn 'open'"},
                                         {"--turn", "opening", "--turn takes NAME=DEG, such as lifting=20"},
                                         {"--turn", "opening=wide", "needs a number of degrees"},
                                         {"--center", "0,0,0", "--center is for two meshes"},
                                         {"--mapping", "2", "the method obb does not take --mapping"}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    json_t *result = run_json(2, "collide", joint_file, wrong[i][0], wrong[i][1], NULL);
    assert_contains(json_string_value(json_at(result, "error.message")), wrong[i][2]);
    json_decref(result);
  }
}

static void the_page_has_no_words_of_a_hip(void **state) {
  (void)state;
  char out[512], path[600];
  snprintf(out, sizeof out, "%s", temporary_path("gate-report"));
  json_t *result = run_json(0, "rom", joint_file, "-o", out, NULL);
  assert_int_equal(json_array_size(json_at(result, "result.files")), 2);
  json_decref(result);
  snprintf(path, sizeof path, "%s/report.html", out);
  char *text = visible_text(path);
  assert_contains(text, "Garden gate");
  assert_contains(text, "Gate: post fixed, wing mobile");
  assert_contains(text, "above the range of 1 to 2° (the carpenter)");
  assert_no_hip_words(text);
  free(text);
}

/* A page and answers without words of a hip; the centre is placed and saved, landmarks there are none. */
static void the_viewer_shows_the_joint_by_its_own_names(void **state) {
  (void)state;
  char saved[512];
  snprintf(saved, sizeof saved, "%s", temporary_path("saved-gate.json"));
  const char *const words[] = {folder, "--save", saved, "--threads", "1", NULL};
  viewer v = start_viewer(words);
  char path[64];
  snprintf(path, sizeof path, "/%s/", v.token);
  answer page = ask(&v, "GET", path, NULL, NULL);
  assert_int_equal(page.status, 200);
  write_text_file(temporary_path("live.html"), page.body);
  char *text = visible_text(temporary_path("live.html"));
  assert_contains(text, "Gate: post fixed, wing mobile");
  assert_no_hip_words(text);
  free(text);
  end_answer(&page);
  const double angle = 10 * acos(-1.0) / 180;
  const syn_pose pose = syn_pose_about_axis((syn_vec3){0, 0, 0}, (syn_vec3){0, 0, 1}, angle);
  pose_answer told = ask_pose(&v, &pose, "pose_depth");
  ASSERT_NEAR(number_named(told.value, "opening"), 10, 1e-9);
  ASSERT_NEAR(number_named(told.value, "free_opening"), block_internal_rotation() * 180 / acos(-1.0) - 10, 1e-5);
  assert_true(number_named(told.value, "clearance_wing_post") > 0);
  end_pose(&told);
  json_decref(edit(&v, "{\"center\":[1,0,0]}"));
  expect(post(&v, "edit", "{\"marker\":\"asis\",\"point\":[0,0,0]}"), 400, "this joint has no landmarks");
  expect(post(&v, "save", "{}"), 200, "saved-gate.json");
  syn_error error;
  syn_joint *joint;
  ASSERT_OK(syn_joint_read(NULL, saved, &joint, &error));
  assert_true(joint->center.x == 1 && joint->turn_count == 1 && joint->mm_per_unit == 10);
  assert_string_equal(syn_joint_kind(joint), "gate");
  syn_joint_destroy(joint);
  assert_int_equal(stop_viewer(&v, SIGTERM), 0);
}

static void commands_about_hips_say_which_to_use(void **state) {
  (void)state;
  static const char *const commands[] = {"hip", "measure"};
  for (size_t i = 0; i < sizeof commands / sizeof *commands; ++i) {
    json_t *result = run_json(2, commands[i], joint_file, NULL);
    assert_contains(json_string_value(json_at(result, "error.message")),
                    "this joint is not a hip (its kind is gate): `synovia rom`");
    json_decref(result);
  }
}

/* A folder for every command about a hip, and bones in centimetres. */
static void a_hip_in_a_folder_and_in_centimetres(void **state) {
  (void)state;
  block_hip blocks = make_block_hip(NULL, SYN_SIDE_RIGHT, NULL);
  const char *hip = temporary_path("hip-folder");
  mkdir(hip, 0777);
  write_block_joint(&blocks, hip);
  drop_block_hip(&blocks);
  json_t *in_mm = run_json(0, "rom", hip, "flexion", NULL),
         *in_cm = run_json(0, "rom", hip, "flexion", "--center", "0,0,0", "--units", "cm", NULL);
  const json_t *mm = json_array_get(json_at(in_mm, "result.motions"), 0),
               *cm = json_array_get(json_at(in_cm, "result.motions"), 0);
  ASSERT_NEAR(json_number_value(json_object_get(mm, "angle_deg")), block_flexion() * 180 / acos(-1.0), 1e-9);
  ASSERT_NEAR(json_number_value(json_object_get(cm, "angle_deg")), block_flexion() * 180 / acos(-1.0), 1e-9);
  const json_t *place = json_object_get(json_object_get(cm, "contact"), "point");
  const json_t *same = json_object_get(json_object_get(mm, "contact"), "point");
  for (size_t i = 0; i < 3; ++i)
    ASSERT_NEAR(json_number_value(json_array_get(place, i)), 10 * json_number_value(json_array_get(same, i)), 1e-6);
  json_decref(in_mm);
  json_decref(in_cm);
  char out[512];
  snprintf(out, sizeof out, "%s", temporary_path("hip-folder-out"));
  json_t *result = run_json(0, "hip", hip, "-o", out, NULL);
  assert_true(json_array_size(json_at(result, "result.files")) > 3);
  json_decref(result);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rom_uses_the_names_motions_and_ranges_of_the_file),
      cmocka_unit_test(rom_of_turns_that_are_named),
      cmocka_unit_test(a_recorded_motion_is_followed),
      cmocka_unit_test(the_map_is_over_the_joints_own_axes),
      cmocka_unit_test(the_page_has_the_map_of_a_limb),
      cmocka_unit_test(the_effect_of_the_centre_is_that_of_shifted_centres),
      cmocka_unit_test(depths_begin_at_the_limit),
      cmocka_unit_test(collide_takes_the_joint_file),
      cmocka_unit_test(the_page_has_no_words_of_a_hip),
      cmocka_unit_test(the_viewer_shows_the_joint_by_its_own_names),
      cmocka_unit_test(commands_about_hips_say_which_to_use),
      cmocka_unit_test(a_hip_in_a_folder_and_in_centimetres),
  };
  return cmocka_run_group_tests(tests, write_gate, NULL);
}
