/* Contact pressure: the step with the highest pressure, every step, and the regions of the socket. */

#include <synovia/pressure.h>

#include "result/record_csv.h"
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
    FIELD(REAL, "principal_mpa", "Principal stress", "MPa", FILE_ONLY | SYN_OPTIONAL, region_principal)};
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
/* Result of the elastic foundation, if requested. */
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
/* Names of the marks that are set: the object is a run, the index step * SYN_PRESSURE_MARKS + mark. */
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
    FIELD_OF(LIST, syn_pressure_region_record, "regions", "Regions", FILE_ONLY, step_regions)};
const syn_record syn_pressure_step_record = RECORD("step", step_fields);

/* ---- the load -----------------------------------------------------------------------------------------------------
 */

GET(load_name, syn_loads, value_text(at->activity ? at->activity->name : NULL))
static const syn_result_field load_fields[] = {
    FIELD(TEXT, "name", "Activity", "", FILE_ONLY, load_name), MEMBER(syn_loads, label, "label", "Load", "", FILE_ONLY),
    MEMBER(syn_loads, source, "source", "Source", "", FILE_ONLY),
    MEMBER(syn_loads, body_weight_n, "body_weight_n", "Body weight", "N", FILE_ONLY)};
static const syn_record load_record = RECORD_OF(syn_loads, "load", load_fields);

/* ---- beside another program ---------------------------------------------------------------------------------------
 */

static const syn_result_field beside_fields[] = {
    MEMBER(syn_contact_comparison, node_count, "nodes", "Nodes", "", FILE_ONLY),
    MEMBER(syn_contact_comparison, displacement_mm, "displacement_mm", "Largest displacement", "mm", IN_TABLE),
    MEMBER(syn_contact_comparison, their_displacement_mm, "their_displacement_mm", "Displacement by CalculiX", "mm",
           IN_TABLE),
    MEMBER(syn_contact_comparison, displacement_apart_mm, "displacement_apart_mm", "Displacements differ by at most",
           "mm", IN_TABLE),
    MEMBER(syn_contact_comparison, displacement_rms_mm, "displacement_rms_mm", "root mean square", "mm", IN_TABLE),
    MEMBER(syn_contact_comparison, displacement_apart_at, "displacement_apart_at", "Where they differ most", "mm",
           FILE_ONLY),
    MEMBER(syn_contact_comparison, contact_node_count, "contact_nodes", "Nodes in contact", "", FILE_ONLY),
    MEMBER(syn_contact_comparison, peak_mpa, "peak_mpa", "Highest pressure", "MPa", IN_TABLE),
    MEMBER(syn_contact_comparison, their_peak_mpa, "their_peak_mpa", "Pressure by CalculiX", "MPa", IN_TABLE),
    MEMBER(syn_contact_comparison, pressure_apart_mpa, "pressure_apart_mpa", "Pressures differ by at most", "MPa",
           IN_TABLE),
    MEMBER(syn_contact_comparison, pressure_rms_mpa, "pressure_rms_mpa", "root mean square", "MPa", IN_TABLE),
    MEMBER(syn_contact_comparison, pressure_apart_at, "pressure_apart_at", "Where they differ most", "mm", FILE_ONLY)};
const syn_record syn_contact_comparison_record = RECORD_OF(syn_contact_comparison, "comparison", beside_fields);

/* ---- all of it ----------------------------------------------------------------------------------------------------
 */

