/* Skeletons in use against twins: own products of matrices for the poses, boxes against boxes for contacts. */
#include "base/status.h"
#include "base/vec.h"
#include "matrix_twin.h"
#include "support.h"

#define DEGREE (SYN_PI / 180)

/* ---- the twin: boxes posed by 4x4 matrices ------------------------------------------------------------------------
 */

static syn_vec3 column(const matrix *m, int k) { return vec3(m->m[0][k], m->m[1][k], m->m[2][k]); }

/* A cube of side `size` about the origin, moved. */
typedef struct box {
  matrix at;
  double size;
} box;

static syn_vec3 corner(const box *b, int number) {
  const double h = b->size / 2;
  syn_vec3 p = column(&b->at, 3);
  for (int k = 0; k < 3; ++k) p = vec3_madd(p, number >> k & 1 ? h : -h, column(&b->at, k));
  return p;
}

/* Positive inside: the way to the nearest face; negative outside. */
static double depth_of(const box *b, syn_vec3 p) {
  const syn_vec3 from = vec3_sub(p, column(&b->at, 3));
  double inside = INFINITY, outside2 = 0;
  for (int k = 0; k < 3; ++k) {
    const double past = fabs(vec3_dot(from, column(&b->at, k))) - b->size / 2;
    inside = fmin(inside, -past);
    if (past > 0) outside2 += past * past;
  }
  return outside2 > 0 ? -sqrt(outside2) : inside;
}

/* The deepest corner of either in the other; apart, the nearest corner of the mobile one, as the method has it. */
static double deepest_corner(const box *fixed, const box *mobile) {
  double of_mobile = -INFINITY, of_fixed = -INFINITY;
  for (int i = 0; i < 8; ++i) {
    of_mobile = fmax(of_mobile, depth_of(fixed, corner(mobile, i)));
    of_fixed = fmax(of_fixed, depth_of(mobile, corner(fixed, i)));
  }
  return of_fixed > 0 ? fmax(of_mobile, of_fixed) : of_mobile;
}

/* From the corner that is so deep; the point lies there, or where the way out of the other body ends. */
static double distance_to_corner(const box *a, const box *b, double depth, syn_vec3 point) {
  double nearest = INFINITY;
  for (int i = 0; i < 8; ++i) {
    if (fabs(depth_of(a, corner(b, i)) - depth) < 1e-9) nearest = fmin(nearest, vec3_distance(corner(b, i), point));
    if (fabs(depth_of(b, corner(a, i)) - depth) < 1e-9) nearest = fmin(nearest, vec3_distance(corner(a, i), point));
  }
  return nearest;
}

/* How far the boxes are apart along the axis; negative where they overlap. */
static double gap_along(const box *a, const box *b, syn_vec3 axis) {
  const double length = vec3_length(axis);
  if (length < 1e-6) return -INFINITY;
  double gap = fabs(vec3_dot(axis, vec3_sub(column(&a->at, 3), column(&b->at, 3))));
  for (int k = 0; k < 3; ++k)
    gap -=
        fabs(vec3_dot(axis, column(&a->at, k))) * a->size / 2 + fabs(vec3_dot(axis, column(&b->at, k))) * b->size / 2;
  return gap / length;
}

/* The widest gap along fifteen axes: two boxes are apart if one of them parts them, and then at least by so much. */
static double gap_between(const box *a, const box *b) {
  double widest = -INFINITY;
  for (int i = 0; i < 3; ++i) {
    widest = fmax(widest, fmax(gap_along(a, b, column(&a->at, i)), gap_along(a, b, column(&b->at, i))));
    for (int k = 0; k < 3; ++k)
      widest = fmax(widest, gap_along(a, b, vec3_cross(column(&a->at, i), column(&b->at, k))));
  }
  return widest;
}

static bool boxes_meet(const box *a, const box *b) { return gap_between(a, b) <= 0; }

/* ---- an arm of three cubes and an object --------------------------------------------------------------------------
 * Level 1 turns about z at the origin, level 2 about x 30 mm along it, level 3 shifts along y. */

enum { BASE, UPPER, LOWER, TIP, BODIES };
static const char *const names[BODIES] = {"base", "upper", "lower", "tip"};
static const double sizes[BODIES] = {12, 11, 10, 9};

