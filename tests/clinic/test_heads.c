// test: slow, early
/* Heads of all kinds: noisy, stepped, flattened, deformed, a child's, cut. Coverage decides, roughness lowers the
 * confidence; with a known centre nothing is refused for want of a sphere. */
#include "base/vec.h"
#include "support.h"

typedef struct hip_meshes {
  syn_trimesh *pelvis, *femur;
} hip_meshes;

/* The femur with its cartilage, whose surface is the sphere. */
static hip_meshes make_hip(double resolution) {
  const syn_shape_value values[] = {{"ce", 30}, {"alpha", 60}, {"resolution", resolution}};
  syn_joint *shape;
  syn_error error;
  hip_meshes hip;
  ASSERT_OK(syn_shape_create(NULL, "hip", values, 3, &shape, &error));
  const syn_trimesh *femur[] = {syn_joint_body_named(shape, "femur")->surface,
                                syn_joint_body_named(shape, "femoral_cartilage")->surface};
  const syn_trimesh *pelvis = syn_joint_body_named(shape, "pelvis")->surface;
  ASSERT_OK(syn_trimesh_merge(NULL, femur, 2, &hip.femur, &error));
  ASSERT_OK(syn_trimesh_merge(NULL, &pelvis, 1, &hip.pelvis, &error));
  syn_joint_destroy(shape);
  return hip;
}

static void release(hip_meshes *hip) {
  syn_trimesh_destroy(hip->pelvis);
  syn_trimesh_destroy(hip->femur);
}

/* ---- perturbations of a femur whose head is about the origin ------------------------------------------------------
 */

typedef syn_vec3 (*change)(syn_vec3 place, double amount, test_random *random);

static double normal_number(test_random *random) {
  return sqrt(-2 * log(random_between(random, 1e-12, 1))) * cos(random_between(random, 0, 2 * SYN_PI));
}

static syn_vec3 add_noise(syn_vec3 p, double amount, test_random *random) {
  const double x = normal_number(random), y = normal_number(random), z = normal_number(random);
  return vec3_madd(p, amount, vec3(x, y, z));
}

static syn_vec3 make_steps(syn_vec3 p, double amount, test_random *random) {
  (void)random;
  return vec3(amount * round(p.x / amount), amount * round(p.y / amount), amount * round(p.z / amount));
}

/* Up and inward of a right hip. */
static const syn_vec3 pole = {-0.6427876096865394, 0, 0.766044443118978};
static const double radius = 24.95;

static syn_vec3 flatten(syn_vec3 p, double amount, test_random *random) {
  (void)random;
  const double beyond = vec3_dot(p, pole) - (1 - amount) * radius;
  return beyond > 0 && vec3_length(p) < 1.2 * radius ? vec3_madd(p, -0.9 * beyond, pole) : p;
}

/* Squeezed along the neck, fading out beyond the head. */
static syn_vec3 squeeze(syn_vec3 p, double amount, test_random *random) {
  (void)random;
  const double fade = max2(0, min2(1, (1.3 * radius - vec3_length(p)) / (0.3 * radius)));
  return vec3_madd(p, -amount * fade * vec3_dot(p, pole), pole);
}

/* A mushroom: flat, with a wide brim, as after Perthes' disease. */
static syn_vec3 spread_out(syn_vec3 p, double amount, test_random *random) {
  (void)random;
  const double along = vec3_dot(p, pole), level = along / radius;
  if (vec3_length(p) > 1.25 * radius) return p;
  const syn_vec3 across = vec3_madd(p, -along, pole);
  return vec3_add(vec3_scale(pole, 0.85 * along), vec3_scale(across, 1 + amount * exp(-4 * level * level)));
}

static syn_vec3 shrink(syn_vec3 p, double amount, test_random *random) {
  (void)random;
  return vec3_scale(p, amount);
}

