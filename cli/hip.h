/* The analysis of a hip, as `hip`, `demo`, `rom` and `fai` print and write it. */
#ifndef CLI_HIP_H
#define CLI_HIP_H

#include <synovia/report.h>
#include <synovia/result.h>

#include "base/memory.h"
#include "hip_case.h"

/* The text of each answer, for people. */
void cli_print_center(const cli_session *session, const syn_hip_case *hip_case);
void cli_print_measures(const cli_session *session, const syn_hip_analysis *analysis);
void cli_print_limits(const cli_session *session, const syn_hip_analysis *analysis);
void cli_print_impingement(const cli_session *session, const syn_impingement *impingement);

/* Sets the whole result and prints all of it. */
void cli_tell_hip(cli_session *session, const syn_hip_analysis *analysis);

/* The provenance of this run; it points into the arena and the session. */
syn_status cli_provenance(const cli_session *session, syn_arena *arena, syn_provenance *provenance, syn_error *error);

/* Writes report.html, result files for ParaView and spreadsheets, and sets `report` and `files`. `with_joint`: also a
 * joint file for further work. */
syn_status cli_write_hip(cli_session *session, const syn_hip_analysis *analysis, bool with_joint, const char *kind,
                         const char *title, const char *folder, syn_error *error);
/* Writes FOLDER/report.html of what the analysis has, sets `report` and `files`, and writes FOLDER/result.json: the
 * object that --json prints. */
syn_status cli_write_hip_page(cli_session *session, const syn_hip_analysis *analysis, const char *kind,
                              const char *title, const char *folder, syn_error *error);

#endif
