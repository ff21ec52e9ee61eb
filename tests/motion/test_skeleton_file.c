/* Skeleton files: there and back, every mistake with its key, damage. */
#include "base/vec.h"
#include "motion/skeleton.h"
#include "support.h"

static const char *const leg_path = SYN_SOURCE_DIR "/examples/leg.json";

static syn_status read_text(const char *text, syn_skeleton **skeleton, syn_error *error) {
  const char *path = temporary_path("skeleton.json");
  write_text_file(path, text);
  return syn_skeleton_read(NULL, path, skeleton, error);
}

static void assert_same_pose(const syn_pose *a, const syn_pose *b) {
  assert_true(vec3_distance(a->translation, b->translation) <= 1e-13);
  for (int i = 0; i < 3; ++i) assert_true(vec3_distance(a->rotation.row[i], b->rotation.row[i]) < 1e-15);
}

static void assert_same_numbers(const double *a, const double *b, size_t count) {
  assert_true((a == NULL) == (b == NULL));
  for (size_t i = 0; a && i < count; ++i) ASSERT_NEAR(a[i], b[i], 2e-11);
}

static void assert_same_dof(const syn_dof *a, const syn_dof *b) {
  assert_string_equal(a->name, b->name);
  assert_int_equal(a->kind, b->kind);
  assert_same_pose(&a->place, &b->place);
  assert_true(vec3_distance(a->axis, b->axis) < 1e-15);
  const double left[] = {a->lower, a->upper, a->comfort_lower, a->comfort_upper, a->rest};
  const double right[] = {b->lower, b->upper, b->comfort_lower, b->comfort_upper, b->rest};
  assert_same_numbers(left, right, 5);
  assert_int_equal(a->slides, b->slides);
  for (int i = 0; i < 4; ++i) assert_true(vec3_equal(a->slide[i], b->slide[i]));
  assert_int_equal(a->modifier_count, b->modifier_count);
  for (size_t i = 0; i < a->modifier_count; ++i) {
    const syn_range_modifier *m = &a->modifiers[i], *n = &b->modifiers[i];
    assert_string_equal(m->by, n->by);
    assert_int_equal(m->count, n->count);
    assert_same_numbers(m->at, n->at, m->count);
    assert_same_numbers(m->lower, n->lower, m->count);
    assert_same_numbers(m->upper, n->upper, m->count);
  }
}

static void assert_same_skeleton(const syn_skeleton *a, const syn_skeleton *b) {
  const syn_skeleton_description *d = &a->description, *e = &b->description;
  assert_string_equal(d->name, e->name);
  assert_int_equal(a->dof_count, b->dof_count);
  assert_int_equal(d->joint_count, e->joint_count);
  assert_int_equal(d->body_count, e->body_count);
  for (size_t i = 0; i < d->joint_count; ++i) {
    assert_string_equal(d->joints[i].name, e->joints[i].name);
    assert_true((d->joints[i].parent == NULL) == (e->joints[i].parent == NULL));
    if (d->joints[i].parent) assert_string_equal(d->joints[i].parent, e->joints[i].parent);
    assert_int_equal(d->joints[i].type, e->joints[i].type);
    assert_int_equal(d->joints[i].dof_count, e->joints[i].dof_count);
  }
  for (size_t i = 0; i < a->dof_count; ++i) assert_same_dof(a->dofs[i], b->dofs[i]);
  for (size_t i = 0; i < d->body_count; ++i) {
    assert_string_equal(d->bodies[i].body.name, e->bodies[i].body.name);
    assert_string_equal(d->bodies[i].joint, e->bodies[i].joint);
    assert_true((d->bodies[i].body.mesh_file == NULL) == (e->bodies[i].body.mesh_file == NULL));
    if (d->bodies[i].body.mesh_file) assert_string_equal(d->bodies[i].body.mesh_file, e->bodies[i].body.mesh_file);
    assert_same_pose(&d->bodies[i].place, &e->bodies[i].place);
  }
}

/* A shift modifies a turn and comes later; places are matrices. */
static const char *const mixed =
    "{\"synovia\":1,\"joints\":[{\"name\":\"j\",\"type\":\"planar\",\"dofs\":["
    "{\"name\":\"turn\",\"axis\":[0,0.6,0.8],\"limits\":[-90,30],\"comfort\":[-45,15],\"rest\":-30,"
    "\"place\":[0,-1,0,5,1,0,0,6,0,0,1,7,0,0,0,1],"
    "\"modifiers\":[{\"by\":\"shift\",\"at\":[-2,3],\"upper\":[10,20]}]},"
    "{\"name\":\"shift\",\"kind\":\"translation\",\"axis\":[1,0,0],\"limits\":[4,9]}]}],"
    "\"bodies\":[{\"name\":\"b\",\"joint\":\"j\",\"mesh\":\"b.ply\",\"place\":[1,2,3]}]}";

