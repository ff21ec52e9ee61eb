#include "mesh/io/cells.h"
#include "base/memory.h"
#include "base/vec.h"
#include "mesh/io/format.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

syn_status syn_id_map_add(syn_id_map *map, uint64_t id, uint32_t index, syn_error *error) {
  SYN_TRY(SYN_RESERVE(map->context, &map->entries, map->count, 1, &map->capacity, error));
  map->entries[map->count++] = (syn_id_entry){id, index};
  return SYN_OK;
}

static bool is_sorted(const syn_id_map *map) {
  for (size_t i = 1; i < map->count; ++i)
    if (map->entries[i - 1].id > map->entries[i].id) return false;
  return true;
}

static void merge(const syn_id_entry *from, size_t begin, size_t middle, size_t end, syn_id_entry *to) {
  for (size_t a = begin, b = middle, out = begin; out < end; ++out)
    to[out] = a < middle && (b >= end || from[a].id <= from[b].id) ? from[a++] : from[b++];
}

/* Bottom-up merge sort: n log n for any input, memory from the context. */
static syn_status sort(syn_id_map *map, syn_error *error) {
  syn_id_entry *scratch;
  SYN_TRY(SYN_NEW(map->context, &scratch, map->count, error));
  map->capacity = map->count; /* the two blocks may change places */
  for (size_t width = 1; width < map->count; width *= 2) {
    for (size_t begin = 0; begin < map->count; begin += 2 * width) {
      const size_t middle = begin + width < map->count ? begin + width : map->count;
      const size_t end = middle + width < map->count ? middle + width : map->count;
      merge(map->entries, begin, middle, end, scratch);
    }
    syn_id_entry *merged = scratch;
    scratch = map->entries;
    map->entries = merged;
  }
  syn_free(map->context, scratch);
  return SYN_OK;
}

syn_status syn_id_map_finish(syn_id_map *map, const char *file, const char *what, syn_error *error) {
  if (!is_sorted(map)) SYN_TRY(sort(map, error));
  for (size_t i = 1; i < map->count; ++i)
    if (map->entries[i - 1].id == map->entries[i].id)
      return syn_fail_at(error, SYN_BAD_FORMAT, file, 0, -1, "%s %llu is defined twice", what,
                         (unsigned long long)map->entries[i].id);
  return SYN_OK;
}

uint32_t syn_id_map_find(const syn_id_map *map, uint64_t id) {
  if (map->count == 0 || id < map->entries[0].id) return SYN_NONE;
  const uint64_t guess = id - map->entries[0].id; /* right at once where the numbers have no gaps */
  if (guess < map->count && map->entries[guess].id == id) return map->entries[guess].index;
  size_t low = 0, high = map->count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (map->entries[middle].id < id)
      low = middle + 1;
    else
      high = middle;
  }
  return low < map->count && map->entries[low].id == id ? map->entries[low].index : SYN_NONE;
}

void syn_id_map_release(syn_id_map *map) {
  syn_free(map->context, map->entries);
  *map = (syn_id_map){.context = map->context};
}

/* From the cell's corner of lowest number, tetrahedra reach to all faces that do not touch it. The faces that do are
 * divided from that corner by this alone. */
enum { FACES = 6, CORNERS = 4 };

typedef struct division {
  int corner_count, face_count;
  signed char faces[FACES][CORNERS]; /* -1: a triangle has no fourth corner */
} division;

static const division divisions[] = {
    [SYN_DIVIDED_HEXAHEDRON] = {8,
                                6,
                                {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}}},
    [SYN_DIVIDED_VOXEL] = {8, 6, {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {1, 3, 7, 5}, {3, 2, 6, 7}, {2, 0, 4, 6}}},
    [SYN_DIVIDED_WEDGE] = {6, 5, {{0, 1, 2, -1}, {3, 5, 4, -1}, {0, 3, 4, 1}, {1, 4, 5, 2}, {2, 5, 3, 0}}},
    [SYN_DIVIDED_PYRAMID] = {5, 5, {{0, 3, 2, 1}, {0, 1, 4, -1}, {1, 2, 4, -1}, {2, 3, 4, -1}, {3, 0, 4, -1}}},
};

