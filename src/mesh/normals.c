/* Computes unit normals of faces and vertices. Weighting a vertex's faces by their angles makes the result independent
 * of the triangulation of flat regions. */
#include <synovia/mesh.h>

#include "base/vec.h"
#include "geometry/triangle_pair.h"

/* Edges scaled to a largest coordinate of 1, so that neither tiny nor huge triangles leave the range of doubles. */
static syn_vec3 scaled(syn_vec3 a) {
  const double largest = max2(fabs(a.x), max2(fabs(a.y), fabs(a.z)));
  return largest > 0 ? vec3(a.x / largest, a.y / largest, a.z / largest) : a;
}

/* A cross product near its rounding error may belong to a triangle of exactly no area: only then it is worth asking. */
static syn_vec3 face_normal(const syn_vec3 p[3]) {
  const syn_vec3 u = scaled(vec3_sub(p[1], p[0])), v = scaled(vec3_sub(p[2], p[0])), n = vec3_cross(u, v);
  if (vec3_length2(n) < 1e-20 && syn_triangle_is_flat(p)) return vec3(0, 0, 0);
  return vec3_unit(n);
}

static void corners(const syn_trimesh *mesh, uint32_t t, syn_vec3 p[3]) {
  for (int c = 0; c < 3; ++c) p[c] = mesh->vertices[mesh->triangles[t].v[c]];
}

void syn_trimesh_face_normals(const syn_trimesh *mesh, syn_vec3 *normals) {
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    syn_vec3 p[3];
    corners(mesh, t, p);
    normals[t] = face_normal(p);
  }
}

void syn_trimesh_vertex_normals(const syn_trimesh *mesh, syn_vec3 *normals) {
  for (uint32_t i = 0; i < mesh->vertex_count; ++i) normals[i] = vec3(0, 0, 0);
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    syn_vec3 p[3];
    corners(mesh, t, p);
    const syn_vec3 normal = face_normal(p);
    for (int c = 0; c < 3; ++c) {
      const syn_vec3 u = scaled(vec3_sub(p[(c + 1) % 3], p[c])), v = scaled(vec3_sub(p[(c + 2) % 3], p[c]));
      const double angle = atan2(vec3_length(vec3_cross(u, v)), vec3_dot(u, v));
      syn_vec3 *sum = &normals[mesh->triangles[t].v[c]];
      *sum = vec3_madd(*sum, angle, normal);
    }
  }
  for (uint32_t i = 0; i < mesh->vertex_count; ++i) normals[i] = vec3_unit(normals[i]);
}
