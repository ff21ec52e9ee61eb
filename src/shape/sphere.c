/* Sphere by subdividing an octahedron: 6, 18, 66, 258, 1 026 … vertices (the counts of Arbabi 2009, Table 2). */
#include "base/vec.h"
#include "shape/shape.h"

static const syn_shape_parameter parameters[] = {
    {"radius", "mm", 25, 1e-6, 1e6, false, "radius"},
    {"level", "", 4, 0, 9, true,
     "subdivisions of the octahedron: 2 gives 66 vertices, each further one four times as many"},
};

/* Moves every vertex out to the radius. The mesh has not been handed out yet, so its arrays may still be written. */
static void move_to_sphere(const syn_trimesh *mesh, double radius) {
  syn_vec3 *vertices = (syn_vec3 *)(uintptr_t)mesh->vertices;
  for (uint32_t i = 0; i < mesh->vertex_count; ++i) vertices[i] = vec3_scale(vec3_unit(vertices[i]), radius);
}

static syn_status make_sphere(const double *values, syn_joint *shape, syn_error *error) {
  static const syn_vec3 corners[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  static const syn_triangle faces[8] = {{{0, 2, 4}}, {{2, 1, 4}}, {{1, 3, 4}}, {{3, 0, 4}},
                                        {{2, 0, 5}}, {{1, 2, 5}}, {{3, 1, 5}}, {{0, 3, 5}}};
  syn_trimesh *mesh, *finer;
  SYN_TRY(syn_trimesh_create(shape->context, corners, 6, faces, 8, &mesh, error));
  for (int level = 0; level < (int)values[1]; ++level) {
    syn_status status = syn_trimesh_subdivide(mesh, &finer, error);
    syn_trimesh_destroy(mesh);
    if (status != SYN_OK) return status;
    mesh = finer;
    move_to_sphere(mesh, values[0]);
  }
  move_to_sphere(mesh, values[0]);
  return syn_shape_add(shape, "sphere", SYN_TISSUE_BONE, true, mesh, NULL, error);
}

const syn_shape_maker syn_make_sphere = {{"sphere", "a ball from a subdivided octahedron", 2, parameters}, make_sphere};
