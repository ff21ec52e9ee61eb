#include "base/json.h"
#include "base/files/file.h"
#include "base/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool has_any(const json_t *object, const char *const *keys) {
  while (*keys && !json_object_get(object, *keys)) ++keys;
  return *keys != NULL;
}

/* Bodies of joints have a tissue, those of scenes a shape or a model. */
static bool first_body_has(const json_t *value, const char *const *keys) {
  return has_any(json_array_get(json_object_get(value, "bodies"), 0), keys);
}

static bool is_of_kind(const json_t *value, syn_json_kind kind) {
  static const char *const study[] = {"synovia_study", NULL}, *const skeleton[] = {"joints", NULL},
                           *const markups[] = {"markups", NULL}, *const tool[] = {"tool", NULL},
                           *const tissue[] = {"tissue", NULL}, *const joint[] = {"center", "frame", "articular", NULL},
                           *const simulated[] = {"shape", "model", NULL}, *const scene[] = {"integrator", "hold",
                                                                                            "step_s",     "duration_s",
                                                                                            "haptics",    NULL};
  switch (kind) {
  case SYN_JSON_STUDY: return has_any(value, study);
  case SYN_JSON_SKELETON: return has_any(value, skeleton);
  case SYN_JSON_JOINT: return has_any(value, joint) || first_body_has(value, tissue);
  case SYN_JSON_SCENE: return has_any(value, scene) || first_body_has(value, simulated);
  case SYN_JSON_MARKUPS: return has_any(value, markups);
  case SYN_JSON_ANSWER: return has_any(value, tool);
  default: return false;
  }
}

syn_json_kind syn_json_kind_of(const json_t *value) {
  syn_json_kind kind = SYN_JSON_STUDY;
  while (kind < SYN_JSON_KINDS && !is_of_kind(value, kind)) ++kind;
  return kind;
}

const char *syn_json_kind_text(syn_json_kind kind) {
  static const char *const texts[] = {
      [SYN_JSON_STUDY] = "a study file: `synovia study` takes it",
      [SYN_JSON_SKELETON] = "a skeleton file: `synovia skeleton` takes it",
      [SYN_JSON_JOINT] =
          "a joint file: `synovia rom`, `collide` and `view` take it, that of a hip also `measure`, `fai` and "
          "`pressure`",
      [SYN_JSON_SCENE] = "a scene: `synovia simulate` takes it",
      [SYN_JSON_MARKUPS] = "a list of points by 3D Slicer: --landmarks takes it",
      [SYN_JSON_ANSWER] = "what a command printed with --json: no command reads it",
  };
  _Static_assert(sizeof texts / sizeof *texts == SYN_JSON_KINDS, "a text for every kind");
  return kind < SYN_JSON_KINDS ? texts[kind] : "";
}

syn_status syn_json_expect_kind(const syn_json *root, syn_json_kind wanted, syn_error *error) {
  const syn_json_kind kind = syn_json_kind_of(root->value);
  if (kind == wanted || kind == SYN_JSON_KINDS || is_of_kind(root->value, wanted)) return SYN_OK;
  return syn_fail_at(error, SYN_BAD_FORMAT, root->file, 0, -1, "this is %s", syn_json_kind_text(kind));
}

/* Rewrites jansson's messages for people who edit the file. */
static const char *json_hint(const char *bytes, size_t size, const json_error_t *at) {
  size_t place = at->position > 0 && (size_t)at->position <= size ? (size_t)at->position : 0;
  if (size == 0 || strspn(bytes, " \t\r\n") == size) return ": the file is empty";
  while (place > 0 && !strchr("/#,;'", bytes[place - 1]) && strchr(" \t\r\n]}", bytes[place - 1])) --place;
  const char last = place > 0 ? bytes[place - 1] : 0;
  if (last == '/' || last == '#') return ": JSON has no comments";
  if (last == ',') return ": there must be no comma after the last entry";
  if (last == '\'') return ": JSON wants double quotes";
  return "";
}

syn_status syn_json_parse(const char *bytes, size_t size, const char *path, json_t **value, syn_error *error) {
  json_error_t at;
  *value = json_loadb(bytes, size, JSON_REJECT_DUPLICATES, &at);
  if (*value) return SYN_OK;
  return syn_fail_at(error, SYN_BAD_FORMAT, path, at.line > 0 ? at.line : 0, -1, "not valid JSON: %s%s", at.text,
                     json_hint(bytes, size, &at));
}

syn_status syn_json_read(const syn_context *context, const char *path, json_t **value, syn_error *error) {
  char *bytes;
  size_t size;
  *value = NULL;
  SYN_TRY(syn_read_file(context, path, &bytes, &size, error));
  const syn_status status = syn_json_parse(bytes, size, path, value, error);
  syn_free(context, bytes);
  return status;
}

/* jansson prints every number with the same number of digits, 0.1 as 0.10000000000000001. This filter passes its text
 * on with each number in its shortest form. */
