/* Computes the effect of the choice of the centre: the same results about other centres (Arbabi 2009, §4.4.3 and
 * §4.4.4). */
#include <math.h>

#include "base/memory.h"
#include "base/parallel.h"
#include "base/vec.h"
#include "clinic/center/center.h"
#include "clinic/hip.h"
#include "clinic/rom/hip_rom.h"

/* ---- range of motion --------------------------------------------------------------------------------------------- */

/* The centre itself, two shifted ones along each axis of the pelvis, and those of the methods. */
enum { CENTERS = ROM_CENTERS + SYN_CENTER_METHODS };

static void widen(syn_center_effect *e, const double *angles) {
  for (size_t i = 0; i < e->motion_count; ++i) {
    e->band_low[i] = fmin(e->band_low[i], angles[i]); /* fmin and fmax ignore NAN */
    e->band_high[i] = fmax(e->band_high[i], angles[i]);
  }
}

/* For centres fixed in the pelvis the femur rotates from the scanned position. */
static syn_vec3 method_shift(const syn_centers *centers, int method) {
  return method == SYN_CENTER_EQUIDISTANT ? centers->seat : vec3(0, 0, 0);
}

/* `band` has motion_count angles for the centre and for each shift. */
static syn_status find_turns(const syn_rom *rom, const syn_centers *centers, syn_center_effect *e, double *band,
                             const syn_motion **motions, syn_error *error) {
  rom_center tried[CENTERS];
  size_t count = ROM_CENTERS;
  syn_rom_shifted_centers(rom, e->band_mm, tried);
  for (size_t k = 0; k < ROM_CENTERS; ++k) tried[k].angles = band + k * e->motion_count;
  for (size_t i = 0; i < e->motion_count; ++i) motions[i] = &syn_clinical_motions[i];
  for (int m = 0; m < SYN_CENTER_METHODS; ++m) {
    double *angles = e->method_angle + (size_t)m * e->motion_count;
    for (size_t i = 0; i < e->motion_count; ++i) angles[i] = NAN;
    if (centers->methods[m].known)
      tried[count++] = (rom_center){centers->methods[m].center, method_shift(centers, m), angles};
  }
  SYN_TRY(syn_rom_angles_about(rom, tried, count, motions, e->motion_count, error));
  for (size_t i = 0; i < e->motion_count; ++i) e->band_low[i] = e->band_high[i] = NAN;
  for (size_t k = 0; k < ROM_CENTERS; ++k) widen(e, band + k * e->motion_count);
  return SYN_OK;
}

/* ---- penetration ------------------------------------------------------------------------------------------------- */

enum { STEPS = 12 };

typedef struct depths {
  double curvilinear[SYN_PRINCIPAL_MOTIONS][STEPS + 1], radial[SYN_PRINCIPAL_MOTIONS][STEPS + 1];
} depths;

static syn_status depths_about(const syn_context *context, const syn_hip *hip, syn_vec3 center, depths *d,
                               syn_error *error) {
  syn_hip moved = *hip;
  syn_fai_options vertices = syn_default_fai_options();
  vertices.between_vertices = false; /* the differences of interest are about a millimetre */
  moved.center = center;
  for (int m = 0; m < SYN_PRINCIPAL_MOTIONS; ++m) {
    syn_pose poses[STEPS + 1];
    const syn_hip_angles to = syn_principal_ends_deg[m];
    for (int i = 0; i <= STEPS; ++i) {
      const double t = SYN_PI / 180 * i / STEPS;
      poses[i] = syn_hip_pose(&moved, (syn_hip_angles){to.flexion * t, to.adduction * t, to.rotation * t});
    }
    syn_fai *fai;
    SYN_TRY(syn_fai_create(context, &moved, poses, STEPS + 1, &vertices, &fai, error));
    for (int i = 0; i <= STEPS; ++i) {
      d->curvilinear[m][i] = fai->has_curvilinear ? fai->curvilinear_mm[i] : 0;
      d->radial[m][i] = fai->has_radial ? fai->radial_mm[i] : 0;
    }
    syn_fai_destroy(fai);
  }
  return SYN_OK;
}

/* Eq. 13 and 14; a percentage only if the reference penetrates. */
static void compare_depths(const depths *d, const depths *reference, double *curvilinear, double *radial) {
  for (int m = 0; m < SYN_PRINCIPAL_MOTIONS; ++m) {
    double sum = 0, share = 0;
    int counted = 0;
    for (int i = 0; i <= STEPS; ++i) {
      sum += fabs(d->curvilinear[m][i] - reference->curvilinear[m][i]);
      if (!(reference->radial[m][i] > 0)) continue;
      share += fabs(d->radial[m][i] - reference->radial[m][i]) / reference->radial[m][i];
      ++counted;
    }
    curvilinear[m] = sum / (STEPS + 1);
    radial[m] = counted ? 100 * share / counted : (double)NAN;
  }
}

/* Depths about the reference, then about the centre of each method. */
typedef struct depth_turns {
  const syn_context *context;
  const syn_hip *hip;
  size_t count;
  syn_vec3 centers[1 + SYN_CENTER_METHODS];
  depths *depths;
} depth_turns;

static syn_status depth_turn(void *user, size_t i, syn_error *error) {
  const depth_turns *t = user;
  return depths_about(t->context, t->hip, t->centers[i], &t->depths[i], error);
}

