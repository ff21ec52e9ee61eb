/* Lists for each vertex of a volume its cells and the faces of its surface. */
#ifndef SYN_COLLIDE_STARS_H
#define SYN_COLLIDE_STARS_H

#include "collide/volume/volume.h"

/* Lists of numbers, one for each vertex, one after the other. */
typedef struct vertex_lists {
  uint32_t *first; /* of each vertex, and the end of the last one */
  uint32_t *items;
} vertex_lists;

typedef struct volume_stars {
  vertex_lists cells, faces; /* face `faces * cell + f` is face f of a cell */
} volume_stars;

/* Zero before; on failure release what was made. */
syn_status syn_volume_stars_create(const volume *body, volume_stars *stars, syn_error *error);
void syn_volume_stars_release(const syn_context *context, volume_stars *stars);

/* The vertices of a cell, or of one of its faces, by their numbers in the mesh; a cell has at most HULL_POINTS, a face
 * at most four. Corners that coincide may come twice. */
uint32_t syn_cell_vertices(const volume *body, uint32_t cell, uint32_t *vertices);
uint32_t syn_face_vertices(const volume *body, uint32_t face, uint32_t vertices[4]);

#endif
