/* Queries a joint at any pose, for a live viewer while its bodies are dragged. */
#include <math.h>

#include "base/names.h"
#include "joint/joint_store.h"
#include "motion/rom/rom.h"

enum { MOBILE_IN_FIXED, FIXED_IN_MOBILE, ROLES };

static const char *const methods[SYN_POSE_FIELDS] = {[SYN_POSE_DEPTH] = "distance", [SYN_POSE_RADIAL] = "radial"};

SYN_ENUM_NAMES(syn_pose_field, SYN_POSE_FIELDS, [SYN_POSE_DEPTH] = "depth", [SYN_POSE_RADIAL] = "radial");

/* A fixed and a mobile body. */
typedef struct body_pair {
  size_t fixed, mobile;
  syn_collider *colliders[SYN_POSE_FIELDS][ROLES]; /* NULL if the surface has no inside */
  syn_distance *distance;
  bool has_clearance; /* the last one is a good initial guess for the next */
} body_pair;

struct syn_pose_query {
  syn_context context; /* one thread: for a few milliseconds of work, waking others costs more than it gains */
  syn_joint joint;     /* without contacts, which are in `pairs` */
  const syn_rom *rom;  /* NULL: no free angles */
  double reach_mm;
  syn_arena arena; /* owns the data below and the bodies of the joint */
  size_t pair_count;
  body_pair *pairs;
  syn_joint_clearance *clearances;
  void *scratch;
  double *depths;  /* of one body in another */
  double **values; /* the largest depth of each vertex in any other body; NULL for a body without a surface */
};

static const syn_trimesh *surface(const syn_pose_query *p, size_t body) { return p->joint.bodies[body].surface; }

/* ---- preparation ------------------------------------------------------------------------------------------------- */

static syn_status make_collider(const syn_pose_query *p, const body_pair *pair, int field, int role,
                                syn_collider **collider, syn_error *error) {
  const syn_body fixed = {.surface = surface(p, pair->fixed)}, mobile = {.surface = surface(p, pair->mobile)};
  const bool swapped = role == FIXED_IN_MOBILE;
  syn_collide_options options = syn_default_collide_options();
  options.center = p->joint.center;
  options.reach_mm = p->reach_mm;
  options.fixed_outside = !swapped;
  return syn_collider_create(&p->context, methods[field], swapped ? &mobile : &fixed, swapped ? &fixed : &mobile,
                             &options, collider, error);
}

/* A surface that is not closed has no inside, so it has no depths. */
static syn_status try_collider(const syn_pose_query *p, body_pair *pair, int field, int role, syn_error *error) {
  syn_error why;
  const syn_status status = make_collider(p, pair, field, role, &pair->colliders[field][role], &why);
  if (status == SYN_OK) return SYN_OK;
  pair->colliders[field][role] = NULL;
  if (status == SYN_BAD_MESH) {
    const size_t of = role == MOBILE_IN_FIXED ? pair->mobile : pair->fixed,
                 in = role == MOBILE_IN_FIXED ? pair->fixed : pair->mobile;
    syn_warn(&p->context, "no %s depths of the %s in the %s: %s", methods[field], p->joint.bodies[of].name,
             p->joint.bodies[in].name, why.message);
    return SYN_OK;
  }
  if (error) *error = why;
  return status;
}

static void need(size_t bytes, size_t *scratch) {
  if (bytes > *scratch) *scratch = bytes;
}

static syn_status prepare_pair(syn_pose_query *p, body_pair *pair, size_t *scratch, syn_error *error) {
  for (int field = 0; field < SYN_POSE_FIELDS; ++field)
    for (int role = 0; role < ROLES; ++role) {
      SYN_TRY(try_collider(p, pair, field, role, error));
      if (pair->colliders[field][role]) need(syn_collider_scratch(pair->colliders[field][role]), scratch);
    }
  SYN_TRY(
      syn_distance_create(surface(p, pair->fixed), surface(p, pair->mobile), &p->joint.center, &pair->distance, error));
  need(syn_distance_scratch(pair->distance), scratch);
  return SYN_OK;
}

static syn_status prepare_pairs(syn_pose_query *p, const syn_joint *joint, size_t *scratch, syn_error *error) {
  const size_t most = joint->body_count * joint->body_count;
  SYN_TRY(SYN_TAKE(&p->arena, &p->pairs, most, error));
  SYN_TRY(SYN_TAKE(&p->arena, &p->clearances, most, error));
  for (size_t mobile = 0; mobile < joint->body_count; ++mobile)
    for (size_t fixed = 0; fixed < joint->body_count; ++fixed) {
      if (!surface(p, mobile) || !surface(p, fixed)) continue;
      if (!syn_joint_may_touch(joint, &joint->bodies[fixed], &joint->bodies[mobile])) continue;
      const size_t i = p->pair_count++;
      p->pairs[i] = (body_pair){.fixed = fixed, .mobile = mobile};
      p->clearances[i] = (syn_joint_clearance){.fixed = fixed, .mobile = mobile};
      SYN_TRY(prepare_pair(p, &p->pairs[i], scratch, error));
    }
  return SYN_OK;
}

