/* A quarter of an elastic ball, of hexahedra that are small where it touches a plane: Hertz's contact. The axis is z,
 * the lowest point is the origin, and x = 0 and y = 0 are planes of symmetry. */
#ifndef BENCH_HERTZ_MESH_H
#define BENCH_HERTZ_MESH_H

#include <synovia/pressure.h>

typedef struct hertz_mesh {
  syn_fem_mesh mesh;
  syn_vec3 *nodes;
  uint32_t *elements;
  uint8_t *held; /* planes of symmetry, and the far face as bonded */
  uint32_t *faces;
  uint32_t face_count;
} hertz_mesh;

/* `across` cells along x and y, of which `fine` lie within `fine_mm` of the axis; `deep` along z. The ball ends at the
 * height of its middle. */
hertz_mesh make_hertz_ball(double radius, uint32_t across, uint32_t fine, double fine_mm, uint32_t deep);
/* What Hertz's theory is of: a body of that size, large beside the contact, whose surface is a ball's where it
 * touches. */
hertz_mesh make_hertz_body(double radius, double size, uint32_t across, uint32_t fine, double fine_mm, uint32_t deep);
void drop_hertz_mesh(hertz_mesh *mesh);

#endif
