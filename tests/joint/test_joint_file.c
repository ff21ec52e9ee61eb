#include <unistd.h>

#include "support.h"

#include "joint/joint_store.h"
#include "result/record_json.h"

static const char small[] = "{\"synovia\":1,\"side\":\"left\",\"bodies\":["
                            "{\"name\":\"pelvis\",\"mesh\":\"p.ply\",\"tissue\":\"bone\",\"moves\":false},"
                            "{\"name\":\"femur\",\"mesh\":\"sub/f.ply\",\"tissue\":\"bone\",\"moves\":true}]%s}";

/* Writes the small joint with more members and reads it. */
static syn_status read_with(const syn_context *context, const char *more, syn_joint **joint, syn_error *error) {
  char text[4096];
  snprintf(text, sizeof text, small, more);
  const char *path = temporary_path("joint.json");
  write_text_file(path, text);
  return syn_joint_read(context, path, joint, error);
}

static syn_status read_text(const char *text, syn_error *error) {
  const char *path = temporary_path("joint.json");
  write_text_file(path, text);
  syn_joint *joint;
  syn_status status = syn_joint_read(NULL, path, &joint, error);
  syn_joint_destroy(joint);
  return status;
}

static const syn_body bodies[3] = {
    {.name = "pelvis", .mesh_file = "pelvis.ply", .tissue = SYN_TISSUE_BONE, .material = {17000, 0.3, NAN}},
    {.name = "labrum", .mesh_file = "labrum.ply", .tissue = SYN_TISSUE_LABRUM, .material = {NAN, NAN, NAN}},
    {.name = "femur \"R\"",
     .mesh_file = "bones/f\xc3\xa9mur.ply",
     .tissue = SYN_TISSUE_BONE,
     .moves = true,
     .material = {NAN, 0.1, 1800.5}},
};
static const syn_joint_contact contacts[2] = {{"labrum", "femur \"R\"", SYN_CONTACT_CURVILINEAR},
                                              {"pelvis", "femur \"R\"", SYN_CONTACT_BOTH}};
static const char *const motions[2] = {"stand-to-sit", "FADIR"};
static const char *const notes[2] = {"the head is shifted by 1.19 mm", "\"partial\" pelvic frame"};

static syn_joint full_joint(void) {
  const double c = cos(0.3), s = sin(0.3);
  return (syn_joint){.name = "cam hip",
                     .side = SYN_SIDE_LEFT,
                     .body_count = 3,
                     .bodies = bodies,
                     .contact_count = 2,
                     .contacts = contacts,
                     .motion_count = 2,
                     .motions = motions,
                     .note_count = 2,
                     .notes = notes,
                     .has_center = true,
                     .center = {0.1, -1.0 / 3, 1e-300},
                     .has_axes = true,
                     .axes = {{c, s, 0}, {-s, c, 0}, {0, 0, 1}}};
}

static void what_is_written_reads_back_to_the_bit(void **state) {
  (void)state;
  syn_error error;
  test_memory memory = {0};
  const syn_context context = test_context(&memory);
  const syn_joint out = full_joint();
  const char *path = temporary_path("full.json");
  ASSERT_OK(syn_joint_write(&context, &out, path, &error));
  syn_joint *in;
  ASSERT_OK(syn_joint_read(&context, path, &in, &error));
  assert_string_equal(in->name, out.name);
  assert_int_equal(in->side, SYN_SIDE_LEFT);
  assert_int_equal(in->body_count, 3);
  for (size_t i = 0; i < 3; ++i) {
    assert_string_equal(in->bodies[i].name, bodies[i].name);
    assert_string_equal(in->bodies[i].mesh_file, bodies[i].mesh_file);
    assert_int_equal(in->bodies[i].tissue, bodies[i].tissue);
    assert_int_equal(in->bodies[i].moves, bodies[i].moves);
  }
  assert_true(in->bodies[0].material.young_mpa == 17000 && isnan(in->bodies[0].material.density_kg_m3));
  assert_true(isnan(in->bodies[1].material.young_mpa) && isnan(in->bodies[1].material.poisson));
  assert_true(in->bodies[2].material.density_kg_m3 == 1800.5 && in->bodies[2].material.poisson == 0.1);
  assert_int_equal(in->contact_count, 2);
  assert_string_equal(in->contacts[0].fixed, "labrum");
  assert_string_equal(in->contacts[0].mobile, "femur \"R\"");
  assert_int_equal(in->contacts[0].kind, SYN_CONTACT_CURVILINEAR);
  assert_int_equal(in->contacts[1].kind, SYN_CONTACT_BOTH);
  assert_int_equal(in->motion_count, 2);
  assert_string_equal(in->motions[1], "FADIR");
  assert_int_equal(in->note_count, 2);
  for (size_t i = 0; i < 2; ++i) assert_string_equal(in->notes[i], notes[i]);
  assert_true(in->has_center && in->has_axes && !in->center_method);
  assert_memory_equal(&in->center, &out.center, sizeof in->center);
  assert_memory_equal(&in->axes, &out.axes, sizeof in->axes);
  assert_int_equal(memory.warnings, 0);
  syn_joint_destroy(in);
  assert_int_equal(memory.live, 0);
}

