/* The viewer plays a scene of soft tissue: simulated when it is opened, and again when its file has changed. */
#include <signal.h>

#include "program.h"
#include "viewer.h"

static const char text[] =
    "{\"synovia\": 1, \"name\": \"%s\", \"bodies\": [{\"name\": \"beam\", \"shape\": {\"name\": "
    "\"beam\", \"length\": 40, \"width\": 10, \"height\": 10, \"cells-x\": 4, \"cells-y\": 1, "
    "\"cells-z\": 1}, \"model\": \"fem\", \"law\": \"corotational\", \"material\": {\"young_mpa\": "
    "1, \"poisson\": 0.3, \"density_kg_m3\": 1000}}], \"hold\": [{\"body\": \"beam\", \"box\": "
    "{\"min\": [-1, -10, -10], \"max\": [0.001, 10, 10]}}], \"gravity\": [0, 0, -9810], "
    "\"integrator\": \"implicit\", \"step_s\": 0.01, \"duration_s\": 0.05, \"frame_s\": 0.01}";

static void write_scene(const char *path, const char *name) {
  char file[1024];
  snprintf(file, sizeof file, text, name);
  write_text_file(path, file);
}

static answer page_of(const viewer *v) {
  char path[64];
  snprintf(path, sizeof path, "/%s/", v->token);
  return ask(v, "GET", path, NULL, NULL);
}

static void a_scene_is_played(void **state) {
  (void)state;
  const char *file = temporary_path("scene.json");
  write_scene(file, "A first beam");
  viewer v = start_viewer((const char *const[]){file, NULL});
  answer page = page_of(&v);
  assert_int_equal(page.status, 200);
  assert_contains(page.body, "A first beam");
  assert_contains(page.body, "\"name\":\"simulation\"");   /* the motion */
  assert_contains(page.body, "\"name\":\"displacement\""); /* the shape in time */
  assert_contains(page.body, "\"displaces\":true");
  assert_contains(page.body, "\"name\":\"von_mises\""); /* its colours in time */
  end_answer(&page);
  expect(post(&v, "pose", "{}"), 400, "nothing to pose");
  expect(post(&v, "edit", "{}"), 400, "nothing to pose, edit or save");
  expect(post(&v, "save", "{}"), 400, "nothing to pose, edit or save");

  write_scene(file, "Another beam, with a longer name");
  page = page_of(&v);
  assert_int_equal(page.status, 200);
  assert_contains(page.body, "Another beam, with a longer name");
  end_answer(&page);

  write_text_file(file, "{\"integrator\": 1"); /* in the middle of being written: the viewer lives on */
  expect(page_of(&v), 400, NULL);
  write_scene(file, "Good again");
  page = page_of(&v);
  assert_contains(page.body, "Good again");
  end_answer(&page);
  assert_int_equal(stop_viewer(&v, SIGINT), 0);
}

static void what_cannot_be_played_is_said(void **state) {
  (void)state;
  const char *file = temporary_path("wrong.json");
  viewer v;
  write_text_file(file, "{\"synovia\": 1, \"integrator\": \"implicit\", \"bodies\": []}");
  assert_false(try_viewer((const char *const[]){file, NULL}, &v));
  assert_int_not_equal(stop_viewer(&v, SIGINT), 0);
  const char *good = temporary_path("good.json");
  write_scene(good, "A beam");
  assert_false(try_viewer((const char *const[]){good, "--save", temporary_path("joint.json"), NULL}, &v));
  assert_int_not_equal(stop_viewer(&v, SIGINT), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_scene_is_played),
      cmocka_unit_test(what_cannot_be_played_is_said),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
