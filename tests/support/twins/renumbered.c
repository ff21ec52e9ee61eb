#include "renumbered.h"

/* Fisher and Yates. */
static uint32_t *random_order(uint32_t count, test_random *random) {
  uint32_t *order = malloc((count + 1) * sizeof *order);
  assert_non_null(order);
  for (uint32_t i = 0; i < count; ++i) order[i] = i;
  for (uint32_t i = count; i > 1; --i) {
    const uint32_t other = random_below(random, i), kept = order[i - 1];
    order[i - 1] = order[other];
    order[other] = kept;
  }
  return order;
}

syn_trimesh *make_renumbered(const syn_trimesh *mesh, test_random *random) {
  uint32_t *vertex = random_order(mesh->vertex_count, random), *place = random_order(mesh->triangle_count, random);
  syn_vec3 *vertices = malloc((mesh->vertex_count + 1) * sizeof *vertices);
  syn_triangle *triangles = malloc((mesh->triangle_count + 1) * sizeof *triangles);
  assert_true(vertices && triangles);
  for (uint32_t i = 0; i < mesh->vertex_count; ++i) vertices[vertex[i]] = mesh->vertices[i];
  for (uint32_t i = 0; i < mesh->triangle_count; ++i) {
    const uint32_t first = random_below(random, 3);
    for (uint32_t c = 0; c < 3; ++c) triangles[place[i]].v[c] = vertex[mesh->triangles[i].v[(first + c) % 3]];
  }
  syn_trimesh *made;
  syn_error error;
  ASSERT_OK(
      syn_trimesh_create(mesh->context, vertices, mesh->vertex_count, triangles, mesh->triangle_count, &made, &error));
  free(vertices);
  free(triangles);
  free(vertex);
  free(place);
  return made;
}
