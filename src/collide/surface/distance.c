/* Computes the signed min distance of two surfaces by branch and bound over two trees (Sundaraj 2004, §5.3), with
 * bounds that also prune parallel parts of the surfaces. */
#include <assert.h>

#include "collide/magnitude.h"
#include "collide/surface/distance_method.h"
#include "collide/surface/patch.h"
#include "geometry/fit.h"
#include "geometry/triangle_pair.h"
#include <synovia/collide.h>

typedef struct side {
  const syn_trimesh *mesh;
  syn_derived *derived; /* the surface, shared */
  const syn_surface_tree *surface;
  syn_patches bounds;
  const syn_patch *patches;
  syn_point_groups groups; /* of the vertices, for fields */
  uint32_t *sample;        /* one triangle of each component */
} side;

struct syn_distance {
  const syn_context *context;
  side fixed, mobile;
  syn_vec3 center; /* shared by the patches */
};

/* ---- making -------------------------------------------------------------------------------------------------------
 */

static syn_status prepare_side(const syn_context *context, side *s, const syn_trimesh *mesh, const char *which,
                               syn_error *error) {
  s->mesh = mesh;
  SYN_TRY(syn_derive(mesh, &syn_derive_surface, &s->derived, error));
  s->surface = derived_surface(s->derived);
  if (!s->surface->solid)
    syn_warn(mesh->context,
             "the %s surface is not closed with its triangles turned outward: what lies inside it is not noticed",
             which);
  SYN_TRY(syn_point_groups_create(context, mesh->vertices, mesh->vertex_count, &s->groups, error));
  const syn_topology *topology = s->surface->topology;
  SYN_TRY(SYN_NEW(context, &s->sample, topology->component_count, error));
  for (uint32_t t = mesh->triangle_count; t-- > 0;) s->sample[topology->triangle_component[t]] = t;
  return SYN_OK;
}

static void release_side(const syn_context *context, side *s) {
  syn_derived_release(s->derived);
  syn_patches_release(&s->bounds);
  syn_point_groups_release(context, &s->groups);
  syn_free(context, s->sample);
}

static sphere_spread fit_sphere(const syn_surface_tree *surface) {
  return syn_fit_sphere(surface->vertices, surface->vertex_count, surface->origin);
}

static syn_status fill_distance(syn_distance *d, const syn_trimesh *fixed, const syn_trimesh *mobile,
                                const syn_vec3 *center, syn_error *error) {
  SYN_TRY(prepare_side(d->context, &d->fixed, fixed, "fixed", error));
  SYN_TRY(prepare_side(d->context, &d->mobile, mobile, "mobile", error));
  if (center) {
    d->center = *center;
  } else { /* the rounder body decides; the mobile one is taken at the identity pose */
    const sphere_spread a = fit_sphere(d->fixed.surface), b = fit_sphere(d->mobile.surface);
    d->center = b.spread <= a.spread ? b.center : a.center;
  }
  SYN_TRY(syn_patches_create(d->context, d->fixed.surface, d->center, &d->fixed.bounds, error));
  SYN_TRY(syn_patches_create(d->context, d->mobile.surface, d->center, &d->mobile.bounds, error));
  d->fixed.patches = d->fixed.bounds.patches;
  d->mobile.patches = d->mobile.bounds.patches;
  return SYN_OK;
}

syn_status syn_distance_create(const syn_trimesh *fixed, const syn_trimesh *mobile, const syn_vec3 *center,
                               syn_distance **distance, syn_error *error) {
  *distance = NULL;
  SYN_TRY(syn_check_surface(fixed, fixed->vertices, "fixed", error));
  SYN_TRY(syn_check_surface(mobile, mobile->vertices, "mobile", error));
  if (center) SYN_TRY(syn_check_point(*center, "the centre", error));
  syn_distance *made;
  SYN_TRY(SYN_NEW_ZEROED(fixed->context, &made, 1, error));
  made->context = fixed->context;
  syn_status status = fill_distance(made, fixed, mobile, center, error);
  if (status != SYN_OK) {
    syn_distance_destroy(made);
    return status;
  }
  *distance = made;
  return SYN_OK;
}