typedef struct arm {
  syn_trimesh *cubes[BODIES];
  syn_dof dofs[3];
  syn_skeleton_joint joints[4];
  syn_skeleton_body bodies[BODIES];
  syn_range_modifier modifier;
  syn_skeleton *skeleton;
} arm;

static syn_dof free_dof(const char *name, syn_dof_kind kind, syn_vec3 place, syn_vec3 axis, double lower,
                        double upper) {
  syn_dof dof = {
      .name = name, .kind = kind, .place = syn_pose_identity(), .axis = axis, .lower = lower, .upper = upper};
  dof.place.translation = place;
  dof.comfort_lower = lower;
  dof.comfort_upper = upper;
  return dof;
}

static syn_trimesh *middle_cube(double size) {
  syn_trimesh *corner_cube = make_cube(NULL, size), *cube;
  syn_vec3 vertices[8];
  syn_error error;
  for (int i = 0; i < 8; ++i) vertices[i] = vec3_sub(corner_cube->vertices[i], vec3(size / 2, size / 2, size / 2));
  ASSERT_OK(syn_trimesh_create(NULL, vertices, 8, corner_cube->triangles, corner_cube->triangle_count, &cube, &error));
  syn_trimesh_destroy(corner_cube);
  return cube;
}

static void make_arm(arm *a, bool coupled) {
  static const char *const joint_names[] = {"ground", "first", "second", "third"};
  static const double at[] = {-2, 2}, follows[] = {-4, 4};
  *a = (arm){0};
  a->dofs[0] = free_dof("yaw", SYN_DOF_ROTATION, vec3(0, 0, 0), vec3(0, 0, 1), -3, 3);
  a->dofs[1] = free_dof("pitch", SYN_DOF_ROTATION, vec3(30, 0, 0), vec3(1, 0, 0), -3, 3);
  a->dofs[2] = free_dof("reach", SYN_DOF_TRANSLATION, vec3(0, 8, 0), vec3(0, 1, 0), -40, 40);
  a->modifier = (syn_range_modifier){.by = "pitch", .count = 2, .at = at, .lower = follows, .upper = follows};
  if (coupled) a->dofs[2].modifier_count = 1;
  if (coupled) a->dofs[2].modifiers = &a->modifier;
  a->joints[0] = (syn_skeleton_joint){.name = "ground", .type = SYN_JOINT_FIXED};
  for (int i = 1; i < 4; ++i)
    a->joints[i] = (syn_skeleton_joint){.name = joint_names[i],
                                        .parent = joint_names[i - 1],
                                        .type = i == 3 ? SYN_JOINT_PLANAR : SYN_JOINT_UNIAXIAL,
                                        .dof_count = 1,
                                        .dofs = &a->dofs[i - 1]};
  for (int i = 0; i < BODIES; ++i) {
    a->cubes[i] = middle_cube(sizes[i]);
    a->bodies[i] = (syn_skeleton_body){
        .body = {.name = names[i], .surface = a->cubes[i]}, .joint = joint_names[i], .place = syn_pose_identity()};
  }
  a->bodies[BASE].place.translation = vec3(0, 30, 3);
  a->bodies[UPPER].place.translation = vec3(16, 0, 0);
  a->bodies[LOWER].place.translation = vec3(0, 0, 14);
  const syn_skeleton_description d = {.joint_count = 4, .body_count = BODIES, .joints = a->joints, .bodies = a->bodies};
  syn_error error;
  ASSERT_OK(syn_skeleton_create(NULL, &d, &a->skeleton, &error));
}

static void end_arm(arm *a) {
  syn_skeleton_destroy(a->skeleton);
  for (int i = 0; i < BODIES; ++i) syn_trimesh_destroy(a->cubes[i]);
}

static void twin_boxes(const double values[3], box boxes[BODIES]) {
  const matrix first = about_z(values[0]);
  const matrix second = multiply(multiply(first, shift(30, 0, 0)), about_x(values[1]));
  const matrix third = multiply(second, shift(0, 8 + values[2], 0));
  boxes[BASE] = (box){shift(0, 30, 3), sizes[BASE]};
  boxes[UPPER] = (box){multiply(first, shift(16, 0, 0)), sizes[UPPER]};
  boxes[LOWER] = (box){multiply(second, shift(0, 0, 14)), sizes[LOWER]};
  boxes[TIP] = (box){third, sizes[TIP]};
}

