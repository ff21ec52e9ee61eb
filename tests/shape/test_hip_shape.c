/* The parametric hip as a set of meshes: whole, free at rest, lying on each other, converging. */
#include "joint/joint_store.h"
#include "shape/shape_maker.h"
#include "support.h"
#include "surfaces.h"

#include "base/status.h"
#include "base/vec.h"

static const char *const names[] = {"pelvis", "femur",          "acetabular_cartilage", "femoral_cartilage",
                                    "labrum", "transition_zone"};
enum { PELVIS, FEMUR, ACETABULAR, FEMORAL, LABRUM, ZONE, BODIES };

static syn_joint *make_hip(const syn_context *context, const syn_shape_value *values, size_t count) {
  syn_joint *hip;
  syn_error error;
  ASSERT_OK(syn_shape_create(context, "hip", values, count, &hip, &error));
  return hip;
}

static void check_bodies(const syn_joint *hip) {
  for (int i = 0; i < BODIES; ++i) {
    const syn_trimesh *mesh = hip->bodies[i].surface;
    assert_int_equal(check_closed_manifold(mesh), i == LABRUM ? 0 : 2);
    assert_true(surface_volume(mesh) > 0);
    if (count_self_meetings(mesh)) fail_msg("%s crosses itself", hip->bodies[i].name);
  }
}

static size_t count_fixed_moving_meetings(const syn_joint *hip) {
  size_t meetings = 0;
  for (int a = 0; a < BODIES; ++a)
    for (int b = 0; b < BODIES; ++b)
      if (!hip->bodies[a].moves && hip->bodies[b].moves)
        meetings += count_meetings(hip->bodies[a].surface, hip->bodies[b].surface);
  return meetings;
}

static void a_hip_has_six_bodies_and_a_frame(void **state) {
  (void)state;
  syn_joint *hip = make_hip(NULL, NULL, 0);
  uint32_t triangles = 0;
  assert_int_equal(hip->body_count, BODIES);
  for (uint32_t i = 0; i < BODIES; ++i) {
    assert_string_equal(hip->bodies[i].name, names[i]);
    assert_int_equal(hip->bodies[i].moves, i == FEMUR || i == FEMORAL);
    triangles += hip->bodies[i].surface->triangle_count;
  }
  assert_int_equal(hip->bodies[PELVIS].tissue, SYN_TISSUE_BONE);
  assert_int_equal(hip->bodies[FEMUR].tissue, SYN_TISSUE_BONE);
  assert_int_equal(hip->bodies[ACETABULAR].tissue, SYN_TISSUE_CARTILAGE);
  assert_int_equal(hip->bodies[FEMORAL].tissue, SYN_TISSUE_CARTILAGE);
  assert_int_equal(hip->bodies[LABRUM].tissue, SYN_TISSUE_LABRUM);
  assert_int_equal(hip->bodies[ZONE].tissue, SYN_TISSUE_TRANSITION_ZONE);
  assert_in_range(triangles, 5000, 22000);
  check_bodies(hip);
  assert_int_equal(count_fixed_moving_meetings(hip), 0);
  /* the shaft of a right femur hangs down: positive turns swing it forward, inward, and its front inward */
  assert_true(hip->has_axes);
  syn_vec3 zero = vec3(0, 0, 0), shaft = vec3(0, 0, -1), front = vec3(0, 1, 0);
  assert_true(vec3_equal(hip->center, zero));
  syn_pose flexed = syn_pose_about_axis(zero, hip->axes.flexion, 0.3);
  syn_pose adducted = syn_pose_about_axis(zero, hip->axes.adduction, 0.3);
  syn_pose rotated = syn_pose_about_axis(zero, hip->axes.rotation, 0.3);
  ASSERT_NEAR(syn_pose_direction(&flexed, shaft).y, sin(0.3), 1e-12);
  ASSERT_NEAR(syn_pose_direction(&adducted, shaft).x, -sin(0.3), 1e-12);
  ASSERT_NEAR(syn_pose_direction(&rotated, front).x, -sin(0.3), 1e-12);
  assert_true(ray_radius(hip->bodies[FEMUR].surface, vec3(1, 0, -0.6)) > 50); /* the trochanter lies on the right */
  syn_joint_destroy(hip);
}

