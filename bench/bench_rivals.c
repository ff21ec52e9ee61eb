/* How many triangles can be the nearest to a vertex at the next pose, for all that the last one tells? A method that
 * keeps something from pose to pose (Maciel 2005, §4.3.1.3) and is exact has to look at each of these at least. Even
 * the most that can be kept is assumed: of every triangle its distance and its nearest point. A triangle is convex, so
 * that it lies beyond the plane through that point; at the next place of the vertex it is at least as far as that
 * plane, and at least as far as before less the way of the vertex. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/vec.h"
#include "geometry/closest.h"
#include "harness.h"

enum { SAMPLES = 400, STEPS = 3 };

static void die(const char *message) {
  fprintf(stderr, "bench_rivals: %s\n", message);
  exit(1);
}

static void corners_of(const syn_trimesh *mesh, uint32_t t, syn_vec3 corners[3]) {
  for (int c = 0; c < 3; ++c) corners[c] = mesh->vertices[mesh->triangles[t].v[c]];
}

static double nearest_of_all(const syn_trimesh *mesh, syn_vec3 p) {
  double least = INFINITY;
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    syn_vec3 corners[3];
    corners_of(mesh, t, corners);
    least = fmin(least, vec3_distance(p, closest_on_triangle(p, corners)));
  }
  return least;
}

/* Triangles that what was known at `before` does not rule out at `after`. */
static uint32_t count_rivals(const syn_trimesh *mesh, syn_vec3 before, syn_vec3 after) {
  const double least = nearest_of_all(mesh, after), way = vec3_distance(before, after);
  uint32_t count = 0;
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    syn_vec3 corners[3];
    corners_of(mesh, t, corners);
    const syn_vec3 point = closest_on_triangle(before, corners), back = vec3_sub(before, point);
    const double distance = vec3_length(back);
    const double plane = distance > 0 ? vec3_dot(vec3_sub(after, point), back) / distance : 0;
    count += fmax(distance - way, plane) <= least + 1e-9;
  }
  return count;
}

static int compare(const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

/* What it takes to look at one of them, in ns: near ones in turns, as they would come. */
static double time_of_one(const syn_trimesh *mesh, const syn_trimesh *mobile) {
  volatile double sum = 0;
  const uint32_t rounds = 200;
  const double start = bench_now_ms();
  for (uint32_t r = 0; r < rounds; ++r)
    for (uint32_t i = 0; i < 1000; ++i) {
      syn_vec3 corners[3];
      const syn_vec3 p = mobile->vertices[(size_t)i * 7 % mobile->vertex_count];
      corners_of(mesh, (i * 3 + r) % mesh->triangle_count, corners);
      const syn_vec3 away = vec3_sub(p, closest_on_triangle(p, corners));
      sum += vec3_dot(away, away);
    }
  return 1e6 * (bench_now_ms() - start) / (1000.0 * rounds);
}

int main(int count, char **words) {
  static const double steps_deg[STEPS] = {0.01, 0.1, 1};
  static uint32_t rivals[SAMPLES];
  const syn_context context = syn_default_context();
  syn_error error;
  syn_trimesh *fixed, *mobile;
  syn_vec3 center;
  if (count < 4 || sscanf(words[3], "%lf,%lf,%lf", &center.x, &center.y, &center.z) != 3)
    die("usage: bench_rivals FIXED MOBILE x,y,z");
  if (syn_trimesh_read(&context, words[1], NULL, &fixed, &error) != SYN_OK ||
      syn_trimesh_read(&context, words[2], NULL, &mobile, &error) != SYN_OK)
    die(error.message);
  for (int k = 0; k < STEPS; ++k) {
    const syn_pose pose = syn_pose_about_axis(center, vec3(1, 0, 0), steps_deg[k] * SYN_PI / 180);
    double sum = 0;
    for (uint32_t i = 0; i < SAMPLES; ++i) {
      const syn_vec3 p = mobile->vertices[(uint64_t)i * mobile->vertex_count / SAMPLES];
      rivals[i] = count_rivals(fixed, p, syn_pose_point(&pose, p));
      sum += rivals[i];
    }
    qsort(rivals, SAMPLES, sizeof *rivals, compare);
    printf("%5g deg a step: %.1f triangles in the mean, %u in the median, %u in nine of ten vertices\n", steps_deg[k],
           sum / SAMPLES, rivals[SAMPLES / 2], rivals[SAMPLES * 9 / 10]);
  }
  printf("one of them: %.0f ns\n", time_of_one(fixed, mobile));
  syn_trimesh_destroy(fixed);
  syn_trimesh_destroy(mobile);
  return 0;
}
