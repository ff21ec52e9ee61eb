/* How far to trust the motions of a joint that is not a hip: the same motions of joints whose surfaces and centre were
 * drawn at random (see band_draw.c). */
#include <math.h>

#include "base/parallel.h"
#include "base/vec.h"
#include "clinic/rom/band.h"
#include "clinic/rom/joint_rom.h"

typedef struct sampling {
  const syn_context *context;
  const syn_joint_rom *rom;
  const syn_band_options *options;
  const syn_joint_limit *limits;
  size_t motion_count;
  syn_band_scan *scans; /* of each body; without a mesh where it has no surface */
  double *angles;       /* [(source * draws + draw) * motion_count + motion]; -INFINITY where no pose is free */
} sampling;

/* Nothing is known of the scatter of their axes. */
enum { SOURCES = SYN_BAND_CENTER + 1 };

static void ask_all(const sampling *s, const syn_joint_rom *drawn, void *scratch, double *angles) {
  for (size_t i = 0; i < s->motion_count; ++i) {
    syn_joint_limit limit;
    syn_joint_rom_query(drawn, s->limits[i].motion, scratch, &limit);
    angles[i] = syn_hip_limit_state(&limit.limit) == SYN_LIMIT_NO_FREE_POSE ? (double)-INFINITY : limit.limit.angle;
  }
}

static syn_status make_turns(const sampling *s, const syn_vec3 *const *moved, syn_joint_rom *drawn, syn_error *error) {
  const syn_body *bodies = s->rom->joint->bodies;
  drawn->turns.pair_count = 0;
  for (size_t i = 0; i < s->rom->turns.pair_count; ++i) {
    const rom_pair *pair = &s->rom->turns.pairs[i];
    const rom_surfaces of = {.fixed = bodies[pair->fixed].surface,
                             .mobile = bodies[pair->mobile].surface,
                             .left_out = s->rom->gliding[pair->mobile].left_out,
                             .moved_fixed = moved[pair->fixed],
                             .moved_mobile = moved[pair->mobile]};
    rom_pair *made = &drawn->turns.pairs[drawn->turns.pair_count];
    *made = (rom_pair){.fixed = pair->fixed, .mobile = pair->mobile};
    SYN_TRY(syn_rom_make_turn(&drawn->turns, &of, pair->rotation, made, error));
    ++drawn->turns.pair_count;
  }
  return SYN_OK;
}

static syn_status move_bodies(const sampling *s, size_t draw, syn_arena *arena, const syn_vec3 **moved,
                              syn_error *error) {
  for (size_t i = 0; i < s->rom->joint->body_count; ++i) {
    syn_vec3 *vertices;
    if (!s->scans[i].mesh) continue;
    SYN_TRY(SYN_TAKE(arena, &vertices, s->scans[i].mesh->vertex_count, error));
    syn_band_move_vertices(s->options, draw, i, &s->scans[i], s->rom->joint->center, vertices);
    moved[i] = vertices;
  }
  return SYN_OK;
}

static syn_status ask_drawn(const sampling *s, syn_band_source source, size_t draw, syn_arena *arena,
                            syn_joint_rom *drawn, double *angles, syn_error *error) {
  const size_t bodies = s->rom->joint->body_count;
  const syn_vec3 **moved;
  char *scratch;
  SYN_TRY(SYN_TAKE(arena, &moved, bodies, error));
  for (size_t i = 0; i < bodies; ++i) moved[i] = NULL;
  if (syn_band_moves(SYN_BAND_SURFACE, source)) SYN_TRY(move_bodies(s, draw, arena, moved, error));
  SYN_TRY(make_turns(s, moved, drawn, error));
  SYN_TRY(SYN_TAKE(arena, &scratch, syn_joint_rom_scratch(drawn), error));
  ask_all(s, drawn, scratch, angles);
  return SYN_OK;
}

