#include "program.h"

/* Words, the exit code, and what the message must say. */
typedef struct mistake {
  const char *words[8];
  int code;
  const char *says;
} mistake;

static program_run run_mistake(const mistake *m, bool json) {
  const char *w[9] = {0};
  size_t count = 0;
  for (; m->words[count]; ++count) w[count] = m->words[count];
  if (json) w[count] = "--json";
  return run_synovia(w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8], NULL);
}

static const mistake mistakes[] = {
    {{"rmo"}, 2, "there is no command 'rmo'. Did you mean 'rom'?"},
    {{"zzzzzz"}, 2, "there is no command 'zzzzzz'. `synovia help`"},
    {{"mesh", "inof", "x.ply"}, 2, "Did you mean 'mesh info'?"},
    {{"mesh"}, 2, "say what to do"},
    {{"--threads", "2"}, 2, "the command comes first"},
    {{"mesh", "info"}, 2, "one argument is missing; usage: synovia mesh info FILE"},
    {{"mesh", "convert"}, 2, "arguments are missing"},
    {{"mesh", "info", "a.ply", "b.ply"}, 2, "'b.ply' is one argument too many"},
    {{"mesh", "info", "a.ply", "--thread", "2"}, 2, "no option '--thread' here. Did you mean '--threads'?"},
    {{"mesh", "info", "a.ply", "--no-self-intersection"}, 2, "Did you mean '--no-self-intersections'?"},
    {{"mesh", "info", "a.ply", "--zebra"}, 2, "no option '--zebra' here"},
    {{"mesh", "info", "a.ply", "-x"}, 2, "no option '-x' here"},
    {{"mesh", "info", "a.ply", "--threads"}, 2, "--threads needs a value: N"},
    {{"mesh", "info", "a.ply", "--threads", "0"}, 2, "--threads must lie between 1 and 1024"},
    {{"mesh", "info", "a.ply", "--threads=-1"}, 2, "--threads must lie between"},
    {{"mesh", "info", "a.ply", "--threads", "1.5"}, 2, "--threads takes a whole number"},
    {{"mesh", "info", "a.ply", "--threads", "many"}, 2, "--threads takes a whole number, not 'many'"},
    {{"mesh", "info", "a.ply", "--threads", "nan"}, 2, "--threads takes a whole number"},
    {{"mesh", "info", "a.ply", "--threads", "2x"}, 2, "--threads takes a bare whole number"},
    {{"mesh", "info", "a.ply", "--threads=1", "--threads=1"}, 2, "--threads is given twice"},
    {{"mesh", "info", "a.ply", "--threads="}, 2, "--threads needs a value"},
    {{"mesh", "info", "a.ply", "--units", "inch"}, 2, "--units takes one of mm|cm|m|in, not 'inch'"},
    {{"mesh", "info", "a.ply", "--quiet=1"}, 2, "--quiet takes no value"},
    {{"mesh", "tet", "a.ply", "b.vtu", "--edge", "2deg"}, 2, "--edge counts in mm: '2deg' has another unit"},
    {{"mesh", "tet", "a.ply", "b.vtu", "--edge", "1,5"}, 2, "with a decimal point, not '1,5': write 1.5"},
    {{"mesh", "tet", "a.ply", "b.vtu", "--edge", "x"}, 2, "--edge takes a number in mm, not 'x'"},
    {{"mesh", "tet", "a.ply", "b.stl"}, 2, "a file of tetrahedra ends in"},
    {{"mesh", "decimate", "a.ply", "b.ply"}, 2, "--triangles N is needed"},
    {{"mesh", "convert", "a.ply", "b.ply", "--format", "doc"},
     2,
     "'doc' is not a format that can be written; there are"},
    {{"mesh", "info", "no/such/file.ply"}, 3, "cannot open"},
    {{"shape", "spheer", "-o", "x"}, 2, "there is no shape 'spheer'. Did you mean 'sphere'?"},
    {{"shape", "sphere"}, 2, "-o DIR is needed"},
    {{"shape", "sphere", "--radius", "-1", "-o", "x"}, 2, "--radius must lie between"},
    {{"shape", "sphere", "--level", "2.5", "-o", "x"}, 2, "--level takes a whole number"},
    {{"shape", "sphere", "--radios", "1", "-o", "x"}, 2, "Did you mean '--radius'?"},
    {{"shape", "sphere", "-o", "x", "--format", "doc"}, 2, "'doc' is not a format"},
    {{"shape", "sphere", "-o", "/dev/null/x"}, 5, "cannot make the folder"},
    {{"demo", "-o", "/dev/null/x"}, 5, "cannot make the folder"},
    {{"hip", "a.ply", "b.ply", "--motion", "squat"}, 2, "no option '--motion' here. These have it: rom, center"},
    {{"demo", "extra"}, 2, "'extra' is one argument too many"},
};

