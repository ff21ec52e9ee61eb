#include "peers/peers.h"

#include <assert.h>

typedef struct rival_list {
  const bench_contender *first;
  const size_t *count;
} rival_list;

static const rival_list lists[] = {
#ifdef BENCH_EMBREE
    {bench_embree, &bench_embree_count},
#endif
#ifdef BENCH_FCL
    {bench_fcl, &bench_fcl_count},
#endif
#ifdef BENCH_CGAL
    {bench_cgal, &bench_cgal_count},
#endif
#ifdef BENCH_ASSIMP
    {bench_assimp, &bench_assimp_count},
#endif
    {0},
};

size_t bench_rival_count(void) {
  size_t count = 0;
  for (const rival_list *list = lists; list->first; ++list) count += *list->count;
  return count;
}

const bench_contender *bench_rival_at(size_t index) {
  const rival_list *list = lists;
  while (list->first && index >= *list->count) index -= *list++->count;
  assert(list->first);
  return &list->first[index];
}
