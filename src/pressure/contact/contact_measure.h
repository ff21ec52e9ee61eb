/* Computes the measures of a pressure: peak, mean, area, resultant and centre, of the whole surface and of its
 * parts. */
#ifndef SYN_PRESSURE_CONTACT_MEASURE_H
#define SYN_PRESSURE_CONTACT_MEASURE_H

#include <synovia/pressure.h>

/* Measures all of the slave's faces, and those of each part. part_of (may be NULL: all faces are of part 0) has one
 * entry per face, below part_count. Does not set stresses. */
void syn_contact_measure(const syn_contact_problem *bearing, const uint8_t *part_of, uint32_t part_count,
                         syn_pressure_part *total, syn_pressure_part *parts);
/* Returns whether the fixed body is the one whose faces are measured. */
bool syn_contact_measures_fixed(const syn_contact_problem *bearing);

#endif
