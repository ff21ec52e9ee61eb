/* Every triangle looks in the tree for those of a higher number that it meets: first counting, then, where pairs are
 * wanted, writing them at the index that the counts give. The result is sorted by construction and the same on any
 * number of threads.
 *
 * Where many boxes overlap (folded sheets, fans of slivers) there are n^2 pairs to look at. A triangle may therefore
 * spend no more than PATIENCE at first: 1 for each triangle that it looks at, and MEETING for each that it meets, which
 * takes so much longer to decide. Those with more to do are finished one after the other, until what the whole mesh may
 * spend on that is used up. */
#include "mesh/self_intersection.h"

#include "base/memory.h"
#include "base/order.h"
#include "base/parallel.h"
#include "mesh/exact_scale.h"
#include "mesh/tree/box_tree.h"
#include "mesh/triangle_contact.h"

enum { GRAIN = 256, PATIENCE = 512, MEETING = 64, MORE_PER_TRIANGLE = 64, MORE_AT_LEAST = 20000000 };

typedef struct search {
  const syn_trimesh *mesh;
  const syn_box_tree *tree;
  uint64_t *start;   /* count of pairs of each triangle, then their start; triangle_count + 1 entries */
  uint64_t *allowed; /* budget of each triangle; 0: must be finished */
  syn_triangle_pair *pairs;
  size_t capacity;
} search;

/* The search for one triangle. Once full, `pairs` is a heap with the greatest partner first, so that the lowest `room`
 * partners remain (`room` is the capacity). */
typedef struct probe {
  const syn_trimesh *mesh;
  uint32_t triangle;
  uint64_t spent, allowed;
  uint64_t count;
  syn_triangle_pair *pairs;
  size_t room, stored;
} probe;

static bool comes_after_pair(const void *a, const void *b) {
  return ((const syn_triangle_pair *)a)->b > ((const syn_triangle_pair *)b)->b;
}

static void store_pair(probe *p, uint32_t other) {
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
  if (p->spent >= p->allowed) return false;
  ++p->spent;
  if (other > p->triangle &&
      syn_triangles_meet_elsewhere(p->mesh->vertices, &triangles[p->triangle], &triangles[other])) {
    p->spent += MEETING;
    ++p->count;
    store_pair(p, other);
  }
  return true;
}

/* Tests one triangle; false if it could not be tested against all others. */
static bool probe_triangle(const search *s, probe *p) {
  syn_box box = box_empty();
  for (int c = 0; c < 3; ++c) box_add(&box, s->mesh->vertices[s->mesh->triangles[p->triangle].v[c]]);
  return syn_box_tree_overlaps(s->tree, &box, visit, p);
}

static void count_pairs(void *user, size_t begin, size_t end) {
  const search *s = user;
  for (size_t t = begin; t < end; ++t) {
    probe p = {.mesh = s->mesh, .triangle = (uint32_t)t, .allowed = PATIENCE};
    s->allowed[t] = probe_triangle(s, &p) ? PATIENCE : 0;
    s->start[t] = p.count;
  }
}

/* Finishes the triangles with many others, in order. False if that takes too long; they keep their count so far, and
 * PATIENCE. */
static bool finish_pairs(const search *s) {
  const uint32_t n = s->mesh->triangle_count;
  uint64_t left = (uint64_t)MORE_PER_TRIANGLE * n + MORE_AT_LEAST;
  bool all = true;
  for (uint32_t t = 0; t < n; ++t) {
    if (s->allowed[t] > 0) continue;
    probe p = {.mesh = s->mesh, .triangle = t, .allowed = left};
    const bool done = left > PATIENCE && probe_triangle(s, &p);
    s->allowed[t] = done ? UINT64_MAX : PATIENCE;
    if (done) s->start[t] = p.count;
    left -= p.spent < left ? p.spent : left;
    all = all && done;
  }
  return all;
}

static void write_pairs(void *user, size_t begin, size_t end) {
  const search *s = user;
  for (size_t t = begin; t < end && s->start[t] < s->capacity; ++t) {
    const uint64_t first = s->start[t], last = s->start[t + 1];
    if (first == last) continue;
    probe p = {.mesh = s->mesh, .triangle = (uint32_t)t, .allowed = s->allowed[t], .pairs = s->pairs + first};
    p.room = (size_t)((last < s->capacity ? last : s->capacity) - first);
    probe_triangle(s, &p);
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

static syn_status find_intersections(search *s, uint64_t *count, bool *stopped, syn_error *error) {
  const syn_context *context = s->mesh->context;
  const size_t n = s->mesh->triangle_count;
  SYN_TRY(SYN_NEW(context, &s->start, n + 1, error));
  SYN_TRY(SYN_NEW(context, &s->allowed, n, error));
  syn_parallel_for(context, n, GRAIN, count_pairs, s);
  *stopped = !finish_pairs(s);
  *count = counts_to_starts(s->start, n);
  if (*count > 0 && s->capacity > 0) syn_parallel_for(context, n, GRAIN, write_pairs, s);
  return SYN_OK;
}

/* Returns the mesh itself, or a copy with vertices (*copy, to be freed) scaled to where the predicates are exact. */
static syn_status bring_into_reach(const syn_trimesh *mesh, syn_trimesh *view, syn_vec3 **copy, syn_error *error) {
  const int power = exact_scale_of(mesh->vertices, mesh->vertex_count);
  *view = *mesh;
  *copy = NULL;
  if (power == 0) return SYN_OK;
  SYN_TRY(SYN_NEW(mesh->context, copy, mesh->vertex_count, error));
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) (*copy)[v] = vec3_exactly_scaled(mesh->vertices[v], power);
  view->vertices = *copy;
  return SYN_OK;
}

syn_status syn_find_self_intersections(const syn_trimesh *mesh, syn_triangle_pair *pairs, size_t capacity,
                                       uint64_t *count, bool *stopped, syn_error *error) {
  syn_trimesh view;
  syn_vec3 *copy;
  syn_box_tree *tree = NULL;
  *count = 0;
  *stopped = false;
  SYN_TRY(bring_into_reach(mesh, &view, &copy, error));
  search s = {.mesh = &view, .pairs = pairs, .capacity = capacity};
  syn_status status = syn_box_tree_of_mesh(&view, &tree, error);
  s.tree = tree;
  if (status == SYN_OK) status = find_intersections(&s, count, stopped, error);
  syn_free(mesh->context, s.start);
  syn_free(mesh->context, s.allowed);
  syn_box_tree_destroy(tree);
  syn_free(mesh->context, copy);
  if (*stopped)
    syn_warn(mesh->context,
             "so many triangles lie over one another that counting self-intersections stopped: there may be more than "
             "%llu",
             (unsigned long long)*count);
  return status;
}

syn_status syn_trimesh_self_intersections(const syn_trimesh *mesh, syn_triangle_pair *pairs, size_t capacity,
                                          uint64_t *count, syn_error *error) {
  bool stopped;
  return syn_find_self_intersections(mesh, pairs, capacity, count, &stopped, error);
}
