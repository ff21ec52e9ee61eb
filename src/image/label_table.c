/* The table of labels of an image: what values there are, how many voxels each has, and where. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "image/label_tally.h"

static syn_status tally_row(label_tally *tally, const uint16_t *row, uint32_t length, uint16_t layer, uint32_t j,
                            uint32_t k, syn_error *error) {
  for (uint32_t i = 0, end; i < length; i = end) {
    for (end = i + 1; end < length && row[end] == row[i]; ++end) {
    }
    if (row[i]) SYN_TRY(syn_label_tally_run(tally, layer, row[i], (const uint32_t[3]){i, j, k}, end - 1, error));
  }
  return SYN_OK;
}

static syn_status tally_image(label_tally *tally, const syn_image *image, syn_error *error) {
  const uint16_t *row = image->voxels;
  for (uint32_t layer = 0; layer < image->layer_count; ++layer)
    for (uint32_t k = 0; k < image->size[2]; ++k)
      for (uint32_t j = 0; j < image->size[1]; ++j, row += image->size[0])
        SYN_TRY(tally_row(tally, row, image->size[0], (uint16_t)layer, j, k, error));
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
  }
  image->labels = labels;
  image->label_count = tally->count;
  return SYN_OK;
}

syn_status syn_image_make_labels(syn_arena *arena, syn_image *image, const syn_label *known, size_t known_count,
                                 syn_error *error) {
  label_tally tally = {.context = arena->context};
  syn_status status = SYN_OK;
  for (size_t i = 0; i < known_count && status == SYN_OK; ++i)
    if (known[i].layer < image->layer_count) status = syn_label_tally_name(&tally, &known[i], error);
  if (status == SYN_OK) status = tally_image(&tally, image, error);
  if (status == SYN_OK) {
    if (tally.count) qsort(tally.entries, tally.count, sizeof *tally.entries, compare_labels);
    status = keep_table(arena, image, &tally, error);
  }
  syn_label_tally_release(&tally);
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
