/* Fields of the hip centre by every method, and of the effect of the choice. */
#include <math.h>

#include <synovia/clinic.h>

#include "clinic/center/center.h"
#include "clinic/hip.h"
#include "result/value.h"

static const syn_hip_analysis *analysis(const void *object) { return object; }

/* ---- methods ----------------------------------------------------------------------------------------------------- */

static const syn_center *method(const void *a, size_t i) { return &analysis(a)->hip_case->centers.methods[i]; }
static bool is_known(const void *a, size_t i) { return method(a, i)->known; }
static bool is_unknown(const void *a, size_t i) { return !method(a, i)->known; }

static syn_value method_name(const void *a, size_t i) {
  return (void)a, value_text(syn_center_method_name((syn_center_method)i));
}
static syn_value method_label(const void *a, size_t i) {
  return (void)a, value_text(syn_center_method_about((syn_center_method)i));
}
static syn_value method_center(const void *a, size_t i) { return value_point(method(a, i)->center); }
static syn_value method_radius(const void *a, size_t i) { return value_real(method(a, i)->radius_mm); }
static syn_value method_residual(const void *a, size_t i) { return value_real(method(a, i)->residual_mm); }
static syn_value method_why_not(const void *a, size_t i) {
  return value_text(method(a, i)->why_not ? method(a, i)->why_not : "no anatomy was found");
}
static const syn_result_field method_fields[] = {
    FIELD(TEXT, "name", "Method", "", FILE_ONLY, method_name),
    FIELD(TEXT, "label", "Method in words", "", FILE_ONLY, method_label),
    FIELD(POINT, "center", "Centre", "mm", COLUMN, method_center),
    FIELD(REAL, "radius_mm", "Radius", "mm", COLUMN, method_radius),
    FIELD(REAL, "residual_mm", "Residual", "mm", COLUMN, method_residual),
};
static const syn_record method_record = RECORD("methods", method_fields);
static const syn_result_field unknown_fields[] = {FIELD(TEXT, "name", "Method", "", FILE_ONLY, method_name),
                                                  FIELD(TEXT, "why_not", "Why not", "", FILE_ONLY, method_why_not)};
static const syn_record unknown_record = RECORD("impossible", unknown_fields);

static syn_value method_about(const void *a, size_t i) {
  return (void)a, value_text(syn_center_method_about((syn_center_method)i));
}

/* The table of a page lists all methods, known or not. */
static double coordinate(const void *a, size_t i, double coordinate) {
  return is_known(a, i) ? coordinate : (double)NAN;
}
static syn_value method_x(const void *a, size_t i) { return value_real(coordinate(a, i, method(a, i)->center.x)); }
static syn_value method_y(const void *a, size_t i) { return value_real(coordinate(a, i, method(a, i)->center.y)); }
static syn_value method_z(const void *a, size_t i) { return value_real(coordinate(a, i, method(a, i)->center.z)); }
static syn_value method_reason(const void *a, size_t i) { return value_text(method(a, i)->why_not); }
static const syn_result_field page_fields[] = {
    FIELD(TEXT, "method", "Method", "", SYN_IN_PAGE, method_about),
    FIELD(REAL, "x", "x", "mm", SYN_IN_PAGE, method_x),
    FIELD(REAL, "y", "y", "mm", SYN_IN_PAGE, method_y),
    FIELD(REAL, "z", "z", "mm", SYN_IN_PAGE, method_z),
    FIELD(REAL, "radius", "Radius", "mm", SYN_IN_PAGE, method_radius),
    FIELD(REAL, "residual", "Residual", "mm", SYN_IN_PAGE, method_residual),
    FIELD(TEXT, "why_not", "Why not", "", SYN_IN_PAGE, method_reason),
};
const syn_record syn_center_method_record = RECORD("centers", page_fields);

/* ---- effect on motions ------------------------------------------------------------------------------------------- */

static const syn_center_effect *effect(const void *object) { return object; }
static const syn_motion *motion(size_t i) { return &syn_clinical_motions[i]; }

static syn_value effect_motion(const void *e, size_t i) { return (void)e, value_text(motion(i)->name); }
static syn_value effect_label(const void *e, size_t i) { return (void)e, value_text(motion(i)->label); }
static syn_value effect_low(const void *e, size_t i) { return value_degrees(effect(e)->band_low[i]); }
static syn_value effect_high(const void *e, size_t i) { return value_degrees(effect(e)->band_high[i]); }

/* One field for each method; `k` counts through the methods of the first motion, then of the next. */
static syn_value method_angle(const void *e, size_t k) {
  const size_t m = k % SYN_CENTER_METHODS, i = k / SYN_CENTER_METHODS;
  return value_degrees(effect(e)->method_angle[m * effect(e)->motion_count + i]);
}
static syn_result_field method_angle_field(size_t m) {
  const char *name = syn_center_method_name((syn_center_method)m);
  return (syn_result_field){.key = name,
                            .label = syn_center_method_about((syn_center_method)m),
                            .unit = "deg",
                            .use = FILE_ONLY | SYN_IN_PAGE,
                            .kind = SYN_VALUE_REAL,
                            .get = method_angle};
}
static const syn_record by_method_record = {
    .name = "by_method_deg", .more = method_angle_field, .more_count = SYN_CENTER_METHODS};
