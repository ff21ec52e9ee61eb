/* Reads postures from text: NAME=VALUE,… */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/vec.h"
#include "motion/skeleton.h"

#define DEGREES (180 / SYN_PI) /* per radian */

static const char *name_at(const void *skeleton, size_t index) {
  return ((const syn_skeleton *)skeleton)->dofs[index]->name;
}

/* Finds JOINT.DOF; names may contain dots. */
static size_t find_qualified(const syn_skeleton *skeleton, const char *name) {
  for (size_t i = 0; i < skeleton->dof_count; ++i) {
    const char *joint = skeleton->description.joints[skeleton->dof_joints[i]].name;
    const size_t length = strlen(joint);
    if (strncmp(name, joint, length) == 0 && name[length] == '.' &&
        strcmp(name + length + 1, skeleton->dofs[i]->name) == 0)
      return i;
  }
  return SIZE_MAX;
}

syn_status syn_skeleton_find_dof(const syn_skeleton *skeleton, const char *name, size_t *dof, syn_error *error) {
  char hint[96];
  *dof = skeleton_dof_named(skeleton, name);
  if (*dof == SIZE_MAX) *dof = find_qualified(skeleton, name);
  if (*dof != SIZE_MAX) return SYN_OK;
  return syn_fail(error, SYN_BAD_ARGUMENT, "this skeleton has no Dof '%.60s'.%s", name,
                  syn_did_you_mean(name, name_at, skeleton, skeleton->dof_count, hint));
}

/* ---- one setting ------------------------------------------------------------------------------------------------- */

typedef struct setting {
  size_t dof;
  double value; /* as typed */
  bool per_cent;
} setting;

static bool ends_with(syn_word *word, const char *ending) {
  const size_t length = strlen(ending);
  if (word->length <= length || memcmp(word->at + word->length - length, ending, length) != 0) return false;
  word->length -= length;
  return true;
}

/* Reads a number with or without the unit of the Dof, or per cent. */
static bool read_value(syn_word word, syn_dof_kind kind, setting *s) {
  s->per_cent = ends_with(&word, "%");
  if (!s->per_cent && kind == SYN_DOF_ROTATION && !ends_with(&word, "deg")) ends_with(&word, "°");
  if (!s->per_cent && kind == SYN_DOF_TRANSLATION) ends_with(&word, "mm");
  return syn_word_double(word, &s->value) && isfinite(s->value);
}

static syn_status read_setting(const syn_skeleton *skeleton, syn_word word, setting *s, syn_error *error) {
  const char *equals = memchr(word.at, '=', word.length);
  char name[160], shown[48];
  if (!equals || equals == word.at || (size_t)(equals - word.at) >= sizeof name)
    return syn_fail(error, SYN_BAD_ARGUMENT, "a posture is given as NAME=VALUE,…, such as %.60s=10, not '%s'",
                    skeleton->dof_count ? skeleton->dofs[0]->name : "flexion", syn_word_shown(word, shown));
  snprintf(name, sizeof name, "%.*s", (int)(equals - word.at), word.at);
  SYN_TRY(syn_skeleton_find_dof(skeleton, name, &s->dof, error));
  const bool turns = skeleton->dofs[s->dof]->kind == SYN_DOF_ROTATION;
  const syn_word value = {equals + 1, word.length - (size_t)(equals + 1 - word.at)};
  if (read_value(value, skeleton->dofs[s->dof]->kind, s)) return SYN_OK;
  return syn_fail(error, SYN_BAD_ARGUMENT, "%.60s= needs a number of %s, or per cent of its range, not '%s'", name,
                  turns ? "degrees" : "mm", syn_word_shown(value, shown));
}

static syn_status apply_value(const syn_skeleton *skeleton, const setting *s, double *values, syn_error *error) {
  const syn_dof *dof = skeleton->dofs[s->dof];
  const bool turns = dof->kind == SYN_DOF_ROTATION;
  const double unit = turns ? DEGREES : 1, value = s->value / unit;
  /* tolerance: rounding in the conversion of degrees must not exceed a limit */
  const double hair = 1e-12 * (fabs(dof->lower) + fabs(dof->upper));
  if (value < dof->lower - hair || value > dof->upper + hair)
    return syn_fail(error, SYN_BAD_ARGUMENT, "%.60s=%g is beyond its limits of %g to %g %s", dof->name, s->value,
                    dof->lower * unit, dof->upper * unit, turns ? "degrees" : "mm");
  values[s->dof] = min2(max2(value, dof->lower), dof->upper);
  return SYN_OK;
}

/* ---- a text of settings ------------------------------------------------------------------------------------------ */

/* Reads the next word between commas and blanks; returns false at the end. */
static bool next_word(const char **text, syn_word *word) {
  *text += strspn(*text, ", ");
  *word = (syn_word){*text, strcspn(*text, ", ")};
  *text += word->length;
  return word->length > 0;
}

/* Finds the setting in per cent of this Dof; the last one counts. */
static bool per_cent_of(const syn_skeleton *skeleton, const char *text, size_t dof, double *per_cent) {
  bool found = false;
  syn_word word;
  while (next_word(&text, &word)) {
    setting s;
    if (read_setting(skeleton, word, &s, NULL) != SYN_OK || s.dof != dof) continue;
    found = s.per_cent;
    *per_cent = s.value;
  }
  return found;
}

syn_status syn_skeleton_set(const syn_skeleton *skeleton, const char *text, double *values, syn_error *error) {
  const char *at = text;
  syn_word word;
  while (next_word(&at, &word)) {
    setting s;
    SYN_TRY(read_setting(skeleton, word, &s, error));
    if (!s.per_cent) SYN_TRY(apply_value(skeleton, &s, values, error));
    if (s.per_cent && !(s.value >= 0 && s.value <= 100))
      return syn_fail(error, SYN_BAD_ARGUMENT, "%.60s=%g%%: a part of the range is 0%% to 100%%",
                      skeleton->dofs[s.dof]->name, s.value);
  }
  /* a range depends on the Dofs that influence it, so those are set first */
  for (size_t i = 0; i < skeleton->dof_count; ++i) {
    const size_t dof = skeleton->store->order[i];
    double per_cent;
    if (per_cent_of(skeleton, text, dof, &per_cent))
      values[dof] = syn_skeleton_value(skeleton, dof, values, per_cent / 100);
  }
  return SYN_OK;
}
