/* Numbers of any width and byte order, and of text, as doubles: exact for all of them but 64-bit integers beyond 2^53,
 * which no mesh has use for. */
#ifndef SYN_MESH_IO_NUMBERS_H
#define SYN_MESH_IO_NUMBERS_H

#include "base/memory.h"
#include "base/text.h"

typedef enum syn_number_type {
  SYN_INT8,
  SYN_UINT8,
  SYN_INT16,
  SYN_UINT16,
  SYN_INT32,
  SYN_UINT32,
  SYN_INT64,
  SYN_UINT64,
  SYN_FLOAT32,
  SYN_FLOAT64
} syn_number_type;

size_t syn_number_size(syn_number_type type);

/* A growing array; zero-initialise, release with syn_free of `values`. */
typedef struct syn_numbers {
  double *values;
  size_t count, capacity;
} syn_numbers;

/* Appends `count` numbers from bytes of any alignment. */
syn_status syn_numbers_decode(const syn_context *context, syn_numbers *numbers, syn_number_type type, bool big_endian,
                              const void *bytes, size_t count, syn_error *error);
/* Appends `count` numbers from text; SIZE_MAX: all to its end. The memory used is bounded by the text's length. */
syn_status syn_numbers_parse(const syn_context *context, syn_numbers *numbers, syn_text *text, size_t count,
                             const char *what, syn_error *error);
/* The inverse of decoding. Values must fit the type. */
void syn_numbers_encode(syn_number_type type, bool big_endian, const double *values, size_t count, void *bytes);

/* Converts the value to an index below `limit` (at most 2^53); false if it is not valid. */
bool syn_number_index(double value, uint64_t limit, uint64_t *index);

#endif
