/* Parts shared by all pages about a hip: an analysis, contact pressure, an operation. */
#ifndef SYN_REPORT_HIP_PAGE_PARTS_H
#define SYN_REPORT_HIP_PAGE_PARTS_H

#include <synovia/clinic.h>

#include "clinic/hip_case.h"
#include "report/publish_result.h"
#include "result/note_about.h"

/* Sets "Left hip, WORDS" below the title, and the views of that hip. */
void syn_page_show_hip(syn_page *page, const syn_hip_case *hip_case, const char *words);
/* Adds the parts of a hip as bodies. */
void syn_page_add_hip_parts(syn_page *page, const syn_hip *hip);
/* Adds assumptions and warnings: those of the run, of the frames, and of the joint file. */
void syn_page_add_hip_notes(syn_page *page, const syn_hip_assumed *assumed);
/* Adds the files of the case, with their checksums, and a recorded motion, whose name may be NULL. */
syn_status syn_page_add_hip_inputs(syn_page *page, const syn_hip_case *hip_case, const char *series, syn_error *error);

/* Adds the motion from neutral to the start and on to its limit; nothing if it has no limit. */
syn_status syn_page_add_limit_motion(syn_page *page, const syn_hip *hip, const syn_hip_motion_limit *limit,
                                     syn_error *error);
/* Adds a limit with its published range, also on the clock face. Ranges are bone to bone: with `has_soft` they are
 * compared with the limit of the bones alone. */
void syn_page_add_limit_range(syn_page *page, const syn_hip_motion_limit *limit, bool has_soft);

/* Returns the angles of a motion after a rotation, in radians. */
syn_hip_angles syn_hip_angles_along(const syn_motion *motion, double turned);
/* Returns "Case 7, right hip", the name of files about this hip; `title` may be NULL. */
const char *syn_page_hip_name(syn_page *page, syn_side side, const char *title);

#endif
