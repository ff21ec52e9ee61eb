/* Edge collapse by quadrics (Garland and Heckbert 1997), weighed by area, over half-edges. The link condition (Dey et
 * al. 1999) keeps the topology. The order depends on costs and vertex numbers alone. */
#include "image/label_simplify.h"

#include <string.h>

#include "base/vec.h"

/* Chosen by trial; between half and twice these values counts of triangles change by less than a fifth. */
static const double min_quality = 0.25;  /* of a triangle, 1 for a regular one: better ones never fall below it */
static const double min_cosine = 0.5;    /* between the normals of a triangle before and after */
static const double length_share = 1e-3; /* of the squared length in the cost: short edges go first */
static const double middle_share = 1e-3; /* weight of the middle of the edge for the place of the new vertex */

/* Sum of squared distances from planes: x'Ax + 2 b'x + c, of total weight w. */
typedef struct quadric {
  double xx, xy, xz, yy, yz, zz;
  syn_vec3 b;
  double c, w;
} quadric;

typedef struct candidate {
  double cost;
  uint32_t a, b;
  uint32_t stamp; /* of both ends together: an older one is out of date */
} candidate;

typedef struct simplification {
  const syn_context *context;
  syn_vec3 *place;
  uint32_t (*v)[3];
  uint32_t *opposite; /* of half-edge 3 t + c, from corner c to the next */
  uint32_t *out;      /* a half-edge from each vertex; SYN_NONE once it is gone */
  uint32_t *stamp, *seen;
  uint32_t look;
  const uint8_t *fixed;
  quadric *q;
  candidate *heap;
  size_t heap_count, heap_capacity;
  size_t vertex_count, triangle_count;
  double tolerance2, edge2;
} simplification;

/* ---- half-edges ------------------------------------------------------------------------------------------------- */

static uint32_t next_of(uint32_t h) { return h % 3 == 2 ? h - 2 : h + 1; }
static uint32_t previous_of(uint32_t h) { return h % 3 == 0 ? h + 2 : h - 1; }
static uint32_t from_of(const simplification *s, uint32_t h) { return s->v[h / 3][h % 3]; }
static uint32_t to_of(const simplification *s, uint32_t h) { return from_of(s, next_of(h)); }
/* The next half-edge from the same vertex. */
static uint32_t around(const simplification *s, uint32_t h) { return s->opposite[previous_of(h)]; }

static syn_status pair_half_edges(syn_arena *arena, simplification *s, syn_error *error) {
  const size_t count = 3 * s->triangle_count;
  uint32_t *start, *list;
  SYN_TRY(SYN_TAKE(arena, &start, s->vertex_count + 2, error));
  SYN_TRY(SYN_TAKE(arena, &list, count, error));
  memset(start, 0, (s->vertex_count + 2) * sizeof *start);
  for (uint32_t h = 0; h < count; ++h) ++start[from_of(s, h) + 2];
  for (size_t i = 2; i < s->vertex_count + 2; ++i) start[i] += start[i - 1];
  for (uint32_t h = 0; h < count; ++h) list[start[from_of(s, h) + 1]++] = h;
  for (uint32_t h = 0; h < count; ++h) {
    const uint32_t from = from_of(s, h), to = to_of(s, h);
    s->opposite[h] = SYN_NONE;
    for (uint32_t i = start[to]; i < start[to + 1]; ++i)
      if (to_of(s, list[i]) == from) s->opposite[h] = list[i];
    if (s->opposite[h] == SYN_NONE) return syn_fail(error, SYN_BAD_MESH, "a label's surface is not closed");
    s->out[from] = h;
  }
  return SYN_OK;
}

/* ---- quadrics --------------------------------------------------------------------------------------------------- */

static void add_quadric(quadric *q, const quadric *other) {
  q->xx += other->xx, q->xy += other->xy, q->xz += other->xz;
  q->yy += other->yy, q->yz += other->yz, q->zz += other->zz;
  q->b = vec3_add(q->b, other->b);
  q->c += other->c, q->w += other->w;
}

