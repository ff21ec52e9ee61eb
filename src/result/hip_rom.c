/* How far a hip turns: each motion with what stops it, the envelope, and turns about other axes. */
#include <math.h>

#include <synovia/hip.h>

#include "clinic/limit_values.h"
#include "result/patterns.h"
#include "result/value.h"

/* ---- what stops a turn --------------------------------------------------------------------------------------------
 */

static const syn_limit *limit_at(const void *limits, size_t i) { return (const syn_limit *)limits + i; }

static bool stopped(const syn_limit *limit) { return limit->state == SYN_LIMIT_STOPPED; }

static syn_value fixed_part(const void *limits, size_t i) {
  return value_text(syn_hip_part_name(limit_at(limits, i)->fixed));
}
static syn_value mobile_part(const void *limits, size_t i) {
  return value_text(syn_hip_part_name(limit_at(limits, i)->mobile));
}
static const syn_result_field parts_fields[] = {FIELD(TEXT, "fixed", "On", "", COLUMN, fixed_part),
                                                FIELD(TEXT, "mobile", "Stopped by", "", COLUMN, mobile_part)};
static const syn_record parts_record = RECORD("limited_by", parts_fields);

static const syn_event *event_at(const void *events, size_t i) { return (const syn_event *)events + i; }
static syn_value event_point(const void *events, size_t i) { return value_point(event_at(events, i)->point); }
static syn_value event_kind(const void *events, size_t i) {
  return value_text(syn_event_kind_name(event_at(events, i)->kind));
}
static syn_value event_fixed(const void *events, size_t i) { return value_count(event_at(events, i)->fixed_element); }
static syn_value event_mobile(const void *events, size_t i) { return value_count(event_at(events, i)->mobile_element); }
static const syn_result_field event_fields[] = {
    FIELD(POINT, "point", "Contact", "mm", FILE_ONLY, event_point),
    FIELD(TEXT, "kind", "Kind", "", FILE_ONLY, event_kind),
    FIELD(INTEGER, "fixed_element", "Fixed element", "", FILE_ONLY, event_fixed),
    FIELD(INTEGER, "mobile_element", "Mobile element", "", FILE_ONLY, event_mobile)};
const syn_record syn_event_record = RECORD("contact", event_fields);

/* ---- where it is stopped ------------------------------------------------------------------------------------------
 */

static const syn_contact_place *place_at(const void *places, size_t i) { return (const syn_contact_place *)places + i; }

static syn_value place_femur(const void *p, size_t i) {
  const syn_femur_region region = place_at(p, i)->femur;
  return value_text(region < SYN_FEMUR_REGIONS ? syn_femur_region_name(region) : NULL);
}
static syn_value place_femur_hour(const void *p, size_t i) { return value_real(place_at(p, i)->femur_hour); }
static syn_value place_pelvis(const void *p, size_t i) {
  const syn_pelvis_region region = place_at(p, i)->pelvis;
  return value_text(region < SYN_PELVIS_REGIONS ? syn_pelvis_region_name(region) : NULL);
}
static syn_value place_pelvis_hour(const void *p, size_t i) { return value_real(place_at(p, i)->pelvis_hour); }
static syn_value place_inside(const void *p, size_t i) {
  return place_at(p, i)->pelvis < SYN_PELVIS_REGIONS ? value_boolean(place_at(p, i)->inside_joint) : value_none();
}
static const syn_result_field place_fields[] = {
    FIELD(TEXT, "femur", "Region of the femur", "", COLUMN, place_femur),
    FIELD(REAL, "femur_clock", "Clock about the neck", "h", COLUMN, place_femur_hour),
    FIELD(TEXT, "pelvis", "Region of the pelvis", "", COLUMN, place_pelvis),
    FIELD(REAL, "pelvis_clock", "Clock of the acetabulum", "h", COLUMN, place_pelvis_hour),
    FIELD(BOOLEAN, "inside_joint", "Inside the joint", "", COLUMN, place_inside),
};
const syn_record syn_contact_place_record = RECORD("place", place_fields);

/* What stops the turn, or overlaps where nothing is free. */
static syn_value limited_by(const syn_limit *limit) {
  return limit->state != SYN_LIMIT_NO_STOP && (stopped(limit) || isnan(limit->followed)) ? value_record(limit, 0)
                                                                                         : value_none();
}

