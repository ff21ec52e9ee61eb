/* Recursive bisection: nodes are cut across the direction with the fewest nodes near the cut, so that both halves
 * have nodes in proportion to their numbers of ranks. A socket with a notch is best cut through the notch. */
#include "base/order.h"
#include "base/vec.h"
#include "solve/block_matrix.h"
#include "solve/ranks.h"

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

static void halve(item *items, uint32_t count, uint32_t first, uint32_t processes, uint32_t *owner) {
  if (processes == 1 || count == 0) {
    for (uint32_t i = 0; i < count; ++i) owner[items[i].node] = first;
    return;
  }
  const uint32_t left = processes / 2, cut = (uint32_t)((uint64_t)count * left / processes);
  if (cut > 0) cut_along(items, count, cut, best_direction(items, count, cut));
  halve(items, cut, first, left, owner);
  halve(items + cut, count - cut, first + left, processes - left, owner);
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
  halve(items, count, 0, size, owner);
  syn_free(context, items);
  return SYN_OK;
}
