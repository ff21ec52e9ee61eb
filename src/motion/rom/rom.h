/* What a range of motion is made of: pairs of bodies that may stop a motion, and rotations from a pose. */
#ifndef SYN_MOTION_ROM_H
#define SYN_MOTION_ROM_H

#include <synovia/joint_analysis.h>

#include "base/memory.h"

/* Bodies that separate within this angle, about 30 nm at the rim of a hip, only touch. Poses are rounded to 1e-15. */
#define SYN_ROM_HAIR 1e-6

/* The largest number of pairs that a joint may have. A hip has at most six. */
enum { SYN_ROM_PAIRS = 64 };

/* A fixed and a mobile body, by their numbers. */
typedef struct rom_pair {
  uint32_t fixed, mobile;
  syn_rotation *rotation; /* gives how far they turn from a free pose */
  syn_collider *collider; /* decides whether a pose is free; NULL: the rotation does */
} rom_pair;

/* The joint surface of a mobile body, which stops no motion. */
typedef struct rom_articular {
  uint8_t *left_out;    /* one byte for each triangle; NULL: all count */
  syn_trimesh *counted; /* the others */
} rom_articular;

struct syn_rom {
  const syn_context *context;
  syn_context quiet; /* warns nobody */
  syn_rom_options options;
  syn_joint joint;          /* with the bodies below, and without contacts and seat: pairs and shift have them */
  syn_body *bodies;         /* owners of their surfaces */
  syn_ball *balls;          /* of the joint surface */
  rom_articular *articular; /* of each body */
  size_t pair_count;
  rom_pair pairs[SYN_ROM_PAIRS];
  syn_vec3 shift; /* of the mobile bodies after they have turned; their rotations are built for it */
  /* Of each body other places of its vertices, or NULL: rotations are built of them and colliders do not know them.
   * NULL for the places of the meshes. */
  const syn_vec3 *const *moved;
};

/* The axes of the mobile bodies: their own, else those of the joint. */
static inline const syn_joint_axes *rom_mobile_axes(const syn_joint *joint) {
  return joint->has_mobile_axes ? &joint->mobile_axes : &joint->axes;
}

/* Replaces the rotation of a pair, whose owner keeps the old one, by one for the centre, the shift and the places of
 * `rom`: the mobile bodies turn about the centre and then shift; seen from them the fixed ones shift the other way. */
syn_status syn_rom_make_rotation(const syn_rom *rom, rom_pair *pair, syn_error *error);

/* The same joint without triangles of which no corner comes nearer to the centre than `reach` (INFINITY: with all). */
syn_status syn_rom_create_near(const syn_context *context, const syn_rom *rom, double reach, syn_rom **near,
                               syn_error *error);

/* The same joint turning about another centre, with another shift: its rotations are its own, its colliders those of
 * `rom`, which must outlive it. Drop it after success and after failure. */
syn_status syn_rom_vary(const syn_rom *rom, syn_vec3 center, syn_vec3 shift, syn_rom *varied, syn_error *error);
void syn_rom_drop(syn_rom *varied);

/* The axis about which a positive turn from these angles adds to one of them. */
syn_vec3 syn_joint_axis_at(const syn_joint *joint, syn_joint_angles angles, int axis);
/* The axis of a motion at its start. */
syn_vec3 syn_motion_axis(const syn_joint *joint, const syn_motion *motion);

/* Sets state and angle of a limit by the others of its numbers. */
void syn_limit_conclude(syn_limit *limit);
/* No stop as far as the rotation was followed. */
syn_limit syn_limit_without_stop(double followed, bool start_overlaps);
/* A stop beyond `max` radians becomes none within them. */
void syn_limit_bound(syn_limit *limit, double max);
/* Is no pair in touch after `start` and a further turn about `axis`? */
bool syn_rom_is_free(const syn_rom *rom, const syn_pose *start, syn_vec3 axis, double angle, void *scratch);

/* The angle of a motion that starts free, by one search in its direction alone; false where the start is not free, or
 * touches, and syn_rom_query must decide. `hint` is the limit of a joint nearly the same: the nearer, the faster. */
bool syn_rom_angle(const syn_rom *rom, const syn_motion *motion, const syn_limit *hint, void *scratch, double *angle);

/* Where the mobile bodies are after that: start, turn, shift. */
syn_pose syn_rom_pose(const syn_rom *rom, const syn_pose *start, syn_vec3 axis, double angle);

/* ---- many poses ----------------------------------------------------------------------------------------------------
 */

/* Flexions and adductions in equal steps, radians. */
typedef struct rom_grid {
  double flexion_from, adduction_from, step;
  double max_angle; /* how far rotations are followed; 90 degrees, as the clinical ones of hips are */
  uint32_t flexion_count, adduction_count;
} rom_grid;

/* SYN_BAD_ARGUMENT where the numbers describe no grid, SYN_TOO_LARGE where one of more than ten million poses. */
syn_status syn_rom_grid_make(double flexion_from, double flexion_to, double adduction_from, double adduction_to,
                             double step, rom_grid *grid, syn_error *error);

/* Calls store(user, cell, inward, outward) for every cell (flexion * adduction_count + adduction) with the limits of
 * rotation, right-handed and the other way, from several threads at once. `what` names the work to the progress
 * callback; SYN_CANCELLED if that stops it. */
syn_status syn_rom_grid_run(const syn_context *context, const syn_rom *rom, const rom_grid *grid, const char *what,
                            void (*store)(void *user, size_t cell, const syn_limit *inward, const syn_limit *outward),
                            void *user, syn_error *error);

/* Receives the limits of each cell, as store of syn_rom_grid_run does. */
typedef struct rom_observer {
  void *user;
  void (*observe)(void *user, size_t cell, const syn_limit *inward, const syn_limit *outward);
} rom_observer;

/* The grid of an envelope. */
syn_status syn_envelope_grid(const syn_envelope_options *options, rom_grid *grid, syn_error *error);
/* The envelope, whose limits `observer` (NULL: nobody) sees. */
syn_status syn_envelope_observed(const syn_context *context, const syn_rom *rom, const rom_grid *grid,
                                 const rom_observer *observer, syn_envelope **envelope, syn_error *error);

/* ---- other centres -------------------------------------------------------------------------------------------------
 */

/* The same motions about another centre, with another shift: angles in radians, NAN where nothing limits one. */
typedef struct rom_center {
  syn_vec3 center, shift;
  double *angles;
} rom_center;
syn_status syn_rom_angles_about(const syn_rom *rom, const rom_center *centers, size_t center_count,
                                const syn_motion *const *motions, size_t motion_count, syn_error *error);
/* The centre itself, and those `band_mm` to either side along each axis; angles are left to the caller. */
enum { ROM_CENTERS = 1 + 2 * SYN_JOINT_AXES };
void syn_rom_shifted_centers(const syn_rom *rom, double band_mm, rom_center centers[ROM_CENTERS]);

#endif
