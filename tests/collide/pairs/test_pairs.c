/* The methods that find crossing triangles, against all pairs tried one by one. */
#include "support.h"

#include "base/vec.h"
#include "collide/pairs/pair_search.h"
#include "geometry/triangle_pair.h"
#include "surfaces.h"

static const char *const methods[] = {"obb", "aabb"};
enum { METHODS = 2, MOST = 4096 };

/* ---- meshes of every kind ---------------------------------------------------------------------------------------- */

enum { KINDS = 7 };

static syn_trimesh *moved_mesh(syn_trimesh *mesh, syn_vec3 (*move)(test_random *, syn_vec3), test_random *random) {
  syn_vec3 *places = malloc((mesh->vertex_count + 1) * sizeof *places);
  syn_trimesh *moved;
  syn_error error;
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) places[v] = move(random, mesh->vertices[v]);
  ASSERT_OK(
      syn_trimesh_create(NULL, places, mesh->vertex_count, mesh->triangles, mesh->triangle_count, &moved, &error));
  free(places);
  syn_trimesh_destroy(mesh);
  return moved;
}

static syn_vec3 to_grid(test_random *random, syn_vec3 p) {
  (void)random;
  return vec3(round(p.x * 2) / 2, round(p.y * 2) / 2, round(p.z * 2) / 2);
}
static syn_vec3 to_plane(test_random *random, syn_vec3 p) {
  (void)random;
  return vec3(round(p.x * 4) / 4, round(p.y * 4) / 4, 0);
}
static syn_vec3 thin(test_random *random, syn_vec3 p) {
  (void)random;
  return vec3(p.x, p.y, p.z * 1e-7);
}
static syn_vec3 spiky(test_random *random, syn_vec3 p) { return random_below(random, 6) == 0 ? vec3_scale(p, 3) : p; }

static syn_trimesh *any_mesh(test_random *random, uint32_t kind) {
  switch (kind) {
  case 0: return make_soup(NULL, random, 20 + random_below(random, 40), 1 + random_below(random, 28));
  case 1: return make_cube(NULL, 1);
  case 2: return make_blob(NULL, random, 4, 5, 0.3);
  case 3: return moved_mesh(make_soup(NULL, random, 24, 20), to_grid, random);
  case 4: return moved_mesh(make_soup(NULL, random, 24, 20), to_plane, random);
  case 5: return moved_mesh(make_blob(NULL, random, 4, 5, 0.3), thin, random);
  default: return moved_mesh(make_blob(NULL, random, 4, 5, 0), spiky, random);
  }
}

/* Also poses that keep coordinates on the grid, so that surfaces touch. */
static syn_pose any_pose(test_random *random) {
  syn_pose pose = random_pose(random, 1);
  switch (random_below(random, 4)) {
  case 0: return syn_pose_identity();
  case 1: pose.rotation = syn_pose_identity().rotation; /* fall through */
  case 2: pose.translation = to_grid(random, pose.translation); return pose;
  default: return pose;
  }
}

/* ---- the slow twin ----------------------------------------------------------------------------------------------- */

typedef struct all_pairs {
  size_t count;
  struct {
    uint32_t mobile, fixed;
  } pairs[MOST];
} all_pairs;

static void find_all(const syn_trimesh *fixed, const syn_trimesh *mobile, const syn_pose *pose, all_pairs *all) {
  all->count = 0;
  for (uint32_t m = 0; m < mobile->triangle_count; ++m) {
    syn_vec3 b[3];
    for (int c = 0; c < 3; ++c) b[c] = syn_pose_point(pose, mobile->vertices[mobile->triangles[m].v[c]]);
    for (uint32_t f = 0; f < fixed->triangle_count; ++f) {
      syn_vec3 a[3];
      for (int c = 0; c < 3; ++c) a[c] = fixed->vertices[fixed->triangles[f].v[c]];
      if (!syn_triangles_meet(a, b)) continue;
      assert_true(all->count < MOST);
      all->pairs[all->count].mobile = m;
      all->pairs[all->count++].fixed = f;
    }
  }
}

