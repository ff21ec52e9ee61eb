#include "mesh/io/vtk/vtu_data.h"

#include <string.h>
#include <zlib.h>

#include "base/base64.h"
#include "base/zlib_memory.h"

static bool find_type(const char *name, syn_number_type *type) {
  static const char *const names[] = {"Int8",   "UInt8", "Int16",  "UInt16",  "Int32",
                                      "UInt32", "Int64", "UInt64", "Float32", "Float64"};
  for (size_t i = 0; name && i < sizeof names / sizeof *names; ++i)
    if (strcmp(names[i], name) == 0) {
      *type = (syn_number_type)i;
      return true;
    }
  *type = SYN_UINT8;
  return name && strcmp(name, "String") == 0;
}

bool syn_vtu_is_numeric(const syn_xml_element *array) {
  syn_number_type type;
  return find_type(syn_xml_attribute(array, "type"), &type) && !syn_xml_attribute_is(array, "type", "String");
}

syn_status syn_vtu_data_begin(const syn_context *context, const syn_xml *xml, const char *bytes, size_t size,
                              syn_vtu_data *data, syn_error *error) {
  const char *compressor = syn_xml_attribute(xml->root, "compressor");
  *data = (syn_vtu_data){.context = context,
                         .xml = xml,
                         .big_endian = syn_xml_attribute_is(xml->root, "byte_order", "BigEndian"),
                         .zlib = compressor && strcmp(compressor, "vtkZLibDataCompressor") == 0,
                         .word = syn_xml_attribute_is(xml->root, "header_type", "UInt64") ? 8 : 4,
                         .inflate_left = syn_context_or_default(context)->max_file_bytes};
  if (compressor && compressor[0] && !data->zlib)
    return syn_xml_fail(xml, xml->root, error,
                        "data compressed by %.60s are not read; save the file with zlib or without compression",
                        compressor);
  if (!xml->stopped_at) return SYN_OK;
  const syn_xml_element *tag = syn_xml_find(xml->root->child, "AppendedData");
  data->appended_base64 = !tag || !syn_xml_attribute_is(tag, "encoding", "raw");
  const char *mark = memchr(bytes + xml->stopped_at, '_', size - xml->stopped_at);
  if (!mark)
    return syn_fail_at(error, SYN_BAD_FORMAT, xml->file, 0, (int64_t)xml->stopped_at,
                       "the appended data do not begin with an underscore");
  data->appended = mark + 1;
  data->appended_end = bytes + size;
  return SYN_OK;
}

/* ---- bytes ------------------------------------------------------------------------------------------------------ */

typedef struct byte_stream {
  bool base64;
  syn_base64_reader reader; /* raw bytes use only its two pointers */
} byte_stream;

/* Returns an upper bound of the remaining bytes. */
static size_t bytes_left(const byte_stream *s) {
  const size_t left = (size_t)(s->reader.end - s->reader.at);
  return s->base64 ? left / 4 * 3 + s->reader.held_count : left;
}

static bool take_bytes(byte_stream *s, void *bytes, size_t count) {
  if (s->base64) return syn_base64_read(&s->reader, bytes, count) == count;
  if (count > bytes_left(s)) return false;
  memcpy(bytes, s->reader.at, count);
  s->reader.at += count;
  return true;
}

/* Bytes that are either in the file or owned. */
typedef struct payload {
  const unsigned char *bytes;
  unsigned char *owned;
  size_t size, capacity;
} payload;

/* One array while it is read. */
typedef struct array_reader {
  syn_vtu_data *data;
  const syn_xml_element *array;
  byte_stream stream;
  size_t expected_bytes; /* SIZE_MAX: not known */
  syn_error *error;
} array_reader;

static syn_status fail_short(const array_reader *r) {
  return syn_xml_fail(r->data->xml, r->array, r->error,
                      "the data of <%s> end too early or are not what the file says; the file seems to be cut off",
                      r->array->name);
}

static syn_status take_word(array_reader *r, uint64_t *value) {
  unsigned char bytes[8];
  const size_t size = r->data->word;
  if (!take_bytes(&r->stream, bytes, size)) return fail_short(r);
  *value = 0;
  for (size_t i = 0; i < size; ++i) *value = *value << 8 | bytes[r->data->big_endian ? i : size - 1 - i];
  return SYN_OK;
}

