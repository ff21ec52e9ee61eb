/* The two forms of `rom`. */
#ifndef CLI_ROM_H
#define CLI_ROM_H

#include <synovia/hip.h>

#include "hip_case.h"

#define CLI_DEGREES (180 / 3.14159265358979323846) /* per radian */

/* Two bodies and an axis. */
syn_status cli_rom_pair(cli_session *session, syn_error *error);
/* A hip and its clinical motions. */
syn_status cli_rom_hip(cli_session *session, syn_error *error);

/* A contact as an object: point, kind, elements; null where the motion is free. */
json_t *cli_event_value(const syn_event *event);

/* For a command that needs both bones. */
syn_status cli_fail_without_bones(syn_error *error);

/* Degrees that a motion reaches; NAN unless it is stopped. */
double cli_stop_deg(const syn_hip_limit *limit);
/* "stopped at 37.4°", "no stop within 360°", "no free pose …"; returns `room`. */
const char *cli_limit_words(const syn_hip_limit *limit, char room[96]);
/* 2.3 as "2:15", in quarter hours; "" where there is none; returns `room`. */
const char *cli_hour_words(double hour, char room[16]);

json_t *cli_limits_value(const syn_hip_analysis *analysis);
void cli_limits_print(const cli_session *session, const syn_hip_analysis *analysis);
/* The envelope as {"flexion_deg","adduction_deg","internal_deg","external_deg"}. */
json_t *cli_envelope_value(const syn_envelope *envelope);
/* The same as a table, one line per flexion and adduction. */
syn_status cli_write_envelope(cli_session *session, const syn_envelope *envelope, const char *path, syn_error *error);

#endif