static void landmarks_and_a_method_survive_as_well(void **state) {
  (void)state;
  syn_error error;
  const syn_joint_landmark landmarks[2] = {{"ASIS_R", {1, 2, 3}, true, 0.8}, {"pubis", {-1.5, 0.1, 2}, false, 1}};
  syn_joint out = full_joint();
  out.has_axes = out.has_center = false;
  out.center_method = "doublesphere";
  out.landmark_count = 2;
  out.landmarks = landmarks;
  ASSERT_OK(syn_joint_write(NULL, &out, temporary_path("marks.json"), &error));
  syn_joint *in;
  ASSERT_OK(syn_joint_read(NULL, temporary_path("marks.json"), &in, &error));
  assert_string_equal(in->center_method, "doublesphere");
  assert_false(in->has_center || in->has_axes);
  assert_int_equal(in->landmark_count, 2);
  assert_string_equal(in->landmarks[1].name, "pubis");
  for (int i = 0; i < 2; ++i) {
    assert_memory_equal(&in->landmarks[i].place, &landmarks[i].place, sizeof(syn_vec3));
    assert_int_equal(in->landmarks[i].from_mesh, landmarks[i].from_mesh);
    assert_true(in->landmarks[i].confidence == landmarks[i].confidence);
  }
  syn_joint_destroy(in);
}

static void everything_but_the_bodies_may_be_missing(void **state) {
  (void)state;
  syn_error error;
  syn_joint *joint;
  ASSERT_OK(read_with(NULL, "", &joint, &error));
  assert_int_equal(joint->body_count, 2);
  assert_string_equal(joint->name, "");
  assert_string_equal(joint->bodies[1].mesh_file, "sub/f.ply");
  assert_true(joint->bodies[1].moves && !joint->bodies[0].moves);
  assert_false(joint->has_center || joint->has_axes || joint->center_method);
  assert_int_equal(joint->contact_count + joint->landmark_count + joint->motion_count + joint->note_count, 0);
  char folder[512];
  snprintf(folder, sizeof folder, "%s", temporary_path(""));
  folder[strlen(folder) - 1] = 0;
  assert_string_equal(joint->folder, folder);
  syn_joint_destroy(joint);
}

static void a_missing_side_is_told(void **state) {
  (void)state;
  syn_error error;
  test_memory memory = {0};
  const syn_context context = test_context(&memory);
  const char *path = temporary_path("sideless.json");
  write_text_file(path,
                  "{\"synovia\":1,\"bodies\":[{\"name\":\"a\",\"mesh\":\"a\",\"tissue\":\"bone\",\"moves\":true}]}");
  syn_joint *joint;
  ASSERT_OK(syn_joint_read(&context, path, &joint, &error));
  assert_int_equal(joint->side, SYN_SIDE_RIGHT);
  assert_int_equal(memory.warnings, 1);
  assert_non_null(strstr(memory.last_warning, "right joint is assumed"));
  syn_joint_destroy(joint);
}

