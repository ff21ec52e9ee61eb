/* Computes the boxes of the parts of a wide node. Subtrees have the axis-aligned boxes of the box tree. A leaf is a
 * thin patch of surface, and its box is aligned with it, which excludes far more. Any axes are correct as long as the
 * box is measured along them; the best of a few candidates is taken. */
#include "collide/surface/surface_tree.h"

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

void syn_wide_no_box(wide_node *node, uint32_t at) {
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
