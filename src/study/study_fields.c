/* Fields of a study's progress: cases done, failed, and run by this process. */
#include <synovia/study.h>

#include "result/value.h"

GET(name, syn_study_result, value_text(syn_study_name(at->summary->study)))
GET(cases, syn_study_result, value_count(syn_study_case_count(at->summary->study)))
GET(done, syn_study_result, value_count(at->summary->done))
GET(failed, syn_study_result, value_count(at->summary->failed))
static const syn_result_field fields[] = {
    FIELD(TEXT, "study", "Study", "", FILE_ONLY, name),
    FIELD(INTEGER, "cases", "Cases", "", FILE_ONLY, cases),
    FIELD(INTEGER, "done", "Done", "", FILE_ONLY, done),
    FIELD(INTEGER, "failed", "Failed", "", FILE_ONLY, failed),
    MEMBER(syn_study_result, counts.ran, "ran", "Run now", "", FILE_ONLY),
    MEMBER(syn_study_result, counts.skipped, "skipped", "From an earlier run", "", FILE_ONLY),
    MEMBER(syn_study_result, counts.by_others, "by_others", "By other processes meanwhile", "", FILE_ONLY)};
const syn_record syn_study_record = RECORD_OF(syn_study_result, "study", fields);

void syn_study_count_warnings(const syn_study_summary *summary, size_t *cases, size_t *warnings) {
  *cases = *warnings = 0;
  for (size_t i = 0; i < syn_study_case_count(summary->study); ++i) {
    const size_t count = syn_study_case_warning_count(summary, i);
    *cases += count > 0;
    *warnings += count;
  }
}
