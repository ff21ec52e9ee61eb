/* Converts the box tree to groups of eight: a group opens its largest part until it has eight parts. Parts of up to
 * eight triangles become leaves. */
#include "base/simd.h"
#include "collide/surface/surface_floats.h"
#include "collide/surface/surface_tree.h"

#include <string.h>

/* Searches among eight boxes or eight triangles at once, in lanes of four floats: used by the page and by processors
 * without AVX2. Candidates for the nearest triangle are noted and decided in doubles at the end. */
/* ---- distances ----------------------------------------------------------------------------------------------------
 */

/* A position relative to the surface's origin, or the vector to it, in four lanes. */
typedef struct places {
  float4 x, y, z;
} places;

/* Values of eight boxes or triangles, in two halves. */
typedef struct eight {
  float4 half[SYN_WIDE / 4];
} eight;

static inline float4 four_at(const float *from) {
  float4 lanes;
  memcpy(&lanes, from, sizeof lanes);
  return lanes;
}

static inline float4 four_times(float value) { return (float4){value, value, value, value}; }
static inline float4 four_larger(float4 a, float4 b) { return four_select(a > b, a, b); }
static inline float4 four_smaller(float4 a, float4 b) { return four_select(a < b, a, b); }

/* Returns the vectors from four stored positions to the point, from lane `first` on. */
static inline places from_to(const float place[3][SYN_WIDE], const places *at, int first) {
  return (places){at->x - four_at(place[0] + first), at->y - four_at(place[1] + first),
                  at->z - four_at(place[2] + first)};
}

static inline float4 along(const float axis[3][SYN_WIDE], const places *d, int first) {
  return four_at(axis[0] + first) * d->x + four_at(axis[1] + first) * d->y + four_at(axis[2] + first) * d->z;
}

/* Returns the distance of x from [-half, half]. */
static inline float4 beyond(float4 x, float4 half) { return four_larger(four_larger(x, -x) - half, four_times(0)); }

static inline float4 half_of_boxes2(const places *at, const wide_node *n, int first) {
  const places d = from_to(n->center, at, first);
  const float4 x = beyond(along(n->axis[0], &d, first), four_at(n->half[0] + first)),
               y = beyond(along(n->axis[1], &d, first), four_at(n->half[1] + first)),
               z = beyond(along(n->axis[2], &d, first), four_at(n->half[2] + first));
  return x * x + y * y + z * z;
}

/* Returns the distance of x from [0, length]. */
static inline float4 outside(float4 x, float4 length) {
  return four_larger(four_larger(-x, x - length), four_times(0));
}

/* Returns the squared distance in the plane to an edge from (0, 0) along x, in the coordinates of the edge. */
static inline float4 edge_distance2(float4 x, float4 y, float4 length) {
  const float4 over = outside(x, length);
  return over * over + y * y;
}

/* Rotates (x, y) into the coordinates of an edge with this direction. */
static inline void turn(const float direction[2][SYN_WIDE], int first, float4 *x, float4 *y) {
  const float4 c = four_at(direction[0] + first), s = four_at(direction[1] + first), dx = *x, dy = *y;
  *x = c * dx + s * dy;
  *y = c * dy - s * dx;
}

/* Returns squared distances from the height above the plane and, unless the foot is inside, the nearest edge. Beyond
 * the tip of a needle rounding may put a foot on the inner side of all edges: its distance beyond the ends of the
 * longest edge always counts. */
static inline float4 half_of_triangles2(const places *at, const wide_leaf *t, int first) {
  const places d = from_to(t->corner, at, first);
  const float4 x = along(t->x, &d, first), y = along(t->y, &d, first), height = along(t->z, &d, first);
  const float4 length = four_at(t->length[0] + first), zero = four_times(0);
  float4 x1 = x - length, y1 = y, x2 = x - four_at(t->apex[0] + first), y2 = y - four_at(t->apex[1] + first);
  turn(t->direction1, first, &x1, &y1);
  turn(t->direction2, first, &x2, &y2);
  const float4 e0 = edge_distance2(x, y, length), e1 = edge_distance2(x1, y1, four_at(t->length[1] + first)),
               e2 = edge_distance2(x2, y2, four_at(t->length[2] + first));
  const float4 ahead = outside(x, length), inmost = four_smaller(y, four_smaller(y1, y2));
  return height * height + four_select(inmost >= zero, ahead * ahead, four_smaller(e0, four_smaller(e1, e2)));
}

