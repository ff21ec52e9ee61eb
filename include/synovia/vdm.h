/* Synovia: the volume distribution method (Sundaraj 2004, §3).
 *
 * A body is an elastic skin around a fluid that cannot be compressed. Its nodes are the vertices of a closed surface.
 * Node i has a part A_i of the area and V_i = A_i V / A of the volume. In each direction its displacement L_i obeys
 *   B_i A_i L_i / V_i + sum over neighbours j of B_ij (A_i L_i - A_j L_j) / V_i - p n_i = d g h_i n_i + t_i
 * with the pressure p of the fluid, the same everywhere, the normal n_i, the density d, the depth h_i below the highest
 * node, and the traction t_i of a contact (Eq. 3.31). The volume is kept: sum of A_i n_i L_i = 0 (Eq. 3.37), or the
 * volume of the mesh itself (Eq. 3.43).
 *
 * The functions take bodies that syn_soft_create made with the model "vdm"; the options choose the moduli and the
 * solver. All of them but the first three change the body: one thread at a time. */
#ifndef SYNOVIA_VDM_H
#define SYNOVIA_VDM_H

#include <synovia/tissue.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Areas (mm2) and volumes (mm3) of the nodes while they are at x (NULL: at rest; Eq. 3.1 to 3.4); caller's arrays,
 * either may be NULL. */
SYN_API syn_status syn_vdm_distribution(const syn_soft *soft, const syn_vec3 *x, double *areas_mm2, double *volumes_mm3,
                                        syn_error *error);
/* Neighbours: the two nodes of every edge of the mesh, in the order of syn_topology. Lives as long as the body. */
SYN_API const uint32_t (*syn_vdm_pairs(const syn_soft *soft, uint32_t *count))[2];
/* Stress of Eq. 3.29 at every node in x, y and z, MPa, while the nodes are at x. syn_soft_stress has the same numbers
 * on the diagonal of a tensor. For infinite B it is the reaction pressure at the node. */
SYN_API void syn_vdm_stress(const syn_soft *soft, const syn_vec3 *x, syn_vec3 *stress_mpa);

/* B of every node in x, y and z, at least 0 MPa. INFINITY: the node does not move in that direction. */
SYN_API syn_status syn_vdm_set_bulk(syn_soft *soft, const syn_vec3 *bulk_mpa, syn_error *error);
/* B_ij of every pair, at least 0 MPa. INFINITY: A_i L_i and A_j L_j are the same. */
SYN_API syn_status syn_vdm_set_connectivity(syn_soft *soft, const double *connectivity_mpa, syn_error *error);
/* Acceleration of gravity, mm/s2; default none. */
SYN_API syn_status syn_vdm_set_gravity(syn_soft *soft, syn_vec3 gravity_mm_s2, syn_error *error);

/* Boundary condition of a node in one direction (Sundaraj 2004, §3.2.10). */
typedef enum syn_vdm_constraint {
  SYN_VDM_FREE,        /* free to move */
  SYN_VDM_CONTACT,     /* prescribed traction in MPa */
  SYN_VDM_FIXED,       /* does not move */
  SYN_VDM_CONSTRAINED, /* prescribed displacement in mm */
  SYN_VDM_CONSTRAINTS
} syn_vdm_constraint;
SYN_API const char *syn_vdm_constraint_name(syn_vdm_constraint constraint); /* "free", "contact", … */

/* Constrains a node in the directions of `axes` (SYN_X, SYN_Y, SYN_Z); `value` is the traction or the displacement
 * there. All nodes are free at first. */
SYN_API syn_status syn_vdm_constrain(syn_soft *soft, uint32_t node, unsigned axes, syn_vdm_constraint constraint,
                                     syn_vec3 value, syn_error *error);
/* Frees all nodes. */
SYN_API void syn_vdm_release(syn_soft *soft);

typedef struct syn_vdm_report {
  double pressure_mpa;     /* of the fluid */
  double volume_error;     /* (volume - that at rest) / that at rest; at most 1e-6 unless the solver is linear */
  double change_mm;        /* maximum displacement of a node in the last iteration; 0 for the linear solver */
  uint32_t iterations;     /* nonlinear: shapes; otherwise 1 */
  uint32_t bicg_steps;     /* nonlinear: of all systems together */
  uint32_t factorisations; /* since the body was made */
  uint32_t updates;        /* quasi-linear: constraints that the kept inverse followed by Sherman and Morrison's
                              formula, in this solution */
} syn_vdm_report;

/* Solves for the positions x of the nodes in equilibrium; caller's array, overwritten. The nonlinear solver starts from
 * the last solution. `report` may be NULL. SYN_BAD_ARGUMENT if the body is unconstrained or no node can change its
 * volume; SYN_NOT_CONVERGED if shape or volume do not converge: use smaller load steps. */
SYN_API syn_status syn_vdm_solve(syn_soft *soft, syn_vec3 *x, syn_vdm_report *report, syn_error *error);

#ifdef __cplusplus
}
#endif
#endif
