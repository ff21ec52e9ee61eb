/* Finding the pelvis: landmarks against five raters, frames of halves against the whole, sides, cups without a head,
 * what the user gives, and what is not a pelvis at all. */
#include <synovia/clinic.h>

#include "base/vec.h"
#include "clinic/anatomy/pelvis.h"
#include "support.h"

static double degrees(double radians) { return radians * 180 / SYN_PI; }

static syn_trimesh *read_mesh(const char *path) {
  syn_error error;
  syn_trimesh *mesh;
  ASSERT_OK(syn_trimesh_read(NULL, path, NULL, &mesh, &error));
  return mesh;
}

static syn_anatomy find(const syn_context *context, const syn_trimesh *mesh, const syn_sphere_fit *head,
                        const syn_anatomy_options *options) {
  syn_error error;
  const syn_anatomy_options none = {0};
  syn_anatomy anatomy = {0};
  ASSERT_OK(syn_find_pelvis(context, mesh, options ? options : &none, head, &anatomy, &error));
  return anatomy;
}

static void release(const syn_context *context, syn_anatomy *anatomy) {
  syn_free(context, anatomy->lunate_vertices);
  anatomy->lunate_vertices = NULL;
}

/* ---- the raters ------------------------------------------------------------------------------------------------- */

typedef struct rated {
  syn_vec3 mean;
  double spread; /* root mean square distance from the mean */
} rated;

/* All points of the file whose line has this text; every line ends in ",x,y,z". */
static size_t rated_points(const char *path, const char *label, syn_vec3 *points, size_t capacity) {
  size_t size, count = 0;
  char *text = read_whole_file(path, &size);
  for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
    if (!strstr(line, label) || count == capacity) continue;
    char *at = line + strlen(line);
    for (int commas = 0; at > line && commas < 3;) commas += *--at == ',';
    syn_vec3 *p = &points[count];
    if (sscanf(at, ",%lf,%lf,%lf", &p->x, &p->y, &p->z) == 3) ++count;
  }
  free(text);
  return count;
}

static rated rate(const char *path, const char *label) {
  syn_vec3 points[64];
  const size_t count = rated_points(path, label, points, 64);
  assert_int_equal(count, 20);
  rated result = {{0, 0, 0}, 0};
  for (size_t i = 0; i < count; ++i) result.mean = vec3_madd(result.mean, 1.0 / (double)count, points[i]);
  for (size_t i = 0; i < count; ++i) result.spread += vec3_length2(vec3_sub(points[i], result.mean)) / (double)count;
  result.spread = sqrt(result.spread);
  return result;
}

static const struct {
  syn_landmark landmark;
  const char *label;
} rated_landmarks[] = {{SYN_LANDMARK_ASIS, "ASIS"},
                       {SYN_LANDMARK_PSIS, "PSIS"},
                       {SYN_LANDMARK_AIIS, "AIIS"},
                       {SYN_LANDMARK_PUBIC_TUBERCLE, "Pubic Tubercle (PT)"},
                       {SYN_LANDMARK_ISCHIAL_SPINE, "Ischial Spine (IS)"}};

static void check_against_raters(const char *csv, const syn_anatomy *anatomy, const char *side) {
  for (size_t i = 0; i < sizeof rated_landmarks / sizeof *rated_landmarks; ++i) {
    char label[64];
    snprintf(label, sizeof label, "%s %s", side, rated_landmarks[i].label);
    const rated raters = rate(csv, label);
    const syn_found_point *found = &anatomy->landmarks[rated_landmarks[i].landmark];
    assert_int_equal(found->found, SYN_FOUND_MESH);
    assert_true(found->confidence > 0.7 && found->confidence <= 1);
    const double distance = vec3_distance(found->place, raters.mean);
    print_message("%-28s %.2f mm from the raters' mean, spread %.2f\n", label, distance, raters.spread);
    assert_true(distance <= 2 * raters.spread);
  }
}

