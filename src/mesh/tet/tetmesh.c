/* Creates tetrahedral meshes. */
#include <string.h>

#include "base/vec.h"
#include "mesh/builder.h"
#include "mesh/tet/tet_topology.h"
#include "mesh/trimesh.h"

/* Volume and shape of tetrahedra. */
/* Six times the signed volume. */
static double six_volume(const syn_vec3 p[4]) {
  return vec3_dot(vec3_cross(vec3_sub(p[1], p[0]), vec3_sub(p[2], p[0])), vec3_sub(p[3], p[0]));
}

/* 6 sqrt(2) V over the cube of the root mean square edge; 0 where all corners coincide. */
static double shape_quality(const syn_vec3 p[4], double six) {
  double sum = 0;
  for (int i = 0; i < 4; ++i)
    for (int k = i + 1; k < 4; ++k) sum += vec3_length2(vec3_sub(p[i], p[k]));
  const double rms = sqrt(sum / 6);
  return rms > 0 ? sqrt(2.0) * six / (rms * rms * rms) : 0;
}

/* Widens [*low, *high] by the cotangents of the six dihedral angles. The faces opposite i and k, with outward normals
 * of twice their area, meet at the other two corners in an edge e with |ni x nk| = |e| |6 V|, so no angle has to be
 * taken per edge. An edge of a face without area has no angle and is passed over (0 / 0). */
static void widen_cotangents(const syn_vec3 p[4], double six, double *low, double *high) {
  syn_vec3 normal[4];
  for (int f = 0; f < 4; ++f) {
    const uint8_t *c = syn_tet_face[f];
    normal[f] = vec3_cross(vec3_sub(p[c[1]], p[c[0]]), vec3_sub(p[c[2]], p[c[0]]));
  }
  static const uint8_t edges[6][4] = {{0, 1, 2, 3}, {0, 2, 1, 3}, {0, 3, 1, 2},
                                      {1, 2, 0, 3}, {1, 3, 0, 2}, {2, 3, 0, 1}};
  for (int e = 0; e < 6; ++e) {
    const uint8_t *edge = edges[e]; /* faces opposite the first two, along the last two */
    const double length = vec3_distance(p[edge[2]], p[edge[3]]);
    const double cotangent = -vec3_dot(normal[edge[0]], normal[edge[1]]) / (length * fabs(six));
    if (cotangent < *low) *low = cotangent;
    if (cotangent > *high) *high = cotangent;
  }
}

syn_tet_quality syn_tetmesh_quality(const syn_tetmesh *mesh) {
  syn_tet_quality q = {.min_volume_mm3 = INFINITY, .min_quality = INFINITY};
  double low = INFINITY, high = -INFINITY, quality_sum = 0;
  if (mesh->tet_count == 0) return (syn_tet_quality){0};
  for (uint32_t t = 0; t < mesh->tet_count; ++t) {
    syn_vec3 p[4];
    for (int i = 0; i < 4; ++i) p[i] = mesh->vertices[mesh->tets[t].v[i]];
    const double six = six_volume(p), quality = shape_quality(p, six);
    q.volume_mm3 += six / 6;
    q.inverted += six <= 0;
    quality_sum += quality;
    if (six / 6 < q.min_volume_mm3) q.min_volume_mm3 = six / 6;
    if (quality < q.min_quality) q.min_quality = quality;
    widen_cotangents(p, six, &low, &high);
  }
  q.mean_quality = quality_sum / mesh->tet_count;
  if (low <= high) { /* the cotangent falls from 0 to pi */
    q.min_dihedral = atan2(1, high);
    q.max_dihedral = atan2(1, low);
  }
  return q;
}

/* The outside of a tetrahedral mesh. */
typedef struct work {
  const syn_tetmesh *mesh;
  uint32_t *same;           /* see syn_tet_same_faces */
  uint32_t *surface_vertex; /* of each vertex of the tet mesh, SYN_NONE inside */
  uint32_t *origin;         /* vertex of the tet mesh for each surface vertex */
  syn_builder builder;
} work;

