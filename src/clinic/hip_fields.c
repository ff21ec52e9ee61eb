/* Fields of a hip's analysis. */
#include <synovia/clinic.h>

#include "clinic/hip_assumptions.h"
#include "result/value.h"

/* ---- head position ----------------------------------------------------------------------------------------------- */

static const syn_hip *hip(const void *object) { return object; }
static syn_value seat_length(const void *h, size_t i) { return (void)i, value_real(vec3_length(hip(h)->seat)); }
static const syn_result_field seat_fields[] = {
    MEMBER(syn_hip, seat, "shift_mm", "Shift of the femur", "mm", FILE_ONLY),
    FIELD(REAL, "length_mm", "Shift of the femur", "mm", FILE_ONLY, seat_length)};
const syn_record syn_seat_record = RECORD_OF(syn_hip, "seat", seat_fields);

/* ---- all fields -------------------------------------------------------------------------------------------------- */

static const syn_hip_analysis *analysis(const void *object) { return object; }

static syn_value hip_side(const void *a, size_t i) {
  return (void)i, value_text(syn_side_name(analysis(a)->hip_case->hip.side));
}
static syn_value hip_seat(const void *a, size_t i) { return (void)i, value_record(&analysis(a)->hip_case->hip, 0); }
static syn_value itself(const void *a, size_t i) { return (void)i, value_record(a, 0); }
static syn_value hip_measure(const void *a, size_t i) {
  return (void)i, analysis(a)->has_measures ? value_record(a, 0) : value_none();
}
static syn_value hip_rom(const void *a, size_t i) {
  return (void)i, analysis(a)->rom ? value_record(a, 0) : value_none();
}

static syn_value hip_assumptions(const void *a, size_t i) {
  return (void)i, (syn_value){.kind = SYN_VALUE_LIST, .items = {a, 0, SYN_HIP_ASSUMPTIONS, syn_hip_has_assumption}};
}

static const syn_result_field syn_hip_fields[] = {
    FIELD(TEXT, "side", "Side", "", FILE_ONLY, hip_side),
    FIELD_OF(RECORD, syn_seat_record, "seat", "Seat", FILE_ONLY, hip_seat),
    FIELD_OF(RECORD, syn_center_record, "center", "Hip centre", SHOWN, itself),
    FIELD_OF(RECORD, syn_measure_record, "measure", "Measures", SHOWN, hip_measure),
    FIELD_OF(RECORD, syn_rom_record, "rom", "Range of motion", SHOWN, hip_rom),
    FIELD_OF(RECORD, syn_fai_record, "fai", "Impingement", SHOWN, itself),
    FIELD_OF(LIST, syn_assumption_record, "assumptions", "Assumptions", FILE_ONLY, hip_assumptions),
};
const syn_record syn_hip_record = RECORD("hip", syn_hip_fields);
