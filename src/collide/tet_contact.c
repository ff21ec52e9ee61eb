#include "collide/tet_contact.h"

#include "base/predicates.h"
#include "base/triangle_pair.h"
#include "base/vec.h"
#include "mesh/tet_faces.h"

syn_box syn_box_of_points(const syn_vec3 *points, int count) {
  syn_box box = {points[0], points[0]};
  for (int i = 1; i < count; ++i) box_add(&box, points[i]);
  return box;
}

static void face_corners(const syn_vec3 tet[4], int face, syn_vec3 corners[3]) {
  for (int c = 0; c < 3; ++c) corners[c] = tet[syn_tet_face[face][c]];
}

/* Which side of a face's plane: +1 outside, 0 on it, -1 inside; `sign` is that of the tet's volume and not 0. */
static int beyond_face(const syn_vec3 tet[4], int face, int sign, syn_vec3 point) {
  const uint8_t *c = syn_tet_face[face];
  return sign * syn_orient3d(tet[c[0]], tet[c[1]], tet[c[2]], point);
}

bool syn_point_in_tet(syn_vec3 point, const syn_vec3 tet[4]) {
  const int sign = syn_orient3d(tet[0], tet[1], tet[2], tet[3]);
  if (sign == 0) return false;
  for (int f = 0; f < 4; ++f)
    if (beyond_face(tet, f, sign, point) > 0) return false;
  return true;
}

/* Do `count` points lie strictly beyond one of the faces, all together? *inside: the first is in the tet. */
static bool beyond_some_face(const syn_vec3 *points, int count, const syn_vec3 tet[4], int sign, bool *inside) {
  *inside = true;
  for (int f = 0; f < 4; ++f) {
    int outside = 0;
    while (outside < count && beyond_face(tet, f, sign, points[outside]) > 0) ++outside;
    if (outside == count) return true;
    if (outside > 0) *inside = false;
  }
  return false;
}

/* A triangle meets the surface of the tet, or lies inside with all its corners, or outside. */
bool syn_triangle_meets_tet(const syn_vec3 triangle[3], const syn_vec3 tet[4]) {
  const int sign = syn_orient3d(tet[0], tet[1], tet[2], tet[3]);
  bool inside = false;
  if (sign != 0 && beyond_some_face(triangle, 3, tet, sign, &inside)) return false;
  if (inside) return true;
  /* all of the tet strictly on one side of the triangle? */
  const int side = syn_orient3d(triangle[0], triangle[1], triangle[2], tet[0]);
  if (side != 0) {
    int same = 1;
    while (same < 4 && syn_orient3d(triangle[0], triangle[1], triangle[2], tet[same]) == side) ++same;
    if (same == 4) return false;
  }
  for (int f = 0; f < 4; ++f) {
    syn_vec3 face[3];
    face_corners(tet, f, face);
    if (syn_triangles_meet(triangle, face)) return true;
  }
  return false;
}

/* A face of one meets the other, or one lies inside the other and so do its faces. */
bool syn_tets_meet(const syn_vec3 a[4], const syn_vec3 b[4]) {
  const int sign_a = syn_orient3d(a[0], a[1], a[2], a[3]), sign_b = syn_orient3d(b[0], b[1], b[2], b[3]);
  bool inside;
  if (sign_a != 0 && beyond_some_face(b, 4, a, sign_a, &inside)) return false;
  if (sign_b != 0 && beyond_some_face(a, 4, b, sign_b, &inside)) return false;
  if (syn_point_in_tet(b[0], a)) return true;
  for (int f = 0; f < 4; ++f) {
    syn_vec3 face[3];
    face_corners(a, f, face);
    if (syn_triangle_meets_tet(face, b)) return true;
  }
  return false;
}
