/* Fields of findings and of the verdict about impingement. */
#include <math.h>

#include "clinic/findings/hip_findings.h"
#include "result/value.h"

static const syn_finding *finding(const void *findings, size_t i) { return (const syn_finding *)findings + i; }

static double end_of_band(const void *f, size_t i) {
  const syn_band *band = &((const syn_finding *)f)->band;
  return i ? band->high : band->low;
}
static syn_value band_of(const void *f, size_t i) {
  const syn_band *band = &finding(f, i)->band;
  return isfinite(band->low) || isfinite(band->high) ? value_numbers(end_of_band, finding(f, i), 2) : value_none();
}
static double end_of_range(const void *f, size_t i) {
  return i ? ((const syn_finding *)f)->high : ((const syn_finding *)f)->low;
}
static syn_value range_of(const void *f, size_t i) {
  const bool has = isfinite(finding(f, i)->low) || isfinite(finding(f, i)->high);
  return has ? value_numbers(end_of_range, finding(f, i), 2) : value_none();
}

static const syn_result_field finding_fields[] = {
    MEMBER(syn_finding, code, "code", "Code", "", FILE_ONLY),
    NAMED(syn_finding, severity, syn_severity_name, "severity", "Severity", FILE_ONLY),
    MEMBER(syn_finding, text, "text", "Finding", "", FILE_ONLY),
    MEMBER(syn_finding, value, "value", "Value", "", FILE_ONLY),
    MEMBER(syn_finding, unit, "unit", "Unit", "", FILE_ONLY),
    FIELD(NUMBERS, "band", "95 % interval", "", FILE_ONLY, band_of),
    FIELD(NUMBERS, "range", "Published range", "", FILE_ONLY, range_of),
    MEMBER(syn_finding, source, "source", "Source", "", FILE_ONLY),
    MEMBER(syn_finding, place, "place", "Place", "", FILE_ONLY, KNOWN_IF(syn_finding, place)),
};
const syn_record syn_finding_record = RECORD_OF(syn_finding, "finding", finding_fields);

static const syn_result_field verdict_fields[] = {
    NAMED(syn_impingement_verdict, verdict, syn_verdict_name, "verdict", "Impingement", FILE_ONLY),
    NAMED(syn_impingement_verdict, kind, syn_impingement_kind_name, "kind", "Kind", FILE_ONLY),
    MEMBER(syn_impingement_verdict, probability, "probability", "Share of the draws that are limited", "", FILE_ONLY),
    MEMBER(syn_impingement_verdict, text, "text", "Verdict", "", FILE_ONLY),
    MEMBER(syn_impingement_verdict, rule, "rule", "Rule", "", FILE_ONLY),
};
const syn_record syn_verdict_record = RECORD_OF(syn_impingement_verdict, "impingement", verdict_fields);
