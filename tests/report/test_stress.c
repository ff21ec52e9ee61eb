// test: own-program
/* What commands that compute stress will report, written from made-up numbers: pressure in MPa on two bodies through a
 * motion in time, before and after an operation. With SYNOVIA_KEEP the page is left there, for a look in a browser. */
#include "example.h"
#include "page_reader.h"

#include "report/page_content.h"

enum { TIMES = 21, WALKS = 2, CURVES = 2, SURFACES = 2 };
static const double highest[WALKS] = {7.5, 4.2}; /* MPa, before and after */

typedef struct walk {
  syn_pose poses[TIMES];
  double seconds[TIMES], peak[TIMES], force[TIMES];
  syn_report_curve curves[CURVES];
} walk;

typedef struct stress_report {
  example parts;
  walk walks[WALKS];
  syn_report_motion motions[WALKS];
  double *pressure[SURFACES][WALKS];
  syn_report_field fields[SURFACES][WALKS];
  syn_report_range ranges[2];
  syn_report_cell cells[2][4];
  syn_report_table table;
  syn_report report;
} stress_report;

/* Greatest at the top of the head in the middle of the step; none where it would be below 0. */
static double pressure_at(syn_vec3 place, int walk_index, int time) {
  const double rises = sin(3.14159265358979 * (time + 1) / (TIMES + 1));
  const double pressure = highest[walk_index] * rises * (place.z - 5) / 30;
  return pressure > 0 ? pressure : (double)NAN;
}

static const char *const names[WALKS] = {"walking_before", "walking_after"};

static void make_walk(stress_report *s, int w) {
  static const char *const labels[WALKS] = {"Walking, before", "Walking, after"};
  walk *made = &s->walks[w];
  for (int t = 0; t < TIMES; ++t) {
    made->seconds[t] = 0.05 * t;
    made->poses[t] = syn_pose_about_axis(s->parts.hip.center, s->parts.hip.pelvis_axes.flexion, 0.5 * sin(0.3 * t));
    made->peak[t] = highest[w] * sin(3.14159265358979 * (t + 1) / (TIMES + 1));
    made->force[t] = 700 + 1500 * sin(3.14159265358979 * t / (TIMES - 1));
  }
  made->curves[0] = (syn_report_curve){"peak", "Highest pressure", "MPa", made->peak};
  made->curves[1] = (syn_report_curve){"force", "Joint force", "N", made->force};
  s->motions[w] = (syn_report_motion){names[w],      labels[w],    made->poses, TIMES, "Time", "s",
                                      made->seconds, made->curves, CURVES,      NULL,  NULL};
}

static void make_fields(stress_report *s, int surface, syn_report_body *body) {
  const uint32_t count = body->body.surface->vertex_count;
  for (int w = 0; w < WALKS; ++w) {
    double *values = malloc((size_t)count * TIMES * sizeof *values);
    for (int t = 0; t < TIMES; ++t)
      for (uint32_t i = 0; i < count; ++i)
        values[(size_t)t * count + i] = pressure_at(body->body.surface->vertices[i], w, t);
    s->pressure[surface][w] = values;
    s->fields[surface][w] =
        (syn_report_field){"pressure", "Contact pressure", "MPa", values, TIMES, names[w], 0, highest[0]};
  }
  body->fields = s->fields[surface];
  body->field_count = WALKS;
}

static void make_numbers(stress_report *s) {
  static const syn_report_column columns[] = {{"number", "number", "", false},
                                              {"before", "before", "", true},
                                              {"after", "after", "", true},
                                              {"change", "change", "", true}};
  static const double before[2] = {7.5, 412}, after[2] = {4.2, 655};
  static const char *const labels[2] = {"Highest pressure, MPa", "Contact area, mm²"};
  for (int i = 0; i < 2; ++i) {
    s->cells[i][0] = (syn_report_cell){labels[i], 0};
    s->cells[i][1] = (syn_report_cell){NULL, before[i]};
    s->cells[i][2] = (syn_report_cell){NULL, after[i]};
    s->cells[i][3] = (syn_report_cell){NULL, after[i] - before[i]};
  }
  s->table = (syn_report_table){"change", "Before and after", NULL, columns, 4, 2, s->cells[0], NULL};
  s->ranges[0] =
      (syn_report_range){"peak_before", "Highest pressure before", "MPa", 7.5, NULL, NAN, 6.3, "made up", false, 0, 0};
  s->ranges[1] =
      (syn_report_range){"peak_after", "Highest pressure after", "MPa", 4.2, NULL, NAN, 6.3, "made up", false, 0, 0};
}

