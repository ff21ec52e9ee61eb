/* Scenes from files: what is read moves as the library moves it, a stopped run continues with the same bits, and
 * mistakes are named with their place. */
#include "support.h"
#include "title.h"

#include "base/files/file.h"
#include "base/vec.h"
#include "tissue/simulation/simulation.h"
#include "tissue/vdm/vdm.h"

#define BEAM SYN_SOURCE_DIR "/examples/scenes/beam.json"
#define PRESS SYN_SOURCE_DIR "/examples/scenes/press.json"

static syn_tissue_scene *read_scene(const syn_context *context, const char *path) {
  syn_error error;
  syn_tissue_scene *scene;
  ASSERT_OK(syn_tissue_scene_read(context, path, NULL, &scene, &error));
  return scene;
}

/* The same bodies, holds and weight, put together by hand. */
static void a_scene_moves_as_its_simulation_does(void **state) {
  (void)state;
  syn_error error;
  syn_tissue_scene *scene = read_scene(NULL, BEAM);
  const syn_soft *read = scene->bodies[0].soft;
  syn_joint *shape;
  ASSERT_OK(syn_shape_create(NULL, "beam", NULL, 0, &shape, &error));
  syn_body body = shape->bodies[0];
  body.material = (syn_material){1, 0.3, 1000};
  syn_soft *soft;
  ASSERT_OK(syn_soft_create(NULL, "fem", &body, NULL, &soft, &error));
  syn_simulation_options options = syn_default_simulation_options();
  options.step_s = 0.002;
  options.gravity = vec3(0, 0, -9810);
  syn_simulation *twin;
  uint32_t number;
  ASSERT_OK(syn_simulation_create(NULL, &options, &twin, &error));
  ASSERT_OK(syn_simulation_add_soft(twin, soft, NULL, &number, &error));
  const uint32_t count = syn_soft_node_count(soft);
  assert_int_equal(count, syn_soft_node_count(read));
  for (uint32_t i = 0; i < count; ++i)
    if (syn_soft_rest(soft)[i].x <= 0.001) ASSERT_OK(syn_simulation_prescribe(twin, 0, i, 7, SYN_NONE, &error));
  for (int i = 0; i < 20; ++i) {
    ASSERT_OK(syn_tissue_scene_step(scene, &error));
    ASSERT_OK(syn_simulation_step(twin, &error));
  }
  assert_memory_equal(syn_simulation_positions(twin, 0), syn_simulation_positions(scene->simulation, 0),
                      count * sizeof(syn_vec3));
  syn_simulation_destroy(twin);
  syn_soft_destroy(soft);
  syn_joint_destroy(shape);
  syn_tissue_scene_destroy(scene);
}

static bool stop_halfway(void *user, const char *what, double fraction) {
  (void)user;
  (void)what;
  return fraction < 0.55;
}

static void check_same_file(const char *a, const char *b, const char *name) {
  char paths[2][600], *bytes[2];
  size_t sizes[2];
  syn_error error;
  snprintf(paths[0], sizeof paths[0], "%s/%s", a, name);
  snprintf(paths[1], sizeof paths[1], "%s/%s", b, name);
  for (int i = 0; i < 2; ++i) ASSERT_OK(syn_read_file(NULL, paths[i], &bytes[i], &sizes[i], &error));
  assert_int_equal(sizes[0], sizes[1]);
  assert_memory_equal(bytes[0], bytes[1], sizes[0]);
  for (int i = 0; i < 2; ++i) syn_free(NULL, bytes[i]);
}