static void fill_quadrics(simplification *s) {
  for (size_t t = 0; t < s->triangle_count; ++t) {
    const uint32_t *v = s->v[t];
    const syn_vec3 p = s->place[v[0]];
    const syn_vec3 cross = vec3_cross(vec3_sub(s->place[v[1]], p), vec3_sub(s->place[v[2]], p));
    const double length = vec3_length(cross), w = length / 6;
    const syn_vec3 n = vec3_unit(cross);
    const double d = -vec3_dot(n, p);
    const quadric plane = {.xx = w * n.x * n.x,
                           .xy = w * n.x * n.y,
                           .xz = w * n.x * n.z,
                           .yy = w * n.y * n.y,
                           .yz = w * n.y * n.z,
                           .zz = w * n.z * n.z,
                           .b = vec3_scale(n, w * d),
                           .c = w * d * d,
                           .w = w};
    for (int c = 0; c < 3; ++c) add_quadric(&s->q[v[c]], &plane);
  }
}

static double quadric_at(const quadric *q, syn_vec3 p) {
  const syn_vec3 a = {q->xx * p.x + q->xy * p.y + q->xz * p.z, q->xy * p.x + q->yy * p.y + q->yz * p.z,
                      q->xz * p.x + q->yz * p.y + q->zz * p.z};
  const double sum = vec3_dot(a, p) + 2 * vec3_dot(q->b, p) + q->c;
  return q->w > 0 && sum > 0 ? sum / q->w : 0;
}

/* The place nearest to the planes, and a little to `middle`. */
static syn_vec3 best_place(const quadric *q, syn_vec3 middle) {
  const double l = middle_share * q->w;
  const double a = q->xx + l, d = q->yy + l, f = q->zz + l, b = q->xy, c = q->xz, e = q->yz;
  const syn_vec3 r = vec3_sub(vec3_scale(middle, l), q->b);
  const double c00 = d * f - e * e, c01 = c * e - b * f, c02 = b * e - c * d;
  const double det = a * c00 + b * c01 + c * c02;
  if (!(det > 0)) return middle;
  const double c11 = a * f - c * c, c12 = b * c - a * e, c22 = a * d - b * b;
  return vec3((c00 * r.x + c01 * r.y + c02 * r.z) / det, (c01 * r.x + c11 * r.y + c12 * r.z) / det,
              (c02 * r.x + c12 * r.y + c22 * r.z) / det);
}

/* Where the vertex of a collapsed edge goes, and its mean squared distance from the planes. */
static double collapsed(const simplification *s, uint32_t a, uint32_t b, syn_vec3 *place) {
  quadric q = s->q[a];
  add_quadric(&q, &s->q[b]);
  *place = s->fixed[a]   ? s->place[a]
           : s->fixed[b] ? s->place[b]
                         : best_place(&q, vec3_lerp(s->place[a], s->place[b], 0.5));
  return quadric_at(&q, *place);
}

/* ---- candidates ------------------------------------------------------------------------------------------------- */

static bool comes_before(const candidate *x, const candidate *y) {
  if (x->cost != y->cost) return x->cost < y->cost;
  return x->a != y->a ? x->a < y->a : x->b < y->b;
}

static syn_status push(simplification *s, uint32_t a, uint32_t b, syn_error *error) {
  if (s->fixed[a] && s->fixed[b]) return SYN_OK;
  syn_vec3 place;
  const double squared = collapsed(s, a, b, &place);
  if (squared > s->tolerance2) return SYN_OK;
  const double length2 = vec3_length2(vec3_sub(s->place[a], s->place[b]));
  const candidate new = {squared + length_share * length2, a < b ? a : b, a < b ? b : a, s->stamp[a] + s->stamp[b]};
  SYN_TRY(SYN_RESERVE(s->context, &s->heap, s->heap_count, 1, &s->heap_capacity, error));
  size_t i = s->heap_count++;
  for (; i > 0 && comes_before(&new, &s->heap[(i - 1) / 2]); i = (i - 1) / 2) s->heap[i] = s->heap[(i - 1) / 2];
  s->heap[i] = new;
  return SYN_OK;
}

static candidate pop(simplification *s) {
  const candidate first = s->heap[0], last = s->heap[--s->heap_count];
  size_t i = 0;
  for (size_t child = 1; child < s->heap_count; child = 2 * i + 1) {
    if (child + 1 < s->heap_count && comes_before(&s->heap[child + 1], &s->heap[child])) ++child;
    if (!comes_before(&s->heap[child], &last)) break;
    s->heap[i] = s->heap[child];
    i = child;
  }
  s->heap[i] = last;
  return first;
}

