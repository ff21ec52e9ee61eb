/* The page of a study, from results that were made up: what it says does not depend on how they came about. */
#include "studies.h"

#include "clinic/center/center.h"
#include "clinic/hip.h"
#include "study/study_page.h"

static void leave(const syn_study *study, size_t i, const char *folder, json_t *result) {
  char name[256], path[1024];
  syn_error error;
  snprintf(name, sizeof name, "%s/result.json", study->cases[i].name);
  in_folder(folder, study->cases[i].name, path);
  mkdir(folder, 0777);
  mkdir(path, 0777);
  json_t *answer = json_pack("{sssosO}", "input_sha256", study->cases[i].input_sha256, "result", result, "input",
                             (json_t *)(uintptr_t)study->cases[i].description);
  ASSERT_OK(syn_json_write(NULL, answer, in_folder(folder, name, path), &error));
  json_decref(answer);
}

/* Summarises, and returns what the script of the page is given. */
static json_t *page_of(const syn_study *study, const char *folder) {
  static const char begin[] = "id=\"synovia-report\">";
  syn_error error;
  syn_study_summary *summary;
  const syn_study_options options = options_for(folder);
  ASSERT_OK(syn_study_summarise(study, &options, NULL, &summary, &error));
  syn_study_summary_destroy(summary);
  char *page = read_text(folder, "report.html"), *from = strstr(page, begin);
  assert_non_null(from);
  from += strlen(begin);
  json_t *model = json_loadb(from, (size_t)(strstr(from, "</script>") - from), 0, NULL);
  assert_non_null(model);
  free(page);
  return model;
}

static json_t *table_named(const json_t *model, const char *name) {
  size_t i;
  json_t *table;
  json_array_foreach(json_object_get(model, "tables"), i, table) {
    if (strcmp(json_string_value(json_object_get(table, "name")), name) == 0) return table;
  }
  return NULL;
}

static bool says(const json_t *model, const char *part) {
  size_t i;
  json_t *sentence;
  json_array_foreach(json_object_get(model, "summary"), i, sentence) {
    if (strstr(json_string_value(sentence), part)) return true;
  }
  return false;
}

/* "[CASE, …]" of so many hips that differ by a parameter; `page` as the file has it, NULL: none. */
static syn_study *open_many_with(const char *file, size_t count, const char *analyses, const char *page) {
  char *text = malloc(200 * (count + 1) + (page ? strlen(page) : 0) + 200);
  size_t used =
      (size_t)sprintf(text, "{\"synovia_study\":1,\"name\":\"many\",\"draws\":2,\"analyses\":[%s],%s%s%s\"cases\":[",
                      analyses, page ? "\"page\":" : "", page ? page : "", page ? "," : "");
  for (size_t i = 0; i < count; ++i)
    used += (size_t)sprintf(text + used,
                            "%s{\"name\":\"case %zu\",\"shape\":\"hip\",\"parameters\":{\"ce\":%zu,\"alpha\":%zu}}",
                            i ? "," : "", i, 10 * (i / 5 % 5), 40 + 10 * (i % 5));
  sprintf(text + used, "]}");
  syn_study *study = open_study(NULL, file, text);
  free(text);
  return study;
}

static syn_study *open_many(const char *file, size_t count, const char *analyses) {
  return open_many_with(file, count, analyses, NULL);
}

static const json_t *cell_of(const json_t *model, const char *table, size_t row, const char *column) {
  return json_object_get(json_array_get(json_object_get(table_named(model, table), "rows"), row), column);
}

/* ---- words ------------------------------------------------------------------------------------------------------- */

static json_t *motions(double flexion_deg, const char *state) {
  json_t *angle = flexion_deg > 0 ? json_real(flexion_deg) : json_null();
  return json_pack("{s{s[{ssssssso}]}}", "rom", "motions", "name", "flexion", "label", "Flexion", "state", state,
                   "angle_deg", angle);
}

