/* Help as text, and the command that prints it. */

#include <stdlib.h>
#include <string.h>

#include "command.h"
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

/* "-o, --out DIR" or "--edge MM"; returns `room`. */
static char *option_label(const cli_option *option, char room[96]) {
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

static char *option_text(const cli_option *option, char room[CLI_OPTION_TEXT]) {
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
  put_entry(to, option_label(option, label), option_text(option, text));
}

static void put_options_help(FILE *to, const char *heading, const cli_option *options, size_t count) {
  if (count == 0) return;
  fprintf(to, "\n%s:\n", heading);
  for (size_t i = 0; i < count; ++i) put_option(to, &options[i]);
}

static void put_command_help(FILE *to, const cli_command *command) { put_entry(to, command->name, command->summary); }

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

/* The list of commands. */
static void help_overview(FILE *to) {
  fprintf(to, "synovia %s: contact in human joints\n\nusage: synovia COMMAND [ARGUMENTS] [OPTIONS]\n\ncommands:\n",
          syn_version());
  for (size_t i = 0; i < cli_command_count; ++i) put_command_help(to, cli_commands[i]);
  put_options_help(to, "options of every command", cli_common_options.rows, cli_common_options.count);
  put_entry(to, "version, --version", "print the version; instead of a command");
  put_exit_codes(to);
  fputc('\n', to);
  put_filled(to,
             "See `synovia help COMMAND` or `synovia COMMAND --help`. Lengths are in mm, forces in N, pressures in "
             "MPa, angles in degrees. Research software, not a medical device.",
             0, 0);
}

/* The commands of a group such as "mesh". */
static void help_group(FILE *to, const char *group) {
  const size_t length = strlen(group);
  fprintf(to, "usage: synovia %s COMMAND [ARGUMENTS] [OPTIONS]\n\ncommands:\n", group);
  for (size_t i = 0; i < cli_command_count; ++i)
    if (strncmp(cli_commands[i]->name, group, length) == 0 && cli_commands[i]->name[length] == ' ')
      put_command_help(to, cli_commands[i]);
  fprintf(to, "\nSee `synovia %s COMMAND --help`.\n", group);
}

/* Prints the help of one command; `operand` (may be NULL) selects one with specific options, such as the hip among
 * shapes. */
static void help_command(FILE *to, const cli_command *command, const char *operand) {
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
    put_options_help(to, heading, room, command->options_for(operand, room, CLI_MAX_OPTIONS));
  }
  put_options_help(to, "options", room, cli_flatten(&command->options, room));
  put_options_help(to, "options of every command", cli_common_options.rows, cli_common_options.count);
  put_exit_codes(to);
}

/* ---- help man -------------------------------------------------------------------------------------------------- */
/* The manual page, made from the table of commands. */

/* Roff reads a leading dot or quote as a request, and backslashes and hyphens in its own way. */
static void put(FILE *to, const char *text) {
  bool line_start = true;
  for (; *text; ++text) {
    if (line_start && (*text == '.' || *text == '\'')) fputs("\\&", to);
    if (*text == '\\')
      fputs("\\e", to);
    else if (*text == '-')
      fputs("\\-", to);
    else
      fputc(*text, to);
    line_start = *text == '\n';
  }
}

static void put_line(FILE *to, const char *before, const char *text) {
  fputs(before, to);
  put(to, text);
  fputc('\n', to);
}

static void put_paragraphs(FILE *to, const char *text) {
  while (*text) {
    const char *end = strstr(text, "\n\n");
    const size_t length = end ? (size_t)(end - text) : strlen(text);
    char paragraph[2048];
    snprintf(paragraph, sizeof paragraph, "%.*s", (int)length, text);
    put_line(to, ".PP\n", paragraph);
    text += length + (end ? 2 : 0);
  }
}

static void put_options_help_man(FILE *to, const cli_option *options, size_t count) {
  char label[96], text[CLI_OPTION_TEXT];
  for (size_t i = 0; i < count; ++i) {
    put_line(to, ".TP\n.B ", option_label(&options[i], label));
    put_line(to, "", option_text(&options[i], text));
  }
}

static void put_operands(FILE *to, const cli_command *command) {
  for (size_t i = 0; command->operand_at(i); ++i) {
    const char *name = command->operand_at(i);
    cli_option room[CLI_MAX_OPTIONS];
    fputs(".PP\n.B ", to);
    put(to, command->name);
    fputc(' ', to);
    put_line(to, "", name);
    put_line(to, "\\- ", command->operand_summary(name));
    fputs(".RS\n", to);
    put_options_help_man(to, room, command->options_for(name, room, CLI_MAX_OPTIONS));
    fputs(".RE\n", to);
  }
}

