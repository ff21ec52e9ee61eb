/* Reading a binary STL of a million triangles: Synovia, which joins the corners, against Assimp with and without doing
 * so; and the memory that ours needs. */
#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files/file.h"
#include "base/memory.h"
#include "base/process.h"
#include "base/vec.h"
#include "run.h"

enum { RINGS = 708, SECTORS = 708 };

/* ---- the file -----------------------------------------------------------------------------------------------------
 */

/* A bumpy sphere as a grid of rings and sectors. */
static size_t fill_sphere(syn_vec3 *points, syn_triangle *triangles) {
  size_t face = 0;
  for (uint32_t r = 0; r <= RINGS; ++r)
    for (uint32_t s = 0; s < SECTORS; ++s) {
      const double polar = SYN_PI * r / RINGS, turn = 2 * SYN_PI * s / SECTORS;
      const double radius = 50 + sin(9 * polar) * cos(7 * turn);
      points[r * SECTORS + s] =
          vec3(radius * sin(polar) * cos(turn), radius * sin(polar) * sin(turn), radius * cos(polar));
      if (r == RINGS) continue;
      const uint32_t a = r * SECTORS + s, b = r * SECTORS + (s + 1) % SECTORS;
      triangles[face++] = (syn_triangle){{a, a + SECTORS, b + SECTORS}};
      triangles[face++] = (syn_triangle){{a, b + SECTORS, b}};
    }
  return face;
}

static syn_status write_sphere(const syn_context *context, const char *path, syn_error *error) {
  const size_t point_count = (size_t)(RINGS + 1) * SECTORS;
  syn_arena arena = {.context = context};
  syn_vec3 *points;
  syn_triangle *triangles;
  syn_status status = SYN_TAKE(&arena, &points, point_count, error);
  if (status == SYN_OK) status = SYN_TAKE(&arena, &triangles, (size_t)2 * RINGS * SECTORS, error);
  if (status == SYN_OK) {
    const syn_geometry geometry = {.point_count = point_count,
                                   .triangle_count = fill_sphere(points, triangles),
                                   .points = points,
                                   .triangles = triangles};
    status = syn_geometry_write(context, &geometry, path, NULL, error);
  }
  syn_arena_release(&arena);
  return status;
}

/* ---- our reader ---------------------------------------------------------------------------------------------------
 */

static void *open_reader(const bench_contender *self, const bench_scene *scene, syn_error *error) {
  (void)self, (void)error;
  bench_scene *kept = malloc(sizeof *kept);
  if (!kept) abort();
  *kept = *scene;
  return kept;
}

static void ask_reader(void *state, const syn_pose *pose, bench_answer *answer) {
  const bench_scene *scene = state;
  syn_geometry geometry;
  (void)pose;
  if (syn_geometry_read(scene->context, scene->file, NULL, &geometry, NULL) != SYN_OK) return;
  answer->count = geometry.triangle_count;
  syn_geometry_free(scene->context, &geometry);
}

static const bench_contender reader = {.name = "synovia",
                                       .detail = "corners joined",
                                       .query = "read-stl",
                                       .open = open_reader,
                                       .ask = ask_reader,
                                       .close = free};

/* ---- memory -------------------------------------------------------------------------------------------------------
 */

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

static syn_status measure_memory(bench_run *run, const char *path, syn_error *error) {
  counter memory = {0};
  syn_context context = syn_default_context();
  context.threads = run->context->threads;
  context.reallocate = count_bytes;
  context.user = &memory;
  syn_geometry geometry;
  SYN_TRY(syn_geometry_read(&context, path, NULL, &geometry, error));
  syn_geometry_free(&context, &geometry);
  struct stat info;
  if (stat(path, &info) != 0) return syn_fail_at(error, SYN_IO_ERROR, path, 0, -1, "the file is gone");
  run->peak_bytes = memory.peak;
  run->file_bytes = (size_t)info.st_size;
  return SYN_OK;
}

static syn_status run_in(bench_run *run, const char *folder, syn_error *error) {
  char path[SYN_FOLDER_ROOM + 16];
  snprintf(path, sizeof path, "%s/sphere.stl", folder);
  SYN_TRY(write_sphere(run->context, path, error));
  const syn_pose nowhere = syn_pose_identity();
  const bench_scene scene = {.name = "1M", .context = run->context, .file = path, .poses = &nowhere, .pose_count = 1};
  bench_compare(run, &scene, &reader, 1);
  return measure_memory(run, path, error);
}

static syn_status run_suite(bench_run *run, syn_error *error) {
  char folder[SYN_FOLDER_ROOM];
  SYN_TRY(syn_temporary_folder(folder, error));
  const syn_status status = run_in(run, folder, error);
  syn_remove_folder(folder);
  return status;
}

const bench_suite bench_io = {"io", run_suite};
