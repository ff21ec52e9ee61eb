/* Solves small dense problems: linear systems, such as the normal equations of a fit, and eigenvectors of symmetric
 * matrices. */
#ifndef SYN_GEOMETRY_SMALL_MATRIX_H
#define SYN_GEOMETRY_SMALL_MATRIX_H

#include <math.h>
#include <stdbool.h>

#include <synovia/base.h>

/* ---- linear systems ---------------------------------------------------------------------------------------------- */

/* Solves A x = b, symmetric and positive definite, for n unknowns by Cholesky's factors, in place: `a` (n by n, row by
 * row; its lower half is read) is overwritten, `b` becomes x. False, with `b` spoilt, where a pivot falls below `rank`
 * times the largest diagonal element: the data do not determine all unknowns. */
bool syn_solve_symmetric(double *a, double *b, int n, double rank);

/* Solves any system of n unknowns by Gaussian elimination with pivoting, in place as above. False if a pivot is not
 * above `least`. */
bool syn_solve_pivoted(double *a, double *b, int n, double least);

/* ---- eigenvectors ------------------------------------------------------------------------------------------------ */

/* One Jacobi rotation in the leading `size` rows and columns of a symmetric matrix whose rows are `stride` numbers
 * apart: makes element (p, q) zero. Rows of `vectors`, at first those of the unit matrix, become eigenvectors. Inline
 * so that loops over a known size unroll. */
static inline void jacobi_turn(double *matrix, double *vectors, int stride, int size, int p, int q) {
  const double off = matrix[p * stride + q];
  if (off == 0) return;
  const double theta = (matrix[q * stride + q] - matrix[p * stride + p]) / (2 * off);
  const double t = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(theta * theta + 1));
  const double c = 1 / sqrt(t * t + 1), s = t * c;
  for (int k = 0; k < size; ++k) {
    double *row = matrix + k * stride;
    const double kp = row[p], kq = row[q];
    row[p] = c * kp - s * kq;
    row[q] = s * kp + c * kq;
  }
  double *mp = matrix + p * stride, *mq = matrix + q * stride, *vp = vectors + p * stride, *vq = vectors + q * stride;
  for (int k = 0; k < size; ++k) {
    const double pk = mp[k], qk = mq[k], up = vp[k], uq = vq[k];
    mp[k] = c * pk - s * qk;
    mq[k] = s * pk + c * qk;
    vp[k] = c * up - s * uq;
    vq[k] = s * up + c * uq;
  }
}

/* Computes eigenvalues, smallest first, and unit eigenvectors (rows of `vectors`) of the leading `size` rows and
 * columns of a symmetric matrix of up to 4 x 4, by Jacobi rotations. */
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

/* Returns the unit eigenvector, of either sign, of the largest eigenvalue; zero for a zero tensor. If two eigenvalues
 * are nearly equal, returns a direction in the plane of their eigenvectors. Takes far fewer operations than all
 * eigenvectors. */
syn_vec3 syn_main_direction(const syn_tensor *tensor);

#endif
