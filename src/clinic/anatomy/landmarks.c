/* Names of landmarks, and labels common elsewhere. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/names.h"
#include "base/text.h"
#include "clinic/anatomy/landmarks.h"

SYN_ENUM_NAMES(
    syn_landmark, SYN_LANDMARKS, [SYN_LANDMARK_HEAD_CENTER] = "head_center", [SYN_LANDMARK_ASIS] = "asis",
    [SYN_LANDMARK_ASIS_OTHER] = "asis_other", [SYN_LANDMARK_PSIS] = "psis", [SYN_LANDMARK_PSIS_OTHER] = "psis_other",
    [SYN_LANDMARK_PUBIC_TUBERCLE] = "pubic_tubercle", [SYN_LANDMARK_PUBIC_TUBERCLE_OTHER] = "pubic_tubercle_other",
    [SYN_LANDMARK_AIIS] = "aiis", [SYN_LANDMARK_ISCHIAL_SPINE] = "ischial_spine",
    [SYN_LANDMARK_ISCHIAL_TUBEROSITY] = "ischial_tuberosity", [SYN_LANDMARK_GREATER_TROCHANTER] = "greater_trochanter",
    [SYN_LANDMARK_LESSER_TROCHANTER] = "lesser_trochanter", [SYN_LANDMARK_NECK_ISTHMUS] = "neck_isthmus",
    [SYN_LANDMARK_MEDIAL_EPICONDYLE] = "medial_epicondyle", [SYN_LANDMARK_LATERAL_EPICONDYLE] = "lateral_epicondyle",
    [SYN_LANDMARK_POSTERIOR_MEDIAL_CONDYLE] = "posterior_medial_condyle",
    [SYN_LANDMARK_POSTERIOR_LATERAL_CONDYLE] = "posterior_lateral_condyle",
    [SYN_LANDMARK_DISTAL_MEDIAL_CONDYLE] = "distal_medial_condyle",
    [SYN_LANDMARK_DISTAL_LATERAL_CONDYLE] = "distal_lateral_condyle",
    [SYN_LANDMARK_INTERCONDYLAR_NOTCH] = "intercondylar_notch",
    [SYN_LANDMARK_MEDIAL_EPICONDYLE_MIDDLE] = "medial_epicondyle_middle",
    [SYN_LANDMARK_LATERAL_EPICONDYLE_MIDDLE] = "lateral_epicondyle_middle");

/* Other usual labels, in small letters without blanks. */
static const struct {
  const char *text;
  syn_landmark landmark;
} abbreviations[] = {
    {"hjc", SYN_LANDMARK_HEAD_CENTER},
    {"fhc", SYN_LANDMARK_HEAD_CENTER},
    {"headcentre", SYN_LANDMARK_HEAD_CENTER},
    {"femoralheadcenter", SYN_LANDMARK_HEAD_CENTER},
    {"femoralheadcentre", SYN_LANDMARK_HEAD_CENTER},
    {"hipjointcenter", SYN_LANDMARK_HEAD_CENTER},
    {"hipjointcentre", SYN_LANDMARK_HEAD_CENTER},
    {"anteriorsuperioriliacspine", SYN_LANDMARK_ASIS},
    {"posteriorsuperioriliacspine", SYN_LANDMARK_PSIS},
    {"anteriorinferioriliacspine", SYN_LANDMARK_AIIS},
    {"pt", SYN_LANDMARK_PUBIC_TUBERCLE},
    {"is", SYN_LANDMARK_ISCHIAL_SPINE},
    {"it", SYN_LANDMARK_ISCHIAL_TUBEROSITY},
    {"gt", SYN_LANDMARK_GREATER_TROCHANTER},
    {"sgt", SYN_LANDMARK_GREATER_TROCHANTER},
    {"superiorgreatertrochanter", SYN_LANDMARK_GREATER_TROCHANTER},
    {"lt", SYN_LANDMARK_LESSER_TROCHANTER},
    {"mec", SYN_LANDMARK_MEDIAL_EPICONDYLE},
    {"mep", SYN_LANDMARK_MEDIAL_EPICONDYLE},
    {"fme", SYN_LANDMARK_MEDIAL_EPICONDYLE},
    {"lec", SYN_LANDMARK_LATERAL_EPICONDYLE},
    {"lep", SYN_LANDMARK_LATERAL_EPICONDYLE},
    {"fle", SYN_LANDMARK_LATERAL_EPICONDYLE},
    {"pmc", SYN_LANDMARK_POSTERIOR_MEDIAL_CONDYLE},
    {"plc", SYN_LANDMARK_POSTERIOR_LATERAL_CONDYLE},
    {"dmc", SYN_LANDMARK_DISTAL_MEDIAL_CONDYLE},
    {"dlc", SYN_LANDMARK_DISTAL_LATERAL_CONDYLE},
    {"icn", SYN_LANDMARK_INTERCONDYLAR_NOTCH},
};

syn_landmark syn_landmark_named(const char *name) {
  for (int i = 0; i < SYN_LANDMARKS; ++i)
    if (!strcmp(syn_landmark_names.names[i], name)) return (syn_landmark)i;
  return SYN_LANDMARKS;
}

/* ---- labels ------------------------------------------------------------------------------------------------------ */

enum { LABEL = SYN_LANDMARK_LABEL };

