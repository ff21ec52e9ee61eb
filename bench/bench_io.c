/* Reading a binary STL of a million triangles: Synovia, which joins the corners, against Assimp with and without doing
 * so. The readers take turns so that a busy machine is unfair to none. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <synovia/synovia.h>

#ifdef BENCH_ASSIMP
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wundef"
#include <assimp/cimport.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#pragma GCC diagnostic pop
#endif

enum { RINGS = 708, SECTORS = 708, REPEATS = 7 };

static void die(const char *message) {
  fprintf(stderr, "bench_io: %s\n", message);
  exit(1);
}

/* ---- memory ----------------------------------------------------------------------------------------------------- */

typedef struct counter {
  size_t bytes, peak;
} counter;

/* Each block carries its size in front. */
static void *count_bytes(void *user, void *block, size_t bytes) {
  counter *memory = user;
  size_t *header = block ? (size_t *)block - 2 : NULL;
  const size_t before = header ? *header : 0;
  if (bytes == 0) {
    memory->bytes -= before;
    free(header);
    return NULL;
  }
  header = realloc(header, bytes + 2 * sizeof *header);
  if (!header) return NULL;
  *header = bytes;
  memory->bytes += bytes - before;
  if (memory->bytes > memory->peak) memory->peak = memory->bytes;
  return header + 2;
}

/* ---- the file --------------------------------------------------------------------------------------------------- */

/* A bumpy sphere as a grid of rings and sectors: about a million triangles. */
static void write_sphere(const char *path) {
  const double pi = acos(-1.0);
  const uint32_t columns = SECTORS;
  syn_vec3 *points = calloc((size_t)(RINGS + 1) * columns, sizeof *points);
  syn_triangle *triangles = calloc((size_t)RINGS * columns * 2, sizeof *triangles);
  if (!points || !triangles) die("no memory");
  size_t face = 0;
  for (uint32_t r = 0; r <= RINGS; ++r)
    for (uint32_t s = 0; s < columns; ++s) {
      const double polar = pi * r / RINGS, turn = 2 * pi * s / columns, radius = 50 + sin(9 * polar) * cos(7 * turn);
      points[r * columns + s] =
          (syn_vec3){radius * sin(polar) * cos(turn), radius * sin(polar) * sin(turn), radius * cos(polar)};
      if (r == RINGS) continue;
      const uint32_t next = (s + 1) % columns, a = r * columns + s, b = r * columns + next;
      triangles[face++] = (syn_triangle){{a, a + columns, b + columns}};
      triangles[face++] = (syn_triangle){{a, b + columns, b}};
    }
  const syn_geometry geometry = {
      .point_count = (size_t)(RINGS + 1) * columns, .triangle_count = face, .points = points, .triangles = triangles};
  syn_error error;
  char text[800];
  if (syn_write_geometry(NULL, &geometry, path, NULL, &error) != SYN_OK) die(syn_error_text(&error, text, sizeof text));
  free(points);
  free(triangles);
}

/* ---- readers ---------------------------------------------------------------------------------------------------- */

static void read_ours(const syn_context *context, const char *path, size_t *vertices, size_t *triangles) {
  syn_geometry geometry;
  syn_error error;
  char text[800];
  if (syn_read_geometry(context, path, NULL, &geometry, &error) != SYN_OK)
    die(syn_error_text(&error, text, sizeof text));
  *vertices = geometry.point_count;
  *triangles = geometry.triangle_count;
  syn_geometry_free(context, &geometry);
}

static void run_ours(const char *path, size_t *vertices, size_t *triangles) {
  read_ours(NULL, path, vertices, triangles);
}

#ifdef BENCH_ASSIMP
static void import(const char *path, unsigned flags, size_t *vertices, size_t *triangles) {
  const struct aiScene *scene = aiImportFile(path, flags);
  if (!scene) die(aiGetErrorString());
  *vertices = scene->mMeshes[0]->mNumVertices;
  *triangles = scene->mMeshes[0]->mNumFaces;
  aiReleaseImport(scene);
}
static void run_assimp(const char *path, size_t *vertices, size_t *triangles) { import(path, 0, vertices, triangles); }
static void run_assimp_join(const char *path, size_t *vertices, size_t *triangles) {
  import(path, aiProcess_JoinIdenticalVertices, vertices, triangles);
}
#endif

typedef struct contender {
  const char *name;
  void (*run)(const char *path, size_t *vertices, size_t *triangles);
  double ms[REPEATS];
  size_t vertices, triangles;
} contender;

static double now_ms(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static int by_value(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void report(contender *contenders, size_t count, const char *path) {
  counter memory = {0};
  syn_context context = syn_default_context();
  context.reallocate = count_bytes;
  context.user = &memory;
  size_t vertices, triangles;
  read_ours(&context, path, &vertices, &triangles);
  struct stat info;
  if (stat(path, &info) != 0) die("the file is gone");
  for (size_t i = 0; i < count; ++i) qsort(contenders[i].ms, REPEATS, sizeof(double), by_value);
  const double ours = contenders[0].ms[REPEATS / 2];
  printf("binary STL, %.1f MB, median of %d\n", (double)info.st_size / 1e6, REPEATS);
  printf("%-28s %10s %10s %10s %8s\n", "reader", "triangles", "vertices", "ms", "ratio");
  for (size_t i = 0; i < count; ++i)
    printf("%-28s %10zu %10zu %10.1f %8.2f\n", contenders[i].name, contenders[i].triangles, contenders[i].vertices,
           contenders[i].ms[REPEATS / 2], contenders[i].ms[REPEATS / 2] / ours);
  printf("peak memory of ours, the file included: %.1f MB, %.2f times the file\n", (double)memory.peak / 1e6,
         (double)memory.peak / (double)info.st_size);
}

int main(void) {
  char folder[] = "/tmp/synovia-bench-XXXXXX", path[64];
  if (!mkdtemp(folder)) die("no temporary folder");
  snprintf(path, sizeof path, "%s/sphere.stl", folder);
  write_sphere(path);
  contender contenders[] = {
      {.name = "synovia (joins corners)", .run = run_ours},
#ifdef BENCH_ASSIMP
      {.name = "assimp", .run = run_assimp},
      {.name = "assimp (joins corners)", .run = run_assimp_join},
#endif
  };
  const size_t count = sizeof contenders / sizeof *contenders;
  for (int repeat = 0; repeat < REPEATS; ++repeat)
    for (size_t i = 0; i < count; ++i) {
      const double begin = now_ms();
      contenders[i].run(path, &contenders[i].vertices, &contenders[i].triangles);
      contenders[i].ms[repeat] = now_ms() - begin;
    }
  report(contenders, count, path);
  unlink(path);
  rmdir(folder);
  return 0;
}
