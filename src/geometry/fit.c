#include "geometry/fit.h"

#include "base/vec.h"
#include "geometry/small_matrix.h"

syn_vec3 syn_fit_plane(const syn_vec3 *points, const double *weights, size_t count, syn_vec3 *center) {
  double total = 0, moments[4][4] = {0}, values[4], vectors[4][4];
  *center = vec3(0, 0, 0);
  for (size_t i = 0; i < count; ++i) {
    *center = vec3_madd(*center, weights[i], points[i]);
    total += weights[i];
  }
  *center = vec3_scale(*center, 1 / total);
  for (size_t i = 0; i < count; ++i) {
    const syn_vec3 p = vec3_sub(points[i], *center);
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) moments[r][c] += weights[i] * vec3_at(p, r) * vec3_at(p, c);
  }
  syn_symmetric_eigen(moments, 3, values, vectors);
  return vec3(vectors[0][0], vectors[0][1], vectors[0][2]);
}

/* |p|^2 = 2 c.p + k is linear in c and k; about the mean of the points, k drops out of the equations for c. */
sphere_spread syn_fit_sphere(const syn_vec3 *points, uint32_t n, syn_vec3 near) {
  syn_vec3 mean = {0, 0, 0}, right = {0, 0, 0};
  double mean2 = 0;
  syn_mat3 m = {0};
  for (uint32_t i = 0; i < n; ++i) mean = vec3_madd(mean, 1.0 / n, vec3_sub(points[i], near));
  mean = vec3_add(mean, near);
  for (uint32_t i = 0; i < n; ++i) mean2 += vec3_length2(vec3_sub(points[i], mean)) / n;
  for (uint32_t i = 0; i < n; ++i) {
    const syn_vec3 p = vec3_sub(points[i], mean);
    m.row[0] = vec3_madd(m.row[0], 2 * p.x, p);
    m.row[1] = vec3_madd(m.row[1], 2 * p.y, p);
    m.row[2] = vec3_madd(m.row[2], 2 * p.z, p);
    right = vec3_madd(right, vec3_length2(p) - mean2, p);
  }
  /* Cramer's rule; a flat surface has no sphere, its mean is as good as any centre */
  const double determinant = mat3_determinant(&m);
  syn_vec3 offset = {vec3_dot(right, vec3_cross(m.row[1], m.row[2])), vec3_dot(right, vec3_cross(m.row[2], m.row[0])),
                     vec3_dot(right, vec3_cross(m.row[0], m.row[1]))};
  offset = vec3_scale(offset, 1 / determinant);
  sphere_spread fit = {.center = vec3_finite(offset) ? vec3_add(mean, offset) : mean};
  double sum = 0, sum2 = 0;
  for (uint32_t i = 0; i < n; ++i) {
    const double r = vec3_distance(points[i], fit.center);
    sum += r / n;
    sum2 += r * r / n;
  }
  fit.spread = sum > 0 ? sqrt(max2(sum2 - sum * sum, 0)) / sum : (double)INFINITY;
  return fit;
}

/* The means are taken out first, so that a small cap keeps its digits. */
bool syn_sphere_improve(const syn_vec3 *points, const double *weights, const uint32_t *numbers, uint32_t count,
                        syn_vec3 *center, double *radius) {
  /* Weighted means of the distances and of the directions from the centre. */
  double weight = 0, distance = 0;
  syn_vec3 mean = {0}, right = {0}, m[3] = {{0}};
  for (uint32_t i = 0; i < count; ++i) {
    const syn_vec3 off = vec3_sub(points[numbers[i]], *center);
    const double w = weights[numbers[i]];
    weight += w;
    distance += w * vec3_length(off);
    mean = vec3_madd(mean, w, vec3_unit(off));
  }
  /* Normal equations of the step of the centre, with the radius eliminated. */
  distance /= weight;
  mean = vec3_scale(mean, 1 / weight);
  for (uint32_t i = 0; i < count; ++i) {
    const syn_vec3 off = vec3_sub(points[numbers[i]], *center);
    const syn_vec3 u = vec3_sub(vec3_unit(off), mean);
    const double w = weights[numbers[i]] / weight;
    right = vec3_madd(right, w * (vec3_length(off) - distance), u);
    m[0] = vec3_madd(m[0], w * u.x, u);
    m[1] = vec3_madd(m[1], w * u.y, u);
    m[2] = vec3_madd(m[2], w * u.z, u);
  }
  /* Solve them by Cramer's rule. */
  const double determinant = vec3_dot(m[0], vec3_cross(m[1], m[2]));
  if (!(determinant > 1e-9)) return false;
  const syn_vec3 step = vec3(vec3_dot(right, vec3_cross(m[1], m[2])), vec3_dot(right, vec3_cross(m[2], m[0])),
                             vec3_dot(right, vec3_cross(m[0], m[1])));
  *center = vec3_madd(*center, 1 / determinant, step);
  *radius = distance - vec3_dot(mean, step) / determinant;
  return *radius > 0;
}
