/* Links notes to the numbers that they concern. */
#ifndef SYN_REPORT_NOTES_H
#define SYN_REPORT_NOTES_H

#include <synovia/report.h>

#include "result/note_about.h"

static inline bool syn_report_note_is_about(const syn_report *report, size_t note, const syn_report_range *range) {
  return report->note_about && range->name &&
         syn_note_is_about(report->note_about[note], range->name, range->is_motion);
}

#endif
