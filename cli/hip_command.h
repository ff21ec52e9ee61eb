/* Shared by the hip commands: options, opening the case, and printing and writing the analysis. */
#ifndef CLI_HIP_H
#define CLI_HIP_H

#include "output.h"

extern const cli_table cli_hip_parts;     /* meshes of soft tissue, into a syn_hip_input */
extern const cli_table cli_hip_options;   /* side, centre, landmarks, into a syn_hip_input */
extern const cli_table cli_band_options;  /* into a syn_band_options */
extern const cli_table cli_layer_options; /* cartilage as layers of hexahedra, into a syn_layer_options */
#define OPT_TITLE                                                                                                      \
  OPT_TEXT("title", "TEXT", "the name of the joint file, if it has one", 0, "what the report calls this hip")

/* A folder as the first operand stands for the joint.json in it: puts that in its place. */
void cli_open_folder(cli_session *session);
/* Returns whether the first operand is not the file of another joint. Meshes count as those of a hip. */
syn_status cli_names_hip(cli_session *session, bool *hip, syn_error *error);

/* What --title says, else the name of the joint file unless that is "hip", else `standard`; in the result, too. */
const char *cli_hip_title(cli_session *session, const syn_hip_case *hip_case, const char *standard);

/* Finds the hip in operands and options: a joint file; pelvis and femur; or, if `femur_alone` allows it, a femur. The
 * input points into the session. */
syn_status cli_name_hip(cli_session *session, bool femur_alone, syn_hip_input *input, syn_error *error);
/* Stages --out, if there is one, and opens the hip. Close with syn_hip_case_destroy. */
syn_status cli_open_hip(cli_session *session, bool femur_alone, syn_hip_case **hip_case, syn_error *error);
/* Opens the hip, calls on_hip of the command, and closes the hip. */
syn_status cli_run_on_hip(cli_session *session, const cli_command *command, syn_error *error);

/* Returns whether the only operand is a label map or a folder of masks. */
bool cli_names_scan(const cli_session *session);
/* `hip SCAN`. */
syn_status cli_run_on_scan(cli_session *session, syn_error *error);
extern const cli_table cli_scan_options;
/* Prints the complete analysis of a hip, and writes the page and the files for ParaView and spreadsheets. `with_joint`:
 * also a joint file for further work. */
syn_status cli_publish_hip(cli_session *session, const syn_hip_analysis *analysis, bool with_joint, const char *kind,
                           const char *title, syn_error *error);

/* For a command that needs both bones. */
syn_status cli_fail_without_bones(syn_error *error);
/* The clinical motions of these names, in a list that free() releases. No names: NULL, and *motions and *count stay. */
syn_status cli_take_motions(const cli_words *names, void **list, const syn_motion *const **motions, size_t *count,
                            syn_error *error);

/* The provenance of this run, for the pages that it writes; valid until the next call. */
const syn_provenance *cli_provenance(cli_session *session);
/* Publishes the result with the other files of the session: the page, tables and meshes, and result.json, the object
 * that --json prints. Sets `report` and `files`. Nothing without --out. `how` may be NULL: defaults. */
syn_status cli_publish(cli_session *session, const syn_record *record, const void *result,
                       const syn_publish_options *how, syn_error *error);
syn_status cli_publish_titled(cli_session *session, const syn_record *record, const void *result, const char *title,
                              syn_error *error);

/* Sets `report`, the page to open first, and `files`, and writes FOLDER/result.json, the object that --json prints. */
syn_status cli_write_answer(cli_session *session, const char *page, syn_error *error);

/* Arguments of an analysis of a joint. */
typedef struct cli_rom_asked {
  syn_hip_analysis_options what;
  bool map;
  const char *csv, *recording;
  const char *fixed, *mobile; /* of two bodies and an axis */
  syn_vec3 axis;
} cli_rom_asked;

/* Of a joint that is not a hip, by the names of its file: the motions; the effect of the centre, and the centre of a
 * recorded motion (NULL: none); and the depths along a recorded motion. */
syn_status cli_rom_joint(cli_session *session, const cli_rom_asked *asked, syn_error *error);
syn_status cli_center_joint(cli_session *session, const char *motion, syn_error *error);
syn_status cli_fai_joint(cli_session *session, const char *motion, syn_error *error);

#endif