static syn_value contact(const syn_limit *limit) {
  return stopped(limit) && limit->event.kind != SYN_EVENT_NONE ? value_record(&limit->event, 0) : value_none();
}

static syn_value state(const syn_limit *limit) { return value_text(syn_limit_state_name(limit->state)); }

/* ---- published range ----------------------------------------------------------------------------------------------
 */

static const syn_motion *motion_of(const void *motion) { return motion; }
static syn_value published_low(const void *m, size_t i) { return (void)i, value_real(motion_of(m)->low_deg); }
static syn_value published_high(const void *m, size_t i) { return (void)i, value_real(motion_of(m)->high_deg); }
static syn_value published_source(const void *m, size_t i) { return (void)i, value_text(motion_of(m)->source); }
static const syn_result_field published_fields[] = {
    FIELD(REAL, "low", "Published from", "deg", FILE_ONLY, published_low),
    FIELD(REAL, "high", "to", "deg", FILE_ONLY, published_high),
    FIELD(TEXT, "source", "Source", "", FILE_ONLY, published_source)};
static const syn_record published_record = RECORD("published", published_fields);

static syn_value published(const syn_motion *motion) { return motion->source ? value_record(motion, 0) : value_none(); }

/* ---- clinical motions ---------------------------------------------------------------------------------------------
 */

static const syn_hip_motion_limit *at(const void *limits, size_t i) { return (const syn_hip_motion_limit *)limits + i; }

static syn_value motion_name(const void *l, size_t i) { return value_text(at(l, i)->motion->name); }
static syn_value motion_label(const void *l, size_t i) { return value_text(at(l, i)->motion->label); }
static syn_value motion_state(const void *l, size_t i) { return state(&at(l, i)->limit); }
static syn_value motion_angle(const void *l, size_t i) { return value_real(at(l, i)->limit.angle * SYN_RADIAN); }
static syn_value motion_free_again(const void *l, size_t i) {
  return value_real(syn_limit_free_again_deg(&at(l, i)->limit));
}
static syn_value motion_limited_by(const void *l, size_t i) { return limited_by(&at(l, i)->limit); }
static syn_value motion_hour(const void *l, size_t i) { return value_real(at(l, i)->hour); }
static syn_value motion_contact(const void *l, size_t i) { return contact(&at(l, i)->limit); }
static syn_value motion_start_overlaps(const void *l, size_t i) {
  return value_boolean(at(l, i)->limit.start_overlaps);
}
static syn_value motion_place(const void *l, size_t i) { return syn_value_of_place(&at(l, i)->place); }
static syn_value motion_shift(const void *l, size_t i) { return value_point(at(l, i)->shift); }
static syn_value motion_most(const void *l, size_t i) { return value_real(at(l, i)->motion->max_deg); }
static syn_value motion_published(const void *l, size_t i) { return published(at(l, i)->motion); }
static syn_value motion_bone_state(const void *l, size_t i) { return state(&at(l, i)->bones); }
static syn_value motion_bone_angle(const void *l, size_t i) { return value_real(at(l, i)->bones.angle * SYN_RADIAN); }

