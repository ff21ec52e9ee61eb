#include "geometry/tet_contact.h"

#include "base/vec.h"
#include "geometry/predicates.h"

syn_box syn_box_of_points(const syn_vec3 *points, int count) {
  syn_box box = {points[0], points[0]};
  for (int i = 1; i < count; ++i) box_add(&box, points[i]);
  return box;
}

void syn_tet_planes(const syn_vec3 tet[4], tet_planes *planes) {
  const int sign = syn_orient3d(tet[0], tet[1], tet[2], tet[3]);
  planes->solid = sign != 0;
  for (int f = 0; f < 4; ++f) {
    const uint8_t *c = syn_tet_face[f];
    planes->face[f][0] = tet[c[0]];
    planes->face[f][1] = tet[c[sign < 0 ? 2 : 1]];
    planes->face[f][2] = tet[c[sign < 0 ? 1 : 2]];
    planes->plane[f] = sided_plane_of(planes->face[f]);
  }
}

/* +1 outside, 0 on the plane, -1 inside. */
static int exact_side(const tet_planes *planes, int f, syn_vec3 point) {
  return syn_orient3d(planes->face[f][0], planes->face[f][1], planes->face[f][2], point);
}

/* Floating-point arithmetic decides nearly all outside points. Exact predicates come last: on a regular grid many
 * points lie in the planes of distant faces, where exact signs are expensive and decide nothing. */
static bool inside_planes(const tet_planes *planes, syn_vec3 point) {
  bool unsure[4];
  for (int f = 0; f < 4; ++f) {
    const int side = sided_plane_side(&planes->plane[f], point);
    if (side > 0) return false;
    unsure[f] = side == 0;
  }
  for (int f = 0; f < 4; ++f)
    if (unsure[f] && exact_side(planes, f, point) > 0) return false;
  return true;
}

bool syn_point_in_planes(const tet_planes *tet, syn_vec3 point) { return tet->solid && inside_planes(tet, point); }

bool syn_point_in_tet(syn_vec3 point, const syn_vec3 tet[4]) {
  tet_planes planes;
  syn_tet_planes(tet, &planes);
  return syn_point_in_planes(&planes, point);
}

/* Returns whether all points are strictly outside one of the faces. */
static bool beyond_some_face(const tet_planes *planes, const syn_vec3 *points, int count) {
  bool possible[4];
  for (int f = 0; f < 4; ++f) {
    int beyond = 0, within = 0;
    for (int i = 0; i < count; ++i) {
      const int side = sided_plane_side(&planes->plane[f], points[i]);
      beyond += side > 0;
      within += side < 0;
    }
    if (beyond == count) return true;
    possible[f] = within == 0;
  }
  for (int f = 0; f < 4; ++f) {
    int beyond = 0;
    while (possible[f] && beyond < count && exact_side(planes, f, points[beyond]) > 0) ++beyond;
    if (beyond == count) return true;
  }
  return false;
}

/* Returns true only if all points are certainly strictly on one side of the plane. */
static bool on_one_side(const sided_plane *plane, const syn_vec3 *points, int count) {
  const int side = sided_plane_side(plane, points[0]);
  for (int i = 1; i < count; ++i)
    if (sided_plane_side(plane, points[i]) != side) return false;
  return side != 0;
}

/* A triangle meets the surface of the tet, or lies inside with all its corners, or outside. Most nearby pairs are
 * separated along the triangle's normal, so that the planes of the faces are not needed. */
bool syn_triangle_meets_tet(const syn_vec3 triangle[3], const syn_vec3 tet[4]) {
  const sided_plane plane = sided_plane_of(triangle);
  if (on_one_side(&plane, tet, 4)) return false;
  tet_planes planes;
  syn_tet_planes(tet, &planes);
  if (planes.solid && beyond_some_face(&planes, triangle, 3)) return false;
  if (syn_point_in_planes(&planes, triangle[0])) return true;
  for (int f = 0; f < 4; ++f)
    if (triangles_meet_filtered(triangle, &plane, planes.face[f], &planes.plane[f])) return true;
  return false;
}

/* Two tetrahedra meet if a face of one intersects the other, or if one is inside the other, together with its faces. */
bool syn_tets_meet(const syn_vec3 a[4], const syn_vec3 b[4]) {
  tet_planes p, q;
  syn_tet_planes(a, &p);
  syn_tet_planes(b, &q);
  if ((p.solid && beyond_some_face(&p, b, 4)) || (q.solid && beyond_some_face(&q, a, 4))) return false;
  if (syn_point_in_planes(&p, b[0])) return true;
  for (int f = 0; f < 4; ++f)
    if (syn_triangle_meets_tet(p.face[f], b)) return true;
  return false;
}
