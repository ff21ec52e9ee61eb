/* Reads training data from a table: a row for each step of each hip. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/files/file.h"
#include "base/statistics.h"
#include "base/text.h"
#include "base/vec.h"
#include "clinic/hip.h"
#include "collide/radial/radial_field.h"
#include "joint/joint_store.h"
#include "pressure/estimate/estimate.h"

/* ---- features -------------------------------------------------------------------------------------------------- */
/* Computes the features of a hip: the distance of its tissues from its centre in every direction of a grid (Arbabi
 * 2009, §4.5.2.1). */

enum { ROUND = 36, DOWN = 18, DIRECTIONS = ROUND * DOWN, TISSUES = 3, PARTS = 3 };

/* Parts of a tissue, and which of their hits on a ray is used: of the femoral cartilage the outer one, which is the
 * articular surface, of the others the first. Of a femur that is the head and the neck: the length of the scanned
 * shaft does not matter. */
static const struct {
  syn_hip_part parts[PARTS];
  bool outermost;
} tissues[TISSUES] = {{{SYN_HIP_FEMUR, SYN_HIP_PARTS, SYN_HIP_PARTS}, false},
                      {{SYN_HIP_FEMORAL_CARTILAGE, SYN_HIP_PARTS, SYN_HIP_PARTS}, true},
                      {{SYN_HIP_ACETABULAR_CARTILAGE, SYN_HIP_LABRUM, SYN_HIP_TRANSITION_ZONE}, false}};

/* Middle of a cell of 10 by 10 degrees, with the pole up. Mirrored for a left hip, whose axes have opposite
 * directions. */
static syn_vec3 direction(const syn_hip *hip, bool moves, int cell) {
  const syn_hip_axes *axes = moves ? &hip->femur_axes : &hip->pelvis_axes;
  const double polar = (cell / ROUND + 0.5) * SYN_PI / DOWN, round = (cell % ROUND + 0.5) * 2 * SYN_PI / ROUND;
  const double side = hip->side == SYN_SIDE_LEFT ? -1 : 1;
  const syn_vec3 outward = vec3_add(vec3_scale(axes->flexion, cos(round)), vec3_scale(axes->adduction, sin(round)));
  return vec3_scale(vec3_add(vec3_scale(outward, sin(polar)), vec3_scale(axes->rotation, cos(polar))), side);
}

/* Adds the radii of one part; a smaller radius that is already set is kept. */
static syn_status add_part(const syn_context *context, const syn_hip *hip, syn_hip_part part, bool outermost,
                           double *radii, syn_error *error) {
  syn_collide_options options = syn_default_collide_options();
  options.center = hip->center;
  options.use_normals = false;
  radial_table table;
  SYN_TRY(syn_radial_table_create(context, hip->parts[part], &options, !outermost, &table, error));
  for (int cell = 0; cell < DIRECTIONS; ++cell) {
    const double depth = syn_radial_depth(&table, direction(hip, syn_hip_part_moves(part), cell), SYN_NONE).depth;
    const double radius = outermost ? 1 + depth : 1 - depth;
    if (isfinite(depth) && (radii[cell] == 0 || radius < radii[cell])) radii[cell] = radius;
  }
  syn_radial_table_release(&table);
  return SYN_OK;
}

static syn_status check(const syn_context *context, const syn_hip *hip, syn_error *error) {
  for (int t = 0; t < TISSUES; ++t)
    if (!hip->parts[tissues[t].parts[0]])
      return syn_fail(error, SYN_BAD_ARGUMENT, "pressure cannot be estimated from the shape: the hip has no %s",
                      syn_hip_part_name(tissues[t].parts[0]));
  if (!hip->parts[SYN_HIP_LABRUM])
    syn_warn(context, "the hip has no labrum: its pressure is estimated from hips as if the rim were bare");
  return SYN_OK;
}

/* Computes the median radius of the articular cartilage. */
static syn_status joint_radius(const double *radii, double *radius, syn_error *error) {
  double seen[DIRECTIONS];
  size_t count = 0;
  for (int i = 0; i < DIRECTIONS; ++i)
    if (radii[i] > 0) seen[count++] = radii[i];
  *radius = syn_median(seen, count);
  if (*radius > 0 && isfinite(*radius)) return SYN_OK;
  return syn_fail(error, SYN_BAD_MESH, "the femoral cartilage cannot be seen from the centre of the joint");
}

syn_status syn_pressure_features(const syn_context *context, const syn_hip *hip, double features[SYN_PRESSURE_FEATURES],
                                 syn_error *error) {
  double radius;
  context = syn_context_or_default(context);
  SYN_TRY(check(context, hip, error));
  for (int i = 0; i < SYN_PRESSURE_FEATURES; ++i) features[i] = 0;
  for (int t = 0; t < TISSUES; ++t)
    for (int p = 0; p < PARTS; ++p) {
      const syn_hip_part part = tissues[t].parts[p];
      if (part == SYN_HIP_PARTS || !hip->parts[part]) continue;
      SYN_TRY(add_part(context, hip, part, tissues[t].outermost, features + (size_t)t * DIRECTIONS, error));
    }
  SYN_TRY(joint_radius(features + DIRECTIONS, &radius, error));
  for (int i = 0; i < SYN_PRESSURE_FEATURES; ++i) features[i] /= radius;
  return SYN_OK;
}