static const void *worst_of(const void *run) { return &run_of(run)->steps[run_of(run)->worst].total; }
static syn_value run_peak(const void *run, size_t i) { return (void)i, part_peak(worst_of(run), 0); }
static syn_value run_mean(const void *run, size_t i) { return (void)i, part_mean(worst_of(run), 0); }
static syn_value run_area(const void *run, size_t i) { return (void)i, part_area(worst_of(run), 0); }
static syn_value run_force(const void *run, size_t i) { return (void)i, part_force(worst_of(run), 0); }
static syn_value run_center(const void *run, size_t i) { return (void)i, part_center(worst_of(run), 0); }
static syn_value run_von_mises(const void *run, size_t i) { return (void)i, part_von_mises(worst_of(run), 0); }
static syn_value run_foundation(const void *run, size_t i) {
  return (void)i, step_foundation_peak(run, run_of(run)->worst);
}
static syn_value run_at(const void *run, size_t i) { return (void)i, step_at(run, run_of(run)->worst); }
static syn_value run_flexion(const void *run, size_t i) { return (void)i, step_flexion(run, run_of(run)->worst); }
static syn_value run_regions(const void *run, size_t i) { return (void)i, step_regions(run, run_of(run)->worst); }
static syn_value run_assumed(const void *run, size_t i) {
  return (void)i, value_boolean(run_of(run)->socket.assumed || run_of(run)->head.assumed);
}
static syn_value run_complete(const void *run, size_t i) {
  return (void)i, value_boolean(run_of(run)->step_count == run_of(run)->loads.count);
}
static syn_value run_valid(const void *run, size_t i) { return (void)i, step_valid(run, run_of(run)->worst); }
static syn_value run_marks(const void *run, size_t i) { return (void)i, step_marks(run, run_of(run)->worst); }
static syn_value run_steps(const void *run, size_t i) { return (void)i, value_list(run, run_of(run)->step_count); }
static const syn_result_field trust_fields[] = {
    MEMBER(syn_pressure, nearest_hip, "nearest_hip", "Nearest hip of the model", "", FILE_ONLY),
    MEMBER(syn_pressure, trust.distance, "distance_percent", "Its distance", "percent", FILE_ONLY, .factor = 100),
    MEMBER(syn_pressure, trust.spacing, "spacing_percent", "Distance of the model's hips", "percent", FILE_ONLY,
           .factor = 100),
    MEMBER(syn_pressure, trust.error_percent, "error_percent", "Error to expect", "percent", FILE_ONLY)};
static const syn_record trust_record = RECORD_OF(syn_pressure, "trust", trust_fields);
static syn_value run_assumed_low(const void *run, size_t i) {
  return (void)i, run_of(run)->assumed_peak_mpa[1] > 0 ? known_real(run_of(run)->assumed_peak_mpa[1]) : value_none();
}
static syn_value run_assumed_high(const void *run, size_t i) {
  return (void)i, run_of(run)->assumed_peak_mpa[0] > 0 ? known_real(run_of(run)->assumed_peak_mpa[0]) : value_none();
}
static const syn_result_field run_fields[] = {
    MEMBER(syn_pressure, method, "method", "Method", "", FILE_ONLY),
    FIELD(REAL, "peak_mpa", "Peak pressure", "MPa", FILE_ONLY, run_peak),
    FIELD(REAL, "mean_mpa", "Mean pressure", "MPa", FILE_ONLY, run_mean),
    FIELD(REAL, "area_mm2", "Contact area", "mm²", FILE_ONLY, run_area),
    FIELD(REAL, "force_n", "Contact force", "N", FILE_ONLY, run_force),
    FIELD(POINT, "center_of_pressure", "Centre of pressure", "mm", FILE_ONLY, run_center),
    FIELD(REAL, "von_mises_mpa", "von Mises", "MPa", FILE_ONLY | SYN_OPTIONAL, run_von_mises),
    FIELD(REAL, "foundation_peak_mpa", "Peak by foundation", "MPa", FILE_ONLY | SYN_OPTIONAL, run_foundation),
    FIELD(BOOLEAN, "valid", "The peak is valid", "", FILE_ONLY, run_valid),
    MEMBER(syn_pressure, invalid_count, "invalid_steps", "Steps that are not valid", "", FILE_ONLY),
    FIELD_OF(LIST, mark_record, "marks", "Doubts about the peak", FILE_ONLY, run_marks),
    MEMBER(syn_pressure, worst, "peak_step", "Step of the peak", "", FILE_ONLY),
    FIELD(REAL, "peak_at", "Part of the motion at the peak", "", FILE_ONLY, run_at),
    FIELD(REAL, "peak_flexion_deg", "Flexion at the peak", "deg", FILE_ONLY, run_flexion),
    FIELD_OF(LIST, syn_pressure_region_record, "regions", "Regions at the peak", FILE_ONLY, run_regions),
    PART(syn_pressure, loads, load_record, "load", "Load", FILE_ONLY),
    FIELD(BOOLEAN, "cartilage_assumed", "Cartilage assumed", "", FILE_ONLY, run_assumed),
    FIELD(REAL, "peak_2mm_mpa", "Peak with 2 mm of cartilage", "MPa", FILE_ONLY | SYN_OPTIONAL, run_assumed_low),
    FIELD(REAL, "peak_1mm_mpa", "Peak with 1 mm of cartilage", "MPa", FILE_ONLY | SYN_OPTIONAL, run_assumed_high),
    ITSELF(trust_record, "trust", "How far to trust the estimate", FILE_ONLY | SYN_OPTIONAL,
           KNOWN_IF(syn_pressure, nearest_hip[0])),
    FIELD(BOOLEAN, "complete", "Complete", "", FILE_ONLY, run_complete),
    MEMBER(syn_pressure, stopped, "stopped", "Ended early", "", FILE_ONLY | SYN_OPTIONAL,
           KNOWN_IF(syn_pressure, stopped[0])),
    PART(syn_pressure, comparison, syn_contact_comparison_record, "comparison", "Beside CalculiX",
         FILE_ONLY | SYN_OPTIONAL, KNOWN_IF(syn_pressure, compared)),
    FIELD_OF(LIST, syn_pressure_step_record, "steps", "Steps", FILE_ONLY, run_steps)};
