/* The live viewer, with requests of a browser and with hostile ones. */
#include <sys/socket.h>

#include "block_viewer.h"
#include "program.h"

/* ---- what is there and what is not --------------------------------------------------------------------------------
 */

static void the_page_is_served_with_its_protection(void **state) {
  const viewer *v = &((scene *)*state)->viewer;
  char path[64], live[96], length[64];
  snprintf(path, sizeof path, "/%s/", v->token);
  snprintf(live, sizeof live, "\"live\":{\"url\":\"/%s\"}", v->token);
  answer page = ask(v, "GET", path, NULL, NULL);
  assert_int_equal(page.status, 200);
  assert_contains(page.body, live);
  assert_contains(page.body, "\"name\":\"pose_depth\"");
  assert_contains(page.head, "Content-Type: text/html");
  assert_contains(page.head, "frame-ancestors 'none'");
  assert_contains(page.body,
                  "http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'sha256-");
  assert_null(strstr(page.head, "unsafe-inline"));
  char *policy_end = strstr(page.body, "</title>");
  *policy_end = 0;
  assert_null(strstr(page.body, "unsafe-inline"));
  *policy_end = '<';
  assert_contains(page.head, "X-Content-Type-Options: nosniff");
  assert_null(strstr(page.head, "Access-Control"));
  snprintf(length, sizeof length, "Content-Length: %zu", page.size);
  end_answer(&page);
  answer head = ask(v, "HEAD", path, NULL, NULL);
  assert_int_equal(head.status, 200);
  assert_int_equal(head.size, 0);
  assert_contains(head.head, length);
  end_answer(&head);
  char localhost[32];
  snprintf(localhost, sizeof localhost, "localhost:%u", v->port);
  expect(ask(v, "GET", path, localhost, NULL), 200, NULL);
}

static void nothing_else_is_there(void **state) {
  const viewer *v = &((scene *)*state)->viewer;
  char path[128], wrong[64];
  static const char *const elsewhere[] = {"/", "/favicon.ico", "//", "/pose", "/../../etc/passwd", "/?x=1"};
  for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; ++i)
    expect(ask(v, "GET", elsewhere[i], NULL, NULL), 404, "nothing here");
  static const char *const inside[] = {"",     "/x", "/../", "//", "/pose/", "/index.html", "/%2e%2e/", "/joint.json",
                                       "/%00", "x",  "0/",   "-",  "xpose",  "0pose/"}; /* longer than ours */
  for (size_t i = 0; i < sizeof inside / sizeof *inside; ++i) {
    snprintf(path, sizeof path, "/%s%s", v->token, inside[i]);
    expect(ask(v, "GET", path, NULL, NULL), 404, "nothing here");
  }
  for (size_t i = 0; i < strlen(v->token); i += 31) {
    snprintf(wrong, sizeof wrong, "%s", v->token);
    wrong[i] = wrong[i] == '0' ? '1' : '0';
    snprintf(path, sizeof path, "/%s/", wrong);
    expect(ask(v, "GET", path, NULL, NULL), 404, "nothing here");
  }
}

static void other_names_of_this_computer_are_refused(void **state) {
  const viewer *v = &((scene *)*state)->viewer;
  char path[64], host[96];
  snprintf(path, sizeof path, "/%s/", v->token);
  static const char *const names[] = {"evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "[::1]"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    snprintf(host, sizeof host, "%s:%u", names[i], v->port);
    expect(ask(v, "GET", path, host, NULL), 404, "nothing here");
  }
  expect(ask(v, "GET", path, "127.0.0.1:1", NULL), 404, "nothing here");
  expect(ask(v, "GET", path, "", NULL), 404, "nothing here");
}

static void only_the_methods_of_a_resource_are_taken(void **state) {
  const viewer *v = &((scene *)*state)->viewer;
  char page[64], pose[64];
  snprintf(page, sizeof page, "/%s/", v->token);
  snprintf(pose, sizeof pose, "/%s/pose", v->token);
  static const char *const methods[] = {"DELETE", "PUT", "OPTIONS", "PATCH", "POST", "NONSENSE"};
  for (size_t i = 0; i < sizeof methods / sizeof *methods; ++i) {
    answer a = ask(v, methods[i], page, NULL, NULL);
    assert_contains(a.head, "Allow: GET, HEAD");
    expect(a, 405, NULL);
  }
  expect(ask(v, "GET", pose, NULL, NULL), 405, "POST only");
  expect(ask(v, "PUT", pose, NULL, "{}"), 405, "POST only");
}

/* ---- requests that are wrong --------------------------------------------------------------------------------------
 */