/* Least squares over |p|^2 = 2 p.c + k, by Gauss elimination. */
static syn_sphere_fit sphere_through(const syn_vec3 *points, size_t count) {
  double m[4][5] = {{0}};
  const syn_vec3 base = points[0];
  for (size_t i = 0; i < count; ++i) {
    const syn_vec3 p = vec3_sub(points[i], base);
    const double row[5] = {p.x, p.y, p.z, 1, vec3_length2(p)};
    for (int r = 0; r < 4; ++r)
      for (int c = 0; c < 5; ++c) m[r][c] += row[r] * row[c];
  }
  for (int k = 0; k < 4; ++k)
    for (int r = 0; r < 4; ++r) {
      const double factor = r == k ? 0 : m[r][k] / m[k][k];
      for (int c = 0; c < 5; ++c) m[r][c] -= factor * m[k][c];
    }
  const syn_vec3 c = vec3(m[0][4] / m[0][0] / 2, m[1][4] / m[1][1] / 2, m[2][4] / m[2][2] / 2);
  return (syn_sphere_fit){
      .center = vec3_add(base, c), .radius_mm = sqrt(m[3][4] / m[3][3] + vec3_length2(c)), .points = count};
}

static syn_sphere_fit left_head(const char *csv) {
  syn_vec3 points[128];
  const size_t count = rated_points(csv, "Femoral Head", points, 128);
  assert_int_equal(count, 120);
  return sphere_through(points, count);
}

static const syn_sphere_fit right_head = {.center = {-383.9038, 310.4713, -585.7273}, .radius_mm = 21};

static void landmarks_lie_within_the_spread_of_five_raters(void **state) {
  (void)state;
  REQUIRE_DATA(csv_name, "vsd_NC/z013/manual_landmarks.csv");
  char *csv = strdup(csv_name);
  const syn_sphere_fit heads[] = {right_head, left_head(csv)};
  static const char *const bones[] = {"vsd_NC/z013/Hip_R.ply", "vsd_NC/z013/Hip_L.ply"};
  for (int side = 0; side < 2; ++side) {
    REQUIRE_DATA(path, bones[side]);
    syn_trimesh *bone = read_mesh(path);
    for (int with_head = side; with_head < 2; ++with_head) {
      syn_anatomy anatomy = find(NULL, bone, with_head ? &heads[side] : NULL, NULL);
      assert_int_equal(anatomy.side, side ? SYN_SIDE_LEFT : SYN_SIDE_RIGHT);
      assert_true(anatomy.side_confidence > 0.8);
      assert_false(anatomy.pelvis_whole);
      assert_int_equal(anatomy.pelvis_frame, SYN_FRAME_PARTIAL);
      assert_int_equal(anatomy.landmarks[SYN_LANDMARK_ASIS_OTHER].found, SYN_FOUND_NOT);
      assert_true(vec3_distance(anatomy.acetabulum.center, heads[side].center) < 4);
      assert_true(anatomy.acetabulum.residual_mm < 0.6);
      check_against_raters(csv, &anatomy, side ? "Left" : "Right");
      release(NULL, &anatomy);
    }
    syn_trimesh_destroy(bone);
  }
  free(csv);
}

/* ---- frames ----------------------------------------------------------------------------------------------------- */

/* ISB from the means of the raters; axes of a right hip. */
static syn_hip_axes rated_axes(const char *csv) {
  const syn_vec3 ra = rate(csv, "Right ASIS").mean, la = rate(csv, "Left ASIS").mean;
  const syn_vec3 rp = rate(csv, "Right PSIS").mean, lp = rate(csv, "Left PSIS").mean;
  syn_side_frame frame;
  assert_true(syn_side_frame_make(vec3_sub(ra, la), vec3_add(ra, la), vec3_add(rp, lp), false, &frame));
  return syn_hip_axes_of(&frame, SYN_SIDE_RIGHT);
}

static double angle_between(syn_vec3 a, syn_vec3 b) {
  return degrees(atan2(vec3_length(vec3_cross(a, b)), vec3_dot(a, b)));
}

