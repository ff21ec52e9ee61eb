/* Object File Format of Geomview: OFF with the variants COFF, NOFF, CNOFF and STOFF, in ASCII. */
#include <strings.h>

#include "base/text.h"
#include "mesh/io/format.h"

typedef struct reader {
  const syn_source *source;
  syn_builder *builder;
  syn_text text;
  bool extras; /* every vertex is followed, on its line, by a normal, a colour or a texture place */
  uint32_t *polygon;
  size_t polygon_capacity, colored_faces, small_faces;
} reader;

static bool drop_prefix(syn_word *word, const char *prefix, size_t length) {
  if (word->length < length || strncasecmp(word->at, prefix, length) != 0) return false;
  *word = (syn_word){word->at + length, word->length - length};
  return true;
}

/* "OFF" after any of ST, C and N; other dimensions (4OFF, nOFF) are not for us. */
static bool is_keyword(syn_word word) {
  const bool other_dimension = word.length == 4 && *word.at == 'n';
  drop_prefix(&word, "ST", 2);
  drop_prefix(&word, "C", 1);
  drop_prefix(&word, "N", 1);
  return syn_word_is_nocase(word, "OFF") && !other_dimension;
}

static bool sniff_off(const syn_source *source) {
  syn_text text = syn_text_from(source->bytes, source->size, NULL);
  syn_word word;
  return syn_text_word(&text, '#', &word) && is_keyword(word);
}

static syn_status read_keyword(reader *r, syn_error *error) {
  syn_word word;
  char shown[48];
  syn_text_word(&r->text, '#', &word);
  if (!is_keyword(word))
    return syn_text_fail(&r->text, error, "expected OFF, COFF or NOFF, found '%s'", syn_word_shown(word, shown));
  r->extras = word.length > 3;
  syn_text ahead = r->text;
  if (syn_text_word_on_line(&ahead, &word) && syn_word_is_nocase(word, "BINARY"))
    return syn_text_fail(&r->text, error, "binary OFF files are not read: write it as ASCII");
  return SYN_OK;
}

/* A count that the rest of the file can hold, each item taking `least` bytes. */
static syn_status read_count(reader *r, const char *what, size_t least, uint64_t *count, syn_error *error) {
  SYN_TRY(syn_text_uint64(&r->text, '#', what, count, error));
  const size_t left = (size_t)(r->text.end - r->text.at);
  if (*count > left / least || *count >= SYN_NONE)
    return syn_text_fail(&r->text, error, "%s: %llu cannot be in the %zu bytes that follow", what,
                         (unsigned long long)*count, left);
  return SYN_OK;
}

/* Passes the rest of the line; says whether anything but a comment was there. */
static bool skip_rest(syn_text *text) {
  syn_word rest;
  syn_text_skip_blanks(text);
  if (text->at < text->end && *text->at == '\n') return false; /* the next word passes it and counts the line */
  return syn_text_line(text, &rest) && rest.length > 0 && *rest.at != '#';
}

static syn_status read_points(reader *r, uint64_t count, syn_error *error) {
  syn_builder *b = r->builder;
  SYN_TRY(SYN_RESERVE(b->context, &b->points, 0, count, &b->point_capacity, error));
  for (uint64_t i = 0; i < count; ++i) {
    syn_vec3 point;
    SYN_TRY(syn_text_double(&r->text, '#', "a coordinate", &point.x, error));
    SYN_TRY(syn_text_double(&r->text, '#', "a coordinate", &point.y, error));
    SYN_TRY(syn_text_double(&r->text, '#', "a coordinate", &point.z, error));
    SYN_TRY(syn_builder_point(b, point, error));
    if (r->extras) skip_rest(&r->text);
  }
  if (r->extras)
    syn_warn(r->source->context, "%s: colours, normals or texture places of the vertices were left out",
             r->source->name);
  return SYN_OK;
}

static syn_status read_face(reader *r, syn_error *error) {
  syn_builder *b = r->builder;
  uint64_t corners, index;
  SYN_TRY(read_count(r, "the number of corners", 2, &corners, error));
  SYN_TRY(SYN_RESERVE(b->context, &r->polygon, 0, corners, &r->polygon_capacity, error));
  for (uint64_t i = 0; i < corners; ++i) {
    SYN_TRY(syn_text_uint64(&r->text, '#', "a vertex number", &index, error));
    if (index >= b->point_count)
      return syn_text_fail(&r->text, error, "this face refers to vertex %llu, but there are only %zu, counted from 0",
                           (unsigned long long)index, b->point_count);
    r->polygon[i] = (uint32_t)index;
  }
  r->colored_faces += skip_rest(&r->text);
  if (corners >= 3) return syn_builder_polygon(b, r->polygon, corners, error);
  ++r->small_faces;
  return SYN_OK;
}

static syn_status read_faces(reader *r, uint64_t count, syn_error *error) {
  syn_builder *b = r->builder;
  SYN_TRY(SYN_RESERVE(b->context, &b->triangles, 0, count, &b->triangle_capacity, error));
  for (uint64_t i = 0; i < count; ++i) SYN_TRY(read_face(r, error));
  if (r->colored_faces)
    syn_warn(r->source->context, "%s: the colours of %zu faces were left out", r->source->name, r->colored_faces);
  if (r->small_faces)
    syn_warn(r->source->context, "%s: %zu faces with fewer than three corners were left out", r->source->name,
             r->small_faces);
  return SYN_OK;
}

static syn_status read_all(reader *r, syn_error *error) {
  uint64_t points, faces;
  syn_word edges;
  SYN_TRY(read_keyword(r, error));
  SYN_TRY(read_count(r, "the number of vertices", 5, &points, error));
  SYN_TRY(read_count(r, "the number of faces", 1, &faces, error));
  syn_text_word_on_line(&r->text, &edges); /* the number of edges, not used */
  SYN_TRY(read_points(r, points, error));
  return read_faces(r, faces, error);
}

static syn_status read_off(const syn_source *source, syn_builder *builder, syn_error *error) {
  reader r = {.source = source, .builder = builder, .text = syn_text_from(source->bytes, source->size, source->name)};
  syn_status status = read_all(&r, error);
  syn_free(source->context, r.polygon);
  return status;
}

static syn_status write_off(const syn_context *context, const syn_geometry *g, const syn_write_options *options,
                            FILE *stream, syn_error *error) {
  (void)context, (void)options, (void)error;
  char x[32], y[32], z[32];
  fprintf(stream, "OFF\n%zu %zu 0\n", g->point_count, g->triangle_count);
  for (size_t i = 0; i < g->point_count; ++i)
    fprintf(stream, "%s %s %s\n", syn_format_double(g->points[i].x, x), syn_format_double(g->points[i].y, y),
            syn_format_double(g->points[i].z, z));
  for (size_t i = 0; i < g->triangle_count; ++i)
    fprintf(stream, "3 %u %u %u\n", g->triangles[i].v[0], g->triangles[i].v[1], g->triangles[i].v[2]);
  return SYN_OK;
}

const syn_format syn_format_off = {
    .info = {"off", ".off", .reads = true, .writes = true, .holds_triangles = true, .doubles = true},
    .sniff = sniff_off,
    .read = read_off,
    .write = write_off,
};
