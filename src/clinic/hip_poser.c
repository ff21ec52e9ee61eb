/* A hip at any pose: the queries of a live viewer while the femur is dragged. */
#include <math.h>

#include <synovia/hip.h>

#include "base/memory.h"
#include "base/names.h"

enum { MOBILE_IN_FIXED, FIXED_IN_MOBILE, ROLES, MOST_PAIRS = 6 };

static const char *const methods[SYN_POSE_FIELDS] = {[SYN_POSE_DEPTH] = "distance", [SYN_POSE_RADIAL] = "radial"};

const char *syn_pose_field_name(syn_pose_field field) {
  static const char *const names[] = {[SYN_POSE_DEPTH] = "depth", [SYN_POSE_RADIAL] = "radial"};
  return SYN_NAME(names, SYN_POSE_FIELDS, field);
}

/* A fixed and a mobile part. */
typedef struct part_pair {
  syn_hip_part fixed, mobile;
  syn_collider *colliders[SYN_POSE_FIELDS][ROLES]; /* NULL where the surface has no inside */
  syn_distance *distance;
  bool has_clearance; /* the last one is a good guess for the next */
} part_pair;

struct syn_hip_poser {
  syn_context context; /* one thread: for work of a few milliseconds waking others costs more than they bring */
  syn_hip hip;
  const syn_hip_rom *rom;
  double reach_mm;
  size_t pair_count;
  part_pair pairs[MOST_PAIRS];
  syn_part_clearance clearances[MOST_PAIRS];
  syn_arena arena; /* what follows */
  void *scratch;
  double *depths;                /* of one body in one other */
  double *values[SYN_HIP_PARTS]; /* the deepest of each vertex in any other; NULL where a part is missing */
};

/* ---- preparing ----------------------------------------------------------------------------------------------------
 */

static syn_status make_collider(const syn_hip_poser *p, const part_pair *pair, int field, int role,
                                syn_collider **collider, syn_error *error) {
  const syn_body fixed = {.surface = p->hip.parts[pair->fixed]}, mobile = {.surface = p->hip.parts[pair->mobile]};
  const bool swapped = role == FIXED_IN_MOBILE;
  syn_collide_options options = syn_default_collide_options();
  options.center = p->hip.center;
  options.reach_mm = p->reach_mm;
  options.fixed_outside = !swapped;
  return syn_collider_create(&p->context, methods[field], swapped ? &mobile : &fixed, swapped ? &fixed : &mobile,
                             &options, collider, error);
}

/* A surface that is not closed has no inside, hence no depths. */
static syn_status try_collider(const syn_hip_poser *p, part_pair *pair, int field, int role, syn_error *error) {
  syn_error why;
  const syn_status status = make_collider(p, pair, field, role, &pair->colliders[field][role], &why);
  if (status == SYN_OK) return SYN_OK;
  pair->colliders[field][role] = NULL;
  if (status == SYN_BAD_MESH) {
    const syn_hip_part of = role == MOBILE_IN_FIXED ? pair->mobile : pair->fixed,
                       in = role == MOBILE_IN_FIXED ? pair->fixed : pair->mobile;
    syn_warn(&p->context, "no %s depths of the %s in the %s: %s", methods[field], syn_hip_part_name(of),
             syn_hip_part_name(in), why.message);
    return SYN_OK;
  }
  if (error) *error = why;
  return status;
}

static void need(size_t bytes, size_t *scratch) {
  if (bytes > *scratch) *scratch = bytes;
}

static syn_status prepare_pair(syn_hip_poser *p, part_pair *pair, size_t *scratch, syn_error *error) {
  for (int field = 0; field < SYN_POSE_FIELDS; ++field)
    for (int role = 0; role < ROLES; ++role) {
      SYN_TRY(try_collider(p, pair, field, role, error));
      if (pair->colliders[field][role]) need(syn_collider_scratch(pair->colliders[field][role]), scratch);
    }
  SYN_TRY(syn_distance_create(p->hip.parts[pair->fixed], p->hip.parts[pair->mobile], &p->hip.center, &pair->distance,
                              error));
  need(syn_distance_scratch(pair->distance), scratch);
  return SYN_OK;
}

static syn_status prepare_pairs(syn_hip_poser *p, size_t *scratch, syn_error *error) {
  for (syn_hip_part mobile = 0; mobile < SYN_HIP_PARTS; ++mobile)
    for (syn_hip_part fixed = 0; fixed < SYN_HIP_PARTS; ++fixed) {
      if (!p->hip.parts[mobile] || !p->hip.parts[fixed]) continue;
      if (!syn_hip_part_moves(mobile) || syn_hip_part_moves(fixed)) continue;
      const size_t i = p->pair_count++;
      p->pairs[i] = (part_pair){.fixed = fixed, .mobile = mobile};
      p->clearances[i] = (syn_part_clearance){.fixed = fixed, .mobile = mobile};
      SYN_TRY(prepare_pair(p, &p->pairs[i], scratch, error));
    }
  return SYN_OK;
}

