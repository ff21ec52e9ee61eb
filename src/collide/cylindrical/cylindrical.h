/* Shared by the files of the cylindrical method: two bodies in the frame of the axis. */
#ifndef SYN_COLLIDE_CYLINDRICAL_H
#define SYN_COLLIDE_CYLINDRICAL_H

#include "collide/collider_shells.h"
#include "collide/cylindrical/cylindrical_projection.h"

/* The vertices of one body on rings through the surface of the other. */
typedef struct syn_cylindrical_role {
  syn_ring_table table; /* of the surface, at rest */
  void *table_memory;
  syn_ring_projection projection; /* of the vertices, for turns about the axis */
} syn_cylindrical_role;

enum { SYN_FIXED = 0, SYN_MOBILE = 1 };

typedef struct syn_cylindrical {
  const syn_context *context;
  syn_vec3 center;
  syn_mat3 frame; /* rows: two directions across the axis, then the axis */
  syn_ring_way way;
  uint32_t table_size;
  uint32_t neighbours;     /* 0: exact; else the count of neighbouring rings that are searched */
  syn_ring_bounds *around; /* of each mobile vertex: the rings that are searched */
  bool exchange, between_vertices;
  syn_shells own; /* with thresholds: only mobile vertices in these ranges of distance matter */
  const syn_trimesh *mesh[2];
  syn_vec3 *vertices[2]; /* as given, before the pose, */
  syn_vec3 *points[2];   /* and in the frame, relative to the centre */
  double reach;          /* max distance of a mobile vertex from the centre, and of the centre from the origin */
  /* roles[0]: mobile vertices, fixed surface. roles[1], if exchanged: fixed vertices, mobile surface. */
  syn_cylindrical_role roles[2];
  /* between vertices: lists each edge once, at the first triangle that has it, as bits 0 to 2 for its corners */
  uint8_t *own_edges[2];
} syn_cylindrical;

static inline uint32_t syn_cylindrical_vertices(const syn_cylindrical *c, int body) {
  return c->mesh[body]->vertex_count;
}

/* Transforms a point from the frame to the fixed body's coordinates. */
syn_vec3 syn_cylindrical_place(const syn_cylindrical *c, syn_vec3 point);
syn_vec3 syn_cylindrical_direction(const syn_cylindrical *c, syn_vec3 direction);

/* cylindrical_edges.c */
syn_status syn_cylindrical_own_edges(const syn_context *context, const syn_trimesh *mesh, uint8_t **own_edges,
                                     syn_error *error);
/* Adds for every mobile edge the deepest point among its crossings with fixed edges under rotation. `posed`: mobile
 * vertices in the frame, at the pose; `crossings`: a buffer for a ring. */
void syn_cylindrical_edge_contacts(const syn_cylindrical *c, const syn_vec3 *posed, syn_ring_crossing *crossings,
                                   syn_contacts *result);

/* Warns if the axis passes through both bodies at once, as scanned: they overlap there, but no ring shows it. */
syn_status syn_cylindrical_warn_of_axis(const syn_cylindrical *c, syn_error *error);

#endif
