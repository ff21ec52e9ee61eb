/* Two bodies of finite elements, or one and a rigid surface, in frictionless contact.
 *
 * Unknowns are the places of the free nodes and one more, the shift of the mobile frame, which stands for all nodes
 * that are bonded to it. Contact is mortar with segments (Puso and Laursen 2004): the pressure has a value at each
 * corner A of the slave surface,
 *   p_A = max(0, lambda_A - penalty_A g_A),   g_A = integral of Phi_A g / area of Phi_A at rest,
 * with the gap g along the normal of each slave face, and multipliers lambda that are improved until no overlap is left
 * (augmented Lagrangian). Integrals go over what faces the master; divided by the whole area, a corner of which only a
 * sliver does has a small say: over that sliver alone, its pressure would have to grow without limit to close a gap.
 * Forces come from the same integrals, so that they balance exactly. */
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

/* ---- faces: contact_faces.c
 * ------------------------------------------------------------------------------------------------
 */

typedef enum contact_kind { CONTACT_TRI3, CONTACT_QUAD4, CONTACT_TRI6, CONTACT_KINDS } contact_kind;

typedef struct contact_face {
  uint32_t node[CONTACT_NODES]; /* of all nodes of the contact; corners first */
  contact_kind kind;
} contact_face;

/* Faces are cut in the plane as convex facets; each knows where its corners lie in the face. */
typedef struct contact_shape {
  int corner_count, node_count;
  int facet_count, facet_corners;
  const uint8_t (*facets)[CONTACT_CORNERS];            /* nodes of the face */
  const double (*at)[2];                               /* local coordinates of the nodes */
  void (*values)(const double at[2], double *values);  /* of the nodes */
  void (*corners)(const double at[2], double *values); /* of the corners: what the pressure is interpolated by */
} contact_shape;
extern const contact_shape syn_contact_shapes[CONTACT_KINDS];

/* ---- cutting: polygon_clip.c
 * -----------------------------------------------------------------------------------------------
 */

typedef struct contact_point {
  double u, v;
} contact_point;
enum { CONTACT_POLYGON = 12 };

/* The part of polygon `a` inside `b`; both convex and counterclockwise. Returns the number of corners, 0 where they
 * do not overlap; out has CONTACT_POLYGON entries. */
int syn_contact_clip(const contact_point *a, int a_count, const contact_point *b, int b_count, contact_point *out);
/* Where a point lies in a facet, as weights of its three or four corners. Weights add up to 1. */
void syn_contact_locate(const contact_point *corners, int count, contact_point point, double weights[CONTACT_CORNERS]);

/* ---- constants ------------------------------------------------------------------------------------------------------
 */

/* Newton's method for contact. newton.h says how the ranges were found in which answers do not change. */
typedef struct contact_newton_options {
  newton_options search;
  uint32_t easy;          /* after so many iterations steps have all derivatives (GMRES). Range 2 to 20 */
  double exact_tolerance; /* of these steps: residual over load. Range 0.01 to 0.2 */
  /* Multipliers are augmented as soon as the residual is below this part of what they change the forces by. Range 0.01
   * to 0.1. */
  double augment;
  uint32_t
      active_share;     /* a factorisation is reused while one in so many active nodes came or went. Range 50 to 1000 */
  double longest_step;  /* over the reach of contact: surfaces must not lose sight of each other. Range 0.25 to 0.5 */
  uint32_t snap_effort; /* times as many iterations as for an ordinary step, for a snap-through. Range 3 to 10 */
  /* A body that bore its load and goes further than these parts of the thickness, in a step or in a snap-through, is on
   * its way out. Ranges 0.5 to 1 and 3 to 10. */
  double lost, lost_in_snap;
} contact_newton_options;
contact_newton_options syn_contact_newton_options(void);

/* ---- the contact ---------------------------------------------------------------------------------------------------
 */

