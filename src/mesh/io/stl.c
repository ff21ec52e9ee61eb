/* STL, binary and ASCII: triangles without vertices. Corners are joined while they are read (see the first part). */
#include <assert.h>
#include <string.h>
#include <strings.h>

#include "base/platform.h"
#include "base/text.h"
#include "base/vec.h"
#include "mesh/io/format.h"
#include "mesh/io/stl.h"

/* Bits, not values: a NaN must find itself, or a file full of them would fill the table with copies. */
static bool same_bits(const void *points, uint32_t i, const void *point) {
  const syn_vec3 *a = (const syn_vec3 *)points + i, *b = point;
  return ((hash_bits(a->x) ^ hash_bits(b->x)) | (hash_bits(a->y) ^ hash_bits(b->y)) |
          (hash_bits(a->z) ^ hash_bits(b->z))) == 0;
}

/* Makes 2^bits free slots and enters the points that are there. The old table goes first: all is known from the points,
 * and two tables at once would be the peak of the memory. */
static syn_status make_point_table(syn_stl_weld *weld, unsigned bits, syn_error *error) {
  syn_stl_weld_release(weld);
  SYN_TRY(hash_table_create(weld->builder->context, bits, &weld->table, error));
  for (size_t i = 0; i < weld->builder->point_count; ++i)
    hash_table_put(&weld->table, hash_place(weld->builder->points[i]), (uint32_t)i);
  return SYN_OK;
}

static syn_status reserve_points(syn_stl_weld *weld, size_t capacity, syn_error *error) {
  syn_builder *b = weld->builder;
  SYN_TRY(syn_reallocate(b->context, (void **)&b->points, capacity, sizeof *b->points, error));
  b->point_capacity = capacity;
  return SYN_OK;
}

syn_status syn_stl_weld_start(syn_stl_weld *weld, syn_builder *builder, bool join, size_t expected, size_t most,
                              syn_error *error) {
  *weld = (syn_stl_weld){.builder = builder, .join = join, .most_points = 3 * most};
  const size_t points = join ? expected / 2 + 2 : 3 * expected;
  SYN_TRY(SYN_RESERVE(builder->context, &builder->triangles, 0, expected, &builder->triangle_capacity, error));
  SYN_TRY(reserve_points(weld, points, error));
  if (!join) return SYN_OK;
  const size_t batch = 3 * SYN_STL_WELD_BATCH; /* twice the slots must do for one more batch */
  return make_point_table(weld, hash_table_bits(points > batch ? points : batch), error);
}

/* Reserves space for a batch of points that may all be new, at a load of at most three quarters. */
static syn_status reserve_batch(syn_stl_weld *weld, size_t corners, syn_error *error) {
  syn_builder *b = weld->builder;
  const size_t needed = b->point_count + corners;
  if (needed >= SYN_NONE)
    return syn_fail(error, SYN_TOO_LARGE, "the file has more vertices than 32-bit indices can count");
  if (needed > b->point_capacity) {
    size_t capacity = b->point_capacity + b->point_capacity / 2;
    if (capacity > weld->most_points) capacity = weld->most_points;
    SYN_TRY(reserve_points(weld, capacity > needed ? capacity : needed, error));
  }
  if (weld->join && 4 * needed > (size_t)3 << weld->table.bits)
    return make_point_table(weld, weld->table.bits + 1, error);
  return SYN_OK;
}

static uint32_t find_or_add(syn_stl_weld *weld, const syn_vec3 *point, uint64_t hashed) {
  syn_builder *b = weld->builder;
  const uint32_t next = (uint32_t)b->point_count;
  const uint32_t found = hash_table_join(&weld->table, hashed, next, same_bits, b->points, point);
  if (found == next) b->points[b->point_count++] = *point;
  return found;
}

/* The numbers of the corners; all hashes first, so that the table's cache misses overlap. */
static void join_corners(syn_stl_weld *weld, const syn_vec3 *corners, size_t count, uint32_t *index) {
  uint64_t hashed[3 * SYN_STL_WELD_BATCH];
  for (size_t i = 0; i < count; ++i) {
    hashed[i] = hash_place(corners[i]);
    __builtin_prefetch(&weld->table.slots[hash_table_first(&weld->table, hashed[i])], 1);
  }
  for (size_t i = 0; i < count; ++i) index[i] = find_or_add(weld, &corners[i], hashed[i]);
}

