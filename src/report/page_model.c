/* Checks a report before its page is made, and refuses what a page cannot show. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/vec.h"
#include "clinic/measure/measure.h"
#include "clinic/rom/hip_rom.h"
#include "report/display.h"
#include "report/html.h"
#include "report/pack.h"
#include "report/page_model.h"
#include "report/page_parts.h"

/* ---- check ----------------------------------------------------------------------------------------------------- */
/* Checks a report before its page is made, and refuses what a page cannot show. */

static bool pose_finite(const syn_pose *pose) {
  return vec3_finite(pose->rotation.row[0]) && vec3_finite(pose->rotation.row[1]) &&
         vec3_finite(pose->rotation.row[2]) && vec3_finite(pose->translation);
}

const syn_pose *syn_report_pose(const syn_report_motion *motion, size_t step, size_t body) {
  return motion->body_poses ? &motion->body_poses[body * motion->pose_count + step] : &motion->poses[step];
}

static syn_status check_motion(const syn_report_motion *motion, size_t body_count, syn_error *error) {
  if (!motion->name) return syn_fail(error, SYN_BAD_ARGUMENT, "a motion of the report has no name");
  const size_t bodies = motion->body_poses ? body_count : 1;
  for (size_t i = 0; i < motion->pose_count; ++i)
    for (size_t body = 0; body < bodies; ++body)
      if (!pose_finite(syn_report_pose(motion, i, body)) || !isfinite(motion->along[i]))
        return syn_fail(error, SYN_BAD_ARGUMENT, "pose %zu of the motion %s is not finite, or where it lies along it",
                        i, motion->name);
  return SYN_OK;
}

static const syn_report_motion *motion_named(const syn_report *report, const char *name) {
  for (size_t i = 0; name && i < report->motion_count; ++i)
    if (strcmp(report->motions[i].name, name) == 0) return &report->motions[i];
  return NULL;
}

static syn_status check_steps(const syn_report *report, const syn_report_body *body, const char *name, size_t steps,
                              const char *along, syn_error *error) {
  if (!name) name = "without a name";
  if (steps == 1 && !along) return SYN_OK;
  const syn_report_motion *motion = motion_named(report, along);
  if (!motion)
    return syn_fail(error, SYN_BAD_ARGUMENT, "the field %s of %s has %zu steps along a motion that the report lacks",
                    name, body->body.name, steps);
  if (steps != motion->pose_count)
    return syn_fail(error, SYN_BAD_ARGUMENT, "the field %s of %s has %zu steps, but the motion %s has %zu poses", name,
                    body->body.name, steps, motion->name, motion->pose_count);
  return SYN_OK;
}

static syn_status check_vectors(const syn_report *report, const syn_report_body *body,
                                const syn_report_vectors *vectors, syn_error *error) {
  SYN_TRY(check_steps(report, body, vectors->name, vectors->steps, vectors->motion, error));
  const size_t count = body->body.surface->vertex_count;
  for (size_t i = 0; vectors->displaces && i < vectors->steps * count; ++i)
    if (!vec3_finite(vectors->values[i]))
      return syn_fail(error, SYN_BAD_ARGUMENT, "the place of vertex %zu of %s at step %zu of %s is not finite",
                      i % count, body->body.name, i / count, vectors->motion ? vectors->motion : "the report");
  return SYN_OK;
}

static syn_status check_image(const syn_report_image *image, syn_error *error) {
  enum { MOST = 4096 };
  const bool good = image->width - 1 < MOST && image->height - 1 < MOST && image->label && image->pixels;
  return good ? SYN_OK
              : syn_fail(error, SYN_BAD_ARGUMENT, "an image of the report needs a label and 1 to 4096 pixels each way");
}

