/* The true resolution of a label map, from its stairs. */
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include <synovia/image.h>

/* Counts, per plane between two slices along an axis, the pairs of voxels that differ across it. */
static void count_steps(const syn_image *image, uint64_t *const steps[3]) {
  const size_t nx = image->size[0], ny = image->size[1], nz = image->size[2];
  for (size_t layer = 0; layer < image->layer_count; ++layer)
    for (size_t z = 0; z < nz; ++z)
      for (size_t y = 0; y < ny; ++y) {
        const uint16_t *line = image->voxels + nx * (y + ny * (z + nz * layer));
        for (size_t x = 0; x + 1 < nx; ++x) steps[0][x] += line[x] != line[x + 1];
        for (size_t x = 0; y + 1 < ny && x < nx; ++x) steps[1][y] += line[x] != line[x + nx];
        for (size_t x = 0; z + 1 < nz && x < nx; ++x) steps[2][z] += line[x] != line[x + nx * ny];
      }
}

/* The mean distance between planes with steps, in voxels. Each plane is compared with the fullest one near it. Bones
 * have steps in every plane; where most planes have none for another reason (a box, a few slices) 1 is returned. */
static double spacing_of_steps(const uint64_t *steps, size_t count) {
  enum { NEAR = 3, MIN_GAPS = 10, LONGEST = 8, EMPTY = 32 };
  size_t last = SIZE_MAX, gaps = 0, sum = 0, odd = 0, first_gap = 0;
  for (size_t i = 0; i < count; ++i) {
    uint64_t most = 0;
    for (size_t j = i < NEAR ? 0 : i - NEAR; j < count && j <= i + NEAR; ++j) most = steps[j] > most ? steps[j] : most;
    if (steps[i] == 0 || EMPTY * steps[i] < most) continue;
    if (last != SIZE_MAX && i - last <= LONGEST) {
      ++gaps, sum += i - last;
      if (first_gap == 0) first_gap = i - last;
      odd += i - last > first_gap + 1 || i - last + 1 < first_gap;
    }
    last = i;
  }
  if (gaps < MIN_GAPS || 10 * odd > gaps) return 1;
  const double mean = (double)sum / (double)gaps;
  return mean < 1.15 ? 1 : mean;
}

syn_status syn_image_resolution_find(const syn_image *image, double voxel_mm[3], syn_error *error) {
  syn_arena arena = {.context = image->context};
  uint64_t *steps[3];
  syn_status status = SYN_OK;
  for (int a = 0; a < 3; ++a) voxel_mm[a] = vec3_length(image->step[a]);
  if (!image->voxels) return SYN_OK;
  for (int a = 0; a < 3 && status == SYN_OK; ++a) {
    status = SYN_TAKE(&arena, &steps[a], image->size[a], error);
    if (status == SYN_OK) memset(steps[a], 0, image->size[a] * sizeof *steps[a]);
  }
  if (status == SYN_OK) {
    count_steps(image, steps);
    for (int a = 0; a < 3; ++a) voxel_mm[a] *= spacing_of_steps(steps[a], image->size[a] - 1);
  }
  syn_arena_release(&arena);
  return status;
}
