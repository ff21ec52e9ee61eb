/* Help as text, and the command that prints it. */
#include <stdlib.h>
#include <string.h>

#include "output.h"

enum { WIDTH = 80, INDENT = 2, COLUMN = 28 };

/* ---- setting text ------------------------------------------------------------------------------------------------ */

/* Continuation bytes of a letter take no column. */
static int count_letters(const char *text, int bytes) {
  int letters = 0;
  for (int i = 0; i < bytes; ++i) letters += (text[i] & 0xc0) != 0x80;
  return letters;
}

/* Fills lines up to WIDTH, each indented; the cursor is already in `column` of the first. An empty line in the text
 * starts a paragraph. */
static void put_filled(FILE *to, const char *text, int indent, int column) {
  while (*text) {
    const int length = (int)strcspn(text, " \n"), letters = count_letters(text, length);
    if (column > indent && column + 1 + letters > WIDTH) {
      fputc('\n', to);
      column = 0;
    }
    if (column < indent)
      column += fprintf(to, "%*s", indent - column, "");
    else if (column > indent)
      column += fprintf(to, " ");
    fprintf(to, "%.*s", length, text);
    column += letters;
    text += length;
    if (strncmp(text, "\n\n", 2) == 0) {
      fputs("\n\n", to);
      column = 0;
    }
    text += strspn(text, " \n");
  }
  fputc('\n', to);
}

static void put_entry(FILE *to, const char *label, const char *text) {
  fprintf(to, "%*s%s", INDENT, "", label);
  int column = INDENT + count_letters(label, (int)strlen(label));
  if (column + 2 > COLUMN) {
    fputc('\n', to);
    column = 0;
  }
  fprintf(to, "%*s", COLUMN - column, "");
  put_filled(to, text, COLUMN, COLUMN);
}

/* ---- pieces ------------------------------------------------------------------------------------------------------ */

char *cli_option_label(const cli_option *option, char room[96]) {
  char letter[8] = "";
  if (option->letter) snprintf(letter, sizeof letter, "-%c, ", option->letter);
  snprintf(room, 96, "%s--%s%s%s", letter, option->name, option->value ? " " : "", option->value ? option->value : "");
  return room;
}

/* "; one of a, b, c" where the value has names that the label does not spell out. */
static void name_choices(const cli_option *option, char room[256]) {
  const char *from = option->choices && strcmp(option->value, "NAME") == 0 ? option->choices : "";
  size_t used = *from ? (size_t)snprintf(room, 256, "; one of ") : 0;
  for (; *from && used < 253; ++from) {
    room[used++] = *from == '|' ? ',' : *from;
    if (*from == '|') room[used++] = ' ';
  }
}

char *cli_option_text(const cli_option *option, char room[CLI_OPTION_TEXT]) {
  char names[256] = "", more[160] = "";
  if (option->kind == CLI_NUMBER || option->kind == CLI_COUNT)
    snprintf(more, sizeof more, " (%.6g to %.6g%s%s%s%s)", option->min, option->max,
             option->unit && option->unit[0] ? " " : "", option->unit ? option->unit : "",
             option->standard ? "; default " : "", option->standard ? option->standard : "");
  else if (option->standard)
    snprintf(more, sizeof more, " (default %s)", option->standard);
  name_choices(option, names);
  snprintf(room, CLI_OPTION_TEXT, "%s%s%s%s", option->help, names, more, option->required ? "; required" : "");
  return room;
}

static void put_option(FILE *to, const cli_option *option) {
  char label[96], text[CLI_OPTION_TEXT];
  put_entry(to, cli_option_label(option, label), cli_option_text(option, text));
}

static void put_options(FILE *to, const char *heading, const cli_option *options, size_t count) {
  if (count == 0) return;
  fprintf(to, "\n%s:\n", heading);
  for (size_t i = 0; i < count; ++i) put_option(to, &options[i]);
}

static void put_command(FILE *to, const cli_command *command) { put_entry(to, command->name, command->summary); }

bool cli_knows_operand(const cli_command *command, const char *operand) {
  if (!command->operand_at || !operand) return false;
  for (size_t i = 0; command->operand_at(i); ++i)
    if (strcmp(command->operand_at(i), operand) == 0) return true;
  return false;
}

static void put_exit_codes(FILE *to) {
  fputs("\nexit codes:\n"
        "  0 done   1 the answer is no, or a check failed   2 usage   3 bad input file\n"
        "  4 not converged   5 out of resources (memory, disk, a missing program)\n",
        to);
}

/* ---- whole texts ------------------------------------------------------------------------------------------------- */

void cli_help_short(FILE *to) {
  fputs("Synovia computes how far a joint moves, where it collides and what that does to it.\n\n"
        "  synovia demo                  make an example and its report\n"
        "  synovia mesh info FILE        what is in a mesh file, and is it sound?\n"
        "  synovia help                  all commands\n"
        "  synovia help COMMAND          one command\n",
        to);
}

