/* Contact pressure: the step with the highest pressure, every step, and the regions of the socket. */
#include <synovia/pressure_run.h>

#include "result/value.h"

static syn_value known_point(syn_vec3 point) { return vec3_finite(point) ? value_point(point) : value_none(); }
static syn_value known_real(double real) { return isfinite(real) ? value_real(real) : value_none(); }

/* ---- a part of the contact ----------------------------------------------------------------------------------------
 */

GET(part_peak, syn_pressure_part, value_real(at->peak_mpa))
GET(part_mean, syn_pressure_part, value_real(at->mean_mpa))
GET(part_area, syn_pressure_part, value_real(at->area_mm2))
GET(part_force, syn_pressure_part, value_real(at->force_n))
GET(part_center, syn_pressure_part, known_point(at->center))
GET(part_von_mises, syn_pressure_part, known_real(at->von_mises_mpa))
GET(part_principal, syn_pressure_part, known_real(at->principal_mpa))

/* Regions: the object is a run, the index step * 4 + region. */
static const syn_pressure *run_of(const void *run) { return run; }
static const syn_pressure_step *step_of(const void *run, size_t i) { return &run_of(run)->steps[i]; }
static const syn_pressure_part *region_of(const void *run, size_t i) { return &step_of(run, i / 4)->regions[i % 4]; }
static bool has_region(const void *run, size_t i) { return i % 4 < run_of(run)->socket.region_count; }
static syn_value region_tissue(const void *run, size_t i) {
  return value_text(syn_tissue_name(run_of(run)->socket.regions[i % 4].tissue));
}
static syn_value region_peak(const void *run, size_t i) { return part_peak(region_of(run, i), 0); }
static syn_value region_mean(const void *run, size_t i) { return part_mean(region_of(run, i), 0); }
static syn_value region_area(const void *run, size_t i) { return part_area(region_of(run, i), 0); }
static syn_value region_force(const void *run, size_t i) { return part_force(region_of(run, i), 0); }
static syn_value region_center(const void *run, size_t i) { return part_center(region_of(run, i), 0); }
static syn_value region_von_mises(const void *run, size_t i) { return part_von_mises(region_of(run, i), 0); }
static syn_value region_principal(const void *run, size_t i) { return part_principal(region_of(run, i), 0); }
static const syn_result_field region_fields[] = {
    FIELD(TEXT, "tissue", "Tissue", "", FILE_ONLY, region_tissue),
    FIELD(REAL, "peak_mpa", "Peak", "MPa", FILE_ONLY, region_peak),
    FIELD(REAL, "mean_mpa", "Mean", "MPa", FILE_ONLY, region_mean),
    FIELD(REAL, "area_mm2", "Area", "mm²", FILE_ONLY, region_area),
    FIELD(REAL, "force_n", "Force", "N", FILE_ONLY, region_force),
    FIELD(POINT, "center_of_pressure", "Centre", "mm", FILE_ONLY, region_center),
    FIELD(REAL, "von_mises_mpa", "von Mises", "MPa", FILE_ONLY | SYN_OPTIONAL, region_von_mises),
    FIELD(REAL, "principal_mpa", "Principal stress", "MPa", FILE_ONLY | SYN_OPTIONAL, region_principal),
};
const syn_record syn_pressure_region_record = RECORD("region", region_fields);

/* ---- steps --------------------------------------------------------------------------------------------------------
 */

enum { IN_TABLE = SYN_IN_FILE | SYN_IN_PAGE };

