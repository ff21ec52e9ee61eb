/* Records in words: patterns in which keys stand for values. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "result/value.h"

/* ---- values by name -----------------------------------------------------------------------------------------------
 */

/* What keys are looked up in: an object, or one item of a list within the outer scope. */
typedef struct scope {
  const syn_record *record; /* NULL: an item of a list of texts */
  const void *object;
  size_t index, position;
  const char *text;
  const struct scope *outer;
} scope;

typedef struct match {
  syn_value value;
  const syn_record *items;
} match;

static bool find_field(const syn_record *record, const void *object, size_t index, const char *key, size_t length,
                       match *found) {
  for (size_t i = 0; i < syn_record_count(record); ++i) {
    const syn_result_field field = syn_record_field(record, i);
    if (strlen(field.key) != length || memcmp(field.key, key, length) != 0) continue;
    found->value = syn_record_value(record, i, object, index);
    found->items = field.items;
    return true;
  }
  return false;
}

/* One of the numbers of a point or a list. */
static syn_value number_of(const syn_value *value, size_t i) {
  if (value->kind == SYN_VALUE_POINT && i < 3) return value_real(vec3_at(value->point, (int)i));
  if (value->kind == SYN_VALUE_NUMBERS && i < value->numbers.count)
    return value_real(value->numbers.at(value->numbers.object, i));
  return value_none();
}

/* A caller's slip, to be seen in the text. */
static match no_such_key(void) { return (match){.value = value_text("{no such key}")}; }

/* "key" or "key.part.part". What is within something unknown is unknown. */
static match look_up(const scope *s, const char *key, size_t length) {
  match f = {0};
  if (length == 1 && key[0] == '.') {
    f.value = value_text(s->text);
    return f;
  }
  size_t part = strcspn(key, ".");
  part = part < length ? part : length;
  while (s && !(s->record && find_field(s->record, s->object, s->index, key, part, &f))) s = s->outer;
  if (!s) return no_such_key();
  while (part < length && f.value.kind != SYN_VALUE_NONE) {
    key += part + 1;
    length -= part + 1;
    part = strcspn(key, ".");
    part = part < length ? part : length;
    const syn_value whole = f.value;
    if (whole.kind != SYN_VALUE_RECORD)
      f.value = number_of(&whole, (size_t)strtoul(key, NULL, 10));
    else if (!find_field(f.items, whole.items.object, whole.items.first, key, part, &f))
      return no_such_key();
  }
  return f;
}

static bool is_known(const syn_value *value) {
  return value->kind == SYN_VALUE_REAL ? isfinite(value->real) : value->kind != SYN_VALUE_NONE;
}

/* ---- formats ------------------------------------------------------------------------------------------------------
 */

typedef struct format {
  bool left, sign, general, absolute, grouped;
  int width, decimals; /* decimals -1: not given */
  double factor;
  const char *otherwise;
  size_t otherwise_length;
} format;

static format read_format(const char *at, const char *end) {
  format f = {.decimals = -1, .factor = 1, .otherwise = ""};
  for (char *next; at < end;) {
    const char letter = *at;
    if (letter >= '1' && letter <= '9') {
      f.width = (int)strtol(at, &next, 10);
      at = next;
      continue;
    }
    ++at;
    f.left |= letter == '-';
    f.sign |= letter == '+';
    f.general |= letter == 'g';
    f.absolute |= letter == 'a';
    f.grouped |= letter == ',';
    if (letter == '.') f.decimals = (int)strtol(at, &next, 10), at = next;
    if (letter == '*') f.factor = strtod(at, &next), at = next;
    if (letter == '|') f.otherwise = at, f.otherwise_length = (size_t)(end - at), at = end;
  }
  return f;
}

