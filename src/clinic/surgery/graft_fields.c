/* Fields of a graft for a torn cruciate ligament: two pairs of tunnels, and every angle of flexion with them. */
#include <synovia/surgery.h>

#include "result/record_csv.h"
#include "result/value.h"

GET(row_volume, syn_graft_row, value_real(100 * (at->volume - 1)))
static const syn_result_field row_fields[] = {
    ANGLE(syn_graft_row, flexion, "flexion_deg", "Flexion", PRINTED),
    MEMBER(syn_graft_row, outlets_mm, "outlets_mm", "Distance of the outlets", "mm", FILE_ONLY),
    MEMBER(syn_graft_row, length_mm, "length_mm", "Length of the middle line", "mm", PRINTED),
    FIELD(REAL, "volume_change_percent", "Change of volume", "percent", PRINTED, row_volume),
    MEMBER(syn_graft_row, peak_mpa, "peak_mpa", "Greatest stress", "MPa", FILE_ONLY),
    MEMBER(syn_graft_row, peak_at, "peak_at", "Its place: 0 femur, 1 tibia", "", FILE_ONLY),
    MEMBER(syn_graft_row, femur_mpa, "femur_end_mpa", "Greatest stress in the first quarter", "MPa", PRINTED),
    MEMBER(syn_graft_row, middle_mpa, "middle_mpa", "Greatest stress in the middle half", "MPa", PRINTED),
    MEMBER(syn_graft_row, tibia_mpa, "tibia_end_mpa", "Greatest stress in the last quarter", "MPa", PRINTED),
    MEMBER(syn_graft_row, femur_touch_mm2, "femur_touch_mm2", "Touches the femur", "mm²", PRINTED),
    MEMBER(syn_graft_row, tibia_touch_mm2, "tibia_touch_mm2", "Touches the tibia", "mm²", PRINTED)};
const syn_record syn_graft_row_record = RECORD_OF(syn_graft_row, "rows", row_fields);

static const syn_result_field plan_fields[] = {
    MEMBER(syn_graft_plan, tunnels.femur, "femur", "Outlet on the femur", "mm", FILE_ONLY),
    MEMBER(syn_graft_plan, tunnels.tibia, "tibia", "Outlet on the tibia", "mm", FILE_ONLY),
    MEMBER(syn_graft_plan, rest_mm, "rest_mm", "Length at rest", "mm", FILE_ONLY),
    MEMBER(syn_graft_plan, isometry_mm, "isometry_mm", "The outlets' distance varies by", "mm", FILE_ONLY),
    MEMBER(syn_graft_plan, strain, "strain_percent", "Greatest stretch of a straight fibre", "percent", FILE_ONLY,
           .factor = 100),
    MEMBER(syn_graft_plan, slack_mm, "slack_mm", "Slack", "mm", FILE_ONLY),
    MEMBER(syn_graft_plan, peak_mpa, "peak_mpa", "Greatest stress", "MPa", FILE_ONLY),
    ANGLE(syn_graft_plan, peak_flexion, "peak_flexion_deg", "at", FILE_ONLY),
    MEMBER(syn_graft_plan, peak_at, "peak_at", "Its place: 0 femur, 1 tibia", "", FILE_ONLY),
    ANGLE(syn_graft_plan, failure, "failure_deg", "Tears at", FILE_ONLY),
    LIST_OF(syn_graft_plan, rows, row_count, syn_graft_row_record, "rows", "Angles", FILE_ONLY)};
const syn_record syn_graft_plan_record = RECORD_OF(syn_graft_plan, "plan", plan_fields);

static const syn_result_field graft_fields[] = {
    MEMBER(syn_graft, failure_mpa, "failure_mpa", "Stress at which it tears", "MPa", FILE_ONLY),
    PART(syn_graft, before, syn_graft_plan_record, "before", "Tunnels as planned", FILE_ONLY),
    PART(syn_graft, after, syn_graft_plan_record, "after", "Best tunnels nearby", FILE_ONLY,
         KNOWN_IF(syn_graft, searched))};
const syn_record syn_graft_record = RECORD_OF(syn_graft, "graft", graft_fields);

/* ---- as a table -------------------------------------------------------------------------------------------------- */

static size_t count_graft_rows(const void *graft) {
  const syn_graft *g = graft;
  return g->before.row_count + (g->searched ? g->after.row_count : 0);
}

static void put_graft_row(syn_csv *to, const void *graft, size_t row) {
  static const syn_csv_column of_row[] = {
      {"flexion_deg", NULL, 6},           {"outlets_mm", NULL, 0},     {"length_mm", NULL, 0},
      {"volume_change_percent", NULL, 0}, {"peak_mpa", NULL, 0},       {"peak_at", NULL, 0},
      {"femur_end_mpa", NULL, 0},         {"middle_mpa", NULL, 0},     {"tibia_end_mpa", NULL, 0},
      {"femur_touch_mm2", NULL, 0},       {"tibia_touch_mm2", NULL, 0}};
  const syn_graft *g = graft;
  const bool is_after = row >= g->before.row_count;
  syn_csv_put_text(to, "tunnels", is_after ? "after" : "before");
  syn_csv_put(to, "", &syn_graft_row_record, of_row, 11, is_after ? g->after.rows : g->before.rows,
              is_after ? row - g->before.row_count : row);
}
const syn_csv_table syn_graft_csv = {count_graft_rows, put_graft_row};