static syn_value step_at(const void *run, size_t i) { return value_real(step_of(run, i)->loaded.at); }
static syn_value step_time(const void *run, size_t i) {
  const double *times = run_of(run)->loads.times_s;
  return times ? value_real(times[i]) : value_none();
}
static syn_value step_flexion(const void *run, size_t i) { return value_degrees(step_of(run, i)->loaded.angles[0]); }
static syn_value step_adduction(const void *run, size_t i) { return value_degrees(step_of(run, i)->loaded.angles[1]); }
static syn_value step_rotation(const void *run, size_t i) { return value_degrees(step_of(run, i)->loaded.angles[2]); }
static syn_value step_load(const void *run, size_t i) { return value_real(vec3_length(step_of(run, i)->loaded.force)); }
static syn_value step_peak(const void *run, size_t i) { return part_peak(&step_of(run, i)->total, 0); }
static syn_value step_mean(const void *run, size_t i) { return part_mean(&step_of(run, i)->total, 0); }
static syn_value step_area(const void *run, size_t i) { return part_area(&step_of(run, i)->total, 0); }
static syn_value step_force(const void *run, size_t i) { return part_force(&step_of(run, i)->total, 0); }
static syn_value step_center(const void *run, size_t i) { return part_center(&step_of(run, i)->total, 0); }
static syn_value step_von_mises(const void *run, size_t i) { return part_von_mises(&step_of(run, i)->total, 0); }
static syn_value step_principal(const void *run, size_t i) { return part_principal(&step_of(run, i)->total, 0); }
/* By the elastic foundation, where it was asked for. */
static const syn_pressure_part *beside_of(const void *run, size_t i) {
  return i < run_of(run)->foundation_count ? &run_of(run)->foundation[i].total : NULL;
}
static syn_value step_foundation_peak(const void *run, size_t i) {
  return beside_of(run, i) ? part_peak(beside_of(run, i), 0) : value_none();
}
static syn_value step_foundation_mean(const void *run, size_t i) {
  return beside_of(run, i) ? part_mean(beside_of(run, i), 0) : value_none();
}
static syn_value step_foundation_area(const void *run, size_t i) {
  return beside_of(run, i) ? part_area(beside_of(run, i), 0) : value_none();
}
static syn_value step_shift(const void *run, size_t i) { return known_point(step_of(run, i)->shift); }
static syn_value step_iterations(const void *run, size_t i) { return value_count(step_of(run, i)->iterations); }
static syn_value step_valid(const void *run, size_t i) {
  return value_boolean(syn_pressure_step_is_valid(step_of(run, i)));
}
static syn_value step_strain(const void *run, size_t i) { return known_real(step_of(run, i)->strain); }
/* Names of the marks that hold: the object is a run, the index step * SYN_PRESSURE_MARKS + mark. */
static syn_value mark_name(const void *run, size_t i) {
  (void)run;
  return value_text(syn_pressure_mark_name((syn_pressure_mark)(i % SYN_PRESSURE_MARKS)));
}
static bool has_mark(const void *run, size_t i) {
  return step_of(run, i / SYN_PRESSURE_MARKS)->marks >> i % SYN_PRESSURE_MARKS & 1;
}
static const syn_result_field mark_fields[] = {FIELD(TEXT, "mark", "Doubt", "", FILE_ONLY, mark_name)};
static const syn_record mark_record = RECORD("mark", mark_fields);
static syn_value step_marks(const void *run, size_t i) {
  return (syn_value){.kind = SYN_VALUE_LIST, .items = {run, SYN_PRESSURE_MARKS * i, SYN_PRESSURE_MARKS, has_mark}};
}
static syn_value step_regions(const void *run, size_t i) {
  return (syn_value){.kind = SYN_VALUE_LIST, .items = {run, 4 * i, 4, has_region}};
}
static const syn_result_field step_fields[] = {
    FIELD(REAL, "at", "Part of the motion", "", FILE_ONLY, step_at),
    FIELD(REAL, "time_s", "Time", "s", FILE_ONLY | SYN_OPTIONAL, step_time),
    FIELD(REAL, "flexion_deg", "Flexion", "deg", IN_TABLE, step_flexion),
    FIELD(REAL, "adduction_deg", "Adduction", "deg", IN_TABLE, step_adduction),
    FIELD(REAL, "rotation_deg", "Internal rotation", "deg", IN_TABLE, step_rotation),
    FIELD(REAL, "load_n", "Load", "N", IN_TABLE, step_load),
    FIELD(REAL, "peak_mpa", "Peak", "MPa", IN_TABLE, step_peak),
    FIELD(REAL, "mean_mpa", "Mean", "MPa", IN_TABLE, step_mean),
    FIELD(REAL, "area_mm2", "Area", "mm²", IN_TABLE, step_area),
    FIELD(REAL, "force_n", "Contact force", "N", FILE_ONLY, step_force),
    FIELD(POINT, "center_of_pressure", "Centre of pressure", "mm", FILE_ONLY, step_center),
    FIELD(REAL, "von_mises_mpa", "von Mises", "MPa", FILE_ONLY | SYN_OPTIONAL, step_von_mises),
    FIELD(REAL, "principal_mpa", "Principal stress", "MPa", FILE_ONLY | SYN_OPTIONAL, step_principal),
    FIELD(REAL, "foundation_peak_mpa", "Peak by foundation", "MPa", IN_TABLE | SYN_OPTIONAL, step_foundation_peak),
    FIELD(REAL, "foundation_mean_mpa", "Mean by foundation", "MPa", IN_TABLE | SYN_OPTIONAL, step_foundation_mean),
    FIELD(REAL, "foundation_area_mm2", "Area by foundation", "mm²", IN_TABLE | SYN_OPTIONAL, step_foundation_area),
    FIELD(POINT, "shift_mm", "Shift of the femur", "mm", FILE_ONLY, step_shift),
    FIELD(INTEGER, "iterations", "Iterations", "", FILE_ONLY, step_iterations),
    FIELD(REAL, "strain", "Largest strain", "", FILE_ONLY | SYN_OPTIONAL, step_strain),
    FIELD(BOOLEAN, "valid", "Valid", "", IN_TABLE, step_valid),
    FIELD_OF(LIST, mark_record, "marks", "Doubts", FILE_ONLY, step_marks),
    FIELD_OF(LIST, syn_pressure_region_record, "regions", "Regions", FILE_ONLY, step_regions),
};
const syn_record syn_pressure_step_record = RECORD("step", step_fields);

