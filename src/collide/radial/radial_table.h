/* The fixed half of radial segmenting: for every cell of directions, the triangles that a ray from the centre into that
 * cell may hit (Arbabi 2009, §3.3.3.1.4).
 *
 * Hits are decided exactly, for the coordinates relative to the centre as rounded to double: a ray through
 * a shared edge or vertex hits the triangles that share it. A triangle whose plane goes through the centre is seen
 * edge-on and never hit; of a surface without gaps its neighbours are.
 *
 * Layers (Arbabi 2009, Fig. 40). Where the mobile body slides inside, walls are the triangles that face the centre:
 * there a ray enters the fixed body. The others are backs, where it comes out. A point has penetrated when the last
 * layer before it on its way from the centre is a wall, and its depth is the way back to that wall; otherwise its
 * (negative) depth is the distance to the next wall ahead, or -INFINITY without one. If the mobile body slides outside,
 * the same holds on the ray inward from far away. Without normals every triangle is a wall and the innermost one
 * (mobile outside: outermost) is the surface, regardless of layers behind it. */
#ifndef SYN_COLLIDE_RADIAL_TABLE_H
#define SYN_COLLIDE_RADIAL_TABLE_H

#include "base/memory.h"
#include "collide/radial/radial_mapping.h"

/* The planes of a triangle, each through an edge and the centre: a unit direction that has positive products with all
 * three hits it. Unit normals in floats, plane[0] their three x, a filter before the exact test; a zero one leaves the
 * answer to it. */
typedef struct radial_planes {
  float before; /* so that four may be read from one before each three */
  float plane[3][3];
} radial_planes;

/* Rounding cannot change the sign of plane . u if it is larger than this: the floats of both are right to 2^-24. */
#define RADIAL_UNSURE (16 * 0x1p-24F)

typedef enum radial_kind { RADIAL_NEVER, RADIAL_WALL, RADIAL_BACK } radial_kind;

/* The content of every cell in one number, its head.
 *
 * Most cells contain only one or two triangles, those on both sides of an edge. Then no plane is needed to decide which
 * of them a ray hits: seen from the centre an edge is a ridge or a valley, and along every ray the nearer or the
 * farther of both planes is right. Such a head has the numbers of both triangles, counted from a base that the cells of
 * a tile share, and RADIAL_LEAST where the lesser counts.
 *
 * Otherwise the head is RADIAL_LISTED and the offset of a list: its length, then its triangles, filled up to whole
 * steps with the number of one that nothing hits. Without RADIAL_EACH these are all triangles around a vertex, which is
 * a peak or a pit, and the greatest or with RADIAL_LEAST the least of them counts; else each must be tested. A list
 * with both belongs to one cell alone. */
typedef struct radial_cells {
  uint32_t *heads; /* one extra empty cell for directions outside the grid */
  uint32_t *bases; /* of each tile */
  uint32_t *lists;
  size_t list_count, list_capacity;
  size_t fresh_count; /* length of the lists when all cells were made */
} radial_cells;
#define RADIAL_LISTED 0x80000000U
#define RADIAL_EACH 0x80000000U
#define RADIAL_LEAST 0x40000000U
#define RADIAL_EMPTY 0x3fffffffU
#define RADIAL_OFFSET 0x3fffffffU /* of a list, or its length */
enum { RADIAL_LOCAL_BITS = 15, RADIAL_LOCAL = (1 << RADIAL_LOCAL_BITS) - 1 };
enum { RADIAL_LIST_STEP = 4 };

/* Cells of a tile have consecutive numbers. */
enum { RADIAL_CELL_BITS = 2 * RADIAL_TILE_BITS, RADIAL_TILE_CELLS = 1 << RADIAL_CELL_BITS };

/* The triangles at vertex v are triangles[start[v]] up to, not including, triangles[start[v + 1]]. */
typedef struct radial_at {
  uint32_t *start, *triangles;
} radial_at;

