/* Method "sliding-hash" against a transcription of Maciel 2005, Algorithms 3 and 4, and against exact radial depths. */
#include "base/vec.h"
#include "collide/published/sliding_hash.h"
#include "support.h"

/* Eq. 4.22 to 4.24 as printed. */
static void hash_of(uint32_t size, syn_vec3 p, uint32_t *row, uint32_t *column) {
  const double theta = atan2(p.y, p.x), phi = acos(p.z / sqrt(p.x * p.x + p.y * p.y + p.z * p.z));
  *row = (uint32_t)(theta * (size - 1) / (2 * SYN_PI) + (size - 1) / 2.0);
  *column = (uint32_t)(phi * (size - 1) / SYN_PI);
}

typedef struct twin {
  uint32_t size, *face;
  size_t empty, overwritten;
} twin;

static syn_vec3 middle_of(const syn_trimesh *mesh, uint32_t t, syn_vec3 center) {
  syn_vec3 sum = {0, 0, 0};
  for (int c = 0; c < 3; ++c) sum = vec3_add(sum, vec3_sub(mesh->vertices[mesh->triangles[t].v[c]], center));
  return vec3_scale(sum, 1.0 / 3);
}

/* How much the triangle looks away from the centre. */
static double outwardness(const syn_trimesh *mesh, uint32_t t, syn_vec3 center) {
  const uint32_t *v = mesh->triangles[t].v;
  const syn_vec3 ab = vec3_sub(mesh->vertices[v[1]], mesh->vertices[v[0]]),
                 ac = vec3_sub(mesh->vertices[v[2]], mesh->vertices[v[0]]);
  return vec3_dot(vec3_cross(ab, ac), middle_of(mesh, t, center));
}

static twin make_twin(const syn_trimesh *mesh, const syn_collide_options *options, uint32_t size) {
  twin made = {.size = size, .face = malloc((size_t)size * size * sizeof(uint32_t))};
  for (uint32_t i = 0; i < size * size; ++i) made.face[i] = SYN_NONE;
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    uint32_t row, column;
    const double outward = outwardness(mesh, t, options->center);
    if (options->use_normals && !(options->fixed_outside ? outward < -1e-12 : outward > 1e-12)) continue;
    hash_of(size, middle_of(mesh, t, options->center), &row, &column);
    made.overwritten += made.face[row * size + column] != SYN_NONE;
    made.face[row * size + column] = t;
  }
  for (uint32_t i = 0; i < size * size; ++i) made.empty += made.face[i] == SYN_NONE;
  return made;
}

static void check_depths(const twin *t, const syn_trimesh *fixed, const syn_trimesh *mobile, const syn_pose *pose,
                         const syn_collide_options *options, const syn_contacts *found, size_t *tests) {
  *tests = 0;
  size_t contact = 0;
  for (uint32_t v = 0; v < mobile->vertex_count; ++v) {
    const syn_vec3 at = vec3_sub(syn_pose_point(pose, mobile->vertices[v]), options->center);
    uint32_t row, column;
    hash_of(t->size, at, &row, &column);
    const uint32_t face = t->face[row * t->size + column];
    if (face == SYN_NONE) {
      assert_true(found->vertex_depth[v] == (double)-INFINITY);
      continue;
    }
    ++*tests;
    const double way = vec3_length(at) - vec3_length(middle_of(fixed, face, options->center));
    ASSERT_NEAR(found->vertex_depth[v], options->fixed_outside ? way : -way, 1e-13);
    if (!(found->vertex_depth[v] > 0)) continue;
    assert_int_equal(found->contacts[contact].mobile_element, v);
    assert_int_equal(found->contacts[contact++].fixed_element, face);
  }
  assert_int_equal(contact, found->count);
}

