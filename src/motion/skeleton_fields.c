/* Fields of a skeleton analysis: tree, posture, clamped values, contacts and ranges. Angles in degrees, lengths in mm.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <synovia/motion.h>

#include "motion/skeleton.h"
#include "result/value.h"

/* Defines a getter of an item, by number, of the analysis. */
#define OF(name, value)                                                                                                \
  static syn_value name(const void *object, size_t i) {                                                                \
    const syn_skeleton_analysis *a = object;                                                                           \
    (void)i;                                                                                                           \
    return value;                                                                                                      \
  }

static const syn_dof *dof_at(const syn_skeleton_analysis *a, size_t i) { return a->skeleton->dofs[i]; }
static bool turns(const syn_skeleton_analysis *a, size_t i) { return dof_at(a, i)->kind == SYN_DOF_ROTATION; }

/* Converts to the unit of the Dof. */
static double shown(const syn_skeleton_analysis *a, size_t dof, double value) {
  return turns(a, dof) ? value * SYN_RADIAN : value;
}
static const char *body_name(const syn_skeleton_analysis *a, size_t body) {
  return a->skeleton->description.bodies[body].body.name;
}

/* ---- degrees of freedom ------------------------------------------------------------------------------------------ */

/* Returns the Dof behind a modifier that narrows the range now; NULL if it leaves the range unchanged. */
static const char *narrows(const syn_skeleton_analysis *a, size_t dof, size_t modifier) {
  const syn_dof *self = dof_at(a, dof);
  const syn_range range = syn_skeleton_range(a->skeleton, dof, a->start);
  const syn_range_modifier *m = &self->modifiers[modifier];
  const bool narrower = (m->lower && range.lower > self->lower) || (m->upper && range.upper < self->upper);
  return narrower ? m->by : NULL;
}

static syn_value narrowed_by(const syn_skeleton_analysis *a, size_t dof) {
  char words[SYN_VALUE_WORDS] = "";
  size_t used = 0;
  for (size_t i = 0; i < dof_at(a, dof)->modifier_count; ++i) {
    const char *by = narrows(a, dof, i);
    if (!by || used + strlen(by) + 3 > sizeof words) continue;
    if (used) memcpy(words + used, ", ", 3), used += 2;
    memcpy(words + used, by, strlen(by) + 1);
    used += strlen(by);
  }
  return used ? syn_value_words("%s", words) : value_none();
}

static syn_range range_of(const syn_skeleton_analysis *a, size_t dof) {
  return syn_skeleton_range(a->skeleton, dof, a->start);
}

static const char *joint_of(const syn_skeleton_analysis *a, size_t dof) {
  return a->skeleton->description.joints[a->skeleton->dof_joints[dof]].name;
}

