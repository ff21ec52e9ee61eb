/* The verdict about impingement.
 *
 * Internal rotation in 90 degrees of flexion is what simulated hips with impingement lose most: 35.2 ± 6.9 degrees in
 * normal hips against 11.1 ± 6.9 with it (Kubiak-Langer et al. 2007), 35 ± 12 against 11.7 ± 7.1 (Tannast et al. 2007).
 * Less than the normal mean - 2 SD is limited. The probability is the share of the draws that are. */
#include <math.h>
#include <stdio.h>

#include "base/names.h"
#include "base/vec.h"
#include "clinic/findings/hip_findings.h"

SYN_ENUM_NAMES(syn_verdict, SYN_VERDICTS, [SYN_VERDICT_LIKELY] = "likely", [SYN_VERDICT_UNLIKELY] = "unlikely",
               [SYN_VERDICT_CANNOT_TELL] = "cannot_tell");
SYN_ENUM_NAMES(syn_impingement_kind, SYN_IMPINGEMENT_KINDS, [SYN_IMPINGEMENT_NONE] = "none",
               [SYN_IMPINGEMENT_CAM] = "cam", [SYN_IMPINGEMENT_PINCER] = "pincer", [SYN_IMPINGEMENT_MIXED] = "mixed",
               [SYN_IMPINGEMENT_EXTRA_ARTICULAR] = "extra_articular");

static const char rule[] =
    "Impingement is likely if internal rotation in 90° of flexion ends before 21° bone to bone (mean - 2 SD of normal "
    "hips, Kubiak-Langer et al. 2007) in 95 % of the draws or more, unlikely in 5 % or fewer; it is a cam with an "
    "alpha "
    "angle above 60° at 1 mm (van Klij et al. 2020), a pincer with a centre-edge angle above 45° (Mascarenhas et al. "
    "2018), and extra-articular if the bones meet outside the joint.";

static const double LIKELY = 0.95, VERY = 0.99;

static bool above(const syn_hip_analysis *a, syn_measure_id id) {
  const syn_measure_info *info = &syn_measure_infos[id];
  return a->has_measures && a->measures.value[id] > info->high;
}

static syn_impingement_kind kind_of(const syn_hip_analysis *a, const syn_hip_motion_limit *l) {
  if (l->place.pelvis < SYN_PELVIS_REGIONS && !l->place.inside_joint) return SYN_IMPINGEMENT_EXTRA_ARTICULAR;
  const bool cam = above(a, SYN_MEASURE_ALPHA_1MM_DEG), pincer = above(a, SYN_MEASURE_LCEA_DEG);
  if (cam && pincer) return SYN_IMPINGEMENT_MIXED;
  return cam ? SYN_IMPINGEMENT_CAM : pincer ? SYN_IMPINGEMENT_PINCER : SYN_IMPINGEMENT_NONE;
}

static const char *title_of(syn_impingement_kind kind) {
  static const char *const titles[SYN_IMPINGEMENT_KINDS] = {
      [SYN_IMPINGEMENT_NONE] = "Impingement",
      [SYN_IMPINGEMENT_CAM] = "Cam impingement",
      [SYN_IMPINGEMENT_PINCER] = "Pincer impingement",
      [SYN_IMPINGEMENT_MIXED] = "Mixed impingement (cam and pincer)",
      [SYN_IMPINGEMENT_EXTRA_ARTICULAR] = "Impingement outside the joint",
  };
  return titles[kind];
}

/* "Internal rotation in 90° of flexion ends at 10° (2–18°); normal is 21–49°." */
static void motion_words(const syn_hip_motion_limit *l, char words[200]) {
  char value[64], range[64], place[96];
  const double angle = l->bones.angle * SYN_RADIAN;
  syn_degree_range_words(l->motion->low_deg, l->motion->high_deg, range);
  if (l->bones.state == SYN_LIMIT_NO_STOP)
    snprintf(words, 200, "%s is not stopped by bone; normal is %s.", l->motion->label, range);
  else if (!isfinite(angle))
    snprintf(words, 200, "The bones overlap in 90° of flexion whatever the rotation.");
  else {
    const char *where = syn_contact_place_words(&l->place, place);
    const bool shown = angle < l->motion->low_deg && where[0];
    snprintf(words, 200, "%s ends at %s; normal is %s.%s%s%s", l->motion->label,
             syn_degree_words(angle, &l->bands[SYN_BAND_ALL], value), range, shown ? " There: " : "",
             shown ? where : "", shown ? "." : "");
  }
}

static void alpha_words(const syn_hip_analysis *a, char words[120]) {
  const double alpha = a->has_measures ? a->measures.value[SYN_MEASURE_ALPHA_1MM_DEG] : (double)NAN;
  char value[64], hour[16];
  words[0] = 0;
  if (isfinite(alpha))
    snprintf(words, 120, " The alpha angle is largest at %s: %s; a cam is suspected from 60°.",
             syn_clock_words(a->measures.alpha_1mm_hour, hour),
             syn_degree_words(alpha, &a->measure_bands.of[SYN_MEASURE_ALPHA_1MM_DEG][SYN_BAND_ALL], value));
}

static void write_verdict(const syn_hip_analysis *a, const syn_hip_motion_limit *l, syn_impingement_verdict *v) {
  char motion[200], alpha[120];
  const double p = v->probability;
  motion_words(l, motion);
  alpha_words(a, alpha);
  if (v->verdict == SYN_VERDICT_LIKELY)
    snprintf(v->text, sizeof v->text, "%s, %slikely. %s%s", title_of(v->kind), p >= VERY ? "very " : "", motion, alpha);
  else if (v->verdict == SYN_VERDICT_UNLIKELY)
    snprintf(v->text, sizeof v->text, "No sign of impingement, %slikely. %s%s", 1 - p >= VERY ? "very " : "", motion,
             alpha);
  else if (isnan(p))
    snprintf(v->text, sizeof v->text, "Impingement: not judged, since no intervals were drawn. %s%s", motion, alpha);
  else
    snprintf(v->text, sizeof v->text, "Impingement: this scan cannot tell (%.0f %% of the draws are limited). %s%s",
             100 * p, motion, alpha);
}

void syn_hip_judge_impingement(const syn_hip_analysis *a, syn_impingement_verdict *v) {
  const syn_hip_motion_limit *l = syn_hip_limit_named(a, "internal_rotation_90");
  *v = (syn_impingement_verdict){.verdict = SYN_VERDICT_CANNOT_TELL, .probability = (double)NAN, .rule = rule};
  if (!l) return;
  v->known = true;
  v->probability = l->below_part;
  if (l->below_part >= LIKELY) v->verdict = SYN_VERDICT_LIKELY;
  if (l->below_part <= 1 - LIKELY) v->verdict = SYN_VERDICT_UNLIKELY;
  v->kind = v->verdict == SYN_VERDICT_UNLIKELY ? SYN_IMPINGEMENT_NONE : kind_of(a, l);
  write_verdict(a, l, v);
}
