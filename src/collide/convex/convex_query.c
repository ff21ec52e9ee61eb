/* Queries two convex bodies: bounding balls first, then a descent from the warm start, then the depth of an overlap. */

#include "base/names.h"
#include "base/status.h"
#include "collide/convex/convex.h"
#include "collide/magnitude.h"
#include "geometry/convex_contact.h"

/* Computes the distance of convex bodies (Gilbert, Johnson and Keerthi 1988): a simplex of differences descends to the
 * origin. The steps on simplexes are those of the alternating search. */
/* Moves both witnesses to the difference nearest to the origin; false if the pairs enclose it. The simplexes have equal
 * counts here: pairs of vertices. */
static bool move_witnesses(convex_simplex sides[2]) {
  syn_vec3 difference[4];
  double weights[4];
  for (uint32_t i = 0; i < sides[0].count; ++i) difference[i] = vec3_sub(sides[0].point[i], sides[1].point[i]);
  const bool apart = syn_simplex_nearest(difference, sides[0].count, weights);
  syn_simplex_reduce(&sides[0], weights);
  syn_simplex_reduce(&sides[1], weights);
  return apart;
}

/* Returns the difference as a sum of differences: for bodies almost in contact, subtracting the witnesses would cancel
 * digits. */
static syn_vec3 summed_difference(const convex_simplex sides[2]) {
  syn_vec3 sum = {0, 0, 0};
  for (uint32_t i = 0; i < sides[0].count; ++i)
    sum = vec3_madd(sum, sides[0].weight[i], vec3_sub(sides[0].point[i], sides[1].point[i]));
  return sum;
}

/* Repeats the last vertex of the shorter side, so that any two simplexes become pairs. */
static void make_pairs(convex_simplex sides[2]) {
  for (int side = 0; side < 2; ++side)
    while (sides[side].count < sides[!side].count) {
      convex_simplex *s = &sides[side];
      s->vertex[s->count] = s->vertex[s->count - 1];
      s->point[s->count] = s->point[s->count - 1];
      ++s->count;
    }
}

static bool has_pair(const convex_simplex sides[2], uint32_t a, uint32_t b) {
  for (uint32_t i = 0; i < sides[0].count; ++i)
    if (sides[0].vertex[i] == a && sides[1].vertex[i] == b) return true;
  return false;
}

/* Max count of successive simplexes without progress: rounding could otherwise keep the gap constant for ever. */
enum { MOST_IN_VAIN = 16 };

static syn_convex_exit syn_convex_gjk(convex_pair *pair, convex_simplex sides[2], double *lower) {
  make_pairs(sides);
  bool apart = move_witnesses(sides);
  uint32_t in_vain = 0;
  *lower = 0;
  for (;;) {
    const syn_vec3 v = summed_difference(sides);
    const double distance = vec3_length(v);
    if (!apart || !(distance > pair->rounding)) return SYN_CONVEX_COLLIDING;
    const uint32_t a = syn_convex_support(pair, 0, vec3_neg(v)), b = syn_convex_support(pair, 1, v);
    const syn_vec3 w = vec3_sub(syn_convex_place(pair, 0, a), syn_convex_place(pair, 1, b));
    /* The plane through w orthogonal to v bounds the distance from below (Eq. 4.8 and 4.9). */
    const double gain = vec3_dot(v, vec3_sub(v, w));
    *lower = max2(*lower, min2(distance, distance - gain / distance));
    if (*lower > pair->far) return SYN_CONVEX_FAR;
    if (gain <= distance * (pair->precision * distance + pair->rounding)) return SYN_CONVEX_CLOSED;
    const convex_simplex before[2] = {sides[0], sides[1]};
    if (!has_pair(sides, a, b)) {
      syn_simplex_add(pair, 0, a, &sides[0]);
      syn_simplex_add(pair, 1, b, &sides[1]);
      apart = move_witnesses(sides);
      const double left2 = vec3_length2(summed_difference(sides));
      in_vain = left2 < vec3_length2(v) ? 0 : in_vain + 1;
      if (!apart || (left2 < distance * distance && in_vain < MOST_IN_VAIN)) continue;
    }
    sides[0] = before[0];
    sides[1] = before[1];
    return SYN_CONVEX_UNSTABLE;
  }
}

SYN_ENUM_NAMES(syn_convex_algorithm,
               SYN_CONVEX_ALGORITHMS, [SYN_CONVEX_ALTERNATING] = "alternating", [SYN_CONVEX_GJK] = "gjk");

SYN_ENUM_NAMES(syn_convex_exit, SYN_CONVEX_EXITS, [SYN_CONVEX_FAR] = "far", [SYN_CONVEX_CLOSED] = "closed",
               [SYN_CONVEX_COLLIDING] = "colliding", [SYN_CONVEX_UNSTABLE] = "unstable");

syn_convex_options syn_default_convex_options(void) {
  return (syn_convex_options){.far_mm = INFINITY, .precision = 1e-12, .cookie = SYN_COOKIE};
}

static bool remembered(const syn_convex *body, uint32_t count, const uint32_t *vertices) {
  if (count < 1 || count > 4) return false;
  for (uint32_t i = 0; i < count; ++i)
    if (vertices[i] >= body->vertex_count) return false;
  return true;
}

