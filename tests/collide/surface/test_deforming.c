/* Several users of one mesh that deforms: its tree is fitted once for all of them, and each answers as a fresh one. */
#include <pthread.h>

#include "support.h"

#include "base/vec.h"
#include "mesh/shared.h"

enum { ROUNDS = 12, CONTACTS = 2000, POINTS = 200 };

static void deform(test_random *random, const syn_trimesh *mesh, syn_vec3 *vertices) {
  const uint32_t share = random_below(random, 101);
  for (uint32_t i = 0; i < mesh->vertex_count; ++i)
    if (random_below(random, 100) < share) vertices[i] = vec3_madd(mesh->vertices[i], 1, random_vec3(random, 0.1));
}

static syn_collider *collider_on(const syn_trimesh *fixed, const syn_trimesh *mobile, const char *method) {
  syn_error error;
  syn_collider *collider;
  syn_collide_options options = syn_default_collide_options();
  options.both_roles = true;
  ASSERT_OK(syn_collider_create(NULL, method, &(syn_body){.surface = fixed}, &(syn_body){.surface = mobile}, &options,
                                &collider, &error));
  return collider;
}

typedef struct answer {
  syn_contacts result;
  syn_contact contacts[CONTACTS];
} answer;

static void ask(const syn_collider *collider, const syn_pose *pose, answer *a) {
  void *scratch = calloc(1, syn_collider_scratch(collider));
  memset(a, 0, sizeof *a);
  a->result = (syn_contacts){.contacts = a->contacts, .capacity = CONTACTS};
  assert_int_equal(syn_collider_query(collider, pose, scratch, &a->result), SYN_OK);
  assert_true(a->result.count <= CONTACTS);
  free(scratch);
}

static void check_same(const answer *a, const answer *b) {
  assert_int_equal(a->result.count, b->result.count);
  assert_true(a->result.max_depth_mm == b->result.max_depth_mm ||
              (isnan(a->result.max_depth_mm) && isnan(b->result.max_depth_mm)));
  for (size_t i = 0; i < a->result.count; ++i) {
    const syn_contact *x = &a->contacts[i], *y = &b->contacts[i];
    assert_true(x->of == y->of && x->fixed_element == y->fixed_element && x->mobile_element == y->mobile_element);
    assert_true(x->depth_mm == y->depth_mm || (isnan(x->depth_mm) && isnan(y->depth_mm)));
    assert_true(vec3_equal(x->point, y->point) && vec3_equal(x->direction, y->direction));
  }
}

/* As a collider on meshes that were made like this answers. */
static void check_fresh(const syn_collider *collider, const char *method, const syn_trimesh *fixed,
                        const syn_vec3 *vertices, const syn_trimesh *mobile, const syn_pose *pose, size_t *contacts) {
  static answer asked, expected;
  syn_error error;
  syn_trimesh *moved;
  ASSERT_OK(
      syn_trimesh_create(NULL, vertices, fixed->vertex_count, fixed->triangles, fixed->triangle_count, &moved, &error));
  syn_collider *fresh = collider_on(moved, mobile, method);
  ask(collider, pose, &asked);
  ask(fresh, pose, &expected);
  check_same(&asked, &expected);
  *contacts += asked.result.count;
  syn_collider_destroy(fresh);
  syn_trimesh_destroy(moved);
}

static void check_surface(const syn_surface *surface, const syn_trimesh *mesh, const syn_vec3 *vertices,
                          test_random *random) {
  syn_error error;
  syn_trimesh *moved;
  syn_surface *fresh;
  syn_vec3 points[POINTS];
  syn_surface_point asked[POINTS], expected[POINTS];
  ASSERT_OK(
      syn_trimesh_create(NULL, vertices, mesh->vertex_count, mesh->triangles, mesh->triangle_count, &moved, &error));
  ASSERT_OK(syn_surface_create(moved, &fresh, &error));
  for (int i = 0; i < POINTS; ++i) points[i] = random_vec3(random, 2);
  assert_int_equal(syn_surface_nearest(surface, points, POINTS, asked), SYN_OK);
  assert_int_equal(syn_surface_nearest(fresh, points, POINTS, expected), SYN_OK);
  for (int i = 0; i < POINTS; ++i)
    assert_true(asked[i].triangle == expected[i].triangle && asked[i].distance_mm == expected[i].distance_mm &&
                vec3_equal(asked[i].point, expected[i].point));
  syn_surface_destroy(fresh);
  syn_trimesh_destroy(moved);
}