void syn_distance_destroy(syn_distance *d) {
  if (!d) return;
  release_side(d->context, &d->fixed);
  release_side(d->context, &d->mobile);
  syn_free(d->context, d);
}

/* ---- deformation --------------------------------------------------------------------------------------------------
 */

/* Marks the triangles with a vertex that has moved. */
static void mark_moved(const syn_surface_tree *surface, const syn_vec3 *vertices, uint8_t *moved) {
  for (uint32_t t = 0; t < surface->triangle_count; ++t) {
    const uint32_t *v = surface->triangles[t].v;
    moved[t] = 0;
    for (int c = 0; c < 3; ++c) moved[t] |= !vec3_equal(surface->vertices[v[c]], vertices[v[c]]);
  }
}

/* Updates one side. Nothing can fail once the surface has moved. */
static syn_status move_side(const syn_distance *d, side *s, const syn_vec3 *vertices, syn_arena *arena,
                            syn_error *error) {
  uint8_t *moved;
  uint32_t *before;
  SYN_TRY(SYN_TAKE(arena, &moved, s->surface->triangle_count, error));
  SYN_TRY(SYN_TAKE(arena, &before, (size_t)s->surface->triangle_count + 1, error));
  mark_moved(s->surface, vertices, moved);
  SYN_TRY(syn_derive_moved(s->mesh, &syn_derive_surface, vertices, &s->derived, error));
  s->surface = derived_surface(s->derived);
  syn_patches_update(&s->bounds, s->surface, d->center, moved, before);
  return SYN_OK;
}

syn_status syn_distance_update(syn_distance *d, const syn_vec3 *fixed, const syn_vec3 *mobile, syn_error *error) {
  if (fixed) SYN_TRY(syn_check_surface(d->fixed.mesh, fixed, "fixed", error));
  if (mobile) SYN_TRY(syn_check_surface(d->mobile.mesh, mobile, "mobile", error));
  syn_arena arena = {.context = d->context};
  syn_status status = fixed ? move_side(d, &d->fixed, fixed, &arena, error) : SYN_OK;
  if (status == SYN_OK && mobile) status = move_side(d, &d->mobile, mobile, &arena, error);
  syn_arena_release(&arena);
  return status;
}

size_t syn_distance_scratch(const syn_distance *d) {
  const uint32_t a = d->fixed.surface->vertex_count, b = d->mobile.surface->vertex_count;
  return (a > b ? a : b) * sizeof(syn_distance_value);
}

/* ---- bounds -------------------------------------------------------------------------------------------------------
 */

typedef struct search {
  const syn_distance *d;
  const syn_pose *pose;
  syn_vec3 shift;         /* displacement of the shared centre by the pose */
  double shift_by;        /* its length */
  syn_vec3 mobile_origin; /* the mobile surface's origin and its shared centre, both transformed by the pose and */
  syn_vec3 mobile_center; /* relative to the fixed surface's origin */
  double limit;           /* pairs of parts farther apart than this are pruned */
  double best2;
  double slack; /* rounding of distances */
  syn_clearance *result;
} search;

/* A patch in a query: its ball in the fixed body's frame, relative to the origin of its surface. */
typedef struct placed {
  const syn_patch *patch;
  syn_vec3 center;
  double near, far;
} placed;

static syn_vec3 in_doubles(const float v[3]) { return vec3((double)v[0], (double)v[1], (double)v[2]); }

static inline placed place_fixed(const search *q, uint32_t node) {
  const syn_patch *p = &q->d->fixed.patches[node];
  return (placed){p, in_doubles(p->center), p->near, p->far};
}

/* Places a mobile patch. If the pose shifts the centre by t, |p + t|^2 = |p|^2 + 2 p.t + t.t, and p.t is known to
 * within the ball. */
