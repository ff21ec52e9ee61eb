/* Generates soft tissue for hips of which only the bones were segmented, so that the choice of the centre can be judged
 * by depths.
 *
 * Cartilage fills the joint: the spherical part of the head is moved outward by the mean width of the joint space, and
 * slides on the joint surface of the acetabulum. Where the space is narrower than its mean the two overlap, as
 * segmented cartilages do. The labrum is that of Arbabi 2009, §4.3.2.2, on the detected rim: 7 mm high, with a
 * triangular section, resting on the cartilage; dimensions are those of a head of 25 mm. */
#include <math.h>

#include "base/memory.h"
#include "base/vec.h"
#include "clinic/center/center.h"
#include "shape/closed_surface.h"

enum { SECTION = 4, COLUMNS = 2 * SYN_RIM_POINTS };
static const double labrum_height = 7, labrum_base = 2.5, usual_radius = 25;

/* ---- cartilage --------------------------------------------------------------------------------------------------- */

/* Returns the triangles whose vertices are all marked, moved away from the centre by `grow` mm. */
static syn_status patch_of(const syn_context *context, const syn_trimesh *mesh, const uint8_t *marks, syn_vec3 center,
                           double grow, syn_trimesh **patch, syn_error *error) {
  syn_arena arena = {.context = context};
  uint32_t *number, vertices = 0, triangles = 0;
  syn_vec3 *places = NULL;
  syn_triangle *corners = NULL;
  syn_status status = SYN_TAKE(&arena, &number, mesh->vertex_count, error);
  if (status == SYN_OK) status = SYN_TAKE(&arena, &places, mesh->vertex_count, error);
  if (status == SYN_OK) status = SYN_TAKE(&arena, &corners, mesh->triangle_count, error);
  for (uint32_t v = 0; status == SYN_OK && v < mesh->vertex_count; ++v) {
    if (!marks[v]) continue;
    const syn_vec3 off = vec3_sub(mesh->vertices[v], center);
    number[v] = vertices;
    places[vertices++] = vec3_madd(mesh->vertices[v], grow, vec3_unit(off));
  }
  for (uint32_t t = 0; status == SYN_OK && t < mesh->triangle_count; ++t) {
    const uint32_t *v = mesh->triangles[t].v;
    if (marks[v[0]] && marks[v[1]] && marks[v[2]])
      corners[triangles++] = (syn_triangle){{number[v[0]], number[v[1]], number[v[2]]}};
  }
  if (status == SYN_OK) status = syn_trimesh_create(context, places, vertices, corners, triangles, patch, error);
  syn_arena_release(&arena);
  return status;
}

/* Averages, over the joint surface of the acetabulum, the distance to the head's sphere. */
static double joint_space(const syn_trimesh *pelvis, const syn_anatomy *anatomy) {
  double sum = 0;
  size_t count = 0;
  for (uint32_t v = 0; v < pelvis->vertex_count; ++v) {
    if (!anatomy->lunate_vertices[v]) continue;
    sum += vec3_distance(pelvis->vertices[v], anatomy->head.center) - anatomy->head.radius_mm;
    ++count;
  }
  return count ? sum / (double)count : (double)NAN;
}

/* ---- labrum ------------------------------------------------------------------------------------------------------ */

typedef struct labrum {
  const syn_anatomy *anatomy;
  double radius, scale; /* of the face that rests on the cartilage; of dimensions */
} labrum;

/* Rings run along the inner face to the tip and back along the outer one; columns run along the rim. */
static syn_vec3 place_labrum(const void *user, uint32_t ring, uint32_t column) {
  const labrum *it = user;
  const syn_anatomy *a = it->anatomy;
  const uint32_t from = column / 2 % SYN_RIM_POINTS, to = (from + 1) % SYN_RIM_POINTS;
  const syn_vec3 rim = vec3_lerp(a->rim[from], a->rim[to], column % 2 ? 0.5 : 0);
  const syn_vec3 base = vec3_unit(vec3_sub(rim, a->head.center));
  const syn_vec3 onward = vec3_unit(vec3_madd(a->rim_normal, -vec3_dot(a->rim_normal, base), base));
  const uint32_t above = ring <= SECTION ? ring : 2 * SECTION - ring;
  const double part = (double)above / SECTION, angle = part * labrum_height * it->scale / it->radius;
  const double thickness = ring <= SECTION ? 0 : labrum_base * it->scale * (1 - part);
  const syn_vec3 direction = vec3_add(vec3_scale(base, cos(angle)), vec3_scale(onward, sin(angle)));
  return vec3_madd(a->head.center, it->radius + thickness, direction);
}

static syn_status make_labrum(const syn_context *context, const syn_anatomy *anatomy, double radius, syn_trimesh **mesh,
                              syn_error *error) {
  const labrum it = {anatomy, radius, radius / usual_radius};
  const syn_loft loft = {2 * SECTION + 1, COLUMNS, SYN_LOFT_TORUS, SECTION, place_labrum, &it};
  return syn_loft_make(context, &loft, mesh, error);
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

syn_status syn_center_make_soft(const syn_context *context, const syn_hip *hip, const syn_anatomy *anatomy,
                                syn_center_soft *soft, syn_error *error) {
  const syn_trimesh *pelvis = hip->parts[SYN_HIP_PELVIS], *femur = hip->parts[SYN_HIP_FEMUR];
  if (!pelvis || !femur || !anatomy || !anatomy->has_rim || !anatomy->head_vertices || !anatomy->lunate_vertices)
    return syn_fail(error, SYN_BAD_MESH,
                    "depths about other centres need cartilage and labrum, or bones with a head, a joint surface and a "
                    "rim to make them from");
  soft->layer_mm = max2(joint_space(pelvis, anatomy), 0.1);
  SYN_TRY(patch_of(context, femur, anatomy->head_vertices, anatomy->head.center, soft->layer_mm,
                   &soft->femoral_cartilage, error));
  SYN_TRY(
      patch_of(context, pelvis, anatomy->lunate_vertices, anatomy->head.center, 0, &soft->acetabular_cartilage, error));
  return make_labrum(context, anatomy, anatomy->head.radius_mm + soft->layer_mm, &soft->labrum, error);
}

void syn_center_soft_release(syn_center_soft *soft) {
  syn_trimesh_destroy(soft->femoral_cartilage);
  syn_trimesh_destroy(soft->acetabular_cartilage);
  syn_trimesh_destroy(soft->labrum);
}
