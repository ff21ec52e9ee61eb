#include "collide/radial/radial_layers.h"

#include <math.h>

#include "base/status.h"
#include "base/vec.h"
#include "collide/radial/radial_mapping.h"
#include "collide/radial/radial_table.h"

/* The nearest layers on the ray of one direction, from the mobile side; farther ones do not matter. */
enum { DIRECTIONS = 6 * 16 * 16, HITS = 6 };

typedef struct hit {
  double at; /* the radius, or its negative if the mobile body is outside: increases away from the mobile body */
  bool wall; /* faces the mobile body */
  bool wide; /* subtends a wide angle at the centre */
} hit;

typedef struct ray {
  syn_vec3 unit;
  uint32_t hit_count;
  hit hits[HITS];
} ray;

typedef struct measuring {
  radial_grid grid;
  ray *rays; /* one through the middle of each cell */
  bool outside, use_normals;
  radial_cone cone; /* of the current triangle */
  syn_vec3 corner, normal;
  bool wide;
} measuring;

static void add_hit(ray *r, hit added) {
  uint32_t i = r->hit_count;
  while (i > 0 && r->hits[i - 1].at > added.at) --i;
  if (i == HITS) return;
  if (r->hit_count < HITS) ++r->hit_count;
  for (uint32_t k = r->hit_count - 1; k > i; --k) r->hits[k] = r->hits[k - 1];
  r->hits[i] = added;
}

/* Tests the ray of a cell. One along a border of triangles hits neither of them, rather than both. */
static void look_at_cell(void *user, uint32_t cell, uint32_t inside) {
  (void)inside;
  const measuring *m = user;
  ray *r = &m->rays[cell];
  for (uint32_t k = 0; k < m->cone.plane_count; ++k)
    if (!(vec3_dot(m->cone.planes[k], r->unit) > 1e-9)) return;
  const double height = vec3_dot(m->normal, m->corner), radius = height / vec3_dot(m->normal, r->unit);
  if (radial_has_direction(radius))
    add_hit(r, (hit){m->outside ? radius : -radius, (height < 0) == m->outside, m->wide});
}

/* Tests the rays of a triangle. Most triangles are smaller than a cell, with all corners in it. */
static void look_at_triangle(measuring *m, const syn_trimesh *mesh, uint32_t t, syn_vec3 center) {
  syn_vec3 v[3];
  for (int c = 0; c < 3; ++c) v[c] = vec3_sub(mesh->vertices[mesh->triangles[t].v[c]], center);
  for (int c = 0; c < 3; ++c)
    if (!radial_has_direction(vec3_length(v[c]))) return;
  m->normal = vec3_cross(vec3_sub(v[1], v[0]), vec3_sub(v[2], v[0]));
  m->corner = v[0];
  m->cone = syn_radial_cone(v, 3);
  m->wide = syn_radial_shortest(m->cone.corners, 3) < sqrt(cos(SYN_PI / 6));
  const uint32_t cell = syn_radial_find_cell(&m->grid, v[0]);
  if (cell < DIRECTIONS && syn_radial_find_cell(&m->grid, v[1]) == cell && syn_radial_find_cell(&m->grid, v[2]) == cell)
    look_at_cell(m, cell, 0);
  else
    syn_radial_cover(&m->grid, &m->cone, look_at_cell, m);
}

/* Returns whether there are several walls. Layers that coincide within rounding, as doubled faces do, count as one. */
static bool has_several_walls(const measuring *m, const ray *r, bool *seen, bool *wide) {
  double first = NAN;
  *seen = *wide = false;
  for (uint32_t i = 0; i < r->hit_count; ++i) {
    const bool wall = m->use_normals ? r->hits[i].wall : i % 2 == 0;
    if (!wall) continue;
    if (*seen && r->hits[i].at - first > 1e-6 * fabs(first)) return true;
    if (!*seen) {
      first = r->hits[i].at;
      *wide = r->hits[i].wide;
    }
    *seen = true;
  }
  return false;
}

