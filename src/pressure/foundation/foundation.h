/* Inside of the elastic foundation: the two surfaces, the table of radii, and what is known at a pose. */
#ifndef SYN_PRESSURE_FOUNDATION_H
#define SYN_PRESSURE_FOUNDATION_H

#include <synovia/foundation.h>

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
  double *give_mm_per_mpa; /* how far tissue that no bone backs gives way as a whole; 0 on bone */
  double *modulus_mpa;     /* of the foundation; 1 where rigid, where it does not matter */
  uint32_t (*faces)[4];    /* a triangle repeats its last corner */
  uint8_t *regions;        /* of each face */
} foundation_side;

/* `outward`: the faces look away from the centre, as a head's do. */
syn_status syn_foundation_side_of_layer(const syn_context *context, const syn_layer *layer, syn_vec3 center,
                                        bool outward, foundation_side *side, syn_error *error);
syn_status syn_foundation_side_of_mesh(const syn_context *context, const syn_trimesh *mesh, syn_vec3 center,
                                       bool outward, foundation_side *side, syn_error *error);
void syn_foundation_side_release(const syn_context *context, foundation_side *side);

/* ---- radii by direction -------------------------------------------------------------------------------------------
 */

/* A function of the direction from the centre, on the six faces of a cube that are continued a little beyond their
 * edges. On a face with the axis `k` a direction p has the coordinates a = p[k+1] / p[k] and b = p[k+2] / p[k]. */
typedef struct foundation_texel {
  double radius, along_a, along_b; /* and its derivatives; NAN where there is no surface */
} foundation_texel;
typedef struct foundation_below {
  double thickness_mm, modulus_mpa;
} foundation_below;
typedef struct foundation_table {
  uint32_t size;            /* texels along an edge, those beyond it included */
  double scale, offset;     /* number of a texel = coordinate * scale + offset */
  foundation_texel *texels; /* [face of the cube][b][a] */
  foundation_below *below;
  uint8_t *covered;   /* 0: there is no surface, the radius continues that of its neighbours */
  uint32_t *triangle; /* what is there: 2 * face + half of it; SYN_NONE */
} foundation_table;

/* `outermost`: where a direction meets the surface twice the farther one counts, else the nearer one. */
syn_status syn_foundation_table_create(const syn_context *context, const foundation_side *side, uint32_t resolution,
                                       bool outermost, foundation_table *table, syn_error *error);
void syn_foundation_table_release(const syn_context *context, foundation_table *table);

/* The radius in a direction of any length, and its gradient; NAN where there is none. */
double syn_foundation_radius(const foundation_table *table, syn_vec3 direction, syn_vec3 *gradient);
/* Whether the surface is really there, not continued; and what is below it. */
bool syn_foundation_is_covered(const foundation_table *table, syn_vec3 direction);
foundation_below syn_foundation_below_at(const foundation_table *table, syn_vec3 direction);
/* The triangle there, 2 * face + half; SYN_NONE: none. */
uint32_t syn_foundation_triangle_at(const foundation_table *table, syn_vec3 direction);
/* The corners of half a face. */
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
  foundation_table socket_table; /* which point of the socket is opposite */
};

/* One node of the socket at a pose. */
typedef struct foundation_node {
  double depth, pressure, slope; /* mm; MPa, below 0 apart; MPa/mm */
  syn_vec3 gradient;             /* of the depth with the shift */
  double head_thickness_mm, head_modulus_mpa;
  bool opposite; /* there is a head */
} foundation_node;

/* Integrals over the surface in contact. */
typedef struct foundation_sum {
  syn_vec3 force;  /* of the pressure on the socket */
  syn_vec3 moment; /* pressure times position */
  double load;     /* pressure times area */
  double area, peak;
} foundation_sum;

typedef struct foundation_state {
  syn_loaded_pose loaded;
  syn_vec3 shift;
  foundation_sum total, regions[4];
  double stiffness[6]; /* xx, xy, xz, yy, yz, zz: N/mm */
  foundation_node nodes[];
} foundation_state;

/* Prepares the state for a pose, and finds pressures at a shift. */
void syn_foundation_take_pose(const syn_foundation *f, const syn_loaded_pose *loaded, foundation_state *state);
void syn_foundation_press_at(const syn_foundation *f, syn_vec3 shift, foundation_state *state);
/* Pressure and its slope of two layers in series, and of what gives way as a whole. */
double syn_foundation_law(bool nonlinear, double depth, const double thickness[2], const double modulus[2], double give,
                          double *slope);
/* Integrates the pressures of the nodes. */
void syn_foundation_integrate(const foundation_side *side, foundation_state *state);

#endif
