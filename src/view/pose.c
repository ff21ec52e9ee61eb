#include "view/pose.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/memory.h"
#include "base/platform.h"
#include "base/vec.h"
#include "report/hip/writing.h"
#include "report/pack.h"
#include "view/pressure.h"
#include <synovia/json.h>

/* Bodies are coloured where they come as near as this, so that the rest of a bone looks like bone. */
static const double reach_mm = 5;
static const double degrees = 180 / SYN_PI; /* per radian */
static const double farthest_mm = 1e6;      /* that a pose may take a body */

static const struct {
  const char *name, *label, *unit;
  syn_pose_field field; /* SYN_POSE_FIELDS: pressure */
} kinds[SYN_VIEW_FIELDS] = {
    {"pose_depth", "Depth at this pose (below 0: apart)", "mm", SYN_POSE_DEPTH},
    {"pose_radial", "Depth along the radius at this pose", "mm", SYN_POSE_RADIAL},
    {"pose_pressure", "Contact pressure at this pose, 1714 N", "MPa", SYN_POSE_FIELDS},
};
static const double least_scale_mpa = 5; /* the colours of pressures span at least so much */

void syn_view_field(size_t index, const double *unknown, syn_report_field *field) {
  const bool depth = kinds[index].field != SYN_POSE_FIELDS;
  *field = (syn_report_field){.name = kinds[index].name,
                              .label = kinds[index].label,
                              .unit = kinds[index].unit,
                              .values = unknown,
                              .steps = 1,
                              .low = depth ? -reach_mm : 0,
                              .high = depth ? reach_mm : least_scale_mpa};
}

/* ---- preparing ----------------------------------------------------------------------------------------------------
 */

/* Of a hip, whose bodies are its parts, or of another joint. */
struct syn_view_poser {
  const syn_display *displays;
  const syn_context *context;
  const syn_hip_analysis *analysis; /* of a hip; else NULL */
  syn_hip hip;
  syn_hip_poser *hip_poser;
  syn_view_pressure *pressure; /* made when it is first asked for */
  bool pressure_asked;
  const syn_joint_analysis *joint; /* of another joint; else NULL */
  syn_joint_poser *joint_poser;
  char *scratch; /* of its range of motion */
};

static syn_status prepare(syn_view_poser *p, syn_error *error) {
  if (!p->joint) return syn_hip_poser_create(p->context, &p->hip, p->analysis->rom, reach_mm, &p->hip_poser, error);
  SYN_TRY(SYN_NEW(p->context, &p->scratch, syn_joint_rom_scratch(p->joint->rom), error));
  return syn_joint_poser_create(p->context, p->joint->joint, reach_mm, &p->joint_poser, error);
}

static syn_status create(const syn_view_poser *from, syn_view_poser **poser, syn_error *error) {
  syn_view_poser *made;
  SYN_TRY(SYN_NEW_ZEROED(from->context, &made, 1, error));
  *made = *from;
  const syn_status status = prepare(made, error);
  if (status == SYN_OK)
    *poser = made;
  else
    syn_view_poser_destroy(made);
  return status;
}

syn_status syn_view_poser_create(const syn_context *context, const syn_hip_analysis *analysis,
                                 const syn_display *displays, syn_view_poser **poser, syn_error *error) {
  return create(
      &(syn_view_poser){.analysis = analysis, .displays = displays, .context = context, .hip = analysis->hip_case->hip},
      poser, error);
}

syn_status syn_view_poser_create_joint(const syn_context *context, const syn_joint_analysis *joint,
                                       const syn_display *displays, syn_view_poser **poser, syn_error *error) {
  return create(&(syn_view_poser){.joint = joint, .displays = displays, .context = context}, poser, error);
}

void syn_view_poser_destroy(syn_view_poser *p) {
  if (!p) return;
  syn_hip_poser_destroy(p->hip_poser);
  syn_view_pressure_destroy(p->pressure);
  syn_joint_poser_destroy(p->joint_poser);
  syn_free(p->context, p->scratch);
  syn_free(p->context, p);
}

/* ---- bodies -------------------------------------------------------------------------------------------------------
 */

static size_t body_count(const syn_view_poser *p) { return p->joint ? p->joint->joint->body_count : SYN_HIP_PARTS; }

static const char *body_name(const syn_view_poser *p, size_t body) {
  return p->joint ? p->joint->joint->bodies[body].name : syn_hip_part_name((syn_hip_part)body);
}

static const double *const *depths_at(const syn_view_poser *p, syn_pose_field field, const syn_pose *pose) {
  return p->joint ? syn_joint_poser_field(p->joint_poser, field, pose) : syn_hip_poser_field(p->hip_poser, field, pose);
}