/* Axes of a left hip point the other way, but for flexion. */
static void check_axes(const syn_anatomy *anatomy, const syn_hip_axes *right, double tolerance) {
  const double sense = anatomy->side == SYN_SIDE_RIGHT ? 1 : -1;
  const syn_hip_axes *axes = &anatomy->pelvis_axes;
  const double off[3] = {angle_between(axes->flexion, right->flexion),
                         angle_between(vec3_scale(axes->adduction, sense), right->adduction),
                         angle_between(vec3_scale(axes->rotation, sense), right->rotation)};
  print_message("axes off by %.2f %.2f %.2f degrees\n", off[0], off[1], off[2]);
  for (int k = 0; k < 3; ++k) assert_true(off[k] < tolerance);
  ASSERT_NEAR(vec3_dot(vec3_cross(axes->flexion, axes->adduction), axes->rotation), 1, 1e-12);
}

static void half_a_pelvis_has_nearly_the_frame_of_the_whole(void **state) {
  (void)state;
  REQUIRE_DATA(csv_name, "vsd_NC/z013/manual_landmarks.csv");
  const syn_hip_axes axes = rated_axes(csv_name);
  static const char *const bones[] = {"vsd_NC/z013/Hip_R.ply", "vsd_NC/z013/Hip_L.ply"};
  for (int side = 0; side < 2; ++side) {
    REQUIRE_DATA(path, bones[side]);
    syn_trimesh *bone = read_mesh(path);
    syn_anatomy anatomy = find(NULL, bone, NULL, NULL);
    check_axes(&anatomy, &axes, 3.6);
    release(NULL, &anatomy);
    syn_trimesh_destroy(bone);
  }
}

static syn_trimesh *whole_pelvis(const char *const *names, int count) {
  syn_error error;
  const syn_trimesh *parts[3] = {NULL};
  for (int i = 0; i < count; ++i) {
    const char *path = data_path(names[i]);
    if (!path) SKIP("the data has no such pelvis");
    parts[i] = read_mesh(path);
  }
  syn_trimesh *merged;
  ASSERT_OK(syn_trimesh_merge(NULL, parts, (size_t)count, &merged, &error));
  for (int i = 0; i < count; ++i) syn_trimesh_destroy((syn_trimesh *)(uintptr_t)parts[i]);
  return merged;
}

static const char *const z013[] = {"vsd_NC/z013/Hip_L.ply", "vsd_NC/z013/Hip_R.ply", "vsd_NC/z013/Sacrum.ply"};

static void a_whole_pelvis_has_the_isb_frame_and_both_sides(void **state) {
  (void)state;
  REQUIRE_DATA(csv_name, "vsd_NC/z013/manual_landmarks.csv");
  char *csv = strdup(csv_name);
  const syn_hip_axes axes = rated_axes(csv);
  const syn_sphere_fit heads[] = {right_head, left_head(csv)};
  syn_trimesh *pelvis = whole_pelvis(z013, 3);
  for (int side = 0; side < 2; ++side) {
    syn_anatomy anatomy = find(NULL, pelvis, &heads[side], NULL);
    assert_true(anatomy.pelvis_whole);
    assert_int_equal(anatomy.side, side ? SYN_SIDE_LEFT : SYN_SIDE_RIGHT);
    assert_int_equal(anatomy.pelvis_frame, SYN_FRAME_ISB);
    check_axes(&anatomy, &axes, 1);
    check_against_raters(csv, &anatomy, side ? "Left" : "Right");
    const rated other = rate(csv, side ? "Right ASIS" : "Left ASIS");
    assert_true(vec3_distance(anatomy.landmarks[SYN_LANDMARK_ASIS_OTHER].place, other.mean) < 2 * other.spread);
    release(NULL, &anatomy);
  }
  syn_trimesh_destroy(pelvis);
  free(csv);
}

