/* The two forms of `rom`. */
#ifndef CLI_ROM_H
#define CLI_ROM_H

#include "output.h"

#define CLI_DEGREES (180 / 3.14159265358979323846) /* per radian */

/* Two bodies and an axis. */
syn_status cli_rom_pair(cli_session *session, syn_error *error);
/* A hip and its clinical motions. */
syn_status cli_rom_hip(cli_session *session, syn_error *error);

/* For a command that needs both bones. */
syn_status cli_fail_without_bones(syn_error *error);

#endif
