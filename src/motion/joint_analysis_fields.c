/* Field tables of a joint's analysis, by the names of its bodies and motions. */
#include <math.h>

#include <synovia/motion.h>

#include "motion/joint_analysis.h"
#include "motion/rom/limit_text.h"
#include "result/record_csv.h"
#include "result/value.h"

static const char *name_of(const syn_body *body) { return body ? body->name : NULL; }

/* ---- fields of a limit ------------------------------------------------------------------------------------------- */

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

/* ---- fields of a motion ------------------------------------------------------------------------------------------ */

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

/* ---- fields of an overlap ---------------------------------------------------------------------------------------- */

GET(overlap_fixed, syn_joint_overlap, value_text(name_of(at->fixed)))
GET(overlap_mobile, syn_joint_overlap, value_text(name_of(at->mobile)))
static const syn_result_field overlap_fields[] = {
    FIELD(TEXT, "fixed", "Fixed", "", FILE_ONLY, overlap_fixed),
    FIELD(TEXT, "mobile", "Mobile", "", FILE_ONLY, overlap_mobile),
    MEMBER(syn_joint_overlap, overlap.depth_mm, "depth_mm", "Overlap as they lie", "mm", FILE_ONLY),
    MEMBER(syn_joint_overlap, overlap.point, "point", "At", "mm", FILE_ONLY)};
static const syn_record overlap_record = RECORD_OF(syn_joint_overlap, "overlap", overlap_fields);

/* ---- fields of a recorded motion --------------------------------------------------------------------------------- */

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

/* ---- fields of a collision --------------------------------------------------------------------------------------- */

GET(pair_fixed, syn_joint_collision, value_text(name_of(at->fixed)))
GET(pair_mobile, syn_joint_collision, value_text(name_of(at->mobile)))
static const syn_result_field pair_fields[] = {
    FIELD(TEXT, "fixed", "Fixed", "", FILE_ONLY, pair_fixed),
    FIELD(TEXT, "mobile", "Mobile", "", FILE_ONLY, pair_mobile),
    POINTED(syn_joint_collision, collision, syn_collision_record, "collision", "Collision", FILE_ONLY)};
const syn_record syn_joint_collision_record = RECORD_OF(syn_joint_collision, "pairs", pair_fields);

/* ---- fields of the envelope -------------------------------------------------------------------------------------- */

/* Each function takes the analysis; the index is that of a cell. Angles are about the three axes of the joint, whose
 * rotations the fields name. */
static const syn_joint_analysis *analysis_of(const void *analysis) { return analysis; }
static const syn_envelope *envelope_of(const void *analysis) { return analysis_of(analysis)->envelope; }
static size_t cell_count(const void *a) {
  return (size_t)envelope_of(a)->flexion_count * envelope_of(a)->adduction_count;
}
static double first_at(const void *a, size_t i) {
  return (envelope_of(a)->flexion_from + envelope_of(a)->step * (double)i) * SYN_RADIAN;
}
static double second_at(const void *a, size_t i) {
  return (envelope_of(a)->adduction_from + envelope_of(a)->step * (double)i) * SYN_RADIAN;
}
static const char *direction_name(const void *a, size_t i) {
  return syn_joint_direction(analysis_of(a)->joint, (int)i / 2, i % 2 ? -1 : 1);
}

/* One of the two rotations about the third axis. */
typedef struct way {
  const double *angles;
  const syn_limit_state *states;
  const syn_body_pair *by;
} way;

static way positive_way(const syn_envelope *e) { return (way){e->internal, e->internal_states, e->limited_by}; }
static way negative_way(const syn_envelope *e) {
  return (way){e->external, e->external_states, e->external_limited_by};
}

static double angle_of(way w, size_t i) {
  return w.states[i] == SYN_LIMIT_STOPPED ? w.angles[i] * SYN_RADIAN : (double)NAN;
}
static syn_value body_at(const void *a, uint32_t number) {
  return number == SYN_NONE ? value_none() : value_text(analysis_of(a)->joint->bodies[number].name);
}

