/* Shared by the methods that find crossing triangles: a surface with its box tree, and the end of every search. */
#ifndef SYN_COLLIDE_PAIR_SEARCH_H
#define SYN_COLLIDE_PAIR_SEARCH_H

#include "base/vec.h"
#include "collide/method.h"
#include "mesh/derived.h"
#include "mesh/tree/box_refit.h"

/* Min and max distance of a part of a surface from the centre. A rotation about the centre does not change them, so
 * that shells that slide in one another are separated at the root of their trees. Floats with margins that cover
 * rounding. */
typedef struct shell {
  float near, far;
} shell;

/* A surface in its current shape. What does not depend on the centre is shared by all users of the mesh with the same
 * positions. */
typedef struct pair_surface {
  const syn_context *context;
  const syn_trimesh *mesh;  /* for its triangles */
  syn_derived *shape;       /* a pair_shape */
  const syn_vec3 *corners;  /* three for each triangle, current positions */
  const syn_box_tree *tree; /* over the triangles */
  syn_vec3 center;
  shell *shells; /* of the tree's nodes */
  uint8_t *due;  /* of the same: did the last update that touched any move triangles below it? */
  bool closed;   /* every edge has an even number of triangles */
  uint32_t component_count;
  const uint32_t *component_triangle; /* one triangle of each component */
} pair_surface;

/* Data that depends on a mesh alone, or on a mesh and the new positions of its vertices. */
typedef struct pair_shape {
  const syn_context *context;
  syn_derived *boxes;
  const syn_box_tree *tree; /* that of `boxes`, or `own_tree` once it has moved */
  syn_box_tree *own_tree;
  syn_box_refit *refit;
  uint32_t triangle_count;
  syn_triangle *triangles; /* the mesh may be gone */
  syn_vec3 *corners;
  bool closed;
  uint32_t component_count;
  uint32_t *component_triangle;
} pair_shape;
extern const syn_derivation syn_derive_pair_shape;

static inline const syn_vec3 *pair_surface_triangle(const pair_surface *surface, uint32_t triangle) {
  return &surface->corners[3 * (size_t)triangle];
}

/* `which` names the body in the warning about an open surface, inside which another body is not detected. */
syn_status syn_pair_surface_create(const syn_context *context, const syn_trimesh *mesh, syn_vec3 center,
                                   const char *which, pair_surface *surface, syn_error *error);
void syn_pair_surface_release(pair_surface *surface);
/* Sets new positions of the mesh's vertices. All are compared with the old ones; only the nodes around moved triangles
 * are fitted again (Sundaraj 2004, §5.4), and *touched (may be NULL) gets their count. On failure the surface does not
 * change. */
syn_status syn_pair_surface_update(pair_surface *surface, const syn_vec3 *vertices, size_t *touched, syn_error *error);

/* One query. */
typedef struct pair_search {
  const pair_surface *fixed, *mobile;
  const syn_pose *pose;
  syn_contacts *result;
} pair_search;

/* Returns how far the pose moves the centre: shells of the mobile surface must be widened by this. */
static inline float pair_search_wandered(const pair_search *search) {
  const syn_vec3 center = search->mobile->center, moved = syn_pose_point(search->pose, center);
  const double rounding = 1e-14 * (vec3_length(center) + vec3_length(moved) + vec3_length(search->pose->translation));
  return (float)(1.000001 * vec3_distance(center, moved) + rounding);
}
/* Transforms a mobile triangle by the pose. */
static inline void pair_search_place(const pair_search *search, uint32_t mobile, syn_vec3 moved[3]) {
  for (int c = 0; c < 3; ++c) moved[c] = syn_pose_point(search->pose, pair_surface_triangle(search->mobile, mobile)[c]);
}
/* Reports a pair that meets. False: stop, a single contact was requested. */
bool syn_pair_search_report(pair_search *search, uint32_t fixed, uint32_t mobile, const syn_vec3 moved[3]);
/* Finishes a search: sorts, and if nothing meets tests whether one closed body is inside the other. */
void syn_pair_search_finish(pair_search *search);

#endif
