/* Internal interface of the 95 % intervals: draws of a joint under measurement noise. */
#ifndef SYN_MOTION_BAND_H
#define SYN_MOTION_BAND_H

#include <synovia/motion.h>

/* A surface as it was scanned. */
typedef struct syn_band_scan {
  const syn_trimesh *mesh;
  const syn_vec3 *normals; /* one per vertex */
  double voxel_mm;
} syn_band_scan;

/* What is drawn. */
typedef struct syn_band_drawn {
  const syn_context *context;
  const syn_band_options *options;
  size_t draw;
  const syn_band_scan *scans; /* of each body */
  syn_vec3 origin;            /* of the noise: the centre of the joint itself */
  bool surfaces, center;      /* both, or one of them */
} syn_band_drawn;
/* Finds the centre and the shift of a draw, which are those of the joint itself at first, from its surfaces. */
typedef struct syn_band_centring {
  const void *user;
  syn_status (*find)(const void *user, const syn_band_drawn *drawn, syn_vec3 *center, syn_vec3 *shift,
                     syn_error *error);
} syn_band_centring;

/* Settings of the draws beside the options. */
typedef struct syn_band_def {
  const syn_band_options *options;
  const syn_vec3 *axes_sd;           /* of the fixed and of the mobile bodies; NULL: the axes are exact */
  const double *voxel_mm;            /* of the scan of each body, 0: as in the options; NULL: 0 for all */
  const syn_band_centring *centring; /* NULL: only the draws of the centre move it, in a ball */
  double reach_mm; /* triangles further from the centre are left out; 0: syn_band_reach of the limits */
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
/* Moves points of a body along their normals as in a draw. The displacement depends on the position of a point, not on
 * its number, so that a part of a mesh moves as the whole does. `center` is that of the joint. */
syn_status syn_band_move_points(const syn_context *context, const syn_band_options *options, size_t draw, size_t body,
                                double voxel_mm, syn_vec3 center, const syn_vec3 *points, const syn_vec3 *normals,
                                size_t count, syn_vec3 *moved, syn_error *error);
/* Returns the vector by which a draw moves a centre whose covariance has this root (syn_covariance_root). */
syn_vec3 syn_band_center_offset(const syn_band_options *options, size_t draw, const syn_mat3 *root);
/* Returns that root for a centre that is as uncertain as the options say, in a ball. */
syn_mat3 syn_band_center_root(const syn_band_options *options);
/* syn_bands_find with a centre of its own in each draw (NULL: none). */
syn_status syn_bands_find_centred(const syn_rom *rom, const syn_vec3 axes_sd[2], const syn_band_centring *centring,
                                  const syn_band_options *options, syn_motion_limit *limits, size_t count,
                                  syn_error *error);
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
