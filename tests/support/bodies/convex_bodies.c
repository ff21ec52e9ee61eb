#include "convex_bodies.h"

/* ---- bodies ------------------------------------------------------------------------------------------------------
 */

syn_convex *convex_of_points(const syn_vec3 *points, size_t count) {
  syn_error error;
  syn_convex *convex;
  ASSERT_OK(syn_convex_create(NULL, points, count, &convex, &error));
  return convex;
}

syn_convex *convex_sphere(double radius, int level) {
  syn_error error;
  syn_joint *shape;
  const syn_shape_value values[] = {{"radius", radius}, {"level", level}};
  ASSERT_OK(syn_shape_create(NULL, "sphere", values, 2, &shape, &error));
  const syn_trimesh *mesh = shape->bodies[0].surface;
  syn_convex *convex = convex_of_points(mesh->vertices, mesh->vertex_count);
  assert_int_equal(convex->vertex_count, mesh->vertex_count);
  syn_joint_destroy(shape);
  return convex;
}

static syn_vec3 on_ellipsoid(test_random *random, syn_vec3 axes) {
  for (;;) {
    const syn_vec3 v = random_vec3(random, 1);
    const double length = sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
    if (length > 0.1 && length < 1)
      return (syn_vec3){axes.x * v.x / length, axes.y * v.y / length, axes.z * v.z / length};
  }
}

static uint32_t box_points(syn_vec3 half, syn_vec3 *points) {
  for (uint32_t i = 0; i < 8; ++i)
    points[i] = (syn_vec3){i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z};
  return 8;
}

static uint32_t prism_points(test_random *random, double size, syn_vec3 *points) {
  const uint32_t sides = 3 + random_below(random, 6);
  for (uint32_t i = 0; i < 2 * sides; ++i) {
    const double angle = 6.283185307179586 * (i / 2) / sides;
    points[i] = (syn_vec3){size * cos(angle), size * sin(angle), i & 1 ? size : -size};
  }
  return 2 * sides;
}

syn_convex *random_convex(const syn_context *context, test_random *random, int kind, double size) {
  syn_vec3 points[32];
  uint32_t count = 0;
  const double thin = pow(10, random_between(random, -9, -1));
  const syn_vec3 axes[3] = {
      {size, size * random_between(random, 0.2, 1), size}, {size, size, size * thin}, {size, size * thin, size * thin}};
  switch (kind) {
  case 0:
  case 1:
  case 2:
    for (count = 0; count < 12; ++count) points[count] = on_ellipsoid(random, axes[kind]);
    break;
  case 3: count = box_points((syn_vec3){size, size * random_between(random, 0.1, 1), size * 0.5}, points); break;
  case 4: count = prism_points(random, size, points); break;
  case 5:
  case 6:
  case 7:
    for (count = 0; count < (uint32_t)(8 - kind); ++count) points[count] = random_vec3(random, size);
    break;
  default:
    for (count = 0; count < 16; ++count)
      points[count] =
          (syn_vec3){size * random_below(random, 3), size * random_below(random, 3), size * random_below(random, 3)};
  }
  syn_error error;
  syn_convex *convex;
  ASSERT_OK(syn_convex_create(context, points, count, &convex, &error));
  return convex;
}

double highest(const syn_convex *convex, syn_vec3 d) {
  double most = -INFINITY;
  for (uint32_t i = 0; i < convex->vertex_count; ++i)
    most = fmax(most, convex->vertices[i].x * d.x + convex->vertices[i].y * d.y + convex->vertices[i].z * d.z);
  return most;
}

/* ---- vectors of more digits --------------------------------------------------------------------------------------
 */

typedef long double real;
typedef struct vec {
  real x, y, z;
} vec;