static void every_mistake_is_named_with_its_place(void **state) {
  (void)state;
  static const char *const cases[][2] = {
      {",\"centre\":[0,0,0]", "centre: this key is not known"},
      {",\"center\":[0,0]", "center: expected an array of three numbers"},
      {",\"center\":[0,0,\"x\"]", "center[2]: expected a number, found a text"},
      {",\"center\":7", "center: expected three numbers or"},
      {",\"center\":{\"methode\":\"a\"}", "center.methode: this key"},
      {",\"center\":{}", "center.method: is missing"},
      {",\"center\":{\"method\":\"\"}", "center.method: may not be empty"},
      {",\"frame\":[]", "frame: expected an object, found an array"},
      {",\"frame\":{\"flexion\":[1,0,0]}", "frame.adduction: is missing"},
      {",\"frame\":{\"flexion\":[1,0,0],\"adduction\":[0,1,0],\"rotation\":[0,0,1.1]}",
       "frame.rotation: must be of length 1"},
      {",\"frame\":{\"flexion\":[1,0,0],\"adduction\":[0.6,0.8,0],\"rotation\":[0,0,1]}",
       "frame.adduction: must be at right angles to flexion"},
      {",\"frame\":{\"flexion\":[1,0,0],\"adduction\":[0,1,0],\"rotation\":[0.6,0,0.8]}",
       "frame.rotation: must be at right angles to flexion"},
      {",\"frame\":{\"flexion\":[1,0,0],\"adduction\":[0,1,0],\"rotation\":[0,0.6,0.8]}",
       "frame.rotation: must be at right angles to adduction"},
      {",\"frame\":{\"flexion\":[1,0,0],\"adduction\":[0,1,0],\"rotation\":[0,0,1],\"up\":[0,0,1]}",
       "frame.up: this key"},
      {",\"frame\":{\"landmarks\":{\"a\":[0,0,0]},\"flexion\":[1,0,0]}", "frame.flexion: this key"},
      {",\"frame\":{\"landmarks\":{\"a\":[0,0]}}", "frame.landmarks.a: expected an array of three"},
      {",\"frame\":{\"landmarks\":3}", "frame.landmarks: expected an object"},
      {",\"frame\":{\"landmarks\":{\"a\":{\"place\":[0,0,0],\"source\":\"guess\"}}}", "frame.landmarks.a.source"},
      {",\"frame\":{\"landmarks\":{\"a\":{\"source\":\"mesh\"}}}", "frame.landmarks.a.place"},
      {",\"frame\":{\"landmarks\":{\"a\":{\"place\":[0,0,0],\"source\":\"mesh\",\"confidence\":2}}}",
       "frame.landmarks.a.confidence: must lie between 0 and 1"},
      {",\"contacts\":{}", "contacts: expected an array"},
      {",\"contacts\":[{\"fixed\":\"pelvis\",\"mobile\":\"femur\",\"kind\":\"linear\"}]",
       "contacts[0].kind: 'linear' is not one of radial, curvilinear, both"},
      {",\"contacts\":[{\"fixed\":\"pelvis\",\"mobile\":\"tibia\",\"kind\":\"both\"}]",
       "contacts[0].mobile: there is no body named 'tibia'"},
      {",\"contacts\":[{\"fixed\":\"femur\",\"mobile\":\"femur\",\"kind\":\"both\"}]",
       "contacts[0].fixed: the body 'femur' moves"},
      {",\"contacts\":[{\"fixed\":\"pelvis\",\"mobile\":\"pelvis\",\"kind\":\"both\"}]",
       "contacts[0].mobile: the body 'pelvis' does not move"},
      {",\"contacts\":[{\"fixed\":\"pelvis\",\"mobile\":\"femur\",\"kind\":\"both\",\"x\":1}]",
       "contacts[0].x: this key"},
      {",\"contacts\":[{\"fixed\":1}]", "contacts[0].fixed: expected a text"},
      {",\"contacts\":[{\"fixed\":\"pelvis\"}]", "contacts[0].mobile: is missing"},
      {",\"motions\":[\"a\",2]", "motions[1]: expected a text"},
      {",\"motions\":\"a\"", "motions: expected an array"},
      {",\"name\":1", "name: expected a text"},
      {",\"name\":\"a\",\"name\":\"b\"", "duplicate"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    syn_error error = {0};
    syn_joint *joint;
    ASSERT_FAILS(read_with(NULL, cases[i][0], &joint, &error), SYN_BAD_FORMAT, cases[i][1]);
    assert_null(joint);
    assert_non_null(strstr(error.file, "joint.json"));
  }
}

static void bad_bodies_and_headings_are_refused(void **state) {
  (void)state;
#define BODY(inside) "{\"synovia\":1,\"side\":\"right\",\"bodies\":[{" inside "}]}"
#define GOOD "\"name\":\"a\",\"mesh\":\"a\",\"tissue\":\"bone\",\"moves\":true"
  static const char *const cases[][2] = {
      {"{\"synovia\":1", "not valid JSON"},
      {"[]", "the top level: expected an object"},
      {"{}", "synovia: is missing"},
      {"{\"synovia\":2}", "synovia: this is version 2"},
      {"{\"synovia\":1,\"side\":\"up\"}", "side: 'up' is not one of right, left"},
      {"{\"synovia\":1,\"side\":\"left\"}", "bodies: is missing"},
      {"{\"synovia\":1,\"side\":\"left\",\"bodies\":[]}", "bodies: a joint needs at least one"},
      {"{\"synovia\":1,\"side\":\"left\",\"bodies\":[3]}", "bodies[0]: expected an object"},
      {BODY("\"name\":\"a\""), "bodies[0].mesh: is missing"},
      {BODY("\"mesh\":\"a\""), "bodies[0].name: is missing"},
      {BODY("\"name\":\"a\",\"mesh\":\"a\",\"tissue\":\"glass\",\"moves\":true"),
       "bodies[0].tissue: 'glass' is not one of bone"},
      {BODY("\"name\":\"a\",\"mesh\":\"a\",\"tissue\":\"bone\",\"moves\":1"),
       "bodies[0].moves: expected true or false"},
      {BODY("\"name\":\"\",\"mesh\":\"a\",\"tissue\":\"bone\",\"moves\":true"), "bodies[0].name: may not be empty"},
      {BODY("\"name\":\"a\",\"mesh\":\"\",\"tissue\":\"bone\",\"moves\":true"), "bodies[0].mesh: may not be empty"},
      {BODY(GOOD ",\"color\":1"), "bodies[0].color: this key"},
      {BODY(GOOD ",\"material\":{\"young\":1}"), "bodies[0].material.young: this key"},
      {BODY(GOOD ",\"material\":{\"young_mpa\":\"1\"}"), "bodies[0].material.young_mpa: expected a number"},
      {BODY(GOOD ",\"material\":{\"young_mpa\":0}"), "bodies[0].material.young_mpa: must be positive"},
      {BODY(GOOD ",\"material\":{\"poisson\":0.51}"), "bodies[0].material.poisson: must lie above -1"},
      {BODY(GOOD ",\"material\":{\"density_kg_m3\":-1}"), "bodies[0].material.density_kg_m3: must be positive"},
      {BODY(GOOD "},{" GOOD), "bodies[1].name: 'a' is already the name of bodies[0]"},
  };
#undef BODY
#undef GOOD
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    syn_error error = {0};
    ASSERT_FAILS(read_text(cases[i][0], &error), SYN_BAD_FORMAT, cases[i][1]);
  }
  syn_error error = {0};
  syn_joint *joint;
  ASSERT_FAILS(syn_joint_read(NULL, temporary_path("no such file"), &joint, &error), SYN_NOT_FOUND, "cannot open");
}

