#include "image/io/byte_stream.h"

#include <string.h>
#include <sys/stat.h>

#include "base/files/file.h"
#include "base/memory.h"
#include "base/zlib_memory.h"

enum { BUFFER = 1 << 16, BEST_PACKING = 1032 };

syn_status syn_byte_stream_fail(const byte_stream *stream, int64_t byte, syn_error *error, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const syn_status status = syn_fail_list(error, SYN_BAD_FORMAT, stream->name, 0, byte, format, arguments);
  va_end(arguments);
  return status;
}

syn_status syn_byte_stream_open(const syn_context *context, const char *path, byte_stream *stream, syn_error *error) {
  struct stat info;
  *stream = (byte_stream){.context = context, .name = path};
  stream->file = fopen(path, "rb");
  if (!stream->file) return syn_fail_errno(error, SYN_NOT_FOUND, path, "cannot open");
  if (fstat(fileno(stream->file), &info) != 0 || !S_ISREG(info.st_mode))
    return syn_fail_at(error, SYN_NOT_FOUND, path, 0, -1,
                       "this is no file: an image is read twice, which pipes and devices do not allow");
  stream->size = (uint64_t)info.st_size;
  const size_t limit = syn_context_or_default(context)->max_file_bytes;
  if (stream->size > limit)
    return syn_fail_at(error, SYN_TOO_LARGE, path, 0, -1, "the file has %llu bytes, the limit is %zu",
                       (unsigned long long)stream->size, limit);
  return SYN_NEW(context, &stream->buffer, BUFFER, error);
}

void syn_byte_stream_of_memory(const syn_context *context, const char *name, const void *bytes, size_t size,
                               byte_stream *stream) {
  *stream = (byte_stream){.context = context, .name = name, .memory = bytes, .size = size};
}

void syn_byte_stream_close(byte_stream *stream) {
  if (stream->inflating) inflateEnd(&stream->z);
  if (stream->file) fclose(stream->file);
  syn_free(stream->context, stream->buffer);
  *stream = (byte_stream){0};
}

syn_status syn_byte_stream_start(byte_stream *stream, uint64_t offset, bool packed, syn_error *error) {
  if (stream->inflating) inflateEnd(&stream->z);
  stream->inflating = false;
  if (offset > stream->size)
    return syn_byte_stream_fail(stream, (int64_t)stream->size, error,
                                "the voxels should begin at byte %llu, and the file has %llu",
                                (unsigned long long)offset, (unsigned long long)stream->size);
  if (stream->file && fseeko(stream->file, (off_t)offset, SEEK_SET) != 0)
    return syn_fail_errno(error, SYN_IO_ERROR, stream->name, "cannot go to a place in the file");
  stream->taken = offset;
  stream->position = 0;
  stream->packed = packed;
  stream->ended = false;
  if (!packed) return SYN_OK;
  stream->z = syn_zlib_stream(stream->context);
  if (inflateInit2(&stream->z, 15 + 32) != Z_OK) return syn_fail_memory(error, 0); /* gzip or zlib */
  stream->inflating = true;
  return SYN_OK;
}

/* ---- packed bytes -------------------------------------------------------------------------------------------------
 */

/* The next bytes of the file for zlib; none at its end. */
static syn_status refill(byte_stream *stream, syn_error *error) {
  const uint64_t left = stream->size - stream->taken;
  if (stream->memory) {
    const unsigned got = left < (1U << 30) ? (unsigned)left : 1U << 30;
    stream->z.next_in = (unsigned char *)(uintptr_t)(stream->memory + stream->taken); /* zlib does not write there */
    stream->z.avail_in = got;
    stream->taken += got;
    return SYN_OK;
  }
  const size_t got = fread(stream->buffer, 1, BUFFER, stream->file);
  if (got == 0 && ferror(stream->file)) return syn_fail_errno(error, SYN_IO_ERROR, stream->name, "reading failed");
  stream->z.next_in = stream->buffer;
  stream->z.avail_in = (unsigned)got;
  stream->taken += got;
  return SYN_OK;
}

