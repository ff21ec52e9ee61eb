#include "image/label_choice.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

/* ---- by names and numbers -----------------------------------------------------------------------------------------
 */

static bool has_name(const syn_label *label) { return label->name && label->name[0]; }
static bool same_part(const syn_label *a, const syn_label *b) {
  return a->part && b->part && strcmp(a->part, b->part) == 0 && a->side == b->side;
}

static void recognise_labels(const syn_context *context, const char *file, label_tally *tally) {
  bool named = false;
  for (size_t i = 0; i < tally->count; ++i) {
    syn_label *entry = &tally->entries[i];
    named |= has_name(entry);
    if (!entry->part && has_name(entry)) syn_image_part_find(entry->name, &entry->part, &entry->side);
  }
  const char *program = named ? NULL : syn_label_numbers_find(tally);
  if (program)
    syn_warn(context, "%s: the labels have no names; by their numbers they are taken as those of %s", file, program);
}

/* Numbers of fragments of one bone become one label. */
static void join_fragments(const label_tally *tally, label_choice *choice) {
  for (size_t i = 0; i < tally->count; ++i)
    for (size_t k = 0; k < i && !has_name(&tally->entries[i]); ++k)
      if (choice->kept[k] == tally->entries[k].value && !has_name(&tally->entries[k]) &&
          same_part(&tally->entries[i], &tally->entries[k])) {
        choice->kept[i] = choice->kept[k];
        break;
      }
}

static void doubt_names(const syn_context *context, const char *file, const label_tally *tally,
                        const label_choice *choice) {
  for (size_t i = 0; i < tally->count; ++i)
    for (size_t k = 0; k < i; ++k) {
      const syn_label *a = &tally->entries[k], *b = &tally->entries[i];
      if (has_name(a) && has_name(b) && a->voxel_count && b->voxel_count && same_part(a, b) &&
          choice->kept[i] != choice->kept[k])
        syn_warn(context, "%s: two labels may be the %s%s%s: '%s' and '%s'; --labels decides", file,
                 a->side == SYN_SIDES ? "" : syn_side_name(a->side), a->side == SYN_SIDES ? "" : " ", a->part, a->name,
                 b->name);
    }
}

/* ---- by the caller ------------------------------------------------------------------------------------------------
 */

static void list_labels(const label_tally *tally, char text[200]) {
  size_t used = 0;
  text[0] = 0;
  for (size_t i = 0; i < tally->count && used < 150; ++i)
    if (tally->entries[i].voxel_count)
      used += (size_t)snprintf(text + used, 200 - used, "%s%u%s%.30s", used ? ", " : "", tally->entries[i].value,
                               has_name(&tally->entries[i]) ? " " : "",
                               has_name(&tally->entries[i]) ? tally->entries[i].name : "");
}

static bool is_word(const char *text, syn_word word) {
  return text && strlen(text) == word.length && memcmp(text, word.at, word.length) == 0;
}

/* The first label of this name or value. */
static syn_label *find_label(const label_tally *tally, syn_word word) {
  uint64_t value;
  for (size_t i = 0; i < tally->count; ++i)
    if (is_word(tally->entries[i].name, word)) return &tally->entries[i];
  const bool number = syn_word_uint64(word, &value);
  for (size_t i = 0; number && i < tally->count; ++i)
    if (tally->entries[i].value == value) return &tally->entries[i];
  return NULL;
}

static syn_word cut_word(const char **at, char end) {
  const char *from = *at, *to = strchr(from, end);
  if (!to) to = from + strlen(from);
  *at = *to ? to + 1 : to;
  while (from < to && *from == ' ') ++from;
  const char *last = to;
  while (last > from && last[-1] == ' ') --last;
  return (syn_word){from, (size_t)(last - from)};
}

