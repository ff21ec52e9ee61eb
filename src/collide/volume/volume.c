#include "collide/volume/volume.h"
#include "base/hash_table.h"
#include "mesh/tet/tet_topology.h"
#include "mesh/trimesh.h"

#include <string.h>

/* Faces of cells of any shape, and which of them are the surface. */
enum { MOST_FACES = 6 };

/* As the corners come in VTK; -1: a triangle has no fourth corner, or there is no such face. */
static const int8_t faces_of[][MOST_FACES][4] = {
    [SYN_CELL_IS_HEXAHEDRON] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}},
    [SYN_CELL_IS_WEDGE] = {{0, 1, 2, -1}, {3, 5, 4, -1}, {0, 3, 4, 1}, {1, 4, 5, 2}, {2, 5, 3, 0}, {-1, -1, -1, -1}},
    [SYN_CELL_IS_PYRAMID] =
        {{0, 3, 2, 1}, {0, 1, 4, -1}, {1, 2, 4, -1}, {2, 3, 4, -1}, {3, 0, 4, -1}, {-1, -1, -1, -1}},
    [VOLUME_TET] = {{1, 2, 3, -1}, {0, 3, 2, -1}, {0, 1, 3, -1}, {0, 2, 1, -1}, {-1, -1, -1, -1}, {-1, -1, -1, -1}},
};

bool syn_volume_face(const volume *v, uint32_t cell, uint32_t face, int8_t corners[4]) {
  memcpy(corners, faces_of[v->kinds ? v->kinds[cell] : VOLUME_TET][face], 4);
  return corners[0] >= 0;
}

/* A face by its vertices, ascending; those that coincide once, and SYN_NONE after the last. */
typedef struct face_key {
  uint32_t v[4], face;
} face_key;

static face_key key_of(const volume *v, uint32_t cell, uint32_t f, const int8_t corners[4]) {
  face_key key = {{SYN_NONE, SYN_NONE, SYN_NONE, SYN_NONE}, v->faces * cell + f};
  int count = 0;
  for (int c = 0; c < 4 && corners[c] >= 0; ++c) {
    const uint32_t node = v->cells[(size_t)cell * v->corners + (uint32_t)corners[c]];
    int at = count;
    while (at > 0 && key.v[at - 1] > node) --at;
    if (at > 0 && key.v[at - 1] == node) continue;
    for (int i = count; i > at; --i) key.v[i] = key.v[i - 1];
    key.v[at] = node;
    ++count;
  }
  return key;
}

static bool same_face(const void *keys, uint32_t i, const void *key) {
  return memcmp(((const face_key *)keys)[i].v, ((const face_key *)key)->v, sizeof((const face_key *)key)->v) == 0;
}

static void clear_face(const volume *v, uint8_t *faces, uint32_t face) {
  faces[face / v->faces] &= (uint8_t) ~(1u << face % v->faces);
}

static void join_faces(const volume *v, face_key *keys, hash_table *table, uint8_t *faces) {
  uint32_t count = 0;
  for (uint32_t cell = 0; cell < v->cell_count; ++cell) {
    faces[cell] = 0;
    for (uint32_t f = 0; f < v->faces; ++f) {
      int8_t corners[4];
      if (!syn_volume_face(v, cell, f, corners)) continue;
      const face_key key = keys[count] = key_of(v, cell, f, corners);
      if (key.v[2] == SYN_NONE) continue; /* it has no area */
      faces[cell] |= (uint8_t)(1u << f);
      uint64_t hash = 0;
      for (int i = 0; i < 4; ++i) hash = hash_add(hash, key.v[i]);
      const uint32_t first = hash_table_join(table, hash_finish(hash), count, same_face, keys, &key);
      if (first != count) {
        clear_face(v, faces, keys[first].face);
        clear_face(v, faces, key.face);
      }
      ++count;
    }
  }
}

syn_status syn_volume_surface(const volume *v, uint8_t *faces, syn_error *error) {
  if (!v->kinds) return syn_tet_surface_faces(v->context, v->mesh, faces, error);
  const size_t most = (size_t)v->cell_count * v->faces;
  if (most >= UINT32_MAX / 2)
    return syn_fail(error, SYN_TOO_LARGE, "%u cells have more faces than 32-bit indices count", v->cell_count);
  face_key *keys = NULL;
  hash_table table = {0};
  syn_status status = SYN_NEW(v->context, &keys, most, error);
  if (status == SYN_OK) status = hash_table_create(v->context, hash_table_bits(most), &table, error);
  if (status == SYN_OK) join_faces(v, keys, &table, faces);
  syn_free(v->context, keys);
  syn_free(v->context, table.slots);
  return status;
}

