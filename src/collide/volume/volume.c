#include "collide/volume/volume.h"

#include <string.h>

#include "mesh/validate.h"

static syn_status create(const syn_context *context, const syn_tetmesh *mesh, volume *made, syn_error *error) {
  *made = (volume){.context = context, .mesh = mesh};
  SYN_TRY(SYN_NEW(context, &made->places, mesh->vertex_count, error));
  if (mesh->vertex_count > 0) memcpy(made->places, mesh->vertices, mesh->vertex_count * sizeof *made->places);
  return SYN_OK;
}

syn_status syn_volume_pair_create(const syn_context *context, const syn_body *fixed, const syn_body *mobile,
                                  volume_pair *pair, syn_error *error) {
  SYN_TRY(create(context, mobile->volume, &pair->mobile, error));
  pair->self = fixed->volume == mobile->volume;
  if (!pair->self) return create(context, fixed->volume, &pair->fixed, error);
  pair->fixed = pair->mobile;
  return SYN_OK;
}

void syn_volume_pair_release(volume_pair *pair) {
  if (!pair->self) syn_free(pair->fixed.context, pair->fixed.places);
  syn_free(pair->mobile.context, pair->mobile.places);
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
