#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/memory.h"
#include "base/vec.h"
#include "clinic/hip.h"
#include "motion/rom/limit_text.h"
#include "report/hip/hip_writing.h"
#include "view/answer.h"
#include "view/view_pose.h"

/* Parts are coloured up to this distance from the surface of the socket, along the radius: cartilage, and the bone
 * behind it. */
static const double pressure_reach_mm = 4;

struct syn_view_pressure {
  const syn_context *context;
  syn_hip hip;
  syn_vec3 force; /* constant, fixed in the pelvis */
  syn_foundation *foundation;
  void *scratch;
  syn_vec3 shift;
  bool balanced; /* `shift` is that of the last pose */
  double *values[SYN_HIP_PARTS];
};

/* Layers may be refused for missing bones; for a viewer that is no failure. */
static bool refused(syn_status status) { return status == SYN_BAD_MESH || status == SYN_BAD_ARGUMENT; }

static syn_status make_foundation(syn_view_pressure *p, const syn_hip_case *hip_case, syn_error *error) {
  syn_layer socket = {0}, head = {0};
  syn_status status = syn_hip_layers_create(p->context, hip_case, NULL, &socket, &head, error);
  if (status == SYN_OK)
    status = syn_foundation_create(p->context, &socket, &head, NULL, p->hip.center, NULL, &p->foundation, error);
  syn_layer_release(&socket);
  syn_layer_release(&head);
  return status;
}

static syn_status make(syn_view_pressure *p, const syn_hip_case *hip_case, syn_error *error) {
  syn_loads loads;
  SYN_TRY(syn_loads_create(p->context, &p->hip, hip_case->anatomy, NULL, &loads, error));
  p->force = loads.poses[0].force;
  syn_loads_release(&loads);
  SYN_TRY(make_foundation(p, hip_case, error));
  SYN_TRY(syn_allocate(p->context, 1, syn_foundation_scratch(p->foundation), &p->scratch, error));
  for (int i = 0; i < SYN_HIP_PARTS; ++i)
    if (p->hip.parts[i]) SYN_TRY(SYN_NEW(p->context, &p->values[i], p->hip.parts[i]->vertex_count, error));
  return SYN_OK;
}

syn_status syn_view_pressure_create(const syn_context *context, const syn_hip_case *hip_case,
                                    syn_view_pressure **pressure, syn_error *error) {
  syn_view_pressure *p;
  *pressure = NULL;
  if (!hip_case->hip.parts[SYN_HIP_PELVIS] || !hip_case->hip.parts[SYN_HIP_FEMUR]) return SYN_OK;
  SYN_TRY(SYN_NEW_ZEROED(context, &p, 1, error));
  p->context = context;
  p->hip = hip_case->hip;
  const syn_status status = make(p, hip_case, error);
  if (status == SYN_OK) {
    *pressure = p;
    return SYN_OK;
  }
  syn_view_pressure_destroy(p);
  return refused(status) ? SYN_OK : status;
}

void syn_view_pressure_destroy(syn_view_pressure *p) {
  if (!p) return;
  syn_foundation_destroy(p->foundation);
  syn_free(p->context, p->scratch);
  for (int i = 0; i < SYN_HIP_PARTS; ++i) syn_free(p->context, p->values[i]);
  syn_free(p->context, p);
}

bool syn_view_pressure_at(syn_view_pressure *p, const syn_pose *pose, syn_pressure_step *step) {
  const syn_load_step loaded = {.pose = *pose, .force = p->force};
  p->balanced =
      syn_foundation_solve(p->foundation, &loaded, p->balanced ? &p->shift : NULL, p->scratch, step, NULL) == SYN_OK;
  p->shift = step->shift;
  for (int i = 0; i < SYN_HIP_PARTS; ++i) {
    const syn_trimesh *mesh = p->hip.parts[i];
    for (uint32_t v = 0; mesh && !p->balanced && v < mesh->vertex_count; ++v) p->values[i][v] = (double)NAN;
    if (mesh && p->balanced)
      syn_foundation_pressure_at(p->foundation, p->scratch, mesh->vertices, mesh->vertex_count,
                                 syn_hip_part_moves((syn_hip_part)i), pressure_reach_mm, p->values[i]);
  }
  return p->balanced;
}

const double *syn_view_pressure_on(const syn_view_pressure *p, syn_hip_part part) { return p->values[part]; }

/* ---- view pose ------------------------------------------------------------------------------------------------- */

static const double degrees = 180 / SYN_PI; /* per radian */
static const double reach_mm = SYN_VIEW_REACH_MM;

