/* A beam of linear hexahedra that is fixed at one end and pushed at the other, in equilibrium: ours, and CalculiX with
 * the very same mesh, from the mesh to the displacements, each on one thread. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "calculix.h"
#include "tissue/tissue.h"

enum { ACROSS = 16, ALONG = 64, SAMPLES = 3 };
enum { NODES = (ACROSS + 1) * (ACROSS + 1) * (ALONG + 1), CELLS = ACROSS * ACROSS * ALONG };
static const double width_mm = 10, young_mpa = 1000, poisson = 0.3, push_n = 1;

typedef struct beam {
  syn_vec3 nodes[NODES];
  uint32_t cells[8 * CELLS];
} beam;

static uint32_t node_at(uint32_t x, uint32_t y, uint32_t z) { return (x * (ACROSS + 1) + y) * (ACROSS + 1) + z; }

static void make_beam(beam *b) {
  const double step = width_mm / ACROSS;
  for (uint32_t i = 0; i < NODES; ++i) {
    const uint32_t in_layer = i % ((ACROSS + 1) * (ACROSS + 1));
    b->nodes[i] = vec3(step * (i / ((ACROSS + 1) * (ACROSS + 1))), step * (in_layer / (ACROSS + 1)),
                       step * (in_layer % (ACROSS + 1)));
  }
  for (uint32_t c = 0; c < CELLS; ++c) {
    const uint32_t x = c / (ACROSS * ACROSS), y = c / ACROSS % ACROSS, z = c % ACROSS;
    const uint32_t corners[8] = {
        node_at(x, y, z),     node_at(x + 1, y, z),     node_at(x + 1, y + 1, z),     node_at(x, y + 1, z),
        node_at(x, y, z + 1), node_at(x + 1, y, z + 1), node_at(x + 1, y + 1, z + 1), node_at(x, y + 1, z + 1)};
    memcpy(&b->cells[8 * c], corners, sizeof corners);
  }
}

static bool is_first(uint32_t node) { return node < (ACROSS + 1) * (ACROSS + 1); }
static bool is_last(uint32_t node) { return node >= NODES - (ACROSS + 1) * (ACROSS + 1); }
static const double share_n = 1.0 / ((ACROSS + 1) * (ACROSS + 1)); /* of the push, at every node of the end */

/* ---- ours ----------------------------------------------------------------------------------------------------------
 */

static syn_status settle(syn_simulation *s, syn_soft *soft, double *deflection, syn_error *error) {
  uint32_t body;
  SYN_TRY(syn_simulation_add_soft(s, soft, NULL, &body, error));
  for (uint32_t i = 0; i < NODES; ++i) {
    if (is_first(i)) SYN_TRY(syn_simulation_prescribe(s, body, i, 7, SYN_NONE, error));
    if (is_last(i)) syn_simulation_load(s, body, i, vec3(0, 0, push_n * share_n));
  }
  SYN_TRY(syn_simulation_step(s, error));
  *deflection = syn_simulation_positions(s, body)[NODES - 1].z - width_mm;
  return SYN_OK;
}

static syn_status solve(const bench_run *run, const beam *b, double *deflection, syn_error *error) {
  const syn_fem_mesh mesh = {.element = SYN_ELEMENT_HEX8,
                             .node_count = NODES,
                             .nodes = b->nodes,
                             .element_count = CELLS,
                             .elements = b->cells,
                             .plain = true};
  syn_soft_options material = syn_default_soft_options();
  material.law = SYN_LAW_LINEAR;
  material.material = (syn_material){young_mpa, poisson, 1000};
  syn_simulation_options options = syn_default_simulation_options();
  options.integrator = SYN_INTEGRATOR_STATIC;
  syn_soft *soft;
  syn_simulation *simulation = NULL;
  SYN_TRY(syn_soft_fem_create(run->context, &mesh, &material, &soft, error));
  syn_status status = syn_simulation_create(run->context, &options, &simulation, error);
  if (!status) status = settle(simulation, soft, deflection, error);
  syn_simulation_destroy(simulation);
  syn_soft_destroy(soft);
  return status;
}

