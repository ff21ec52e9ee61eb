/* Loads are shared as the surface is, and holds of several entries add up: uniform stress is found exactly. */
#include "support.h"

#include "base/vec.h"
#include "tissue/simulation/simulation.h"

enum { KEYS = 4000 };
static const double side_mm = 10;

/* ---- blocks -------------------------------------------------------------------------------------------------------
 */

/* A cube of n x n x n cells as a file of hexahedra or of tetrahedra, five or six to a cell; with `bumps` nodes lie
 * anywhere inside the faces, edges and corners on which they were. */
static void write_block(const char *path, uint32_t n, bool hexahedra, double bumps) {
  static const uint8_t tets[6][4] = {{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7},
                                     {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}};
  static const uint8_t hex[8] = {0, 1, 3, 2, 4, 5, 7, 6};
  test_random random = {n};
  const uint32_t each = n + 1, cells = n * n * n;
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs("# vtk DataFile Version 3.0\nblock\nASCII\nDATASET UNSTRUCTURED_GRID\n", file);
  fprintf(file, "POINTS %u double\n", each * each * each);
  for (uint32_t i = 0; i < each * each * each; ++i) {
    const uint32_t at[3] = {i % each, i / each % each, i / each / each};
    double p[3];
    for (int k = 0; k < 3; ++k) {
      const double bump = random_between(&random, -bumps, bumps);
      p[k] = side_mm / n * (at[k] + (at[k] == 0 || at[k] == n ? 0 : bump));
    }
    fprintf(file, "%.17g %.17g %.17g\n", p[0], p[1], p[2]);
  }
  const uint32_t per = hexahedra ? 1 : 6, corners = hexahedra ? 8 : 4;
  fprintf(file, "CELLS %u %u\n", cells * per, cells * per * (corners + 1));
  for (uint32_t c = 0; c < cells; ++c) {
    const uint32_t x = c % n, y = c / n % n, z = c / n / n;
    for (uint32_t k = 0; k < per; ++k) {
      fprintf(file, "%u", corners);
      for (uint32_t v = 0; v < corners; ++v) {
        const uint32_t bit = hexahedra ? hex[v] : tets[k][v];
        fprintf(file, " %u", (x + (bit & 1)) + each * ((y + (bit >> 1 & 1)) + each * (z + (bit >> 2))));
      }
      fputc('\n', file);
    }
  }
  fprintf(file, "CELL_TYPES %u\n", cells * per);
  for (uint32_t k = 0; k < cells * per; ++k) fprintf(file, "%d\n", hexahedra ? 12 : 10);
  fclose(file);
}

static const char *const kinds[] = {"", ",\"quadratic\":true", ",\"hexahedra\":true"};

/* Reads a scene of one block, static, with these keys of the scene; NULL where it is refused. */
static syn_tissue_scene *read_block(const syn_context *context, int kind, uint32_t n, double bumps, double poisson,
                                    const char *keys, syn_error *error) {
  char text[KEYS + 600];
  const char *mesh = temporary_path("block.vtk"), *path = temporary_path("block.json");
  syn_tissue_scene *scene;
  write_block(mesh, n, kind == 2, bumps);
  snprintf(text, sizeof text,
           "{\"synovia\":1,\"bodies\":[{\"name\":\"c\",\"mesh\":\"block.vtk\",\"model\":\"fem\",\"law\":\"linear\"%s,"
           "\"material\":{\"young_mpa\":1,\"poisson\":%g,\"density_kg_m3\":1000}},"
           "{\"name\":\"plate\",\"shape\":{\"name\":\"cube\"},\"place\":[500,0,0]}],"
           "%s%s}",
           kinds[kind], poisson,
           strstr(keys, "integrator") ? "" : "\"integrator\":\"static\",\"step_s\":1,\"duration_s\":1,\"frame_s\":1,",
           keys);
  write_text_file(path, text);
  return syn_tissue_scene_read(context, path, NULL, &scene, error) ? NULL : scene;
}

#define BOTTOM "\"box\":{\"min\":[-1,-1,-1],\"max\":[11,11,0.001]}"
#define TOP "\"box\":{\"min\":[-1,-1,9.999],\"max\":[11,11,11]}"
#define LEFT "\"box\":{\"min\":[-1,-1,-1],\"max\":[0.001,11,11]}"
#define FRONT "\"box\":{\"min\":[-1,-1,-1],\"max\":[11,0.001,11]}"
#define SYMMETRY                                                                                                       \
  "{\"body\":\"c\"," BOTTOM ",\"axes\":\"z\"},{\"body\":\"c\"," LEFT ",\"axes\":\"x\"},"                               \
  "{\"body\":\"c\"," FRONT ",\"axes\":\"y\"}"