typedef struct radial_table {
  const syn_context *context;
  const syn_trimesh *mesh;
  syn_vec3 center;
  bool outside, use_normals;
  uint32_t wanted_cells;       /* 0: chosen by the mesh */
  radial_grid grid, back_grid; /* of the walls; of the backs, which few points need, with fewer cells */
  radial_cells walls, backs;
  syn_vec3 cap_axis;    /* every direction with a wall has a product with this unit vector … */
  double cap_cosine;    /* … of at least this: a fast test, and often half of all directions are free */
  double first_back;    /* points not beyond this radius (mobile outside: not within) have no back behind them */
  syn_vec3 *points;     /* vertices relative to the centre */
  syn_vec3 *directions; /* unit, when the cells were made */
  uint32_t *ring_of;    /* of each vertex the list of walls around it, RADIAL_NO_RING, or RADIAL_NOT_TRIED */
  /* Triangles in an order that is coherent in direction, and one more that nothing hits. */
  uint32_t count;
  uint32_t *names;         /* the caller's number of each */
  syn_triangle *triangles; /* their vertices */
  uint8_t *kinds;          /* radial_kind */
  double (*toward)[3]; /* dotted with a point whose ray hits it: the point's radius over the hit's, negative where the
                        * mobile body is inside; zero where it would not be precise: then ask syn_radial_toward */
  radial_planes *planes;
  radial_at at; /* all triangles at each vertex, after a deformation has needed them */
} radial_table;
#define RADIAL_NO_RING UINT32_MAX
#define RADIAL_NOT_TRIED (UINT32_MAX - 1)

/* Checks that the options name a mapping and a centre. */
syn_status syn_radial_check_options(const syn_collide_options *options, syn_error *error);
syn_status syn_radial_table_create(const syn_context *context, const syn_trimesh *mesh,
                                   const syn_collide_options *options, bool outside, radial_table *table,
                                   syn_error *error);
void syn_radial_table_release(radial_table *table); /* clears all but the context */
/* Sets new positions of all vertices, with the same triangles. If vertices moved only along their rays, the cells are
 * kept. Otherwise the cells near the moved triangles are made again; all of them if many moved or the grid does not
 * cover them. On failure the table is unchanged. Depths are those of a new table, except perhaps for the last bit if a
 * ray passes a border of triangles within rounding. *kept (may be NULL) says whether all cells were kept. */
syn_status syn_radial_table_update(radial_table *table, const syn_vec3 *vertices, bool *kept, syn_error *error);

/* Returns whether the grid would have cells for all directions of the triangle, as one of that kind. */
bool syn_radial_grid_holds(const radial_table *table, uint32_t triangle, radial_kind kind);
/* Lowers the cosine of the cap until the cap contains this triangle, if that is a wall. Directions of a triangle are
 * normalised points of its corners' hull, which lowers a negative product. */
void syn_radial_widen_cap(radial_table *table, uint32_t triangle);

/* The triangles that a ray into a cell of the walls or backs may hit, and perhaps a few more. */
typedef struct radial_members {
  uint32_t count, rule; /* RADIAL_EACH (then no matter what else), RADIAL_LEAST or neither */
  uint32_t pair[2];
  const uint32_t *list; /* NULL: the pair */
} radial_members;
static inline radial_members syn_radial_members(const radial_cells *cells, uint32_t cell) {
  const uint32_t head = cells->heads[cell];
  if (head == RADIAL_EMPTY) return (radial_members){0};
  if (head & RADIAL_LISTED) {
    const uint32_t *list = cells->lists + (head & RADIAL_OFFSET);
    return (radial_members){list[0] & RADIAL_OFFSET, list[0] & ~RADIAL_OFFSET, {0, 0}, list + 1};
  }
  const uint32_t base = cells->bases[cell >> RADIAL_CELL_BITS];
  const uint32_t a = base + (head & RADIAL_LOCAL), b = base + (head >> RADIAL_LOCAL_BITS & RADIAL_LOCAL);
  return (radial_members){a == b ? 1 : 2, head & RADIAL_LEAST, {a, b}, NULL};
}
static inline uint32_t radial_member(const radial_members *members, uint32_t i) {
  return members->list ? members->list[i] : members->pair[i];
}

static inline double radial_ratio(const radial_table *table, uint32_t triangle, syn_vec3 point) {
  const double *toward = table->toward[triangle];
  return toward[0] * point.x + toward[1] * point.y + toward[2] * point.z;
}

/* Returns whether two unit directions are so close that cells made for one are valid for the other. */
static inline bool radial_keeps_ray(syn_vec3 made_for, syn_vec3 now) {
  const double x = now.x - made_for.x, y = now.y - made_for.y, z = now.z - made_for.z;
  return __builtin_sqrt(x * x + y * y + z * z) <= RADIAL_SLACK / 10;
}

/* Points nearer to the centre than the first or farther than the second have no reliable direction. */
#define RADIAL_NEAREST 1e-30 /* floats hold both */
#define RADIAL_FARTHEST 1e30
static inline bool radial_has_direction(double radius) { return radius > RADIAL_NEAREST && radius < RADIAL_FARTHEST; }

#endif
