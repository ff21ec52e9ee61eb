/* A run by finite elements. */
#include "pressure/run/checkpoint.h"

static void keep_stress(const syn_pressure_surface *surface, const syn_sym3 *stress, size_t step) {
  const size_t count = surface->mesh->vertex_count;
  for (size_t i = 0; i < count; ++i)
    surface->von_mises_mpa[step * count + i] = stress ? syn_sym3_von_mises(&stress[surface->nodes[i]]) : (double)NAN;
}

static syn_status keep(void *user, const syn_pressure_step *step, const syn_pressure_fields *fields, syn_error *error) {
  syn_pressure *p = user;
  const size_t at = p->step_count;
  p->steps[at] = *step;
  for (int k = 0; k < 2; ++k) {
    const syn_pressure_surface *s = &p->surfaces[k];
    pressure_keep_field(s, fields->pressure_mpa[k], at, s->pressure_mpa);
    pressure_keep_field(s, fields->gap_mm[k], at, s->gap_mm);
    keep_stress(s, fields->stress[k], at);
  }
  if (fields->comparison) {
    p->compared = true;
    p->comparison = *fields->comparison;
  }
  p->step_count = at + 1;
  return pressure_tell(p, error);
}

/* Elements have a mass, which an equilibrium does not need: any will do where none is published. */
static void complete(syn_layer *layer) {
  for (uint32_t r = 0; r < layer->region_count; ++r)
    if (isnan(layer->regions[r].material.density_kg_m3)) layer->regions[r].material.density_kg_m3 = 1000;
}

static syn_status go(syn_pressure *p, const syn_pressure_options *options, const pressure_resume *resume,
                     syn_error *error) {
  return pressure_fem_run(p->context, &p->socket, &p->head, p->hip_case->hip.center, p->loads.poses, p->loads.count,
                          &options->fem, resume, keep, p, error);
}

/* What was reached stays on disk until the results are there: a run may be killed while it writes them. */
static syn_status go_on(syn_pressure *p, const syn_pressure_options *options, syn_error *error) {
  pressure_checkpoint checkpoint = {.pressure = p, .path = options->checkpoint, .team = options->fem.contact.team};
  syn_status status = pressure_checkpoint_open(&checkpoint, options, options->restart, error);
  if (!status) {
    const pressure_resume resume = pressure_checkpoint_resume(&checkpoint);
    p->continued_at = resume.done;
    status = go(p, options, &resume, error);
  }
  pressure_checkpoint_release(&checkpoint);
  return status;
}

static syn_status run_fem(syn_pressure *p, const syn_pressure_options *options, syn_error *error) {
  complete(&p->socket);
  complete(&p->head);
  SYN_TRY(pressure_back_bone(&p->socket, error));
  SYN_TRY(pressure_back_bone(&p->head, error));
  return options->checkpoint ? go_on(p, options, error) : go(p, options, NULL, error);
}

const pressure_method pressure_by_fem = {
    .about = {"fem", "finite elements: the layers deform, and slide on each other without friction"},
    .needs_layers = true,
    .knows_stress = true,
    .run = run_fem};
