/* The table of rings (Arbabi 2009, §3.2.2.2): space cut into ring-shaped cells by radius and height, each with the
 * triangles that reach into it. No angle is stored, so that a deformation along the rings changes nothing. */
#ifndef SYN_COLLIDE_CYLINDRICAL_TABLE_H
#define SYN_COLLIDE_CYLINDRICAL_TABLE_H

#include "base/memory.h"
#include "collide/cylindrical/cylindrical_ring.h"

/* Ranges of radius and height of one or more triangles, widened by far more than the rounding. */
typedef struct syn_ring_bounds {
  float near, far, low, high;
} syn_ring_bounds;

typedef struct syn_ring_table {
  /* the surface: vertices in the axis' frame; borrowed */
  const syn_vec3 *points;
  const syn_triangle *triangles;
  uint32_t triangle_count;
  /* the grid (Eq. 3 and 4): cells beyond its border count as border */
  double near, low, cells_per_mm;
  uint32_t columns, rows;        /* along radius, along height */
  syn_ring_bounds range;         /* of all triangles; rings outside it meet nothing */
  double min_reach2, max_reach2; /* squared distances from the centre: L of Arbabi 2009, §3.2.2.2 */
  /* all in one block of memory */
  syn_ring_bounds *bounds; /* of each triangle */
  uint32_t *start;         /* cell -> its first index in members */
  uint32_t *members;
  uint32_t *added_head; /* cell -> triangles added by updates: a list through `added` */
  struct syn_ring_added {
    uint32_t triangle, next;
  } * added;
  uint32_t cell_capacity, member_capacity, added_capacity, added_count;
} syn_ring_table;

/* Returns the size of a table for `triangle_count` triangles and `cells` cells; 0: chosen by the mesh. */
size_t syn_ring_table_bytes(uint32_t triangle_count, uint32_t cells);
/* Returns the max count of crossings of any ring with this many triangles, before and after updates. */
size_t syn_ring_table_room(uint32_t triangle_count);
/* Fills the table in `memory`, aligned as malloc aligns. On the calling thread alone unless `parallel`. */
void syn_ring_table_build(syn_ring_table *table, const syn_vec3 *points, const syn_triangle *triangles,
                          uint32_t triangle_count, uint32_t cells, void *memory, const syn_context *context,
                          bool parallel);
/* Updates after points have moved: adds the triangles marked in `changed` to the cells that they newly reach, and marks
 * with 1 the cells that they were or are in (cell_capacity entries). Triangles may remain listed in cells they have
 * left; the bounds filter them. False if the capacity is exhausted: build the table again. */
bool syn_ring_table_update(syn_ring_table *table, const uint8_t *changed, uint8_t *dirty);

/* Returns the cell of a ring. */
uint32_t syn_ring_table_cell(const syn_ring_table *table, syn_ring ring);
/* Returns whether the ring may meet anything (Eq. 2 and L). */
bool syn_ring_table_reaches(const syn_ring_table *table, syn_ring ring);

/* Counts the triangles with the ring inside their bounds: an upper bound of those that it meets. */
uint32_t syn_ring_table_count(const syn_ring_table *table, syn_ring ring);
/* Computes the ordered crossings of the ring with the surface, at most twice the count above. */
uint32_t syn_ring_table_cross(const syn_ring_table *table, syn_ring ring, syn_ring_crossing *crossings);

/* Branchless: the results are nearly random, and mispredictions would cost more than the comparisons. */
static inline bool syn_ring_within(const syn_ring_bounds *bounds, float radius, float height) {
  return (radius >= bounds->near) & (radius <= bounds->far) & (height >= bounds->low) & (height <= bounds->high);
}

/* Calls visit(user, triangle) for the triangles in the cells that the bounds touch; a few are visited more than once.
 */
void syn_ring_table_visit(const syn_ring_table *table, const syn_ring_bounds *bounds,
                          void (*visit)(void *user, uint32_t triangle), void *user);

/* Returns the exact bounds of the hull of up to three points (App. A), widened. */
syn_ring_bounds syn_ring_bounds_of(const syn_vec3 *corners, int count);

#endif
