#include "collide/triangle_order.h"

#include "base/memory.h"
#include "base/vec.h"

/* What is sorted: small enough to be moved. */
typedef struct item {
  float at[3]; /* three times the triangle's centroid, from the mesh's first vertex */
  uint32_t triangle;
} item;

/* Ties go by number, so that the order is the same everywhere. */
static bool before(const item *p, const item *q, int axis) {
  return p->at[axis] < q->at[axis] || (p->at[axis] == q->at[axis] && p->triangle < q->triangle);
}

static item median_of_three(const item *p, const item *q, const item *r, int axis) {
  if (before(q, p, axis)) {
    const item *kept = p;
    p = q;
    q = kept;
  }
  return before(r, p, axis) ? *p : before(r, q, axis) ? *r : *q;
}

/* Puts the items that are smaller along `axis` first, so that the one at `middle` is where sorting would put it
 * (Hoare's selection). */
static void select_middle(item *items, int axis, int64_t begin, int64_t end, int64_t middle) {
  while (end - begin > 1) {
    const item pivot = median_of_three(&items[begin], &items[begin + (end - begin - 1) / 2], &items[end - 1], axis);
    int64_t i = begin - 1, j = end;
    for (;;) {
      do ++i;
      while (before(&items[i], &pivot, axis));
      do --j;
      while (before(&pivot, &items[j], axis));
      if (i >= j) break;
      const item kept = items[i];
      items[i] = items[j];
      items[j] = kept;
    }
    if (middle <= j)
      end = j + 1;
    else
      begin = j + 1;
  }
}

/* The direction in which the items lie furthest apart. */
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