typedef struct shortener {
  FILE *stream;
  bool in_script; /* of a page: "<" may not appear, as "</script" would end it */
  bool in_string, escaped;
  char number[64]; /* seen so far, not terminated */
  size_t length;
} shortener;

static void flush_number(shortener *s) {
  double value;
  const syn_word word = {s->number, s->length};
  const bool real = memchr(s->number, '.', s->length) || memchr(s->number, 'e', s->length);
  if (real && syn_word_double(word, &value)) {
    char room[32];
    fputs(syn_format_double(value, room), s->stream);
    if (!strpbrk(room, ".e")) fputs(".0", s->stream); /* still a real number for strict readers */
  } else {
    fwrite(s->number, 1, s->length, s->stream);
  }
  s->length = 0;
}

static int shorten(const char *bytes, size_t size, void *user) {
  shortener *s = user;
  for (size_t i = 0; i < size; ++i) {
    const char c = bytes[i];
    if (!s->in_string && c && strchr("0123456789+-.e", c) && s->length < sizeof s->number) {
      s->number[s->length++] = c;
      continue;
    }
    if (s->length) flush_number(s);
    if (c == '"' && !s->escaped) s->in_string = !s->in_string;
    s->escaped = s->in_string && c == '\\' && !s->escaped;
    if (c == '<' && s->in_script)
      fputs("\\u003c", s->stream);
    else
      fputc(c, s->stream);
  }
  return ferror(s->stream) ? -1 : 0;
}

syn_status syn_json_write(const syn_context *context, const json_t *value, const char *path, syn_error *error) {
  syn_output output;
  SYN_TRY(syn_output_open(context, path, &output, error));
  shortener through = {.stream = output.stream};
  const int failed = json_dump_callback(value, shorten, &through, JSON_INDENT(2) | JSON_REAL_PRECISION(17));
  if (failed && !ferror(output.stream)) { /* jansson says no more; going through an object takes memory */
    syn_output_discard(&output);
    if (!json_is_object(value) && !json_is_array(value))
      return syn_fail_at(error, SYN_IO_ERROR, path, 0, -1,
                         "a JSON file holds an object or an array, and this is neither");
    return syn_fail_at(error, SYN_NO_MEMORY, path, 0, -1, "there is no memory to write this file");
  }
  fputc('\n', output.stream);
  return syn_output_commit(&output, error);
}

syn_status syn_json_put_script(const json_t *value, FILE *stream, syn_error *error) {
  shortener through = {.stream = stream, .in_script = true};
  if (json_dump_callback(value, shorten, &through, JSON_COMPACT | JSON_REAL_PRECISION(17)) == 0) return SYN_OK;
  if (ferror(stream))
    return SYN_OK; /* the caller that opened it checks for errors when closing it, and knows its name */
  return syn_fail(error, SYN_NO_MEMORY, "there is no memory to write the page");
}

syn_json syn_json_root(json_t *value, const char *file) { return (syn_json){.value = value, .file = file}; }

syn_json syn_json_member(const syn_json *object, const char *key) {
  return (syn_json){.value = json_object_get(object->value, key), .key = key, .parent = object, .file = object->file};
}

syn_json syn_json_item(const syn_json *array, size_t index) {
  return (syn_json){.value = json_array_get(array->value, index), .index = index, .parent = array, .file = array->file};
}

/* "bodies[2].mesh"; the root is "the top level". */
static size_t write_path(const syn_json *place, char *room, size_t size) {
  if (!place->parent) return 0;
  size_t used = write_path(place->parent, room, size);
  if (used >= size) return used;
  int more = place->key ? snprintf(room + used, size - used, "%s%s", used ? "." : "", place->key)
                        : snprintf(room + used, size - used, "[%zu]", place->index);
  return used + (more > 0 ? (size_t)more : 0);
}

syn_status syn_json_fail(const syn_json *place, syn_error *error, const char *format, ...) {
  char path[200] = "the top level", message[480];
  write_path(place, path, sizeof path);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  return syn_fail_at(error, SYN_BAD_FORMAT, place->file, 0, -1, "%s: %s", path, message);
}

static syn_status fail_type(const syn_json *place, const char *wanted, syn_error *error) {
  static const char *const names[] = {
      [JSON_OBJECT] = "an object", [JSON_ARRAY] = "an array", [JSON_STRING] = "a text", [JSON_INTEGER] = "a number",
      [JSON_REAL] = "a number",    [JSON_TRUE] = "true",      [JSON_FALSE] = "false",   [JSON_NULL] = "null"};
  if (!place->value) return syn_json_fail(place, error, "is missing; expected %s", wanted);
  return syn_json_fail(place, error, "expected %s, found %s", wanted, names[json_typeof(place->value)]);
}

syn_status syn_json_expect_object(const syn_json *place, syn_error *error) {
  return json_is_object(place->value) ? SYN_OK : fail_type(place, "an object", error);
}

