/* Describes options as data: parsing, checking and help use the same table. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <synovia/synovia.h>

#include "program.h"

typedef enum cli_kind {
  CLI_FLAG,    /* no value */
  CLI_TEXT,    /* any text */
  CLI_PATH,    /* a file or folder */
  CLI_CHOICE,  /* one of `choices` */
  CLI_NUMBER,  /* a finite number, with or without its unit: 2.5 or 2.5mm */
  CLI_COUNT,   /* a whole number */
  CLI_NUMBERS, /* `numbers` of them, with commas or blanks between, as one word or several */
  CLI_GROUP    /* the options of another table, in this place */
} cli_kind;

/* Names of a text, with commas or blanks between. */
typedef struct cli_words {
  const char *const *names;
  size_t count;
} cli_words;

/* Target of an option: the kind of a field and its offset in a struct, in one number. */
typedef enum cli_type {
  CLI_NOTHING, /* the command looks it up by name */
  CLI_DOUBLE,
  CLI_RADIANS, /* the option is in degrees */
  CLI_UNSIGNED,
  CLI_INT,
  CLI_SIZE,
  CLI_TRUE,
  CLI_FALSE,
  CLI_STRING,
  CLI_VECTOR,
  CLI_VECTOR_AT, /* a pointer to it, which is NULL where the option is not given */
  CLI_DIRECTION, /* a vector of length 1; zero is refused */
  CLI_NAMES,
  CLI_STRUCT /* of a group */
} cli_type;
#define CLI_FIELD(KIND, STRUCT, FIELD) ((unsigned)(KIND) << 24 | (unsigned)offsetof(STRUCT, FIELD))
/* The kind is that of the field; an enum gets the number of the choice. */
#define CLI_INTO(STRUCT, FIELD)                                                                                        \
  CLI_FIELD(_Generic(((STRUCT *)NULL)->FIELD, double                                                                   \
                     : CLI_DOUBLE, unsigned                                                                            \
                     : CLI_UNSIGNED, int                                                                               \
                     : CLI_INT, size_t                                                                                 \
                     : CLI_SIZE, bool                                                                                  \
                     : CLI_TRUE, const char *                                                                          \
                     : CLI_STRING, syn_vec3                                                                            \
                     : CLI_VECTOR, const syn_vec3 *                                                                    \
                     : CLI_VECTOR_AT, cli_words                                                                        \
                     : CLI_NAMES, default                                                                              \
                     : CLI_STRUCT),                                                                                    \
            STRUCT, FIELD)

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
  const char *standard; /* text of the default; NULL: not shown */
  const char *help;
  unsigned into;                 /* CLI_INTO(STRUCT, FIELD); 0: nothing */
  const struct cli_table *group; /* CLI_GROUP */
} cli_option;

typedef struct cli_table {
  const cli_option *rows;
  size_t count;
} cli_table;
#define CLI_TABLE(ROWS)                                                                                                \
  { (ROWS), sizeof(ROWS) / sizeof *(ROWS) }

/* Rows. STANDARD is the default in words or NULL, INTO is CLI_INTO(…) or 0. */
#define OPT_FLAG(NAME, INTO, HELP)                                                                                     \
  { .name = (NAME), .kind = CLI_FLAG, .into = (INTO), .help = (HELP) }
#define OPT_TEXT(NAME, VALUE, STANDARD, INTO, HELP)                                                                    \
  { .name = (NAME), .kind = CLI_TEXT, .value = (VALUE), .standard = (STANDARD), .into = (INTO), .help = (HELP) }
#define OPT_PATH(NAME, VALUE, STANDARD, INTO, HELP)                                                                    \
  { .name = (NAME), .kind = CLI_PATH, .value = (VALUE), .standard = (STANDARD), .into = (INTO), .help = (HELP) }
#define OPT_CHOICE(NAME, VALUE, CHOICES, STANDARD, INTO, HELP)                                                         \
  {                                                                                                                    \
    .name = (NAME), .kind = CLI_CHOICE, .value = (VALUE), .choices = (CHOICES), .standard = (STANDARD),                \
    .into = (INTO), .help = (HELP)                                                                                     \
  }
#define OPT_NUMBER(NAME, VALUE, UNIT, LOW, HIGH, STANDARD, INTO, HELP)                                                 \
  {                                                                                                                    \
    .name = (NAME), .kind = CLI_NUMBER, .value = (VALUE), .unit = (UNIT), .min = (LOW), .max = (HIGH),                 \
    .standard = (STANDARD), .into = (INTO), .help = (HELP)                                                             \
  }
