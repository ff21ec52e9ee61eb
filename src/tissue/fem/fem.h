/* A body of finite elements of one kind and one law. See element.h and law.h for the parts.
 *
 * Nearly incompressible tissue: the bulk modulus acts on the mean dilatation of each hexahedron (B-bar for the linear
 * law, Hughes 1980; mean dilatation for the others, Simo et al. 1985). In quadratic tetrahedra a mean costs an order of
 * accuracy where nothing would lock: the bulk modulus up to that of Poisson's ratio 0.3 acts at every point, and only
 * the excess on the mean. Linear tetrahedra have one point and lock. */
#ifndef SYN_TISSUE_FEM_H
#define SYN_TISSUE_FEM_H

#include "tissue/fem/element.h"
#include "tissue/fem/law.h"
#include "tissue/soft.h"

enum { FEM_LANES = 4 };

/* Four linear tetrahedra in lanes. Lanes after the last element have volume 0. */
typedef struct fem_tets {
  double inverse[9][FEM_LANES]; /* of the matrix whose columns are the edges from node 0 at rest */
  double volume[FEM_LANES];
  uint32_t node[4][FEM_LANES];
} fem_tets;

typedef struct fem_state {
  const syn_context *context;
  const fem_element *element;
  fem_law *law;
  syn_law law_name;
  fem_material material;
  fem_material *materials; /* of each element; NULL: all have `material` */
  double damping_per_s, damping_s, relaxing_part, relaxing_s;
  uint32_t node_count, element_count;
  uint32_t *nodes;     /* element->node_count for each element */
  double *gradients;   /* dN/dX: [element][point][node][3] */
  double *weights;     /* volume of each point: [element][point] */
  double *node_volume; /* of the elements around each node together */
  uint32_t *slots;     /* blocks of the pairs (a, b), a <= b: [element][n (n + 1) / 2] */
  fem_tets *tets;      /* linear tetrahedra once more, for the force loop; NULL for other elements */
  double *relaxed;     /* stress that has relaxed, [element][point][6], as syn_sym3; NULL: the material has no memory */
  const syn_pattern *pattern;
  uint32_t *chosen; /* elements whose forces and stiffness are computed, chosen_count of them; NULL: all */
  uint32_t chosen_count;
  const syn_soft *soft; /* the body with this state */
} fem_state;

static inline const fem_material *fem_material_of(const fem_state *fem, uint32_t element) {
  return fem->materials ? &fem->materials[element] : &fem->material;
}
static inline const uint32_t *fem_nodes_of(const fem_state *fem, uint32_t element) {
  return fem->nodes + (size_t)element * (size_t)fem->element->node_count;
}
/* Batches of linear tetrahedra: an even number. */
static inline size_t fem_batches(const fem_state *fem) {
  return 2 * (((size_t)fem->element_count + 2 * FEM_LANES - 1) / (2 * FEM_LANES));
}
static inline size_t fem_point(const fem_state *fem, uint32_t element, int point) {
  return (size_t)element * (size_t)fem->element->point_count + (size_t)point;
}
static inline const double (*fem_gradients_at(const fem_state *fem, uint32_t element, int point))[3] {
  return (const double(*)[3])(fem->gradients + 3 * (size_t)fem->element->node_count * fem_point(fem, element, point));
}

/* Count of elements whose forces and stiffness are computed. */
static inline uint32_t fem_counted(const fem_state *fem) {
  return fem->chosen ? fem->chosen_count : fem->element_count;
}
static inline uint32_t fem_counted_at(const fem_state *fem, uint32_t n) { return fem->chosen ? fem->chosen[n] : n; }
/* Restricts forces and stiffness to elements with a node for which wanted(user, node) holds: complete for these
 * nodes. Linear tetrahedra may continue to compute all. */
syn_status syn_fem_choose(syn_soft *soft, bool (*wanted)(const void *user, uint32_t node), const void *user,
                          syn_error *error);

/* Adds a barrier against complete compression to neo-Hookean tissue between two bones, as law.h describes: choose.c.
 * Not for linear tetrahedra. */
void syn_fem_add_barriers(syn_soft *soft);
/* Returns the count of elements that are so compressed at some point that the barrier acts. */
uint32_t syn_fem_squeezed(const syn_soft *soft, const syn_vec3 *x);

/* ---- making one: fem_mesh.c, fem_skin.c, mass.c, tets.c ------------------------------------------------------------
 */

