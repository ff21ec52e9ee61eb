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
#include "base/vec.h"
#include "geometry/predicates.h"
#include "geometry/triangle_pair.h"
#include "mesh/exact_scale.h"
#include "mesh/tree/box_tree.h"

/* Moves the corners of `a` that `b` also has to the front, each once; returns their count. */
static int shared_corners_first(const syn_vec3 *vertices, const syn_triangle *a, const syn_triangle *b,
                                syn_vec3 ordered[3]) {
  int shared = 0, own = 3;
  for (int i = 0; i < 3; ++i) {
    const uint32_t v = a->v[i];
    const bool in_b = v == b->v[0] || v == b->v[1] || v == b->v[2];
    const bool repeated = (i > 0 && v == a->v[0]) || (i > 1 && v == a->v[1]);
    ordered[in_b && !repeated ? shared++ : --own] = vertices[v];
  }
  return shared;
}

/* A flat triangle is made of the two segments from its corner 0 to the others. Returns whether one of them continues in
 * `other`, which has the same corner 0. */
static bool flat_runs_on(const syn_vec3 flat[3], const syn_vec3 other[3], bool other_is_flat) {
  for (int i = 1; i < 3; ++i) {
    if (vec3_equal(flat[i], flat[0])) continue;
    if (syn_point_in_triangle(flat[i], other)) return true;
    if (!other_is_flat && syn_segments_meet(flat[0], flat[i], other[1], other[2])) return true;
  }
  return false;
}

/* The common part is convex and contains corner 0. If there is more to it, a ray from there leaves one triangle, hence
 * through its opposite edge, while still in the other. */
static bool meet_beyond_vertex(const syn_vec3 a[3], const syn_vec3 b[3]) {
  const int a1 = syn_orient3d(b[0], b[1], b[2], a[1]), a2 = syn_orient3d(b[0], b[1], b[2], a[2]);
  if (a1 * a2 > 0) return false; /* all but corner 0 is on one side: the usual case */
  const int b1 = syn_orient3d(a[0], a[1], a[2], b[1]), b2 = syn_orient3d(a[0], a[1], a[2], b[2]);
  if (b1 * b2 > 0) return false;
  const bool a_is_flat = syn_triangle_is_flat(a), b_is_flat = syn_triangle_is_flat(b);
  if (!a_is_flat && !b_is_flat)
    return syn_segment_meets_triangle(a[1], a[2], b) || syn_segment_meets_triangle(b[1], b[2], a);
  return (a_is_flat && flat_runs_on(a, b, b_is_flat)) || (b_is_flat && flat_runs_on(b, a, a_is_flat));
}

/* Both have the edge of corners 0 and 1: there is more only where one is folded onto the other, or where both are flat
 * and run on beyond the edge in the same direction. */
static bool meet_beyond_edge(const syn_vec3 a[3], const syn_vec3 b[3]) {
  if (syn_orient3d(b[0], b[1], b[2], a[2]) != 0) return false;
  if (syn_on_same_side(a[0], a[1], a[2], b[2])) return true;
  if (!syn_triangle_is_flat(a) || !syn_triangle_is_flat(b)) return false;
  return (!syn_point_on_segment(a[2], a[0], a[1]) && syn_point_in_triangle(a[2], b)) ||
         (!syn_point_on_segment(b[2], a[0], a[1]) && syn_point_in_triangle(b[2], a));
}

bool syn_triangles_meet_elsewhere(const syn_vec3 *vertices, const syn_triangle *a, const syn_triangle *b) {
  syn_vec3 corners_a[3], corners_b[3];
  const int shared = shared_corners_first(vertices, a, b, corners_a);
  shared_corners_first(vertices, b, a, corners_b);
  switch (shared) {
  case 0: return syn_triangles_meet(corners_a, corners_b);
  case 1: return meet_beyond_vertex(corners_a, corners_b);
  case 2: return meet_beyond_edge(corners_a, corners_b);
  default: return true;
  }
}

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
