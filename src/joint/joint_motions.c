/* Reads the axes and motions of joint files: named directions of rotation, and motions described in the file. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/vec.h"
#include "joint/joint_file.h"
#include "joint/joint_store.h"

/* ---- axes ---------------------------------------------------------------------------------------------------------
 */

/* A name in the file, or "axis_1_positive". */
static syn_status read_direction(const syn_json *item, const char *key, int axis, syn_joint *joint, const char **name,
                                 syn_error *error) {
  char standard[32];
  const syn_json place = syn_json_member(item, key);
  const char *text = standard;
  snprintf(standard, sizeof standard, "axis_%d_%s", axis + 1, key);
  if (place.value) SYN_TRY(syn_json_text(&place, &text, error));
  if (!text[0]) return syn_json_fail(&place, error, "may not be empty");
  int other_axis, other_sign;
  if (place.value && syn_joint_direction_named(joint, text, &other_axis, &other_sign) && other_axis < axis)
    return syn_json_fail(&place, error, "'%.60s' is already the name of another turn", text);
  return syn_joint_text(joint, text, name, error);
}

static syn_status read_axis(const syn_json *item, int axis, syn_joint *joint, syn_vec3 *vector, syn_error *error) {
  static const char *const keys[] = {"axis", "positive", "negative", NULL};
  SYN_TRY(syn_json_expect_object(item, error));
  SYN_TRY(syn_json_only_keys(item, keys, error));
  const syn_json place = syn_json_member(item, "axis");
  SYN_TRY(syn_json_vec3(&place, vector, error));
  const char *names[2] = {"", ""};
  SYN_TRY(read_direction(item, "positive", axis, joint, &names[0], error));
  SYN_TRY(read_direction(item, "negative", axis, joint, &names[1], error));
  if (strcmp(names[0], names[1]) == 0) return syn_json_fail(item, error, "both turns have the name '%.60s'", names[0]);
  joint->directions[axis][0] = names[0];
  joint->directions[axis][1] = names[1];
  return SYN_OK;
}

static syn_status expect_three(const syn_json *list, syn_error *error) {
  size_t count;
  SYN_TRY(syn_json_expect_array(list, &count, error));
  return count == SYN_JOINT_AXES ? SYN_OK : syn_json_fail(list, error, "a joint has three axes, not %zu", count);
}

syn_status syn_joint_read_axes(const syn_json *frame, syn_joint *joint, syn_error *error) {
  static const char *const keys[] = {"axes", "mobile_axes", NULL};
  const syn_json list = syn_json_member(frame, "axes"), mobile = syn_json_member(frame, "mobile_axes");
  syn_vec3 *const axes[] = {&joint->axes.flexion, &joint->axes.adduction, &joint->axes.rotation};
  syn_vec3 *const mobile_axes[] = {&joint->mobile_axes.flexion, &joint->mobile_axes.adduction,
                                   &joint->mobile_axes.rotation};
  SYN_TRY(syn_json_only_keys(frame, keys, error));
  SYN_TRY(expect_three(&list, error));
  joint->has_axes = true;
  for (int i = 0; i < SYN_JOINT_AXES; ++i) {
    const syn_json item = syn_json_item(&list, (size_t)i);
    SYN_TRY(read_axis(&item, i, joint, axes[i], error));
  }
  if (!mobile.value) return SYN_OK;
  SYN_TRY(expect_three(&mobile, error));
  joint->has_mobile_axes = true;
  for (int i = 0; i < SYN_JOINT_AXES; ++i) {
    const syn_json item = syn_json_item(&mobile, (size_t)i);
    SYN_TRY(syn_json_vec3(&item, mobile_axes[i], error));
  }
  return SYN_OK;
}

json_t *syn_joint_axes_value(const syn_joint *joint, bool *failed) {
  const syn_vec3 axes[] = {joint->axes.flexion, joint->axes.adduction, joint->axes.rotation};
  const syn_vec3 mobile[] = {joint->mobile_axes.flexion, joint->mobile_axes.adduction, joint->mobile_axes.rotation};
  json_t *frame = json_object(), *list = json_array(), *mobile_list = json_array();
  for (int i = 0; i < SYN_JOINT_AXES; ++i) {
    json_t *item = json_object();
    syn_json_put(item, "axis", syn_json_from_vec3(axes[i]), failed);
    syn_json_put(item, "positive", json_string(syn_joint_direction(joint, i, 1)), failed);
    syn_json_put(item, "negative", json_string(syn_joint_direction(joint, i, -1)), failed);
    syn_json_append(list, item, failed);
    syn_json_append(mobile_list, syn_json_from_vec3(mobile[i]), failed);
  }
  syn_json_put(frame, "axes", list, failed);
  if (joint->has_mobile_axes)
    syn_json_put(frame, "mobile_axes", mobile_list, failed);
  else
    json_decref(mobile_list);
  return frame;
}

