// test: early
/* Columns and values against a flattening of the JSON by brute force, which knows nothing of the tables of results. */
#include "studies.h"

#include "base/status.h"
#include "study/study_summary.h"

/* ---- the twin ---------------------------------------------------------------------------------------------------- */

/* Parts of a result that say how a number came about, or that are no single number. */
static bool is_background(const char *key) {
  static const char *const keys[] = {
      "ranges", "published", "impossible", "landmarks", "pelvis_frame", "femur_frame", "contact", "depth_effect",
      "effect", "label",     "name",       "left_out",  "band_deg",     "bands_deg",   "map",     "shift"};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; ++i)
    if (strcmp(key, keys[i]) == 0) return true;
  return false;
}

static void flatten(json_t *value, const char *prefix, json_t *scalars) {
  static const char *const coordinates[] = {"x", "y", "z"};
  char longer[400];
  const char *key;
  json_t *item;
  size_t i;
  if (json_is_object(value)) {
    json_object_foreach(value, key, item) {
      if (is_background(key)) continue;
      snprintf(longer, sizeof longer, "%s.%s", prefix, key);
      flatten(item, longer, scalars);
    }
  } else if (json_is_array(value)) {
    json_array_foreach(value, i, item) {
      const char *name = json_string_value(json_object_get(item, "name"));
      if (!name && json_array_size(value) == 3 && json_is_number(item)) name = coordinates[i];
      if (!name) return;
      snprintf(longer, sizeof longer, "%s.%s", prefix, name);
      flatten(item, longer, scalars);
    }
  } else {
    json_object_set(scalars, prefix, value);
  }
}

static json_t *scalars_of(json_t *answer) {
  static const char *const names[] = {"center", "measure", "rom", "fai"};
  json_t *scalars = json_object(), *parameters = json_object_get(json_object_get(answer, "input"), "parameters");
  if (parameters) flatten(parameters, "input", scalars);
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    json_t *part = json_object_get(json_object_get(answer, "result"), names[i]);
    if (json_is_object(part)) flatten(part, names[i], scalars);
  }
  return scalars;
}

static const char *unit_by_ending(const char *key) {
  static const struct {
    const char *ending, *unit;
  } units[] = {{"_deg", "deg"}, {"_mm", "mm"}, {"_percent", "percent"}, {"_hour", "h"}};
  for (size_t i = 0; i < sizeof units / sizeof *units; ++i) {
    const size_t tail = strlen(units[i].ending);
    if (strlen(key) > tail && strcmp(key + strlen(key) - tail, units[i].ending) == 0) return units[i].unit;
  }
  return NULL;
}

/* What a page has never shown. */
static bool is_detail(const char *key) {
  static const char *const parts[] = {"start_overlaps", "limited_by",      "_point.",     ".clock",
                                      "bone_angle",     "side_confidence", "map.",        "methods.",
                                      "state",          "free_again",      "band_largest"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i)
    if (strstr(key, parts[i])) return true;
  return false;
}

/* ---- comparing --------------------------------------------------------------------------------------------------- */

static void check_value(const syn_value *value, const json_t *expected) {
  if (json_is_number(expected))
    ASSERT_NEAR(syn_value_number(value), json_number_value(expected), 0);
  else if (json_is_string(expected))
    assert_string_equal(syn_value_text(value), json_string_value(expected));
  else if (json_is_boolean(expected))
    assert_true(value->kind == SYN_VALUE_BOOLEAN && value->boolean == json_is_true(expected));
  else
    assert_int_equal(value->kind, SYN_VALUE_NONE);
}