static void the_25_published_hips_are_whole_and_all_but_one_free(void **state) {
  (void)state;
  for (int ce = 0; ce <= 40; ce += 10)
    for (int alpha = 40; alpha <= 80; alpha += 10) {
      test_memory memory = {0};
      syn_context context = test_context(&memory);
      syn_joint *hip = make_hip(
          &context, (syn_shape_value[]){{"ce", ce}, {"alpha", alpha}, {"resolution", 2 + (ce + alpha) / 10 % 2}}, 3);
      check_bodies(hip);
      /* With a cam all round, the largest reaches the deepest socket's labrum already when standing. */
      bool overlaps = ce == 40 && alpha == 80;
      assert_int_equal(memory.warnings, overlaps);
      assert_int_equal(count_fixed_moving_meetings(hip) > 0, overlaps);
      if (overlaps) assert_non_null(strstr(memory.last_warning, " mm into the labrum in the rest pose"));
      syn_joint_destroy(hip);
      assert_int_equal(memory.live, 0);
    }
}

/* Half of the values lie at an end of their range. */
static size_t random_values(test_random *random, syn_shape_value *values) {
  const syn_shape_info *info = syn_shape_named("hip");
  for (size_t i = 0; i < info->parameter_count; ++i) {
    const syn_shape_parameter *p = &info->parameters[i];
    uint32_t kind = random_below(random, 4);
    values[i] = (syn_shape_value){p->name, kind == 0   ? p->min
                                           : kind == 1 ? p->max
                                                       : random_between(random, p->min, p->max)};
    if (p->whole) values[i].value = round(values[i].value);
    if (!strcmp(p->name, "resolution")) values[i].value = 2 + random_below(random, 2);
    if (!strcmp(p->name, "cartilage-edge") && random_below(random, 3)) values[i].value = 0; /* else facets overlap */
    if (!strcmp(p->name, "zone-width")) values[i].value = fmax(values[i].value, 0.01);      /* a body fewer at 0 */
  }
  return info->parameter_count;
}

static void any_values_give_whole_bodies_that_are_free_unless_told(void **state) {
  (void)state;
  test_random random = {11};
  size_t overlapping = 0;
  for (int round = 0; round < 25; ++round) {
    test_memory memory = {0};
    syn_context context = test_context(&memory);
    syn_shape_value values[32];
    size_t count = random_values(&random, values);
    syn_joint *hip = make_hip(&context, values, count);
    check_bodies(hip);
    if (memory.warnings)
      ++overlapping;
    else if (count_fixed_moving_meetings(hip)) {
      for (size_t i = 0; i < count; ++i) print_message("%s %.17g ", values[i].name, values[i].value);
      fail_msg("fixed and mobile bodies meet at rest, without a warning");
    }
    syn_joint_destroy(hip);
  }
  assert_in_range(overlapping, 1, 20);
}

static void turning_the_head_never_touches_the_socket(void **state) {
  (void)state;
  test_random random = {12};
  syn_error error;
  for (int resolution = 2; resolution <= 4; ++resolution) {
    syn_joint *hip =
        make_hip(NULL, (syn_shape_value[]){{"ce", 35}, {"alpha", 60}, {"resolution", resolution}, {"gap", 1e-6}}, 4);
    for (int turn = 0; turn < 6; ++turn) {
      syn_pose pose = random_pose(&random, 0);
      pose.translation = vec3(0, 0, 0);
      syn_trimesh *turned;
      ASSERT_OK(syn_trimesh_transform(hip->bodies[FEMORAL].surface, &pose, &turned, &error));
      assert_int_equal(count_meetings(hip->bodies[ACETABULAR].surface, turned), 0);
      assert_int_equal(count_meetings(hip->bodies[LABRUM].surface, turned), 0);
      assert_int_equal(count_meetings(hip->bodies[ZONE].surface, turned), 0);
      syn_trimesh_destroy(turned);
    }
    syn_joint_destroy(hip);
  }
}

