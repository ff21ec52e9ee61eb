#include "base/status.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/names.h"

#define TEXT_OF(number) #number
#define VERSION_TEXT(major, minor, patch) TEXT_OF(major) "." TEXT_OF(minor) "." TEXT_OF(patch)

const char *syn_version(void) { return VERSION_TEXT(SYN_VERSION_MAJOR, SYN_VERSION_MINOR, SYN_VERSION_PATCH); }

int syn_version_number(void) { return SYN_VERSION_NUMBER; }

const char *syn_enum_name(const syn_enum *names, size_t value) {
  return value < names->count && names->names[value] ? names->names[value] : "unknown";
}

SYN_ENUM_NAMES(
    syn_status, SYN_STATUSES, [SYN_OK] = "ok", [SYN_BAD_ARGUMENT] = "bad argument", [SYN_NOT_FOUND] = "not found",
    [SYN_IO_ERROR] = "input/output error", [SYN_BAD_FORMAT] = "bad format", [SYN_BAD_MESH] = "bad mesh",
    [SYN_NO_MEMORY] = "out of memory", [SYN_TOO_LARGE] = "too large", [SYN_NO_PROGRAM] = "outside program failed",
    [SYN_NOT_CONVERGED] = "not converged", [SYN_CANCELLED] = "cancelled");
SYN_ENUM_NAMES(syn_side, SYN_SIDES, [SYN_SIDE_RIGHT] = "right", [SYN_SIDE_LEFT] = "left");

/* A long path keeps its end, which distinguishes files. */
static void store_file_name(syn_error *error, const char *file) {
  size_t length = file ? strlen(file) : 0, room = sizeof error->file - 1;
  if (length <= room) {
    memcpy(error->file, file ? file : "", length + 1);
    return;
  }
  memcpy(error->file, "...", 3);
  memcpy(error->file + 3, file + length - (room - 3), room - 3 + 1);
}

syn_status syn_fail_list(syn_error *error, syn_status code, const char *file, int64_t line, int64_t byte,
                         const char *format, va_list arguments) {
  assert(code != SYN_OK);
  if (!error) return code;
  error->code = code;
  error->line = line;
  error->byte = byte;
  store_file_name(error, file);
  vsnprintf(error->message, sizeof error->message, format, arguments);
  return code;
}

syn_status(syn_fail)(syn_error *error, syn_status code, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  syn_fail_list(error, code, NULL, 0, -1, format, arguments);
  va_end(arguments);
  return code;
}

syn_status(syn_fail_at)(syn_error *error, syn_status code, const char *file, int64_t line, int64_t byte,
                        const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  syn_fail_list(error, code, file, line, byte, format, arguments);
  va_end(arguments);
  return code;
}

syn_status(syn_fail_memory)(syn_error *error, size_t bytes) {
  return syn_fail(error, SYN_NO_MEMORY, "out of memory: %zu bytes were refused", bytes);
}

char *syn_error_text(const syn_error *error, char *text, size_t size) {
  if (!error->file[0])
    snprintf(text, size, "%s", error->message);
  else if (error->line > 0)
    snprintf(text, size, "%s:%lld: %s", error->file, (long long)error->line, error->message);
  else if (error->byte >= 0)
    snprintf(text, size, "%s: byte %lld: %s", error->file, (long long)error->byte, error->message);
  else
    snprintf(text, size, "%s: %s", error->file, error->message);
  return text;
}

/* 4 GiB, or half of the address space where that is less: a whole file is kept in memory. */
#define MOST_FILE_BYTES ((size_t)(SIZE_MAX / 2 < (uint64_t)4 << 30 ? SIZE_MAX / 2 : (uint64_t)4 << 30))

syn_context syn_default_context(void) { return (syn_context){.max_file_bytes = MOST_FILE_BYTES, .cookie = SYN_COOKIE}; }

const syn_context *syn_context_or_default(const syn_context *context) {
  static const syn_context standard = {.max_file_bytes = MOST_FILE_BYTES, .cookie = SYN_COOKIE};
  return context && context->cookie == SYN_COOKIE ? context : &standard;
}

syn_status syn_check_context(const syn_context *context, syn_error *error) {
  return context ? SYN_CHECK_OPTIONS(context, syn_default_context, error) : SYN_OK;
}

syn_status syn_check_cookie(uint32_t cookie, const char *maker, syn_error *error) {
  if (cookie == SYN_COOKIE) return SYN_OK;
  return syn_fail(error, SYN_BAD_ARGUMENT,
                  "a struct was not made by %s: start from what that returns and change the fields that matter", maker);
}

void syn_warn(const syn_context *context, const char *format, ...) {
  context = syn_context_or_default(context);
  if (!context->warn) return;
  char message[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  context->warn(context->user, message);
}

bool syn_progress(const syn_context *context, const char *what, double fraction) {
  context = syn_context_or_default(context);
  return !context->progress || context->progress(context->user, what, fraction);
}