static void make_report(stress_report *s, const char *kind) {
  static const char *const summary[] = {"The operation lowers the highest pressure from 7.5 to 4.2 MPa.",
                                        "Contact area grows from 412 to 655 mm²."};
  *s = (stress_report){0};
  example_make(&s->parts, 2);
  for (int w = 0; w < WALKS; ++w) make_walk(s, w);
  int surface = 0;
  for (size_t i = 0; i < s->parts.report.body_count; ++i) {
    s->parts.bodies[i].field_count = 0;
    if (s->parts.bodies[i].body.tissue == SYN_TISSUE_CARTILAGE) make_fields(s, surface++, &s->parts.bodies[i]);
  }
  assert_int_equal(surface, SURFACES);
  make_numbers(s);
  s->report = (syn_report){.kind = kind,
                           .title = "Pressure before and after",
                           .summary = summary,
                           .summary_count = 2,
                           .hip = &s->parts.hip,
                           .bodies = s->parts.bodies,
                           .body_count = s->parts.report.body_count,
                           .motions = s->motions,
                           .motion_count = WALKS,
                           .ranges = s->ranges,
                           .range_count = 2,
                           .tables = &s->table,
                           .table_count = 1};
}

static void release_report(stress_report *s) {
  for (int i = 0; i < SURFACES; ++i)
    for (int w = 0; w < WALKS; ++w) free(s->pressure[i][w]);
  example_release(&s->parts);
}

static char *write_report(const stress_report *s) {
  syn_error error;
  const char *kept = getenv("SYNOVIA_KEEP"), *path = kept ? kept : temporary_path("stress.html");
  ASSERT_OK(syn_report_write(NULL, &s->report, NULL, path, &error));
  size_t size;
  return read_whole_file(path, &size);
}

/* Returns how many values are known. */
static size_t check_pressure(const char *page, const json_t *body) {
  shown_mesh shown = decode_mesh(page, body);
  const json_t *fields = json_object_get(body, "fields");
  size_t known = 0;
  assert_int_equal(json_array_size(fields), WALKS);
  for (int w = 0; w < WALKS; ++w) {
    const json_t *field = json_array_get(fields, (size_t)w);
    assert_string_equal(json_string_value(json_object_get(field, "unit")), "MPa");
    assert_string_equal(json_string_value(json_object_get(field, "motion")), names[w]);
    assert_int_equal(json_integer_value(json_object_get(field, "steps")), TIMES);
    double *values = decode_field(page, field, shown.vertex_count);
    for (int t = 0; t < TIMES; ++t)
      for (size_t i = 0; i < shown.vertex_count; ++i) {
        const double expected = pressure_at(shown.vertices[i], w, t),
                     value = values[(size_t)t * shown.vertex_count + i];
        if (isnan(expected) ||
            isnan(value)) { /* a place is stored to a micrometre: none on one side of 0, little on the other */
          assert_true(!(expected > 0.01) && !(value > 0.01));
          continue;
        }
        ++known;
        ASSERT_NEAR(value, expected, 0.01);
      }
    free(values);
  }
  release_mesh(&shown);
  return known;
}

static void pressure_in_time_comes_back(void **state) {
  (void)state;
  static stress_report s;
  make_report(&s, "simulate");
  char *page = write_report(&s);
  json_t *model = page_model(page), *body;
  size_t i, colored = 0;
  assert_string_equal(json_string_value(json_object_get(model, "kind")), "simulate");
  json_array_foreach(json_object_get(model, "bodies"), i, body) {
    if (json_array_size(json_object_get(body, "fields")) == 0) continue;
    ++colored;
    assert_true(check_pressure(page, body) > 1000);
  }
  assert_int_equal(colored, SURFACES);
  const json_t *motions = json_object_get(model, "motions"),
               *along = json_object_get(json_array_get(motions, 1), "along");
  assert_int_equal(json_array_size(motions), WALKS);
  assert_string_equal(json_string_value(json_object_get(along, "unit")), "s");
  ASSERT_NEAR(json_number_value(json_array_get(json_object_get(along, "values"), TIMES - 1)), 1, 1e-12);
  json_decref(model);
  free(page);
  release_report(&s);
}

/* Also without scripts: curves in both units, numbers before and after. */
static void the_written_page_tells_stress_and_change(void **state) {
  (void)state;
  static stress_report s;
  make_report(&s, "surgery");
  char *page = write_report(&s);
  assert_true(check_drawings(page) >= 3); /* the joint, the ranges, the curves */
  static const char *const parts[] = {"lowers the highest pressure from 7.5 to 4.2 MPa",
                                      "Highest pressure",
                                      "Joint force",
                                      "Walking, before",
                                      "Walking, after",
                                      "Before and after",
                                      "data-table=\"change\"",
                                      "Time, s"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i)
    if (!strstr(page, parts[i])) fail_msg("the page does not say '%s'", parts[i]);
  free(page);
  release_report(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_written_page_tells_stress_and_change),
      cmocka_unit_test(pressure_in_time_comes_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