static void what_is_written_reads_back_the_same(void **state) {
  (void)state;
  for (int i = 0; i < 2; ++i) {
    syn_error error;
    syn_skeleton *first, *second;
    if (i == 0)
      ASSERT_OK(syn_skeleton_read(NULL, leg_path, &first, &error));
    else
      ASSERT_OK(read_text(mixed, &first, &error));
    const char *path = temporary_path("again.json");
    ASSERT_OK(syn_skeleton_write(first, path, &error));
    ASSERT_OK(syn_skeleton_read(NULL, path, &second, &error));
    assert_same_skeleton(first, second);
    syn_skeleton_destroy(first);
    syn_skeleton_destroy(second);
  }
}

static void degrees_become_radians_and_millimetres_stay(void **state) {
  (void)state;
  syn_error error;
  syn_skeleton *skeleton;
  ASSERT_OK(read_text(mixed, &skeleton, &error));
  const syn_dof *turn = skeleton->dofs[0], *shift = skeleton->dofs[1];
  ASSERT_NEAR(turn->lower, -SYN_PI / 2, 1e-15);
  ASSERT_NEAR(turn->comfort_upper, SYN_PI / 12, 1e-15);
  ASSERT_NEAR(turn->rest, -SYN_PI / 6, 1e-15);
  assert_true(turn->modifiers[0].at[0] == -2 && turn->modifiers[0].at[1] == 3);
  ASSERT_NEAR(turn->modifiers[0].upper[0], SYN_PI / 18, 1e-15);
  assert_null(turn->modifiers[0].lower);
  assert_true(shift->lower == 4 && shift->upper == 9 && shift->comfort_lower == 4 && shift->comfort_upper == 9);
  assert_true(shift->rest == 4); /* 0 is out of reach: the nearest limit */
  assert_true(vec3_equal(turn->place.translation, vec3(5, 6, 7)));
  syn_skeleton_destroy(skeleton);
}

static void a_written_file_shows_round_degrees(void **state) {
  (void)state;
  syn_error error;
  syn_skeleton *leg;
  ASSERT_OK(syn_skeleton_read(NULL, leg_path, &leg, &error));
  const char *path = temporary_path("round.json");
  ASSERT_OK(syn_skeleton_write(leg, path, &error));
  size_t size;
  char *text = read_whole_file(path, &size);
  *strstr(text, "\"bodies\"") = 0; /* their places are products of matrices */
  assert_null(strstr(text, "0000000"));
  assert_null(strstr(text, "9999999"));
  free(text);
  syn_skeleton_destroy(leg);
}

/* A body of a scan lies in the world at rest, whatever the frames of the joints; the rest is the clamped one. */
static void a_body_placed_at_rest_lies_there_at_rest(void **state) {
  (void)state;
  static const char text[] =
      "{\"synovia\":1,\"joints\":[{\"name\":\"a\",\"type\":\"fixed\",\"anatomical\":\"sutura\",\"place\":[3,4,5],"
      "\"articular\":[{\"center\":[1,2,3],\"radius_mm\":4},{\"center\":[5,6,7],\"radius_mm\":8}]},"
      "{\"name\":\"b\",\"parent\":\"a\",\"type\":\"biaxial\",\"dofs\":["
      "{\"name\":\"c\",\"place\":[1,0,2],\"axis\":[0,0,1],\"limits\":[-90,90],\"rest\":30},"
      "{\"name\":\"d\",\"axis\":[1,0,0],\"limits\":[-90,90],"
      "\"modifiers\":[{\"by\":\"c\",\"at\":[0],\"lower\":[20],\"upper\":[25]}]}]}],"
      "\"bodies\":[{\"name\":\"x\",\"joint\":\"b\",\"tissue\":\"cartilage\",\"rest_place\":[7,8,9]},"
      "{\"name\":\"y\",\"joint\":\"a\"}],\"contacts\":[[\"x\",\"y\"]]}";
  syn_error error;
  syn_skeleton *first, *second;
  ASSERT_OK(read_text(text, &first, &error));
  const char *path = temporary_path("at_rest.json");
  ASSERT_OK(syn_skeleton_write(first, path, &error));
  ASSERT_OK(syn_skeleton_read(NULL, path, &second, &error));
  for (int i = 0; i < 2; ++i) {
    const syn_skeleton *skeleton = i ? second : first;
    double values[2];
    syn_pose joints[2], bodies[2];
    syn_skeleton_rest(skeleton, values);
    assert_int_equal(syn_skeleton_clamp(skeleton, values), 1);
    syn_skeleton_pose(skeleton, values, joints, bodies);
    assert_true(vec3_distance(bodies[0].translation, vec3(7, 8, 9)) < 1e-12);
    for (int k = 0; k < 3; ++k) ASSERT_NEAR(vec3_at(bodies[0].rotation.row[k], k), 1, 1e-12);
    assert_true(vec3_equal(bodies[1].translation, vec3(3, 4, 5)));
    assert_string_equal(skeleton->description.joints[0].anatomical, "sutura");
    assert_int_equal(skeleton->description.joints[0].type, SYN_JOINT_FIXED);
    assert_int_equal(skeleton->description.joints[0].articular_count, 2);
    assert_true(vec3_equal(skeleton->description.joints[0].articular[1].center, vec3(5, 6, 7)));
    ASSERT_NEAR(skeleton->description.joints[0].articular[1].radius_mm, 8, 0);
    assert_int_equal(skeleton->description.joints[1].articular_count, 0);
    assert_int_equal(skeleton->description.bodies[0].body.tissue, SYN_TISSUE_CARTILAGE);
    assert_int_equal(skeleton->description.contact_count, 1);
    assert_string_equal(skeleton->description.contacts[0].second, "y");
  }
  syn_skeleton_destroy(first);
  syn_skeleton_destroy(second);
}

