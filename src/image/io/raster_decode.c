#include "image/io/raster.h"

#include <string.h>

#include "base/platform.h"

const uint8_t syn_voxel_bytes[VOXEL_TYPES] = {1, 1, 2, 2, 4, 4, 8, 8, 4, 8};

static uint16_t get16(const unsigned char *at, bool swapped) {
  uint16_t bits;
  memcpy(&bits, at, sizeof bits);
  return swapped ? __builtin_bswap16(bits) : bits;
}
static uint32_t get32(const unsigned char *at, bool swapped) {
  uint32_t bits;
  memcpy(&bits, at, sizeof bits);
  return swapped ? __builtin_bswap32(bits) : bits;
}
static uint64_t get64(const unsigned char *at, bool swapped) {
  uint64_t bits;
  memcpy(&bits, at, sizeof bits);
  return swapped ? __builtin_bswap64(bits) : bits;
}
static double as_float(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return (double)value;
}
static double as_double(uint64_t bits) {
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

void syn_raster_decode(voxel_type type, bool big, const unsigned char *bytes, size_t count, double *values) {
  const bool swapped = big != (bool)HOST_IS_BIG;
#define EACH(EXPRESSION)                                                                                               \
  for (size_t i = 0; i < count; ++i) values[i] = (double)(EXPRESSION);                                                 \
  break
  switch (type) {
  case VOXEL_UINT8: EACH(bytes[i]);
  case VOXEL_INT8: EACH((int8_t)bytes[i]);
  case VOXEL_UINT16: EACH(get16(bytes + 2 * i, swapped));
  case VOXEL_INT16: EACH((int16_t)get16(bytes + 2 * i, swapped));
  case VOXEL_UINT32: EACH(get32(bytes + 4 * i, swapped));
  case VOXEL_INT32: EACH((int32_t)get32(bytes + 4 * i, swapped));
  case VOXEL_UINT64: EACH(get64(bytes + 8 * i, swapped));
  case VOXEL_INT64: EACH((int64_t)get64(bytes + 8 * i, swapped));
  case VOXEL_FLOAT: EACH(as_float(get32(bytes + 4 * i, swapped)));
  default: EACH(as_double(get64(bytes + 8 * i, swapped)));
  }
#undef EACH
}
