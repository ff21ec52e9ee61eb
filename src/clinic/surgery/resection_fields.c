/* A resection: what it removes and gains, step by step. */
#include <math.h>

#include <synovia/surgery.h>

#include "clinic/limit_values.h"
#include "result/value.h"

/* ---- motions ------------------------------------------------------------------------------------------------------
 */

static double band_end(const void *band, size_t i) {
  return i ? ((const syn_band *)band)->high : ((const syn_band *)band)->low;
}
GET(motion_label, syn_resected_motion, value_text(at->motion->label))
GET(motion_state, syn_resected_motion, value_text(syn_limit_state_name(at->limit.state)))
GET(motion_angle, syn_resected_motion, value_real(at->limit.angle *SYN_RADIAN))
GET(motion_gain, syn_resected_motion, value_real(at->gain_deg))
GET(motion_band, syn_resected_motion,
    isnan(at->gain_band_deg.low) ? value_none() : value_numbers(band_end, &at->gain_band_deg, 2))
GET(motion_place, syn_resected_motion, syn_value_of_place(&at->place))
GET(motion_contact, syn_resected_motion,
    isfinite(at->limit.angle *SYN_RADIAN) && at->limit.event.kind != SYN_EVENT_NONE ? value_record(&at->limit.event, 0)
                                                                                    : value_none())
static const syn_result_field motion_fields[] = {
    MEMBER(syn_motion, name, "name", "Motion", "", FILE_ONLY, THROUGH(syn_resected_motion, motion)),
    MEMBER(syn_motion, label, "label", "Motion", "", FILE_ONLY, THROUGH(syn_resected_motion, motion)),
    FIELD(TEXT, "state", "State", "", FILE_ONLY, motion_state),
    FIELD(REAL, "angle_deg", "Ends at", "deg", FILE_ONLY, motion_angle),
    MEMBER(syn_resected_motion, gain_deg, "gain_deg", "Gain", "deg", FILE_ONLY),
    FIELD(NUMBERS, "gain_band_deg", "95 %", "deg", FILE_ONLY, motion_band),
    MEMBER(syn_resected_motion, gain_deg_per_mm, "gain_deg_per_mm", "Gain per mm", "deg/mm", FILE_ONLY),
    FIELD_OF(RECORD, syn_contact_place_record, "place", "Where", FILE_ONLY, motion_place),
    FIELD_OF(RECORD, syn_event_record, "contact", "Contact", FILE_ONLY, motion_contact),
};
static const syn_record motion_record = RECORD_OF(syn_resected_motion, "motions", motion_fields);

/* ---- steps --------------------------------------------------------------------------------------------------------
 */

/* The object is a resection, the index a step. */
static const syn_resection_step *step_of(const void *resection, size_t i) {
  return &((const syn_resection *)resection)->steps[i];
}
static syn_value step_depth(const void *r, size_t i) { return value_real(step_of(r, i)->depth_mm); }
static syn_value step_deepest(const void *r, size_t i) { return value_real(step_of(r, i)->deepest_mm); }
static syn_value step_volume(const void *r, size_t i) { return value_real(step_of(r, i)->volume_mm3); }
static syn_value step_area(const void *r, size_t i) { return value_real(step_of(r, i)->area_mm2); }
static syn_value step_alpha(const void *r, size_t i) { return value_real(step_of(r, i)->alpha_deg); }
static syn_value step_motions(const void *r, size_t i) {
  return value_list(step_of(r, i)->motions, ((const syn_resection *)r)->motion_count);
}
static syn_value step_is_first(const void *r, size_t i) { return (void)r, value_boolean(i == 0); }
static const syn_result_field step_fields[] = {
    FIELD(REAL, "depth_mm", "Depth", "mm", FILE_ONLY, step_depth),
    FIELD(REAL, "deepest_mm", "Deepest", "mm", FILE_ONLY, step_deepest),
    FIELD(REAL, "volume_mm3", "Bone removed", "mm³", FILE_ONLY, step_volume),
    FIELD(REAL, "area_mm2", "New surface", "mm²", FILE_ONLY, step_area),
    FIELD(REAL, "alpha_deg", "Alpha", "deg", FILE_ONLY, step_alpha),
    FIELD_OF(LIST, motion_record, "motions", "Motions", FILE_ONLY, step_motions),
    FIELD(BOOLEAN, "is_first", "Without a cut", "", SYN_IN_WORDS, step_is_first),
};
static const syn_record step_record = RECORD("step", step_fields);

