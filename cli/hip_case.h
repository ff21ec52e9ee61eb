/* What the commands about a hip share: their options, and opening the case. */
#ifndef CLI_HIP_CASE_H
#define CLI_HIP_CASE_H

#include "rom.h"

#define CLI_HIP_PART_OPTIONS                                                                                           \
  {.name = "labrum", .kind = CLI_PATH, .value = "FILE", .help = "mesh of the labrum"},                                 \
      {.name = "femoral-cartilage", .kind = CLI_PATH, .value = "FILE", .help = "mesh of the femur's cartilage"}, {     \
    .name = "acetabular-cartilage", .kind = CLI_PATH, .value = "FILE", .help = "mesh of the socket's cartilage"        \
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
       .help = "leave the head where it is, even if it catches in its socket"},                                        \
  {                                                                                                                    \
    .name = "landmarks", .kind = CLI_PATH, .value = "FILE",                                                            \
    .help = "landmarks that override what is found: JSON {\"asis\":[x,y,z],…} or 3D Slicer's .mrk.json"              \
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

#endif
