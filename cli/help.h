/* Help, man page and completion, all from the table of commands. */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include <stdio.h>

#include "command.h"

/* The list of commands. */
void cli_help_overview(FILE *to);
/* A few lines for someone who typed only the program's name. */
void cli_help_short(FILE *to);
/* The commands of a group such as "mesh". */
void cli_help_group(FILE *to, const char *group);
/* One command; `operand` (may be NULL) chooses among those that have options of their own: the hip among shapes. */
void cli_help_command(FILE *to, const cli_command *command, const char *operand);
/* Does the command know options for this operand? */
bool cli_knows_operand(const cli_command *command, const char *operand);
/* "-o, --out DIR" or "--edge MM"; returns `room`. */
char *cli_option_label(const cli_option *option, char room[96]);

void cli_help_man(FILE *to);             /* roff */
void cli_help_bash_completion(FILE *to); /* bash */

#endif
