/* Evaluates the numbers that the description of a study's page names, for one case or for all. */
#ifndef SYN_STUDY_PAGE_NUMBER_H
#define SYN_STUDY_PAGE_NUMBER_H

#include "study/study_page.h"
#include "study/study_page_plan.h"

/* Returns the value of an answer (result.json) at a key; NULL: none. */
const json_t *syn_plan_find(const json_t *answer, const char *key);
/* Returns the number of a case, NAN if it is unknown or not above the threshold. *p is the significance of a
 * correlation, else NAN. `cell` limits the length of lists; `name` (may be NULL) replaces '*' in keys. */
double syn_plan_number_of(const syn_study_page *page, const syn_plan_number *number, size_t i, size_t cell, double *p);
double syn_plan_value_of(const syn_study_page *page, const char *key, const char *name, size_t i);

typedef struct syn_plan_span {
  double mean, least, most; /* mean NAN: no case has the number */
} syn_plan_span;
/* Computes mean, min and max of a column over all cases that have it. */
syn_plan_span syn_plan_span_of(const syn_study_page *page, const char *key, const char *name);

/* Returns the first finished case with the values of a cell; SIZE_MAX: none. */
size_t syn_plan_case_at(const syn_study_page *page, const syn_plan_grid *grid, size_t cell);
/* Returns a parameter as a column: "CE", "°". */
syn_report_column syn_plan_axis(syn_study_page *page, const char *parameter);
/* Formats "2.3 mm", with the unit and decimals of the number; "–" if unknown. */
const char *syn_plan_text(syn_study_page *page, const syn_plan_number *number, double value, bool with_unit);

/* Computes the errors, in percent, of the peak pressures estimated for the case of each cell from the shapes of all
 * others (Arbabi 2009, §4.5); NAN if `published` (may be NULL) or the case has none. */
syn_status syn_plan_estimate(syn_study_page *page, const syn_plan_grid *grid, const syn_plan_number *number,
                             const double *published, double *errors, syn_error *error);

syn_status syn_plan_add_grid_table(syn_study_page *page, const syn_plan_grid *grid, const syn_plan_table *table,
                                   syn_error *error);
syn_status syn_plan_add_row_table(syn_study_page *page, const syn_plan_grid *grid, const syn_plan_table *table,
                                  syn_error *error);
syn_status syn_plan_add_correlations(syn_study_page *page, const syn_plan_table *table, syn_error *error);

#endif