static void a_stopped_run_continues_with_the_same_bits(void **state) {
  (void)state;
  syn_error error;
  char whole[300], parts[300];
  snprintf(whole, sizeof whole, "%s", temporary_path("whole"));
  snprintf(parts, sizeof parts, "%s", temporary_path("parts"));
  syn_tissue_run_options options = syn_default_tissue_run_options();
  syn_tissue_run *run;
  syn_tissue_scene *scene = read_scene(NULL, PRESS);
  options.folder = whole;
  ASSERT_OK(syn_tissue_scene_run(scene, &options, &run, &error));
  assert_int_equal(run->step_count, 10);
  assert_int_equal(run->moment_count, 11);
  assert_int_equal(run->continued_at, 0);
  assert_true(run->moments[10].contact_n > 0.01 && run->moments[10].depth_mm < 0); /* pressed, and apart */
  syn_tissue_run_destroy(run);
  syn_tissue_scene_destroy(scene);

  syn_context stopping = syn_default_context();
  stopping.progress = stop_halfway;
  scene = read_scene(&stopping, PRESS);
  options.folder = parts;
  ASSERT_FAILS(syn_tissue_scene_run(scene, &options, &run, &error), SYN_CANCELLED, "after step 6 of 10");
  assert_null(run);
  syn_tissue_scene_destroy(scene);
  scene = read_scene(NULL, PRESS);
  ASSERT_OK(syn_tissue_scene_run(scene, &options, &run, &error));
  assert_int_equal(run->continued_at, 6);
  assert_int_equal(run->moment_count, 11);
  syn_tissue_run_destroy(run);
  syn_tissue_scene_destroy(scene);
  static const char *const names[] = {"energy.csv",      "tissue.pvd",    "tissue_0006.vtu",
                                      "tissue_0010.vtu", "ball_0010.vtp", "checkpoint"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) check_same_file(whole, parts, names[i]);
  for (size_t i = 0; i + 1 < sizeof names / sizeof *names; ++i) { /* all that people open are named after the scene */
    char path[4200];
    snprintf(path, sizeof path, "%s/%s", whole, names[i]);
    assert_carries_title(path, "A rigid ball pressed into soft tissue");
  }
}

/* ---- damaged checkpoints -------------------------------------------------------------------------------------------
 */

#define SHORT                                                                                                          \
  "{\"synovia\":1,\"bodies\":[{\"name\":\"beam\",\"shape\":{\"name\":\"beam\",\"cells-x\":1,\"cells-y\":1,"            \
  "\"cells-z\":1},\"model\":\"fem\",\"material\":{\"young_mpa\":1,\"poisson\":0.3,\"density_kg_m3\":1000}}],"          \
  "\"hold\":[{\"body\":\"beam\",\"box\":{\"min\":[-1,-99,-99],\"max\":[0.001,99,99]}}],\"gravity\":[0,0,-9810],"       \
  "\"step_s\":0.001,\"duration_s\":0.004,\"frame_s\":0.002}"

static void count_damage(void *user, const char *message) {
  int *heard = user;
  *heard += strstr(message, "checkpoint is damaged") != NULL;
}

/* The short scene in the folder; how often it warned. */
static int run_short(const char *folder, bool is_stopped, uint64_t *continued_at) {
  syn_error error;
  int heard = 0;
  syn_context context = syn_default_context();
  context.user = &heard;
  context.warn = count_damage;
  if (is_stopped) context.progress = stop_halfway;
  syn_tissue_run_options options = syn_default_tissue_run_options();
  options.folder = folder;
  syn_tissue_run *run = NULL;
  syn_tissue_scene *scene = read_scene(&context, temporary_path("short.json"));
  const syn_status status = syn_tissue_scene_run(scene, &options, &run, &error);
  assert_int_equal(status, is_stopped ? SYN_CANCELLED : SYN_OK);
  *continued_at = run ? run->continued_at : 0;
  syn_tissue_run_destroy(run);
  syn_tissue_scene_destroy(scene);
  return heard;
}

static void write_bytes(const char *path, const char *bytes, size_t size) {
  FILE *stream = fopen(path, "wb");
  assert_non_null(stream);
  assert_int_equal(fwrite(bytes, 1, size, stream), size);
  assert_int_equal(fclose(stream), 0);
}

/* What comes out is what a run without it gives, to the byte, and it is told. */
static void check_damaged(const char *whole, const char *folder, const char *bytes, size_t size) {
  char path[400];
  uint64_t continued_at;
  snprintf(path, sizeof path, "%s/checkpoint", folder);
  write_bytes(path, bytes, size);
  assert_int_equal(run_short(folder, false, &continued_at), 1);
  assert_int_equal(continued_at, 0);
  check_same_file(whole, folder, "checkpoint");
  check_same_file(whole, folder, "energy.csv");
  check_same_file(whole, folder, "beam_0002.vtu");
}

