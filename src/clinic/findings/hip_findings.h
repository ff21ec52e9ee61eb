/* Judges an analysis: findings, and the verdict about impingement. The sentences are those of JSON, terminal and page.
 */
#ifndef SYN_CLINIC_HIP_FINDINGS_H
#define SYN_CLINIC_HIP_FINDINGS_H

#include "clinic/hip.h"

/* Fills findings and verdict of an analysis whose results are there. */
syn_status syn_hip_judge(syn_hip_analysis *analysis, syn_error *error);
/* Fills the verdict alone. */
void syn_hip_judge_impingement(const syn_hip_analysis *analysis, syn_impingement_verdict *verdict);
/* Returns the limit of the motion of that name; NULL if it was not asked for. */
const syn_hip_motion_limit *syn_hip_limit_named(const syn_hip_analysis *analysis, const char *name);

/* Where the interval of a value lies against a range, an end of which may be open (NAN). All are compared as printed,
 * in whole units. */
typedef enum syn_beside {
  SYN_BESIDE_WITHIN, /* or no value, or no range */
  SYN_BESIDE_BELOW,  /* the interval, too */
  SYN_BESIDE_ABOVE,
  SYN_BESIDE_BELOW_REACHES, /* the value alone: its interval reaches into the range, or is not known */
  SYN_BESIDE_ABOVE_REACHES
} syn_beside;
syn_beside syn_beside_range(double value, const syn_band *band, double low, double high, int decimals);

/* These write into `room` and return it. "134°", "134° (130–137°)", "-4° (-9 to 2°)"; "21–49°", "up to 60°". */
char *syn_degree_words(double value, const syn_band *band, char room[64]);
char *syn_degree_range_words(double low, double high, char room[64]);
/* "In the impingement test the femur would overlap the labrum by 3.1 mm …", of a hip with depths. */
char *syn_hip_depth_words(const syn_impingement *impingement, char room[400]);

extern const syn_record syn_finding_record; /* of a syn_finding in an array */
extern const syn_record syn_verdict_record; /* of a syn_impingement_verdict */

#endif
