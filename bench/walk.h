/* Contacts followed through neighbours, as a contender: it begins with those that BucketTree finds at the first pose.
 */
#ifndef BENCH_WALK_H
#define BENCH_WALK_H

#include "contender.h"

bench_contender bench_walk(const char *query);

#endif