static void spans_have_the_words_of_their_fields(void **state) {
  (void)state;
  char folder[512];
  snprintf(folder, sizeof folder, "%s", temporary_path("spans"));
  syn_study *study = open_many("spans.json", 4, "\"rom\"");
  leave(study, 0, folder, motions(100, "stopped"));
  leave(study, 1, folder, motions(110, "stopped"));
  leave(study, 2, folder, motions(0, "no_free_pose"));
  json_t *model = page_of(study, folder);
  assert_true(says(model, "Flexion from 100 to 110°, mean 105° (2 cases)."));
  assert_true(says(model, "3 of 4 cases are done.") && says(model, "1 have not been run yet."));
  const json_t *table = table_named(model, "rom"), *column = json_array_get(json_object_get(table, "columns"), 1);
  assert_string_equal(json_string_value(json_object_get(table, "title")), "Range of motion");
  assert_int_equal(json_array_size(json_object_get(table, "columns")), 2); /* the state is a detail */
  assert_string_equal(json_string_value(json_object_get(column, "label")), "Flexion");
  assert_string_equal(json_string_value(json_object_get(column, "unit")), "°");
  const json_t *rows = json_object_get(table, "rows");
  const char *key = json_string_value(json_object_get(column, "key"));
  ASSERT_NEAR(json_number_value(json_object_get(json_array_get(rows, 1), key)), 110, 0);
  /* what is not known says why */
  assert_string_equal(json_string_value(json_object_get(json_array_get(rows, 2), key)), "no free pose");
  json_decref(model);
  syn_study_destroy(study);
}

/* ---- curves ------------------------------------------------------------------------------------------------------ */

static json_t *depths(size_t steps, double most) {
  json_t *one = json_array(), *other = json_array();
  for (size_t k = 0; k < steps; ++k) {
    json_array_append_new(one, json_real(most * (double)k / (double)steps));
    json_array_append_new(other, json_real(k + 1 == steps ? most : 0));
  }
  return json_pack("{s{sfs{soso}}}", "fai", "curvilinear_max_mm", most, "curves", "curvilinear_mm", one,
                   "curvilinear_swapped_mm", other);
}

/* Panels of equal size up to the most that a page has; beyond that none. */
static void curves_stand_in_panels(void **state) {
  (void)state;
  static const size_t counts[] = {1, 6, 7, 20, 48, 49};
  char folder[512], name[32], last[128] = "";
  for (size_t n = 0; n < sizeof counts / sizeof *counts; ++n) {
    snprintf(name, sizeof name, "curves %zu", counts[n]);
    snprintf(folder, sizeof folder, "%s", temporary_path(name));
    syn_study *study = open_many("curves.json", counts[n], "\"fai\"");
    for (size_t i = 0; i < counts[n]; ++i) leave(study, i, folder, depths(5, (double)i));
    json_t *model = page_of(study, folder), *motion;
    size_t m, curves = 0;
    json_array_foreach(json_object_get(model, "motions"), m, motion) {
      const char *label = json_string_value(json_object_get(motion, "label"));
      if (counts[n] <= 6) /* several panels are told apart by their first case */
        assert_string_equal(label, "Depth along the turn");
      else
        assert_true(strncmp(label, "Depth along the turn, from ", 27) == 0 && strcmp(label, last) != 0);
      snprintf(last, sizeof last, "%s", label);
      const size_t here = json_array_size(json_object_get(motion, "curves"));
      assert_true(here >= 1 && here <= 6);
      for (size_t k = 0; k < here; ++k) { /* its top is the depth of the case */
        const json_t *curve = json_array_get(json_object_get(motion, "curves"), k);
        const json_t *values = json_object_get(curve, "values");
        ASSERT_NEAR(json_number_value(json_array_get(values, 4)), (double)(curves + k), 0);
      }
      curves += here;
    }
    assert_int_equal(curves, counts[n] <= 48 ? counts[n] : 0);
    if (counts[n] == 7) assert_int_equal(m, 2);
    json_decref(model);
    syn_study_destroy(study);
  }
}

