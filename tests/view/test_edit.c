// test: early
/* Centre and landmarks placed in the viewer, and the joint file that it saves. */
#include <unistd.h>

#include <synovia/shape.h>

#include "block_viewer.h"
#include "program.h"
#include "view/viewer.h"

static const double degrees = 180 / 3.14159265358979323846;

static void a_centre_that_was_moved_is_saved(void **state) {
  const scene *s = *state;
  syn_error error;
  size_t size;
  char *before = read_whole_file(s->joint, &size);
  json_t *value = edit(&s->viewer, "{\"center\":[0,2,-1]}");
  assert_true(json_is_array(json_at(value, "notes")));
  ASSERT_NEAR(json_number_value(json_array_get(json_at(value, "frame.center"), 1)), 2, 0);
  /* what the library says of a hip with that centre */
  syn_hip hip = s->blocks.hip;
  hip.center = (syn_vec3){0, 2, -1};
  syn_rom *rom;
  ASSERT_OK(syn_hip_rom_create(NULL, &hip, &rom, &error));
  void *scratch = malloc(syn_rom_scratch(rom) + 1);
  syn_limit limit;
  syn_rom_query(rom, &(syn_motion){.start = (syn_hip_angles){0}, .axis = SYN_AXIS_FLEXION, .sign = 1}, scratch, &limit);
  ASSERT_NEAR(range_named(value, "flexion"), limit.followed * degrees, 1e-9);
  assert_true(fabs(limit.followed - block_flexion()) > 0.001);
  json_decref(value);
  const syn_pose pose = syn_pose_identity();
  pose_answer posed = ask_pose(&s->viewer, &pose, "pose_radial");
  ASSERT_NEAR(number_named(posed.value, "free_flexion"), limit.followed * degrees, 1e-9);
  end_pose(&posed);
  free(scratch);
  syn_rom_destroy(rom);
  for (int k = 0; k < 2; ++k) expect(post(&s->viewer, "save", "{}"), 200, "joint.json");
  syn_joint *joint;
  ASSERT_OK(syn_joint_read(NULL, s->joint, &joint, &error));
  assert_true(joint->has_center && joint->has_axes && joint->body_count == 2);
  ASSERT_NEAR(joint->center.z, -1, 0);
  syn_joint_destroy(joint);
  char backup[600];
  snprintf(backup, sizeof backup, "%s.bak", s->joint);
  char *kept = read_whole_file(backup, &size);
  assert_string_equal(kept, before); /* also after the second time */
  free(kept);
  free(before);
  /* the page is that of the new centre */
  char path[64];
  snprintf(path, sizeof path, "/%s/", s->viewer.token);
  expect(ask(&s->viewer, "GET", path, NULL, NULL), 200, "\"center\":[0.0,2.0,-1.0]");
}

/* ---- meshes alone, whose landmarks are found ----------------------------------------------------------------------
 */

static void write_parametric_hip(char pelvis[512], char femur[512]) {
  syn_error error;
  syn_joint *hip;
  const char *folder = temporary_path("parametric");
  const syn_shape_value coarse = {"resolution", 2};
  ASSERT_OK(syn_shape_create(NULL, "hip", &coarse, 1, &hip, &error));
  ASSERT_OK(syn_joint_save(NULL, hip, folder, NULL, &error));
  syn_joint_destroy(hip);
  snprintf(pelvis, 512, "%s/pelvis.ply", folder);
  snprintf(femur, 512, "%s/femur.ply", folder);
}

/* Both meshes in metres, once. */
static void shrink_hip(const char *pelvis, const char *femur, bool now) {
  const char *const paths[] = {pelvis, femur};
  for (int i = 0; now && i < 2; ++i) {
    syn_error error;
    syn_trimesh *mesh;
    syn_read_options reading = syn_default_read_options();
    reading.scale = 1e-3;
    ASSERT_OK(syn_trimesh_read(NULL, paths[i], &reading, &mesh, &error));
    const syn_geometry geometry = syn_trimesh_geometry(mesh);
    ASSERT_OK(syn_geometry_write(NULL, &geometry, paths[i], NULL, &error));
    syn_trimesh_destroy(mesh);
  }
}

static json_t *edited(syn_viewer *own, const char *request, syn_status expected) {
  syn_error error = {.byte = -1};
  json_t *value = json_loads(request, 0, NULL), *reply = NULL;
  const syn_status status = syn_viewer_edit(own, value, &reply, &error);
  if (status != expected) fail_msg("%s: %s: %s", request, syn_status_name(status), error.message);
  json_decref(value);
  return reply;
}

