/* Synovia: helpers for programs that use the library: errors, warnings, numbers and text in the same style. */
#ifndef SYNOVIA_PROGRAM_H
#define SYNOVIA_PROGRAM_H

#include <stdio.h>

#include <synovia/base.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define SYN_PRINTF(words, first) __attribute__((format(printf, words, first)))
#else
#define SYN_PRINTF(words, first)
#endif

/* ---- beginning -----------------------------------------------------------------------------------------------------
 */

/* For the first lines of main(), where no other thread reads the environment yet; the library never changes it. Sets
 * the processor type (OPENBLAS_CORETYPE) and one thread (OPENBLAS_NUM_THREADS) for OpenBLAS, which the soft tissue
 * solvers use, unless they are set already. Without this call results are equally accurate; on processors newer than
 * OpenBLAS, which it does not recognise, they may take several times as long. */
SYN_API void syn_program_prepare(void);

/* ---- failing and warning ------------------------------------------------------------------------------------------
 */

/* Returns from the calling function when `call` fails; the callee has filled the error. */
#define SYN_TRY(call)                                                                                                  \
  do {                                                                                                                 \
    syn_status syn_try_status_ = (call);                                                                               \
    if (syn_try_status_ != SYN_OK) return syn_try_status_;                                                             \
  } while (0)

/* Fills `error` (may be NULL) with a printf-style sentence and no location; returns `code`. */
SYN_API syn_status syn_fail(syn_error *error, syn_status code, const char *format, ...) SYN_PRINTF(3, 4);
/* The same with a file (may be NULL), a 1-based line (0: none) and a byte offset (-1: none). */
SYN_API syn_status syn_fail_at(syn_error *error, syn_status code, const char *file, int64_t line, int64_t byte,
                               const char *format, ...) SYN_PRINTF(6, 7);
/* Calls the context's `warn`, if it has one. */
SYN_API void syn_warn(const syn_context *context, const char *format, ...) SYN_PRINTF(2, 3);

/* ---- words and numbers --------------------------------------------------------------------------------------------
 */

/* All of these `length` characters as a number: decimal, exponent, inf and nan in any case, correctly rounded, in any
 * locale; not hexadecimal. */
SYN_API bool syn_number_read(const char *text, size_t length, double *value);
/* 69451 as "69,451"; returns `text`. */
SYN_API char *syn_count_words(uint64_t count, char text[32]);
/* " Did you mean 'NAME'?" for the name among `count` that is nearest to `typed`, or "" when none is near; returns
 * `text`. */
SYN_API char *syn_did_you_mean(const char *typed, const char *(*name_at)(const void *user, size_t index),
                               const void *user, size_t count, char text[96]);
/* Returns whether `path` ends in `ending`, ignoring case. */
SYN_API bool syn_path_ends(const char *path, const char *ending);

/* ---- texts that grow ----------------------------------------------------------------------------------------------
 */

/* A stream into memory. Close it with syn_memory_close; then `bytes` has `size` of them and a terminating zero, and
 * free() releases them. (open_memstream drops what it has no memory for, and says so neither then nor when closing.) */
typedef struct syn_memory_stream {
  FILE *stream;
  char *bytes;
  size_t size, capacity;
  bool failed;
} syn_memory_stream;
SYN_API syn_status syn_memory_open(syn_memory_stream *memory, syn_error *error);
/* SYN_NO_MEMORY if some of it is missing; everything is released then. */
SYN_API syn_status syn_memory_close(syn_memory_stream *memory, syn_error *error);

#ifdef __cplusplus
}
#endif
#endif
