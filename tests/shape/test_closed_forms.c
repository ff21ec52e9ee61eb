/* Shapes against formulas and published numbers. */
#include "surfaces.h"

#include "base/vec.h"

/* Up to three values by name; the caller releases the shape. */
static syn_joint *make(const char *name, const syn_shape_value *values, size_t count) {
  syn_error error;
  syn_joint *shape;
  ASSERT_OK(syn_shape_create(NULL, name, values, count, &shape, &error));
  return shape;
}
#define MAKE(name, ...)                                                                                                \
  make((name), (const syn_shape_value[]){__VA_ARGS__},                                                                 \
       sizeof((const syn_shape_value[]){__VA_ARGS__}) / sizeof(syn_shape_value))

/* Cells of each axis fill its own length, however many the others have. */
static void a_beam_has_the_size_that_was_asked_for(void **state) {
  (void)state;
  syn_joint *beam =
      MAKE("beam", {"length", 30}, {"width", 8}, {"height", 6}, {"cells-x", 5}, {"cells-y", 3}, {"cells-z", 2});
  const syn_tetmesh *mesh = beam->bodies[0].volume;
  syn_box box = box_empty();
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) box_add(&box, mesh->vertices[v]);
  assert_int_equal(mesh->vertex_count, 6 * 4 * 3);
  assert_true(vec3_distance(box.min, vec3(0, -4, -3)) < 1e-12 && vec3_distance(box.max, vec3(30, 4, 3)) < 1e-12);
  syn_joint_destroy(beam);
}

static uint32_t vertices_of(syn_joint *shape) {
  const uint32_t count = shape->bodies[0].surface->vertex_count;
  syn_joint_destroy(shape);
  return count;
}

static double volume_of(syn_joint *shape) {
  const double volume = syn_trimesh_mass(shape->bodies[0].surface).volume_mm3;
  syn_joint_destroy(shape);
  return volume;
}

/* The error must shrink fourfold when the resolution doubles: that is what flat faces on a smooth surface do. */
static void check_convergence(double coarse, double fine, double exact) {
  const double ratio = (exact - coarse) / (exact - fine);
  if (!(ratio > 3.6 && ratio < 4.4)) fail_msg("errors %g and %g shrink %g-fold", exact - coarse, exact - fine, ratio);
  ASSERT_NEAR(fine / exact, 1, 0.01);
}

static void vertex_counts_are_those_of_the_seed(void **state) {
  (void)state;
  const uint32_t sphere[] = {6, 18, 66, 258, 1026, 4098};
  for (int level = 0; level < 6; ++level)
    assert_int_equal(vertices_of(MAKE("sphere", {"level", level})), sphere[level]);
  for (uint32_t n = 1; n <= 16; ++n) assert_int_equal(vertices_of(MAKE("cube", {"cells", n})), 6 * n * n + 2);
  for (uint32_t n = 1; n <= 12; ++n) assert_int_equal(vertices_of(MAKE("ball", {"resolution", n})), 10 * n * n + 2);
  assert_int_equal(vertices_of(make("ball", NULL, 0)), 65612);
}

static void polygon_counts_are_those_of_the_seed(void **state) {
  (void)state;
  static const struct {
    const char *shape, *bodies[4];
    uint32_t seed, within;
  } figures[] = {
      {"lever", {"lever"}, 1056, 0},   {"lever", {"stone"}, 1280, 0},
      {"wrench", {"wrench"}, 2878, 2}, {"wrench", {"screw"}, 921, 9},
      {"arm", {"object"}, 1056, 0},    {"arm", {"base", "upper-arm", "forearm", "hand"}, 1760, 0},
      {"torus", {"torus"}, 1152, 0},   {"ground", {"ground"}, 4003, 29},
  };
  for (size_t i = 0; i < sizeof figures / sizeof *figures; ++i) {
    syn_joint *shape = make(figures[i].shape, NULL, 0);
    uint32_t triangles = 0;
    for (int b = 0; b < 4 && figures[i].bodies[b]; ++b) {
      const syn_body *body = syn_joint_body_named(shape, figures[i].bodies[b]);
      assert_non_null(body);
      triangles += body->surface->triangle_count;
    }
    ASSERT_NEAR(triangles, figures[i].seed, figures[i].within);
    syn_joint_destroy(shape);
  }
}

