/* The skeleton against products of elementary matrices, de Casteljau's curve, and its ranges at their ends. */
#include "base/vec.h"
#include "matrix_twin.h"
#include "motion/skeleton.h"
#include "support.h"

#define DEGREE (SYN_PI / 180)

static syn_dof hinge(const char *name, double lower, double upper) {
  return (syn_dof){.name = name,
                   .place = syn_pose_identity(),
                   .axis = {0, 0, 1},
                   .lower = lower,
                   .upper = upper,
                   .comfort_lower = lower,
                   .comfort_upper = upper,
                   .rest = lower};
}

static syn_skeleton *make(const syn_skeleton_description *d) {
  syn_error error;
  syn_skeleton *skeleton;
  ASSERT_OK(syn_skeleton_create(NULL, d, &skeleton, &error));
  return skeleton;
}

static syn_skeleton *make_planar(const syn_dof *dofs, size_t count) {
  const syn_skeleton_joint joint = {.name = "j", .type = SYN_JOINT_PLANAR, .dof_count = count, .dofs = dofs};
  return make(&(syn_skeleton_description){.joint_count = 1, .joints = &joint});
}

/* ---- the twin: 4x4 matrices, nothing but shifts and turns about the axes of coordinates --------------------------
 */

static matrix shift_by(syn_vec3 v) { return shift(v.x, v.y, v.z); }

/* z is brought to the axis, turned about, and brought back. */
static matrix about(syn_vec3 axis, double angle) {
  const double longitude = atan2(axis.y, axis.x), latitude = acos(axis.z);
  const matrix there = multiply(about_z(longitude), about_y(latitude));
  const matrix back = multiply(about_y(-latitude), about_z(-longitude));
  return multiply(multiply(there, about_z(angle)), back);
}

static syn_vec3 casteljau(const syn_vec3 *points, double t) {
  syn_vec3 p[4] = {points[0], points[1], points[2], points[3]};
  for (int level = 3; level > 0; --level)
    for (int i = 0; i < level; ++i) p[i] = vec3_lerp(p[i], p[i + 1], t);
  return p[0];
}

static matrix of_pose(const syn_pose *pose) {
  double entries[16];
  matrix m;
  syn_pose_to_matrix(pose, entries);
  memcpy(m.m, entries, sizeof entries);
  return m;
}

/* `range` is the one in force. */
static matrix dof_twin(const syn_dof *dof, double value, syn_range range) {
  matrix m = of_pose(&dof->place);
  if (dof->slides) {
    const bool one_value = range.lower == range.upper;
    const double low = one_value ? dof->lower : range.lower, high = one_value ? dof->upper : range.upper;
    const double t = (value - low) / (high - low);
    m = multiply(m, shift_by(casteljau(dof->slide, t < 0 ? 0 : t > 1 ? 1 : t)));
  }
  const matrix movement =
      dof->kind == SYN_DOF_ROTATION ? about(dof->axis, value) : shift_by(vec3_scale(dof->axis, value));
  return multiply(m, movement);
}

static void assert_same(const syn_pose *pose, matrix twin) {
  const matrix m = of_pose(pose);
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) ASSERT_NEAR(m.m[i][j], twin.m[i][j], 1e-10);
}

/* ---- random skeletons ------------------------------------------------------------------------------------------- */

enum { JOINTS = 8, BODIES = 5 };

typedef struct random_skeleton {
  char names[JOINTS][16], dof_names[JOINTS][6][48], body_names[BODIES][16];
  syn_dof dofs[JOINTS][6];
  syn_skeleton_joint joints[JOINTS];
  syn_skeleton_body bodies[BODIES];
  size_t parents[JOINTS], body_joints[BODIES];
  syn_skeleton_description description;
} random_skeleton;

