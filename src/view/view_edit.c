/* Edits a centre or a landmark: computes all dependent results, and keeps them only if all could be computed. */

#include <stdlib.h>
#include <string.h>

#include "base/files/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/vec.h"
#include "clinic/anatomy/landmarks.h"
#include "clinic/hip.h"
#include "report/hip/hip_page.h"
#include "report/hip/hip_writing.h"
#include "view/viewer.h"

static const double nearest_mm = 1000; /* to the centre: an edit must be on the body of one person */

/* Updates measures, limits and all that pose queries need to the current case. Long computations are left for the next
 * build of the page. */
static syn_status take_over(syn_viewer *view, syn_error *error) {
  syn_hip_analysis_options quick = syn_default_hip_analysis_options();
  syn_hip_analysis *next, *before = view->analysis;
  syn_view_poser *poser;
  quick.parts = SYN_HIP_MEASURES | SYN_HIP_LIMITS;
  SYN_TRY(syn_hip_analysis_create(&view->context, view->hip_case, &quick, &next, error));
  const syn_status status = syn_view_poser_create(&view->context, next, view->displays, &poser, error);
  if (status != SYN_OK) {
    syn_hip_analysis_destroy(next);
    return status;
  }
  /* The slow results stay those of the old analysis. */
  next->envelope = before->envelope;
  next->impingement = before->impingement;
  next->effect = before->effect;
  before->envelope = NULL;
  before->impingement = (syn_impingement){0};
  before->effect = NULL;
  syn_view_poser_destroy(view->poser);
  syn_hip_analysis_destroy(before);
  view->analysis = next;
  view->poser = poser;
  view->page_is_old = true;
  return SYN_OK;
}

syn_status syn_viewer_read_place(const syn_json *place, syn_vec3 center, syn_vec3 *point, syn_error *error) {
  SYN_TRY(syn_json_vec3(place, point, error));
  if (vec3_length(vec3_sub(*point, center)) <= nearest_mm) return SYN_OK;
  return syn_json_fail(place, error, "must lie within a metre of the joint");
}

/* ---- centre ------------------------------------------------------------------------------------------------------ */

static syn_status move_center(syn_viewer *view, syn_vec3 center, syn_error *error) {
  const syn_hip_case before = *view->hip_case;
  SYN_TRY(syn_hip_case_set_center(view->hip_case, center, error));
  const syn_status status = take_over(view, error);
  if (status != SYN_OK) *view->hip_case = before;
  return status;
}

/* ---- landmarks --------------------------------------------------------------------------------------------------- */

static syn_status move_landmark(syn_viewer *view, syn_landmark which, syn_vec3 point, syn_error *error) {
  const syn_hip_case before = *view->hip_case;
  syn_anatomy *replaced;
  SYN_TRY(syn_hip_case_set_landmark(view->hip_case, which, point, &replaced, error));
  const syn_status status = take_over(view, error);
  if (status == SYN_OK) {
    syn_anatomy_destroy(replaced);
  } else {
    syn_anatomy_destroy(view->hip_case->anatomy);
    *view->hip_case = before;
  }
  return status;
}

static syn_status edit_landmark(syn_viewer *view, const syn_json *root, syn_error *error) {
  const syn_anatomy *anatomy = view->hip_case->anatomy;
  const syn_json marker = syn_json_member(root, "marker"), place = syn_json_member(root, "point");
  const char *name;
  syn_vec3 point;
  SYN_TRY(syn_json_text(&marker, &name, error));
  SYN_TRY(syn_viewer_read_place(&place, view->hip_case->hip.center, &point, error));
  const syn_landmark which = syn_landmark_named(name);
  if (which == SYN_LANDMARKS || !anatomy || anatomy->landmarks[which].found == SYN_FOUND_NOT)
    return syn_json_fail(&marker, error, "there is no landmark '%.60s' on these bones", name);
  if (anatomy->pelvis_frame == SYN_FRAME_GIVEN)
    return syn_json_fail(&marker, error,
                         "the joint file gives the axes themselves, so landmarks have no say: take \"frame\" out of it "
                         "to place them");
  return move_landmark(view, which, point, error);
}

/* ---- the request ------------------------------------------------------------------------------------------------- */

