#include "collide/radial/radial_roles.h"

#include "base/status.h"
#include "base/vec.h"

/* How often the surface is left, less how often it is entered, on the ray from the centre: 1 from inside a closed body,
 * 0 from outside. Not exact where the ray meets an edge. */
static int crossings(const syn_trimesh *mesh, syn_vec3 center, syn_vec3 ray) {
  int sum = 0;
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    syn_vec3 v[3];
    double side[3];
    for (int c = 0; c < 3; ++c) v[c] = vec3_sub(mesh->vertices[mesh->triangles[t].v[c]], center);
    for (int c = 0; c < 3; ++c) side[c] = vec3_dot(ray, vec3_cross(v[c], v[(c + 1) % 3]));
    const bool out = side[0] > 0 && side[1] > 0 && side[2] > 0, in = side[0] < 0 && side[1] < 0 && side[2] < 0;
    if (!out && !in) continue;
    const syn_vec3 normal = vec3_cross(vec3_sub(v[1], v[0]), vec3_sub(v[2], v[0]));
    const bool ahead = (vec3_dot(normal, v[0]) > 0) == out; /* else the line meets it behind the centre */
    if (ahead) sum += out ? 1 : -1;
  }
  return sum;
}

/* Two of three rays decide, since one may meet an edge or pass through a hole. */
static bool holds_center(const syn_trimesh *mesh, syn_vec3 center) {
  static const syn_vec3 rays[3] = {
      {0.5377, 0.4139, 0.7345}, {-0.6717, 0.7011, -0.2394}, {0.2963, -0.8729, -0.3877}}; /* along nothing special */
  const bool first = crossings(mesh, center, rays[0]) == 1, second = crossings(mesh, center, rays[1]) == 1;
  return first == second ? first : crossings(mesh, center, rays[2]) == 1;
}

void syn_radial_warn_of_roles(const syn_context *context, const syn_trimesh *fixed, const syn_trimesh *mobile,
                              const syn_collide_options *options) {
  const bool outside = options->fixed_outside;
  const syn_trimesh *outer = outside ? fixed : mobile, *inner = outside ? mobile : fixed;
  if (!holds_center(outer, options->center)) return;
  if (holds_center(inner, options->center)) {
    syn_warn(context,
             "the centre lies inside both bodies, so that they overlap there, but depths along rays from the centre do "
             "not show it: the radial methods are for a body that slides in the hollow of another; take distance, or "
             "obb where a depth is not needed");
    return;
  }
  syn_warn(context,
           "the centre lies inside the %s body, which is therefore taken to be inside the %s one, but the option says "
           "that it is outside: no contact will be found; set fixed_outside to %s (on the command line: %s "
           "--fixed-inside)",
           outside ? "fixed" : "mobile", outside ? "mobile" : "fixed", outside ? "false" : "true",
           outside ? "with" : "without");
}