typedef struct contact_side {
  const syn_soft *soft; /* NULL: rigid */
  syn_soft *shared;     /* the same, of which this process computes its share; NULL: it computes all */
  uint32_t first, node_count;
  bool moves;
  contact_face *faces;
  uint32_t face_count;
  double (*blocks)[9];   /* stiffness of the elements, in the frame of the meshes */
  bool blocks_are_known; /* of a linear law: for good */
  uint32_t *slots;       /* of each block, in the matrix of the contact; SYN_NONE: held */
} contact_side;

/* What a slave face contributes: integrals over its part that faces the master. */
typedef struct contact_slave_face {
  syn_vec3 normal;
  double own[CONTACT_CORNERS][CONTACT_NODES]; /* Phi_A N_B */
  double gap[CONTACT_CORNERS], area[CONTACT_CORNERS];
} contact_slave_face;

typedef struct contact_pair {
  uint32_t slave, master;                        /* faces */
  bool meets;                                    /* they overlap now */
  double across[CONTACT_CORNERS][CONTACT_NODES]; /* Phi_A M_l */
} contact_pair;

/* One row of the derivative of the weighted gaps: what the corner's gap changes by when unknowns move. */
typedef struct contact_row_entry {
  uint32_t unknown;
  syn_vec3 slope;
} contact_row_entry;

typedef struct contact_rows {
  size_t *start; /* slave's node_count + 1 */
  contact_row_entry *entries;
  size_t capacity;
} contact_rows;

/* What ranks send each other of the faces that each has cut: exchange_faces.c. */
typedef struct contact_message {
  char *mine, *all;
  size_t mine_capacity, all_capacity, *start; /* of each rank */
} contact_message;

/* Both bodies as they are at rest, and what follows from their shape: never changes. */
typedef struct contact_bodies {
  contact_side sides[2]; /* fixed, mobile */
  int slave;             /* which of them */
  uint32_t node_count;   /* of both */
  syn_vec3 *rest;
  uint8_t *prescribed; /* axes of each node that do not deform */
  uint32_t *unknown;   /* of each node; SYN_NONE: bonded to the fixed frame; `shift_unknown`: to the mobile one */
  uint32_t unknown_count, shift_unknown;
  double thickness_mm;                  /* of both bodies together */
  double foundation_mpa_mm;             /* of both as an elastic foundation */
  double plane_mpa;                     /* E / (1 - nu^2) of both together */
  double force_floor;                   /* N: residual by rounding */
  double *whole_area;                   /* mm2, of the faces around each node of the slave */
  uint32_t *faces_start, *faces_around; /* faces that have a node of the slave as corner */
} contact_bodies;

/* Contact as last evaluated: who faces whom, with which gap and pressure. Values are of the slave's nodes. */
typedef struct contact_surface {
  double reach_mm; /* surfaces further apart than that do not see each other; grows with the overlap, up to the
                      thickness */
  double near_mm;  /* nodes nearer than that have a place in the pattern of the matrix */
  double *lambda;  /* multipliers, MPa */
  double *penalty, *pressure, *gap, *area;           /* MPa / mm, MPa, mm, mm2 */
  double *foundation;                                /* MPa / mm: of the bodies while they are stiff; all the same */
  double *weight;                                    /* work */
  double *other_pressure, *other_gap, *other_weight; /* of the master's nodes: for reports */
  bool frozen;                                       /* faces are not cut again */
  bool keeps_active;  /* nodes bear pressure, or pull, as they did when the matrix was factorised */
  syn_box_tree *tree; /* of the master's faces */
  syn_vec3 *tree_at;  /* positions of the nodes when it was made, */
  syn_vec3 *searched; /* and when pairs were sought */
  bool pairs_are_known;
  contact_pair *pairs; /* by slave face: those of face s from first_pair[s] to first_pair[s + 1] */
  size_t pair_count, pair_capacity, *first_pair;
  contact_slave_face *slave_faces;
  contact_message message;
  contact_rows rows;
  uint32_t *stamp; /* of each unknown: where it is in the row */
  syn_vec3 *force; /* of contact on all nodes, N */
} contact_surface;

