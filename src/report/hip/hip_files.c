#include "report/hip/hip_files.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "report/hip/hip_writing.h"

enum { LONGEST_NAME = 64 };

/* Where the files of one analysis go. */
typedef struct staging {
  const syn_context *context;
  const syn_hip_analysis *analysis;
  syn_outbox *outbox;
  const char *hidden; /* folder */
  const char *title;  /* NULL: the joint's own name */
  syn_arena arena;
} staging;

static syn_status path_of(staging *s, const char *name, char **path, syn_error *error) {
  const size_t size = strlen(s->hidden) + strlen(name) + 2;
  SYN_TRY(SYN_TAKE(&s->arena, path, size, error));
  snprintf(*path, size, "%s/%s", s->hidden, name);
  return SYN_OK;
}

static void part_file(syn_hip_part part, char name[LONGEST_NAME]) {
  snprintf(name, LONGEST_NAME, "%s.vtp", syn_hip_part_name(part));
}

/* ---- ParaView -----------------------------------------------------------------------------------------------------
 */

/* "curvilinear_depth" in mm as "curvilinear_depth_mm". */
static void field_name(const syn_report_field *field, char name[LONGEST_NAME]) {
  snprintf(name, LONGEST_NAME, "%s%s%s", field->name, field->unit[0] ? "_" : "", field->unit);
}

static syn_status write_part(staging *s, syn_hip_part part, syn_error *error) {
  syn_report_field shown[HIP_FIELDS];
  syn_field fields[HIP_FIELDS];
  char names[HIP_FIELDS][LONGEST_NAME], file[LONGEST_NAME], *path;
  syn_geometry geometry = syn_trimesh_geometry(s->analysis->hip_case->hip.parts[part]);
  geometry.fields = fields;
  geometry.field_count = syn_hip_fields(s->analysis, part, shown);
  for (size_t i = 0; i < geometry.field_count; ++i) {
    field_name(&shown[i], names[i]);
    fields[i] = (syn_field){names[i], SYN_ON_POINTS, 1, shown[i].values};
  }
  part_file(part, file);
  SYN_TRY(path_of(s, file, &path, error));
  SYN_TRY(syn_geometry_write(s->context, &geometry, path, NULL, error));
  return syn_outbox_add(s->outbox, path, error);
}

/* ---- glTF ---------------------------------------------------------------------------------------------------------
 */

static const float colors[SYN_HIP_PARTS][4] = {
    [SYN_HIP_PELVIS] = {0.83f, 0.78f, 0.66f, 1},
    [SYN_HIP_FEMUR] = {0.87f, 0.84f, 0.76f, 1},
    [SYN_HIP_LABRUM] = {0.62f, 0.21f, 0.17f, 1},
    [SYN_HIP_FEMORAL_CARTILAGE] = {0.29f, 0.48f, 0.72f, 1},
    [SYN_HIP_ACETABULAR_CARTILAGE] = {0.20f, 0.55f, 0.58f, 1},
    [SYN_HIP_TRANSITION_ZONE] = {0.41f, 0.38f, 0.38f, 1},
};

static syn_status write_glb(staging *s, syn_error *error) {
  const syn_hip *hip = &s->analysis->hip_case->hip;
  const syn_impingement *motion = &s->analysis->impingement;
  syn_scene_body bodies[SYN_HIP_PARTS];
  syn_scene scene = {.bodies = bodies, .keyframe_count = motion->pose_count};
  double *times;
  char *path;
  scene.name = s->context->title;
  SYN_TRY(SYN_TAKE(&s->arena, &times, motion->pose_count, error));
  for (size_t i = 0; i < motion->pose_count; ++i) times[i] = (double)i / 10;
  scene.times_s = times;
  for (int i = 0; i < SYN_HIP_PARTS; ++i) {
    const syn_hip_part part = (syn_hip_part)i;
    if (!hip->parts[i]) continue;
    bodies[scene.body_count++] = (syn_scene_body){.name = syn_hip_part_name(part),
                                                  .mesh = hip->parts[i],
                                                  .color = {colors[i][0], colors[i][1], colors[i][2], colors[i][3]},
                                                  .keyframes = syn_hip_part_moves(part) ? motion->poses : NULL};
  }
  SYN_TRY(path_of(s, "hip.glb", &path, error));
  SYN_TRY(syn_scene_write(s->context, &scene, path, error));
  return syn_outbox_add(s->outbox, path, error);
}

/* ---- joint file ---------------------------------------------------------------------------------------------------
 */

