/* What the files about a graft share. */
#ifndef SYN_CLINIC_SURGERY_GRAFT_H
#define SYN_CLINIC_SURGERY_GRAFT_H

#include <synovia/graft.h>

#include "base/memory.h"

/* Where a graft lies at rest: its femoral end, its directions and its length. */
typedef struct syn_graft_frame {
  syn_vec3 origin, along, across, up; /* the last three are unit vectors, right-handed as across, up, along */
  double length_mm;
} syn_graft_frame;

/* The pose of the tibia at an angle. */
syn_pose syn_graft_pose(const syn_graft_options *options, double flexion);
syn_status syn_graft_frame_of(const syn_graft_options *options, const syn_graft_tunnels *tunnels,
                              syn_graft_frame *frame, syn_error *error);
/* The point at parts u, v of the half sides (-1 … 1) and s of the length (0 … 1). */
syn_vec3 syn_graft_point(const syn_graft_options *options, const syn_graft_frame *frame, double u, double v, double s);
/* How the bones carry a graft that does not deform: the rigid motion that brings the nodes of both ends from rest
 * nearest to their places (Horn 1987). */
syn_pose syn_graft_carried(const syn_vec3 *rest, const syn_vec3 *places, size_t count);
/* The part of a triangle where what has these values at its corners, linear between, is not above 0. */
double syn_graft_part_below(const double values[3]);
/* How many angles, the last one included. */
size_t syn_graft_row_count(const syn_graft_options *options);
double syn_graft_flexion(const syn_graft_options *options, size_t row);
/* Greatest stretch of straight fibres between corresponding points of both ends, over all angles, and by how much the
 * middle one becomes shorter than the graft is. */
double syn_graft_strain(const syn_graft_options *options, const syn_graft_frame *frame, double *slack_mm);

#endif
