/* A study: many cases from one file, each with a folder of its own, and one summary of them all. */
#ifndef CLI_STUDY_H
#define CLI_STUDY_H

#include "base/memory.h"
#include "hip.h"

/* ---- the file (study_file.c) ----------------------------------------------------------------------------------------
 */

/* In the order in which a result tells them; "hip" is all of them and the files that `synovia hip` writes. */
typedef enum cli_study_analysis {
  CLI_STUDY_CENTER,
  CLI_STUDY_MEASURE,
  CLI_STUDY_ROM,
  CLI_STUDY_FAI,
  CLI_STUDY_HIP,
  CLI_STUDY_ANALYSES
} cli_study_analysis;
extern const char *const cli_study_analysis_names[CLI_STUDY_ANALYSES + 1]; /* NULL after the last */

/* One of: a generated shape, a joint file, meshes. Paths lead from the current folder. */
typedef struct cli_study_case {
  const char *name;
  const json_t *description; /* as the file has it; borrowed */
  const char *shape;         /* NULL: none */
  syn_shape_value *values;
  size_t value_count;
  const char *joint;                /* NULL: none */
  const char *parts[SYN_HIP_PARTS]; /* NULL where missing */
  const char *landmarks;
  const syn_side *side; /* NULL: found */
  const syn_vec3 *center;
  char input_sha256[65]; /* of the description, the analyses and the contents of all files; "" where one of them cannot
                            be read: then no earlier result is good enough */
} cli_study_case;

/* Release with cli_release_study. */
typedef struct cli_study_file {
  const char *name;
  const char *path; /* of the file */
  size_t case_count;
  cli_study_case *cases;
  bool wants[CLI_STUDY_ANALYSES];
  json_t *root;
  syn_arena arena;
} cli_study_file;

syn_status cli_read_study(cli_session *session, const char *path, cli_study_file *study, syn_error *error);
void cli_release_study(cli_study_file *study);

/* ---- cases (study_case.c) ------------------------------------------------------------------------------------------
 */

/* Analyses one case and leaves FOLDER/NAME/result.json, or error.json with the reason why not. Fails only where nothing
 * can be written. */
syn_status cli_run_study_case(cli_session *session, const cli_study_file *study, const cli_study_case *it,
                              const char *folder, syn_error *error);

typedef enum cli_study_state { CLI_STUDY_MISSING, CLI_STUDY_DONE, CLI_STUDY_FAILED } cli_study_state;
/* What the folder has of this case, made from the same input. *value (may be NULL) is a new reference to result.json or
 * error.json, NULL where missing. */
cli_study_state cli_study_case_state(cli_session *session, const cli_study_case *it, const char *folder,
                                     json_t **value);

/* ---- summary (study_summary.c, study_report.c) ---------------------------------------------------------------------
 */

/* Everything that the folder has. */
typedef struct cli_study_summary {
  const cli_study_file *study;
  size_t done, failed;
  cli_study_state *states; /* one per case, as are the next two */
  json_t **values;         /* result.json or error.json; NULL where missing */
  json_t **scalars;        /* {"fai.curvilinear_max_mm": 4.9, …}; empty where the case is not done */
  const char **columns;    /* every key that some case has, in the order of first appearance; borrowed */
  size_t column_count;
  syn_arena arena;
} cli_study_summary;

syn_status cli_summarise_study(cli_session *session, const cli_study_file *study, const char *folder,
                               cli_study_summary *summary, syn_error *error);
void cli_release_study_summary(cli_study_summary *summary);
/* study.csv, study.json and report.html. */
syn_status cli_write_study_summary(cli_session *session, const cli_study_summary *summary, const char *folder,
                                   syn_error *error);
/* Why a case failed, with the file and the place, from its error.json; "" for any other value. Returns `text`. */
char *cli_study_error(const json_t *value, char *text, size_t size);
/* report.html alone. */
syn_status cli_study_report(cli_session *session, const cli_study_summary *summary, const char *path, syn_error *error);

/* The published study of 25 hips beside ours (study_hips25.c): writes one or two tables, how many is returned: 0 where
 * not all 25 cases are there and done. */
size_t cli_study_published(const cli_study_summary *summary, syn_arena *arena, syn_report_table tables[2]);

#endif
