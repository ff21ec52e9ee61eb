/* The fixed half of radial segmenting: for every cell of directions, the triangles that a ray from the centre into that
 * cell may hit (seed A, 3.3.3.1.4).
 *
 * What counts as hit is decided exactly, for the coordinates relative to the centre as rounded to double: a ray through
 * a shared edge or vertex hits the triangles that share it. A triangle whose plane goes through the centre is seen
 * edge-on and never hit; of a surface without gaps its neighbours are.
 *
 * Layers (seed A, Fig. 40). Where the mobile body slides inside, walls are the triangles that face the centre: there a
 * ray enters the fixed body. The others are backs, where it comes out. A point has penetrated when the last layer
 * before it on its way from the centre is a wall, and its depth is the way back to that wall; otherwise its (negative)
 * depth is the way to the next wall ahead, or -INFINITY where there is none. Where the mobile body slides outside,
 * everything is the same on the way in from far away. Without normals every triangle is a wall and the innermost one
 * (mobile outside: outermost) is the surface, whatever lies behind it. */
#ifndef SYN_COLLIDE_RADIAL_TABLE_H
#define SYN_COLLIDE_RADIAL_TABLE_H

#include "base/memory.h"
#include "collide/radial_mapping.h"

/* One triangle, ready for a unit direction u: it is hit when its three planes, each through an edge and the centre,
 * have positive products with u; then toward . u is 1 / radius of the hit, negative where the mobile body is outside.
 * Planes are unit normals in floats, plane[0] their three x, a filter before the exact test; a zero one leaves the
 * answer to it. A record is one line of the cache. */
typedef struct radial_record {
  double toward[3]; /* zero where it would not be precise: then ask syn_radial_toward */
  float plane[3][3];
} radial_record;
_Static_assert(sizeof(radial_record) == 64, "one line of the cache");

/* Rounding cannot turn the sign of plane . u when it is larger than this: the floats of both are right to 2^-24. */
#define RADIAL_UNSURE (16 * 0x1p-24F)

typedef enum radial_kind { RADIAL_NEVER, RADIAL_WALL, RADIAL_BACK } radial_kind;

/* Two triangles on both sides of an edge, ready for the directions that surely see one of them and nothing else: the
 * plane through the edge and the centre tells which, so that one line of the cache answers. */
typedef struct radial_cut {
  double toward[2][3]; /* of the triangle inside the plane and of the one behind it; not-a-number where there is none */
  float plane[4];      /* the last is zero */
} radial_cut;
_Static_assert(sizeof(radial_cut) == 64, "one line of the cache");

/* What a cut is made of. */
typedef struct radial_sides {
  uint32_t triangle[2]; /* ascending; the plane is an edge's of the first */
  uint32_t count, edge;
} radial_sides;

/* The same for all triangles around a vertex: each between its own plane and the next, through the edges that end in
 * the vertex. The first plane follows the last once more; then there are none. */
enum { RADIAL_FAN = 8 };
typedef struct radial_fan {
  float plane[3][RADIAL_FAN]; /* all x, all y, all z */
  uint32_t triangle[RADIAL_FAN];
} radial_fan;
_Static_assert(sizeof(radial_fan) == 128, "two lines of the cache");

/* What a fan is made of. */
typedef struct radial_ring {
  uint32_t triangle[RADIAL_FAN]; /* ascending */
  uint32_t around[RADIAL_FAN];   /* as they lie around the vertex */
  uint32_t count, vertex;        /* no triangles: no longer in use */
} radial_ring;

/* What every cell holds: the number of a cut where each direction of the cell sees one of its triangles and no other;
 * with RADIAL_FANNED that of a fan for which the same is true; else with RADIAL_LISTED the offset of a list: its
 * length, then its triangles, ascending, filled up to whole steps with the number of a record that nothing hits. */
