/* Writes and reads checkpoints: steps, fields and the state of contact, as in memory. A checkpoint of another
 * problem, version or machine is not used, nor a damaged one. The whole file is written after each step. */
#include "pressure/run/pressure_run.h"

#include <stdio.h>
#include <string.h>

#include "base/files/sealed_file.h"
#include "pressure/contact/contact_problem.h"
#include "pressure/layer/layer.h"

/* Changes with the layout of the file. */
static const char MAGIC[8] = "SYNPRE4";

typedef struct header {
  char magic[8], digits[72], version[16];
  uint64_t order;              /* 1 in this machine's byte order */
  uint64_t step_count, fields; /* numbers of one step */
  uint64_t compared;
  syn_contact_comparison comparison;
} header;

/* ---- which problem -------------------------------------------------------------------------------------------------
 */

static void add_layer(syn_sha256 *sha, const syn_layer *layer) {
  const uint32_t counts[4] = {layer->node_count, layer->element_count, layer->face_count, layer->region_count};
  syn_sha256_add(sha, counts, sizeof counts);
  if (layer->node_count > 0) syn_sha256_add(sha, layer->nodes, layer->node_count * sizeof *layer->nodes);
  if (layer->on_bone) syn_sha256_add(sha, layer->on_bone, layer->node_count);
  if (layer->element_count > 0) {
    syn_sha256_add(sha, layer->elements, layer_element_nodes(layer) * layer->element_count * sizeof *layer->elements);
    syn_sha256_add(sha, layer->element_region, layer->element_count);
  }
  if (layer->face_count > 0) syn_sha256_add(sha, layer->faces, layer->face_count * sizeof *layer->faces);
  for (uint32_t r = 0; r < layer->region_count; ++r) {
    const syn_material *m = &layer->materials[r];
    const double numbers[3] = {m->young_mpa, m->poisson, m->density_kg_m3};
    syn_sha256_add(sha, numbers, sizeof numbers);
  }
}

static void find_digits(pressure_checkpoint *c, const syn_pressure_fem_options *fem) {
  const syn_pressure *p = c->pressure;
  syn_sha256 sha = syn_sha256_start();
  const syn_contact_options *o = &fem->contact;
  const double numbers[6] = {(double)fem->law, o->tolerance, o->overlap, o->small, o->iterations, o->cuts};
  syn_sha256_add(&sha, numbers, sizeof numbers);
  add_layer(&sha, &p->socket);
  add_layer(&sha, &p->head);
  syn_sha256_add(&sha, &p->hip_case->hip.center, sizeof p->hip_case->hip.center);
  for (size_t i = 0; i < p->loads.count; ++i) {
    const syn_load_step *l = &p->loads.poses[i];
    syn_sha256_add(&sha, &l->pose, sizeof l->pose);
    syn_sha256_add(&sha, &l->force, sizeof l->force);
  }
  syn_sha256_finish(&sha, c->digits);
}

/* ---- fields --------------------------------------------------------------------------------------------------------
 */

enum { SURFACE_FIELDS = 3 };

static size_t vertices_of(const syn_pressure *p, int surface) { return p->surfaces[surface].mesh->vertex_count; }

static uint64_t numbers_of_step(const syn_pressure *p) {
  return SURFACE_FIELDS * (uint64_t)(vertices_of(p, 0) + vertices_of(p, 1));
}

static header describe(const pressure_checkpoint *c, size_t step_count) {
  header h;
  memset(&h, 0, sizeof h); /* the padding between members, too */
  h.order = 1;
  h.step_count = step_count;
  h.fields = numbers_of_step(c->pressure);
  h.compared = c->pressure->compared;
  h.comparison = c->pressure->comparison;
  memcpy(h.magic, MAGIC, sizeof h.magic);
  memcpy(h.digits, c->digits, sizeof c->digits);
  snprintf(h.version, sizeof h.version, "%s", syn_version());
  return h;
}

/* Returns field `f` of a surface, for all steps. */
static double *field_of(const syn_pressure *p, int surface, int f) {
  const syn_pressure_surface *s = &p->surfaces[surface];
  return f == 0 ? s->pressure_mpa : f == 1 ? s->gap_mm : s->von_mises_mpa;
}

/* ---- writing -------------------------------------------------------------------------------------------------------
 */

static syn_status keep(void *user, const syn_contact_problem *problem, syn_error *error) {
  const pressure_checkpoint *c = user;
  const syn_pressure *p = c->pressure;
  syn_sealed_output out;
  if (c->ranks && syn_ranks_rank(c->ranks) > 0) return SYN_OK;
  const header h = describe(c, p->step_count);
  SYN_TRY(syn_sealed_open(p->context, c->path, &out, error));
  fwrite(&h, sizeof h, 1, out.stream);
  fwrite(p->steps, sizeof *p->steps, p->step_count, out.stream);
  for (int k = 0; k < 2; ++k)
    for (int f = 0; f < SURFACE_FIELDS; ++f)
      fwrite(field_of(p, k, f), sizeof(double), p->step_count * vertices_of(p, k), out.stream);
  syn_contact_write_state(problem, out.stream);
  return syn_sealed_commit(&out, error);
}

