/* The hip centre: every method against a case whose centre is known. */
#include "support.h"

#include "base/vec.h"
#include "clinic/center/center.h"
#include "clinic/center/joint_sphere.h"

static const syn_vec3 cup_center = {-380, 310, -585};
static const syn_hip_axes axes = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

static syn_vec3 random_direction(test_random *random) {
  syn_vec3 v;
  do v = random_vec3(random, 1);
  while (vec3_length(v) > 1 || vec3_length(v) < 0.1);
  return vec3_unit(v);
}

/* Points on the upper cap of a sphere, scattered by `noise` along the radius. */
static void cap_points(test_random *random, syn_vec3 center, double radius, double noise, syn_vec3 *points,
                       size_t count) {
  for (size_t i = 0; i < count;) {
    const syn_vec3 way = random_direction(random);
    if (way.z > -0.2) points[i++] = vec3_madd(center, radius + random_between(random, -noise, noise), way);
  }
}

/* ---- spheres ------------------------------------------------------------------------------------------------------
 */

static double double_sphere_cost(const syn_joint_points *points, syn_vec3 center) {
  double cost = 0;
  const syn_vec3 *sets[] = {points->head, points->lunate};
  const size_t counts[] = {points->head_count, points->lunate_count};
  for (int s = 0; s < 2; ++s) {
    double mean = 0;
    for (size_t i = 0; i < counts[s]; ++i) mean += vec3_distance(sets[s][i], center) / (double)counts[s];
    for (size_t i = 0; i < counts[s]; ++i) cost += pow(vec3_distance(sets[s][i], center) - mean, 2);
  }
  return cost;
}

static void two_exact_spheres_give_their_common_centre(void **state) {
  (void)state;
  test_random random = {3};
  syn_vec3 head[400], lunate[300];
  cap_points(&random, cup_center, 24, 0, head, 400);
  cap_points(&random, cup_center, 27, 0, lunate, 300);
  const syn_center found =
      syn_center_double_sphere(&(syn_joint_points){head, lunate, 400, 300}, vec3_add(cup_center, vec3(4, -3, 5)));
  assert_true(found.known);
  assert_true(vec3_distance(found.center, cup_center) < 1e-9);
  ASSERT_NEAR(found.radius_mm, 24, 1e-9);
  ASSERT_NEAR(found.residual_mm, 0, 1e-9);
}

static void no_neighbour_of_the_double_sphere_is_better(void **state) {
  (void)state;
  test_random random = {5};
  for (int round = 0; round < 50; ++round) {
    syn_vec3 head[200], lunate[200];
    cap_points(&random, cup_center, 24, 0.8, head, 200);
    cap_points(&random, vec3_add(cup_center, random_vec3(&random, 1)), 26, 0.8, lunate, 200);
    const syn_joint_points points = {head, lunate, 200, 200};
    const syn_center found = syn_center_double_sphere(&points, cup_center);
    assert_true(found.known);
    const double cost = double_sphere_cost(&points, found.center);
    ASSERT_NEAR(found.residual_mm, sqrt(cost / 400), 1e-9);
    for (int i = 0; i < 20; ++i)
      assert_true(double_sphere_cost(&points, vec3_madd(found.center, 1e-3, random_direction(&random))) > cost);
  }
}

static void flat_surfaces_have_no_sphere(void **state) {
  (void)state;
  syn_vec3 flat[50];
  for (int i = 0; i < 50; ++i) flat[i] = vec3(0, 0, 0);
  const syn_center found = syn_center_double_sphere(&(syn_joint_points){flat, flat, 50, 50}, vec3(0, 0, 9));
  assert_false(found.known);
  assert_non_null(found.why_not);
}

/* ---- functional ---------------------------------------------------------------------------------------------------
 */

