/* A viewer of the hip of blocks, whose limits have closed forms, for the tests of the viewer. */
#ifndef TEST_BLOCK_VIEWER_H
#define TEST_BLOCK_VIEWER_H

#include <signal.h>

#include "block_hip.h"
#include "program.h"
#include "viewer.h"

typedef struct scene {
  block_hip blocks;
  char joint[512]; /* its file */
  viewer viewer;
} scene;

static void write_block_joint(scene *s) {
  syn_error error;
  static const syn_tissue tissues[SYN_HIP_PARTS] = {[SYN_HIP_LABRUM] = SYN_TISSUE_LABRUM};
  syn_body bodies[SYN_HIP_PARTS];
  char names[SYN_HIP_PARTS][64];
  const syn_hip *hip = &s->blocks.hip;
  syn_joint joint = {.name = "blocks",
                     .side = hip->side,
                     .bodies = bodies,
                     .has_center = true,
                     .has_axes = true,
                     .center = hip->center,
                     .axes = hip->pelvis_axes};
  for (int i = 0; i < SYN_HIP_PARTS; ++i) {
    if (!hip->parts[i]) continue;
    const syn_hip_part part = (syn_hip_part)i;
    snprintf(names[i], sizeof names[i], "%s.ply", syn_hip_part_name(part));
    const syn_geometry geometry = syn_trimesh_geometry(hip->parts[i]);
    ASSERT_OK(syn_geometry_write(NULL, &geometry, temporary_path(names[i]), NULL, &error));
    bodies[joint.body_count++] = (syn_body){.name = syn_hip_part_name(part),
                                            .mesh_file = names[i],
                                            .tissue = tissues[i],
                                            .moves = syn_hip_part_moves(part),
                                            .material = syn_material_unknown()};
  }
  snprintf(s->joint, sizeof s->joint, "%s", temporary_path("joint.json"));
  ASSERT_OK(syn_joint_write(NULL, &joint, s->joint, &error));
}

static int open_scene(void **state) {
  static scene s;
  s.blocks = make_block_hip(NULL, SYN_SIDE_RIGHT, NULL);
  write_block_joint(&s);
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