static syn_skeleton_analysis *analyse(const arm *a, const char *posture, const char *method) {
  syn_skeleton_analysis_options options = syn_default_skeleton_analysis_options();
  syn_skeleton_analysis *analysis;
  syn_error error;
  options.posture = posture;
  options.method = method;
  options.colliding.reach_mm = 1e3;
  ASSERT_OK(syn_skeleton_analysis_create(NULL, a->skeleton, &options, &analysis, &error));
  return analysis;
}

/* ---- contacts -----------------------------------------------------------------------------------------------------
 */

static void depths_are_those_of_boxes_posed_by_own_matrices(void **state) {
  (void)state;
  arm a;
  make_arm(&a, false);
  test_random random = {17};
  size_t deep = 0;
  for (int round = 0; round < repeats(150, 1); ++round) {
    const double values[3] = {random_between(&random, 0.5, 2.5), random_between(&random, -3, 3),
                              random_between(&random, -25, 15)};
    char posture[160];
    snprintf(posture, sizeof posture, "yaw=%.17g, second.pitch=%.17gdeg, reach=%.17gmm", values[0] / DEGREE,
             values[1] / DEGREE, values[2]);
    syn_skeleton_analysis *by_distance = analyse(&a, posture, "distance"), *by_obb = analyse(&a, posture, "obb");
    box boxes[BODIES];
    twin_boxes(values, boxes);
    assert_int_equal(by_distance->pair_count, 6);
    for (size_t i = 0; i < by_distance->pair_count; ++i) {
      const syn_skeleton_pair *p = &by_distance->pairs[i];
      const syn_skeleton_touch *t = &by_distance->touches[i];
      assert_true(p->fixed < p->mobile);
      const double twin = deepest_corner(&boxes[p->fixed], &boxes[p->mobile]);
      ASSERT_NEAR(t->depth_mm, twin, 1e-9);
      if (twin > 0) assert_true(t->touching && t->contact_count > 0);
      if (twin > 0) assert_true(distance_to_corner(&boxes[p->fixed], &boxes[p->mobile], twin, t->point) <= twin + 1e-9);
      deep += twin > 0;
      assert_int_equal(by_obb->touches[i].touching, boxes_meet(&boxes[p->fixed], &boxes[p->mobile]));
      assert_true(isnan(by_obb->touches[i].depth_mm) || isinf(by_obb->touches[i].depth_mm));
    }
    syn_skeleton_analysis_destroy(by_distance);
    syn_skeleton_analysis_destroy(by_obb);
  }
  print_message("%zu deep contacts\n", deep);
  assert_true(deep > (size_t)repeats(40, 1));
  end_arm(&a);
}

/* The mesh of a body where it is in the world. */
static syn_trimesh *in_world(const syn_trimesh *mesh, const matrix *m) {
  syn_trimesh *moved;
  syn_vec3 vertices[8];
  syn_error error;
  for (int i = 0; i < 8; ++i) {
    const syn_vec3 p = mesh->vertices[i];
    vertices[i] = column(m, 3);
    for (int k = 0; k < 3; ++k) vertices[i] = vec3_madd(vertices[i], vec3_at(p, k), column(m, k));
  }
  ASSERT_OK(syn_trimesh_create(NULL, vertices, 8, mesh->triangles, mesh->triangle_count, &moved, &error));
  return moved;
}

