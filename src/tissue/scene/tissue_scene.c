/* Opens scene files, and takes the steps of a scene. */
#include <math.h>
#include <string.h>

#include "base/json.h"
#include "base/vec.h"
#include "joint/joint_store.h"
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
  return syn_simulation_create(scene->store->context, &options, &scene->simulation, error);
}

static syn_status read_items(syn_tissue_scene *scene, const syn_json *root, const syn_read_options *reading,
                             syn_error *error) {
  const syn_json list = syn_json_member(root, "bodies");
  size_t count;
  SYN_TRY(syn_json_expect_array(&list, &count, error));
  SYN_TRY(SYN_TAKE(&scene->store->memory, &scene->store->items, count, error));
  for (size_t i = 0; i < count; ++i) {
    const syn_json item = syn_json_item(&list, i), name = syn_json_member(&item, "name");
    scene->store->items[i] = (syn_scene_item){0};
    scene->store->item_count = i + 1;
    SYN_TRY(syn_scene_read_item(scene, &item, reading, &scene->store->items[i], error));
    for (size_t k = 0; k < i; ++k)
      if (strcmp(scene->store->items[k].name, scene->store->items[i].name) == 0)
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
  if (name.value) SYN_TRY(syn_json_member_text(root, "name", &scene->store->memory, &scene->name, error));
  SYN_TRY(syn_folder_of(&scene->store->memory, root->file, &scene->store->folder, error));
  SYN_TRY(read_simulation(scene, root, error));
  SYN_TRY(read_items(scene, root, reading, error));
  return syn_scene_read_parts(scene, root, error);
}

/* Lists the bodies for callers. */
static syn_status list_bodies(syn_tissue_scene *scene, syn_error *error) {
  const struct syn_scene_store *store = scene->store;
  syn_tissue_body *bodies;
  SYN_TRY(SYN_TAKE(&scene->store->memory, &bodies, store->item_count, error));
  for (size_t i = 0; i < store->item_count; ++i) {
    const syn_scene_item *item = &store->items[i];
    bodies[i] = (syn_tissue_body){.name = item->name,
                                  .model = item->soft ? item->soft->model->info.name : "rigid",
                                  .soft = item->soft,
                                  .surface = item->soft ? item->soft->skin : item->surface};
  }
  scene->bodies = bodies;
  scene->body_count = store->item_count;
  return SYN_OK;
}

static syn_status fill_scene(const syn_context *context, const char *path, const syn_read_options *reading,
                             syn_tissue_scene *scene, syn_error *error) {
  json_t *value = NULL;
  SYN_TRY(syn_file_sha256(context, path, scene->store->digits, error));
  SYN_TRY(syn_json_read(context, path, &value, error));
  const syn_json root = syn_json_root(value, path);
  const syn_status status = read_root(scene, &root, reading, error);
  json_decref(value);
  return status ? status : list_bodies(scene, error);
}

/* A scene with what it owns. */
typedef struct kept_scene {
  syn_tissue_scene scene; /* first */
  struct syn_scene_store store;
} kept_scene;

syn_status syn_tissue_scene_read(const syn_context *context, const char *path, const syn_read_options *reading,
                                 syn_tissue_scene **scene, syn_error *error) {
  *scene = NULL;
  SYN_TRY(syn_check_context(context, error));
  kept_scene *made;
  SYN_TRY(SYN_NEW_ZEROED(context, &made, 1, error));
  made->scene.store = &made->store;
  made->store.context = made->store.memory.context = context;
  const syn_status status = fill_scene(context, path, reading, &made->scene, error);
  if (status)
    syn_tissue_scene_destroy(&made->scene);
  else
    *scene = &made->scene;
  return status;
}

void syn_tissue_scene_destroy(syn_tissue_scene *scene) {
  if (!scene) return;
  struct syn_scene_store *store = scene->store;
  syn_simulation_destroy(scene->simulation);
  for (size_t i = 0; i < store->item_count; ++i) {
    syn_soft_destroy(store->items[i].soft);
    syn_trimesh_destroy(store->items[i].surface);
    syn_tetmesh_destroy(store->items[i].volume);
  }
  syn_arena_release(&store->memory);
  syn_free(store->context, scene);
}

/* ---- steps ----------------------------------------------------------------------------------------------------------
 */

/* Entries that share a node prescribe different axes of it. */
static void place_nodes(const syn_tissue_scene *scene, const syn_scene_nodes *moved, double time_s) {
  if (!moved->motion) return;
  const syn_scene_item *item = &scene->store->items[moved->item];
  const syn_vec3 *rest = syn_soft_rest(item->soft);
  const syn_pose pose = syn_scene_motion_at(moved->motion, time_s);
  for (size_t i = 0; i < moved->count; ++i)
    syn_sim_place_axes(scene->simulation, item->body, moved->nodes[i], moved->axes,
                       syn_pose_point(&pose, rest[moved->nodes[i]]));
}

syn_status syn_tissue_scene_step(syn_tissue_scene *scene, syn_error *error) {
  const double time_s = (double)(scene->simulation->steps + 1) * scene->step_s; /* a product, since a sum would drift */
  for (size_t i = 0; i < scene->store->item_count; ++i) {
    if (!scene->store->items[i].motion) continue;
    const syn_pose pose = syn_scene_motion_at(scene->store->items[i].motion, time_s);
    syn_simulation_move(scene->simulation, scene->store->items[i].body, &pose);
  }
  for (size_t i = 0; i < scene->store->moved_count; ++i) place_nodes(scene, &scene->store->moved[i], time_s);
  syn_scene_push_nodes(scene, time_s);
  return syn_simulation_step(scene->simulation, error);
}
