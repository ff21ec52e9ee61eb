/* Joints of any kind: what they are called, the names of their turns, motions of their own, units of their meshes. */
#include <synovia/joint.h>

#include "base/vec.h"
#include "joint/joint_store.h"
#include "support.h"

static const char two[] = "{\"synovia\":1,\"side\":\"right\",\"bodies\":["
                          "{\"name\":\"%s\",\"mesh\":\"a.obj\",\"tissue\":\"bone\",\"moves\":false},"
                          "{\"name\":\"%s\",\"mesh\":\"b.obj\",\"tissue\":\"bone\",\"moves\":true}]%s}";
#define PLACED ",\"center\":[0,0,0],\"frame\":{\"flexion\":[1,0,0],\"adduction\":[0,1,0],\"rotation\":[0,0,1]}"
#define OPENS                                                                                                          \
  ",\"frame\":{\"axes\":[{\"axis\":[-1,0,0],\"positive\":\"opening\",\"negative\":\"closing\"},"                       \
  "{\"axis\":[0,-1,0]},{\"axis\":[0,0,1],\"positive\":\"left_turn\",\"negative\":\"right_turn\"}]}"

static syn_status read_pair(const char *fixed, const char *mobile, const char *more, syn_joint **joint,
                            syn_error *error) {
  char text[4096];
  snprintf(text, sizeof text, two, fixed, mobile, more);
  const char *path = temporary_path("pair.json");
  write_text_file(path, text);
  return syn_joint_read(NULL, path, joint, error);
}

