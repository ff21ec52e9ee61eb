/* The state of a body of the volume distribution method (Sundaraj 2004, §3).
 *
 * With w_i = A_i L_i the printed equations, each times V_i, read
 *   B_i w_i + sum_j B_ij (w_i - w_j) = V_i (p n_i + d g h_i n_i + t_i).
 * The left side does not depend on the shape: a matrix S, symmetric and positive definite, a weighted Laplacian of the
 * mesh's edges plus a diagonal. x, y and z have the same edges and only the pressure couples them: one unknown beside
 * S.
 */
#ifndef SYN_TISSUE_VDM_VDM_H
#define SYN_TISSUE_VDM_VDM_H

#include <synovia/tissue.h>

#include "base/memory.h"
#include "tissue/soft.h"

/* One number per direction. The fourth stays 0: four fill a register. */
typedef struct syn_lanes {
  double v[4];
} syn_lanes;

/* Areas and normals of a shape. */
typedef struct syn_vdm_shape {
  double *area;     /* A_i, a third of the triangles around (Eq. 3.1) */
  syn_vec3 *vector; /* a third of their vectors: derivative of the volume by the node's position */
  double total_area, volume;
} syn_vdm_shape;

/* S over groups of nodes that infinite B_ij couple rigidly; without any every group is one node. */
typedef struct syn_vdm_system {
  uint32_t group_count;
  uint32_t *group;     /* of each node */
  uint32_t *start;     /* group_count + 1 offsets into columns and weights */
  uint32_t *columns;   /* neighbours of each group */
  double *weights;     /* B_ij > 0 between them */
  syn_lanes *diagonal; /* B_i + sum of the weights */
  syn_lanes *scale;    /* 1 / diagonal, 0 where that is 0 */
  uint8_t *held;       /* bit c: w is known in direction c */
  syn_lanes *free;     /* 0 if it is, else 1 */
} syn_vdm_system;

typedef struct syn_vdm {
  syn_soft *soft;
  syn_arena memory; /* of all arrays */
  uint32_t node_count, pair_count, triangle_count;
  const syn_triangle *triangles;
  const uint32_t (*pairs)[2];
  double *connectivity; /* B_ij of each pair */
  syn_vec3 *bulk;       /* B_i in each direction */
  double density;       /* t/mm3 */
  syn_vec3 gravity;
  uint8_t (*constraint)[3]; /* syn_vdm_constraint of each node and direction */
  syn_vec3 *value;
  syn_vdm_shape rest, now, trial; /* trial: of the last trial shape */
  double pressure;                /* of the last solution */
  syn_vdm_system system;
  bool stale;                      /* moduli have changed: S must be assembled */
  bool soft_nodes;                 /* some B_i are 0 */
  syn_lanes *load, *spread;        /* S^-1 of loads and of the pressure's direction */
  syn_lanes *right, *work[3];      /* right sides, and vectors of BiCG */
  uint32_t *seen, *stack;          /* for traversals of groups */
  syn_vec3 *x, *net;               /* last solution; net changes of volume */
  bool direct;                     /* BiCG takes longer than the kept factorisation */
  struct syn_vdm_inverse *inverse; /* NULL before the first linear or quasi-linear solution */
  uint32_t factorisations;
} syn_vdm;

/* vdm_model.c */
/* SYN_BAD_ARGUMENT for a body of another model. */
syn_status syn_vdm_of(const syn_soft *soft, syn_vdm **vdm, syn_error *error);
/* Neighbours: the two nodes of every edge of the mesh, in the order of syn_topology. Lives as long as the body. */
const uint32_t (*syn_vdm_pairs(const syn_soft *soft, uint32_t *count))[2];
/* Stress of Eq. 3.29 at every node in x, y and z, MPa, while the nodes are at x. syn_soft_stress has the same numbers
 * on the diagonal of a tensor. For infinite B it is the reaction pressure at the node. */
void syn_vdm_stress(const syn_soft *soft, const syn_vec3 *x, syn_vec3 *stress_mpa);

void syn_vdm_measure(const syn_vdm *vdm, const syn_vec3 *x, syn_vdm_shape *shape);
/* n_i; zero where the triangles around cancel. */
syn_vec3 syn_vdm_normal(const syn_vdm_shape *shape, uint32_t node);
/* Returns the weight of a mm3 of the fluid. d g h_i of a node at x_i is the product of x_i with it, minus *top. */
syn_vec3 syn_vdm_weight(const syn_vdm *vdm, const syn_vec3 *x, double *top);

/* vdm_system.c */
void syn_vdm_assemble(syn_vdm *vdm);
/* Finds the prescribed groups, and their values of w at the areas of `shape`. */
syn_status syn_vdm_hold(syn_vdm *vdm, const syn_vdm_shape *shape, syn_lanes *w, syn_error *error);
/* y = S x */
void syn_vdm_multiply(const syn_vdm_system *system, const syn_lanes *x, syn_lanes *y);

/* inverse.c */
/* Factorises for the present prescribed unknowns, unless the kept factorisation can be used. `follow`: additional
 * ones are included by Sherman and Morrison's formula, if they are few; *updates is their number. */
syn_status syn_vdm_inverse_prepare(syn_vdm *vdm, bool follow, uint32_t *updates, syn_error *error);
/* Solves S x = b for the free unknowns; x has the values of the prescribed ones. */
syn_status syn_vdm_inverse_apply(syn_vdm *vdm, const syn_lanes *b, syn_lanes *x, syn_error *error);
void syn_vdm_inverse_drop(syn_vdm *vdm);

#endif