static syn_status find_depth_changes(const syn_context *context, const syn_hip *hip, const syn_centers *centers,
                                     syn_center_effect *e, syn_error *error) {
  const syn_center *dref = &centers->methods[SYN_CENTER_DREF];
  depth_turns t = {.context = context, .hip = hip, .count = 1};
  size_t turn_of[SYN_CENTER_METHODS]; /* the reference is one of the methods, and is not computed twice */
  t.centers[0] = dref->known ? dref->center : hip->center;
  for (int m = 0; m < SYN_CENTER_METHODS; ++m) {
    turn_of[m] = m == SYN_CENTER_DREF ? 0 : t.count;
    if (m != SYN_CENTER_DREF && centers->methods[m].known) t.centers[t.count++] = centers->methods[m].center;
  }
  SYN_TRY(SYN_NEW(context, &t.depths, t.count, error));
  const syn_status status = syn_parallel_tasks(context, t.count, depth_turn, &t, error);
  for (int m = 0; m < SYN_CENTER_METHODS; ++m) {
    for (int k = 0; k < SYN_PRINCIPAL_MOTIONS; ++k)
      e->curvilinear_change_mm[m][k] = e->radial_change_percent[m][k] = NAN;
    if (status == SYN_OK && centers->methods[m].known)
      compare_depths(&t.depths[turn_of[m]], &t.depths[0], e->curvilinear_change_mm[m], e->radial_change_percent[m]);
  }
  syn_free(context, t.depths);
  e->has_depths = status == SYN_OK;
  return status;
}

/* ---- the effect -------------------------------------------------------------------------------------------------- */

static syn_status find_angles(const syn_rom *rom, const syn_centers *centers, syn_center_effect *e, syn_error *error) {
  syn_arena arena = {.context = rom->context};
  const syn_motion **motions;
  double *band;
  syn_status status = SYN_TAKE(&arena, &band, ROM_CENTERS * e->motion_count, error);
  if (status == SYN_OK) status = syn_arena_take(&arena, e->motion_count, sizeof *motions, (void **)&motions, error);
  if (status == SYN_OK) status = find_turns(rom, centers, e, band, motions, error);
  syn_arena_release(&arena);
  return status;
}

/* Uses the bones alone, as published ranges do, and without the joint surface. */
static syn_status turn_bones(const syn_context *quiet, const syn_hip *hip, const syn_anatomy *anatomy,
                             const syn_centers *centers, const syn_rom *rom, syn_center_effect *e, syn_error *error) {
  syn_hip turned = syn_hip_bones(hip);
  syn_rom *made;
  const bool keeps_joint = anatomy && !(turned.joint_ball.radius_mm > 0);
  if (rom && !keeps_joint) return find_angles(rom, centers, e, error);
  if (keeps_joint) syn_hip_leave_out_joint(&turned, anatomy);
  SYN_TRY(syn_hip_rom_create(quiet, &turned, &made, error));
  const syn_status status = find_angles(made, centers, e, error);
  syn_rom_destroy(made);
  return status;
}

static syn_status create(const syn_context *context, double band_mm, syn_center_effect **effect, syn_error *error) {
  const size_t motions = SYN_CLINICAL_MOTIONS;
  syn_center_effect *e;
  SYN_TRY(SYN_NEW_ZEROED(context, &e, 1, error));
  *e = (syn_center_effect){.context = context, .motion_count = motions, .band_mm = band_mm};
  syn_status status = SYN_NEW(context, &e->method_angle, SYN_CENTER_METHODS * motions, error);
  if (status == SYN_OK) status = SYN_NEW(context, &e->band_low, motions, error);
  if (status == SYN_OK) status = SYN_NEW(context, &e->band_high, motions, error);
  if (status == SYN_OK)
    *effect = e;
  else
    syn_center_effect_destroy(e);
  return status;
}

syn_center_effect_options syn_default_center_effect_options(void) {
  return (syn_center_effect_options){.band_mm = 3, .cookie = SYN_COOKIE};
}

syn_status syn_center_effect_create(const syn_context *context, const syn_hip *hip, const syn_anatomy *anatomy,
                                    const syn_centers *centers, const syn_center_effect_options *options,
                                    syn_center_effect **effect, syn_error *error) {
  /* The hip's range of motion has already given these warnings. */
  syn_context quiet = *syn_context_or_default(context);
  quiet.warn = NULL;
  quiet.progress = NULL;
  const syn_center_effect_options standard = syn_default_center_effect_options();
  *effect = NULL;
  if (!options) options = &standard;
  SYN_TRY(SYN_CHECK_OPTIONS(options, syn_default_center_effect_options, error));
  SYN_TRY(create(context, options->band_mm, effect, error));
  syn_status status = turn_bones(&quiet, hip, anatomy, centers, options->bones_rom, *effect, error);
  if (status == SYN_OK && syn_hip_has_soft_socket(hip))
    status = find_depth_changes(&quiet, hip, centers, *effect, error);
  if (status != SYN_OK) {
    syn_center_effect_destroy(*effect);
    *effect = NULL;
  }
  return status;
}

void syn_center_effect_destroy(syn_center_effect *effect) {
  if (!effect) return;
  syn_free(effect->context, effect->method_angle);
  syn_free(effect->context, effect->band_low);
  syn_free(effect->context, effect->band_high);
  syn_free(effect->context, effect);
}