syn_status syn_report_check(const syn_report *report, syn_error *error) {
  if (!report->kind || !report->title) return syn_fail(error, SYN_BAD_ARGUMENT, "a report needs a kind and a title");
  for (size_t i = 0; i < report->image_count; ++i) SYN_TRY(check_image(&report->images[i], error));
  for (size_t i = 0; i < report->motion_count; ++i)
    SYN_TRY(check_motion(&report->motions[i], report->body_count, error));
  for (size_t i = 0; i < report->body_count; ++i) {
    const syn_report_body *body = &report->bodies[i];
    if (!body->body.name || !body->body.surface)
      return syn_fail(error, SYN_BAD_ARGUMENT, "body %zu of the report has no name or no mesh", i);
    for (size_t k = 0; k < body->field_count; ++k) {
      const syn_report_field *field = &body->fields[k];
      SYN_TRY(check_steps(report, body, field->name, field->steps, field->motion, error));
    }
    for (size_t k = 0; k < body->vector_count; ++k) SYN_TRY(check_vectors(report, body, &body->vectors[k], error));
  }
  return SYN_OK;
}

/* ---- page model ------------------------------------------------------------------------------------------------ */

/* The first failure is kept and leaves null in the model, which is then discarded, so one check at the end is enough.
 * jansson passes on NULL if it is out of memory. */
typedef struct maker {
  const syn_report *report;
  const syn_display *displays;
  syn_blobs *blobs;
  const syn_context *context;
  syn_error *error;
  syn_status status; /* the first failure stays */
} maker;

static json_t *text(maker *m, const char *value) {
  json_t *clean = m->status == SYN_OK ? syn_json_clean(m->context, value) : NULL;
  if (clean) return clean;
  if (m->status == SYN_OK) m->status = syn_fail(m->error, SYN_NO_MEMORY, "there is not enough memory for the report");
  return json_null();
}
static json_t *text_or_null(maker *m, const char *value) { return value ? text(m, value) : json_null(); }

/* Makes an array of `count` items; NULL if any item is NULL. */
static json_t *list(maker *m, size_t count, json_t *(*item)(maker *m, const void *of, size_t index), const void *of) {
  json_t *array = json_array();
  for (size_t i = 0; array && i < count; ++i)
    if (json_array_append_new(array, item(m, of, i)) != 0) {
      json_decref(array);
      array = NULL;
    }
  return array;
}

static json_t *number_item(maker *m, const void *of, size_t index) {
  (void)m;
  return syn_json_number(((const double *)of)[index]);
}
static json_t *numbers(maker *m, const double *values, size_t count) { return list(m, count, number_item, values); }

static json_t *text_item(maker *m, const void *of, size_t index) { return text(m, ((const char *const *)of)[index]); }

static json_t *text_or_null_item(maker *m, const void *of, size_t index) {
  return text_or_null(m, ((const char *const *)of)[index]);
}

static json_t *blob_name(size_t number) { return json_sprintf("blob-%zu", number); }

/* ---- frame ------------------------------------------------------------------------------------------------------- */

static json_t *axes(const syn_hip_axes *a) {
  return json_pack("{s:o, s:o, s:o}", "flexion", syn_json_from_vec3(a->flexion), "adduction",
                   syn_json_from_vec3(a->adduction), "rotation", syn_json_from_vec3(a->rotation));
}

/* "Left turn / right turn" of an axis. */
static json_t *axis_label(const syn_joint *joint, int axis) {
  char words[160];
  snprintf(words, sizeof words, "%.70s / %.70s", syn_joint_direction(joint, axis, 1),
           syn_joint_direction(joint, axis, -1));
  for (char *c = words; *c; ++c)
    if (*c == '_') *c = ' ';
  words[0] = (char)(words[0] >= 'a' && words[0] <= 'z' ? words[0] - 'a' + 'A' : words[0]);
  return syn_json_clean(joint->context, words);
}

/* A joint that is not a hip is viewed along its axes. */
static json_t *looks(const syn_joint *joint) {
  return json_pack("[{s:s, s:o}, {s:s, s:o}, {s:s, s:o}]", "name", "lateral", "label", axis_label(joint, 0), "name",
                   "anterior", "label", axis_label(joint, 1), "name", "above", "label", axis_label(joint, 2));
}

/* Without a joint, bodies are viewed along the axes of their world. */
static json_t *world_looks(void) {
  return json_pack("[{s:s, s:s}, {s:s, s:s}, {s:s, s:s}]", "name", "anterior", "label", "Against y", "name", "lateral",
                   "label", "Against x", "name", "above", "label", "Against z");
}

