/* Prepares the bodies of a joint for rotations: finds the pairs that may limit a motion. */
#include "motion/rom/rom.h"
#include "motion/joint_coordinates.h"

#include <math.h>
#include <stdio.h>

#include "base/text.h"
#include "base/vec.h"
#include "collide/rotation/rotation.h"
#include "joint/joint_store.h"
#include "mesh/builder.h"
#include "motion/rom/band.h"

syn_rom_options syn_default_rom_options(void) { return (syn_rom_options){.cookie = SYN_COOKIE}; }

/* ---- poses ------------------------------------------------------------------------------------------------------- */

syn_pose syn_joint_pose(const syn_joint *joint, syn_joint_angles angles) {
  syn_pose pose = syn_joint_axes_pose(&joint->axes, rom_mobile_axes(joint), joint->center, angles);
  pose.translation = vec3_add(pose.translation, joint->seat);
  return pose;
}

syn_joint_angles syn_joint_angles_of(const syn_joint *joint, const syn_pose *pose) {
  return syn_joint_axes_angles(&joint->axes, rom_mobile_axes(joint), pose);
}

/* ---- pairs ------------------------------------------------------------------------------------------------------- */

static bool are_bones(const syn_rom *rom, const rom_pair *pair) {
  return rom->bodies[pair->fixed].tissue == SYN_TISSUE_BONE && rom->bodies[pair->mobile].tissue == SYN_TISSUE_BONE;
}

/* Returns the part of the mobile body that is excluded in this pair. */
static rom_articular articular_of(const syn_rom *rom, const rom_pair *pair) {
  if (rom->options.articular_between_bones && !are_bones(rom, pair)) return (rom_articular){0};
  return rom->articular[pair->mobile];
}

static void release_pair(rom_pair *pair) {
  syn_rotation_destroy(pair->rotation);
  syn_collider_destroy(pair->collider);
  *pair = (rom_pair){0};
}

static size_t pair_scratch(const rom_pair *pair) {
  const size_t rotation = syn_rotation_scratch(pair->rotation),
               collider = pair->collider ? syn_collider_scratch(pair->collider) : 0;
  return rotation > collider ? rotation : collider;
}

syn_status syn_rom_make_rotation(const syn_rom *rom, rom_pair *pair, syn_error *error) {
  const syn_vec3 *const *moved = rom->moved;
  const syn_rotation_part fixed = {.mesh = rom->bodies[pair->fixed].surface,
                                   .vertices = moved ? moved[pair->fixed] : NULL,
                                   .shift = vec3_neg(rom->shift)},
                          mobile = {.mesh = rom->bodies[pair->mobile].surface,
                                    .vertices = moved ? moved[pair->mobile] : NULL,
                                    .left_out = articular_of(rom, pair).left_out};
  return syn_rotation_create_of(&fixed, &mobile, rom->joint.center, pair->rotation, &pair->rotation, error);
}

/* The remaining surface of a bone is open on purpose, so its warnings are suppressed. */
static syn_status make_collider(const syn_rom *rom, rom_pair *pair, syn_error *error) {
  const syn_trimesh *counted = articular_of(rom, pair).counted;
  const syn_body fixed = {.surface = rom->bodies[pair->fixed].surface},
                 mobile = {.surface = counted ? counted : rom->bodies[pair->mobile].surface};
  syn_collide_options options = syn_default_collide_options();
  options.center = rom->joint.center;
  return syn_collider_create(counted ? &rom->quiet : rom->context, "obb", &fixed, &mobile, &options, &pair->collider,
                             error);
}

/* ---- pairs that touch at the start ------------------------------------------------------------------------------- */

static bool touches_as_scanned(const rom_pair *pair, void *scratch) {
  syn_contacts contacts = {.first_only = true};
  syn_collider_query(pair->collider, NULL, scratch, &contacts);
  return contacts.penetrating;
}

/* Returns whether the surfaces slide on each other: then they touch after a small rotation in every direction. A neck
 * meets the rim in some directions only. */
static bool slides(const syn_rom *rom, const rom_pair *pair, void *scratch) {
  const double soon = 10 * SYN_PI / 180;
  const syn_pose as_scanned = syn_pose_identity();
  const syn_joint_angles angles = syn_joint_angles_of(&rom->joint, &as_scanned);
  for (int axis = 0; axis < SYN_JOINT_AXES; ++axis) {
    syn_event positive, negative;
    syn_rotation_query(pair->rotation, NULL, syn_joint_axis_at(&rom->joint, angles, axis), NULL, scratch, &positive,
                       &negative);
    if (positive.angle > soon || negative.angle > soon) return false;
  }
  return true;
}