const syn_record syn_pressure_record = RECORD_OF(syn_pressure, "pressure", run_fields);

/* ---- as a table ---------------------------------------------------------------------------------------------------
 */

static size_t count_pressure_steps(const void *run) { return run_of(run)->step_count; }

/* Lists the names of the marks, separated by spaces. */
static void list_marks(uint64_t marks, char text[512]) {
  size_t used = 0;
  text[0] = 0;
  for (int mark = 0; mark < SYN_PRESSURE_MARKS; ++mark)
    if (marks >> mark & 1)
      used += (size_t)snprintf(text + used, 512 - used, "%s%s", used ? " " : "",
                               syn_pressure_mark_name((syn_pressure_mark)mark));
}

static void put_pressure_step(syn_csv *to, const void *run, size_t row) {
  const syn_layer *socket = &run_of(run)->socket;
  char marks[512] = "", prefix[64];
  syn_csv_put(to, "", &syn_pressure_step_record, NULL, 0, run, row);
  for (size_t r = 0; r < socket->region_count; ++r) {
    snprintf(prefix, sizeof prefix, "%s_", syn_tissue_name(socket->regions[r].tissue));
    for (char *c = prefix; *c; ++c)
      if (*c == ' ') *c = '_';
    syn_csv_put(to, prefix, &syn_pressure_region_record, NULL, 0, run, 4 * row + r);
  }
  if (row < run_of(run)->step_count) list_marks(run_of(run)->steps[row].marks, marks);
  syn_csv_put_text(to, "marks", marks);
}
const syn_csv_table syn_pressure_csv = {count_pressure_steps, put_pressure_step};

/* ---- layer fields ---------------------------------------------------------------------------------------------- */
/* Layers of soft tissue on bones: how they were made, and how good their meshes are. */

static const syn_result_field quality_fields[] = {
    MEMBER(syn_layer_quality, inverted, "inverted", "Inverted", "", FILE_ONLY),
    MEMBER(syn_layer_quality, least_jacobian, "least_jacobian", "Least scaled Jacobian", "", FILE_ONLY),
    MEMBER(syn_layer_quality, worst_aspect, "worst_aspect", "Worst aspect", "", FILE_ONLY),
    MEMBER(syn_layer_quality, area_mm2, "area_mm2", "Area", "mm²", FILE_ONLY),
    MEMBER(syn_layer_quality, region_area_mm2[0], "cartilage_area_mm2", "Area of the cartilage", "mm²", FILE_ONLY),
    MEMBER(syn_layer_quality, region_area_mm2[1], "zone_area_mm2", "Area of the transition zone", "mm²", FILE_ONLY),
    MEMBER(syn_layer_quality, region_area_mm2[2], "labrum_area_mm2", "Area of the labrum", "mm²", FILE_ONLY),
    MEMBER(syn_layer_quality, rigid_area_mm2, "rigid_area_mm2", "Area of bare bone", "mm²", FILE_ONLY),
    MEMBER(syn_layer_quality, volume_mm3, "volume_mm3", "Volume", "mm³", FILE_ONLY),
    MEMBER(syn_layer_quality, least_thickness_mm, "least_thickness_mm", "Least thickness", "mm", FILE_ONLY),
    MEMBER(syn_layer_quality, thickness_mm, "thickness_mm", "Mean thickness", "mm", FILE_ONLY),
    MEMBER(syn_layer_quality, greatest_thickness_mm, "greatest_thickness_mm", "Greatest thickness", "mm", FILE_ONLY)};