static inline eight box_distances2(const places *at, const wide_node *n) {
  return (eight){{half_of_boxes2(at, n, 0), half_of_boxes2(at, n, 4)}};
}

static inline eight triangle_distances2(const places *at, const wide_leaf *t) {
  return (eight){{half_of_triangles2(at, t, 0), half_of_triangles2(at, t, 4)}};
}

static inline float least_of(eight all) {
  const float4 pairs = four_smaller(all.half[0], all.half[1]);
  const float low = pairs[0] < pairs[1] ? pairs[0] : pairs[1], high = pairs[2] < pairs[3] ? pairs[2] : pairs[3];
  return low < high ? low : high;
}

static inline unsigned bits_within(eight all, float limit2) {
  const float4 limit = four_times(limit2);
  return four_bits(all.half[0] <= limit) | four_bits(all.half[1] <= limit) << 4;
}

static inline void put_eight(eight all, float to[SYN_WIDE]) { memcpy(to, &all, sizeof all); }

static inline places all_lanes(syn_vec3 p) {
  return (places){four_times((float)p.x), four_times((float)p.y), four_times((float)p.z)};
}

/* ---- one point ----------------------------------------------------------------------------------------------------
 */

#define SEARCH
#include "collide/surface/surface_search.h"

static void settle(search *q) {
  for (uint32_t i = 0; i < q->note_count; ++i)
    if (q->notes[i].distance2 <= q->limit2) surface_try(q->surface, q->point, q->notes[i].triangle, q->nearest);
  q->note_count = 0;
}

void syn_surface_tree_search_four(const syn_surface_tree *surface, syn_vec3 point, double bound2,
                                  syn_nearest *nearest) {
  search_from(surface, point, bound2, SYN_NONE, nearest);
}

/* ---- a group of points --------------------------------------------------------------------------------------------
 */

/* Searches for a group: the result of the previous point bounds its neighbour's, whose search starts at that leaf. */
void syn_surface_tree_search_group_four(const syn_surface_tree *surface, const syn_vec3 *points, uint32_t count,
                                        syn_vec3 witness, syn_nearest *nearest) {
  uint32_t leaf = SYN_NONE;
  for (uint32_t i = 0; i < count; ++i) {
    search_from(surface, points[i], vec3_length2(vec3_sub(points[i], witness)), leaf, &nearest[i]);
    witness = nearest[i].at.point;
    leaf = nearest[i].triangle == SYN_NONE ? SYN_NONE : surface->wide.place[nearest[i].triangle] / SYN_WIDE;
  }
}

/* ---- triangles ----------------------------------------------------------------------------------------------------
 */

static void set_vector(float to[3][SYN_WIDE], uint32_t at, syn_vec3 v) {
  to[0][at] = (float)v.x;
  to[1][at] = (float)v.y;
  to[2][at] = (float)v.z;
}

/* Sets direction and length of an edge in the triangle's plane. One of zero length points against x, so that no point
 * beside the first edge of a triangle without area seems to be inside. */
static void set_edge(float direction[2][SYN_WIDE], float *length, uint32_t at, double x, double y) {
  const double l = sqrt(x * x + y * y);
  direction[0][at] = (float)(l > 0 ? x / l : -1);
  direction[1][at] = (float)(l > 0 ? y / l : 0);
  length[at] = (float)l;
}

/* Computes the corners relative to the surface's origin, starting with the longest edge; returns the length of that
 * edge. */
static double sorted_corners(const syn_surface_tree *s, uint32_t t, syn_vec3 v[3]) {
  syn_vec3 corner[3];
  int first = 0;
  double longest = -1;
  surface_corners(s, t, corner);
  for (int c = 0; c < 3; ++c) {
    const double length = vec3_distance(corner[c], corner[(c + 1) % 3]);
    if (length > longest) {
      longest = length;
      first = c;
    }
  }
  for (int c = 0; c < 3; ++c) v[c] = vec3_sub(corner[(first + c) % 3], s->origin);
  return longest;
}

