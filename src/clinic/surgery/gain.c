/* Computes the gain of each cut: every motion with the remaining bone, and the 95 % interval of the difference. */
#include "base/memory.h"
#include "base/parallel.h"
#include "clinic/rom/hip_rom.h"
#include "clinic/surgery/resection.h"
#include "motion/rom/band.h"

/* ---- motions ----------------------------------------------------------------------------------------------------- */

/* Finds the max alpha angle between the hours of the cut, away from its sloping ends. */
static syn_status find_alpha(const syn_resecting *p, syn_resection_step *s, syn_error *error) {
  const syn_resection *r = p->made;
  syn_measures measures;
  s->alpha_deg = NAN;
  if (r->options.kind != SYN_RESECTION_CAM) return SYN_OK;
  SYN_TRY(syn_measures_find(&p->quiet, NULL, s->bone, r->hip_case->anatomy, NULL, &measures, error));
  for (int i = 0; i < SYN_CLOCK_STEPS; ++i)
    if (syn_cut_has_clock(&p->tool, 2 * SYN_PI * i / SYN_CLOCK_STEPS, SYN_PI / 12))
      s->alpha_deg = fmax(s->alpha_deg, measures.alpha_clock_deg[i]);
  return SYN_OK;
}

static syn_status turn_step(void *user, size_t i, syn_error *error) {
  syn_resecting *p = user;
  const syn_resection *r = p->made;
  syn_resection_step *s = &r->steps[i];
  syn_hip hip = syn_hip_bones(&r->hip_case->hip);
  char *scratch;
  hip.parts[syn_resection_part(r->options.kind)] = s->bone;
  SYN_TRY(find_alpha(p, s, error));
  SYN_TRY(syn_hip_rom_create(i == 0 ? r->result.context : &p->quiet, &hip, &p->roms[i], error));
  SYN_TRY(SYN_NEW(r->result.context, &scratch, syn_rom_scratch(p->roms[i]), error));
  for (size_t m = 0; m < r->motion_count; ++m) {
    syn_rom_query(p->roms[i], s->motions[m].motion, scratch, &s->motions[m].limit);
    s->motions[m].place = syn_limit_place(&hip, r->hip_case->anatomy, &s->motions[m].limit);
  }
  syn_free(r->result.context, scratch);
  return SYN_OK;
}

static void find_gain(const syn_resection *r, size_t step, size_t m) {
  const syn_resection_step *s = &r->steps[step];
  syn_gain *now = &s->motions[m];
  const double angle = now->limit.angle * SYN_RADIAN;
  now->gain_deg = angle - r->steps[0].motions[m].limit.angle * SYN_RADIAN;
  now->gain_deg_per_mm = NAN;
  now->gain_band_deg = (syn_band){NAN, NAN};
  if (step == 0) return;
  const syn_resection_step *before = s - 1;
  now->gain_deg_per_mm = (angle - before->motions[m].limit.angle * SYN_RADIAN) / (s->depth_mm - before->depth_mm);
}

/* ---- 95 % intervals ---------------------------------------------------------------------------------------------- */

/* The hip before (0), and after the deepest cut (1). */
static size_t step_at(const syn_resection *r, size_t after) { return after ? r->step_count - 1 : 0; }

/* Both hips turn about the centre of the head before the cut. */
static syn_status draw_hips(syn_resecting *p, const syn_center_draws *draws, const syn_motion_limit *limits,
                            syn_error *error) {
  const syn_resection *r = p->made;
  const syn_anatomy *anatomy = r->hip_case->anatomy;
  const size_t count = r->motion_count;
  const syn_vec3 axes_sd[2] = {anatomy->pelvis_frame_sd, anatomy->femur_frame_sd};
  const syn_band_centring centring = {draws, syn_center_draws_find};
  syn_band_def def = {.options = &r->options.bands, .axes_sd = axes_sd, .voxel_mm = p->voxel_mm, .centring = &centring};
  double reach[2];
  for (size_t after = 0; after < 2; ++after)
    SYN_TRY(syn_band_reach(p->roms[step_at(r, after)], limits + after * count, count, &reach[after], error));
  def.reach_mm = fmax(reach[0], reach[1]);
  for (size_t after = 0; after < 2; ++after) {
    SYN_TRY(syn_resection_go_on(r, "drawing hips", after, 2, error));
    SYN_TRY(syn_band_draws(p->roms[step_at(r, after)], &def, limits + after * count, count,
                           p->angles + after * r->options.bands.draws * count, error));
  }
  return SYN_OK;
}

