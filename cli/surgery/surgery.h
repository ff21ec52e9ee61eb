/* What the commands about soft tissue of a hip share. */
#ifndef CLI_SURGERY_H
#define CLI_SURGERY_H

#include "hip.h"

#define CLI_CONGRUITY_OPTIONS                                                                                          \
  CLI_NUMBER_OPTION("young", "MPA", "MPa", 1e-6, 1e4, "0.01", "Young's modulus of both cartilages"),                   \
      CLI_NUMBER_OPTION("poisson", "X", "", 0, 0.49, "0.4", "Poisson's ratio of both cartilages"),                     \
      CLI_NUMBER_OPTION("press", "MM", "mm", 0, 5, "0.4", "how far the femur is pressed into the socket"),             \
      {.name = "direction",                                                                                            \
       .kind = CLI_NUMBERS,                                                                                            \
       .numbers = 3,                                                                                                   \
       .value = "x,y,z",                                                                                               \
       .standard = "upward along the pelvis",                                                                          \
       .help = "in which it is pressed"},                                                                              \
      CLI_NUMBER_OPTION("threshold", "MPA", "MPa", 1e-12, 1e4, "a twentieth of the modulus",                           \
                        "stress above which an area counts as loaded"),                                                \
      CLI_NUMBER_OPTION("step", "DEG", "deg", 0.5, 90, "10", "of the turn, from one moment to the next"),              \
      CLI_NUMBER_OPTION("edge", "MM", "mm", 0, 20, "3", "cartilages of shorter edges are made coarser; 0: not"),       \
      CLI_NUMBER_OPTION("hold", "MM", "mm", 0.001, 5, "0.3", "what lies as near to its bone is held by it"),           \
      CLI_NUMBER_OPTION("seconds", "S", "s", 0.001, 1e6, "4", "that the motion takes"), {                              \
    .name = "moving", .kind = CLI_FLAG, .help = "with inertia and viscosity; else every moment is an equilibrium"      \
  }
syn_status cli_take_congruity(const cli_arguments *arguments, syn_congruity_options *options, syn_error *error);
void cli_print_congruity(const cli_session *session, const syn_congruity_path *path);

#define CLI_LIGAMENT_OPTION                                                                                            \
  {                                                                                                                    \
    .name = "ligament", .kind = CLI_CHOICE, .value = "NAME",                                                           \
    .choices = "iliofemoral-lateral|iliofemoral-medial|pubofemoral|ischiofemoral|teres|transverse",                    \
    .standard = "ischiofemoral", .help = "which one"                                                                   \
  }
syn_hip_ligament cli_take_ligament(const cli_arguments *arguments, syn_hip_ligament standard);

/* Opens the hip and does the work; `folder` is --out, or NULL. */
typedef syn_status cli_hip_work(cli_session *session, const syn_hip_case *hip_case, const char *folder,
                                syn_error *error);
syn_status cli_run_on_hip(cli_session *session, cli_hip_work *work, syn_error *error);

#endif
