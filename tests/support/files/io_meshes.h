/* Random content for the tests that go over all formats. */
#ifndef TEST_IO_MESHES_H
#define TEST_IO_MESHES_H

#include "io_support.h"

/* What a generated mesh is made of. */
typedef enum mesh_kind { ONLY_TRIANGLES, ONLY_TETS, BOTH_CELLS, MESH_KINDS } mesh_kind;

/* Can the format hold it, read it and write it? */
bool format_takes(const syn_format_info *info, mesh_kind kind);
/* A temporary path with the first of the format's endings. */
const char *path_for(const syn_format_info *info, const char *stem);

/* A random mesh, the same for the same state of `random`. Its vertices are numbered by their first appearance in the
 * triangles, and each is used: a format that keeps corners only (STL) gives them back in the same order. No two
 * vertices are the same float. Tets have positive volume. Fields: "depth" (1) and "force" (3) on points; where there is
 * one kind of cell also "region" (1) on the cells. Release with free_mesh. */
syn_geometry make_mesh(test_random *random, mesh_kind kind, uint32_t cells);
void free_mesh(syn_geometry *mesh);

/* A mesh with everything: `points` random points, random triangles and tetrahedra over them, fields of each kind whose
 * names need care. Static storage for up to 512 points, triangles and tetrahedra. */
syn_geometry make_everything(test_random *random, uint32_t points, uint32_t triangles, uint32_t tets);

/* Two triangles and two tets over five points whose coordinates need all their bits; static storage. */
syn_geometry sample_geometry(void);

#endif
