/* The manual page, made from the table of commands. */
#include <string.h>

#include "command.h"

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

static void put_options(FILE *to, const cli_option *options, size_t count) {
  char label[96], text[CLI_OPTION_TEXT];
  for (size_t i = 0; i < count; ++i) {
    put_line(to, ".TP\n.B ", cli_option_label(&options[i], label));
    put_line(to, "", cli_option_text(&options[i], text));
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
    put_options(to, room, command->options_for(name, room, CLI_MAX_OPTIONS));
    fputs(".RE\n", to);
  }
}

static void put_command(FILE *to, const cli_command *command) {
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
  put_options(to, room, cli_flatten(&command->options, room));
  if (command->operand_at) put_operands(to, command);
}

void cli_help_man(FILE *to) {
  fprintf(to,
          ".TH SYNOVIA 1 \"\" \"synovia %s\" \"User Commands\"\n.SH NAME\nsynovia \\- contact in human joints\n"
          ".SH SYNOPSIS\n.B synovia\n.I COMMAND\n.RI [ ARGUMENTS ]\n.RI [ OPTIONS ]\n.SH DESCRIPTION\n"
          "From meshes of bones, cartilage, labrum and ligaments Synovia computes how far a joint moves, where and how "
          "deep "
          "it collides, how its soft tissue deforms, which pressures arise, and what an operation would change.\n.PP\n"
          "Lengths are in mm, forces in N, pressures in MPa, angles in degrees.\n.SH OPTIONS OF EVERY COMMAND\n",
          syn_version());
  put_options(to, cli_common_options.rows, cli_common_options.count);
  fputs(".SH COMMANDS\n", to);
  for (size_t i = 0; i < cli_command_count; ++i) put_command(to, cli_commands[i]);
  fputs(".SH EXIT STATUS\n.TP\n0\ndone\n.TP\n1\nthe answer is no, or a check failed\n.TP\n2\nusage\n.TP\n3\nbad input "
        "file\n.TP\n4\nnot converged\n.TP\n5\nout of resources: memory, disk, a missing program\n"
        ".SH NOTES\nResearch software, not a medical device.\n",
        to);
}
