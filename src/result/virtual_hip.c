/* Ligaments of a hip: how far they let it turn, and how stiff they must be. */
#include <math.h>

#include "result/value.h"

/* ---- rows ---------------------------------------------------------------------------------------------------------
 */

GET(row_angle, syn_ligament_row, value_degrees(at->angle))
GET(row_peak, syn_ligament_row, value_real(at->peak_mpa))
GET(row_middle, syn_ligament_row, value_real(at->middle_mpa))
GET(row_mean, syn_ligament_row, value_real(at->mean_mpa))
GET(row_stretch, syn_ligament_row, value_real(at->stretch))
GET(row_tension, syn_ligament_row, value_real(at->tension_n))
GET(row_touching, syn_ligament_row, value_count(at->touching))
static const syn_result_field row_fields[] = {
    FIELD(REAL, "angle_deg", "Angle", "deg", FILE_ONLY, row_angle),
    FIELD(REAL, "peak_mpa", "Greatest stress", "MPa", FILE_ONLY, row_peak),
    FIELD(REAL, "middle_mpa", "Greatest stress of the middle", "MPa", FILE_ONLY, row_middle),
    FIELD(REAL, "mean_mpa", "Mean stress of the middle", "MPa", FILE_ONLY, row_mean),
    FIELD(REAL, "stretch", "Stretch of the middle fibre", "", FILE_ONLY, row_stretch),
    FIELD(REAL, "tension_n", "Force on the pelvis", "N", FILE_ONLY, row_tension),
    FIELD(INTEGER, "touching", "Contacts", "", FILE_ONLY, row_touching)};
const syn_record syn_ligament_row_record = RECORD("rows", row_fields);

/* ---- range of motion ----------------------------------------------------------------------------------------------
 */

static double limit_end(const void *limit, size_t i) {
  const syn_ligament_limit *l = limit;
  return (i ? l->high : l->low) * SYN_RADIAN;
}
GET(limit_source, syn_ligament_limit, value_text(at->failure.source))
GET(limit_mean, syn_ligament_limit, value_real(at->failure.mean_mpa))
GET(limit_sd, syn_ligament_limit, value_real(at->failure.sd_mpa))
GET(limit_angle, syn_ligament_limit, value_degrees(at->angle))
GET(limit_band, syn_ligament_limit, value_numbers(limit_end, at, 2))
static const syn_result_field limit_fields[] = {
    FIELD(TEXT, "source", "Source", "", FILE_ONLY, limit_source),
    FIELD(REAL, "failure_mpa", "Failure stress", "MPa", FILE_ONLY, limit_mean),
    FIELD(REAL, "failure_sd_mpa", "Its standard deviation", "MPa", FILE_ONLY, limit_sd),
    FIELD(REAL, "angle_deg", "Reached at", "deg", FILE_ONLY, limit_angle),
    FIELD(NUMBERS, "band_deg", "One standard deviation", "deg", FILE_ONLY, limit_band)};
static const syn_record limit_record = RECORD("limits", limit_fields);

GET(motion_name, syn_ligament_motion, value_text(at->motion->name))
GET(motion_label, syn_ligament_motion, value_text(at->motion->label))
GET(bones_state, syn_ligament_motion, value_text(syn_limit_state_name(syn_hip_limit_state(&at->bones))))
GET(bones_angle, syn_ligament_motion, value_real(syn_hip_limit_deg(&at->bones)))
static const syn_result_field before_motion_fields[] = {
    FIELD(TEXT, "name", "Motion", "", FILE_ONLY, motion_name),
    FIELD(TEXT, "label", "Motion", "", FILE_ONLY, motion_label),
    FIELD(TEXT, "state", "State", "", FILE_ONLY, bones_state),
    FIELD(REAL, "angle_deg", "Bone to bone", "deg", FILE_ONLY, bones_angle)};
static const syn_record before_motion_record = RECORD("motions", before_motion_fields);

GET(motion_state, syn_ligament_motion,
    value_text(isfinite(at->limit.angle) ? "stopped"
               : at->complete            ? "no_stop"
                                         : "no_equilibrium"))
