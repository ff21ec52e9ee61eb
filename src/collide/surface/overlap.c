/* Contact localisation (Sundaraj 2004, §5.5): contour, boundaries, contact elements and volume.
 *
 * The volume is that of a closed surface made of the parts of both surfaces that lie inside the other body. Only the
 * border of a part is needed: summed over the border's pieces P Q, the tetrahedra over an origin, a corner of the
 * triangle, P and Q give its share, whatever its shape. The border of a cut triangle's part is made of the contour and
 * of the sections of the triangle's edges that are inside; the sections are summed over their ends, so that they need
 * not be sorted. */
#include <stdlib.h>
#include <string.h>
#include <synovia/collide.h>

#include "base/names.h"
#include "collide/magnitude.h"
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

/* Finds all crossings of the two surfaces. *degenerate: a vertex or edge is exactly on the other surface; then the list
 * is incomplete. items must be freed in any case. */
static syn_status syn_find_crossings(const placed_surface sides[2], crossings *found, bool *degenerate,
                                     syn_error *error) {
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

typedef struct localiser {
  const syn_context *context;
  placed_surface sides[2];
  uint8_t *inside[2]; /* by vertex: is it in the other body? */
  uint8_t *zones[2];  /* by triangle */
  crossings found;
  syn_pose pose, back;
  syn_vec3 origin; /* of the tetrahedra: near the overlap, to avoid cancellation */
  double volume, area[2];
  syn_vec3 moment;
  syn_overlap *overlap;
  syn_arena arena;
} localiser;

/* ---- placing ------------------------------------------------------------------------------------------------------
 */

static void place_mobile(localiser *l, const syn_pose *pose, syn_vec3 nudge) {
  l->pose = *pose;
  l->pose.translation = vec3_add(pose->translation, nudge);
  l->back = syn_pose_inverse(&l->pose);
  const syn_surface_tree *mobile = l->sides[1].surface;
  for (uint32_t i = 0; i < mobile->vertex_count; ++i)
    l->sides[1].vertices[i] = syn_pose_point(&l->pose, mobile->vertices[i]);
}

/* Finds the crossings. Vertices and edges exactly on the other surface are neither inside nor outside: an immeasurably
 * small shift, in a direction that no mesh is aligned with, resolves all degenerate cases. */
static syn_status find_plain_crossings(localiser *l, const syn_pose *pose, syn_error *error) {
  enum { TRIES = 8 };
  const syn_vec3 odd = {0.5477225575051661, -0.6324555320336759, 0.5477225575051661};
  const double size = l->sides[1].surface->reach + l->sides[0].surface->reach;
  bool degenerate = true;
  for (int i = 0; i < TRIES && degenerate; ++i) {
    const syn_vec3 turned = vec3(odd.x + 0.01 * i, odd.y - 0.0137 * i * i, odd.z + 0.0071 * i);
    const double by = i == 0 ? 0 : 1e-9 * size * (1 + i) / 2;
    place_mobile(l, pose, vec3_scale(turned, by));
    l->overlap->nudge_mm = by * vec3_length(turned);
    SYN_TRY(syn_find_crossings(l->sides, &l->found, &degenerate, error));
  }
  if (!degenerate) return SYN_OK;
  return syn_fail(error, SYN_BAD_MESH,
                  "corners or edges of one surface lie on the other in a way that small shifts do not undo; look for "
                  "triangles of no area");
}

/* ---- inside and outside -------------------------------------------------------------------------------------------
 */

/* Returns whether a vertex of side `of` is in the other body; a larger distance2 means a more certain answer. */
static bool ask_vertex(const localiser *l, int of, uint32_t vertex, double *distance2) {
  const syn_surface_tree *other = l->sides[1 - of].surface;
  /* the other surface is queried in its frame */
  const syn_vec3 at = of == 1 ? l->sides[1].vertices[vertex] : syn_pose_point(&l->back, l->sides[0].vertices[vertex]);
  syn_nearest nearest;
  other->search(other, at, INFINITY, &nearest);
  *distance2 = nearest.at.distance2;
  return syn_surface_tree_side(other, at, &nearest) < 0;
}

/* Counts the piercings of each edge modulo 2: an edge pierced an odd number of times leads from inside to outside or
 * back. Each piercing is found from all triangles of the edge and counts once, for the first of them. */
static void count_piercings(const localiser *l, int of, uint8_t *odd) {
  const syn_topology *topology = l->sides[of].surface->topology;
  for (size_t i = 0; i < l->found.count; ++i) {
    const crossing *c = &l->found.items[i];
    const piercing *const ends[2] = {&c->from, &c->to};
    for (int k = 0; k < 2; ++k) {
      const uint32_t edge = ends[k]->edge;
      if (ends[k]->edge_of == (uint32_t)of &&
          topology->edge_triangles[topology->edge_triangle_start[edge]] == c->triangle[of])
        odd[edge] ^= 1;
    }
  }
}

/* Propagates the side of a vertex along edges to its whole component. */
static void spread(localiser *l, int of, const uint8_t *odd, uint8_t *known, uint32_t *stack, uint32_t start) {
  const syn_surface_tree *s = l->sides[of].surface;
  const syn_topology *topology = s->topology;
  uint32_t waiting = 0;
  stack[waiting++] = start;
  while (waiting > 0) {
    const uint32_t vertex = stack[--waiting];
    for (uint32_t i = topology->vertex_triangle_start[vertex]; i < topology->vertex_triangle_start[vertex + 1]; ++i) {
      const uint32_t t = topology->vertex_triangles[i];
      for (int c = 0; c < 3; ++c) {
        const uint32_t edge = topology->triangle_edges[t][c], *ends = topology->edge_vertices[edge];
        if (ends[0] != vertex && ends[1] != vertex) continue;
        const uint32_t next = ends[0] == vertex ? ends[1] : ends[0];
        if (known[next]) continue;
        known[next] = 1;
        l->inside[of][next] = l->inside[of][vertex] ^ odd[edge];
        stack[waiting++] = next;
      }
    }
  }
}

static syn_status classify_vertices(localiser *l, int of, syn_error *error) {
  const syn_surface_tree *s = l->sides[of].surface;
  uint8_t *odd, *known;
  uint32_t *stack;
  SYN_TRY(SYN_TAKE(&l->arena, &odd, s->topology->edge_count, error));
  SYN_TRY(SYN_TAKE(&l->arena, &known, s->vertex_count, error));
  SYN_TRY(SYN_TAKE(&l->arena, &stack, s->vertex_count, error));
  SYN_TRY(SYN_TAKE(&l->arena, &l->inside[of], s->vertex_count, error));
  memset(odd, 0, s->topology->edge_count);
  memset(known, 0, s->vertex_count);
  memset(l->inside[of], 0, s->vertex_count);
  count_piercings(l, of, odd);
  for (uint32_t t = 0; t < s->triangle_count; ++t) {
    const uint32_t *v = s->triangles[t].v;
    if (known[v[0]]) continue;
    /* the corner farthest from the other surface is the most certain */
    double surest = -1, distance2;
    uint32_t start = v[0];
    for (int c = 0; c < 3; ++c) {
      const bool in = ask_vertex(l, of, v[c], &distance2);
      if (distance2 <= surest) continue;
      surest = distance2;
      start = v[c];
      l->inside[of][start] = in;
    }
    known[start] = 1;
    spread(l, of, odd, known, stack, start);
  }
  return SYN_OK;
}

static void set_zones(localiser *l, int of) {
  const syn_surface_tree *s = l->sides[of].surface;
  uint8_t *zones = l->zones[of];
  for (uint32_t t = 0; t < s->triangle_count; ++t)
    zones[t] = l->inside[of][s->triangles[t].v[0]] ? SYN_ZONE_INSIDE : SYN_ZONE_OUTSIDE;
  for (size_t i = 0; i < l->found.count; ++i) zones[l->found.items[i].triangle[of]] = SYN_ZONE_CUT;
  for (uint32_t t = 0; t < s->triangle_count; ++t)
    for (int c = 0; c < 3 && zones[t] != SYN_ZONE_CUT; ++c) {
      const uint32_t next = s->topology->triangle_neighbours[t][c];
      if (next != SYN_NONE && zones[next] == SYN_ZONE_CUT)
        zones[t] = zones[t] >= SYN_ZONE_INNER ? SYN_ZONE_INNER : SYN_ZONE_OUTER;
    }
}

/* ---- volume -------------------------------------------------------------------------------------------------------
 */

/* Adds `weight` times the contribution of a border piece from p to q of a triangle's part. */
static void add_piece(localiser *l, int of, const syn_vec3 v[3], syn_vec3 p, syn_vec3 q, double weight) {
  const syn_vec3 a = vec3_sub(v[0], l->origin), b = vec3_sub(p, l->origin), c = vec3_sub(q, l->origin);
  const double volume = weight * vec3_dot(a, vec3_cross(b, c)) / 6;
  const syn_vec3 normal = vec3_unit(vec3_cross(vec3_sub(v[1], v[0]), vec3_sub(v[2], v[0])));
  l->volume += volume;
  l->moment = vec3_madd(l->moment, volume / 4, vec3_add(a, vec3_add(b, c)));
  l->area[of] += weight * vec3_dot(normal, vec3_cross(vec3_sub(p, v[0]), vec3_sub(q, v[0]))) / 2;
}

/* Adds the sections of edges that are inside. On an edge from u, each section ends at the edge's end or where it leaves
 * (added), and begins at u or where it enters (subtracted). Seen from u, the section that begins at u contributes 0. */
static void add_edge_ends(localiser *l, int of) {
  const syn_surface_tree *s = l->sides[of].surface;
  for (uint32_t t = 0; t < s->triangle_count; ++t) {
    if (l->zones[of][t] < SYN_ZONE_CUT) continue;
    syn_vec3 v[3];
    placed_corners(&l->sides[of], t, v);
    for (int c = 0; c < 3; ++c)
      if (l->inside[of][s->triangles[t].v[(c + 1) % 3]]) add_piece(l, of, v, v[c], v[(c + 1) % 3], 1);
  }
}

static void add_piercing(localiser *l, const piercing *at, uint32_t triangle, syn_vec3 point, double weight) {
  const int of = (int)at->edge_of;
  const syn_surface_tree *s = l->sides[of].surface;
  syn_vec3 v[3];
  placed_corners(&l->sides[of], triangle, v);
  for (int c = 0; c < 3; ++c)
    if (s->topology->triangle_edges[triangle][c] == at->edge) add_piece(l, of, v, v[c], point, weight);
}

static void add_crossing(localiser *l, const crossing *c) {
  syn_vec3 v[3];
  placed_corners(&l->sides[0], c->triangle[0], v);
  add_piece(l, 0, v, c->start, c->end, 1);
  placed_corners(&l->sides[1], c->triangle[1], v);
  add_piece(l, 1, v, c->end, c->start, 1);
  /* if the contour ends on a fixed edge, that edge enters; if on a mobile one, it leaves */
  add_piercing(l, &c->to, c->triangle[c->to.edge_of], c->end, c->to.edge_of == 0 ? -1 : 1);
  add_piercing(l, &c->from, c->triangle[c->from.edge_of], c->start, c->from.edge_of == 0 ? 1 : -1);
}

static void measure_overlap(localiser *l) {
  syn_overlap *o = l->overlap;
  l->origin = syn_pose_point(&l->pose, l->sides[1].surface->origin);
  if (l->found.count > 0) {
    syn_vec3 sum = {0, 0, 0};
    for (size_t i = 0; i < l->found.count; ++i) sum = vec3_add(sum, vec3_sub(l->found.items[i].start, l->origin));
    l->origin = vec3_madd(l->origin, 1 / (double)l->found.count, sum);
  }
  add_edge_ends(l, 0);
  add_edge_ends(l, 1);
  for (size_t i = 0; i < l->found.count; ++i) add_crossing(l, &l->found.items[i]);
  o->volume_mm3 = max2(l->volume, 0);
  o->fixed_area_mm2 = max2(l->area[0], 0);
  o->mobile_area_mm2 = max2(l->area[1], 0);
  if (l->volume > 0) o->centroid = vec3_madd(l->origin, 1 / l->volume, l->moment);
}

/* ---- the contour --------------------------------------------------------------------------------------------------
 */

static int compare_piercings(const piercing *a, const piercing *b) {
  if (a->edge_of != b->edge_of) return a->edge_of < b->edge_of ? -1 : 1;
  if (a->edge != b->edge) return a->edge < b->edge ? -1 : 1;
  return (a->triangle > b->triangle) - (a->triangle < b->triangle);
}

static int compare_starts(const void *a, const void *b) {
  const crossing *c = a, *d = b;
  const int order = compare_piercings(&c->from, &d->from);
  return order ? order : (c->number > d->number) - (c->number < d->number);
}

/* Finds the unused crossing that starts where another ends. */
static size_t find_start(const crossings *found, const piercing *at, const uint8_t *used) {
  size_t low = 0, high = found->count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (compare_piercings(&found->items[middle].from, at) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  while (low < found->count && compare_piercings(&found->items[low].from, at) == 0 && used[low]) ++low;
  return low < found->count && compare_piercings(&found->items[low].from, at) == 0 ? low : SIZE_MAX;
}

static syn_status trace_loops(localiser *l, syn_error *error) {
  crossings *found = &l->found;
  syn_overlap *o = l->overlap;
  uint8_t *used;
  uint32_t *start;
  syn_vec3 *points;
  if (found->count > UINT32_MAX - 1) return syn_fail(error, SYN_TOO_LARGE, "the contour has more than 2^32 pieces");
  SYN_TRY(SYN_TAKE(&l->arena, &used, found->count, error));
  SYN_TRY(SYN_NEW(l->context, &start, found->count + 1, error));
  o->loop_start = start;
  SYN_TRY(SYN_NEW(l->context, &points, found->count, error));
  o->loop_points = points;
  /* Sort the pieces of the contour by their start, so that the next piece is found by bisection. */
  memset(used, 0, found->count);
  for (size_t i = 0; i < found->count; ++i) found->items[i].number = i;
  if (found->count > 0) qsort(found->items, found->count, sizeof *found->items, compare_starts);
  uint32_t count = 0;
  for (size_t first = 0; first < found->count; ++first) {
    if (used[first]) continue;
    /* A new loop: chain the pieces until it closes. */
    start[o->loop_count++] = count;
    for (size_t i = first; i != SIZE_MAX; i = find_start(found, &found->items[i].to, used)) {
      used[i] = 1;
      points[count++] = found->items[i].start;
    }
  }
  start[o->loop_count] = count;
  return SYN_OK;
}

/* ---- all of it ----------------------------------------------------------------------------------------------------
 */

static syn_status prepare_localiser(localiser *l, int of, const syn_trimesh *mesh, syn_error *error) {
  static const char *const names[2] = {"fixed", "mobile"};
  SYN_TRY(syn_derive(mesh, &syn_derive_surface, &l->sides[of].derived, error));
  const syn_surface_tree *surface = l->sides[of].surface = derived_surface(l->sides[of].derived);
  if (!surface->solid)
    return syn_fail(
        error, SYN_BAD_MESH,
        "the %s surface must be closed and have its triangles turned outward to enclose a volume; repair it "
        "first",
        names[of]);
  SYN_TRY(SYN_TAKE(&l->arena, &l->sides[of].vertices, mesh->vertex_count, error));
  memcpy(l->sides[of].vertices, mesh->vertices, mesh->vertex_count * sizeof *mesh->vertices);
  SYN_TRY(SYN_NEW(l->context, &l->zones[of], mesh->triangle_count, error));
  *(of ? &l->overlap->mobile_zones : &l->overlap->fixed_zones) = l->zones[of];
  *(of ? &l->overlap->mobile_count : &l->overlap->fixed_count) = mesh->triangle_count;
  return SYN_OK;
}

static syn_status localise(localiser *l, const syn_trimesh *fixed, const syn_trimesh *mobile, const syn_pose *pose,
                           syn_error *error) {
  SYN_TRY(prepare_localiser(l, 0, fixed, error));
  SYN_TRY(prepare_localiser(l, 1, mobile, error));
  SYN_TRY(find_plain_crossings(l, pose, error));
  for (int of = 0; of < 2; ++of) {
    SYN_TRY(classify_vertices(l, of, error));
    set_zones(l, of);
  }
  measure_overlap(l);
  return trace_loops(l, error);
}

SYN_ENUM_NAMES(syn_zone, SYN_ZONES, [SYN_ZONE_OUTSIDE] = "outside", [SYN_ZONE_OUTER] = "outer", [SYN_ZONE_CUT] = "cut",
               [SYN_ZONE_INNER] = "inner", [SYN_ZONE_INSIDE] = "inside");

syn_status syn_overlap_create(const syn_trimesh *fixed, const syn_trimesh *mobile, const syn_pose *pose,
                              syn_overlap **overlap, syn_error *error) {
  const syn_pose identity = syn_pose_identity();
  const syn_context *context = fixed->context;
  *overlap = NULL;
  SYN_TRY(syn_check_surface(fixed, fixed->vertices, "fixed", error));
  SYN_TRY(syn_check_surface(mobile, mobile->vertices, "mobile", error));
  SYN_TRY(syn_pose_check(pose, error));
  localiser l = {.context = context, .arena = {.context = context}, .found = {.context = context}};
  SYN_TRY(SYN_NEW_ZEROED(context, &l.overlap, 1, error));
  l.overlap->context = context;
  syn_status status = localise(&l, fixed, mobile, pose ? pose : &identity, error);
  for (int of = 0; of < 2; ++of) syn_derived_release(l.sides[of].derived);
  syn_free(context, l.found.items);
  syn_arena_release(&l.arena);
  l.overlap->pose = l.pose;
  if (status == SYN_OK)
    *overlap = l.overlap;
  else
    syn_overlap_destroy(l.overlap);
  return status;
}

void syn_overlap_destroy(syn_overlap *o) {
  if (!o) return;
  syn_free_const(o->context, o->fixed_zones);
  syn_free_const(o->context, o->mobile_zones);
  syn_free_const(o->context, o->loop_start);
  syn_free_const(o->context, o->loop_points);
  syn_free(o->context, o);
}