/* How many vertices of `a` are vertices of `b`, to the bit. */
static uint32_t count_shared(const syn_trimesh *a, const syn_trimesh *b) {
  uint32_t shared = 0;
  for (uint32_t i = 0; i < a->vertex_count; ++i)
    for (uint32_t j = 0; j < b->vertex_count; ++j)
      if (vec3_equal(a->vertices[i], b->vertices[j])) {
        ++shared;
        break;
      }
  return shared;
}

static void cartilage_lies_on_bone_point_by_point(void **state) {
  (void)state;
  for (int width = 60; width <= 360; width += 300) {
    syn_joint *hip = make_hip(NULL, (syn_shape_value[]){{"alpha", 75}, {"resolution", 3}, {"cam-width", width}}, 3);
    const syn_trimesh *femoral = hip->bodies[FEMORAL].surface, *acetabular = hip->bodies[ACETABULAR].surface;
    /* the cap's two faces share their edge of 36 points */
    assert_int_equal(count_shared(femoral, hip->bodies[FEMUR].surface), (femoral->vertex_count - 36) / 2 + 36);
    assert_int_equal(count_shared(acetabular, hip->bodies[PELVIS].surface), acetabular->vertex_count / 2);
    /* the zone lies on the bone, too, and shares a wall of two rows with the cartilage */
    const syn_trimesh *zone = hip->bodies[ZONE].surface;
    assert_int_equal(count_shared(zone, hip->bodies[PELVIS].surface), zone->vertex_count / 2);
    assert_int_equal(count_shared(zone, acetabular), 2 * 31);
    /* and the horseshoe's rim is the labrum's, but for the notch */
    assert_int_equal(count_shared(zone, hip->bodies[LABRUM].surface), 31);
    assert_int_equal(count_shared(acetabular, hip->bodies[LABRUM].surface), 0);
    syn_joint_destroy(hip);
  }
}

static void the_radii_and_thicknesses_are_as_asked(void **state) {
  (void)state;
  syn_joint *hip =
      make_hip(NULL, (syn_shape_value[]){{"radius", 22}, {"cartilage", 1.5}, {"labrum-base", 3}, {"gap", 0.25}}, 4);
  double thinnest = 1e9, thickest = 0, farthest = 0;
  const syn_trimesh *mesh = hip->bodies[ACETABULAR].surface;
  for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
    double r = vec3_length(mesh->vertices[i]);
    ASSERT_NEAR(r, r < 22.5 ? 22 : 23.5, 1e-12);
  }
  mesh = hip->bodies[LABRUM].surface;
  for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
    double r = vec3_length(mesh->vertices[i]);
    thinnest = fmin(thinnest, r);
    thickest = fmax(thickest, r);
  }
  ASSERT_NEAR(thinnest, 22, 1e-12);
  ASSERT_NEAR(thickest, 25, 1e-12);
  /* the head: free by the gap, thickest cartilage opposite the neck, none at the edge */
  syn_vec3 pole = vec3(-sin(SYN_PI / 4), 0, cos(SYN_PI / 4));
  mesh = hip->bodies[FEMORAL].surface;
  for (uint32_t i = 0; i < mesh->vertex_count; ++i) farthest = fmax(farthest, vec3_length(mesh->vertices[i]));
  assert_true(farthest < 21.75 && farthest > 21.65);
  ASSERT_NEAR(ray_radius(mesh, pole), farthest, 1e-9);
  ASSERT_NEAR(ray_radius(hip->bodies[FEMUR].surface, pole), farthest - 1.5, 1e-9);
  syn_joint_destroy(hip);
}

