#include "mesh/facing.h"

#include <string.h>

#include "base/vec.h"
#include "mesh/health.h"
#include "mesh/repair/nesting.h"

/* One component, measured about the first vertex seen, to avoid cancellation far from the origin. */
typedef struct component {
  uint32_t first_triangle;
  syn_vec3 origin;
  double volume6, area2, reach; /* six times the volume, twice the area, the distance of the farthest corner */
} component;

typedef struct finding {
  const syn_trimesh *mesh;
  const syn_topology *topology;
  component *components;
  uint8_t *closed;
  int8_t *sense; /* 1: outward, -1: inward, 0: open, or encloses nothing */
} finding;

static void measure_triangle(finding *f, uint32_t t) {
  component *c = &f->components[f->topology->triangle_component[t]];
  const uint32_t *v = f->mesh->triangles[t].v;
  if (c->first_triangle == SYN_NONE) {
    c->first_triangle = t;
    c->origin = f->mesh->vertices[v[0]];
  }
  syn_vec3 p[3];
  for (int i = 0; i < 3; ++i) {
    p[i] = vec3_sub(f->mesh->vertices[v[i]], c->origin);
    c->reach = max2(c->reach, vec3_length(p[i]));
  }
  c->volume6 += vec3_dot(p[0], vec3_cross(p[1], p[2]));
  c->area2 += vec3_length(vec3_cross(vec3_sub(p[1], p[0]), vec3_sub(p[2], p[0])));
}

/* Finds the orientation of a component. The bound is far above the rounding of the sum of volumes, and far below the
 * volume of the thinnest body. */
static int8_t find_sense(const component *c) {
  const double least = 1e-10 * c->area2 * c->reach;
  return (int8_t)(c->volume6 < -least ? -1 : c->volume6 > least);
}

/* Counts the closed components that enclose a negative volume. */
static uint32_t find_inward(finding *f) {
  const syn_topology *topology = f->topology;
  uint32_t count = 0;
  for (uint32_t i = 0; i < topology->component_count; ++i) f->components[i] = (component){.first_triangle = SYN_NONE};
  for (uint32_t t = 0; t < topology->triangle_count; ++t) measure_triangle(f, t);
  memset(f->closed, 1, topology->component_count);
  for (uint32_t e = 0; e < topology->edge_count; ++e)
    if (!syn_edge_is_balanced(f->mesh, topology, e))
      f->closed[topology->triangle_component[topology->edge_triangles[topology->edge_triangle_start[e]]]] = 0;
  for (uint32_t i = 0; i < topology->component_count; ++i) {
    f->sense[i] = f->closed[i] ? find_sense(&f->components[i]) : 0;
    count += f->sense[i] < 0;
  }
  return count;
}

/* Finds all orientations, without `nesting` if no component faces inward, as in most surfaces. */
static syn_status find_senses(finding *f, syn_arena *arena, syn_nesting *nesting, bool *any, syn_error *error) {
  const uint32_t count = f->topology->component_count;
  SYN_TRY(SYN_TAKE(arena, &f->components, count, error));
  SYN_TRY(SYN_TAKE(arena, &f->closed, count, error));
  SYN_TRY(SYN_TAKE(arena, &f->sense, count, error));
  *any = find_inward(f) > 0;
  return *any ? syn_nesting_find(arena, f->mesh, f->topology, f->closed, nesting, error) : SYN_OK;
}

static syn_status find_inside_out(finding *f, syn_arena *arena, syn_facing *facing, syn_error *error) {
  syn_nesting nesting;
  double largest = 0;
  bool any;
  SYN_TRY(find_senses(f, arena, &nesting, &any, error));
  for (uint32_t i = 0; any && i < f->topology->component_count; ++i) {
    if (f->sense[i] >= 0 || nesting.depth[i] % 2 == 1) continue;
    ++facing->inside_out_count;
    if (f->components[i].area2 <= largest) continue;
    largest = f->components[i].area2;
    facing->inside_out_triangle = f->components[i].first_triangle;
  }
  return SYN_OK;
}

static syn_status fill_facing(const syn_trimesh *mesh, syn_facing *facing, syn_error *error) {
  syn_derived *topology;
  SYN_TRY(syn_derive(mesh, &syn_derive_topology, &topology, error));
  syn_arena arena = {.context = mesh->context};
  finding f = {.mesh = mesh, .topology = derived_topology(topology)};
  const syn_status status = find_inside_out(&f, &arena, facing, error);
  syn_arena_release(&arena);
  syn_derived_release(topology);
  return status;
}

static void destroy_facing(void *made) {
  syn_facing *facing = made;
  syn_free(facing->context, facing);
}

static syn_status make_facing(const syn_trimesh *mesh, void **made, syn_error *error) {
  syn_facing *facing;
  SYN_TRY(SYN_NEW(mesh->context, &facing, 1, error));
  *facing = (syn_facing){.context = mesh->context, .inside_out_triangle = SYN_NONE};
  const syn_status status = fill_facing(mesh, facing, error);
  if (status == SYN_OK)
    *made = facing;
  else
    destroy_facing(facing);
  return status;
}

const syn_derivation syn_derive_facing = {SYN_DERIVED_FACING, make_facing, destroy_facing, NULL, NULL};

/* ---- turning ------------------------------------------------------------------------------------------------------
 */

/* Returns whether the largest body is inside out, and therefore the whole file. */
static bool is_reversed(const finding *f, const syn_nesting *nesting) {
  double largest = 0;
  bool reversed = false;
  for (uint32_t i = 0; i < f->topology->component_count; ++i) {
    if (!f->sense[i] || nesting->depth[i] % 2 == 1 || f->components[i].area2 <= largest) continue;
    largest = f->components[i].area2;
    reversed = f->sense[i] < 0;
  }
  return reversed;
}

static syn_status turn_shells(finding *f, syn_arena *arena, syn_trimesh **turned, syn_error *error) {
  const syn_trimesh *mesh = f->mesh;
  syn_triangle *triangles;
  syn_nesting nesting;
  bool any;
  SYN_TRY(find_senses(f, arena, &nesting, &any, error));
  if (!any) return SYN_OK;
  const bool reversed = is_reversed(f, &nesting);
  SYN_TRY(SYN_TAKE(arena, &triangles, mesh->triangle_count, error));
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    const uint32_t c = f->topology->triangle_component[t], *v = mesh->triangles[t].v;
    const int sense = reversed ? -f->sense[c] : f->sense[c];
    const bool wrong = sense < 0 && nesting.depth[c] % 2 == 0;
    triangles[t] = reversed != wrong ? (syn_triangle){{v[0], v[2], v[1]}} : mesh->triangles[t];
  }
  return syn_trimesh_create(mesh->context, mesh->vertices, mesh->vertex_count, triangles, mesh->triangle_count, turned,
                            error);
}

syn_status syn_trimesh_turn_outward(const syn_trimesh *mesh, syn_trimesh **turned, syn_error *error) {
  syn_derived *derived;
  *turned = NULL;
  SYN_TRY(syn_derive(mesh, &syn_derive_facing, &derived, error));
  const bool outward = derived_facing(derived)->inside_out_count == 0;
  syn_derived_release(derived);
  if (outward) return SYN_OK;
  SYN_TRY(syn_derive(mesh, &syn_derive_topology, &derived, error));
  syn_arena arena = {.context = mesh->context};
  finding f = {.mesh = mesh, .topology = derived_topology(derived)};
  const syn_status status = turn_shells(&f, &arena, turned, error);
  syn_arena_release(&arena);
  syn_derived_release(derived);
  return status;
}