/* ---- the published study ----------------------------------------------------------------------------------------- */

static void the_25_hips_stand_beside_the_published_study(void **state) {
  (void)state;
  char folder[512];
  snprintf(folder, sizeof folder, "%s", temporary_path("published"));
  syn_study *study = open_many_with("published.json", 25, "\"fai\"", "\"" WORKS "arbabi2009-hips25.json\"");
  for (size_t i = 0; i < 25; ++i) {
    const bool deep = 10 * (i / 5) + 40 + 10 * (i % 5) >= 80;
    json_t *model;
    if (i == 0 || i == 24) { /* none is there: no such table; one is missing: so is its cell */
      model = page_of(study, folder);
      const json_t *table = table_named(model, "published_penetration");
      assert_int_equal(table != NULL, i == 24);
      if (table) assert_non_null(strstr(json_string_value(json_object_get(table, "note")), "24 of 24 cells agree"));
      if (table)
        assert_string_equal(json_string_value(cell_of(model, "published_penetration", 4, "alpha80")),
                            "– (published: penetration)");
      json_decref(model);
    }
    leave(study, i, folder,
          json_pack("{s{sfsfsss{s[ff]}}ss*}", "fai", "curvilinear_max_mm", deep ? 5.0 + (double)i : 0.0,
                    "radial_max_mm", 1.5, "class", i == 0 ? "dysplastic_impinging" : "normal", "curves",
                    "curvilinear_mm", 0.0, 1.0, "report", i == 3 ? "somewhere/report.html" : NULL));
  }
  json_t *model = page_of(study, folder), *first = table_named(model, "published_penetration");
  const json_t *second = table_named(model, "published_depths");
  assert_non_null(strstr(json_string_value(json_object_get(first, "note")), "25 of 25 cells agree with Table 8"));
  assert_int_equal(json_array_size(json_object_get(second, "rows")), 6);
  const json_t *pincer = json_array_get(json_object_get(second, "rows"), 1); /* CE 40, alpha 40: case 20 */
  ASSERT_NEAR(json_number_value(json_object_get(pincer, "curvilinear")), 25, 0);
  ASSERT_NEAR(json_number_value(json_object_get(pincer, "radial")), 1.5, 0);
  assert_string_equal(json_string_value(json_object_get(pincer, "class")), "normal");
  assert_true(says(model, "15 of 25 hips go into the labrum along the turn, at most by 29.0 mm (case 24)."));
  assert_true(says(model, "By depths as in the published groups: 24 normal, 1 dysplastic impinging."));
  /* the page opens with Fig. 62, before the curves of each hip */
  const json_t *panels = json_object_get(model, "motions");
  assert_true(json_array_size(panels) > 2);
  assert_string_equal(json_string_value(json_object_get(json_array_get(panels, 0), "label")),
                      "Greatest curvilinear depth");
  assert_string_equal(json_string_value(json_object_get(json_array_get(panels, 1), "label")), "Greatest radial depth");
  /* what was found comes first */
  const json_t *said = json_object_get(model, "summary");
  assert_string_equal(json_string_value(json_array_get(said, json_array_size(said) - 1)), "25 of 25 cases are done.");
  /* cells of the maps lead to the report of their case, or to the tables */
  char path[600], link[128];
  size_t size;
  snprintf(path, sizeof path, "%s/report.html", folder);
  snprintf(link, sizeof link, "<a href=\"%s/report.html\"><rect", study->cases[3].name);
  char *page = read_whole_file(path, &size);
  assert_non_null(strstr(page, link));
  assert_non_null(strstr(page, "<a href=\"#tables\"><rect"));
  snprintf(link, sizeof link, "<tr><td><a href=\"%s/report.html\">%s</a></td>", study->cases[3].name,
           study->cases[3].name);
  assert_non_null(strstr(page, link)); /* rows of cases as well */
  snprintf(link, sizeof link, "<tr><td>%s</td>", study->cases[4].name);
  assert_non_null(strstr(page, link));
  free(page);
  json_decref(model);
  syn_study_destroy(study);
}

