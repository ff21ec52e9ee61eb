/* Repair: making the faces agree. */
#include <string.h>

#include "base/vec.h"
#include "mesh/repair.h"

/* What is known of one component: everything that decides whether it is turned as a whole. */
typedef struct part {
  uint32_t triangles, turned;
  double volume6; /* six times the signed volume, as turned so far; about the first vertex seen */
  uint32_t origin;
  bool open, one_sided;
} part;

typedef struct orienting {
  syn_builder *mesh;
  const syn_topology *topology;
  uint8_t *turn, *seen; /* per triangle */
  uint32_t *stack;
  part *parts;
} orienting;

/* Do two triangles run along their common edge in the same direction, as they are stored? */
static bool same_direction(const orienting *o, uint32_t t, int c, uint32_t other) {
  const uint32_t from = o->mesh->triangles[t].v[c], edge = o->topology->triangle_edges[t][c];
  int k = 0;
  while (o->topology->triangle_edges[other][k] != edge) ++k;
  return o->mesh->triangles[other].v[k] == from;
}

/* Visits everything that can be reached from `seed` and decides relative to it. */
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
      const uint8_t wanted = o->turn[t] ^ same_direction(o, t, c, other);
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
static void measure(orienting *o, uint32_t t) {
  part *p = &o->parts[o->topology->triangle_component[t]];
  const uint32_t *v = o->mesh->triangles[t].v;
  if (p->triangles++ == 0) p->origin = v[0];
  const syn_vec3 *points = o->mesh->points, origin = points[p->origin];
  const double volume6 = vec3_dot(vec3_sub(points[v[0]], origin),
                                  vec3_cross(vec3_sub(points[v[1]], origin), vec3_sub(points[v[2]], origin)));
  p->volume6 += o->turn[t] ? -volume6 : volume6;
  p->turned += o->turn[t];
}

static bool turn_whole(const part *p) {
  if (!p->open && !p->one_sided && p->volume6 != 0) return p->volume6 < 0;
  return p->turned > p->triangles / 2;
}

static void apply(orienting *o, uint8_t *turned, size_t known) {
  for (uint32_t t = 0; t < o->topology->triangle_count; ++t) {
    if (o->turn[t] == turn_whole(&o->parts[o->topology->triangle_component[t]])) continue;
    uint32_t *v = o->mesh->triangles[t].v, second = v[1];
    v[1] = v[2];
    v[2] = second;
    if (t < known) turned[t] ^= 1;
  }
}

syn_status syn_repair_orient(syn_builder *mesh, uint8_t *turned, size_t known, uint32_t *one_sided, syn_error *error) {
  const syn_trimesh view = syn_builder_view(mesh);
  syn_topology *topology;
  SYN_TRY(syn_topology_create(&view, &topology, error));
  orienting o = {.mesh = mesh, .topology = topology};
  syn_status status = SYN_NEW_ZEROED(mesh->context, &o.turn, mesh->triangle_count, error);
  if (status == SYN_OK) status = SYN_NEW_ZEROED(mesh->context, &o.seen, mesh->triangle_count, error);
  if (status == SYN_OK) status = SYN_NEW(mesh->context, &o.stack, mesh->triangle_count, error);
  if (status == SYN_OK) status = SYN_NEW_ZEROED(mesh->context, &o.parts, topology->component_count, error);
  *one_sided = 0;
  if (status == SYN_OK) {
    for (uint32_t t = 0; t < topology->triangle_count; ++t)
      if (!o.seen[t]) flood(&o, t);
    for (uint32_t t = 0; t < topology->triangle_count; ++t) measure(&o, t);
    apply(&o, turned, known);
    for (uint32_t i = 0; i < topology->component_count; ++i) *one_sided += o.parts[i].one_sided;
  }
  syn_free(mesh->context, o.turn);
  syn_free(mesh->context, o.seen);
  syn_free(mesh->context, o.stack);
  syn_free(mesh->context, o.parts);
  syn_topology_destroy(topology);
  return status;
}
