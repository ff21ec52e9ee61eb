/* Fields of a hip's range of motion: each motion with its limit, the envelope, and rotations about other axes. */
#include <math.h>

#include <synovia/clinic.h>

#include "clinic/hip.h"
#include "clinic/limit_values.h"
#include "clinic/rom/hip_rom.h"
#include "motion/rom/limit_text.h"
#include "result/record_csv.h"
#include "result/value.h"

/* ---- limits of a rotation ---------------------------------------------------------------------------------------- */

static bool stopped(const syn_limit *limit) { return limit->state == SYN_LIMIT_STOPPED; }

static const syn_result_field parts_fields[] = {
    NAMED(syn_limit, fixed, syn_hip_part_name, "fixed", "On", COLUMN),
    NAMED(syn_limit, mobile, syn_hip_part_name, "mobile", "Stopped by", COLUMN)};
static const syn_record parts_record = RECORD_OF(syn_limit, "limited_by", parts_fields);

/* ---- contact of a limit ------------------------------------------------------------------------------------------ */

static const syn_contact_place *place_at(const void *places, size_t i) { return (const syn_contact_place *)places + i; }

static syn_value place_femur(const void *p, size_t i) {
  const syn_femur_region region = place_at(p, i)->femur;
  return value_text(region < SYN_FEMUR_REGIONS ? syn_femur_region_name(region) : NULL);
}
static syn_value place_pelvis(const void *p, size_t i) {
  const syn_pelvis_region region = place_at(p, i)->pelvis;
  return value_text(region < SYN_PELVIS_REGIONS ? syn_pelvis_region_name(region) : NULL);
}
static syn_value place_inside(const void *p, size_t i) {
  return place_at(p, i)->pelvis < SYN_PELVIS_REGIONS ? value_boolean(place_at(p, i)->inside_joint) : value_none();
}
static const syn_result_field place_fields[] = {
    FIELD(TEXT, "femur", "Region of the femur", "", COLUMN, place_femur),
    MEMBER(syn_contact_place, femur_hour, "femur_clock", "Clock about the neck", "h", COLUMN),
    FIELD(TEXT, "pelvis", "Region of the pelvis", "", COLUMN, place_pelvis),
    MEMBER(syn_contact_place, pelvis_hour, "pelvis_clock", "Clock of the acetabulum", "h", COLUMN),
    FIELD(BOOLEAN, "inside_joint", "Inside the joint", "", COLUMN, place_inside),
};
const syn_record syn_contact_place_record = RECORD_OF(syn_contact_place, "place", place_fields);

/* Returns the bodies that limit the rotation, or overlap if no pose is free. */
static syn_value limited_by(const syn_limit *limit) {
  return limit->state != SYN_LIMIT_NO_STOP && (stopped(limit) || isnan(limit->followed)) ? value_record(limit, 0)
                                                                                         : value_none();
}

static syn_value contact(const syn_limit *limit) {
  return stopped(limit) && limit->event.kind != SYN_EVENT_NONE ? value_record(&limit->event, 0) : value_none();
}

/* ---- published range --------------------------------------------------------------------------------------------- */

static const syn_result_field published_fields[] = {
    MEMBER(syn_motion, low_deg, "low", "Published from", "deg", FILE_ONLY),
    MEMBER(syn_motion, high_deg, "high", "to", "deg", FILE_ONLY),
    MEMBER(syn_motion, source, "source", "Source", "", FILE_ONLY)};
static const syn_record published_record = RECORD_OF(syn_motion, "published", published_fields);

static syn_value published(const syn_motion *motion) { return motion->source ? value_record(motion, 0) : value_none(); }

/* ---- clinical motions -------------------------------------------------------------------------------------------- */

static const syn_hip_motion_limit *at(const void *limits, size_t i) { return (const syn_hip_motion_limit *)limits + i; }

