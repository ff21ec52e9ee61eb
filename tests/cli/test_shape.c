#include "program.h"

#include <unistd.h>

static char *path_in(const char *folder, const char *name) {
  static char paths[8][768];
  static unsigned next;
  char *path = paths[next++ % 8];
  snprintf(path, sizeof paths[0], "%s/%s", folder, name);
  return path;
}

static void without_a_name_the_shapes_are_listed(void **state) {
  (void)state;
  program_run run = run_synovia("shape", NULL);
  assert_int_equal(run.code, 0);
  json_t *answer = run_json(0, "shape", NULL), *list = json_at(answer, "result.shapes");
  assert_int_equal(json_array_size(list), SYN_SHAPES);
  for (size_t i = 0; i < SYN_SHAPES; ++i) {
    assert_contains(run.out, syn_shapes[i]->name);
    assert_string_equal(json_string_value(json_at(json_array_get(list, i), "name")), syn_shapes[i]->name);
  }
  json_decref(answer);
  end_run(&run);
}

static void every_shape_is_written_and_reads_back(void **state) {
  (void)state;
  for (size_t i = 0; i < SYN_SHAPES; ++i) {
    const char *folder = temporary_path(syn_shapes[i]->name);
    json_t *answer = run_json(0, "shape", syn_shapes[i]->name, "-o", folder, NULL);
    json_t *files = json_at(answer, "result.files"), *file;
    size_t index;
    assert_true(json_array_size(files) > 0);
    json_array_foreach(files, index, file) {
      const char *path = json_string_value(file);
      if (strstr(path, "joint.json")) continue;
      json_t *info = run_json(0, "mesh", "info", path, "--no-self-intersections", NULL);
      assert_true(json_is_true(json_at(info, "result.closed")));
      assert_true(json_is_true(json_at(info, "result.oriented")));
      json_decref(info);
    }
    json_decref(answer);
  }
}

static void a_hip_comes_with_its_joint(void **state) {
  (void)state;
  const char *folder = temporary_path("hip-joint");
  json_t *answer = run_json(0, "shape", "hip", "--ce", "30deg", "--alpha=60", "--resolution", "2", "-o", folder, NULL);
  assert_int_equal(json_array_size(json_at(answer, "result.files")), 7);
  json_decref(answer);
  syn_error error;
  syn_joint *joint;
  ASSERT_OK(syn_joint_read(NULL, path_in(folder, "joint.json"), &joint, &error));
  assert_int_equal(joint->body_count, 6);
  assert_true(joint->has_center && joint->has_axes);
  bool labrum = false, cartilage = false;
  for (size_t i = 0; i < joint->contact_count; ++i) {
    const syn_joint_contact *c = &joint->contacts[i];
    if (!strcmp(c->fixed, "labrum") && !strcmp(c->mobile, "femur")) labrum = c->kind == SYN_CONTACT_CURVILINEAR;
    if (strstr(c->fixed, "cartilage") && strstr(c->mobile, "cartilage")) cartilage = c->kind == SYN_CONTACT_RADIAL;
  }
  assert_true(labrum && cartilage);
  for (size_t i = 0; i < joint->body_count; ++i)
    assert_int_equal(access(path_in(folder, joint->bodies[i].mesh_file), R_OK), 0);
  syn_joint_destroy(joint);
}

static void another_format_can_be_asked_for(void **state) {
  (void)state;
  const char *folder = temporary_path("as-stl");
  json_t *answer = run_json(0, "shape", "sphere", "--format", "stl", "-o", folder, NULL);
  assert_int_equal(access(path_in(folder, "sphere.stl"), R_OK), 0);
  json_decref(answer);
}

/* The last file cannot be put in place, so that the earlier ones must go again. */
static void a_failure_leaves_no_file_behind(void **state) {
  (void)state;
  char folder[512];
  snprintf(folder, sizeof folder, "%s", temporary_path("half"));
  char command[2048];
  snprintf(command, sizeof command, "mkdir -p %s/joint.json", folder); /* a folder in the place of the file */
  assert_int_equal(system(command), 0);
  json_t *answer = run_json(5, "shape", "hip", "--resolution", "2", "-o", folder, NULL);
  assert_contains(json_string_value(json_at(answer, "error.file")), "joint.json");
  json_decref(answer);
  snprintf(command, sizeof command, "test \"$(ls %s)\" = joint.json", folder);
  assert_int_equal(system(command), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(without_a_name_the_shapes_are_listed), cmocka_unit_test(every_shape_is_written_and_reads_back),
      cmocka_unit_test(a_hip_comes_with_its_joint),           cmocka_unit_test(another_format_can_be_asked_for),
      cmocka_unit_test(a_failure_leaves_no_file_behind),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
