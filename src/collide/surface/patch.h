/* Tight bounds of the parts of a surface, one for each node of its box tree: a part is in a ball, between two planes
 * and between two spheres about a centre that the whole surface shares. The planes make the bound of a smooth part
 * second order in its size; the spheres make it sharp where two surfaces are nearly spherical about the same centre, as
 * the two halves of a joint are. */
#ifndef SYN_COLLIDE_PATCH_H
#define SYN_COLLIDE_PATCH_H

#include "collide/surface/surface_tree.h"

typedef struct syn_patch {
  float center[3], radius; /* relative to the surface's origin */
  syn_vec3 normal;         /* unit or zero; |normal . (p - center)| <= half */
  double near, far; /* distances from the shared centre; in doubles, because only the spheres separate surfaces that run
                       along one another */
  float half;
  float spot; /* above 0 for a single triangle whose point nearest to the shared centre is `center`, to
                 within this: for all of its points p, |p - center| <= sqrt(|p|^2 - near^2) + spot, the
                 lengths |p| and near taken from the shared centre */
} syn_patch;

/* The patches of a surface, and the data to fit them again after a deformation. */
typedef struct syn_patches {
  const syn_context *context;
  syn_patch *patches;         /* one for each node of the surface's tree */
  uint32_t *items;            /* triangles in the order of the leaves */
  uint32_t *begin;            /* by node: its first item */
  struct seen_triangle *seen; /* by item */
  double reach;               /* reach of the surface when all patches were last fitted */
} syn_patches;

/* Creates the patches about `center`. Release after a failure, too. */
syn_status syn_patches_create(const syn_context *context, const syn_surface_tree *surface, syn_vec3 center,
                              syn_patches *patches, syn_error *error);
void syn_patches_release(syn_patches *patches);
/* Updates the patches after the surface has moved: fits those above triangles marked in `moved` (one entry per
 * triangle), with the same result as fitting all. No other triangle may have moved. `before` is a buffer for one number
 * more than there are triangles. */
void syn_patches_update(syn_patches *patches, const syn_surface_tree *surface, syn_vec3 center, const uint8_t *moved,
                        uint32_t *before);

#endif
