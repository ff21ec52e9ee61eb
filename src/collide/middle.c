#include "collide/middle.h"

#include "base/vec.h"

enum { SAMPLES = 63 };

static double median(double *values, uint32_t count) {
  for (uint32_t i = 1; i < count; ++i)
    for (uint32_t j = i; j > 0 && values[j] < values[j - 1]; --j) {
      const double swap = values[j];
      values[j] = values[j - 1];
      values[j - 1] = swap;
    }
  return values[count / 2];
}

static double largest_coordinate(syn_vec3 v) { return max2(fabs(v.x), max2(fabs(v.y), fabs(v.z))); }

syn_middle syn_find_middle(const syn_vec3 *points, size_t count) {
  const double far_too_large = 1000; /* floats still resolve points a thousand times as far away as the majority */
  syn_box box = box_empty();
  double values[SAMPLES];
  if (count == 0) return (syn_middle){{0, 0, 0}, false};
  for (size_t i = 0; i < count; ++i) box_add(&box, points[i]);
  const syn_vec3 middle = vec3_lerp(box.min, box.max, 0.5);
  const uint32_t samples = count < SAMPLES ? (uint32_t)count : SAMPLES;
  double most[3];
  for (int k = 0; k < 3; ++k) {
    for (uint32_t i = 0; i < samples; ++i) values[i] = vec3_at(points[i * count / samples], k);
    most[k] = median(values, samples);
  }
  const syn_vec3 among_most = vec3(most[0], most[1], most[2]);
  for (uint32_t i = 0; i < samples; ++i)
    values[i] = largest_coordinate(vec3_sub(points[i * count / samples], among_most));
  const bool stray = largest_coordinate(vec3_sub(box.max, middle)) > far_too_large * median(values, samples);
  return (syn_middle){stray ? among_most : middle, stray};
}
