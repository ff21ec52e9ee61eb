/* Computes 95 % intervals of the limits of motion under measurement noise.
 *
 * Each draw moves the surfaces along their normals, the centre and the axes, each of them alone and all together, and
 * rotates the bodies exactly as those of the joint itself. Draws are independent and numbered, and their random
 * numbers follow from the seed and the number alone, so the result does not depend on the number of threads. */
#include "motion/rom/band.h"

#include <math.h>

#include "base/parallel.h"
#include "base/vec.h"
#include "motion/rom/limit_text.h"
#include "motion/rom/rom.h"

/* ---- draws ------------------------------------------------------------------------------------------------------- */

typedef struct sampling {
  const syn_context *context;
  const syn_band_def *def;
  const syn_rom *rom; /* of the joint itself, without triangles far from every contact */
  const syn_motion_limit *limits;
  const syn_limit *hints;
  size_t motion_count;
  syn_band_scan *scans; /* of each body of rom; without a mesh if it has no surface */
  double *angles;       /* [(source * draws + draw) * motion_count + motion]; -INFINITY if no pose is free */
} sampling;

static double max_angle(const syn_motion *motion) { return syn_motion_max_deg(motion) * SYN_PI / 180; }

static void find_angles(const sampling *s, const syn_rom *rom, void *scratch, double *angles) {
  for (size_t i = 0; i < s->motion_count; ++i) {
    const syn_motion *motion = s->limits[i].motion;
    syn_limit limit;
    if (syn_rom_angle(rom, motion, &s->hints[i], scratch, &angles[i])) continue;
    syn_rom_query(rom, motion, scratch, &limit);
    angles[i] = limit.state == SYN_LIMIT_NO_FREE_POSE ? (double)-INFINITY : limit.followed;
  }
}

/* Builds the rotations of a joint whose surfaces or centre have moved; a change of the axes alone needs no new ones. */
static syn_status make_rotations(syn_rom *rom, syn_error *error) {
  const size_t count = rom->pair_count;
  rom->pair_count = 0;
  for (size_t i = 0; i < count; ++i) {
    rom->pairs[i].collider = NULL; /* it was built for the surfaces before the change */
    SYN_TRY(syn_rom_make_rotation(rom, &rom->pairs[rom->pair_count], error));
    ++rom->pair_count;
  }
  return SYN_OK;
}

static syn_status find_angles_moved(const sampling *s, syn_rom *rom, bool same_rotations, double *angles,
                                    syn_error *error) {
  syn_status status = same_rotations ? SYN_OK : make_rotations(rom, error);
  char *scratch = NULL;
  if (status == SYN_OK) status = SYN_NEW(s->context, &scratch, syn_rom_scratch(rom), error);
  if (status == SYN_OK) find_angles(s, rom, scratch, angles);
  syn_free(s->context, scratch);
  if (!same_rotations) syn_rom_drop(rom);
  return status;
}

static syn_status move_bodies(const sampling *s, size_t draw, syn_arena *arena, const syn_vec3 *const **moved,
                              syn_error *error) {
  const size_t bodies = s->rom->joint.body_count;
  const syn_vec3 **made;
  SYN_TRY(syn_arena_take(arena, bodies, sizeof *made, (void **)&made, error));
  for (size_t i = 0; i < bodies; ++i) {
    const syn_band_scan *scan = &s->scans[i];
    syn_vec3 *vertices = NULL;
    if (scan->mesh) {
      SYN_TRY(SYN_TAKE(arena, &vertices, scan->mesh->vertex_count, error));
      SYN_TRY(syn_band_move_points(s->context, s->def->options, draw, i, scan->voxel_mm, s->rom->joint.center,
                                   scan->mesh->vertices, scan->normals, scan->mesh->vertex_count, vertices, error));
    }
    made[i] = vertices;
  }
  *moved = made;
  return SYN_OK;
}

/* Each draw has a centre and a shift of its own, as another scan would. */
static syn_status find_center(const sampling *s, size_t draw, syn_band_source source, syn_rom *rom, syn_error *error) {
  const syn_band_centring *centring = s->def->centring;
  const bool surfaces = syn_band_moves(SYN_BAND_SURFACE, source), center = syn_band_moves(SYN_BAND_CENTER, source);
  const syn_band_drawn drawn = {s->context, s->def->options, draw, s->scans, s->rom->joint.center, surfaces, center};
  if (!surfaces && !center) return SYN_OK;
  if (centring) return centring->find(centring->user, &drawn, &rom->joint.center, &rom->shift, error);
  if (center) rom->joint.center = syn_band_move_center(s->def->options, draw, rom->joint.center);
  return SYN_OK;
}

