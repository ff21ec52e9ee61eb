/* Writes an overlap as numbers and as geometry files. */
#include "base/files/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/vec.h"
#include "result/value.h"

#include <synovia/collide.h>

/* Result fields of the overlap of two bodies: volume, contour, and the triangles of every zone. */
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

/* ---- counts -------------------------------------------------------------------------------------------------------
 */

uint32_t syn_overlap_zone_count(const syn_overlap *o, bool mobile, syn_zone zone) {
  const uint8_t *zones = mobile ? o->mobile_zones : o->fixed_zones;
  uint32_t count = 0;
  for (uint32_t t = 0; t < (mobile ? o->mobile_count : o->fixed_count); ++t) count += zones[t] == zone;
  return count;
}

double syn_overlap_loop_mm(const syn_overlap *o, uint32_t loop) {
  const uint32_t begin = o->loop_start[loop], end = o->loop_start[loop + 1];
  double length = 0;
  for (uint32_t i = begin; i < end; ++i)
    length += vec3_distance(o->loop_points[i], o->loop_points[i + 1 < end ? i + 1 : begin]);
  return length;
}

/* ---- surfaces -----------------------------------------------------------------------------------------------------
 */

typedef struct both_surfaces {
  syn_vec3 *points;
  syn_triangle *triangles;
  double *zones, *bodies;
} both_surfaces;

static void join(const syn_overlap *o, const syn_trimesh *fixed, const syn_trimesh *mobile, const both_surfaces *both) {
  for (uint32_t i = 0; i < fixed->vertex_count; ++i) both->points[i] = fixed->vertices[i];
  for (uint32_t i = 0; i < mobile->vertex_count; ++i)
    both->points[fixed->vertex_count + (size_t)i] = syn_pose_point(&o->pose, mobile->vertices[i]);
  for (uint32_t t = 0; t < o->fixed_count; ++t) {
    both->triangles[t] = fixed->triangles[t];
    both->zones[t] = o->fixed_zones[t];
    both->bodies[t] = 0;
  }
  for (uint32_t t = 0; t < o->mobile_count; ++t) {
    const size_t at = o->fixed_count + (size_t)t;
    for (int c = 0; c < 3; ++c) both->triangles[at].v[c] = mobile->triangles[t].v[c] + fixed->vertex_count;
    both->zones[at] = o->mobile_zones[t];
    both->bodies[at] = 1;
  }
}

static syn_status write_surfaces(const syn_overlap *o, const syn_trimesh *fixed, const syn_trimesh *mobile,
                                 syn_arena *arena, const char *path, const syn_write_options *options,
                                 syn_error *error) {
  const size_t points = (size_t)fixed->vertex_count + mobile->vertex_count,
               triangles = (size_t)o->fixed_count + o->mobile_count;
  both_surfaces both;
  if (points > SYN_NONE)
    return syn_fail(error, SYN_TOO_LARGE, "%zu vertices of both surfaces do not fit in one file", points);
  SYN_TRY(SYN_TAKE(arena, &both.points, points, error));
  SYN_TRY(SYN_TAKE(arena, &both.triangles, triangles, error));
  SYN_TRY(SYN_TAKE(arena, &both.zones, triangles, error));
  SYN_TRY(SYN_TAKE(arena, &both.bodies, triangles, error));
  join(o, fixed, mobile, &both);
  const syn_field fields[] = {{"zone", SYN_ON_TRIANGLES, 1, both.zones}, {"body", SYN_ON_TRIANGLES, 1, both.bodies}};
  const syn_geometry geometry = {.point_count = points,
                                 .triangle_count = triangles,
                                 .field_count = 2,
                                 .points = both.points,
                                 .triangles = both.triangles,
                                 .fields = fields};
  return syn_geometry_write(o->context, &geometry, path, options, error);
}

syn_status syn_overlap_write(const syn_overlap *o, const syn_trimesh *fixed, const syn_trimesh *mobile,
                             const char *path, const syn_write_options *options, syn_error *error) {
  if (fixed->triangle_count != o->fixed_count || mobile->triangle_count != o->mobile_count)
    return syn_fail(error, SYN_BAD_ARGUMENT,
                    "the overlap was made of surfaces with %u and %u triangles, these have %u and %u", o->fixed_count,
                    o->mobile_count, fixed->triangle_count, mobile->triangle_count);
  syn_arena arena = {.context = o->context};
  const syn_status status = write_surfaces(o, fixed, mobile, &arena, path, options, error);
  syn_arena_release(&arena);
  return status;
}

/* ---- the contour --------------------------------------------------------------------------------------------------
 */

static void put_points(const syn_overlap *o, uint32_t count, FILE *to) {
  fputs("      <Points>\n        <DataArray type=\"Float64\" Name=\"Points\" NumberOfComponents=\"3\" "
        "format=\"ascii\">\n",
        to);
  for (uint32_t i = 0; i < count; ++i) {
    char x[32], y[32], z[32];
    const syn_vec3 p = o->loop_points[i];
    fprintf(to, "%s %s %s\n", syn_format_double(p.x, x), syn_format_double(p.y, y), syn_format_double(p.z, z));
  }
  fputs("        </DataArray>\n      </Points>\n", to);
}

/* A loop ends with its first point. */
static void put_lines(const syn_overlap *o, FILE *to) {
  fputs("      <Lines>\n        <DataArray type=\"Int64\" Name=\"connectivity\" format=\"ascii\">\n", to);
  for (uint32_t loop = 0; loop < o->loop_count; ++loop) {
    for (uint32_t i = o->loop_start[loop]; i < o->loop_start[loop + 1]; ++i) fprintf(to, "%u ", i);
    fprintf(to, "%u\n", o->loop_start[loop]);
  }
  fputs("        </DataArray>\n        <DataArray type=\"Int64\" Name=\"offsets\" format=\"ascii\">\n", to);
  for (uint32_t loop = 0; loop < o->loop_count; ++loop)
    fprintf(to, "%zu\n", (size_t)o->loop_start[loop + 1] + loop + 1);
  fputs("        </DataArray>\n      </Lines>\n", to);
}

syn_status syn_overlap_write_contour(const syn_overlap *o, const char *path, syn_error *error) {
  const uint32_t points = o->loop_start[o->loop_count];
  syn_output output;
  SYN_TRY(syn_output_open(o->context, path, &output, error));
  fprintf(output.stream,
          "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\">\n"
          "  <PolyData>\n    <Piece NumberOfPoints=\"%u\" NumberOfVerts=\"0\" NumberOfLines=\"%u\" "
          "NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n",
          points, o->loop_count);
  put_points(o, points, output.stream);
  put_lines(o, output.stream);
  fputs("    </Piece>\n  </PolyData>\n</VTKFile>\n", output.stream);
  return syn_output_commit(&output, error);
}