static syn_dof random_dof(test_random *random, const char *name, syn_dof_kind kind) {
  syn_dof dof = hinge(name, -1.5, 2.5);
  dof.kind = kind;
  dof.place = random_pose(random, 50);
  dof.axis = vec3_unit(random_vec3(random, 1));
  dof.slides = random_below(random, 2);
  for (int i = 0; i < 4; ++i) dof.slide[i] = random_vec3(random, 20);
  return dof;
}

static void fill_random(test_random *random, random_skeleton *s) {
  static const size_t counts[] = {1, 2, 3, 6};
  for (size_t i = 0; i < JOINTS; ++i) {
    snprintf(s->names[i], sizeof s->names[i], "j%zu", i);
    s->parents[i] = i == 0 || random_below(random, 5) == 0 ? SIZE_MAX : random_below(random, (uint32_t)i);
    const unsigned type = random_below(random, 4);
    s->joints[i] = (syn_skeleton_joint){.name = s->names[i],
                                        .parent = s->parents[i] == SIZE_MAX ? NULL : s->names[s->parents[i]],
                                        .type = (syn_joint_type)type,
                                        .dof_count = counts[type],
                                        .dofs = s->dofs[i]};
    for (size_t k = 0; k < counts[type]; ++k) {
      snprintf(s->dof_names[i][k], sizeof s->dof_names[i][k], "d%zu.%zu", i, k);
      s->dofs[i][k] = random_dof(random, s->dof_names[i][k], k < 3 ? SYN_DOF_ROTATION : SYN_DOF_TRANSLATION);
    }
  }
  for (size_t i = 0; i < BODIES; ++i) {
    snprintf(s->body_names[i], sizeof s->body_names[i], "b%zu", i);
    s->body_joints[i] = random_below(random, JOINTS);
    s->bodies[i] = (syn_skeleton_body){
        .body = {.name = s->body_names[i]}, .joint = s->names[s->body_joints[i]], .place = random_pose(random, 50)};
  }
  s->description =
      (syn_skeleton_description){.joint_count = JOINTS, .body_count = BODIES, .joints = s->joints, .bodies = s->bodies};
}

static void frames_are_the_products_of_elementary_matrices(void **state) {
  (void)state;
  test_random random = {41};
  test_memory memory = {0};
  const syn_context context = test_context(&memory);
  for (int round = 0; round < 300; ++round) {
    random_skeleton s;
    fill_random(&random, &s);
    syn_error error;
    syn_skeleton *skeleton;
    ASSERT_OK(syn_skeleton_create(&context, &s.description, &skeleton, &error));
    double values[6 * JOINTS];
    for (size_t i = 0; i < skeleton->dof_count; ++i) values[i] = random_between(&random, -3, 4);
    syn_pose joints[JOINTS], bodies[BODIES];
    const size_t allocations = memory.allocations;
    syn_skeleton_pose(skeleton, values, joints, bodies);
    assert_int_equal(memory.allocations, allocations);
    matrix twins[JOINTS];
    size_t dof = 0;
    for (size_t i = 0; i < JOINTS; ++i) {
      twins[i] = s.parents[i] == SIZE_MAX ? shift_by(vec3(0, 0, 0)) : twins[s.parents[i]];
      for (size_t k = 0; k < s.joints[i].dof_count; ++k)
        twins[i] = multiply(twins[i], dof_twin(&s.dofs[i][k], values[dof++], (syn_range){-1.5, 2.5}));
      assert_same(&joints[i], twins[i]);
    }
    for (size_t i = 0; i < BODIES; ++i)
      assert_same(&bodies[i], multiply(twins[s.body_joints[i]], of_pose(&s.bodies[i].place)));
    syn_pose again[JOINTS];
    syn_skeleton_pose(skeleton, values, again, NULL);
    assert_memory_equal(again, joints, sizeof joints);
    syn_skeleton_destroy(skeleton);
  }
  assert_int_equal(memory.live, 0);
}

