/* What the user gives is checked: landmarks far from their bone, soft parts that are something else, and where
 * landmarks of a joint file came from. */
#include "base/vec.h"
#include "support.h"

/* The bodies of a parametric hip as files. */
static void write_shape(const char *name, const char *path) {
  syn_joint *shape;
  syn_error error;
  ASSERT_OK(syn_shape_create(NULL, "hip", NULL, 0, &shape, &error));
  const syn_geometry geometry = syn_trimesh_geometry(syn_joint_body_named(shape, name)->surface);
  ASSERT_OK(syn_geometry_write(NULL, &geometry, path, NULL, &error));
  syn_joint_destroy(shape);
}

static syn_status open_case(const syn_context *context, const syn_hip_input *input, syn_error *error) {
  syn_hip_case *hip_case;
  const syn_status status = syn_hip_case_create(context, input, &hip_case, error);
  if (status == SYN_OK) syn_hip_case_destroy(hip_case);
  return status;
}

static void soft_parts_that_are_something_else_are_refused(void **state) {
  (void)state;
  static const syn_hip_part soft[] = {SYN_HIP_LABRUM, SYN_HIP_ACETABULAR_CARTILAGE};
  static const char *const names[] = {"labrum", "acetabular_cartilage"};
  char pelvis[512], femur[512], own[512];
  snprintf(pelvis, sizeof pelvis, "%s", temporary_path("pelvis.ply"));
  snprintf(femur, sizeof femur, "%s", temporary_path("femur.ply"));
  write_shape("pelvis", pelvis);
  write_shape("femur", femur);
  syn_hip_input input = syn_default_hip_input();
  syn_error error;
  input.parts[SYN_HIP_PELVIS] = pelvis;
  input.parts[SYN_HIP_FEMUR] = femur;
  for (int i = 0; i < 2; ++i) {
    snprintf(own, sizeof own, "%s", temporary_path("soft.ply"));
    write_shape(names[i], own);
    input.parts[soft[i]] = own;
    ASSERT_OK(open_case(NULL, &input, &error));
    input.parts[soft[i]] = femur;
    ASSERT_FAILS(open_case(NULL, &input, &error), SYN_BAD_MESH, "is it another body");
    assert_non_null(strstr(error.message, names[i]));
    input.parts[soft[i]] = NULL;
  }
}

/* One vertex far away, or all of them too near to each other. The searches took most of a minute, and layers of
 * cartilage came out with NaN. */
static void magnitudes_that_cannot_be_computed_are_refused_first(void **state) {
  (void)state;
  static const struct {
    double scale, stray;
    const char *says;
  } odd[] = {{1, 1e300, "femur vertex 7"}, {1e150, 0, "femur vertex"}, {1e-150, 0, "the femur body is"}};
  syn_joint *shape;
  syn_error error;
  ASSERT_OK(syn_shape_create(NULL, "hip", NULL, 0, &shape, &error));
  const syn_trimesh *femur = syn_joint_body_named(shape, "femur")->surface;
  char pelvis[512], path[512];
  snprintf(pelvis, sizeof pelvis, "%s", temporary_path("pelvis.ply"));
  snprintf(path, sizeof path, "%s", temporary_path("odd.obj"));
  write_shape("pelvis", pelvis);
  syn_hip_input input = syn_default_hip_input();
  input.parts[SYN_HIP_PELVIS] = pelvis;
  input.parts[SYN_HIP_FEMUR] = path;
  syn_vec3 *places = malloc(femur->vertex_count * sizeof *places);
  for (size_t i = 0; i < sizeof odd / sizeof *odd; ++i) {
    for (uint32_t v = 0; v < femur->vertex_count; ++v) places[v] = vec3_scale(femur->vertices[v], odd[i].scale);
    if (odd[i].stray > 0) places[7].x = odd[i].stray;
    syn_geometry geometry = syn_trimesh_geometry(femur);
    geometry.points = places;
    ASSERT_OK(syn_geometry_write(NULL, &geometry, path, NULL, &error));
    ASSERT_FAILS(open_case(NULL, &input, &error), SYN_BAD_MESH, odd[i].says);
    assert_non_null(strstr(error.message, "cannot be computed"));
  }
  write_shape("femur", path);
  const syn_vec3 far_away = {1e300, 0, 0};
  input.center = &far_away;
  ASSERT_FAILS(open_case(NULL, &input, &error), SYN_BAD_ARGUMENT, "the centre has a coordinate");
  free(places);
  syn_joint_destroy(shape);
}