static inline placed place_mobile(const search *q, uint32_t node) {
  const syn_patch *p = &q->d->mobile.patches[node];
  placed at = {p, vec3_add(mat3_apply(&q->pose->rotation, in_doubles(p->center)), q->mobile_origin), p->near, p->far};
  if (q->shift_by > q->slack) {
    const syn_vec3 from = vec3_sub(at.center, q->mobile_center);
    const double along = vec3_dot(from, q->shift), spread = (double)p->radius * q->shift_by,
                 t2 = q->shift_by * q->shift_by;
    at.far = sqrt(max2(at.far * at.far + 2 * (along + spread) + t2, 0));
    at.near = at.near > 0 ? sqrt(max2(at.near * at.near + 2 * (along - spread) + t2, 0)) : 0;
  }
  return at;
}

/* Returns the radius of the ball about a's centre that holds all points of a within the limit of b: only one spot of a
 * single triangle is nearest to its centre. */
static inline double radius_within_reach(const search *q, const placed *a, const placed *b) {
  const double radius = (double)a->patch->radius, spot = (double)a->patch->spot;
  if (!(spot > 0)) return radius;
  const double reach = b->far + q->limit;
  return min2(radius, sqrt(max2(reach * reach - a->near * a->near, 0)) + spot);
}

/* Returns the extent of a part along a line, times `length`. `along`: the product of the part's normal with the
 * direction of the line, which has that length. A part is in a ball and between two planes. */
static inline double extent(double half, double radius, double along, double length) {
  return half * along + radius * sqrt(max2(length * length - along * along, 0) + 1e-12 * length * length);
}

/* Returns a lower bound of the distance of two parts, along both normals and along the line `between` their centres,
 * which is `distance` long. */
static double gap_of_planes(const search *q, const placed *a, double radius_a, const placed *b, syn_vec3 between,
                            double distance) {
  const syn_vec3 normal_a = a->patch->normal, normal_b = mat3_apply(&q->pose->rotation, b->patch->normal);
  const double half_a = (double)a->patch->half, half_b = (double)b->patch->half, radius_b = (double)b->patch->radius;
  const double along_a = fabs(vec3_dot(normal_a, between)), along_b = fabs(vec3_dot(normal_b, between)),
               c = fabs(vec3_dot(normal_a, normal_b));
  const double planes =
      max2(along_a - half_a - extent(half_b, radius_b, c, 1), along_b - half_b - extent(half_a, radius_a, c, 1));
  if (planes > q->limit || distance <= 3 * (radius_a + radius_b))
    return planes; /* close by, the line gives no better bound */
  const double extents = extent(half_a, radius_a, along_a, distance) + extent(half_b, radius_b, along_b, distance);
  return max2(planes, distance - extents / distance);
}

/* Returns a lower bound of the distance of two parts (up to the slack), or the limit; INFINITY if the spheres and balls
 * alone put them beyond the limit. */
static inline double gap_of_parts(const search *q, const placed *a, const placed *b) {
  const double spheres = max2(a->near - b->far, b->near - a->far);
  if (spheres > q->limit) return INFINITY;
  const syn_vec3 between = vec3_sub(b->center, a->center);
  const double radius = radius_within_reach(q, a, b), radii = radius + (double)b->patch->radius,
               distance2 = vec3_length2(between), near = q->limit + radii;
  if (distance2 > near * near) return INFINITY;
  const double distance = sqrt(distance2);
  return max2(max2(distance - radii, spheres), gap_of_planes(q, a, radius, b, between, distance));
}

/* Tests spheres without the pose: if the centre stays in place, they prune most pairs. */
static bool spheres_apart(const search *q, uint32_t a, uint32_t b) {
  const syn_patch *p = &q->d->fixed.patches[a], *r = &q->d->mobile.patches[b];
  return max2(p->near - r->far, r->near - p->far) - q->shift_by > q->limit;
}

/* ---- the search ---------------------------------------------------------------------------------------------------
 */