/* Sets a triangle. One without area gets an arbitrary plane through it: its distance is then that of its edges. */
static void set_triangle(const syn_surface_tree *s, uint32_t t, wide_leaf *leaf, uint32_t at) {
  syn_vec3 v[3];
  const double longest = sorted_corners(s, t, v);
  syn_vec3 x = vec3_unit(vec3_sub(v[1], v[0]));
  if (vec3_length2(x) == 0) x = vec3(1, 0, 0);
  const syn_vec3 to_apex = vec3_sub(v[2], v[0]);
  const double along = vec3_dot(to_apex, x);
  const syn_vec3 height = vec3_madd(to_apex, -along, x);
  const bool thin = !(vec3_length(height) > 1e-9 * longest);
  syn_vec3 y = thin ? vec3_any_normal(x) : vec3_unit(height);
  y = vec3_unit(vec3_madd(y, -vec3_dot(x, y), x)); /* removes the rounding along x */
  const double across = vec3_dot(to_apex, y);
  set_vector(leaf->corner, at, v[0]);
  set_vector(leaf->x, at, x);
  set_vector(leaf->y, at, y);
  set_vector(leaf->z, at, vec3_cross(x, y));
  leaf->length[0][at] = (float)longest;
  leaf->apex[0][at] = (float)along;
  leaf->apex[1][at] = (float)across;
  set_edge(leaf->direction1, leaf->length[1], at, along - longest, across);
  set_edge(leaf->direction2, leaf->length[2], at, -along, -across);
  leaf->triangle[at] = t;
}

void syn_wide_set_triangle(syn_surface_tree *s, uint32_t t) {
  wide_leaf *leaf = &s->wide.leaves[s->wide.place[t] / SYN_WIDE];
  set_triangle(s, t, leaf, s->wide.place[t] % SYN_WIDE);
}

/* Sets an empty slot: a point beyond every distance. */
static void set_nothing(wide_leaf *leaf, uint32_t at) {
  set_vector(leaf->corner, at, vec3(SYN_NOWHERE, SYN_NOWHERE, SYN_NOWHERE));
  set_vector(leaf->x, at, vec3(1, 0, 0));
  set_vector(leaf->y, at, vec3(0, 1, 0));
  set_vector(leaf->z, at, vec3(0, 0, 1));
  leaf->length[0][at] = leaf->apex[0][at] = leaf->apex[1][at] = 0;
  set_edge(leaf->direction1, leaf->length[1], at, 0, 0);
  set_edge(leaf->direction2, leaf->length[2], at, 0, 0);
  leaf->triangle[at] = SYN_NONE;
}

/* ---- grouping -----------------------------------------------------------------------------------------------------
 */

/* Counts the leaves below each box node: children come after their parents. */
static void count_leaves(const syn_box_node *nodes, uint32_t node_count, uint32_t *leaves) {
  for (uint32_t n = node_count; n-- > 0;)
    leaves[n] = nodes[n].count <= SYN_WIDE ? 1 : leaves[nodes[n].child] + leaves[nodes[n].child + 1];
}

/* Finds the parts of a group and returns their count: opens the largest while the group has space, but not one that
 * fits into a full group of full groups (and so on): those groups would be less full. */
static uint32_t open_group(const syn_box_node *nodes, const uint32_t *leaves, uint32_t root, uint32_t parts[SYN_WIDE]) {
  uint32_t count = 1, fits = 1;
  while (fits < (leaves[root] - 1) / SYN_WIDE + 1) fits *= SYN_WIDE;
  parts[0] = root;
  while (count < SYN_WIDE) {
    uint32_t largest = 0;
    for (uint32_t i = 1; i < count; ++i)
      if (leaves[parts[i]] > leaves[parts[largest]]) largest = i;
    if (leaves[parts[largest]] <= fits) break;
    parts[count++] = nodes[parts[largest]].child + 1;
    parts[largest] = nodes[parts[largest]].child;
  }
  return count;
}

