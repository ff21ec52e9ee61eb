/* Adds cartilages in motion to a page, also to that of an osteotomy. */
#ifndef SYN_REPORT_SURGERY_CONGRUITY_PAGE_H
#define SYN_REPORT_SURGERY_CONGRUITY_PAGE_H

#include "report/hip/hip_page.h"
#include <synovia/surgery.h>

/* Returns the hip with the simulated cartilages. */
syn_hip syn_congruity_hip(const syn_hip *hip, const syn_congruity *congruity);
/* Adds motions with curves, a table for each, and fields on the bodies with these surfaces, by side. `prefix`
 * distinguishes two congruities of one page ("" for one alone). */
syn_status syn_page_add_congruity(syn_page *page, const syn_congruity *congruity, const syn_trimesh *const *bodies,
                                  const char *prefix, const char *label, syn_error *error);
/* Writes the tetrahedra of every moment, as files of this prefix. */
syn_status syn_publication_add_congruity(syn_publication *to, const syn_congruity *congruity, const char *prefix,
                                         syn_error *error);

#endif
