#include "collide/volume/bucket_tree.h"
#include "base/vec.h"
#include "geometry/convex_contact.h"
#include "mesh/tet/tet_topology.h"

#include <string.h>

/* Self-intersections of a body, found bucket by bucket while it is mapped into its BucketTree (Listing 1.5.3). */
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

int syn_cell_face_corners(const volume *body, uint32_t cell, const syn_vec3 *cell_corners, uint32_t face,
                          syn_vec3 corners[4]) {
  if (!body->kinds) {
    for (int c = 0; c < 3; ++c) corners[c] = cell_corners[syn_tet_face[face][c]];
    return 3;
  }
  int8_t at[4];
  int count = 0;
  syn_volume_face(body, cell, face, at);
  for (; count < 4 && at[count] >= 0; ++count) corners[count] = cell_corners[(int)at[count]];
  return count;
}

/* ---- making ------------------------------------------------------------------------------------------------------
 */

/* Vertices that belong to no tetrahedron take no part. */
static void list_vertices(bucket_tree *tree) {
  const syn_tetmesh *mesh = tree->body->mesh;
  uint16_t(*used)[3] = tree->index; /* which is not in use yet */
  if (mesh->vertex_count > 0) memset(used, 0, mesh->vertex_count * sizeof *used);
  const size_t corners = (size_t)tree->body->cell_count * tree->body->corners;
  for (size_t c = 0; c < corners; ++c) used[tree->body->cells[c]][0] = 1;
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
    if (!used[v][0]) continue;
    for (int k = 0; k < 3; ++k) tree->sorted[k][tree->sorted_count].point = v;
    ++tree->sorted_count;
  }
}

static syn_status fill_bucket_tree(bucket_tree *tree, syn_error *error) {
  const syn_tetmesh *mesh = tree->body->mesh;
  const uint32_t cells = tree->body->cell_count;
  const size_t along = 4 * (size_t)cells + 64; /* buckets, see choose_width */
  SYN_TRY(SYN_NEW(tree->context, &tree->spans, cells, error));
  SYN_TRY(SYN_NEW(tree->context, &tree->surface, cells, error));
  SYN_TRY(SYN_NEW(tree->context, &tree->index, mesh->vertex_count, error));
  SYN_TRY(SYN_NEW(tree->context, &tree->spare, mesh->vertex_count, error));
  for (int k = 0; k < 3; ++k) {
    SYN_TRY(SYN_NEW(tree->context, &tree->sorted[k], mesh->vertex_count, error));
    SYN_TRY(SYN_NEW(tree->context, &tree->bounds[k], (along < BUCKETS_ALONG ? along : BUCKETS_ALONG) + 1, error));
  }
  list_vertices(tree);
  return syn_volume_surface(tree->body, tree->surface, error);
}

syn_status syn_bucket_tree_create(const volume *body, bool find_self, bucket_tree *tree, syn_error *error) {
  *tree = (bucket_tree){.context = body->context, .body = body, .find_self = find_self};
  const syn_status status = fill_bucket_tree(tree, error);
  if (status != SYN_OK) syn_bucket_tree_release(tree);
  return status;
}

void syn_bucket_tree_release(bucket_tree *tree) {
  void *const blocks[] = {tree->bounds[0], tree->bounds[1], tree->bounds[2], tree->nodes,     tree->filled,
                          tree->entries,   tree->spans,     tree->surface,   tree->sorted[0], tree->sorted[1],
                          tree->sorted[2], tree->spare,     tree->index,     tree->self,      tree->members};
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i) syn_free(tree->context, blocks[i]);
  *tree = (bucket_tree){0};
}

/* ---- the shape of the tree --------------------------------------------------------------------------------------- */

static void find_largest(bucket_tree *tree) {
  const volume *body = tree->body;
  tree->largest = vec3(0, 0, 0);
  for (uint32_t c = 0; c < body->cell_count; ++c) {
    syn_vec3 p[HULL_POINTS];
    volume_cell(body, c, p);
    const syn_box box = volume_cell_box(body, p);
    tree->largest = vec3_max(tree->largest, vec3_sub(box.max, box.min));
  }
}

/* Twice the radius of a ball as large as the mean cell (Eq. 1.5.4 and 1.5.5); also finds `largest`. */
static double measure_cells(bucket_tree *tree) {
  double sum = 0;
  find_largest(tree);
  for (uint32_t t = 0; t < tree->body->mesh->tet_count; ++t) {
    syn_vec3 p[4];
    volume_corners(tree->body, t, p);
    sum += fabs(vec3_dot(vec3_cross(vec3_sub(p[1], p[0]), vec3_sub(p[2], p[0])), vec3_sub(p[3], p[0]))) / 6;
  }
  return 2 * cbrt(3 * (sum / tree->body->cell_count) / (4 * SYN_PI));
}