static void mobile_corners(const search *q, uint32_t t, syn_vec3 v[3]) {
  surface_corners(q->d->mobile.surface, t, v);
  for (int c = 0; c < 3; ++c) v[c] = syn_pose_point(q->pose, v[c]);
}

/* Returns whether a pair is the new result. Among equal distances the lowest numbers win, so that the result does not
 * depend on the order of the search. */
static bool wins(const search *q, double distance2, uint32_t a, uint32_t b) {
  if (distance2 != q->best2) return distance2 < q->best2;
  const syn_clearance *r = q->result;
  return a < r->fixed_triangle || (a == r->fixed_triangle && b < r->mobile_triangle);
}

/* Returns the distance of the corners of b from the plane of a if all are on one side of it; else a negative number.
 * Sharper than gap_of_parts(), which does not use the corners. */
static double beyond_plane(const syn_vec3 a[3], const syn_vec3 b[3]) {
  const syn_vec3 normal = vec3_cross(vec3_sub(a[1], a[0]), vec3_sub(a[2], a[0]));
  const double length2 = vec3_length2(normal), h0 = vec3_dot(normal, vec3_sub(b[0], a[0])),
               h1 = vec3_dot(normal, vec3_sub(b[1], a[0])), h2 = vec3_dot(normal, vec3_sub(b[2], a[0]));
  const double least = max2(min2(h0, min2(h1, h2)), -max2(h0, max2(h1, h2)));
  const double thin = 1e-6 * (vec3_length2(vec3_sub(a[1], a[0])) + vec3_length2(vec3_sub(a[2], a[0])));
  return length2 > thin * thin ? least / sqrt(length2) : -1;
}

/* The same along the line of the min distance so far: for distant bodies the direction hardly changes. */
static double beyond_along_best(const syn_clearance *best, const syn_vec3 a[3], const syn_vec3 b[3]) {
  if (!(best->distance_mm > 0) || isinf(best->distance_mm)) return -1;
  const syn_vec3 line = vec3_sub(best->point_mobile, best->point_fixed);
  const double end_of_a = max2(vec3_dot(line, a[0]), max2(vec3_dot(line, a[1]), vec3_dot(line, a[2]))),
               begin_of_b = min2(vec3_dot(line, b[0]), min2(vec3_dot(line, b[1]), vec3_dot(line, b[2])));
  return (begin_of_b - end_of_a) / vec3_length(line);
}

/* Tests two triangles. False when they intersect, which ends the search. */
static bool try_pair(search *q, uint32_t a, uint32_t b) {
  syn_vec3 va[3], vb[3];
  surface_corners(q->d->fixed.surface, a, va);
  mobile_corners(q, b, vb);
  syn_clearance *r = q->result;
  if (beyond_along_best(r, va, vb) > q->limit || max2(beyond_plane(va, vb), beyond_plane(vb, va)) > q->limit)
    return true;
  const syn_witness w = syn_triangle_distance(va, vb);
  if (syn_triangles_meet(va, vb)) {
    *r = (syn_clearance){.point_fixed = w.a, .point_mobile = w.b, .fixed_triangle = a, .mobile_triangle = b};
    r->crossing = true;
    return false;
  }
  if (wins(q, w.distance2, a, b)) {
    *r = (syn_clearance){sqrt(w.distance2), w.a, w.b, a, b, false};
    q->best2 = w.distance2;
    q->limit = min2(q->limit, r->distance_mm + q->slack);
  }
  return true;
}

typedef struct pair {
  uint32_t a, b;
  double gap;
} pair;

/* A pair is replaced by two, one level down in one of the trees. */
enum { PAIRS = 2 * SYN_BOX_TREE_DEPTH + 2 };

