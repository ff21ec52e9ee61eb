/* Result fields of mesh files: content, health, and the changes of a repair. */
#include <synovia/mesh.h>

#include "result/value.h"

/* ---- pieces -------------------------------------------------------------------------------------------------------
 */

static const syn_result_field box_fields[] = {MEMBER(syn_box, min, "min", "From", "mm", FILE_ONLY),
                                              MEMBER(syn_box, max, "max", "To", "mm", FILE_ONLY)};
static const syn_record box_record = RECORD_OF(syn_box, "bounds", box_fields);

static const syn_result_field field_fields[] = {
    MEMBER(syn_field, name, "name", "Field", "", FILE_ONLY),
    NAMED(syn_field, on, syn_field_on_name, "on", "On", FILE_ONLY),
    MEMBER(syn_field, components, "components", "Components", "", FILE_ONLY)};
static const syn_record field_record = RECORD_OF(syn_field, "field", field_fields);

static const syn_result_field quality_fields[] = {
    MEMBER(syn_tet_quality, volume_mm3, "volume_mm3", "Volume", "mm³", FILE_ONLY),
    MEMBER(syn_tet_quality, min_volume_mm3, "min_volume_mm3", "Least volume", "mm³", FILE_ONLY),
    MEMBER(syn_tet_quality, inverted, "inverted", "Inverted", "", FILE_ONLY),
    MEMBER(syn_tet_quality, min_quality, "min_quality", "Worst quality", "", FILE_ONLY),
    MEMBER(syn_tet_quality, mean_quality, "mean_quality", "Mean quality", "", FILE_ONLY),
    ANGLE(syn_tet_quality, min_dihedral, "min_dihedral_deg", "Least dihedral angle", FILE_ONLY),
    ANGLE(syn_tet_quality, max_dihedral, "max_dihedral_deg", "Greatest dihedral angle", FILE_ONLY)};
const syn_record syn_tet_quality_record = RECORD_OF(syn_tet_quality, "tet_quality", quality_fields);

static const syn_result_field geometry_fields[] = {
    MEMBER(syn_geometry, point_count, "vertices", "vertices", "", FILE_ONLY),
    MEMBER(syn_geometry, triangle_count, "triangles", "triangles", "", FILE_ONLY),
    MEMBER(syn_geometry, tet_count, "tets", "tetrahedra", "", FILE_ONLY)};
const syn_record syn_geometry_record = RECORD_OF(syn_geometry, "geometry", geometry_fields);

/* ---- a file -------------------------------------------------------------------------------------------------------
 */

GET(info_cells, syn_mesh_info, value_count(at->geometry.triangle_count + at->geometry.tet_count))
GET(info_space, syn_mesh_info,
    at->geometry.space != SYN_SPACE_UNKNOWN ? value_text(syn_space_name(at->geometry.space)) : value_none())
static const char *problem_at(const void *problems, size_t i) {
  return ((const syn_health_problems *)problems)->texts[i];
}
GET(genus, syn_mesh_info, at->health.genus >= 0 ? value_count((size_t)at->health.genus) : value_none())
GET(is_fit, syn_mesh_info, value_boolean(syn_health_fit(&at->health)))
GET(problems, syn_mesh_info, value_texts(problem_at, &at->problems, at->problems.count))

