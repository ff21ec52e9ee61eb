/* Smooths scan noise of the bones before anything is measured. */
#include "base/memory.h"
#include "base/parallel.h"
#include "base/text.h"
#include "base/vec.h"
#include "clinic/hip_case.h"

/* Roughness below the first is shape, or irrelevant; from the second on the full smoothing applies. Between them it
 * grows, so that results are continuous. */
static const double none_mm = 0.03, all_mm = 0.05;
/* With fewer vertices it is a model with real edges, not a scan. */
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

typedef struct smoothing {
  syn_hip_case *of;
  bool as_scanned;
  syn_trimesh *smooth[2]; /* of pelvis and femur; NULL: unchanged */
} smoothing;

static syn_status smooth_bone(void *user, size_t bone, syn_error *error) {
  smoothing *s = user;
  const syn_hip_part part = bone == 0 ? SYN_HIP_PELVIS : SYN_HIP_FEMUR;
  const syn_trimesh *mesh = s->of->hip.parts[part];
  if (!mesh || mesh->vertex_count < SCAN_VERTICES) return SYN_OK;
  SYN_TRY(syn_trimesh_roughness(mesh, &s->of->roughness_mm[part], error));
  const double weight = min2((s->of->roughness_mm[part] - none_mm) / (all_mm - none_mm), 1);
  if (!(weight > 0) || s->as_scanned) return SYN_OK;
  syn_trimesh *smooth;
  SYN_TRY(syn_trimesh_smooth(mesh, ITERATIONS, &smooth, error));
  const syn_status status = blend(mesh, smooth, weight, &s->smooth[bone], error);
  syn_trimesh_destroy(smooth);
  return status;
}

static void take_smooth(syn_hip_case *c, syn_hip_part part, syn_trimesh *smooth) {
  syn_warn(c->context,
           "the surface of the %s is rough, by %.*f mm from vertex to vertex, as noise of a scan is: it is smoothed; "
           "--as-scanned leaves it",
           syn_hip_part_name(part), syn_mm_decimals(c->roughness_mm[part]), c->roughness_mm[part]);
  syn_trimesh_destroy((syn_trimesh *)(uintptr_t)c->merged[part]);
  c->hip.parts[part] = c->merged[part] = smooth;
}

syn_status syn_hip_case_smooth(syn_hip_case *c, bool as_scanned, syn_error *error) {
  smoothing s = {.of = c, .as_scanned = as_scanned};
  const syn_status status = syn_parallel_tasks(c->context, 2, smooth_bone, &s, error);
  for (size_t bone = 0; bone < 2; ++bone) {
    if (status == SYN_OK && s.smooth[bone])
      take_smooth(c, bone == 0 ? SYN_HIP_PELVIS : SYN_HIP_FEMUR, s.smooth[bone]);
    else
      syn_trimesh_destroy(s.smooth[bone]);
  }
  return status;
}