static void put_command_help_man(FILE *to, const cli_command *command) {
  put_line(to, ".SS ", command->name);
  put_line(to, "", command->summary);
  for (size_t i = 0; i < sizeof command->usage / sizeof *command->usage && command->usage[i]; ++i) {
    fputs(i == 0 ? ".PP\n.nf\n" : "", to);
    fputs("synovia ", to);
    put(to, command->name);
    put_line(to, command->usage[i][0] ? " " : "", command->usage[i]);
  }
  fputs(".fi\n", to);
  if (command->description) put_paragraphs(to, command->description);
  cli_option room[CLI_MAX_OPTIONS];
  put_options_help_man(to, room, cli_flatten(&command->options, room));
  if (command->operand_at) put_operands(to, command);
}

/* roff */
static void help_man(FILE *to) {
  fprintf(to,
          ".TH SYNOVIA 1 \"\" \"synovia %s\" \"User Commands\"\n.SH NAME\nsynovia \\- contact in human joints\n"
          ".SH SYNOPSIS\n.B synovia\n.I COMMAND\n.RI [ ARGUMENTS ]\n.RI [ OPTIONS ]\n.SH DESCRIPTION\n"
          "From meshes of bones, cartilage, labrum and ligaments Synovia computes how far a joint moves, where and how "
          "deep "
          "it collides, how its soft tissue deforms, which pressures arise, and what an operation would change.\n.PP\n"
          "Lengths are in mm, forces in N, pressures in MPa, angles in degrees.\n.SH OPTIONS OF EVERY COMMAND\n",
          syn_version());
  put_options_help_man(to, cli_common_options.rows, cli_common_options.count);
  fputs(".SH COMMANDS\n", to);
  for (size_t i = 0; i < cli_command_count; ++i) put_command_help_man(to, cli_commands[i]);
  fputs(".SH EXIT STATUS\n.TP\n0\ndone\n.TP\n1\nthe answer is no, or a check failed\n.TP\n2\nusage\n.TP\n3\nbad input "
        "file\n.TP\n4\nnot converged\n.TP\n5\nout of resources: memory, disk, a missing program\n"
        ".SH NOTES\nResearch software, not a medical device.\n",
        to);
}

/* ---- help completion ------------------------------------------------------------------------------------------- */
/* The completion script for bash, made from the table of commands. */

static void put_option_words(FILE *to, const cli_option *options, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    fprintf(to, " --%s", options[i].name);
    if (options[i].letter) fprintf(to, " -%c", options[i].letter);
  }
}

/* The words that may follow "synovia". */
static void put_first_words(FILE *to) {
  const char *previous = "";
  size_t previous_length = 0;
  for (size_t i = 0; i < cli_command_count; ++i) {
    const char *name = cli_commands[i]->name;
    const size_t length = strcspn(name, " ");
    if (length == previous_length && strncmp(name, previous, length) == 0) continue;
    fprintf(to, " %.*s", (int)length, name);
    previous = name;
    previous_length = length;
  }
}

/* case lines "mesh) words=…": what may follow a command's first word. */
static void put_second_words(FILE *to) {
  for (size_t i = 0; i < cli_command_count; ++i) {
    const char *name = cli_commands[i]->name;
    const size_t length = strcspn(name, " ");
    const bool first_of_group = name[length] && (i == 0 || strncmp(cli_commands[i - 1]->name, name, length + 1) != 0);
    if (first_of_group) {
      fprintf(to, "    %.*s) words=\"", (int)length, name);
      for (size_t k = i; k < cli_command_count && strncmp(cli_commands[k]->name, name, length + 1) == 0; ++k)
        fprintf(to, "%s%s", k == i ? "" : " ", cli_commands[k]->name + length + 1);
      fputs("\" ;;\n", to);
    } else if (cli_commands[i]->operand_at) {
      fprintf(to, "    %s) words=\"", name);
      for (size_t k = 0; cli_commands[i]->operand_at(k); ++k)
        fprintf(to, "%s%s", k == 0 ? "" : " ", cli_commands[i]->operand_at(k));
      fputs("\" ;;\n", to);
    }
  }
}

/* case lines with the options of each command and of each operand that has its own. */
static void put_command_options(FILE *to) {
  for (size_t i = 0; i < cli_command_count; ++i) {
    const cli_command *command = cli_commands[i];
    cli_option own[CLI_MAX_OPTIONS], room[CLI_MAX_OPTIONS];
    const size_t count = cli_flatten(&command->options, own);
    if (command->operand_at)
      for (size_t k = 0; command->operand_at(k); ++k) {
        fprintf(to, "    \"%s %s\") words+=\"", command->name, command->operand_at(k));
        put_option_words(to, room, command->options_for(command->operand_at(k), room, CLI_MAX_OPTIONS));
        put_option_words(to, own, count);
        fputs("\" ;;\n", to);
      }
    if (count == 0) continue;
    fprintf(to, "    \"%s\"%s) words+=\"", command->name, strchr(command->name, ' ') ? "" : "*");
    put_option_words(to, own, count);
    fputs("\" ;;\n", to);
  }
}

