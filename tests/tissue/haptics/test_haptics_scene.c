/* Scenes: those that are built in, and files. */
#include "support.h"

#include "base/vec.h"
#include "tissue/haptics/haptics.h"
#include "tissue/haptics/haptics_scene.h"

static syn_haptics_scene *open_scene(const char *name) {
  syn_error error;
  syn_haptics_scene *scene;
  ASSERT_OK(syn_haptics_scene_open(NULL, name, NULL, (double)NAN, &scene, &error));
  return scene;
}

/* Forces of one push, a frame in every 33 ms. */
static double push_once(const syn_haptics_scene *scene, double *frame_force) {
  syn_error error;
  syn_haptics_device device;
  ASSERT_OK(syn_haptics_scene_device(scene, &device, &error));
  double most = 0;
  *frame_force = 0;
  for (int i = 0; i < 2000; ++i) {
    syn_vec3 tip;
    assert_true(device.read(device.user, i * 1e-3, &tip));
    if (i % 33 == 0) ASSERT_OK(syn_haptics_update(scene->haptics, tip, NULL, &error));
    const double force = vec3_length(syn_haptics_force(scene->haptics, tip));
    assert_true(isfinite(force));
    most = fmax(most, force);
    *frame_force = fmax(*frame_force, vec3_length(scene->haptics->frame_force));
  }
  syn_haptics_device_release(&device);
  return most;
}

/* The numbers of molecules that Maciel 2005, §3.4.6 gives: deformable and fixed. */
static void molecules_are_as_published(void **state) {
  (void)state;
  static const struct {
    const char *name;
    uint32_t deformable, fixed;
  } scenes[] = {{"maciel-a", 16, 9}, {"maciel-b", 27, 121}, {"maciel-c", 8 + 49, 28}, {"maciel-d", 75, 225}};
  for (size_t i = 0; i < sizeof scenes / sizeof *scenes; ++i) {
    syn_haptics_scene *scene = open_scene(scenes[i].name);
    assert_int_equal(scene->held_nodes, scenes[i].fixed);
    assert_int_equal(syn_soft_node_count(scene->soft), scenes[i].deformable + scenes[i].fixed);
    double body;
    const double force = push_once(scene, &body);
    print_message("%s: up to %.4f N in the loop, %.4f N of the body\n", scenes[i].name, force, body);
    assert_true(force > 0.01 && force < 100);
    syn_haptics_scene_destroy(scene);
  }
}

/* What stands in for the perception test of Maciel 2005, §3.4.6.2, in which people told four stiffnesses of a cube
 * apart: the force that a finger meets on the same way is in proportion to the modulus, in the loop and of the body, so
 * that the order of the four is the order of the forces. */
static void four_stiffnesses_are_told_apart_by_their_forces(void **state) {
  (void)state;
  static const double moduli[] = {0.01, 0.02, 0.03, 0.05};
  double first = 0, first_body = 0;
  for (int i = 0; i < 4; ++i) {
    const char *path = temporary_path("cube.json");
    char text[1024];
    snprintf(text, sizeof text,
             "{\"synovia\":1,\"integrator\":\"static\",\"bodies\":[{\"name\":\"cube\",\"shape\":{\"name\":\"beam\","
             "\"length\":50,\"width\":50,\"height\":50,\"cells-x\":2,\"cells-y\":2,\"cells-z\":2},\"model\":\"fem\","
             "\"material\":{\"young_mpa\":%g,\"poisson\":0.3,\"density_kg_m3\":1000}}],\"hold\":[{\"body\":\"cube\","
             "\"box\":{\"min\":[-1,-26,-26],\"max\":[51,26,-24.9]}}],\"haptics\":{\"probe\":{\"radius_mm\":15},"
             "\"push\":{\"from\":[25,0,26],\"depth_mm\":4,\"period_s\":2}}}",
             moduli[i]);
    write_text_file(path, text);
    syn_haptics_scene *scene = open_scene(path);
    assert_int_equal(syn_soft_node_count(scene->soft), 27);
    double body;
    const double force = push_once(scene, &body), ratio = moduli[i] / moduli[0];
    if (i == 0) first = force, first_body = body;
    assert_true(first > 0.01);
    ASSERT_NEAR(force / first, ratio, 0.01 * ratio);
    ASSERT_NEAR(body / first_body, ratio, 0.01 * ratio);
    syn_haptics_scene_destroy(scene);
  }
}

static void the_thigh_is_as_published(void **state) {
  (void)state;
  syn_error error;
  syn_trimesh *skin;
  ASSERT_OK(syn_thigh_skin(NULL, &skin, &error));
  syn_health health;
  ASSERT_OK(syn_trimesh_check(skin, NULL, &health, &error));
  assert_true(health.outward);
  assert_int_equal(skin->vertex_count, 260);
  const syn_mass mass = syn_trimesh_mass(skin);
  ASSERT_NEAR(mass.area_mm2, 225000, 1e-6 * 225000);
  ASSERT_NEAR(mass.volume_mm3, 8835730, 1e-6 * 8835730);
  syn_trimesh_destroy(skin);
  syn_haptics_scene *scene = open_scene("thigh");
  double body;
  const double force = push_once(scene, &body);
  print_message("thigh: up to %.1f N by the buffer, %.1f N by the body\n", force, body);
  ASSERT_NEAR(force / body, 1, 0.03);
  ASSERT_NEAR(syn_soft_volume(scene->soft, syn_haptics_positions(scene->haptics)), 8835730, 1e-6 * 8835730);
  syn_haptics_scene_destroy(scene);
}

