/* Neighbouring rings (Arbabi 2009, §3.2.3.1 and §3.6): the table stays as it was made. Each mobile vertex looks into
 * the cell in which it was then and into the cells around it, so that triangles are found that a deformation took to a
 * neighbouring cell, and those of the neighbouring rings to which a small translation takes the vertex. What moves
 * farther than the neighbours reach is missed: an approximation, beside the exact way. */
#include "collide/cylindrical/cylindrical.h"

void syn_cylindrical_look_around(syn_cylindrical *c) {
  const double reach = c->neighbours / c->roles[0].table.cells_per_mm;
  for (uint32_t v = 0; v < syn_cylindrical_vertices(c, SYN_MOBILE); ++v) {
    const syn_ring ring = syn_ring_of(c->points[SYN_MOBILE][v]);
    c->around[v] = (syn_ring_bounds){(float)(ring.radius - reach), (float)(ring.radius + reach),
                                     (float)(ring.height - reach), (float)(ring.height + reach)};
  }
}

typedef struct crossing_search {
  const syn_cylindrical *c;
  syn_ring ring;
  syn_ring_crossing *crossings;
  uint32_t count;
} crossing_search;

static void meet(void *user, uint32_t triangle) {
  crossing_search *search = user;
  const syn_cylindrical *c = search->c;
  search->count += syn_ring_meet(search->ring, c->points[SYN_FIXED], c->mesh[SYN_FIXED]->triangles, triangle,
                                 search->crossings + search->count);
}

uint32_t syn_cylindrical_cross_around(const syn_cylindrical *c, uint32_t vertex, syn_ring ring,
                                      syn_ring_crossing *crossings) {
  crossing_search search = {c, ring, crossings, 0};
  syn_ring_table_visit(&c->roles[0].table, &c->around[vertex], meet, &search);
  return syn_ring_order(ring, c->points[SYN_FIXED], c->mesh[SYN_FIXED]->triangles, crossings, search.count);
}
