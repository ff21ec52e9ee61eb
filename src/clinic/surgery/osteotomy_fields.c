/* An osteotomy: the hip before and after. */
#include <math.h>

#include <synovia/osteotomy.h>

#include "clinic/limit_values.h"
#include "result/patterns.h"
#include "result/value.h"

GET(motion_label, syn_osteotomy_motion, value_text(at->motion->label))
GET(motion_state, syn_osteotomy_motion, value_text(syn_limit_state_name(at->limit.state)))
GET(motion_angle, syn_osteotomy_motion, value_real(at->limit.angle *SYN_RADIAN))
GET(motion_gain, syn_osteotomy_motion, value_real(at->gain_deg))
GET(motion_place, syn_osteotomy_motion, syn_value_of_place(&at->place))
static const syn_result_field motion_fields[] = {
    MEMBER(syn_motion, name, "name", "Motion", "", FILE_ONLY, THROUGH(syn_osteotomy_motion, motion)),
    MEMBER(syn_motion, label, "label", "Motion", "", FILE_ONLY, THROUGH(syn_osteotomy_motion, motion)),
    FIELD(TEXT, "state", "State", "", FILE_ONLY, motion_state),
    FIELD(REAL, "angle_deg", "Ends at", "deg", FILE_ONLY, motion_angle),
    MEMBER(syn_osteotomy_motion, gain_deg, "gain_deg", "Gain", "deg", FILE_ONLY),
    FIELD_OF(RECORD, syn_contact_place_record, "place", "Where", FILE_ONLY, motion_place)};
static const syn_record motion_record = RECORD_OF(syn_osteotomy_motion, "motions", motion_fields);

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
static const syn_result_field syn_hip_fields[] = {
    FIELD(REAL, "neck_shaft_deg", "Neck-shaft angle", "deg", FILE_ONLY, hip_angle),
    FIELD_OF(LIST, motion_record, "motions", "Bone to bone", FILE_ONLY, hip_motions),
    FIELD_OF(RECORD, syn_congruity_path_record, "cartilage", "Cartilages in the motion", FILE_ONLY, hip_cartilage),
    FIELD_OF(LIST, syn_ligament_row_record, "ligament", "Ligament in the motion", FILE_ONLY, hip_rows)};
static const syn_record hip_record = RECORD("hip", syn_hip_fields);

/* Before and after, in words: the object is a syn_osteotomy, the index a motion or a moment. */
static const syn_osteotomy_motion *motion_of(const void *o, size_t hip, size_t i) {
  return &hip_of(o, hip)->motions[i];
}
static syn_value both_label(const void *o, size_t i) { return motion_label(motion_of(o, 0, i), 0); }
static syn_value both_gain(const void *o, size_t i) { return motion_gain(motion_of(o, 1, i), 0); }
static syn_value before_words(const void *o, size_t i) { return syn_value_of_limit(&motion_of(o, 0, i)->limit); }
static syn_value after_words(const void *o, size_t i) { return syn_value_of_limit(&motion_of(o, 1, i)->limit); }
static syn_value after_place(const void *o, size_t i) { return syn_value_of_place_words(&motion_of(o, 1, i)->place); }
static const syn_result_field both_fields[] = {FIELD(TEXT, "label", "Motion", "", SYN_IN_WORDS, both_label),
                                               FIELD(REAL, "gain_deg", "Gain", "deg", SYN_IN_WORDS, both_gain),
                                               FIELD(TEXT, "before", "Before", "", SYN_IN_WORDS, before_words),
                                               FIELD(TEXT, "after", "After", "", SYN_IN_WORDS, after_words),
                                               FIELD(TEXT, "after_place", "Where", "", SYN_IN_WORDS, after_place)};
