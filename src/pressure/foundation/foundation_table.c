/* Tabulates the radius of a surface by direction: every triangle is projected onto the faces of a cube about the
 * centre, on which it stays a triangle. Between its corners the radius is a quadratic: the mean of linear
 * interpolation and of extrapolation by the normals at the corners, which is accurate to the third order. */
#include <string.h>

#include "pressure/foundation/foundation.h"

enum { CUBE = 6, MARGIN = 6 /* texels beyond an edge, and rings of extrapolation */ };

/* Directions with a smaller component along the axis of a face belong to other faces. */
#define LEAST_ALONG_AXIS 0.3

static double part(syn_vec3 p, int k) { return vec3_at(p, k % 3); }
static size_t texel_count(const foundation_table *t) { return (size_t)CUBE * t->size * t->size; }

/* ---- one triangle -------------------------------------------------------------------------------------------------
 */

/* A vertex projected onto a face of the cube. */
typedef struct corner {
  double a, b;
  foundation_texel texel;
} corner;

/* Returns false if the direction is not on the side of the face, or too far from its axis. */
static bool look_at(const foundation_side *side, uint32_t node, int axis, double sign, corner *c) {
  const syn_vec3 p = side->nodes[node], n = side->normals[node];
  const double along = part(p, axis), radius = vec3_length(p), facing = vec3_dot(n, p) / radius;
  if (sign * along < LEAST_ALONG_AXIS * radius || facing < 0.1) return false;
  c->a = part(p, axis + 1) / along;
  c->b = part(p, axis + 2) / along;
  /* The surface is r w with w = sign (1, a, b) / l; its tangents are perpendicular to the normal. */
  const double l = sqrt(1 + c->a * c->a + c->b * c->b);
  const double wa = part(p, axis + 1) / radius, wb = part(p, axis + 2) / radius;
  const double na = (sign * part(n, axis + 1) - sign * facing * wa) / l,
               nb = (sign * part(n, axis + 2) - sign * facing * wb) / l;
  c->texel = (foundation_texel){radius, -radius * na / facing, -radius * nb / facing};
  return true;
}

static foundation_texel blend(const corner c[3], const double w[3], double a, double b) {
  foundation_texel t = {0, 0, 0};
  for (int i = 0; i < 3; ++i) {
    const foundation_texel *from = &c[i].texel;
    t.radius += w[i] * (from->radius + 0.5 * (from->along_a * (a - c[i].a) + from->along_b * (b - c[i].b)));
    t.along_a += w[i] * from->along_a;
    t.along_b += w[i] * from->along_b;
  }
  return t;
}

typedef struct drawing {
  const foundation_side *side;
  foundation_table *table;
  bool outermost;
} drawing;

static void draw_texel(const drawing *d, size_t at, uint32_t triangle, const corner c[3], const double w[3], double a,
                       double b) {
  foundation_table *t = d->table;
  const foundation_texel texel = blend(c, w, a, b);
  if (t->covered[at] && (d->outermost ? texel.radius <= t->texels[at].radius : texel.radius >= t->texels[at].radius))
    return;
  uint32_t corners[3];
  foundation_corners(d->side, triangle, corners);
  t->texels[at] = texel;
  t->covered[at] = 1;
  t->triangle[at] = triangle;
  t->below[at] = (foundation_below){0, 0};
  for (int i = 0; i < 3; ++i) {
    t->below[at].thickness_mm += w[i] * d->side->thickness_mm[corners[i]];
    t->below[at].modulus_mpa += w[i] * d->side->modulus_mpa[corners[i]];
  }
}

static void draw_row(const drawing *d, size_t face, uint32_t row, uint32_t from, uint32_t to, uint32_t triangle,
                     const corner c[3], double area) {
  const foundation_table *t = d->table;
  const double b = (row - t->offset) / t->scale;
  for (uint32_t column = from; column <= to; ++column) {
    const double a = (column - t->offset) / t->scale;
    double w[3];
    w[0] = ((c[1].a - a) * (c[2].b - b) - (c[2].a - a) * (c[1].b - b)) / area;
    w[1] = ((c[2].a - a) * (c[0].b - b) - (c[0].a - a) * (c[2].b - b)) / area;
    w[2] = 1 - w[0] - w[1];
    if (w[0] < -1e-9 || w[1] < -1e-9 || w[2] < -1e-9) continue;
    draw_texel(d, (face * t->size + row) * t->size + column, triangle, c, w, a, b);
  }
}

/* Finds the texels between two coordinates; false: no texel. */
static bool texels_between(const foundation_table *t, double low, double high, uint32_t *from, uint32_t *to) {
  const double first = ceil(low * t->scale + t->offset - 1e-9), last = floor(high * t->scale + t->offset + 1e-9);
  if (last < 0 || first > t->size - 1 || first > last) return false;
  *from = (uint32_t)max2(first, 0);
  *to = (uint32_t)min2(last, t->size - 1);
  return true;
}

