#include "options.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output.h"

size_t cli_flatten(const cli_table *table, cli_option room[CLI_MAX_OPTIONS]) {
  size_t count = 0;
  for (size_t i = 0; i < table->count; ++i) {
    const cli_option *row = &table->rows[i];
    if (row->kind == CLI_GROUP)
      count += cli_flatten(row->group, room + count);
    else
      room[count++] = *row;
  }
  return count;
}

void cli_allow(cli_arguments *arguments, const cli_table *table) {
  arguments->option_count += cli_flatten(table, arguments->options + arguments->option_count);
  assert(arguments->option_count <= CLI_MAX_OPTIONS);
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

/* Reads the number at the start of `text`; *rest is the text behind it. */
static bool leading_number(const char *text, double *number, const char **rest) {
  for (size_t length = strlen(text); length > 0; --length)
    if (syn_number_read(text, length, number)) {
      *rest = text + length;
      return isfinite(*number);
    }
  return false;
}

static syn_status check_range(const cli_option *option, double number, const char *text, syn_error *error) {
  const char *unit = option->unit ? option->unit : "";
  if (option->kind == CLI_COUNT && number != floor(number))
    return syn_fail(error, SYN_BAD_ARGUMENT, "--%s takes a whole number, not '%.60s'", option->name, text);
  if (number >= option->min && number <= option->max) return SYN_OK;
  return syn_fail(error, SYN_BAD_ARGUMENT, "--%s must lie between %.15g and %.15g%s%s, not %.60s", option->name,
                  option->min, option->max, unit[0] ? " " : "", unit, text);
}

/* Returns whether the rest of the text is the option's unit; a degree sign is accepted. */
static bool is_unit(const char *rest, const char *unit) {
  return strcmp(rest, unit) == 0 || (strcmp(unit, "deg") == 0 && strcmp(rest, "\u00b0") == 0);
}

/* "1,5" with a decimal comma. */
static bool has_decimal_comma(const char *rest) { return rest[0] == ',' && rest[1] >= '0' && rest[1] <= '9'; }

static syn_status take_number(const cli_option *option, const char *text, double *number, syn_error *error) {
  const char *unit = option->unit ? option->unit : "", *rest = "";
  const char *what = option->kind == CLI_COUNT ? "whole number" : "number";
  if (!leading_number(text, number, &rest))
    return syn_fail(error, SYN_BAD_ARGUMENT, "--%s takes a %s%s%s, not '%.60s'", option->name, what,
                    unit[0] ? " in " : "", unit, text);
  if (has_decimal_comma(rest))
    return syn_fail(error, SYN_BAD_ARGUMENT, "--%s takes one %s with a decimal point, not '%.60s': write %.15g.%s",
                    option->name, what, text, *number, rest + 1);
  if (rest[0] && !is_unit(rest, unit)) {
    if (!unit[0])
      return syn_fail(error, SYN_BAD_ARGUMENT, "--%s takes a bare %s, not '%.60s'", option->name, what, text);
    return syn_fail(error, SYN_BAD_ARGUMENT, "--%s counts in %s: '%.60s' has another unit", option->name, unit, text);
  }
  return check_range(option, *number, text, error);
}

static syn_status take_choice(const cli_option *option, const char *text, unsigned *choice, syn_error *error) {
  const size_t length = strlen(text);
  *choice = 0;
  for (const char *at = option->choices; *at; ++*choice) {
    const size_t word = strcspn(at, "|");
    if (word == length && memcmp(at, text, length) == 0) return SYN_OK;
    at += word + (at[word] == '|');
  }
  return syn_fail(error, SYN_BAD_ARGUMENT, "--%s takes one of %s, not '%.60s'", option->name, option->choices, text);
}

static syn_status take_value(cli_arguments *arguments, size_t index, const char *text, syn_error *error) {
  const cli_option *option = &arguments->options[index];
  if (arguments->values[index].given) return syn_fail(error, SYN_BAD_ARGUMENT, "--%s is given twice", option->name);
  if (!text[0]) return syn_fail(error, SYN_BAD_ARGUMENT, "--%s needs a value: %s", option->name, option->value);
  arguments->values[index].given = true;
  arguments->values[index].text = text;
  if (option->kind == CLI_CHOICE) return take_choice(option, text, &arguments->values[index].choice, error);
  if (option->kind == CLI_NUMBER || option->kind == CLI_COUNT)
    return take_number(option, text, &arguments->values[index].number, error);
  return SYN_OK;
}

/* Adds the numbers of one word to the `have` that are there; false where it holds anything else. */
static bool more_numbers(const cli_option *option, const char *word, double *numbers, unsigned *have) {
  const size_t unit = option->fewer && option->unit ? strlen(option->unit) : 0;
  for (const char *at = word + strspn(word, ", "); *at;) {
    const size_t length = strcspn(at, ", ");
    const bool has_unit = unit > 0 && length > unit && memcmp(at + length - unit, option->unit, unit) == 0;
    if (*have == option->numbers || !syn_number_read(at, length - (has_unit ? unit : 0), &numbers[*have]) ||
        !isfinite(numbers[*have]))
      return false;
    ++*have;
    at += length;
    at += strspn(at, ", ");
  }
  return true;
}

/* The numbers in `text`, and where those are too few in the words after it. */
static syn_status take_numbers(cli_arguments *arguments, size_t index, const char *text, int count, char *const *words,
                               int *at, syn_error *error) {
  const cli_option *option = &arguments->options[index];
  double *numbers = arguments->values[index].numbers;
  unsigned have = 0, before = 0;
  bool good = more_numbers(option, text, numbers, &have);
  while (good && have < option->numbers && *at + 1 < count) {
    before = have;
    if (!more_numbers(option, words[*at + 1], numbers, &have)) {
      have = option->fewer ? before : have; /* the word is something else */
      break;
    }
    ++*at;
  }
  arguments->values[index].number_count = have;
  arguments->values[index].vector = (syn_vec3){numbers[0], numbers[1], numbers[2]};
  for (unsigned i = 0; option->fewer && i < have; ++i) SYN_TRY(check_range(option, numbers[i], text, error));
  if (good && (have == option->numbers || (option->fewer && have > 0))) return SYN_OK;
  return syn_fail(error, SYN_BAD_ARGUMENT, "--%s takes %s%u numbers (%s), not '%.60s'%s", option->name,
                  option->fewer ? "up to " : "", option->numbers, option->value, text,
                  good && !option->fewer ? ": there are fewer" : "");
}

/* ---- words ------------------------------------------------------------------------------------------------------- */

static const char *option_name_at(const void *user, size_t index) {
  return ((const cli_arguments *)user)->options[index].name;
}

/* " Did you mean '--landmarks'?" or nothing. */
static const char *suggest_option(const cli_arguments *arguments, const char *typed, char hint[112]) {
  char plain[96];
  const char *quote = strchr(syn_did_you_mean(typed, option_name_at, arguments, arguments->option_count, plain), '\'');
  hint[0] = 0;
  if (quote) snprintf(hint, 112, "%.*s--%s", (int)(quote + 1 - plain), plain, quote + 1);
  return hint;
}

/* Finds the option of a word, and the start of its value after "=", or NULL. */
static syn_status find_option(const cli_arguments *arguments, const char *word, size_t *index, const char **value,
                              syn_error *error) {
  const bool is_long = word[1] == '-';
  const char *name = word + (is_long ? 2 : 1);
  const size_t length = is_long ? strcspn(name, "=") : 1;
  *value = is_long ? (name[length] == '=' ? name + length + 1 : NULL) : name[1] ? name + 1 : NULL;
  for (*index = 0; *index < arguments->option_count; ++*index) {
    const cli_option *option = &arguments->options[*index];
    if (is_long ? strlen(option->name) == length && memcmp(option->name, name, length) == 0 : option->letter == *name)
      return SYN_OK;
  }
  char typed[64], hint[160];
  snprintf(typed, sizeof typed, "%.*s", (int)(length < 60 ? length : 60), name);
  if (!is_long) return syn_fail(error, SYN_BAD_ARGUMENT, "there is no option '-%s' here", typed);
  if (!suggest_option(arguments, typed, hint)[0]) cli_who_has(typed, hint);
  return syn_fail(error, SYN_BAD_ARGUMENT, "there is no option '--%s' here.%s", typed, hint);
}

/* Takes the option in words[*at], and the next word where that is its value. */
static syn_status parse_option(cli_arguments *arguments, int count, char *const *words, int *at, syn_error *error) {
  size_t index;
  const char *value;
  SYN_TRY(find_option(arguments, words[*at], &index, &value, error));
  const cli_option *option = &arguments->options[index];
  if (option->kind == CLI_FLAG) {
    if (value) return syn_fail(error, SYN_BAD_ARGUMENT, "--%s takes no value", option->name);
    arguments->values[index].given = true;
    return SYN_OK;
  }
  if (!value) {
    if (*at + 1 >= count || strncmp(words[*at + 1], "--", 2) == 0)
      return syn_fail(error, SYN_BAD_ARGUMENT, "--%s needs a value: %s", option->name, option->value);
    value = words[++*at];
  }
  SYN_TRY(take_value(arguments, index, value, error));
  return option->kind == CLI_NUMBERS ? take_numbers(arguments, index, value, count, words, at, error) : SYN_OK;
}

syn_status cli_parse(cli_arguments *arguments, int count, char *const *words, syn_error *error) {
  bool options_ended = false;
  for (int at = 0; at < count; ++at) {
    const char *word = words[at];
    if (!options_ended && strcmp(word, "--") == 0)
      options_ended = true;
    else if (!options_ended && word[0] == '-' && word[1])
      SYN_TRY(parse_option(arguments, count, words, &at, error));
    else if (arguments->operand_count < CLI_MAX_OPERANDS)
      arguments->operands[arguments->operand_count++] = word;
    else
      return syn_fail(error, SYN_BAD_ARGUMENT, "too many words: '%.60s' and what follows", word);
  }
  return SYN_OK;
}

syn_status cli_check_required(const cli_arguments *arguments, syn_error *error) {
  for (size_t i = 0; i < arguments->option_count; ++i) {
    const cli_option *option = &arguments->options[i];
    if (!option->required || arguments->values[i].given) continue;
    if (option->letter)
      return syn_fail(error, SYN_BAD_ARGUMENT, "-%c %s is needed: %s", option->letter, option->value, option->help);
    return syn_fail(error, SYN_BAD_ARGUMENT, "--%s %s is needed: %s", option->name, option->value, option->help);
  }
  return SYN_OK;
}

/* ---- looking up -------------------------------------------------------------------------------------------------- */

/* option_count where it is not allowed. */
static size_t find_allowed(const cli_arguments *arguments, const char *name) {
  size_t i = 0;
  while (i < arguments->option_count && strcmp(arguments->options[i].name, name) != 0) ++i;
  return i;
}

static size_t index_of(const cli_arguments *arguments, const char *name) {
  const size_t i = find_allowed(arguments, name);
  assert(i < arguments->option_count);
  return i;
}

bool cli_given(const cli_arguments *arguments, const char *name) {
  return arguments->values[index_of(arguments, name)].given;
}

const char *cli_text(const cli_arguments *arguments, const char *name, const char *standard) {
  const size_t i = index_of(arguments, name);
  return arguments->values[i].given ? arguments->values[i].text : standard;
}

double cli_number(const cli_arguments *arguments, const char *name, double standard) {
  const size_t i = index_of(arguments, name);
  return arguments->values[i].given ? arguments->values[i].number : standard;
}

const double *cli_numbers(const cli_arguments *arguments, const char *name) {
  const size_t i = index_of(arguments, name);
  return arguments->values[i].given ? arguments->values[i].numbers : NULL;
}

size_t cli_number_count(const cli_arguments *arguments, const char *name) {
  return arguments->values[index_of(arguments, name)].number_count;
}

syn_vec3 cli_vector(const cli_arguments *arguments, const char *name) {
  return arguments->values[index_of(arguments, name)].vector;
}

bool cli_is(const cli_arguments *arguments, const char *name, const char *text) {
  return strcmp(cli_text(arguments, name, ""), text) == 0;
}

syn_status cli_pose(const cli_arguments *arguments, syn_pose *pose, syn_error *error) {
  const double *matrix = cli_numbers(arguments, "pose");
  *pose = syn_pose_identity();
  return matrix ? syn_pose_from_matrix(matrix, pose, error) : SYN_OK;
}

const char *cli_first_given(const cli_arguments *arguments, const char *names) {
  for (; *names; names += strspn(names, " ")) {
    const size_t length = strcspn(names, " ");
    for (size_t i = 0; i < arguments->option_count; ++i) {
      const char *name = arguments->options[i].name;
      if (arguments->values[i].given && strlen(name) == length && memcmp(name, names, length) == 0) return name;
    }
    names += length;
  }
  return NULL;
}

/* ---- into structs ---------------------------------------------------------------------------------------------- */

/* A list, with room for `more`, and its words in one block. */
static cli_words split_words(const char *text, size_t more, const char ***block) {
  const size_t most = strlen(text) / 2 + 1 + more;
  *block = cli_or_stop(malloc(most * sizeof **block + strlen(text) + 1));
  char *at = strcpy((char *)(*block + most), text);
  cli_words words = {*block, 0};
  for (at += strspn(at, ", "); *at; at += strspn(at, ", ")) {
    (*block)[words.count++] = at;
    at += strcspn(at, ", ");
    if (*at) *at++ = 0;
  }
  return words;
}

static syn_status fill(cli_arguments *arguments, size_t i, cli_type type, void *field, syn_error *error) {
  const double number = arguments->values[i].number;
  const bool choice = arguments->options[i].kind == CLI_CHOICE;
  syn_vec3 *vector = &arguments->values[i].vector;
  switch (type) {
  case CLI_DOUBLE: *(double *)field = number; break;
  case CLI_RADIANS: *(double *)field = number / SYN_RADIAN; break;
  case CLI_UNSIGNED: *(unsigned *)field = choice ? arguments->values[i].choice : (unsigned)number; break;
  case CLI_INT: *(int *)field = (int)number; break;
  case CLI_SIZE: *(size_t *)field = (size_t)number; break;
  case CLI_TRUE: *(bool *)field = true; break;
  case CLI_FALSE: *(bool *)field = false; break;
  case CLI_STRING: *(const char **)field = arguments->values[i].text; break;
  case CLI_VECTOR: *(syn_vec3 *)field = *vector; break;
  case CLI_VECTOR_AT: *(const syn_vec3 **)field = vector; break;
  case CLI_DIRECTION:
    *(syn_vec3 *)field = syn_vec3_unit(*vector);
    const syn_vec3 *v = field;
    if (v->x != 0 || v->y != 0 || v->z != 0) break;
    return syn_fail(error, SYN_BAD_ARGUMENT, "--%s must be a direction; its length is zero or out of range",
                    arguments->options[i].name);
  case CLI_NAMES: *(cli_words *)field = split_words(arguments->values[i].text, 0, &arguments->values[i].names); break;
  case CLI_NOTHING:
  case CLI_STRUCT: break;
  }
  return SYN_OK;
}

syn_status cli_take(cli_arguments *arguments, const cli_table *table, void *into, syn_error *error) {
  for (size_t k = 0; k < table->count; ++k) {
    const cli_option *row = &table->rows[k];
    const cli_type type = (cli_type)(row->into >> 24);
    void *field = (char *)into + (row->into & 0xffffff);
    if (type == CLI_NOTHING) continue;
    if (row->kind == CLI_GROUP) {
      SYN_TRY(cli_take(arguments, row->group, field, error));
      continue;
    }
    const size_t i = find_allowed(arguments, row->name);
    if (i < arguments->option_count && arguments->values[i].given) SYN_TRY(fill(arguments, i, type, field, error));
  }
  return SYN_OK;
}

cli_words cli_gather_words(cli_arguments *arguments, const char *option, size_t first) {
  const size_t i = index_of(arguments, option), count = arguments->operand_count;
  cli_words words = split_words(cli_text(arguments, option, ""), count, &arguments->values[i].names);
  for (size_t k = first; k < count; ++k) arguments->values[i].names[words.count++] = arguments->operands[k];
  if (count > first) arguments->operand_count = first;
  return words;
}

void cli_release(cli_arguments *arguments) {
  for (size_t i = 0; i < arguments->option_count; ++i) free(arguments->values[i].names);
}

/* ---- options of every command --------------------------------------------------------------------------------------
 * The benchmark program takes them as well. */

static const cli_option common[] = {
    OPT_FLAG("json", 0, "print one JSON object instead of text"),
    OPT_COUNT("threads", 1, 1024, "all", 0, "threads to use; results are the same for any number"),
    OPT_CHOICE("units", "mm|cm|m|in", "mm|cm|m|in", "mm", 0, "the unit of lengths in mesh files that are read"),
    {.name = "quiet", .letter = 'q', .kind = CLI_FLAG, .help = "print nothing but errors (and the JSON object)"},
    {.name = "help", .letter = 'h', .kind = CLI_FLAG, .help = "print this and stop"},
};
const cli_table cli_common_options = CLI_TABLE(common);
