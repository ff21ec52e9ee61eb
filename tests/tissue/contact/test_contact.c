// test: early
/* Bodies that touch: barriers never let surfaces cross, at any step; penalties balance the load at their own depth. */
#include "spring_body.h"

#include "base/vec.h"
#include "solve/block_matrix.h"
#include "tissue/contact/contact.h"

static const uint32_t CELLS[3] = {3, 3, 3};

typedef struct scene {
  syn_soft *soft;
  syn_trimesh *plate;
  syn_simulation *s;
  uint32_t soft_body, plate_body;
} scene;

static syn_trimesh *make_plate(double half, double top) {
  syn_error error;
  syn_vec3 v[8];
  for (int i = 0; i < 8; ++i) v[i] = vec3(i & 1 ? half : -half, i & 2 ? half : -half, i & 4 ? top : top - 4);
  const syn_triangle t[12] = {{{0, 2, 1}}, {{1, 2, 3}}, {{4, 5, 6}}, {{5, 7, 6}}, {{0, 1, 4}}, {{1, 5, 4}},
                              {{2, 6, 3}}, {{3, 6, 7}}, {{0, 4, 2}}, {{2, 4, 6}}, {{1, 3, 5}}, {{3, 7, 5}}};
  syn_trimesh *mesh;
  ASSERT_OK(syn_trimesh_create(NULL, v, 8, t, 12, &mesh, &error));
  return mesh;
}

/* A block of 9 mm whose lower side is 0.5 mm above a plate. */
static scene make_scene(syn_integrator integrator, double step, const syn_touch_options *touch) {
  syn_error error;
  scene c = {.soft = make_spring_block(NULL, CELLS, 3, vec3(-4.7, -4.4, 0.5), 1), .plate = make_plate(20, 0)};
  syn_simulation_options options = syn_default_simulation_options();
  options.integrator = integrator;
  options.step_s = step;
  options.gravity = vec3(0, 0, -9810);
  options.tolerance = 1e-7;
  ASSERT_OK(syn_simulation_create(NULL, &options, &c.s, &error));
  ASSERT_OK(syn_simulation_add_soft(c.s, c.soft, "block", &c.soft_body, &error));
  ASSERT_OK(syn_simulation_add_rigid(c.s, c.plate, NULL, &c.plate_body, &error));
  ASSERT_OK(syn_simulation_touch(c.s, c.plate_body, c.soft_body, touch, &error));
  return c;
}

static void free_scene(scene *c) {
  syn_simulation_destroy(c->s);
  syn_soft_destroy(c->soft);
  syn_trimesh_destroy(c->plate);
}

/* Whether the surfaces meet, by exact intersection of triangles. */
static bool surfaces_meet(const scene *c) {
  syn_error error;
  const uint32_t count = c->soft->skin->vertex_count;
  syn_vec3 *points = malloc(count * sizeof *points);
  syn_soft_skin_points(c->soft, syn_simulation_positions(c->s, c->soft_body), points);
  syn_trimesh *now;
  ASSERT_OK(
      syn_trimesh_create(NULL, points, count, c->soft->skin->triangles, c->soft->skin->triangle_count, &now, &error));
  const syn_body fixed = {.surface = c->plate}, mobile = {.surface = now};
  const syn_pose pose = syn_simulation_pose(c->s, c->plate_body), back = syn_pose_inverse(&pose);
  syn_collision *collision;
  ASSERT_OK(syn_collision_create(NULL, "obb", &fixed, &mobile, NULL, &back, 1, &collision, &error));
  const bool meets = collision->contacts.penetrating;
  syn_collision_destroy(collision);
  syn_trimesh_destroy(now);
  free(points);
  return meets;
}

static double weight(const scene *c) {
  double sum = 0;
  for (uint32_t i = 0; i < c->soft->node_count; ++i) sum += 9810 * c->soft->mass[i];
  return sum;
}

