/* Marching tetrahedra (Doi and Koide 1991) over the lattice of voxel centres: each cube is divided into the six
 * tetrahedra along its diagonal (Kuhn), all alike, so that neighbouring cubes match. In a tetrahedron the field is
 * linear and its zero a plane; so the surface is closed and manifold, whatever the field.
 *
 * Neighbouring labels never cross: the fields of two labels add up to zero or less at every lattice point, thus in
 * every tetrahedron, and no point is inside both. Where they add up to zero, both have the same vertices to the bit. */
#include "image/label_march.h"

#include <string.h>

/* Edges of the lattice by their direction from the lower end: bits x, y, z. */
enum { EDGES = 8 };

typedef struct marching {
  syn_label_field *field;
  syn_label_march *out;
  size_t plane;
  int32_t nx, ny, k; /* the layer between slices k and k + 1 */
  double *values[2]; /* of both slices */
  uint8_t *near[2];
  uint32_t *edges[EDGES]; /* vertex on the edge from each point of slice k; SYN_NONE */
  uint32_t *upper[EDGES]; /* the same from slice k + 1, for edges within it */
} marching;

/* ---- vertices --------------------------------------------------------------------------------------------------- */

static void point_offsets(unsigned corner, int32_t offset[3]) {
  offset[0] = (int32_t)(corner & 1), offset[1] = (int32_t)(corner >> 1 & 1), offset[2] = (int32_t)(corner >> 2 & 1);
}

static size_t point_at(const marching *m, int32_t x, int32_t y, unsigned corner) {
  return (size_t)(y + (int32_t)(corner >> 1 & 1)) * (size_t)m->nx + (size_t)(x + (int32_t)(corner & 1));
}

static syn_status add_vertex(marching *m, syn_vec3 place, bool fixed, uint32_t *number, syn_error *error) {
  syn_label_march *out = m->out;
  if (out->builder.point_count >= SYN_NONE - 1)
    return syn_fail(error, SYN_TOO_LARGE, "the surface of a label has more than 2^32 vertices");
  SYN_TRY(SYN_RESERVE(out->builder.context, &out->fixed, out->builder.point_count, 1, &out->fixed_capacity, error));
  *number = (uint32_t)out->builder.point_count;
  out->fixed[*number] = fixed;
  return syn_builder_point(&out->builder, place, error);
}

/* The vertex on the edge between two corners of the cube at (x, y); `from` is a subset of `to`. */
static syn_status find_vertex(marching *m, int32_t x, int32_t y, unsigned from, unsigned to, uint32_t *number,
                              syn_error *error) {
  const unsigned direction = to ^ from;
  uint32_t **edges = from & 4 ? m->upper : m->edges;
  const size_t p = point_at(m, x, y, from), q = point_at(m, x, y, to);
  uint32_t *known = &edges[direction][p];
  if (*known != SYN_NONE) {
    *number = *known;
    return SYN_OK;
  }
  const double a = m->values[from >> 2][p], b = m->values[to >> 2][q];
  const bool near = m->near[from >> 2][p] || m->near[to >> 2][q];
  const double t = a / (a - b);
  int32_t at[3], along[3];
  point_offsets(from, at);
  point_offsets(direction, along);
  const syn_vec3 place = {x + at[0] + t * along[0], y + at[1] + t * along[1], m->k + at[2] + t * along[2]};
  SYN_TRY(add_vertex(m, place, near, known, error));
  *number = *known;
  return SYN_OK;
}

/* ---- tetrahedra ------------------------------------------------------------------------------------------------- */

typedef struct cut {
  uint8_t inside[4]; /* corners of a right-handed tetrahedron in an even order: first those inside */
  uint8_t count;     /* inside */
} cut;

/* By the bits of the corners that are inside. */
static const cut cuts[16] = {
    {{0}, 0},          {{0, 1, 2, 3}, 1}, {{1, 0, 3, 2}, 1}, {{0, 1, 2, 3}, 2}, {{2, 0, 1, 3}, 1}, {{0, 2, 3, 1}, 2},
    {{1, 2, 0, 3}, 2}, {{3, 0, 2, 1}, 3}, {{3, 0, 2, 1}, 1}, {{0, 3, 1, 2}, 2}, {{1, 3, 2, 0}, 2}, {{2, 0, 1, 3}, 3},
    {{2, 3, 0, 1}, 2}, {{1, 0, 3, 2}, 3}, {{0, 1, 2, 3}, 3}, {{0}, 4},
};

/* The six paths from corner 0 to corner 7 of a cube, the right-handed ones first. */
static const uint8_t paths[6][4] = {{0, 1, 3, 7}, {0, 2, 6, 7}, {0, 4, 5, 7}, {0, 1, 5, 7}, {0, 2, 3, 7}, {0, 4, 6, 7}};

static syn_status add_triangle(marching *m, const uint32_t v[3], bool flip, syn_error *error) {
  return syn_builder_triangle(&m->out->builder, v[0], v[flip ? 2 : 1], v[flip ? 1 : 2], error);
}

/* One corner alone: a triangle that cuts it off. Two and two: a quadrangle, divided along the same diagonal whichever
 * side is inside. */
