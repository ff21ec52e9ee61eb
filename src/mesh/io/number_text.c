#include "mesh/io/numbers.h"

#include <math.h>
#include <string.h>

#include "base/platform.h"

size_t syn_number_size(syn_number_type type) {
  static const unsigned char sizes[] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
  return sizes[type];
}

static uint16_t load16(const void *bytes, bool swap) {
  uint16_t bits;
  memcpy(&bits, bytes, sizeof bits);
  return swap ? __builtin_bswap16(bits) : bits;
}

static uint32_t load32(const void *bytes, bool swap) {
  uint32_t bits;
  memcpy(&bits, bytes, sizeof bits);
  return swap ? __builtin_bswap32(bits) : bits;
}

static uint64_t load64(const void *bytes, bool swap) {
  uint64_t bits;
  memcpy(&bits, bytes, sizeof bits);
  return swap ? __builtin_bswap64(bits) : bits;
}

static double load_float32(const void *bytes, bool swap) {
  const uint32_t bits = load32(bytes, swap);
  float value;
  memcpy(&value, &bits, sizeof value);
  return (double)value;
}

static double load_float64(const void *bytes, bool swap) {
  const uint64_t bits = load64(bytes, swap);
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static double load_number(syn_number_type type, const unsigned char *bytes, bool swap) {
  switch (type) {
  case SYN_INT8: return (int8_t)*bytes;
  case SYN_UINT8: return *bytes;
  case SYN_INT16: return (int16_t)load16(bytes, swap);
  case SYN_UINT16: return load16(bytes, swap);
  case SYN_INT32: return (int32_t)load32(bytes, swap);
  case SYN_UINT32: return load32(bytes, swap);
  case SYN_INT64: return (double)(int64_t)load64(bytes, swap);
  case SYN_UINT64: return (double)load64(bytes, swap);
  case SYN_FLOAT32: return load_float32(bytes, swap);
  case SYN_FLOAT64: return load_float64(bytes, swap);
  }
  return 0;
}

syn_status syn_numbers_decode(const syn_context *context, syn_numbers *n, syn_number_type type, bool big_endian,
                              const void *bytes, size_t count, syn_error *error) {
  const bool swap = big_endian != HOST_IS_BIG;
  const size_t size = syn_number_size(type);
  const unsigned char *at = bytes;
  SYN_TRY(SYN_RESERVE(context, &n->values, n->count, count, &n->capacity, error));
  for (size_t i = 0; i < count; ++i, at += size) n->values[n->count + i] = load_number(type, at, swap);
  n->count += count;
  return SYN_OK;
}

syn_status syn_numbers_parse(const syn_context *context, syn_numbers *n, syn_text *text, size_t count, const char *what,
                             syn_error *error) {
  /* A number takes at least one character and one blank. */
  const size_t most = ((size_t)(text->end - text->at) + 1) / 2;
  if (count != SIZE_MAX && count > most)
    return syn_text_fail(text, error, "%zu times %s cannot fit in the rest of the text", count, what);
  if (count != SIZE_MAX) SYN_TRY(SYN_RESERVE(context, &n->values, n->count, count, &n->capacity, error));
  for (size_t i = 0; i < count; ++i) {
    if (count == SIZE_MAX) {
      syn_text_skip_space(text, 0);
      if (text->at == text->end) break;
      SYN_TRY(SYN_RESERVE(context, &n->values, n->count, 1, &n->capacity, error));
    }
    SYN_TRY(syn_text_double(text, 0, what, &n->values[n->count], error));
    ++n->count;
  }
  return SYN_OK;
}

static void store_bits(uint64_t bits, size_t size, bool swap, unsigned char *bytes) {
  const uint16_t two = swap ? __builtin_bswap16((uint16_t)bits) : (uint16_t)bits;
  const uint32_t four = swap ? __builtin_bswap32((uint32_t)bits) : (uint32_t)bits;
  const uint64_t eight = swap ? __builtin_bswap64(bits) : bits;
  switch (size) {
  case 1: *bytes = (unsigned char)bits; break;
  case 2: memcpy(bytes, &two, sizeof two); break;
  case 4: memcpy(bytes, &four, sizeof four); break;
  default: memcpy(bytes, &eight, sizeof eight);
  }
}

static uint64_t bits_of(syn_number_type type, double value) {
  uint64_t bits;
  uint32_t half;
  const float single = (float)value;
  switch (type) {
  case SYN_FLOAT64: memcpy(&bits, &value, sizeof bits); return bits;
  case SYN_FLOAT32: memcpy(&half, &single, sizeof half); return half;
  default: return value < 0 ? (uint64_t)(int64_t)value : (uint64_t)value;
  }
}

void syn_numbers_encode(syn_number_type type, bool big_endian, const double *values, size_t count, void *bytes) {
  const bool swap = big_endian != HOST_IS_BIG;
  const size_t size = syn_number_size(type);
  unsigned char *at = bytes;
  for (size_t i = 0; i < count; ++i, at += size) store_bits(bits_of(type, values[i]), size, swap, at);
}

bool syn_number_index(double value, uint64_t limit, uint64_t *index) {
  if (!(value >= 0) || value >= (double)limit || value != floor(value)) return false;
  *index = (uint64_t)value;
  return true;
}
