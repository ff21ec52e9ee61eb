/* Finds a minimum vertex cover. Pairs of coupled nodes of two ranks are a bipartite graph. By König's theorem the
 * minimum number of nodes that cover all of its edges equals the size of a maximum matching; both are found by
 * alternating paths. Taking all nodes of one side, a tenth more, cost a fifth more operations in the factors. */
#include "solve/separator.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "solve/block_matrix.h"

typedef struct edge {
  uint32_t owners[2], ends[2]; /* the lower owner first */
} edge;

typedef struct frame {
  uint32_t node, next; /* edge to test next */
} frame;

typedef struct work {
  edge *edges;
  size_t count;
  uint32_t *start, *end; /* edges of each node of the lower owner */
  uint32_t *mate;        /* the other end of its matching edge; SYN_NONE: unmatched */
  uint32_t *seen, round; /* nodes that the search of this round has reached */
  frame *stack;
  bool *between;
} work;

static int compare(const void *a, const void *b) { return memcmp(a, b, sizeof(edge)); }

/* Any order that is the same in all ranks, in which edges of the same owners and of the same node are consecutive. */
static void add_edges(work *w, const syn_pattern *p, const uint32_t *owner, const bool *has_row) {
  for (uint32_t i = 0; i < p->node_count; ++i)
    for (uint32_t k = p->row_start[i]; k < p->row_start[i + 1]; ++k) {
      const uint32_t j = p->columns[k], turned = owner[i] > owner[j];
      if (!has_row[i] || !has_row[j] || owner[i] == owner[j]) continue;
      const uint32_t low = turned ? j : i, high = turned ? i : j;
      if (w->edges) w->edges[w->count] = (edge){{owner[low], owner[high]}, {low, high}};
      ++w->count;
    }
  if (w->edges) qsort(w->edges, w->count, sizeof *w->edges, compare);
}

/* ---- one pair of processes -----------------------------------------------------------------------------------------
 */

/* Selects the edges not yet covered by nodes chosen for another pair of ranks; returns their count. */
static uint32_t begin_pair(work *w, edge *edges, uint32_t count) {
  uint32_t kept = 0;
  for (uint32_t e = 0; e < count; ++e)
    if (!w->between[edges[e].ends[0]] && !w->between[edges[e].ends[1]]) edges[kept++] = edges[e];
  for (uint32_t e = 0; e < kept; ++e) {
    const uint32_t a = edges[e].ends[0];
    if (e == 0 || edges[e - 1].ends[0] != a) w->start[a] = e;
    w->end[a] = e + 1;
    w->mate[a] = w->mate[edges[e].ends[1]] = SYN_NONE;
  }
  return kept;
}

/* Augments the matching along the path: matched edges become unmatched, and the reverse. */
static void turn_path(work *w, const edge *edges, uint32_t depth) {
  for (uint32_t k = depth; k-- > 0;) {
    const uint32_t a = w->stack[k].node, b = edges[w->stack[k].next - 1].ends[1];
    w->mate[a] = b;
    w->mate[b] = a;
  }
}

/* Follows alternating paths from an unmatched node. `grow`: up to the first that ends at another one, which augments
 * the matching. */
static void search(work *w, const edge *edges, uint32_t from, bool grow) {
  uint32_t depth = 0;
  w->seen[from] = w->round;
  w->stack[depth++] = (frame){from, w->start[from]};
  while (depth > 0) {
    frame *f = &w->stack[depth - 1];
    if (f->next == w->end[f->node]) {
      --depth;
      continue;
    }
    const uint32_t b = edges[f->next++].ends[1], a = w->mate[b];
    if (w->seen[b] == w->round) continue;
    w->seen[b] = w->round;
    if (a == SYN_NONE && grow) {
      turn_path(w, edges, depth);
      return;
    }
    if (a == SYN_NONE || w->seen[a] == w->round) continue;
    w->seen[a] = w->round;
    w->stack[depth++] = (frame){a, w->start[a]};
  }
}

/* Marks nodes of the lower owner that paths do not reach, and those of the other that they do. */
static void part_pair(work *w, edge *edges, uint32_t count) {
  count = begin_pair(w, edges, count);
  for (uint32_t e = 0; e < count; ++e)
    if (w->start[edges[e].ends[0]] == e && w->mate[edges[e].ends[0]] == SYN_NONE) {
      ++w->round;
      search(w, edges, edges[e].ends[0], true);
    }
  ++w->round;
  for (uint32_t e = 0; e < count; ++e)
    if (w->mate[edges[e].ends[0]] == SYN_NONE && w->seen[edges[e].ends[0]] != w->round)
      search(w, edges, edges[e].ends[0], false);
  for (uint32_t e = 0; e < count; ++e) {
    const uint32_t a = edges[e].ends[0], b = edges[e].ends[1];
    if (w->seen[a] != w->round) w->between[a] = true;
    if (w->seen[b] == w->round) w->between[b] = true;
  }
}

/* ---- all pairs -----------------------------------------------------------------------------------------------------
 */

static syn_status take_work(syn_arena *arena, uint32_t nodes, work *w, syn_error *error) {
  SYN_TRY(SYN_TAKE(arena, &w->edges, w->count, error));
  SYN_TRY(SYN_TAKE(arena, &w->start, nodes, error));
  SYN_TRY(SYN_TAKE(arena, &w->end, nodes, error));
  SYN_TRY(SYN_TAKE(arena, &w->mate, nodes, error));
  SYN_TRY(SYN_TAKE(arena, &w->seen, nodes, error));
  SYN_TRY(SYN_TAKE(arena, &w->stack, nodes, error));
  memset(w->seen, 0, nodes * sizeof *w->seen);
  w->count = 0;
  return SYN_OK;
}

syn_status syn_separator_find(const syn_context *context, const syn_pattern *pattern, const uint32_t *owner,
                              const bool *has_row, bool *between, syn_error *error) {
  syn_arena arena = {.context = context};
  work w = {.between = between};
  memset(between, 0, pattern->node_count * sizeof *between);
  add_edges(&w, pattern, owner, has_row);
  const syn_status status = take_work(&arena, pattern->node_count, &w, error);
  if (status == SYN_OK) {
    add_edges(&w, pattern, owner, has_row);
    for (size_t from = 0, to; from < w.count; from = to) {
      for (to = from + 1; to < w.count; ++to)
        if (memcmp(w.edges[to].owners, w.edges[from].owners, sizeof w.edges->owners) != 0) break;
      part_pair(&w, w.edges + from, (uint32_t)(to - from));
    }
  }
  syn_arena_release(&arena);
  return status;
}
