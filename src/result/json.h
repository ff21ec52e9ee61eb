/* Records as JSON, and the one object that every answer comes in. */
#ifndef SYN_RESULT_JSON_H
#define SYN_RESULT_JSON_H

#include <jansson.h>

#include <synovia/result.h>

/* New references; NULL where there is no memory. */
json_t *syn_record_to_json(const syn_record *record, const void *object, size_t index);

/* {"tool", "version", "command", "result" or (error not NULL) "error", "warnings"}: what --json prints and result.json
 * holds. `command` may be NULL; `result` and `warnings` are borrowed. */
json_t *syn_answer_json(const char *command, json_t *result, json_t *warnings, const syn_error *error);
/* {"code", "message", "file", "line", "byte"}. */
json_t *syn_error_json(const syn_error *error);
/* Bytes that are not UTF-8, as in a file's name, become '?'. */
json_t *syn_text_json(const char *text);
/* null where it is not finite. */
json_t *syn_real_json(double value);

#endif