/* For people. */
static syn_value motion_where(const void *l, size_t i) { return syn_value_of_place_words(&at(l, i)->place); }
static syn_value motion_state_words(const void *l, size_t i) {
  const syn_limit *limit = &at(l, i)->limit;
  char words[96];
  if (!stopped(limit)) {
    char band[96];
    syn_motion_band_words(at(l, i), band);
    return syn_value_words("%s%s%s", syn_hip_limit_words(limit, words), band[0] ? ": " : "", band);
  }
  return value_text(limit->start_overlaps && limit->angle < 0 ? "stopped; the start collides" : "stopped");
}
static syn_value motion_stopped_by(const void *l, size_t i) {
  const syn_limit *limit = &at(l, i)->limit;
  if (!stopped(limit)) return value_none();
  return syn_value_on(syn_hip_part_name(limit->mobile), syn_hip_part_name(limit->fixed));
}
static syn_value motion_clock(const void *l, size_t i) {
  char words[16];
  return syn_value_words("%s", syn_clock_words(at(l, i)->hour, words));
}
static syn_value motion_bones(const void *l, size_t i) {
  const syn_limit *bones = &at(l, i)->bones;
  if (stopped(bones)) return value_real(bones->angle * SYN_RADIAN);
  return value_text(bones->state == SYN_LIMIT_NO_STOP ? "no stop" : "no free pose");
}
/* Where it is stopped by name, or at least at which hour. */
static syn_value motion_stop_words(const void *l, size_t i) {
  const syn_hip_motion_limit *m = at(l, i);
  char place[96], clock[16];
  const bool bones = m->limit.fixed == SYN_HIP_PELVIS && m->limit.mobile == SYN_HIP_FEMUR;
  const char *on = syn_hip_part_name(m->limit.fixed), *by = syn_hip_part_name(m->limit.mobile);
  if (syn_contact_place_words(&m->place, place)[0])
    return bones ? syn_value_words("%s", place) : syn_value_words("%s on %s, %s", by, on, place);
  if (isfinite(m->hour)) return syn_value_words("%s on %s at %s", by, on, syn_clock_words(m->hour, clock));
  return syn_value_words("%s on %s", by, on);
}
static syn_value motion_band_words(const void *l, size_t i) {
  char words[96];
  return syn_value_words("%s", syn_motion_band_words(at(l, i), words));
}
/* Judged by whole degrees, as the page does; published ranges are those of bones. */
static syn_value motion_range_words(const void *l, size_t i) {
  const syn_motion *motion = at(l, i)->motion;
  const double angle = at(l, i)->bones.angle * SYN_RADIAN;
  if (!motion->source || isnan(angle)) return value_none();
  const int side = syn_range_side(angle, motion->low_deg, motion->high_deg, 0);
  return syn_value_words("bone to bone %s the published range %.0f to %.0f",
                         side < 0   ? "BELOW"
                         : side > 0 ? "ABOVE"
                                    : "within",
                         motion->low_deg, motion->high_deg);
}
static syn_value motion_limit_words(const void *l, size_t i) { return syn_value_of_limit(&at(l, i)->limit); }
static syn_value motion_low(const void *l, size_t i) { return value_real(at(l, i)->motion->low_deg); }
static syn_value motion_high(const void *l, size_t i) { return value_real(at(l, i)->motion->high_deg); }
static syn_value motion_source(const void *l, size_t i) { return value_text(at(l, i)->motion->source); }

/* Bands: [low, high] of the bones alone. */
static double band_end(const void *band, size_t i) {
  return i ? ((const syn_band *)band)->high : ((const syn_band *)band)->low;
}
static bool has_band(const syn_hip_motion_limit *l, syn_band_source source) {
  return isfinite(l->bands[source].low) || isfinite(l->bands[source].high);
}
static syn_value band(const void *l, size_t i, syn_band_source source) {
  return has_band(at(l, i), source) ? value_numbers(band_end, &at(l, i)->bands[source], 2) : value_none();
}
static syn_value band_all(const void *l, size_t i) { return band(l, i, SYN_BAND_ALL); }
static syn_value band_surface(const void *l, size_t i) { return band(l, i, SYN_BAND_SURFACE); }
static syn_value band_center(const void *l, size_t i) { return band(l, i, SYN_BAND_CENTER); }
static syn_value band_frame(const void *l, size_t i) { return band(l, i, SYN_BAND_FRAME); }
static const syn_result_field band_fields[] = {
    FIELD(NUMBERS, "surface", "By the surface", "deg", FILE_ONLY, band_surface),
    FIELD(NUMBERS, "center", "By the centre", "deg", FILE_ONLY, band_center),
    FIELD(NUMBERS, "frame", "By the frames", "deg", FILE_ONLY, band_frame),
};
static const syn_record bands_record = RECORD("bands_deg", band_fields);
static syn_value motion_bands(const void *l, size_t i) {
  return has_band(at(l, i), SYN_BAND_ALL) ? value_record(l, i) : value_none();
}
static syn_value band_low(const void *l, size_t i) { return value_real(at(l, i)->bands[SYN_BAND_ALL].low); }
static syn_value band_high(const void *l, size_t i) { return value_real(at(l, i)->bands[SYN_BAND_ALL].high); }

static syn_value band_stopped(const void *l, size_t i) { return value_real(100 * at(l, i)->stopped_part); }