static void draw_triangle(const drawing *d, uint32_t triangle, int face) {
  uint32_t corners[3], columns[2], rows[2];
  corner c[3];
  foundation_corners(d->side, triangle, corners);
  for (int i = 0; i < 3; ++i)
    if (!look_at(d->side, corners[i], face % 3, face < 3 ? 1 : -1, &c[i])) return;
  const double area = (c[1].a - c[0].a) * (c[2].b - c[0].b) - (c[2].a - c[0].a) * (c[1].b - c[0].b);
  if (!(fabs(area) > 1e-14)) return;
  if (!texels_between(d->table, min2(c[0].a, min2(c[1].a, c[2].a)), max2(c[0].a, max2(c[1].a, c[2].a)), &columns[0],
                      &columns[1]) ||
      !texels_between(d->table, min2(c[0].b, min2(c[1].b, c[2].b)), max2(c[0].b, max2(c[1].b, c[2].b)), &rows[0],
                      &rows[1]))
    return;
  for (uint32_t row = rows[0]; row <= rows[1]; ++row)
    draw_row(d, (size_t)face, row, columns[0], columns[1], triangle, c, area);
}

/* ---- beyond the edge of the surface -------------------------------------------------------------------------------
 */

/* Adds the extrapolation from a neighbour; returns the count of neighbours. */
static int add_neighbour(const foundation_table *t, size_t at, int da, int db, foundation_texel *sum,
                         foundation_below *below) {
  const foundation_texel *from = &t->texels[at];
  if (isnan(from->radius)) return 0;
  sum->radius += from->radius - (from->along_a * da + from->along_b * db) / t->scale;
  sum->along_a += from->along_a;
  sum->along_b += from->along_b;
  below->thickness_mm += t->below[at].thickness_mm;
  below->modulus_mpa += t->below[at].modulus_mpa;
  return 1;
}

static bool continue_texel(const foundation_table *t, uint32_t face, uint32_t row, uint32_t column,
                           foundation_texel *texel, foundation_below *below) {
  foundation_texel sum = {0, 0, 0};
  foundation_below under = {0, 0};
  int count = 0;
  for (int db = -1; db <= 1; ++db)
    for (int da = -1; da <= 1; ++da) {
      const int64_t r = (int64_t)row + db, c = (int64_t)column + da;
      if (r < 0 || c < 0 || r >= t->size || c >= t->size) continue;
      count += add_neighbour(t, ((size_t)face * t->size + (size_t)r) * t->size + (size_t)c, da, db, &sum, &under);
    }
  if (count == 0) return false;
  *texel = (foundation_texel){sum.radius / count, sum.along_a / count, sum.along_b / count};
  *below = (foundation_below){under.thickness_mm / count, under.modulus_mpa / count};
  return true;
}

/* Extrapolates by one ring: values are collected first, so that the order of texels does not matter. */
static size_t continue_ring(foundation_table *t, foundation_texel *texels, foundation_below *below, uint32_t *places) {
  size_t found = 0;
  for (size_t at = 0; at < texel_count(t); ++at) {
    if (!isnan(t->texels[at].radius)) continue;
    const uint32_t column = (uint32_t)(at % t->size), row = (uint32_t)(at / t->size % t->size);
    if (continue_texel(t, (uint32_t)(at / t->size / t->size), row, column, &texels[found], &below[found]))
      places[found++] = (uint32_t)at;
  }
  for (size_t i = 0; i < found; ++i) {
    t->texels[places[i]] = texels[i];
    t->below[places[i]] = below[i];
  }
  return found;
}

static syn_status continue_surface(const syn_context *context, foundation_table *t, syn_error *error) {
  syn_arena arena = {.context = context};
  foundation_texel *texels;
  foundation_below *below;
  uint32_t *places;
  const size_t count = texel_count(t);
  syn_status status = SYN_TAKE(&arena, &texels, count, error);
  if (status == SYN_OK) status = SYN_TAKE(&arena, &below, count, error);
  if (status == SYN_OK) status = SYN_TAKE(&arena, &places, count, error);
  for (int ring = 0; status == SYN_OK && ring < MARGIN; ++ring)
    if (continue_ring(t, texels, below, places) == 0) break;
  syn_arena_release(&arena);
  return status;
}

/* ---- the table ----------------------------------------------------------------------------------------------------
 */

static syn_status make(const syn_context *context, const foundation_side *side, bool outermost, foundation_table *t,
                       syn_error *error) {
  const size_t count = texel_count(t);
  SYN_TRY(SYN_NEW(context, &t->texels, count, error));
  SYN_TRY(SYN_NEW_ZEROED(context, &t->below, count, error));
  SYN_TRY(SYN_NEW_ZEROED(context, &t->covered, count, error));
  SYN_TRY(SYN_NEW(context, &t->triangle, count, error));
  for (size_t i = 0; i < count; ++i) {
    t->texels[i] = (foundation_texel){NAN, NAN, NAN};
    t->triangle[i] = SYN_NONE;
  }
  const drawing d = {side, t, outermost};
  for (int face = 0; face < CUBE; ++face)
    for (uint32_t triangle = 0; triangle < 2 * side->face_count; ++triangle) draw_triangle(&d, triangle, face);
  return continue_surface(context, t, error);
}