static syn_status carry_out(syn_viewer *view, const syn_json *root, json_t **answer, syn_error *error) {
  if (view->joint) return syn_viewer_edit_joint(view, root, answer, error);
  const syn_json center = syn_json_member(root, "center");
  if (center.value) {
    syn_vec3 place;
    SYN_TRY(syn_viewer_read_place(&center, view->hip_case->hip.center, &place, error));
    SYN_TRY(move_center(view, place, error));
  } else
    SYN_TRY(edit_landmark(view, root, error));
  syn_provenance provenance;
  SYN_TRY(syn_viewer_provenance(view, &provenance, error));
  return syn_hip_page_changes(&view->context, view->analysis, &provenance, answer, error);
}

syn_status syn_viewer_edit(syn_viewer *view, const json_t *request, json_t **answer, syn_error *error) {
  static const char *const center_keys[] = {"center", NULL}, *const marker_keys[] = {"marker", "point", NULL};
  const syn_json root = syn_json_root((json_t *)(uintptr_t)request, NULL);
  SYN_TRY(syn_json_expect_object(&root, error));
  const syn_json center = syn_json_member(&root, "center");
  SYN_TRY(syn_json_only_keys(&root, center.value ? center_keys : marker_keys, error));
  syn_view_texts before;
  syn_status status = syn_view_warnings_renew(&view->warnings, &before, error);
  if (status == SYN_OK) status = carry_out(view, &root, answer, error);
  syn_view_warnings_settle(&view->warnings, &before, status == SYN_OK);
  return status;
}

/* ---- save ------------------------------------------------------------------------------------------------------ */
/* Writes the edited joint as a joint file. */

/* ---- contents ---------------------------------------------------------------------------------------------------- */

/* Returns the full path of a mesh, since the file may be in another folder. */
static syn_status full_path(syn_arena *arena, const char *folder, const char *name, const char **full,
                            syn_error *error) {
  char path[SYN_LONGEST_PATH], *copy;
  const bool whole = name[0] == '/' || !folder[0];
  snprintf(path, sizeof path, "%s%s%s", whole ? "" : folder, whole ? "" : "/", name);
  char *found = realpath(path, NULL);
  if (!found) return syn_fail_errno(error, SYN_NOT_FOUND, path, "this mesh is no longer there");
  const syn_status status = syn_arena_text(arena, found, strlen(found), &copy, error);
  free(found);
  if (status == SYN_OK) *full = copy;
  return status;
}

/* Writes the notes of the joint, and the warnings for the hip in its current state. */
static syn_status write_joint(const syn_viewer *view, syn_arena *arena, syn_joint *joint, syn_error *error) {
  syn_provenance provenance;
  const char **notes;
  size_t count = 0;
  SYN_TRY(syn_viewer_provenance(view, &provenance, error));
  SYN_TRY(SYN_TAKE(arena, &notes, provenance.warning_count + joint->note_count, error));
  while (count < provenance.warning_count) {
    notes[count] = provenance.warnings[count];
    ++count;
  }
  for (size_t i = 0; i < joint->note_count; ++i)
    if (!syn_run_has_warned(&provenance, joint->notes[i])) notes[count++] = joint->notes[i];
  joint->notes = notes;
  joint->note_count = count;
  return syn_joint_write(&view->context, joint, view->save_path, error);
}

/* From meshes: writes all data of the hip. */
static syn_status save_meshes(const syn_viewer *view, syn_arena *arena, syn_error *error) {
  const syn_joint *joint = view->hip_case->joint;
  const char *full[SYN_HIP_PARTS] = {NULL};
  for (size_t i = 0; i < joint->body_count; ++i)
    SYN_TRY(full_path(arena, "", joint->bodies[i].mesh_file, &full[syn_hip_part_of_body(&joint->bodies[i])], error));
  syn_filed_hip filed;
  syn_filed_hip_fill(view->hip_case, full, &filed);
  filed.joint.mm_per_unit = joint->mm_per_unit; /* the meshes keep their unit */
  return write_joint(view, arena, &filed.joint, error);
}

/* Collects the landmarks given by the user; detected ones would be detected again. */
static size_t given_landmarks(const syn_hip_case *hip_case, const syn_joint *joint, syn_joint_landmark *landmarks) {
  size_t count = 0;
  for (size_t i = 0; i < joint->landmark_count; ++i)
    if (syn_landmark_named(joint->landmarks[i].name) == SYN_LANDMARKS) landmarks[count++] = joint->landmarks[i];
  for (int i = 0; hip_case->anatomy && i < SYN_LANDMARKS; ++i)
    if (hip_case->anatomy->landmarks[i].found == SYN_FOUND_GIVEN)
      landmarks[count++] =
          (syn_joint_landmark){syn_landmark_name((syn_landmark)i), hip_case->anatomy->landmarks[i].place, false, 1};
  return count;
}