#define OPT_MM(NAME, LOW, HIGH, STANDARD, INTO, HELP) OPT_NUMBER(NAME, "MM", "mm", LOW, HIGH, STANDARD, INTO, HELP)
#define OPT_DEG(NAME, LOW, HIGH, STANDARD, INTO, HELP) OPT_NUMBER(NAME, "DEG", "deg", LOW, HIGH, STANDARD, INTO, HELP)
#define OPT_MPA(NAME, LOW, HIGH, STANDARD, INTO, HELP) OPT_NUMBER(NAME, "MPA", "MPa", LOW, HIGH, STANDARD, INTO, HELP)
#define OPT_SECONDS(NAME, LOW, HIGH, STANDARD, INTO, HELP) OPT_NUMBER(NAME, "S", "s", LOW, HIGH, STANDARD, INTO, HELP)
#define OPT_COUNT(NAME, LOW, HIGH, STANDARD, INTO, HELP)                                                               \
  {                                                                                                                    \
    .name = (NAME), .kind = CLI_COUNT, .value = "N", .min = (LOW), .max = (HIGH), .standard = (STANDARD),              \
    .into = (INTO), .help = (HELP)                                                                                     \
  }
#define OPT_POINT(NAME, STANDARD, INTO, HELP)                                                                          \
  {                                                                                                                    \
    .name = (NAME), .kind = CLI_NUMBERS, .numbers = 3, .value = "x,y,z", .standard = (STANDARD), .into = (INTO),       \
    .help = (HELP)                                                                                                     \
  }
#define OPT_THRESHOLDS(HELP)                                                                                           \
  {                                                                                                                    \
    .name = "threshold", .kind = CLI_NUMBERS, .numbers = CLI_MAX_NUMBERS, .fewer = true, .value = "MM[,MM…]",          \
    .unit = "mm", .max = 1e9, .help = (HELP)                                                                           \
  }
/* See cli_pose. */
#define OPT_POSE                                                                                                       \
  {                                                                                                                    \
    .name = "pose", .kind = CLI_NUMBERS, .numbers = 16, .value = "'16 numbers'",                                       \
    .help = "rigid 4x4 matrix, row by row, that places the second body"                                                \
  }
/* The folder for what a command writes. */
#define OPT_OUT(STANDARD, HELP) OPT_OUT_AS("DIR", STANDARD, HELP)
#define OPT_OUT_AS(VALUE, STANDARD, HELP)                                                                              \
  { .name = "out", .letter = 'o', .kind = CLI_PATH, .value = (VALUE), .standard = (STANDARD), .help = (HELP) }
/* The options of TABLE. With INTO they fill the struct that is this field. */
#define OPT_GROUP(TABLE, INTO)                                                                                         \
  { .kind = CLI_GROUP, .group = &(TABLE), .into = (INTO) }

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
    unsigned number_count, choice; /* the number of the choice, from 0 */
    syn_vec3 vector;
    const char **names; /* of a text that was taken as words */
  } values[CLI_MAX_OPTIONS];
  size_t operand_count;
  const char *operands[CLI_MAX_OPERANDS];
} cli_arguments;

/* The options of a table and of its groups; returns how many were written. */
size_t cli_flatten(const cli_table *table, cli_option room[CLI_MAX_OPTIONS]);
/* Allows these options as well. */
void cli_allow(cli_arguments *arguments, const cli_table *table);
/* Sorts `count` words into options and operands; SYN_BAD_ARGUMENT says what is wrong with the first that does not fit.
 * Required options are checked by cli_check_required, after --help had its chance. */
syn_status cli_parse(cli_arguments *arguments, int count, char *const *words, syn_error *error);
syn_status cli_check_required(const cli_arguments *arguments, syn_error *error);

/* Fills in the fields of `into` that options of the table name, where those are allowed and given; the others stay as
 * they are. */
syn_status cli_take(cli_arguments *arguments, const cli_table *table, void *into, syn_error *error);
/* The names in an option's text, and the operands from number `first` on, which are then no operands any more. */
cli_words cli_gather_words(cli_arguments *arguments, const char *option, size_t first);
/* Releases what was taken. */
void cli_release(cli_arguments *arguments);

/* Looking up; the name must be an allowed option. */
bool cli_given(const cli_arguments *arguments, const char *name);
const char *cli_text(const cli_arguments *arguments, const char *name, const char *standard);
double cli_number(const cli_arguments *arguments, const char *name, double standard);
/* All numbers of an option, or NULL where it was not given. */
const double *cli_numbers(const cli_arguments *arguments, const char *name);
size_t cli_number_count(const cli_arguments *arguments, const char *name); /* 0 where it was not given */
/* The three numbers of an option that was given. */
syn_vec3 cli_vector(const cli_arguments *arguments, const char *name);
bool cli_is(const cli_arguments *arguments, const char *name, const char *text);

/* --pose, or the identity. */
syn_status cli_pose(const cli_arguments *arguments, syn_pose *pose, syn_error *error);
/* The first of these names, with blanks between, that is given; NULL: none. */
const char *cli_first_given(const cli_arguments *arguments, const char *names);

/* What every command takes. */
extern const cli_table cli_common_options;

#endif
