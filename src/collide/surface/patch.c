#include "collide/surface/patch.h"

#include "base/parallel.h"

enum {
  CLOSE_LOOK = 256
}; /* parts up to this many triangles get the best bounds; larger ones are soon subdivided anyway */

/* A triangle relative to the surface's origin, and its distances from the shared centre, stored because every level of
 * the tree needs them. */
typedef struct seen_triangle {
  syn_vec3 v[3];
  double near2, far2; /* squared distances from the centre */
} seen_triangle;

typedef struct build {
  const syn_surface_tree *surface;
  const syn_box_node *nodes;
  syn_vec3 center; /* shared, relative to the surface's origin */
  const uint32_t *items, *begin;
  seen_triangle *seen;
  syn_patch *patches;
  const uint32_t *moved_before; /* by item: count of moved items before it; NULL: all have moved */
} build;

static const double slack = 1 + 1e-6; /* more than the rounding to float */

static void see_items(void *user, size_t begin, size_t end) {
  const build *b = user;
  for (size_t i = begin; i < end; ++i) {
    if (b->moved_before && b->moved_before[i] == b->moved_before[i + 1]) continue;
    seen_triangle *s = &b->seen[i];
    surface_corners(b->surface, b->items[i], s->v);
    for (int c = 0; c < 3; ++c) s->v[c] = vec3_sub(s->v[c], b->surface->origin);
    s->near2 = closest_feature(b->center, s->v).distance2;
    s->far2 = 0;
    for (int c = 0; c < 3; ++c) s->far2 = max2(s->far2, vec3_length2(vec3_sub(s->v[c], b->center)));
  }
}

/* Lists the items so that those of every node are consecutive. */
static void list_items(const syn_box_tree *tree, const syn_patches *b) {
  b->begin[0] = 0;
  for (uint32_t i = 0; i < tree->node_count; ++i) {
    if (i == 1) continue;
    const syn_box_node *node = &tree->nodes[i];
    if (node->count == 1) {
      b->items[b->begin[i]] = node->child;
    } else {
      b->begin[node->child] = b->begin[i];
      b->begin[node->child + 1] = b->begin[i] + tree->nodes[node->child].count;
    }
  }
}

static syn_vec3 center_of(const syn_patch *patch) {
  return vec3((double)patch->center[0], (double)patch->center[1], (double)patch->center[2]);
}

/* Sets the centre to a point that floats represent exactly. */
static syn_vec3 set_center(syn_patch *patch, const syn_box_node *box) {
  for (int k = 0; k < 3; ++k) patch->center[k] = 0.5f * box->min[k] + 0.5f * box->max[k];
  patch->spot = 0;
  return center_of(patch);
}

/* Sets the centre of a triangle's ball. A triangle is convex: from the point nearest to the shared centre it recedes at
 * least as a plane across the line of sight does. A corner would make a poor centre of the ball. */
static syn_vec3 set_triangle_center(const build *b, uint32_t n, syn_patch *patch) {
  const closest_point nearest = closest_feature(b->center, b->seen[b->begin[n]].v);
  if (nearest.on >= SYN_ON_CORNER) return set_center(patch, &b->nodes[n]);
  patch->center[0] = (float)nearest.point.x;
  patch->center[1] = (float)nearest.point.y;
  patch->center[2] = (float)nearest.point.z;
  patch->spot = (float)(1e-6 * vec3_length(nearest.point) + 1e-13 * b->surface->reach);
  return center_of(patch);
}

static syn_vec3 mean_normal(const build *b, uint32_t begin, uint32_t end) {
  syn_vec3 sum = {0, 0, 0};
  for (uint32_t i = begin; i < end; ++i) {
    const syn_vec3 *v = b->seen[i].v;
    sum = vec3_add(sum, vec3_cross(vec3_sub(v[1], v[0]), vec3_sub(v[2], v[0])));
  }
  return vec3_unit(sum);
}