static void any_bodies_give_what_the_algorithms_give(void **state) {
  (void)state;
  test_random random = {41};
  size_t contacts = 0;
  for (int scene = 0; scene < 1000; ++scene) {
    syn_trimesh *fixed = scene % 4 ? make_blob(NULL, &random, 6, 9, 0.2) : make_soup(NULL, &random, 20, 5),
                *mobile = make_blob(NULL, &random, 5, 7, 0.4);
    const syn_pose pose = random_pose(&random, 0.1);
    const uint32_t sizes[] = {2, 10, 40, 100}, size = sizes[random_below(&random, 4)];
    syn_collide_options options = syn_default_collide_options();
    options.center = random_vec3(&random, 0.05);
    options.table_size = size * size;
    options.fixed_outside = scene % 2;
    options.use_normals = scene % 3 > 0;
    twin t = make_twin(fixed, &options, size);
    const syn_body a = {.surface = fixed}, b = {.surface = mobile};
    syn_error error;
    syn_collider *collider;
    ASSERT_OK(syn_collider_create(NULL, "sliding-hash", &a, &b, &options, &collider, &error));
    void *scratch = malloc(syn_collider_scratch(collider));
    double depth[64];
    syn_contact list[64];
    syn_contacts found = {.contacts = list, .capacity = 64, .vertex_depth = depth};
    ASSERT_OK(syn_collider_query(collider, &pose, scratch, &found));
    size_t tests;
    check_depths(&t, fixed, mobile, &pose, &options, &found, &tests);
    syn_sliding_counts counts;
    ASSERT_OK(syn_sliding_count(NULL, fixed, mobile, &options, &pose, &counts, &error));
    assert_true(counts.side == size && counts.empty == t.empty && counts.overwritten == t.overwritten &&
                counts.tests == tests);
    contacts += found.count;
    free(scratch);
    syn_collider_destroy(collider);
    free(t.face);
    syn_trimesh_destroy(fixed);
    syn_trimesh_destroy(mobile);
  }
  assert_true(contacts > 1000);
}

/* With as many cells as suit the mesh the mean error is that of a facet; with few cells it is far larger. */
static void the_error_against_exact_depths_is_that_of_the_cells(void **state) {
  (void)state;
  syn_error error;
  syn_joint *cup, *ball;
  ASSERT_OK(syn_shape_create(NULL, "cup", NULL, 0, &cup, &error));
  ASSERT_OK(syn_shape_create(NULL, "ball", NULL, 0, &ball, &error));
  const syn_body *a = &cup->bodies[0], *b = &ball->bodies[0];
  double *depth[2], mean[2] = {0};
  for (int k = 0; k < 2; ++k) depth[k] = calloc(b->surface->vertex_count, sizeof(double));
  for (int k = 0; k < 2; ++k) {
    const char *const methods[2] = {"radial", "sliding-hash"};
    size_t both = 0;
    for (int m = 0; m < 2; ++m) {
      syn_collide_options options = syn_default_collide_options();
      options.table_size = k == 0 ? 100 : 10000;
      if (m == 0) options.table_size = 0;
      options.center = vec3(2, -1, 1); /* so that radii differ */
      syn_collider *collider;
      ASSERT_OK(syn_collider_create(NULL, methods[m], a, b, &options, &collider, &error));
      void *scratch = malloc(syn_collider_scratch(collider));
      syn_contacts found = {.vertex_depth = depth[m]};
      ASSERT_OK(syn_collider_query(collider, NULL, scratch, &found));
      free(scratch);
      syn_collider_destroy(collider);
    }
    for (uint32_t v = 0; v < b->surface->vertex_count; ++v)
      if (isfinite(depth[0][v]) && isfinite(depth[1][v])) {
        mean[k] += fabs(depth[0][v] - depth[1][v]);
        ++both;
      }
    assert_true(both > 1000);
    mean[k] /= (double)both;
  }
  assert_true(mean[1] < 0.1 && mean[1] < mean[0] / 4); /* mm, of a radius of 25; 0.055 and 0.41 */
  for (int k = 0; k < 2; ++k) free(depth[k]);
  syn_joint_destroy(cup);
  syn_joint_destroy(ball);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(any_bodies_give_what_the_algorithms_give),
      cmocka_unit_test(the_error_against_exact_depths_is_that_of_the_cells),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