typedef struct radial_cells {
  uint32_t *heads; /* one empty cell more for directions outside the grid */
  uint32_t *lists;
} radial_cells;
#define RADIAL_LISTED 0x80000000U
#define RADIAL_FANNED 0xc0000000U /* both bits */
enum { RADIAL_LIST_STEP = 4 };
enum { RADIAL_NO_CUT }; /* the first cut has no triangles: for empty cells */

typedef struct radial_table {
  const syn_context *context;
  const syn_trimesh *mesh;
  syn_vec3 center;
  bool outside, use_normals;
  uint32_t wanted_cells;       /* 0: from the mesh */
  radial_grid grid, back_grid; /* of the walls; of the backs, which few points ask for, with fewer cells */
  radial_cells walls, backs;
  syn_vec3 cap_axis;      /* every direction with a wall has a product with this unit vector … */
  double cap_cosine;      /* … of at least this much: quick to ask, and often half of all directions are free */
  double first_back;      /* points not beyond this radius (mobile outside: not within) have no back behind them */
  radial_record *records; /* of each triangle, and one that nothing hits */
  radial_cut *cuts;
  radial_sides *sides; /* of each cut */
  radial_fan *fans;
  radial_ring *rings; /* of each fan */
  uint32_t cut_count, fan_count;
  void *record_block, *cut_block, *fan_block; /* which are aligned to lines of the cache */
  syn_vec3 *points;                           /* vertices relative to the centre */
  syn_vec3 *directions;                       /* unit, as they were when the cells were made */
  uint8_t *kinds;                             /* of each triangle: radial_kind */
} radial_table;

/* Do the options name a mapping and a place? */
syn_status syn_radial_check_options(const syn_collide_options *options, syn_error *error);
syn_status syn_radial_table_create(const syn_context *context, const syn_trimesh *mesh,
                                   const syn_collide_options *options, bool outside, radial_table *table,
                                   syn_error *error);
void syn_radial_table_release(radial_table *table); /* leaves only the context */
/* New places of all vertices, same triangles. Where they only moved along their rays the cells stay; else those near
 * triangles that moved otherwise are made anew, all of them where most did or where the grid does not hold them. On
 * failure the table is as it was. *kept (may be NULL) tells whether all cells stayed. */
syn_status syn_radial_table_update(radial_table *table, const syn_vec3 *vertices, bool *kept, syn_error *error);

/* The triangles that a ray into a cell of the walls or backs may hit, and perhaps some more. */
typedef struct radial_members {
  const uint32_t *triangle;
  uint32_t count;
} radial_members;
static inline radial_members syn_radial_members(const radial_table *table, const radial_cells *cells, uint32_t cell) {
  const uint32_t head = cells->heads[cell];
  if ((head & RADIAL_LISTED) == 0) return (radial_members){table->sides[head].triangle, table->sides[head].count};
  const uint32_t number = head & ~RADIAL_FANNED;
  if (head >= RADIAL_FANNED) return (radial_members){table->rings[number].triangle, table->rings[number].count};
  const uint32_t *list = cells->lists + number;
  return (radial_members){list + 1, list[0]};
}

/* Is the ray through `point` (not zero) inside the triangle a b c as seen from the centre, borders included? Exact. */
bool syn_radial_sees(const syn_vec3 corners[3], syn_vec3 point);
/* Is it on the triangle's side of the plane through the centre and the edge from corner `edge` to the next? Exact. */
bool syn_radial_inside_edge(const syn_vec3 corners[3], int edge, syn_vec3 point);
/* 1 / radius at which the ray along `unit` meets the triangle, given that it does. */
double syn_radial_toward(const syn_vec3 corners[3], syn_vec3 unit);

/* Points nearer to the centre than the one or farther than the other have no direction that could be trusted. */
#define RADIAL_NEAREST 1e-60
#define RADIAL_FARTHEST 1e60
static inline bool radial_has_direction(double radius) { return radius > RADIAL_NEAREST && radius < RADIAL_FARTHEST; }

#endif
