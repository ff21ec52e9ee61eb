/* The range of motion of any joint: the turns of a hip, by the bodies of the joint instead of a hip's parts. */
#include "clinic/rom/joint_rom.h"
#include "base/text.h"
#include "base/vec.h"
#include "joint/joint.h"
#include "mesh/part.h"

/* ---- poses --------------------------------------------------------------------------------------------------------
 */

static const syn_joint_axes *mobile_axes(const syn_joint *joint) {
  return joint->has_mobile_axes ? &joint->mobile_axes : &joint->axes;
}

syn_pose syn_joint_pose(const syn_joint *joint, const double angles[SYN_JOINT_AXES]) {
  return syn_joint_axes_pose(&joint->axes, mobile_axes(joint), joint->center,
                             (syn_joint_angles){angles[0], angles[1], angles[2]});
}

void syn_joint_angles_of(const syn_joint *joint, const syn_pose *pose, double angles[SYN_JOINT_AXES]) {
  const syn_joint_angles found = syn_joint_axes_angles(&joint->axes, mobile_axes(joint), pose);
  angles[0] = found.flexion;
  angles[1] = found.adduction;
  angles[2] = found.rotation;
}

/* ---- pairs --------------------------------------------------------------------------------------------------------
 */

/* Soft bodies that touch at rest, such as cartilage on cartilage, stop no motion by their first touch. */
static bool is_left_out(const syn_joint_rom *rom, const rom_pair *pair, const syn_body *fixed, const syn_body *mobile,
                        void *scratch) {
  const bool bones = fixed->tissue == SYN_TISSUE_BONE && mobile->tissue == SYN_TISSUE_BONE;
  const bool touch = syn_rom_touches(pair, scratch);
  char words[2][48];
  const char *on = syn_spaced(fixed->name, words[0]), *by = syn_spaced(mobile->name, words[1]);
  if (touch && bones)
    syn_warn(rom->turns.context,
             "%s and %s overlap as they lie; where a motion starts in overlap, its limit says how far %s has to go "
             "back",
             on, by, by);
  if (bones || (!touch && !syn_rom_slides(&rom->turns, pair, scratch))) return false;
  syn_warn(rom->turns.context, "%s and %s %s, so that they are left out of the range of motion", on, by,
           touch ? "touch as they lie" : "slide on each other");
  return true;
}

static syn_status add_pair(syn_joint_rom *rom, size_t fixed, size_t mobile, syn_error *error) {
  const syn_body *bodies = rom->joint->bodies;
  rom_pair pair;
  char *scratch;
  if (rom->turns.pair_count == SYN_ROM_PAIRS)
    return syn_fail(error, SYN_TOO_LARGE,
                    "more than %d pairs of a fixed and a mobile body; list those that may touch in \"contacts\"",
                    (int)SYN_ROM_PAIRS);
  const rom_surfaces of = {.fixed = bodies[fixed].surface,
                           .mobile = bodies[mobile].surface,
                           .left_out = rom->gliding[mobile].left_out,
                           .counted = rom->gliding[mobile].counted};
  SYN_TRY(syn_rom_make_pair(&rom->turns, &of, &pair, error));
  pair.fixed = (syn_hip_part)fixed;
  pair.mobile = (syn_hip_part)mobile;
  const syn_status status = SYN_NEW(rom->turns.context, &scratch, syn_rom_pair_scratch(&pair), error);
  if (status == SYN_OK && !is_left_out(rom, &pair, &bodies[fixed], &bodies[mobile], scratch))
    rom->turns.pairs[rom->turns.pair_count++] = pair;
  else
    syn_rom_release_pair(&pair);
  if (status == SYN_OK) syn_free(rom->turns.context, scratch);
  return status;
}

static syn_status add_pairs(syn_joint_rom *rom, syn_error *error) {
  const syn_joint *joint = rom->joint;
  for (size_t f = 0; f < joint->body_count; ++f)
    for (size_t m = 0; m < joint->body_count; ++m) {
      const syn_body *fixed = &joint->bodies[f], *mobile = &joint->bodies[m];
      if (!fixed->surface || !mobile->surface || !syn_joint_may_touch(joint, fixed, mobile)) continue;
      SYN_TRY(add_pair(rom, f, m, error));
    }
  if (rom->turns.pair_count > 0) return SYN_OK;
  return syn_fail(error, SYN_BAD_ARGUMENT,
                  "a range of motion needs a body that stands and one that moves, and that do not touch as they lie");
}

/* ---- joint surfaces -----------------------------------------------------------------------------------------------
 */

/* A body none of whose triangles are inside counts as a whole. */
static syn_status leave_out(const syn_joint_rom *rom, size_t body, rom_gliding *of, syn_error *error) {
  const syn_joint *joint = rom->joint;
  const syn_trimesh *surface = joint->bodies[body].surface;
  size_t count = 0;
  SYN_TRY(SYN_NEW_ZEROED(rom->turns.context, &of->left_out, surface->triangle_count, error));
  for (size_t i = 0; i < joint->articular_count; ++i)
    count += syn_mesh_mark_inside(surface, joint->articular[i].center, joint->articular[i].radius_mm, of->left_out);
  if (count > 0) return syn_mesh_part(surface, of->left_out, 0, &of->counted, error);
  syn_free(rom->turns.context, of->left_out);
  of->left_out = NULL;
  return SYN_OK;
}

