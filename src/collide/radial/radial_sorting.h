/* Shared by the files that make the cells of a radial table.
 *
 * Every cell first gets a bin, which holds two triangles and a chain for more (radial_cells.c); then each bin becomes a
 * head: two triangles or a ring if that is enough to decide what a ray hits (radial_heads.c), else a list. After a
 * deformation only tiles of cells where something changed are made again (radial_refill.c). */
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

/* Many tiles stay without triangles, and the memory of their bins is not touched. */
typedef enum radial_tile {
  RADIAL_TILE_KEPT, /* as in the previous table */
  RADIAL_TILE_EMPTY,
  RADIAL_TILE_USED
} radial_tile;

typedef struct radial_sorting {
  radial_table *table;
  const radial_table *previous; /* whose cells stay where nothing changed; NULL: all are made */
  const bool *touched;          /* with a previous one: vertices of triangles that changed */
  bool *wanted;                 /* triangles that go into bins; NULL: all */
  radial_bin *bins;
  uint8_t *tiles; /* radial_tile */
  radial_link *links;
  size_t link_count, link_capacity;
  uint32_t triangle;   /* that is put into bins */
  bool failed;         /* no memory for a link */
  radial_cells *cells; /* that are made */
  size_t list_capacity;
  uint32_t *walls_at, *walls_start; /* the walls around each vertex */
} radial_sorting;

/* ---- radial_cells.c ---------------------------------------------------------------------------------------------- */

/* Space for a list of so many triangles, padded with the number of a triangle that nothing hits. */
syn_status syn_radial_add_list(radial_sorting *sorting, uint32_t count, uint32_t *offset, syn_error *error);

/* ---- radial_heads.c ---------------------------------------------------------------------------------------------- */

/* Finds the walls at each vertex, and which rings of a previous table are still true. */
syn_status syn_radial_begin_heads(radial_sorting *sorting, syn_error *error);
/* The head of a cell of walls that needs no list of its own; RADIAL_EMPTY where there is none. The bin is not empty. */
syn_status syn_radial_short_head(radial_sorting *sorting, const radial_bin *bin, uint32_t base, uint32_t *head,
                                 syn_error *error);

/* ---- radial_refill.c --------------------------------------------------------------------------------------------- */

/* With a previous table: finds which tiles of the grid for this kind of triangles must be made again, and which
 * triangles those may hold. */
void syn_radial_mark_tiles(radial_sorting *sorting, radial_kind kind);

static inline const radial_cells *radial_cells_of(const radial_table *table, radial_kind kind) {
  return kind == RADIAL_WALL ? &table->walls : &table->backs;
}
static inline const radial_grid *radial_grid_of(const radial_table *table, radial_kind kind) {
  return kind == RADIAL_WALL ? &table->grid : &table->back_grid;
}

#endif
