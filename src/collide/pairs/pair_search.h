/* What the methods that find crossing triangles share: a surface with its box tree, and the end of every search. */
#ifndef SYN_COLLIDE_PAIR_SEARCH_H
#define SYN_COLLIDE_PAIR_SEARCH_H

#include "base/vec.h"
#include "collide/method.h"
#include "mesh/derived.h"
#include "mesh/tree/box_refit.h"

/* Distances from the centre between which a part of a surface lies. No turn about the centre changes them, so that
 * shells that slide in one another come apart at the root of their trees. Floats with margins that cover rounding. */
typedef struct shell {
  float near, far;
} shell;

/* A surface in its current shape. What does not depend on the centre is shared by all users of the mesh that have it at
 * the same places. */
typedef struct pair_surface {
  const syn_context *context;
  const syn_trimesh *mesh;  /* for its triangles */
  syn_derived *shape;       /* a pair_shape */
  const syn_vec3 *corners;  /* three for each triangle, where they are now */
  const syn_box_tree *tree; /* over the triangles */
  syn_vec3 center;
  shell *shells; /* of the tree's nodes */
  uint8_t *due;  /* of the same: did the last update that touched any move triangles below it? */
  bool closed;   /* every edge has an even number of triangles */
  uint32_t component_count;
  const uint32_t *component_triangle; /* one triangle of each component */
} pair_surface;

/* What a mesh alone decides, or a mesh and the places to which its vertices moved. */
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
/* New positions of the mesh's vertices. All are compared with the old ones; only the nodes around triangles that moved
 * are fitted again (Sundaraj 2004, §5.4), and *touched (may be NULL) gets their number. On failure the surface does not
 * change. */
syn_status syn_pair_surface_update(pair_surface *surface, const syn_vec3 *vertices, size_t *touched, syn_error *error);

/* One query. */
typedef struct pair_search {
  const pair_surface *fixed, *mobile;
  const syn_pose *pose;
  syn_contacts *result;
} pair_search;

/* How far the pose moves the centre: by so much shells of the mobile surface must be widened. */
static inline float pair_search_wandered(const pair_search *search) {
  const syn_vec3 center = search->mobile->center, moved = syn_pose_point(search->pose, center);
  const double rounding = 1e-14 * (vec3_length(center) + vec3_length(moved) + vec3_length(search->pose->translation));
  return (float)(1.000001 * vec3_distance(center, moved) + rounding);
}
/* A mobile triangle where the pose puts it. */
static inline void pair_search_place(const pair_search *search, uint32_t mobile, syn_vec3 moved[3]) {
  for (int c = 0; c < 3; ++c) moved[c] = syn_pose_point(search->pose, pair_surface_triangle(search->mobile, mobile)[c]);
}
/* Reports a pair that meets. False: the search is over, one contact was all that was wanted. */
bool syn_pair_search_report(pair_search *search, uint32_t fixed, uint32_t mobile, const syn_vec3 moved[3]);
/* After all pairs: sorts, and where nothing meets looks for one closed body inside the other. */
void syn_pair_search_finish(pair_search *search);

#endif