static syn_value motion_free_again(const void *l, size_t i) {
  return value_real(syn_limit_free_again_deg(&at(l, i)->limit));
}
static syn_value motion_limited_by(const void *l, size_t i) { return limited_by(&at(l, i)->limit); }
static syn_value motion_contact(const void *l, size_t i) { return contact(&at(l, i)->limit); }
static syn_value motion_place(const void *l, size_t i) { return syn_value_of_place(&at(l, i)->place); }
static syn_value motion_published(const void *l, size_t i) { return published(at(l, i)->motion); }
/* For readers. */
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
/* The contact by name, or at least by its hour. */
/* Compared in whole degrees, as on the page; published ranges are those of bones. */
/* Intervals: [low, high] of the bones alone. */
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
static syn_value band_largest(const void *l, size_t i) {
  const syn_band_source largest = syn_hip_band_largest(at(l, i));
  return largest == SYN_BAND_ALL ? value_none() : value_text(syn_band_source_name(largest));
}
static const syn_result_field motion_fields[] = {
    MEMBER(syn_motion, name, "name", "Motion", "", FILE_ONLY, THROUGH(syn_hip_motion_limit, motion)),
    MEMBER(syn_motion, label, "label", "Motion", "", FILE_ONLY, THROUGH(syn_hip_motion_limit, motion)),
    NAMED(syn_hip_motion_limit, limit.state, syn_limit_state_name, "state", "State", COLUMN),
    ANGLE(syn_hip_motion_limit, limit.angle, "angle_deg", "Angle", SHOWN),
    MEMBER(syn_motion, max_deg, "followed_to_deg", "Followed to", "deg", COLUMN, THROUGH(syn_hip_motion_limit, motion)),
    FIELD(REAL, "free_again_until_deg", "Free again until", "deg", COLUMN, motion_free_again),
    FIELD_OF(RECORD, parts_record, "limited_by", "Stopped by", COLUMN, motion_limited_by),
    MEMBER(syn_hip_motion_limit, hour, "clock", "Clock", "h", COLUMN),
    FIELD_OF(RECORD, syn_contact_place_record, "place", "Where", COLUMN, motion_place),
    FIELD_OF(RECORD, syn_event_record, "contact", "Contact", FILE_ONLY, motion_contact),
    MEMBER(syn_hip_motion_limit, limit.start_overlaps, "start_overlaps", "The start collides", "", COLUMN),
    MEMBER(syn_hip_motion_limit, shift, "shift", "Shift of the femur", "mm", FILE_ONLY),
    FIELD_OF(RECORD, published_record, "published", "Published", FILE_ONLY, motion_published),
    NAMED(syn_hip_motion_limit, bones.state, syn_limit_state_name, "bone_state", "Bones alone, state", COLUMN),
    ANGLE(syn_hip_motion_limit, bones.angle, "bone_angle_deg", "Bones alone", COLUMN),
    FIELD(NUMBERS, "band_deg", "95 %", "deg", FILE_ONLY, band_all),
    MEMBER(syn_hip_motion_limit, bands[SYN_BAND_ALL].low, "band_low_deg", "95 % from", "deg", COLUMN),
    MEMBER(syn_hip_motion_limit, bands[SYN_BAND_ALL].high, "band_high_deg", "95 % to", "deg", COLUMN),
    MEMBER(syn_hip_motion_limit, stopped_part, "band_stopped_percent", "Draws that are stopped", "percent", COLUMN,
           .factor = 100),
    FIELD_OF(RECORD, bands_record, "bands_deg", "95 % by source", FILE_ONLY, motion_bands),
    FIELD(TEXT, "band_largest", "Largest part of 95 %", "", COLUMN, band_largest),
    MEMBER(syn_motion, label, "motion", "Motion", "", SYN_IN_PAGE, THROUGH(syn_hip_motion_limit, motion)),
    FIELD(TEXT, "state", "State", "", SYN_IN_PAGE, motion_state_words),
    ANGLE(syn_hip_motion_limit, limit.angle, "angle", "Ends at", SYN_IN_PAGE),
    MEMBER(syn_hip_motion_limit, bands[SYN_BAND_ALL].low, "band_low", "95 % from", "deg", SYN_IN_PAGE),
    MEMBER(syn_hip_motion_limit, bands[SYN_BAND_ALL].high, "band_high", "to", "deg", SYN_IN_PAGE),
    FIELD(TEXT, "by", "Stopped by", "", SYN_IN_PAGE, motion_stopped_by),
    FIELD(TEXT, "where", "Where", "", SYN_IN_PAGE, motion_where),
    FIELD(TEXT, "clock", "Clock", "", SYN_IN_PAGE, motion_clock),
    FIELD(REAL, "bones", "Bones alone", "deg", SYN_IN_PAGE, motion_bones),
    MEMBER(syn_motion, low_deg, "low", "Published from", "deg", SYN_IN_PAGE, THROUGH(syn_hip_motion_limit, motion)),
    MEMBER(syn_motion, high_deg, "high", "to", "deg", SYN_IN_PAGE, THROUGH(syn_hip_motion_limit, motion)),
    MEMBER(syn_motion, source, "source", "Source", "", SYN_IN_PAGE, THROUGH(syn_hip_motion_limit, motion)),
};
const syn_record syn_motion_limit_record = RECORD_OF(syn_hip_motion_limit, "motions", motion_fields);

/* ---- with slack -------------------------------------------------------------------------------------------------- */

