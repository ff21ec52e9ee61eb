/* Tests blocks of cells against the planes of a cone: radial_cover.c prepares them, a kernel finds the touched cells.
 *
 * At corner (i, r) the product of plane k with the direction is
 *   along[r] * side[k][i] + slope[k] * across[r] + rise[k] * z,
 * where z is sqrt(above[i] - square[r]) for type 2; there is no such part for the others. Floats are right to 1e-6, far
 * within the slack. */
#ifndef SYN_COLLIDE_RADIAL_COVER_H
#define SYN_COLLIDE_RADIAL_COVER_H

#include "base/simd.h"
#include "collide/radial/radial_mapping.h"

enum { COVER_COLUMNS = 8, COVER_ROWS = 24, COVER_BORDERS = COVER_COLUMNS + 4 }; /* filled up to whole vectors */

typedef struct cover_block {
  uint32_t rows;
  float side[3][COVER_BORDERS], slope[3];
  float along[COVER_ROWS + 1], across[COVER_ROWS + 1]; /* `along` is not negative */
  float margin;                                        /* slack, and how far cells of type 1 or 3 stick out */
  /* type 2 alone */
  float rise[3], bend; /* of the pad, see radial_cover.c */
  double above[COVER_BORDERS], square[COVER_ROWS + 1];
  double nearest_above[COVER_COLUMNS], nearest_square[COVER_ROWS]; /* where z is largest within a column or row */
} cover_block;

/* Results of a row of cells: eight bits, set for touched cells; then eight for each plane, set if the whole cell is
 * inside it. */
typedef uint32_t cover_found;

typedef void cover_kernel(const cover_block *block, cover_found found[COVER_ROWS]);

/* The first is for types 1 and 3, the second for type 2. Both pairs give the same bits. */
typedef struct cover_kernels {
  cover_kernel *ruled, *disc;
} cover_kernels;
extern const cover_kernels syn_cover_portable;
#if SYN_AVX2
extern const cover_kernels syn_cover_avx2; /* for processors with AVX2 */
#endif

#endif
