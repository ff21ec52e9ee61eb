/* Synovia: studies. Runs many cases from one file (described in docs/formats.md), each with a separate folder for its
 * result, and summarises all of them as a table, an object and a page.
 *
 * A case with an existing result from the same input is not run again. A case that fails writes the reason and does not
 * stop the others. Several processes may work on one study: each process takes cases that no other process is
 * running. */
#ifndef SYNOVIA_STUDY_H
#define SYNOVIA_STUDY_H

#include <synovia/clinic.h>
#include <synovia/mesh.h>
#include <synovia/result.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the file -----------------------------------------------------------------------------------------------------
 */

typedef struct syn_study syn_study;

/* Reads the study file, and every file that its cases name, to detect later changes. `reading` (NULL: defaults) applies
 * to the meshes of the cases. Errors name the file and the key. Release with syn_study_destroy. */
SYN_API syn_status syn_study_read(const syn_context *context, const char *path, const syn_read_options *reading,
                                  syn_study **study, syn_error *error);
SYN_API void syn_study_destroy(syn_study *study); /* NULL is fine */

SYN_API const char *syn_study_name(const syn_study *study);
SYN_API size_t syn_study_case_count(const syn_study *study);
SYN_API const char *syn_study_case_name(const syn_study *study, size_t index);

/* The analyses that a study may ask for: "center", "measure", "rom", "fai", "sensitivity", "pressure",
 * "hip". */
SYN_API size_t syn_study_analysis_count(void);
SYN_API const char *syn_study_analysis_name(size_t index);

/* ---- running ------------------------------------------------------------------------------------------------------
 */

/* Share `index` of `count`: the cases whose number modulo `count` is `index`. */
typedef struct syn_study_share {
  size_t index, count;
} syn_study_share;
/* "0/4" to "3/4". SYN_BAD_ARGUMENT for anything else. */
SYN_API syn_status syn_study_share_parse(const char *text, syn_study_share *share, syn_error *error);

typedef struct syn_study_options {
  const char *folder;    /* for the results; default "study-output" */
  bool again;            /* also run the cases that have results */
  syn_study_share share; /* default 0 of 1 */
  const char *date;      /* for the pages: "2026-11-15 05:20 UTC"; default NULL: not stated */
  uint32_t cookie;
} syn_study_options;
SYN_API syn_study_options syn_default_study_options(void);

typedef struct syn_study_counts {
  size_t ran, skipped; /* now; by an earlier run */
  size_t by_others;    /* by another process while this one ran */
} syn_study_counts;

/* Runs the cases of the share, each with its result.json, or error.json with the reason why it failed, in FOLDER/NAME.
 * `options` may be NULL. Fails only if the folder is not writable or the context's progress callback stops the run: the
 * current case then writes nothing. Warnings of cases are in their results and are not passed to the context's
 * `warn`. */
SYN_API syn_status syn_study_run(const syn_study *study, const syn_study_options *options, syn_study_counts *counts,
                                 syn_error *error);

/* ---- summary ------------------------------------------------------------------------------------------------------
 */

typedef enum syn_case_state { SYN_CASE_MISSING, SYN_CASE_DONE, SYN_CASE_FAILED, SYN_CASE_STATES } syn_case_state;
SYN_API const char *syn_case_state_name(syn_case_state state); /* "missing", "done", "failed" */

/* A number, text or truth value that at least one case has. */
typedef struct syn_study_column {
  const char *key;   /* "rom.motions.flexion.angle_deg": the head of the column in study.csv */
  const char *label; /* "Flexion" */
  const char *unit;  /* as in syn_result_field */
  bool is_shown;     /* on the page; the others are details */
} syn_study_column;

/* The results of a study found in its folder. */
typedef struct syn_study_summary {
  const syn_study *study; /* must outlive it */
  size_t done, failed;
  size_t column_count;
  const syn_case_state *states; /* one per case */
  const syn_study_column *columns;
  bool is_written; /* study.csv, study.json and report.html were */
} syn_study_summary;

/* Collects the results in the folder. The first share writes study.csv, study.json and report.html, and so does the
 * last process to finish, which finds all cases done. `options` may be NULL. Release with syn_study_summary_destroy. */
SYN_API syn_status syn_study_summarise(const syn_study *study, const syn_study_options *options,
                                       syn_study_summary **summary, syn_error *error);
/* The same for callers that remove temporary files when they are stopped (synovia/outbox.h); `parent` may be NULL. */
SYN_API syn_status syn_study_run_within(const syn_study *study, const syn_study_options *options, syn_outbox *parent,
                                        syn_study_counts *counts, syn_error *error);
SYN_API syn_status syn_study_summarise_within(const syn_study *study, const syn_study_options *options,
                                              syn_outbox *parent, syn_study_summary **summary, syn_error *error);
SYN_API void syn_study_summary_destroy(syn_study_summary *summary); /* NULL is fine */

/* The value of a case in a column; SYN_VALUE_NONE if it has none. Its text is owned by the summary. */
SYN_API syn_value syn_study_value(const syn_study_summary *summary, size_t case_index, size_t column);
/* Returns the error of a failed case; all zero if it did not fail. */
SYN_API syn_error syn_study_case_error(const syn_study_summary *summary, size_t case_index);
/* The warnings of a case. */
SYN_API size_t syn_study_case_warning_count(const syn_study_summary *summary, size_t case_index);
SYN_API const char *syn_study_case_warning(const syn_study_summary *summary, size_t case_index, size_t index);

/* Number of cases with warnings, and number of these warnings. */
SYN_API void syn_study_count_warnings(const syn_study_summary *summary, size_t *cases, size_t *warnings);

/* Results of a run: the object of its record, which has all that `synovia study` prints except the reasons of failed
 * cases. */
typedef struct syn_study_result {
  const syn_study_summary *summary;
  syn_study_counts counts;
} syn_study_result;
SYN_API extern const syn_record syn_study_record;

#ifdef __cplusplus
}
#endif
#endif