/* The corners of a face by their numbers, those that fall together once; returns how many there are. */
static int face_corners(const signed char face[CORNERS], const uint32_t *nodes, uint32_t corners[CORNERS]) {
  int count = 0;
  for (int i = 0; i < CORNERS && face[i] >= 0; ++i) {
    const uint32_t node = nodes[(int)face[i]];
    bool again = false;
    for (int j = 0; j < count; ++j) again |= corners[j] == node;
    if (!again) corners[count++] = node;
  }
  return count;
}

static double volume_of(const syn_vec3 *p, const syn_tet *t) {
  const syn_vec3 a = p[t->v[0]];
  return vec3_dot(vec3_cross(vec3_sub(p[t->v[1]], a), vec3_sub(p[t->v[2]], a)), vec3_sub(p[t->v[3]], a));
}

/* Tetrahedra from `apex` to the triangles of a face, which begin at its lowest corner. */
static size_t reach_face(uint32_t apex, const uint32_t *corners, int count, syn_tet *tets) {
  int lowest = 0;
  for (int i = 0; i < count; ++i) {
    if (corners[i] == apex) return 0;
    if (corners[i] < corners[lowest]) lowest = i;
  }
  size_t made = 0;
  for (int i = 1; i + 1 < count; ++i)
    tets[made++] = (syn_tet){{corners[lowest], corners[(lowest + i) % count], corners[(lowest + i + 1) % count], apex}};
  return made;
}

size_t syn_divide_cell(syn_divided shape, const syn_vec3 *points, const uint32_t *nodes,
                       syn_tet tets[SYN_DIVISION_MOST]) {
  const division *d = &divisions[shape];
  uint32_t apex = nodes[0];
  for (int i = 1; i < d->corner_count; ++i)
    if (nodes[i] < apex) apex = nodes[i];
  size_t count = 0;
  double volume = 0;
  for (int f = 0; f < d->face_count; ++f) {
    uint32_t corners[CORNERS];
    const int corner_count = face_corners(d->faces[f], nodes, corners);
    count += reach_face(apex, corners, corner_count, tets + count);
  }
  /* Formats do not agree on which way a cell is turned. */
  for (size_t i = 0; i < count; ++i) volume += volume_of(points, &tets[i]);
  for (size_t i = 0; i < count && volume < 0; ++i) {
    const uint32_t swap = tets[i].v[0];
    tets[i].v[0] = tets[i].v[1];
    tets[i].v[1] = swap;
  }
  return count;
}

/* What each shape is called in messages, how many nodes it has (0: any number) and what becomes of it. */
typedef struct shape_info {
  const char *plural;
  unsigned nodes;
  enum {
    LEFT_OUT,
    FACE,
    STRIP,
    PIXEL,
    SOLID,
    HEXAHEDRON,
    VOXEL,
    WEDGE,
    PYRAMID
  } kind;           /* from HEXAHEDRON on: divided */
  unsigned corners; /* nodes that are used, the first ones; 0: all */
} shape_info;

