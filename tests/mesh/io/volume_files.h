/* Shared by the tests of single formats: parsing text, cutting files short, writing and reading back. */
#ifndef TEST_VOLUME_FILES_H
#define TEST_VOLUME_FILES_H

#include "support.h"

/* Parses text that must be right. Warnings go to `memory`, which must outlive the geometry. */
static inline syn_geometry parse_text(const syn_context *context, const char *name, const char *text) {
  syn_geometry geometry;
  syn_error error;
  ASSERT_OK(syn_parse_geometry(context, text, strlen(text), name, NULL, &geometry, &error));
  return geometry;
}

/* Parses text that must be wrong, on this line (0: any), with this in the message. */
static inline void expect_failure(const char *name, const char *text, int64_t line, const char *part) {
  test_memory memory = {0};
  syn_context context = test_context(&memory);
  syn_geometry geometry;
  syn_error error;
  ASSERT_FAILS(syn_parse_geometry(&context, text, strlen(text), name, NULL, &geometry, &error), SYN_BAD_FORMAT, part);
  if (line > 0) assert_int_equal(error.line, line);
  assert_string_equal(error.file, name);
  assert_int_equal(memory.live, 0);
}

/* Every beginning of the file either parses or fails cleanly; up to `must_fail` bytes it must fail. A copy of exactly
 * that length lets the sanitizer see reads beyond the end. */
static inline void check_every_cut(const char *name, const void *bytes, size_t size, size_t must_fail) {
  for (size_t length = 0; length < size; ++length) {
    test_memory memory = {0};
    syn_context context = test_context(&memory);
    syn_geometry geometry;
    syn_error error;
    char *copy = malloc(length + 1);
    memcpy(copy, bytes, length);
    copy[length] = 0;
    const syn_status status = syn_parse_geometry(&context, copy, length, name, NULL, &geometry, &error);
    if (status == SYN_OK && length < must_fail) fail_msg("the first %zu of %zu bytes were accepted", length, size);
    if (status != SYN_OK && status != SYN_BAD_FORMAT) fail_msg("cut at %zu: %s", length, error.message);
    syn_geometry_free(&context, &geometry);
    assert_int_equal(memory.live, 0);
    free(copy);
  }
}

static inline const syn_field *find_field(const syn_geometry *g, const char *name, syn_field_on on) {
  for (size_t i = 0; i < g->field_count; ++i)
    if (g->fields[i].on == on && strcmp(g->fields[i].name, name) == 0) return &g->fields[i];
  return NULL;
}

static inline void check_field(const syn_geometry *g, const char *name, syn_field_on on, uint32_t components,
                               size_t count, const double *values) {
  const syn_field *f = find_field(g, name, on);
  if (!f) fail_msg("the field '%s' is missing", name);
  assert_int_equal(f->components, components);
  for (size_t i = 0; i < count; ++i)
    if (!(f->values[i] == values[i] || (isnan(values[i]) && isnan(f->values[i]))))
      fail_msg("value %zu of '%s' is %g, not %g", i, name, f->values[i], values[i]);
}

static inline void check_triangle(const syn_geometry *g, size_t t, uint32_t a, uint32_t b, uint32_t c) {
  const uint32_t expected[3] = {a, b, c};
  assert_true(t < g->triangle_count);
  assert_memory_equal(g->triangles[t].v, expected, sizeof expected);
}

static inline void check_tet(const syn_geometry *g, size_t t, uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
  const uint32_t expected[4] = {a, b, c, d};
  assert_true(t < g->tet_count);
  assert_memory_equal(g->tets[t].v, expected, sizeof expected);
}

/* Points, triangles and tets are the same to the bit. */
static inline void check_same_mesh(const syn_geometry *a, const syn_geometry *b) {
  assert_int_equal(a->point_count, b->point_count);
  assert_int_equal(a->triangle_count, b->triangle_count);
  assert_int_equal(a->tet_count, b->tet_count);
  if (a->point_count) assert_memory_equal(a->points, b->points, a->point_count * sizeof *a->points);
  if (a->triangle_count) assert_memory_equal(a->triangles, b->triangles, a->triangle_count * sizeof *a->triangles);
  if (a->tet_count) assert_memory_equal(a->tets, b->tets, a->tet_count * sizeof *a->tets);
}

/* Writes under this name and reads back. */
static inline syn_geometry written_and_read(const syn_context *context, const syn_geometry *g, const char *name,
                                            bool binary) {
  syn_write_options options = syn_default_write_options();
  syn_geometry back;
  syn_error error;
  options.binary = binary;
  const char *path = temporary_path(name);
  ASSERT_OK(syn_write_geometry(context, g, path, &options, &error));
  ASSERT_OK(syn_read_geometry(context, path, NULL, &back, &error));
  return back;
}

/* A text with every allocation refused once. */
typedef struct io_text {
  const char *name, *text;
} io_text;
static inline syn_status parse_attempt(const syn_context *context, void *user, syn_error *error) {
  const io_text *given = user;
  syn_geometry geometry;
  syn_status status =
      syn_parse_geometry(context, given->text, strlen(given->text), given->name, NULL, &geometry, error);
  syn_geometry_free(context, &geometry);
  return status;
}

/* Two triangles and two tets over five points whose coordinates need all their bits. */
static const syn_vec3 io_points[5] = {
    {0.1, 1.0 / 3, -2e-17}, {1e300, 5e-324, 0}, {-0.0, 12345678.9, 3}, {7, 8, 9}, {0.1 + 0.2, 1e22, -1}};
static const syn_triangle io_triangles[2] = {{{0, 1, 2}}, {{4, 2, 3}}};
static const syn_tet io_tets[2] = {{{0, 1, 2, 3}}, {{4, 3, 2, 1}}};
static inline syn_geometry io_sample(void) {
  return (syn_geometry){.point_count = 5,
                        .triangle_count = 2,
                        .tet_count = 2,
                        .points = io_points,
                        .triangles = io_triangles,
                        .tets = io_tets};
}

#endif
