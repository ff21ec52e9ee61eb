// test: slow
/* The joint files of examples/joints, each beside its meshes. */
#include <sys/stat.h>
#include <unistd.h>

#include "program.h"

/* Copies the example into the folder; its path. */
static const char *put_example(const char *name, const char *folder) {
  static char path[1024];
  char from[1024];
  size_t size;
  snprintf(from, sizeof from, "%s/examples/joints/%s", SYN_SOURCE_DIR, name);
  snprintf(path, sizeof path, "%s/%s", folder, name);
  char *text = read_whole_file(from, &size);
  write_text_file(path, text);
  free(text);
  return path;
}

static void make_shape(const char *shape, const char *folder) {
  program_run run = run_synovia("shape", shape, "-o", folder, "-q", NULL);
  assert_int_equal(run.code, 0);
  end_run(&run);
}

/* A mesh of the data folder, by its name alone. */
static void link_mesh(const char *mesh, const char *folder) {
  char path[1024];
  const char *name = strrchr(mesh, '/') + 1;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  assert_int_equal(symlink(mesh, path), 0);
}

static double angle_of(json_t *answer, const char *name) {
  size_t i;
  json_t *motion;
  json_array_foreach(json_at(answer, "result.motions"), i, motion) {
    if (strcmp(json_string_value(json_object_get(motion, "name")), name) != 0) continue;
    assert_string_equal(json_string_value(json_object_get(motion, "state")), "stopped");
    return json_number_value(json_object_get(motion, "angle_deg"));
  }
  fail_msg("there is no motion %s", name);
  return NAN;
}

/* What only hips have; femora, adduction and sockets other joints have as well. */
static void assert_own_words(const char *text) {
  static const char *const words[] = {"hip",   "Hip",   "pelvis", "Pelvis", "FADIR",   "FABER", "clock",
                                      "alpha", "Alpha", "labrum", "acetab", "Tannast", "ASIS",  "trochanter"};
  for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
    if (strstr(text, words[i])) fail_msg("'%s' stands in: %s", words[i], strstr(text, words[i]));
}

/* What rom and collide print, and the page, about a joint that is no hip. */
static void check_words(const char *joint, const char *title) {
  char out[512], path[600];
  program_run run = run_synovia("rom", joint, "--draws", "2", NULL);
  assert_int_equal(run.code, 0);
  assert_contains(run.out, title);
  assert_own_words(run.out);
  assert_own_words(run.err);
  end_run(&run);
  run = run_synovia("collide", joint, NULL);
  assert_own_words(run.out);
  assert_own_words(run.err);
  end_run(&run);
  snprintf(out, sizeof out, "%s", temporary_path("example-page"));
  run = run_synovia("rom", joint, "--draws", "2", "-q", "-o", out, NULL);
  assert_int_equal(run.code, 0);
  end_run(&run);
  snprintf(path, sizeof path, "%s/report.html", out);
  char *text = visible_text(path);
  assert_own_words(text);
  free(text);
}

static void the_hip(void **state) {
  (void)state;
  char folder[512];
  snprintf(folder, sizeof folder, "%s", temporary_path("example-hip"));
  make_shape("hip", folder);
  json_t *example = run_json(0, "rom", put_example("hip.json", folder), "flexion", NULL),
         *generated = run_json(0, "rom", folder, "flexion", NULL);
  ASSERT_NEAR(angle_of(example, "flexion"), angle_of(generated, "flexion"), 1e-9);
  json_decref(generated);
  json_decref(example);
}

/* Its axes are those of the generated joint file under other names. */
static void the_lever(void **state) {
  (void)state;
  char folder[512];
  snprintf(folder, sizeof folder, "%s", temporary_path("example-lever"));
  make_shape("lever", folder);
  json_t *example = run_json(0, "rom", put_example("lever.json", folder), "--draws", "5", NULL),
         *generated = run_json(0, "rom", folder, "--draws", "0", NULL);
  assert_string_equal(json_string_value(json_at(generated, "result.kind")), "other");
  ASSERT_NEAR(angle_of(example, "stroke"), angle_of(generated, "flexion"), 1e-9);
  assert_true(angle_of(example, "askew") > angle_of(example, "stroke"));
  json_decref(generated);
  json_decref(example);
}

/* What was odd when a joint file was made stays odd for every command that opens it (of hips: cli/hip_open). */
static void notes_of_a_joint_file_are_told_again(void **state) {
  (void)state;
  char folder[512], path[600], *text;
  size_t size;
  snprintf(folder, sizeof folder, "%s", temporary_path("noted-lever"));
  make_shape("lever", folder);
  snprintf(path, sizeof path, "%s", put_example("lever.json", folder));
  text = read_whole_file(path, &size);
  FILE *stream = fopen(path, "w");
  assert_non_null(stream);
  fprintf(stream, "{\"notes\": [\"one end was scanned twice\"],%s", strchr(text, '{') + 1);
  fclose(stream);
  free(text);
  program_run run = run_synovia("rom", path, "--draws", "0", NULL);
  assert_int_equal(run.code, 0);
  assert_contains(run.err, "when the joint file was made: one end was scanned twice");
  end_run(&run);
}

