#include "view/answer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/platform.h"
#include "base/text.h"
#include "report/scale.h"

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
  const syn_scale scale = syn_scale_between(reach_mm > 0 ? -reach_mm : 0, high);
  describe(a, body, name, &scale);
  if (a->status == SYN_OK)
    a->status = SYN_RESERVE(a->context, &a->stored, a->stored_count, count, &a->stored_capacity, NULL);
  if (a->status != SYN_OK) return;
  for (uint32_t i = 0; i < count; ++i)
    a->stored[a->stored_count++] = little16(syn_scaled(&scale, shown(values[source[i]], reach_mm > 0)));
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

void syn_answer_contact(syn_answer *a, syn_vec3 point) {
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