/* A ball keeps its distances only if it turns about its own centre, wherever it sits in the cup. */
static void a_ball_turns_about_its_own_centre(void **state) {
  (void)state;
  syn_error error;
  syn_joint *ball;
  ASSERT_OK(syn_shape_create(NULL, "sphere", (syn_shape_value[]){{"radius", 24}}, 1, &ball, &error));
  const syn_vec3 ball_center = vec3_add(cup_center, vec3(0.4, -0.3, 0.5));
  syn_pose place = syn_pose_identity();
  place.translation = ball_center;
  syn_trimesh *femur;
  ASSERT_OK(syn_trimesh_transform(ball->bodies[0].surface, &place, &femur, &error));
  test_random random = {9};
  syn_vec3 lunate[500];
  cap_points(&random, cup_center, 26, 0, lunate, 500);
  const syn_joint_points points = {.lunate = lunate, .lunate_count = 500};
  const double gaps[] = {2, NAN}; /* dconst, dref */
  for (int i = 0; i < 2; ++i) {
    syn_center found;
    ASSERT_OK(syn_center_functional(NULL, femur, &points, &axes, cup_center, gaps[i], &found, &error));
    assert_true(found.known);
    assert_true(vec3_distance(found.center, ball_center) < 0.05); /* the ball is a polyhedron */
    assert_true(found.residual_mm < 0.1);
  }
  syn_trimesh_destroy(femur);
  syn_joint_destroy(ball);
}

/* ---- equidistant ---------------------------------------------------------------------------------------------------
 */

static void gap_range(const syn_trimesh *femur, const syn_vec3 *lunate, size_t count, const syn_pose *pose,
                      double *least, double *most) {
  syn_error error;
  syn_surface *surface;
  ASSERT_OK(syn_surface_create(femur, &surface, &error));
  const syn_pose back = syn_pose_inverse(pose);
  *least = INFINITY;
  *most = -INFINITY;
  for (size_t i = 0; i < count; ++i) {
    const syn_vec3 place = syn_pose_point(&back, lunate[i]);
    syn_surface_point nearest;
    assert_int_equal(syn_surface_nearest(surface, &place, 1, &nearest), SYN_OK);
    *least = fmin(*least, nearest.distance_mm);
    *most = fmax(*most, nearest.distance_mm);
  }
  syn_surface_destroy(surface);
}

/* A ball somewhere in a cup of 24 mm. The cup stands; nothing else is known of it. */
typedef struct shifted_ball {
  syn_joint *ball, *cup;
  const syn_trimesh *socket;
  syn_trimesh *femur, *stepped; /* the last: made by the test, or NULL */
  syn_anatomy anatomy;
} shifted_ball;

static shifted_ball put_ball(double radius, syn_vec3 off) {
  syn_error error;
  shifted_ball made = {.stepped = NULL};
  syn_pose place = syn_pose_identity();
  place.translation = off;
  ASSERT_OK(
      syn_shape_create(NULL, "sphere", (syn_shape_value[]){{"radius", radius}, {"level", 5}}, 2, &made.ball, &error));
  ASSERT_OK(syn_shape_create(NULL, "cup", NULL, 0, &made.cup, &error));
  made.socket = made.cup->bodies[0].surface;
  ASSERT_OK(syn_trimesh_transform(made.ball->bodies[0].surface, &place, &made.femur, &error));
  made.anatomy.head = (syn_sphere_fit){.center = off, .radius_mm = radius, .residual_mm = 0.01};
  return made;
}

static void release_ball(shifted_ball *made) {
  syn_trimesh_destroy(made->femur);
  syn_trimesh_destroy(made->stepped);
  syn_joint_destroy(made->ball);
  syn_joint_destroy(made->cup);
}

/* Each vertex of the cup is moved along its direction from the middle. */
static void move_socket(shifted_ball *made, double (*by)(syn_vec3 place)) {
  syn_error error;
  const syn_trimesh *cup = made->socket;
  syn_vec3 *moved = malloc(cup->vertex_count * sizeof *moved);
  for (uint32_t v = 0; v < cup->vertex_count; ++v)
    moved[v] = vec3_madd(cup->vertices[v], by(cup->vertices[v]), vec3_unit(cup->vertices[v]));
  ASSERT_OK(
      syn_trimesh_create(NULL, moved, cup->vertex_count, cup->triangles, cup->triangle_count, &made->stepped, &error));
  made->socket = made->stepped;
  free(moved);
}

static syn_center centre_of(const shifted_ball *made, syn_vec3 *shift) {
  syn_error error;
  syn_center found;
  ASSERT_OK(syn_center_equidistant(made->socket, made->femur, &made->anatomy, &found, shift, &error));
  return found;
}

