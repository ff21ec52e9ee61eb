/* Label maps of closed meshes: a voxel belongs to the mesh that its centre is in. */
#ifndef TEST_VOXELISE_H
#define TEST_VOXELISE_H

#include "support.h"
#include <synovia/image.h>

/* How the grid lies: voxel sizes along its axes, and the pose of the axes. */
typedef struct test_grid {
  double voxel_mm[3];
  syn_pose pose;
  uint32_t margin; /* voxels around all meshes */
} test_grid;
test_grid random_grid(test_random *random, double voxel_mm);

/* Label i + 1, with the name names[i] (NULL: none), has the voxels in meshes[i]; of meshes that overlap the later one
 * has them. */
syn_image *voxelise(const syn_trimesh *const *meshes, const char *const *names, size_t count, const test_grid *grid);

/* Distances, in mm, from points all over `mesh` to `other`, weighed by area: root of the mean square, 99th percentile
 * and greatest. */
typedef struct test_distances {
  double rms, p99, greatest;
} test_distances;
test_distances distances_between(const syn_trimesh *mesh, const syn_trimesh *other);

#endif
