/* Fields of ligaments of a hip: the limits that they set, and the stiffness that they need. */
#include <math.h>

#include <synovia/surgery.h>

#include "result/record_csv.h"
#include "result/value.h"

/* ---- rows -------------------------------------------------------------------------------------------------------- */

static const syn_result_field row_fields[] = {
    ANGLE(syn_ligament_row, angle, "angle_deg", "Angle", PRINTED),
    MEMBER(syn_ligament_row, peak_mpa, "peak_mpa", "Greatest stress", "MPa", PRINTED),
    MEMBER(syn_ligament_row, middle_mpa, "middle_mpa", "Greatest stress of the middle", "MPa", PRINTED),
    MEMBER(syn_ligament_row, mean_mpa, "mean_mpa", "Mean stress of the middle", "MPa", PRINTED),
    MEMBER(syn_ligament_row, stretch, "stretch", "Stretch of the middle fibre", "", PRINTED),
    MEMBER(syn_ligament_row, tension_n, "tension_n", "Force on the pelvis", "N", PRINTED),
    MEMBER(syn_ligament_row, touching, "touching", "Contacts", "", FILE_ONLY)};
const syn_record syn_ligament_row_record = RECORD_OF(syn_ligament_row, "rows", row_fields);

/* ---- range of motion --------------------------------------------------------------------------------------------- */

static double limit_end(const void *limit, size_t i) {
  const syn_ligament_limit *l = limit;
  return (i ? l->high : l->low) * SYN_RADIAN;
}
GET(limit_band, syn_ligament_limit, value_numbers(limit_end, at, 2))
static const syn_result_field limit_fields[] = {
    MEMBER(syn_ligament_limit, source, "source", "Source", "", FILE_ONLY),
    MEMBER(syn_ligament_limit, failure_mpa, "failure_mpa", "Failure stress", "MPa", FILE_ONLY),
    MEMBER(syn_ligament_limit, failure_sd_mpa, "failure_sd_mpa", "Its standard deviation", "MPa", FILE_ONLY),
    ANGLE(syn_ligament_limit, angle, "angle_deg", "Reached at", FILE_ONLY),
    FIELD(NUMBERS, "band_deg", "One standard deviation", "deg", FILE_ONLY, limit_band)};
static const syn_record limit_record = RECORD_OF(syn_ligament_limit, "limits", limit_fields);

static const syn_result_field before_motion_fields[] = {
    MEMBER(syn_motion, name, "name", "Motion", "", FILE_ONLY, THROUGH(syn_ligament_motion, motion)),
    MEMBER(syn_motion, label, "label", "Motion", "", FILE_ONLY, THROUGH(syn_ligament_motion, motion)),
    NAMED(syn_ligament_motion, bones.state, syn_limit_state_name, "state", "State", FILE_ONLY),
    ANGLE(syn_ligament_motion, bones.angle, "angle_deg", "Bone to bone", FILE_ONLY)};
static const syn_record before_motion_record = RECORD_OF(syn_ligament_motion, "motions", before_motion_fields);

GET(motion_state, syn_ligament_motion,
    value_text(isfinite(at->limit.angle) ? "stopped"
               : at->complete            ? "no_stop"
                                         : "no_equilibrium"))
GET(motion_band, syn_ligament_motion, value_numbers(limit_end, &at->limit, 2))
GET(motion_limits, syn_ligament_motion, value_list(at->published, SYN_FAILURE_STRESSES))
static const syn_result_field after_motion_fields[] = {
    MEMBER(syn_motion, name, "name", "Motion", "", FILE_ONLY, THROUGH(syn_ligament_motion, motion)),
    MEMBER(syn_motion, label, "label", "Motion", "", FILE_ONLY, THROUGH(syn_ligament_motion, motion)),
    FIELD(TEXT, "state", "State", "", FILE_ONLY, motion_state),
    ANGLE(syn_ligament_motion, limit.angle, "angle_deg", "The ligament fails at", FILE_ONLY),
    FIELD(NUMBERS, "band_deg", "One standard deviation of its failure stress", "deg", FILE_ONLY, motion_band),
    MEMBER(syn_ligament_motion, published_deg, "published_deg", "Maciel 2005", "deg", FILE_ONLY),
    FIELD_OF(LIST, limit_record, "limits", "Published failure stresses", FILE_ONLY, motion_limits),
    LIST_OF(syn_ligament_motion, rows, row_count, syn_ligament_row_record, "rows", "Angles", FILE_ONLY)};
static const syn_record after_motion_record = RECORD_OF(syn_ligament_motion, "motions", after_motion_fields);

static const syn_result_field before_fields[] = {
    LIST_OF(syn_ligament_rom, motions, motion_count, before_motion_record, "motions", "Motions", FILE_ONLY)};
static const syn_record before_record = RECORD_OF(syn_ligament_rom, "before", before_fields);
static const syn_result_field after_fields[] = {
    LIST_OF(syn_ligament_rom, motions, motion_count, after_motion_record, "motions", "Motions", FILE_ONLY)};
static const syn_record after_record = RECORD_OF(syn_ligament_rom, "after", after_fields);

