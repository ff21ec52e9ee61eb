/* Sweep and prune (Cohen, Lin, Manocha, Ponamgi: I-COLLIDE, 1995; Sundaraj 2004, §4.2.1): finds the overlapping pairs
 * among many boxes.
 *
 * The ends of all boxes are kept sorted along each axis. After a small motion the lists are nearly in order, so that
 * insertion sort takes about linear time; every exchange of two ends is a pair that begins or ceases to overlap. */
#ifndef SYN_COLLIDE_SWEEP_H
#define SYN_COLLIDE_SWEEP_H

#include "base/memory.h"

typedef struct sweep_end {
  double value;
  uint32_t of; /* 2 b: the lower end of box b, 2 b + 1: the upper one */
} sweep_end;

typedef struct sweep_pair {
  uint32_t low, high; /* numbers of the boxes */
} sweep_pair;

typedef struct sweep {
  const syn_context *context;
  uint32_t count;
  sweep_end *ends[3];
  uint32_t *place[3]; /* index of each end in its list */
  size_t end_capacity[3], place_capacity[3];
  uint8_t *state; /* per pair: bits of the axes along which it overlaps, and whether it is listed */
  size_t state_capacity;
  sweep_pair *pairs; /* all that overlap, and some that no longer overlap */
  size_t pair_count, pair_capacity;
  bool incomplete; /* out of memory for a pair: the list must be rebuilt */
} sweep;

/* Adds box number `count`. The sweep starts zeroed but for the context. On failure nothing changes. */
syn_status syn_sweep_add(sweep *s, const syn_box *box, syn_error *error);
void syn_sweep_release(sweep *s);
/* Moves a box; takes effect in syn_sweep_pairs. */
void syn_sweep_move(sweep *s, uint32_t number, const syn_box *box);
/* Updates `pairs`: all pairs of boxes that overlap or touch, sorted by low, then high number. A box with min > max
 * overlaps nothing. */
syn_status syn_sweep_pairs(sweep *s, syn_error *error);

#endif
