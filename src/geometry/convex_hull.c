/* Convex hulls with exact predicates. Quickhull: every face stores the points that see it; the farthest of them is
 * added next. */
#include "geometry/convex_hull.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "geometry/predicates.h"

/* ---- the surface of a growing hull ------------------------------------------------------------------------------- */

/* A closed triangulated surface over n vertices has 2 n - 4 faces. */
static size_t most_faces(size_t points) { return 2 * points; }

size_t syn_hull_bytes(size_t points) {
  return most_faces(points) * (sizeof(hull_face) + sizeof(hull_edge) + sizeof(uint32_t)) + points * sizeof(uint32_t);
}

void syn_hull_place(hull_surface *hull, void *memory, size_t points) {
  const size_t faces = most_faces(points);
  hull->faces = memory;
  hull->horizon = (hull_edge *)(hull->faces + faces);
  hull->visible = (uint32_t *)(hull->horizon + faces);
  hull->start_of = hull->visible + faces;
}

bool syn_hull_in_span(const syn_vec3 *points, const uint32_t *corners, uint32_t count, syn_vec3 p) {
  const syn_vec3 a = points[corners[0]];
  if (count == 1) return vec3_equal(a, p);
  const syn_vec3 b = points[corners[1]];
  if (count == 2)
    return syn_orient2d(a.x, a.y, b.x, b.y, p.x, p.y) == 0 && syn_orient2d(a.y, a.z, b.y, b.z, p.y, p.z) == 0 &&
           syn_orient2d(a.z, a.x, b.z, b.x, p.z, p.x) == 0;
  return syn_orient3d(a, b, points[corners[2]], p) == 0;
}

double syn_hull_off_span(const syn_vec3 *points, const uint32_t *corners, uint32_t count, syn_vec3 p) {
  const syn_vec3 a = points[corners[0]], ap = vec3_sub(p, a);
  if (count == 1) return vec3_length2(ap);
  const syn_vec3 ab = vec3_sub(points[corners[1]], a);
  if (count == 2) return vec3_length2(vec3_cross(ab, ap));
  return fabs(vec3_dot(vec3_cross(ab, vec3_sub(points[corners[2]], a)), ap));
}

static uint32_t new_face(hull_surface *hull, uint32_t a, uint32_t b, uint32_t c) {
  uint32_t f = hull->free_face, stamp = 0;
  if (f == SYN_NONE) {
    f = hull->face_count++;
  } else {
    hull->free_face = hull->faces[f].across[0];
    stamp = hull->faces[f].stamp + 1;
  }
  hull->faces[f] = (hull_face){.v = {a, b, c}, .stamp = stamp};
  return f;
}

static void drop_face(hull_surface *hull, uint32_t f) {
  hull->faces[f].v[0] = SYN_NONE;
  hull->faces[f].across[0] = hull->free_face;
  hull->free_face = f;
}

bool syn_hull_sees(const hull_surface *hull, uint32_t face, syn_vec3 point) {
  const uint32_t *v = hull->faces[face].v;
  return syn_orient3d(hull->points[v[0]], hull->points[v[1]], hull->points[v[2]], point) > 0;
}

