/* Updates a case after its centre or one of its landmarks was moved by hand. */
#include <string.h>

#include <synovia/clinic.h>

#include "base/memory.h"
#include "base/vec.h"
#include "clinic/center/center.h"
#include "clinic/hip_case.h"

syn_status syn_hip_case_set_center(syn_hip_case *c, syn_vec3 center, syn_error *error) {
  if (!vec3_finite(center)) return syn_fail(error, SYN_BAD_ARGUMENT, "the centre of rotation is not a finite point");
  c->hip.center = center;
  c->hip.seat = vec3(0, 0, 0);
  c->center_method = "given";
  return SYN_OK;
}

/* Finds the anatomy with the landmarks given before, and this one. The centre is unchanged. */
static syn_status find_anatomy(const syn_hip_case *c, syn_landmark which, syn_vec3 place, syn_anatomy **anatomy,
                               syn_error *error) {
  syn_found_point given[SYN_LANDMARK_SLOTS];
  for (int i = 0; i < SYN_LANDMARKS; ++i) {
    given[i] = c->anatomy->landmarks[i];
    if (given[i].found != SYN_FOUND_GIVEN) given[i] = (syn_found_point){.found = SYN_FOUND_NOT};
  }
  given[which] = (syn_found_point){SYN_FOUND_GIVEN, place, 1};
  syn_anatomy_options options = syn_default_anatomy_options();
  options.side = &c->hip.side;
  options.center = &c->hip.center;
  options.given = given;
  return syn_anatomy_create(c->context, c->hip.parts[SYN_HIP_PELVIS], c->femur, &options, anatomy, error);
}

/* A centre that follows the joint is computed again, any other is unchanged. */
static syn_status follow_anatomy(syn_hip_case *changed, syn_error *error) {
  const bool follows = syn_hip_case_follows_joint(changed);
  syn_hip_case_frames(changed);
  SYN_TRY(syn_centers_find(changed->context, changed->hip.parts[SYN_HIP_PELVIS], changed->femur, changed->anatomy, NULL,
                           0, &changed->centers, error));
  changed->centers.methods[SYN_CENTER_SCORE] = syn_center_of_motion(&changed->motion);
  syn_hip_case_joint_surface(changed);
  const syn_center_method method = strcmp(changed->center_method, syn_center_method_name(SYN_CENTER_EQUIDISTANT)) == 0
                                       ? SYN_CENTER_EQUIDISTANT
                                       : SYN_CENTER_FEMORAL_HEAD_SPHERE;
  if (follows && changed->centers.methods[method].known)
    syn_hip_case_take_center(changed, method);
  else
    changed->center_method = "given";
  return SYN_OK;
}

syn_status syn_hip_case_set_landmark(syn_hip_case *c, syn_landmark which, syn_vec3 place, syn_anatomy **replaced,
                                     syn_error *error) {
  if (!c->anatomy || c->anatomy->landmarks[which].found == SYN_FOUND_NOT)
    return syn_fail(error, SYN_BAD_ARGUMENT, "there is no landmark '%s' on these bones", syn_landmark_name(which));
  if (c->anatomy->pelvis_frame == SYN_FRAME_GIVEN)
    return syn_fail(error, SYN_BAD_ARGUMENT,
                    "the joint file gives the axes themselves, so landmarks have no say: take \"frame\" out of it to "
                    "place them");
  syn_hip_case changed = *c;
  SYN_TRY(find_anatomy(c, which, place, &changed.anatomy, error));
  const syn_status status = follow_anatomy(&changed, error);
  if (status != SYN_OK) {
    syn_anatomy_destroy(changed.anatomy);
    return status;
  }
  if (replaced)
    *replaced = c->anatomy;
  else
    syn_anatomy_destroy(c->anatomy);
  *c = changed;
  return SYN_OK;
}
