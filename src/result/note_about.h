/* Finds the numbers that a warning or an assumption concerns, so that it can be shown beside them. */
#ifndef SYN_RESULT_NOTE_ABOUT_H
#define SYN_RESULT_NOTE_ABOUT_H

#include <stdbool.h>
#include <stddef.h>

/* Names of measures and motions with blanks between them; "motions" and "measures" are all of these. */
#define SYN_ABOUT_MOTIONS "motions"
#define SYN_ABOUT_MEASURES "measures"
#define SYN_ABOUT_RIM "lcea_deg acea_deg acetabular_index_deg coverage_percent"
#define SYN_ABOUT_PELVIS                                                                                               \
  SYN_ABOUT_RIM " acetabular_version_deg acetabular_inclination_deg acetabular_version_app_deg "                       \
                "acetabular_inclination_app_deg combined_version_deg"

/* Finds them from the text of a warning; "" if it concerns no particular number. */
const char *syn_note_about(const char *warning);
/* Words by which warnings are known; NULL behind the last. */
const char *syn_note_known_words(size_t index);
/* Returns whether the number is one of them. */
bool syn_note_is_about(const char *about, const char *name, bool is_motion);

#endif