/* The next `count` bytes of the file: in place where they are raw, else decoded into the payload's own buffer, which
 * the next call reuses. */
static syn_status take_payload(array_reader *r, uint64_t count, payload *p) {
  if (count > bytes_left(&r->stream)) return fail_short(r);
  p->size = (size_t)count;
  if (!r->stream.base64) {
    p->bytes = (const unsigned char *)r->stream.reader.at;
    r->stream.reader.at += count;
    return SYN_OK;
  }
  SYN_TRY(SYN_RESERVE(r->data->context, &p->owned, 0, p->size, &p->capacity, r->error));
  p->bytes = p->owned;
  return take_bytes(&r->stream, p->owned, p->size) ? SYN_OK : fail_short(r);
}

static syn_status check_size(const array_reader *r, uint64_t bytes) {
  if (r->expected_bytes == SIZE_MAX || bytes == r->expected_bytes) return SYN_OK;
  return syn_xml_fail(r->data->xml, r->array, r->error, "<%s> holds %llu bytes where %zu were expected", r->array->name,
                      (unsigned long long)bytes, r->expected_bytes);
}

/* ---- compressed blocks ------------------------------------------------------------------------------------------ */

/* Appends exactly `size` inflated bytes to *out. The buffer grows with the data, never by the size in the header. */
static syn_status inflate_block(array_reader *r, z_stream *z, payload packed, size_t size, payload *out) {
  const size_t end = out->size + size;
  inflateReset(z);
  z->next_in = (Bytef *)(uintptr_t)packed.bytes;
  z->avail_in = (uInt)packed.size;
  int result = Z_OK;
  while (result == Z_OK) {
    const size_t step = end - out->size < 1 << 16 ? end - out->size : 1 << 16;
    SYN_TRY(SYN_RESERVE(r->data->context, &out->owned, out->size, step + 1, &out->capacity, r->error));
    z->next_out = out->owned + out->size;
    z->avail_out = (uInt)step;
    result = inflate(z, Z_NO_FLUSH);
    out->size += step - z->avail_out;
  }
  if (result == Z_MEM_ERROR) return syn_fail_memory(r->error, size);
  if (result == Z_STREAM_END && out->size == end && z->avail_in == 0) return SYN_OK;
  return syn_xml_fail(r->data->xml, r->array, r->error, "a compressed block of <%s> is damaged", r->array->name);
}

static syn_status inflate_blocks(array_reader *r, z_stream *z, const uint64_t *packed_sizes, uint64_t count,
                                 uint64_t size, uint64_t last_size, payload *out) {
  payload packed = {0};
  syn_status status = SYN_OK;
  for (uint64_t i = 0; i < count && status == SYN_OK; ++i) {
    status = packed_sizes[i] > UINT32_MAX ? fail_short(r) : take_payload(r, packed_sizes[i], &packed);
    const uint64_t bytes = i + 1 == count && last_size ? last_size : size;
    if (status == SYN_OK) status = inflate_block(r, z, packed, (size_t)bytes, out);
  }
  syn_free(r->data->context, packed.owned);
  out->bytes = out->owned;
  return status;
}

/* In front: the number of blocks, the size of each but the last, the size of the last (0: a full one), and the
 * compressed size of each. */
static syn_status take_compressed(array_reader *r, payload *out) {
  uint64_t count = 0, size = 0, last = 0, total, *sizes;
  SYN_TRY(take_word(r, &count));
  if (count == 0) return check_size(r, 0);
  SYN_TRY(take_word(r, &size));
  SYN_TRY(take_word(r, &last));
  if (count > bytes_left(&r->stream) / r->data->word) return fail_short(r);
  if (__builtin_mul_overflow(count - 1, size, &total) || __builtin_add_overflow(total, last ? last : size, &total) ||
      total > r->data->inflate_left)
    return syn_fail_at(r->error, SYN_TOO_LARGE, r->data->xml->file, r->array->line, -1,
                       "the compressed data would exceed the limit of %zu bytes",
                       syn_context_or_default(r->data->context)->max_file_bytes);
  SYN_TRY(check_size(r, total));
  r->data->inflate_left -= (size_t)total;
  SYN_TRY(SYN_NEW(r->data->context, &sizes, (size_t)count, r->error));
  syn_status status = SYN_OK;
  for (uint64_t i = 0; i < count && status == SYN_OK; ++i) status = take_word(r, &sizes[i]);
  z_stream z = syn_zlib_stream(r->data->context);
  if (status == SYN_OK && inflateInit(&z) != Z_OK) status = syn_fail_memory(r->error, sizeof z);
  if (status == SYN_OK) status = inflate_blocks(r, &z, sizes, count, size, last, out);
  inflateEnd(&z);
  syn_free(r->data->context, sizes);
  return status;
}

