/* The joint as it was edited, as a joint file. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "report/hip/files.h"
#include "report/hip/writing.h"
#include "view.h"

/* ---- what to write ------------------------------------------------------------------------------------------------
 */

/* A name in full, since the file may lie elsewhere than the mesh; free() it. */
static syn_status full_path(const char *folder, const char *name, char **full, syn_error *error) {
  char *path = cli_path(name[0] == '/' ? "/" : folder[0] ? folder : ".", name + strspn(name, "/"));
  *full = realpath(path, NULL);
  const syn_status status =
      *full ? SYN_OK : syn_fail_at(error, SYN_NOT_FOUND, path, 0, -1, "this mesh is no longer there");
  free(path);
  return status;
}

/* With the notes that it had, and with what was warned of for the hip as it is now. */
static syn_status write_joint(cli_view_state *view, syn_joint *joint, syn_error *error) {
  syn_arena arena = {.context = &view->session->context};
  const size_t before = joint->note_count;
  const char **notes, *const *had = joint->notes;
  syn_provenance provenance;
  SYN_TRY(cli_provenance(view->session, &arena, &provenance, error));
  SYN_TRY(SYN_TAKE(&arena, &notes, provenance.warning_count + before, error));
  joint->note_count = provenance.warning_count;
  for (size_t i = 0; i < provenance.warning_count; ++i) notes[i] = provenance.warnings[i];
  for (size_t i = 0; i < before; ++i)
    if (!hip_is_among(had[i], notes, joint->note_count)) notes[joint->note_count++] = had[i];
  joint->notes = notes;
  const syn_status status = syn_joint_write(&view->session->context, joint, view->save_path, error);
  syn_arena_release(&arena);
  return status;
}

/* From meshes: everything that is known of the hip. */
static syn_status save_meshes(cli_view_state *view, syn_error *error) {
  const cli_arguments *arguments = &view->session->arguments;
  const char *const names[SYN_HIP_PARTS] = {
      [SYN_HIP_PELVIS] = arguments->operands[0],
      [SYN_HIP_FEMUR] = arguments->operands[1],
      [SYN_HIP_LABRUM] = cli_text(arguments, "labrum", NULL),
      [SYN_HIP_FEMORAL_CARTILAGE] = cli_text(arguments, "femoral-cartilage", NULL),
      [SYN_HIP_ACETABULAR_CARTILAGE] = cli_text(arguments, "acetabular-cartilage", NULL)};
  char *full[SYN_HIP_PARTS] = {NULL};
  syn_status status = SYN_OK;
  for (int i = 0; i < SYN_HIP_PARTS && status == SYN_OK; ++i)
    if (names[i]) status = full_path("", names[i], &full[i], error);
  if (status == SYN_OK) {
    syn_filed_hip filled;
    syn_filed_hip_fill(view->hip_case, (const char *const *)full, &filled);
    status = write_joint(view, &filled.joint, error);
  }
  for (int i = 0; i < SYN_HIP_PARTS; ++i) free(full[i]);
  return status;
}

/* Landmarks of the user's; those that were found would be found again. */
static size_t given_landmarks(const syn_hip_case *hip_case, const syn_joint *joint, syn_joint_landmark *landmarks) {
  size_t count = 0;
  for (size_t i = 0; i < joint->landmark_count; ++i)
    if (syn_landmark_named(joint->landmarks[i].name) == SYN_LANDMARKS) landmarks[count++] = joint->landmarks[i];
  for (int i = 0; hip_case->anatomy && i < SYN_LANDMARKS; ++i)
    if (hip_case->anatomy->landmarks[i].found == SYN_FOUND_GIVEN)
      landmarks[count++] =
          (syn_joint_landmark){syn_landmark_name((syn_landmark)i), hip_case->anatomy->landmarks[i].place};
  return count;
}