/* Some programs pack a file in pieces, one after the other. */
static syn_status begin_next_piece(byte_stream *stream, syn_error *error) {
  if (stream->z.avail_in == 0) SYN_TRY(refill(stream, error));
  if (stream->z.avail_in == 0 || stream->z.next_in[0] != 0x1f)
    stream->ended = true;
  else
    inflateReset(&stream->z);
  return SYN_OK;
}

static syn_status unpack(byte_stream *stream, unsigned char *bytes, size_t size, size_t *got, syn_error *error) {
  z_stream *z = &stream->z;
  *got = 0;
  while (*got < size && !stream->ended) {
    if (z->avail_in == 0) SYN_TRY(refill(stream, error));
    const bool file_ended = z->avail_in == 0;
    const unsigned part = size - *got < (1U << 30) ? (unsigned)(size - *got) : 1U << 30;
    z->next_out = bytes + *got;
    z->avail_out = part;
    const int code = inflate(z, Z_NO_FLUSH);
    *got += part - z->avail_out;
    if (code == Z_MEM_ERROR) return syn_fail_memory(error, 0);
    if (code == Z_STREAM_END)
      SYN_TRY(begin_next_piece(stream, error));
    else if (code == Z_BUF_ERROR && file_ended)
      stream->ended = true; /* cut */
    else if (code != Z_OK && code != Z_BUF_ERROR)
      return syn_byte_stream_fail(stream, (int64_t)(stream->taken - z->avail_in), error,
                                  "the packed bytes are damaged (%s): copy or download the file again",
                                  z->msg ? z->msg : "zlib cannot unpack them");
  }
  return SYN_OK;
}

/* ---- reading ------------------------------------------------------------------------------------------------------
 */

syn_status syn_byte_stream_read_some(byte_stream *stream, void *bytes, size_t size, size_t *got, syn_error *error) {
  *got = 0;
  if (stream->packed) {
    SYN_TRY(unpack(stream, bytes, size, got, error));
  } else if (stream->memory) {
    const uint64_t left = stream->size - stream->taken;
    *got = size < left ? size : (size_t)left;
    if (*got) memcpy(bytes, stream->memory + stream->taken, *got);
    stream->taken += *got;
  } else {
    *got = fread(bytes, 1, size, stream->file);
    if (*got < size && ferror(stream->file)) return syn_fail_errno(error, SYN_IO_ERROR, stream->name, "reading failed");
    stream->taken += *got;
  }
  stream->position += *got;
  return SYN_OK;
}

syn_status syn_byte_stream_read(byte_stream *stream, void *bytes, size_t size, syn_error *error) {
  size_t got;
  SYN_TRY(syn_byte_stream_read_some(stream, bytes, size, &got, error));
  if (got == size) return SYN_OK;
  return syn_byte_stream_fail(stream, (int64_t)stream->size, error,
                              "the file is cut: it ends after %llu bytes%s, and more must follow",
                              (unsigned long long)stream->position, stream->packed ? " when unpacked" : "");
}

syn_status syn_byte_stream_skip(byte_stream *stream, uint64_t size, syn_error *error) {
  if (!stream->packed && size > stream->size - stream->taken) {
    stream->position += stream->size - stream->taken;
    stream->taken = stream->size;
    if (stream->file) fseeko(stream->file, 0, SEEK_END);
    return syn_byte_stream_read(stream, &(char){0}, 1, error); /* says that the file is cut */
  }
  if (!stream->packed && size > BUFFER) {
    if (stream->file && fseeko(stream->file, (off_t)(stream->taken + size), SEEK_SET) != 0)
      return syn_fail_errno(error, SYN_IO_ERROR, stream->name, "cannot go to a place in the file");
    stream->taken += size;
    stream->position += size;
    return SYN_OK;
  }
  unsigned char dropped[4096];
  for (; size > 0; size -= size < sizeof dropped ? size : sizeof dropped)
    SYN_TRY(syn_byte_stream_read(stream, dropped, size < sizeof dropped ? (size_t)size : sizeof dropped, error));
  return SYN_OK;
}

bool syn_byte_stream_may_hold(const byte_stream *stream, uint64_t offset, bool packed, uint64_t size) {
  const uint64_t left = offset < stream->size ? stream->size - offset : 0;
  return packed ? size / BEST_PACKING <= left : size <= left;
}