/* Orders the coordinates and gives the smallest box around all (Eq. 1.5.9 and 1.5.10). */
static syn_box sort_coordinates(bucket_tree *tree) {
  const size_t n = tree->sorted_count;
  double low[3], high[3];
  for (int k = 0; k < 3; ++k) {
    coordinate *list = tree->sorted[k];
    for (size_t i = 0; i < n; ++i) list[i].value = vec3_at(tree->body->places[list[i].point], k);
    syn_sort_coordinates(list, n, tree->spare);
    low[k] = list[0].value;
    high[k] = list[n - 1].value;
  }
  return (syn_box){vec3(low[0], low[1], low[2]), vec3(high[0], high[1], high[2])};
}

/* Buckets about as wide as the mean tetrahedron (n of Eq. 1.5.2 is 1.5), wider where they would be many more than the
 * tetrahedra. */
static double choose_width(bucket_tree *tree, const syn_box *box, uint32_t size[3]) {
  const double fill_factor = 1.5, most = 4.0 * tree->body->cell_count + 64;
  const syn_vec3 extent = vec3_sub(box->max, box->min);
  const double longest = max2(extent.x, max2(extent.y, extent.z));
  double width = max2(fill_factor * measure_cells(tree), 2 * longest / BUCKETS_ALONG);
  size[0] = size[1] = size[2] = 1;
  if (!(longest > 0) || !isfinite(longest) || !isfinite(width) || !isfinite(longest / width)) return INFINITY;
  for (;; width *= 1.25) {
    double count[3];
    for (int k = 0; k < 3; ++k) count[k] = floor(vec3_at(extent, k) / width) + 1;
    if (count[0] * count[1] * count[2] > most) continue;
    for (int k = 0; k < 3; ++k) size[k] = (uint32_t)count[k];
    return width;
  }
}

/* Interval lists (Listing 1.5.6), so that every bound is one number wherever it is used. */
static void set_bounds(bucket_tree *tree, const syn_box *box, double width) {
  for (int k = 0; k < 3; ++k) {
    const double low = vec3_at(box->min, k), high = vec3_at(box->max, k);
    const uint32_t size = tree->levels[0].size[k];
    tree->bounds[k][0] = low;
    for (uint32_t i = 1; i < size; ++i) tree->bounds[k][i] = low + i * width;
    tree->bounds[k][size] = size > 1 ? max2(high, low + size * width) : high;
  }
}

/* Stacks the levels on the buckets; returns the number of all nodes. */
static size_t stack_levels(bucket_tree *tree) {
  size_t nodes = 0;
  for (uint32_t l = 0;; ++l) {
    bucket_level *level = &tree->levels[l];
    for (int k = 0; k < 3; ++k) level->size[k] = ((tree->levels[0].size[k] - 1) >> l) + 1;
    level->first = nodes;
    nodes += (size_t)level->size[0] * level->size[1] * level->size[2];
    tree->level_count = l + 1;
    if (level->size[0] == 1 && level->size[1] == 1 && level->size[2] == 1) return nodes;
  }
}

/* Old stamps keep their meaning in grown memory: new nodes have none. */
static syn_status reserve_nodes(bucket_tree *tree, size_t count, syn_error *error) {
  const size_t before = tree->node_capacity;
  if (count <= before) return SYN_OK;
  SYN_TRY(SYN_RESERVE(tree->context, &tree->nodes, before, count - before, &tree->node_capacity, error));
  memset(tree->nodes + before, 0, (tree->node_capacity - before) * sizeof *tree->nodes);
  return SYN_OK;
}

static void next_stamp(bucket_tree *tree) {
  if (++tree->stamp != 0) return;
  for (size_t i = 0; i < tree->node_capacity; ++i) tree->nodes[i].stamp = 0; /* once in four billion mappings */
  tree->stamp = 1;
}

/* ---- mapping ----------------------------------------------------------------------------------------------------- */

/* The buckets that a tetrahedron touches, from those of its corners. */
static tet_span span_of(const bucket_tree *tree, const uint32_t *corners, uint32_t count) {
  tet_span span;
  for (int k = 0; k < 3; ++k) {
    uint16_t low = tree->index[corners[0]][k], high = low;
    for (uint32_t c = 1; c < count; ++c) {
      const uint16_t i = tree->index[corners[c]][k];
      low = i < low ? i : low;
      high = i > high ? i : high;
    }
    span.low[k] = low;
    span.high[k] = high;
  }
  return span;
}

