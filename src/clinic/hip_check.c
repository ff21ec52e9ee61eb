/* Refuses soft parts that contradict their name: a labrum is around its socket, cartilage on its head or in its cup. */
#include "base/status.h"
#include "base/vec.h"
#include "clinic/hip_case.h"

static const double FURTHEST = 3; /* radii of the joint from its centre; cartilage and labra end before 1.5 */

static syn_status check_part(const syn_hip_case *c, syn_hip_part part, double radius, syn_error *error) {
  const syn_trimesh *mesh = c->hip.parts[part];
  double nearest = INFINITY, furthest = 0;
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
    const double distance = vec3_distance(mesh->vertices[v], c->hip.center);
    nearest = min2(nearest, distance);
    furthest = max2(furthest, distance);
  }
  if (furthest <= FURTHEST * radius) return SYN_OK;
  return syn_fail(error, SYN_BAD_MESH,
                  "the mesh given as %s lies %.0f to %.0f mm from the hip's centre, but the joint has a radius of %.0f "
                  "mm: is it another body, or in another frame or unit?",
                  syn_hip_part_name(part), nearest, furthest, radius);
}

syn_status syn_hip_case_check_soft(const syn_hip_case *c, syn_error *error) {
  static const syn_hip_part soft[] = {SYN_HIP_LABRUM, SYN_HIP_FEMORAL_CARTILAGE, SYN_HIP_ACETABULAR_CARTILAGE,
                                      SYN_HIP_TRANSITION_ZONE};
  if (!c->anatomy) return SYN_OK;
  const double head = c->anatomy->head.radius_mm, cup = c->anatomy->acetabulum.radius_mm;
  const double radius = isfinite(cup) ? cup : head;
  for (size_t i = 0; isfinite(radius) && i < sizeof soft / sizeof *soft; ++i)
    if (c->hip.parts[soft[i]]) SYN_TRY(check_part(c, soft[i], radius, error));
  return SYN_OK;
}