static syn_status draw_centred_hips(syn_resecting *p, const syn_motion_limit *limits, syn_error *error) {
  const syn_resection *r = p->made;
  syn_center_draws draws;
  syn_status status =
      syn_hip_center_draws(p->roms[step_at(r, 0)], r->hip_case->anatomy, &r->options.bands, &draws, error);
  if (status == SYN_OK) status = draw_hips(p, &draws, limits, error);
  syn_arena_release(&draws.arena);
  return status;
}

static void fill_limits(const syn_resection *r, syn_motion_limit *limits) {
  for (size_t after = 0; after < 2; ++after)
    for (size_t m = 0; m < r->motion_count; ++m) {
      const syn_gain *of = &r->steps[step_at(r, after)].motions[m];
      *limits++ = (syn_motion_limit){.motion = of->motion, .limit = of->limit};
    }
}

/* Uses the same draw of the hip before and after, so that common errors do not widen the interval. There is no interval
 * if more than one draw in twenty has no free pose. */
static void find_band(const syn_resecting *p, size_t m, double *gains) {
  const syn_resection *r = p->made;
  const size_t draws = r->options.bands.draws, stride = r->motion_count;
  syn_gain *of = &r->steps[r->step_count - 1].motions[m];
  const double *before = p->angles + m, *after = before + draws * stride;
  size_t known = 0;
  for (size_t i = 0; i < draws; ++i)
    if (isfinite(before[i * stride]) && isfinite(after[i * stride]))
      gains[known++] = (after[i * stride] - before[i * stride]) * 180 / SYN_PI;
  if (20 * known >= 19 * draws && !isnan(of->gain_deg)) of->gain_band_deg = syn_band_middle(gains, known, of->gain_deg);
}

/* The mesh of a cut is finer than the scan, so voxel sizes are those of the original bone. */
static syn_status find_voxels(syn_resecting *p, syn_error *error) {
  const syn_resection *r = p->made;
  for (int i = 0; i < SYN_HIP_PARTS; ++i) p->voxel_mm[i] = r->options.bands.voxel_mm;
  for (int i = SYN_HIP_PELVIS; i <= SYN_HIP_FEMUR && !(r->options.bands.voxel_mm > 0); ++i)
    SYN_TRY(syn_band_voxel(r->hip_case->hip.parts[i], &p->voxel_mm[i], error));
  return SYN_OK;
}

static syn_status find_bands(syn_resecting *p, syn_error *error) {
  const syn_resection *r = p->made;
  const size_t draws = r->options.bands.draws;
  syn_arena arena = {.context = r->result.context};
  syn_motion_limit *limits;
  double *gains;
  if (draws == 0 || r->step_count < 2) return SYN_OK;
  syn_status status = SYN_TAKE(&arena, &limits, 2 * r->motion_count, error);
  if (status == SYN_OK) status = SYN_TAKE(&arena, &gains, draws, error);
  if (status == SYN_OK) status = SYN_TAKE(&arena, &p->angles, 2 * draws * r->motion_count, error);
  if (status == SYN_OK) status = find_voxels(p, error);
  if (status == SYN_OK) {
    fill_limits(r, limits);
    status = draw_centred_hips(p, limits, error);
  }
  for (size_t m = 0; status == SYN_OK && m < r->motion_count; ++m) find_band(p, m, gains);
  syn_arena_release(&arena);
  return status;
}

syn_status syn_resection_turn(syn_resecting *p, syn_error *error) {
  const syn_resection *r = p->made;
  SYN_TRY(SYN_NEW_ZEROED(r->result.context, &p->roms, r->step_count, error));
  SYN_TRY(syn_parallel_tasks(r->result.context, r->step_count, turn_step, p, error));
  for (size_t i = 0; i < r->step_count; ++i)
    for (size_t m = 0; m < r->motion_count; ++m) find_gain(r, i, m);
  return find_bands(p, error);
}
