#include "program.h"

static const char *const contract_commands[] = {
    "demo",          "hip",     "shape",  "mesh info", "mesh convert", "mesh repair", "mesh tet",  "collide",
    "distance",      "rom",     "center", "measure",   "fai",          "pressure",    "simulate",  "surgery resect",
    "surgery graft", "haptics", "study",  "view",      "bench",        "help",        "congruity", "surgery osteotomy"};

/* Does the help list the command at the start of a line? */
static bool lists(const char *help, const char *command) {
  char line[64];
  snprintf(line, sizeof line, "\n  %s ", command);
  return strstr(help, line) != NULL;
}

static void help_lists_every_command(void **state) {
  (void)state;
  program_run run = run_synovia("help", NULL);
  assert_int_equal(run.code, 0);
  assert_string_equal(run.err, "");
  for (size_t i = 0; i < sizeof contract_commands / sizeof *contract_commands; ++i)
    if (!lists(run.out, contract_commands[i])) fail_msg("'%s' is not listed", contract_commands[i]);
  program_run option = run_synovia("--help", NULL);
  assert_string_equal(run.out, option.out);
  end_run(&option);
  end_run(&run);
}

/* Splits "mesh info" into two words. */
static void split(const char *command, char first[32], char second[32]) {
  const size_t length = strcspn(command, " ");
  snprintf(first, 32, "%.*s", (int)length, command);
  snprintf(second, 32, "%s", command[length] ? command + length + 1 : "");
}

static void help_and_the_option_agree_for_every_command(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof contract_commands / sizeof *contract_commands; ++i) {
    char first[32], second[32];
    split(contract_commands[i], first, second);
    program_run by_command = run_synovia("help", first, second[0] ? second : NULL, NULL);
    program_run by_option = run_synovia(first, second[0] ? second : "--help", second[0] ? "--help" : NULL, NULL);
    assert_int_equal(by_command.code, 0);
    assert_int_equal(by_option.code, 0);
    assert_string_equal(by_command.out, by_option.out);
    assert_contains(by_command.out, "usage: synovia");
    assert_contains(by_command.out, contract_commands[i]);
    end_run(&by_command);
    end_run(&by_option);
  }
}

static void every_shape_has_help_of_its_own(void **state) {
  (void)state;
  for (size_t i = 0; i < SYN_SHAPES; ++i) {
    const syn_shape_info *info = syn_shapes[i];
    program_run run = run_synovia("shape", info->name, "--help", NULL),
                same = run_synovia("help", "shape", info->name, NULL);
    assert_int_equal(run.code, 0);
    assert_string_equal(run.out, same.out);
    for (size_t k = 0; k < info->parameter_count; ++k) {
      char option[64];
      snprintf(option, sizeof option, "\n  --%s ", info->parameters[k].name);
      assert_contains(run.out, option);
      const char *first = strstr(run.out, option); /* no parameter hides an option of the same name */
      assert_null(strstr(first + 1, option));
    }
    end_run(&run);
    end_run(&same);
  }
}

static void nothing_at_all_gives_a_hint(void **state) {
  (void)state;
  program_run run = run_synovia(NULL, NULL);
  assert_int_equal(run.code, 2);
  assert_string_equal(run.out, "");
  assert_contains(run.err, "synovia help");
  end_run(&run);
}

static void the_version_is_told(void **state) {
  (void)state;
  program_run run = run_synovia("--version", NULL);
  char expected[64];
  snprintf(expected, sizeof expected, "synovia %s\n", syn_version());
  assert_int_equal(run.code, 0);
  assert_string_equal(run.out, expected);
  end_run(&run);
  json_t *answer = run_json(0, "--version", NULL);
  assert_string_equal(json_string_value(json_at(answer, "result.version")), syn_version());
  json_decref(answer);
}

static void the_version_is_a_command_too(void **state) {
  (void)state;
  json_t *answer = run_json(0, "version", NULL);
  assert_string_equal(json_string_value(json_at(answer, "result.version")), syn_version());
  json_decref(answer);
}

/* A letter of several bytes takes one column. */
static void descriptions_stand_in_one_column(void **state) {
  (void)state;
  program_run run = run_synovia("help", "rom", NULL);
  assert_contains(run.out, "  --motion NAME…            only these");
  end_run(&run);
}

/* Nobody should have to give a wrong name to learn the right ones. */
static void names_that_an_option_takes_are_listed(void **state) {
  (void)state;
  program_run run = run_synovia("help", "congruity", NULL);
  assert_contains(run.out, "one of\n                            flexion-extension, abduction-adduction,");
  end_run(&run);
  run = run_synovia("help", "surgery", "ligament-rom", NULL);
  assert_contains(run.out,
                  "pubofemoral, ischiofemoral,\n                            teres, transverse, capsule (default");
  assert_contains(run.out, "peak, middle, mean (default peak)");
  end_run(&run);
}

