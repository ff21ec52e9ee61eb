#include "tissue/fem/fem.h"

#include "base/names.h"

/* ---- shape functions -----------------------------------------------------------------------------------------------
 */

static void tet4_shape(const double at[3], double *values, double (*slopes)[3]) {
  if (values) values[0] = 1 - at[0] - at[1] - at[2];
  for (int i = 0; i < 3; ++i) {
    if (values) values[i + 1] = at[i];
    if (!slopes) continue;
    slopes[0][i] = -1;
    for (int a = 1; a < 4; ++a) slopes[a][i] = a == i + 1;
  }
}

static const uint8_t tet_edges[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};

static void tet10_shape(const double at[3], double *values, double (*slopes)[3]) {
  double l[4], dl[4][3];
  tet4_shape(at, l, dl);
  for (int a = 0; a < 4; ++a) {
    if (values) values[a] = l[a] * (2 * l[a] - 1);
    for (int i = 0; slopes && i < 3; ++i) slopes[a][i] = (4 * l[a] - 1) * dl[a][i];
  }
  for (int e = 0; e < 6; ++e) {
    const int p = tet_edges[e][0], q = tet_edges[e][1];
    if (values) values[4 + e] = 4 * l[p] * l[q];
    for (int i = 0; slopes && i < 3; ++i) slopes[4 + e][i] = 4 * (dl[p][i] * l[q] + l[p] * dl[q][i]);
  }
}

static const double hex_corners[8][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                                         {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};

static void hex8_shape(const double at[3], double *values, double (*slopes)[3]) {
  for (int a = 0; a < 8; ++a) {
    const double *c = hex_corners[a], x = 1 + c[0] * at[0], y = 1 + c[1] * at[1], z = 1 + c[2] * at[2];
    if (values) values[a] = x * y * z / 8;
    if (!slopes) continue;
    slopes[a][0] = c[0] * y * z / 8;
    slopes[a][1] = c[1] * x * z / 8;
    slopes[a][2] = c[2] * x * y / 8;
  }
}

/* ---- integration ---------------------------------------------------------------------------------------------------
 */

static const fem_quadrature tet_one[] = {{{0.25, 0.25, 0.25}, 1.0 / 6}};

/* Exact for squares. */
#define A 0.13819660112501052 /* (5 - sqrt 5) / 20 */
#define B 0.58541019662496845 /* 1 - 3 A */
static const fem_quadrature tet_four[] = {
    {{A, A, A}, 1.0 / 24}, {{B, A, A}, 1.0 / 24}, {{A, B, A}, 1.0 / 24}, {{A, A, B}, 1.0 / 24}};
#undef A
#undef B

/* Exact for polynomials of degree 5 (Keast 1986, rule 6). */
#define C0 (1.0 / 3)
#define C1 (8.0 / 11)
#define C2 (1.0 / 11)
#define C3 0.066550153573664281
#define C4 0.43344984642633573
#define W0 0.030283678097089182
#define W1 0.0060267857142857142
#define W2 0.011645249086028967
#define W3 0.010949141561386449
static const fem_quadrature tet_fifteen[] = {
    {{0.25, 0.25, 0.25}, W0}, {{C0, C0, C0}, W1}, {{0, C0, C0}, W1},  {{C0, 0, C0}, W1},  {{C0, C0, 0}, W1},
    {{C2, C2, C2}, W2},       {{C1, C2, C2}, W2}, {{C2, C1, C2}, W2}, {{C2, C2, C1}, W2}, {{C4, C3, C3}, W3},
    {{C3, C4, C3}, W3},       {{C3, C3, C4}, W3}, {{C3, C4, C4}, W3}, {{C4, C3, C4}, W3}, {{C4, C4, C3}, W3}};

#define G 0.57735026918962576 /* 1 / sqrt 3 */
static const fem_quadrature hex_eight[] = {{{-G, -G, -G}, 1}, {{G, -G, -G}, 1}, {{G, G, -G}, 1}, {{-G, G, -G}, 1},
                                           {{-G, -G, G}, 1},  {{G, -G, G}, 1},  {{G, G, G}, 1},  {{-G, G, G}, 1}};
#undef G

/* Three by three by three, for masses: the map of a distorted element adds to the degree. */
#define G 0.77459666924148338 /* sqrt(3 / 5) */
#define LINE(y, z, w)                                                                                                  \
  {{-G, (y), (z)}, 5.0 / 9 * (w)}, {{0, (y), (z)}, 8.0 / 9 * (w)}, { {G, (y), (z)}, 5.0 / 9 * (w) }
#define PLANE(z, w) LINE(-G, z, 5.0 / 9 * (w)), LINE(0, z, 8.0 / 9 * (w)), LINE(G, z, 5.0 / 9 * (w))
static const fem_quadrature hex_twenty_seven[] = {PLANE(-G, 5.0 / 9), PLANE(0, 8.0 / 9), PLANE(G, 5.0 / 9)};
#undef G
#undef LINE
#undef PLANE

/* ---- the table -----------------------------------------------------------------------------------------------------
 */

static const double tet_nodes[10][3] = {{0, 0, 0},     {1, 0, 0},   {0, 1, 0},   {0, 0, 1},     {0.5, 0, 0},
                                        {0.5, 0.5, 0}, {0, 0.5, 0}, {0, 0, 0.5}, {0.5, 0, 0.5}, {0, 0.5, 0.5}};
static const uint8_t tet4_faces[][FEM_FACE_NODES] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
static const uint8_t tet10_faces[][FEM_FACE_NODES] = {
    {1, 2, 3, 5, 9, 8}, {0, 3, 2, 7, 9, 6}, {0, 1, 3, 4, 8, 7}, {0, 2, 1, 6, 5, 4}};
static const uint8_t hex8_faces[][FEM_FACE_NODES] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4},
                                                     {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
static const uint8_t one_triangle[][3] = {{0, 1, 2}};
static const uint8_t four_triangles[][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}, {3, 4, 5}};
static const uint8_t two_triangles[][3] = {{0, 1, 2}, {0, 2, 3}};