uint32_t syn_cell_vertices(const volume *body, uint32_t cell, uint32_t *vertices) {
  for (uint32_t c = 0; c < body->corners; ++c) vertices[c] = body->cells[(size_t)cell * body->corners + c];
  return body->corners;
}

uint32_t syn_face_vertices(const volume *body, uint32_t face, uint32_t vertices[4]) {
  const uint32_t cell = face / body->faces;
  int8_t corners[4];
  uint32_t count = 0;
  syn_volume_face(body, cell, face % body->faces, corners);
  for (; count < 4 && corners[count] >= 0; ++count)
    vertices[count] = body->cells[(size_t)cell * body->corners + (uint32_t)corners[count]];
  return count;
}

/* Calls `add` for every vertex of every cell, and of every face of the surface. */
static void visit_vertices(const volume *body, const uint8_t *surface,
                           void (*add)(vertex_lists *lists, uint32_t v, uint32_t i), volume_stars *stars) {
  uint32_t vertices[HULL_POINTS];
  for (uint32_t cell = 0; cell < body->cell_count; ++cell) {
    const uint32_t corners = syn_cell_vertices(body, cell, vertices);
    for (uint32_t c = 0; c < corners; ++c) add(&stars->cells, vertices[c], cell);
    for (uint32_t f = 0; f < body->faces; ++f) {
      if (!(surface[cell] >> f & 1)) continue;
      const uint32_t sides = syn_face_vertices(body, body->faces * cell + f, vertices);
      for (uint32_t c = 0; c < sides; ++c) add(&stars->faces, vertices[c], body->faces * cell + f);
    }
  }
}

static void count_item(vertex_lists *lists, uint32_t vertex, uint32_t item) {
  (void)item;
  ++lists->first[vertex + 1];
}

/* Fills each list from its end, so that `first` is right when all are full. */
static void put_item(vertex_lists *lists, uint32_t vertex, uint32_t item) {
  lists->items[--lists->first[vertex + 1]] = item;
}

/* After counting: first[v + 1] is the end of list v, and after filling its beginning; then all move up by one. */
static syn_status allocate_lists(const volume *body, vertex_lists *lists, syn_error *error) {
  const uint32_t vertices = body->mesh->vertex_count;
  for (uint32_t v = 0; v < vertices; ++v) lists->first[v + 1] += lists->first[v];
  return SYN_NEW(body->context, &lists->items, lists->first[vertices], error);
}

static void shift(uint32_t vertices, uint32_t end, vertex_lists *lists) {
  for (uint32_t v = 0; v < vertices; ++v) lists->first[v] = lists->first[v + 1];
  lists->first[vertices] = end;
}

static syn_status fill_stars(const volume *body, const uint8_t *surface, volume_stars *stars, syn_error *error) {
  const uint32_t vertices = body->mesh->vertex_count;
  visit_vertices(body, surface, count_item, stars);
  SYN_TRY(allocate_lists(body, &stars->cells, error));
  SYN_TRY(allocate_lists(body, &stars->faces, error));
  const uint32_t ends[2] = {stars->cells.first[vertices], stars->faces.first[vertices]};
  visit_vertices(body, surface, put_item, stars);
  shift(vertices, ends[0], &stars->cells);
  shift(vertices, ends[1], &stars->faces);
  return SYN_OK;
}

syn_status syn_volume_stars_create(const volume *body, volume_stars *stars, syn_error *error) {
  const size_t vertices = body->mesh->vertex_count;
  uint8_t *surface;
  if ((size_t)body->cell_count * HULL_POINTS >= SYN_NONE)
    return syn_fail(error, SYN_TOO_LARGE, "%u cells have more corners than 32-bit indices count", body->cell_count);
  SYN_TRY(SYN_NEW_ZEROED(body->context, &stars->cells.first, vertices + 1, error));
  SYN_TRY(SYN_NEW_ZEROED(body->context, &stars->faces.first, vertices + 1, error));
  SYN_TRY(SYN_NEW(body->context, &surface, body->cell_count, error));
  syn_status status = syn_volume_surface(body, surface, error);
  if (status == SYN_OK) status = fill_stars(body, surface, stars, error);
  syn_free(body->context, surface);
  return status;
}