/* ---- reading -------------------------------------------------------------------------------------------------------
 */

static bool fits(const pressure_checkpoint *c, const char *bytes, size_t size, header *found) {
  if (size < sizeof *found) return false;
  memcpy(found, bytes, sizeof *found);
  header expected = describe(c, found->step_count);
  expected.compared = found->compared;
  expected.comparison = found->comparison;
  if (memcmp(found, &expected, sizeof *found) != 0) return false;
  return found->step_count > 0 && found->step_count <= c->pressure->loads.count &&
         size > sizeof *found + found->step_count * (sizeof(syn_pressure_step) + found->fields * sizeof(double));
}

static const char *take(const char *from, void *to, size_t size) {
  memcpy(to, from, size);
  return from + size;
}

static syn_status take_all(pressure_checkpoint *c, const char *bytes, size_t size, const header *h, syn_error *error) {
  syn_pressure *p = c->pressure;
  const char *at = take(bytes + sizeof *h, p->steps, h->step_count * sizeof *p->steps);
  for (int k = 0; k < 2; ++k)
    for (int f = 0; f < SURFACE_FIELDS; ++f)
      at = take(at, field_of(p, k, f), h->step_count * vertices_of(p, k) * sizeof(double));
  c->state_size = size - (size_t)(at - bytes);
  SYN_TRY(SYN_NEW(p->context, &c->state, c->state_size, error));
  memcpy(c->state, at, c->state_size);
  p->compared = h->compared != 0;
  p->comparison = h->comparison;
  p->step_count = h->step_count;
  return SYN_OK;
}

/* All ranks must have read the same number of steps, or all start again. */
static syn_status agree(pressure_checkpoint *c, syn_error *error) {
  if (!c->ranks) return SYN_OK;
  const double own = (double)c->pressure->step_count;
  double mean = own / syn_ranks_size(c->ranks);
  SYN_TRY(syn_ranks_sum(c->ranks, &mean, error));
  double apart = fabs(own - mean) > 1e-9 * mean ? 1 : 0;
  SYN_TRY(syn_ranks_sum(c->ranks, &apart, error));
  if (apart == 0) return SYN_OK;
  c->pressure->step_count = 0;
  c->pressure->compared = false;
  return SYN_OK;
}

static syn_status read_checkpoint(pressure_checkpoint *c, syn_error *error) {
  char *bytes;
  size_t size;
  bool is_whole;
  header h;
  const syn_context *context = c->pressure->context;
  syn_status status = syn_sealed_read(context, c->path, &bytes, &size, &is_whole, error);
  if (status == SYN_NOT_FOUND) return SYN_OK;
  SYN_TRY(status);
  /* Use the file only if it is complete and of this problem. */
  if (is_whole && fits(c, bytes, size, &h))
    status = take_all(c, bytes, size, &h, error);
  else
    syn_warn(context, "%s is damaged, or of another problem or version: the motion starts from its begin", c->path);
  syn_free(context, bytes);
  return status;
}

/* Rank 0 writes the file, and removes it. */
static syn_status note_path(const pressure_checkpoint *c, syn_error *error) {
  syn_pressure *p = c->pressure;
  if (c->ranks && syn_ranks_rank(c->ranks) > 0) return SYN_OK;
  SYN_TRY(SYN_NEW(p->context, &p->checkpoint, strlen(c->path) + 1, error));
  strcpy(p->checkpoint, c->path);
  return SYN_OK;
}

syn_status syn_pressure_checkpoint_open(pressure_checkpoint *c, const syn_pressure_options *options, bool restart,
                                        syn_error *error) {
  find_digits(c, &options->fem);
  SYN_TRY(note_path(c, error));
  if (!restart) SYN_TRY(read_checkpoint(c, error));
  return agree(c, error);
}

void syn_pressure_checkpoint_release(pressure_checkpoint *c) { syn_free(c->pressure->context, c->state); }

static syn_status restore(void *user, syn_contact_problem *problem, syn_error *error) {
  const pressure_checkpoint *c = user;
  return syn_contact_read_state(problem, c->state, c->state_size, error);
}

pressure_resume syn_pressure_checkpoint_resume(pressure_checkpoint *c) {
  const syn_pressure *p = c->pressure;
  return (pressure_resume){.user = c, .done = p->step_count, .steps = p->steps, .restore = restore, .keep = keep};
}
