/* A coarse grid over the surface's box that names for each cell a nearby leaf, where a search starts. Any leaf is
 * correct; a nearer one is faster. The grid is made once and not updated when leaves move. */
#include "collide/surface/surface_tree.h"

#include <float.h>

enum { CELLS_PER_LEAF = 8, CELLS_MAX = 1 << 22, SIDE_MAX = 1 << 12, ROUNDS = 4 };

/* Sets the size of the cubic cells from the wanted count; thin boxes have one layer of them. */
static void set_size(const syn_surface_tree *s, surface_guide *g) {
  syn_box box = box_empty();
  for (uint32_t i = 0; i < s->vertex_count; ++i) box_add(&box, vec3_sub(s->vertices[i], s->origin));
  const syn_vec3 side = vec3_sub(box.max, box.min);
  const double longest = max2(side.x, max2(side.y, side.z));
  const double wanted = min2((double)s->wide.leaf_count * CELLS_PER_LEAF, CELLS_MAX);
  double cells = INFINITY;
  for (uint32_t along = SIDE_MAX; cells > wanted && along > 0; along -= along / 16 + 1) {
    const double per_length = along / longest < (double)FLT_MAX ? along / longest : 0; /* a point: one cell */
    g->per_length = (float)per_length;
    cells = 1;
    for (int k = 0; k < 3; ++k) {
      g->low[k] = (float)vec3_at(box.min, k);
      g->size[k] = (uint32_t)min2(vec3_at(side, k) * per_length, SIDE_MAX) + 1;
      cells *= g->size[k];
    }
  }
}

static uint32_t cell_along(const surface_guide *g, int k, float x) {
  const float at = (x - g->low[k]) * g->per_length, last = (float)(g->size[k] - 1);
  return at > 0 ? (uint32_t)(at < last ? at : last) : 0;
}

/* Returns how far a leaf is from a position: the distance of its box, mainly, and that of its middle. */
static inline float farness(const leaf_box *box, const float at[3]) {
  const float x = at[0] - box->center[0], y = at[1] - box->center[1], z = at[2] - box->center[2];
  float sum = 1e-3f * (x * x + y * y + z * z);
  for (int k = 0; k < 3; ++k) {
    const float beyond = fabsf(x * box->axis[k][0] + y * box->axis[k][1] + z * box->axis[k][2]) - box->half[k];
    sum += beyond > 0 ? beyond * beyond : 0;
  }
  return sum;
}

/* Stores the leaf in the cell if it is nearer. */
static inline void offer(const surface_guide *g, const leaf_box *boxes, const float middle[3], uint32_t leaf,
                         uint32_t cell, float *best) {
  const float far = farness(&boxes[leaf], middle);
  if (g->leaf[cell] != SYN_NONE && !(far < best[cell])) return;
  best[cell] = far;
  g->leaf[cell] = leaf;
}

static float middle_along(const surface_guide *g, int k, uint32_t cell) {
  return ((float)cell + 0.5f) / g->per_length + g->low[k];
}

/* Sweeps over the cells: each one takes over the leaf of one of its three preceding neighbours if it is nearer. */
static void sweep(const surface_guide *g, const leaf_box *boxes, bool up, float *best) {
  const uint32_t *size = g->size, step[3] = {1, size[0], size[0] * size[1]};
  for (uint32_t i = 0; i < size[1] * size[2]; ++i) {
    const uint32_t row = up ? i : size[1] * size[2] - 1 - i, y = row % size[1], z = row / size[1];
    float middle[3] = {0, middle_along(g, 1, y), middle_along(g, 2, z)};
    for (uint32_t j = 0; j < size[0]; ++j) {
      const uint32_t x = up ? j : size[0] - 1 - j, at = row * size[0] + x, cell[3] = {x, y, z};
      middle[0] = middle_along(g, 0, x);
      for (int k = 0; k < 3; ++k) {
        if (cell[k] == (up ? 0 : size[k] - 1)) continue;
        const uint32_t leaf = g->leaf[up ? at - step[k] : at + step[k]];
        if (leaf != SYN_NONE && leaf != g->leaf[at]) offer(g, boxes, middle, leaf, at, best);
      }
    }
  }
}

syn_status syn_guide_create(syn_surface_tree *s, syn_error *error) {
  surface_guide *g = &s->wide.guide;
  const leaf_box *boxes = s->wide.boxes;
  float *best;
  set_size(s, g);
  const uint32_t cells = g->size[0] * g->size[1] * g->size[2];
  SYN_TRY(SYN_NEW(s->context, &g->leaf, cells, error));
  SYN_TRY(SYN_NEW(s->context, &best, cells, error));
  for (uint32_t i = 0; i < cells; ++i) g->leaf[i] = SYN_NONE;
  for (uint32_t leaf = 0; leaf < s->wide.leaf_count; ++leaf) {
    uint32_t cell[3];
    float middle[3];
    for (int k = 0; k < 3; ++k) {
      cell[k] = cell_along(g, k, boxes[leaf].center[k]);
      middle[k] = middle_along(g, k, cell[k]);
    }
    offer(g, boxes, middle, leaf, (cell[2] * g->size[1] + cell[1]) * g->size[0] + cell[0], best);
  }
  for (int round = 0; round < ROUNDS; ++round) sweep(g, boxes, round % 2 == 0, best);
  syn_free(s->context, best);
  return SYN_OK;
}
