/* What is in a mesh file, whether it is sound, and what a repair has changed. */
#include <synovia/io.h>

#include "result/value.h"

/* ---- pieces -------------------------------------------------------------------------------------------------------
 */

GET(box_min, syn_box, value_point(at->min))
GET(box_max, syn_box, value_point(at->max))
GET(box_size, syn_box, value_point(vec3_sub(at->max, at->min)))
GET(box_longest, syn_box, value_real(fmax(at->max.x - at->min.x, fmax(at->max.y - at->min.y, at->max.z - at->min.z))))
static const syn_result_field box_fields[] = {
    FIELD(POINT, "min", "From", "mm", FILE_ONLY, box_min), FIELD(POINT, "max", "To", "mm", FILE_ONLY, box_max),
    FIELD(POINT, "size", "Size", "mm", SYN_IN_WORDS, box_size),
    FIELD(REAL, "longest_mm", "Longest side", "mm", SYN_IN_WORDS, box_longest)};
static const syn_record box_record = RECORD("bounds", box_fields);

GET(field_name, syn_field, value_text(at->name))
GET(field_on, syn_field, value_text(syn_field_on_name(at->on)))
GET(field_components, syn_field, value_count(at->components))
static const syn_result_field field_fields[] = {
    FIELD(TEXT, "name", "Field", "", FILE_ONLY, field_name), FIELD(TEXT, "on", "On", "", FILE_ONLY, field_on),
    FIELD(INTEGER, "components", "Components", "", FILE_ONLY, field_components)};
static const syn_record field_record = RECORD("field", field_fields);

GET(tets_volume, syn_tet_quality, value_real(at->volume_mm3))
GET(tets_min_volume, syn_tet_quality, value_real(at->min_volume_mm3))
GET(tets_inverted, syn_tet_quality, value_count(at->inverted))
GET(tets_min_quality, syn_tet_quality, value_real(at->min_quality))
GET(tets_mean_quality, syn_tet_quality, value_real(at->mean_quality))
GET(tets_min_dihedral, syn_tet_quality, value_degrees(at->min_dihedral))
GET(tets_max_dihedral, syn_tet_quality, value_degrees(at->max_dihedral))
static const syn_result_field quality_fields[] = {
    FIELD(REAL, "volume_mm3", "Volume", "mm³", FILE_ONLY, tets_volume),
    FIELD(REAL, "min_volume_mm3", "Least volume", "mm³", FILE_ONLY, tets_min_volume),
    FIELD(INTEGER, "inverted", "Inverted", "", FILE_ONLY, tets_inverted),
    FIELD(REAL, "min_quality", "Worst quality", "", FILE_ONLY, tets_min_quality),
    FIELD(REAL, "mean_quality", "Mean quality", "", FILE_ONLY, tets_mean_quality),
    FIELD(REAL, "min_dihedral_deg", "Least dihedral angle", "deg", FILE_ONLY, tets_min_dihedral),
    FIELD(REAL, "max_dihedral_deg", "Greatest dihedral angle", "deg", FILE_ONLY, tets_max_dihedral)};
static const char quality_words[] =
    "{volume_mm3:.6g} mm³, worst quality {min_quality:.3}, mean {mean_quality:.3} (1 is regular)\n";
const syn_record syn_tet_quality_record = RECORD_IN_WORDS("tet_quality", quality_fields, quality_words);

GET(count_points, syn_geometry, value_count(at->point_count))
GET(count_triangles, syn_geometry, value_count(at->triangle_count))
GET(count_tets, syn_geometry, value_count(at->tet_count))
static const syn_result_field geometry_fields[] = {
    FIELD(INTEGER, "vertices", "vertices", "", FILE_ONLY, count_points),
    FIELD(INTEGER, "triangles", "triangles", "", FILE_ONLY, count_triangles),
    FIELD(INTEGER, "tets", "tetrahedra", "", FILE_ONLY, count_tets)};
static const char geometry_words[] =
    "{vertices:,} vertices{?triangles}, {triangles:,} triangles{/}{?tets}, {tets:,} tetrahedra{/}\n";
const syn_record syn_geometry_record = RECORD_IN_WORDS("geometry", geometry_fields, geometry_words);

