#include "study/study_page_number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/shown.h"
#include "report/svg/plot.h"
#include "study/study_pressure.h"

/* ---- values ------------------------------------------------------------------------------------------------------ */

/* Finds items of lists by their names, coordinates by x, y and z. */
static const json_t *item_of(const json_t *list, const char *word) {
  if (json_is_number(json_array_get(list, 0)))
    return word[0] && !word[1] ? json_array_get(list, (size_t)(word[0] - 'x')) : NULL;
  for (size_t i = 0; i < json_array_size(list); ++i) {
    const char *name = json_string_value(json_object_get(json_array_get(list, i), "name"));
    if (name && strcmp(name, word) == 0) return json_array_get(list, i);
  }
  return NULL;
}

const json_t *syn_plan_find(const json_t *answer, const char *key) {
  static const char input[] = "input.";
  const bool given = strncmp(key, input, strlen(input)) == 0;
  const json_t *at = json_object_get(answer, given ? "input" : "result");
  char word[SYN_LONGEST_KEY];
  if (given) {
    at = json_object_get(at, "parameters");
    key += strlen(input);
  }
  while (at && *key) {
    const size_t length = strcspn(key, ".");
    snprintf(word, sizeof word, "%.*s", (int)length, key);
    at = json_is_array(at) ? item_of(at, word) : json_object_get(at, word);
    key += length + (key[length] == '.');
  }
  return at;
}

static const json_t *found_in(const syn_study_page *page, const char *key, size_t i) {
  const syn_study_content *c = page->content;
  return i < c->shown.study->case_count && c->cases[i].state == SYN_CASE_DONE ? syn_plan_find(c->answers[i], key)
                                                                              : NULL;
}

double syn_plan_value_of(const syn_study_page *page, const char *key, const char *name, size_t i) {
  char named[SYN_LONGEST_KEY];
  const char *star = name ? strchr(key, '*') : NULL;
  if (star) snprintf(named, sizeof named, "%.*s%s%s", (int)(star - key), key, name, star + 1);
  const json_t *value = found_in(page, star ? named : key, i);
  return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

/* Takes the numbers of a list while `along` does not exceed `until`; returns the count. */
static size_t take_until(const json_t *list, const json_t *along, double until, size_t most, double *values) {
  size_t count = 0;
  while (count < most && count < json_array_size(list) &&
         (!along || json_number_value(json_array_get(along, count)) < until + 1e-9)) {
    values[count] = json_number_value(json_array_get(list, count));
    ++count;
  }
  return count;
}

static double correlation_of(const syn_study_page *page, const syn_plan_number *number, size_t i, size_t cell,
                             double *p) {
  enum { MOST = 1000 };
  double x[MOST], y[MOST];
  const json_t *along = number->until ? found_in(page, number->along, i) : NULL;
  const double until = number->until ? number->until[cell] : (double)INFINITY;
  const size_t count = take_until(found_in(page, number->key, i), along, until, MOST, x);
  if (take_until(found_in(page, number->other, i), along, until, MOST, y) != count) return NAN;
  return syn_study_correlation(x, y, count, p);
}

double syn_plan_number_of(const syn_study_page *page, const syn_plan_number *number, size_t i, size_t cell, double *p) {
  *p = NAN;
  const double value = number->kind == SYN_PLAN_CORRELATION ? correlation_of(page, number, i, cell, p)
                                                            : syn_plan_value_of(page, number->key, NULL, i);
  return value > number->above ? value : (double)NAN;
}

syn_plan_span syn_plan_span_of(const syn_study_page *page, const char *key, const char *name) {
  syn_plan_span span = {0, INFINITY, -INFINITY};
  size_t count = 0;
  for (size_t i = 0; i < page->content->shown.study->case_count; ++i) {
    const double value = syn_plan_value_of(page, key, name, i);
    if (!isfinite(value)) continue;
    span.mean += value;
    span.least = fmin(span.least, value);
    span.most = fmax(span.most, value);
    ++count;
  }
  span.mean = count ? span.mean / (double)count : (double)NAN;
  return span;
}

/* ---- cases and texts --------------------------------------------------------------------------------------------- */

static bool has_value(const syn_study_case *it, const char *name, double value) {
  for (size_t k = 0; k < it->value_count; ++k)
    if (strcmp(it->values[k].name, name) == 0) return it->values[k].value == value;
  return false;
}

size_t syn_plan_case_at(const syn_study_page *page, const syn_plan_grid *grid, size_t cell) {
  const syn_study *study = page->content->shown.study;
  const double row = grid->values[0][cell / grid->counts[1]], column = grid->values[1][cell % grid->counts[1]];
  for (size_t i = 0; i < study->case_count; ++i)
    if (page->content->cases[i].state == SYN_CASE_DONE && has_value(&study->cases[i], grid->names[0], row) &&
        has_value(&study->cases[i], grid->names[1], column))
      return i;
  return SIZE_MAX;
}

syn_report_column syn_plan_axis(syn_study_page *page, const char *parameter) {
  const syn_study_summary *shown = &page->content->shown;
  const char *key = syn_study_page_text(page, "input.%s", parameter);
  for (size_t i = 0; i < shown->column_count; ++i)
    if (strcmp(shown->columns[i].key, key) == 0)
      return (syn_report_column){parameter, shown->columns[i].label, syn_svg_unit(shown->columns[i].unit), true};
  return (syn_report_column){parameter, syn_study_page_words(page, parameter), "", true};
}

const char *syn_plan_text(syn_study_page *page, const syn_plan_number *number, double value, bool with_unit) {
  const char *unit = syn_unit_symbol(number->unit);
  char text[96];
  if (!isfinite(value)) return "–";
  if (!with_unit && number->decimals < 0) return syn_study_page_text(page, "%s", syn_shown_text(value, unit, text));
  if (number->decimals < 0) return syn_study_page_text(page, "%s", syn_shown_quantity(value, unit, text));
  const char *between = !with_unit || !*unit || strcmp(unit, "°") == 0 ? "" : " ";
  return syn_study_page_text(page, "%.*f%s%s", number->decimals, value, between, with_unit ? unit : "");
}