static void of_a_whole_pelvis_the_side_or_place_that_was_asked_for_is_taken(void **state) {
  (void)state;
  test_memory memory = {0};
  syn_context context = test_context(&memory);
  static const char *const icl[] = {"staple_NC/ICL_MRI/pelvis_r.ply", "staple_NC/ICL_MRI/pelvis_l.ply"};
  syn_trimesh *pelvis = whole_pelvis(icl, 2);
  syn_anatomy anatomy = find(&context, pelvis, NULL, NULL);
  assert_int_equal(anatomy.side, SYN_SIDE_RIGHT);
  assert_non_null(strstr(memory.all_warnings, "right one is taken"));
  const syn_vec3 right = anatomy.acetabulum.center;
  release(&context, &anatomy);
  memory.warnings = 0;
  const syn_side left = SYN_SIDE_LEFT;
  anatomy = find(&context, pelvis, NULL, &(syn_anatomy_options){.side = &left});
  assert_int_equal(anatomy.side, SYN_SIDE_LEFT);
  const syn_vec3 center = anatomy.acetabulum.center;
  assert_true(vec3_distance(center, right) > 150);
  release(&context, &anatomy);
  anatomy = find(&context, pelvis, NULL, &(syn_anatomy_options){.center = &center});
  assert_int_equal(anatomy.side, SYN_SIDE_LEFT);
  release(&context, &anatomy);
  assert_int_equal(memory.warnings, 0);
  assert_int_equal(memory.live, 0);
  syn_trimesh_destroy(pelvis);
}

static void given_landmarks_override_and_make_half_a_pelvis_isb(void **state) {
  (void)state;
  REQUIRE_DATA(csv_name, "vsd_NC/z013/manual_landmarks.csv");
  char *csv = strdup(csv_name);
  const syn_hip_axes axes = rated_axes(csv);
  syn_found_point given[SYN_LANDMARK_SLOTS] = {0};
  given[SYN_LANDMARK_ASIS] = (syn_found_point){SYN_FOUND_GIVEN, rate(csv, "Right ASIS").mean, 0};
  given[SYN_LANDMARK_PSIS] = (syn_found_point){SYN_FOUND_GIVEN, rate(csv, "Right PSIS").mean, 0};
  given[SYN_LANDMARK_ASIS_OTHER] = (syn_found_point){SYN_FOUND_GIVEN, rate(csv, "Left ASIS").mean, 0};
  given[SYN_LANDMARK_PSIS_OTHER] = (syn_found_point){SYN_FOUND_GIVEN, rate(csv, "Left PSIS").mean, 0};
  REQUIRE_DATA(path, "vsd_NC/z013/Hip_R.ply");
  syn_trimesh *bone = read_mesh(path);
  syn_anatomy anatomy = find(NULL, bone, NULL, &(syn_anatomy_options){.given = given});
  assert_int_equal(anatomy.pelvis_frame, SYN_FRAME_ISB);
  check_axes(&anatomy, &axes, 1e-6);
  assert_int_equal(anatomy.landmarks[SYN_LANDMARK_ASIS].found, SYN_FOUND_GIVEN);
  assert_true(vec3_equal(anatomy.landmarks[SYN_LANDMARK_ASIS].place, given[SYN_LANDMARK_ASIS].place));
  ASSERT_NEAR(anatomy.landmarks[SYN_LANDMARK_ASIS].confidence, 1, 0);
  assert_int_equal(anatomy.landmarks[SYN_LANDMARK_AIIS].found, SYN_FOUND_MESH);
  release(NULL, &anatomy);
  /* The other anterior spine alone gives the plane of symmetry, not the slope. */
  given[SYN_LANDMARK_PSIS_OTHER].found = SYN_FOUND_NOT;
  anatomy = find(NULL, bone, NULL, &(syn_anatomy_options){.given = given});
  assert_int_equal(anatomy.pelvis_frame, SYN_FRAME_PARTIAL);
  check_axes(&anatomy, &axes, 1);
  release(NULL, &anatomy);
  syn_trimesh_destroy(bone);
  free(csv);
}

/* ---- sides ------------------------------------------------------------------------------------------------------ */

