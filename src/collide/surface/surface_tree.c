/* Creates and updates a surface; the portable search. */
#include "collide/surface/surface_tree.h"
#include "collide/magnitude.h"
#include "mesh/health.h"

#include <string.h>

/* Computes the boxes of the parts of a wide node. Subtrees have the axis-aligned boxes of the box tree. A leaf is a
 * thin patch of surface, and its box is aligned with it, which excludes far more. Any axes are correct as long as the
 * box is measured along them; the best of a few candidates is taken. */
typedef struct axes {
  syn_vec3 k[3]; /* unit and orthogonal up to the rounding of floats */
} axes;

typedef struct extent {
  double low[3], high[3];
} extent;

static const axes upright = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

static syn_vec3 column(float from[3][SYN_WIDE], uint32_t at) {
  return vec3((double)from[0][at], (double)from[1][at], (double)from[2][at]);
}

static void set_column(float to[3][SYN_WIDE], uint32_t at, syn_vec3 v) {
  to[0][at] = (float)v.x;
  to[1][at] = (float)v.y;
  to[2][at] = (float)v.z;
}

/* ---- leaves -------------------------------------------------------------------------------------------------------
 */

/* Collects the corners of the triangles of a leaf, relative to the surface's origin; returns their count. */
static uint32_t leaf_corners(const syn_surface_tree *s, const wide_leaf *leaf, syn_vec3 corners[3 * SYN_WIDE]) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < SYN_WIDE && leaf->triangle[i] != SYN_NONE; ++i) {
    surface_corners(s, leaf->triangle[i], corners + count);
    for (int c = 0; c < 3; ++c, ++count) corners[count] = vec3_sub(corners[count], s->origin);
  }
  return count;
}

static extent measure_extent(const syn_vec3 *points, uint32_t count, const axes *along) {
  extent e;
  for (int k = 0; k < 3; ++k) {
    double low = INFINITY, high = -INFINITY;
    for (uint32_t i = 0; i < count; ++i) {
      const double at = vec3_dot(along->k[k], points[i]);
      low = min2(low, at);
      high = max2(high, at);
    }
    e.low[k] = low;
    e.high[k] = high;
  }
  return e;
}

static double area(const extent *e) {
  const double x = e->high[0] - e->low[0], y = e->high[1] - e->low[1], z = e->high[2] - e->low[2];
  return x * y + y * z + z * x;
}

/* Returns the frame of a triangle, rotated in its plane so that x is along another edge. */
static axes turned_frame(wide_leaf *leaf, uint32_t at, double c, double s) {
  const syn_vec3 x = column(leaf->x, at), y = column(leaf->y, at);
  return (axes){{vec3_madd(vec3_scale(x, c), s, y), vec3_madd(vec3_scale(y, c), -s, x), column(leaf->z, at)}};
}

static axes best_axes(const syn_surface_tree *s, wide_leaf *leaf) {
  syn_vec3 corners[3 * SYN_WIDE];
  const uint32_t count = leaf_corners(s, leaf, corners);
  extent e = measure_extent(corners, count, &upright);
  double least = area(&e);
  axes best = upright;
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t at = i / 3, edge = i % 3;
    float(*const direction)[SYN_WIDE] = edge == 1 ? leaf->direction1 : leaf->direction2;
    const axes frame = edge == 0 ? turned_frame(leaf, at, 1, 0)
                                 : turned_frame(leaf, at, (double)direction[0][at], (double)direction[1][at]);
    e = measure_extent(corners, count, &frame);
    if (area(&e) < least) {
      least = area(&e);
      best = frame;
    }
  }
  return best;
}

/* ---- setting ------------------------------------------------------------------------------------------------------
 */

static void set_axes(wide_node *node, uint32_t at, const axes *along) {
  for (int k = 0; k < 3; ++k) set_column(node->axis[k], at, along->k[k]);
}

/* Sets the box along the axes as rounded to floats. Half lengths are measured from the rounded centre, and rounded up
 * by more than the error of a distance to a box of this size. */
static void set_lengths(wide_node *node, uint32_t at, const axes *along, const extent *e) {
  syn_vec3 center = {0, 0, 0};
  for (int k = 0; k < 3; ++k) center = vec3_madd(center, 0.5 * (e->low[k] + e->high[k]), along->k[k]);
  set_column(node->center, at, center);
  const double size = (e->high[0] - e->low[0]) + (e->high[1] - e->low[1]) + (e->high[2] - e->low[2]);
  for (int k = 0; k < 3; ++k) {
    const double middle = vec3_dot(along->k[k], column(node->center, at));
    node->half[k][at] = (float)(max2(e->high[k] - middle, middle - e->low[k]) + 0x1p-18 * size);
  }
  node->radius[at] = (float)(vec3_length(column(node->half, at)) * (1 + 0x1p-18));
}