static void bound_closely(const build *b, uint32_t n) {
  const uint32_t begin = b->begin[n], end = begin + b->nodes[n].count;
  syn_patch *patch = &b->patches[n];
  const syn_vec3 middle = end - begin == 1 ? set_triangle_center(b, n, patch) : set_center(patch, &b->nodes[n]);
  const syn_vec3 normal = mean_normal(b, begin, end);
  double radius2 = 0, half = 0, near2 = INFINITY, far2 = 0;
  for (uint32_t i = begin; i < end; ++i) {
    const seen_triangle *s = &b->seen[i];
    near2 = min2(near2, s->near2);
    far2 = max2(far2, s->far2);
    for (int c = 0; c < 3; ++c) {
      const syn_vec3 from = vec3_sub(s->v[c], middle);
      radius2 = max2(radius2, vec3_length2(from));
      half = max2(half, fabs(vec3_dot(normal, from)));
    }
  }
  /* float rounding of this part, not of a far vertex of the same body */
  const double rounding = 1e-7 * (vec3_length(middle) + sqrt(radius2)) + 1e-13 * b->surface->reach,
               exact = 1e-13 * (sqrt(far2) + b->surface->reach);
  patch->normal = normal;
  patch->radius = (float)(sqrt(radius2) * slack + rounding);
  patch->half = (float)(half * slack + rounding);
  patch->near = sqrt(near2) - exact;
  patch->far = sqrt(far2) + exact;
}

static void bound_by_children(const build *b, uint32_t n) {
  const syn_box_node *box = &b->nodes[n];
  syn_patch *patch = &b->patches[n];
  const syn_patch *left = &b->patches[box->child], *right = left + 1;
  const syn_vec3 middle = set_center(patch, box);
  const syn_vec3 corner = {(double)box->max[0], (double)box->max[1], (double)box->max[2]};
  patch->radius = (float)(vec3_distance(corner, middle) * slack);
  patch->normal = vec3(0, 0, 0);
  patch->half = patch->radius;
  patch->near = min2(left->near, right->near);
  patch->far = max2(left->far, right->far);
}

static bool is_small(const build *b, uint32_t n) { return b->nodes[n].count <= CLOSE_LOOK; }

/* Returns whether a node must be fitted again. Node 1 is not in use. */
static bool is_due(const build *b, uint32_t n) {
  if (n == 1 || !b->moved_before) return n != 1;
  return b->moved_before[b->begin[n]] != b->moved_before[b->begin[n] + b->nodes[n].count];
}

static void bound_small(void *user, size_t begin, size_t end) {
  const build *b = user;
  for (size_t n = begin; n < end; ++n)
    if (is_due(b, (uint32_t)n) && is_small(b, (uint32_t)n)) bound_closely(b, (uint32_t)n);
}

/* Fits the patches that are due. */
static void fit_patches(const syn_patches *patches, const syn_surface_tree *surface, syn_vec3 center,
                        const uint32_t *moved_before) {
  enum { GRAIN = 512 };
  const syn_box_tree *tree = surface->tree;
  build b = {.surface = surface,
             .nodes = tree->nodes,
             .center = vec3_sub(center, surface->origin),
             .items = patches->items,
             .begin = patches->begin,
             .seen = patches->seen,
             .patches = patches->patches,
             .moved_before = moved_before};
  syn_parallel_for(patches->context, tree->item_count, GRAIN, see_items, &b);
  syn_parallel_for(patches->context, tree->node_count, GRAIN, bound_small, &b);
  for (uint32_t n = tree->node_count; n-- > 0;)
    if (is_due(&b, n) && !is_small(&b, n)) bound_by_children(&b, n);
}

syn_status syn_patches_create(const syn_context *context, const syn_surface_tree *surface, syn_vec3 center,
                              syn_patches *patches, syn_error *error) {
  const syn_box_tree *tree = surface->tree;
  *patches = (syn_patches){.context = context, .reach = surface->reach};
  SYN_TRY(SYN_NEW(context, &patches->items, tree->item_count, error));
  SYN_TRY(SYN_NEW(context, &patches->begin, tree->node_count, error));
  SYN_TRY(SYN_NEW(context, &patches->seen, tree->item_count, error));
  SYN_TRY(SYN_NEW_ZEROED(context, &patches->patches, tree->node_count, error));
  list_items(tree, patches);
  fit_patches(patches, surface, center, NULL);
  return SYN_OK;
}

void syn_patches_release(syn_patches *patches) {
  syn_free(patches->context, patches->items);
  syn_free(patches->context, patches->begin);
  syn_free(patches->context, patches->seen);
  syn_free(patches->context, patches->patches);
}

/* Updates the patches. Bounds include a share of the surface's reach for rounding: if the reach has changed, all are
 * fitted again. */
void syn_patches_update(syn_patches *patches, const syn_surface_tree *surface, syn_vec3 center, const uint8_t *moved,
                        uint32_t *before) {
  const bool all = surface->reach != patches->reach;
  patches->reach = surface->reach;
  before[0] = 0;
  for (uint32_t i = 0; i < surface->tree->item_count; ++i) before[i + 1] = before[i] + (moved[patches->items[i]] != 0);
  fit_patches(patches, surface, center, all ? NULL : before);
}