/* ---- motions ------------------------------------------------------------------------------------------------------
 */

static syn_status find_direction(const syn_json *place, const syn_joint *joint, const char *name, int *axis, int *sign,
                                 syn_error *error) {
  char hint[96];
  if (syn_joint_direction_named(joint, name, axis, sign)) return SYN_OK;
  return syn_json_fail(place, error, "this joint has no turn '%.60s'.%s", name,
                       syn_did_you_mean(name, syn_joint_direction_at, joint, SYN_JOINT_DIRECTIONS, hint));
}

/* Reads the name of a rotation, or a vector to rotate about, right-handed. */
static syn_status read_turn(const syn_json *item, const syn_joint *joint, syn_motion *motion, syn_error *error) {
  const syn_json place = syn_json_member(item, "axis");
  if (json_is_string(place.value))
    return find_direction(&place, joint, json_string_value(place.value), &motion->axis, &motion->sign, error);
  if (!json_is_array(place.value)) return syn_json_fail(&place, error, "expected the name of a turn, or three numbers");
  motion->axis = SYN_JOINT_AXES;
  motion->sign = 1;
  SYN_TRY(syn_json_vec3(&place, &motion->vector, error));
  if (!(vec3_length(motion->vector) > 0)) return syn_json_fail(&place, error, "must be a direction, not 0, 0, 0");
  motion->vector = vec3_unit(motion->vector);
  return SYN_OK;
}

/* {"flexion": 90}: degrees by the names of rotations. */
static syn_status read_start(const syn_json *item, const syn_joint *joint, syn_joint_angles *start, syn_error *error) {
  double about[SYN_JOINT_AXES] = {0};
  const syn_json place = syn_json_member(item, "start");
  if (!place.value) return SYN_OK;
  SYN_TRY(syn_json_expect_object(&place, error));
  const char *name;
  json_t *value;
  json_object_foreach(place.value, name, value) {
    const syn_json member = syn_json_member(&place, name);
    int axis, sign;
    double angle;
    SYN_TRY(find_direction(&member, joint, name, &axis, &sign, error));
    SYN_TRY(syn_json_double(&member, &angle, error));
    about[axis] += sign * angle / SYN_RADIAN;
  }
  *start = syn_joint_angles_from(about);
  return SYN_OK;
}

static syn_status read_max_deg(const syn_json *item, double *max_deg, syn_error *error) {
  const syn_json place = syn_json_member(item, "most");
  if (!place.value) return SYN_OK;
  SYN_TRY(syn_json_double(&place, max_deg, error));
  return *max_deg > 0 && *max_deg <= 360 ? SYN_OK
                                         : syn_json_fail(&place, error, "must be above 0 and at most 360 degrees");
}

static syn_status read_range(const syn_json *item, syn_arena *arena, syn_motion *motion, syn_error *error) {
  const syn_json range = syn_json_member(item, "range"), source = syn_json_member(item, "source");
  motion->low_deg = motion->high_deg = NAN;
  if (!range.value && source.value) return syn_json_fail(&source, error, "is that of a range; there is none");
  if (!range.value) return SYN_OK;
  if (!source.value) return syn_json_fail(item, error, "a range needs a source: who measured it");
  size_t count;
  SYN_TRY(syn_json_expect_array(&range, &count, error));
  if (count != 2) return syn_json_fail(&range, error, "expected two numbers, lowest and highest");
  const syn_json low = syn_json_item(&range, 0), high = syn_json_item(&range, 1);
  SYN_TRY(syn_json_double(&low, &motion->low_deg, error));
  SYN_TRY(syn_json_double(&high, &motion->high_deg, error));
  if (!(motion->low_deg <= motion->high_deg)) return syn_json_fail(&range, error, "the lowest comes first");
  return syn_json_member_text(item, "source", arena, &motion->source, error);
}

static syn_status read_motion(const syn_json *item, const syn_joint *joint, syn_motion *motion, syn_error *error) {
  static const char *const keys[] = {"name", "label", "axis", "start", "most", "range", "source", NULL};
  syn_arena *arena = &joint->store->arena;
  *motion = (syn_motion){0};
  SYN_TRY(syn_json_only_keys(item, keys, error));
  SYN_TRY(syn_json_member_text(item, "name", arena, &motion->name, error));
  if (syn_json_member(item, "label").value) SYN_TRY(syn_json_member_text(item, "label", arena, &motion->label, error));
  SYN_TRY(read_turn(item, joint, motion, error));
  SYN_TRY(read_start(item, joint, &motion->start, error));
  SYN_TRY(read_max_deg(item, &motion->max_deg, error));
  return read_range(item, arena, motion, error);
}

