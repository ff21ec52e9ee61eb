#include "image/label_tally.h"

#include <string.h>

enum { PAGES = 256, PAGE = 256 };

void syn_label_tally_release(label_tally *tally) {
  for (size_t layer = 0; layer < SYN_MOST_LAYERS; ++layer) {
    if (!tally->pages[layer]) continue;
    for (size_t page = 0; page < PAGES; ++page) syn_free(tally->context, tally->pages[layer][page]);
    syn_free(tally->context, tally->pages[layer]);
  }
  syn_free(tally->context, tally->entries);
  *tally = (label_tally){.context = tally->context};
}

syn_label *syn_label_tally_find(const label_tally *tally, uint16_t layer, uint16_t value) {
  uint32_t *const *pages = tally->pages[layer];
  const uint32_t *page = pages ? pages[value / PAGE] : NULL;
  return page && page[value % PAGE] ? &tally->entries[page[value % PAGE] - 1] : NULL;
}

static syn_status add_entry(label_tally *tally, const syn_label *label, syn_error *error) {
  uint32_t ***pages = &tally->pages[label->layer];
  if (!*pages) SYN_TRY(SYN_NEW_ZEROED(tally->context, pages, PAGES, error));
  uint32_t **page = &(*pages)[label->value / PAGE];
  if (!*page) SYN_TRY(SYN_NEW_ZEROED(tally->context, page, PAGE, error));
  SYN_TRY(SYN_RESERVE(tally->context, &tally->entries, tally->count, 1, &tally->capacity, error));
  syn_label *entry = &tally->entries[tally->count++];
  *entry = *label;
  entry->voxel_count = 0;
  memset(entry->first, 0, sizeof entry->first);
  memset(entry->last, 0, sizeof entry->last);
  (*page)[label->value % PAGE] = (uint32_t)tally->count;
  return SYN_OK;
}

syn_status syn_label_tally_name(label_tally *tally, const syn_label *label, syn_error *error) {
  if (label->value == 0 || label->layer >= SYN_MOST_LAYERS) return SYN_OK;
  return syn_label_tally_find(tally, label->layer, label->value) ? SYN_OK : add_entry(tally, label, error);
}

syn_status syn_label_tally_run(label_tally *tally, uint16_t layer, uint16_t value, const uint32_t at[3], uint32_t end,
                               syn_error *error) {
  syn_label *entry = syn_label_tally_find(tally, layer, value);
  if (!entry) {
    SYN_TRY(add_entry(tally, &(syn_label){.value = value, .layer = layer, .side = SYN_SIDES}, error));
    entry = &tally->entries[tally->count - 1];
  }
  const uint32_t last[3] = {end, at[1], at[2]};
  const bool fresh = entry->voxel_count == 0;
  for (int axis = 0; axis < 3; ++axis) {
    if (fresh || at[axis] < entry->first[axis]) entry->first[axis] = at[axis];
    if (fresh || last[axis] > entry->last[axis]) entry->last[axis] = last[axis];
  }
  entry->voxel_count += end - at[0] + 1;
  return SYN_OK;
}
