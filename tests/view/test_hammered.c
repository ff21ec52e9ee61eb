// test: early
/* The live viewer under clients that mean no good. All have the same address as the one that does. */
#include <errno.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "block_viewer.h"

enum { SLOW = 150, FAST = 150, MOST_CONNECTIONS = 256 };
static const char pose[] = "{\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,0],\"field\":\"pose_depth\"}";

static void expect_page(const viewer *v) {
  char path[64];
  snprintf(path, sizeof path, "/%s/", v->token);
  expect(ask(v, "GET", path, NULL, NULL), 200, "</html>");
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool is_closed(int connection) {
  char byte;
  const ssize_t got = recv(connection, &byte, 1, MSG_DONTWAIT);
  return got == 0 || (got < 0 && errno != EAGAIN && errno != EWOULDBLOCK);
}

static void hundreds_of_connections_are_survived(void **state) {
  const viewer *v = &((scene *)*state)->viewer;
  char request[2048];
  const int length =
      snprintf(request, sizeof request,
               "POST /%s/pose HTTP/1.1\r\nContent-Type: application/json\r\nHost: 127.0.0.1:%u\r\nConnection: close\r\n"
               "Content-Length: %zu\r\n\r\n%s",
               v->token, v->port, strlen(pose), pose);
  int slow[SLOW], fast[FAST];
  for (int i = 0; i < SLOW; ++i) {
    slow[i] = connect_viewer(v);
    send_all(slow[i], request, (size_t)(1 + i % (length - 1))); /* stuck anywhere in the request */
    fast[i] = connect_viewer(v);
    send_all(fast[i], request, (size_t)length);
  }
  for (int i = 0; i < FAST; ++i) {
    answer a = read_answer(fast[i]);
    assert_int_equal(a.status, 200);
    end_answer(&a);
  }
  for (int i = 0; i < SLOW; ++i) {
    const struct linger at_once = {.l_onoff = 1};
    if (i % 2) setsockopt(slow[i], SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    close(slow[i]);
  }
  expect_page(v);
}

static void noise_is_survived(void **state) {
  const viewer *v = &((scene *)*state)->viewer;
  test_random random = {7};
  for (int k = 0; k < 60; ++k) {
    unsigned char noise[700];
    for (size_t i = 0; i < sizeof noise; ++i) noise[i] = (unsigned char)(random_u32(&random) >> 24);
    const int connection = connect_viewer(v);
    if (k % 2) send_all(connection, "POST / HTTP/1.1\r\n", 17);
    send_all(connection, noise, 1 + random_below(&random, sizeof noise));
    close(connection);
  }
  expect_page(v);
}

/* Never silent for long, never done: one in its headers, one in its body. */
static void a_request_that_drips_is_cut_off(void **state) {
  const viewer *v = &((scene *)*state)->viewer;
  char head[2][256];
  snprintf(head[0], sizeof head[0], "GET /%s/ HTTP/1.1\r\nX-Long: ", v->token);
  snprintf(
      head[1], sizeof head[1],
      "POST /%s/pose HTTP/1.1\r\nContent-Type: application/json\r\nHost: 127.0.0.1:%u\r\nContent-Length: 60000\r\n\r\n",
      v->token, v->port);
  int dripping[2];
  double lasted[2] = {0, 0};
  const double begin = seconds();
  for (int i = 0; i < 2; ++i) {
    dripping[i] = connect_viewer(v);
    send_all(dripping[i], head[i], strlen(head[i]));
  }
  while ((lasted[0] == 0 || lasted[1] == 0) && seconds() - begin < 60) {
    for (int i = 0; i < 2; ++i) {
      if (lasted[i] > 0) continue;
      send_all(dripping[i], " ", 1);
      if (is_closed(dripping[i])) lasted[i] = seconds() - begin;
    }
    usleep(50000);
  }
  for (int i = 0; i < 2; ++i) {
    if (!(lasted[i] > 3 && lasted[i] < 30)) fail_msg("request %d was held for %g s", i, lasted[i]);
    close(dripping[i]);
  }
  expect_page(v);
}

/* With every place taken by clients that drip, one that asks properly is let in long before those would have been cut
 * off anyway. */
static void a_crowd_that_drips_keeps_nobody_out(void **state) {
  const viewer *v = &((scene *)*state)->viewer;
  int crowd[MOST_CONNECTIONS];
  for (int i = 0; i < MOST_CONNECTIONS; ++i) {
    crowd[i] = connect_viewer(v);
    send_all(crowd[i], "GET /", 5);
  }
  const double begin = seconds();
  expect(post(v, "pose", pose), 200, NULL);
  const double waited = seconds() - begin;
  print_message("let in after %.1f s\n", waited);
  int closed = 0;
  for (int i = 0; i < MOST_CONNECTIONS; ++i) {
    closed += is_closed(crowd[i]);
    close(crowd[i]);
  }
  assert_true(closed > 0 && waited < 10); /* s: then silence alone would have ended them */
  expect_page(v);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(hundreds_of_connections_are_survived),
      cmocka_unit_test(noise_is_survived),
      cmocka_unit_test(a_request_that_drips_is_cut_off),
      cmocka_unit_test(a_crowd_that_drips_keeps_nobody_out),
  };
  return cmocka_run_group_tests(tests, open_scene, close_scene);
}
