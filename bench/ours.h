/* Our side as contenders. */
#ifndef BENCH_OURS_H
#define BENCH_OURS_H

#include "contender.h"

/* What a collider is asked for: whether there is a contact, the field, all contacts; a mapping of the radial method may
 * be added with BENCH_MAPPING. */
enum { BENCH_ANY = 0, BENCH_FIELD = 1, BENCH_PAIRS = 2 };
#define BENCH_MAPPING(mapping) ((int)(mapping) << 4)

/* A method of the table, looked up by name when it is opened. The texts are borrowed. */
bench_contender bench_collider(const char *method, const char *query, int asked_for);

/* Signed clearance of the two bodies; its negative is the answer's depth. */
extern const bench_contender bench_clearance;

/* Is there such a method? */
bool bench_has_method(const char *name);

/* Exact rotation events, trees built beforehand; the answer is in turn_deg. */
extern const bench_contender bench_rotation_events;

#endif
