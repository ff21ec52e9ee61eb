/* Runs the finite element method and stores its steps. */
#include "pressure/run/checkpoint.h"

static void keep_stress(const syn_pressure_surface *surface, const syn_sym3 *stress, size_t step) {
  const size_t count = surface->mesh->vertex_count;
  for (size_t i = 0; i < count; ++i)
    surface->von_mises_mpa[step * count + i] = stress ? syn_sym3_von_mises(&stress[surface->nodes[i]]) : (double)NAN;
}

/* Finds the node below each node in its column of hexahedra; NULL for tetrahedra. */
static syn_status find_below(const syn_layer *layer, uint32_t **below, syn_error *error) {
  *below = NULL;
  if (layer->edge_nodes) return SYN_OK;
  SYN_TRY(SYN_NEW(layer->context, below, layer->node_count, error));
  for (uint32_t i = 0; i < layer->node_count; ++i) (*below)[i] = SYN_NONE;
  for (size_t e = 0; e < layer->element_count; ++e)
    for (int c = 0; c < 4; ++c) (*below)[layer->elements[8 * e + 4 + c]] = layer->elements[8 * e + c];
  return SYN_OK;
}

/* Returns NAN for tetrahedra, which have no columns. */
static syn_status find_strain(const syn_pressure *p, const pressure_fields *fields, double *strain, syn_error *error) {
  *strain = NAN;
  for (int k = 0; k < 2; ++k) {
    const syn_layer *layer = k ? &p->head : &p->socket;
    uint32_t *below;
    SYN_TRY(find_below(layer, &below, error));
    if (!below) continue;
    const double of_layer =
        syn_pressure_column_strain(layer, below, fields->solution.positions[k], fields->solution.pressure_mpa[k]);
    if (!(*strain >= of_layer)) *strain = of_layer;
    syn_free(p->context, below);
  }
  return SYN_OK;
}

static syn_status keep(void *user, const syn_pressure_step *step, const pressure_fields *fields, syn_error *error) {
  syn_pressure *p = user;
  const size_t at = p->step_count;
  p->steps[at] = *step;
  SYN_TRY(find_strain(p, fields, &p->steps[at].strain, error));
  for (int k = 0; k < 2; ++k) {
    const syn_pressure_surface *s = &p->surfaces[k];
    syn_pressure_keep_field(s, fields->solution.pressure_mpa[k], at, s->pressure_mpa);
    syn_pressure_keep_field(s, fields->solution.gap_mm[k], at, s->gap_mm);
    keep_stress(s, fields->stress[k], at);
  }
  if (fields->comparison) {
    p->compared = true;
    p->comparison = *fields->comparison;
  }
  p->step_count = at + 1;
  return syn_pressure_tell(p, error);
}

/* Elements need a mass density, which an equilibrium does not use: any value will do if none is published. */
static void complete(syn_layer *layer) {
  for (uint32_t r = 0; r < layer->region_count; ++r)
    if (isnan(layer->regions[r].material.density_kg_m3)) layer->regions[r].material.density_kg_m3 = 1000;
}

static syn_status run_loop(syn_pressure *p, const syn_pressure_options *options, const pressure_resume *resume,
                           syn_error *error) {
  const fem_loop loop = {.context = p->context,
                         .layers = {&p->socket, &p->head},
                         .center = p->hip_case->hip.center,
                         .poses = p->loads.poses,
                         .count = p->loads.count,
                         .options = &options->fem,
                         .resume = resume,
                         .report = keep,
                         .user = p};
  return syn_pressure_fem_run(&loop, error);
}

/* Resumes from a checkpoint. It stays on disk until the results are written: a run may be killed while it writes
 * them. */
static syn_status resume_loop(syn_pressure *p, const syn_pressure_options *options, syn_error *error) {
  pressure_checkpoint checkpoint = {.pressure = p, .path = options->checkpoint, .ranks = options->fem.contact.ranks};
  syn_status status = syn_pressure_checkpoint_open(&checkpoint, options, options->restart, error);
  if (!status) {
    const pressure_resume resume = syn_pressure_checkpoint_resume(&checkpoint);
    p->continued_at = resume.done;
    status = run_loop(p, options, &resume, error);
  }
  syn_pressure_checkpoint_release(&checkpoint);
  return status;
}

static syn_status run_fem(syn_pressure *p, const syn_pressure_options *options, syn_error *error) {
  complete(&p->socket);
  complete(&p->head);
  SYN_TRY(syn_pressure_back_bone(&p->socket, error));
  SYN_TRY(syn_pressure_back_bone(&p->head, error));
  return options->checkpoint ? resume_loop(p, options, error) : run_loop(p, options, NULL, error);
}

const pressure_method syn_pressure_by_fem = {
    .about = {"fem", "finite elements: the layers deform, and slide on each other without friction"},
    .needs_layers = true,
    .knows_stress = true,
    .run = run_fem};