static void a_damaged_checkpoint_is_not_used(void **state) {
  (void)state;
  char whole[300], folder[300], path[400];
  uint64_t continued_at;
  size_t size;
  snprintf(whole, sizeof whole, "%s", temporary_path("undamaged"));
  snprintf(folder, sizeof folder, "%s", temporary_path("damaged"));
  snprintf(path, sizeof path, "%s/checkpoint", folder);
  write_text_file(temporary_path("short.json"), SHORT);
  assert_int_equal(run_short(whole, false, &continued_at), 0);
  assert_int_equal(run_short(folder, true, &continued_at), 0);
  char *bytes = read_whole_file(path, &size);
  assert_int_equal(run_short(folder, false, &continued_at), 0);
  assert_int_equal(continued_at, 2); /* as it is, it is used */
  const size_t stride = repeats(307, 1) == 307 ? 307 : 2039;
  for (size_t bit = 0; bit < 8 * size; bit += stride) {
    bytes[bit / 8] ^= (char)(1 << bit % 8);
    check_damaged(whole, folder, bytes, size);
    bytes[bit / 8] ^= (char)(1 << bit % 8);
  }
  for (size_t length = 0; length < size; length += stride / 2) check_damaged(whole, folder, bytes, length);
  check_damaged(whole, folder, bytes, size - 1);
  check_damaged(whole, folder, bytes, size + 1); /* with its terminating zero */
  free(bytes);
}

/* Names of files were cut off after 511 bytes, with their ending. */
static void a_folder_may_have_a_long_name(void **state) {
  (void)state;
  char folder[4200], file[4300];
  syn_tissue_scene *scene;
  syn_tissue_run *run;
  syn_error error;
  size_t used = (size_t)snprintf(folder, sizeof folder, "%s", temporary_path("long"));
  while (used < 600) used += (size_t)snprintf(folder + used, sizeof folder - used, "/%0100d", 0);
  syn_tissue_run_options options = syn_default_tissue_run_options();
  options.folder = folder;
  const char *path = temporary_path("short.json");
  write_text_file(path, "{\"synovia\":1,\"bodies\":[{\"name\":\"beam\",\"shape\":{\"name\":\"beam\",\"cells-x\":1,"
                        "\"cells-y\":1,\"cells-z\":1},\"model\":\"fem\",\"material\":{\"young_mpa\":1,\"poisson\":0.3,"
                        "\"density_kg_m3\":1000}}],\"step_s\":0.001,\"duration_s\":0.001,\"frame_s\":0.001}");
  ASSERT_OK(syn_tissue_scene_read(NULL, path, NULL, &scene, &error));
  ASSERT_OK(syn_tissue_scene_run(scene, &options, &run, &error));
  syn_tissue_run_destroy(run);
  snprintf(file, sizeof file, "%s/beam_0001.vtu", folder);
  size_t size;
  free(read_whole_file(file, &size));
  while (used < 4000) used += (size_t)snprintf(folder + used, sizeof folder - used, "/%0100d", 0);
  ASSERT_FAILS(syn_tissue_scene_run(scene, &options, &run, &error), SYN_BAD_ARGUMENT, "name of the folder");
  syn_tissue_scene_destroy(scene);
}

/* A thousand million files were begun without a word. */
static void more_frames_than_anyone_looks_at_are_refused(void **state) {
  (void)state;
  syn_tissue_scene *scene;
  syn_tissue_run *run;
  syn_error error;
  syn_tissue_run_options options = syn_default_tissue_run_options();
  const char *path = temporary_path("frames.json");
  options.folder = temporary_path("frames");
  write_text_file(path, "{\"synovia\":1,\"bodies\":[{\"name\":\"beam\",\"shape\":{\"name\":\"beam\",\"cells-x\":1,"
                        "\"cells-y\":1,\"cells-z\":1},\"model\":\"fem\",\"material\":{\"young_mpa\":1,\"poisson\":0.3,"
                        "\"density_kg_m3\":1000}}],\"step_s\":1e-6,\"duration_s\":1000,\"frame_s\":1e-6}");
  ASSERT_OK(syn_tissue_scene_read(NULL, path, NULL, &scene, &error));
  ASSERT_FAILS(syn_tissue_scene_run(scene, &options, &run, &error), SYN_TOO_LARGE,
               "1000 s with a frame every 1e-06 s are 1000000000 frames, each with its files, and at most 10000 are "
               "written: enlarge frame_s or shorten duration_s");
  syn_tissue_scene_destroy(scene);
}

/* The first body of a scene with these keys of its own. */
static syn_tissue_scene *read_body(const char *keys) {
  char text[1024];
  const char *path = temporary_path("body.json");
  snprintf(text, sizeof text,
           "{\"synovia\":1,\"bodies\":[{\"name\":\"b\",\"material\":{\"young_mpa\":1,\"poisson\":0.25,"
           "\"density_kg_m3\":1000},%s}]}",
           keys);
  write_text_file(path, text);
  return read_scene(NULL, path);
}

