#include "io_support.h"

/* ---- reading ------------------------------------------------------------------------------------------------------
 */

syn_status parse_bytes(const syn_context *context, const char *name, const void *bytes, size_t size,
                       const syn_read_options *options, syn_geometry *geometry, syn_error *error) {
  char *exact = malloc(size ? size : 1);
  assert_non_null(exact);
  if (size) memcpy(exact, bytes, size);
  syn_status status = syn_geometry_parse(context, exact, size, name, options, geometry, error);
  free(exact);
  return status;
}

syn_status parse_text(const syn_context *context, const char *name, const char *text, syn_geometry *geometry,
                      syn_error *error) {
  return parse_bytes(context, name, text, strlen(text), NULL, geometry, error);
}

syn_geometry parsed_text(const syn_context *context, const char *name, const char *text) {
  syn_geometry geometry;
  syn_error error;
  ASSERT_OK(parse_text(context, name, text, &geometry, &error));
  return geometry;
}

syn_status parse_attempt(const syn_context *context, void *named, syn_error *error) {
  const named_text *given = named;
  syn_geometry geometry;
  const syn_status status = parse_text(context, given->name, given->text, &geometry, error);
  syn_geometry_free(context, &geometry);
  return status;
}

void write_and_read(const syn_context *context, const syn_geometry *geometry, const char *name,
                    const syn_write_options *options, syn_geometry *back) {
  syn_error error = {0};
  const char *path = temporary_path(name);
  ASSERT_OK(syn_geometry_write(context, geometry, path, options, &error));
  ASSERT_OK(syn_geometry_read(context, path, NULL, back, &error));
}

/* ---- spoiling -----------------------------------------------------------------------------------------------------
 */

void check_text_fails(const char *name, const char *text, int64_t line, const char *part) {
  test_memory memory = {0};
  syn_context context = test_context(&memory);
  syn_geometry geometry;
  syn_error error = {0};
  if (parse_text(&context, name, text, &geometry, &error) != SYN_BAD_FORMAT) fail_msg("this was read:\n%s", text);
  check_message(&error, SYN_BAD_FORMAT, part);
  assert_string_equal(error.file, name);
  if (line && error.line != line)
    fail_msg("'%s' is reported for line %lld, not %lld", error.message, (long long)error.line, (long long)line);
  assert_int_equal(memory.live, 0);
  const syn_geometry nothing = {0};
  assert_memory_equal(&geometry, &nothing, sizeof nothing);
}

/* The bounds of what may be taken: a file may state a size for its compressed data, up to the context's limit. */
typedef struct allowance {
  uint64_t max_file_bytes; /* 0: the default */
  size_t peak_bytes;
} allowance;

static syn_status check_sound(const char *name, const char *bytes, size_t size, allowance allowed) {
  test_memory memory = {0};
  syn_context context = test_context(&memory);
  context.max_file_bytes = allowed.max_file_bytes;
  syn_geometry geometry;
  syn_error error = {0};
  const syn_status status = parse_bytes(&context, name, bytes, size, NULL, &geometry, &error);
  if (status == SYN_OK) {
    for (size_t i = 0; i < geometry.triangle_count; ++i)
      for (int c = 0; c < 3; ++c) assert_true(geometry.triangles[i].v[c] < geometry.point_count);
    for (size_t i = 0; i < geometry.tet_count; ++i)
      for (int c = 0; c < 4; ++c) assert_true(geometry.tets[i].v[c] < geometry.point_count);
    syn_geometry_free(&context, &geometry);
  } else {
    assert_true(error.message[0] != 0);
    assert_int_equal(error.code, status);
  }
  if (memory.live != 0) fail_msg("%zu blocks leaked with %zu bytes of %s", memory.live, size, name);
  if (memory.peak_bytes > allowed.peak_bytes) fail_msg("%zu bytes for a file of %zu", memory.peak_bytes, size);
  return status;
}

/* XML is read in blocks of 64 KiB, and states sizes of compressed data that a cut may turn into anything. */
static bool is_xml(const char *bytes, size_t size) { return size > 0 && bytes[0] == '<'; }

static allowance by_size(const char *bytes, size_t size) {
  return (allowance){.peak_bytes = (is_xml(bytes, size) ? 70000 : 4096) + 1000 * size};
}

size_t check_every_prefix(const char *name, const void *bytes, size_t size, size_t must_fail) {
  size_t accepted = 0;
  for (size_t length = 0; length < size; ++length) {
    const syn_status status = check_sound(name, bytes, length, by_size(bytes, length));
    if (status == SYN_OK && length < must_fail) fail_msg("the first %zu of %zu bytes were accepted", length, size);
    if (status != SYN_OK && status != SYN_BAD_FORMAT && !(status == SYN_TOO_LARGE && is_xml(bytes, size)))
      fail_msg("%zu bytes of %s gave '%s'", length, name, syn_status_name(status));
    accepted += status == SYN_OK;
  }
  return accepted;
}