static const char *const block =
    "{\"synovia\":1,\"integrator\":\"static\",\"bodies\":[{\"name\":\"wall\",\"shape\":{\"name\":\"sphere\"}},"
    "{\"name\":\"block\",\"shape\":{\"name\":\"beam\",\"length\":30,\"width\":30,\"height\":15,\"cells-x\":4,"
    "\"cells-y\":4,\"cells-z\":2},\"model\":\"fem\",\"law\":\"linear\",\"material\":{\"young_mpa\":0.02,"
    "\"poisson\":0.4,\"density_kg_m3\":1000}}],"
    "\"hold\":[{\"body\":\"block\",\"box\":{\"min\":[-1,-16,-8],\"max\":[31,16,-7.4]}}]";

static const char *scene_file(const char *haptics) {
  const char *path = temporary_path("scene.json");
  char text[2048];
  snprintf(text, sizeof text, "%s%s}", block, haptics);
  write_text_file(path, text);
  return path;
}

static void a_file_says_what_touches_it(void **state) {
  (void)state;
  syn_error error;
  syn_haptics_scene *scene = open_scene(
      scene_file(",\"haptics\":{\"body\":\"block\",\"probe\":{\"radius_mm\":6},\"push\":{\"from\":[15,0,8.5],"
                 "\"depth_mm\":3,\"period_s\":2},\"points\":40}"));
  assert_string_equal(scene->soft->model->info.name, "fem");
  assert_int_equal(scene->held_nodes, 25);
  assert_null(scene->built_in);
  double body;
  const double force = push_once(scene, &body);
  ASSERT_NEAR(force, body, 0.01 * body); /* frames seldom meet the deepest moment */
  assert_true(force > 0.1);
  syn_haptics_scene_destroy(scene);
  /* without a push one is made up */
  ASSERT_OK(syn_haptics_scene_open(NULL, scene_file(",\"haptics\":{}"), NULL, 60, &scene, &error));
  assert_true(scene->push.from.z == 8.5 && scene->push.from.x == 15 && push_once(scene, &body) > 0);
  syn_haptics_result result;
  ASSERT_OK(syn_haptics_scene_run(scene, 0.1, &result, &error));
  const char *folder = temporary_path("felt");
  ASSERT_OK(syn_haptics_result_write(&result, folder, &error));
  static const char *const files[] = {"force.csv", "force.svg", "image-rest.pgm", "image-pressed.pgm"};
  for (size_t i = 0; i < sizeof files / sizeof *files; ++i) {
    char path[4096];
    size_t size;
    snprintf(path, sizeof path, "%s/%s", folder, files[i]);
    free(read_whole_file(path, &size));
    assert_true(size > 100);
    remove(path);
  }
  remove(folder);
  syn_haptics_scene_destroy(scene);
}

static void bad_scenes_are_explained(void **state) {
  (void)state;
  static const struct {
    const char *haptics, *part;
  } bad[] = {
      {"", "needs the key"},
      {",\"haptics\":[]", "haptics"},
      {",\"haptics\":{\"probes\":{}}", "probes"},
      {",\"haptics\":{\"body\":\"arm\"}", "no body 'arm'"},
      {",\"haptics\":{\"body\":\"wall\"}", "rigid"},
      {",\"haptics\":{\"probe\":{\"radius\":3}}", "radius"},
      {",\"haptics\":{\"push\":{}}", "from"},
      {",\"haptics\":{\"push\":{\"from\":[1,2]}}", "from"},
      {",\"haptics\":{\"points\":2.5}", "whole number"},
      {",\"haptics\":{\"points\":1000}", "whole number"},
      {",\"haptics\":{\"udp_port\":70000}", "whole number"},
      {",\"haptics\":{\"trajectory\":3}", "trajectory"},
  };
  syn_error error;
  syn_haptics_scene *scene;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
    ASSERT_FAILS(syn_haptics_scene_open(NULL, scene_file(bad[i].haptics), NULL, (double)NAN, &scene, &error),
                 SYN_BAD_FORMAT, bad[i].part);
    assert_null(scene);
  }
  ASSERT_FAILS(syn_haptics_scene_open(NULL, scene_file(",\"haptics\":{\"probe\":{\"radius_mm\":-1}}"), NULL,
                                      (double)NAN, &scene, &error),
               SYN_BAD_ARGUMENT, "radius");
  ASSERT_FAILS(syn_haptics_scene_open(NULL, "no-such-scene", NULL, (double)NAN, &scene, &error), SYN_NOT_FOUND, NULL);
}

static syn_status attempt(const syn_context *context, void *user, syn_error *error) {
  syn_haptics_scene *scene;
  const syn_status status = syn_haptics_scene_open(context, user, NULL, (double)NAN, &scene, error);
  if (!status) syn_haptics_scene_destroy(scene);
  return status;
}

static void refused_memory_leaves_nothing_behind(void **state) {
  (void)state;
  char name[] = "thigh", small[] = "maciel-a";
  check_every_allocation(attempt, name);
  check_every_allocation(attempt, small);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(molecules_are_as_published), cmocka_unit_test(four_stiffnesses_are_told_apart_by_their_forces),
      cmocka_unit_test(the_thigh_is_as_published),  cmocka_unit_test(a_file_says_what_touches_it),
      cmocka_unit_test(bad_scenes_are_explained),   cmocka_unit_test(refused_memory_leaves_nothing_behind),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
