/* The one table of commands. */
#include <string.h>

#include "command.h"

/* In the order of the help text. */
#define HIP(DO) DO(demo) DO(hip) DO(shape)
#define MESH(DO) DO(mesh_info) DO(mesh_check) DO(mesh_convert) DO(mesh_repair)
#define REMESH(DO) DO(mesh_decimate) DO(mesh_subdivide) DO(mesh_smooth) DO(mesh_tet) DO(mesh_layers) DO(mesh_labels)
#define CONTACT(DO) DO(collide) DO(distance) DO(rom) DO(center) DO(measure) DO(fai) DO(skeleton)
#define TISSUE(DO) DO(pressure) DO(simulate) DO(congruity)
#define SURGERY(DO) DO(surgery_resect) DO(surgery_osteotomy) DO(surgery_graft)
#define LIGAMENT(DO) DO(surgery_ligament_rom) DO(surgery_ligament_stiffness) DO(haptics)
#ifdef SYN_NO_VIEW /* the build has no viewer */
#define VIEW(DO)
#else
#define VIEW(DO) DO(view)
#endif
#define OTHER(DO) DO(study) VIEW(DO) DO(report_compare) DO(bench) DO(help)
#define COMMANDS(DO) HIP(DO) MESH(DO) REMESH(DO) CONTACT(DO) TISSUE(DO) SURGERY(DO) LIGAMENT(DO) OTHER(DO)
#define DECLARE(NAME) extern const cli_command cli_##NAME;
#define ADDRESS(NAME) &cli_##NAME,

COMMANDS(DECLARE)

const cli_command *const cli_commands[] = {COMMANDS(ADDRESS)};
const size_t cli_command_count = sizeof cli_commands / sizeof *cli_commands;

const cli_command *cli_find_command(const char *name) {
  for (size_t i = 0; i < cli_command_count; ++i)
    if (strcmp(cli_commands[i]->name, name) == 0) return cli_commands[i];
  return NULL;
}

static bool has_option(const cli_command *command, const char *name) {
  cli_option options[CLI_MAX_OPTIONS];
  const size_t count = cli_flatten(&command->options, options);
  for (size_t i = 0; i < count; ++i)
    if (strcmp(options[i].name, name) == 0) return true;
  return false;
}

const char *cli_who_has(const char *option, char room[160]) {
  size_t used = 0;
  room[0] = 0;
  for (size_t i = 0; i < cli_command_count; ++i) {
    if (!has_option(cli_commands[i], option)) continue;
    const int more = snprintf(room + used, 158 - used, "%s%s", used ? ", " : " These have it: ", cli_commands[i]->name);
    if (more < 0 || used + (size_t)more >= 158) break;
    used += (size_t)more;
  }
  if (used) snprintf(room + used, 160 - used, ".");
  return room;
}

static const char *name_at(const void *user, size_t index) { return (void)user, cli_commands[index]->name; }

syn_status cli_fail_unknown(const char *name, const char *after, syn_error *error) {
#ifdef SYN_NO_VIEW
  if (strcmp(name, "view") == 0)
    return syn_fail(error, SYN_BAD_ARGUMENT, "this synovia was built without the live viewer (SYN_VIEW=OFF)");
#endif
  char hint[96];
  syn_did_you_mean(name, name_at, NULL, cli_command_count, hint);
  return syn_fail(error, SYN_BAD_ARGUMENT, "there is no command '%.60s'.%s%s", name, hint, after);
}

bool cli_is_group(const char *word) {
  const size_t length = strlen(word);
  for (size_t i = 0; i < cli_command_count; ++i)
    if (strncmp(cli_commands[i]->name, word, length) == 0 && cli_commands[i]->name[length] == ' ') return true;
  return false;
}
