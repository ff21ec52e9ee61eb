#include "mesh/canonical.h"

#include "base/hash_table.h"
#include "base/order.h"

/* Work arrays of one mesh. */
typedef struct canonical_order {
  syn_arena arena;
  struct placed_vertex {
    syn_vec3 place;
    uint64_t around; /* hash of the triangles at the vertex: a sum, so that their order does not matter */
    uint32_t vertex; /* previous number */
  } * sorted;
  syn_vec3 *places;
  uint32_t *number; /* new number of each vertex */
  syn_triangle *triangles;
} canonical_order;

/* ---- vertices -----------------------------------------------------------------------------------------------------
 */

/* Hashes the positions of its corners, independent of the first one. */
static uint64_t hash_triangle(const syn_trimesh *mesh, const syn_triangle *triangle) {
  uint64_t lowest = UINT64_MAX;
  for (int first = 0; first < 3; ++first) {
    uint64_t hash = 0;
    for (int c = 0; c < 3; ++c) {
      const syn_vec3 p = mesh->vertices[triangle->v[(first + c) % 3]];
      hash = hash_add(hash, hash_place((syn_vec3){p.x + 0., p.y + 0., p.z + 0.})); /* -0 becomes 0 */
    }
    hash = hash_finish(hash);
    if (hash < lowest) lowest = hash;
  }
  return lowest;
}

static bool vertex_comes_after(const void *a, const void *b) {
  const struct placed_vertex *left = a, *right = b;
  if (left->place.x != right->place.x) return left->place.x > right->place.x;
  if (left->place.y != right->place.y) return left->place.y > right->place.y;
  if (left->place.z != right->place.z) return left->place.z > right->place.z;
  if (left->around != right->around) return left->around > right->around;
  return left->vertex > right->vertex; /* equal in all relevant data */
}

static void number_vertices(const syn_trimesh *mesh, canonical_order *order) {
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
    const syn_vec3 p = mesh->vertices[v];
    order->sorted[v] = (struct placed_vertex){{p.x + 0., p.y + 0., p.z + 0.}, 0, v};
  }
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    const uint64_t hash = hash_triangle(mesh, &mesh->triangles[t]);
    for (int c = 0; c < 3; ++c) order->sorted[mesh->triangles[t].v[c]].around += hash;
  }
  heap_sort(order->sorted, mesh->vertex_count, sizeof *order->sorted, vertex_comes_after);
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
    order->places[v] = order->sorted[v].place;
    order->number[order->sorted[v].vertex] = v;
  }
}

/* ---- triangles ----------------------------------------------------------------------------------------------------
 */

static bool triangle_comes_after(const void *a, const void *b) {
  const syn_triangle *left = a, *right = b;
  for (int c = 0; c < 2; ++c)
    if (left->v[c] != right->v[c]) return left->v[c] > right->v[c];
  return left->v[2] > right->v[2];
}

static syn_triangle triangle_from_corner(const uint32_t *number, const syn_triangle *triangle, int first) {
  syn_triangle way;
  for (int c = 0; c < 3; ++c) way.v[c] = number[triangle->v[(first + c) % 3]];
  return way;
}

/* Rotates the triangle to start at its lowest vertex; keeps its orientation. With a repeated vertex, takes the lowest
 * of the three rotations. */
static syn_triangle rotate_triangle(const uint32_t *number, const syn_triangle *triangle) {
  syn_triangle lowest = triangle_from_corner(number, triangle, 0);
  for (int first = 1; first < 3; ++first) {
    const syn_triangle way = triangle_from_corner(number, triangle, first);
    if (triangle_comes_after(&lowest, &way)) lowest = way;
  }
  return lowest;
}

static void sort_triangles(const syn_trimesh *mesh, canonical_order *order) {
  for (uint32_t t = 0; t < mesh->triangle_count; ++t)
    order->triangles[t] = rotate_triangle(order->number, &mesh->triangles[t]);
  heap_sort(order->triangles, mesh->triangle_count, sizeof *order->triangles, triangle_comes_after);
}

static syn_status renumber_mesh(const syn_trimesh *mesh, canonical_order *order, syn_trimesh **renumbered,
                                syn_error *error) {
  SYN_TRY(SYN_TAKE(&order->arena, &order->sorted, mesh->vertex_count, error));
  SYN_TRY(SYN_TAKE(&order->arena, &order->places, mesh->vertex_count, error));
  SYN_TRY(SYN_TAKE(&order->arena, &order->number, mesh->vertex_count, error));
  SYN_TRY(SYN_TAKE(&order->arena, &order->triangles, mesh->triangle_count, error));
  number_vertices(mesh, order);
  sort_triangles(mesh, order);
  return syn_trimesh_create(mesh->context, order->places, mesh->vertex_count, order->triangles, mesh->triangle_count,
                            renumbered, error);
}

syn_status syn_trimesh_renumber(const syn_trimesh *mesh, syn_trimesh **renumbered, syn_error *error) {
  canonical_order order = {.arena = {.context = mesh->context}};
  *renumbered = NULL;
  const syn_status status = renumber_mesh(mesh, &order, renumbered, error);
  syn_arena_release(&order.arena);
  return status;
}
