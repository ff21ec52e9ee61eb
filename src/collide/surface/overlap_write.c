/* Writes an overlap as numbers and as geometry files. */
#include "base/files/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/vec.h"
#include <synovia/collide.h>

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
