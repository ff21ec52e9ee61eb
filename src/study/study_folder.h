/* Internal interface of studies: the file in memory, one case at a time, and the contents of the folder.
 *
 * study_file.c reads, study_analyses.c is the table of analyses, study_case.c runs one case, study_run.c a share of
 * them, study_columns.c finds the scalars of a result, study_summary.c gathers and writes, study_pressure.c finds
 * contact pressure, study_report.c makes the page, study_page_*.c the parts of it that the study file describes. */
#ifndef SYN_STUDY_FOLDER_H
#define SYN_STUDY_FOLDER_H

#include <synovia/shape.h>
#include <synovia/study.h>

#include "base/files/outbox.h"
#include "base/json.h"
#include "base/memory.h"

/* ---- the file ---------------------------------------------------------------------------------------------------- */

/* One of: a generated shape, a joint file, meshes. Paths are relative to the current folder. */
typedef struct syn_study_case {
  const char *name;
  const json_t *description; /* as in the file; borrowed */
  const char *shape;         /* NULL: none */
  syn_shape_value *values;
  size_t value_count;
  const char *joint;                /* NULL: none */
  const char *parts[SYN_HIP_PARTS]; /* NULL if missing */
  const char *landmarks;
  const syn_side *side; /* NULL: detected */
  const syn_vec3 *center;
  bool as_scanned;       /* as in syn_hip_input */
  bool bone_only;        /* as in syn_fai_options */
  char input_sha256[65]; /* of the description, the analyses and the contents of all files; "" if one of them cannot be
                            read: then no earlier result is reused */
} syn_study_case;

struct syn_study {
  const syn_context *context;
  const char *name;
  const char *path; /* of the file */
  size_t case_count;
  syn_study_case *cases;
  uint32_t wants;                              /* analyses: bit i is row i of their table */
  uint32_t draws;                              /* for the 95 % intervals of every case */
  const struct syn_pressure_options *pressure; /* of every case with this analysis */
  uint32_t depth_steps;                        /* of the motion, for correlations of stresses and depths */
  const json_t *pressure_description;          /* as in the file; NULL: defaults */
  struct syn_plan *plans;                      /* shown on the page in addition to the tables of the analyses */
  size_t plan_count;
  syn_read_options reading;
  json_t *root, *pages; /* the file, and the page descriptions that it names; NULL: none */
  syn_arena arena;
};

/* Converts the text of a value to a path from the current folder; in the file it is relative to the file's folder. */
syn_status syn_study_path_of(syn_study *study, const syn_json *place, const char **path, syn_error *error);
/* Returns "FOLDER/NAME", allocated in the arena. */
syn_status syn_study_path(syn_arena *arena, const char *folder, const char *name, const char **path, syn_error *error);
/* Checks the options; NULL is replaced by the defaults. */
syn_status syn_study_check_options(const syn_study_options **options, syn_study_options *defaults, syn_error *error);

/* ---- analyses ---------------------------------------------------------------------------------------------------- */

/* Arguments of the functions of the table. */
typedef struct syn_study_work {
  const syn_study *study;
  const syn_study_case *it;
  const syn_study_options *options;
  const syn_context *context; /* the case's context, which collects its warnings */
  syn_outbox *outbox;
  const char *folder; /* of the case */
  syn_hip_analysis *analysis;
  json_t *result;   /* an object to add to */
  json_t *warnings; /* so far */
  syn_arena *arena; /* lives as long as the case runs */
} syn_study_work;

typedef struct syn_study_analysis {
  const char *name;         /* as in the study file; also the key in the result */
  const char *title;        /* of its table on the page */
  const syn_record *record; /* the record of the result; NULL: answers of other rows */
  unsigned parts;           /* required of a syn_hip_analysis */
  bool in_hip;              /* "hip" includes it */
  syn_status (*run)(const syn_study_work *work, syn_error *error);
} syn_study_analysis;
enum { SYN_STUDY_ANALYSES = 7 }; /* 32 at most */
extern const syn_study_analysis syn_study_analyses[SYN_STUDY_ANALYSES];
static inline bool syn_study_wants(const syn_study *study, size_t index) { return study->wants >> index & 1; }

/* Runs the analyses of the study on an open case. */
syn_status syn_study_analyse(syn_study_work *work, syn_hip_case *hip_case, syn_error *error);

/* ---- cases ------------------------------------------------------------------------------------------------------- */

/* Passed to the context's progress callback while a case runs. */
typedef struct syn_study_progress {
  const char *what;
  double fraction;
} syn_study_progress;

/* Analyses one case and writes FOLDER/result.json, or error.json with the reason of the failure. */
syn_status syn_study_run_case(const syn_study *study, const syn_study_case *it, const syn_study_options *options,
                              const char *folder, const syn_study_progress *progress, syn_outbox *parent,
                              syn_error *error);

/* Finds the results in the case's folder that were made from the same input. *value (may be NULL) is a new reference to
 * result.json or error.json, NULL if missing. */
syn_status syn_study_find_state(const syn_study *study, const syn_study_case *it, const char *folder,
                                syn_case_state *state, json_t **value, syn_error *error);

#endif
