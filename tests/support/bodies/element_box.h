/* Blocks of finite elements, and their equilibrium by the plainest way. */
#ifndef TEST_ELEMENT_BOX_H
#define TEST_ELEMENT_BOX_H

#include "support.h"
#include "tissue/soft.h"

typedef struct element_box {
  syn_fem_mesh mesh;
  syn_vec3 *nodes; /* what the mesh points to: may be moved before a body is made of it */
  uint32_t *elements;
  uint32_t grid[3]; /* nodes along the axes: node (i, j, k) has number (k * grid[1] + j) * grid[0] + i */
} element_box;

/* A block from the origin to `size`, cut into count[0] * count[1] * count[2] cells: one hexahedron each, or six
 * tetrahedra. */
element_box make_element_box(syn_element element, uint32_t nx, uint32_t ny, uint32_t nz, syn_vec3 size);
void drop_element_box(element_box *box);
/* Moves all nodes inside the block by up to `part` of a cell. Nodes on edges of quadratic elements stay in the middle.
 */
void shake_element_box(element_box *box, test_random *random, double part);

/* Options with a material of density 1000 kg/m3. */
syn_soft_options elastic_options(double young_mpa, double poisson, syn_law law);

/* Newton's iteration from x, in place, until the forces on nodes that are free balance the loads (may be NULL) to
 * 1e-12 of the largest; `held` as in factor.h. Fails the test where that does not come about. */
void settle(const syn_soft *soft, const uint8_t *held, const syn_vec3 *loads, syn_vec3 *x);
/* The solution of one linear step from the rest: displacements. */
void settle_linear(const syn_soft *soft, const uint8_t *held, const syn_vec3 *loads, syn_vec3 *displacements);

/* Loads at the nodes of one end of a block, the plane x = size.x, from a traction there, integrated as the elements
 * interpolate. `loads` is overwritten. */
void load_end(const element_box *box, double at_x, syn_vec3 (*traction)(syn_vec3 place, const void *user),
              const void *user, syn_vec3 *loads);

/* Loads of a pressure from inside a hollow ball around the origin, on faces whose nodes all lie at that radius. */
void press_sphere(const element_box *box, double radius, double pressure, syn_vec3 *loads);

#endif
