/* Partitions by the graph of the matrix. Two bodies in contact are coupled most strongly at their contact; a cut by
 * the graph, instead of by planes through both, leaves fewer nodes between the regions and a tenth less work in the
 * larger of them. Uses METIS, which CHOLMOD includes. */
#include <string.h>

#include "base/memory.h"
#include "solve/block_matrix.h"
#include "solve/cholmod_library.h"
#include "solve/ranks.h"

typedef struct graph {
  int *start, *other; /* of each node of the graph, and of each of its neighbours */
  int *part;
  uint32_t *number; /* of each node of the pattern: its number in the graph; SYN_NONE: not in it */
  int count;
} graph;

/* ---- the graph of one region ---------------------------------------------------------------------------------------
 */

static void count_neighbours(const syn_pattern *p, graph *g) {
  memset(g->start, 0, ((size_t)g->count + 1) * sizeof *g->start);
  for (uint32_t i = 0; i < p->node_count; ++i)
    for (uint32_t k = p->row_start[i] + 1; k < p->row_start[i + 1]; ++k) {
      const uint32_t a = g->number[i], b = g->number[p->columns[k]];
      if (a != SYN_NONE && b != SYN_NONE) ++g->start[a + 1], ++g->start[b + 1];
    }
  for (int i = 0; i < g->count; ++i) g->start[i + 1] += g->start[i];
}

/* `at` is a buffer: where the next neighbour of each node is written. */
static void list_neighbours(const syn_pattern *p, graph *g, int *at) {
  memcpy(at, g->start, (size_t)g->count * sizeof *at);
  for (uint32_t i = 0; i < p->node_count; ++i)
    for (uint32_t k = p->row_start[i] + 1; k < p->row_start[i + 1]; ++k) {
      const uint32_t a = g->number[i], b = g->number[p->columns[k]];
      if (a == SYN_NONE || b == SYN_NONE) continue;
      g->other[at[a]++] = (int)b;
      g->other[at[b]++] = (int)a;
    }
}

/* Makes the graph of the nodes of one owner, without the coupled one. */
static syn_status make_graph(syn_arena *arena, const syn_pattern *p, const uint32_t *owner, uint32_t region,
                             uint32_t coupled, graph *g, syn_error *error) {
  SYN_TRY(SYN_TAKE(arena, &g->number, p->node_count, error));
  for (uint32_t i = 0; i < p->node_count; ++i)
    g->number[i] = i != coupled && owner[i] == region ? (uint32_t)g->count++ : SYN_NONE;
  SYN_TRY(SYN_TAKE(arena, &g->start, (size_t)g->count + 1, error));
  SYN_TRY(SYN_TAKE(arena, &g->part, g->count, error));
  count_neighbours(p, g);
  SYN_TRY(SYN_TAKE(arena, &g->other, (size_t)g->start[g->count], error));
  list_neighbours(p, g, g->part);
  return SYN_OK;
}

/* ---- halves --------------------------------------------------------------------------------------------------------
 */

/* Moves half of the nodes of `region` to `other`. The separator of the two is not kept: it is computed from the
 * owners (separator.h). */
static syn_status halve(const syn_context *context, const syn_cholmod *cholmod, const syn_pattern *p, uint32_t coupled,
                        uint32_t region, uint32_t other, uint32_t *owner, bool *found, syn_error *error) {
  enum { METIS_OK = 1, OPTIONS = 40, IMBALANCE = 16 };
  syn_arena arena = {.context = context};
  graph g = {.count = 0};
  int options[OPTIONS], size = 0;
  const syn_status status = make_graph(&arena, p, owner, region, coupled, &g, error);
  cholmod->set_metis_options(options);
  options[IMBALANCE] = 10; /* thousandths; with 200, the default, one rank waits for the other */
  if (status == SYN_OK)
    *found = cholmod->separate(&g.count, g.start, g.other, NULL, options, &size, g.part) == METIS_OK;
  for (uint32_t i = 0; status == SYN_OK && *found && i < p->node_count; ++i)
    if (g.number[i] != SYN_NONE && g.part[g.number[i]] == 1) owner[i] = other;
  syn_arena_release(&arena);
  return status;
}

syn_status syn_partition_graph(const syn_context *context, uint32_t size, const syn_pattern *pattern, uint32_t coupled,
                               uint32_t *owner, bool *found, syn_error *error) {
  syn_cholmod cholmod;
  *found = false;
  SYN_TRY(syn_cholmod_load(&cholmod, error));
  const bool halves = (size & (size - 1)) == 0, small = syn_block_count(pattern) < INT32_MAX / 2;
  if (!cholmod.separate || size < 2 || !halves || !small) return SYN_OK;
  uint32_t *made; /* if METIS is missing the owners do not change */
  syn_status status = SYN_NEW_ZEROED(context, &made, pattern->node_count, error);
  if (status != SYN_OK) return status;
  *found = true;
  for (uint32_t apart = size / 2; apart > 0; apart /= 2)
    for (uint32_t region = 0; region < size && status == SYN_OK && *found; region += 2 * apart)
      status = halve(context, &cholmod, pattern, coupled, region, region + apart, made, found, error);
  *found = *found && status == SYN_OK;
  if (*found) memcpy(owner, made, pattern->node_count * sizeof *owner);
  if (*found && coupled != SYN_NONE) owner[coupled] = size - 1;
  syn_free(context, made);
  return status;
}
