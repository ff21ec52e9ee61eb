#include "result/note_about.h"

#include <string.h>

#include "base/text.h"
#include "result/value.h"

/* ---- warnings -----------------------------------------------------------------------------------------------------
 */

#define OF_RIM "lcea_deg acea_deg acetabular_index_deg coverage_percent"
#define OF_PELVIS                                                                                                      \
  OF_RIM " acetabular_version_deg acetabular_inclination_deg acetabular_version_app_deg "                              \
         "acetabular_inclination_app_deg combined_version_deg"
#define OF_NECK                                                                                                        \
  "alpha_deg alpha_3_deg alpha_1_30_deg alpha_12_deg alpha_extrapolated_deg head_neck_offset_mm "                      \
  "head_neck_offset_ratio head_neck_ratio"
#define OF_SHAFT "neck_shaft_deg neck_shaft_isthmus_deg femoral_torsion_deg combined_version_deg"
#define OF_HEAD OF_NECK " " OF_RIM " head_radius_mm head_sphericity_mm joint_gap_mm"
#define ALL SYN_ABOUT_MOTIONS " " SYN_ABOUT_MEASURES

/* Words that only this warning has. A test looks for them in the sources, so that one that is worded anew is noticed.
 */
static const struct {
  const char *words, *about;
} known[] = {
    {"poses of the FADIR protocol", "fadir"},
    {"the frontal plane through the centre does not cut the rim", OF_RIM},
    {"the femur has no condyles", SYN_ABOUT_MOTIONS " femoral_torsion_deg combined_version_deg"},
    {"too little of its shaft to show how it is turned", SYN_ABOUT_MOTIONS " femoral_torsion_deg combined_version_deg"},
    {"the side of the femur cannot be seen", ALL},
    {"the largest alpha angle is uncertain", "alpha_deg alpha_extrapolated_deg"},
    {"the alpha angle at 3 o'clock is uncertain", "alpha_3_deg"},
    {"the alpha angle at 1:30 is uncertain", "alpha_1_30_deg"},
    {"the alpha angle at 12 o'clock is uncertain", "alpha_12_deg"},
    {"has no spherical head", SYN_ABOUT_MOTIONS " " OF_HEAD},
    {"the femoral head is rough or deformed", SYN_ABOUT_MOTIONS " " OF_HEAD},
    {"no neck was found", OF_NECK " " OF_SHAFT},
    {"too little of the femur's shaft", OF_SHAFT},
    {"the pelvis is whole and nothing says which hip", ALL},
    {"the pelvis is not a whole hip bone", SYN_ABOUT_MOTIONS " " OF_PELVIS},
    {"the pelvis does not show how the body lies", SYN_ABOUT_MOTIONS " " OF_PELVIS},
    {"the rim of the acetabulum could not be followed", OF_PELVIS},
    {"check its name, its side, and that it is in mm", ALL},
    {"since every angle depends on it", ALL},
    {"where it is missing nothing touches", SYN_ABOUT_MOTIONS},
    {"from the middle of its socket as scanned", SYN_ABOUT_MOTIONS},
    {"the joint surface of the head stops no motion", SYN_ABOUT_MOTIONS},
    {"where a motion starts in overlap", SYN_ABOUT_MOTIONS},
    {"left out of the range of motion", SYN_ABOUT_MOTIONS},
    {"as noise of a scan is: it is smoothed", ALL},
    {"side is not given, a right joint is assumed", ALL},
};

const char *syn_note_about(const char *warning) {
  for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
    if (strstr(warning, known[i].words)) return known[i].about;
  return "";
}

const char *syn_note_known_words(size_t index) {
  return index < sizeof known / sizeof *known ? known[index].words : NULL;
}

static bool has_word(const char *text, const char *word) {
  const size_t length = strlen(word);
  for (const char *at = strstr(text, word); at; at = strstr(at + 1, word))
    if ((at == text || at[-1] == ' ') && (at[length] == ' ' || !at[length])) return true;
  return false;
}

bool syn_note_is_about(const char *about, const char *name, bool is_motion) {
  return has_word(about, is_motion ? SYN_ABOUT_MOTIONS : SYN_ABOUT_MEASURES) || has_word(about, name);
}