/* Values, and names in the order of first appearance. */
static void check_columns(const syn_study_summary *summary, json_t *const *scalars) {
  const size_t cases = summary->case_count;
  json_t *all = json_object();
  const char *key;
  json_t *value;
  size_t k = 0;
  for (size_t i = 0; i < cases; ++i) json_object_update_missing(all, scalars[i]);
  assert_int_equal(summary->column_count, json_object_size(all));
  json_object_foreach(all, key, value) {
    const syn_study_column *column = &summary->columns[k];
    assert_string_equal(column->key, key);
    if (unit_by_ending(key)) assert_string_equal(column->unit, unit_by_ending(key));
    if (strncmp(key, "input.", 6) == 0 || is_detail(key)) assert_false(column->is_shown);
    assert_true(column->label[0] != 0);
    for (size_t i = 0; i < cases; ++i) {
      const syn_value found = syn_study_value(summary, i, k);
      check_value(&found, json_object_get(scalars[i], key));
    }
    ++k;
  }
  json_decref(all);
}

/* The rows of study.json, keys in order. */
static void check_rows(const char *folder, json_t *const *scalars, size_t cases) {
  json_t *all = read_json(folder, "study.json");
  for (size_t i = 0; i < cases; ++i) {
    const json_t *values = json_object_get(json_array_get(json_object_get(all, "cases"), i), "values");
    char *found = values ? json_dumps(values, 0) : strdup("{}"), *expected = json_dumps(scalars[i], 0);
    assert_string_equal(found, expected);
    free(found);
    free(expected);
  }
  json_decref(all);
}

static void check_summary(const syn_study *study, const char *folder) {
  syn_error error;
  syn_study_summary *summary;
  json_t *answers[8], *scalars[8];
  const size_t cases = study->case_count;
  const syn_study_options options = options_for(folder);
  assert_true(cases <= 8);
  ASSERT_OK(syn_study_summarise(study, &options, NULL, &summary, &error));
  for (size_t i = 0; i < cases; ++i) {
    char name[256];
    snprintf(name, sizeof name, "%s/result.json", study->cases[i].name);
    answers[i] = summary->cases[i].state == SYN_CASE_DONE ? read_json(folder, name) : json_object();
    scalars[i] = scalars_of(answers[i]);
  }
  check_columns(summary, scalars);
  check_rows(folder, scalars, cases);
  for (size_t i = 0; i < cases; ++i) {
    json_decref(answers[i]);
    json_decref(scalars[i]);
  }
  syn_study_summary_destroy(summary);
}

/* ---- studies ----------------------------------------------------------------------------------------------------- */

/* Hips with and without soft tissue, contact and anatomy, so that parts of their results are missing or not known. */
static void make_meshes(void) {
  syn_error error;
  syn_joint *shape;
  const syn_shape_value values[] = {{"resolution", 2}};
  ASSERT_OK(syn_shape_create(NULL, "hip", values, 1, &shape, &error));
  for (size_t i = 0; i < shape->body_count; ++i) {
    char file[128];
    snprintf(file, sizeof file, "%s.ply", shape->bodies[i].name);
    const syn_geometry geometry = syn_trimesh_geometry(shape->bodies[i].surface);
    ASSERT_OK(syn_geometry_write(NULL, &geometry, temporary_path(file), NULL, &error));
  }
  syn_joint_destroy(shape);
}

#define BONES "{\"name\":\"bones\",\"pelvis\":\"pelvis.ply\",\"femur\":\"femur.ply\"}"
#define LOST "{\"name\":\"lost\",\"joint\":\"nowhere.json\"}"
#define MESHES "{\"name\":\"meshes\",\"pelvis\":\"pelvis.ply\",\"femur\":\"femur.ply\",\"labrum\":\"labrum.ply\"}"
#define MIXED SMALL("no contact", 10, 40) "," SMALL("cam, \\u03b1 80", 20, 80) "," LOST "," MESHES "," BONES

static void columns_are_those_of_a_flattened_result(void **state) {
  (void)state;
  static const struct {
    const char *text;
    size_t cases;
  } studies[] = {{STUDY(MIXED, "\"center\",\"measure\",\"rom\",\"fai\""), 5},
                 {STUDY(BONES "," SMALL("cam", 20, 80), "\"hip\""), 2},
                 {STUDY(BONES, "\"rom\""), 1}};
  make_meshes();
  for (size_t i = 0; i < sizeof studies / sizeof *studies; ++i) {
    char folder[512], name[32];
    snprintf(name, sizeof name, "mixed %zu", i);
    snprintf(folder, sizeof folder, "%s", temporary_path(name));
    const syn_study_options options = options_for(folder);
    syn_study *study = open_study(NULL, "mixed.json", studies[i].text);
    check_counts(study, &options, studies[i].cases, 0, 0);
    check_summary(study, folder);
    syn_study_destroy(study);
  }
}

