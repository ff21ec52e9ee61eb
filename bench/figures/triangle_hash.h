/* A spatial hash of triangles that stops at the first collision, as Arbabi 2009, §4.2.3 compares the range finder with
 * (after Teschner et al. 2003, with triangles in place of tetrahedra). */
#ifndef BENCH_TRIANGLE_HASH_H
#define BENCH_TRIANGLE_HASH_H

#include "contender.h"

/* Asked whether the surfaces meet: the count is 0 or 1. */
extern const bench_contender bench_triangle_hash;

#endif
