/* Reads a page as a browser would, written without looking at the library's own reader: the model, and blobs as bytes.
 */
#ifndef TEST_REPORT_PAGE_READER_H
#define TEST_REPORT_PAGE_READER_H

#include <expat.h>
#include <jansson.h>
#include <zlib.h>

#include "support.h"

/* The text of the element with this id; the caller frees it. */
static inline char *element_text(const char *page, const char *id) {
  char sought[64];
  snprintf(sought, sizeof sought, "id=\"%s\">", id);
  const char *from = strstr(page, sought);
  if (!from) return NULL;
  from += strlen(sought);
  const char *end = strstr(from, "</script>");
  assert_non_null(end);
  return strndup(from, (size_t)(end - from));
}

static inline json_t *page_model(const char *page) {
  char *text = element_text(page, "synovia-report");
  assert_non_null(text);
  json_error_t why;
  json_t *model = json_loads(text, 0, &why);
  if (!model) fail_msg("%s in %.200s", why.text, text);
  free(text);
  return model;
}

/* The item of this name in a list of the model. */
static inline const json_t *item_named(const json_t *model, const char *list, const char *name) {
  size_t i;
  json_t *item;
  json_array_foreach(json_object_get(model, list), i,
                     item) if (strcmp(json_string_value(json_object_get(item, "name")), name) == 0) return item;
  fail_msg("no %s among the %s", name, list);
  return NULL;
}

static inline size_t decode_base64(const char *text, unsigned char *bytes) {
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  unsigned held = 0, bits = 0;
  size_t used = 0;
  for (; *text && *text != '='; ++text) {
    const char *letter = strchr(letters, *text);
    assert_non_null(letter);
    held = (held << 6 | (unsigned)(letter - letters)) & 0xffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes[used++] = (unsigned char)(held >> bits);
  }
  return used;
}

/* Exactly `expected` bytes; free() them. */
static inline unsigned char *blob_bytes(const char *page, const char *id, size_t expected) {
  char *text = element_text(page, id);
  assert_non_null(text);
  unsigned char *packed = malloc(strlen(text) + 1), *plain = malloc(expected + 1);
  z_stream z = {.next_in = packed,
                .avail_in = (uInt)decode_base64(text, packed),
                .next_out = plain,
                .avail_out = (uInt)(expected + 1)};
  assert_int_equal(inflateInit2(&z, -15), Z_OK);
  assert_int_equal(inflate(&z, Z_FINISH), Z_STREAM_END);
  assert_int_equal(z.total_out, expected);
  assert_int_equal(z.avail_in, 0);
  inflateEnd(&z);
  free(packed);
  free(text);
  return plain;
}

typedef struct shown_mesh {
  size_t vertex_count, triangle_count;
  syn_vec3 *vertices;
  uint32_t *indices;
} shown_mesh;

static inline shown_mesh decode_mesh(const char *page, const json_t *body) {
  const json_t *mesh = json_object_get(body, "mesh");
  shown_mesh m = {.vertex_count = (size_t)json_integer_value(json_object_get(mesh, "vertices")),
                  .triangle_count = (size_t)json_integer_value(json_object_get(mesh, "triangles"))};
  const double step = json_real_value(json_object_get(mesh, "step"));
  unsigned char *bytes = blob_bytes(page, json_string_value(json_object_get(mesh, "blob")),
                                    6 * m.vertex_count + 12 * m.triangle_count),
                *at = bytes;
  m.vertices = calloc(m.vertex_count + 1, sizeof *m.vertices);
  m.indices = calloc(3 * m.triangle_count + 1, sizeof *m.indices);
  for (size_t axis = 0; axis < 3; ++axis) {
    const double origin = json_number_value(json_array_get(json_object_get(mesh, "origin"), axis));
    int value = 0;
    for (size_t i = 0; i < m.vertex_count; ++i, at += 2) {
      const int stored = at[0] | at[1] << 8;
      value = (value + (stored % 2 ? -(stored + 1) / 2 : stored / 2) + 65536) % 65536;
      *(axis == 0 ? &m.vertices[i].x : axis == 1 ? &m.vertices[i].y : &m.vertices[i].z) = origin + step * value;
    }
  }
  int64_t index = 0;
  for (size_t i = 0; i < 3 * m.triangle_count; ++i, at += 4) {
    const int64_t stored = (int64_t)at[0] | (int64_t)at[1] << 8 | (int64_t)at[2] << 16 | (int64_t)at[3] << 24;
    index += stored % 2 ? -(stored + 1) / 2 : stored / 2;
    assert_in_range(index, 0, m.vertex_count - 1);
    m.indices[i] = (uint32_t)index;
  }
  free(bytes);
  return m;
}