/* Both give the same forces at places and velocities of no special kind, bit by bit. */
static void check_same_forces(const syn_soft *a, const syn_soft *b) {
  const uint32_t count = syn_soft_node_count(a);
  assert_int_equal(count, syn_soft_node_count(b));
  syn_vec3 *x = calloc(4 * (size_t)count, sizeof *x), *v = x + count, *f[2] = {v + count, v + 2 * (size_t)count};
  for (uint32_t i = 0; i < count; ++i) {
    const syn_vec3 p = syn_soft_rest(a)[i];
    x[i] = vec3_add(p, vec3(0.03 * sin(p.y), 0.02 * p.x, 0.05 * cos(p.z)));
    v[i] = vec3(p.y, -3 * p.z, 2 * p.x);
  }
  syn_soft_forces(a, x, v, f[0]);
  syn_soft_forces(b, x, v, f[1]);
  assert_memory_equal(f[0], f[1], count * sizeof *x);
  assert_true(vec3_length(f[0][0]) > 0);
  free(x);
}

static void keys_of_molecules_reach_the_model(void **state) {
  (void)state;
  syn_error error;
  syn_joint *shape;
  syn_soft *soft;
  syn_trimesh *skin;
  const syn_shape_value coarse = {"cells", 4};
  ASSERT_OK(syn_shape_create(NULL, "cube", &coarse, 1, &shape, &error));
  syn_body body = shape->bodies[0];
  body.material = (syn_material){1, 0.25, 1000};
  syn_soft_options options = syn_default_soft_options();
  options.springs = SYN_SPRINGS_LINEAR;
  options.spacing_mm = 10;
  options.friction = 0.3;
  options.medium_kg_m3 = 900;
  ASSERT_OK(syn_soft_create(NULL, "molecules", &body, &options, &soft, &error));
  syn_tissue_scene *scene = read_body("\"shape\":{\"name\":\"cube\",\"cells\":4},\"model\":\"molecules\",\"springs\":"
                                      "\"linear\",\"spacing_mm\":10,\"friction\":0.3,\"medium_kg_m3\":900,"
                                      "\"metaballs\":true");
  const syn_soft *read = scene->bodies[0].soft;
  check_same_forces(read, soft);
  /* the skin is that of metaballs about the molecules, not the cube */
  ASSERT_OK(syn_molecules_skin(soft, syn_soft_rest(soft), 0, &skin, &error));
  assert_int_equal(syn_soft_skin(read)->vertex_count, skin->vertex_count);
  assert_true(skin->vertex_count != body.surface->vertex_count);
  syn_trimesh_destroy(skin);
  syn_soft_destroy(soft);
  syn_tissue_scene_destroy(scene);
  syn_joint_destroy(shape);
}

/* Two bricks, shifted: hexahedra as the file has them, not the tetrahedra that they can be divided into. */
static void hexahedra_stay_what_they_are(void **state) {
  (void)state;
  syn_error error;
  syn_soft *soft;
  syn_tissue_scene *scene;
  static const uint32_t bricks[] = {0, 1, 4, 3, 6, 7, 10, 9, 1, 2, 5, 4, 7, 8, 11, 10};
  syn_vec3 nodes[12];
  for (int i = 0; i < 12; ++i) nodes[i] = vec3(5 + 2 * (i % 3), 3 * (i / 3 % 2), 1.5 * (i / 6));
  const char *path = temporary_path("bricks.vtk");
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs("# vtk DataFile Version 3.0\nbricks\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 12 double\n", file);
  for (int i = 0; i < 12; ++i) fprintf(file, "%.17g %.17g %.17g\n", nodes[i].x - 5, nodes[i].y, nodes[i].z);
  fputs("CELLS 2 18\n", file);
  for (int i = 0; i < 16; ++i) fprintf(file, "%s%u%s", i % 8 ? "" : "8 ", bricks[i], i % 8 == 7 ? "\n" : " ");
  fputs("CELL_TYPES 2\n12\n12\n", file);
  fclose(file);
  const syn_fem_mesh mesh = {
      .element = SYN_ELEMENT_HEX8, .node_count = 12, .element_count = 2, .nodes = nodes, .elements = bricks};
  syn_soft_options options = syn_default_soft_options();
  options.material = (syn_material){1, 0.25, 1000};
  options.law = SYN_LAW_NEO_HOOKEAN;
  ASSERT_OK(syn_soft_fem_create(NULL, &mesh, &options, &soft, &error));
  scene = read_body(
      "\"mesh\":\"bricks.vtk\",\"place\":[5,0,0],\"model\":\"fem\",\"law\":\"neo-hookean\",\"hexahedra\":true");
  check_same_forces(scene->bodies[0].soft, soft);
  syn_soft_destroy(soft);
  syn_tissue_scene_destroy(scene);
}

