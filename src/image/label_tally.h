/* Counts the labels of a map while its voxels go by, and then decides what of it is kept. */
#ifndef SYN_IMAGE_LABEL_TALLY_H
#define SYN_IMAGE_LABEL_TALLY_H

#include "image/image_shared.h"

enum { SYN_MOST_LAYERS = 256 };

/* Zero-initialise with a context. `entry_of` finds the entry of a value in pages, which are made when they are needed:
 * a file of a few bytes takes little memory, whatever its header says. */
typedef struct label_tally {
  const syn_context *context;
  syn_label *entries; /* in the order in which they were added */
  size_t count, capacity;
  uint32_t **pages[SYN_MOST_LAYERS]; /* by layer and high byte: 1 + number of the entry, 0: none */
} label_tally;

void syn_label_tally_release(label_tally *tally);
/* The entry of a value of a layer, or NULL. */
syn_label *syn_label_tally_find(const label_tally *tally, uint16_t layer, uint16_t value);
/* Adds an entry that the file describes: its name and part. The first of several is taken; 0 is none. */
syn_status syn_label_tally_name(label_tally *tally, const syn_label *label, syn_error *error);
/* Adds voxels at[0] to `end`, included, of row (at[1], at[2]); not of value 0. */
syn_status syn_label_tally_run(label_tally *tally, uint16_t layer, uint16_t value, const uint32_t at[3], uint32_t end,
                               syn_error *error);

#endif