static syn_trimesh *changed(const syn_trimesh *mesh, change how, double amount) {
  syn_vec3 *places = malloc(mesh->vertex_count * sizeof *places);
  test_random random = {7};
  syn_trimesh *result;
  syn_error error;
  for (uint32_t v = 0; v < mesh->vertex_count; ++v) places[v] = how(mesh->vertices[v], amount, &random);
  ASSERT_OK(
      syn_trimesh_create(NULL, places, mesh->vertex_count, mesh->triangles, mesh->triangle_count, &result, &error));
  free(places);
  return result;
}

/* Without what lies above the plane: the scan began there. */
static syn_trimesh *cut_above(const syn_trimesh *mesh, double height) {
  syn_triangle *kept = malloc(mesh->triangle_count * sizeof *kept);
  size_t count = 0;
  syn_trimesh *result;
  syn_error error;
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    bool below = true;
    for (int c = 0; c < 3; ++c) below = below && mesh->vertices[mesh->triangles[t].v[c]].z < height;
    if (below) kept[count++] = mesh->triangles[t];
  }
  ASSERT_OK(syn_trimesh_create(NULL, mesh->vertices, mesh->vertex_count, kept, count, &result, &error));
  free(kept);
  return result;
}

/* ---- parametric heads ---------------------------------------------------------------------------------------------
 */

static void check_center(const char *what, const syn_trimesh *femur, double size, double tolerance) {
  syn_anatomy *anatomy;
  syn_error error;
  ASSERT_OK(syn_anatomy_create(NULL, NULL, femur, NULL, &anatomy, &error));
  print_message("%s: centre off by %.2f mm, radius %.2f, residual %.2f mm, confidence %.2f\n", what,
                vec3_length(anatomy->head.center), anatomy->head.radius_mm, anatomy->head.residual_mm,
                anatomy->landmarks[SYN_LANDMARK_HEAD_CENTER].confidence);
  ASSERT_NEAR(vec3_length(anatomy->head.center), 0, tolerance);
  ASSERT_NEAR(anatomy->head.radius_mm, size * radius, 0.07 * size * radius);
  assert_true(anatomy->landmarks[SYN_LANDMARK_HEAD_CENTER].confidence > 0.1);
  assert_true(anatomy->has_neck);
  syn_anatomy_destroy(anatomy);
}

static void heads_of_all_kinds_are_found_where_they_are(void **state) {
  (void)state;
  static const struct {
    const char *what;
    change how;
    double amount, resolution, size, tolerance;
  } cases[] = {
      {"noise of 0.3 mm", add_noise, 0.3, 4, 1, 0.1},
      {"noise of 0.3 mm on a fine mesh", add_noise, 0.3, 12, 1, 0.1},
      {"noise of 0.6 mm on a fine mesh", add_noise, 0.6, 12, 1, 0.2},
      {"steps of 1 mm", make_steps, 1, 8, 1, 0.1},
      {"steps of 2 mm", make_steps, 2, 8, 1, 0.2},
      {"flattened by 15 %", flatten, 0.15, 6, 1, 0.3},
      {"flattened by 30 %", flatten, 0.3, 6, 1, 0.3},
      {"squeezed by 15 %", squeeze, 0.15, 6, 1, 2.5},
      {"a child's", shrink, 0.4, 6, 0.4, 0.01},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    if (cases[i].resolution > 8 && !long_cases()) continue; /* fine meshes: make verify */
    hip_meshes hip = make_hip(cases[i].resolution);
    syn_trimesh *femur = changed(hip.femur, cases[i].how, cases[i].amount);
    check_center(cases[i].what, femur, cases[i].size, cases[i].tolerance);
    syn_trimesh_destroy(femur);
    release(&hip);
  }
  hip_meshes hip = make_hip(6);
  syn_trimesh *cut = cut_above(hip.femur, 0.5 * radius);
  check_center("cut at half its height", cut, 1, 0.5);
  syn_trimesh_destroy(cut);
  release(&hip);
}

static double head_confidence(const syn_trimesh *femur, test_memory *memory) {
  const syn_context context = test_context(memory);
  syn_anatomy *anatomy;
  syn_error error;
  ASSERT_OK(syn_anatomy_create(&context, NULL, femur, NULL, &anatomy, &error));
  const double confidence = anatomy->landmarks[SYN_LANDMARK_HEAD_CENTER].confidence;
  syn_anatomy_destroy(anatomy);
  return confidence;
}

