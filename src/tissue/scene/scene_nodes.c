/* Prescribed and loaded nodes of a scene. */
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "tissue/scene/scene.h"
#include "tissue/simulation/simulation.h"
#include "tissue/soft.h"

/* ==== prescribed nodes ============================================================================================ */

/* Prescribes nodes that several entries of "hold" name: planes of symmetry that meet in an edge, a face that is
 * pulled beside one that slides. */

static const syn_scene_motion *motion_of(const syn_tissue_scene *scene, const syn_scene_nodes *hold) {
  return hold->with != SYN_NONE ? scene->store->items[hold->with].motion : hold->motion;
}

static double along(syn_vec3 v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

/* Returns whether both entries prescribe the same position of the node along the axis: tested at the ends of either
 * motion and between them. */
static bool agree(const syn_tissue_scene *scene, const syn_scene_nodes *a, const syn_scene_nodes *b, syn_vec3 rest,
                  int axis) {
  enum { MOMENTS = 33 };
  const syn_scene_motion *const motions[2] = {motion_of(scene, a), motion_of(scene, b)};
  if (motions[0] == motions[1]) return true;
  for (int of = 0; of < 2; ++of) {
    const double from = motions[of] ? motions[of]->from_s : 0, to = motions[of] ? motions[of]->to_s : scene->duration_s;
    for (int i = 0; i < MOMENTS; ++i) {
      const double time_s = from + (to - from) * i / (MOMENTS - 1);
      const syn_vec3 p = syn_scene_moved_point(motions[0], time_s, rest),
                     q = syn_scene_moved_point(motions[1], time_s, rest);
      const double size = vec3_length(rest) + vec3_distance(p, rest) + vec3_distance(q, rest);
      if (!(fabs(along(p, axis) - along(q, axis)) <= 1e-12 * size)) return false;
    }
  }
  return true;
}

/* held[node][axis] is the last entry that prescribed the node along the axis, or SYN_NONE. */
static syn_status add_entry(const syn_tissue_scene *scene, const syn_json *list, uint32_t number, uint32_t (*held)[3],
                            syn_error *error) {
  const syn_scene_nodes *hold = &scene->store->moved[number];
  const syn_json place = syn_json_item(list, number);
  const syn_vec3 *rest = syn_soft_rest(scene->store->items[hold->item].soft);
  for (size_t i = 0; i < hold->count; ++i) {
    const uint32_t node = hold->nodes[i];
    for (int axis = 0; axis < 3; ++axis) {
      if (!(hold->axes >> axis & 1)) continue;
      uint32_t *before = &held[node][axis];
      if (*before != SYN_NONE && !agree(scene, &scene->store->moved[*before], hold, rest[node], axis))
        return syn_json_fail(
            &place, error,
            "wants node %u of %s, at (%g, %g, %g), in another place along %c than hold[%u] does; leave "
            "this axis or this node out of one of them",
            node, scene->store->items[hold->item].name, rest[node].x, rest[node].y, rest[node].z, "xyz"[axis], *before);
      *before = number;
    }
  }
  return SYN_OK;
}

/* A node that moves with a body is prescribed by it along all axes; other entries must agree, and have no further
 * effect. */
static syn_status hold_body(const syn_tissue_scene *scene, const syn_json *list, size_t item, uint32_t (*held)[3],
                            syn_error *error) {
  const uint32_t body = scene->store->items[item].body, count = syn_soft_node_count(scene->store->items[item].soft);
  for (uint32_t i = 0; i < count; ++i)
    for (int axis = 0; axis < 3; ++axis) held[i][axis] = SYN_NONE;
  for (uint32_t k = 0; k < scene->store->moved_count; ++k)
    if (scene->store->moved[k].item == item) SYN_TRY(add_entry(scene, list, k, held, error));
  for (int with = 1; with >= 0; --with)
    for (uint32_t k = 0; k < scene->store->moved_count; ++k) {
      const syn_scene_nodes *hold = &scene->store->moved[k];
      if (hold->item != item || (hold->with != SYN_NONE) != (with == 1)) continue;
      for (size_t i = 0; i < hold->count; ++i) {
        if (syn_sim_follows(scene->simulation, body, hold->nodes[i]) != SYN_NONE) continue;
        SYN_TRY(syn_simulation_prescribe(scene->simulation, body, hold->nodes[i], hold->axes,
                                         with ? scene->store->items[hold->with].body : SYN_NONE, error));
      }
    }
  return SYN_OK;
}

/* In Sundaraj's model B, the bulk modulus, ties nodes to their positions at rest: such a body neither falls nor
 * rotates. */
static void warn_of_ties(const syn_tissue_scene *scene, size_t item) {
  const char *name = scene->store->items[item].name;
  bool held = false, turned = false;
  if (strcmp(scene->store->items[item].soft->model->info.name, "vdm") != 0) return;
  for (size_t k = 0; k < scene->store->moved_count; ++k) {
    if (scene->store->moved[k].item != item) continue;
    const syn_scene_motion *motion = motion_of(scene, &scene->store->moved[k]);
    held = true;
    turned |= motion && motion->turn_count > 0;
  }
  if (!held)
    syn_warn(scene->store->context,
             "%s is of the model vdm, whose nodes are tied to their places at rest by the bulk modulus: it hangs there "
             "and neither falls nor is pushed away; take fem or molecules for a body that moves freely",
             name);
  else if (turned)
    syn_warn(scene->store->context,
             "%s is of the model vdm, whose nodes are tied to their places at rest: turning the nodes that hold it "
             "strains the whole body; take fem or molecules where bodies turn",
             name);
}

syn_status syn_scene_hold_nodes(syn_tissue_scene *scene, const syn_json *root, syn_error *error) {
  const syn_json list = syn_json_member(root, "hold");
  for (size_t item = 0; item < scene->store->item_count; ++item) {
    if (!scene->store->items[item].soft) continue;
    warn_of_ties(scene, item);
    uint32_t(*held)[3];
    SYN_TRY(SYN_NEW(scene->store->context, &held, syn_soft_node_count(scene->store->items[item].soft), error));
    const syn_status status = hold_body(scene, &list, item, held, error);
    syn_free(scene->store->context, held);
    SYN_TRY(status);
  }
  return SYN_OK;
}

/* ==== loads ======================================================================================================= */

/* Loads of a scene: a force, a pressure or a traction on chosen nodes. All are dead loads: they keep the direction and
 * the area of the body at rest. */

/* The surface of the chosen nodes. */
typedef struct chosen_faces {
  double *areas;
  syn_vec3 *facing;
  double total; /* area */
} chosen_faces;

static syn_status measure_faces(syn_tissue_scene *scene, const syn_scene_nodes *load, chosen_faces *faces,
                                syn_error *error) {
  const syn_soft *soft = scene->store->items[load->item].soft;
  *faces = (chosen_faces){0};
  SYN_TRY(SYN_TAKE(&scene->store->memory, &faces->areas, syn_soft_node_count(soft), error));
  SYN_TRY(SYN_TAKE(&scene->store->memory, &faces->facing, syn_soft_node_count(soft), error));
  SYN_TRY(syn_soft_face_shares(soft, load->chosen, faces->areas, faces->facing, error));
  for (size_t i = 0; i < load->count; ++i) faces->total += faces->areas[load->nodes[i]];
  return SYN_OK;
}

static size_t count_outside(const syn_tissue_scene *scene, const syn_scene_nodes *load, const chosen_faces *faces) {
  const syn_soft *soft = scene->store->items[load->item].soft;
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
      load->count, scene->store->items[load->item].name);
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
  SYN_TRY(SYN_TAKE(&scene->store->memory, &load->forces, load->count, error));
  SYN_TRY(measure_faces(scene, load, &faces, error));
  if (pressure.value) SYN_TRY(check_faces(scene, &pressure, load, &faces, error));
  if (traction.value) SYN_TRY(check_faces(scene, &traction, load, &faces, error));
  const size_t outside = count_outside(scene, load, &faces);
  if (faces.total > 0 && outside > 0)
    syn_warn(scene->store->context,
             "%s: %zu of the %zu nodes that a load chooses lie on no face that is chosen as a whole, and "
             "carry nothing of it",
             scene->store->items[load->item].name, outside, load->count);
  if (force.value) share_force(load, &faces, vector);
  for (size_t i = 0; !force.value && i < load->count; ++i)
    load->forces[i] = pressure.value ? vec3_scale(faces.facing[load->nodes[i]], -mpa)
                                     : vec3_scale(vector, faces.areas[load->nodes[i]]);
  return SYN_OK;
}

/* Adds up the loads of several entries on one node. */
void syn_scene_push_nodes(const syn_tissue_scene *scene, double time_s) {
  for (int pass = 0; pass < 2; ++pass)
    for (size_t k = 0; k < scene->store->loaded_count; ++k) {
      const syn_scene_nodes *load = &scene->store->loaded[k];
      const double part = load->over_s > 0 ? min2(1, time_s / load->over_s) : 1;
      const uint32_t body = scene->store->items[load->item].body;
      for (size_t i = 0; i < load->count; ++i) {
        const syn_vec3 before = pass ? syn_sim_load_of(scene->simulation, body, load->nodes[i]) : vec3(0, 0, 0);
        syn_simulation_load(scene->simulation, body, load->nodes[i],
                            pass ? vec3_madd(before, part, load->forces[i]) : before);
      }
    }
}