static syn_value effect_by_method(const void *e, size_t i) { return value_record(e, i); }

static const syn_result_field effect_fields[] = {
    FIELD(TEXT, "motion", "Motion", "", FILE_ONLY, effect_motion),
    FIELD(REAL, "low_deg", "Least", "deg", FILE_ONLY, effect_low),
    FIELD(REAL, "high_deg", "Greatest", "deg", FILE_ONLY, effect_high),
    FIELD_OF(RECORD, by_method_record, "by_method_deg", "By method", FILE_ONLY, effect_by_method),
};
static const syn_record effect_record = RECORD("effect", effect_fields);

static const syn_result_field effect_page_fields[] = {
    FIELD(TEXT, "motion", "Motion", "", SYN_IN_PAGE, effect_label),
    FIELD(REAL, "low", "Least", "deg", SYN_IN_PAGE, effect_low),
    FIELD(REAL, "high", "Greatest", "deg", SYN_IN_PAGE, effect_high),
};
const syn_record syn_center_effect_record = {.name = "center_effect",
                                             .fields = effect_page_fields,
                                             .field_count = 3,
                                             .more = method_angle_field,
                                             .more_count = SYN_CENTER_METHODS,
                                             .more_last = true};

/* ---- effect on depths (Arbabi 2009, Eq. 14) ---------------------------------------------------------------------- */

static size_t depth_method(size_t k) { return k / SYN_PRINCIPAL_MOTIONS; }
static size_t depth_motion(size_t k) { return k % SYN_PRINCIPAL_MOTIONS; }
static double curvilinear_change(const void *e, size_t k) {
  return effect(e)->curvilinear_change_mm[depth_method(k)][depth_motion(k)];
}
static bool has_change(const void *e, size_t k) { return isfinite(curvilinear_change(e, k)); }

static syn_value change_method(const void *e, size_t k) { return method_name(e, depth_method(k)); }
static syn_value change_motion(const void *e, size_t k) {
  return (void)e, value_text(syn_principal_motion_name(depth_motion(k)));
}
static syn_value change_curvilinear(const void *e, size_t k) { return value_real(curvilinear_change(e, k)); }
static syn_value change_radial(const void *e, size_t k) {
  return value_real(effect(e)->radial_change_percent[depth_method(k)][depth_motion(k)]);
}
static const syn_result_field change_fields[] = {
    FIELD(TEXT, "method", "Method", "", FILE_ONLY, change_method),
    FIELD(TEXT, "motion", "Motion", "", FILE_ONLY, change_motion),
    FIELD(REAL, "curvilinear_mm", "Depth along the turn", "mm", FILE_ONLY, change_curvilinear),
    FIELD(REAL, "radial_percent", "Depth along the radius", "percent", FILE_ONLY, change_radial),
};
static const syn_record change_record = RECORD("depth_effect", change_fields);

/* ---- sensitivity to the centre (Arbabi 2009, Eq. 13 and 14) ------------------------------------------------------ */

enum { KINDS = SYN_PRINCIPAL_MOTIONS + 1 }; /* the last is all of them together */

static const syn_center_sensitivity *sensitivity(const void *object) { return object; }
static const syn_spread *curvilinear_of(const void *s, size_t k) {
  return &sensitivity(s)->curvilinear_mm[k / KINDS][k % KINDS];
}
static const syn_spread *radial_of(const void *s, size_t k) {
  return &sensitivity(s)->radial_percent[k / KINDS][k % KINDS];
}
static syn_value motion_name(const void *s, size_t k) {
  return (void)s, value_text(syn_principal_motion_name(k % KINDS));
}
static syn_value curvilinear_mean(const void *s, size_t k) { return value_real(curvilinear_of(s, k)->mean); }
static syn_value curvilinear_sd(const void *s, size_t k) { return value_real(curvilinear_of(s, k)->sd); }
static syn_value radial_mean(const void *s, size_t k) { return value_real(radial_of(s, k)->mean); }
static syn_value radial_sd(const void *s, size_t k) { return value_real(radial_of(s, k)->sd); }
static syn_value compared_steps(const void *s, size_t k) { return value_count(curvilinear_of(s, k)->count); }
static syn_value penetrating_steps(const void *s, size_t k) { return value_count(radial_of(s, k)->count); }

static const syn_result_field motion_change_fields[] = {
    FIELD(TEXT, "name", "Motion", "", FILE_ONLY, motion_name),
    FIELD(REAL, "curvilinear_mm", "Change along the turn", "mm", COLUMN, curvilinear_mean),
    FIELD(REAL, "curvilinear_sd_mm", "Its standard deviation", "mm", COLUMN, curvilinear_sd),
    FIELD(REAL, "radial_percent", "Change along the radius", "percent", COLUMN, radial_mean),
    FIELD(REAL, "radial_sd_percent", "Its standard deviation", "percent", COLUMN, radial_sd),
    FIELD(INTEGER, "steps", "Steps", "", FILE_ONLY, compared_steps),
    FIELD(INTEGER, "penetrating_steps", "Steps with penetration", "", FILE_ONLY, penetrating_steps),
};
static const syn_record motion_change_record = RECORD("motions", motion_change_fields);

