/* Two blocks of elements, one on the other, between walls that keep their sides plane: a state of uniform strain
 * whatever the elements. The lower one stands on the fixed frame, the upper one hangs on the mobile frame. */
#ifndef TEST_BLOCK_PAIR_H
#define TEST_BLOCK_PAIR_H

#include "element_box.h"

#include <synovia/pressure.h>

typedef struct block_pair {
  element_box boxes[2];
  syn_soft *soft[2];
  uint8_t *held[2];
  uint32_t *faces[2];
  syn_contact_body bodies[2];
} block_pair;

/* Blocks of 1 x 1 x height mm. `shake` moves nodes inside and on the surfaces that touch, by up to that part of a cell;
 * `lift` is the gap between the blocks. */
block_pair make_block_pair(syn_element element, const uint32_t lower[3], const uint32_t upper[3], double height,
                           const syn_material materials[2], syn_law law, double shake, double lift);
void drop_block_pair(block_pair *pair);

#endif
