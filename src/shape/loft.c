#include "shape/loft.h"

#include <assert.h>

#include "base/vec.h"
#include "mesh/builder.h"

static bool is_pole(const syn_loft *loft, uint32_t ring) {
  return loft->ends == SYN_LOFT_POLES && (ring == 0 || ring == loft->rings - 1);
}

/* Poles take one number, other rings one per column. */
static uint32_t vertex(const syn_loft *loft, uint32_t ring, uint32_t column) {
  uint32_t before = loft->ends == SYN_LOFT_POLES && ring > 0 ? 1 + (ring - 1) * loft->columns : ring * loft->columns;
  return is_pole(loft, ring) ? before : before + column % loft->columns;
}

static syn_status add_points(const syn_loft *loft, syn_builder *builder, syn_error *error) {
  for (uint32_t ring = 0; ring < loft->rings; ++ring) {
    uint32_t columns = is_pole(loft, ring) ? 1 : loft->columns;
    for (uint32_t column = 0; column < columns; ++column)
      SYN_TRY(syn_builder_point(builder, loft->place(loft->user, ring, column), error));
  }
  return SYN_OK;
}

/* Corners round the quad; the cut runs from a to c. A side that is a single point leaves one triangle. */
static syn_status add_quad(syn_builder *builder, uint32_t a, uint32_t b, uint32_t c, uint32_t d, syn_error *error) {
  if (a != b && b != c) SYN_TRY(syn_builder_triangle(builder, a, b, c, error));
  if (c != d && d != a) SYN_TRY(syn_builder_triangle(builder, a, c, d, error));
  return SYN_OK;
}

static syn_status add_bands(const syn_loft *loft, syn_builder *builder, syn_error *error) {
  uint32_t bands = loft->ends == SYN_LOFT_TORUS ? loft->rings : loft->rings - 1;
  for (uint32_t ring = 0; ring < bands; ++ring) {
    uint32_t next = (ring + 1) % loft->rings;
    for (uint32_t column = 0; column < loft->columns; ++column) {
      uint32_t a = vertex(loft, ring, column), b = vertex(loft, ring, column + 1);
      uint32_t c = vertex(loft, next, column + 1), d = vertex(loft, next, column);
      if (ring < loft->fold)
        SYN_TRY(add_quad(builder, a, b, c, d, error));
      else
        SYN_TRY(add_quad(builder, b, c, d, a, error));
    }
  }
  return SYN_OK;
}

/* Closes the first and the last ring of a folded loft by a strip of quads each. */
static syn_status add_folded_ends(const syn_loft *loft, syn_builder *builder, syn_error *error) {
  uint32_t last = loft->rings - 1, columns = loft->columns;
  for (uint32_t c = 0; c + 1 < columns / 2; ++c) {
    SYN_TRY(add_quad(builder, vertex(loft, 0, c), vertex(loft, 0, columns - 1 - c), vertex(loft, 0, columns - 2 - c),
                     vertex(loft, 0, c + 1), error));
    SYN_TRY(add_quad(builder, vertex(loft, last, c), vertex(loft, last, c + 1), vertex(loft, last, columns - 2 - c),
                     vertex(loft, last, columns - 1 - c), error));
  }
  return SYN_OK;
}

/* The volume is taken about a point of the surface: no cancellation far from the origin. */
static void turn_outward(syn_builder *builder) {
  double volume = 0;
  for (size_t i = 0; i < builder->triangle_count; ++i) {
    syn_vec3 p[3];
    for (int c = 0; c < 3; ++c) p[c] = vec3_sub(builder->points[builder->triangles[i].v[c]], builder->points[0]);
    volume += vec3_dot(p[0], vec3_cross(p[1], p[2]));
  }
  if (volume >= 0) return;
  for (size_t i = 0; i < builder->triangle_count; ++i) {
    uint32_t *v = builder->triangles[i].v, second = v[1];
    v[1] = v[2];
    v[2] = second;
  }
}

syn_status syn_loft_make(const syn_context *context, const syn_loft *loft, syn_trimesh **mesh, syn_error *error) {
  assert(loft->rings >= 3 && loft->columns >= 3);
  assert(loft->ends != SYN_LOFT_FOLDED || loft->columns % 2 == 0);
  syn_builder builder = {.context = context};
  syn_status status = add_points(loft, &builder, error);
  if (status == SYN_OK) status = add_bands(loft, &builder, error);
  if (status == SYN_OK && loft->ends == SYN_LOFT_FOLDED) status = add_folded_ends(loft, &builder, error);
  if (status == SYN_OK) {
    turn_outward(&builder);
    status = syn_builder_trimesh(&builder, mesh, error);
  }
  syn_builder_release(&builder);
  return status;
}

/* ---- surfaces of revolution ----------------------------------------------------------------------------------------
 */

typedef struct turning {
  const syn_profile_point *profile;
  const syn_pose *pose;
  double step; /* angle between sectors */
} turning;

static syn_vec3 revolved_point(const void *user, uint32_t ring, uint32_t sector) {
  const turning *t = user;
  const double angle = t->step * sector, r = t->profile[ring].r;
  return syn_pose_point(t->pose, vec3(r * cos(angle), r * sin(angle), t->profile[ring].z));
}

syn_status syn_revolve(const syn_context *context, const syn_profile_point *profile, uint32_t count, uint32_t sectors,
                       const syn_pose *pose, syn_trimesh **mesh, syn_error *error) {
  const syn_pose world = syn_pose_identity();
  const turning turned = {profile, pose ? pose : &world, 2 * SYN_PI / sectors};
  const syn_loft_ends ends = profile[0].r > 0 ? SYN_LOFT_TORUS : SYN_LOFT_POLES;
  const syn_loft loft = {count, sectors, ends, count, revolved_point, &turned};
  return syn_loft_make(context, &loft, mesh, error);
}
