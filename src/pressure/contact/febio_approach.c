/* Computes the displacement of the mobile body along its force until the surfaces touch: a program that starts from
 * a free body under a force, without contact, has a singular system. */
#include <math.h>

#include "pressure/contact/problem_files.h"

/* Signed distance along `along` from a point to a triangle; NAN beside it. */
static double distance_along(syn_vec3 point, syn_vec3 along, const syn_vec3 corners[3]) {
  const syn_vec3 ab = vec3_sub(corners[1], corners[0]), ac = vec3_sub(corners[2], corners[0]),
                 from = vec3_sub(point, corners[0]), across = vec3_cross(along, ac);
  const double det = vec3_dot(ab, across);
  if (!(fabs(det) > 1e-12 * vec3_length(ab) * vec3_length(ac))) return NAN;
  const double u = vec3_dot(from, across) / det;
  const syn_vec3 q = vec3_cross(from, ab);
  const double v = vec3_dot(along, q) / det;
  return u >= 0 && v >= 0 && u + v <= 1 ? vec3_dot(ac, q) / det : (double)NAN;
}

/* Returns the smallest distance along `along` from the vertices of one surface to the faces of the other, within
 * `reach`; faces whose normal has the same direction are back faces and are skipped. */
static double least_distance(const syn_contact_problem *c, const syn_pose *pose, int from, syn_vec3 along,
                             double reach) {
  const contact_side *points = &c->bodies.sides[from], *faces = &c->bodies.sides[1 - from];
  double least = INFINITY;
  for (uint32_t f = 0; f < faces->face_count; ++f) {
    const contact_face *face = &faces->faces[f];
    const int corners = syn_contact_shapes[face->kind].corner_count;
    for (int half = 0; half + 2 < corners; ++half) {
      const syn_vec3 t[3] = {exchange_place(c, pose, face->node[0]), exchange_place(c, pose, face->node[half + 1]),
                             exchange_place(c, pose, face->node[half + 2])};
      if (vec3_dot(vec3_cross(vec3_sub(t[1], t[0]), vec3_sub(t[2], t[0])), along) >= 0) continue;
      for (uint32_t g = 0; g < points->face_count; ++g)
        for (int k = 0; k < syn_contact_shapes[points->faces[g].kind].corner_count; ++k) {
          const double d = distance_along(exchange_place(c, pose, points->faces[g].node[k]), along, t);
          if (fabs(d) <= reach && d < least) least = d;
        }
    }
  }
  return least;
}

double syn_exchange_approach(const syn_contact_problem *c, const syn_contact_load *load) {
  syn_vec3 free = load->force;
  if (load->driven & 1) free.x = 0;
  if (load->driven & 2) free.y = 0;
  if (load->driven & 4) free.z = 0;
  if (!(vec3_length(free) > 0)) return 0;
  const syn_vec3 along = vec3_unit(free);
  const double reach = c->contact.reach_mm, there = least_distance(c, &load->pose, 1, along, reach),
               back = least_distance(c, &load->pose, 0, vec3_neg(along), reach);
  const double least = there < back ? there : back;
  return isfinite(least) && least > 0 ? least : 0;
}
