/* Materials at one point of an element: what the deformation gradient F (row by row, F[3 i + j] = dx_i / dX_j) costs.
 *
 * Every law splits its energy per volume at rest into two parts:
 *   psi(F) = shape(F) + bulk / 2 * dilatation(F)^2,
 * so that elements can replace the dilatation by its mean over the element, and nearly incompressible tissue does not
 * lock. For small strains every law is Hooke's: shape = mu |dev e|^2, dilatation = trace e, bulk = lambda + 2/3 mu. */
#ifndef SYN_TISSUE_FEM_LAW_H
#define SYN_TISSUE_FEM_LAW_H

#include <synovia/tissue.h>

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

#endif