static void two_colliders_and_a_surface_fit_the_tree_once_per_deformation(void **state) {
  (void)state;
  test_random random = {51};
  syn_error error;
  size_t contacts = 0;
  syn_trimesh *fixed = make_blob(NULL, &random, 10, 12, 0.2), *mobile = make_blob(NULL, &random, 8, 9, 0.2);
  syn_collider *distance = collider_on(fixed, mobile, "distance"), *proximity = collider_on(fixed, mobile, "proximity");
  syn_surface *surface;
  syn_vec3 *vertices = calloc(fixed->vertex_count, sizeof *vertices);
  ASSERT_OK(syn_surface_create(fixed, &surface, &error));
  memcpy(vertices, fixed->vertices, fixed->vertex_count * sizeof *vertices);
  for (int round = 0; round < ROUNDS; ++round) {
    const syn_pose pose = random_pose(&random, 0.8);
    deform(&random, fixed, vertices);
    vertices[round] = vec3_madd(vertices[round], 0.01, random_vec3(&random, 1)); /* at least one moves */
    ASSERT_OK(syn_collider_update(distance, vertices, NULL, &error));
    ASSERT_OK(syn_collider_update(proximity, vertices, NULL, &error));
    ASSERT_OK(syn_surface_update(surface, vertices, &error));
    assert_int_equal(fixed->shared->fitted[SYN_DERIVED_SURFACE], round + 1);
    check_fresh(distance, "distance", fixed, vertices, mobile, &pose, &contacts);
    check_fresh(proximity, "proximity", fixed, vertices, mobile, &pose, &contacts);
    check_surface(surface, fixed, vertices, &random);
  }
  assert_true(contacts > 100);
  /* Back as the mesh was made: that tree is there. */
  ASSERT_OK(syn_collider_update(distance, fixed->vertices, NULL, &error));
  assert_int_equal(fixed->shared->fitted[SYN_DERIVED_SURFACE], ROUNDS);
  assert_int_equal(mobile->shared->fitted[SYN_DERIVED_SURFACE], 0);
  syn_surface_destroy(surface);
  syn_collider_destroy(distance);
  syn_collider_destroy(proximity);
  free(vertices);
  syn_trimesh_destroy(fixed);
  syn_trimesh_destroy(mobile);
}

/* ---- clearance ---- */

static void check_clearance(const syn_distance *distance, const syn_trimesh *const meshes[2],
                            syn_vec3 *const vertices[2], const syn_pose *pose, size_t *apart) {
  syn_error error;
  syn_trimesh *moved[2];
  syn_distance *fresh;
  syn_clearance asked, expected;
  for (int i = 0; i < 2; ++i)
    ASSERT_OK(syn_trimesh_create(NULL, vertices[i], meshes[i]->vertex_count, meshes[i]->triangles,
                                 meshes[i]->triangle_count, &moved[i], &error));
  ASSERT_OK(syn_distance_create(moved[0], moved[1], NULL, &fresh, &error));
  void *scratch = malloc(syn_distance_scratch(distance) + syn_distance_scratch(fresh));
  assert_int_equal(syn_distance_query(distance, pose, NULL, scratch, &asked), SYN_OK);
  assert_int_equal(syn_distance_query(fresh, pose, NULL, scratch, &expected), SYN_OK);
  if (asked.distance_mm != expected.distance_mm)
    fail_msg("%.17g (crossing %d), a fresh one says %.17g (%d)", asked.distance_mm, asked.crossing,
             expected.distance_mm, expected.crossing);
  assert_int_equal(asked.crossing, expected.crossing);
  if (!asked.crossing)
    assert_true(asked.fixed_triangle == expected.fixed_triangle && asked.mobile_triangle == expected.mobile_triangle);
  *apart += asked.distance_mm > 0;
  free(scratch);
  syn_distance_destroy(fresh);
  syn_trimesh_destroy(moved[0]);
  syn_trimesh_destroy(moved[1]);
}