/* ---- collapse --------------------------------------------------------------------------------------------------- */

static uint32_t find_half_edge(const simplification *s, uint32_t a, uint32_t b) {
  uint32_t h = s->out[a];
  do {
    if (to_of(s, h) == b) return h;
    h = around(s, h);
  } while (h != s->out[a]);
  return SYN_NONE;
}

static uint32_t valence(const simplification *s, uint32_t a) {
  uint32_t count = 0, h = s->out[a];
  do ++count, h = around(s, h);
  while (h != s->out[a]);
  return count;
}

/* The two ends have exactly the two neighbours in common that face the edge, and the surface is no tetrahedron. */
static bool keeps_topology(simplification *s, uint32_t edge) {
  const uint32_t a = from_of(s, edge), b = to_of(s, edge), look = ++s->look;
  uint32_t common = 0, h = s->out[a];
  do {
    s->seen[to_of(s, h)] = look;
    h = around(s, h);
  } while (h != s->out[a]);
  h = s->out[b];
  do {
    common += s->seen[to_of(s, h)] == look;
    h = around(s, h);
  } while (h != s->out[b]);
  const uint32_t c = from_of(s, previous_of(edge)), d = from_of(s, previous_of(s->opposite[edge]));
  return common == 2 && valence(s, c) > 3 && valence(s, d) > 3;
}

/* 1 for a regular triangle, 0 for a flat one. */
static double quality_of(const syn_vec3 p[3], syn_vec3 *cross) {
  const syn_vec3 u = vec3_sub(p[1], p[0]), v = vec3_sub(p[2], p[0]), w = vec3_sub(p[2], p[1]);
  *cross = vec3_cross(u, v);
  const double lengths = vec3_length2(u) + vec3_length2(v) + vec3_length2(w);
  return lengths > 0 ? 2 * sqrt(3) * vec3_length(*cross) / lengths : 0;
}

/* Goes through the triangles at `a` but those at `b`: what becomes of them when `a` goes to `place`. */
static bool keeps_triangles(const simplification *s, uint32_t a, uint32_t b, syn_vec3 place, double *worst,
                            double *worst_after) {
  uint32_t h = s->out[a];
  do {
    const uint32_t second = to_of(s, h), third = from_of(s, previous_of(h));
    syn_vec3 cross, after;
    const double quality = quality_of((const syn_vec3[3]){s->place[a], s->place[second], s->place[third]}, &cross);
    *worst = min2(*worst, quality);
    if (second != b && third != b) {
      const double new = quality_of((const syn_vec3[3]){place, s->place[second], s->place[third]}, &after);
      *worst_after = min2(*worst_after, new);
      if (vec3_dot(cross, after) < min_cosine * vec3_length(cross) * vec3_length(after)) return false;
      if (vec3_length2(vec3_sub(place, s->place[second])) > s->edge2) return false;
    }
    h = around(s, h);
  } while (h != s->out[a]);
  return true;
}

static bool is_sound(simplification *s, uint32_t edge, syn_vec3 place) {
  const uint32_t a = from_of(s, edge), b = to_of(s, edge);
  double worst = 1, after = 1;
  if (!keeps_topology(s, edge)) return false;
  if (!keeps_triangles(s, a, b, place, &worst, &after) || !keeps_triangles(s, b, a, place, &worst, &after))
    return false;
  return after >= min_quality || after > worst;
}

/* Removes a triangle: the two neighbours beside its edge `h` become neighbours. */
static void close_gap(simplification *s, uint32_t h) {
  const uint32_t x = s->opposite[next_of(h)], y = s->opposite[previous_of(h)];
  s->opposite[x] = y;
  s->opposite[y] = x;
  s->out[from_of(s, x)] = x;
  s->out[from_of(s, y)] = y;
  s->v[h / 3][0] = SYN_NONE;
}

/* Moves everything at the far end of the edge to its near end. */
static void collapse(simplification *s, uint32_t edge, syn_vec3 place) {
  const uint32_t a = from_of(s, edge), b = to_of(s, edge), twin = s->opposite[edge];
  add_quadric(&s->q[a], &s->q[b]);
  s->place[a] = place;
  uint32_t h = s->out[b];
  const uint32_t first = h;
  do {
    const uint32_t next = around(s, h);
    s->v[h / 3][h % 3] = a;
    h = next;
  } while (h != first);
  close_gap(s, edge);
  close_gap(s, twin);
  s->out[b] = SYN_NONE;
  ++s->stamp[a];
}

