/* Loads of a scene: a force, a pressure or a traction on chosen nodes. All are dead loads: they keep the direction and
 * the area of the body at rest. */
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "tissue/scene/scene.h"
#include "tissue/soft.h"

/* The surface of the chosen nodes. */
typedef struct chosen_faces {
  double *areas;
  syn_vec3 *facing;
  double total; /* area */
} chosen_faces;

static syn_status measure_faces(syn_tissue_scene *scene, const syn_scene_nodes *load, chosen_faces *faces,
                                syn_error *error) {
  const syn_soft *soft = scene->items[load->item].soft;
  *faces = (chosen_faces){0};
  SYN_TRY(SYN_TAKE(&scene->memory, &faces->areas, syn_soft_node_count(soft), error));
  SYN_TRY(SYN_TAKE(&scene->memory, &faces->facing, syn_soft_node_count(soft), error));
  SYN_TRY(syn_soft_face_shares(soft, load->chosen, faces->areas, faces->facing, error));
  for (size_t i = 0; i < load->count; ++i) faces->total += faces->areas[load->nodes[i]];
  return SYN_OK;
}

static size_t count_outside(const syn_tissue_scene *scene, const syn_scene_nodes *load, const chosen_faces *faces) {
  const syn_soft *soft = scene->items[load->item].soft;
  size_t count = 0;
  if (soft->options.quadratic) return 0; /* the consistent load of quadratic faces is zero at their corners */
  for (size_t i = 0; i < load->count; ++i) count += faces->areas[load->nodes[i]] == 0;
  return count;
}

/* Distributes a force by area. Nodes that form no face, such as molecules or nodes inside the body, get equal parts. */
static void share_force(const syn_scene_nodes *load, const chosen_faces *faces, syn_vec3 force) {
  for (size_t i = 0; i < load->count; ++i)
    load->forces[i] =
        vec3_scale(force, faces->total > 0 ? faces->areas[load->nodes[i]] / faces->total : 1.0 / (double)load->count);
}

static syn_status check_faces(const syn_tissue_scene *scene, const syn_json *place, const syn_scene_nodes *load,
                              const chosen_faces *faces, syn_error *error) {
  if (faces->total > 0) return SYN_OK;
  return syn_json_fail(
      place, error,
      "needs a surface, but the %zu nodes of %s that were chosen form no face of it; \"force_n\" acts on "
      "any nodes",
      load->count, scene->items[load->item].name);
}

syn_status syn_scene_read_load(syn_tissue_scene *scene, const syn_json *place, syn_scene_nodes *load,
                               syn_error *error) {
  const syn_json force = syn_json_member(place, "force_n"), pressure = syn_json_member(place, "pressure_mpa"),
                 traction = syn_json_member(place, "traction_mpa"), over = syn_json_member(place, "over_s");
  chosen_faces faces;
  syn_vec3 vector = {0, 0, 0};
  double mpa = 0;
  if (!force.value + !pressure.value + !traction.value != 2)
    return syn_json_fail(place, error, "needs one of \"force_n\", \"pressure_mpa\" and \"traction_mpa\"");
  if (force.value) SYN_TRY(syn_json_vec3(&force, &vector, error));
  if (traction.value) SYN_TRY(syn_json_vec3(&traction, &vector, error));
  if (pressure.value) SYN_TRY(syn_json_double(&pressure, &mpa, error));
  if (over.value) SYN_TRY(syn_json_double(&over, &load->over_s, error));
  if (load->over_s < 0) return syn_json_fail(&over, error, "may not be negative");
  SYN_TRY(SYN_TAKE(&scene->memory, &load->forces, load->count, error));
  SYN_TRY(measure_faces(scene, load, &faces, error));
  if (pressure.value) SYN_TRY(check_faces(scene, &pressure, load, &faces, error));
  if (traction.value) SYN_TRY(check_faces(scene, &traction, load, &faces, error));
  const size_t outside = count_outside(scene, load, &faces);
  if (faces.total > 0 && outside > 0)
    syn_warn(scene->context,
             "%s: %zu of the %zu nodes that a load chooses lie on no face that is chosen as a whole, and "
             "carry nothing of it",
             scene->items[load->item].name, outside, load->count);
  if (force.value) share_force(load, &faces, vector);
  for (size_t i = 0; !force.value && i < load->count; ++i)
    load->forces[i] = pressure.value ? vec3_scale(faces.facing[load->nodes[i]], -mpa)
                                     : vec3_scale(vector, faces.areas[load->nodes[i]]);
  return SYN_OK;
}

/* Adds up the loads of several entries on one node. */
void syn_scene_push_nodes(const syn_tissue_scene *scene, double time_s) {
  for (int pass = 0; pass < 2; ++pass)
    for (size_t k = 0; k < scene->loaded_count; ++k) {
      const syn_scene_nodes *load = &scene->loaded[k];
      const double part = load->over_s > 0 ? min2(1, time_s / load->over_s) : 1;
      const uint32_t body = scene->items[load->item].body;
      for (size_t i = 0; i < load->count; ++i) {
        const syn_vec3 before = pass ? syn_simulation_load(scene->simulation, body, load->nodes[i]) : vec3(0, 0, 0);
        syn_simulation_push(scene->simulation, body, load->nodes[i],
                            pass ? vec3_madd(before, part, load->forces[i]) : before);
      }
    }
}
