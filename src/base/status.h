/* Errors with their location. Every fallible function reports a failure with `return syn_fail(...)`. */
#ifndef SYN_BASE_STATUS_H
#define SYN_BASE_STATUS_H

#include <stdarg.h>

#include <synovia/program.h>

/* For functions that know the location and take the sentence as their own arguments. */
syn_status syn_fail_list(syn_error *error, syn_status code, const char *file, int64_t line, int64_t byte,
                         const char *format, va_list arguments) __attribute__((format(printf, 6, 0)));
syn_status syn_fail_memory(syn_error *error, size_t bytes);

#ifdef __clang_analyzer__
/* The analyser sees one file at a time: let it know that a failure is never SYN_OK. */
#define syn_fail(...) (syn_fail(__VA_ARGS__), SYN_BAD_ARGUMENT)
#define syn_fail_at(...) (syn_fail_at(__VA_ARGS__), SYN_BAD_FORMAT)
#define syn_fail_memory(...) (syn_fail_memory(__VA_ARGS__), SYN_NO_MEMORY)
#endif

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