const fem_element syn_fem_elements[SYN_ELEMENTS] = {
    [SYN_ELEMENT_TET4] = {4, 1, 4, tet_one, tet_four, tet4_shape, 4, tet_nodes, 4, 3, 3, tet4_faces, 1, one_triangle},
    [SYN_ELEMENT_TET10] = {10, 4, 15, tet_four, tet_fifteen, tet10_shape, 4, tet_nodes, 4, 3, 6, tet10_faces, 4,
                           four_triangles},
    [SYN_ELEMENT_HEX8] = {8, 8, 27, hex_eight, hex_twenty_seven, hex8_shape, 8, hex_corners, 6, 4, 4, hex8_faces, 2,
                          two_triangles},
};

SYN_ENUM_NAMES(syn_element,
               SYN_ELEMENTS, [SYN_ELEMENT_TET4] = "tet4", [SYN_ELEMENT_TET10] = "tet10", [SYN_ELEMENT_HEX8] = "hex8");

const uint32_t syn_element_nodes[SYN_ELEMENTS] = {
    [SYN_ELEMENT_TET4] = 4, [SYN_ELEMENT_TET10] = 10, [SYN_ELEMENT_HEX8] = 8};

double syn_fem_gradients(const fem_element *element, const double at[3], const double (*rest)[3],
                         double (*gradients)[3]) {
  double slopes[FEM_NODES][3], map[9] = {0}, cofactor[9];
  element->shape(at, NULL, slopes);
  /* Relative to the first node, so that elements far from the origin lose no digits. */
  for (int a = 1; a < element->node_count; ++a)
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) map[3 * i + j] += (rest[a][i] - rest[0][i]) * slopes[a][j];
  m9_cofactor(map, cofactor);
  const double determinant = map[0] * cofactor[0] + map[1] * cofactor[1] + map[2] * cofactor[2];
  for (int a = 0; a < element->node_count; ++a)
    for (int i = 0; i < 3; ++i)
      gradients[a][i] =
          (cofactor[3 * i] * slopes[a][0] + cofactor[3 * i + 1] * slopes[a][1] + cofactor[3 * i + 2] * slopes[a][2]) /
          determinant;
  return determinant;
}