/* Labels and units are those of the results' tables. */
static void columns_have_words_for_people(void **state) {
  (void)state;
  static const char *const expected[][3] = {
      {"fai.curvilinear_max_mm", "Greatest depth along the turn", "mm"},
      {"rom.motions.internal_rotation_90.angle_deg", "Internal rotation in 90° of flexion", "deg"},
      {"rom.motions.flexion.bone_angle_deg", "Flexion: Bones alone", "deg"},
      {"center.center.y", "Centre y", "mm"},
      {"center.methods.dref.radius_mm", "Circumduction at the joint space as scanned: Radius", "mm"},
      {"input.alpha", "Alpha", "deg"},
      {"input.ce", "CE", "deg"},
      {"measure.coverage_percent", "Coverage of the femoral head", "percent"}};
  syn_error error;
  syn_study_summary *summary;
  char folder[512];
  snprintf(folder, sizeof folder, "%s", temporary_path("mixed 0"));
  const syn_study_options options = options_for(folder);
  syn_study *study = open_study(NULL, "mixed.json", STUDY(MIXED, "\"center\",\"measure\",\"rom\",\"fai\""));
  ASSERT_OK(syn_study_summarise(study, &options, NULL, &summary, &error));
  for (size_t i = 0; i < sizeof expected / sizeof *expected; ++i) {
    size_t k = 0;
    while (k < summary->column_count && strcmp(summary->columns[k].key, expected[i][0]) != 0) ++k;
    if (k == summary->column_count) fail_msg("there is no column %s", expected[i][0]);
    assert_string_equal(summary->columns[k].label, expected[i][1]);
    assert_string_equal(summary->columns[k].unit, expected[i][2]);
  }
  syn_study_summary_destroy(summary);
  syn_study_destroy(study);
}

static void failures_and_warnings_are_known(void **state) {
  (void)state;
  syn_error error;
  syn_study_summary *summary;
  char folder[512];
  snprintf(folder, sizeof folder, "%s", temporary_path("mixed 0"));
  const syn_study_options options = options_for(folder);
  syn_study *study = open_study(NULL, "mixed.json", STUDY(MIXED, "\"center\",\"measure\",\"rom\",\"fai\""));
  ASSERT_OK(syn_study_summarise(study, &options, NULL, &summary, &error));
  assert_true(summary->is_written && summary->done == 4 && summary->failed == 1);
  assert_string_equal(syn_case_state_name(summary->cases[2].state), "failed");
  const syn_error why = summary->cases[2].error, none = summary->cases[0].error;
  assert_int_equal(why.code, SYN_NOT_FOUND);
  assert_string_equal(why.file, temporary_path("nowhere.json"));
  assert_true(none.code == SYN_OK && !none.message[0]);
  assert_string_equal(summary->cases[2].name, "lost");
  assert_true(summary->cases[0].warning_count > 0);
  assert_true(summary->cases[0].warnings[0][0] != 0);
  size_t warned = 0, sum = 0, most = 0;
  for (size_t i = 0; i < study->case_count; ++i) {
    const size_t count = summary->cases[i].warning_count;
    warned += count > 0;
    sum += count;
    most = count > most ? count : most;
  }
  assert_true(most > 1); /* else a count of cases would do */
  assert_int_equal(summary->warned_count, warned);
  assert_int_equal(summary->warning_count, sum);
  syn_study_summary_destroy(summary);
  syn_study_summary_destroy(NULL);
  char *csv = read_text(folder, "study.csv");
  assert_memory_equal(csv, "case,state,error,input.ce,input.alpha,", 38);
  assert_non_null(strstr(csv, "\nno contact,done,,10,40,"));
  assert_non_null(strstr(csv, "\n\"cam, α 80\",done,,20,80,"));
  assert_non_null(strstr(csv, "\nlost,failed,"));
  assert_non_null(strstr(csv, "nowhere.json: cannot open"));
  free(csv);
  syn_study_destroy(study);
}

