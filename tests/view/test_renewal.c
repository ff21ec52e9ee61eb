/* A page that an edit has made old is analysed again: how far that has come is told by the work itself, and others are
 * answered meanwhile. */
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "block_viewer.h"
#include "program.h"
#include "view/viewer.h"

/* ---- shares -------------------------------------------------------------------------------------------------------
 */

/* After an analysis of four steps. */
static syn_view_progress learned(void) {
  static const char *const steps[] = {"turning", "measuring", "mapping", "drawing"};
  syn_view_progress p = {0};
  syn_view_progress_begin(&p);
  for (size_t i = 0; i < sizeof steps / sizeof *steps; ++i) {
    syn_view_progress_note(&p, steps[i], 0);
    syn_view_progress_note(&p, steps[i], 0.5);
    assert_true(p.share == 0); /* nothing is known yet of how many there will be */
  }
  syn_view_progress_end(&p, true);
  assert_int_equal(p.step_count, 4);
  return p;
}

static void shares_count_the_steps(void **state) {
  (void)state;
  syn_view_progress p = learned();
  syn_view_progress_begin(&p);
  syn_view_progress_note(&p, "turning", 0);
  ASSERT_NEAR(p.share, 0, 0);
  syn_view_progress_note(&p, "turning", 0.5);
  ASSERT_NEAR(p.share, 0.125, 1e-15);
  syn_view_progress_note(&p, "turning", 0.25);
  ASSERT_NEAR(p.share, 0.125, 1e-15); /* never back */
  syn_view_progress_note(&p, "measuring", 0);
  ASSERT_NEAR(p.share, 0.25, 1e-15);
  assert_string_equal(p.what, "measuring");
  assert_int_equal(p.step, 2);
  syn_view_progress_end(&p, false);
  /* what failed half-way does not say how many there are */
  syn_view_progress_begin(&p);
  syn_view_progress_note(&p, "turning", 1);
  ASSERT_NEAR(p.share, 0.25, 1e-15);
}

static void more_steps_than_before_are_no_more_than_all(void **state) {
  (void)state;
  syn_view_progress p = learned();
  syn_view_progress_begin(&p);
  for (int i = 0; i < 20; ++i) {
    char what[32];
    snprintf(what, sizeof what, "step %d", i);
    syn_view_progress_note(&p, what, 0.5);
    assert_true(p.share > 0 && p.share <= 1);
  }
  syn_view_progress_end(&p, true);
  assert_int_equal(p.step_count, 20);
}

/* ---- over the wire ------------------------------------------------------------------------------------------------
 */

/* The work stands still until somebody has asked, so that it cannot be over before. */
static atomic_bool held, asked;

static bool hold(void *user, const char *what, double fraction) {
  (void)user;
  (void)what;
  (void)fraction;
  const struct timespec moment = {.tv_nsec = 1000000};
  while (held && !asked) nanosleep(&moment, NULL);
  return true;
}

static void send_request(int connection, const viewer *v, const char *method, const char *name, const char *body) {
  char text[512];
  const int length = snprintf(text, sizeof text,
                              "%s /%s/%s HTTP/1.1\r\nHost: 127.0.0.1:%u\r\nConnection: close\r\n"
                              "Content-Type: application/json\r\nContent-Length: %zu\r\n\r\n%s",
                              method, v->token, name, v->port, strlen(body), body);
  send_all(connection, text, (size_t)length);
}

/* The request is on its way before the work goes on. */
static answer ask_meanwhile(const viewer *v, const char *method, const char *name, const char *body) {
  const int connection = connect_viewer(v);
  send_request(connection, v, method, name, body);
  asked = true;
  answer a = read_answer(connection);
  asked = false;
  return a;
}

/* The share that is told, -1 where nothing is under way. */
static double share_now(const viewer *v, char doing[64]) {
  answer a = ask_meanwhile(v, "GET", "progress", "");
  assert_int_equal(a.status, 200);
  json_t *value = json_loads(a.body, 0, NULL);
  const json_t *share = json_at(value, "share");
  const double now = json_is_null(share) ? -1 : json_number_value(share);
  snprintf(doing, 64, "%s", now < 0 ? "" : json_string_value(json_at(value, "doing")));
  if (now >= 0) {
    const double step = json_number_value(json_at(value, "step")), steps = json_number_value(json_at(value, "steps"));
    assert_true(step >= 1 && step <= steps && now <= step / steps);
  }
  json_decref(value);
  end_answer(&a);
  return now;
}

static void a_renewal_tells_how_far_it_is(void **state) {
  const scene *s = *state;
  syn_error error;
  syn_context context = syn_default_context();
  context.threads = 1;
  context.progress = hold;
  syn_hip_input input = syn_default_hip_input();
  input.joint = s->joint;
  syn_viewer *own;
  ASSERT_OK(syn_viewer_create(&context, &input, NULL, &own, &error));
  const viewer v = viewer_at(syn_viewer_url(own));
  pthread_t runner;
  assert_int_equal(pthread_create(&runner, NULL, run_viewer, own), 0);
  char doing[64];
  assert_true(share_now(&v, doing) < 0);
  json_decref(edit(&v, "{\"center\":[0,2,-1]}"));
  held = true;
  const int page = connect_viewer(&v);
  send_request(page, &v, "GET", "", "");
  double share = -1;
  while (share < 0) share = share_now(&v, doing);
  for (double next = share; strcmp(doing, "envelope of motion") != 0 || next <= share;) {
    next = share_now(&v, doing);
    assert_true(next >= share && next < 1); /* -1, "over", is not: the work is held */
    if (strcmp(doing, "envelope of motion") != 0) share = next;
  }
  /* poses are answered meanwhile; an edit waits, and is of the hip that comes out */
  answer posed = ask_meanwhile(&v, "POST", "pose", "{\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,0],\"field\":\"\"}");
  assert_int_equal(posed.status, 200);
  end_answer(&posed);
  const int later = connect_viewer(&v);
  send_request(later, &v, "POST", "edit", "{\"center\":[0,1,0]}");
  assert_true(share_now(&v, doing) > 0);
  held = false;
  expect(read_answer(page), 200, "\"center\":[0.0,2.0,-1.0]");
  expect(read_answer(later), 200, "\"center\":[0.0,1.0,0.0]");
  /* asked to stop, it does not finish first */
  held = true;
  const int last = connect_viewer(&v);
  send_request(last, &v, "GET", "", "");
  while (share_now(&v, doing) < 0) continue;
  syn_viewer_stop(own);
  held = false;
  pthread_join(runner, NULL);
  syn_viewer_destroy(own);
  close(last);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shares_count_the_steps),
      cmocka_unit_test(more_steps_than_before_are_no_more_than_all),
      cmocka_unit_test(a_renewal_tells_how_far_it_is),
  };
  return cmocka_run_group_tests(tests, open_scene, close_scene);
}