static void a_landmark_that_was_moved_is_saved(void **state) {
  (void)state;
  syn_error error;
  char pelvis[512], femur[512], saved[512];
  write_parametric_hip(pelvis, femur);
  snprintf(saved, sizeof saved, "%s", temporary_path("saved.json"));
  syn_hip_input input = syn_default_hip_input();
  input.parts[SYN_HIP_PELVIS] = pelvis;
  input.parts[SYN_HIP_FEMUR] = femur;
  syn_viewer_options options = syn_default_viewer_options();
  options.save_path = saved;
  options.title = "A hip to place landmarks on";
  syn_viewer *own;
  ASSERT_OK(syn_viewer_create(NULL, &input, &options, &own, &error));
  memset(pelvis, 0, sizeof pelvis); /* nothing that was given is needed any more */
  memset(femur, 0, sizeof femur);
  assert_non_null(strstr(own->page->bytes, "A hip to place landmarks on"));
  json_decref(edited(own, "{\"marker\":\"greater_trochanter\",\"point\":[30,1,-5]}", SYN_OK));
  ASSERT_OK(syn_viewer_save(own, &error));
  syn_joint *joint;
  ASSERT_OK(syn_joint_read(NULL, saved, &joint, &error));
  assert_int_equal(joint->body_count, 2);
  bool found = false;
  for (size_t i = 0; i < joint->landmark_count; ++i)
    if (strcmp(joint->landmarks[i].name, "greater_trochanter") == 0) found = joint->landmarks[i].place.y == 1;
  assert_true(found);
  assert_true(joint->bodies[0].mesh_file[0] == '/' && access(joint->bodies[1].mesh_file, R_OK) == 0);
  /* an edit that fails leaves what was noted as it was */
  const size_t notes = joint->note_count;
  syn_joint_destroy(joint);
  assert_null(edited(own, "{\"marker\":\"nose\",\"point\":[30,1,-5]}", SYN_BAD_FORMAT));
  assert_null(edited(own, "{\"center\":[1e6,0,0]}", SYN_BAD_FORMAT));
  ASSERT_OK(syn_viewer_save(own, &error));
  ASSERT_OK(syn_joint_read(NULL, saved, &joint, &error));
  assert_int_equal(joint->note_count, notes);
  syn_joint_destroy(joint);
  /* without its meshes a joint file would be of no use */
  assert_int_equal(remove(own->hip_case->joint->bodies[0].mesh_file), 0);
  ASSERT_FAILS(syn_viewer_save(own, &error), SYN_NOT_FOUND, "this mesh is no longer there");
  syn_viewer_destroy(own);
}

/* The file that is saved names the meshes that were read, so it has to say their unit. */
static void a_unit_that_was_given_is_saved(void **state) {
  (void)state;
  syn_error error;
  char pelvis[512], femur[512], saved[512];
  write_parametric_hip(pelvis, femur);
  snprintf(saved, sizeof saved, "%s", temporary_path("saved-unit.json"));
  for (int k = 0; k < 2; ++k) { /* from meshes, then from the file that this saved */
    syn_hip_input input = syn_default_hip_input();
    syn_read_options reading = syn_default_read_options();
    syn_viewer_options options = syn_default_viewer_options();
    syn_joint *joint;
    syn_viewer *own;
    const syn_vec3 center = {0, 0, 0};
    input.center = &center;
    reading.scale = 1000;
    input.joint = k ? saved : NULL;
    input.parts[SYN_HIP_PELVIS] = k ? NULL : pelvis;
    input.parts[SYN_HIP_FEMUR] = k ? NULL : femur;
    input.reading = k ? NULL : &reading;
    options.save_path = saved;
    shrink_hip(pelvis, femur, k == 0);
    ASSERT_OK(syn_viewer_create(NULL, &input, &options, &own, &error));
    ASSERT_OK(syn_viewer_save(own, &error));
    syn_viewer_destroy(own);
    ASSERT_OK(syn_joint_read(NULL, saved, &joint, &error));
    assert_true(joint->mm_per_unit == 1000);
    syn_joint_destroy(joint);
  }
}

/* ---- warnings -----------------------------------------------------------------------------------------------------
 */