static syn_status leave_out_gliding(syn_joint_rom *rom, syn_error *error) {
  const syn_joint *joint = rom->joint;
  SYN_TRY(SYN_NEW_ZEROED(rom->turns.context, &rom->gliding, joint->body_count, error));
  for (size_t i = 0; joint->articular_count > 0 && i < joint->body_count; ++i)
    if (joint->bodies[i].moves && joint->bodies[i].surface) SYN_TRY(leave_out(rom, i, &rom->gliding[i], error));
  return SYN_OK;
}

/* ---- life ---------------------------------------------------------------------------------------------------------
 */

syn_status syn_joint_rom_create(const syn_context *context, const syn_joint *joint, syn_joint_rom **rom,
                                syn_error *error) {
  syn_joint_rom *made;
  *rom = NULL;
  if (!joint->has_center || !joint->has_axes || !vec3_finite(joint->center))
    return syn_fail(error, SYN_BAD_ARGUMENT, "a range of motion needs the joint's centre and axes");
  if (!syn_rom_are_axes(&joint->axes) || !syn_rom_are_axes(mobile_axes(joint)))
    return syn_fail(error, SYN_BAD_ARGUMENT,
                    "the axes of the joint must be orthogonal units, a right-handed triple: the third is the cross "
                    "product of the first and the second");
  SYN_TRY(SYN_NEW_ZEROED(context, &made, 1, error));
  made->joint = joint;
  made->turns.context = context;
  made->turns.quiet = *syn_context_or_default(context);
  made->turns.quiet.warn = NULL;
  made->turns.hip = (syn_hip){
      .side = joint->side, .center = joint->center, .pelvis_axes = joint->axes, .femur_axes = *mobile_axes(joint)};
  syn_status status = leave_out_gliding(made, error);
  if (status == SYN_OK) status = add_pairs(made, error);
  if (status == SYN_OK)
    *rom = made;
  else
    syn_joint_rom_destroy(made);
  return status;
}

void syn_joint_rom_destroy(syn_joint_rom *rom) {
  if (!rom) return;
  const syn_context *context = rom->turns.context;
  for (size_t i = 0; i < rom->turns.pair_count; ++i) syn_rom_release_pair(&rom->turns.pairs[i]);
  for (size_t i = 0; rom->gliding && i < rom->joint->body_count; ++i) {
    syn_free(context, rom->gliding[i].left_out);
    syn_trimesh_destroy(rom->gliding[i].counted);
  }
  syn_free(context, rom->gliding);
  syn_free(rom->turns.context, rom);
}

size_t syn_joint_rom_scratch(const syn_joint_rom *rom) { return syn_hip_rom_scratch(&rom->turns); }

/* ---- queries ------------------------------------------------------------------------------------------------------
 */

void syn_joint_rom_query(const syn_joint_rom *rom, const syn_joint_motion *motion, void *scratch,
                         syn_joint_limit *limit) {
  const syn_joint *joint = rom->joint;
  const syn_pose start = syn_joint_pose(joint, motion->start);
  const syn_hip_angles angles = {motion->start[0], motion->start[1], motion->start[2]};
  const syn_vec3 axis = motion->axis < SYN_JOINT_AXES
                            ? syn_hip_axis_at(&rom->turns.hip, angles, (syn_hip_axis)motion->axis)
                            : motion->vector;
  syn_hip_limit other;
  *limit = (syn_joint_limit){.motion = motion, .stopped_part = NAN};
  for (int k = 0; k < SYN_BAND_SLOTS; ++k) limit->bands[k] = (syn_band){NAN, NAN};
  syn_hip_rom_turn(&rom->turns, &start, axis, scratch, motion->sign > 0 ? &limit->limit : &other,
                   motion->sign > 0 ? &other : &limit->limit);
  if (motion->most_deg > 0) syn_limit_bound(&limit->limit, motion->most_deg * SYN_PI / 180);
  if (!limit->limit.limited) return;
  limit->fixed = &joint->bodies[limit->limit.fixed_part];
  limit->mobile = &joint->bodies[limit->limit.mobile_part];
}

const char *syn_joint_limit_words(const syn_joint_limit *limit, char text[96]) {
  return syn_limit_words(&limit->limit, limit->mobile ? limit->mobile->name : NULL,
                         limit->fixed ? limit->fixed->name : NULL, text);
}

bool syn_joint_rom_touches(const syn_joint_rom *rom, const syn_pose *pose, void *scratch, const syn_body **fixed,
                           const syn_body **mobile) {
  for (size_t i = 0; i < rom->turns.pair_count; ++i) {
    const rom_pair *pair = &rom->turns.pairs[i];
    syn_contacts contacts = {.first_only = true};
    syn_collider_query(pair->collider, pose, scratch, &contacts);
    if (!contacts.penetrating) continue;
    *fixed = &rom->joint->bodies[pair->fixed];
    *mobile = &rom->joint->bodies[pair->mobile];
    return true;
  }
  *fixed = *mobile = NULL;
  return false;
}
