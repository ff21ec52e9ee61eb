/* A graft for a torn cruciate ligament: two pairs of tunnels, and every angle of flexion with them. */
#include <synovia/graft.h>

#include "result/value.h"

GET(row_volume, syn_graft_row, value_real(100 * (at->volume - 1)))
static const syn_result_field row_fields[] = {
    ANGLE(syn_graft_row, flexion, "flexion_deg", "Flexion", FILE_ONLY),
    MEMBER(syn_graft_row, outlets_mm, "outlets_mm", "Distance of the outlets", "mm", FILE_ONLY),
    MEMBER(syn_graft_row, length_mm, "length_mm", "Length of the middle line", "mm", FILE_ONLY),
    FIELD(REAL, "volume_change_percent", "Change of volume", "percent", FILE_ONLY, row_volume),
    MEMBER(syn_graft_row, peak_mpa, "peak_mpa", "Greatest stress", "MPa", FILE_ONLY),
    MEMBER(syn_graft_row, peak_at, "peak_at", "Its place: 0 femur, 1 tibia", "", FILE_ONLY),
    MEMBER(syn_graft_row, femur_mpa, "femur_end_mpa", "Greatest stress in the first quarter", "MPa", FILE_ONLY),
    MEMBER(syn_graft_row, middle_mpa, "middle_mpa", "Greatest stress in the middle half", "MPa", FILE_ONLY),
    MEMBER(syn_graft_row, tibia_mpa, "tibia_end_mpa", "Greatest stress in the last quarter", "MPa", FILE_ONLY),
    MEMBER(syn_graft_row, femur_touch_mm2, "femur_touch_mm2", "Touches the femur", "mm²", FILE_ONLY),
    MEMBER(syn_graft_row, tibia_touch_mm2, "tibia_touch_mm2", "Touches the tibia", "mm²", FILE_ONLY)};
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
const syn_record syn_graft_record = RECORD_OF_IN_WORDS(syn_graft, "graft", graft_fields, graft_words);
