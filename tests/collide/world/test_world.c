/* Worlds of many bodies, against a collider for every pair. */
#include "support.h"

#include "base/vec.h"

enum { BODIES = 9, MOST = 4000 };

static const char *const methods[] = {"obb",  "aabb",       "distance", "proximity", "spheres",
                                      "hash", "buckettree", "convex",   "radial",    "cylindrical"};
enum { METHODS = sizeof methods / sizeof *methods };

/* ---- bodies -------------------------------------------------------------------------------------------------------
 */

typedef struct bodies_at {
  syn_body bodies[BODIES];
  syn_trimesh *surfaces[BODIES];
  syn_tetmesh *volumes[BODIES];
  syn_pose poses[BODIES];
  syn_vec3 *places[BODIES];
  bool ignored[BODIES][BODIES];
} bodies_at;

static syn_tetmesh *make_tets(test_random *random) {
  syn_vec3 points[24];
  syn_tet cells[10];
  syn_tetmesh *mesh;
  syn_error error;
  for (int i = 0; i < 24; ++i) points[i] = random_vec3(random, 1);
  for (int t = 0; t < 10; ++t)
    for (int c = 0; c < 4; ++c) cells[t].v[c] = random_below(random, 24);
  ASSERT_OK(syn_tetmesh_create(NULL, points, 24, cells, 10, &mesh, &error));
  return mesh;
}

/* Body 1 has the meshes of body 0. */
static void make_bodies(test_random *random, bodies_at *w) {
  memset(w, 0, sizeof *w);
  for (int i = 0; i < BODIES; ++i) {
    w->surfaces[i] = make_blob(NULL, random, 4 + random_below(random, 3), 5 + random_below(random, 3), 0.2);
    w->volumes[i] = make_tets(random);
    const int of = i == 1 ? 0 : i;
    w->bodies[i] = (syn_body){.surface = w->surfaces[of], .volume = w->volumes[of], .moves = random_below(random, 2)};
    w->poses[i] = syn_pose_identity();
  }
}

static void release_bodies(bodies_at *w) {
  for (int i = 0; i < BODIES; ++i) {
    syn_trimesh_destroy(w->surfaces[i]);
    syn_tetmesh_destroy(w->volumes[i]);
    free(w->places[i]);
  }
}

static void move(test_random *random, syn_world *world, bool volume, bodies_at *w) {
  syn_error error;
  for (uint32_t i = 0; i < BODIES; ++i) {
    const uint32_t what = random_below(random, 5);
    if (what == 0) continue;
    if (what < 4) {
      w->poses[i] = what == 1 ? syn_pose_identity() : random_pose(random, 4);
      w->poses[i].translation = vec3_add(w->poses[i].translation, vec3(0.7 * i, 0, 0));
      ASSERT_OK(syn_world_place(world, i, &w->poses[i], &error));
      continue;
    }
    const uint32_t count = volume ? w->bodies[i].volume->vertex_count : w->bodies[i].surface->vertex_count;
    const syn_vec3 *vertices = volume ? w->bodies[i].volume->vertices : w->bodies[i].surface->vertices;
    if (!w->places[i]) w->places[i] = malloc(count * sizeof **w->places);
    for (uint32_t v = 0; v < count; ++v) w->places[i][v] = vec3_madd(vertices[v], 0.1, random_vec3(random, 1));
    ASSERT_OK(syn_world_deform(world, i, w->places[i], &error));
  }
}

/* ---- the slow twin ------------------------------------------------------------------------------------------------
 */

/* The contacts of two bodies where they are, in the frame of the world. */
static void ask_twin(const char *method, const bodies_at *w, const syn_collide_options *options, uint32_t f, uint32_t m,
                     syn_contacts *result) {
  syn_collider *collider;
  syn_error error;
  /* two bodies with one volume are still two */
  syn_tetmesh volume = *w->bodies[m].volume;
  syn_body mobile = w->bodies[m];
  if (f != m) mobile.volume = &volume;
  ASSERT_OK(syn_collider_create(NULL, method, &w->bodies[f], &mobile, options, &collider, &error));
  ASSERT_OK(syn_collider_update(collider, w->places[f], w->places[m], &error));
  const syn_pose back = syn_pose_inverse(&w->poses[f]), identity = syn_pose_identity();
  const bool home = memcmp(&w->poses[f], &identity, sizeof identity) == 0;
  const syn_pose pose = home ? w->poses[m] : syn_pose_compose(&back, &w->poses[m]);
  void *scratch = malloc(syn_collider_scratch(collider) + 1);
  assert_int_equal(syn_collider_query(collider, &pose, scratch, result), SYN_OK);
  assert_true(result->count <= MOST);
  for (size_t i = 0; i < result->count && !home; ++i) {
    result->contacts[i].point = syn_pose_point(&w->poses[f], result->contacts[i].point);
    result->contacts[i].direction = syn_pose_direction(&w->poses[f], result->contacts[i].direction);
  }
  free(scratch);
  syn_collider_destroy(collider);
}