static syn_vec3 syn_contact_sum(const scene *c) {
  syn_vec3 *f = malloc(c->soft->node_count * sizeof *f), sum = {0};
  syn_simulation_forces(c->s, c->soft_body, f, NULL);
  for (uint32_t i = 0; i < c->soft->node_count; ++i) sum = vec3_add(sum, f[i]);
  free(f);
  return sum;
}

static void a_barrier_is_never_crossed_at_any_step(void **state) {
  (void)state;
  syn_error error;
  syn_touch_options touch = syn_default_touch_options();
  touch.response = SYN_RESPONSE_BARRIER;
  static const double lengths[] = {1e-4, 1e-3, 1e-2, 1e-1, 10};
  for (size_t k = 0; k < sizeof lengths / sizeof *lengths; ++k) {
    scene c = make_scene(SYN_INTEGRATOR_IMPLICIT, lengths[k], &touch);
    for (int i = 0; i < (k == 0 ? 200 : 60); ++i) {
      ASSERT_OK(syn_simulation_step(c.s, &error));
      assert_false(surfaces_meet(&c));
    }
    if (k >= 2) ASSERT_NEAR(syn_contact_sum(&c).z, weight(&c), 1e-3 * weight(&c)); /* it has come to rest */
    free_scene(&c);
  }
}

/* ---- shares of area -------------------------------------------------------------------------------------------------
 */

/* What a vertex of a mesh stands for: a third of the triangles around it; an edge: a third of those beside it. */
static double area_around(const syn_trimesh *mesh, const syn_vec3 *points, const uint32_t *of, int count) {
  double sum = 0;
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    const uint32_t *v = mesh->triangles[t].v;
    bool all = true;
    for (int i = 0; i < count; ++i) all = all && (v[0] == of[i] || v[1] == of[i] || v[2] == of[i]);
    const syn_vec3 a = points[v[0]];
    if (all) sum += vec3_length(vec3_cross(vec3_sub(points[v[1]], a), vec3_sub(points[v[2]], a))) / 6;
  }
  return sum;
}

/* Both surfaces bring their vertices, and edges with edges: each gets its share of the area, so that all pairs together
 * stand for it once. */
static void pairs_of_a_barrier_stand_for_their_area(void **state) {
  (void)state;
  syn_error error;
  syn_touch_options touch = syn_default_touch_options();
  touch.response = SYN_RESPONSE_BARRIER;
  touch.barrier_mm = 0.6;
  scene c = make_scene(SYN_INTEGRATOR_IMPLICIT, 1e-5, &touch);
  ASSERT_OK(syn_simulation_step(c.s, &error));
  const syn_sim_body *bodies = c.s->bodies;
  const syn_trimesh *meshes[2] = {bodies[c.soft_body].surface, bodies[c.plate_body].surface};
  const uint32_t first[2] = {bodies[c.soft_body].first_point, bodies[c.plate_body].first_point};
  size_t vertices[2] = {0}, edges = 0;
  for (size_t i = 0; i < c.s->gaps.count; ++i) {
    const syn_gap *gap = &c.s->gaps.gaps[i];
    uint32_t of[2][4];
    int count[2] = {0};
    for (int k = 0; k < 4; ++k) {
      const int body = (gap->points[k] >= first[1]) == (first[1] > first[0]) ? 1 : 0;
      of[body][count[body]++] = gap->points[k] - first[body];
    }
    if (count[0] == 2) {
      const double both =
          area_around(meshes[0], meshes[0]->vertices, of[0], 2) + area_around(meshes[1], meshes[1]->vertices, of[1], 2);
      assert_true(gap->area_mm2 <= both / 4 * (1 + 1e-9)); /* less where they are nearly parallel */
      ++edges;
    } else {
      const int body = count[0] == 1 ? 0 : 1;
      ASSERT_NEAR(gap->area_mm2, area_around(meshes[body], meshes[body]->vertices, of[body], 1) / 2, 1e-9);
      ++vertices[body];
    }
  }
  assert_true(vertices[0] >= 16 && edges > 10);
  free_scene(&c);
}

