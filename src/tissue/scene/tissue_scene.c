/* Opens scene files, and takes the steps of a scene. */
#include <math.h>
#include <string.h>

#include "base/json.h"
#include "base/vec.h"
#include "joint/joint.h"
#include "tissue/scene/scene.h"
#include "tissue/simulation/simulation.h"

enum { SCENE_VERSION = 1 };

static syn_status read_positive(const syn_json *root, const char *key, double *value, syn_error *error) {
  const syn_json member = syn_json_member(root, key);
  if (!member.value) return SYN_OK;
  SYN_TRY(syn_json_double(&member, value, error));
  return *value > 0 && isfinite(*value) ? SYN_OK : syn_json_fail(&member, error, "must be above 0");
}

static syn_status read_integrator(const syn_json *root, syn_integrator *integrator, syn_error *error) {
  const syn_json member = syn_json_member(root, "integrator");
  const char *word;
  if (!member.value) return SYN_OK;
  SYN_TRY(syn_json_text(&member, &word, error));
  for (int i = 0; i < SYN_INTEGRATORS; ++i)
    if (strcmp(word, syn_integrator_name((syn_integrator)i)) == 0) {
      *integrator = (syn_integrator)i;
      return SYN_OK;
    }
  return syn_json_fail(&member, error, "is '%s'; expected implicit, static, positions, symplectic, rk4 or explicit",
                       word);
}

static syn_status read_simulation(syn_tissue_scene *scene, const syn_json *root, syn_error *error) {
  syn_simulation_options options = syn_default_simulation_options();
  const syn_json gravity = syn_json_member(root, "gravity");
  double iterations = 0;
  scene->duration_s = 1;
  SYN_TRY(read_integrator(root, &options.integrator, error));
  SYN_TRY(read_positive(root, "step_s", &options.step_s, error));
  SYN_TRY(read_positive(root, "duration_s", &scene->duration_s, error));
  scene->frame_s = scene->duration_s / 50;
  SYN_TRY(read_positive(root, "frame_s", &scene->frame_s, error));
  SYN_TRY(read_positive(root, "tolerance", &options.tolerance, error));
  SYN_TRY(read_positive(root, "iterations", &iterations, error));
  if (gravity.value) SYN_TRY(syn_json_vec3(&gravity, &options.gravity, error));
  options.iterations = (uint32_t)min2(iterations, 1e9);
  scene->integrator = options.integrator;
  scene->step_s = options.step_s;
  return syn_simulation_create(scene->context, &options, &scene->simulation, error);
}

static syn_status read_items(syn_tissue_scene *scene, const syn_json *root, const syn_read_options *reading,
                             syn_error *error) {
  const syn_json list = syn_json_member(root, "bodies");
  size_t count;
  SYN_TRY(syn_json_expect_array(&list, &count, error));
  SYN_TRY(SYN_TAKE(&scene->memory, &scene->items, count, error));
  for (size_t i = 0; i < count; ++i) {
    const syn_json item = syn_json_item(&list, i), name = syn_json_member(&item, "name");
    scene->items[i] = (syn_scene_item){0};
    scene->item_count = i + 1;
    SYN_TRY(syn_scene_read_item(scene, &item, reading, &scene->items[i], error));
    for (size_t k = 0; k < i; ++k)
      if (strcmp(scene->items[k].name, scene->items[i].name) == 0)
        return syn_json_fail(&name, error, "is the name of an earlier body, too");
  }
  return SYN_OK;
}

static syn_status read_root(syn_tissue_scene *scene, const syn_json *root, const syn_read_options *reading,
                            syn_error *error) {
  static const char *const keys[] = {"synovia",   "name",       "bodies",  "hold",       "loads",   "contacts",
                                     "motions",   "integrator", "step_s",  "duration_s", "frame_s", "gravity",
                                     "tolerance", "iterations", "haptics", NULL};
  SYN_TRY(syn_json_expect_object(root, error));
  SYN_TRY(syn_json_expect_kind(root, SYN_JSON_SCENE, error));
  SYN_TRY(syn_json_only_keys(root, keys, error));
  SYN_TRY(syn_json_expect_version(root, SCENE_VERSION, "scene files", error));
  const syn_json name = syn_json_member(root, "name");
  scene->name = "A scene";
  if (name.value) SYN_TRY(syn_json_member_text(root, "name", &scene->memory, &scene->name, error));
  SYN_TRY(syn_folder_of(&scene->memory, root->file, &scene->folder, error));
  SYN_TRY(read_simulation(scene, root, error));
  SYN_TRY(read_items(scene, root, reading, error));
  return syn_scene_read_parts(scene, root, error);
}