/* A ball beside the middle of a round cup is moved there, and then has the same space all around, in every pose. */
static void a_ball_beside_the_middle_of_its_cup_is_centred(void **state) {
  (void)state;
  const syn_vec3 off = {0.8, -0.7, 0.4};
  syn_vec3 shift, lunate[300];
  test_random random = {9};
  shifted_ball made = put_ball(22, off);
  const syn_center found = centre_of(&made, &shift);
  assert_true(found.known && vec3_distance(found.center, off) < 0.02 && found.residual_mm < 0.02);
  ASSERT_NEAR(found.radius_mm, 24, 0.05);
  assert_true(vec3_length(vec3_add(shift, off)) < 0.03);
  cap_points(&random, vec3(0, 0, 0), 24, 0, lunate, 300);
  const syn_hip hip = {.center = found.center, .seat = shift, .pelvis_axes = axes, .femur_axes = axes};
  for (int i = 0; i < 8; ++i) {
    double least, most;
    const syn_pose pose = syn_hip_pose(&hip, (syn_hip_angles){0.4 * i, 0.1 * i, -0.2 * i});
    gap_range(made.femur, lunate, 300, &pose, &least, &most);
    assert_true(least > 1.94 && most < 2.09);
  }
  release_ball(&made);
}

static double dented(syn_vec3 place) { return place.x > 0 ? 1.6 : -1.6; } /* a step across the cup */
static double oval(syn_vec3 place) {
  const syn_vec3 way = vec3_unit(place);
  return 2 * way.x * way.x - 2 * way.y * way.y;
}

/* A sphere through a socket that is none is no reason to move the head. */
static void a_head_stays_where_its_socket_shows_no_better_place(void **state) {
  (void)state;
  double (*const shapes[])(syn_vec3) = {dented, oval};
  for (int i = 0; i < 2; ++i) {
    syn_vec3 shift;
    shifted_ball made = put_ball(21, vec3(0.9, 0.3, -0.5));
    move_socket(&made, shapes[i]);
    (void)centre_of(&made, &shift);
    assert_true(vec3_length(shift) == 0);
    release_ball(&made);
  }
  /* A socket that is far too wide, and one that is narrower than its head. */
  const double radii[] = {18.5, 24.5};
  for (int i = 0; i < 2; ++i) {
    syn_vec3 shift;
    shifted_ball made = put_ball(radii[i], vec3(0, 0, 0.2));
    const syn_center found = centre_of(&made, &shift);
    assert_true(!found.known && found.why_not && vec3_length(shift) == 0);
    release_ball(&made);
  }
}

/* A shift that noise may have made is not made. */
static void a_centred_head_is_not_shifted(void **state) {
  (void)state;
  syn_vec3 shift;
  shifted_ball made = put_ball(22, vec3(0.001, 0, 0));
  assert_true(centre_of(&made, &shift).known);
  assert_true(vec3_length(shift) < 0.01);
  release_ball(&made);
}

/* ---- spheres -------------------------------------------------------------------------------------------------------
 */

/* The fit leaves out what is further off than its reach; its covariance is that of many fits to noise. */
static void the_covariance_of_a_sphere_is_that_of_repeated_fits(void **state) {
  (void)state;
  enum { POINTS = 400, FITS = 300 };
  syn_vec3 points[POINTS], moved[POINTS], normals[POINTS];
  double weights[POINTS];
  test_random random = {17};
  const double noise = 0.2, independent_mm2 = SYN_PI * 25;
  cap_points(&random, cup_center, 24, 0, points, POINTS);
  for (int i = 0; i < POINTS; ++i) weights[i] = independent_mm2; /* so that each point is an independent value */
  const syn_patch patch = {points, normals, weights, POINTS};
  double sum[3] = {0}, told[3] = {0};
  for (int f = 0; f < FITS; ++f) {
    syn_joint_sphere fit = {.sphere = {cup_center, 24, 0, 0}};
    for (int i = 0; i < POINTS; ++i) {
      double off = 0;
      for (int k = 0; k < 12; ++k) off += random_between(&random, -0.5, 0.5);
      moved[i] = vec3_madd(points[i], noise * off, vec3_unit(vec3_sub(points[i], cup_center)));
    }
    moved[0] = vec3_add(moved[0], vec3(30, 0, 0)); /* not of the sphere */
    assert_true(syn_patch_sphere(&patch, moved, 2, &fit));
    assert_true(vec3_distance(fit.sphere.center, cup_center) < 0.2);
    ASSERT_NEAR(fit.sphere.residual_mm, noise, 0.04);
    for (int k = 0; k < 3; ++k) {
      const double off = vec3_at(vec3_sub(fit.sphere.center, cup_center), k);
      sum[k] += off * off / FITS;
      told[k] += vec3_at(fit.covariance.row[k], k) / FITS;
    }
  }
  for (int k = 0; k < 3; ++k) ASSERT_NEAR(told[k] / sum[k], 1, 0.25);
}

