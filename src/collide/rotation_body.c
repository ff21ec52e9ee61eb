#include "collide/rotation_body.h"

#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "collide/ball_tree.h"
#include "collide/closest.h"

_Static_assert(3 * BALL_TREE_LEAF <= sizeof((leaf_features *)0)->own_vertices, "room for every corner of a leaf");

typedef struct build {
  const syn_trimesh *mesh;
  const syn_topology *topology;
  const ball_tree *tree;
  syn_vec3 center;
  double margin;
  bool *edge_seen, *vertex_seen;
  rotation_body *body;
} build;

/* ---- features of a leaf ------------------------------------------------------------------------------------------ */

/* The leaf's corner of this vertex, made where it is missing. */
static uint8_t corner_of(build *b, leaf_features *leaf, uint32_t vertex) {
  corner *corners = &b->body->corners[leaf->corner_begin];
  for (uint8_t i = 0; i < leaf->corner_count; ++i)
    if (corners[i].id == vertex) return i;
  const syn_vec3 place = vec3_sub(b->mesh->vertices[vertex], b->center);
  corners[leaf->corner_count] = (corner){place, vertex, (float)vec3_length(place)};
  ++b->body->corner_count;
  if (!b->vertex_seen[vertex]) leaf->own_vertices[leaf->own_vertex_count++] = leaf->corner_count;
  b->vertex_seen[vertex] = true;
  return leaf->corner_count++;
}

static void set_reach(const build *b, float *near, float *far, double nearest, double farthest) {
  *near = (float)(nearest - b->margin);
  *far = (float)(farthest + b->margin);
}

static void add_face(build *b, leaf_features *leaf, uint32_t t) {
  face_feature *face = &b->body->faces[b->body->face_count++];
  const corner *corners = &b->body->corners[leaf->corner_begin];
  syn_vec3 v[3];
  double far = 0;
  face->id = t;
  for (int c = 0; c < 3; ++c) {
    face->v[c] = corner_of(b, leaf, b->mesh->triangles[t].v[c]);
    v[c] = corners[face->v[c]].place;
    far = max2(far, vec3_length(v[c]));
  }
  set_reach(b, &face->near, &face->far, vec3_length(closest_on_triangle(vec3(0, 0, 0), v)), far);
  ++leaf->face_count;
}

static void add_edge(build *b, leaf_features *leaf, uint32_t e) {
  if (b->edge_seen[e]) return;
  b->edge_seen[e] = true;
  edge_feature *edge = &b->body->edges[b->body->edge_count++];
  const corner *corners = &b->body->corners[leaf->corner_begin];
  edge->id = e;
  for (int end = 0; end < 2; ++end) edge->v[end] = corner_of(b, leaf, b->topology->edge_vertices[e][end]);
  const syn_vec3 p = corners[edge->v[0]].place, q = corners[edge->v[1]].place;
  set_reach(b, &edge->near, &edge->far, vec3_length(closest_on_segment(vec3(0, 0, 0), p, q)),
            max2(vec3_length(p), vec3_length(q)));
  ++leaf->edge_count;
}

static void add_leaf(build *b, const ball_node *node) {
  rotation_body *body = b->body;
  leaf_features *leaf = &body->leaves[body->leaf_count++];
  *leaf = (leaf_features){
      .corner_begin = body->corner_count, .edge_begin = body->edge_count, .face_begin = body->face_count};
  for (uint32_t i = node->begin; i < node->end; ++i) add_face(b, leaf, b->tree->triangles[i]);
  for (uint32_t i = node->begin; i < node->end; ++i)
    for (int c = 0; c < 3; ++c) add_edge(b, leaf, b->topology->triangle_edges[b->tree->triangles[i]][c]);
}

/* ---- the body ---------------------------------------------------------------------------------------------------- */

static void fill(build *b) {
  rotation_body *body = b->body;
  for (uint32_t n = 0; n < body->node_count; ++n) {
    const ball_node *node = &b->tree->nodes[n];
    body->nodes[n] = (body_node){.x = node->x,
                                 .y = node->y,
                                 .z = node->z,
                                 .radius = node->radius + (float)b->margin,
                                 .near = node->near - (float)b->margin,
                                 .far = node->far + (float)b->margin,
                                 .next = node->right ? (int32_t)node->right : -(int32_t)body->leaf_count};
    if (!node->right) add_leaf(b, node);
  }
}

static uint32_t count_leaves(const ball_tree *tree) { return (tree->node_count + 1) / 2; }

static syn_status allocate(build *b, syn_arena *arena, syn_error *error) {
  rotation_body *body = b->body;
  const syn_context *context = body->context;
  const syn_topology *topology = b->topology;
  SYN_TRY(SYN_TAKE(arena, &b->edge_seen, topology->edge_count, error));
  SYN_TRY(SYN_TAKE(arena, &b->vertex_seen, topology->vertex_count, error));
  memset(b->edge_seen, 0, topology->edge_count * sizeof *b->edge_seen);
  memset(b->vertex_seen, 0, topology->vertex_count * sizeof *b->vertex_seen);
  body->node_count = b->tree->node_count;
  SYN_TRY(SYN_NEW(context, &body->nodes, body->node_count, error));
  SYN_TRY(SYN_NEW(context, &body->leaves, count_leaves(b->tree), error));
  SYN_TRY(SYN_NEW(context, &body->corners, 3 * (size_t)b->mesh->triangle_count, error));
  SYN_TRY(SYN_NEW(context, &body->edges, topology->edge_count, error));
  return SYN_NEW(context, &body->faces, topology->triangle_count, error);
}

static syn_status build_with(build *b, syn_error *error) {
  syn_arena arena = {.context = b->body->context};
  const syn_status status = allocate(b, &arena, error);
  if (status == SYN_OK) fill(b);
  syn_arena_release(&arena);
  return status;
}

syn_status syn_rotation_body_build(const syn_trimesh *mesh, syn_vec3 center, double margin, rotation_body *body,
                                   syn_error *error) {
  *body = (rotation_body){.context = mesh->context};
  if (mesh->triangle_count == 0) return SYN_OK;
  ball_tree tree;
  syn_topology *topology = NULL;
  syn_status status = syn_ball_tree_build(mesh, center, &tree, error);
  if (status == SYN_OK) status = syn_topology_create(mesh, &topology, error);
  if (status == SYN_OK)
    status = build_with(
        &(build){.mesh = mesh, .topology = topology, .tree = &tree, .center = center, .margin = margin, .body = body},
        error);
  syn_topology_destroy(topology);
  syn_ball_tree_release(&tree);
  return status;
}

void syn_rotation_body_release(rotation_body *body) {
  syn_free(body->context, body->nodes);
  syn_free(body->context, body->leaves);
  syn_free(body->context, body->corners);
  syn_free(body->context, body->edges);
  syn_free(body->context, body->faces);
  *body = (rotation_body){0};
}
