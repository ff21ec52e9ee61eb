/* From the cell's corner of lowest number, tetrahedra reach to all faces that do not touch it. The faces that do are
 * divided from that corner by this alone. */
#include "mesh/io/cell_division.h"

#include "base/vec.h"

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