static syn_status full_bodies(syn_arena *arena, syn_joint *joint, syn_error *error) {
  syn_body *bodies;
  SYN_TRY(SYN_TAKE(arena, &bodies, joint->body_count, error));
  for (size_t i = 0; i < joint->body_count; ++i) {
    bodies[i] = joint->bodies[i];
    SYN_TRY(full_path(arena, joint->folder, joint->bodies[i].mesh_file, &bodies[i].mesh_file, error));
  }
  joint->bodies = bodies;
  return SYN_OK;
}

/* Writes the contents of the file, with the edits. */
static syn_status save_joint(const syn_viewer *view, syn_arena *arena, const syn_joint *read, syn_error *error) {
  const syn_hip_case *hip_case = view->hip_case;
  syn_joint joint = *read;
  joint.side = hip_case->hip.side;
  joint.mm_per_unit = hip_case->joint->mm_per_unit; /* --units may have set it */
  if (strcmp(hip_case->center_method, "given") == 0) {
    joint.has_center = true;
    joint.center_method = NULL;
    joint.center = hip_case->hip.center;
  }
  if (!read->has_axes) {
    syn_joint_landmark *landmarks;
    SYN_TRY(SYN_TAKE(arena, &landmarks, read->landmark_count + SYN_LANDMARKS, error));
    joint.landmarks = landmarks;
    joint.landmark_count = given_landmarks(hip_case, read, landmarks);
  }
  if (strcmp(view->save_path, hip_case->joint_file) != 0) SYN_TRY(full_bodies(arena, &joint, error));
  return write_joint(view, arena, &joint, error);
}

/* ---- saving ------------------------------------------------------------------------------------------------------ */

static syn_status write_bytes(const syn_context *context, const char *path, const char *bytes, size_t size,
                              syn_error *error) {
  syn_output output;
  SYN_TRY(syn_output_open(context, path, &output, error));
  fwrite(bytes, 1, size, output.stream);
  return syn_output_commit(&output, error);
}

/* Backs up once: later saves replace the viewer's file. */
static syn_status back_up(syn_viewer *view, syn_arena *arena, syn_error *error) {
  if (view->backed_up) return SYN_OK;
  const size_t length = strlen(view->save_path) + sizeof ".bak";
  char *bytes, *path;
  size_t size;
  SYN_TRY(SYN_TAKE(arena, &path, length, error));
  snprintf(path, length, "%s.bak", view->save_path);
  syn_status status = syn_read_file(&view->context, view->save_path, &bytes, &size, error);
  if (status == SYN_OK) {
    status = write_bytes(&view->context, path, bytes, size, error);
    syn_free(&view->context, bytes);
  } else if (status == SYN_NOT_FOUND)
    status = SYN_OK;
  view->backed_up = status == SYN_OK;
  return status;
}

/* A joint that is not a hip: writes its file with the current centre. */
static syn_status write_other(const syn_viewer *view, syn_arena *arena, const syn_joint *read, syn_error *error) {
  syn_joint joint = *read;
  joint.has_center = true;
  joint.center = view->joint->center;
  joint.mm_per_unit = view->joint->mm_per_unit;
  if (strcmp(view->save_path, view->joint_file) != 0) SYN_TRY(full_bodies(arena, &joint, error));
  return write_joint(view, arena, &joint, error);
}

static syn_status save_other(syn_viewer *view, syn_arena *arena, syn_error *error) {
  syn_joint *read;
  SYN_TRY(syn_joint_read(&view->context, view->joint_file, &read, error));
  syn_status status = back_up(view, arena, error);
  if (status == SYN_OK) status = write_other(view, arena, read, error);
  syn_joint_destroy(read);
  return status;
}

static syn_status save(syn_viewer *view, syn_arena *arena, syn_error *error) {
  if (view->joint) return save_other(view, arena, error);
  if (!view->hip_case->joint_file) {
    SYN_TRY(back_up(view, arena, error));
    return save_meshes(view, arena, error);
  }
  syn_joint *joint;
  SYN_TRY(syn_joint_read(&view->context, view->hip_case->joint_file, &joint, error));
  syn_status status = back_up(view, arena, error);
  if (status == SYN_OK) status = save_joint(view, arena, joint, error);
  syn_joint_destroy(joint);
  return status;
}

syn_status syn_viewer_save(syn_viewer *view, syn_error *error) {
  syn_arena arena = {.context = &view->context};
  const syn_status status = save(view, &arena, error);
  syn_arena_release(&arena);
  return status;
}
