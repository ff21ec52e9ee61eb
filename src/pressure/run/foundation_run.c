/* Runs the elastic foundation and stores its steps. */
#include "pressure/run/run.h"

typedef struct foundation_run {
  syn_pressure *pressure;
  syn_foundation *foundation;
  void *scratch;
  double *values[2]; /* for the nodes of the larger layer: pressure and gap */
} foundation_run;

static void keep_fields(const foundation_run *run, size_t step) {
  syn_pressure_surface *socket = &run->pressure->surfaces[0], *head = &run->pressure->surfaces[1];
  syn_foundation_socket_field(run->foundation, run->scratch, run->values[0], run->values[1]);
  syn_pressure_keep_field(socket, run->values[0], step, socket->pressure_mpa);
  syn_pressure_keep_field(socket, run->values[1], step, socket->gap_mm);
  syn_foundation_head_field(run->foundation, run->scratch, run->values[0], run->values[1]);
  syn_pressure_keep_field(head, run->values[0], step, head->pressure_mpa);
  syn_pressure_keep_field(head, run->values[1], step, head->gap_mm);
}

static syn_status go(const foundation_run *run, syn_error *error) {
  syn_pressure *p = run->pressure;
  const syn_vec3 *start = NULL;
  for (size_t i = 0; i < p->loads.count; ++i) {
    SYN_TRY(syn_foundation_solve(run->foundation, &p->loads.poses[i], start, run->scratch, &p->steps[i], error));
    start = &p->steps[i].shift;
    keep_fields(run, i);
    p->step_count = i + 1;
    SYN_TRY(syn_pressure_tell(p, error));
  }
  return SYN_OK;
}

static syn_status run_foundation(syn_pressure *pressure, const syn_pressure_options *options, syn_error *error) {
  const syn_context *context = pressure->context;
  foundation_run run = {.pressure = pressure};
  syn_arena arena = {.context = context};
  const size_t nodes =
      pressure->socket.node_count > pressure->head.node_count ? pressure->socket.node_count : pressure->head.node_count;
  SYN_TRY(syn_foundation_create(context, &pressure->socket, &pressure->head, NULL, pressure->hip_case->hip.center,
                                &options->foundation, &run.foundation, error));
  syn_status status = syn_arena_take(&arena, 1, syn_foundation_scratch(run.foundation), &run.scratch, error);
  for (int k = 0; k < 2 && status == SYN_OK; ++k) status = SYN_TAKE(&arena, &run.values[k], nodes, error);
  if (status == SYN_OK) status = go(&run, error);
  syn_arena_release(&arena);
  syn_foundation_destroy(run.foundation);
  return status;
}

const pressure_method syn_pressure_by_foundation = {
    .about = {"foundation",
              "elastic foundation: every point of the cartilage resists on its own; milliseconds for each pose"},
    .needs_layers = true,
    .run = run_foundation};