static void every_mistake_is_named_with_its_key(void **state) {
  (void)state;
#define JOINT(inside) "{\"synovia\":1,\"joints\":[{" inside "}]}"
#define DOF(inside) JOINT("\"name\":\"j\",\"type\":\"uniaxial\",\"dofs\":[{" inside "}]")
#define GOOD "\"name\":\"d\",\"axis\":[1,0,0],\"limits\":[0,1]"
#define WITH_BODY(inside)                                                                                              \
  "{\"synovia\":1,\"joints\":[{\"name\":\"j\",\"type\":\"planar\",\"dofs\":[]}],\"bodies\":" inside "}"
  static const char *const cases[][2] = {
      {"[", "not valid JSON"},
      {"[]", "the top level: expected an object"},
      {"{}", "synovia: is missing"},
      {"{\"synovia\":3}", "synovia: this is version 3 of the skeleton format"},
      {"{\"synovia\":1,\"bones\":[]}", "bones: this key is not known"},
      {"{\"synovia\":1,\"name\":7}", "name: expected a text"},
      {"{\"synovia\":1}", "joints: is missing"},
      {"{\"synovia\":1,\"joints\":[]}", "joints: a skeleton needs at least one"},
      {"{\"synovia\":1,\"joints\":[4]}", "joints[0]: expected an object"},
      {JOINT(""), "joints[0].name: is missing"},
      {JOINT("\"name\":\"j\",\"parent\":1"), "joints[0].parent: expected a text"},
      {JOINT("\"name\":\"j\",\"type\":\"ball\""),
       "joints[0].type: 'ball' is not one of uniaxial, biaxial, polyaxial, planar"},
      {JOINT("\"name\":\"j\",\"type\":\"uniaxial\""), "joints[0].dofs: is missing"},
      {JOINT("\"name\":\"j\",\"type\":\"uniaxial\",\"dofs\":[]"), "joints[0].dofs: a uniaxial joint has 1 rotation"},
      {JOINT("\"name\":\"j\",\"kind\":\"uniaxial\""), "joints[0].kind: this key"},
      {JOINT("\"name\":\"j\",\"type\":\"fixed\",\"dofs\":[{" GOOD "}]"), "joints[0].dofs: a fixed joint has none"},
      {JOINT("\"name\":\"j\",\"type\":\"fixed\",\"place\":[1]"), "joints[0].place: expected 3 or 16 numbers"},
      {JOINT("\"name\":\"j\",\"type\":\"fixed\",\"anatomical\":1"), "joints[0].anatomical: expected a text"},
      {JOINT("\"name\":\"j\",\"type\":\"fixed\",\"articular\":{}"), "joints[0].articular: expected an array"},
      {JOINT("\"name\":\"j\",\"type\":\"fixed\",\"articular\":[{\"center\":[0,0,0],\"radius_mm\":0}]"),
       "joints[0].articular[0].radius_mm: must be positive"},
      {JOINT("\"name\":\"j\",\"type\":\"fixed\",\"articular\":[{\"radius\":1}]"),
       "joints[0].articular[0].radius: this key"},
      {JOINT("\"name\":\"j\",\"parent\":\"j\",\"type\":\"fixed\""), "'j' is its own ancestor through 'j'"},
      {JOINT("\"name\":\"a\",\"parent\":\"b\",\"type\":\"fixed\"},{\"name\":\"b\",\"type\":\"fixed\""),
       "joints[0].parent: 'b' comes after this joint; list parents before their children"},
      {JOINT("\"name\":\"a\",\"parent\":\"b\",\"type\":\"fixed\"},{\"name\":\"b\",\"parent\":\"c\",\"type\":"
             "\"fixed\"},{\"name\":\"c\",\"parent\":\"a\",\"type\":\"fixed\""),
       "joints[0].parent: 'a' is its own ancestor through 'b'; a skeleton is a tree without cycles"},
      {DOF(""), "joints[0].dofs[0].name: is missing"},
      {DOF("\"name\":\"d\""), "joints[0].dofs[0].axis: is missing"},
      {DOF("\"name\":\"d\",\"axis\":[1,0,0]"), "joints[0].dofs[0].limits: is missing; expected two numbers"},
      {DOF("\"name\":\"d\",\"axis\":[1,0,0],\"limits\":[1]"), "joints[0].dofs[0].limits: expected 2 numbers, found 1"},
      {DOF("\"name\":\"d\",\"axis\":[1,0,0],\"limits\":[1,0]"), "limits: the lower one of 'd' is above"},
      {DOF(GOOD ",\"comfort\":[0,\"x\"]"), "joints[0].dofs[0].comfort[1]: expected a number"},
      {DOF(GOOD ",\"comfort\":[0,2]"), "joints[0].dofs[0].comfort: the comfort limits"},
      {DOF(GOOD ",\"rest\":[]"), "joints[0].dofs[0].rest: expected a number"},
      {DOF(GOOD ",\"rest\":5"), "joints[0].dofs[0].rest: the rest position"},
      {DOF(GOOD ",\"kind\":\"turn\""), "joints[0].dofs[0].kind: 'turn' is not one of rotation, translation"},
      {DOF(GOOD ",\"place\":[1,2]"), "joints[0].dofs[0].place: expected 3 or 16 numbers, found 2"},
      {DOF(GOOD ",\"place\":[2,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]"), "joints[0].dofs[0].place: the pose is not rigid"},
      {DOF(GOOD ",\"slide\":[[0,0,0]]"), "joints[0].dofs[0].slide: a sliding curve has 4 points, found 1"},
      {DOF(GOOD ",\"slide\":[[0,0,0],[0,0,0],[0,0],[0,0,0]]"),
       "joints[0].dofs[0].slide[2]: expected an array of three"},
      {DOF(GOOD ",\"slide\":1"), "joints[0].dofs[0].slide: expected an array"},
      {DOF(GOOD ",\"modifiers\":{}"), "joints[0].dofs[0].modifiers: expected an array"},
      {DOF(GOOD ",\"modifiers\":[{\"at\":[0]}]"), "joints[0].dofs[0].modifiers[0].by: is missing"},
      {DOF(GOOD ",\"modifiers\":[{\"by\":\"d\"}]"), "modifiers[0].at: needs at least one value"},
      {DOF(GOOD ",\"modifiers\":[{\"by\":\"d\",\"at\":[0,1],\"lower\":[0]}]"),
       "modifiers[0].lower: expected 2 numbers"},
      {DOF(GOOD ",\"modifiers\":[{\"by\":\"d\",\"at\":[0],\"upper\":[0]}]"), "run in a circle"},
      {DOF(GOOD ",\"modifiers\":[{\"by\":\"d\",\"min\":[0]}]"), "modifiers[0].min: this key"},
      {WITH_BODY("{}"), "bodies: expected an array"},
      {WITH_BODY("[{}]"), "bodies[0].name: is missing"},
      {WITH_BODY("[{\"name\":\"b\"}]"), "bodies[0].joint: is missing"},
      {WITH_BODY("[{\"name\":\"b\",\"joint\":\"k\"}]"), "bodies[0].joint: there is no joint named 'k'"},
      {WITH_BODY("[{\"name\":\"b\",\"joint\":\"j\",\"mesh\":1}]"), "bodies[0].mesh: expected a text"},
      {WITH_BODY("[{\"name\":\"b\",\"joint\":\"j\",\"place\":[1,2,null]}]"), "bodies[0].place[2]: expected a number"},
      {WITH_BODY("[{\"name\":\"b\",\"joint\":\"j\",\"color\":1}]"), "bodies[0].color: this key"},
      {WITH_BODY("[{\"name\":\"b\",\"joint\":\"j\",\"tissue\":\"wood\"}]"),
       "bodies[0].tissue: 'wood' is not one of bone"},
      {WITH_BODY("[{\"name\":\"b\",\"joint\":\"j\",\"place\":[0,0,0],\"rest_place\":[0,0,0]}]"),
       "bodies[0].rest_place: a body has a place or a rest_place, not both"},
      {WITH_BODY("[{\"name\":\"b\",\"joint\":\"j\",\"rest_place\":[0]}]"), "bodies[0].rest_place: expected 3 or 16"},
      {WITH_BODY("[],\"contacts\":4"), "contacts: expected an array"},
      {WITH_BODY("[],\"contacts\":[[\"a\"]]"), "contacts[0]: expected the names of two bodies, found 1"},
      {WITH_BODY("[],\"contacts\":[[\"a\",\"b\"]]"), "contacts[0][0]: there is no body named 'a'"},
      {WITH_BODY("[{\"name\":\"a\",\"joint\":\"j\"},{\"name\":\"b\",\"joint\":\"j\"}],\"contacts\":[[\"a\",\"b\"]]"),
       "contacts[0]: 'a' and 'b' hang on one joint"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    syn_error error = {0};
    syn_skeleton *skeleton;
    ASSERT_FAILS(read_text(cases[i][0], &skeleton, &error), SYN_BAD_FORMAT, cases[i][1]);
    assert_null(skeleton);
    assert_non_null(strstr(error.file, "skeleton.json"));
  }
  syn_error error = {0};
  syn_skeleton *skeleton;
  ASSERT_FAILS(syn_skeleton_read(NULL, temporary_path("none.json"), &skeleton, &error), SYN_NOT_FOUND, "cannot open");
}

static void what_json_cannot_hold_is_not_written(void **state) {
  (void)state;
  const syn_skeleton_joint joint = {.name = "\xff", .type = SYN_JOINT_PLANAR};
  syn_error error = {0};
  syn_skeleton *skeleton;
  ASSERT_OK(
      syn_skeleton_create(NULL, &(syn_skeleton_description){.joint_count = 1, .joints = &joint}, &skeleton, &error));
  ASSERT_FAILS(syn_skeleton_write(skeleton, temporary_path("never.json"), &error), SYN_BAD_ARGUMENT, "not valid UTF-8");
  syn_skeleton_destroy(skeleton);
}

static syn_status attempt(const syn_context *context, void *user, syn_error *error) {
  (void)user;
  syn_skeleton *skeleton;
  syn_status status = syn_skeleton_read(context, leg_path, &skeleton, error);
  if (status == SYN_OK) status = syn_skeleton_write(skeleton, temporary_path("copy.json"), error);
  syn_skeleton_destroy(skeleton);
  return status;
}

static void every_refused_allocation_is_survived(void **state) {
  (void)state;
  check_every_allocation(attempt, NULL);
}

static void damaged_files_never_crash(void **state) {
  (void)state;
  char text[1024];
  snprintf(text, sizeof text, "%s", mixed);
  const size_t size = strlen(text);
  const char *path = temporary_path("damaged.json");
  test_random random = {29};
  for (int round = 0; round < 600; ++round) {
    const size_t at = random_below(&random, (uint32_t)size);
    const char kept = text[at];
    text[at] = random_below(&random, 2) ? (char)random_u32(&random) : "0123456789-.e,[]{}\""[random_below(&random, 19)];
    write_file(path, text, round % 5 ? size : at);
    syn_skeleton *skeleton;
    syn_error error = {0};
    if (syn_skeleton_read(NULL, path, &skeleton, &error) != SYN_OK) assert_true(error.message[0]);
    syn_skeleton_destroy(skeleton);
    text[at] = kept;
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_written_reads_back_the_same),
      cmocka_unit_test(degrees_become_radians_and_millimetres_stay),
      cmocka_unit_test(a_written_file_shows_round_degrees),
      cmocka_unit_test(a_body_placed_at_rest_lies_there_at_rest),
      cmocka_unit_test(every_mistake_is_named_with_its_key),
      cmocka_unit_test(what_json_cannot_hold_is_not_written),
      cmocka_unit_test(every_refused_allocation_is_survived),
      cmocka_unit_test(damaged_files_never_crash),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
