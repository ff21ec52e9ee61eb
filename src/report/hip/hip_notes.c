/* What was assumed, repaired or left out, for the files that outlive the console: report, result and joint file. */
#include <string.h>

#include "report/hip/hip_writing.h"
#include "result/note_about.h"
#include <synovia/json.h>

bool syn_hip_is_among(const char *text, const char *const *texts, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (syn_same_warning(text, texts[i])) return true;
  return false;
}

/* With what it is about. */
static void note(syn_hip_writing *w, const char **notes, const char **about, const char *text, const char *of) {
  notes[w->report.note_count] = text;
  about[w->report.note_count++] = of;
}

syn_status syn_hip_fill_notes(syn_hip_writing *w, syn_error *error) {
  const syn_hip_case *hip_case = w->analysis->hip_case;
  const size_t noted = hip_case->joint->note_count;
  const size_t count = w->provenance->warning_count, most = count + noted + SYN_HIP_ASSUMPTIONS;
  const char *const *warnings = w->provenance->warnings;
  const char **notes, **about;
  SYN_TRY(syn_arena_take(&w->arena, most, sizeof *notes, (void **)&notes, error));
  SYN_TRY(syn_arena_take(&w->arena, most, sizeof *about, (void **)&about, error));
  w->report.notes = notes;
  w->report.note_about = about;
  for (size_t i = 0; i < count; ++i)
    note(w, notes, about, syn_filled_sentence(&w->arena, warnings[i]), syn_note_about(warnings[i]));
  for (size_t i = 0; i < SYN_HIP_ASSUMPTIONS; ++i) {
    if (!syn_hip_has_assumption(w->analysis, i)) continue;
    const syn_value text = syn_record_value(&syn_assumption_record, 0, w->analysis, i),
                    of = syn_record_value(&syn_assumption_record, 1, w->analysis, i);
    note(w, notes, about, hip_text(w, "%s", syn_value_text(&text)), syn_value_text(&of));
  }
  for (size_t i = 0; i < noted; ++i) {
    const char *text = hip_case->joint->notes[i];
    if (!syn_hip_is_among(text, warnings, count))
      note(w, notes, about, hip_text(w, "When the joint file was made: %s", syn_filled_sentence(&w->arena, text)),
           syn_note_about(text));
  }
  return SYN_OK;
}