static const syn_record quality_record = RECORD_OF(syn_layer_quality, "quality", quality_fields);

static const syn_result_field layer_fields[] = {
    MEMBER(syn_layer, moves, "moves", "Moves with the femur", "", FILE_ONLY),
    MEMBER(syn_layer, assumed, "assumed", "Assumed", "", FILE_ONLY),
    MEMBER(syn_layer, note, "note", "How it was made", "", FILE_ONLY),
    MEMBER(syn_layer, node_count, "nodes", "Nodes", "", FILE_ONLY),
    MEMBER(syn_layer, element_count, "elements", "Hexahedra", "", FILE_ONLY),
    MEMBER(syn_layer, face_count, "faces", "Faces", "", FILE_ONLY),
    MEMBER(syn_layer, filled, "filled", "Columns filled from neighbours", "", FILE_ONLY),
    MEMBER(syn_layer, thickened, "thickened", "Columns made as thick as the least thickness", "", FILE_ONLY),
    MEMBER(syn_layer, thickest_added_mm, "thickest_added_mm", "Most that was added", "mm", FILE_ONLY),
    MEMBER(syn_layer, parted, "parted", "Columns parted where cartilages overlap", "", FILE_ONLY),
    MEMBER(syn_layer, overlap_mm, "overlap_mm", "Deepest overlap", "mm", FILE_ONLY),
    MEMBER(syn_layer, smoothed_mm, "smoothed_mm", "Bone moved by smoothing", "mm", FILE_ONLY),
    PART(syn_layer, quality, quality_record, "quality", "Mesh", FILE_ONLY)};
const syn_record syn_layer_record = RECORD_OF(syn_layer, "layer", layer_fields);

/* ---- training fields ------------------------------------------------------------------------------------------- */
/* Result fields of a model of pressure from shape, and of its errors on its own hips. */

static const syn_pressure_training *training_of(const void *training) { return training; }
static syn_value hip_name(const void *t, size_t i) { return value_text(training_of(t)->model->names[i]); }
static syn_value hip_error(const void *t, size_t i) { return value_real(training_of(t)->errors_percent[i]); }
static const syn_result_field syn_hip_fields[] = {
    FIELD(TEXT, "name", "Hip", "", FILE_ONLY, hip_name),
    FIELD(REAL, "error_percent", "Error of the peak", "percent", FILE_ONLY, hip_error)};
static const syn_record hip_record = RECORD("hip", syn_hip_fields);

GET(training_motion, syn_pressure_training, value_text(at->model->motion))
GET(training_by, syn_pressure_training, value_text(at->model->pressure_by))
GET(training_steps, syn_pressure_training, value_count(at->model->step_count))
GET(training_hips, syn_pressure_training, value_list(at, at->model->hip_count))
static const syn_result_field training_fields[] = {
    FIELD(TEXT, "motion", "Motion", "", FILE_ONLY, training_motion),
    FIELD(TEXT, "pressure_by", "Pressures by", "", FILE_ONLY, training_by),
    FIELD(INTEGER, "steps", "Steps", "", FILE_ONLY, training_steps),
    MEMBER(syn_pressure_training, mean_percent, "mean_percent", "Mean error", "percent", FILE_ONLY),
    MEMBER(syn_pressure_training, sd_percent, "sd_percent", "Its standard deviation", "percent", FILE_ONLY),
    MEMBER(syn_pressure_training, median_percent, "median_percent", "Median error", "percent", FILE_ONLY),
    FIELD_OF(LIST, hip_record, "hips", "Each hip from all others", FILE_ONLY, training_hips)};
const syn_record syn_pressure_training_record = RECORD_OF(syn_pressure_training, "training", training_fields);
