/* Reads what is prescribed, moves, loads and touches in a scene. */
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "solve/block_matrix.h"
#include "tissue/scene/scene.h"

/* ---- motions --------------------------------------------------------------------------------------------------------
 */

syn_pose syn_scene_motion_at(const syn_scene_motion *m, double time_s) {
  double part = m->to_s > m->from_s ? (time_s - m->from_s) / (m->to_s - m->from_s) : (time_s >= m->to_s ? 1 : 0);
  part = part < 0 ? 0 : part > 1 ? 1 : part;
  if (m->eased) part = part * part * (3 - 2 * part);
  syn_pose pose = syn_pose_identity();
  for (size_t i = 0; i < m->turn_count; ++i) {
    const syn_pose turn = syn_pose_about_axis(m->center, m->turns[i].axis, part * m->turns[i].angle);
    pose = syn_pose_compose(&turn, &pose);
  }
  pose.translation = vec3_madd(pose.translation, part, m->shift);
  return pose;
}

syn_vec3 syn_scene_moved_point(const syn_scene_motion *motion, double time_s, syn_vec3 rest) {
  if (!motion) return rest;
  const syn_pose pose = syn_scene_motion_at(motion, time_s);
  return syn_pose_point(&pose, rest);
}

static syn_status read_turns(const syn_json *place, syn_arena *memory, syn_scene_motion *motion, syn_error *error) {
  static const char *const keys[] = {"axis", "deg", NULL};
  const syn_json list = syn_json_member(place, "turns");
  if (!list.value) return SYN_OK;
  SYN_TRY(syn_json_expect_array(&list, &motion->turn_count, error));
  SYN_TRY(SYN_TAKE(memory, &motion->turns, motion->turn_count, error));
  for (size_t i = 0; i < motion->turn_count; ++i) {
    const syn_json item = syn_json_item(&list, i), axis = syn_json_member(&item, "axis"),
                   deg = syn_json_member(&item, "deg");
    double angle;
    SYN_TRY(syn_json_only_keys(&item, keys, error));
    SYN_TRY(syn_json_vec3(&axis, &motion->turns[i].axis, error));
    SYN_TRY(syn_json_double(&deg, &angle, error));
    if (!(vec3_length2(motion->turns[i].axis) > 0)) return syn_json_fail(&axis, error, "an axis may not be zero");
    motion->turns[i].angle = angle * SYN_PI / 180;
  }
  return SYN_OK;
}

/* Reads optional members of `place`. By default a motion takes the whole time. */
static syn_status read_motion(syn_tissue_scene *scene, const syn_json *place, syn_scene_motion **out,
                              syn_error *error) {
  const syn_json center = syn_json_member(place, "center"), shift = syn_json_member(place, "shift_mm"),
                 from = syn_json_member(place, "from_s"), to = syn_json_member(place, "to_s"),
                 eased = syn_json_member(place, "eased"), turns = syn_json_member(place, "turns");
  *out = NULL;
  if (!shift.value && !turns.value) return SYN_OK;
  syn_scene_motion *m;
  SYN_TRY(SYN_TAKE(&scene->store->memory, &m, 1, error));
  *m = (syn_scene_motion){.to_s = scene->duration_s};
  if (center.value) SYN_TRY(syn_json_vec3(&center, &m->center, error));
  if (shift.value) SYN_TRY(syn_json_vec3(&shift, &m->shift, error));
  if (from.value) SYN_TRY(syn_json_double(&from, &m->from_s, error));
  if (to.value) SYN_TRY(syn_json_double(&to, &m->to_s, error));
  if (eased.value) SYN_TRY(syn_json_bool(&eased, &m->eased, error));
  SYN_TRY(read_turns(place, &scene->store->memory, m, error));
  if (m->to_s < m->from_s) return syn_json_fail(&to, error, "is before from_s");
  *out = m;
  return SYN_OK;
}

/* ---- bodies and nodes ------------------------------------------------------------------------------------------- */

static syn_status find_item(const syn_tissue_scene *scene, const syn_json *place, const char *key, size_t *item,
                            syn_error *error) {
  const syn_json member = syn_json_member(place, key);
  const char *name;
  SYN_TRY(syn_json_text(&member, &name, error));
  for (*item = 0; *item < scene->store->item_count; ++*item)
    if (strcmp(scene->store->items[*item].name, name) == 0) return SYN_OK;
  return syn_json_fail(&member, error, "there is no body '%s'", name);
}

static syn_status find_soft(const syn_tissue_scene *scene, const syn_json *place, size_t *item, syn_error *error) {
  const syn_json member = syn_json_member(place, "body");
  SYN_TRY(find_item(scene, place, "body", item, error));
  return scene->store->items[*item].soft ? SYN_OK : syn_json_fail(&member, error, "is rigid: it has no nodes");
}

