/* Reads the bytes of a file or of memory in order, unpacked where they are packed (gzip, zlib), as often as wanted.
 * Only a buffer of fixed size is kept. */
#ifndef SYN_IMAGE_BYTE_STREAM_H
#define SYN_IMAGE_BYTE_STREAM_H

#include <stdio.h>
#include <zlib.h>

#include "base/status.h"

typedef struct byte_stream {
  const syn_context *context;
  const char *name; /* for messages; the caller's */
  FILE *file;       /* or */
  const unsigned char *memory;
  uint64_t size;     /* of the file, packed */
  uint64_t taken;    /* how much of it was taken into the buffer or by zlib */
  uint64_t position; /* unpacked bytes since the start */
  bool packed, ended;
  bool inflating; /* `z` must be ended */
  z_stream z;
  unsigned char *buffer; /* of the file, packed */
} byte_stream;

/* Opens a file; pipes are refused, since they cannot be read twice. Release with byte_stream_close, also on failure. */
syn_status syn_byte_stream_open(const syn_context *context, const char *path, byte_stream *stream, syn_error *error);
/* Reads from the caller's memory, which must outlive the stream. */
void syn_byte_stream_of_memory(const syn_context *context, const char *name, const void *bytes, size_t size,
                               byte_stream *stream);
void syn_byte_stream_close(byte_stream *stream);

/* Goes to byte `offset` of the file; with `packed` what follows is unpacked while it is read. */
syn_status syn_byte_stream_start(byte_stream *stream, uint64_t offset, bool packed, syn_error *error);
/* The next `size` bytes; SYN_BAD_FORMAT if there are fewer. */
syn_status syn_byte_stream_read(byte_stream *stream, void *bytes, size_t size, syn_error *error);
/* As many of them as there are: *got. */
syn_status syn_byte_stream_read_some(byte_stream *stream, void *bytes, size_t size, size_t *got, syn_error *error);
syn_status syn_byte_stream_skip(byte_stream *stream, uint64_t size, syn_error *error);
/* Could `size` unpacked bytes be in the file from `offset` on? Asked before memory is taken: deflate packs a byte into
 * an eighth of a bit at best. */
bool syn_byte_stream_may_hold(const byte_stream *stream, uint64_t offset, bool packed, uint64_t size);

/* Fails with the name and this byte of the file. */
syn_status syn_byte_stream_fail(const byte_stream *stream, int64_t byte, syn_error *error, const char *format, ...)
    SYN_PRINTF(4, 5);

#endif
