/* Ligaments of a hip: how far they let it turn, and how stiff they must be. */
#include <math.h>

#include <synovia/virtual_hip.h>

#include "clinic/limit_values.h"
#include "result/value.h"

/* ---- rows ---------------------------------------------------------------------------------------------------------
 */

static const syn_result_field row_fields[] = {
    ANGLE(syn_ligament_row, angle, "angle_deg", "Angle", FILE_ONLY),
    MEMBER(syn_ligament_row, peak_mpa, "peak_mpa", "Greatest stress", "MPa", FILE_ONLY),
    MEMBER(syn_ligament_row, middle_mpa, "middle_mpa", "Greatest stress of the middle", "MPa", FILE_ONLY),
    MEMBER(syn_ligament_row, mean_mpa, "mean_mpa", "Mean stress of the middle", "MPa", FILE_ONLY),
    MEMBER(syn_ligament_row, stretch, "stretch", "Stretch of the middle fibre", "", FILE_ONLY),
    MEMBER(syn_ligament_row, tension_n, "tension_n", "Force on the pelvis", "N", FILE_ONLY),
    MEMBER(syn_ligament_row, touching, "touching", "Contacts", "", FILE_ONLY)};
const syn_record syn_ligament_row_record = RECORD_OF(syn_ligament_row, "rows", row_fields);

/* ---- range of motion ----------------------------------------------------------------------------------------------
 */

static double limit_end(const void *limit, size_t i) {
  const syn_ligament_limit *l = limit;
  return (i ? l->high : l->low) * SYN_RADIAN;
}
GET(limit_band, syn_ligament_limit, value_numbers(limit_end, at, 2))
static const syn_result_field limit_fields[] = {
    MEMBER(syn_ligament_limit, failure.source, "source", "Source", "", FILE_ONLY),
    MEMBER(syn_ligament_limit, failure.mean_mpa, "failure_mpa", "Failure stress", "MPa", FILE_ONLY),
    MEMBER(syn_ligament_limit, failure.sd_mpa, "failure_sd_mpa", "Its standard deviation", "MPa", FILE_ONLY),
    ANGLE(syn_ligament_limit, angle, "angle_deg", "Reached at", FILE_ONLY),
    FIELD(NUMBERS, "band_deg", "One standard deviation", "deg", FILE_ONLY, limit_band)};
static const syn_record limit_record = RECORD_OF(syn_ligament_limit, "limits", limit_fields);

GET(bones_state, syn_ligament_motion, value_text(syn_limit_state_name(at->bones.state)))
GET(bones_angle, syn_ligament_motion, value_real(at->bones.angle *SYN_RADIAN))
static const syn_result_field before_motion_fields[] = {
    MEMBER(syn_motion, name, "name", "Motion", "", FILE_ONLY, THROUGH(syn_ligament_motion, motion)),
    MEMBER(syn_motion, label, "label", "Motion", "", FILE_ONLY, THROUGH(syn_ligament_motion, motion)),
    FIELD(TEXT, "state", "State", "", FILE_ONLY, bones_state),
    FIELD(REAL, "angle_deg", "Bone to bone", "deg", FILE_ONLY, bones_angle)};
static const syn_record before_motion_record = RECORD_OF(syn_ligament_motion, "motions", before_motion_fields);

GET(motion_state, syn_ligament_motion,
    value_text(isfinite(at->limit.angle) ? "stopped"
               : at->complete            ? "no_stop"
                                         : "no_equilibrium"))
