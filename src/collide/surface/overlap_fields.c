/* Result fields of the overlap of two bodies: volume, contour, and the triangles of every zone. */
#include <synovia/collide.h>

#include "result/value.h"

/* ---- zones --------------------------------------------------------------------------------------------------------
 */

/* The object is the zones of one surface, the index a triangle. */
GET(zone_name, uint8_t, value_text(syn_zone_name((syn_zone)*at)))
static syn_value zone_triangle(const void *zones, size_t index) { return (void)zones, value_count(index); }
static bool is_element(const void *zones, size_t index) { return ((const uint8_t *)zones)[index] != SYN_ZONE_OUTSIDE; }
static const syn_result_field element_fields[] = {FIELD(INTEGER, "triangle", "Triangle", "", FILE_ONLY, zone_triangle),
                                                  FIELD(TEXT, "zone", "Zone", "", FILE_ONLY, zone_name)};
static const syn_record element_record = RECORD("element", element_fields);

static syn_value elements(const uint8_t *zones, uint32_t count) {
  syn_value list = value_list(zones, count);
  list.items.has = is_element;
  return list;
}

/* Zones as rows: the index is the zone. */
static syn_value row_zone(const void *overlap, size_t zone) {
  return (void)overlap, value_text(syn_zone_name((syn_zone)zone));
}
static syn_value row_fixed(const void *overlap, size_t zone) {
  return value_count(syn_overlap_zone_count(overlap, false, (syn_zone)zone));
}
static syn_value row_mobile(const void *overlap, size_t zone) {
  return value_count(syn_overlap_zone_count(overlap, true, (syn_zone)zone));
}
static const syn_result_field zone_fields[] = {
    FIELD(TEXT, "zone", "Zone", "", SYN_IN_FILE | SYN_IN_PAGE, row_zone),
    FIELD(INTEGER, "fixed", "Fixed triangles", "", SYN_IN_FILE | SYN_IN_PAGE, row_fixed),
    FIELD(INTEGER, "mobile", "Mobile triangles", "", SYN_IN_FILE | SYN_IN_PAGE, row_mobile)};
const syn_record syn_zone_record = RECORD("zones", zone_fields);

/* ---- the contour --------------------------------------------------------------------------------------------------
 */

GET(loop_point, syn_vec3, value_point(*at))
static const syn_result_field point_fields[] = {FIELD(POINT, "point", "Point", "mm", FILE_ONLY, loop_point)};
static const syn_record point_record = RECORD("point", point_fields);

/* The object is an overlap, the index a loop. */
static syn_value loop_number(const void *overlap, size_t loop) { return (void)overlap, value_count(loop); }
static syn_value loop_length(const void *overlap, size_t loop) {
  return value_real(syn_overlap_loop_mm(overlap, (uint32_t)loop));
}
static syn_value loop_size(const void *overlap, size_t loop) {
  const syn_overlap *o = overlap;
  return value_count(o->loop_start[loop + 1] - o->loop_start[loop]);
}
static syn_value loop_points(const void *overlap, size_t loop) {
  const syn_overlap *o = overlap;
  return value_list(o->loop_points + o->loop_start[loop], o->loop_start[loop + 1] - o->loop_start[loop]);
}
static const syn_result_field loop_fields[] = {
    FIELD(INTEGER, "loop", "Loop", "", SYN_IN_FILE | SYN_IN_PAGE, loop_number),
    FIELD(REAL, "length_mm", "Length", "mm", SYN_IN_FILE | SYN_IN_PAGE, loop_length),
    FIELD(INTEGER, "point_count", "Points", "", SYN_IN_FILE | SYN_IN_PAGE, loop_size),
    FIELD_OF(LIST, point_record, "points", "Points", FILE_ONLY, loop_points)};
const syn_record syn_contour_record = RECORD("contour", loop_fields);

/* ---- all of it ----------------------------------------------------------------------------------------------------
 */

GET(overlap_centroid, syn_overlap, at->volume_mm3 > 0 ? value_point(at->centroid) : value_none())
GET(overlap_zones, syn_overlap, value_list(at, SYN_ZONES))
GET(overlap_contour, syn_overlap, value_list(at, at->loop_count))
GET(fixed_elements, syn_overlap, elements(at->fixed_zones, at->fixed_count))
GET(mobile_elements, syn_overlap, elements(at->mobile_zones, at->mobile_count))
static const syn_result_field overlap_fields[] = {
    MEMBER(syn_overlap, volume_mm3, "volume_mm3", "Volume", "mm³", FILE_ONLY),
    FIELD(POINT, "centroid", "Centroid", "mm", FILE_ONLY, overlap_centroid),
    MEMBER(syn_overlap, fixed_area_mm2, "fixed_area_mm2", "Fixed surface inside", "mm²", FILE_ONLY),
    MEMBER(syn_overlap, mobile_area_mm2, "mobile_area_mm2", "Mobile surface inside", "mm²", FILE_ONLY),
    MEMBER(syn_overlap, nudge_mm, "nudge_mm", "Moved by", "mm", FILE_ONLY),
    FIELD_OF(LIST, syn_zone_record, "zones", "Zones", FILE_ONLY, overlap_zones),
    FIELD_OF(LIST, syn_contour_record, "contour", "Contour", FILE_ONLY, overlap_contour),
    FIELD_OF(LIST, element_record, "fixed_elements", "Fixed elements", FILE_ONLY, fixed_elements),
    FIELD_OF(LIST, element_record, "mobile_elements", "Mobile elements", FILE_ONLY, mobile_elements)};
const syn_record syn_overlap_record = RECORD_OF(syn_overlap, "overlap", overlap_fields);
