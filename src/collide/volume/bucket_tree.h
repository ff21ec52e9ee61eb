/* BucketTree (Erleben & Sporring 2005): an octree whose leaves, the buckets, list the tetrahedra that their boxes
 * touch. After a deformation the tree is not refitted; the tetrahedra are mapped into it again, in linear time. What is
 * said of tetrahedra here holds for the cells of a volume, whichever convex solids they are (volume.h).
 *
 * Three differences from the published tree. The root is a cube of buckets of exactly the requested width, of which
 * only the part over the mesh is stored. (Erleben and Sporring round the number of levels down, so that buckets are up
 * to twice as wide, and flat for flat meshes.) A pair of tetrahedra is tested in one bucket only, so that nothing is
 * tested or reported twice. The faces of a surface tetrahedron are also tested if it was mapped before an inner one. */
#ifndef SYN_COLLIDE_BUCKET_TREE_H
#define SYN_COLLIDE_BUCKET_TREE_H

#include "collide/volume/bucket_pairs.h"
#include "collide/volume/volume.h"

enum {
  BUCKET_LEVELS = 17,        /* at most: 2^16 buckets along an axis */
  BUCKETS_ALONG = UINT16_MAX /* at most */
};

typedef struct bucket_node {
  uint32_t stamp;        /* holds something where this is the tree's */
  uint32_t surface;      /* a tetrahedron with a face on the surface is here or below */
  uint32_t begin, count; /* a bucket's part of `entries` */
} bucket_node;

/* The buckets that the box of a tetrahedron touches. Mapping writes and reads little else for each, so that memory does
 * not slow it down for large meshes. */
typedef struct tet_span {
  uint16_t low[3], high[3];
} tet_span;

typedef struct bucket_level {
  uint32_t size[3];
  size_t first; /* number of its node (0, 0, 0) */
} bucket_level;

/* A surface face that meets a tetrahedron of the same body without a common vertex. */
typedef struct self_contact {
  uint32_t face, tet; /* face 4 t + f is opposite vertex f of tetrahedron t; of other cells face 6 t + f */
} self_contact;

typedef struct bucket_tree {
  const syn_context *context;
  const volume *body;
  bool find_self; /* find self-intersections while mapping */
  uint32_t stamp;
  uint32_t level_count; /* levels[0] are the buckets, the last is the root; 0: an empty tree */
  bucket_level levels[BUCKET_LEVELS + 1];
  double *bounds[3]; /* interval lists: bucket i lies from bounds[k][i] to bounds[k][i + 1] along axis k */
  syn_vec3 largest;  /* widths of the boxes of all tetrahedra together */
  uint32_t most_in_bucket;
  bucket_node *nodes;
  size_t node_capacity;
  uint32_t *filled; /* numbers of the buckets that hold something */
  size_t filled_count, filled_capacity;
  uint32_t *entries; /* tetrahedra, bucket by bucket */
  size_t entry_capacity;
  tet_span *spans;
  uint8_t *surface;              /* bit f: face f of the tetrahedron is on the surface */
  coordinate *sorted[3], *spare; /* of the vertices that belong to tetrahedra */
  size_t sorted_count;
  uint16_t (*index)[3]; /* bucket of each vertex along each axis */
  self_contact *self;
  size_t self_count, self_capacity;
  struct bucket_member *members; /* work of syn_bucket_tree_find_self */
  size_t member_capacity;
} bucket_tree;

/* Creates a tree, not yet mapped. `body` must outlive the tree. A failure leaves nothing allocated. */
syn_status syn_bucket_tree_create(const volume *body, bool find_self, bucket_tree *tree, syn_error *error);
void syn_bucket_tree_release(bucket_tree *tree);
/* Maps the body's tetrahedra at their current positions. Out of memory, the tree is left empty. */
syn_status syn_bucket_tree_remap(bucket_tree *tree, syn_error *error);
/* The part of mapping that fills `self`, once the buckets are filled. */
syn_status syn_bucket_tree_find_self(bucket_tree *tree, syn_error *error);

static inline size_t bucket_number(const bucket_level *level, uint32_t x, uint32_t y, uint32_t z) {
  return level->first + ((size_t)z * level->size[1] + y) * level->size[0] + x;
}
/* Finds the corners of a face of a cell, given the cell's; returns their count. */
int syn_cell_face_corners(const volume *body, uint32_t cell, const syn_vec3 *cell_corners, uint32_t face,
                          syn_vec3 corners[4]);
/* Returns whether a face (3 or 4 corners) meets a cell of the body. */
static inline bool syn_face_meets_cell(const syn_vec3 *face, int count, const volume *body, const syn_vec3 *cell) {
  return syn_face_meets_hull(face, count, cell, (int)body->corners);
}

#endif
