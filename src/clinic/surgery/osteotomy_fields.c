/* Fields of an osteotomy: the hip before and after. */
#include "clinic/limit_values.h"
#include "clinic/surgery/osteotomy.h"
#include "result/record_csv.h"

GET(motion_place, syn_gain, syn_value_of_place(&at->place))
static const syn_result_field motion_fields[] = {
    MEMBER(syn_motion, name, "name", "Motion", "", FILE_ONLY, THROUGH(syn_gain, motion)),
    MEMBER(syn_motion, label, "label", "Motion", "", FILE_ONLY, THROUGH(syn_gain, motion)),
    NAMED(syn_gain, limit.state, syn_limit_state_name, "state", "State", FILE_ONLY),
    ANGLE(syn_gain, limit.angle, "angle_deg", "Ends at", FILE_ONLY),
    MEMBER(syn_gain, gain_deg, "gain_deg", "Gain", "deg", FILE_ONLY),
    FIELD_OF(RECORD, syn_contact_place_record, "place", "Where", FILE_ONLY, motion_place)};
static const syn_record motion_record = RECORD_OF(syn_gain, "motions", motion_fields);

static const syn_result_field hip_fields[] = {
    MEMBER(syn_osteotomy_hip, neck_shaft_deg, "neck_shaft_deg", "Neck-shaft angle", "deg", FILE_ONLY),
    LIST_OF(syn_osteotomy_hip, motions, motion_count, motion_record, "motions", "Bone to bone", FILE_ONLY),
    POINTED(syn_congruity, paths, syn_congruity_path_record, "cartilage", "Cartilages in the motion", FILE_ONLY,
            THROUGH(syn_osteotomy_hip, congruity)),
    LIST_OF(syn_osteotomy_hip, rows, row_count, syn_ligament_row_record, "ligament", "Ligament in the motion",
            FILE_ONLY)};
static const syn_record hip_record = RECORD_OF(syn_osteotomy_hip, "hip", hip_fields);

static const syn_result_field osteotomy_fields[] = {
    ANGLE(syn_osteotomy, options.varus, "varus_deg", "Turn of the shaft", FILE_ONLY),
    MEMBER(syn_osteotomy, options.medial_mm, "medial_mm", "Shift of the shaft where it is cut", "mm", FILE_ONLY),
    MEMBER(syn_osteotomy, cut, "cut", "Where the turn begins", "mm", FILE_ONLY),
    MEMBER(syn_osteotomy, shift_medial_mm, "shift_medial_mm", "Shaft in neutral position, to the other leg", "mm",
           FILE_ONLY),
    MEMBER(syn_osteotomy, shift_up_mm, "shift_up_mm", "Shaft in neutral position, upward", "mm", FILE_ONLY),
    ANGLE(syn_osteotomy, options.rotation, "rotation_deg", "Internal rotation of the motion", FILE_ONLY),
    NAMED(syn_osteotomy, options.ligament, syn_hip_ligament_name, "ligament", "Ligament", FILE_ONLY),
    PART(syn_osteotomy, before, hip_record, "before", "Before", FILE_ONLY),
    PART(syn_osteotomy, after, hip_record, "after", "After", FILE_ONLY)};
const syn_record syn_osteotomy_record = RECORD_OF(syn_osteotomy, "osteotomy", osteotomy_fields);

/* ---- as a table -------------------------------------------------------------------------------------------------- */

static const syn_result_field angle_fields[] = {
    ANGLE(syn_hip_angles, flexion, "flexion_deg", "Flexion", SYN_IN_CSV),
    ANGLE(syn_hip_angles, rotation, "rotation_deg", "Internal rotation", SYN_IN_CSV)};
static const syn_record angle_record = RECORD_OF(syn_hip_angles, "angles", angle_fields);

static void put_osteotomy_hip(syn_csv *to, const char *when, const syn_osteotomy_hip *hip, size_t row) {
  static const syn_csv_column of_surface[] = {
      {"contact_mm2", NULL, 0}, {"above_mm2", NULL, 0}, {"pressure_mpa", NULL, 0}, {"peak_mpa", NULL, 0}};
  static const syn_csv_column of_moment[] = {{"force_n", NULL, 0}};
  static const syn_csv_column of_ligament[] = {{"peak_mpa", "ligament_peak_mpa", 0},
                                               {"stretch", "ligament_stretch", 0}};
  const syn_congruity_path *path = hip->congruity ? &hip->congruity->paths[0] : NULL;
  const syn_congruity_moment *moment = path && row < path->moment_count ? &path->moments[row] : NULL;
  syn_csv_put(to, when, &syn_congruity_surface_record, of_surface, 4,
              moment ? &moment->surfaces[SYN_CONGRUITY_ACETABULAR] : NULL, 0);
  syn_csv_put(to, when, &syn_congruity_moment_record, of_moment, 1, moment, 0);
  syn_csv_put(to, when, &syn_ligament_row_record, of_ligament, 2, row < hip->row_count ? &hip->rows[row] : NULL, 0);
}

static size_t count_osteotomy_moments(const void *osteotomy) { return syn_osteotomy_moment_count(osteotomy); }

static void put_osteotomy_moment(syn_csv *to, const void *osteotomy, size_t row) {
  static const syn_csv_column of_angles[] = {{"flexion_deg", NULL, 6}, {"rotation_deg", NULL, 6}};
  const syn_osteotomy *made = osteotomy;
  const syn_hip_angles angles = syn_osteotomy_angles_at(made, row);
  syn_csv_put(to, "", &angle_record, of_angles, 2, &angles, 0);
  put_osteotomy_hip(to, "before_", &made->before, row);
  put_osteotomy_hip(to, "after_", &made->after, row);
}
const syn_csv_table syn_osteotomy_csv = {count_osteotomy_moments, put_osteotomy_moment};
