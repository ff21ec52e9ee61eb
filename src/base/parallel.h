/* Parallel loops whose results have the same bits on any number of threads. Nothing else starts threads but the force
 * loop of src/tissue/haptics/haptics_run.c. */
#ifndef SYN_BASE_PARALLEL_H
#define SYN_BASE_PARALLEL_H

#include "base/status.h"

/* Calls body(user, begin, end) for consecutive ranges that cover 0 … count-1, each at most `grain` long and starting at
 * a multiple of it, on several threads. The ranges depend on count and grain alone, never on the number of threads.
 * Bodies write to disjoint memory and may not fail: check beforehand, or store a flag in separate memory. Never fails:
 * if the system grants fewer threads than the context allows, the available ones do all the work. May be called from
 * several threads at once; a loop inside a body runs on the thread of that body. */
void syn_parallel_for(const syn_context *context, size_t count, size_t grain,
                      void (*body)(void *user, size_t begin, size_t end), void *user);

/* Returns the sum of term(user, i) in an order that depends only on `count`. */
double syn_parallel_sum(const syn_context *context, size_t count, double (*term)(const void *user, size_t index),
                        const void *user);

/* Calls task(user, i, error) for i from 0 to count-1, on several threads, and returns the failure with the lowest i.
 * Tasks write to disjoint memory; unlike bodies of a loop they may fail and allocate with the context. Task 0 runs on
 * the caller's thread: it alone may warn and report progress. A custom allocator of the context is called by one thread
 * at a time: the tasks then run one after the other. After a failure, tasks with a higher number may or may not have
 * run. */
syn_status syn_parallel_tasks(const syn_context *context, size_t count,
                              syn_status (*task)(void *user, size_t i, syn_error *error), void *user, syn_error *error);

/* Returns the number of threads that the context allows: at least 1. */
int syn_thread_count(const syn_context *context);

#endif
