/* Every command of the program with one of its allocations refused: it must say that memory is short, with exit code 5,
 * or go on and answer as ever; nothing may crash, no file may be left behind, and files from before stay as they were.
 */
#ifndef TEST_ALLOCATIONS_H
#define TEST_ALLOCATIONS_H

#include <stddef.h>

/* How many allocations are tried, at most: of short commands, of those that take about a second, and of the slowest.
 * They are spread evenly; SIZE_MAX tries all. For cmocka: skips where the allocator cannot be replaced. */
void check_allocations(size_t of_short, size_t of_long, size_t of_slowest);

#endif
