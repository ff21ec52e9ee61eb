/* Do the bodies suit a method about a centre? Is one a layer about it: the sampled radial methods know one wall for
 * each direction and take all that lies behind it for penetrating, which is right of a layer and wrong of a whole bone.
 */
#ifndef SYN_COLLIDE_RADIAL_LAYERS_H
#define SYN_COLLIDE_RADIAL_LAYERS_H

#include <synovia/collide.h>

#include "base/memory.h"

typedef struct radial_layering {
  uint32_t seen;    /* directions in which the body has a wall; of about 1,500 evenly spread ones */
  uint32_t several; /* of these: where another wall lies behind the first, */
  uint32_t wide;    /* and where the first is a facet that looks wider than 30 degrees */
} radial_layering;

/* Of the triangles as they lie in the mesh. With use_normals walls are those that face the mobile body; without, every
 * second layer is one. */
syn_status syn_radial_measure_layers(const syn_context *context, const syn_trimesh *mesh,
                                     const syn_collide_options *options, radial_layering *layering, syn_error *error);

/* Warns where the fixed body has another wall behind the first, or a facet that looks wide, in more than one of 50
 * directions. Nothing is measured where nobody listens. */
syn_status syn_radial_warn_of_layers(const syn_context *context, const char *method, const syn_trimesh *fixed,
                                     const syn_collide_options *options, syn_error *error);

/* Which body is the inner one? An option says so to the methods about a centre, and with the wrong value they find
 * nothing. Warns where the centre lies in the material of the body that the options call the outer one: no wall of it
 * faces the centre, and nothing would ever be in the way. If it does not lie in the other one as well, the bodies are
 * the other way round; else they overlap, whatever the turn about the centre. */
void syn_radial_warn_of_roles(const syn_context *context, const syn_trimesh *fixed, const syn_trimesh *mobile,
                              const syn_collide_options *options);

#endif