OF(dof_name, value_text(dof_at(a, i)->name))
OF(dof_joint, value_text(joint_of(a, i)))
OF(dof_kind, value_text(syn_dof_kind_name(dof_at(a, i)->kind)))
OF(dof_unit, value_text(turns(a, i) ? "deg" : "mm"))
OF(dof_value, value_real(shown(a, i, a->start[i])))
OF(dof_asked, a->start[i] != a->asked[i] ? value_real(shown(a, i, a->asked[i])) : value_none())
OF(dof_lower, value_real(shown(a, i, dof_at(a, i)->lower)))
OF(dof_upper, value_real(shown(a, i, dof_at(a, i)->upper)))
OF(dof_comfort_lower, value_real(shown(a, i, dof_at(a, i)->comfort_lower)))
OF(dof_comfort_upper, value_real(shown(a, i, dof_at(a, i)->comfort_upper)))
OF(dof_rest, value_real(shown(a, i, dof_at(a, i)->rest)))
OF(range_lower, value_real(shown(a, i, range_of(a, i).lower)))
OF(range_upper, value_real(shown(a, i, range_of(a, i).upper)))
OF(dof_narrowed, narrowed_by(a, i))
OF(dof_parameter, value_real(syn_skeleton_parameter(a->skeleton, i, a->start)))
OF(dof_state, value_text(syn_dof_state_name(syn_skeleton_state(a->skeleton, i, a->start))))
OF(dof_slides, value_boolean(dof_at(a, i)->slides))
OF(dof_clamped, value_count(a->clamped[i]))
static const syn_result_field dof_fields[] = {
    FIELD(TEXT, "name", "Dof", "", FILE_ONLY | SYN_IN_PAGE, dof_name),
    FIELD(TEXT, "joint", "Joint", "", FILE_ONLY | SYN_IN_PAGE, dof_joint),
    FIELD(TEXT, "kind", "Kind", "", FILE_ONLY, dof_kind),
    FIELD(TEXT, "unit", "Unit", "", FILE_ONLY | SYN_IN_PAGE, dof_unit),
    FIELD(REAL, "value", "Value", "", FILE_ONLY | SYN_IN_PAGE, dof_value),
    FIELD(REAL, "asked", "Asked for", "", FILE_ONLY | SYN_IN_PAGE, dof_asked),
    FIELD(REAL, "lower", "Lower limit", "", FILE_ONLY | SYN_IN_PAGE, dof_lower),
    FIELD(REAL, "upper", "Upper limit", "", FILE_ONLY | SYN_IN_PAGE, dof_upper),
    FIELD(REAL, "comfort_lower", "Comfortable from", "", FILE_ONLY, dof_comfort_lower),
    FIELD(REAL, "comfort_upper", "to", "", FILE_ONLY, dof_comfort_upper),
    FIELD(REAL, "rest", "At rest", "", FILE_ONLY, dof_rest),
    FIELD(REAL, "range_lower", "In force from", "", FILE_ONLY | SYN_IN_PAGE, range_lower),
    FIELD(REAL, "range_upper", "to", "", FILE_ONLY | SYN_IN_PAGE, range_upper),
    FIELD(TEXT, "narrowed_by", "Narrowed by", "", FILE_ONLY | SYN_IN_PAGE, dof_narrowed),
    FIELD(REAL, "parameter", "Parameter", "", FILE_ONLY, dof_parameter),
    FIELD(TEXT, "state", "State", "", FILE_ONLY | SYN_IN_PAGE, dof_state),
    FIELD(BOOLEAN, "slides", "Its axis slides", "", FILE_ONLY, dof_slides),
    FIELD(INTEGER, "clamped_postures", "Postures that clamp it", "", FILE_ONLY, dof_clamped)};
const syn_record syn_skeleton_dof_record = RECORD("dofs", dof_fields);

/* ---- joints and bodies ------------------------------------------------------------------------------------------- */

static const syn_skeleton_joint *joint_at(const syn_skeleton_analysis *a, size_t i) {
  return &a->skeleton->description.joints[i];
}
OF(joint_name, value_text(joint_at(a, i)->name))
OF(joint_parent, value_text(joint_at(a, i)->parent))
OF(joint_type, value_text(syn_joint_type_name(joint_at(a, i)->type)))
OF(joint_anatomical, value_text(joint_at(a, i)->anatomical))
OF(joint_dof_count, value_count(joint_at(a, i)->dof_count))
OF(joint_origin, value_point(a->joints[i].translation))
static const syn_result_field joint_fields[] = {
    FIELD(TEXT, "name", "Joint", "", FILE_ONLY, joint_name),
    FIELD(TEXT, "parent", "Parent", "", FILE_ONLY, joint_parent),
    FIELD(TEXT, "type", "Type", "", FILE_ONLY, joint_type),
    FIELD(TEXT, "anatomical", "Anatomical type", "", FILE_ONLY, joint_anatomical),
    FIELD(INTEGER, "dof_count", "Dofs", "", FILE_ONLY, joint_dof_count),
    FIELD(POINT, "origin", "Origin", "mm", FILE_ONLY, joint_origin)};
static const syn_record joint_record = RECORD("joints", joint_fields);

static double pose_entry(const void *pose, size_t i) {
  double matrix[16];
  syn_pose_to_matrix(pose, matrix);
  return matrix[i];
}

