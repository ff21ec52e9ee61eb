/* The envelope of a hip: the regions of its bones that touch, and a table. */
#include <math.h>
#include <stdio.h>

#include "base/file.h"
#include "base/text.h"
#include "base/vec.h"
#include "clinic/rom/hip_rom.h"

/* ---- where its rotations end --------------------------------------------------------------------------------------
 */

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
