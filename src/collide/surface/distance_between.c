/* Branch and bound: bisects a triangle as long as its upper bound exceeds the best depth. */
#pragma GCC diagnostic ignored "-Wframe-larger-than=" /* the boxes to come back to: a query may not allocate */
#include "collide/surface/distance_between.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/vec.h"
#include "collide/surface/depth_bounds.h"
#include "geometry/predicates.h"
#include "mesh/derived.h"
#include "mesh/tree/box_tree.h"

#include <math.h>
#include <synovia/collide.h>

/* Finds whether two bodies overlap at the identity pose, how deep and where. */
typedef struct crossing_search {
  const syn_trimesh *fixed, *mobile;
  bool found;
  syn_vec3 point;
} crossing_search;

/* Returns whether the segment crosses the inside of the triangle, by more than a touch. */
static bool pierces(syn_vec3 p, syn_vec3 q, const syn_vec3 t[3], syn_vec3 *point) {
  const int above = syn_orient3d(t[0], t[1], t[2], p), below = syn_orient3d(t[0], t[1], t[2], q);
  if (above * below >= 0) return false;
  const int side = syn_orient3d(p, q, t[0], t[1]);
  if (side == 0 || syn_orient3d(p, q, t[1], t[2]) != side || syn_orient3d(p, q, t[2], t[0]) != side) return false;
  const syn_vec3 n = vec3_cross(vec3_sub(t[1], t[0]), vec3_sub(t[2], t[0]));
  const double from = vec3_dot(n, vec3_sub(p, t[0])), to = vec3_dot(n, vec3_sub(q, t[0]));
  *point = from != to ? vec3_lerp(p, q, from / (from - to)) : p;
  return true;
}

static bool note_crossing(void *user, uint32_t fixed, uint32_t mobile) {
  crossing_search *c = user;
  syn_vec3 a[3], b[3];
  for (int i = 0; i < 3; ++i) {
    a[i] = c->fixed->vertices[c->fixed->triangles[fixed].v[i]];
    b[i] = c->mobile->vertices[c->mobile->triangles[mobile].v[i]];
  }
  for (int i = 0; i < 3 && !c->found; ++i)
    c->found = pierces(a[i], a[(i + 1) % 3], b, &c->point) || pierces(b[i], b[(i + 1) % 3], a, &c->point);
  return !c->found;
}

static syn_status find_crossing(crossing_search *c, syn_error *error) {
  syn_derived *fixed = NULL, *mobile = NULL;
  syn_status status = syn_derive(c->fixed, &syn_derive_box_tree, &fixed, error);
  if (status == SYN_OK) status = syn_derive(c->mobile, &syn_derive_box_tree, &mobile, error);
  if (status == SYN_OK) syn_box_tree_pairs(fixed->made, mobile->made, note_crossing, c);
  syn_derived_release(fixed);
  syn_derived_release(mobile);
  return status;
}

syn_status syn_clearance_find(const syn_trimesh *fixed, const syn_trimesh *mobile, const syn_vec3 *center,
                              const syn_pose *pose, syn_clearance *clearance, syn_error *error) {
  syn_distance *distance;
  char *scratch;
  SYN_TRY(syn_pose_check(pose, error));
  if (fixed->triangle_count == 0 || mobile->triangle_count == 0)
    return syn_fail(error, SYN_BAD_MESH, "a mesh without triangles has no distance from anything");
  SYN_TRY(syn_distance_create(fixed, mobile, center, &distance, error));
  syn_status status = SYN_NEW(fixed->context, &scratch, syn_distance_scratch(distance), error);
  if (status == SYN_OK) {
    status = syn_distance_query(distance, pose, NULL, scratch, clearance);
    syn_free(fixed->context, scratch);
  }
  syn_distance_destroy(distance);
  return status;
}

syn_status syn_penetration_find(const syn_trimesh *fixed, const syn_trimesh *mobile, const syn_vec3 *center,
                                syn_penetration *penetration, syn_error *error) {
  crossing_search c = {.fixed = fixed, .mobile = mobile};
  syn_clearance clearance;
  *penetration = (syn_penetration){.found = false, .depth_mm = NAN};
  if (fixed->triangle_count == 0 || mobile->triangle_count == 0) return SYN_OK;
  SYN_TRY(syn_clearance_find(fixed, mobile, center, NULL, &clearance, error));
  if (clearance.distance_mm < 0) {
    *penetration = (syn_penetration){true, -clearance.distance_mm, clearance.point_mobile};
    return SYN_OK;
  }
  /* Surfaces may cross with no vertex of one inside the other, or without an inside. */
  if (clearance.crossing) SYN_TRY(find_crossing(&c, error));
  *penetration = (syn_penetration){c.found, NAN, c.point};
  return SYN_OK;
}

/* Two cuts halve a triangle: 2 * 64 cuts take one that is 1e19 times as long to below the tolerance, as do 19 steps,
 * each a tenth of the previous one. */
enum { PARTS = 64, LEAST_GRAIN = 64, DEEPEST_CUT = 2 * 64, A_FEW = 16, LARGE_STEPS = 19 };

