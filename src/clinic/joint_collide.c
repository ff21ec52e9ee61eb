/* The bodies of a joint in one pose, by any method of the library's table. */
#include "base/memory.h"
#include "joint/joint.h"
#include <synovia/joint_analysis.h>

/* A body whose mesh was not read, such as a muscle of a hip, touches nothing. */
static bool has_mesh(const syn_body *body) { return body->surface || body->volume; }

static syn_status collide(const syn_context *context, const syn_joint *joint, const char *method, const syn_pose *pose,
                          size_t most_contacts, syn_joint_collision *pairs, size_t *count, syn_error *error) {
  syn_collide_options options = syn_default_collide_options();
  options.center = joint->center;
  for (size_t f = 0; f < joint->body_count; ++f)
    for (size_t m = 0; m < joint->body_count; ++m) {
      const syn_body *fixed = &joint->bodies[f], *mobile = &joint->bodies[m];
      if (!has_mesh(fixed) || !has_mesh(mobile) || !syn_joint_may_touch(joint, fixed, mobile)) continue;
      syn_joint_collision *pair = &pairs[*count];
      *pair = (syn_joint_collision){.fixed = fixed, .mobile = mobile};
      SYN_TRY(
          syn_collision_create(context, method, fixed, mobile, &options, pose, most_contacts, &pair->collision, error));
      ++*count;
    }
  if (*count > 0) return SYN_OK;
  return syn_fail(error, SYN_BAD_ARGUMENT, "this joint has no fixed and mobile body that may touch");
}

syn_status syn_joint_collide(const syn_context *context, const syn_joint *joint, const char *method,
                             const syn_pose *pose, size_t most_contacts, syn_joint_collision **pairs, size_t *count,
                             syn_error *error) {
  syn_joint_collision *made;
  *pairs = NULL;
  *count = 0;
  SYN_TRY(SYN_NEW(context, &made, joint->body_count * joint->body_count, error));
  const syn_status status = collide(context, joint, method, pose, most_contacts, made, count, error);
  if (status == SYN_OK) {
    *pairs = made;
  } else {
    syn_joint_collisions_destroy(context, made, *count);
    *count = 0;
  }
  return status;
}

void syn_joint_collisions_destroy(const syn_context *context, syn_joint_collision *pairs, size_t count) {
  for (size_t i = 0; i < count; ++i) syn_collision_destroy(pairs[i].collision);
  syn_free(context, pairs);
}
