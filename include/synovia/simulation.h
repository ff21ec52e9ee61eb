/* Synovia: dynamics and statics of soft and rigid bodies in contact.
 *
 * Add bodies, prescribe degrees of freedom, set loads and contacts; then every call of syn_simulation_step() computes
 * one time step, or one equilibrium. Rigid bodies follow prescribed poses. Units as in tissue.h. */
#ifndef SYNOVIA_SIMULATION_H
#define SYNOVIA_SIMULATION_H

#include <synovia/collide.h>
#include <synovia/tissue.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum syn_integrator {
  SYN_INTEGRATOR_IMPLICIT,   /* implicit Euler, solved by Newton's method: stable, damps fast vibrations */
  SYN_INTEGRATOR_STATIC,     /* equilibrium, without inertia */
  SYN_INTEGRATOR_POSITIONS,  /* XPBD in small steps (Macklin et al. 2016, 2019): a step is automatically divided into
                                substeps as short as the vibration of the stiffest body, and refused if too many are
                                needed */
  SYN_INTEGRATOR_SYMPLECTIC, /* Euler with the new velocity: keeps energy, small steps only */
  SYN_INTEGRATOR_RK4,        /* Runge and Kutta's fourth order */
  SYN_INTEGRATOR_EXPLICIT,   /* Euler with the old velocity, as in Maciel 2005, §3.4.3: gains energy */
  SYN_INTEGRATORS
} syn_integrator;
/* "implicit", "static", "positions", "symplectic", "rk4", "explicit" */
SYN_API const char *syn_integrator_name(syn_integrator integrator);

/* Contact response. Barriers and penalties are forces with an energy: with implicit steps a contact returns at most the
 * energy that it took, and momentum is conserved. The others follow the cited works and conserve less. CORRECTION moves
 * nodes without changing velocities, which adds elastic energy at every depth (two cubes that collided freely gained
 * tens of times their energy, cubes of molecules more). LOOK_AHEAD removes velocities on each side separately, so that
 * the momentum of a free pair is not conserved, and also moves nodes. VOLUME keeps the force of the start of the step
 * constant for the whole step, and an impact may end with twice the energy. */
typedef enum syn_response {
  SYN_RESPONSE_BARRIER, /* surfaces never cross (Incremental Potential Contact, Li et al. 2020); implicit and static */
  SYN_RESPONSE_PENALTY, /* a force for every penetrating vertex (Maciel 2005, Eq. 4.31) */
  SYN_RESPONSE_CORRECTION, /* penetrating vertices are put onto the surface (Maciel 2005, Eq. 4.34 and 4.35) */
  SYN_RESPONSE_LOOK_AHEAD, /* velocities that would cause penetration are removed (Maciel 2005, Algorithm 7) */
  SYN_RESPONSE_VOLUME,     /* one force in the centre of the overlap (Sundaraj 2004, Eq. 5.11) */
  SYN_RESPONSES
} syn_response;
SYN_API const char *syn_response_name(syn_response response); /* "barrier", "penalty", … */

typedef struct syn_touch_options {
  syn_response response;       /* default PENALTY */
  const char *method;          /* detection, a syn_method_info name; default "distance"; the barrier has its own */
  syn_collide_options collide; /* of that method; both roles are queried if the method has them */
  double pressure_mpa_mm;      /* penalty: pressure per mm of depth; volume: force per mm3 of overlap, N; default 0:
                                * the modulus of the softer body by the mean edge of its skin */
  double damping_s;            /* volume: seconds times the growth rate of the overlap; default 0 */
  double barrier_mm;           /* barrier: surfaces nearer than this repel; default 0: a thousandth of the scene */
  double barrier_mpa;          /* barrier: its stiffness; default 0: the stiffest of the two bodies' moduli */
  uint32_t cookie;
} syn_touch_options;
SYN_API syn_touch_options syn_default_touch_options(void);

typedef struct syn_simulation_options {
  syn_integrator integrator; /* default IMPLICIT */
  double step_s;             /* default 0.001 */
  syn_vec3 gravity;          /* mm / s^2; default 0 */
  double tolerance;          /* implicit and static: the last correction, relative to the scene's size; default 1e-9 */
  uint32_t iterations; /* maximum: of Newton's method, default 0: 100; sweeps of XPBD over each substep, default 0: 1 */
  uint32_t halvings;   /* implicit and static: maximum number of halvings of a step without a solution, default 10 */
  uint32_t cookie;
} syn_simulation_options;
SYN_API syn_simulation_options syn_default_simulation_options(void);

/* Used by one thread at a time. */
typedef struct syn_simulation syn_simulation;
/* `options` may be NULL: defaults. */
SYN_API syn_status syn_simulation_create(const syn_context *context, const syn_simulation_options *options,
                                         syn_simulation **simulation, syn_error *error);
SYN_API void syn_simulation_destroy(syn_simulation *simulation); /* NULL is fine */

/* ---- the scene -----------------------------------------------------------------------------------------------------
 */

/* Adds a soft body at rest, or a rigid one at its mesh position; both are borrowed and must outlive the simulation.
 * Bodies are numbered in the order in which they are added. */