static vec sub(vec a, vec b) { return (vec){a.x - b.x, a.y - b.y, a.z - b.z}; }
static vec along(vec a, real s, vec d) { return (vec){a.x + s * d.x, a.y + s * d.y, a.z + s * d.z}; }
static real dot(vec a, vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static vec cross(vec a, vec b) { return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
static real clamp(real t) { return t < 0 ? 0 : t > 1 ? 1 : t; }

typedef struct model {
  const syn_convex *convex;
  vec *points;
  uint32_t edge_count;
  uint32_t (*edges)[2];
} model;

/* The vertices in place, and each edge once. */
static model make_model(const syn_convex *convex, const syn_pose *pose) {
  model m = {.convex = convex};
  m.points = malloc(convex->vertex_count * sizeof *m.points);
  m.edges = malloc((convex->neighbour_start[convex->vertex_count] + 1) * sizeof *m.edges);
  assert_non_null(m.points);
  assert_non_null(m.edges);
  for (uint32_t i = 0; i < convex->vertex_count; ++i) {
    const syn_vec3 p = convex->vertices[i];
    m.points[i] = (vec){p.x, p.y, p.z};
    if (pose) {
      const syn_vec3 *r = pose->rotation.row;
      const vec q = m.points[i];
      m.points[i] = (vec){r[0].x * q.x + r[0].y * q.y + r[0].z * q.z + pose->translation.x,
                          r[1].x * q.x + r[1].y * q.y + r[1].z * q.z + pose->translation.y,
                          r[2].x * q.x + r[2].y * q.y + r[2].z * q.z + pose->translation.z};
    }
    for (uint32_t k = convex->neighbour_start[i]; k < convex->neighbour_start[i + 1]; ++k)
      if (convex->neighbours[k] > i) {
        m.edges[m.edge_count][0] = i;
        m.edges[m.edge_count++][1] = convex->neighbours[k];
      }
  }
  return m;
}

static void free_model(model *m) {
  free(m->points);
  free(m->edges);
}

/* ---- distance ----------------------------------------------------------------------------------------------------
 */

static real point_segment2(vec p, vec a, vec b) {
  const vec ab = sub(b, a);
  const real length2 = dot(ab, ab);
  const vec d = sub(p, along(a, length2 > 0 ? clamp(dot(sub(p, a), ab) / length2) : 0, ab));
  return dot(d, d);
}

/* Only where the foot lies inside the facet; its edges are measured on their own. */
static real point_facet2(vec p, const vec v[3]) {
  const vec n = cross(sub(v[1], v[0]), sub(v[2], v[0]));
  if (!(dot(n, n) > 0)) return INFINITY;
  for (int c = 0; c < 3; ++c)
    if (dot(cross(sub(v[(c + 1) % 3], v[c]), sub(p, v[c])), n) < 0) return INFINITY;
  const real h = dot(sub(p, v[0]), n);
  return h * h / dot(n, n);
}

/* Only where the common normal meets both inside. */
static real edge_edge2(vec a, vec b, vec c, vec d) {
  const vec u = sub(b, a), v = sub(d, c), r = sub(c, a), n = cross(u, v);
  const real area2 = dot(n, n), s = dot(cross(r, v), n), t = dot(cross(r, u), n);
  if (!(area2 > 0) || s < 0 || s > area2 || t < 0 || t > area2) return INFINITY;
  const real h = dot(r, n);
  return h * h / area2;
}

static real vertices_against(const model *a, const model *b) {
  real best = INFINITY;
  for (uint32_t i = 0; i < a->convex->vertex_count; ++i) {
    const vec p = a->points[i];
    for (uint32_t j = 0; j < b->convex->vertex_count; ++j)
      best = fminl(best, point_segment2(p, b->points[j], b->points[j]));
    for (uint32_t j = 0; j < b->edge_count; ++j)
      best = fminl(best, point_segment2(p, b->points[b->edges[j][0]], b->points[b->edges[j][1]]));
    for (uint32_t j = 0; j < b->convex->triangle_count; ++j) {
      const uint32_t *v = b->convex->triangles[j].v;
      const vec facet[3] = {b->points[v[0]], b->points[v[1]], b->points[v[2]]};
      best = fminl(best, point_facet2(p, facet));
    }
  }
  return best;
}

/* ---- depth -------------------------------------------------------------------------------------------------------
 */

/* How far b must move along n until the bodies are parted. */
static real overlap_along(const model *a, const model *b, vec n) {
  const real length = sqrtl(dot(n, n));
  if (!(length > 0)) return INFINITY;
  real far = -INFINITY, near = INFINITY;
  for (uint32_t i = 0; i < a->convex->vertex_count; ++i) far = fmaxl(far, dot(a->points[i], n));
  for (uint32_t i = 0; i < b->convex->vertex_count; ++i) near = fminl(near, dot(b->points[i], n));
  return (far - near) / length;
}

static real least_of(real best, const model *a, const model *b, vec n) {
  const vec back = {-n.x, -n.y, -n.z};
  return fminl(best, fminl(overlap_along(a, b, n), overlap_along(a, b, back)));
}

static real over_faces(real best, const model *of, const model *a, const model *b) {
  for (uint32_t i = 0; i < of->convex->triangle_count; ++i) {
    const uint32_t *v = of->convex->triangles[i].v;
    best =
        least_of(best, a, b, cross(sub(of->points[v[1]], of->points[v[0]]), sub(of->points[v[2]], of->points[v[0]])));
  }
  return best;
}

slow_answer slow_pair(const syn_convex *convex_a, const syn_convex *convex_b, const syn_pose *pose) {
  model a = make_model(convex_a, NULL), b = make_model(convex_b, pose);
  real distance2 = fminl(vertices_against(&a, &b), vertices_against(&b, &a));
  real depth = over_faces(over_faces(INFINITY, &a, &a, &b), &b, &a, &b);
  for (uint32_t i = 0; i < a.edge_count; ++i)
    for (uint32_t j = 0; j < b.edge_count; ++j) {
      const vec p = a.points[a.edges[i][0]], q = a.points[a.edges[i][1]];
      const vec r = b.points[b.edges[j][0]], s = b.points[b.edges[j][1]];
      distance2 = fminl(distance2, edge_edge2(p, q, r, s));
      depth = least_of(depth, &a, &b, cross(sub(q, p), sub(s, r)));
    }
  free_model(&a);
  free_model(&b);
  /* Surfaces that cross are not near by their vertices and edges, but no axis parts them. The axes suffice if the
   * difference of the bodies has volume. */
  const double size = convex_a->radius + convex_b->radius;
  const bool overlap = convex_a->dimension + convex_b->dimension >= 3 && depth > 1e-13 * size;
  return (slow_answer){overlap ? 0 : (double)sqrtl(distance2), (double)depth};
}
