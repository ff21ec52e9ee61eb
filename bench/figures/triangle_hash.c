#include "figures/triangle_hash.h"

#include <math.h>
#include <stdlib.h>

#include "base/vec.h"
#include "geometry/triangle_pair.h"

/* The cells of the fixed triangles in a table of chains; different cells may share a chain. */
typedef struct triangle_hash {
  const syn_trimesh *fixed, *mobile;
  double cells_per_mm;
  syn_box box; /* of the fixed surface */
  uint32_t bits;
  uint32_t *first, *next, *triangle; /* chains of entries */
  size_t entries, capacity;
  syn_vec3 *moved;
} triangle_hash;

static void *must(void *block) {
  if (!block) abort();
  return block;
}

static uint32_t slot_of(const triangle_hash *h, const int cell[3]) {
  const uint32_t mixed = (uint32_t)cell[0] * 73856093u ^ (uint32_t)cell[1] * 19349663u ^ (uint32_t)cell[2] * 83492791u;
  return mixed & ((1u << h->bits) - 1);
}

static void cell_of(const triangle_hash *h, syn_vec3 p, int cell[3]) {
  for (int k = 0; k < 3; ++k) cell[k] = (int)floor((vec3_at(p, k) - vec3_at(h->box.min, k)) * h->cells_per_mm);
}

static void corners_of(const syn_trimesh *mesh, const syn_vec3 *vertices, uint32_t t, syn_vec3 v[3]) {
  for (int c = 0; c < 3; ++c) v[c] = vertices[mesh->triangles[t].v[c]];
}

static syn_box box_of(const syn_vec3 v[3]) {
  syn_box box = box_empty();
  for (int c = 0; c < 3; ++c) box_add(&box, v[c]);
  return box;
}

/* Calls for every cell of a box until it returns true; then true. */
typedef bool visit_cell(triangle_hash *h, const int cell[3], uint32_t t, const syn_vec3 v[3]);
static bool visit_cells(triangle_hash *h, const syn_box *box, visit_cell *visit, uint32_t t, const syn_vec3 v[3]) {
  int low[3], high[3], cell[3];
  cell_of(h, box->min, low);
  cell_of(h, box->max, high);
  for (cell[2] = low[2]; cell[2] <= high[2]; ++cell[2])
    for (cell[1] = low[1]; cell[1] <= high[1]; ++cell[1])
      for (cell[0] = low[0]; cell[0] <= high[0]; ++cell[0])
        if (visit(h, cell, t, v)) return true;
  return false;
}

static bool enter(triangle_hash *h, const int cell[3], uint32_t t, const syn_vec3 v[3]) {
  (void)v;
  if (h->entries == h->capacity) {
    h->capacity = 2 * h->capacity + 1024;
    h->next = must(realloc(h->next, h->capacity * sizeof *h->next));
    h->triangle = must(realloc(h->triangle, h->capacity * sizeof *h->triangle));
  }
  uint32_t *first = &h->first[slot_of(h, cell)];
  h->triangle[h->entries] = t;
  h->next[h->entries] = *first;
  *first = (uint32_t)h->entries++;
  return false;
}

static bool meets_entry(triangle_hash *h, const int cell[3], uint32_t t, const syn_vec3 v[3]) {
  const syn_box box = box_of(v);
  (void)t;
  for (uint32_t e = h->first[slot_of(h, cell)]; e != SYN_NONE; e = h->next[e]) {
    syn_vec3 w[3];
    corners_of(h->fixed, h->fixed->vertices, h->triangle[e], w);
    const syn_box other = box_of(w);
    if (box_overlap(&box, &other) && syn_triangles_meet(v, w)) return true;
  }
  return false;
}

static void fill(triangle_hash *h) {
  double sum = 0;
  for (uint32_t t = 0; t < h->fixed->triangle_count; ++t) {
    syn_vec3 v[3];
    corners_of(h->fixed, h->fixed->vertices, t, v);
    for (int c = 0; c < 3; ++c) sum += vec3_distance(v[c], v[(c + 1) % 3]);
  }
  h->cells_per_mm = 3.0 * h->fixed->triangle_count / sum; /* as wide as the mean edge */
  h->box = box_empty();
  for (uint32_t i = 0; i < h->fixed->vertex_count; ++i) box_add(&h->box, h->fixed->vertices[i]);
  for (size_t i = 0; i < (size_t)1 << h->bits; ++i) h->first[i] = SYN_NONE;
  for (uint32_t t = 0; t < h->fixed->triangle_count; ++t) {
    syn_vec3 v[3];
    corners_of(h->fixed, h->fixed->vertices, t, v);
    const syn_box box = box_of(v);
    visit_cells(h, &box, enter, t, v);
  }
}

static void *open_hash(const bench_contender *self, const bench_scene *scene, syn_error *error) {
  (void)self;
  (void)error;
  triangle_hash *h = must(calloc(1, sizeof *h));
  h->fixed = scene->fixed.surface;
  h->mobile = scene->mobile.surface;
  for (h->bits = 4; (size_t)1 << h->bits < 2 * (size_t)h->fixed->triangle_count;) ++h->bits;
  h->first = must(malloc(sizeof *h->first << h->bits));
  h->moved = must(malloc((h->mobile->vertex_count + 1) * sizeof *h->moved));
  fill(h);
  return h;
}

static void close_hash(void *state) {
  triangle_hash *h = state;
  free(h->first);
  free(h->next);
  free(h->triangle);
  free(h->moved);
  free(h);
}

static void ask_hash(void *state, const syn_pose *pose, bench_answer *answer) {
  triangle_hash *h = state;
  answer->count = 0;
  for (uint32_t i = 0; i < h->mobile->vertex_count; ++i) h->moved[i] = syn_pose_point(pose, h->mobile->vertices[i]);
  for (uint32_t t = 0; t < h->mobile->triangle_count && !answer->count; ++t) {
    syn_vec3 v[3];
    corners_of(h->mobile, h->moved, t, v);
    const syn_box box = box_of(v);
    if (box_overlap(&box, &h->box)) answer->count = visit_cells(h, &box, meets_entry, t, v);
  }
}

const bench_contender bench_triangle_hash = {.name = "synovia",
                                             .detail = "hash of triangles",
                                             .query = "boolean",
                                             .open = open_hash,
                                             .ask = ask_hash,
                                             .close = close_hash};
