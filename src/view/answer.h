/* Builds the answer to a pose, as defined in web/src/live/protocol.ts. The viewer sends it, and a page with its own
 * copy of the program makes the same one, so this file uses no libraries. */
#ifndef SYN_VIEW_ANSWER_H
#define SYN_VIEW_ANSWER_H

#include <synovia/base.h>
#include <synovia/clinic.h>

#include "base/status.h"

typedef struct syn_answer_list {
  char *text; /* items with commas between them */
  size_t length, capacity;
} syn_answer_list;

/* Zero-initialise with a context. The first failure is kept, so one check at the end is enough. */
typedef struct syn_answer {
  const syn_context *context;
  syn_status status;
  syn_answer_list fields, numbers, contacts;
  uint16_t *stored; /* values of the fields */
  size_t stored_count, stored_capacity;
} syn_answer;

/* Adds the values of a body, of which the page shows `count`: those of the vertices source[0 …]. A field that follows
 * the pose spans at least reach_mm in both directions. 0: the field does not follow the pose, and values not above 0
 * are not shown. */
void syn_answer_field(syn_answer *answer, const char *body, const char *name, const double *values,
                      const uint32_t *source, uint32_t count, double reach_mm);
/* `words` give the reason of a missing value; else NULL. */
void syn_answer_number(syn_answer *answer, const char *name, const char *label, const char *unit, double value,
                       const char *words);

/* Writes length, JSON padded to a multiple of 4, and values; free() the bytes. */
syn_status syn_answer_join(const syn_answer *answer, char **bytes, size_t *size, syn_error *error);
void syn_answer_release(syn_answer *answer);

/* ---- hip pose -------------------------------------------------------------------------------------------------- */
/* Reports a hip at a pose, for the viewer and for a page that computes poses without a server. */

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