static const syn_result_field slack_fields[] = {
    MEMBER(syn_motion, name, "name", "Motion", "", FILE_ONLY, THROUGH(syn_hip_motion_limit, motion)),
    MEMBER(syn_motion, label, "label", "Motion", "", FILE_ONLY, THROUGH(syn_hip_motion_limit, motion)),
    NAMED(syn_hip_motion_limit, limit.state, syn_limit_state_name, "state", "State", FILE_ONLY),
    ANGLE(syn_hip_motion_limit, limit.angle, "angle_deg", "Angle", FILE_ONLY),
    FIELD(REAL, "free_again_until_deg", "Free again until", "deg", FILE_ONLY, motion_free_again),
    FIELD_OF(RECORD, parts_record, "limited_by", "Stopped by", FILE_ONLY, motion_limited_by),
    MEMBER(syn_hip_motion_limit, hour, "clock", "Clock", "h", FILE_ONLY),
    FIELD_OF(RECORD, syn_contact_place_record, "place", "Where", FILE_ONLY, motion_place),
    FIELD_OF(RECORD, syn_event_record, "contact", "Contact", FILE_ONLY, motion_contact),
    MEMBER(syn_hip_motion_limit, limit.start_overlaps, "start_overlaps", "The start collides", "", FILE_ONLY),
    FIELD_OF(RECORD, published_record, "published", "Published", FILE_ONLY, motion_published),
    MEMBER(syn_hip_motion_limit, shift, "shift", "Shift", "mm", FILE_ONLY),
};
const syn_record syn_slack_limit_record = RECORD_OF(syn_hip_motion_limit, "slack", slack_fields);

/* ---- series ------------------------------------------------------------------------------------------------------ */

static const syn_series_limit *series(const void *limits, size_t i) { return (const syn_series_limit *)limits + i; }

static syn_value series_free(const void *l, size_t i) { return value_boolean(series(l, i)->free_part >= 1); }
static syn_value series_state(const void *l, size_t i) {
  const double part = series(l, i)->free_part;
  return value_text(syn_limit_state_name(part >= 1   ? SYN_LIMIT_NO_STOP
                                         : part <= 0 ? SYN_LIMIT_NO_FREE_POSE
                                                     : SYN_LIMIT_STOPPED));
}
static syn_value series_flexion(const void *l, size_t i) {
  return value_degrees(series(l, i)->flexion + 0.0); /* not -0 */
}

static const syn_result_field series_fields[] = {
    MEMBER(syn_motion_series, name, "name", "Motion", "", FILE_ONLY, THROUGH(syn_series_limit, series)),
    MEMBER(syn_motion_series, label, "label", "Motion", "", FILE_ONLY, THROUGH(syn_series_limit, series)),
    MEMBER(syn_motion_series, source, "source", "Source", "", FILE_ONLY, THROUGH(syn_series_limit, series)),
    FIELD(TEXT, "state", "State", "", FILE_ONLY, series_state),
    FIELD(BOOLEAN, "free", "Free to its end", "", FILE_ONLY, series_free),
    MEMBER(syn_series_limit, free_part, "free_part", "Free part", "", FILE_ONLY),
    FIELD(REAL, "flexion_deg", "Flexion there", "deg", FILE_ONLY, series_flexion),
};
const syn_record syn_series_limit_record = RECORD_OF(syn_series_limit, "series", series_fields);

/* ---- the sweep --------------------------------------------------------------------------------------------------- */

static const syn_result_field sweep_fields[] = {
    ANGLE(syn_sweep_limit, axis_angle, "axis_deg", "Axis", FILE_ONLY),
    ANGLE(syn_sweep_limit, positive.angle, "positive_deg", "One way", FILE_ONLY),
    ANGLE(syn_sweep_limit, negative.angle, "negative_deg", "The other way", FILE_ONLY),
    NAMED(syn_sweep_limit, positive.state, syn_limit_state_name, "positive_state", "One way, state", FILE_ONLY),
    NAMED(syn_sweep_limit, negative.state, syn_limit_state_name, "negative_state", "The other way, state", FILE_ONLY),
};
const syn_record syn_sweep_limit_record = RECORD_OF(syn_sweep_limit, "sweep", sweep_fields);