static syn_status read_box(const syn_json *place, syn_box *box, syn_error *error) {
  static const char *const keys[] = {"min", "max", NULL};
  SYN_TRY(syn_json_only_keys(place, keys, error));
  const syn_json low = syn_json_member(place, "min"), high = syn_json_member(place, "max");
  SYN_TRY(syn_json_vec3(&low, &box->min, error));
  return syn_json_vec3(&high, &box->max, error);
}

/* "box": nodes at rest inside it. "near": nodes within a distance of another body's surface. */
static syn_status choose_in_box(const syn_soft *soft, const syn_json *place, bool *chosen, syn_error *error) {
  syn_box box;
  SYN_TRY(read_box(place, &box, error));
  const syn_vec3 *rest = syn_soft_rest(soft);
  for (uint32_t i = 0; i < syn_soft_node_count(soft); ++i) {
    const syn_vec3 p = rest[i];
    chosen[i] = p.x >= box.min.x && p.y >= box.min.y && p.z >= box.min.z && p.x <= box.max.x && p.y <= box.max.y &&
                p.z <= box.max.z;
  }
  return SYN_OK;
}

static syn_status choose_near(syn_tissue_scene *scene, const syn_soft *soft, const syn_json *place, bool *chosen,
                              syn_error *error) {
  static const char *const keys[] = {"body", "within_mm", NULL};
  const syn_json within = syn_json_member(place, "within_mm");
  size_t other;
  double most;
  SYN_TRY(syn_json_only_keys(place, keys, error));
  SYN_TRY(find_item(scene, place, "body", &other, error));
  SYN_TRY(syn_json_double(&within, &most, error));
  syn_surface *surface;
  syn_surface_point *nearest = NULL;
  const uint32_t count = syn_soft_node_count(soft);
  SYN_TRY(syn_surface_create(scene->store->items[other].surface, &surface, error));
  syn_status status = SYN_NEW(scene->store->context, &nearest, count, error);
  if (!status && syn_surface_nearest(surface, syn_soft_rest(soft), count, nearest))
    status = syn_json_fail(place, error, "the nodes lie beyond what distances can be measured");
  for (uint32_t i = 0; !status && i < count; ++i) chosen[i] = nearest[i].distance_mm <= most;
  syn_free(scene->store->context, nearest);
  syn_surface_destroy(surface);
  return status;
}

static syn_status choose_listed(const syn_soft *soft, const syn_json *place, bool *chosen, syn_error *error) {
  size_t count;
  SYN_TRY(syn_json_expect_array(place, &count, error));
  for (size_t i = 0; i < count; ++i) {
    const syn_json item = syn_json_item(place, i);
    double node;
    SYN_TRY(syn_json_double(&item, &node, error));
    if (!(node >= 0 && node < syn_soft_node_count(soft) && node == floor(node)))
      return syn_json_fail(&item, error, "expected a node from 0 to %u", syn_soft_node_count(soft) - 1);
    chosen[(uint32_t)node] = true;
  }
  return SYN_OK;
}

static syn_status read_nodes(syn_tissue_scene *scene, const syn_json *place, syn_scene_nodes *out, syn_error *error) {
  SYN_TRY(find_soft(scene, place, &out->item, error));
  const syn_soft *soft = scene->store->items[out->item].soft;
  const syn_json box = syn_json_member(place, "box"), near = syn_json_member(place, "near"),
                 nodes = syn_json_member(place, "nodes");
  if (!box.value + !near.value + !nodes.value != 2)
    return syn_json_fail(place, error, "needs one of \"box\", \"near\" and \"nodes\" to say which nodes are meant");
  bool *chosen;
  const uint32_t count = syn_soft_node_count(soft);
  SYN_TRY(SYN_TAKE(&scene->store->memory, &chosen, count, error));
  memset(chosen, 0, count);
  out->chosen = chosen;
  if (box.value) SYN_TRY(choose_in_box(soft, &box, chosen, error));
  if (near.value) SYN_TRY(choose_near(scene, soft, &near, chosen, error));
  if (nodes.value) SYN_TRY(choose_listed(soft, &nodes, chosen, error));
  SYN_TRY(SYN_TAKE(&scene->store->memory, &out->nodes, count, error));
  for (uint32_t i = 0; i < count; ++i)
    if (chosen[i]) out->nodes[out->count++] = i;
  return out->count ? SYN_OK
                    : syn_json_fail(place, error, "chooses no node of %s", scene->store->items[out->item].name);
}

/* ---- holds and loads ------------------------------------------------------------------------------------------------
 */

