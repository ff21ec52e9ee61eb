#include "surfaces.h"

#include "support.h"

#include "base/triangle_pair.h"
#include "base/vec.h"

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

double surface_volume(const syn_trimesh *mesh) {
  double sum = 0;
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    const uint32_t *v = mesh->triangles[t].v;
    sum += vec3_dot(mesh->vertices[v[0]], vec3_cross(mesh->vertices[v[1]], mesh->vertices[v[2]]));
  }
  return sum / 6;
}

size_t count_self_meetings(const syn_trimesh *mesh) {
  uint64_t count;
  syn_error error;
  ASSERT_OK(syn_trimesh_self_intersections(mesh, NULL, 0, &count, &error));
  return count;
}

/* ---- two meshes: boxes sorted by their lowest z, then the exact test -----------------------------------------------
 */

typedef struct boxed {
  syn_box box;
  syn_vec3 corners[3];
  bool second; /* of the second mesh */
} boxed;

static int by_low_z(const void *a, const void *b) {
  double p = ((const boxed *)a)->box.min.z, q = ((const boxed *)b)->box.min.z;
  return (p > q) - (p < q);
}

static void corners_of(const syn_trimesh *mesh, uint32_t triangle, syn_vec3 corners[3]) {
  for (int c = 0; c < 3; ++c) corners[c] = mesh->vertices[mesh->triangles[triangle].v[c]];
}

static void add_boxes(const syn_trimesh *mesh, bool second, boxed *boxes) {
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    boxes[t] = (boxed){.box = box_empty(), .second = second};
    corners_of(mesh, t, boxes[t].corners);
    for (int c = 0; c < 3; ++c) box_add(&boxes[t].box, boxes[t].corners[c]);
  }
}

size_t count_meetings(const syn_trimesh *a, const syn_trimesh *b) {
  size_t total = (size_t)a->triangle_count + b->triangle_count, meetings = 0;
  boxed *boxes = malloc(total * sizeof *boxes);
  assert_non_null(boxes);
  add_boxes(a, false, boxes);
  add_boxes(b, true, boxes + a->triangle_count);
  qsort(boxes, total, sizeof *boxes, by_low_z);
  for (size_t i = 0; i < total; ++i)
    for (size_t j = i + 1; j < total && boxes[j].box.min.z <= boxes[i].box.max.z; ++j)
      if (boxes[i].second != boxes[j].second && box_overlap(&boxes[i].box, &boxes[j].box))
        meetings += syn_triangles_meet(boxes[i].corners, boxes[j].corners);
  free(boxes);
  return meetings;
}

/* ---- rays ---------------------------------------------------------------------------------------------------------
 */

double ray_radius(const syn_trimesh *mesh, syn_vec3 direction) {
  double nearest = INFINITY;
  direction = vec3_unit(direction);
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    syn_vec3 p[3];
    corners_of(mesh, t, p);
    double w[3], sum = 0, volume = vec3_dot(p[0], vec3_cross(p[1], p[2]));
    for (int c = 0; c < 3; ++c) sum += w[c] = vec3_dot(direction, vec3_cross(p[(c + 1) % 3], p[(c + 2) % 3]));
    if (volume > 0 && sum > 0 && w[0] >= 0 && w[1] >= 0 && w[2] >= 0) nearest = fmin(nearest, volume / sum);
  }
  return isfinite(nearest) ? nearest : 0;
}
