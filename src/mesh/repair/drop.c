/* Repair: removes triangles without area and small components. */
#include "base/vec.h"
#include "mesh/exact_scale.h"
#include "mesh/repair/repair.h"

static bool repeats_a_vertex(const uint32_t *v) { return v[0] == v[1] || v[1] == v[2] || v[2] == v[0]; }

static bool has_no_area(const syn_builder *mesh, const uint32_t *v) {
  syn_vec3 p[3];
  for (int c = 0; c < 3; ++c) p[c] = mesh->points[v[c]];
  const int power = exact_scale_of(p, 3);
  for (int c = 0; c < 3 && power != 0; ++c) p[c] = vec3_exactly_scaled(p[c], power);
  const syn_vec3 cross = vec3_cross(vec3_sub(p[1], p[0]), vec3_sub(p[2], p[0]));
  return vec3_equal(cross, vec3(0, 0, 0));
}

/* Returns the corner whose opposite edge is the longest: in a triangle without area, the vertex between the other two.
 */
static int middle_corner(const syn_builder *mesh, const uint32_t *v) {
  int middle = 0;
  double longest = -1;
  for (int c = 0; c < 3; ++c) {
    const double length = vec3_length2(vec3_sub(mesh->points[v[(c + 1) % 3]], mesh->points[v[(c + 2) % 3]]));
    if (length > longest) {
      longest = length;
      middle = c;
    }
  }
  return middle;
}

static bool share_an_edge(const syn_builder *mesh, const syn_topology *topology, uint32_t a, uint32_t b) {
  for (uint32_t i = topology->vertex_triangle_start[a]; i < topology->vertex_triangle_start[a + 1]; ++i) {
    const uint32_t *v = mesh->triangles[topology->vertex_triangles[i]].v;
    if (v[0] == b || v[1] == b || v[2] == b) return true;
  }
  return false;
}

/* Removes a triangle without area: its middle vertex m is on its longest edge p-q. The triangle (p, q, d) across that
 * edge is divided into (p, m, d) and (m, q, d): the surface is unchanged and the flat triangle is gone. */
static bool take_in(syn_builder *mesh, const syn_topology *topology, uint8_t *touched, uint32_t t) {
  uint32_t *flat = mesh->triangles[t].v;
  const int middle = middle_corner(mesh, flat), edge = (middle + 1) % 3;
  const uint32_t across = topology->triangle_neighbours[t][edge], m = flat[middle];
  if (across == SYN_NONE || touched[t] || touched[across]) return false;
  uint32_t *v = mesh->triangles[across].v;
  int from = 0;
  while (topology->triangle_edges[across][from] != topology->triangle_edges[t][edge]) ++from;
  const uint32_t p = v[from], q = v[(from + 1) % 3], d = v[(from + 2) % 3];
  if (d == m || repeats_a_vertex(v) || has_no_area(mesh, v) || share_an_edge(mesh, topology, m, d)) return false;
  mesh->triangles[t] = (syn_triangle){{p, m, d}};
  mesh->triangles[across] = (syn_triangle){{m, q, d}};
  /* The topology of this pass is no longer valid around these triangles. */
  touched[t] = touched[across] = 1;
  const uint32_t near[4] = {m, d, p, q};
  for (int k = 0; k < 4; ++k)
    for (uint32_t i = topology->vertex_triangle_start[near[k]]; i < topology->vertex_triangle_start[near[k] + 1]; ++i)
      touched[topology->vertex_triangles[i]] = 1;
  return true;
}

/* Runs one pass over the flat triangles; adjacent ones wait for the next pass. */
static syn_status take_in_flat(syn_builder *mesh, uint32_t *taken, syn_error *error) {
  const syn_trimesh view = syn_builder_view(mesh);
  syn_topology *topology;
  uint8_t *touched = NULL;
  *taken = 0;
  SYN_TRY(syn_topology_create(&view, &topology, error));
  syn_status status = SYN_NEW_ZEROED(mesh->context, &touched, mesh->triangle_count, error);
  for (uint32_t t = 0; t < mesh->triangle_count && status == SYN_OK; ++t)
    if (has_no_area(mesh, mesh->triangles[t].v)) *taken += take_in(mesh, topology, touched, t);
  syn_free(mesh->context, touched);
  syn_topology_destroy(topology);
  return status;
}