static void every_mistake_is_explained(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; ++i) {
    program_run run = run_mistake(&mistakes[i], false);
    if (run.code != mistakes[i].code) fail_msg("exit code %d: %s", run.code, run.err);
    assert_string_equal(run.out, "");
    assert_contains(run.err, mistakes[i].says);
    assert_true(strncmp(run.err, "synovia", 7) == 0);
    end_run(&run);
  }
}

static void with_json_every_mistake_is_one_object(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; ++i) {
    if (mistakes[i].words[7]) continue;
    /* an option that waits for its value would take --json for it */
    program_run run = run_mistake(&mistakes[i], true);
    if (run.code != mistakes[i].code) fail_msg("exit code %d: %s", run.code, run.out);
    json_t *answer = json_loads(run.out, 0, NULL);
    if (!json_is_object(answer)) fail_msg("not one object: %s", run.out);
    assert_contains(json_string_value(json_at(answer, "error.message")), mistakes[i].says);
    json_at(answer, "error.code");
    json_at(answer, "error.file");
    json_at(answer, "error.line");
    json_at(answer, "error.byte");
    assert_null(json_object_get(answer, "result"));
    json_decref(answer);
    end_run(&run);
  }
}

static void files_without_a_command_are_sent_to_one(void **state) {
  (void)state;
  const char *pelvis = temporary_path("pelvis.stl"), *femur = temporary_path("femur.stl"),
             *joint = temporary_path("joint.json");
  write_text_file(pelvis, "solid\n");
  write_text_file(femur, "solid\n");
  write_text_file(joint, "{}");
  char wanted[1024];
  program_run two = run_synovia(pelvis, femur, NULL), one = run_synovia(pelvis, NULL), json = run_synovia(joint, NULL);
  snprintf(wanted, sizeof wanted, "`synovia hip %.60s %.60s`", pelvis, femur);
  assert_contains(two.err, wanted);
  snprintf(wanted, sizeof wanted, "`synovia mesh info %.60s`", pelvis);
  assert_contains(one.err, wanted);
  snprintf(wanted, sizeof wanted, "`synovia rom %.60s`", joint);
  assert_contains(json.err, wanted);
  assert_true(two.code == 2 && one.code == 2 && json.code == 2);
  end_run(&two);
  end_run(&one);
  end_run(&json);
}

static void a_degree_sign_is_a_unit(void **state) {
  (void)state;
  const char *out = temporary_path("degrees");
  program_run run = run_synovia("shape", "hip", "--resolution", "4", "--alpha", "60\u00b0", "-o", out, "-q", NULL);
  if (run.code != 0) fail_msg("%s", run.err);
  end_run(&run);
}

static void errors_of_files_name_the_place(void **state) {
  (void)state;
  const char *path = temporary_path("broken.obj");
  write_text_file(path, "v 0 0 0\nv 1 0 0\nv x 1 0\nf 1 2 3\n");
  json_t *answer = run_json(3, "mesh", "info", path, NULL);
  assert_string_equal(json_string_value(json_at(answer, "error.file")), path);
  assert_int_equal(json_integer_value(json_at(answer, "error.line")), 3);
  assert_string_equal(json_string_value(json_at(answer, "error.code")), "bad format");
  assert_string_equal(json_string_value(json_at(answer, "command")), "mesh info");
  json_decref(answer);
}

static void two_dashes_end_the_options(void **state) {
  (void)state;
  program_run run = run_synovia("mesh", "info", "--", "--json", NULL);
  assert_int_equal(run.code, 3); /* a file named --json that is not there */
  assert_string_equal(run.out, "");
  assert_contains(run.err, "--json");
  end_run(&run);
}

static void names_that_are_not_utf8_still_give_json(void **state) {
  (void)state;
  json_t *answer = run_json(3, "mesh", "info", "caf\xe9.ply", NULL);
  assert_string_equal(json_string_value(json_at(answer, "error.file")), "caf?.ply");
  json_decref(answer);
  answer = run_json(2, "caf\xe9", NULL);
  json_decref(answer);
}

static void a_full_disk_is_noticed(void **state) {
  (void)state;
  assert_int_equal(WEXITSTATUS(system("'" SYN_PROGRAM "' help > /dev/full 2> /dev/null")), 5);
}

static void quiet_says_nothing(void **state) {
  (void)state;
  const char *folder = temporary_path("quiet");
  program_run run = run_synovia("shape", "sphere", "--level", "1", "-o", folder, "--quiet", NULL);
  assert_int_equal(run.code, 0);
  assert_string_equal(run.out, "");
  assert_string_equal(run.err, "");
  end_run(&run);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_mistake_is_explained),
      cmocka_unit_test(with_json_every_mistake_is_one_object),
      cmocka_unit_test(files_without_a_command_are_sent_to_one),
      cmocka_unit_test(a_degree_sign_is_a_unit),
      cmocka_unit_test(errors_of_files_name_the_place),
      cmocka_unit_test(two_dashes_end_the_options),
      cmocka_unit_test(names_that_are_not_utf8_still_give_json),
      cmocka_unit_test(a_full_disk_is_noticed),
      cmocka_unit_test(quiet_says_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