static void copy_box(const wide_node *node, uint32_t at, leaf_box *box) {
  for (int k = 0; k < 3; ++k) {
    box->center[k] = node->center[k][at];
    box->half[k] = node->half[k][at];
    for (int i = 0; i < 3; ++i) box->axis[k][i] = node->axis[k][i][at];
  }
  box->radius = node->radius[at];
}

static void set_leaf_box(const syn_surface_tree *s, wide_node *node, uint32_t at) {
  syn_vec3 corners[3 * SYN_WIDE];
  axes along;
  const uint32_t leaf = node->child[at] - SYN_WIDE_LEAF, count = leaf_corners(s, &s->wide.leaves[leaf], corners);
  for (int k = 0; k < 3; ++k) along.k[k] = column(node->axis[k], at);
  const extent e = measure_extent(corners, count, &along);
  set_lengths(node, at, &along, &e);
  copy_box(node, at, &s->wide.boxes[leaf]);
}

static void set_subtree_box(const syn_surface_tree *s, wide_node *node, uint32_t at) {
  const syn_box_node *box = &s->tree->nodes[node->source[at]];
  extent e;
  for (int k = 0; k < 3; ++k) {
    e.low[k] = (double)box->min[k];
    e.high[k] = (double)box->max[k];
  }
  set_lengths(node, at, &upright, &e);
}

static void syn_wide_no_box(wide_node *node, uint32_t at) {
  set_axes(node, at, &upright);
  set_column(node->center, at, vec3(SYN_NOWHERE, SYN_NOWHERE, SYN_NOWHERE));
  set_column(node->half, at, vec3(0, 0, 0));
  node->radius[at] = 0;
}

void syn_wide_turn_boxes(syn_surface_tree *s) {
  for (uint32_t n = 0; n < s->wide.node_count; ++n) {
    wide_node *node = &s->wide.nodes[n];
    for (uint32_t i = 0; i < SYN_WIDE; ++i) {
      const bool leaf = node->child[i] != SYN_NONE && node->child[i] & SYN_WIDE_LEAF;
      const axes along = leaf ? best_axes(s, &s->wide.leaves[node->child[i] - SYN_WIDE_LEAF]) : upright;
      set_axes(node, i, &along);
      if (node->child[i] == SYN_NONE) syn_wide_no_box(node, i);
    }
  }
}

static bool leaf_moved(const wide_leaf *leaf, const uint8_t *moved) {
  for (uint32_t i = 0; i < SYN_WIDE && leaf->triangle[i] != SYN_NONE; ++i)
    if (moved[leaf->triangle[i]]) return true;
  return false;
}

void syn_wide_set_boxes(syn_surface_tree *s, const uint8_t *moved) {
  for (uint32_t n = 0; n < s->wide.node_count; ++n) {
    wide_node *node = &s->wide.nodes[n];
    for (uint32_t i = 0; i < SYN_WIDE && node->child[i] != SYN_NONE; ++i)
      if (!(node->child[i] & SYN_WIDE_LEAF))
        set_subtree_box(s, node, i);
      else if (!moved || leaf_moved(&s->wide.leaves[node->child[i] - SYN_WIDE_LEAF], moved))
        set_leaf_box(s, node, i);
  }
}

/* ---- making ------------------------------------------------------------------------------------------------------ */

static syn_vec3 about_origin(const syn_surface_tree *s, uint32_t vertex) {
  return vec3_sub(s->vertices[vertex], s->origin);
}

static syn_box triangle_box(const syn_surface_tree *s, uint32_t t) {
  syn_box box = box_empty();
  for (int c = 0; c < 3; ++c) box_add(&box, about_origin(s, s->triangles[t].v[c]));
  return box;
}

static void set_sizes(syn_surface_tree *s) {
  double longest2 = 0;
  for (uint32_t t = 0; t < s->triangle_count; ++t) {
    syn_vec3 v[3];
    surface_corners(s, t, v);
    for (int c = 0; c < 3; ++c) longest2 = max2(longest2, vec3_length2(vec3_sub(v[c], v[(c + 1) % 3])));
  }
  s->longest = sqrt(longest2);
  s->reach = 0;
  for (uint32_t i = 0; i < s->vertex_count; ++i) {
    const syn_vec3 v = about_origin(s, i);
    s->reach = max2(s->reach, max2(fabs(v.x), max2(fabs(v.y), fabs(v.z))));
  }
}

