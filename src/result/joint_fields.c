/* How far a joint of any kind turns, by the names of its own bodies and motions. */
#include <math.h>

#include "clinic/limit_values.h"
#include "result/value.h"
#include <synovia/joint_analysis.h>

static const char *name_of(const syn_body *body) { return body ? body->name : NULL; }

/* ---- what stops a motion ------------------------------------------------------------------------------------------
 */

GET(limit_fixed, syn_motion_limit, value_text(name_of(at->fixed)))
GET(limit_mobile, syn_motion_limit, value_text(name_of(at->mobile)))
static const syn_result_field bodies_fields[] = {FIELD(TEXT, "fixed", "On", "", FILE_ONLY, limit_fixed),
                                                 FIELD(TEXT, "mobile", "Stopped by", "", FILE_ONLY, limit_mobile)};
static const syn_record bodies_record = RECORD("limited_by", bodies_fields);

GET(range_low, syn_motion_limit, value_real(at->motion->low_deg))
GET(range_high, syn_motion_limit, value_real(at->motion->high_deg))
GET(range_source, syn_motion_limit, value_text(at->motion->source))
static const syn_result_field range_fields[] = {FIELD(REAL, "low", "Published from", "deg", FILE_ONLY, range_low),
                                                FIELD(REAL, "high", "to", "deg", FILE_ONLY, range_high),
                                                FIELD(TEXT, "source", "Source", "", FILE_ONLY, range_source)};
static const syn_record range_record = RECORD("published", range_fields);

/* ---- motions ------------------------------------------------------------------------------------------------------
 */

static bool stopped(const syn_motion_limit *l) { return l->limit.state == SYN_LIMIT_STOPPED; }

/* What stops the motion, or overlaps where nothing is free. */
static bool has_bodies(const syn_motion_limit *l) { return l->fixed && (stopped(l) || isnan(l->limit.followed)); }

static syn_value state_words(const syn_motion_limit *l) {
  char words[96];
  char band[96];
  syn_band_words(&l->limit, &l->bands[SYN_BAND_ALL], l->stopped_part, syn_motion_max_deg(l->motion), band);
  if (!stopped(l)) return syn_value_words("%s%s%s", syn_motion_limit_words(l, words), band[0] ? ": " : "", band);
  return value_text(l->limit.start_overlaps && l->limit.angle < 0 ? "stopped; the start collides" : "stopped");
}

static syn_value stopped_by(const syn_motion_limit *l) {
  return stopped(l) ? syn_value_on(l->mobile->name, l->fixed->name) : value_none();
}

GET(name, syn_motion_limit, value_text(at->motion->name))
GET(label, syn_motion_limit, value_text(at->motion->label))
GET(state, syn_motion_limit, value_text(syn_limit_state_name(at->limit.state)))
GET(angle, syn_motion_limit, value_real(at->limit.angle *SYN_RADIAN))
GET(free_again, syn_motion_limit, value_real(syn_limit_free_again_deg(&at->limit)))
GET(limited_by, syn_motion_limit, has_bodies(at) ? value_record(at, 0) : value_none())
GET(contact, syn_motion_limit,
    stopped(at) && at->limit.event.kind != SYN_EVENT_NONE ? value_record(&at->limit.event, 0) : value_none())
GET(start_overlaps, syn_motion_limit, value_boolean(at->limit.start_overlaps))
GET(published, syn_motion_limit, at->motion->source ? value_record(at, 0) : value_none())
static double band_end(const void *b, size_t i) { return i ? ((const syn_band *)b)->high : ((const syn_band *)b)->low; }
static syn_value band_value(const syn_motion_limit *l, syn_band_source source) {
  const syn_band *b = &l->bands[source];
  return isfinite(b->low) || isfinite(b->high) ? value_numbers(band_end, b, 2) : value_none();
}
GET(band_all, syn_motion_limit, band_value(at, SYN_BAND_ALL))
GET(band_surface, syn_motion_limit, band_value(at, SYN_BAND_SURFACE))
GET(band_center, syn_motion_limit, band_value(at, SYN_BAND_CENTER))
GET(band_low, syn_motion_limit, value_real(at->bands[SYN_BAND_ALL].low))
GET(band_high, syn_motion_limit, value_real(at->bands[SYN_BAND_ALL].high))
GET(band_stopped, syn_motion_limit, value_real(100 * at->stopped_part))
GET(most, syn_motion_limit, value_real(syn_motion_max_deg(at->motion)))
static const syn_result_field band_fields[] = {
    FIELD(NUMBERS, "surface", "By the surface", "deg", FILE_ONLY, band_surface),
    FIELD(NUMBERS, "center", "By the centre", "deg", FILE_ONLY, band_center),
};
static const syn_record bands_record = RECORD("bands_deg", band_fields);
GET(bands, syn_motion_limit, isfinite(at->stopped_part) ? value_record(at, 0) : value_none())
static syn_value band_words(const syn_motion_limit *l) {
  char words[96];
  syn_band_words(&l->limit, &l->bands[SYN_BAND_ALL], l->stopped_part, syn_motion_max_deg(l->motion), words);
  return syn_value_words("%s", words);
}
GET(band_text, syn_motion_limit, band_words(at))
GET(words, syn_motion_limit, state_words(at))
GET(by, syn_motion_limit, stopped_by(at))