/* Where the bodies are now, at the last equilibrium, and at the one before. */
typedef struct contact_equilibrium {
  syn_contact_load load;
  syn_vec3 shift; /* of the mobile frame beyond the pose of the load */
  syn_vec3 *x;    /* of all nodes */
  syn_vec3 total; /* force on the mobile body */
  double residual;
  uint32_t iterations;
  bool seated;           /* has been in equilibrium before */
  bool snaps_through;    /* on its way to an equilibrium that need not be near */
  syn_vec3 active_shift; /* then: where anything bore pressure last */
  double snap_mm;
  /* The last equilibrium */
  syn_vec3 *kept_x, kept_shift;
  double *kept_lambda;
  syn_contact_load kept_load;
  /* The one before, in the frames of the meshes: step_prediction.c */
  syn_vec3 *before, before_shift;
  syn_contact_load before_load;
  bool has_before;
} contact_equilibrium;

/* The equations of one Newton step, and work of Newton's method. */
typedef struct contact_solver {
  syn_pattern *pattern;
  double (*blocks)[9];
  syn_system *system;
  bool solved; /* d is the solution for r */
  uint8_t factor_driven;
  uint32_t *owner, *node_owner; /* ranks that own unknowns and nodes; NULL: one process */
  syn_vec3 *positions;          /* of the unknowns, at rest */
  bool *factor_active;          /* the slave's nodes that bore pressure when the matrix was factorised */
  contact_newton_options newton;
  syn_anderson anderson;
  syn_gmres gmres;                                         /* steps with all derivatives, where they are hard */
  syn_vec3 *local, *force, *r, *next_r, *d, *step, *trial; /* one entry per node or unknown */
} contact_solver;