static void the_side_is_told_by_the_shape_and_a_wrong_one_is_refused(void **state) {
  (void)state;
  REQUIRE_DATA(path, "staple_NC/ICL_MRI/pelvis_l.ply");
  syn_trimesh *left = read_mesh(path), *mirrored;
  syn_error error;
  ASSERT_OK(syn_trimesh_mirror(left, &mirrored, &error));
  syn_anatomy anatomy = find(NULL, left, NULL, NULL);
  assert_int_equal(anatomy.side, SYN_SIDE_LEFT);
  /* The cup of a left hip opens to the left, against the flexion axis: so a caller sees the pelvis' own opinion. */
  assert_true(vec3_dot(anatomy.rim_normal, anatomy.pelvis_axes.flexion) < -0.5);
  release(NULL, &anatomy);
  anatomy = find(NULL, mirrored, NULL, NULL);
  assert_int_equal(anatomy.side, SYN_SIDE_RIGHT);
  release(NULL, &anatomy);
  const syn_side right = SYN_SIDE_RIGHT;
  anatomy = (syn_anatomy){0};
  ASSERT_FAILS(syn_find_pelvis(NULL, left, &(syn_anatomy_options){.side = &right}, NULL, &anatomy, &error),
               SYN_BAD_MESH, "mirrored");
  assert_null(anatomy.lunate_vertices);
  /* A femur has spoken before: its word stays. */
  anatomy = (syn_anatomy){.side = SYN_SIDE_RIGHT, .side_confidence = 0.9};
  ASSERT_OK(syn_find_pelvis(NULL, left, &(syn_anatomy_options){0}, NULL, &anatomy, &error));
  assert_int_equal(anatomy.side, SYN_SIDE_RIGHT);
  assert_true(vec3_dot(anatomy.rim_normal, anatomy.pelvis_axes.flexion) < -0.5);
  release(NULL, &anatomy);
  syn_trimesh_destroy(left);
  syn_trimesh_destroy(mirrored);
}

/* ---- what is no pelvis ------------------------------------------------------------------------------------------ */

static syn_trimesh *scaled(const syn_trimesh *mesh, double factor) {
  syn_error error;
  syn_trimesh *result;
  syn_vec3 *points = malloc(mesh->vertex_count * sizeof *points);
  for (uint32_t i = 0; i < mesh->vertex_count; ++i) points[i] = vec3_scale(mesh->vertices[i], factor);
  ASSERT_OK(
      syn_trimesh_create(NULL, points, mesh->vertex_count, mesh->triangles, mesh->triangle_count, &result, &error));
  free(points);
  return result;
}

static void check_refused(const syn_trimesh *mesh, const syn_sphere_fit *head, const char *part) {
  syn_error error;
  syn_anatomy anatomy = {0};
  const syn_anatomy_options options = {0};
  ASSERT_FAILS(syn_find_pelvis(NULL, mesh, &options, head, &anatomy, &error), SYN_BAD_MESH, part);
  assert_null(anatomy.lunate_vertices);
}

static void what_is_no_pelvis_is_refused_in_plain_words(void **state) {
  (void)state;
  syn_error error;
  syn_trimesh *cube = make_cube(NULL, 100), *crumb = make_cube(NULL, 1), *house = make_cube(NULL, 9000), *empty;
  check_refused(cube, NULL, "no acetabulum");
  check_refused(crumb, NULL, "metres");
  check_refused(house, NULL, "larger than any pelvis");
  ASSERT_OK(syn_trimesh_create(NULL, NULL, 0, NULL, 0, &empty, &error));
  check_refused(empty, NULL, "no triangles");
  const syn_vec3 line[3] = {{0, 0, 0}, {50, 0, 0}, {100, 0, 0}};
  const syn_triangle flat = {{0, 1, 2}};
  syn_trimesh *needle;
  ASSERT_OK(syn_trimesh_create(NULL, line, 3, &flat, 1, &needle, &error));
  check_refused(needle, NULL, "degenerate");
  test_random random = {3};
  for (int i = 0; i < 3; ++i) {
    syn_trimesh *soup = make_soup(NULL, &random, 300, 600), *large = scaled(soup, 100);
    check_refused(large, NULL, "no acetabulum");
    syn_trimesh_destroy(soup);
    syn_trimesh_destroy(large);
  }
  syn_trimesh_destroy(cube);
  syn_trimesh_destroy(crumb);
  syn_trimesh_destroy(house);
  syn_trimesh_destroy(empty);
  syn_trimesh_destroy(needle);
}

