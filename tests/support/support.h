/* What every test shares: cmocka, reproducible random numbers, a context that counts and refuses memory, temporary
 * folders, and the way to the real meshes. */
#ifndef TEST_SUPPORT_H
#define TEST_SUPPORT_H

/* cmocka wants these first. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <synovia/synovia.h>

#ifdef main /* the build gives the main of a test a name of its own: all tests are one program (tests/main.c) */
int main(void);
#endif

/* ---- assertions ------------------------------------------------------------------------------------------------- */

/* Expects SYN_OK and shows the message otherwise. `call` uses a variable named `error`. */
#define ASSERT_OK(call)                                                                                                \
  do {                                                                                                                 \
    syn_status status_ = (call);                                                                                       \
    if (status_ != SYN_OK) fail_msg("%s: %s (%s)", #call, error.message, error.file);                                  \
  } while (0)
/* Expects this failure, with `part` (may be NULL) in the message. */
#define ASSERT_FAILS(call, expected, part)                                                                             \
  do {                                                                                                                 \
    syn_status status_ = (call);                                                                                       \
    if (status_ != (expected))                                                                                         \
      fail_msg("%s gave '%s', not '%s'", #call, syn_status_name(status_), syn_status_name(expected));                  \
    check_message(&error, (expected), (part));                                                                         \
  } while (0)
/* |a - b| <= tolerance; shows both. NaN fails. */
#define ASSERT_NEAR(a, b, tolerance)                                                                                   \
  do {                                                                                                                 \
    double a_ = (a), b_ = (b);                                                                                         \
    if (!(fabs(a_ - b_) <= (tolerance)))                                                                               \
      fail_msg("%s = %.17g, expected %.17g within %g", #a, a_, b_, (double)(tolerance));                               \
  } while (0)
void check_message(const syn_error *error, syn_status expected, const char *part);

/* ---- random numbers: the same on every machine ------------------------------------------------------------------ */

typedef struct test_random {
  uint64_t state;
} test_random;
uint32_t random_u32(test_random *random);
uint32_t random_below(test_random *random, uint32_t limit);
double random_between(test_random *random, double low, double high);
syn_vec3 random_vec3(test_random *random, double size); /* in a cube of that half width */
syn_pose random_pose(test_random *random, double shift);

/* ---- a context that watches -------------------------------------------------------------------------------------- */

/* Counts live blocks, refuses the allocation number `refuse_at` (0: none) and all later ones, unless `only_one`,
 * remembers warnings. */
typedef struct call_paths call_paths;
typedef struct test_memory {
  bool only_one;
  size_t allocations, live, refuse_at, bytes, peak_bytes;
  size_t warnings;
  char last_warning[512];
  char all_warnings[4096];
  call_paths *paths; /* where allocations are called from, for check_every_allocation */
} test_memory;
syn_context test_context(test_memory *memory);

/* Runs `attempt` with allocation 1, 2, 3 … refused until it succeeds. Every failure must be SYN_NO_MEMORY and leave no
 * live block behind. `attempt` releases its own result on success. In the quick pass of `make test` only the first and
 * the last allocation of every path of calls is refused. */
void check_every_allocation(syn_status (*attempt)(const syn_context *context, void *user, syn_error *error),
                            void *user);

/* ---- files ------------------------------------------------------------------------------------------------------- */

/* A path inside this process's temporary folder, which is removed at exit. Up to 8 results stay valid. */
const char *temporary_path(const char *name);
/* A path of a library for LD_PRELOAD: a link in the temporary folder, since the loader ends a name at a blank and a
 * clone may lie anywhere. */
const char *preload_path(const char *library);
void write_text_file(const char *path, const char *text);
void write_file(const char *path, const void *bytes, size_t size);
char *read_whole_file(const char *path, size_t *size); /* free() */

/* The full path of a real mesh, or NULL where the data folder is missing, with a line that says so. The folder is
 * $SYNOVIA_DATA or shared/data beside the project. */
const char *data_path(const char *name);
/* In a test: leaves it as skipped when the file is not there. */
#define REQUIRE_DATA(variable, name)                                                                                   \
  const char *variable = data_path(name);                                                                              \
  if (!(variable)) skip()

/* ---- skipped cases ----------------------------------------------------------------------------------------------- */

/* Leaves the test as skipped. `make test` collects the line with the reason. */
#define SKIP(reason)                                                                                                   \
  do {                                                                                                                 \
    print_message("skipped: %s\n", (reason));                                                                          \
    skip();                                                                                                            \
  } while (0)
/* Are cases asked for that take long, and whose code others go through in a second? `make verify` does so, with
 * SYNOVIA_LONG: a test that calls this runs there once more, as verify/NAME (tests/CMakeLists.txt). */
bool long_cases(void);
#define LEFT_TO_VERIFY()                                                                                               \
  do {                                                                                                                 \
    if (!long_cases()) SKIP("it takes long (make verify)");                                                            \
  } while (0)
/* A case that takes long under a sanitizer and whose code others go through: not in the quick pass of `make test`,
 * which sets SYNOVIA_QUICK as it does for real meshes; `make check` runs all under the sanitizers. */
#define SLOW_UNDER_SANITIZERS()                                                                                        \
  do {                                                                                                                 \
    if (getenv("SYNOVIA_QUICK")) SKIP("it takes long under a sanitizer (make check)");                                 \
  } while (0)
/* How many of `count` random draws are made: all of them, but in the quick pass an eighth, and no fewer than there are
 * kinds of them, where they go through several in turn. The release half draws all; so does `make check`, under the
 * sanitizers. */
int repeats(int count, int kinds);
/* cmocka's own, with skipped cases counted: a program that skipped all of them ends with 77, which ctest shows as
 * skipped. */
#undef skip
#define skip() skip_case(__FILE__, __LINE__)
#undef cmocka_run_group_tests
#define cmocka_run_group_tests(tests, set_up, tear_down)                                                               \
  run_group(#tests, (tests), sizeof(tests) / sizeof *(tests), (set_up), (tear_down))
void skip_case(const char *file, int line);
int run_group(const char *name, const struct CMUnitTest *tests, size_t count, CMFixtureFunction set_up,
              CMFixtureFunction tear_down);

/* ---- small meshes --------------------------------------------------------------------------------------------------
 */

/* A closed, outward cube of edge `size` at the origin: 8 vertices, 12 triangles. */
syn_trimesh *make_cube(const syn_context *context, double size);
/* A random soup of triangles in a cube of half width 1. */
syn_trimesh *make_soup(const syn_context *context, test_random *random, uint32_t vertices, uint32_t triangles);
/* A closed, outward sphere-like mesh: latitude/longitude grid of `rings` x `sectors`, each vertex moved radially by up
 * to `bump`. */
syn_trimesh *make_blob(const syn_context *context, test_random *random, uint32_t rings, uint32_t sectors, double bump);

/* The right hip that `syn_shape_create` made: its parts are the bodies of the joint. */
syn_hip hip_of_shape(const syn_joint *shape);

/* The same vertices and triangles under another context: nothing is copied, nothing to free. For attempts of
 * check_every_allocation. */
syn_trimesh with_context(const syn_trimesh *mesh, const syn_context *context);

#endif
