/* Computes impingement by penetration depth (Arbabi 2009, §4.3).
 *
 * Curvilinear (pincer-like): the femur, with its cartilage, against the labrum, along the rotation that led to the
 * pose. Radial (cam-like): the same bodies against the acetabular cartilage, the labrum and the zone between them,
 * along rays from the centre. */
#include <math.h>

#include "base/memory.h"
#include "base/names.h"
#include "base/vec.h"
#include "clinic/fai/fai.h"
#include "result/value.h"

/* ---- classes ----------------------------------------------------------------------------------------------------- */

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

static const double curvilinear_scale_mm = 25, radial_scale_mm = 10; /* upper ends of the ranges */
static const double impinging_curvilinear_mm = 5 - 1, impinging_radial_mm = 2, cam_radial_mm = 4;
static const double undecided = 0.05;
static const double dysplastic_deg = 20 - 1, over_covered_deg = 40 - 1;

SYN_ENUM_NAMES(syn_fai_class, SYN_FAI_CLASSES, [SYN_FAI_NORMAL] = "normal", [SYN_FAI_DYSPLASTIC] = "dysplastic",
               [SYN_FAI_CAM] = "cam", [SYN_FAI_PINCER] = "pincer", [SYN_FAI_COMBINED] = "combined",
               [SYN_FAI_DYSPLASTIC_IMPINGING] = "dysplastic_impinging");

static double difference_of(double curvilinear_mm, double radial_mm) {
  return curvilinear_mm / curvilinear_scale_mm - radial_mm / radial_scale_mm;
}

