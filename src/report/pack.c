#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/base64.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/vec.h"
#include "base/zlib_memory.h"
#include "report/pack.h"

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

/* ---- pack ------------------------------------------------------------------------------------------------------ */

enum { LEVELS = 65535, NONE = SYN_SCALE_NONE };

static void put_u16(unsigned char *at, uint16_t value) {
  at[0] = (unsigned char)value;
  at[1] = (unsigned char)(value >> 8);
}

static void put_u32(unsigned char *at, uint32_t value) {
  for (int i = 0; i < 4; ++i) at[i] = (unsigned char)(value >> 8 * i);
}

/* Maps small differences of either sign to small numbers. */
static uint16_t zigzag16(uint16_t difference) {
  return (uint16_t)(difference << 1 ^ (difference & 0x8000 ? 0xffff : 0));
}
static uint32_t zigzag32(uint32_t difference) { return difference << 1 ^ (difference >> 31 ? UINT32_MAX : 0); }

static void put_places(unsigned char *at, const syn_trimesh *mesh, const syn_packed_mesh *packed) {
  for (int axis = 0; axis < 3; ++axis) {
    uint16_t before = 0;
    for (uint32_t i = 0; i < mesh->vertex_count; ++i, at += 2) {
      const uint16_t stored =
          steps_between(vec3_at(packed->origin, axis), vec3_at(mesh->vertices[i], axis), packed->step, LEVELS);
      put_u16(at, zigzag16((uint16_t)(stored - before)));
      before = stored;
    }
  }
}

static void put_triangles(unsigned char *at, const syn_trimesh *mesh) {
  uint32_t before = 0;
  for (uint32_t t = 0; t < mesh->triangle_count; ++t)
    for (int c = 0; c < 3; ++c, at += 4) {
      const uint32_t index = mesh->triangles[t].v[c];
      put_u32(at, zigzag32(index - before));
      before = index;
    }
}

syn_status syn_pack_mesh(syn_blobs *blobs, const syn_trimesh *mesh, syn_packed_mesh *packed, syn_error *error) {
  const syn_box box = syn_trimesh_bounds(mesh);
  const bool empty = mesh->vertex_count == 0;
  *packed = (syn_packed_mesh){.origin = empty ? vec3(0, 0, 0) : box.min};
  for (int axis = 0; axis < 3 && !empty; ++axis)
    packed->step = fmax(packed->step, step_between(vec3_at(box.min, axis), vec3_at(box.max, axis), LEVELS));
  if (!isfinite(packed->step * LEVELS))
    return syn_fail(error, SYN_TOO_LARGE, "a body of the report is too large for any page to show");
  packed->error_mm = packed->step * (sqrt(3) / 2);
  const size_t places = 6 * (size_t)mesh->vertex_count, size = places + 12 * (size_t)mesh->triangle_count;
  unsigned char *bytes;
  SYN_TRY(SYN_NEW(blobs->context, &bytes, size, error));
  put_places(bytes, mesh, packed);
  put_triangles(bytes + places, mesh);
  return syn_blobs_add(blobs, bytes, size, &packed->blob, error);
}

static double value_at(const syn_report_field *field, size_t analysed, const syn_display *display, size_t at) {
  const size_t shown = display->mesh->vertex_count;
  return field->values[at / shown * analysed + display->source[at % shown]];
}

syn_status syn_pack_field(syn_blobs *blobs, const syn_report_field *field, size_t analysed, const syn_display *display,
                          syn_packed_field *packed, syn_error *error) {
  size_t count, bytes_size;
  if (!syn_multiply_size(display->mesh->vertex_count, field->steps, &count) ||
      !syn_multiply_size(count, 2, &bytes_size))
    return syn_fail(error, SYN_TOO_LARGE, "the field %s has more values than fit in memory", field->name);
  /* The range of all values, at least the requested one. */
  const bool wider = field->low < field->high;
  double low = wider ? field->low : (double)INFINITY, high = wider ? field->high : (double)-INFINITY;
  for (size_t i = 0; i < count; ++i) {
    const double value = value_at(field, analysed, display, i);
    if (!isfinite(value)) continue;
    low = fmin(low, value);
    high = fmax(high, value);
  }
  const syn_scale scale = scale_between(low, high);
  *packed = (syn_packed_field){.low = scale.low, .step = scale.step};
  if (!isfinite(packed->step * NONE))
    return syn_fail(error, SYN_TOO_LARGE, "the values of the field %s differ too much for any page to show",
                    field->name);
  unsigned char *bytes;
  SYN_TRY(SYN_NEW(blobs->context, &bytes, bytes_size, error));
  /* 16-bit values are stored as differences, which compress better. */
  uint16_t before = 0;
  for (size_t i = 0; i < count; ++i) {
    const uint16_t stored = scale_value(&scale, value_at(field, analysed, display, i));
    put_u16(bytes + 2 * i, (uint16_t)(stored - before));
    before = stored;
  }
  return syn_blobs_add(blobs, bytes, bytes_size, &packed->blob, error);
}