static const syn_result_field motion_fields[] = {
    FIELD(TEXT, "name", "Motion", "", FILE_ONLY, motion_name),
    FIELD(TEXT, "label", "Motion", "", FILE_ONLY, motion_label),
    FIELD(TEXT, "state", "State", "", COLUMN, motion_state),
    FIELD(REAL, "angle_deg", "Angle", "deg", SHOWN, motion_angle),
    FIELD(REAL, "followed_to_deg", "Followed to", "deg", COLUMN, motion_most),
    FIELD(REAL, "free_again_until_deg", "Free again until", "deg", COLUMN, motion_free_again),
    FIELD_OF(RECORD, parts_record, "limited_by", "Stopped by", COLUMN, motion_limited_by),
    FIELD(REAL, "clock", "Clock", "h", COLUMN, motion_hour),
    FIELD_OF(RECORD, syn_contact_place_record, "place", "Where", COLUMN, motion_place),
    FIELD_OF(RECORD, syn_event_record, "contact", "Contact", FILE_ONLY, motion_contact),
    FIELD(BOOLEAN, "start_overlaps", "The start collides", "", COLUMN, motion_start_overlaps),
    FIELD(POINT, "shift", "Shift of the femur", "mm", FILE_ONLY, motion_shift),
    FIELD_OF(RECORD, published_record, "published", "Published", FILE_ONLY, motion_published),
    FIELD(TEXT, "bone_state", "Bones alone, state", "", COLUMN, motion_bone_state),
    FIELD(REAL, "bone_angle_deg", "Bones alone", "deg", COLUMN, motion_bone_angle),
    FIELD(NUMBERS, "band_deg", "95 %", "deg", FILE_ONLY, band_all),
    FIELD(REAL, "band_low_deg", "95 % from", "deg", COLUMN, band_low),
    FIELD(REAL, "band_high_deg", "95 % to", "deg", COLUMN, band_high),
    FIELD(REAL, "band_stopped_percent", "Draws that are stopped", "percent", COLUMN, band_stopped),
    FIELD_OF(RECORD, bands_record, "bands_deg", "95 % by source", FILE_ONLY, motion_bands),
    FIELD(TEXT, "motion", "Motion", "", SYN_IN_PAGE, motion_label),
    FIELD(TEXT, "state", "State", "", SYN_IN_PAGE, motion_state_words),
    FIELD(REAL, "angle", "Ends at", "deg", SYN_IN_PAGE, motion_angle),
    FIELD(REAL, "band_low", "95 % from", "deg", SYN_IN_PAGE, band_low),
    FIELD(REAL, "band_high", "to", "deg", SYN_IN_PAGE, band_high),
    FIELD(TEXT, "by", "Stopped by", "", SYN_IN_PAGE, motion_stopped_by),
    FIELD(TEXT, "where", "Where", "", SYN_IN_PAGE, motion_where),
    FIELD(TEXT, "clock", "Clock", "", SYN_IN_PAGE, motion_clock),
    FIELD(REAL, "bones", "Bones alone", "deg", SYN_IN_PAGE, motion_bones),
    FIELD(REAL, "low", "Published from", "deg", SYN_IN_PAGE, motion_low),
    FIELD(REAL, "high", "to", "deg", SYN_IN_PAGE, motion_high),
    FIELD(TEXT, "source", "Source", "", SYN_IN_PAGE, motion_source),
    FIELD(TEXT, "state_words", "State", "", SYN_IN_WORDS, motion_state_words),
    FIELD(TEXT, "stop_words", "Stopped by", "", SYN_IN_WORDS, motion_stop_words),
    FIELD(TEXT, "band_words", "95 %", "", SYN_IN_WORDS, motion_band_words),
    FIELD(TEXT, "range_words", "Published", "", SYN_IN_WORDS, motion_range_words),
};
const syn_record syn_motion_limit_record = RECORD("motions", motion_fields);

/* ---- with slack ---------------------------------------------------------------------------------------------------
 */