static void a_root_of_a_covariance_squared_is_it(void **state) {
  (void)state;
  const syn_mat3 covariance = {{{4, 1, -0.5}, {1, 2, 0.3}, {-0.5, 0.3, 1}}}, root = syn_covariance_root(&covariance);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) ASSERT_NEAR(vec3_dot(root.row[i], root.row[j]), vec3_at(covariance.row[i], j), 1e-12);
}

/* ---- motion -------------------------------------------------------------------------------------------------------
 */

static void a_motion_about_a_point_gives_that_point(void **state) {
  (void)state;
  test_random random = {21};
  syn_pose motion[40];
  for (int i = 0; i < 40; ++i)
    motion[i] = syn_pose_about_axis(cup_center, random_direction(&random), random_between(&random, 0.1, 0.8));
  syn_center found = syn_center_score(motion, 40);
  assert_true(found.known);
  assert_true(vec3_distance(found.center, cup_center) < 1e-9);
  assert_true(found.residual_mm < 1e-9);
  for (int i = 0; i < 40; ++i) motion[i].translation = vec3_add(motion[i].translation, random_vec3(&random, 0.5));
  found = syn_center_score(motion, 40);
  assert_true(vec3_distance(found.center, cup_center) < 1);
  assert_true(found.residual_mm > 0.1 && found.residual_mm < 0.6);
}

static void a_hinge_has_no_centre(void **state) {
  (void)state;
  syn_pose motion[20];
  for (int i = 0; i < 20; ++i) motion[i] = syn_pose_about_axis(cup_center, vec3(1, 2, 3), 0.05 * i);
  assert_false(syn_center_score(motion, 20).known);
  assert_false(syn_center_score(motion, 1).known);
}

/* ---- regression ---------------------------------------------------------------------------------------------------
 */

static syn_anatomy pelvis_with_spines(syn_side side) {
  const double outward = side == SYN_SIDE_RIGHT ? 1 : -1;
  syn_anatomy a = {.side = side, .pelvis_axes = {{1, 0, 0}, {0, outward, 0}, {0, 0, outward}}};
  a.landmarks[SYN_LANDMARK_ASIS] = (syn_found_point){SYN_FOUND_MESH, {120 * outward, 0, 0}, 1};
  a.landmarks[SYN_LANDMARK_ASIS_OTHER] = (syn_found_point){SYN_FOUND_MESH, {-120 * outward, 0, 0}, 1};
  a.landmarks[SYN_LANDMARK_PSIS] = (syn_found_point){SYN_FOUND_MESH, {45 * outward, -150, 0}, 1};
  a.landmarks[SYN_LANDMARK_PSIS_OTHER] = (syn_found_point){SYN_FOUND_MESH, {-45 * outward, -150, 0}, 1};
  return a;
}

static void the_regression_gives_the_published_numbers_on_both_sides(void **state) {
  (void)state;
  for (int s = 0; s < 2; ++s) {
    syn_anatomy a = pelvis_with_spines(s ? SYN_SIDE_LEFT : SYN_SIDE_RIGHT);
    const syn_center found = syn_center_harrington(&a);
    assert_true(found.known);
    ASSERT_NEAR(found.center.x, (s ? -1 : 1) * (0.33 * 240 + 7.3), 1e-12);
    ASSERT_NEAR(found.center.y, -0.24 * 150 - 9.9, 1e-12);
    ASSERT_NEAR(found.center.z, -0.30 * 240 - 10.9, 1e-12);
    a.landmarks[SYN_LANDMARK_PSIS_OTHER].found = SYN_FOUND_NOT;
    assert_false(syn_center_harrington(&a).known);
  }
}

/* ---- all together -------------------------------------------------------------------------------------------------
 */

typedef struct ball_in_cup {
  syn_joint *ball, *cup;
  syn_anatomy anatomy;
  uint8_t *head, *lunate;
} ball_in_cup;

