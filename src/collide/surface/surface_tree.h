/* A surface prepared for one query: the nearest point of the surface to a given point, and the side on which the given
 * point is. Immutable between updates, shareable between threads; queries allocate nothing.
 *
 * Boxes and triangles are stored in groups of eight that are tested together. Floats only exclude triangles, by margins
 * far beyond their rounding; the remaining ones are compared in doubles by (distance, triangle number). The answer
 * therefore has the same bits whatever the bound, the order or the instructions used. */
#ifndef SYN_COLLIDE_SURFACE_TREE_H
#define SYN_COLLIDE_SURFACE_TREE_H

#include "base/memory.h"
#include "base/simd.h"
#include "geometry/closest.h"
#include "mesh/derived.h"
#include "mesh/tree/box_refit.h"
#include "mesh/tree/box_tree.h"

enum { SYN_WIDE = 8, SYN_WIDE_DEPTH = SYN_BOX_TREE_DEPTH * (SYN_WIDE - 1) + 1 };

/* Up to eight subtrees of the box tree, each with a separately oriented box. The box of an empty slot is far beyond
 * everything. */
typedef struct wide_node {
  _Alignas(64) float center[3][SYN_WIDE];
  float axis[3][3][SYN_WIDE], half[3][SYN_WIDE];
  float radius[SYN_WIDE];    /* half the diagonal of the box */
  uint32_t child[SYN_WIDE];  /* a wide node, or SYN_WIDE_LEAF + a wide leaf; SYN_NONE where empty, after all others */
  uint32_t source[SYN_WIDE]; /* the node of the box tree it was made from */
} wide_node;
#define SYN_WIDE_LEAF 0x80000000u
#define SYN_NOWHERE 1e18 /* a coordinate beyond the range in which floats are used; its square is a float, too */

/* Up to eight triangles, each in its own frame: x along its longest edge from `corner`, z along its normal. Edge 0 is
 * on the x axis; edges 1 and 2 start at (length[0], 0) and at `apex`. Empty slots have a corner far beyond everything.
 */
typedef struct wide_leaf {
  float corner[3][SYN_WIDE], x[3][SYN_WIDE], y[3][SYN_WIDE], z[3][SYN_WIDE];
  float length[3][SYN_WIDE], direction1[2][SYN_WIDE], direction2[2][SYN_WIDE], apex[2][SYN_WIDE];
  uint32_t triangle[SYN_WIDE];
} wide_leaf;

/* A copy of the box of a leaf, in one cache line. */
typedef struct leaf_box {
  float center[3], axis[3][3], half[3], radius;
} leaf_box;

/* A grid of cubes over the initial box of the surface: names for each a leaf that was then near it. */
typedef struct surface_guide {
  float low[3], per_length; /* relative to the surface's origin; cells per length */
  uint32_t size[3];
  uint32_t *leaf; /* first along x, then y, then z */
} surface_guide;

/* A tree of groups of eight, made from a box tree; `block` is the allocation. */
typedef struct wide_tree {
  uint32_t node_count, leaf_count;
  wide_node *nodes; /* the first is the root; aligned to cache lines, as are the leaves */
  leaf_box *boxes;  /* of each leaf */
  wide_leaf *leaves;
  uint32_t *place; /* by triangle: SYN_WIDE times its leaf plus its position there */
  surface_guide guide;
  void *block;
} wide_tree;

typedef struct syn_nearest {
  closest_point at;
  uint32_t triangle;
} syn_nearest;

typedef struct syn_surface_tree syn_surface_tree;
/* Finds the nearest point not farther than the square root of bound2 (which may be INFINITY); if there is no such
 * point, triangle is SYN_NONE. The closer the bound, the faster. */
typedef void syn_surface_tree_search(const syn_surface_tree *surface, syn_vec3 point, double bound2,
                                     syn_nearest *nearest);
/* Finds the nearest points of `count` points. The closer they are to one another, each eight of them above all, and the
 * nearer the witness (any point of the surface, or one at INFINITY), the faster. */
typedef void syn_surface_tree_search_group(const syn_surface_tree *surface, const syn_vec3 *points, uint32_t count,
                                           syn_vec3 witness, syn_nearest *nearest);