/* Fills nodes, gradients, weights, rest positions; mirrors meshes that are inverted as a whole. */
syn_status syn_fem_take_mesh(syn_soft *soft, fem_state *fem, const syn_fem_mesh *mesh, syn_error *error);
/* Adds nodes on the edges of linear tetrahedra; *quadratic is in the arena. */
syn_status syn_fem_make_quadratic(syn_arena *arena, const syn_fem_mesh *linear, syn_fem_mesh *quadratic,
                                  syn_error *error);
/* Finds the blocks of the stiffness, and those to which each element adds. */
syn_status syn_fem_make_pattern(syn_soft *soft, fem_state *fem, syn_error *error);
/* outer[i]: face i, of element i / faces per element, is the only one with its corners. In the arena. */
syn_status syn_fem_find_outer(const fem_state *fem, syn_arena *work, bool **outer, syn_error *error);
syn_status syn_fem_face_shares(const syn_soft *soft, const bool *chosen, double *areas, syn_vec3 *facing,
                               syn_error *error);
syn_status syn_fem_make_skin(syn_soft *soft, const fem_state *fem, syn_error *error);
/* Densities are those of the mesh's materials, or of the body's where they are NULL. */
syn_status syn_fem_make_mass(syn_soft *soft, fem_state *fem, const syn_material *materials, syn_error *error);
syn_status syn_fem_make_tets(fem_state *fem, syn_error *error);

/* ---- one element: point.c ------------------------------------------------------------------------------------------
 */

/* State of an element at its points. */
typedef struct fem_work {
  const fem_material *material;
  double x[FEM_NODES][3], v[FEM_NODES][3]; /* relative to the first node */
  double f[FEM_POINTS][9];                 /* deformation gradients */
  double rate[FEM_POINTS][9];              /* and its rate; only with viscous stress */
  fem_response at[FEM_POINTS];
  double mean;                 /* dilatation of the whole element */
  double pressure[FEM_POINTS]; /* MPa, positive in tension; including its viscous part */
  double volume;
} fem_work;

/* Computes the state at all points; v may be NULL: at rest. */
void syn_fem_evaluate(const fem_state *fem, uint32_t element, const syn_vec3 *x, const syn_vec3 *v, fem_depth depth,
                      fem_work *work);
/* First Piola-Kirchhoff stress at a point: elastic alone, or with its relaxed and viscous parts. */
void syn_fem_elastic_stress(const fem_work *work, int point, double stress[9]);
void syn_fem_whole_stress(const fem_state *fem, const fem_work *work, uint32_t element, int point, bool moving,
                          double stress[9]);

/* ---- what a soft body offers: fem_force.c, stiffness.c, recover.c, fem_memory.c, constraints.c ----------------------
 */

void syn_fem_force(const void *state, const syn_vec3 *x, const syn_vec3 *v, syn_vec3 *f);
double syn_fem_energy(const void *state, const syn_vec3 *x);
void syn_fem_stiffness(const void *state, const syn_vec3 *x, double per_s, bool definite, double (*blocks)[9]);
void syn_fem_stress(const void *state, const syn_vec3 *x, const syn_vec3 *v, syn_sym3 *stress, syn_sym3 *strain);
void syn_fem_advance(void *state, const syn_vec3 *x, double step_s);
double *syn_fem_history(void *state, size_t *count);
void syn_fem_project(const void *state, double step_s, const double *inverse_mass, syn_vec3 *x, double *lambda);
uint32_t syn_fem_constraints_per_tet(const fem_state *fem);

/* The stiffness of one element: of[a][i][k][b] for nodes a <= b and axes i, k. */
enum { FEM_COLUMNS = 12 };
typedef struct fem_matrix {
  double of[FEM_NODES][3][3][FEM_COLUMNS];
} fem_matrix;
/* Adds the stiffness of one point. */
void syn_fem_add_point_portable(const double tangent[9][9], const double (*gradients)[3], double weight, int n,
                                fem_matrix *matrix);
void syn_fem_add_point_avx2(const double tangent[9][9], const double (*gradients)[3], double weight, int n,
                            fem_matrix *matrix);

/* Makes a symmetric matrix positive semidefinite: replaces negative eigenvalues by their absolute values. */
void syn_fem_make_definite(double matrix[9][9]);

/* Forces of linear tetrahedra at rest, without memory; adds to f. */
void syn_fem_tets_force(const fem_state *fem, const syn_vec3 *x, syn_vec3 *f);
void syn_fem_tets_force_portable(const fem_state *fem, const syn_vec3 *x, syn_vec3 *f);
void syn_fem_tets_force_avx2(const fem_state *fem, const syn_vec3 *x, syn_vec3 *f);

#endif
