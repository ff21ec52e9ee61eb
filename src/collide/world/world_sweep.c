#include "collide/world/sweep.h"

#include <math.h>

#include "base/order.h"
#include "base/vec.h"

enum { ALL_AXES = 7, LISTED = 8 };

static size_t number_of_pair(uint32_t low, uint32_t high) { return (size_t)high * (high - 1) / 2 + low; }

/* ---- boxes --------------------------------------------------------------------------------------------------------
 */

/* Sets the ends of a box; those of an empty one are beyond all others. */
static void set_ends(sweep *s, uint32_t number, const syn_box *box) {
  for (int k = 0; k < 3; ++k) {
    const double low = vec3_at(box->min, k), high = vec3_at(box->max, k);
    s->ends[k][s->place[k][2 * number]].value = low <= high ? low : (double)INFINITY;
    s->ends[k][s->place[k][2 * number + 1]].value = low <= high ? high : -(double)INFINITY;
  }
}

syn_status syn_sweep_add(sweep *s, const syn_box *box, syn_error *error) {
  const size_t ends = 2 * (size_t)s->count, pairs = s->count ? number_of_pair(0, s->count) : 0;
  for (int k = 0; k < 3; ++k) {
    SYN_TRY(SYN_RESERVE(s->context, &s->ends[k], ends, 2, &s->end_capacity[k], error));
    SYN_TRY(SYN_RESERVE(s->context, &s->place[k], ends, 2, &s->place_capacity[k], error));
  }
  SYN_TRY(SYN_RESERVE(s->context, &s->state, pairs, s->count, &s->state_capacity, error));
  if (s->count > 0) memset(s->state + pairs, 0, s->count);
  /* Starts beyond all other boxes, where it overlaps none; sorting moves it into place. */
  for (int k = 0; k < 3; ++k)
    for (uint32_t side = 0; side < 2; ++side) {
      s->ends[k][ends + side].of = (uint32_t)ends + side;
      s->place[k][ends + side] = (uint32_t)ends + side;
    }
  set_ends(s, s->count++, box);
  return SYN_OK;
}

void syn_sweep_release(sweep *s) {
  for (int k = 0; k < 3; ++k) {
    syn_free(s->context, s->ends[k]);
    syn_free(s->context, s->place[k]);
  }
  syn_free(s->context, s->state);
  syn_free(s->context, s->pairs);
  *s = (sweep){.context = s->context};
}

void syn_sweep_move(sweep *s, uint32_t number, const syn_box *box) { set_ends(s, number, box); }

/* ---- sorting ------------------------------------------------------------------------------------------------------
 */

/* Orders ends. Among equal values lower ends come first, so that touching boxes overlap; numbers break ties. */
static bool comes_before(const sweep_end *a, const sweep_end *b) {
  if (a->value != b->value) return a->value < b->value;
  if ((a->of & 1) != (b->of & 1)) return (a->of & 1) < (b->of & 1);
  return a->of < b->of;
}

static void list_pair(sweep *s, uint32_t low, uint32_t high, uint8_t *state) {
  if (*state & LISTED) return;
  if (SYN_RESERVE(s->context, &s->pairs, s->pair_count, 1, &s->pair_capacity, NULL) != SYN_OK) {
    s->incomplete = true;
    return;
  }
  *state |= LISTED;
  s->pairs[s->pair_count++] = (sweep_pair){low, high};
}

/* Returns whether two boxes overlap along an axis. All values are updated before sorting, so that the order of the
 * exchanges does not matter. */
static bool overlap_along(const sweep *s, int axis, uint32_t a, uint32_t b) {
  const sweep_end *ends = s->ends[axis];
  const uint32_t *place = s->place[axis];
  return ends[place[2 * a]].value <= ends[place[2 * b + 1]].value &&
         ends[place[2 * b]].value <= ends[place[2 * a + 1]].value;
}

/* Exchanges two ends of different kind: the pair may begin or cease to overlap along this axis. */
static void swap_ends(sweep *s, int axis, uint32_t one, uint32_t other) {
  const uint32_t a = one / 2, b = other / 2;
  if (a == b || (one & 1) == (other & 1)) return;
  const uint32_t low = a < b ? a : b, high = a < b ? b : a;
  uint8_t *state = &s->state[number_of_pair(low, high)];
  if (!overlap_along(s, axis, a, b)) {
    *state &= (uint8_t) ~(1u << axis);
    return;
  }
  *state |= (uint8_t)(1u << axis);
  if ((*state & ALL_AXES) == ALL_AXES) list_pair(s, low, high, state);
}

static void sort_axis(sweep *s, int axis) {
  sweep_end *ends = s->ends[axis];
  uint32_t *place = s->place[axis];
  for (uint32_t i = 1; i < 2 * s->count; ++i) {
    const sweep_end moving = ends[i];
    for (uint32_t at = i; at > 0 && comes_before(&moving, &ends[at - 1]); --at) {
      ends[at] = ends[at - 1];
      place[ends[at].of] = at;
      ends[at - 1] = moving;
      place[moving.of] = at - 1;
      swap_ends(s, axis, moving.of, ends[at].of);
    }
  }
}

/* ---- pairs --------------------------------------------------------------------------------------------------------
 */

static bool pair_comes_after(const void *one, const void *other) {
  const sweep_pair *a = one, *b = other;
  return a->low != b->low ? a->low > b->low : a->high > b->high;
}

static void drop_old_pairs(sweep *s) {
  size_t kept = 0;
  for (size_t i = 0; i < s->pair_count; ++i) {
    uint8_t *state = &s->state[number_of_pair(s->pairs[i].low, s->pairs[i].high)];
    if ((*state & ALL_AXES) == ALL_AXES)
      s->pairs[kept++] = s->pairs[i];
    else
      *state &= ALL_AXES;
  }
  s->pair_count = kept;
}

/* Searches all pairs for those that could not be listed for lack of memory. */
static syn_status list_missing(sweep *s, syn_error *error) {
  for (uint32_t high = 1; high < s->count; ++high)
    for (uint32_t low = 0; low < high; ++low) {
      uint8_t *state = &s->state[number_of_pair(low, high)];
      if (*state != ALL_AXES) continue;
      SYN_TRY(SYN_RESERVE(s->context, &s->pairs, s->pair_count, 1, &s->pair_capacity, error));
      *state |= LISTED;
      s->pairs[s->pair_count++] = (sweep_pair){low, high};
    }
  s->incomplete = false;
  return SYN_OK;
}

syn_status syn_sweep_pairs(sweep *s, syn_error *error) {
  for (int k = 0; k < 3; ++k) sort_axis(s, k);
  drop_old_pairs(s);
  if (s->incomplete) SYN_TRY(list_missing(s, error));
  if (s->pair_count > 0) heap_sort(s->pairs, s->pair_count, sizeof *s->pairs, pair_comes_after);
  return SYN_OK;
}
