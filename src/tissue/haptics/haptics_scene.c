#include <math.h>
#include <string.h>

#include "base/json.h"
#include "base/vec.h"
#include "joint/joint_store.h"
#include "tissue/haptics/haptics.h"
#include "tissue/haptics/haptics_scene.h"
#include "tissue/scene/scene.h"

/* ==== scenes from files =========================================================================================== */

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
  for (size_t i = 0; i < file->store->item_count; ++i) {
    const bool chosen = name ? strcmp(file->store->items[i].name, name) == 0 : file->store->items[i].soft != NULL;
    if (!chosen) continue;
    if (!file->store->items[i].soft) return syn_json_fail(&member, error, "is rigid: there is nothing to feel");
    *body = file->store->items[i].body;
    return SYN_OK;
  }
  if (name) return syn_json_fail(&member, error, "there is no body '%s'", name);
  return syn_json_fail(place, error, "the scene has no soft body to touch");
}

static syn_status read_probe(const syn_json *place, syn_haptics_options *o, syn_error *error) {
  static const char *const keys[] = {"radius_mm", "length_mm", "axis", NULL};
  if (!place->value) return SYN_OK;
  SYN_TRY(syn_json_only_keys(place, keys, error));
  SYN_TRY(read_number(place, "radius_mm", &o->probe_radius_mm, error));
  SYN_TRY(read_number(place, "length_mm", &o->probe_length_mm, error));
  return read_vector(place, "axis", &o->probe_axis, error);
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
  const char *file, *folder = scene->store->file->store->folder;
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
  double points = o->max_points, port = -1;
  const syn_json probe = syn_json_member(place, "probe"), push = syn_json_member(place, "push"),
                 image = syn_json_member(place, "image");
  if (!place->value)
    return syn_json_fail(place, error, "the scene does not say what touches it: it needs the key \"haptics\"");
  SYN_TRY(syn_json_expect_object(place, error));
  SYN_TRY(syn_json_only_keys(place, keys, error));
  SYN_TRY(choose_body(scene->store->file, place, &setup->body, error));
  SYN_TRY(read_probe(&probe, o, error));
  SYN_TRY(read_push(&push, &scene->push, &setup->has_push, error));
  SYN_TRY(read_image(&image, &scene->image, error));
  SYN_TRY(read_trajectory(place, scene, error));
  SYN_TRY(read_number(place, "simulation_hz", &o->simulation_hz, error));
  SYN_TRY(read_number(place, "force_hz", &o->force_hz, error));
  SYN_TRY(read_number(place, "reach_mm", &o->reach_mm, error));
  SYN_TRY(read_whole(place, "points", 1, 256, &points, error));
  SYN_TRY(read_whole(place, "udp_port", 0, 65535, &port, error));
  o->max_points = (uint32_t)points;
  scene->udp_port = (int)port;
  return SYN_OK;
}