/* Continuation bytes of a letter take no column. */
static void put_padded(FILE *to, const format *f, const char *text, size_t length) {
  int blanks = f->width;
  for (size_t i = 0; i < length; ++i) blanks -= (text[i] & 0xc0) != 0x80;
  if (blanks < 0) blanks = 0;
  fprintf(to, "%*s%.*s%*s", f->left ? 0 : blanks, "", (int)length, text, f->left ? blanks : 0, "");
}

/* What is rounded to nothing has no side. */
static void drop_minus_of_zero(char *text) {
  if (text[0] == '-' && !text[1 + strspn(text + 1, "0.")]) memmove(text, text + 1, strlen(text));
}

static void format_real(const format *f, double real, char text[64]) {
  const double shown = (f->absolute ? fabs(real) : real) * f->factor + 0.0; /* not -0 */
  if (f->general || f->decimals < 0)
    snprintf(text, 64, f->sign ? "%+.*g" : "%.*g", f->decimals < 0 ? 6 : f->decimals, shown);
  else
    snprintf(text, 64, f->sign ? "%+.*f" : "%.*f", f->decimals, shown);
  if (!f->sign) drop_minus_of_zero(text);
}

static void put_value(FILE *to, const format *f, const syn_value *value) {
  char text[4 * 64] = "";
  const char *shown = text;
  size_t length;
  if (!is_known(value)) {
    put_padded(to, f, f->otherwise, f->otherwise_length);
    return;
  }
  if (value->kind == SYN_VALUE_POINT || value->kind == SYN_VALUE_NUMBERS) {
    const size_t count = value->kind == SYN_VALUE_POINT ? 3 : value->numbers.count;
    for (size_t i = 0; i < count && i < 3; ++i) {
      const syn_value number = number_of(value, i);
      strcat(text, i ? ", " : "");
      format_real(f, number.real, text + strlen(text));
    }
  } else if (value->kind == SYN_VALUE_INTEGER && f->grouped) {
    syn_count_words((uint64_t)value->integer, text);
  } else if (value->kind == SYN_VALUE_INTEGER && f->decimals < 0 && !f->general) {
    snprintf(text, sizeof text, f->sign ? "%+lld" : "%lld", (long long)value->integer);
  } else if (value->kind == SYN_VALUE_TEXT) {
    shown = syn_value_text(value);
  } else if (value->kind == SYN_VALUE_BOOLEAN) {
    shown = value->boolean ? "yes" : "no";
  } else {
    format_real(f, syn_value_number(value), text);
  }
  length = strlen(shown);
  put_padded(to, f, shown, length);
}

/* ---- patterns -----------------------------------------------------------------------------------------------------
 * A tag goes from "{" to "}". Without a stream a part is only passed over. */

static const char *put(FILE *to, const char *at, const scope *s);

static const char *after_tag(const char *tag) { return tag + strcspn(tag, "}") + 1; }

static bool has_items(const syn_value *list) {
  for (size_t i = 0; i < list->items.count; ++i)
    if (!list->items.has || list->items.has(list->items.object, list->items.first + i)) return true;
  return false;
}

/* "key", "key=word", "key<number" or "key>number". */
static bool holds(const scope *s, const char *at, size_t length) {
  const char *end = at + length, *key_end = at + strcspn(at, "=<>}");
  const match f = look_up(s, at, (size_t)(key_end - at));
  const syn_value *v = &f.value;
  if (key_end < end) {
    const char *right = key_end + 1;
    const double number = syn_value_number(v);
    if (*key_end == '<') return number < strtod(right, NULL);
    if (*key_end == '>') return number > strtod(right, NULL);
    if (v->kind != SYN_VALUE_TEXT) return number == strtod(right, NULL);
    const char *text = syn_value_text(v);
    return strlen(text) == (size_t)(end - right) && memcmp(text, right, strlen(text)) == 0;
  }
  if (v->kind == SYN_VALUE_BOOLEAN) return v->boolean;
  if (v->kind == SYN_VALUE_TEXT) return syn_value_text(v)[0] != 0;
  if (v->kind == SYN_VALUE_TEXTS) return v->texts.count > 0;
  if (v->kind == SYN_VALUE_LIST) return has_items(v);
  if (v->kind == SYN_VALUE_INTEGER) return v->integer != 0;
  return is_known(v);
}

