/* Converts a report to JSON, as defined in web/src/model.ts, with its meshes and fields as blobs. */
#ifndef SYN_REPORT_MODEL_H
#define SYN_REPORT_MODEL_H

#include <jansson.h>

#include "report/blob.h"
#include "report/display.h"
#include <synovia/report.h>

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

/* Returns whether the mark can be drawn. Marks and contacts at an unknown position are left out with a warning. */
bool syn_report_clock_known(const syn_report_clock_mark *mark);
bool syn_report_contact_known(const syn_report_contact *contact);

#endif