static syn_collider *make(const syn_context *context, const char *method, const syn_trimesh *fixed,
                          const syn_trimesh *mobile, syn_vec3 center) {
  const syn_body f = {.surface = fixed}, m = {.surface = mobile};
  syn_collide_options options = syn_default_collide_options();
  syn_collider *collider;
  syn_error error;
  options.center = center;
  ASSERT_OK(syn_collider_create(context, method, &f, &m, &options, &collider, &error));
  assert_int_equal(syn_collider_scratch(collider), 0);
  return collider;
}

static void check_against(const syn_collider *collider, const syn_pose *pose, const all_pairs *all) {
  static syn_contact contacts[MOST];
  syn_contacts result = {.contacts = contacts, .capacity = MOST};
  syn_collider_query(collider, pose, NULL, &result);
  assert_int_equal(result.count, all->count);
  assert_true(all->count == 0 || result.penetrating);
  for (size_t i = 0; i < all->count; ++i) {
    assert_int_equal(contacts[i].of, SYN_OF_TRIANGLE_TRIANGLE);
    assert_int_equal(contacts[i].mobile_element, all->pairs[i].mobile);
    assert_int_equal(contacts[i].fixed_element, all->pairs[i].fixed);
    assert_true(isnan(contacts[i].depth_mm) && vec3_finite(contacts[i].point));
  }
  syn_contacts first = {.first_only = true};
  syn_collider_query(collider, pose, NULL, &first);
  assert_int_equal(first.count, all->count > 0);
  assert_int_equal(first.penetrating, result.penetrating);
}

static void random_bodies_give_the_same_pairs_as_trying_all(void **state) {
  (void)state;
  test_random random = {101};
  static all_pairs all;
  size_t total = 0, empty = 0;
  for (uint32_t round = 0; round < 150; ++round) {
    syn_trimesh *fixed = any_mesh(&random, round % KINDS), *mobile = any_mesh(&random, round / KINDS % KINDS);
    syn_collider *colliders[METHODS];
    for (int k = 0; k < METHODS; ++k) colliders[k] = make(NULL, methods[k], fixed, mobile, random_vec3(&random, 1));
    for (int i = 0; i < 7; ++i) {
      const syn_pose pose = any_pose(&random);
      find_all(fixed, mobile, &pose, &all);
      total += all.count;
      empty += all.count == 0;
      for (int k = 0; k < METHODS; ++k) check_against(colliders[k], &pose, &all);
    }
    for (int k = 0; k < METHODS; ++k) syn_collider_destroy(colliders[k]);
    syn_trimesh_destroy(fixed);
    syn_trimesh_destroy(mobile);
  }
  assert_true(total > 10000 && empty > 50);
}

/* Far from the origin the floats of the trees are coarser than the bodies' gaps. */
static void nothing_is_missed_far_from_the_origin(void **state) {
  (void)state;
  test_random random = {102};
  static all_pairs all;
  static const double distances[] = {1e4, 1e7, 1e9, 1e11, 9.9e11};
  for (int round = 0; round < 20; ++round) {
    const double distance = distances[round % 5];
    const syn_pose away = {syn_pose_identity().rotation, vec3(distance, -distance, distance)};
    syn_trimesh *near_fixed = any_mesh(&random, 2), *near_mobile = any_mesh(&random, 2), *fixed, *mobile;
    syn_error error;
    ASSERT_OK(syn_trimesh_transform(near_fixed, &away, &fixed, &error));
    ASSERT_OK(syn_trimesh_transform(near_mobile, &away, &mobile, &error));
    for (int k = 0; k < METHODS; ++k) {
      syn_collider *collider = make(NULL, methods[k], fixed, mobile, away.translation);
      for (int i = 0; i < 3; ++i) {
        syn_pose pose = syn_pose_about_axis(away.translation, random_vec3(&random, 1), random_between(&random, 0, 6));
        pose.translation = vec3_add(pose.translation, random_vec3(&random, 1));
        find_all(fixed, mobile, &pose, &all);
        check_against(collider, &pose, &all);
      }
      syn_collider_destroy(collider);
    }
    syn_trimesh_destroy(near_fixed);
    syn_trimesh_destroy(near_mobile);
    syn_trimesh_destroy(fixed);
    syn_trimesh_destroy(mobile);
  }
}

/* ---- ball in cup --------------------------------------------------------------------------------------------------
 */

