/* Two bodies of finite elements, or one and a rigid surface, in frictionless contact.
 *
 * Unknowns are the positions of the free nodes and the shift of the mobile frame, which all nodes bonded to it share.
 * Contact is mortar with segments (Puso and Laursen 2004): the pressure has a value at each node A of the slave
 * surface,
 *   p_A = max(0, lambda_A - penalty_A g_A),   g_A = integral of Phi_A g / area of Phi_A at rest,
 * with the gap g along the normal of each slave face, and multipliers lambda that are augmented until the overlap is
 * below the tolerance (augmented Lagrangian). Integrals extend over the part that faces the master and are divided by
 * the whole area, so that a node of which only a sliver faces the master has a small weight: over that sliver alone,
 * its pressure would have to grow without bound to close a gap. Forces come from the same integrals, so that they
 * balance exactly. */
#ifndef SYN_PRESSURE_CONTACT_H
#define SYN_PRESSURE_CONTACT_H

#include <stdio.h>

#include <synovia/pressure.h>

#include "base/memory.h"
#include "mesh/tree/box_tree.h"
#include "solve/block_matrix.h"
#include "solve/gmres.h"
#include "solve/newton.h"
#include "solve/ranks.h"
#include "tissue/soft.h"

enum { CONTACT_CORNERS = 4, CONTACT_NODES = 6, CONTACT_PENALTY = 20 };

/* ---- faces: mortar_integrals.c ---------------------------------------------------------------------------------- */

typedef enum contact_kind { CONTACT_TRI3, CONTACT_QUAD4, CONTACT_TRI6, CONTACT_KINDS } contact_kind;

typedef struct contact_face {
  uint32_t node[CONTACT_NODES]; /* of all nodes of the contact; corners first */
  contact_kind kind;
} contact_face;

/* Faces are cut in the plane as convex facets. A shape has the local coordinates of its nodes. */
typedef struct contact_shape {
  int corner_count, node_count;
  int facet_count, facet_corners;
  const uint8_t (*facets)[CONTACT_CORNERS];            /* nodes of the face */
  const double (*at)[2];                               /* local coordinates of the nodes */
  void (*values)(const double at[2], double *values);  /* of the nodes */
  void (*corners)(const double at[2], double *values); /* of the corners: they interpolate the pressure */
} contact_shape;
extern const contact_shape syn_contact_shapes[CONTACT_KINDS];

/* ---- cutting: mortar_integrals.c -------------------------------------------------------------------------------- */

typedef struct contact_point {
  double u, v;
} contact_point;
enum { CONTACT_POLYGON = 12 };

/* Clips polygon `a` by `b`; both are convex and counterclockwise. Returns the number of vertices, 0 if they do not
 * overlap; out has CONTACT_POLYGON entries. */
int syn_contact_clip(const contact_point *a, int a_count, const contact_point *b, int b_count, contact_point *out);
/* Computes the position of a point in a facet, as weights of its three or four corners. Weights add up to 1. */
void syn_contact_locate(const contact_point *corners, int count, contact_point point, double weights[CONTACT_CORNERS]);

/* ---- constants ------------------------------------------------------------------------------------------------------
 */

/* Options of Newton's method for contact. newton.h says how the ranges were found in which answers do not change. */
typedef struct contact_newton_options {
  newton_options search;
  uint32_t easy; /* iterations with the factorised matrix; later ones use all derivatives (GMRES). Range 2 to 20 */
  double exact_tolerance; /* tolerance of GMRES: residual over load. Range 0.01 to 0.2 */
  /* Multipliers are augmented once the residual, relative to the contact forces, is below this times the relative
   * change of the multipliers. Range 0.01 to 0.1. */
  double augment;
  uint32_t active_share; /* a factorisation is reused while at most 1 / active_share of the active nodes change. Range
                            50 to 1000 */
  double longest_step; /* largest step over the contact search radius: beyond it faces would miss each other. Range 0.25
                          to 0.5 */
  uint32_t snap_effort; /* factor on the maximum iteration count for a snap-through. Range 3 to 10 */
  /* Loss of contact: a body that was in contact moved further than these parts of the thickness, in a step or in a
   * snap-through. Ranges 0.5 to 1 and 3 to 10. */
  double lost, lost_in_snap;
} contact_newton_options;
contact_newton_options syn_contact_newton_options(void);