/* ---- the request --------------------------------------------------------------------------------------------------
 */

static syn_status read_pose(const syn_json *place, syn_pose *pose, syn_error *error) {
  size_t count;
  double matrix[16] = {[15] = 1};
  SYN_TRY(syn_json_expect_array(place, &count, error));
  if (count != 12) return syn_json_fail(place, error, "must be 12 numbers: three rows of rotation and translation");
  for (size_t i = 0; i < 12; ++i) {
    const syn_json item = syn_json_item(place, i);
    SYN_TRY(syn_json_double(&item, &matrix[i], error));
  }
  SYN_TRY(syn_pose_from_matrix(matrix, pose, error));
  const syn_vec3 t = pose->translation;
  if (!(fabs(t.x) <= farthest_mm && fabs(t.y) <= farthest_mm && fabs(t.z) <= farthest_mm))
    return syn_json_fail(place, error, "takes the bodies farther away than a kilometre");
  return SYN_OK;
}

/* ---- fields -------------------------------------------------------------------------------------------------------
 */

/* A field of the analysis, the same at any pose; NULL where the body does not have it. */
static const double *find_still(const syn_view_poser *p, size_t body, const char *name) {
  syn_report_field fields[HIP_FIELDS];
  const size_t count = p->joint ? 0 : hip_fields(p->analysis, (syn_hip_part)body, fields);
  for (size_t i = 0; i < count; ++i)
    if (strcmp(fields[i].name, name) == 0) return fields[i].values;
  return NULL;
}

/* ---- the answer ---------------------------------------------------------------------------------------------------
 */

/* One answer, growing. */
typedef struct answering {
  json_t *fields, *numbers, *contacts;
  bool failed;      /* jansson has found no memory */
  uint16_t *stored; /* values of the fields; as many as there are vertices shown */
  size_t count;
} answering;

/* Where nothing ever touches there is nothing to colour; a field that follows the pose also shows how far apart. */
static double shown(double value, bool follows) { return follows || value > 0 ? value : (double)NAN; }

static void pack_body(const syn_view_poser *p, size_t body, const char *name, const double *values, bool follows,
                      answering *to) {
  const syn_display *display = &p->displays[body];
  const double low = follows ? -reach_mm : 0; /* the colours span at least this */
  double high = follows ? reach_mm : 0;
  for (uint32_t i = 0; i < display->mesh->vertex_count; ++i)
    if (isfinite(values[display->source[i]])) high = fmax(high, values[display->source[i]]);
  const syn_scale scale = syn_scale_between(low, high);
  json_t *field = json_object();
  syn_json_put(field, "body", json_string(body_name(p, body)), &to->failed);
  syn_json_put(field, "name", json_string(name), &to->failed);
  syn_json_put(field, "low", json_real(scale.low), &to->failed);
  syn_json_put(field, "step", json_real(scale.step), &to->failed);
  syn_json_put(field, "offset", json_integer((json_int_t)to->count), &to->failed);
  syn_json_append(to->fields, field, &to->failed);
  for (uint32_t i = 0; i < display->mesh->vertex_count; ++i)
    to->stored[to->count++] = little16(syn_scaled(&scale, shown(values[display->source[i]], follows)));
}

/* Returns the number, to which more may be added; the answer's own. */
static json_t *add_number(answering *to, const char *name, const char *label, const char *unit, double value) {
  json_t *number = json_object();
  syn_json_put(number, "name", json_string(name), &to->failed);
  syn_json_put(number, "label", json_string(label), &to->failed);
  syn_json_put(number, "unit", json_string(unit), &to->failed);
  syn_json_put(number, "value", syn_real_to_json(value), &to->failed);
  syn_json_append(to->numbers, number, &to->failed);
  return to->failed ? NULL : number;
}

/* Pressure under a constant load, on all parts, and its numbers; a hip without layers has none. */
static syn_status pack_pressure(syn_view_poser *p, const char *name, const syn_pose *pose, answering *to,
                                syn_error *error) {
  syn_pressure_step step;
  if (!p->pressure_asked) SYN_TRY(syn_view_pressure_create(p->context, p->analysis->hip_case, &p->pressure, error));
  p->pressure_asked = true;
  if (!p->pressure) return SYN_OK;
  const bool balanced = syn_view_pressure_at(p->pressure, pose, &step);
  for (size_t i = 0; i < SYN_HIP_PARTS; ++i) {
    const double *values = p->displays[i].mesh ? syn_view_pressure_on(p->pressure, (syn_hip_part)i) : NULL;
    if (values) pack_body(p, i, name, values, false, to);
  }
  add_number(to, "peak_pressure", "Peak pressure", "MPa", balanced ? step.total.peak_mpa : (double)NAN);
  add_number(to, "mean_pressure", "Mean pressure", "MPa", balanced ? step.total.mean_mpa : (double)NAN);
  add_number(to, "contact_area", "Contact area", "mm²", balanced ? step.total.area_mm2 : (double)NAN);
  return SYN_OK;
}