/* ---- a file -------------------------------------------------------------------------------------------------------
 */

GET(info_file, syn_mesh_info, value_text(at->path))
GET(info_format, syn_mesh_info, value_text(at->geometry.format))
GET(info_vertices, syn_mesh_info, value_count(at->vertex_count))
GET(info_points, syn_mesh_info, value_count(at->geometry.point_count))
GET(info_triangles, syn_mesh_info, value_count(at->triangle_count))
GET(info_tets, syn_mesh_info, value_count(at->geometry.tet_count))
GET(info_cells, syn_mesh_info, value_count(at->geometry.triangle_count + at->geometry.tet_count))
GET(info_space, syn_mesh_info,
    at->geometry.space != SYN_SPACE_UNKNOWN ? value_text(syn_space_name(at->geometry.space)) : value_none())
GET(info_fields, syn_mesh_info, value_list(at->geometry.fields, at->geometry.field_count))

static const char *problem_at(const void *problems, size_t i) {
  return ((const syn_health_problems *)problems)->texts[i];
}
GET(is_closed, syn_mesh_info, value_boolean(at->health.closed))
GET(is_manifold, syn_mesh_info, value_boolean(at->health.manifold))
GET(is_oriented, syn_mesh_info, value_boolean(at->health.oriented))
GET(is_outward, syn_mesh_info, value_boolean(at->health.outward))
GET(components, syn_mesh_info, value_count(at->health.components))
GET(genus, syn_mesh_info, at->health.genus >= 0 ? value_count((size_t)at->health.genus) : value_none())
GET(boundary_edges, syn_mesh_info, value_count(at->health.boundary_edges))
GET(boundary_loops, syn_mesh_info, value_count(at->health.boundary_loops))
GET(nonmanifold_edges, syn_mesh_info, value_count(at->health.nonmanifold_edges))
GET(nonmanifold_vertices, syn_mesh_info, value_count(at->health.nonmanifold_vertices))
GET(flipped_edges, syn_mesh_info, value_count(at->health.flipped_edges))
GET(degenerate_triangles, syn_mesh_info, value_count(at->health.degenerate_triangles))
GET(duplicate_triangles, syn_mesh_info, value_count(at->health.duplicate_triangles))
GET(duplicate_vertices, syn_mesh_info, value_count(at->health.duplicate_vertices))
GET(unreferenced_vertices, syn_mesh_info, value_count(at->health.unreferenced_vertices))
GET(self_intersections, syn_mesh_info,
    at->self_intersections_known ? value_count(at->health.self_intersections) : value_none())
GET(far_vertices, syn_mesh_info, value_count(at->health.far_vertices))
GET(too_small, syn_mesh_info, value_boolean(at->health.too_small))
GET(self_intersections_stopped, syn_mesh_info, value_boolean(at->health.self_intersections_stopped))
GET(is_fit, syn_mesh_info, value_boolean(syn_health_fit(&at->health)))
GET(problems, syn_mesh_info, value_texts(problem_at, &at->problems, at->problems.count))

GET(volume, syn_mesh_info, at->health.closed && at->health.oriented ? value_real(at->mass.volume_mm3) : value_none())
GET(area, syn_mesh_info, value_real(at->mass.area_mm2))
GET(bounds, syn_mesh_info, at->bounds.min.x <= at->bounds.max.x ? value_record(&at->bounds, 0) : value_none())
GET(tet_quality, syn_mesh_info, at->geometry.tet_count ? value_record(&at->quality, 0) : value_none())

GET(has_triangles, syn_mesh_info, value_boolean(at->geometry.triangle_count))
GET(has_genus, syn_mesh_info, value_boolean(at->health.genus >= 0))
GET(knows_intersections, syn_mesh_info, value_boolean(at->self_intersections_known))

