/* The one table of commands. */
#include <string.h>

#include "command.h"

extern const cli_command cli_help, cli_bench, cli_demo, cli_shape, cli_collide, cli_distance, cli_rom, cli_hip,
    cli_center, cli_measure, cli_fai, cli_study, cli_view, cli_report_compare, cli_skeleton, cli_haptics, cli_simulate,
    cli_pressure, cli_surgery_resect, cli_surgery_graft, cli_surgery_ligament_rom, cli_surgery_ligament_stiffness,
    cli_congruity, cli_surgery_osteotomy;
extern const cli_command cli_mesh_info, cli_mesh_check, cli_mesh_convert, cli_mesh_repair, cli_mesh_decimate,
    cli_mesh_subdivide, cli_mesh_smooth, cli_mesh_tet, cli_mesh_layers;

const cli_command *const cli_commands[] = {
    &cli_demo,
    &cli_hip,
    &cli_shape,
    &cli_mesh_info,
    &cli_mesh_check,
    &cli_mesh_convert,
    &cli_mesh_repair,
    &cli_mesh_decimate,
    &cli_mesh_subdivide,
    &cli_mesh_smooth,
    &cli_mesh_tet,
    &cli_mesh_layers,
    &cli_collide,
    &cli_distance,
    &cli_rom,
    &cli_center,
    &cli_measure,
    &cli_fai,
    &cli_skeleton,
    &cli_pressure,
    &cli_simulate,
    &cli_congruity,
    &cli_surgery_resect,
    &cli_surgery_osteotomy,
    &cli_surgery_graft,
    &cli_surgery_ligament_rom,
    &cli_surgery_ligament_stiffness,
    &cli_haptics,
    &cli_study,
    &cli_view,
    &cli_report_compare,
    &cli_bench,
    &cli_help,
};
const size_t cli_command_count = sizeof cli_commands / sizeof *cli_commands;

const cli_command *cli_find_command(const char *name) {
  for (size_t i = 0; i < cli_command_count; ++i)
    if (strcmp(cli_commands[i]->name, name) == 0) return cli_commands[i];
  return NULL;
}

bool cli_is_group(const char *word) {
  const size_t length = strlen(word);
  for (size_t i = 0; i < cli_command_count; ++i)
    if (strncmp(cli_commands[i]->name, word, length) == 0 && cli_commands[i]->name[length] == ' ') return true;
  return false;
}
