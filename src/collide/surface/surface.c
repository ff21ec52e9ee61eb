/* The public queries of nearest points and sides, on the tree that all users of a mesh share. */
#include <synovia/collide.h>

#include "base/names.h"
#include "base/parallel.h"
#include "collide/magnitude.h"
#include "collide/surface/distance_method.h"
#include "collide/surface/surface_tree.h"

struct syn_surface {
  const syn_context *context;
  syn_trimesh *mesh; /* a shared handle of the mesh */
  syn_derived *derived;
  const syn_surface_tree *tree;
};

SYN_ENUM_NAMES(syn_feature,
               SYN_FEATURES, [SYN_FEATURE_FACE] = "face", [SYN_FEATURE_EDGE] = "edge", [SYN_FEATURE_VERTEX] = "vertex");

SYN_ENUM_NAMES(
    syn_location,
    SYN_LOCATIONS, [SYN_LOCATION_OUTSIDE] = "outside", [SYN_LOCATION_INSIDE] = "inside", [SYN_LOCATION_ON] = "on");

/* ---- life ---------------------------------------------------------------------------------------------------------
 */

static syn_status fill_surface(const syn_trimesh *mesh, syn_surface *surface, syn_error *error) {
  SYN_TRY(syn_trimesh_share(mesh, &surface->mesh, error));
  SYN_TRY(syn_derive(surface->mesh, &syn_derive_surface, &surface->derived, error));
  surface->tree = derived_surface(surface->derived);
  return SYN_OK;
}

syn_status syn_surface_create(const syn_trimesh *mesh, syn_surface **surface, syn_error *error) {
  syn_surface *made;
  *surface = NULL;
  SYN_TRY(syn_check_context(mesh->context, error));
  SYN_TRY(syn_check_surface(mesh, mesh->vertices, "given", error));
  SYN_TRY(SYN_NEW_ZEROED(mesh->context, &made, 1, error));
  made->context = mesh->context;
  const syn_status status = fill_surface(mesh, made, error);
  if (status != SYN_OK) {
    syn_trimesh_destroy(made->mesh);
    syn_free(mesh->context, made);
    return status;
  }
  *surface = made;
  return SYN_OK;
}

void syn_surface_destroy(syn_surface *surface) {
  if (!surface) return;
  syn_derived_release(surface->derived);
  syn_trimesh_destroy(surface->mesh);
  syn_free(surface->context, surface);
}

syn_status syn_surface_update(syn_surface *surface, const syn_vec3 *vertices, syn_error *error) {
  SYN_TRY(syn_check_surface(surface->mesh, vertices, "given", error));
  SYN_TRY(syn_derive_moved(surface->mesh, &syn_derive_surface, vertices, &surface->derived, error));
  surface->tree = derived_surface(surface->derived);
  return SYN_OK;
}

bool syn_surface_is_solid(const syn_surface *surface) { return surface->tree->solid; }

/* ---- questions ----------------------------------------------------------------------------------------------------
 */

typedef struct question {
  const syn_surface_tree *tree;
  const syn_vec3 *points;
  size_t count;
  syn_surface_point *nearest; /* one of these two is requested */
  syn_location *sides;
  uint32_t refused; /* atomic: whether some point was refused */
} question;

/* Sets the barycentric weights: on an edge the fraction of its second end; in a face the areas seen along its normal.
 */
static void set_weights(const syn_surface_tree *tree, const syn_nearest *found, double weights[3]) {
  syn_vec3 v[3];
  surface_corners(tree, found->triangle, v);
  const syn_vec3 p = found->at.point;
  weights[0] = weights[1] = weights[2] = 0;
  if (found->at.on >= SYN_ON_CORNER) {
    weights[found->at.on - SYN_ON_CORNER] = 1;
  } else if (found->at.on >= SYN_ON_EDGE) {
    const int c = found->at.on - SYN_ON_EDGE, d = (c + 1) % 3;
    const double length = vec3_distance(v[c], v[d]), part = length > 0 ? vec3_distance(v[c], p) / length : 0;
    weights[d] = min2(part, 1);
    weights[c] = 1 - weights[d];
  } else {
    const syn_vec3 normal = vec3_cross(vec3_sub(v[1], v[0]), vec3_sub(v[2], v[0]));
    const double area2 = vec3_length2(normal);
    for (int c = 1; c < 3; ++c) {
      const syn_vec3 next = vec3_sub(v[(c + 1) % 3], p), last = vec3_sub(v[(c + 2) % 3], p);
      weights[c] = min2(max2(vec3_dot(vec3_cross(next, last), normal) / area2, 0), 1);
    }
    weights[0] = max2(1 - weights[1] - weights[2], 0);
  }
}

