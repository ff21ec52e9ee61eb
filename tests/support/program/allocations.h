/* Every command of the program with one of its allocations refused: it must say that memory is short, with exit code 5,
 * or go on and answer as ever; nothing may crash or leak, no file may be left behind, and files from before stay as
 * they were.
 */
#ifndef TEST_ALLOCATIONS_H
#define TEST_ALLOCATIONS_H

#include <stdbool.h>
#include <stddef.h>

/* How many allocations of each command are tried, at most. They are spread evenly. Where the allocator cannot be
 * replaced, as with sanitizers, every command runs and must go well. `slowest_too`: also commands that take a second or
 * more.
 * SYNOVIA_ALLOCATIONS=all in the environment: the first and the last allocation from every path of calls, each alone
 * and with all later ones. Another value, say "hip IN/blocks", tries only the commands in whose words it is.
 * SYNOVIA_ALLOCATIONS_PART=2/4 is then the second of four parts of that work, for several processes. */
void check_allocations(size_t of_each, bool slowest_too);

#endif
