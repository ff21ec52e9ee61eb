#include "collide/ball_tree.h"

#include <float.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "collide/closest.h"

typedef struct build {
  const syn_trimesh *mesh;
  syn_vec3 center;
  syn_vec3 *centroids; /* by triangle */
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

/* Ball about the middle of the box, with the float centre's own rounding inside the radius. */
static void bound(const build *b, ball_node *node) {
  const uint32_t *triangles = b->tree->triangles;
  syn_box box = box_empty();
  double near = INFINITY, far2 = 0, radius2 = 0;
  for (uint32_t i = node->begin; i < node->end; ++i)
    for (int c = 0; c < 3; ++c) box_add(&box, corner(b, triangles[i], c));
  node->x = (float)(0.5 * (box.min.x + box.max.x));
  node->y = (float)(0.5 * (box.min.y + box.max.y));
  node->z = (float)(0.5 * (box.min.z + box.max.z));
  const syn_vec3 middle = vec3((double)node->x, (double)node->y, (double)node->z);
  for (uint32_t i = node->begin; i < node->end; ++i) {
    syn_vec3 v[3];
    for (int c = 0; c < 3; ++c) {
      v[c] = corner(b, triangles[i], c);
      radius2 = max2(radius2, vec3_length2(vec3_sub(v[c], middle)));
      far2 = max2(far2, vec3_length2(v[c]));
    }
    near = min2(near, vec3_length(closest_on_triangle(vec3(0, 0, 0), v)));
  }
  const double slack = 1 + 1e-7; /* covers the roundings above many times over */
  node->radius = round_up(sqrt(radius2) * slack);
  node->near = round_down(near / slack);
  node->far = round_up(sqrt(far2) * slack);
}

/* Puts the triangles with the smaller centroids along `axis` first, so that the one at `middle` is where sorting would
 * put it (Hoare's selection with the median of three). Ties go by number, so the order is the same everywhere. */
static bool before(const build *b, int axis, uint32_t p, uint32_t q) {
  const double x = vec3_at(b->centroids[p], axis), y = vec3_at(b->centroids[q], axis);
  return x < y || (x == y && p < q);
}

static void select_middle(build *b, int axis, uint32_t begin, uint32_t end, uint32_t middle) {
  uint32_t *t = b->tree->triangles;
  while (end - begin > 1) {
    uint32_t p = t[begin], q = t[begin + (end - begin - 1) / 2], r = t[end - 1];
    uint32_t pivot = before(b, axis, p, q) ? (before(b, axis, q, r)   ? q
                                              : before(b, axis, p, r) ? r
                                                                      : p)
                                           : (before(b, axis, p, r)   ? p
                                              : before(b, axis, q, r) ? r
                                                                      : q);
    int64_t i = (int64_t)begin - 1, j = end;
    for (;;) {
      do ++i;
      while (before(b, axis, t[i], pivot));
      do --j;
      while (before(b, axis, pivot, t[j]));
      if (i >= j) break;
      uint32_t swap = t[i];
      t[i] = t[j];
      t[j] = swap;
    }
    if (middle <= j)
      end = (uint32_t)j + 1;
    else
      begin = (uint32_t)j + 1;
  }
}

/* The widest direction of the centroids. */
static int widest_axis(const build *b, uint32_t begin, uint32_t end) {
  syn_box box = box_empty();
  for (uint32_t i = begin; i < end; ++i) box_add(&box, b->centroids[b->tree->triangles[i]]);
  const syn_vec3 size = vec3_sub(box.max, box.min);
  return size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
}

static uint32_t build_node(build *b, uint32_t begin, uint32_t end) {
  const uint32_t self = b->tree->node_count++;
  ball_node *node = &b->tree->nodes[self];
  *node = (ball_node){.begin = begin, .end = end};
  bound(b, node);
  if (end - begin > BALL_TREE_LEAF) {
    const uint32_t middle = begin + (end - begin) / 2;
    select_middle(b, widest_axis(b, begin, end), begin, end, middle);
    build_node(b, begin, middle);
    const uint32_t right = build_node(b, middle, end);
    b->tree->nodes[self].right = right;
  }
  return self;
}

syn_status syn_ball_tree_build(const syn_trimesh *mesh, syn_vec3 center, ball_tree *tree, syn_error *error) {
  const uint32_t n = mesh->triangle_count;
  *tree = (ball_tree){.context = mesh->context};
  if (n == 0) return SYN_OK;
  build b = {.mesh = mesh, .center = center, .tree = tree};
  SYN_TRY(SYN_NEW(mesh->context, &tree->nodes, 2 * (size_t)n, error));
  SYN_TRY(SYN_NEW(mesh->context, &tree->triangles, n, error));
  SYN_TRY(SYN_NEW(mesh->context, &b.centroids, n, error));
  for (uint32_t t = 0; t < n; ++t) {
    tree->triangles[t] = t;
    b.centroids[t] = vec3_add(corner(&b, t, 0), vec3_add(corner(&b, t, 1), corner(&b, t, 2)));
  }
  build_node(&b, 0, n);
  syn_free(mesh->context, b.centroids);
  return SYN_OK;
}

void syn_ball_tree_release(ball_tree *tree) {
  syn_free(tree->context, tree->nodes);
  syn_free(tree->context, tree->triangles);
  *tree = (ball_tree){0};
}
