/* Every command of the program with one of its allocations refused: it must say that memory is short, with exit code 5,
 * or go on and answer as ever; nothing may crash or leak, no file may be left behind, and files from before stay as
 * they were.
 */
#ifndef TEST_ALLOCATIONS_H
#define TEST_ALLOCATIONS_H

#include <stddef.h>

/* How many allocations are tried, at most: of short commands, of those that take about a second, and of the slowest.
 * They are spread evenly; SIZE_MAX tries all. For cmocka: skips where the allocator cannot be replaced.
 * SYNOVIA_ALLOCATIONS=all in the environment tries every one of the short commands, 3000 of the viewer, and 300 of the
 * long ones: that takes about an hour. Prints how many were tried. */
void check_allocations(size_t of_short, size_t of_long, size_t of_slowest);

#endif
