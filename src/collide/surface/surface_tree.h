/* A surface prepared for one query: the nearest point of the surface to a given point, and the side on which the given
 * point lies. Immutable between updates, shareable between threads; queries allocate nothing.
 *
 * Boxes and triangles lie in groups of eight that are looked at together. Floats only rule triangles out, by margins
 * far beyond their rounding; what is left is decided in doubles by the least (distance, triangle number). The answer
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

/* Up to eight subtrees of the box tree, each in a box of its own axes. An empty slot has its box far beyond
 * everything. */
typedef struct wide_node {
  _Alignas(64) float center[3][SYN_WIDE];
  float axis[3][3][SYN_WIDE], half[3][SYN_WIDE];
  float radius[SYN_WIDE];    /* half the diagonal of the box */
  uint32_t child[SYN_WIDE];  /* a wide node, or SYN_WIDE_LEAF + a wide leaf; SYN_NONE where empty, after all others */
  uint32_t source[SYN_WIDE]; /* node of the box tree */
} wide_node;
#define SYN_WIDE_LEAF 0x80000000u
#define SYN_NOWHERE 1e18 /* a coordinate beyond all that floats are used for; its square is a float, too */

/* Up to eight triangles, each in its own frame: x along its longest edge from `corner`, z along its normal. Edge 0 lies
 * on the x axis; edges 1 and 2 start at (length[0], 0) and at `apex`. Empty slots have a corner far beyond everything.
 */
typedef struct wide_leaf {
  float corner[3][SYN_WIDE], x[3][SYN_WIDE], y[3][SYN_WIDE], z[3][SYN_WIDE];
  float length[3][SYN_WIDE], direction1[2][SYN_WIDE], direction2[2][SYN_WIDE], apex[2][SYN_WIDE];
  uint32_t triangle[SYN_WIDE];
} wide_leaf;

/* The box of a leaf once more, in one cache line. */
typedef struct leaf_box {
  float center[3], axis[3][3], half[3], radius;
} leaf_box;

/* Cubes over the box of the surface when it was made: for each a leaf that was not far from it. */
typedef struct surface_guide {
  float low[3], per_length; /* about the surface's origin; cells per length */
  uint32_t size[3];
  uint32_t *leaf; /* first along x, then y, then z */
} surface_guide;

/* Made from a box tree; `block` is what was allocated. */
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
/* The nearest point not farther than the square root of bound2 (which may be INFINITY); triangle SYN_NONE where there
 * is none. The closer the bound, the faster. */
typedef void syn_surface_tree_search(const syn_surface_tree *surface, syn_vec3 point, double bound2,
                                     syn_nearest *nearest);
/* The nearest points of `count` points. The closer together they lie, each eight of them above all, and the nearer the
 * witness (any point of the surface, or one at INFINITY), the faster. */
typedef void syn_surface_tree_search_group(const syn_surface_tree *surface, const syn_vec3 *points, uint32_t count,
                                           syn_vec3 witness, syn_nearest *nearest);

struct syn_surface_tree {
  const syn_context *context;
  const syn_triangle *triangles; /* the caller's */
  uint32_t vertex_count, triangle_count;
  syn_vec3 *vertices;   /* a copy, which updates change */
  syn_vec3 *normals;    /* unit; zero where a triangle is too thin to have one that can be trusted */
  syn_derived *derived; /* the topology, shared */
  const syn_topology *topology;
  syn_box_tree *tree; /* of the triangles, about `origin` */
  syn_box_refit *refit;
  wide_tree wide; /* the same in groups */
  syn_vec3 origin;
  double reach;        /* largest coordinate about the origin, */
  double origin_reach; /* and of the origin itself */
  double longest;      /* of the edges */
  bool has_stray;      /* few vertices are so far away that floats of their size cannot distinguish the others */
  bool solid;          /* closed and outward: distances have a sign */
  bool sheet;          /* open, no edge with more than two triangles, all facing the same way */
  syn_surface_tree_search *search; /* the faster ones that the machine can run */
  syn_surface_tree_search_group *search_group;
};

/* The mesh is borrowed and may not be empty. Fields are measured on the threads of this context. */
syn_status syn_surface_tree_create(const syn_context *context, const syn_trimesh *mesh, syn_surface_tree **surface,
                                   syn_error *error);
void syn_surface_tree_destroy(syn_surface_tree *surface); /* NULL is fine */
/* Shared by all users of the mesh, which must outlive it. Those who deform it get another by syn_derive_moved. */
extern const syn_derivation syn_derive_surface;
static inline const syn_surface_tree *derived_surface(const syn_derived *derived) { return derived->made; }
/* New positions of the vertices: only what moved is done again. SYN_BAD_MESH names a coordinate that is not finite; the
 * surface then stays as it was. */
syn_status syn_surface_tree_update(syn_surface_tree *surface, const syn_vec3 *vertices, syn_error *error);

/* +1 outside, -1 inside, 0 on the surface; for a solid surface. By the angle-weighted normal of the nearest feature
 * (Baerentzen and Aanaes 2005), by the winding number where that normal is not to be trusted. */
int syn_surface_tree_side(const syn_surface_tree *surface, syn_vec3 point, const syn_nearest *nearest);
/* For a surface that is a sheet: -1 behind it, away from where its triangles face; +1 in front of it and wherever the
 * nearest point lies on its border, beyond which nothing is behind; 0 on it. */
int syn_surface_tree_sheet_side(const syn_surface_tree *surface, syn_vec3 point, const syn_nearest *nearest);
void syn_surface_tree_set_normal(syn_surface_tree *surface, uint32_t t); /* again, from its corners */
/* How often the surface winds around the point: a whole number for a closed one. Linear in its triangles. */
double syn_surface_tree_winding(const syn_surface_tree *surface, syn_vec3 point);

/* Triangle after triangle in doubles; four lanes of floats at a time, which every processor has, or WebAssembly; AVX2.
 */
syn_surface_tree_search syn_surface_tree_search_portable, syn_surface_tree_search_four;
syn_surface_tree_search_group syn_surface_tree_search_group_portable, syn_surface_tree_search_group_four;
#if SYN_AVX2
syn_surface_tree_search syn_surface_tree_search_avx2;
syn_surface_tree_search_group syn_surface_tree_search_group_avx2;
#endif

/* Makes surface->wide from the box tree. */
syn_status syn_wide_create(syn_surface_tree *surface, syn_error *error);
void syn_wide_destroy(syn_surface_tree *surface);
syn_status syn_guide_create(syn_surface_tree *surface, syn_error *error); /* once the boxes of leaves are there */
/* Chooses the axes of all boxes; then measures along them: all, or (moved not NULL) where a triangle t with moved[t]
 * is.
 */
void syn_wide_turn_boxes(syn_surface_tree *surface);
void syn_wide_set_boxes(syn_surface_tree *surface, const uint8_t *moved);
void syn_wide_no_box(wide_node *node, uint32_t at); /* an empty slot */
void syn_wide_set_triangle(syn_surface_tree *surface, uint32_t t);

static inline void surface_corners(const syn_surface_tree *surface, uint32_t t, syn_vec3 v[3]) {
  for (int c = 0; c < 3; ++c) v[c] = surface->vertices[surface->triangles[t].v[c]];
}

/* Takes the place on triangle t where it is nearer, or as near with a lower number. */
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
