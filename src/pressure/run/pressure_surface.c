/* Makes triangles of the articular surface of a layer, for files and pages. */
#include "pressure/run/run.h"

typedef struct surface_arrays {
  uint32_t *number; /* of each node: its vertex; SYN_NONE: not on the surface */
  syn_vec3 *vertices;
  syn_triangle *triangles;
} surface_arrays;

static uint32_t number_nodes(const syn_layer *layer, uint32_t *number) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < layer->node_count; ++i) number[i] = SYN_NONE;
  for (uint32_t f = 0; f < layer->face_count; ++f)
    for (int c = 0; c < 4; ++c)
      if (number[layer->faces[f][c]] == SYN_NONE) number[layer->faces[f][c]] = count++;
  return count;
}

/* Quadrilaterals are split along their shorter diagonal; a repeated corner leaves one triangle. */
static size_t cut_face(const syn_layer *layer, const uint32_t *number, uint32_t f, syn_triangle out[2]) {
  const uint32_t *v = layer->faces[f];
  const bool other =
      vec3_distance(layer->nodes[v[1]], layer->nodes[v[3]]) < vec3_distance(layer->nodes[v[0]], layer->nodes[v[2]]);
  const uint32_t corners[2][2][3] = {{{v[0], v[1], v[2]}, {v[0], v[2], v[3]}},
                                     {{v[0], v[1], v[3]}, {v[1], v[2], v[3]}}};
  size_t count = 0;
  for (int half = 0; half < 2; ++half) {
    const uint32_t *c = corners[other][half];
    if (c[0] == c[1] || c[1] == c[2] || c[2] == c[0]) continue;
    out[count++] = (syn_triangle){{number[c[0]], number[c[1]], number[c[2]]}};
  }
  return count;
}

static syn_status fill(const syn_context *context, const syn_layer *layer, surface_arrays *a,
                       syn_pressure_surface *surface, syn_error *error) {
  const uint32_t count = number_nodes(layer, a->number);
  size_t triangles = 0;
  SYN_TRY(SYN_NEW(context, &surface->nodes, count, error));
  SYN_TRY(SYN_NEW(context, &surface->thickness_mm, count, error));
  for (uint32_t i = 0; i < layer->node_count; ++i) {
    const uint32_t at = a->number[i];
    if (at == SYN_NONE) continue;
    a->vertices[at] = layer->nodes[i];
    surface->nodes[at] = i;
    surface->thickness_mm[at] = layer->thickness_mm[i] > 0 ? layer->thickness_mm[i] : 0;
  }
  for (uint32_t f = 0; f < layer->face_count; ++f) triangles += cut_face(layer, a->number, f, &a->triangles[triangles]);
  return syn_trimesh_create(context, a->vertices, count, a->triangles, triangles, &surface->mesh, error);
}

static syn_status make_fields(const syn_context *context, size_t steps, bool with_stress, syn_pressure_surface *surface,
                              syn_error *error) {
  const size_t vertices = surface->mesh->vertex_count;
  SYN_TRY(SYN_NEW_ZEROED(context, &surface->pressure_mpa, steps * vertices, error));
  SYN_TRY(SYN_NEW_ZEROED(context, &surface->gap_mm, steps * vertices, error));
  return with_stress ? SYN_NEW_ZEROED(context, &surface->von_mises_mpa, steps * vertices, error) : SYN_OK;
}

syn_status syn_pressure_make_surface(const syn_context *context, const syn_layer *layer, size_t steps, bool with_stress,
                                     syn_pressure_surface *surface, syn_error *error) {
  syn_arena arena = {.context = context};
  surface_arrays a;
  syn_status status = SYN_TAKE(&arena, &a.number, layer->node_count, error);
  if (status == SYN_OK) status = SYN_TAKE(&arena, &a.vertices, layer->node_count, error);
  if (status == SYN_OK) status = SYN_TAKE(&arena, &a.triangles, 2 * (size_t)layer->face_count, error);
  if (status == SYN_OK) status = fill(context, layer, &a, surface, error);
  if (status == SYN_OK) status = make_fields(context, steps, with_stress, surface, error);
  syn_arena_release(&arena);
  return status;
}

void syn_pressure_release_surface(const syn_context *context, syn_pressure_surface *surface) {
  syn_trimesh_destroy(surface->mesh);
  syn_free(context, surface->nodes);
  syn_free(context, surface->thickness_mm);
  syn_free(context, surface->pressure_mpa);
  syn_free(context, surface->gap_mm);
  syn_free(context, surface->von_mises_mpa);
  syn_free(context, surface->foundation_mpa);
  *surface = (syn_pressure_surface){0};
}

void syn_pressure_keep_field(const syn_pressure_surface *surface, const double *values, size_t step, double *kept) {
  const size_t count = surface->mesh->vertex_count;
  for (size_t i = 0; i < count; ++i) kept[step * count + i] = values[surface->nodes[i]];
}