static syn_status full_bodies(const syn_joint *joint, syn_body *bodies, char **full, syn_error *error) {
  for (size_t i = 0; i < joint->body_count; ++i) {
    SYN_TRY(full_path(joint->folder, joint->bodies[i].mesh_file, &full[i], error));
    bodies[i] = joint->bodies[i];
    bodies[i].mesh_file = full[i];
  }
  return SYN_OK;
}

/* What a file that is written anew takes besides what was read. */
typedef struct save_room {
  syn_joint_landmark *landmarks;
  syn_body *bodies;
  char **full; /* names of the meshes */
} save_room;

static syn_status take_room(syn_arena *arena, const syn_joint *read, save_room *room, syn_error *error) {
  SYN_TRY(SYN_TAKE(arena, &room->landmarks, read->landmark_count + SYN_LANDMARKS, error));
  SYN_TRY(SYN_TAKE(arena, &room->bodies, read->body_count, error));
  SYN_TRY(SYN_TAKE(arena, &room->full, read->body_count, error));
  for (size_t i = 0; i < read->body_count; ++i) room->full[i] = NULL;
  return SYN_OK;
}

/* All that stands in the file, with what was edited. */
static syn_status write_edited(cli_view_state *view, const syn_joint *read, const save_room *room, syn_error *error) {
  const syn_hip_case *hip_case = view->hip_case;
  syn_joint joint = *read;
  joint.side = hip_case->hip.side;
  if (strcmp(hip_case->center_method, "given") == 0) {
    joint.has_center = true;
    joint.center_method = NULL;
    joint.center = hip_case->hip.center;
  }
  if (!read->has_axes) {
    joint.landmarks = room->landmarks;
    joint.landmark_count = given_landmarks(hip_case, read, room->landmarks);
  }
  if (strcmp(view->save_path, view->joint_path) != 0) {
    SYN_TRY(full_bodies(read, room->bodies, room->full, error));
    joint.bodies = room->bodies;
  }
  return write_joint(view, &joint, error);
}

static syn_status save_joint(cli_view_state *view, const syn_joint *read, syn_error *error) {
  syn_arena arena = {.context = &view->session->context};
  save_room room;
  syn_status status = take_room(&arena, read, &room, error);
  if (status == SYN_OK) {
    status = write_edited(view, read, &room, error);
    for (size_t i = 0; i < read->body_count; ++i) free(room.full[i]);
  }
  syn_arena_release(&arena);
  return status;
}

/* ---- saving -------------------------------------------------------------------------------------------------------
 */

/* Once: later saves replace the viewer's own work. */
static syn_status back_up(cli_view_state *view, syn_error *error) {
  const syn_context *context = &view->session->context;
  if (view->backed_up) return SYN_OK;
  char *bytes;
  size_t size;
  syn_status status = syn_read_file(context, view->save_path, &bytes, &size, error);
  if (status == SYN_NOT_FOUND) {
    view->backed_up = true;
    return SYN_OK;
  }
  SYN_TRY(status);
  const size_t room = strlen(view->save_path) + sizeof ".bak";
  char *path = malloc(room);
  syn_output output;
  status = path ? SYN_OK : syn_fail_memory(error, room);
  if (status == SYN_OK) {
    snprintf(path, room, "%s.bak", view->save_path);
    status = syn_output_open(context, path, &output, error);
  }
  if (status == SYN_OK) {
    fwrite(bytes, 1, size, output.stream);
    status = syn_output_commit(&output, error);
  }
  free(path);
  syn_free(context, bytes);
  view->backed_up = status == SYN_OK;
  return status;
}

syn_status cli_view_save(cli_view_state *view, syn_error *error) {
  if (!view->joint_path) {
    SYN_TRY(back_up(view, error));
    return save_meshes(view, error);
  }
  syn_joint *joint;
  SYN_TRY(syn_joint_read(&view->session->context, view->joint_path, &joint, error));
  syn_status status = back_up(view, error);
  if (status == SYN_OK) status = save_joint(view, joint, error);
  syn_joint_destroy(joint);
  return status;
}
