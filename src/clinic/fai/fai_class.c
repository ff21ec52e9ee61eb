/* Classifies a hip by its depths (Arbabi 2009, Fig. 63 and Table 10).
 *
 * The table gives ranges for six hips. As a rule for any hip:
 *  1. Impinging: the curvilinear depth leaves "very low" (5 mm; less the 1 mm by which our models of the six may miss
 *     their ranges), or the radial one does (2 mm).
 *  2. Too little coverage: a centre-edge angle below 20 degrees (less 1 degree for measuring it on a mesh). Normal and
 *     dysplastic hips have the same row, no penetration at all, so that depths alone cannot distinguish them.
 *     1 and 2 give normal, dysplastic, dysplastic and impinging, or one of the three that follow.
 *  3. Cam or rim: the difference of the depths, each in its own scale, says which is the stronger one (Fig. 63: "blue"
 *     below 0, "red" above). Within 0.05 of 0 it is undecided, and coverage decides: over-coverage begins at 40 degrees
 *     (less 1 for measuring).
 *  4. If the rim is the stronger one: combined if the radial depth is "intermediate" (4 mm) or more all the same,
 *     else pincer.
 * The 25 hips of Arbabi 2009, §4.3.2.2, then fall into
 *     CE  0, 10   dysplastic, and impinging if Table 8 has a penetration
 *     CE 20       normal up to alpha 50, then cam
 *     CE 30       normal at 40, pincer at 50, then cam
 *     CE 40       pincer up to 50, then combined. */
#include <math.h>

#include "base/names.h"
#include "base/vec.h"
#include "clinic/fai/fai.h"

static const double curvilinear_scale_mm = 25, radial_scale_mm = 10; /* upper ends of the ranges */
static const double impinging_curvilinear_mm = 5 - 1, impinging_radial_mm = 2, cam_radial_mm = 4;
static const double undecided = 0.05;
static const double dysplastic_deg = 20 - 1, over_covered_deg = 40 - 1;

SYN_ENUM_NAMES(syn_fai_class, SYN_FAI_CLASSES, [SYN_FAI_NORMAL] = "normal", [SYN_FAI_DYSPLASTIC] = "dysplastic",
               [SYN_FAI_CAM] = "cam", [SYN_FAI_PINCER] = "pincer", [SYN_FAI_COMBINED] = "combined",
               [SYN_FAI_DYSPLASTIC_IMPINGING] = "dysplastic_impinging");

double syn_fai_difference(double curvilinear_mm, double radial_mm) {
  return curvilinear_mm / curvilinear_scale_mm - radial_mm / radial_scale_mm;
}

syn_fai_class syn_fai_classify(double curvilinear_mm, double radial_mm, double coverage_deg) {
  const bool dysplastic = coverage_deg < dysplastic_deg;
  if (!(curvilinear_mm >= impinging_curvilinear_mm || radial_mm >= impinging_radial_mm))
    return dysplastic ? SYN_FAI_DYSPLASTIC : SYN_FAI_NORMAL;
  if (dysplastic) return SYN_FAI_DYSPLASTIC_IMPINGING;
  const double difference = syn_fai_difference(curvilinear_mm, radial_mm);
  const bool cam = fabs(difference) < undecided ? !(coverage_deg >= over_covered_deg) : difference < 0;
  if (cam) return SYN_FAI_CAM;
  return radial_mm >= cam_radial_mm ? SYN_FAI_COMBINED : SYN_FAI_PINCER;
}

/* ---- coverage ---------------------------------------------------------------------------------------------------- */

/* The frontal plane through the centre: angles from upward, growing towards the patient's examined side. */
typedef struct frontal {
  syn_vec3 center, up, lateral, normal;
} frontal;

static frontal frontal_plane(const syn_hip *hip) {
  const double sign = hip->side == SYN_SIDE_RIGHT ? 1 : -1;
  const syn_hip_axes *axes = &hip->pelvis_axes;
  return (frontal){hip->center, vec3_scale(axes->rotation, sign), vec3_scale(axes->flexion, sign), axes->adduction};
}

/* Finds min and max angle, in degrees, at which the plane cuts the mesh between -45 and 180: the upper outer part. NAN
 * if it does not. */
static void cut_range(const frontal *plane, const syn_trimesh *mesh, double *least, double *most) {
  *least = *most = NAN;
  for (uint32_t t = 0; t < mesh->triangle_count; ++t)
    for (int c = 0; c < 3; ++c) {
      const syn_vec3 p = vec3_sub(mesh->vertices[mesh->triangles[t].v[c]], plane->center);
      const syn_vec3 q = vec3_sub(mesh->vertices[mesh->triangles[t].v[(c + 1) % 3]], plane->center);
      const double at_p = vec3_dot(p, plane->normal), at_q = vec3_dot(q, plane->normal);
      if (!((at_p <= 0 && at_q > 0) || (at_p > 0 && at_q <= 0))) continue; /* another triangle has the opposite sense */
      const syn_vec3 cut = vec3_lerp(p, q, at_p / (at_p - at_q));
      const double angle = atan2(vec3_dot(cut, plane->lateral), vec3_dot(cut, plane->up)) * 180 / SYN_PI;
      if (angle < -45) continue;
      *least = fmin(*least, angle);
      *most = fmax(*most, angle);
    }
}

/* The cartilage, with its zone towards the labrum, ends at the rim, where the labrum begins. */
double syn_fai_coverage(const syn_hip *hip) {
  const syn_trimesh *cartilage = hip->parts[SYN_HIP_ACETABULAR_CARTILAGE], *labrum = hip->parts[SYN_HIP_LABRUM];
  const frontal plane = frontal_plane(hip);
  const syn_trimesh *zone = cartilage ? hip->parts[SYN_HIP_TRANSITION_ZONE] : NULL;
  double least, most, zone_most = NAN;
  cut_range(&plane, cartilage ? cartilage : labrum, &least, &most);
  if (!cartilage) return least;
  if (zone) cut_range(&plane, zone, &least, &zone_most);
  return fmax(most, zone_most); /* ignores NAN */
}
