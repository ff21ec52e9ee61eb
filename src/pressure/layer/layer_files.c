/* Reads layers whose thickness or extent comes from files. */
#include <string.h>

#include <synovia/mesh.h>
#include <synovia/pressure.h>

#include "base/status.h"

/* Reads the first field of one component on points; it belongs to `geometry`. */
static syn_status read_values(const syn_context *context, const char *path, const char *what, const syn_trimesh *bone,
                              const syn_read_options *reading, syn_geometry *geometry, const double **values,
                              syn_error *error) {
  if (!path) return SYN_OK;
  SYN_TRY(syn_geometry_read(context, path, reading, geometry, error));
  const double *found = NULL;
  for (size_t i = 0; i < geometry->field_count && !found; ++i)
    if (geometry->fields[i].on == SYN_ON_POINTS && geometry->fields[i].components == 1)
      found = geometry->fields[i].values;
  *values = found;
  if (found && bone && geometry->point_count == bone->vertex_count) return SYN_OK;
  return syn_fail_at(error, SYN_BAD_FORMAT, path, 0, -1,
                     "%s needs the mesh of the bone with one number on each of its %u vertices, but this file has %s",
                     what, bone ? bone->vertex_count : 0,
                     found ? "another number of vertices" : "no field of one number on points");
}

static syn_status read_all(const syn_context *context, const syn_hip *hip, const syn_layer_files *f,
                           syn_geometry held[4], syn_layer_options *o, syn_error *error) {
  const syn_trimesh *pelvis = hip->parts[SYN_HIP_PELVIS], *femur = hip->parts[SYN_HIP_FEMUR];
  SYN_TRY(read_values(context, f->pelvis_thickness, "pelvis-thickness", pelvis, f->reading, &held[0],
                      &o->pelvis_thickness_mm, error));
  SYN_TRY(read_values(context, f->femur_thickness, "femur-thickness", femur, f->reading, &held[1],
                      &o->femur_thickness_mm, error));
  SYN_TRY(
      read_values(context, f->pelvis_region, "pelvis-region", pelvis, f->reading, &held[2], &o->pelvis_painted, error));
  SYN_TRY(read_values(context, f->femur_region, "femur-region", femur, f->reading, &held[3], &o->femur_painted, error));
  if (o->pelvis_thickness_mm || o->femur_thickness_mm) o->rule = SYN_RULE_GIVEN;
  if (o->pelvis_painted || o->femur_painted) o->extent = SYN_EXTENT_PAINTED;
  return SYN_OK;
}

syn_status syn_hip_layers_from_files(const syn_context *context, const syn_hip_case *hip_case,
                                     const syn_layer_options *options, const syn_layer_files *files, syn_layer *socket,
                                     syn_layer *head, syn_error *error) {
  syn_layer_options with_values = options ? *options : syn_default_layer_options();
  syn_geometry held[4] = {0};
  *socket = *head = (syn_layer){0};
  syn_status status = read_all(context, &hip_case->hip, files, held, &with_values, error);
  if (status == SYN_OK) status = syn_hip_layers_create(context, hip_case, &with_values, socket, head, error);
  for (size_t i = 0; i < 4; ++i) syn_geometry_free(context, &held[i]);
  return status;
}