/* ---- maps ---------------------------------------------------------------------------------------------------------
 */

static json_t *reached(double flexion_deg) {
  json_t *result = motions(flexion_deg, "stopped");
  json_object_set_new(result, "report", json_string("report.html"));
  return result;
}

/* Six hips of two by three angles: a map of the flexion, in which every cell leads to its case. One more angle in a
 * third parameter, and there is none. */
static void two_parameters_make_a_map(void **state) {
  (void)state;
  static const char *const thirds[] = {"", ",\"resolution\":2", ",\"resolution\":3"};
  for (int varied = 0; varied < 2; ++varied) {
    char folder[512], text[2048] = "{\"synovia_study\":1,\"name\":\"m\",\"analyses\":[\"rom\"],\"cases\":[";
    for (int i = 0; i < 6; ++i)
      sprintf(text + strlen(text), "%s{\"name\":\"c%d\",\"shape\":\"hip\",\"parameters\":{\"ce\":%d,\"alpha\":%d%s}}",
              i ? "," : "", i, 30 - 10 * (i / 3), 60 + 5 * (i % 3), thirds[varied ? 1 + i % 2 : 1]);
    strcat(text, "]}");
    snprintf(folder, sizeof folder, "%s", temporary_path(varied ? "three" : "two"));
    syn_study *study = open_study(NULL, "maps.json", text);
    for (size_t i = 0; i < 5; ++i) leave(study, i, folder, reached(100 + (double)i)); /* the last is not done */
    json_t *model = page_of(study, folder);
    char *page = read_text(folder, "report.html");
    assert_int_equal(strstr(page, "<text transform") != NULL, !varied);
    if (!varied) { /* alpha to the right, rows from the least angle on: 20, then 30 */
      const char *axis = strstr(page, ">Alpha, °</text>"), *rows = strstr(page, ">CE, °</text>"),
                 *first = strstr(page, "<a href=\"c3/report.html\">"), *last = strstr(page, "<a href=\"#tables\">"),
                 *above = strstr(page, "<a href=\"c0/report.html\">");
      assert_true(axis && rows && first && last && above && first < last && last < above);
      assert_true(strstr(first, ">103.00</text></a>") < strstr(first, "</a>"));
      assert_true(strstr(last, ">–</text></a>") < strstr(last, "</a>")); /* not known */
    }
    free(page);
    json_decref(model);
    syn_study_destroy(study);
  }
}

/* ---- sensitivity to the centre ----------------------------------------------------------------------------------- */

static json_t *sensitivity(double radial, double curvilinear) {
  static const char *const names[] = {"acetabulumsphere", "doublesphere", "femoralheadsphere", "dconst"};
  json_t *methods = json_array();
  for (int m = 0; m < 4; ++m) {
    json_t *motions = json_array();
    for (size_t k = 0; k <= SYN_PRINCIPAL_MOTIONS; ++k)
      json_array_append_new(motions, json_pack("{sssfsfsfsf}", "name", syn_principal_motion_name(k), "curvilinear_mm",
                                               curvilinear + m, "curvilinear_sd_mm", 0.25, "radial_percent",
                                               radial + (double)k, "radial_sd_percent", 3.5));
    json_array_append_new(methods, json_pack("{ssso}", "name", names[m], "motions", motions));
  }
  return json_pack("{s{ssso}}", "sensitivity", "reference", "dref", "methods", methods);
}