static const syn_result_field rom_fields[] = {
    NAMED(syn_ligament_rom, options.ligament, syn_hip_ligament_name, "ligament", "Ligament", FILE_ONLY),
    NAMED(syn_ligament_rom, options.measure, syn_ligament_measure_name, "stress", "Stress that is compared", FILE_ONLY),
    MEMBER(syn_ligament_rom, length_mm, "length_mm", "Length at rest", "mm", FILE_ONLY),
    MEMBER(syn_ligament_rom, width_mm, "width_mm", "Mean width", "mm", FILE_ONLY),
    MEMBER(syn_ligament_rom, options.tissue.young_mpa, "young_mpa", "Young's modulus along its fibres", "MPa",
           FILE_ONLY),
    MEMBER(syn_ligament_rom, options.failure_mpa, "failure_mpa", "Failure stress", "MPa", FILE_ONLY),
    MEMBER(syn_ligament_rom, options.failure_sd_mpa, "failure_sd_mpa", "Its standard deviation", "MPa", FILE_ONLY),
    ITSELF(before_record, "before", "Bones alone", FILE_ONLY),
    ITSELF(after_record, "after", "With the ligament", FILE_ONLY)};
const syn_record syn_ligament_rom_record = RECORD_OF(syn_ligament_rom, "ligament_rom", rom_fields);

/* The angles of all motions, one motion after the other. */
static size_t count_ligament_angles(const void *rom) {
  const syn_ligament_rom *r = rom;
  size_t count = 0;
  for (size_t m = 0; m < r->motion_count; ++m) count += r->motions[m].row_count;
  return count;
}
static void put_ligament_angle(syn_csv *to, const void *rom, size_t row) {
  static const syn_csv_column of_row[] = {{"angle_deg", NULL, 6}, {"peak_mpa", NULL, 0}, {"middle_mpa", NULL, 0},
                                          {"mean_mpa", NULL, 0},  {"stretch", NULL, 0},  {"tension_n", NULL, 0},
                                          {"touching", NULL, 0}};
  const syn_ligament_rom *r = rom;
  size_t m = 0;
  for (; m + 1 < r->motion_count && row >= r->motions[m].row_count; ++m) row -= r->motions[m].row_count;
  syn_csv_put_text(to, "motion", r->motions[m].motion->name);
  syn_csv_put(to, "", &syn_ligament_row_record, of_row, 7, r->motions[m].rows, row);
}
const syn_csv_table syn_ligament_rom_csv = {count_ligament_angles, put_ligament_angle};

/* ---- stiffness --------------------------------------------------------------------------------------------------- */

static const syn_result_field tick_fields[] = {
    MEMBER(syn_ligament_tick, time_s, "time_s", "Time", "s", FILE_ONLY),
    MEMBER(syn_ligament_tick, young_mpa, "young_mpa", "Young's modulus", "MPa", FILE_ONLY),
    MEMBER(syn_ligament_tick, stress_mpa, "stress_mpa", "Stress", "MPa", FILE_ONLY)};
static const syn_record tick_record = RECORD_OF(syn_ligament_tick, "ticks", tick_fields);

GET(found_stress, syn_ligament_stiffness,
    isfinite(at->young_mpa) ? value_real(at->ticks[at->tick_count - 1].stress_mpa) : value_none())
static const syn_result_field found_fields[] = {
    MEMBER(syn_ligament_stiffness, young_mpa, "young_mpa", "Found by steps", "MPa", FILE_ONLY),
    FIELD(REAL, "stress_mpa", "Stress with it", "MPa", FILE_ONLY, found_stress),
    MEMBER(syn_ligament_stiffness, exact_mpa, "exact_mpa", "Found by halving", "MPa", FILE_ONLY),
    MEMBER(syn_ligament_stiffness, simple_mpa, "proportional_mpa", "By proportion", "MPa", FILE_ONLY)};
static const syn_record found_record = RECORD_OF(syn_ligament_stiffness, "after", found_fields);

static const syn_result_field stiffness_fields[] = {
    NAMED(syn_ligament_stiffness, options.ligament, syn_hip_ligament_name, "ligament", "Ligament", FILE_ONLY),
    NAMED(syn_ligament_stiffness, options.measure, syn_ligament_measure_name, "stress", "Stress that is compared",
          FILE_ONLY),
    MEMBER(syn_motion, name, "motion", "Motion", "", FILE_ONLY, THROUGH(syn_ligament_stiffness, options.motion)),
    ANGLE(syn_ligament_stiffness, options.angle, "angle_deg", "Measured angle", FILE_ONLY),
    MEMBER(syn_ligament_stiffness, options.stress_mpa, "failure_mpa", "Failure stress", "MPa", FILE_ONLY),
    MEMBER(syn_ligament_stiffness, length_mm, "length_mm", "Length at rest", "mm", FILE_ONLY),
    MEMBER(syn_ligament_stiffness, stretch, "stretch", "Stretch at the angle", "", FILE_ONLY),
    POINTED(syn_ligament_stiffness, ticks, tick_record, "before", "At first", FILE_ONLY),
    ITSELF(found_record, "after", "Found", FILE_ONLY),
    LIST_OF(syn_ligament_stiffness, rows, row_count, syn_ligament_row_record, "rows", "Angles", FILE_ONLY),
    LIST_OF(syn_ligament_stiffness, ticks, tick_count, tick_record, "ticks", "Search", FILE_ONLY)};
const syn_record syn_ligament_stiffness_record =
    RECORD_OF(syn_ligament_stiffness, "ligament_stiffness", stiffness_fields);

static size_t count_ligament_ticks(const void *stiffness) {
  return ((const syn_ligament_stiffness *)stiffness)->tick_count;
}
static void put_ligament_tick(syn_csv *to, const void *stiffness, size_t row) {
  syn_csv_put(to, "", &tick_record, NULL, 0, ((const syn_ligament_stiffness *)stiffness)->ticks, row);
}
const syn_csv_table syn_ligament_stiffness_csv = {count_ligament_ticks, put_ligament_tick};
