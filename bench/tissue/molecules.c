/* Forces of springs between molecules, as explicit steps ask for them: how many springs per second on one thread. */
#include <math.h>
#include <stdlib.h>

#include <synovia/tissue.h>

#include "base/vec.h"
#include "tissue/tissue.h"

enum {
  SIDE = 30, /* molecules along each edge of a cube */
  COUNT = SIDE * SIDE * SIDE,
  SPRINGS_IN_ALL = 3 * SIDE * SIDE * (SIDE - 1) + 6 * SIDE * (SIDE - 1) * (SIDE - 1)
};

typedef struct lattice {
  syn_vec3 centers[COUNT];
  double radii[COUNT];
  uint32_t connections[SPRINGS_IN_ALL][2];
  size_t connection_count;
} lattice;

static uint32_t number_at(const int at[3]) { return (uint32_t)((at[2] * SIDE + at[1]) * SIDE + at[0]); }

static void connect_ball(lattice *to, const int at[3], uint32_t i) {
  for (int n = 14; n < 27; ++n) { /* half of the 26 neighbours, without the diagonals of cubes */
    const int step[3] = {n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1};
    const int other[3] = {at[0] + step[0], at[1] + step[1], at[2] + step[2]};
    if (step[0] && step[1] && step[2]) continue;
    if (other[0] < 0 || other[0] >= SIDE || other[1] < 0 || other[1] >= SIDE || other[2] >= SIDE) continue;
    to->connections[to->connection_count][0] = i;
    to->connections[to->connection_count++][1] = number_at(other);
  }
}

static void fill_lattice(lattice *to) {
  int at[3];
  to->connection_count = 0;
  for (at[2] = 0; at[2] < SIDE; ++at[2])
    for (at[1] = 0; at[1] < SIDE; ++at[1])
      for (at[0] = 0; at[0] < SIDE; ++at[0]) {
        const uint32_t i = number_at(at);
        to->centers[i] = vec3(at[0], at[1], at[2]);
        to->radii[i] = 0.5;
        connect_ball(to, at, i);
      }
}

/* ---- the contender -------------------------------------------------------------------------------------------------
 */

typedef struct moved_body {
  syn_soft *soft;
  syn_vec3 *x, *v, *f;
  bool damped;
} moved_body;

/* What is measured: springs alone (Maciel 2005, Eq. 3.11), with damping (3.12), or with the volume mode as well. */
typedef enum variant { SPRINGS, DAMPED, WITH_VOLUME } variant;

static void close_body(void *state) {
  moved_body *body = state;
  syn_soft_destroy(body->soft);
  free(body->x);
  free(body->v);
  free(body->f);
  free(body);
}

static void *open_body(const bench_contender *self, const bench_scene *scene, syn_error *error) {
  lattice *from = malloc(sizeof *from);
  if (!from) abort();
  fill_lattice(from);
  syn_molecules m = {0};
  m.count = COUNT;
  m.centers = from->centers;
  m.radii_mm = from->radii;
  m.connections = (const uint32_t(*)[2])from->connections;
  m.connection_count = from->connection_count;
  m.bare = true;
  syn_soft_options options = syn_default_soft_options();
  options.springs = self->variant == WITH_VOLUME ? SYN_SPRINGS_MODULI : SYN_SPRINGS_PLANE;
  options.damping_s = self->variant == DAMPED ? 0.01 : 0;
  options.material = (syn_material){1, 0.3, 1000};
  moved_body *body = calloc(1, sizeof *body);
  if (!body) abort();
  const syn_status status = syn_molecules_create(scene->context, &m, &options, &body->soft, error);
  free(from);
  if (status != SYN_OK) {
    close_body(body);
    return NULL;
  }
  body->damped = self->variant == DAMPED;
  body->x = malloc(COUNT * sizeof *body->x);
  body->v = malloc(COUNT * sizeof *body->v);
  body->f = malloc(COUNT * sizeof *body->f);
  if (!body->x || !body->v || !body->f) abort();
  for (uint32_t i = 0; i < COUNT; ++i) {
    const syn_vec3 p = syn_soft_rest(body->soft)[i];
    body->v[i] = vec3(sin(p.y), cos(p.z), sin(p.x));
    body->x[i] = vec3_madd(p, 0.2, body->v[i]);
  }
  return body;
}

static void ask_body(void *state, const syn_pose *pose, bench_answer *answer) {
  const moved_body *body = state;
  (void)pose;
  syn_soft_forces(body->soft, body->x, body->damped ? body->v : NULL, body->f);
  answer->depth_mm = NAN;
  answer->count = syn_molecules_connections(body->soft, NULL, NULL);
}

/* ---- the part ------------------------------------------------------------------------------------------------------
 */

syn_status bench_tissue_molecules(bench_run *run, syn_error *error) {
  (void)error;
  if (!bench_wants(run, "molecules")) return SYN_OK;
  static const char *const names[] = {"springs", "springs and damping", "springs and volume"};
  const syn_pose nowhere = syn_pose_identity();
  for (int k = SPRINGS; k <= WITH_VOLUME; ++k) {
    const bench_scene scene = {.name = names[k], .context = run->context, .poses = &nowhere, .pose_count = 1};
    const bench_contender ours = {.name = "synovia",
                                  .detail = names[k],
                                  .query = "molecules",
                                  .variant = k,
                                  .open = open_body,
                                  .ask = ask_body,
                                  .close = close_body};
    bench_row *row = bench_compare(run, &scene, &ours, 1);
    if (row) row->per_second = 1e3 * SPRINGS_IN_ALL / row->ours_ms;
  }
  return SYN_OK;
}
