/* Repair: orients the faces consistently. */
#include <string.h>

#include "base/vec.h"
#include "mesh/exact_scale.h"
#include "mesh/repair/nesting.h"
#include "mesh/repair/repair.h"

/* The data of one component that decides whether it is flipped as a whole. */
typedef struct part {
  uint32_t triangles, turned;
  double volume6; /* six times the signed volume, in the current orientation; about the first vertex seen */
  uint32_t origin;
  bool open, one_sided;
} part;

typedef struct orienting {
  syn_builder *mesh;
  const syn_topology *topology;
  uint8_t *turn, *seen; /* per triangle */
  uint32_t *stack;
  part *parts;
  int power; /* power of two by which volumes are scaled */
} orienting;

/* Returns whether two triangles run along their common edge in the same direction, as stored. */
static bool same_direction(const orienting *o, uint32_t t, int c, uint32_t other) {
  const uint32_t from = o->mesh->triangles[t].v[c], edge = o->topology->triangle_edges[t][c];
  int k = 0;
  while (o->topology->triangle_edges[other][k] != edge) ++k;
  return o->mesh->triangles[other].v[k] == from;
}

/* Visits all triangles connected to `seed` and orients them relative to it. */
static void flood(orienting *o, uint32_t seed) {
  part *p = &o->parts[o->topology->triangle_component[seed]];
  uint32_t depth = 0;
  o->stack[depth++] = seed;
  o->seen[seed] = 1;
  while (depth > 0) {
    const uint32_t t = o->stack[--depth];
    for (int c = 0; c < 3; ++c) {
      const uint32_t other = o->topology->triangle_neighbours[t][c];
      if (other == SYN_NONE) {
        p->open = true;
        continue;
      }
      /* A neighbour that runs along the edge in the same direction must be flipped. */
      const uint8_t wanted = o->turn[t] ^ same_direction(o, t, c, other);
      /* Two paths that disagree: the part is one-sided. */
      if (o->seen[other]) {
        p->one_sided |= o->turn[other] != wanted;
        continue;
      }
      o->seen[other] = 1;
      o->turn[other] = wanted;
      o->stack[depth++] = other;
    }
  }
}

/* Adds the triangle to its component's sums. Volumes are taken about a vertex of the component: no cancellation. */
static void add_to_component(orienting *o, uint32_t t) {
  part *p = &o->parts[o->topology->triangle_component[t]];
  const uint32_t *v = o->mesh->triangles[t].v;
  if (p->triangles++ == 0) p->origin = v[0];
  const syn_vec3 *points = o->mesh->points, origin = vec3_exactly_scaled(points[p->origin], o->power);
  syn_vec3 at[3];
  for (int c = 0; c < 3; ++c) at[c] = vec3_sub(vec3_exactly_scaled(points[v[c]], o->power), origin);
  const double volume6 = vec3_dot(at[0], vec3_cross(at[1], at[2]));
  p->volume6 += o->turn[t] ? -volume6 : volume6;
  p->turned += o->turn[t];
}

/* Returns whether the part has an inside and an outside. */
static bool encloses(const part *p) { return !p->open && !p->one_sided && p->volume6 != 0; }

/* Returns whether to flip a whole part. A body faces outward, also one in a cavity; cavities, at odd depth, face
 * inward. */
static bool turn_whole(const part *p, uint32_t depth) {
  if (encloses(p)) return (p->volume6 < 0) != (depth % 2 == 1);
  return p->turned > p->triangles / 2;
}

static void apply(orienting *o, const uint32_t *depth, uint8_t *turned, size_t known) {
  for (uint32_t t = 0; t < o->topology->triangle_count; ++t) {
    const uint32_t component = o->topology->triangle_component[t];
    if (o->turn[t] == turn_whole(&o->parts[component], depth[component])) continue;
    uint32_t *v = o->mesh->triangles[t].v, second = v[1];
    v[1] = v[2];
    v[2] = second;
    if (t < known) turned[t] ^= 1;
  }
}

static syn_status orient(orienting *o, syn_arena *arena, uint8_t *turned, size_t known, syn_error *error) {
  const syn_trimesh view = syn_builder_view(o->mesh);
  const uint32_t triangles = o->topology->triangle_count, parts = o->topology->component_count;
  uint8_t *closed;
  syn_nesting nesting;
  SYN_TRY(SYN_TAKE(arena, &o->turn, triangles, error));
  SYN_TRY(SYN_TAKE(arena, &o->seen, triangles, error));
  SYN_TRY(SYN_TAKE(arena, &o->stack, triangles, error));
  SYN_TRY(SYN_TAKE(arena, &o->parts, parts, error));
  SYN_TRY(SYN_TAKE(arena, &closed, parts, error));
  memset(o->turn, 0, triangles);
  memset(o->seen, 0, triangles);
  memset(o->parts, 0, parts * sizeof *o->parts);
  for (uint32_t t = 0; t < triangles; ++t)
    if (!o->seen[t]) flood(o, t);
  o->power = exact_scale_of(o->mesh->points, o->mesh->point_count);
  for (uint32_t t = 0; t < triangles; ++t) add_to_component(o, t);
  for (uint32_t i = 0; i < parts; ++i) closed[i] = encloses(&o->parts[i]);
  SYN_TRY(syn_nesting_find(arena, &view, o->topology, closed, &nesting, error));
  apply(o, nesting.depth, turned, known);
  return SYN_OK;
}

syn_status syn_repair_orient(syn_builder *mesh, uint8_t *turned, size_t known, uint32_t *one_sided, syn_error *error) {
  const syn_trimesh view = syn_builder_view(mesh);
  syn_topology *topology;
  SYN_TRY(syn_topology_create(&view, &topology, error));
  syn_arena arena = {.context = mesh->context};
  orienting o = {.mesh = mesh, .topology = topology};
  const syn_status status = orient(&o, &arena, turned, known, error);
  *one_sided = 0;
  for (uint32_t i = 0; i < topology->component_count && status == SYN_OK; ++i) *one_sided += o.parts[i].one_sided;
  syn_arena_release(&arena);
  syn_topology_destroy(topology);
  return status;
}
