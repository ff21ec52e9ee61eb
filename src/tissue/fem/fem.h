/* Finite elements: elements, material laws, and bodies of one kind of element and one law. */
#ifndef SYN_TISSUE_FEM_H
#define SYN_TISSUE_FEM_H

#include <synovia/tissue.h>

#include "tissue/soft.h"

/* ==== elements ==================================================================================================== */

/* Elements: positions of their nodes, shape functions, and integration points. Local coordinates: a tetrahedron has
 * its corners at 0 and the three unit vectors, a hexahedron at -1 and 1. */

enum { FEM_NODES = 10, FEM_POINTS = 8, FEM_FACE_NODES = 6 };

/* A point of integration: local coordinates and weight; the weights add up to the local volume. */
typedef struct fem_quadrature {
  double at[3], weight;
} fem_quadrature;

typedef struct fem_element {
  int node_count, point_count, mass_point_count;
  const fem_quadrature *points;      /* of energy and force */
  const fem_quadrature *mass_points; /* of products of two shape functions */
  /* Shape functions and their derivatives by the local coordinates, either may be NULL. */
  void (*shape)(const double at[3], double *values, double (*slopes)[3]);
  int corner_count;
  const double (*corners)[3]; /* local coordinates of all nodes */
  /* Faces, outward: corners first, then nodes on the edges in the order of the corners they follow. */
  int face_count, face_corners, face_nodes;
  const uint8_t (*faces)[FEM_FACE_NODES];
  /* A face as triangles of the skin, of its nodes. */
  int face_triangles;
  const uint8_t (*triangles)[3];
} fem_element;

extern const fem_element syn_fem_elements[SYN_ELEMENTS];

/* Computes dN/dX at one point from the positions at rest; returns the determinant of the map. */
double syn_fem_gradients(const fem_element *element, const double at[3], const double (*rest)[3],
                         double (*gradients)[3]);

/* ==== material laws =============================================================================================== */

/* Materials at one point of an element: what the deformation gradient F (row by row, F[3 i + j] = dx_i / dX_j) costs.
 *
 * Every law splits its energy per volume at rest into two parts:
 *   psi(F) = shape(F) + bulk / 2 * dilatation(F)^2,
 * so that elements can replace the dilatation by its mean over the element, and nearly incompressible tissue does not
 * lock. For small strains every law is Hooke's: shape = mu |dev e|^2, dilatation = trace e, bulk = lambda + 2/3 mu. */

typedef struct fem_material {
  double mu, lambda, bulk;     /* MPa */
  double bulk_here, bulk_mean; /* parts of the bulk modulus: at each point, and on the mean over the element */
  double barrier;              /* MPa: keeps neo-Hookean tissue from complete compression; 0: no barrier */
  double fibre[3];             /* unit direction at rest; zero: no fibres */
  double fibre_mpa;            /* contribution of the fibres to Young's modulus along them */
} fem_material;

/* Depth of a response: each level includes the ones before. */
typedef enum fem_depth { FEM_ENERGY, FEM_STRESS, FEM_TANGENT } fem_depth;

typedef struct fem_response {
  double energy;        /* of the shape alone, MPa */
  double stress[9];     /* its derivative by F: first Piola-Kirchhoff stress */
  double tangent[9][9]; /* and the second derivative */
  double dilatation;    /* theta, */
  double gradient[9];   /* its derivative by F, */
  double hessian[9][9]; /* and the second derivative */
  bool small;           /* small displacements: F counts as the identity where stresses are converted */
} fem_response;

/* Volume, relative to that at rest, below which the barrier acts. */
#define FEM_SQUEEZED 0.4

typedef void fem_law(const fem_material *material, const double f[9], fem_depth depth, fem_response *response);

/* Returns the strain of the fibres, and its derivative by F; fibres are taut if it is not negative. */
double syn_fem_fibre_strain(const fem_material *material, const double f[9], double slope[9]);

fem_law syn_fem_linear, syn_fem_corotational, syn_fem_neo_hookean, syn_fem_fibres;
fem_law *syn_fem_law_of(syn_law law);

/* ---- 3 x 3 matrices, row by row ------------------------------------------------------------------------------------
 */

