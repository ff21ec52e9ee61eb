#include "collide/rotation/triangle_order.h"

#include "base/memory.h"
#include "base/vec.h"

/* The sorted items: small enough to be moved. */
typedef struct item {
  float at[3]; /* three times the triangle's centroid, relative to the mesh's first vertex */
  uint32_t triangle;
} item;

/* Compares two items; numbers break ties, so that the order is the same everywhere. Branchless, because the outcome
 * cannot be predicted. */
static bool before(const item *p, const item *q, int axis) {
  return (p->at[axis] < q->at[axis]) | ((p->at[axis] == q->at[axis]) & (p->triangle < q->triangle));
}

static uint32_t median_of_three(const item *items, uint32_t p, uint32_t q, uint32_t r, int axis) {
  const bool pq = before(&items[p], &items[q], axis), qr = before(&items[q], &items[r], axis),
             pr = before(&items[p], &items[r], axis);
  return pq == qr ? q : pq == pr ? r : p;
}

static uint32_t choose_pivot(const item *items, uint32_t begin, uint32_t end, int axis) {
  const uint32_t last = end - 1, step = (end - begin) / 8, middle = order_middle(begin, end);
  if (step < 8) return median_of_three(items, begin, middle, last, axis);
  const uint32_t low = median_of_three(items, begin, begin + step, begin + 2 * step, axis),
                 mid = median_of_three(items, middle - step, middle, middle + step, axis),
                 high = median_of_three(items, last - 2 * step, last - step, last, axis);
  return median_of_three(items, low, mid, high, axis);
}

static void exchange(item *a, item *b) {
  const item kept = *a;
  *a = *b;
  *b = kept;
}

/* Partitions the items around the pivot and returns its index. Every item is moved, needed or not (Lomuto's scheme),
 * which costs less than mispredicted branches. */
static uint32_t part_at(item *items, uint32_t begin, uint32_t end, uint32_t pivot, int axis) {
  const item key = items[pivot];
  uint32_t firsts = begin;
  exchange(&items[pivot], &items[end - 1]);
  for (uint32_t i = begin; i < end - 1; ++i) {
    const bool first = before(&items[i], &key, axis);
    exchange(&items[i], &items[firsts]);
    firsts += first;
  }
  exchange(&items[firsts], &items[end - 1]);
  return firsts;
}

/* Selects the item at `middle` in the order along `axis`: smaller ones are moved before it. */
static void select_middle(item *items, int axis, uint32_t begin, uint32_t end, uint32_t middle) {
  while (end - begin > 1) {
    const uint32_t at = part_at(items, begin, end, choose_pivot(items, begin, end, axis), axis);
    if (at == middle) return;
    *(middle < at ? &end : &begin) = middle < at ? at : at + 1;
  }
}

/* Returns the axis of the widest extent of the items. */
static int widest_axis(const item *items, uint32_t begin, uint32_t end) {
  float low[3], high[3];
  for (int k = 0; k < 3; ++k) low[k] = high[k] = items[begin].at[k];
  for (uint32_t i = begin + 1; i < end; ++i)
    for (int k = 0; k < 3; ++k) {
      low[k] = items[i].at[k] < low[k] ? items[i].at[k] : low[k];
      high[k] = items[i].at[k] > high[k] ? items[i].at[k] : high[k];
    }
  const float x = high[0] - low[0], y = high[1] - low[1], z = high[2] - low[2];
  return x >= y && x >= z ? 0 : y >= z ? 1 : 2;
}

static void halve(item *items, uint32_t begin, uint32_t end, uint32_t halvings) {
  if (halvings == 0 || end - begin < 2) return;
  const uint32_t middle = order_middle(begin, end);
  select_middle(items, widest_axis(items, begin, end), begin, end, middle);
  halve(items, begin, middle, halvings - 1);
  halve(items, middle, end, halvings - 1);
}

/* Divides between whole groups, and inside a group between whole parts of it, so that all but the last are full. */
static void cut_groups(item *items, uint32_t begin, uint32_t end, uint32_t group, uint32_t part) {
  const uint32_t count = end - begin, unit = count > group ? group : part;
  if (count <= part) return;
  const uint32_t middle = begin + (count / 2 + unit - 1) / unit * unit;
  select_middle(items, widest_axis(items, begin, end), begin, end, middle);
  cut_groups(items, begin, middle, group, part);
  cut_groups(items, middle, end, group, part);
}

syn_status syn_triangle_order(const syn_trimesh *mesh, uint32_t halvings, uint32_t *order, syn_error *error) {
  const uint32_t n = mesh->triangle_count;
  item *items;
  SYN_TRY(SYN_NEW(mesh->context, &items, n, error));
  for (uint32_t t = 0; t < n; ++t) {
    syn_vec3 at = {0, 0, 0};
    for (int c = 0; c < 3; ++c) at = vec3_add(at, vec3_sub(mesh->vertices[mesh->triangles[t].v[c]], mesh->vertices[0]));
    items[t] = (item){{(float)at.x, (float)at.y, (float)at.z}, t};
  }
  halve(items, 0, n, halvings);
  for (uint32_t i = 0; i < n; ++i) order[i] = items[i].triangle;
  syn_free(mesh->context, items);
  return SYN_OK;
}

syn_status syn_point_order(const syn_context *context, const syn_vec3 *points, uint32_t count, uint32_t group,
                           uint32_t part, uint32_t *order, syn_error *error) {
  item *items;
  SYN_TRY(SYN_NEW(context, &items, count, error));
  for (uint32_t i = 0; i < count; ++i) {
    const syn_vec3 at = vec3_sub(points[i], points[0]);
    items[i] = (item){{(float)at.x, (float)at.y, (float)at.z}, i};
  }
  cut_groups(items, 0, count, group, part);
  for (uint32_t i = 0; i < count; ++i) order[i] = items[i].triangle;
  syn_free(context, items);
  return SYN_OK;
}