static const syn_result_field limit_fields[] = {
    FIELD(TEXT, "name", "Motion", "", FILE_ONLY, name),
    FIELD(TEXT, "label", "Motion", "", FILE_ONLY, label),
    FIELD(TEXT, "state", "State", "", FILE_ONLY, state),
    FIELD(REAL, "angle_deg", "Angle", "deg", FILE_ONLY, angle),
    FIELD(REAL, "free_again_until_deg", "Free again until", "deg", FILE_ONLY, free_again),
    FIELD_OF(RECORD, bodies_record, "limited_by", "Stopped by", FILE_ONLY, limited_by),
    FIELD_OF(RECORD, syn_event_record, "contact", "Contact", FILE_ONLY, contact),
    FIELD(BOOLEAN, "start_overlaps", "The start collides", "", FILE_ONLY, start_overlaps),
    FIELD_OF(RECORD, range_record, "published", "Published", FILE_ONLY, published),
    FIELD(REAL, "followed_to_deg", "Followed to", "deg", FILE_ONLY, most),
    FIELD(NUMBERS, "band_deg", "95 %", "deg", FILE_ONLY, band_all),
    FIELD(REAL, "band_stopped_percent", "Draws that are stopped", "percent", FILE_ONLY, band_stopped),
    FIELD_OF(RECORD, bands_record, "bands_deg", "95 % by source", FILE_ONLY, bands),
    FIELD(TEXT, "motion", "Motion", "", SYN_IN_PAGE, label),
    FIELD(TEXT, "state", "State", "", SYN_IN_PAGE, words),
    FIELD(REAL, "angle", "Ends at", "deg", SYN_IN_PAGE, angle),
    FIELD(REAL, "band_low", "95 % from", "deg", SYN_IN_PAGE, band_low),
    FIELD(REAL, "band_high", "to", "deg", SYN_IN_PAGE, band_high),
    FIELD(TEXT, "by", "Stopped by", "", SYN_IN_PAGE, by),
    FIELD(REAL, "low", "Published from", "deg", SYN_IN_PAGE, range_low),
    FIELD(REAL, "high", "to", "deg", SYN_IN_PAGE, range_high),
    FIELD(TEXT, "source", "Source", "", SYN_IN_PAGE, range_source),
    FIELD(TEXT, "state_words", "State", "", SYN_IN_WORDS, words),
    FIELD(TEXT, "band_words", "95 %", "", SYN_IN_WORDS, band_text),
};
const syn_record syn_joint_limit_record = RECORD("motions", limit_fields);

/* ---- overlap ------------------------------------------------------------------------------------------------------
 */

GET(overlap_fixed, syn_joint_overlap, value_text(name_of(at->fixed)))
GET(overlap_mobile, syn_joint_overlap, value_text(name_of(at->mobile)))
GET(overlap_depth, syn_joint_overlap, value_real(at->overlap.depth_mm))
GET(overlap_point, syn_joint_overlap, value_point(at->overlap.point))
static const syn_result_field overlap_fields[] = {
    FIELD(TEXT, "fixed", "Fixed", "", FILE_ONLY, overlap_fixed),
    FIELD(TEXT, "mobile", "Mobile", "", FILE_ONLY, overlap_mobile),
    FIELD(REAL, "depth_mm", "Overlap as they lie", "mm", FILE_ONLY, overlap_depth),
    FIELD(POINT, "point", "At", "mm", FILE_ONLY, overlap_point)};
static const syn_record overlap_record = RECORD("overlap", overlap_fields);

/* ---- a recorded motion --------------------------------------------------------------------------------------------
 */

/* The file's name without folders: those say nothing elsewhere. */
static const char *file_name(const char *path) {
  const char *name = path;
  for (; *path; ++path)
    if (*path == '/') name = path + 1;
  return name;
}

static bool touches(const syn_joint_recorded *r) { return r->first_contact < r->pose_count; }

