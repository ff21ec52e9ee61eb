// test: slow, early
/* How a file numbers vertices and triangles changes no answer, nor does its format. */
#include "program.h"
#include "renumbered.h"

#include "base/vec.h"

static const struct {
  const char *pelvis, *femur;
} hips[] = {
    {"bodyparts3d/hip_bone_R_FMA16586.ply", "bodyparts3d/femur_R_FMA24474.ply"},
    {"staple_NC/ICL_MRI/pelvis_r.ply", "staple_NC/ICL_MRI/femur_r.ply"},
    {"vsd_NC/z013/Hip_L.ply", "vsd_NC/z013/Femur_L.ply"},
    /* The others take long: `make verify`. */
    {"bodyparts3d/hip_bone_L_FMA16587.ply", "bodyparts3d/femur_L_FMA24475.ply"},
    {"vsd_NC/z013/Hip_R.ply", "vsd_NC/z013/Femur_R.ply"},
    {"staple_NC/JIA_MRI/pelvis_no_sacrum.ply", "staple_NC/JIA_MRI/femur_r.ply"},
    {"staple_NC/JIA_MRI/pelvis_no_sacrum.ply", "staple_NC/JIA_MRI/femur_l.ply"},
};
enum { HIPS = sizeof hips / sizeof *hips, FAST_HIPS = 3 };

static syn_trimesh *read_mesh(const char *path) {
  syn_trimesh *mesh;
  syn_error error;
  ASSERT_OK(syn_trimesh_read(NULL, path, NULL, &mesh, &error));
  return mesh;
}

/* ---- the program: every byte of its answer -------------------------------------------------------------------------
 */

static void write_mesh(const syn_trimesh *mesh, const char *path) {
  const syn_geometry geometry = syn_trimesh_geometry(mesh);
  syn_error error;
  ASSERT_OK(syn_geometry_write(NULL, &geometry, path, NULL, &error));
}

/* STL keeps single precision: so do all copies. */
static syn_trimesh *round_to_floats(const syn_trimesh *mesh) {
  syn_vec3 *vertices = malloc((mesh->vertex_count + 1) * sizeof *vertices);
  assert_non_null(vertices);
  for (uint32_t i = 0; i < mesh->vertex_count; ++i) {
    const syn_vec3 p = mesh->vertices[i];
    vertices[i] = vec3((double)(float)p.x, (double)(float)p.y, (double)(float)p.z);
  }
  syn_trimesh *made;
  syn_error error;
  ASSERT_OK(
      syn_trimesh_create(NULL, vertices, mesh->vertex_count, mesh->triangles, mesh->triangle_count, &made, &error));
  free(vertices);
  return made;
}

/* What `command` prints, in JSON, without the names and sums of its input files. */
static char *answer_of(const char *command, const char *pelvis, const char *femur) {
  json_t *root = run_json(0, command, pelvis, femur, "--draws", "0", NULL);
  char *text = json_dumps(json_at(root, "result"), JSON_SORT_KEYS | JSON_INDENT(1) | JSON_REAL_PRECISION(17));
  json_decref(root);
  assert_non_null(text);
  return text;
}

static void check_copy(const char *command, const char *expected, const char *pelvis, const char *femur) {
  char *text = answer_of(command, pelvis, femur);
  if (strcmp(text, expected) != 0) {
    size_t same = 0;
    while (text[same] && text[same] == expected[same]) ++same;
    while (same > 0 && text[same - 1] != '\n') --same;
    fail_msg("%s of %s differs at '%.60s', was '%.60s'", command, pelvis, text + same, expected + same);
  }
  free(text);
}

