/* The socket of the parametric hip: its grid, which cartilage and labrum share so that they lie on the bone exactly;
 * the pelvic bone round it, a shell thickest in the middle with the stump of the ilium on top; and the soft tissue. The
 * two cartilages lie on their bones point by point: the surfaces coincide and leave no gap. */
#include "shape/closed_surface.h"
#include "shape/hip_shape.h"

/* ---- the grid ---------------------------------------------------------------------------------------------------- */

uint32_t syn_hip_model_fossa_ring(const syn_hip_model *hip) { return syn_hip_model_steps(hip, hip->fossa); }
uint32_t syn_hip_model_rim_ring(const syn_hip_model *hip) {
  return syn_hip_model_fossa_ring(hip) + syn_hip_model_steps(hip, hip->rim - hip->fossa);
}
/* Returns the ring at which the transition zone starts: whole rings as near to its width as the grid allows, at least
 * one. */
static uint32_t zone_ring(const syn_hip_model *hip) {
  const uint32_t rim = syn_hip_model_rim_ring(hip), rings = rim - syn_hip_model_fossa_ring(hip);
  if (!(hip->zone_width > 0)) return rim;
  const double wanted = round(hip->zone_width / hip->radius / (hip->rim - hip->fossa) * rings);
  return rim - (uint32_t)fmin(fmax(wanted, 1), rings - 1);
}
uint32_t syn_hip_model_tip_ring(const syn_hip_model *hip) {
  return syn_hip_model_rim_ring(hip) + syn_hip_model_steps(hip, hip->tip - hip->rim);
}

double syn_hip_model_cup_polar(const syn_hip_model *hip, uint32_t ring) {
  uint32_t fossa = syn_hip_model_fossa_ring(hip), rim = syn_hip_model_rim_ring(hip), tip = syn_hip_model_tip_ring(hip);
  if (ring <= fossa) return hip->fossa * ring / fossa;
  if (ring <= rim) return hip->fossa + (hip->rim - hip->fossa) * (ring - fossa) / (rim - fossa);
  return hip->rim + (hip->tip - hip->rim) * (ring - rim) / (tip - rim);
}

syn_vec3 syn_hip_model_cup_point(const syn_hip_model *hip, uint32_t ring, uint32_t column, double radius) {
  return vec3_scale(hip_direction(&hip->cup, syn_hip_model_cup_polar(hip, ring), hip_clock(hip, column)), radius);
}

/* ---- the bone ---------------------------------------------------------------------------------------------------- */

/* Stumps of the bones that meet in the cup, for a joint radius of 25 mm. */
typedef struct stump {
  syn_vec3 direction;                       /* unit */
  double height, width_across, width_along; /* mm; ratio of the radius across and along y */
} stump;
enum { STUMPS = 4 };
static const stump plain[STUMPS] = {
    {{-0.25, -0.10, 0.963}, 34, 0.33, 0.60}, /* ilium */
    {{-0.86, 0.44, 0.26}, 22, 0.30, 0.25},   /* pubis */
    {{-0.86, -0.48, 0.173}, 22, 0.35, 0.30}, /* ischium */
    {{0, 0, 1}, 0, 1, 1},                    /* no spine */
};
/* In the proportions of adults, as far as a shell seen from the centre and ending at the rim can have them. */
static const stump whole[STUMPS] = {
    {{-0.27, -0.12, 0.955}, 78, 0.26, 0.55}, /* wing of the ilium */
    {{-0.88, 0.47, -0.02}, 90, 0.22, 0.20},  /* ramus of the pubis */
    {{-0.88, -0.46, -0.12}, 95, 0.26, 0.26}, /* ischium */
    {{-0.05, 0.55, 0.834}, 60, 0.16, 0.16},  /* anterior inferior spine */
};

/* Outer radius of the shell. It leaves the rim with a lip behind the labrum's base and stays inside the rim's cone, so
 * that the rim is the outermost bone seen from the centre and CE measures as asked. */
static double outer_radius(const syn_hip_model *hip, double polar, syn_vec3 direction) {
  double lip = hip->radius + fmax(hip->cartilage, hip->labrum_base) + 2 * hip->scale;
  double inward = 1 - pow(polar / hip->rim, 2), wall = 6;
  const stump *stumps = hip->whole ? whole : plain;
  for (int i = 0; i < STUMPS; ++i) {
    syn_vec3 off = vec3_sub(direction, stumps[i].direction);
    double along = off.y / stumps[i].width_along, across = hypot(off.x, off.z) / stumps[i].width_across;
    wall += stumps[i].height * exp(-along * along - across * across);
  }
  return lip + hip->scale * inward * wall;
}

/* Rings run from the floor of the cup to the rim, over its edge and back along the outside. */
static syn_vec3 place_socket_point(const void *user, uint32_t ring, uint32_t column) {
  const syn_hip_model *hip = user;
  uint32_t rim = syn_hip_model_rim_ring(hip);
  if (ring <= rim) return syn_hip_model_cup_point(hip, ring, column, hip->radius + hip->cartilage);
  uint32_t below = 2 * rim + 1 - ring;
  syn_vec3 direction = syn_hip_model_cup_point(hip, below, column, 1);
  return vec3_scale(direction, outer_radius(hip, syn_hip_model_cup_polar(hip, below), direction));
}

syn_status syn_hip_model_make_pelvis(const syn_context *context, const syn_hip_model *hip, syn_trimesh **mesh,
                                     syn_error *error) {
  uint32_t rim = syn_hip_model_rim_ring(hip);
  const syn_loft loft = {2 * rim + 2, hip->columns, SYN_LOFT_POLES, rim, place_socket_point, hip};
  return syn_loft_make(context, &loft, mesh, error);
}

/* ---- soft tissue ------------------------------------------------------------------------------------------------- */

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
  return make_horseshoe(context, hip, syn_hip_model_fossa_ring(hip), zone_ring(hip), mesh, error);
}

/* The outermost part of the horseshoe, where cartilage becomes labrum (Arbabi 2009, §4.3.2.2 names it without
 * dimensions). */
syn_status syn_hip_model_make_transition_zone(const syn_context *context, const syn_hip_model *hip, syn_trimesh **mesh,
                                              syn_error *error) {
  return make_horseshoe(context, hip, zone_ring(hip), syn_hip_model_rim_ring(hip), mesh, error);
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