syn_status syn_foundation_table_create(const syn_context *context, const foundation_side *side, uint32_t resolution,
                                       bool outermost, foundation_table *table, syn_error *error) {
  *table = (foundation_table){
      .size = resolution + 1 + 2 * MARGIN, .scale = resolution / 2.0, .offset = resolution / 2.0 + MARGIN};
  const syn_status status = make(context, side, outermost, table, error);
  if (status != SYN_OK) syn_foundation_table_release(context, table);
  return status;
}

void syn_foundation_table_release(const syn_context *context, foundation_table *table) {
  syn_free(context, table->texels);
  syn_free(context, table->below);
  syn_free(context, table->covered);
  syn_free(context, table->triangle);
  *table = (foundation_table){0};
}

/* ---- looking up ---------------------------------------------------------------------------------------------------
 */

/* Four texels around a direction, and its position between them. */
typedef struct cell {
  size_t first; /* the others are 1, size, size + 1 later */
  double a, b;  /* 0 to 1 */
  int axis;
  double along, over_a, over_b; /* component along the axis, and the coordinates */
} cell;

static cell cell_of(const foundation_table *t, syn_vec3 p) {
  const double x = fabs(p.x), y = fabs(p.y), z = fabs(p.z);
  cell c;
  c.axis = x >= y ? (x >= z ? 0 : 2) : y >= z ? 1 : 2;
  const double parts[5] = {p.x, p.y, p.z, p.x, p.y};
  c.along = parts[c.axis];
  c.over_a = parts[c.axis + 1] / c.along;
  c.over_b = parts[c.axis + 2] / c.along;
  const double a = c.over_a * t->scale + t->offset, b = c.over_b * t->scale + t->offset;
  const uint32_t column = (uint32_t)a, row = (uint32_t)b;
  c.a = a - column;
  c.b = b - row;
  c.first = ((size_t)(c.along < 0 ? c.axis + 3 : c.axis) * t->size + row) * t->size + column;
  return c;
}

static double predicted(const foundation_texel *t, double a, double b) {
  return t->radius + 0.5 * (t->along_a * a + t->along_b * b);
}

double syn_foundation_radius(const foundation_table *t, syn_vec3 direction, syn_vec3 *gradient) {
  const cell c = cell_of(t, direction);
  const foundation_texel *low = &t->texels[c.first], *high = low + t->size;
  const double step = 1 / t->scale, a0 = c.a * step, a1 = a0 - step, b0 = c.b * step, b1 = b0 - step;
  const double w00 = (1 - c.a) * (1 - c.b), w10 = c.a * (1 - c.b), w01 = (1 - c.a) * c.b, w11 = c.a * c.b;
  const double da = w00 * low[0].along_a + w10 * low[1].along_a + w01 * high[0].along_a + w11 * high[1].along_a,
               db = w00 * low[0].along_b + w10 * low[1].along_b + w01 * high[0].along_b + w11 * high[1].along_b;
  const double over = 1 / c.along;
  const double g[3] = {-(da * c.over_a + db * c.over_b) * over, da * over, db * over};
  const int first = c.axis == 0 ? 0 : 3 - c.axis; /* which of them is along x */
  *gradient = vec3(g[first], g[(first + 1) % 3], g[(first + 2) % 3]);
  return w00 * predicted(&low[0], a0, b0) + w10 * predicted(&low[1], a1, b0) + w01 * predicted(&high[0], a0, b1) +
         w11 * predicted(&high[1], a1, b1);
}

bool syn_foundation_is_covered(const foundation_table *t, syn_vec3 direction) {
  const cell c = cell_of(t, direction);
  const uint8_t *low = &t->covered[c.first], *high = low + t->size;
  return (1 - c.b) * ((1 - c.a) * low[0] + c.a * low[1]) + c.b * ((1 - c.a) * high[0] + c.a * high[1]) >= 0.5;
}

/* Returns the nearest texel. */
static size_t nearest(const foundation_table *t, syn_vec3 direction) {
  const cell c = cell_of(t, direction);
  return c.first + (c.a > 0.5) + (c.b > 0.5 ? t->size : 0);
}

foundation_below syn_foundation_below_at(const foundation_table *t, syn_vec3 direction) {
  const cell c = cell_of(t, direction);
  const foundation_below *low = &t->below[c.first], *high = low + t->size;
  const double w[4] = {(1 - c.a) * (1 - c.b), c.a * (1 - c.b), (1 - c.a) * c.b, c.a * c.b};
  const foundation_below *at[4] = {&low[0], &low[1], &high[0], &high[1]};
  foundation_below mean = {0, 0};
  for (int i = 0; i < 4; ++i) {
    mean.thickness_mm += w[i] * at[i]->thickness_mm;
    mean.modulus_mpa += w[i] * at[i]->modulus_mpa;
  }
  return mean;
}

uint32_t syn_foundation_triangle_at(const foundation_table *t, syn_vec3 direction) {
  return t->triangle[nearest(t, direction)];
}