/* Every node is where uniform strain along z puts it, and has the one stress that goes with it. */
static void check_uniform(const syn_tissue_scene *scene, double strain, double poisson, double tolerance) {
  const syn_soft *soft = scene->bodies[0].soft;
  const uint32_t count = syn_soft_node_count(soft);
  const syn_vec3 *x = syn_simulation_positions(scene->simulation, 0), *rest = syn_soft_rest(soft);
  syn_sym3 *stress = calloc(count, sizeof *stress);
  syn_soft_stress(soft, x, NULL, stress, NULL);
  for (uint32_t i = 0; i < count; ++i) {
    const double wide = 1 - poisson * strain;
    const syn_vec3 expected = {rest[i].x * wide, rest[i].y * wide, rest[i].z * (1 + strain)};
    if (!(vec3_distance(x[i], expected) <= tolerance))
      fail_msg("node %u went by (%g, %g, %g) from (%g, %g, %g)", i, x[i].x - rest[i].x, x[i].y - rest[i].y,
               x[i].z - rest[i].z, rest[i].x, rest[i].y, rest[i].z);
    ASSERT_NEAR(syn_sym3_von_mises(&stress[i]), fabs(strain), tolerance);
  }
  free(stress);
}

/* The elements are in equilibrium with the loads where uniform strain along z puts the nodes: that is the solution, of
 * which there is one. */
static void check_equilibrium(const syn_tissue_scene *scene, double strain) {
  const syn_soft *soft = scene->bodies[0].soft;
  const uint32_t count = syn_soft_node_count(soft);
  syn_vec3 *x = calloc(2 * (size_t)count, sizeof *x), *f = x + count, sum = {0, 0, 0};
  for (uint32_t i = 0; i < count; ++i) {
    const syn_vec3 p = syn_soft_rest(soft)[i];
    x[i] = vec3(p.x, p.y, p.z * (1 + strain));
  }
  syn_soft_forces(soft, x, NULL, f);
  for (uint32_t i = 0; i < count; ++i) {
    const syn_vec3 load = syn_sim_load_of(scene->simulation, 0, i), p = syn_soft_rest(soft)[i];
    sum = vec3_add(sum, load);
    assert_true(fabs(f[i].x + load.x) <= 1e-12 && fabs(f[i].y + load.y) <= 1e-12);
    if (p.z > 1e-9 && !(fabs(f[i].z + load.z) <= 1e-12))
      fail_msg("node %u at (%g, %g, %g) bears %g N and is given %g N", i, p.x, p.y, p.z, -f[i].z, load.z);
  }
  assert_true(vec3_distance(sum, vec3(0, 0, 100 * strain)) <= 1e-12);
  free(x);
}

/* ---- loads --------------------------------------------------------------------------------------------------------
 */

static void one_newton_moves_the_top_of_a_block_by_a_tenth(void **state) {
  (void)state;
  static const struct {
    const char *load;
    double strain;
  } loads[] = {{"\"force_n\":[0,0,1]", 0.01},
               {"\"pressure_mpa\":0.01", -0.01},
               {"\"pressure_mpa\":-0.01,\"over_s\":1e-6", 0.01},
               {"\"traction_mpa\":[0,0,0.01]", 0.01}};
  for (int kind = 0; kind < 3; ++kind)
    for (int bumps = 0; bumps < 2; ++bumps)
      for (size_t k = 0; k < sizeof loads / sizeof *loads; ++k) {
        char keys[KEYS];
        syn_error error;
        snprintf(keys, sizeof keys,
                 "\"integrator\":\"symplectic\",\"step_s\":1e-6,\"hold\":[" SYMMETRY "],\"loads\":[{\"body\":\"c\"," TOP
                 ",%s}]",
                 loads[k].load);
        syn_tissue_scene *scene = read_block(NULL, kind, 4, 0.25 * bumps, 0, keys, &error);
        if (!scene) fail_msg("%s", error.message);
        ASSERT_OK(syn_tissue_scene_step(scene, &error));
        check_equilibrium(scene, loads[k].strain);
        syn_tissue_scene_destroy(scene);
      }
}