static const syn_record both_record = RECORD("compared", both_fields);
static syn_value row_angle(const void *o, size_t i) { return value_degrees(hip_of(o, 0)->rows[i].angle); }
static syn_value row_before(const void *o, size_t i) { return value_record(hip_of(o, 0)->rows, i); }
static syn_value row_after(const void *o, size_t i) { return value_record(hip_of(o, 1)->rows, i); }
static const syn_result_field row_fields[] = {
    FIELD(REAL, "angle_deg", "Angle", "deg", SYN_IN_WORDS, row_angle),
    FIELD_OF(RECORD, syn_ligament_row_record, "before", "Before", SYN_IN_WORDS, row_before),
    FIELD_OF(RECORD, syn_ligament_row_record, "after", "After", SYN_IN_WORDS, row_after)};
static const syn_record row_record = RECORD("compared_rows", row_fields);

GET(all_motions, syn_osteotomy, value_list(at, at->motion_count))
GET(all_rows, syn_osteotomy,
    value_list(at, at->before.row_count < at->after.row_count ? at->before.row_count : at->after.row_count))
GET(all_after, syn_osteotomy, value_record(at, 1))
static const syn_result_field osteotomy_fields[] = {
    ANGLE(syn_osteotomy, options.varus, "varus_deg", "Turn of the shaft", FILE_ONLY),
    MEMBER(syn_osteotomy, options.medial_mm, "medial_mm", "Shift of the shaft where it is cut", "mm", FILE_ONLY),
    MEMBER(syn_osteotomy, cut, "cut", "Where the turn begins", "mm", FILE_ONLY),
    MEMBER(syn_osteotomy, shift_medial_mm, "shift_medial_mm", "Shaft in neutral position, to the other leg", "mm",
           FILE_ONLY),
    MEMBER(syn_osteotomy, shift_up_mm, "shift_up_mm", "Shaft in neutral position, upward", "mm", FILE_ONLY),
    ANGLE(syn_osteotomy, options.rotation, "rotation_deg", "Internal rotation of the motion", FILE_ONLY),
    NAMED(syn_osteotomy, options.ligament, syn_hip_ligament_name, "ligament", "Ligament", FILE_ONLY),
    ITSELF(hip_record, "before", "Before", FILE_ONLY),
    FIELD_OF(RECORD, hip_record, "after", "After", FILE_ONLY, all_after),
    FIELD_OF(LIST, both_record, "compared", "Motions", SYN_IN_WORDS, all_motions),
    FIELD_OF(LIST, row_record, "compared_rows", "Ligament", SYN_IN_WORDS, all_rows),
    MEMBER(syn_osteotomy, options.tissue.young_mpa, "ligament_young_mpa", "Young's modulus along its fibres", "MPa",
           SYN_IN_WORDS)};
static const char osteotomy_words[] =
    "Shaft turned by {varus_deg:.1a}° into {?varus_deg<0}valgus{:}varus{/}: neck-shaft angle from "
    "{before.neck_shaft_deg:.1|nan} to {after.neck_shaft_deg:.1|nan}°\n"
    "With the knee in its place the shaft is {shift_medial_mm:.1a} mm further {?shift_medial_mm<0}lateral{:}medial{/} "
    "and {shift_up_mm:.1a} mm {?shift_up_mm<0}lower{:}higher{/}\n"
    "{#compared}  {label}{?gain_deg}: {gain_deg:+.2}°{/}\n      before: {before}\n      after:  {after}"
    "{?after_place}, {after_place}{/}\n{/}"
    "{#before.cartilage}\nBefore:" CONGRUITY_WORDS "{/}{#after.cartilage}\nAfter:" CONGRUITY_WORDS "{/}"
    "{?compared_rows}\nThe {ligament} ligament, {ligament_young_mpa} MPa along its fibres\n"
    "  flexion and rotation   before: stress, stretch    after: stress, stretch\n"
    "{#compared_rows}  {angle_deg:14.1}°     {before.peak_mpa:14.3*1e3} kPa {before.stretch:6.3} "
    "{after.peak_mpa:12.3*1e3} kPa {after.stretch:6.3}\n{/}{/}";
const syn_record syn_osteotomy_record =
    RECORD_OF_IN_WORDS(syn_osteotomy, "osteotomy", osteotomy_fields, osteotomy_words);