/* The bodies are copied: the caller may release a joint filled by hand before the query. */
static syn_status copy_joint(syn_pose_query *p, const syn_joint *joint, syn_error *error) {
  syn_body *bodies;
  SYN_TRY(SYN_TAKE(&p->arena, &bodies, joint->body_count, error));
  for (size_t i = 0; i < joint->body_count; ++i) bodies[i] = joint->bodies[i];
  p->joint = *joint;
  p->joint.bodies = bodies;
  p->joint.contact_count = 0;
  p->joint.contacts = NULL;
  return SYN_OK;
}

static syn_status prepare(syn_pose_query *p, const syn_joint *joint, syn_error *error) {
  size_t scratch = p->rom ? syn_rom_scratch(p->rom) : 0, most = 0;
  SYN_TRY(copy_joint(p, joint, error));
  SYN_TRY(prepare_pairs(p, joint, &scratch, error));
  SYN_TRY(syn_arena_take(&p->arena, p->joint.body_count, sizeof *p->values, (void **)&p->values, error));
  for (size_t i = 0; i < p->joint.body_count; ++i) {
    p->values[i] = NULL;
    if (!surface(p, i)) continue;
    const size_t count = surface(p, i)->vertex_count;
    most = count > most ? count : most;
    SYN_TRY(SYN_TAKE(&p->arena, &p->values[i], count, error));
  }
  SYN_TRY(SYN_TAKE(&p->arena, &p->depths, most, error));
  return syn_arena_take(&p->arena, scratch, 1, &p->scratch, error);
}

syn_status syn_pose_query_create(const syn_context *context, const syn_joint *joint, const syn_rom *rom,
                                 double reach_mm, syn_pose_query **query, syn_error *error) {
  syn_pose_query *made;
  *query = NULL;
  SYN_TRY(SYN_NEW_ZEROED(context, &made, 1, error));
  made->context = *syn_context_or_default(context);
  made->context.threads = 1;
  made->rom = rom;
  made->reach_mm = reach_mm;
  made->arena.context = &made->context;
  const syn_status status = prepare(made, joint, error);
  if (status == SYN_OK)
    *query = made;
  else
    syn_pose_query_destroy(made);
  return status;
}

void syn_pose_query_destroy(syn_pose_query *p) {
  if (!p) return;
  for (size_t i = 0; i < p->pair_count; ++i) {
    for (int field = 0; field < SYN_POSE_FIELDS; ++field)
      for (int role = 0; role < ROLES; ++role) syn_collider_destroy(p->pairs[i].colliders[field][role]);
    syn_distance_destroy(p->pairs[i].distance);
  }
  syn_arena_release(&p->arena);
  const syn_context context = p->context;
  syn_free(&context, p);
}

/* ---- fields ------------------------------------------------------------------------------------------------------ */

static void deepen(const syn_pose_query *p, size_t body, const syn_collider *collider, const syn_pose *pose) {
  if (!collider) return;
  syn_contacts result = {.vertex_depth = p->depths};
  syn_collider_query(collider, pose, p->scratch, &result);
  for (uint32_t v = 0; v < surface(p, body)->vertex_count; ++v)
    p->values[body][v] = fmax(p->values[body][v], p->depths[v]);
}

const double *const *syn_pose_query_depths(syn_pose_query *p, syn_pose_field field, const syn_pose *pose) {
  const syn_pose back = syn_pose_inverse(pose);
  for (size_t body = 0; body < p->joint.body_count; ++body)
    for (uint32_t v = 0; p->values[body] && v < surface(p, body)->vertex_count; ++v)
      p->values[body][v] = (double)-INFINITY;
  for (size_t i = 0; i < p->pair_count; ++i) {
    const body_pair *pair = &p->pairs[i];
    deepen(p, pair->mobile, pair->colliders[field][MOBILE_IN_FIXED], pose);
    deepen(p, pair->fixed, pair->colliders[field][FIXED_IN_MOBILE], &back);
  }
  for (size_t body = 0; body < p->joint.body_count; ++body)
    for (uint32_t v = 0; p->values[body] && v < surface(p, body)->vertex_count; ++v)
      if (!(p->values[body][v] >= -p->reach_mm)) p->values[body][v] = (double)NAN;
  return (const double *const *)p->values;
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

const syn_joint_clearance *syn_pose_query_clearances(syn_pose_query *p, const syn_pose *pose, size_t *count) {
  for (size_t i = 0; i < p->pair_count; ++i) {
    syn_clearance *clearance = &p->clearances[i].clearance;
    syn_distance_query(p->pairs[i].distance, pose, p->pairs[i].has_clearance ? clearance : NULL, p->scratch, clearance);
    p->pairs[i].has_clearance = true;
  }
  *count = p->pair_count;
  return p->clearances;
}

bool syn_pose_query_limits(syn_pose_query *p, const syn_pose *pose, syn_limit limits[SYN_JOINT_AXES][2]) {
  if (!p->rom) return false;
  const syn_joint *joint = &p->joint;
  const syn_joint_angles angles = syn_joint_angles_of(joint, pose);
  const syn_pose start = syn_joint_pose(joint, angles);
  for (int axis = 0; axis < SYN_JOINT_AXES; ++axis)
    syn_rom_turn(p->rom, &start, syn_joint_axis_at(joint, angles, axis), p->scratch, &limits[axis][0],
                 &limits[axis][1]);
  return true;
}