/* Vertices are numbered as in the tet mesh, without those that no outer face uses. */
static syn_status number_vertices(work *w, syn_error *error) {
  const syn_tetmesh *mesh = w->mesh;
  memset(w->surface_vertex, 0xff, mesh->vertex_count * sizeof *w->surface_vertex);
  for (uint32_t face = 0; face < 4 * mesh->tet_count; ++face)
    if (w->same[face] == face)
      for (int i = 0; i < 3; ++i) w->surface_vertex[mesh->tets[face / 4].v[syn_tet_face[face % 4][i]]] = 0;
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) {
    if (w->surface_vertex[v] == SYN_NONE) continue;
    w->surface_vertex[v] = (uint32_t)w->builder.point_count;
    w->origin[w->builder.point_count] = v;
    SYN_TRY(syn_builder_point(&w->builder, mesh->vertices[v], error));
  }
  return SYN_OK;
}

static syn_status collect_faces(work *w, syn_error *error) {
  const syn_tetmesh *mesh = w->mesh;
  uint32_t shared = 0;
  SYN_TRY(syn_tet_same_faces(mesh, &w->same, error));
  SYN_TRY(SYN_NEW(mesh->context, &w->surface_vertex, mesh->vertex_count, error));
  SYN_TRY(SYN_NEW(mesh->context, &w->origin, mesh->vertex_count, error));
  SYN_TRY(number_vertices(w, error));
  for (uint32_t face = 0; face < 4 * mesh->tet_count; ++face) {
    const uint8_t *corner = syn_tet_face[face % 4];
    const uint32_t *v = mesh->tets[face / 4].v, *place = w->surface_vertex, other = w->same[face];
    shared += other > face && w->same[other] != face;
    if (other == face)
      SYN_TRY(syn_builder_triangle(&w->builder, place[v[corner[0]]], place[v[corner[1]]], place[v[corner[2]]], error));
  }
  if (shared)
    syn_warn(mesh->context, "%u faces belong to more than two tetrahedra and are not taken as surface", shared);
  return SYN_OK;
}

syn_status syn_tetmesh_surface(const syn_tetmesh *mesh, syn_trimesh **surface, uint32_t **vertex_of_surface,
                               syn_error *error) {
  work w = {.mesh = mesh, .builder = {.context = mesh->context}};
  *surface = NULL;
  if (vertex_of_surface) *vertex_of_surface = NULL;
  syn_status status = collect_faces(&w, error);
  if (status == SYN_OK) status = syn_builder_trimesh(&w.builder, surface, error);
  if (status == SYN_OK && vertex_of_surface) {
    *vertex_of_surface = w.origin;
    w.origin = NULL;
  }
  syn_builder_release(&w.builder);
  syn_free(mesh->context, w.same);
  syn_free(mesh->context, w.surface_vertex);
  syn_free(mesh->context, w.origin);
  return status;
}

/* Takes over both arrays, whatever the outcome. */
static syn_status adopt_tetmesh(const syn_context *context, syn_vec3 *vertices, size_t vertex_count, syn_tet *tets,
                                size_t tet_count, syn_tetmesh **mesh, syn_error *error) {
  *mesh = NULL;
  syn_tetmesh *made = NULL;
  syn_status status = syn_validate_points(vertices, vertex_count, error);
  if (status == SYN_OK)
    status = syn_validate_cells(tets ? tets->v : NULL, 4, tet_count, vertex_count, "tetrahedron", error);
  if (status == SYN_OK) status = SYN_NEW(context, &made, 1, error);
  if (status != SYN_OK) {
    syn_free(context, vertices);
    syn_free(context, tets);
    return status;
  }
  *made = (syn_tetmesh){.context = context,
                        .vertex_count = (uint32_t)vertex_count,
                        .tet_count = (uint32_t)tet_count,
                        .vertices = vertices,
                        .tets = tets};
  *mesh = made;
  return SYN_OK;
}