/* The fields of a rotation in one cell. */
#define WAY_FIELDS(NAME, LABEL)                                                                                        \
  static double NAME##_at(const void *a, size_t i) { return angle_of(NAME##_way(envelope_of(a)), i); }                 \
  static syn_value NAME##_grid(const void *a, size_t i) {                                                              \
    syn_value value = value_numbers(NAME##_at, a, cell_count(a));                                                      \
    value.numbers.columns = envelope_of(a)->adduction_count;                                                           \
    return (void)i, value;                                                                                             \
  }                                                                                                                    \
  static syn_value NAME##_angle(const void *a, size_t i) { return value_real(NAME##_at(a, i)); }                       \
  static syn_value NAME##_state(const void *a, size_t i) {                                                             \
    return value_text(syn_limit_state_name(NAME##_way(envelope_of(a)).states[i]));                                     \
  }                                                                                                                    \
  static syn_value NAME##_fixed(const void *a, size_t i) {                                                             \
    return body_at(a, NAME##_way(envelope_of(a)).by[i].fixed);                                                         \
  }                                                                                                                    \
  static syn_value NAME##_mobile(const void *a, size_t i) {                                                            \
    return body_at(a, NAME##_way(envelope_of(a)).by[i].mobile);                                                        \
  }                                                                                                                    \
  static const syn_result_field NAME##_fields[] = {FIELD(TEXT, "state", "State", "", FILE_ONLY, NAME##_state),         \
                                                   FIELD(REAL, "angle_deg", LABEL, "deg", FILE_ONLY, NAME##_angle),    \
                                                   FIELD(TEXT, "fixed", "On", "", FILE_ONLY, NAME##_fixed),            \
                                                   FIELD(TEXT, "mobile", "Stopped by", "", FILE_ONLY, NAME##_mobile)}; \
  static const syn_record NAME##_record = RECORD(#NAME, NAME##_fields)
WAY_FIELDS(positive, "Rotation about the third axis");
WAY_FIELDS(negative, "Rotation the other way");

static syn_value cell_first(const void *a, size_t i) {
  return value_real(first_at(a, i / envelope_of(a)->adduction_count));
}
static syn_value cell_second(const void *a, size_t i) {
  return value_real(second_at(a, i % envelope_of(a)->adduction_count));
}
static syn_value cell_itself(const void *a, size_t i) { return value_record(a, i); }
static const syn_result_field cell_fields[] = {
    FIELD(REAL, "first_deg", "About the first axis", "deg", FILE_ONLY, cell_first),
    FIELD(REAL, "second_deg", "About the second axis", "deg", FILE_ONLY, cell_second),
    FIELD_OF(RECORD, positive_record, "positive", "Rotation about the third axis", FILE_ONLY, cell_itself),
    FIELD_OF(RECORD, negative_record, "negative", "Rotation the other way", FILE_ONLY, cell_itself)};
static const syn_record cell_record = RECORD("cells", cell_fields);

static syn_value map_directions(const void *a, size_t i) {
  return (void)i, value_texts(direction_name, a, 2 * SYN_JOINT_AXES);
}
static syn_value map_first(const void *a, size_t i) {
  return (void)i, value_numbers(first_at, a, envelope_of(a)->flexion_count);
}
static syn_value map_second(const void *a, size_t i) {
  return (void)i, value_numbers(second_at, a, envelope_of(a)->adduction_count);
}
static syn_value map_cells(const void *a, size_t i) { return (void)i, value_list(a, cell_count(a)); }
static const syn_result_field map_fields[] = {
    FIELD(TEXTS, "directions", "Rotations about the three axes", "", FILE_ONLY, map_directions),
    FIELD(NUMBERS, "first_deg", "About the first axis", "deg", FILE_ONLY, map_first),
    FIELD(NUMBERS, "second_deg", "About the second axis", "deg", FILE_ONLY, map_second),
    FIELD(NUMBERS, "positive_deg", "Rotation about the third axis", "deg", FILE_ONLY, positive_grid),
    FIELD(NUMBERS, "negative_deg", "Rotation the other way", "deg", FILE_ONLY, negative_grid),
    FIELD_OF(LIST, cell_record, "cells", "Envelope", FILE_ONLY, map_cells)};
static const syn_record map_record = RECORD("map", map_fields);
static syn_value joint_map(const void *a, size_t i) {
  return (void)i, envelope_of(a) ? value_record(a, 0) : value_none();
}

static void put_cell(syn_csv *to, const void *analysis, size_t row) {
  static const syn_csv_column of_cell[] = {{"first_deg", NULL, -6}, {"second_deg", NULL, -6}};
  static const syn_csv_column of_way[] = {
      {"state", NULL, 0}, {"angle_deg", NULL, 4}, {"fixed", NULL, 0}, {"mobile", NULL, 0}};
  syn_csv_put(to, "", &cell_record, of_cell, 2, analysis, row);
  syn_csv_put(to, "positive_", &positive_record, of_way, 4, analysis, row);
  syn_csv_put(to, "negative_", &negative_record, of_way, 4, analysis, row);
}
const syn_csv_table syn_joint_envelope_csv = {cell_count, put_cell};

/* ---- fields of the effect of the centre ---------------------------------------------------------------------------
 */

static const syn_motion_limit *limit_at(const void *a, size_t i) { return &analysis_of(a)->limits[i]; }
static syn_value shifted_name(const void *a, size_t i) { return value_text(limit_at(a, i)->motion->name); }
static syn_value shifted_label(const void *a, size_t i) { return value_text(limit_at(a, i)->motion->label); }
static syn_value shifted_angle(const void *a, size_t i) { return value_degrees(limit_at(a, i)->limit.angle); }
static syn_value shifted_low(const void *a, size_t i) { return value_real(analysis_of(a)->center_bands[i].low); }
static syn_value shifted_high(const void *a, size_t i) { return value_real(analysis_of(a)->center_bands[i].high); }
static const syn_result_field shifted_fields[] = {
    FIELD(TEXT, "name", "Motion", "", FILE_ONLY, shifted_name),
    FIELD(TEXT, "motion", "Motion", "", SYN_IN_PAGE | SYN_IN_PRINT, shifted_label),
    FIELD(REAL, "angle_deg", "Ends at", "deg", PRINTED | SYN_IN_PAGE, shifted_angle),
    FIELD(REAL, "low_deg", "Lowest", "deg", PRINTED | SYN_IN_PAGE, shifted_low),
    FIELD(REAL, "high_deg", "Highest", "deg", PRINTED | SYN_IN_PAGE, shifted_high)};
const syn_record syn_joint_shifted_record = RECORD("motions", shifted_fields);
static syn_value center_motions(const void *a, size_t i) {
  return (void)i, value_list(a, analysis_of(a)->center_bands ? analysis_of(a)->limit_count : 0);
}
static const syn_result_field center_fields[] = {
    MEMBER(syn_joint, center, "center", "Centre", "mm", FILE_ONLY, THROUGH(syn_joint_analysis, joint)),
    MEMBER(syn_joint_analysis, center_mm, "shift_mm", "The centre is shifted by", "mm", FILE_ONLY),
    FIELD_OF(LIST, syn_joint_shifted_record, "motions", "Range of motion about shifted centres", FILE_ONLY,
             center_motions)};
const syn_record syn_joint_center_record = RECORD_OF(syn_joint_analysis, "center", center_fields);

/* ---- fields of depths ----------------------------------------------------------------------------------------------
 */

static const syn_result_field curve_fields[] = {
    NUMBERS_OF(syn_depths, curvilinear_mm, step_count, "curvilinear_mm", "Depth along the turn", "mm", FILE_ONLY),
    NUMBERS_OF(syn_depths, curvilinear_swapped_mm, step_count, "curvilinear_swapped_mm", "The same, roles exchanged",
               "mm", FILE_ONLY),
    NUMBERS_OF(syn_depths, radial_mm, step_count, "radial_mm", "Depth along the radius", "mm", FILE_ONLY),
    NUMBERS_OF(syn_depths, radial_swapped_mm, step_count, "radial_swapped_mm", "The same, roles exchanged", "mm",
               FILE_ONLY)};
static const syn_record curves_record = RECORD_OF(syn_depths, "curves", curve_fields);
static const syn_result_field depth_fields[] = {
    MEMBER(syn_depths, curvilinear_max_mm, "curvilinear_max_mm", "Greatest depth along the turn", "mm", FILE_ONLY),
    MEMBER(syn_depths, radial_max_mm, "radial_max_mm", "Greatest depth along the radius", "mm", FILE_ONLY),
    MEMBER(syn_depths, curvilinear_step, "curvilinear_step", "Pose of the greatest depth along the turn", "", FILE_ONLY,
           KNOWN_IF(syn_depths, curvilinear_max_mm)),
    MEMBER(syn_depths, radial_step, "radial_step", "Pose of the greatest depth along the radius", "", FILE_ONLY,
           KNOWN_IF(syn_depths, radial_max_mm)),
    MEMBER(syn_depths, curvilinear_point, "curvilinear_point", "Deepest along the turn", "mm", FILE_ONLY,
           KNOWN_IF(syn_depths, curvilinear_max_mm)),
    MEMBER(syn_depths, radial_point, "radial_point", "Deepest along the radius", "mm", FILE_ONLY,
           KNOWN_IF(syn_depths, radial_max_mm)),
    ITSELF(curves_record, "curves", "Depths", FILE_ONLY),
    MEMBER(syn_depths, step_count, "steps", "Steps", "", FILE_ONLY)};
const syn_record syn_depths_record = RECORD_OF(syn_depths, "depths", depth_fields);

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
         KNOWN_IF(syn_joint_analysis, recorded.file)),
    FIELD_OF(RECORD, map_record, "map", "Envelope", FILE_ONLY | SYN_OPTIONAL, joint_map),
    ITSELF(syn_joint_center_record, "center_effect", "Effect of the centre", FILE_ONLY | SYN_OPTIONAL,
           KNOWN_IF(syn_joint_analysis, center_bands)),
    POINTED(syn_joint_analysis, depths, syn_depths_record, "depths", "Depths along the recorded motion",
            FILE_ONLY | SYN_OPTIONAL)};
const syn_record syn_joint_record = RECORD_OF(syn_joint_analysis, "joint", joint_fields);
