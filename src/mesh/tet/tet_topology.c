/* Neighbours, components and vertex lists of a tetrahedral mesh, in linear time. */
#include "base/memory.h"
#include "mesh/tet/tet_faces.h"
#include "mesh/topology.h"

/* The same object while it is being filled. */
typedef struct work {
  const syn_tetmesh *mesh;
  const syn_context *context;
  uint32_t *same, (*neighbours)[4], *vertex_start, *vertex_tets, *component;
  uint32_t surface_face_count, component_count, nonmanifold_faces;
} work;

/* A neighbour exists where exactly two different tets share the face. */
static syn_status find_tet_neighbours(work *w, syn_error *error) {
  const uint32_t n = w->mesh->tet_count;
  SYN_TRY(SYN_NEW(w->context, &w->neighbours, n, error));
  for (uint32_t face = 0; face < 4 * n; ++face) {
    const uint32_t other = w->same[face];
    const bool alone = other == face, pair = !alone && w->same[other] == face;
    w->surface_face_count += alone;
    w->nonmanifold_faces += !pair && other > face; /* once per ring */
    w->neighbours[face / 4][face % 4] = pair && other / 4 != face / 4 ? other / 4 : SYN_NONE;
  }
  return SYN_OK;
}

/* Root of the tree that t hangs in; halves the way on the go. */
static uint32_t root_of(uint32_t *parent, uint32_t t) {
  while (parent[t] != t) {
    parent[t] = parent[parent[t]];
    t = parent[t];
  }
  return t;
}

/* Joins tets that share a face, non-manifold ones included. Roots are always the lowest tet of their tree, so that one
 * ascending walk numbers the components in order of their first tet. */
static syn_status find_components(work *w, syn_error *error) {
  const uint32_t n = w->mesh->tet_count;
  SYN_TRY(SYN_NEW(w->context, &w->component, n, error));
  for (uint32_t t = 0; t < n; ++t) w->component[t] = t;
  for (uint32_t face = 0; face < 4 * n; ++face) {
    const uint32_t a = root_of(w->component, face / 4), b = root_of(w->component, w->same[face] / 4);
    w->component[a > b ? a : b] = a < b ? a : b;
  }
  for (uint32_t t = 0; t < n; ++t)
    w->component[t] = w->component[t] == t ? w->component_count++ : w->component[w->component[t]];
  return SYN_OK;
}

static syn_status fill_tet_topology(work *w, syn_error *error) {
  const syn_tetmesh *mesh = w->mesh;
  SYN_TRY(syn_tet_same_faces(mesh, &w->same, error));
  SYN_TRY(find_tet_neighbours(w, error));
  SYN_TRY(find_components(w, error));
  return syn_invert_cells(w->context, mesh->tet_count ? mesh->tets->v : NULL, 4, mesh->tet_count, mesh->vertex_count,
                          &w->vertex_start, &w->vertex_tets, error);
}

syn_status syn_tet_topology_create(const syn_tetmesh *mesh, syn_tet_topology **topology, syn_error *error) {
  work w = {.mesh = mesh, .context = mesh->context};
  *topology = NULL;
  SYN_TRY(SYN_NEW(w.context, topology, 1, error));
  syn_status status = fill_tet_topology(&w, error);
  syn_free(w.context, w.same);
  **topology = (syn_tet_topology){
      .context = w.context,
      .tet_count = mesh->tet_count,
      .vertex_count = mesh->vertex_count,
      .surface_face_count = w.surface_face_count,
      .component_count = w.component_count,
      .neighbours = (const uint32_t(*)[4])w.neighbours,
      .vertex_tet_start = w.vertex_start,
      .vertex_tets = w.vertex_tets,
      .tet_component = w.component,
      .nonmanifold_faces = w.nonmanifold_faces,
  };
  if (status != SYN_OK) {
    syn_tet_topology_destroy(*topology);
    *topology = NULL;
  }
  return status;
}

void syn_tet_topology_destroy(syn_tet_topology *t) {
  if (!t) return;
  const void *const blocks[] = {t->neighbours, t->vertex_tet_start, t->vertex_tets, t->tet_component};
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i) syn_free_const(t->context, blocks[i]);
  syn_free(t->context, t);
}
