/* Internal interface of the graft. */
#ifndef SYN_CLINIC_SURGERY_GRAFT_H
#define SYN_CLINIC_SURGERY_GRAFT_H

#include "base/memory.h"
#include "clinic/surgery_rows.h"

/* Position of a graft at rest: its femoral end, its directions and its length. */
typedef struct syn_graft_frame {
  syn_vec3 origin, along, across, up; /* the last three are unit vectors, right-handed as across, up, along */
  double length_mm;
} syn_graft_frame;

syn_status syn_graft_frame_of(const syn_graft_options *options, const syn_graft_tunnels *tunnels,
                              syn_graft_frame *frame, syn_error *error);
/* Returns the point at fractions u, v of the half sides (-1 … 1) and s of the length (0 … 1). */
syn_vec3 syn_graft_point(const syn_graft_options *options, const syn_graft_frame *frame, double u, double v, double s);
/* Returns how the bones carry an undeformed graft: the rigid motion that maps the nodes of both ends from rest nearest
 * to their positions (Horn 1987). */
syn_pose syn_graft_carried(const syn_vec3 *rest, const syn_vec3 *places, size_t count);
/* Returns the fraction of a triangle in which a function, linear between these values at the vertices, is not above 0.
 */
double syn_graft_part_below(const double values[3]);
/* The surfaces of both bones. */
typedef struct syn_graft_bones {
  syn_surface *femur, *tibia;
} syn_graft_bones;
static inline syn_graft_tunnels syn_graft_tunnels_of(const syn_graft_plan *plan) {
  return (syn_graft_tunnels){plan->femur_outlet, plan->tibia_outlet};
}
/* Moves the knee through all angles with the tunnels of the plan, and fills in the rest of it; `what` names the step
 * for progress. Release on success and on failure. */
syn_status syn_graft_run(const syn_context *context, const syn_graft_options *options, const syn_graft_bones *bones,
                         const char *what, syn_graft_plan *plan, syn_error *error);
void syn_graft_plan_release(const syn_context *context, syn_graft_plan *plan);
/* Returns the max stretch of straight fibres between corresponding points of both ends, over all angles, and by how
 * much the middle fibre becomes shorter than the graft. */
double syn_graft_strain(const syn_graft_options *options, const syn_graft_frame *frame, double *slack_mm);

#endif
