/* Consistent loads of faces: the integrals of the shape functions over the faces of elements at rest, exact where faces
 * are flat. A third of a linear triangle goes to each corner; of a quadratic one nothing to the corners and a third to
 * the middle of each edge. */
#include <math.h>

#include "base/vec.h"
#include "tissue/fem/fem.h"

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
  const syn_status status = syn_fem_find_outer(fem, &work, &outer, error);
  for (uint32_t i = 0; !status && i < each * fem->element_count; ++i) {
    const uint8_t *face = fem->element->faces[i % each];
    if (outer[i] && is_face_chosen(fem, i / each, face, chosen)) add_face(soft, fem, i / each, face, areas, facing);
  }
  syn_arena_release(&work);
  return status;
}
