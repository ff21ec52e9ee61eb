/* Centre and axis of a recorded motion. */
#include <synovia/motion.h>

#include "result/value.h"

GET(center_confidence, syn_motion_center, value_real(syn_motion_confidence(at->center_sd_mm)))
GET(axis_confidence, syn_motion_center, value_real(syn_motion_confidence(at->axis_sd_mm)))
static const syn_result_field fields[] = {
    MEMBER(syn_motion_center, pose_count, "poses", "Poses", "", FILE_ONLY),
    MEMBER(syn_motion_center, center, "center", "Centre", "mm", FILE_ONLY, KNOWN_IF(syn_motion_center, has_center)),
    MEMBER(syn_motion_center, mobile_center, "mobile_center", "Centre on the mobile body", "mm", FILE_ONLY,
           KNOWN_IF(syn_motion_center, has_center)),
    MEMBER(syn_motion_center, residual_mm, "residual_mm", "Residual", "mm", FILE_ONLY),
    MEMBER(syn_motion_center, center_sd_mm, "center_sd_mm", "Standard deviation of the centre", "mm", FILE_ONLY),
    FIELD(REAL, "center_confidence", "Confidence", "", FILE_ONLY, center_confidence),
    MEMBER(syn_motion_center, axis, "axis", "Axis", "", FILE_ONLY, KNOWN_IF(syn_motion_center, has_axis)),
    MEMBER(syn_motion_center, axis_point, "axis_point", "Point of the axis", "mm", FILE_ONLY,
           KNOWN_IF(syn_motion_center, has_axis)),
    MEMBER(syn_motion_center, axis_share, "axis_share", "Share of the turning about the axis", "", FILE_ONLY),
    ANGLE(syn_motion_center, turn, "turn_deg", "Turn about the axis", FILE_ONLY),
    MEMBER(syn_motion_center, axis_residual_mm, "axis_residual_mm", "Residual of the axis", "mm", FILE_ONLY),
    MEMBER(syn_motion_center, axis_sd_mm, "axis_sd_mm", "Standard deviation of the axis", "mm", FILE_ONLY),
    FIELD(REAL, "axis_confidence", "Confidence", "", FILE_ONLY, axis_confidence)};

const syn_record syn_motion_center_record = RECORD_OF(syn_motion_center, "motion", fields);