/* ---- estimate table -------------------------------------------------------------------------------------------- */

enum { HIP, AT, PEAK, MEAN, AREA, COLUMNS, MOST_COLUMNS = 256 };

typedef struct row {
  syn_word hip;
  double at;
  syn_pressure_part value;
} row;

typedef struct table {
  syn_arena *arena;
  const char *path;
  const char *names[COLUMNS]; /* of the columns */
  int places[COLUMNS];        /* -1: missing */
  int column_count;
  row *rows;
  size_t count, capacity;
} table;

/* ---- text ----------------------------------------------------------------------------------------------------------
 */

/* Finds the closing quote; two quotes stand for one in the text. */
static const char *quote_end(const char *at, const char *end) {
  for (; at < end && (*at != '"' || (at + 1 < end && at[1] == '"')); ++at)
    if (*at == '"') ++at;
  return at;
}

/* Splits a line at its commas; returns the count of fields, at most MOST_COLUMNS. Quotes around a field are removed. */
static int cut(syn_word line, syn_word fields[MOST_COLUMNS]) {
  int count = 0;
  const char *end = line.at + line.length;
  for (const char *at = line.at; count < MOST_COLUMNS; ++at) {
    const bool quoted = at < end && *at == '"';
    const char *from = quoted ? at + 1 : at, *to = quoted ? quote_end(from, end) : from;
    while (!quoted && to < end && *to != ',') ++to;
    fields[count++] = (syn_word){from, (size_t)(to - from)};
    at = to;
    while (at < end && *at != ',') ++at;
    if (at >= end) break;
  }
  return count;
}

static syn_status take_header(table *t, syn_text *text, syn_error *error) {
  syn_word line, fields[MOST_COLUMNS];
  if (!syn_text_line(text, &line)) return syn_text_fail(text, error, "the table is empty");
  t->column_count = cut(line, fields);
  for (int c = 0; c < COLUMNS; ++c) {
    t->places[c] = -1;
    for (int f = 0; f < t->column_count; ++f)
      if (syn_word_is(fields[f], t->names[c])) t->places[c] = f;
    if (c <= PEAK && t->places[c] < 0)
      return syn_fail_at(error, SYN_BAD_FORMAT, t->path, 1, -1, "a table of pressures has a column '%s'; this has none",
                         t->names[c]);
  }
  return SYN_OK;
}

/* NAN if there is no such column. */
static syn_status take_number(const table *t, const syn_text *text, const syn_word *fields, int column, double *value,
                              syn_error *error) {
  char shown[48];
  *value = NAN;
  if (t->places[column] < 0) return SYN_OK;
  const syn_word field = fields[t->places[column]];
  if (syn_word_double(field, value) && isfinite(*value)) return SYN_OK;
  return syn_fail_at(error, SYN_BAD_FORMAT, t->path, text->line - 1, -1, "'%s' in column '%s' is not a number",
                     syn_word_shown(field, shown), t->names[column]);
}

static syn_status take_row(table *t, const syn_text *text, syn_word line, syn_error *error) {
  syn_word fields[MOST_COLUMNS];
  row r;
  if (cut(line, fields) != t->column_count)
    return syn_fail_at(error, SYN_BAD_FORMAT, t->path, text->line - 1, -1, "expected %d fields, as in the first line",
                       t->column_count);
  r.hip = fields[t->places[HIP]];
  SYN_TRY(take_number(t, text, fields, AT, &r.at, error));
  SYN_TRY(take_number(t, text, fields, PEAK, &r.value.peak_mpa, error));
  SYN_TRY(take_number(t, text, fields, MEAN, &r.value.mean_mpa, error));
  SYN_TRY(take_number(t, text, fields, AREA, &r.value.area_mm2, error));
  SYN_TRY(SYN_RESERVE(t->arena->context, &t->rows, t->count, 1, &t->capacity, error));
  t->rows[t->count++] = r;
  return SYN_OK;
}

static syn_status take_rows(table *t, const char *bytes, size_t size, syn_error *error) {
  syn_text text = syn_text_from(bytes, size, t->path);
  syn_word line;
  SYN_TRY(take_header(t, &text, error));
  while (syn_text_line(&text, &line))
    if (line.length > 0) SYN_TRY(take_row(t, &text, line, error));
  return SYN_OK;
}

/* ---- hips ----------------------------------------------------------------------------------------------------------
 */

static bool same_word(syn_word a, syn_word b) { return a.length == b.length && memcmp(a.at, b.at, a.length) == 0; }