/* One vertex, some or all; either body or both; far away and back, so that the reach of the bounds changes. */
static void a_clearance_follows_deformations_as_a_fresh_one(void **state) {
  (void)state;
  test_random random = {57};
  syn_error error;
  size_t apart = 0;
  const int rounds = 240;
  syn_trimesh *meshes[2] = {make_blob(NULL, &random, 24, 26, 0.2), make_blob(NULL, &random, 9, 11, 0.2)};
  const syn_trimesh *const shown[2] = {meshes[0], meshes[1]};
  syn_vec3 *vertices[2];
  syn_distance *distance;
  ASSERT_OK(syn_distance_create(meshes[0], meshes[1], NULL, &distance, &error));
  for (int i = 0; i < 2; ++i) {
    vertices[i] = malloc(meshes[i]->vertex_count * sizeof **vertices);
    memcpy(vertices[i], meshes[i]->vertices, meshes[i]->vertex_count * sizeof **vertices);
  }
  for (int round = 0; round < rounds; ++round) {
    const int which = round % 3; /* 2: both */
    const syn_pose pose = random_pose(&random, round % 2 ? 3 : 1.5);
    for (int i = 0; i < 2; ++i) {
      if (which != 2 && which != i) continue;
      /* along the rays from the middle, so that no surface crosses itself: then it would have no clear inside */
      if (round % 4 == 0)
        for (uint32_t v = 0; v < meshes[i]->vertex_count; ++v)
          vertices[i][v] = vec3_scale(meshes[i]->vertices[v], random_between(&random, 0.8, 1.2));
      else if (round % 4 == 1)
        memcpy(vertices[i], meshes[i]->vertices, meshes[i]->vertex_count * sizeof **vertices);
      else
        for (uint32_t k = random_below(&random, 3) + 1; k > 0; --k) {
          const uint32_t v = random_below(&random, meshes[i]->vertex_count);
          const double by = round % 8 == 3 ? random_between(&random, 1, 3) : random_between(&random, 0.8, 1.2);
          vertices[i][v] = vec3_scale(meshes[i]->vertices[v], by);
        }
    }
    ASSERT_OK(syn_distance_update(distance, which != 1 ? vertices[0] : NULL, which != 0 ? vertices[1] : NULL, &error));
    check_clearance(distance, shown, vertices, &pose, &apart);
  }
  assert_true(apart > 40 && apart < 200);
  vertices[0][0].x = NAN;
  ASSERT_FAILS(syn_distance_update(distance, vertices[0], NULL, &error), SYN_BAD_MESH, "fixed vertex 0");
  syn_distance_destroy(distance);
  for (int i = 0; i < 2; ++i) {
    free(vertices[i]);
    syn_trimesh_destroy(meshes[i]);
  }
}

/* A clearance and a collider on one mesh fit its tree once. */
static void a_clearance_shares_what_is_fitted(void **state) {
  (void)state;
  test_random random = {58};
  syn_error error;
  syn_trimesh *fixed = make_blob(NULL, &random, 9, 11, 0.2), *mobile = make_blob(NULL, &random, 7, 8, 0.2);
  syn_vec3 *vertices = malloc(fixed->vertex_count * sizeof *vertices);
  syn_collider *collider = collider_on(fixed, mobile, "distance");
  syn_distance *distance;
  ASSERT_OK(syn_distance_create(fixed, mobile, NULL, &distance, &error));
  memcpy(vertices, fixed->vertices, fixed->vertex_count * sizeof *vertices);
  for (int round = 0; round < 5; ++round) {
    vertices[round].x += 0.01;
    ASSERT_OK(syn_distance_update(distance, vertices, NULL, &error));
    ASSERT_OK(syn_collider_update(collider, vertices, NULL, &error));
    assert_int_equal(fixed->shared->fitted[SYN_DERIVED_SURFACE], round + 1);
  }
  syn_distance_destroy(distance);
  syn_collider_destroy(collider);
  free(vertices);
  syn_trimesh_destroy(fixed);
  syn_trimesh_destroy(mobile);
}