/* Simpson's rule for the volume between two radii over a cap, about an axis. */
static double shell_volume(double from, double to, double (*inner)(double), double (*outer)(double)) {
  double sum = 0;
  for (int i = 0; i <= 1000; ++i) {
    double t = i / 1000.0, polar = from + (to - from) * t, weight = i == 0 || i == 1000 ? 1 : i % 2 ? 4 : 2;
    sum += weight * (pow(outer(t), 3) - pow(inner(t), 3)) / 3 * sin(polar);
  }
  return 2 * SYN_PI * sum * (to - from) / 3000;
}
static double at_25(double t) { return 25 + 0 * t; }
static double at_27(double t) { return 27 + 0 * t; }
static double below_cartilage(double t) { return 25 - 2 * t * (2 - t); } /* t grows from the edge to the pole */
static double above_labrum(double t) { return 27.5 - 2.5 * t; }

static void volumes_converge_with_the_square_of_the_resolution(void **state) {
  (void)state;
  const double degree = SYN_PI / 180;
  enum { WITHOUT_ZONE = BODIES - 1 };
  double volumes[4][WITHOUT_ZONE];
  for (int level = 0; level < 4; ++level) {
    syn_joint *hip = make_hip(
        NULL, (syn_shape_value[]){{"ce", 20}, {"alpha", 60}, {"gap", 0}, {"resolution", 2 << level}, {"zone-width", 0}},
        5);
    assert_int_equal(hip->body_count, WITHOUT_ZONE);
    for (int i = 0; i < WITHOUT_ZONE; ++i) volumes[level][i] = surface_volume(hip->bodies[i].surface);
    syn_joint_destroy(hip);
  }
  for (int i = 0; i < WITHOUT_ZONE; ++i) {
    double first = fabs(volumes[1][i] - volumes[0][i]), second = fabs(volumes[2][i] - volumes[1][i]);
    double third = fabs(volumes[3][i] - volumes[2][i]);
    if (!(first / second > 3 && second / third > 3.5 && second / third < 4.6))
      fail_msg("%s: differences %g %g %g", names[i], first, second, third);
  }
  /* and where there is a formula, to it */
  double exact[WITHOUT_ZONE] = {[ACETABULAR] = shell_volume(0.45 * 62 * degree, 62 * degree, at_25, at_27) * 5 / 6,
                                [FEMORAL] = shell_volume(60 * degree, SYN_PI, below_cartilage, at_25),
                                [LABRUM] = shell_volume(62 * degree, 62 * degree + 0.28, at_25, above_labrum)};
  for (int i = ACETABULAR; i < WITHOUT_ZONE; ++i) {
    double best = volumes[3][i] + (volumes[3][i] - volumes[2][i]) / 3; /* Richardson */
    ASSERT_NEAR(best / exact[i], 1, 2e-4);
  }
}

static bool same_meshes(const syn_trimesh *a, const syn_trimesh *b) {
  return a->vertex_count == b->vertex_count && a->triangle_count == b->triangle_count &&
         memcmp(a->vertices, b->vertices, a->vertex_count * sizeof *a->vertices) == 0 &&
         memcmp(a->triangles, b->triangles, a->triangle_count * sizeof *a->triangles) == 0;
}

/* The zone is cut from the horseshoe at a ring of the mesh: nothing else changes, and the parts add up. */
static void the_zone_is_the_outermost_part_of_the_horseshoe(void **state) {
  (void)state;
  for (int resolution = 2; resolution <= 12; resolution += 5) {
    syn_joint *without = make_hip(NULL, (syn_shape_value[]){{"resolution", resolution}, {"zone-width", 0}}, 2);
    syn_joint *with = make_hip(NULL, (syn_shape_value[]){{"resolution", resolution}, {"zone-width", 2.5}}, 2);
    const syn_trimesh *zone = with->bodies[ZONE].surface;
    ASSERT_NEAR(surface_volume(with->bodies[ACETABULAR].surface) + surface_volume(zone),
                surface_volume(without->bodies[ACETABULAR].surface), 1e-9);
    for (int i = 0; i < ZONE; ++i)
      if (i != ACETABULAR) assert_true(same_meshes(with->bodies[i].surface, without->bodies[i].surface));
    /* from the rim, which is 62 degrees from the cup's axis, as far inward as rings allow */
    const double degree = SYN_PI / 180, ring = 0.55 * 62 / (resolution * 1.0);
    syn_vec3 axis = vec3(-sin(42 * degree), 0, cos(42 * degree));
    double inner = 180, outer = 0;
    for (uint32_t i = 0; i < zone->vertex_count; ++i) {
      double polar = acos(vec3_dot(vec3_unit(zone->vertices[i]), axis)) / degree;
      inner = fmin(inner, polar);
      outer = fmax(outer, polar);
    }
    ASSERT_NEAR(outer, 62, 1e-6);
    ASSERT_NEAR(outer - inner, fmax(1, round(2.5 / 25 / degree / ring)) * ring, 1e-6);
    syn_material material = syn_body_material(&with->bodies[ZONE]);
    assert_true(material.young_mpa > 12 && material.young_mpa < 20 && material.poisson > 0.4 &&
                material.poisson < 0.45);
    syn_joint_destroy(without);
    syn_joint_destroy(with);
  }
}

