/* A body as a field table: its name and counts. */
#include <synovia/joint.h>

#include "result/value.h"

GET(body_vertices, syn_body,
    at->volume    ? value_count(at->volume->vertex_count)
    : at->surface ? value_count(at->surface->vertex_count)
                  : value_none())
GET(body_tets, syn_body, at->volume ? value_count(at->volume->tet_count) : value_none())
GET(body_triangles, syn_body, at->surface && !at->volume ? value_count(at->surface->triangle_count) : value_none())
static const syn_result_field body_fields[] = {
    MEMBER(syn_body, name, "name", "Body", "", FILE_ONLY),
    FIELD(INTEGER, "vertices", "Vertices", "", FILE_ONLY, body_vertices),
    FIELD(INTEGER, "tets", "Tetrahedra", "", FILE_ONLY | SYN_OPTIONAL, body_tets),
    FIELD(INTEGER, "triangles", "Triangles", "", FILE_ONLY | SYN_OPTIONAL, body_triangles)};
const syn_record syn_body_record = RECORD_OF(syn_body, "body", body_fields);
