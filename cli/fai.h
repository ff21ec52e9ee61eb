/* Impingement as `fai` and `hip` print it. */
#ifndef CLI_FAI_H
#define CLI_FAI_H

#include "rom.h"

json_t *cli_impingement_value(const syn_impingement *impingement);
void cli_impingement_print(const cli_session *session, const syn_impingement *impingement);

#endif
