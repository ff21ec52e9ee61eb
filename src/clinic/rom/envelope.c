/* The envelope of a hip: the free rotation at every flexion and adduction. */
#include <math.h>
#include <stdio.h>

#include "base/file.h"
#include "base/text.h"
#include "base/vec.h"
#include "clinic/rom/hip_rom.h"

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
  const syn_hip *hip;
  const syn_anatomy *anatomy;
  syn_envelope *envelope;
} filling;

/* Where the start collides the limit may be that of poses further on, which cannot be reached. */
static double reached(const syn_limit *limit) {
  return limit->state == SYN_LIMIT_NO_FREE_POSE ? (double)NAN : limit->followed;
}

/* Nor is what ends those poses what overlaps at the start. */
static syn_part_pair parts_of(const syn_limit *limit) {
  const bool known = limit->fixed != SYN_NONE && isnan(syn_limit_free_again_deg(limit));
  return (syn_part_pair){(uint8_t)(known ? limit->fixed : SYN_HIP_PARTS),
                         (uint8_t)(known ? limit->mobile : SYN_HIP_PARTS)};
}

static void store(void *user, size_t cell, const syn_limit *inward, const syn_limit *outward) {
  const filling *f = user;
  const syn_envelope *envelope = f->envelope;
  envelope->internal[cell] = reached(inward);
  envelope->external[cell] = reached(outward);
  envelope->internal_states[cell] = inward->state;
  envelope->external_states[cell] = outward->state;
  envelope->limited_by[cell] = parts_of(inward);
  envelope->external_limited_by[cell] = parts_of(outward);
  if (!f->anatomy) return;
  envelope->places[cell] = syn_limit_place(f->hip, f->anatomy, inward);
  envelope->external_places[cell] = syn_limit_place(f->hip, f->anatomy, outward);
}

static syn_status fill(const syn_context *context, const syn_rom *rom, const rom_grid *grid, const syn_anatomy *anatomy,
                       syn_envelope *envelope, syn_error *error) {
  const syn_joint *joint = &rom->joint;
  const syn_hip hip = {
      .side = joint->side, .center = joint->center, .pelvis_axes = joint->axes, .femur_axes = joint->mobile_axes};
  filling f = {&hip, anatomy, envelope};
  const size_t count = (size_t)grid->flexion_count * grid->adduction_count;
  SYN_TRY(SYN_NEW(context, &envelope->internal, count, error));
  SYN_TRY(SYN_NEW(context, &envelope->external, count, error));
  SYN_TRY(SYN_NEW(context, &envelope->internal_states, count, error));
  SYN_TRY(SYN_NEW(context, &envelope->external_states, count, error));
  SYN_TRY(SYN_NEW(context, &envelope->limited_by, count, error));
  SYN_TRY(SYN_NEW(context, &envelope->external_limited_by, count, error));
  if (anatomy) SYN_TRY(SYN_NEW(context, &envelope->places, count, error));
  if (anatomy) SYN_TRY(SYN_NEW(context, &envelope->external_places, count, error));
  return syn_rom_grid_run(context, rom, grid, "envelope of motion", store, &f, error);
}

syn_status syn_envelope_create(const syn_context *context, const syn_rom *rom, const syn_envelope_options *options,
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
  syn_free(envelope->context, envelope->internal_states);
  syn_free(envelope->context, envelope->external_states);
  syn_free(envelope->context, envelope->limited_by);
  syn_free(envelope->context, envelope->external_limited_by);
  syn_free(envelope->context, envelope->places);
  syn_free(envelope->context, envelope->external_places);
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

/* Empty where there is no contact. */
static void put_place(FILE *to, const syn_contact_place *p) {
  const bool femur = p->femur < SYN_FEMUR_REGIONS, pelvis = p->pelvis < SYN_PELVIS_REGIONS;
  fprintf(to, ",%s", femur ? syn_femur_region_name(p->femur) : "");
  put_hour(to, p->femur_hour);
  fprintf(to, ",%s", pelvis ? syn_pelvis_region_name(p->pelvis) : "");
  put_hour(to, p->pelvis_hour);
  fputs(!pelvis ? "," : p->inside_joint ? ",yes" : ",no", to);
}

/* An angle only where the turn is stopped, as of single motions. */
static void put_turn(FILE *to, syn_limit_state state, double angle, const syn_contact_place *place) {
  fprintf(to, ",%s,", syn_limit_state_name(state));
  if (state == SYN_LIMIT_STOPPED) fprintf(to, "%.4f", (double)(float)angle * (180 / SYN_PI));
  if (place) put_place(to, place);
}

static void put_titles(FILE *to, const char *way, bool places) {
  fprintf(to, ",%s_state,%s_rotation_deg", way, way);
  if (places)
    fprintf(to, ",%s_femur_region,%s_femur_clock,%s_pelvis_region,%s_pelvis_clock,%s_inside_joint", way, way, way, way,
            way);
}

syn_status syn_envelope_write_csv(const syn_context *context, const syn_envelope *e, const char *path,
                                  syn_error *error) {
  const double per_radian = 180 / SYN_PI;
  syn_output output;
  SYN_TRY(syn_output_open(context, path, &output, error));
  fputs("flexion_deg,adduction_deg", output.stream);
  put_titles(output.stream, "internal", e->places != NULL);
  put_titles(output.stream, "external", e->places != NULL);
  syn_csv_end(context, output.stream, true);
  for (uint32_t f = 0; f < e->flexion_count; ++f)
    for (uint32_t a = 0; a < e->adduction_count; ++a) {
      const size_t at = (size_t)f * e->adduction_count + a;
      fprintf(output.stream, "%g,%g", (e->flexion_from + e->step * f) * per_radian,
              (e->adduction_from + e->step * a) * per_radian);
      put_turn(output.stream, e->internal_states[at], e->internal[at], e->places ? &e->places[at] : NULL);
      put_turn(output.stream, e->external_states[at], e->external[at], e->places ? &e->external_places[at] : NULL);
      syn_csv_end(context, output.stream, false);
    }
  return syn_output_commit(&output, error);
}
