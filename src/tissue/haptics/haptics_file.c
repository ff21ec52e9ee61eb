/* Reads the key "haptics" of a scene file. */
#include <math.h>
#include <string.h>

#include "base/json.h"
#include "base/vec.h"
#include "joint/joint.h"
#include "tissue/haptics/haptics_scene.h"
#include "tissue/scene/scene.h"

static syn_status read_number(const syn_json *place, const char *key, double *value, syn_error *error) {
  const syn_json member = syn_json_member(place, key);
  return member.value ? syn_json_double(&member, value, error) : SYN_OK;
}

static syn_status read_vector(const syn_json *place, const char *key, syn_vec3 *value, syn_error *error) {
  const syn_json member = syn_json_member(place, key);
  return member.value ? syn_json_vec3(&member, value, error) : SYN_OK;
}

/* Chooses the soft body of that name, or the first. */
static syn_status choose_body(const syn_tissue_scene *file, const syn_json *place, uint32_t *body, syn_error *error) {
  const syn_json member = syn_json_member(place, "body");
  const char *name = NULL;
  if (member.value) SYN_TRY(syn_json_text(&member, &name, error));
  for (size_t i = 0; i < file->item_count; ++i) {
    const bool chosen = name ? strcmp(file->items[i].name, name) == 0 : file->items[i].soft != NULL;
    if (!chosen) continue;
    if (!file->items[i].soft) return syn_json_fail(&member, error, "is rigid: there is nothing to feel");
    *body = file->items[i].body;
    return SYN_OK;
  }
  if (name) return syn_json_fail(&member, error, "there is no body '%s'", name);
  return syn_json_fail(place, error, "the scene has no soft body to touch");
}

static syn_status read_probe(const syn_json *place, syn_probe *probe, syn_error *error) {
  static const char *const keys[] = {"radius_mm", "length_mm", "axis", NULL};
  if (!place->value) return SYN_OK;
  SYN_TRY(syn_json_only_keys(place, keys, error));
  SYN_TRY(read_number(place, "radius_mm", &probe->radius_mm, error));
  SYN_TRY(read_number(place, "length_mm", &probe->length_mm, error));
  return read_vector(place, "axis", &probe->axis, error);
}

static syn_status read_push(const syn_json *place, syn_haptics_push *push, bool *given, syn_error *error) {
  static const char *const keys[] = {"from", "way", "depth_mm", "period_s", "variation", NULL};
  *given = place->value != NULL;
  if (!*given) return SYN_OK;
  const syn_json from = syn_json_member(place, "from");
  SYN_TRY(syn_json_only_keys(place, keys, error));
  SYN_TRY(syn_json_vec3(&from, &push->from, error));
  SYN_TRY(read_vector(place, "way", &push->way, error));
  SYN_TRY(read_number(place, "depth_mm", &push->depth_mm, error));
  SYN_TRY(read_number(place, "period_s", &push->period_s, error));
  return read_number(place, "variation", &push->variation, error);
}

static syn_status read_image(const syn_json *place, syn_haptics_image *image, syn_error *error) {
  static const char *const keys[] = {"width_mm", "depth_mm", "across", "vein", NULL};
  if (!place->value) return SYN_OK;
  SYN_TRY(syn_json_only_keys(place, keys, error));
  SYN_TRY(read_number(place, "width_mm", &image->width_mm, error));
  SYN_TRY(read_number(place, "depth_mm", &image->depth_mm, error));
  SYN_TRY(read_vector(place, "across", &image->across, error));
  return read_vector(place, "vein", &image->vein, error);
}

/* Reads an integer from `least` to `most`. */
static syn_status read_whole(const syn_json *place, const char *key, double least, double most, double *value,
                             syn_error *error) {
  const syn_json member = syn_json_member(place, key);
  if (!member.value) return SYN_OK;
  SYN_TRY(syn_json_double(&member, value, error));
  if (!(*value >= least && *value <= most && *value == floor(*value)))
    return syn_json_fail(&member, error, "expected a whole number from %g to %g", least, most);
  return SYN_OK;
}

/* Paths are relative to the scene file unless absolute. */
static syn_status read_trajectory(const syn_json *place, syn_haptics_scene *scene, syn_error *error) {
  const syn_json member = syn_json_member(place, "trajectory");
  const char *file, *folder = scene->store->file->folder;
  if (!member.value) return SYN_OK;
  SYN_TRY(syn_json_text(&member, &file, error));
  char *path;
  const size_t length = strlen(folder) + strlen(file) + 2;
  SYN_TRY(SYN_TAKE(&scene->store->memory, &path, length, error));
  if (file[0] == '/' || folder[0] == 0)
    snprintf(path, length, "%s", file);
  else
    snprintf(path, length, "%s/%s", folder, file);
  scene->trajectory = path;
  return SYN_OK;
}

static syn_status read_haptics(const syn_json *place, syn_haptics_scene *scene, syn_haptics_setup *setup,
                               syn_error *error) {
  static const char *const keys[] = {"body",          "probe",    "push",     "image",  "trajectory", "udp_port",
                                     "simulation_hz", "force_hz", "reach_mm", "points", NULL};
  syn_haptics_options *o = &setup->options;
  double points = o->most_points, port = -1;
  const syn_json probe = syn_json_member(place, "probe"), push = syn_json_member(place, "push"),
                 image = syn_json_member(place, "image");
  if (!place->value)
    return syn_json_fail(place, error, "the scene does not say what touches it: it needs the key \"haptics\"");
  SYN_TRY(syn_json_expect_object(place, error));
  SYN_TRY(syn_json_only_keys(place, keys, error));
  SYN_TRY(choose_body(scene->store->file, place, &setup->body, error));
  SYN_TRY(read_probe(&probe, &o->probe, error));
  SYN_TRY(read_push(&push, &scene->push, &setup->has_push, error));
  SYN_TRY(read_image(&image, &scene->image, error));
  SYN_TRY(read_trajectory(place, scene, error));
  SYN_TRY(read_number(place, "simulation_hz", &o->simulation_hz, error));
  SYN_TRY(read_number(place, "force_hz", &o->force_hz, error));
  SYN_TRY(read_number(place, "reach_mm", &o->reach_mm, error));
  SYN_TRY(read_whole(place, "points", 1, 256, &points, error));
  SYN_TRY(read_whole(place, "udp_port", 0, 65535, &port, error));
  o->most_points = (uint32_t)points;
  scene->udp_port = (int)port;
  return SYN_OK;
}

syn_status syn_haptics_read_file(syn_haptics_scene *scene, const char *path, const syn_read_options *reading,
                                 syn_haptics_setup *setup, syn_error *error) {
  SYN_TRY(syn_tissue_scene_read(scene->context, path, reading, &scene->store->file, error));
  scene->name = scene->store->file->name;
  setup->simulation = scene->store->file->simulation;
  json_t *value = NULL;
  SYN_TRY(syn_json_read(scene->context, path, &value, error));
  const syn_json root = syn_json_root(value, path), place = syn_json_member(&root, "haptics");
  const syn_status status = read_haptics(&place, scene, setup, error);
  json_decref(value);
  return status;
}
