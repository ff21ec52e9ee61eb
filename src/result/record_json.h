/* Records as JSON, and the one object that every answer comes in. */
#ifndef SYN_RESULT_RECORD_JSON_H
#define SYN_RESULT_RECORD_JSON_H

#include <jansson.h>

#include <synovia/result.h>

#include "base/status.h"

/* New references; NULL where there is no memory. */
SYN_PROGRAM_API json_t *syn_record_to_json(const syn_record *record, const void *object, size_t index);

/* {"tool", "version", "command", "result" or (error not NULL) "error", "warnings", "warnings_about"}: what --json
 * prints and result.json holds; the last has for each warning the names of the numbers that it is about. `command` may
 * be NULL; `result` and `warnings` are borrowed. */
SYN_PROGRAM_API json_t *syn_answer_to_json(const char *command, json_t *result, json_t *warnings,
                                           const syn_error *error);
/* Writes an answer (borrowed; NULL: SYN_NO_MEMORY) indented, keys in the order given, doubles to the bit in their
 * shortest form, the file whole or not at all. */
SYN_PROGRAM_API syn_status syn_answer_write(const syn_context *context, const json_t *answer, const char *path,
                                            syn_error *error);
/* {"code", "message", "file", "line", "byte"}. */
SYN_PROGRAM_API json_t *syn_error_to_json(const syn_error *error);
/* Bytes that are not UTF-8, as in a file's name, become '?'. */
SYN_PROGRAM_API json_t *syn_text_to_json(const char *text);
/* null where it is not finite. */
SYN_PROGRAM_API json_t *syn_real_to_json(double value);
#endif