static void a_sliding_axis_runs_from_end_to_end_of_its_curve(void **state) {
  (void)state;
  syn_dof dof = hinge("knee", 0, 2);
  dof.slides = true;
  const syn_vec3 points[4] = {{1, 2, 3}, {4, -5, 6}, {-7, 8, 9}, {10, 11, -12}};
  memcpy(dof.slide, points, sizeof points);
  const syn_skeleton_joint joint = {.name = "j", .type = SYN_JOINT_UNIAXIAL, .dof_count = 1, .dofs = &dof};
  syn_skeleton *skeleton = make(&(syn_skeleton_description){.joint_count = 1, .joints = &joint});
  for (int i = -5; i <= 25; ++i) {
    const double value = i / 10.0;
    syn_pose pose;
    syn_skeleton_pose(skeleton, &value, &pose, NULL);
    const syn_vec3 twin = casteljau(points, fmin(fmax(value / 2, 0), 1));
    assert_true(vec3_distance(pose.translation, twin) < 1e-13);
    syn_vec3 point; /* the axis is told where it has slid to */
    syn_skeleton_axis(skeleton, 0, &value, &point, NULL);
    assert_true(vec3_distance(point, twin) < 1e-13);
    if (i <= 0) assert_true(vec3_equal(pose.translation, points[0]));
    if (i >= 20) assert_true(vec3_equal(pose.translation, points[3]));
  }
  syn_skeleton_destroy(skeleton);
}

/* Maciel 2005, §2.4.3: the parameter that moves the Dof is given to the curve, and it runs over the range in force. */
static void a_curve_follows_the_parameter_in_force(void **state) {
  (void)state;
  static const double at[] = {0, 1}, lower[] = {0, 0.5}, upper[] = {2, 1.5}, same[] = {0.2, 1.4};
  const syn_range_modifier narrowing = {.by = "by", .count = 2, .at = at, .lower = lower, .upper = upper},
                           leading = {.by = "by", .count = 2, .at = at, .lower = same, .upper = same};
  const syn_vec3 points[4] = {{1, 2, 3}, {4, -5, 6}, {-7, 8, 9}, {10, 11, -12}};
  syn_dof dofs[] = {hinge("by", 0, 1), hinge("narrowed", 0, 2), hinge("led", 0, 2)};
  for (int i = 1; i < 3; ++i) {
    dofs[i].slides = true;
    memcpy(dofs[i].slide, points, sizeof points);
    dofs[i].modifier_count = 1;
    dofs[i].modifiers = i == 1 ? &narrowing : &leading;
  }
  const syn_skeleton_joint joints[] = {
      {.name = "a", .type = SYN_JOINT_UNIAXIAL, .dof_count = 1, .dofs = &dofs[0]},
      {.name = "b", .type = SYN_JOINT_UNIAXIAL, .dof_count = 1, .dofs = &dofs[1]},
      {.name = "c", .type = SYN_JOINT_UNIAXIAL, .dof_count = 1, .dofs = &dofs[2]},
  };
  syn_skeleton *skeleton = make(&(syn_skeleton_description){.joint_count = 3, .joints = joints});
  for (int k = 0; k <= 10; ++k)
    for (int i = 0; i <= 10; ++i) {
      const double by = k / 10.0, low = by * 0.5, high = 2 - by * 0.5;
      const double values[] = {by, low + (high - low) * i / 10.0, 0.2 + 1.2 * by};
      syn_pose poses[3];
      syn_skeleton_pose(skeleton, values, poses, NULL);
      assert_true(vec3_distance(poses[1].translation, casteljau(points, i / 10.0)) < 1e-12);
      assert_same(&poses[1], dof_twin(&dofs[1], values[1], (syn_range){low, high}));
      /* a Dof that follows has no width of range: its curve runs with its own limits */
      assert_true(vec3_distance(poses[2].translation, casteljau(points, values[2] / 2)) < 1e-12);
    }
  syn_skeleton_destroy(skeleton);
}

