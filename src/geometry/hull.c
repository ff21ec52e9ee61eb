#include "geometry/hull.h"

#include "base/vec.h"
#include "geometry/predicates.h"

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
