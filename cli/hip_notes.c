/* What was assumed, repaired or left out, for the files that outlive the console: report, result and joint file. */
#include <string.h>

#include "base/json.h"
#include "base/vec.h"
#include "hip_report.h"

json_t *cli_seat_value(const syn_hip *hip) {
  json_t *value = json_object();
  json_object_set_new(value, "shift_mm", syn_json_from_vec3(hip->seat));
  json_object_set_new(value, "length_mm", cli_real(vec3_length(hip->seat)));
  return value;
}

syn_status cli_warning_texts(const cli_session *session, syn_arena *arena, size_t more, const char ***texts,
                             size_t *count, syn_error *error) {
  *count = 0;
  SYN_TRY(syn_arena_take(arena, json_array_size(session->warnings) + more, sizeof **texts, (void **)texts, error));
  size_t i;
  json_t *warning;
  json_array_foreach(session->warnings, i, warning) { (*texts)[(*count)++] = json_string_value(warning); }
  return SYN_OK;
}

bool cli_is_among(const char *text, const char *const *texts, size_t count) {
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

static void note(cli_hip_writing *w, const char **notes, const char *text) {
  if (text) notes[w->report.note_count++] = text;
}

static const char *sentence(cli_hip_writing *w, const char *warning) {
  const size_t length = strlen(warning);
  const bool ended = length && strchr(".!?", warning[length - 1]);
  return cli_report_capital(cli_report_text(w, "%s%s", warning, ended ? "" : "."));
}

syn_status cli_report_fill_notes(cli_hip_writing *w, syn_error *error) {
  const syn_hip_case *hip_case = w->analysis->hip_case;
  const size_t noted = hip_case->joint->note_count;
  size_t count;
  const char **warnings, **notes;
  SYN_TRY(cli_warning_texts(w->session, &w->arena, 0, &warnings, &count, error));
  SYN_TRY(syn_arena_take(&w->arena, count + noted + 2, sizeof *notes, (void **)&notes, error));
  w->report.notes = notes;
  for (size_t i = 0; i < count; ++i) note(w, notes, sentence(w, warnings[i]));
  for (int bone = 0; hip_case->anatomy && bone < 2; ++bone)
    if (hip_case->hip.parts[bone ? SYN_HIP_FEMUR : SYN_HIP_PELVIS])
      note(w, notes, frame_words(hip_case->anatomy, bone == 0));
  for (size_t i = 0; i < noted; ++i) {
    const char *text = hip_case->joint->notes[i];
    if (!cli_is_among(text, warnings, count))
      note(w, notes, cli_report_text(w, "When the joint file was made: %s", sentence(w, text)));
  }
  return SYN_OK;
}