static void forces_add_up_to_what_the_file_says(void **state) {
  (void)state;
  syn_error error;
  const char *const wheres[] = {TOP, "\"nodes\":[62]", "\"nodes\":[62,63,57]",
                                "\"box\":{\"min\":[-1,-1,-1],\"max\":[11,11,11]}"};
  for (int kind = 0; kind < 3; ++kind)
    for (size_t w = 0; w < sizeof wheres / sizeof *wheres; ++w) {
      char keys[KEYS];
      snprintf(keys, sizeof keys,
               "\"hold\":[{\"body\":\"c\"," BOTTOM "}],\"loads\":[{\"body\":\"c\",%s,\"force_n\":[1,-2,3]},"
               "{\"body\":\"c\",%s,\"force_n\":[1,1,1]}]",
               wheres[w], wheres[w]);
      syn_tissue_scene *scene = read_block(NULL, kind, 4, 0.2, 0.3, keys, &error);
      if (!scene) fail_msg("%s", error.message);
      ASSERT_OK(syn_tissue_scene_step(scene, &error));
      syn_vec3 sum = {0, 0, 0};
      for (uint32_t i = 0; i < syn_soft_node_count(scene->bodies[0].soft); ++i)
        sum = vec3_add(sum, syn_sim_load_of(scene->simulation, 0, i));
      assert_true(vec3_distance(sum, vec3(2, -1, 4)) <= 1e-12);
      syn_tissue_scene_destroy(scene);
    }
}

/* Nodes inside the body form no face: each carries the same; a pressure on them has nothing to act on. */
static void nodes_without_a_face_share_equally(void **state) {
  (void)state;
  syn_error error;
  const char *inside = "\"nodes\":[62,63]";
  char keys[KEYS];
  snprintf(keys, sizeof keys,
           "\"hold\":[{\"body\":\"c\"," BOTTOM "}],\"loads\":[{\"body\":\"c\",%s,\"force_n\":[0,0,1]}]", inside);
  syn_tissue_scene *scene = read_block(NULL, 0, 4, 0.2, 0.3, keys, &error);
  if (!scene) fail_msg("%s", error.message);
  ASSERT_OK(syn_tissue_scene_step(scene, &error));
  for (uint32_t i = 62; i < 64; ++i) ASSERT_NEAR(syn_sim_load_of(scene->simulation, 0, i).z, 0.5, 1e-15);
  syn_tissue_scene_destroy(scene);
  static const char *const wrong[][2] = {
      {"\"pressure_mpa\":1", "form no face"},
      {"\"traction_mpa\":[0,0,1]", "form no face"},
      {"\"force_n\":[0,0,1],\"pressure_mpa\":1", "needs one of"},
      {"\"over_s\":1", "needs one of"},
      {"\"pressure_mpa\":[0,0,1]", "expected a number"},
      {"\"force_n\":[0,0,1],\"over_s\":-1", "negative"},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    snprintf(keys, sizeof keys, "\"loads\":[{\"body\":\"c\",%s,%s}]", inside, wrong[i][0]);
    assert_null(read_block(NULL, 0, 4, 0.2, 0.3, keys, &error));
    check_message(&error, SYN_BAD_FORMAT, wrong[i][1]);
  }
}

static void nodes_beside_the_loaded_faces_are_warned_of(void **state) {
  (void)state;
  syn_error error;
  test_memory memory = {0};
  const syn_context context = test_context(&memory);
  const char *keys = "\"loads\":[{\"body\":\"c\",\"nodes\":[100,101,105,106,62],\"force_n\":[0,0,1]}]";
  syn_tissue_scene *scene = read_block(&context, 0, 4, 0, 0.3, keys, &error);
  if (!scene) fail_msg("%s", error.message);
  assert_non_null(strstr(memory.all_warnings, "1 of the 5 nodes"));
  syn_tissue_scene_destroy(scene);
  assert_int_equal(memory.live, 0);
}

/* ---- the library's shares ------------------------------------------------------------------------------------------
 */