static void the_ball_in_the_cup_meets_as_the_oracle_says(void **state) {
  (void)state;
  syn_joint *ball, *cup;
  syn_error error;
  const syn_shape_value values[] = {{"cam-height", 1.5}, {"resolution", 14}};
  ASSERT_OK(syn_shape_create(NULL, "ball", values, 2, &ball, &error));
  ASSERT_OK(syn_shape_create(NULL, "cup", &values[1], 1, &cup, &error));
  for (int k = 0; k < METHODS; ++k) {
    syn_collider *collider = make(NULL, methods[k], cup->bodies[0].surface, ball->bodies[0].surface, vec3(0, 0, 0));
    for (int degrees = 0; degrees < 90; degrees += 30) {
      const syn_pose pose = syn_pose_about_axis(vec3(0, 0, 0), vec3(0, 1, 0), degrees * SYN_PI / 180);
      syn_trimesh *turned;
      syn_contacts result = {0};
      ASSERT_OK(syn_trimesh_transform(ball->bodies[0].surface, &pose, &turned, &error));
      syn_collider_query(collider, &pose, NULL, &result);
      assert_int_equal(result.count, degrees == 0 ? 0 : count_meetings(cup->bodies[0].surface, turned));
      assert_int_equal(result.penetrating, degrees > 0);
      syn_trimesh_destroy(turned);
    }
    syn_collider_destroy(collider);
  }
  syn_joint_destroy(ball);
  syn_joint_destroy(cup);
}

/* ---- one inside the other ---------------------------------------------------------------------------------------- */

static void check_penetrating(const syn_trimesh *fixed, const syn_trimesh *mobile, const syn_pose *pose,
                              bool expected) {
  for (int k = 0; k < METHODS; ++k) {
    syn_collider *collider = make(NULL, methods[k], fixed, mobile, vec3(0, 0, 0));
    syn_contacts result = {0};
    syn_collider_query(collider, pose, NULL, &result);
    assert_int_equal(result.count, 0);
    assert_int_equal(result.penetrating, expected);
    if (expected)
      assert_true(isnan(result.max_depth_mm));
    else
      assert_true(result.max_depth_mm == -HUGE_VAL);
    syn_collider_destroy(collider);
  }
}

static void a_body_wholly_inside_the_other_is_noticed(void **state) {
  (void)state;
  test_random random = {103};
  syn_trimesh *large = make_cube(NULL, 4), *small = make_blob(NULL, &random, 6, 8, 0.1), *pair;
  const syn_pose inside = {random_pose(&random, 0).rotation, vec3(2, 2, 2)};
  const syn_pose outside = {inside.rotation, vec3(2, 2, 9)};
  const syn_pose around = syn_pose_inverse(&inside);
  syn_error error;
  check_penetrating(large, small, &inside, true);
  check_penetrating(large, small, &outside, false);
  check_penetrating(small, large, &around, true);
  /* of two components only the second is inside */
  const syn_pose beside = {syn_pose_identity().rotation, vec3(9, 9, 9)};
  syn_trimesh *far;
  ASSERT_OK(syn_trimesh_transform(small, &beside, &far, &error));
  ASSERT_OK(syn_trimesh_merge(NULL, (const syn_trimesh *[]){far, small}, 2, &pair, &error));
  const syn_pose shift = {syn_pose_identity().rotation, vec3(2, 2, 2)};
  check_penetrating(large, pair, &shift, true);
  syn_trimesh_destroy(far);
  syn_trimesh_destroy(pair);
  syn_trimesh_destroy(large);
  syn_trimesh_destroy(small);
}

static void an_open_surface_encloses_nothing_and_says_so(void **state) {
  (void)state;
  test_memory memory = {0};
  syn_context context = test_context(&memory);
  test_random random = {104};
  syn_error error;
  syn_trimesh *cube = make_cube(NULL, 4), *small = make_blob(NULL, &random, 6, 8, 0.1), *open, *empty;
  ASSERT_OK(syn_trimesh_create(NULL, cube->vertices, 8, cube->triangles, 11, &open, &error));
  ASSERT_OK(syn_trimesh_create(NULL, NULL, 0, NULL, 0, &empty, &error));
  const syn_pose inside = {syn_pose_identity().rotation, vec3(2, 2, 2)};
  check_penetrating(open, small, &inside, false);
  check_penetrating(empty, small, &inside, false);
  check_penetrating(cube, empty, &inside, false);
  syn_collider *collider = make(&context, "obb", open, small, vec3(0, 0, 0));
  assert_non_null(strstr(memory.last_warning, "fixed surface is open"));
  syn_collider_destroy(collider);
  assert_int_equal(memory.live, 0);
  syn_trimesh_destroy(cube);
  syn_trimesh_destroy(small);
  syn_trimesh_destroy(open);
  syn_trimesh_destroy(empty);
}

