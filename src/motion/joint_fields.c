/* Fields of the range of motion of any joint, by the names of its bodies and motions. */
#include <math.h>

#include <synovia/motion.h>

#include "result/value.h"

static const char *name_of(const syn_body *body) { return body ? body->name : NULL; }

/* ---- limits of a motion ------------------------------------------------------------------------------------------ */

GET(limit_fixed, syn_motion_limit, value_text(name_of(at->fixed)))
GET(limit_mobile, syn_motion_limit, value_text(name_of(at->mobile)))
static const syn_result_field bodies_fields[] = {FIELD(TEXT, "fixed", "On", "", FILE_ONLY, limit_fixed),
                                                 FIELD(TEXT, "mobile", "Stopped by", "", FILE_ONLY, limit_mobile)};
static const syn_record bodies_record = RECORD("limited_by", bodies_fields);

static const syn_result_field range_fields[] = {
    MEMBER(syn_motion, low_deg, "low", "Published from", "deg", FILE_ONLY, THROUGH(syn_motion_limit, motion)),
    MEMBER(syn_motion, high_deg, "high", "to", "deg", FILE_ONLY, THROUGH(syn_motion_limit, motion)),
    MEMBER(syn_motion, source, "source", "Source", "", FILE_ONLY, THROUGH(syn_motion_limit, motion))};
static const syn_record range_record = RECORD_OF(syn_motion_limit, "published", range_fields);

/* ---- motions ----------------------------------------------------------------------------------------------------- */

static bool stopped(const syn_motion_limit *l) { return l->limit.state == SYN_LIMIT_STOPPED; }

/* Returns whether bodies stop the motion, or overlap if no pose is free. */
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

GET(free_again, syn_motion_limit, value_real(syn_limit_free_again_deg(&at->limit)))
GET(limited_by, syn_motion_limit, has_bodies(at) ? value_record(at, 0) : value_none())
GET(contact, syn_motion_limit,
    stopped(at) && at->limit.event.kind != SYN_EVENT_NONE ? value_record(&at->limit.event, 0) : value_none())
GET(published, syn_motion_limit, at->motion->source ? value_record(at, 0) : value_none())
static double band_end(const void *b, size_t i) { return i ? ((const syn_band *)b)->high : ((const syn_band *)b)->low; }
static syn_value band_value(const syn_motion_limit *l, syn_band_source source) {
  const syn_band *b = &l->bands[source];
  return isfinite(b->low) || isfinite(b->high) ? value_numbers(band_end, b, 2) : value_none();
}
GET(band_all, syn_motion_limit, band_value(at, SYN_BAND_ALL))
GET(band_surface, syn_motion_limit, band_value(at, SYN_BAND_SURFACE))
GET(band_center, syn_motion_limit, band_value(at, SYN_BAND_CENTER))
GET(most, syn_motion_limit, value_real(syn_motion_max_deg(at->motion)))
static const syn_result_field band_fields[] = {
    FIELD(NUMBERS, "surface", "By the surface", "deg", FILE_ONLY, band_surface),
    FIELD(NUMBERS, "center", "By the centre", "deg", FILE_ONLY, band_center),
};
static const syn_record bands_record = RECORD("bands_deg", band_fields);
GET(bands, syn_motion_limit, isfinite(at->stopped_part) ? value_record(at, 0) : value_none())
GET(words, syn_motion_limit, state_words(at))
GET(by, syn_motion_limit, stopped_by(at))

static const syn_result_field limit_fields[] = {
    MEMBER(syn_motion, name, "name", "Motion", "", FILE_ONLY, THROUGH(syn_motion_limit, motion)),
    MEMBER(syn_motion, label, "label", "Motion", "", FILE_ONLY, THROUGH(syn_motion_limit, motion)),
    NAMED(syn_motion_limit, limit.state, syn_limit_state_name, "state", "State", FILE_ONLY),
    ANGLE(syn_motion_limit, limit.angle, "angle_deg", "Angle", FILE_ONLY),
    FIELD(REAL, "free_again_until_deg", "Free again until", "deg", FILE_ONLY, free_again),
    FIELD_OF(RECORD, bodies_record, "limited_by", "Stopped by", FILE_ONLY, limited_by),
    FIELD_OF(RECORD, syn_event_record, "contact", "Contact", FILE_ONLY, contact),
    MEMBER(syn_motion_limit, limit.start_overlaps, "start_overlaps", "The start collides", "", FILE_ONLY),
    FIELD_OF(RECORD, range_record, "published", "Published", FILE_ONLY, published),
    FIELD(REAL, "followed_to_deg", "Followed to", "deg", FILE_ONLY, most),
    FIELD(NUMBERS, "band_deg", "95 %", "deg", FILE_ONLY, band_all),
    MEMBER(syn_motion_limit, stopped_part, "band_stopped_percent", "Draws that are stopped", "percent", FILE_ONLY,
           .factor = 100),
    FIELD_OF(RECORD, bands_record, "bands_deg", "95 % by source", FILE_ONLY, bands),
    MEMBER(syn_motion, label, "motion", "Motion", "", SYN_IN_PAGE, THROUGH(syn_motion_limit, motion)),
    FIELD(TEXT, "state", "State", "", SYN_IN_PAGE, words),
    ANGLE(syn_motion_limit, limit.angle, "angle", "Ends at", SYN_IN_PAGE),
    MEMBER(syn_motion_limit, bands[SYN_BAND_ALL].low, "band_low", "95 % from", "deg", SYN_IN_PAGE),
    MEMBER(syn_motion_limit, bands[SYN_BAND_ALL].high, "band_high", "to", "deg", SYN_IN_PAGE),
    FIELD(TEXT, "by", "Stopped by", "", SYN_IN_PAGE, by),
    MEMBER(syn_motion, low_deg, "low", "Published from", "deg", SYN_IN_PAGE, THROUGH(syn_motion_limit, motion)),
    MEMBER(syn_motion, high_deg, "high", "to", "deg", SYN_IN_PAGE, THROUGH(syn_motion_limit, motion)),
    MEMBER(syn_motion, source, "source", "Source", "", SYN_IN_PAGE, THROUGH(syn_motion_limit, motion)),
};
const syn_record syn_joint_limit_record = RECORD_OF(syn_motion_limit, "motions", limit_fields);