/* Soft bodies that touch at rest, such as cartilage on cartilage, are excluded: their first contact limits no motion.
 * Bones always count. */
static bool stops_motion(const syn_rom *rom, const rom_pair *pair, void *scratch) {
  const bool bones = are_bones(rom, pair), touch = touches_as_scanned(pair, scratch);
  char words[2][48];
  const char *on = syn_spaced(rom->bodies[pair->fixed].name, words[0]),
             *by = syn_spaced(rom->bodies[pair->mobile].name, words[1]);
  if (touch && bones)
    syn_warn(rom->context,
             "%s and %s overlap as they were scanned; where a motion starts in overlap, its limit says how far the %s "
             "has to go back",
             on, by, by);
  if (bones || (!touch && !slides(rom, pair, scratch))) return true;
  syn_warn(rom->context, "%s and %s %s, so that they are left out of the range of motion", on, by,
           touch ? "touch as they lie" : "slide on each other");
  return false;
}

/* Adds the pair, or releases it on failure. */
static syn_status add_pair(syn_rom *rom, uint32_t fixed, uint32_t mobile, syn_error *error) {
  rom_pair pair = {.fixed = fixed, .mobile = mobile};
  char *scratch = NULL;
  if (rom->pair_count == SYN_ROM_PAIRS)
    return syn_fail(error, SYN_TOO_LARGE,
                    "more than %d pairs of a fixed and a mobile body; list those that may touch in \"contacts\"",
                    (int)SYN_ROM_PAIRS);
  syn_status status = syn_rom_make_rotation(rom, &pair, error);
  if (status == SYN_OK) status = make_collider(rom, &pair, error);
  if (status == SYN_OK) status = SYN_NEW(rom->context, &scratch, pair_scratch(&pair), error);
  if (status == SYN_OK && stops_motion(rom, &pair, scratch))
    rom->pairs[rom->pair_count++] = pair;
  else
    release_pair(&pair);
  syn_free(rom->context, scratch);
  return status;
}

/* Writes "pelvis and femur": the first fixed body and the first mobile one. */
static const char *first_names(const syn_joint *joint, char text[120]) {
  const char *names[2] = {NULL, NULL};
  char words[2][48];
  for (size_t i = joint->body_count; i-- > 0;) names[joint->bodies[i].moves] = joint->bodies[i].name;
  snprintf(text, 120, "%s and %s", names[0] ? syn_spaced(names[0], words[0]) : "a body that stands",
           names[1] ? syn_spaced(names[1], words[1]) : "one that moves");
  return text;
}

static syn_status add_pairs(syn_rom *rom, const syn_joint *joint, syn_error *error) {
  for (uint32_t f = 0; f < joint->body_count; ++f)
    for (uint32_t m = 0; m < joint->body_count; ++m) {
      const syn_body *fixed = &joint->bodies[f], *mobile = &joint->bodies[m];
      if (!fixed->surface || !mobile->surface || !syn_joint_may_touch(joint, fixed, mobile)) continue;
      SYN_TRY(add_pair(rom, f, m, error));
    }
  if (rom->pair_count > 0) return SYN_OK;
  char names[120];
  return syn_fail(error, SYN_BAD_ARGUMENT,
                  "a range of motion needs a body that stands and one that moves, and that do not touch as they lie: "
                  "give the meshes of %s",
                  first_names(joint, names));
}

/* ---- joint surfaces ---------------------------------------------------------------------------------------------- */

/* Excludes the joint surface of a body; if none of its triangles are inside, the whole body counts. */
static syn_status leave_out(const syn_rom *rom, size_t body, rom_articular *of, syn_error *error) {
  const syn_joint *joint = &rom->joint;
  const syn_trimesh *surface = rom->bodies[body].surface;
  size_t count = 0;
  SYN_TRY(SYN_NEW_ZEROED(rom->context, &of->left_out, surface->triangle_count, error));
  for (size_t i = 0; i < joint->articular_count; ++i)
    count += syn_mesh_mark_inside(surface, joint->articular[i].center, joint->articular[i].radius_mm, of->left_out);
  if (count > 0) return syn_mesh_part(surface, of->left_out, 0, &of->counted, error);
  syn_free(rom->context, of->left_out);
  of->left_out = NULL;
  return SYN_OK;
}

