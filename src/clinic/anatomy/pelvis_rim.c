/* Finds the rim of the acetabulum: its silhouette edge seen from the centre, all the way round, and the plane through
 * it. */
#include <stdlib.h>

#include "clinic/anatomy/pelvis.h"
#include "geometry/fit.h"

typedef struct rim_search {
  const syn_bone *bone;
  syn_triangle *near; /* those that may belong to the cup */
  size_t near_count;
  syn_triangle *sorted; /* grouped by the spokes that may cross them; a triangle crossed by several is repeated */
  size_t sorted_capacity, first[SYN_RIM_POINTS + 1];
  double angle[SYN_RIM_POINTS]; /* from the floor's direction, -normal */
  bool seen[SYN_RIM_POINTS];    /* false: interpolated across the notch */
  syn_vec3 *rim;
} rim_search;

/* Max distance of the rim's bone from the centre, in radii: osteophytes are nearer, the spines farther. */
static const double rim_reach = 1.3;

/* The acetabular notch opens downward: from 4:30 to 7:30 on the clock. */
enum { NOTCH_BEGIN = SYN_RIM_POINTS * 9 / 24, NOTCH_END = SYN_RIM_POINTS * 15 / 24 };

static syn_status collect_near(syn_bone *bone, const syn_cup *cup, rim_search *search, syn_error *error) {
  const double limit = rim_reach * cup->sphere.radius_mm;
  size_t count = 0;
  for (int pass = 0; pass < 2; ++pass) {
    if (pass) SYN_TRY(SYN_TAKE(&bone->arena, &search->near, count, error));
    count = 0;
    for (uint32_t i = 0; i < bone->triangle_count; ++i) {
      const syn_triangle t = bone->triangles[i];
      bool near = true;
      for (int k = 0; k < 3; ++k) near &= vec3_distance(bone->points[t.v[k]], cup->sphere.center) <= limit;
      if (!near) continue;
      if (pass) search->near[count] = t;
      ++count;
    }
  }
  search->near_count = count;
  return SYN_OK;
}

static syn_vec3 spoke(syn_vec3 top, syn_vec3 side, size_t index) {
  const double clock = 2 * SYN_PI * (double)index / SYN_RIM_POINTS;
  return vec3_add(vec3_scale(top, cos(clock)), vec3_scale(side, sin(clock)));
}

