/* Computes the FADIR protocol for bare bones: impingement-free internal rotation in flexion and adduction, and the
 * contact zones of both bones. The grid is that of published simulations (see clinical_motions.c). */
#include <math.h>

#include "base/parallel.h"
#include "base/vec.h"
#include "clinic/fai/fai.h"
#include "clinic/hip.h"
#include "clinic/limit_values.h"
#include "clinic/rom/hip_rom.h"

static const double zone_reach_mm = 5;

typedef struct filling {
  const syn_hip *hip;
  const syn_anatomy *anatomy;
  syn_fadir *fadir;
} filling;

static void store(void *user, size_t cell, const syn_limit *inward, const syn_limit *outward) {
  const filling *f = user;
  (void)outward;
  f->fadir->limits[cell] = *inward;
  if (f->anatomy) f->fadir->places[cell] = syn_limit_place(f->hip, f->anatomy, inward);
}

/* ---- zones ------------------------------------------------------------------------------------------------------- */

typedef struct zone {
  const syn_fadir *fadir;
  const syn_vec3 *vertices;
  bool on_femur;
  double *share; /* of each vertex */
} zone;

static void share_of_vertices(void *user, size_t begin, size_t end) {
  const zone *z = user;
  const size_t cells = (size_t)z->fadir->flexion_count * z->fadir->adduction_count;
  for (size_t v = begin; v < end; ++v) {
    size_t near = 0;
    for (size_t cell = 0; cell < cells; ++cell) {
      const syn_limit *limit = &z->fadir->limits[cell];
      const syn_vec3 touch = z->on_femur ? limit->mobile_point : limit->event.point; /* NAN if there is none */
      near += vec3_distance(touch, z->vertices[v]) <= zone_reach_mm;
    }
    z->share[v] = (double)near / (double)cells;
  }
}

static syn_status find_zone(const syn_context *context, const syn_fadir *fadir, const syn_trimesh *bone, bool on_femur,
                            double **share, syn_error *error) {
  if (!bone) return SYN_OK;
  SYN_TRY(SYN_NEW(context, share, bone->vertex_count, error));
  zone z = {fadir, bone->vertices, on_femur, *share};
  syn_parallel_for(context, bone->vertex_count, 1024, share_of_vertices, &z);
  return SYN_OK;
}

/* ---- all together ------------------------------------------------------------------------------------------------ */

/* Returns whether the femur can reach the start, or can rotate back from it until it is free. */
static bool has_rotation(const syn_limit *limit) { return limit->state != SYN_LIMIT_NO_FREE_POSE; }

static void summarise(const syn_context *context, syn_fadir *fadir) {
  const size_t cells = (size_t)fadir->flexion_count * fadir->adduction_count;
  size_t counted = 0;
  double sum = 0;
  fadir->least = fadir->mean = NAN;
  for (size_t cell = 0; cell < cells; ++cell) {
    const double angle = fadir->limits[cell].followed;
    if (!has_rotation(&fadir->limits[cell])) continue;
    if (counted == 0 || angle < fadir->least) fadir->least = angle;
    sum += angle;
    ++counted;
  }
  if (counted > 0) fadir->mean = sum / (double)counted;
  fadir->counted = counted;
  if (counted < cells)
    syn_warn(context,
             "%zu of the %zu poses of the FADIR protocol %s not freed by turning outward, and %s in neither least nor "
             "mean",
             cells - counted, cells, cells - counted == 1 ? "overlaps and is" : "overlap and are",
             cells - counted == 1 ? "counts" : "count");
}

static syn_status fill(const syn_context *context, const syn_hip *hip, const syn_rom *rom, const rom_grid *grid,
                       const syn_anatomy *anatomy, syn_fadir *fadir, syn_error *error) {
  const size_t count = (size_t)grid->flexion_count * grid->adduction_count;
  filling f = {hip, anatomy, fadir};
  SYN_TRY(SYN_NEW(context, &fadir->limits, count, error));
  if (anatomy) SYN_TRY(SYN_NEW(context, &fadir->places, count, error));
  SYN_TRY(syn_rom_grid_run(context, rom, grid, "FADIR protocol", store, &f, error));
  summarise(context, fadir);
  SYN_TRY(find_zone(context, fadir, hip->parts[SYN_HIP_PELVIS], false, &fadir->pelvis_zone, error));
  return find_zone(context, fadir, hip->parts[SYN_HIP_FEMUR], true, &fadir->femur_zone, error);
}

