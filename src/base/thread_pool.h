/* The threads that run parallel loops. Absent on platforms without threads: see SYN_HAS_THREADS. */
#ifndef SYN_BASE_THREAD_POOL_H
#define SYN_BASE_THREAD_POOL_H

#include <stdbool.h>
#include <stddef.h>

/* How many this process may use. */
int syn_processor_count(void);
/* Is the caller itself the body of a loop? */
bool syn_in_pool(void);
/* Calls body(user, begin, end) for all ranges of `grain` items, on up to `threads` threads, the caller's among them.
 * The first range is the caller's. */
void syn_pool_run(size_t count, size_t grain, int threads, void (*body)(void *user, size_t begin, size_t end),
                  void *user);

#endif