/* Each level is measured about its own axis: as two bodies in the world are, asked about that axis. */
static void each_level_is_measured_about_its_own_axis(void **state) {
  (void)state;
  arm a;
  make_arm(&a, false);
  test_random random = {19};
  size_t deep = 0;
  for (int round = 0; round < 40; ++round) {
    const double values[3] = {random_between(&random, 0.5, 2), random_between(&random, -2, 2),
                              random_between(&random, -15, 15)};
    char posture[160];
    snprintf(posture, sizeof posture, "yaw=%.17g,pitch=%.17g,reach=%.17g", values[0] / DEGREE, values[1] / DEGREE,
             values[2]);
    syn_skeleton_analysis *analysis = analyse(&a, posture, "cylindrical");
    box boxes[BODIES];
    twin_boxes(values, boxes);
    const matrix first = about_z(values[0]), second = multiply(first, shift(30, 0, 0));
    for (size_t i = 0; i < analysis->pair_count; ++i) {
      const syn_skeleton_pair *p = &analysis->pairs[i];
      assert_int_equal(p->level, p->mobile == UPPER ? 0 : 1); /* the tip shifts: the level above turns */
      syn_collide_options options = syn_default_collide_options();
      options.center = p->level ? column(&second, 3) : vec3(0, 0, 0);
      options.axis = p->level ? column(&first, 0) : vec3(0, 0, 1);
      syn_trimesh *fixed = in_world(a.cubes[p->fixed], &boxes[p->fixed].at),
                  *mobile = in_world(a.cubes[p->mobile], &boxes[p->mobile].at);
      double depth = -INFINITY;
      size_t count = 0;
      for (int role = 0; role < 2; ++role) {
        syn_collision *twin;
        syn_error error;
        ASSERT_OK(syn_collision_create(NULL, "cylindrical", &(syn_body){.surface = role ? mobile : fixed},
                                       &(syn_body){.surface = role ? fixed : mobile}, &options, NULL, 100, &twin,
                                       &error));
        depth = fmax(depth, twin->contacts.max_depth_mm);
        count += twin->contacts.count;
        syn_collision_destroy(twin);
      }
      const syn_skeleton_touch *t = &analysis->touches[i];
      if (isfinite(depth)) ASSERT_NEAR(t->depth_mm, depth, 1e-9);
      assert_int_equal(isfinite(t->depth_mm), isfinite(depth));
      assert_int_equal(t->contact_count, count);
      deep += depth > 0;
      syn_trimesh_destroy(fixed);
      syn_trimesh_destroy(mobile);
    }
    syn_skeleton_analysis_destroy(analysis);
  }
  assert_true(deep > 10);
  end_arm(&a);
}

/* A method that is not about a centre gives the same wherever that is. */
static void methods_without_a_centre_do_not_see_it(void **state) {
  (void)state;
  syn_trimesh *cube = middle_cube(10);
  const syn_body body = {.surface = cube};
  const syn_pose pose = syn_pose_about_axis(vec3(3, 4, 5), vec3(1, 2, 3), 0.7);
  size_t about = 0;
  for (size_t i = 0; i < syn_method_count(); ++i) {
    const syn_method_info info = syn_method_at(i);
    about += syn_method_is_about_center(info.name);
    if (info.needs_volume || syn_method_is_about_center(info.name)) continue;
    double depths[2];
    size_t counts[2];
    for (int k = 0; k < 2; ++k) {
      syn_collide_options options = syn_default_collide_options();
      syn_collision *collision;
      syn_error error;
      options.center = k ? vec3(0.3, 0.2, 0.1) : vec3(40, -50, 60);
      options.axis = k ? vec3(1, 0, 0) : vec3(0, 1, 0);
      ASSERT_OK(syn_collision_create(NULL, info.name, &body, &body, &options, &pose, 10, &collision, &error));
      depths[k] = collision->contacts.max_depth_mm;
      counts[k] = collision->contacts.count;
      syn_collision_destroy(collision);
    }
    assert_int_equal(counts[0], counts[1]);
    if (info.tells_depth) ASSERT_NEAR(depths[0], depths[1], 1e-12);
  }
  assert_int_equal(about, 5);
  assert_false(syn_method_is_about_center("magic"));
  syn_trimesh_destroy(cube);
}

static void pairs_are_those_of_the_file(void **state) {
  (void)state;
  arm a;
  make_arm(&a, false);
  static const syn_skeleton_contact contacts[] = {{"tip", "base"}, {"upper", "tip"}};
  syn_skeleton_description d = a.skeleton->description;
  syn_skeleton *few;
  syn_error error;
  d.contacts = contacts;
  d.contact_count = 2;
  ASSERT_OK(syn_skeleton_create(NULL, &d, &few, &error));
  syn_skeleton_analysis_options options = syn_default_skeleton_analysis_options();
  syn_skeleton_analysis *analysis;
  options.method = "obb";
  ASSERT_OK(syn_skeleton_analysis_create(NULL, few, &options, &analysis, &error));
  assert_int_equal(analysis->pair_count, 2);
  assert_int_equal(analysis->pairs[0].fixed, BASE);
  assert_int_equal(analysis->pairs[0].mobile, TIP);
  assert_int_equal(analysis->pairs[1].fixed, UPPER);
  syn_skeleton_analysis_destroy(analysis);
  syn_skeleton_destroy(few);
  end_arm(&a);
}

