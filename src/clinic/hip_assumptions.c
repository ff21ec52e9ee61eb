#include "clinic/hip_assumptions.h"

#include "base/text.h"
#include "result/note_about.h"

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
  case OF_PELVIC_FRAME: return SYN_ABOUT_MOTIONS " " SYN_ABOUT_PELVIS;
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

static const syn_result_field assumption_fields[] = {FIELD(TEXT, "text", "Assumption", "", FILE_ONLY, text_of),
                                                     FIELD(TEXT, "about", "What it is about", "", FILE_ONLY, about_of)};
const syn_record syn_assumption_record = RECORD("assumptions", assumption_fields);