typedef struct search {
  const syn_surface_tree *fixed;
  double tolerance;
  uint32_t triangle; /* the current mobile triangle */
  syn_deep_point best;
} search;

/* ---- cutting -------------------------------------------------------------------------------------------------------
 */

static int longest_edge(const syn_piece *p) {
  double length2[3];
  for (int i = 0; i < 3; ++i) length2[i] = vec3_length2(vec3_sub(p->corner[(i + 1) % 3].at, p->corner[i].at));
  return length2[0] >= length2[1] && length2[0] >= length2[2] ? 0 : length2[1] >= length2[2] ? 1 : 2;
}

/* Evaluates the midpoint, whose nearest surface point is no farther than those of the ends; keeps it if it is the
 * deepest. */
static syn_place halfway(search *s, const syn_place *a, const syn_place *b) {
  const syn_vec3 at = vec3_lerp(a->at, b->at, 0.5);
  const double bound2 = min2(vec3_length2(vec3_sub(at, a->value.point)), vec3_length2(vec3_sub(at, b->value.point)));
  syn_nearest nearest;
  s->fixed->search(s->fixed, at, bound2, &nearest);
  const syn_place made = {at, syn_distance_value_at(s->fixed, false, at, &nearest)};
  const double depth = -made.value.distance;
  if (depth > s->best.depth) s->best = (syn_deep_point){depth, at, made.value.point, made.value.triangle, s->triangle};
  return made;
}

/* Bisects as long as a piece may be deeper than the best point by more than `step`; false if it gives up after `most`
 * cuts. */
static bool cut_down(search *s, const syn_piece *whole, double step, uint32_t most) {
  syn_piece stack[DEEPEST_CUT + 1];
  uint32_t waiting = 0;
  stack[waiting++] = *whole;
  while (waiting > 0) {
    const syn_piece now = stack[--waiting];
    if (waiting == DEEPEST_CUT || !syn_piece_may_be_deeper(s->fixed, &now, s->best.depth + step)) continue;
    if (most-- == 0) return false;
    const int a = longest_edge(&now), b = (a + 1) % 3;
    const syn_place middle = halfway(s, &now.corner[a], &now.corner[b]);
    stack[waiting] = now;
    stack[waiting++].corner[a] = middle;
    stack[waiting] = now;
    stack[waiting++].corner[b] = middle;
  }
  return true;
}

/* Searches a triangle. Most need no cut, or a few. For the others large steps come first, because small ones would
 * creep up every ridge. */
static void search_triangle(search *s, const syn_piece *whole) {
  if (cut_down(s, whole, s->tolerance, A_FEW)) return;
  const int a = longest_edge(whole);
  double step = 0.1 * vec3_distance(whole->corner[a].at, whole->corner[(a + 1) % 3].at);
  for (int k = 0; k < LARGE_STEPS && step > s->tolerance; ++k) {
    cut_down(s, whole, step, UINT32_MAX);
    step *= 0.1;
  }
  cut_down(s, whole, s->tolerance, UINT32_MAX);
}

/* ---- all triangles -------------------------------------------------------------------------------------------------
 */

/* The work is divided into parts whose number depends on the mesh alone; each has a separate best point. */
typedef struct job {
  const syn_vec3 *vertices;
  const syn_triangle *triangles;
  const syn_pose *pose;
  const syn_distance_value *values;
  size_t grain;
  search parts[PARTS];
} job;

static void search_part(void *user, size_t begin, size_t end) {
  job *j = user;
  search *s = &j->parts[begin / j->grain];
  for (size_t t = begin; t < end; ++t) {
    syn_piece whole;
    for (int c = 0; c < 3; ++c) {
      const uint32_t v = j->triangles[t].v[c];
      whole.corner[c] = (syn_place){syn_pose_point(j->pose, j->vertices[v]), j->values[v]};
    }
    s->triangle = (uint32_t)t;
    search_triangle(s, &whole);
  }
}

syn_deep_point syn_distance_deepest_between(const syn_context *context, const syn_surface_tree *fixed,
                                            const syn_vec3 *vertices, const syn_triangle *triangles,
                                            uint32_t triangle_count, const syn_pose *pose,
                                            const syn_distance_value *values, double known) {
  const size_t grain = triangle_count / PARTS + 1;
  job j = {vertices, triangles, pose, values, .grain = grain > LEAST_GRAIN ? grain : LEAST_GRAIN};
  const search none = {.fixed = fixed,
                       .tolerance = max2(1e-9, 1e-12 * (fixed->reach + fixed->origin_reach)),
                       .best = {.depth = max2(known, 0), .fixed_triangle = SYN_NONE, .mobile_triangle = SYN_NONE}};
  for (int part = 0; part < PARTS; ++part) j.parts[part] = none;
  syn_parallel_for(context, triangle_count, j.grain, search_part, &j);
  syn_deep_point best = j.parts[0].best;
  for (int part = 1; part < PARTS; ++part)
    if (j.parts[part].best.depth > best.depth) best = j.parts[part].best;
  return best;
}