/* The rows of --csv for a sweep: the object is the analysis. */
static size_t count_sweep_axes(const void *analysis) { return ((const syn_hip_analysis *)analysis)->sweep_count; }
static void put_sweep_axis(syn_csv *to, const void *analysis, size_t row) {
  static const syn_csv_column columns[] = {{"axis_deg", NULL, -6},
                                           {"positive_deg", NULL, 6},
                                           {"positive_state", NULL, 0},
                                           {"negative_deg", NULL, 6},
                                           {"negative_state", NULL, 0}};
  syn_csv_put(to, "", &syn_sweep_limit_record, columns, 5, ((const syn_hip_analysis *)analysis)->sweep, row);
}
const syn_csv_table syn_sweep_csv = {count_sweep_axes, put_sweep_axis};

/* ---- the envelope ------------------------------------------------------------------------------------------------ */

static const syn_envelope *envelope_of(const void *envelope) { return envelope; }

static double flexion_at(const void *e, size_t i) {
  return (envelope_of(e)->flexion_from + envelope_of(e)->step * (double)i) * SYN_RADIAN;
}
static double adduction_at(const void *e, size_t i) {
  return (envelope_of(e)->adduction_from + envelope_of(e)->step * (double)i) * SYN_RADIAN;
}
/* Maps are written in single precision, which is some 1e-5 degrees; only a rotation with a limit has an angle. */
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

/* One rotation of one cell: the index is that of the cell. */
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

static size_t count_envelope_cells(const void *envelope) {
  return (size_t)envelope_of(envelope)->flexion_count * envelope_of(envelope)->adduction_count;
}
static void put_envelope_turn(syn_csv *to, const char *prefix, const syn_record *turn, const void *envelope,
                              const syn_contact_place *places, size_t row) {
  static const syn_csv_column of_turn[] = {{"state", NULL, 0}, {"angle_deg", "rotation_deg", 4}};
  static const syn_csv_column of_place[] = {{"femur", "femur_region", 0},
                                            {"femur_clock", NULL, 2},
                                            {"pelvis", "pelvis_region", 0},
                                            {"pelvis_clock", NULL, 2},
                                            {"inside_joint", NULL, 1}};
  syn_csv_put(to, prefix, turn, of_turn, 2, envelope, row);
  if (places) syn_csv_put(to, prefix, &syn_contact_place_record, of_place, 5, places, row);
}
static void put_envelope_cell(syn_csv *to, const void *envelope, size_t row) {
  static const syn_csv_column of_cell[] = {{"flexion_deg", NULL, -6}, {"adduction_deg", NULL, -6}};
  const syn_envelope *e = envelope;
  syn_csv_put(to, "", &map_cell_record, of_cell, 2, e, row);
  put_envelope_turn(to, "internal_", &inward_record, e, e->places, row);
  put_envelope_turn(to, "external_", &outward_record, e, e->external_places, row);
}
const syn_csv_table syn_envelope_csv = {count_envelope_cells, put_envelope_cell};

/* ---- the joint surface ------------------------------------------------------------------------------------------- */

static const syn_hip_analysis *analysis_of(const void *object) { return object; }

static const syn_result_field left_out_fields[] = {
    MEMBER(syn_hip_analysis, left_out_triangles, "triangles", "Triangles of the head left out", "", FILE_ONLY),
    MEMBER(syn_hip_case, hip.joint_ball.radius_mm, "ball_mm", "Ball of the joint surface", "mm", FILE_ONLY,
           THROUGH(syn_hip_analysis, hip_case)),
    MEMBER(syn_hip_case, hip.joint_ball.center, "center", "Centre of that ball", "mm", FILE_ONLY,
           THROUGH(syn_hip_analysis, hip_case))};
static const syn_record left_out_record = RECORD_OF(syn_hip_analysis, "left_out", left_out_fields);

/* ---- all fields -------------------------------------------------------------------------------------------------- */

static syn_value rom_left_out(const void *a, size_t i) {
  return (void)i, analysis_of(a)->hip_case->hip.joint_ball.radius_mm > 0 ? value_record(a, 0) : value_none();
}
static const syn_result_field rom_fields[] = {
    LIST_OF(syn_hip_analysis, limits, limit_count, syn_motion_limit_record, "motions", "Range of motion", SHOWN),
    POINTED(syn_hip_analysis, envelope, syn_envelope_record, "map", "Envelope", FILE_ONLY | SYN_OPTIONAL),
    PART(syn_hip_analysis, overlap, syn_penetration_record, "overlap", "Overlap", SHOWN,
         KNOWN_IF(syn_hip_analysis, overlap.found)),
    MEMBER(syn_hip_analysis, articular_overlap_mm, "articular_overlap_mm", "Overlap inside the joint", "mm", SHOWN),
    FIELD_OF(RECORD, left_out_record, "left_out", "Left out", FILE_ONLY, rom_left_out),
};
const syn_record syn_rom_record = RECORD_OF(syn_hip_analysis, "rom", rom_fields);
