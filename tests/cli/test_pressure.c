// test: slow
/* synovia pressure: its answers, its files, loads of every kind, and a run that ends early. */
#include "program.h"
#include "title.h"

static const char *joint_file(void) {
  static char joint[512];
  const char *folder = temporary_path("hip");
  program_run run = run_synovia("shape", "hip", "--resolution", "2", "-o", folder, NULL);
  assert_int_equal(run.code, 0);
  end_run(&run);
  snprintf(joint, sizeof joint, "%s/joint.json", folder);
  return joint;
}

static double step_number(json_t *answer, size_t step, const char *key) {
  return json_number_value(json_object_get(json_array_get(json_at(answer, "result.steps"), step), key));
}

/* JSON, the table and the page say the same. */
static void the_whole_motion_is_written(void **state) {
  char path[512];
  size_t size;
  (void)state;
  const char *joint = joint_file(), *out = temporary_path("out");
  json_t *answer =
      run_json(0, "pressure", joint, "--load", "1714.2975", "--steps", "4", "--title", "Case 7", "-o", out, NULL);
  assert_int_equal(json_array_size(json_at(answer, "result.steps")), 5);
  double peak = 0;
  for (size_t i = 0; i < 5; ++i) {
    ASSERT_NEAR(step_number(answer, i, "force_n"), 1714.2975, 1714.2975e-3);
    ASSERT_NEAR(step_number(answer, i, "load_n"), 1714.2975, 1e-6);
    peak = fmax(peak, step_number(answer, i, "peak_mpa"));
  }
  ASSERT_NEAR(json_number_at(answer, "result.peak_mpa"), peak, 0);
  assert_true(json_number_at(answer, "result.area_mm2") > 100);
  assert_int_equal(json_array_size(json_at(answer, "result.center_of_pressure")), 3);
  assert_int_equal(json_array_size(json_at(answer, "result.regions")), 3);
  assert_true(json_is_true(json_at(answer, "result.complete")));
  /* report.html, steps.csv, two lists with five steps each, result.json */
  assert_int_equal(json_array_size(json_at(answer, "result.files")), 15);
  for (size_t i = 0; i < 15; ++i)
    assert_carries_title(json_string_value(json_array_get(json_at(answer, "result.files"), i)), "Case 7");
  snprintf(path, sizeof path, "%s/steps.csv", out);
  char *table = read_whole_file(path, &size);
  assert_contains(table, "at,time_s,flexion_deg,adduction_deg,rotation_deg,load_n,peak_mpa,mean_mpa,area_mm2,force_n");
  assert_contains(table, "labrum_peak_mpa");
  free(table);
  snprintf(path, sizeof path, "%s/socket_0002.vtu", out);
  json_t *surface = run_json(0, "mesh", "info", path, NULL);
  assert_true(json_number_at(surface, "result.triangles") > 100);
  json_decref(surface);
  json_decref(answer);
}

/* Twice the load on the same spots of a linear foundation is nearly twice the pressure. */
static void loads_by_name_file_and_number(void **state) {
  (void)state;
  const char *joint = joint_file(), *table = temporary_path("gait.csv"), *one = temporary_path("one.xml");
  json_t *light = run_json(0, "pressure", joint, "--load", "walking", "--body-weight", "500", NULL);
  json_t *heavy = run_json(0, "pressure", joint, "--load", "walking", "--body-weight", "1000", NULL);
  ASSERT_NEAR(json_number_at(light, "result.force_n"), 2.46475 * 500, 0.2);
  ASSERT_NEAR(json_number_at(heavy, "result.force_n"), 2.46475 * 1000, 0.4);
  assert_true(json_number_at(heavy, "result.peak_mpa") > 1.3 * json_number_at(light, "result.peak_mpa"));
  write_text_file(table,
                  "time,flexion,adduction,rotation,fx_bw,fy_bw,fz_bw\n0,20,0,0,68,-24,-236\n0.5,-5,0,0,68,-24,-236\n");
  write_text_file(one, "<struct><Weight_N>1000</Weight_N><HJF_pBW>67.7</HJF_pBW><HJF_pBW>-23.62</HJF_pBW>"
                       "<HJF_pBW>-235.82</HJF_pBW></struct>");
  json_t *rows = run_json(0, "pressure", joint, "--load", table, NULL);
  assert_int_equal(json_array_size(json_at(rows, "result.steps")), 2);
  ASSERT_NEAR(step_number(rows, 0, "flexion_deg"), 20, 1e-6);
  json_t *patient = run_json(0, "pressure", joint, "--load", one, NULL);
  ASSERT_NEAR(json_number_at(patient, "result.peak_mpa"), json_number_at(heavy, "result.peak_mpa"), 1e-6);
  json_decref(light);
  json_decref(heavy);
  json_decref(rows);
  json_decref(patient);
}