static const syn_result_field slack_fields[] = {
    FIELD(TEXT, "name", "Motion", "", FILE_ONLY, motion_name),
    FIELD(TEXT, "label", "Motion", "", FILE_ONLY, motion_label),
    FIELD(TEXT, "state", "State", "", FILE_ONLY, motion_state),
    FIELD(REAL, "angle_deg", "Angle", "deg", FILE_ONLY, motion_angle),
    FIELD(REAL, "free_again_until_deg", "Free again until", "deg", FILE_ONLY, motion_free_again),
    FIELD_OF(RECORD, parts_record, "limited_by", "Stopped by", FILE_ONLY, motion_limited_by),
    FIELD(REAL, "clock", "Clock", "h", FILE_ONLY, motion_hour),
    FIELD_OF(RECORD, syn_contact_place_record, "place", "Where", FILE_ONLY, motion_place),
    FIELD_OF(RECORD, syn_event_record, "contact", "Contact", FILE_ONLY, motion_contact),
    FIELD(BOOLEAN, "start_overlaps", "The start collides", "", FILE_ONLY, motion_start_overlaps),
    FIELD_OF(RECORD, published_record, "published", "Published", FILE_ONLY, motion_published),
    FIELD(POINT, "shift", "Shift", "mm", FILE_ONLY, motion_shift),
    FIELD(TEXT, "limit_words", "Ends at", "", SYN_IN_WORDS, motion_limit_words),
};
const syn_record syn_slack_limit_record =
    RECORD_IN_WORDS("slack", slack_fields, "  {label:-36} {limit_words}, shift {shift:.2}\n");

/* ---- series -------------------------------------------------------------------------------------------------------
 */

static const syn_series_limit *series(const void *limits, size_t i) { return (const syn_series_limit *)limits + i; }

static syn_value series_name(const void *l, size_t i) { return value_text(series(l, i)->series->name); }
static syn_value series_label(const void *l, size_t i) { return value_text(series(l, i)->series->label); }
static syn_value series_source(const void *l, size_t i) { return value_text(series(l, i)->series->source); }
static syn_value series_free(const void *l, size_t i) { return value_boolean(series(l, i)->free_part >= 1); }
static syn_value series_free_part(const void *l, size_t i) { return value_real(series(l, i)->free_part); }
static syn_value series_blocked(const void *l, size_t i) { return value_boolean(series(l, i)->free_part <= 0); }
static syn_value series_state(const void *l, size_t i) {
  const double part = series(l, i)->free_part;
  return value_text(syn_limit_state_name(part >= 1   ? SYN_LIMIT_NO_STOP
                                         : part <= 0 ? SYN_LIMIT_NO_FREE_POSE
                                                     : SYN_LIMIT_STOPPED));
}
static syn_value series_flexion(const void *l, size_t i) {
  return value_degrees(series(l, i)->flexion + 0.0); /* not -0 */
}

static syn_value series_mobile(const void *l, size_t i) {
  const syn_hip_part part = series(l, i)->limit.mobile;
  return value_text(part < SYN_HIP_PARTS ? syn_hip_part_name(part) : "the femur");
}
static syn_value series_fixed(const void *l, size_t i) {
  const syn_hip_part part = series(l, i)->limit.fixed;
  return value_text(part < SYN_HIP_PARTS ? syn_hip_part_name(part) : "the pelvis");
}

static const syn_result_field series_fields[] = {
    FIELD(TEXT, "name", "Motion", "", FILE_ONLY, series_name),
    FIELD(TEXT, "label", "Motion", "", FILE_ONLY, series_label),
    FIELD(TEXT, "source", "Source", "", FILE_ONLY, series_source),
    FIELD(TEXT, "state", "State", "", FILE_ONLY, series_state),
    FIELD(BOOLEAN, "free", "Free to its end", "", FILE_ONLY, series_free),
    FIELD(BOOLEAN, "blocked", "No free pose", "", SYN_IN_WORDS, series_blocked),
    FIELD(REAL, "free_part", "Free part", "", FILE_ONLY, series_free_part),
    FIELD(REAL, "flexion_deg", "Flexion there", "deg", FILE_ONLY, series_flexion),
    FIELD(TEXT, "mobile", "Stopped by", "", SYN_IN_WORDS, series_mobile),
    FIELD(TEXT, "fixed", "On", "", SYN_IN_WORDS, series_fixed),
};
static const char series_words[] = "  {label:-36} {?blocked}  no free pose: {mobile} overlaps {fixed}{:}"
                                   "{flexion_deg:7.2}°  of flexion, "
                                   "{?free}free to its end{:}then {mobile} touches {fixed}{/}{/}\n";
