/* Computes how depths depend on the method that gives the centre (Arbabi 2009, §4.4): six motions in steps of one
 * degree about the centre of each method, compared with dref step by step. Curvilinear: the femur into the labrum.
 * Radial: the femoral cartilage into the cartilage and labrum of the socket (§4.4.2.3). */
#include <math.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "base/vec.h"
#include "clinic/center/center.h"

/* Ordinary passive ranges. Arbabi 2009, §4.4.3, takes those of Genoud et al. 2000 without stating them. */
const syn_hip_angles syn_principal_ends_deg[SYN_PRINCIPAL_MOTIONS] = {{120, 0, 0}, {-20, 0, 0}, {0, 0, 45},
                                                                      {0, 0, -45}, {0, 25, 0},  {0, -45, 0}};

enum { MOST_STEPS = 512, ALL = SYN_PRINCIPAL_MOTIONS }; /* 302 steps of one degree in all, and six starts */

const char *syn_principal_motion_name(size_t motion) {
  static const char *const names[] = {"flexion",           "extension", "internal_rotation",
                                      "external_rotation", "adduction", "abduction"};
  return motion < SYN_PRINCIPAL_MOTIONS ? names[motion] : "all";
}

static size_t steps_of(int motion) {
  const syn_hip_angles to = syn_principal_ends_deg[motion];
  return (size_t)lround(fabs(to.flexion) + fabs(to.adduction) + fabs(to.rotation));
}

typedef struct depths {
  double curvilinear[SYN_PRINCIPAL_MOTIONS][MOST_STEPS], radial[SYN_PRINCIPAL_MOTIONS][MOST_STEPS];
} depths;

/* ---- depths about one centre ------------------------------------------------------------------------------------- */

/* The pairs of bodies of Arbabi 2009, §4.4.2.3, as two hips. */
typedef struct job {
  const syn_context *context;
  syn_hip striking, sliding;
  syn_vec3 centers[1 + SYN_CENTER_METHODS];
  depths *depths;
} job;

static syn_status run_fai(const job *j, const syn_hip *hip, const syn_pose *poses, size_t count, bool radial,
                          double *depth, syn_error *error) {
  syn_fai_options vertices = syn_default_fai_options();
  syn_fai *fai;
  vertices.between_vertices = false; /* the differences of interest are about a tenth of a millimetre */
  SYN_TRY(syn_fai_create(j->context, hip, poses, count, &vertices, &fai, error));
  for (size_t i = 0; i < count; ++i)
    depth[i] = radial ? max2(fai->radial_mm[i], fai->radial_swapped_mm[i])
                      : max2(fai->curvilinear_mm[i], fai->curvilinear_swapped_mm[i]);
  syn_fai_destroy(fai);
  return SYN_OK;
}

static syn_status depths_about(void *user, size_t which, syn_error *error) {
  const job *j = user;
  syn_hip striking = j->striking, sliding = j->sliding;
  striking.center = sliding.center = j->centers[which];
  striking.seat = sliding.seat = vec3(0, 0, 0);
  depths *d = &j->depths[which];
  syn_pose *poses; /* too large for the stack */
  syn_status status = SYN_NEW(j->context, &poses, MOST_STEPS, error);
  for (int m = 0; m < SYN_PRINCIPAL_MOTIONS && status == SYN_OK; ++m) {
    const syn_hip_angles to = syn_principal_ends_deg[m];
    const size_t steps = steps_of(m);
    for (size_t i = 0; i <= steps; ++i) {
      const double t = SYN_PI / 180 * (double)i / (double)steps;
      poses[i] = syn_hip_pose(&striking, (syn_hip_angles){to.flexion * t, to.adduction * t, to.rotation * t});
    }
    status = run_fai(j, &striking, poses, steps + 1, false, d->curvilinear[m], error);
    if (status == SYN_OK) status = run_fai(j, &sliding, poses, steps + 1, true, d->radial[m], error);
  }
  syn_free(j->context, poses);
  return status;
}

/* ---- differences (Eq. 13 and 14) --------------------------------------------------------------------------------- */

typedef struct tally {
  double sum, squares;
  size_t count;
} tally;

static void add(tally *t, double value) {
  t->sum += value;
  t->squares += value * value;
  ++t->count;
}

static syn_spread spread_of(const tally *t) {
  const double n = (double)t->count, mean = t->count ? t->sum / n : (double)NAN;
  const double sd = t->count > 1 ? sqrt(max2(0, (t->squares - n * mean * mean) / (n - 1))) : (double)NAN;
  return (syn_spread){mean, sd, t->count};
}

static void merge(tally *all, const tally *t) {
  all->sum += t->sum;
  all->squares += t->squares;
  all->count += t->count;
}