static syn_status try_candidate(simplification *s, const candidate *c, syn_error *error) {
  uint32_t a = c->a, b = c->b;
  if (s->out[a] == SYN_NONE || s->out[b] == SYN_NONE || c->stamp != s->stamp[a] + s->stamp[b]) return SYN_OK;
  if (s->fixed[b]) a = c->b, b = c->a; /* what is fixed stays */
  const uint32_t edge = find_half_edge(s, a, b);
  syn_vec3 place;
  collapsed(s, c->a, c->b, &place);
  if (edge == SYN_NONE || !is_sound(s, edge, place)) return SYN_OK;
  collapse(s, edge, place);
  uint32_t h = s->out[a];
  do {
    SYN_TRY(push(s, a, to_of(s, h), error));
    h = around(s, h);
  } while (h != s->out[a]);
  return SYN_OK;
}

/* ---- the whole -------------------------------------------------------------------------------------------------- */

static void compact(simplification *s, syn_builder *surface) {
  uint32_t count = 0;
  size_t triangles = 0;
  for (size_t v = 0; v < s->vertex_count; ++v) {
    if (s->out[v] == SYN_NONE) continue;
    surface->points[count] = s->place[v];
    s->seen[v] = count++;
  }
  for (size_t t = 0; t < s->triangle_count; ++t) {
    if (s->v[t][0] == SYN_NONE) continue;
    for (int c = 0; c < 3; ++c) surface->triangles[triangles].v[c] = s->seen[s->v[t][c]];
    ++triangles;
  }
  surface->point_count = count;
  surface->triangle_count = triangles;
}

static syn_status start(syn_arena *arena, const syn_builder *surface, simplification *s, syn_error *error) {
  SYN_TRY(SYN_TAKE(arena, &s->opposite, 3 * s->triangle_count, error));
  SYN_TRY(SYN_TAKE(arena, &s->v, s->triangle_count, error));
  SYN_TRY(SYN_TAKE(arena, &s->out, s->vertex_count, error));
  SYN_TRY(SYN_TAKE(arena, &s->stamp, s->vertex_count, error));
  SYN_TRY(SYN_TAKE(arena, &s->seen, s->vertex_count, error));
  SYN_TRY(SYN_TAKE(arena, &s->q, s->vertex_count, error));
  memset(s->out, 255, s->vertex_count * sizeof *s->out);
  memset(s->stamp, 0, s->vertex_count * sizeof *s->stamp);
  memset(s->seen, 0, s->vertex_count * sizeof *s->seen);
  memset(s->q, 0, s->vertex_count * sizeof *s->q);
  for (size_t t = 0; t < s->triangle_count; ++t) memcpy(s->v[t], surface->triangles[t].v, sizeof s->v[t]);
  SYN_TRY(pair_half_edges(arena, s, error));
  fill_quadrics(s);
  for (uint32_t h = 0; h < 3 * s->triangle_count; ++h)
    if (from_of(s, h) < to_of(s, h)) SYN_TRY(push(s, from_of(s, h), to_of(s, h), error));
  return SYN_OK;
}

syn_status syn_label_simplify(syn_arena *arena, syn_builder *surface, const uint8_t *fixed, double tolerance_mm,
                              double edge_mm, syn_error *error) {
  if (surface->triangle_count == 0 || !(tolerance_mm > 0)) return SYN_OK;
  if (surface->triangle_count > SYN_NONE / 3)
    return syn_fail(error, SYN_TOO_LARGE, "the surface of a label has too many triangles");
  simplification s = {.context = surface->context,
                      .place = surface->points,
                      .fixed = fixed,
                      .vertex_count = surface->point_count,
                      .triangle_count = surface->triangle_count,
                      .tolerance2 = tolerance_mm * tolerance_mm,
                      .edge2 = edge_mm * edge_mm};
  syn_status status = start(arena, surface, &s, error);
  while (status == SYN_OK && s.heap_count > 0) {
    const candidate best = pop(&s);
    status = try_candidate(&s, &best, error);
  }
  syn_free(s.context, s.heap);
  if (status == SYN_OK) compact(&s, surface);
  return status;
}
