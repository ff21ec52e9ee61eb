/* A viewer of the hip of blocks, whose limits have closed forms, for the tests of the viewer. */
#ifndef TEST_BLOCK_VIEWER_H
#define TEST_BLOCK_VIEWER_H

#include <signal.h>
#include <sys/stat.h>

#include "block_hip.h"
#include "program.h"
#include "viewer.h"

typedef struct scene {
  block_hip blocks;
  char joint[512]; /* its file */
  viewer viewer;
} scene;

static int open_scene(void **state) {
  static scene s;
  const char *folder = temporary_path("blocks");
  s.blocks = make_block_hip(NULL, SYN_SIDE_RIGHT, NULL);
  mkdir(folder, 0777);
  write_block_joint(&s.blocks, folder);
  snprintf(s.joint, sizeof s.joint, "%s/joint.json", folder);
  const char *const words[] = {s.joint, "--quiet", "--threads", "1", NULL};
  s.viewer = start_viewer(words);
  *state = &s;
  return 0;
}

static int close_scene(void **state) {
  scene *s = *state;
  drop_block_hip(&s->blocks);
  const int code = stop_viewer(&s->viewer, SIGINT);
  if (code != 0) print_error("the viewer ended with code %d\n", code);
  return code;
}

/* ---- answers ------------------------------------------------------------------------------------------------------
 */

static void expect(answer a, int status, const char *part) {
  if (a.status != status) fail_msg("status %d, not %d: %s\n%s", a.status, status, a.head, a.body ? a.body : "");
  if (part) assert_contains(a.body, part);
  if (status >= 400) assert_contains(a.body, "{\"error\":\"");
  end_answer(&a);
}

#endif
