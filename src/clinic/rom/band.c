/* How far to trust an angle: the same motion of many hips that the scan may as well have been of.
 *
 * Each draw moves the surfaces along their normals, the centre, and both frames, each of them alone and all together,
 * and turns the femur exactly as the hip itself. Draws are independent and numbered, and their random numbers follow
 * from the seed and the number alone, so that the number of threads changes no bit. */
#include "clinic/rom/band.h"

#include <math.h>

#include "base/parallel.h"
#include "base/vec.h"
#include "clinic/rom/rom.h"

/* ---- draws --------------------------------------------------------------------------------------------------------
 */

typedef struct sampling {
  const syn_context *context;
  const syn_hip_rom *rom; /* of the hip itself, without what is far from every contact */
  const syn_band_options *options;
  const syn_motion_limit *limits;
  const syn_hip_limit *hints;
  size_t motion_count;
  double voxel_mm[SYN_HIP_PARTS], reach_mm; /* 0: not given */
  syn_band_base base;
  double *angles; /* [(source * draws + draw) * motion_count + motion]; -INFINITY where no pose is free */
} sampling;

static void ask_all(const sampling *s, const syn_hip_rom *rom, void *scratch, double *angles) {
  for (size_t i = 0; i < s->motion_count; ++i) {
    const syn_clinical_motion *motion = s->limits[i].motion;
    syn_hip_limit limit;
    if (syn_hip_rom_angle(rom, motion, &s->hints[i], scratch, &angles[i])) continue;
    syn_clinical_motion_query(rom, motion, scratch, &limit);
    angles[i] = syn_hip_limit_state(&limit) == SYN_LIMIT_NO_FREE_POSE ? (double)-INFINITY : limit.angle;
  }
}

/* The rotations of a hip whose surfaces or centre have moved; frames change none of them. */
static syn_status make_rotations(syn_hip_rom *rom, syn_error *error) {
  const size_t count = rom->pair_count;
  rom->pair_count = 0;
  for (size_t i = 0; i < count; ++i) {
    rom->pairs[i].collider = NULL; /* it knows the hip as it was */
    SYN_TRY(syn_rom_make_rotation(rom, &rom->pairs[rom->pair_count], error));
    ++rom->pair_count;
  }
  return SYN_OK;
}

static syn_status ask_moved(const sampling *s, syn_hip_rom *rom, bool same_rotations, double *angles,
                            syn_error *error) {
  syn_status status = same_rotations ? SYN_OK : make_rotations(rom, error);
  char *scratch = NULL;
  if (status == SYN_OK) status = SYN_NEW(s->context, &scratch, syn_hip_rom_scratch(rom), error);
  if (status == SYN_OK) ask_all(s, rom, scratch, angles);
  syn_free(s->context, scratch);
  if (!same_rotations) syn_hip_rom_drop(rom);
  return status;
}

static syn_status run_draw(void *user, size_t number, syn_error *error) {
  const sampling *s = user;
  const syn_band_source source = (syn_band_source)(number / s->options->draws);
  const size_t draw = number % s->options->draws;
  syn_arena arena = {.context = s->context};
  syn_hip_rom rom = *s->rom;
  syn_status status = SYN_OK;
  syn_band_move_hip(&s->base, source, draw, &rom.hip);
  for (int part = 0; part < SYN_HIP_PARTS && syn_band_moves(SYN_BAND_SURFACE, source) && status == SYN_OK; ++part) {
    syn_vec3 *moved;
    if (!rom.hip.parts[part]) continue;
    status = SYN_TAKE(&arena, &moved, rom.hip.parts[part]->vertex_count, error);
    if (status == SYN_OK) syn_band_move_surface(&s->base, draw, part, moved);
    rom.moved[part] = moved;
  }
  if (status == SYN_OK)
    status = ask_moved(s, &rom, source == SYN_BAND_FRAME, s->angles + number * s->motion_count, error);
  syn_arena_release(&arena);
  return status;
}

/* ---- bands --------------------------------------------------------------------------------------------------------
 */

