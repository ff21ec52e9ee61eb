/* The soft tissue of the hip. The two cartilages lie on their bones point by point: the surfaces coincide and leave no
 * gap. */
#include "shape/hip_shape.h"
#include "shape/loft.h"

/* ---- acetabulum: a horseshoe of even thickness, open towards the notch opposite clock 0 ----------------------------
 */

/* 60 degrees wide, a whole number of columns at any resolution. */
static uint32_t notch_columns(const syn_hip_model *hip) { return hip->columns / 6; }

/* The part of the horseshoe between two rings of the cup. */
typedef struct horseshoe {
  const syn_hip_model *hip;
  uint32_t inner, width;
} horseshoe;

/* A ring is a section across the horseshoe: out along the sliding face, back along the bone. */
static syn_vec3 place_horseshoe(const void *user, uint32_t ring, uint32_t column) {
  const horseshoe *it = user;
  const syn_hip_model *hip = it->hip;
  uint32_t clock = (hip->columns / 2 + notch_columns(hip) / 2 + ring) % hip->columns;
  if (column <= it->width) return syn_hip_model_cup_point(hip, it->inner + column, clock, hip->cup_radius);
  return syn_hip_model_cup_point(hip, it->inner + 2 * it->width + 1 - column, clock, hip->radius + hip->cartilage);
}

static syn_status make_horseshoe(const syn_context *context, const syn_hip_model *hip, uint32_t inner, uint32_t outer,
                                 syn_trimesh **mesh, syn_error *error) {
  const horseshoe it = {hip, inner, outer - inner};
  uint32_t rings = hip->columns - notch_columns(hip) + 1;
  const syn_loft loft = {rings, 2 * (it.width + 1), SYN_LOFT_FOLDED, rings, place_horseshoe, &it};
  return syn_loft_make(context, &loft, mesh, error);
}

syn_status syn_hip_model_make_acetabular_cartilage(const syn_context *context, const syn_hip_model *hip,
                                                   syn_trimesh **mesh, syn_error *error) {
  return make_horseshoe(context, hip, syn_hip_model_fossa_ring(hip), syn_hip_model_zone_ring(hip), mesh, error);
}

/* The outermost part of the horseshoe, where cartilage becomes labrum (Arbabi 2009, §4.3.2.2 names it without
 * dimensions). */
syn_status syn_hip_model_make_transition_zone(const syn_context *context, const syn_hip_model *hip, syn_trimesh **mesh,
                                              syn_error *error) {
  return make_horseshoe(context, hip, syn_hip_model_zone_ring(hip), syn_hip_model_rim_ring(hip), mesh, error);
}

/* ---- femur: a cap, thickest opposite the neck ----------------------------------------------------------------------
 */

/* Rings run along the sliding face to the edge, where the thickness is zero, and back along the bone. */
static syn_vec3 place_femoral(const void *user, uint32_t ring, uint32_t column) {
  const syn_hip_model *hip = user;
  uint32_t edge = syn_hip_model_head_rings(hip);
  return ring <= edge ? syn_hip_model_head_point(hip, ring, column, false)
                      : syn_hip_model_head_point(hip, 2 * edge - ring, column, true);
}

syn_status syn_hip_model_make_femoral_cartilage(const syn_context *context, const syn_hip_model *hip,
                                                syn_trimesh **mesh, syn_error *error) {
  uint32_t edge = syn_hip_model_head_rings(hip);
  const syn_loft loft = {2 * edge + 1, hip->columns, SYN_LOFT_POLES, edge, place_femoral, hip};
  return syn_loft_make(context, &loft, mesh, error);
}

/* ---- labrum: a closed ring on the bony rim
 * ---------------------------------------------------------------------------
 */

/* Its section is a triangle bent along the head: thickness `labrum_base` at the rim, growing thinner evenly towards the
 * tip, `labrum_height` further. Rings run along the inner face to the tip and back along the outer face. */
static syn_vec3 place_labrum(const void *user, uint32_t ring, uint32_t column) {
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
  const syn_loft loft = {2 * height + 1, hip->columns, SYN_LOFT_TORUS, height, place_labrum, hip};
  return syn_loft_make(context, &loft, mesh, error);
}
