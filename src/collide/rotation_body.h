/* One body prepared for turns about any axis through a centre: a tree of balls, and below each of its leaves the
 * features that are to be tried there. */
#ifndef SYN_COLLIDE_ROTATION_BODY_H
#define SYN_COLLIDE_ROTATION_BODY_H

#include <synovia/mesh.h>

#include "base/status.h"

/* near and far: distances from the centre, which no turn changes, widened beyond all roundings. */
typedef struct edge_feature {
  float near, far;
  uint32_t id;
  uint8_t v[2]; /* corners, counted from the leaf's first */
} edge_feature;

typedef struct face_feature {
  float near, far;
  uint32_t id;
  uint8_t v[3];
} face_feature;

/* A corner of a leaf's triangles; where leaves share a vertex, each has its own copy beside its others. */
typedef struct corner {
  syn_vec3 place; /* from the centre */
  uint32_t id;
  float far; /* distance from the centre */
} corner;

/* Every edge and vertex belongs to the first leaf that has it, so that no pair is tried twice. */
typedef struct leaf_features {
  uint32_t corner_begin, edge_begin, face_begin;
  uint8_t corner_count, edge_count, face_count;
  uint8_t own_vertices[24]; /* corners that belong to this leaf */
  uint8_t own_vertex_count;
} leaf_features;

/* A ball about a part of the surface, and how near to and far from the centre that part lies. */
typedef struct body_node {
  float x, y, z, radius; /* from the centre */
  float near, far;
  int32_t next; /* above 0: the right child (the left one follows its parent); else minus the number of a leaf */
} body_node;

typedef struct rotation_body {
  const syn_context *context;
  uint32_t node_count, leaf_count, corner_count, edge_count, face_count;
  body_node *nodes;
  leaf_features *leaves;
  corner *corners;
  edge_feature *edges;
  face_feature *faces;
} rotation_body;

/* `margin`: what bounds are widened by. On failure the body must still be released. */
syn_status syn_rotation_body_build(const syn_trimesh *mesh, syn_vec3 center, double margin, rotation_body *body,
                                   syn_error *error);
void syn_rotation_body_release(rotation_body *body);

#endif