static syn_status haptics_read_file(syn_haptics_scene *scene, const char *path, const syn_read_options *reading,
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

/* ==== scenes ====================================================================================================== */

static const struct {
  syn_haptics_scene_info info;
  syn_haptics_maker *make;
} built_in[] = {
    {{"thigh", "a thigh under an ultrasound probe (Sundaraj 2004, §6.2)", 30, 1000}, syn_haptics_make_thigh},
    {{"maciel-a", "a membrane of 16 molecules on 9 fixed ones (Maciel 2005, §3.4.6)", 131, 403}, syn_haptics_make_a},
    {{"maciel-b", "a cube of 27 molecules on a platform of 121", 90, 424}, syn_haptics_make_b},
    {{"maciel-c", "a cube of 8 molecules on a membrane of 49 in a frame of 28", 79, 430}, syn_haptics_make_c},
    {{"maciel-d", "a block of 75 molecules on a platform of 225", 38, 440}, syn_haptics_make_d},
};
enum { BUILT_IN = sizeof built_in / sizeof *built_in };

size_t syn_haptics_scene_count(void) { return BUILT_IN; }
syn_haptics_scene_info syn_haptics_scene_at(size_t index) { return built_in[index].info; }

/* ---- life -----------------------------------------------------------------------------------------------------------
 */

void syn_haptics_scene_destroy(syn_haptics_scene *scene) {
  if (!scene) return;
  syn_haptics_destroy(scene->haptics);
  if (scene->store) {
    syn_tissue_scene_destroy(scene->store->file);
    syn_simulation_destroy(scene->store->simulation);
    syn_soft_destroy(scene->store->soft);
    syn_arena_release(&scene->store->memory);
    syn_free(scene->context, scene->store);
  }
  syn_free(scene->context, scene);
}

/* Default push: from 1 mm above the highest point of the body, seen from the probe, by a tenth of the body's height;
 * a sheet has none. */
static void make_up_push(syn_haptics_scene *scene, const syn_haptics_setup *setup) {
  const syn_soft *soft = scene->soft;
  const syn_vec3 axis = vec3_unit(setup->options.probe_axis);
  const syn_trimesh *skin = soft->skin;
  syn_vec3 highest = vec3(0, 0, 0);
  double top = -INFINITY, bottom = INFINITY;
  for (uint32_t i = 0; i < skin->vertex_count; ++i) {
    const double height = vec3_dot(skin->vertices[i], axis);
    if (height > top) highest = skin->vertices[i];
    top = max2(top, height);
    bottom = min2(bottom, height);
  }
  const syn_box box = syn_trimesh_bounds(skin);
  const syn_vec3 middle = vec3_lerp(box.min, box.max, 0.5);
  const double rise = vec3_dot(vec3_sub(highest, middle), axis); /* above the middle of the body */
  scene->push.from = vec3_madd(middle, rise + 1, axis);
  scene->push.way = vec3_neg(axis);
  scene->push.depth_mm = 1 + max2(0.1 * (top - bottom), 0.02 * vec3_distance(box.min, box.max));
}

static syn_status finish(syn_haptics_scene *scene, syn_haptics_setup *setup, double simulation_hz, syn_error *error) {
  const syn_sim_body *body = &setup->simulation->bodies[setup->body];
  scene->soft = body->soft;
  scene->model = body->soft->model->info.name;
  for (uint32_t i = 0; i < body->soft->node_count; ++i)
    scene->held_nodes += setup->simulation->held[body->first_node + i] == SYN_XYZ;
  if (!setup->has_push) make_up_push(scene, setup);
  if (!isnan(simulation_hz)) setup->options.simulation_hz = simulation_hz;
  return syn_haptics_create(scene->context, setup->simulation, setup->body, &setup->options, &scene->haptics, error);
}

static syn_status make_or_read(syn_haptics_scene *scene, const char *name, const syn_read_options *reading,
                               syn_haptics_setup *setup, syn_error *error) {
  for (int i = 0; i < BUILT_IN; ++i)
    if (strcmp(built_in[i].info.name, name) == 0) {
      scene->built_in = &built_in[i].info;
      scene->name = built_in[i].info.name;
      return built_in[i].make(scene, setup, error);
    }
  return haptics_read_file(scene, name, reading, setup, error);
}

syn_status syn_haptics_scene_open(const syn_context *context, const char *name, const syn_read_options *reading,
                                  double simulation_hz, syn_haptics_scene **scene, syn_error *error) {
  *scene = NULL;
  SYN_TRY(syn_check_context(context, error));
  syn_haptics_scene *made;
  SYN_TRY(SYN_NEW_ZEROED(context, &made, 1, error));
  *made = (syn_haptics_scene){
      .context = context, .push = syn_default_haptics_push(), .image = syn_default_haptics_image(), .udp_port = -1};
  syn_haptics_setup setup = {.options = syn_default_haptics_options()};
  syn_status status = SYN_NEW_ZEROED(context, &made->store, 1, error);
  if (!status) {
    made->store->memory.context = context;
    status = make_or_read(made, name, reading, &setup, error);
  }
  if (!status) status = finish(made, &setup, simulation_hz, error);
  if (status) {
    syn_haptics_scene_destroy(made);
    return status;
  }
  *scene = made;
  return SYN_OK;
}

/* ---- runs -----------------------------------------------------------------------------------------------------------
 */

syn_status syn_haptics_scene_device(const syn_haptics_scene *scene, syn_haptics_device *device, syn_error *error) {
  *device = (syn_haptics_device){0};
  uint16_t bound;
  if (scene->trajectory) return syn_haptics_trajectory_device(scene->context, scene->trajectory, device, error);
  if (scene->udp_port < 0) return syn_haptics_push_device(scene->context, &scene->push, device, error);
  if (scene->udp_port > UINT16_MAX)
    return syn_fail(error, SYN_BAD_ARGUMENT, "%d is not a UDP port: 0 to 65535", scene->udp_port);
  return syn_haptics_udp_device(scene->context, (uint16_t)scene->udp_port, scene->push.from, &bound, device, error);
}

syn_status syn_haptics_scene_run(const syn_haptics_scene *scene, double seconds, syn_haptics_result *result,
                                 syn_error *error) {
  *result = (syn_haptics_result){.scene = scene,
                                 .device = scene->trajectory      ? "trajectory"
                                           : scene->udp_port >= 0 ? "udp"
                                                                  : "push"};
  syn_haptics_device device;
  SYN_TRY(syn_haptics_scene_device(scene, &device, error));
  const syn_status status = syn_haptics_run(scene->haptics, &device, seconds, &result->report, error);
  syn_haptics_device_release(&device);
  return status;
}