/* "femur_left" with the labels 2 and 3. */
static syn_status assign_labels(const char *file, const char *name, const char *values, label_tally *tally,
                                label_choice *choice, syn_error *error) {
  syn_label bone = {.side = SYN_SIDES}, *first = NULL;
  syn_image_part_find(name, &bone.part, &bone.side);
  while (*values) {
    char known[200], shown[48];
    const syn_word word = cut_word(&values, '+');
    syn_label *label = find_label(tally, word);
    list_labels(tally, known);
    if (!label || label->voxel_count == 0)
      return syn_fail_at(error, SYN_BAD_ARGUMENT, file, 0, -1,
                         "no voxel has the label '%s' that '%s' should be; there are: %s", syn_word_shown(word, shown),
                         name, known);
    const bool has_side = bone.side == SYN_SIDES && bone.part && label->part && strcmp(bone.part, label->part) == 0;
    label->part = bone.part;
    if (!has_side) label->side = bone.side;
    if (!bone.part || !has_name(label)) label->name = name;
    if (!first) first = label;
    if (first->layer != label->layer)
      return syn_fail_at(error, SYN_BAD_ARGUMENT, file, 0, -1,
                         "the labels of '%s' overlap and cannot be joined: join them in the program that made them",
                         name);
    choice->kept[label - tally->entries] = first->value;
  }
  /* What the caller says counts more than the name of another label. */
  for (size_t i = 0; first && i < tally->count; ++i)
    if (choice->kept[i] != first->value && same_part(&tally->entries[i], first)) tally->entries[i].part = NULL;
  return SYN_OK;
}

static syn_status follow_caller(const char *text, const char *file, syn_arena *arena, label_tally *tally,
                                label_choice *choice, syn_error *error) {
  while (*text) {
    const syn_word word = cut_word(&text, ',');
    const char *equals = memchr(word.at, '=', word.length);
    size_t before = equals ? (size_t)(equals - word.at) : 0;
    char *name, *values, shown[48];
    if (before == 0 || before + 1 == word.length)
      return syn_fail(error, SYN_BAD_ARGUMENT, "'%s' is no label: write NAME=NUMBER, as in pelvis=1,femur=2",
                      syn_word_shown(word, shown));
    while (before > 1 && word.at[before - 1] == ' ') --before;
    SYN_TRY(syn_arena_text(arena, word.at, before, &name, error));
    SYN_TRY(syn_arena_text(arena, equals + 1, (size_t)(word.at + word.length - equals) - 1, &values, error));
    SYN_TRY(assign_labels(file, name, values, tally, choice, error));
  }
  return SYN_OK;
}

/* ---- what is kept -------------------------------------------------------------------------------------------------
 */

static bool is_wanted(const syn_image_read_options *options, const syn_label *label) {
  for (size_t i = 0; i < options->part_count; ++i) {
    syn_label wanted;
    syn_image_part_find(options->parts[i], &wanted.part, &wanted.side);
    if (label->name && strcmp(label->name, options->parts[i]) == 0) return true;
    if (wanted.part && label->part && strcmp(wanted.part, label->part) == 0 &&
        (wanted.side == SYN_SIDES || wanted.side == label->side))
      return true;
  }
  return false;
}

static void drop_others(const syn_image_read_options *options, const label_tally *tally, label_choice *choice) {
  bool some = false;
  for (size_t i = 0; i < tally->count; ++i)
    some |= tally->entries[i].voxel_count > 0 && is_wanted(options, &tally->entries[i]);
  for (size_t i = 0; some && i < tally->count; ++i)
    if (!is_wanted(options, &tally->entries[i])) choice->kept[i] = 0;
}

static void find_box(const label_tally *tally, label_choice *choice) {
  for (size_t i = 0; i < tally->count; ++i) {
    const syn_label *entry = &tally->entries[i];
    if (!choice->kept[i] || entry->voxel_count == 0) continue;
    for (int axis = 0; axis < 3; ++axis) {
      if (!choice->some || entry->first[axis] < choice->first[axis]) choice->first[axis] = entry->first[axis];
      if (!choice->some || entry->last[axis] > choice->last[axis]) choice->last[axis] = entry->last[axis];
    }
    choice->some = true;
  }
}

syn_status syn_label_choice_make(const syn_image_read_options *options, const char *file, syn_arena *arena,
                                 label_tally *tally, label_choice *choice, syn_error *error) {
  *choice = (label_choice){0};
  SYN_TRY(SYN_TAKE(arena, &choice->kept, tally->count, error));
  for (size_t i = 0; i < tally->count; ++i) choice->kept[i] = tally->entries[i].value;
  recognise_labels(arena->context, file, tally);
  if (options->labels) SYN_TRY(follow_caller(options->labels, file, arena, tally, choice, error));
  if (tally->count <= SYN_MOST_LAYERS) {
    join_fragments(tally, choice);
    doubt_names(arena->context, file, tally, choice);
  }
  if (options->part_count) drop_others(options, tally, choice);
  find_box(tally, choice);
  return SYN_OK;
}