/* The plate drives into the block, which is held above, in steps far longer than the barrier's reach. */
static void a_driven_body_pushes_without_crossing(void **state) {
  (void)state;
  syn_error error;
  syn_touch_options touch = syn_default_touch_options();
  touch.response = SYN_RESPONSE_BARRIER;
  for (int turning = 0; turning < 2; ++turning) {
    scene c = make_scene(SYN_INTEGRATOR_STATIC, 1, &touch);
    for (uint32_t i = 0; i < 16; ++i)
      ASSERT_OK(syn_simulation_prescribe(c.s, c.soft_body, c.soft->node_count - 1 - i, 7, SYN_NONE, &error));
    double last = 0;
    for (int i = 1; i <= 6; ++i) {
      syn_pose pose = syn_pose_about_axis(vec3(-4.7, 0, 0), vec3(0, 1, 0), turning ? -0.05 * i : 0);
      if (!turning) pose.translation.z = 0.5 * i;
      syn_simulation_move(c.s, c.plate_body, &pose);
      ASSERT_OK(syn_simulation_step(c.s, &error));
      assert_false(surfaces_meet(&c));
      last = vec3_length(syn_contact_sum(&c));
    }
    assert_true(last > 0.5);
    free_scene(&c);
  }
}

static void a_penalty_carries_the_weight_at_its_depth(void **state) {
  (void)state;
  syn_error error;
  syn_touch_options touch = syn_default_touch_options();
  touch.pressure_mpa_mm = 1e-3;
  scene c = make_scene(SYN_INTEGRATOR_IMPLICIT, 0.005, &touch);
  for (int i = 0; i < 400; ++i) ASSERT_OK(syn_simulation_step(c.s, &error));
  ASSERT_NEAR(syn_contact_sum(&c).z, weight(&c), 1e-3 * weight(&c));
  syn_tissue_step report;
  syn_simulation_report(c.s, &report);
  /* Mean depth of a rigid block: weight / (pressure per depth * area); the soft one is deeper at its corners. */
  const double mean = weight(&c) / (touch.pressure_mpa_mm * 81);
  assert_true(report.depth_mm > 0.8 * mean && report.depth_mm < 2 * mean);
  assert_int_equal(report.touching, 16);
  free_scene(&c);
}

/* Positions keep surfaces apart without a force of their own: what it takes is the weight, once the block has come to
 * rest. A volume's push is a force like any other. */
static void positions_tell_what_keeps_a_block_up(void **state) {
  (void)state;
  syn_error error;
  static const syn_response kinds[] = {SYN_RESPONSE_PENALTY, SYN_RESPONSE_VOLUME};
  for (int k = 0; k < 2; ++k) {
    if (k) SLOW_UNDER_SANITIZERS(); /* the overlap of every step */
    syn_touch_options touch = syn_default_touch_options();
    touch.response = kinds[k];
    touch.pressure_mpa_mm = k ? 5e-4 : 1;
    touch.damping_s = 0.02;
    scene c = make_scene(SYN_INTEGRATOR_POSITIONS, 0.002, &touch);
    syn_vec3 sum = vec3(0, 0, 0);
    for (int i = 0; i < 600; ++i) {
      ASSERT_OK(syn_simulation_step(c.s, &error));
      if (i >= 400) sum = vec3_madd(sum, 0.005, syn_contact_sum(&c));
    }
    print_message("positions, %s: %g N of %g N\n", syn_response_name(kinds[k]), sum.z, weight(&c));
    ASSERT_NEAR(sum.z, weight(&c), 0.02 * weight(&c));
    const syn_vec3 *x = syn_simulation_positions(c.s, c.soft_body);
    for (uint32_t i = 0; i < c.soft->node_count; ++i) assert_true(x[i].z > -2); /* it did not fall through */
    free_scene(&c);
  }
}

/* The plate drives into the block, which is held above: penalties are those of where the plate is at the end of the
 * step, and what holds the block carries them. */
