/* Options described as data: parsing, checking and help all read the same table. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "base/text.h"

typedef enum cli_kind {
  CLI_FLAG,   /* no value */
  CLI_TEXT,   /* any text */
  CLI_PATH,   /* a file or folder */
  CLI_CHOICE, /* one of `choices` */
  CLI_NUMBER, /* a finite number, with or without its unit: 2.5 or 2.5mm */
  CLI_COUNT,  /* a whole number */
  CLI_NUMBERS /* `numbers` of them, with commas or blanks between, as one word or several */
} cli_kind;

typedef struct cli_option {
  const char *name; /* without dashes */
  char letter;      /* 'o' for -o; 0: none */
  cli_kind kind;
  bool required;
  const char *value;    /* stands for the value in help: "MM"; NULL for a flag */
  const char *choices;  /* "mm|m" */
  const char *unit;     /* "mm", "deg"; NULL or "": a bare number */
  double min, max;      /* of numbers and counts, ends included */
  unsigned numbers;     /* how many, up to CLI_MAX_NUMBERS, */
  bool fewer;           /* or fewer: each with or without its unit, within min and max */
  const char *standard; /* the default in words; NULL: nothing to say */
  const char *help;
} cli_option;

/* A number within its limits. */
#define CLI_NUMBER_OPTION(NAME, VALUE, UNIT, LOW, HIGH, STANDARD, HELP)                                                \
  {                                                                                                                    \
    .name = (NAME), .kind = CLI_NUMBER, .value = (VALUE), .unit = (UNIT), .min = (LOW), .max = (HIGH),                 \
    .standard = (STANDARD), .help = (HELP)                                                                             \
  }
/* The folder for what a command writes. */
#define CLI_OUT_OPTION(HELP)                                                                                           \
  { .name = "out", .letter = 'o', .kind = CLI_PATH, .value = "DIR", .help = (HELP) }

enum { CLI_MAX_OPTIONS = 64, CLI_MAX_OPERANDS = 16, CLI_MAX_NUMBERS = 16 };

/* What was given. Texts point into argv. */
typedef struct cli_arguments {
  size_t option_count;
  cli_option options[CLI_MAX_OPTIONS]; /* every option that is allowed */
  struct {
    bool given;
    const char *text;
    double number;
    double numbers[CLI_MAX_NUMBERS];
    unsigned number_count;
  } values[CLI_MAX_OPTIONS];
  size_t operand_count;
  const char *operands[CLI_MAX_OPERANDS];
} cli_arguments;

/* Allows these options as well. */
void cli_allow(cli_arguments *arguments, const cli_option *options, size_t count);
/* Sorts `count` words into options and operands; SYN_BAD_ARGUMENT says what is wrong with the first that does not fit.
 * Required options are checked by cli_check_required, after --help had its chance. */
syn_status cli_parse(cli_arguments *arguments, int count, char *const *words, syn_error *error);
syn_status cli_check_required(const cli_arguments *arguments, syn_error *error);

/* Looking up; the name must be an allowed option. */
bool cli_given(const cli_arguments *arguments, const char *name);
const char *cli_text(const cli_arguments *arguments, const char *name, const char *standard);
double cli_number(const cli_arguments *arguments, const char *name, double standard);
/* All numbers of an option, or NULL where it was not given. */
const double *cli_numbers(const cli_arguments *arguments, const char *name);
size_t cli_number_count(const cli_arguments *arguments, const char *name); /* 0 where it was not given */
bool cli_is(const cli_arguments *arguments, const char *name, const char *text);

/* What every command takes. */
extern const cli_option cli_common_options[];
extern const size_t cli_common_option_count;

#endif
