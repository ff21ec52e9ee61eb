/* Values shared by several field tables of a joint: the limit of a motion, and its text for readers. */
#ifndef SYN_CLINIC_LIMIT_VALUES_H
#define SYN_CLINIC_LIMIT_VALUES_H

#include <synovia/clinic.h>

#include "result/value.h"

/* Returns the contact position of a limit, by syn_contact_place_record; unknown without a position. */
syn_value syn_value_of_place(const syn_contact_place *place);
/* Returns the limit and the position as text. */
syn_value syn_value_of_limit(const syn_limit *limit);
syn_value syn_value_of_place_words(const syn_contact_place *place);
/* Returns the most frequent of many positions: "head-neck junction on the rim, 312 of 693 poses". */
syn_value syn_value_of_most(const syn_contact_place *places, size_t count);

#endif