static syn_status take_array(array_reader *r, payload *p) {
  if (bytes_left(&r->stream) == 0) return check_size(r, 0);
  if (r->data->zlib) return take_compressed(r, p);
  uint64_t count = 0;
  SYN_TRY(take_word(r, &count));
  SYN_TRY(check_size(r, count));
  return take_payload(r, count, p);
}

/* ---- arrays ----------------------------------------------------------------------------------------------------- */

static syn_status open_stream(array_reader *r, bool appended) {
  syn_vtu_data *data = r->data;
  if (!appended) {
    syn_text text;
    SYN_TRY(syn_xml_text(data->xml, r->array, &text, r->error));
    r->stream = (byte_stream){.base64 = true, .reader = {.at = text.at, .end = text.end}};
    return SYN_OK;
  }
  uint64_t offset;
  SYN_TRY(syn_xml_uint64(data->xml, r->array, "offset", UINT64_MAX, &offset, r->error));
  if (!data->appended)
    return syn_xml_fail(data->xml, r->array, r->error, "the file has no <AppendedData> for this array");
  if (offset > (size_t)(data->appended_end - data->appended))
    return syn_xml_fail(data->xml, r->array, r->error, "the offset of this array lies beyond the end of the file");
  r->stream = (byte_stream){.base64 = data->appended_base64,
                            .reader = {.at = data->appended + offset, .end = data->appended_end}};
  return SYN_OK;
}

static syn_status read_binary(array_reader *r, bool appended, syn_number_type type, syn_numbers *numbers) {
  const size_t size = syn_number_size(type);
  SYN_TRY(open_stream(r, appended));
  payload p = {0};
  syn_status status = take_array(r, &p);
  if (status == SYN_OK && p.size % size != 0)
    status = syn_xml_fail(r->data->xml, r->array, r->error, "%zu bytes are no whole number of values", p.size);
  if (status == SYN_OK)
    status = syn_numbers_decode(r->data->context, numbers, type, r->data->big_endian, p.bytes, p.size / size, r->error);
  syn_free(r->data->context, p.owned);
  return status;
}

static syn_status read_ascii(const array_reader *r, size_t expected, syn_numbers *numbers) {
  syn_text text;
  const size_t before = numbers->count;
  SYN_TRY(syn_xml_text(r->data->xml, r->array, &text, r->error));
  SYN_TRY(syn_numbers_parse(r->data->context, numbers, &text, SIZE_MAX, "a number", r->error));
  if (expected != SIZE_MAX && numbers->count - before != expected)
    return syn_xml_fail(r->data->xml, r->array, r->error, "<%s> holds %zu values where %zu were expected",
                        r->array->name, numbers->count - before, expected);
  return SYN_OK;
}

syn_status syn_vtu_read_array(syn_vtu_data *data, const syn_xml_element *array, size_t expected, syn_numbers *numbers,
                              syn_error *error) {
  const char *type_name = syn_xml_attribute(array, "type"), *format = syn_xml_attribute(array, "format");
  syn_number_type type;
  if (!find_type(type_name, &type))
    return syn_xml_fail(data->xml, array, error, "<%s> has the unknown type '%.40s'", array->name,
                        type_name ? type_name : "");
  array_reader r = {.data = data, .array = array, .expected_bytes = SIZE_MAX, .error = error};
  if (expected != SIZE_MAX && !syn_multiply_size(expected, syn_number_size(type), &r.expected_bytes))
    return syn_xml_fail(data->xml, array, error, "%zu values cannot be held by any file", expected);
  if (!format || strcmp(format, "ascii") == 0) return read_ascii(&r, expected, numbers);
  if (strcmp(format, "binary") == 0) return read_binary(&r, false, type, numbers);
  if (strcmp(format, "appended") == 0) return read_binary(&r, true, type, numbers);
  return syn_xml_fail(data->xml, array, error, "<%s> has the unknown format '%.40s'", array->name, format);
}