static bool is_compared(const void *s, size_t m) { return sensitivity(s)->known[m]; }
static syn_value compared_motions(const void *s, size_t m) {
  syn_value list = value_list(s, KINDS);
  list.items.first = m * KINDS;
  return list;
}
static const syn_result_field compared_fields[] = {
    FIELD(TEXT, "name", "Method", "", FILE_ONLY, method_name),
    FIELD_OF(LIST, motion_change_record, "motions", "Motions", COLUMN, compared_motions),
};
static const syn_record compared_record = RECORD("methods", compared_fields);

static syn_value compared_reference(const void *a, size_t i) { return (void)a, (void)i, value_text("dref"); }
static syn_value layer(const void *a, size_t i) { return (void)i, value_real(analysis(a)->sensitivity->layer_mm); }
static syn_value compared_methods(const void *a, size_t i) {
  (void)i;
  syn_value list = value_list(analysis(a)->sensitivity, SYN_CENTER_METHODS);
  list.items.has = is_compared;
  return list;
}
static const syn_result_field sensitivity_fields[] = {
    FIELD(TEXT, "reference", "Compared with", "", FILE_ONLY, compared_reference),
    FIELD(REAL, "layer_mm", "Cartilage made from the bones", "mm", SHOWN, layer),
    FIELD_OF(LIST, compared_record, "methods", "Methods", COLUMN, compared_methods),
};
const syn_record syn_sensitivity_record = RECORD("sensitivity", sensitivity_fields);

/* ---- all fields -------------------------------------------------------------------------------------------------- */

static const syn_hip_case *hip_case(const void *a) { return analysis(a)->hip_case; }

static syn_value center_center(const void *a, size_t i) { return (void)i, value_point(hip_case(a)->hip.center); }
static syn_value center_chosen(const void *a, size_t i) { return (void)i, value_text(hip_case(a)->center_method); }
static syn_value center_side(const void *a, size_t i) {
  return (void)i, value_text(syn_side_name(hip_case(a)->hip.side));
}
static syn_value methods(const void *a, bool (*has)(const void *, size_t)) {
  syn_value list = value_list(a, SYN_CENTER_METHODS);
  list.items.has = has;
  return list;
}
static syn_value center_methods(const void *a, size_t i) { return (void)i, methods(a, is_known); }
static syn_value center_impossible(const void *a, size_t i) { return (void)i, methods(a, is_unknown); }
static syn_value center_spread(const void *a, size_t i) { return (void)i, value_real(hip_case(a)->centers.spread_mm); }
static syn_value center_band(const void *a, size_t i) {
  return (void)i, analysis(a)->effect ? value_real(analysis(a)->effect->band_mm) : value_none();
}
static syn_value center_effect(const void *a, size_t i) {
  const syn_center_effect *e = analysis(a)->effect;
  return (void)i, e ? value_list(e, e->motion_count) : value_none();
}
static syn_value center_depth_effect(const void *a, size_t i) {
  (void)i;
  const syn_center_effect *e = analysis(a)->effect;
  if (!e || !e->has_depths) return value_none();
  syn_value list = value_list(e, SYN_CENTER_METHODS * SYN_PRINCIPAL_MOTIONS);
  list.items.has = has_change;
  return list;
}

static syn_value center_motion(const void *a, size_t i) {
  return (void)i, hip_case(a)->motion.pose_count ? value_record(&hip_case(a)->motion, 0) : value_none();
}

static const syn_result_field center_fields[] = {
    FIELD(POINT, "center", "Centre", "mm", SHOWN, center_center),
    FIELD(TEXT, "chosen", "Chosen", "", SHOWN, center_chosen),
    FIELD(TEXT, "side", "Side", "", SHOWN, center_side),
    FIELD_OF(LIST, method_record, "methods", "Methods", COLUMN, center_methods),
    FIELD_OF(LIST, unknown_record, "impossible", "Not possible", FILE_ONLY, center_impossible),
    FIELD(REAL, "spread_mm", "Spread of the methods", "mm", SHOWN, center_spread),
    FIELD(REAL, "band_mm", "Band", "mm", SHOWN | SYN_OPTIONAL, center_band),
    FIELD_OF(LIST, effect_record, "effect", "Effect of the centre", FILE_ONLY | SYN_OPTIONAL, center_effect),
    FIELD_OF(LIST, change_record, "depth_effect", "Effect on depths", FILE_ONLY | SYN_OPTIONAL, center_depth_effect),
    FIELD_OF(RECORD, syn_motion_center_record, "motion", "Recorded motion", FILE_ONLY | SYN_OPTIONAL, center_motion),
};
const syn_record syn_center_record = RECORD("center", center_fields);