/* What a joint file of a hip says of cartilage and labrum: Arbabi 2009, section 4.3.2.3. */
static void the_file_of_a_hip_has_the_published_materials(void **state) {
  (void)state;
  const syn_shape_value coarse[] = {{"resolution", 2}, {"zone-width", 2.5}};
  const char *path = temporary_path("hip_materials.json");
  syn_joint *hip = make_hip(NULL, coarse, 2), *read;
  syn_error error;
  for (size_t i = 0; i < hip->body_count; ++i) ASSERT_OK(syn_joint_set_mesh_file(hip, i, "some.ply", &error));
  ASSERT_OK(syn_joint_write(NULL, hip, path, &error));
  ASSERT_OK(syn_joint_read(NULL, path, &read, &error));
  assert_int_equal(read->body_count, BODIES);
  for (int i = ACETABULAR; i <= FEMORAL; ++i)
    assert_true(read->bodies[i].material.young_mpa == 12 && read->bodies[i].material.poisson == 0.45);
  assert_true(read->bodies[LABRUM].material.young_mpa == 20 && read->bodies[LABRUM].material.poisson == 0.4);
  assert_int_equal(read->bodies[ZONE].tissue, SYN_TISSUE_TRANSITION_ZONE);
  assert_true(read->bodies[ZONE].material.young_mpa == 16 && read->bodies[ZONE].material.poisson == 0.425);
  syn_joint_destroy(hip);
  syn_joint_destroy(read);
}

/* The published models: head and socket have one radius, and bare bone lies between the cartilage's edge and alpha. */
static void with_an_edge_of_the_cartilage_head_and_socket_share_one_radius(void **state) {
  (void)state;
  const double degree = SYN_PI / 180;
  test_memory memory = {0};
  syn_context context = test_context(&memory);
  syn_joint *hip = make_hip(&context, (syn_shape_value[]){{"alpha", 50}, {"cartilage-edge", 82}}, 2);
  assert_int_equal(memory.warnings, 1);
  assert_non_null(strstr(memory.last_warning, "head and socket share one radius"));
  check_bodies(hip);
  syn_vec3 neck = vec3(sin(45 * degree), 0, -cos(45 * degree));
  double head = 0, least = 180, socket = 1e9;
  for (uint32_t i = 0; i < hip->bodies[FEMORAL].surface->vertex_count; ++i) {
    syn_vec3 p = hip->bodies[FEMORAL].surface->vertices[i];
    head = fmax(head, vec3_length(p));
    least = fmin(least, acos(vec3_dot(vec3_unit(p), neck)) / degree);
  }
  ASSERT_NEAR(least, 82, 1e-6);
  for (uint32_t i = 0; i < hip->bodies[ACETABULAR].surface->vertex_count; ++i)
    socket = fmin(socket, vec3_length(hip->bodies[ACETABULAR].surface->vertices[i]));
  ASSERT_NEAR(socket, head, 1e-12);
  for (int polar = 52; polar <= 82; polar += 5) {
    syn_vec3 direction = vec3(sin((45 + polar) * degree), 0, -cos((45 + polar) * degree)); /* over the top */
    ASSERT_NEAR(ray_radius(hip->bodies[FEMUR].surface, direction), head, 0.02);            /* chords of its rings */
  }
  syn_joint_destroy(hip);
  assert_int_equal(memory.live, 0);
}

