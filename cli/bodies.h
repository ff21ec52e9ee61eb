/* What the commands about two bodies share: their options, and the pose that they describe. */
#ifndef CLI_BODIES_H
#define CLI_BODIES_H

#include "output.h"

#define CLI_FIXED_OPTION                                                                                               \
  { .name = "fixed", .kind = CLI_PATH, .required = true, .value = "FILE", .help = "mesh of the body that stands still" }
#define CLI_MOBILE_OPTION                                                                                              \
  { .name = "mobile", .kind = CLI_PATH, .required = true, .value = "FILE", .help = "mesh of the body that turns" }
#define CLI_CENTER_OPTION                                                                                              \
  {                                                                                                                    \
    .name = "center", .kind = CLI_NUMBERS, .numbers = 3, .required = true, .value = "x,y,z",                           \
    .help = "centre of rotation in mm, in the frame of the meshes"                                                     \
  }
#define CLI_POSE_OPTION                                                                                                \
  {                                                                                                                    \
    .name = "pose", .kind = CLI_NUMBERS, .numbers = 16, .value = "'16 numbers'",                                       \
    .help = "rigid 4x4 matrix, row by row, that places the second body"                                                \
  }

/* The three numbers of an option that was given. */
syn_vec3 cli_vector(const cli_arguments *arguments, const char *name);
/* The same, of a direction: refuses zero. */
syn_status cli_direction(const cli_arguments *arguments, const char *name, syn_vec3 *direction, syn_error *error);
/* --pose, or the identity. */
syn_status cli_pose(const cli_arguments *arguments, syn_pose *pose, syn_error *error);

#endif