/* ---- ranges -------------------------------------------------------------------------------------------------------
 */

/* The narrowest gap of all pairs. */
static double least_gap(const double values[3], bool coupled) {
  const double all[3] = {values[0], values[1], coupled ? fmin(fmax(values[1], -2), 2) * 2 : values[2]};
  double least = INFINITY;
  box boxes[BODIES];
  twin_boxes(all, boxes);
  for (int i = 0; i < BODIES; ++i)
    for (int k = i + 1; k < BODIES; ++k) least = fmin(least, gap_between(&boxes[i], &boxes[k]));
  return least;
}

static bool free_of_contact(const double values[3], bool coupled) { return least_gap(values, coupled) > 0; }

/* Small steps, then halving. Where there is a gap, a step may be as long as nothing can cross it: no part of the arm is
 * 100 mm from an axis. */
static double twin_stop(const double start[3], int dof, double end, bool coupled) {
  const double least = dof == 2 ? 0.01 : 0.0005, speed = dof == 2 ? 1 : 100, way = end < start[dof] ? -1 : 1;
  double values[3] = {start[0], start[1], start[2]}, gap = least_gap(values, coupled);
  for (double step = fmax(least, gap / speed); fabs(end - values[dof]) > step; step = fmax(least, gap / speed)) {
    values[dof] += way * step;
    gap = least_gap(values, coupled);
    if (gap > 0) continue;
    double low = values[dof] - way * step, high = values[dof];
    for (int i = 0; i < 50; ++i) {
      values[dof] = (low + high) / 2;
      *(free_of_contact(values, coupled) ? &low : &high) = values[dof];
    }
    return low;
  }
  return end;
}

static void check_ranges(bool coupled) {
  arm a;
  make_arm(&a, coupled);
  static const char *const dofs[] = {"yaw", "first.yaw", "pitch", "reach"};
  static const int numbers[] = {0, 0, 1, 2};
  test_random random = {23};
  size_t stopped = 0;
  for (int round = 0; round < repeats(25, 1); ++round) {
    double values[3] = {random_between(&random, -3, 3), random_between(&random, -2, 2),
                        random_between(&random, -20, 20)};
    if (coupled) values[2] = 2 * values[1];
    if (!free_of_contact(values, coupled)) continue;
    char posture[160];
    snprintf(posture, sizeof posture, "yaw=%.17g,pitch=%.17g,reach=%.17g", values[0] / DEGREE, values[1] / DEGREE,
             values[2]);
    syn_skeleton_analysis_options options = syn_default_skeleton_analysis_options();
    syn_skeleton_analysis *analysis;
    syn_error error;
    options.posture = posture;
    options.ranges = dofs;
    options.range_count = coupled ? 3 : 4;
    ASSERT_OK(syn_skeleton_analysis_create(NULL, a.skeleton, &options, &analysis, &error));
    for (size_t i = 0; i < analysis->range_count; ++i) {
      const syn_skeleton_dof_range *r = &analysis->ranges[i];
      assert_int_equal(r->exact, numbers[i] == 0 || (numbers[i] == 1 && !coupled));
      assert_int_equal(r->overlap_count, 0);
      const double upper = twin_stop(values, numbers[i], r->in_force.upper, coupled),
                   lower = twin_stop(values, numbers[i], r->in_force.lower, coupled);
      ASSERT_NEAR(r->upper.value, upper, 1e-7);
      ASSERT_NEAR(r->lower.value, lower, 1e-7);
      assert_int_equal(r->upper.by_contact, upper < r->in_force.upper);
      stopped += r->upper.by_contact + r->lower.by_contact;
      if (r->upper.by_contact) assert_true(vec3_finite(r->upper.point));
    }
    syn_skeleton_analysis_destroy(analysis);
  }
  print_message("%zu ends by contact\n", stopped);
  assert_true(stopped > (size_t)repeats(5, 1));
  end_arm(&a);
}

static void ranges_end_where_boxes_first_meet(void **state) {
  (void)state;
  check_ranges(false);
}

static void ranges_that_take_others_along_end_there_too(void **state) {
  (void)state;
  check_ranges(true);
}

/* ---- postures -----------------------------------------------------------------------------------------------------
 */