GET(motion_angle, syn_ligament_motion, value_degrees(at->limit.angle))
GET(motion_band, syn_ligament_motion, value_numbers(limit_end, &at->limit, 2))
GET(motion_given, syn_ligament_motion, value_real(at->published_deg))
GET(motion_limits, syn_ligament_motion, value_list(at->published, syn_failure_stress_count()))
GET(motion_rows, syn_ligament_motion, value_list(at->rows, at->row_count))
GET(motion_limit, syn_ligament_motion, value_record(&at->limit, 0))
GET(motion_bones, syn_ligament_motion, syn_value_of_limit(&at->bones))
static const syn_result_field after_motion_fields[] = {
    FIELD(TEXT, "name", "Motion", "", FILE_ONLY, motion_name),
    FIELD(TEXT, "label", "Motion", "", FILE_ONLY, motion_label),
    FIELD(TEXT, "state", "State", "", FILE_ONLY, motion_state),
    FIELD(REAL, "angle_deg", "The ligament fails at", "deg", FILE_ONLY, motion_angle),
    FIELD(NUMBERS, "band_deg", "One standard deviation of its failure stress", "deg", FILE_ONLY, motion_band),
    FIELD(REAL, "published_deg", "Maciel 2005", "deg", FILE_ONLY, motion_given),
    FIELD_OF(LIST, limit_record, "limits", "Published failure stresses", FILE_ONLY, motion_limits),
    FIELD_OF(LIST, syn_ligament_row_record, "rows", "Angles", FILE_ONLY, motion_rows),
    FIELD_OF(RECORD, limit_record, "limit", "Failure stress that was asked", SYN_IN_WORDS, motion_limit),
    FIELD(TEXT, "bones", "Bones alone", "", SYN_IN_WORDS, motion_bones)};
static const syn_record after_motion_record = RECORD("motions", after_motion_fields);

GET(rom_motions, syn_ligament_rom, value_list(at->motions, at->motion_count))
static const syn_result_field before_fields[] = {
    FIELD_OF(LIST, before_motion_record, "motions", "Motions", FILE_ONLY, rom_motions)};
static const syn_record before_record = RECORD("before", before_fields);
static const syn_result_field after_fields[] = {
    FIELD_OF(LIST, after_motion_record, "motions", "Motions", FILE_ONLY, rom_motions)};
static const syn_record after_record = RECORD("after", after_fields);

GET(rom_ligament, syn_ligament_rom, value_text(syn_hip_ligament_name(at->options.ligament)))
GET(rom_measure, syn_ligament_rom, value_text(syn_ligament_measure_name(at->options.measure)))
GET(rom_length, syn_ligament_rom, value_real(at->length_mm))
GET(rom_width, syn_ligament_rom, value_real(at->width_mm))
GET(rom_young, syn_ligament_rom, value_real(at->options.tissue.young_mpa))
GET(rom_failure, syn_ligament_rom, value_real(at->options.failure.mean_mpa))
GET(rom_sd, syn_ligament_rom, value_real(at->options.failure.sd_mpa))
GET(rom_self, syn_ligament_rom, value_record(at, 0))
static const syn_result_field rom_fields[] = {
    FIELD(TEXT, "ligament", "Ligament", "", FILE_ONLY, rom_ligament),
    FIELD(TEXT, "stress", "Stress that is compared", "", FILE_ONLY, rom_measure),
    FIELD(REAL, "length_mm", "Length at rest", "mm", FILE_ONLY, rom_length),
    FIELD(REAL, "width_mm", "Mean width", "mm", FILE_ONLY, rom_width),
    FIELD(REAL, "young_mpa", "Young's modulus along its fibres", "MPa", FILE_ONLY, rom_young),
    FIELD(REAL, "failure_mpa", "Failure stress", "MPa", FILE_ONLY, rom_failure),
    FIELD(REAL, "failure_sd_mpa", "Its standard deviation", "MPa", FILE_ONLY, rom_sd),
    FIELD_OF(RECORD, before_record, "before", "Bones alone", FILE_ONLY, rom_self),
    FIELD_OF(RECORD, after_record, "after", "With the ligament", FILE_ONLY, rom_self)};
#define ROW_WORDS                                                                                                      \
  "    angle    peak  middle    mean MPa  stretch  tension\n"                                                          \
  "{#rows}  {angle_deg:6.1}° {peak_mpa:7.3} {middle_mpa:7.3} {mean_mpa:7.3}     {stretch:7.3} {tension_n:6.1} N\n{/}"

#define ANGLE_WORDS(KEY) "{?" KEY "}{" KEY ":.1}°{:}not reached{/}"
#define FAILURE_WORDS                                                                                                  \
  "  {source:-8|asked} {failure_mpa:5.2} ± {failure_sd_mpa:.2} MPa: " ANGLE_WORDS("angle_deg") " (" ANGLE_WORDS(       \
      "band_deg.0") " to " ANGLE_WORDS("band_deg.1") ")\n"
static const char rom_words[] =
    "The {ligament} ligament, {length_mm:.1} mm long, {width_mm:.1} mm wide, {young_mpa:.3g} MPa along its fibres\n"
    "{#after.motions}\n{label}\n  bones alone: {bones}\n{#limit}" FAILURE_WORDS "{/}{#limits}" FAILURE_WORDS
    "{/}{?published_deg}  Maciel 2005, §5.4.2: {published_deg:.0}°\n{/}" ROW_WORDS "{/}";
const syn_record syn_ligament_rom_record = RECORD_IN_WORDS("ligament_rom", rom_fields, rom_words);

/* ---- stiffness ----------------------------------------------------------------------------------------------------
 */

