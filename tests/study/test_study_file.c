#include "base/status.h"
#include "studies.h"

/* ---- files that are wrong ---------------------------------------------------------------------------------------- */

static void wrong_files_are_reported_by_key_and_place(void **state) {
  (void)state;
  static const struct {
    const char *text, *part;
  } wrong[] = {
      {"[]", "object"},
      {"{\"synovia_study\":2,\"name\":\"x\",\"cases\":[],\"analyses\":[]}", "synovia_study"},
      {"{\"name\":\"x\"}", "synovia_study"},
      {STUDY("", "\"fai\""), "at least one case"},
      {STUDY(SMALL("a", 1, 40), ""), "at least one of"},
      {STUDY(SMALL("a", 1, 40), "\"fay\""), "analyses[0]"},
      {STUDY(SMALL("a", 1, 40) "," SMALL("a", 1, 50), "\"fai\""), "cases[1].name"},
      {STUDY("{\"name\":\"a\"}", "\"fai\""), "cases[0]"},
      {STUDY("{\"name\":\"a\",\"shape\":\"knee\"}", "\"fai\""), "cases[0].shape"},
      {STUDY("{\"name\":\"a\",\"shape\":\"hip\",\"parameters\":{\"cee\":1}}", "\"fai\""), "cases[0].parameters.cee"},
      {STUDY("{\"name\":\"a\",\"shape\":\"hip\",\"parameters\":{\"ce\":\"1\"}}", "\"fai\""), "cases[0].parameters.ce"},
      {STUDY("{\"name\":\"a\",\"shape\":\"hip\",\"joint\":\"j\"}", "\"fai\""), "joint"},
      {STUDY("{\"name\":\"a\",\"pelvis\":\"p\"}", "\"fai\""), "femur"},
      {STUDY("{\"name\":\"a\",\"pelvis\":\"p\",\"femur\":\"f\",\"side\":\"up\"}", "\"fai\""), "cases[0].side"},
      {STUDY("{\"name\":\"a\",\"pelvis\":\"p\",\"femur\":\"f\",\"center\":[1,2]}", "\"fai\""), "cases[0].center"},
      {STUDY("{\"name\":\"a\",\"pelvis\":\"\",\"femur\":\"f\"}", "\"fai\""), "cases[0].pelvis"},
      {STUDY("{\"name\":\"a\",\"joint\":7}", "\"fai\""), "cases[0].joint"},
      {STUDY("{\"name\":\"a\",\"joint\":\"j\",\"bone_only\":1}", "\"fai\""), "cases[0].bone_only"},
      {STUDY("{\"name\":\"a\",\"joint\":\"j\",\"__proto__\":1}", "\"fai\""), "__proto__"},
      {STUDY("{\"name\":\"\",\"joint\":\"j\"}", "\"fai\""), "cases[0].name"},
      {STUDY("{\"name\":\"../up\",\"joint\":\"j\"}", "\"fai\""), "cases[0].name"},
      {STUDY("{\"name\":\"..\",\"joint\":\"j\"}", "\"fai\""), "cases[0].name"},
      {STUDY("{\"name\":\"a/b\",\"joint\":\"j\"}", "\"fai\""), "cases[0].name"},
      {STUDY("{\"name\":\"a\\nb\",\"joint\":\"j\"}", "\"fai\""), "cases[0].name"},
      {STUDY("{\"name\":\"study.csv\",\"joint\":\"j\"}", "\"fai\""), "cases[0].name"},
      {STUDY("7", "\"fai\""), "cases[0]"},
      {"{\"synovia_study\":1,\"name\":\"x\",\"cases\":[" SMALL("a", 1, 40) "],\"analyses\":[\"fai\"],\"more\":1}",
       "more"},
      {"{\"synovia_study\":1,\"synovia_study\":1}", "duplicate"},
      {"{\"synovia_study\":1,\"name\":\"x\",\"cases\":[" SMALL("a", 1, 40) "],\"analyses\":[\"fai\"],\"draws\":-1}",
       "draws"},
  };
  syn_error error;
  syn_study *study;
  char path[512];
  snprintf(path, sizeof path, "%s", temporary_path("wrong.json"));
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    write_text_file(path, wrong[i].text);
    ASSERT_FAILS(syn_study_read(NULL, path, NULL, &study, &error), SYN_BAD_FORMAT, wrong[i].part);
    assert_string_equal(error.file, path);
    assert_null(study);
  }
  ASSERT_FAILS(syn_study_read(NULL, temporary_path("not there.json"), NULL, &study, &error), SYN_NOT_FOUND, NULL);
  const syn_read_options forgotten = {0};
  ASSERT_FAILS(syn_study_read(NULL, path, &forgotten, &study, &error), SYN_BAD_ARGUMENT, "syn_default_read_options");
}

