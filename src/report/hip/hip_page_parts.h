/* What pages about a hip share, whatever they are of: an analysis, contact pressure, an operation. */
#ifndef SYN_REPORT_HIP_PAGE_PARTS_H
#define SYN_REPORT_HIP_PAGE_PARTS_H

#include <synovia/hip.h>

#include "clinic/hip_assumptions.h"
#include "report/publish_result.h"
#include "result/note_about.h"

/* "Left hip, WORDS" below the title, and the views of that hip. */
void syn_page_show_hip(syn_page *page, const syn_hip_case *hip_case, const char *words);
/* Its parts as bodies. */
void syn_page_add_hip_parts(syn_page *page, const syn_hip *hip);
/* Assumptions and warnings: those of the run, of the frames, and of the joint file. */
void syn_page_add_hip_notes(syn_page *page, const syn_hip_assumed *assumed);
/* The files of the case, with their checksums; and a recorded motion, whose name may be NULL. */
syn_status syn_page_add_hip_inputs(syn_page *page, const syn_hip_case *hip_case, const char *series, syn_error *error);

/* From neutral to the start of a motion and on to its limit; nothing where it has none. */
syn_status syn_page_add_limit_motion(syn_page *page, const syn_hip *hip, const syn_hip_motion_limit *limit,
                                     syn_error *error);
/* A limit beside its published range, and on the clock face. Ranges are bone to bone: with `has_soft` they stand beside
 * what the bones alone allow. */
void syn_page_add_limit_range(syn_page *page, const syn_hip_motion_limit *limit, bool has_soft);

/* Where a motion is after it has turned so far, in radians. */
syn_hip_angles syn_hip_angles_along(const syn_motion *motion, double turned);
/* "Case 7, right hip": how files about this hip are called; `title` may be NULL. */
const char *syn_page_hip_name(syn_page *page, syn_side side, const char *title);

#endif
