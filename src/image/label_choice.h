/* Says which labels are which bones, and which of them are kept. */
#ifndef SYN_IMAGE_LABEL_CHOICE_H
#define SYN_IMAGE_LABEL_CHOICE_H

#include "image/label_tally.h"

typedef struct label_choice {
  uint16_t *kept;             /* for each entry of the tally the value that its voxels get; 0: none. In the arena */
  bool some;                  /* a kept label has voxels: */
  uint32_t first[3], last[3]; /* their box */
} label_choice;

/* Recognises the entries of the tally by their names, by their numbers if the file names none, and by
 * options->labels, and chooses by options->parts. `arena` gets names and the table. `file` is for messages. */
syn_status syn_label_choice_make(const syn_image_read_options *options, const char *file, syn_arena *arena,
                                 label_tally *tally, label_choice *choice, syn_error *error);

/* Recognises labels without names by the numbers of known programs. Returns the program, or NULL. */
const char *syn_label_numbers_find(label_tally *tally);

#endif
