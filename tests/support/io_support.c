#include "io_support.h"

syn_status parse_bytes(const syn_context *context, const char *name, const void *bytes, size_t size,
                       const syn_read_options *options, syn_geometry *geometry, syn_error *error) {
  char *exact = malloc(size ? size : 1);
  if (size) memcpy(exact, bytes, size);
  syn_status status = syn_parse_geometry(context, exact, size, name, options, geometry, error);
  free(exact);
  return status;
}

syn_status parse_text(const syn_context *context, const char *name, const char *text, syn_geometry *geometry,
                      syn_error *error) {
  return parse_bytes(context, name, text, strlen(text), NULL, geometry, error);
}

void check_text_fails(const char *name, const char *text, int64_t line, const char *part) {
  test_memory memory = {0};
  syn_context context = test_context(&memory);
  syn_geometry geometry;
  syn_error error = {0};
  if (parse_text(&context, name, text, &geometry, &error) != SYN_BAD_FORMAT) fail_msg("this was read:\n%s", text);
  check_message(&error, SYN_BAD_FORMAT, part);
  assert_string_equal(error.file, name);
  if (line && error.line != line) fail_msg("line %lld, not %lld: %s", (long long)error.line, (long long)line, part);
  assert_int_equal(memory.live, 0);
  assert_int_equal(geometry.point_count, 0);
}

static void check_sound(const char *name, const char *bytes, size_t size) {
  test_memory memory = {0};
  syn_context context = test_context(&memory);
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
  if (memory.peak_bytes > 4096 + 1000 * size) fail_msg("%zu bytes for a file of %zu", memory.peak_bytes, size);
}

void check_damage(const char *name, const void *bytes, size_t size) {
  static const char nasty[] = {0, 1, '\n', ' ', '-', '9', 'e', '\x7f', '\x80', '\xff'};
  for (size_t length = 0; length <= size; ++length) check_sound(name, bytes, length);
  char *copy = malloc(size);
  memcpy(copy, bytes, size);
  for (size_t i = 0; i < size; ++i) {
    for (size_t k = 0; k < sizeof nasty; ++k) {
      copy[i] = nasty[k];
      check_sound(name, copy, size);
    }
    copy[i] = ((const char *)bytes)[i];
  }
  free(copy);
}

void write_and_read(const syn_context *context, const syn_geometry *geometry, const char *name,
                    const syn_write_options *options, syn_geometry *back) {
  syn_error error;
  const char *path = temporary_path(name);
  ASSERT_OK(syn_write_geometry(context, geometry, path, options, &error));
  ASSERT_OK(syn_read_geometry(context, path, NULL, back, &error));
}

const syn_field *field_named(const syn_geometry *geometry, const char *name) {
  for (size_t i = 0; i < geometry->field_count; ++i)
    if (strcmp(geometry->fields[i].name, name) == 0) return &geometry->fields[i];
  fail_msg("there is no field '%s'", name);
  return NULL;
}
