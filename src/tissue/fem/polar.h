/* The rotation of a deformation gradient. It is always a proper rotation, the one nearest to F (it maximises
 * trace(R^T F)), also if an element is inverted. The stretch R^T F then has one negative principal value, the one of
 * smallest magnitude. R changes continuously with F unless the two smallest principal values add up to zero, where
 * two rotations are equally near. */
#ifndef SYN_TISSUE_FEM_POLAR_H
#define SYN_TISSUE_FEM_POLAR_H

/* Below this part of |F|^3 the closed form loses digits (see polar.c) and eigenvectors replace it. */
#define FEM_POLAR_LEAST 1e-2

/* Returns trace(R^T F), the sum of the principal stretches. */
double syn_fem_polar(const double f[9], double r[9]);
/* The slow method, valid for every finite F: quaternions as eigenvectors (Horn 1987). */
double syn_fem_polar_by_eigenvectors(const double f[9], double r[9]);

#endif
