/* The bodies of a hip, prepared for turns: which pairs may stop the femur. */
#include "clinic/rom/rom.h"

#include <math.h>

#include "base/text.h"
#include "base/vec.h"
#include "collide/rotation/rotation.h"
#include "mesh/part.h"

/* ---- pairs --------------------------------------------------------------------------------------------------------
 */

static bool is_bone(syn_hip_part part) { return part == SYN_HIP_PELVIS || part == SYN_HIP_FEMUR; }

void syn_rom_release_pair(rom_pair *pair) {
  syn_rotation_destroy(pair->rotation);
  syn_collider_destroy(pair->collider);
  *pair = (rom_pair){0};
}

size_t syn_rom_pair_scratch(const rom_pair *pair) {
  const size_t rotation = syn_rotation_scratch(pair->rotation),
               collider = pair->collider ? syn_collider_scratch(pair->collider) : 0;
  return rotation > collider ? rotation : collider;
}

static bool are_bones(syn_hip_part fixed, syn_hip_part mobile) { return is_bone(fixed) && is_bone(mobile); }

static rom_surfaces surfaces_of(const syn_hip_rom *rom, syn_hip_part fixed, syn_hip_part mobile) {
  const bool bones = are_bones(fixed, mobile);
  return (rom_surfaces){.fixed = rom->hip.parts[fixed],
                        .mobile = rom->hip.parts[mobile],
                        .left_out = bones ? rom->left_out : NULL,
                        .counted = bones ? rom->counted : NULL,
                        .moved_fixed = rom->moved[fixed],
                        .moved_mobile = rom->moved[mobile]};
}

syn_status syn_rom_make_turn(const syn_turns *rom, const rom_surfaces *of, const syn_rotation *like, rom_pair *pair,
                             syn_error *error) {
  const syn_rotation_part fixed = {.mesh = of->fixed, .vertices = of->moved_fixed, .shift = vec3_neg(rom->shift)},
                          mobile = {.mesh = of->mobile, .vertices = of->moved_mobile, .left_out = of->left_out};
  return syn_rotation_create_of(&fixed, &mobile, rom->hip.center, like, &pair->rotation, error);
}

syn_status syn_rom_make_rotation(const syn_hip_rom *rom, rom_pair *pair, syn_error *error) {
  const rom_surfaces of = surfaces_of(rom, pair->fixed, pair->mobile);
  return syn_rom_make_turn(rom, &of, pair->rotation, pair, error);
}

syn_status syn_rom_make_pair(const syn_turns *rom, const rom_surfaces *of, rom_pair *pair, syn_error *error) {
  /* The rest of a bone is open, as it should be. */
  const syn_context *context = of->counted ? &rom->quiet : rom->context;
  const syn_body standing = {.surface = of->fixed}, moving = {.surface = of->counted ? of->counted : of->mobile};
  syn_collide_options options = syn_default_collide_options();
  options.center = rom->hip.center;
  *pair = (rom_pair){0};
  SYN_TRY(syn_rom_make_turn(rom, of, NULL, pair, error));
  const syn_status status = syn_collider_create(context, "obb", &standing, &moving, &options, &pair->collider, error);
  if (status != SYN_OK) syn_rom_release_pair(pair);
  return status;
}

/* ---- pairs that touch at the start ---------------------------------------------------------------------------------
 */

bool syn_rom_touches(const rom_pair *pair, void *scratch) {
  syn_contacts contacts = {.first_only = true};
  syn_collider_query(pair->collider, NULL, scratch, &contacts);
  return contacts.penetrating;
}

/* Do the surfaces slide on each other? Then they touch very soon in every direction. A neck meets its rim in some
 * directions only. */
bool syn_rom_slides(const syn_turns *rom, const rom_pair *pair, void *scratch) {
  const double soon = 10 * SYN_PI / 180;
  const syn_pose as_it_lies = syn_pose_identity();
  const syn_hip_angles angles = syn_hip_angles_of(&rom->hip, &as_it_lies);
  for (syn_hip_axis axis = SYN_AXIS_FLEXION; axis <= SYN_AXIS_ROTATION; ++axis) {
    syn_event positive, negative;
    syn_rotation_query(pair->rotation, NULL, syn_hip_axis_at(&rom->hip, angles, axis), NULL, scratch, &positive,
                       &negative);
    if (positive.angle > soon || negative.angle > soon) return false;
  }
  return true;
}

/* Soft parts that touch at rest, such as cartilage on cartilage, stop no motion by their first touch: they are left
 * out. Bones always count. */
static syn_status keep_or_leave_out(syn_hip_rom *rom, rom_pair *pair, syn_error *error) {
  const char *fixed = syn_hip_part_name(pair->fixed), *mobile = syn_hip_part_name(pair->mobile);
  const bool bones = are_bones(pair->fixed, pair->mobile);
  char *scratch;
  SYN_TRY(SYN_NEW(rom->context, &scratch, syn_rom_pair_scratch(pair), error));
  const bool touch = syn_rom_touches(pair, scratch);
  if (touch && bones)
    syn_warn(rom->context,
             "%s and %s overlap as they were scanned; where a motion starts in overlap, its limit says how far the "
             "femur has to go back",
             fixed, mobile);
  if (!bones && (touch || syn_rom_slides(rom, pair, scratch))) {
    char words[2][48];
    syn_warn(rom->context, "%s and %s %s, so that they are left out of the range of motion",
             syn_spaced(fixed, words[0]), syn_spaced(mobile, words[1]),
             touch ? "touch as they lie" : "slide on each other");
    syn_rom_release_pair(pair);
  } else {
    rom->pairs[rom->pair_count++] = *pair;
  }
  syn_free(rom->context, scratch);
  return SYN_OK;
}

