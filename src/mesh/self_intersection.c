/* Every triangle looks in the tree for those of a higher number that it meets: first counting, then, where pairs are
 * wanted, writing them at the place that the counts give. The result is sorted by construction and the same on any
 * number of threads. */
#include "base/memory.h"
#include "base/order.h"
#include "base/parallel.h"
#include "base/vec.h"
#include "mesh/box_tree.h"
#include "mesh/triangle_contact.h"

enum { GRAIN = 256 };

typedef struct search {
  const syn_trimesh *mesh;
  const syn_box_tree *tree;
  uint64_t *start; /* how many pairs each triangle has, then where they begin; triangle_count + 1 entries */
  syn_triangle_pair *pairs;
  size_t capacity;
} search;

/* The search for one triangle. Once full, `pairs` is a heap with the greatest partner first, so that the lowest `room`
 * partners remain. */
typedef struct probe {
  const syn_trimesh *mesh;
  uint32_t triangle;
  uint64_t count;
  syn_triangle_pair *pairs;
  size_t room, stored;
} probe;

static bool comes_after_pair(const void *a, const void *b) {
  return ((const syn_triangle_pair *)a)->b > ((const syn_triangle_pair *)b)->b;
}

static void store(probe *p, uint32_t other) {
  const syn_triangle_pair pair = {p->triangle, other};
  if (p->stored < p->room) {
    p->pairs[p->stored++] = pair;
    if (p->stored == p->room) heap_make(p->pairs, p->room, sizeof pair, comes_after_pair);
  } else if (p->room > 0 && other < p->pairs[0].b) {
    p->pairs[0] = pair;
    heap_sink(p->pairs, p->room, sizeof pair, 0, comes_after_pair);
  }
}

static bool visit(void *user, uint32_t other) {
  probe *p = user;
  const syn_triangle *triangles = p->mesh->triangles;
  if (other > p->triangle &&
      syn_triangles_meet_elsewhere(p->mesh->vertices, &triangles[p->triangle], &triangles[other])) {
    ++p->count;
    store(p, other);
  }
  return true;
}

static void run(const search *s, probe *p) {
  syn_box box = box_empty();
  for (int c = 0; c < 3; ++c) box_add(&box, s->mesh->vertices[s->mesh->triangles[p->triangle].v[c]]);
  syn_box_tree_overlaps(s->tree, &box, visit, p);
}

static void count_pairs(void *user, size_t begin, size_t end) {
  const search *s = user;
  for (size_t t = begin; t < end; ++t) {
    probe p = {.mesh = s->mesh, .triangle = (uint32_t)t};
    run(s, &p);
    s->start[t] = p.count;
  }
}

static void write_pairs(void *user, size_t begin, size_t end) {
  const search *s = user;
  for (size_t t = begin; t < end && s->start[t] < s->capacity; ++t) {
    const uint64_t first = s->start[t], last = s->start[t + 1];
    if (first == last) continue;
    probe p = {.mesh = s->mesh, .triangle = (uint32_t)t, .pairs = s->pairs + first};
    p.room = (size_t)((last < s->capacity ? last : s->capacity) - first);
    run(s, &p);
    heap_unwind(p.pairs, p.room, sizeof *p.pairs, comes_after_pair);
  }
}

static uint64_t counts_to_starts(uint64_t *start, size_t count) {
  uint64_t sum = 0;
  for (size_t i = 0; i < count; ++i) {
    const uint64_t here = start[i];
    start[i] = sum;
    sum += here;
  }
  return start[count] = sum;
}

syn_status syn_trimesh_self_intersections(const syn_trimesh *mesh, syn_triangle_pair *pairs, size_t capacity,
                                          uint64_t *count, syn_error *error) {
  const size_t n = mesh->triangle_count;
  syn_box_tree *tree;
  *count = 0;
  SYN_TRY(syn_box_tree_of_mesh(mesh, &tree, error));
  search s = {.mesh = mesh, .tree = tree, .pairs = pairs, .capacity = capacity};
  syn_status status = SYN_NEW(mesh->context, &s.start, n + 1, error);
  if (status == SYN_OK) {
    syn_parallel_for(mesh->context, n, GRAIN, count_pairs, &s);
    *count = counts_to_starts(s.start, n);
    if (*count > 0 && capacity > 0) syn_parallel_for(mesh->context, n, GRAIN, write_pairs, &s);
  }
  syn_free(mesh->context, s.start);
  syn_box_tree_destroy(tree);
  return status;
}
