/* Maciel 2005, §4.3.3: the cartilages of a hip in permanent contact through 4 s in which it flexes by 90 degrees and
 * turns inward by 57. By which integrator, response and step does it go well? The published hip, its masses and its
 * damping are not given: the parametric hip takes its place, with masses and damping for which Euler's method without
 * contact ends where the published one did, near 10 ms. */
#include "support.h"

#include "base/vec.h"

#define SOFT(name, of)                                                                                                 \
  "{\"name\":\"" name "\",\"shape\":{\"name\":\"hip\",\"resolution\":2,\"cartilage-edge\":%g,\"of\":\"" of             \
  "\"},\"model\":\"fem\",\"tetrahedra_mm\":3,\"damping_s\":0.0075,"                                                    \
  "\"material\":{\"young_mpa\":0.01,\"poisson\":0.3,\"density_kg_m3\":%g}}"

typedef struct setting {
  const char *integrator, *response, *method;
  double step_s, edge_deg, density;
} setting;

static syn_tissue_scene *make(const setting *how) {
  syn_error error;
  char text[4000];
  snprintf(text, sizeof text,
           "{\"synovia\":1,\"bodies\":[{\"name\":\"pelvis\",\"shape\":{\"name\":\"hip\",\"resolution\":2,\"of\":"
           "\"pelvis\"}},"
           "{\"name\":\"femur\",\"shape\":{\"name\":\"hip\",\"resolution\":2,\"cartilage-edge\":%g,\"of\":\"femur\"}}"
           "," SOFT("socket", "acetabular_cartilage") "," SOFT(
               "cap", "femoral_cartilage") "],"
                                           "\"hold\":[{\"body\":\"socket\",\"near\":{\"body\":\"pelvis\",\"within_mm\":"
                                           "0.3},\"to\":\"pelvis\"},"
                                           "{\"body\":\"cap\",\"near\":{\"body\":\"femur\",\"within_mm\":0.3},\"to\":"
                                           "\"femur\"}],"
                                           "\"motions\":[{\"body\":\"femur\",\"eased\":true,\"turns\":[{\"axis\":[0,0,"
                                           "1],\"deg\":57},"
                                           "{\"axis\":[1,0,0],\"deg\":90}]}],"
                                           "\"contacts\":[{\"fixed\":\"socket\",\"mobile\":\"cap\",\"response\":\"%s\","
                                           "\"method\":\"%s\",\"table_size\":1600}],"
                                           "\"integrator\":\"%s\",\"step_s\":%g,\"duration_s\":4,\"tolerance\":1e-6}",
           how->edge_deg, how->edge_deg, how->density, how->edge_deg, how->density, how->response, how->method,
           how->integrator, how->step_s);
  const char *path = temporary_path("hip.json");
  write_text_file(path, text);
  syn_tissue_scene *scene;
  const syn_status status = syn_tissue_scene_read(NULL, path, NULL, &scene, &error);
  if (status == SYN_NO_PROGRAM) SKIP("gmsh is not installed");
  if (status) fail_msg("%s", error.message);
  return scene;
}

static syn_trimesh *skin_now(const syn_tissue_scene *scene, size_t body) {
  syn_error error;
  const syn_soft *soft = syn_tissue_scene_soft(scene, body);
  const syn_trimesh *skin = syn_soft_skin(soft);
  syn_vec3 *points = malloc(skin->vertex_count * sizeof *points);
  syn_soft_skin_points(soft, syn_simulation_positions(syn_tissue_scene_simulation(scene), (uint32_t)body), points);
  syn_trimesh *mesh;
  ASSERT_OK(syn_trimesh_create(NULL, points, skin->vertex_count, skin->triangles, skin->triangle_count, &mesh, &error));
  free(points);
  return mesh;
}

