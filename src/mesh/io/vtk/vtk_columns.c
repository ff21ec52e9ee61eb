#include "mesh/io/vtk/vtk_columns.h"

#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "mesh/io/cells.h"

static double point_value(const syn_vtk_column *c, size_t i) {
  return vec3_at(c->geometry->points[i / 3], (int)(i % 3));
}

static double node_value(const syn_vtk_column *c, size_t i) {
  const syn_geometry *g = c->geometry;
  const size_t tet_start = 3 * g->triangle_count;
  return i < tet_start ? g->triangles[i / 3].v[i % 3] : g->tets[(i - tet_start) / 4].v[(i - tet_start) % 4];
}

static double end_value(const syn_vtk_column *c, size_t i) {
  const size_t triangles = c->geometry->triangle_count;
  return (double)(i < triangles ? 3 * (i + 1) : 3 * triangles + 4 * (i + 1 - triangles));
}

static double type_value(const syn_vtk_column *c, size_t i) {
  return i < c->geometry->triangle_count ? SYN_CELL_TRIANGLE : SYN_CELL_TET;
}

static double row_value(const syn_vtk_column *c, size_t i) {
  const syn_geometry *g = c->geometry;
  const size_t tet_start = 4 * g->triangle_count;
  if (i < tet_start) return i % 4 ? g->triangles[i / 4].v[i % 4 - 1] : 3;
  i -= tet_start;
  return i % 5 ? g->tets[i / 5].v[i % 5 - 1] : 4;
}

static double point_field_value(const syn_vtk_column *c, size_t i) { return c->on_points->values[i]; }

static double cell_field_value(const syn_vtk_column *c, size_t i) {
  const size_t tet_start = c->components * c->geometry->triangle_count;
  if (i < tet_start) return c->on_triangles ? c->on_triangles->values[i] : (double)NAN;
  return c->on_tets ? c->on_tets->values[i - tet_start] : (double)NAN;
}

static size_t count_cells(const syn_geometry *g, bool tets) { return g->triangle_count + (tets ? g->tet_count : 0); }

syn_vtk_column syn_vtk_points(const syn_geometry *g, bool single) {
  return (syn_vtk_column){.name = "Points",
                          .type = single ? SYN_FLOAT32 : SYN_FLOAT64,
                          .components = 3,
                          .tuples = g->point_count,
                          .value = point_value,
                          .geometry = g};
}

syn_vtk_column syn_vtk_connectivity(const syn_geometry *g, bool tets) {
  const size_t count = 3 * g->triangle_count + (tets ? 4 * g->tet_count : 0);
  return (syn_vtk_column){
      .name = "connectivity", .type = SYN_INT64, .components = 1, .tuples = count, .value = node_value, .geometry = g};
}

syn_vtk_column syn_vtk_offsets(const syn_geometry *g, bool tets) {
  return (syn_vtk_column){.name = "offsets",
                          .type = SYN_INT64,
                          .components = 1,
                          .tuples = count_cells(g, tets),
                          .value = end_value,
                          .geometry = g};
}

syn_vtk_column syn_vtk_types(const syn_geometry *g) {
  return (syn_vtk_column){.name = "types",
                          .type = SYN_UINT8,
                          .components = 1,
                          .tuples = count_cells(g, true),
                          .value = type_value,
                          .geometry = g};
}

syn_vtk_column syn_vtk_rows(const syn_geometry *g, bool tets) {
  const size_t count = 4 * g->triangle_count + (tets ? 5 * g->tet_count : 0);
  return (syn_vtk_column){
      .name = "rows", .type = SYN_INT32, .components = 1, .tuples = count, .value = row_value, .geometry = g};
}

static const syn_field *find_partner(const syn_geometry *g, const syn_field *field, syn_field_on on) {
  for (size_t i = 0; i < g->field_count; ++i) {
    const syn_field *f = &g->fields[i];
    if (f->on == on && f->components == field->components && strcmp(f->name, field->name) == 0) return f;
  }
  return NULL;
}

bool syn_vtk_next_field(const syn_geometry *g, bool on_cells, bool tets, bool single, size_t *cursor,
                        syn_vtk_column *column) {
  for (; *cursor < g->field_count; ++*cursor) {
    const syn_field *f = &g->fields[*cursor];
    *column = (syn_vtk_column){.name = f->name,
                               .type = single ? SYN_FLOAT32 : SYN_FLOAT64,
                               .components = f->components,
                               .tuples = on_cells ? count_cells(g, tets) : g->point_count,
                               .value = on_cells ? cell_field_value : point_field_value,
                               .geometry = g};
    if (f->on == SYN_ON_POINTS)
      column->on_points = on_cells ? NULL : f;
    else if (f->on == SYN_ON_TRIANGLES && on_cells)
      column->on_triangles = f, column->on_tets = tets ? find_partner(g, f, SYN_ON_TETS) : NULL;
    else if (f->on == SYN_ON_TETS && on_cells && tets && !find_partner(g, f, SYN_ON_TRIANGLES))
      column->on_tets = f;
    if (!column->on_points && !column->on_triangles && !column->on_tets) continue;
    ++*cursor;
    return true;
  }
  return false;
}

size_t syn_vtk_column_values(const syn_vtk_column *column) { return column->components * column->tuples; }

void syn_vtk_column_encode(const syn_vtk_column *column, size_t begin, size_t end, bool big_endian, void *bytes) {
  double values[256];
  unsigned char *at = bytes;
  for (size_t i = begin; i < end;) {
    const size_t part = end - i < 256 ? end - i : 256;
    for (size_t k = 0; k < part; ++k) values[k] = column->value(column, i + k);
    syn_numbers_encode(column->type, big_endian, values, part, at);
    at += part * syn_number_size(column->type);
    i += part;
  }
}

/* Indices make up most of a file, and need not go through the printing of decimals. */
static void print_whole(uint64_t value, FILE *stream) {
  char digits[20];
  size_t at = sizeof digits;
  do {
    digits[--at] = (char)('0' + value % 10);
    value /= 10;
  } while (value);
  fwrite(digits + at, 1, sizeof digits - at, stream);
}

/* A float is written as the double of its value: nine digits would suffice, but a reader would then see another
 * double. */
static void print_decimal(double value, bool single, FILE *stream) {
  char room[32];
  fputs(syn_format_double(single ? (double)(float)value : value, room), stream);
}

size_t syn_vtk_column_print(const syn_vtk_column *column, FILE *stream) {
  const bool single = column->type == SYN_FLOAT32, decimal = single || column->type == SYN_FLOAT64;
  const size_t count = syn_vtk_column_values(column);
  size_t not_finite = 0;
  for (size_t i = 0; i < count; ++i) {
    const double value = column->value(column, i);
    not_finite += !isfinite(value);
    if (decimal)
      print_decimal(value, single, stream);
    else
      print_whole((uint64_t)value, stream);
    fputc((i + 1) % 9 == 0 || i + 1 == count ? '\n' : ' ', stream);
  }
  return not_finite;
}