static void check_same(const syn_contacts *a, const syn_contacts *b) {
  assert_int_equal(a->count, b->count);
  assert_int_equal(a->penetrating, b->penetrating);
  assert_true(a->max_depth_mm == b->max_depth_mm || (isnan(a->max_depth_mm) && isnan(b->max_depth_mm)));
  for (size_t i = 0; i < a->count; ++i) {
    const syn_contact *x = &a->contacts[i], *y = &b->contacts[i];
    assert_true(x->of == y->of && x->fixed_element == y->fixed_element && x->mobile_element == y->mobile_element);
    assert_true(vec3_equal(x->point, y->point) && vec3_equal(x->direction, y->direction));
  }
}

/* Returns how many pairs collide. */
static size_t check_world(syn_world *world, const char *method, const bodies_at *w, const syn_world_options *options) {
  static syn_contact contacts[MOST];
  const syn_world_pair *pairs;
  size_t count, next = 0, colliding = 0;
  syn_error error;
  ASSERT_OK(syn_world_query(world, MOST, &pairs, &count, &error));
  for (uint32_t low = 0; low < BODIES; ++low)
    for (uint32_t high = options->self ? low : low + 1; high < BODIES; ++high) {
      if (w->ignored[low][high]) continue;
      const bool swap = w->bodies[low].moves && !w->bodies[high].moves;
      const uint32_t f = swap ? high : low, m = swap ? low : high;
      syn_contacts expected = {.contacts = contacts, .capacity = MOST};
      ask_twin(method, w, &options->collide, f, m, &expected);
      colliding += expected.penetrating;
      if (next < count && pairs[next].fixed == f && pairs[next].mobile == m)
        check_same(&pairs[next++].contacts, &expected);
      else
        assert_false(expected.penetrating);
    }
  assert_int_equal(next, count);
  return colliding;
}

static void moving_and_deforming_bodies_give_the_same_as_all_pairs(void **state) {
  (void)state;
  test_random random = {81};
  syn_error error;
  for (int k = 0; k < METHODS; ++k) {
    syn_method_info info;
    size_t colliding = 0;
    ASSERT_OK(syn_method_find(methods[k], &info, &error));
    for (int round = 0; round < 3; ++round) {
      bodies_at w;
      syn_world *world;
      syn_world_options options = syn_default_world_options();
      options.collide.ball_radius_mm = 0.3;
      options.collide.center = vec3(0.2, 0.3, -3);
      options.self = info.needs_volume && round == 1;
      make_bodies(&random, &w);
      ASSERT_OK(syn_world_create(NULL, methods[k], &options, &world, &error));
      for (uint32_t i = 0; i < BODIES; ++i) {
        uint32_t number;
        ASSERT_OK(syn_world_add(world, &w.bodies[i], &number, &error));
        assert_int_equal(number, i);
      }
      if (round == 2) {
        ASSERT_OK(syn_world_ignore(world, 4, 2, &error));
        w.ignored[2][4] = true;
      }
      for (int step = 0; step < 6; ++step) {
        colliding += check_world(world, methods[k], &w, &options);
        move(&random, world, info.needs_volume, &w);
      }
      syn_world_destroy(world);
      release_bodies(&w);
    }
    if (colliding < 30) fail_msg("%s: only %zu pairs collide", methods[k], colliding);
  }
}