static void other_bones_wrong_units_and_far_heads_are_refused(void **state) {
  (void)state;
  static const char *const others[] = {"vsd_NC/z013/Femur_R.ply", "bodyparts3d/sacrum_FMA16202.ply",
                                       "bodyparts3d/femur_R_FMA24474.ply", "bodyparts3d/humerus_R_FMA23130.ply"};
  for (size_t i = 0; i < sizeof others / sizeof *others; ++i) {
    REQUIRE_DATA(path, others[i]);
    syn_trimesh *bone = read_mesh(path);
    check_refused(bone, NULL, "no acetabulum");
    syn_trimesh_destroy(bone);
  }
  REQUIRE_DATA(path, "bodyparts3d/hip_bone_R_FMA16586.ply");
  syn_trimesh *bone = read_mesh(path), *metres = scaled(bone, 0.001);
  check_refused(metres, NULL, "metres");
  check_refused(bone, &(syn_sphere_fit){.center = {0, 0, 0}, .radius_mm = 23}, "not in an acetabulum");
  syn_trimesh_destroy(bone);
  syn_trimesh_destroy(metres);
}

/* ---- the acetabular bone alone ---------------------------------------------------------------------------------- */

static void an_acetabulum_alone_has_a_cup_but_no_landmarks(void **state) {
  (void)state;
  test_memory memory = {0};
  syn_context context = test_context(&memory);
  syn_error error;
  syn_joint *shape;
  const syn_shape_value values[] = {{"ce", 30}};
  ASSERT_OK(syn_shape_create(NULL, "hip", values, 1, &shape, &error));
  const syn_trimesh *bone = syn_joint_body_named(shape, "pelvis")->surface;
  syn_anatomy anatomy = find(&context, bone, NULL, NULL);
  assert_true(anatomy.has_rim);
  ASSERT_NEAR(anatomy.acetabulum.radius_mm, 27, 1e-6);
  assert_int_equal(anatomy.pelvis_frame, SYN_FRAME_BODY);
  for (int i = 0; i < SYN_LANDMARKS; ++i) assert_int_equal(anatomy.landmarks[i].found, SYN_FOUND_NOT);
  assert_non_null(strstr(memory.all_warnings, "landmarks"));
  assert_non_null(strstr(memory.all_warnings, "axes of the scan"));
  size_t lunate = 0;
  for (uint32_t i = 0; i < bone->vertex_count; ++i) {
    lunate += anatomy.lunate_vertices[i];
    if (anatomy.lunate_vertices[i]) ASSERT_NEAR(vec3_length(bone->vertices[i]), 27, 1e-3);
  }
  assert_int_equal(lunate, anatomy.acetabulum.points);
  release(&context, &anatomy);
  /* Four given spines make a frame of it. */
  syn_found_point given[SYN_LANDMARK_SLOTS] = {0};
  given[SYN_LANDMARK_ASIS] = (syn_found_point){SYN_FOUND_GIVEN, {30, 40, 80}, 1};
  given[SYN_LANDMARK_PSIS] = (syn_found_point){SYN_FOUND_GIVEN, {-40, -100, 80}, 1};
  given[SYN_LANDMARK_ASIS_OTHER] = (syn_found_point){SYN_FOUND_GIVEN, {-190, 40, 80}, 1};
  given[SYN_LANDMARK_PSIS_OTHER] = (syn_found_point){SYN_FOUND_GIVEN, {-120, -100, 80}, 1};
  const syn_side right = SYN_SIDE_RIGHT;
  anatomy = find(&context, bone, NULL, &(syn_anatomy_options){.given = given, .side = &right});
  assert_int_equal(anatomy.pelvis_frame, SYN_FRAME_ISB);
  check_axes(&anatomy, &(syn_hip_axes){{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, 1e-6);
  release(&context, &anatomy);
  assert_int_equal(memory.live, 0);
  syn_joint_destroy(shape);
}

/* ---- the notch -------------------------------------------------------------------------------------------------- */

/* Without the triangles near a point. */
static syn_trimesh *bitten(const syn_trimesh *mesh, syn_vec3 point, double radius) {
  syn_triangle *kept = malloc(mesh->triangle_count * sizeof *kept);
  size_t count = 0;
  syn_trimesh *result;
  syn_error error;
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    bool near = false;
    for (int k = 0; k < 3; ++k) near = near || vec3_distance(mesh->vertices[mesh->triangles[t].v[k]], point) < radius;
    if (!near) kept[count++] = mesh->triangles[t];
  }
  ASSERT_OK(syn_trimesh_create(NULL, mesh->vertices, mesh->vertex_count, kept, count, &result, &error));
  free(kept);
  return result;
}

/* A gap in the rim is the notch only where the notch is; elsewhere the wall is low there. */
static void the_notch_is_below_and_a_low_wall_elsewhere_is_the_rim(void **state) {
  (void)state;
  syn_error error;
  syn_joint *shape;
  const syn_shape_value values[] = {{"ce", 30}, {"resolution", 10}};
  ASSERT_OK(syn_shape_create(NULL, "hip", values, 2, &shape, &error));
  const syn_trimesh *bone = syn_joint_body_named(shape, "pelvis")->surface;
  const syn_hip_axes axes = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const syn_side right = SYN_SIDE_RIGHT;
  const syn_anatomy_options options = {.axes = &axes, .side = &right};
  syn_anatomy whole = {.pelvis_axes = axes, .pelvis_frame = SYN_FRAME_GIVEN};
  ASSERT_OK(syn_find_pelvis(NULL, bone, &options, NULL, &whole, &error));
  static const struct {
    int point; /* 72 round the clock */
    bool bridged;
  } bites[] = {{36, true}, {30, true}, {42, true}, {60, false}, {18, false}, {3, false}, {51, false}};
  for (size_t i = 0; i < sizeof bites / sizeof *bites; ++i) {
    const syn_vec3 rim = whole.rim[bites[i].point];
    syn_trimesh *mesh = bitten(bone, rim, 9);
    syn_anatomy anatomy = {.pelvis_axes = axes, .pelvis_frame = SYN_FRAME_GIVEN};
    ASSERT_OK(syn_find_pelvis(NULL, mesh, &options, NULL, &anatomy, &error));
    assert_true(anatomy.has_rim);
    const double off = vec3_distance(anatomy.rim[bites[i].point], rim);
    print_message("bite at %.1f h: the rim is %.2f mm from where it was\n", bites[i].point / 6.0, off);
    assert_true(bites[i].bridged ? off < 2.5 : off > 6);
    release(NULL, &anatomy);
    syn_trimesh_destroy(mesh);
  }
  release(NULL, &whole);
  syn_joint_destroy(shape);
}

/* ---- memory ----------------------------------------------------------------------------------------------------- */

static syn_status attempt(const syn_context *context, void *user, syn_error *error) {
  const syn_trimesh mesh = with_context(user, context);
  const syn_anatomy_options options = {0};
  syn_anatomy anatomy = {0};
  const syn_status status = syn_find_pelvis(context, &mesh, &options, NULL, &anatomy, error);
  syn_free(context, anatomy.lunate_vertices);
  return status;
}

static void every_refused_allocation_is_told_and_leaks_nothing(void **state) {
  (void)state;
  syn_error error;
  syn_joint *shape;
  const syn_shape_value values[] = {{"ce", 40}, {"resolution", 2}};
  ASSERT_OK(syn_shape_create(NULL, "hip", values, 2, &shape, &error));
  check_every_allocation(attempt, (void *)(uintptr_t)syn_joint_body_named(shape, "pelvis")->surface);
  syn_joint_destroy(shape);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(landmarks_lie_within_the_spread_of_five_raters),
      cmocka_unit_test(half_a_pelvis_has_nearly_the_frame_of_the_whole),
      cmocka_unit_test(a_whole_pelvis_has_the_isb_frame_and_both_sides),
      cmocka_unit_test(of_a_whole_pelvis_the_side_or_place_that_was_asked_for_is_taken),
      cmocka_unit_test(given_landmarks_override_and_make_half_a_pelvis_isb),
      cmocka_unit_test(the_side_is_told_by_the_shape_and_a_wrong_one_is_refused),
      cmocka_unit_test(what_is_no_pelvis_is_refused_in_plain_words),
      cmocka_unit_test(other_bones_wrong_units_and_far_heads_are_refused),
      cmocka_unit_test(an_acetabulum_alone_has_a_cup_but_no_landmarks),
      cmocka_unit_test(the_notch_is_below_and_a_low_wall_elsewhere_is_the_rim),
      cmocka_unit_test(every_refused_allocation_is_told_and_leaks_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
