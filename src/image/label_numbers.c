/* The numbers by which known programs label bones, for files without names. TotalSegmentator: its class maps total
 * (versions 2 and 3), total of version 1, and total_mr. PENGWIN numbers the fragments of each bone. */
#include "image/label_choice.h"

typedef struct numbered_bone {
  uint16_t value;
  const char *part;
  syn_side side;
} numbered_bone;

enum { NUMBERED_BONES = 5 };
static const struct number_table {
  const char *program;
  uint16_t most; /* its largest number */
  numbered_bone bones[NUMBERED_BONES];
} tables[] = {
    {"TotalSegmentator, version 1",
     104,
     {{88, "femur", SYN_SIDE_LEFT},
      {89, "femur", SYN_SIDE_RIGHT},
      {90, "hip_bone", SYN_SIDE_LEFT},
      {91, "hip_bone", SYN_SIDE_RIGHT},
      {92, "sacrum", SYN_SIDES}}},
    {"TotalSegmentator, total",
     117,
     {{75, "femur", SYN_SIDE_LEFT},
      {76, "femur", SYN_SIDE_RIGHT},
      {77, "hip_bone", SYN_SIDE_LEFT},
      {78, "hip_bone", SYN_SIDE_RIGHT},
      {25, "sacrum", SYN_SIDES}}},
    {"TotalSegmentator, total_mr",
     56,
     {{36, "femur", SYN_SIDE_LEFT},
      {37, "femur", SYN_SIDE_RIGHT},
      {38, "hip_bone", SYN_SIDE_LEFT},
      {39, "hip_bone", SYN_SIDE_RIGHT},
      {18, "sacrum", SYN_SIDES}}},
};

static bool has_voxels(const label_tally *tally, uint16_t value) {
  const syn_label *entry = syn_label_tally_find(tally, 0, value);
  return entry && entry->voxel_count > 0;
}

static uint16_t largest_value(const label_tally *tally) {
  uint16_t most = 0;
  for (size_t i = 0; i < tally->count; ++i)
    if (tally->entries[i].value > most) most = tally->entries[i].value;
  return most;
}

/* Fragments of a bone are numbered from `first` on without a gap; at most ten. Returns how many there are. */
static size_t count_fragments(const label_tally *tally, uint16_t first) {
  size_t count = 0, all = 0;
  while (count < 10 && has_voxels(tally, (uint16_t)(first + count))) ++count;
  for (uint16_t i = 0; i < 10; ++i) all += has_voxels(tally, (uint16_t)(first + i));
  return all == count ? count : 0;
}

static const char *name_fragments(label_tally *tally) {
  enum { MOST_FRAGMENTS = 15 };
  if (largest_value(tally) > 30) return NULL;
  const size_t sacrum = count_fragments(tally, 1), left = count_fragments(tally, 11),
               right = count_fragments(tally, 21);
  if (!sacrum || !left || !right || sacrum + left + right != tally->count || tally->count > MOST_FRAGMENTS) return NULL;
  for (size_t i = 0; i < tally->count; ++i) {
    syn_label *entry = &tally->entries[i];
    entry->part = entry->value <= 10 ? "sacrum" : "hip_bone";
    entry->side = entry->value <= 10 ? SYN_SIDES : entry->value <= 20 ? SYN_SIDE_LEFT : SYN_SIDE_RIGHT;
  }
  return "PENGWIN";
}

/* The table with most of its bones in the map. In doubt the one of version 1, whose numbers end at 104: a whole body
 * by a later version has larger ones. */
static const struct number_table *find_table(const label_tally *tally) {
  const struct number_table *found = NULL;
  size_t most = 1; /* one number proves nothing */
  for (size_t i = 0; i < sizeof tables / sizeof *tables; ++i) {
    size_t fits = 0;
    for (size_t k = 0; k < NUMBERED_BONES; ++k) fits += has_voxels(tally, tables[i].bones[k].value);
    if (fits <= most || largest_value(tally) > tables[i].most) continue;
    most = fits;
    found = &tables[i];
  }
  return found;
}

const char *syn_label_numbers_find(label_tally *tally) {
  const struct number_table *table = find_table(tally);
  if (!table) return name_fragments(tally);
  for (size_t k = 0; k < NUMBERED_BONES; ++k) {
    syn_label *entry = syn_label_tally_find(tally, 0, table->bones[k].value);
    if (!entry) continue;
    entry->part = table->bones[k].part;
    entry->side = table->bones[k].side;
  }
  return table->program;
}
