/* Recursive bisection: the box around some nodes is cut across its longest side, so that both halves have nodes in
 * proportion to the processes that get them. */
#include "base/order.h"
#include "base/vec.h"
#include "tissue/factor.h"
#include "tissue/team/team.h"

typedef struct item {
  double at[3];
  uint32_t node;
} item;

static double along(const void *a, int axis) { return ((const item *)a)->at[axis]; }

static int longest_side(const item *items, uint32_t count) {
  double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
  for (uint32_t i = 0; i < count; ++i)
    for (int k = 0; k < 3; ++k) {
      low[k] = fmin(low[k], items[i].at[k]);
      high[k] = fmax(high[k], items[i].at[k]);
    }
  int longest = 0;
  for (int k = 1; k < 3; ++k)
    if (high[k] - low[k] > high[longest] - low[longest]) longest = k;
  return longest;
}

static void halve(item *items, uint32_t count, uint32_t first, uint32_t processes, uint32_t *owner) {
  if (processes == 1 || count == 0) {
    for (uint32_t i = 0; i < count; ++i) owner[items[i].node] = first;
    return;
  }
  const uint32_t left = processes / 2, cut = (uint32_t)((uint64_t)count * left / processes);
  if (cut > 0) select_nth(items, count, sizeof *items, cut, along, longest_side(items, count));
  halve(items, cut, first, left, owner);
  halve(items + cut, count - cut, first + left, processes - left, owner);
}

syn_status syn_team_partition(const syn_context *context, uint32_t size, const syn_vec3 *places, const uint8_t *held,
                              uint32_t node_count, uint32_t *owner, syn_error *error) {
  item *items;
  uint32_t count = 0;
  SYN_TRY(SYN_NEW(context, &items, node_count, error));
  for (uint32_t i = 0; i < node_count; ++i) {
    owner[i] = 0;
    if (!held || held[i] != SYN_HELD) items[count++] = (item){{places[i].x, places[i].y, places[i].z}, i};
  }
  halve(items, count, 0, size, owner);
  syn_free(context, items);
  return SYN_OK;
}