syn_fadir_options syn_default_fadir_options(void) {
  return (syn_fadir_options){.step = 5 * SYN_DEGREE, .cookie = SYN_COOKIE};
}

syn_status syn_fadir_create(const syn_context *context, const syn_hip *hip, const syn_rom *rom,
                            const syn_fadir_options *options, syn_fadir **fadir, syn_error *error) {
  const syn_fadir_options standard = syn_default_fadir_options();
  *fadir = NULL;
  if (!options) options = &standard;
  SYN_TRY(SYN_CHECK_OPTIONS(options, syn_default_fadir_options, error));
  rom_grid grid;
  SYN_TRY(syn_rom_grid_make(70 * SYN_DEGREE, 110 * SYN_DEGREE, 0, 20 * SYN_DEGREE, options->step, &grid, error));
  syn_fadir *made;
  SYN_TRY(SYN_NEW_ZEROED(context, &made, 1, error));
  *made = (syn_fadir){.context = context,
                      .flexion_count = grid.flexion_count,
                      .adduction_count = grid.adduction_count,
                      .flexion_from = grid.flexion_from,
                      .adduction_from = grid.adduction_from,
                      .step = options->step};
  const syn_status status = fill(context, hip, rom, &grid, options->anatomy, made, error);
  if (status != SYN_OK) {
    syn_fadir_destroy(made);
    return status;
  }
  *fadir = made;
  return SYN_OK;
}

void syn_fadir_destroy(syn_fadir *fadir) {
  if (!fadir) return;
  syn_free(fadir->context, fadir->limits);
  syn_free(fadir->context, fadir->places);
  syn_free(fadir->context, fadir->pelvis_zone);
  syn_free(fadir->context, fadir->femur_zone);
  syn_free(fadir->context, fadir);
}

/* ---- fields ------------------------------------------------------------------------------------------------------ */

static const syn_fadir *protocol(const void *fadir) { return fadir; }

static syn_value cell_flexion(const void *f, size_t i) {
  const syn_fadir *p = f;
  const size_t row = i / p->adduction_count;
  return value_degrees(p->flexion_from + p->step * (double)row);
}
static syn_value cell_adduction(const void *f, size_t i) {
  const syn_fadir *p = f;
  return value_degrees(p->adduction_from + p->step * (double)(i % p->adduction_count));
}
static syn_value cell_state(const void *f, size_t i) {
  return value_text(syn_limit_state_name(protocol(f)->limits[i].state));
}
static syn_value cell_rotation(const void *f, size_t i) {
  return value_real(protocol(f)->limits[i].angle * SYN_RADIAN);
}
static syn_value cell_place(const void *f, size_t i) {
  const syn_contact_place *places = protocol(f)->places;
  return syn_value_of_place(places ? &places[i] : NULL);
}
static const syn_result_field cell_fields[] = {
    FIELD(REAL, "flexion_deg", "Flexion", "deg", FILE_ONLY, cell_flexion),
    FIELD(REAL, "adduction_deg", "Adduction", "deg", FILE_ONLY, cell_adduction),
    FIELD(TEXT, "state", "State", "", FILE_ONLY, cell_state),
    FIELD(REAL, "internal_rotation_deg", "Internal rotation", "deg", FILE_ONLY, cell_rotation),
    FIELD_OF(RECORD, syn_contact_place_record, "place", "Where", FILE_ONLY, cell_place),
};
static const syn_record cell_record = RECORD("cells", cell_fields);

static syn_value fadir_cells(const void *f, size_t i) {
  return (void)i, value_list(f, (size_t)protocol(f)->flexion_count * protocol(f)->adduction_count);
}
static syn_value fadir_most(const void *f, size_t i) {
  return (void)i,
         syn_value_of_most(protocol(f)->places, (size_t)protocol(f)->flexion_count * protocol(f)->adduction_count);
}
static const syn_result_field fadir_fields[] = {
    ANGLE(syn_fadir, least, "least_deg", "FADIR: least internal rotation", SHOWN),
    ANGLE(syn_fadir, mean, "mean_deg", "FADIR: mean internal rotation", SHOWN),
    MEMBER(syn_fadir, counted, "counted_poses", "FADIR: poses counted", "", SHOWN),
    FIELD(TEXT, "most_often", "FADIR: most often", "", COLUMN, fadir_most),
    FIELD_OF(LIST, cell_record, "cells", "FADIR", FILE_ONLY, fadir_cells),
};
const syn_record syn_fadir_record = RECORD_OF(syn_fadir, "fadir", fadir_fields);
