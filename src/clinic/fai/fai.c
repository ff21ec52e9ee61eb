/* Computes impingement by penetration depth (Arbabi 2009, §4.3).
 *
 * Curvilinear (pincer-like): the femur, with its cartilage, against the labrum, along the rotation that led to the
 * pose. Radial (cam-like): the same bodies against the acetabular cartilage, the labrum and the zone between them,
 * along rays from the centre. */
#include <math.h>

#include "base/memory.h"
#include "base/vec.h"
#include "clinic/fai/fai.h"

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
  if (fai->has_curvilinear) fai->difference = syn_fai_difference(fai->curvilinear_max_mm, fai->radial_max_mm);
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
