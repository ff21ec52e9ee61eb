/* Fields of angles, lengths and landmarks of a hip, each with its published range. */
#include <synovia/clinic.h>

#include "base/vec.h"
#include "result/value.h"

static const syn_hip_analysis *analysis(const void *object) { return object; }
static const syn_anatomy *anatomy(const void *object) { return analysis(object)->hip_case->anatomy; }
static const syn_measure_info *info(size_t i) { return &syn_measure_infos[i]; }

/* ---- one field for each measure ---------------------------------------------------------------------------------- */

static syn_value measure_value(const void *a, size_t i) { return value_real(analysis(a)->measures.value[i]); }
static syn_result_field measure_field(size_t i) {
  const syn_measure_info *m = info(i);
  return (syn_result_field){.key = m->name,
                            .label = m->label,
                            .unit = m->unit,
                            .use = SHOWN,
                            .kind = SYN_VALUE_REAL,
                            .get = measure_value,
                            .low = m->low,
                            .high = m->high,
                            .source = m->source,
                            .about = m->method};
}

/* ---- published ranges, and reasons why not ----------------------------------------------------------------------- */

static syn_value range_low(const void *a, size_t i) { return (void)a, value_real(info(i)->low); }
static syn_value range_high(const void *a, size_t i) { return (void)a, value_real(info(i)->high); }
static syn_value range_source(const void *a, size_t i) { return (void)a, value_text(info(i)->source); }
static const syn_result_field range_fields[] = {FIELD(REAL, "low", "Published from", "", FILE_ONLY, range_low),
                                                FIELD(REAL, "high", "to", "", FILE_ONLY, range_high),
                                                FIELD(TEXT, "source", "Source", "", FILE_ONLY, range_source)};
static const syn_record range_record = RECORD("range", range_fields);

static syn_value range_value(const void *a, size_t i) { return info(i)->source ? value_record(a, i) : value_none(); }
static syn_result_field range_field(size_t i) {
  return (syn_result_field){.key = info(i)->name,
                            .label = info(i)->label,
                            .unit = "",
                            .use = FILE_ONLY,
                            .kind = SYN_VALUE_RECORD,
                            .items = &range_record,
                            .get = range_value};
}
static const syn_record ranges_record = {.name = "ranges", .more = range_field, .more_count = SYN_MEASURES};

static syn_value why_not(const void *a, size_t i) { return value_text(analysis(a)->measures.why_not[i]); }
static syn_result_field why_not_field(size_t i) {
  return (syn_result_field){.key = info(i)->name,
                            .label = info(i)->label,
                            .unit = "",
                            .use = FILE_ONLY | SYN_OPTIONAL,
                            .kind = SYN_VALUE_TEXT,
                            .get = why_not};
}
static const syn_record impossible_record = {.name = "impossible", .more = why_not_field, .more_count = SYN_MEASURES};

/* ---- 95 % intervals ---------------------------------------------------------------------------------------------- */

static const syn_band *band(const void *a, size_t i, syn_band_source source) {
  return &analysis(a)->measure_bands.of[i][source];
}
static double band_end(const void *b, size_t i) { return i ? ((const syn_band *)b)->high : ((const syn_band *)b)->low; }
static syn_value band_low(const void *a, size_t i) { return value_real(band(a, i, SYN_BAND_ALL)->low); }
static syn_value band_high(const void *a, size_t i) { return value_real(band(a, i, SYN_BAND_ALL)->high); }
/* Only of a source that changes the measure. */
static syn_value band_by(const void *a, size_t i, syn_band_source source) {
  const syn_band *b = band(a, i, source);
  return b->high > b->low ? value_numbers(band_end, b, 2) : value_none();
}
static syn_value band_surface(const void *a, size_t i) { return band_by(a, i, SYN_BAND_SURFACE); }
static syn_value band_same_head(const void *a, size_t i) {
  const syn_band *b = &analysis(a)->measure_bands.same_head[i];
  return b->high > b->low ? value_numbers(band_end, b, 2) : value_none();
}
static syn_value band_center(const void *a, size_t i) { return band_by(a, i, SYN_BAND_CENTER); }
static syn_value band_frame(const void *a, size_t i) { return band_by(a, i, SYN_BAND_FRAME); }
static const syn_result_field band_fields[] = {
    FIELD(REAL, "low", "95 % from", "", COLUMN, band_low),
    FIELD(REAL, "high", "95 % to", "", COLUMN, band_high),
    FIELD(NUMBERS, "surface", "By the surface", "", FILE_ONLY | SYN_OPTIONAL, band_surface),
    FIELD(NUMBERS, "same_head", "By the surface, on the same sphere", "", FILE_ONLY | SYN_OPTIONAL, band_same_head),
    FIELD(NUMBERS, "center", "By the centre", "", FILE_ONLY | SYN_OPTIONAL, band_center),
    FIELD(NUMBERS, "frame", "By the frame", "", FILE_ONLY | SYN_OPTIONAL, band_frame),
};
static const syn_record band_record = RECORD("band", band_fields);