static void a_rough_head_is_less_certain_and_says_so(void **state) {
  (void)state;
  hip_meshes hip = make_hip(8);
  syn_trimesh *rough = changed(hip.femur, add_noise, 1);
  test_memory memory = {0}, rough_memory = {0};
  const double smooth = head_confidence(hip.femur, &memory), stepped = head_confidence(rough, &rough_memory);
  print_message("confidence %.2f, with noise of 1 mm %.2f\n", smooth, stepped);
  assert_true(stepped > 0.1 && stepped < smooth - 0.2);
  assert_null(strstr(memory.all_warnings, "rough or deformed"));
  assert_non_null(strstr(rough_memory.all_warnings, "rough or deformed"));
  syn_trimesh_destroy(rough);
  release(&hip);
}

static void a_head_that_is_no_sphere_is_found_about_a_known_centre(void **state) {
  (void)state;
  hip_meshes hip = make_hip(6);
  syn_trimesh *femur = changed(hip.femur, spread_out, 0.3);
  syn_anatomy_options options = syn_default_anatomy_options();
  syn_anatomy *anatomy;
  syn_error error;
  /* Given as such, or among the landmarks. */
  const syn_vec3 center = {0.5, 0, 0};
  syn_found_point given[SYN_LANDMARK_SLOTS] = {{0}};
  for (int way = 0; way < 2; ++way) {
    options.center = way ? NULL : &center;
    given[SYN_LANDMARK_HEAD_CENTER] = (syn_found_point){way ? SYN_FOUND_GIVEN : SYN_FOUND_NOT, center, 1};
    options.given = given;
    ASSERT_OK(syn_anatomy_create(NULL, NULL, femur, &options, &anatomy, &error));
    assert_true(vec3_equal(anatomy->head.center, center));
    ASSERT_NEAR(anatomy->head.radius_mm, radius, 6);
    assert_true(anatomy->has_neck && anatomy->has_shaft);
    syn_anatomy_destroy(anatomy);
  }
  syn_trimesh_destroy(femur);
  release(&hip);
}

static void an_end_without_a_sphere_is_refused_with_what_was_found_and_what_to_give(void **state) {
  (void)state;
  syn_trimesh *cube = make_cube(NULL, 50);
  syn_anatomy_options options = syn_default_anatomy_options();
  syn_anatomy *anatomy;
  syn_error error;
  ASSERT_FAILS(syn_anatomy_create(NULL, NULL, cube, &options, &anatomy, &error), SYN_BAD_MESH, "--center");
  /* A point in the air beside it does not help. */
  const syn_vec3 beside = {-160, 0, 0};
  options.center = &beside;
  ASSERT_FAILS(syn_anatomy_create(NULL, NULL, cube, &options, &anatomy, &error), SYN_BAD_MESH, "the centre given");
  syn_trimesh_destroy(cube);
}

static void a_head_that_is_no_sphere_sits_in_its_socket(void **state) {
  (void)state;
  hip_meshes hip = make_hip(6);
  syn_trimesh *femur = changed(hip.femur, spread_out, 0.3), *cube = make_cube(NULL, 50);
  test_memory memory = {0};
  const syn_context context = test_context(&memory);
  syn_anatomy *anatomy;
  syn_error error;
  ASSERT_OK(syn_anatomy_create(&context, hip.pelvis, femur, NULL, &anatomy, &error));
  assert_non_null(strstr(memory.all_warnings, "the centre of the acetabulum is taken"));
  ASSERT_NEAR(vec3_length(anatomy->head.center), 0, 0.01);
  syn_anatomy_destroy(anatomy);
  ASSERT_FAILS(syn_anatomy_create(NULL, hip.pelvis, cube, NULL, &anatomy, &error), SYN_BAD_MESH, "no spherical head");
  syn_trimesh_destroy(cube);
  syn_trimesh_destroy(femur);
  release(&hip);
}