static const syn_skeleton_body *body_at(const syn_skeleton_analysis *a, size_t i) {
  return &a->skeleton->description.bodies[i];
}
OF(skeleton_body_name, value_text(body_at(a, i)->body.name))
OF(body_joint, value_text(body_at(a, i)->joint))
OF(body_tissue, value_text(syn_tissue_name(body_at(a, i)->body.tissue)))
OF(body_mesh, value_text(body_at(a, i)->body.mesh_file))
OF(body_triangles,
   body_at(a, i)->body.surface ? value_count(body_at(a, i)->body.surface->triangle_count) : value_none())
OF(body_left_out, a->left_out && a->left_out[i] ? value_count(a->left_out[i]) : value_none())
OF(body_pose, value_numbers(pose_entry, &a->bodies[i], 16))
static const syn_result_field body_fields[] = {
    FIELD(TEXT, "name", "Body", "", FILE_ONLY, skeleton_body_name),
    FIELD(TEXT, "joint", "Joint", "", FILE_ONLY, body_joint),
    FIELD(TEXT, "tissue", "Tissue", "", FILE_ONLY, body_tissue),
    FIELD(TEXT, "mesh", "Mesh", "", FILE_ONLY, body_mesh),
    FIELD(INTEGER, "triangles", "Triangles", "", FILE_ONLY, body_triangles),
    FIELD(INTEGER, "joint_surface_triangles", "Triangles of its joint surface", "", FILE_ONLY, body_left_out),
    FIELD(NUMBERS, "pose", "Pose", "", FILE_ONLY, body_pose)};
static const syn_record body_record = RECORD("bodies", body_fields);

/* ---- contacts -----------------------------------------------------------------------------------------------------
 * The number of an item is posture * pair_count + pair. */

static const syn_skeleton_pair *pair_of(const syn_skeleton_analysis *a, size_t i) {
  return &a->pairs[i % a->pair_count];
}

static bool is_touch(const void *object, size_t i) {
  return ((const syn_skeleton_analysis *)object)->touches[i].touching;
}

static syn_value level_of(const syn_skeleton_analysis *a, size_t i) {
  const size_t level = pair_of(a, i)->level;
  return value_text(level == SIZE_MAX ? NULL : dof_at(a, level)->name);
}

OF(touch_posture, value_count(i / a->pair_count))
OF(touch_time, value_real(a->times_s[i / a->pair_count]))
OF(touch_fixed, value_text(body_name(a, pair_of(a, i)->fixed)))
OF(touch_mobile, value_text(body_name(a, pair_of(a, i)->mobile)))
OF(touch_level, level_of(a, i))
OF(touch_count, value_count(a->touches[i].contact_count))
OF(touch_depth, value_real(a->touches[i].depth_mm))
OF(touch_point, vec3_finite(a->touches[i].point) ? value_point(a->touches[i].point) : value_none())
static const syn_result_field touch_fields[] = {
    FIELD(INTEGER, "posture", "Posture", "", FILE_ONLY, touch_posture),
    FIELD(REAL, "time_s", "Time", "s", FILE_ONLY, touch_time),
    FIELD(TEXT, "fixed", "Fixed", "", FILE_ONLY | SYN_IN_PAGE, touch_fixed),
    FIELD(TEXT, "mobile", "Mobile", "", FILE_ONLY | SYN_IN_PAGE, touch_mobile),
    FIELD(TEXT, "about", "About", "", FILE_ONLY, touch_level),
    FIELD(INTEGER, "contact_count", "Contacts", "", FILE_ONLY | SYN_IN_PAGE, touch_count),
    FIELD(REAL, "depth_mm", "Deepest", "mm", FILE_ONLY | SYN_IN_PAGE, touch_depth),
    FIELD(POINT, "point", "At", "mm", FILE_ONLY, touch_point)};
const syn_record syn_skeleton_touch_record = RECORD("contacts", touch_fields);

/* ---- ranges ------------------------------------------------------------------------------------------------------ */