static syn_status read_axes(const syn_json *place, unsigned *axes, syn_error *error) {
  const syn_json member = syn_json_member(place, "axes");
  const char *text = "xyz";
  if (member.value) SYN_TRY(syn_json_text(&member, &text, error));
  *axes = 0;
  for (const char *c = text; *c; ++c) {
    if (*c < 'x' || *c > 'z') return syn_json_fail(&member, error, "is '%s'; expected letters of xyz", text);
    *axes |= 1u << (*c - 'x');
  }
  return *axes ? SYN_OK : syn_json_fail(&member, error, "is empty; expected letters of xyz");
}

static syn_status read_hold(syn_tissue_scene *scene, const syn_json *place, syn_scene_nodes *hold, syn_error *error) {
  static const char *const keys[] = {"body",     "box",   "near",   "nodes", "axes",  "to", "center",
                                     "shift_mm", "turns", "from_s", "to_s",  "eased", NULL};
  const syn_json to = syn_json_member(place, "to");
  const syn_json axes = syn_json_member(place, "axes");
  hold->with = SYN_NONE;
  SYN_TRY(syn_json_only_keys(place, keys, error));
  SYN_TRY(read_nodes(scene, place, hold, error));
  SYN_TRY(read_axes(place, &hold->axes, error));
  SYN_TRY(read_motion(scene, place, &hold->motion, error));
  if (!to.value) return SYN_OK;
  size_t other;
  SYN_TRY(find_item(scene, place, "to", &other, error));
  if (scene->store->items[other].soft) return syn_json_fail(&to, error, "is soft: nodes are held by rigid bodies");
  if (hold->motion) return syn_json_fail(place, error, "moves with a body and on its own way: only one is possible");
  if (hold->axes != SYN_XYZ)
    return syn_json_fail(&axes, error, "leaves axes free, but nodes that move with a body are held in all of them");
  hold->with = (uint32_t)other;
  return SYN_OK;
}

static syn_status read_load(syn_tissue_scene *scene, const syn_json *place, syn_scene_nodes *load, syn_error *error) {
  static const char *const keys[] = {"body",         "box",          "near",   "nodes", "force_n",
                                     "pressure_mpa", "traction_mpa", "over_s", NULL};
  SYN_TRY(syn_json_only_keys(place, keys, error));
  SYN_TRY(read_nodes(scene, place, load, error));
  return syn_scene_read_load(scene, place, load, error);
}

typedef syn_status read_entry(syn_tissue_scene *scene, const syn_json *place, syn_scene_nodes *entry, syn_error *error);

static syn_status read_list(syn_tissue_scene *scene, const syn_json *root, const char *key, read_entry *read,
                            syn_scene_nodes **entries, size_t *count, syn_error *error) {
  const syn_json list = syn_json_member(root, key);
  if (!list.value) return SYN_OK;
  SYN_TRY(syn_json_expect_array(&list, count, error));
  SYN_TRY(SYN_TAKE(&scene->store->memory, entries, *count, error));
  memset(*entries, 0, *count * sizeof **entries);
  for (size_t i = 0; i < *count; ++i) {
    const syn_json item = syn_json_item(&list, i);
    SYN_TRY(read(scene, &item, &(*entries)[i], error));
  }
  return SYN_OK;
}

/* ---- contacts and motions -------------------------------------------------------------------------------------------
 */

static syn_status read_response(const syn_json *place, syn_response *response, syn_error *error) {
  const syn_json member = syn_json_member(place, "response");
  const char *word;
  if (!member.value) return SYN_OK;
  SYN_TRY(syn_json_text(&member, &word, error));
  for (int i = 0; i < SYN_RESPONSES; ++i)
    if (strcmp(word, syn_response_name((syn_response)i)) == 0) {
      *response = (syn_response)i;
      return SYN_OK;
    }
  return syn_json_fail(&member, error, "is '%s'; expected barrier, penalty, correction, look-ahead or volume", word);
}

/* Keys that a response or a method does not use are mistakes. */
static syn_status check_contact_keys(const syn_json *place, syn_response response, const char *method,
                                     syn_error *error) {
  enum {
    BARRIER = 1 << SYN_RESPONSE_BARRIER,
    PENALTY = 1 << SYN_RESPONSE_PENALTY,
    VOLUME = 1 << SYN_RESPONSE_VOLUME,
    DETECTED = PENALTY | 1 << SYN_RESPONSE_CORRECTION | 1 << SYN_RESPONSE_LOOK_AHEAD
  };
  static const struct {
    const char *key;
    unsigned responses;
    bool of_center;
  } keys[] = {{"method", DETECTED, false},    {"center", DETECTED, true},
              {"table_size", DETECTED, true}, {"pressure_mpa_mm", PENALTY | VOLUME, false},
              {"damping_s", VOLUME, false},   {"barrier_mm", BARRIER, false},
              {"barrier_mpa", BARRIER, false}};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; ++i) {
    const syn_json member = syn_json_member(place, keys[i].key);
    if (!member.value) continue;
    if (!(keys[i].responses >> response & 1))
      return syn_json_fail(&member, error, "is of no use to the response %s; leave it out",
                           syn_response_name(response));
    if (keys[i].of_center && !syn_method_is_about_center(method))
      return syn_json_fail(&member, error, "is of no use to the method %s; leave it out", method);
  }
  const syn_json center = syn_json_member(place, "center"), asked = syn_json_member(place, "method");
  if (DETECTED >> response & 1 && syn_method_is_about_center(method) && !center.value)
    return syn_json_fail(&asked, error, "is %s, which measures from a centre: give it by \"center\"", method);
  return SYN_OK;
}