/* The first row presses the head into the socket, the second one pulls it out. */
static void a_run_that_ends_early_writes_what_it_has(void **state) {
  char path[512];
  size_t size;
  (void)state;
  const char *joint = joint_file(), *table = temporary_path("out.csv"), *out = temporary_path("early");
  write_text_file(table, "time,flexion,adduction,rotation,fx_n,fy_n,fz_n\n0,0,0,0,300,0,-1500\n1,0,0,0,-300,0,1500\n");
  program_run run = run_synovia("pressure", joint, "--load", table, "-o", out, NULL);
  assert_int_equal(run.code, 4);
  assert_contains(run.err, "points out of the socket");
  end_run(&run);
  snprintf(path, sizeof path, "%s/result.json", out);
  char *result = read_whole_file(path, &size);
  json_t *answer = json_loads(result, 0, NULL);
  free(result);
  assert_int_equal(json_array_size(json_at(answer, "result.steps")), 1);
  assert_true(json_is_false(json_at(answer, "result.complete")));
  assert_contains(json_string_value(json_at(answer, "result.stopped")), "points out of the socket");
  json_decref(answer);
}

/* Both methods on the same layers: the same balance, and pressures of the same size. */
static void finite_elements_beside_the_foundation(void **state) {
  char path[512];
  size_t size;
  (void)state;
  const char *joint = joint_file(), *out = temporary_path("beside");
  json_t *answer = run_json(0, "pressure", joint, "--method", "fem", "--load", "standing", "--edge", "5", "--layers",
                            "1", "--beside", "-o", out, NULL);
  const double load = step_number(answer, 0, "load_n");
  ASSERT_NEAR(step_number(answer, 0, "force_n"), load, 1e-3 * load);
  assert_true(json_number_at(answer, "result.von_mises_mpa") > 0);
  ASSERT_NEAR(json_number_at(answer, "result.foundation_peak_mpa") / json_number_at(answer, "result.peak_mpa"), 1,
              0.25);
  snprintf(path, sizeof path, "%s/report.html", out);
  char *page = read_whole_file(path, &size);
  assert_contains(page, "Foundation less finite elements");
  assert_contains(page, "Peak by foundation");
  free(page);
  json_decref(answer);
}

/* Results as CalculiX would write them had nothing moved. */
static void write_still_results(const char *input, const char *results) {
  char line[256];
  unsigned node;
  double x, y, z;
  FILE *from = fopen(input, "r"), *to = fopen(results, "w");
  assert_true(from && to);
  fprintf(to, "    2C\n");
  while (fgets(line, sizeof line, from) && strncmp(line, "*ELEMENT", 8) != 0)
    if (sscanf(line, "%u,%lf,%lf,%lf", &node, &x, &y, &z) == 4)
      fprintf(to, " -1%10u%12.5E%12.5E%12.5E\n", node, x, y, z);
  fprintf(to, " -3\n -4  DISP        4    1\n");
  for (unsigned i = 1; i < node; ++i) fprintf(to, " -1%10u%12.5E%12.5E%12.5E\n", i, 0.0, 0.0, 0.0);
  fprintf(to, " -3\n -4  CONTACT     6    1\n -1%10u%12.5E%12.5E%12.5E%12.5E\n -3\n", 1, 0.0, 0.0, 0.0, 0.0);
  fclose(from);
  fclose(to);
}