syn_fai_class syn_fai_classify(double curvilinear_mm, double radial_mm, double coverage_deg) {
  const bool dysplastic = coverage_deg < dysplastic_deg;
  if (!(curvilinear_mm >= impinging_curvilinear_mm || radial_mm >= impinging_radial_mm))
    return dysplastic ? SYN_FAI_DYSPLASTIC : SYN_FAI_NORMAL;
  if (dysplastic) return SYN_FAI_DYSPLASTIC_IMPINGING;
  const double difference = difference_of(curvilinear_mm, radial_mm);
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

/* ---- arguments --------------------------------------------------------------------------------------------------- */

static syn_status check_bodies(const syn_hip *hip, syn_error *error) {
  if (!hip->parts[SYN_HIP_FEMUR] && !hip->parts[SYN_HIP_FEMORAL_CARTILAGE])
    return syn_fail(error, SYN_BAD_ARGUMENT,
                    "impingement by penetration depth needs a femur or a femoral cartilage; the hip has neither");
  if (!hip->parts[SYN_HIP_LABRUM] && !hip->parts[SYN_HIP_ACETABULAR_CARTILAGE])
    return syn_fail(error, SYN_BAD_ARGUMENT,
                    "impingement by penetration depth needs a labrum or an acetabular cartilage; the hip has neither. "
                    "For bare bones there is the FADIR protocol");
  if (!vec3_finite(hip->center))
    return syn_fail(error, SYN_BAD_ARGUMENT, "the centre of the hip is not a finite point");
  return SYN_OK;
}

/* ---- depths ------------------------------------------------------------------------------------------------------ */

/* The pairs that count, and the kind of their depths. */
static const struct {
  syn_hip_part fixed;
  syn_contact_kind kind;
} soft_parts[] = {{SYN_HIP_LABRUM, SYN_CONTACT_BOTH},
                  {SYN_HIP_ACETABULAR_CARTILAGE, SYN_CONTACT_RADIAL},
                  {SYN_HIP_TRANSITION_ZONE, SYN_CONTACT_RADIAL}};
enum { SOFT_PARTS = sizeof soft_parts / sizeof *soft_parts, CONTACTS = 2 * SOFT_PARTS };

/* The existing cartilage of a femur may be left out. */
static size_t list_contacts(const syn_hip *hip, bool bone_only, syn_joint_contact contacts[CONTACTS]) {
  static const syn_hip_part mobile[] = {SYN_HIP_FEMUR, SYN_HIP_FEMORAL_CARTILAGE};
  size_t count = 0;
  for (int m = 0; m < 2; ++m) {
    if (m == 1 && bone_only && hip->parts[SYN_HIP_FEMUR]) continue;
    for (int f = 0; f < SOFT_PARTS; ++f)
      contacts[count++] =
          (syn_joint_contact){syn_hip_part_name(soft_parts[f].fixed), syn_hip_part_name(mobile[m]), soft_parts[f].kind};
  }
  return count;
}

static syn_status find_depths(const syn_context *context, const syn_hip *hip, const syn_pose *motion, size_t count,
                              const syn_fai_options *options, syn_depths **depths, syn_error *error) {
  syn_body bodies[SYN_HIP_PARTS];
  syn_joint_contact contacts[CONTACTS];
  syn_depth_options how = syn_default_depth_options();
  syn_joint joint = syn_hip_joint(hip, bodies);
  joint.contacts = contacts;
  joint.contact_count = list_contacts(hip, options->bone_only, contacts);
  how.between_vertices = options->between_vertices;
  how.by_step = options->by_step;
  return syn_depths_create(context, &joint, motion, count, &how, depths, error);
}

/* ---- the answer -------------------------------------------------------------------------------------------------- */

static void warn_of_doubts(const syn_fai *fai, double coverage) {
  const double overlap = max2(fai->radial_mm[0], fai->radial_swapped_mm[0]);
  if (overlap > 0)
    syn_warn(fai->context,
             "the femur reaches %.2g mm into the soft tissue of the socket already where the motion starts; radial "
             "depths include this, curvilinear ones count from the start",
             overlap);
  if (!fai->has_curvilinear)
    syn_warn(fai->context, "without a labrum there is no curvilinear depth, and a pincer cannot be recognised");
  if (isnan(coverage))
    syn_warn(fai->context, "the frontal plane through the centre does not cut the rim of the socket: its coverage is "
                           "not known, and is taken to be enough");
}

/* Takes the named fields of femur and labrum. */
static void take_depths(syn_fai *fai) {
  const syn_depths *d = fai->depths;
  const syn_body_depths *femur = &d->bodies[SYN_HIP_FEMUR], *labrum = &d->bodies[SYN_HIP_LABRUM];
  fai->step_count = d->step_count;
  fai->curvilinear_mm = d->curvilinear_mm;
  fai->radial_mm = d->radial_mm;
  fai->curvilinear_swapped_mm = d->curvilinear_swapped_mm;
  fai->radial_swapped_mm = d->radial_swapped_mm;
  fai->curvilinear_max_mm = d->curvilinear_max_mm;
  fai->radial_max_mm = d->radial_max_mm;
  fai->curvilinear_step = d->curvilinear_step;
  fai->radial_step = d->radial_step;
  fai->curvilinear_point = d->curvilinear_point;
  fai->radial_point = d->radial_point;
  fai->femur_depth_mm = femur->curvilinear_mm;
  fai->femur_radial_mm = femur->radial_mm;
  fai->labrum_depth_mm = labrum->curvilinear_mm;
  fai->labrum_radial_mm = labrum->radial_mm;
  fai->femur_depth_steps_mm = femur->curvilinear_steps_mm;
  fai->femur_radial_steps_mm = femur->radial_steps_mm;
  fai->labrum_depth_steps_mm = labrum->curvilinear_steps_mm;
  fai->labrum_radial_steps_mm = labrum->radial_steps_mm;
}

static void classify(const syn_hip *hip, syn_fai *fai) {
  const double coverage = syn_fai_coverage(hip);
  fai->has_curvilinear = hip->parts[SYN_HIP_LABRUM] != NULL;
  fai->has_radial = true;
  fai->difference = NAN;
  if (fai->has_curvilinear) fai->difference = difference_of(fai->curvilinear_max_mm, fai->radial_max_mm);
  fai->fai_class = syn_fai_classify(fai->curvilinear_max_mm, fai->radial_max_mm, coverage);
  warn_of_doubts(fai, coverage);
}

syn_fai_options syn_default_fai_options(void) {
  return (syn_fai_options){.between_vertices = true, .cookie = SYN_COOKIE};
}

syn_status syn_fai_create(const syn_context *context, const syn_hip *hip, const syn_pose *motion, size_t count,
                          const syn_fai_options *options, syn_fai **fai, syn_error *error) {
  const syn_fai_options standard = syn_default_fai_options();
  syn_fai *made;
  if (!options) options = &standard;
  *fai = NULL;
  SYN_TRY(SYN_CHECK_OPTIONS(options, syn_default_fai_options, error));
  SYN_TRY(check_bodies(hip, error));
  SYN_TRY(SYN_NEW_ZEROED(context, &made, 1, error));
  made->context = context;
  const syn_status status = find_depths(context, hip, motion, count, options, &made->depths, error);
  if (status != SYN_OK) {
    syn_fai_destroy(made);
    return status;
  }
  take_depths(made);
  classify(hip, made);
  *fai = made;
  return SYN_OK;
}

void syn_fai_destroy(syn_fai *fai) {
  if (!fai) return;
  syn_depths_destroy(fai->depths);
  syn_free(fai->context, fai);
}

/* ---- fields ------------------------------------------------------------------------------------------------------ */

static const syn_result_field curve_fields[] = {
    NUMBERS_OF(syn_fai, curvilinear_mm, step_count, "curvilinear_mm", "Depth along the turn", "mm", FILE_ONLY),
    NUMBERS_OF(syn_fai, curvilinear_swapped_mm, step_count, "curvilinear_swapped_mm", "The same, roles exchanged", "mm",
               FILE_ONLY),
    NUMBERS_OF(syn_fai, radial_mm, step_count, "radial_mm", "Depth along the radius", "mm", FILE_ONLY),
    NUMBERS_OF(syn_fai, radial_swapped_mm, step_count, "radial_swapped_mm", "The same, roles exchanged", "mm",
               FILE_ONLY),
};
static const syn_record curves_record = RECORD_OF(syn_fai, "curves", curve_fields);

static const syn_impingement *impingement(const void *analysis) {
  return &((const syn_hip_analysis *)analysis)->impingement;
}
static const syn_fai *fai(const void *analysis) { return impingement(analysis)->fai; }
static bool has_both(const syn_fai *f) { return f->has_curvilinear && f->has_radial; }

static syn_value fai_turn_max(const void *a, size_t i) {
  return (void)i, fai(a) && fai(a)->has_curvilinear ? value_real(fai(a)->curvilinear_max_mm) : value_none();
}
static syn_value fai_radial_max(const void *a, size_t i) {
  return (void)i, fai(a) && fai(a)->has_radial ? value_real(fai(a)->radial_max_mm) : value_none();
}
static syn_value fai_turn_point(const void *a, size_t i) {
  return (void)i, fai(a) ? value_point(fai(a)->curvilinear_point) : value_none();
}
static syn_value fai_radial_point(const void *a, size_t i) {
  return (void)i, fai(a) ? value_point(fai(a)->radial_point) : value_none();
}
static syn_value fai_curves(const void *a, size_t i) { return (void)i, value_record(fai(a), 0); }
static syn_value fai_difference(const void *a, size_t i) {
  return (void)i, !fai(a) ? value_none() : value_real(has_both(fai(a)) ? fai(a)->difference : (double)NAN);
}
static syn_value fai_class(const void *a, size_t i) {
  return (void)i, impingement(a)->has_class ? value_text(syn_fai_class_name(fai(a)->fai_class)) : value_none();
}
static syn_value fai_motion(const void *a, size_t i) { return (void)i, value_text(impingement(a)->series); }
static syn_value fai_steps(const void *a, size_t i) { return (void)i, value_count(impingement(a)->pose_count); }
static syn_value fai_fadir(const void *a, size_t i) { return (void)i, value_record(impingement(a)->fadir, 0); }

static const syn_result_field fai_fields[] = {
    FIELD(REAL, "curvilinear_max_mm", "Greatest depth along the turn", "mm", SHOWN, fai_turn_max),
    FIELD(REAL, "radial_max_mm", "Greatest depth along the radius", "mm", SHOWN, fai_radial_max),
    FIELD(POINT, "curvilinear_point", "Deepest along the turn", "mm", COLUMN | SYN_OPTIONAL, fai_turn_point),
    FIELD(POINT, "radial_point", "Deepest along the radius", "mm", COLUMN | SYN_OPTIONAL, fai_radial_point),
    FIELD_OF(RECORD, curves_record, "curves", "Depths", COLUMN, fai_curves),
    FIELD(REAL, "difference", "Difference", "", SHOWN | SYN_OPTIONAL, fai_difference),
    FIELD(TEXT, "class", "Depths as in the group", "", SHOWN, fai_class),
    FIELD(TEXT, "motion", "Motion", "", SHOWN, fai_motion),
    FIELD(INTEGER, "steps", "Steps", "", SHOWN, fai_steps),
    FIELD_OF(RECORD, syn_fadir_record, "fadir", "FADIR", SHOWN, fai_fadir),
};
const syn_record syn_fai_record = RECORD("fai", fai_fields);