static syn_status pack_fields(syn_view_poser *p, const char *name, const syn_pose *pose, answering *to,
                              syn_error *error) {
  size_t kind = 0;
  while (kind < (p->joint ? SYN_VIEW_JOINT_FIELDS : SYN_VIEW_FIELDS) && strcmp(name, kinds[kind].name) != 0) ++kind;
  const bool follows = kind < (p->joint ? SYN_VIEW_JOINT_FIELDS : SYN_VIEW_FIELDS);
  if (follows && kinds[kind].field == SYN_POSE_FIELDS && !p->joint) return pack_pressure(p, name, pose, to, error);
  bool found = false;
  const double *const *depths = follows ? depths_at(p, kinds[kind].field, pose) : NULL;
  for (size_t i = 0; i < body_count(p); ++i) {
    const double *values = !p->displays[i].mesh ? NULL : follows ? depths[i] : find_still(p, i, name);
    if (values) pack_body(p, i, name, values, follows, to);
    found = found || values;
  }
  if (name[0] && !found) return syn_fail(error, SYN_BAD_ARGUMENT, "field: there is no field '%.60s'", name);
  return SYN_OK;
}

/* Of a pair, and where its bodies touch or overlap. */
static void report_clearance(const syn_view_poser *p, size_t mobile_body, size_t fixed_body, const syn_clearance *c,
                             answering *to) {
  const char *mobile = body_name(p, mobile_body), *fixed = body_name(p, fixed_body);
  char name[288], label[288];
  snprintf(name, sizeof name, "clearance_%.120s_%.120s", mobile, fixed);
  snprintf(label, sizeof label, "Clearance, %.120s to %.120s", mobile, fixed);
  for (char *at = label; *at; ++at)
    if (*at == '_') *at = ' ';
  add_number(to, name, label, "mm", c->distance_mm);
  if (c->distance_mm <= 0) syn_json_append(to->contacts, syn_json_from_vec3(c->point_fixed), &to->failed);
}

static void report_clearances(const syn_view_poser *p, const syn_pose *pose, answering *to) {
  size_t count;
  if (p->joint) {
    const syn_joint_clearance *pairs = syn_joint_poser_clearances(p->joint_poser, pose, &count);
    for (size_t i = 0; i < count; ++i) report_clearance(p, pairs[i].mobile, pairs[i].fixed, &pairs[i].clearance, to);
    return;
  }
  const syn_part_clearance *pairs = syn_hip_poser_clearances(p->hip_poser, pose, &count);
  for (size_t i = 0; i < count; ++i) report_clearance(p, pairs[i].mobile, pairs[i].fixed, &pairs[i].clearance, to);
}

/* How far a turn goes from here. */
static void report_limit(const char *name, const char *label, const syn_hip_limit *limit, answering *to) {
  json_t *number = add_number(to, name, label, "°", syn_hip_limit_deg(limit));
  char text[96];
  if (syn_hip_limit_state(limit) != SYN_LIMIT_STOPPED)
    syn_json_put(number, "words", json_string(syn_hip_limit_words(limit, text)), &to->failed);
}

/* "free_left_turn" as "Free left turn". */
static void spell(const char *name, char words[160]) {
  snprintf(words, 160, "%s", name);
  for (char *c = words; *c; ++c)
    if (*c == '_') *c = ' ';
  if (words[0] >= 'a' && words[0] <= 'z') words[0] = (char)(words[0] - 'a' + 'A');
}

/* The same of another joint, by the names of its turns: the right-handed ones are angles. */
static void report_joint_motion(const syn_view_poser *p, const syn_pose *pose, answering *to) {
  const syn_joint *joint = p->joint->joint;
  syn_joint_motion motion = {0};
  char name[160], label[160];
  syn_joint_angles_of(joint, pose, motion.start);
  for (int axis = 0; axis < SYN_JOINT_AXES; ++axis) {
    spell(syn_joint_direction(joint, axis, 1), label);
    add_number(to, syn_joint_direction(joint, axis, 1), label, "°", motion.start[axis] * degrees);
  }
  for (int i = 0; i < 2 * SYN_JOINT_AXES; ++i) {
    syn_joint_limit limit;
    motion.axis = i / 2;
    motion.sign = i % 2 ? -1 : 1;
    syn_joint_rom_query(p->joint->rom, &motion, p->scratch, &limit);
    snprintf(name, sizeof name, "free_%.120s", syn_joint_direction(joint, motion.axis, motion.sign));
    spell(name, label);
    report_limit(name, label, &limit.limit, to);
  }
}

