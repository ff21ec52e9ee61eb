/* Collides the bodies of a joint in one pose, by any registered method. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "joint/joint_store.h"
#include <synovia/collide.h>
#include <synovia/motion.h>

/* A body whose mesh was not read, such as a muscle of a hip, has no contacts. */
static bool has_mesh(const syn_body *body) { return body->surface || body->volume; }

/* Measures about the joint's centre, and arcs about the axis of the rotation that led to the pose. */
static syn_collide_options options_at(const syn_joint *joint, const syn_collide_options *given, const syn_pose *pose) {
  syn_collide_options options = given ? *given : syn_default_collide_options();
  const syn_quat turn = pose ? syn_pose_quat(pose) : (syn_quat){1, 0, 0, 0};
  const syn_vec3 about = vec3(turn.x, turn.y, turn.z);
  const double half_sine = vec3_length(about), least = 1e-9;
  options.center = joint->center;
  options.angle = 0;
  if (half_sine > least) {
    options.axis = vec3_scale(about, (turn.w < 0 ? -1 : 1) / half_sine);
    options.angle = 2 * atan2(half_sine, fabs(turn.w));
  } else if (joint->has_axes) {
    options.axis = joint->axes.flexion;
  }
  return options;
}

static syn_status collide(const syn_context *context, const syn_joint *joint, const char *method,
                          const syn_collide_options *given, const syn_pose *pose, size_t most_contacts,
                          syn_joint_collision *pairs, size_t *count, syn_error *error) {
  const syn_collide_options options = options_at(joint, given, pose);
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
                             const syn_collide_options *options, const syn_pose *pose, size_t most_contacts,
                             syn_joint_collision **pairs, size_t *count, syn_error *error) {
  syn_joint_collision *made;
  *pairs = NULL;
  *count = 0;
  SYN_TRY(SYN_NEW(context, &made, joint->body_count * joint->body_count, error));
  const syn_status status = collide(context, joint, method, options, pose, most_contacts, made, count, error);
  if (status == SYN_OK) {
    *pairs = made;
  } else {
    syn_joint_collisions_destroy(context, made, *count);
    *count = 0;
  }
  return status;
}

/* ---- every body with every other --------------------------------------------------------------------------------- */

/* Bodies of the joint by their numbers in the world. */
typedef struct all_bodies {
  const syn_context *context;
  const syn_joint *joint;
  syn_method_info method;
  syn_world *world;
  const syn_body **bodies;
  syn_joint_collision *pairs;
  size_t count;
} all_bodies;

static syn_status enter_bodies(all_bodies *all, const syn_pose *pose, syn_error *error) {
  uint32_t number;
  SYN_TRY(SYN_NEW(all->context, &all->bodies, all->joint->body_count, error));
  for (size_t i = 0; i < all->joint->body_count; ++i) {
    const syn_body *body = &all->joint->bodies[i];
    if (!has_mesh(body)) continue;
    SYN_TRY(syn_world_add(all->world, body, &number, error));
    all->bodies[number] = body;
    if (body->moves) SYN_TRY(syn_world_place(all->world, number, pose, error));
  }
  return SYN_OK;
}

static syn_status take_pair(all_bodies *all, const syn_world_pair *from, const syn_pose *pose, syn_error *error) {
  const syn_context *context = all->context;
  const size_t listed = from->contacts.count < from->contacts.capacity ? from->contacts.count : from->contacts.capacity;
  syn_joint_collision *pair = &all->pairs[all->count];
  *pair = (syn_joint_collision){.fixed = all->bodies[from->fixed], .mobile = all->bodies[from->mobile]};
  SYN_TRY(SYN_NEW_ZEROED(context, &pair->collision, 1, error));
  ++all->count;
  syn_collision *collision = pair->collision;
  *collision = (syn_collision){
      .context = context, .method = all->method, .self = from->fixed == from->mobile, .mobile = *pair->mobile};
  collision->pose = pair->mobile->moves && pose ? *pose : syn_pose_identity();
  collision->contacts = from->contacts;
  collision->contacts.contacts = NULL;
  SYN_TRY(SYN_NEW(context, &collision->contacts.contacts, listed, error));
  if (listed > 0)
    memcpy(collision->contacts.contacts, from->contacts.contacts, listed * sizeof *from->contacts.contacts);
  return SYN_OK;
}

static syn_status collide_all(all_bodies *all, const syn_pose *pose, size_t most_contacts, syn_error *error) {
  const syn_world_pair *found;
  size_t count;
  SYN_TRY(enter_bodies(all, pose, error));
  SYN_TRY(syn_world_query(all->world, most_contacts, &found, &count, error));
  SYN_TRY(SYN_NEW(all->context, &all->pairs, count, error));
  for (size_t i = 0; i < count; ++i) SYN_TRY(take_pair(all, &found[i], pose, error));
  return SYN_OK;
}

syn_status syn_joint_collide_all(const syn_context *context, const syn_joint *joint, const char *method,
                                 const syn_collide_options *options, const syn_pose *pose, size_t most_contacts,
                                 syn_joint_collision **pairs, size_t *count, syn_error *error) {
  all_bodies all = {.context = context, .joint = joint};
  syn_world_options world = syn_default_world_options();
  *pairs = NULL;
  *count = 0;
  world.collide = options_at(joint, options, pose);
  world.self = world.collide.with_self; /* once for each body, not for each pair */
  world.collide.with_self = false;
  world.collide.angle = 0; /* which of two bodies approached the other differs from pair to pair */
  SYN_TRY(syn_method_find(method, &all.method, error));
  SYN_TRY(syn_world_create(context, method, &world, &all.world, error));
  const syn_status status = collide_all(&all, pose, most_contacts, error);
  syn_world_destroy(all.world);
  syn_free(context, all.bodies);
  if (status == SYN_OK) {
    *pairs = all.pairs;
    *count = all.count;
  } else {
    syn_joint_collisions_destroy(context, all.pairs, all.count);
  }
  return status;
}

void syn_joint_collisions_destroy(const syn_context *context, syn_joint_collision *pairs, size_t count) {
  for (size_t i = 0; i < count; ++i) syn_collision_destroy(pairs[i].collision);
  syn_free(context, pairs);
}