/* Rows of one hip are consecutive, and every hip has the same steps. */
static syn_status count_hips(const table *t, syn_pressure_model *model, double **at, syn_error *error) {
  while (model->step_count < t->count && same_word(t->rows[model->step_count].hip, t->rows[0].hip)) ++model->step_count;
  SYN_TRY(SYN_TAKE(t->arena, at, model->step_count, error));
  for (size_t i = 0; i < t->count; ++i) {
    const size_t step = i % model->step_count, first = i - step;
    if (first == 0) (*at)[step] = t->rows[i].at;
    if (!same_word(t->rows[i].hip, t->rows[first].hip) || t->rows[i].at != (*at)[step])
      return syn_fail_at(error, SYN_BAD_FORMAT, t->path, (int64_t)i + 2, -1,
                         "expected step %zu of '%.*s', at %g of the motion, as in the first hip", step + 1,
                         (int)t->rows[first].hip.length, t->rows[first].hip.at, (*at)[step]);
  }
  model->hip_count = model->step_count ? t->count / model->step_count : 0;
  if (model->hip_count * model->step_count == t->count) return SYN_OK;
  return syn_fail_at(error, SYN_BAD_FORMAT, t->path, 0, -1, "the last hip has fewer steps than the first");
}

/* Finds the joint file of a name: beside the table, or in the folder of that name there. */
static syn_status joint_path(const table *t, const char *folder, const char *name, const char **path,
                             syn_error *error) {
  const bool is_file = syn_path_ends(name, ".json");
  const size_t size = strlen(folder) + strlen(name) + sizeof "//joint.json";
  char *text;
  SYN_TRY(SYN_TAKE(t->arena, &text, size, error));
  snprintf(text, size, "%s%s%s%s", name[0] == '/' ? "" : folder, name[0] == '/' || !folder[0] ? "" : "/", name,
           is_file ? "" : "/joint.json");
  *path = text;
  return SYN_OK;
}

static syn_status take_hip(const syn_context *context, const table *t, const char *folder, const char *name,
                           double *features, syn_error *error) {
  syn_hip_input input = syn_default_hip_input();
  syn_hip_case *hip_case;
  SYN_TRY(joint_path(t, folder, name, &input.joint, error));
  SYN_TRY(syn_hip_case_create(context, &input, &hip_case, error));
  const syn_status status = syn_pressure_features(context, &hip_case->hip, features, error);
  syn_hip_case_destroy(hip_case);
  return status;
}

static syn_status take_hips(const syn_context *context, const table *t, syn_pressure_model *model, syn_error *error) {
  const char **names, *folder;
  double *features, *at;
  syn_pressure_part *values;
  SYN_TRY(count_hips(t, model, &at, error));
  SYN_TRY(syn_folder_of(t->arena, t->path, &folder, error));
  SYN_TRY(SYN_TAKE(t->arena, &names, model->hip_count, error));
  SYN_TRY(SYN_TAKE(t->arena, &features, model->hip_count * SYN_PRESSURE_FEATURES, error));
  SYN_TRY(SYN_TAKE(t->arena, &values, t->count, error));
  for (size_t i = 0; i < t->count; ++i) values[i] = t->rows[i].value;
  for (size_t i = 0; i < model->hip_count; ++i) {
    const syn_word hip = t->rows[i * model->step_count].hip;
    char *name;
    if (!syn_progress(context, "reading hips", (double)i / (double)model->hip_count))
      return syn_fail(error, SYN_CANCELLED, "cancelled");
    SYN_TRY(syn_arena_text(t->arena, hip.at, hip.length, &name, error));
    SYN_TRY(take_hip(context, t, folder, name, features + i * SYN_PRESSURE_FEATURES, error));
    names[i] = name;
  }
  model->at = at;
  model->names = names;
  model->features = features;
  model->values = values;
  return SYN_OK;
}

static syn_status train(const syn_context *context, table *t, const char *motion, const char *pressure_by,
                        syn_pressure_model **model, syn_error *error) {
  syn_pressure_model found = {.motion = motion, .pressure_by = pressure_by};
  char *bytes;
  size_t size;
  SYN_TRY(syn_read_file(context, t->path, &bytes, &size, error));
  syn_status status = take_rows(t, bytes, size, error);
  if (status == SYN_OK) status = take_hips(context, t, &found, error);
  syn_free(context, bytes);
  return status == SYN_OK ? syn_pressure_model_train(context, &found, model, error) : status;
}

syn_status syn_pressure_model_train_table(const syn_context *context, const char *path, const char *region,
                                          const char *motion, const char *pressure_by, syn_pressure_model **model,
                                          syn_error *error) {
  static const char *const quantities[COLUMNS] = {"hip", "at", "peak_mpa", "mean_mpa", "area_mm2"};
  syn_arena arena = {.context = context};
  table t = {.arena = &arena, .path = path};
  char names[COLUMNS][64];
  *model = NULL;
  for (int c = 0; c < COLUMNS; ++c) {
    snprintf(names[c], sizeof names[c], "%s%s%s", region && c >= PEAK ? region : "", region && c >= PEAK ? "_" : "",
             quantities[c]);
    t.names[c] = names[c];
  }
  const syn_status status = train(context, &t, motion, pressure_by, model, error);
  syn_free(context, t.rows);
  syn_arena_release(&arena);
  return status;
}
