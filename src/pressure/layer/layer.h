/* Internals of the layers of a hip. A grid of directions about the centre of the joint covers socket or head; each of
 * its nodes is a column of the layer, with a radius for the bonded face and one for the articular face. Columns along
 * rays never cross: the corner Jacobian of a hexahedron is its thickness times the triple product of three
 * directions, and those of the grid are positive. */
#ifndef SYN_PRESSURE_LAYER_H
#define SYN_PRESSURE_LAYER_H

#include <synovia/pressure.h>

#include "base/memory.h"
#include "base/vec.h"
#include "mesh/derived.h"
#include "mesh/tree/box_tree.h"

/* ---- surfaces seen from a centre ----------------------------------------------------------------------------------
 */

typedef struct layer_view {
  const syn_trimesh *mesh; /* NULL: no mesh; every ray misses */
  syn_derived *derived;
  const syn_box_tree *tree;
  syn_vec3 center;
} layer_view;

typedef struct layer_hit {
  double distance;
  double radius; /* mean of the corners' distances from the centre, weighted as the hit weights the corners: exact on a
                    sphere, which facets undercut */
  bool outward;  /* the ray leaves the body at the hit */
  uint32_t triangle;
  double weight[3];
} layer_hit;

/* Release with layer_view_release. `mesh` may be NULL. */
syn_status syn_layer_view_open(const syn_trimesh *mesh, syn_vec3 center, layer_view *view, syn_error *error);
void syn_layer_view_release(layer_view *view);
/* Finds the nearest or the farthest hit of a ray (unit direction) between two distances; returns false without a
 * hit. */
bool syn_layer_first_hit(const layer_view *view, syn_vec3 direction, double from, double to, layer_hit *hit);
bool syn_layer_last_hit(const layer_view *view, syn_vec3 direction, double from, double to, layer_hit *hit);

/* ---- grids of directions -------------------------------------------------------------------------------------------
 */

enum { LAYER_BREAKS = 5 };

/* Kinds of quads beyond the regions of a layer. */
enum { LAYER_REGIONS = 4, LAYER_RIGID = 4, LAYER_NONE = 5 };

/* Rings of quads about an axis, each column with its own angles; a core of n x n quads may close the middle. Node
 * (ring, column) is ring * columns + column, followed by the inner nodes of the core. */
typedef struct layer_grid {
  syn_arena *arena;
  syn_vec3 axis, top, front;
  uint32_t columns, rings; /* rings of nodes */
  uint32_t core;           /* columns / 4, or 0 */
  uint32_t node_count, quad_count;
  double *clock; /* of each column */
  double *polar; /* of each ring node */
  syn_vec3 *directions;
  uint32_t (*quads)[4]; /* counterclockwise seen from outside */
  uint8_t *kind;        /* region, LAYER_RIGID or LAYER_NONE */
  uint32_t *ring_of;    /* of each quad; SYN_NONE in the core */
  uint32_t *column_of;
} layer_grid;

/* Polar angles at which the tissue of a column changes: rings are evenly spaced between two of them. */
typedef struct layer_breaks {
  uint32_t count;                /* 2 to LAYER_BREAKS */
  uint32_t steps[LAYER_BREAKS];  /* rings of quads between break i and break i + 1 */
  double (*polar)[LAYER_BREAKS]; /* of each column */
} layer_breaks;

void syn_layer_frame(layer_grid *grid, syn_vec3 axis, syn_vec3 near_top);
syn_vec3 syn_layer_direction(const layer_grid *grid, double polar, double clock);
/* Frame, columns and clock are set. With a core, break 0 of each column is the core's size and is overwritten by the
 * outline of the core. All quads are LAYER_NONE. */
syn_status syn_layer_grid_fill(layer_grid *grid, bool core, const layer_breaks *breaks, syn_error *error);
/* Returns the unit direction to the middle of a quad. */
syn_vec3 syn_layer_quad_direction(const layer_grid *grid, uint32_t quad);

/* ---- numbers on a grid ---------------------------------------------------------------------------------------------
 */

/* Nodes that share a side of a quad; `start` has node_count + 1 entries. */
typedef struct layer_neighbours {
  uint32_t *start, *list;
  bool *edge; /* of each node: it is not surrounded by quads */
} layer_neighbours;
/* Finds neighbours through quads whose kind is in a range. */
syn_status syn_layer_neighbours_find(const layer_grid *grid, uint8_t from, uint8_t to, layer_neighbours *around,
                                     syn_error *error);
