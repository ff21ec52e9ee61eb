/* Internal interface of both cartilages of a hip as soft bodies between their bones. */
#ifndef SYN_CLINIC_CARTILAGE_H
#define SYN_CLINIC_CARTILAGE_H

#include "clinic/virtual_hip/virtual_hip.h"

#include "base/memory.h"
#include "base/vec.h"

/* One simulated cartilage. */
typedef struct syn_cartilage {
  syn_trimesh *surface; /* in the mesh position, perhaps coarser */
  syn_tetmesh *volume;  /* at the start of the simulation */
  syn_soft *soft;
  uint32_t body;
  bool *held;      /* of each node */
  syn_vec3 *force; /* by contact, of each node */
  syn_sym3 *stress, *strain;
  double *area_mm2; /* of the surface around each of its vertices */
} syn_cartilage;

typedef struct syn_cartilages {
  const syn_context *context;
  const syn_hip *hip;
  syn_congruity_options options;
  double step_s;
  syn_vec3 pressed;   /* shift of the femur in the socket */
  syn_vec3 shift;     /* current */
  syn_pose begin;     /* of the mobile parts at the start of the simulation */
  syn_trimesh *femur; /* in that pose */
  uint32_t pelvis_body, femur_body;
  syn_simulation *simulation;
  syn_cartilage of[SYN_CONGRUITY_SIDES];
} syn_cartilages;

/* Makes the surfaces of both; they may be used for many paths. */
syn_status syn_cartilage_surfaces(const syn_hip *hip, const syn_congruity_options *options,
                                  syn_trimesh *surfaces[SYN_CONGRUITY_SIDES], syn_error *error);
/* Begins a simulation at these angles, with the femur moved out of the socket along `out` until there is no contact.
 * `volumes` are those of the surfaces in the mesh position. Release with syn_cartilages_release, also after a failure.
 */
syn_status syn_cartilages_begin(const syn_context *context, const syn_hip *hip, const syn_congruity_options *options,
                                syn_trimesh *const surfaces[SYN_CONGRUITY_SIDES],
                                syn_tetmesh *const volumes[SYN_CONGRUITY_SIDES], syn_hip_angles angles, syn_vec3 out,
                                double step_s, syn_cartilages *c, syn_error *error);
void syn_cartilages_release(syn_cartilages *c);
/* Returns the pose of the mobile parts at these angles and this shift. */
syn_pose syn_cartilages_pose(const syn_cartilages *c, syn_hip_angles angles, syn_vec3 shift);
/* Solves from the current pose to these angles, pressed; by half steps if the whole step has no equilibrium. */
syn_status syn_cartilages_go(syn_cartilages *c, syn_hip_angles from, syn_hip_angles to, syn_error *error);
/* Measures the current state of both. The fields have one value for each node of the body. */
void syn_cartilages_measure(syn_cartilages *c, syn_congruity_moment *moment,
                            const syn_congruity_fields fields[SYN_CONGRUITY_SIDES]);

#endif
