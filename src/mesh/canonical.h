/* Gives a surface a canonical numbering, independent of that in the file. */
#ifndef SYN_MESH_CANONICAL_H
#define SYN_MESH_CANONICAL_H

#include <synovia/mesh.h>

/* The same surface with its vertices in ascending order of x, then y, then z, each triangle from its lowest vertex on,
 * and the triangles in ascending order. Two meshes that differ only in the order of vertices, of triangles or of the
 * corners of a triangle become equal, bit for bit, and so does all that is computed from them: sums are rounded alike,
 * and of two candidates that are equally good the same one comes first. Vertices at the same position are distinguished
 * by the triangles around them. */
syn_status syn_trimesh_renumber(const syn_trimesh *mesh, syn_trimesh **renumbered, syn_error *error);

#endif
