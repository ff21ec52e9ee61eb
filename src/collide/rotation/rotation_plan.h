/* The data for rotations that depends on the mesh alone, not on the positions or the centre: the triangles, edges and
 * vertices of each part. Bodies that differ only in positions share one. */
#ifndef SYN_COLLIDE_ROTATION_PLAN_H
#define SYN_COLLIDE_ROTATION_PLAN_H

#include <synovia/mesh.h>

#include "base/status.h"
#include "collide/rotation/rotation.h"
#include "mesh/derived.h"

/* A vertex, edge or triangle of a part. */
typedef struct part_feature {
  uint32_t id;
  uint8_t corner[3]; /* counted from the part's first; a vertex has one thrice, an edge its second twice */
} part_feature;

/* Every edge and vertex belongs to the first part that has it, so that no pair is tried twice. A part has its own copy
 * of its corners, four to a group, the last one repeated to fill it. */
typedef struct body_part {
  uint32_t corner_begin; /* group */
  uint32_t feature_begin;
  uint32_t pack_begin; /* start of its boxes, four features to a pack: edges, then vertices, then triangles */
  uint8_t corner_groups, edge_count, vertex_count, face_count;
} body_part;

/* Parts are the leaves of a tree in groups of four. Ball i of group g is number 4 g + i. Group 0 is the top; below a
 * ball is a group, or a part where the groups end. */
typedef struct rotation_plan {
  const syn_context *context;
  uint32_t references; /* atomic */
  uint32_t halvings;   /* of the triangles, down to the parts */
  uint32_t group_count, part_count;
  uint32_t first_part; /* number of the ball about part 0 */
  int32_t below;       /* offset from a ball's number to the group below it, except for the top group */
  uint32_t corner_group_count, feature_count, pack_count;
  body_part *parts;
  part_feature *features;
  uint32_t (*corner_vertices)[4];                    /* of each corner group */
  uint32_t vertex_count, edge_count, triangle_count; /* of the whole mesh */
  syn_derived *topology;                             /* shared */
  const uint32_t (*edges)[2];                        /* of the topology */
  syn_triangle *triangles;                           /* all of the mesh */
} rotation_plan;

enum { PART_TRIANGLES = 4, PART_CORNERS = 3 * PART_TRIANGLES };

static inline uint32_t packs_for(uint32_t count) { return (count + 3) / 4; }
static inline bool plan_is_part(const rotation_plan *plan, uint32_t ball) { return ball >= plan->first_part; }
static inline uint32_t plan_group_below(const rotation_plan *plan, uint32_t ball) {
  return ball < 4 ? ball + 1 : ball + (uint32_t)plan->below;
}

/* Data that depends on the mesh alone, stored with it. */
extern const syn_derivation syn_derive_turn_order;

/* Creates a plan; *plan is NULL if no triangle is included. */
syn_status syn_rotation_plan_create(const syn_rotation_part *part, rotation_plan **plan, syn_error *error);
rotation_plan *syn_rotation_plan_share(rotation_plan *plan); /* NULL stays NULL */
void syn_rotation_plan_release(rotation_plan *plan);

/* Sorts triangles so that each half, quarter and so on of the list is compact in space. */
/* Returns the index at which a range is divided in two. */
static inline uint32_t order_middle(uint32_t begin, uint32_t end) { return begin + (end - begin) / 2; }

/* Fills order[triangle_count], divided in two `halvings` times. */
syn_status syn_triangle_order(const syn_trimesh *mesh, uint32_t halvings, uint32_t *order, syn_error *error);
/* Fills order[count] so that each run of `group` points is compact in space, and in it each run of `part` points;
 * `group` is a multiple of `part`. */
syn_status syn_point_order(const syn_context *context, const syn_vec3 *points, uint32_t count, uint32_t group,
                           uint32_t part, uint32_t *order, syn_error *error);

#endif