static syn_value band_value(const void *a, size_t i) {
  return isfinite(band(a, i, SYN_BAND_ALL)->low) ? value_record(a, i) : value_none();
}
static syn_result_field band_field(size_t i) {
  return (syn_result_field){.key = info(i)->name,
                            .label = info(i)->label,
                            .unit = "",
                            .use = COLUMN | SYN_OPTIONAL,
                            .kind = SYN_VALUE_RECORD,
                            .items = &band_record,
                            .get = band_value};
}
static const syn_record bands_record = {.name = "bands", .more = band_field, .more_count = SYN_MEASURES};

/* ---- landmarks --------------------------------------------------------------------------------------------------- */

static const syn_found_point *landmark(const void *a, size_t i) { return &anatomy(a)->landmarks[i]; }
static syn_value landmark_place(const void *a, size_t i) { return value_point(landmark(a, i)->place); }
static syn_value landmark_confidence(const void *a, size_t i) { return value_real(landmark(a, i)->confidence); }
static syn_value landmark_given(const void *a, size_t i) {
  return value_boolean(landmark(a, i)->found == SYN_FOUND_GIVEN);
}
static const syn_result_field landmark_fields[] = {
    FIELD(POINT, "place", "Position", "mm", FILE_ONLY, landmark_place),
    FIELD(REAL, "confidence", "Confidence", "", FILE_ONLY, landmark_confidence),
    FIELD(BOOLEAN, "given", "Given", "", FILE_ONLY, landmark_given),
};
static const syn_record landmark_record = RECORD("landmark", landmark_fields);

static syn_value landmark_value(const void *a, size_t i) {
  return landmark(a, i)->found == SYN_FOUND_NOT ? value_none() : value_record(a, i);
}
static syn_result_field landmark_field(size_t i) {
  const char *name = syn_landmark_name((syn_landmark)i);
  return (syn_result_field){.key = name,
                            .label = name,
                            .unit = "",
                            .use = FILE_ONLY | SYN_OPTIONAL,
                            .kind = SYN_VALUE_RECORD,
                            .items = &landmark_record,
                            .get = landmark_value};
}
static const syn_record landmarks_record = {.name = "landmarks", .more = landmark_field, .more_count = SYN_LANDMARKS};

/* ---- frames ------------------------------------------------------------------------------------------------------ */

/* Index 0 is the pelvis, 1 the femur. */
static const syn_hip_axes *axes(const void *a, size_t bone) {
  return bone ? &anatomy(a)->femur_axes : &anatomy(a)->pelvis_axes;
}
static syn_value axes_flexion(const void *a, size_t bone) { return value_point(axes(a, bone)->flexion); }
static syn_value axes_adduction(const void *a, size_t bone) { return value_point(axes(a, bone)->adduction); }
static syn_value axes_rotation(const void *a, size_t bone) { return value_point(axes(a, bone)->rotation); }
static syn_value axes_source(const void *a, size_t bone) {
  return value_text(syn_frame_source_name(bone ? anatomy(a)->femur_frame : anatomy(a)->pelvis_frame));
}
/* Standard deviations of rotations about the three axes. */
static syn_value axes_sd(const void *a, size_t bone) {
  const syn_vec3 sd = bone ? anatomy(a)->femur_frame_sd : anatomy(a)->pelvis_frame_sd;
  return value_point(vec3_scale(sd, 180 / SYN_PI));
}
static const syn_result_field axes_fields[] = {
    FIELD(POINT, "flexion", "Axis of flexion", "", FILE_ONLY, axes_flexion),
    FIELD(POINT, "adduction", "Axis of adduction", "", FILE_ONLY, axes_adduction),
    FIELD(POINT, "rotation", "Axis of rotation", "", FILE_ONLY, axes_rotation),
    FIELD(TEXT, "source", "Source", "", FILE_ONLY, axes_source),
    FIELD(POINT, "sd_deg", "Uncertain about these axes by", "deg", FILE_ONLY, axes_sd),
};
static const syn_record axes_record = RECORD("frame", axes_fields);

