/* One body prepared for turns about any axis through a centre: a tree of balls in groups of four, and below its leaves,
 * the parts of up to four triangles, the features that are to be tried there. */
#ifndef SYN_COLLIDE_ROTATION_BODY_H
#define SYN_COLLIDE_ROTATION_BODY_H

#include <synovia/mesh.h>

#include "base/status.h"
#include "collide/rotation/rotation.h"
#include "collide/rotation/turn_box.h"
#include "mesh/derived.h"

/* A vertex, edge or triangle as a part has it. */
typedef struct part_feature {
  float near, far; /* distances from the centre, widened beyond all roundings */
  uint32_t id;
  uint8_t corner[3]; /* counted from the part's first; a vertex has one thrice, an edge its second twice */
} part_feature;

/* Every edge and vertex belongs to the first part that has it, so that no pair is tried twice. A part has its own copy
 * of its corners, four to a group, the last one repeated to fill it. */
typedef struct body_part {
  uint32_t corner_begin; /* group */
  uint32_t feature_begin;
  uint32_t pack_begin; /* where its boxes go, four features to a pack: edges, then vertices, then triangles */
  uint8_t corner_groups, edge_count, vertex_count, face_count;
} body_part;

typedef struct corner_group {
  float4 x, y, z; /* from the centre */
} corner_group;

/* Balls about four parts of the surface, the boxes with the same middles, and how near to and far from the centre these
 * parts lie. */
typedef struct ball_group {
  float4 middle[3], half[3]; /* from the centre, along x, y, z */
  float4 radius;             /* below 0 where there is nothing */
  float4 near, far;
} ball_group;

/* Ball i of group g is number 4 g + i. Group 0 is the top; below a ball is a group, or a part where the groups end. */
typedef struct rotation_body {
  const syn_context *context;
  uint32_t group_count, part_count;
  uint32_t first_part; /* number of the ball about part 0 */
  int32_t below;       /* what leads from a ball's number, but for the top group's, to the group below it */
  uint32_t corner_group_count, feature_count, pack_count;
  ball_group *groups;
  body_part *parts;
  corner_group *corners;
  part_feature *features;
  /* of the whole mesh, by number */
  uint32_t vertex_count, edge_count, triangle_count;
  syn_derived *topology;      /* shared */
  syn_vec3 *vertices;         /* from the centre */
  const uint32_t (*edges)[2]; /* of the topology */
  syn_triangle *triangles;
} rotation_body;

enum { PART_TRIANGLES = 4, PART_CORNERS = 3 * PART_TRIANGLES };

static inline uint32_t packs_for(uint32_t count) { return (count + 3) / 4; }
static inline bool body_is_part(const rotation_body *body, uint32_t ball) { return ball >= body->first_part; }
static inline uint32_t body_group_below(const rotation_body *body, uint32_t ball) {
  return ball < 4 ? ball + 1 : ball + (uint32_t)body->below;
}

/* What bounds are widened by for parts that reach up to `far` from the centre: `margin`, and more than what floats of
 * that size lose. One far vertex must not widen the bounds of all other parts. */
static inline double rotation_margin(double margin, double far) { return margin + 1e-6 * far; }

/* What the mesh alone decides, kept by it. */
extern const syn_derivation syn_derive_turn_order;

/* `margin`: see rotation_margin. On failure the body must still be released. */
syn_status syn_rotation_body_build(const syn_rotation_part *part, syn_vec3 center, double margin, rotation_body *body,
                                   syn_error *error);
void syn_rotation_body_release(rotation_body *body);

#endif