/* ---- centres that cannot be ---------------------------------------------------------------------------------------
 */

static void a_centre_outside_the_head_is_refused_and_a_doubtful_one_warned_of(void **state) {
  (void)state;
  hip_meshes hip = make_hip(4);
  test_memory memory = {0};
  const syn_context context = test_context(&memory);
  syn_anatomy_options options = syn_default_anatomy_options();
  syn_anatomy *anatomy;
  syn_error error;
  const syn_vec3 far = {0, 80, 0}, doubtful = {0, 12, 0}, near = {0, 3, 0};
  const syn_trimesh *pelvis[] = {hip.pelvis, NULL, hip.pelvis}, *femur[] = {hip.femur, hip.femur, NULL};
  for (int i = 0; i < 3; ++i) {
    options.center = &far;
    ASSERT_FAILS(syn_anatomy_create(NULL, pelvis[i], femur[i], &options, &anatomy, &error), SYN_BAD_MESH, "80 mm from");
    options.center = &doubtful;
    memory.all_warnings[0] = 0;
    ASSERT_OK(syn_anatomy_create(&context, pelvis[i], femur[i], &options, &anatomy, &error));
    assert_non_null(strstr(memory.all_warnings, "12.0 mm from"));
    syn_anatomy_destroy(anatomy);
    options.center = &near;
    memory.all_warnings[0] = 0;
    ASSERT_OK(syn_anatomy_create(&context, pelvis[i], femur[i], &options, &anatomy, &error));
    assert_null(strstr(memory.all_warnings, "mm from"));
    syn_anatomy_destroy(anatomy);
  }
  release(&hip);
}

/* ---- people ------------------------------------------------------------------------------------------------------
 */

static const char *const people[][2] = {
    {"vsd_NC/z013/Hip_R.ply", "vsd_NC/z013/Femur_R.ply"},
    {"vsd_NC/z013/Hip_L.ply", "vsd_NC/z013/Femur_L.ply"},
    {"staple_NC/ICL_MRI/pelvis_r.ply", "staple_NC/ICL_MRI/femur_r.ply"},
    {"bodyparts3d/hip_bone_R_FMA16586.ply", "bodyparts3d/femur_R_FMA24474.ply"},
    {"bodyparts3d/hip_bone_L_FMA16587.ply", "bodyparts3d/femur_L_FMA24475.ply"},
    {"staple_NC/JIA_MRI/pelvis_no_sacrum.ply", "staple_NC/JIA_MRI/femur_r.ply"},
    {"staple_NC/JIA_MRI/pelvis_no_sacrum.ply", "staple_NC/JIA_MRI/femur_l.ply"},
};

static syn_trimesh *read_mesh(const char *path) {
  syn_trimesh *mesh;
  syn_error error;
  ASSERT_OK(syn_trimesh_read(NULL, path, NULL, &mesh, &error));
  return mesh;
}