static void requests_that_are_too_large_are_refused(void **state) {
  const viewer *v = &((scene *)*state)->viewer;
  char head[256];
  snprintf(
      head, sizeof head,
      "POST /%s/pose HTTP/1.1\r\nContent-Type: application/json\r\nHost: 127.0.0.1:%u\r\nContent-Length: 65537\r\n\r\n",
      v->token, v->port);
  int connection = connect_viewer(v);
  send_all(connection, head, strlen(head));
  shutdown(connection, SHUT_WR);
  expect(read_answer(connection), 413, "64 KiB");
  /* without a Content-Length */
  snprintf(head, sizeof head,
           "POST /%s/pose HTTP/1.1\r\nContent-Type: application/json\r\nHost: 127.0.0.1:%u\r\nConnection: "
           "close\r\nTransfer-Encoding: chunked\r\n\r\n",
           v->token, v->port);
  connection = connect_viewer(v);
  send_all(connection, head, strlen(head));
  static char blanks[4097];
  memset(blanks, ' ', 4096);
  for (int i = 0; i < 17; ++i) {
    send_all(connection, "1000\r\n", 6);
    send_all(connection, blanks, 4096);
    send_all(connection, "\r\n", 2);
  }
  send_all(connection, "0\r\n\r\n", 5);
  expect(read_answer(connection), 413, "64 KiB");
  expect(post(v, "pose", blanks), 400, "not JSON");
}