static syn_status cut_tetrahedron(marching *m, int32_t x, int32_t y, int path, unsigned inside, syn_error *error) {
  const cut *c = &cuts[inside];
  bool flip = path >= 3;
  uint32_t v[4];
  for (int i = 0; i < (c->count == 2 ? 4 : 3); ++i) {
    static const uint8_t two[4][2] = {{0, 2}, {0, 3}, {1, 3}, {1, 2}};
    const int a = c->count == 2 ? c->inside[two[i][0]] : c->inside[0];
    const int b = c->count == 2 ? c->inside[two[i][1]] : c->inside[i + 1];
    SYN_TRY(find_vertex(m, x, y, paths[path][a < b ? a : b], paths[path][a < b ? b : a], &v[i], error));
  }
  if (c->count == 3) flip = !flip; /* the corner alone is outside */
  SYN_TRY(add_triangle(m, v, flip, error));
  if (c->count != 2) return SYN_OK;
  return add_triangle(m, (const uint32_t[3]){v[0], v[2], v[3]}, flip, error);
}

static syn_status cut_cube(marching *m, int32_t x, int32_t y, syn_error *error) {
  unsigned inside = 0;
  for (unsigned corner = 0; corner < 8; ++corner)
    inside |= (unsigned)(m->values[corner >> 2][point_at(m, x, y, corner)] > 0) << corner;
  if (inside == 0 || inside == 255) return SYN_OK;
  for (int path = 0; path < 6; ++path) {
    unsigned four = 0;
    for (int i = 0; i < 4; ++i) four |= (inside >> paths[path][i] & 1) << i;
    if (four != 0 && four != 15) SYN_TRY(cut_tetrahedron(m, x, y, path, four, error));
  }
  return SYN_OK;
}

/* ---- layers ----------------------------------------------------------------------------------------------------- */

static void widen_by(const marching *m, int32_t y, int32_t k, int32_t *from, int32_t *to) {
  const syn_row_range row = syn_label_field_row(m->field, y, k);
  if (row.from > row.to) return;
  if (row.from < *from) *from = row.from;
  if (row.to > *to) *to = row.to;
}

static syn_status cut_layer(marching *m, syn_error *error) {
  for (int32_t y = 0; y + 1 < m->ny; ++y) {
    int32_t from = m->nx, to = -1;
    for (int32_t i = 0; i < 4; ++i) widen_by(m, y + (i & 1), m->k + (i >> 1), &from, &to);
    for (int32_t x = from; x <= to && x + 1 < m->nx; ++x) SYN_TRY(cut_cube(m, x, y, error));
  }
  return SYN_OK;
}

static void fill_slice(marching *m, int32_t k, int which) {
  for (size_t i = 0; i < m->plane; ++i) m->values[which][i] = -1; /* where the field says nothing */
  memset(m->near[which], 0, m->plane);
  syn_label_field_slice(m->field, k, m->values[which], m->near[which]);
}

/* Slice k + 1 becomes slice k. */
static void go_up(marching *m) {
  double *values = m->values[0];
  uint8_t *near = m->near[0];
  m->values[0] = m->values[1], m->values[1] = values;
  m->near[0] = m->near[1], m->near[1] = near;
  for (int e = 1; e < EDGES; ++e) {
    if (e < 4) {
      uint32_t *edges = m->edges[e];
      m->edges[e] = m->upper[e], m->upper[e] = edges;
      memset(m->upper[e], 255, m->plane * sizeof **m->upper);
    } else {
      memset(m->edges[e], 255, m->plane * sizeof **m->edges);
    }
  }
}

static syn_status take_planes(syn_arena *arena, marching *m, syn_error *error) {
  for (int i = 0; i < 2; ++i) {
    SYN_TRY(SYN_TAKE(arena, &m->values[i], m->plane, error));
    SYN_TRY(SYN_TAKE(arena, &m->near[i], m->plane, error));
  }
  for (int e = 1; e < EDGES; ++e) {
    SYN_TRY(SYN_TAKE(arena, &m->edges[e], m->plane, error));
    memset(m->edges[e], 255, m->plane * sizeof **m->edges);
    if (e >= 4) continue;
    SYN_TRY(SYN_TAKE(arena, &m->upper[e], m->plane, error));
    memset(m->upper[e], 255, m->plane * sizeof **m->upper);
  }
  return SYN_OK;
}

syn_status syn_label_march_run(syn_arena *arena, syn_label_field *field, syn_label_march *out, syn_error *error) {
  marching m = {.field = field, .out = out, .nx = field->size[0], .ny = field->size[1]};
  m.plane = (size_t)m.nx * (size_t)m.ny;
  SYN_TRY(take_planes(arena, &m, error));
  fill_slice(&m, 0, 0);
  for (m.k = 0; m.k + 1 < field->size[2]; ++m.k) {
    fill_slice(&m, m.k + 1, 1);
    SYN_TRY(cut_layer(&m, error));
    go_up(&m);
  }
  return SYN_OK;
}

void syn_label_march_release(syn_label_march *march) {
  syn_free(march->builder.context, march->fixed);
  march->fixed = NULL;
  syn_builder_release(&march->builder);
}