/* A percentage only if the reference penetrates. */
static void compare(const depths *d, const depths *reference, syn_spread *curvilinear, syn_spread *radial) {
  tally all_mm = {0}, all_percent = {0};
  for (int m = 0; m < SYN_PRINCIPAL_MOTIONS; ++m) {
    tally mm = {0}, percent = {0};
    for (size_t i = 0; i <= steps_of(m); ++i) {
      const double radius = reference->radial[m][i];
      add(&mm, fabs(d->curvilinear[m][i] - reference->curvilinear[m][i]));
      if (radius > 0) add(&percent, 100 * fabs(d->radial[m][i] - radius) / radius);
    }
    curvilinear[m] = spread_of(&mm);
    radial[m] = spread_of(&percent);
    merge(&all_mm, &mm);
    merge(&all_percent, &percent);
  }
  curvilinear[ALL] = spread_of(&all_mm);
  radial[ALL] = spread_of(&all_percent);
}

/* ---- all together ------------------------------------------------------------------------------------------------ */

/* Chooses the bodies for either kind of depth: those given, else those generated from the bones. */
static void choose_bodies(job *j, const syn_hip *hip, const syn_center_soft *soft) {
  const syn_trimesh *femur = hip->parts[SYN_HIP_FEMUR];
  j->striking = j->sliding = *hip;
  for (int part = 0; part < SYN_HIP_PARTS; ++part) j->striking.parts[part] = j->sliding.parts[part] = NULL;
  j->striking.parts[SYN_HIP_FEMUR] = femur;
  j->striking.parts[SYN_HIP_LABRUM] = j->sliding.parts[SYN_HIP_LABRUM] =
      soft->labrum ? soft->labrum : hip->parts[SYN_HIP_LABRUM];
  j->sliding.parts[SYN_HIP_ACETABULAR_CARTILAGE] =
      soft->acetabular_cartilage ? soft->acetabular_cartilage : hip->parts[SYN_HIP_ACETABULAR_CARTILAGE];
  j->sliding.parts[SYN_HIP_TRANSITION_ZONE] = hip->parts[SYN_HIP_TRANSITION_ZONE];
  const syn_trimesh *cartilage =
      soft->femoral_cartilage ? soft->femoral_cartilage : hip->parts[SYN_HIP_FEMORAL_CARTILAGE];
  j->sliding.parts[cartilage ? SYN_HIP_FEMORAL_CARTILAGE : SYN_HIP_FEMUR] = cartilage ? cartilage : femur;
}

static syn_status find_depths(job *j, const syn_centers *centers, syn_center_sensitivity *s, syn_error *error) {
  size_t count = 1;
  j->centers[0] = centers->methods[SYN_CENTER_DREF].center;
  for (int m = 0; m < SYN_CENTER_METHODS; ++m) {
    s->known[m] = centers->methods[m].known && m != SYN_CENTER_DREF;
    if (s->known[m]) j->centers[count++] = centers->methods[m].center;
  }
  SYN_TRY(SYN_NEW_ZEROED(j->context, &j->depths, count, error));
  const syn_status status = syn_parallel_tasks(j->context, count, depths_about, j, error);
  for (int m = 0, i = 1; status == SYN_OK && m < SYN_CENTER_METHODS; ++m)
    if (s->known[m]) compare(&j->depths[i++], &j->depths[0], s->curvilinear_mm[m], s->radial_percent[m]);
  syn_free(j->context, j->depths);
  return status;
}

syn_status syn_center_sensitivity_find(const syn_context *context, const syn_hip *hip, const syn_anatomy *anatomy,
                                       const syn_centers *centers, syn_center_sensitivity *sensitivity,
                                       syn_error *error) {
  syn_context quiet =
      *syn_context_or_default(context); /* a dozen motions about each of several centres would repeat the warnings */
  syn_center_soft soft = {.layer_mm = 0};
  job j = {.context = &quiet};
  quiet.warn = NULL;
  quiet.progress = NULL;
  *sensitivity = (syn_center_sensitivity){.layer_mm = (double)NAN};
  if (!centers->methods[SYN_CENTER_DREF].known)
    return syn_fail(error, SYN_BAD_MESH, "dref, the centre that the others are compared with, is not known: %s",
                    centers->methods[SYN_CENTER_DREF].why_not);
  syn_status status = SYN_OK;
  if (!hip->parts[SYN_HIP_LABRUM] || !hip->parts[SYN_HIP_ACETABULAR_CARTILAGE])
    status = syn_center_make_soft(&quiet, hip, anatomy, &soft, error);
  if (status == SYN_OK) {
    choose_bodies(&j, hip, &soft);
    status = find_depths(&j, centers, sensitivity, error);
    if (soft.labrum) sensitivity->layer_mm = soft.layer_mm;
  }
  syn_center_soft_release(&soft);
  return status;
}