/* Moduli by direction: the stress of Eq. 3.29 is that of a body whose nodes all have them. */
static void volume_distribution_may_differ_by_direction(void **state) {
  (void)state;
  syn_error error;
  static const char cube[] =
      "\"shape\":{\"name\":\"cube\",\"cells\":3},\"model\":\"vdm\",\"connectivity_mpa\":0.1,\"bulk_mpa\":";
  char keys[256];
  snprintf(keys, sizeof keys, "%s[5,1,0.5]", cube);
  syn_tissue_scene *three = read_body(keys);
  snprintf(keys, sizeof keys, "%s1", cube);
  syn_tissue_scene *one = read_body(keys);
  syn_soft *twin = (syn_soft *)(uintptr_t)one->bodies[0].soft;
  const uint32_t count = syn_soft_node_count(twin);
  syn_vec3 *x = calloc(3 * (size_t)count, sizeof *x), *stress[2] = {x + count, x + 2 * (size_t)count};
  for (int k = 0; k < 2; ++k) {
    for (uint32_t i = 0; i < count; ++i) x[i] = vec3(5, 1, 0.5);
    if (k) ASSERT_OK(syn_vdm_set_moduli(twin, x, NULL, &error));
    for (uint32_t i = 0; i < count; ++i) x[i] = vec3_scale(syn_soft_rest(twin)[i], 1.01);
    syn_vdm_stress(three->bodies[0].soft, x, stress[0]);
    syn_vdm_stress(twin, x, stress[1]);
    assert_int_equal(memcmp(stress[0], stress[1], count * sizeof *x) == 0, k);
  }
  free(x);
  syn_tissue_scene_destroy(three);
  syn_tissue_scene_destroy(one);
}