static syn_status summarise(const sampling *s, syn_motion_limit *limits, syn_error *error) {
  const size_t draws = s->options->draws;
  double *sorted;
  SYN_TRY(SYN_NEW(s->context, &sorted, draws, error));
  for (size_t i = 0; i < s->motion_count; ++i) {
    const double most = limits[i].motion->most_deg * SYN_PI / 180;
    for (size_t source = 0; source < SYN_BAND_SOURCES; ++source)
      limits[i].bands[source] = syn_band_of_angles(s->angles + source * draws * s->motion_count + i, s->motion_count,
                                                   draws, limits[i].bones.angle, sorted);
    limits[i].stopped_part = syn_band_stopped_part(s->angles + i, s->motion_count, draws, most);
  }
  syn_free(s->context, sorted);
  return SYN_OK;
}

/* ---- preparing ----------------------------------------------------------------------------------------------------
 */

/* Contacts happen at the same distance from the centre on both bodies: what lies far beyond all of them is left out. A
 * motion that is not stopped in time may be so in a draw, by what stops it later. */
syn_status syn_band_reach(const syn_hip_rom *rom, const syn_motion_limit *limits, size_t count, double *reach,
                          syn_error *error) {
  const syn_vec3 center = vec3_add(rom->hip.center, rom->shift);
  char *scratch;
  SYN_TRY(SYN_NEW(rom->context, &scratch, syn_hip_rom_scratch(rom), error));
  *reach = 0;
  for (size_t i = 0; i < count; ++i) {
    const syn_clinical_motion *motion = limits[i].motion;
    syn_hip_limit limit = limits[i].bones;
    if (!limit.limited) syn_hip_rom_query(rom, motion->start, motion->axis, motion->sign, scratch, &limit);
    if (limit.limited && isfinite(limit.event.point.x)) *reach = fmax(*reach, vec3_distance(limit.event.point, center));
  }
  *reach = 1.15 * *reach + 10;
  syn_free(rom->context, scratch);
  return SYN_OK;
}

/* The hip without what is far, and its limits. */
typedef struct near_hip {
  syn_trimesh *parts[SYN_HIP_PARTS];
  syn_hip_rom *rom;
  syn_hip_limit *hints;
} near_hip;

static syn_status ask_hints(const syn_hip_rom *rom, const syn_motion_limit *limits, size_t count, syn_hip_limit *hints,
                            bool *same, syn_error *error) {
  char *scratch;
  SYN_TRY(SYN_NEW(rom->context, &scratch, syn_hip_rom_scratch(rom), error));
  *same = true;
  for (size_t i = 0; i < count; ++i) {
    syn_clinical_motion_query(rom, limits[i].motion, scratch, &hints[i]);
    *same =
        *same && (hints[i].angle == limits[i].bones.angle || (isnan(hints[i].angle) && isnan(limits[i].bones.angle)));
  }
  syn_free(rom->context, scratch);
  return SYN_OK;
}

static void release_near(near_hip *n) {
  syn_hip_rom_destroy(n->rom);
  n->rom = NULL;
  for (int i = 0; i < SYN_HIP_PARTS; ++i) {
    syn_trimesh_destroy(n->parts[i]);
    n->parts[i] = NULL;
  }
}

static syn_status make_near(const syn_context *quiet, const syn_hip_rom *rom, const syn_motion_limit *limits,
                            size_t count, double reach, near_hip *n, bool *same, syn_error *error) {
  syn_hip hip = rom->hip;
  hip.seat = rom->shift;
  for (int i = 0; i < SYN_HIP_PARTS; ++i) {
    if (!rom->hip.parts[i]) continue;
    const syn_vec3 center = syn_hip_part_moves((syn_hip_part)i) ? hip.center : vec3_add(hip.center, hip.seat);
    SYN_TRY(syn_band_near(rom->hip.parts[i], center, reach, &n->parts[i], error));
    hip.parts[i] = n->parts[i];
  }
  SYN_TRY(syn_hip_rom_create(quiet, &hip, &n->rom, error));
  return ask_hints(n->rom, limits, count, n->hints, same, error);
}

static syn_status prepare(sampling *s, syn_arena *arena, const syn_anatomy *anatomy, syn_error *error) {
  const syn_hip *hip = &s->rom->hip;
  s->base = (syn_band_base){.hip = hip, .options = s->options};
  if (anatomy) {
    s->base.pelvis_sd = anatomy->pelvis_frame_sd;
    s->base.femur_sd = anatomy->femur_frame_sd;
  }
  for (int i = 0; i < SYN_HIP_PARTS; ++i) {
    if (!hip->parts[i]) continue;
    syn_vec3 *normals;
    SYN_TRY(SYN_TAKE(arena, &normals, hip->parts[i]->vertex_count, error));
    syn_trimesh_vertex_normals(hip->parts[i], normals);
    s->base.normals[i] = normals;
    s->base.voxel_mm[i] = s->voxel_mm[i];
  }
  return SYN_OK;
}

