/* What a command is, and what it is given when it runs. The one table of commands is in commands.c; help, man page and
 * completion are made from it. */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include <jansson.h>
#include <synovia/synovia.h>

#include "options.h"

struct cli_session;

typedef struct cli_command {
  const char *name;          /* "mesh info"; one or two words */
  const char *summary;       /* half a sentence for the list */
  const char *usage[6];      /* what follows the name, one line each */
  const char *description;   /* paragraphs separated by an empty line; may be NULL */
  const cli_option *options; /* its own; the common ones are added to all commands */
  size_t option_count;
  unsigned min_operands, max_operands;
  /* More options that depend on the first operand (the parameters of a shape); NULL: none. Returns how many were
   * written to the buffer `room`. */
  size_t (*options_for)(const char *operand, cli_option *room, size_t capacity);
  /* The operands that options_for knows, NULL after the last; for help and completion. */
  const char *(*operand_at)(size_t index);
  const char *(*operand_summary)(const char *operand);
  syn_status (*run)(struct cli_session *session, syn_error *error);
} cli_command;

/* One run of one command. */
typedef struct cli_session {
  const cli_command *command;
  const char *command_name; /* as typed when there is no such command */
  cli_arguments arguments;
  syn_context context;
  syn_read_options reading; /* --units is in its scale */
  bool json, quiet;
  bool tells_changes; /* the command itself prints what the library warns of: no need to say it twice */
  bool told;          /* the envelope was printed already: later warnings are not kept */
  bool answer_is_no;  /* the work was done and the answer is no: exit code 1 */
  bool ended_early;   /* a part of the work was done, and is written: exit code 4 */
  json_t *result, *warnings;
  struct syn_outbox *outbox; /* the files that it writes */
  char *joint_path;          /* the joint file in a folder that was named; else NULL */
  /* what output.c keeps */
  bool progress_shown;    /* shown on the terminal's last line */
  double progress_told_s; /* when progress was last logged */
} cli_session;

/* The table, in the order of the help text. */
extern const cli_command *const cli_commands[];
extern const size_t cli_command_count;

/* The command of that name, or NULL. */
const cli_command *cli_find_command(const char *name);
/* Does some command's name begin with this word and go on ("mesh")? */
bool cli_is_group(const char *word);

#endif