/* Between bones alone, a joint surface is bone. */
static bool has_joint_surface(const syn_rom *rom, const syn_body *body) {
  const bool may = body->tissue == SYN_TISSUE_BONE || !rom->options.articular_between_bones;
  return rom->joint.articular_count > 0 && body->moves && body->surface && may;
}

static syn_status leave_out_joint_surfaces(syn_rom *rom, syn_error *error) {
  SYN_TRY(SYN_NEW_ZEROED(rom->context, &rom->articular, rom->joint.body_count, error));
  for (size_t i = 0; i < rom->joint.body_count; ++i)
    if (has_joint_surface(rom, &rom->bodies[i])) SYN_TRY(leave_out(rom, i, &rom->articular[i], error));
  return SYN_OK;
}

/* ---- create and destroy ------------------------------------------------------------------------------------------ */

static bool are_axes(const syn_joint_axes *axes) {
  const double off = 1e-6;
  const syn_vec3 third = vec3_cross(axes->flexion, axes->adduction);
  return fabs(vec3_length(axes->flexion) - 1) < off && fabs(vec3_length(axes->adduction) - 1) < off &&
         fabs(vec3_dot(axes->flexion, axes->adduction)) < off && vec3_distance(third, axes->rotation) < off;
}

static syn_status check_joint(const syn_joint *joint, syn_error *error) {
  if (!joint->has_center || !joint->has_axes || !vec3_finite(joint->center))
    return syn_fail(error, SYN_BAD_ARGUMENT, "a range of motion needs the joint's centre and axes");
  if (are_axes(&joint->axes) && are_axes(rom_mobile_axes(joint))) return SYN_OK;
  return syn_fail(error, SYN_BAD_ARGUMENT,
                  "the axes of the joint must be orthogonal units, a right-handed triple: the third is the cross "
                  "product of the first and the second");
}

static syn_status share_bodies(syn_rom *rom, const syn_joint *joint, syn_error *error) {
  SYN_TRY(SYN_NEW_ZEROED(rom->context, &rom->bodies, joint->body_count, error));
  rom->joint.bodies = rom->bodies;
  for (size_t i = 0; i < joint->body_count; ++i) {
    const syn_body *from = &joint->bodies[i];
    syn_trimesh *surface = NULL;
    if (from->surface) SYN_TRY(syn_trimesh_share(from->surface, &surface, error));
    rom->bodies[i] = (syn_body){.name = from->name, .tissue = from->tissue, .moves = from->moves, .surface = surface};
  }
  return SYN_OK;
}

static syn_status copy_articular(syn_rom *rom, const syn_joint *joint, syn_error *error) {
  SYN_TRY(SYN_NEW(rom->context, &rom->balls, joint->articular_count, error));
  for (size_t i = 0; i < joint->articular_count; ++i) rom->balls[i] = joint->articular[i];
  rom->joint.articular_count = joint->articular_count;
  rom->joint.articular = rom->balls;
  return SYN_OK;
}

static syn_status make_rom(syn_rom *rom, const syn_joint *joint, syn_error *error) {
  SYN_TRY(share_bodies(rom, joint, error));
  SYN_TRY(copy_articular(rom, joint, error));
  SYN_TRY(leave_out_joint_surfaces(rom, error));
  return add_pairs(rom, joint, error);
}

syn_status syn_rom_create(const syn_context *context, const syn_joint *joint, const syn_rom_options *options,
                          syn_rom **rom, syn_error *error) {
  const syn_rom_options standard = syn_default_rom_options();
  syn_rom *made;
  *rom = NULL;
  if (!options) options = &standard;
  SYN_TRY(SYN_CHECK_OPTIONS(options, syn_default_rom_options, error));
  SYN_TRY(check_joint(joint, error));
  SYN_TRY(SYN_NEW_ZEROED(context, &made, 1, error));
  made->context = context;
  made->quiet = *syn_context_or_default(context);
  made->quiet.warn = NULL;
  made->options = *options;
  made->shift = joint->seat;
  /* The joint without contacts and head position, which become pairs and shift. */
  made->joint = (syn_joint){.context = context,
                            .side = joint->side,
                            .body_count = joint->body_count,
                            .has_center = true,
                            .has_axes = true,
                            .center = joint->center,
                            .axes = joint->axes,
                            .has_mobile_axes = true,
                            .mobile_axes = *rom_mobile_axes(joint)};
  const syn_status status = make_rom(made, joint, error);
  if (status == SYN_OK)
    *rom = made;
  else
    syn_rom_destroy(made);
  return status;
}

