#include "voxelise.h"

#include "base/vec.h"

test_grid random_grid(test_random *random, double voxel_mm) {
  return (test_grid){{voxel_mm, voxel_mm, voxel_mm}, random_pose(random, 5), 5};
}

/* In voxel coordinates of the grid, before it is moved to start at 0. */
static syn_vec3 grid_point(const test_grid *grid, syn_vec3 p) {
  const syn_pose back = syn_pose_inverse(&grid->pose);
  p = syn_pose_point(&back, p);
  return vec3(p.x / grid->voxel_mm[0], p.y / grid->voxel_mm[1], p.z / grid->voxel_mm[2]);
}

/* Is (y, z) left of the line from a to b? The same answer for both triangles of an edge, also on the line. */
static bool is_left(syn_vec3 a, syn_vec3 b, double y, double z) {
  const bool swap = a.y > b.y || (a.y == b.y && a.z > b.z);
  const syn_vec3 from = swap ? b : a, to = swap ? a : b;
  const bool left = (to.y - from.y) * (z - from.z) - (to.z - from.z) * (y - from.y) >= 0;
  return left != swap;
}

/* Toggles the first voxel behind the crossing of every column with a triangle. */
static void toggle_columns(uint8_t *toggles, const uint32_t size[3], const syn_vec3 p[3]) {
  const syn_vec3 n = vec3_cross(vec3_sub(p[1], p[0]), vec3_sub(p[2], p[0]));
  const syn_vec3 low = vec3_min(p[0], vec3_min(p[1], p[2])), high = vec3_max(p[0], vec3_max(p[1], p[2]));
  for (int64_t z = (int64_t)ceil(low.z); z <= (int64_t)floor(high.z); ++z)
    for (int64_t y = (int64_t)ceil(low.y); y <= (int64_t)floor(high.y); ++y) {
      const bool a = is_left(p[0], p[1], (double)y, (double)z), b = is_left(p[1], p[2], (double)y, (double)z),
                 c = is_left(p[2], p[0], (double)y, (double)z);
      if (a != b || b != c) continue;
      const double x = p[0].x - (n.y * ((double)y - p[0].y) + n.z * ((double)z - p[0].z)) / n.x;
      const size_t first = (size_t)fmax(0, ceil(x));
      if (first < size[0]) toggles[((size_t)z * size[1] + (size_t)y) * size[0] + first] ^= 1;
    }
}

static void paint(const syn_trimesh *mesh, const test_grid *grid, syn_vec3 start, const uint32_t size[3],
                  uint16_t value, uint8_t *toggles, uint16_t *voxels) {
  const size_t count = (size_t)size[0] * size[1] * size[2];
  memset(toggles, 0, count);
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    syn_vec3 p[3];
    for (int c = 0; c < 3; ++c) p[c] = vec3_sub(grid_point(grid, mesh->vertices[mesh->triangles[t].v[c]]), start);
    toggle_columns(toggles, size, p);
  }
  for (size_t line = 0; line < count; line += size[0]) {
    uint8_t inside = 0;
    for (size_t x = 0; x < size[0]; ++x) {
      inside ^= toggles[line + x];
      if (inside) voxels[line + x] = value;
    }
  }
}

