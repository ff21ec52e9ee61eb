/* Results as text for people. Lists are tables of their records (syn_record_table); sentences are written here. */
#ifndef CLI_PRINT_H
#define CLI_PRINT_H

#include "output.h"

enum { CLI_FIXED = 40, CLI_POINT = 128 };
/* "-1.00", stored in `text`. A number that is rounded to zero has no sign. */
const char *cli_fixed(double number, int decimals, char text[CLI_FIXED]);
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

void cli_print_mesh_info(const cli_session *session, const syn_mesh_info *info);
/* `name`: of the mesh, in the sentence that it is not fit. */
void cli_print_mesh_verdict(const cli_session *session, const syn_mesh_info *info, const char *name);
void cli_print_problems(const cli_session *session, const syn_health_problems *problems);
void cli_print_geometry(const cli_session *session, const syn_geometry *geometry);
void cli_print_tet_quality(const cli_session *session, const syn_tet_quality *quality);
void cli_print_layer(const cli_session *session, const syn_layer *layer);
void cli_print_bodies(const cli_session *session, const syn_body *bodies, size_t count);

void cli_print_collision(const cli_session *session, const syn_collision *collision);
void cli_print_clearance(const cli_session *session, const syn_clearance *clearance);
void cli_print_overlap(const cli_session *session, const syn_overlap *overlap);
void cli_print_turn_range(const cli_session *session, const syn_turn_range *range);
void cli_print_motion_center(const cli_session *session, const syn_motion_center *center);

void cli_print_skeleton(const cli_session *session, const syn_skeleton_analysis *analysis);
void cli_print_tissue_run(const cli_session *session, const syn_tissue_run *run);
void cli_print_haptics(const cli_session *session, const syn_haptics_result *result);
void cli_print_pressure(const cli_session *session, const syn_pressure *pressure);
void cli_print_training(const cli_session *session, const syn_pressure_training *training);

void cli_print_center(const cli_session *session, const syn_hip_case *hip_case);
void cli_print_measures(const cli_session *session, const syn_hip_analysis *analysis);
void cli_print_hip_motions(const cli_session *session, const syn_hip_analysis *analysis);
void cli_print_series(const cli_session *session, const syn_series_limit *series, size_t count);
void cli_print_sweep(const cli_session *session, const syn_sweep_limit *sweep, size_t count);
void cli_print_slack(const cli_session *session, const syn_hip_motion_limit *slack, size_t count);
void cli_print_fai(const cli_session *session, const syn_impingement *impingement);
void cli_print_hip(const cli_session *session, const syn_hip_analysis *analysis);
void cli_print_joint(const cli_session *session, const syn_joint_analysis *analysis);
void cli_print_pairs(const cli_session *session, const syn_joint_collision *pairs, size_t count);

void cli_print_resection(const cli_session *session, const syn_resection *resection);
void cli_print_osteotomy(const cli_session *session, const syn_osteotomy *osteotomy);
void cli_print_congruity(const cli_session *session, const syn_congruity *congruity);
void cli_print_graft(const cli_session *session, const syn_graft *graft);
void cli_print_ligament_rom(const cli_session *session, const syn_ligament_rom *rom);
void cli_print_ligament_stiffness(const cli_session *session, const syn_ligament_stiffness *stiffness);

#endif
