/* Adds live computation to a hip's page: the hip exactly as analysed, and the library as WebAssembly. */
#ifndef SYN_REPORT_HIP_COMPUTING_H
#define SYN_REPORT_HIP_COMPUTING_H

#include <stdio.h>

#include <synovia/report.h>

#include "report/blob.h"
#include "report/display.h"

/* Adds the packed hip to `blobs`, which must be empty. Adds nothing if the page could not use it: without WebAssembly,
 * with a viewer that answers, or if its bodies are not the analysed parts of a hip. */
syn_status syn_hip_computing_add(const syn_report *report, const syn_display *displays, syn_blobs *blobs,
                                 syn_error *error);
/* Writes the packed blobs and the WebAssembly; nothing if the hip is too large to send. */
void syn_hip_computing_put(FILE *to, const syn_blobs *blobs);

#endif
