/* Builds the tree with the divisions of the surface's box tree, and fits the boxes. */
#include "collide/pairs/obb_tree.h"

#include <string.h>

#include "base/parallel.h"
#include "base/vec.h"
#include "collide/magnitude.h"
#include "geometry/small_matrix.h"

/* ---- shape -------------------------------------------------------------------------------------------------------
 */

typedef struct place {
  uint32_t box, node;
} place;

/* Copies the nodes of the box tree, which is cut off at OBB_LEAF triangles. Left before right. */
static void take_shape(const syn_box_tree *boxes, obb_tree *tree, uint32_t *triangles) {
  place stack[SYN_BOX_TREE_DEPTH + 2];
  uint32_t waiting = 0, next = 1, taken = 0;
  if (boxes->item_count > 0) stack[waiting++] = (place){0, 0};
  while (waiting > 0) {
    const place at = stack[--waiting];
    const syn_box_node *box = &boxes->nodes[at.box];
    if (at.node == SYN_NONE) { /* below a leaf */
      if (box->count == 1)
        triangles[taken++] = box->child;
      else {
        stack[waiting++] = (place){box->child + 1, SYN_NONE};
        stack[waiting++] = (place){box->child, SYN_NONE};
      }
      continue;
    }
    const bool leaf = box->count <= OBB_LEAF;
    tree->nodes[at.node] =
        (obb_node){.child = leaf ? 0 : next, .begin = taken, .end = taken + box->count, .box = at.box};
    if (leaf) {
      stack[waiting++] = (place){at.box, SYN_NONE};
    } else {
      stack[waiting++] = (place){box->child + 1, next + 1};
      stack[waiting++] = (place){box->child, next};
      next += 2;
    }
  }
  tree->node_count = boxes->item_count > 0 ? next : 0;
}

/* ---- fitting -----------------------------------------------------------------------------------------------------
 */

typedef struct fitting {
  obb_tree *tree;
  const syn_vec3 *corners; /* three for each triangle */
  const uint8_t *due;      /* by nodes of the box tree, those to fit; NULL: all */
} fitting;

static const syn_vec3 *triangle_at(const fitting *f, uint32_t i) {
  return &f->corners[3 * (size_t)f->tree->triangles[i]];
}

/* Returns the direction orthogonal to `normal` of the widest spread of the points. */
static syn_vec3 widest_across(const syn_tensor *spread, syn_vec3 normal) {
  const syn_vec3 u = vec3_any_normal(normal), v = vec3_cross(normal, u);
  const syn_vec3 su = tensor_apply(spread, u), sv = tensor_apply(spread, v);
  const double angle = 0.5 * atan2(2 * vec3_dot(u, sv), vec3_dot(u, su) - vec3_dot(v, sv));
  return vec3_add(vec3_scale(u, cos(angle)), vec3_scale(v, sin(angle)));
}

/* Axes: along the normals, whichever way round they are, then along the widest spread across. A sample of the triangles
 * estimates them well enough. */
static void choose_axes(const fitting *f, const obb_node *node, syn_vec3 axes[3]) {
  enum { SAMPLE = 32 };
  const uint32_t step = 1 + (node->end - node->begin - 1) / SAMPLE;
  syn_tensor normals = {{0}}, spread = {{0}};
  syn_vec3 mean = {0, 0, 0};
  for (uint32_t i = node->begin; i < node->end; i += step) {
    const syn_vec3 *t = triangle_at(f, i);
    mean = vec3_add(mean, vec3_add(t[0], vec3_add(t[1], t[2])));
  }
  const uint32_t samples = (node->end - node->begin - 1) / step + 1;
  mean = vec3_scale(mean, 1.0 / (3.0 * samples));
  for (uint32_t i = node->begin; i < node->end; i += step) {
    const syn_vec3 *t = triangle_at(f, i);
    const syn_vec3 normal = vec3_cross(vec3_sub(t[1], t[0]), vec3_sub(t[2], t[0]));
    const double area = vec3_length(normal);
    if (area > 0) tensor_add(&normals, 1 / area, normal);
    for (int c = 0; c < 3; ++c) tensor_add(&spread, 1, vec3_sub(t[c], mean));
  }
  axes[0] = syn_main_direction(&normals);
  if (!(vec3_length2(axes[0]) > 0)) axes[0] = vec3(1, 0, 0); /* triangles of no area */
  axes[1] = widest_across(&spread, axes[0]);
  axes[2] = vec3_cross(axes[0], axes[1]);
}

/* The box along `axes`: floats lose 2^-24 of the middle and of each axis; the margin is some ten times that. */
static void fit_box(const fitting *f, obb_node *node, const syn_vec3 axes[3]) {
  syn_box reach = box_empty(); /* in the box's frame */
  for (uint32_t i = node->begin; i < node->end; ++i) {
    const syn_vec3 *t = triangle_at(f, i);
    for (int c = 0; c < 3; ++c) {
      const syn_vec3 p = vec3_sub(t[c], f->tree->origin);
      box_add(&reach, vec3(vec3_dot(axes[0], p), vec3_dot(axes[1], p), vec3_dot(axes[2], p)));
    }
  }
  const syn_vec3 middle = vec3_scale(vec3_add(reach.min, reach.max), 0.5);
  const syn_vec3 half = vec3_scale(vec3_sub(reach.max, reach.min), 0.5);
  /* of this box, not of the body: one far vertex must not widen all boxes */
  const double margin = 1e-6 * (vec3_length(middle) + vec3_length(half));
  const syn_vec3 at =
      vec3_add(vec3_scale(axes[0], middle.x), vec3_add(vec3_scale(axes[1], middle.y), vec3_scale(axes[2], middle.z)));
  node->middle = (float4){(float)at.x, (float)at.y, (float)at.z, 0};
  node->half = (float4){(float)(half.x + margin), (float)(half.y + margin), (float)(half.z + margin), 0};
  node->row[0] = (float4){(float)axes[0].x, (float)axes[1].x, (float)axes[2].x, 0};
  node->row[1] = (float4){(float)axes[0].y, (float)axes[1].y, (float)axes[2].y, 0};
  node->row[2] = (float4){(float)axes[0].z, (float)axes[1].z, (float)axes[2].z, 0};
}