static syn_status draw_all(sampling *s, size_t sources, near_hip *n, const syn_hip_rom *rom, const syn_anatomy *anatomy,
                           syn_error *error) {
  syn_arena arena = {.context = s->context};
  double reach = s->reach_mm;
  bool same;
  if (!(reach > 0)) SYN_TRY(syn_band_reach(rom, s->limits, s->motion_count, &reach, error));
  for (int i = 0; i < SYN_HIP_PARTS; ++i) {
    if (!(s->voxel_mm[i] > 0)) s->voxel_mm[i] = s->options->voxel_mm;
    if (rom->hip.parts[i] && !(s->voxel_mm[i] > 0)) SYN_TRY(syn_band_voxel(rom->hip.parts[i], &s->voxel_mm[i], error));
  }
  SYN_TRY(SYN_NEW(s->context, &n->hints, s->motion_count, error));
  SYN_TRY(make_near(s->context, rom, s->limits, s->motion_count, reach, n, &same, error));
  if (!same) {
    release_near(n);
    SYN_TRY(make_near(s->context, rom, s->limits, s->motion_count, INFINITY, n, &same, error));
  }
  s->rom = n->rom;
  s->hints = n->hints;
  syn_status status = prepare(s, &arena, anatomy, error);
  if (status == SYN_OK) status = syn_parallel_tasks(s->context, sources * s->options->draws, run_draw, s, error);
  syn_arena_release(&arena);
  return status;
}

/* Draws of the first so many sources into s->angles. */
static syn_status draw(sampling *s, size_t sources, const syn_hip_rom *rom, const syn_anatomy *anatomy,
                       syn_error *error) {
  near_hip n = {0};
  const syn_status status = draw_all(s, sources, &n, rom, anatomy, error);
  release_near(&n);
  syn_free(s->context, n.hints);
  s->rom = NULL;
  s->hints = NULL;
  return status;
}

static syn_context silent(const syn_context *context) {
  syn_context quiet = *syn_context_or_default(context);
  quiet.warn = NULL;
  quiet.progress = NULL;
  return quiet;
}

syn_status syn_hip_band_draws(const syn_context *context, const syn_hip_rom *rom, const syn_anatomy *anatomy,
                              const syn_band_options *options, const double *voxel_mm, double reach_mm,
                              const syn_motion_limit *limits, size_t count, double *angles, syn_error *error) {
  const syn_context quiet = silent(context);
  sampling s = {.context = &quiet,
                .options = options,
                .limits = limits,
                .motion_count = count,
                .reach_mm = reach_mm,
                .angles = angles};
  _Static_assert(SYN_BAND_ALL == 0, "the first source is all of them");
  for (int i = 0; i < SYN_HIP_PARTS; ++i) s.voxel_mm[i] = voxel_mm[i];
  return draw(&s, 1, rom, anatomy, error);
}

syn_status syn_hip_bands_find(const syn_context *context, const syn_hip_rom *rom, const syn_anatomy *anatomy,
                              const syn_band_options *options, syn_motion_limit *limits, size_t count,
                              syn_error *error) {
  const syn_band_options standard = syn_default_band_options();
  if (!options) options = &standard;
  SYN_TRY(SYN_CHECK_OPTIONS(options, syn_default_band_options, error));
  for (size_t i = 0; i < count; ++i) {
    for (int k = 0; k < SYN_BAND_SLOTS; ++k) limits[i].bands[k] = (syn_band){NAN, NAN};
    limits[i].stopped_part = NAN;
  }
  if (options->draws == 0 || count == 0) return SYN_OK;
  const syn_context quiet = silent(context);
  sampling s = {.context = &quiet, .options = options, .limits = limits, .motion_count = count};
  syn_status status = SYN_NEW(&quiet, &s.angles, SYN_BAND_SOURCES * options->draws * count, error);
  if (status == SYN_OK) status = draw(&s, SYN_BAND_SOURCES, rom, anatomy, error);
  if (status == SYN_OK) status = summarise(&s, limits, error);
  syn_free(&quiet, s.angles);
  return status;
}
