/* Converts a bone to its own coordinates. */
#include <string.h>

#include "base/order.h"
#include "clinic/anatomy/pelvis.h"
#include "geometry/small_matrix.h"

static void share_areas(const syn_trimesh *mesh, double *areas) {
  for (uint32_t i = 0; i < mesh->vertex_count; ++i) areas[i] = 0;
  for (uint32_t i = 0; i < mesh->triangle_count; ++i) {
    const uint32_t *v = mesh->triangles[i].v;
    const syn_vec3 a = mesh->vertices[v[0]];
    const double third = vec3_length(vec3_cross(vec3_sub(mesh->vertices[v[1]], a), vec3_sub(mesh->vertices[v[2]], a)));
    for (int k = 0; k < 3; ++k) areas[v[k]] += third / 6;
  }
}

static syn_vec3 surface_center(const syn_trimesh *mesh, const double *areas, double *total) {
  /* Relative to the first vertex, so that a mesh far from the origin loses no digits. */
  const syn_vec3 base = mesh->vertices[0];
  syn_vec3 sum = {0};
  *total = 0;
  for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
    sum = vec3_madd(sum, areas[i], vec3_sub(mesh->vertices[i], base));
    *total += areas[i];
  }
  return vec3_madd(base, 1 / *total, sum);
}

/* Computes the axes, longest first. The skewness along each axis determines its sense. */
static void principal_axes(const syn_trimesh *mesh, syn_bone *bone) {
  double moments[4][4] = {0}, values[4], vectors[4][4];
  for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
    const syn_vec3 p = vec3_sub(mesh->vertices[i], bone->origin);
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) moments[r][c] += bone->areas[i] * vec3_at(p, r) * vec3_at(p, c);
  }
  syn_symmetric_eigen(moments, 3, values, vectors);
  for (int k = 0; k < 3; ++k) {
    const double *v = vectors[2 - k];
    syn_vec3 axis = vec3(v[0], v[1], v[2]);
    double skewness = 0;
    for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
      const double along = vec3_dot(vec3_sub(mesh->vertices[i], bone->origin), axis);
      skewness += bone->areas[i] * along * along * along;
    }
    bone->axes[k] = skewness < 0 ? vec3_neg(axis) : axis;
  }
}

static syn_vec3 into(const syn_bone *bone, syn_vec3 direction) {
  return vec3(vec3_dot(direction, bone->axes[0]), vec3_dot(direction, bone->axes[1]),
              vec3_dot(direction, bone->axes[2]));
}

syn_vec3 syn_bone_inward(const syn_bone *bone, syn_vec3 scene_point) {
  return into(bone, vec3_sub(scene_point, bone->origin));
}

syn_vec3 syn_bone_direction_outward(const syn_bone *bone, syn_vec3 own) {
  return vec3_madd(vec3_madd(vec3_scale(bone->axes[0], own.x), own.y, bone->axes[1]), own.z, bone->axes[2]);
}

syn_vec3 syn_bone_outward(const syn_bone *bone, syn_vec3 own) {
  return vec3_add(bone->origin, syn_bone_direction_outward(bone, own));
}

/* In a left-handed triple the reversed order of vertices is counter-clockwise. */
static void copy_triangles(const syn_trimesh *mesh, syn_bone *bone) {
  const bool mirrored = vec3_dot(vec3_cross(bone->axes[0], bone->axes[1]), bone->axes[2]) < 0;
  for (uint32_t i = 0; i < mesh->triangle_count; ++i) {
    const uint32_t *v = mesh->triangles[i].v;
    bone->triangles[i] = (syn_triangle){{v[0], v[mirrored ? 2 : 1], v[mirrored ? 1 : 2]}};
  }
}

