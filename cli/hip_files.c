#include "hip_files.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/json.h"
#include "base/memory.h"

/* ---- ParaView -----------------------------------------------------------------------------------------------------
 */

static syn_status write_part(cli_session *session, const syn_hip_analysis *a, syn_hip_part part, const char *folder,
                             syn_error *error) {
  const syn_fai *fai = a->impingement.fai;
  const syn_fadir *fadir = a->impingement.fadir;
  const bool femur = part == SYN_HIP_FEMUR, labrum = part == SYN_HIP_LABRUM;
  const double *curvilinear = !fai ? NULL : femur ? fai->femur_depth_mm : labrum ? fai->labrum_depth_mm : NULL;
  const double *radial = !fai ? NULL : femur ? fai->femur_radial_mm : labrum ? fai->labrum_radial_mm : NULL;
  const double *zone = !fadir ? NULL : femur ? fadir->femur_zone : part == SYN_HIP_PELVIS ? fadir->pelvis_zone : NULL;
  syn_field fields[3];
  syn_geometry geometry = syn_trimesh_geometry(a->hip_case->hip.parts[part]);
  geometry.fields = fields;
  if (curvilinear) fields[geometry.field_count++] = (syn_field){"curvilinear_depth_mm", SYN_ON_POINTS, 1, curvilinear};
  if (radial) fields[geometry.field_count++] = (syn_field){"radial_depth_mm", SYN_ON_POINTS, 1, radial};
  if (zone) fields[geometry.field_count++] = (syn_field){"impingement_zone", SYN_ON_POINTS, 1, zone};
  char name[64];
  snprintf(name, sizeof name, "%s.vtp", syn_hip_part_name(part));
  char *path = cli_path(folder, name);
  const syn_status status = cli_write(session, &geometry, path, NULL, error);
  free(path);
  return status;
}

/* ---- glTF ---------------------------------------------------------------------------------------------------------
 */

static const float colors[SYN_HIP_PARTS][4] = {
    [SYN_HIP_PELVIS] = {0.83f, 0.78f, 0.66f, 1},
    [SYN_HIP_FEMUR] = {0.87f, 0.84f, 0.76f, 1},
    [SYN_HIP_LABRUM] = {0.62f, 0.21f, 0.17f, 1},
    [SYN_HIP_FEMORAL_CARTILAGE] = {0.29f, 0.48f, 0.72f, 1},
    [SYN_HIP_ACETABULAR_CARTILAGE] = {0.20f, 0.55f, 0.58f, 1},
};

static syn_status write_glb(cli_session *session, const syn_hip_analysis *a, const char *folder, syn_error *error) {
  const syn_impingement *motion = &a->impingement;
  syn_scene_body bodies[SYN_HIP_PARTS];
  syn_scene scene = {.name = "hip", .bodies = bodies, .keyframe_count = motion->pose_count};
  double *times;
  SYN_TRY(SYN_NEW(&session->context, &times, motion->pose_count, error));
  for (size_t i = 0; i < motion->pose_count; ++i) times[i] = (double)i / 10;
  scene.times_s = times;
  for (int i = 0; i < SYN_HIP_PARTS; ++i) {
    const syn_hip_part part = (syn_hip_part)i;
    if (!a->hip_case->hip.parts[i]) continue;
    bodies[scene.body_count++] = (syn_scene_body){.name = syn_hip_part_name(part),
                                                  .mesh = a->hip_case->hip.parts[i],
                                                  .color = {colors[i][0], colors[i][1], colors[i][2], colors[i][3]},
                                                  .keyframes = syn_hip_part_moves(part) ? motion->poses : NULL};
  }
  char *path = cli_path(folder, "hip.glb");
  const syn_status status = syn_scene_write(&session->context, &scene, path, error);
  if (status == SYN_OK) cli_made(session, path);
  free(path);
  syn_free(&session->context, times);
  return status;
}

/* ---- joint file ---------------------------------------------------------------------------------------------------
 */

