/* Shared by the files that make the cells of a radial table.
 *
 * Every cell first gets a bin, which holds two triangles and a chain for more (radial_cells.c); then each bin becomes a
 * head: two triangles or a ring if that suffices to decide what a ray hits (radial_heads.c), else a list. After a
 * deformation only changed cells get new lists (radial_mend.c). */
#ifndef SYN_COLLIDE_RADIAL_SORTING_H
#define SYN_COLLIDE_RADIAL_SORTING_H

#include "collide/radial/radial_table.h"

/* A triangle in a cell: its number, and below it three bits for the planes that have the whole cell inside. */
typedef uint32_t radial_entry;
enum { RADIAL_INSIDE_BITS = 3, RADIAL_INSIDE_ALL = (1 << RADIAL_INSIDE_BITS) - 1 };

typedef struct radial_bin {
  radial_entry first, second; /* SYN_NONE: none */
  uint32_t chain;             /* the last link, SYN_NONE: none */
} radial_bin;

typedef struct radial_link {
  radial_entry e;
  uint32_t before;
} radial_link;

/* Many tiles have no triangles; the memory of their bins is never touched. */
typedef enum radial_tile { RADIAL_TILE_EMPTY, RADIAL_TILE_USED } radial_tile;

typedef struct radial_sorting {
  radial_table *table;
  radial_bin *bins;
  uint8_t *tiles; /* radial_tile */
  radial_link *links;
  size_t link_count, link_capacity;
  uint32_t triangle;   /* the triangle being sorted */
  bool failed;         /* no memory for a link */
  radial_cells *cells; /* the cells being made */
  radial_at at;        /* at least the walls around each vertex */
} radial_sorting;

/* ---- radial_cells.c ---------------------------------------------------------------------------------------------- */

/* Allocates a list of `count` triangles, padded with the number of a triangle that nothing hits. */
syn_status syn_radial_add_list(radial_sorting *sorting, uint32_t count, uint32_t *offset, syn_error *error);

/* ---- radial_heads.c ---------------------------------------------------------------------------------------------- */

/* Lists the triangles at each vertex, in ascending order; of one kind only unless it is RADIAL_NEVER. Release the
 * result after a failure, too. */
syn_status syn_radial_find_neighbours(const radial_table *table, radial_kind kind, radial_at *at, syn_error *error);
void syn_radial_forget_neighbours(const syn_context *context, radial_at *at);
/* Makes the head of a cell of walls that needs no separate list; else RADIAL_EMPTY. The bin is that of the cell and not
 * empty; `head` points into those of its tile, of which the preceding ones are known. */
syn_status syn_radial_short_head(radial_sorting *sorting, const radial_bin *bin, uint32_t cell, uint32_t base,
                                 uint32_t *head, syn_error *error);

static inline const radial_grid *radial_grid_of(const radial_table *table, radial_kind kind) {
  return kind == RADIAL_WALL ? &table->grid : &table->back_grid;
}

#endif