/* ---- the contact ---------------------------------------------------------------------------------------------------
 */

typedef struct contact_side {
  const syn_soft *soft; /* NULL: rigid */
  syn_soft *shared;     /* the same, of which this process computes its share; NULL: it computes all elements */
  uint32_t first, node_count;
  bool moves;
  contact_face *faces;
  uint32_t face_count;
  double (*blocks)[9];   /* stiffness of the elements, in the frame of the meshes */
  bool blocks_are_known; /* constant stiffness, of a linear law */
  uint32_t *slots;       /* of each block, in the matrix of the contact problem; SYN_NONE: prescribed */
} contact_side;

/* Contribution of a slave face: integrals over the part of it that faces the master. */
typedef struct contact_slave_face {
  syn_vec3 normal;
  double own[CONTACT_CORNERS][CONTACT_NODES]; /* Phi_A N_B */
  double gap[CONTACT_CORNERS], area[CONTACT_CORNERS];
} contact_slave_face;

typedef struct contact_pair {
  uint32_t slave, master;                        /* faces */
  bool meets;                                    /* they overlap at present */
  double across[CONTACT_CORNERS][CONTACT_NODES]; /* Phi_A M_l */
} contact_pair;

/* An entry in a row of the derivative of the weighted gaps: the change of a node's gap with an unknown. */
typedef struct contact_row_entry {
  uint32_t unknown;
  syn_vec3 slope;
} contact_row_entry;

typedef struct contact_rows {
  size_t *start; /* slave's node_count + 1 */
  contact_row_entry *entries;
  size_t capacity;
} contact_rows;

/* Integrals that ranks exchange for the faces that each has cut: face_search.c. */
typedef struct contact_message {
  char *mine, *all;
  size_t mine_capacity, all_capacity, *start; /* of each rank */
} contact_message;

/* Both bodies at rest, and what follows from their shape. Constant. */
typedef struct contact_bodies {
  contact_side sides[2]; /* fixed, mobile */
  int slave;             /* index of the slave */
  uint32_t node_count;   /* of both */
  syn_vec3 *rest;
  uint8_t *prescribed; /* axes of each node with a prescribed displacement */
  uint32_t *unknown;   /* of each node; SYN_NONE: bonded to the fixed frame; `shift_unknown`: to the mobile one */
  uint32_t unknown_count, shift_unknown;
  double thickness_mm;                  /* of both bodies together */
  double foundation_mpa_mm;             /* stiffness of both as an elastic foundation */
  double plane_mpa;                     /* E / (1 - nu^2) of both together */
  double force_floor;                   /* N: residual from rounding errors */
  double *whole_area;                   /* mm2, of the faces around each node of the slave */
  uint32_t *faces_start, *faces_around; /* faces that have a node of the slave as vertex */
} contact_bodies;

