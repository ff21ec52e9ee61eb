/* The outside of a tetrahedral mesh. */
#include <string.h>

#include "mesh/builder.h"
#include "mesh/tet/tet_faces.h"

typedef struct work {
  const syn_tetmesh *mesh;
  uint32_t *same;           /* see syn_tet_same_faces */
  uint32_t *surface_vertex; /* of each vertex of the tet mesh, SYN_NONE inside */
  uint32_t *origin;         /* vertex of the tet mesh for each surface vertex */
  syn_builder builder;
} work;

/* Vertices are numbered as in the tet mesh, without those that no outer face uses. */
static syn_status number_vertices(work *w, syn_error *error) {
  const syn_tetmesh *mesh = w->mesh;
  memset(w->surface_vertex, 0xff, mesh->vertex_count * sizeof *w->surface_vertex);
  for (uint32_t face = 0; face < 4 * mesh->tet_count; ++face)
    if (w->same[face] == face)
      for (int i = 0; i < 3; ++i) w->surface_vertex[mesh->tets[face / 4].v[syn_tet_face[face % 4][i]]] = 0;
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
    if (w->surface_vertex[v] == SYN_NONE) continue;
    w->surface_vertex[v] = (uint32_t)w->builder.point_count;
    w->origin[w->builder.point_count] = v;
    SYN_TRY(syn_builder_point(&w->builder, mesh->vertices[v], error));
  }
  return SYN_OK;
}

static syn_status collect_faces(work *w, syn_error *error) {
  const syn_tetmesh *mesh = w->mesh;
  uint32_t shared = 0;
  SYN_TRY(syn_tet_same_faces(mesh, &w->same, error));
  SYN_TRY(SYN_NEW(mesh->context, &w->surface_vertex, mesh->vertex_count, error));
  SYN_TRY(SYN_NEW(mesh->context, &w->origin, mesh->vertex_count, error));
  SYN_TRY(number_vertices(w, error));
  for (uint32_t face = 0; face < 4 * mesh->tet_count; ++face) {
    const uint8_t *corner = syn_tet_face[face % 4];
    const uint32_t *v = mesh->tets[face / 4].v, *place = w->surface_vertex, other = w->same[face];
    shared += other > face && w->same[other] != face;
    if (other == face)
      SYN_TRY(syn_builder_triangle(&w->builder, place[v[corner[0]]], place[v[corner[1]]], place[v[corner[2]]], error));
  }
  if (shared)
    syn_warn(mesh->context, "%u faces belong to more than two tetrahedra and are not taken as surface", shared);
  return SYN_OK;
}

syn_status syn_tetmesh_surface(const syn_tetmesh *mesh, syn_trimesh **surface, uint32_t **vertex_of_surface,
                               syn_error *error) {
  work w = {.mesh = mesh, .builder = {.context = mesh->context}};
  *surface = NULL;
  if (vertex_of_surface) *vertex_of_surface = NULL;
  syn_status status = collect_faces(&w, error);
  if (status == SYN_OK) status = syn_builder_trimesh(&w.builder, surface, error);
  if (status == SYN_OK && vertex_of_surface) {
    *vertex_of_surface = w.origin;
    w.origin = NULL;
  }
  syn_builder_release(&w.builder);
  syn_free(mesh->context, w.same);
  syn_free(mesh->context, w.surface_vertex);
  syn_free(mesh->context, w.origin);
  return status;
}