/* Trees of boxes: one fit for all that look for crossing triangles, whatever their centre. */
static void pair_methods_share_what_is_fitted(void **state) {
  (void)state;
  test_random random = {59};
  syn_error error;
  size_t contacts = 0;
  syn_trimesh *fixed = make_blob(NULL, &random, 9, 11, 0.2), *mobile = make_blob(NULL, &random, 7, 8, 0.2);
  syn_vec3 *vertices = malloc(fixed->vertex_count * sizeof *vertices);
  static const char *const methods[] = {"aabb", "obb", "aabb"};
  syn_collider *colliders[3];
  for (int i = 0; i < 3; ++i) colliders[i] = collider_on(fixed, mobile, methods[i]);
  memcpy(vertices, fixed->vertices, fixed->vertex_count * sizeof *vertices);
  for (int round = 0; round < ROUNDS; ++round) {
    const syn_pose pose = random_pose(&random, 0.8);
    deform(&random, fixed, vertices);
    vertices[round] = vec3_madd(vertices[round], 0.01, random_vec3(&random, 1)); /* at least one moves */
    for (int i = 0; i < 3; ++i) {
      ASSERT_OK(syn_collider_update(colliders[i], vertices, NULL, &error));
      check_fresh(colliders[i], methods[i], fixed, vertices, mobile, &pose, &contacts);
    }
    assert_int_equal(fixed->shared->fitted[SYN_DERIVED_PAIR_SHAPE], round + 1);
  }
  assert_true(contacts > 100);
  for (int i = 0; i < 3; ++i) syn_collider_destroy(colliders[i]);
  free(vertices);
  syn_trimesh_destroy(fixed);
  syn_trimesh_destroy(mobile);
}

static syn_status update_distance(const syn_context *context, void *user, syn_error *error) {
  syn_trimesh mesh = with_context(user, context);
  syn_vec3 vertices[8];
  syn_distance *distance;
  for (int i = 0; i < 8; ++i) vertices[i] = vec3_scale(mesh.vertices[i], 1.5);
  SYN_TRY(syn_distance_create(&mesh, &mesh, NULL, &distance, error));
  const syn_status status = syn_distance_update(distance, vertices, vertices, error);
  syn_distance_destroy(distance);
  return status;
}

static void memory_may_be_refused_to_a_clearance(void **state) {
  (void)state;
  syn_trimesh *cube = make_cube(NULL, 1);
  check_every_allocation(update_distance, cube);
  syn_trimesh_destroy(cube);
}

/* More of them than the mesh keeps versions, each with a deformation of its own. */
static void users_with_deformations_of_their_own_do_not_see_those_of_others(void **state) {
  (void)state;
  enum { USERS = 4 };
  test_random random = {52};
  syn_error error;
  size_t contacts = 0;
  syn_trimesh *fixed = make_blob(NULL, &random, 9, 10, 0.2), *mobile = make_blob(NULL, &random, 6, 7, 0.2);
  syn_collider *users[USERS];
  syn_vec3 *vertices[USERS];
  for (int i = 0; i < USERS; ++i) {
    users[i] = collider_on(fixed, mobile, "distance");
    vertices[i] = calloc(fixed->vertex_count, sizeof **vertices);
    memcpy(vertices[i], fixed->vertices, fixed->vertex_count * sizeof **vertices);
  }
  for (int round = 0; round < 40; ++round) {
    const uint32_t who = random_below(&random, USERS), like = random_below(&random, 2 * USERS);
    const syn_pose pose = random_pose(&random, 0.8);
    if (like < USERS)
      memcpy(vertices[who], vertices[like], fixed->vertex_count * sizeof **vertices);
    else
      deform(&random, fixed, vertices[who]);
    ASSERT_OK(syn_collider_update(users[who], vertices[who], NULL, &error));
    for (int i = 0; i < USERS; ++i) check_fresh(users[i], "distance", fixed, vertices[i], mobile, &pose, &contacts);
  }
  assert_true(contacts > 100);
  for (int i = 0; i < USERS; ++i) {
    syn_collider_destroy(users[i]);
    free(vertices[i]);
  }
  syn_trimesh_destroy(fixed);
  syn_trimesh_destroy(mobile);
}

static void in_the_long_run_nothing_is_allocated(void **state) {
  (void)state;
  test_random random = {53};
  syn_error error;
  test_memory memory = {0};
  const syn_context context = test_context(&memory);
  syn_trimesh *mesh = make_blob(&context, &random, 9, 10, 0.2);
  syn_surface *a, *b;
  syn_vec3 *vertices = calloc(mesh->vertex_count, sizeof *vertices);
  size_t live = 0;
  ASSERT_OK(syn_surface_create(mesh, &a, &error));
  ASSERT_OK(syn_surface_create(mesh, &b, &error));
  memcpy(vertices, mesh->vertices, mesh->vertex_count * sizeof *vertices);
  for (int round = 0; round < 10; ++round) {
    deform(&random, mesh, vertices);
    ASSERT_OK(syn_surface_update(a, vertices, &error));
    ASSERT_OK(syn_surface_update(b, vertices, &error));
    if (round == 2) live = memory.live;
  }
  assert_int_equal(memory.live, live);
  vertices[1].x = NAN;
  ASSERT_FAILS(syn_surface_update(a, vertices, &error), SYN_BAD_MESH, "vertex 1");
  syn_surface_destroy(a);
  syn_surface_destroy(b);
  syn_trimesh_destroy(mesh);
  assert_int_equal(memory.live, 0);
  free(vertices);
}