static syn_status make_pairs(syn_hip_rom *rom, syn_error *error) {
  for (syn_hip_part fixed = 0; fixed < SYN_HIP_PARTS; ++fixed)
    for (syn_hip_part mobile = 0; mobile < SYN_HIP_PARTS; ++mobile) {
      if (syn_hip_part_moves(fixed) || !syn_hip_part_moves(mobile)) continue;
      if (!rom->hip.parts[fixed] || !rom->hip.parts[mobile]) continue;
      rom_pair pair;
      const rom_surfaces of = surfaces_of(rom, fixed, mobile);
      SYN_TRY(syn_rom_make_pair(rom, &of, &pair, error));
      pair.fixed = fixed;
      pair.mobile = mobile;
      const syn_status status = keep_or_leave_out(rom, &pair, error);
      if (status != SYN_OK) {
        syn_rom_release_pair(&pair);
        return status;
      }
    }
  if (rom->pair_count > 0) return SYN_OK;
  return syn_fail(error, SYN_BAD_ARGUMENT,
                  "a range of motion needs a part that stands and one that moves, and that do not touch as they lie: "
                  "give the meshes of pelvis and femur");
}

/* ---- the joint surface ---------------------------------------------------------------------------------------------
 */

static syn_status leave_out_joint(syn_hip_rom *rom, syn_error *error) {
  const syn_trimesh *femur = rom->hip.parts[SYN_HIP_FEMUR];
  if (!femur || !rom->hip.parts[SYN_HIP_PELVIS] || !(rom->hip.joint_ball.radius_mm > 0)) return SYN_OK;
  SYN_TRY(SYN_NEW(rom->context, &rom->left_out, femur->triangle_count, error));
  syn_rom_mark_joint(&rom->hip, rom->left_out);
  return syn_mesh_part(femur, rom->left_out, 0, &rom->counted, error);
}

/* ---- life ---------------------------------------------------------------------------------------------------------
 */

bool syn_rom_are_axes(const syn_hip_axes *axes) {
  const double off = 1e-6;
  const syn_vec3 third = vec3_cross(axes->flexion, axes->adduction);
  return fabs(vec3_length(axes->flexion) - 1) < off && fabs(vec3_length(axes->adduction) - 1) < off &&
         fabs(vec3_dot(axes->flexion, axes->adduction)) < off && vec3_distance(third, axes->rotation) < off;
}

static syn_status share_parts(syn_hip_rom *rom, const syn_hip *hip, syn_error *error) {
  for (int i = 0; i < SYN_HIP_PARTS; ++i) {
    syn_trimesh *part = NULL;
    if (hip->parts[i]) SYN_TRY(syn_trimesh_share(hip->parts[i], &part, error));
    rom->hip.parts[i] = part;
  }
  return SYN_OK;
}

syn_status syn_hip_rom_create(const syn_context *context, const syn_hip *hip, syn_hip_rom **rom, syn_error *error) {
  *rom = NULL;
  if (!syn_rom_are_axes(&hip->pelvis_axes) || !syn_rom_are_axes(&hip->femur_axes))
    return syn_fail(error, SYN_BAD_ARGUMENT,
                    "the axes of pelvis and femur must be orthogonal units, a right-handed triple");
  syn_hip_rom *made;
  SYN_TRY(SYN_NEW_ZEROED(context, &made, 1, error));
  made->context = context;
  made->quiet = *syn_context_or_default(context);
  made->quiet.warn = NULL;
  made->hip = *hip;
  made->hip.seat = vec3(0, 0, 0); /* `shift` has it */
  made->shift = hip->seat;
  for (int i = 0; i < SYN_HIP_PARTS; ++i) made->hip.parts[i] = NULL;
  syn_status status = share_parts(made, hip, error);
  if (status == SYN_OK) status = leave_out_joint(made, error);
  if (status == SYN_OK) status = make_pairs(made, error);
  if (status != SYN_OK) {
    syn_hip_rom_destroy(made);
    return status;
  }
  *rom = made;
  return SYN_OK;
}

syn_status syn_hip_rom_vary(const syn_hip_rom *rom, syn_vec3 center, syn_vec3 shift, syn_hip_rom *varied,
                            syn_error *error) {
  *varied = *rom;
  varied->hip.center = center;
  varied->shift = shift;
  varied->pair_count = 0;
  for (size_t i = 0; i < rom->pair_count; ++i)
    SYN_TRY(syn_rom_make_rotation(varied, &varied->pairs[varied->pair_count++], error));
  return SYN_OK;
}

void syn_hip_rom_drop(syn_hip_rom *varied) {
  for (size_t i = 0; i < varied->pair_count; ++i) syn_rotation_destroy(varied->pairs[i].rotation);
}

void syn_hip_rom_destroy(syn_hip_rom *rom) {
  if (!rom) return;
  for (size_t i = 0; i < rom->pair_count; ++i) syn_rom_release_pair(&rom->pairs[i]);
  for (int i = 0; i < SYN_HIP_PARTS; ++i) syn_trimesh_destroy((syn_trimesh *)(uintptr_t)rom->hip.parts[i]);
  syn_trimesh_destroy(rom->counted);
  syn_free(rom->context, rom->left_out);
  syn_free(rom->context, rom);
}

size_t syn_hip_rom_scratch(const syn_hip_rom *rom) {
  size_t most = 0;
  for (size_t i = 0; i < rom->pair_count; ++i) {
    const size_t needed = syn_rom_pair_scratch(&rom->pairs[i]);
    most = needed > most ? needed : most;
  }
  return most;
}
