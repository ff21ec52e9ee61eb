#define _GNU_SOURCE /* pipe2 */
#include "view_allocations.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include "refusing.h"
#include "viewer.h"

enum { LONG_MS = 300000, SOON_MS = 250 };

/* A viewer of which one fork after the other is asked. */
typedef struct hub {
  const trial *t;
  refusing forks;
  int out;            /* what they print */
  char printed[2048]; /* by the present one */
  bool waited;        /* it has come to wait for clients: all later forks have its address */
  bool further;       /* memory is refused for ever */
  viewer v;
} hub;

/* ---- questions ----------------------------------------------------------------------------------------------------
 */

static void check_answer(const answer *a, size_t at, size_t request, bool refused) {
  const bool said = a->status >= 500 && strstr(a->body, "{\"error\":\"");
  if (a->status != 200 && (!refused || (a->status && !said)))
    fail_msg("view: allocation %zu refused: request %zu: %d %s\n%s", at, request, a->status, a->head,
             a->body ? a->body : "");
}

/* One request of each kind. A refused allocation may cost an answer, with an error or without. False: the viewer has
 * ended. `h` NULL: it is none of the forks. */
static bool ask_viewer(const viewer *v, size_t at, bool refused, const hub *h) {
  static const char *const requests[][2] = {
      {"pose", "{\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,0],\"field\":\"pose_depth\"}"},
      {"edit", "{\"center\":[0,0,-1]}"},
      {"save", "{}"},
  };
  char page[64];
  snprintf(page, sizeof page, "/%s/", v->token);
  for (size_t i = 0; i < 4; ++i) {
    answer a = i < 3 ? post(v, requests[i][0], requests[i][1]) : ask(v, "GET", page, NULL, NULL);
    const bool silent = a.status == 0 && h;
    check_answer(&a, at, i, refused);
    end_answer(&a);
    if (silent && h->further) return true; /* it can answer nothing any more */
    if (silent && has_ended(&h->forks, SOON_MS)) return false;
  }
  return true;
}

/* What it has saved is whole: as ever, or where it has ended before what was saved before the edit. */
static void check_saved(const char *path, size_t at, bool lives, const char *expected) {
  syn_error error;
  syn_joint *joint;
  size_t size;
  if (!lives) {
    if (access(path, F_OK) != 0) return;
    ASSERT_OK(syn_joint_read(NULL, path, &joint, &error));
    syn_joint_destroy(joint);
    return;
  }
  char *text = read_whole_file(path, &size);
  if (strcmp(text, expected) != 0) fail_msg("view: allocation %zu refused: another joint file is saved: %s", at, text);
  free(text);
}

/* ---- forks --------------------------------------------------------------------------------------------------------
 */

/* What has been printed so far; false: nothing more at the moment. */
static bool read_printed(hub *h) {
  const size_t used = strlen(h->printed);
  const ssize_t got = read(h->out, h->printed + used, sizeof h->printed - 1 - used);
  if (got > 0) h->printed[used + (size_t)got] = 0;
  return got > 0;
}

static bool find_address(hub *h) {
  const char *url = strstr(h->printed, "http://127.0.0.1:");
  if (!url || !strchr(url, '\n')) return false;
  h->v = viewer_at(url);
  return true;
}

/* Waits for the fork's address; false: it has ended without one. */
static bool has_begun(hub *h) {
  for (;;) {
    while (read_printed(h)) continue;
    if (find_address(h)) return true;
    if (has_ended(&h->forks, 0)) {
      while (read_printed(h)) continue;
      return find_address(h);
    }
    struct pollfd either[2] = {{.fd = h->out, .events = POLLIN}, {.fd = fileno(h->forks.answers), .events = POLLIN}};
    if (poll(either, 2, LONG_MS) == 0) fail_msg("the viewer neither begins nor ends");
  }
}

static hub start_hub(const trial *t, char *const *words) {
  hub h = {.t = t};
  int ends[2];
  assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  empty_folders(t);
  set_refused(t, SIZE_MAX, false);
  setenv("LD_PRELOAD", t->preload, 1);
  h.forks = start_refusing(words, t->changed, t->kept, ends[1]);
  unsetenv("LD_PRELOAD");
  close(ends[1]);
  h.out = ends[0];
  return h;
}

static void end_hub(hub *h) {
  end_refusing(&h->forks);
  close(h->out);
}

static void refuse_viewer(hub *h, size_t at, bool further, const char *path, const char *saved) {
  bool waits;
  h->further = further;
  if (!h->waited) memset(h->printed, 0, sizeof h->printed);
  if (!begin_refusal(&h->forks, at, further, &waits)) return;
  const bool begun = has_begun(h);
  h->waited = waits;
  const bool lives = begun && ask_viewer(&h->v, at, true, h);
  if (lives && !further) ask_viewer(&h->v, at, false, NULL);
  if (lives) kill(h->forks.fork, SIGINT);
  const int code = end_refusal(&h->forks);
  if (code != (lives ? 0 : 5) && !(further && code == 5))
    fail_msg("view: allocation %zu refused: exit code %d", at, code);
  if (count_entries(h->t->temporary)) fail_msg("view: allocation %zu refused: a temporary folder is left", at);
  check_saved(path, at, lives && !further, saved);
}

/* ---- the viewer ---------------------------------------------------------------------------------------------------
 */

/* The allocations of a run that goes well, and the joint file that it saves. */
static char *view_well(const trial *t, const char *const *words, const char *path, size_t most, chosen *c) {
  size_t live, size;
  viewer v;
  empty_folders(t);
  set_refused(t, 0, false);
  if (can_refuse()) setenv("LD_PRELOAD", t->preload, 1);
  const bool begun = try_viewer(words, &v);
  unsetenv("LD_PRELOAD");
  assert_true(begun && ask_viewer(&v, 0, false, NULL));
  assert_int_equal(stop_viewer(&v, SIGINT), 0);
  choose(t, read_count(t, &live), most, c);
  return read_whole_file(path, &size);
}

void check_viewer(const trial *t, size_t most) {
  char joint[700], file[700], view[] = "view", save[] = "--save", threads[] = "--threads", one[] = "1";
  char *words[] = {view, joint, save, file, threads, one, NULL};
  static chosen c;
  snprintf(joint, sizeof joint, "%s/blocks/joint.json", t->in);
  snprintf(file, sizeof file, "%s/saved.json", t->out);
  char *saved = view_well(t, (const char *const *)words + 1, file, most, &c);
  if (c.count) {
    hub h = start_hub(t, words);
    for (size_t i = 0; i < c.count; ++i)
      for (int turn = 0; turn < 1 + (most == SIZE_MAX); ++turn)
        refuse_viewer(&h, c.at[i], (i + (size_t)turn) % 2, file, saved);
    end_hub(&h);
  }
  print_message("%6zu of %6zu allocations refused: view\n", c.count, c.made);
  free(saved);
}