/* Pushes the pairs of the children of the larger part. */
static uint32_t push_children(const search *q, pair now, pair *stack, uint32_t waiting) {
  const syn_box_node *a = &q->d->fixed.surface->tree->nodes[now.a], *b = &q->d->mobile.surface->tree->nodes[now.b];
  const float size_a = q->d->fixed.patches[now.a].radius, size_b = q->d->mobile.patches[now.b].radius;
  const bool open_a = b->count == 1 || (a->count > 1 && size_a >= size_b);
  const placed other = open_a ? place_mobile(q, now.b) : place_fixed(q, now.a);
  pair next[2];
  int count = 0;
  for (uint32_t i = 0; i < 2; ++i) {
    pair part = open_a ? (pair){a->child + i, now.b, 0} : (pair){now.a, b->child + i, 0};
    if (spheres_apart(q, part.a, part.b)) continue;
    const placed opened = open_a ? place_fixed(q, part.a) : place_mobile(q, part.b);
    part.gap = open_a ? gap_of_parts(q, &opened, &other) : gap_of_parts(q, &other, &opened);
    if (part.gap <= q->limit) next[count++] = part;
  }
  if (count == 2 && next[0].gap <= next[1].gap) { /* the nearer one on top */
    stack[waiting++] = next[1];
    stack[waiting++] = next[0];
  } else {
    for (int i = 0; i < count; ++i) stack[waiting++] = next[i];
  }
  return waiting;
}

static void search_pairs(search *q) {
  const syn_box_node *a = q->d->fixed.surface->tree->nodes, *b = q->d->mobile.surface->tree->nodes;
  pair stack[PAIRS];
  uint32_t waiting = 0;
  stack[waiting++] = (pair){0, 0, 0};
  while (waiting > 0) {
    const pair now = stack[--waiting];
    if (now.gap > q->limit) continue;
    if (a[now.a].count > 1 || b[now.b].count > 1)
      waiting = push_children(q, now, stack, waiting);
    else if (!try_pair(q, a[now.a].child, b[now.b].child))
      return;
  }
}

/* Sets the initial limit from a few vertices and from the previous result. */
static void first_limit(search *q, const syn_clearance *last) {
  enum { SAMPLES = 256 };
  const syn_surface_tree *fixed = q->d->fixed.surface, *mobile = q->d->mobile.surface;
  const uint32_t step = mobile->vertex_count / SAMPLES + 1;
  double limit2 = INFINITY;
  if (last && last->fixed_triangle < fixed->triangle_count && last->mobile_triangle < mobile->triangle_count) {
    syn_vec3 a[3], b[3];
    surface_corners(fixed, last->fixed_triangle, a);
    mobile_corners(q, last->mobile_triangle, b);
    limit2 = syn_triangle_distance(a, b).distance2;
  }
  for (uint32_t i = 0; i < mobile->triangle_count; i += step) {
    syn_nearest nearest;
    fixed->search(fixed, syn_pose_point(q->pose, mobile->vertices[mobile->triangles[i].v[0]]), limit2, &nearest);
    limit2 = min2(limit2, nearest.at.distance2);
  }
  q->limit = sqrt(limit2) + q->slack;
}

/* ---- penetration --------------------------------------------------------------------------------------------------
 */

/* Returns whether the first vertex of some component of `inner` (moved by `pose`) is inside `outer`. */
static bool one_inside(const side *outer, const side *inner, const syn_pose *pose) {
  if (!outer->surface->solid) return false;
  for (uint32_t c = 0; c < inner->surface->topology->component_count; ++c) {
    const syn_vec3 at =
        syn_pose_point(pose, inner->surface->vertices[inner->surface->triangles[inner->sample[c]].v[0]]);
    syn_nearest nearest;
    outer->surface->search(outer->surface, at, INFINITY, &nearest);
    if (syn_surface_tree_side(outer->surface, at, &nearest) < 0) return true;
  }
  return false;
}

