/* The command haptics. How fast it is here is not looked at. */
#include "program.h"
#include "tissue/haptics/haptics_scene.h"

static const char *const keys[] = {"rate_hz",           "late",     "p999_us",       "force_n",
                                   "periods",           "frames",   "simulation_hz", "has_priority",
                                   "has_locked_memory", "left_off", "computing",     "waking"};

static void a_built_in_scene_runs(void **state) {
  (void)state;
  const char *folder = temporary_path("felt");
  program_run run = run_synovia("haptics", "thigh", "--seconds", "0.2", "-o", folder, "--json", NULL);
  assert_int_equal(run.code, 0);
  json_t *answer = json_loads(run.out, 0, NULL), *result = json_object_get(answer, "result");
  for (size_t i = 0; i < sizeof keys / sizeof *keys; ++i)
    if (!json_object_get(result, keys[i])) fail_msg("'%s' is missing", keys[i]);
  assert_string_equal(json_string_value(json_object_get(result, "device")), "push");
  assert_int_equal(json_integer_value(json_object_get(result, "nodes")), 260);
  json_decref(answer);
  end_run(&run);
  static const char *const files[] = {"force.csv",         "force.svg",   "image-rest.pgm",
                                      "image-pressed.pgm", "report.html", "result.json"};
  for (size_t i = 0; i < sizeof files / sizeof *files; ++i) {
    char path[4096];
    size_t size;
    snprintf(path, sizeof path, "%s/%s", folder, files[i]);
    free(read_whole_file(path, &size));
    assert_true(size > 0);
  }
}

static void scenes_are_listed(void **state) {
  (void)state;
  program_run run = run_synovia("haptics", "--list", NULL);
  assert_int_equal(run.code, 0);
  for (size_t i = 0; i < syn_haptics_scene_count(); ++i) assert_contains(run.out, syn_haptics_scene_at(i).name);
  end_run(&run);
}

/* The trajectory ends after a twentieth of a second, whatever --seconds is. */
static void a_trajectory_moves_the_probe(void **state) {
  (void)state;
  const char *path = temporary_path("way.csv");
  write_text_file(path, "time,x,y,z\n0,14.4,0,102\n0.05,14.4,0,98\n");
  program_run run = run_synovia("haptics", "thigh", "--trajectory", path, "--seconds", "600", "--json", NULL);
  assert_int_equal(run.code, 0);
  json_t *answer = json_loads(run.out, 0, NULL), *result = json_object_get(answer, "result");
  assert_string_equal(json_string_value(json_object_get(result, "device")), "trajectory");
  assert_true(json_integer_value(json_object_get(result, "periods")) <= 51);
  json_decref(answer);
  end_run(&run);
}

static void mistakes_are_explained(void **state) {
  (void)state;
  static const struct {
    const char *words[4], *said;
    int code;
  } wrong[] = {{{NULL}, "name a scene", 2},
               {{"no-such-scene"}, "no-such-scene", 3},
               {{"thigh", "--seconds", "0"}, "seconds", 2},
               {{"thigh", "--trajectory", "no-such.csv"}, "no-such.csv", 3},
               {{"thigh", "--udp", "70000"}, "udp", 2}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    program_run run = run_synovia("haptics", wrong[i].words[0], wrong[i].words[1], wrong[i].words[2], NULL);
    assert_int_equal(run.code, wrong[i].code);
    assert_contains(run.err, wrong[i].said);
    end_run(&run);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_built_in_scene_runs),
      cmocka_unit_test(scenes_are_listed),
      cmocka_unit_test(a_trajectory_moves_the_probe),
      cmocka_unit_test(mistakes_are_explained),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
