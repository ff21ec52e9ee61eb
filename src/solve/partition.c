/* Partitions nodes among ranks, and finds the nodes between their regions. */
#include "solve/partition.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/order.h"
#include "base/vec.h"
#include "solve/block_matrix.h"
#include "solve/cholmod_library.h"
#include "solve/ranks.h"

/* ==== partition by boxes ========================================================================================== */

/* Recursive bisection: nodes are cut across the direction with the fewest nodes near the cut, so that both halves
 * have nodes in proportion to their numbers of ranks. A socket with a notch is best cut through the notch. */

typedef struct item {
  syn_vec3 at;
  double key; /* coordinate along the tested direction */
  uint32_t node;
} item;

static double key_of(const void *a, int which) {
  (void)which;
  return ((const item *)a)->key;
}

/* The axes, and the directions half-way between two and three of them. */
enum { DIRECTIONS = 13 };
static const int8_t directions[DIRECTIONS][3] = {{1, 0, 0},  {0, 1, 0},  {0, 0, 1}, {1, 1, 0},  {1, -1, 0},
                                                 {1, 0, 1},  {1, 0, -1}, {0, 1, 1}, {0, 1, -1}, {1, 1, 1},
                                                 {1, 1, -1}, {1, -1, 1}, {-1, 1, 1}};

static syn_vec3 direction_of(int d) { return vec3_unit(vec3(directions[d][0], directions[d][1], directions[d][2])); }

static void cut_along(item *items, uint32_t count, uint32_t cut, int d) {
  const syn_vec3 along = direction_of(d);
  for (uint32_t i = 0; i < count; ++i) items[i].key = vec3_dot(items[i].at, along);
  select_nth(items, count, sizeof *items, cut, key_of, 0);
}

static uint32_t near_cut(const item *items, uint32_t count, uint32_t cut, double within) {
  uint32_t near = 0;
  for (uint32_t i = 0; i < count; ++i) near += fabs(items[i].key - items[cut].key) <= within;
  return near;
}

static int longest_side(const syn_box *box) {
  int longest = 0;
  for (int k = 1; k < 3; ++k)
    if (vec3_at(box->max, k) - vec3_at(box->min, k) > vec3_at(box->max, longest) - vec3_at(box->min, longest))
      longest = k;
  return longest;
}

/* Returns the longest direction unless another one is clearly better. */
static int best_direction(item *items, uint32_t count, uint32_t cut) {
  syn_box box = box_empty();
  for (uint32_t i = 0; i < count; ++i) box_add(&box, items[i].at);
  const double within = 0.02 * vec3_distance(box.min, box.max);
  int best = longest_side(&box);
  cut_along(items, count, cut, best);
  uint32_t fewest = near_cut(items, count, cut, within);
  for (int d = 0; d < DIRECTIONS; ++d) {
    cut_along(items, count, cut, d);
    const uint32_t near = near_cut(items, count, cut, within);
    if (near < 0.9 * fewest) fewest = near, best = d;
  }
  return best;
}

static void halve_boxes(item *items, uint32_t count, uint32_t first, uint32_t processes, uint32_t *owner) {
  if (processes == 1 || count == 0) {
    for (uint32_t i = 0; i < count; ++i) owner[items[i].node] = first;
    return;
  }
  const uint32_t left = processes / 2, cut = (uint32_t)((uint64_t)count * left / processes);
  if (cut > 0) cut_along(items, count, cut, best_direction(items, count, cut));
  halve_boxes(items, cut, first, left, owner);
  halve_boxes(items + cut, count - cut, first + left, processes - left, owner);
}

syn_status syn_partition_boxes(const syn_context *context, uint32_t size, const syn_vec3 *positions,
                               const uint8_t *prescribed, uint32_t node_count, uint32_t *owner, syn_error *error) {
  item *items;
  uint32_t count = 0;
  SYN_TRY(SYN_NEW(context, &items, node_count, error));
  for (uint32_t i = 0; i < node_count; ++i) {
    owner[i] = 0;
    if (!prescribed || prescribed[i] != SYN_XYZ) items[count++] = (item){positions[i], 0, i};
  }
  halve_boxes(items, count, 0, size, owner);
  syn_free(context, items);
  return SYN_OK;
}

/* ==== partition by the pattern ==================================================================================== */

/* Partitions by the graph of the matrix. Two bodies in contact are coupled most strongly at their contact; a cut by
 * the graph, instead of by planes through both, leaves fewer nodes between the regions and a tenth less work in the
 * larger of them. Uses METIS, which CHOLMOD includes. */

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
 * owners. */
static syn_status halve_graph(const syn_context *context, const syn_cholmod *cholmod, const syn_pattern *p,
                              uint32_t coupled, uint32_t region, uint32_t other, uint32_t *owner, bool *found,
                              syn_error *error) {
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
      status = halve_graph(context, &cholmod, pattern, coupled, region, region + apart, made, found, error);
  *found = *found && status == SYN_OK;
  if (*found) memcpy(owner, made, pattern->node_count * sizeof *owner);
  if (*found && coupled != SYN_NONE) owner[coupled] = size - 1;
  syn_free(context, made);
  return status;
}

/* ==== the separator =============================================================================================== */

/* Finds a minimum vertex cover. Pairs of coupled nodes of two ranks are a bipartite graph. By König's theorem the
 * minimum number of nodes that cover all of its edges equals the size of a maximum matching; both are found by
 * alternating paths. Taking all nodes of one side, a tenth more, cost a fifth more operations in the factors. */

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