/* Contact as last evaluated: pairs of faces, gaps and pressures. Values are of the slave's nodes. */
typedef struct contact_surface {
  double reach_mm; /* contact search radius: faces further apart are ignored; grows with the overlap, up to the
                      thickness */
  double near_mm;  /* nodes with a smaller gap have entries in the pattern of the matrix */
  double *lambda;  /* multipliers, MPa */
  double *penalty, *pressure, *gap, *area; /* MPa / mm, MPa, mm, mm2 */
  double *foundation; /* MPa / mm: of the bodies while they move rigidly; one value for all nodes */
  double *weight;     /* work */
  double *other_pressure, *other_gap, *other_weight; /* of the master's nodes: for reports */
  bool frozen;                                       /* faces are not cut again */
  bool keeps_active;  /* the active set stays that of the factorisation, also where pressures become negative */
  syn_box_tree *tree; /* of the master's faces */
  syn_vec3 *tree_at;  /* positions of the nodes when the tree was built, */
  syn_vec3 *searched; /* and at the last search for pairs */
  bool pairs_are_known;
  contact_pair *pairs; /* by slave face: those of face s from first_pair[s] to first_pair[s + 1] */
  size_t pair_count, pair_capacity, *first_pair;
  contact_slave_face *slave_faces;
  contact_message message;
  contact_rows rows;
  uint32_t *stamp; /* of each unknown: its index in the row */
  syn_vec3 *force; /* of contact on all nodes, N */
} contact_surface;

/* Positions of the bodies now, at the last equilibrium, and at the one before. */
typedef struct contact_equilibrium {
  syn_load_step load;
  syn_vec3 shift; /* of the mobile frame beyond the pose of the load */
  syn_vec3 *x;    /* of all nodes */
  syn_vec3 total; /* force on the mobile body */
  double residual;
  uint32_t iterations;
  bool seated;           /* an equilibrium has been found before */
  bool snaps_through;    /* moving to an equilibrium that may be far away */
  syn_vec3 active_shift; /* in a snap-through: the shift at which any node was active last */
  double snap_mm;
  /* The last equilibrium */
  syn_vec3 *kept_x, kept_shift;
  double *kept_lambda;
  syn_load_step kept_load;
  /* The one before, in the frames of the meshes: load_steps.c */
  syn_vec3 *before, before_shift;
  syn_load_step before_load;
  bool has_before;
} contact_equilibrium;

/* The linear system of a Newton step, and buffers of Newton's method. */
typedef struct contact_solver {
  syn_pattern *pattern;
  double (*blocks)[9];
  syn_system *system;
  bool solved; /* d is the solution for r */
  uint8_t factor_driven;
  uint32_t *owner, *node_owner; /* ranks that own unknowns and nodes; NULL: one process */
  syn_vec3 *positions;          /* of the unknowns, at rest */
  bool *factor_active;          /* the slave's nodes that were active when the matrix was factorised */
  contact_newton_options newton;
  syn_anderson anderson;
  syn_gmres gmres; /* Newton steps with all derivatives, where convergence is slow */
  syn_vec3 *local, *force, *r, *next_r, *d, *step, *trial; /* one entry per node or unknown */
} contact_solver;

struct syn_contact_problem {
  const syn_context *context;
  syn_contact_options options;
  syn_arena arena; /* of all arrays of constant size */
  contact_bodies bodies;
  contact_surface contact;
  contact_equilibrium equilibrium;
  contact_solver solver;
};

static inline const contact_side *contact_slave(const syn_contact_problem *c) {
  return &c->bodies.sides[c->bodies.slave];
}
static inline const contact_side *contact_master(const syn_contact_problem *c) {
  return &c->bodies.sides[1 - c->bodies.slave];
}

/* Finds the slave faces that are near master faces, if nodes have moved too far since the last search:
 * face_search.c. */
syn_status syn_contact_search(syn_contact_problem *c, const syn_vec3 *x, syn_error *error);
/* Rebuilds the tree and the pairs from the stored positions tree_at and searched. */
syn_status syn_contact_search_again(syn_contact_problem *c, syn_error *error);
/* Computes integrals, gaps and pressures at x: mortar_integrals.c. */
syn_status syn_contact_evaluate(syn_contact_problem *c, const syn_vec3 *x, syn_error *error);
/* Each rank cuts some of the slave's faces and receives the integrals of the others: face_search.c. */
bool syn_contact_cuts(const syn_contact_problem *c, uint32_t slave_face); /* true in one process */
syn_status syn_contact_exchange_faces(syn_contact_problem *c, syn_error *error);
/* Computes pressures again, from known gaps and changed multipliers. */
void syn_contact_set_pressures(syn_contact_problem *c);
syn_vec3 syn_contact_face_normal(const contact_face *face, const syn_vec3 *x); /* outward; unit */
/* Adds the contact forces, as evaluated, to `f`. */
void syn_contact_add_forces(const syn_contact_problem *c, syn_vec3 *f);

