#define _GNU_SOURCE /* pipe2 */
#include "viewer.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "program.h"

enum { MAX_WORDS = 24 };
extern char **environ;

/* ---- the process --------------------------------------------------------------------------------------------------
 */

static bool read_url(const char *url, viewer *v) {
  return sscanf(url, "http://127.0.0.1:%u/%32[0-9a-f]/", &v->port, v->token) == 2 && strlen(v->token) == 32;
}

viewer viewer_at(const char *url) {
  viewer v = {.out = -1};
  if (!read_url(url, &v)) fail_msg("this is no address: %s", url);
  return v;
}

/* Reads up to the end of the address, however it is wrapped. False where it ends before. */
static bool read_address(viewer *v) {
  size_t size = 0;
  while (size + 1 < sizeof v->first) {
    if (read(v->out, v->first + size, 1) != 1) return false;
    v->first[++size] = 0;
    const char *url = strstr(v->first, "http://127.0.0.1:");
    if (url && read_url(url, v) && v->first[size - 1] == '\n') return true;
  }
  fail_msg("this is no address: %s", v->first);
  return false;
}

/* With its end of the pipe in v.out, and the other one, which is the program's, in *in. */
static viewer spawn_viewer(const char *const *words, int *in) {
  viewer v = {0};
  char *arguments[MAX_WORDS] = {(char *)(uintptr_t) "synovia", (char *)(uintptr_t) "view"};
  for (size_t i = 0; words[i] && i + 3 < MAX_WORDS; ++i) arguments[i + 2] = (char *)(uintptr_t)words[i];
  int ends[2];
  assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  if (posix_spawn(&v.child, SYN_PROGRAM, &actions, NULL, arguments, environ) != 0) fail_msg("cannot run " SYN_PROGRAM);
  posix_spawn_file_actions_destroy(&actions);
  v.out = ends[0];
  *in = ends[1];
  return v;
}

bool try_viewer(const char *const *words, viewer *v) {
  int in;
  *v = spawn_viewer(words, &in);
  close(in);
  return read_address(v);
}

viewer start_viewer(const char *const *words) {
  viewer v;
  if (!try_viewer(words, &v)) fail_msg("the viewer ended before it printed its address: %s", v.first);
  return v;
}

/* Asleep at every look for a while: what computes is never. */
static void wait_until_asleep(pid_t child) {
  char path[64], text[512];
  snprintf(path, sizeof path, "/proc/%d/stat", (int)child);
  for (int looks = 0, asleep = 0; asleep < 8; ++looks) {
    FILE *file = fopen(path, "r");
    if (!file || !fgets(text, sizeof text, file) || looks > 6000) fail_msg("the viewer does not come to its address");
    fclose(file);
    const char *state = strrchr(text, ')');
    asleep = state && state[2] == 'S' ? asleep + 1 : 0;
    usleep(20000);
  }
}

int stop_while_it_tells(const char *const *words, int signal_number) {
  static char junk[1 << 16];
  int in;
  const int flags[2] = {O_NONBLOCK, 0};
  viewer v = spawn_viewer(words, &in);
  fcntl(in, F_SETFL, flags[0]); /* the program shares it, but writes long after it is as it was */
  while (write(in, junk, sizeof junk) > 0) continue;
  while (write(in, junk, 1) > 0) continue;
  fcntl(in, F_SETFL, flags[1]);
  close(in);
  wait_until_asleep(v.child);
  kill(v.child, signal_number);
  while (read(v.out, junk, sizeof junk) > 0) continue;
  return stop_viewer(&v, 0);
}

int stop_viewer(viewer *v, int signal_number) {
  int status;
  kill(v->child, signal_number);
  if (waitpid(v->child, &status, 0) != v->child) fail_msg("cannot wait for " SYN_PROGRAM);
  close(v->out);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* ---- talking ------------------------------------------------------------------------------------------------------
 */

/* -1 if the server does not listen. */
static int try_connect(const viewer *v) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)v->port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int connection = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const struct timeval patience = {.tv_sec = 60};
  setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  if (connect(connection, (const struct sockaddr *)&address, sizeof address) == 0) return connection;
  close(connection);
  return -1;
}

int connect_viewer(const viewer *v) {
  const int connection = try_connect(v);
  if (connection < 0) fail_msg("cannot connect");
  return connection;
}

/* A viewer that has refused the rest may have closed the connection: that shows in its answer. */
void send_all(int connection, const void *bytes, size_t size) {
  const char *at = bytes;
  while (size) {
    const ssize_t sent = send(connection, at, size, MSG_NOSIGNAL);
    if (sent <= 0) return;
    at += sent;
    size -= (size_t)sent;
  }
}