/* Returns one end of a range: the number is 2 * range + end. */
static const syn_skeleton_stop *stop_at(const syn_skeleton_analysis *a, size_t i) {
  return i % 2 ? &a->ranges[i / 2].upper : &a->ranges[i / 2].lower;
}
static const syn_skeleton_pair *stop_pair(const syn_skeleton_analysis *a, size_t i) {
  return stop_at(a, i)->pair == SIZE_MAX ? NULL : &a->pairs[stop_at(a, i)->pair];
}
static const char *touch_words(const syn_skeleton_stop *s) {
  if (!s->by_contact) return NULL;
  return s->touch != SYN_EVENT_NONE ? syn_event_kind_name(s->touch) : syn_contact_of_name(s->of);
}
OF(stop_value, value_real(shown(a, a->ranges[i / 2].dof, stop_at(a, i)->value)))
OF(stop_contact, value_boolean(stop_at(a, i)->by_contact))
OF(stop_fixed, value_text(stop_pair(a, i) ? body_name(a, stop_pair(a, i)->fixed) : NULL))
OF(stop_mobile, value_text(stop_pair(a, i) ? body_name(a, stop_pair(a, i)->mobile) : NULL))
OF(stop_kind, value_text(touch_words(stop_at(a, i))))
OF(stop_point, vec3_finite(stop_at(a, i)->point) ? value_point(stop_at(a, i)->point) : value_none())
static const syn_result_field stop_fields[] = {
    FIELD(REAL, "value", "Ends at", "", FILE_ONLY, stop_value),
    FIELD(BOOLEAN, "by_contact", "Stopped by a contact", "", FILE_ONLY, stop_contact),
    FIELD(TEXT, "fixed", "On", "", FILE_ONLY, stop_fixed),
    FIELD(TEXT, "mobile", "Stopped by", "", FILE_ONLY, stop_mobile),
    FIELD(TEXT, "kind", "Contact", "", FILE_ONLY, stop_kind),
    FIELD(POINT, "point", "At", "mm", FILE_ONLY, stop_point)};
static const syn_record stop_record = RECORD("stop", stop_fields);

static syn_value stopped_by(const syn_skeleton_analysis *a, size_t i) {
  const syn_skeleton_pair *pair = stop_pair(a, i);
  return pair ? syn_value_words("%.50s on %.50s", body_name(a, pair->mobile), body_name(a, pair->fixed)) : value_none();
}

OF(range_dof, value_text(dof_at(a, a->ranges[i].dof)->name))
OF(range_unit, value_text(turns(a, a->ranges[i].dof) ? "deg" : "mm"))
OF(range_start, value_real(shown(a, a->ranges[i].dof, a->ranges[i].start)))
OF(force_lower, value_real(shown(a, a->ranges[i].dof, a->ranges[i].in_force.lower)))
OF(force_upper, value_real(shown(a, a->ranges[i].dof, a->ranges[i].in_force.upper)))
OF(range_exact, value_boolean(a->ranges[i].exact))
OF(range_overlaps, value_count(a->ranges[i].overlap_count))
OF(range_down, value_record(a, 2 * i))
OF(range_up, value_record(a, 2 * i + 1))
OF(range_down_value, value_real(shown(a, a->ranges[i].dof, a->ranges[i].lower.value)))
OF(range_up_value, value_real(shown(a, a->ranges[i].dof, a->ranges[i].upper.value)))
OF(range_down_by, stopped_by(a, 2 * i))
OF(range_up_by, stopped_by(a, 2 * i + 1))
static const syn_result_field range_fields[] = {
    FIELD(TEXT, "dof", "Dof", "", FILE_ONLY | SYN_IN_PAGE, range_dof),
    FIELD(TEXT, "unit", "Unit", "", FILE_ONLY | SYN_IN_PAGE, range_unit),
    FIELD(REAL, "start", "From", "", FILE_ONLY | SYN_IN_PAGE, range_start),
    FIELD(REAL, "range_lower", "In force from", "", FILE_ONLY, force_lower),
    FIELD(REAL, "range_upper", "to", "", FILE_ONLY, force_upper),
    FIELD(BOOLEAN, "exact", "In closed form", "", FILE_ONLY, range_exact),
    FIELD(INTEGER, "overlapping_pairs", "Pairs that overlap at the start", "", FILE_ONLY, range_overlaps),
    FIELD_OF(RECORD, stop_record, "lower", "Down to", FILE_ONLY, range_down),
    FIELD_OF(RECORD, stop_record, "upper", "Up to", FILE_ONLY, range_up),
    FIELD(REAL, "down", "Down to", "", SYN_IN_PAGE, range_down_value),
    FIELD(TEXT, "down_by", "Stopped by", "", SYN_IN_PAGE, range_down_by),
    FIELD(REAL, "up", "Up to", "", SYN_IN_PAGE, range_up_value),
    FIELD(TEXT, "up_by", "Stopped by", "", SYN_IN_PAGE, range_up_by)};