syn_image *voxelise(const syn_trimesh *const *meshes, const char *const *names, size_t count, const test_grid *grid) {
  syn_box box = box_empty();
  for (size_t i = 0; i < count; ++i)
    for (uint32_t v = 0; v < meshes[i]->vertex_count; ++v) box_add(&box, grid_point(grid, meshes[i]->vertices[v]));
  const double margin = grid->margin;
  const syn_vec3 start = {floor(box.min.x) - margin, floor(box.min.y) - margin, floor(box.min.z) - margin};
  const uint32_t size[3] = {(uint32_t)(ceil(box.max.x) + margin - start.x) + 1,
                            (uint32_t)(ceil(box.max.y) + margin - start.y) + 1,
                            (uint32_t)(ceil(box.max.z) + margin - start.z) + 1};
  const size_t voxel_count = (size_t)size[0] * size[1] * size[2];
  uint16_t *voxels = calloc(voxel_count, sizeof *voxels);
  uint8_t *toggles = malloc(voxel_count);
  syn_label *labels = calloc(count, sizeof *labels);
  for (size_t i = 0; i < count; ++i) {
    labels[i] = (syn_label){.value = (uint16_t)(i + 1), .name = names ? names[i] : NULL, .side = SYN_SIDES};
    paint(meshes[i], grid, start, size, labels[i].value, toggles, voxels);
  }
  syn_image described = {
      .kind = SYN_IMAGE_LABELS, .voxels = voxels, .label_count = count, .labels = labels, .oriented = true};
  memcpy(described.size, size, sizeof size);
  const syn_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int a = 0; a < 3; ++a)
    described.step[a] = vec3_scale(syn_pose_direction(&grid->pose, axes[a]), grid->voxel_mm[a]);
  described.origin = syn_pose_point(
      &grid->pose, vec3(start.x * grid->voxel_mm[0], start.y * grid->voxel_mm[1], start.z * grid->voxel_mm[2]));
  syn_image *image;
  syn_error error;
  ASSERT_OK(syn_image_create(NULL, &described, &image, &error));
  free(labels);
  free(toggles);
  free(voxels);
  return image;
}

typedef struct sample {
  double distance, weight;
} sample;

static int by_distance(const void *a, const void *b) {
  const double x = ((const sample *)a)->distance, y = ((const sample *)b)->distance;
  return (x > y) - (x < y);
}

/* Four points of a triangle: the middles of the triangles that the middles of its edges make. */
static void sample_triangle(const syn_trimesh *mesh, uint32_t t, syn_vec3 points[4], double *weight) {
  syn_vec3 p[3];
  for (int c = 0; c < 3; ++c) p[c] = mesh->vertices[mesh->triangles[t].v[c]];
  points[3] = vec3_scale(vec3_add(p[0], vec3_add(p[1], p[2])), 1.0 / 3);
  for (int c = 0; c < 3; ++c) points[c] = vec3_lerp(points[3], p[c], 0.5);
  *weight = vec3_length(vec3_cross(vec3_sub(p[1], p[0]), vec3_sub(p[2], p[0]))) / 8;
}

test_distances distances_between(const syn_trimesh *mesh, const syn_trimesh *other) {
  const size_t count = 4 * (size_t)mesh->triangle_count;
  syn_vec3 *points = malloc(count * sizeof *points);
  syn_surface_point *nearest = malloc(count * sizeof *nearest);
  sample *samples = malloc(count * sizeof *samples);
  double squares = 0, area = 0, part = 0;
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    double weight;
    sample_triangle(mesh, t, points + 4 * (size_t)t, &weight);
    for (int i = 0; i < 4; ++i) samples[4 * (size_t)t + (size_t)i].weight = weight;
  }
  syn_surface *surface;
  syn_error error;
  ASSERT_OK(syn_surface_create(other, &surface, &error));
  assert_int_equal(syn_surface_nearest(surface, points, count, nearest), SYN_OK);
  for (size_t i = 0; i < count; ++i) {
    samples[i].distance = nearest[i].distance_mm;
    squares += samples[i].weight * nearest[i].distance_mm * nearest[i].distance_mm;
    area += samples[i].weight;
  }
  qsort(samples, count, sizeof *samples, by_distance);
  size_t i = 0;
  while (i + 1 < count && part + samples[i].weight < 0.99 * area) part += samples[i++].weight;
  const test_distances found = {sqrt(squares / area), samples[i].distance, samples[count - 1].distance};
  syn_surface_destroy(surface);
  free(samples);
  free(nearest);
  free(points);
  return found;
}
