/* Small linear finite elements, written for clarity: a box of n x n x n trilinear hexahedra, solved by conjugate
 * gradients. The slow twin of elastic bodies. */
#ifndef TEST_HEX_TWIN_H
#define TEST_HEX_TWIN_H

#include <synovia/base.h>

typedef struct hex_box {
  syn_vec3 size; /* mm, from the origin on */
  uint32_t n[3]; /* elements along each side */
  double young_mpa, poisson;
} hex_box;

/* Mean displacement of the side z = size.z under a force that is spread evenly over it, while the side z = 0 is held:
 * in all directions, or (`sliding`) only along z. */
syn_vec3 hex_end_motion(const hex_box *box, syn_vec3 force_n, bool sliding);

#endif
