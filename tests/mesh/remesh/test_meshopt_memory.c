/* What meshoptimizer takes, against what is reserved for it, with the version of it that is installed. */
#include <meshoptimizer.h>

#include "base/status.h"
#include "mesh/remesh/meshopt_memory.h"
#include "support.h"

enum { FUNCTIONS = 4 };

static float *floats_of(const syn_trimesh *mesh) {
  float *points = calloc(3 * (size_t)mesh->vertex_count + 1, sizeof *points);
  for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
    points[3 * i] = (float)mesh->vertices[i].x;
    points[3 * i + 1] = (float)mesh->vertices[i].y;
    points[3 * i + 2] = (float)mesh->vertices[i].z;
  }
  return points;
}

/* Every function that is called anywhere, in every manner; the number of corners in `to`. */
static size_t call(int function, const syn_trimesh *mesh, const float *points, uint32_t *to) {
  const size_t corners = 3 * (size_t)mesh->triangle_count;
  float error;
  if (function == 0) meshopt_optimizeVertexCache(to, mesh->triangles->v, corners, mesh->vertex_count);
  if (function == 1) meshopt_optimizeVertexFetchRemap(to, mesh->triangles->v, corners, mesh->vertex_count);
  if (function == 0) return corners;
  if (function == 1) return mesh->vertex_count;
  return meshopt_simplify(to, mesh->triangles->v, corners, points, mesh->vertex_count, 3 * sizeof(float), 3, 1e9f,
                          function == 3 ? meshopt_SimplifyLockBorder : 0, &error);
}

/* `much`: what is reserved for the mesh, else hardly anything. The answer is the same. */
static void check_call(int function, const syn_trimesh *mesh, const float *points, bool much, double *share) {
  const size_t room = 3 * (size_t)mesh->triangle_count + mesh->vertex_count;
  uint32_t *plain = calloc(room, sizeof *plain), *ours = calloc(room, sizeof *ours);
  syn_meshopt_memory memory;
  syn_error error;
  const size_t expected = call(function, mesh, points, plain);
  ASSERT_OK(syn_meshopt_reserve(NULL, mesh->vertex_count, mesh->triangle_count, &memory, &error));
  const size_t size = memory.size;
  if (!much) memory.size = 40;
  syn_meshopt_begin(&memory);
  assert_int_equal(call(function, mesh, points, ours), expected);
  syn_meshopt_end();
  assert_memory_equal(plain, ours, expected * sizeof *ours);
  assert_int_equal(memory.used, 0);
  assert_true(memory.most <= memory.size);
  if (much) assert_false(memory.exceeded);
  if (!much && function != 1 && mesh->triangle_count > 8) assert_true(memory.exceeded);
  if (much) *share = fmax(*share, (double)memory.most / (double)size);
  syn_meshopt_release(&memory);
  free(plain);
  free(ours);
}

static void what_is_reserved_is_enough(void **state) {
  (void)state;
  test_random random = {8};
  double share = 0;
  for (int turn = 0; turn < 60; ++turn) {
    const uint32_t size = turn < 30 ? 3 + (uint32_t)turn : 10 + random_below(&random, 150);
    /* many triangles on few vertices, triangles that share nothing, vertices that no triangle has, closed surfaces */
    syn_trimesh *mesh = turn % 4 == 0   ? make_soup(NULL, &random, size, 40 * size)
                        : turn % 4 == 1 ? make_soup(NULL, &random, 300 * size, 100 * size)
                        : turn % 4 == 2 ? make_soup(NULL, &random, 400 * size, size)
                                        : make_blob(NULL, &random, size, size, 0.1);
    float *points = floats_of(mesh);
    for (int f = 0; f < FUNCTIONS; ++f) {
      check_call(f, mesh, points, true, &share);
      check_call(f, mesh, points, false, &share);
    }
    free(points);
    syn_trimesh_destroy(mesh);
  }
  print_message("at most %.0f %% of what is reserved was in use\n", 100 * share);
  assert_true(share > 0.3); /* it is taken from there at all */
}

static syn_status reserve(const syn_context *context, void *user, syn_error *error) {
  syn_meshopt_memory memory;
  (void)user;
  SYN_TRY(syn_meshopt_reserve(context, 100, 200, &memory, error));
  syn_meshopt_release(&memory);
  return SYN_OK;
}

static void a_refused_reserve_is_said(void **state) {
  (void)state;
  check_every_allocation(reserve, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_reserved_is_enough),
      cmocka_unit_test(a_refused_reserve_is_said),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
