/* A coarse grid over the surface's box that names for each cell a leaf not far from it, which is where a search begins.
 * Any leaf is right; the nearer it is, the faster. It is made once: leaves that move stay where they are in it. */
#include "collide/surface.h"

enum { CELLS_PER_LEAF = 8, CELLS_MAX = 1 << 22, SIDE_MAX = 1 << 12 };

/* Cubes, as many as there should be; thin boxes have one layer of them. */
static void set_size(const syn_surface *s, surface_guide *g) {
  syn_box box = box_empty();
  for (uint32_t i = 0; i < s->vertex_count; ++i) box_add(&box, vec3_sub(s->vertices[i], s->origin));
  const syn_vec3 side = vec3_sub(box.max, box.min);
  const double longest = max2(side.x, max2(side.y, side.z));
  const double wanted = min2((double)s->wide.leaf_count * CELLS_PER_LEAF, CELLS_MAX);
  double cells = INFINITY;
  for (uint32_t along = SIDE_MAX; cells > wanted && along > 0; along -= along / 16 + 1) {
    const double per_length = longest > 0 ? along / longest : 0;
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

/* The leaf becomes the cell's where its middle is nearer to the cell's. */
static void offer(const surface_guide *g, const leaf_box *boxes, const uint32_t cell[3], uint32_t leaf, float *best2,
                  uint32_t *best) {
  float distance2 = 0;
  for (int k = 0; k < 3; ++k) {
    const float d = ((float)cell[k] + 0.5f) / g->per_length + g->low[k] - boxes[leaf].center[k];
    distance2 += d * d;
  }
  if (*best != SYN_NONE && !(distance2 < *best2)) return;
  *best2 = distance2;
  *best = leaf;
}

/* Each cell looks at its three neighbours on one side, which have done so before. */
static void sweep(const surface_guide *g, const leaf_box *boxes, bool up, float *best2) {
  const uint32_t cells = g->size[0] * g->size[1] * g->size[2];
  const uint32_t step[3] = {1, g->size[0], g->size[0] * g->size[1]};
  for (uint32_t i = 0; i < cells; ++i) {
    const uint32_t at = up ? i : cells - 1 - i;
    const uint32_t cell[3] = {at % g->size[0], at / step[1] % g->size[1], at / step[2]};
    for (int k = 0; k < 3; ++k) {
      if (cell[k] == (up ? 0 : g->size[k] - 1)) continue;
      const uint32_t leaf = g->leaf[up ? at - step[k] : at + step[k]];
      if (leaf != SYN_NONE && leaf != g->leaf[at]) offer(g, boxes, cell, leaf, &best2[at], &g->leaf[at]);
    }
  }
}

syn_status syn_guide_create(syn_surface *s, syn_error *error) {
  surface_guide *g = &s->wide.guide;
  const leaf_box *boxes = s->wide.boxes;
  float *best2;
  set_size(s, g);
  const uint32_t cells = g->size[0] * g->size[1] * g->size[2];
  SYN_TRY(SYN_NEW(s->context, &g->leaf, cells, error));
  SYN_TRY(SYN_NEW(s->context, &best2, cells, error));
  for (uint32_t i = 0; i < cells; ++i) g->leaf[i] = SYN_NONE;
  for (uint32_t leaf = 0; leaf < s->wide.leaf_count; ++leaf) {
    uint32_t cell[3];
    for (int k = 0; k < 3; ++k) cell[k] = cell_along(g, k, boxes[leaf].center[k]);
    const uint32_t at = (cell[2] * g->size[1] + cell[1]) * g->size[0] + cell[0];
    offer(g, boxes, cell, leaf, &best2[at], &g->leaf[at]);
  }
  for (int round = 0; round < 4; ++round) sweep(g, boxes, round % 2 == 0, best2);
  syn_free(s->context, best2);
  return SYN_OK;
}
