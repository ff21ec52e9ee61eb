/* The table of labels of an image: what values there are, how many voxels each has, and where. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "image/image_shared.h"

enum { VALUES = UINT16_MAX + 1 };

/* A table that grows while voxels are walked; entry_of has one more than the entry of each value of the layer. */
typedef struct label_tally {
  const syn_context *context;
  syn_label *entries;
  size_t count, capacity;
  uint32_t *entry_of;
} label_tally;

static syn_status add_entry(label_tally *tally, const syn_label *label, syn_error *error) {
  SYN_TRY(SYN_RESERVE(tally->context, &tally->entries, tally->count, 1, &tally->capacity, error));
  syn_label *entry = &tally->entries[tally->count++];
  *entry = *label;
  entry->voxel_count = 0;
  memset(entry->first, 0, sizeof entry->first);
  memset(entry->last, 0, sizeof entry->last);
  tally->entry_of[label->value] = (uint32_t)tally->count;
  return SYN_OK;
}

/* Adds a run of voxels i to `end` of row (j, k). */
static syn_status add_run(label_tally *tally, uint16_t value, uint16_t layer, const uint32_t at[3], uint32_t end,
                          syn_error *error) {
  if (tally->entry_of[value] == 0)
    SYN_TRY(add_entry(tally, &(syn_label){.value = value, .layer = layer, .side = SYN_SIDES}, error));
  syn_label *entry = &tally->entries[tally->entry_of[value] - 1];
  const uint32_t last[3] = {end, at[1], at[2]};
  const bool fresh = entry->voxel_count == 0;
  for (int axis = 0; axis < 3; ++axis) {
    if (fresh || at[axis] < entry->first[axis]) entry->first[axis] = at[axis];
    if (fresh || last[axis] > entry->last[axis]) entry->last[axis] = last[axis];
  }
  entry->voxel_count += end - at[0] + 1;
  return SYN_OK;
}

static syn_status tally_row(label_tally *tally, const uint16_t *row, uint32_t length, uint16_t layer, uint32_t j,
                            uint32_t k, syn_error *error) {
  for (uint32_t i = 0, end; i < length; i = end) {
    for (end = i + 1; end < length && row[end] == row[i]; ++end) {
    }
    if (row[i]) SYN_TRY(add_run(tally, row[i], layer, (const uint32_t[3]){i, j, k}, end - 1, error));
  }
  return SYN_OK;
}

static syn_status tally_layer(label_tally *tally, const syn_image *image, uint16_t layer, const syn_label *known,
                              size_t known_count, syn_error *error) {
  memset(tally->entry_of, 0, VALUES * sizeof *tally->entry_of);
  for (size_t i = 0; i < known_count; ++i)
    if (known[i].layer == layer && known[i].value && tally->entry_of[known[i].value] == 0)
      SYN_TRY(add_entry(tally, &known[i], error));
  const uint16_t *row = image->voxels + layer * syn_image_voxel_count(image);
  for (uint32_t k = 0; k < image->size[2]; ++k)
    for (uint32_t j = 0; j < image->size[1]; ++j, row += image->size[0])
      SYN_TRY(tally_row(tally, row, image->size[0], layer, j, k, error));
  return SYN_OK;
}

static int compare_labels(const void *first, const void *second) {
  const syn_label *a = first, *b = second;
  if (a->layer != b->layer) return a->layer < b->layer ? -1 : 1;
  return a->value < b->value ? -1 : a->value > b->value;
}

/* Copies the sorted table into the arena, with names for all. */
static syn_status keep_table(syn_arena *arena, syn_image *image, const label_tally *tally, syn_error *error) {
  syn_label *labels;
  SYN_TRY(SYN_TAKE(arena, &labels, tally->count, error));
  for (size_t i = 0; i < tally->count; ++i) {
    char number[32], *name;
    labels[i] = tally->entries[i];
    snprintf(number, sizeof number, "label %u", labels[i].value);
    const char *given = labels[i].name && labels[i].name[0] ? labels[i].name : number;
    SYN_TRY(syn_arena_text(arena, given, strlen(given), &name, error));
    labels[i].name = name;
    if (!labels[i].part) syn_image_part_find(given, &labels[i].part, &labels[i].side);
  }
  image->labels = labels;
  image->label_count = tally->count;
  return SYN_OK;
}

syn_status syn_image_make_labels(syn_arena *arena, syn_image *image, const syn_label *known, size_t known_count,
                                 syn_error *error) {
  label_tally tally = {.context = arena->context};
  syn_status status = SYN_NEW(arena->context, &tally.entry_of, VALUES, error);
  for (uint32_t layer = 0; layer < image->layer_count && status == SYN_OK; ++layer)
    status = tally_layer(&tally, image, (uint16_t)layer, known, known_count, error);
  if (status == SYN_OK) {
    if (tally.count) qsort(tally.entries, tally.count, sizeof *tally.entries, compare_labels);
    status = keep_table(arena, image, &tally, error);
  }
  syn_free(arena->context, tally.entry_of);
  syn_free(arena->context, tally.entries);
  return status;
}

/* ---- finding ------------------------------------------------------------------------------------------------------
 */

/* The only label that fits, or SYN_NONE. */
typedef bool label_fits(const syn_label *label, const void *wanted);
static uint32_t find_only(const syn_image *image, label_fits *fits, const void *wanted) {
  uint32_t found = SYN_NONE;
  for (size_t i = 0; i < image->label_count; ++i)
    if (fits(&image->labels[i], wanted)) {
      if (found != SYN_NONE) return SYN_NONE;
      found = (uint32_t)i;
    }
  return found;
}

static bool has_name(const syn_label *label, const void *wanted) { return strcmp(label->name, wanted) == 0; }
static bool has_value(const syn_label *label, const void *wanted) { return label->value == *(const uint64_t *)wanted; }
/* A wanted part without a side takes any. */
static bool has_part(const syn_label *label, const void *wanted) {
  const syn_label *w = wanted;
  return label->part && strcmp(label->part, w->part) == 0 && (w->side == SYN_SIDES || label->side == w->side);
}

uint32_t syn_image_label_find(const syn_image *image, const char *name) {
  uint32_t found = find_only(image, has_name, name);
  if (found != SYN_NONE) return found;
  syn_label wanted = {.side = SYN_SIDES};
  syn_image_part_find(name, &wanted.part, &wanted.side);
  if (wanted.part) found = find_only(image, has_part, &wanted);
  if (found != SYN_NONE) return found;
  uint64_t value;
  return syn_word_uint64((syn_word){name, strlen(name)}, &value) ? find_only(image, has_value, &value) : SYN_NONE;
}