/* Bodies that the boxes keep apart are reported with their clearance where a margin is given. */
static void a_margin_brings_clearances(void **state) {
  (void)state;
  syn_trimesh *cube = make_cube(NULL, 1);
  const syn_body body = {.surface = cube};
  syn_world_options options = syn_default_world_options();
  const syn_world_pair *pairs;
  size_t count;
  syn_error error;
  const syn_pose apart = {syn_pose_identity().rotation, vec3(1.5, 0, 0)};
  for (int i = 0; i < 2; ++i) {
    syn_world *world;
    uint32_t number;
    options.margin_mm = i ? 0.6 : 0.4;
    ASSERT_OK(syn_world_create(NULL, "distance", &options, &world, &error));
    ASSERT_OK(syn_world_add(world, &body, &number, &error));
    ASSERT_OK(syn_world_add(world, &body, &number, &error));
    ASSERT_OK(syn_world_place(world, number, &apart, &error));
    ASSERT_OK(syn_world_query(world, 10, &pairs, &count, &error));
    assert_int_equal(count, i);
    if (i) ASSERT_NEAR(pairs[0].contacts.max_depth_mm, -0.5, 1e-12);
    syn_world_destroy(world);
  }
  syn_trimesh_destroy(cube);
}

static void what_does_not_fit_is_refused(void **state) {
  (void)state;
  syn_trimesh *cube = make_cube(NULL, 1);
  const syn_body body = {.name = "cube", .surface = cube}, none = {.name = "nothing"};
  syn_world_options options = syn_default_world_options();
  syn_world *world;
  uint32_t number;
  syn_error error;
  syn_pose bad = syn_pose_identity();
  syn_vec3 *far = calloc(cube->vertex_count, sizeof *far);
  bad.translation.x = NAN;
  far[3].x = 1e13;
  ASSERT_FAILS(syn_world_create(NULL, "obbb", NULL, &world, &error), SYN_BAD_ARGUMENT, "obb");
  options.self = true;
  ASSERT_FAILS(syn_world_create(NULL, "obb", &options, &world, &error), SYN_BAD_ARGUMENT, "hash");
  options = syn_default_world_options();
  options.margin_mm = -1;
  ASSERT_FAILS(syn_world_create(NULL, "obb", &options, &world, &error), SYN_BAD_ARGUMENT, "margin");
  options.margin_mm = 0;
  options.collide.ball_radius_mm = -1;
  ASSERT_FAILS(syn_world_create(NULL, "spheres", &options, &world, &error), SYN_BAD_ARGUMENT, "radius");
  ASSERT_OK(syn_world_create(NULL, "obb", NULL, &world, &error));
  ASSERT_FAILS(syn_world_add(world, &none, &number, &error), SYN_BAD_ARGUMENT, "nothing has none");
  ASSERT_OK(syn_world_add(world, &body, &number, &error));
  ASSERT_FAILS(syn_world_place(world, 1, NULL, &error), SYN_BAD_ARGUMENT, "none of number 1");
  ASSERT_FAILS(syn_world_place(world, 0, &bad, &error), SYN_BAD_ARGUMENT, "not finite");
  ASSERT_FAILS(syn_world_deform(world, 0, far, &error), SYN_BAD_MESH, "vertex 3");
  ASSERT_FAILS(syn_world_ignore(world, 0, 7, &error), SYN_BAD_ARGUMENT, "number 7");
  syn_world_destroy(world);
  syn_world_destroy(NULL);
  free(far);
  syn_trimesh_destroy(cube);
}

static syn_status run_world(const syn_context *context, void *user, syn_error *error) {
  const bodies_at *w = user;
  syn_world *world;
  const syn_world_pair *pairs;
  size_t count;
  syn_status status = syn_world_create(context, "buckettree", NULL, &world, error);
  if (status != SYN_OK) return status;
  for (uint32_t i = 0, number; i < 4 && status == SYN_OK; ++i)
    status = syn_world_add(world, &w->bodies[i], &number, error);
  if (status == SYN_OK) status = syn_world_query(world, 5, &pairs, &count, error);
  if (status == SYN_OK) status = syn_world_deform(world, 2, NULL, error);
  if (status == SYN_OK) status = syn_world_query(world, 9, &pairs, &count, error);
  syn_world_destroy(world);
  return status;
}

static void every_allocation_may_be_refused(void **state) {
  (void)state;
  test_random random = {83};
  bodies_at w;
  make_bodies(&random, &w);
  check_every_allocation(run_world, &w);
  release_bodies(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(moving_and_deforming_bodies_give_the_same_as_all_pairs),
      cmocka_unit_test(a_margin_brings_clearances),
      cmocka_unit_test(what_does_not_fit_is_refused),
      cmocka_unit_test(every_allocation_may_be_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
