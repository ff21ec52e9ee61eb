/* The envelope of a hip: the free rotation at every flexion and adduction. */
#include <math.h>
#include <stdio.h>

#include "base/file.h"
#include "base/vec.h"
#include "clinic/rom/rom.h"

static const double degrees = SYN_PI / 180;

syn_envelope_options syn_default_envelope_options(void) {
  return (syn_envelope_options){.flexion_from = -30 * degrees,
                                .flexion_to = 130 * degrees,
                                .adduction_from = -60 * degrees,
                                .adduction_to = 40 * degrees,
                                .step = 5 * degrees,
                                .cookie = SYN_COOKIE};
}

typedef struct filling {
  const syn_hip_rom *rom;
  const syn_anatomy *anatomy;
  syn_envelope *envelope;
} filling;

static void store(void *user, size_t cell, const syn_hip_limit *inward, const syn_hip_limit *outward) {
  const filling *f = user;
  const syn_envelope *envelope = f->envelope;
  if (envelope->places) envelope->places[cell] = syn_limit_place(&f->rom->hip, f->anatomy, inward);
  envelope->internal[cell] = inward->angle;
  envelope->external[cell] = outward->angle;
  envelope->limited_by[cell] = (syn_part_pair){(uint8_t)inward->fixed_part, (uint8_t)inward->mobile_part};
}

static syn_status fill(const syn_context *context, const syn_hip_rom *rom, const rom_grid *grid,
                       const syn_anatomy *anatomy, syn_envelope *envelope, syn_error *error) {
  filling f = {rom, anatomy, envelope};
  const size_t count = (size_t)grid->flexion_count * grid->adduction_count;
  SYN_TRY(SYN_NEW(context, &envelope->internal, count, error));
  SYN_TRY(SYN_NEW(context, &envelope->external, count, error));
  SYN_TRY(SYN_NEW(context, &envelope->limited_by, count, error));
  if (anatomy) SYN_TRY(SYN_NEW(context, &envelope->places, count, error));
  return syn_rom_grid_run(context, rom, grid, "envelope of motion", store, &f, error);
}

syn_status syn_envelope_create(const syn_context *context, const syn_hip_rom *rom, const syn_envelope_options *options,
                               syn_envelope **envelope, syn_error *error) {
  const syn_envelope_options standard = syn_default_envelope_options();
  *envelope = NULL;
  if (!options) options = &standard;
  SYN_TRY(SYN_CHECK_OPTIONS(options, syn_default_envelope_options, error));
  rom_grid grid;
  SYN_TRY(syn_rom_grid_make(options->flexion_from, options->flexion_to, options->adduction_from, options->adduction_to,
                            options->step, &grid, error));
  syn_envelope *made;
  SYN_TRY(SYN_NEW_ZEROED(context, &made, 1, error));
  *made = (syn_envelope){.context = context,
                         .flexion_count = grid.flexion_count,
                         .adduction_count = grid.adduction_count,
                         .flexion_from = grid.flexion_from,
                         .adduction_from = grid.adduction_from,
                         .step = grid.step};
  const syn_status status = fill(context, rom, &grid, options->anatomy, made, error);
  if (status != SYN_OK) {
    syn_envelope_destroy(made);
    return status;
  }
  *envelope = made;
  return SYN_OK;
}

void syn_envelope_destroy(syn_envelope *envelope) {
  if (!envelope) return;
  syn_free(envelope->context, envelope->internal);
  syn_free(envelope->context, envelope->external);
  syn_free(envelope->context, envelope->limited_by);
  syn_free(envelope->context, envelope->places);
  syn_free(envelope->context, envelope);
}

/* ---- as a table ---------------------------------------------------------------------------------------------------
 */

static void put_hour(FILE *to, double hour) {
  if (isfinite(hour))
    fprintf(to, ",%.2f", hour);
  else
    fputc(',', to);
}

/* Of the contact that ends the internal rotation; empty where there is none. */
static void put_place(FILE *to, const syn_contact_place *p) {
  const bool femur = p->femur < SYN_FEMUR_REGIONS, pelvis = p->pelvis < SYN_PELVIS_REGIONS;
  fprintf(to, ",%s", femur ? syn_femur_region_name(p->femur) : "");
  put_hour(to, p->femur_hour);
  fprintf(to, ",%s", pelvis ? syn_pelvis_region_name(p->pelvis) : "");
  put_hour(to, p->pelvis_hour);
  fputs(!pelvis ? "," : p->inside_joint ? ",yes" : ",no", to);
}

syn_status syn_envelope_write_csv(const syn_context *context, const syn_envelope *e, const char *path,
                                  syn_error *error) {
  const double per_radian = 180 / SYN_PI;
  syn_output output;
  SYN_TRY(syn_output_open(context, path, &output, error));
  fprintf(output.stream, "flexion_deg,adduction_deg,internal_rotation_deg,external_rotation_deg%s\n",
          e->places ? ",femur_region,femur_clock,pelvis_region,pelvis_clock,inside_joint" : "");
  for (uint32_t f = 0; f < e->flexion_count; ++f)
    for (uint32_t a = 0; a < e->adduction_count; ++a) {
      const uint32_t at = f * e->adduction_count + a;
      fprintf(output.stream, "%g,%g,%.4f,%.4f", (e->flexion_from + e->step * f) * per_radian,
              (e->adduction_from + e->step * a) * per_radian, (double)(float)e->internal[at] * per_radian,
              (double)(float)e->external[at] * per_radian);
      if (e->places) put_place(output.stream, &e->places[at]);
      fputc('\n', output.stream);
    }
  return syn_output_commit(&output, error);
}