static inline double m9_dot(const double a[9], const double b[9]) {
  double sum = 0;
  for (int i = 0; i < 9; ++i) sum += a[i] * b[i];
  return sum;
}
/* Derivative of the determinant: det(f) f^-T. */
static inline void m9_cofactor(const double f[9], double c[9]) {
  c[0] = f[4] * f[8] - f[5] * f[7], c[1] = f[5] * f[6] - f[3] * f[8], c[2] = f[3] * f[7] - f[4] * f[6];
  c[3] = f[2] * f[7] - f[1] * f[8], c[4] = f[0] * f[8] - f[2] * f[6], c[5] = f[1] * f[6] - f[0] * f[7];
  c[6] = f[1] * f[5] - f[2] * f[4], c[7] = f[2] * f[3] - f[0] * f[5], c[8] = f[0] * f[4] - f[1] * f[3];
}
/* a b */
static inline void m9_multiply(const double a[9], const double b[9], double out[9]) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) out[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
}
/* a^T b */
static inline void m9_transposed_multiply(const double a[9], const double b[9], double out[9]) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) out[3 * i + j] = a[i] * b[j] + a[3 + i] * b[3 + j] + a[6 + i] * b[6 + j];
}
/* a b^T */
static inline void m9_multiply_transposed(const double a[9], const double b[9], double out[9]) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      out[3 * i + j] = a[3 * i] * b[3 * j] + a[3 * i + 1] * b[3 * j + 1] + a[3 * i + 2] * b[3 * j + 2];
}

/* ==== rotations =================================================================================================== */

/* The rotation of a deformation gradient. It is always a proper rotation, the one nearest to F (it maximises
 * trace(R^T F)), also if an element is inverted. The stretch R^T F then has one negative principal value, the one of
 * smallest magnitude. R changes continuously with F unless the two smallest principal values add up to zero, where
 * two rotations are equally near. */

/* Below this part of |F|^3 the closed form loses digits (see fem_laws.c) and eigenvectors replace it. */
#define FEM_POLAR_LEAST 1e-2

/* Returns trace(R^T F), the sum of the principal stretches. */
double syn_fem_polar(const double f[9], double r[9]);
/* The slow method, valid for every finite F: quaternions as eigenvectors (Horn 1987). */
double syn_fem_polar_by_eigenvectors(const double f[9], double r[9]);

/* ==== bodies ====================================================================================================== */

/* A body of finite elements of one kind and one law.
 *
 * Nearly incompressible tissue: the bulk modulus acts on the mean dilatation of each hexahedron (B-bar for the linear
 * law, Hughes 1980; mean dilatation for the others, Simo et al. 1985). In quadratic tetrahedra a mean costs an order of
 * accuracy where nothing would lock: the bulk modulus up to that of Poisson's ratio 0.3 acts at every point, and only
 * the excess on the mean. Linear tetrahedra have one point and lock. */

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

/* Adds a barrier against complete compression to neo-Hookean tissue between two bones, as fem_laws.c describes.
 * Not for linear tetrahedra. */
void syn_fem_add_barriers(syn_soft *soft);
/* Returns the count of elements that are so compressed at some point that the barrier acts. */
uint32_t syn_fem_squeezed(const syn_soft *soft, const syn_vec3 *x);

/* ---- making one: fem_mesh.c, fem_skin.c, tets.c ------------------------------------------------------------
 */

/* Fills nodes, gradients, weights, rest positions; mirrors meshes that are inverted as a whole. */
syn_status syn_fem_take_mesh(syn_soft *soft, fem_state *fem, const syn_fem_mesh *mesh, syn_error *error);
/* Adds nodes on the edges of linear tetrahedra; *quadratic is in the arena. */
syn_status syn_fem_make_quadratic(syn_arena *arena, const syn_fem_mesh *linear, syn_fem_mesh *quadratic,
                                  syn_error *error);
/* Finds the blocks of the stiffness, and those to which each element adds. */
syn_status syn_fem_make_pattern(syn_soft *soft, fem_state *fem, syn_error *error);
syn_status syn_fem_face_shares(const syn_soft *soft, const bool *chosen, double *areas, syn_vec3 *facing,
                               syn_error *error);
syn_status syn_fem_make_skin(syn_soft *soft, const fem_state *fem, syn_error *error);
syn_status syn_fem_make_tets(fem_state *fem, syn_error *error);

/* ---- one element: fem_force.c
 * ------------------------------------------------------------------------------------------
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

/* ---- what a soft body offers: fem_force.c, stiffness.c, tets.c ----------------------
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

/* Forces of linear tetrahedra at rest, without memory; adds to f. */
void syn_fem_tets_force(const fem_state *fem, const syn_vec3 *x, syn_vec3 *f);
void syn_fem_tets_force_portable(const fem_state *fem, const syn_vec3 *x, syn_vec3 *f);
void syn_fem_tets_force_avx2(const fem_state *fem, const syn_vec3 *x, syn_vec3 *f);

#endif
