/* Tetrahedra over a grid of bent bricks: every brick is divided into six along its diagonal (Kuhn's division), and
 * neighbouring bricks divide their common face alike. */
#ifndef SYN_SHAPE_TET_SHAPES_H
#define SYN_SHAPE_TET_SHAPES_H

#include <synovia/mesh.h>

#include "base/status.h"

typedef struct syn_tet_grid {
  uint32_t cells[3]; /* along i, j, k; each at least 1, and at least 3 along j when it wraps */
  bool wraps;        /* the grid closes on itself along j */
  bool mirrored[3];  /* along this direction the cuts of the lower half mirror those of the upper half */
  /* Returns the position of grid point (i, j, k); i, j, k must be right-handed. */
  syn_vec3 (*place)(const void *user, const uint32_t at[3]);
  const void *user;
} syn_tet_grid;

/* Points are numbered with i fastest and k slowest. 6 times as many tetrahedra as cells; SYN_TOO_LARGE beyond 100
 * million of them. */
syn_status syn_tet_grid_mesh(const syn_context *context, const syn_tet_grid *grid, syn_tetmesh **mesh,
                             syn_error *error);

#endif
