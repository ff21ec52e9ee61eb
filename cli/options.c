#include "options.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "base/text.h"

void cli_allow(cli_arguments *arguments, const cli_option *options, size_t count) {
  assert(arguments->option_count + count <= CLI_MAX_OPTIONS);
  for (size_t i = 0; i < count; ++i) arguments->options[arguments->option_count++] = options[i];
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

/* The number at the start of `text`; *rest is what follows it. */
static bool leading_number(const char *text, double *number, const char **rest) {
  for (size_t length = strlen(text); length > 0; --length)
    if (syn_word_double((syn_word){text, length}, number)) {
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

static syn_status take_number(const cli_option *option, const char *text, double *number, syn_error *error) {
  const char *unit = option->unit ? option->unit : "", *rest = "";
  const char *what = option->kind == CLI_COUNT ? "whole number" : "number";
  if (!leading_number(text, number, &rest))
    return syn_fail(error, SYN_BAD_ARGUMENT, "--%s takes a %s%s%s, not '%.60s'", option->name, what,
                    unit[0] ? " in " : "", unit, text);
  if (rest[0] && strcmp(rest, unit) != 0) {
    if (!unit[0])
      return syn_fail(error, SYN_BAD_ARGUMENT, "--%s takes a bare %s, not '%.60s'", option->name, what, text);
    return syn_fail(error, SYN_BAD_ARGUMENT, "--%s counts in %s: '%.60s' has another unit", option->name, unit, text);
  }
  return check_range(option, *number, text, error);
}

static syn_status take_choice(const cli_option *option, const char *text, syn_error *error) {
  const size_t length = strlen(text);
  for (const char *at = option->choices; *at;) {
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
  if (option->kind == CLI_CHOICE) return take_choice(option, text, error);
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
    const syn_word digits = {at, length - (has_unit ? unit : 0)};
    if (*have == option->numbers || !syn_word_double(digits, &numbers[*have]) || !isfinite(numbers[*have]))
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
  for (unsigned i = 0; option->fewer && i < have; ++i) SYN_TRY(check_range(option, numbers[i], text, error));
  if (good && (have == option->numbers || (option->fewer && have > 0))) return SYN_OK;
  return syn_fail(error, SYN_BAD_ARGUMENT, "--%s takes %s%u numbers (%s), not '%.60s'%s", option->name,
                  option->fewer ? "up to " : "", option->numbers, option->value, text,
                  good && !option->fewer ? ": there are fewer" : "");
}

/* ---- words --------------------------------------------------------------------------------------------------------
 */

static const char *option_name_at(const void *user, size_t index) {
  return ((const cli_arguments *)user)->options[index].name;
}

/* The option that the word names, and where its value begins after "=", or NULL. */
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
  char typed[64], hint[96];
  snprintf(typed, sizeof typed, "%.*s", (int)(length < 60 ? length : 60), name);
  if (!is_long) return syn_fail(error, SYN_BAD_ARGUMENT, "there is no option '-%s' here", typed);
  syn_did_you_mean(typed, option_name_at, arguments, arguments->option_count, hint);
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

/* ---- looking up ---------------------------------------------------------------------------------------------------
 */

static size_t index_of(const cli_arguments *arguments, const char *name) {
  size_t i = 0;
  while (i < arguments->option_count && strcmp(arguments->options[i].name, name) != 0) ++i;
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

bool cli_is(const cli_arguments *arguments, const char *name, const char *text) {
  return strcmp(cli_text(arguments, name, ""), text) == 0;
}

/* ---- options of every command --------------------------------------------------------------------------------------
 * The benchmark program takes them as well. */

const cli_option cli_common_options[] = {
    {.name = "json", .kind = CLI_FLAG, .help = "print one JSON object instead of text"},
    {.name = "threads",
     .kind = CLI_COUNT,
     .value = "N",
     .min = 1,
     .max = 1024,
     .standard = "all",
     .help = "threads to use; results are the same for any number"},
    {.name = "units",
     .kind = CLI_CHOICE,
     .value = "mm|cm|m",
     .choices = "mm|cm|m",
     .standard = "mm",
     .help = "the unit of lengths in mesh files that are read"},
    {.name = "quiet", .letter = 'q', .kind = CLI_FLAG, .help = "print nothing but errors (and the JSON object)"},
    {.name = "help", .letter = 'h', .kind = CLI_FLAG, .help = "print this and stop"},
};
const size_t cli_common_option_count = sizeof cli_common_options / sizeof *cli_common_options;