/* A vertex at 1e9 mm can be computed, and took minutes: no part of a hip is as large. Soft parts are checked, too. */
static void parts_larger_than_a_person_are_refused(void **state) {
  (void)state;
  static const struct {
    syn_hip_part part;
    const char *name;
  } parts[] = {{SYN_HIP_PELVIS, "pelvis"}, {SYN_HIP_FEMUR, "femur"}, {SYN_HIP_LABRUM, "labrum"}};
  enum { PARTS = sizeof parts / sizeof *parts };
  char files[PARTS][512], path[512];
  syn_joint *shape;
  syn_error error;
  syn_hip_input input = syn_default_hip_input();
  for (int i = 0; i < PARTS; ++i) {
    snprintf(files[i], sizeof files[i], "%s", temporary_path(parts[i].name));
    strcat(files[i], ".ply");
    write_shape(parts[i].name, files[i]);
    input.parts[parts[i].part] = files[i];
  }
  snprintf(path, sizeof path, "%s", temporary_path("far.obj"));
  ASSERT_OK(syn_shape_create(NULL, "hip", NULL, 0, &shape, &error));
  for (int i = 0; i < PARTS; ++i) {
    const syn_trimesh *mesh = syn_joint_body_named(shape, parts[i].name)->surface;
    syn_vec3 *places = malloc(mesh->vertex_count * sizeof *places);
    memcpy(places, mesh->vertices, mesh->vertex_count * sizeof *places);
    places[7].x = 1e9;
    syn_geometry geometry = syn_trimesh_geometry(mesh);
    geometry.points = places;
    ASSERT_OK(syn_geometry_write(NULL, &geometry, path, NULL, &error));
    input.parts[parts[i].part] = path;
    ASSERT_FAILS(open_case(NULL, &input, &error), SYN_BAD_MESH, "mm across, larger than any");
    assert_non_null(strstr(error.message, parts[i].name));
    input.parts[parts[i].part] = files[i];
    free(places);
  }
  syn_joint_destroy(shape);
}

/* ---- which way the triangles face --------------------------------------------------------------------------------
 */

static syn_trimesh *read_mesh(const char *path) {
  syn_trimesh *mesh;
  syn_error error;
  ASSERT_OK(syn_trimesh_read(NULL, path, NULL, &mesh, &error));
  return mesh;
}

static void write_reversed(const syn_trimesh *mesh, const char *path) {
  syn_error error;
  syn_trimesh *reversed;
  syn_triangle *triangles = malloc(mesh->triangle_count * sizeof *triangles);
  for (uint32_t t = 0; t < mesh->triangle_count; ++t) {
    const uint32_t *v = mesh->triangles[t].v;
    triangles[t] = (syn_triangle){{v[0], v[2], v[1]}};
  }
  ASSERT_OK(
      syn_trimesh_create(NULL, mesh->vertices, mesh->vertex_count, triangles, mesh->triangle_count, &reversed, &error));
  const syn_geometry geometry = syn_trimesh_geometry(reversed);
  ASSERT_OK(syn_geometry_write(NULL, &geometry, path, NULL, &error));
  syn_trimesh_destroy(reversed);
  free(triangles);
}

static void check_same_limits(const syn_hip_analysis *a, const syn_hip_analysis *b) {
  assert_true(a->limit_count > 0);
  assert_int_equal(a->limit_count, b->limit_count);
  for (size_t i = 0; i < a->limit_count; ++i) assert_true(a->limits[i].limit.followed == b->limits[i].limit.followed);
  for (int i = 0; i < SYN_HIP_PARTS; ++i) {
    const syn_trimesh *one = a->hip_case->hip.parts[i], *other = b->hip_case->hip.parts[i];
    assert_int_equal(!one, !other);
    if (!one) continue;
    assert_int_equal(one->triangle_count, other->triangle_count);
    assert_memory_equal(one->triangles, other->triangles, one->triangle_count * sizeof *one->triangles);
    assert_memory_equal(one->vertices, other->vertices, one->vertex_count * sizeof *one->vertices);
  }
}