static void flat_shapes_have_their_exact_volume(void **state) {
  (void)state;
  ASSERT_NEAR(volume_of(MAKE("cube", {"edge", 30}, {"cells", 5})), 27000, 1e-8);
  ASSERT_NEAR(volume_of(MAKE("beam", {"length", 50}, {"width", 4}, {"height", 3})), 600, 1e-9);
  ASSERT_NEAR(volume_of(make("graft", NULL, 0)), 1250, 1e-9);
  ASSERT_NEAR(volume_of(MAKE("ground", {"size", 100}, {"roughness", 0}, {"thickness", 7})), 70000, 1e-7);
  for (double opening = 20; opening <= 180; opening += 40) {
    const double half = opening / 2 * SYN_PI / 180, leg = 60 * 8 + 8 * 8 / tan(half) / 2;
    ASSERT_NEAR(volume_of(MAKE("v", {"opening", opening}, {"width", 8}, {"depth", 5})), 2 * 5 * leg, 1e-8);
  }
}

static void round_shapes_converge_to_their_volume(void **state) {
  (void)state;
  const double ball = 4 * SYN_PI / 3;
  check_convergence(volume_of(MAKE("sphere", {"radius", 1}, {"level", 4})),
                    volume_of(MAKE("sphere", {"radius", 1}, {"level", 5})), ball);
  check_convergence(volume_of(MAKE("ball", {"radius", 1}, {"resolution", 10})),
                    volume_of(MAKE("ball", {"radius", 1}, {"resolution", 20})), ball);
  check_convergence(volume_of(MAKE("torus", {"major", 3}, {"minor", 1})),
                    volume_of(MAKE("torus", {"major", 3}, {"minor", 1}, {"rings", 48}, {"sectors", 48})),
                    2 * SYN_PI * SYN_PI * 3);
  for (double opening = 60; opening <= 300; opening += 60)
    check_convergence(volume_of(MAKE("cup", {"opening", opening}, {"resolution", 24})),
                      volume_of(MAKE("cup", {"opening", opening}, {"resolution", 48})),
                      2 * SYN_PI / 3 * (30 * 30 * 30 - 24 * 24 * 24) * (1 - cos(opening / 2 * SYN_PI / 180)));
}

static void a_round_graft_converges_to_an_elliptic_cylinder(void **state) {
  (void)state;
  const double exact = SYN_PI * 5 * 2.5 * 25;
  /* the points on the circle are not evenly spread, yet the error is still of second order */
  check_convergence(volume_of(MAKE("graft", {"roundness", 1}, {"cells", 16}, {"along", 2})),
                    volume_of(MAKE("graft", {"roundness", 1}, {"cells", 32}, {"along", 2})), exact);
}

/* Cuts across the corners of a round cross-section would be all but flat (0.06 here). */
static void a_tapered_graft_has_its_volume_and_its_nodes(void **state) {
  (void)state;
  const double taper = 0.4;
  ASSERT_NEAR(volume_of(MAKE("graft", {"taper", taper}, {"along", 8})),
              1250 * (0.5 + 0.5 * (1 - taper + taper * taper / 3)), 1e-9);
  syn_joint *graft = MAKE("graft", {"layers", 2}, {"along", 10});
  assert_int_equal(graft->bodies[0].surface->vertex_count, 138); /* the elements of Sundaraj 2004, Table 6.2 */
  syn_joint_destroy(graft);
}

static void a_round_graft_has_no_flat_tetrahedra(void **state) {
  (void)state;
  syn_joint *graft = MAKE("graft", {"roundness", 1}, {"cells", 8}, {"width", 10}, {"height", 10}, {"along", 20});
  assert_true(syn_tetmesh_quality(graft->bodies[0].volume).min_quality > 0.3);
  syn_joint_destroy(graft);
}

/* Both spheres, rim included, have a pole and 80 rings of 320; the rest of the rim is flat. */
static void every_point_of_a_cup_is_on_a_sphere_or_on_the_rim(void **state) {
  (void)state;
  syn_joint *shape = make("cup", NULL, 0);
  const syn_trimesh *cup = shape->bodies[0].surface;
  uint32_t inner = 0, outer = 0, rim = 0;
  for (uint32_t i = 0; i < cup->vertex_count; ++i) {
    const double radius = vec3_length(cup->vertices[i]);
    if (fabs(radius - 24) < 1e-12)
      ++inner;
    else if (fabs(radius - 30) < 1e-12)
      ++outer;
    else
      rim += cup->vertices[i].z == 0 && radius > 24 && radius < 30;
  }
  assert_int_equal(inner, 1 + 80 * 320);
  assert_int_equal(outer, 1 + 80 * 320);
  assert_int_equal(rim, cup->vertex_count - inner - outer);
  syn_joint_destroy(shape);
}

