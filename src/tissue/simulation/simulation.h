/* The scene as integrators and contacts use it: nodes of all soft bodies in one list, points of all surfaces in
 * another. */
#ifndef SYN_TISSUE_SIMULATION_H
#define SYN_TISSUE_SIMULATION_H

#include <synovia/tissue.h>

#include "solve/block_matrix.h"
#include "tissue/soft.h"

typedef struct syn_sim_body {
  syn_soft *soft;               /* NULL: rigid */
  const syn_trimesh *surface;   /* skin, or the rigid mesh */
  const char *name;             /* for messages; NULL: its number */
  double fastest_rad_s;         /* its highest frequency; 0: not yet known */
  double fastest_damping_per_s; /* at that frequency */
  double size_mm;               /* diagonal of the box around its surface at rest */
  uint32_t first_node;          /* of a soft body, in the simulation's list */
  uint32_t first_point;         /* of its surface */
  syn_pose pose, next;          /* of a rigid body: now, and at the end of the step */
} syn_sim_body;

/* A distance between two features of surfaces and its gradient: points[i] moving by u changes it by weight[i] *
 * normal . u. All contacts that have an energy are lists of gaps. */
typedef struct syn_gap {
  uint32_t points[4];
  double weight[4];
  syn_vec3 normal; /* unit */
  double gap_mm;   /* negative: a penetration depth */
  double area_mm2; /* of the surface around it */
  uint32_t touch;  /* contact pair of the gap */
} syn_gap;

typedef struct syn_gap_list {
  syn_gap *gaps;
  size_t count, capacity;
} syn_gap_list;

typedef struct syn_touch {
  uint32_t fixed, mobile; /* bodies */
  syn_touch_options options;
  struct syn_collider *collider; /* of responses that detect penetration */
  bool only_pairs; /* the method reports only vertices and triangles that face each other; its depths are approximate */
  void *scratch;
  syn_contact *contacts;
  size_t contact_capacity;
  struct syn_barrier *barrier;
  double overlap_mm3;        /* of the last step, for its rate of growth; NAN before the first */
  double overlap_before_mm3; /* at the start of the step */
} syn_touch;

/* Vectors allocated once for all steps. Integrators use those before the named ones, of which the last three are the
 * state at the start of the step; PARTING has the forces by which XPBD has separated surfaces, and is a buffer of
 * RK4. */
enum { SYN_WORK_PARTING = 5, SYN_WORK_BEFORE_X, SYN_WORK_BEFORE_V, SYN_WORK_BEFORE_FORCE, SYN_WORK_VECTORS };

struct syn_simulation {
  const syn_context *context;
  syn_simulation_options options;
  syn_sim_body *bodies;
  size_t body_count, body_capacity;
  syn_touch *touches;
  size_t touch_count, touch_capacity;
  uint32_t node_count, point_count;
  double size_mm; /* of the scene */
  /* per node */
  syn_vec3 *x, *v, *target, *load; /* target: of held axes at the end of the step */
  double *mass;
  uint8_t *held;
  uint32_t *follows; /* rigid body that a prescribed node moves with, or SYN_NONE */
  syn_vec3 *home;    /* its position in that body's mesh */
  syn_vec3 *contact_force, *hold_force;
  syn_vec3 *last_load;  /* of the last step; equilibria in parts start from it */
  syn_vec3 *step_force; /* of contacts that apply one force for the whole step */
  syn_vec3 *work[SYN_WORK_VECTORS];
  /* per point of a surface */
  syn_vec3 *points, *points_after;
  double *point_area;     /* of the surface around it, at rest */
  syn_vec3 *point_facing; /* the same as a vector along its normal, at the last search for penalties */
  syn_gap_list gaps;
  bool keeps_gaps;           /* of penalties: gaps found before do not change, and only new ones are added */
  size_t kept;               /* count of those in the list */
  struct syn_newton *newton; /* of implicit steps */
  double *lambda;            /* of XPBD: all soft bodies' constraints */
  size_t lambda_count;
  uint64_t steps;
  double time_s;
  uint32_t iterations;
  uint32_t cut;         /* number of halvings at the end of the last step; the next one begins with it */
  double whole_step_s;  /* before it is divided into parts */
  double *state_before; /* complete state at the start of the step */
  size_t state_capacity;
  uint64_t factorisations; /* by implicit steps */
};

/* Returns `fixed` in the held axes, `free` in the others. */
static inline syn_vec3 syn_mix_held(uint8_t held, syn_vec3 free, syn_vec3 fixed) {
  return (syn_vec3){held & SYN_X ? fixed.x : free.x, held & SYN_Y ? fixed.y : free.y, held & SYN_Z ? fixed.z : free.z};
}