static syn_status read_contact(syn_tissue_scene *scene, const syn_json *place, syn_error *error) {
  static const char *const keys[] = {"fixed",      "mobile",          "response",   "method",      "center",
                                     "table_size", "pressure_mpa_mm", "barrier_mm", "barrier_mpa", "damping_s",
                                     NULL};
  syn_touch_options o = syn_default_touch_options();
  const syn_json method = syn_json_member(place, "method"), center = syn_json_member(place, "center");
  size_t fixed, mobile;
  double table = 0;
  SYN_TRY(syn_json_only_keys(place, keys, error));
  SYN_TRY(find_item(scene, place, "fixed", &fixed, error));
  SYN_TRY(find_item(scene, place, "mobile", &mobile, error));
  SYN_TRY(read_response(place, &o.response, error));
  if (method.value) SYN_TRY(syn_json_member_text(place, "method", &scene->store->memory, &o.method, error));
  if (center.value) SYN_TRY(syn_json_vec3(&center, &o.collide.center, error));
  const struct {
    const char *key;
    double *value;
  } numbers[] = {{"pressure_mpa_mm", &o.pressure_mpa_mm},
                 {"barrier_mm", &o.barrier_mm},
                 {"table_size", &table},
                 {"barrier_mpa", &o.barrier_mpa},
                 {"damping_s", &o.damping_s}};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i) {
    const syn_json member = syn_json_member(place, numbers[i].key);
    if (member.value) SYN_TRY(syn_json_double(&member, numbers[i].value, error));
    if (!(*numbers[i].value >= 0 && *numbers[i].value < 1e9))
      return syn_json_fail(&member, error, "may not be negative or beyond 1e9");
  }
  o.collide.table_size = (uint32_t)table;
  SYN_TRY(check_contact_keys(place, o.response, o.method, error));
  syn_error why;
  const syn_status status = syn_simulation_touch(scene->simulation, scene->store->items[fixed].body,
                                                 scene->store->items[mobile].body, &o, &why);
  return status ? syn_scene_blame(place, &why, error) : SYN_OK;
}

static syn_status read_contacts(syn_tissue_scene *scene, const syn_json *root, syn_error *error) {
  const syn_json list = syn_json_member(root, "contacts");
  size_t count;
  if (!list.value) return SYN_OK;
  SYN_TRY(syn_json_expect_array(&list, &count, error));
  for (size_t i = 0; i < count; ++i) {
    const syn_json item = syn_json_item(&list, i);
    SYN_TRY(read_contact(scene, &item, error));
  }
  return SYN_OK;
}

static syn_status read_motions(syn_tissue_scene *scene, const syn_json *root, syn_error *error) {
  static const char *const keys[] = {"body", "center", "shift_mm", "turns", "from_s", "to_s", "eased", NULL};
  const syn_json list = syn_json_member(root, "motions");
  size_t count;
  if (!list.value) return SYN_OK;
  SYN_TRY(syn_json_expect_array(&list, &count, error));
  for (size_t i = 0; i < count; ++i) {
    const syn_json place = syn_json_item(&list, i), body = syn_json_member(&place, "body");
    size_t item;
    SYN_TRY(syn_json_only_keys(&place, keys, error));
    SYN_TRY(find_item(scene, &place, "body", &item, error));
    if (scene->store->items[item].soft) return syn_json_fail(&body, error, "is soft: hold its nodes instead");
    if (scene->store->items[item].motion) return syn_json_fail(&body, error, "has a motion already");
    SYN_TRY(read_motion(scene, &place, &scene->store->items[item].motion, error));
    if (!scene->store->items[item].motion)
      return syn_json_fail(&place, error, "needs \"turns\", \"shift_mm\", or both");
  }
  return SYN_OK;
}

syn_status syn_scene_read_parts(syn_tissue_scene *scene, const syn_json *root, syn_error *error) {
  SYN_TRY(read_list(scene, root, "hold", read_hold, &scene->store->moved, &scene->store->moved_count, error));
  SYN_TRY(read_list(scene, root, "loads", read_load, &scene->store->loaded, &scene->store->loaded_count, error));
  SYN_TRY(read_motions(scene, root, error));
  SYN_TRY(syn_scene_hold_nodes(scene, root, error));
  return read_contacts(scene, root, error);
}