static void a_joint_is_what_it_says_or_what_its_bodies_are_called(void **state) {
  (void)state;
  static const struct {
    const char *fixed, *mobile, *more, *kind;
  } cases[] = {
      {"pelvis", "femur", "", "hip"},
      {"Right_Pelvis", "thigh", PLACED, "hip"},
      {"bone", "FEMUR_R", PLACED, "hip"},
      {"femur", "tibia", PLACED, "knee"},
      {"femur", "patella", PLACED, "knee"},
      {"skull", "Mandible", PLACED, "jaw"},
      {"scapula", "humerus", PLACED, "shoulder"},
      {"humerus", "ulna", PLACED, "other"},
      {"a", "b", PLACED, "other"},
      {"a", "b", "", "hip"},
      {"a", "b", ",\"kind\":\"elbow\"", "elbow"},
      {"pelvis", "femur", ",\"kind\":\"other\"", "other"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    syn_error error;
    syn_joint *joint;
    ASSERT_OK(read_pair(cases[i].fixed, cases[i].mobile, cases[i].more, &joint, &error));
    assert_string_equal(syn_joint_kind(joint), cases[i].kind);
    assert_int_equal(syn_joint_is_hip(joint), strcmp(cases[i].kind, "hip") == 0);
    syn_joint_destroy(joint);
  }
}

static void turns_have_the_names_of_the_file(void **state) {
  (void)state;
  static const char *const limb[6] = {"flexion",   "extension",         "adduction",
                                      "abduction", "internal_rotation", "external_rotation"};
  static const char *const jaw[6] = {"opening",         "closing",   "axis_2_positive",
                                     "axis_2_negative", "left_turn", "right_turn"};
  for (int named = 0; named < 2; ++named) {
    syn_error error;
    syn_joint *joint;
    ASSERT_OK(read_pair("skull", "jaw", named ? OPENS : PLACED, &joint, &error));
    for (int i = 0; i < 6; ++i)
      assert_string_equal(syn_joint_direction(joint, i / 2, i % 2 ? -1 : 1), (named ? jaw : limb)[i]);
    syn_joint_destroy(joint);
  }
}

/* Landmarks give axes to the patient's right, about which a right-handed turn extends a knee. */
static void a_knee_by_landmarks_extends_about_its_first_axis(void **state) {
  (void)state;
  syn_error error;
  syn_joint *joint;
  ASSERT_OK(read_pair("femur", "tibia", ",\"frame\":{\"landmarks\":{\"ankle_center\":[0,0,-400]}}", &joint, &error));
  assert_string_equal(syn_joint_direction(joint, 0, 1), "extension");
  assert_string_equal(syn_joint_direction(joint, 0, -1), "flexion");
  assert_string_equal(syn_joint_direction(joint, 1, 1), "adduction");
  syn_joint_destroy(joint);
}

static const char full[] =
    ",\"kind\":\"jaw\",\"units\":\"cm\",\"center\":[1,2,3],"
    "\"frame\":{\"axes\":[{\"axis\":[-1,0,0],\"positive\":\"opening\",\"negative\":\"closing\"},"
    "{\"axis\":[0,-1,0],\"positive\":\"a\",\"negative\":\"b\"},{\"axis\":[0,0,1]}],"
    "\"mobile_axes\":[[0,-1,0],[1,0,0],[0,0,1]]},"
    "\"articular\":[{\"center\":[1,2,3],\"radius_mm\":4.5}],"
    "\"motions\":[\"closing\",{\"name\":\"wide\",\"label\":\"Wide open\",\"axis\":\"opening\",\"start\":{\"b\":10},"
    "\"most\":75,\"range\":[30,50.5],\"source\":\"somebody\"},\"b\",{\"name\":\"askew\",\"axis\":[0,3,4]}]";

static void check_full(const syn_joint *joint) {
  assert_string_equal(syn_joint_kind(joint), "jaw");
  assert_true(joint->mm_per_unit == 10);
  assert_true(joint->has_axes && joint->has_mobile_axes);
  assert_true(joint->mobile_axes.flexion.y == -1 && joint->axes.flexion.x == -1);
  assert_string_equal(syn_joint_direction(joint, 2, -1), "axis_3_negative");
  assert_int_equal(joint->articular_count, 1);
  assert_true(joint->articular[0].radius_mm == 4.5 && joint->articular[0].center.z == 3);
  assert_int_equal(joint->motion_count, 2);
  assert_string_equal(joint->motions[1], "b");
  assert_int_equal(joint->turn_count, 2);
  const syn_motion *wide = &joint->turns[0], *askew = &joint->turns[1];
  assert_string_equal(wide->name, "wide");
  assert_string_equal(wide->label, "Wide open");
  assert_true(wide->axis == 0 && wide->sign == 1 && wide->low_deg == 30 && wide->high_deg == 50.5);
  assert_string_equal(wide->source, "somebody");
  ASSERT_NEAR(wide->start.adduction, -10 * SYN_PI / 180, 1e-15);
  assert_true(wide->start.flexion == 0 && wide->start.rotation == 0);
  assert_true(askew->axis == SYN_JOINT_AXES && askew->sign == 1 && !askew->label && !askew->source);
  assert_true(isnan(askew->low_deg) && isnan(askew->high_deg));
  assert_true(wide->max_deg == 75 && askew->max_deg == 0);
  ASSERT_NEAR(askew->vector.y, 0.6, 1e-15);
  ASSERT_NEAR(askew->vector.z, 0.8, 1e-15);
}

static void all_of_it_survives_writing(void **state) {
  (void)state;
  syn_error error;
  syn_joint *joint, *again;
  ASSERT_OK(read_pair("skull", "jaw", full, &joint, &error));
  check_full(joint);
  ASSERT_OK(syn_joint_write(NULL, joint, temporary_path("again.json"), &error));
  ASSERT_OK(syn_joint_read(NULL, temporary_path("again.json"), &again, &error));
  check_full(again);
  syn_joint_destroy(again);
  syn_joint_destroy(joint);
}

static void every_mistake_is_named_with_its_place(void **state) {
  (void)state;
#define MOTION(inside) OPENS ",\"motions\":[{" inside "}]"
  static const char *const cases[][2] = {
      {",\"kind\":\"Knee\"", "kind: must be a word of small letters"},
      {",\"kind\":\"\"", "kind: must be a word"},
      {",\"units\":\"inch\"", "units: 'inch' is not one of mm, cm, m"},
      {",\"frame\":{\"axes\":[]}", "frame.axes: a joint has three axes, not 0"},
      {",\"frame\":{\"axes\":[{\"axis\":[1,0,0]},{\"axis\":[1,0,0]},{\"axis\":[0,0,1]}]}",
       "frame.axes[1]: must be at right angles to axes[0]"},
      {",\"frame\":{\"axes\":[{\"axis\":[1,0,0],\"up\":1},{},{}]}", "frame.axes[0].up: this key"},
      {",\"frame\":{\"axes\":[{\"axis\":[1,0,0],\"positive\":\"a\",\"negative\":\"a\"},{},{}]}",
       "frame.axes[0]: both turns have the name 'a'"},
      {",\"frame\":{\"axes\":[{\"axis\":[1,0,0],\"positive\":\"a\"},{\"axis\":[0,1,0],\"negative\":\"a\"},{}]}",
       "frame.axes[1].negative: 'a' is already the name"},
      {",\"frame\":{\"axes\":[{\"axis\":[1,0,0]},{\"axis\":[0,1,0]},{\"axis\":[0,0,1]}],\"mobile_axes\":[[1,0,0]]}",
       "frame.mobile_axes: a joint has three axes, not 1"},
      {",\"frame\":{\"axes\":[{\"axis\":[1,0,0]},{\"axis\":[0,1,0]},{\"axis\":[0,0,1]}],"
       "\"mobile_axes\":[[1,0,0],[0,2,0],[0,0,1]]}",
       "frame.mobile_axes[1]: must be of length 1"},
      {",\"articular\":{}", "articular: expected an array"},
      {",\"articular\":[{\"center\":[0,0,0],\"radius_mm\":0}]", "articular[0].radius_mm: must be positive"},
      {",\"articular\":[{\"radius_mm\":1}]", "articular[0].center: is missing"},
      {MOTION("\"axis\":\"opening\""), "motions[0].name: is missing"},
      {MOTION("\"name\":\"m\",\"axis\":\"opening\",\"most\":0"), "motions[0].most: must be above 0"},
      {MOTION("\"name\":\"m\",\"axis\":\"opening\",\"most\":400"), "motions[0].most: must be above 0"},
      {MOTION("\"name\":\"m\""), "motions[0].axis: expected the name of a turn, or three numbers"},
      {MOTION("\"name\":\"m\",\"axis\":\"openning\""), "motions[0].axis: this joint has no turn 'openning'"},
      {MOTION("\"name\":\"m\",\"axis\":[0,0,0]"), "motions[0].axis: must be a direction"},
      {MOTION("\"name\":\"m\",\"axis\":\"opening\",\"start\":{\"flexion\":3}"),
       "motions[0].start.flexion: this joint has no turn"},
      {MOTION("\"name\":\"m\",\"axis\":\"opening\",\"range\":[1,2]"), "motions[0]: a range needs a source"},
      {MOTION("\"name\":\"m\",\"axis\":\"opening\",\"source\":\"x\""), "motions[0].source: is that of a range"},
      {MOTION("\"name\":\"m\",\"axis\":\"opening\",\"range\":[2,1],\"source\":\"x\""),
       "motions[0].range: the lowest comes first"},
      {MOTION("\"name\":\"m\",\"axis\":\"opening\",\"sign\":1"), "motions[0].sign: this key"},
      {MOTION("\"name\":\"m\",\"axis\":\"opening\"},{\"name\":\"m\",\"axis\":\"closing\""),
       "motions: there are two of the name 'm'"},
  };
#undef MOTION
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    syn_error error = {0};
    syn_joint *joint;
    ASSERT_FAILS(read_pair("skull", "jaw", cases[i][0], &joint, &error), SYN_BAD_FORMAT, cases[i][1]);
    assert_null(joint);
  }
}