enum { BEFORE_HEALTH = 9, HEALTH = 23 };
static const syn_result_field mesh_fields[] = {
    FIELD(TEXT, "file", "File", "", FILE_ONLY, info_file),
    FIELD(TEXT, "format", "Format", "", FILE_ONLY, info_format),
    FIELD(INTEGER, "vertices", "Vertices", "", FILE_ONLY, info_vertices),
    FIELD(INTEGER, "points", "Points", "", FILE_ONLY, info_points),
    FIELD(INTEGER, "triangles", "Triangles", "", FILE_ONLY, info_triangles),
    FIELD(INTEGER, "tets", "Tetrahedra", "", FILE_ONLY, info_tets),
    FIELD(INTEGER, "cells", "Cells", "", FILE_ONLY, info_cells),
    FIELD(TEXT, "space", "Space", "", FILE_ONLY, info_space),
    FIELD_OF(LIST, field_record, "fields", "Fields", FILE_ONLY, info_fields),
    /* health, from here … */
    FIELD(BOOLEAN, "closed", "Closed", "", FILE_ONLY, is_closed),
    FIELD(BOOLEAN, "manifold", "Manifold", "", FILE_ONLY, is_manifold),
    FIELD(BOOLEAN, "oriented", "Oriented", "", FILE_ONLY, is_oriented),
    FIELD(BOOLEAN, "outward", "Outward", "", FILE_ONLY, is_outward),
    FIELD(INTEGER, "components", "Components", "", FILE_ONLY, components),
    FIELD(INTEGER, "genus", "Handles (genus)", "", FILE_ONLY, genus),
    FIELD(INTEGER, "boundary_edges", "Boundary edges", "", FILE_ONLY, boundary_edges),
    FIELD(INTEGER, "boundary_loops", "Boundary loops", "", FILE_ONLY, boundary_loops),
    FIELD(INTEGER, "nonmanifold_edges", "Non-manifold edges", "", FILE_ONLY, nonmanifold_edges),
    FIELD(INTEGER, "nonmanifold_vertices", "Non-manifold vertices", "", FILE_ONLY, nonmanifold_vertices),
    FIELD(INTEGER, "flipped_edges", "Flipped edges", "", FILE_ONLY, flipped_edges),
    FIELD(INTEGER, "degenerate_triangles", "Triangles without area", "", FILE_ONLY, degenerate_triangles),
    FIELD(INTEGER, "duplicate_triangles", "Double triangles", "", FILE_ONLY, duplicate_triangles),
    FIELD(INTEGER, "duplicate_vertices", "Double vertices", "", FILE_ONLY, duplicate_vertices),
    FIELD(INTEGER, "unreferenced_vertices", "Unused vertices", "", FILE_ONLY, unreferenced_vertices),
    FIELD(INTEGER, "self_intersections", "Self-intersections", "", FILE_ONLY, self_intersections),
    FIELD(BOOLEAN, "self_intersections_stopped", "Counting stopped", "", FILE_ONLY, self_intersections_stopped),
    FIELD(INTEGER, "far_vertices", "Vertices too far away", "", FILE_ONLY, far_vertices),
    FIELD(BOOLEAN, "too_small", "Too small", "", FILE_ONLY, too_small),
    FIELD(BOOLEAN, "fit", "Fit for contact", "", FILE_ONLY, is_fit),
    FIELD(TEXTS, "problems", "Problems", "", FILE_ONLY, problems),
    FIELD(BOOLEAN, "self_intersections_known", "Self-intersections were looked for", "", SYN_IN_WORDS,
          knows_intersections),
    FIELD(TEXT, "path", "File", "", SYN_IN_WORDS, info_file),
    /* … to here */
    FIELD(REAL, "volume_mm3", "Volume", "mm³", FILE_ONLY, volume),
    FIELD(REAL, "area_mm2", "Area", "mm²", FILE_ONLY, area),
    FIELD_OF(RECORD, box_record, "bounds", "Bounds", FILE_ONLY, bounds),
    FIELD_OF(RECORD, syn_tet_quality_record, "tet_quality", "Tetrahedra", FILE_ONLY | SYN_OPTIONAL, tet_quality),
    FIELD(BOOLEAN, "has_triangles", "The file has triangles", "", SYN_IN_WORDS, has_triangles),
    FIELD(BOOLEAN, "has_genus", "The genus is known", "", SYN_IN_WORDS, has_genus),
};
#define VERDICT_WORDS(NAME)                                                                                            \
  "{?fit}fit for contact: closed, manifold, oriented outward{?self_intersections_known}, free of self-intersections"   \
  "{:} (self-intersections were not looked for){/}\n{:}" NAME " is not fit for contact:\n{/}{#problems}  - {.}\n{/}"