syn_status syn_joint_read_motions(const syn_json *root, syn_joint *joint, syn_error *error) {
  const syn_json list = syn_json_member(root, "motions");
  size_t count;
  const char **names;
  syn_motion *turns;
  if (!list.value) return SYN_OK;
  SYN_TRY(syn_json_expect_array(&list, &count, error));
  SYN_TRY(syn_arena_take(&joint->store->arena, count, sizeof *names, (void **)&names, error));
  SYN_TRY(SYN_TAKE(&joint->store->arena, &turns, count, error));
  joint->motions = names;
  joint->turns = turns;
  for (size_t i = 0; i < count; ++i) {
    const syn_json item = syn_json_item(&list, i);
    const char *text;
    if (json_is_object(item.value)) {
      SYN_TRY(read_motion(&item, joint, &turns[joint->turn_count++], error));
      continue;
    }
    SYN_TRY(syn_json_text(&item, &text, error));
    SYN_TRY(syn_joint_text(joint, text, &names[joint->motion_count++], error));
  }
  return SYN_OK;
}

static json_t *motion_value(const syn_joint *joint, const syn_motion *motion, bool *failed) {
  json_t *object = json_object(), *start = json_object();
  syn_json_put(object, "name", json_string(motion->name), failed);
  if (motion->label) syn_json_put(object, "label", json_string(motion->label), failed);
  syn_json_put(object, "axis",
               motion->axis < SYN_JOINT_AXES ? json_string(syn_joint_direction(joint, motion->axis, motion->sign))
                                             : syn_json_from_vec3(vec3_scale(motion->vector, motion->sign)),
               failed);
  if (motion->max_deg > 0) syn_json_put(object, "most", json_real(motion->max_deg), failed);
  for (int i = 0; i < SYN_JOINT_AXES; ++i)
    if (syn_joint_angle_about(motion->start, i) != 0)
      syn_json_put(start, syn_joint_direction(joint, i, 1),
                   json_real(syn_joint_angle_about(motion->start, i) * SYN_RADIAN), failed);
  if (json_object_size(start) > 0)
    syn_json_put(object, "start", start, failed);
  else
    json_decref(start);
  if (motion->source) {
    json_t *range = json_array();
    syn_json_append(range, json_real(motion->low_deg), failed);
    syn_json_append(range, json_real(motion->high_deg), failed);
    syn_json_put(object, "range", range, failed);
    syn_json_put(object, "source", json_string(motion->source), failed);
  }
  return object;
}

json_t *syn_joint_motions_value(const syn_joint *joint, bool *failed) {
  json_t *list = json_array();
  for (size_t i = 0; i < joint->motion_count; ++i) syn_json_append(list, json_string(joint->motions[i]), failed);
  for (size_t i = 0; i < joint->turn_count; ++i)
    syn_json_append(list, motion_value(joint, &joint->turns[i], failed), failed);
  return list;
}

/* ---- joint surfaces -----------------------------------------------------------------------------------------------
 */

static syn_status read_ball(const syn_json *item, syn_ball *ball, syn_error *error) {
  static const char *const keys[] = {"center", "radius_mm", NULL};
  SYN_TRY(syn_json_expect_object(item, error));
  SYN_TRY(syn_json_only_keys(item, keys, error));
  const syn_json center = syn_json_member(item, "center"), radius = syn_json_member(item, "radius_mm");
  SYN_TRY(syn_json_vec3(&center, &ball->center, error));
  SYN_TRY(syn_json_double(&radius, &ball->radius_mm, error));
  if (!(ball->radius_mm > 0)) return syn_json_fail(&radius, error, "must be positive, not %g", ball->radius_mm);
  return SYN_OK;
}

syn_status syn_read_articular(const syn_json *object, syn_arena *arena, const syn_ball **balls, size_t *count,
                              syn_error *error) {
  const syn_json list = syn_json_member(object, "articular");
  syn_ball *made;
  size_t found;
  *balls = NULL;
  *count = 0;
  if (!list.value) return SYN_OK;
  SYN_TRY(syn_json_expect_array(&list, &found, error));
  SYN_TRY(SYN_TAKE(arena, &made, found, error));
  for (size_t i = 0; i < found; ++i) {
    const syn_json item = syn_json_item(&list, i);
    SYN_TRY(read_ball(&item, &made[i], error));
  }
  *balls = made;
  *count = found;
  return SYN_OK;
}

syn_status syn_joint_read_articular(const syn_json *root, syn_joint *joint, syn_error *error) {
  return syn_read_articular(root, &joint->store->arena, &joint->articular, &joint->articular_count, error);
}

json_t *syn_articular_value(const syn_ball *balls, size_t count, bool *failed) {
  json_t *list = json_array();
  for (size_t i = 0; i < count; ++i) {
    json_t *item = json_object();
    syn_json_put(item, "center", syn_json_from_vec3(balls[i].center), failed);
    syn_json_put(item, "radius_mm", json_real(balls[i].radius_mm), failed);
    syn_json_append(list, item, failed);
  }
  return list;
}