/* Goes on after the first part of a section, which ends at `end`, through a second one to what follows the section. */
static const char *end_section(FILE *to, const char *end, const scope *s) {
  if (*end && end[1] == ':') end = put(to, after_tag(end), s);
  assert(*end && "a section is not ended");
  return *end ? after_tag(end) : end;
}

static const char *put_condition(FILE *to, const char *tag, const scope *s) {
  const size_t length = strcspn(tag + 2, "}");
  const bool yes = to && holds(s, tag + 2, length) == (tag[1] == '?');
  const char *end = put(yes ? to : NULL, after_tag(tag), s);
  return end_section(yes ? NULL : to, end, s);
}

static const char *put_items(FILE *to, const char *tag, const scope *s) {
  const size_t length = strcspn(tag + 2, "}~");
  const match f = to ? look_up(s, tag + 2, length) : (match){0};
  const size_t most = tag[2 + length] == '~' ? (size_t)strtoul(tag + 3 + length, NULL, 10) : SIZE_MAX;
  const syn_value *v = &f.value;
  const char *body = after_tag(tag), *end = NULL;
  size_t shown = 0;
  for (size_t i = 0; v->kind == SYN_VALUE_TEXTS && i < v->texts.count; ++i) {
    const scope item = {.position = shown++, .text = v->texts.at(v->texts.object, i), .outer = s};
    end = put(to, body, &item);
  }
  const size_t count = v->kind == SYN_VALUE_RECORD ? 1 : v->kind == SYN_VALUE_LIST ? v->items.count : 0;
  const size_t every = count > most ? (count + most - 1) / most : 1;
  for (size_t i = 0; i < count; ++i) {
    const size_t index = v->items.first + i;
    if (i % every != 0 && i + 1 != count) continue;
    if (v->kind == SYN_VALUE_LIST && v->items.has && !v->items.has(v->items.object, index)) continue;
    const scope item = {f.items, v->items.object, index, shown++, NULL, s};
    end = put(to, body, &item);
  }
  if (!end) end = put(NULL, body, s);
  return end_section(shown ? NULL : to, end, s);
}

static const char *put_tag(FILE *to, const char *tag, const scope *s) {
  const char *name = tag + 1, *end = tag + strcspn(tag, "}"), *colon = memchr(name, ':', (size_t)(end - name));
  if (*name == '#') return put_items(to, tag, s);
  if (*name == '?' || *name == '!') return put_condition(to, tag, s);
  if (!to) return end + 1;
  if (*name == ',') {
    if (s->position) fprintf(to, "%.*s", (int)(end - name), name);
  } else if (*name == '@') {
    fprintf(to, "%zu", s->position + 1);
  } else {
    const format f = read_format(colon ? colon + 1 : end, end);
    const match what = look_up(s, name, (size_t)((colon ? colon : end) - name));
    put_value(to, &f, &what.value);
  }
  return end + 1;
}

/* Writes up to the tag that ends the section, or to the end; returns it. */
static const char *put(FILE *to, const char *at, const scope *s) {
  for (;;) {
    const size_t plain = strcspn(at, "{");
    if (to) fwrite(at, 1, plain, to);
    at += plain;
    if (!*at || at[1] == '/' || at[1] == ':') return at;
    at = put_tag(to, at, s);
  }
}

char *syn_record_words(const syn_record *record, const void *object, size_t index, const char *pattern) {
  const scope whole = {.record = record, .object = object, .index = index};
  syn_memory_stream text;
  if (syn_memory_open(&text, NULL) != SYN_OK) return NULL;
  put(text.stream, pattern ? pattern : record->words, &whole);
  return syn_memory_close(&text, NULL) == SYN_OK ? text.bytes : NULL;
}
