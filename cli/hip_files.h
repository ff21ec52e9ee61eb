/* The files of a hip's analysis beside its report. */
#ifndef CLI_HIP_FILES_H
#define CLI_HIP_FILES_H

#include "hip.h"

/* PART.vtp with fields, hip.glb, rom.csv, joint.json, result.json. */
syn_status cli_write_hip_files(cli_session *session, const cli_hip_analysis *analysis, const char *folder,
                               syn_error *error);

#endif
