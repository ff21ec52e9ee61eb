/* The stiffness of one point of an element, four nodes side by side. Included twice by stiffness.c, which
 * defines LANES_FUNCTION and LANES_NAME: the same operations in the same order, so that the bits agree. */
#include "tissue/fem/fem.h"

/* Four consecutive numbers in memory. */
typedef double memory4 __attribute__((vector_size(32), aligned(8), may_alias));

/* K_ab[i][k] += weight * sum over j, l of G_a[j] tangent[ij][kl] G_b[l]. For each a, b starts at the multiple of
 * four at or below it: the triangle a <= b is complete, with some additional blocks. */
LANES_FUNCTION void LANES_NAME(const double tangent[9][9], const double (*gradients)[3], double weight, int n,
                               fem_matrix *matrix) {
  double turned[3][FEM_COLUMNS] = {{0}}, part[9][3][FEM_COLUMNS];
  for (int b = 0; b < n; ++b)
    for (int l = 0; l < 3; ++l) turned[l][b] = weight * gradients[b][l];
  for (int b = 0; b < n; b += 4) {
    const memory4 x = *(memory4 *)&turned[0][b], y = *(memory4 *)&turned[1][b], z = *(memory4 *)&turned[2][b];
    for (int r = 0; r < 9; ++r)
      for (int k = 0; k < 3; ++k) {
        const double *t = &tangent[r][3 * k];
        *(memory4 *)&part[r][k][b] = t[0] * x + t[1] * y + t[2] * z;
      }
  }
  for (int a = 0; a < n; ++a) {
    const double *g = gradients[a];
    for (int b = a & ~3; b < n; b += 4)
      for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) {
          memory4 *to = (memory4 *)&matrix->of[a][i][k][b];
          const memory4 *p = (memory4 *)&part[3 * i][k][b], *q = (memory4 *)&part[3 * i + 1][k][b],
                        *s = (memory4 *)&part[3 * i + 2][k][b];
          *to += g[0] * *p + g[1] * *q + g[2] * *s;
        }
  }
}