/* Over all hips: mean with deviation by hip, mean with least and greatest by motion, and a map of either. */
static void sensitivity_is_told_by_hip_and_by_motion(void **state) {
  (void)state;
  char folder[512];
  snprintf(folder, sizeof folder, "%s", temporary_path("sensitive"));
  syn_study *study = open_many_with("sensitive.json", 3, "\"sensitivity\"", "\"" WORKS "arbabi2009-centres.json\"");
  leave(study, 0, folder, sensitivity(10, 1));
  leave(study, 2, folder, sensitivity(20, 2));
  json_t *model = page_of(study, folder);
  const json_t *by_hip = json_object_get(table_named(model, "sensitivity_by_hip"), "rows");
  assert_int_equal(json_array_size(by_hip), 2 + 2);
  assert_string_equal(json_string_value(json_object_get(json_array_get(by_hip, 0), "dconst_curvilinear_mm")),
                      "4.00 ± 0.25");
  assert_string_equal(json_string_value(json_object_get(json_array_get(by_hip, 1), "dconst_radial_percent")),
                      "26.0 ± 3.5");
  assert_string_equal(json_string_value(json_object_get(json_array_get(by_hip, 2), "dconst_radial_percent")), "21.0");
  assert_string_equal(json_string_value(json_object_get(json_array_get(by_hip, 3), "dconst_radial_percent")),
                      "about 55");
  const json_t *by_motion = json_object_get(table_named(model, "sensitivity_by_motion"), "rows");
  assert_int_equal(json_array_size(by_motion), SYN_PRINCIPAL_MOTIONS);
  assert_string_equal(json_string_value(json_object_get(json_array_get(by_motion, 1), "doublesphere_radial_percent")),
                      "16.0 (11.0 to 21.0)");
  char *page = read_text(folder, "report.html");
  assert_non_null(strstr(page, "Change of curvilinear depths"));
  assert_non_null(strstr(page, "External rotation</text>"));
  free(page);
  json_decref(model);
  syn_study_destroy(study);
}

/* ---- any study's own page ---------------------------------------------------------------------------------------- */

