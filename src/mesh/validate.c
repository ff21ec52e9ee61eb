#include "mesh/validate.h"

#include "base/vec.h"

syn_status syn_validate_points(const syn_vec3 *points, size_t count, syn_error *error) {
  if (count >= SYN_NONE)
    return syn_fail(error, SYN_TOO_LARGE, "%zu vertices are more than 32-bit indices count", count);
  for (size_t i = 0; i < count; ++i)
    if (!vec3_finite(points[i]))
      return syn_fail(error, SYN_BAD_MESH, "vertex %zu is not finite: (%g, %g, %g)", i, points[i].x, points[i].y,
                      points[i].z);
  return SYN_OK;
}

syn_status syn_validate_cells(const uint32_t *indices, uint32_t corners, size_t cell_count, size_t point_count,
                              const char *what, syn_error *error) {
  if (cell_count > (size_t)1 << 31)
    return syn_fail(error, SYN_TOO_LARGE, "%zu cells (%s) are more than the 2^31 supported", cell_count, what);
  for (size_t i = 0; i < cell_count * corners; ++i)
    if (indices[i] >= point_count)
      return syn_fail(error, SYN_BAD_MESH, "%s %zu refers to vertex %u, but there are only %zu", what, i / corners,
                      indices[i], point_count);
  return SYN_OK;
}
