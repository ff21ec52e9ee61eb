/* Binary data of a page: base64 of raw deflate, each under the name "blob-N". */
#ifndef SYN_REPORT_BLOB_H
#define SYN_REPORT_BLOB_H

#include <stdio.h>

#include "base/status.h"

typedef struct syn_blob {
  unsigned char *bytes; /* until packed */
  size_t size;
  char *text; /* once packed */
  size_t length;
} syn_blob;

/* Zero-initialise with a context. */
typedef struct syn_blobs {
  const syn_context *context;
  syn_blob *items;
  size_t count, capacity;
} syn_blobs;

/* Adds a blob; *number is its N. Takes ownership of the bytes, allocated by the context, also on failure. */
syn_status syn_blobs_add(syn_blobs *blobs, unsigned char *bytes, size_t size, size_t *number, syn_error *error);
/* Compresses and encodes all blobs, several at once. */
syn_status syn_blobs_pack(syn_blobs *blobs, syn_error *error);
void syn_blobs_release(syn_blobs *blobs);

/* Writes the <script> element of a blob whose name begins with `prefix`. */
void syn_blob_put(FILE *to, const char *prefix, size_t number, const char *text, size_t length);
/* Returns what syn_blob_put writes before the text of "blob-N", for reading it back. */
char *syn_blob_opening(size_t number, char room[96]);

#endif
