/* White noise on a grid of nodes, interpolated by cubic B-splines: a sum of such splines is close to a Gaussian, and a
 * spline convolved with itself closer still, with a variance of 2/3 of the squared spacing. So nodes lie sqrt(3)/2 of
 * the kernel apart. */
#include "motion/rom/noise_field.h"

#include "base/vec.h"

static const double kernels_per_node = 0.8660254037844386;

/* Steele et al. 2014, SplitMix64. */
static uint64_t mixed(uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

/* A node's value has variance 1 and depends on its place and the seed alone. It is uniform; a point's is a sum of 64
 * and nearly normal. */
static double node_value(uint64_t row, int64_t x) {
  const double root_of_12 = 3.4641016151377544, one = 9007199254740992.0; /* 2^53 */
  return root_of_12 * (((double)(mixed(row ^ (uint64_t)x) >> 11) + 0.5) / one - 0.5);
}

syn_status syn_noise_field_make(syn_arena *arena, uint64_t seed, double kernel_mm, const syn_box *box,
                                syn_noise_field *field, syn_error *error) {
  const double most_nodes = 2e7; /* 160 MB */
  double *values, count = 1;
  field->spacing = kernels_per_node * kernel_mm;
  for (int k = 0; k < 3; ++k) {
    const double first = floor(vec3_at(box->min, k) / field->spacing) - 1;
    const double nodes = floor(vec3_at(box->max, k) / field->spacing) + 3 - first;
    count *= nodes;
    if (!(count < most_nodes) || !(fabs(first) < 1e15))
      return syn_fail(error, SYN_TOO_LARGE, "the surface is too large for noise with a kernel of %g mm", kernel_mm);
    field->corner[k] = (int64_t)first;
    field->size[k] = (size_t)nodes;
  }
  SYN_TRY(SYN_TAKE(arena, &values, (size_t)count, error));
  field->values = values;
  for (size_t z = 0; z < field->size[2]; ++z)
    for (size_t y = 0; y < field->size[1]; ++y) {
      const uint64_t plane = mixed(mixed(seed) ^ (uint64_t)(field->corner[2] + (int64_t)z));
      const uint64_t row = mixed(plane ^ (uint64_t)(field->corner[1] + (int64_t)y));
      for (size_t x = 0; x < field->size[0]; ++x) *values++ = node_value(row, field->corner[0] + (int64_t)x);
    }
  return SYN_OK;
}

/* The four weights at this part of the way between two nodes, with squares that add up to 1. */
static void spline_weights(double t, double w[4]) {
  const double u = 1 - t;
  w[0] = u * u * u;
  w[1] = 3 * t * t * t - 6 * t * t + 4;
  w[2] = 3 * u * u * u - 6 * u * u + 4;
  w[3] = t * t * t;
  const double norm = 1 / sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2] + w[3] * w[3]);
  for (int i = 0; i < 4; ++i) w[i] *= norm;
}

double syn_noise_field_at(const syn_noise_field *field, syn_vec3 point) {
  double w[3][4], sum = 0;
  size_t at[3];
  for (int k = 0; k < 3; ++k) {
    const double place = vec3_at(point, k) / field->spacing, node = floor(place);
    spline_weights(place - node, w[k]);
    at[k] = (size_t)((int64_t)node - 1 - field->corner[k]);
  }
  for (int z = 0; z < 4; ++z)
    for (int y = 0; y < 4; ++y) {
      const double *row =
          field->values + ((at[2] + (size_t)z) * field->size[1] + at[1] + (size_t)y) * field->size[0] + at[0];
      sum += w[2][z] * w[1][y] * (w[0][0] * row[0] + w[0][1] * row[1] + w[0][2] * row[2] + w[0][3] * row[3]);
    }
  return sum;
}