static void the_standard_graft_is_that_of_the_seed(void **state) {
  (void)state;
  syn_joint *graft = make("graft", NULL, 0);
  ASSERT_NEAR(syn_trimesh_mass(graft->bodies[0].surface).area_mm2, 850, 1e-9); /* Sundaraj 2004, Table 6.2 */
  assert_int_equal(graft->bodies[0].volume->tet_count, 1152);
  assert_int_equal(graft->bodies[0].tissue, SYN_TISSUE_LIGAMENT);
  syn_joint_destroy(graft);
}

static void the_standard_thigh_holds_the_volume_of_the_seed(void **state) {
  (void)state;
  double skin[2];
  for (int fine = 0; fine < 2; ++fine) {
    syn_joint *thigh = MAKE("thigh", {"around", fine ? 96 : 48}, {"along", 4});
    const syn_body *muscle = syn_joint_body_named(thigh, "muscle"), *femur = syn_joint_body_named(thigh, "femur");
    skin[fine] = syn_tetmesh_quality(muscle->volume).volume_mm3 + syn_trimesh_mass(femur->surface).volume_mm3;
    syn_joint_destroy(thigh);
  }
  const double frustum = SYN_PI * 500 / 3 * (85 * 85 + 85 * 64.55 + 64.55 * 64.55);
  check_convergence(skin[0], skin[1], frustum);
  ASSERT_NEAR(frustum / 8835730, 1, 1e-3); /* Sundaraj 2004, Table 6.1 */
}

static void the_femur_fits_its_muscle_to_the_bit(void **state) {
  (void)state;
  syn_joint *thigh = MAKE("thigh", {"oval", 1.3}, {"cells", 2});
  const syn_tetmesh *muscle = thigh->bodies[0].volume;
  const syn_trimesh *femur = thigh->bodies[1].surface;
  /* the muscle's innermost points come first in every row of cells + 1; the femur's poles are its own */
  for (uint32_t i = 1; i + 1 < femur->vertex_count; ++i)
    assert_memory_equal(&femur->vertices[i], &muscle->vertices[3 * (i - 1)], sizeof *femur->vertices);
  syn_joint_destroy(thigh);
}

static void a_v_can_have_six_hundred_to_a_million_tetrahedra(void **state) {
  (void)state;
  syn_joint *small = MAKE("v", {"cells", 2}, {"along", 13});
  assert_int_equal(small->bodies[0].volume->tet_count, 624);
  syn_joint_destroy(small);
  syn_joint *standard = make("v", NULL, 0);
  assert_int_equal(standard->bodies[0].volume->tet_count, 1944);
  syn_joint_destroy(standard);
}

static void combinations_that_cannot_be_are_refused(void **state) {
  (void)state;
  static const struct {
    const char *shape;
    syn_shape_value value;
    const char *part;
  } bad[] = {
      {"cup", {"inner", 30}, "larger"},        {"torus", {"minor", 30}, "meet itself"},
      {"ground", {"hill", 0.1}, "thousandth"}, {"wrench", {"play", 2}, "tenth"},
      {"wrench", {"length", 20}, "2 to 100"},  {"wrench", {"length", 2000}, "2 to 100"},
      {"arm", {"radius", 30}, "six times"},    {"thigh", {"bone", 60}, "0.8"},
  };
  syn_error error;
  syn_joint *shape;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i)
    ASSERT_FAILS(syn_shape_create(NULL, bad[i].shape, &bad[i].value, 1, &shape, &error), SYN_BAD_ARGUMENT, bad[i].part);
  const syn_shape_value many[] = {{"cells-x", 10000}, {"cells-y", 10000}, {"cells-z", 10000}};
  ASSERT_FAILS(syn_shape_create(NULL, "beam", many, 3, &shape, &error), SYN_TOO_LARGE, "6000000000000 tetrahedra");
}

/* ---- scenes --------------------------------------------------------------------------------------------------------
 */

