/* The two forms of `rom`. */
#ifndef CLI_ROM_H
#define CLI_ROM_H

#include "hip_case.h"

#define CLI_DEGREES (180 / 3.14159265358979323846) /* per radian */

/* Two bodies and an axis. */
syn_status cli_rom_pair(cli_session *session, syn_error *error);
/* A hip and its clinical motions. */
syn_status cli_rom_hip(cli_session *session, syn_error *error);

/* A contact as an object: point, kind, elements; null where the motion is free. */
json_t *cli_event_value(const syn_event *event);

enum { CLI_MOTIONS = 32, CLI_SERIES = 8 }; /* at least what the tables hold */

/* A hip ready to turn: with all its parts, and its bones alone. */
typedef struct cli_hip_roms {
  syn_hip_rom *all, *bones; /* the same object where there is no soft tissue; NULL without both bones */
} cli_hip_roms;
syn_status cli_make_roms(cli_session *session, const syn_hip *hip, cli_hip_roms *roms, syn_error *error);
void cli_release_roms(cli_hip_roms *roms);

/* The clinical motions of one hip, each once, and what stops each. */
typedef struct cli_hip_limits {
  size_t count;
  const syn_clinical_motion *motions[CLI_MOTIONS];
  syn_hip_limit limits[CLI_MOTIONS]; /* by everything that is there */
  bool has_soft;
  syn_hip_limit bone_limits[CLI_MOTIONS]; /* by the bones alone; where has_soft */
  double hours[CLI_MOTIONS];              /* on the clock face; NAN where there is none */
  size_t series_count;
  const syn_motion_series *series[CLI_SERIES]; /* motions through many poses */
} cli_hip_limits;

/* Degrees that a motion reaches; NAN unless it is stopped. */
double cli_stop_deg(const syn_hip_limit *limit);
/* "stopped at 37.4°", "no stop within 360°", "no free pose …"; returns `room`. */
const char *cli_limit_words(const syn_hip_limit *limit, char room[96]);
/* 2.3 as "2:15", in quarter hours; "" where there is none; returns `room`. */
const char *cli_hour_words(double hour, char room[16]);

/* By the bones alone: what published ranges, which are bone to bone, are compared with. */
const syn_hip_limit *cli_bone_limit(const cli_hip_limits *limits, size_t index);
/* All motions of the table. */
void cli_all_motions(cli_hip_limits *limits);
syn_status cli_find_limits(const syn_hip_case *hip_case, const cli_hip_roms *roms, cli_hip_limits *limits,
                           syn_error *error);
json_t *cli_limits_value(const cli_hip_limits *limits);
void cli_limits_print(const cli_session *session, const cli_hip_limits *limits);
/* The envelope as {"flexion_deg","adduction_deg","internal_deg","external_deg"}. */
json_t *cli_envelope_value(const syn_envelope *envelope);
/* The same as a table, one line per flexion and adduction. */
syn_status cli_write_envelope(cli_session *session, const syn_envelope *envelope, const char *path, syn_error *error);

#endif