/* Finds the vertex of `inner` deepest in `outer`, and its value; SYN_NONE if none is inside. */
static uint32_t deepest(const side *outer, const side *inner, const syn_pose *pose, syn_distance_value *values) {
  if (!outer->surface->solid) return SYN_NONE;
  uint32_t best = SYN_NONE;
  const syn_distance_job job = {.context = outer->surface->context,
                                .surface = outer->surface,
                                .points = inner->surface->vertices,
                                .groups = &inner->groups,
                                .pose = pose,
                                .values = values};
  syn_distance_field(&job, 0);
  for (uint32_t i = 0; i < inner->surface->vertex_count; ++i) {
    const syn_topology *topology = inner->surface->topology;
    const bool used = topology->vertex_triangle_start[i] < topology->vertex_triangle_start[i + 1];
    if (used && values[i].distance < (best == SYN_NONE ? 0 : values[best].distance)) best = i;
  }
  return best;
}

static uint32_t first_triangle(const syn_surface_tree *s, uint32_t vertex) {
  return s->topology->vertex_triangles[s->topology->vertex_triangle_start[vertex]];
}

static void measure_depth(search *q, syn_distance_value *values) {
  const syn_distance *d = q->d;
  const syn_pose back = syn_pose_inverse(q->pose);
  syn_clearance *r = q->result;
  const bool crossing = r->crossing;
  if (crossing) r->distance_mm = 0;
  double depth = 0;
  /* Mobile vertices in the fixed body. */
  uint32_t vertex = deepest(&d->fixed, &d->mobile, q->pose, values);
  if (vertex != SYN_NONE) {
    depth = -values[vertex].distance;
    *r = (syn_clearance){-depth,
                         values[vertex].point,
                         syn_pose_point(q->pose, d->mobile.surface->vertices[vertex]),
                         values[vertex].triangle,
                         first_triangle(d->mobile.surface, vertex),
                         crossing};
  }
  /* Fixed vertices in the mobile body, if deeper. */
  vertex = deepest(&d->mobile, &d->fixed, &back, values);
  if (vertex != SYN_NONE && -values[vertex].distance > depth)
    *r = (syn_clearance){values[vertex].distance,
                         d->fixed.surface->vertices[vertex],
                         syn_pose_point(q->pose, values[vertex].point),
                         first_triangle(d->fixed.surface, vertex),
                         values[vertex].triangle,
                         crossing};
}

syn_status syn_distance_query(const syn_distance *d, const syn_pose *pose, const syn_clearance *last, void *scratch,
                              syn_clearance *result) {
  const syn_pose identity = syn_pose_identity();
  syn_clearance found = {.distance_mm = INFINITY, .fixed_triangle = SYN_NONE, .mobile_triangle = SYN_NONE};
  const syn_status status = syn_pose_check(pose, NULL);
  if (status != SYN_OK) {
    found.distance_mm = NAN;
    *result = found;
    return status;
  }
  /* The pose relative to the joint's centre, and the rounding that it brings. */
  search q = {.d = d, .pose = pose ? pose : &identity, .best2 = INFINITY, .result = &found};
  const syn_vec3 moved = syn_pose_point(q.pose, d->mobile.surface->origin);
  q.slack = 1e-11 * (d->fixed.surface->reach + d->mobile.surface->reach + d->fixed.surface->origin_reach +
                     vec3_length(moved) + vec3_length(d->mobile.surface->origin));
  q.shift = vec3_sub(syn_pose_point(q.pose, d->center), d->center);
  q.shift_by = vec3_length(q.shift);
  q.mobile_origin = vec3_sub(moved, d->fixed.surface->origin);
  q.mobile_center = vec3_sub(vec3_add(d->center, q.shift), d->fixed.surface->origin);
  /* Branch and bound over both trees, from a first upper bound. */
  first_limit(&q, last);
  search_pairs(&q);
  assert(found.fixed_triangle != SYN_NONE);
  /* In penetration the depth replaces the distance. */
  const syn_pose back = syn_pose_inverse(q.pose);
  if (found.crossing || one_inside(&d->fixed, &d->mobile, q.pose) || one_inside(&d->mobile, &d->fixed, &back))
    measure_depth(&q, scratch);
  *result = found;
  return SYN_OK;
}
