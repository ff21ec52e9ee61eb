/* Checks whether the bodies suit a method about a centre. The sampled radial methods store one wall per direction and
 * take everything behind it as penetrating, which is right for a layer and wrong for a whole bone.
 */
#ifndef SYN_COLLIDE_RADIAL_LAYERS_H
#define SYN_COLLIDE_RADIAL_LAYERS_H

#include <synovia/collide.h>

#include "base/memory.h"

typedef struct radial_layering {
  uint32_t seen;    /* directions in which the body has a wall; of about 1,500 evenly spaced ones */
  uint32_t several; /* of these: with another wall behind the first, */
  uint32_t wide;    /* and with a first facet that subtends more than 30 degrees */
} radial_layering;

/* Measures the layers of the mesh as scanned. With use_normals walls are the triangles that face the mobile body;
 * without, every second layer is one. */
syn_status syn_radial_measure_layers(const syn_context *context, const syn_trimesh *mesh,
                                     const syn_collide_options *options, radial_layering *layering, syn_error *error);

/* Warns if the fixed body has another wall behind the first, or a facet that subtends a wide angle, in more than one of
 * 50 directions. Nothing is measured if the context has no receiver of warnings. */
syn_status syn_radial_warn_of_layers(const syn_context *context, const char *method, const syn_trimesh *fixed,
                                     const syn_collide_options *options, syn_error *error);

/* Warns if the option that names the inner body seems wrong: with the wrong value the methods about a centre find
 * nothing. It warns if the centre is in the material of the body that the options call the outer one: no wall of it
 * faces the centre, and nothing would ever be in contact. If the centre is not in the other one as well, the bodies are
 * exchanged; else they overlap at every rotation about the centre. */
void syn_radial_warn_of_roles(const syn_context *context, const syn_trimesh *fixed, const syn_trimesh *mobile,
                              const syn_collide_options *options);

#endif