syn_status syn_tetmesh_create(const syn_context *context, const syn_vec3 *vertices, size_t vertex_count,
                              const syn_tet *tets, size_t tet_count, syn_tetmesh **mesh, syn_error *error) {
  *mesh = NULL;
  syn_vec3 *points = NULL;
  syn_tet *cells = NULL;
  SYN_TRY(SYN_NEW(context, &points, vertex_count, error));
  syn_status status = SYN_NEW(context, &cells, tet_count, error);
  if (status != SYN_OK) {
    syn_free(context, points);
    return status;
  }
  if (vertex_count) memcpy(points, vertices, vertex_count * sizeof *points);
  if (tet_count) memcpy(cells, tets, tet_count * sizeof *cells);
  return adopt_tetmesh(context, points, vertex_count, cells, tet_count, mesh, error);
}

syn_status syn_builder_tetmesh(syn_builder *b, syn_tetmesh **mesh, syn_error *error) {
  syn_vec3 *points = b->points;
  syn_tet *tets = b->tets;
  size_t point_count = b->point_count, tet_count = b->tet_count;
  b->points = NULL;
  b->tets = NULL;
  syn_builder_release(b);
  return adopt_tetmesh(b->context, points, point_count, tets, tet_count, mesh, error);
}

void syn_tetmesh_destroy(syn_tetmesh *mesh) {
  if (!mesh) return;
  syn_free_const(mesh->context, mesh->vertices);
  syn_free_const(mesh->context, mesh->tets);
  syn_free_const(mesh->context, mesh->cells);
  syn_free(mesh->context, mesh);
}

syn_geometry syn_tetmesh_geometry(const syn_tetmesh *mesh) {
  return (syn_geometry){.point_count = mesh->vertex_count,
                        .tet_count = mesh->tet_count,
                        .points = mesh->vertices,
                        .tets = mesh->tets,
                        .cell_count = mesh->cell_count,
                        .cells = mesh->cells};
}

/* One after the other, each with tetrahedra and corners of the mesh. */
static syn_status check_cells(const syn_cell *cells, size_t count, const syn_tetmesh *mesh, syn_error *error) {
  uint64_t free = 0;
  for (size_t i = 0; i < count; ++i) {
    const syn_cell *c = &cells[i];
    bool right = c->kind < SYN_CELL_KINDS && c->tet_count > 0 && c->first_tet >= free;
    free = (uint64_t)c->first_tet + c->tet_count;
    right = right && free <= mesh->tet_count;
    for (int k = 0; k < 8; ++k) right = right && c->v[k] < mesh->vertex_count;
    if (!right) return syn_fail(error, SYN_BAD_MESH, "cell %zu does not fit the tetrahedra and vertices", i);
  }
  return SYN_OK;
}

static syn_status take_cells(const syn_geometry *geometry, syn_tetmesh *mesh, syn_error *error) {
  syn_cell *cells;
  if (geometry->cell_count == 0) return SYN_OK;
  SYN_TRY(check_cells(geometry->cells, geometry->cell_count, mesh, error));
  SYN_TRY(SYN_NEW(mesh->context, &cells, geometry->cell_count, error));
  memcpy(cells, geometry->cells, geometry->cell_count * sizeof *cells);
  mesh->cells = cells;
  mesh->cell_count = (uint32_t)geometry->cell_count;
  return SYN_OK;
}

syn_status syn_tetmesh_from_geometry(const syn_context *context, const syn_geometry *geometry, syn_tetmesh **mesh,
                                     syn_error *error) {
  *mesh = NULL;
  if (geometry->tet_count == 0) return syn_fail(error, SYN_BAD_MESH, "there are no tetrahedra in it");
  SYN_TRY(syn_tetmesh_create(context, geometry->points, geometry->point_count, geometry->tets, geometry->tet_count,
                             mesh, error));
  const syn_status status = take_cells(geometry, *mesh, error);
  if (status != SYN_OK) {
    syn_tetmesh_destroy(*mesh);
    *mesh = NULL;
  }
  return status;
}
