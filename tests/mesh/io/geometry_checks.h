/* What the tests of several formats share: parsing from memory, spoiling files, comparing what came out. */
#ifndef TEST_GEOMETRY_CHECKS_H
#define TEST_GEOMETRY_CHECKS_H

#include "support.h"

static inline syn_status parse_text(const syn_context *context, const char *text, const char *name,
                                    syn_geometry *geometry, syn_error *error) {
  return syn_parse_geometry(context, text, strlen(text), name, NULL, geometry, error);
}

/* Expects the text to be refused with these words at this line (0: any). */
static inline void check_refused(const char *text, const char *name, const char *part, int64_t line) {
  test_memory memory = {0};
  syn_context context = test_context(&memory);
  syn_geometry geometry;
  syn_error error = {0};
  ASSERT_FAILS(parse_text(&context, text, name, &geometry, &error), SYN_BAD_FORMAT, part);
  assert_string_equal(error.file, name);
  if (line && error.line != line)
    fail_msg("'%s' is told of line %d, not %d", error.message, (int)error.line, (int)line);
  assert_int_equal(memory.live, 0);
  assert_null(geometry.points);
}

/* Every beginning of a file is either refused as a bad format or read, and leaves nothing behind. Returns how many were
 * read. `bytes` is copied to a block of the exact size, so that reading past the end is noticed. */
static inline size_t check_every_prefix(const void *bytes, size_t size, const char *name) {
  size_t accepted = 0;
  for (size_t length = 0; length < size; ++length) {
    test_memory memory = {0};
    syn_context context = test_context(&memory);
    char *copy = malloc(length + 1);
    assert_non_null(copy);
    memcpy(copy, bytes, length);
    copy[length] = 0;
    syn_geometry geometry;
    syn_error error = {0};
    syn_status status = syn_parse_geometry(&context, copy, length, name, NULL, &geometry, &error);
    if (status != SYN_OK && status != SYN_BAD_FORMAT && status != SYN_TOO_LARGE)
      fail_msg("%zu bytes of %s: %s", length, name, error.message);
    accepted += status == SYN_OK;
    syn_geometry_free(&context, &geometry);
    assert_int_equal(memory.live, 0);
    free(copy);
  }
  return accepted;
}

/* Changes one byte at a time to random ones: anything but a crash, a leak or a wild allocation is fine. */
static inline void check_random_damage(const void *bytes, size_t size, const char *name, int rounds) {
  test_random random = {size};
  char *copy = malloc(size + 1);
  assert_non_null(copy);
  for (int round = 0; round < rounds; ++round) {
    memcpy(copy, bytes, size);
    copy[size] = 0;
    for (uint32_t k = 0, spots = 1 + random_below(&random, 3); k < spots; ++k)
      copy[random_below(&random, (uint32_t)size)] = (char)random_u32(&random);
    test_memory memory = {0};
    syn_context context = test_context(&memory);
    context.max_file_bytes = 1 << 24;
    syn_geometry geometry;
    if (syn_parse_geometry(&context, copy, size, name, NULL, &geometry, NULL) == SYN_OK)
      syn_geometry_free(&context, &geometry);
    assert_int_equal(memory.live, 0);
    if (memory.peak_bytes > ((size_t)1 << 28))
      fail_msg("%zu bytes were taken for a file of %zu", memory.peak_bytes, size);
  }
  free(copy);
}

static inline const syn_field *find_field(const syn_geometry *geometry, const char *name, syn_field_on on) {
  for (size_t i = 0; i < geometry->field_count; ++i)
    if (geometry->fields[i].on == on && strcmp(geometry->fields[i].name, name) == 0) return &geometry->fields[i];
  fail_msg("there is no field '%s'", name);
  return NULL;
}

static inline void check_same_bits(const double *a, const double *b, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (memcmp(&a[i], &b[i], sizeof *a) != 0 && !(isnan(a[i]) && isnan(b[i])))
      fail_msg("value %zu is %.17g, not %.17g", i, a[i], b[i]);
}

/* Points, cells and, when asked, fields are the same to the bit. */
static inline void check_same_geometry(const syn_geometry *a, const syn_geometry *b, bool fields) {
  assert_int_equal(a->point_count, b->point_count);
  assert_int_equal(a->triangle_count, b->triangle_count);
  assert_int_equal(a->tet_count, b->tet_count);
  if (a->point_count) check_same_bits(&a->points->x, &b->points->x, 3 * a->point_count);
  if (a->triangle_count) assert_memory_equal(a->triangles, b->triangles, a->triangle_count * sizeof *a->triangles);
  if (a->tet_count) assert_memory_equal(a->tets, b->tets, a->tet_count * sizeof *a->tets);
  if (!fields) return;
  assert_int_equal(a->field_count, b->field_count);
  for (size_t i = 0; i < a->field_count; ++i) {
    const syn_field *f = &a->fields[i], *g = find_field(b, f->name, f->on);
    const size_t places = f->on == SYN_ON_POINTS ? a->point_count
                          : f->on == SYN_ON_TETS ? a->tet_count
                                                 : a->triangle_count;
    assert_int_equal(f->components, g->components);
    check_same_bits(f->values, g->values, places * f->components);
  }
}

/* A mesh with everything: `points` random points, random triangles and tetrahedra over them, fields of each kind whose
 * names need care. Static storage for up to 512 points, triangles and tetrahedra. */
static inline syn_geometry make_everything(test_random *random, uint32_t points, uint32_t triangles, uint32_t tets) {
  static syn_vec3 p[512];
  static syn_triangle t[512];
  static syn_tet s[512];
  static double values[5][512 * 9];
  static syn_field fields[5] = {{"depth <mm> & \"more\"", SYN_ON_POINTS, 1, values[0]},
                                {"stress", SYN_ON_TRIANGLES, 9, values[1]},
                                {"stress", SYN_ON_TETS, 9, values[2]},
                                {"normal", SYN_ON_POINTS, 3, values[3]},
                                {"faces 100%", SYN_ON_TRIANGLES, 2, values[4]}};
  for (uint32_t i = 0; i < points; ++i) p[i] = random_vec3(random, 1e3 / (1 + i));
  for (uint32_t i = 0; i < triangles; ++i)
    for (int k = 0; k < 3; ++k) t[i].v[k] = random_below(random, points);
  for (uint32_t i = 0; i < tets; ++i)
    for (int k = 0; k < 4; ++k) s[i].v[k] = random_below(random, points);
  for (int f = 0; f < 5; ++f)
    for (int i = 0; i < 512 * 9; ++i) values[f][i] = random_between(random, -1e-3, 1e6);
  syn_geometry g = {.point_count = points, .triangle_count = triangles, .tet_count = tets, .field_count = 5};
  g.points = p, g.triangles = t, g.tets = s, g.fields = fields, g.space = SYN_SPACE_LPS;
  return g;
}

/* Writes and reads back under this name. */
static inline void write_and_read(const syn_context *context, const syn_geometry *geometry, const char *name,
                                  const syn_write_options *options, syn_geometry *back) {
  const char *path = temporary_path(name);
  syn_error error = {0};
  ASSERT_OK(syn_write_geometry(context, geometry, path, options, &error));
  ASSERT_OK(syn_read_geometry(context, path, NULL, back, &error));
}

#endif