/* A pelvis that faced inward had no acetabulum: the hip was refused, while a femur was answered. */
static void check_turned(const char *pelvis, const char *femur, uint32_t motions) {
  static const char *const told[] = {"the surface of the pelvis is inside out",
                                     "the surface of the femur is inside out"};
  const syn_motion *few[] = {syn_clinical_motion_named("flexion"), syn_clinical_motion_named("adduction")};
  char turned[2][512];
  syn_error error;
  syn_hip_analysis *right;
  syn_hip_input input = syn_default_hip_input();
  syn_hip_analysis_options options = syn_default_hip_analysis_options();
  options.parts = SYN_HIP_LIMITS;
  options.motions = few;
  options.motion_count = motions;
  for (int bone = 0; bone < 2; ++bone) {
    syn_trimesh *mesh = read_mesh(bone ? femur : pelvis);
    snprintf(turned[bone], sizeof turned[bone], "%s", temporary_path(bone ? "inward_femur.ply" : "inward_pelvis.ply"));
    write_reversed(mesh, turned[bone]);
    syn_trimesh_destroy(mesh);
  }
  input.parts[SYN_HIP_PELVIS] = pelvis;
  input.parts[SYN_HIP_FEMUR] = femur;
  ASSERT_OK(syn_hip_analyse(NULL, &input, &options, &right, &error));
  for (int which = 1; which < 4; ++which) {
    test_memory memory = {0};
    const syn_context context = test_context(&memory);
    syn_hip_analysis *again;
    input.parts[SYN_HIP_PELVIS] = which & 1 ? turned[0] : pelvis;
    input.parts[SYN_HIP_FEMUR] = which & 2 ? turned[1] : femur;
    ASSERT_OK(syn_hip_analyse(&context, &input, &options, &again, &error));
    for (int bone = 0; bone < 2; ++bone)
      assert_int_equal(strstr(memory.all_warnings, told[bone]) != NULL, which >> bone & 1);
    check_same_limits(right, again);
    syn_hip_analysis_destroy(again);
  }
  syn_hip_analysis_destroy(right);
}

static void bones_that_face_inward_are_turned(void **state) {
  (void)state;
  char pelvis[512], femur[512];
  snprintf(pelvis, sizeof pelvis, "%s", temporary_path("pelvis.ply"));
  snprintf(femur, sizeof femur, "%s", temporary_path("femur.ply"));
  write_shape("pelvis", pelvis);
  write_shape("femur", femur);
  check_turned(pelvis, femur, 2);
}

static void real_bones_that_face_inward_are_turned(void **state) {
  (void)state;
  SLOW_UNDER_SANITIZERS();
  char pelvis[1024];
  REQUIRE_DATA(pelvis_path, "bodyparts3d/hip_bone_R_FMA16586.ply");
  snprintf(pelvis, sizeof pelvis, "%s", pelvis_path);
  REQUIRE_DATA(femur, "bodyparts3d/femur_R_FMA24474.ply");
  check_turned(pelvis, femur, 1);
}

/* ---- landmarks ----------------------------------------------------------------------------------------------------
 */

static void landmarks_far_from_their_bone_are_refused_or_warned_of(void **state) {
  (void)state;
  REQUIRE_DATA(pelvis_path, "bodyparts3d/hip_bone_R_FMA16586.ply");
  syn_trimesh *pelvis = read_mesh(pelvis_path);
  REQUIRE_DATA(femur_path, "bodyparts3d/femur_R_FMA24474.ply");
  syn_trimesh *femur = read_mesh(femur_path);
  static const struct {
    syn_landmark landmark;
    double off;          /* mm */
    const char *refused; /* NULL: accepted */
    const char *warned;
  } cases[] = {
      {SYN_LANDMARK_ASIS, 3000, "the landmark asis", NULL},
      {SYN_LANDMARK_LESSER_TROCHANTER, 3000, "the landmark lesser_trochanter", NULL},
      {SYN_LANDMARK_ASIS, 60, NULL, "the landmark asis lies"},
      {SYN_LANDMARK_MEDIAL_EPICONDYLE, 45, NULL, "the landmark medial_epicondyle lies"},
      {SYN_LANDMARK_ASIS, 6, NULL, NULL},
      {SYN_LANDMARK_LESSER_TROCHANTER, 6, NULL, NULL},
  };
  syn_anatomy *found;
  syn_error error;
  ASSERT_OK(syn_anatomy_create(NULL, pelvis, femur, NULL, &found, &error));
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    test_memory memory = {0};
    const syn_context context = test_context(&memory);
    syn_found_point given[SYN_LANDMARK_SLOTS] = {{0}};
    const syn_vec3 place = vec3_add(found->landmarks[cases[i].landmark].place, vec3(0, 0, cases[i].off));
    given[cases[i].landmark] = (syn_found_point){SYN_FOUND_GIVEN, place, 1};
    syn_anatomy_options options = syn_default_anatomy_options();
    options.given = given;
    syn_anatomy *anatomy;
    if (cases[i].refused) {
      ASSERT_FAILS(syn_anatomy_create(&context, pelvis, femur, &options, &anatomy, &error), SYN_BAD_MESH,
                   cases[i].refused);
      continue;
    }
    ASSERT_OK(syn_anatomy_create(&context, pelvis, femur, &options, &anatomy, &error));
    if (cases[i].warned)
      assert_non_null(strstr(memory.all_warnings, cases[i].warned));
    else
      assert_null(strstr(memory.all_warnings, "where the mesh shows it"));
    syn_anatomy_destroy(anatomy);
  }
  syn_anatomy_destroy(found);
  syn_trimesh_destroy(pelvis);
  syn_trimesh_destroy(femur);
}

