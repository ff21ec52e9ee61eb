/* Self-intersections of a body, found bucket by bucket while it is mapped into its BucketTree (Listing 1.5.3). */
#include "base/vec.h"
#include "collide/volume/bucket_tree.h"
#include "geometry/convex_contact.h"

/* A tetrahedron of the bucket that is looked at, with all that most pairs need. */
typedef struct bucket_member {
  syn_box box;
  const uint32_t *vertices;
  uint32_t tet;
  uint16_t low[3]; /* see tet_span */
} bucket_member;

/* Collects the members with surface or those without; returns their count. */
static uint32_t gather_members(bucket_tree *tree, const bucket_node *bucket, bool surface, uint32_t count) {
  for (uint32_t i = bucket->begin; i < bucket->begin + bucket->count; ++i) {
    const uint32_t tet = tree->entries[i];
    if ((tree->surface[tet] != 0) != surface) continue;
    const tet_span *span = &tree->spans[tet];
    syn_vec3 corners[HULL_POINTS];
    volume_cell(tree->body, tet, corners);
    tree->members[count++] = (bucket_member){.box = volume_cell_box(tree->body, corners),
                                             .vertices = tree->body->cells + (size_t)tet * tree->body->corners,
                                             .tet = tet,
                                             .low = {span->low[0], span->low[1], span->low[2]}};
  }
  return count;
}

/* Returns whether two cells share a vertex: neighbours always touch. */
static inline bool share_some(const uint32_t *a, const uint32_t *b, int count) {
  bool share = false;
  for (int i = 0; i < count; ++i)
    for (int j = 0; j < count; ++j) share |= a[i] == b[j];
  return share;
}
static bool share_vertex(const volume *body, const bucket_member *a, const bucket_member *b) {
  return body->corners == 4 ? share_some(a->vertices, b->vertices, 4) : share_some(a->vertices, b->vertices, 8);
}

/* Returns whether the bucket is the lowest one that both members touch: there a pair is tested, as it may meet in
 * several. */
static bool is_lowest(const bucket_member *a, const bucket_member *b, const uint32_t at[3]) {
  bool lowest = true;
  for (int k = 0; k < 3; ++k) lowest &= a->low[k] == at[k] || b->low[k] == at[k];
  return lowest;
}

/* Tests the surface faces of `from` against the volume of `other`. */
static syn_status test_faces(bucket_tree *tree, const bucket_member *from, const bucket_member *other,
                             syn_error *error) {
  const volume *body = tree->body;
  syn_vec3 corners[HULL_POINTS], other_corners[HULL_POINTS];
  volume_cell(body, from->tet, corners);
  volume_cell(body, other->tet, other_corners);
  for (uint32_t f = 0; f < body->faces; ++f) {
    if (!(tree->surface[from->tet] >> f & 1)) continue;
    syn_vec3 face[4];
    const int count = syn_cell_face_corners(body, from->tet, corners, f, face);
    const syn_box box = syn_box_of_points(face, count);
    if (!box_overlap(&box, &other->box) || !syn_face_meets_cell(face, count, body, other_corners)) continue;
    SYN_TRY(SYN_RESERVE(tree->context, &tree->self, tree->self_count, 1, &tree->self_capacity, error));
    tree->self[tree->self_count++] = (self_contact){body->faces * from->tet + f, other->tet};
  }
  return SYN_OK;
}

/* Members with surface come first, so that pairs without any are never formed. */
static syn_status test_bucket(bucket_tree *tree, const bucket_node *bucket, const uint32_t at[3], syn_error *error) {
  const uint32_t outer = gather_members(tree, bucket, true, 0), count = gather_members(tree, bucket, false, outer);
  for (uint32_t i = 0; i < outer; ++i)
    for (uint32_t j = i + 1; j < count; ++j) {
      const bucket_member *a = &tree->members[i], *b = &tree->members[j];
      if (!is_lowest(a, b, at) || !box_overlap(&a->box, &b->box) || share_vertex(tree->body, a, b)) continue;
      SYN_TRY(test_faces(tree, a, b, error));
      if (j < outer) SYN_TRY(test_faces(tree, b, a, error));
    }
  return SYN_OK;
}

syn_status syn_bucket_tree_find_self(bucket_tree *tree, syn_error *error) {
  const uint32_t *size = tree->levels[0].size;
  tree->self_count = 0;
  if (tree->most_in_bucket > tree->member_capacity)
    SYN_TRY(SYN_RESERVE(tree->context, &tree->members, 0, tree->most_in_bucket, &tree->member_capacity, error));
  for (size_t i = 0; i < tree->filled_count; ++i) {
    const uint32_t number = tree->filled[i];
    const uint32_t at[3] = {number % size[0], number / size[0] % size[1], number / size[0] / size[1]};
    if (tree->nodes[number].surface) SYN_TRY(test_bucket(tree, &tree->nodes[number], at, error));
  }
  return SYN_OK;
}
