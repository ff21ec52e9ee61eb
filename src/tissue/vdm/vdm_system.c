/* The matrix S: groups of nodes that move together, the edges between them, prescribed groups, and products. */
#include <math.h>
#include <string.h>

#include "tissue/vdm/vdm.h"

/* ---- groups -------------------------------------------------------------------------------------------------------
 */

static uint32_t root(uint32_t *parent, uint32_t i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

/* Assigns the same number to nodes that infinite B_ij couple; numbers ascend with the lowest node of each group. */
static void group_nodes(syn_vdm *vdm) {
  uint32_t *group = vdm->system.group, count = 0;
  for (uint32_t i = 0; i < vdm->node_count; ++i) group[i] = i;
  for (uint32_t p = 0; p < vdm->pair_count; ++p) {
    if (!isinf(vdm->connectivity[p])) continue;
    const uint32_t a = root(group, vdm->pairs[p][0]), b = root(group, vdm->pairs[p][1]);
    group[a < b ? b : a] = a < b ? a : b;
  }
  for (uint32_t i = 0; i < vdm->node_count; ++i) group[i] = root(group, i);
  /* A root is the lowest of its group: its number is assigned before those of other members. */
  for (uint32_t i = 0; i < vdm->node_count; ++i) group[i] = group[i] == i ? count++ : group[group[i]];
  vdm->system.group_count = count;
}

static bool is_edge(const syn_vdm *vdm, uint32_t pair, uint32_t *a, uint32_t *b) {
  *a = vdm->system.group[vdm->pairs[pair][0]];
  *b = vdm->system.group[vdm->pairs[pair][1]];
  return *a != *b && vdm->connectivity[pair] > 0;
}

static void add_edges(syn_vdm *vdm) {
  syn_vdm_system *s = &vdm->system;
  uint32_t a, b;
  memset(s->start, 0, ((size_t)s->group_count + 1) * sizeof *s->start);
  for (uint32_t p = 0; p < vdm->pair_count; ++p)
    if (is_edge(vdm, p, &a, &b)) {
      ++s->start[a];
      ++s->start[b];
    }
  for (uint32_t i = 0, sum = 0; i <= s->group_count; ++i) s->start[i] = sum += i < s->group_count ? s->start[i] : 0;
  /* Filled from the end: start[i] is the end of row i before and its start after. */
  for (uint32_t p = vdm->pair_count; p-- > 0;)
    if (is_edge(vdm, p, &a, &b)) {
      const double weight = vdm->connectivity[p];
      s->columns[--s->start[a]] = b;
      s->weights[s->start[a]] = weight;
      s->columns[--s->start[b]] = a;
      s->weights[s->start[b]] = weight;
    }
}

/* Merges multiple edges between the same groups. */
static void merge_edges(syn_vdm *vdm) {
  syn_vdm_system *s = &vdm->system;
  uint32_t next = 0, from = 0, *last = vdm->seen; /* one more than the index of the edge to a group */
  memset(last, 0, s->group_count * sizeof *last);
  for (uint32_t g = 0; g < s->group_count; ++g) {
    const uint32_t begin = next, to = s->start[g + 1];
    for (uint32_t k = from; k < to; ++k) {
      const uint32_t column = s->columns[k];
      if (last[column] > begin) {
        s->weights[last[column] - 1] += s->weights[k];
        continue;
      }
      s->columns[next] = column;
      s->weights[next] = s->weights[k];
      last[column] = ++next;
    }
    s->start[g] = begin;
    from = to;
  }
  s->start[s->group_count] = next;
}

void syn_vdm_assemble(syn_vdm *vdm) {
  syn_vdm_system *s = &vdm->system;
  group_nodes(vdm);
  add_edges(vdm);
  if (s->group_count < vdm->node_count) merge_edges(vdm);
  memset(s->diagonal, 0, s->group_count * sizeof *s->diagonal);
  vdm->soft_nodes = false;
  for (uint32_t i = 0; i < vdm->node_count; ++i) {
    const double bulk[3] = {vdm->bulk[i].x, vdm->bulk[i].y, vdm->bulk[i].z};
    for (int c = 0; c < 3; ++c) {
      if (bulk[c] == 0) vdm->soft_nodes = true;
      if (isfinite(bulk[c])) s->diagonal[s->group[i]].v[c] += bulk[c];
    }
  }
  for (uint32_t g = 0; g < s->group_count; ++g)
    for (uint32_t k = s->start[g]; k < s->start[g + 1]; ++k)
      for (int c = 0; c < 3; ++c) s->diagonal[g].v[c] += s->weights[k];
  for (uint32_t g = 0; g < s->group_count; ++g)
    for (int c = 0; c < 4; ++c) s->scale[g].v[c] = s->diagonal[g].v[c] > 0 ? 1 / s->diagonal[g].v[c] : 0;
  vdm->stale = vdm->direct = false;
}

/* ---- what is held -------------------------------------------------------------------------------------------------
 */

static syn_status hold_node(syn_vdm *vdm, const syn_vdm_shape *shape, uint32_t node, syn_lanes *w, syn_error *error) {
  const double bulk[3] = {vdm->bulk[node].x, vdm->bulk[node].y, vdm->bulk[node].z};
  const double value[3] = {vdm->value[node].x, vdm->value[node].y, vdm->value[node].z};
  const uint32_t group = vdm->system.group[node];
  for (int c = 0; c < 3; ++c) {
    const bool moved = vdm->constraint[node][c] == SYN_VDM_CONSTRAINED;
    if (!moved && vdm->constraint[node][c] != SYN_VDM_FIXED && isfinite(bulk[c])) continue;
    const double held = moved ? shape->area[node] * value[c] : 0;
    if (vdm->system.held[group] >> c & 1 && fabs(w[group].v[c] - held) > 1e-9 * fabs(held))
      return syn_fail(error, SYN_BAD_ARGUMENT,
                      "node %u is tied to others by an infinite connectivity, but they are moved differently", node);
    vdm->system.held[group] |= (uint8_t)(1u << c);
    w[group].v[c] = held;
  }
  return SYN_OK;
}

/* Visits the groups connected to `first`; returns whether one of them is prescribed in direction c, or has a B. */
static bool is_anchored(const syn_vdm_system *s, int c, uint32_t first, uint32_t *stack, uint32_t *seen) {
  uint32_t depth = 0;
  bool anchored = false;
  stack[depth++] = first;
  seen[first] = 1;
  while (depth) {
    const uint32_t g = stack[--depth];
    double bulk = s->diagonal[g].v[c];
    for (uint32_t k = s->start[g]; k < s->start[g + 1]; ++k) {
      bulk -= s->weights[k];
      if (seen[s->columns[k]]) continue;
      seen[s->columns[k]] = 1;
      stack[depth++] = s->columns[k];
    }
    anchored |= s->held[g] >> c & 1 || bulk > 1e-12 * s->diagonal[g].v[c];
  }
  return anchored;
}

static syn_status check_anchors(syn_vdm *vdm, syn_error *error) {
  const syn_vdm_system *s = &vdm->system;
  for (int c = 0; c < 3; ++c) {
    memset(vdm->seen, 0, s->group_count * sizeof *vdm->seen);
    for (uint32_t g = 0; g < s->group_count; ++g)
      if (!vdm->seen[g] && !is_anchored(s, c, g, vdm->stack, vdm->seen))
        return syn_fail(error, SYN_BAD_ARGUMENT,
                        "nothing holds the body along %c: give its nodes a bulk modulus or fix some of them", "xyz"[c]);
  }
  return SYN_OK;
}

syn_status syn_vdm_hold(syn_vdm *vdm, const syn_vdm_shape *shape, syn_lanes *w, syn_error *error) {
  memset(vdm->system.held, 0, vdm->system.group_count * sizeof *vdm->system.held);
  for (uint32_t i = 0; i < vdm->node_count; ++i) SYN_TRY(hold_node(vdm, shape, i, w, error));
  for (uint32_t g = 0; g < vdm->system.group_count; ++g)
    for (int c = 0; c < 4; ++c) vdm->system.free[g].v[c] = vdm->system.held[g] >> c & 1 ? 0 : 1;
  return vdm->soft_nodes ? check_anchors(vdm, error) : SYN_OK;
}

void syn_vdm_multiply(const syn_vdm_system *s, const syn_lanes *x, syn_lanes *y) {
  for (uint32_t g = 0; g < s->group_count; ++g) {
    const syn_lanes own = x[g], diagonal = s->diagonal[g];
    syn_lanes sum;
    for (int c = 0; c < 4; ++c) sum.v[c] = diagonal.v[c] * own.v[c];
    for (uint32_t k = s->start[g]; k < s->start[g + 1]; ++k) {
      const double weight = s->weights[k];
      const syn_lanes other = x[s->columns[k]];
      for (int c = 0; c < 4; ++c) sum.v[c] -= weight * other.v[c];
    }
    y[g] = sum;
  }
}
