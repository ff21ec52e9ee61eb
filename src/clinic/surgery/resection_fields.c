/* Fields of a resection: removed bone and gains, step by step. */
#include <math.h>

#include "clinic/limit_values.h"
#include "clinic/surgery/resection.h"
#include "result/record_csv.h"
#include "result/value.h"

/* ---- motions ----------------------------------------------------------------------------------------------------- */

static double band_end(const void *band, size_t i) {
  return i ? ((const syn_band *)band)->high : ((const syn_band *)band)->low;
}
GET(motion_band, syn_gain, isnan(at->gain_band_deg.low) ? value_none() : value_numbers(band_end, &at->gain_band_deg, 2))
GET(motion_place, syn_gain, syn_value_of_place(&at->place))
GET(motion_contact, syn_gain,
    isfinite(at->limit.angle) && at->limit.event.kind != SYN_EVENT_NONE ? value_record(&at->limit.event, 0)
                                                                        : value_none())
static const syn_result_field motion_fields[] = {
    MEMBER(syn_motion, name, "name", "Motion", "", FILE_ONLY, THROUGH(syn_gain, motion)),
    MEMBER(syn_motion, label, "label", "Motion", "", FILE_ONLY, THROUGH(syn_gain, motion)),
    NAMED(syn_gain, limit.state, syn_limit_state_name, "state", "State", FILE_ONLY),
    ANGLE(syn_gain, limit.angle, "angle_deg", "Ends at", PRINTED),
    MEMBER(syn_gain, gain_deg, "gain_deg", "Gain", "deg", PRINTED),
    FIELD(NUMBERS, "gain_band_deg", "95 %", "deg", FILE_ONLY, motion_band),
    MEMBER(syn_gain, gain_band_deg.low, "gain_low_deg", "95 % from", "deg", SYN_IN_CSV),
    MEMBER(syn_gain, gain_band_deg.high, "gain_high_deg", "to", "deg", SYN_IN_CSV),
    MEMBER(syn_gain, gain_deg_per_mm, "gain_deg_per_mm", "Gain per mm", "deg/mm", FILE_ONLY),
    FIELD_OF(RECORD, syn_contact_place_record, "place", "Where", FILE_ONLY, motion_place),
    FIELD_OF(RECORD, syn_event_record, "contact", "Contact", FILE_ONLY, motion_contact)};
static const syn_record motion_record = RECORD_OF(syn_gain, "motions", motion_fields);

static const syn_result_field step_fields[] = {
    MEMBER(syn_resection_step, depth_mm, "depth_mm", "Depth", "mm", FILE_ONLY),
    MEMBER(syn_resection_step, deepest_mm, "deepest_mm", "Deepest", "mm", FILE_ONLY),
    MEMBER(syn_resection_step, volume_mm3, "volume_mm3", "Bone removed", "mm³", FILE_ONLY),
    MEMBER(syn_resection_step, area_mm2, "area_mm2", "New surface", "mm²", FILE_ONLY),
    MEMBER(syn_resection_step, alpha_deg, "alpha_deg", "Alpha", "deg", FILE_ONLY),
    LIST_OF(syn_resection_step, motions, motion_count, motion_record, "motions", "Motions", FILE_ONLY)};
static const syn_record step_record = RECORD_OF(syn_resection_step, "step", step_fields);

/* ---- all --------------------------------------------------------------------------------------------------------- */

/* Some of the targets are those of a cam, one is that of a rim. */
static syn_value of_cam(const syn_resection_options *o, double value) {
  return o->kind == SYN_RESECTION_CAM ? value_real(value) : value_none();
}
GET(aimed_alpha, syn_resection_options, of_cam(at, at->alpha_deg))
GET(aimed_neck, syn_resection_options, of_cam(at, at->neck_mm))
GET(aimed_offset, syn_resection_options, of_cam(at, at->offset_mm))
GET(aimed_width, syn_resection_options, at->kind == SYN_RESECTION_CAM ? value_none() : value_real(at->width_mm))
static const syn_result_field target_fields[] = {
    MEMBER(syn_resection_options, from_hour, "from_hour", "From", "h", FILE_ONLY),
    MEMBER(syn_resection_options, to_hour, "to_hour", "To", "h", FILE_ONLY),
    FIELD(REAL, "alpha_deg", "Alpha aimed at", "deg", FILE_ONLY, aimed_alpha),
    FIELD(REAL, "neck_mm", "Along the neck", "mm", FILE_ONLY, aimed_neck),
    FIELD(REAL, "offset_mm", "Thinner neck", "mm", FILE_ONLY, aimed_offset),
    FIELD(REAL, "width_mm", "Level width", "mm", FILE_ONLY, aimed_width)};
static const syn_record target_record = RECORD_OF(syn_resection_options, "target", target_fields);

GET(cut_bone, syn_resection, value_text(syn_hip_part_name(syn_resection_part(at->options.kind))))
GET(last_step, syn_resection, value_record(&at->steps[at->step_count - 1], 0))
static const syn_result_field resection_fields[] = {
    NAMED(syn_resection, options.kind, syn_resection_kind_name, "kind", "Resection", FILE_ONLY),
    FIELD(TEXT, "bone", "Bone", "", FILE_ONLY, cut_bone),
    PART(syn_resection, options, target_record, "target", "Aim", FILE_ONLY),
    MEMBER(syn_resection, full_mm, "full_mm", "All that stands out", "mm", FILE_ONLY),
    POINTED(syn_resection, steps, step_record, "before", "Before", FILE_ONLY),
    FIELD_OF(RECORD, step_record, "after", "After", FILE_ONLY, last_step),
    LIST_OF(syn_resection, steps, step_count, step_record, "steps", "Steps", FILE_ONLY)};
const syn_record syn_resection_record = RECORD_OF(syn_resection, "resection", resection_fields);

/* ---- as a table -------------------------------------------------------------------------------------------------- */

static size_t count_resection_steps(const void *resection) { return ((const syn_resection *)resection)->step_count; }

static void put_resection_step(syn_csv *to, const void *resection, size_t row) {
  static const syn_csv_column of_step[] = {{"depth_mm", NULL, 6},
                                           {"deepest_mm", NULL, 6},
                                           {"volume_mm3", NULL, 6},
                                           {"area_mm2", NULL, 6},
                                           {"alpha_deg", NULL, 6}};
  static const syn_csv_column of_motion[] = {{"state", NULL, 0},
                                             {"angle_deg", "deg", 6},
                                             {"gain_deg", NULL, 6},
                                             {"gain_low_deg", NULL, 6},
                                             {"gain_high_deg", NULL, 6}};
  const syn_resection *r = resection;
  const syn_resection_step *step = &r->steps[row];
  syn_csv_put(to, "", &step_record, of_step, 5, step, 0);
  for (size_t m = 0; m < r->motion_count; ++m) {
    char prefix[64];
    snprintf(prefix, sizeof prefix, "%s_", step->motions[m].motion->name);
    syn_csv_put(to, prefix, &motion_record, of_motion, 5, step->motions, m);
  }
}
const syn_csv_table syn_resection_csv = {count_resection_steps, put_resection_step};
