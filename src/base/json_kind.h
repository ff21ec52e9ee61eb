/* Finds the kind of a Synovia file from its JSON object, so that messages can name a file of the wrong kind. */
#ifndef SYN_BASE_JSON_KIND_H
#define SYN_BASE_JSON_KIND_H

#include "base/json.h"

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
