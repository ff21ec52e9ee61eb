#include "block_hip.h"

#include <synovia/mesh.h>

#include "base/vec.h"
#include "clinic/hip.h"

syn_trimesh *make_block(const syn_context *context, syn_vec3 min, syn_vec3 max) {
  syn_error error;
  syn_trimesh *cube = make_cube(context, 1), *block;
  syn_vec3 places[8];
  for (int i = 0; i < 8; ++i) {
    const syn_vec3 v = cube->vertices[i];
    places[i] = vec3(v.x > 0 ? max.x : min.x, v.y > 0 ? max.y : min.y, v.z > 0 ? max.z : min.z);
  }
  ASSERT_OK(syn_trimesh_create(context, places, 8, cube->triangles, 12, &block, &error));
  syn_trimesh_destroy(cube);
  return block;
}

/* Takes the mesh over. */
static void put_part(block_hip *blocks, syn_hip_part part, syn_trimesh *mesh, const syn_pose *pose) {
  syn_error error;
  syn_trimesh *next;
  if (blocks->hip.side == SYN_SIDE_LEFT) {
    ASSERT_OK(syn_trimesh_mirror(mesh, &next, &error));
    syn_trimesh_destroy(mesh);
    mesh = next;
  }
  if (pose) {
    ASSERT_OK(syn_trimesh_transform(mesh, pose, &next, &error));
    syn_trimesh_destroy(mesh);
    mesh = next;
  }
  blocks->hip.parts[part] = blocks->meshes[part] = mesh;
}

static syn_trimesh *merged(const syn_context *context, const syn_box *boxes, size_t count) {
  syn_error error;
  syn_trimesh *meshes[3] = {NULL}, *all;
  for (size_t i = 0; i < count; ++i) meshes[i] = make_block(context, boxes[i].min, boxes[i].max);
  ASSERT_OK(syn_trimesh_merge(context, (const syn_trimesh *const *)meshes, count, &all, &error));
  for (size_t i = 0; i < count; ++i) syn_trimesh_destroy(meshes[i]);
  return all;
}

static syn_hip_axes axes_of(syn_side side, const syn_pose *pose) {
  const double s = side == SYN_SIDE_RIGHT ? 1 : -1;
  const syn_hip_axes axes = {{1, 0, 0}, {0, s, 0}, {0, 0, s}};
  if (!pose) return axes;
  return (syn_hip_axes){syn_pose_direction(pose, axes.flexion), syn_pose_direction(pose, axes.adduction),
                        syn_pose_direction(pose, axes.rotation)};
}

block_hip make_block_hip(const syn_context *context, syn_side side, const syn_pose *pose) {
  const syn_box pelvis[3] = {{{-5, 20, -20}, {5, 32, -8}}, {{-32, -5, -20}, {-20, 5, -8}}, {{10, 10, -2}, {22, 22, 2}}};
  const syn_box femur[2] = {{{-3, -3, -50}, {3, 3, -10}}, {{6, -2, -3}, {26, 2, 3}}};
  block_hip blocks = {.hip = {.side = side,
                              .center = pose ? pose->translation : vec3(0, 0, 0),
                              .pelvis_axes = axes_of(side, pose),
                              .femur_axes = axes_of(side, pose)}};
  put_part(&blocks, SYN_HIP_PELVIS, merged(context, pelvis, 3), pose);
  put_part(&blocks, SYN_HIP_FEMUR, merged(context, femur, 2), pose);
  return blocks;
}

void add_block(block_hip *blocks, syn_hip_part part, syn_vec3 min, syn_vec3 max, const syn_pose *pose) {
  put_part(blocks, part, make_block(blocks->meshes[SYN_HIP_FEMUR]->context, min, max), pose);
}

void drop_block_hip(block_hip *blocks) {
  for (int i = 0; i < SYN_HIP_PARTS; ++i) syn_trimesh_destroy(blocks->meshes[i]);
}

void write_block_joint(const block_hip *blocks, const char *folder) {
  syn_error error;
  static const syn_tissue tissues[SYN_HIP_PARTS] = {[SYN_HIP_LABRUM] = SYN_TISSUE_LABRUM};
  syn_body bodies[SYN_HIP_PARTS];
  char names[SYN_HIP_PARTS][64], path[1024];
  const syn_hip *hip = &blocks->hip;
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
    snprintf(path, sizeof path, "%s/%s", folder, names[i]);
    const syn_geometry geometry = syn_trimesh_geometry(hip->parts[i]);
    ASSERT_OK(syn_geometry_write(NULL, &geometry, path, NULL, &error));
    bodies[joint.body_count++] = (syn_body){.name = syn_hip_part_name(part),
                                            .mesh_file = names[i],
                                            .tissue = tissues[i],
                                            .moves = syn_hip_part_moves(part),
                                            .material = syn_material_unknown()};
  }
  snprintf(path, sizeof path, "%s/joint.json", folder);
  ASSERT_OK(syn_joint_write(NULL, &joint, path, &error));
}

double turn_to_edge(double along, double ahead, double offset) {
  return atan2(ahead, along) - asin(offset / hypot(along, ahead));
}
double block_flexion(void) { return turn_to_edge(20, 20, 3); }
double block_adduction(void) { return turn_to_edge(20, 20, 3); }
double block_internal_rotation(void) { return turn_to_edge(22, 10, 2); }
/* The other way the bar comes down on the far upper edge, and the fin on the edge nearest to the front. */
double block_extension(void) { return 2 * SYN_PI - turn_to_edge(8, 32, -3); }
double block_external_rotation(void) { return 2 * SYN_PI - turn_to_edge(10, 22, -2); }

void ask_all_motions(const syn_hip *hip, syn_limit *limits) {
  syn_error error;
  syn_rom *rom;
  ASSERT_OK(syn_hip_rom_create(NULL, hip, &rom, &error));
  void *scratch = malloc(syn_rom_scratch(rom));
  for (size_t i = 0; i < SYN_CLINICAL_MOTIONS; ++i) {
    const syn_motion *motion = &syn_clinical_motions[i];
    syn_rom_query(rom, &(syn_motion){.start = motion->start, .axis = motion->axis, .sign = motion->sign}, scratch,
                  &limits[i]);
  }
  free(scratch);
  syn_rom_destroy(rom);
}
