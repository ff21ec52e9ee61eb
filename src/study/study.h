/* A study from inside: the file in memory, one case at a time, and what the folder has.
 *
 * file.c reads, fingerprint.c says what a result was made from, analyses.c is the table of what can be asked for,
 * case.c runs one case, study_run.c a share of them, columns.c finds the scalars of a result, study_summary.c gathers
 * and writes, study_pressure.c with correlation.c finds contact pressure, study_report.c with tables.c and
 * study_curves.c makes the page, study_page_*.c what the study file describes for it.
 */
#ifndef SYN_STUDY_STUDY_H
#define SYN_STUDY_STUDY_H

#include <synovia/shape.h>
#include <synovia/study.h>

#include "base/json.h"
#include "base/memory.h"
#include <synovia/outbox.h>

/* ---- the file -----------------------------------------------------------------------------------------------------
 */

/* One of: a generated shape, a joint file, meshes. Paths lead from the current folder. */
typedef struct syn_study_case {
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
  bool as_scanned;       /* as syn_hip_input has it */
  bool bone_only;        /* as syn_fai_options has it */
  char input_sha256[65]; /* of the description, the analyses and the contents of all files; "" where one of them cannot
                            be read: then no earlier result is good enough */
} syn_study_case;

struct syn_study {
  const syn_context *context;
  const char *name;
  const char *path; /* of the file */
  size_t case_count;
  syn_study_case *cases;
  uint32_t wants;                              /* analyses: bit i is row i of their table */
  uint32_t draws;                              /* for the bands of every case */
  const struct syn_pressure_options *pressure; /* of every case that asks for it */
  uint32_t depth_steps;                        /* of the motion, for stresses beside depths */
  const json_t *pressure_description;          /* as the file has it; NULL: defaults */
  struct syn_plan *plans;                      /* what the page shows beside the tables of the analyses */
  size_t plan_count;
  syn_read_options reading;
  json_t *root, *pages; /* the file, and the descriptions of pages that it names; NULL: none */
  syn_arena arena;
};

/* Fills in input_sha256. */
syn_status syn_study_fingerprint(const syn_study *study, syn_study_case *it, syn_error *error);

/* The text of a value as a path from the current folder: in the file it leads from the file's folder. */
syn_status syn_study_path_of(syn_study *study, const syn_json *place, const char **path, syn_error *error);
/* "FOLDER/NAME" in the arena. */
syn_status syn_study_path(syn_arena *arena, const char *folder, const char *name, const char **path, syn_error *error);
/* The options, or their defaults where NULL; checked. */
syn_status syn_study_check_options(const syn_study_options **options, syn_study_options *defaults, syn_error *error);

/* ---- analyses -----------------------------------------------------------------------------------------------------
 */

/* What a function of the table works with. */
typedef struct syn_study_work {
  const syn_study *study;
  const syn_study_case *it;
  const syn_study_options *options;
  const syn_context *context; /* the case's own: collects what it warns of */
  syn_outbox *outbox;
  const char *folder; /* of the case */
  syn_hip_analysis *analysis;
  json_t *result;   /* an object to add to */
  json_t *warnings; /* so far */
  syn_arena *arena; /* for the time of the case */
} syn_study_work;

typedef struct syn_study_analysis {
  const char *name;         /* as the study file has it, and the key of the result that it stands under */
  const char *title;        /* of its table on the page */
  const syn_record *record; /* what stands there; NULL: the answers of other rows */
  unsigned parts;           /* of a syn_hip_analysis that it needs */
  bool in_hip;              /* "hip" brings it as well */
  syn_status (*run)(const syn_study_work *work, syn_error *error);
} syn_study_analysis;
/* Row `index` of syn_study_analysis_count(), at most 32. */
const syn_study_analysis *syn_study_analysis_at(size_t index);
static inline bool syn_study_wants(const syn_study *study, size_t index) { return study->wants >> index & 1; }

/* Runs what the study wants on an open case. */
syn_status syn_study_analyse(syn_study_work *work, syn_hip_case *hip_case, syn_error *error);

/* ---- cases --------------------------------------------------------------------------------------------------------
 */

/* What the context's progress is given while a case runs. */
typedef struct syn_study_progress {
  const char *what;
  double fraction;
} syn_study_progress;

/* Analyses one case and leaves FOLDER/result.json, or error.json with the reason why not. */
syn_status syn_study_run_case(const syn_study *study, const syn_study_case *it, const syn_study_options *options,
                              const char *folder, const syn_study_progress *progress, syn_outbox *parent,
                              syn_error *error);

/* What the case's folder has that was made from the same input. *value (may be NULL) is a new reference to result.json
 * or error.json, NULL where missing. */
syn_status syn_study_find_state(const syn_study *study, const syn_study_case *it, const char *folder,
                                syn_case_state *state, json_t **value, syn_error *error);

#endif