/* Areas and normals of whole surfaces, of every model. */
static void shares_of_a_whole_surface_are_its_area(void **state) {
  (void)state;
  static const char *const models[] = {"fem", "fem", "vdm", "molecules"};
  for (int m = 0; m < 4; ++m) {
    syn_error error;
    syn_joint *shape;
    syn_soft *soft;
    const syn_shape_value size[] = {{"length", 10}, {"width", 6}, {"height", 4}, {"cells-x", 5}, {"cells-y", 3}};
    ASSERT_OK(syn_shape_create(NULL, "beam", size, 5, &shape, &error));
    syn_body body = shape->bodies[0];
    body.material = (syn_material){1, 0.3, 1000};
    syn_soft_options options = syn_default_soft_options();
    options.quadratic = m == 1;
    ASSERT_OK(syn_soft_create(NULL, models[m], &body, &options, &soft, &error));
    const uint32_t count = syn_soft_node_count(soft);
    bool *chosen = calloc(count, sizeof *chosen);
    double *areas = calloc(count, sizeof *areas), area = 0;
    syn_vec3 *facing = calloc(count, sizeof *facing), sum = {0, 0, 0};
    double volume = 0;
    memset(chosen, 1, count);
    ASSERT_OK(syn_soft_face_shares(soft, chosen, areas, facing, &error));
    for (uint32_t i = 0; i < count; ++i) {
      area += areas[i];
      sum = vec3_add(sum, facing[i]);
      volume += vec3_dot(facing[i], syn_soft_rest(soft)[i]) / 3; /* divergence theorem */
    }
    ASSERT_NEAR(area, m == 3 ? 0 : 2 * (60 + 40 + 24), 1e-9);
    ASSERT_NEAR(volume, m == 3 ? 0 : 240, 1e-9);
    assert_true(vec3_length(sum) <= 1e-9);
    memset(chosen, 0, count);
    ASSERT_OK(syn_soft_face_shares(soft, chosen, areas, facing, &error));
    for (uint32_t i = 0; i < count; ++i) assert_true(areas[i] == 0 && vec3_length(facing[i]) == 0);
    free(chosen);
    free(areas);
    free(facing);
    syn_soft_destroy(soft);
    syn_joint_destroy(shape);
  }
}

/* ---- holds --------------------------------------------------------------------------------------------------------
 */

static void planes_of_symmetry_meet_in_any_order(void **state) {
  (void)state;
  static const char *const entries[4] = {
      "{\"body\":\"c\"," BOTTOM ",\"axes\":\"z\"}", "{\"body\":\"c\"," TOP ",\"axes\":\"z\",\"shift_mm\":[0,0,-1]}",
      "{\"body\":\"c\"," LEFT ",\"axes\":\"x\"}", "{\"body\":\"c\"," FRONT ",\"axes\":\"y\"}"};
  test_random random = {3};
  for (int kind = 0; kind < 3; ++kind)
    for (int draw = 0; draw < 6; ++draw) {
      int order[4] = {0, 1, 2, 3};
      for (int i = 3; i > 0; --i) {
        const uint32_t k = random_below(&random, (uint32_t)i + 1);
        const int kept = order[i];
        order[i] = order[k];
        order[k] = kept;
      }
      char keys[KEYS];
      syn_error error;
      snprintf(keys, sizeof keys, "\"hold\":[%s,%s,%s,%s]", entries[order[0]], entries[order[1]], entries[order[2]],
               entries[order[3]]);
      syn_tissue_scene *scene = read_block(NULL, kind, 3, 0.2, 0.3, keys, &error);
      if (!scene) fail_msg("%s", error.message);
      ASSERT_OK(syn_tissue_scene_step(scene, &error));
      check_uniform(scene, -0.1, 0.3, 1e-8);
      syn_tissue_scene_destroy(scene);
    }
}

static void contradicting_holds_name_both_and_the_node(void **state) {
  (void)state;
  syn_error error;
  test_memory memory = {0};
  const syn_context context = test_context(&memory);
  static const struct {
    const char *keys, *part; /* NULL: they agree */
  } cases[] = {
      {"\"hold\":[{\"body\":\"c\"," TOP "},{\"body\":\"c\",\"nodes\":[63],\"axes\":\"z\",\"shift_mm\":[0,0,1]}]",
       "hold[1]: wants node 63 of c"},
      {"\"hold\":[{\"body\":\"c\"," TOP "},{\"body\":\"c\",\"nodes\":[63],\"axes\":\"z\",\"shift_mm\":[0,0,1]}]",
       "along z than hold[0] does"},
      {"\"hold\":[{\"body\":\"c\"," TOP ",\"to\":\"plate\"},{\"body\":\"c\",\"nodes\":[63],\"axes\":\"y\"}],"
       "\"motions\":[{\"body\":\"plate\",\"shift_mm\":[0,1,0]}]",
       "along y"},
      {"\"hold\":[{\"body\":\"c\"," TOP ",\"shift_mm\":[0,0,1]},{\"body\":\"c\",\"nodes\":[63],\"shift_mm\":[0,0,1],"
       "\"from_s\":0.5}]",
       "along z"},
      /* One way while the shorter motion lasts, and two after it: whichever is named first. */
      {"\"hold\":[{\"body\":\"c\"," TOP ",\"shift_mm\":[0,0,2]},{\"body\":\"c\",\"nodes\":[63],\"shift_mm\":[0,0,1],"
       "\"to_s\":0.5}]",
       "along z"},
      {"\"hold\":[{\"body\":\"c\",\"nodes\":[63],\"shift_mm\":[0,0,1],\"to_s\":0.5},{\"body\":\"c\"," TOP
       ",\"shift_mm\":[0,"
       "0,2]}]",
       "along z"},
      {"\"hold\":[{\"body\":\"c\"," TOP ",\"to\":\"plate\",\"axes\":\"x\"}]", "held in all of them"},
      {"\"hold\":[{\"body\":\"c\"," TOP ",\"shift_mm\":[0,2,1]},{\"body\":\"c\",\"nodes\":[63],\"axes\":\"z\","
       "\"shift_mm\":[9,9,1]}]",
       NULL},
      {"\"hold\":[{\"body\":\"c\"," TOP ",\"to\":\"plate\"},{\"body\":\"c\",\"nodes\":[63],\"axes\":\"x\"}],"
       "\"motions\":[{\"body\":\"plate\",\"shift_mm\":[0,1,0]}]",
       NULL},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    syn_tissue_scene *scene = read_block(&context, 0, 3, 0, 0.3, cases[i].keys, &error);
    if (cases[i].part) {
      assert_null(scene);
      check_message(&error, SYN_BAD_FORMAT, cases[i].part);
    } else {
      if (!scene) fail_msg("%s", error.message);
      ASSERT_OK(syn_tissue_scene_step(scene, &error));
      const syn_vec3 way =
          vec3_sub(syn_simulation_positions(scene->simulation, 0)[63], syn_soft_rest(scene->bodies[0].soft)[63]);
      assert_true(vec3_distance(way, i == 7 ? vec3(0, 2, 1) : vec3(0, 1, 0)) <= 1e-12);
    }
    syn_tissue_scene_destroy(scene);
  }
  assert_int_equal(memory.live, 0);
}