SYN_API syn_status syn_simulation_add_soft(syn_simulation *simulation, syn_soft *soft, uint32_t *body,
                                           syn_error *error);
SYN_API syn_status syn_simulation_add_rigid(syn_simulation *simulation, const syn_trimesh *surface, uint32_t *body,
                                            syn_error *error);
/* Sets the name of a body in messages; borrowed. Without a name messages say "body" and its number. */
SYN_API void syn_simulation_name(syn_simulation *simulation, uint32_t body, const char *name);
/* Prescribes degrees of freedom of a node of a soft body: it moves with the rigid body `to`, or keeps its position
 * (SYN_NONE). `axes` has bit 1 for x, 2 for y, 4 for z. Axes of several calls add up, as for nodes on two planes of
 * symmetry. `axes` 0 with `to` SYN_NONE releases the node in all axes. A node that moves with a body is prescribed in
 * all axes; SYN_BAD_ARGUMENT if it is prescribed otherwise or by another body already: release it first. */
SYN_API syn_status syn_simulation_hold(syn_simulation *simulation, uint32_t body, uint32_t node, unsigned axes,
                                       uint32_t to, syn_error *error);
/* Sets the target position of the prescribed axes of a node for the end of the next step. Not for nodes that move with
 * a body. */
SYN_API void syn_simulation_place(syn_simulation *simulation, uint32_t body, uint32_t node, syn_vec3 place);
/* Sets the pose of the rigid body, relative to its mesh, at the end of the next step. */
SYN_API void syn_simulation_move(syn_simulation *simulation, uint32_t body, const syn_pose *pose);
/* Sets the external force on a node from now on; it replaces the previous one. */
SYN_API void syn_simulation_push(syn_simulation *simulation, uint32_t body, uint32_t node, syn_vec3 force);
SYN_API syn_vec3 syn_simulation_load(const syn_simulation *simulation, uint32_t body, uint32_t node); /* that force */
SYN_API uint64_t syn_simulation_steps(const syn_simulation *simulation);                              /* so far */
/* Sets positions and velocities of a soft body's nodes; either may be NULL: unchanged. */
SYN_API void syn_simulation_set(syn_simulation *simulation, uint32_t body, const syn_vec3 *x, const syn_vec3 *v);
/* Adds a pair of bodies to contact detection from now on. At least one is soft. `options` may be NULL: defaults. */
SYN_API syn_status syn_simulation_touch(syn_simulation *simulation, uint32_t fixed, uint32_t mobile,
                                        const syn_touch_options *options, syn_error *error);

/* ---- steps ---------------------------------------------------------------------------------------------------------
 */

/* Sets the length of the following steps: a step that does not converge may do so in two halves. */
SYN_API syn_status syn_simulation_set_step(syn_simulation *simulation, double step_s, syn_error *error);
/* Computes one step. Implicit steps and equilibria without a solution are divided into substeps, halved at each failure
 * and lengthened after successes; in equilibrium the loads grow with them, and gravity in the first step.
 * SYN_NOT_CONVERGED if the step diverges or has no solution in substeps either: the message names the step, the node
 * and its body, or the unconstrained body, and the state before the step is restored. */
SYN_API syn_status syn_simulation_step(syn_simulation *simulation, syn_error *error);

typedef struct syn_simulation_report {
  uint64_t steps;
  double time_s;
  double kinetic, elastic, contact; /* energies, N mm; NAN where a model has none */
  double volume_mm3;                /* of all soft bodies */
  uint32_t iterations;              /* of the last step */
  uint32_t touching;                /* pairs of features, or penetrating vertices, at its end */
  double depth_mm;                  /* maximum penetration there; negative: the minimum distance of a barrier's pairs */
} syn_simulation_report;
SYN_API void syn_simulation_report_of(const syn_simulation *simulation, syn_simulation_report *report);

/* Of a soft body; valid until a body is added. */
SYN_API const syn_vec3 *syn_simulation_positions(const syn_simulation *simulation, uint32_t body);
SYN_API const syn_vec3 *syn_simulation_velocities(const syn_simulation *simulation, uint32_t body);
/* Returns the force on each node at the end of the last step: of contact, and of reaction at prescribed degrees of
 * freedom (zero for free nodes); caller's arrays, either may be NULL. */
SYN_API void syn_simulation_forces(const syn_simulation *simulation, uint32_t body, syn_vec3 *contact, syn_vec3 *hold);
/* The complete state as an array of numbers: positions, velocities, poses, loads and state variables of materials. A
 * simulation of the same scene that is set to it continues with the same bits. */
SYN_API size_t syn_simulation_state_count(const syn_simulation *simulation);
SYN_API void syn_simulation_get_state(syn_simulation *simulation, double *state);
SYN_API void syn_simulation_set_state(syn_simulation *simulation, const double *state);
/* Returns the current pose of a rigid body. */
SYN_API syn_pose syn_simulation_pose(const syn_simulation *simulation, uint32_t body);

#ifdef __cplusplus
}
#endif
#endif