/* Text with one mistake each, and what the message must say. */
static void mistakes_are_named_with_their_place(void **state) {
  (void)state;
#define BODIES                                                                                                         \
  "{\"synovia\":1,\"bodies\":[{\"name\":\"b\",\"shape\":{\"name\":\"beam\"},\"model\":\"fem\"},"                       \
  "{\"name\":\"r\",\"shape\":{\"name\":\"cube\"}}]"
  static const struct {
    const char *text, *part;
  } wrong[] = {
      {"{\"synovia\":1}", "bodies"},
      {"{\"synovia\":2,\"bodies\":[]}", "version"},
      {"{\"synovia\":1,\"bodies\":[],\"colour\":1}", "colour"},
      {"{\"synovia\":1,\"bodies\":[{\"name\":\"b\"}]}", "either a mesh or a shape"},
      {"{\"synovia\":1,\"bodies\":[{\"name\":\"b\",\"shape\":{\"name\":\"beem\"}}]}", "beem"},
      {"{\"synovia\":1,\"bodies\":[{\"name\":\"b\",\"shape\":{\"name\":\"beam\",\"of\":\"x\"}}]}", "no body 'x'"},
      {"{\"synovia\":1,\"bodies\":[{\"name\":\"b\",\"shape\":{\"name\":\"beam\"},\"model\":\"jelly\"}]}", "jelly"},
      {"{\"synovia\":1,\"bodies\":[{\"name\":\"b\",\"mesh\":\"nowhere.ply\"}]}", "cannot open"},
      {"{\"synovia\":1,\"bodies\":[{\"name\":\"b\",\"mesh\":\"nowhere.ply\"}]}", "the mesh of the body 'b'"},
      {"{\"synovia\":1,\"bodies\":[{\"name\":\"b\",\"shape\":{\"name\":\"beam\"},\"model\":\"fem\",\"law\":\"wet\"}]}",
       "corotational"},
      {BODIES ",\"integrator\":\"magic\"}", "magic"},
      {"{\"synovia\":1,\"bodies\":[{\"name\":\"b\",\"shape\":{\"name\":\"beam\"},\"model\":\"fem\",\"hexahedra\":true}]"
       "}",
       "only a mesh of hexahedra"},
      {"{\"synovia\":1,\"bodies\":[{\"name\":\"b\",\"shape\":{\"name\":\"cube\"},\"model\":\"vdm\",\"bulk_mpa\":[1,-1,"
       "1]}]}",
       "not 0 MPa or more"},
      {"{\"synovia\":1,\"bodies\":[{\"name\":\"b\",\"shape\":{\"name\":\"beam\"},\"model\":\"fem\",\"bulk_mpa\":[1,1,1]"
       "}]}",
       "of the model fem, not of vdm"},
      /* its files would lie outside of the folder, or be hidden */
      {"{\"synovia\":1,\"bodies\":[{\"name\":\"../b\",\"shape\":{\"name\":\"beam\"}}]}", "name of a file"},
      {"{\"synovia\":1,\"bodies\":[{\"name\":\".b\",\"shape\":{\"name\":\"beam\"}}]}", "name of a file"},
      {"{\"synovia\":1,\"bodies\":[{\"name\":\"\",\"shape\":{\"name\":\"beam\"}}]}", "name of a file"},
      {BODIES ",\"step_s\":0}", "above 0"},
      {BODIES ",\"hold\":[{\"body\":\"q\",\"nodes\":[1]}]}", "no body 'q'"},
      {BODIES ",\"hold\":[{\"body\":\"r\",\"nodes\":[1]}]}", "rigid"},
      {BODIES ",\"hold\":[{\"body\":\"b\"}]}", "which nodes"},
      {BODIES ",\"hold\":[{\"body\":\"b\",\"nodes\":[1e6]}]}", "expected a node"},
      {BODIES ",\"hold\":[{\"body\":\"b\",\"nodes\":[1],\"axes\":\"xw\"}]}", "xyz"},
      {BODIES ",\"hold\":[{\"body\":\"b\",\"box\":{\"min\":[900,0,0],\"max\":[901,0,0]}}]}", "chooses no node"},
      {BODIES ",\"motions\":[{\"body\":\"b\",\"shift_mm\":[0,0,1]}]}", "soft"},
      {BODIES ",\"motions\":[{\"body\":\"r\"}]}", "turns"},
      {BODIES ",\"motions\":[{\"body\":\"r\",\"turns\":[{\"axis\":[0,0,0],\"deg\":1}]}]}", "zero"},
      {BODIES ",\"contacts\":[{\"fixed\":\"r\",\"mobile\":\"b\",\"response\":\"love\"}]}", "look-ahead"},
      {BODIES ",\"contacts\":[{\"fixed\":\"r\",\"mobile\":\"b\",\"method\":\"radal\"}]}", "radial"},
      {BODIES ",\"contacts\":[{\"fixed\":\"r\",\"mobile\":\"b\",\"response\":\"barrier\"}]}",
       "'r' and 'b' touch or overlap"},
      {BODIES ",\"contacts\":[{\"fixed\":\"r\",\"mobile\":\"b\",\"barrier_mm\":-1}]}", "negative"},
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
    syn_error error;
    syn_tissue_scene *scene;
    const char *path = temporary_path("wrong.json");
    write_text_file(path, wrong[i].text);
    const syn_status status = syn_tissue_scene_read(NULL, path, NULL, &scene, &error);
    assert_null(scene);
    check_message(&error, status, wrong[i].part);
    if (!strstr(error.file, strstr(wrong[i].text, "nowhere") ? "nowhere" : "wrong.json"))
      fail_msg("%zu: %s", i, error.file);
  }
}

/* The first body is rigid, so that the number of the soft one is not its place among the soft ones; what is written
 * before the failing step has finite numbers only. */