const syn_record syn_series_limit_record = RECORD_IN_WORDS("series", series_fields, series_words);

/* ---- the sweep ----------------------------------------------------------------------------------------------------
 */

static const syn_sweep_limit *sweep(const void *limits, size_t i) { return (const syn_sweep_limit *)limits + i; }

static syn_value sweep_axis(const void *l, size_t i) { return value_degrees(sweep(l, i)->axis_angle); }
static syn_value sweep_positive(const void *l, size_t i) {
  return value_real(sweep(l, i)->positive.angle * SYN_RADIAN);
}
static syn_value sweep_negative(const void *l, size_t i) {
  return value_real(sweep(l, i)->negative.angle * SYN_RADIAN);
}
static syn_value sweep_positive_state(const void *l, size_t i) { return state(&sweep(l, i)->positive); }
static syn_value sweep_negative_state(const void *l, size_t i) { return state(&sweep(l, i)->negative); }

static syn_value sweep_positive_words(const void *l, size_t i) { return syn_value_of_limit(&sweep(l, i)->positive); }
static syn_value sweep_negative_words(const void *l, size_t i) { return syn_value_of_limit(&sweep(l, i)->negative); }

static const syn_result_field sweep_fields[] = {
    FIELD(REAL, "axis_deg", "Axis", "deg", FILE_ONLY, sweep_axis),
    FIELD(REAL, "positive_deg", "One way", "deg", FILE_ONLY, sweep_positive),
    FIELD(REAL, "negative_deg", "The other way", "deg", FILE_ONLY, sweep_negative),
    FIELD(TEXT, "positive_state", "One way, state", "", FILE_ONLY, sweep_positive_state),
    FIELD(TEXT, "negative_state", "The other way, state", "", FILE_ONLY, sweep_negative_state),
    FIELD(TEXT, "positive_words", "One way", "", SYN_IN_WORDS, sweep_positive_words),
    FIELD(TEXT, "negative_words", "The other way", "", SYN_IN_WORDS, sweep_negative_words),
};
const syn_record syn_sweep_limit_record =
    RECORD_IN_WORDS("sweep", sweep_fields, "  {axis_deg:6.1}°  + {positive_words}, - {negative_words}\n");

/* ---- the envelope -------------------------------------------------------------------------------------------------
 */

static const syn_envelope *envelope_of(const void *envelope) { return envelope; }

static double flexion_at(const void *e, size_t i) {
  return (envelope_of(e)->flexion_from + envelope_of(e)->step * (double)i) * SYN_RADIAN;
}
static double adduction_at(const void *e, size_t i) {
  return (envelope_of(e)->adduction_from + envelope_of(e)->step * (double)i) * SYN_RADIAN;
}
/* Maps are written in single precision, which is some 1e-5 degrees; only where a turn is stopped is there an angle. */
static double stopped_at(syn_limit_state state, double angle) {
  return state == SYN_LIMIT_STOPPED ? (double)(float)angle * SYN_RADIAN : (double)NAN;
}
static double internal_at(const void *e, size_t i) {
  return stopped_at(envelope_of(e)->internal_states[i], envelope_of(e)->internal[i]);
}
static double external_at(const void *e, size_t i) {
  return stopped_at(envelope_of(e)->external_states[i], envelope_of(e)->external[i]);
}

static syn_value envelope_flexions(const void *e, size_t i) {
  return (void)i, value_numbers(flexion_at, e, envelope_of(e)->flexion_count);
}
static syn_value envelope_adductions(const void *e, size_t i) {
  return (void)i, value_numbers(adduction_at, e, envelope_of(e)->adduction_count);
}
static syn_value grid(const void *e, double (*angle_at)(const void *, size_t)) {
  const size_t columns = envelope_of(e)->adduction_count;
  syn_value value = value_numbers(angle_at, e, envelope_of(e)->flexion_count * columns);
  value.numbers.columns = columns;
  return value;
}
static syn_value envelope_internal(const void *e, size_t i) { return (void)i, grid(e, internal_at); }
static syn_value envelope_external(const void *e, size_t i) { return (void)i, grid(e, external_at); }

