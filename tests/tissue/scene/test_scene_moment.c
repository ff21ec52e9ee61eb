/* What is told of a moment of a scene: the largest stress and displacement of all nodes. */
#include "support.h"

#include "base/vec.h"

static const char scene_text[] =
    "{\"synovia\":1,\"bodies\":[{\"name\":\"tissue\",\"shape\":{\"name\":\"beam\",\"length\":16,\"width\":16,"
    "\"height\":10,"
    "\"cells-x\":4,\"cells-y\":4,\"cells-z\":2},\"model\":\"fem\",\"material\":{\"young_mpa\":0.1,\"poisson\":0.4}},"
    "{\"name\":\"cube\",\"shape\":{\"name\":\"cube\",\"edge\":8},\"place\":[8,0,9.5]}],\"hold\":[{\"body\":\"tissue\","
    "\"box\":{\"min\":[-1,-9,-6],\"max\":[17,9,-4.99]}}],\"contacts\":[{\"fixed\":\"cube\",\"mobile\":\"tissue\","
    "\"response\":\"barrier\",\"barrier_mm\":0.25}],\"motions\":[{\"body\":\"cube\",\"shift_mm\":[0,0,-1]}],"
    "\"integrator\":\"static\",\"step_s\":0.25,\"frame_s\":0.5}";

static void a_moment_has_the_largest_of_all_nodes(void **state) {
  (void)state;
  syn_error error;
  syn_tissue_scene *scene;
  syn_tissue_run *run;
  const char *path = temporary_path("moment.json");
  write_text_file(path, scene_text);
  ASSERT_OK(syn_tissue_scene_read(NULL, path, NULL, &scene, &error));
  ASSERT_OK(syn_tissue_scene_run(scene, NULL, &run, &error));
  const syn_soft *soft = scene->bodies[0].soft;
  const uint32_t count = syn_soft_node_count(soft);
  const syn_vec3 *x = syn_simulation_positions(scene->simulation, 0), *rest = syn_soft_rest(soft);
  syn_sym3 *stress = calloc(count, sizeof *stress);
  syn_soft_stress(soft, x, NULL, stress, NULL);
  double most = 0, least = INFINITY, farthest = 0;
  for (uint32_t i = 0; i < count; ++i) {
    most = fmax(most, syn_sym3_von_mises(&stress[i]));
    least = fmin(least, syn_sym3_von_mises(&stress[i]));
    farthest = fmax(farthest, vec3_distance(x[i], rest[i]));
  }
  const syn_tissue_step *last = &run->moments[run->moment_count - 1];
  assert_true(least < 0.5 * most && farthest > 0.1);
  ASSERT_NEAR(last->von_mises_mpa, most, 1e-12);
  ASSERT_NEAR(last->displacement_mm, farthest, 1e-12);
  free(stress);
  syn_tissue_run_destroy(run);
  syn_tissue_scene_destroy(scene);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_moment_has_the_largest_of_all_nodes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