static void check_formats(const char *command, const char *pelvis_path, const char *femur_path, uint64_t seed) {
  static const char *const endings[] = {"ply", "stl", "obj"};
  test_random random = {seed};
  syn_trimesh *read[] = {read_mesh(pelvis_path), read_mesh(femur_path)}, *bones[2];
  char paths[2][512];
  char *expected = NULL;
  for (int i = 0; i < 2; ++i) bones[i] = round_to_floats(read[i]);
  for (int format = 0; format < 3; ++format) {
    for (int i = 0; i < 2; ++i) {
      char name[32];
      snprintf(name, sizeof name, "%s.%s", i ? "femur" : "pelvis", endings[format]);
      snprintf(paths[i], sizeof paths[i], "%s", temporary_path(name));
      syn_trimesh *copy = make_renumbered(bones[i], &random);
      write_mesh(format ? copy : bones[i], paths[i]);
      syn_trimesh_destroy(copy);
    }
    if (expected)
      check_copy(command, expected, paths[0], paths[1]);
    else
      expected = answer_of(command, paths[0], paths[1]);
  }
  free(expected);
  for (int i = 0; i < 2; ++i) {
    syn_trimesh_destroy(read[i]);
    syn_trimesh_destroy(bones[i]);
  }
}

static void check_hip(size_t hip) {
  char pelvis[1024];
  REQUIRE_DATA(pelvis_path, hips[hip].pelvis);
  snprintf(pelvis, sizeof pelvis, "%s", pelvis_path);
  REQUIRE_DATA(femur, hips[hip].femur);
  check_formats("measure", pelvis, femur, 51 + hip);
  check_formats("rom", pelvis, femur, 61 + hip);
}

static void answers_do_not_depend_on_numbers_or_format(void **state) {
  (void)state;
  SLOW_UNDER_SANITIZERS();
  for (size_t i = 0; i < FAST_HIPS; ++i) check_hip(i);
}

static void answers_of_the_other_hips_do_not_either(void **state) {
  (void)state;
  LEFT_TO_VERIFY();
  for (size_t i = FAST_HIPS; i < HIPS; ++i) check_hip(i);
}

/* ---- the library: landmarks of a mesh as it is given ----------------------------------------------------------------
 */

static syn_anatomy *find_anatomy(const syn_trimesh *pelvis, const syn_trimesh *femur) {
  syn_anatomy *anatomy;
  syn_error error;
  ASSERT_OK(syn_anatomy_create(NULL, pelvis, femur, NULL, &anatomy, &error));
  return anatomy;
}

/* The first vertex of several that are equally far out may be another one; the search must not end elsewhere. */
static void check_landmarks(const syn_anatomy *a, const syn_anatomy *b) {
  for (int k = 0; k < SYN_LANDMARKS; ++k) {
    assert_int_equal(a->landmarks[k].found, b->landmarks[k].found);
    if (a->landmarks[k].found != SYN_FOUND_MESH) continue;
    const double apart = vec3_distance(a->landmarks[k].place, b->landmarks[k].place);
    if (apart > 1e-6) fail_msg("%s lies %g mm away", syn_landmark_name((syn_landmark)k), apart);
  }
  assert_true(vec3_distance(a->acetabulum.center, b->acetabulum.center) < 1e-6);
  assert_true(vec3_distance(a->rim_normal, b->rim_normal) < 1e-6);
}

static void landmarks_do_not_depend_on_numbers(void **state) {
  (void)state;
  SLOW_UNDER_SANITIZERS();
  enum { NUMBERINGS = 4 };
  for (size_t i = 0; i < FAST_HIPS; ++i) {
    test_random random = {71 + i};
    char pelvis_path[1024];
    REQUIRE_DATA(path, hips[i].pelvis);
    snprintf(pelvis_path, sizeof pelvis_path, "%s", path);
    REQUIRE_DATA(femur_path, hips[i].femur);
    syn_trimesh *pelvis = read_mesh(pelvis_path), *femur = read_mesh(femur_path);
    syn_anatomy *expected = find_anatomy(pelvis, femur);
    for (int n = 0; n < NUMBERINGS; ++n) {
      syn_trimesh *other = make_renumbered(pelvis, &random);
      syn_anatomy *anatomy = find_anatomy(other, femur);
      check_landmarks(expected, anatomy);
      syn_anatomy_destroy(anatomy);
      syn_trimesh_destroy(other);
    }
    syn_anatomy_destroy(expected);
    syn_trimesh_destroy(pelvis);
    syn_trimesh_destroy(femur);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(answers_do_not_depend_on_numbers_or_format),
      cmocka_unit_test(answers_of_the_other_hips_do_not_either),
      cmocka_unit_test(landmarks_do_not_depend_on_numbers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
