#include "report/blob.h"

#include <limits.h>
#include <string.h>

#include "base/base64.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/zlib_memory.h"

#define OPENING "<script type=\"application/octet-stream\" id=\"%sblob-%zu\">"

static syn_status run_deflate(z_stream *z, const syn_context *context, const unsigned char *bytes, size_t size,
                              unsigned char **packed, size_t *used, syn_error *error) {
  enum { PIECE = 1 << 16 };
  size_t capacity = 0;
  z->next_in = (Bytef *)(uintptr_t)bytes;
  for (int state = Z_OK; state != Z_STREAM_END;) {
    SYN_TRY(SYN_RESERVE(context, packed, *used, PIECE, &capacity, error));
    const size_t left = size - (size_t)(z->next_in - bytes), room = capacity - *used;
    z->avail_in = left < UINT_MAX ? (uInt)left : UINT_MAX;
    z->next_out = *packed + *used;
    const uInt offered = z->avail_out = room < UINT_MAX ? (uInt)room : UINT_MAX;
    state = deflate(z, left <= UINT_MAX ? Z_FINISH : Z_NO_FLUSH); /* cannot fail: the buffer is large enough */
    *used += offered - z->avail_out;
  }
  return SYN_OK;
}

static syn_status deflate_raw(const syn_context *context, const void *bytes, size_t size, unsigned char **packed,
                              size_t *used, syn_error *error) {
  /* On packed bones, level 9 takes ten times as long as 6 and saves 5 %. */
  enum { LEVEL = 6, RAW = -15, MOST_MEMORY = 9 };
  z_stream z = syn_zlib_stream(context);
  *packed = NULL;
  *used = 0;
  if (deflateInit2(&z, LEVEL, Z_DEFLATED, RAW, MOST_MEMORY, Z_DEFAULT_STRATEGY) != Z_OK)
    return syn_fail_memory(error, 1 << 18);
  const syn_status status = run_deflate(&z, context, bytes, size, packed, used, error);
  deflateEnd(&z);
  return status;
}

syn_status syn_blobs_add(syn_blobs *blobs, unsigned char *bytes, size_t size, size_t *number, syn_error *error) {
  const syn_status status = SYN_RESERVE(blobs->context, &blobs->items, blobs->count, 1, &blobs->capacity, error);
  if (status != SYN_OK) {
    syn_free(blobs->context, bytes);
    return status;
  }
  *number = blobs->count;
  blobs->items[blobs->count++] = (syn_blob){.bytes = bytes, .size = size};
  return SYN_OK;
}

static syn_status pack(void *user, size_t i, syn_error *error) {
  const syn_blobs *blobs = user;
  const syn_context *context = blobs->context;
  syn_blob *blob = &blobs->items[i];
  unsigned char *packed;
  size_t used;
  syn_status status = deflate_raw(context, blob->bytes, blob->size, &packed, &used, error);
  blob->length = syn_base64_length(used);
  if (status == SYN_OK) status = SYN_NEW(context, &blob->text, blob->length, error);
  if (status == SYN_OK) syn_base64_encode(packed, used, blob->text);
  syn_free(context, packed);
  syn_free(context, blob->bytes);
  blob->bytes = NULL;
  return status;
}

syn_status syn_blobs_pack(syn_blobs *blobs, syn_error *error) {
  return syn_parallel_tasks(blobs->context, blobs->count, pack, blobs, error);
}

void syn_blobs_release(syn_blobs *blobs) {
  for (size_t i = 0; i < blobs->count; ++i) {
    syn_free(blobs->context, blobs->items[i].bytes);
    syn_free(blobs->context, blobs->items[i].text);
  }
  syn_free(blobs->context, blobs->items);
  *blobs = (syn_blobs){.context = blobs->context};
}

void syn_blob_put(FILE *to, const char *prefix, size_t number, const char *text, size_t length) {
  fprintf(to, OPENING, prefix, number);
  fwrite(text, 1, length, to);
  fputs("</script>\n", to);
}

char *syn_blob_opening(size_t number, char room[96]) {
  enum { ROOM = 96 };
  snprintf(room, ROOM, OPENING, "", number);
  return room;
}
