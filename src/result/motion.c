/* Centre and axis of a recorded motion. */
#include "result/value.h"

GET(pose_count, syn_motion_center, value_count(at->pose_count))
GET(center, syn_motion_center, at->has_center ? value_point(at->center) : value_none())
GET(mobile_center, syn_motion_center, at->has_center ? value_point(at->mobile_center) : value_none())
GET(residual, syn_motion_center, value_real(at->residual_mm))
GET(center_sd, syn_motion_center, value_real(at->center_sd_mm))
GET(center_confidence, syn_motion_center, value_real(syn_motion_confidence(at->center_sd_mm)))
GET(axis, syn_motion_center, at->has_axis ? value_point(at->axis) : value_none())
GET(axis_point, syn_motion_center, at->has_axis ? value_point(at->axis_point) : value_none())
GET(axis_share, syn_motion_center, value_real(at->axis_share))
GET(turn, syn_motion_center, value_degrees(at->turn))
GET(axis_residual, syn_motion_center, value_real(at->axis_residual_mm))
GET(axis_sd, syn_motion_center, value_real(at->axis_sd_mm))
GET(axis_confidence, syn_motion_center, value_real(syn_motion_confidence(at->axis_sd_mm)))
static const syn_result_field fields[] = {
    FIELD(INTEGER, "poses", "Poses", "", FILE_ONLY, pose_count),
    FIELD(POINT, "center", "Centre", "mm", FILE_ONLY, center),
    FIELD(POINT, "mobile_center", "Centre on the mobile body", "mm", FILE_ONLY, mobile_center),
    FIELD(REAL, "residual_mm", "Residual", "mm", FILE_ONLY, residual),
    FIELD(REAL, "center_sd_mm", "Standard deviation of the centre", "mm", FILE_ONLY, center_sd),
    FIELD(REAL, "center_confidence", "Confidence", "", FILE_ONLY, center_confidence),
    FIELD(POINT, "axis", "Axis", "", FILE_ONLY, axis),
    FIELD(POINT, "axis_point", "Point of the axis", "mm", FILE_ONLY, axis_point),
    FIELD(REAL, "axis_share", "Share of the turning about the axis", "", FILE_ONLY, axis_share),
    FIELD(REAL, "turn_deg", "Turn about the axis", "deg", FILE_ONLY, turn),
    FIELD(REAL, "axis_residual_mm", "Residual of the axis", "mm", FILE_ONLY, axis_residual),
    FIELD(REAL, "axis_sd_mm", "Standard deviation of the axis", "mm", FILE_ONLY, axis_sd),
    FIELD(REAL, "axis_confidence", "Confidence", "", FILE_ONLY, axis_confidence)};
#define MOTION_WORDS                                                                                                   \
  "Recorded motion of {poses} poses, which turns by {turn_deg:.2}°:\n"                                                \
  "{?center}  centre {center.0:9.3} {center.1:9.3} {center.2:9.3}  residual {residual_mm:.3} mm, certain to "          \
  "{center_sd_mm:.3} mm (confidence {center_confidence:.2})\n"                                                         \
  "{:}  centre -- the motion turns too little, or about one axis only\n{/}"                                            \
  "{?axis}  axis   {axis_point.0:9.3} {axis_point.1:9.3} {axis_point.2:9.3}  towards {axis:.4}; residual "             \
  "{axis_residual_mm:.3} mm, certain to {axis_sd_mm:.3} mm; {axis_share:.1*100} % of the turning is about it\n"        \
  "{:}  axis   -- the motion turns by less than 5 degrees\n{/}"
const syn_record syn_motion_center_record = RECORD_IN_WORDS("motion", fields, MOTION_WORDS);
