#include "collide/bucket_tree.h"

#include <string.h>

#include "base/vec.h"
#include "collide/tet_contact.h"
#include "mesh/tet_faces.h"

void syn_tet_face_corners(const syn_vec3 tet[4], int face, syn_vec3 corners[3]) {
  for (int c = 0; c < 3; ++c) corners[c] = tet[syn_tet_face[face][c]];
}

/* ---- making ------------------------------------------------------------------------------------------------------
 */

static syn_status find_surface(bucket_tree *tree, syn_error *error) {
  const syn_tetmesh *mesh = tree->body->mesh;
  syn_tetmesh view = *mesh; /* with the tree's own memory */
  uint32_t *same;
  view.context = tree->context;
  SYN_TRY(syn_tet_same_faces(&view, &same, error));
  for (uint32_t t = 0; t < mesh->tet_count; ++t) {
    tree->places[t].surface = 0;
    for (uint32_t f = 0; f < 4; ++f)
      if (same[4 * t + f] == 4 * t + f) tree->places[t].surface |= (uint8_t)(1u << f);
  }
  syn_free(tree->context, same);
  return SYN_OK;
}

/* Vertices that belong to no tetrahedron take no part. */
static void list_vertices(bucket_tree *tree) {
  const syn_tetmesh *mesh = tree->body->mesh;
  uint16_t *used = tree->index[0];
  if (mesh->vertex_count > 0) memset(used, 0, mesh->vertex_count * sizeof *used);
  for (uint32_t t = 0; t < mesh->tet_count; ++t)
    for (int c = 0; c < 4; ++c) used[mesh->tets[t].v[c]] = 1;
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
    if (!used[v]) continue;
    for (int k = 0; k < 3; ++k) tree->sorted[k][tree->sorted_count].point = v;
    ++tree->sorted_count;
  }
}

static syn_status fill(bucket_tree *tree, syn_error *error) {
  const syn_tetmesh *mesh = tree->body->mesh;
  const size_t along = 4 * (size_t)mesh->tet_count + 64; /* buckets, see choose_width */
  SYN_TRY(SYN_NEW(tree->context, &tree->places, mesh->tet_count, error));
  SYN_TRY(SYN_NEW(tree->context, &tree->spare, mesh->vertex_count, error));
  for (int k = 0; k < 3; ++k) {
    SYN_TRY(SYN_NEW(tree->context, &tree->sorted[k], mesh->vertex_count, error));
    SYN_TRY(SYN_NEW(tree->context, &tree->index[k], mesh->vertex_count, error));
    SYN_TRY(SYN_NEW(tree->context, &tree->bounds[k], (along < BUCKETS_ALONG ? along : BUCKETS_ALONG) + 1, error));
  }
  list_vertices(tree);
  return find_surface(tree, error);
}

syn_status syn_bucket_tree_create(const volume *body, bool find_self, bucket_tree *tree, syn_error *error) {
  *tree = (bucket_tree){.context = body->context, .body = body, .find_self = find_self};
  const syn_status status = fill(tree, error);
  if (status != SYN_OK) syn_bucket_tree_release(tree);
  return status;
}

void syn_bucket_tree_release(bucket_tree *tree) {
  void *const blocks[] = {tree->bounds[0], tree->bounds[1], tree->bounds[2], tree->nodes,     tree->filled,
                          tree->entries,   tree->places,    tree->sorted[0], tree->sorted[1], tree->sorted[2],
                          tree->spare,     tree->index[0],  tree->index[1],  tree->index[2],  tree->self};
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i) syn_free(tree->context, blocks[i]);
  *tree = (bucket_tree){0};
}

/* ---- the shape of the tree --------------------------------------------------------------------------------------- */