static void penalties_follow_a_driven_body(void **state) {
  (void)state;
  syn_error error;
  static const syn_integrator kinds[] = {SYN_INTEGRATOR_STATIC, SYN_INTEGRATOR_IMPLICIT, SYN_INTEGRATOR_POSITIONS};
  for (int k = 0; k < 3; ++k) {
    syn_touch_options touch = syn_default_touch_options();
    touch.pressure_mpa_mm = 1;
    scene c = make_scene(kinds[k], 1, &touch);
    for (uint32_t i = 0; i < 16; ++i)
      ASSERT_OK(syn_simulation_prescribe(c.s, c.soft_body, c.soft->node_count - 1 - i, 7, SYN_NONE, &error));
    const syn_pose up = {.rotation = syn_pose_identity().rotation, .translation = {0, 0, 1}};
    syn_simulation_move(c.s, c.plate_body, &up);
    ASSERT_OK(syn_simulation_step(c.s, &error)); /* one step, all the way */
    const syn_vec3 *x = syn_simulation_positions(c.s, c.soft_body);
    for (uint32_t i = 0; i < c.soft->node_count; ++i)
      assert_true(x[i].z > 0.75); /* where it was, 0.5 below the plate */
    if (kinds[k] == SYN_INTEGRATOR_STATIC) {
      syn_vec3 *hold = malloc(c.soft->node_count * sizeof *hold);
      double down = 0;
      syn_simulation_forces(c.s, c.soft_body, NULL, hold);
      for (uint32_t i = 0; i < c.soft->node_count; ++i) down -= hold[i].z;
      ASSERT_NEAR(down, syn_contact_sum(&c).z - weight(&c), 1e-6);
      assert_true(down > 0.5);
      free(hold);
    }
    free_scene(&c);
  }
}

/* Two blocks in one simulation, one on the other: the plate carries both, and forces between them are opposite. */
static void soft_bodies_push_each_other(void **state) {
  (void)state;
  syn_error error;
  for (int kind = 0; kind < 2; ++kind) {
    syn_touch_options touch = syn_default_touch_options();
    touch.response = kind ? SYN_RESPONSE_BARRIER : SYN_RESPONSE_PENALTY;
    touch.pressure_mpa_mm = 1e-2;
    scene c = make_scene(SYN_INTEGRATOR_IMPLICIT, 0.005, &touch);
    const uint32_t few[3] = {2, 2, 2};
    syn_soft *upper = make_spring_block(NULL, few, 3, vec3(-3, -3, 10), 1);
    uint32_t body;
    ASSERT_OK(syn_simulation_add_soft(c.s, upper, NULL, &body, &error));
    ASSERT_OK(syn_simulation_touch(c.s, c.soft_body, body, &touch, &error));
    for (uint32_t i = 0; i < upper->node_count; ++i) /* nothing rubs: it would slide off */
      ASSERT_OK(syn_simulation_prescribe(c.s, body, i, SYN_X | SYN_Y, SYN_NONE, &error));
    for (uint32_t i = 0; i < c.soft->node_count; ++i)
      ASSERT_OK(syn_simulation_prescribe(c.s, c.soft_body, i, SYN_X | SYN_Y, SYN_NONE, &error));
    for (int i = 0; i < 400; ++i) ASSERT_OK(syn_simulation_step(c.s, &error));
    double upper_weight = 0, lift = 0;
    syn_vec3 f[27];
    syn_simulation_forces(c.s, body, f, NULL);
    for (uint32_t i = 0; i < upper->node_count; ++i) {
      upper_weight += 9810 * upper->mass[i];
      lift += f[i].z;
    }
    ASSERT_NEAR(lift, upper_weight, 2e-3 * upper_weight);
    ASSERT_NEAR(syn_contact_sum(&c).z, weight(&c), 2e-3 * weight(&c)); /* plate up, upper block down */
    free_scene(&c);
    syn_soft_destroy(upper);
  }
}

