/* The hips that bands are drawn from. */
#ifndef SYN_CLINIC_BAND_H
#define SYN_CLINIC_BAND_H

#include <synovia/hip.h>

/* What all draws start from. */
typedef struct syn_band_base {
  const syn_hip *hip;
  const syn_band_options *options;
  syn_vec3 pelvis_sd, femur_sd; /* of the frames */
  double voxel_mm[SYN_HIP_PARTS];
  const syn_vec3 *normals[SYN_HIP_PARTS]; /* of the vertices */
} syn_band_base;

/* Angles of all draws, everything moved at once: angles[draw * count + motion] in radians, -INFINITY where no pose is
 * free. The limits are those of `rom`, whose parts were scanned with voxels of voxel_mm[SYN_HIP_PARTS] (0: as the
 * options say). Bone further than reach_mm from the centre is left out: the greatest syn_band_reach of the hips that
 * are compared. Draw i of a hip with other bones moves the same way. */
syn_status syn_hip_band_draws(const syn_context *context, const syn_hip_rom *rom, const syn_anatomy *anatomy,
                              const syn_band_options *options, const double *voxel_mm, double reach_mm,
                              const syn_motion_limit *limits, size_t count, double *angles, syn_error *error);
/* How far from the centre bones may touch in a draw. */
syn_status syn_band_reach(const syn_hip_rom *rom, const syn_motion_limit *limits, size_t count, double *reach,
                          syn_error *error);
/* Does a draw of that source move this? */
bool syn_band_moves(syn_band_source what, syn_band_source source);
/* Centre and frames of a draw, as the source has it; `hip` starts as a copy of the base's. */
void syn_band_move_hip(const syn_band_base *base, syn_band_source source, size_t draw, syn_hip *hip);
/* The vertices of a part in a draw. What happens to one depends on its place, not on its number: a part of the mesh
 * moves as the whole does. */
void syn_band_move_surface(const syn_band_base *base, size_t draw, int part, syn_vec3 *moved);
/* A surface as it was scanned. */
typedef struct syn_band_scan {
  const syn_trimesh *mesh;
  const syn_vec3 *normals; /* of the vertices */
  double voxel_mm;
} syn_band_scan;
/* The same for any body, by its number. `center` is that of the joint. */
void syn_band_move_vertices(const syn_band_options *options, size_t draw, size_t body, const syn_band_scan *scan,
                            syn_vec3 center, syn_vec3 *moved);
syn_vec3 syn_band_move_center(const syn_band_options *options, size_t draw, syn_vec3 center);
/* The size of the voxels of the scan that a mesh was made of, estimated from its edges. */
syn_status syn_band_voxel(const syn_trimesh *mesh, double *mm, syn_error *error);
/* The triangles that come nearer to the centre than `reach`, and their vertices. */
syn_status syn_band_near(const syn_trimesh *mesh, syn_vec3 center, double reach, syn_trimesh **part, syn_error *error);
/* The middle 95 % of the draws, which it sorts, and always the value itself. */
syn_band syn_band_middle(double *draws, size_t count, double value);
/* The band, in degrees, of angles[0], angles[stride], …: radians, -INFINITY where no pose is free. `angle` is that of
 * the joint itself, `sorted` a buffer. And the share of them that is below `most`. */
syn_band syn_band_of_angles(const double *angles, size_t stride, size_t count, double angle, double *sorted);
double syn_band_stopped_part(const double *angles, size_t stride, size_t count, double most);

#endif