syn_status syn_tissue_scene_read(const syn_context *context, const char *path, const syn_read_options *reading,
                                 syn_tissue_scene **scene, syn_error *error) {
  *scene = NULL;
  SYN_TRY(syn_check_context(context, error));
  syn_tissue_scene *made;
  json_t *value = NULL;
  SYN_TRY(SYN_NEW_ZEROED(context, &made, 1, error));
  made->context = made->memory.context = context;
  syn_status status = syn_file_sha256(context, path, made->digits, error);
  if (!status) status = syn_json_read(context, path, &value, error);
  if (!status) {
    const syn_json root = syn_json_root(value, path);
    status = read_root(made, &root, reading, error);
  }
  json_decref(value);
  if (status) {
    syn_tissue_scene_destroy(made);
    return status;
  }
  *scene = made;
  return SYN_OK;
}

void syn_tissue_scene_destroy(syn_tissue_scene *scene) {
  if (!scene) return;
  syn_simulation_destroy(scene->simulation);
  for (size_t i = 0; i < scene->item_count; ++i) {
    syn_soft_destroy(scene->items[i].soft);
    syn_trimesh_destroy(scene->items[i].surface);
    syn_tetmesh_destroy(scene->items[i].volume);
  }
  syn_arena_release(&scene->memory);
  syn_free(scene->context, scene);
}

/* ---- what is there --------------------------------------------------------------------------------------------------
 */

const char *syn_tissue_scene_name(const syn_tissue_scene *scene) { return scene->name; }
size_t syn_tissue_scene_body_count(const syn_tissue_scene *scene) { return scene->item_count; }
const char *syn_tissue_scene_body_name(const syn_tissue_scene *scene, size_t body) { return scene->items[body].name; }
const syn_soft *syn_tissue_scene_soft(const syn_tissue_scene *scene, size_t body) { return scene->items[body].soft; }
syn_simulation *syn_tissue_scene_simulation(const syn_tissue_scene *scene) { return scene->simulation; }
const syn_trimesh *syn_tissue_scene_surface(const syn_tissue_scene *scene, size_t body) {
  const syn_scene_item *item = &scene->items[body];
  return item->soft ? syn_soft_skin(item->soft) : item->surface;
}

/* ---- steps ----------------------------------------------------------------------------------------------------------
 */

/* Entries that share a node prescribe different axes of it. */
static void place_nodes(const syn_tissue_scene *scene, const syn_scene_nodes *moved, double time_s) {
  if (!moved->motion) return;
  const syn_scene_item *item = &scene->items[moved->item];
  const syn_vec3 *rest = syn_soft_rest(item->soft);
  const syn_pose pose = syn_scene_motion_at(moved->motion, time_s);
  for (size_t i = 0; i < moved->count; ++i)
    syn_sim_place_axes(scene->simulation, item->body, moved->nodes[i], moved->axes,
                       syn_pose_point(&pose, rest[moved->nodes[i]]));
}

syn_status syn_tissue_scene_step(syn_tissue_scene *scene, syn_error *error) {
  const double time_s =
      (double)(syn_simulation_steps(scene->simulation) + 1) * scene->step_s; /* a product, since a sum would drift */
  for (size_t i = 0; i < scene->item_count; ++i) {
    if (!scene->items[i].motion) continue;
    const syn_pose pose = syn_scene_motion_at(scene->items[i].motion, time_s);
    syn_simulation_move(scene->simulation, scene->items[i].body, &pose);
  }
  for (size_t i = 0; i < scene->moved_count; ++i) place_nodes(scene, &scene->moved[i], time_s);
  syn_scene_push_nodes(scene, time_s);
  return syn_simulation_step(scene->simulation, error);
}
