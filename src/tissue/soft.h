/* One soft body: nodes that carry its mass, and a model that computes the forces between them. Every model fills
 * this table. Integrators, contact, haptics and reports use nothing else.
 *
 * Units: mm, N, MPa, s, and tonnes (1000 kg) for masses, so that force = mass * acceleration needs no factor. */
#ifndef SYN_TISSUE_SOFT_H
#define SYN_TISSUE_SOFT_H

#include <synovia/tissue.h>

#include "base/memory.h"
#include "solve/block_matrix.h"

typedef struct syn_soft_model_info {
  const char *name;    /* "molecules", "vdm", "fem" */
  const char *summary; /* one sentence */
  bool needs_volume;   /* a body of tetrahedra; else a closed surface is enough */
  bool moves;          /* has forces at any position: may be stepped in time; else only equilibrium is solved */
} syn_soft_model_info;

/* Functions of a model. Arrays have one entry per node. A function that is NULL is not supported. */
typedef struct syn_soft_model {
  syn_soft_model_info info;
  /* Fills `soft`, which is zero but for context, model and options; after a failure syn_soft_destroy releases it. */
  syn_status (*create)(const syn_body *body, syn_soft *soft, syn_error *error);
  void (*destroy)(void *state);
  /* Adds the forces at positions x and velocities v (NULL: at rest) to f. */
  void (*force)(const void *state, const syn_vec3 *x, const syn_vec3 *v, syn_vec3 *f);
  /* Elastic energy, N mm; its negative gradient is `force` at rest. */
  double (*energy)(const void *state, const syn_vec3 *x);
  /* Writes -df/dx - per_s * df/dv into the blocks of soft->pattern; per_s is the change of a node's velocity per mm
   * (0: static; 1 / step in implicit steps). `definite`: every element's part is projected to be positive
   * semidefinite. */
  void (*stiffness)(const void *state, const syn_vec3 *x, double per_s, bool definite, double (*blocks)[9]);
  /* A part of -df/dx that couples all nodes, too wide for blocks: factor * row row^T. Returns the factor, 0 or more,
   * and writes the row. */
  double (*wide)(const void *state, const syn_vec3 *x, syn_vec3 *row);
  /* Called once for each accepted step with the positions at its end: materials with memory. */
  void (*advance)(void *state, const syn_vec3 *x, double step_s);
  /* One Gauss-Seidel sweep over the model's constraints by XPBD (Macklin et al. 2016, Eq. 18). lambda has
   * soft->constraint_count entries, zero at the start of a step. inverse_mass is 0 for prescribed nodes. */
  void (*project)(const void *state, double step_s, const double *inverse_mass, syn_vec3 *x, double *lambda);
  /* Cauchy stress (MPa) and strain at the nodes; either may be NULL. */
  void (*stress)(const void *state, const syn_vec3 *x, const syn_vec3 *v, syn_sym3 *stress, syn_sym3 *strain);
  /* As syn_soft_face_shares, added to zeros; NULL: a skin whose vertices are nodes is distributed to its corners. */
  syn_status (*face_shares)(const syn_soft *soft, const bool *chosen, double *areas, syn_vec3 *facing,
                            syn_error *error);
  /* State of the model between steps, for checkpoints; *count doubles. */
  double *(*history)(void *state, size_t *count);
} syn_soft_model;

struct syn_soft {
  const syn_context *context;
  const syn_soft_model *model;
  syn_soft_options options;
  syn_material material; /* complete: from options, body and tissue, in this order */
  void *state;
  uint32_t node_count;
  syn_vec3 *rest; /* positions without forces */
  double *mass;   /* lumped, tonnes */
  syn_pattern *pattern;
  double *consistent_mass; /* a scalar per block, which stands for its multiple of the identity; NULL: lumped */
  size_t constraint_count;
  /* Skin: vertex i is moved by the weighted displacements of nodes skin_nodes[skin_start[i] … skin_start[i + 1] -
   * 1]. Forces on the skin are distributed to the nodes with the same weights. */
  syn_trimesh *skin;
  uint32_t *skin_start, *skin_nodes;
  double *skin_weights;
  double *skin_value_weights; /* of the same nodes, for stress and strain on the skin; NULL: skin_weights */
};

/* Makes a soft body of `model`. `fill` creates it from `from`; NULL: the model's create, from the body. The material
 * comes from the options and the body, which may be NULL with `fill`. */
syn_status syn_soft_make(const syn_context *context, const syn_soft_model *model, const syn_body *body,
                         const syn_soft_options *options,
                         syn_status (*fill)(const void *from, syn_soft *soft, syn_error *error), const void *from,
                         syn_soft **soft, syn_error *error);

/* Returns SYN_BAD_ARGUMENT, with the owner's name, for constants that are missing or out of range. */
syn_status syn_soft_check_material(const syn_material *material, const char *name, syn_error *error);
/* Computes the share of each node in the surface at rest, over the faces all of whose nodes are chosen: the integral of
 * its shape function over them, mm2, and the same as a vector along the outward normal. A pressure p on these faces is
 * the force -p * facing on every node, and a traction t the force t * area: they add up to exactly what acts on the
 * faces, and are consistent with the elements (the corners of quadratic triangles get nothing). Zero for other nodes;
 * molecules lie inside the surface and have none. One entry per node in all arrays; the last two are overwritten. */
syn_status syn_soft_face_shares(const syn_soft *soft, const bool *chosen, double *areas_mm2, syn_vec3 *facing_mm2,
                                syn_error *error);
/* Adds scale * mass * a to f, with the consistent mass if there is one. */
void syn_soft_add_inertia(const syn_soft *soft, double scale, const syn_vec3 *a, syn_vec3 *f);
/* Returns the kinetic energy at these velocities, with the same mass. */
double syn_soft_kinetic(const syn_soft *soft, const syn_vec3 *v);
/* Sets a skin whose vertex i is node nodes[i]. Takes ownership of the mesh, also on failure. */
syn_status syn_soft_skin_of_nodes(syn_soft *soft, syn_trimesh *skin, const uint32_t *nodes, syn_error *error);
/* Allocates rest positions and masses of `node_count` nodes. */
syn_status syn_soft_alloc_nodes(syn_soft *soft, uint32_t node_count, syn_error *error);

enum { SYN_SOFT_MODELS = 3 };
extern const syn_soft_model *const syn_soft_models[SYN_SOFT_MODELS];
extern const syn_soft_model syn_model_molecules; /* Maciel 2005, §3.4 */
extern const syn_soft_model syn_model_vdm;       /* Sundaraj 2004, §3 */
extern const syn_soft_model syn_model_fem;       /* finite elements */

#endif
