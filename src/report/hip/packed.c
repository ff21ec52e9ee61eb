#include "report/hip/packed.h"

#include <string.h>

#include "base/memory.h"
#include "base/platform.h"
#include "base/vec.h"

/* The header: MAGIC, side and the mask of parts, then NUMBERS doubles. Each part: four counts, then its lists. */
enum { MAGIC = 0x31504853, HEAD = 3, NUMBERS = 28, COUNTS = 4, SINGLE = 4, DOUBLE = 8 };

/* Lists the numbers of a hip except its parts, in stored order. */
static void numbers_of(syn_hip *hip, syn_vec3 *places[9], double **radius) {
  syn_vec3 *const all[9] = {&hip->center,
                            &hip->pelvis_axes.flexion,
                            &hip->pelvis_axes.adduction,
                            &hip->pelvis_axes.rotation,
                            &hip->femur_axes.flexion,
                            &hip->femur_axes.adduction,
                            &hip->femur_axes.rotation,
                            &hip->seat,
                            &hip->joint_ball.center};
  memcpy(places, all, sizeof all);
  *radius = &hip->joint_ball.radius_mm;
}

/* ---- lists of words ---------------------------------------------------------------------------------------------- */

/* Words of `width` bytes are stored as differences; zigzag maps small ones of either sign to small numbers. */
static uint64_t zigzag(uint64_t difference, int width) {
  const int top = 8 * width - 1;
  const uint64_t all = width == DOUBLE ? UINT64_MAX : UINT32_MAX;
  return (difference << 1 ^ (difference >> top & 1 ? all : 0)) & all;
}
static uint64_t unzigzag(uint64_t stored) { return stored >> 1 ^ (stored & 1 ? UINT64_MAX : 0); }

typedef struct words {
  unsigned char *at; /* of the list */
  size_t count;
  int width;
} words;

static void put_word(const words *to, size_t index, uint64_t value, uint64_t *before) {
  const uint64_t stored = zigzag(value - *before, to->width);
  for (int k = 0; k < to->width; ++k) to->at[(size_t)k * to->count + index] = (unsigned char)(stored >> 8 * k);
  *before = value;
}

static uint64_t take_word(const unsigned char *at, size_t count, int width, size_t index, uint64_t *before) {
  uint64_t stored = 0;
  for (int k = 0; k < width; ++k) stored |= (uint64_t)at[(size_t)k * count + index] << 8 * k;
  return *before += unzigzag(stored);
}

/* ---- coordinates ------------------------------------------------------------------------------------------------- */

static uint64_t bits_of(double value, int width) {
  const float narrow = (float)value;
  uint32_t single;
  uint64_t wide;
  memcpy(&single, &narrow, sizeof single);
  memcpy(&wide, &value, sizeof wide);
  return width == SINGLE ? single : wide;
}

static double value_of(uint64_t bits, int width) {
  const uint32_t low = (uint32_t)bits;
  float narrow;
  double wide;
  memcpy(&narrow, &low, sizeof narrow);
  memcpy(&wide, &bits, sizeof wide);
  return width == SINGLE ? (double)narrow : wide;
}

/* Coordinates of scans are floats, which half the bytes hold exactly. */
static int coordinate_width(const syn_trimesh *mesh) {
  for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    for (int axis = 0; axis < 3; ++axis) {
      const double value = vec3_at(mesh->vertices[v], axis);
      if (value_of(bits_of(value, SINGLE), SINGLE) != value) return DOUBLE;
    }
  return SINGLE;
}

/* ---- packing ----------------------------------------------------------------------------------------------------- */

static unsigned char *put_u32(unsigned char *at, uint32_t value) {
  for (int i = 0; i < 4; ++i) at[i] = (unsigned char)(value >> 8 * i);
  return at + 4;
}

static unsigned char *put_double(unsigned char *at, double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  bits = little64(bits);
  memcpy(at, &bits, sizeof bits);
  return at + sizeof bits;
}

static size_t part_size(const syn_trimesh *mesh, uint32_t shown) {
  return 4 * COUNTS + 3 * (size_t)coordinate_width(mesh) * mesh->vertex_count + 12 * (size_t)mesh->triangle_count +
         4 * (size_t)shown;
}

