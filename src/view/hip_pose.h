/* Reports a hip at a pose, for the viewer and for a page that computes poses without a server. */
#ifndef SYN_VIEW_HIP_POSE_H
#define SYN_VIEW_HIP_POSE_H

#include <synovia/clinic.h>

#include "view/answer.h"

/* Bodies are coloured up to this distance; the rest of a bone keeps the colour of bone. */
#define SYN_VIEW_REACH_MM 5.0

/* Depths at a pose, by their names in the page. */
#define SYN_VIEW_DEPTH "pose_depth"
#define SYN_VIEW_RADIAL "pose_radial"
/* Returns the field of that name; SYN_POSE_FIELDS if it is no depth at a pose. */
syn_pose_field syn_view_pose_field(const char *name);

/* Reads three rows of rotation and translation. SYN_BAD_ARGUMENT if they are no pose, or too far away. */
syn_status syn_view_read_pose(const double rows[12], syn_pose *pose, syn_error *error);

/* Reports the angles, and the free rotation about each axis until contact; negative if the joint must rotate back
 * first. */
void syn_view_report_motion(const syn_hip *hip, syn_pose_query *query, const syn_pose *pose, syn_answer *to);
void syn_view_report_clearances(syn_pose_query *query, const syn_pose *pose, syn_answer *to);

/* Reports the clearance of a pair of bodies by their names, and the point where they touch or overlap. */
void syn_view_report_clearance(const char *mobile, const char *fixed, const syn_clearance *clearance, syn_answer *to);
/* Reports the free rotation from here; a text if it has no limit. */
void syn_view_report_limit(const char *name, const char *label, const syn_limit *limit, const char *words,
                           syn_answer *to);

#endif
