/* Wavefront OBJ: vertices, with colours if present, and faces. */
#include <string.h>

#include "base/text.h"
#include "base/vec.h"
#include "mesh/io/format.h"

typedef struct reader {
  const syn_source *source;
  syn_builder *builder;
  syn_text text;
  double *colors; /* three per vertex once a vertex has some; earlier ones are white */
  uint32_t *polygon;
  size_t color_count, color_capacity, polygon_count, polygon_capacity;
  size_t small_faces, other_elements, textures_and_normals, bare_numbers;
} reader;

/* ---- lines ------------------------------------------------------------------------------------------------------ */

/* A backslash at the end of a line joins the next one to it. */
static bool skip_continuation(syn_text *text) {
  syn_text ahead = *text;
  syn_text_skip_blanks(&ahead);
  if (ahead.at == ahead.end || *ahead.at != '\\') return false;
  ++ahead.at;
  syn_text_skip_blanks(&ahead);
  if (ahead.at == ahead.end || *ahead.at != '\n') return false;
  ++ahead.at;
  ++ahead.line;
  *text = ahead;
  return true;
}

/* The next word of the statement; false at its end or at a comment. */
static bool next_word(syn_text *text, syn_word *word) {
  for (;;) {
    while (skip_continuation(text)) continue;
    if (!syn_text_word_on_line(text, word) || *word->at == '#') return false;
    if (word->at[word->length - 1] != '\\') return true;
    text->at = word->at + word->length - 1; /* "1\" at the end of a line: the backslash is not part of the word */
    if (!skip_continuation(text)) {
      text->at = word->at + word->length;
      return true;
    }
    if (--word->length > 0) return true;
  }
}

/* Skips an unused statement with its continuation lines. */
static void skip_statement(syn_text *text) {
  syn_word rest;
  while (syn_text_line(text, &rest) && rest.length > 0 && rest.at[rest.length - 1] == '\\') continue;
}

/* ---- vertices --------------------------------------------------------------------------------------------------- */

static syn_status keep_color(reader *r, const double *rgb, syn_error *error) {
  const size_t wanted = 3 * r->builder->point_count; /* counts the vertex just added */
  SYN_TRY(
      SYN_RESERVE(r->source->context, &r->colors, r->color_count, wanted - r->color_count, &r->color_capacity, error));
  while (r->color_count < wanted - 3) r->colors[r->color_count++] = 1;
  memcpy(r->colors + r->color_count, rgb, 3 * sizeof *rgb);
  r->color_count += 3;
  return SYN_OK;
}

/* x y z, then nothing, a weight (ignored), a colour, or both. */
static syn_status read_vertex(reader *r, syn_error *error) {
  double values[8];
  int count = 0;
  syn_word word;
  char shown[48];
  for (; count < 8 && next_word(&r->text, &word); ++count)
    if (!syn_word_double(word, &values[count]))
      return syn_text_fail(&r->text, error, "expected a coordinate, found '%s'", syn_word_shown(word, shown));
  if (count < 3) return syn_text_fail(&r->text, error, "a vertex needs three coordinates, this one has %d", count);
  if (r->builder->point_count >= SYN_NONE - 1)
    return syn_fail_at(error, SYN_TOO_LARGE, r->source->name, r->text.line, -1,
                       "the file has more vertices than 32-bit indices can count");
  SYN_TRY(syn_builder_point(r->builder, vec3(values[0], values[1], values[2]), error));
  return count >= 6 ? keep_color(r, values + (count == 7 ? 4 : 3), error) : SYN_OK;
}

static syn_status finish_colors(reader *r, syn_error *error) {
  const double white[3] = {1, 1, 1};
  double *values;
  const size_t points = r->builder->point_count;
  if (r->color_count == 0) return SYN_OK;
  if (r->color_count < 3 * points) SYN_TRY(keep_color(r, white, error));
  SYN_TRY(syn_builder_field(r->builder, "color", 5, SYN_ON_POINTS, 3, points, &values, error));
  memcpy(values, r->colors, 3 * points * sizeof *values);
  return SYN_OK;
}

/* ---- faces ------------------------------------------------------------------------------------------------------ */

/* "7", "7/1", "7//3" or "7/1/3": the vertex counts from 1, or back from the last one when negative. */
static syn_status read_corner(reader *r, syn_word word, syn_error *error) {
  char shown[48];
  const char *slash = memchr(word.at, '/', word.length);
  const syn_word number = {word.at, slash ? (size_t)(slash - word.at) : word.length};
  const int64_t count = (int64_t)r->builder->point_count;
  int64_t index;
  if (!syn_word_int64(number, &index))
    return syn_text_fail(&r->text, error, "expected a vertex number, found '%s'", syn_word_shown(word, shown));
  if (index == 0 || index > count || index < -count)
    return syn_text_fail(&r->text, error, "this face refers to vertex %lld, but %lld stand before it, counted from 1",
                         (long long)index, (long long)count);
  SYN_TRY(SYN_RESERVE(r->source->context, &r->polygon, r->polygon_count, 1, &r->polygon_capacity, error));
  r->polygon[r->polygon_count++] = (uint32_t)(index > 0 ? index - 1 : count + index);
  return SYN_OK;
}

static syn_status read_face(reader *r, syn_error *error) {
  syn_word word;
  r->polygon_count = 0;
  while (next_word(&r->text, &word)) SYN_TRY(read_corner(r, word, error));
  if (r->polygon_count == 3)
    return syn_builder_triangle(r->builder, r->polygon[0], r->polygon[1], r->polygon[2], error);
  if (r->polygon_count > 3) return syn_builder_polygon(r->builder, r->polygon, r->polygon_count, error);
  ++r->small_faces;
  return SYN_OK;
}