static const struct {
  const char *name, *label, *unit;
  syn_pose_field field; /* SYN_POSE_FIELDS: pressure */
} kinds[SYN_VIEW_FIELDS] = {
    {SYN_VIEW_DEPTH, "Depth at this pose (below 0: apart)", "mm", SYN_POSE_DEPTH},
    {SYN_VIEW_RADIAL, "Depth along the radius at this pose", "mm", SYN_POSE_RADIAL},
    {"pose_pressure", "Contact pressure at this pose, 1714 N", "MPa", SYN_POSE_FIELDS},
};
static const double least_scale_mpa = 5; /* min range of the colours of pressures */

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

/* ---- preparation ------------------------------------------------------------------------------------------------- */

/* For a hip, whose bodies are its parts, or for another joint. */
struct syn_view_poser {
  const syn_display *displays;
  const syn_context *context;
  const syn_hip_analysis *analysis; /* of a hip; else NULL */
  syn_hip hip;
  syn_pose_query *query;
  syn_view_pressure *pressure; /* created by the first request */
  bool pressure_asked;
  const syn_joint_analysis *joint; /* of another joint; else NULL */
};

static syn_status prepare(syn_view_poser *p, syn_error *error) {
  syn_body bodies[SYN_HIP_PARTS];
  const syn_joint of_hip = syn_hip_joint(&p->hip, bodies), *joint = p->joint ? p->joint->joint : &of_hip;
  return syn_pose_query_create(p->context, joint, p->joint ? p->joint->rom : p->analysis->rom, reach_mm, &p->query,
                               error);
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
  syn_pose_query_destroy(p->query);
  syn_view_pressure_destroy(p->pressure);
  syn_free(p->context, p);
}

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

static size_t body_count(const syn_view_poser *p) { return p->joint ? p->joint->joint->body_count : SYN_HIP_PARTS; }

static const char *body_name(const syn_view_poser *p, size_t body) {
  return p->joint ? p->joint->joint->bodies[body].name : syn_hip_part_name((syn_hip_part)body);
}

/* ---- the request ------------------------------------------------------------------------------------------------- */

static syn_status read_pose(const syn_json *place, syn_pose *pose, syn_error *error) {
  size_t count;
  double rows[12];
  SYN_TRY(syn_json_expect_array(place, &count, error));
  if (count != 12) return syn_json_fail(place, error, "must be 12 numbers: three rows of rotation and translation");
  for (size_t i = 0; i < 12; ++i) {
    const syn_json item = syn_json_item(place, i);
    SYN_TRY(syn_json_double(&item, &rows[i], error));
  }
  return syn_view_read_pose(rows, pose, error);
}

/* ---- fields ------------------------------------------------------------------------------------------------------ */

/* Returns a field of the analysis, the same at any pose; NULL if the body does not have it. */
static const double *find_still(const syn_view_poser *p, size_t body, const char *name) {
  syn_report_field fields[HIP_FIELDS];
  const size_t count = p->joint ? 0 : syn_hip_fields(p->analysis, (syn_hip_part)body, fields);
  for (size_t i = 0; i < count; ++i)
    if (strcmp(fields[i].name, name) == 0) return fields[i].values;
  return NULL;
}

/* ---- the answer -------------------------------------------------------------------------------------------------- */

static void pack_body(const syn_view_poser *p, size_t body, const char *name, const double *values, double reach,
                      syn_answer *to) {
  const syn_display *display = &p->displays[body];
  syn_answer_field(to, body_name(p, body), name, values, display->source, display->mesh->vertex_count, reach);
}

/* Adds the pressure under a constant load, on all parts, and its numbers; a hip without layers has none. */
static syn_status pack_pressure(syn_view_poser *p, const char *name, const syn_pose *pose, syn_answer *to,
                                syn_error *error) {
  syn_pressure_step step;
  if (!p->pressure_asked) SYN_TRY(syn_view_pressure_create(p->context, p->analysis->hip_case, &p->pressure, error));
  p->pressure_asked = true;
  if (!p->pressure) return SYN_OK;
  const bool balanced = syn_view_pressure_at(p->pressure, pose, &step);
  for (size_t i = 0; i < SYN_HIP_PARTS; ++i) {
    const double *values = p->displays[i].mesh ? syn_view_pressure_on(p->pressure, (syn_hip_part)i) : NULL;
    if (values) pack_body(p, i, name, values, 0, to);
  }
  syn_answer_number(to, "peak_pressure", "Peak pressure", "MPa", balanced ? step.total.peak_mpa : (double)NAN, NULL);
  syn_answer_number(to, "mean_pressure", "Mean pressure", "MPa", balanced ? step.total.mean_mpa : (double)NAN, NULL);
  syn_answer_number(to, "contact_area", "Contact area", "mm²", balanced ? step.total.area_mm2 : (double)NAN, NULL);
  return SYN_OK;
}