static void the_problem_goes_to_other_programs_and_back(void **state) {
  char input[512], febio[512], results[512], path[600];
  size_t size;
  (void)state;
  const char *joint = joint_file();
  snprintf(input, sizeof input, "%s", temporary_path("hip.inp"));
  snprintf(febio, sizeof febio, "%s", temporary_path("hip.feb"));
  snprintf(results, sizeof results, "%s", temporary_path("hip.frd"));
  json_decref(run_json(0, "pressure", joint, "--method", "fem", "--load", "standing", "--edge", "5", "--layers", "1",
                       "--problem", input, NULL));
  write_still_results(input, results);
  const char *out = temporary_path("compared");
  json_t *answer = run_json(0, "pressure", joint, "--method", "fem", "--load", "standing", "--edge", "5", "--layers",
                            "1", "--problem", febio, "--compare", results, "-o", out, NULL);
  ASSERT_NEAR(json_number_at(answer, "result.comparison.pressure_apart_mpa"), json_number_at(answer, "result.peak_mpa"),
              1e-9);
  ASSERT_NEAR(json_number_at(answer, "result.comparison.displacement_apart_mm"),
              json_number_at(answer, "result.comparison.displacement_mm"), 1e-9);
  json_decref(answer);
  char *text = read_whole_file(febio, &size);
  assert_contains(text, "<febio_spec version=\"4.0\">");
  free(text);
  snprintf(path, sizeof path, "%s/report.html", out);
  text = read_whole_file(path, &size);
  assert_contains(text, "Beside CalculiX");
  assert_null(strstr(text, "Peak by foundation")); /* no column without values */
  free(text);
  program_run run = run_synovia("pressure", joint, "--method", "fem", "--load", "standing", "--edge", "5", "--layers",
                                "1", "--problem", temporary_path("hip.abc"), NULL);
  assert_int_equal(run.code, 2);
  assert_contains(run.err, "must end in .inp");
  end_run(&run);
}

static void wrong_words_are_refused(void **state) {
  (void)state;
  const char *joint = joint_file();
  program_run run = run_synovia("pressure", joint, "--load", "walkin", NULL);
  assert_int_equal(run.code, 2);
  assert_contains(run.err, "Did you mean 'walking'?");
  end_run(&run);
  run = run_synovia("pressure", joint, "--problem", temporary_path("hip.feb"), NULL);
  assert_int_equal(run.code, 2);
  assert_contains(run.err, "--problem is for --method fem");
  end_run(&run);
  run = run_synovia("pressure", joint, "--method", "guess", NULL);
  assert_int_equal(run.code, 2);
  end_run(&run);
  run = run_synovia("pressure", joint, "--load", "-5", NULL);
  assert_int_equal(run.code, 2);
  end_run(&run);
  static const struct {
    const char *option, *value, *says;
    int code;
  } refused[] = {{"--load", "1e308", "at most", 2},
                 {"--load", "/dev/zero", "device", 3},
                 {"--steps", "10001", "between 1 and 10000", 2},
                 {"--direction", "0,0,0", "--direction", 2},
                 {"--direction", "1e300,1e300,0", "--direction", 2},
                 {"--model", "x.json", "--method estimate", 2},
                 {"--beside", "--quiet", "--method fem", 2},
                 {"--method=fem", "--problem=mine.xyz", "--problem mine.xyz must end in .inp", 2}};
  for (size_t i = 0; i < sizeof refused / sizeof *refused; ++i) {
    run = run_synovia("pressure", joint, refused[i].option, refused[i].value, NULL);
    assert_int_equal(run.code, refused[i].code);
    assert_contains(run.err, refused[i].says);
    end_run(&run);
  }
  run = run_synovia("pressure", joint, "--center", "0,0,50", NULL);
  assert_int_equal(run.code, 4);
  assert_null(strstr(run.err, "nan"));
  end_run(&run);
}

/* Every real hip finds its balance, at every step. */
static void real_hips_are_in_balance(void **state) {
  (void)state;
  REQUIRE_DATA(pelvis, "vsd_NC/z013/Hip_R.ply");
  REQUIRE_DATA(femur, "vsd_NC/z013/Femur_R.ply");
  json_t *answer = run_json(0, "pressure", pelvis, femur, "--steps", "6", NULL);
  assert_true(json_is_true(json_at(answer, "result.cartilage_assumed")));
  assert_true(json_is_true(json_at(answer, "result.complete")));
  assert_true(json_number_at(answer, "result.peak_mpa") > 1 && json_number_at(answer, "result.peak_mpa") < 15);
  for (size_t i = 0; i < 7; ++i)
    ASSERT_NEAR(step_number(answer, i, "force_n"), step_number(answer, i, "load_n"),
                1e-3 * step_number(answer, i, "load_n"));
  json_decref(answer);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_whole_motion_is_written),
                                     cmocka_unit_test(loads_by_name_file_and_number),
                                     cmocka_unit_test(a_run_that_ends_early_writes_what_it_has),
                                     cmocka_unit_test(finite_elements_beside_the_foundation),
                                     cmocka_unit_test(the_problem_goes_to_other_programs_and_back),
                                     cmocka_unit_test(wrong_words_are_refused),
                                     cmocka_unit_test(real_hips_are_in_balance)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