GET(tick_time, syn_ligament_tick, value_real(at->time_s))
GET(tick_young, syn_ligament_tick, value_real(at->young_mpa))
GET(tick_stress, syn_ligament_tick, value_real(at->stress_mpa))
static const syn_result_field tick_fields[] = {
    FIELD(REAL, "time_s", "Time", "s", FILE_ONLY, tick_time),
    FIELD(REAL, "young_mpa", "Young's modulus", "MPa", FILE_ONLY, tick_young),
    FIELD(REAL, "stress_mpa", "Stress", "MPa", FILE_ONLY, tick_stress)};
static const syn_record tick_record = RECORD("ticks", tick_fields);

GET(found_young, syn_ligament_stiffness, value_real(at->young_mpa))
GET(found_stress, syn_ligament_stiffness,
    isfinite(at->young_mpa) ? value_real(at->ticks[at->tick_count - 1].stress_mpa) : value_none())
GET(found_exact, syn_ligament_stiffness, value_real(at->exact_mpa))
GET(found_simple, syn_ligament_stiffness, value_real(at->simple_mpa))
static const syn_result_field found_fields[] = {
    FIELD(REAL, "young_mpa", "Found by steps", "MPa", FILE_ONLY, found_young),
    FIELD(REAL, "stress_mpa", "Stress with it", "MPa", FILE_ONLY, found_stress),
    FIELD(REAL, "exact_mpa", "Found by halving", "MPa", FILE_ONLY, found_exact),
    FIELD(REAL, "proportional_mpa", "By proportion", "MPa", FILE_ONLY, found_simple)};
static const syn_record found_record = RECORD("after", found_fields);

GET(stiff_ligament, syn_ligament_stiffness, value_text(syn_hip_ligament_name(at->options.ligament)))
GET(stiff_measure, syn_ligament_stiffness, value_text(syn_ligament_measure_name(at->options.measure)))
GET(stiff_motion, syn_ligament_stiffness, value_text(at->options.motion->name))
GET(stiff_angle, syn_ligament_stiffness, value_degrees(at->options.angle))
GET(stiff_stress, syn_ligament_stiffness, value_real(at->options.stress_mpa))
GET(stiff_most, syn_ligament_stiffness, value_real(at->options.most_mpa))
GET(stiff_length, syn_ligament_stiffness, value_real(at->length_mm))
GET(stiff_stretch, syn_ligament_stiffness, value_real(at->stretch))
GET(stiff_before, syn_ligament_stiffness, value_record(at->ticks, 0))
GET(stiff_after, syn_ligament_stiffness, value_record(at, 0))
GET(stiff_rows, syn_ligament_stiffness, value_list(at->rows, at->row_count))
GET(stiff_ticks, syn_ligament_stiffness, value_list(at->ticks, at->tick_count))
static const syn_result_field stiffness_fields[] = {
    FIELD(TEXT, "ligament", "Ligament", "", FILE_ONLY, stiff_ligament),
    FIELD(TEXT, "stress", "Stress that is compared", "", FILE_ONLY, stiff_measure),
    FIELD(TEXT, "motion", "Motion", "", FILE_ONLY, stiff_motion),
    FIELD(REAL, "angle_deg", "Measured angle", "deg", FILE_ONLY, stiff_angle),
    FIELD(REAL, "failure_mpa", "Failure stress", "MPa", FILE_ONLY, stiff_stress),
    FIELD(REAL, "length_mm", "Length at rest", "mm", FILE_ONLY, stiff_length),
    FIELD(REAL, "stretch", "Stretch at the angle", "", FILE_ONLY, stiff_stretch),
    FIELD_OF(RECORD, tick_record, "before", "At first", FILE_ONLY, stiff_before),
    FIELD_OF(RECORD, found_record, "after", "Found", FILE_ONLY, stiff_after),
    FIELD_OF(LIST, syn_ligament_row_record, "rows", "Angles", FILE_ONLY, stiff_rows),
    FIELD_OF(LIST, tick_record, "ticks", "Search", FILE_ONLY, stiff_ticks),
    FIELD(REAL, "most_mpa", "The search ends at", "MPa", SYN_IN_WORDS, stiff_most)};
static const char stiffness_words[] =
    "The {ligament} ligament, {length_mm:.1} mm long, stretched to {stretch:.3} of that at {angle_deg:.1}° of "
    "{motion}\n"
    "  {before.young_mpa:.3g} MPa of modulus: {stress} stress {before.stress_mpa:.3} MPa\n"
    "{?after.young_mpa}  {failure_mpa:.3g} MPa are reached with a modulus of {after.young_mpa:.3} MPa; exactly "
    "{after.exact_mpa:.4}, by proportion {after.proportional_mpa:.4}\n"
    "{:}  {failure_mpa:.3g} MPa are not reached with a modulus of up to {most_mpa:.3g} MPa\n{/}"
    "  Maciel 2005, §5.4.3: about 8 MPa, from 1.5 MPa of greatest stress at 1 MPa\n" ROW_WORDS;
const syn_record syn_ligament_stiffness_record =
    RECORD_IN_WORDS("ligament_stiffness", stiffness_fields, stiffness_words);
