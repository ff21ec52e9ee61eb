/* Contact pressure: the step with the highest pressure, every step, and the regions of the socket. */

#include <synovia/pressure.h>

#include "pressure/run/pressure_run.h"
#include "result/record_csv.h"
#include "result/value.h"

/* ---- contact of a region, or of all of them ------------------------------------------------------------------------
 */

enum { IN_TABLE = SYN_IN_FILE | SYN_IN_PAGE };

static const syn_result_field region_fields[] = {
    NAMED(syn_pressure_part, tissue, syn_tissue_name, "tissue", "Tissue", FILE_ONLY),
    MEMBER(syn_pressure_part, peak_mpa, "peak_mpa", "Peak", "MPa", FILE_ONLY),
    MEMBER(syn_pressure_part, mean_mpa, "mean_mpa", "Mean", "MPa", FILE_ONLY),
    MEMBER(syn_pressure_part, area_mm2, "area_mm2", "Area", "mm²", FILE_ONLY),
    MEMBER(syn_pressure_part, force_n, "force_n", "Force", "N", FILE_ONLY),
    MEMBER(syn_pressure_part, center, "center_of_pressure", "Centre", "mm", FILE_ONLY),
    MEMBER(syn_pressure_part, von_mises_mpa, "von_mises_mpa", "von Mises", "MPa", FILE_ONLY | SYN_OPTIONAL),
    MEMBER(syn_pressure_part, principal_mpa, "principal_mpa", "Principal stress", "MPa", FILE_ONLY | SYN_OPTIONAL)};
const syn_record syn_pressure_region_record = RECORD_OF(syn_pressure_part, "region", region_fields);

/* ---- steps ---------------------------------------------------------------------------------------------------------
 */

GET(step_load, syn_pressure_step, value_real(vec3_length(at->loaded.force)))
GET(step_valid, syn_pressure_step, value_boolean(is_valid_step(at)))
GET(step_regions, syn_pressure_step, value_list(at->regions, at->region_count))
/* Names of the marks that are set: the object is a step, the index a mark. */
static syn_value mark_name(const void *step, size_t mark) {
  (void)step;
  return value_text(syn_pressure_mark_name((syn_pressure_mark)mark));
}
static bool has_mark(const void *step, size_t mark) { return ((const syn_pressure_step *)step)->marks >> mark & 1; }
static const syn_result_field mark_fields[] = {FIELD(TEXT, "mark", "Doubt", "", FILE_ONLY, mark_name)};
static const syn_record mark_record = RECORD("mark", mark_fields);
GET(step_marks, syn_pressure_step,
    ((syn_value){.kind = SYN_VALUE_LIST, .items = {at, 0, SYN_PRESSURE_MARKS, has_mark}}))
#define BESIDE THROUGH(syn_pressure_step, foundation)
static const syn_result_field step_fields[] = {
    MEMBER(syn_pressure_step, loaded.at, "at", "Part of the motion", "", FILE_ONLY),
    MEMBER(syn_pressure_step, loaded.time_s, "time_s", "Time", "s", FILE_ONLY | SYN_OPTIONAL),
    ANGLE(syn_pressure_step, loaded.angles[0], "flexion_deg", "Flexion", IN_TABLE),
    ANGLE(syn_pressure_step, loaded.angles[1], "adduction_deg", "Adduction", IN_TABLE),
    ANGLE(syn_pressure_step, loaded.angles[2], "rotation_deg", "Internal rotation", IN_TABLE),
    FIELD(REAL, "load_n", "Load", "N", IN_TABLE, step_load),
    MEMBER(syn_pressure_step, total.peak_mpa, "peak_mpa", "Peak", "MPa", IN_TABLE),
    MEMBER(syn_pressure_step, total.mean_mpa, "mean_mpa", "Mean", "MPa", IN_TABLE),
    MEMBER(syn_pressure_step, total.area_mm2, "area_mm2", "Area", "mm²", IN_TABLE),
    MEMBER(syn_pressure_step, total.force_n, "force_n", "Contact force", "N", FILE_ONLY),
    MEMBER(syn_pressure_step, total.center, "center_of_pressure", "Centre of pressure", "mm", FILE_ONLY),
    MEMBER(syn_pressure_step, total.von_mises_mpa, "von_mises_mpa", "von Mises", "MPa", FILE_ONLY | SYN_OPTIONAL),
    MEMBER(syn_pressure_step, total.principal_mpa, "principal_mpa", "Principal stress", "MPa",
           FILE_ONLY | SYN_OPTIONAL),
    MEMBER(syn_pressure_part, peak_mpa, "foundation_peak_mpa", "Peak by foundation", "MPa", IN_TABLE | SYN_OPTIONAL,
           BESIDE),
    MEMBER(syn_pressure_part, mean_mpa, "foundation_mean_mpa", "Mean by foundation", "MPa", IN_TABLE | SYN_OPTIONAL,
           BESIDE),
    MEMBER(syn_pressure_part, area_mm2, "foundation_area_mm2", "Area by foundation", "mm²", IN_TABLE | SYN_OPTIONAL,
           BESIDE),
    MEMBER(syn_pressure_step, shift, "shift_mm", "Shift of the femur", "mm", FILE_ONLY),
    MEMBER(syn_pressure_step, iterations, "iterations", "Iterations", "", FILE_ONLY),
    MEMBER(syn_pressure_step, strain, "strain", "Largest strain", "", FILE_ONLY | SYN_OPTIONAL),
    FIELD(BOOLEAN, "valid", "Valid", "", IN_TABLE, step_valid),
    FIELD_OF(LIST, mark_record, "marks", "Doubts", FILE_ONLY, step_marks),
    FIELD_OF(LIST, syn_pressure_region_record, "regions", "Regions", FILE_ONLY, step_regions)};
