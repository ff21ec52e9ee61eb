#define _GNU_SOURCE /* nftw */
#include "support.h"

#include <errno.h>
#include <execinfo.h>
#include <ftw.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "clinic/hip.h"
#include "solve/cholmod_library.h"

/* As the program has it (syn_program_prepare), but for the number of OpenBLAS's threads. */
__attribute__((constructor)) static void name_kernels(void) {
  if (syn_blas_kernels()) setenv("OPENBLAS_CORETYPE", syn_blas_kernels(), 0);
}

/* Whoever starts the tests may ignore signals (nohup, a job in the background of a script, a pipe of another language),
 * and what is ignored stays so in every program that a test starts and stops. */
__attribute__((constructor)) static void take_signals_as_usual(void) {
  static const int signals[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGPIPE, SIGXCPU, SIGXFSZ, SIGCHLD};
  sigset_t none;
  for (size_t i = 0; i < sizeof signals / sizeof *signals; ++i) signal(signals[i], SIG_DFL);
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

void check_message(const syn_error *error, syn_status expected, const char *part) {
  if (error->code != expected) fail_msg("the error says '%s'", syn_status_name(error->code));
  if (part && !strstr(error->message, part)) fail_msg("'%s' is not in the message '%s'", part, error->message);
}

/* ---- skipped cases -------------------------------------------------------------------------------------------------
 */

static size_t skipped_cases;

void skip_case(const char *file, int line) {
  ++skipped_cases;
  _skip(file, line);
}

int run_group(const char *name, const struct CMUnitTest *tests, size_t count, CMFixtureFunction set_up,
              CMFixtureFunction tear_down) {
  enum { ALL_SKIPPED = 77 };
  if (_cmocka_run_group_tests(name, tests, count, set_up, tear_down) != 0) return 1;
  return skipped_cases == count ? ALL_SKIPPED : 0;
}

bool long_cases(void) { return getenv("SYNOVIA_LONG") != NULL; }

static bool is_quick(void) { return getenv("SYNOVIA_QUICK") != NULL; }

int repeats(int count, int kinds) {
  const int share = (count + 7) / 8, least = share > kinds ? share : kinds;
  return is_quick() && least < count ? least : count;
}

/* ---- random numbers (PCG, O'Neill 2014) ---------------------------------------------------------------------------
 */

uint32_t random_u32(test_random *random) {
  uint64_t old = random->state;
  random->state = old * 6364136223846793005u + 1442695040888963407u;
  uint32_t shifted = (uint32_t)(((old >> 18u) ^ old) >> 27u), turn = (uint32_t)(old >> 59u);
  return (shifted >> turn) | (shifted << ((32 - turn) & 31));
}

uint32_t random_below(test_random *random, uint32_t limit) {
  return (uint32_t)(((uint64_t)random_u32(random) * limit) >> 32);
}

double random_between(test_random *random, double low, double high) {
  return low + (high - low) * (random_u32(random) / 4294967296.0);
}

syn_vec3 random_vec3(test_random *random, double size) {
  double x = random_between(random, -size, size), y = random_between(random, -size, size);
  return (syn_vec3){x, y, random_between(random, -size, size)};
}

syn_pose random_pose(test_random *random, double shift) {
  syn_vec3 axis = random_vec3(random, 1);
  syn_pose pose = syn_pose_about_axis((syn_vec3){0, 0, 0}, axis, random_between(random, -3, 3));
  pose.translation = random_vec3(random, shift);
  return pose;
}

/* ---- context -------------------------------------------------------------------------------------------------------
 */

/* Allocations by number, each with a sum over the addresses that it was called from. */
typedef struct call_path {
  uint64_t path;
  size_t at;
} call_path;
struct call_paths {
  call_path *paths;
  size_t count;
};

static void keep_path(call_paths *all, size_t at) {
  void *callers[64];
  const int count = backtrace(callers, 64);
  uint64_t path = 14695981039346656037u; /* FNV-1a */
  for (int i = 0; i < count; ++i) path = (path ^ (uint64_t)(uintptr_t)callers[i]) * 1099511628211u;
  if ((all->count & (all->count - 1)) == 0) /* a power of two, or none: it is full */
    all->paths = realloc(all->paths, (all->count ? 2 * all->count : 1) * sizeof *all->paths);
  assert_non_null(all->paths);
  all->paths[all->count++] = (call_path){path, at};
}

/* Each block carries its size in front, so that the peak is known. */
static void *counted(void *user, void *block, size_t bytes) {
  test_memory *memory = user;
  size_t *header = block ? (size_t *)block - 2 : NULL;
  if (bytes == 0) {
    if (header) {
      --memory->live;
      memory->bytes -= *header;
    }
    free(header);
    return NULL;
  }
  ++memory->allocations;
  if (memory->paths) keep_path(memory->paths, memory->allocations);
  if (memory->refuse_at && memory->allocations >= memory->refuse_at &&
      (memory->allocations == memory->refuse_at || !memory->only_one))
    return NULL;
  size_t before = header ? *header : 0;
  size_t *resized = realloc(header, bytes + 2 * sizeof *resized);
  if (!resized) return NULL;
  *resized = bytes;
  memory->live += block == NULL;
  memory->bytes += bytes - before;
  if (memory->bytes > memory->peak_bytes) memory->peak_bytes = memory->bytes;
  return resized + 2;
}

static void remember_warning(void *user, const char *message) {
  test_memory *memory = user;
  ++memory->warnings;
  snprintf(memory->last_warning, sizeof memory->last_warning, "%s", message);
  size_t used = strlen(memory->all_warnings);
  snprintf(memory->all_warnings + used, sizeof memory->all_warnings - used, "%s\n", message);
}

syn_context test_context(test_memory *memory) {
  syn_context context = syn_default_context();
  context.reallocate = counted;
  context.warn = remember_warning;
  context.user = memory;
  return context;
}

/* With allocation `refuse_at` and all later ones refused. Returns whether it went well, which it may only where that
 * allocation is not made. */
static bool attempt_refusing(syn_status (*attempt)(const syn_context *context, void *user, syn_error *error),
                             void *user, size_t refuse_at) {
  test_memory memory = {.refuse_at = refuse_at};
  syn_context context = test_context(&memory);
  syn_error error = {0};
  syn_status status = attempt(&context, user, &error);
  if (memory.live != 0) fail_msg("%zu blocks leaked when allocation %zu was refused", memory.live, refuse_at);
  if (status == SYN_OK) {
    if (memory.allocations >= refuse_at) fail_msg("allocation %zu was refused without an error", refuse_at);
    return true;
  }
  if (status != SYN_NO_MEMORY)
    fail_msg("allocation %zu refused: '%s' %s", refuse_at, syn_status_name(status), error.message);
  assert_int_equal(error.code, SYN_NO_MEMORY);
  return false;
}

static int by_path(const void *a, const void *b) {
  const call_path *x = a, *y = b;
  return x->path != y->path ? (x->path > y->path) - (x->path < y->path) : (x->at > y->at) - (x->at < y->at);
}

/* The first and the last allocation of every path of calls: what a loop makes in between is refused in the same places
 * of the code. */
static void refuse_by_paths(syn_status (*attempt)(const syn_context *context, void *user, syn_error *error),
                            void *user) {
  call_paths all = {0};
  test_memory memory = {.paths = &all};
  syn_context context = test_context(&memory);
  syn_error error = {0};
  ASSERT_OK(attempt(&context, user, &error));
  if (memory.live != 0) fail_msg("%zu blocks leaked", memory.live);
  qsort(all.paths, all.count, sizeof *all.paths, by_path);
  for (size_t i = 0; i < all.count; ++i) {
    const bool first = i == 0 || all.paths[i - 1].path != all.paths[i].path;
    const bool last = i + 1 == all.count || all.paths[i + 1].path != all.paths[i].path;
    if (first || last) attempt_refusing(attempt, user, all.paths[i].at);
  }
  attempt_refusing(attempt, user, SIZE_MAX); /* what it writes is left whole */
  free(all.paths);
}

void check_every_allocation(syn_status (*attempt)(const syn_context *context, void *user, syn_error *error),
                            void *user) {
  if (is_quick()) {
    refuse_by_paths(attempt, user);
    return;
  }
  for (size_t refuse_at = 1; !attempt_refusing(attempt, user, refuse_at);) ++refuse_at;
}

/* ---- files ---------------------------------------------------------------------------------------------------------
 */

static char temporary_folder[256];

/* What is written is waited for until it is on the disk, thousands of times: memory does not take that long, where it
 * is large enough and programs may be run from it. $TMPDIR has the last word. */
static const char *folder_for_files(void) {
  static const char memory[] = "/dev/shm";
  const char *asked = getenv("TMPDIR");
  struct statvfs about;
  if (asked && asked[0] && strlen(asked) < sizeof temporary_folder - 32) return asked;
  const bool fits = statvfs(memory, &about) == 0 && !(about.f_flag & ST_NOEXEC) &&
                    (double)about.f_bavail * (double)about.f_frsize > 4e9 && access(memory, W_OK | X_OK) == 0;
  return fits ? memory : "/tmp";
}

static int remove_entry(const char *path, const struct stat *info, int flag, struct FTW *at) {
  (void)info, (void)flag, (void)at;
  return remove(path);
}

static void remove_temporary_folder(void) { nftw(temporary_folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS); }

const char *temporary_path(const char *name) {
  static char paths[8][512];
  static unsigned next;
  if (!temporary_folder[0]) {
    snprintf(temporary_folder, sizeof temporary_folder, "%s/synovia-test-XXXXXX", folder_for_files());
    if (!mkdtemp(temporary_folder)) fail_msg("no temporary folder");
    atexit(remove_temporary_folder);
  }
  char *path = paths[next++ % 8];
  snprintf(path, sizeof paths[0], "%s/%s", temporary_folder, name);
  return path;
}

const char *preload_path(const char *library) {
  const char *name = strrchr(library, '/'), *path = temporary_path(name ? name + 1 : library);
  if (symlink(library, path) != 0 && errno != EEXIST) fail_msg("no link to %s", library);
  return path;
}

void write_file(const char *path, const void *bytes, size_t size) {
  FILE *stream = fopen(path, "wb");
  if (!stream || fwrite(bytes, 1, size, stream) != size || fclose(stream) != 0) fail_msg("cannot write %s", path);
}

void write_text_file(const char *path, const char *text) { write_file(path, text, strlen(text)); }

char *read_whole_file(const char *path, size_t *size) {
  FILE *stream = fopen(path, "rb");
  if (!stream) fail_msg("cannot read %s", path);
  fseek(stream, 0, SEEK_END);
  *size = (size_t)ftell(stream);
  rewind(stream);
  char *bytes = malloc(*size + 1);
  if (!bytes || fread(bytes, 1, *size, stream) != *size) fail_msg("cannot read %s", path);
  bytes[*size] = 0;
  fclose(stream);
  return bytes;
}

const char *data_path(const char *name) {
  static char paths[8][1024];
  static unsigned next;
  char *path = paths[next++ % 8];
  const char *folder = getenv("SYNOVIA_DATA");
  if (is_quick()) {
    print_message("skipped: real meshes take long under a sanitizer (make check)\n");
    return NULL;
  }
  snprintf(path, sizeof paths[0], "%s/%s", folder ? folder : SYN_SOURCE_DIR "/../shared/data", name);
  if (access(path, R_OK) == 0) return path;
  print_message("skipped: the data file %s is not here (set SYNOVIA_DATA to the folder of real meshes)\n", name);
  return NULL;
}

/* ---- small meshes --------------------------------------------------------------------------------------------------
 */

static syn_trimesh *must_create(const syn_context *context, const syn_vec3 *points, size_t n,
                                const syn_triangle *triangles, size_t m) {
  syn_trimesh *mesh;
  syn_error error;
  ASSERT_OK(syn_trimesh_create(context, points, n, triangles, m, &mesh, &error));
  return mesh;
}

syn_trimesh *make_cube(const syn_context *context, double s) {
  const syn_vec3 points[8] = {{0, 0, 0}, {s, 0, 0}, {s, s, 0}, {0, s, 0}, {0, 0, s}, {s, 0, s}, {s, s, s}, {0, s, s}};
  const syn_triangle triangles[12] = {{{0, 2, 1}}, {{0, 3, 2}}, {{4, 5, 6}}, {{4, 6, 7}}, {{0, 1, 5}}, {{0, 5, 4}},
                                      {{1, 2, 6}}, {{1, 6, 5}}, {{2, 3, 7}}, {{2, 7, 6}}, {{3, 0, 4}}, {{3, 4, 7}}};
  return must_create(context, points, 8, triangles, 12);
}

syn_trimesh *make_soup(const syn_context *context, test_random *random, uint32_t vertices, uint32_t triangles) {
  syn_vec3 *points = calloc(vertices, sizeof *points);
  syn_triangle *faces = calloc(triangles, sizeof *faces);
  for (uint32_t i = 0; i < vertices; ++i) points[i] = random_vec3(random, 1);
  for (uint32_t t = 0; t < triangles; ++t)
    for (int c = 0; c < 3; ++c) faces[t].v[c] = random_below(random, vertices);
  syn_trimesh *mesh = must_create(context, points, vertices, faces, triangles);
  free(points);
  free(faces);
  return mesh;
}

syn_trimesh *make_blob(const syn_context *context, test_random *random, uint32_t rings, uint32_t sectors, double bump) {
  const double pi = acos(-1.0);
  const uint32_t n = 2 + (rings - 1) * sectors, m = 2 * sectors * (rings - 1);
  syn_vec3 *points = calloc(n, sizeof *points);
  syn_triangle *faces = calloc(m, sizeof *faces);
  uint32_t vertex = 0, face = 0;
  points[vertex++] = (syn_vec3){0, 0, 1};
  for (uint32_t r = 1; r < rings; ++r)
    for (uint32_t s = 0; s < sectors; ++s) {
      double polar = pi * r / rings, turn = 2 * pi * s / sectors, radius = 1 + random_between(random, 0, bump);
      points[vertex++] =
          (syn_vec3){radius * sin(polar) * cos(turn), radius * sin(polar) * sin(turn), radius * cos(polar)};
    }
  points[vertex] = (syn_vec3){0, 0, -1};
  for (uint32_t s = 0; s < sectors; ++s) {
    const uint32_t next = (s + 1) % sectors, last = 1 + (rings - 2) * sectors;
    faces[face++] = (syn_triangle){{0, 1 + s, 1 + next}};
    faces[face++] = (syn_triangle){{vertex, last + next, last + s}};
    for (uint32_t r = 0; r + 2 < rings; ++r) {
      const uint32_t upper = 1 + r * sectors, lower = upper + sectors;
      faces[face++] = (syn_triangle){{upper + s, lower + s, lower + next}};
      faces[face++] = (syn_triangle){{upper + s, lower + next, upper + next}};
    }
  }
  syn_trimesh *mesh = must_create(context, points, n, faces, m);
  free(points);
  free(faces);
  return mesh;
}

syn_trimesh with_context(const syn_trimesh *mesh, const syn_context *context) {
  syn_trimesh view = *mesh;
  view.context = context;
  view.shared = NULL; /* all memory comes from this context */
  return view;
}

syn_hip hip_of_shape(const syn_joint *shape) {
  syn_hip hip = {
      .side = SYN_SIDE_RIGHT, .center = shape->center, .pelvis_axes = shape->axes, .femur_axes = shape->axes};
  for (size_t i = 0; i < shape->body_count; ++i)
    hip.parts[syn_hip_part_of_body(&shape->bodies[i])] = shape->bodies[i].surface;
  return hip;
}
