/* A joint of any kind from its file: meshes, centre and axes. */
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "clinic/hip_case.h"
#include "joint/joint.h"
#include <synovia/joint_analysis.h>

syn_joint_input syn_default_joint_input(void) { return (syn_joint_input){.cookie = SYN_COOKIE}; }

/* ---- a knee by landmarks ------------------------------------------------------------------------------------------
 */

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

/* The frames of both bones by Grood and Suntay (1983); the centre between the epicondyles unless it is given. */
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

/* ---- opening ------------------------------------------------------------------------------------------------------
 */

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

/* Contact needs surfaces: that of a volume where the file has no other. */
static syn_status check_surfaces(syn_joint *joint, syn_error *error) {
  for (size_t i = 0; i < joint->body_count; ++i) {
    const syn_body *body = &joint->bodies[i];
    syn_trimesh *surface;
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
  if (!input->joint) return syn_fail(error, SYN_BAD_ARGUMENT, "no joint file is given");
  SYN_TRY(syn_joint_read(context, input->joint, &made, error));
  syn_status status = place(made, input, error);
  if (status == SYN_OK) status = syn_joint_load(made, input->reading, error);
  if (status == SYN_OK) status = check_surfaces(made, error);
  if (status == SYN_OK)
    *joint = made;
  else
    syn_joint_destroy(made);
  return status;
}
