/* Writes the files of an analysis except its page: bodies for ParaView, the motion as glTF, tables, a joint file. */
#include "clinic/hip.h"
#include "report/hip/hip_page.h"

#include <stdio.h>
#include <string.h>

#include "base/files/outbox.h"
#include "base/vec.h"
#include "report/display.h"
#include "report/hip/hip_writing.h"

enum { LONGEST_NAME = 64 };

static void part_file(syn_hip_part part, char name[LONGEST_NAME]) {
  snprintf(name, LONGEST_NAME, "%s.vtp", syn_hip_part_name(part));
}

/* ---- ParaView ---------------------------------------------------------------------------------------------------- */

/* Names "curvilinear_depth" in mm "curvilinear_depth_mm". */
static void field_name(const syn_report_field *field, char name[LONGEST_NAME]) {
  snprintf(name, LONGEST_NAME, "%s%s%s", field->name, field->unit[0] ? "_" : "", field->unit);
}

static syn_status write_part(syn_publication *to, const syn_hip_analysis *a, syn_hip_part part, syn_error *error) {
  syn_report_field shown[HIP_FIELDS];
  syn_field fields[HIP_FIELDS];
  char names[HIP_FIELDS][LONGEST_NAME], file[LONGEST_NAME];
  const char *path;
  syn_geometry geometry = syn_trimesh_geometry(a->hip_case->hip.parts[part]);
  geometry.fields = fields;
  geometry.field_count = syn_hip_fields(a, part, shown);
  for (size_t i = 0; i < geometry.field_count; ++i) {
    field_name(&shown[i], names[i]);
    fields[i] = (syn_field){names[i], SYN_ON_POINTS, 1, shown[i].values};
  }
  part_file(part, file);
  SYN_TRY(syn_publication_path(to, file, &path, error));
  SYN_TRY(syn_geometry_write(&to->files, &geometry, path, NULL, error));
  return syn_publication_add(to, path, error);
}

/* ---- glTF -------------------------------------------------------------------------------------------------------- */

static syn_status write_glb(syn_publication *to, const syn_hip_analysis *a, syn_error *error) {
  const syn_hip *hip = &a->hip_case->hip;
  const syn_impingement *motion = &a->impingement;
  syn_scene_body bodies[SYN_HIP_PARTS];
  syn_scene scene = {.name = to->files.title, .bodies = bodies, .keyframe_count = motion->pose_count};
  double *times;
  const char *path;
  SYN_TRY(SYN_TAKE(&to->page.arena, &times, motion->pose_count, error));
  for (size_t i = 0; i < motion->pose_count; ++i) times[i] = (double)i / 10;
  scene.times_s = times;
  for (int i = 0; i < SYN_HIP_PARTS; ++i) {
    const syn_hip_part part = (syn_hip_part)i;
    const syn_report_body shown = {.body = {.tissue = syn_hip_part_tissue(part), .moves = syn_hip_part_moves(part)}};
    if (!hip->parts[i]) continue;
    syn_scene_body *body = &bodies[scene.body_count++];
    *body = (syn_scene_body){
        .name = syn_hip_part_name(part), .mesh = hip->parts[i], .keyframes = shown.body.moves ? motion->poses : NULL};
    syn_report_scene_color(&shown, body->color);
  }
  SYN_TRY(syn_publication_path(to, "hip.glb", &path, error));
  SYN_TRY(syn_scene_write(&to->files, &scene, path, error));
  return syn_publication_add(to, path, error);
}

/* ---- joint file -------------------------------------------------------------------------------------------------- */

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
  /* A computed centre is left out, so that reading computes it again, with its name and its head position. */
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
  /* Landmarks define the frame when the file is read; without landmarks, the axes are written. */
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

static syn_status write_joint(syn_publication *to, const syn_hip_analysis *a, syn_error *error) {
  char names[SYN_HIP_PARTS][LONGEST_NAME];
  const char *files[SYN_HIP_PARTS], *path;
  for (int i = 0; i < SYN_HIP_PARTS; ++i) {
    part_file((syn_hip_part)i, names[i]);
    files[i] = names[i];
  }
  syn_filed_hip filed;
  syn_filed_hip_fill(a->hip_case, files, &filed);
  if (to->options->title) filed.joint.name = to->options->title;
  filed.joint.notes = to->page.provenance->warnings;
  filed.joint.note_count = to->page.provenance->warning_count;
  SYN_TRY(syn_publication_path(to, "joint.json", &path, error));
  SYN_TRY(syn_joint_write(&to->files, &filed.joint, path, error));
  return syn_publication_add(to, path, error);
}

/* ---- tables ------------------------------------------------------------------------------------------------------ */

static syn_status write_named_tables(syn_publication *to, const syn_hip_analysis *a, syn_error *error) {
  const char *map = to->options->map_file, *sweep = to->options->sweep_file, *hidden;
  if (map && a->envelope) {
    SYN_TRY(syn_outbox_stage_file(to->outbox, map, &hidden, error));
    SYN_TRY(syn_csv_write(&to->files, &syn_envelope_csv, a->envelope, hidden, error));
    SYN_TRY(syn_publication_add(to, hidden, error));
  }
  if (!sweep || !a->sweep_count) return SYN_OK;
  SYN_TRY(syn_outbox_stage_file(to->outbox, sweep, &hidden, error));
  SYN_TRY(syn_csv_write(&to->files, &syn_sweep_csv, a, hidden, error));
  return syn_publication_add(to, hidden, error);
}

static syn_status write_envelope(syn_publication *to, const syn_envelope *envelope, syn_error *error) {
  const char *path;
  if (!envelope) return SYN_OK;
  SYN_TRY(syn_publication_path(to, "rom.csv", &path, error));
  SYN_TRY(syn_csv_write(&to->files, &syn_envelope_csv, envelope, path, error));
  return syn_publication_add(to, path, error);
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

static syn_status write_hip_files(syn_publication *to, const void *result, syn_error *error) {
  const syn_hip_analysis *a = result;
  const unsigned what = to->hidden ? to->options->what : 0;
  SYN_TRY(write_named_tables(to, a, error));
  for (int i = 0; (what & SYN_PUBLISH_FILES) && i < SYN_HIP_PARTS; ++i)
    if (a->hip_case->hip.parts[i]) SYN_TRY(write_part(to, a, (syn_hip_part)i, error));
  if (what & SYN_PUBLISH_FILES) SYN_TRY(write_glb(to, a, error));
  if (what & SYN_PUBLISH_JOINT) SYN_TRY(write_joint(to, a, error));
  return what & SYN_PUBLISH_FILES ? write_envelope(to, a->envelope, error) : SYN_OK;
}

static syn_status add_hip(syn_publication *to, const void *result, syn_error *error) {
  return syn_hip_page_add(&to->page, result, error);
}

static const char *name_hip_files(syn_publication *to, const void *result) {
  const syn_hip_analysis *a = result;
  return syn_page_hip_name(&to->page, a->hip_case->hip.side, to->options->title);
}

const syn_published_kind syn_published_hip = {.record = &syn_hip_record,
                                              .kind = "hip",
                                              .command = "hip",
                                              .title = "Hip",
                                              .files_first = true,
                                              .name_files = name_hip_files,
                                              .add = add_hip,
                                              .write = write_hip_files};
