/* Errors with their location. Every fallible function reports a failure with `return syn_fail(...)`. */
#ifndef SYN_BASE_STATUS_H
#define SYN_BASE_STATUS_H

#include <stdarg.h>

#include <synovia/base.h>

/* Declares a function that our program uses as well (src/program.h): a shared library exports it, and no installed
 * header declares it. */
#define SYN_PROGRAM_API SYN_API

#define SYN_PRINTF(format_argument, first) __attribute__((format(printf, format_argument, first)))

/* Returns from the calling function when `call` fails; the callee has filled the error. */
#define SYN_TRY(call)                                                                                                  \
  do {                                                                                                                 \
    syn_status syn_try_status_ = (call);                                                                               \
    if (syn_try_status_ != SYN_OK) return syn_try_status_;                                                             \
  } while (0)

/* Fills `error` (may be NULL) with a printf-style sentence and no location; returns `code`. */
SYN_PROGRAM_API syn_status syn_fail(syn_error *error, syn_status code, const char *format, ...) SYN_PRINTF(3, 4);
/* The same with a file (may be NULL), a 1-based line (0: none) and a byte offset (-1: none). */
SYN_PROGRAM_API syn_status syn_fail_at(syn_error *error, syn_status code, const char *file, int64_t line, int64_t byte,
                                       const char *format, ...) SYN_PRINTF(6, 7);
/* For functions that know the location and take the sentence as their own arguments. */
syn_status syn_fail_list(syn_error *error, syn_status code, const char *file, int64_t line, int64_t byte,
                         const char *format, va_list arguments) SYN_PRINTF(6, 0);
syn_status syn_fail_memory(syn_error *error, size_t bytes);

#ifdef __clang_analyzer__
/* The analyser sees one file at a time: let it know that a failure is never SYN_OK. */
#define syn_fail(...) (syn_fail(__VA_ARGS__), SYN_BAD_ARGUMENT)
#define syn_fail_at(...) (syn_fail_at(__VA_ARGS__), SYN_BAD_FORMAT)
#define syn_fail_memory(...) (syn_fail_memory(__VA_ARGS__), SYN_NO_MEMORY)
#endif

/* Calls the context's `warn`, if it has one. */
SYN_PROGRAM_API void syn_warn(const syn_context *context, const char *format, ...) SYN_PRINTF(2, 3);
/* Reports progress; false means stop with SYN_CANCELLED. */
bool syn_progress(const syn_context *context, const char *what, double fraction);

/* The context to use where the caller gave NULL, or one that no syn_default_context() made: its callbacks are noise. */
const syn_context *syn_context_or_default(const syn_context *context);
/* SYN_BAD_ARGUMENT where a context is neither NULL nor made by syn_default_context(). Every function that allocates
 * calls it. */
syn_status syn_check_context(const syn_context *context, syn_error *error);

/* The mark that every syn_default_*() writes into its struct, so that a missing call is reported. */
enum { SYN_COOKIE = 0x53594e30 };
/* SYN_BAD_ARGUMENT unless `options` (not NULL) come from `maker`, the function that fills in their defaults. */
#define SYN_CHECK_OPTIONS(options, maker, error) syn_check_cookie((options)->cookie, #maker "()", (error))
syn_status syn_check_cookie(uint32_t cookie, const char *maker, syn_error *error);

#endif