void syn_volume_stars_release(const syn_context *context, volume_stars *stars) {
  syn_free(context, stars->cells.first);
  syn_free(context, stars->cells.items);
  syn_free(context, stars->faces.first);
  syn_free(context, stars->faces.items);
}

/* Tetrahedra that belong to no other solid are cells of their own. */
static void list_cells(volume *v) {
  const syn_tetmesh *mesh = v->mesh;
  uint32_t next = 0;
  for (uint32_t t = 0; t < mesh->tet_count; ++v->cell_count) {
    uint32_t *corners = v->own_cells + (size_t)v->cell_count * HULL_POINTS;
    const bool is_tet = next == mesh->cell_count || mesh->cells[next].first_tet != t;
    for (int c = 0; c < HULL_POINTS; ++c) corners[c] = is_tet ? mesh->tets[t].v[c < 4 ? c : 3] : mesh->cells[next].v[c];
    v->kinds[v->cell_count] = is_tet ? VOLUME_TET : (uint8_t)mesh->cells[next].kind;
    t += is_tet ? 1 : mesh->cells[next++].tet_count;
  }
}

static syn_status find_cells(volume *v, syn_error *error) {
  const syn_tetmesh *mesh = v->mesh;
  v->corners = v->faces = 4;
  v->cell_count = mesh->tet_count;
  v->cells = mesh->tets ? mesh->tets->v : NULL;
  if (mesh->cell_count == 0) return SYN_OK;
  SYN_TRY(SYN_NEW(v->context, &v->own_cells, (size_t)mesh->tet_count * HULL_POINTS, error));
  SYN_TRY(SYN_NEW(v->context, &v->kinds, mesh->tet_count, error));
  v->corners = HULL_POINTS;
  v->faces = 6;
  v->cell_count = 0;
  v->cells = v->own_cells;
  list_cells(v);
  return SYN_OK;
}

static void release_volume(volume *v) {
  syn_free(v->context, v->places);
  syn_free(v->context, v->own_cells);
  syn_free(v->context, v->kinds);
}

static syn_status create_volume(const syn_context *context, const syn_tetmesh *mesh, volume *made, syn_error *error) {
  *made = (volume){.context = context, .mesh = mesh};
  SYN_TRY(find_cells(made, error));
  SYN_TRY(SYN_NEW(context, &made->places, mesh->vertex_count, error));
  if (mesh->vertex_count > 0) memcpy(made->places, mesh->vertices, mesh->vertex_count * sizeof *made->places);
  return SYN_OK;
}

syn_status syn_volume_pair_create(const syn_context *context, const syn_body *fixed, const syn_body *mobile,
                                  volume_pair *pair, syn_error *error) {
  SYN_TRY(create_volume(context, mobile->volume, &pair->mobile, error));
  pair->self = fixed->volume == mobile->volume;
  if (!pair->self) return create_volume(context, fixed->volume, &pair->fixed, error);
  pair->fixed = pair->mobile;
  return SYN_OK;
}

void syn_volume_pair_release(volume_pair *pair) {
  if (!pair->self) release_volume(&pair->fixed);
  release_volume(&pair->mobile);
  *pair = (volume_pair){0};
}

static void move(volume *v, const syn_vec3 *places) {
  if (v->mesh->vertex_count > 0) memcpy(v->places, places, v->mesh->vertex_count * sizeof *places);
}

syn_status syn_volume_pair_update(volume_pair *pair, const syn_vec3 *fixed, const syn_vec3 *mobile, bool moved[2],
                                  syn_error *error) {
  if (pair->self) {
    if (!mobile) mobile = fixed;
    fixed = NULL;
  }
  if (fixed) SYN_TRY(syn_validate_points(fixed, pair->fixed.mesh->vertex_count, error));
  if (mobile) SYN_TRY(syn_validate_points(mobile, pair->mobile.mesh->vertex_count, error));
  if (fixed) move(&pair->fixed, fixed);
  if (mobile) move(&pair->mobile, mobile);
  moved[0] = fixed != NULL;
  moved[1] = mobile != NULL;
  return SYN_OK;
}
