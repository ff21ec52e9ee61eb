/* Opens a joint of any kind from its file: meshes, centre and axes. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "base/vec.h"
#include "clinic/hip_case.h"
#include "clinic/joint_open.h"
#include "joint/joint_store.h"
#include <synovia/clinic.h>
#include <synovia/motion.h>

syn_joint_input syn_default_joint_input(void) { return (syn_joint_input){.cookie = SYN_COOKIE}; }

/* ---- a knee by landmarks ----------------------------------------------------------------------------------------- */

enum { HEAD, MEDIAL_EPICONDYLE, LATERAL_EPICONDYLE, MEDIAL_PLATEAU, LATERAL_PLATEAU, ANKLE, KNEE_LANDMARKS };
static const char *const knee_landmarks[KNEE_LANDMARKS] = {[HEAD] = "head_center",
                                                           [MEDIAL_EPICONDYLE] = "medial_epicondyle",
                                                           [LATERAL_EPICONDYLE] = "lateral_epicondyle",
                                                           [MEDIAL_PLATEAU] = "medial_plateau",
                                                           [LATERAL_PLATEAU] = "lateral_plateau",
                                                           [ANKLE] = "ankle_center"};

static syn_status find_landmark(const syn_joint *joint, const char *file, const char *name, syn_vec3 *place,
                                syn_error *error) {
  for (size_t i = 0; i < joint->landmark_count; ++i)
    if (strcmp(joint->landmarks[i].name, name) == 0) {
      *place = joint->landmarks[i].place;
      return SYN_OK;
    }
  return syn_fail_at(error, SYN_BAD_FORMAT, file, 0, -1,
                     "frame.landmarks.%s: is missing; a knee needs head_center, medial_epicondyle, lateral_epicondyle, "
                     "medial_plateau, lateral_plateau and ankle_center, or axes",
                     name);
}

/* Sets the frames of both bones by Grood and Suntay (1983); the centre is between the epicondyles unless it is given.
 */
static syn_status frame_knee(syn_joint *joint, const char *file, syn_error *error) {
  syn_vec3 at[KNEE_LANDMARKS];
  for (int i = 0; i < KNEE_LANDMARKS; ++i) SYN_TRY(find_landmark(joint, file, knee_landmarks[i], &at[i], error));
  const syn_vec3 condyles = vec3_lerp(at[MEDIAL_EPICONDYLE], at[LATERAL_EPICONDYLE], 0.5);
  const syn_vec3 plateau = vec3_lerp(at[MEDIAL_PLATEAU], at[LATERAL_PLATEAU], 0.5);
  SYN_TRY(syn_joint_axes_from_points(joint->side, at[HEAD], condyles, at[MEDIAL_EPICONDYLE], at[LATERAL_EPICONDYLE],
                                     &joint->axes, error));
  SYN_TRY(syn_joint_axes_from_points(joint->side, plateau, at[ANKLE], at[MEDIAL_PLATEAU], at[LATERAL_PLATEAU],
                                     &joint->mobile_axes, error));
  joint->has_axes = joint->has_mobile_axes = true;
  if (!joint->has_center) joint->center = condyles;
  joint->has_center = true;
  return SYN_OK;
}

/* ---- opening ----------------------------------------------------------------------------------------------------- */

static syn_status place(syn_joint *joint, const syn_joint_input *input, syn_error *error) {
  if (input->center) joint->center = *input->center;
  if (input->center) joint->has_center = true;
  if (!joint->has_axes && joint->landmark_count > 0 && strcmp(syn_joint_kind(joint), "knee") == 0)
    SYN_TRY(frame_knee(joint, input->joint, error));
  if (!joint->has_axes)
    return syn_fail_at(error, SYN_BAD_FORMAT, input->joint, 0, -1,
                       "frame: is missing; the axes of a joint that is not a hip cannot be found from its meshes, give "
                       "\"frame\": {\"axes\": …}");
  if (!joint->has_center)
    return syn_fail_at(error, SYN_BAD_FORMAT, input->joint, 0, -1,
                       "center: must be three numbers; the centre of a joint that is not a hip cannot be found from "
                       "its meshes");
  return SYN_OK;
}

