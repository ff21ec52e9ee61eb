/* Hertz's contact, R 8 mm, E 1000 MPa, nu 0.3 on a rigid plane under 60 pi N, on a mesh of 3,150 nodes: ours, and
 * CalculiX with the very same mesh. Errors are of the highest pressure, 88.29 MPa. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "calculix.h"
#include "hertz_mesh.h"
#include "pressure/pressure.h"
#include "solve/block_matrix.h"

static const double highest_mpa = 88.29;

static syn_status make_contact_problem(const syn_context *context, const hertz_mesh *body, syn_soft **soft,
                                       syn_contact_problem **problem, syn_error *error) {
  static const syn_vec3 plane[4] = {{-1, -1, 0}, {200, -1, 0}, {200, 200, 0}, {-1, 200, 0}};
  static const uint32_t face[4] = {0, 1, 2, 3};
  const syn_contact_body fixed = {.node_count = 4, .nodes = plane, .face_count = 1, .face_nodes = 4, .faces = face};
  syn_soft_options options = syn_default_soft_options();
  options.law = SYN_LAW_LINEAR;
  options.material = (syn_material){1000, 0.3, 1000};
  syn_contact_options how = syn_default_contact_options();
  how.small = true;
  SYN_TRY(syn_soft_fem_create(context, &body->mesh, &options, soft, error));
  const syn_contact_body mobile = {
      .soft = *soft, .held = body->held, .face_count = body->face_count, .face_nodes = 4, .faces = body->faces};
  return syn_contact_problem_create(context, &fixed, &mobile, &how, problem, error);
}

static syn_load_step quarter_load(void) {
  return (syn_load_step){.pose = syn_pose_identity(), .driven = SYN_X | SYN_Y, .force = {0, 0, -15 * SYN_PI}};
}

/* From the mesh to the pressure; `input` (NULL: none) is written for CalculiX. */
static syn_status press(const syn_context *context, const hertz_mesh *body, const char *input, double *peak,
                        syn_error *error) {
  syn_soft *soft = NULL;
  syn_contact_problem *problem = NULL;
  const syn_load_step load = quarter_load();
  syn_status status = make_contact_problem(context, body, &soft, &problem, error);
  if (!status && input) status = syn_contact_problem_write(problem, &load, input, error);
  if (!status && !input) status = syn_contact_problem_solve(problem, &load, error);
  *peak = 0;
  for (uint32_t i = 0; !status && !input && i < body->mesh.node_count; ++i)
    *peak = max2(*peak, syn_contact_problem_solution(problem).pressure_mpa[1][i]);
  syn_contact_problem_destroy(problem);
  syn_soft_destroy(soft);
  return status;
}

/* ---- CalculiX ------------------------------------------------------------------------------------------------------
 */

static double peak_in(const char *path) {
  char line[256];
  double peak = NAN;
  bool there = false;
  FILE *from = fopen(path, "r");
  while (from && fgets(line, sizeof line, from)) {
    unsigned element, face;
    double pressure;
    there |= strstr(line, "contact stress") != NULL;
    if (there && sscanf(line, "%u %u %lf", &element, &face, &pressure) == 3 && !(pressure <= peak)) peak = pressure;
  }
  if (from) fclose(from);
  return peak;
}

static syn_status run_calculix(bench_run *run, const hertz_mesh *body, bench_row *row, syn_error *error) {
  bench_calculix c;
  double unused, peak = NAN;
  SYN_TRY(bench_calculix_open(&c, error));
  const syn_status status = press(run->context, body, c.input, &unused, error);
  if (!status && bench_calculix_run(run, "hertz", &c)) peak = peak_in(c.output);
  bench_calculix_close(run, &c);
  if (status || !isfinite(peak)) return status;
  snprintf(row->peer, sizeof row->peer, "calculix");
  row->peer_ms = c.ms;
  row->peer_error_percent = 100 * fabs(peak / highest_mpa - 1);
  return SYN_OK;
}

/* ---- the query -----------------------------------------------------------------------------------------------------
 */

static syn_status measure(bench_run *run, const hertz_mesh *body, bench_row *row, syn_error *error) {
  bench_samples samples = {.count = 0};
  double peak = 0;
  while (samples.count < 3) {
    const double start = bench_now_ms();
    SYN_TRY(press(run->context, body, NULL, &peak, error));
    samples.ms[samples.count++] = bench_now_ms() - start;
  }
  row->ours_ms = bench_median(&samples);
  row->error_percent = 100 * fabs(peak / highest_mpa - 1);
  row->ours_answer.count = body->mesh.node_count;
  return run->peers ? run_calculix(run, body, row, error) : SYN_OK;
}

syn_status bench_pressure_hertz(bench_run *run, syn_error *error) {
  if (!bench_wants(run, "hertz")) return SYN_OK;
  hertz_mesh body = make_hertz_body(8, 100, 14, 7, 1.2, 13);
  bench_row row = bench_empty_row("ball on a plane", "hertz");
  snprintf(row.ours, sizeof row.ours, "fem");
  const syn_status status = measure(run, &body, &row, error);
  if (!status) bench_add_row(run, &row);
  drop_hertz_mesh(&body);
  return status;
}
