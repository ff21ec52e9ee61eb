/* Checks the rules for every joint, whether it was read or filled by the caller. */
#include <string.h>

#include "base/vec.h"
#include "joint/complaint.h"
#include "joint/joint_file.h"

/* NAN stands for "not given". */
static bool given_and_outside(double value, double above, double up_to) {
  return !isnan(value) && !(value > above && value <= up_to);
}

static syn_status check_material(const syn_material *m, size_t body, const syn_complaint *to) {
  const double most = 1e300; /* not infinite */
  if (given_and_outside(m->young_mpa, 0, most))
    return syn_complain(to, "bodies[%zu].material.young_mpa: must be positive, not %g", body, m->young_mpa);
  if (given_and_outside(m->poisson, -1, 0.5))
    return syn_complain(to, "bodies[%zu].material.poisson: must lie above -1 and not above 0.5, not %g", body,
                        m->poisson);
  if (given_and_outside(m->density_kg_m3, 0, most))
    return syn_complain(to, "bodies[%zu].material.density_kg_m3: must be positive, not %g", body, m->density_kg_m3);
  return SYN_OK;
}

static syn_status check_bodies(const syn_joint *joint, const syn_complaint *to) {
  if (joint->body_count == 0) return syn_complain(to, "bodies: a joint needs at least one");
  for (size_t i = 0; i < joint->body_count; ++i) {
    const syn_body *body = &joint->bodies[i];
    if (!body->name || !body->name[0]) return syn_complain(to, "bodies[%zu].name: may not be empty", i);
    if (!body->mesh_file || !body->mesh_file[0]) return syn_complain(to, "bodies[%zu].mesh: may not be empty", i);
    for (size_t k = 0; k < i; ++k)
      if (strcmp(joint->bodies[k].name, body->name) == 0)
        return syn_complain(to, "bodies[%zu].name: '%s' is already the name of bodies[%zu]", i, body->name, k);
    SYN_TRY(check_material(&body->material, i, to));
  }
  return SYN_OK;
}

static syn_status check_partner(const syn_joint *joint, size_t contact, const char *key, const char *name, bool moves,
                                const syn_complaint *to) {
  for (size_t i = 0; i < joint->body_count; ++i) {
    if (strcmp(joint->bodies[i].name, name) != 0) continue;
    if (joint->bodies[i].moves == moves) return SYN_OK;
    return syn_complain(to, "contacts[%zu].%s: the body '%s' %s", contact, key, name,
                        moves ? "does not move" : "moves");
  }
  return syn_complain(to, "contacts[%zu].%s: there is no body named '%s'", contact, key, name);
}

static syn_status check_contacts(const syn_joint *joint, const syn_complaint *to) {
  for (size_t i = 0; i < joint->contact_count; ++i) {
    SYN_TRY(check_partner(joint, i, "fixed", joint->contacts[i].fixed, false, to));
    SYN_TRY(check_partner(joint, i, "mobile", joint->contacts[i].mobile, true, to));
  }
  return SYN_OK;
}

static syn_status check_axes(const syn_joint_axes *of, const char *const names[], const syn_complaint *to) {
  const syn_vec3 axes[] = {of->flexion, of->adduction, of->rotation};
  const double tolerance = 1e-6;
  for (int i = 0; i < 3; ++i) {
    if (!(fabs(vec3_length(axes[i]) - 1) <= tolerance))
      return syn_complain(to, "frame.%s: must be of length 1, not %.9g", names[i], vec3_length(axes[i]));
    for (int k = 0; k < i; ++k)
      if (!(fabs(vec3_dot(axes[i], axes[k])) <= tolerance))
        return syn_complain(to, "frame.%s: must be at right angles to %s, but their product is %.9g", names[i],
                            names[k], vec3_dot(axes[i], axes[k]));
  }
  return SYN_OK;
}

static syn_status check_frames(const syn_joint *joint, const syn_complaint *to) {
  static const char *const limb[] = {"flexion", "adduction", "rotation"},
                           *const named[] = {"axes[0]", "axes[1]", "axes[2]"},
                           *const mobile[] = {"mobile_axes[0]", "mobile_axes[1]", "mobile_axes[2]"};
  if (joint->has_axes) SYN_TRY(check_axes(&joint->axes, joint->directions[0][0] ? named : limb, to));
  if (!joint->has_mobile_axes) return SYN_OK;
  if (!joint->has_axes) return syn_complain(to, "frame.mobile_axes: the fixed bodies need axes as well");
  return check_axes(&joint->mobile_axes, mobile, to);
}

/* "knee", "temporomandibular-joint": a word that sentences can use. */
static syn_status check_kind(const syn_joint *joint, const syn_complaint *to) {
  if (!joint->kind) return SYN_OK;
  const size_t length = strlen(joint->kind);
  if (length == 0 || length > 60 || strspn(joint->kind, "abcdefghijklmnopqrstuvwxyz -") != length)
    return syn_complain(to, "kind: must be a word of small letters such as hip, knee, jaw, shoulder or other");
  return SYN_OK;
}

static syn_status check_motions(const syn_joint *joint, const syn_complaint *to) {
  for (size_t i = 0; i < joint->turn_count; ++i) {
    const syn_motion *motion = &joint->turns[i];
    if (!motion->name || !motion->name[0]) return syn_complain(to, "motions: a motion has no name");
    for (size_t k = 0; k < i; ++k)
      if (strcmp(joint->turns[k].name, motion->name) == 0)
        return syn_complain(to, "motions: there are two of the name '%s'", motion->name);
  }
  return SYN_OK;
}

static syn_status check_place(const syn_joint *joint, const syn_complaint *to) {
  if (joint->has_center && joint->center_method) return syn_complain(to, "center: is a point or a method, not both");
  if (joint->has_center && !vec3_finite(joint->center)) return syn_complain(to, "center: must be three finite numbers");
  if (joint->center_method && !joint->center_method[0]) return syn_complain(to, "center.method: may not be empty");
  if (joint->has_axes && joint->landmark_count > 0) return syn_complain(to, "frame: is axes or landmarks, not both");
  SYN_TRY(check_frames(joint, to));
  for (size_t i = 0; i < joint->landmark_count; ++i) {
    const char *name = joint->landmarks[i].name;
    if (!vec3_finite(joint->landmarks[i].place))
      return syn_complain(to, "frame.landmarks.%s: must be three finite numbers", name);
    for (size_t k = 0; k < i; ++k)
      if (strcmp(joint->landmarks[k].name, name) == 0)
        return syn_complain(to, "frame.landmarks.%s: is given twice", name);
  }
  return SYN_OK;
}

syn_status syn_joint_check(const syn_joint *joint, syn_status code, const char *file, syn_error *error) {
  const syn_complaint to = {code, file, error};
  SYN_TRY(check_kind(joint, &to));
  SYN_TRY(check_bodies(joint, &to));
  SYN_TRY(check_contacts(joint, &to));
  SYN_TRY(check_motions(joint, &to));
  return check_place(joint, &to);
}