/* ---- life -------------------------------------------------------------------------------------------------------- */

static void an_update_gives_what_a_fresh_build_gives(void **state) {
  (void)state;
  test_random random = {105};
  static all_pairs all;
  syn_error error;
  for (int round = 0; round < 20; ++round) {
    syn_trimesh *fixed = any_mesh(&random, 2), *mobile = any_mesh(&random, 0);
    syn_trimesh *bent_fixed = any_mesh(&random, 2), *bent_mobile;
    syn_vec3 places[64];
    for (uint32_t v = 0; v < mobile->vertex_count; ++v) places[v] = random_vec3(&random, 1);
    ASSERT_OK(syn_trimesh_create(NULL, places, mobile->vertex_count, mobile->triangles, mobile->triangle_count,
                                 &bent_mobile, &error));
    const syn_pose pose = any_pose(&random);
    for (int k = 0; k < METHODS; ++k) {
      syn_collider *collider = make(NULL, methods[k], fixed, mobile, vec3(0, 0, 0));
      ASSERT_OK(syn_collider_update(collider, NULL, places, &error));
      find_all(fixed, bent_mobile, &pose, &all);
      check_against(collider, &pose, &all);
      ASSERT_OK(syn_collider_update(collider, bent_fixed->vertices, NULL, &error));
      find_all(bent_fixed, bent_mobile, &pose, &all);
      check_against(collider, &pose, &all);
      const double kept = places[0].y;
      places[0].y = NAN; /* refused, and all stays as it was */
      ASSERT_FAILS(syn_collider_update(collider, NULL, places, &error), SYN_BAD_MESH, "not finite");
      places[0].y = kept;
      check_against(collider, &pose, &all);
      syn_collider_destroy(collider);
    }
    syn_trimesh_destroy(fixed);
    syn_trimesh_destroy(mobile);
    syn_trimesh_destroy(bent_fixed);
    syn_trimesh_destroy(bent_mobile);
  }
}

/* One moved vertex: the boxes around its triangles are fitted, and the tree is as if made again with the same cuts. */
static void an_update_touches_what_moved_and_no_more(void **state) {
  (void)state;
  test_random random = {107};
  syn_error error;
  syn_trimesh *mesh = make_blob(NULL, &random, 40, 60, 0.1);
  pair_surface part, whole;
  ASSERT_OK(syn_pair_surface_create(NULL, mesh, vec3(0.1, 0, 0), "fixed", &part, &error));
  ASSERT_OK(syn_pair_surface_create(NULL, mesh, vec3(0.1, 0, 0), "fixed", &whole, &error));
  syn_vec3 *places = malloc(mesh->vertex_count * sizeof *places), *shaken = malloc(mesh->vertex_count * sizeof *places);
  memcpy(places, mesh->vertices, mesh->vertex_count * sizeof *places);
  size_t touched;
  ASSERT_OK(syn_pair_surface_update(&part, places, &touched, &error));
  assert_int_equal(touched, 0);
  for (int round = 0; round < 10; ++round) {
    places[random_below(&random, mesh->vertex_count)] = random_vec3(&random, 1);
    ASSERT_OK(syn_pair_surface_update(&part, places, &touched, &error));
    assert_true(touched > 0 && touched < 300 && touched < part.tree->node_count / 10);
  }
  /* the other one is moved away as a whole and back to the same places */
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) shaken[v] = vec3_add(places[v], vec3(1, 2, 3));
  ASSERT_OK(syn_pair_surface_update(&whole, shaken, &touched, &error));
  assert_int_equal(touched, 2 * (size_t)mesh->triangle_count - 1);
  ASSERT_OK(syn_pair_surface_update(&whole, places, NULL, &error));
  assert_memory_equal(part.corners, whole.corners, 3 * (size_t)mesh->triangle_count * sizeof *part.corners);
  for (uint32_t i = 0; i < part.tree->node_count; ++i) {
    if (i == 1) continue;
    assert_memory_equal(&part.tree->nodes[i], &whole.tree->nodes[i], sizeof *part.tree->nodes);
    assert_memory_equal(&part.shells[i], &whole.shells[i], sizeof *part.shells);
  }
  free(places);
  free(shaken);
  syn_pair_surface_release(&part);
  syn_pair_surface_release(&whole);
  syn_trimesh_destroy(mesh);
}