static const shape_info shapes[] = {
    [SYN_CELL_EMPTY] = {"empty cells", 0, LEFT_OUT, 0},
    [SYN_CELL_VERTEX] = {"points", 0, LEFT_OUT, 0},
    [SYN_CELL_POLY_VERTEX] = {"groups of points", 0, LEFT_OUT, 0},
    [SYN_CELL_LINE] = {"lines", 0, LEFT_OUT, 0},
    [SYN_CELL_POLY_LINE] = {"polylines", 0, LEFT_OUT, 0},
    [SYN_CELL_TRIANGLE] = {"triangles", 3, FACE, 0},
    [SYN_CELL_STRIP] = {"triangle strips", 0, STRIP, 0},
    [SYN_CELL_POLYGON] = {"polygons", 0, FACE, 0},
    [SYN_CELL_PIXEL] = {"pixels", 4, PIXEL, 0},
    [SYN_CELL_QUAD] = {"quadrilaterals", 4, FACE, 0},
    [SYN_CELL_TET] = {"tetrahedra", 4, SOLID, 0},
    [SYN_CELL_VOXEL] = {"voxels", 8, VOXEL, 0},
    [SYN_CELL_HEXAHEDRON] = {"hexahedra", 8, HEXAHEDRON, 0},
    [SYN_CELL_WEDGE] = {"wedges", 6, WEDGE, 0},
    [SYN_CELL_PYRAMID] = {"pyramids", 5, PYRAMID, 0},
    [SYN_CELL_QUADRATIC_LINE] = {"quadratic lines", 0, LEFT_OUT, 0},
    [SYN_CELL_QUADRATIC_TRIANGLE] = {"quadratic triangles", 6, FACE, 3},
    [SYN_CELL_QUADRATIC_QUAD] = {"quadratic quadrilaterals", 8, FACE, 4},
    [SYN_CELL_QUADRATIC_TET] = {"quadratic tetrahedra", 10, SOLID, 4},
    [SYN_CELL_QUADRATIC_HEXAHEDRON] = {"quadratic hexahedra", 20, HEXAHEDRON, 8},
    [SYN_CELL_QUADRATIC_WEDGE] = {"quadratic wedges", 15, WEDGE, 6},
    [SYN_CELL_QUADRATIC_PYRAMID] = {"quadratic pyramids", 13, PYRAMID, 5},
    [SYN_CELL_BIQUADRATIC_QUAD] = {"biquadratic quadrilaterals", 9, FACE, 4},
    [SYN_CELL_BIQUADRATIC_TRIANGLE] = {"biquadratic triangles", 7, FACE, 3},
    [SYN_CELL_POLYHEDRON] = {"polyhedra", 0, LEFT_OUT, 0},
};

static shape_info info_of(unsigned shape) {
  return shape < sizeof shapes / sizeof *shapes ? shapes[shape] : (shape_info){NULL, 0, LEFT_OUT, 0};
}

void syn_cells_begin(syn_cells *cells, syn_builder *builder, const char *file) {
  assert(builder->triangle_count == 0 && builder->tet_count == 0);
  *cells = (syn_cells){.builder = builder, .file = file};
}

static syn_status check_nodes(const syn_cells *cells, shape_info info, const uint32_t *nodes, size_t count,
                              syn_error *error) {
  if (info.nodes && count != info.nodes)
    return syn_fail_at(error, SYN_BAD_FORMAT, cells->file, cells->line, -1, "cell %zu has %zu nodes where %s have %u",
                       cells->count, count, info.plural, info.nodes);
  for (size_t i = 0; i < count; ++i)
    if (nodes[i] >= cells->builder->point_count)
      return syn_fail_at(error, SYN_BAD_FORMAT, cells->file, cells->line, -1,
                         "cell %zu uses point %u, but there are only %zu points", cells->count, nodes[i],
                         cells->builder->point_count);
  return SYN_OK;
}

/* Every second triangle of a strip is wound the other way; swapping its first two corners turns it back. */
static syn_status add_strip(syn_builder *b, const uint32_t *nodes, size_t count, syn_error *error) {
  for (size_t i = 0; i + 2 < count; ++i) {
    const size_t odd = i & 1;
    SYN_TRY(syn_builder_triangle(b, nodes[i + odd], nodes[i + 1 - odd], nodes[i + 2], error));
  }
  return SYN_OK;
}