/* Motions before and after, in words: the object is a resection, the index a motion. */
static const syn_resected_motion *before_of(const void *r, size_t i) { return &step_of(r, 0)->motions[i]; }
static const syn_resected_motion *after_of(const void *r, size_t i) {
  return &step_of(r, ((const syn_resection *)r)->step_count - 1)->motions[i];
}
static syn_value both_label(const void *r, size_t i) { return motion_label(before_of(r, i), 0); }
static syn_value both_gain(const void *r, size_t i) {
  return ((const syn_resection *)r)->step_count > 1 ? motion_gain(after_of(r, i), 0) : value_none();
}
static syn_value both_band(const void *r, size_t i) { return motion_band(after_of(r, i), 0); }
static syn_value before_words(const void *r, size_t i) { return syn_value_of_limit(&before_of(r, i)->limit); }
static syn_value before_place(const void *r, size_t i) { return syn_value_of_place_words(&before_of(r, i)->place); }
static syn_value after_words(const void *r, size_t i) { return syn_value_of_limit(&after_of(r, i)->limit); }
static syn_value after_place(const void *r, size_t i) { return syn_value_of_place_words(&after_of(r, i)->place); }
static const syn_result_field both_fields[] = {
    FIELD(TEXT, "label", "Motion", "", SYN_IN_WORDS, both_label),
    FIELD(REAL, "gain_deg", "Gain", "deg", SYN_IN_WORDS, both_gain),
    FIELD(NUMBERS, "band_deg", "95 %", "deg", SYN_IN_WORDS, both_band),
    FIELD(TEXT, "before", "Before", "", SYN_IN_WORDS, before_words),
    FIELD(TEXT, "before_place", "Where", "", SYN_IN_WORDS, before_place),
    FIELD(TEXT, "after", "After", "", SYN_IN_WORDS, after_words),
    FIELD(TEXT, "after_place", "Where", "", SYN_IN_WORDS, after_place),
};
static const syn_record both_record = RECORD("compared", both_fields);

/* ---- all of it ----------------------------------------------------------------------------------------------------
 */

static const syn_resection_options *options_of(const void *r) { return &((const syn_resection *)r)->options; }
static bool is_cam(const void *r) { return options_of(r)->kind == SYN_RESECTION_CAM; }
static syn_value plan_kind(const void *r, size_t i) {
  return (void)i, value_text(syn_resection_kind_name(options_of(r)->kind));
}
static syn_value plan_bone(const void *r, size_t i) {
  return (void)i, value_text(syn_hip_part_name(syn_resection_part(options_of(r)->kind)));
}
static syn_value plan_from(const void *r, size_t i) { return (void)i, value_real(options_of(r)->from_hour); }
static syn_value plan_to(const void *r, size_t i) { return (void)i, value_real(options_of(r)->to_hour); }
static syn_value plan_alpha(const void *r, size_t i) {
  return (void)i, is_cam(r) ? value_real(options_of(r)->alpha_deg) : value_none();
}
static syn_value plan_neck(const void *r, size_t i) {
  return (void)i, is_cam(r) ? value_real(options_of(r)->neck_mm) : value_none();
}
static syn_value plan_offset(const void *r, size_t i) {
  return (void)i, is_cam(r) ? value_real(options_of(r)->offset_mm) : value_none();
}
static syn_value plan_width(const void *r, size_t i) {
  return (void)i, is_cam(r) ? value_none() : value_real(options_of(r)->width_mm);
}
static const syn_result_field target_fields[] = {
    FIELD(REAL, "from_hour", "From", "h", FILE_ONLY, plan_from),
    FIELD(REAL, "to_hour", "To", "h", FILE_ONLY, plan_to),
    FIELD(REAL, "alpha_deg", "Alpha aimed at", "deg", FILE_ONLY, plan_alpha),
    FIELD(REAL, "neck_mm", "Along the neck", "mm", FILE_ONLY, plan_neck),
    FIELD(REAL, "offset_mm", "Thinner neck", "mm", FILE_ONLY, plan_offset),
    FIELD(REAL, "width_mm", "Level width", "mm", FILE_ONLY, plan_width),
};
static const syn_record target_record = RECORD("target", target_fields);

