/* Generated models: the table of shapes, and the bodies of what was made. */
#include <synovia/shape.h>

#include "result/value.h"

/* ---- shapes -------------------------------------------------------------------------------------------------------
 */

static const char *parameter_name(const void *shape, size_t i) {
  return ((const syn_shape_info *)shape)->parameters[i].name;
}
static syn_value shape_name(const void *none, size_t i) { return (void)none, value_text(syn_shape_at(i)->name); }
static syn_value shape_summary(const void *none, size_t i) { return (void)none, value_text(syn_shape_at(i)->summary); }
static syn_value shape_parameters(const void *none, size_t i) {
  return (void)none, value_texts(parameter_name, syn_shape_at(i), syn_shape_at(i)->parameter_count);
}
static const syn_result_field shape_fields[] = {
    FIELD(TEXT, "name", "Shape", "", FILE_ONLY, shape_name),
    FIELD(TEXT, "summary", "Summary", "", FILE_ONLY, shape_summary),
    FIELD(TEXTS, "parameters", "Parameters", "", FILE_ONLY, shape_parameters)};
const syn_record syn_shape_record = RECORD_IN_WORDS("shape", shape_fields, "{name:-12} {summary}\n");

/* ---- bodies -------------------------------------------------------------------------------------------------------
 */

GET(body_name, syn_body, value_text(at->name))
GET(body_vertices, syn_body,
    at->volume    ? value_count(at->volume->vertex_count)
    : at->surface ? value_count(at->surface->vertex_count)
                  : value_none())
GET(body_tets, syn_body, at->volume ? value_count(at->volume->tet_count) : value_none())
GET(body_triangles, syn_body, at->surface && !at->volume ? value_count(at->surface->triangle_count) : value_none())
static const syn_result_field body_fields[] = {
    FIELD(TEXT, "name", "Body", "", FILE_ONLY, body_name),
    FIELD(INTEGER, "vertices", "Vertices", "", FILE_ONLY, body_vertices),
    FIELD(INTEGER, "tets", "Tetrahedra", "", FILE_ONLY | SYN_OPTIONAL, body_tets),
    FIELD(INTEGER, "triangles", "Triangles", "", FILE_ONLY | SYN_OPTIONAL, body_triangles)};
static const char body_words[] =
    "{name:-24} {vertices:9,} vertices {?tets}{tets:9,} tetrahedra{:}{triangles:9,} triangles{/}\n";
const syn_record syn_body_record = RECORD_IN_WORDS("body", body_fields, body_words);