/* Returns the rigid body that a node moves with, or SYN_NONE. */
uint32_t syn_sim_follows(const syn_simulation *s, uint32_t body, uint32_t node);
/* Returns the external force on a node. */
syn_vec3 syn_sim_load_of(const syn_simulation *s, uint32_t body, uint32_t node);
/* As syn_simulation_move_node, in these axes only. */
void syn_sim_place_axes(syn_simulation *s, uint32_t body, uint32_t node, unsigned axes, syn_vec3 place);

/* ---- forces of the whole scene (simulation.c)
 * ------------------------------------------------------------------------
 */

/* Computes elastic and viscous forces of all bodies, loads and gravity; overwrites f. v may be NULL: at rest. */
void syn_sim_forces(const syn_simulation *s, const syn_vec3 *x, const syn_vec3 *v, syn_vec3 *f);
/* Returns the elastic energy; NAN if a model has none. */
double syn_sim_energy(const syn_simulation *s, const syn_vec3 *x);
/* Computes the positions of all surfaces with the nodes at x and the rigid bodies at the fraction `part` of their
 * straight steps. */
void syn_sim_points(const syn_simulation *s, const syn_vec3 *x, double part, syn_vec3 *points);
/* Distributes a force on a point of a surface to the nodes. */
void syn_sim_point_force(const syn_simulation *s, uint32_t point, syn_vec3 force, syn_vec3 *f);
/* Returns the body of a point. */
uint32_t syn_sim_body_of_point(const syn_simulation *s, uint32_t point);
/* Copies the complete state of a step into `state`, or from it. */
void syn_sim_pass_state(syn_simulation *s, double *state, bool sets);

/* ---- what failures say (step.c) -------------------------------------------------------------------------------
 */

typedef struct syn_sim_words {
  char text[256];
} syn_sim_words;
/* Returns the body's name, or "body 3"; and "node 12 of" it, by the number of the node in the whole scene. */
syn_sim_words syn_sim_body_words(const syn_simulation *s, uint32_t body);
syn_sim_words syn_sim_node_words(const syn_simulation *s, uint32_t node);

/* ---- vibrations (vibrations.c) ---------------------------------------------------------------------------------- */

/* Returns the longest stable step of the chosen explicit integrator, for the present bodies and penalties; 0 if
 * every step gains energy, infinite for integrators without a bound. */
syn_status syn_sim_stable_step(syn_simulation *s, double *step_s, syn_error *error);
/* Finds the highest frequency of all bodies, rad / s; without contacts. */
syn_status syn_sim_fastest(syn_simulation *s, double *rad_s, double *damping_per_s, syn_error *error);

/* ---- contact (contact/) ----------------------------------------------------------------------------------------- */

/* Finds the gaps of penalties and barriers at points, with rigid bodies at the fraction `part` of the step; with
 * `all` also those of responses without a force, for reports. Overwrites s->gaps. */
syn_status syn_sim_find_gaps(syn_simulation *s, const syn_vec3 *points, double part, bool all, syn_error *error);
/* Energy of a gap and its first and second derivative with respect to the distance. */
typedef struct syn_gap_energy {
  double energy, first, second;
} syn_gap_energy;
syn_gap_energy syn_gap_evaluate(const syn_simulation *s, const syn_gap *gap);
/* Adds the forces of the gaps to f; returns their energy. */
double syn_gaps_force(const syn_simulation *s, syn_vec3 *f);
/* Returns the fraction, 0 to 1, of the motion from `before` to `after` that all surfaces with a barrier can make
 * without touching. */
syn_status syn_barrier_free_part(syn_simulation *s, const syn_vec3 *before, const syn_vec3 *after, double *part,
                                 syn_error *error);
/* Returns whether there is a barrier, and the smallest reach of all. */
bool syn_sim_barrier_reach(const syn_simulation *s, double *reach_mm);
/* Before a step: computes the forces that are constant during it, in s->step_force. */
syn_status syn_sim_push_overlaps(syn_simulation *s, syn_error *error);
/* After a step: applies correction and look-ahead. */
syn_status syn_sim_correct(syn_simulation *s, syn_error *error);

/* ---- one step (integrate/) ---------------------------------------------------------------------------------------
 */

syn_status syn_step_explicit(syn_simulation *s, syn_error *error); /* explicit and symplectic Euler */
syn_status syn_step_rk4(syn_simulation *s, syn_error *error);
syn_status syn_step_newton(syn_simulation *s, syn_error *error); /* implicit Euler and equilibrium */
syn_status syn_step_positions(syn_simulation *s, syn_error *error);
/* Returns the number of parts of a step that XPBD needs; SYN_TOO_LARGE beyond a limit. */
syn_status syn_positions_parts(syn_simulation *s, uint32_t *parts, syn_error *error);
void syn_newton_destroy(syn_simulation *s);

#endif