static unsigned char *put_part(unsigned char *at, const syn_trimesh *mesh, const syn_packed_shown *shown) {
  const int width = coordinate_width(mesh);
  const size_t vertices = mesh->vertex_count, corners = 3 * (size_t)mesh->triangle_count;
  const uint32_t counts[COUNTS] = {mesh->vertex_count, mesh->triangle_count, shown->count, (uint32_t)width};
  for (int i = 0; i < COUNTS; ++i) at = put_u32(at, counts[i]);
  for (int axis = 0; axis < 3; ++axis, at += (size_t)width * vertices) {
    uint64_t before = 0;
    for (size_t v = 0; v < vertices; ++v)
      put_word(&(words){at, vertices, width}, v, bits_of(vec3_at(mesh->vertices[v], axis), width), &before);
  }
  uint64_t before = 0;
  for (size_t i = 0; i < corners; ++i)
    put_word(&(words){at, corners, SINGLE}, i, mesh->triangles[i / 3].v[i % 3], &before);
  at += SINGLE * corners;
  before = 0;
  for (size_t i = 0; i < shown->count; ++i) put_word(&(words){at, shown->count, SINGLE}, i, shown->source[i], &before);
  return at + SINGLE * (size_t)shown->count;
}

syn_status syn_hip_pack(const syn_context *context, const syn_hip *hip, const syn_packed_shown shown[SYN_HIP_PARTS],
                        unsigned char **bytes, size_t *size, syn_error *error) {
  /* The size in bytes. */
  uint32_t mask = 0;
  *size = 4 * HEAD + 8 * NUMBERS;
  for (int i = 0; i < SYN_HIP_PARTS; ++i)
    if (hip->parts[i]) {
      mask |= 1u << i;
      *size += part_size(hip->parts[i], shown[i].count);
    }
  SYN_TRY(SYN_NEW(context, bytes, *size, error));
  /* The header, the numbers of the hip, then each part. */
  syn_hip copy = *hip;
  syn_vec3 *places[9];
  double *radius;
  numbers_of(&copy, places, &radius);
  unsigned char *at = put_u32(put_u32(put_u32(*bytes, MAGIC), (uint32_t)hip->side), mask);
  for (int i = 0; i < 9; ++i)
    for (int axis = 0; axis < 3; ++axis) at = put_double(at, vec3_at(*places[i], axis));
  at = put_double(at, *radius);
  for (int i = 0; i < SYN_HIP_PARTS; ++i)
    if (hip->parts[i]) at = put_part(at, hip->parts[i], &shown[i]);
  return SYN_OK;
}

/* ---- unpacking --------------------------------------------------------------------------------------------------- */

typedef struct reading {
  const unsigned char *at, *end;
} reading;

static syn_status fail_bytes(syn_error *error) {
  return syn_fail(error, SYN_BAD_FORMAT,
                  "the hip of the page is cut off or damaged; open the report as it was written");
}

/* Takes the next count * width bytes. */
static syn_status take(reading *from, size_t count, size_t width, const unsigned char **bytes, syn_error *error) {
  size_t size;
  *bytes = from->at;
  if (!syn_multiply_size(count, width, &size) || size > (size_t)(from->end - from->at)) return fail_bytes(error);
  from->at += size;
  return SYN_OK;
}

static uint32_t u32_at(const unsigned char *at, size_t index) {
  uint32_t value;
  memcpy(&value, at + 4 * index, sizeof value);
  return little32(value);
}

