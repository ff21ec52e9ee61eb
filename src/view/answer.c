#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/platform.h"
#include "base/text.h"
#include "base/vec.h"
#include "clinic/hip.h"
#include "report/scale.h"
#include "view/answer.h"

/* ---- text -------------------------------------------------------------------------------------------------------- */

static void put(syn_answer *a, syn_answer_list *to, const char *text, size_t length) {
  if (a->status == SYN_OK) a->status = SYN_RESERVE(a->context, &to->text, to->length, length, &to->capacity, NULL);
  if (a->status != SYN_OK) return;
  memcpy(to->text + to->length, text, length);
  to->length += length;
}

static void put_text(syn_answer *a, syn_answer_list *to, const char *text) { put(a, to, text, strlen(text)); }

/* Names come from joint files, which are UTF-8. */
static void put_string(syn_answer *a, syn_answer_list *to, const char *text) {
  put_text(a, to, "\"");
  for (const char *c = text; *c; ++c) {
    char escaped[8];
    const bool plain = (unsigned char)*c >= 0x20 && *c != '"' && *c != '\\';
    if (!plain) snprintf(escaped, sizeof escaped, "\\u%04x", (unsigned)(unsigned char)*c);
    put(a, to, plain ? c : escaped, plain ? 1 : 6);
  }
  put_text(a, to, "\"");
}

/* Writes all bits, so that page and program have the same number. */
static void put_number(syn_answer *a, syn_answer_list *to, double value) {
  char digits[32];
  put_text(a, to, isfinite(value) ? syn_format_double(value, digits) : "null");
}

static void put_count(syn_answer *a, syn_answer_list *to, size_t count) {
  char digits[32];
  snprintf(digits, sizeof digits, "%zu", count);
  put_text(a, to, digits);
}

/* Begins the next item of a list with `opening`. */
static void begin(syn_answer *a, syn_answer_list *to, const char *opening) {
  if (to->length) put_text(a, to, ",");
  put_text(a, to, opening);
}

static void put_key(syn_answer *a, syn_answer_list *to, const char *key, const char *value) {
  put_text(a, to, key);
  put_string(a, to, value);
}

/* ---- items ------------------------------------------------------------------------------------------------------- */

static void describe(syn_answer *a, const char *body, const char *name, const syn_scale *scale) {
  begin(a, &a->fields, "{\"body\":");
  put_string(a, &a->fields, body);
  put_key(a, &a->fields, ",\"name\":", name);
  put_text(a, &a->fields, ",\"low\":");
  put_number(a, &a->fields, scale->low);
  put_text(a, &a->fields, ",\"step\":");
  put_number(a, &a->fields, scale->step);
  put_text(a, &a->fields, ",\"offset\":");
  put_count(a, &a->fields, a->stored_count);
  put_text(a, &a->fields, "}");
}

/* Without contact there is nothing to colour; a field that follows the pose also shows distances. */
static double shown(double value, bool follows) { return follows || value > 0 ? value : (double)NAN; }

void syn_answer_field(syn_answer *a, const char *body, const char *name, const double *values, const uint32_t *source,
                      uint32_t count, double reach_mm) {
  double high = reach_mm;
  for (uint32_t i = 0; i < count; ++i)
    if (isfinite(values[source[i]])) high = fmax(high, values[source[i]]);
  const syn_scale scale = scale_between(reach_mm > 0 ? -reach_mm : 0, high);
  describe(a, body, name, &scale);
  if (a->status == SYN_OK)
    a->status = SYN_RESERVE(a->context, &a->stored, a->stored_count, count, &a->stored_capacity, NULL);
  if (a->status != SYN_OK) return;
  for (uint32_t i = 0; i < count; ++i)
    a->stored[a->stored_count++] = little16(scale_value(&scale, shown(values[source[i]], reach_mm > 0)));
}

void syn_answer_number(syn_answer *a, const char *name, const char *label, const char *unit, double value,
                       const char *words) {
  begin(a, &a->numbers, "{\"name\":");
  put_string(a, &a->numbers, name);
  put_key(a, &a->numbers, ",\"label\":", label);
  put_key(a, &a->numbers, ",\"unit\":", unit);
  put_text(a, &a->numbers, ",\"value\":");
  put_number(a, &a->numbers, value);
  if (words) put_key(a, &a->numbers, ",\"words\":", words);
  put_text(a, &a->numbers, "}");
}

static void answer_contact(syn_answer *a, syn_vec3 point) {
  const double place[3] = {point.x, point.y, point.z};
  begin(a, &a->contacts, "[");
  for (int i = 0; i < 3; ++i) {
    if (i) put_text(a, &a->contacts, ",");
    put_number(a, &a->contacts, place[i]);
  }
  put_text(a, &a->contacts, "]");
}

/* ---- all together ------------------------------------------------------------------------------------------------ */

static char *copy(char *to, const char *from, size_t length) {
  if (length) memcpy(to, from, length);
  return to + length;
}