/* A falling block: what the other responses do about it. Nothing comes through, and what penetrates is shallow. */
static void geometric_responses_keep_a_falling_block_out(void **state) {
  (void)state;
  syn_error error;
  static const syn_response kinds[] = {SYN_RESPONSE_CORRECTION, SYN_RESPONSE_LOOK_AHEAD, SYN_RESPONSE_VOLUME};
  double deepest[3] = {0};
  for (int k = 0; k < 3; ++k) {
    syn_touch_options touch = syn_default_touch_options();
    touch.response = kinds[k];
    touch.pressure_mpa_mm = 1e-3; /* N per mm3 */
    touch.damping_s = 0.01;
    scene c = make_scene(SYN_INTEGRATOR_SYMPLECTIC, 1e-5, &touch);
    for (int i = 0; i < 3000; ++i) {
      ASSERT_OK(syn_simulation_step(c.s, &error));
      const syn_vec3 *x = syn_simulation_positions(c.s, c.soft_body);
      for (uint32_t n = 0; n < c.soft->node_count; ++n) deepest[k] = fmax(deepest[k], -x[n].z);
    }
    free_scene(&c);
  }
  assert_true(deepest[0] < 0.01 && deepest[1] < 1e-9 && deepest[2] > 0 && deepest[2] < 0.5);
}

/* The force of a volume goes through the overlap's centre: no moment about it, the direction's own apart. */
static void the_force_of_a_volume_goes_through_its_centre(void **state) {
  (void)state;
  syn_error error;
  syn_touch_options touch = syn_default_touch_options();
  touch.response = SYN_RESPONSE_VOLUME;
  touch.pressure_mpa_mm = 2;
  scene c = make_scene(SYN_INTEGRATOR_STATIC, 1, &touch);
  const syn_pose tilt = syn_pose_about_axis(vec3(-4, -4, 0), vec3(1, -2, 0), 0.1); /* one corner of the block dips in */
  syn_simulation_move(c.s, c.plate_body, &tilt);
  for (uint32_t i = 0; i < c.soft->node_count; ++i)
    ASSERT_OK(syn_simulation_prescribe(c.s, c.soft_body, i, 7, SYN_NONE, &error));
  for (int i = 0; i < 2; ++i) ASSERT_OK(syn_simulation_step(c.s, &error));
  syn_overlap *overlap;
  ASSERT_OK(syn_overlap_create(c.soft->skin, c.plate, &tilt, &overlap, &error));
  assert_true(overlap->volume_mm3 > 0);
  const syn_vec3 sum = syn_contact_sum(&c);
  ASSERT_NEAR(vec3_length(sum), 2 * overlap->volume_mm3, 1e-9);
  syn_vec3 *f = malloc(c.soft->node_count * sizeof *f), moment = {0};
  syn_simulation_forces(c.s, c.soft_body, f, NULL);
  for (uint32_t i = 0; i < c.soft->node_count; ++i)
    moment = vec3_add(moment, vec3_cross(vec3_sub(c.soft->rest[i], overlap->centroid), f[i]));
  ASSERT_NEAR(vec3_length(moment) / vec3_length(sum), 0, 1e-9);
  free(f);
  syn_overlap_destroy(overlap);
  free_scene(&c);
}

static void what_a_barrier_cannot_part_is_refused(void **state) {
  (void)state;
  syn_error error;
  syn_touch_options touch = syn_default_touch_options();
  touch.response = SYN_RESPONSE_BARRIER;
  scene c = make_scene(SYN_INTEGRATOR_IMPLICIT, 0.05, &touch);
  syn_trimesh *inside = make_cube(NULL, 2);
  uint32_t body;
  ASSERT_OK(syn_simulation_add_rigid(c.s, inside, NULL, &body, &error));
  ASSERT_FAILS(syn_simulation_touch(c.s, body, c.soft_body, &touch, &error), SYN_BAD_MESH, "touch or overlap");
  touch.response = SYN_RESPONSE_PENALTY;
  touch.method = "obb";
  ASSERT_FAILS(syn_simulation_touch(c.s, body, c.soft_body, &touch, &error), SYN_BAD_ARGUMENT,
               "which vertex is in which triangle");
  free_scene(&c);
  syn_trimesh_destroy(inside);
}

