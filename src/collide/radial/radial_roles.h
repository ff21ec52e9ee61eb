/* Which body is the inner one? An option says so to the methods about a centre, and with the wrong value they find
 * nothing. */
#ifndef SYN_COLLIDE_RADIAL_ROLES_H
#define SYN_COLLIDE_RADIAL_ROLES_H

#include <synovia/collide.h>

/* Warns where the centre lies in the material of the body that the options call the outer one: no wall of it faces the
 * centre, and nothing would ever be in the way. If it does not lie in the other one as well, the bodies are the other
 * way round; else they overlap, whatever the turn about the centre. */
void syn_radial_warn_of_roles(const syn_context *context, const syn_trimesh *fixed, const syn_trimesh *mobile,
                              const syn_collide_options *options);

#endif