/* ---- CalculiX ------------------------------------------------------------------------------------------------------
 */

static void write_input(FILE *to, const beam *b) {
  fprintf(to, "*NODE,NSET=NALL\n");
  for (uint32_t i = 0; i < NODES; ++i)
    fprintf(to, "%u,%.12g,%.12g,%.12g\n", i + 1, b->nodes[i].x, b->nodes[i].y, b->nodes[i].z);
  fprintf(to, "*ELEMENT,TYPE=C3D8,ELSET=ALL\n");
  for (uint32_t c = 0; c < CELLS; ++c) {
    fprintf(to, "%u", c + 1);
    for (int k = 0; k < 8; ++k) fprintf(to, ",%u", b->cells[8 * c + (uint32_t)k] + 1);
    fprintf(to, "\n");
  }
  fprintf(to, "*MATERIAL,NAME=M\n*ELASTIC\n%g,%g\n*SOLID SECTION,ELSET=ALL,MATERIAL=M\n*BOUNDARY\n", young_mpa,
          poisson);
  for (uint32_t i = 0; is_first(i); ++i) fprintf(to, "%u,1,3\n", i + 1);
  fprintf(to, "*STEP\n*STATIC\n*CLOAD\n");
  for (uint32_t i = 0; i < NODES; ++i)
    if (is_last(i)) fprintf(to, "%u,3,%.12g\n", i + 1, push_n * share_n);
  fprintf(to, "*NODE PRINT,NSET=NALL\nU\n*END STEP\n");
}

static double deflection_in(const char *path) {
  char line[256];
  double found = NAN, u[3];
  unsigned node;
  FILE *from = fopen(path, "r");
  while (from && fgets(line, sizeof line, from))
    if (sscanf(line, "%u %lf %lf %lf", &node, &u[0], &u[1], &u[2]) == 4 && node == NODES) found = u[2];
  if (from) fclose(from);
  return found;
}

static syn_status run_calculix(const bench_run *run, const beam *b, bench_row *row, syn_error *error) {
  bench_calculix c;
  SYN_TRY(bench_calculix_open(&c, error));
  FILE *to = fopen(c.input, "w");
  if (to) {
    write_input(to, b);
    fclose(to);
  }
  const double deflection = bench_calculix_run(run, row->query, &c) ? deflection_in(c.output) : (double)NAN;
  bench_calculix_close(run, &c);
  if (!isfinite(deflection)) return SYN_OK;
  snprintf(row->peer, sizeof row->peer, "calculix");
  row->peer_ms = c.ms;
  row->peer_answer.depth_mm = deflection;
  row->peer_answer.count = NODES;
  return SYN_OK;
}

/* ---- the query -----------------------------------------------------------------------------------------------------
 */

static syn_status measure(bench_run *run, const beam *b, bench_row *row, syn_error *error) {
  bench_samples samples = {.count = 0};
  double deflection = 0;
  while (samples.count < SAMPLES) {
    const double start = bench_now_ms();
    SYN_TRY(solve(run, b, &deflection, error));
    samples.ms[samples.count++] = bench_now_ms() - start;
  }
  row->ours_ms = bench_median(&samples);
  row->ours_answer.depth_mm = deflection;
  row->ours_answer.count = NODES;
  return run->peers ? run_calculix(run, b, row, error) : SYN_OK;
}

syn_status bench_tissue_static(bench_run *run, syn_error *error) {
  if (!bench_wants(run, "fem-static")) return SYN_OK;
  beam *b = malloc(sizeof *b);
  if (!b) abort();
  make_beam(b);
  bench_row row = bench_empty_row("beam", "fem-static");
  snprintf(row.ours, sizeof row.ours, "fem");
  const syn_status status = measure(run, b, &row, error);
  if (!status) bench_add_row(run, &row);
  free(b);
  return status;
}
