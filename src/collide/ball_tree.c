#include "collide/ball_tree.h"

#include <float.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "collide/closest.h"

/* What is sorted: small enough to be moved. */
typedef struct item {
  float at[3]; /* three times the triangle's centroid */
  uint32_t triangle;
} item;

typedef struct build {
  const syn_trimesh *mesh;
  syn_vec3 center;
  item *items;
  ball_tree *tree;
} build;

static syn_vec3 corner(const build *b, uint32_t triangle, int c) {
  return vec3_sub(b->mesh->vertices[b->mesh->triangles[triangle].v[c]], b->center);
}

/* Rounds away from the exact value, so that a float bound still bounds. */
static float round_up(double value) {
  float f = (float)value;
  return (double)f < value ? nextafterf(f, FLT_MAX) : f;
}
static float round_down(double value) {
  float f = (float)value;
  return (double)f > value ? nextafterf(f, -FLT_MAX) : f;
}

/* What a parent needs to know of a child. */
typedef struct extent {
  syn_box box;
  double near, far2;
} extent;

static extent extent_of_triangles(const build *b, uint32_t begin, uint32_t end) {
  extent e = {box_empty(), INFINITY, 0};
  for (uint32_t i = begin; i < end; ++i) {
    syn_vec3 v[3];
    for (int c = 0; c < 3; ++c) {
      v[c] = corner(b, b->items[i].triangle, c);
      box_add(&e.box, v[c]);
      e.far2 = max2(e.far2, vec3_length2(v[c]));
    }
    e.near = min2(e.near, vec3_length(closest_on_triangle(vec3(0, 0, 0), v)));
  }
  return e;
}

static extent joined(const extent *a, const extent *b) {
  return (extent){{vec3_min(a->box.min, b->box.min), vec3_max(a->box.max, b->box.max)},
                  min2(a->near, b->near),
                  max2(a->far2, b->far2)};
}

/* Of all corners where they are few; else of the children's balls, which is nearly as good and takes no time. */
static double radius_about(const build *b, const ball_node *node, syn_vec3 middle) {
  const uint32_t few = 16 * BALL_TREE_LEAF;
  double radius = 0;
  if (node->end - node->begin > few) {
    const ball_node *children[2] = {node + 1, &b->tree->nodes[node->right]};
    for (int i = 0; i < 2; ++i) {
      const syn_vec3 at = vec3((double)children[i]->x, (double)children[i]->y, (double)children[i]->z);
      radius = max2(radius, vec3_distance(at, middle) + (double)children[i]->radius);
    }
    return radius;
  }
  for (uint32_t i = node->begin; i < node->end; ++i)
    for (int c = 0; c < 3; ++c)
      radius = max2(radius, vec3_length2(vec3_sub(corner(b, b->items[i].triangle, c), middle)));
  return sqrt(radius);
}

/* Ball about the middle of the box, with the float centre's own rounding inside the radius. */
static void bound(const build *b, const extent *e, ball_node *node) {
  node->x = (float)(0.5 * (e->box.min.x + e->box.max.x));
  node->y = (float)(0.5 * (e->box.min.y + e->box.max.y));
  node->z = (float)(0.5 * (e->box.min.z + e->box.max.z));
  const double slack = 1 + 1e-7; /* covers the roundings above many times over */
  node->radius = round_up(radius_about(b, node, vec3((double)node->x, (double)node->y, (double)node->z)) * slack);
  node->near = round_down(e->near / slack);
  node->far = round_up(sqrt(e->far2) * slack);
}

/* Ties go by number, so that the order is the same everywhere. */
static bool before(const item *p, const item *q, int axis) {
  return p->at[axis] < q->at[axis] || (p->at[axis] == q->at[axis] && p->triangle < q->triangle);
}

static item median_of_three(const item *p, const item *q, const item *r, int axis) {
  if (before(q, p, axis)) {
    const item *kept = p;
    p = q;
    q = kept;
  }
  return before(r, p, axis) ? *p : before(r, q, axis) ? *r : *q;
}

/* Puts the items that are smaller along `axis` first, so that the one at `middle` is where sorting would put it
 * (Hoare's selection). */
static void select_middle(item *items, int axis, int64_t begin, int64_t end, int64_t middle) {
  while (end - begin > 1) {
    const item pivot = median_of_three(&items[begin], &items[begin + (end - begin - 1) / 2], &items[end - 1], axis);
    int64_t i = begin - 1, j = end;
    for (;;) {
      do ++i;
      while (before(&items[i], &pivot, axis));
      do --j;
      while (before(&pivot, &items[j], axis));
      if (i >= j) break;
      const item kept = items[i];
      items[i] = items[j];
      items[j] = kept;
    }
    if (middle <= j)
      end = j + 1;
    else
      begin = j + 1;
  }
}

/* The direction in which the items lie furthest apart. */
static int widest_axis(const item *items, uint32_t begin, uint32_t end) {
  float low[3], high[3];
  for (int k = 0; k < 3; ++k) low[k] = high[k] = items[begin].at[k];
  for (uint32_t i = begin + 1; i < end; ++i)
    for (int k = 0; k < 3; ++k) {
      low[k] = items[i].at[k] < low[k] ? items[i].at[k] : low[k];
      high[k] = items[i].at[k] > high[k] ? items[i].at[k] : high[k];
    }
  const float x = high[0] - low[0], y = high[1] - low[1], z = high[2] - low[2];
  return x >= y && x >= z ? 0 : y >= z ? 1 : 2;
}

static extent build_node(build *b, uint32_t begin, uint32_t end) {
  ball_node *node = &b->tree->nodes[b->tree->node_count++];
  *node = (ball_node){.begin = begin, .end = end};
  extent e;
  if (end - begin > BALL_TREE_LEAF) {
    const uint32_t middle = begin + (end - begin) / 2;
    select_middle(b->items, widest_axis(b->items, begin, end), begin, end, middle);
    const extent left = build_node(b, begin, middle);
    node->right = b->tree->node_count;
    const extent right = build_node(b, middle, end);
    e = joined(&left, &right);
  } else {
    e = extent_of_triangles(b, begin, end);
  }
  bound(b, &e, node);
  return e;
}

/* On failure the caller releases what is there of the tree. */
syn_status syn_ball_tree_build(const syn_trimesh *mesh, syn_vec3 center, ball_tree *tree, syn_error *error) {
  const uint32_t n = mesh->triangle_count;
  *tree = (ball_tree){.context = mesh->context};
  if (n == 0) return SYN_OK;
  build b = {.mesh = mesh, .center = center, .tree = tree};
  SYN_TRY(SYN_NEW(mesh->context, &tree->nodes, 2 * (size_t)n, error));
  SYN_TRY(SYN_NEW(mesh->context, &tree->triangles, n, error));
  SYN_TRY(SYN_NEW(mesh->context, &b.items, n, error));
  for (uint32_t t = 0; t < n; ++t) {
    const syn_vec3 at = vec3_add(corner(&b, t, 0), vec3_add(corner(&b, t, 1), corner(&b, t, 2)));
    b.items[t] = (item){{(float)at.x, (float)at.y, (float)at.z}, t};
  }
  build_node(&b, 0, n);
  for (uint32_t i = 0; i < n; ++i) tree->triangles[i] = b.items[i].triangle;
  syn_free(mesh->context, b.items);
  return SYN_OK;
}

void syn_ball_tree_release(ball_tree *tree) {
  syn_free(tree->context, tree->nodes);
  syn_free(tree->context, tree->triangles);
  *tree = (ball_tree){0};
}
