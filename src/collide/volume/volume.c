#include "collide/volume/volume.h"

#include <string.h>

#include "mesh/validate.h"

/* Tetrahedra that belong to no other solid are cells of their own. */
static void list_cells(volume *v) {
  const syn_tetmesh *mesh = v->mesh;
  uint32_t next = 0;
  for (uint32_t t = 0; t < mesh->tet_count; ++v->cell_count) {
    uint32_t *corners = v->own_cells + (size_t)v->cell_count * HULL_POINTS;
    const bool is_tet = next == mesh->cell_count || mesh->cells[next].first_tet != t;
    for (int c = 0; c < HULL_POINTS; ++c) corners[c] = is_tet ? mesh->tets[t].v[c < 4 ? c : 3] : mesh->cells[next].v[c];
    v->kinds[v->cell_count] = is_tet ? VOLUME_TET : (uint8_t)mesh->cells[next].kind;
    t += is_tet ? 1 : mesh->cells[next++].tet_count;
  }
}

static syn_status find_cells(volume *v, syn_error *error) {
  const syn_tetmesh *mesh = v->mesh;
  v->corners = v->faces = 4;
  v->cell_count = mesh->tet_count;
  v->cells = mesh->tets ? mesh->tets->v : NULL;
  if (mesh->cell_count == 0) return SYN_OK;
  SYN_TRY(SYN_NEW(v->context, &v->own_cells, (size_t)mesh->tet_count * HULL_POINTS, error));
  SYN_TRY(SYN_NEW(v->context, &v->kinds, mesh->tet_count, error));
  v->corners = HULL_POINTS;
  v->faces = 6;
  v->cell_count = 0;
  v->cells = v->own_cells;
  list_cells(v);
  return SYN_OK;
}

static void release_volume(volume *v) {
  syn_free(v->context, v->places);
  syn_free(v->context, v->own_cells);
  syn_free(v->context, v->kinds);
}

static syn_status create_volume(const syn_context *context, const syn_tetmesh *mesh, volume *made, syn_error *error) {
  *made = (volume){.context = context, .mesh = mesh};
  SYN_TRY(find_cells(made, error));
  SYN_TRY(SYN_NEW(context, &made->places, mesh->vertex_count, error));
  if (mesh->vertex_count > 0) memcpy(made->places, mesh->vertices, mesh->vertex_count * sizeof *made->places);
  return SYN_OK;
}

syn_status syn_volume_pair_create(const syn_context *context, const syn_body *fixed, const syn_body *mobile,
                                  volume_pair *pair, syn_error *error) {
  SYN_TRY(create_volume(context, mobile->volume, &pair->mobile, error));
  pair->self = fixed->volume == mobile->volume;
  if (!pair->self) return create_volume(context, fixed->volume, &pair->fixed, error);
  pair->fixed = pair->mobile;
  return SYN_OK;
}

void syn_volume_pair_release(volume_pair *pair) {
  if (!pair->self) release_volume(&pair->fixed);
  release_volume(&pair->mobile);
  *pair = (volume_pair){0};
}

static void move(volume *v, const syn_vec3 *places) {
  if (v->mesh->vertex_count > 0) memcpy(v->places, places, v->mesh->vertex_count * sizeof *places);
}

syn_status syn_volume_pair_update(volume_pair *pair, const syn_vec3 *fixed, const syn_vec3 *mobile, bool moved[2],
                                  syn_error *error) {
  if (pair->self) {
    if (!mobile) mobile = fixed;
    fixed = NULL;
  }
  if (fixed) SYN_TRY(syn_validate_points(fixed, pair->fixed.mesh->vertex_count, error));
  if (mobile) SYN_TRY(syn_validate_points(mobile, pair->mobile.mesh->vertex_count, error));
  if (fixed) move(&pair->fixed, fixed);
  if (mobile) move(&pair->mobile, mobile);
  moved[0] = fixed != NULL;
  moved[1] = mobile != NULL;
  return SYN_OK;
}
