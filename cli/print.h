/* Results as text for people. Lists are tables of their records (syn_record_table); sentences are written here. */
#ifndef CLI_PRINT_H
#define CLI_PRINT_H

#include "output.h"

enum { CLI_FIXED = 40, CLI_POINT = 128 };
/* "1.00, 2.00, -3.00"; returns `text`. */
const char *cli_point(syn_vec3 point, int decimals, char text[CLI_POINT]);
/* Prints a number, right-aligned; blank if it is unknown. */
void cli_print_number(const cli_session *session, int width, int decimals, double number);
/* Text and blanks up to a width on the screen; a name without its underscores. */
void cli_print_padded(const cli_session *session, const char *text, int width);
void cli_print_spaced(const cli_session *session, const char *name);
/* "s", or nothing for one. */
const char *cli_plural(uint64_t count);
/* About `max_rows` items of a list (0: all) as a table. */
void cli_print_table(const cli_session *session, const syn_record *record, const void *objects, size_t count,
                     size_t max_rows);

void cli_print_problems(const cli_session *session, const syn_health_problems *problems);
void cli_print_bodies(const cli_session *session, const syn_body *bodies, size_t count);

void cli_print_turn_range(const cli_session *session, const syn_turn_range *range);
void cli_print_motion_center(const cli_session *session, const syn_motion_center *center);

void cli_print_center(const cli_session *session, const syn_hip_case *hip_case);
void cli_print_measures(const cli_session *session, const syn_hip_analysis *analysis);
void cli_print_hip_motions(const cli_session *session, const syn_hip_analysis *analysis);
void cli_print_series(const cli_session *session, const syn_series_limit *series, size_t count);
void cli_print_sweep(const cli_session *session, const syn_sweep_limit *sweep, size_t count);
void cli_print_slack(const cli_session *session, const syn_hip_motion_limit *slack, size_t count);
void cli_print_fai(const cli_session *session, const syn_impingement *impingement);
void cli_print_hip(const cli_session *session, const syn_hip_analysis *analysis);
void cli_print_pairs(const cli_session *session, const syn_joint_collision *pairs, size_t count);

void cli_print_resection(const cli_session *session, const syn_resection *resection);
void cli_print_osteotomy(const cli_session *session, const syn_osteotomy *osteotomy);
void cli_print_congruity(const cli_session *session, const syn_congruity *congruity);
void cli_print_graft(const cli_session *session, const syn_graft *graft);
void cli_print_ligament_rom(const cli_session *session, const syn_ligament_rom *rom);
void cli_print_ligament_stiffness(const cli_session *session, const syn_ligament_stiffness *stiffness);

#endif
