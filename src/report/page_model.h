/* Converts a report to JSON, as defined in web/src/model.ts, with its meshes and fields as blobs. */
#ifndef SYN_REPORT_MODEL_H
#define SYN_REPORT_MODEL_H

#include <jansson.h>
#include <stdio.h>

#include "report/display.h"
#include "report/pack.h"
#include "report/page_content.h"
#include "result/note_about.h"

/* Refuses what no page could show: motions without finite poses, fields without values for every pose. Unknown values
 * are accepted. */
syn_status syn_report_check(const syn_report *report, syn_error *error);

/* Returns the pose of a mobile body at a step of the motion. */
const syn_pose *syn_report_pose(const syn_report_motion *motion, size_t step, size_t body);

/* Makes the model; *model is a new reference. `displays` has one for each body. */
syn_status syn_report_model(const syn_report *report, const syn_display *displays, syn_blobs *blobs, json_t **model,
                            syn_error *error);

/* Returns {"frame", "markers", "ranges"} of the model: the members that an edit in a viewer changes. */
syn_status syn_report_changes(const syn_context *context, const syn_report *report, json_t **value, syn_error *error);

/* Returns whether the envelope shows the positions of daily life, which are those of hips. */
bool syn_report_has_places(const syn_report *report);

/* Returns whether the mark can be drawn. Marks and contacts at an unknown position are left out with a warning. */
bool syn_report_clock_known(const syn_report_clock_mark *mark);

/* ---- notes ----------------------------------------------------------------------------------------------------- */
/* Links notes to the numbers that they concern. */

static inline bool syn_report_note_is_about(const syn_report *report, size_t note, const syn_report_range *range) {
  return report->note_about && range->name &&
         syn_note_is_about(report->note_about[note], range->name, range->is_motion);
}

/* ---- page write ------------------------------------------------------------------------------------------------ */
/* Writes a page to the caller's stream: syn_report_write without the file. */

/* The caller checks the stream for errors. */
syn_status syn_report_put(const syn_context *context, const syn_report *report, const syn_report_options *options,
                          FILE *to, syn_error *error);

#endif