syn_status syn_radial_measure_layers(const syn_context *context, const syn_trimesh *mesh,
                                     const syn_collide_options *options, radial_layering *layering, syn_error *error) {
  measuring m = {.grid = syn_radial_grid(SYN_MAPPING_UNIFORM, DIRECTIONS, NULL),
                 .outside = options->fixed_outside,
                 .use_normals = options->use_normals};
  *layering = (radial_layering){0};
  SYN_TRY(SYN_NEW_ZEROED(context, &m.rays, DIRECTIONS, error));
  for (uint32_t i = 0; i < DIRECTIONS; ++i) m.rays[i].unit = syn_radial_cell_middle(&m.grid, i);
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) look_at_triangle(&m, mesh, t, options->center);
  for (uint32_t i = 0; i < DIRECTIONS; ++i) {
    bool seen, wide;
    layering->several += has_several_walls(&m, &m.rays[i], &seen, &wide);
    layering->seen += seen;
    layering->wide += wide;
  }
  syn_free(context, m.rays);
  return SYN_OK;
}

syn_status syn_radial_warn_of_layers(const syn_context *context, const char *method, const syn_trimesh *fixed,
                                     const syn_collide_options *options, syn_error *error) {
  radial_layering l;
  if (!syn_context_or_default(context)->warn) return SYN_OK;
  SYN_TRY(syn_radial_measure_layers(context, fixed, options, &l, error));
  if (50 * (uint64_t)l.several > l.seen)
    syn_warn(
        context,
        "the fixed body is no layer about the centre: in %.0f %% of the directions where it has a wall there is "
        "another one behind it, and %s knows only the first, so that all that lies behind is reported as deep inside; "
        "take radial or distance, which know every wall",
        100.0 * l.several / l.seen, method);
  if (50 * (uint64_t)l.wide > l.seen)
    syn_warn(
        context,
        "facets of the fixed body look wide from the centre: in %.0f %% of the directions where it has a wall that is "
        "a "
        "facet over more than 30 degrees, and %s is for facets that look small: where a cell has none or another one, "
        "a vertex is free or measured against the wrong one; subdivide the mesh, or take radial or distance, which are "
        "exact",
        100.0 * l.wide / l.seen, method);
  return SYN_OK;
}

/* ---- which body is the inner one ------------------------------------------------------------------------------------
 */

/* Returns how often the ray from the centre leaves the surface, minus how often it enters: 1 from inside a closed body,
 * 0 from outside. Not exact if the ray meets an edge. */
static int crossings(const syn_trimesh *mesh, syn_vec3 center, syn_vec3 along) {
  int sum = 0;
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    syn_vec3 v[3];
    double side[3];
    for (int c = 0; c < 3; ++c) v[c] = vec3_sub(mesh->vertices[mesh->triangles[t].v[c]], center);
    for (int c = 0; c < 3; ++c) side[c] = vec3_dot(along, vec3_cross(v[c], v[(c + 1) % 3]));
    const bool out = side[0] > 0 && side[1] > 0 && side[2] > 0, in = side[0] < 0 && side[1] < 0 && side[2] < 0;
    if (!out && !in) continue;
    const syn_vec3 normal = vec3_cross(vec3_sub(v[1], v[0]), vec3_sub(v[2], v[0]));
    const bool ahead = (vec3_dot(normal, v[0]) > 0) == out; /* else the line intersects it behind the centre */
    if (ahead) sum += out ? 1 : -1;
  }
  return sum;
}

/* Decides by two of three rays, since one may meet an edge or pass through a hole. */
static bool holds_center(const syn_trimesh *mesh, syn_vec3 center) {
  static const syn_vec3 rays[3] = {
      {0.5377, 0.4139, 0.7345}, {-0.6717, 0.7011, -0.2394}, {0.2963, -0.8729, -0.3877}}; /* generic directions */
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
