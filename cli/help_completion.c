/* The completion script for bash, made from the table of commands. */
#include <string.h>

#include "command.h"

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

void cli_help_bash_completion(FILE *to) {
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