/* The shoulder of Maciel's figure 2.15. */
static void the_normalised_parameter_runs_between_the_limits(void **state) {
  (void)state;
  const syn_dof dof = hinge("flexion", -120 * DEGREE, 35 * DEGREE);
  syn_skeleton *skeleton = make_planar(&dof, 1);
  double value = 0;
  assert_true(syn_skeleton_value(skeleton, 0, &value, 0) == -120 * DEGREE);
  ASSERT_NEAR(syn_skeleton_value(skeleton, 0, &value, 0.5) / DEGREE, -42.5, 1e-12);
  assert_true(syn_skeleton_value(skeleton, 0, &value, 1) == 35 * DEGREE);
  for (int i = 0; i <= 10; ++i) {
    value = syn_skeleton_value(skeleton, 0, &value, i / 10.0);
    ASSERT_NEAR(syn_skeleton_parameter(skeleton, 0, &value), i / 10.0, 1e-14);
  }
  syn_skeleton_destroy(skeleton);
}

static void comfort_and_limits_are_told_apart(void **state) {
  (void)state;
  syn_dof dof = hinge("a", -2, 3);
  dof.comfort_lower = -1, dof.comfort_upper = 2, dof.rest = 0.5;
  syn_skeleton *skeleton = make_planar(&dof, 1);
  static const struct {
    double value;
    syn_dof_state state;
  } cases[] = {{0, SYN_DOF_COMFORTABLE},      {-1, SYN_DOF_COMFORTABLE},    {2, SYN_DOF_COMFORTABLE},
               {-1.1, SYN_DOF_UNCOMFORTABLE}, {2.1, SYN_DOF_UNCOMFORTABLE}, {-2, SYN_DOF_UNCOMFORTABLE},
               {3, SYN_DOF_UNCOMFORTABLE},    {-2.1, SYN_DOF_BEYOND},       {3.1, SYN_DOF_BEYOND},
               {(double)NAN, SYN_DOF_BEYOND}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    assert_int_equal(syn_skeleton_state(skeleton, 0, &cases[i].value), cases[i].state);
  double value;
  syn_skeleton_rest(skeleton, &value);
  assert_true(value == 0.5);
  syn_skeleton_destroy(skeleton);
}

static void modifiers_narrow_the_range_along_their_curves(void **state) {
  (void)state;
  static const double at[] = {0, 1, 3}, lower[] = {-1, 0, -8}, upper[] = {2, 9, 0.5};
  const syn_range_modifier modifier = {.by = "a", .count = 3, .at = at, .lower = lower, .upper = upper};
  syn_dof dofs[2] = {hinge("a", -10, 10), hinge("b", -5, 5)};
  dofs[1].modifier_count = 1;
  dofs[1].modifiers = &modifier;
  syn_skeleton *skeleton = make_planar(dofs, 2);
  static const double cases[][3] = {{-7, -1, 2},   {0, -1, 2},   {0.5, -0.5, 5}, {1, 0, 5},
                                    {2, -4, 4.75}, {3, -5, 0.5}, {10, -5, 0.5}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    double values[2] = {cases[i][0], 0};
    const syn_range range = syn_skeleton_range(skeleton, 1, values);
    ASSERT_NEAR(range.lower, cases[i][1], 1e-15);
    ASSERT_NEAR(range.upper, cases[i][2], 1e-15);
    values[1] = -100;
    assert_int_equal(syn_skeleton_clamp(skeleton, values), 1);
    assert_true(values[1] == range.lower && values[0] == cases[i][0]);
    assert_true(syn_skeleton_parameter(skeleton, 1, values) == 0);
    values[1] = 100;
    assert_int_equal(syn_skeleton_state(skeleton, 1, values), SYN_DOF_BEYOND);
    assert_int_equal(syn_skeleton_clamp(skeleton, values), 1);
    assert_true(values[1] == range.upper);
    assert_true(syn_skeleton_parameter(skeleton, 1, values) == 1);
    assert_int_equal(syn_skeleton_clamp(skeleton, values), 0);
  }
  syn_skeleton_destroy(skeleton);
}

static void several_modifiers_add_up_and_a_contradiction_leaves_the_middle(void **state) {
  (void)state;
  static const double at[] = {0}, one[] = {1}, two[] = {2}, four[] = {4};
  const syn_range_modifier modifiers[] = {{.by = "a", .count = 1, .at = at, .lower = one},
                                          {.by = "b", .count = 1, .at = at, .lower = two},
                                          {.by = "b", .count = 1, .at = at, .upper = four}};
  const syn_range_modifier against[] = {{.by = "a", .count = 1, .at = at, .lower = four},
                                        {.by = "b", .count = 1, .at = at, .upper = one}};
  syn_dof dofs[4] = {hinge("a", -9, 9), hinge("b", -9, 9), hinge("c", -9, 9), hinge("d", -9, 9)};
  for (int i = 1; i < 4; ++i) dofs[i].kind = SYN_DOF_TRANSLATION;
  dofs[2].modifier_count = 3;
  dofs[2].modifiers = modifiers;
  dofs[3].modifier_count = 2;
  dofs[3].modifiers = against;
  syn_skeleton *skeleton = make_planar(dofs, 4);
  double values[4] = {0};
  const syn_range range = syn_skeleton_range(skeleton, 2, values), middle = syn_skeleton_range(skeleton, 3, values);
  assert_true(range.lower == 2 && range.upper == 4);
  assert_true(middle.lower == 2.5 && middle.upper == 2.5);
  assert_true(syn_skeleton_parameter(skeleton, 3, values) == 0);
  assert_int_equal(syn_skeleton_clamp(skeleton, values), 2);
  assert_true(values[2] == 2 && values[3] == 2.5);
  syn_skeleton_destroy(skeleton);
}

/* c follows b, which follows a; they are listed the other way round. */
static void chains_of_modifiers_are_clamped_from_their_beginning(void **state) {
  (void)state;
  static const double at[] = {-10, 10}, same[] = {-10, 10}, half[] = {-5, 5};
  const syn_range_modifier by_b = {.by = "b", .count = 2, .at = at, .lower = half, .upper = half},
                           by_a = {.by = "a", .count = 2, .at = at, .lower = same, .upper = same};
  syn_dof dofs[3] = {hinge("c", -10, 10), hinge("b", -10, 10), hinge("a", -8, 8)};
  dofs[0].modifier_count = dofs[1].modifier_count = 1;
  dofs[0].modifiers = &by_b;
  dofs[1].modifiers = &by_a;
  syn_skeleton *skeleton = make_planar(dofs, 3);
  double values[3] = {0, 0, 100};
  assert_int_equal(syn_skeleton_clamp(skeleton, values), 3);
  ASSERT_NEAR(values[2], 8, 0);
  ASSERT_NEAR(values[1], 8, 1e-14);
  ASSERT_NEAR(values[0], 4, 1e-14);
  syn_skeleton_destroy(skeleton);
}

/* ---- mistakes ---------------------------------------------------------------------------------------------------- */

/* Two joints of two Dofs and a body, then one thing spoilt. */
typedef struct scene {
  syn_dof dofs[4];
  syn_skeleton_joint joints[2];
  syn_skeleton_body bodies[2];
  syn_range_modifier modifier;
  syn_skeleton_description description;
} scene;

static const double scene_at[] = {0, 1}, scene_curve[] = {0, 1};

static void set_scene(scene *s) {
  static const char *const names[] = {"a", "b", "c", "d"};
  *s = (scene){0};
  for (int i = 0; i < 4; ++i) s->dofs[i] = hinge(names[i], -1, 1);
  s->modifier = (syn_range_modifier){.by = "a", .count = 2, .at = scene_at, .lower = scene_curve};
  s->dofs[3].modifier_count = 1;
  s->dofs[3].modifiers = &s->modifier;
  s->joints[0] = (syn_skeleton_joint){.name = "hip", .type = SYN_JOINT_BIAXIAL, .dof_count = 2, .dofs = s->dofs};
  s->joints[1] = (syn_skeleton_joint){
      .name = "knee", .parent = "hip", .type = SYN_JOINT_BIAXIAL, .dof_count = 2, .dofs = s->dofs + 2};
  for (int i = 0; i < 2; ++i)
    s->bodies[i] = (syn_skeleton_body){.body = {.name = names[i]}, .joint = "knee", .place = syn_pose_identity()};
  s->description =
      (syn_skeleton_description){.joint_count = 2, .body_count = 2, .joints = s->joints, .bodies = s->bodies};
}

static const double falling[] = {1, 0}, not_numbers[] = {0, (double)NAN};

static void no_joints(scene *s) { s->description.joint_count = 0; }
static void no_joint_name(scene *s) { s->joints[1].name = ""; }
static void double_joint(scene *s) { s->joints[1].name = "hip"; }
static void later_parent(scene *s) { s->joints[0].parent = "knee"; }
static void own_parent(scene *s) { s->joints[1].parent = "knee"; }
static void wrong_type(scene *s) { s->joints[1].type = SYN_JOINT_UNIAXIAL; }
static void translated(scene *s) { s->dofs[2].kind = SYN_DOF_TRANSLATION; }
static void too_many(scene *s) {
  s->joints[0].type = SYN_JOINT_PLANAR;
  s->joints[0].dof_count = 4;
}
static void no_dof_name(scene *s) { s->dofs[3].name = NULL; }
static void double_dof(scene *s) { s->dofs[3].name = "b"; }
static void limits_swapped(scene *s) { s->dofs[1].lower = 2; }
static void limits_infinite(scene *s) { s->dofs[1].upper = INFINITY; }
static void comfort_outside(scene *s) { s->dofs[1].comfort_upper = 2; }
static void rest_outside(scene *s) { s->dofs[1].rest = 2; }
static void long_axis(scene *s) { s->dofs[1].axis.x = 1; }
static void bad_place(scene *s) { s->dofs[1].place.rotation.row[0].x = -1; }
static void bad_slide(scene *s) {
  s->dofs[1].slides = true;
  s->dofs[1].slide[2].y = NAN;
}
static void unknown_by(scene *s) { s->modifier.by = "z"; }
static void no_points(scene *s) { s->modifier.count = 0; }
static void no_curve(scene *s) { s->modifier.lower = NULL; }
static void falling_at(scene *s) { s->modifier.at = falling; }
static void nan_curve(scene *s) { s->modifier.upper = not_numbers; }
static void circle(scene *s) {
  s->dofs[0].modifier_count = 1;
  s->dofs[0].modifiers = &s->modifier;
  s->modifier.by = "d";
}
static void no_body_name(scene *s) { s->bodies[1].body.name = NULL; }
static void double_body(scene *s) { s->bodies[1].body.name = "a"; }
static void unknown_joint(scene *s) { s->bodies[1].joint = "elbow"; }
static void bad_body_place(scene *s) { s->bodies[1].place.translation.x = NAN; }

static void every_mistake_is_named_with_its_place(void **state) {
  (void)state;
  static const struct {
    void (*spoil)(scene *s);
    const char *part;
  } cases[] = {
      {no_joints, "joints: a skeleton needs at least one"},
      {no_joint_name, "joints[1].name: may not be empty"},
      {double_joint, "joints[1].name: 'hip' is already the name of joints[0]"},
      {later_parent, "joints[0].parent: 'hip' is its own ancestor through 'knee'; a skeleton is a tree without cycles"},
      {own_parent, "joints[1].parent: 'knee' is its own ancestor through 'knee'"},
      {wrong_type, "joints[1].dofs: a uniaxial joint has 1 rotation and no translation"},
      {translated, "joints[1].dofs: a biaxial joint has 2 rotations and no"},
      {too_many, "joints[0].dofs: a planar joint has up to three"},
      {no_dof_name, "joints[1].dofs[1].name: may not be empty"},
      {double_dof, "joints[1].dofs[1].name: there is already a Dof named 'b'"},
      {limits_swapped, "joints[0].dofs[1].limits: the lower one of 'b' is above"},
      {limits_infinite, "joints[0].dofs[1].limits: the limits of 'b' must be finite"},
      {comfort_outside, "joints[0].dofs[1].comfort: the comfort limits of 'b'"},
      {rest_outside, "joints[0].dofs[1].rest: the rest position of 'b'"},
      {long_axis, "joints[0].dofs[1].axis: must be of length 1, not 1.414"},
      {bad_place, "joints[0].dofs[1].place: the frame of 'b' is not a rigid pose"},
      {bad_slide, "joints[0].dofs[1].slide[2]: must be three finite"},
      {unknown_by, "joints[1].dofs[1].modifiers[0].by: there is no Dof named 'z'"},
      {no_points, "joints[1].dofs[1].modifiers[0].at: needs at least one value"},
      {no_curve, "joints[1].dofs[1].modifiers[0]: needs a curve"},
      {falling_at, "joints[1].dofs[1].modifiers[0].at: the values must rise"},
      {nan_curve, "joints[1].dofs[1].modifiers[0]: all numbers must be finite"},
      {circle, "run in a circle"},
      {no_body_name, "bodies[1].name: may not be empty"},
      {double_body, "bodies[1].name: 'a' is already the name of bodies[0]"},
      {unknown_joint, "bodies[1].joint: there is no joint named 'elbow'"},
      {bad_body_place, "bodies[1].place: is not a rigid pose"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    scene s;
    set_scene(&s);
    cases[i].spoil(&s);
    test_memory memory = {0};
    const syn_context context = test_context(&memory);
    syn_error error = {0};
    syn_skeleton *skeleton;
    ASSERT_FAILS(syn_skeleton_create(&context, &s.description, &skeleton, &error), SYN_BAD_ARGUMENT, cases[i].part);
    assert_null(skeleton);
    assert_int_equal(memory.live, 0);
  }
}

static void names_are_found_and_the_description_may_go(void **state) {
  (void)state;
  scene s;
  set_scene(&s);
  syn_skeleton *skeleton = make(&s.description);
  memset(&s, 0xff, sizeof s);
  assert_int_equal(skeleton->dof_count, 4);
  assert_int_equal(skeleton_dof_named(skeleton, "d"), 3);
  assert_int_equal(skeleton_joint_named(skeleton, "knee"), 1);
  assert_string_equal(skeleton->description.bodies[1].body.name, "b");
  assert_int_equal(skeleton->body_joints[1], skeleton_joint_named(skeleton, skeleton->description.bodies[1].joint));
  assert_true(skeleton->joint_parents[0] == SIZE_MAX && skeleton->joint_parents[1] == 0);
  assert_true(skeleton_dof_named(skeleton, "hip") == SIZE_MAX);
  assert_true(skeleton_joint_named(skeleton, "a") == SIZE_MAX);
  assert_string_equal(skeleton->description.joints[1].parent, "hip");
  assert_string_equal(skeleton->dofs[3]->modifiers[0].by, "a");
  assert_true(skeleton->dofs[3]->modifiers[0].lower[1] == 1);
  assert_string_equal(skeleton->description.name, "");
  syn_skeleton_destroy(skeleton);
  syn_skeleton_destroy(NULL);
}

static syn_status attempt(const syn_context *context, void *user, syn_error *error) {
  syn_skeleton *skeleton;
  const syn_status status = syn_skeleton_create(context, user, &skeleton, error);
  if (status == SYN_OK) syn_skeleton_destroy(skeleton);
  return status;
}

static void every_refused_allocation_is_survived(void **state) {
  (void)state;
  scene s;
  set_scene(&s);
  /* names longer than a block of the arena, so that it needs several */
  static char long_name[200000];
  memset(long_name, 'x', sizeof long_name - 1);
  s.joints[1].name = s.bodies[0].joint = s.bodies[1].joint = long_name;
  check_every_allocation(attempt, &s.description);
}

/* A knee below a hip, and a wrist of another tree; 10 mm of thigh along x. */
static void dofs_are_found_with_their_joints_and_axes(void **state) {
  (void)state;
  const syn_dof bends[] = {hinge("swing", -1, 2), hinge("bend", 0, 2), hinge("turn", -1, 1)};
  const syn_pose thigh = {syn_pose_identity().rotation, {10, 0, 0}};
  const syn_skeleton_joint joints[] = {
      {.name = "hip", .type = SYN_JOINT_PLANAR, .dof_count = 1, .dofs = bends},
      {.name = "knee", .parent = "hip", .type = SYN_JOINT_PLANAR, .dof_count = 1, .dofs = bends + 1, .place = thigh},
      {.name = "wrist", .type = SYN_JOINT_PLANAR, .dof_count = 1, .dofs = bends + 2}};
  syn_skeleton *s = make(&(syn_skeleton_description){.joint_count = 3, .joints = joints});
  syn_error error;
  size_t dof = 99;
  ASSERT_OK(syn_skeleton_find_dof(s, "knee.bend", &dof, &error));
  assert_int_equal(dof, 1);
  ASSERT_OK(syn_skeleton_find_dof(s, "turn", &dof, &error));
  assert_int_equal(dof, 2);
  assert_int_equal(syn_skeleton_find_dof(s, "knee.bent", &dof, &error), SYN_BAD_ARGUMENT);
  for (size_t i = 0; i < 3; ++i) assert_int_equal(s->dof_joints[i], i);
  assert_true(syn_skeleton_joint_carries(s, 1, 1) && !syn_skeleton_joint_carries(s, 2, 0));
  assert_true(syn_skeleton_joint_carries(s, 0, 1) && !syn_skeleton_joint_carries(s, 1, 0));
  bool influenced[3] = {true, true, true}; /* no modifiers: nothing hangs together */
  assert_int_equal(syn_skeleton_influenced(s, 0, influenced), 0);
  for (size_t i = 0; i < 3; ++i) assert_false(influenced[i]);
  const double values[] = {SYN_PI / 2, 0, 0};
  syn_vec3 point, direction;
  syn_skeleton_axis(s, 1, values, &point, &direction);
  ASSERT_NEAR(vec3_distance(point, vec3(0, 10, 0)), 0, 1e-12);
  ASSERT_NEAR(vec3_distance(direction, vec3(0, 0, 1)), 0, 1e-12);
  ASSERT_OK(syn_skeleton_load(s, NULL, NULL, &error)); /* no body names a file */
  syn_skeleton_destroy(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(frames_are_the_products_of_elementary_matrices),
      cmocka_unit_test(a_sliding_axis_runs_from_end_to_end_of_its_curve),
      cmocka_unit_test(a_curve_follows_the_parameter_in_force),
      cmocka_unit_test(the_normalised_parameter_runs_between_the_limits),
      cmocka_unit_test(comfort_and_limits_are_told_apart),
      cmocka_unit_test(modifiers_narrow_the_range_along_their_curves),
      cmocka_unit_test(several_modifiers_add_up_and_a_contradiction_leaves_the_middle),
      cmocka_unit_test(chains_of_modifiers_are_clamped_from_their_beginning),
      cmocka_unit_test(every_mistake_is_named_with_its_place),
      cmocka_unit_test(names_are_found_and_the_description_may_go),
      cmocka_unit_test(dofs_are_found_with_their_joints_and_axes),
      cmocka_unit_test(every_refused_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
