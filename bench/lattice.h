/* Filling bodies with tetrahedra where gmsh is refused or would take minutes: a lattice, cut off at the surface. */
#ifndef BENCH_LATTICE_H
#define BENCH_LATTICE_H

#include <synovia/collide.h>

/* Fills what lies in at least one of the closed surfaces with `wanted` tetrahedra: a lattice of at most a tenth fewer,
 * some of which are divided, or where a few large cells allow no such lattice, the one whose number is the nearest. The
 * tetrahedra meet face to face and have positive volume; the surface is approximated, its vertices are not kept. */
syn_status bench_fill_lattice(const syn_context *context, const syn_trimesh *const *surfaces, size_t count,
                              uint32_t wanted, syn_tetmesh **mesh, syn_error *error);

#endif