/* ---- statements ------------------------------------------------------------------------------------------------- */

static bool is_one_of(syn_word word, const char *const *names, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (syn_word_is(word, names[i])) return true;
  return false;
}

/* Names of parts and looks: they do not change the shape. */
static bool is_label(syn_word word) {
  static const char *const names[] = {"g",      "o",          "s",         "mg",  "usemtl", "mtllib",   "usemap",
                                      "maplib", "shadow_obj", "trace_obj", "lod", "bevel",  "c_interp", "d_interp"};
  return is_one_of(word, names, sizeof names / sizeof *names);
}

/* Points, lines, free-form curves and surfaces. */
static bool is_other_element(syn_word word) {
  static const char *const names[] = {"p",    "l",    "vp",   "cstype", "deg", "bmat", "step", "curv", "curv2", "surf",
                                      "parm", "trim", "hole", "scrv",   "sp",  "end",  "con",  "call", "csh"};
  return is_one_of(word, names, sizeof names / sizeof *names);
}

/* A statement whose keyword was read, up to the end of its last line. */
static syn_status read_statement(reader *r, syn_word keyword, syn_error *error) {
  syn_word rest;
  char shown[48];
  double number;
  if (syn_word_is(keyword, "v")) {
    SYN_TRY(read_vertex(r, error));
    syn_text_line(&r->text, &rest);
    return SYN_OK;
  }
  if (syn_word_is(keyword, "f") || syn_word_is(keyword, "fo")) {
    SYN_TRY(read_face(r, error));
    syn_text_line(&r->text, &rest);
    return SYN_OK;
  }
  if (syn_word_is(keyword, "vt") || syn_word_is(keyword, "vn"))
    ++r->textures_and_normals;
  else if (is_other_element(keyword))
    ++r->other_elements;
  else if (syn_word_double(keyword, &number))
    ++r->bare_numbers;
  else if (!is_label(keyword))
    return syn_text_fail(&r->text, error, "'%s' is no statement of an OBJ file", syn_word_shown(keyword, shown));
  skip_statement(&r->text);
  return SYN_OK;
}

static void read_comment(reader *r) {
  syn_word comment;
  syn_text_line(&r->text, &comment);
  const syn_space space = syn_space_in_text(comment.at, comment.length);
  if (space != SYN_SPACE_UNKNOWN) r->builder->space = space;
}

static void warn_of_the_rest(const reader *r) {
  if (r->small_faces)
    syn_warn(r->source->context, "%s: %zu faces with fewer than three corners were left out", r->source->name,
             r->small_faces);
  if (r->bare_numbers)
    syn_warn(r->source->context, "%s: %zu lines of numbers without a keyword were left out", r->source->name,
             r->bare_numbers);
  if (r->other_elements)
    syn_warn(r->source->context, "%s: %zu statements of points, lines, curves and free-form surfaces were left out",
             r->source->name, r->other_elements);
  if (r->textures_and_normals)
    syn_warn(r->source->context, "%s: %zu texture places and normals were left out", r->source->name,
             r->textures_and_normals);
}

static syn_status read_all(reader *r, syn_error *error) {
  syn_text *text = &r->text;
  for (;;) {
    syn_word keyword;
    syn_text_skip_space(text, 0);
    if (text->at == text->end) break;
    if (*text->at == '#')
      read_comment(r);
    else if (next_word(text, &keyword))
      SYN_TRY(read_statement(r, keyword, error));
  }
  warn_of_the_rest(r);
  return finish_colors(r, error);
}

static syn_status read_obj(const syn_source *source, syn_builder *builder, syn_error *error) {
  reader r = {.source = source, .builder = builder, .text = syn_text_from(source->bytes, source->size, source->name)};
  syn_status status = read_all(&r, error);
  syn_free(source->context, r.polygon);
  syn_free(source->context, r.colors);
  return status;
}

/* No signature: the first word that is not in a comment must be one that OBJ files begin with. */
static bool sniff_obj(const syn_source *source) {
  static const char *const first[] = {"v", "vn", "vt", "g", "o", "s", "mtllib", "usemtl"};
  syn_text text = syn_text_from(source->bytes, source->size, NULL);
  syn_word word;
  return syn_text_word(&text, '#', &word) && is_one_of(word, first, sizeof first / sizeof *first);
}

static syn_status write_obj(const syn_context *context, const syn_geometry *g, const syn_write_options *options,
                            FILE *stream, syn_error *error) {
  (void)options, (void)error;
  char x[32], y[32], z[32];
  fputs("# written by Synovia, mm\n", stream);
  syn_put_title(context, stream, "# title ", "\n");
  if (g->space != SYN_SPACE_UNKNOWN) fprintf(stream, "# SPACE=%s\n", syn_space_name(g->space));
  for (size_t i = 0; i < g->point_count; ++i)
    fprintf(stream, "v %s %s %s\n", syn_format_double(g->points[i].x, x), syn_format_double(g->points[i].y, y),
            syn_format_double(g->points[i].z, z));
  for (size_t i = 0; i < g->triangle_count; ++i) /* counted from 1, beyond 32 bits for the very last */
    fprintf(stream, "f %llu %llu %llu\n", g->triangles[i].v[0] + 1ull, g->triangles[i].v[1] + 1ull,
            g->triangles[i].v[2] + 1ull);
  return SYN_OK;
}

const syn_format syn_format_obj = {
    .info = {"obj", ".obj", .reads = true, .writes = true, .holds_triangles = true, .doubles = true},
    .sniff = sniff_obj,
    .read = read_obj,
    .write = write_obj,
};