static void a_local_cam_stays_where_it_is_put(void **state) {
  (void)state;
  syn_shape_value values[] = {{"alpha", 80}, {"cam-width", 60}, {"cam-clock", 3}};
  syn_joint *local = make_hip(NULL, values, 3);
  const double degree = SYN_PI / 180;
  syn_vec3 neck = vec3(sin(45 * degree), 0, -cos(45 * degree)), top = vec3(-neck.z, 0, neck.x), front = vec3(0, 1, 0);
  for (int clock = 0; clock < 360; clock += 15) {
    syn_vec3 out = vec3_add(vec3_scale(top, cos(clock * degree)), vec3_scale(front, sin(clock * degree)));
    syn_vec3 direction = vec3_add(vec3_scale(neck, cos(55 * degree)), vec3_scale(out, sin(55 * degree)));
    double r = fmax(ray_radius(local->bodies[FEMUR].surface, direction),
                    ray_radius(local->bodies[FEMORAL].surface, direction));
    if (abs(clock - 90) <= 30)
      ASSERT_NEAR(r, 34.9, 0.1);
    else if (abs(clock - 90) >= 60)
      ASSERT_NEAR(r, 25, 0.15);
    else
      assert_true(r > 25.5 && r < 34.5);
  }
  syn_joint_destroy(local);
}

static void values_out_of_range_are_refused_by_name(void **state) {
  (void)state;
  syn_joint *hip;
  syn_error error;
  const syn_shape_info *info = syn_shape_named("hip");
  for (size_t i = 0; i < info->parameter_count; ++i) {
    const syn_shape_parameter *p = &info->parameters[i];
    assert_true(p->min <= p->standard && p->standard <= p->max && p->help[0] && p->unit);
    ASSERT_FAILS(syn_shape_create(NULL, "hip", &(syn_shape_value){p->name, p->max + 1}, 1, &hip, &error),
                 SYN_BAD_ARGUMENT, p->name);
    ASSERT_FAILS(syn_shape_create(NULL, "hip", &(syn_shape_value){p->name, NAN}, 1, &hip, &error), SYN_BAD_ARGUMENT,
                 p->name);
  }
  ASSERT_FAILS(syn_shape_create(NULL, "hip", &(syn_shape_value){"resolution", 2.5}, 1, &hip, &error), SYN_BAD_ARGUMENT,
               "whole number");
}

static syn_status make_small(const syn_context *context, void *user, syn_error *error) {
  (void)user;
  syn_joint *hip;
  SYN_TRY(syn_shape_create(context, "hip", &(syn_shape_value){"resolution", 2}, 1, &hip, error));
  syn_joint_destroy(hip);
  return SYN_OK;
}

static void every_refused_allocation_is_survived(void **state) {
  (void)state;
  check_every_allocation(make_small, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_hip_has_six_bodies_and_a_frame),
      cmocka_unit_test(the_25_published_hips_are_whole_and_all_but_one_free),
      cmocka_unit_test(any_values_give_whole_bodies_that_are_free_unless_told),
      cmocka_unit_test(turning_the_head_never_touches_the_socket),
      cmocka_unit_test(cartilage_lies_on_bone_point_by_point),
      cmocka_unit_test(the_radii_and_thicknesses_are_as_asked),
      cmocka_unit_test(volumes_converge_with_the_square_of_the_resolution),
      cmocka_unit_test(the_zone_is_the_outermost_part_of_the_horseshoe),
      cmocka_unit_test(the_file_of_a_hip_has_the_published_materials),
      cmocka_unit_test(with_an_edge_of_the_cartilage_head_and_socket_share_one_radius),
      cmocka_unit_test(a_local_cam_stays_where_it_is_put),
      cmocka_unit_test(values_out_of_range_are_refused_by_name),
      cmocka_unit_test(every_refused_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
