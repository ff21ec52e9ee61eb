/* The page of a simulation to a stream that is the caller's. */
#ifndef SYN_REPORT_TISSUE_PAGE_H
#define SYN_REPORT_TISSUE_PAGE_H

#include <stdio.h>

#include <synovia/report.h>
#include <synovia/tissue_scene.h>

/* Of a run that kept fields; `title` NULL: the scene's name. A failing stream is for the caller to notice. */
syn_status syn_tissue_page_put(const syn_context *context, const syn_tissue_run *run, const char *scene_file,
                               const char *title, const syn_provenance *provenance, FILE *to, syn_error *error);

#endif
