#include "collide/volume.h"

#include <string.h>

#include "mesh/validate.h"

syn_status syn_volume_create(const syn_context *context, const syn_tetmesh *mesh, volume *made, syn_error *error) {
  *made = (volume){.context = context, .mesh = mesh};
  SYN_TRY(SYN_NEW(context, &made->places, mesh->vertex_count, error));
  if (mesh->vertex_count > 0) memcpy(made->places, mesh->vertices, mesh->vertex_count * sizeof *made->places);
  return SYN_OK;
}

void syn_volume_release(volume *v) {
  syn_free(v->context, v->places);
  *v = (volume){0};
}

syn_status syn_volume_update(volume *v, const syn_vec3 *places, syn_error *error) {
  SYN_TRY(syn_validate_points(places, v->mesh->vertex_count, error));
  if (v->mesh->vertex_count > 0) memcpy(v->places, places, v->mesh->vertex_count * sizeof *places);
  return SYN_OK;
}