static void fit_range(void *user, size_t begin, size_t end) {
  const fitting *f = user;
  for (size_t i = begin; i < end; ++i) {
    obb_node *node = &f->tree->nodes[i];
    syn_vec3 axes[3];
    if (f->due && !f->due[node->box]) continue;
    choose_axes(f, node, axes);
    fit_box(f, node, axes);
  }
}

/* Fits boxes. A new origin would move all boxes: if only some are due, it is kept. */
static void fit_boxes(obb_tree *tree, const syn_vec3 *corners, uint32_t triangle_count, const uint8_t *due) {
  if (tree->node_count == 0) return;
  if (!due) tree->origin = syn_find_middle(corners, 3 * (size_t)triangle_count).at;
  fitting f = {tree, corners, due};
  syn_parallel_for(tree->context, tree->node_count, 64, fit_range, &f);
}

/* Sets the shells, the only data that depends on the centre. */
static void set_shells(obb_tree *tree, const shell *shells) {
  for (uint32_t i = 0; i < tree->node_count; ++i) {
    tree->nodes[i].middle[3] = shells[tree->nodes[i].box].near;
    tree->nodes[i].half[3] = shells[tree->nodes[i].box].far;
  }
}

static bool is_all_due(const obb_tree *tree, const uint8_t *due) {
  for (uint32_t i = 0; i < tree->node_count; ++i)
    if (!due[tree->nodes[i].box]) return false;
  return true;
}

void syn_obb_tree_fit(obb_tree *tree, const pair_surface *surface) {
  const bool all = is_all_due(tree, surface->due);
  fit_boxes(tree, surface->corners, surface->mesh->triangle_count, all ? NULL : surface->due);
  set_shells(tree, surface->shells);
}

/* ---- life --------------------------------------------------------------------------------------------------------
 */

static uint32_t nodes_over(const syn_box_tree *boxes) {
  uint32_t count = 1;
  for (uint32_t i = 0; i < boxes->node_count; ++i)
    if (i != 1 && boxes->nodes[i].count > OBB_LEAF) count += 2;
  return count;
}

static void destroy_fitted(void *made) {
  obb_tree *tree = made;
  syn_free(tree->context, tree->nodes);
  syn_free_const(tree->context, tree->triangles);
  syn_free(tree->context, tree);
}

static syn_status fill_fitted(obb_tree *tree, const pair_shape *shape, uint32_t triangle_count, syn_error *error) {
  uint32_t *triangles;
  SYN_TRY(SYN_NEW(tree->context, &triangles, shape->tree->item_count, error));
  tree->triangles = triangles;
  SYN_TRY(SYN_NEW(tree->context, &tree->nodes, nodes_over(shape->tree), error));
  take_shape(shape->tree, tree, triangles);
  fit_boxes(tree, shape->corners, triangle_count, NULL);
  return SYN_OK;
}

static syn_status make_fitted(const syn_trimesh *mesh, void **made, syn_error *error) {
  syn_derived *shape;
  obb_tree *tree;
  SYN_TRY(syn_derive(mesh, &syn_derive_pair_shape, &shape, error));
  syn_status status = SYN_NEW_ZEROED(mesh->context, &tree, 1, error);
  if (status == SYN_OK) {
    tree->context = mesh->context;
    status = fill_fitted(tree, shape->made, mesh->triangle_count, error);
    if (status == SYN_OK)
      *made = tree;
    else
      destroy_fitted(tree);
  }
  syn_derived_release(shape);
  return status;
}

const syn_derivation syn_derive_obb_tree = {SYN_DERIVED_OBB_TREE, make_fitted, destroy_fitted, NULL, NULL};

syn_status syn_obb_tree_create(const pair_surface *surface, obb_tree *tree, syn_error *error) {
  *tree = (obb_tree){.context = surface->context};
  SYN_TRY(syn_derive(surface->mesh, &syn_derive_obb_tree, &tree->fitted, error));
  const obb_tree *fitted = tree->fitted->made;
  obb_node *nodes;
  const syn_status status = SYN_NEW(tree->context, &nodes, fitted->node_count, error);
  if (status != SYN_OK) {
    syn_obb_tree_release(tree);
    return status;
  }
  if (fitted->node_count) memcpy(nodes, fitted->nodes, fitted->node_count * sizeof *nodes);
  tree->node_count = fitted->node_count;
  tree->nodes = nodes;
  tree->triangles = fitted->triangles;
  tree->origin = fitted->origin;
  set_shells(tree, surface->shells);
  return SYN_OK;
}

void syn_obb_tree_release(obb_tree *tree) {
  syn_free(tree->context, tree->nodes);
  syn_derived_release(tree->fitted);
  *tree = (obb_tree){0};
}