static syn_value envelope_most(const void *e, size_t i) {
  const syn_envelope *envelope = envelope_of(e);
  return (void)i, syn_value_of_most(envelope->places, (size_t)envelope->flexion_count * envelope->adduction_count);
}

/* One turn of one cell: the index is that of the cell. */
static syn_value parts_value(const syn_body_pair *pair) {
  if (pair->fixed >= SYN_HIP_PARTS || pair->mobile >= SYN_HIP_PARTS) return value_none();
  return syn_value_words("%s on %s", syn_hip_part_name((syn_hip_part)pair->mobile),
                         syn_hip_part_name((syn_hip_part)pair->fixed));
}
static syn_value cell_flexion(const void *e, size_t i) {
  return value_real(flexion_at(e, i / envelope_of(e)->adduction_count));
}
static syn_value cell_adduction(const void *e, size_t i) {
  return value_real(adduction_at(e, i % envelope_of(e)->adduction_count));
}
static syn_value inward_state(const void *e, size_t i) {
  return value_text(syn_limit_state_name(envelope_of(e)->internal_states[i]));
}
static syn_value outward_state(const void *e, size_t i) {
  return value_text(syn_limit_state_name(envelope_of(e)->external_states[i]));
}
static syn_value inward_angle(const void *e, size_t i) { return value_real(internal_at(e, i)); }
static syn_value outward_angle(const void *e, size_t i) { return value_real(external_at(e, i)); }
static syn_value inward_parts(const void *e, size_t i) { return parts_value(&envelope_of(e)->limited_by[i]); }
static syn_value outward_parts(const void *e, size_t i) { return parts_value(&envelope_of(e)->external_limited_by[i]); }
static syn_value inward_place(const void *e, size_t i) {
  return syn_value_of_place(envelope_of(e)->places ? &envelope_of(e)->places[i] : NULL);
}
static syn_value outward_place(const void *e, size_t i) {
  return syn_value_of_place(envelope_of(e)->places ? &envelope_of(e)->external_places[i] : NULL);
}
static const syn_result_field inward_fields[] = {
    FIELD(TEXT, "state", "State", "", FILE_ONLY, inward_state),
    FIELD(REAL, "angle_deg", "Internal rotation", "deg", FILE_ONLY, inward_angle),
    FIELD(TEXT, "parts", "Stopped by", "", FILE_ONLY, inward_parts),
    FIELD_OF(RECORD, syn_contact_place_record, "place", "Where", FILE_ONLY, inward_place),
};
static const syn_result_field outward_fields[] = {
    FIELD(TEXT, "state", "State", "", FILE_ONLY, outward_state),
    FIELD(REAL, "angle_deg", "External rotation", "deg", FILE_ONLY, outward_angle),
    FIELD(TEXT, "parts", "Stopped by", "", FILE_ONLY, outward_parts),
    FIELD_OF(RECORD, syn_contact_place_record, "place", "Where", FILE_ONLY, outward_place),
};
static const syn_record inward_record = RECORD("internal", inward_fields);
static const syn_record outward_record = RECORD("external", outward_fields);
static syn_value cell_itself(const void *e, size_t i) { return value_record(e, i); }
static const syn_result_field map_cell_fields[] = {
    FIELD(REAL, "flexion_deg", "Flexion", "deg", FILE_ONLY, cell_flexion),
    FIELD(REAL, "adduction_deg", "Adduction", "deg", FILE_ONLY, cell_adduction),
    FIELD_OF(RECORD, inward_record, "internal", "Internal rotation", FILE_ONLY, cell_itself),
    FIELD_OF(RECORD, outward_record, "external", "External rotation", FILE_ONLY, cell_itself),
};
static const syn_record map_cell_record = RECORD("cells", map_cell_fields);
static syn_value envelope_cells(const void *e, size_t i) {
  return (void)i, value_list(e, (size_t)envelope_of(e)->flexion_count * envelope_of(e)->adduction_count);
}

