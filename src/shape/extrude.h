/* Creates plates: a plane outline with a thickness. */
#ifndef SYN_SHAPE_EXTRUDE_H
#define SYN_SHAPE_EXTRUDE_H

#include <synovia/mesh.h>

#include "base/status.h"

typedef struct syn_point2 {
  double x, y;
} syn_point2;

/* A simple polygon under construction in the caller's array, counter-clockwise, the last point joined to the first. */
typedef struct syn_outline {
  syn_point2 *points;
  uint32_t count, capacity;
} syn_outline;

void syn_outline_add(syn_outline *outline, double x, double y);
/* `steps` + 1 points on an arc about (x, y) from angle `from` to angle `to` (radians, either way round). */
void syn_outline_arc(syn_outline *outline, double x, double y, double radius, double from, double to, uint32_t steps);
/* Halves the longest edge until the outline has `count` points. */
void syn_outline_refine(syn_outline *outline, uint32_t count);

/* The plate between z = low and z = high of `pose` (NULL: of the world), its wall cut into `layers`: (layers + 1) count
 * vertices and 2 (layers + 1) count - 4 triangles. The two faces are triangulated with the outline's points alone; cost
 * grows with the cube of their number. */
syn_status syn_extrude(const syn_context *context, const syn_outline *outline, double low, double high, uint32_t layers,
                       const syn_pose *pose, syn_trimesh **mesh, syn_error *error);

#endif