static void requests_that_make_no_sense_are_told_why(void **state) {
  const viewer *v = &((scene *)*state)->viewer;
  static const struct {
    const char *resource, *body, *part;
  } cases[] = {
      {"pose", "", "not JSON"},
      {"pose", "{", "not JSON"},
      {"pose", "\xff\xfe{}", "not JSON"},
      {"pose", "[]", "expected an object"},
      {"pose", "{\"field\":\"\"}", "matrix: is missing"},
      {"pose", "{\"matrix\":[1,2],\"field\":\"\"}", "12 numbers"},
      {"pose", "{\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,NaN],\"field\":\"\"}", "not JSON"},
      {"pose", "{\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,1e999],\"field\":\"\"}", "not JSON"},
      {"pose", "{\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,\"1\"],\"field\":\"\"}", "matrix[11]"},
      {"pose", "{\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,1e300],\"field\":\"\"}", "kilometre"},
      {"pose", "{\"matrix\":[2,0,0,0,0,1,0,0,0,0,1,0],\"field\":\"\"}", "not rigid"},
      {"pose", "{\"matrix\":[-1,0,0,0,0,1,0,0,0,0,1,0],\"field\":\"\"}", "mirror"},
      {"pose", "{\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,0]}", "field: is missing"},
      {"pose", "{\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,0],\"field\":\"heat\"}", "no field 'heat'"},
      {"pose", "{\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,0],\"field\":\"\",\"x\":1}", "x: this key is not known"},
      {"edit", "{}", "marker: is missing"},
      {"edit", "{\"center\":[0,0]}", "center"},
      {"edit", "{\"center\":[1e6,0,0]}", "within a metre"},
      {"edit", "{\"center\":[0,0,0],\"marker\":\"asis\"}", "marker: this key is not known"},
      {"edit", "{\"marker\":\"asis\",\"point\":[0,0,0]}", "no landmark 'asis'"},
      {"edit", "{\"marker\":\"nose\",\"point\":[0,0,0]}", "no landmark 'nose'"},
      {"edit", "7", "not JSON"},
      {"save", "", "not JSON"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    expect(post(v, cases[i].resource, cases[i].body), 400, cases[i].part);
}

static const char standing[] = "{\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,0],\"field\":\"\"}";

/* A pose, asked with these lines among its headers. */
static answer ask_with(const viewer *v, const char *lines) {
  char request[640];
  snprintf(request, sizeof request,
           "POST /%s/pose HTTP/1.1\r\nHost: 127.0.0.1:%u\r\nConnection: close\r\n%sContent-Length: %zu\r\n\r\n%s",
           v->token, v->port, lines, strlen(standing), standing);
  const int connection = connect_viewer(v);
  send_all(connection, request, strlen(request));
  return read_answer(connection);
}

#define JSON_TYPE "Content-Type: application/json\r\n"

#define NAVIGATES "Sec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n"

/* An address that is followed from another site leads to the page, and to nothing else. */
static void only_the_page_is_reached_from_elsewhere(void **state) {
  const viewer *v = &((scene *)*state)->viewer;
  static const struct {
    const char *method, *resource, *lines;
    int status;
  } cases[] = {{"GET", "", "Sec-Fetch-Site: cross-site\r\n" NAVIGATES, 200},
               {"HEAD", "", "Sec-Fetch-Site: same-site\r\n" NAVIGATES, 200},
               {"GET", "progress", "Sec-Fetch-Site: cross-site\r\n" NAVIGATES, 404},
               {"GET", "progress", "Sec-Fetch-Site: same-origin\r\n" NAVIGATES, 200},
               {"POST", "", "Sec-Fetch-Site: cross-site\r\n" NAVIGATES, 404},
               {"GET", "pose", "Sec-Fetch-Site: cross-site\r\n" NAVIGATES, 404}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    char request[512];
    snprintf(request, sizeof request, "%s /%s/%s HTTP/1.1\r\nHost: 127.0.0.1:%u\r\nConnection: close\r\n%s\r\n",
             cases[i].method, v->token, cases[i].resource, v->port, cases[i].lines);
    const int connection = connect_viewer(v);
    send_all(connection, request, strlen(request));
    answer got = read_answer(connection);
    assert_int_equal(got.status, cases[i].status);
    end_answer(&got);
  }
}

static void pages_from_elsewhere_are_refused(void **state) {
  const viewer *v = &((scene *)*state)->viewer;
  char own[128], twice[128];
  snprintf(own, sizeof own, JSON_TYPE "Origin: http://127.0.0.1:%u\r\n", v->port);
  expect(ask_with(v, own), 200, NULL);
  snprintf(twice, sizeof twice, JSON_TYPE "Host: 127.0.0.1:%u\r\n", v->port);
  static const char *const others[] = {
      JSON_TYPE "Origin: http://evil.example\r\n",
      JSON_TYPE "Origin: null\r\n",
      JSON_TYPE "Sec-Fetch-Site: cross-site\r\n",
      JSON_TYPE "Sec-Fetch-Site: same-site\r\nSec-Fetch-Mode: cors\r\nSec-Fetch-Dest: empty\r\n",
      JSON_TYPE "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: iframe\r\n",
      JSON_TYPE "Sec-Fetch-Site: cross-site\r\n" NAVIGATES, /* a form that is sent here */
      JSON_TYPE "Sec-Fetch-Site: same-site\r\n" NAVIGATES,
  };
  for (size_t i = 0; i < sizeof others / sizeof *others; ++i) expect(ask_with(v, others[i]), 404, "nothing here");
  answer two_hosts = ask_with(v, twice); /* refused here, or by the library before */
  assert_true(two_hosts.status == 400 || two_hosts.status == 404);
  end_answer(&two_hosts);
  expect(ask_with(v, JSON_TYPE "Sec-Fetch-Site: same-origin\r\n"), 200, NULL);
  expect(ask_with(v, JSON_TYPE "Sec-Fetch-Site: none\r\n"), 200, NULL);
}

/* A form of another page cannot send JSON as JSON. */
static void bodies_of_other_types_are_refused(void **state) {
  const viewer *v = &((scene *)*state)->viewer;
  static const char *const types[] = {"", "Content-Type: text/plain\r\n", "Content-Type: application/jsonp\r\n",
                                      "Content-Type: application/x-www-form-urlencoded\r\n"};
  for (size_t i = 0; i < sizeof types / sizeof *types; ++i) expect(ask_with(v, types[i]), 415, "application/json only");
  expect(ask_with(v, "Content-Type: Application/JSON; charset=utf-8\r\n"), 200, NULL);
}

/* ---- pages after an edit --------------------------------------------------------------------------------------------
 */

static void the_page_is_that_of_the_new_centre(void **state) {
  const viewer *v = &((scene *)*state)->viewer;
  char path[64];
  snprintf(path, sizeof path, "/%s/", v->token);
  expect(ask(v, "GET", path, NULL, NULL), 200, "\"center\":[0.0,0.0,0.0]");
  json_decref(edit(v, "{\"center\":[0,2,-1]}"));
  for (int k = 0; k < 2; ++k) expect(ask(v, "GET", path, NULL, NULL), 200, "\"center\":[0.0,2.0,-1.0]");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_page_is_served_with_its_protection),
      cmocka_unit_test(nothing_else_is_there),
      cmocka_unit_test(other_names_of_this_computer_are_refused),
      cmocka_unit_test(only_the_methods_of_a_resource_are_taken),
      cmocka_unit_test(pages_from_elsewhere_are_refused),
      cmocka_unit_test(only_the_page_is_reached_from_elsewhere),
      cmocka_unit_test(bodies_of_other_types_are_refused),
      cmocka_unit_test(requests_that_are_too_large_are_refused),
      cmocka_unit_test(requests_that_make_no_sense_are_told_why),
      cmocka_unit_test(the_page_is_that_of_the_new_centre),
  };
  return cmocka_run_group_tests(tests, open_scene, close_scene);
}