/* Adds the members for joints that are no hips, or for bodies without a joint. */
static bool add_looks(const syn_report *report, json_t *frame) {
  const syn_joint *joint = report->joint;
  bool failed = !frame;
  if (report->hip) return !failed;
  syn_json_put(frame, "looks", joint ? looks(joint) : world_looks(), &failed);
  if (!joint) syn_json_put(frame, "whole", json_true(), &failed);
  if (joint && !joint->side_unknown)
    syn_json_put(frame, "letter", json_string(joint->side == SYN_SIDE_LEFT ? "L" : "R"), &failed);
  return !failed;
}

static json_t *frame(const syn_report *report) {
  const syn_report_frame f = syn_report_frame_of(report);
  json_t *value =
      json_pack("{s:s, s:o, s:o, s:o, s:o, s:o}", "side", f.side == SYN_SIDE_LEFT ? "left" : "right", "center",
                syn_json_from_vec3(f.center), "right", syn_json_from_vec3(f.right), "forward",
                syn_json_from_vec3(f.forward), "up", syn_json_from_vec3(f.up), "cup", syn_json_from_vec3(f.cup));
  if (!add_looks(report, value)) {
    json_decref(value);
    return NULL;
  }
  if (value && report->hip) {
    json_t *joint = json_pack("{s:o, s:o, s:o}", "pelvis", axes(&report->hip->pelvis_axes), "femur",
                              axes(&report->hip->femur_axes), "seat", syn_json_from_vec3(report->hip->seat));
    if (json_object_set_new(value, "joint", joint) != 0) {
      json_decref(value);
      return NULL;
    }
  }
  return value;
}

/* ---- bodies ------------------------------------------------------------------------------------------------------ */

/* Sets a member whose key the caller chose. Takes the reference of the value. */
static void set(maker *m, json_t *object, const char *key, json_t *value) {
  json_t *clean = text(m, key);
  if (!json_is_string(clean))
    json_decref(value);
  else if (json_object_set_new(object, json_string_value(clean), value) != 0)
    m->status = syn_fail(m->error, SYN_NO_MEMORY, "there is not enough memory for the report");
  json_decref(clean);
}

typedef struct shown_body {
  const syn_report_body *body;
  const syn_display *display;
} shown_body;

static json_t *field_item(maker *m, const void *of, size_t index) {
  const shown_body *shown = of;
  const syn_report_field *field = &shown->body->fields[index];
  syn_packed_field packed = {0};
  if (m->status == SYN_OK)
    m->status =
        syn_pack_field(m->blobs, field, shown->body->body.surface->vertex_count, shown->display, &packed, m->error);
  if (m->status != SYN_OK) return json_null();
  return json_pack("{s:o, s:o, s:o, s:o, s:f, s:f, s:I, s:o}", "name", text(m, field->name), "label",
                   text(m, field->label), "unit", text(m, field->unit), "blob", blob_name(packed.blob), "low",
                   packed.low, "step", packed.step, "steps", (json_int_t)field->steps, "motion",
                   text_or_null(m, field->motion));
}

static json_t *vectors_item(maker *m, const void *of, size_t index) {
  const shown_body *shown = of;
  const syn_report_vectors *vectors = &shown->body->vectors[index];
  syn_packed_vectors packed = {0};
  if (m->status == SYN_OK)
    m->status =
        syn_pack_vectors(m->blobs, vectors, shown->body->body.surface->vertex_count, shown->display, &packed, m->error);
  if (m->status != SYN_OK) return json_null();
  return json_pack("{s:o, s:o, s:o, s:o, s:f, s:f, s:I, s:o, s:b}", "name", text(m, vectors->name), "label",
                   text(m, vectors->label), "unit", text(m, vectors->unit), "blob", blob_name(packed.blob), "step",
                   packed.step, "longest", packed.longest, "steps", (json_int_t)vectors->steps, "motion",
                   text_or_null(m, vectors->motion), "displaces", vectors->displaces);
}

