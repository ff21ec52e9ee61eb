/* A graft for a torn cruciate ligament: two pairs of tunnels, and every angle of flexion with them. */
#include "result/value.h"

GET(row_flexion, syn_graft_row, value_degrees(at->flexion))
GET(row_outlets, syn_graft_row, value_real(at->outlets_mm))
GET(row_length, syn_graft_row, value_real(at->length_mm))
GET(row_volume, syn_graft_row, value_real(100 * (at->volume - 1)))
GET(row_peak, syn_graft_row, value_real(at->peak_mpa))
GET(row_peak_at, syn_graft_row, value_real(at->peak_at))
GET(row_femur, syn_graft_row, value_real(at->femur_mpa))
GET(row_middle, syn_graft_row, value_real(at->middle_mpa))
GET(row_tibia, syn_graft_row, value_real(at->tibia_mpa))
GET(row_femur_touch, syn_graft_row, value_real(at->femur_touch_mm2))
GET(row_tibia_touch, syn_graft_row, value_real(at->tibia_touch_mm2))
static const syn_result_field row_fields[] = {
    FIELD(REAL, "flexion_deg", "Flexion", "deg", FILE_ONLY, row_flexion),
    FIELD(REAL, "outlets_mm", "Distance of the outlets", "mm", FILE_ONLY, row_outlets),
    FIELD(REAL, "length_mm", "Length of the middle line", "mm", FILE_ONLY, row_length),
    FIELD(REAL, "volume_change_percent", "Change of volume", "percent", FILE_ONLY, row_volume),
    FIELD(REAL, "peak_mpa", "Greatest stress", "MPa", FILE_ONLY, row_peak),
    FIELD(REAL, "peak_at", "Its place: 0 femur, 1 tibia", "", FILE_ONLY, row_peak_at),
    FIELD(REAL, "femur_end_mpa", "Greatest stress in the first quarter", "MPa", FILE_ONLY, row_femur),
    FIELD(REAL, "middle_mpa", "Greatest stress in the middle half", "MPa", FILE_ONLY, row_middle),
    FIELD(REAL, "tibia_end_mpa", "Greatest stress in the last quarter", "MPa", FILE_ONLY, row_tibia),
    FIELD(REAL, "femur_touch_mm2", "Touches the femur", "mm2", FILE_ONLY, row_femur_touch),
    FIELD(REAL, "tibia_touch_mm2", "Touches the tibia", "mm2", FILE_ONLY, row_tibia_touch)};
const syn_record syn_graft_row_record = RECORD("rows", row_fields);

GET(plan_femur, syn_graft_plan, value_point(at->tunnels.femur))
GET(plan_tibia, syn_graft_plan, value_point(at->tunnels.tibia))
GET(plan_rest, syn_graft_plan, value_real(at->rest_mm))
GET(plan_isometry, syn_graft_plan, value_real(at->isometry_mm))
GET(plan_strain, syn_graft_plan, value_real(100 * at->strain))
GET(plan_slack, syn_graft_plan, value_real(at->slack_mm))
GET(plan_peak, syn_graft_plan, value_real(at->peak_mpa))
GET(plan_peak_flexion, syn_graft_plan, value_degrees(at->peak_flexion))
GET(plan_peak_at, syn_graft_plan, value_real(at->peak_at))
GET(plan_failure, syn_graft_plan, value_degrees(at->failure))
GET(plan_rows, syn_graft_plan, value_list(at->rows, at->row_count))
static const syn_result_field plan_fields[] = {
    FIELD(POINT, "femur", "Outlet on the femur", "mm", FILE_ONLY, plan_femur),
    FIELD(POINT, "tibia", "Outlet on the tibia", "mm", FILE_ONLY, plan_tibia),
    FIELD(REAL, "rest_mm", "Length at rest", "mm", FILE_ONLY, plan_rest),
    FIELD(REAL, "isometry_mm", "The outlets' distance varies by", "mm", FILE_ONLY, plan_isometry),
    FIELD(REAL, "strain_percent", "Greatest stretch of a straight fibre", "percent", FILE_ONLY, plan_strain),
    FIELD(REAL, "slack_mm", "Slack", "mm", FILE_ONLY, plan_slack),
    FIELD(REAL, "peak_mpa", "Greatest stress", "MPa", FILE_ONLY, plan_peak),
    FIELD(REAL, "peak_flexion_deg", "at", "deg", FILE_ONLY, plan_peak_flexion),
    FIELD(REAL, "peak_at", "Its place: 0 femur, 1 tibia", "", FILE_ONLY, plan_peak_at),
    FIELD(REAL, "failure_deg", "Tears at", "deg", FILE_ONLY, plan_failure),
    FIELD_OF(LIST, syn_graft_row_record, "rows", "Angles", FILE_ONLY, plan_rows)};
const syn_record syn_graft_plan_record = RECORD("plan", plan_fields);

GET(graft_failure, syn_graft, value_real(at->failure_mpa))
GET(graft_before, syn_graft, value_record(&at->before, 0))
GET(graft_after, syn_graft, at->searched ? value_record(&at->after, 0) : value_none())
static const syn_result_field graft_fields[] = {
    FIELD(REAL, "failure_mpa", "Stress at which it tears", "MPa", FILE_ONLY, graft_failure),
    FIELD_OF(RECORD, syn_graft_plan_record, "before", "Tunnels as planned", FILE_ONLY, graft_before),
    FIELD_OF(RECORD, syn_graft_plan_record, "after", "Best tunnels nearby", FILE_ONLY, graft_after)};
#define PLAN_WORDS                                                                                                      \
  "  outlets                femur {femur:.2}; tibia {tibia:.2} mm\n"                                                    \
  "  their distance         varies by {isometry_mm:.2} mm; {rest_mm:.2} mm where the graft is fixed\n"                  \
  "  straight fibres        stretched by {strain_percent:.1} % at most; slack of the middle one {slack_mm:.2} mm\n"     \
  "  greatest stress        {peak_mpa:.2} MPa at {peak_flexion_deg:.1}° of flexion, {peak_at:.0*100} % of the way to " \
  "the tibia\n{?failure_deg}  tears at {failure_deg:.1}°\n{:}  does not tear\n{/}"                                     \
  "  flexion  length  volume  stress: femur  middle   tibia   touches femur   tibia\n"                                  \
  "{#rows~12}  {flexion_deg:6.1}° {length_mm:7.2} {volume_change_percent:6.1}% {femur_end_mpa:14.2} "                  \
  "{middle_mpa:7.2} {tibia_end_mpa:7.2} {femur_touch_mm2:11.1} mm² {tibia_touch_mm2:4.1} mm²\n{/}"
static const char graft_words[] =
    "{#before}Tunnels as planned\n" PLAN_WORDS "{/}{#after}\nBest tunnels nearby\n" PLAN_WORDS "{/}";
const syn_record syn_graft_record = RECORD_IN_WORDS("graft", graft_fields, graft_words);