/* The unit of the file counts, unless the caller gives another one. */
static void meshes_are_in_the_units_of_the_file(void **state) {
  (void)state;
  static const char *const units[] = {"", ",\"units\":\"cm\"", ",\"units\":\"m\""};
  static const double mm[] = {1, 10, 1000};
  write_text_file(temporary_path("a.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  write_text_file(temporary_path("b.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  for (int given = 0; given < 2; ++given)
    for (int i = 0; i < 3; ++i) {
      syn_error error;
      syn_joint *joint;
      syn_read_options options = syn_default_read_options();
      options.scale = 7;
      ASSERT_OK(read_pair("skull", "jaw", units[i], &joint, &error));
      ASSERT_OK(syn_joint_load(joint, given ? &options : NULL, &error));
      assert_true(joint->bodies[1].surface->vertices[1].x == (given ? 7 : mm[i]));
      syn_joint_destroy(joint);
    }
}

static syn_status write_and_read(const syn_context *context, void *user, syn_error *error) {
  syn_joint *in;
  syn_status status = syn_joint_write(context, user, temporary_path("copy.json"), error);
  if (status == SYN_OK) status = syn_joint_read(context, temporary_path("copy.json"), &in, error);
  if (status == SYN_OK) syn_joint_destroy(in);
  return status;
}

static void every_refused_allocation_is_survived(void **state) {
  (void)state;
  syn_error error;
  syn_joint *joint;
  ASSERT_OK(read_pair("skull", "jaw", full, &joint, &error));
  check_every_allocation(write_and_read, joint);
  syn_joint_destroy(joint);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_joint_is_what_it_says_or_what_its_bodies_are_called),
      cmocka_unit_test(turns_have_the_names_of_the_file),
      cmocka_unit_test(a_knee_by_landmarks_extends_about_its_first_axis),
      cmocka_unit_test(all_of_it_survives_writing),
      cmocka_unit_test(every_mistake_is_named_with_its_place),
      cmocka_unit_test(meshes_are_in_the_units_of_the_file),
      cmocka_unit_test(every_refused_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
