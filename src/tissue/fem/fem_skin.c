/* Finds the faces that belong to one element only, as triangles. Quadratic faces become four triangles, so that the
 * skin is curved; faces of hexahedra become two. */
#include <math.h>
#include <string.h>

#include "base/vec.h"
#include "tissue/fem/fem.h"

typedef struct skin_face {
  uint32_t key[4]; /* corners, ascending; SYN_NONE last in a triangle */
  uint32_t next;   /* another face with the same first corner; SYN_NONE: none */
} skin_face;

static skin_face make_face(const fem_state *fem, uint32_t element, int number) {
  const uint32_t *nodes = fem_nodes_of(fem, element);
  skin_face made = {{SYN_NONE, SYN_NONE, SYN_NONE, SYN_NONE}, SYN_NONE};
  for (int i = 0; i < fem->element->face_corners; ++i) {
    const uint32_t node = nodes[fem->element->faces[number][i]];
    int at = i;
    for (; at > 0 && made.key[at - 1] > node; --at) made.key[at] = made.key[at - 1];
    made.key[at] = node;
  }
  return made;
}

/* Faces are in lists by their first corner, so that each is compared with a few dozen others at most. */
static void mark_outer(const fem_state *fem, skin_face *faces, uint32_t *first, bool *outer) {
  const uint32_t each = (uint32_t)fem->element->face_count, count = each * fem->element_count;
  for (uint32_t i = 0; i < fem->node_count; ++i) first[i] = SYN_NONE;
  for (uint32_t i = 0; i < count; ++i) {
    faces[i] = make_face(fem, i / each, (int)(i % each));
    outer[i] = true;
    uint32_t *chain = &first[faces[i].key[0]];
    for (uint32_t k = *chain; k != SYN_NONE; k = faces[k].next)
      if (memcmp(faces[k].key, faces[i].key, sizeof faces[i].key) == 0) outer[i] = outer[k] = false;
    faces[i].next = *chain;
    *chain = i;
  }
}

/* outer[i]: face i, of element i / faces per element, is the only one with its corners. In the arena. */
static syn_status fem_find_outer(const fem_state *fem, syn_arena *work, bool **outer, syn_error *error) {
  const size_t count = (size_t)fem->element->face_count * fem->element_count;
  skin_face *faces;
  uint32_t *first;
  if (count >= SYN_NONE) return syn_fail(error, SYN_TOO_LARGE, "%u elements are too many", fem->element_count);
  SYN_TRY(SYN_TAKE(work, &faces, count, error));
  SYN_TRY(SYN_TAKE(work, outer, count, error));
  SYN_TRY(SYN_TAKE(work, &first, fem->node_count, error));
  mark_outer(fem, faces, first, *outer);
  return SYN_OK;
}

/* Makes triangles of skin vertices, which are numbered in the order of their first use; nodes[i] is the node of
 * vertex i. */
static size_t fill_triangles(const fem_state *fem, const bool *outer, uint32_t *vertex_of, uint32_t *nodes,
                             syn_triangle *triangles, size_t *vertex_count) {
  const fem_element *kind = fem->element;
  const uint32_t each = (uint32_t)kind->face_count;
  size_t count = 0;
  *vertex_count = 0;
  for (uint32_t i = 0; i < fem->node_count; ++i) vertex_of[i] = SYN_NONE;
  for (uint32_t i = 0; i < each * fem->element_count; ++i)
    for (int t = 0; outer[i] && t < kind->face_triangles; ++t, ++count)
      for (int c = 0; c < 3; ++c) {
        const uint32_t node = fem_nodes_of(fem, i / each)[kind->faces[i % each][kind->triangles[t][c]]];
        if (vertex_of[node] == SYN_NONE) {
          vertex_of[node] = (uint32_t)*vertex_count;
          nodes[(*vertex_count)++] = node;
        }
        triangles[count].v[c] = vertex_of[node];
      }
  return count;
}

static syn_status make_skin(syn_soft *soft, const fem_state *fem, syn_arena *work, syn_error *error) {
  const size_t face_count = (size_t)fem->element->face_count * fem->element_count;
  uint32_t *vertex_of, *nodes;
  syn_triangle *triangles;
  syn_vec3 *points;
  bool *outer;
  size_t outer_count = 0, vertex_count;
  SYN_TRY(fem_find_outer(fem, work, &outer, error));
  SYN_TRY(SYN_TAKE(work, &vertex_of, fem->node_count, error));
  SYN_TRY(SYN_TAKE(work, &nodes, fem->node_count, error));
  SYN_TRY(SYN_TAKE(work, &points, fem->node_count, error));
  for (size_t i = 0; i < face_count; ++i) outer_count += outer[i];
  SYN_TRY(SYN_TAKE(work, &triangles, outer_count * (size_t)fem->element->face_triangles, error));
  const size_t count = fill_triangles(fem, outer, vertex_of, nodes, triangles, &vertex_count);
  for (size_t i = 0; i < vertex_count; ++i) points[i] = soft->rest[nodes[i]];
  syn_trimesh *skin;
  SYN_TRY(syn_trimesh_create(soft->context, points, vertex_count, triangles, count, &skin, error));
  return syn_soft_skin_of_nodes(soft, skin, nodes, error);
}

