/* Computes the envelope of a hip: the regions of its bones that touch, and a table. */
#include <math.h>
#include <stdio.h>

#include "base/files/file.h"
#include "base/text.h"
#include "base/vec.h"
#include "clinic/rom/hip_rom.h"

/* ---- limits of its rotations ------------------------------------------------------------------------------------- */

typedef struct naming {
  const syn_hip *hip;
  const syn_anatomy *anatomy;
  syn_contact_place *places, *external_places; /* of each cell */
} naming;

static void name_cell(void *user, size_t cell, const syn_limit *inward, const syn_limit *outward) {
  const naming *n = user;
  n->places[cell] = syn_limit_place(n->hip, n->anatomy, inward);
  n->external_places[cell] = syn_limit_place(n->hip, n->anatomy, outward);
}

static syn_status name_places(const syn_context *context, const syn_rom *rom, const rom_grid *grid, naming *n,
                              syn_envelope **envelope, syn_error *error) {
  const rom_observer observer = {n, name_cell};
  const size_t count = (size_t)grid->flexion_count * grid->adduction_count;
  SYN_TRY(SYN_NEW(context, &n->places, count, error));
  SYN_TRY(SYN_NEW(context, &n->external_places, count, error));
  return syn_envelope_observed(context, rom, grid, &observer, envelope, error);
}

syn_status syn_hip_envelope_create(const syn_context *context, const syn_hip *hip, const syn_anatomy *anatomy,
                                   const syn_rom *rom, const syn_envelope_options *options, syn_envelope **envelope,
                                   syn_error *error) {
  naming n = {.hip = hip, .anatomy = anatomy};
  rom_grid grid;
  *envelope = NULL;
  if (!anatomy) return syn_envelope_create(context, rom, options, envelope, error);
  SYN_TRY(syn_envelope_grid(options, &grid, error));
  const syn_status status = name_places(context, rom, &grid, &n, envelope, error);
  if (status != SYN_OK) {
    syn_free(context, n.places);
    syn_free(context, n.external_places);
    return status;
  }
  (*envelope)->places = n.places;
  (*envelope)->external_places = n.external_places;
  return SYN_OK;
}
