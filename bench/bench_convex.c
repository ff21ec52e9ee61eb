/* Distance and penetration of two spheres on a path of small steps: the alternating search against GJK, from scratch
 * and with the last features remembered; and of two bodies of 50 points of which one turns at several speeds (Sundaraj
 * 2004, Table 4.1 with boxes, Fig. 5.1 to 5.3). The algorithms take turns so that a busy machine is unfair to none. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <synovia/synovia.h>

enum { STEPS = 2000, REPEATS = 15 };

static void die(const char *message) {
  fprintf(stderr, "bench_convex: %s\n", message);
  exit(1);
}

static syn_convex *sphere(double radius, int level) {
  syn_error error;
  syn_joint *shape;
  syn_convex *convex;
  const syn_shape_value values[] = {{"radius", radius}, {"level", level}};
  if (syn_shape_create(NULL, "sphere", values, 2, &shape, &error) != SYN_OK) die(error.message);
  const syn_trimesh *mesh = shape->bodies[0].surface;
  if (syn_convex_create(NULL, mesh->vertices, mesh->vertex_count, &convex, &error) != SYN_OK) die(error.message);
  syn_joint_destroy(shape);
  return convex;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

/* One degree per frame about a slanted axis, the gap breathing a little. */
static syn_pose pose_at(int step, double apart) {
  syn_pose pose = syn_pose_about_axis((syn_vec3){0, 0, 0}, (syn_vec3){0.3, 1, 0.2}, step * 0.0174533);
  const double turn = step * 0.004;
  pose.translation = (syn_vec3){apart * cos(turn), apart * sin(turn) * 0.8, apart * sin(turn) * 0.6};
  return pose;
}

typedef struct row {
  double ns, supports, looked;
} row;

static row run(const syn_convex *a, const syn_convex *b, const syn_pose *poses, syn_convex_algorithm algorithm,
               bool warm, void *scratch) {
  syn_convex_options options = syn_default_convex_options();
  options.algorithm = algorithm;
  syn_convex_memory memory = {0};
  syn_convex_result result;
  row sum = {0};
  const double start = now();
  for (int i = 0; i < STEPS; ++i) {
    syn_convex_query(a, b, &poses[i], &options, warm ? &memory : NULL, scratch, &result);
    sum.supports += result.supports;
    sum.looked += result.looked;
  }
  sum.ns = now() - start;
  return (row){sum.ns / STEPS, sum.supports / STEPS, sum.looked / STEPS};
}

static syn_convex *box(double half) {
  syn_vec3 corners[8];
  syn_convex *convex;
  syn_error error;
  for (int i = 0; i < 8; ++i) corners[i] = (syn_vec3){i & 1 ? half : -half, i & 2 ? half : -half, i & 4 ? half : -half};
  if (syn_convex_create(NULL, corners, 8, &convex, &error) != SYN_OK) die(error.message);
  return convex;
}

/* Spheres, or boxes at level 0. */
static void compare(int level, double apart, const char *what, bool depth) {
  syn_convex *a = level ? sphere(25, level) : box(25), *b = level ? sphere(20, level) : box(20);
  static syn_pose poses[STEPS];
  for (int i = 0; i < STEPS; ++i) poses[i] = pose_at(i, apart);
  void *scratch = depth ? malloc(syn_convex_scratch(a, b)) : NULL;
  if (depth && !scratch) die("out of memory");
  row best[2][2];
  for (int repeat = 0; repeat < REPEATS; ++repeat)
    for (int algorithm = 0; algorithm < 2; ++algorithm)
      for (int warm = 0; warm < 2; ++warm) {
        const row r = run(a, b, poses, (syn_convex_algorithm)algorithm, warm, scratch);
        if (repeat == 0 || r.ns < best[algorithm][warm].ns) best[algorithm][warm] = r;
      }
  for (int algorithm = 0; algorithm < 2; ++algorithm)
    for (int warm = 0; warm < 2; ++warm)
      printf("%5u vertices  %-9s  %-11s  %-4s  %8.0f ns  %6.2f supports  %6.1f vertices looked at\n", a->vertex_count,
             what, algorithm ? "gjk" : "alternating", warm ? "warm" : "cold", best[algorithm][warm].ns,
             best[algorithm][warm].supports, best[algorithm][warm].looked);
  free(scratch);
  syn_convex_destroy(a);
  syn_convex_destroy(b);
}

/* ---- speeds of rotation -------------------------------------------------------------------------------------------
 */

enum { CORNERS = 50 };

static double next_random(uint64_t *state) {
  *state = *state * 6364136223846793005U + 1442695040888963407U;
  return (double)(*state >> 11) / (double)(UINT64_C(1) << 52) - 1;
}

/* The hull of random points on a sphere, stretched. */
static syn_convex *polyhedron(uint64_t seed) {
  syn_vec3 points[CORNERS];
  syn_convex *convex;
  syn_error error;
  for (int i = 0; i < CORNERS;) {
    const double x = next_random(&seed), y = next_random(&seed), z = next_random(&seed),
                 r = sqrt(x * x + y * y + z * z);
    if (r > 1 || r < 0.1) continue;
    points[i++] = (syn_vec3){30 * x / r, 20 * y / r, 15 * z / r};
  }
  if (syn_convex_create(NULL, points, CORNERS, &convex, &error) != SYN_OK) die(error.message);
  return convex;
}

static void compare_speeds(void) {
  static const double degrees[] = {0.1, 0.5, 1, 2, 5, 10, 20, 45, 90};
  static syn_pose poses[STEPS];
  syn_convex *a = polyhedron(1), *b = polyhedron(2);
  for (size_t k = 0; k < sizeof degrees / sizeof *degrees; ++k) {
    for (int i = 0; i < STEPS; ++i) {
      poses[i] =
          syn_pose_about_axis((syn_vec3){0, 0, 0}, (syn_vec3){0.3, 1, 0.2}, i * degrees[k] * 0.017453292519943295);
      poses[i].translation = (syn_vec3){70, 0, 0};
    }
    row best[2];
    for (int repeat = 0; repeat < REPEATS; ++repeat)
      for (int algorithm = 0; algorithm < 2; ++algorithm) {
        const row r = run(a, b, poses, (syn_convex_algorithm)algorithm, true, NULL);
        if (repeat == 0 || r.ns < best[algorithm].ns) best[algorithm] = r;
      }
    printf("%5.1f degrees a step  alternating %6.0f ns %5.2f supports  gjk %6.0f ns %5.2f supports\n", degrees[k],
           best[0].ns, best[0].supports, best[1].ns, best[1].supports);
  }
  syn_convex_destroy(a);
  syn_convex_destroy(b);
}

int main(void) {
  compare_speeds();
  compare(0, 90, "apart", false);
  compare(0, 70, "near", false);
  for (int level = 2; level <= 4; ++level) {
    compare(level, 60, "apart", false);
    compare(level, 46, "near", false);
    compare(level, 44, "overlap", true);
  }
  return 0;
}