/* From meshes to a joint file and back: found landmarks stay found, given ones given. */
static void a_joint_file_keeps_where_its_landmarks_came_from(void **state) {
  (void)state;
  char pelvis[1024], femur[1024], text[4096];
  REQUIRE_DATA(pelvis_path, "bodyparts3d/hip_bone_R_FMA16586.ply");
  snprintf(pelvis, sizeof pelvis, "%s", pelvis_path);
  REQUIRE_DATA(femur_path, "bodyparts3d/femur_R_FMA24474.ply");
  snprintf(femur, sizeof femur, "%s", femur_path);
  syn_trimesh *meshes[] = {read_mesh(pelvis), read_mesh(femur)};
  syn_anatomy *found;
  syn_error error;
  ASSERT_OK(syn_anatomy_create(NULL, meshes[0], meshes[1], NULL, &found, &error));
  const syn_found_point *asis = &found->landmarks[SYN_LANDMARK_ASIS], *psis = &found->landmarks[SYN_LANDMARK_PSIS];
  snprintf(
      text, sizeof text,
      "{\"synovia\":1,\"side\":\"right\",\"bodies\":["
      "{\"name\":\"pelvis\",\"mesh\":\"%s\",\"tissue\":\"bone\",\"moves\":false},"
      "{\"name\":\"femur\",\"mesh\":\"%s\",\"tissue\":\"bone\",\"moves\":true}],"
      "\"frame\":{\"landmarks\":{\"asis\":{\"place\":[%.17g,%.17g,%.17g],\"source\":\"mesh\",\"confidence\":0.625},"
      "\"psis\":[%.17g,%.17g,%.17g]}}}",
      pelvis, femur, asis->place.x, asis->place.y, asis->place.z, psis->place.x, psis->place.y, psis->place.z);
  const char *path = temporary_path("joint.json");
  write_text_file(path, text);
  syn_hip_input input = syn_default_hip_input();
  syn_hip_case *hip_case;
  input.joint = path;
  ASSERT_OK(syn_hip_case_create(NULL, &input, &hip_case, &error));
  const syn_found_point *landmarks = hip_case->anatomy->landmarks;
  assert_int_equal(landmarks[SYN_LANDMARK_ASIS].found, SYN_FOUND_MESH);
  assert_true(landmarks[SYN_LANDMARK_ASIS].confidence == 0.625);
  assert_true(vec3_equal(landmarks[SYN_LANDMARK_ASIS].place, asis->place));
  assert_int_equal(landmarks[SYN_LANDMARK_PSIS].found, SYN_FOUND_GIVEN);
  assert_true(landmarks[SYN_LANDMARK_PSIS].confidence == 1);
  syn_hip_case_destroy(hip_case);
  syn_anatomy_destroy(found);
  for (int i = 0; i < 2; ++i) syn_trimesh_destroy(meshes[i]);
}

