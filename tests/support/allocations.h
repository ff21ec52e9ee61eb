/* Every command of the program with one of its allocations refused: it must say that memory is short, with exit code 5,
 * or go on and answer as ever; nothing may crash or leak, no file may be left behind, and files from before stay as
 * they were.
 */
#ifndef TEST_ALLOCATIONS_H
#define TEST_ALLOCATIONS_H

#include <stddef.h>

/* How many allocations are tried, at most: of short commands, of those that take about a second, and of the slowest.
 * They are spread evenly. Where the allocator cannot be replaced, as with sanitizers, every short command runs and must
 * go well.
 * SYNOVIA_ALLOCATIONS=paths in the environment: of the short commands, which leave out none but `demo`, the first and
 * the last allocation from every path of calls, each alone and with all later ones. Takes about twenty minutes. */
void check_allocations(size_t of_short, size_t of_long, size_t of_slowest);

#endif