syn_status syn_stl_weld_triangles(syn_stl_weld *weld, syn_vec3 (*triangles)[3], size_t count, syn_error *error) {
  assert(count <= SYN_STL_WELD_BATCH);
  syn_builder *b = weld->builder;
  syn_vec3 *corners = triangles[0];
  uint32_t index[3 * SYN_STL_WELD_BATCH];
  SYN_TRY(reserve_batch(weld, 3 * count, error));
  SYN_TRY(SYN_RESERVE(b->context, &b->triangles, b->triangle_count, count, &b->triangle_capacity, error));
  for (size_t i = 0; i < 3 * count; ++i) corners[i] = vec3_add(corners[i], vec3(0, 0, 0)); /* -0 + 0 is +0 */
  if (weld->join) {
    join_corners(weld, corners, 3 * count, index);
  } else {
    memcpy(b->points + b->point_count, corners, 3 * count * sizeof *corners);
    for (size_t i = 0; i < 3 * count; ++i) index[i] = (uint32_t)b->point_count++;
  }
  memcpy(b->triangles + b->triangle_count, index, count * sizeof *b->triangles);
  b->triangle_count += count;
  return SYN_OK;
}

void syn_stl_weld_release(syn_stl_weld *weld) {
  syn_free(weld->builder->context, weld->table.slots);
  weld->table.slots = NULL;
}

enum { HEADER_BYTES = 80, FIRST_TRIANGLE = 84, TRIANGLE_BYTES = 50, NORMAL_BYTES = 12, ATTRIBUTE_AT = 48 };

/* ---- text or binary? -------------------------------------------------------------------------------------- */

static uint32_t load_u32(const char *bytes) {
  uint32_t value;
  memcpy(&value, bytes, sizeof value);
  return little32(value);
}

/* The size decides first: many binary files begin with "solid" all the same. */
static bool has_binary_size(const syn_source *source) {
  return source->size >= FIRST_TRIANGLE &&
         source->size - FIRST_TRIANGLE == (uint64_t)load_u32(source->bytes + HEADER_BYTES) * TRIANGLE_BYTES;
}

/* Returns whether the file starts with "solid" and continues as text. */
static bool is_ascii(const syn_source *source) {
  if (has_binary_size(source)) return false;
  syn_text text = syn_text_from(source->bytes, source->size, NULL);
  syn_word word;
  if (!syn_text_word(&text, 0, &word) || !syn_word_is_nocase(word, "solid")) return false;
  const size_t looked_at = source->size < 1024 ? source->size : 1024;
  for (size_t i = 0; i < looked_at; ++i)
    if ((unsigned char)source->bytes[i] < '\t') return false;
  return true;
}

static bool sniff_stl(const syn_source *source) { return has_binary_size(source) || is_ascii(source); }

/* ---- binary ----------------------------------------------------------------------------------------------------- */

static syn_vec3 load_corner(const char *bytes) {
  uint32_t bits[3] = {load_u32(bytes), load_u32(bytes + 4), load_u32(bytes + 8)};
  float xyz[3];
  memcpy(xyz, bits, sizeof xyz);
  return vec3((double)xyz[0], (double)xyz[1], (double)xyz[2]);
}

static syn_status read_triangles(const syn_source *source, size_t count, syn_stl_weld *weld, syn_error *error) {
  const char *record = source->bytes + FIRST_TRIANGLE;
  size_t with_attribute = 0;
  for (size_t done = 0; done < count;) {
    syn_vec3 corners[SYN_STL_WELD_BATCH][3];
    const size_t batch = count - done < SYN_STL_WELD_BATCH ? count - done : SYN_STL_WELD_BATCH;
    for (size_t i = 0; i < batch; ++i, record += TRIANGLE_BYTES) {
      for (size_t c = 0; c < 3; ++c) corners[i][c] = load_corner(record + NORMAL_BYTES * (c + 1));
      with_attribute += record[ATTRIBUTE_AT] != 0 || record[ATTRIBUTE_AT + 1] != 0;
    }
    SYN_TRY(syn_stl_weld_triangles(weld, corners, batch, error));
    done += batch;
  }
  if (with_attribute)
    syn_warn(source->context, "%s: the attributes (colours) of %zu triangles were left out", source->name,
             with_attribute);
  return SYN_OK;
}

static syn_status read_binary(const syn_source *source, syn_builder *builder, syn_error *error) {
  if (source->size < FIRST_TRIANGLE)
    return syn_source_fail(source, source->size, error,
                           "the file ends in its header: a binary STL has at least %d bytes, an ASCII STL begins with "
                           "'solid'",
                           FIRST_TRIANGLE);
  const size_t count = load_u32(source->bytes + HEADER_BYTES);
  const size_t room = (source->size - FIRST_TRIANGLE) / TRIANGLE_BYTES;
  if (count > room)
    return syn_source_fail(source, source->size, error,
                           "the file ends here, but its header promises %zu triangles and only %zu are whole", count,
                           room);
  if (!has_binary_size(source))
    syn_warn(source->context, "%s: %zu bytes after the last of %zu triangles were left out", source->name,
             source->size - FIRST_TRIANGLE - count * TRIANGLE_BYTES, count);
  builder->space = syn_space_in_text(source->bytes, HEADER_BYTES);
  syn_stl_weld weld;
  syn_status status = syn_stl_weld_start(&weld, builder, source->options->weld, count, count, error);
  if (status == SYN_OK) status = read_triangles(source, count, &weld, error);
  syn_stl_weld_release(&weld);
  return status;
}