static void a_joint_that_could_not_be_read_is_not_written(void **state) {
  (void)state;
  const char *path = temporary_path("never.json");
  const syn_joint_landmark bad[2] = {{"a", {NAN, 0, 0}, false, 1}, {"b", {0, 0, 0}, false, 1}},
                           twice[2] = {{"a", {0, 0, 0}, false, 1}, {"a", {0, 0, 0}, false, 1}};
  syn_joint wrong[7];
  for (int i = 0; i < 7; ++i) wrong[i] = full_joint();
  wrong[0].center_method = "doublesphere";
  wrong[1].center.y = INFINITY;
  wrong[2].landmark_count = 2;
  wrong[2].landmarks = twice;
  wrong[3].has_axes = false;
  wrong[3].landmark_count = 2;
  wrong[3].landmarks = bad;
  wrong[4].has_axes = false;
  wrong[4].landmark_count = 2;
  wrong[4].landmarks = twice;
  wrong[5].axes.flexion.x = NAN;
  wrong[6].name = "\xff";
  static const char *const parts[7] = {"a point or a method, not both",
                                       "center: must be three finite",
                                       "axes or landmarks, not both",
                                       "frame.landmarks.a: must be three finite",
                                       "frame.landmarks.a: is given twice",
                                       "frame.flexion: must be of length 1",
                                       "not valid UTF-8"};
  for (int i = 0; i < 7; ++i) {
    syn_error error = {0};
    ASSERT_FAILS(syn_joint_write(NULL, &wrong[i], path, &error), SYN_BAD_ARGUMENT, parts[i]);
    FILE *stream = fopen(path, "r");
    assert_null(stream);
  }
  syn_error error = {0};
  const syn_joint good = full_joint();
  assert_int_equal(syn_joint_write(NULL, &good, "/no/such/folder/joint.json", &error), SYN_IO_ERROR);
}

static syn_status write_and_read(const syn_context *context, void *user, syn_error *error) {
  const syn_joint *out = user;
  syn_joint *in;
  const char *path = temporary_path("again.json");
  syn_status status = syn_joint_write(context, out, path, error);
  if (status == SYN_OK) status = syn_joint_read(context, path, &in, error);
  if (status == SYN_OK) syn_joint_destroy(in);
  return status;
}