syn_status syn_fem_make_skin(syn_soft *soft, const fem_state *fem, syn_error *error) {
  syn_arena work = {.context = soft->context};
  const syn_status status = make_skin(soft, fem, &work, error);
  syn_arena_release(&work);
  return status;
}

/* ==== loads of faces ============================================================================================== */

/* Consistent loads of faces: the integrals of the shape functions over the faces of elements at rest, exact where faces
 * are flat. A third of a linear triangle goes to each corner; of a quadratic one nothing to the corners and a third to
 * the middle of each edge. */

/* A point of a face in the first two coordinates of a triangle, 0 to 1, or of a square, 0 to 1. */
typedef struct face_point {
  double u, v, weight;
} face_point;

/* Radon's seven points: exact up to degree 5, whose weights add up to a half. */
static const face_point triangle_points[] = {{1.0 / 3, 1.0 / 3, 0.1125},
                                             {0.10128650732345633, 0.10128650732345633, 0.06296959027241357},
                                             {0.79742698535308731, 0.10128650732345633, 0.06296959027241357},
                                             {0.10128650732345633, 0.79742698535308731, 0.06296959027241357},
                                             {0.47014206410511511, 0.47014206410511511, 0.06619707639425310},
                                             {0.05971587178976982, 0.47014206410511511, 0.06619707639425310},
                                             {0.47014206410511511, 0.05971587178976982, 0.06619707639425310}};
/* Gauss: exact up to degree 3 in each direction. */
static const face_point square_points[] = {{0.21132486540518712, 0.21132486540518712, 0.25},
                                           {0.78867513459481288, 0.21132486540518712, 0.25},
                                           {0.21132486540518712, 0.78867513459481288, 0.25},
                                           {0.78867513459481288, 0.78867513459481288, 0.25}};

/* Local coordinates of a point of a face, and how they change with u and v. */
static void locate_on_face(const fem_element *kind, const uint8_t *face, const face_point *p, double at[3],
                           double along_u[3], double along_v[3]) {
  const double *a = kind->corners[face[0]], *b = kind->corners[face[1]],
               *last = kind->corners[face[kind->face_corners - 1]];
  for (int k = 0; k < 3; ++k) { /* faces of hexahedra are squares in local coordinates */
    along_u[k] = b[k] - a[k];
    along_v[k] = last[k] - a[k];
    at[k] = a[k] + p->u * along_u[k] + p->v * along_v[k];
  }
}

static syn_vec3 tangent_of(const fem_element *kind, const uint32_t *nodes, const syn_vec3 *rest,
                           const double (*slopes)[3], const double along[3]) {
  syn_vec3 sum = {0, 0, 0};
  for (int n = 0; n < kind->node_count; ++n)
    sum = vec3_madd(sum, slopes[n][0] * along[0] + slopes[n][1] * along[1] + slopes[n][2] * along[2], rest[nodes[n]]);
  return sum;
}

static void add_face(const syn_soft *soft, const fem_state *fem, uint32_t element, const uint8_t *face, double *areas,
                     syn_vec3 *facing) {
  const fem_element *kind = fem->element;
  const uint32_t *nodes = fem_nodes_of(fem, element);
  const bool square = kind->face_corners == 4;
  const face_point *points = square ? square_points : triangle_points;
  const int count = square ? (int)(sizeof square_points / sizeof *square_points)
                           : (int)(sizeof triangle_points / sizeof *triangle_points);
  for (int p = 0; p < count; ++p) {
    double at[3], along_u[3], along_v[3], values[FEM_NODES], slopes[FEM_NODES][3];
    locate_on_face(kind, face, &points[p], at, along_u, along_v);
    kind->shape(at, values, slopes);
    const double(*const changes)[3] = (const double(*)[3])slopes;
    const syn_vec3 area = vec3_scale(vec3_cross(tangent_of(kind, nodes, soft->rest, changes, along_u),
                                                tangent_of(kind, nodes, soft->rest, changes, along_v)),
                                     points[p].weight);
    for (int n = 0; n < kind->face_nodes; ++n) {
      const uint32_t node = nodes[face[n]];
      areas[node] += values[face[n]] * vec3_length(area);
      facing[node] = vec3_madd(facing[node], values[face[n]], area);
    }
  }
}

static bool is_face_chosen(const fem_state *fem, uint32_t element, const uint8_t *face, const bool *chosen) {
  for (int n = 0; n < fem->element->face_nodes; ++n)
    if (!chosen[fem_nodes_of(fem, element)[face[n]]]) return false;
  return true;
}

syn_status syn_fem_face_shares(const syn_soft *soft, const bool *chosen, double *areas, syn_vec3 *facing,
                               syn_error *error) {
  const fem_state *fem = soft->state;
  const uint32_t each = (uint32_t)fem->element->face_count;
  syn_arena work = {.context = soft->context};
  bool *outer;
  const syn_status status = fem_find_outer(fem, &work, &outer, error);
  for (uint32_t i = 0; !status && i < each * fem->element_count; ++i) {
    const uint8_t *face = fem->element->faces[i % each];
    if (outer[i] && is_face_chosen(fem, i / each, face, chosen)) add_face(soft, fem, i / each, face, areas, facing);
  }
  syn_arena_release(&work);
  return status;
}
