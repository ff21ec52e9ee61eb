/* Poses as plain 4x4 matrices: shifts and turns about the axes of coordinates. The twin of skeletons. */
#ifndef TEST_MATRIX_TWIN_H
#define TEST_MATRIX_TWIN_H

#include <math.h>

typedef struct matrix {
  double m[4][4];
} matrix;

static inline matrix multiply(matrix a, matrix b) {
  matrix c = {0};
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      for (int k = 0; k < 4; ++k) c.m[i][j] += a.m[i][k] * b.m[k][j];
  return c;
}

static inline matrix shift(double x, double y, double z) {
  return (matrix){{{1, 0, 0, x}, {0, 1, 0, y}, {0, 0, 1, z}, {0, 0, 0, 1}}};
}
static inline matrix about_x(double a) {
  return (matrix){{{1, 0, 0, 0}, {0, cos(a), -sin(a), 0}, {0, sin(a), cos(a), 0}, {0, 0, 0, 1}}};
}
static inline matrix about_y(double a) {
  return (matrix){{{cos(a), 0, sin(a), 0}, {0, 1, 0, 0}, {-sin(a), 0, cos(a), 0}, {0, 0, 0, 1}}};
}
static inline matrix about_z(double a) {
  return (matrix){{{cos(a), -sin(a), 0, 0}, {sin(a), cos(a), 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}};
}

#endif
