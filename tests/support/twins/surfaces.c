#include "surfaces.h"

#include "base/vec.h"
#include "geometry/predicates.h"
#include "geometry/triangle_pair.h"

/* ---- sound? ------------------------------------------------------------------------------------------------------ */

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

int64_t check_closed_manifold(const syn_trimesh *mesh) {
  syn_topology *topology;
  syn_error error;
  ASSERT_OK(syn_topology_create(mesh, &topology, &error));
  assert_int_equal(topology->component_count, 1);
  for (uint32_t e = 0; e < topology->edge_count; ++e) {
    assert_int_equal(topology->edge_triangle_start[e + 1] - topology->edge_triangle_start[e], 2);
    uint32_t along = 0;
    for (uint32_t i = topology->edge_triangle_start[e]; i < topology->edge_triangle_start[e + 1]; ++i) {
      const uint32_t *v = mesh->triangles[topology->edge_triangles[i]].v;
      for (int c = 0; c < 3; ++c)
        along += v[c] == topology->edge_vertices[e][0] && v[(c + 1) % 3] == topology->edge_vertices[e][1];
    }
    assert_int_equal(along, 1); /* the other one runs against it */
  }
  for (uint32_t vertex = 0; vertex < mesh->vertex_count; ++vertex) {
    uint32_t first = topology->vertex_triangle_start[vertex], last = topology->vertex_triangle_start[vertex + 1];
    assert_true(first < last);
    uint32_t start = topology->vertex_triangles[first], at = start, fan = 0;
    do { /* walk round the vertex */
      const uint32_t *v = mesh->triangles[at].v;
      int corner = v[0] == vertex ? 0 : v[1] == vertex ? 1 : 2;
      at = topology->triangle_neighbours[at][corner];
      ++fan;
    } while (at != start && fan <= last - first);
    assert_int_equal(fan, last - first);
  }
  int64_t euler = (int64_t)mesh->vertex_count - topology->edge_count + mesh->triangle_count;
  syn_topology_destroy(topology);
  return euler;
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

/* ---- measures ---------------------------------------------------------------------------------------------------- */

double surface_volume(const syn_trimesh *mesh) {
  double sum = 0;
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    const uint32_t *v = mesh->triangles[t].v;
    sum += vec3_dot(mesh->vertices[v[0]], vec3_cross(mesh->vertices[v[1]], mesh->vertices[v[2]]));
  }
  return sum / 6;
}

double ray_radius(const syn_trimesh *mesh, syn_vec3 direction) {
  double nearest = INFINITY;
  direction = vec3_unit(direction);
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    syn_vec3 p[3];
    for (int c = 0; c < 3; ++c) p[c] = mesh->vertices[mesh->triangles[t].v[c]];
    double w[3], sum = 0, volume = vec3_dot(p[0], vec3_cross(p[1], p[2]));
    for (int c = 0; c < 3; ++c) sum += w[c] = vec3_dot(direction, vec3_cross(p[(c + 1) % 3], p[(c + 2) % 3]));
    if (volume > 0 && sum > 0 && w[0] >= 0 && w[1] >= 0 && w[2] >= 0) nearest = fmin(nearest, volume / sum);
  }
  return isfinite(nearest) ? nearest : 0;
}

/* ---- contact: a sweep along z, then the exact test ----------------------------------------------------------------
 */

typedef struct swept {
  syn_box box;
  syn_vec3 corners[3];
  bool second; /* of the second mesh */
} swept;

static int by_start(const void *a, const void *b) {
  const double p = ((const swept *)a)->box.min.z, q = ((const swept *)b)->box.min.z;
  return (p > q) - (p < q);
}

static void sweep_in(const syn_trimesh *mesh, const syn_pose *pose, bool second, swept *out) {
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    out[t] = (swept){.box = box_empty(), .second = second};
    for (int c = 0; c < 3; ++c) {
      const syn_vec3 p = mesh->vertices[mesh->triangles[t].v[c]];
      out[t].corners[c] = pose ? syn_pose_point(pose, p) : p;
      box_add(&out[t].box, out[t].corners[c]);
    }
  }
}

/* Counts pairs, up to `most`. */
static size_t sweep(const syn_trimesh *a, const syn_trimesh *b, const syn_pose *pose, size_t most) {
  const size_t count = (size_t)a->triangle_count + b->triangle_count;
  size_t meetings = 0;
  swept *list = malloc(count * sizeof *list);
  assert_non_null(list);
  sweep_in(a, NULL, false, list);
  sweep_in(b, pose, true, list + a->triangle_count);
  qsort(list, count, sizeof *list, by_start);
  for (size_t i = 0; i < count && meetings < most; ++i)
    for (size_t j = i + 1; j < count && meetings < most && list[j].box.min.z <= list[i].box.max.z; ++j)
      if (list[i].second != list[j].second && box_overlap(&list[i].box, &list[j].box))
        meetings += syn_triangles_meet(list[i].corners, list[j].corners);
  free(list);
  return meetings;
}

size_t count_self_meetings(const syn_trimesh *mesh) {
  uint64_t count;
  syn_error error;
  ASSERT_OK(syn_trimesh_self_intersections(mesh, NULL, 0, &count, &error));
  return count;
}

size_t count_meetings(const syn_trimesh *a, const syn_trimesh *b) { return sweep(a, b, NULL, SIZE_MAX); }

bool surfaces_meet(const syn_trimesh *a, const syn_trimesh *b, const syn_pose *pose) {
  return sweep(a, b, pose, 1) > 0;
}

/* ---- nasty --------------------------------------------------------------------------------------------------------
 */

syn_trimesh *make_stretched(const syn_trimesh *mesh, syn_vec3 by, syn_vec3 shift) {
  syn_vec3 *points = calloc(mesh->vertex_count + 1, sizeof *points);
  for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
    const syn_vec3 p = mesh->vertices[i];
    points[i] = vec3(p.x * by.x + shift.x, p.y * by.y + shift.y, p.z * by.z + shift.z);
  }
  syn_error error;
  syn_trimesh *made;
  ASSERT_OK(syn_trimesh_create(NULL, points, mesh->vertex_count, mesh->triangles, mesh->triangle_count, &made, &error));
  free(points);
  return made;
}

syn_trimesh *make_nasty(test_random *random, uint32_t kind) {
  syn_trimesh *base = kind % 3 == 0   ? make_soup(NULL, random, 30, 60)
                      : kind % 3 == 1 ? make_blob(NULL, random, 6, 9, kind % 2 ? 3.0 : 0.2)
                                      : make_cube(NULL, 1);
  const syn_vec3 stretches[8] = {{1, 1, 1},       {1, 1, 0},      {1, 1e-7, 1e-3}, {1e-9, 1e-9, 1e-9},
                                 {1e7, 1e7, 1e7}, {30, 30, 1e-5}, {1, 1, 1},       {1e-20, 1e20, 1}};
  const syn_vec3 shift = kind % 8 == 6 ? vec3(1e6, -2e6, 5e5) : vec3(0, 0, 0);
  syn_trimesh *mesh = make_stretched(base, stretches[kind % 8], shift);
  syn_trimesh_destroy(base);
  return mesh;
}
