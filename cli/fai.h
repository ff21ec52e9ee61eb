/* Impingement as `fai` and `hip` tell it. */
#ifndef CLI_FAI_H
#define CLI_FAI_H

#include "rom.h"

typedef struct cli_impingement {
  const char *motion_path; /* a file or the name of a series; NULL: standing to sitting */
  syn_pose *poses;
  double *times; /* NULL: steps */
  size_t pose_count;
  syn_fai *fai;     /* NULL without soft tissue */
  syn_fadir *fadir; /* NULL without both bones */
} cli_impingement;

/* `rom` NULL: no FADIR protocol. */
syn_status cli_find_impingement(cli_session *session, const syn_hip *hip, const syn_hip_rom *rom,
                                const char *motion_path, cli_impingement *impingement, syn_error *error);
void cli_release_impingement(cli_session *session, cli_impingement *impingement);
json_t *cli_impingement_value(const cli_impingement *impingement);
void cli_impingement_print(const cli_session *session, const cli_impingement *impingement);

#endif