void cli_fill_joint(const syn_hip_case *hip_case, const char *const files[SYN_HIP_PARTS], cli_joint *filled) {
  const syn_hip *hip = &hip_case->hip;
  const syn_anatomy *anatomy = hip_case->anatomy;
  syn_joint *joint = &filled->joint;
  const bool named = hip_case->joint && hip_case->joint->name[0];
  *joint = (syn_joint){.name = named ? hip_case->joint->name : "hip",
                       .side = hip->side,
                       .bodies = filled->bodies,
                       .landmarks = filled->landmarks,
                       .has_center = true,
                       .center = hip->center};
  for (int i = 0; i < SYN_HIP_PARTS; ++i) {
    if (!hip->parts[i]) continue;
    const syn_hip_part part = (syn_hip_part)i;
    filled->bodies[joint->body_count++] = (syn_body){.name = syn_hip_part_name(part),
                                                     .mesh_file = files[i],
                                                     .tissue = syn_hip_part_tissue(part),
                                                     .moves = syn_hip_part_moves(part),
                                                     .material = syn_material_unknown()};
  }
  const bool given_axes = anatomy && anatomy->pelvis_frame == SYN_FRAME_GIVEN;
  for (int i = 0; anatomy && !given_axes && i < SYN_LANDMARKS; ++i)
    if (anatomy->landmarks[i].found != SYN_FOUND_NOT)
      filled->landmarks[joint->landmark_count++] =
          (syn_joint_landmark){syn_landmark_name((syn_landmark)i), anatomy->landmarks[i].place};
  if (!joint->landmark_count) {
    joint->has_axes = true;
    joint->axes = hip->pelvis_axes;
  }
}

static syn_status write_joint(cli_session *session, const syn_hip_analysis *a, const char *folder, syn_error *error) {
  char names[SYN_HIP_PARTS][64];
  const char *files[SYN_HIP_PARTS];
  for (int i = 0; i < SYN_HIP_PARTS; ++i) {
    snprintf(names[i], sizeof names[i], "%s.vtp", syn_hip_part_name((syn_hip_part)i));
    files[i] = names[i];
  }
  cli_joint filled;
  cli_fill_joint(a->hip_case, files, &filled);
  syn_arena arena = {.context = &session->context};
  const char **notes;
  SYN_TRY(cli_warning_texts(session, &arena, 0, &notes, &filled.joint.note_count, error));
  filled.joint.notes = notes;
  char *path = cli_path(folder, "joint.json");
  const syn_status status = syn_joint_write(&session->context, &filled.joint, path, error);
  if (status == SYN_OK) cli_made(session, path);
  free(path);
  syn_arena_release(&arena);
  return status;
}

/* ---- all ----------------------------------------------------------------------------------------------------------
 */

syn_status cli_write_hip_result(cli_session *session, const char *folder, syn_error *error) {
  char *path = cli_path(folder, "result.json");
  cli_made(session, path); /* before it is written, so that it is in its own list */
  cli_set_files(session);
  json_t *envelope = cli_envelope(session, NULL);
  const syn_status status = syn_json_write(&session->context, envelope, path, error);
  json_decref(envelope);
  free(path);
  return status;
}

static syn_status write_map(cli_session *session, const syn_hip_analysis *a, const char *folder, syn_error *error) {
  char *path = cli_path(folder, "rom.csv");
  const syn_status status = cli_write_envelope(session, a->envelope, path, error);
  free(path);
  return status;
}

syn_status cli_write_hip_files(cli_session *session, const syn_hip_analysis *a, bool from_joint, const char *folder,
                               syn_error *error) {
  for (int i = 0; i < SYN_HIP_PARTS; ++i)
    if (a->hip_case->hip.parts[i]) SYN_TRY(write_part(session, a, (syn_hip_part)i, folder, error));
  SYN_TRY(write_glb(session, a, folder, error));
  if (!from_joint) SYN_TRY(write_joint(session, a, folder, error));
  return a->envelope ? write_map(session, a, folder, error) : SYN_OK;
}