/* In the file that it saves. */
static void expect_first_note(syn_viewer *own, const char *beginning) {
  syn_error error;
  syn_joint *joint;
  ASSERT_OK(syn_viewer_save(own, &error));
  ASSERT_OK(syn_joint_read(NULL, own->save_path, &joint, &error));
  assert_true(joint->note_count > 0);
  if (strncmp(joint->notes[0], beginning, strlen(beginning)) != 0) fail_msg("%s", joint->notes[0]);
  syn_joint_destroy(joint);
}

/* The hip of blocks has no anatomy, which is reported when it is opened. After an edit that was before. */
static void warnings_reach_the_caller_and_the_page(void **state) {
  const scene *s = *state;
  syn_error error;
  test_memory memory = {0};
  const syn_context context = test_context(&memory);
  syn_hip_input input = syn_default_hip_input();
  input.joint = s->joint;
  syn_viewer_options options = syn_default_viewer_options();
  options.save_path = temporary_path("warned.json");
  syn_viewer *own;
  ASSERT_OK(syn_viewer_create(&context, &input, &options, &own, &error));
  assert_non_null(strstr(memory.all_warnings, "no anatomy"));
  assert_non_null(strstr(own->page->bytes, "No anatomy"));
  /* an edit that fails changes nothing */
  assert_null(edited(own, "{\"center\":[1e6,0,0]}", SYN_BAD_FORMAT));
  expect_first_note(own, "no anatomy");
  json_t *reply = edited(own, "{\"center\":[0,1,0]}", SYN_OK);
  assert_non_null(strstr(json_string_value(json_array_get(json_at(reply, "notes"), 0)), "Before the edit: no anatomy"));
  json_decref(reply);
  expect_first_note(own, "before the edit: no anatomy");
  syn_viewer_destroy(own);
  assert_int_equal(memory.live, 0);
}

/* ---- what cannot be had -------------------------------------------------------------------------------------------
 */

static void what_cannot_be_viewed_is_told_at_once(void **state) {
  const scene *s = *state;
  syn_error error = {.byte = -1};
  syn_viewer *own;
  syn_hip_input input = syn_default_hip_input();
  input.joint = s->joint;
  syn_viewer_options options = syn_default_viewer_options();
  options.port = s->viewer.port;
  ASSERT_FAILS(syn_viewer_create(NULL, &input, &options, &own, &error), SYN_NO_PROGRAM, "cannot listen on port");
  options.port = 0;
  options.save_path = temporary_path("");
  ASSERT_FAILS(syn_viewer_create(NULL, &input, &options, &own, &error), SYN_IO_ERROR, "not of a file");
  assert_null(own);
  options.cookie = 0;
  ASSERT_FAILS(syn_viewer_create(NULL, &input, &options, &own, &error), SYN_BAD_ARGUMENT,
               "syn_default_viewer_options()");
  input.joint = temporary_path("nothing.json");
  ASSERT_FAILS(syn_viewer_create(NULL, &input, NULL, &own, &error), SYN_NOT_FOUND, NULL);
}

static void a_viewer_may_be_stopped_before_it_runs(void **state) {
  const scene *s = *state;
  syn_error error;
  syn_viewer *own = make_viewer(s->joint);
  syn_viewer_stop(own);
  ASSERT_OK(syn_viewer_run(own, &error));
  syn_viewer_destroy(own);
}

/* Of its thousands of allocations some are refused, and all later ones. */
static void memory_may_be_refused(void **state) {
  const scene *s = *state;
  syn_error error;
  syn_viewer *own;
  syn_hip_input input = syn_default_hip_input();
  input.joint = s->joint;
  test_memory counted = {0};
  syn_context context = test_context(&counted);
  ASSERT_OK(syn_viewer_create(&context, &input, NULL, &own, &error));
  syn_viewer_destroy(own);
  enum { TRIES = 24 };
  for (size_t i = 0; i < TRIES; ++i) {
    test_memory memory = {.refuse_at = 1 + i * (counted.allocations - 1) / TRIES};
    context = test_context(&memory);
    ASSERT_FAILS(syn_viewer_create(&context, &input, NULL, &own, &error), SYN_NO_MEMORY, NULL);
    assert_int_equal(memory.live, 0);
  }
  /* an edit that fails so leaves everything as it was */
  test_memory memory = {0};
  context = test_context(&memory);
  ASSERT_OK(syn_viewer_create(&context, &input, NULL, &own, &error));
  for (size_t i = 0; i < TRIES; ++i) {
    memory.refuse_at = memory.allocations + 1 + i * i;
    syn_hip_analysis *before = own->analysis;
    json_t *request = json_loads("{\"center\":[0,0,1]}", 0, NULL), *reply = NULL;
    const syn_status status = syn_viewer_edit(own, request, &reply, &error);
    json_decref(reply);
    json_decref(request);
    if (status == SYN_OK) break;
    assert_int_equal(status, SYN_NO_MEMORY);
    if (own->analysis == before) assert_true(own->hip_case->hip.center.z == 0);
  }
  syn_viewer_destroy(own);
  assert_int_equal(memory.live, 0);
}

