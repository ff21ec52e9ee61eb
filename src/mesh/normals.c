/* Unit normals of faces and vertices. */
#include <synovia/mesh.h>

#include "base/vec.h"

static syn_vec3 face_normal(const syn_trimesh *mesh, const uint32_t *v) {
  const syn_vec3 a = mesh->vertices[v[0]];
  return vec3_unit(vec3_cross(vec3_sub(mesh->vertices[v[1]], a), vec3_sub(mesh->vertices[v[2]], a)));
}

void syn_trimesh_face_normals(const syn_trimesh *mesh, syn_vec3 *normals) {
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) normals[t] = face_normal(mesh, mesh->triangles[t].v);
}

/* The angle between two directions, exact also where they are nearly parallel. */
static double angle_between(syn_vec3 a, syn_vec3 b) { return atan2(vec3_length(vec3_cross(a, b)), vec3_dot(a, b)); }

/* Weighing by angle makes the result independent of how flat regions are cut into triangles. */
void syn_trimesh_vertex_normals(const syn_trimesh *mesh, syn_vec3 *normals) {
  for (uint32_t i = 0; i < mesh->vertex_count; ++i) normals[i] = vec3(0, 0, 0);
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    const uint32_t *v = mesh->triangles[t].v;
    const syn_vec3 normal = face_normal(mesh, v);
    for (int c = 0; c < 3; ++c) {
      const syn_vec3 at = mesh->vertices[v[c]];
      const double angle =
          angle_between(vec3_sub(mesh->vertices[v[(c + 1) % 3]], at), vec3_sub(mesh->vertices[v[(c + 2) % 3]], at));
      normals[v[c]] = vec3_madd(normals[v[c]], angle, normal);
    }
  }
  for (uint32_t i = 0; i < mesh->vertex_count; ++i) normals[i] = vec3_unit(normals[i]);
}