static syn_status run_draw(void *user, size_t number, syn_error *error) {
  const sampling *s = user;
  const syn_band_options *options = s->def->options;
  const syn_band_source source = (syn_band_source)(number / options->draws);
  const size_t draw = number % options->draws;
  syn_arena arena = {.context = s->context};
  syn_rom rom = *s->rom;
  syn_status status;
  if (s->def->axes_sd && syn_band_moves(SYN_BAND_FRAME, source))
    syn_band_move_axes(options, draw, s->def->axes_sd, &rom.joint.axes, &rom.joint.mobile_axes);
  status = find_center(s, draw, source, &rom, error);
  if (status == SYN_OK && syn_band_moves(SYN_BAND_SURFACE, source))
    status = move_bodies(s, draw, &arena, &rom.moved, error);
  if (status == SYN_OK)
    status = find_angles_moved(s, &rom, source == SYN_BAND_FRAME, s->angles + number * s->motion_count, error);
  syn_arena_release(&arena);
  return status;
}

/* ---- the joint near its contacts --------------------------------------------------------------------------------- */

/* A contact is at the same distance from the centre on both bodies, so triangles far beyond all contacts are left out.
 * A motion without a limit may have one in a draw, by a contact further out. */
syn_status syn_band_reach(const syn_rom *rom, const syn_motion_limit *limits, size_t count, double *reach,
                          syn_error *error) {
  const syn_vec3 center = vec3_add(rom->joint.center, rom->shift);
  char *scratch;
  SYN_TRY(SYN_NEW(rom->context, &scratch, syn_rom_scratch(rom), error));
  *reach = 0;
  for (size_t i = 0; i < count; ++i) {
    syn_motion whole = *limits[i].motion;
    syn_limit limit = limits[i].limit;
    whole.max_deg = 0;
    if (limit.state == SYN_LIMIT_NO_STOP) syn_rom_query(rom, &whole, scratch, &limit);
    if (limit.state != SYN_LIMIT_NO_STOP && isfinite(limit.event.point.x))
      *reach = fmax(*reach, vec3_distance(limit.event.point, center));
  }
  *reach = 1.15 * *reach + 10;
  syn_free(rom->context, scratch);
  return SYN_OK;
}

static syn_status find_hints(const syn_rom *rom, const syn_motion_limit *limits, size_t count, syn_limit *hints,
                             bool *same, syn_error *error) {
  char *scratch;
  SYN_TRY(SYN_NEW(rom->context, &scratch, syn_rom_scratch(rom), error));
  *same = true;
  for (size_t i = 0; i < count; ++i) {
    const double before = limits[i].limit.followed;
    syn_rom_query(rom, limits[i].motion, scratch, &hints[i]);
    *same = *same && (hints[i].followed == before || (isnan(hints[i].followed) && isnan(before)));
  }
  syn_free(rom->context, scratch);
  return SYN_OK;
}

/* Leaves out distant triangles, unless that changes a limit. */
static syn_status make_near(const sampling *s, const syn_rom *whole, double reach, syn_limit *hints, syn_rom **near,
                            syn_error *error) {
  bool same;
  SYN_TRY(syn_rom_create_near(s->context, whole, reach, near, error));
  SYN_TRY(find_hints(*near, s->limits, s->motion_count, hints, &same, error));
  if (same) return SYN_OK;
  syn_rom_destroy(*near);
  SYN_TRY(syn_rom_create_near(s->context, whole, INFINITY, near, error));
  return find_hints(*near, s->limits, s->motion_count, hints, &same, error);
}

/* ---- preparation ------------------------------------------------------------------------------------------------- */

/* Voxel sizes are estimated on the whole surfaces, normals on the parts near the centre. */
static syn_status make_scans(sampling *s, const syn_rom *whole, syn_arena *arena, syn_error *error) {
  const syn_band_def *def = s->def;
  SYN_TRY(SYN_TAKE(arena, &s->scans, whole->joint.body_count, error));
  for (size_t i = 0; i < whole->joint.body_count; ++i) {
    const syn_trimesh *mesh = s->rom->bodies[i].surface;
    syn_vec3 *normals;
    s->scans[i] = (syn_band_scan){.mesh = mesh, .voxel_mm = def->voxel_mm ? def->voxel_mm[i] : 0};
    if (!mesh) continue;
    SYN_TRY(SYN_TAKE(arena, &normals, mesh->vertex_count, error));
    syn_trimesh_vertex_normals(mesh, normals);
    s->scans[i].normals = normals;
    if (!(s->scans[i].voxel_mm > 0)) s->scans[i].voxel_mm = def->options->voxel_mm;
    if (!(s->scans[i].voxel_mm > 0)) SYN_TRY(syn_band_voxel(whole->bodies[i].surface, &s->scans[i].voxel_mm, error));
  }
  return SYN_OK;
}