/* ---- ASCII ------------------------------------------------------------------------------------------------------ */

static syn_status expect(syn_text *text, const char *wanted, syn_error *error) {
  syn_word word;
  char shown[48];
  if (!syn_text_word(text, 0, &word))
    return syn_text_fail(text, error, "the file ends where '%s' was expected", wanted);
  if (syn_word_is_nocase(word, wanted)) return SYN_OK;
  return syn_text_fail(text, error, "expected '%s', found '%s'", wanted, syn_word_shown(word, shown));
}

/* What follows the word "facet". The normal is not needed and often wrong or not a number, so it is only passed. */
static syn_status read_facet(syn_text *text, syn_vec3 corners[3], syn_error *error) {
  syn_word word;
  SYN_TRY(expect(text, "normal", error));
  for (int i = 0; i < 3; ++i)
    if (!syn_text_word(text, 0, &word)) return syn_text_fail(text, error, "the file ends inside a facet's normal");
  SYN_TRY(expect(text, "outer", error));
  SYN_TRY(expect(text, "loop", error));
  for (int c = 0; c < 3; ++c) {
    SYN_TRY(expect(text, "vertex", error));
    SYN_TRY(syn_text_double(text, 0, "a coordinate", &corners[c].x, error));
    SYN_TRY(syn_text_double(text, 0, "a coordinate", &corners[c].y, error));
    SYN_TRY(syn_text_double(text, 0, "a coordinate", &corners[c].z, error));
  }
  SYN_TRY(expect(text, "endloop", error));
  return expect(text, "endfacet", error);
}

/* From the word after "solid" to "endsolid". */
static syn_status read_solid(syn_text *text, syn_stl_weld *weld, syn_error *error) {
  syn_word name, word;
  char shown[48];
  if (syn_text_line(text, &name)) {
    const syn_space space = syn_space_in_text(name.at, name.length);
    if (space != SYN_SPACE_UNKNOWN) weld->builder->space = space;
  }
  for (;;) {
    if (!syn_text_word(text, 0, &word))
      return syn_text_fail(text, error, "the file ends before 'endsolid': it seems to be cut off");
    if (syn_word_is_nocase(word, "endsolid")) return SYN_OK;
    if (!syn_word_is_nocase(word, "facet"))
      return syn_text_fail(text, error, "expected 'facet' or 'endsolid', found '%s'", syn_word_shown(word, shown));
    syn_vec3 corners[1][3];
    SYN_TRY(read_facet(text, corners[0], error));
    SYN_TRY(syn_stl_weld_triangles(weld, corners, 1, error));
  }
}

static syn_status read_solids(syn_text *text, syn_stl_weld *weld, syn_error *error) {
  for (;;) {
    syn_word name;
    SYN_TRY(expect(text, "solid", error));
    SYN_TRY(read_solid(text, weld, error));
    syn_text_line(text, &name); /* endsolid repeats the name */
    syn_text_skip_space(text, 0);
    if (text->at == text->end) return SYN_OK;
  }
}

static syn_status read_ascii(const syn_source *source, syn_builder *builder, syn_error *error) {
  enum { SHORTEST_FACET = 86, USUAL_FACET = 250 }; /* "facet normal 0 0 0 outer loop vertex 0 0 0 … endfacet " */
  syn_text text = syn_text_from(source->bytes, source->size, source->name);
  syn_stl_weld weld;
  syn_status status = syn_stl_weld_start(&weld, builder, source->options->weld, source->size / USUAL_FACET,
                                         source->size / SHORTEST_FACET, error);
  if (status == SYN_OK) status = read_solids(&text, &weld, error);
  syn_stl_weld_release(&weld);
  return status;
}

static syn_status read_stl(const syn_source *source, syn_builder *builder, syn_error *error) {
  return is_ascii(source) ? read_ascii(source, builder, error) : read_binary(source, builder, error);
}

/* ---- writing ---------------------------------------------------------------------------------------------------- */

static syn_vec3 corner(const syn_geometry *g, size_t triangle, int c) { return g->points[g->triangles[triangle].v[c]]; }

static syn_vec3 face_normal(const syn_geometry *g, size_t t) {
  const syn_vec3 a = corner(g, t, 0);
  return vec3_unit(vec3_cross(vec3_sub(corner(g, t, 1), a), vec3_sub(corner(g, t, 2), a)));
}

