/* The lists that the rivals' files bring; each is compiled only where the rival is installed. */
#ifndef BENCH_PEERS_H
#define BENCH_PEERS_H

#include "contender.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const bench_contender bench_embree[], bench_fcl[], bench_cgal[], bench_assimp[];
extern const size_t bench_embree_count, bench_fcl_count, bench_cgal_count, bench_assimp_count;

#ifdef __cplusplus
}
#endif
#endif