const syn_record syn_skeleton_range_record = RECORD("ranges", range_fields);

/* ---- all fields -------------------------------------------------------------------------------------------------- */

/* Returns a file's name without folders, which mean nothing on another computer. */
static const char *file_name(const char *path) {
  const char *slash = path ? strrchr(path, '/') : NULL;
  return slash ? slash + 1 : path;
}

static syn_value touches_of(const syn_skeleton_analysis *a) {
  if (!a->touches) return value_none();
  syn_value list = value_list(a, a->posture_count * a->pair_count);
  list.items.has = is_touch;
  return list;
}

OF(skeleton_name, value_text(a->skeleton->description.name))
OF(skeleton_dof_count, value_count(a->skeleton->dof_count))
OF(skeleton_joints, value_list(a, a->skeleton->description.joint_count))
OF(skeleton_dofs, value_list(a, a->skeleton->dof_count))
OF(skeleton_bodies, value_list(a, a->skeleton->description.body_count))
OF(skeleton_motion, value_text(file_name(a->recording_file)))
OF(skeleton_columns, a->recording_file ? value_count(a->column_count) : value_none())
OF(skeleton_postures, value_count(a->posture_count))
OF(skeleton_method, value_text(a->method))
OF(skeleton_both_roles, a->method ? value_boolean(a->both_roles) : value_none())
OF(skeleton_pairs, a->touches ? value_count(a->pair_count) : value_none())
OF(skeleton_free, a->touches ? value_count(a->free_count) : value_none())
OF(skeleton_touches, touches_of(a))
OF(skeleton_ranges, a->range_count ? value_list(a, a->range_count) : value_none())
static const syn_result_field skeleton_fields[] = {
    FIELD(TEXT, "name", "Skeleton", "", FILE_ONLY, skeleton_name),
    FIELD(INTEGER, "dof_count", "Dofs", "", FILE_ONLY, skeleton_dof_count),
    FIELD_OF(LIST, joint_record, "joints", "Joints", FILE_ONLY, skeleton_joints),
    FIELD_OF(LIST, syn_skeleton_dof_record, "dofs", "Dofs", FILE_ONLY, skeleton_dofs),
    FIELD_OF(LIST, body_record, "bodies", "Bodies", FILE_ONLY, skeleton_bodies),
    FIELD(TEXT, "motion", "Recorded motion", "", FILE_ONLY, skeleton_motion),
    FIELD(INTEGER, "motion_dofs", "Dofs that it moves", "", FILE_ONLY, skeleton_columns),
    FIELD(INTEGER, "postures", "Postures", "", FILE_ONLY, skeleton_postures),
    FIELD(TEXT, "method", "Method", "", FILE_ONLY, skeleton_method),
    FIELD(BOOLEAN, "both_roles", "Vertices of either body in the other", "", FILE_ONLY, skeleton_both_roles),
    FIELD(INTEGER, "pair_count", "Pairs that may touch", "", FILE_ONLY, skeleton_pairs),
    FIELD(INTEGER, "free_postures", "Postures without contact", "", FILE_ONLY, skeleton_free),
    FIELD_OF(LIST, syn_skeleton_touch_record, "contacts", "Contacts", FILE_ONLY, skeleton_touches),
    FIELD_OF(LIST, syn_skeleton_range_record, "ranges", "Ranges", FILE_ONLY, skeleton_ranges)};

const syn_record syn_skeleton_record = RECORD("skeleton", skeleton_fields);