answer read_answer(int connection) {
  answer a = {0};
  size_t size = 0, capacity = 1 << 16;
  char *bytes = malloc(capacity + 1);
  ssize_t got;
  while ((got = recv(connection, bytes + size, capacity - size, 0)) > 0) {
    size += (size_t)got;
    if (size == capacity) bytes = realloc(bytes, (capacity *= 2) + 1);
  }
  close(connection);
  bytes[size] = 0;
  a.head = bytes;
  char *end = strstr(bytes, "\r\n\r\n");
  if (!end) return a;
  *end = 0;
  a.body = end + 4;
  a.size = size - (size_t)(a.body - bytes);
  if (sscanf(bytes, "HTTP/1.1 %d", &a.status) != 1) fail_msg("this is no answer: %s", bytes);
  return a;
}

void end_answer(answer *a) {
  free(a->head);
  *a = (answer){0};
}

answer ask(const viewer *v, const char *method, const char *path, const char *host, const char *body) {
  char own[32], head[1024];
  snprintf(own, sizeof own, "127.0.0.1:%u", v->port);
  snprintf(head, sizeof head,
           "%s %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: "
           "%zu\r\n\r\n",
           method, path, host ? host : own, body ? strlen(body) : 0);
  const int connection = try_connect(v);
  if (connection < 0) return (answer){.head = strdup("cannot connect")};
  send_all(connection, head, strlen(head));
  if (body) send_all(connection, body, strlen(body));
  return read_answer(connection);
}

answer post(const viewer *v, const char *name, const char *body) {
  char path[128];
  snprintf(path, sizeof path, "/%s/%s", v->token, name);
  return ask(v, "POST", path, NULL, body);
}

void expect(answer a, int status, const char *part) {
  if (a.status != status) fail_msg("status %d, not %d: %s\n%s", a.status, status, a.head, a.body ? a.body : "");
  if (part) assert_contains(a.body, part);
  if (status >= 400) assert_contains(a.body, "{\"error\":\"");
  end_answer(&a);
}

/* ---- poses --------------------------------------------------------------------------------------------------------
 */

static char *pose_request(const syn_pose *pose, const char *field, char room[1024]) {
  double m[16];
  syn_pose_to_matrix(pose, m);
  char *at = room + sprintf(room, "{\"field\":\"%s\",\"matrix\":[", field);
  for (int i = 0; i < 12; ++i) at += sprintf(at, "%s%.17g", i ? "," : "", m[i]);
  strcpy(at, "]}");
  return room;
}

pose_answer ask_pose(const viewer *v, const syn_pose *pose, const char *field) {
  char request[1024];
  pose_answer a = {.raw = post(v, "pose", pose_request(pose, field, request))};
  if (a.raw.status != 200) fail_msg("%s: %s", request, a.raw.body);
  const unsigned char *b = (const unsigned char *)a.raw.body;
  const size_t length = b[0] + 256u * b[1] + 65536u * b[2];
  assert_true(a.raw.size >= 4 + length && length % 4 == 0);
  a.value = json_loadb(a.raw.body + 4, length, 0, NULL);
  assert_non_null(a.value);
  a.stored = b + 4 + length;
  a.stored_count = (a.raw.size - 4 - length) / 2;
  return a;
}

void end_pose(pose_answer *a) {
  json_decref(a->value);
  end_answer(&a->raw);
}

double number_named(json_t *value, const char *name) {
  size_t i;
  json_t *number;
  json_array_foreach(json_at(value, "numbers"), i, number) {
    if (strcmp(json_string_value(json_object_get(number, "name")), name) == 0)
      return json_number_value(json_object_get(number, "value"));
  }
  fail_msg("there is no number %s", name);
  return 0;
}

json_t *edit(const viewer *v, const char *body) {
  answer a = post(v, "edit", body);
  if (a.status != 200) fail_msg("%s: %s", body, a.body);
  json_t *value = json_loads(a.body, 0, NULL);
  end_answer(&a);
  assert_non_null(value);
  return value;
}

double range_named(json_t *value, const char *name) {
  size_t i;
  json_t *range;
  json_array_foreach(json_at(value, "ranges"), i, range) {
    if (strcmp(json_string_value(json_object_get(range, "name")), name) == 0)
      return json_number_value(json_object_get(range, "value"));
  }
  fail_msg("there is no range %s", name);
  return 0;
}
