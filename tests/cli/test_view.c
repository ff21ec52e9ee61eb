/* `synovia view`: its address, its options and how it ends. What it answers is tested in tests/view. */
#include <signal.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <synovia/joint.h>

#include "block_hip.h"
#include "program.h"
#include "viewer.h"

static char block_joint[512];

static int write_joint(void **state) {
  (void)state;
  block_hip blocks = make_block_hip(NULL, SYN_SIDE_RIGHT, NULL);
  const char *folder = temporary_path("blocks");
  mkdir(folder, 0777);
  write_block_joint(&blocks, folder);
  snprintf(block_joint, sizeof block_joint, "%s/joint.json", folder);
  drop_block_hip(&blocks);
  return 0;
}

/* On meshes alone, whose landmarks are found. */
static void a_landmark_that_was_moved_is_saved(void **state) {
  (void)state;
  syn_error error;
  char pelvis[512], femur[512], saved[512];
  const char *folder = temporary_path("parametric");
  program_run run = run_synovia("shape", "hip", "--resolution", "2", "-o", folder, NULL);
  assert_int_equal(run.code, 0);
  end_run(&run);
  snprintf(pelvis, sizeof pelvis, "%s/pelvis.ply", folder);
  snprintf(femur, sizeof femur, "%s/femur.ply", folder);
  snprintf(saved, sizeof saved, "%s", temporary_path("saved.json"));
  const char *const words[] = {pelvis, femur, "--save", saved, "--json", "--threads", "1", NULL};
  viewer v = start_viewer(words);
  assert_contains(v.first, "\"tool\": \"synovia\"");
  struct timespec begin, end;
  const syn_pose pose = syn_pose_identity();
  clock_gettime(CLOCK_MONOTONIC, &begin);
  enum { POSES = 20 };
  for (int i = 0; i < POSES; ++i) {
    pose_answer a = ask_pose(&v, &pose, "pose_depth");
    end_pose(&a);
  }
  clock_gettime(CLOCK_MONOTONIC, &end);
  print_message("%.0f poses per second\n",
                POSES / ((double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec)));
  json_decref(edit(&v, "{\"marker\":\"greater_trochanter\",\"point\":[30,1,-5]}"));
  expect(post(&v, "save", "{}"), 200, "saved.json");
  syn_joint *joint;
  ASSERT_OK(syn_joint_read(NULL, saved, &joint, &error));
  assert_int_equal(joint->body_count, 2);
  bool found = false;
  for (size_t i = 0; i < joint->landmark_count; ++i)
    if (strcmp(joint->landmarks[i].name, "greater_trochanter") == 0) found = joint->landmarks[i].place.y == 1;
  assert_true(found);
  assert_true(joint->bodies[0].mesh_file[0] == '/' && access(joint->bodies[1].mesh_file, R_OK) == 0);
  syn_joint_destroy(joint);
  const int left_open = connect_viewer(&v);
  char rest[4096];
  kill(v.child, SIGTERM);
  size_t size = strlen(v.first), got;
  char all[8192];
  memcpy(all, v.first, size);
  while ((got = (size_t)read(v.out, rest, sizeof rest)) > 0 && got <= sizeof rest && size + got < sizeof all) {
    memcpy(all + size, rest, got);
    size += got;
  }
  json_t *envelope = json_loadb(all, size, 0, NULL); /* exactly one object */
  assert_non_null(envelope);
  assert_contains(json_string_value(json_at(envelope, "result.url")), v.token);
  json_decref(envelope);
  assert_int_equal(stop_viewer(&v, 0), 0);
  close(left_open);
}

/* ---- starting -----------------------------------------------------------------------------------------------------
 */

static void a_folder_stands_for_its_joint_file(void **state) {
  (void)state;
  char folder[512], other[512], port[16];
  snprintf(folder, sizeof folder, "%s", block_joint);
  *strrchr(folder, '/') = 0;
  snprintf(other, sizeof other, "%s", temporary_path("elsewhere.json"));
  const char *const words[] = {folder, "--save", other, "--threads", "1", NULL};
  viewer v = start_viewer(words);
  expect(post(&v, "save", "{}"), 200, "elsewhere.json");
  syn_error error;
  syn_joint *joint;
  ASSERT_OK(syn_joint_read(NULL, other, &joint, &error));
  assert_true(joint->bodies[0].mesh_file[0] == '/');
  syn_joint_destroy(joint);
  /* its port is taken now */
  snprintf(port, sizeof port, "%u", v.port);
  json_t *refused = run_json(5, "view", folder, "--port", port, NULL);
  assert_contains(json_string_value(json_at(refused, "error.message")), "try another --port");
  json_decref(refused);
  assert_int_equal(stop_viewer(&v, SIGTERM), 0);
}

static void what_cannot_be_viewed_is_told(void **state) {
  (void)state;
  const char *empty = temporary_path("empty");
  assert_int_equal(mkdir(empty, 0700), 0);
  json_decref(run_json(3, "view", empty, NULL));
  json_decref(run_json(2, "view", NULL));
  json_decref(run_json(2, "view", empty, "--port", "65536", NULL));
}

/* A client that reads the address may end the viewer at once. */
static void a_signal_right_after_the_address_ends_it_well(void **state) {
  (void)state;
  const char *const words[] = {block_joint, "--quiet", "--threads", "1", NULL};
  assert_int_equal(stop_while_it_tells(words, SIGTERM), 0);
  assert_int_equal(stop_while_it_tells(words, SIGINT), 0);
  viewer v = start_viewer(words);
  assert_int_equal(stop_viewer(&v, SIGTERM), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_landmark_that_was_moved_is_saved),
      cmocka_unit_test(a_folder_stands_for_its_joint_file),
      cmocka_unit_test(what_cannot_be_viewed_is_told),
      cmocka_unit_test(a_signal_right_after_the_address_ends_it_well),
  };
  return cmocka_run_group_tests(tests, write_joint, NULL);
}
