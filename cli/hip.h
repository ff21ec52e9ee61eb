/* What the commands about a hip share: their options, opening the case, and the analysis as they print and write it. */
#ifndef CLI_HIP_H
#define CLI_HIP_H

#include <synovia/report.h>
#include <synovia/result.h>

#include "base/memory.h"
#include "output.h"

/* ---- the case
 * ----------------------------------------------------------------------------------------------------------
 */

#define CLI_HIP_PART_OPTIONS                                                                                           \
  {.name = "labrum", .kind = CLI_PATH, .value = "FILE", .help = "mesh of the labrum"},                                 \
      {.name = "femoral-cartilage", .kind = CLI_PATH, .value = "FILE", .help = "mesh of the femur's cartilage"},       \
      {.name = "acetabular-cartilage", .kind = CLI_PATH, .value = "FILE", .help = "mesh of the socket's cartilage"}, { \
    .name = "transition-zone", .kind = CLI_PATH, .value = "FILE",                                                      \
    .help = "mesh of the zone between the socket's cartilage and labrum"                                               \
  }

/* Of commands that make cartilage as layers of hexahedra. */
#define CLI_LAYER_OPTIONS                                                                                              \
  {.name = "edge",                                                                                                     \
   .kind = CLI_NUMBER,                                                                                                 \
   .unit = "mm",                                                                                                       \
   .min = 0.2,                                                                                                         \
   .max = 10,                                                                                                          \
   .value = "MM",                                                                                                      \
   .standard = "2",                                                                                                    \
   .help = "length of the hexahedra along the surface"},                                                               \
      {.name = "layers",                                                                                               \
       .kind = CLI_COUNT,                                                                                              \
       .min = 1,                                                                                                       \
       .max = 16,                                                                                                      \
       .value = "N",                                                                                                   \
       .standard = "3",                                                                                                \
       .help = "hexahedra through the thickness"},                                                                     \
  {                                                                                                                    \
    .name = "thickness", .kind = CLI_NUMBER, .unit = "mm", .min = 0.1, .max = 10, .value = "MM",                       \
    .standard = "as scanned, else half of the joint space", .help = "constant thickness of both cartilages"            \
  }

#define CLI_HIP_OPTIONS                                                                                                \
  {.name = "side",                                                                                                     \
   .kind = CLI_CHOICE,                                                                                                 \
   .value = "left|right",                                                                                              \
   .choices = "left|right",                                                                                            \
   .standard = "found from the shape",                                                                                 \
   .help = "which hip this is"},                                                                                       \
      {.name = "center",                                                                                               \
       .kind = CLI_NUMBERS,                                                                                            \
       .numbers = 3,                                                                                                   \
       .value = "x,y,z",                                                                                               \
       .standard = "found; see `synovia center`",                                                                      \
       .help = "centre of rotation in mm, in the frame of the meshes"},                                                \
      {.name = "as-scanned",                                                                                           \
       .kind = CLI_FLAG,                                                                                               \
       .help = "let everything count: also the joint surface of the head stops motions"},                              \
  {                                                                                                                    \
    .name = "landmarks", .kind = CLI_PATH, .value = "FILE",                                                            \
    .help =                                                                                                            \
        "landmarks that override what is found: JSON {\"asis\":[x,y,z],…}, 3D Slicer's .mrk.json, or CSV NAME,x,y,z" \
  }

#define CLI_BAND_OPTIONS                                                                                               \
  {.name = "draws",                                                                                                    \
   .kind = CLI_COUNT,                                                                                                  \
   .min = 0,                                                                                                           \
   .max = 100000,                                                                                                      \
   .value = "N",                                                                                                       \
   .standard = "200",                                                                                                  \
   .help = "of a joint: draws for the 95 % bands of its numbers; 0: no bands"},                                        \
  {                                                                                                                    \
    .name = "voxel", .kind = CLI_NUMBER, .unit = "mm", .min = 0.01, .max = 10, .value = "MM",                          \
    .standard = "found from the meshes, 0.4 to 1 mm", .help = "of a joint: size of the scan's voxels, for the bands"   \
  }

#define CLI_TITLE_OPTION                                                                                               \
  {                                                                                                                    \
    .name = "title", .kind = CLI_TEXT, .value = "TEXT", .standard = "the name of the joint file, if it has one",       \
    .help = "what the report calls this hip"                                                                           \
  }
/* What --title says, else the name of the joint file unless that is "hip", else `standard`. */
const char *cli_hip_title(const cli_session *session, const syn_hip_case *hip_case, const char *standard);

/* The hip that operands and options name: a joint file; pelvis and femur; or, where `femur_alone` allows it, a femur.
 */
typedef struct cli_named_hip {
  syn_hip_input input; /* points into the session, and to what follows */
  syn_side side;
  syn_vec3 center;
} cli_named_hip;
syn_status cli_name_hip(cli_session *session, bool femur_alone, cli_named_hip *named, syn_error *error);
/* Opens it. Close with syn_hip_case_destroy. */
syn_status cli_open_hip(cli_session *session, bool femur_alone, syn_hip_case **hip_case, syn_error *error);

/* What CLI_BAND_OPTIONS say. */
syn_band_options cli_band_options(const cli_arguments *arguments);

/* For a command that needs both bones. */
syn_status cli_fail_without_bones(syn_error *error);

/* ---- the answers
 * -------------------------------------------------------------------------------------------------------
 */

/* rom JOINT: a hip and its clinical motions. */
syn_status cli_rom_hip(cli_session *session, syn_error *error);

/* The text of each answer, for people. */
void cli_print_center(const cli_session *session, const syn_hip_case *hip_case);
void cli_print_measures(const cli_session *session, const syn_hip_analysis *analysis);
void cli_print_limits(const cli_session *session, const syn_hip_analysis *analysis);
void cli_print_impingement(const cli_session *session, const syn_impingement *impingement);

/* Sets the whole result and prints all of it. */
void cli_tell_hip(cli_session *session, const syn_hip_analysis *analysis);

/* Writes FOLDER/report.html by `stage`, which gets `what`, then result.json; sets `report` and `files`. */
typedef syn_status cli_stage_page(cli_session *session, const void *what, const syn_provenance *provenance,
                                  const char *folder, syn_error *error);
syn_status cli_write_page(cli_session *session, cli_stage_page *stage, const void *what, const char *folder,
                          syn_error *error);

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
/* The same of a joint that is not a hip. */
syn_status cli_write_joint_page(cli_session *session, const syn_joint_analysis *analysis, const char *title,
                                const char *folder, syn_error *error);
/* FOLDER/report.html and FOLDER/skeleton.glb, and result.json as above. */
syn_status cli_write_skeleton(cli_session *session, const syn_skeleton_analysis *analysis, const char *title,
                              const char *folder, syn_error *error);

/* What `surgery resect` leaves, and result.json as above. */
syn_status cli_write_resection(cli_session *session, const syn_resection *resection, bool every_cut, const char *title,
                               const char *folder, syn_error *error);

#endif