/* The screw's corner at 60° meets the upper jaw when its height R sin(60° + t) has used up the play. */
static void the_wrench_meets_the_screw_at_the_angle_of_geometry(void **state) {
  (void)state;
  syn_joint *shape = MAKE("wrench", {"flats", 13}, {"play", 0.1});
  const syn_trimesh *wrench = shape->bodies[0].surface, *screw = shape->bodies[1].surface;
  const double meets = asin((6.5 + 0.1) / (13 / sqrt(3))) - SYN_PI / 3;
  for (int way = -1; way <= 1; way += 2)
    for (int beyond = 0; beyond < 2; ++beyond) {
      const double angle = way * (meets + (beyond ? 1e-6 : -1e-6));
      const syn_pose pose = syn_pose_about_axis(shape->center, shape->axes.flexion, angle);
      assert_int_equal(surfaces_meet(screw, wrench, &pose), beyond);
    }
  syn_joint_destroy(shape);
}

static bool turned_body_meets(const syn_joint *shape, const char *moving, const char *fixed, double degrees) {
  const syn_pose pose = syn_pose_about_axis(shape->center, shape->axes.flexion, degrees * SYN_PI / 180);
  return surfaces_meet(syn_joint_body_named(shape, fixed)->surface, syn_joint_body_named(shape, moving)->surface,
                       &pose);
}

static void a_positive_turn_brings_lever_and_arm_into_contact(void **state) {
  (void)state;
  syn_joint *lever = make("lever", NULL, 0), *arm = make("arm", NULL, 0);
  assert_false(turned_body_meets(lever, "lever", "stone", -20));
  assert_false(turned_body_meets(lever, "lever", "stone", 1));
  assert_true(turned_body_meets(lever, "lever", "stone", 20));
  assert_false(turned_body_meets(arm, "hand", "object", -20));
  assert_false(turned_body_meets(arm, "hand", "object", 2));
  assert_true(turned_body_meets(arm, "hand", "object", 13));
  syn_joint_destroy(lever);
  syn_joint_destroy(arm);
}

/* Distance from the centre to the cup's inner surface along a unit direction below the rim. The rings' quadrilaterals
 * are plane, so the plane of the right one decides. */
static double socket_distance(const syn_trimesh *cup, uint32_t n, uint32_t rim, syn_vec3 d, syn_vec3 *normal) {
  double turn = atan2(d.y, d.x) / (2 * SYN_PI);
  const uint32_t sector = (uint32_t)((turn < 0 ? turn + 1 : turn) * 4 * n) % (4 * n);
  const double polar = acos(-d.z) / (SYN_PI / 2) * n; /* 0 at the socket's bottom, n at its rim */
  double best = INFINITY;
  /* a direction beside a facet's edge may belong to the ring above or below the one its angle names */
  for (int shift = -1; shift <= 1; ++shift) {
    const int ring = (int)polar + shift;
    if (ring < 1 || ring >= (int)n) continue;
    /* rings in order: outer 1 … n-1, the rim's rim + 1, inner n-1 … 1 */
    const uint32_t row = n - 1 + rim + (n - (uint32_t)ring), first = 1 + row * 4 * n;
    const syn_vec3 a = cup->vertices[first + sector], b = cup->vertices[first + (sector + 1) % (4 * n)],
                   c = cup->vertices[first - 4 * n + sector];
    const syn_vec3 outward = vec3_unit(vec3_cross(vec3_sub(b, a), vec3_sub(c, a)));
    const double reach = vec3_dot(outward, a) / vec3_dot(outward, d);
    if (reach > 0 && reach < best) { /* the socket is convex: the nearest plane bounds it */
      best = reach;
      *normal = outward;
    }
  }
  return best;
}

/* The published depths of the ball-in-cup scenes, which depend on both tessellations. */
static void the_standard_ball_and_cup_give_the_published_depths(void **state) {
  (void)state;
  enum { N = 80 };
  syn_joint *ball = MAKE("ball", {"radius", 24.5}), *cup = make("cup", NULL, 0);
  const syn_trimesh *b = ball->bodies[0].surface, *c = cup->bodies[0].surface;
  const uint32_t rim = c->vertex_count / (4 * N) - 2 * (N - 1) - 1;
  double deepest = 0, clearance = INFINITY;
  uint32_t below = 0, level = 0;
  for (uint32_t i = 0; i < b->vertex_count; ++i) {
    below += b->vertices[i].z < 0;
    level += b->vertices[i].z == 0;
    if (b->vertices[i].z > -1) continue;
    syn_vec3 d = vec3_unit(b->vertices[i]), normal = {0, 0, 0};
    const double reach = socket_distance(c, N, rim, d, &normal);
    if (!isfinite(reach)) continue; /* the fan around the socket's bottom */
    deepest = fmax(deepest, 24.5 - reach);
    clearance = fmin(clearance, (reach - 23.8) * vec3_dot(normal, d));
  }
  /* 32 804 are published as penetrating: those below the rim's plane, and some of the ones exactly in it */
  assert_int_equal(below, 32644);
  assert_int_equal(level, 324);
  ASSERT_NEAR(deepest, 0.5023, 5e-5);
  ASSERT_NEAR(clearance, 0.1977, 5e-5);
  syn_joint_destroy(ball);
  syn_joint_destroy(cup);
}

