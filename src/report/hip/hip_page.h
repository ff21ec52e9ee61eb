/* The page of a hip, in a file or served by a viewer. */
#ifndef SYN_REPORT_HIP_PAGE_H
#define SYN_REPORT_HIP_PAGE_H

#include <jansson.h>
#include <stdio.h>

#include <synovia/clinic.h>

#include "clinic/hip_case.h"
#include "report/page_builder.h"
#include "report/page_content.h"
#include "report/publish_result.h"
#include "result/note_about.h"

/* Additional content of a viewer's page. */
typedef struct syn_hip_live {
  const char *url;
  size_t field_count;
  const syn_report_field *fields[SYN_HIP_PARTS]; /* on the vertices of each existing part */
} syn_hip_live;

/* Fills a page with the results of the analysis. */
syn_status syn_hip_page_add(syn_page *page, const syn_hip_analysis *analysis, syn_error *error);
/* Writes the page to a stream; `live` may be NULL. */
syn_status syn_hip_page_put(const syn_context *context, const syn_hip_analysis *analysis, const char *kind,
                            const char *title, const syn_provenance *provenance, const syn_hip_live *live, FILE *to,
                            syn_error *error);
/* Returns the parts of the page that an edit of centre or landmarks changes: {"frame", "markers", "ranges"}; a new
 * reference. */
syn_status syn_hip_page_changes(const syn_context *context, const syn_hip_analysis *analysis,
                                const syn_provenance *provenance, json_t **value, syn_error *error);

/* ---- hip page parts -------------------------------------------------------------------------------------------- */
/* Parts shared by all pages about a hip: an analysis, contact pressure, an operation. */

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

/* ---- hip files ------------------------------------------------------------------------------------------------- */
/* The files of a hip's analysis except its page. */

/* A hip as a joint; it points to its own data, to the hip, or to the caller's. */
typedef struct syn_filed_hip {
  syn_joint joint;
  syn_body bodies[SYN_HIP_PARTS];
  syn_joint_landmark landmarks[SYN_LANDMARKS];
} syn_filed_hip;

/* Fills in the joint. `files` are the meshes, by part. Known landmarks are preferred to axes: they identify the bones,
 * which axes do not. */
void syn_filed_hip_fill(const syn_hip_case *hip_case, const char *const files[SYN_HIP_PARTS], syn_filed_hip *filed);

#endif
