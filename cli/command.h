/* Defines a command and the session that it runs in. The table of commands is in commands.c; help, man page and
 * completion are generated from it. */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include <stdio.h>

#include <jansson.h>
#include <synovia/synovia.h>

#include "options.h"

struct cli_session;

typedef struct cli_command {
  const char *name;        /* "mesh info"; one or two words */
  const char *summary;     /* half a sentence for the list */
  const char *usage[6];    /* what follows the name, one line each */
  const char *description; /* paragraphs separated by an empty line; may be NULL */
  cli_table options;       /* specific options; the common ones are added to all commands */
  unsigned operands[2];    /* least and most */
  /* More options that depend on the first operand (the parameters of a shape); NULL: none. Returns how many were
   * written to the buffer `room`. */
  size_t (*options_for)(const char *operand, cli_option *room, size_t capacity);
  /* The operands that options_for knows, NULL after the last; for help and completion. */
  const char *(*operand_at)(size_t index);
  const char *(*operand_summary)(const char *operand);
  syn_status (*run)(struct cli_session *session, syn_error *error);
  /* Instead of it: works on the hip given by operands and options. */
  syn_status (*on_hip)(struct cli_session *session, syn_hip_case *hip_case, syn_error *error);
  /* Instead of it, where the only operand is a label map or a folder of masks. */
  syn_status (*on_scan)(struct cli_session *session, syn_error *error);
  /* Instead of it: computes the surface of the second operand from that of the first. */
  syn_status (*on_surface)(struct cli_session *session, const syn_trimesh *mesh, syn_trimesh **changed,
                           syn_error *error);
  bool femur_alone;   /* a femur is sufficient */
  const char *folder; /* default of --out; NULL: nothing is written without it */
} cli_command;

/* One run of one command. */
typedef struct cli_session {
  const cli_command *command;
  const char *command_name; /* as typed when there is no such command */
  cli_arguments arguments;
  syn_context context;
  syn_read_options reading; /* --units is in its scale */
  bool json, quiet;
  bool prints_changes;   /* the command prints the library's warnings in its result: they are not printed again */
  bool envelope_printed; /* the envelope was printed already: later warnings are not kept */
  bool answer_is_no;     /* the work was done and the answer is no: exit code 1 */
  bool ended_early;      /* a part of the work was done, and is written: exit code 4 */
  json_t *result, *warnings;
  struct syn_outbox *outbox; /* the files that it writes */
  const char *folder;        /* --out of a command that has it; NULL: not given */
  /* what cli_provenance keeps */
  syn_provenance provenance;
  char *command_line, date[32];
  const char **warning_texts;
  char *joint_path; /* the joint file in a folder that was named; else NULL */
  /* what output.c keeps */
  bool progress_shown;      /* shown on the terminal's last line */
  double progress_logged_s; /* when progress was last logged */
  double opened_s;
  size_t warnings_printed; /* of `warnings`; the others wait */
} cli_session;

/* The table, in the order of the help text. */
extern const cli_command *const cli_commands[];
extern const size_t cli_command_count;

/* The command of that name, or NULL. */
const cli_command *cli_find_command(const char *name);
/* " These have it: rom, fai." of commands with an option of this name; "" where there is none. Returns `room`. */
const char *cli_who_has(const char *option, char room[160]);
/* Fails with SYN_BAD_ARGUMENT for an unknown command, with the nearest name and a hint. */
syn_status cli_fail_unknown(const char *name, const char *after, syn_error *error);
/* Returns whether this word is the first of a longer command name ("mesh"). */
bool cli_is_group(const char *word);

/* ---- help, man page and completion, all from the table ----------------------------------------------------------- */

/* A few lines for someone who typed only the program's name. */
void cli_help_short(FILE *to);
/* Returns whether the command has options for this operand. */
bool cli_knows_operand(const cli_command *command, const char *operand);
/* Describes an option: purpose, accepted names, range and default. */
enum { CLI_OPTION_TEXT = 768 };

#endif