/* ---- the load -----------------------------------------------------------------------------------------------------
 */

GET(load_name, syn_loads, value_text(at->activity ? at->activity->name : NULL))
GET(load_label, syn_loads, value_text(at->label))
GET(load_source, syn_loads, value_text(at->source))
GET(load_weight, syn_loads, value_real(at->body_weight_n))
static const syn_result_field load_fields[] = {
    FIELD(TEXT, "name", "Activity", "", FILE_ONLY, load_name),
    FIELD(TEXT, "label", "Load", "", FILE_ONLY, load_label),
    FIELD(TEXT, "source", "Source", "", FILE_ONLY, load_source),
    FIELD(REAL, "body_weight_n", "Body weight", "N", FILE_ONLY, load_weight),
};
static const syn_record load_record = RECORD("load", load_fields);

/* ---- beside another program ---------------------------------------------------------------------------------------
 */

GET(beside_nodes, syn_contact_comparison, value_count(at->node_count))
GET(beside_contact_nodes, syn_contact_comparison, value_count(at->contact_node_count))
GET(beside_displacement, syn_contact_comparison, value_real(at->displacement_mm))
GET(beside_their_displacement, syn_contact_comparison, value_real(at->their_displacement_mm))
GET(beside_displacement_apart, syn_contact_comparison, value_real(at->displacement_apart_mm))
GET(beside_displacement_rms, syn_contact_comparison, value_real(at->displacement_rms_mm))
GET(beside_displacement_at, syn_contact_comparison, value_point(at->displacement_apart_at))
GET(beside_peak, syn_contact_comparison, value_real(at->peak_mpa))
GET(beside_their_peak, syn_contact_comparison, value_real(at->their_peak_mpa))
GET(beside_pressure_apart, syn_contact_comparison, value_real(at->pressure_apart_mpa))
GET(beside_pressure_rms, syn_contact_comparison, value_real(at->pressure_rms_mpa))
GET(beside_pressure_at, syn_contact_comparison, value_point(at->pressure_apart_at))
static const syn_result_field beside_fields[] = {
    FIELD(INTEGER, "nodes", "Nodes", "", FILE_ONLY, beside_nodes),
    FIELD(REAL, "displacement_mm", "Largest displacement", "mm", IN_TABLE, beside_displacement),
    FIELD(REAL, "their_displacement_mm", "Displacement by CalculiX", "mm", IN_TABLE, beside_their_displacement),
    FIELD(REAL, "displacement_apart_mm", "Displacements differ by at most", "mm", IN_TABLE, beside_displacement_apart),
    FIELD(REAL, "displacement_rms_mm", "root mean square", "mm", IN_TABLE, beside_displacement_rms),
    FIELD(POINT, "displacement_apart_at", "Where they differ most", "mm", FILE_ONLY, beside_displacement_at),
    FIELD(INTEGER, "contact_nodes", "Nodes in contact", "", FILE_ONLY, beside_contact_nodes),
    FIELD(REAL, "peak_mpa", "Highest pressure", "MPa", IN_TABLE, beside_peak),
    FIELD(REAL, "their_peak_mpa", "Pressure by CalculiX", "MPa", IN_TABLE, beside_their_peak),
    FIELD(REAL, "pressure_apart_mpa", "Pressures differ by at most", "MPa", IN_TABLE, beside_pressure_apart),
    FIELD(REAL, "pressure_rms_mpa", "root mean square", "MPa", IN_TABLE, beside_pressure_rms),
    FIELD(POINT, "pressure_apart_at", "Where they differ most", "mm", FILE_ONLY, beside_pressure_at),
};
const syn_record syn_contact_comparison_record = RECORD("comparison", beside_fields);