static const syn_result_field envelope_fields[] = {
    FIELD(NUMBERS, "flexion_deg", "Flexion", "deg", FILE_ONLY, envelope_flexions),
    FIELD(NUMBERS, "adduction_deg", "Adduction", "deg", FILE_ONLY, envelope_adductions),
    FIELD(NUMBERS, "internal_deg", "Internal rotation", "deg", FILE_ONLY, envelope_internal),
    FIELD(NUMBERS, "external_deg", "External rotation", "deg", FILE_ONLY, envelope_external),
    FIELD(TEXT, "most_often", "Most often", "", FILE_ONLY, envelope_most),
    FIELD_OF(LIST, map_cell_record, "cells", "Envelope", FILE_ONLY, envelope_cells),
};
const syn_record syn_envelope_record = RECORD("map", envelope_fields);

/* ---- overlap ------------------------------------------------------------------------------------------------------
 */

static syn_value overlap_depth(const void *p, size_t i) {
  return (void)i, value_real(((const syn_penetration *)p)->depth_mm);
}
static syn_value overlap_point(const void *p, size_t i) {
  return (void)i, value_point(((const syn_penetration *)p)->point);
}
static const syn_result_field overlap_fields[] = {
    FIELD(REAL, "depth_mm", "Overlap as they lie", "mm", SHOWN, overlap_depth),
    FIELD(POINT, "point", "Overlap as they lie", "mm", COLUMN, overlap_point)};
const syn_record syn_penetration_record = RECORD("overlap", overlap_fields);

/* ---- the joint surface ---------------------------------------------------------------------------------------------
 */

static const syn_hip_analysis *analysis_of(const void *object) { return object; }

static syn_value left_out_triangles(const void *a, size_t i) {
  return (void)i, value_count(analysis_of(a)->left_out.triangles);
}
static syn_value left_out_ball(const void *a, size_t i) {
  return (void)i, value_real(analysis_of(a)->hip_case->hip.joint_ball.radius_mm);
}
static syn_value left_out_center(const void *a, size_t i) {
  return (void)i, value_point(analysis_of(a)->hip_case->hip.joint_ball.center);
}
static const syn_result_field left_out_fields[] = {
    FIELD(INTEGER, "triangles", "Triangles of the head left out", "", FILE_ONLY, left_out_triangles),
    FIELD(REAL, "ball_mm", "Ball of the joint surface", "mm", FILE_ONLY, left_out_ball),
    FIELD(POINT, "center", "Centre of that ball", "mm", FILE_ONLY, left_out_center)};
static const syn_record left_out_record = RECORD("left_out", left_out_fields);

/* ---- all ----------------------------------------------------------------------------------------------------------
 */

static syn_value rom_motions(const void *a, size_t i) {
  return (void)i, value_list(analysis_of(a)->limits, analysis_of(a)->limit_count);
}
static syn_value rom_map(const void *a, size_t i) { return (void)i, value_record(analysis_of(a)->envelope, 0); }
static syn_value rom_overlap(const void *a, size_t i) {
  const syn_penetration *overlap = &analysis_of(a)->left_out.elsewhere;
  return (void)i, overlap->found ? value_record(overlap, 0) : value_none();
}
static syn_value rom_left_out(const void *a, size_t i) {
  return (void)i, analysis_of(a)->hip_case->hip.joint_ball.radius_mm > 0 ? value_record(a, 0) : value_none();
}
static syn_value rom_joint_overlap(const void *a, size_t i) {
  return (void)i, value_real(analysis_of(a)->left_out.overlap_mm);
}
static syn_value rom_has_soft(const void *a, size_t i) { return (void)i, value_boolean(analysis_of(a)->has_soft); }
static const syn_result_field rom_fields[] = {
    FIELD_OF(LIST, syn_motion_limit_record, "motions", "Range of motion", SHOWN, rom_motions),
    FIELD_OF(RECORD, syn_envelope_record, "map", "Envelope", FILE_ONLY | SYN_OPTIONAL, rom_map),
    FIELD_OF(RECORD, syn_penetration_record, "overlap", "Overlap", SHOWN, rom_overlap),
    FIELD(REAL, "articular_overlap_mm", "Overlap inside the joint", "mm", SHOWN, rom_joint_overlap),
    FIELD_OF(RECORD, left_out_record, "left_out", "Left out", FILE_ONLY, rom_left_out),
    FIELD(BOOLEAN, "has_soft", "Soft tissue counts", "", SYN_IN_WORDS, rom_has_soft),
};
const syn_record syn_rom_record = RECORD_IN_WORDS("rom", rom_fields, LIMIT_WORDS);