static double double_at(const unsigned char *at, size_t index) {
  uint64_t bits;
  double value;
  memcpy(&bits, at + 8 * index, sizeof bits);
  bits = little64(bits);
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* Takes vertex indices, each below `end`. */
static syn_status take_indices(reading *from, size_t count, uint32_t end, uint32_t *indices, syn_error *error) {
  const unsigned char *bytes;
  uint64_t before = 0;
  SYN_TRY(take(from, count, SINGLE, &bytes, error));
  for (size_t i = 0; i < count; ++i) {
    indices[i] = (uint32_t)take_word(bytes, count, SINGLE, i, &before);
    if (indices[i] >= end) return fail_bytes(error);
  }
  return SYN_OK;
}

static syn_status take_places(reading *from, size_t count, int width, syn_vec3 *vertices, syn_error *error) {
  for (int axis = 0; axis < 3; ++axis) {
    const unsigned char *bytes;
    uint64_t before = 0;
    SYN_TRY(take(from, count, (size_t)width, &bytes, error));
    for (size_t v = 0; v < count; ++v) {
      double *const place[3] = {&vertices[v].x, &vertices[v].y, &vertices[v].z};
      *place[axis] = value_of(take_word(bytes, count, width, v, &before), width);
    }
  }
  return SYN_OK;
}

static syn_status take_part(reading *from, syn_hip_unpacked *to, int part, syn_arena *arena, syn_error *error) {
  const unsigned char *counts;
  SYN_TRY(take(from, COUNTS, 4, &counts, error));
  const uint32_t vertices = u32_at(counts, 0), triangles = u32_at(counts, 1), width = u32_at(counts, 3);
  const size_t left = (size_t)(from->end - from->at);
  to->shown[part] = u32_at(counts, 2);
  /* Checked before any allocation: no count exceeds what the bytes can hold. */
  if ((width != SINGLE && width != DOUBLE) || vertices > left || triangles > left || to->shown[part] > left)
    return fail_bytes(error);
  syn_vec3 *places;
  syn_triangle *corners;
  SYN_TRY(SYN_TAKE(arena, &places, vertices, error));
  SYN_TRY(SYN_TAKE(arena, &corners, triangles, error));
  SYN_TRY(SYN_NEW(to->context, &to->source[part], to->shown[part], error));
  SYN_TRY(take_places(from, vertices, (int)width, places, error));
  SYN_TRY(take_indices(from, 3 * (size_t)triangles, vertices, corners->v, error));
  SYN_TRY(take_indices(from, to->shown[part], vertices, to->source[part], error));
  SYN_TRY(syn_trimesh_create(to->context, places, vertices, corners, triangles, &to->meshes[part], error));
  to->hip.parts[part] = to->meshes[part];
  return SYN_OK;
}

static syn_status take_hip(reading *from, syn_hip_unpacked *to, syn_arena *arena, syn_error *error) {
  const unsigned char *head, *numbers;
  SYN_TRY(take(from, HEAD, 4, &head, error));
  SYN_TRY(take(from, NUMBERS, 8, &numbers, error));
  const uint32_t side = u32_at(head, 1), mask = u32_at(head, 2);
  if (u32_at(head, 0) != MAGIC || side >= SYN_SIDES || mask >> SYN_HIP_PARTS) return fail_bytes(error);
  to->hip.side = (syn_side)side;
  syn_vec3 *places[9];
  double *radius;
  numbers_of(&to->hip, places, &radius);
  for (size_t i = 0; i < 9; ++i)
    *places[i] = vec3(double_at(numbers, 3 * i), double_at(numbers, 3 * i + 1), double_at(numbers, 3 * i + 2));
  *radius = double_at(numbers, NUMBERS - 1);
  for (int i = 0; i < SYN_HIP_PARTS; ++i)
    if (mask >> i & 1) SYN_TRY(take_part(from, to, i, arena, error));
  return from->at == from->end ? SYN_OK : fail_bytes(error);
}

syn_status syn_hip_unpack(const syn_context *context, const unsigned char *bytes, size_t size,
                          syn_hip_unpacked *unpacked, syn_error *error) {
  reading from = {bytes, bytes + size};
  syn_arena arena = {.context = context};
  *unpacked = (syn_hip_unpacked){.context = context};
  const syn_status status = take_hip(&from, unpacked, &arena, error);
  syn_arena_release(&arena);
  return status;
}

void syn_hip_unpacked_release(syn_hip_unpacked *unpacked) {
  for (int i = 0; i < SYN_HIP_PARTS; ++i) {
    syn_trimesh_destroy(unpacked->meshes[i]);
    syn_free(unpacked->context, unpacked->source[i]);
  }
  *unpacked = (syn_hip_unpacked){.context = unpacked->context};
}