/* Recorded angles that could be radians are asked about, unless the name of their column tells the unit. */
static void turns_of_a_doubtful_unit_are_asked_about(void **state) {
  (void)state;
  static const struct {
    const char *text;
    bool asked;
  } rows[] = {{"down\n0\n1.2\n", true}, {"down\n0\n4\n", false}, {"down_deg\n0\n1.2\n", false}};
  const char *motion = temporary_path("turns.csv");
  char folder[512], joint[600];
  snprintf(folder, sizeof folder, "%s", temporary_path("example-turns"));
  make_shape("lever", folder);
  snprintf(joint, sizeof joint, "%s", put_example("lever.json", folder));
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    write_text_file(motion, rows[i].text);
    program_run run = run_synovia("rom", joint, "--recording", motion, "--draws", "0", NULL);
    assert_int_equal(run.code, 0);
    if ((strstr(run.err, "and they are taken as degrees") != NULL) != rows[i].asked)
      fail_msg("row %zu: %s", i, run.err);
    end_run(&run);
  }
}

/* Bone to bone a knee bends further than people can; it is the tibia's back that meets the shaft. */
static void the_knee(void **state) {
  (void)state;
  REQUIRE_DATA(femur, "knee/bones/lenhart2015-R-femur-bone.ply");
  REQUIRE_DATA(tibia, "knee/bones/smith2019-R-tibia-bone.ply");
  REQUIRE_DATA(motion, "knee/kinematics/passive_body_transformations.sto");
  char folder[512];
  snprintf(folder, sizeof folder, "%s", temporary_path("example-knee"));
  mkdir(folder, 0777);
  link_mesh(femur, folder);
  link_mesh(tibia, folder);
  json_t *answer = run_json(0, "rom", put_example("knee.json", folder), "--recording", motion, "--draws", "5", NULL);
  assert_true(angle_of(answer, "flexion") > 140 && angle_of(answer, "flexion") < 165);
  assert_true(angle_of(answer, "extension") > 2 && angle_of(answer, "extension") < 20);
  ASSERT_NEAR(angle_of(answer, "abduction"), angle_of(answer, "adduction"), 2);
  assert_true(angle_of(answer, "internal_rotation_90") > 20);
  assert_int_equal(json_number_at(answer, "result.recorded.poses"), 60);
  assert_int_equal(json_number_at(answer, "result.recorded.free_poses"), 60); /* a motion that was measured */
  json_decref(answer);
  check_words(put_example("knee.json", folder), "Range of motion of the ");
}

static void the_jaw(void **state) {
  (void)state;
  REQUIRE_DATA(skull, "shoulder_skull_myosim/ground_skull.stl");
  REQUIRE_DATA(jaw, "shoulder_skull_myosim/ground_jaw.stl");
  char folder[512];
  snprintf(folder, sizeof folder, "%s", temporary_path("example-jaw"));
  mkdir(folder, 0777);
  link_mesh(skull, folder);
  link_mesh(jaw, folder);
  json_t *answer = run_json(0, "rom", put_example("jaw.json", folder), "--draws", "40", NULL);
  const json_t *opening = json_array_get(json_at(answer, "result.motions"), 0),
               *band = json_object_get(opening, "band_deg");
  assert_true(json_number_value(json_array_get(band, 0)) < angle_of(answer, "opening") - 0.5);
  assert_true(json_number_value(json_array_get(band, 1)) > angle_of(answer, "opening") + 0.5);
  assert_true(json_number_value(json_object_get(opening, "band_stopped_percent")) == 100);
  assert_int_equal(json_array_size(json_object_get(json_object_get(opening, "bands_deg"), "center")), 2);
  assert_true(angle_of(answer, "opening") > 10 && angle_of(answer, "opening") < 40);
  ASSERT_NEAR(angle_of(answer, "left_turn"), angle_of(answer, "right_turn"), 0.5); /* the head is nearly symmetric */
  assert_int_equal(json_array_size(json_at(answer, "result.overlaps")), 1);
  json_decref(answer);
  check_words(put_example("jaw.json", folder), "Range of motion of the jaw:");
}

/* Two meshes with a frame each: the humerus is put in its place. It rises until it meets the scapula, and nothing stops
 * its turns; if it lay where its file has it, it would be in the acromion. */
static void the_shoulder(void **state) {
  (void)state;
  REQUIRE_DATA(scapula, "shoulder_skull_myosim/scapula.stl");
  REQUIRE_DATA(humerus, "shoulder_skull_myosim/humerus.stl");
  char folder[512];
  snprintf(folder, sizeof folder, "%s", temporary_path("example-shoulder"));
  mkdir(folder, 0777);
  link_mesh(scapula, folder);
  link_mesh(humerus, folder);
  json_t *answer = run_json(0, "rom", put_example("shoulder.json", folder), "--draws", "5", NULL);
  assert_true(angle_of(answer, "flexion") > 90 && angle_of(answer, "flexion") < 160);
  assert_true(angle_of(answer, "abduction") > 90 && angle_of(answer, "abduction") < 160);
  const json_t *inward = json_array_get(json_at(answer, "result.motions"), 4);
  assert_string_equal(json_string_value(json_object_get(inward, "state")), "no_stop");
  json_decref(answer);
  check_words(put_example("shoulder.json", folder), "Range of motion of the shoulder:");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_hip),
      cmocka_unit_test(the_lever),
      cmocka_unit_test(notes_of_a_joint_file_are_told_again),
      cmocka_unit_test(turns_of_a_doubtful_unit_are_asked_about),
      cmocka_unit_test(the_knee),
      cmocka_unit_test(the_jaw),
      cmocka_unit_test(the_shoulder),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