static void values_are_set_by_name_and_unit(void **state) {
  (void)state;
  arm a;
  make_arm(&a, true);
  double values[3] = {0};
  syn_error error = {0};
  ASSERT_OK(syn_skeleton_set(a.skeleton, " yaw=90° , second.pitch=-45deg,third.reach=1.5mm", values, &error));
  ASSERT_NEAR(values[0], SYN_PI / 2, 1e-15);
  ASSERT_NEAR(values[1], -SYN_PI / 4, 1e-15);
  assert_true(values[2] == 1.5);
  /* per cent of the range in force: the Dof that influences comes first, wherever it stands */
  ASSERT_OK(syn_skeleton_set(a.skeleton, "reach=50%,yaw=25%,pitch=60", values, &error));
  ASSERT_NEAR(values[0], -1.5, 1e-15);
  ASSERT_NEAR(values[2], 2 * SYN_PI / 3, 1e-12);
  ASSERT_OK(syn_skeleton_set(a.skeleton, "", values, &error));
  static const char *const cases[][2] = {
      {"yow=1", "this skeleton has no Dof 'yow'. Did you mean 'yaw'?"},
      {"third.yaw=1", "this skeleton has no Dof 'third.yaw'"},
      {"yaw", "given as NAME=VALUE,…, such as yaw=10, not 'yaw'"},
      {"=4", "NAME=VALUE"},
      {"yaw=", "yaw= needs a number of degrees"},
      {"yaw=4mm", "yaw= needs a number of degrees, or per cent of its range, not '4mm'"},
      {"reach=4deg", "reach= needs a number of mm"},
      {"yaw=nan", "needs a number"},
      {"yaw=400", "yaw=400 is beyond its limits of -171.887 to 171.887 degrees"},
      {"reach=-41", "reach=-41 is beyond its limits of -40 to 40 mm"},
      {"reach=101%", "a part of the range is 0% to 100%"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    ASSERT_FAILS(syn_skeleton_set(a.skeleton, cases[i][0], values, &error), SYN_BAD_ARGUMENT, cases[i][1]);
  end_arm(&a);
}

static void a_recording_moves_the_dofs_that_it_names(void **state) {
  (void)state;
  arm a;
  make_arm(&a, true);
  const char *path = temporary_path("arm.csv");
  write_text_file(path, "time,yaw,pitch,other\n0.5,10,20,1\n0.75,30,-40,2\n1.5,200,100,3\n");
  syn_skeleton_analysis_options options = syn_default_skeleton_analysis_options();
  syn_skeleton_analysis *analysis;
  syn_error error = {0};
  options.recording = path;
  options.method = "obb";
  ASSERT_OK(syn_skeleton_analysis_create(NULL, a.skeleton, &options, &analysis, &error));
  assert_int_equal(analysis->posture_count, 3);
  assert_int_equal(analysis->column_count, 2);
  assert_true(analysis->times_s[1] == 0.75);
  ASSERT_NEAR(analysis->values[3], 30 * DEGREE, 1e-15);
  ASSERT_NEAR(analysis->values[6], 3, 1e-15); /* beyond its limit of 3 radians */
  assert_int_equal(analysis->clamped[0], 1);
  assert_int_equal(analysis->clamped[2], 3); /* it follows the pitch */
  size_t free_count = 0;
  for (size_t i = 0; i < 3; ++i) {
    double values[3] = {analysis->values[3 * i], analysis->values[3 * i + 1], 0};
    free_count += free_of_contact(values, true);
    box boxes[BODIES];
    values[2] = analysis->values[3 * i + 2];
    twin_boxes(values, boxes);
    for (int b = 0; b < BODIES; ++b)
      for (int r = 0; r < 3; ++r) {
        const syn_pose *pose = &analysis->bodies[i * BODIES + (size_t)b];
        ASSERT_NEAR(vec3_at(pose->translation, r), boxes[b].at.m[r][3], 1e-12);
        for (int c = 0; c < 3; ++c) ASSERT_NEAR(vec3_at(pose->rotation.row[r], c), boxes[b].at.m[r][c], 1e-12);
      }
  }
  assert_int_equal(analysis->free_count, free_count);
  for (size_t i = 0; i < analysis->posture_count; ++i) {
    const size_t deepest = analysis->deepest[i];
    const syn_skeleton_touch *touches = analysis->touches + i * analysis->pair_count;
    for (size_t k = 0; k < analysis->pair_count; ++k)
      if (touches[k].touching) assert_false(touches[k].depth_mm > touches[deepest].depth_mm);
    if (deepest != SIZE_MAX) assert_true(touches[deepest].touching);
  }
  syn_skeleton_analysis_destroy(analysis);
  options.unclamped = true;
  ASSERT_OK(syn_skeleton_analysis_create(NULL, a.skeleton, &options, &analysis, &error));
  ASSERT_NEAR(analysis->values[6], 200 * DEGREE, 1e-15);
  assert_int_equal(analysis->clamped[0], 0);
  syn_skeleton_analysis_destroy(analysis);
  write_text_file(path, "time,yaw\n0,1\n1,nan\n");
  ASSERT_FAILS(syn_skeleton_analysis_create(NULL, a.skeleton, &options, &analysis, &error), SYN_BAD_FORMAT,
               "row 2: yaw is not a number");
  write_text_file(path, "time,jaw\n0,1\n");
  ASSERT_FAILS(syn_skeleton_analysis_create(NULL, a.skeleton, &options, &analysis, &error), SYN_BAD_FORMAT,
               "no column has the name of a Dof of this skeleton, such as yaw");
  end_arm(&a);
}

/* ---- houses' rules ------------------------------------------------------------------------------------------------
 */

static void results_do_not_depend_on_the_number_of_threads(void **state) {
  (void)state;
  arm a;
  make_arm(&a, false);
  syn_skeleton_analysis *analyses[2];
  static const char *const dofs[] = {"yaw", "pitch", "reach"};
  for (int i = 0; i < 2; ++i) {
    static syn_context contexts[2];
    contexts[i] = syn_default_context();
    contexts[i].threads = i ? 5 : 1;
    syn_skeleton_analysis_options options = syn_default_skeleton_analysis_options();
    syn_error error;
    options.posture = "yaw=60,pitch=20";
    options.method = "cylindrical";
    options.ranges = dofs;
    options.range_count = 3;
    ASSERT_OK(syn_skeleton_analysis_create(&contexts[i], a.skeleton, &options, &analyses[i], &error));
  }
  for (size_t i = 0; i < analyses[0]->pair_count; ++i) {
    assert_memory_equal(&analyses[0]->touches[i].depth_mm, &analyses[1]->touches[i].depth_mm, sizeof(double));
    assert_int_equal(analyses[0]->touches[i].contact_count, analyses[1]->touches[i].contact_count);
  }
  for (size_t i = 0; i < 3; ++i)
    assert_memory_equal(&analyses[0]->ranges[i].upper.value, &analyses[1]->ranges[i].upper.value, sizeof(double));
  for (int i = 0; i < 2; ++i) syn_skeleton_analysis_destroy(analyses[i]);
  end_arm(&a);
}

static syn_status attempt(const syn_context *context, void *user, syn_error *error) {
  const arm *a = user;
  static const char *const dofs[] = {"yaw", "pitch"};
  syn_skeleton_analysis_options options = syn_default_skeleton_analysis_options();
  syn_skeleton_analysis *analysis;
  syn_skeleton *skeleton;
  SYN_TRY(syn_skeleton_create(context, &a->skeleton->description, &skeleton, error));
  options.posture = "yaw=60";
  options.method = "radial";
  options.ranges = dofs;
  options.range_count = 2;
  const syn_status status = syn_skeleton_analysis_create(context, skeleton, &options, &analysis, error);
  syn_skeleton_analysis_destroy(analysis);
  syn_skeleton_destroy(skeleton);
  return status;
}

static void every_refused_allocation_is_survived(void **state) {
  (void)state;
  arm a;
  make_arm(&a, true);
  check_every_allocation(attempt, &a);
  end_arm(&a);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(depths_are_those_of_boxes_posed_by_own_matrices),
      cmocka_unit_test(each_level_is_measured_about_its_own_axis),
      cmocka_unit_test(methods_without_a_centre_do_not_see_it),
      cmocka_unit_test(pairs_are_those_of_the_file),
      cmocka_unit_test(ranges_end_where_boxes_first_meet),
      cmocka_unit_test(ranges_that_take_others_along_end_there_too),
      cmocka_unit_test(values_are_set_by_name_and_unit),
      cmocka_unit_test(a_recording_moves_the_dofs_that_it_names),
      cmocka_unit_test(results_do_not_depend_on_the_number_of_threads),
      cmocka_unit_test(every_refused_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