static syn_surface_point answer(const syn_surface_tree *tree, const syn_nearest *found) {
  const uint32_t t = found->triangle;
  syn_surface_point to = {.point = found->at.point,
                          .distance_mm = sqrt(found->at.distance2),
                          .triangle = t,
                          .feature = SYN_FEATURE_FACE,
                          .element = t};
  set_weights(tree, found, to.barycentric);
  if (found->at.on >= SYN_ON_CORNER) {
    to.feature = SYN_FEATURE_VERTEX;
    to.element = tree->triangles[t].v[found->at.on - SYN_ON_CORNER];
  } else if (found->at.on >= SYN_ON_EDGE) {
    to.feature = SYN_FEATURE_EDGE;
    to.element = tree->topology->triangle_edges[t][found->at.on - SYN_ON_EDGE];
  }
  return to;
}

static syn_location side_of(const syn_surface_tree *tree, syn_vec3 point, const syn_nearest *found) {
  const int side = syn_surface_tree_side(tree, point, found);
  if (side == 0) return SYN_LOCATION_ON;
  const bool inside = tree->solid ? side < 0 : syn_surface_tree_winding(tree, point) > 0.5;
  return inside ? SYN_LOCATION_INSIDE : SYN_LOCATION_OUTSIDE;
}

static void refuse(question *q, size_t i) {
  __atomic_store_n(&q->refused, 1, __ATOMIC_RELAXED);
  if (q->sides) q->sides[i] = SYN_LOCATION_OUTSIDE;
  if (q->nearest) q->nearest[i] = (syn_surface_point){.distance_mm = NAN, .triangle = SYN_NONE, .element = SYN_NONE};
}

/* Queries a group. A refused point is replaced by the surface's origin, and its answer dropped. */
static void ask_group(question *q, size_t first, uint32_t count) {
  const syn_surface_tree *tree = q->tree;
  syn_vec3 at[SYN_POINT_GROUP] = {{0, 0, 0}}; /* count is at least 1, which the compiler cannot know */
  bool good[SYN_POINT_GROUP];
  syn_nearest found[SYN_POINT_GROUP];
  for (uint32_t i = 0; i < count; ++i) {
    good[i] = syn_check_point(q->points[first + i], "the point", NULL) == SYN_OK;
    at[i] = good[i] ? q->points[first + i] : tree->origin;
  }
  tree->search_group(tree, at, count, (syn_vec3){INFINITY, 0, 0}, found);
  for (uint32_t i = 0; i < count; ++i)
    if (!good[i])
      refuse(q, first + i);
    else if (q->nearest)
      q->nearest[first + i] = answer(tree, &found[i]);
    else
      q->sides[first + i] = side_of(tree, at[i], &found[i]);
}

static void ask_groups(void *user, size_t begin, size_t end) {
  question *q = user;
  for (size_t group = begin; group < end; ++group) {
    const size_t first = group * SYN_POINT_GROUP, left = q->count - first;
    ask_group(q, first, left < SYN_POINT_GROUP ? (uint32_t)left : SYN_POINT_GROUP);
  }
}

static syn_status query_groups(const syn_surface *surface, question *q) {
  const size_t groups = q->count / SYN_POINT_GROUP + (q->count % SYN_POINT_GROUP > 0);
  q->tree = surface->tree;
  syn_parallel_for(surface->context, groups, 4, ask_groups, q);
  return q->refused ? SYN_BAD_ARGUMENT : SYN_OK;
}

syn_status syn_surface_nearest(const syn_surface *surface, const syn_vec3 *points, size_t count,
                               syn_surface_point *nearest) {
  question q = {.points = points, .count = count, .nearest = nearest};
  return query_groups(surface, &q);
}

syn_status syn_surface_side(const syn_surface *surface, const syn_vec3 *points, size_t count, syn_location *sides) {
  question q = {.points = points, .count = count, .sides = sides};
  return query_groups(surface, &q);
}
