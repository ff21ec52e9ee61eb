/* Internal interface of the 95 % intervals: draws of a joint under measurement noise. */
#ifndef SYN_MOTION_BAND_H
#define SYN_MOTION_BAND_H

#include <synovia/motion.h>

/* Settings of the draws beside the options. */
typedef struct syn_band_def {
  const syn_band_options *options;
  const syn_vec3 *axes_sd; /* of the fixed and of the mobile bodies; NULL: the axes are exact */
  const double *voxel_mm;  /* of the scan of each body, 0: as in the options; NULL: 0 for all */
  double reach_mm;         /* triangles further from the centre are left out; 0: syn_band_reach of the limits */
} syn_band_def;

/* Computes the angles of all draws, everything moved at once: angles[draw * count + motion] in radians, -INFINITY if no
 * pose is free. The limits are those of `rom`. Draw i of a joint with other bodies moves the same way; joints to be
 * compared need the same reach, the largest of theirs. */
syn_status syn_band_draws(const syn_rom *rom, const syn_band_def *def, const syn_motion_limit *limits, size_t count,
                          double *angles, syn_error *error);
/* Returns the largest distance from the centre at which bodies may touch in a draw. */
syn_status syn_band_reach(const syn_rom *rom, const syn_motion_limit *limits, size_t count, double *reach,
                          syn_error *error);
/* Returns whether a draw of that source changes `what`. */
bool syn_band_moves(syn_band_source what, syn_band_source source);
/* A surface as it was scanned. */
typedef struct syn_band_scan {
  const syn_trimesh *mesh;
  const syn_vec3 *normals; /* one per vertex */
  double voxel_mm;
} syn_band_scan;
/* Moves the vertices of a body as in a draw. The displacement depends on the position of a vertex, not on its number,
 * so a part of the mesh moves as the whole does. `center` is that of the joint. */
void syn_band_move_vertices(const syn_band_options *options, size_t draw, size_t body, const syn_band_scan *scan,
                            syn_vec3 center, syn_vec3 *moved);
syn_vec3 syn_band_move_center(const syn_band_options *options, size_t draw, syn_vec3 center);
/* Rotates the axes of the fixed and of the mobile bodies by random angles of these standard deviations. */
void syn_band_move_axes(const syn_band_options *options, size_t draw, const syn_vec3 axes_sd[2], syn_joint_axes *fixed,
                        syn_joint_axes *mobile);
/* Estimates, from the edges of a mesh, the voxel size of the scan that it was made from. */
syn_status syn_band_voxel(const syn_trimesh *mesh, double *mm, syn_error *error);
/* Returns the triangles that come nearer to the centre than `reach`, and their vertices; NULL: none. */
syn_status syn_band_near(const syn_trimesh *mesh, syn_vec3 center, double reach, syn_trimesh **part, syn_error *error);
/* Returns the interval that holds the middle 95 % of the draws, extended to `value`. Sorts `draws`. */
syn_band syn_band_middle(double *draws, size_t count, double value);
/* Computes the interval, in degrees, of angles[0], angles[stride], …: radians, -INFINITY if no pose is free. `angle` is
 * that of the joint itself, `sorted` a buffer. Also computes the share of the draws below `max`. */
syn_band syn_band_of_angles(const double *angles, size_t stride, size_t count, double angle, double *sorted);
double syn_band_stopped_part(const double *angles, size_t stride, size_t count, double max);

#endif