/* ---- assumptions --------------------------------------------------------------------------------------------------
 */

enum { OF_PELVIC_FRAME, OF_FEMORAL_FRAME, OF_SEAT, OF_JOINT_SURFACE };

syn_hip_assumed syn_hip_assumed_of(const syn_hip_analysis *a) {
  return (syn_hip_assumed){a->hip_case, a->limit_count > 0, a->left_out.triangles};
}

static bool is_partial_or_scan(const syn_hip_case *c, syn_hip_part bone) {
  if (!c->anatomy || !c->hip.parts[bone]) return false;
  const syn_frame_source source = bone == SYN_HIP_PELVIS ? c->anatomy->pelvis_frame : c->anatomy->femur_frame;
  return source == SYN_FRAME_PARTIAL || source == SYN_FRAME_BODY;
}

bool syn_hip_assumes(const syn_hip_assumed *a, size_t index) {
  switch (index) {
  case OF_PELVIC_FRAME: return is_partial_or_scan(a->hip_case, SYN_HIP_PELVIS);
  case OF_FEMORAL_FRAME: return is_partial_or_scan(a->hip_case, SYN_HIP_FEMUR);
  case OF_SEAT: return a->has_limits && vec3_length(a->hip_case->hip.seat) > 0;
  default: return a->has_limits && a->left_out_triangles > 0;
  }
}

static const char *frame_words(const syn_anatomy *anatomy, bool of_pelvis) {
  const syn_frame_source source = of_pelvis ? anatomy->pelvis_frame : anatomy->femur_frame;
  if (source == SYN_FRAME_BODY)
    return of_pelvis ? "The pelvic frame is that of the scan." : "The femoral frame is that of the scan.";
  return of_pelvis ? "The pelvic frame is partial: one half of the pelvis is there, and its plane of symmetry is "
                     "assumed. Flexion and adduction are measured from it."
                   : "The femoral frame is partial: the epicondyles are not there, and condyles or trochanters stand "
                     "in for them. Rotation is measured from it.";
}

syn_value syn_hip_assumption(const syn_hip_assumed *a, size_t index) {
  switch (index) {
  case OF_PELVIC_FRAME:
  case OF_FEMORAL_FRAME: return value_text(frame_words(a->hip_case->anatomy, index == OF_PELVIC_FRAME));
  case OF_SEAT:
    return syn_value_words("The head is shifted by %.*f mm from where it was scanned, to the middle of its socket.",
                           syn_mm_decimals(vec3_length(a->hip_case->hip.seat)), vec3_length(a->hip_case->hip.seat));
  default:
    return syn_value_words(
        "The joint surface of the head (%zu triangles within %.1f mm of its centre) stops no motion.",
        a->left_out_triangles, a->hip_case->hip.joint_ball.radius_mm);
  }
}

const char *syn_hip_assumption_about(size_t index) {
  switch (index) {
  case OF_PELVIC_FRAME: return SYN_ABOUT_MOTIONS " " OF_PELVIS;
  case OF_FEMORAL_FRAME: return SYN_ABOUT_MOTIONS " femoral_torsion_deg combined_version_deg";
  default: return SYN_ABOUT_MOTIONS;
  }
}

bool syn_hip_has_assumption(const void *analysis, size_t index) {
  const syn_hip_assumed assumed = syn_hip_assumed_of(analysis);
  return syn_hip_assumes(&assumed, index);
}

static syn_value text_of(const void *analysis, size_t index) {
  const syn_hip_assumed assumed = syn_hip_assumed_of(analysis);
  return syn_hip_assumption(&assumed, index);
}

static syn_value about_of(const void *object, size_t index) {
  (void)object;
  return value_text(syn_hip_assumption_about(index));
}

static const syn_result_field fields[] = {FIELD(TEXT, "text", "Assumption", "", FILE_ONLY, text_of),
                                          FIELD(TEXT, "about", "What it is about", "", FILE_ONLY, about_of)};
const syn_record syn_assumption_record = RECORD("assumptions", fields);
