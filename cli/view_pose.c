#include "view_pose.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/memory.h"
#include "base/platform.h"
#include "base/vec.h"
#include "report/pack.h"

/* Bodies are coloured where they come as near as this, so that the rest of a bone looks like bone. */
static const double reach_mm = 5;
static const double farthest_mm = 1e6; /* that a pose may take a body */

static const struct {
  const char *name, *label;
  syn_pose_field field;
} kinds[CLI_POSE_FIELDS] = {
    {"pose_depth", "Depth at this pose (below 0: apart)", SYN_POSE_DEPTH},
    {"pose_radial", "Depth along the radius at this pose", SYN_POSE_RADIAL},
};

void cli_pose_field(size_t index, const double *unknown, syn_report_field *field) {
  *field = (syn_report_field){.name = kinds[index].name,
                              .label = kinds[index].label,
                              .unit = "mm",
                              .values = unknown,
                              .steps = 1,
                              .low = -reach_mm,
                              .high = reach_mm};
}

/* ---- preparing ----------------------------------------------------------------------------------------------------
 */

struct cli_poser {
  const syn_hip_analysis *analysis;
  const syn_display *displays;
  const syn_context *context;
  syn_hip hip;
  syn_hip_poser *poser;
};

syn_status cli_poser_create(cli_session *session, const syn_hip_analysis *analysis, const syn_display *displays,
                            cli_poser **poser, syn_error *error) {
  cli_poser *made;
  SYN_TRY(SYN_NEW_ZEROED(&session->context, &made, 1, error));
  *made = (cli_poser){
      .analysis = analysis, .displays = displays, .context = &session->context, .hip = analysis->hip_case->hip};
  const syn_status status =
      syn_hip_poser_create(&session->context, &made->hip, analysis->rom, reach_mm, &made->poser, error);
  if (status == SYN_OK)
    *poser = made;
  else
    cli_poser_destroy(made);
  return status;
}

void cli_poser_destroy(cli_poser *p) {
  if (!p) return;
  syn_hip_poser_destroy(p->poser);
  syn_free(p->context, p);
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
    return syn_json_fail(place, error, "takes the femur farther away than a kilometre");
  return SYN_OK;
}

/* ---- fields -------------------------------------------------------------------------------------------------------
 */

/* A field of the analysis, the same at any pose; NULL where the part does not have it. */
static const double *find_still(const cli_poser *p, syn_hip_part part, const char *name) {
  syn_report_field fields[HIP_FIELDS];
  const size_t count = hip_fields(p->analysis, part, fields);
  for (size_t i = 0; i < count; ++i)
    if (strcmp(fields[i].name, name) == 0) return fields[i].values;
  return NULL;
}

/* ---- the answer ---------------------------------------------------------------------------------------------------
 */

/* Fields as the page has them, growing. */
typedef struct packing {
  json_t *fields;
  uint16_t *stored; /* room for all vertices shown */
  size_t count;
} packing;

/* Where nothing ever touches there is nothing to colour; a field that follows the pose also tells how far apart. */
static double shown(double value, bool follows) { return follows || value > 0 ? value : (double)NAN; }

static void pack_part(const cli_poser *p, syn_hip_part part, const char *name, const double *values, bool follows,
                      packing *to) {
  const syn_display *display = &p->displays[part];
  const double low = follows ? -reach_mm : 0; /* the colours span at least this */
  double high = follows ? reach_mm : 0;
  for (uint32_t i = 0; i < display->mesh->vertex_count; ++i)
    if (isfinite(values[display->source[i]])) high = fmax(high, values[display->source[i]]);
  const syn_scale scale = syn_scale_between(low, high);
  json_t *field = json_object();
  json_object_set_new(field, "body", json_string(syn_hip_part_name(part)));
  json_object_set_new(field, "name", json_string(name));
  json_object_set_new(field, "low", json_real(scale.low));
  json_object_set_new(field, "step", json_real(scale.step));
  json_object_set_new(field, "offset", json_integer((json_int_t)to->count));
  json_array_append_new(to->fields, field);
  for (uint32_t i = 0; i < display->mesh->vertex_count; ++i)
    to->stored[to->count++] = little16(syn_scaled(&scale, shown(values[display->source[i]], follows)));
}

static syn_status pack_fields(const cli_poser *p, const char *name, const syn_pose *pose, packing *to,
                              syn_error *error) {
  size_t kind = 0;
  while (kind < CLI_POSE_FIELDS && strcmp(name, kinds[kind].name) != 0) ++kind;
  const bool follows = kind < CLI_POSE_FIELDS;
  const double *const *depths = follows ? syn_hip_poser_field(p->poser, kinds[kind].field, pose) : NULL;
  for (int i = 0; i < SYN_HIP_PARTS; ++i) {
    const syn_hip_part part = (syn_hip_part)i;
    const double *values = !p->hip.parts[part] ? NULL : follows ? depths[part] : find_still(p, part, name);
    if (values) pack_part(p, part, name, values, follows, to);
  }
  if (name[0] && json_array_size(to->fields) == 0)
    return syn_fail(error, SYN_BAD_ARGUMENT, "field: there is no field '%.60s'", name);
  return SYN_OK;
}

/* Returns the number, to which more may be added. */
static json_t *add_number(json_t *numbers, const char *name, const char *label, const char *unit, double value) {
  json_t *number = json_object();
  json_object_set_new(number, "name", json_string(name));
  json_object_set_new(number, "label", json_string(label));
  json_object_set_new(number, "unit", json_string(unit));
  json_object_set_new(number, "value", cli_real(value));
  json_array_append_new(numbers, number);
  return number;
}

