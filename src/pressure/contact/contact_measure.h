/* What a pressure is in numbers: peak, mean, area, resultant, centre; for parts of the surface. */
#ifndef SYN_PRESSURE_CONTACT_MEASURE_H
#define SYN_PRESSURE_CONTACT_MEASURE_H

#include <synovia/pressure.h>

/* Of the slave's faces: all, and those of each part. part_of (may be NULL: all are of part 0) has one entry per face;
 * parts are below part_count. Stresses are left as they are. */
void syn_contact_measure(const syn_contact_problem *bearing, const uint8_t *part_of, uint32_t part_count,
                         syn_pressure_part *total, syn_pressure_part *parts);
/* Is the fixed body the one whose faces are measured? */
bool syn_contact_measures_fixed(const syn_contact_problem *bearing);

#endif
