/* Cubic lattices of molecules, and small questions about bodies of molecules. */
#ifndef TEST_LATTICE_BODY_H
#define TEST_LATTICE_BODY_H

#include <synovia/tissue.h>

#include "support.h"

typedef struct lattice_body {
  uint32_t size[3];
  syn_vec3 *centers;
  double *radii, *volumes;
  uint32_t (*connections)[2];
  syn_molecules molecules; /* points to all of them */
} lattice_body;

enum { LATTICE_EDGES = 1, LATTICE_FACES = 2, LATTICE_CUBES = 4 };

/* nx x ny x nz balls `step` apart, connected along edges, diagonals of faces and diagonals of cubes as asked. The
 * volumes are cells of the lattice: half on faces, a quarter on edges, an eighth in corners. */
lattice_body make_lattice(uint32_t nx, uint32_t ny, uint32_t nz, syn_vec3 step, int kinds);
void drop_lattice(lattice_body *body);

/* Young's modulus in MPa, Poisson's ratio, 1000 kg/m3, and the rule. */
syn_soft_options soft_options(double young_mpa, double poisson, syn_spring_rule rule);

/* Mean motion of the molecules at z = height under a force spread over them by volume, those at z = 0 held, by the
 * simulation's equilibrium. */
syn_vec3 lattice_end_motion(syn_soft *soft, double height, syn_vec3 force);

#endif
