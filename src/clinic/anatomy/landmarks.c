/* Names of landmarks, and files of them. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "base/names.h"
#include "base/text.h"
#include "base/vec.h"
#include "clinic/anatomy/anatomy.h"

static const char *const names[] = {
    [SYN_LANDMARK_HEAD_CENTER] = "head_center",
    [SYN_LANDMARK_ASIS] = "asis",
    [SYN_LANDMARK_ASIS_OTHER] = "asis_other",
    [SYN_LANDMARK_PSIS] = "psis",
    [SYN_LANDMARK_PSIS_OTHER] = "psis_other",
    [SYN_LANDMARK_PUBIC_TUBERCLE] = "pubic_tubercle",
    [SYN_LANDMARK_PUBIC_TUBERCLE_OTHER] = "pubic_tubercle_other",
    [SYN_LANDMARK_AIIS] = "aiis",
    [SYN_LANDMARK_ISCHIAL_SPINE] = "ischial_spine",
    [SYN_LANDMARK_ISCHIAL_TUBEROSITY] = "ischial_tuberosity",
    [SYN_LANDMARK_GREATER_TROCHANTER] = "greater_trochanter",
    [SYN_LANDMARK_LESSER_TROCHANTER] = "lesser_trochanter",
    [SYN_LANDMARK_NECK_ISTHMUS] = "neck_isthmus",
    [SYN_LANDMARK_MEDIAL_EPICONDYLE] = "medial_epicondyle",
    [SYN_LANDMARK_LATERAL_EPICONDYLE] = "lateral_epicondyle",
    [SYN_LANDMARK_POSTERIOR_MEDIAL_CONDYLE] = "posterior_medial_condyle",
    [SYN_LANDMARK_POSTERIOR_LATERAL_CONDYLE] = "posterior_lateral_condyle",
    [SYN_LANDMARK_DISTAL_MEDIAL_CONDYLE] = "distal_medial_condyle",
    [SYN_LANDMARK_DISTAL_LATERAL_CONDYLE] = "distal_lateral_condyle",
    [SYN_LANDMARK_INTERCONDYLAR_NOTCH] = "intercondylar_notch",
    [SYN_LANDMARK_MEDIAL_EPICONDYLE_MIDDLE] = "medial_epicondyle_middle",
    [SYN_LANDMARK_LATERAL_EPICONDYLE_MIDDLE] = "lateral_epicondyle_middle",
};

/* What else people write, in small letters without blanks. */
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

const char *syn_landmark_name(syn_landmark landmark) { return SYN_NAME(names, SYN_LANDMARKS, landmark); }

syn_landmark syn_landmark_named(const char *name) {
  for (int i = 0; i < SYN_LANDMARKS; ++i)
    if (!strcmp(names[i], name)) return (syn_landmark)i;
  return SYN_LANDMARKS;
}

/* ---- labels --------------------------------------------------------------------------------------------------------
 */

enum { LABEL = 64 };

/* Small letters and digits only; what stands in brackets is left out. */
static void simplify(const char *label, char simple[LABEL]) {
  size_t length = 0;
  for (; *label && *label != '(' && length + 1 < LABEL; ++label)
    if (isalnum((unsigned char)*label)) simple[length++] = (char)tolower((unsigned char)*label);
  simple[length] = 0;
}

static syn_landmark lookup(const char *simple) {
  char name[LABEL];
  for (int i = 0; i < SYN_LANDMARKS; ++i) {
    simplify(names[i], name);
    if (!strcmp(name, simple)) return (syn_landmark)i;
  }
  for (size_t i = 0; i < sizeof abbreviations / sizeof *abbreviations; ++i)
    if (!strcmp(abbreviations[i].text, simple)) return abbreviations[i].landmark;
  return SYN_LANDMARKS;
}

/* The landmark of a simplified label without its side, which may stand before or behind as a word or a letter. */
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

/* The same point of the other side; SYN_LANDMARKS where we do not use it. */
static syn_landmark across(syn_landmark landmark) {
  switch (landmark) {
  case SYN_LANDMARK_ASIS: return SYN_LANDMARK_ASIS_OTHER;
  case SYN_LANDMARK_PSIS: return SYN_LANDMARK_PSIS_OTHER;
  case SYN_LANDMARK_PUBIC_TUBERCLE: return SYN_LANDMARK_PUBIC_TUBERCLE_OTHER;
  default: return SYN_LANDMARKS;
  }
}

static void enter(const syn_context *context, const char *label, syn_vec3 place, syn_side side,
                  syn_found_point given[SYN_LANDMARK_SLOTS]) {
  char simple[LABEL];
  syn_side told;
  simplify(label, simple);
  syn_landmark landmark = lookup(simple);
  if (landmark == SYN_LANDMARKS) {
    landmark = without_side(simple, &told);
    if (landmark == SYN_LANDMARKS) {
      syn_warn(context, "the landmark \"%.60s\" is not known and is left out", label);
      return;
    }
    if (told != side) landmark = across(landmark);
    if (landmark == SYN_LANDMARKS) {
      syn_warn(context, "the landmark \"%.60s\" is of the other side and is left out", label);
      return;
    }
  }
  if (given[landmark].found == SYN_FOUND_GIVEN)
    syn_warn(context, "the landmark %s is there more than once: the last one counts", names[landmark]);
  given[landmark] = (syn_found_point){SYN_FOUND_GIVEN, place, 1};
}

/* ---- files ---------------------------------------------------------------------------------------------------------
 */