static void a_small_array_counts_all_and_any_number_of_threads_agrees(void **state) {
  (void)state;
  test_random random = {106};
  syn_trimesh *fixed = make_blob(NULL, &random, 12, 16, 0.2), *mobile = make_blob(NULL, &random, 14, 14, 0.2);
  const syn_pose pose = {random_pose(&random, 0).rotation, vec3(0.4, 0.1, 0)};
  for (int k = 0; k < METHODS; ++k) {
    syn_contact one[MOST], many[MOST];
    syn_contacts first = {.contacts = one, .capacity = MOST};
    for (int threads = 1; threads <= 4; threads += 3) {
      syn_context context = syn_default_context();
      context.threads = threads;
      syn_collider *collider = make(&context, methods[k], fixed, mobile, vec3(0, 0, 0));
      syn_contacts result = {.contacts = threads == 1 ? one : many, .capacity = MOST};
      memset(result.contacts, 0, sizeof one);
      syn_collider_query(collider, &pose, NULL, &result);
      if (threads == 1) first = result;
      assert_int_equal(result.count, first.count);
      syn_contacts few = {.contacts = many, .capacity = 3};
      if (threads == 1) {
        syn_collider_query(collider, &pose, NULL, &few);
        assert_int_equal(few.count, first.count);
        assert_true(few.contacts[0].mobile_element <= few.contacts[1].mobile_element);
      } else
        assert_memory_equal(one, many, first.count * sizeof *one);
      syn_collider_destroy(collider);
    }
    assert_true(first.count > 20);
  }
  syn_trimesh_destroy(fixed);
  syn_trimesh_destroy(mobile);
}

typedef struct life {
  const char *method;
  syn_trimesh *cube;
} life;

static syn_status live(const syn_context *context, void *user, syn_error *error) {
  const life *l = user;
  syn_trimesh mesh = *l->cube;
  mesh.context = context;
  mesh.shared = NULL; /* all memory comes from this context */
  const syn_body body = {.surface = &mesh};
  syn_collider *collider;
  syn_status status = syn_collider_create(context, l->method, &body, &body, NULL, &collider, error);
  if (status != SYN_OK) return status;
  status = syn_collider_update(collider, mesh.vertices, mesh.vertices, error);
  syn_collider_destroy(collider);
  return status;
}

static void every_refused_allocation_is_survived(void **state) {
  (void)state;
  life l = {.cube = make_cube(NULL, 1)};
  for (int k = 0; k < METHODS; ++k) {
    l.method = methods[k];
    check_every_allocation(live, &l);
  }
  syn_trimesh_destroy(l.cube);
}

static void a_missing_surface_is_an_error(void **state) {
  (void)state;
  const syn_body body = {0};
  syn_collider *collider;
  syn_error error;
  ASSERT_FAILS(syn_collider_create(NULL, "obb", &body, &body, NULL, &collider, &error), SYN_BAD_ARGUMENT, "surface");
  ASSERT_FAILS(syn_collider_create(NULL, "none such", &body, &body, NULL, &collider, &error), SYN_BAD_ARGUMENT,
               "none such");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_bodies_give_the_same_pairs_as_trying_all),
      cmocka_unit_test(nothing_is_missed_far_from_the_origin),
      cmocka_unit_test(the_ball_in_the_cup_meets_as_the_oracle_says),
      cmocka_unit_test(a_body_wholly_inside_the_other_is_noticed),
      cmocka_unit_test(an_open_surface_encloses_nothing_and_says_so),
      cmocka_unit_test(an_update_gives_what_a_fresh_build_gives),
      cmocka_unit_test(an_update_touches_what_moved_and_no_more),
      cmocka_unit_test(a_small_array_counts_all_and_any_number_of_threads_agrees),
      cmocka_unit_test(every_refused_allocation_is_survived),
      cmocka_unit_test(a_missing_surface_is_an_error),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
