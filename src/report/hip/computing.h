/* The part of a hip's page that computes: the hip exactly as analysed, and the library as WebAssembly. */
#ifndef SYN_REPORT_HIP_COMPUTING_H
#define SYN_REPORT_HIP_COMPUTING_H

#include <stdio.h>

#include <synovia/report.h>

#include "report/blob.h"
#include "report/display.h"

/* Adds the packed hip to `blobs`, which have nothing else in them. Nothing is added where the page could not use it: it
 * has no WebAssembly, a viewer answers for it, or its bodies are not the parts of a hip as they were analysed. */
syn_status syn_hip_computing_add(const syn_report *report, const syn_display *displays, syn_blobs *blobs,
                                 syn_error *error);
/* The packed blobs and the WebAssembly; nothing where the hip is too large to be sent along. */
void syn_hip_computing_put(FILE *to, const syn_blobs *blobs);

#endif