const syn_record syn_pressure_step_record = RECORD_OF(syn_pressure_step, "step", step_fields);

/* ---- the load -----------------------------------------------------------------------------------------------------
 */

static const syn_result_field load_fields[] = {
    MEMBER(syn_activity, name, "name", "Activity", "", FILE_ONLY, THROUGH(syn_loads, activity)),
    MEMBER(syn_loads, label, "label", "Load", "", FILE_ONLY),
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

GET(run_peak_marks, syn_pressure, step_marks(at->peak, 0))
GET(run_peak_regions, syn_pressure, step_regions(at->peak, 0))
GET(run_peak_valid, syn_pressure, step_valid(at->peak, 0))
GET(run_peak_foundation, syn_pressure, at->peak->foundation ? value_real(at->peak->foundation->peak_mpa) : value_none())
GET(run_assumed, syn_pressure, value_boolean(at->socket.assumed || at->head.assumed))
GET(run_complete, syn_pressure, value_boolean(at->step_count == at->loads.count))
static const syn_result_field trust_fields[] = {
    MEMBER(syn_pressure, nearest_hip, "nearest_hip", "Nearest hip of the model", "", FILE_ONLY),
    MEMBER(syn_pressure, trust.distance, "distance_percent", "Its distance", "percent", FILE_ONLY, .factor = 100),
    MEMBER(syn_pressure, trust.spacing, "spacing_percent", "Distance of the model's hips", "percent", FILE_ONLY,
           .factor = 100),
    MEMBER(syn_pressure, trust.error_percent, "error_percent", "Error to expect", "percent", FILE_ONLY)};
static const syn_record trust_record = RECORD_OF(syn_pressure, "trust", trust_fields);
/* The peak with that thickness of assumed cartilage; unknown without contact. */
static syn_value assumed_peak(double peak_mpa) { return peak_mpa > 0 ? value_real(peak_mpa) : value_none(); }
GET(run_assumed_low, syn_pressure, assumed_peak(at->assumed_peak_mpa[1]))
GET(run_assumed_high, syn_pressure, assumed_peak(at->assumed_peak_mpa[0]))
#define AT_PEAK THROUGH(syn_pressure, peak)
static const syn_result_field run_fields[] = {
    MEMBER(syn_pressure, method, "method", "Method", "", FILE_ONLY),
    MEMBER(syn_pressure_step, total.peak_mpa, "peak_mpa", "Peak pressure", "MPa", FILE_ONLY, AT_PEAK),
    MEMBER(syn_pressure_step, total.mean_mpa, "mean_mpa", "Mean pressure", "MPa", FILE_ONLY, AT_PEAK),
    MEMBER(syn_pressure_step, total.area_mm2, "area_mm2", "Contact area", "mm²", FILE_ONLY, AT_PEAK),
    MEMBER(syn_pressure_step, total.force_n, "force_n", "Contact force", "N", FILE_ONLY, AT_PEAK),
    MEMBER(syn_pressure_step, total.center, "center_of_pressure", "Centre of pressure", "mm", FILE_ONLY, AT_PEAK),
    MEMBER(syn_pressure_step, total.von_mises_mpa, "von_mises_mpa", "von Mises", "MPa", FILE_ONLY | SYN_OPTIONAL,
           AT_PEAK),
    FIELD(REAL, "foundation_peak_mpa", "Peak by foundation", "MPa", FILE_ONLY | SYN_OPTIONAL, run_peak_foundation),
    FIELD(BOOLEAN, "valid", "The peak is valid", "", FILE_ONLY, run_peak_valid),
    MEMBER(syn_pressure, invalid_count, "invalid_steps", "Steps that are not valid", "", FILE_ONLY),
    FIELD_OF(LIST, mark_record, "marks", "Doubts about the peak", FILE_ONLY, run_peak_marks),
    MEMBER(syn_pressure, peak_index, "peak_step", "Step of the peak", "", FILE_ONLY),
    MEMBER(syn_pressure_step, loaded.at, "peak_at", "Part of the motion at the peak", "", FILE_ONLY, AT_PEAK),
    ANGLE(syn_pressure_step, loaded.angles[0], "peak_flexion_deg", "Flexion at the peak", FILE_ONLY, AT_PEAK),
    FIELD_OF(LIST, syn_pressure_region_record, "regions", "Regions at the peak", FILE_ONLY, run_peak_regions),
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
    LIST_OF(syn_pressure, steps, step_count, syn_pressure_step_record, "steps", "Steps", FILE_ONLY)};
const syn_record syn_pressure_record = RECORD_OF(syn_pressure, "pressure", run_fields);

/* ---- as a table ---------------------------------------------------------------------------------------------------
 */

static size_t count_pressure_steps(const void *run) { return ((const syn_pressure *)run)->step_count; }

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
  const syn_pressure *p = run;
  char marks[512] = "", prefix[64];
  syn_csv_put(to, "", &syn_pressure_step_record, NULL, 0, p->steps, row);
  for (size_t r = 0; r < p->socket.region_count; ++r) {
    snprintf(prefix, sizeof prefix, "%s_", syn_tissue_name(p->socket.tissues[r]));
    for (char *c = prefix; *c; ++c)
      if (*c == ' ') *c = '_';
    syn_csv_put(to, prefix, &syn_pressure_region_record, NULL, 0, p->steps[row].regions, r);
  }
  if (row < p->step_count) list_marks(p->steps[row].marks, marks);
  syn_csv_put_text(to, "marks", marks);
}
const syn_csv_table syn_pressure_csv = {count_pressure_steps, put_pressure_step};

