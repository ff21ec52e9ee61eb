/* Reads JSON objects with jansson, with errors that name file and key path ("bodies[2].mesh"), and writes files
 * atomically. */
#ifndef SYN_BASE_JSON_H
#define SYN_BASE_JSON_H

#include <stdio.h>

#include <jansson.h>

#include "base/memory.h"

/* Reads one JSON value from text that is terminated by a zero byte behind its `size`; `path` is for messages. */
syn_status syn_json_parse(const char *bytes, size_t size, const char *path, json_t **value, syn_error *error);
/* Reads one JSON value from a file. *value is a new reference. */
syn_status syn_json_read(const syn_context *context, const char *path, json_t **value, syn_error *error);
/* Writes it indented, with keys in the given order and doubles in the shortest form that reads back to the same bits;
 * the file is written atomically. */
syn_status syn_json_write(const syn_context *context, const json_t *value, const char *path, syn_error *error);
/* Writes an object or array in one line, numbers as above, safe inside a <script> element. Write errors are left to the
 * caller that closes the stream. */
syn_status syn_json_put_script(const json_t *value, FILE *stream, syn_error *error);

/* A value with its key path. Created on the stack while the reader descends. */
typedef struct syn_json {
  json_t *value;   /* borrowed; NULL when an optional key is missing */
  const char *key; /* NULL for an array item and for the root */
  size_t index;
  const struct syn_json *parent; /* NULL for the root */
  const char *file;              /* may be NULL */
} syn_json;

syn_json syn_json_root(json_t *value, const char *file);
/* Returns the member `key`; its value is NULL when missing. The parent must be an object and outlive the child. */
syn_json syn_json_member(const syn_json *object, const char *key);
syn_json syn_json_item(const syn_json *array, size_t index);

/* Each fails with SYN_BAD_FORMAT, naming the key and the value found; a missing value is an error. */
syn_status syn_json_fail(const syn_json *place, syn_error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
syn_status syn_json_expect_object(const syn_json *place, syn_error *error);
syn_status syn_json_expect_array(const syn_json *place, size_t *count, syn_error *error);
syn_status syn_json_text(const syn_json *place, const char **text, syn_error *error); /* borrowed */
syn_status syn_json_bool(const syn_json *place, bool *value, syn_error *error);
syn_status syn_json_double(const syn_json *place, double *value, syn_error *error);
syn_status syn_json_vec3(const syn_json *place, syn_vec3 *value, syn_error *error);
/* Reads the text of the member `key`, copied to the arena. */
syn_status syn_json_member_text(const syn_json *object, const char *key, syn_arena *arena, const char **text,
                                syn_error *error);
/* The member `key` must be one of `words` (NULL-terminated); its number in *choice. */
syn_status syn_json_member_choice(const syn_json *object, const char *key, const char *const *words, unsigned *choice,
                                  syn_error *error);
/* The member "synovia" must be this version of the format that `what` names. */
syn_status syn_json_expect_version(const syn_json *root, int version, const char *what, syn_error *error);
/* Every key of the object must be in `allowed` (NULL-terminated). */
syn_status syn_json_only_keys(const syn_json *object, const char *const *allowed, syn_error *error);

/* New references; NULL when memory runs out, which jansson's setters pass on. */
json_t *syn_json_from_vec3(syn_vec3 value);

/* Put a new reference into an object or array; remember in *failed that it could not be made or put. */
void syn_json_put(json_t *object, const char *key, json_t *value, bool *failed);
void syn_json_append(json_t *array, json_t *value, bool *failed);

/* Finds the kind of a Synovia file from its JSON object, so that messages can name a file of the wrong kind. */
typedef enum syn_json_kind {
  SYN_JSON_STUDY,
  SYN_JSON_SKELETON,
  SYN_JSON_JOINT,
  SYN_JSON_SCENE,
  SYN_JSON_MARKUPS, /* landmarks by 3D Slicer */
  SYN_JSON_ANSWER,  /* what a command prints with --json */
  SYN_JSON_KINDS    /* none of these */
} syn_json_kind;

/* From the keys that only files of one kind have. */
syn_json_kind syn_json_kind_of(const json_t *value);
/* "a study file: `synovia study` takes it"; "" for SYN_JSON_KINDS. Static storage. */
const char *syn_json_kind_text(syn_json_kind kind);
/* Fails if the file is evidently of another kind. Unknown files pass: their reader gives a better message. */
syn_status syn_json_expect_kind(const syn_json *root, syn_json_kind wanted, syn_error *error);

#endif