syn_status syn_json_expect_array(const syn_json *place, size_t *count, syn_error *error) {
  if (!json_is_array(place->value)) return fail_type(place, "an array", error);
  *count = json_array_size(place->value);
  return SYN_OK;
}

syn_status syn_json_text(const syn_json *place, const char **text, syn_error *error) {
  if (!json_is_string(place->value)) return fail_type(place, "a text", error);
  *text = json_string_value(place->value);
  return SYN_OK;
}

syn_status syn_json_bool(const syn_json *place, bool *value, syn_error *error) {
  if (!json_is_boolean(place->value)) return fail_type(place, "true or false", error);
  *value = json_is_true(place->value);
  return SYN_OK;
}

syn_status syn_json_double(const syn_json *place, double *value, syn_error *error) {
  if (!json_is_number(place->value)) return fail_type(place, "a number", error);
  *value = json_number_value(place->value);
  return SYN_OK;
}

syn_status syn_json_vec3(const syn_json *place, syn_vec3 *value, syn_error *error) {
  if (!json_is_array(place->value)) return fail_type(place, "an array of three numbers", error);
  if (json_array_size(place->value) != 3)
    return syn_json_fail(place, error, "expected an array of three numbers, found one of %zu",
                         json_array_size(place->value));
  double numbers[3];
  for (size_t i = 0; i < 3; ++i) {
    syn_json item = syn_json_item(place, i);
    SYN_TRY(syn_json_double(&item, &numbers[i], error));
  }
  *value = (syn_vec3){numbers[0], numbers[1], numbers[2]};
  return SYN_OK;
}

syn_status syn_json_member_text(const syn_json *object, const char *key, syn_arena *arena, const char **text,
                                syn_error *error) {
  const syn_json place = syn_json_member(object, key);
  const char *borrowed = "";
  char *own;
  SYN_TRY(syn_json_text(&place, &borrowed, error));
  SYN_TRY(syn_arena_text(arena, borrowed, strlen(borrowed), &own, error));
  *text = own;
  return SYN_OK;
}

syn_status syn_json_member_choice(const syn_json *object, const char *key, const char *const *words, unsigned *choice,
                                  syn_error *error) {
  const syn_json place = syn_json_member(object, key);
  const char *text = "";
  SYN_TRY(syn_json_text(&place, &text, error));
  char known[128] = "";
  for (unsigned i = 0; words[i]; ++i) {
    if (strcmp(words[i], text) == 0) {
      *choice = i;
      return SYN_OK;
    }
    const size_t used = strlen(known);
    snprintf(known + used, sizeof known - used, "%s%s", i > 0 ? ", " : "", words[i]);
  }
  return syn_json_fail(&place, error, "'%.60s' is not one of %s", text, known);
}

syn_status syn_json_expect_version(const syn_json *root, int version, const char *what, syn_error *error) {
  const syn_json place = syn_json_member(root, "synovia");
  double found = 0;
  SYN_TRY(syn_json_double(&place, &found, error));
  if (found == version) return SYN_OK;
  return syn_json_fail(&place, error, "this is version %g of the %s format; only version %d can be read", found, what,
                       version);
}

static const char *key_at(const void *user, size_t index) { return ((const char *const *)user)[index]; }

static syn_status fail_key(const syn_json *place, const char *const *allowed, syn_error *error) {
  char hint[96], known[256] = "";
  size_t count = 0;
  for (size_t used = 0; allowed[count]; ++count)
    if (used < sizeof known)
      used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", count > 0 ? ", " : "", allowed[count]);
  syn_did_you_mean(place->key, key_at, allowed, count, hint);
  return syn_json_fail(place, error, "this key is not known here.%s Known: %s", hint, known);
}

syn_status syn_json_only_keys(const syn_json *object, const char *const *allowed, syn_error *error) {
  SYN_TRY(syn_json_expect_object(object, error));
  const char *key;
  json_t *value;
  json_object_foreach(object->value, key, value) {
    const char *const *known = allowed;
    while (*known && strcmp(*known, key) != 0) ++known;
    if (!*known) {
      const syn_json place = syn_json_member(object, key);
      return fail_key(&place, allowed, error);
    }
  }
  return SYN_OK;
}

json_t *syn_json_from_vec3(syn_vec3 value) {
  /* jansson has no NaN: pass null, so that the reader sees that there is no number */
  const double numbers[3] = {value.x, value.y, value.z};
  json_t *array = json_array();
  for (int i = 0; array && i < 3; ++i)
    json_array_append_new(array, isfinite(numbers[i]) ? json_real(numbers[i]) : json_null());
  return array;
}

void syn_json_put(json_t *object, const char *key, json_t *value, bool *failed) {
  if (json_object_set_new(object, key, value) != 0) *failed = true;
}

void syn_json_append(json_t *array, json_t *value, bool *failed) {
  if (json_array_append_new(array, value) != 0) *failed = true;
}