static syn_status make_leaf_tree(syn_surface_tree *s, syn_error *error) {
  syn_box *boxes;
  SYN_TRY(SYN_NEW(s->context, &boxes, s->triangle_count, error));
  for (uint32_t t = 0; t < s->triangle_count; ++t) boxes[t] = triangle_box(s, t);
  syn_status status = syn_box_tree_create_bunched(s->context, boxes, s->triangle_count, SYN_WIDE, &s->tree, error);
  syn_free(s->context, boxes);
  if (status == SYN_OK) status = syn_box_refit_create(s->tree, &s->refit, error);
  return status == SYN_OK ? syn_wide_create(s, error) : status;
}

static void choose_searches(syn_surface_tree *s) {
  s->search = syn_surface_tree_search_four;
  s->search_group = syn_surface_tree_search_group_four;
#if SYN_AVX2
  if (!syn_has_avx2()) return;
  s->search = syn_surface_tree_search_avx2;
  s->search_group = syn_surface_tree_search_group_avx2;
#endif
}

static syn_status fill_surface_tree(syn_surface_tree *s, const syn_trimesh *mesh, syn_error *error) {
  SYN_TRY(syn_derive(mesh, &syn_derive_topology, &s->derived, error));
  s->topology = derived_topology(s->derived);
  s->solid = syn_mesh_is_outward(mesh, s->topology);
  s->sheet = syn_mesh_is_sheet(mesh, s->topology);
  SYN_TRY(SYN_NEW(s->context, &s->vertices, s->vertex_count, error));
  memcpy(s->vertices, mesh->vertices, s->vertex_count * sizeof *s->vertices);
  SYN_TRY(SYN_NEW(s->context, &s->normals, s->triangle_count, error));
  for (uint32_t t = 0; t < s->triangle_count; ++t) syn_surface_tree_set_normal(s, t);
  const syn_middle middle = syn_find_middle(s->vertices, s->vertex_count);
  s->origin = middle.at;
  s->has_stray = middle.has_stray;
  s->origin_reach = max2(fabs(s->origin.x), max2(fabs(s->origin.y), fabs(s->origin.z)));
  set_sizes(s);
  return make_leaf_tree(s, error);
}

syn_status syn_surface_tree_create(const syn_context *context, const syn_trimesh *mesh, syn_surface_tree **surface,
                                   syn_error *error) {
  *surface = NULL;
  if (mesh->triangle_count == 0)
    return syn_fail(error, SYN_BAD_MESH, "a surface without triangles has no distance to anything");
  syn_surface_tree *made;
  SYN_TRY(SYN_NEW_ZEROED(context, &made, 1, error));
  made->context = context;
  made->triangles = mesh->triangles;
  made->vertex_count = mesh->vertex_count;
  made->triangle_count = mesh->triangle_count;
  choose_searches(made);
  syn_status status = fill_surface_tree(made, mesh, error);
  if (status != SYN_OK) {
    syn_surface_tree_destroy(made);
    return status;
  }
  *surface = made;
  return SYN_OK;
}

static syn_status make_shared(const syn_trimesh *mesh, void **made, syn_error *error) {
  return syn_surface_tree_create(mesh->context, mesh, (syn_surface_tree **)made, error);
}
static void destroy_shared(void *made) { syn_surface_tree_destroy(made); }
static syn_status move_shared(void *made, const syn_vec3 *vertices, syn_error *error) {
  return syn_surface_tree_update(made, vertices, error);
}
static bool shared_is_at(const void *made, const syn_vec3 *vertices) {
  const syn_surface_tree *s = made;
  uint32_t same = 0;
  while (same < s->vertex_count && vec3_equal(vertices[same], s->vertices[same])) ++same;
  return same == s->vertex_count;
}
const syn_derivation syn_derive_surface = {SYN_DERIVED_SURFACE, make_shared, destroy_shared, move_shared, shared_is_at};

void syn_surface_tree_destroy(syn_surface_tree *s) {
  if (!s) return;
  syn_box_refit_destroy(s->refit);
  syn_box_tree_destroy(s->tree);
  syn_derived_release(s->derived);
  syn_free(s->context, s->vertices);
  syn_free(s->context, s->normals);
  syn_wide_destroy(s);
  syn_free(s->context, s);
}

/* ---- updating ---------------------------------------------------------------------------------------------------- */