/* Interpolates: NAN at nodes with neighbours become the mean of the known neighbours, front by front; nodes without
 * neighbours do not change. Returns the count of NAN; they stay NAN if no value is known. */
uint32_t syn_layer_fill(const layer_grid *grid, const layer_neighbours *around, double *values, double *work);
/* Moves every number half way to the mean of its neighbours, `passes` times; edges of the region are smoothed along
 * themselves. Returns the root mean square of the change. `work` has two numbers for each node. */
double syn_layer_smooth(const layer_grid *grid, const layer_neighbours *around, double passes, double *values,
                        double *work);
/* Returns the roughness: root mean square of the difference from the mean of the neighbours. */
double syn_layer_roughness(const layer_grid *grid, const layer_neighbours *around, const double *values);
/* Smooths numbers around a circle by averaging neighbours `passes` times. */
void syn_layer_smooth_circle(double *values, size_t stride, uint32_t count, int passes);

/* ---- a layer in the making -----------------------------------------------------------------------------------------
 */

typedef struct layer_maker {
  syn_arena arena;
  const syn_hip_case *hip_case;
  syn_layer_options options;
  double radius; /* of the head */
  /* The sphere in the middle of the joint space, for bones without cartilage; radius 0: no sphere. Relative to the
   * centre of the socket. */
  syn_vec3 sphere_center;
  double sphere_radius;
} layer_maker;

/* One side: socket or head. */
typedef struct layer_side {
  layer_maker *maker;
  bool head;
  syn_vec3 center; /* of the rays, in the frame of the meshes */
  layer_view bone, cartilage, zone, labrum;
  layer_grid grid;
  layer_neighbours around; /* of the columns with tissue on bone, and of rigid ones */
  double *bonded, *face;   /* radius of each node's faces */
  uint8_t *held;           /* of each node: 1 if its whole column is bonded, as at a labrum's base without cartilage */
  double *work;
  bool measured;                               /* has scanned cartilage */
  uint32_t interpolated, thickened, separated; /* columns; see syn_layer */
  double max_added, smoothed, deepest;
} layer_side;

/* ---- what rays see ------------------------------------------------------------------------------------------------
 */

/* Returns whether a ray in this direction hits the body. */
bool syn_layer_sees(const layer_side *side, const layer_view *view, double polar, double clock);
typedef bool (*layer_sight)(const layer_side *side, double polar, double clock);
/* Finds the first and last polar angle at which `see` holds; NAN if it holds nowhere. */
void syn_layer_seen_between(const layer_side *side, layer_sight see, double clock, double *first, double *last);
/* Returns whether the bone in this direction is painted with 0.5 or more. */
bool syn_layer_painted(const layer_side *side, const double *paint, syn_vec3 direction);
/* Returns the columns of a circle at this polar angle, and the rings over an angle, by edge_mm. */
uint32_t syn_layer_columns(const layer_side *side, double polar);
uint32_t syn_layer_steps(const layer_side *side, double angle, uint32_t least);

/* ---- steps, in their order ----------------------------------------------------------------------------------------
 */

/* Makes the grid with its kinds of quads. */
syn_status syn_layer_socket_grid(layer_side *side, syn_error *error);
syn_status syn_layer_head_grid(layer_side *side, syn_error *error);
/* Computes both faces of every column. */
syn_status syn_layer_faces(layer_side *side, const layer_side *opposite, syn_error *error);
/* Fits a sphere to the middle of the joint space; sphere_radius is 0 if none fits. */
syn_status syn_layer_middle_sphere(layer_maker *maker, const layer_side *socket, const layer_side *head,
                                   syn_error *error);
syn_status syn_layer_build(const syn_context *context, const layer_side *side, syn_layer *layer, syn_error *error);

/* Returns the material of the joint's body of this tissue, else the published one. */
syn_material syn_layer_material(const syn_joint *joint, syn_tissue tissue, bool moves);

/* Measures size and mesh quality of a layer of hexahedra as it is now. */
void syn_layer_check(syn_layer *layer);

static inline size_t layer_element_nodes(const syn_layer *layer) { return layer->edge_nodes ? 10 : 8; }

/* Distances from the centre between which a surface of the joint may be. */
static inline double layer_near(const layer_side *side) { return 0.6 * side->maker->radius; }
static inline double layer_far(const layer_side *side) { return (side->head ? 1.5 : 1.6) * side->maker->radius; }

#endif
