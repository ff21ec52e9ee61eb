/* A viewer of the hip of blocks, whose limits have closed forms, as the library makes it: it answers on a thread of its
 * own while `viewer` is asked. */
#ifndef TEST_BLOCK_VIEWER_H
#define TEST_BLOCK_VIEWER_H

#include <pthread.h>
#include <sys/stat.h>

#include <synovia/view.h>

#include "block_hip.h"
#include "mesh/canonical.h"
#include "viewer.h"

typedef struct scene {
  block_hip blocks;
  char joint[512]; /* its file */
  syn_viewer *own;
  viewer viewer;
  pthread_t runner;
} scene;

static void *run_viewer(void *own) {
  syn_error error = {.byte = -1};
  if (syn_viewer_run(own, &error) != SYN_OK) print_error("%s\n", error.message);
  return NULL;
}

/* A viewer that does not run yet. */
static syn_viewer *make_viewer(const char *joint) {
  syn_error error;
  syn_viewer *made;
  syn_hip_input input = syn_default_hip_input();
  input.joint = joint;
  static syn_context context;
  context = syn_default_context();
  context.threads = 1;
  ASSERT_OK(syn_viewer_create(&context, &input, NULL, &made, &error));
  return made;
}

/* As a hip that is opened numbers its vertices: answers are compared vertex by vertex. */
static void renumber_blocks(block_hip *blocks) {
  for (int i = 0; i < SYN_HIP_PARTS; ++i) {
    syn_error error;
    syn_trimesh *renumbered;
    if (!blocks->hip.parts[i]) continue;
    ASSERT_OK(syn_trimesh_renumber(blocks->hip.parts[i], &renumbered, &error));
    syn_trimesh_destroy(blocks->meshes[i]);
    blocks->hip.parts[i] = blocks->meshes[i] = renumbered;
  }
}

static int open_scene(void **state) {
  static scene s;
  s.blocks = make_block_hip(NULL, SYN_SIDE_RIGHT, NULL);
  renumber_blocks(&s.blocks);
  const char *folder = temporary_path("blocks");
  mkdir(folder, 0777);
  write_block_joint(&s.blocks, folder);
  snprintf(s.joint, sizeof s.joint, "%s/joint.json", folder);
  s.own = make_viewer(s.joint);
  s.viewer = viewer_at(syn_viewer_url(s.own));
  *state = &s;
  return pthread_create(&s.runner, NULL, run_viewer, s.own);
}

static int close_scene(void **state) {
  scene *s = *state;
  syn_viewer_stop(s->own);
  pthread_join(s->runner, NULL);
  syn_viewer_destroy(s->own);
  drop_block_hip(&s->blocks);
  return 0;
}

#endif
