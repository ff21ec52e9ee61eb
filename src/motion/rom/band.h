/* The joints that 95 % intervals are drawn from. */
#ifndef SYN_MOTION_BAND_H
#define SYN_MOTION_BAND_H

#include <synovia/joint_analysis.h>

/* How joints are drawn beside the options. */
typedef struct syn_band_def {
  const syn_band_options *options;
  const syn_vec3 *axes_sd; /* of the fixed and of the mobile bodies; NULL: the axes are certain */
  const double *voxel_mm;  /* of the scan of each body, 0: as the options say; NULL: 0 for all */
  double reach_mm;         /* what lies further from the centre is left out; 0: syn_band_reach of the limits */
} syn_band_def;

/* Angles of all draws, everything moved at once: angles[draw * count + motion] in radians, -INFINITY where no pose is
 * free. The limits are those of `rom`. Draw i of a joint with other bodies moves the same way; joints that are compared
 * have the same reach, the largest of theirs. */
syn_status syn_band_draws(const syn_rom *rom, const syn_band_def *def, const syn_motion_limit *limits, size_t count,
                          double *angles, syn_error *error);
/* How far from the centre bodies may touch in a draw. */
syn_status syn_band_reach(const syn_rom *rom, const syn_motion_limit *limits, size_t count, double *reach,
                          syn_error *error);
/* Does a draw of that source move this? */
bool syn_band_moves(syn_band_source what, syn_band_source source);
/* A surface as it was scanned. */
typedef struct syn_band_scan {
  const syn_trimesh *mesh;
  const syn_vec3 *normals; /* of the vertices */
  double voxel_mm;
} syn_band_scan;
/* The vertices of a body in a draw. What happens to one depends on its place, not on its number: a part of the mesh
 * moves as the whole does. `center` is that of the joint. */
void syn_band_move_vertices(const syn_band_options *options, size_t draw, size_t body, const syn_band_scan *scan,
                            syn_vec3 center, syn_vec3 *moved);
syn_vec3 syn_band_move_center(const syn_band_options *options, size_t draw, syn_vec3 center);
/* Rotates the axes of the fixed and of the mobile bodies by random angles of these standard deviations. */
void syn_band_move_axes(const syn_band_options *options, size_t draw, const syn_vec3 axes_sd[2], syn_joint_axes *fixed,
                        syn_joint_axes *mobile);
/* The size of the voxels of the scan that a mesh was made of, estimated from its edges. */
syn_status syn_band_voxel(const syn_trimesh *mesh, double *mm, syn_error *error);
/* The triangles that come nearer to the centre than `reach`, and their vertices; NULL: none. */
syn_status syn_band_near(const syn_trimesh *mesh, syn_vec3 center, double reach, syn_trimesh **part, syn_error *error);
/* The middle 95 % of the draws, which it sorts, and always the value itself. */
syn_band syn_band_middle(double *draws, size_t count, double value);
/* The band, in degrees, of angles[0], angles[stride], …: radians, -INFINITY where no pose is free. `angle` is that of
 * the joint itself, `sorted` a buffer. And the share of them that is below `max`. */
syn_band syn_band_of_angles(const double *angles, size_t stride, size_t count, double angle, double *sorted);
double syn_band_stopped_part(const double *angles, size_t stride, size_t count, double max);

#endif
