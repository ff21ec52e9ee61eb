/* The table of rings (Arbabi 2009, §3.2.2.2): space cut into ring-shaped cells by radius and height, each with the
 * triangles that reach into it. No angle is stored, so that a deformation along the rings changes nothing. */
#ifndef SYN_COLLIDE_CYLINDRICAL_TABLE_H
#define SYN_COLLIDE_CYLINDRICAL_TABLE_H

#include "base/memory.h"
#include "collide/cylindrical/cylindrical_ring.h"

/* Radius and height of a triangle or of much more, widened by far more than any rounding. */
typedef struct syn_ring_bounds {
  float near, far, low, high;
} syn_ring_bounds;

typedef struct syn_ring_table {
  /* the surface: corners in the axis' frame; borrowed */
  const syn_vec3 *points;
  const syn_triangle *triangles;
  uint32_t triangle_count;
  /* the grid (Eq. 3 and 4): cells beyond its border count as border */
  double near, low, cells_per_mm;
  uint32_t columns, rows;        /* along radius, along height */
  syn_ring_bounds range;         /* of all triangles; nothing beyond it is met */
  double min_reach2, max_reach2; /* squared distances from the centre: L of Arbabi 2009, §3.2.2.2 */
  /* all in one piece of memory */
  syn_ring_bounds *bounds; /* of each triangle */
  uint32_t *start;         /* cell -> its first index in members */
  uint32_t *members;
  uint32_t *added_head; /* cell -> triangles that came by an update: a list through `added` */
  struct syn_ring_added {
    uint32_t triangle, next;
  } * added;
  uint32_t cell_capacity, member_capacity, added_capacity, added_count;
} syn_ring_table;

/* Bytes for the table of so many triangles and so many cells, 0: as the mesh wants. */
size_t syn_ring_table_bytes(uint32_t triangle_count, uint32_t cells);
/* How many crossings any ring may have with so many triangles, before and after updates. */
size_t syn_ring_table_room(uint32_t triangle_count);
/* Fills the table in `memory`, aligned as malloc aligns. On the calling thread alone unless `parallel`. */
void syn_ring_table_build(syn_ring_table *table, const syn_vec3 *points, const syn_triangle *triangles,
                          uint32_t triangle_count, uint32_t cells, void *memory, const syn_context *context,
                          bool parallel);
/* After points moved: takes the triangles marked in `changed` to the cells that they newly reach, and marks the cells
 * that they were or are in (cell_capacity entries; a cell is marked with 1). Triangles may stay listed in cells they
 * have left; the bounds filter them. False if there is no capacity left: build the table again. */
bool syn_ring_table_update(syn_ring_table *table, const uint8_t *changed, uint8_t *dirty);

/* The cell of a ring. */
uint32_t syn_ring_table_cell(const syn_ring_table *table, syn_ring ring);
/* May anything lie on the ring? (Eq. 2 and L) */
bool syn_ring_table_reaches(const syn_ring_table *table, syn_ring ring);

/* How many triangles have the ring between their bounds: at least those that it meets. */
uint32_t syn_ring_table_count(const syn_ring_table *table, syn_ring ring);
/* The ordered crossings of the ring with the surface, at most twice the number above. */
uint32_t syn_ring_table_cross(const syn_ring_table *table, syn_ring ring, syn_ring_crossing *crossings);

/* Without branches: as good as random, they would cost more than the comparisons. */
static inline bool syn_ring_within(const syn_ring_bounds *bounds, float radius, float height) {
  return (radius >= bounds->near) & (radius <= bounds->far) & (height >= bounds->low) & (height <= bounds->high);
}

/* Calls visit(user, triangle) for the triangles in the cells that the bounds touch; few come more than once. */
void syn_ring_table_visit(const syn_ring_table *table, const syn_ring_bounds *bounds,
                          void (*visit)(void *user, uint32_t triangle), void *user);

/* Exact bounds of up to three points' hull (App. A), widened. */
syn_ring_bounds syn_ring_bounds_of(const syn_vec3 *corners, int count);

#endif