static json_t *body_item(maker *m, const void *of, size_t index) {
  const shown_body shown = {&((const syn_report_body *)of)[index], &m->displays[index]};
  const syn_report_body *body = shown.body;
  const syn_trimesh *mesh = shown.display->mesh;
  syn_packed_mesh packed = {0};
  if (m->status == SYN_OK) m->status = syn_pack_mesh(m->blobs, mesh, &packed, m->error);
  if (m->status != SYN_OK) return json_null();
  unsigned char color[3];
  syn_report_body_color(body, color);
  json_t *surface = json_pack("{s:o, s:I, s:I, s:o, s:f}", "blob", blob_name(packed.blob), "vertices",
                              (json_int_t)mesh->vertex_count, "triangles", (json_int_t)mesh->triangle_count, "origin",
                              syn_json_from_vec3(packed.origin), "step", packed.step);
  /* Blobs are numbered in the order in which the page names them. */
  json_t *fields = list(m, body->field_count, field_item, &shown);
  json_t *value = json_pack(
      "{s:o, s:o, s:s, s:b, s:[i, i, i], s:o, s:{s:I, s:I}, s:o, s:o}", "name", text(m, body->body.name), "label",
      text(m, body->label ? body->label : body->body.name), "tissue", syn_tissue_name(body->body.tissue), "moves",
      body->body.moves, "color", color[0], color[1], color[2], "mesh", surface, "analysed", "vertices",
      (json_int_t)body->body.surface->vertex_count, "triangles", (json_int_t)body->body.surface->triangle_count,
      "display_error_mm", syn_json_number(shown.display->error_mm + packed.error_mm), "fields", fields);
  if (value && body->vector_count) set(m, value, "vectors", list(m, body->vector_count, vectors_item, &shown));
  return value;
}

/* ---- motions ----------------------------------------------------------------------------------------------------- */

static json_t *pose_item(maker *m, const void *of, size_t index) {
  const syn_pose *pose = &((const syn_pose *)of)[index];
  double matrix[16];
  syn_pose_to_matrix(pose, matrix);
  return numbers(m, matrix, 12);
}

static json_t *curve_item(maker *m, const void *of, size_t index) {
  const syn_report_motion *motion = of;
  const syn_report_curve *curve = &motion->curves[index];
  return json_pack("{s:o, s:o, s:o, s:o}", "name", text(m, curve->name), "label", text(m, curve->label), "unit",
                   text(m, curve->unit), "values", numbers(m, curve->values, motion->pose_count));
}

static bool report_contact_known(const syn_report_contact *contact) {
  return contact && vec3_finite(contact->point) && vec3_finite(contact->mobile_point) && isfinite(contact->angle_deg);
}

static json_t *contact_of(maker *m, const syn_report_motion *motion) {
  const syn_report_contact *c = motion->contact;
  if (!report_contact_known(c)) {
    if (c) syn_warn(m->context, "the contact that ends %s is left out: its place is not known", motion->name);
    return json_null();
  }
  return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "point", syn_json_from_vec3(c->point), "mobile_point",
                   syn_json_from_vec3(c->mobile_point), "fixed", text(m, c->fixed), "mobile", text(m, c->mobile),
                   "kind", text(m, c->kind), "hour", syn_json_number(c->hour), "angle_deg",
                   syn_json_number(c->angle_deg));
}

static json_t *identity_item(maker *m, const void *of, size_t index) {
  (void)of, (void)index;
  const syn_pose identity = syn_pose_identity();
  return pose_item(m, &identity, 0);
}

static json_t *body_motion_item(maker *m, const void *of, size_t index) {
  const syn_report_motion *motion = of;
  return list(m, motion->pose_count, pose_item, motion->body_poses + index * motion->pose_count);
}

