#include "mesh/repair/weld.h"

#include <assert.h>
#include <string.h>

#include "base/hash_table.h"
#include "base/vec.h"

/* Hashes a position; -0 and 0 give the same. */
static uint64_t hash_triple(double x, double y, double z) { return hash_place(vec3(x + 0.0, y + 0.0, z + 0.0)); }

static bool same_point(const void *points, uint32_t i, const void *point) {
  return vec3_equal(((const syn_vec3 *)points)[i], *(const syn_vec3 *)point);
}

syn_status syn_weld_exact(const syn_context *context, const syn_vec3 *points, uint32_t count, uint32_t *representative,
                          uint32_t *merged, syn_error *error) {
  hash_table table;
  SYN_TRY(hash_table_create(context, hash_table_bits(count), &table, error));
  *merged = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const uint64_t hash = hash_triple(points[i].x, points[i].y, points[i].z);
    representative[i] = hash_table_join(&table, hash, i, same_point, points, &points[i]);
    *merged += representative[i] != i;
  }
  syn_free(context, table.slots);
  return SYN_OK;
}

/* ---- within a distance ------------------------------------------------------------------------------------------ */

/* A grid of representatives. Cells are four distances wide, so that everything within reach of a point is in its cell
 * or in the adjacent one on the nearer side, rounding included. Representatives keep their distance, so that a cell has
 * a bounded count. */
typedef struct grid {
  uint32_t *first, *next; /* lists of representatives by hash of cell, by point */
  unsigned bits;          /* 2^bits lists */
  double cell;
} grid;

/* Finds the cell of a coordinate and, if its border is within reach, the adjacent one; returns their count. The reach
 * is a quarter of a cell, and a little more for the rounding of `at`, which grows with it. Beyond 2^51 cells, numbers
 * closer than the distance are equal, so that the coordinate itself serves. */
static int cells_of(double coordinate, double cell, double cells[2]) {
  const double at = coordinate / cell, size = fabs(at);
  cells[0] = coordinate;
  if (!(size < 0x1p51)) return 1;
  cells[0] = floor(at);
  const double inside = at - cells[0], reach = size < 0x1p40 ? 0.251 : 0.5;
  cells[1] = inside < reach ? cells[0] - 1 : cells[0] + 1;
  return inside < reach || inside >= 1 - reach ? 2 : 1;
}

/* Returns whether two points are near. Measured in units of the distance, so that tiny ones do not underflow when
 * squared. */
static bool is_near(syn_vec3 a, syn_vec3 b, double distance) {
  const double x = (a.x - b.x) / distance, y = (a.y - b.y) / distance, z = (a.z - b.z) / distance;
  return x * x + y * y + z * z < 1;
}

/* Returns the lowest representative closer than the distance, or SYN_NONE; *home is the point's list. */
static uint32_t find_near(const grid *g, const syn_vec3 *points, syn_vec3 p, double distance, size_t *home) {
  double x[2], y[2], z[2];
  const int nx = cells_of(p.x, g->cell, x), ny = cells_of(p.y, g->cell, y), nz = cells_of(p.z, g->cell, z);
  *home = (size_t)(hash_triple(x[0], y[0], z[0]) >> (64 - g->bits));
  uint32_t lowest = SYN_NONE;
  for (int k = 0; k < nx * ny * nz; ++k) {
    const size_t list = (size_t)(hash_triple(x[k % nx], y[k / nx % ny], z[k / (nx * ny)]) >> (64 - g->bits));
    for (uint32_t j = g->first[list]; j != SYN_NONE; j = g->next[j])
      if (j < lowest && is_near(points[j], p, distance)) lowest = j;
  }
  return lowest;
}

syn_status syn_weld_within(const syn_context *context, const syn_vec3 *points, uint32_t count, double distance,
                           uint32_t *representative, uint32_t *merged, syn_error *error) {
  assert(distance > 0);
  grid g = {.bits = hash_table_bits(count / 2), .cell = 4 * distance};
  SYN_TRY(SYN_NEW(context, &g.first, (size_t)1 << g.bits, error));
  memset(g.first, 0xff, sizeof *g.first << g.bits);
  syn_status status = SYN_NEW(context, &g.next, count, error);
  *merged = 0;
  for (uint32_t i = 0; i < count && status == SYN_OK; ++i) {
    size_t home;
    representative[i] = find_near(&g, points, points[i], distance, &home);
    if (representative[i] == SYN_NONE) {
      representative[i] = i;
      g.next[i] = g.first[home];
      g.first[home] = i;
    } else {
      ++*merged;
    }
  }
  syn_free(context, g.first);
  syn_free(context, g.next);
  return status;
}