static inline void release_mesh(shown_mesh *m) {
  free(m->vertices);
  free(m->indices);
}

/* `steps` sets of a value for each vertex shown; NaN where there is none. free() it. */
static inline double *decode_field(const char *page, const json_t *field, size_t vertices) {
  const size_t count = vertices * (size_t)json_integer_value(json_object_get(field, "steps"));
  const double low = json_real_value(json_object_get(field, "low")),
               step = json_real_value(json_object_get(field, "step"));
  unsigned char *bytes = blob_bytes(page, json_string_value(json_object_get(field, "blob")), 2 * count);
  double *values = malloc((count + 1) * sizeof *values);
  unsigned stored = 0;
  for (size_t i = 0; i < count; ++i) {
    stored = (stored + bytes[2 * i] + 256u * bytes[2 * i + 1]) % 65536;
    values[i] = stored == 65535 ? (double)NAN : low + step * stored;
  }
  free(bytes);
  return values;
}

/* `steps` sets of a vector for each vertex shown; NaN where there is none. free() it. */
static inline syn_vec3 *decode_vectors(const char *page, const json_t *vectors, size_t vertices) {
  const size_t steps = (size_t)json_integer_value(json_object_get(vectors, "steps"));
  const double step = json_real_value(json_object_get(vectors, "step"));
  unsigned char *bytes = blob_bytes(page, json_string_value(json_object_get(vectors, "blob")), 6 * vertices * steps);
  double *components = calloc(3 * vertices * steps + 1, sizeof *components);
  int *stored = calloc(3 * vertices + 1, sizeof *stored);
  for (size_t i = 0; i < 3 * vertices * steps; ++i) {
    const int zigzag = bytes[2 * i] | bytes[2 * i + 1] << 8, change = zigzag % 2 ? -(zigzag + 1) / 2 : zigzag / 2;
    int *now = &stored[i % (3 * vertices)];
    *now = (*now + change + 65536 + 32768) % 65536 - 32768;
    components[i] = *now == -32768 ? (double)NAN : step * *now;
  }
  syn_vec3 *values = calloc(vertices * steps + 1, sizeof *values);
  for (size_t i = 0; i < vertices * steps; ++i) {
    const double *x = components + i / vertices * 3 * vertices + i % vertices;
    values[i] = (syn_vec3){x[0], x[vertices], x[2 * vertices]};
  }
  free(bytes);
  free(components);
  free(stored);
  return values;
}

/* Every drawing of the page must be XML. Returns how many there are. */
static inline size_t check_drawings(const char *page) {
  size_t count = 0;
  for (const char *at = page; (at = strstr(at, "<svg")) != NULL;) {
    count += strncmp(at, "<svg class=\"swatch\"", 19) != 0; /* one of a colour in a caption is no drawing */
    const char *end = strstr(at, "</svg>");
    assert_non_null(end);
    end += strlen("</svg>");
    const char *not_a_number = strstr(at, "nan");
    assert_true(!not_a_number || not_a_number > end);
    XML_Parser parser = XML_ParserCreate("UTF-8");
    if (XML_Parse(parser, at, (int)(end - at), 1) != XML_STATUS_OK)
      fail_msg("drawing %zu: %s in line %lu, column %lu of: %.400s", count, XML_ErrorString(XML_GetErrorCode(parser)),
               (unsigned long)XML_GetCurrentLineNumber(parser), (unsigned long)XML_GetCurrentColumnNumber(parser), at);
    XML_ParserFree(parser);
    at = end;
  }
  return count;
}

#endif
