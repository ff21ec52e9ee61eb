/* What is reported of a hip at a pose, by the viewer and by a page that computes by itself. */
#ifndef SYN_VIEW_HIP_POSE_H
#define SYN_VIEW_HIP_POSE_H

#include <synovia/hip.h>

#include "view/answer.h"

/* Bodies are coloured where they come as near as this, so that the rest of a bone looks like bone. */
#define SYN_VIEW_REACH_MM 5.0

/* Depths at a pose: the page's names for them. */
#define SYN_VIEW_DEPTH "pose_depth"
#define SYN_VIEW_RADIAL "pose_radial"
/* The field of that name; SYN_POSE_FIELDS where it is no depth at a pose. */
syn_pose_field syn_view_pose_field(const char *name);

/* Three rows of rotation and translation. SYN_BAD_ARGUMENT where they are no pose, or far away. */
syn_status syn_view_read_pose(const double rows[12], syn_pose *pose, syn_error *error);

/* Angles, and how far the joint may go on about each axis before it touches; below 0 it has to go back first. */
void syn_view_report_motion(const syn_hip *hip, syn_pose_query *query, const syn_pose *pose, syn_answer *to);
void syn_view_report_clearances(syn_pose_query *query, const syn_pose *pose, syn_answer *to);

/* Of a pair of bodies by their names, and where they touch or overlap. */
void syn_view_report_clearance(const char *mobile, const char *fixed, const syn_clearance *clearance, syn_answer *to);
/* How far a turn goes from here; in words where it is not stopped. */
void syn_view_report_limit(const char *name, const char *label, const syn_limit *limit, const char *words,
                           syn_answer *to);

#endif