/* Each as it is, at half its size, and with noise of 0.3 mm. */
static void every_person_has_a_head_in_a_socket(void **state) {
  (void)state;
  const size_t count = long_cases() ? sizeof people / sizeof *people : 3;
  for (size_t i = 0; i < count; ++i) {
    REQUIRE_DATA(pelvis_path, people[i][0]);
    syn_trimesh *pelvis = read_mesh(pelvis_path);
    REQUIRE_DATA(femur_path, people[i][1]);
    syn_trimesh *femur = read_mesh(femur_path);
    syn_trimesh *small[] = {changed(pelvis, shrink, 0.5), changed(femur, shrink, 0.5)};
    syn_trimesh *noisy[] = {changed(pelvis, add_noise, 0.3), changed(femur, add_noise, 0.3)};
    const syn_trimesh *bones[][2] = {{pelvis, femur}, {small[0], small[1]}, {noisy[0], noisy[1]}};
    syn_anatomy *anatomy[3];
    syn_error error;
    for (int k = 0; k < 3; ++k) {
      ASSERT_OK(syn_anatomy_create(NULL, bones[k][0], bones[k][1], NULL, &anatomy[k], &error));
      assert_true(anatomy[k]->has_rim && anatomy[k]->has_neck);
      assert_int_equal(anatomy[k]->femur_frame, SYN_FRAME_ISB);
      assert_int_equal(anatomy[k]->pelvis_frame, anatomy[0]->pelvis_frame);
      assert_int_equal(anatomy[k]->side, anatomy[0]->side);
    }
    const syn_vec3 center = anatomy[0]->head.center;
    const double smaller = vec3_distance(anatomy[1]->head.center, vec3_scale(center, 0.5));
    const double shifted = vec3_distance(anatomy[2]->head.center, center);
    print_message("%s: half as large %.3f mm, noisy %.2f mm off\n", people[i][1], smaller, shifted);
    ASSERT_NEAR(smaller, 0, 0.01);
    ASSERT_NEAR(shifted, 0, 0.5);
    for (int k = 0; k < 3; ++k) syn_anatomy_destroy(anatomy[k]);
    for (int k = 0; k < 2; ++k) syn_trimesh_destroy(small[k]), syn_trimesh_destroy(noisy[k]);
    syn_trimesh_destroy(pelvis);
    syn_trimesh_destroy(femur);
  }
}

static void ends_of_other_bones_are_no_heads(void **state) {
  (void)state;
  static const char *const others[] = {
      "vsd_NC/z013/Tibia_R.ply",          "bodyparts3d/fibula_R_FMA24480.ply",   "bodyparts3d/clavicle_R_FMA13322.ply",
      "bodyparts3d/tibia_L_FMA24478.ply", "bodyparts3d/hip_bone_R_FMA16586.ply", "vsd_NC/z013/Patella_R.ply"};
  for (size_t i = 0; i < sizeof others / sizeof *others; ++i) {
    REQUIRE_DATA(path, others[i]);
    syn_trimesh *bone = read_mesh(path);
    syn_anatomy *anatomy;
    syn_error error;
    ASSERT_FAILS(syn_anatomy_create(NULL, NULL, bone, NULL, &anatomy, &error), SYN_BAD_MESH, "upper end of a femur");
    assert_non_null(strstr(error.message, "sphere"));
    syn_trimesh_destroy(bone);
  }
}

/* ---- memory ------------------------------------------------------------------------------------------------------
 */

static syn_status attempt(const syn_context *context, void *user, syn_error *error) {
  const hip_meshes *hip = user;
  const syn_trimesh pelvis = with_context(hip->pelvis, context), femur = with_context(hip->femur, context);
  syn_anatomy *anatomy;
  const syn_status status = syn_anatomy_create(context, &pelvis, &femur, NULL, &anatomy, error);
  if (status == SYN_OK) syn_anatomy_destroy(anatomy);
  return status;
}

static void no_memory_is_lost_where_the_head_is_no_sphere(void **state) {
  (void)state;
  hip_meshes hip = make_hip(2);
  syn_trimesh *femur = changed(hip.femur, spread_out, 0.3);
  hip_meshes deformed = {hip.pelvis, femur};
  check_every_allocation(attempt, &deformed);
  syn_trimesh_destroy(femur);
  release(&hip);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(heads_of_all_kinds_are_found_where_they_are),
      cmocka_unit_test(a_rough_head_is_less_certain_and_says_so),
      cmocka_unit_test(a_head_that_is_no_sphere_is_found_about_a_known_centre),
      cmocka_unit_test(an_end_without_a_sphere_is_refused_with_what_was_found_and_what_to_give),
      cmocka_unit_test(a_head_that_is_no_sphere_sits_in_its_socket),
      cmocka_unit_test(a_centre_outside_the_head_is_refused_and_a_doubtful_one_warned_of),
      cmocka_unit_test(every_person_has_a_head_in_a_socket),
      cmocka_unit_test(ends_of_other_bones_are_no_heads),
      cmocka_unit_test(no_memory_is_lost_where_the_head_is_no_sphere),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