GET(motion_band, syn_ligament_motion, value_numbers(limit_end, &at->limit, 2))
GET(motion_limits, syn_ligament_motion, value_list(at->published, syn_failure_stress_count()))
GET(motion_bones, syn_ligament_motion, syn_value_of_limit(&at->bones))
static const syn_result_field after_motion_fields[] = {
    MEMBER(syn_motion, name, "name", "Motion", "", FILE_ONLY, THROUGH(syn_ligament_motion, motion)),
    MEMBER(syn_motion, label, "label", "Motion", "", FILE_ONLY, THROUGH(syn_ligament_motion, motion)),
    FIELD(TEXT, "state", "State", "", FILE_ONLY, motion_state),
    ANGLE(syn_ligament_motion, limit.angle, "angle_deg", "The ligament fails at", FILE_ONLY),
    FIELD(NUMBERS, "band_deg", "One standard deviation of its failure stress", "deg", FILE_ONLY, motion_band),
    MEMBER(syn_ligament_motion, published_deg, "published_deg", "Maciel 2005", "deg", FILE_ONLY),
    FIELD_OF(LIST, limit_record, "limits", "Published failure stresses", FILE_ONLY, motion_limits),
    LIST_OF(syn_ligament_motion, rows, row_count, syn_ligament_row_record, "rows", "Angles", FILE_ONLY),
    PART(syn_ligament_motion, limit, limit_record, "limit", "Failure stress that was asked", SYN_IN_WORDS),
    FIELD(TEXT, "bones", "Bones alone", "", SYN_IN_WORDS, motion_bones)};
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
    MEMBER(syn_ligament_rom, options.failure.mean_mpa, "failure_mpa", "Failure stress", "MPa", FILE_ONLY),
    MEMBER(syn_ligament_rom, options.failure.sd_mpa, "failure_sd_mpa", "Its standard deviation", "MPa", FILE_ONLY),
    ITSELF(before_record, "before", "Bones alone", FILE_ONLY),
    ITSELF(after_record, "after", "With the ligament", FILE_ONLY)};
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
const syn_record syn_ligament_rom_record = RECORD_OF_IN_WORDS(syn_ligament_rom, "ligament_rom", rom_fields, rom_words);

/* ---- stiffness ----------------------------------------------------------------------------------------------------
 */

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

GET(stiff_motion, syn_ligament_stiffness, value_text(at->options.motion->name))
static const syn_result_field stiffness_fields[] = {
    NAMED(syn_ligament_stiffness, options.ligament, syn_hip_ligament_name, "ligament", "Ligament", FILE_ONLY),
    NAMED(syn_ligament_stiffness, options.measure, syn_ligament_measure_name, "stress", "Stress that is compared",
          FILE_ONLY),
    FIELD(TEXT, "motion", "Motion", "", FILE_ONLY, stiff_motion),
    ANGLE(syn_ligament_stiffness, options.angle, "angle_deg", "Measured angle", FILE_ONLY),
    MEMBER(syn_ligament_stiffness, options.stress_mpa, "failure_mpa", "Failure stress", "MPa", FILE_ONLY),
    MEMBER(syn_ligament_stiffness, length_mm, "length_mm", "Length at rest", "mm", FILE_ONLY),
    MEMBER(syn_ligament_stiffness, stretch, "stretch", "Stretch at the angle", "", FILE_ONLY),
    POINTED(syn_ligament_stiffness, ticks, tick_record, "before", "At first", FILE_ONLY),
    ITSELF(found_record, "after", "Found", FILE_ONLY),
    LIST_OF(syn_ligament_stiffness, rows, row_count, syn_ligament_row_record, "rows", "Angles", FILE_ONLY),
    LIST_OF(syn_ligament_stiffness, ticks, tick_count, tick_record, "ticks", "Search", FILE_ONLY),
    MEMBER(syn_ligament_stiffness, options.most_mpa, "most_mpa", "The search ends at", "MPa", SYN_IN_WORDS)};
static const char stiffness_words[] =
    "The {ligament} ligament, {length_mm:.1} mm long, stretched to {stretch:.3} of that at {angle_deg:.1}° of "
    "{motion}\n"
    "  {before.young_mpa:.3g} MPa of modulus: {stress} stress {before.stress_mpa:.3} MPa\n"
    "{?after.young_mpa}  {failure_mpa:.3g} MPa are reached with a modulus of {after.young_mpa:.3} MPa; exactly "
    "{after.exact_mpa:.4}, by proportion {after.proportional_mpa:.4}\n"
    "{:}  {failure_mpa:.3g} MPa are not reached with a modulus of up to {most_mpa:.3g} MPa\n{/}"
    "  Maciel 2005, §5.4.3: about 8 MPa, from 1.5 MPa of greatest stress at 1 MPa\n" ROW_WORDS;
const syn_record syn_ligament_stiffness_record =
    RECORD_OF_IN_WORDS(syn_ligament_stiffness, "ligament_stiffness", stiffness_fields, stiffness_words);