/* jansson has an allocator of its own: what it cannot make is reported, too. The answer to a pose is made without it.
 */
static size_t json_allocations, json_refused_from;
static void *allocate_json(size_t size) { return ++json_allocations >= json_refused_from ? NULL : malloc(size); }

static syn_status answer_with_refusal(syn_viewer *own, bool pose, size_t refused_from) {
  static const char *const bodies[] = {"{\"center\":[0,0,1]}",
                                       "{\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,0],\"field\":\"pose_depth\"}"};
  syn_error error = {.byte = -1};
  json_t *request = json_loads(bodies[pose], 0, NULL), *reply = NULL;
  char *bytes = NULL;
  size_t size;
  json_allocations = 0;
  json_refused_from = refused_from;
  json_set_alloc_funcs(allocate_json, free);
  const syn_status status = pose ? syn_view_poser_answer(own->poser, request, &bytes, &size, &error)
                                 : syn_viewer_edit(own, request, &reply, &error);
  json_set_alloc_funcs(malloc, free);
  json_decref(reply);
  json_decref(request);
  free(bytes);
  return status;
}

static void no_memory_for_json_is_an_error_and_not_the_end(void **state) {
  const scene *s = *state;
  syn_viewer *own = make_viewer(s->joint);
  assert_int_equal(answer_with_refusal(own, false, SIZE_MAX), SYN_OK);
  const size_t all = json_allocations;
  assert_true(all > 20);
  for (size_t i = 1; i <= all; i += 1 + all / 40) assert_int_equal(answer_with_refusal(own, false, i), SYN_NO_MEMORY);
  assert_int_equal(answer_with_refusal(own, false, SIZE_MAX), SYN_OK);
  assert_int_equal(answer_with_refusal(own, true, 1), SYN_OK);
  assert_int_equal(json_allocations, 0);
  syn_viewer_destroy(own);
}

static void no_memory_for_a_pose_is_an_error_and_not_the_end(void **state) {
  const scene *s = *state;
  syn_error error;
  syn_viewer *own;
  syn_hip_input input = syn_default_hip_input();
  input.joint = s->joint;
  test_memory memory = {0};
  syn_context context = test_context(&memory);
  ASSERT_OK(syn_viewer_create(&context, &input, NULL, &own, &error));
  assert_int_equal(answer_with_refusal(own, true, SIZE_MAX), SYN_OK);
  const size_t before = memory.allocations, live = memory.live;
  assert_int_equal(answer_with_refusal(own, true, SIZE_MAX), SYN_OK);
  const size_t all = memory.allocations - before;
  assert_true(all > 3);
  for (size_t i = 1; i <= all; ++i) {
    memory.refuse_at = memory.allocations + i;
    assert_int_equal(answer_with_refusal(own, true, SIZE_MAX), SYN_NO_MEMORY);
    assert_int_equal(memory.live, live);
  }
  memory.refuse_at = 0;
  assert_int_equal(answer_with_refusal(own, true, SIZE_MAX), SYN_OK);
  syn_viewer_destroy(own);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(warnings_reach_the_caller_and_the_page),
      cmocka_unit_test(what_cannot_be_viewed_is_told_at_once),
      cmocka_unit_test(a_viewer_may_be_stopped_before_it_runs),
      cmocka_unit_test(memory_may_be_refused),
      cmocka_unit_test(no_memory_for_json_is_an_error_and_not_the_end),
      cmocka_unit_test(no_memory_for_a_pose_is_an_error_and_not_the_end),
      cmocka_unit_test(a_centre_that_was_moved_is_saved),
      cmocka_unit_test(a_landmark_that_was_moved_is_saved),
      cmocka_unit_test(a_unit_that_was_given_is_saved),
  };
  return cmocka_run_group_tests(tests, open_scene, close_scene);
}
