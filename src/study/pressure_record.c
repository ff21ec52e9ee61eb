/* The pressure of a case as a table: columns of study.csv, and the curves for the page. */
#include "result/value.h"
#include "study/study_pressure.h"

typedef const syn_study_pressure *pressure_object;
static double at_at(const void *it, size_t i) { return ((pressure_object)it)->at[i]; }
static double peak_of(const void *it, size_t i) { return ((pressure_object)it)->peaks[i]; }
static double mean_of(const void *it, size_t i) { return ((pressure_object)it)->means[i]; }
static double area_of(const void *it, size_t i) { return ((pressure_object)it)->areas[i]; }
static double stress_at_at(const void *it, size_t i) { return ((pressure_object)it)->stress_at[i]; }
static double stress_of(const void *it, size_t i) { return ((pressure_object)it)->stresses[i]; }
static double labrum_stress_of(const void *it, size_t i) { return ((pressure_object)it)->labrum_stresses[i]; }
static double zone_stress_of(const void *it, size_t i) { return ((pressure_object)it)->zone_stresses[i]; }
static double curvilinear_of(const void *it, size_t i) { return ((pressure_object)it)->curvilinear[i]; }
static double radial_of(const void *it, size_t i) { return ((pressure_object)it)->radial[i]; }

GET(method, syn_study_pressure, value_text(at->method))
GET(reached, syn_study_pressure, value_real(at->reached_percent))
GET(stopped, syn_study_pressure, value_text(at->stopped[0] ? at->stopped : NULL))
GET(peak, syn_study_pressure, value_real(at->peak_mpa))
GET(invalid, syn_study_pressure, value_count(at->invalid_count))
GET(mean, syn_study_pressure, value_real(at->mean_mpa))
GET(area, syn_study_pressure, value_real(at->area_mm2))
GET(peak_at, syn_study_pressure, value_real(at->peak_at_percent))
GET(labrum, syn_study_pressure, value_real(at->labrum_percent))
GET(von_mises, syn_study_pressure, value_real(at->von_mises_mpa))
GET(shift, syn_study_pressure, value_real(at->shift_mm))
GET(stress, syn_study_pressure, value_text(at->stress))
GET(curvilinear_r, syn_study_pressure, value_real(at->curvilinear_r))
GET(curvilinear_p, syn_study_pressure, value_real(at->curvilinear_p))
GET(radial_r, syn_study_pressure, value_real(at->radial_r))
GET(radial_p, syn_study_pressure, value_real(at->radial_p))
GET(curvilinear_labrum_r, syn_study_pressure, value_real(at->curvilinear_labrum_r))
GET(curvilinear_labrum_p, syn_study_pressure, value_real(at->curvilinear_labrum_p))
GET(radial_labrum_p, syn_study_pressure, value_real(at->radial_labrum_p))
GET(radial_labrum_r, syn_study_pressure, value_real(at->radial_labrum_r))
GET(labrum_stresses, syn_study_pressure, value_numbers(labrum_stress_of, at, at->stress_count))
GET(zone_stresses, syn_study_pressure, value_numbers(zone_stress_of, at, at->stress_count))
GET(ats, syn_study_pressure, value_numbers(at_at, at, at->step_count))
GET(peaks, syn_study_pressure, value_numbers(peak_of, at, at->step_count))
GET(means, syn_study_pressure, value_numbers(mean_of, at, at->step_count))
GET(areas, syn_study_pressure, value_numbers(area_of, at, at->step_count))
GET(stress_ats, syn_study_pressure, value_numbers(stress_at_at, at, at->stress_count))
GET(stresses, syn_study_pressure, value_numbers(stress_of, at, at->stress_count))
GET(curvilinears, syn_study_pressure, value_numbers(curvilinear_of, at, at->stress_count))
GET(radials, syn_study_pressure, value_numbers(radial_of, at, at->stress_count))
static const syn_result_field fields[] = {
    FIELD(TEXT, "method", "Method", "", COLUMN, method),
    FIELD(REAL, "reached_percent", "Part of the motion", "percent", SHOWN, reached),
    FIELD(TEXT, "stopped", "Ended early", "", FILE_ONLY | SYN_OPTIONAL, stopped),
    FIELD(REAL, "peak_mpa", "Peak pressure", "MPa", SHOWN, peak),
    FIELD(INTEGER, "invalid_steps", "Steps that are not valid", "", COLUMN, invalid),
    FIELD(REAL, "mean_mpa", "Mean pressure", "MPa", SHOWN, mean),
    FIELD(REAL, "area_mm2", "Contact area", "mm²", SHOWN, area),
    FIELD(REAL, "peak_at_percent", "Part of the motion at the peak", "percent", SHOWN, peak_at),
    FIELD(REAL, "labrum_percent", "Force on the labrum", "percent", SHOWN, labrum),
    FIELD(REAL, "von_mises_mpa", "Largest von Mises stress", "MPa", SHOWN, von_mises),
    FIELD(REAL, "shift_mm", "Largest shift of the head", "mm", SHOWN, shift),
    FIELD(TEXT, "stress", "Stress beside the depths", "", COLUMN, stress),
    FIELD(REAL, "curvilinear_r", "Correlation with the curvilinear depth", "", SHOWN, curvilinear_r),
    FIELD(REAL, "curvilinear_p", "its p", "", COLUMN, curvilinear_p),
    FIELD(REAL, "radial_r", "Correlation with the radial depth", "", SHOWN, radial_r),
    FIELD(REAL, "radial_p", "its p", "", COLUMN, radial_p),
    FIELD(REAL, "curvilinear_labrum_r", "Curvilinear depth with the labrum's stress", "", COLUMN, curvilinear_labrum_r),
    FIELD(REAL, "curvilinear_labrum_p", "its p", "", COLUMN, curvilinear_labrum_p),
    FIELD(REAL, "radial_labrum_r", "Radial depth with the labrum's stress", "", COLUMN, radial_labrum_r),
    FIELD(REAL, "radial_labrum_p", "its p", "", COLUMN, radial_labrum_p),
    FIELD(NUMBERS, "at", "Part of the motion", "", FILE_ONLY, ats),
    FIELD(NUMBERS, "peaks_mpa", "Peak pressure", "MPa", FILE_ONLY, peaks),
    FIELD(NUMBERS, "means_mpa", "Mean pressure", "MPa", FILE_ONLY, means),
    FIELD(NUMBERS, "areas_mm2", "Contact area", "mm²", FILE_ONLY, areas),
    FIELD(NUMBERS, "stress_at", "Part of the motion", "", FILE_ONLY, stress_ats),
    FIELD(NUMBERS, "stresses_mpa", "Stress beside the depths", "MPa", FILE_ONLY, stresses),
    FIELD(NUMBERS, "labrum_stresses_mpa", "Stress in the labrum", "MPa", FILE_ONLY, labrum_stresses),
    FIELD(NUMBERS, "zone_stresses_mpa", "Stress in the transition zone", "MPa", FILE_ONLY, zone_stresses),
    FIELD(NUMBERS, "curvilinear_mm", "Curvilinear depth", "mm", FILE_ONLY, curvilinears),
    FIELD(NUMBERS, "radial_mm", "Radial depth", "mm", FILE_ONLY, radials)};
const syn_record syn_study_pressure_record = RECORD("pressure", fields);