/* ---- overlap ----------------------------------------------------------------------------------------------------- */

GET(overlap_fixed, syn_joint_overlap, value_text(name_of(at->fixed)))
GET(overlap_mobile, syn_joint_overlap, value_text(name_of(at->mobile)))
static const syn_result_field overlap_fields[] = {
    FIELD(TEXT, "fixed", "Fixed", "", FILE_ONLY, overlap_fixed),
    FIELD(TEXT, "mobile", "Mobile", "", FILE_ONLY, overlap_mobile),
    MEMBER(syn_joint_overlap, overlap.depth_mm, "depth_mm", "Overlap as they lie", "mm", FILE_ONLY),
    MEMBER(syn_joint_overlap, overlap.point, "point", "At", "mm", FILE_ONLY)};
static const syn_record overlap_record = RECORD_OF(syn_joint_overlap, "overlap", overlap_fields);

/* ---- a recorded motion ------------------------------------------------------------------------------------------- */

/* Returns the file's name without folders, which mean nothing on another computer. */
static const char *file_name(const char *path) {
  const char *name = path;
  for (; *path; ++path)
    if (*path == '/') name = path + 1;
  return name;
}

static bool touches(const syn_joint_recorded *r) { return r->first_contact < r->pose_count; }

GET(recorded_file, syn_joint_recorded, value_text(file_name(at->file)))
GET(recorded_first, syn_joint_recorded, touches(at) ? value_count(at->first_contact) : value_none())
GET(recorded_time, syn_joint_recorded, touches(at) ? value_real(at->times_s[at->first_contact]) : value_none())
GET(recorded_fixed, syn_joint_recorded, value_text(name_of(at->fixed)))
GET(recorded_mobile, syn_joint_recorded, value_text(name_of(at->mobile)))
static const syn_result_field recorded_fields[] = {
    FIELD(TEXT, "file", "Recorded motion", "", FILE_ONLY, recorded_file),
    MEMBER(syn_joint_recorded, pose_count, "poses", "Poses", "", FILE_ONLY),
    MEMBER(syn_joint_recorded, free_count, "free_poses", "Poses without contact", "", FILE_ONLY),
    FIELD(INTEGER, "first_contact", "First pose with contact", "", FILE_ONLY, recorded_first),
    FIELD(REAL, "first_contact_s", "Time of the first contact", "s", FILE_ONLY, recorded_time),
    FIELD(TEXT, "fixed", "On", "", FILE_ONLY, recorded_fixed),
    FIELD(TEXT, "mobile", "Touched by", "", FILE_ONLY, recorded_mobile)};
static const syn_record recorded_record = RECORD_OF(syn_joint_recorded, "recorded", recorded_fields);

/* ---- in one pose ------------------------------------------------------------------------------------------------- */

GET(pair_fixed, syn_joint_collision, value_text(name_of(at->fixed)))
GET(pair_mobile, syn_joint_collision, value_text(name_of(at->mobile)))
static const syn_result_field pair_fields[] = {
    FIELD(TEXT, "fixed", "Fixed", "", FILE_ONLY, pair_fixed),
    FIELD(TEXT, "mobile", "Mobile", "", FILE_ONLY, pair_mobile),
    POINTED(syn_joint_collision, collision, syn_collision_record, "collision", "Collision", FILE_ONLY)};
const syn_record syn_joint_collision_record = RECORD_OF(syn_joint_collision, "pairs", pair_fields);

/* ---- all fields -------------------------------------------------------------------------------------------------- */

GET(joint_kind, syn_joint_analysis, value_text(syn_joint_kind(at->joint)))
GET(joint_side, syn_joint_analysis, at->joint->side_unknown ? value_none() : value_text(syn_side_name(at->joint->side)))
static const syn_result_field joint_fields[] = {
    FIELD(TEXT, "kind", "Joint", "", FILE_ONLY, joint_kind),
    MEMBER(syn_joint, name, "name", "Name", "", FILE_ONLY, THROUGH(syn_joint_analysis, joint)),
    FIELD(TEXT, "side", "Side", "", FILE_ONLY, joint_side),
    MEMBER(syn_joint, center, "center", "Centre", "mm", FILE_ONLY, THROUGH(syn_joint_analysis, joint)),
    LIST_OF(syn_joint_analysis, limits, limit_count, syn_joint_limit_record, "motions", "Range of motion", FILE_ONLY),
    LIST_OF(syn_joint_analysis, overlaps, overlap_count, overlap_record, "overlaps", "Overlap as they lie", FILE_ONLY),
    PART(syn_joint_analysis, recorded, recorded_record, "recorded", "Recorded motion", FILE_ONLY | SYN_OPTIONAL,
         KNOWN_IF(syn_joint_analysis, recorded.file))};
const syn_record syn_joint_record = RECORD_OF(syn_joint_analysis, "joint", joint_fields);