syn_status syn_answer_join(const syn_answer *a, char **bytes, size_t *size, syn_error *error) {
  static const char *const openings[] = {"{\"fields\":[", "],\"numbers\":[", "],\"contacts\":[", "]}"};
  const syn_answer_list *lists[] = {&a->fields, &a->numbers, &a->contacts, &(syn_answer_list){0}};
  size_t length = 0;
  for (int i = 0; i < 4; ++i) length += strlen(openings[i]) + lists[i]->length;
  const size_t padded = (length + 3) / 4 * 4, values = sizeof *a->stored * a->stored_count;
  *size = 4 + padded + values;
  *bytes = a->status == SYN_OK ? malloc(*size) : NULL;
  if (!*bytes) return syn_fail_memory(error, *size);
  const uint32_t stated = little32((uint32_t)padded);
  char *at = copy(*bytes, (const char *)&stated, sizeof stated);
  for (int i = 0; i < 4; ++i) {
    at = copy(at, openings[i], strlen(openings[i]));
    at = copy(at, lists[i]->text, lists[i]->length);
  }
  memset(at, ' ', padded - length);
  copy(at + (padded - length), (const char *)a->stored, values);
  return SYN_OK;
}

void syn_answer_release(syn_answer *a) {
  syn_free(a->context, a->fields.text);
  syn_free(a->context, a->numbers.text);
  syn_free(a->context, a->contacts.text);
  syn_free(a->context, a->stored);
  *a = (syn_answer){.context = a->context};
}

static const double degrees = 180 / SYN_PI; /* per radian */
static const double farthest_mm = 1e6;      /* max translation of a body in a pose */
/* Below this the clearance reads 0.00 mm: bodies stopped just before their contact show its position. */
static const double touching_mm = 0.005;

syn_pose_field syn_view_pose_field(const char *name) {
  static const char *const names[SYN_POSE_FIELDS] = {
      [SYN_POSE_DEPTH] = SYN_VIEW_DEPTH, [SYN_POSE_RADIAL] = SYN_VIEW_RADIAL};
  syn_pose_field field = 0;
  while (field < SYN_POSE_FIELDS && strcmp(name, names[field]) != 0) ++field;
  return field;
}

syn_status syn_view_read_pose(const double rows[12], syn_pose *pose, syn_error *error) {
  double matrix[16] = {[15] = 1};
  memcpy(matrix, rows, 12 * sizeof *rows);
  SYN_TRY(syn_pose_from_matrix(matrix, pose, error));
  const syn_vec3 t = pose->translation;
  if (fabs(t.x) <= farthest_mm && fabs(t.y) <= farthest_mm && fabs(t.z) <= farthest_mm) return SYN_OK;
  return syn_fail(error, SYN_BAD_ARGUMENT, "matrix takes the bodies farther away than a kilometre");
}

void syn_view_report_limit(const char *name, const char *label, const syn_limit *limit, const char *words,
                           syn_answer *to) {
  const bool stopped = limit->state == SYN_LIMIT_STOPPED;
  syn_answer_number(to, name, label, "°", limit->angle * SYN_RADIAN, stopped ? NULL : words);
}

void syn_view_report_motion(const syn_hip *hip, syn_pose_query *query, const syn_pose *pose, syn_answer *to) {
  static const struct {
    const char *name, *label;
  } ways[3][2] = {
      {{"free_flexion", "Free flexion"}, {"free_extension", "Free extension"}},
      {{"free_adduction", "Free adduction"}, {"free_abduction", "Free abduction"}},
      {{"free_internal_rotation", "Free internal rotation"}, {"free_external_rotation", "Free external rotation"}},
  };
  const syn_hip_angles angles = syn_hip_angles_of(hip, pose);
  syn_answer_number(to, "flexion", "Flexion", "°", angles.flexion * degrees, NULL);
  syn_answer_number(to, "adduction", "Adduction", "°", angles.adduction * degrees, NULL);
  syn_answer_number(to, "rotation", "Internal rotation", "°", angles.rotation * degrees, NULL);
  syn_limit limits[3][2];
  if (!syn_pose_query_limits(query, pose, limits)) return;
  for (int i = 0; i < 6; ++i) {
    const syn_limit *limit = &limits[i / 2][i % 2];
    char words[96];
    syn_view_report_limit(ways[i / 2][i % 2].name, ways[i / 2][i % 2].label, limit, syn_hip_limit_words(limit, words),
                          to);
  }
}

void syn_view_report_clearance(const char *mobile, const char *fixed, const syn_clearance *c, syn_answer *to) {
  char name[288], label[288];
  snprintf(name, sizeof name, "clearance_%.120s_%.120s", mobile, fixed);
  snprintf(label, sizeof label, "Clearance, %.120s to %.120s", mobile, fixed);
  for (char *at = label; *at; ++at)
    if (*at == '_') *at = ' ';
  syn_answer_number(to, name, label, "mm", c->distance_mm, NULL);
  if (c->distance_mm < touching_mm) answer_contact(to, c->point_fixed);
}

void syn_view_report_clearances(syn_pose_query *query, const syn_pose *pose, syn_answer *to) {
  size_t count;
  const syn_joint_clearance *pairs = syn_pose_query_clearances(query, pose, &count);
  for (size_t i = 0; i < count; ++i)
    syn_view_report_clearance(syn_hip_part_name((syn_hip_part)pairs[i].mobile),
                              syn_hip_part_name((syn_hip_part)pairs[i].fixed), &pairs[i].clearance, to);
}
