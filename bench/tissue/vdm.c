/* Equilibria of a body of 5,000 nodes of the volume distribution method, of which a probe moves some: solutions per
 * second on one thread. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "tissue/tissue.h"

enum { SIDE = 29 }; /* squares along each edge of a cube: 5,048 nodes */
static const double edge_mm = 40, probe_mm = 8, deepest_mm = 4;

typedef struct probed_body {
  syn_soft *soft;
  syn_vec3 *x;
  uint32_t asked;
} probed_body;

static void close_body(void *state) {
  probed_body *body = state;
  syn_soft_destroy(body->soft);
  free(body->x);
  free(body);
}

/* Moduli of the graft in Sundaraj 2004, Table 6.2. */
static void *open_body(const bench_contender *self, const bench_scene *scene, syn_error *error) {
  syn_soft_options options = syn_default_soft_options();
  options.material = (syn_material){1, 0.45, 1055};
  options.bulk_mpa = 0.3;
  options.connectivity_mpa = 0.004;
  options.vdm_solver = (syn_vdm_solver)self->variant;
  probed_body *body = calloc(1, sizeof *body);
  if (!body) abort();
  if (syn_soft_create(scene->context, "vdm", &scene->fixed, &options, &body->soft, error) != SYN_OK) {
    close_body(body);
    return NULL;
  }
  body->x = malloc(syn_soft_node_count(body->soft) * sizeof *body->x);
  if (!body->x) abort();
  return body;
}

/* The bottom is fixed; a round probe pushes the middle of the top, deeper and back again. */
static void ask_body(void *state, const syn_pose *pose, bench_answer *answer) {
  probed_body *body = state;
  (void)pose;
  const double depth = deepest_mm * fabs(sin(0.1 * ++body->asked));
  const syn_vec3 *rest = syn_soft_rest(body->soft);
  syn_vdm_report report;
  for (uint32_t i = 0; i < syn_soft_node_count(body->soft); ++i) {
    const bool bottom = rest[i].z<-edge_mm / 2 + 1e-9, top = rest[i].z> edge_mm / 2 - 1e-9;
    if (!bottom && !(top && hypot(rest[i].x, rest[i].y) < probe_mm)) continue;
    const syn_vec3 way = vec3(0, 0, bottom ? 0 : -depth);
    if (syn_vdm_prescribe(body->soft, i, SYN_XYZ, SYN_VDM_CONSTRAINED, way, NULL) != SYN_OK) abort();
  }
  if (syn_vdm_solve(body->soft, body->x, &report, NULL) != SYN_OK) abort();
  answer->depth_mm = NAN;
  answer->count = syn_soft_node_count(body->soft);
}

static void race(bench_run *run, const syn_body *cube, syn_vdm_solver solver) {
  syn_pose nowhere[20];
  for (size_t i = 0; i < sizeof nowhere / sizeof *nowhere; ++i) nowhere[i] = syn_pose_identity();
  const bench_scene scene = {.name = syn_vdm_solver_name(solver),
                             .context = run->context,
                             .fixed = *cube,
                             .poses = nowhere,
                             .pose_count = sizeof nowhere / sizeof *nowhere};
  const bench_contender ours = {.name = "synovia",
                                .detail = syn_vdm_solver_name(solver),
                                .query = "vdm-5000",
                                .variant = (int)solver,
                                .open = open_body,
                                .ask = ask_body,
                                .close = close_body};
  bench_row *row = bench_compare(run, &scene, &ours, 1);
  if (row) row->per_second = 1e3 / row->ours_ms;
}

syn_status bench_tissue_vdm(bench_run *run, syn_error *error) {
  if (!bench_wants(run, "vdm-5000")) return SYN_OK;
  const syn_shape_value values[] = {{"edge", edge_mm}, {"cells", SIDE}};
  syn_joint *shape;
  const syn_status status = syn_shape_create(run->context, "cube", values, 2, &shape, error);
  if (status != SYN_OK) return status;
  for (syn_vdm_solver solver = 0; solver < SYN_VDM_SOLVERS; ++solver) race(run, &shape->bodies[0], solver);
  syn_joint_destroy(shape);
  return SYN_OK;
}
