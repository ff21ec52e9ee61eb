/* What the tests of mesh files share: parsing from memory, spoiling files, comparing what came out. */
#ifndef TEST_IO_SUPPORT_H
#define TEST_IO_SUPPORT_H

#include "support.h"

/* ---- reading ------------------------------------------------------------------------------------------------------
 */

/* Parses from a block of exactly that size, so that reading past the end is noticed. `options` may be NULL. */
syn_status parse_bytes(const syn_context *context, const char *name, const void *bytes, size_t size,
                       const syn_read_options *options, syn_geometry *geometry, syn_error *error);
syn_status parse_text(const syn_context *context, const char *name, const char *text, syn_geometry *geometry,
                      syn_error *error);
/* The same for a text that must be right. */
syn_geometry parsed_text(const syn_context *context, const char *name, const char *text);

/* For check_every_allocation: parses a text and releases what came out. */
typedef struct named_text {
  const char *name, *text;
} named_text;
syn_status parse_attempt(const syn_context *context, void *named, syn_error *error);

/* Writes to a temporary file and reads that back. `options` may be NULL. */
void write_and_read(const syn_context *context, const syn_geometry *geometry, const char *name,
                    const syn_write_options *options, syn_geometry *back);

/* ---- spoiling -----------------------------------------------------------------------------------------------------
 */

/* Expects SYN_BAD_FORMAT in this file at this line (0: any) with `part` in the message, and nothing left behind. */
void check_text_fails(const char *name, const char *text, int64_t line, const char *part);

/* The following parse spoiled copies. Each must give an error with a message, or a geometry whose indices are in range;
 * leave no memory behind; and take no more memory than its size or the context's limit justifies. */

/* Every beginning of the file shorter than `size`: read or refused as SYN_BAD_FORMAT, and refused below `must_fail`
 * bytes. Returns how many were read. */
size_t check_every_prefix(const char *name, const void *bytes, size_t size, size_t must_fail);
/* Every beginning, and every copy with one byte changed to each of a few nasty values. */
void check_damage(const char *name, const void *bytes, size_t size);
/* One to three random bytes at random places; for files too large to try everything. */
void check_random_damage(const char *name, const void *bytes, size_t size, int rounds);

/* ---- comparing ----------------------------------------------------------------------------------------------------
 */

/* The field of that name and place, or a failed test. */
const syn_field *find_field(const syn_geometry *geometry, const char *name, syn_field_on on);
/* It has these components, and these are its first `count` values; NaN equals NaN. */
void check_field(const syn_geometry *geometry, const char *name, syn_field_on on, uint32_t components, size_t count,
                 const double *values);
void check_triangle(const syn_geometry *geometry, size_t triangle, uint32_t a, uint32_t b, uint32_t c);
void check_tet(const syn_geometry *geometry, size_t tet, uint32_t a, uint32_t b, uint32_t c, uint32_t d);
/* Points, cells and, when asked, fields are the same to the bit; NaN in a field equals any NaN. */
void check_same_geometry(const syn_geometry *a, const syn_geometry *b, bool fields);

#endif