static syn_status prepare(syn_hip_poser *p, syn_error *error) {
  size_t scratch = p->rom ? syn_hip_rom_scratch(p->rom) : 0, most = 0;
  SYN_TRY(prepare_pairs(p, &scratch, error));
  for (int part = 0; part < SYN_HIP_PARTS; ++part) {
    if (!p->hip.parts[part]) continue;
    const size_t count = p->hip.parts[part]->vertex_count;
    most = count > most ? count : most;
    SYN_TRY(SYN_TAKE(&p->arena, &p->values[part], count, error));
  }
  SYN_TRY(SYN_TAKE(&p->arena, &p->depths, most, error));
  return syn_arena_take(&p->arena, scratch, 1, &p->scratch, error);
}

syn_status syn_hip_poser_create(const syn_context *context, const syn_hip *hip, const syn_hip_rom *rom, double reach_mm,
                                syn_hip_poser **poser, syn_error *error) {
  syn_hip_poser *made;
  *poser = NULL;
  SYN_TRY(SYN_NEW_ZEROED(context, &made, 1, error));
  made->context = *syn_context_or_default(context);
  made->context.threads = 1;
  made->hip = *hip;
  made->rom = rom;
  made->reach_mm = reach_mm;
  made->arena.context = &made->context;
  const syn_status status = prepare(made, error);
  if (status == SYN_OK)
    *poser = made;
  else
    syn_hip_poser_destroy(made);
  return status;
}

void syn_hip_poser_destroy(syn_hip_poser *p) {
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

/* ---- fields -------------------------------------------------------------------------------------------------------
 */

static void deepen(const syn_hip_poser *p, syn_hip_part part, const syn_collider *collider, const syn_pose *pose) {
  if (!collider) return;
  syn_contacts result = {.vertex_depth = p->depths};
  syn_collider_query(collider, pose, p->scratch, &result);
  for (uint32_t v = 0; v < p->hip.parts[part]->vertex_count; ++v)
    p->values[part][v] = fmax(p->values[part][v], p->depths[v]);
}

const double *const *syn_hip_poser_field(syn_hip_poser *p, syn_pose_field field, const syn_pose *pose) {
  const syn_pose back = syn_pose_inverse(pose);
  for (int part = 0; part < SYN_HIP_PARTS; ++part)
    for (uint32_t v = 0; p->values[part] && v < p->hip.parts[part]->vertex_count; ++v)
      p->values[part][v] = (double)-INFINITY;
  for (size_t i = 0; i < p->pair_count; ++i) {
    const part_pair *pair = &p->pairs[i];
    deepen(p, pair->mobile, pair->colliders[field][MOBILE_IN_FIXED], pose);
    deepen(p, pair->fixed, pair->colliders[field][FIXED_IN_MOBILE], &back);
  }
  for (int part = 0; part < SYN_HIP_PARTS; ++part)
    for (uint32_t v = 0; p->values[part] && v < p->hip.parts[part]->vertex_count; ++v)
      if (!(p->values[part][v] >= -p->reach_mm)) p->values[part][v] = (double)NAN;
  return (const double *const *)p->values;
}

/* ---- numbers ------------------------------------------------------------------------------------------------------
 */

const syn_part_clearance *syn_hip_poser_clearances(syn_hip_poser *p, const syn_pose *pose, size_t *count) {
  for (size_t i = 0; i < p->pair_count; ++i) {
    syn_clearance *clearance = &p->clearances[i].clearance;
    syn_distance_query(p->pairs[i].distance, pose, p->pairs[i].has_clearance ? clearance : NULL, p->scratch, clearance);
    p->pairs[i].has_clearance = true;
  }
  *count = p->pair_count;
  return p->clearances;
}

bool syn_hip_poser_free_angles(syn_hip_poser *p, const syn_pose *pose, syn_hip_limit limits[3][2]) {
  if (!p->rom) return false;
  const syn_hip_angles angles = syn_hip_angles_of(&p->hip, pose);
  for (int axis = SYN_AXIS_FLEXION; axis <= SYN_AXIS_ROTATION; ++axis)
    for (int way = 0; way < 2; ++way)
      syn_hip_rom_query(p->rom, angles, (syn_hip_axis)axis, way ? -1 : 1, p->scratch, &limits[axis][way]);
  return true;
}
