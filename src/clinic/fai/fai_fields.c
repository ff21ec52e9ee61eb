/* Fields of impingement: depths along a motion, and the FADIR protocol. */
#include <math.h>
#include <string.h>

#include <synovia/clinic.h>

#include "clinic/limit_values.h"
#include "result/value.h"

/* ---- depths along a motion --------------------------------------------------------------------------------------- */

static const syn_result_field curve_fields[] = {
    NUMBERS_OF(syn_fai, curvilinear_mm, step_count, "curvilinear_mm", "Depth along the turn", "mm", FILE_ONLY),
    NUMBERS_OF(syn_fai, curvilinear_swapped_mm, step_count, "curvilinear_swapped_mm", "The same, roles exchanged", "mm",
               FILE_ONLY),
    NUMBERS_OF(syn_fai, radial_mm, step_count, "radial_mm", "Depth along the radius", "mm", FILE_ONLY),
    NUMBERS_OF(syn_fai, radial_swapped_mm, step_count, "radial_swapped_mm", "The same, roles exchanged", "mm",
               FILE_ONLY),
};
static const syn_record curves_record = RECORD_OF(syn_fai, "curves", curve_fields);

/* ---- FADIR ------------------------------------------------------------------------------------------------------- */

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
static const syn_record fadir_record = RECORD_OF(syn_fadir, "fadir", fadir_fields);

/* ---- all fields -------------------------------------------------------------------------------------------------- */

static const syn_impingement *impingement(const void *analysis) {
  return &((const syn_hip_analysis *)analysis)->impingement;
}
static const syn_fai *fai(const void *analysis) { return impingement(analysis)->fai; }
static bool has_both(const syn_fai *f) { return f->has_curvilinear && f->has_radial; }

static syn_value fai_turn_max(const void *a, size_t i) {
  return (void)i, fai(a) && fai(a)->has_curvilinear ? value_real(fai(a)->curvilinear_max_mm) : value_none();
}
static syn_value fai_radial_max(const void *a, size_t i) {
  return (void)i, fai(a) && fai(a)->has_radial ? value_real(fai(a)->radial_max_mm) : value_none();
}
static syn_value fai_turn_point(const void *a, size_t i) {
  return (void)i, fai(a) ? value_point(fai(a)->curvilinear_point) : value_none();
}
static syn_value fai_radial_point(const void *a, size_t i) {
  return (void)i, fai(a) ? value_point(fai(a)->radial_point) : value_none();
}
static syn_value fai_curves(const void *a, size_t i) { return (void)i, value_record(fai(a), 0); }
static syn_value fai_difference(const void *a, size_t i) {
  return (void)i, !fai(a) ? value_none() : value_real(has_both(fai(a)) ? fai(a)->difference : (double)NAN);
}
static syn_value fai_class(const void *a, size_t i) {
  return (void)i,
         syn_impingement_has_class(impingement(a)) ? value_text(syn_fai_class_name(fai(a)->fai_class)) : value_none();
}
static syn_value fai_motion(const void *a, size_t i) { return (void)i, value_text(impingement(a)->series); }
static syn_value fai_steps(const void *a, size_t i) { return (void)i, value_count(impingement(a)->pose_count); }
static syn_value fai_fadir(const void *a, size_t i) { return (void)i, value_record(impingement(a)->fadir, 0); }

/* For readers. */

static const syn_result_field fai_fields[] = {
    FIELD(REAL, "curvilinear_max_mm", "Greatest depth along the turn", "mm", SHOWN, fai_turn_max),
    FIELD(REAL, "radial_max_mm", "Greatest depth along the radius", "mm", SHOWN, fai_radial_max),
    FIELD(POINT, "curvilinear_point", "Deepest along the turn", "mm", COLUMN | SYN_OPTIONAL, fai_turn_point),
    FIELD(POINT, "radial_point", "Deepest along the radius", "mm", COLUMN | SYN_OPTIONAL, fai_radial_point),
    FIELD_OF(RECORD, curves_record, "curves", "Depths", COLUMN, fai_curves),
    FIELD(REAL, "difference", "Difference", "", SHOWN | SYN_OPTIONAL, fai_difference),
    FIELD(TEXT, "class", "Depths as in the group", "", SHOWN, fai_class),
    FIELD(TEXT, "motion", "Motion", "", SHOWN, fai_motion),
    FIELD(INTEGER, "steps", "Steps", "", SHOWN, fai_steps),
    FIELD_OF(RECORD, fadir_record, "fadir", "FADIR", SHOWN, fai_fadir),
};
const syn_record syn_fai_record = RECORD("fai", fai_fields);
