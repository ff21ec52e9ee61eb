/* Forces of linear tetrahedra, as explicit steps ask for them: how many elements per second on one thread. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "tissue/tissue.h"

enum { SIDE = 26 }; /* cells along each edge of a block, six tetrahedra each: 105,456 */

typedef struct block {
  syn_vec3 points[(SIDE + 1) * (SIDE + 1) * (SIDE + 1)];
  syn_tet tets[6 * SIDE * SIDE * SIDE];
} block;

static uint32_t node(const uint32_t at[3]) { return (at[2] * (SIDE + 1) + at[1]) * (SIDE + 1) + at[0]; }

static void fill_cell(const uint32_t cell[3], syn_tet *tets) {
  static const uint8_t orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
  for (int o = 0; o < 6; ++o) {
    uint32_t at[3] = {cell[0], cell[1], cell[2]}, corners[4] = {node(at)};
    for (int c = 1; c < 4; ++c) {
      ++at[orders[o][c - 1]];
      corners[c] = node(at);
    }
    const bool odd = o >= 3;
    tets[o] = (syn_tet){{corners[0], corners[odd ? 2 : 1], corners[odd ? 1 : 2], corners[3]}};
  }
}

static void fill_block(block *made) {
  uint32_t at[3];
  for (at[2] = 0; at[2] <= SIDE; ++at[2])
    for (at[1] = 0; at[1] <= SIDE; ++at[1])
      for (at[0] = 0; at[0] <= SIDE; ++at[0]) {
        made->points[node(at)] = vec3(at[0], at[1], at[2]);
        if (at[0] < SIDE && at[1] < SIDE && at[2] < SIDE)
          fill_cell(at, &made->tets[6 * ((at[2] * SIDE + at[1]) * SIDE + at[0])]);
      }
}

/* ---- the contender -------------------------------------------------------------------------------------------------
 */

typedef struct bent_body {
  syn_soft *soft;
  syn_vec3 *x, *f;
  size_t tets;
} bent_body;

static void close_body(void *state) {
  bent_body *body = state;
  syn_soft_destroy(body->soft);
  free(body->x);
  free(body->f);
  free(body);
}

/* Bent, stretched and squeezed by a fifth, so that elements turn and rotations take their iterations. */
static syn_vec3 bend(syn_vec3 p) {
  const double turn = 1.5 * p.x / SIDE, radius = SIDE / 1.5 + 0.2 * (p.y - SIDE / 2.0);
  return vec3(radius * sin(turn), radius * cos(turn), 0.8 * p.z + 0.3 * sin(p.x / 3));
}

static void *open_body(const bench_contender *self, const bench_scene *scene, syn_error *error) {
  syn_soft_options options = syn_default_soft_options();
  options.law = (syn_law)self->variant;
  options.material = (syn_material){1, 0.45, 1000};
  bent_body *body = calloc(1, sizeof *body);
  if (!body) abort();
  if (syn_soft_create(scene->context, "fem", &scene->fixed, &options, &body->soft, error) != SYN_OK) {
    close_body(body);
    return NULL;
  }
  const uint32_t count = syn_soft_node_count(body->soft);
  body->x = malloc(count * sizeof *body->x);
  body->f = malloc(count * sizeof *body->f);
  if (!body->x || !body->f) abort();
  for (uint32_t i = 0; i < count; ++i) body->x[i] = bend(syn_soft_rest(body->soft)[i]);
  body->tets = scene->fixed.volume->tet_count;
  return body;
}

static void ask_body(void *state, const syn_pose *pose, bench_answer *answer) {
  const bent_body *body = state;
  (void)pose;
  syn_soft_forces(body->soft, body->x, NULL, body->f);
  answer->depth_mm = NAN;
  answer->count = body->tets;
}

/* ---- the part ------------------------------------------------------------------------------------------------------
 */

static void race(bench_run *run, const syn_tetmesh *mesh, syn_law law) {
  const syn_pose nowhere = syn_pose_identity();
  const bench_scene scene = {.name = syn_law_name(law),
                             .context = run->context,
                             .fixed = {.volume = mesh, .material = syn_material_unknown()},
                             .poses = &nowhere,
                             .pose_count = 1};
  const bench_contender ours = {.name = "synovia",
                                .detail = syn_law_name(law),
                                .query = "fem-explicit",
                                .variant = (int)law,
                                .open = open_body,
                                .ask = ask_body,
                                .close = close_body};
  bench_row *row = bench_compare(run, &scene, &ours, 1);
  if (row) row->per_second = 1e3 * mesh->tet_count / row->ours_ms;
}

syn_status bench_tissue_fem(bench_run *run, syn_error *error) {
  if (!bench_wants(run, "fem-explicit")) return SYN_OK;
  syn_arena work = {.context = run->context};
  block *made;
  syn_tetmesh *mesh;
  syn_status status = SYN_TAKE(&work, &made, 1, error);
  if (status == SYN_OK) {
    fill_block(made);
    status = syn_tetmesh_create(run->context, made->points, sizeof made->points / sizeof *made->points, made->tets,
                                sizeof made->tets / sizeof *made->tets, &mesh, error);
  }
  syn_arena_release(&work);
  if (status != SYN_OK) return status;
  static const syn_law laws[] = {SYN_LAW_COROTATIONAL, SYN_LAW_LINEAR, SYN_LAW_NEO_HOOKEAN};
  for (size_t i = 0; i < sizeof laws / sizeof *laws; ++i) race(run, mesh, laws[i]);
  syn_tetmesh_destroy(mesh);
  return SYN_OK;
}