/* Computes the elastic forces on all nodes (overwritten), and the stiffness of a side: contact_newton.c. */
syn_status syn_contact_elastic_forces(syn_contact_problem *c, const syn_vec3 *x, syn_vec3 *f, syn_error *error);
void syn_contact_elastic_stiffness(syn_contact_problem *c, contact_side *side, const syn_vec3 *x, bool definite);
/* Returns block k of that stiffness, rotated into the common frame. */
void syn_contact_turned_block(const syn_contact_problem *c, const contact_side *side, size_t k, double block[9]);
/* Computes positions in the frame of the mesh, in which laws for small rotations hold. */
void syn_contact_local_positions(const syn_contact_problem *c, const contact_side *side, const syn_vec3 *x,
                                 syn_vec3 *local);

/* Assembles and factorises the matrix at x, as evaluated: contact_matrix.c. */
syn_status syn_contact_factorize(syn_contact_problem *c, const syn_vec3 *x, syn_error *error);
void syn_contact_release_matrix(syn_contact_problem *c);
/* Reuses the pattern of another contact problem of the same bodies; takes ownership, also on failure. */
syn_status syn_contact_take_pattern(syn_contact_problem *c, syn_pattern *pattern, syn_error *error);

/* The linear system, solved by one process or by several ranks, and the partition of its unknowns: contact_matrix.c. */
syn_status syn_contact_share(syn_contact_problem *c, syn_error *error);
/* Replaces the elements of a side by `soft`, which computes this process's share of forces and stiffness. */
syn_status syn_contact_share_elements(syn_contact_problem *c, int side, syn_soft *soft, syn_error *error);
syn_status syn_contact_gather_forces(syn_contact_problem *c, syn_vec3 *f,
                                     syn_error *error); /* from the owners of nodes to all */
syn_status syn_contact_sum(const syn_contact_problem *c, double *value, syn_error *error); /* over the ranks */
syn_status syn_contact_solve_system(syn_contact_problem *c, syn_error *error); /* right-hand side r, solution d */

/* Solves with all derivatives, including those that the matrix omits, to the relative residual `tolerance` if
 * possible: contact_newton.c. The contact is no longer evaluated at x. */
syn_status syn_contact_solve_exactly(syn_contact_problem *c, double tolerance, syn_error *error);

/* Measures the slave's pressure: peak, mean, area, resultant and centre of all faces and of those of each part, of
 * which part_of has one for each face, below part_count; NULL: all are of part 0. Does not set stresses:
 * contact_problem.c. */
void syn_contact_measure(const syn_contact_problem *c, const uint8_t *part_of, uint32_t part_count,
                         syn_pressure_part *total, syn_pressure_part *parts);

/* Writes and reads an equilibrium with all that the next one depends on, for a run that is resumed: contact_problem.c.
 * A contact problem of the same bodies continues from there with bit-identical results. SYN_BAD_FORMAT if the state
 * is of other bodies. */
void syn_contact_write_state(const syn_contact_problem *c, FILE *to);
syn_status syn_contact_read_state(syn_contact_problem *c, const char *bytes, size_t size, syn_error *error);

/* Solves for equilibrium at the present load by Newton's method, and computes the residual at x: contact_newton.c. */
syn_status syn_contact_find_equilibrium(syn_contact_problem *c, syn_error *error);
syn_status syn_contact_residual(syn_contact_problem *c, const syn_vec3 *x, syn_vec3 *r, syn_error *error);

#endif