static void a_diverging_body_is_named_as_the_scene_does(void **state) {
  (void)state;
  syn_error error;
  const char *path = temporary_path("wild.json");
  write_text_file(path,
                  "{\"synovia\":1,\"bodies\":[{\"name\":\"plate\",\"shape\":{\"name\":\"cube\"},\"place\":[0,0,-500]},"
                  "{\"name\":\"soft one\",\"shape\":{\"name\":\"beam\"},\"model\":\"fem\"}],"
                  "\"gravity\":[0,0,-9810],\"hold\":[{\"body\":\"soft one\",\"nodes\":[0,1,2]}],"
                  "\"integrator\":\"explicit\",\"step_s\":0.01,\"frame_s\":0.01}");
  char folder[300], csv[320];
  snprintf(folder, sizeof folder, "%s", temporary_path("wild"));
  snprintf(csv, sizeof csv, "%s/energy.csv", folder);
  syn_tissue_scene *scene = read_scene(NULL, path);
  syn_tissue_run_options options = syn_default_tissue_run_options();
  options.folder = folder;
  syn_tissue_run *run;
  ASSERT_FAILS(syn_tissue_scene_run(scene, &options, &run, &error), SYN_NOT_CONVERGED,
               " of 'soft one': take a shorter");
  const uint64_t done = scene->simulation->steps;
  char expected[64];
  snprintf(expected, sizeof expected, "step %d diverges at node ", (int)done + 1);
  check_message(&error, SYN_NOT_CONVERGED, expected);
  char *text;
  size_t size, rows = 0;
  ASSERT_OK(syn_read_file(NULL, csv, &text, &size, &error));
  for (size_t i = 0; i < size; ++i) rows += text[i] == '\n';
  assert_int_equal(rows, done + 2); /* the head and the begin */
  assert_null(strstr(text, "inf"));
  for (char *line = strchr(text, '\n') + 1; *line;
       line = strchr(line, '\n') + 1) { /* nor what no beam of 100 mm does */
    char *at = line;
    for (int column = 0; column < 5; ++column) at = strchr(at, ',') + 1;
    assert_true(strtod(at, NULL) < 1100); /* displacement_mm */
  }
  syn_free(NULL, text);
  syn_tissue_scene_destroy(scene);
}

/* A cube comes down by 1/8 mm in every step: first to where the barrier begins, then to a millionth of a millimetre
 * above the tissue. It was taken to be there, with forces of 1e7 N, since nothing had moved until then. */
static void a_way_that_ends_in_a_touch_is_answered(void **state) {
  (void)state;
  syn_error error;
  const char *path = temporary_path("touch.json");
  write_text_file(path, "{\"synovia\":1,\"bodies\":[{\"name\":\"tissue\",\"shape\":{\"name\":\"beam\",\"length\":16,"
                        "\"width\":16,\"height\":10,\"cells-x\":4,\"cells-y\":4,\"cells-z\":2},\"model\":\"fem\","
                        "\"material\":{\"young_mpa\":0.1,\"poisson\":0.4}},"
                        "{\"name\":\"cube\",\"shape\":{\"name\":\"cube\",\"edge\":8},\"place\":[8,0,9.250001]}],"
                        "\"hold\":[{\"body\":\"tissue\",\"box\":{\"min\":[-1,-9,-6],\"max\":[17,9,-4.99]}}],"
                        "\"contacts\":[{\"fixed\":\"cube\",\"mobile\":\"tissue\",\"response\":\"barrier\","
                        "\"barrier_mm\":0.125}],\"motions\":[{\"body\":\"cube\",\"shift_mm\":[0,0,-1]}],"
                        "\"integrator\":\"static\",\"step_s\":0.125,\"frame_s\":0.125}");
  syn_tissue_scene *scene = read_scene(NULL, path);
  syn_tissue_run *run;
  ASSERT_OK(syn_tissue_scene_run(scene, NULL, &run, &error));
  assert_int_equal(run->moment_count, 9);
  for (size_t i = 1; i < run->moment_count; ++i) {
    const syn_tissue_step *m = &run->moments[i];
    if (!(m->contact_n < 5)) fail_msg("%g N after %g s", m->contact_n, m->time_s);
    assert_true(i == 1 || m->contact_n > run->moments[i - 1].contact_n);
    assert_true(i == 1 || m->depth_mm < -1e-3); /* apart */
  }
  syn_tissue_run_destroy(run);
  syn_tissue_scene_destroy(scene);
}

static void check_same_fields(const syn_tissue_run *a, const syn_tissue_run *b, const syn_soft *soft) {
  const size_t count = syn_soft_skin(soft)->vertex_count * a->kept_count;
  assert_int_equal(a->kept_count, b->kept_count);
  for (size_t i = 0; i < a->kept_count; ++i) assert_int_equal(a->kept[i], b->kept[i]);
  assert_memory_equal(a->bodies[0].displacement_mm, b->bodies[0].displacement_mm, count * sizeof(syn_vec3));
  assert_memory_equal(a->bodies[0].contact_n, b->bodies[0].contact_n, count * sizeof(syn_vec3));
  assert_memory_equal(a->bodies[0].von_mises_mpa, b->bodies[0].von_mises_mpa, count * sizeof(double));
}