static syn_status run_draw(void *user, size_t number, syn_error *error) {
  const sampling *s = user;
  const syn_band_source source = (syn_band_source)(number / s->options->draws);
  const size_t draw = number % s->options->draws;
  syn_arena arena = {.context = s->context};
  syn_joint joint = *s->rom->joint;
  syn_joint_rom drawn = *s->rom;
  if (syn_band_moves(SYN_BAND_CENTER, source)) joint.center = syn_band_move_center(s->options, draw, joint.center);
  drawn.joint = &joint;
  drawn.turns.hip.center = joint.center;
  drawn.turns.pair_count = 0;
  const syn_status status = ask_drawn(s, source, draw, &arena, &drawn, s->angles + number * s->motion_count, error);
  syn_hip_rom_drop(&drawn.turns);
  syn_arena_release(&arena);
  return status;
}

/* ---- bands --------------------------------------------------------------------------------------------------------
 */

static syn_status prepare(sampling *s, syn_arena *arena, syn_error *error) {
  const syn_joint *joint = s->rom->joint;
  SYN_TRY(SYN_TAKE(arena, &s->scans, joint->body_count, error));
  for (size_t i = 0; i < joint->body_count; ++i) {
    const syn_trimesh *mesh = joint->bodies[i].surface;
    syn_vec3 *normals;
    s->scans[i] = (syn_band_scan){.mesh = mesh, .voxel_mm = s->options->voxel_mm};
    if (!mesh) continue;
    SYN_TRY(SYN_TAKE(arena, &normals, mesh->vertex_count, error));
    syn_trimesh_vertex_normals(mesh, normals);
    s->scans[i].normals = normals;
    if (!(s->scans[i].voxel_mm > 0)) SYN_TRY(syn_band_voxel(mesh, &s->scans[i].voxel_mm, error));
  }
  return SYN_OK;
}

static syn_status draw_all(sampling *s, syn_arena *arena, syn_joint_limit *limits, syn_error *error) {
  const size_t draws = s->options->draws;
  double *sorted;
  SYN_TRY(SYN_TAKE(arena, &s->angles, SOURCES * draws * s->motion_count, error));
  SYN_TRY(SYN_TAKE(arena, &sorted, draws, error));
  SYN_TRY(syn_parallel_tasks(s->context, SOURCES * draws, run_draw, s, error));
  for (size_t i = 0; i < s->motion_count; ++i) {
    const double most = syn_joint_motion_most(limits[i].motion);
    for (size_t source = 0; source < SOURCES; ++source)
      limits[i].bands[source] = syn_band_of_angles(s->angles + source * draws * s->motion_count + i, s->motion_count,
                                                   draws, limits[i].limit.angle, sorted);
    limits[i].stopped_part = syn_band_stopped_part(s->angles + i, s->motion_count, draws, most * SYN_PI / 180);
  }
  return SYN_OK;
}

double syn_joint_motion_most(const syn_joint_motion *motion) { return motion->most_deg > 0 ? motion->most_deg : 360; }

syn_status syn_joint_bands_find(const syn_context *context, const syn_joint_rom *rom, const syn_band_options *options,
                                syn_joint_limit *limits, size_t count, syn_error *error) {
  const syn_band_options standard = syn_default_band_options();
  if (!options) options = &standard;
  SYN_TRY(SYN_CHECK_OPTIONS(options, syn_default_band_options, error));
  if (options->draws == 0 || count == 0) return SYN_OK;
  syn_context quiet = *syn_context_or_default(context);
  quiet.warn = NULL;
  quiet.progress = NULL;
  sampling s = {.context = &quiet, .rom = rom, .options = options, .limits = limits, .motion_count = count};
  syn_arena arena = {.context = &quiet};
  syn_status status = prepare(&s, &arena, error);
  if (status == SYN_OK) status = draw_all(&s, &arena, limits, error);
  syn_arena_release(&arena);
  return status;
}