/* Ours is LPS; 3D Slicer has also written 0 for RAS and 1 for LPS. */
static syn_status read_system(const syn_json *markup, bool *ras, syn_error *error) {
  const syn_json system = syn_json_member(markup, "coordinateSystem");
  const char *text = "LPS";
  if (system.value) SYN_TRY(syn_json_text(&system, &text, error));
  *ras = !strcmp(text, "RAS") || !strcmp(text, "0");
  if (*ras || !strcmp(text, "LPS") || !strcmp(text, "1")) return SYN_OK;
  return syn_json_fail(&system, error, "the coordinate system must be LPS or RAS");
}

static syn_status read_markup(const syn_context *context, const syn_json *markup, syn_side side,
                              syn_found_point given[SYN_LANDMARK_SLOTS], syn_error *error) {
  bool ras;
  size_t count;
  SYN_TRY(syn_json_expect_object(markup, error));
  SYN_TRY(read_system(markup, &ras, error));
  const syn_json points = syn_json_member(markup, "controlPoints");
  SYN_TRY(syn_json_expect_array(&points, &count, error));
  for (size_t i = 0; i < count; ++i) {
    const syn_json point = syn_json_item(&points, i);
    SYN_TRY(syn_json_expect_object(&point, error));
    const syn_json label = syn_json_member(&point, "label"), position = syn_json_member(&point, "position");
    const char *text;
    syn_vec3 place;
    SYN_TRY(syn_json_text(&label, &text, error));
    SYN_TRY(syn_json_vec3(&position, &place, error));
    enter(context, text, ras ? vec3(-place.x, -place.y, place.z) : place, side, given);
  }
  return SYN_OK;
}

static syn_status read_plain(const syn_context *context, const syn_json *root, syn_side side,
                             syn_found_point given[SYN_LANDMARK_SLOTS], syn_error *error) {
  const char *key;
  json_t *value;
  json_object_foreach(root->value, key, value) {
    const syn_json member = syn_json_member(root, key);
    syn_vec3 place;
    SYN_TRY(syn_json_vec3(&member, &place, error));
    enter(context, key, place, side, given);
  }
  return SYN_OK;
}

static syn_status read_root(const syn_context *context, const syn_json *root, syn_side side,
                            syn_found_point given[SYN_LANDMARK_SLOTS], syn_error *error) {
  SYN_TRY(syn_json_expect_object(root, error));
  const syn_json markups = syn_json_member(root, "markups");
  if (!markups.value) return read_plain(context, root, side, given, error);
  size_t count;
  SYN_TRY(syn_json_expect_array(&markups, &count, error));
  for (size_t i = 0; i < count; ++i) {
    const syn_json markup = syn_json_item(&markups, i);
    SYN_TRY(read_markup(context, &markup, side, given, error));
  }
  return SYN_OK;
}

/* The text up to the next comma, without outer blanks and quotes. */
static syn_word next_field(const char **at, const char *end) {
  const char *begin = *at, *comma = memchr(begin, ',', (size_t)(end - begin)), *stop = comma ? comma : end;
  *at = comma ? comma + 1 : end;
  while (begin < stop && (*begin == ' ' || *begin == '\t' || *begin == '"')) ++begin;
  while (stop > begin && (stop[-1] == ' ' || stop[-1] == '\t' || stop[-1] == '"')) --stop;
  return (syn_word){begin, (size_t)(stop - begin)};
}

/* "asis,1,2,3". A first line without numbers names the columns. */
static syn_status read_csv_line(const syn_context *context, const syn_text *text, syn_word line, bool first,
                                syn_side side, syn_found_point given[SYN_LANDMARK_SLOTS], syn_error *error) {
  const char *at = line.at, *end = line.at + line.length;
  const syn_word name = next_field(&at, end);
  double place[3];
  char label[LABEL];
  bool numbers = true;
  for (int i = 0; i < 3; ++i)
    numbers = syn_word_double(next_field(&at, end), &place[i]) && isfinite(place[i]) && numbers;
  if (!numbers && first) return SYN_OK;
  if (!numbers || at < end) return syn_text_fail(text, error, "expected NAME,x,y,z in mm, such as asis,10.5,-3,42");
  snprintf(label, sizeof label, "%.*s", (int)(name.length < LABEL ? name.length : LABEL - 1), name.at);
  enter(context, label, vec3(place[0], place[1], place[2]), side, given);
  return SYN_OK;
}

static syn_status read_csv(const syn_context *context, const char *path, syn_side side,
                           syn_found_point given[SYN_LANDMARK_SLOTS], syn_error *error) {
  char *bytes;
  size_t size;
  SYN_TRY(syn_read_file(context, path, &bytes, &size, error));
  syn_text text = syn_text_from(bytes, size, path), here = text;
  syn_status status = SYN_OK;
  bool first = true;
  for (syn_word line; status == SYN_OK && syn_text_line(&text, &line); here = text) {
    if (line.length == 0 || line.at[0] == '#') continue;
    status = read_csv_line(context, &here, line, first, side, given, error);
    first = false;
  }
  syn_free(context, bytes);
  return status;
}

syn_status syn_landmarks_read(const syn_context *context, const char *path, syn_side side,
                              syn_found_point given[SYN_LANDMARK_SLOTS], syn_error *error) {
  json_t *value;
  SYN_TRY(syn_check_context(context, error));
  context = syn_context_or_default(context);
  for (int i = 0; i < SYN_LANDMARK_SLOTS; ++i) given[i] = (syn_found_point){0};
  if (syn_path_ends(path, ".csv")) return read_csv(context, path, side, given, error);
  SYN_TRY(syn_json_read(context, path, &value, error));
  const syn_json root = syn_json_root(value, path);
  const syn_status status = read_root(context, &root, side, given, error);
  json_decref(value);
  return status;
}
