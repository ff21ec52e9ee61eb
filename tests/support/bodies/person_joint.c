#include "person_joint.h"

#include <string.h>

static bool read_person(const char *fixed, const char *mobile, syn_vec3 offset, syn_vec3 center, person_joint *p) {
  char path[512];
  const char *found = data_path(fixed);
  syn_read_options metres = syn_default_read_options();
  syn_pose there = syn_pose_identity();
  syn_trimesh *read;
  syn_error error;
  if (!found) return false;
  snprintf(path, sizeof path, "%s", found);
  found = data_path(mobile);
  if (!found) return false;
  metres.scale = 1000;
  there.translation = offset;
  ASSERT_OK(syn_trimesh_read(NULL, path, &metres, &p->fixed, &error));
  ASSERT_OK(syn_trimesh_read(NULL, found, &metres, &read, &error));
  ASSERT_OK(syn_trimesh_transform(read, &there, &p->mobile, &error));
  syn_trimesh_destroy(read);
  p->bodies[0] = (syn_body){.name = "fixed", .surface = p->fixed};
  p->bodies[1] = (syn_body){.name = "mobile", .moves = true, .surface = p->mobile};
  p->joint = (syn_joint){.kind = "other",
                         .body_count = 2,
                         .bodies = p->bodies,
                         .has_center = true,
                         .has_axes = true,
                         .center = center,
                         .axes = {{0, 0, -1}, {-1, 0, 0}, {0, 1, 0}}};
  return true;
}

bool read_knee(person_joint *p) {
  const syn_vec3 origin = {0, 0, 0};
  return read_person("knee/bones/lenhart2015-R-femur-bone.ply", "knee/bones/smith2019-R-tibia-bone.ply", origin, origin,
                     p);
}

bool read_shoulder(person_joint *p) {
  const syn_vec3 head = {-9.55, -34, 9};
  return read_person("shoulder_skull_myosim/scapula.stl", "shoulder_skull_myosim/humerus.stl", head, head, p);
}

void drop_person_joint(person_joint *p) {
  syn_trimesh_destroy(p->fixed);
  syn_trimesh_destroy(p->mobile);
}
