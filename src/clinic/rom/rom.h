/* What a range of motion is made of: pairs of parts that may stop the femur, and turns from a pose. */
#ifndef SYN_CLINIC_ROM_H
#define SYN_CLINIC_ROM_H

#include <synovia/clinic.h>

#include "base/memory.h"

/* Bodies that separate within this angle, about 30 nm at the rim of a hip, only touch. Poses are rounded to 1e-15. */
#define SYN_ROM_HAIR 1e-6

/* The most pairs that a joint may have. A hip has at most six. */
enum { SYN_ROM_PAIRS = 64 };

/* A fixed and a mobile part. */
typedef struct rom_pair {
  syn_hip_part fixed, mobile; /* those of another joint are numbers of its bodies */
  syn_rotation *rotation;     /* gives how far they turn from a free pose */
  syn_collider *collider;     /* decides whether a pose is free; NULL: the rotation does */
} rom_pair;

struct syn_hip_rom {
  const syn_context *context;
  syn_context quiet; /* warns nobody */
  syn_hip hip;       /* an owner of its parts */
  size_t pair_count;
  rom_pair pairs[SYN_ROM_PAIRS];
  syn_vec3 shift; /* of the mobile parts after they have turned; their rotations are built for it */
  /* Of the femur against the pelvis; NULL: everything counts. */
  uint8_t *left_out;    /* one byte for each triangle */
  syn_trimesh *counted; /* the others */
  /* Other places of the parts' vertices, which rotations are built of and colliders do not know; else NULL. */
  const syn_vec3 *moved[SYN_HIP_PARTS];
};

/* Marks the femur's triangles inside joint_ball in left_out[triangle_count]; returns how many. */
size_t syn_rom_mark_joint(const syn_hip *hip, uint8_t *left_out);

/* ---- pairs, of a hip or of any other joint --------------------------------------------------------------------------
 */

/* What turns in a joint of any kind. A hip is the one that has parts of its own, and a public name. */
typedef struct syn_hip_rom syn_turns;

/* Two surfaces. Of the mobile one some triangles may not count: `left_out` marks them, `counted` has the others; both
 * NULL: all count. */
typedef struct rom_surfaces {
  const syn_trimesh *fixed, *mobile;
  const uint8_t *left_out;
  const syn_trimesh *counted;
  const syn_vec3 *moved_fixed, *moved_mobile; /* other places of their vertices, for the rotation; NULL: as they lie */
} rom_surfaces;

/* Prepares them for the centre and the shift of `rom`; which parts they are is left to the caller. */
syn_status syn_rom_make_pair(const syn_turns *rom, const rom_surfaces *of, rom_pair *pair, syn_error *error);
/* The rotation alone: the pair has no collider, and the rotation decides whether a pose is free. `like` as for
 * syn_rotation_create_of. */
syn_status syn_rom_make_turn(const syn_turns *rom, const rom_surfaces *of, const syn_rotation *like, rom_pair *pair,
                             syn_error *error);
void syn_rom_release_pair(rom_pair *pair);
size_t syn_rom_pair_scratch(const rom_pair *pair);
/* Do they touch in their mesh positions? */
bool syn_rom_touches(const rom_pair *pair, void *scratch);
/* Do the surfaces slide on each other? Then they touch very soon in every direction. */
bool syn_rom_slides(const syn_turns *rom, const rom_pair *pair, void *scratch);
/* Orthogonal units, a right-handed triple? */
bool syn_rom_are_axes(const syn_joint_axes *axes);

/* Replaces the rotation of a pair, whose owner keeps the old one, by one for the centre, the shift and the places of
 * `rom`: the mobile parts turn about the centre and then shift; seen from them the fixed ones shift the other way. */
syn_status syn_rom_make_rotation(const syn_hip_rom *rom, rom_pair *pair, syn_error *error);

/* The same hip turning about another centre, with another shift: its rotations are its own, its colliders those of
 * `rom`, which must outlive it. Drop it after success and after failure. */
syn_status syn_hip_rom_vary(const syn_hip_rom *rom, syn_vec3 center, syn_vec3 shift, syn_hip_rom *varied,
                            syn_error *error);
void syn_hip_rom_drop(syn_hip_rom *varied);

/* The axis of the joint about which a positive turn from these angles adds to one of them. */
syn_vec3 syn_hip_axis_at(const syn_hip *hip, syn_hip_angles angles, syn_hip_axis axis);

/* How far rotations about the femur's own axis are followed, as the clinical ones are. */
#define SYN_ROM_MOST_ROTATION (SYN_PI / 2)

/* A stop beyond `most` radians becomes none within them. */
void syn_limit_bound(syn_hip_limit *limit, double most);
/* As syn_hip_limit_words; `mobile` and `fixed` are what overlaps where no pose is free, NULL where that is not known.
 */
const char *syn_limit_words(const syn_hip_limit *limit, const char *mobile, const char *fixed, char text[96]);

/* Where a stopped turn ends; nothing is known of the others. The labrum is the rim, wherever it is touched. */
syn_contact_place syn_limit_place(const syn_hip *hip, const syn_anatomy *anatomy, const syn_hip_limit *limit);

/* Is no pair in touch after `start` and a further turn about `axis`? */
bool syn_hip_rom_is_free(const syn_hip_rom *rom, const syn_pose *start, syn_vec3 axis, double angle, void *scratch);

/* The angle of a clinical motion that starts free, by one search in its direction alone; false where the start is not
 * free, or touches, and syn_clinical_motion_query must decide. `hint` is the limit of a hip nearly the same: the
 * nearer, the faster. */
bool syn_hip_rom_angle(const syn_hip_rom *rom, const syn_clinical_motion *motion, const syn_hip_limit *hint,
                       void *scratch, double *angle);

/* Where the mobile parts are after that: start, turn, shift. */
syn_pose syn_hip_rom_pose(const syn_hip_rom *rom, const syn_pose *start, syn_vec3 axis, double angle);

/* ---- many poses ----------------------------------------------------------------------------------------------------
 */

/* Flexions and adductions in equal steps, radians. */
typedef struct rom_grid {
  double flexion_from, adduction_from, step;
  uint32_t flexion_count, adduction_count;
} rom_grid;

/* SYN_BAD_ARGUMENT where the numbers describe no grid, SYN_TOO_LARGE where one of more than ten million poses. */
syn_status syn_rom_grid_make(double flexion_from, double flexion_to, double adduction_from, double adduction_to,
                             double step, rom_grid *grid, syn_error *error);

/* Calls store(user, cell, inward, outward) for every cell (flexion * adduction_count + adduction) with the limits of
 * internal and external rotation, from several threads at once. `what` names the work to the progress callback;
 * SYN_CANCELLED if that stops it. */
syn_status syn_rom_grid_run(const syn_context *context, const syn_hip_rom *rom, const rom_grid *grid, const char *what,
                            void (*store)(void *user, size_t cell, const syn_hip_limit *inward,
                                          const syn_hip_limit *outward),
                            void *user, syn_error *error);

#endif
