/* A page that a program makes of its own bodies and motions, against the same content written by the library's writer.
 */
#include "support.h"

#include <synovia/pressure.h>
#include <synovia/report.h>

#include "base/vec.h"
#include "report/page_content.h"

enum { STEPS = 3 };

typedef struct own_content {
  syn_trimesh *cube;
  double depth[STEPS * 8], along[STEPS], force[STEPS];
  syn_pose poses[STEPS];
  syn_report_field field;
  syn_report_curve curve;
  syn_report_body body;
  syn_report_motion motion;
} own_content;

static void fill_content(own_content *c) {
  c->cube = make_cube(NULL, 10);
  for (int i = 0; i < STEPS; ++i) {
    c->along[i] = i;
    c->force[i] = 10.0 * i;
    c->poses[i] = syn_pose_about_axis(vec3(0, 0, 0), vec3(0, 0, 1), 0.1 * i);
    for (int v = 0; v < 8; ++v) c->depth[8 * i + v] = 0.5 * i + v;
  }
  c->field = (syn_report_field){"depth", "Depth", "mm", c->depth, STEPS, "turn", 0, 10};
  c->curve = (syn_report_curve){"force", "Force", "N", c->force};
  c->body = (syn_report_body){
      .body = {.name = "cube", .surface = c->cube, .moves = true}, .fields = &c->field, .field_count = 1};
  c->motion = (syn_report_motion){.name = "turn",
                                  .label = "A turn",
                                  .poses = c->poses,
                                  .pose_count = STEPS,
                                  .along_label = "Step",
                                  .along_unit = "",
                                  .along = c->along,
                                  .curves = &c->curve,
                                  .curve_count = 1};
}

static void a_page_has_what_was_added(void **state) {
  (void)state;
  own_content c;
  fill_content(&c);
  syn_page *page;
  syn_error error;
  const char *const warnings[] = {"the cube is small"};
  const syn_provenance run = {
      .command = "mine", .date = "2026-11-15 05:20 UTC", .warnings = warnings, .warning_count = 1};
  char own[512], same[512];
  snprintf(own, sizeof own, "%s", temporary_path("own.html"));
  snprintf(same, sizeof same, "%s", temporary_path("same.html"));
  ASSERT_OK(syn_page_create(NULL, "A cube", &run, &page, &error));
  syn_page_add_finding(page, "It turns.", "turn");
  syn_page_add_finding(page, NULL, NULL);
  syn_page_add_note(page, "Made by hand.", NULL);
  syn_page_add_motion(page, c.motion);
  syn_page_add_body(page, c.body);
  ASSERT_OK(syn_page_write(page, own, &error));
  /* The same content, by the library's own description of a page. */
  const syn_report report = {.kind = "page",
                             .title = "A cube",
                             .summary = (const char *const[]){"It turns."},
                             .summary_count = 1,
                             .summary_motions = (const char *const[]){"turn"},
                             .notes = (const char *const[]){"The cube is small.", "Made by hand."},
                             .note_count = 2,
                             .note_about = (const char *const[]){"", ""},
                             .bodies = &c.body,
                             .body_count = 1,
                             .motions = &c.motion,
                             .motion_count = 1,
                             .command = "mine",
                             .date = "2026-11-15 05:20 UTC"};
  ASSERT_OK(syn_report_write(NULL, &report, NULL, same, &error));
  size_t size, other_size;
  char *text = read_whole_file(own, &size), *other = read_whole_file(same, &other_size);
  assert_int_equal(size, other_size);
  assert_memory_equal(text, other, size);
  free(text);
  free(other);
  syn_page_destroy(page);
  syn_trimesh_destroy(c.cube);
}

static void records_become_tables_and_mistakes_are_said(void **state) {
  (void)state;
  own_content c;
  fill_content(&c);
  syn_page *page;
  syn_error error;
  ASSERT_OK(syn_page_create(NULL, "A step", NULL, &page, &error));
  const syn_pressure_step step = {.total = {.peak_mpa = 4.25}};
  ASSERT_OK(syn_page_add_record(page, &syn_pressure_step_record, &step, 1, "Pressure", NULL, &error));
  ASSERT_OK(syn_page_write(page, temporary_path("step.html"), &error));
  size_t size;
  char *text = read_whole_file(temporary_path("step.html"), &size);
  assert_non_null(strstr(text, "Pressure"));
  assert_non_null(strstr(text, "4.25"));
  free(text);
  syn_page_add_body(page, c.body); /* its field follows a motion that the page lacks */
  ASSERT_FAILS(syn_page_write(page, temporary_path("lost.html"), &error), SYN_BAD_ARGUMENT, "that the report lacks");
  syn_page_destroy(page);
  syn_page_destroy(NULL);
  ASSERT_OK(syn_page_create(NULL, NULL, NULL, &page, &error));
  ASSERT_FAILS(syn_page_write(page, temporary_path("untitled.html"), &error), SYN_BAD_ARGUMENT, "title");
  syn_page_destroy(page);
  syn_trimesh_destroy(c.cube);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_page_has_what_was_added),
                                     cmocka_unit_test(records_become_tables_and_mistakes_are_said)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