/* As it was given, for methods that take solids of any convex shape. */
static syn_status add_cell(syn_builder *b, shape_info info, const uint32_t *nodes, size_t first, size_t count,
                           syn_error *error) {
  static const uint8_t corners[] = {[HEXAHEDRON] = 8, [VOXEL] = 8, [WEDGE] = 6, [PYRAMID] = 5};
  static const uint8_t kinds[] = {[HEXAHEDRON] = SYN_CELL_IS_HEXAHEDRON,
                                  [VOXEL] = SYN_CELL_IS_HEXAHEDRON,
                                  [WEDGE] = SYN_CELL_IS_WEDGE,
                                  [PYRAMID] = SYN_CELL_IS_PYRAMID};
  static const uint8_t around[] = {0, 1, 3, 2, 4, 5, 7, 6}; /* corners of a voxel come row by row */
  syn_cell cell = {(syn_cell_kind)kinds[info.kind], (uint32_t)first, (uint32_t)count, {0}};
  for (uint32_t i = 0; i < 8; ++i) {
    const uint32_t c = i < corners[info.kind] ? i : corners[info.kind] - 1u;
    cell.v[i] = nodes[info.kind == VOXEL ? around[c] : c];
  }
  return syn_builder_cell(b, &cell, error);
}

static syn_status add_divided(syn_builder *b, shape_info info, const uint32_t *nodes, syn_error *error) {
  syn_tet tets[SYN_DIVISION_MOST];
  const syn_divided shape = (syn_divided)(SYN_DIVIDED_HEXAHEDRON + (int)info.kind - HEXAHEDRON);
  const size_t count = syn_divide_cell(shape, b->points, nodes, tets);
  const size_t first = b->tet_count;
  for (size_t i = 0; i < count; ++i)
    SYN_TRY(syn_builder_tet(b, tets[i].v[0], tets[i].v[1], tets[i].v[2], tets[i].v[3], error));
  return count == 0 || first + count > UINT32_MAX ? SYN_OK : add_cell(b, info, nodes, first, count, error);
}

static syn_status add_shape(syn_cells *cells, shape_info info, const uint32_t *nodes, size_t count, syn_error *error) {
  syn_builder *b = cells->builder;
  const size_t corners = info.corners ? info.corners : count;
  if (info.kind == SOLID) return syn_builder_tet(b, nodes[0], nodes[1], nodes[2], nodes[3], error);
  if (info.kind >= HEXAHEDRON) return add_divided(b, info, nodes, error);
  if (info.kind == PIXEL)
    return syn_builder_polygon(b, (const uint32_t[]){nodes[0], nodes[1], nodes[3], nodes[2]}, 4, error);
  if (corners < 3) {
    ++cells->degenerate;
    return SYN_OK;
  }
  if (info.kind == STRIP) return add_strip(b, nodes, count, error);
  if (corners == 3) return syn_builder_triangle(b, nodes[0], nodes[1], nodes[2], error);
  return syn_builder_polygon(b, nodes, corners, error);
}

/* Whatever the builder has gained belongs to the present cell. */
static syn_status note_origin(const syn_context *context, uint32_t **origin, size_t *capacity, size_t from, size_t to,
                              uint32_t cell, syn_error *error) {
  SYN_TRY(SYN_RESERVE(context, origin, from, to - from, capacity, error));
  for (size_t i = from; i < to; ++i) (*origin)[i] = cell;
  return SYN_OK;
}

syn_status syn_cells_add(syn_cells *cells, unsigned shape, const uint32_t *nodes, size_t count, syn_error *error) {
  assert(shape < SYN_CELL_SHAPES);
  syn_builder *b = cells->builder;
  const shape_info info = info_of(shape);
  if (cells->count >= UINT32_MAX)
    return syn_fail_at(error, SYN_TOO_LARGE, cells->file, cells->line, -1, "there are more than 2^32 - 1 cells");
  SYN_TRY(check_nodes(cells, info, nodes, count, error));
  const size_t triangles = b->triangle_count, tets = b->tet_count;
  if (info.kind != LEFT_OUT) SYN_TRY(add_shape(cells, info, nodes, count, error));
  SYN_TRY(note_origin(b->context, &cells->triangle_cell, &cells->triangle_capacity, triangles, b->triangle_count,
                      (uint32_t)cells->count, error));
  SYN_TRY(note_origin(b->context, &cells->tet_cell, &cells->tet_capacity, tets, b->tet_count, (uint32_t)cells->count,
                      error));
  ++cells->seen[shape];
  ++cells->count;
  return SYN_OK;
}