static int by_size(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Returns the median of the rim's visible angles; negative if less than half the rim was seen. */
static double median_angle(const rim_search *search) {
  double sorted[SYN_RIM_POINTS];
  size_t count = 0;
  for (size_t i = 0; i < SYN_RIM_POINTS; ++i)
    if (search->seen[i]) sorted[count++] = search->angle[i];
  if (count < SYN_RIM_POINTS / 2) return -1;
  qsort(sorted, count, sizeof *sorted, by_size);
  return sorted[count / 2];
}

/* Returns the angle in the middle of the joint surface, where the walk to the rim begins: half way to the rim of a
 * hemisphere, less in a shallow cup. */
static double walk_start(const syn_bone *bone, const syn_cup *cup) {
  double sum = 0, weight = 0;
  for (uint32_t i = 0; i < bone->vertex_count; ++i) {
    if (!syn_cup_has_vertex(cup, bone, i)) continue;
    const syn_vec3 out = vec3_unit(vec3_sub(bone->points[i], cup->sphere.center));
    const double polar = acos(max2(-1, min2(1, -vec3_dot(out, cup->normal))));
    sum += bone->areas[i] * polar;
    weight += bone->areas[i];
  }
  return weight > 0 ? sum / weight : SYN_PI / 4;
}

/* `count` spokes from `from` on whose half planes may cross the triangle. */
typedef struct spoke_range {
  size_t from, count;
} spoke_range;

static spoke_range spokes_across(const rim_search *search, const syn_cup *cup, syn_vec3 top, syn_vec3 side,
                                 const syn_triangle *triangle) {
  const spoke_range all = {0, SYN_RIM_POINTS};
  double base = 0, low = 0, high = 0;
  for (int k = 0; k < 3; ++k) {
    const syn_vec3 off = vec3_sub(search->bone->points[triangle->v[k]], cup->sphere.center);
    const double clock = atan2(vec3_dot(off, side), vec3_dot(off, top));
    if (k == 0) base = clock;
    double turn = clock - base;
    if (turn > SYN_PI) turn -= 2 * SYN_PI;
    if (turn < -SYN_PI) turn += 2 * SYN_PI;
    low = min2(low, turn);
    high = max2(high, turn);
  }
  if (high - low > SYN_PI / 2) return all; /* near the axis, or around it */
  const double step = 2 * SYN_PI / SYN_RIM_POINTS;
  /* One full rotation is added, so that no number is negative. */
  const double from = floor((base + low) / step - 1e-6) + SYN_RIM_POINTS;
  const double to = ceil((base + high) / step + 1e-6) + SYN_RIM_POINTS;
  return (spoke_range){(size_t)from % SYN_RIM_POINTS, (size_t)(to - from) + 1};
}

static syn_status sort_by_spoke(syn_bone *bone, rim_search *search, const syn_cup *cup, syn_vec3 top, syn_vec3 side,
                                syn_error *error) {
  size_t count[SYN_RIM_POINTS] = {0}, end[SYN_RIM_POINTS];
  for (size_t i = 0; i < search->near_count; ++i) {
    const spoke_range range = spokes_across(search, cup, top, side, &search->near[i]);
    for (size_t k = 0; k < range.count; ++k) ++count[(range.from + k) % SYN_RIM_POINTS];
  }
  search->first[0] = 0;
  for (size_t s = 0; s < SYN_RIM_POINTS; ++s) {
    end[s] = search->first[s];
    search->first[s + 1] = search->first[s] + count[s];
  }
  if (search->first[SYN_RIM_POINTS] > search->sorted_capacity) {
    search->sorted_capacity = 2 * search->first[SYN_RIM_POINTS];
    SYN_TRY(SYN_TAKE(&bone->arena, &search->sorted, search->sorted_capacity, error));
  }
  for (size_t i = 0; i < search->near_count; ++i) {
    const spoke_range range = spokes_across(search, cup, top, side, &search->near[i]);
    for (size_t k = 0; k < range.count; ++k) search->sorted[end[(range.from + k) % SYN_RIM_POINTS]++] = search->near[i];
  }
  return SYN_OK;
}

static void look_round(rim_search *search, const syn_cup *cup, syn_vec3 top, syn_vec3 side) {
  syn_profile profile = {.center = cup->sphere.center,
                         .start = vec3_neg(cup->normal),
                         .from = cup->start,
                         .farthest = rim_reach * cup->sphere.radius_mm};
  for (size_t i = 0; i < SYN_RIM_POINTS; ++i) {
    profile.toward = spoke(top, side, i);
    search->seen[i] =
        syn_profile_edge(search->bone->points, search->sorted + search->first[i],
                         search->first[i + 1] - search->first[i], NULL, &profile, &search->rim[i], &search->angle[i]);
  }
}

/* Removes the notch: where the edge drops well below the rest of the rim, and its flanks. If the clock is known, only
 * at the notch's position: elsewhere a low wall is the rim. */
static bool drop_notch(rim_search *search, bool on_clock) {
  const double median = median_angle(search), deep = 0.26, flank = 0.14; /* 15 and 8 degrees */
  if (median < 0) return false;
  bool low[SYN_RIM_POINTS], bridged[SYN_RIM_POINTS];
  for (size_t i = 0; i < SYN_RIM_POINTS; ++i) {
    const bool can_be = !on_clock || (i >= NOTCH_BEGIN && i <= NOTCH_END);
    low[i] = search->seen[i] && search->angle[i] < median - flank;
    bridged[i] = can_be && !(search->seen[i] && search->angle[i] >= median - deep);
    search->seen[i] = search->seen[i] && !bridged[i];
  }
  for (int sense = 0; sense < 2; ++sense)
    for (size_t step = 0; step < 2 * SYN_RIM_POINTS; ++step) {
      const size_t i = (sense ? 2 * SYN_RIM_POINTS - step : step) % SYN_RIM_POINTS;
      const size_t before = (i + (sense ? 1 : SYN_RIM_POINTS - 1)) % SYN_RIM_POINTS;
      if (!low[i] || !bridged[before]) continue;
      bridged[i] = true;
      search->seen[i] = false;
    }
  return median_angle(search) >= 0;
}

/* Interpolates angle and distance linearly from one end of the notch to the other, as the transverse ligament runs. */
static void bridge(rim_search *search, const syn_cup *cup, syn_vec3 top, syn_vec3 side) {
  for (size_t i = 0; i < SYN_RIM_POINTS; ++i) {
    if (search->seen[i]) continue;
    size_t back = 1, ahead = 1;
    while (!search->seen[(i + SYN_RIM_POINTS - back) % SYN_RIM_POINTS]) ++back;
    while (!search->seen[(i + ahead) % SYN_RIM_POINTS]) ++ahead;
    const size_t a = (i + SYN_RIM_POINTS - back) % SYN_RIM_POINTS, b = (i + ahead) % SYN_RIM_POINTS;
    const double t = (double)back / (double)(back + ahead);
    const double angle = search->angle[a] + t * (search->angle[b] - search->angle[a]);
    const double from = vec3_distance(search->rim[a], cup->sphere.center);
    const double distance = from + t * (vec3_distance(search->rim[b], cup->sphere.center) - from);
    const syn_vec3 out = vec3_add(vec3_scale(cup->normal, -cos(angle)), vec3_scale(spoke(top, side, i), sin(angle)));
    search->angle[i] = angle;
    search->rim[i] = vec3_madd(cup->sphere.center, distance, out);
  }
}

/* Fits a plane through the visible points, with less weight on distant ones: spurs and dents. */
static syn_vec3 fit_plane(const rim_search *search, syn_vec3 old_normal, syn_vec3 *center) {
  enum { ROUNDS = 8 };
  const double scale = 2; /* mm */
  double weight[SYN_RIM_POINTS];
  for (size_t i = 0; i < SYN_RIM_POINTS; ++i) weight[i] = search->seen[i];
  syn_vec3 normal = old_normal;
  for (int round = 0; round < ROUNDS; ++round) {
    normal = syn_fit_plane(search->rim, weight, SYN_RIM_POINTS, center);
    if (vec3_dot(normal, old_normal) < 0) normal = vec3_neg(normal);
    for (size_t i = 0; i < SYN_RIM_POINTS; ++i) {
      const double off = vec3_dot(vec3_sub(search->rim[i], *center), normal) / scale;
      weight[i] = search->seen[i] ? 1 / (1 + off * off) : 0;
    }
  }
  return normal;
}

/* The fitted centre depends on the weights of the points; for a ring with a gap it is corrected by taking all points,
 * including interpolated ones. */
static syn_vec3 ring_center(const syn_vec3 *rim, syn_vec3 on_plane, syn_vec3 normal) {
  syn_vec3 sum = {0};
  for (size_t i = 0; i < SYN_RIM_POINTS; ++i) sum = vec3_madd(sum, 1.0 / SYN_RIM_POINTS, vec3_sub(rim[i], on_plane));
  return vec3_add(on_plane, vec3_madd(sum, -vec3_dot(sum, normal), normal));
}

syn_status syn_rim_find(syn_bone *bone, syn_cup *cup, syn_vec3 up, syn_vec3 front, bool on_clock,
                        syn_vec3 rim[SYN_RIM_POINTS], bool *found, syn_error *error) {
  /* Each iteration reduces the rotation to about a tenth. Iterated to convergence, so that the start does not matter.
   */
  enum { ROUNDS = 30 };
  const double at_rest = 1e-9; /* radians */
  rim_search search = {.bone = bone, .rim = rim};
  SYN_TRY(collect_near(bone, cup, &search, error));
  *found = false;
  for (int round = 0; round < ROUNDS; ++round) {
    /* The clock face in the current plane of the rim. */
    const syn_vec3 top = vec3_unit(vec3_madd(up, -vec3_dot(up, cup->normal), cup->normal));
    const syn_vec3 side = vec3_unit(vec3_cross(cup->normal, top));
    const syn_vec3 forward = vec3_dot(side, front) < 0 ? vec3_neg(side) : side;
    /* Find the rim along each spoke; the notch has none and is bridged. */
    cup->start = walk_start(bone, cup);
    SYN_TRY(sort_by_spoke(bone, &search, cup, top, forward, error));
    look_round(&search, cup, top, forward);
    if (!drop_notch(&search, on_clock)) return SYN_OK;
    bridge(&search, cup, top, forward);
    /* Fit the plane again, until it no longer rotates. */
    syn_vec3 on_plane;
    const syn_vec3 normal = fit_plane(&search, cup->normal, &on_plane);
    const double turn = vec3_length(vec3_cross(normal, cup->normal));
    cup->rim_center = ring_center(rim, on_plane, cup->normal);
    if (turn < at_rest || round == ROUNDS - 1) break;
    cup->normal = normal;
  }
  *found = true;
  return SYN_OK;
}
