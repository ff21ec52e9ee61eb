/* How far to trust an angle: the same motion of many hips that the scan may as well have been of.
 *
 * Each draw moves the surfaces along their normals, the centre, and both frames, each of them alone and all together,
 * and turns the femur exactly as the hip itself. Draws are independent and numbered, and their random numbers follow
 * from the seed and the number alone, so that the number of threads changes no bit. */
#include "clinic/rom/band.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "base/vec.h"
#include "clinic/rom/rom.h"
#include "mesh/derived.h"
#include "shape/noise.h"

/* Noise of a surface, in voxels: from vertex to vertex, and over hills of some millimetres, as segmentation errs. */
static const double white_per_voxel = 0.1, hills_per_voxel = 0.3, hill_mm = 6;
static const double deviation_of_noise = 0.401;              /* of syn_noise */
static const double ball_per_deviation = 2.7955;             /* 95 % of a normal variable in space lie in this ball */
static const double least_voxel_mm = 0.4, most_voxel_mm = 1; /* where it is not given */

syn_band_options syn_default_band_options(void) {
  return (syn_band_options){.draws = 200, .center_mm = 3, .seed = 1, .cookie = SYN_COOKIE};
}

const char *syn_band_source_name(syn_band_source source) {
  static const char *const names[] = {
      [SYN_BAND_ALL] = "all", [SYN_BAND_SURFACE] = "surface", [SYN_BAND_CENTER] = "center", [SYN_BAND_FRAME] = "frame"};
  return (size_t)source < SYN_BAND_SOURCES ? names[source] : "unknown";
}

/* ---- random numbers -----------------------------------------------------------------------------------------------
 */

