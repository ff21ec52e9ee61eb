/* Noise of a scan, taken from its bones before anything is measured. */
#include "base/memory.h"
#include "base/vec.h"
#include "clinic/hip_case.h"

/* Roughness below the first is shape, or does not matter; from the second on all of the smoothing applies. Between them
 * it grows, so that no answer jumps. */
static const double none_mm = 0.03, all_mm = 0.05;
/* With fewer vertices it is a model with edges of its own, not a scan. */
enum { ITERATIONS = 10, SCAN_VERTICES = 2000 };

static syn_status blend(const syn_trimesh *mesh, const syn_trimesh *smooth, double part, syn_trimesh **blended,
                        syn_error *error) {
  syn_vec3 *vertices;
  SYN_TRY(SYN_NEW(mesh->context, &vertices, mesh->vertex_count, error));
  for (uint32_t v = 0; v < mesh->vertex_count; ++v)
    vertices[v] = vec3_lerp(mesh->vertices[v], smooth->vertices[v], part);
  const syn_status status = syn_trimesh_create(mesh->context, vertices, mesh->vertex_count, mesh->triangles,
                                               mesh->triangle_count, blended, error);
  syn_free(mesh->context, vertices);
  return status;
}

static syn_status smooth_part(syn_hip_case *c, syn_hip_part part, double weight, syn_error *error) {
  syn_trimesh *smooth, *blended;
  SYN_TRY(syn_trimesh_smooth(c->hip.parts[part], ITERATIONS, &smooth, error));
  const syn_status status = blend(c->hip.parts[part], smooth, weight, &blended, error);
  syn_trimesh_destroy(smooth);
  SYN_TRY(status);
  syn_warn(c->context,
           "the surface of the %s is rough, by %.2f mm from vertex to vertex, as noise of a scan is: it is smoothed; "
           "--as-scanned leaves it",
           syn_hip_part_name(part), c->roughness_mm[part]);
  syn_trimesh_destroy((syn_trimesh *)(uintptr_t)c->merged[part]);
  c->hip.parts[part] = c->merged[part] = blended;
  return SYN_OK;
}

syn_status syn_hip_case_smooth(syn_hip_case *c, bool as_scanned, syn_error *error) {
  for (syn_hip_part part = SYN_HIP_PELVIS; part <= SYN_HIP_FEMUR; ++part) {
    if (!c->hip.parts[part] || c->hip.parts[part]->vertex_count < SCAN_VERTICES) continue;
    SYN_TRY(syn_trimesh_roughness(c->hip.parts[part], &c->roughness_mm[part], error));
    const double weight = min2((c->roughness_mm[part] - none_mm) / (all_mm - none_mm), 1);
    if (weight > 0 && !as_scanned) SYN_TRY(smooth_part(c, part, weight, error));
  }
  return SYN_OK;
}