/* First pass over the tetrahedra: which buckets hold how many, and which of them hold surface. */
static size_t count_entries(bucket_tree *tree) {
  size_t entries = 0;
  tree->filled_count = 0;
  for (uint32_t t = 0; t < tree->body->cell_count; ++t) {
    const uint32_t *corners = tree->body->cells + (size_t)t * tree->body->corners;
    const tet_span s = tree->spans[t] =
        tree->body->corners == 4 ? span_of(tree, corners, 4) : span_of(tree, corners, HULL_POINTS);
    const bool surface = tree->surface[t] != 0;
    for (uint32_t z = s.low[2]; z <= s.high[2]; ++z)
      for (uint32_t y = s.low[1]; y <= s.high[1]; ++y)
        for (uint32_t x = s.low[0]; x <= s.high[0]; ++x) {
          const size_t number = bucket_number(tree->levels, x, y, z);
          bucket_node *bucket = &tree->nodes[number];
          if (bucket->stamp != tree->stamp) {
            *bucket = (bucket_node){.stamp = tree->stamp};
            tree->filled[tree->filled_count++] = (uint32_t)number;
          }
          bucket->surface |= surface;
          ++bucket->count;
          ++entries;
        }
  }
  return entries;
}

static void share_entries(bucket_tree *tree) {
  uint32_t begin = 0;
  tree->most_in_bucket = 0;
  for (size_t i = 0; i < tree->filled_count; ++i) {
    bucket_node *bucket = &tree->nodes[tree->filled[i]];
    bucket->begin = begin;
    begin += bucket->count;
    if (bucket->count > tree->most_in_bucket) tree->most_in_bucket = bucket->count;
    bucket->count = 0;
  }
}

/* Second pass: fills the buckets (Listing 1.5.2). */
static void fill_buckets(bucket_tree *tree) {
  for (uint32_t t = 0; t < tree->body->cell_count; ++t) {
    const tet_span s = tree->spans[t];
    for (uint32_t z = s.low[2]; z <= s.high[2]; ++z)
      for (uint32_t y = s.low[1]; y <= s.high[1]; ++y)
        for (uint32_t x = s.low[0]; x <= s.high[0]; ++x) {
          bucket_node *bucket = &tree->nodes[bucket_number(tree->levels, x, y, z)];
          tree->entries[bucket->begin + bucket->count++] = t;
        }
  }
}

/* Carries stamps and surface flags up, as far as they are news (Listing 1.5.5). */
static void update_flags(bucket_tree *tree) {
  const uint32_t *size = tree->levels[0].size;
  for (size_t i = 0; i < tree->filled_count; ++i) {
    const uint32_t number = tree->filled[i], surface = tree->nodes[number].surface;
    uint32_t x = number % size[0], y = number / size[0] % size[1], z = number / size[0] / size[1];
    for (uint32_t l = 1; l < tree->level_count; ++l) {
      bucket_node *parent = &tree->nodes[bucket_number(&tree->levels[l], x >>= 1, y >>= 1, z >>= 1)];
      if (parent->stamp == tree->stamp && parent->surface >= surface) break;
      *parent = (bucket_node){.stamp = tree->stamp, .surface = surface};
    }
  }
}

static syn_status map_all(bucket_tree *tree, syn_error *error) {
  /* Size and number of buckets from the box of the mesh. */
  const syn_box box = sort_coordinates(tree);
  const double width = choose_width(tree, &box, tree->levels[0].size);
  set_bounds(tree, &box, width);
  SYN_TRY(reserve_nodes(tree, stack_levels(tree), error));
  const size_t buckets = tree->level_count > 1 ? tree->levels[1].first : 1;
  if (buckets > tree->filled_capacity)
    SYN_TRY(SYN_RESERVE(tree->context, &tree->filled, 0, buckets, &tree->filled_capacity, error));
  /* The bucket of every coordinate, in one walk per axis. */
  for (int k = 0; k < 3; ++k)
    syn_place_coordinates(tree->sorted[k], tree->sorted_count, tree->bounds[k], tree->levels[0].size[k],
                          &tree->index[0][k], 3);
  /* Count the entries of each bucket, then fill them. */
  next_stamp(tree);
  const size_t entries = count_entries(tree);
  if (entries > UINT32_MAX)
    return syn_fail(error, SYN_TOO_LARGE, "the tetrahedra are too uneven in size for buckets: they fill %zu of them",
                    entries);
  if (entries > tree->entry_capacity)
    SYN_TRY(SYN_RESERVE(tree->context, &tree->entries, 0, entries, &tree->entry_capacity, error));
  share_entries(tree);
  fill_buckets(tree);
  update_flags(tree);
  return tree->find_self ? syn_bucket_tree_find_self(tree, error) : SYN_OK;
}

syn_status syn_bucket_tree_remap(bucket_tree *tree, syn_error *error) {
  if (tree->body->mesh->tet_count == 0) return SYN_OK;
  const syn_status status = map_all(tree, error);
  if (status != SYN_OK) {
    tree->level_count = 0;
    tree->self_count = 0;
  }
  return status;
}