/* After a step that fails all is as before it: the state to the last bit, and the report. */
static void a_failed_step_leaves_no_trace(void **state) {
  (void)state;
  syn_error error;
  static const syn_response kinds[] = {SYN_RESPONSE_VOLUME, SYN_RESPONSE_PENALTY};
  for (int k = 0; k < 2; ++k) {
    syn_touch_options touch = syn_default_touch_options();
    touch.response = kinds[k];
    touch.pressure_mpa_mm = 1e-3;
    touch.damping_s = 0.01;
    scene c = make_scene(SYN_INTEGRATOR_SYMPLECTIC, 1e-4, &touch);
    const size_t count = syn_simulation_get_state(c.s, NULL);
    double *before = malloc(count * sizeof *before), *after = malloc(count * sizeof *after);
    syn_tissue_step report[2] = {0};
    for (bool touches = false; !touches;) {
      assert_true(c.s->steps < 1000);
      ASSERT_OK(syn_simulation_step(c.s, &error));
      syn_simulation_get_state(c.s, before);
      syn_simulation_report(c.s, &report[0]);
      touches = before[count - 1] > 0 || report[0].touching > 0; /* the last number is the overlap */
    }
    syn_simulation_load(c.s, c.soft_body, 0, vec3(0, 0, 1e15));
    ASSERT_FAILS(syn_simulation_step(c.s, &error), SYN_NOT_CONVERGED, "diverges");
    syn_simulation_load(c.s, c.soft_body, 0, vec3(0, 0, 0));
    syn_simulation_get_state(c.s, after);
    syn_simulation_report(c.s, &report[1]);
    assert_memory_equal(before, after, count * sizeof *before);
    assert_int_equal(report[0].touching, report[1].touching);
    assert_true(report[0].depth_mm == report[1].depth_mm || (isnan(report[0].depth_mm) && isnan(report[1].depth_mm)));
    assert_true(report[0].contact_nmm == report[1].contact_nmm);
    free(before);
    free(after);
    free_scene(&c);
  }
}

/* Within a step of Runge and Kutta's method, and where velocities are looked ahead, a surface can go where nothing is
 * detected any more: also then the node and the body are named. */
static void what_leaves_the_reach_of_detection_is_named(void **state) {
  (void)state;
  syn_error error;
  const uint32_t thrown = 17;
  for (int k = 0; k < 2; ++k) {
    syn_touch_options touch = syn_default_touch_options();
    touch.response = k ? SYN_RESPONSE_LOOK_AHEAD : SYN_RESPONSE_PENALTY;
    scene c = make_scene(k ? SYN_INTEGRATOR_EXPLICIT : SYN_INTEGRATOR_RK4, 1e-4, &touch);
    ASSERT_OK(syn_simulation_step(c.s, &error));
    syn_simulation_load(c.s, c.soft_body, thrown, vec3(0, 0, 1e15));
    ASSERT_FAILS(syn_simulation_step(c.s, &error), SYN_NOT_CONVERGED, "step 2 diverges at node 17 of 'block': take");
    free_scene(&c);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_barrier_is_never_crossed_at_any_step),
      cmocka_unit_test(pairs_of_a_barrier_stand_for_their_area),
      cmocka_unit_test(a_driven_body_pushes_without_crossing),
      cmocka_unit_test(a_penalty_carries_the_weight_at_its_depth),
      cmocka_unit_test(positions_tell_what_keeps_a_block_up),
      cmocka_unit_test(penalties_follow_a_driven_body),
      cmocka_unit_test(soft_bodies_push_each_other),
      cmocka_unit_test(geometric_responses_keep_a_falling_block_out),
      cmocka_unit_test(the_force_of_a_volume_goes_through_its_centre),
      cmocka_unit_test(what_a_barrier_cannot_part_is_refused),
      cmocka_unit_test(a_failed_step_leaves_no_trace),
      cmocka_unit_test(what_leaves_the_reach_of_detection_is_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