/* ---- files that are right ---------------------------------------------------------------------------------------- */

static const char all_kinds[] = STUDY(
    SMALL("made", 10, 40) ",{\"name\":\"filed\",\"joint\":\"sub/joint.json\"},"
                          "{\"name\":\"meshes\",\"pelvis\":\"/abs/p.ply\",\"femur\":\"f.ply\",\"labrum\":\"l.ply\","
                          "\"side\":\"left\",\"center\":[1,2,3],\"landmarks\":\"marks.json\",\"as_scanned\":true,"
                          "\"bone_only\":true,\"transition_zone\":\"zone.ply\"}",
    "\"fai\",\"center\"");

static void cases_of_all_kinds_are_read(void **state) {
  (void)state;
  syn_study *study = open_study(NULL, "kinds.json", all_kinds);
  assert_string_equal(study->name, "small");
  assert_int_equal(study->draws, 2);
  assert_int_equal(study->case_count, 3);
  assert_string_equal(study->cases[1].name, "filed");
  const syn_study_case *made = &study->cases[0], *filed = &study->cases[1], *meshes = &study->cases[2];
  assert_string_equal(made->shape, "hip");
  assert_int_equal(made->value_count, 3);
  assert_string_equal(made->values[1].name, "alpha");
  ASSERT_NEAR(made->values[1].value, 40, 0);
  assert_string_equal(filed->joint, temporary_path("sub/joint.json"));
  assert_string_equal(meshes->parts[SYN_HIP_PELVIS], "/abs/p.ply");
  assert_string_equal(meshes->parts[SYN_HIP_FEMUR], temporary_path("f.ply"));
  assert_null(meshes->parts[SYN_HIP_FEMORAL_CARTILAGE]);
  assert_string_equal(meshes->landmarks, temporary_path("marks.json"));
  assert_true(meshes->as_scanned && !made->as_scanned && !filed->as_scanned);
  assert_true(meshes->bone_only && !made->bone_only && !filed->bone_only);
  assert_non_null(strstr(meshes->parts[SYN_HIP_TRANSITION_ZONE], "zone.ply"));
  assert_true(*meshes->side == SYN_SIDE_LEFT && meshes->center->z == 3);
  for (size_t i = 0; i < SYN_STUDY_ANALYSES; ++i) {
    const char *name = syn_study_analyses[i].name;
    assert_int_equal(syn_study_wants(study, i), strcmp(name, "fai") == 0 || strcmp(name, "center") == 0);
  }
  assert_int_equal(strlen(made->input_sha256), 64);
  assert_int_equal(strlen(filed->input_sha256), 0); /* there is no such file: nothing that is left is good enough */
  syn_study_destroy(study);
  syn_study_destroy(NULL);
}

/* ---- what a result was made from --------------------------------------------------------------------------------- */

/* The fingerprint of the only case. */
static char *fingerprint(const syn_read_options *reading, const char *text, char digits[65]) {
  syn_error error;
  syn_study *study;
  const char *path = temporary_path("print.json");
  write_text_file(path, text);
  ASSERT_OK(syn_study_read(NULL, path, reading, &study, &error));
  memcpy(digits, study->cases[0].input_sha256, 65);
  syn_study_destroy(study);
  return digits;
}

