/* Shared by the commands about soft tissue of a hip. */
#ifndef CLI_SURGERY_H
#define CLI_SURGERY_H

#include "hip_command.h"

extern const cli_table cli_cartilage_options; /* into a syn_congruity_options */
#define OPT_LIGAMENT(INTO) OPT_CHOICE("ligament", "NAME", SYN_HIP_LIGAMENT_NAMES, "ischiofemoral", INTO, "which one")

#endif
