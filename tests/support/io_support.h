/* What the tests of mesh files share. */
#ifndef TEST_IO_SUPPORT_H
#define TEST_IO_SUPPORT_H

#include "support.h"

/* Parses from a block of exactly that size, so that reading past the end is noticed. `options` may be NULL. */
syn_status parse_bytes(const syn_context *context, const char *name, const void *bytes, size_t size,
                       const syn_read_options *options, syn_geometry *geometry, syn_error *error);
syn_status parse_text(const syn_context *context, const char *name, const char *text, syn_geometry *geometry,
                      syn_error *error);

/* Expects SYN_BAD_FORMAT at this line (0: any) with `part` in the message. */
void check_text_fails(const char *name, const char *text, int64_t line, const char *part);

/* Every beginning of the file, and every copy with one byte changed to each of a few nasty values, must give an error
 * or a geometry whose indices are in range, and leave no memory behind. */
void check_damage(const char *name, const void *bytes, size_t size);

/* Writes to a temporary file and reads that back. */
void write_and_read(const syn_context *context, const syn_geometry *geometry, const char *name,
                    const syn_write_options *options, syn_geometry *back);

/* The field of that name, or a failed test. */
const syn_field *field_named(const syn_geometry *geometry, const char *name);

#endif
