/* What was assumed, repaired or left out, for the files that outlive the console: report, result and joint file. */
#include <string.h>

#include "report/hip/writing.h"

bool hip_is_among(const char *text, const char *const *texts, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (strcmp(text, texts[i]) == 0) return true;
  return false;
}

static const char *frame_words(const syn_anatomy *anatomy, bool of_pelvis) {
  const syn_frame_source source = of_pelvis ? anatomy->pelvis_frame : anatomy->femur_frame;
  if (source == SYN_FRAME_PARTIAL)
    return of_pelvis ? "The pelvic frame is partial: one half of the pelvis is there, and its plane of symmetry is "
                       "assumed. Flexion and adduction are measured from it."
                     : "The femoral frame is partial: the epicondyles are not there, and condyles or trochanters stand "
                       "in for them. Rotation is measured from it.";
  if (source == SYN_FRAME_BODY)
    return of_pelvis ? "The pelvic frame is that of the scan." : "The femoral frame is that of the scan.";
  return NULL;
}

static void note(syn_hip_writing *w, const char **notes, const char *text) {
  if (text) notes[w->report.note_count++] = text;
}

syn_status hip_fill_notes(syn_hip_writing *w, syn_error *error) {
  const syn_hip_case *hip_case = w->analysis->hip_case;
  const size_t noted = hip_case->joint->note_count;
  const size_t count = w->provenance->warning_count;
  const char *const *warnings = w->provenance->warnings;
  const char **notes;
  SYN_TRY(syn_arena_take(&w->arena, count + noted + 2, sizeof *notes, (void **)&notes, error));
  w->report.notes = notes;
  for (size_t i = 0; i < count; ++i) note(w, notes, syn_filled_sentence(&w->arena, warnings[i]));
  for (int bone = 0; hip_case->anatomy && bone < 2; ++bone)
    if (hip_case->hip.parts[bone ? SYN_HIP_FEMUR : SYN_HIP_PELVIS])
      note(w, notes, frame_words(hip_case->anatomy, bone == 0));
  for (size_t i = 0; i < noted; ++i) {
    const char *text = hip_case->joint->notes[i];
    if (!hip_is_among(text, warnings, count))
      note(w, notes, hip_text(w, "When the joint file was made: %s", syn_filled_sentence(&w->arena, text)));
  }
  return SYN_OK;
}
