/* A block of tetrahedra whose edges are springs: the plainest soft body there is, for tests of all that moves one. */
#ifndef TEST_SPRING_BODY_H
#define TEST_SPRING_BODY_H

#include "support.h"
#include "tissue/soft.h"

/* nx * ny * nz cells of `cell` mm from `corner`, density 1000 kg/m3; springs of `stiffness` N/mm. */
syn_soft *make_spring_block(const syn_context *context, const uint32_t cells[3], double cell, syn_vec3 corner,
                            double stiffness);
/* Two nodes, the first at `a`, the second at `b`, of `mass` tonnes each. Its skin is one flat triangle pair. */
syn_soft *make_spring_pair(syn_vec3 a, syn_vec3 b, double stiffness, double mass);
/* The six-tetrahedra subdivision of a grid of cells. */
syn_tetmesh *make_tet_block(const syn_context *context, const uint32_t cells[3], double cell, syn_vec3 corner);

#endif
