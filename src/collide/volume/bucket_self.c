/* Self-intersections of a body, found bucket by bucket while it is mapped into its BucketTree (Listing 1.5.3). */
#include "base/vec.h"
#include "collide/volume/bucket_tree.h"
#include "geometry/tet_contact.h"

/* A tetrahedron of the bucket that is looked at, with all that most pairs need. */
typedef struct bucket_member {
  syn_box box;
  syn_tet vertices;
  uint32_t tet;
  uint16_t low[3]; /* see tet_span */
} bucket_member;

/* The members with surface or those without; returns how many there are with them. */
static uint32_t gather(bucket_tree *tree, const bucket_node *bucket, bool surface, uint32_t count) {
  for (uint32_t i = bucket->begin; i < bucket->begin + bucket->count; ++i) {
    const uint32_t tet = tree->entries[i];
    if ((tree->surface[tet] != 0) != surface) continue;
    const tet_span *span = &tree->spans[tet];
    syn_vec3 corners[4];
    volume_corners(tree->body, tet, corners);
    tree->members[count++] = (bucket_member){.box = tet_box(corners),
                                             .vertices = tree->body->mesh->tets[tet],
                                             .tet = tet,
                                             .low = {span->low[0], span->low[1], span->low[2]}};
  }
  return count;
}

/* Tetrahedra that share a vertex are neighbours and touch by nature. */
static bool share_vertex(const syn_tet *a, const syn_tet *b) {
  bool share = false;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) share |= a->v[i] == b->v[j];
  return share;
}

/* A pair may meet in several buckets; it is looked at in the lowest one that both touch. */
static bool is_lowest(const bucket_member *a, const bucket_member *b, const uint32_t at[3]) {
  bool lowest = true;
  for (int k = 0; k < 3; ++k) lowest &= a->low[k] == at[k] || b->low[k] == at[k];
  return lowest;
}

/* The surface faces of `from` against the volume of `other`. */
static syn_status test_faces(bucket_tree *tree, const bucket_member *from, const bucket_member *other,
                             syn_error *error) {
  syn_vec3 corners[4], other_corners[4];
  volume_corners(tree->body, from->tet, corners);
  volume_corners(tree->body, other->tet, other_corners);
  for (int f = 0; f < 4; ++f) {
    if (!(tree->surface[from->tet] >> f & 1)) continue;
    syn_vec3 face[3];
    syn_tet_face_corners(corners, f, face);
    const syn_box box = syn_box_of_points(face, 3);
    if (!box_overlap(&box, &other->box) || !syn_triangle_meets_tet(face, other_corners)) continue;
    SYN_TRY(SYN_RESERVE(tree->context, &tree->self, tree->self_count, 1, &tree->self_capacity, error));
    tree->self[tree->self_count++] = (self_contact){4 * from->tet + (uint32_t)f, other->tet};
  }
  return SYN_OK;
}

/* Members with surface come first, so that pairs without any are never formed. */
static syn_status test_bucket(bucket_tree *tree, const bucket_node *bucket, const uint32_t at[3], syn_error *error) {
  const uint32_t outer = gather(tree, bucket, true, 0), count = gather(tree, bucket, false, outer);
  for (uint32_t i = 0; i < outer; ++i)
    for (uint32_t j = i + 1; j < count; ++j) {
      const bucket_member *a = &tree->members[i], *b = &tree->members[j];
      if (!is_lowest(a, b, at) || !box_overlap(&a->box, &b->box) || share_vertex(&a->vertices, &b->vertices)) continue;
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
