/* Writes a page to the caller's stream: syn_report_write without the file. */
#ifndef SYN_REPORT_WRITE_H
#define SYN_REPORT_WRITE_H

#include <stdio.h>

#include <synovia/report.h>

/* The caller checks the stream for errors. */
syn_status syn_report_put(const syn_context *context, const syn_report *report, const syn_report_options *options,
                          FILE *to, syn_error *error);

#endif
