/* Writes the page of a simulation to the caller's stream. */
#ifndef SYN_REPORT_TISSUE_PAGE_H
#define SYN_REPORT_TISSUE_PAGE_H

#include <stdio.h>

#include "report/page_content.h"
#include <synovia/tissue.h>

/* The run must have kept fields; `title` NULL: the scene's name. The caller checks the stream for errors. */
syn_status syn_tissue_page_put(const syn_context *context, const syn_tissue_run *run, const char *scene_file,
                               const char *title, const syn_provenance *provenance, FILE *to, syn_error *error);

#endif
