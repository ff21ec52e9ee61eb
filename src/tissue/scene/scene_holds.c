/* Prescribes nodes that several entries of "hold" name: planes of symmetry that meet in an edge, a face that is
 * pulled beside one that slides. */
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "tissue/scene/scene.h"
#include "tissue/simulation/simulation.h"

static const syn_scene_motion *motion_of(const syn_tissue_scene *scene, const syn_scene_nodes *hold) {
  return hold->with != SYN_NONE ? scene->items[hold->with].motion : hold->motion;
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
  const syn_scene_nodes *hold = &scene->moved[number];
  const syn_json place = syn_json_item(list, number);
  const syn_vec3 *rest = syn_soft_rest(scene->items[hold->item].soft);
  for (size_t i = 0; i < hold->count; ++i) {
    const uint32_t node = hold->nodes[i];
    for (int axis = 0; axis < 3; ++axis) {
      if (!(hold->axes >> axis & 1)) continue;
      uint32_t *before = &held[node][axis];
      if (*before != SYN_NONE && !agree(scene, &scene->moved[*before], hold, rest[node], axis))
        return syn_json_fail(
            &place, error,
            "wants node %u of %s, at (%g, %g, %g), in another place along %c than hold[%u] does; leave "
            "this axis or this node out of one of them",
            node, scene->items[hold->item].name, rest[node].x, rest[node].y, rest[node].z, "xyz"[axis], *before);
      *before = number;
    }
  }
  return SYN_OK;
}

/* A node that moves with a body is prescribed by it along all axes; other entries must agree, and have no further
 * effect. */
static syn_status hold_body(const syn_tissue_scene *scene, const syn_json *list, size_t item, uint32_t (*held)[3],
                            syn_error *error) {
  const uint32_t body = scene->items[item].body, count = syn_soft_node_count(scene->items[item].soft);
  for (uint32_t i = 0; i < count; ++i)
    for (int axis = 0; axis < 3; ++axis) held[i][axis] = SYN_NONE;
  for (uint32_t k = 0; k < scene->moved_count; ++k)
    if (scene->moved[k].item == item) SYN_TRY(add_entry(scene, list, k, held, error));
  for (int with = 1; with >= 0; --with)
    for (uint32_t k = 0; k < scene->moved_count; ++k) {
      const syn_scene_nodes *hold = &scene->moved[k];
      if (hold->item != item || (hold->with != SYN_NONE) != (with == 1)) continue;
      for (size_t i = 0; i < hold->count; ++i) {
        if (syn_sim_follows(scene->simulation, body, hold->nodes[i]) != SYN_NONE) continue;
        SYN_TRY(syn_simulation_hold(scene->simulation, body, hold->nodes[i], hold->axes,
                                    with ? scene->items[hold->with].body : SYN_NONE, error));
      }
    }
  return SYN_OK;
}

/* In Sundaraj's model B, the bulk modulus, ties nodes to their positions at rest: such a body neither falls nor
 * rotates. */
static void warn_of_ties(const syn_tissue_scene *scene, size_t item) {
  const char *name = scene->items[item].name;
  bool held = false, turned = false;
  if (strcmp(syn_soft_model_name(scene->items[item].soft), "vdm") != 0) return;
  for (size_t k = 0; k < scene->moved_count; ++k) {
    if (scene->moved[k].item != item) continue;
    const syn_scene_motion *motion = motion_of(scene, &scene->moved[k]);
    held = true;
    turned |= motion && motion->turn_count > 0;
  }
  if (!held)
    syn_warn(scene->context,
             "%s is of the model vdm, whose nodes are tied to their places at rest by the bulk modulus: it hangs there "
             "and neither falls nor is pushed away; take fem or molecules for a body that moves freely",
             name);
  else if (turned)
    syn_warn(scene->context,
             "%s is of the model vdm, whose nodes are tied to their places at rest: turning the nodes that hold it "
             "strains the whole body; take fem or molecules where bodies turn",
             name);
}

syn_status syn_scene_hold_nodes(syn_tissue_scene *scene, const syn_json *root, syn_error *error) {
  const syn_json list = syn_json_member(root, "hold");
  for (size_t item = 0; item < scene->item_count; ++item) {
    if (!scene->items[item].soft) continue;
    warn_of_ties(scene, item);
    uint32_t(*held)[3];
    SYN_TRY(SYN_NEW(scene->context, &held, syn_soft_node_count(scene->items[item].soft), error));
    const syn_status status = hold_body(scene, &list, item, held, error);
    syn_free(scene->context, held);
    SYN_TRY(status);
  }
  return SYN_OK;
}
