#include "shape_checks.h"

#include "base/predicates.h"
#include "base/triangle_pair.h"
#include "base/vec.h"

void check_surface(const syn_trimesh *mesh, const char *name, int64_t handles) {
  syn_error error;
  syn_health health;
  const syn_check_options options = syn_default_check_options();
  ASSERT_OK(syn_trimesh_check(mesh, &options, &health, &error));
  if (!health.closed) fail_msg("%s is open along %u edges", name, health.boundary_edges);
  if (!health.manifold)
    fail_msg("%s has %u bad edges and %u bad vertices", name, health.nonmanifold_edges, health.nonmanifold_vertices);
  if (!health.oriented) fail_msg("%s is flipped across %u edges", name, health.flipped_edges);
  if (!health.outward) fail_msg("%s faces inward", name);
  if (health.components != 1) fail_msg("%s is in %u pieces", name, health.components);
  if (health.genus != handles) fail_msg("%s has %d handles", name, (int)health.genus);
  if (health.degenerate_triangles) fail_msg("%s has %u flat triangles", name, health.degenerate_triangles);
  if (health.unreferenced_vertices) fail_msg("%s has %u idle vertices", name, health.unreferenced_vertices);
  if (health.duplicate_vertices) fail_msg("%s has %u double vertices", name, health.duplicate_vertices);
  if (health.self_intersections) fail_msg("%s meets itself %d times", name, (int)health.self_intersections);
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
  ASSERT_NEAR(syn_trimesh_mass(surface).volume_mm3 / syn_tetmesh_quality(mesh).volume_mm3, 1, 1e-9);
}

/* ---- contact: sweep along x ----------------------------------------------------------------------------------------
 */

typedef struct swept {
  syn_box box;
  syn_vec3 corners[3];
  bool second; /* of the second mesh */
} swept;

static int by_start(const void *a, const void *b) {
  const double x = ((const swept *)a)->box.min.x, y = ((const swept *)b)->box.min.x;
  return (x > y) - (x < y);
}

static void sweep_in(const syn_trimesh *mesh, const syn_pose *pose, bool second, swept *out) {
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    out[t] = (swept){.box = box_empty(), .second = second};
    for (int c = 0; c < 3; ++c) {
      out[t].corners[c] = syn_pose_point(pose, mesh->vertices[mesh->triangles[t].v[c]]);
      box_add(&out[t].box, out[t].corners[c]);
    }
  }
}

bool surfaces_meet(const syn_trimesh *a, const syn_trimesh *b, const syn_pose *pose) {
  const syn_pose stay = syn_pose_identity();
  const uint32_t count = a->triangle_count + b->triangle_count;
  swept *list = malloc(count * sizeof *list);
  sweep_in(a, &stay, false, list);
  sweep_in(b, pose ? pose : &stay, true, list + a->triangle_count);
  qsort(list, count, sizeof *list, by_start);
  bool meet = false;
  for (uint32_t i = 0; i < count && !meet; ++i)
    for (uint32_t j = i + 1; j < count && !meet && list[j].box.min.x <= list[i].box.max.x; ++j)
      meet = list[i].second != list[j].second && box_overlap(&list[i].box, &list[j].box) &&
             syn_triangles_meet(list[i].corners, list[j].corners);
  free(list);
  return meet;
}