static syn_status draw_near(sampling *s, size_t sources, const syn_rom *whole, syn_arena *arena, syn_rom **near,
                            syn_error *error) {
  double reach = s->def->reach_mm;
  syn_limit *hints;
  SYN_TRY(SYN_TAKE(arena, &hints, s->motion_count, error));
  if (!(reach > 0)) SYN_TRY(syn_band_reach(whole, s->limits, s->motion_count, &reach, error));
  SYN_TRY(make_near(s, whole, reach, hints, near, error));
  s->rom = *near;
  s->hints = hints;
  SYN_TRY(make_scans(s, whole, arena, error));
  return syn_parallel_tasks(s->context, sources * s->def->options->draws, run_draw, s, error);
}

/* Runs the draws of the first `sources` sources; results go to s->angles. */
static syn_status run_draws(sampling *s, size_t sources, const syn_rom *whole, syn_error *error) {
  syn_arena arena = {.context = s->context};
  syn_rom *near = NULL;
  const syn_status status = draw_near(s, sources, whole, &arena, &near, error);
  syn_rom_destroy(near);
  syn_arena_release(&arena);
  return status;
}

static syn_context silent(const syn_context *context) {
  syn_context quiet = *syn_context_or_default(context);
  quiet.warn = NULL;
  quiet.progress = NULL;
  return quiet;
}

syn_status syn_band_draws(const syn_rom *rom, const syn_band_def *def, const syn_motion_limit *limits, size_t count,
                          double *angles, syn_error *error) {
  const syn_context quiet = silent(rom->context);
  sampling s = {.context = &quiet, .def = def, .limits = limits, .motion_count = count, .angles = angles};
  _Static_assert(SYN_BAND_ALL == 0, "the first source is all of them");
  return run_draws(&s, 1, rom, error);
}

/* ---- 95 % intervals ---------------------------------------------------------------------------------------------- */

double syn_motion_max_deg(const syn_motion *motion) { return motion->max_deg > 0 ? motion->max_deg : 360; }

static void summarise_draws(const sampling *s, size_t sources, double *sorted, syn_motion_limit *limits) {
  const size_t draws = s->def->options->draws;
  for (size_t i = 0; i < s->motion_count; ++i) {
    for (size_t source = 0; source < sources; ++source)
      limits[i].bands[source] = syn_band_of_angles(s->angles + source * draws * s->motion_count + i, s->motion_count,
                                                   draws, limits[i].limit.followed, sorted);
    limits[i].stopped_part = syn_band_stopped_part(s->angles + i, s->motion_count, draws, max_angle(limits[i].motion));
    const double low_deg = limits[i].motion->source ? limits[i].motion->low_deg : (double)NAN;
    if (isfinite(low_deg))
      limits[i].below_part = syn_band_stopped_part(s->angles + i, s->motion_count, draws, low_deg * SYN_DEGREE);
  }
}

syn_status syn_bands_find_centred(const syn_rom *rom, const syn_vec3 axes_sd[2], const syn_band_centring *centring,
                                  const syn_band_options *options, syn_motion_limit *limits, size_t count,
                                  syn_error *error) {
  const syn_band_options standard = syn_default_band_options();
  if (!options) options = &standard;
  SYN_TRY(SYN_CHECK_OPTIONS(options, syn_default_band_options, error));
  for (size_t i = 0; i < count; ++i) {
    for (int k = 0; k < SYN_BAND_SLOTS; ++k) limits[i].bands[k] = (syn_band){NAN, NAN};
    limits[i].stopped_part = limits[i].below_part = NAN;
  }
  if (options->draws == 0 || count == 0) return SYN_OK;
  const size_t sources = axes_sd ? SYN_BAND_SOURCES : SYN_BAND_FRAME;
  const syn_context quiet = silent(rom->context);
  const syn_band_def def = {.options = options, .axes_sd = axes_sd, .centring = centring};
  sampling s = {.context = &quiet, .def = &def, .limits = limits, .motion_count = count};
  syn_arena arena = {.context = &quiet};
  double *sorted;
  syn_status status = SYN_TAKE(&arena, &s.angles, sources * options->draws * count, error);
  if (status == SYN_OK) status = SYN_TAKE(&arena, &sorted, options->draws, error);
  if (status == SYN_OK) status = run_draws(&s, sources, rom, error);
  if (status == SYN_OK) summarise_draws(&s, sources, sorted, limits);
  syn_arena_release(&arena);
  return status;
}

syn_status syn_bands_find(const syn_rom *rom, const syn_vec3 axes_sd[2], const syn_band_options *options,
                          syn_motion_limit *limits, size_t count, syn_error *error) {
  return syn_bands_find_centred(rom, axes_sd, NULL, options, limits, count, error);
}