/* Steele et al. 2014, SplitMix64. */
static uint64_t mixed(uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

static double uniform(uint64_t *state) {
  *state += 1;
  return ((double)(mixed(*state) >> 11) + 0.5) / 9007199254740992.0; /* 2^53: neither 0 nor 1 */
}

/* A sum of twelve is normal enough, and has the same bits everywhere, unlike logarithm and sine. */
static double normal(uint64_t *state) {
  double sum = -6;
  for (int i = 0; i < 12; ++i) sum += uniform(state);
  return sum;
}

static syn_vec3 normal_vec3(uint64_t *state, syn_vec3 deviation) {
  const double x = normal(state), y = normal(state), z = normal(state);
  return vec3(x * deviation.x, y * deviation.y, z * deviation.z);
}

/* ---- the hips -----------------------------------------------------------------------------------------------------
 */

static bool moves(syn_band_source what, syn_band_source source) { return source == SYN_BAND_ALL || source == what; }

static uint64_t seed_of(const syn_band_base *base, size_t draw, uint64_t what) {
  return mixed(mixed(mixed(base->options->seed) ^ draw) ^ what);
}

static uint64_t bits_of(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

void syn_band_move_surface(const syn_band_base *base, size_t draw, int part, syn_vec3 *moved) {
  const syn_trimesh *mesh = base->hip->parts[part];
  const double voxel = base->voxel_mm[part];
  const uint64_t seed = seed_of(base, draw, 10 + (uint64_t)part);
  const uint32_t hills = (uint32_t)mixed(seed);
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
    const syn_vec3 p = mesh->vertices[v];
    uint64_t state = mixed(mixed(mixed(seed ^ bits_of(p.x)) ^ bits_of(p.y)) ^ bits_of(p.z));
    const double hill = syn_noise(hills, vec3_scale(vec3_sub(p, base->hip->center), 1 / hill_mm)) / deviation_of_noise;
    const double off = voxel * (white_per_voxel * normal(&state) + hills_per_voxel * hill);
    moved[v] = vec3_madd(p, off, base->normals[part][v]);
  }
}

/* Turned by a small vector along its own axes. */
static syn_hip_axes turned_axes(const syn_hip_axes *axes, syn_vec3 by) {
  syn_vec3 turn = vec3_scale(axes->flexion, by.x);
  turn = vec3_madd(turn, by.y, axes->adduction);
  turn = vec3_madd(turn, by.z, axes->rotation);
  if (!(vec3_length(turn) > 0)) return *axes;
  const syn_pose pose = syn_pose_about_axis(vec3(0, 0, 0), turn, vec3_length(turn));
  return (syn_hip_axes){syn_pose_direction(&pose, axes->flexion), syn_pose_direction(&pose, axes->adduction),
                        syn_pose_direction(&pose, axes->rotation)};
}

void syn_band_move_hip(const syn_band_base *base, syn_band_source source, size_t draw, syn_hip *hip) {
  uint64_t frames = seed_of(base, draw, 1), center = seed_of(base, draw, 2);
  const double sd = base->options->center_mm / ball_per_deviation;
  if (moves(SYN_BAND_FRAME, source)) {
    hip->pelvis_axes = turned_axes(&hip->pelvis_axes, normal_vec3(&frames, base->pelvis_sd));
    hip->femur_axes = turned_axes(&hip->femur_axes, normal_vec3(&frames, base->femur_sd));
  }
  if (moves(SYN_BAND_CENTER, source)) hip->center = vec3_add(hip->center, normal_vec3(&center, vec3(sd, sd, sd)));
}

/* ---- draws --------------------------------------------------------------------------------------------------------
 */

typedef struct sampling {
  const syn_context *context;
  const syn_hip_rom *rom; /* of the hip itself, without what is far from every contact */
  const syn_band_options *options;
  const syn_motion_limit *limits;
  const syn_hip_limit *hints;
  size_t motion_count;
  double voxel_mm[SYN_HIP_PARTS];
  syn_band_base base;
  double *angles; /* [(source * draws + draw) * motion_count + motion]; -INFINITY where no pose is free */
} sampling;

static void ask_all(const sampling *s, const syn_hip_rom *rom, void *scratch, double *angles) {
  for (size_t i = 0; i < s->motion_count; ++i) {
    const syn_clinical_motion *motion = s->limits[i].motion;
    syn_hip_limit limit;
    if (syn_hip_limit_state(&s->hints[i]) != SYN_LIMIT_STOPPED) continue;
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
  for (int part = 0; part < SYN_HIP_PARTS && moves(SYN_BAND_SURFACE, source) && status == SYN_OK; ++part) {
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

static int by_size(const void *a, const void *b) {
  const double p = *(const double *)a, q = *(const double *)b;
  return (p > q) - (p < q);
}

/* The middle 95 % of the draws, and always the angle itself. */
static syn_band band_of(const sampling *s, size_t source, size_t motion, double *sorted) {
  const double degrees = 180 / SYN_PI, angle = s->limits[motion].bones.angle;
  const size_t draws = s->options->draws, off = (size_t)(0.025 * (double)(draws - 1));
  for (size_t i = 0; i < draws; ++i) sorted[i] = s->angles[(source * draws + i) * s->motion_count + motion];
  qsort(sorted, draws, sizeof *sorted, by_size);
  const double low = fmin(sorted[off], angle), high = fmax(sorted[draws - 1 - off], angle);
  return (syn_band){isfinite(low) ? low * degrees : (double)NAN, isfinite(high) ? high * degrees : (double)NAN};
}

static syn_status draw_all(sampling *s, syn_motion_limit *limits, syn_error *error) {
  const size_t draws = s->options->draws, all = SYN_BAND_SOURCES * draws;
  double *sorted;
  SYN_TRY(SYN_NEW(s->context, &s->angles, all * s->motion_count, error));
  SYN_TRY(syn_parallel_tasks(s->context, all, run_draw, s, error));
  SYN_TRY(SYN_NEW(s->context, &sorted, draws, error));
  for (size_t source = 0; source < SYN_BAND_SOURCES; ++source)
    for (size_t i = 0; i < s->motion_count; ++i)
      if (syn_hip_limit_state(&s->hints[i]) == SYN_LIMIT_STOPPED)
        limits[i].bands[source] = band_of(s, source, i, sorted);
  syn_free(s->context, sorted);
  return SYN_OK;
}

/* ---- preparing ----------------------------------------------------------------------------------------------------
 */

/* Meshes of scans have about an edge per voxel; a coarser one was thinned out and shows none. */
static syn_status estimate_voxel(const syn_trimesh *mesh, double *mm, syn_error *error) {
  syn_derived *derived;
  SYN_TRY(syn_derive(mesh, &syn_derive_topology, &derived, error));
  const syn_topology *topology = derived_topology(derived);
  double sum = 0;
  for (uint32_t e = 0; e < topology->edge_count; ++e)
    sum += vec3_distance(mesh->vertices[topology->edge_vertices[e][0]], mesh->vertices[topology->edge_vertices[e][1]]);
  const double mean = topology->edge_count ? sum / topology->edge_count : most_voxel_mm;
  *mm = fmin(fmax(mean, least_voxel_mm), most_voxel_mm);
  syn_derived_release(derived);
  return SYN_OK;
}

/* Contacts happen at the same distance from the centre on both bodies: what lies far beyond all of them is left out. */
static double reach_of(const syn_hip_rom *rom, const syn_motion_limit *limits, size_t count) {
  const syn_vec3 center = vec3_add(rom->hip.center, rom->shift);
  double reach = 0;
  for (size_t i = 0; i < count; ++i)
    if (syn_hip_limit_state(&limits[i].bones) == SYN_LIMIT_STOPPED)
      reach = fmax(reach, vec3_distance(limits[i].bones.event.point, center));
  return 1.15 * reach + 10;
}

static syn_status near_part(const syn_trimesh *mesh, syn_vec3 center, double reach, syn_trimesh **part,
                            syn_error *error) {
  uint8_t *far;
  SYN_TRY(SYN_NEW(mesh->context, &far, mesh->triangle_count, error));
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    far[t] = 1;
    for (int c = 0; c < 3; ++c)
      if (vec3_distance(mesh->vertices[mesh->triangles[t].v[c]], center) < reach) far[t] = 0;
  }
  const syn_status status = syn_rom_part_of(mesh, far, 0, part, error);
  syn_free(mesh->context, far);
  return status;
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
    *same = *same && (hints[i].angle == limits[i].bones.angle || isnan(limits[i].bones.angle));
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
    SYN_TRY(near_part(rom->hip.parts[i], center, reach, &n->parts[i], error));
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

static syn_status find_bands(sampling *s, near_hip *n, const syn_hip_rom *rom, const syn_anatomy *anatomy,
                             syn_motion_limit *limits, syn_error *error) {
  syn_arena arena = {.context = s->context};
  bool same;
  for (int i = 0; i < SYN_HIP_PARTS; ++i) {
    s->voxel_mm[i] = s->options->voxel_mm;
    if (rom->hip.parts[i] && !(s->voxel_mm[i] > 0)) SYN_TRY(estimate_voxel(rom->hip.parts[i], &s->voxel_mm[i], error));
  }
  SYN_TRY(SYN_NEW(s->context, &n->hints, s->motion_count, error));
  SYN_TRY(make_near(s->context, rom, limits, s->motion_count, reach_of(rom, limits, s->motion_count), n, &same, error));
  if (!same) {
    release_near(n);
    SYN_TRY(make_near(s->context, rom, limits, s->motion_count, INFINITY, n, &same, error));
  }
  s->rom = n->rom;
  s->hints = n->hints;
  syn_status status = prepare(s, &arena, anatomy, error);
  if (status == SYN_OK) status = draw_all(s, limits, error);
  syn_arena_release(&arena);
  return status;
}

syn_status syn_hip_bands_find(const syn_context *context, const syn_hip_rom *rom, const syn_anatomy *anatomy,
                              const syn_band_options *options, syn_motion_limit *limits, size_t count,
                              syn_error *error) {
  const syn_band_options standard = syn_default_band_options();
  if (!options) options = &standard;
  SYN_TRY(SYN_CHECK_OPTIONS(options, syn_default_band_options, error));
  for (size_t i = 0; i < count; ++i)
    for (int k = 0; k < SYN_BAND_SLOTS; ++k) limits[i].bands[k] = (syn_band){NAN, NAN};
  if (options->draws == 0 || count == 0) return SYN_OK;
  syn_context quiet = *syn_context_or_default(context);
  quiet.warn = NULL;
  quiet.progress = NULL;
  sampling s = {.context = &quiet, .options = options, .limits = limits, .motion_count = count};
  near_hip n = {0};
  const syn_status status = find_bands(&s, &n, rom, anatomy, limits, error);
  release_near(&n);
  syn_free(&quiet, n.hints);
  syn_free(&quiet, s.angles);
  return status;
}