GET(volume, syn_mesh_info, at->health.closed && at->health.oriented ? value_real(at->mass.volume_mm3) : value_none())
GET(bounds, syn_mesh_info, at->bounds.min.x <= at->bounds.max.x ? value_record(&at->bounds, 0) : value_none())
enum { BEFORE_HEALTH = 9, HEALTH = 21 };
static const syn_result_field mesh_fields[] = {
    MEMBER(syn_mesh_info, path, "file", "File", "", FILE_ONLY),
    MEMBER(syn_mesh_info, geometry.format, "format", "Format", "", FILE_ONLY),
    MEMBER(syn_mesh_info, vertex_count, "vertices", "Vertices", "", FILE_ONLY),
    MEMBER(syn_mesh_info, geometry.point_count, "points", "Points", "", FILE_ONLY),
    MEMBER(syn_mesh_info, triangle_count, "triangles", "Triangles", "", FILE_ONLY),
    MEMBER(syn_mesh_info, geometry.tet_count, "tets", "Tetrahedra", "", FILE_ONLY),
    FIELD(INTEGER, "cells", "Cells", "", FILE_ONLY, info_cells),
    FIELD(TEXT, "space", "Space", "", FILE_ONLY, info_space),
    LIST_OF(syn_mesh_info, geometry.fields, geometry.field_count, field_record, "fields", "Fields", FILE_ONLY),
    /* health, from here … */
    MEMBER(syn_mesh_info, health.closed, "closed", "Closed", "", FILE_ONLY),
    MEMBER(syn_mesh_info, health.manifold, "manifold", "Manifold", "", FILE_ONLY),
    MEMBER(syn_mesh_info, health.oriented, "oriented", "Oriented", "", FILE_ONLY),
    MEMBER(syn_mesh_info, health.outward, "outward", "Outward", "", FILE_ONLY),
    MEMBER(syn_mesh_info, health.components, "components", "Components", "", FILE_ONLY),
    FIELD(INTEGER, "genus", "Handles (genus)", "", FILE_ONLY, genus),
    MEMBER(syn_mesh_info, health.boundary_edges, "boundary_edges", "Boundary edges", "", FILE_ONLY),
    MEMBER(syn_mesh_info, health.boundary_loops, "boundary_loops", "Boundary loops", "", FILE_ONLY),
    MEMBER(syn_mesh_info, health.nonmanifold_edges, "nonmanifold_edges", "Non-manifold edges", "", FILE_ONLY),
    MEMBER(syn_mesh_info, health.nonmanifold_vertices, "nonmanifold_vertices", "Non-manifold vertices", "", FILE_ONLY),
    MEMBER(syn_mesh_info, health.flipped_edges, "flipped_edges", "Flipped edges", "", FILE_ONLY),
    MEMBER(syn_mesh_info, health.degenerate_triangles, "degenerate_triangles", "Triangles without area", "", FILE_ONLY),
    MEMBER(syn_mesh_info, health.duplicate_triangles, "duplicate_triangles", "Double triangles", "", FILE_ONLY),
    MEMBER(syn_mesh_info, health.duplicate_vertices, "duplicate_vertices", "Double vertices", "", FILE_ONLY),
    MEMBER(syn_mesh_info, health.unreferenced_vertices, "unreferenced_vertices", "Unused vertices", "", FILE_ONLY),
    MEMBER(syn_mesh_info, health.self_intersections, "self_intersections", "Self-intersections", "", FILE_ONLY,
           KNOWN_IF(syn_mesh_info, self_intersections_known)),
    MEMBER(syn_mesh_info, health.self_intersections_stopped, "self_intersections_stopped", "Counting stopped", "",
           FILE_ONLY),
    MEMBER(syn_mesh_info, health.far_vertices, "far_vertices", "Vertices too far away", "", FILE_ONLY),
    MEMBER(syn_mesh_info, health.too_small, "too_small", "Too small", "", FILE_ONLY),
    FIELD(BOOLEAN, "fit", "Fit for contact", "", FILE_ONLY, is_fit),
    FIELD(TEXTS, "problems", "Problems", "", FILE_ONLY, problems),
    /* … to here */
    FIELD(REAL, "volume_mm3", "Volume", "mm³", FILE_ONLY, volume),
    MEMBER(syn_mesh_info, mass.area_mm2, "area_mm2", "Area", "mm²", FILE_ONLY),
    FIELD_OF(RECORD, box_record, "bounds", "Bounds", FILE_ONLY, bounds),
    PART(syn_mesh_info, quality, syn_tet_quality_record, "tet_quality", "Tetrahedra", FILE_ONLY | SYN_OPTIONAL,
         KNOWN_IF(syn_mesh_info, geometry.tet_count))};

const syn_record syn_mesh_info_record = RECORD_OF(syn_mesh_info, "mesh", mesh_fields);
const syn_record syn_mesh_health_record = {
    .name = "mesh", .size = sizeof(syn_mesh_info), .fields = mesh_fields + BEFORE_HEALTH, .field_count = HEALTH};

/* ---- a repair -----------------------------------------------------------------------------------------------------
 */

static const syn_result_field repair_fields[] = {
    MEMBER(syn_repair_report, welded_vertices, "welded_vertices", "vertices joined", "", FILE_ONLY),
    MEMBER(syn_repair_report, dropped_degenerate, "dropped_degenerate", "triangles without area dropped", "",
           FILE_ONLY),
    MEMBER(syn_repair_report, dropped_duplicate, "dropped_duplicate", "double triangles dropped", "", FILE_ONLY),
    MEMBER(syn_repair_report, dropped_unreferenced, "dropped_unreferenced", "unused vertices dropped", "", FILE_ONLY),
    MEMBER(syn_repair_report, split_nonmanifold, "split_nonmanifold", "vertices doubled to cut sheets apart", "",
           FILE_ONLY),
    MEMBER(syn_repair_report, flipped, "flipped", "triangles turned round", "", FILE_ONLY),
    MEMBER(syn_repair_report, filled_holes, "filled_holes", "holes filled", "", FILE_ONLY),
    MEMBER(syn_repair_report, added_triangles, "added_triangles", "triangles added", "", FILE_ONLY),
    MEMBER(syn_repair_report, removed_islands, "removed_islands", "islands removed", "", FILE_ONLY),
    MEMBER(syn_repair_report, removed_triangles, "removed_triangles", "triangles removed with them", "", FILE_ONLY)};
const syn_record syn_repair_record = RECORD_OF(syn_repair_report, "changes", repair_fields);
