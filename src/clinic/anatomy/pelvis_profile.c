/* Finds the silhouette edge of a bone seen from a cup's centre, in one plane. */
#include "clinic/anatomy/pelvis.h"

/* Angles are sorted into cells; the last one keeps the exact end. A gap of up to GAP cells is bridged: pores and cracks
 * of a scanned surface. */
enum { CELLS = 360, GAP = 5 };

typedef struct cell {
  bool covered;
  double angle; /* max angle of any bone in the cell */
  syn_vec3 place;
} cell;

typedef struct cut {
  syn_vec3 end[2];
  double angle[2];
} cut;

static double signed_distance(const syn_profile *profile, syn_vec3 across, syn_vec3 p) {
  return vec3_dot(vec3_sub(p, profile->center), across);
}

/* Computes where the triangle crosses the plane; returns false if it does not, or only touches with its first vertex.
 */
static bool cross_plane(const syn_profile *profile, syn_vec3 across, const syn_vec3 corner[3], cut *result) {
  double d[3];
  for (int k = 0; k < 3; ++k) d[k] = signed_distance(profile, across, corner[k]);
  int ends = 0;
  for (int k = 0; k < 3 && ends < 2; ++k) {
    const int next = (k + 1) % 3;
    if ((d[k] < 0) == (d[next] < 0)) continue;
    result->end[ends++] = vec3_lerp(corner[k], corner[next], d[k] / (d[k] - d[next]));
  }
  return ends == 2;
}

static double angle_of(const syn_profile *profile, syn_vec3 p) {
  const syn_vec3 off = vec3_sub(p, profile->center);
  return atan2(vec3_dot(off, profile->toward), vec3_dot(off, profile->start));
}

static void cover(cell *cells, const cut *piece) {
  const int last = piece->angle[1] > piece->angle[0];
  const double low = piece->angle[!last], high = piece->angle[last];
  const int from = (int)(max2(low, 0) / SYN_PI * CELLS);
  int to = (int)(high / SYN_PI * CELLS);
  if (to >= CELLS) to = CELLS - 1;
  for (int i = from; i < to; ++i)
    if (!cells[i].covered || cells[i].angle < (i + 1) * SYN_PI / CELLS) {
      const double angle = (i + 1) * SYN_PI / CELLS;
      cells[i] = (cell){true, angle, vec3_lerp(piece->end[!last], piece->end[last], (angle - low) / (high - low))};
    }
  if (!cells[to].covered || cells[to].angle < high) cells[to] = (cell){true, high, piece->end[last]};
}

/* A face seen edge-on adds nothing: both its ends are at one angle. It is viewed from its middle, so the order of its
 * vertices does not matter. */
static bool facing_and_near(const syn_profile *profile, const syn_vec3 corner[3]) {
  const double edge_on = 0.05, limit = profile->farthest * profile->farthest;
  const syn_vec3 middle = vec3_scale(vec3_add(vec3_add(corner[0], corner[1]), corner[2]), 1. / 3);
  const syn_vec3 way = vec3_sub(profile->center, middle);
  for (int k = 0; k < 3; ++k)
    if (vec3_length2(vec3_sub(corner[k], profile->center)) > limit) return false;
  const syn_vec3 normal = vec3_cross(vec3_sub(corner[1], corner[0]), vec3_sub(corner[2], corner[0]));
  return vec3_dot(normal, way) > edge_on * vec3_length(normal) * vec3_length(way);
}

static bool walk(const cell *cells, double from, syn_vec3 *edge, double *angle) {
  const int first = (int)(from / SYN_PI * CELLS);
  int last = -1;
  for (int i = first; i < CELLS && i - (last < 0 ? first : last) <= GAP; ++i)
    if (cells[i].covered) last = i;
  if (last < 0) return false;
  *edge = cells[last].place;
  *angle = cells[last].angle;
  return true;
}

bool syn_profile_edge(const syn_vec3 *points, const syn_triangle *triangles, size_t triangle_count, const uint8_t *only,
                      const syn_profile *profile, syn_vec3 *edge, double *angle) {
  cell cells[CELLS] = {0};
  const syn_vec3 across = vec3_cross(profile->start, profile->toward);
  for (size_t i = 0; i < triangle_count; ++i) {
    const uint32_t *v = triangles[i].v;
    if (only && !(only[v[0]] && only[v[1]] && only[v[2]])) continue;
    const syn_vec3 corner[3] = {points[v[0]], points[v[1]], points[v[2]]};
    cut piece;
    if (!cross_plane(profile, across, corner, &piece) || !facing_and_near(profile, corner)) continue;
    for (int k = 0; k < 2; ++k) piece.angle[k] = angle_of(profile, piece.end[k]);
    if (fabs(piece.angle[0] - piece.angle[1]) > SYN_PI / 2 || max2(piece.angle[0], piece.angle[1]) < 0) continue;
    cover(cells, &piece);
  }
  return walk(cells, profile->from, edge, angle);
}