/* Six hips, CE 0 by alpha 40 to 80 and CE 10 by 40, as open_many makes them. */
static void a_page_is_what_the_study_describes(void **state) {
  (void)state;
  static const char page[] =
      "[{\"over\":{\"ce\":[0,10],\"alpha\":[40,60]},\"tables\":["
      "{\"name\":\"mine\",\"title\":\"Mine\",\"numbers\":[\"fai.curvilinear_max_mm\",{\"label\":\"twice\",\"value\":"
      "\"fai.radial_max_mm\",\"decimals\":3}],\"published\":{\"source\":\"Someone 2020\",\"cells\":[[1,2],[3,null]]}},"
      "{\"name\":\"most\",\"title\":\"Most\",\"numbers\":[{\"value\":\"fai.curvilinear_max_mm\",\"above\":0}],"
      "\"reached\":2,"
      "\"none\":\"free\"},"
      "{\"name\":\"alike\",\"title\":\"Alike\",\"numbers\":[{\"value\":\"fai.curvilinear_max_mm\",\"above\":0}],"
      "\"none\":\"free\",\"published\":{\"source\":\"Else 2021\",\"cells\":[[null,2],[null,1]]}},"
      "{\"name\":\"some\",\"title\":\"Some\",\"first\":\"Which\",\"rows\":[{\"label\":\"the first\",\"at\":[0,40]}],"
      "\"columns\":[{\"label\":\"Alpha\",\"value\":\"input.alpha\"},{\"key\":\"depth\",\"label\":\"Depth\","
      "\"value\":\"fai.curvilinear_max_mm\",\"published\":[[1,2]]}]},"
      "{\"name\":\"related\",\"title\":\"Related\",\"correlations\":[[\"fai.curvilinear_max_mm\","
      "{\"label\":\"Its double\",\"value\":\"fai.radial_max_mm\"}]]}],"
      "\"maps\":[{\"name\":\"m\",\"label\":\"My map\",\"value\":\"fai.radial_max_mm\"}]},"
      "{\"over\":{\"ce\":[0],\"alpha\":[40,50,60,70,80]},\"curves\":[{\"label\":\"My curves\",\"value\":"
      "\"fai.curvilinear_max_mm\"}]}]";
  char folder[512];
  snprintf(folder, sizeof folder, "%s", temporary_path("own"));
  syn_study *study = open_many_with("own.json", 6, "\"fai\"", page);
  for (size_t i = 0; i < 6; ++i)
    leave(study, i, folder,
          json_pack("{s{sfsf}}", "fai", "curvilinear_max_mm", (double)i, "radial_max_mm", 2 * (double)i));
  json_t *model = page_of(study, folder);
  /* beside the published cells, what is not there as a dash; the mean of the three that both have */
  assert_string_equal(json_string_value(cell_of(model, "mine", 0, "alpha60")),
                      "2.0 mm; twice 4.000 mm (published: 2.0 mm)");
  assert_string_equal(json_string_value(cell_of(model, "mine", 1, "alpha60")), "– (published: –)");
  ASSERT_NEAR(json_number_value(cell_of(model, "mine", 1, "ce")), 10, 0);
  const char *note = json_string_value(json_object_get(table_named(model, "mine"), "note"));
  assert_string_equal(note, "Over the 3 cells where both have a number: mean 2.3 mm, standard deviation 2.5 mm, median "
                            "2.0 mm; twice mean 4.667 mm, standard deviation 5.033 mm, median 4.000 mm; Someone 2020 "
                            "mean 2.0 mm, standard deviation 1.0 mm, median 2.0 mm.");
  assert_string_equal(json_string_value(cell_of(model, "most", 0, "alpha40")), "free");
  assert_string_equal(json_string_value(json_object_get(table_named(model, "most"), "note")),
                      "2 of 3 cells reach 2 mm.");
  /* none where none is published agrees, and a number does not */
  assert_string_equal(json_string_value(json_object_get(table_named(model, "alike"), "note")),
                      "2 of 3 cells agree with Else 2021.");
  ASSERT_NEAR(json_number_value(cell_of(model, "some", 0, "input.alpha")), 40, 0);
  ASSERT_NEAR(json_number_value(cell_of(model, "some", 0, "depth")), 0, 0);
  ASSERT_NEAR(json_number_value(cell_of(model, "some", 0, "depth_high")), 2, 0);
  assert_string_equal(json_string_value(cell_of(model, "related", 0, "y")), "Its double");
  ASSERT_NEAR(json_number_value(cell_of(model, "related", 0, "r")), 1, 1e-15);
  ASSERT_NEAR(json_number_value(cell_of(model, "related", 0, "cases")), 6, 0);
  const json_t *panel = json_array_get(json_object_get(model, "motions"), 0);
  assert_string_equal(json_string_value(json_object_get(panel, "label")), "My curves");
  assert_int_equal(json_array_size(json_object_get(panel, "curves")), 1);
  char *text = read_text(folder, "report.html");
  assert_non_null(strstr(text, "My map"));
  free(text);
  json_decref(model);
  syn_study_destroy(study);
}

#define TABLE(members)                                                                                                 \
  "{\"over\":{\"ce\":[0,10],\"alpha\":[40,60]},\"tables\":[{\"name\":\"t\",\"title\":\"T\"," members "}]}"
#define CELLS(cells) TABLE("\"numbers\":[\"fai.radial_max_mm\"],\"published\":{\"source\":\"S\",\"cells\":" cells "}")

