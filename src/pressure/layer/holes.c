/* Finds holes in the joint surface: rays through them hit the far side of the bone, or nothing. The caller must
 * close them, since closing them here would hide invented surface. */
#include "mesh/derived.h"
#include "pressure/layer/layer.h"

typedef struct hole_count {
  uint32_t holes;
  double widest_mm;
} hole_count;

/* A loop with a marked vertex is a hole; without marks, a loop smaller than the head, since the rim of a sheet is
 * larger. */
static bool is_hole(const syn_trimesh *mesh, const uint8_t *marked, const uint32_t *loop, uint32_t length,
                    double radius, double *width) {
  syn_box box = box_empty();
  bool any = !marked;
  for (uint32_t i = 0; i < length; ++i) {
    box_add(&box, mesh->vertices[loop[i]]);
    any |= marked && marked[loop[i]];
  }
  *width = vec3_distance(box.min, box.max);
  return any && (marked || *width < radius);
}

static syn_status count_holes(const syn_trimesh *mesh, const uint8_t *marked, double radius, hole_count *count,
                              syn_error *error) {
  syn_derived *derived;
  *count = (hole_count){0};
  SYN_TRY(syn_derive(mesh, &syn_derive_topology, &derived, error));
  const syn_topology *topology = derived_topology(derived);
  for (uint32_t l = 0; l < topology->boundary_loop_count; ++l) {
    const uint32_t first = topology->boundary_loop_start[l], end = topology->boundary_loop_start[l + 1];
    double width;
    if (!is_hole(mesh, marked, topology->boundary_vertices + first, end - first, radius, &width)) continue;
    ++count->holes;
    count->widest_mm = max2(count->widest_mm, width);
  }
  syn_derived_release(derived);
  return SYN_OK;
}

static syn_status check_part(const syn_hip_case *hip_case, syn_hip_part part, const uint8_t *marked, double radius,
                             syn_error *error) {
  const syn_trimesh *mesh = hip_case->hip.parts[part];
  hole_count count;
  if (!mesh) return SYN_OK;
  SYN_TRY(count_holes(mesh, marked, radius, &count, error));
  if (count.holes == 0) return SYN_OK;
  return syn_fail(error, SYN_BAD_MESH,
                  "the joint surface of the %s has %u hole%s, up to %.1f mm wide, where nothing would bear the load; "
                  "close them first, as `synovia mesh repair IN OUT` does",
                  syn_hip_part_name(part), count.holes, count.holes == 1 ? "" : "s", count.widest_mm);
}

syn_status syn_layer_check_holes(const syn_hip_case *hip_case, double radius, syn_error *error) {
  const syn_anatomy *anatomy = hip_case->anatomy;
  if (anatomy && anatomy->lunate_vertices)
    SYN_TRY(check_part(hip_case, SYN_HIP_PELVIS, anatomy->lunate_vertices, radius, error));
  if (anatomy && anatomy->head_vertices)
    SYN_TRY(check_part(hip_case, SYN_HIP_FEMUR, anatomy->head_vertices, radius, error));
  SYN_TRY(check_part(hip_case, SYN_HIP_ACETABULAR_CARTILAGE, NULL, radius, error));
  return check_part(hip_case, SYN_HIP_FEMORAL_CARTILAGE, NULL, radius, error);
}
