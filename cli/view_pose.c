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
  const char *name, *label, *method;
} kinds[CLI_POSE_FIELDS] = {
    {"pose_depth", "Depth at this pose (below 0: apart)", "distance"},
    {"pose_radial", "Depth along the radius at this pose", "radial"},
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

enum { MOVING_IN_STANDING, STANDING_IN_MOVING, ROLES, MOST_PAIRS = 6 };

/* A body that moves and one that stands. */
typedef struct body_pair {
  syn_hip_part standing, moving;
  syn_collider *colliders[CLI_POSE_FIELDS][ROLES];
  syn_distance *distance;
  syn_clearance clearance; /* the last one; a good guess for the next */
  bool has_clearance;
} body_pair;

struct cli_poser {
  syn_context context; /* one thread: for work of a few milliseconds waking others costs more than they bring */
  const cli_hip_analysis *analysis;
  const syn_display *displays;
  syn_hip hip;
  size_t pair_count;
  body_pair pairs[MOST_PAIRS];
  syn_arena arena; /* what follows */
  void *scratch;
  double *depths;                /* of one body in one other */
  double *values[SYN_HIP_PARTS]; /* the deepest of each vertex in any other; NULL where a part is missing */
};

static syn_status make_collider(const cli_poser *p, const body_pair *pair, size_t kind, int role,
                                syn_collider **collider, syn_error *error) {
  const syn_body standing = {.surface = p->hip.parts[pair->standing]}, moving = {.surface = p->hip.parts[pair->moving]};
  syn_collide_options options = syn_default_collide_options();
  options.center = p->hip.center;
  options.reach_mm = reach_mm;
  options.fixed_outside = role == MOVING_IN_STANDING;
  const bool swapped = role == STANDING_IN_MOVING;
  return syn_collider_create(&p->context, kinds[kind].method, swapped ? &moving : &standing,
                             swapped ? &standing : &moving, &options, collider, error);
}

/* A surface that is not closed has no inside to be deep in: it goes without. */
static syn_status try_collider(const cli_poser *p, body_pair *pair, size_t kind, int role, syn_error *error) {
  syn_error why;
  const syn_status status = make_collider(p, pair, kind, role, &pair->colliders[kind][role], &why);
  if (status == SYN_BAD_MESH) {
    pair->colliders[kind][role] = NULL;
    const syn_hip_part of = role == MOVING_IN_STANDING ? pair->moving : pair->standing,
                       in = role == MOVING_IN_STANDING ? pair->standing : pair->moving;
    syn_warn(&p->context, "no %s depths of the %s in the %s: %s", kinds[kind].method, syn_hip_part_name(of),
             syn_hip_part_name(in), why.message);
    return SYN_OK;
  }
  if (status != SYN_OK) *error = why;
  return status;
}

static syn_status prepare_pair(cli_poser *p, body_pair *pair, size_t *scratch, syn_error *error) {
  const syn_hip *hip = &p->hip;
  for (size_t kind = 0; kind < CLI_POSE_FIELDS; ++kind)
    for (int role = 0; role < ROLES; ++role) {
      SYN_TRY(try_collider(p, pair, kind, role, error));
      const syn_collider *made = pair->colliders[kind][role];
      const size_t bytes = made ? syn_collider_scratch(made) : 0;
      if (bytes > *scratch) *scratch = bytes;
    }
  SYN_TRY(
      syn_distance_create(hip->parts[pair->standing], hip->parts[pair->moving], &hip->center, &pair->distance, error));
  const size_t bytes = syn_distance_scratch(pair->distance);
  if (bytes > *scratch) *scratch = bytes;
  return SYN_OK;
}

static syn_status prepare(cli_poser *p, syn_error *error) {
  size_t scratch = p->analysis->roms.all ? syn_hip_rom_scratch(p->analysis->roms.all) : 0, most_vertices = 0;
  for (int m = 0; m < SYN_HIP_PARTS; ++m) {
    const syn_trimesh *mesh = p->hip.parts[m];
    if (!mesh) continue;
    if (mesh->vertex_count > most_vertices) most_vertices = mesh->vertex_count;
    SYN_TRY(SYN_TAKE(&p->arena, &p->values[m], mesh->vertex_count, error));
    for (int s = 0; s < SYN_HIP_PARTS && syn_hip_part_moves((syn_hip_part)m); ++s) {
      if (!p->hip.parts[s] || syn_hip_part_moves((syn_hip_part)s)) continue;
      body_pair *added = &p->pairs[p->pair_count++];
      added->moving = (syn_hip_part)m;
      added->standing = (syn_hip_part)s;
      SYN_TRY(prepare_pair(p, added, &scratch, error));
    }
  }
  SYN_TRY(SYN_TAKE(&p->arena, &p->depths, most_vertices, error));
  return syn_arena_take(&p->arena, scratch, 1, &p->scratch, error);
}

syn_status cli_poser_create(cli_session *session, const cli_hip_analysis *analysis, const syn_display *displays,
                            cli_poser **poser, syn_error *error) {
  cli_poser *made;
  SYN_TRY(SYN_NEW_ZEROED(&session->context, &made, 1, error));
  made->context = session->context;
  made->context.threads = 1;
  made->analysis = analysis;
  made->displays = displays;
  made->hip = analysis->hip_case->hip;
  made->arena.context = &made->context;
  const syn_status status = prepare(made, error);
  if (status == SYN_OK)
    *poser = made;
  else
    cli_poser_destroy(made);
  return status;
}

void cli_poser_destroy(cli_poser *p) {
  if (!p) return;
  for (size_t i = 0; i < p->pair_count; ++i) {
    for (size_t kind = 0; kind < CLI_POSE_FIELDS; ++kind)
      for (int role = 0; role < ROLES; ++role) syn_collider_destroy(p->pairs[i].colliders[kind][role]);
    syn_distance_destroy(p->pairs[i].distance);
  }
  syn_arena_release(&p->arena);
  const syn_context context = p->context;
  syn_free(&context, p);
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

static void deepen(const cli_poser *p, syn_hip_part part, const syn_collider *collider, const syn_pose *pose) {
  if (!collider) return;
  syn_contacts result = {.vertex_depth = p->depths};
  syn_collider_query(collider, pose, p->scratch, &result);
  for (uint32_t v = 0; v < p->hip.parts[part]->vertex_count; ++v)
    p->values[part][v] = fmax(p->values[part][v], p->depths[v]);
}

/* How deep each vertex of each body lies in any body that moves against it; NAN where none is near. */
static void find_depths(const cli_poser *p, size_t kind, const syn_pose *pose) {
  const syn_pose back = syn_pose_inverse(pose);
  for (int part = 0; part < SYN_HIP_PARTS; ++part)
    for (uint32_t v = 0; p->values[part] && v < p->hip.parts[part]->vertex_count; ++v)
      p->values[part][v] = (double)-INFINITY;
  for (size_t i = 0; i < p->pair_count; ++i) {
    const body_pair *pair = &p->pairs[i];
    deepen(p, pair->moving, pair->colliders[kind][MOVING_IN_STANDING], pose);
    deepen(p, pair->standing, pair->colliders[kind][STANDING_IN_MOVING], &back);
  }
  for (int part = 0; part < SYN_HIP_PARTS; ++part)
    for (uint32_t v = 0; p->values[part] && v < p->hip.parts[part]->vertex_count; ++v)
      if (!(p->values[part][v] >= -reach_mm)) p->values[part][v] = (double)NAN;
}

/* A field of the analysis, the same at any pose; false where the part does not have it. */
static bool find_still(const cli_poser *p, syn_hip_part part, const char *name) {
  syn_report_field fields[CLI_HIP_FIELDS];
  const size_t count = cli_hip_fields(p->analysis, part, fields);
  for (size_t i = 0; i < count; ++i) {
    if (strcmp(fields[i].name, name) != 0) continue;
    for (uint32_t v = 0; v < p->hip.parts[part]->vertex_count; ++v)
      p->values[part][v] = fields[i].values[v] > 0 ? fields[i].values[v] : (double)NAN;
    return true;
  }
  return false;
}

/* ---- the answer ---------------------------------------------------------------------------------------------------
 */

/* Fields as the page has them, growing. */
typedef struct packing {
  json_t *fields;
  uint16_t *stored; /* room for all vertices shown */
  size_t count;
} packing;

/* The colours span at least from `low` to `high`. */
static void pack_part(const cli_poser *p, syn_hip_part part, const char *name, double low, double high, packing *to) {
  const syn_display *display = &p->displays[part];
  const double *values = p->values[part];
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
    to->stored[to->count++] = little16(syn_scaled(&scale, values[display->source[i]]));
}

static syn_status pack_fields(const cli_poser *p, const char *name, const syn_pose *pose, packing *to,
                              syn_error *error) {
  size_t kind = 0;
  while (kind < CLI_POSE_FIELDS && strcmp(name, kinds[kind].name) != 0) ++kind;
  const bool follows = kind < CLI_POSE_FIELDS;
  if (follows) find_depths(p, kind, pose);
  for (int part = 0; part < SYN_HIP_PARTS; ++part)
    if (p->values[part] && (follows || find_still(p, (syn_hip_part)part, name)))
      pack_part(p, (syn_hip_part)part, name, follows ? -reach_mm : 0, follows ? reach_mm : 0, to);
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
  for (size_t i = 0; i < p->pair_count; ++i) {
    body_pair *pair = &p->pairs[i];
    const char *moving = syn_hip_part_name(pair->moving), *standing = syn_hip_part_name(pair->standing);
    syn_distance_query(pair->distance, pose, pair->has_clearance ? &pair->clearance : NULL, p->scratch,
                       &pair->clearance);
    pair->has_clearance = true;
    char name[96], label[96];
    snprintf(name, sizeof name, "clearance_%s_%s", moving, standing);
    snprintf(label, sizeof label, "Clearance, %s to %s", moving, standing);
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
    syn_hip_axis axis;
    int sign;
  } ways[] = {
      {"free_flexion", "Free flexion", SYN_AXIS_FLEXION, 1},
      {"free_extension", "Free extension", SYN_AXIS_FLEXION, -1},
      {"free_adduction", "Free adduction", SYN_AXIS_ADDUCTION, 1},
      {"free_abduction", "Free abduction", SYN_AXIS_ADDUCTION, -1},
      {"free_internal_rotation", "Free internal rotation", SYN_AXIS_ROTATION, 1},
      {"free_external_rotation", "Free external rotation", SYN_AXIS_ROTATION, -1},
  };
  const syn_hip_angles angles = syn_hip_angles_of(&p->hip, pose);
  add_number(numbers, "flexion", "Flexion", "°", angles.flexion * CLI_DEGREES);
  add_number(numbers, "adduction", "Adduction", "°", angles.adduction * CLI_DEGREES);
  add_number(numbers, "rotation", "Internal rotation", "°", angles.rotation * CLI_DEGREES);
  for (size_t i = 0; p->analysis->roms.all && i < sizeof ways / sizeof *ways; ++i) {
    syn_hip_limit limit;
    syn_hip_rom_query(p->analysis->roms.all, angles, ways[i].axis, ways[i].sign, p->scratch, &limit);
    json_t *number = add_number(numbers, ways[i].name, ways[i].label, "°", cli_stop_deg(&limit));
    char room[96];
    if (syn_hip_limit_state(&limit) != SYN_LIMIT_STOPPED)
      json_object_set_new(number, "words", json_string(cli_limit_words(&limit, room)));
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
    if (p->values[part]) count += p->displays[part].mesh->vertex_count;
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
  SYN_TRY(SYN_NEW(&p->context, &packed.stored, vertices_shown(p), error));
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
  syn_free(&p->context, packed.stored);
  return status;
}
