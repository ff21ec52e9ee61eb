/* A report as JSON, exactly as web/src/model.ts describes it, its meshes and fields as blobs beside it. */
#ifndef SYN_REPORT_MODEL_H
#define SYN_REPORT_MODEL_H

#include <jansson.h>

#include "report/blob.h"
#include "report/display.h"
#include <synovia/report.h>

/* Refuses what no page could show: motions without finite poses, fields without values for every pose. What is merely
 * unknown is fine. */
syn_status syn_report_check(const syn_report *report, syn_error *error);

/* The pose of a body that moves at a step of the motion. */
const syn_pose *syn_report_pose(const syn_report_motion *motion, size_t step, size_t body);

/* *model is a new reference. `displays` has one for each body. */
syn_status syn_report_model(const syn_report *report, const syn_display *displays, syn_blobs *blobs, json_t **model,
                            syn_error *error);

/* {"frame", "markers", "ranges"} as they stand in the model: what an edit in a viewer changes. */
syn_status syn_report_changes(const syn_context *context, const syn_report *report, json_t **value, syn_error *error);

/* Can it be drawn? Marks and contacts at an unknown position are left out with a warning. */
bool syn_report_clock_known(const syn_report_clock_mark *mark);
bool syn_report_contact_known(const syn_report_contact *contact);

#endif
