/* What the files of measures share. */
#ifndef SYN_CLINIC_MEASURE_H
#define SYN_CLINIC_MEASURE_H

#include <synovia/clinic.h>

/* The value, or where it is NAN the reason (static storage). */
void syn_measure_set(syn_measures *measures, syn_measure_id id, double value, const char *why_not);

#endif
