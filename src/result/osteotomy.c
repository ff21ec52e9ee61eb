/* An osteotomy: the hip before and after. */
#include <math.h>

#include "result/value.h"

GET(motion_name, syn_osteotomy_motion, value_text(at->motion->name))
GET(motion_label, syn_osteotomy_motion, value_text(at->motion->label))
GET(motion_state, syn_osteotomy_motion, value_text(syn_limit_state_name(syn_hip_limit_state(&at->limit))))
GET(motion_angle, syn_osteotomy_motion, value_real(syn_hip_limit_deg(&at->limit)))
GET(motion_gain, syn_osteotomy_motion, value_real(at->gain_deg))
GET(motion_place, syn_osteotomy_motion, syn_value_of_place(&at->place))
static const syn_result_field motion_fields[] = {
    FIELD(TEXT, "name", "Motion", "", FILE_ONLY, motion_name),
    FIELD(TEXT, "label", "Motion", "", FILE_ONLY, motion_label),
    FIELD(TEXT, "state", "State", "", FILE_ONLY, motion_state),
    FIELD(REAL, "angle_deg", "Ends at", "deg", FILE_ONLY, motion_angle),
    FIELD(REAL, "gain_deg", "Gain", "deg", FILE_ONLY, motion_gain),
    FIELD_OF(RECORD, syn_contact_place_record, "place", "Where", FILE_ONLY, motion_place)};
static const syn_record motion_record = RECORD("motions", motion_fields);

/* The object is a syn_osteotomy, the index says which of its hips. */
static const syn_osteotomy_hip *hip_of(const void *object, size_t index) {
  const syn_osteotomy *o = object;
  return index ? &o->after : &o->before;
}
static syn_value hip_angle(const void *o, size_t i) { return value_real(hip_of(o, i)->neck_shaft_deg); }
static syn_value hip_motions(const void *o, size_t i) {
  return value_list(hip_of(o, i)->motions, ((const syn_osteotomy *)o)->motion_count);
}
static syn_value hip_cartilage(const void *o, size_t i) {
  const syn_congruity *c = hip_of(o, i)->congruity;
  return value_record(c ? c->paths : NULL, 0);
}
static syn_value hip_rows(const void *o, size_t i) { return value_list(hip_of(o, i)->rows, hip_of(o, i)->row_count); }
static const syn_result_field hip_fields[] = {
    FIELD(REAL, "neck_shaft_deg", "Neck-shaft angle", "deg", FILE_ONLY, hip_angle),
    FIELD_OF(LIST, motion_record, "motions", "Bone to bone", FILE_ONLY, hip_motions),
    FIELD_OF(RECORD, syn_congruity_path_record, "cartilage", "Cartilages in the motion", FILE_ONLY, hip_cartilage),
    FIELD_OF(LIST, syn_ligament_row_record, "ligament", "Ligament in the motion", FILE_ONLY, hip_rows)};
static const syn_record hip_record = RECORD("hip", hip_fields);

GET(all_varus, syn_osteotomy, value_degrees(at->options.varus))
GET(all_medial, syn_osteotomy, value_real(at->options.medial_mm))
GET(all_cut, syn_osteotomy, value_point(at->cut))
GET(all_shift, syn_osteotomy, value_real(at->shift_medial_mm))
GET(all_up, syn_osteotomy, value_real(at->shift_up_mm))
GET(all_rotation, syn_osteotomy, value_degrees(at->options.rotation))
GET(all_ligament, syn_osteotomy, value_text(syn_hip_ligament_name(at->options.ligament)))
GET(all_before, syn_osteotomy, value_record(at, 0))
GET(all_after, syn_osteotomy, value_record(at, 1))
static const syn_result_field osteotomy_fields[] = {
    FIELD(REAL, "varus_deg", "Turn of the shaft", "deg", FILE_ONLY, all_varus),
    FIELD(REAL, "medial_mm", "Shift of the shaft where it is cut", "mm", FILE_ONLY, all_medial),
    FIELD(POINT, "cut", "Where the turn begins", "mm", FILE_ONLY, all_cut),
    FIELD(REAL, "shift_medial_mm", "Shaft in neutral position, to the other leg", "mm", FILE_ONLY, all_shift),
    FIELD(REAL, "shift_up_mm", "Shaft in neutral position, upward", "mm", FILE_ONLY, all_up),
    FIELD(REAL, "rotation_deg", "Internal rotation of the motion", "deg", FILE_ONLY, all_rotation),
    FIELD(TEXT, "ligament", "Ligament", "", FILE_ONLY, all_ligament),
    FIELD_OF(RECORD, hip_record, "before", "Before", FILE_ONLY, all_before),
    FIELD_OF(RECORD, hip_record, "after", "After", FILE_ONLY, all_after)};
const syn_record syn_osteotomy_record = RECORD("osteotomy", osteotomy_fields);