/* The femur alone from a joint file with all that was found on it; the medial epicondyle may be given instead. */
static syn_hip_case *open_filed(const char *femur, const syn_anatomy *found, const syn_vec3 *given) {
  char text[8192];
  int used =
      snprintf(text, sizeof text,
               "{\"synovia\":1,\"kind\":\"hip\",\"side\":\"right\",\"bodies\":[{\"name\":\"femur\",\"mesh\":\"%s\","
               "\"tissue\":\"bone\",\"moves\":true}],\"frame\":{\"landmarks\":{",
               femur);
  const char *comma = "";
  for (int i = 0; i < SYN_LANDMARKS; ++i) {
    const syn_vec3 p = found->landmarks[i].place;
    if (found->landmarks[i].found == SYN_FOUND_NOT || (given && i == SYN_LANDMARK_MEDIAL_EPICONDYLE)) continue;
    used += snprintf(text + used, sizeof text - (size_t)used,
                     "%s\"%s\":{\"place\":[%.17g,%.17g,%.17g],\"source\":\"mesh\",\"confidence\":0.5}", comma,
                     syn_landmark_name((syn_landmark)i), p.x, p.y, p.z);
    comma = ",";
  }
  if (given)
    used += snprintf(text + used, sizeof text - (size_t)used, ",\"medial_epicondyle\":[%.17g,%.17g,%.17g]", given->x,
                     given->y, given->z);
  snprintf(text + used, sizeof text - (size_t)used, "}}}");
  syn_hip_input input = syn_default_hip_input();
  syn_hip_case *made;
  syn_error error;
  input.joint = temporary_path("femur.json");
  write_text_file(input.joint, text);
  ASSERT_OK(syn_hip_case_create(NULL, &input, &made, &error));
  return made;
}

/* Outermost points are where people mark an epicondyle, but noise moves them: the frame hangs on the middles, before
 * and after a joint file, and on an epicondyle only where somebody has placed it. */
static void the_frame_hangs_on_the_middles_of_epicondyles_that_were_found(void **state) {
  (void)state;
  REQUIRE_DATA(femur_path, "bodyparts3d/femur_R_FMA24474.ply");
  char femur[1024];
  snprintf(femur, sizeof femur, "%s", femur_path);
  syn_hip_input input = syn_default_hip_input();
  syn_hip_case *first;
  syn_error error;
  input.parts[SYN_HIP_FEMUR] = femur;
  ASSERT_OK(syn_hip_case_create(NULL, &input, &first, &error));
  const syn_anatomy *found = first->anatomy;
  const syn_vec3 tip = found->landmarks[SYN_LANDMARK_MEDIAL_EPICONDYLE].place,
                 middle = found->landmarks[SYN_LANDMARK_MEDIAL_EPICONDYLE_MIDDLE].place;
  assert_true(vec3_distance(tip, middle) > 0.1 && vec3_distance(tip, middle) < 8);
  syn_hip_case *again = open_filed(femur, found, NULL);
  assert_true(vec3_distance(again->anatomy->femur_axes.flexion, found->femur_axes.flexion) < 1e-12);
  assert_true(vec3_distance(again->anatomy->femur_axes.rotation, found->femur_axes.rotation) < 1e-12);
  assert_int_equal(again->anatomy->landmarks[SYN_LANDMARK_MEDIAL_EPICONDYLE].found, SYN_FOUND_MESH);
  syn_hip_case_destroy(again);
  const syn_vec3 placed = vec3_madd(middle, 10, found->femur_axes.adduction); /* to the front */
  again = open_filed(femur, found, &placed);
  assert_int_equal(again->anatomy->landmarks[SYN_LANDMARK_MEDIAL_EPICONDYLE].found, SYN_FOUND_GIVEN);
  assert_true(vec3_distance(again->anatomy->femur_axes.flexion, found->femur_axes.flexion) > 0.05);
  syn_hip_case_destroy(again);
  syn_hip_case_destroy(first);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_frame_hangs_on_the_middles_of_epicondyles_that_were_found),
      cmocka_unit_test(soft_parts_that_are_something_else_are_refused),
      cmocka_unit_test(magnitudes_that_cannot_be_computed_are_refused_first),
      cmocka_unit_test(bones_that_face_inward_are_turned),
      cmocka_unit_test(real_bones_that_face_inward_are_turned),
      cmocka_unit_test(parts_larger_than_a_person_are_refused),
      cmocka_unit_test(landmarks_far_from_their_bone_are_refused_or_warned_of),
      cmocka_unit_test(a_joint_file_keeps_where_its_landmarks_came_from),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
