/* Repeats the notes of a joint file as warnings when it is opened. */
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "joint/joint.h"
#include "result/record_json.h"

static const char noted[] = "when the joint file was made: ";

static const char *without_beginning(const char *warning) {
  return strncmp(warning, noted, sizeof noted - 1) == 0 ? warning + sizeof noted - 1 : warning;
}

bool syn_same_warning(const char *one, const char *other) {
  return strcmp(without_beginning(one), without_beginning(other)) == 0;
}

/* A joint file made from this one contains the note again, with the prefix only once. A note of the maximum length of a
 * warning still gets the prefix. */
void syn_joint_warn_notes(const syn_joint *joint) {
  const syn_context *context = syn_context_or_default(joint->context);
  char text[640];
  for (size_t i = 0; context->warn && i < joint->note_count; ++i) {
    snprintf(text, sizeof text, "%s%s", noted, without_beginning(joint->notes[i]));
    context->warn(context->user, text);
  }
}