/* ---- layer fields ---------------------------------------------------------------------------------------------- */
/* Layers of soft tissue on bones: how they were made, and how good their meshes are. */

static const syn_result_field quality_fields[] = {
    MEMBER(syn_layer, inverted, "inverted", "Inverted", "", FILE_ONLY),
    MEMBER(syn_layer, min_jacobian, "least_jacobian", "Least scaled Jacobian", "", FILE_ONLY),
    MEMBER(syn_layer, max_aspect, "worst_aspect", "Worst aspect", "", FILE_ONLY),
    MEMBER(syn_layer, area_mm2, "area_mm2", "Area", "mm²", FILE_ONLY),
    MEMBER(syn_layer, region_area_mm2[0], "cartilage_area_mm2", "Area of the cartilage", "mm²", FILE_ONLY),
    MEMBER(syn_layer, region_area_mm2[1], "zone_area_mm2", "Area of the transition zone", "mm²", FILE_ONLY),
    MEMBER(syn_layer, region_area_mm2[2], "labrum_area_mm2", "Area of the labrum", "mm²", FILE_ONLY),
    MEMBER(syn_layer, rigid_area_mm2, "rigid_area_mm2", "Area of bare bone", "mm²", FILE_ONLY),
    MEMBER(syn_layer, volume_mm3, "volume_mm3", "Volume", "mm³", FILE_ONLY),
    MEMBER(syn_layer, min_thickness_mm, "least_thickness_mm", "Least thickness", "mm", FILE_ONLY),
    MEMBER(syn_layer, mean_thickness_mm, "thickness_mm", "Mean thickness", "mm", FILE_ONLY),
    MEMBER(syn_layer, max_thickness_mm, "greatest_thickness_mm", "Greatest thickness", "mm", FILE_ONLY)};
static const syn_record quality_record = RECORD_OF(syn_layer, "quality", quality_fields);

static const syn_result_field layer_fields[] = {
    MEMBER(syn_layer, moves, "moves", "Moves with the femur", "", FILE_ONLY),
    MEMBER(syn_layer, assumed, "assumed", "Assumed", "", FILE_ONLY),
    MEMBER(syn_layer, note, "note", "How it was made", "", FILE_ONLY),
    MEMBER(syn_layer, node_count, "nodes", "Nodes", "", FILE_ONLY),
    MEMBER(syn_layer, element_count, "elements", "Hexahedra", "", FILE_ONLY),
    MEMBER(syn_layer, face_count, "faces", "Faces", "", FILE_ONLY),
    MEMBER(syn_layer, interpolated, "filled", "Columns filled from neighbours", "", FILE_ONLY),
    MEMBER(syn_layer, thickened, "thickened", "Columns made as thick as the least thickness", "", FILE_ONLY),
    MEMBER(syn_layer, max_added_mm, "thickest_added_mm", "Most that was added", "mm", FILE_ONLY),
    MEMBER(syn_layer, separated, "parted", "Columns parted where cartilages overlap", "", FILE_ONLY),
    MEMBER(syn_layer, overlap_mm, "overlap_mm", "Deepest overlap", "mm", FILE_ONLY),
    MEMBER(syn_layer, smoothed_mm, "smoothed_mm", "Bone moved by smoothing", "mm", FILE_ONLY),
    ITSELF(quality_record, "quality", "Mesh", FILE_ONLY)};
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
