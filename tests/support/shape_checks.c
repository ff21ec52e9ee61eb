#include "shape_checks.h"

#include "base/predicates.h"
#include "base/triangle_pair.h"
#include "base/vec.h"
#include "mesh/triangle_contact.h"

static double triangle_area(const syn_trimesh *mesh, uint32_t t) {
  const uint32_t *v = mesh->triangles[t].v;
  const syn_vec3 a = mesh->vertices[v[0]];
  return vec3_length(vec3_cross(vec3_sub(mesh->vertices[v[1]], a), vec3_sub(mesh->vertices[v[2]], a))) / 2;
}

double surface_area(const syn_trimesh *mesh) {
  double sum = 0;
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) sum += triangle_area(mesh, t);
  return sum;
}

double tets_volume(const syn_tetmesh *mesh) {
  double sum = 0;
  for (uint32_t t = 0; t < mesh->tet_count; ++t) {
    const uint32_t *v = mesh->tets[t].v;
    const syn_vec3 a = mesh->vertices[v[0]];
    sum += vec3_dot(vec3_cross(vec3_sub(mesh->vertices[v[1]], a), vec3_sub(mesh->vertices[v[2]], a)),
                    vec3_sub(mesh->vertices[v[3]], a)) /
           6;
  }
  return sum;
}

/* Across every edge lies one other triangle, which runs along the edge the other way. */
static void check_edges(const syn_trimesh *mesh, const syn_topology *topology, const char *name) {
  for (uint32_t t = 0; t < mesh->triangle_count; ++t)
    for (int c = 0; c < 3; ++c) {
      const uint32_t a = mesh->triangles[t].v[c], b = mesh->triangles[t].v[(c + 1) % 3];
      const uint32_t other = topology->triangle_neighbours[t][c];
      if (other == SYN_NONE) fail_msg("%s: edge %u %u has not exactly two triangles", name, a, b);
      const uint32_t *v = mesh->triangles[other].v;
      if (!((v[0] == b && v[1] == a) || (v[1] == b && v[2] == a) || (v[2] == b && v[0] == a)))
        fail_msg("%s: triangles %u and %u run along their edge the same way", name, t, other);
    }
}

void check_surface(const syn_trimesh *mesh, const char *name, int64_t handles) {
  syn_error error;
  syn_topology *topology;
  ASSERT_OK(syn_topology_create(mesh, &topology, &error));
  check_edges(mesh, topology, name);
  if (topology->component_count != 1) fail_msg("%s is in %u pieces", name, topology->component_count);
  /* a pinched vertex would lower this count, an unused one would raise it */
  const int64_t euler = (int64_t)mesh->vertex_count - (int64_t)topology->edge_count + (int64_t)mesh->triangle_count;
  if (euler != 2 - 2 * handles) fail_msg("%s has Euler characteristic %d", name, (int)euler);
  syn_topology_destroy(topology);
  for (uint32_t t = 0; t < mesh->triangle_count; ++t)
    if (!(triangle_area(mesh, t) > 0)) fail_msg("%s: triangle %u is flat", name, t);
  if (!(surface_volume(mesh) > 0)) fail_msg("%s faces inward", name);
}

/* ---- contact: sweep along x ----------------------------------------------------------------------------------------
 */

typedef struct swept {
  syn_box box;
  uint32_t triangle;
  bool second; /* of the second mesh */
} swept;

static int by_start(const void *a, const void *b) {
  const double x = ((const swept *)a)->box.min.x, y = ((const swept *)b)->box.min.x;
  return (x > y) - (x < y);
}

static void sweep_in(const syn_trimesh *mesh, bool second, swept *out) {
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    out[t] = (swept){box_empty(), t, second};
    for (int c = 0; c < 3; ++c) box_add(&out[t].box, mesh->vertices[mesh->triangles[t].v[c]]);
  }
}

void check_no_self_contact(const syn_trimesh *mesh, const char *name) {
  swept *list = malloc(mesh->triangle_count * sizeof *list);
  sweep_in(mesh, false, list);
  qsort(list, mesh->triangle_count, sizeof *list, by_start);
  for (uint32_t i = 0; i < mesh->triangle_count; ++i)
    for (uint32_t j = i + 1; j < mesh->triangle_count && list[j].box.min.x <= list[i].box.max.x; ++j)
      if (box_overlap(&list[i].box, &list[j].box) &&
          syn_triangles_meet_elsewhere(mesh->vertices, &mesh->triangles[list[i].triangle],
                                       &mesh->triangles[list[j].triangle]))
        fail_msg("%s: triangles %u and %u meet", name, list[i].triangle, list[j].triangle);
  free(list);
}

static void corners_of(const syn_trimesh *mesh, uint32_t t, syn_vec3 corners[3]) {
  for (int c = 0; c < 3; ++c) corners[c] = mesh->vertices[mesh->triangles[t].v[c]];
}

bool surfaces_meet(const syn_trimesh *a, const syn_trimesh *b, const syn_pose *pose) {
  syn_error error;
  const syn_pose stay = syn_pose_identity();
  syn_trimesh *moved;
  ASSERT_OK(syn_trimesh_transform(b, pose ? pose : &stay, &moved, &error));
  const uint32_t count = a->triangle_count + moved->triangle_count;
  swept *list = malloc(count * sizeof *list);
  sweep_in(a, false, list);
  sweep_in(moved, true, list + a->triangle_count);
  qsort(list, count, sizeof *list, by_start);
  bool meet = false;
  for (uint32_t i = 0; i < count && !meet; ++i)
    for (uint32_t j = i + 1; j < count && !meet && list[j].box.min.x <= list[i].box.max.x; ++j) {
      if (list[i].second == list[j].second || !box_overlap(&list[i].box, &list[j].box)) continue;
      syn_vec3 p[3], q[3];
      corners_of(list[i].second ? moved : a, list[i].triangle, p);
      corners_of(list[j].second ? moved : a, list[j].triangle, q);
      meet = syn_triangles_meet(p, q);
    }
  free(list);
  syn_trimesh_destroy(moved);
  return meet;
}

void check_volume(const syn_tetmesh *mesh, const syn_trimesh *surface, const char *name) {
  syn_error error;
  for (uint32_t t = 0; t < mesh->tet_count; ++t) {
    const uint32_t *v = mesh->tets[t].v;
    if (syn_orient3d(mesh->vertices[v[0]], mesh->vertices[v[1]], mesh->vertices[v[2]], mesh->vertices[v[3]]) != 1)
      fail_msg("%s: tetrahedron %u has no positive volume", name, t);
  }
  syn_tet_topology *topology;
  ASSERT_OK(syn_tet_topology_create(mesh, &topology, &error));
  assert_int_equal(topology->nonmanifold_faces, 0);
  assert_int_equal(topology->component_count, 1);
  assert_int_equal(topology->surface_face_count, surface->triangle_count);
  syn_tet_topology_destroy(topology);
  ASSERT_NEAR(surface_volume(surface) / tets_volume(mesh), 1, 1e-9);
}