/* Starts with the simplexes of the last query, or with the support vertices along the line of the centres. */
static void start_simplexes(convex_pair *pair, const syn_convex_memory *memory, convex_simplex sides[2]) {
  sides[0].count = sides[1].count = 0;
  if (memory && remembered(pair->body[0], memory->count_a, memory->a) &&
      remembered(pair->body[1], memory->count_b, memory->b)) {
    for (uint32_t i = 0; i < memory->count_a; ++i) syn_simplex_add(pair, 0, memory->a[i], &sides[0]);
    for (uint32_t i = 0; i < memory->count_b; ++i) syn_simplex_add(pair, 1, memory->b[i], &sides[1]);
    pair->last[0] = memory->a[0];
    pair->last[1] = memory->b[0];
    return;
  }
  const syn_vec3 apart = vec3_sub(syn_pose_point(pair->pose, pair->body[1]->center), pair->body[0]->center);
  syn_simplex_add(pair, 0, syn_convex_support(pair, 0, apart), &sides[0]);
  syn_simplex_add(pair, 1, syn_convex_support(pair, 1, vec3_neg(apart)), &sides[1]);
}

static void keep(const convex_simplex sides[2], syn_convex_memory *memory) {
  memory->count_a = sides[0].count;
  memory->count_b = sides[1].count;
  for (uint32_t i = 0; i < sides[0].count; ++i) memory->a[i] = sides[0].vertex[i];
  for (uint32_t i = 0; i < sides[1].count; ++i) memory->b[i] = sides[1].vertex[i];
}

/* Lists the vertices of a feature once each, because pairs repeat vertices. A fourth vertex appears only in an overlap.
 */
static uint32_t tell_feature(const convex_simplex *simplex, uint32_t feature[3]) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < simplex->count && count < 3; ++i) {
    bool told = false;
    for (uint32_t k = 0; k < count; ++k) told = told || feature[k] == simplex->vertex[i];
    if (!told) feature[count++] = simplex->vertex[i];
  }
  return count;
}

static void write_result(const convex_pair *pair, const convex_simplex sides[2], double lower,
                         syn_convex_result *result) {
  result->point_a = sides[0].witness;
  result->point_b = sides[1].witness;
  result->distance_mm = result->exit == SYN_CONVEX_COLLIDING ? 0 : vec3_distance(result->point_a, result->point_b);
  result->bound_mm = min2(lower, result->distance_mm);
  result->direction = vec3(0, 0, 0);
  if (result->exit != SYN_CONVEX_COLLIDING) result->direction = vec3_unit(vec3_sub(result->point_b, result->point_a));
  result->count_a = tell_feature(&sides[0], result->feature_a);
  result->count_b = tell_feature(&sides[1], result->feature_b);
  result->supports = pair->supports;
  result->looked = pair->looked;
}

/* Returns whether the bounding balls are farther apart than the limit: no support point is needed then. */
static bool balls_are_far(const convex_pair *pair, syn_convex_result *result) {
  if (!isfinite(pair->far)) return false;
  const syn_convex *a = pair->body[0], *b = pair->body[1];
  const double lower = vec3_distance(syn_pose_point(pair->pose, b->center), a->center) - a->radius - b->radius;
  if (!(lower > pair->far)) return false;
  convex_simplex sides[2] = {0};
  for (int side = 0; side < 2; ++side) {
    syn_simplex_add(pair, side, 0, &sides[side]);
    sides[side].witness = sides[side].point[0];
  }
  result->exit = SYN_CONVEX_FAR;
  write_result(pair, sides, lower, result);
  return true;
}

syn_status syn_convex_query(const syn_convex *a, const syn_convex *b, const syn_pose *pose,
                            const syn_convex_options *options, syn_convex_memory *memory, void *scratch,
                            syn_convex_result *result) {
  const syn_pose identity = syn_pose_identity();
  const syn_convex_options standard = syn_default_convex_options();
  if (!options) options = &standard;
  syn_status status = SYN_CHECK_OPTIONS(options, syn_default_convex_options, NULL);
  if (status == SYN_OK) status = syn_check_pose(pose, SYN_LARGEST_CONVEX_MM, NULL);
  if (status != SYN_OK) {
    *result = (syn_convex_result){.exit = SYN_CONVEX_UNSTABLE, .distance_mm = NAN, .bound_mm = NAN};
    return status;
  }
  convex_pair pair = {.body = {a, b},
                      .pose = pose ? pose : &identity,
                      .last = {SYN_NONE, SYN_NONE},
                      .far = options->far_mm,
                      .precision = options->precision,
                      .room = syn_convex_room(a->vertex_count, b->vertex_count)};
  /* Coordinates have the size of the bodies and their positions; each operation has a rounding of half a unit in the
   * last place. */
  pair.rounding = 0x1p-50 * (vec3_length(a->center) + a->radius + vec3_length(b->center) + b->radius +
                             vec3_length(pair.pose->translation));
  /* Bounding balls first. */
  if (balls_are_far(&pair, result)) return SYN_OK;
  convex_simplex sides[2];
  double lower;
  /* Descend from the warm start to the nearest simplexes. */
  start_simplexes(&pair, memory, sides);
  result->exit = options->algorithm == SYN_CONVEX_GJK ? syn_convex_gjk(&pair, sides, &lower)
                                                      : syn_convex_alternate(&pair, sides, &lower);
  if (memory) keep(sides, memory);
  write_result(&pair, sides, lower, result);
  /* Compute the depth of an overlap. */
  if (result->exit == SYN_CONVEX_COLLIDING && scratch) syn_convex_penetration(&pair, scratch, result);
  return SYN_OK;
}
