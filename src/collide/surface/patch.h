/* Tight bounds of the parts of a surface, one for each node of its box tree: a part lies in a ball, between two planes
 * and between two spheres about a centre that the whole surface shares. The planes make the bound of a smooth part
 * second order in its size; the spheres make it sharp where two surfaces are nearly spherical about the same centre, as
 * the two halves of a joint are. */
#ifndef SYN_COLLIDE_PATCH_H
#define SYN_COLLIDE_PATCH_H

#include "collide/surface/surface_tree.h"

typedef struct syn_patch {
  float center[3], radius; /* about the surface's origin */
  syn_vec3 normal;         /* unit or zero; |normal . (p - center)| <= half */
  double near, far; /* distances from the shared centre; in doubles, because only the spheres separate surfaces that run
                       along one another */
  float half;
  float spot; /* above 0 for a single triangle whose point nearest to the shared centre is `center`, to
                 within this: for all of its points p, |p - center| <= sqrt(|p|^2 - near^2) + spot, the
                 lengths |p| and near taken from the shared centre */
} syn_patch;

/* *patches is new: one for each node of surface->tree, about `center`. */
syn_status syn_patches_create(const syn_context *context, const syn_surface_tree *surface, syn_vec3 center,
                              syn_patch **patches, syn_error *error);

#endif
