/* Faces of cells of any shape, and which of them are the surface. */
#include <string.h>

#include "base/hash_table.h"
#include "collide/volume/volume.h"
#include "mesh/tet/tet_faces.h"

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