struct syn_contact_problem {
  const syn_context *context;
  syn_contact_options options;
  syn_arena arena; /* of all arrays whose size is known at first */
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

/* Which slave faces are near which master faces; called where nodes moved too far since the last time: face_search.c.
 */
syn_status syn_contact_search(syn_contact_problem *c, const syn_vec3 *x, syn_error *error);
/* Tree and pairs as they were made, from tree_at and searched. */
syn_status syn_contact_search_again(syn_contact_problem *c, syn_error *error);
/* Integrals, gaps and pressures at x: mortar_integrals.c. */
syn_status syn_contact_evaluate(syn_contact_problem *c, const syn_vec3 *x, syn_error *error);
/* Each rank cuts some of the slave's faces and gets what the others have found: exchange_faces.c. */
bool syn_contact_cuts(const syn_contact_problem *c, uint32_t slave_face); /* true in one process */
syn_status syn_contact_exchange_faces(syn_contact_problem *c, syn_error *error);
/* Pressures once more, from gaps that are known and multipliers that changed. */
void syn_contact_set_pressures(syn_contact_problem *c);
syn_vec3 syn_contact_face_normal(const contact_face *face, const syn_vec3 *x); /* outward; unit */
/* Adds the forces of contact, as evaluated, to those on the nodes. */
void syn_contact_add_forces(const syn_contact_problem *c, syn_vec3 *f);
/* The rows of corners that bear pressure, or nearly: gap_derivatives.c. */
syn_status syn_contact_make_rows(syn_contact_problem *c, double within_mm, syn_error *error);

/* Elastic forces on all nodes, overwritten; and the stiffness of a side: elastic_forces.c. */
syn_status syn_contact_elastic_forces(syn_contact_problem *c, const syn_vec3 *x, syn_vec3 *f, syn_error *error);
void syn_contact_elastic_stiffness(syn_contact_problem *c, contact_side *side, const syn_vec3 *x, bool definite);
/* Block k of that stiffness, in the common frame. */
void syn_contact_turned_block(const syn_contact_problem *c, const contact_side *side, size_t k, double block[9]);
/* Positions in the frame of the mesh, where laws that know no rotation hold. */
void syn_contact_local_positions(const syn_contact_problem *c, const contact_side *side, const syn_vec3 *x,
                                 syn_vec3 *local);

/* Fills and factorises the matrix at x, as evaluated: contact_matrix.c. */
syn_status syn_contact_factorize(syn_contact_problem *c, const syn_vec3 *x, syn_error *error);
void syn_contact_release_matrix(syn_contact_problem *c);
/* Goes on with a pattern that another contact problem of the same bodies had; takes it, also where that fails. */
syn_status syn_contact_take_pattern(syn_contact_problem *c, syn_pattern *pattern, syn_error *error);

/* Remembers the kept equilibrium before it is replaced, and starts a step as the motion went on until now where that
 * leaves less over: step_prediction.c. */
void syn_contact_remember(syn_contact_problem *c);
syn_status syn_contact_predict(syn_contact_problem *c, syn_error *error);

/* The equations in that matrix, solved by one process or by several ranks, and their shares: contact_system.c. */
syn_status syn_contact_share(syn_contact_problem *c, syn_error *error);
bool syn_contact_owns(const syn_contact_problem *c, uint32_t unknown); /* true in one process */
/* From now on `soft`, the elements of a side, computes this process's share of forces and stiffness. */
syn_status syn_contact_share_elements(syn_contact_problem *c, int side, syn_soft *soft, syn_error *error);
/* Shares by the pattern of the matrix, as soon as there is one: it knows where the bodies press on each other. */
syn_status syn_contact_share_pattern(syn_contact_problem *c, syn_error *error);
syn_status syn_contact_gather_forces(syn_contact_problem *c, syn_vec3 *f,
                                     syn_error *error); /* from the owners of nodes to all */
syn_status syn_contact_sum(const syn_contact_problem *c, double *value, syn_error *error); /* over the ranks */
syn_status syn_contact_make_system(syn_contact_problem *c, const uint8_t *held, syn_error *error);
bool syn_contact_has_system(const syn_contact_problem *c);
void syn_contact_release_system(syn_contact_problem *c);
/* SYN_NOT_CONVERGED where the matrix is not definite. */
syn_status syn_contact_update_system(syn_contact_problem *c, syn_error *error);
syn_status syn_contact_solve_system(syn_contact_problem *c, syn_error *error); /* for r, into d */

/* The same with the derivatives that the matrix leaves out, down to a part `tolerance` of r where that is possible:
 * exact_step.c. The contact is no longer evaluated at x. */
syn_status syn_contact_solve_exactly(syn_contact_problem *c, double tolerance, syn_error *error);

/* An equilibrium with all that the next one depends on, for a run that is continued: contact_state.c. A contact problem
 * of the same bodies goes on from there with the same bits. SYN_BAD_FORMAT where the bytes are of other bodies. */
void syn_contact_write_state(const syn_contact_problem *c, FILE *to);
syn_status syn_contact_read_state(syn_contact_problem *c, const char *bytes, size_t size, syn_error *error);

/* Newton's method at the load as it is, and the residual at x: contact_newton.c. */
syn_status syn_contact_find_equilibrium(syn_contact_problem *c, syn_error *error);
syn_status syn_contact_residual(syn_contact_problem *c, const syn_vec3 *x, syn_vec3 *r, syn_error *error);
/* Moves the mobile body until an elastic foundation would bear the force: first_touch.c. */
syn_status syn_contact_seat(syn_contact_problem *c, syn_error *error);
/* Both bodies as they are at rest, with the mobile one in its place. */
void syn_contact_place_stiff(const syn_contact_problem *c, syn_vec3 *x);
/* Places bonded nodes, for a load and a shift. */
void syn_contact_place_bonded(const syn_contact_problem *c, syn_vec3 *x);

#endif
