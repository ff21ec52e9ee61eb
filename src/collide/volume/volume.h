/* Shared by the methods on volumes: two volumes with the positions of their vertices, which updates change.
 *
 * A volume is made of tetrahedra. Its cells are the same, or the convex solids that they were divided from: hexahedra,
 * wedges, pyramids and tetrahedra, each with eight corners of which the last may be repeated. */
#ifndef SYN_COLLIDE_VOLUME_H
#define SYN_COLLIDE_VOLUME_H

#include "base/vec.h"
#include "collide/method.h"
#include "geometry/convex_contact.h"

typedef struct volume {
  const syn_context *context;
  const syn_tetmesh *mesh;             /* for its topology */
  syn_vec3 *places;                    /* of its vertices, own copy */
  uint32_t cell_count, corners, faces; /* of each cell: 4 and 4, or 8 and 6 */
  const uint32_t *cells;               /* their corners, one cell after the other */
  uint32_t *own_cells;                 /* NULL where all are tetrahedra */
  uint8_t *kinds;                      /* volume_kind of each; NULL the same */
} volume;

/* In the order of syn_cell_kind, and tetrahedra. */
enum { VOLUME_TET = SYN_CELL_KINDS };

typedef struct volume_pair {
  volume fixed, mobile;
  bool self; /* one body with itself: both are the same, memory included */
} volume_pair;

/* Zero before, so that what a failure leaves behind can be released. */
syn_status syn_volume_pair_create(const syn_context *context, const syn_body *fixed, const syn_body *mobile,
                                  volume_pair *pair, syn_error *error);
void syn_volume_pair_release(volume_pair *pair);
/* Takes the new positions; NULL leaves a body where it is. `moved` says whether the fixed and the mobile body moved;
 * for self-collision only the mobile entry counts. On failure nothing changes. */
syn_status syn_volume_pair_update(volume_pair *pair, const syn_vec3 *fixed, const syn_vec3 *mobile, bool moved[2],
                                  syn_error *error);

static inline void volume_corners(const volume *v, uint32_t tet, syn_vec3 corners[4]) {
  for (int c = 0; c < 4; ++c) corners[c] = v->places[v->mesh->tets[tet].v[c]];
}

/* Computes the corners of a cell; there is space for HULL_POINTS. */
static inline void volume_cell(const volume *v, uint32_t cell, syn_vec3 *corners) {
  const uint32_t *nodes = v->cells + (size_t)cell * v->corners;
  if (v->corners == 4) { /* a number that the compiler knows */
    for (int c = 0; c < 4; ++c) corners[c] = v->places[nodes[c]];
  } else {
    for (int c = 0; c < HULL_POINTS; ++c) corners[c] = v->places[nodes[c]];
  }
}
/* The corners of face f of a cell by their number among its corners: three, or four where the last is not negative. The
 * faces of a tetrahedron lie opposite its corners; those of others come as in volume.c. False: it has no such face.
 */
bool syn_volume_face(const volume *v, uint32_t cell, uint32_t face, int8_t corners[4]);
/* Bit f of faces[c]: face f of cell c equals none of another one. */
syn_status syn_volume_surface(const volume *v, uint8_t *faces, syn_error *error);

static inline syn_box tet_box(const syn_vec3 p[4]) {
  return (syn_box){vec3_min(vec3_min(p[0], p[1]), vec3_min(p[2], p[3])),
                   vec3_max(vec3_max(p[0], p[1]), vec3_max(p[2], p[3]))};
}

static inline syn_box volume_cell_box(const volume *v, const syn_vec3 *corners) {
  return v->corners == 4 ? tet_box(corners) : syn_box_of_points(corners, HULL_POINTS);
}

/* Around a box where the pose puts it, wider by `margin` on every side. */
static inline syn_box box_placed(const syn_box *box, const syn_pose *pose, double margin) {
  const syn_vec3 half = vec3_scale(vec3_sub(box->max, box->min), 0.5);
  const syn_vec3 at = syn_pose_point(pose, vec3_scale(vec3_add(box->min, box->max), 0.5));
  double reach[3];
  for (int k = 0; k < 3; ++k) {
    const syn_vec3 row = pose->rotation.row[k];
    reach[k] = fabs(row.x) * half.x + fabs(row.y) * half.y + fabs(row.z) * half.z + margin;
  }
  const syn_vec3 wide = vec3(reach[0], reach[1], reach[2]);
  return (syn_box){vec3_sub(at, wide), vec3_add(at, wide)};
}

/* Lists for each vertex of a volume its cells and the faces of its surface. */
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