/* case lines "collide*--mapping) words=…" for the values of an option; "" is any command. What only has the name of a
 * method takes those that find contacts. */
static void put_choices(FILE *to, const char *command, const cli_option *options, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const bool chosen = options[i].kind == CLI_CHOICE;
    if (!chosen && strcmp(options[i].name, "method") != 0) continue;
    fprintf(to, "    %.*s*--%s) words=\"", (int)strcspn(command, " "), command, options[i].name);
    for (const char *at = chosen ? options[i].choices : ""; *at; ++at) fputc(*at == '|' ? ' ' : *at, to);
    for (size_t k = 0; !chosen && k < syn_method_count(); ++k) fprintf(to, "%s ", syn_method_at(k).name);
    fputs("\" ;;\n", to);
  }
}

/* bash */
static void help_bash_completion(FILE *to) {
  fputs("# Completion of synovia for bash, printed by `synovia help --bash-completion`.\n"
        "_synovia() {\n"
        "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} words=\"\"\n"
        "  COMPREPLY=()\n  case ${COMP_WORDS[1]}$previous in\n",
        to);
  /* The word after an option: its choices. */
  put_choices(to, "", cli_common_options.rows, cli_common_options.count);
  for (size_t i = 0; i < cli_command_count; ++i) {
    cli_option room[CLI_MAX_OPTIONS];
    put_choices(to, cli_commands[i]->name, room, cli_flatten(&cli_commands[i]->options, room));
  }
  /* The first and the second word: commands. */
  fputs("  esac\n"
        "  if [[ -z $words ]] && (( COMP_CWORD == 1 )); then\n"
        "    words=\"",
        to);
  put_first_words(to);
  fputs(" --version --help\"\n"
        "  elif [[ -z $words && $current != -* ]] && (( COMP_CWORD == 2 )); then\n"
        "    case ${COMP_WORDS[1]} in\n",
        to);
  put_second_words(to);
  fputs("    help) words=\"", to);
  put_first_words(to);
  fputs("\" ;;\n    esac\n"
        "  elif [[ -z $words && $current == -* ]]; then\n"
        "    words=\"",
        to);
  /* A word that begins with a hyphen: options. */
  put_option_words(to, cli_common_options.rows, cli_common_options.count);
  fputs("\"\n    case \"${COMP_WORDS[1]} ${COMP_WORDS[2]}\" in\n", to);
  put_command_options(to);
  fputs("    esac\n  fi\n"
        "  if [[ -n $words ]]; then\n"
        "    local IFS=$' \\t\\n'\n    COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
        "  fi\n"
        "}\n"
        "complete -o default -F _synovia synovia\n",
        to);
}
/* ---- the command ------------------------------------------------------------------------------------------------- */

/* "help mesh info", "help mesh", "help shape hip", "help rom". */
static syn_status put_topic(FILE *to, const cli_arguments *arguments, syn_error *error) {
  const char *first = arguments->operands[0], *second = arguments->operand_count > 1 ? arguments->operands[1] : NULL;
  char name[128];
  snprintf(name, sizeof name, "%s%s%s", first, second ? " " : "", second ? second : "");
  const cli_command *command = cli_find_command(name);
  if (command) {
    help_command(to, command, NULL);
    return SYN_OK;
  }
  command = cli_find_command(first);
  if (command && (!second || cli_knows_operand(command, second))) {
    help_command(to, command, second);
    return SYN_OK;
  }
  if (!second && cli_is_group(first)) {
    help_group(to, first);
    return SYN_OK;
  }
  return cli_fail_unknown(name, "", error);
}

static syn_status put_help(FILE *to, const cli_arguments *arguments, syn_error *error) {
  if (cli_given(arguments, "man"))
    help_man(to);
  else if (cli_given(arguments, "bash-completion"))
    help_bash_completion(to);
  else if (arguments->operand_count > 0)
    return put_topic(to, arguments, error);
  else
    help_overview(to);
  return SYN_OK;
}

static syn_status run_help(cli_session *session, syn_error *error) {
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

static const cli_option help_options[] = {
    OPT_FLAG("man", 0, "print the manual page (roff; show it with `man -l`)"),
    OPT_FLAG("bash-completion", 0, "print the completion script for bash"),
};

const cli_command cli_help = {
    .name = "help",
    .summary = "this list, or the help of one command",
    .usage = {"[COMMAND]", "--man", "--bash-completion"},
    .options = CLI_TABLE(help_options),
    .operands = {0, 2},
    .run = run_help,
};
