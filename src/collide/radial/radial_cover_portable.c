/* Finds the cells of a block that a cone touches, one cell after the other. */
#include <math.h>

#include "collide/radial/radial_cover.h"

static float least2(float a, float b) { return a < b ? a : b; }
static float most2(float a, float b) { return a > b ? a : b; }
static unsigned is_negative(float x) { return signbit(x) != 0; }

/* ---- types 1 and 3 ----------------------------------------------------------------------------------------------- */

/* Tests a border. Between two corners of it the product is linear in the columns' part, so that the ends are the
 * extremes. Sets bits for cells whose lower or upper border is all behind the plane, or not all inside it. */
static void judge_border(const cover_block *b, uint32_t r, int k, unsigned *behind, unsigned *not_inside) {
  const float base = b->slope[k] * b->across[r];
  *behind = *not_inside = 0;
  for (int i = 0; i < COVER_COLUMNS; ++i) {
    const float most = most2(b->side[k][i], b->side[k][i + 1]), least = least2(b->side[k][i], b->side[k][i + 1]);
    *behind |= is_negative(b->along[r] * most + (base + b->margin)) << i;
    *not_inside |= is_negative(b->along[r] * least + (base - b->margin)) << i;
  }
}

static void find_ruled(const cover_block *b, cover_found found[COVER_ROWS]) {
  unsigned behind[2][3], not_inside[2][3];
  for (uint32_t r = 0; r <= b->rows; ++r) {
    unsigned dropped = 0, inside = 0;
    for (int k = 0; k < 3; ++k) {
      judge_border(b, r, k, &behind[r % 2][k], &not_inside[r % 2][k]);
      if (r == 0) continue;
      dropped |= behind[0][k] & behind[1][k];
      inside |= (~(not_inside[0][k] | not_inside[1][k]) & 255) << 8 * (k + 1);
    }
    if (r > 0) found[r - 1] = (~dropped & 255) | inside;
  }
}

/* ---- type 2 ------------------------------------------------------------------------------------------------------ */

/* Values between the two corners of each column on one border. */
typedef struct disc_border {
  float most[3][COVER_COLUMNS], least[3][COVER_COLUMNS], height[COVER_COLUMNS];
} disc_border;

static float height_at(const cover_block *b, int i, uint32_t r) {
  return sqrtf(most2((float)(b->above[i] - b->square[r]), 0));
}

static void evaluate_border(const cover_block *b, uint32_t r, disc_border *out) {
  for (int i = 0; i < COVER_COLUMNS; ++i) {
    const float left = height_at(b, i, r), right = height_at(b, i + 1, r);
    out->height[i] = least2(left, right);
    for (int k = 0; k < 3; ++k) {
      const float base = b->slope[k] * b->across[r];
      const float from = b->side[k][i] + base + b->rise[k] * left, to = b->side[k][i + 1] + base + b->rise[k] * right;
      out->most[k][i] = most2(from, to);
      out->least[k][i] = least2(from, to);
    }
  }
}

/* Returns how far a cell extends beyond its corners along z. */
static float find_pad(const cover_block *b, float low, float height2) {
  return least2(sqrtf(most2(height2, 0)), b->bend / most2(low * low * low, 1e-30F));
}

static void judge_cell(const cover_block *b, const disc_border *lower, const disc_border *upper, int i, float height2,
                       cover_found *found) {
  const float pad = find_pad(b, least2(lower->height[i], upper->height[i]), height2);
  unsigned dropped = is_negative(height2 + 1e-6F); /* outside the disc: no direction has this address */
  for (int k = 0; k < 3; ++k) {
    const float margin = pad * fabsf(b->rise[k]) + b->margin;
    dropped |= is_negative(most2(lower->most[k][i], upper->most[k][i]) + margin);
    *found |= (1 - is_negative(least2(lower->least[k][i], upper->least[k][i]) - margin)) << (8 * (k + 1) + i);
  }
  *found |= (1 - dropped) << i;
}

static void find_disc(const cover_block *b, cover_found found[COVER_ROWS]) {
  disc_border borders[2];
  evaluate_border(b, 0, &borders[0]);
  for (uint32_t r = 0; r < b->rows; ++r) {
    evaluate_border(b, r + 1, &borders[(r + 1) % 2]);
    found[r] = 0;
    for (int i = 0; i < COVER_COLUMNS; ++i)
      judge_cell(b, &borders[0], &borders[1], i, (float)(b->nearest_above[i] - b->nearest_square[r]), &found[r]);
  }
}

const cover_kernels syn_cover_portable = {find_ruled, find_disc};