GET(recorded_file, syn_joint_recorded, value_text(file_name(at->file)))
GET(recorded_poses, syn_joint_recorded, value_count(at->pose_count))
GET(recorded_free, syn_joint_recorded, value_count(at->free_count))
GET(recorded_first, syn_joint_recorded, touches(at) ? value_count(at->first_contact) : value_none())
GET(recorded_time, syn_joint_recorded, touches(at) ? value_real(at->times_s[at->first_contact]) : value_none())
GET(recorded_fixed, syn_joint_recorded, value_text(name_of(at->fixed)))
GET(recorded_mobile, syn_joint_recorded, value_text(name_of(at->mobile)))
static const syn_result_field recorded_fields[] = {
    FIELD(TEXT, "file", "Recorded motion", "", FILE_ONLY, recorded_file),
    FIELD(INTEGER, "poses", "Poses", "", FILE_ONLY, recorded_poses),
    FIELD(INTEGER, "free_poses", "Poses without contact", "", FILE_ONLY, recorded_free),
    FIELD(INTEGER, "first_contact", "First pose with contact", "", FILE_ONLY, recorded_first),
    FIELD(REAL, "first_contact_s", "Time of the first contact", "s", FILE_ONLY, recorded_time),
    FIELD(TEXT, "fixed", "On", "", FILE_ONLY, recorded_fixed),
    FIELD(TEXT, "mobile", "Touched by", "", FILE_ONLY, recorded_mobile)};
static const syn_record recorded_record = RECORD("recorded", recorded_fields);

/* ---- in one pose --------------------------------------------------------------------------------------------------
 */

GET(pair_fixed, syn_joint_collision, value_text(name_of(at->fixed)))
GET(pair_mobile, syn_joint_collision, value_text(name_of(at->mobile)))
GET(pair_collision, syn_joint_collision, value_record(at->collision, 0))
static const syn_result_field pair_fields[] = {
    FIELD(TEXT, "fixed", "Fixed", "", FILE_ONLY, pair_fixed),
    FIELD(TEXT, "mobile", "Mobile", "", FILE_ONLY, pair_mobile),
    FIELD_OF(RECORD, syn_collision_record, "collision", "Collision", FILE_ONLY, pair_collision)};
static const char pair_words[] = "{mobile} {?collision.self}with itself{:}and {fixed}{/}: "
                                 "{#collision}{?penetrating}penetrating{:}apart{/}, {contact_count:,} contacts"
                                 "{?max_depth_mm}, {?max_depth_mm>0}deepest{:}nearest{/} {max_depth_mm:.4a} mm{/}{/}\n";
const syn_record syn_joint_collision_record = RECORD_IN_WORDS("pairs", pair_fields, pair_words);

/* ---- all ----------------------------------------------------------------------------------------------------------
 */

GET(joint_kind, syn_joint_analysis, value_text(syn_joint_kind(at->joint)))
GET(joint_name, syn_joint_analysis, value_text(at->joint->name))
GET(joint_side, syn_joint_analysis, at->joint->side_unknown ? value_none() : value_text(syn_side_name(at->joint->side)))
GET(joint_center, syn_joint_analysis, value_point(at->joint->center))
GET(joint_motions, syn_joint_analysis, value_list(at->limits, at->limit_count))
GET(joint_overlaps, syn_joint_analysis, value_list(at->overlaps, at->overlap_count))
GET(joint_recorded, syn_joint_analysis, at->recorded.file ? value_record(&at->recorded, 0) : value_none())
static const syn_result_field joint_fields[] = {
    FIELD(TEXT, "kind", "Joint", "", FILE_ONLY, joint_kind),
    FIELD(TEXT, "name", "Name", "", FILE_ONLY, joint_name),
    FIELD(TEXT, "side", "Side", "", FILE_ONLY, joint_side),
    FIELD(POINT, "center", "Centre", "mm", FILE_ONLY, joint_center),
    FIELD_OF(LIST, syn_joint_limit_record, "motions", "Range of motion", FILE_ONLY, joint_motions),
    FIELD_OF(LIST, overlap_record, "overlaps", "Overlap as they lie", FILE_ONLY, joint_overlaps),
    FIELD_OF(RECORD, recorded_record, "recorded", "Recorded motion", FILE_ONLY | SYN_OPTIONAL, joint_recorded)};
static const char joint_words[] =
    "Range of motion of the {?kind=other}joint{:}{kind}{/}:\n"
    "{#motions}  {label:-36} {?state=stopped}{angle_deg:7.2}°  {by}{?band_words}, {band_words}{/}"
    "{#published}  (range: {low} to {high}, {source}){/}{?start_overlaps}  the start itself collides{/}"
    "{:}   {state_words}{/}\n{/}"
    "{?overlaps}\n{/}{#overlaps}{fixed} and {mobile} overlap as they lie, at {point:.2} mm"
    "{?depth_mm}, {depth_mm:.3} mm deep{/}.\n{/}"
    "{#recorded}\n{file}: {free_poses} of {poses} poses are free of contact"
    "{?first_contact_s}; at {first_contact_s} s {mobile} touches {fixed}{/}.\n{/}";
const syn_record syn_joint_record = RECORD_IN_WORDS("joint", joint_fields, joint_words);