struct syn_surface_tree {
  const syn_context *context;
  const syn_triangle *triangles; /* the caller's */
  uint32_t vertex_count, triangle_count;
  syn_vec3 *vertices;   /* a copy, which updates change */
  syn_vec3 *normals;    /* unit; zero if the triangle is too thin for a reliable one */
  syn_derived *derived; /* the topology, shared */
  const syn_topology *topology;
  syn_box_tree *tree; /* of the triangles, relative to `origin` */
  syn_box_refit *refit;
  wide_tree wide; /* the same in groups */
  syn_vec3 origin;
  double reach;        /* max coordinate relative to the origin, */
  double origin_reach; /* and of the origin itself */
  double longest;      /* length of the longest edge */
  bool has_stray;      /* a few vertices are so far away that floats of their size cannot distinguish the others */
  bool solid;          /* closed and outward: distances have a sign */
  bool sheet;          /* open, no edge with more than two triangles, all facing the same way */
  syn_surface_tree_search *search; /* the fastest searches that the machine can run */
  syn_surface_tree_search_group *search_group;
};

/* Creates a surface. The mesh is borrowed and may not be empty. Fields are measured on the threads of this context. */
syn_status syn_surface_tree_create(const syn_context *context, const syn_trimesh *mesh, syn_surface_tree **surface,
                                   syn_error *error);
void syn_surface_tree_destroy(syn_surface_tree *surface); /* NULL is fine */
/* The surface shared by all users of the mesh, which must outlive it. Users that deform it get another by
 * syn_derive_moved. */
extern const syn_derivation syn_derive_surface;
static inline const syn_surface_tree *derived_surface(const syn_derived *derived) { return derived->made; }
/* Sets new positions of the vertices: only the moved parts are computed again. SYN_BAD_MESH names a coordinate that is
 * not finite; the surface is then unchanged. */
syn_status syn_surface_tree_update(syn_surface_tree *surface, const syn_vec3 *vertices, syn_error *error);

/* Returns +1 outside, -1 inside, 0 on the surface; for a solid surface. By the angle-weighted normal of the nearest
 * feature (Baerentzen and Aanaes 2005), or by the winding number if that normal is not reliable. */
int syn_surface_tree_side(const syn_surface_tree *surface, syn_vec3 point, const syn_nearest *nearest);
/* For a sheet, returns -1 behind it, on the side that its triangles face away from; +1 in front of it, and if the
 * nearest point is on its border; 0 on it. */
int syn_surface_tree_sheet_side(const syn_surface_tree *surface, syn_vec3 point, const syn_nearest *nearest);
void syn_surface_tree_set_normal(syn_surface_tree *surface,
                                 uint32_t t); /* computes the normal again from the corners */
/* Returns the winding number of the surface around the point: a whole number for a closed surface. Linear in the
 * triangles. */
double syn_surface_tree_winding(const syn_surface_tree *surface, syn_vec3 point);

/* Searches: one triangle at a time in doubles; four lanes of floats, for every processor and WebAssembly; AVX2. */
syn_surface_tree_search syn_surface_tree_search_portable, syn_surface_tree_search_four;
syn_surface_tree_search_group syn_surface_tree_search_group_portable, syn_surface_tree_search_group_four;
#if SYN_AVX2
syn_surface_tree_search syn_surface_tree_search_avx2;
syn_surface_tree_search_group syn_surface_tree_search_group_avx2;
#endif

/* Makes surface->wide from the box tree. */
syn_status syn_wide_create(syn_surface_tree *surface, syn_error *error);
void syn_wide_destroy(syn_surface_tree *surface);
syn_status syn_guide_create(syn_surface_tree *surface, syn_error *error); /* after the boxes of leaves are made */
/* Choose the axes of all boxes; then measure along them: all boxes, or (moved not NULL) those with a triangle t that
 * has moved[t]. */
void syn_wide_turn_boxes(syn_surface_tree *surface);
void syn_wide_set_boxes(syn_surface_tree *surface, const uint8_t *moved);
void syn_wide_set_triangle(syn_surface_tree *surface, uint32_t t);

static inline void surface_corners(const syn_surface_tree *surface, uint32_t t, syn_vec3 v[3]) {
  for (int c = 0; c < 3; ++c) v[c] = surface->vertices[surface->triangles[t].v[c]];
}

/* Takes over the point on triangle t if it is nearer, or equally near with a lower number. */
static inline void surface_take(const closest_point *at, uint32_t t, syn_nearest *best) {
  if (at->distance2 < best->at.distance2 || (at->distance2 == best->at.distance2 && t < best->triangle))
    *best = (syn_nearest){*at, t};
}

static inline void surface_try(const syn_surface_tree *surface, syn_vec3 point, uint32_t t, syn_nearest *best) {
  syn_vec3 v[3];
  surface_corners(surface, t, v);
  const closest_point at = closest_feature(point, v);
  surface_take(&at, t, best);
}

#endif
