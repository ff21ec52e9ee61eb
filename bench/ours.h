/* Our side as contenders. */
#ifndef BENCH_OURS_H
#define BENCH_OURS_H

#include "contender.h"

/* What a collider is asked for: whether there is a contact, the field, all contacts. May be added: one thread, whatever
 * the scene's context says, the deepest point between vertices, and with BENCH_MAPPING a mapping of the radial method.
 */
enum { BENCH_ANY = 0, BENCH_FIELD = 1, BENCH_PAIRS = 2, BENCH_ONE_THREAD = 4, BENCH_BETWEEN = 8 };
#define BENCH_MAPPING(mapping) ((int)(mapping) << 4)
/* Cells of the table per fixed triangle; 0: as the method chooses. */
#define BENCH_CELLS(per_triangle) ((int)(per_triangle) << 8)

/* A method of the table, looked up by name when it is opened. The texts are borrowed. */
bench_contender bench_collider(const char *method, const char *query, int asked_for);

/* Asks two colliders for the field of every pose. *differ: at how many vertices over all poses the depths are not the
 * same bits. */
syn_status bench_compare_fields(const bench_scene *scene, const bench_contender *a, const bench_contender *b,
                                size_t *differ, syn_error *error);

/* Signed clearance of the two bodies; its negative is the answer's depth. */
extern const bench_contender bench_clearance;

/* Is there such a method? */
bool bench_has_method(const char *name);

/* Exact rotation events, trees built beforehand; the answer is in turn_deg. */
extern const bench_contender bench_rotation_events;

#endif