static void every_refused_allocation_is_survived(void **state) {
  (void)state;
  syn_joint out = full_joint();
  check_every_allocation(write_and_read, &out);
  syn_joint_destroy(NULL);
}

/* Any single changed byte gives a joint or an error with a message, never a crash. */
static void damaged_files_never_crash(void **state) {
  (void)state;
  syn_error error;
  const syn_joint out = full_joint();
  const char *path = temporary_path("damaged.json");
  ASSERT_OK(syn_joint_write(NULL, &out, path, &error));
  size_t size;
  char *bytes = read_whole_file(path, &size);
  test_random random = {11};
  for (int round = 0; round < 1500; ++round) {
    const size_t at = random_below(&random, (uint32_t)size);
    const char kept = bytes[at];
    bytes[at] = (char)random_u32(&random);
    write_file(path, bytes, round % 3 ? size : at);
    syn_joint *in;
    error = (syn_error){0};
    if (syn_joint_read(NULL, path, &in, &error) != SYN_OK) assert_true(error.message[0]);
    syn_joint_destroy(in);
    bytes[at] = kept;
  }
  free(bytes);
}

/* ---- with its meshes ----------------------------------------------------------------------------------------------
 */

static void a_joint_is_saved_with_its_meshes_or_not_at_all(void **state) {
  (void)state;
  syn_error error = {.byte = -1};
  syn_joint *made, *read;
  char folder[512], path[600];
  snprintf(folder, sizeof folder, "%s", temporary_path("a/joint"));
  ASSERT_OK(syn_shape_create(NULL, "hip", &(syn_shape_value){"resolution", 2}, 1, &made, &error));
  ASSERT_FAILS(syn_joint_save(NULL, made, folder, "doc", &error), SYN_BAD_ARGUMENT, "'doc' is not a format");
  assert_int_not_equal(access(folder, F_OK), 0);
  ASSERT_OK(syn_joint_save(NULL, made, folder, "stl", &error));
  snprintf(path, sizeof path, "%s/joint.json", folder);
  ASSERT_OK(syn_joint_read(NULL, path, &read, &error));
  ASSERT_OK(syn_joint_load(read, NULL, &error));
  assert_int_equal(read->body_count, made->body_count);
  for (size_t i = 0; i < read->body_count; ++i) {
    assert_string_equal(strrchr(read->bodies[i].mesh_file, '.'), ".stl");
    assert_int_equal(read->bodies[i].surface->triangle_count, made->bodies[i].surface->triangle_count);
  }
  syn_joint_destroy(read);
  syn_joint_destroy(made);
}

/* Notes that were warnings are as long as one can be; notes that were told before begin as they do. */
static void notes_are_told_with_one_beginning(void **state) {
  (void)state;
  static const char beginning[] = "when the joint file was made: ";
  char longest[512], told_before[700];
  memset(longest, 'x', sizeof longest - 1);
  longest[sizeof longest - 1] = 0;
  snprintf(told_before, sizeof told_before, "%sthe femur is rough", beginning);
  const char *const made[] = {longest, told_before, "the femur is smooth"};
  test_memory memory = {0};
  const syn_context context = test_context(&memory);
  const syn_joint joint = {.context = &context, .notes = made, .note_count = 3};
  syn_joint_warn_notes(&joint);
  assert_non_null(strstr(memory.all_warnings, longest));
  size_t count = 0;
  for (const char *at = memory.all_warnings; (at = strstr(at, beginning)) != NULL; ++at) ++count;
  assert_int_equal(count, 3);
  assert_true(syn_same_warning(told_before, "the femur is rough"));
  assert_true(syn_same_warning("the femur is rough", told_before));
  assert_true(syn_same_warning(told_before, told_before));
  assert_false(syn_same_warning(told_before, "the femur is smooth"));
  assert_false(syn_same_warning("the femur is rough", "the femur is smooth"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_written_reads_back_to_the_bit),
      cmocka_unit_test(landmarks_and_a_method_survive_as_well),
      cmocka_unit_test(notes_are_told_with_one_beginning),
      cmocka_unit_test(everything_but_the_bodies_may_be_missing),
      cmocka_unit_test(a_missing_side_is_told),
      cmocka_unit_test(every_mistake_is_named_with_its_place),
      cmocka_unit_test(bad_bodies_and_headings_are_refused),
      cmocka_unit_test(a_joint_that_could_not_be_read_is_not_written),
      cmocka_unit_test(every_refused_allocation_is_survived),
      cmocka_unit_test(damaged_files_never_crash),
      cmocka_unit_test(a_joint_is_saved_with_its_meshes_or_not_at_all),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