static void whatever_could_change_a_result_changes_its_fingerprint(void **state) {
  (void)state;
  static const char meshes[] =
      STUDY("{\"name\":\"a\",\"pelvis\":\"p.ply\",\"femur\":\"f.ply\",\"landmarks\":\"m.json\"}", "\"rom\"");
  syn_read_options metres = syn_default_read_options();
  metres.scale = 1000;
  char prints[9][65];
  write_text_file(temporary_path("p.ply"), "pelvis");
  write_text_file(temporary_path("f.ply"), "femur");
  write_text_file(temporary_path("m.json"), "{}");
  fingerprint(NULL, STUDY(SMALL("a", 10, 40), "\"rom\""), prints[0]);
  fingerprint(NULL, STUDY(SMALL("b", 10, 40), "\"rom\""), prints[1]);
  fingerprint(NULL, STUDY(SMALL("a", 10, 41), "\"rom\""), prints[2]);
  fingerprint(NULL, STUDY(SMALL("a", 10, 40), "\"fai\""), prints[3]);
  fingerprint(&metres, STUDY(SMALL("a", 10, 40), "\"rom\""), prints[4]);
  fingerprint(NULL, meshes, prints[5]);
  write_text_file(temporary_path("f.ply"), "femur of somebody else");
  fingerprint(NULL, meshes, prints[6]);
  write_text_file(temporary_path("m.json"), "{ }");
  fingerprint(NULL, meshes, prints[7]);
  unlink(temporary_path("p.ply"));
  fingerprint(NULL, meshes, prints[8]);
  assert_string_equal(prints[8], "");
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < i; ++j) assert_string_not_equal(prints[i], prints[j]);
  /* the order of keys and of analyses is none of it */
  char again[65];
  fingerprint(NULL,
              STUDY("{\"parameters\":{\"resolution\":2,\"alpha\":40,\"ce\":10},\"shape\":\"hip\",\"name\":\"a\"}",
                    "\"rom\",\"rom\""),
              again);
  assert_string_equal(again, prints[0]);
}

/* A joint file stands for its meshes as well. */
static void a_mesh_of_a_joint_file_counts(void **state) {
  (void)state;
  static const char text[] = STUDY("{\"name\":\"a\",\"joint\":\"joint.json\"}", "\"rom\"");
  char before[65], after[65];
  write_text_file(temporary_path("joint.json"),
                  "{\"synovia\":1,\"name\":\"j\",\"bodies\":[{\"name\":\"femur\",\"mesh\":\"bone.ply\",\"tissue\":"
                  "\"bone\",\"moves\":true}]}");
  write_text_file(temporary_path("bone.ply"), "bone");
  fingerprint(NULL, text, before);
  assert_int_equal(strlen(before), 64);
  write_text_file(temporary_path("bone.ply"), "bones");
  fingerprint(NULL, text, after);
  assert_int_equal(strlen(after), 64);
  assert_string_not_equal(before, after);
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

static syn_status open_and_close(const syn_context *context, void *user, syn_error *error) {
  syn_study *study;
  SYN_TRY(syn_study_read(context, user, NULL, &study, error));
  syn_study_destroy(study);
  return SYN_OK;
}

static void every_refused_allocation_is_survived(void **state) {
  (void)state;
  char path[512];
  snprintf(path, sizeof path, "%s", temporary_path("kinds.json"));
  write_text_file(path, all_kinds);
  check_every_allocation(open_and_close, path);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(wrong_files_are_reported_by_key_and_place),
      cmocka_unit_test(cases_of_all_kinds_are_read),
      cmocka_unit_test(whatever_could_change_a_result_changes_its_fingerprint),
      cmocka_unit_test(a_mesh_of_a_joint_file_counts),
      cmocka_unit_test(every_refused_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
