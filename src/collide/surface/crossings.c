#include "collide/surface/overlap.h"
#include "geometry/predicates.h"

typedef struct finder {
  const placed_surface *sides;
  crossings *found;
  bool degenerate;
  syn_status status;
  syn_error *error;
} finder;

/* How an edge from p to q crosses a triangle. */
typedef enum passage { PASSES_BY, PASSES_IN, PASSES_OUT, TOUCHES } passage;

static passage passage_of_edge(syn_vec3 p, syn_vec3 q, const syn_vec3 v[3]) {
  const int from = syn_orient3d(v[0], v[1], v[2], p), to = syn_orient3d(v[0], v[1], v[2], q);
  if (from * to > 0) return PASSES_BY;
  const int s0 = syn_orient3d(p, q, v[0], v[1]), s1 = syn_orient3d(p, q, v[1], v[2]),
            s2 = syn_orient3d(p, q, v[2], v[0]);
  if (s0 * s1 < 0 || s1 * s2 < 0 || s2 * s0 < 0) return PASSES_BY;
  if (from == 0 || to == 0 || s0 == 0 || s1 == 0 || s2 == 0) return TOUCHES;
  return from > 0 ? PASSES_IN : PASSES_OUT;
}

/* Returns the point where the edge crosses the plane; the same bits for both directions of the edge. */
static syn_vec3 piercing_point(const placed_surface *s, const uint32_t ends[2], const syn_vec3 v[3]) {
  const syn_vec3 p = s->vertices[ends[0]], q = s->vertices[ends[1]];
  const syn_vec3 normal = vec3_cross(vec3_sub(v[1], v[0]), vec3_sub(v[2], v[0]));
  const double from = vec3_dot(normal, vec3_sub(p, v[0])), to = vec3_dot(normal, vec3_sub(q, v[0]));
  const double t = from / (from - to); /* rounding may contradict the exact predicates: stay on the edge */
  return t > 0 && t < 1 ? vec3_lerp(p, q, t) : fabs(from) <= fabs(to) ? p : q;
}

/* Tests the edges of triangle `own` of side `of` against the other triangle. If an edge enters the other body, the part
 * inside continues along the edge, so that the contour ends there, as seen from its triangle. */
static bool pierce(const finder *f, uint32_t of, const uint32_t triangle[2], crossing *c, int *ends) {
  const placed_surface *own = &f->sides[of], *other = &f->sides[1 - of];
  const syn_topology *topology = own->surface->topology;
  syn_vec3 v[3], w[3];
  placed_corners(own, triangle[of], v);
  placed_corners(other, triangle[1 - of], w);
  for (int k = 0; k < 3; ++k) {
    const passage way = passage_of_edge(v[k], v[(k + 1) % 3], w);
    if (way == PASSES_BY) continue;
    if (way == TOUCHES) return false;
    const uint32_t edge = topology->triangle_edges[triangle[of]][k];
    const piercing at = {edge, triangle[1 - of], of};
    const syn_vec3 point = piercing_point(own, topology->edge_vertices[edge], w);
    const bool is_end = (way == PASSES_IN) == (of == 0);
    *(is_end ? &c->to : &c->from) = at;
    *(is_end ? &c->end : &c->start) = point;
    *ends |= is_end ? 2 : 1;
  }
  return true;
}

static bool visit_triangles(void *user, uint32_t fixed, uint32_t mobile) {
  finder *f = user;
  crossing c = {.triangle = {fixed, mobile}};
  int ends = 0;
  if (!pierce(f, 0, c.triangle, &c, &ends) || !pierce(f, 1, c.triangle, &c, &ends)) {
    f->degenerate = true;
    return false;
  }
  if (ends != 3) return true;
  crossings *found = f->found;
  f->status = SYN_RESERVE(found->context, &found->items, found->count, 1, &found->capacity, f->error);
  if (f->status != SYN_OK) return false;
  found->items[found->count++] = c;
  return true;
}

static syn_status make_crossing_tree(const placed_surface *s, syn_box_tree **tree, syn_error *error) {
  const syn_context *context = s->surface->context;
  syn_box *boxes;
  *tree = NULL;
  SYN_TRY(SYN_NEW(context, &boxes, s->surface->triangle_count, error));
  for (uint32_t t = 0; t < s->surface->triangle_count; ++t) {
    syn_vec3 v[3];
    placed_corners(s, t, v);
    boxes[t] = box_empty();
    for (int c = 0; c < 3; ++c) box_add(&boxes[t], v[c]);
  }
  syn_status status = syn_box_tree_create(context, boxes, s->surface->triangle_count, tree, error);
  syn_free(context, boxes);
  return status;
}

syn_status syn_find_crossings(const placed_surface sides[2], crossings *found, bool *degenerate, syn_error *error) {
  syn_box_tree *fixed = NULL, *mobile = NULL;
  finder f = {.sides = sides, .found = found, .error = error};
  found->count = 0;
  syn_status status = make_crossing_tree(&sides[0], &fixed, error);
  if (status == SYN_OK) status = make_crossing_tree(&sides[1], &mobile, error);
  if (status == SYN_OK) {
    syn_box_tree_pairs(fixed, mobile, visit_triangles, &f);
    status = f.status;
  }
  syn_box_tree_destroy(fixed);
  syn_box_tree_destroy(mobile);
  *degenerate = f.degenerate;
  return status;
}