/* Contact needs surfaces: takes that of a volume if the file has no other. */
static syn_status check_surfaces(syn_joint *joint, syn_error *error) {
  for (size_t i = 0; i < joint->body_count; ++i) {
    const syn_body *body = &joint->bodies[i];
    syn_trimesh *surface;
    if (!body->surface && !body->volume)
      return syn_fail(error, SYN_BAD_ARGUMENT, "body '%s' has neither a mesh nor a file", body->name);
    if (!body->surface) {
      SYN_TRY(syn_tetmesh_surface(body->volume, &surface, NULL, error));
      syn_joint_set_surface(joint, i, surface);
    }
    SYN_TRY(syn_tell_holes(joint->context, body->surface, body->name, error));
  }
  return SYN_OK;
}

syn_status syn_joint_open(const syn_context *context, const syn_joint_input *input, syn_joint **joint,
                          syn_error *error) {
  syn_joint *made;
  *joint = NULL;
  SYN_TRY(SYN_CHECK_OPTIONS(input, syn_default_joint_input, error));
  const syn_joint *given = input->joint_in_memory;
  if (!input->joint && !given) return syn_fail(error, SYN_BAD_ARGUMENT, "no joint is given");
  SYN_TRY(given ? syn_joint_copy(context, given, &made, error) : syn_joint_read(context, input->joint, &made, error));
  syn_status status = given && given->contact_count == 0 ? syn_joint_find_contacts(made, error) : SYN_OK;
  if (status == SYN_OK) status = place(made, input, error);
  if (status == SYN_OK) status = syn_joint_load(made, input->reading, error);
  if (status == SYN_OK) status = check_surfaces(made, error);
  if (status == SYN_OK) syn_joint_warn_notes(made);
  if (status == SYN_OK)
    *joint = made;
  else
    syn_joint_destroy(made);
  return status;
}

/* ---- a pose by names --------------------------------------------------------------------------------------------- */

static const char *turn_at(const void *joint, size_t index) {
  return syn_joint_direction(joint, (int)index / 2, index % 2 ? -1 : 1);
}

static syn_status add_turn(const syn_joint *joint, const char *turn, double angles[SYN_JOINT_AXES], syn_error *error) {
  const size_t length = strcspn(turn, "=");
  char name[128], hint[96];
  int axis, sign;
  double degrees;
  snprintf(name, sizeof name, "%.*s", (int)(length < 127 ? length : 127), turn);
  if (!turn[length])
    return syn_fail(error, SYN_BAD_ARGUMENT, "a turn is NAME=DEG, such as %s=20, not '%.60s'",
                    syn_joint_direction(joint, 0, 1), turn);
  if (!syn_joint_direction_named(joint, name, &axis, &sign))
    return syn_fail(error, SYN_BAD_ARGUMENT, "this joint has no turn '%.60s'.%s", name,
                    syn_did_you_mean(name, turn_at, joint, 2 * SYN_JOINT_AXES, hint));
  if (!syn_number_read(turn + length + 1, strlen(turn + length + 1), &degrees) || !isfinite(degrees))
    return syn_fail(error, SYN_BAD_ARGUMENT, "the turn %s= needs a number of degrees", name);
  angles[axis] += sign * degrees / (180 / SYN_PI);
  return SYN_OK;
}

syn_status syn_joint_pose_named(const syn_joint *joint, const char *const *turns, size_t count, syn_pose *pose,
                                syn_error *error) {
  double angles[SYN_JOINT_AXES] = {0};
  for (size_t i = 0; i < count; ++i) SYN_TRY(add_turn(joint, turns[i], angles, error));
  *pose = syn_joint_pose(joint, syn_joint_angles_from(angles));
  return SYN_OK;
}

/* ---- any joint --------------------------------------------------------------------------------------------------- */