/* ---- variations -------------------------------------------------------------------------------------------------- */

/* Cuts the bodies to the triangles near the centre; a body without such triangles gets no surface. */
static syn_status cut_bodies(syn_rom *near, const syn_rom *rom, double reach, syn_error *error) {
  SYN_TRY(SYN_NEW_ZEROED(near->context, &near->bodies, rom->joint.body_count, error));
  near->joint.bodies = near->bodies;
  for (size_t i = 0; i < rom->joint.body_count; ++i) {
    const syn_body *from = &rom->bodies[i];
    const syn_vec3 center = from->moves ? rom->joint.center : vec3_add(rom->joint.center, rom->shift);
    syn_trimesh *surface = NULL;
    near->bodies[i] = *from;
    near->bodies[i].surface = NULL;
    if (from->surface && isfinite(reach)) SYN_TRY(syn_band_near(from->surface, center, reach, &surface, error));
    if (from->surface && !isfinite(reach)) SYN_TRY(syn_trimesh_share(from->surface, &surface, error));
    near->bodies[i].surface = surface;
  }
  return SYN_OK;
}

static syn_status cut_pairs(syn_rom *near, const syn_rom *rom, syn_error *error) {
  for (size_t i = 0; i < rom->pair_count; ++i) {
    rom_pair *pair = &near->pairs[near->pair_count];
    *pair = (rom_pair){.fixed = rom->pairs[i].fixed, .mobile = rom->pairs[i].mobile};
    if (!near->bodies[pair->fixed].surface || !near->bodies[pair->mobile].surface) continue;
    ++near->pair_count;
    SYN_TRY(syn_rom_make_rotation(near, pair, error));
    SYN_TRY(make_collider(near, pair, error));
  }
  return SYN_OK;
}

syn_status syn_rom_create_near(const syn_context *context, const syn_rom *rom, double reach, syn_rom **near,
                               syn_error *error) {
  syn_rom *made;
  *near = NULL;
  SYN_TRY(SYN_NEW_ZEROED(context, &made, 1, error));
  made->context = context;
  made->quiet = rom->quiet;
  made->options = rom->options;
  made->joint = rom->joint;
  made->shift = rom->shift;
  syn_status status = copy_articular(made, &rom->joint, error);
  if (status == SYN_OK) status = cut_bodies(made, rom, reach, error);
  if (status == SYN_OK) status = leave_out_joint_surfaces(made, error);
  if (status == SYN_OK) status = cut_pairs(made, rom, error);
  if (status == SYN_OK)
    *near = made;
  else
    syn_rom_destroy(made);
  return status;
}

syn_status syn_rom_vary(const syn_rom *rom, syn_vec3 center, syn_vec3 shift, syn_rom *varied, syn_error *error) {
  *varied = *rom;
  varied->joint.center = center;
  varied->shift = shift;
  varied->pair_count = 0;
  for (size_t i = 0; i < rom->pair_count; ++i)
    SYN_TRY(syn_rom_make_rotation(varied, &varied->pairs[varied->pair_count++], error));
  return SYN_OK;
}

void syn_rom_drop(syn_rom *varied) {
  for (size_t i = 0; i < varied->pair_count; ++i) syn_rotation_destroy(varied->pairs[i].rotation);
}

void syn_rom_destroy(syn_rom *rom) {
  if (!rom) return;
  for (size_t i = 0; i < rom->pair_count; ++i) release_pair(&rom->pairs[i]);
  for (size_t i = 0; rom->bodies && i < rom->joint.body_count; ++i) {
    syn_trimesh_destroy((syn_trimesh *)(uintptr_t)rom->bodies[i].surface);
    if (!rom->articular) continue;
    syn_free(rom->context, rom->articular[i].left_out);
    syn_trimesh_destroy(rom->articular[i].counted);
  }
  syn_free(rom->context, rom->articular);
  syn_free(rom->context, rom->balls);
  syn_free(rom->context, rom->bodies);
  syn_free(rom->context, rom);
}

size_t syn_rom_scratch(const syn_rom *rom) {
  size_t max = 0;
  for (size_t i = 0; i < rom->pair_count; ++i) {
    const size_t needed = pair_scratch(&rom->pairs[i]);
    max = needed > max ? needed : max;
  }
  return max;
}