/* ---- all fields -------------------------------------------------------------------------------------------------- */

static double alpha_at(const void *a, size_t i) { return analysis(a)->measures.alpha_clock_deg[i]; }

static syn_value alpha_clock(const void *a, size_t i) { return (void)i, value_numbers(alpha_at, a, SYN_CLOCK_STEPS); }
static double alpha_change_at(const void *a, size_t i) { return analysis(a)->measures.alpha_change_deg_per_mm[i]; }
static syn_value alpha_change(const void *a, size_t i) {
  return (void)i, value_numbers(alpha_change_at, a, SYN_CLOCK_STEPS);
}
static double alpha_extrapolated_at(const void *a, size_t i) { return analysis(a)->measures.alpha_extrapolated_deg[i]; }
static syn_value alpha_extrapolated(const void *a, size_t i) {
  return (void)i, value_numbers(alpha_extrapolated_at, a, SYN_CLOCK_STEPS);
}
static syn_value side(const void *a, size_t i) {
  return (void)i, value_text(syn_side_name(analysis(a)->hip_case->hip.side));
}
static syn_value side_confidence(const void *a, size_t i) { return (void)i, value_real(anatomy(a)->side_confidence); }
static syn_value itself(const void *a, size_t i) { return (void)i, value_record(a, 0); }
static syn_value femur(const void *a, size_t i) { return (void)i, value_record(a, 1); }

static const syn_result_field measure_fields[] = {
    MEMBER(syn_hip_analysis, measures.alpha_worst_hour, "alpha_worst_hour", "Alpha is largest at", "h", SHOWN),
    MEMBER(syn_hip_analysis, measures.alpha_1mm_hour, "alpha_1mm_hour", "Alpha at 1 mm is largest at", "h", SHOWN),
    FIELD(NUMBERS, "alpha_clock_deg", "Alpha around the clock", "deg", FILE_ONLY, alpha_clock),
    MEMBER(syn_hip_analysis, measures.alpha_tolerance_mm, "alpha_tolerance_mm", "Tolerance of alpha", "mm", SHOWN),
    FIELD(NUMBERS, "alpha_clock_change_deg_per_mm", "Change of alpha with its tolerance", "deg/mm", FILE_ONLY,
          alpha_change),
    FIELD(NUMBERS, "alpha_clock_extrapolated_deg", "Alpha without its tolerance", "deg", FILE_ONLY, alpha_extrapolated),
    FIELD(TEXT, "side", "Side", "", SHOWN, side),
    FIELD(REAL, "side_confidence", "Confidence of the side", "", COLUMN, side_confidence),
    FIELD_OF(RECORD, ranges_record, "ranges", "Published ranges", FILE_ONLY, itself),
    FIELD_OF(RECORD, bands_record, "bands", "95 % bands", COLUMN, itself),
    FIELD_OF(RECORD, impossible_record, "impossible", "Not known", FILE_ONLY, itself),
    FIELD_OF(RECORD, landmarks_record, "landmarks", "Landmarks", FILE_ONLY, itself),
    FIELD_OF(RECORD, axes_record, "pelvis_frame", "Pelvic frame", FILE_ONLY, itself),
    FIELD_OF(RECORD, axes_record, "femur_frame", "Femoral frame", FILE_ONLY, femur),
};
const syn_record syn_measure_record = {.name = "measure",
                                       .size = sizeof(syn_hip_analysis),
                                       .fields = measure_fields,
                                       .field_count = sizeof measure_fields / sizeof *measure_fields,
                                       .more = measure_field,
                                       .more_count = SYN_MEASURES};