static void store_u32(char *bytes, uint32_t value) {
  value = little32(value);
  memcpy(bytes, &value, sizeof value);
}

static void store_vec3(char *bytes, syn_vec3 v) {
  const float xyz[3] = {(float)v.x, (float)v.y, (float)v.z};
  uint32_t bits[3];
  memcpy(bits, xyz, sizeof bits);
  for (int i = 0; i < 3; ++i) store_u32(bytes + 4 * i, bits[i]);
}

static const char *space_text(syn_space space) {
  return space == SYN_SPACE_LPS ? " SPACE=LPS" : space == SYN_SPACE_RAS ? " SPACE=RAS" : "";
}

/* A finite number that a float cannot hold would become infinite, and the file unreadable. */
static syn_status check_float_range(const syn_geometry *g, syn_error *error) {
  const double limit = 3.4028235677973366e38; /* half a step beyond the largest float: what still rounds down to it */
  for (size_t i = 0; i < g->point_count; ++i) {
    const syn_vec3 p = g->points[i];
    const double largest = fmax(fmax(fabs(p.x), fabs(p.y)), fabs(p.z));
    if (isfinite(largest) && largest >= limit)
      return syn_fail(error, SYN_TOO_LARGE,
                      "point %zu (%g, %g, %g) does not fit the 32-bit floats of a binary STL: write it as ASCII", i,
                      p.x, p.y, p.z);
  }
  return SYN_OK;
}

static syn_status write_binary(const syn_context *context, const syn_geometry *g, FILE *stream, syn_error *error) {
  char header[FIRST_TRIANGLE] = {0}; /* must not begin with "solid" */
  if (g->triangle_count > UINT32_MAX)
    return syn_fail(error, SYN_TOO_LARGE, "%zu triangles are more than a binary STL can count", g->triangle_count);
  SYN_TRY(check_float_range(g, error));
  const char *title = syn_context_or_default(context)->title;
  size_t used =
      (size_t)snprintf(header, HEADER_BYTES, "Binary STL by Synovia, mm%s%s", space_text(g->space), title ? " " : "");
  for (size_t i = 0; title && title[i] && used + 1 < HEADER_BYTES; ++i) header[used++] = syn_title_letter(title, i);
  store_u32(header + HEADER_BYTES, (uint32_t)g->triangle_count);
  fwrite(header, sizeof header, 1, stream);
  for (size_t t = 0; t < g->triangle_count; ++t) {
    char record[TRIANGLE_BYTES] = {0};
    store_vec3(record, face_normal(g, t));
    for (int c = 0; c < 3; ++c) store_vec3(record + NORMAL_BYTES * (c + 1), corner(g, t, c));
    fwrite(record, sizeof record, 1, stream);
  }
  return SYN_OK;
}

static void write_numbers(FILE *stream, const char *before, syn_vec3 v) {
  char x[32], y[32], z[32];
  fprintf(stream, "%s %s %s %s\n", before, syn_format_double(v.x, x), syn_format_double(v.y, y),
          syn_format_double(v.z, z));
}

static void write_ascii(const syn_geometry *g, FILE *stream) {
  fprintf(stream, "solid synovia%s\n", space_text(g->space));
  for (size_t t = 0; t < g->triangle_count; ++t) {
    write_numbers(stream, "facet normal", face_normal(g, t));
    fputs("outer loop\n", stream);
    for (int c = 0; c < 3; ++c) write_numbers(stream, "vertex", corner(g, t, c));
    fputs("endloop\nendfacet\n", stream);
  }
  fputs("endsolid synovia\n", stream);
}

/* Warns of points that no triangle uses, which the file cannot store. */
static syn_status warn_of_lone_points(const syn_context *context, const syn_geometry *g, syn_error *error) {
  bool *used;
  SYN_TRY(SYN_NEW_ZEROED(context, &used, g->point_count, error));
  for (size_t t = 0; t < g->triangle_count; ++t)
    for (int c = 0; c < 3; ++c) used[g->triangles[t].v[c]] = true;
  size_t lone = 0;
  for (size_t i = 0; i < g->point_count; ++i) lone += !used[i];
  syn_free(context, used);
  if (lone) syn_warn(context, "stl files hold only triangles: %zu points of no triangle were left out", lone);
  return SYN_OK;
}

static syn_status write_stl(const syn_context *context, const syn_geometry *g, const syn_write_options *options,
                            FILE *stream, syn_error *error) {
  SYN_TRY(warn_of_lone_points(context, g, error));
  if (options->binary) return write_binary(context, g, stream, error);
  write_ascii(g, stream);
  return SYN_OK;
}

const syn_format syn_format_stl = {
    .info = {"stl", ".stl", .reads = true, .writes = true, .holds_triangles = true},
    .sniff = sniff_stl,
    .read = read_stl,
    .write = write_stl,
};