/* Fills a leaf with the items below `root`, at most eight. */
static void fill_leaf(syn_surface_tree *s, uint32_t root, uint32_t leaf) {
  const syn_box_node *nodes = s->tree->nodes;
  uint32_t waiting[SYN_WIDE + 1], count = 0, filled = 0;
  waiting[count++] = root;
  while (count > 0) {
    const syn_box_node *node = &nodes[waiting[--count]];
    if (node->count == 1) {
      s->wide.place[node->child] = leaf * SYN_WIDE + filled;
      set_triangle(s, node->child, &s->wide.leaves[leaf], filled++);
    } else {
      waiting[count++] = node->child + 1;
      waiting[count++] = node->child;
    }
  }
  for (; filled < SYN_WIDE; ++filled) set_nothing(&s->wide.leaves[leaf], filled);
}

/* Lists the box nodes that become wide nodes, parents first, and counts the leaves. */
static void find_groups(const syn_box_node *nodes, const uint32_t *leaves, uint32_t *roots, wide_tree *wide) {
  roots[0] = 0;
  wide->node_count = 1;
  wide->leaf_count = 0;
  for (uint32_t n = 0; n < wide->node_count; ++n) {
    uint32_t parts[SYN_WIDE];
    const uint32_t count = open_group(nodes, leaves, roots[n], parts);
    for (uint32_t i = 0; i < count; ++i)
      if (nodes[parts[i]].count <= SYN_WIDE)
        ++wide->leaf_count;
      else
        roots[wide->node_count++] = parts[i];
  }
}

/* Repeats the walk to fill the groups, after the memory is allocated. */
static void fill_groups(syn_surface_tree *s, const uint32_t *leaves, const uint32_t *roots) {
  const syn_box_node *nodes = s->tree->nodes;
  uint32_t next_node = 1, next_leaf = 0;
  for (uint32_t n = 0; n < s->wide.node_count; ++n) {
    uint32_t parts[SYN_WIDE];
    wide_node *node = &s->wide.nodes[n];
    const uint32_t count = open_group(nodes, leaves, roots[n], parts);
    for (uint32_t i = 0; i < SYN_WIDE; ++i) {
      const bool used = i < count, leaf = used && nodes[parts[i]].count <= SYN_WIDE;
      node->source[i] = used ? parts[i] : SYN_NONE;
      if (leaf) fill_leaf(s, parts[i], next_leaf);
      node->child[i] = !used ? SYN_NONE : leaf ? SYN_WIDE_LEAF + next_leaf++ : next_node++;
    }
  }
}

static syn_status allocate_wide_tree(syn_surface_tree *s, syn_error *error) {
  wide_tree *wide = &s->wide;
  const size_t line = 64;
  _Static_assert(sizeof(wide_node) % 64 == 0 && sizeof(wide_leaf) % 64 == 0, "groups fill cache lines");
  _Static_assert(sizeof(leaf_box) == 64, "a box fills a cache line");
  SYN_TRY(syn_allocate(s->context,
                       wide->node_count * sizeof *wide->nodes +
                           wide->leaf_count * (sizeof *wide->boxes + sizeof *wide->leaves) + line,
                       1, &wide->block, error));
  wide->nodes = (void *)(((uintptr_t)wide->block + line - 1) / line * line);
  wide->boxes = (void *)(wide->nodes + wide->node_count);
  wide->leaves = (void *)(wide->boxes + wide->leaf_count);
  return SYN_OK;
}

syn_status syn_wide_create(syn_surface_tree *s, syn_error *error) {
  uint32_t *roots, *leaves;
  syn_arena arena = {.context = s->context};
  SYN_TRY(SYN_NEW(s->context, &s->wide.place, s->triangle_count, error));
  syn_status status = SYN_TAKE(&arena, &roots, s->triangle_count, error);
  if (status == SYN_OK) status = SYN_TAKE(&arena, &leaves, s->tree->node_count, error);
  if (status == SYN_OK) {
    count_leaves(s->tree->nodes, s->tree->node_count, leaves);
    find_groups(s->tree->nodes, leaves, roots, &s->wide);
    status = allocate_wide_tree(s, error);
  }
  if (status == SYN_OK) {
    fill_groups(s, leaves, roots);
    syn_wide_turn_boxes(s);
    syn_wide_set_boxes(s, NULL);
    status = syn_guide_create(s, error);
  }
  syn_arena_release(&arena);
  return status;
}

void syn_wide_destroy(syn_surface_tree *s) {
  syn_free(s->context, s->wide.block);
  syn_free(s->context, s->wide.place);
  syn_free(s->context, s->wide.guide.leaf);
}