static syn_status pack_fields(syn_view_poser *p, const char *name, const syn_pose *pose, syn_answer *to,
                              syn_error *error) {
  size_t kind = 0;
  while (kind < (p->joint ? SYN_VIEW_JOINT_FIELDS : SYN_VIEW_FIELDS) && strcmp(name, kinds[kind].name) != 0) ++kind;
  const bool follows = kind < (p->joint ? SYN_VIEW_JOINT_FIELDS : SYN_VIEW_FIELDS);
  if (follows && kinds[kind].field == SYN_POSE_FIELDS && !p->joint) return pack_pressure(p, name, pose, to, error);
  bool found = false;
  const double *const *depths = follows ? syn_pose_query_depths(p->query, kinds[kind].field, pose) : NULL;
  for (size_t i = 0; i < body_count(p); ++i) {
    const double *values = !p->displays[i].mesh ? NULL : follows ? depths[i] : find_still(p, i, name);
    if (values) pack_body(p, i, name, values, follows ? reach_mm : 0, to);
    found = found || values;
  }
  if (name[0] && !found) return syn_fail(error, SYN_BAD_ARGUMENT, "field: there is no field '%.60s'", name);
  return SYN_OK;
}

static void report_clearances(const syn_view_poser *p, const syn_pose *pose, syn_answer *to) {
  size_t count;
  const syn_joint_clearance *pairs = syn_pose_query_clearances(p->query, pose, &count);
  for (size_t i = 0; i < count; ++i)
    syn_view_report_clearance(body_name(p, pairs[i].mobile), body_name(p, pairs[i].fixed), &pairs[i].clearance, to);
}

/* Writes "free_left_turn" as "Free left turn". */
static void spell(const char *name, char words[160]) {
  snprintf(words, 160, "%s", name);
  for (char *c = words; *c; ++c)
    if (*c == '_') *c = ' ';
  if (words[0] >= 'a' && words[0] <= 'z') words[0] = (char)(words[0] - 'a' + 'A');
}

/* Reports the motion of another joint, by the names of its rotations: the right-handed ones are angles. */
static void report_joint_motion(const syn_view_poser *p, const syn_pose *pose, syn_answer *to) {
  const syn_joint *joint = p->joint->joint;
  const syn_joint_angles at = syn_joint_angles_of(joint, pose);
  const double angles[SYN_JOINT_AXES] = {at.flexion, at.adduction, at.rotation};
  syn_limit limits[SYN_JOINT_AXES][2];
  char name[160], label[160], words[96];
  for (int axis = 0; axis < SYN_JOINT_AXES; ++axis) {
    spell(syn_joint_direction(joint, axis, 1), label);
    syn_answer_number(to, syn_joint_direction(joint, axis, 1), label, "°", angles[axis] * degrees, NULL);
  }
  if (!syn_pose_query_limits(p->query, pose, limits)) return;
  for (int i = 0; i < 2 * SYN_JOINT_AXES; ++i) {
    const syn_limit *limit = &limits[i / 2][i % 2];
    const bool by_bodies = limit->fixed != SYN_NONE;
    snprintf(name, sizeof name, "free_%.120s", syn_joint_direction(joint, i / 2, i % 2 ? -1 : 1));
    spell(name, label);
    syn_limit_words(limit, by_bodies ? joint->bodies[limit->mobile].name : NULL,
                    by_bodies ? joint->bodies[limit->fixed].name : NULL, words);
    syn_view_report_limit(name, label, limit, words, to);
  }
}

static syn_status answer_pose(syn_view_poser *p, const char *field, const syn_pose *pose, syn_answer *made,
                              char **bytes, size_t *size, syn_error *error) {
  SYN_TRY(pack_fields(p, field, pose, made, error));
  if (p->joint)
    report_joint_motion(p, pose, made);
  else
    syn_view_report_motion(&p->hip, p->query, pose, made);
  report_clearances(p, pose, made);
  return syn_answer_join(made, bytes, size, error);
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
  syn_answer made = {.context = p->context};
  const syn_status status = answer_pose(p, name, &pose, &made, bytes, size, error);
  syn_answer_release(&made);
  return status;
}