/* ---- all of it ----------------------------------------------------------------------------------------------------
 */

static const void *worst_of(const void *run) { return &run_of(run)->steps[run_of(run)->worst].total; }
static syn_value run_method(const void *run, size_t i) { return (void)i, value_text(run_of(run)->method); }
static syn_value run_peak(const void *run, size_t i) { return (void)i, part_peak(worst_of(run), 0); }
static syn_value run_mean(const void *run, size_t i) { return (void)i, part_mean(worst_of(run), 0); }
static syn_value run_area(const void *run, size_t i) { return (void)i, part_area(worst_of(run), 0); }
static syn_value run_force(const void *run, size_t i) { return (void)i, part_force(worst_of(run), 0); }
static syn_value run_center(const void *run, size_t i) { return (void)i, part_center(worst_of(run), 0); }
static syn_value run_von_mises(const void *run, size_t i) { return (void)i, part_von_mises(worst_of(run), 0); }
static syn_value run_foundation(const void *run, size_t i) {
  return (void)i, step_foundation_peak(run, run_of(run)->worst);
}
static syn_value run_worst(const void *run, size_t i) { return (void)i, value_count(run_of(run)->worst); }
static syn_value run_at(const void *run, size_t i) { return (void)i, step_at(run, run_of(run)->worst); }
static syn_value run_flexion(const void *run, size_t i) { return (void)i, step_flexion(run, run_of(run)->worst); }
static syn_value run_regions(const void *run, size_t i) { return (void)i, step_regions(run, run_of(run)->worst); }
static syn_value run_load(const void *run, size_t i) { return (void)i, value_record(&run_of(run)->loads, 0); }
static syn_value run_assumed(const void *run, size_t i) {
  return (void)i, value_boolean(run_of(run)->socket.assumed || run_of(run)->head.assumed);
}
static syn_value run_complete(const void *run, size_t i) {
  return (void)i, value_boolean(run_of(run)->step_count == run_of(run)->loads.count);
}
static syn_value run_stopped(const void *run, size_t i) {
  return (void)i, value_text(run_of(run)->stopped[0] ? run_of(run)->stopped : NULL);
}
static syn_value run_valid(const void *run, size_t i) { return (void)i, step_valid(run, run_of(run)->worst); }
static syn_value run_marks(const void *run, size_t i) { return (void)i, step_marks(run, run_of(run)->worst); }
static syn_value run_has_marks(const void *run, size_t i) {
  return (void)i, value_boolean(step_of(run, run_of(run)->worst)->marks != 0);
}
static syn_value run_invalid(const void *run, size_t i) { return (void)i, value_count(run_of(run)->invalid_count); }
static syn_value run_has_invalid(const void *run, size_t i) {
  return (void)i, value_boolean(run_of(run)->invalid_count > 0);
}
static syn_value run_step_count(const void *run, size_t i) { return (void)i, value_count(run_of(run)->step_count); }
static syn_value run_none_valid(const void *run, size_t i) {
  return (void)i, value_boolean(run_of(run)->invalid_count == run_of(run)->step_count);
}
static syn_value run_comparison(const void *run, size_t i) {
  return (void)i, value_record(run_of(run)->compared ? &run_of(run)->comparison : NULL, 0);
}
static syn_value run_steps(const void *run, size_t i) { return (void)i, value_list(run, run_of(run)->step_count); }
/* For people. */
enum { SHOWN_STEPS = 31 };
static bool is_shown(const void *run, size_t i) {
  const size_t count = run_of(run)->step_count;
  const size_t every = count > SHOWN_STEPS ? (count + SHOWN_STEPS - 1) / SHOWN_STEPS : 1;
  return i % every == 0 || i + 1 == count || i == run_of(run)->worst;
}
static syn_value run_shown(const void *run, size_t i) {
  (void)i;
  return (syn_value){.kind = SYN_VALUE_LIST, .items = {run, 0, run_of(run)->step_count, is_shown}};
}
static syn_value run_side(const void *run, size_t i) {
  return (void)i, value_text(syn_side_name(run_of(run)->hip_case->hip.side));
}
static syn_value run_has_regions(const void *run, size_t i) {
  return (void)i, value_boolean(run_of(run)->socket.region_count > 1);
}
static syn_value run_foundation_mean(const void *run, size_t i) {
  return (void)i, step_foundation_mean(run, run_of(run)->worst);
}
static syn_value run_foundation_area(const void *run, size_t i) {
  return (void)i, step_foundation_area(run, run_of(run)->worst);
}
static syn_value run_continued(const void *run, size_t i) { return (void)i, value_count(run_of(run)->continued_at); }
GET(trust_nearest, syn_pressure, value_text(at->nearest_hip))
GET(trust_distance, syn_pressure, value_real(100 * at->trust.distance))
GET(trust_spacing, syn_pressure, value_real(100 * at->trust.spacing))
GET(trust_error, syn_pressure, known_real(at->trust.error_percent))
static const syn_result_field trust_fields[] = {
    FIELD(TEXT, "nearest_hip", "Nearest hip of the model", "", FILE_ONLY, trust_nearest),
    FIELD(REAL, "distance_percent", "Its distance", "percent", FILE_ONLY, trust_distance),
    FIELD(REAL, "spacing_percent", "Distance of the model's hips", "percent", FILE_ONLY, trust_spacing),
    FIELD(REAL, "error_percent", "Error to expect", "percent", FILE_ONLY, trust_error),
};
static const syn_record trust_record = RECORD("trust", trust_fields);
static syn_value run_trust(const void *run, size_t i) {
  return (void)i, value_record(run_of(run)->nearest_hip[0] ? run : NULL, 0);
}
static syn_value run_assumed_low(const void *run, size_t i) {
  return (void)i, run_of(run)->assumed_peak_mpa[1] > 0 ? known_real(run_of(run)->assumed_peak_mpa[1]) : value_none();
}
static syn_value run_assumed_high(const void *run, size_t i) {
  return (void)i, run_of(run)->assumed_peak_mpa[0] > 0 ? known_real(run_of(run)->assumed_peak_mpa[0]) : value_none();
}
static const syn_result_field run_fields[] = {
    FIELD(INTEGER, "continued_at", "Continued after step", "", SYN_IN_WORDS, run_continued),
    FIELD(TEXT, "method", "Method", "", FILE_ONLY, run_method),
    FIELD(REAL, "peak_mpa", "Peak pressure", "MPa", FILE_ONLY, run_peak),
    FIELD(REAL, "mean_mpa", "Mean pressure", "MPa", FILE_ONLY, run_mean),
    FIELD(REAL, "area_mm2", "Contact area", "mm²", FILE_ONLY, run_area),
    FIELD(REAL, "force_n", "Contact force", "N", FILE_ONLY, run_force),
    FIELD(POINT, "center_of_pressure", "Centre of pressure", "mm", FILE_ONLY, run_center),
    FIELD(REAL, "von_mises_mpa", "von Mises", "MPa", FILE_ONLY | SYN_OPTIONAL, run_von_mises),
    FIELD(REAL, "foundation_peak_mpa", "Peak by foundation", "MPa", FILE_ONLY | SYN_OPTIONAL, run_foundation),
    FIELD(BOOLEAN, "valid", "The peak is valid", "", FILE_ONLY, run_valid),
    FIELD(INTEGER, "invalid_steps", "Steps that are not valid", "", FILE_ONLY, run_invalid),
    FIELD_OF(LIST, mark_record, "marks", "Doubts about the peak", FILE_ONLY, run_marks),
    FIELD(BOOLEAN, "has_invalid", "Some are not valid", "", SYN_IN_WORDS, run_has_invalid),
    FIELD(BOOLEAN, "has_marks", "There are doubts", "", SYN_IN_WORDS, run_has_marks),
    FIELD(BOOLEAN, "none_valid", "None is valid", "", SYN_IN_WORDS, run_none_valid),
    FIELD(INTEGER, "step_count", "Steps", "", SYN_IN_WORDS, run_step_count),
    FIELD(INTEGER, "peak_step", "Step of the peak", "", FILE_ONLY, run_worst),
    FIELD(REAL, "peak_at", "Part of the motion at the peak", "", FILE_ONLY, run_at),
    FIELD(REAL, "peak_flexion_deg", "Flexion at the peak", "deg", FILE_ONLY, run_flexion),
    FIELD_OF(LIST, syn_pressure_region_record, "regions", "Regions at the peak", FILE_ONLY, run_regions),
    FIELD_OF(RECORD, load_record, "load", "Load", FILE_ONLY, run_load),
    FIELD(BOOLEAN, "cartilage_assumed", "Cartilage assumed", "", FILE_ONLY, run_assumed),
    FIELD(REAL, "peak_2mm_mpa", "Peak with 2 mm of cartilage", "MPa", FILE_ONLY | SYN_OPTIONAL, run_assumed_low),
    FIELD(REAL, "peak_1mm_mpa", "Peak with 1 mm of cartilage", "MPa", FILE_ONLY | SYN_OPTIONAL, run_assumed_high),
    FIELD_OF(RECORD, trust_record, "trust", "How far to trust the estimate", FILE_ONLY | SYN_OPTIONAL, run_trust),
    FIELD(BOOLEAN, "complete", "Complete", "", FILE_ONLY, run_complete),
    FIELD(TEXT, "stopped", "Ended early", "", FILE_ONLY | SYN_OPTIONAL, run_stopped),
    FIELD_OF(RECORD, syn_contact_comparison_record, "comparison", "Beside CalculiX", FILE_ONLY | SYN_OPTIONAL,
             run_comparison),
    FIELD_OF(LIST, syn_pressure_step_record, "steps", "Steps", FILE_ONLY, run_steps),
    FIELD_OF(LIST, syn_pressure_step_record, "shown_steps", "Steps", SYN_IN_WORDS, run_shown),
    FIELD(TEXT, "side", "Side", "", SYN_IN_WORDS, run_side),
    FIELD(BOOLEAN, "has_regions", "There are regions", "", SYN_IN_WORDS, run_has_regions),
    FIELD(REAL, "foundation_mean_mpa", "Mean by foundation", "MPa", SYN_IN_WORDS, run_foundation_mean),
    FIELD(REAL, "foundation_area_mm2", "Area by foundation", "mm²", SYN_IN_WORDS, run_foundation_area),
};
static const char pressure_words[] =
    "Contact pressure of the {side} hip by {method}: {load.label}\n"
    "  peak {peak_mpa:.2} MPa{?area_mm2}, mean {mean_mpa:.2} MPa over {area_mm2:.0} mm²{/}{?force_n}, force "
    "{force_n:.0} N{/}{?von_mises_mpa}, von Mises {von_mises_mpa:.2} MPa{/}\n"
    "{?has_invalid}  NOT VALID: {?none_valid}no pose is, nor this peak{:}{invalid_steps} of {step_count} poses, which "
    "do "
    "not count for the peak{/}; see the warnings\n{/}"
    "{?has_marks}  doubts about the peak:{#marks} {mark}{/}\n{/}"
    "{?foundation_peak_mpa}  by elastic foundation: peak {foundation_peak_mpa:.2} MPa, mean {foundation_mean_mpa:.2} "
    "MPa over {foundation_area_mm2:.0} mm²\n{/}"
    "{?continued_at}  continued after step {continued_at} of an earlier run\n{/}"
    "{?cartilage_assumed}  the cartilage was assumed: the scan shows none{?peak_1mm_mpa}{?peak_2mm_mpa}; peak "
    "{peak_1mm_mpa:.1} MPa with 1 mm on either bone, {peak_2mm_mpa:.1} MPa with 2 mm{/}{/}\n{/}"
    "{#trust}  nearest hip of the model: {nearest_hip}, {distance_percent:.2} % of the radius away{?error_percent}; "
    "the peak may be off by {error_percent:.0} %{/}\n{/}"
    "\n    at %  flexion adduction rotation  load N  peak MPa mean MPa area mm²\n"
    "{#shown_steps}  {at:5.1*100}  {flexion_deg:7.1}  {adduction_deg:7.1}  {rotation_deg:7.1}{force_n:8.0}"
    "{peak_mpa:9.3}{mean_mpa:9.3}{area_mm2:9.1}{?valid}{:}  not valid:{/}{#marks} {mark}{/}\n{/}"
    "{?has_regions}\nAt the peak:\n{#regions}{?area_mm2>0}  {tissue:-16} {peak_mpa:7.3} MPa at most, {area_mm2:7.1} "
    "mm², {force_n:6.1} N\n{/}{/}{/}"
    "{#comparison}\nThe first step beside CalculiX:\n"
    "  displacement  {displacement_mm:.4} mm, theirs {their_displacement_mm:.4} mm; apart by "
    "{displacement_apart_mm:.4} "
    "mm at most (at {displacement_apart_at:.1}), rms {displacement_rms_mm:.4} mm\n"
    "  pressure      {peak_mpa:.3} MPa, theirs {their_peak_mpa:.3} MPa; apart by {pressure_apart_mpa:.3} MPa at most "
    "(at "
    "{pressure_apart_at:.1}), rms {pressure_rms_mpa:.3} MPa\n{/}"
    "\nLoad: {load.source}\n";
const syn_record syn_pressure_record = RECORD_IN_WORDS("pressure", run_fields, pressure_words);