void cli_help_overview(FILE *to) {
  fprintf(to, "synovia %s: contact in human joints\n\nusage: synovia COMMAND [ARGUMENTS] [OPTIONS]\n\ncommands:\n",
          syn_version());
  for (size_t i = 0; i < cli_command_count; ++i) put_command(to, cli_commands[i]);
  put_options(to, "options of every command", cli_common_options.rows, cli_common_options.count);
  put_entry(to, "version, --version", "print the version; instead of a command");
  put_exit_codes(to);
  fputc('\n', to);
  put_filled(to,
             "See `synovia help COMMAND` or `synovia COMMAND --help`. Lengths are in mm, forces in N, pressures in "
             "MPa, angles in degrees. Research software, not a medical device.",
             0, 0);
}

void cli_help_group(FILE *to, const char *group) {
  const size_t length = strlen(group);
  fprintf(to, "usage: synovia %s COMMAND [ARGUMENTS] [OPTIONS]\n\ncommands:\n", group);
  for (size_t i = 0; i < cli_command_count; ++i)
    if (strncmp(cli_commands[i]->name, group, length) == 0 && cli_commands[i]->name[length] == ' ')
      put_command(to, cli_commands[i]);
  fprintf(to, "\nSee `synovia %s COMMAND --help`.\n", group);
}

void cli_help_command(FILE *to, const cli_command *command, const char *operand) {
  const bool known = cli_knows_operand(command, operand);
  const char *summary = known ? command->operand_summary(operand) : command->summary;
  fprintf(to, "synovia %s%s%s: %s\n\n", command->name, known ? " " : "", known ? operand : "", summary);
  for (size_t i = 0; i < sizeof command->usage / sizeof *command->usage && command->usage[i]; ++i)
    fprintf(to, "%s synovia %s%s%s\n", i == 0 ? "usage:" : "      ", command->name, command->usage[i][0] ? " " : "",
            command->usage[i]);
  if (command->description) {
    fputc('\n', to);
    put_filled(to, command->description, 0, 0);
  }
  if (command->operand_at && !known) {
    fprintf(to, "\nnames (`synovia %s NAME --help` lists the parameters of each):\n", command->name);
    for (size_t i = 0; command->operand_at(i); ++i)
      put_entry(to, command->operand_at(i), command->operand_summary(command->operand_at(i)));
  }
  cli_option room[CLI_MAX_OPTIONS];
  if (known) {
    char heading[64];
    snprintf(heading, sizeof heading, "parameters of %s", operand);
    put_options(to, heading, room, command->options_for(operand, room, CLI_MAX_OPTIONS));
  }
  put_options(to, "options", room, cli_flatten(&command->options, room));
  put_options(to, "options of every command", cli_common_options.rows, cli_common_options.count);
  put_exit_codes(to);
}

/* ---- the command ------------------------------------------------------------------------------------------------- */

/* "help mesh info", "help mesh", "help shape hip", "help rom". */
static syn_status put_topic(FILE *to, const cli_arguments *arguments, syn_error *error) {
  const char *first = arguments->operands[0], *second = arguments->operand_count > 1 ? arguments->operands[1] : NULL;
  char name[128];
  snprintf(name, sizeof name, "%s%s%s", first, second ? " " : "", second ? second : "");
  const cli_command *command = cli_find_command(name);
  if (command) {
    cli_help_command(to, command, NULL);
    return SYN_OK;
  }
  command = cli_find_command(first);
  if (command && (!second || cli_knows_operand(command, second))) {
    cli_help_command(to, command, second);
    return SYN_OK;
  }
  if (!second && cli_is_group(first)) {
    cli_help_group(to, first);
    return SYN_OK;
  }
  return cli_fail_unknown(name, "", error);
}

static syn_status put_help(FILE *to, const cli_arguments *arguments, syn_error *error) {
  if (cli_given(arguments, "man"))
    cli_help_man(to);
  else if (cli_given(arguments, "bash-completion"))
    cli_help_bash_completion(to);
  else if (arguments->operand_count > 0)
    return put_topic(to, arguments, error);
  else
    cli_help_overview(to);
  return SYN_OK;
}

static syn_status run(cli_session *session, syn_error *error) {
  syn_memory_stream text;
  SYN_TRY(syn_memory_open(&text, error));
  syn_status status = put_help(text.stream, &session->arguments, error);
  const syn_status closed = syn_memory_close(&text, status == SYN_OK ? error : NULL);
  if (status == SYN_OK) status = closed;
  if (status == SYN_OK) {
    cli_set(session, "text", syn_text_to_json(text.bytes));
    cli_print(session, "%s", text.bytes);
  }
  free(text.bytes);
  return status;
}

static const cli_option options[] = {
    OPT_FLAG("man", 0, "print the manual page (roff; show it with `man -l`)"),
    OPT_FLAG("bash-completion", 0, "print the completion script for bash"),
};

const cli_command cli_help = {
    .name = "help",
    .summary = "this list, or the help of one command",
    .usage = {"[COMMAND]", "--man", "--bash-completion"},
    .options = CLI_TABLE(options),
    .operands = {0, 2},
    .run = run,
};