/* Twice the radius of a ball as large as the mean tetrahedron (Eq. 1.5.4 and 1.5.5). */
static double mean_diameter(const volume *body) {
  double sum = 0;
  for (uint32_t t = 0; t < body->mesh->tet_count; ++t) {
    syn_vec3 p[4];
    volume_corners(body, t, p);
    sum += fabs(vec3_dot(vec3_cross(vec3_sub(p[1], p[0]), vec3_sub(p[2], p[0])), vec3_sub(p[3], p[0]))) / 6;
  }
  return 2 * cbrt(3 * (sum / body->mesh->tet_count) / (4 * SYN_PI));
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
static double choose_width(const bucket_tree *tree, const syn_box *box, uint32_t size[3]) {
  const double fill_factor = 1.5, most = 4.0 * tree->body->mesh->tet_count + 64;
  const syn_vec3 extent = vec3_sub(box->max, box->min);
  const double longest = max2(extent.x, max2(extent.y, extent.z));
  double width = max2(fill_factor * mean_diameter(tree->body), 2 * longest / BUCKETS_ALONG);
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
static void place_tet(bucket_tree *tree, uint32_t t) {
  tet_place *place = &tree->places[t];
  const uint32_t *v = tree->body->mesh->tets[t].v;
  syn_vec3 corners[4];
  volume_corners(tree->body, t, corners);
  place->box = syn_box_of_points(corners, 4);
  tree->largest = vec3_max(tree->largest, vec3_sub(place->box.max, place->box.min));
  for (int k = 0; k < 3; ++k) {
    const uint16_t *index = tree->index[k];
    uint16_t low = index[v[0]], high = low;
    for (int c = 1; c < 4; ++c) {
      const uint16_t i = index[v[c]];
      low = i < low ? i : low;
      high = i > high ? i : high;
    }
    place->low[k] = low;
    place->high[k] = high;
  }
}

/* First pass over the tetrahedra: which buckets hold how many, and which of them hold surface. */
static size_t count_entries(bucket_tree *tree) {
  size_t entries = 0;
  tree->filled_count = 0;
  for (uint32_t t = 0; t < tree->body->mesh->tet_count; ++t) {
    const tet_place *p = &tree->places[t];
    for (uint32_t z = p->low[2]; z <= p->high[2]; ++z)
      for (uint32_t y = p->low[1]; y <= p->high[1]; ++y)
        for (uint32_t x = p->low[0]; x <= p->high[0]; ++x) {
          const size_t number = bucket_number(tree->levels, x, y, z);
          bucket_node *bucket = &tree->nodes[number];
          if (bucket->stamp != tree->stamp) {
            *bucket = (bucket_node){.stamp = tree->stamp};
            tree->filled[tree->filled_count++] = (uint32_t)number;
          }
          bucket->surface |= p->surface != 0;
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

/* ---- self-intersection ------------------------------------------------------------------------------------------- */

/* Tetrahedra that share a vertex are neighbours and touch by nature. */
static bool share_vertex(const syn_tet *a, const syn_tet *b) {
  bool share = false;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) share |= a->v[i] == b->v[j];
  return share;
}

/* The surface faces of `from` against the volume of `other`. */
static syn_status test_faces(bucket_tree *tree, uint32_t from, uint32_t other, syn_error *error) {
  syn_vec3 corners[4], other_corners[4];
  volume_corners(tree->body, from, corners);
  volume_corners(tree->body, other, other_corners);
  for (int f = 0; f < 4; ++f) {
    if (!(tree->places[from].surface >> f & 1)) continue;
    syn_vec3 face[3];
    syn_tet_face_corners(corners, f, face);
    const syn_box box = syn_box_of_points(face, 3);
    if (!box_overlap(&box, &tree->places[other].box) || !syn_triangle_meets_tet(face, other_corners)) continue;
    SYN_TRY(SYN_RESERVE(tree->context, &tree->self, tree->self_count, 1, &tree->self_capacity, error));
    tree->self[tree->self_count++] = (self_contact){4 * from + (uint32_t)f, other};
  }
  return SYN_OK;
}

/* The tetrahedron that comes into a bucket against those that are there (Listing 1.5.3). A pair may meet in several
 * buckets; it is looked at in the lowest one that both touch. */
static syn_status test_self(bucket_tree *tree, uint32_t q, const bucket_node *bucket, const uint32_t at[3],
                            syn_error *error) {
  const tet_place *p = &tree->places[q];
  const bool lowest[3] = {p->low[0] == at[0], p->low[1] == at[1], p->low[2] == at[2]};
  for (uint32_t i = bucket->begin; i < bucket->begin + bucket->count; ++i) {
    const uint32_t w = tree->entries[i];
    const tet_place *o = &tree->places[w];
    if (!(p->surface | o->surface) || !box_overlap(&p->box, &o->box)) continue;
    if (!((lowest[0] || o->low[0] == at[0]) && (lowest[1] || o->low[1] == at[1]) && (lowest[2] || o->low[2] == at[2])))
      continue;
    if (share_vertex(&tree->body->mesh->tets[q], &tree->body->mesh->tets[w])) continue;
    if (p->surface) SYN_TRY(test_faces(tree, q, w, error));
    if (o->surface) SYN_TRY(test_faces(tree, w, q, error));
  }
  return SYN_OK;
}

/* Second pass: fills the buckets (Listing 1.5.2). */
static syn_status fill_buckets(bucket_tree *tree, syn_error *error) {
  tree->self_count = 0;
  for (uint32_t t = 0; t < tree->body->mesh->tet_count; ++t) {
    const tet_place *p = &tree->places[t];
    uint32_t at[3];
    for (at[2] = p->low[2]; at[2] <= p->high[2]; ++at[2])
      for (at[1] = p->low[1]; at[1] <= p->high[1]; ++at[1])
        for (at[0] = p->low[0]; at[0] <= p->high[0]; ++at[0]) {
          bucket_node *bucket = &tree->nodes[bucket_number(tree->levels, at[0], at[1], at[2])];
          if (tree->find_self && bucket->surface) SYN_TRY(test_self(tree, t, bucket, at, error));
          tree->entries[bucket->begin + bucket->count++] = t;
        }
  }
  return SYN_OK;
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
  const syn_box box = sort_coordinates(tree);
  const double width = choose_width(tree, &box, tree->levels[0].size);
  set_bounds(tree, &box, width);
  SYN_TRY(reserve_nodes(tree, stack_levels(tree), error));
  const size_t buckets = tree->level_count > 1 ? tree->levels[1].first : 1;
  if (buckets > tree->filled_capacity)
    SYN_TRY(SYN_RESERVE(tree->context, &tree->filled, 0, buckets, &tree->filled_capacity, error));
  for (int k = 0; k < 3; ++k)
    syn_place_coordinates(tree->sorted[k], tree->sorted_count, tree->bounds[k], tree->levels[0].size[k],
                          tree->index[k]);
  next_stamp(tree);
  tree->largest = vec3(0, 0, 0);
  for (uint32_t t = 0; t < tree->body->mesh->tet_count; ++t) place_tet(tree, t);
  const size_t entries = count_entries(tree);
  if (entries > UINT32_MAX)
    return syn_fail(error, SYN_TOO_LARGE, "the tetrahedra are too uneven in size for buckets: they fill %zu of them",
                    entries);
  if (entries > tree->entry_capacity)
    SYN_TRY(SYN_RESERVE(tree->context, &tree->entries, 0, entries, &tree->entry_capacity, error));
  share_entries(tree);
  SYN_TRY(fill_buckets(tree, error));
  update_flags(tree);
  return SYN_OK;
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