/* Before an hour of computing, not after it. */
static void wrong_pages_are_reported_by_key_and_place(void **state) {
  (void)state;
  static const char *const wrong[][3] = {
      {"7", "page", "object"},
      {"{\"table\":[]}", "page.table", ""},
      {"{\"over\":{\"ce\":[1]}}", "page.over", "two parameters"},
      {"{\"over\":{\"ce\":[1],\"alfa\":[2]}}", "page.over.alfa", "no such parameter"},
      {"{\"over\":{\"ce\":[2,1],\"alpha\":[2]}}", "page.over.ce", "ascend"},
      {"{\"over\":{\"ce\":[],\"alpha\":[2]}}", "page.over.ce", "at least one"},
      {"{\"tables\":[{\"name\":\"t\",\"title\":\"T\",\"numbers\":[\"fai.radial_max_mm\"]}]}", "page.tables[0]", "over"},
      {TABLE("\"note\":\"\""), "page.tables[0]", "either"},
      {TABLE("\"numbers\":[\"fai.radial_mm\"]"), "page.tables[0].numbers[0]", "no column 'fai.radial_mm'"},
      {TABLE("\"numbers\":[\"fai\"]"), "page.tables[0].numbers[0]", "no column"},
      {TABLE("\"numbers\":[\"measure.alpha_deg\"]"), "page.tables[0].numbers[0]", "analyses"},
      {TABLE("\"numbers\":[{\"correlation\":[\"fai.radial_max_mm\",\"fai.radial_max_mm\"]}]"),
       "page.tables[0].numbers[0].correlation[0]", "list of numbers"},
      {TABLE("\"numbers\":[{\"estimate\":\"pressure\"}]"), "page.tables[0].numbers[0]", "analyses"},
      {TABLE("\"numbers\":[{\"value\":\"fai.radial_max_mm\",\"decimals\":-1}]"), "page.tables[0].numbers[0].decimals",
       "0 to 9"},
      {CELLS("[[1,2]]"), "page.tables[0].published.cells", "2 rows"},
      {CELLS("[[1,2],[3]]"), "page.tables[0].published.cells[1]", "2 cells"},
      {CELLS("[[1,2],[3,\"4\"]]"), "page.tables[0].published.cells[1][1]", "null for none"},
      {TABLE("\"rows\":[{\"label\":\"r\",\"at\":[0,50]}],\"columns\":[{\"label\":\"c\",\"value\":\"fai.class\"}]"),
       "page.tables[0].rows[0].at[1]", "alpha"},
      {TABLE("\"rows\":[{\"label\":\"r\",\"at\":[0,40]}],\"columns\":[{\"label\":\"c\",\"value\":\"fai.radial_max_mm\","
             "\"published\":[[1,2],[1,2]]}]"),
       "page.tables[0].columns[0].published", "1 ranges"},
      {"\"not there.json\"", "not there.json", ""},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    char text[2000];
    syn_error error;
    syn_study *study;
    const char *path = temporary_path("wrong page.json");
    snprintf(
        text, sizeof text,
        "{\"synovia_study\":1,\"name\":\"x\",\"analyses\":[\"fai\"],\"page\":%s,\"cases\":[" SMALL("a", 1, 40) "]}",
        wrong[i][0]);
    write_text_file(path, text);
    const syn_status status = syn_study_read(NULL, path, NULL, &study, &error);
    assert_int_equal(status, strstr(wrong[i][0], "not there") ? SYN_NOT_FOUND : SYN_BAD_FORMAT);
    if (status == SYN_BAD_FORMAT && !(strstr(error.message, wrong[i][1]) && strstr(error.message, wrong[i][2])))
      fail_msg("%s: %s", wrong[i][0], error.message);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(spans_have_the_words_of_their_fields),
      cmocka_unit_test(curves_stand_in_panels),
      cmocka_unit_test(the_25_hips_stand_beside_the_published_study),
      cmocka_unit_test(two_parameters_make_a_map),
      cmocka_unit_test(sensitivity_is_told_by_hip_and_by_motion),
      cmocka_unit_test(a_page_is_what_the_study_describes),
      cmocka_unit_test(wrong_pages_are_reported_by_key_and_place),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