/* ---- results that are not as they should be ---------------------------------------------------------------------- */

static json_t *anything(test_random *random) {
  switch (random_below(random, 7)) {
  case 0: return json_null();
  case 1: return json_true();
  case 2: return json_integer(7);
  case 3: return json_string("word, \"quoted\"");
  case 4: return json_pack("[fff]", 1.0, 2.0, 3.0);
  case 5: return json_pack("[{ss}{si}]", "name", "x", "name", 7);
  default: return json_pack("{s[]}", "name");
  }
}

/* Puts anything in the place of members here and there, to some depth. */
static void damage(json_t *value, test_random *random) {
  const char *key;
  json_t *item;
  void *next;
  size_t i;
  if (json_is_object(value)) {
    json_object_foreach_safe(value, next, key, item) {
      if (random_below(random, 12) == 0)
        json_object_set_new(value, key, anything(random));
      else
        damage(item, random);
    }
  } else if (json_is_array(value)) {
    json_array_foreach(value, i, item) {
      if (random_below(random, 40) == 0)
        json_array_set_new(value, i, anything(random));
      else
        damage(item, random);
    }
  }
}

static void damaged_results_harm_nobody(void **state) {
  (void)state;
  syn_error error;
  test_random random = {5};
  char folder[512], path[1024];
  snprintf(folder, sizeof folder, "%s", temporary_path("mixed 0"));
  json_t *whole = read_json(folder, "meshes/result.json");
  const syn_study_options options = options_for(folder);
  syn_study *study = open_study(NULL, "damaged.json", STUDY(MESHES, "\"center\",\"measure\",\"rom\",\"fai\""));
  in_folder(folder, "meshes/result.json", path);
  for (int attempt = 0; attempt < 30; ++attempt) {
    syn_study_summary *summary;
    json_t *copy = json_deep_copy(whole);
    damage(json_object_get(copy, attempt % 2 ? "warnings" : "result"), &random);
    damage(json_object_get(copy, "result"), &random);
    assert_int_equal(json_dump_file(copy, path, 0), 0);
    json_decref(copy);
    ASSERT_OK(syn_study_summarise(study, &options, NULL, &summary, &error));
    assert_int_equal(summary->done, 1);
    for (size_t k = 0; k < summary->column_count; ++k) (void)syn_study_value(summary, 0, k);
    for (size_t k = 0; k < summary->cases[0].warning_count; ++k) assert_non_null(summary->cases[0].warnings[k]);
    syn_study_summary_destroy(summary);
  }
  json_decref(whole);
  syn_study_destroy(study);
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

static syn_status open_and_summarise(const syn_context *context, void *user, syn_error *error) {
  syn_study *study;
  syn_study_summary *summary = NULL;
  const syn_study_options options = options_for(user);
  SYN_TRY(syn_study_read(context, temporary_path("few.json"), NULL, &study, error));
  const syn_status status = syn_study_summarise(study, &options, NULL, &summary, error);
  syn_study_summary_destroy(summary);
  syn_study_destroy(study);
  return status;
}

static void every_refused_allocation_is_survived(void **state) {
  (void)state;
  char folder[512];
  snprintf(folder, sizeof folder, "%s", temporary_path("few"));
  const syn_study_options options = options_for(folder);
  syn_study *study = open_study(NULL, "few.json", STUDY(SMALL("done", 10, 40) "," LOST, "\"center\""));
  check_counts(study, &options, 2, 0, 0);
  syn_study_destroy(study);
  check_every_allocation(open_and_summarise, folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(columns_are_those_of_a_flattened_result), cmocka_unit_test(columns_have_words_for_people),
      cmocka_unit_test(failures_and_warnings_are_known),         cmocka_unit_test(damaged_results_harm_nobody),
      cmocka_unit_test(every_refused_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