static uint32_t root_of(uint32_t *parent, uint32_t i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

/* Union-find over vertices; the lower one is always the root. */
static void join_components(const syn_trimesh *mesh, uint32_t *component) {
  for (uint32_t i = 0; i < mesh->vertex_count; ++i) component[i] = i;
  for (uint32_t i = 0; i < mesh->triangle_count; ++i)
    for (int k = 1; k < 3; ++k) {
      const uint32_t a = root_of(component, mesh->triangles[i].v[0]), b = root_of(component, mesh->triangles[i].v[k]);
      if (a < b)
        component[b] = a;
      else
        component[a] = b;
    }
  for (uint32_t i = 0; i < mesh->vertex_count; ++i) component[i] = root_of(component, i);
}

/* ---- coarse points of the surface -------------------------------------------------------------------------------- */

/* A vertex in its cell of a cubic grid. */
typedef struct celled_vertex {
  int32_t cell[3];
  uint32_t component, vertex;
} celled_vertex;

static bool is_other_cell(const celled_vertex *a, const celled_vertex *b) {
  return memcmp(a->cell, b->cell, sizeof a->cell) != 0 || a->component != b->component;
}

static bool comes_after_in_grid(const void *a, const void *b) {
  const celled_vertex *left = a, *right = b;
  for (int k = 0; k < 3; ++k)
    if (left->cell[k] != right->cell[k]) return left->cell[k] > right->cell[k];
  if (left->component != right->component) return left->component > right->component;
  return left->vertex > right->vertex;
}

/* Sums the area of each component at its lowest vertex. */
static void sum_component_areas(const syn_bone *bone, double *areas) {
  for (uint32_t i = 0; i < bone->vertex_count; ++i) areas[i] = 0;
  for (uint32_t i = 0; i < bone->vertex_count; ++i) areas[bone->component[i]] += bone->areas[i];
}

static uint32_t sort_into_cells(const syn_bone *bone, double area, const double *component_areas,
                                celled_vertex *sorted) {
  enum { CELLS = 1000 }; /* would cover a flat surface; a curved one crosses half as many more */
  const double edge = sqrt(area / CELLS), small_part = 0.01;
  uint32_t count = 0;
  for (uint32_t i = 0; i < bone->vertex_count; ++i) {
    if (!(bone->areas[i] > 0)) continue;
    celled_vertex *next = &sorted[count++];
    for (int k = 0; k < 3; ++k) next->cell[k] = (int32_t)floor(vec3_at(bone->points[i], k) / edge);
    const uint32_t component = bone->component[i];
    /* Thousands of loose triangles would each have a point. */
    next->component = component_areas[component] < small_part * area ? SYN_NONE : component;
    next->vertex = i;
  }
  heap_sort(sorted, count, sizeof *sorted, comes_after_in_grid);
  return count;
}

/* Averages the surface in each cell. Every n-th vertex would do as well, but would depend on the numbering of the
 * vertices, and so would the landmarks at which the search ends. */
static syn_status make_coarse_points(syn_bone *bone, double area, syn_error *error) {
  celled_vertex *sorted;
  syn_vec3 *points;
  double *areas;
  uint32_t *component, count = 0;
  SYN_TRY(SYN_TAKE(&bone->arena, &sorted, bone->vertex_count, error));
  SYN_TRY(SYN_TAKE(&bone->arena, &points, bone->vertex_count, error));
  SYN_TRY(SYN_TAKE(&bone->arena, &areas, bone->vertex_count, error));
  SYN_TRY(SYN_TAKE(&bone->arena, &component, bone->vertex_count, error));
  /* Sort the vertices by cell, then average each cell, weighted by area. */
  sum_component_areas(bone, areas);
  const uint32_t used = sort_into_cells(bone, area, areas, sorted);
  for (uint32_t begin = 0, end; begin < used; begin = end, ++count) {
    syn_vec3 sum = {0, 0, 0};
    double weight = 0;
    for (end = begin; end < used && !is_other_cell(&sorted[begin], &sorted[end]); ++end) {
      const uint32_t v = sorted[end].vertex;
      sum = vec3_madd(sum, bone->areas[v], bone->points[v]);
      weight += bone->areas[v];
    }
    points[count] = vec3_scale(sum, 1 / weight);
    areas[count] = weight;
    component[count] = sorted[begin].component;
  }
  bone->coarse = (syn_bone_points){count, points, areas, component};
  return SYN_OK;
}

/* ---- the bone ---------------------------------------------------------------------------------------------------- */

static syn_status check_size(const syn_trimesh *mesh, syn_error *error) {
  const syn_box box = syn_trimesh_bounds(mesh);
  const double across = mesh->triangle_count ? vec3_distance(box.min, box.max) : 0;
  if (!mesh->triangle_count)
    return syn_fail(error, SYN_BAD_MESH, "the pelvis has no triangles: check that the right file was given");
  if (across < 50)
    return syn_fail(error, SYN_BAD_MESH,
                    "the pelvis is only %.3g mm across, too small for an acetabulum: lengths must be in mm; give "
                    "--units m, cm or in for a file in metres, centimetres or inches",
                    across);
  return syn_check_part(mesh, "pelvis", error);
}

static syn_status fill(const syn_trimesh *mesh, syn_bone *bone, syn_error *error) {
  const uint32_t count = mesh->vertex_count;
  SYN_TRY(SYN_TAKE(&bone->arena, &bone->points, count, error));
  SYN_TRY(SYN_TAKE(&bone->arena, &bone->normals, count, error));
  SYN_TRY(SYN_TAKE(&bone->arena, &bone->areas, count, error));
  SYN_TRY(SYN_TAKE(&bone->arena, &bone->component, count, error));
  SYN_TRY(SYN_TAKE(&bone->arena, &bone->triangles, mesh->triangle_count, error));
  /* Each vertex gets a third of the area of its triangles; origin and axes follow from these. */
  share_areas(mesh, bone->areas);
  double area;
  bone->origin = surface_center(mesh, bone->areas, &area);
  if (!(area > 0)) return syn_fail(error, SYN_BAD_MESH, "the pelvis has no area: its triangles are all degenerate");
  principal_axes(mesh, bone);
  copy_triangles(mesh, bone);
  join_components(mesh, bone->component);
  syn_trimesh_vertex_normals(mesh, bone->normals);
  /* From here on all coordinates are in the bone's own frame. */
  syn_box box = box_empty();
  for (uint32_t i = 0; i < count; ++i) {
    bone->points[i] = syn_bone_inward(bone, mesh->vertices[i]);
    bone->normals[i] = into(bone, bone->normals[i]);
    if (bone->areas[i] > 0) box_add(&box, bone->points[i]);
  }
  bone->extent = vec3_sub(box.max, box.min);
  bone->all = (syn_bone_points){count, bone->points, bone->areas, bone->component};
  return make_coarse_points(bone, area, error);
}

syn_status syn_bone_create(const syn_context *context, const syn_trimesh *mesh, syn_bone *bone, syn_error *error) {
  *bone = (syn_bone){.child = 1,
                     .arena = {.context = context},
                     .vertex_count = mesh->vertex_count,
                     .triangle_count = mesh->triangle_count};
  SYN_TRY(check_size(mesh, error));
  const syn_status status = fill(mesh, bone, error);
  if (status != SYN_OK) syn_bone_release(bone);
  return status;
}

void syn_bone_release(syn_bone *bone) { syn_arena_release(&bone->arena); }