/* The library's own call: axes add up, and 0 lets a node go. */
static void holds_of_the_library_add_up_and_are_let_go(void **state) {
  (void)state;
  syn_error error;
  syn_tissue_scene *scene = read_block(NULL, 0, 2, 0, 0.3, "\"gravity\":[0,0,0]", &error);
  if (!scene) fail_msg("%s", error.message);
  syn_simulation *s = scene->simulation;
  const uint32_t count = syn_soft_node_count(scene->bodies[0].soft);
  for (uint32_t i = 0; i < count; ++i)
    if (i != 5)
      for (unsigned axis = 1; axis <= 4; axis *= 2)
        ASSERT_OK(syn_simulation_prescribe(s, 0, i, axis, SYN_NONE, &error));
  syn_simulation_load(s, 0, 5, vec3(0, 0, 0.01));
  syn_simulation_load(s, 0, 6, vec3(0.01, 0.02, 0.03));
  ASSERT_OK(syn_simulation_step(s, &error));
  const syn_vec3 *x = syn_simulation_positions(s, 0), *rest = syn_soft_rest(scene->bodies[0].soft);
  assert_true(vec3_distance(x[5], rest[5]) > 1e-4);
  assert_true(vec3_equal(x[6], rest[6]));
  ASSERT_FAILS(syn_simulation_prescribe(s, 0, 6, 7, 1, &error), SYN_BAD_ARGUMENT, "held already");
  ASSERT_OK(syn_simulation_prescribe(s, 0, 6, 0, SYN_NONE, &error));
  ASSERT_OK(syn_simulation_prescribe(s, 0, 7, 0, SYN_NONE, &error));
  ASSERT_OK(syn_simulation_prescribe(s, 0, 7, 7, 1, &error));
  ASSERT_OK(syn_simulation_prescribe(s, 0, 7, 7, 1, &error));
  ASSERT_FAILS(syn_simulation_prescribe(s, 0, 7, 1, SYN_NONE, &error), SYN_BAD_ARGUMENT, "let it go first");
  ASSERT_OK(syn_simulation_step(s, &error));
  assert_true(vec3_distance(x[6], rest[6]) > 1e-4);
  assert_true(vec3_equal(x[7], rest[7]));
  syn_tissue_scene_destroy(scene);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_newton_moves_the_top_of_a_block_by_a_tenth),
      cmocka_unit_test(forces_add_up_to_what_the_file_says),
      cmocka_unit_test(nodes_without_a_face_share_equally),
      cmocka_unit_test(nodes_beside_the_loaded_faces_are_warned_of),
      cmocka_unit_test(shares_of_a_whole_surface_are_its_area),
      cmocka_unit_test(planes_of_symmetry_meet_in_any_order),
      cmocka_unit_test(contradicting_holds_name_both_and_the_node),
      cmocka_unit_test(holds_of_the_library_add_up_and_are_let_go),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