void syn_hull_start(hull_surface *hull, const syn_vec3 *points, const uint32_t corners[4]) {
  static const uint32_t across[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
  uint32_t a = corners[0], b = corners[1], c = corners[2], d = corners[3];
  /* Orients the first face so that the fourth point is behind it. */
  if (syn_orient3d(points[a], points[b], points[c], points[d]) > 0) {
    b = corners[2];
    c = corners[1];
  }
  hull->points = points;
  hull->face_count = 0;
  hull->free_face = SYN_NONE;
  new_face(hull, a, b, c);
  new_face(hull, b, a, d);
  new_face(hull, c, b, d);
  new_face(hull, a, c, d);
  for (int f = 0; f < 4; ++f)
    for (int c3 = 0; c3 < 3; ++c3) hull->faces[f].across[c3] = across[f][c3];
}

void syn_hull_look(hull_surface *hull, uint32_t point, uint32_t seed) {
  const syn_vec3 p = hull->points[point];
  hull->visible_count = hull->horizon_count = 0;
  hull->visible[hull->visible_count++] = seed;
  hull->faces[seed].visible = 1;
  for (uint32_t i = 0; i < hull->visible_count; ++i) {
    const hull_face *face = &hull->faces[hull->visible[i]];
    for (int c = 0; c < 3; ++c) {
      const uint32_t beyond = face->across[c];
      if (hull->faces[beyond].visible) continue;
      if (syn_hull_sees(hull, beyond, p)) {
        hull->faces[beyond].visible = 1;
        hull->visible[hull->visible_count++] = beyond;
      } else {
        hull->horizon[hull->horizon_count++] =
            (hull_edge){.from = face->v[c], .to = face->v[(c + 1) % 3], .beyond = beyond};
      }
    }
  }
}

void syn_hull_cover(hull_surface *hull, uint32_t point) {
  for (uint32_t i = 0; i < hull->visible_count; ++i) drop_face(hull, hull->visible[i]);
  for (uint32_t i = 0; i < hull->horizon_count; ++i) {
    hull_edge *edge = &hull->horizon[i];
    edge->face = new_face(hull, edge->from, edge->to, point);
    hull->start_of[edge->from] = i;
    /* The hidden face gets its new neighbour. */
    hull_face *beyond = &hull->faces[edge->beyond];
    for (int c = 0; c < 3; ++c)
      if (beyond->v[c] == edge->to && beyond->v[(c + 1) % 3] == edge->from) beyond->across[c] = edge->face;
    hull->faces[edge->face].across[0] = edge->beyond;
  }
  /* The horizon is one closed loop: exactly one edge starts where another ends. */
  for (uint32_t i = 0; i < hull->horizon_count; ++i) {
    const uint32_t face = hull->horizon[i].face, next = hull->horizon[hull->start_of[hull->horizon[i].to]].face;
    hull->faces[face].across[1] = next;
    hull->faces[next].across[2] = face;
  }
}

/* ---- the hull of points ------------------------------------------------------------------------------------------ */

typedef struct work {
  const syn_context *context;
  const syn_vec3 *points;
  uint32_t *candidates; /* numbers of the points that may be corners */
  uint32_t count;
  convex_hull *result;
  syn_error *error;
} work;

/* ---- what the points span ------------------------------------------------------------------------------------------
 */

static bool before(syn_vec3 a, syn_vec3 b) {
  if (a.x != b.x) return a.x < b.x;
  return a.y != b.y ? a.y < b.y : a.z < b.z;
}

/* Finds the points of a large initial simplex; stops at the dimension of the points. */
static void find_span(work *w) {
  uint32_t first = w->candidates[0];
  for (uint32_t i = 1; i < w->count; ++i)
    if (before(w->points[w->candidates[i]], w->points[first])) first = w->candidates[i];
  w->result->corners[0] = first;
  for (uint32_t found = 1; found <= 4; ++found) {
    w->result->dimension = found - 1;
    if (found == 4) return;
    double best = -1;
    for (uint32_t i = 0; i < w->count; ++i) {
      const syn_vec3 p = w->points[w->candidates[i]];
      const double off = syn_hull_off_span(w->points, w->result->corners, found, p);
      if (!(off > best) || syn_hull_in_span(w->points, w->result->corners, found, p)) continue;
      best = off;
      w->result->corners[found] = w->candidates[i];
    }
    if (best < 0) return;
  }
}

/* ---- one dimension: the other end ----------------------------------------------------------------------------------
 */

static void find_ends(work *w) {
  uint32_t last = w->candidates[0];
  for (uint32_t i = 1; i < w->count; ++i)
    if (before(w->points[last], w->points[w->candidates[i]])) last = w->candidates[i];
  w->result->corners[1] = last;
}

/* ---- two dimensions: the polygon by Andrew's monotone chain ------------------------------------------------------ */

typedef struct flat_point {
  double x, y;
  uint32_t point;
} flat_point;

static int compare_flat(const void *left, const void *right) {
  const flat_point *a = left, *b = right;
  if (a->x != b->x) return a->x < b->x ? -1 : 1;
  if (a->y != b->y) return a->y < b->y ? -1 : 1;
  return (a->point > b->point) - (a->point < b->point);
}

static int turn(const flat_point *a, const flat_point *b, const flat_point *c) {
  return syn_orient2d(a->x, a->y, b->x, b->y, c->x, c->y);
}

/* Finds the coordinate plane with the largest projection of the points' plane. */
static int widest_projection(const work *w) {
  const uint32_t *corners = w->result->corners;
  const syn_vec3 a = w->points[corners[0]], ab = vec3_sub(w->points[corners[1]], a);
  const syn_vec3 normal = vec3_cross(ab, vec3_sub(w->points[corners[2]], a));
  int axis = fabs(normal.y) > fabs(normal.x) ? 1 : 0;
  return fabs(normal.z) > fabs(vec3_at(normal, axis)) ? 2 : axis;
}

/* Appends one half of the outline to `chain`, which keeps its first `base` points. */
static uint32_t extend_chain(const flat_point *flat, uint32_t count, bool backwards, uint32_t base, flat_point *chain,
                             uint32_t used) {
  for (uint32_t i = 0; i < count; ++i) {
    const flat_point *p = &flat[backwards ? count - 1 - i : i];
    while (used >= base + 2 && turn(&chain[used - 2], &chain[used - 1], p) <= 0) --used;
    chain[used++] = *p;
  }
  return used - 1; /* the last point begins the other half */
}

static syn_status span_polygon(work *w) {
  flat_point *flat, *chain = NULL;
  SYN_TRY(SYN_NEW(w->context, &flat, w->count, w->error));
  /* Project along the axis in which the polygon looks widest. */
  const int axis = widest_projection(w);
  for (uint32_t i = 0; i < w->count; ++i) {
    const syn_vec3 p = w->points[w->candidates[i]];
    flat[i] = (flat_point){vec3_at(p, (axis + 1) % 3), vec3_at(p, (axis + 2) % 3), w->candidates[i]};
  }
  /* Sort, drop equal points, then build the lower and the upper chain. */
  qsort(flat, w->count, sizeof *flat, compare_flat);
  uint32_t distinct = 1;
  for (uint32_t i = 1; i < w->count; ++i)
    if (flat[i].x != flat[distinct - 1].x || flat[i].y != flat[distinct - 1].y) flat[distinct++] = flat[i];
  syn_status status = SYN_NEW(w->context, &chain, 2 * (size_t)distinct, w->error);
  if (status == SYN_OK) {
    const uint32_t half = extend_chain(flat, distinct, false, 0, chain, 0);
    const uint32_t corners = extend_chain(flat, distinct, true, half, chain, half);
    w->result->triangle_count = 2 * (corners - 2);
    status = SYN_NEW(w->context, &w->result->triangles, w->result->triangle_count, w->error);
    if (status == SYN_OK) /* A fan of triangles, on both sides. */
      for (uint32_t i = 0; i + 2 < corners; ++i) {
        const uint32_t a = chain[0].point, b = chain[i + 1].point, c = chain[i + 2].point;
        w->result->triangles[2 * i] = (syn_triangle){{a, b, c}};
        w->result->triangles[2 * i + 1] = (syn_triangle){{a, c, b}};
      }
  }
  syn_free(w->context, flat);
  syn_free(w->context, chain);
  return status;
}

/* ---- three dimensions --------------------------------------------------------------------------------------------
 */

typedef struct quickhull {
  hull_surface hull;
  uint32_t *next;    /* per point: the next one that sees the same face */
  uint32_t *outside; /* per face: the first point that sees it */
  uint32_t *pending; /* queue of faces that may have points outside, each at most once */
  uint8_t *queued;
  uint32_t pending_count;
} quickhull;

static void hand_over(quickhull *q, uint32_t face, uint32_t point) {
  q->next[point] = q->outside[face];
  q->outside[face] = point;
  if (q->queued[face]) return;
  q->queued[face] = 1;
  q->pending[q->pending_count++] = face;
}

/* Removes the farthest point from the face's list. */
static uint32_t take_farthest(quickhull *q, uint32_t face) {
  const syn_vec3 *points = q->hull.points;
  const uint32_t *v = q->hull.faces[face].v;
  const syn_vec3 a = points[v[0]], normal = vec3_cross(vec3_sub(points[v[1]], a), vec3_sub(points[v[2]], a));
  uint32_t *best = &q->outside[face];
  double height = -INFINITY;
  for (uint32_t *link = best; *link != SYN_NONE; link = &q->next[*link]) {
    const double h = vec3_dot(normal, vec3_sub(points[*link], a));
    if (!(h > height)) continue;
    height = h;
    best = link;
  }
  const uint32_t point = *best;
  *best = q->next[point];
  return point;
}

/* Adds one point to the hull and redistributes the points of the removed faces to the new faces. */
static void add_farthest(quickhull *q, uint32_t face) {
  const uint32_t eye = take_farthest(q, face);
  syn_hull_look(&q->hull, eye, face);
  /* Collect the outside points of all faces that will be removed. */
  uint32_t orphans = SYN_NONE;
  for (uint32_t i = 0; i < q->hull.visible_count; ++i) {
    const uint32_t f = q->hull.visible[i];
    while (q->outside[f] != SYN_NONE) {
      const uint32_t p = q->outside[f];
      q->outside[f] = q->next[p];
      q->next[p] = orphans;
      orphans = p;
    }
  }
  /* Replace these faces by a cone from the new vertex to the horizon. */
  syn_hull_cover(&q->hull, eye);
  /* Assign each point to the first new face that sees it; the others are inside. */
  while (orphans != SYN_NONE) {
    const uint32_t p = orphans;
    orphans = q->next[p];
    for (uint32_t i = 0; i < q->hull.horizon_count; ++i) {
      if (!syn_hull_sees(&q->hull, q->hull.horizon[i].face, q->hull.points[p])) continue;
      hand_over(q, q->hull.horizon[i].face, p);
      break;
    }
  }
}

static void build(const work *w, quickhull *q) {
  syn_hull_start(&q->hull, w->points, w->result->corners);
  /* Assign each point to a face of the first tetrahedron that sees it; the others are inside. */
  for (uint32_t i = 0; i < w->count; ++i)
    for (uint32_t f = 0; f < 4; ++f)
      if (syn_hull_sees(&q->hull, f, w->points[w->candidates[i]])) {
        hand_over(q, f, w->candidates[i]);
        break;
      }
  /* Add the farthest point of each face until no face has points outside. */
  while (q->pending_count > 0) {
    const uint32_t face = q->pending[--q->pending_count];
    q->queued[face] = 0;
    if (q->outside[face] != SYN_NONE) add_farthest(q, face);
  }
}

/* Returns whether two adjacent faces are not coplanar. */
static bool bends(const hull_surface *hull, const hull_face *face, const hull_face *beyond) {
  for (int k = 0; k < 3; ++k)
    if (syn_orient3d(hull->points[face->v[0]], hull->points[face->v[1]], hull->points[face->v[2]],
                     hull->points[beyond->v[k]]) != 0)
      return true;
  return false;
}

/* Keeps the candidates with at least three edges between faces that are not coplanar; returns true if another one had
 * been used. `grade` has a byte per point: 0 if it is not used, else 1 plus the number of such edges, at most 4. */
static bool drop_flat_candidates(work *w, const hull_surface *hull, uint8_t *grade) {
  for (uint32_t i = 0; i < w->count; ++i) grade[w->candidates[i]] = 0;
  for (uint32_t f = 0; f < hull->face_count; ++f) {
    const hull_face *face = &hull->faces[f];
    if (face->v[0] == SYN_NONE) continue;
    for (int c = 0; c < 3; ++c) {
      uint8_t *at = &grade[face->v[c]];
      if (*at == 0) *at = 1;
      if (*at < 4) *at = (uint8_t)(*at + bends(hull, face, &hull->faces[face->across[c]]));
    }
  }
  uint32_t kept = 0, used = 0;
  for (uint32_t i = 0; i < w->count; ++i) {
    const uint32_t p = w->candidates[i];
    used += grade[p] > 0;
    if (grade[p] == 4) w->candidates[kept++] = p;
  }
  w->count = kept;
  return kept < used;
}

static syn_status take_triangles(work *w, const hull_surface *hull) {
  SYN_TRY(SYN_NEW(w->context, &w->result->triangles, hull->face_count, w->error));
  for (uint32_t f = 0; f < hull->face_count; ++f)
    if (hull->faces[f].v[0] != SYN_NONE)
      memcpy(w->result->triangles[w->result->triangle_count++].v, hull->faces[f].v, sizeof hull->faces[f].v);
  return SYN_OK;
}

static syn_status span_hull(work *w, uint32_t point_count) {
  syn_arena arena = {.context = w->context};
  quickhull q = {0};
  const size_t faces = 2 * (size_t)point_count;
  void *memory;
  syn_status status = syn_arena_take(&arena, syn_hull_bytes(point_count), 1, &memory, w->error);
  if (status == SYN_OK) status = SYN_TAKE(&arena, &q.next, point_count, w->error);
  if (status == SYN_OK) status = SYN_TAKE(&arena, &q.outside, faces, w->error);
  if (status == SYN_OK) status = SYN_TAKE(&arena, &q.pending, faces, w->error);
  if (status == SYN_OK) status = SYN_TAKE(&arena, &q.queued, faces, w->error);
  if (status == SYN_OK) {
    syn_hull_place(&q.hull, memory, point_count);
    memset(q.outside, 0xff, faces * sizeof *q.outside);
    memset(q.queued, 0, faces);
    build(w, &q);
    /* A point inside a flat face may have been chosen among equally far ones: repeats the construction with the extreme
     * points only. */
    if (drop_flat_candidates(w, &q.hull, q.queued)) {
      memset(q.queued, 0, faces);
      find_span(w);
      build(w, &q);
    }
    status = take_triangles(w, &q.hull);
  }
  syn_arena_release(&arena);
  return status;
}

syn_status syn_convex_hull(const syn_context *context, const syn_vec3 *points, uint32_t count, convex_hull *result,
                           syn_error *error) {
  *result = (convex_hull){0};
  work w = {.context = context, .points = points, .count = count, .result = result, .error = error};
  SYN_TRY(SYN_NEW(context, &w.candidates, count, error));
  for (uint32_t i = 0; i < count; ++i) w.candidates[i] = i;
  find_span(&w);
  syn_status status = SYN_OK;
  if (result->dimension == 1) find_ends(&w);
  if (result->dimension == 2) status = span_polygon(&w);
  if (result->dimension == 3) status = span_hull(&w, count);
  syn_free(context, w.candidates);
  return status;
}