/* The joint's angles at the pose, and how far it may go on about each axis before it touches; below 0 it has to go
 * back first. */
static void report_motion(const syn_view_poser *p, const syn_pose *pose, answering *to) {
  static const struct {
    const char *name, *label;
  } ways[3][2] = {
      {{"free_flexion", "Free flexion"}, {"free_extension", "Free extension"}},
      {{"free_adduction", "Free adduction"}, {"free_abduction", "Free abduction"}},
      {{"free_internal_rotation", "Free internal rotation"}, {"free_external_rotation", "Free external rotation"}},
  };
  const syn_hip_angles angles = syn_hip_angles_of(&p->hip, pose);
  add_number(to, "flexion", "Flexion", "°", angles.flexion * degrees);
  add_number(to, "adduction", "Adduction", "°", angles.adduction * degrees);
  add_number(to, "rotation", "Internal rotation", "°", angles.rotation * degrees);
  syn_hip_limit limits[3][2];
  if (!syn_hip_poser_free_angles(p->hip_poser, pose, limits)) return;
  for (int i = 0; i < 6; ++i)
    report_limit(ways[i / 2][i % 2].name, ways[i / 2][i % 2].label, &limits[i / 2][i % 2], to);
}

/* Length, JSON padded to a multiple of 4, values. */
static syn_status join(const json_t *answer, const answering *made, char **bytes, size_t *size, syn_error *error) {
  char *text = made->failed ? NULL : json_dumps(answer, JSON_COMPACT);
  const size_t length = text ? strlen(text) : 0, padded = (length + 3) / 4 * 4, values = 2 * made->count;
  *size = 4 + padded + values;
  *bytes = text ? malloc(*size) : NULL;
  if (*bytes) {
    const uint32_t stated = little32((uint32_t)padded);
    memcpy(*bytes, &stated, 4);
    memcpy(*bytes + 4, text, length);
    memset(*bytes + 4 + length, ' ', padded - length);
    if (values) memcpy(*bytes + 4 + padded, made->stored, values);
  }
  free(text);
  return *bytes ? SYN_OK : syn_fail_memory(error, *size);
}

static size_t vertices_shown(const syn_view_poser *p) {
  size_t count = 0;
  for (size_t i = 0; i < body_count(p); ++i)
    if (p->displays[i].mesh) count += p->displays[i].mesh->vertex_count;
  return count;
}

static syn_status answer_pose(syn_view_poser *p, const char *field, const syn_pose *pose, answering *made, char **bytes,
                              size_t *size, syn_error *error) {
  json_t *answer = json_object();
  made->fields = json_array();
  made->numbers = json_array();
  made->contacts = json_array();
  syn_json_put(answer, "fields", made->fields, &made->failed);
  syn_json_put(answer, "numbers", made->numbers, &made->failed);
  syn_json_put(answer, "contacts", made->contacts, &made->failed);
  syn_status status = made->failed ? syn_fail_memory(error, sizeof *made) : SYN_OK;
  if (status == SYN_OK) status = pack_fields(p, field, pose, made, error);
  if (status == SYN_OK) {
    if (p->joint)
      report_joint_motion(p, pose, made);
    else
      report_motion(p, pose, made);
    report_clearances(p, pose, made);
    status = join(answer, made, bytes, size, error);
  }
  json_decref(answer);
  return status;
}

syn_status syn_view_poser_answer(syn_view_poser *p, const json_t *request, char **bytes, size_t *size,
                                 syn_error *error) {
  static const char *const keys[] = {"matrix", "field", NULL};
  const syn_json root = syn_json_root((json_t *)(uintptr_t)request, NULL);
  SYN_TRY(syn_json_expect_object(&root, error));
  SYN_TRY(syn_json_only_keys(&root, keys, error));
  const syn_json matrix = syn_json_member(&root, "matrix"), field = syn_json_member(&root, "field");
  syn_pose pose;
  const char *name;
  SYN_TRY(read_pose(&matrix, &pose, error));
  SYN_TRY(syn_json_text(&field, &name, error));
  answering made = {0};
  SYN_TRY(SYN_NEW(p->context, &made.stored, vertices_shown(p), error));
  const syn_status status = answer_pose(p, name, &pose, &made, bytes, size, error);
  syn_free(p->context, made.stored);
  return status;
}