static bool says_nothing(const uint32_t *origin, size_t count, uint32_t components, const double *values) {
  for (size_t i = 0; i < count; ++i)
    for (uint32_t c = 0; c < components; ++c)
      if (!isnan(values[(size_t)origin[i] * components + c])) return false;
  return true;
}

static syn_status expand(const syn_cells *cells, syn_field_on on, const uint32_t *origin, size_t count,
                         const char *name, size_t name_length, uint32_t components, const double *values,
                         syn_error *error) {
  if (count == 0) return SYN_OK;
  double *expanded;
  SYN_TRY(syn_builder_field(cells->builder, name, name_length, on, components, count, &expanded, error));
  for (size_t i = 0; i < count; ++i)
    memcpy(expanded + i * components, values + (size_t)origin[i] * components, components * sizeof *values);
  return SYN_OK;
}

syn_status syn_cells_field(const syn_cells *cells, const char *name, size_t name_length, uint32_t components,
                           const double *values, syn_error *error) {
  const size_t triangles = cells->builder->triangle_count, tets = cells->builder->tet_count;
  const bool both = triangles && tets;
  if (!both || !says_nothing(cells->triangle_cell, triangles, components, values))
    SYN_TRY(
        expand(cells, SYN_ON_TRIANGLES, cells->triangle_cell, triangles, name, name_length, components, values, error));
  if (!both || !says_nothing(cells->tet_cell, tets, components, values))
    SYN_TRY(expand(cells, SYN_ON_TETS, cells->tet_cell, tets, name, name_length, components, values, error));
  return SYN_OK;
}

/* Appends "12 lines, 3 cells of type 42" to `list`, which stays terminated and keeps its beginning when it overflows.
 */
static void add_to_list(char *list, size_t size, size_t count, const char *plural, unsigned shape) {
  const size_t used = strlen(list);
  const char *separator = used ? ", " : "";
  if (plural)
    snprintf(list + used, size - used, "%s%zu %s", separator, count, plural);
  else
    snprintf(list + used, size - used, "%s%zu cells of type %u", separator, count, shape);
}

void syn_cells_warn(const syn_cells *cells) {
  char left_out[300] = "", simplified[300] = "", divided[300] = "";
  for (unsigned shape = 0; shape < SYN_CELL_SHAPES; ++shape) {
    const shape_info info = info_of(shape);
    if (cells->seen[shape] == 0) continue;
    if (info.kind == LEFT_OUT) add_to_list(left_out, sizeof left_out, cells->seen[shape], info.plural, shape);
    if (info.kind >= HEXAHEDRON) add_to_list(divided, sizeof divided, cells->seen[shape], info.plural, shape);
    if (info.corners) add_to_list(simplified, sizeof simplified, cells->seen[shape], info.plural, shape);
  }
  if (cells->degenerate)
    add_to_list(left_out, sizeof left_out, cells->degenerate, "polygons with fewer than three corners", 0);
  if (left_out[0])
    syn_warn(cells->builder->context, "%s: left out, being neither surfaces nor tetrahedra: %s", cells->file, left_out);
  if (divided[0]) syn_warn(cells->builder->context, "%s: divided into tetrahedra: %s", cells->file, divided);
  if (simplified[0])
    syn_warn(cells->builder->context,
             "%s: only the corner nodes of these are used, their middle nodes stay as points without cells: %s",
             cells->file, simplified);
}

void syn_cells_release(syn_cells *cells) {
  syn_free(cells->builder->context, cells->triangle_cell);
  syn_free(cells->builder->context, cells->tet_cell);
  cells->triangle_cell = cells->tet_cell = NULL;
}
