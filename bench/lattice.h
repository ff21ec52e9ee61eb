/* Filling bodies with tetrahedra where gmsh is refused or would take minutes: a lattice, cut off at the surface. */
#ifndef BENCH_LATTICE_H
#define BENCH_LATTICE_H

#include <synovia/collide.h>

/* Fills what lies in at least one of the closed surfaces with about `wanted` tetrahedra (within 2 % where the lattice
 * can). The tetrahedra meet face to face and have positive volume; the surface is approximated, its vertices are
 * not kept. */
syn_status bench_fill_lattice(const syn_context *context, const syn_trimesh *const *surfaces, size_t count,
                              uint32_t wanted, syn_tetmesh **mesh, syn_error *error);

#endif