static const char mesh_words[] =
    "{file} ({format:|mesh}{?space}, {space}{/})\n"
    "  vertices            {vertices:,}\n"
    "  {?has_triangles}triangles         {:}surface triangles {/}  {triangles:,}\n"
    "{#tet_quality}  tetrahedra          {tets:,}\n    volume            {volume_mm3:.10g} mm³, {inverted} inverted\n"
    "    quality           worst {min_quality:.3}, mean {mean_quality:.3} (1 is regular), dihedral angles "
    "{min_dihedral_deg:.1}° to {max_dihedral_deg:.1}°\n{/}"
    "  components          {components:,}\n"
    "  closed              {closed}\n"
    "  manifold            {manifold}\n"
    "  oriented            {!oriented}no{:}yes{?outward}, outward{:}{?closed}, inward{/}{/}{/}\n"
    "{?has_genus}  handles (genus)     {genus:,}\n{/}"
    "{?self_intersections_stopped}  self-intersections  {self_intersections} or more (counting stopped)\n"
    "{:}{?self_intersections_known}  self-intersections  {self_intersections:,}\n{/}{/}"
    "  area                {area_mm2:.10g} mm²\n"
    "  volume              {?volume_mm3}{volume_mm3:.10g} mm³{:}none: the surface encloses nothing{/}\n"
    "{#bounds}  bounds              {min:.6g} to {max:.6g}\n"
    "  size                {size.0:.4g} × {size.1:.4g} × {size.2:.4g} mm"
    "{?longest_mm<2} (so small: a file in metres? then add --units m){/}\n{/}"
    "{#fields}  field               {name}\n{/}" VERDICT_WORDS("this mesh");

const syn_record syn_mesh_info_record = RECORD_IN_WORDS("mesh", mesh_fields, mesh_words);
const syn_record syn_mesh_health_record = {"mesh", mesh_fields + BEFORE_HEALTH,   HEALTH, NULL, 0,
                                           false,  "{path}: " VERDICT_WORDS("it")};

/* ---- a repair -----------------------------------------------------------------------------------------------------
 */

GET(welded, syn_repair_report, value_count(at->welded_vertices))
GET(degenerate, syn_repair_report, value_count(at->dropped_degenerate))
GET(duplicate, syn_repair_report, value_count(at->dropped_duplicate))
GET(unreferenced, syn_repair_report, value_count(at->dropped_unreferenced))
GET(split, syn_repair_report, value_count(at->split_nonmanifold))
GET(flipped, syn_repair_report, value_count(at->flipped))
GET(filled, syn_repair_report, value_count(at->filled_holes))
GET(added, syn_repair_report, value_count(at->added_triangles))
GET(islands, syn_repair_report, value_count(at->removed_islands))
GET(removed, syn_repair_report, value_count(at->removed_triangles))
static const syn_result_field repair_fields[] = {
    FIELD(INTEGER, "welded_vertices", "vertices joined", "", FILE_ONLY, welded),
    FIELD(INTEGER, "dropped_degenerate", "triangles without area dropped", "", FILE_ONLY, degenerate),
    FIELD(INTEGER, "dropped_duplicate", "double triangles dropped", "", FILE_ONLY, duplicate),
    FIELD(INTEGER, "dropped_unreferenced", "unused vertices dropped", "", FILE_ONLY, unreferenced),
    FIELD(INTEGER, "split_nonmanifold", "vertices doubled to cut sheets apart", "", FILE_ONLY, split),
    FIELD(INTEGER, "flipped", "triangles turned round", "", FILE_ONLY, flipped),
    FIELD(INTEGER, "filled_holes", "holes filled", "", FILE_ONLY, filled),
    FIELD(INTEGER, "added_triangles", "triangles added", "", FILE_ONLY, added),
    FIELD(INTEGER, "removed_islands", "islands removed", "", FILE_ONLY, islands),
    FIELD(INTEGER, "removed_triangles", "triangles removed with them", "", FILE_ONLY, removed)};
const syn_record syn_repair_record = RECORD("changes", repair_fields);