static uint32_t remove_if(syn_builder *mesh, bool (*unwanted)(const syn_builder *mesh, const uint32_t *v)) {
  uint32_t kept = 0;
  for (size_t t = 0; t < mesh->triangle_count; ++t)
    if (!unwanted(mesh, mesh->triangles[t].v)) mesh->triangles[kept++] = mesh->triangles[t];
  const uint32_t removed = (uint32_t)mesh->triangle_count - kept;
  mesh->triangle_count = kept;
  return removed;
}

static bool is_point_or_edge(const syn_builder *mesh, const uint32_t *v) {
  (void)mesh;
  return repeats_a_vertex(v);
}

static uint32_t count_flat(const syn_builder *mesh) {
  uint32_t flat = 0;
  for (size_t t = 0; t < mesh->triangle_count; ++t) flat += has_no_area(mesh, mesh->triangles[t].v);
  return flat;
}

syn_status syn_repair_drop(syn_builder *mesh, uint32_t *degenerate, uint32_t *duplicate, syn_error *error) {
  enum { PASSES = 16 }; /* enough for any real mesh: a pass clears all but neighbouring flat triangles */
  *degenerate = remove_if(mesh, is_point_or_edge);
  SYN_TRY(syn_repair_duplicates(mesh, duplicate, error));
  uint32_t flat = count_flat(mesh);
  *degenerate += flat;
  for (int pass = 0; pass < PASSES && flat > 0; ++pass) {
    uint32_t taken;
    SYN_TRY(take_in_flat(mesh, &taken, error));
    flat = taken > 0 ? count_flat(mesh) : 0;
  }
  remove_if(mesh, has_no_area);
  return SYN_OK;
}

/* ---- small components ----------------------------------------------------------------------------------------------
 */

static double area2(const syn_builder *mesh, const uint32_t *v) {
  const syn_vec3 a = mesh->points[v[0]];
  return vec3_length(vec3_cross(vec3_sub(mesh->points[v[1]], a), vec3_sub(mesh->points[v[2]], a)));
}

/* Marks small components with a negative area; returns their count. */
static uint32_t find_small(double *areas, uint32_t count, double fraction) {
  double largest = 0;
  for (uint32_t i = 0; i < count; ++i) largest = fmax(largest, areas[i]);
  uint32_t small = 0;
  for (uint32_t i = 0; i < count; ++i)
    if (areas[i] < fraction * largest) {
      areas[i] = -1;
      ++small;
    }
  return small;
}

syn_status syn_repair_islands(syn_builder *mesh, double fraction, uint32_t *islands, uint32_t *triangles,
                              syn_error *error) {
  const syn_trimesh view = syn_builder_view(mesh);
  syn_topology *topology;
  double *areas = NULL;
  SYN_TRY(syn_topology_create(&view, &topology, error));
  syn_status status = SYN_NEW_ZEROED(mesh->context, &areas, topology->component_count, error);
  if (status == SYN_OK) {
    for (uint32_t t = 0; t < view.triangle_count; ++t)
      areas[topology->triangle_component[t]] += area2(mesh, mesh->triangles[t].v);
    *islands = find_small(areas, topology->component_count, fraction);
    uint32_t kept = 0;
    for (uint32_t t = 0; t < view.triangle_count; ++t)
      if (areas[topology->triangle_component[t]] >= 0) mesh->triangles[kept++] = mesh->triangles[t];
    *triangles = view.triangle_count - kept;
    mesh->triangle_count = kept;
  }
  syn_free(mesh->context, areas);
  syn_topology_destroy(topology);
  return status;
}
