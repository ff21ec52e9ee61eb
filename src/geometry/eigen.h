/* Eigenvectors of small symmetric matrices. */
#ifndef SYN_GEOMETRY_EIGEN_H
#define SYN_GEOMETRY_EIGEN_H

#include <synovia/base.h>

/* Eigenvalues, smallest first, and unit eigenvectors (rows of `vectors`) of a symmetric matrix of up to 4 x 4, of which
 * the leading `size` rows and columns count. By Jacobi's rotations. */
void syn_symmetric_eigen(double matrix[4][4], int size, double values[4], double vectors[4][4]);

/* A symmetric matrix: xx, yy, zz, xy, yz, zx. */
typedef struct syn_tensor {
  double e[6];
} syn_tensor;

/* Adds weight a a^T. */
static inline void tensor_add(syn_tensor *t, double weight, syn_vec3 a) {
  const double e[6] = {a.x * a.x, a.y * a.y, a.z * a.z, a.x * a.y, a.y * a.z, a.z * a.x};
  for (int i = 0; i < 6; ++i) t->e[i] += weight * e[i];
}

static inline syn_vec3 tensor_apply(const syn_tensor *t, syn_vec3 a) {
  const double *e = t->e;
  return (syn_vec3){e[0] * a.x + e[3] * a.y + e[5] * a.z, e[3] * a.x + e[1] * a.y + e[4] * a.z,
                    e[5] * a.x + e[4] * a.y + e[2] * a.z};
}

/* The unit eigenvector, either way, of the largest eigenvalue; zero for a tensor of zeros. Where two eigenvalues are
 * nearly the same, some direction between theirs. Takes far fewer operations than all eigenvectors. */
syn_vec3 syn_main_direction(const syn_tensor *tensor);

#endif