/* Every vertex of the ball belongs to the head, the inner shell of the cup is the joint surface. */
static void make_ball_in_cup(ball_in_cup *scene) {
  syn_error error;
  ASSERT_OK(syn_shape_create(NULL, "sphere", (syn_shape_value[]){{"radius", 23}}, 1, &scene->ball, &error));
  ASSERT_OK(syn_shape_create(NULL, "cup", NULL, 0, &scene->cup, &error));
  const syn_trimesh *ball = scene->ball->bodies[0].surface, *cup = scene->cup->bodies[0].surface;
  scene->head = malloc(ball->vertex_count);
  scene->lunate = malloc(cup->vertex_count);
  memset(scene->head, 1, ball->vertex_count);
  for (uint32_t i = 0; i < cup->vertex_count; ++i) scene->lunate[i] = vec3_length(cup->vertices[i]) < 24.5;
  scene->anatomy = (syn_anatomy){.head = {.radius_mm = 23, .residual_mm = 0.01},
                                 .acetabulum = {.radius_mm = 24, .residual_mm = 0.02},
                                 .pelvis_axes = axes,
                                 .head_vertices = scene->head,
                                 .lunate_vertices = scene->lunate};
}

static void release_ball_in_cup(ball_in_cup *scene) {
  free(scene->head);
  free(scene->lunate);
  syn_joint_destroy(scene->ball);
  syn_joint_destroy(scene->cup);
}

static void all_methods_agree_on_a_ball_in_its_cup(void **state) {
  (void)state;
  ball_in_cup scene;
  make_ball_in_cup(&scene);
  syn_centers centers;
  syn_error error;
  ASSERT_OK(syn_centers_find(NULL, scene.cup->bodies[0].surface, scene.ball->bodies[0].surface, &scene.anatomy, NULL, 0,
                             &centers, &error));
  for (int i = 0; i < SYN_CENTER_METHODS; ++i) {
    const bool known = i <= SYN_CENTER_DREF || i == SYN_CENTER_EQUIDISTANT;
    assert_true(centers.methods[i].known == known && (centers.methods[i].why_not == NULL) == known);
    if (known) assert_true(vec3_length(centers.methods[i].center) < 0.02);
  }
  assert_int_equal(centers.chosen, SYN_CENTER_DREF);
  assert_true(centers.spread_mm < 0.03);
  release_ball_in_cup(&scene);
}

static void a_femur_alone_has_its_head(void **state) {
  (void)state;
  ball_in_cup scene;
  make_ball_in_cup(&scene);
  scene.anatomy.acetabulum.radius_mm = NAN;
  syn_centers centers;
  syn_error error;
  ASSERT_OK(syn_centers_find(NULL, NULL, scene.ball->bodies[0].surface, &scene.anatomy, NULL, 0, &centers, &error));
  assert_int_equal(centers.chosen, SYN_CENTER_FEMORAL_HEAD_SPHERE);
  assert_string_equal(centers.methods[SYN_CENTER_ACETABULUM_SPHERE].why_not, "it needs the pelvis");
  assert_string_equal(syn_center_method_name(centers.chosen), "femoralheadsphere");
  release_ball_in_cup(&scene);
}

static syn_status attempt(const syn_context *context, void *user, syn_error *error) {
  ball_in_cup *scene = user;
  syn_centers centers;
  return syn_centers_find(context, scene->cup->bodies[0].surface, scene->ball->bodies[0].surface, &scene->anatomy, NULL,
                          0, &centers, error);
}

static void memory_may_run_out_anywhere(void **state) {
  (void)state;
  ball_in_cup scene;
  make_ball_in_cup(&scene);
  check_every_allocation(attempt, &scene);
  release_ball_in_cup(&scene);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(two_exact_spheres_give_their_common_centre),
      cmocka_unit_test(no_neighbour_of_the_double_sphere_is_better),
      cmocka_unit_test(flat_surfaces_have_no_sphere),
      cmocka_unit_test(a_ball_turns_about_its_own_centre),
      cmocka_unit_test(a_ball_beside_the_middle_of_its_cup_is_centred),
      cmocka_unit_test(a_head_stays_where_its_socket_shows_no_better_place),
      cmocka_unit_test(a_centred_head_is_not_shifted),
      cmocka_unit_test(the_covariance_of_a_sphere_is_that_of_repeated_fits),
      cmocka_unit_test(a_root_of_a_covariance_squared_is_it),
      cmocka_unit_test(a_motion_about_a_point_gives_that_point),
      cmocka_unit_test(a_hinge_has_no_centre),
      cmocka_unit_test(the_regression_gives_the_published_numbers_on_both_sides),
      cmocka_unit_test(all_methods_agree_on_a_ball_in_its_cup),
      cmocka_unit_test(a_femur_alone_has_its_head),
      cmocka_unit_test(memory_may_run_out_anywhere),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