/* Lists the triangles with a vertex that moved, each once, and moves their vertices. */
static uint32_t move_vertices(syn_surface_tree *s, const syn_vec3 *vertices, uint8_t *listed, uint32_t *moved) {
  const syn_topology *topology = s->topology;
  uint32_t count = 0;
  for (uint32_t i = 0; i < s->vertex_count; ++i) {
    if (vec3_equal(vertices[i], s->vertices[i])) continue;
    s->vertices[i] = vertices[i];
    for (uint32_t k = topology->vertex_triangle_start[i]; k < topology->vertex_triangle_start[i + 1]; ++k) {
      const uint32_t t = topology->vertex_triangles[k];
      if (!listed[t]) moved[count++] = t;
      listed[t] = 1;
    }
  }
  return count;
}

static syn_status update_with(syn_surface_tree *s, const syn_vec3 *vertices, syn_arena *arena, syn_error *error) {
  uint8_t *listed;
  uint32_t *moved;
  syn_box *boxes;
  SYN_TRY(SYN_TAKE(arena, &listed, s->triangle_count, error));
  SYN_TRY(SYN_TAKE(arena, &moved, s->triangle_count, error));
  SYN_TRY(SYN_TAKE(arena, &boxes, s->triangle_count, error));
  memset(listed, 0, s->triangle_count);
  const uint32_t count = move_vertices(s, vertices, listed, moved);
  set_sizes(s);
  s->has_stray = syn_find_middle(s->vertices, s->vertex_count).has_stray;
  for (uint32_t i = 0; i < count; ++i) {
    boxes[i] = triangle_box(s, moved[i]);
    syn_wide_set_triangle(s, moved[i]);
    syn_surface_tree_set_normal(s, moved[i]);
  }
  syn_box_refit_some(s->refit, moved, boxes, count);
  syn_wide_set_boxes(s, listed);
  return SYN_OK;
}

syn_status syn_surface_tree_update(syn_surface_tree *s, const syn_vec3 *vertices, syn_error *error) {
  for (uint32_t i = 0; i < s->vertex_count; ++i)
    if (!vec3_finite(vertices[i]))
      return syn_fail(error, SYN_BAD_MESH, "vertex %u moved to a place that is not finite", i);
  syn_arena arena = {.context = s->context};
  syn_status status = update_with(s, vertices, &arena, error);
  syn_arena_release(&arena);
  return status;
}

/* ---- the portable search ----------------------------------------------------------------------------------------- */

static double box_distance2(const syn_box_node *node, const double p[3]) {
  double sum = 0;
  for (int k = 0; k < 3; ++k) {
    const double d = max2(max2((double)node->min[k] - p[k], p[k] - (double)node->max[k]), 0);
    sum += d * d;
  }
  return sum;
}

typedef struct entry {
  uint32_t node;
  double distance2;
} entry;

/* Returns the square of a distance, increased by more than the rounding of the values it is compared with. */
static double widened(double distance2, double slack) {
  const double d = sqrt(distance2) + slack;
  return d * d;
}

void syn_surface_tree_search_portable(const syn_surface_tree *s, syn_vec3 point, double bound2, syn_nearest *best) {
  *best = (syn_nearest){.at = {.distance2 = INFINITY}, .triangle = SYN_NONE};
  const syn_box_node *nodes = s->tree->nodes;
  const syn_vec3 local = vec3_sub(point, s->origin);
  const double p[3] = {local.x, local.y, local.z};
  const double slack = 1e-12 * (s->reach + vec3_length(local) + s->origin_reach);
  double limit2 = widened(bound2, slack);
  /* Depth-first, the nearer child first; boxes beyond the best distance are skipped. */
  entry stack[SYN_BOX_TREE_DEPTH + 1];
  uint32_t waiting = 0;
  stack[waiting++] = (entry){0, 0};
  while (waiting > 0) {
    const entry now = stack[--waiting];
    if (now.distance2 > limit2) continue;
    const syn_box_node *node = &nodes[now.node];
    if (node->count == 1) {
      surface_try(s, point, node->child, best);
      limit2 = min2(limit2, widened(best->at.distance2, slack));
      continue;
    }
    const entry left = {node->child, box_distance2(&nodes[node->child], p)};
    const entry right = {node->child + 1, box_distance2(&nodes[node->child + 1], p)};
    const bool left_first = left.distance2 <= right.distance2;
    stack[waiting++] = left_first ? right : left;
    stack[waiting++] = left_first ? left : right;
  }
}

/* Searches for a group: the result of the previous point bounds its neighbour's. */
void syn_surface_tree_search_group_portable(const syn_surface_tree *s, const syn_vec3 *points, uint32_t count,
                                            syn_vec3 witness, syn_nearest *nearest) {
  for (uint32_t i = 0; i < count; ++i) {
    syn_surface_tree_search_portable(s, points[i], vec3_length2(vec3_sub(points[i], witness)), &nearest[i]);
    witness = nearest[i].at.point;
  }
}