syn_status syn_joint_file_is_hip(const syn_context *context, const char *path, bool *hip, syn_error *error) {
  syn_context quiet = *syn_context_or_default(context); /* warnings are given when the joint is opened */
  syn_joint *joint;
  quiet.warn = NULL;
  *hip = true;
  const syn_status status = syn_joint_read(&quiet, path, &joint, error);
  if (status != SYN_OK) return status == SYN_NOT_FOUND ? SYN_OK : status;
  *hip = syn_joint_is_hip(joint);
  syn_joint_destroy(joint);
  return SYN_OK;
}

/* Opens the joint of a hip as found by its case. */
static syn_status open_hip(const syn_context *context, const syn_joint_input *input, syn_joint **joint,
                           syn_error *error) {
  syn_hip_input of_hip = syn_default_hip_input();
  syn_hip_case *hip_case;
  of_hip.joint = input->joint;
  of_hip.joint_in_memory = input->joint_in_memory;
  of_hip.center = input->center;
  of_hip.reading = input->reading;
  SYN_TRY(syn_hip_case_create(context, &of_hip, &hip_case, error));
  *joint = hip_case->joint;
  hip_case->joint = NULL;
  (*joint)->center = hip_case->hip.center;
  (*joint)->axes = hip_case->hip.pelvis_axes;
  (*joint)->mobile_axes = hip_case->hip.femur_axes;
  (*joint)->has_center = (*joint)->has_axes = (*joint)->has_mobile_axes = true;
  syn_hip_case_destroy(hip_case);
  return SYN_OK;
}

syn_status syn_joint_open_any(const syn_context *context, const syn_joint_input *input, syn_joint **joint,
                              syn_error *error) {
  bool hip = input->joint_in_memory && syn_joint_is_hip(input->joint_in_memory);
  *joint = NULL;
  SYN_TRY(SYN_CHECK_OPTIONS(input, syn_default_joint_input, error));
  if (!input->joint_in_memory) SYN_TRY(syn_joint_file_is_hip(context, input->joint, &hip, error));
  return hip ? open_hip(context, input, joint, error) : syn_joint_open(context, input, joint, error);
}

/* ---- meshes ------------------------------------------------------------------------------------------------------ */

static syn_status add_mesh(syn_joint *joint, const char *path, bool needs_volume, const syn_read_options *reading,
                           syn_error *error) {
  const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
  char name[256];
  syn_body body;
  SYN_TRY(syn_body_read(joint->context, path, needs_volume, reading, &body, error));
  snprintf(name, sizeof name, "%.200s", file);
  for (size_t i = 2; syn_joint_body_named(joint, name); ++i) snprintf(name, sizeof name, "%.200s (%zu)", file, i);
  body.name = name;
  return syn_joint_add_body(joint, &body, error);
}

/* The largest body decides: the warning requires that every body is too small. */
static void doubt_units_of_bodies(const syn_joint *joint) {
  syn_box all = syn_trimesh_bounds(joint->bodies[0].surface);
  for (size_t i = 0; i < joint->body_count; ++i) {
    const syn_box box = syn_trimesh_bounds(joint->bodies[i].surface);
    if (vec3_distance(box.min, box.max) > vec3_distance(all.min, all.max)) all = box;
  }
  syn_doubt_units(joint->context, &all, 1);
}

syn_status syn_joint_from_meshes(const syn_context *context, const char *const *paths, size_t count, bool needs_volume,
                                 const syn_read_options *reading, syn_joint **joint, syn_error *error) {
  SYN_TRY(syn_joint_create(context, joint, error));
  syn_status status = SYN_OK;
  for (size_t i = 0; status == SYN_OK && i < count; ++i)
    status = add_mesh(*joint, paths[i], needs_volume, reading, error);
  if (status == SYN_OK) {
    if (count > 0) doubt_units_of_bodies(*joint);
    return SYN_OK;
  }
  syn_joint_destroy(*joint);
  *joint = NULL;
  return status;
}