/* Keeps small letters and digits only; drops text in brackets. */
static void simplify(const char *label, char simple[LABEL]) {
  size_t length = 0;
  for (; *label && *label != '(' && length + 1 < LABEL; ++label)
    if (isalnum((unsigned char)*label)) simple[length++] = (char)tolower((unsigned char)*label);
  simple[length] = 0;
}

static syn_landmark lookup(const char *simple) {
  char name[LABEL];
  for (int i = 0; i < SYN_LANDMARKS; ++i) {
    simplify(syn_landmark_names.names[i], name);
    if (!strcmp(name, simple)) return (syn_landmark)i;
  }
  for (size_t i = 0; i < sizeof abbreviations / sizeof *abbreviations; ++i)
    if (!strcmp(abbreviations[i].text, simple)) return abbreviations[i].landmark;
  return SYN_LANDMARKS;
}

/* Finds the landmark of a simplified label without its side, which may precede or follow as a word or a letter. */
static syn_landmark without_side(char *simple, syn_side *side) {
  static const struct {
    const char *word;
    syn_side side;
  } words[] = {{"right", SYN_SIDE_RIGHT}, {"left", SYN_SIDE_LEFT}, {"r", SYN_SIDE_RIGHT}, {"l", SYN_SIDE_LEFT}};
  const size_t length = strlen(simple);
  for (size_t i = 0; i < sizeof words / sizeof *words; ++i) {
    const size_t word = strlen(words[i].word);
    if (length <= word) continue;
    *side = words[i].side;
    if (!strncmp(simple, words[i].word, word) && lookup(simple + word) != SYN_LANDMARKS) return lookup(simple + word);
    if (strcmp(simple + length - word, words[i].word) != 0) continue;
    char front[LABEL];
    snprintf(front, sizeof front, "%.*s", (int)(length - word), simple);
    if (lookup(front) != SYN_LANDMARKS) return lookup(front);
  }
  return SYN_LANDMARKS;
}

/* Returns the same point of the other side; SYN_LANDMARKS if it is not used. */
static syn_landmark across(syn_landmark landmark) {
  switch (landmark) {
  case SYN_LANDMARK_ASIS: return SYN_LANDMARK_ASIS_OTHER;
  case SYN_LANDMARK_PSIS: return SYN_LANDMARK_PSIS_OTHER;
  case SYN_LANDMARK_PUBIC_TUBERCLE: return SYN_LANDMARK_PUBIC_TUBERCLE_OTHER;
  default: return SYN_LANDMARKS;
  }
}

/* Enters a landmark with a known label; returns false for other labels. */
static bool enter_known(syn_landmark_list *list, const char *label, syn_vec3 position) {
  char simple[LABEL];
  syn_side side;
  simplify(label, simple);
  syn_landmark landmark = lookup(simple);
  if (landmark == SYN_LANDMARKS) {
    landmark = without_side(simple, &side);
    if (landmark == SYN_LANDMARKS) return false;
    if (side != list->side) landmark = across(landmark);
    if (landmark == SYN_LANDMARKS) {
      syn_warn(list->context, "the landmark \"%.60s\" is of the other side and is left out", label);
      ++list->other_side;
      return true;
    }
  }
  if (list->given[landmark].found == SYN_FOUND_GIVEN)
    syn_warn(list->context, "the landmark %s is there more than once: the last one counts",
             syn_landmark_names.names[landmark]);
  list->given[landmark] = (syn_found_point){SYN_FOUND_GIVEN, position, 1};
  ++list->entered;
  return true;
}

/* ---- unknown labels ---------------------------------------------------------------------------------------------- */

static const char *name_at(const void *user, size_t index) {
  (void)user;
  return syn_landmark_names.names[index];
}

/* Writes " Did you mean 'asis'?" or nothing; ignores sides and case. */
static char *suggest_landmark(const char *label, char hint[96]) {
  static const char *const sides[] = {"right_", "left_"};
  char typed[LABEL];
  size_t length = 0;
  for (; label[length] && length + 1 < LABEL; ++length)
    typed[length] = (char)(isalnum((unsigned char)label[length]) ? tolower((unsigned char)label[length]) : '_');
  typed[length] = 0;
  const char *bare = typed;
  for (size_t i = 0; i < sizeof sides / sizeof *sides; ++i)
    if (!strncmp(typed, sides[i], strlen(sides[i]))) bare = typed + strlen(sides[i]);
  return syn_did_you_mean(bare, name_at, NULL, SYN_LANDMARKS, hint);
}

syn_status syn_landmark_enter(syn_landmark_list *list, const char *label, syn_vec3 position, int64_t line,
                              syn_error *error) {
  char hint[96], known[400] = "", shown[48];
  if (enter_known(list, label, position)) return SYN_OK;
  suggest_landmark(label, hint);
  syn_word_shown((syn_word){label, strlen(label)}, shown);
  if (list->others_are_fine && !hint[0]) {
    syn_warn(list->context, "the landmark \"%s\" is not known and is left out", shown);
    return SYN_OK;
  }
  for (size_t i = 0, used = 0; i < SYN_LANDMARKS && used < sizeof known; ++i)
    used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", i > 0 ? ", " : "", syn_landmark_names.names[i]);
  return syn_fail_at(error, SYN_BAD_FORMAT, list->file, line, -1, "the landmark '%.30s' is not known.%s Known: %s",
                     shown, hint, known);
}