static void groups_list_their_commands(void **state) {
  (void)state;
  program_run run = run_synovia("mesh", "--help", NULL);
  assert_int_equal(run.code, 0);
  assert_true(lists(run.out, "mesh info") && lists(run.out, "mesh tet"));
  end_run(&run);
  run = run_synovia("mesh", NULL);
  assert_int_equal(run.code, 2);
  assert_contains(run.err, "synovia mesh --help");
  end_run(&run);
}

static void help_as_json_is_one_object(void **state) {
  (void)state;
  json_t *answer = run_json(0, "help", "mesh", "info", NULL);
  assert_contains(json_string_value(json_at(answer, "result.text")), "usage: synovia mesh info FILE");
  json_decref(answer);
  answer = run_json(0, "pressure", "--help", NULL);
  assert_contains(json_string_value(json_at(answer, "result.text")), "usage: synovia pressure JOINT");
  json_decref(answer);
  answer = run_json(2, "help", "mehs", NULL);
  assert_contains(json_string_value(json_at(answer, "error.message")), "no command 'mehs'");
  json_decref(answer);
}

static void the_manual_page_has_every_command_and_option(void **state) {
  (void)state;
  program_run run = run_synovia("help", "--man", NULL);
  assert_int_equal(run.code, 0);
  assert_contains(run.out, ".TH SYNOVIA 1");
  assert_contains(run.out, ".SH NAME\nsynovia \\- contact");
  for (size_t i = 0; i < sizeof contract_commands / sizeof *contract_commands; ++i) {
    char heading[64];
    snprintf(heading, sizeof heading, ".SS %s\n", contract_commands[i]);
    assert_contains(run.out, heading);
  }
  assert_contains(run.out, "\\-\\-no\\-self\\-intersections");
  assert_contains(run.out, "\\-\\-neck\\-shaft DEG");
  end_run(&run);
}

/* Runs bash on the script with a command line and compares the words it offers. */
static void check_completion(const char *script, const char *words, int at, const char *expected) {
  char command[2048], reply[4096] = "";
  snprintf(command, sizeof command,
           "bash --norc -c 'source %s; COMP_WORDS=(%s); COMP_CWORD=%d; _synovia; echo \" ${COMPREPLY[*]} \"'", script,
           words, at);
  FILE *pipe = popen(command, "r");
  assert_non_null(pipe);
  if (!fgets(reply, sizeof reply, pipe)) reply[0] = 0;
  assert_int_equal(pclose(pipe), 0);
  assert_contains(reply, expected);
}

static void bash_completes_commands_options_and_values(void **state) {
  (void)state;
  program_run run = run_synovia("help", "--bash-completion", NULL);
  assert_int_equal(run.code, 0);
  const char *script = temporary_path("synovia.bash");
  write_text_file(script, run.out);
  end_run(&run);
  check_completion(script, "synovia me", 1, " mesh measure ");
  check_completion(script, "synovia mesh in", 2, " info ");
  check_completion(script, "synovia mesh repair in out --w", 5, " --weld ");
  check_completion(script, "synovia shape h", 2, " hip ");
  check_completion(script, "synovia shape hip --al", 3, " --alpha ");
  check_completion(script, "synovia shape hip --fo", 3, " --format ");
  check_completion(script, "synovia mesh info --units m", 4, " mm m ");
  check_completion(script, "synovia mesh info --units c", 4, " cm ");
  check_completion(script, "synovia collide --method prox", 3, " proximity proximity-walk ");
  check_completion(script, "synovia skeleton leg.json --method cy", 4, " cylindrical ");
  check_completion(script, "synovia pressure hip --method f", 4, " fem foundation ");
  check_completion(script, "synovia collide --convex-algorithm g", 3, " gjk ");
  check_completion(script, "synovia demo --o", 2, " --out ");
  check_completion(script, "synovia help pre", 2, " pressure ");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(help_lists_every_command),
      cmocka_unit_test(help_and_the_option_agree_for_every_command),
      cmocka_unit_test(every_shape_has_help_of_its_own),
      cmocka_unit_test(nothing_at_all_gives_a_hint),
      cmocka_unit_test(the_version_is_told),
      cmocka_unit_test(the_version_is_a_command_too),
      cmocka_unit_test(descriptions_stand_in_one_column),
      cmocka_unit_test(names_that_an_option_takes_are_listed),
      cmocka_unit_test(groups_list_their_commands),
      cmocka_unit_test(help_as_json_is_one_object),
      cmocka_unit_test(the_manual_page_has_every_command_and_option),
      cmocka_unit_test(bash_completes_commands_options_and_values),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
