/* Layers with closed forms: caps of spheres, and a plate. One hexahedron through the thickness. */
#ifndef LAYER_CAPS_H
#define LAYER_CAPS_H

#include <synovia/pressure.h>

/* A layer whose articular surface is the part of a sphere about the origin within `half_angle` of +z, of `cells` by
 * `cells` faces. `outward`: a head's, with the bone inside; else a socket's. The radius is multiplied by
 * 1 + wave * x y of the unit direction. */
syn_layer make_cap(double radius, double thickness, double half_angle, uint32_t cells, bool outward, double wave);

/* A square plate about the origin, its articular surface at z = 0 and its bone at +thickness. */
syn_layer make_plate(double half_width, double thickness, uint32_t cells);

#endif
