/* The whole analysis of a hip, as `hip` and `demo` make, tell and report it. */
#ifndef CLI_HIP_H
#define CLI_HIP_H

#include <stdio.h>

#include "base/memory.h"
#include "bodies.h"
#include "fai.h"

/* Sets `rom`, `measure`, `fai`, `center` and prints the text. */
void cli_tell_hip(cli_session *session, const syn_hip_analysis *analysis);
/* Writes report.html, result files for ParaView and spreadsheets, and sets `report` and `files`. `from_joint`: the
 * folder has the joint file that the case was opened from, so that no other is written. */
syn_status cli_write_hip(cli_session *session, const syn_hip_analysis *analysis, bool from_joint, const char *kind,
                         const char *title, const char *folder, syn_error *error);

/* Writes FOLDER/report.html of what the analysis has, sets `report` and `files`, and writes FOLDER/result.json: the
 * object that --json prints. */
syn_status cli_write_hip_page(cli_session *session, const syn_hip_analysis *analysis, const char *kind,
                              const char *title, const char *folder, syn_error *error);

/* hip_notes.c: how far the femur was shifted, as numbers. */
json_t *cli_seat_value(const syn_hip *hip);
/* What was warned of so far: the session's texts, in a list of the arena with room for some more. */
syn_status cli_warning_texts(const cli_session *session, syn_arena *arena, size_t more, const char ***texts,
                             size_t *count, syn_error *error);
bool cli_is_among(const char *text, const char *const *texts, size_t count);

/* hip_report.c */
syn_status cli_hip_report(cli_session *session, const syn_hip_analysis *analysis, const char *kind, const char *title,
                          const char *path, syn_error *error);

/* What the page of a viewer has besides. */
typedef struct cli_live {
  const char *url;
  size_t field_count;
  const syn_report_field *fields[SYN_HIP_PARTS]; /* on the vertices of each part that is there */
} cli_live;
/* The same report to a stream, with what a viewer adds. */
syn_status cli_hip_page(cli_session *session, const syn_hip_analysis *analysis, const char *title, const cli_live *live,
                        FILE *to, syn_error *error);
/* What an edit of centre or landmarks has changed in the page: {"frame", "markers", "ranges"}. */
syn_status cli_hip_changes(cli_session *session, const syn_hip_analysis *analysis, json_t **value, syn_error *error);
/* The depths and zones on a part; 0 or less means none. Returns how many. */
enum { CLI_HIP_FIELDS = 3 };
size_t cli_hip_fields(const syn_hip_analysis *analysis, syn_hip_part part, syn_report_field fields[CLI_HIP_FIELDS]);

/* hip_curves.c: how far the femur turns inward and outward at each pose of a motion, below 0: it has to turn back.
 * CLI_ROTATION_CURVES of them, in the arena. The analysis must have roms. */
enum { CLI_ROTATION_CURVES = 2 };
syn_status cli_rotation_curves(const syn_hip_analysis *analysis, syn_arena *arena, const syn_pose *poses, size_t count,
                               const syn_report_curve **curves, syn_error *error);

#endif
