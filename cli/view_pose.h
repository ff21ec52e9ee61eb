/* What a viewer tells of one pose: depths on every body, clearances, contacts, and how far the joint goes from there.
 */
#ifndef CLI_VIEW_POSE_H
#define CLI_VIEW_POSE_H

#include "hip.h"
#include "report/display.h"
#include "report/hip/page.h"
#include "report/hip/writing.h"

typedef struct cli_poser cli_poser;

/* The fields that follow the pose, for the page: nothing is known until a pose is asked for. */
enum { CLI_POSE_FIELDS = 2 };
void cli_pose_field(size_t index, const double *unknown, syn_report_field *field);

/* Everything that is asked at a pose, prepared for the hip as it is now. `analysis` and `displays` (by part) are
 * borrowed. Release with cli_poser_destroy. */
syn_status cli_poser_create(cli_session *session, const syn_hip_analysis *analysis, const syn_display *displays,
                            cli_poser **poser, syn_error *error);
void cli_poser_destroy(cli_poser *poser); /* NULL is fine */

/* The answer to {"matrix": 12 numbers, "field": name} as web/src/live-protocol.ts describes it; free() the bytes. */
syn_status cli_poser_answer(cli_poser *poser, const json_t *request, char **bytes, size_t *size, syn_error *error);

#endif