/* 1.2995 is published for the turned cam; how far its highest vertex lies from its top makes the difference. */
static void the_standard_cam_reaches_as_deep_as_its_vertices_let_it(void **state) {
  (void)state;
  enum { N = 80 };
  syn_joint *ball = MAKE("ball", {"cam-height", 1.5}), *cup = make("cup", NULL, 0);
  const syn_trimesh *b = ball->bodies[0].surface, *c = cup->bodies[0].surface;
  const uint32_t rim = c->vertex_count / (4 * N) - 2 * (N - 1) - 1;
  double deepest = 0;
  for (uint32_t i = 0; i < b->vertex_count; ++i) {
    const double radius = vec3_length(b->vertices[i]);
    for (int degrees = 0; degrees < 90 && radius > 25.29; ++degrees) {
      const syn_pose pose = syn_pose_about_axis(vec3(0, 0, 0), vec3(0, 1, 0), degrees * SYN_PI / 180);
      syn_vec3 d = vec3_unit(syn_pose_point(&pose, b->vertices[i])), normal;
      if (d.z < -0.05) deepest = fmax(deepest, radius - socket_distance(c, N, rim, d, &normal));
    }
  }
  ASSERT_NEAR(deepest, 1.30114, 1e-5);
  ASSERT_NEAR(deepest, 1.2995, 2e-3);
  syn_joint_destroy(ball);
  syn_joint_destroy(cup);
}

static void the_cam_rises_by_its_gaussian(void **state) {
  (void)state;
  syn_joint *ball = MAKE("ball", {"resolution", 40}, {"cam-height", 1.5});
  const syn_trimesh *mesh = ball->bodies[0].surface;
  const double place = 25 * SYN_PI / 180, width = 8 * SYN_PI / 180;
  double highest = 0;
  for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
    const syn_vec3 d = vec3_unit(mesh->vertices[i]);
    const double off = acos(fmin(1, d.x * cos(place) + d.z * sin(place)));
    const double radius = vec3_length(mesh->vertices[i]);
    ASSERT_NEAR(radius, 23.8 + 1.5 * exp(-off * off / (2 * width * width)), 1e-6);
    highest = fmax(highest, radius);
  }
  ASSERT_NEAR(highest, 25.3, 0.02);
  syn_joint_destroy(ball);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_beam_has_the_size_that_was_asked_for),
      cmocka_unit_test(vertex_counts_are_those_of_the_seed),
      cmocka_unit_test(polygon_counts_are_those_of_the_seed),
      cmocka_unit_test(flat_shapes_have_their_exact_volume),
      cmocka_unit_test(round_shapes_converge_to_their_volume),
      cmocka_unit_test(a_round_graft_converges_to_an_elliptic_cylinder),
      cmocka_unit_test(a_tapered_graft_has_its_volume_and_its_nodes),
      cmocka_unit_test(a_round_graft_has_no_flat_tetrahedra),
      cmocka_unit_test(every_point_of_a_cup_is_on_a_sphere_or_on_the_rim),
      cmocka_unit_test(the_standard_graft_is_that_of_the_seed),
      cmocka_unit_test(the_standard_thigh_holds_the_volume_of_the_seed),
      cmocka_unit_test(the_femur_fits_its_muscle_to_the_bit),
      cmocka_unit_test(a_v_can_have_six_hundred_to_a_million_tetrahedra),
      cmocka_unit_test(combinations_that_cannot_be_are_refused),
      cmocka_unit_test(the_wrench_meets_the_screw_at_the_angle_of_geometry),
      cmocka_unit_test(a_positive_turn_brings_lever_and_arm_into_contact),
      cmocka_unit_test(the_standard_ball_and_cup_give_the_published_depths),
      cmocka_unit_test(the_standard_cam_reaches_as_deep_as_its_vertices_let_it),
      cmocka_unit_test(the_cam_rises_by_its_gaussian),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