static syn_value plan_target(const void *r, size_t i) { return (void)i, value_record(r, 0); }
static syn_value plan_full(const void *r, size_t i) { return (void)i, value_real(((const syn_resection *)r)->full_mm); }
static syn_value plan_before(const void *r, size_t i) { return (void)i, value_record(r, 0); }
static syn_value plan_after(const void *r, size_t i) {
  return (void)i, value_record(r, ((const syn_resection *)r)->step_count - 1);
}
static syn_value plan_steps(const void *r, size_t i) {
  return (void)i, value_list(r, ((const syn_resection *)r)->step_count);
}
static syn_value plan_both(const void *r, size_t i) {
  return (void)i, value_list(r, ((const syn_resection *)r)->motion_count);
}
static syn_value plan_side(const void *r, size_t i) {
  return (void)i, value_text(syn_side_name(((const syn_resection *)r)->hip_case->hip.side));
}
static syn_value clock_words(double hour) {
  char words[16];
  return syn_value_words("%s", syn_clock_words(hour, words));
}
static syn_value plan_from_words(const void *r, size_t i) { return (void)i, clock_words(options_of(r)->from_hour); }
static syn_value plan_to_words(const void *r, size_t i) { return (void)i, clock_words(options_of(r)->to_hour); }
static const syn_result_field plan_fields[] = {
    FIELD(TEXT, "kind", "Resection", "", FILE_ONLY, plan_kind),
    FIELD(TEXT, "bone", "Bone", "", FILE_ONLY, plan_bone),
    FIELD_OF(RECORD, target_record, "target", "Aim", FILE_ONLY, plan_target),
    FIELD(REAL, "full_mm", "All that stands out", "mm", FILE_ONLY, plan_full),
    FIELD_OF(RECORD, step_record, "before", "Before", FILE_ONLY, plan_before),
    FIELD_OF(RECORD, step_record, "after", "After", FILE_ONLY, plan_after),
    FIELD_OF(LIST, step_record, "steps", "Steps", FILE_ONLY, plan_steps),
    FIELD_OF(LIST, both_record, "compared", "Before and after", SYN_IN_WORDS, plan_both),
    FIELD(TEXT, "side", "Side", "", SYN_IN_WORDS, plan_side),
    FIELD(TEXT, "from", "From", "", SYN_IN_WORDS, plan_from_words),
    FIELD(TEXT, "to", "To", "", SYN_IN_WORDS, plan_to_words),
};
static const char resection_words[] =
    "Resection of the {kind} of the {side} hip, {from} to {to} o'clock"
    "{?kind=cam}, towards an alpha angle of {target.alpha_deg}°{/}:\n"
    "{#compared}  {@} {label}{?gain_deg}: {gain_deg:+.2}°{/}{?band_deg}, 95 % {band_deg.0:.1} to {band_deg.1:.1}°{/}\n"
    "      before: {before}{?before_place}, {before_place}{/}\n"
    "      after:  {after}{?after_place}, {after_place}{/}\n{/}"
    "\n  Depth   Removed{?kind=cam}  Alpha{/}{#compared}    Motion {@}     {/}"
    "\n     mm       mm³{?kind=cam}      °{/}{#compared}        °    gain{/}\n"
    "{#steps}  {depth_mm:5.2} {volume_mm3:9.1}{?kind=cam}  {alpha_deg:5.1}{/}{#motions}"
    "{?state=stopped}  {angle_deg:7.2}{:}{?state=no_stop}  no stop{:}  no pose{/}{/}"
    "{?is_first}        {:} {gain_deg:+7.2|?}{/}{/}\n{/}";
const syn_record syn_resection_record = RECORD_IN_WORDS("resection", plan_fields, resection_words);
