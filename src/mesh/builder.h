/* A syn_geometry under construction: readers and generators append to it, then hand over its arrays. */
#ifndef SYN_MESH_BUILDER_H
#define SYN_MESH_BUILDER_H

#include <synovia/mesh.h>

#include "base/memory.h"

/* Zero-initialise with a context. Release with syn_builder_release unless finished. */
typedef struct syn_builder {
  const syn_context *context;
  size_t point_count, point_capacity, triangle_count, triangle_capacity, tet_count, tet_capacity;
  size_t field_count, field_capacity, cell_count, cell_capacity;
  syn_vec3 *points;
  syn_triangle *triangles;
  syn_tet *tets;
  syn_field *fields; /* names and values owned */
  syn_cell *cells;
  syn_space space;
} syn_builder;

syn_status syn_builder_point(syn_builder *builder, syn_vec3 point, syn_error *error);
syn_status syn_builder_triangle(syn_builder *builder, uint32_t v0, uint32_t v1, uint32_t v2, syn_error *error);
syn_status syn_builder_tet(syn_builder *builder, uint32_t v0, uint32_t v1, uint32_t v2, uint32_t v3, syn_error *error);
/* Adds a solid whose tetrahedra were added just before. */
syn_status syn_builder_cell(syn_builder *builder, const syn_cell *cell, syn_error *error);
/* For generators that know their counts: makes all three arrays of an empty builder at once, to be filled in place. On
 * failure the builder is empty again. */
syn_status syn_builder_size(syn_builder *builder, size_t points, size_t triangles, size_t tets, syn_error *error);
/* Makes a field of components * count zeros whose values the caller fills; the name is copied. */
syn_status syn_builder_field(syn_builder *builder, const char *name, size_t name_length, syn_field_on on,
                             uint32_t components, size_t count, double **values, syn_error *error);
/* Moves the arrays to *geometry and leaves the builder empty. */
void syn_builder_finish(syn_builder *builder, syn_geometry *geometry);
/* Moves points and triangles to a mesh without copying; SYN_BAD_MESH as syn_trimesh_create. The builder is left empty.
 */
syn_status syn_builder_trimesh(syn_builder *builder, syn_trimesh **mesh, syn_error *error);
syn_status syn_builder_tetmesh(syn_builder *builder, syn_tetmesh **mesh, syn_error *error);
void syn_builder_release(syn_builder *builder);

/* Parts of a surface: the triangles inside a ball, and a mesh of selected triangles. */
/* Sets marks[t] to 1 for each triangle whose corners are all inside the ball; other marks stay. Returns how many. */
size_t syn_mesh_mark_inside(const syn_trimesh *mesh, syn_vec3 center, double radius, uint8_t *marks);
/* The triangles t of a mesh with marks[t] equal to `value`, and their vertices. */
syn_status syn_mesh_part(const syn_trimesh *mesh, const uint8_t *marks, uint8_t value, syn_trimesh **part,
                         syn_error *error);

#endif
