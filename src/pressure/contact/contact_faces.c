/* Shape functions of the contact faces: triangles, quadrilaterals and quadratic triangles. */
#include "pressure/contact/contact_problem.h"

static void tri3(const double at[2], double *n) {
  n[0] = 1 - at[0] - at[1];
  n[1] = at[0];
  n[2] = at[1];
}

static void quad4(const double at[2], double *n) {
  const double a = at[0], b = at[1];
  n[0] = (1 - a) * (1 - b) / 4;
  n[1] = (1 + a) * (1 - b) / 4;
  n[2] = (1 + a) * (1 + b) / 4;
  n[3] = (1 - a) * (1 + b) / 4;
}

static void tri6(const double at[2], double *n) {
  const double c = 1 - at[0] - at[1], a = at[0], b = at[1];
  n[0] = c * (2 * c - 1);
  n[1] = a * (2 * a - 1);
  n[2] = b * (2 * b - 1);
  n[3] = 4 * c * a;
  n[4] = 4 * a * b;
  n[5] = 4 * b * c;
}

static const double triangle_at[6][2] = {{0, 0}, {1, 0}, {0, 1}, {0.5, 0}, {0.5, 0.5}, {0, 0.5}};
static const double square_at[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
static const uint8_t whole[1][CONTACT_CORNERS] = {{0, 1, 2, 3}};
static const uint8_t quarters[4][CONTACT_CORNERS] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}, {3, 4, 5}};

/* The pressure of quadratic triangles is linear: the integrals of their own functions vanish at the corners (Puso,
 * Laursen and Solberg 2008). */
const contact_shape syn_contact_shapes[CONTACT_KINDS] = {
    [CONTACT_TRI3] = {3, 3, 1, 3, whole, triangle_at, tri3, tri3},
    [CONTACT_QUAD4] = {4, 4, 1, 4, whole, square_at, quad4, quad4},
    [CONTACT_TRI6] = {3, 6, 4, 3, quarters, triangle_at, tri6, tri3},
};