void check_damage(const char *name, const void *bytes, size_t size) {
  static const char nasty[] = {0, 1, '\n', ' ', '-', '9', 'e', '\x7f', '\x80', '\xff'};
  check_every_prefix(name, bytes, size, 0);
  char *copy = malloc(size);
  assert_non_null(copy);
  memcpy(copy, bytes, size);
  for (size_t i = 0; i < size; ++i) {
    for (size_t k = 0; k < sizeof nasty; ++k) {
      copy[i] = nasty[k];
      check_sound(name, copy, size, by_size(copy, size));
    }
    copy[i] = ((const char *)bytes)[i];
  }
  free(copy);
}

void check_random_damage(const char *name, const void *bytes, size_t size, int rounds) {
  const allowance allowed = {.max_file_bytes = 1 << 24, .peak_bytes = 1 << 28};
  test_random random = {size};
  char *copy = malloc(size);
  assert_non_null(copy);
  for (int round = 0; round < rounds; ++round) {
    memcpy(copy, bytes, size);
    for (uint32_t k = 0, spots = 1 + random_below(&random, 3); k < spots; ++k)
      copy[random_below(&random, (uint32_t)size)] = (char)random_u32(&random);
    check_sound(name, copy, size, allowed);
  }
  free(copy);
}

/* ---- comparing ----------------------------------------------------------------------------------------------------
 */

const syn_field *find_field(const syn_geometry *geometry, const char *name, syn_field_on on) {
  for (size_t i = 0; i < geometry->field_count; ++i)
    if (geometry->fields[i].on == on && strcmp(geometry->fields[i].name, name) == 0) return &geometry->fields[i];
  fail_msg("there is no field '%s'", name);
  return NULL;
}

void check_field(const syn_geometry *geometry, const char *name, syn_field_on on, uint32_t components, size_t count,
                 const double *values) {
  const syn_field *f = find_field(geometry, name, on);
  assert_int_equal(f->components, components);
  for (size_t i = 0; i < count; ++i)
    if (!(f->values[i] == values[i] || (isnan(values[i]) && isnan(f->values[i]))))
      fail_msg("value %zu of '%s' is %g, not %g", i, name, f->values[i], values[i]);
}

void check_triangle(const syn_geometry *geometry, size_t triangle, uint32_t a, uint32_t b, uint32_t c) {
  const uint32_t expected[3] = {a, b, c};
  assert_true(triangle < geometry->triangle_count);
  assert_memory_equal(geometry->triangles[triangle].v, expected, sizeof expected);
}

void check_tet(const syn_geometry *geometry, size_t tet, uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
  const uint32_t expected[4] = {a, b, c, d};
  assert_true(tet < geometry->tet_count);
  assert_memory_equal(geometry->tets[tet].v, expected, sizeof expected);
}

static void check_same_field(const syn_field *f, const syn_field *g, size_t places) {
  assert_int_equal(f->components, g->components);
  for (size_t i = 0; i < places * f->components; ++i)
    if (memcmp(&f->values[i], &g->values[i], sizeof *f->values) != 0 && !(isnan(f->values[i]) && isnan(g->values[i])))
      fail_msg("value %zu of '%s' is %.17g, not %.17g", i, f->name, f->values[i], g->values[i]);
}

void check_same_geometry(const syn_geometry *a, const syn_geometry *b, bool fields) {
  assert_int_equal(a->point_count, b->point_count);
  assert_int_equal(a->triangle_count, b->triangle_count);
  assert_int_equal(a->tet_count, b->tet_count);
  if (a->point_count) assert_memory_equal(a->points, b->points, a->point_count * sizeof *a->points);
  if (a->triangle_count) assert_memory_equal(a->triangles, b->triangles, a->triangle_count * sizeof *a->triangles);
  if (a->tet_count) assert_memory_equal(a->tets, b->tets, a->tet_count * sizeof *a->tets);
  if (!fields) return;
  assert_int_equal(a->field_count, b->field_count);
  const size_t places[] = {
      [SYN_ON_POINTS] = a->point_count, [SYN_ON_TRIANGLES] = a->triangle_count, [SYN_ON_TETS] = a->tet_count};
  for (size_t i = 0; i < a->field_count; ++i) {
    const syn_field *f = &a->fields[i];
    check_same_field(f, find_field(b, f->name, f->on), places[f->on]);
  }
}
