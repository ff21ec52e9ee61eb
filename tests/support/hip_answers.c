#include "hip_answers.h"

#include "base/vec.h"
#include "clinic/center/center.h"
#include "clinic/fai/fai.h"
#include "clinic/hip.h"

static const double degrees = 180 / SYN_PI;

/* ---- changed copies -----------------------------------------------------------------------------------------------
 */

static syn_trimesh *replace(syn_trimesh *old, syn_trimesh *made) {
  syn_trimesh_destroy(old);
  return made;
}

/* In doubles, so that only the turn itself rounds. */
static const char *changed_copy(const char *path, const char *name, const scene_change *change) {
  syn_error error;
  syn_trimesh *mesh, *made;
  ASSERT_OK(syn_trimesh_read(NULL, path, NULL, &mesh, &error));
  if (change->mirrored) {
    ASSERT_OK(syn_trimesh_mirror(mesh, &made, &error));
    mesh = replace(mesh, made);
  }
  ASSERT_OK(syn_trimesh_transform(mesh, &change->turned, &made, &error));
  mesh = replace(mesh, made);
  if (change->ras) {
    const syn_pose to_ras = syn_pose_about_axis(vec3(0, 0, 0), vec3(0, 0, 1), SYN_PI);
    ASSERT_OK(syn_trimesh_transform(mesh, &to_ras, &made, &error));
    mesh = replace(mesh, made);
  }
  syn_geometry geometry = syn_trimesh_geometry(mesh);
  geometry.space = change->ras ? SYN_SPACE_RAS : SYN_SPACE_UNKNOWN;
  const char *copy = temporary_path(name);
  ASSERT_OK(syn_geometry_write(NULL, &geometry, copy, NULL, &error));
  syn_trimesh_destroy(mesh);
  return copy;
}

/* ---- answers ------------------------------------------------------------------------------------------------------
 */

/* NAN where nothing limits it. */
static double angle_of(const syn_limit *limit) {
  return limit->state != SYN_LIMIT_NO_STOP ? limit->followed * degrees : (double)NAN;
}

static void answer_motions(const syn_hip_case *hip_case, const syn_rom *rom, hip_answers *a) {
  void *scratch = malloc(syn_rom_scratch(rom) + 1);
  a->motion_count = SYN_CLINICAL_MOTIONS;
  assert_true(scratch && a->motion_count <= HIP_MOTIONS);
  for (size_t i = 0; i < a->motion_count; ++i) {
    const syn_motion *motion = &syn_clinical_motions[i];
    syn_limit limit;
    syn_rom_query(rom, &(syn_motion){.start = motion->start, .axis = motion->axis, .sign = motion->sign}, scratch,
                  &limit);
    a->motions[i] = angle_of(&limit);
    a->hours[i] = isfinite(a->motions[i]) ? syn_hip_clock_hour(&hip_case->hip, hip_case->anatomy, limit.event.point)
                                          : (double)NAN;
  }
  free(scratch);
}

static void answer_fadir(const syn_hip *hip, const syn_rom *rom, hip_answers *a) {
  syn_error error;
  syn_fadir *fadir;
  ASSERT_OK(syn_fadir_create(NULL, hip, rom, NULL, &fadir, &error));
  assert_int_equal(fadir->flexion_count * fadir->adduction_count, HIP_FADIR_CELLS);
  for (int i = 0; i < HIP_FADIR_CELLS; ++i) a->fadir[i] = angle_of(&fadir->limits[i]);
  a->fadir_least = fadir->least * degrees;
  a->fadir_mean = fadir->mean * degrees;
  syn_fadir_destroy(fadir);
}

static void answer_map(const syn_rom *rom, hip_answers *a) {
  syn_error error;
  syn_envelope *map;
  syn_envelope_options options = syn_default_envelope_options();
  options.step = 20 / degrees;
  ASSERT_OK(syn_envelope_create(NULL, rom, &options, &map, &error));
  assert_int_equal(map->flexion_count * map->adduction_count, HIP_MAP_CELLS);
  for (int i = 0; i < HIP_MAP_CELLS; ++i) {
    a->inward[i] = map->internal[i] * degrees;
    a->outward[i] = map->external[i] * degrees;
  }
  syn_envelope_destroy(map);
}

static void answer_effect(const syn_hip_case *hip_case, hip_answers *a) {
  syn_error error;
  syn_center_effect *effect;
  ASSERT_OK(
      syn_center_effect_create(NULL, &hip_case->hip, hip_case->anatomy, &hip_case->centers, NULL, &effect, &error));
  assert_int_equal(effect->motion_count, a->motion_count);
  for (size_t i = 0; i < effect->motion_count; ++i) {
    for (size_t m = 0; m < SYN_CENTER_METHODS; ++m)
      a->by_center[m][i] = effect->method_angle[m * effect->motion_count + i] * degrees;
    a->band_low[i] = effect->band_low[i] * degrees;
    a->band_high[i] = effect->band_high[i] * degrees;
  }
  syn_center_effect_destroy(effect);
}