/* ---- threads and memory --------------------------------------------------------------------------------------------
 */

typedef struct user {
  const syn_trimesh *mesh;
  const syn_vec3 *deformations[ROUNDS];
  bool good;
} user;

static void *follow(void *opaque) {
  user *u = opaque;
  syn_error error;
  syn_surface *surface;
  u->good = syn_surface_create(u->mesh, &surface, &error) == SYN_OK;
  for (int round = 0; u->good && round < ROUNDS; ++round) {
    syn_surface_point nearest;
    u->good = syn_surface_update(surface, u->deformations[round], &error) == SYN_OK &&
              syn_surface_nearest(surface, &u->deformations[round][3], 1, &nearest) == SYN_OK &&
              nearest.distance_mm == 0;
  }
  syn_surface_destroy(surface);
  return NULL;
}

static void threads_may_follow_one_mesh(void **state) {
  (void)state;
  enum { THREADS = 4 };
  test_random random = {54};
  syn_trimesh *mesh = make_blob(NULL, &random, 10, 12, 0.2);
  syn_vec3 *deformations[ROUNDS];
  pthread_t threads[THREADS];
  user users[THREADS];
  for (int i = 0; i < ROUNDS; ++i) {
    deformations[i] = calloc(mesh->vertex_count, sizeof **deformations);
    memcpy(deformations[i], mesh->vertices, mesh->vertex_count * sizeof **deformations);
    deform(&random, mesh, deformations[i]);
  }
  for (int i = 0; i < THREADS; ++i) {
    users[i] = (user){.mesh = mesh};
    for (int k = 0; k < ROUNDS; ++k) users[i].deformations[k] = deformations[k];
    assert_int_equal(pthread_create(&threads[i], NULL, follow, &users[i]), 0);
  }
  for (int i = 0; i < THREADS; ++i) {
    pthread_join(threads[i], NULL);
    assert_true(users[i].good);
  }
  for (int i = 0; i < ROUNDS; ++i) free(deformations[i]);
  syn_trimesh_destroy(mesh);
}

static syn_status update_and_drop(const syn_context *context, void *opaque, syn_error *error) {
  const syn_trimesh *original = opaque;
  syn_vec3 *vertices = calloc(original->vertex_count, sizeof *vertices);
  syn_trimesh *mesh;
  syn_surface *surface = NULL;
  for (uint32_t i = 0; i < original->vertex_count; ++i) vertices[i] = vec3_scale(original->vertices[i], 1.5);
  syn_status status = syn_trimesh_create(context, original->vertices, original->vertex_count, original->triangles,
                                         original->triangle_count, &mesh, error);
  if (status == SYN_OK) status = syn_surface_create(mesh, &surface, error);
  if (status == SYN_OK) status = syn_surface_update(surface, vertices, error);
  syn_surface_destroy(surface);
  syn_trimesh_destroy(mesh);
  free(vertices);
  return status;
}

static void every_refused_allocation_is_survived(void **state) {
  (void)state;
  syn_trimesh *cube = make_cube(NULL, 1);
  check_every_allocation(update_and_drop, cube);
  syn_trimesh_destroy(cube);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_clearance_follows_deformations_as_a_fresh_one),
      cmocka_unit_test(a_clearance_shares_what_is_fitted),
      cmocka_unit_test(pair_methods_share_what_is_fitted),
      cmocka_unit_test(memory_may_be_refused_to_a_clearance),
      cmocka_unit_test(two_colliders_and_a_surface_fit_the_tree_once_per_deformation),
      cmocka_unit_test(users_with_deformations_of_their_own_do_not_see_those_of_others),
      cmocka_unit_test(in_the_long_run_nothing_is_allocated),
      cmocka_unit_test(threads_may_follow_one_mesh),
      cmocka_unit_test(every_refused_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