/* Of every pair, and where bodies touch or overlap. */
static void tell_clearances(cli_poser *p, const syn_pose *pose, json_t *numbers, json_t *contacts) {
  size_t count;
  const syn_part_clearance *pairs = syn_hip_poser_clearances(p->poser, pose, &count);
  for (size_t i = 0; i < count; ++i) {
    const syn_part_clearance *pair = &pairs[i];
    const char *mobile = syn_hip_part_name(pair->mobile), *fixed = syn_hip_part_name(pair->fixed);
    char name[96], label[96];
    snprintf(name, sizeof name, "clearance_%s_%s", mobile, fixed);
    snprintf(label, sizeof label, "Clearance, %s to %s", mobile, fixed);
    for (char *c = label; *c; ++c)
      if (*c == '_') *c = ' ';
    add_number(numbers, name, label, "mm", pair->clearance.distance_mm);
    if (pair->clearance.distance_mm <= 0)
      json_array_append_new(contacts, syn_json_from_vec3(pair->clearance.point_fixed));
  }
}

/* The joint's angles at the pose, and how far it may go on about each axis before it touches; below 0 it has to go
 * back first. */
static void tell_motion(const cli_poser *p, const syn_pose *pose, json_t *numbers) {
  static const struct {
    const char *name, *label;
  } ways[3][2] = {
      {{"free_flexion", "Free flexion"}, {"free_extension", "Free extension"}},
      {{"free_adduction", "Free adduction"}, {"free_abduction", "Free abduction"}},
      {{"free_internal_rotation", "Free internal rotation"}, {"free_external_rotation", "Free external rotation"}},
  };
  const syn_hip_angles angles = syn_hip_angles_of(&p->hip, pose);
  add_number(numbers, "flexion", "Flexion", "°", angles.flexion * CLI_DEGREES);
  add_number(numbers, "adduction", "Adduction", "°", angles.adduction * CLI_DEGREES);
  add_number(numbers, "rotation", "Internal rotation", "°", angles.rotation * CLI_DEGREES);
  syn_hip_limit limits[3][2];
  if (!syn_hip_poser_free_angles(p->poser, pose, limits)) return;
  for (int i = 0; i < 6; ++i) {
    const syn_hip_limit *limit = &limits[i / 2][i % 2];
    json_t *number =
        add_number(numbers, ways[i / 2][i % 2].name, ways[i / 2][i % 2].label, "°", syn_hip_limit_deg(limit));
    char room[96];
    if (syn_hip_limit_state(limit) != SYN_LIMIT_STOPPED)
      json_object_set_new(number, "words", json_string(syn_hip_limit_words(limit, room)));
  }
}

/* Length, JSON padded to a multiple of 4, values. */
static syn_status join(json_t *answer, const packing *packed, char **bytes, size_t *size, syn_error *error) {
  char *text = json_dumps(answer, JSON_COMPACT);
  const size_t length = text ? strlen(text) : 0, padded = (length + 3) / 4 * 4, values = 2 * packed->count;
  *size = 4 + padded + values;
  *bytes = text ? malloc(*size) : NULL;
  if (*bytes) {
    const uint32_t told = little32((uint32_t)padded);
    memcpy(*bytes, &told, 4);
    memcpy(*bytes + 4, text, length);
    memset(*bytes + 4 + length, ' ', padded - length);
    if (values) memcpy(*bytes + 4 + padded, packed->stored, values);
  }
  free(text);
  return *bytes ? SYN_OK : syn_fail_memory(error, *size);
}

static size_t vertices_shown(const cli_poser *p) {
  size_t count = 0;
  for (int part = 0; part < SYN_HIP_PARTS; ++part)
    if (p->hip.parts[part]) count += p->displays[part].mesh->vertex_count;
  return count;
}

syn_status cli_poser_answer(cli_poser *p, const json_t *request, char **bytes, size_t *size, syn_error *error) {
  static const char *const keys[] = {"matrix", "field", NULL};
  const syn_json root = syn_json_root((json_t *)(uintptr_t)request, NULL);
  SYN_TRY(syn_json_expect_object(&root, error));
  SYN_TRY(syn_json_only_keys(&root, keys, error));
  const syn_json matrix = syn_json_member(&root, "matrix"), field = syn_json_member(&root, "field");
  syn_pose pose;
  const char *name;
  SYN_TRY(read_pose(&matrix, &pose, error));
  SYN_TRY(syn_json_text(&field, &name, error));
  packing packed = {0};
  SYN_TRY(SYN_NEW(p->context, &packed.stored, vertices_shown(p), error));
  packed.fields = json_array();
  json_t *answer = json_object(), *numbers = json_array(), *contacts = json_array();
  json_object_set_new(answer, "fields", packed.fields);
  json_object_set_new(answer, "numbers", numbers);
  json_object_set_new(answer, "contacts", contacts);
  syn_status status = pack_fields(p, name, &pose, &packed, error);
  if (status == SYN_OK) {
    tell_motion(p, &pose, numbers);
    tell_clearances(p, &pose, numbers, contacts);
    status = join(answer, &packed, bytes, size, error);
  }
  json_decref(answer);
  syn_free(p->context, packed.stored);
  return status;
}