void answer_hip(const char *pelvis, const char *femur, const scene_change *change, bool thorough, hip_answers *a) {
  syn_error error;
  syn_hip_case *hip_case;
  syn_rom *rom;
  test_memory memory = {0};
  const syn_context context = test_context(&memory);
  syn_hip_input input = syn_default_hip_input();
  input.parts[SYN_HIP_PELVIS] = change ? changed_copy(pelvis, "changed_pelvis.ply", change) : pelvis;
  input.parts[SYN_HIP_FEMUR] = change ? changed_copy(femur, "changed_femur.ply", change) : femur;
  ASSERT_OK(syn_hip_case_create(&context, &input, &hip_case, &error));
  *a = (hip_answers){.side = hip_case->hip.side, .center = hip_case->hip.center, .seat = hip_case->hip.seat};
  ASSERT_OK(syn_measures_find(&context, hip_case->hip.parts[SYN_HIP_PELVIS], hip_case->femur, hip_case->anatomy,
                              &hip_case->hip.center, &a->measures, &error));
  ASSERT_OK(syn_hip_rom_create(&context, &hip_case->hip, &rom, &error));
  answer_motions(hip_case, rom, a);
  answer_fadir(&hip_case->hip, rom, a);
  a->thorough = thorough;
  if (thorough) answer_map(rom, a);
  if (thorough) answer_effect(hip_case, a);
  syn_rom_destroy(rom);
  syn_hip_case_destroy(hip_case);
}

/* ---- comparing ----------------------------------------------------------------------------------------------------
 */

/* Remembers the largest difference; one that is only sometimes known differs without end. */
static void note(double before, double after, const char *what, double *worst, const char **where) {
  const double off = isnan(before) && isnan(after) ? 0 : fabs(after - before);
  if (off <= *worst) return;
  *worst = isnan(off) ? (double)INFINITY : off;
  *where = what;
}

static void note_all(const double *before, const double *after, size_t count, const char *what, double *worst,
                     const char **where) {
  for (size_t i = 0; i < count; ++i) note(before[i], after[i], what, worst, where);
}

static double hour_difference(double a, double b) {
  const double off = fmod(fabs(a - b), 12);
  return fmin(off, 12 - off);
}

static void note_thorough(const hip_answers *b, const hip_answers *a, double *worst, const char **where) {
  note_all(b->inward, a->inward, HIP_MAP_CELLS, "the map inward", worst, where);
  note_all(b->outward, a->outward, HIP_MAP_CELLS, "the map outward", worst, where);
  for (size_t m = 0; m < SYN_CENTER_METHODS; ++m)
    note_all(b->by_center[m], a->by_center[m], a->motion_count, syn_center_method_name((syn_center_method)m), worst,
             where);
  note_all(b->band_low, a->band_low, a->motion_count, "the band's low end", worst, where);
  note_all(b->band_high, a->band_high, a->motion_count, "the band's high end", worst, where);
}

void check_same_answers(const hip_answers *b, const hip_answers *a, const scene_change *change) {
  const bool swap = change->mirrored;
  double angle = 0, hour = 0;
  const char *where = "nothing", *when = "nothing";
  assert_int_equal(a->side != b->side, swap);
  for (int i = 0; i < SYN_MEASURES; ++i) /* mm, percent and ratios as well: all are meant to stay as they were */
    note(b->measures.value[i], a->measures.value[i], syn_measure_infos[i].name, &angle, &where);
  note_all(b->measures.alpha_clock_deg, a->measures.alpha_clock_deg, SYN_CLOCK_STEPS, "alpha around the clock", &angle,
           &where);
  for (size_t i = 0; i < a->motion_count; ++i) {
    const char *name = syn_clinical_motions[i].name;
    note(b->motions[i], a->motions[i], name, &angle, &where);
    if (isfinite(b->hours[i])) note(0, hour_difference(a->hours[i], b->hours[i]), name, &hour, &when);
  }
  note_all(b->fadir, a->fadir, HIP_FADIR_CELLS, "a cell of FADIR", &angle, &where);
  note(b->fadir_least, a->fadir_least, "the least of FADIR", &angle, &where);
  note(b->fadir_mean, a->fadir_mean, "the mean of FADIR", &angle, &where);
  if (a->thorough && b->thorough) note_thorough(b, a, &angle, &where);
  const syn_vec3 center = vec3(swap ? -b->center.x : b->center.x, b->center.y, b->center.z);
  const syn_vec3 seat = vec3(swap ? -b->seat.x : b->seat.x, b->seat.y, b->seat.z);
  const double off = vec3_distance(a->center, syn_pose_point(&change->turned, center));
  const double seat_off = vec3_distance(a->seat, syn_pose_direction(&change->turned, seat));
  print_message("  %-28s angles within %.2e degrees (%s), clock %.1e h (%s), centre %.1e mm, seat %.1e mm\n",
                change->name, angle, where, hour, when, off, seat_off);
  if (!(angle <= 0.01)) fail_msg("%s: %s differs by %g", change->name, where, angle);
  if (!(hour <= 0.01)) fail_msg("%s: the hour of %s differs by %g", change->name, when, hour);
  if (!(off <= 1e-3 && seat_off <= 1e-3))
    fail_msg("%s: centre off by %g mm, seat by %g mm", change->name, off, seat_off);
}
