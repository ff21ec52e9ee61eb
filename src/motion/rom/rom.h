/* Internal interface of the range of motion: pairs of bodies that may limit a motion, and rotations from a pose. */
#ifndef SYN_MOTION_ROM_H
#define SYN_MOTION_ROM_H

#include <synovia/motion.h>

#include "base/memory.h"

/* Bodies that separate within this angle, about 30 nm at the rim of a hip, only touch. Poses are rounded to 1e-15. */
#define SYN_ROM_HAIR 1e-6

/* The max number of pairs of a joint. A hip has at most six. */
enum { SYN_ROM_PAIRS = 64 };

/* A fixed and a mobile body, by their numbers. */
typedef struct rom_pair {
  uint32_t fixed, mobile;
  syn_rotation *rotation; /* gives the free rotation from a pose */
  syn_collider *collider; /* decides whether a pose is free; NULL: the rotation does */
} rom_pair;

/* The joint surface of a mobile body, which limits no motion. */
typedef struct rom_articular {
  uint8_t *left_out;    /* one byte for each triangle; NULL: all count */
  syn_trimesh *counted; /* the other triangles */
} rom_articular;

struct syn_rom {
  const syn_context *context;
  syn_context quiet; /* suppresses warnings */
  syn_rom_options options;
  syn_joint joint; /* with the bodies below, and without contacts and head position, which are in `pairs` and `shift` */
  syn_body *bodies;         /* own the surfaces */
  syn_ball *balls;          /* of the joint surface */
  rom_articular *articular; /* of each body */
  size_t pair_count;
  rom_pair pairs[SYN_ROM_PAIRS];
  syn_vec3 shift; /* translation of the mobile bodies after the rotation; their rotations are built for it */
  /* Moved positions of the vertices of each body, or NULL: rotations are built from them, colliders ignore them. NULL:
   * the positions in the meshes. */
  const syn_vec3 *const *moved;
};

/* Returns the axes of the mobile bodies: their own, else those of the joint. */
static inline const syn_joint_axes *rom_mobile_axes(const syn_joint *joint) {
  return joint->has_mobile_axes ? &joint->mobile_axes : &joint->axes;
}

/* Replaces the rotation of a pair by one for the centre, shift and vertex positions of `rom`; the caller still owns the
 * old one. The mobile bodies rotate about the centre and then shift; seen from them the fixed ones shift the other way.
 */
syn_status syn_rom_make_rotation(const syn_rom *rom, rom_pair *pair, syn_error *error);

/* Creates the same joint from the triangles with a vertex nearer to the centre than `reach` (INFINITY: all). */
syn_status syn_rom_create_near(const syn_context *context, const syn_rom *rom, double reach, syn_rom **near,
                               syn_error *error);

/* Creates the same joint with another centre and shift. It owns its rotations; its colliders are those of `rom`, which
 * must outlive it. Release it after success and after failure. */
syn_status syn_rom_vary(const syn_rom *rom, syn_vec3 center, syn_vec3 shift, syn_rom *varied, syn_error *error);
void syn_rom_drop(syn_rom *varied);

/* Returns the axis about which a positive rotation from these angles adds to one of them. */
syn_vec3 syn_joint_axis_at(const syn_joint *joint, syn_joint_angles angles, int axis);
/* Returns the axis of a motion at its start. */
syn_vec3 syn_motion_axis(const syn_joint *joint, const syn_motion *motion);

/* Sets state and angle of a limit from its other members. */
void syn_limit_conclude(syn_limit *limit);
/* Removes an end point beyond `max` radians. */
void syn_limit_bound(syn_limit *limit, double max);
/* Returns whether no pair touches after `start` and a further rotation about `axis`. */
bool syn_rom_is_free(const syn_rom *rom, const syn_pose *start, syn_vec3 axis, double angle, void *scratch);

/* Finds the angle of a motion that starts free, by one search in its direction alone; returns false if the start
 * overlaps or touches, so that syn_rom_query must decide. `hint` is the limit of a similar joint: the nearer, the
 * faster. */
bool syn_rom_angle(const syn_rom *rom, const syn_motion *motion, const syn_limit *hint, void *scratch, double *angle);

/* ---- many poses -------------------------------------------------------------------------------------------------- */

/* Flexions and adductions in equal steps, radians. */
typedef struct rom_grid {
  double flexion_from, adduction_from, step;
  double max_angle; /* max rotation to follow; 90 degrees, as in the clinical motions of hips */
  uint32_t flexion_count, adduction_count;
} rom_grid;

/* SYN_BAD_ARGUMENT if the numbers describe no grid, SYN_TOO_LARGE if it has more than ten million poses. */
syn_status syn_rom_grid_make(double flexion_from, double flexion_to, double adduction_from, double adduction_to,
                             double step, rom_grid *grid, syn_error *error);

/* Calls store(user, cell, inward, outward) for every cell (flexion * adduction_count + adduction) with the limits of
 * rotation, right-handed and left-handed, from several threads at once. `what` is reported to the progress callback;
 * SYN_CANCELLED if the callback cancels. */
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
/* Computes the envelope and passes its limits to `observer` (may be NULL). */
syn_status syn_envelope_observed(const syn_context *context, const syn_rom *rom, const rom_grid *grid,
                                 const rom_observer *observer, syn_envelope **envelope, syn_error *error);

/* ---- other centres ----------------------------------------------------------------------------------------------- */

/* The same motions about another centre, with another shift: angles in radians, NAN without a limit. */
typedef struct rom_center {
  syn_vec3 center, shift;
  double *angles;
} rom_center;
syn_status syn_rom_angles_about(const syn_rom *rom, const rom_center *centers, size_t center_count,
                                const syn_motion *const *motions, size_t motion_count, syn_error *error);
/* The centre itself, and those `band_mm` to either side along each axis; the caller computes the angles. */
enum { ROM_CENTERS = 1 + 2 * SYN_JOINT_AXES };
void syn_rom_shifted_centers(const syn_rom *rom, double band_mm, rom_center centers[ROM_CENTERS]);

#endif