/* A run in memory, and one that finds all its frames in the files of an earlier one. */
static void check_kept_fields(const char *name, const char *model) {
  syn_error error;
  char folder[300], text[700];
  const char *path = temporary_path("kept.json");
  snprintf(text, sizeof text,
           "{\"synovia\":1,\"bodies\":[{\"name\":\"tissue\",\"shape\":{\"name\":\"beam\",\"length\":16,\"width\":8,"
           "\"height\":8,\"cells-x\":4,\"cells-y\":2,\"cells-z\":2},%s}],"
           "\"gravity\":[0,0,-9810],\"hold\":[{\"body\":\"tissue\",\"box\":{\"min\":[-1,-9,-9],\"max\":[0.1,9,9]}}],"
           "\"integrator\":\"implicit\",\"step_s\":0.001,\"frame_s\":0.001,\"duration_s\":0.013}",
           model);
  write_text_file(path, text);
  snprintf(folder, sizeof folder, "%s", temporary_path(name));
  syn_tissue_run_options options = syn_default_tissue_run_options();
  syn_tissue_scene *scenes[3];
  syn_tissue_run *runs[3];
  for (int i = 0; i < 3; ++i) {
    scenes[i] = read_scene(NULL, path);
    options.folder = i ? folder : NULL;
    options.keep_fields = i != 1;
    ASSERT_OK(syn_tissue_scene_run(scenes[i], &options, &runs[i], &error));
  }
  assert_int_equal(runs[0]->kept_count, 14);
  assert_int_equal(runs[1]->kept_count, 0);
  assert_null(runs[1]->bodies[0].displacement_mm);
  assert_int_equal(runs[2]->continued_at, 13);
  const syn_soft *soft = scenes[0]->bodies[0].soft;
  const syn_vec3 *moved = runs[0]->bodies[0].displacement_mm;
  double most = 0;
  for (uint32_t v = 0; v < syn_soft_skin(soft)->vertex_count; ++v) {
    const double length = vec3_length(moved[13 * syn_soft_skin(soft)->vertex_count + v]);
    assert_true(vec3_length(moved[v]) == 0);
    most = length > most ? length : most;
  }
  ASSERT_NEAR(most, runs[0]->moments[13].displacement_mm, 1e-12);
  check_same_fields(runs[0], runs[2], soft);
  for (int i = 0; i < 3; ++i) {
    syn_tissue_run_destroy(runs[i]);
    syn_tissue_scene_destroy(scenes[i]);
  }
}

static void fields_kept_in_memory_are_those_of_the_files(void **state) {
  (void)state;
  check_kept_fields("kept-fem", "\"model\":\"fem\",\"material\":{\"young_mpa\":0.1,\"poisson\":0.4}");
  check_kept_fields("kept-molecules", "\"model\":\"molecules\",\"material\":{\"young_mpa\":0.1,\"poisson\":0.4}");
}

static syn_status read_and_step(const syn_context *context, void *user, syn_error *error) {
  (void)user;
  syn_tissue_scene *scene;
  syn_status status = syn_tissue_scene_read(context, BEAM, NULL, &scene, error);
  if (!status) status = syn_tissue_scene_step(scene, error);
  syn_tissue_scene_destroy(scene);
  return status;
}

static void nothing_is_left_where_memory_is_refused(void **state) {
  (void)state;
  check_every_allocation(read_and_step, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_scene_moves_as_its_simulation_does),
      cmocka_unit_test(keys_of_molecules_reach_the_model),
      cmocka_unit_test(hexahedra_stay_what_they_are),
      cmocka_unit_test(volume_distribution_may_differ_by_direction),
      cmocka_unit_test(a_stopped_run_continues_with_the_same_bits),
      cmocka_unit_test(a_damaged_checkpoint_is_not_used),
      cmocka_unit_test(a_folder_may_have_a_long_name),
      cmocka_unit_test(more_frames_than_anyone_looks_at_are_refused),
      cmocka_unit_test(mistakes_are_named_with_their_place),
      cmocka_unit_test(a_diverging_body_is_named_as_the_scene_does),
      cmocka_unit_test(a_way_that_ends_in_a_touch_is_answered),
      cmocka_unit_test(fields_kept_in_memory_are_those_of_the_files),
      cmocka_unit_test(nothing_is_left_where_memory_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
