/* Internals of the elastic foundation: the two surfaces, the table of radii, and the state at a pose. */
#ifndef SYN_PRESSURE_FOUNDATION_H
#define SYN_PRESSURE_FOUNDATION_H

#include <synovia/pressure.h>

#include "base/memory.h"
#include "base/vec.h"

/* ---- a surface ----------------------------------------------------------------------------------------------------
 */

/* Articular faces of a layer, or the triangles of a rigid surface, relative to the joint's centre. */
typedef struct foundation_side {
  uint32_t node_count, face_count, source_count;
  uint32_t *source;        /* of each node: its number in the layer or mesh, which has source_count */
  syn_vec3 *nodes;         /* from the centre */
  syn_vec3 *normals;       /* unit, away from the centre */
  double *thickness_mm;    /* 0 where rigid */
  double *give_mm_per_mpa; /* compliance of tissue without bone behind it, as a whole; 0 on bone */
  double *modulus_mpa;     /* of the foundation; 1 if rigid (unused) */
  uint32_t (*faces)[4];    /* a triangle repeats its last corner */
  uint8_t *regions;        /* of each face */
} foundation_side;

/* (1 - nu) E / ((1 + nu) (1 - 2 nu)): pressure over strain of a thin layer that is bonded to bone. NAN unless the
 * material is elastic and compressible. */
double syn_foundation_modulus(const syn_material *material);

/* `outward`: the normals of the faces point away from the centre, as a head's do. */
syn_status syn_foundation_side_of_layer(const syn_context *context, const syn_layer *layer, syn_vec3 center,
                                        bool outward, foundation_side *side, syn_error *error);
syn_status syn_foundation_side_of_mesh(const syn_context *context, const syn_trimesh *mesh, syn_vec3 center,
                                       bool outward, foundation_side *side, syn_error *error);
void syn_foundation_side_release(const syn_context *context, foundation_side *side);

/* ---- radii by direction -------------------------------------------------------------------------------------------
 */

/* A function of the direction from the centre, on the six faces of a cube, each extended slightly beyond its edges.
 * On a face with the axis `k` a direction p has the coordinates a = p[k+1] / p[k] and b = p[k+2] / p[k]. */
typedef struct foundation_texel {
  double radius, along_a, along_b; /* and its derivatives; NAN without a surface */
} foundation_texel;
typedef struct foundation_below {
  double thickness_mm, modulus_mpa;
} foundation_below;
typedef struct foundation_table {
  uint32_t size;            /* texels along an edge, including the margin */
  double scale, offset;     /* index of a texel = coordinate * scale + offset */
  foundation_texel *texels; /* [face of the cube][b][a] */
  foundation_below *below;
  uint8_t *covered;   /* 0: no surface, the radius is extrapolated from the neighbours */
  uint32_t *triangle; /* triangle at the texel: 2 * face + half of it; SYN_NONE */
} foundation_table;

/* `outermost`: of two intersections of a direction with the surface the farther one is used, else the nearer one. */
syn_status syn_foundation_table_create(const syn_context *context, const foundation_side *side, uint32_t resolution,
                                       bool outermost, foundation_table *table, syn_error *error);
void syn_foundation_table_release(const syn_context *context, foundation_table *table);

/* Returns the radius in a direction of any length, and its gradient; NAN without a surface. */
double syn_foundation_radius(const foundation_table *table, syn_vec3 direction, syn_vec3 *gradient);
/* Returns whether the surface exists there or is extrapolated; and the material below it. */
bool syn_foundation_is_covered(const foundation_table *table, syn_vec3 direction);
foundation_below syn_foundation_below_at(const foundation_table *table, syn_vec3 direction);
/* Returns the triangle there, 2 * face + half; SYN_NONE: no triangle. */
uint32_t syn_foundation_triangle_at(const foundation_table *table, syn_vec3 direction);
/* Returns the corners of half a face. */
static inline void foundation_corners(const foundation_side *side, uint32_t triangle, uint32_t corners[3]) {
  const uint32_t *face = side->faces[triangle / 2];
  corners[0] = face[0];
  corners[1] = face[triangle % 2 ? 2 : 1];
  corners[2] = face[triangle % 2 ? 3 : 2];
}

/* ---- the object ---------------------------------------------------------------------------------------------------
 */

struct syn_foundation {
  const syn_context *context;
  syn_foundation_options options;
  syn_vec3 center;
  foundation_side socket, head;
  foundation_table table;        /* of the head */
  foundation_table socket_table; /* finds the point of the socket opposite to the head */
};

/* One node of the socket at a pose. */
typedef struct foundation_node {
  double depth, pressure, slope; /* mm; MPa, below 0 without contact; MPa/mm */
  syn_vec3 gradient;             /* of the depth with the shift */
  double head_thickness_mm, head_modulus_mpa;
  bool opposite; /* the head is opposite */
} foundation_node;

/* Integrals over the surface in contact. */
typedef struct foundation_sum {
  syn_vec3 force;  /* of the pressure on the socket */
  syn_vec3 moment; /* pressure times position */
  double load;     /* pressure times area */
  double area, peak;
} foundation_sum;

typedef struct foundation_state {
  syn_load_step loaded;
  syn_vec3 shift;
  foundation_sum total, regions[4];
  double stiffness[6]; /* xx, xy, xz, yy, yz, zz: N/mm */
  foundation_node nodes[];
} foundation_state;

/* Prepares the state for a pose, and computes pressures at a shift. */
void syn_foundation_take_pose(const syn_foundation *f, const syn_load_step *loaded, foundation_state *state);
void syn_foundation_press_at(const syn_foundation *f, syn_vec3 shift, foundation_state *state);
/* Returns the pressure of two layers and the compliance of their support in series, and its slope. */
double syn_foundation_law(bool nonlinear, double depth, const double thickness[2], const double modulus[2], double give,
                          double *slope);

#endif