/* ---- vectors ----------------------------------------------------------------------------------------------------- */

static syn_vec3 vector_at(const syn_report_vectors *vectors, size_t analysed, const syn_display *display, size_t step,
                          size_t vertex) {
  return vectors->values[step * analysed + display->source[vertex]];
}

/* 1/8191 of the longest vector is finer than any screen resolves, and compresses well. Displacements longer than the
 * body keep the body's precision as far as 16 bits allow. */
static double vector_step(const syn_report_vectors *vectors, const syn_trimesh *mesh, double most) {
  enum { ENOUGH = 8191, LIMIT = 32767 };
  const syn_box box = syn_trimesh_bounds(mesh);
  const double extent = mesh->vertex_count ? vec3_distance(box.min, box.max) : 0;
  const double step = vectors->displaces ? fmin(most / ENOUGH, extent / LIMIT) : most / ENOUGH;
  return most > 0 ? nextafter(fmax(step, most / LIMIT), INFINITY) : 0;
}

static uint16_t stored_component(double value, double step) {
  enum { UNKNOWN = 0x8000, LIMIT = 32767 };
  if (!isfinite(value)) return UNKNOWN;
  return (uint16_t)(int16_t)(step > 0 ? fmax(-LIMIT, fmin(LIMIT, nearbyint(value / step))) : 0);
}

/* Writes step by step, in each step all x, then all y, then all z, as differences from the same vertex in the previous
 * step. */
static void put_vectors(unsigned char *at, const syn_report_vectors *vectors, size_t analysed,
                        const syn_display *display, double step) {
  const size_t shown = display->mesh->vertex_count;
  for (size_t s = 0; s < vectors->steps; ++s)
    for (int axis = 0; axis < 3; ++axis)
      for (size_t v = 0; v < shown; ++v, at += 2) {
        const syn_vec3 now = vector_at(vectors, analysed, display, s, v);
        const uint16_t stored = stored_component(vec3_finite(now) ? vec3_at(now, axis) : (double)NAN, step);
        uint16_t before = 0;
        if (s > 0) {
          const syn_vec3 then = vector_at(vectors, analysed, display, s - 1, v);
          before = stored_component(vec3_finite(then) ? vec3_at(then, axis) : (double)NAN, step);
        }
        put_u16(at, zigzag16((uint16_t)(stored - before)));
      }
}

syn_status syn_pack_vectors(syn_blobs *blobs, const syn_report_vectors *vectors, size_t analysed,
                            const syn_display *display, syn_packed_vectors *packed, syn_error *error) {
  const size_t shown = display->mesh->vertex_count;
  size_t count, size;
  if (!syn_multiply_size(shown, vectors->steps, &count) || !syn_multiply_size(count, 6, &size))
    return syn_fail(error, SYN_TOO_LARGE, "the vectors %s are more than fit in memory", vectors->name);
  double most = 0;
  *packed = (syn_packed_vectors){0};
  for (size_t i = 0; i < count; ++i) {
    const syn_vec3 value = vector_at(vectors, analysed, display, i / shown, i % shown);
    if (!vec3_finite(value)) continue;
    packed->longest = fmax(packed->longest, vec3_length(value));
    most = fmax(most, fmax(fabs(value.x), fmax(fabs(value.y), fabs(value.z))));
  }
  packed->step = vector_step(vectors, display->mesh, most);
  if (!isfinite(packed->longest))
    return syn_fail(error, SYN_TOO_LARGE, "the vectors %s are too long for any page to show", vectors->name);
  unsigned char *bytes;
  SYN_TRY(SYN_NEW(blobs->context, &bytes, size, error));
  put_vectors(bytes, vectors, analysed, display, packed->step);
  return syn_blobs_add(blobs, bytes, size, &packed->blob, error);
}