/* By exact intersection of triangles, and by the distance method: how deep. */
static double depth_now(const syn_tissue_scene *scene, bool *crossing) {
  syn_error error;
  syn_trimesh *socket = skin_now(scene, 2), *cap = skin_now(scene, 3);
  const syn_body fixed = {.surface = socket}, mobile = {.surface = cap};
  syn_collision *meets, *depth;
  ASSERT_OK(syn_collision_create(NULL, "obb", &fixed, &mobile, NULL, NULL, 1, &meets, &error));
  const syn_status status = syn_collision_create(NULL, "distance", &fixed, &mobile, NULL, NULL, 1, &depth, &error);
  if (status && status != SYN_BAD_MESH) fail_msg("%s", error.message);
  *crossing = meets->contacts.penetrating;
  const double deepest = status ? (double)INFINITY : depth->contacts.max_depth_mm; /* a surface is inside out */
  syn_collision_destroy(meets);
  syn_collision_destroy(depth);
  syn_trimesh_destroy(socket);
  syn_trimesh_destroy(cap);
  return deepest;
}

/* Steps to the end. Returns the status of the last step; the deepest penetration after any step, and whether surfaces
 * ever crossed. */
static syn_status run(const setting *how, double *deepest, bool *crossed, uint64_t *steps) {
  syn_error error;
  syn_tissue_scene *scene = make(how);
  const int count = (int)round(4 / how->step_s);
  syn_status status = SYN_OK;
  *deepest = -INFINITY;
  *crossed = false;
  for (int i = 0; i < count && status == SYN_OK; ++i) {
    bool crossing;
    status = syn_tissue_scene_step(scene, &error);
    if (status) break;
    *deepest = fmax(*deepest, depth_now(scene, &crossing));
    *crossed |= crossing;
    if (isinf(*deepest) && *deepest > 0) status = SYN_NOT_CONVERGED;
  }
  if (status && status != SYN_NOT_CONVERGED) fail_msg("%s", error.message);
  *steps = syn_simulation_steps(syn_tissue_scene_simulation(scene));
  syn_tissue_scene_destroy(scene);
  return status;
}

static void a_barrier_is_not_crossed_at_any_step_size(void **state) {
  (void)state;
  static const double lengths[] = {0.5, 0.1, 0.02};
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; ++i) {
    const setting how = {"implicit", "barrier", "distance", lengths[i], 0, 1000};
    double deepest;
    bool crossed;
    uint64_t steps;
    assert_int_equal(run(&how, &deepest, &crossed, &steps), SYN_OK);
    print_message("barrier, %g s: %llu steps, never nearer than %.4f mm\n", lengths[i], (unsigned long long)steps,
                  -deepest);
    assert_false(crossed);
    assert_true(deepest < 0);
  }
}

static void positions_keep_penetration_below_a_tenth_of_a_millimetre(void **state) {
  (void)state;
  static const double lengths[] = {0.1, 0.02};
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; ++i) {
    const setting how = {"positions", "penalty", "distance", lengths[i], 82, 1000};
    double deepest;
    bool crossed;
    uint64_t steps;
    assert_int_equal(run(&how, &deepest, &crossed, &steps), SYN_OK);
    print_message("positions, %g s: deepest %.4f mm\n", lengths[i], deepest);
    assert_true(deepest < 0.1);
  }
}

/* 100 to 600 steps per second as published; whether each goes well is printed beside what was published. */
static void eulers_method_diverges_near_ten_milliseconds(void **state) {
  (void)state;
  static const int rates[] = {100, 150, 180, 200, 400};
  static const char *const integrators[] = {"explicit", "rk4"};
  syn_status found[2][5];
  for (int k = 0; k < 2; ++k)
    for (size_t i = 0; i < 5; ++i) {
      const setting how = {integrators[k], "look-ahead", "proximity", 1.0 / rates[i], 82, 4e6};
      double deepest;
      bool crossed;
      uint64_t steps;
      found[k][i] = run(&how, &deepest, &crossed, &steps);
      print_message("%s, %d per s: %s after %llu steps, deepest %.4f mm\n", integrators[k], rates[i],
                    found[k][i] ? "diverges" : "good", (unsigned long long)steps, deepest);
    }
  assert_int_equal(found[0][0], SYN_NOT_CONVERGED);                     /* 10 ms */
  for (size_t i = 1; i < 5; ++i) assert_int_equal(found[0][i], SYN_OK); /* 6.6 ms and less */
  for (size_t i = 3; i < 5; ++i) assert_int_equal(found[1][i], SYN_OK); /* 5 ms and less */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_barrier_is_not_crossed_at_any_step_size),
      cmocka_unit_test(positions_keep_penetration_below_a_tenth_of_a_millimetre),
      cmocka_unit_test(eulers_method_diverges_near_ten_milliseconds),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