void syn_filed_hip_fill(const syn_hip_case *hip_case, const char *const files[SYN_HIP_PARTS], syn_filed_hip *filed) {
  const syn_hip *hip = &hip_case->hip;
  const syn_anatomy *anatomy = hip_case->anatomy;
  syn_joint *joint = &filed->joint;
  const bool named = hip_case->joint && hip_case->joint->name[0];
  *joint = (syn_joint){.name = named ? hip_case->joint->name : "hip",
                       .side = hip->side,
                       .bodies = filed->bodies,
                       .landmarks = filed->landmarks,
                       .has_center = true,
                       .center = hip->center};
  /* What was found is found again, so that it keeps its name and its seat. */
  if (strcmp(hip_case->center_method, "given") != 0) {
    joint->has_center = false;
    joint->center_method = hip_case->center_method;
  }
  for (int i = 0; i < SYN_HIP_PARTS; ++i) {
    if (!hip->parts[i]) continue;
    const syn_hip_part part = (syn_hip_part)i;
    filed->bodies[joint->body_count++] = (syn_body){.name = syn_hip_part_name(part),
                                                    .mesh_file = files[i],
                                                    .tissue = syn_hip_part_tissue(part),
                                                    .moves = syn_hip_part_moves(part),
                                                    .material = syn_material_unknown()};
  }
  /* Landmarks define the frame when the file is read again; without any, the axes are written. */
  const bool given_axes = anatomy && anatomy->pelvis_frame == SYN_FRAME_GIVEN;
  for (int i = 0; anatomy && !given_axes && i < SYN_LANDMARKS; ++i)
    if (anatomy->landmarks[i].found != SYN_FOUND_NOT)
      filed->landmarks[joint->landmark_count++] =
          (syn_joint_landmark){syn_landmark_name((syn_landmark)i), anatomy->landmarks[i].place,
                               anatomy->landmarks[i].found == SYN_FOUND_MESH, anatomy->landmarks[i].confidence};
  if (!joint->landmark_count) {
    joint->has_axes = true;
    joint->axes = hip->pelvis_axes;
  }
}

static syn_status write_joint(staging *s, const syn_provenance *provenance, syn_error *error) {
  char names[SYN_HIP_PARTS][LONGEST_NAME], *path;
  const char *files[SYN_HIP_PARTS];
  for (int i = 0; i < SYN_HIP_PARTS; ++i) {
    part_file((syn_hip_part)i, names[i]);
    files[i] = names[i];
  }
  syn_filed_hip filed;
  syn_filed_hip_fill(s->analysis->hip_case, files, &filed);
  if (s->title) filed.joint.name = s->title;
  if (provenance) {
    filed.joint.notes = provenance->warnings;
    filed.joint.note_count = provenance->warning_count;
  }
  SYN_TRY(path_of(s, "joint.json", &path, error));
  SYN_TRY(syn_joint_write(s->context, &filed.joint, path, error));
  return syn_outbox_add(s->outbox, path, error);
}

/* ---- tables -------------------------------------------------------------------------------------------------------
 */

static syn_status write_envelope(staging *s, syn_error *error) {
  char *path;
  SYN_TRY(path_of(s, "rom.csv", &path, error));
  SYN_TRY(syn_envelope_write_csv(s->context, s->analysis->envelope, path, error));
  return syn_outbox_add(s->outbox, path, error);
}

/* ---- all ----------------------------------------------------------------------------------------------------------
 */

static syn_status write_files(staging *s, const syn_provenance *provenance, bool with_joint, syn_error *error) {
  for (int i = 0; i < SYN_HIP_PARTS; ++i)
    if (s->analysis->hip_case->hip.parts[i]) SYN_TRY(write_part(s, (syn_hip_part)i, error));
  SYN_TRY(write_glb(s, error));
  if (with_joint) SYN_TRY(write_joint(s, provenance, error));
  return s->analysis->envelope ? write_envelope(s, error) : SYN_OK;
}

syn_status syn_hip_files_stage(const syn_context *context, const syn_hip_analysis *analysis, const char *title,
                               const syn_provenance *provenance, bool with_joint, syn_outbox *outbox,
                               const char *folder, syn_error *error) {
  staging s = {.analysis = analysis, .outbox = outbox, .title = title, .arena = {.context = context}};
  syn_hip_writing named = {.context = context, .analysis = analysis, .arena = {.context = context}};
  syn_context its;
  SYN_TRY(syn_outbox_stage(outbox, folder, &s.hidden, error));
  syn_status status = syn_hip_name_files(&named, title, &its, error);
  s.context = named.context;
  if (status == SYN_OK) status = write_files(&s, provenance, with_joint, error);
  syn_arena_release(&s.arena);
  syn_arena_release(&named.arena);
  return status;
}

syn_status syn_hip_table_stage(const syn_context *context, const syn_hip_analysis *analysis, const char *title,
                               bool sweep, syn_outbox *outbox, const char *path, syn_error *error) {
  syn_hip_writing named = {.context = context, .analysis = analysis, .arena = {.context = context}};
  syn_context its;
  const char *hidden;
  SYN_TRY(syn_outbox_stage_file(outbox, path, &hidden, error));
  syn_status status = syn_hip_name_files(&named, title, &its, error);
  if (status == SYN_OK)
    status = sweep ? syn_sweep_write_csv(&its, analysis->sweep, analysis->sweep_count, hidden, error)
                   : syn_envelope_write_csv(&its, analysis->envelope, hidden, error);
  syn_arena_release(&named.arena);
  return status == SYN_OK ? syn_outbox_add(outbox, hidden, error) : status;
}

static syn_status write_report(staging *s, const char *kind, const char *title, const syn_provenance *provenance,
                               syn_error *error) {
  char *path;
  SYN_TRY(path_of(s, "report.html", &path, error));
  SYN_TRY(syn_hip_report_write(s->context, s->analysis, kind, title, provenance, path, error));
  return syn_outbox_add(s->outbox, path, error);
}

syn_status syn_hip_report_stage(const syn_context *context, const syn_hip_analysis *analysis, const char *kind,
                                const char *title, const syn_provenance *provenance, syn_outbox *outbox,
                                const char *folder, syn_error *error) {
  staging s = {.context = context, .analysis = analysis, .outbox = outbox, .arena = {.context = context}};
  SYN_TRY(syn_outbox_stage(outbox, folder, &s.hidden, error));
  const syn_status status = write_report(&s, kind, title, provenance, error);
  syn_arena_release(&s.arena);
  return status;
}
