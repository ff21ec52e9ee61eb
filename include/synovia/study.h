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

/* Reads the study file, and every file that its cases name, to detect later changes. The analyses that it may ask for
 * are "center", "measure", "rom", "fai", "sensitivity", "pressure" and "hip". `reading` (NULL: defaults) applies
 * to the meshes of the cases. Errors name the file and the key. Release with syn_study_destroy. */
SYN_API syn_status syn_study_read(const syn_context *context, const char *path, const syn_read_options *reading,
                                  syn_study **study, syn_error *error);
SYN_API void syn_study_destroy(syn_study *study); /* NULL is fine */

/* ---- running ------------------------------------------------------------------------------------------------------
 */

typedef struct syn_study_options {
  const char *folder; /* for the results; default "study-output" */
  bool again;         /* also run the cases that have results */
  /* The share of this process: the cases whose number modulo `share_count` is `share_index`; default 0 of 1. */
  size_t share_index, share_count;
  const char *date; /* for the pages: "2026-11-15 05:20 UTC"; default NULL: not stated */
  struct syn_outbox
      *outbox; /* private; removes the temporary files when the program is stopped; default NULL: not known */
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
SYN_ENUM(syn_case_state); /* "missing", "done", "failed" */

/* A number, text or truth value that at least one case has. */
typedef struct syn_study_column {
  const char *key;   /* "rom.motions.flexion.angle_deg": the head of the column in study.csv */
  const char *label; /* "Flexion" */
  const char *unit;  /* as in syn_result_field */
  bool is_shown;     /* on the page; the others are details */
} syn_study_column;

typedef struct syn_case_result {
  const char *name;
  syn_case_state state;
  syn_error error; /* why it failed; of any other case the code is SYN_OK and the message empty */
  const char *const *warnings;
  size_t warning_count;
} syn_case_result;

/* The results of a study found in its folder. */
typedef struct syn_study_summary {
  const syn_study *study; /* must outlive it */
  const char *name;
  size_t done, failed;
  size_t warned_count, warning_count; /* cases with warnings, and these warnings */
  size_t case_count, column_count;
  const syn_case_result *cases;
  const syn_study_column *columns;
  syn_study_counts counts; /* of the run before, as given */
  bool is_written;         /* study.csv, study.json and report.html were */
} syn_study_summary;

/* Collects the results in the folder. The first share writes study.csv, study.json and report.html, and so does the
 * last process to finish, which finds all cases done. `options` may be NULL, and so may `counts`, those of the run
 * before. Release with syn_study_summary_destroy. */
SYN_API syn_status syn_study_summarise(const syn_study *study, const syn_study_options *options,
                                       const syn_study_counts *counts, syn_study_summary **summary, syn_error *error);
SYN_API void syn_study_summary_destroy(syn_study_summary *summary); /* NULL is fine */

/* The value of a case in a column; SYN_VALUE_NONE if it has none. Its text is owned by the summary. */
SYN_API syn_value syn_study_value(const syn_study_summary *summary, size_t case_index, size_t column);
/* Of a syn_study_summary: all that `synovia study` prints except the reasons of failed cases. */
SYN_API extern const syn_record syn_study_record;

#ifdef __cplusplus
}
#endif
#endif
