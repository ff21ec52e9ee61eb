/* The labrum: a closed ring on the bony rim. Its section is a triangle bent along the head: thickness `labrum_base` at
 * the rim, growing thinner evenly towards the tip, `labrum_height` further. */
#include "shape/hip.h"
#include "shape/loft.h"

/* Rings run along the inner face to the tip and back along the outer face. */
static syn_vec3 place(const void *user, uint32_t ring, uint32_t column) {
  const syn_hip_model *hip = user;
  uint32_t rim = syn_hip_model_rim_ring(hip), height = syn_hip_model_tip_ring(hip) - rim;
  if (ring <= height) return syn_hip_model_cup_point(hip, rim + ring, column, hip->radius);
  uint32_t above = 2 * height - ring;
  double thickness = hip->labrum_base * (height - above) / height;
  return syn_hip_model_cup_point(hip, rim + above, column, hip->radius + thickness);
}

syn_status syn_hip_model_make_labrum(const syn_context *context, const syn_hip_model *hip, syn_trimesh **mesh,
                                     syn_error *error) {
  uint32_t height = syn_hip_model_tip_ring(hip) - syn_hip_model_rim_ring(hip);
  const syn_loft loft = {2 * height + 1, hip->columns, SYN_LOFT_TORUS, height, place, hip};
  return syn_loft_make(context, &loft, mesh, error);
}