static json_t *motion_item(maker *m, const void *of, size_t index) {
  const syn_report_motion *motion = &((const syn_report_motion *)of)[index];
  json_t *poses = motion->body_poses ? list(m, motion->pose_count, identity_item, NULL)
                                     : list(m, motion->pose_count, pose_item, motion->poses);
  json_t *value = json_pack("{s:o, s:o, s:o, s:{s:o, s:o, s:o}, s:o, s:o}", "name", text(m, motion->name), "label",
                            text(m, motion->label ? motion->label : motion->name), "poses", poses, "along", "label",
                            text(m, motion->along_label), "unit", text(m, motion->along_unit), "values",
                            numbers(m, motion->along, motion->pose_count), "curves",
                            list(m, motion->curve_count, curve_item, motion), "contact", contact_of(m, motion));
  if (value && motion->body_poses) set(m, value, "bodies", list(m, m->report->body_count, body_motion_item, motion));
  return value;
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

/* Markers at an unknown position are left out. */
static json_t *markers(maker *m) {
  json_t *array = json_array();
  for (size_t i = 0; array && i < m->report->marker_count; ++i) {
    const syn_report_marker *marker = &m->report->markers[i];
    if (!vec3_finite(marker->point)) {
      syn_warn(m->context, "the marker %s is left out: its place is not known", marker->name ? marker->name : "");
      continue;
    }
    json_t *item =
        json_pack("{s:o, s:o, s:o, s:o, s:f}", "name", text(m, marker->name), "label",
                  text(m, marker->label ? marker->label : marker->name), "point", syn_json_from_vec3(marker->point),
                  "body", text(m, marker->body), "confidence", isfinite(marker->confidence) ? marker->confidence : 0.0);
    if (json_array_append_new(array, item) != 0) {
      json_decref(array);
      return NULL;
    }
  }
  return array;
}

/* Returns [from, to], or null if either is unknown. */
static json_t *pair_or_null(double from, double to) {
  const bool known = isfinite(from) && isfinite(to) && (from != 0 || to != 0);
  return known ? json_pack("[f, f]", from, to) : json_null();
}

/* Returns the indices of the notes about a number, from 0. */
static json_t *notes_about(maker *m, const syn_report_range *range) {
  json_t *list = json_array();
  bool failed = !list;
  for (size_t i = 0; i < m->report->note_count; ++i)
    if (syn_report_note_is_about(m->report, i, range)) syn_json_append(list, json_integer((json_int_t)i), &failed);
  if (!failed) return list;
  json_decref(list);
  return NULL;
}

static json_t *range_item(maker *m, const void *of, size_t index) {
  const syn_report_range *range = &((const syn_report_range *)of)[index];
  return json_pack(
      "{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:s, s:o}", "name", text(m, range->name), "label",
      text(m, range->label), "unit", text(m, range->unit), "value", syn_json_number(range->value), "why_not",
      text_or_null(m, range->why_not), "low", range->source ? syn_json_number(range->low) : json_null(), "high",
      range->source ? syn_json_number(range->high) : json_null(), "source", text_or_null(m, range->source), "link",
      text_or_null(m, syn_source_link(range->source)), "band", pair_or_null(range->band_low, range->band_high), "group",
      range->is_motion ? "motion" : "measure", "notes", notes_about(m, range));
}

/* Converts radians to degrees, rounded: floats have seven digits, and more would only enlarge the page. */
static double rounded_degrees(double radians) { return round(radians * SYN_RADIAN * 1e5) / 1e5; }

static json_t *envelope_cell(maker *m, const void *of, size_t index) {
  (void)m;
  return syn_json_number(rounded_degrees(((const double *)of)[index]));
}

typedef struct envelope_values {
  const syn_envelope *envelope;
  const double *values;
} envelope_values;

static json_t *envelope_row_item(maker *m, const void *of, size_t index) {
  const envelope_values *grid = of;
  const size_t columns = grid->envelope->adduction_count;
  return list(m, columns, envelope_cell, grid->values + index * columns);
}

/* Lists all pairs of regions as text, and the index of the pair for each cell: contacts of a map repeat. */
static json_t *region_words(maker *m, const void *of, size_t index) {
  char words[160];
  (void)of;
  const syn_pelvis_region pelvis = (syn_pelvis_region)(index % SYN_PELVIS_REGIONS);
  snprintf(words, sizeof words, "%s on the %s, %s the joint",
           syn_femur_region_name((syn_femur_region)(index / SYN_PELVIS_REGIONS)), syn_pelvis_region_name(pelvis),
           pelvis <= SYN_PELVIS_RIM ? "inside" : "outside");
  return text(m, words);
}

static json_t *contact_cell(maker *m, const void *of, size_t index) {
  const syn_contact_place *place = (const syn_contact_place *)of + index;
  (void)m;
  if (place->femur >= SYN_FEMUR_REGIONS || place->pelvis >= SYN_PELVIS_REGIONS) return json_null();
  return json_integer((json_int_t)place->femur * SYN_PELVIS_REGIONS + (json_int_t)place->pelvis);
}

typedef struct envelope_places {
  const syn_envelope *envelope;
  const syn_contact_place *places;
} envelope_places;

static json_t *contact_row(maker *m, const void *of, size_t index) {
  const envelope_places *grid = of;
  const size_t columns = grid->envelope->adduction_count;
  return list(m, columns, contact_cell, grid->places + index * columns);
}

static json_t *envelope_contacts(maker *m, const syn_envelope *e) {
  if (!e->places || !e->external_places) return json_null();
  const envelope_places internal = {e, e->places}, external = {e, e->external_places};
  return json_pack("{s:o, s:o, s:o}", "words",
                   list(m, (size_t)SYN_FEMUR_REGIONS * SYN_PELVIS_REGIONS, region_words, NULL), "internal",
                   list(m, e->flexion_count, contact_row, &internal), "external",
                   list(m, e->flexion_count, contact_row, &external));
}

typedef struct envelope_axis {
  double from, step;
} envelope_axis;

static json_t *axis_item(maker *m, const void *of, size_t index) {
  (void)m;
  const envelope_axis *axis = of;
  return syn_json_number(rounded_degrees(axis->from + axis->step * (double)index));
}

static json_t *place_item(maker *m, const void *of, size_t index) {
  (void)of;
  const syn_daily_place *place = &syn_daily_places[index];
  return json_pack("{s:o, s:o, s:o, s:[f, f], s:[f, f]}", "name", text(m, place->name), "label", text(m, place->label),
                   "source", text(m, place->source), "flexion", place->flexion_deg[0], place->flexion_deg[1],
                   "adduction", place->adduction_deg[0], place->adduction_deg[1]);
}

bool syn_report_has_places(const syn_report *report) { return report->hip || !report->joint; }

static json_t *envelope(maker *m) {
  const syn_envelope *e = m->report->envelope;
  if (!e) return json_null();
  const envelope_axis flexion = {e->flexion_from, e->step}, adduction = {e->adduction_from, e->step};
  const envelope_values internal = {e, e->internal}, external = {e, e->external};
  return json_pack("{s:o, s:o, s:o, s:o, s:o, s:f, s:o}", "flexion", list(m, e->flexion_count, axis_item, &flexion),
                   "adduction", list(m, e->adduction_count, axis_item, &adduction), "internal",
                   list(m, e->flexion_count, envelope_row_item, &internal), "external",
                   list(m, e->flexion_count, envelope_row_item, &external), "places",
                   list(m, syn_report_has_places(m->report) ? SYN_DAILY_PLACES : 0, place_item, NULL), "followed_to",
                   90.0, "contacts", envelope_contacts(m, e));
}

bool syn_report_clock_known(const syn_report_clock_mark *mark) { return isfinite(mark->hour) && isfinite(mark->value); }

static json_t *clock_marks(maker *m) {
  json_t *array = json_array();
  for (size_t i = 0; array && i < m->report->clock_count; ++i) {
    const syn_report_clock_mark *mark = &m->report->clock[i];
    if (!syn_report_clock_known(mark)) {
      syn_warn(m->context, "the mark %s on the clock face is left out: its hour or length is not known",
               mark->label ? mark->label : "");
      continue;
    }
    json_t *item = json_pack("{s:f, s:o, s:f, s:o, s:o}", "hour", mark->hour, "label", text(m, mark->label), "value",
                             mark->value, "unit", text(m, mark->unit), "short_by", syn_json_number(mark->short_by));
    if (json_array_append_new(array, item) != 0) {
      json_decref(array);
      return NULL;
    }
  }
  return array;
}

static json_t *alpha(const syn_alpha_plane *a) {
  return json_pack("{s:o, s:f, s:o, s:o, s:f, s:f, s:f}", "center", syn_json_from_vec3(a->center), "radius_mm",
                   a->radius_mm, "axis", syn_json_from_vec3(a->axis), "away", syn_json_from_vec3(a->away), "alpha_deg",
                   a->alpha_deg, "hour", a->hour, "tolerance_mm", a->tolerance_mm);
}

/* ---- tables and provenance --------------------------------------------------------------------------------------- */

static json_t *column_item(maker *m, const void *of, size_t index) {
  const syn_report_column *column = &((const syn_report_table *)of)->columns[index];
  return json_pack("{s:o, s:o, s:o, s:b}", "key", text(m, column->key), "label", text(m, column->label), "unit",
                   text(m, column->unit), "numeric", column->numeric);
}

static json_t *row_item(maker *m, const void *of, size_t index) {
  const syn_report_table *table = of;
  json_t *row = json_object();
  for (size_t i = 0; row && i < table->column_count; ++i) {
    const syn_report_cell *cell = &table->cells[index * table->column_count + i];
    set(m, row, table->columns[i].key, cell->text ? text(m, cell->text) : syn_json_number(cell->number));
  }
  return row;
}

static json_t *table_item(maker *m, const void *of, size_t index) {
  const syn_report_table *table = &((const syn_report_table *)of)[index];
  return json_pack("{s:o, s:o, s:o, s:o, s:o}", "name", text(m, table->name), "title", text(m, table->title), "columns",
                   list(m, table->column_count, column_item, table), "rows", list(m, table->row_count, row_item, table),
                   "note", text_or_null(m, table->note));
}

static json_t *input_item(maker *m, const void *of, size_t index) {
  const syn_report_input *input = &((const syn_report_input *)of)[index];
  return json_pack("{s:o, s:o, s:I, s:I}", "name", text(m, input->name), "sha256", text(m, input->sha256), "vertices",
                   (json_int_t)input->vertices, "triangles", (json_int_t)input->triangles);
}

static json_t *options(maker *m) {
  json_t *object = json_object();
  for (size_t i = 0; object && i < m->report->option_count; ++i) {
    set(m, object, m->report->options[i].name, text(m, m->report->options[i].value));
  }
  return object;
}

static json_t *provenance(maker *m) {
  const syn_report *r = m->report;
  return json_pack("{s:s, s:o, s:o, s:o, s:o}", "version", syn_version(), "date", text(m, r->date), "command",
                   text(m, r->command), "inputs", list(m, r->input_count, input_item, r->inputs), "options",
                   options(m));
}

/* Discards the model after a failure. */
static syn_status finish(const maker *m, json_t **model) {
  if (*model && m->status == SYN_OK) return SYN_OK;
  json_decref(*model);
  *model = NULL;
  return m->status != SYN_OK ? m->status
                             : syn_fail(m->error, SYN_NO_MEMORY, "there is not enough memory for the report");
}

syn_status syn_report_model(const syn_report *report, const syn_display *displays, syn_blobs *blobs, json_t **model,
                            syn_error *error) {
  maker m = {report, displays, blobs, blobs->context, error, SYN_OK};
  const syn_report *r = report;
  *model = json_pack(
      "{s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "synovia", 1, "kind",
      text(&m, r->kind), "title", text(&m, r->title), "subtitle", text(&m, r->subtitle), "summary",
      list(&m, r->summary_count, text_item, r->summary), "notes", list(&m, r->note_count, text_item, r->notes), "frame",
      frame(r), "bodies", list(&m, r->body_count, body_item, r->bodies), "motions",
      list(&m, r->motion_count, motion_item, r->motions), "markers", markers(&m), "ranges",
      list(&m, r->range_count, range_item, r->ranges), "envelope", envelope(&m), "clock", clock_marks(&m), "tables",
      list(&m, r->table_count, table_item, r->tables), "provenance", provenance(&m));
  if (*model && r->verdict_count) set(&m, *model, "verdict", json_integer((json_int_t)r->verdict_count));
  if (*model && r->summary_motions)
    set(&m, *model, "shows", list(&m, r->summary_count, text_or_null_item, r->summary_motions));
  if (*model && r->alpha) set(&m, *model, "alpha", alpha(r->alpha));
  if (*model && r->live) set(&m, *model, "live", json_pack("{s:o}", "url", text(&m, r->live)));
  return finish(&m, model);
}

syn_status syn_report_changes(const syn_context *context, const syn_report *report, json_t **value, syn_error *error) {
  maker m = {.report = report, .context = context, .error = error};
  *value = json_pack("{s:o, s:o, s:o, s:o}", "frame", frame(report), "markers", markers(&m), "ranges",
                     list(&m, report->range_count, range_item, report->ranges), "notes",
                     list(&m, report->note_count, text_item, report->notes));
  return finish(&m, value);
}
