/* A page to a stream that is the caller's: syn_report_write without the file. */
#ifndef SYN_REPORT_WRITE_H
#define SYN_REPORT_WRITE_H

#include <stdio.h>

#include <synovia/report.h>

/* A failing stream is for the caller to notice. */
syn_status syn_report_put(const syn_context *context, const syn_report *report, const syn_report_options *options,
                          FILE *to, syn_error *error);

#endif
