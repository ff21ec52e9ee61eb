/* The numbers that the description of a study's page names, of one case or of all. */
#ifndef SYN_STUDY_PAGE_NUMBER_H
#define SYN_STUDY_PAGE_NUMBER_H

#include "study/study_page.h"
#include "study/study_page_plan.h"

/* What an answer (result.json) has at a key; NULL: nothing. */
const json_t *syn_plan_find(const json_t *answer, const char *key);
/* The number of a case, NAN where it is not known or not above what counts. *p is the significance of a correlation,
 * else NAN. `cell` says how far lists are taken; `name` (may be NULL) stands for '*' in keys. */
double syn_plan_number_of(const syn_study_page *page, const syn_plan_number *number, size_t i, size_t cell, double *p);
double syn_plan_value_of(const syn_study_page *page, const char *key, const char *name, size_t i);

typedef struct syn_plan_span {
  double mean, least, most; /* mean NAN: of no case */
} syn_plan_span;
/* Of a column over all cases that have it. */
syn_plan_span syn_plan_span_of(const syn_study_page *page, const char *key, const char *name);

/* The first case with the values of a cell that is done; SIZE_MAX where there is none. */
size_t syn_plan_case_at(const syn_study_page *page, const syn_plan_grid *grid, size_t cell);
/* A parameter as the columns have it: "CE", "°". */
syn_report_column syn_plan_axis(syn_study_page *page, const char *parameter);
/* "2.3 mm", without unit or in so many decimals as the number asks for; "–" where it is not known. */
const char *syn_plan_text(syn_study_page *page, const syn_plan_number *number, double value, bool with_unit);

/* Errors in percent of the peak pressures estimated for the case of each cell from the shapes of all others (Arbabi
 * 2009, §4.5); NAN where `published` (may be NULL) or the case has none. */
syn_status syn_plan_estimate(syn_study_page *page, const syn_plan_grid *grid, const syn_plan_number *number,
                             const double *published, double *errors, syn_error *error);

syn_status syn_plan_add_grid_table(syn_study_page *page, const syn_plan_grid *grid, const syn_plan_table *table,
                                   syn_error *error);
syn_status syn_plan_add_row_table(syn_study_page *page, const syn_plan_grid *grid, const syn_plan_table *table,
                                  syn_error *error);
syn_status syn_plan_add_correlations(syn_study_page *page, const syn_plan_table *table, syn_error *error);

#endif
