#include "exact_triangles.h"

#include <stdlib.h>
#include <string.h>

/* A common point is sum l_i a_i = sum m_j b_j with weights l, m >= 0 that add up to 1 each: six unknowns, five linear
 * equations. The common part is the hull of the points that belong to basic solutions, those whose non-zero weights are
 * determined by the equations alone. So every choice of weights that may differ from zero is tried. */

enum { EQUATIONS = 5, WEIGHTS = 6 };
typedef struct basis {
  int count, column[WEIGHTS];
  int64_t m[EQUATIONS][WEIGHTS + 1]; /* chosen columns, then the right-hand side */
} basis;

static void fill_basis(basis *s, unsigned chosen, const grid_point a[3], const grid_point b[3]) {
  memset(s, 0, sizeof *s);
  for (int w = 0; w < WEIGHTS; ++w) {
    if (!(chosen >> w & 1)) continue;
    for (int k = 0; k < 3; ++k) s->m[k][s->count] = w < 3 ? a[w].x[k] : -b[w - 3].x[k];
    s->m[w < 3 ? 3 : 4][s->count] = 1;
    s->column[s->count++] = w;
  }
  s->m[3][s->count] = s->m[4][s->count] = 1;
}

static int64_t greatest_divisor(int64_t a, int64_t b) {
  while (b) {
    int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a < 0 ? -a : a;
}

/* row -= pivot row * factor without fractions, then divided by what all its entries share. */
static void eliminate(int64_t *row, const int64_t *pivot_row, int pivot, int columns) {
  const int64_t mine = row[pivot], theirs = pivot_row[pivot];
  int64_t divisor = 0;
  for (int c = 0; c < columns; ++c) {
    row[c] = row[c] * theirs - pivot_row[c] * mine;
    divisor = greatest_divisor(row[c], divisor);
  }
  for (int c = 0; divisor > 1 && c < columns; ++c) row[c] /= divisor;
}

/* Turns the matrix diagonal; false when the columns depend on each other, there is no solution or a negative one. */
static bool solve(basis *s) {
  for (int c = 0; c < s->count; ++c) {
    int pivot = c;
    while (pivot < EQUATIONS && s->m[pivot][c] == 0) ++pivot;
    if (pivot == EQUATIONS) return false;
    for (int k = 0; k <= s->count; ++k) {
      int64_t swap = s->m[c][k];
      s->m[c][k] = s->m[pivot][k];
      s->m[pivot][k] = swap;
    }
    for (int r = 0; r < EQUATIONS; ++r)
      if (r != c) eliminate(s->m[r], s->m[c], c, s->count + 1);
  }
  for (int r = 0; r < EQUATIONS; ++r) {
    const int64_t right = s->m[r][s->count];
    if (r < s->count ? (right < 0) != (s->m[r][r] < 0) && right != 0 : right != 0) return false;
  }
  return true;
}

/* The point is n / d. */
static void solution_point(const basis *s, const grid_point a[3], int64_t n[3], int64_t *d) {
  *d = 1;
  memset(n, 0, 3 * sizeof *n);
  for (int c = 0; c < s->count; ++c) {
    if (s->column[c] >= 3) continue;
    const int64_t top = s->m[c][s->count], bottom = s->m[c][c];
    for (int k = 0; k < 3; ++k) n[k] = n[k] * bottom + a[s->column[c]].x[k] * top * *d;
    *d *= bottom;
  }
  if (*d < 0) {
    *d = -*d;
    for (int k = 0; k < 3; ++k) n[k] = -n[k];
  }
}

static bool in_shared(const int64_t n[3], int64_t d, const grid_point *shared, int count) {
  if (count == 0) return false;
  const grid_point *p = &shared[0], *q = &shared[count - 1];
  int64_t from_p[3], line[3], dot = 0, length2 = 0;
  for (int k = 0; k < 3; ++k) {
    from_p[k] = n[k] - p->x[k] * d;
    line[k] = q->x[k] - p->x[k];
    dot += from_p[k] * line[k];
    length2 += line[k] * line[k];
  }
  if (length2 == 0) return from_p[0] == 0 && from_p[1] == 0 && from_p[2] == 0;
  for (int k = 0; k < 3; ++k)
    if (from_p[k] * line[(k + 1) % 3] != from_p[(k + 1) % 3] * line[k]) return false;
  return dot >= 0 && dot <= length2 * d;
}

bool exact_triangles_meet(const grid_point a[3], const grid_point b[3], const grid_point *shared, int shared_count) {
  for (unsigned chosen = 1; chosen < 1u << WEIGHTS; ++chosen) {
    basis s;
    int64_t n[3], d;
    fill_basis(&s, chosen, a, b);
    if (s.count > EQUATIONS || !solve(&s)) continue;
    solution_point(&s, a, n, &d);
    if (!in_shared(n, d, shared, shared_count)) return true;
  }
  return false;
}

bool exact_triangles_meet_elsewhere(const grid_point *vertices, const syn_triangle *a, const syn_triangle *b) {
  grid_point corners_a[3], corners_b[3], shared[3];
  uint32_t numbers[3];
  int count = 0;
  for (int i = 0; i < 3; ++i) {
    corners_a[i] = vertices[a->v[i]];
    corners_b[i] = vertices[b->v[i]];
  }
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) {
      bool known = a->v[i] != b->v[k];
      for (int j = 0; j < count; ++j) known = known || numbers[j] == a->v[i];
      if (known) continue;
      shared[count] = corners_a[i];
      numbers[count++] = a->v[i];
    }
  return count == 3 || exact_triangles_meet(corners_a, corners_b, shared, count);
}
