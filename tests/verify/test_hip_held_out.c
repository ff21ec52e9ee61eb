/* Landmarks and axes of bones beside those that the finders were made with, against what is known of them: the left
 * half of a pelvis whose right half they were made with, cut femora of LibHip, whose tables say where each was cut and
 * which other tests measure; and bones of two bodies that nothing was made with. */
#include "base/vec.h"
#include "support.h"

static syn_trimesh *read_mesh(const char *path) {
  syn_trimesh *mesh;
  syn_error error;
  ASSERT_OK(syn_trimesh_read(NULL, path, NULL, &mesh, &error));
  return mesh;
}

static const syn_landmark of_pelvis[] = {SYN_LANDMARK_ASIS,           SYN_LANDMARK_PSIS,
                                         SYN_LANDMARK_PUBIC_TUBERCLE, SYN_LANDMARK_AIIS,
                                         SYN_LANDMARK_ISCHIAL_SPINE,  SYN_LANDMARK_ISCHIAL_TUBEROSITY};
enum { OF_PELVIS = sizeof of_pelvis / sizeof *of_pelvis };

static int count_found(const syn_anatomy *anatomy, const syn_landmark *wanted, int count) {
  int found = 0;
  for (int i = 0; i < count; ++i) found += anatomy->landmarks[wanted[i]].found == SYN_FOUND_MESH;
  return found;
}

/* Left and right of a body are much alike: so are the distances between their landmarks. */
static void the_left_half_of_a_pelvis_has_the_landmarks_of_the_right_one(void **state) {
  (void)state;
  static const char *const files[] = {"staple_NC/ICL_MRI/pelvis_r.ply", "staple_NC/ICL_MRI/pelvis_l.ply"};
  syn_anatomy *anatomy[2];
  syn_trimesh *mesh[2];
  for (int i = 0; i < 2; ++i) {
    REQUIRE_DATA(path, files[i]);
    syn_error error;
    mesh[i] = read_mesh(path);
    ASSERT_OK(syn_anatomy_create(NULL, mesh[i], NULL, NULL, &anatomy[i], &error));
    assert_int_equal(count_found(anatomy[i], of_pelvis, OF_PELVIS), OF_PELVIS);
    assert_int_equal(anatomy[i]->side, i ? SYN_SIDE_LEFT : SYN_SIDE_RIGHT);
  }
  ASSERT_NEAR(anatomy[1]->acetabulum.radius_mm, anatomy[0]->acetabulum.radius_mm, 1.5);
  for (int i = 0; i < OF_PELVIS; ++i) {
    double apart[2];
    for (int side = 0; side < 2; ++side)
      apart[side] = vec3_distance(anatomy[side]->landmarks[of_pelvis[i]].place, anatomy[side]->acetabulum.center);
    printf("%s: %.1f mm from the centre on the right, %.1f mm on the left\n", syn_landmark_name(of_pelvis[i]), apart[0],
           apart[1]);
    ASSERT_NEAR(apart[1], apart[0], 6);
  }
  for (int i = 0; i < 2; ++i) {
    syn_anatomy_destroy(anatomy[i]);
    syn_trimesh_destroy(mesh[i]);
  }
}

/* Another body, drawn with 900 vertices in units of its own (x to the left, y to the back, z up). */
static void a_coarse_half_of_another_pelvis_has_its_landmarks_where_they_belong(void **state) {
  (void)state;
  REQUIRE_DATA(path, "deformable/pelvis_f.obj");
  syn_read_options options = syn_default_read_options();
  options.scale = 100;
  syn_trimesh *mesh;
  syn_anatomy *anatomy;
  syn_error error;
  ASSERT_OK(syn_trimesh_read(NULL, path, &options, &mesh, &error));
  ASSERT_OK(syn_anatomy_create(NULL, mesh, NULL, NULL, &anatomy, &error));
  assert_int_equal(anatomy->side, SYN_SIDE_RIGHT);
  assert_int_equal(count_found(anatomy, of_pelvis, OF_PELVIS), OF_PELVIS);
  syn_vec3 at[OF_PELVIS];
  for (int i = 0; i < OF_PELVIS; ++i) at[i] = anatomy->landmarks[of_pelvis[i]].place;
  enum { ASIS, PSIS, TUBERCLE, AIIS, SPINE, TUBEROSITY };
  ASSERT_NEAR(vec3_distance(at[ASIS], at[PSIS]), 155, 20);
  assert_true(at[ASIS].y < at[PSIS].y - 100 && fabs(at[ASIS].y - at[TUBERCLE].y) < 20);
  assert_true(at[TUBERCLE].x > at[ASIS].x + 50); /* towards the middle */
  assert_true(at[AIIS].z < at[ASIS].z && at[AIIS].z > anatomy->acetabulum.center.z);
  assert_true(at[SPINE].z > at[TUBEROSITY].z + 30 && at[SPINE].y > at[AIIS].y); /* behind the socket */
  syn_anatomy_destroy(anatomy);
  syn_trimesh_destroy(mesh);
}

static void the_lower_end_of_a_femur_is_no_hip(void **state) {
  (void)state;
  REQUIRE_DATA(path, "knee/bones/lenhart2015-R-femur-bone.ply");
  syn_read_options options = syn_default_read_options();
  options.scale = 1000;
  syn_trimesh *mesh;
  syn_anatomy *anatomy;
  syn_error error;
  ASSERT_OK(syn_trimesh_read(NULL, path, &options, &mesh, &error));
  ASSERT_FAILS(syn_anatomy_create(NULL, NULL, mesh, NULL, &anatomy, &error), SYN_BAD_MESH, "upper end of a femur");
  syn_trimesh_destroy(mesh);
}

typedef struct libhip_case {
  const char *file;
  syn_side side;
  syn_vec3 distal_middle; /* of the section where the femur was cut, measured on the CT */
} libhip_case;

static const libhip_case libhip[] = {
    {"libhip/m3_lfemur_mm.ply", SYN_SIDE_LEFT, {122.788, -124.695, -972.300}},
    {"libhip/m3_rfemur_mm.ply", SYN_SIDE_RIGHT, {-109.618, -111.864, -972.300}},
    {"libhip/m4_lfemur_mm.ply", SYN_SIDE_LEFT, {113.854, 26.224, -504.512}},
    {"libhip/m4_rfemur_mm.ply", SYN_SIDE_RIGHT, {-153.944, 17.892, -504.512}},
};

static const syn_landmark of_cut_femur[] = {SYN_LANDMARK_HEAD_CENTER, SYN_LANDMARK_NECK_ISTHMUS,
                                            SYN_LANDMARK_GREATER_TROCHANTER, SYN_LANDMARK_LESSER_TROCHANTER};

static void the_shaft_of_cut_femora_leads_to_the_middle_of_the_cut(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof libhip / sizeof *libhip; ++i) {
    const libhip_case *c = &libhip[i];
    REQUIRE_DATA(path, c->file);
    syn_trimesh *mesh = read_mesh(path);
    syn_anatomy *anatomy;
    syn_error error;
    ASSERT_OK(syn_anatomy_create(NULL, NULL, mesh, NULL, &anatomy, &error));
    assert_int_equal(anatomy->side, c->side);
    assert_int_equal(count_found(anatomy, of_cut_femur, 4), 4);
    const syn_vec3 off = vec3_sub(c->distal_middle, anatomy->shaft_point);
    const double apart = vec3_length(vec3_cross(off, anatomy->shaft_axis));
    printf("%s: the shaft axis passes the middle of the cut by %.1f mm\n", c->file, apart);
    ASSERT_NEAR(apart, 0, 5);
    /* The greater trochanter lies outward of the head, the lesser one below the neck and behind. */
    const syn_vec3 head = anatomy->head.center, up = anatomy->shaft_axis;
    const syn_vec3 greater = anatomy->landmarks[SYN_LANDMARK_GREATER_TROCHANTER].place;
    const syn_vec3 lesser = anatomy->landmarks[SYN_LANDMARK_LESSER_TROCHANTER].place;
    assert_true(fabs(vec3_dot(vec3_sub(greater, head), up)) < anatomy->head.radius_mm);
    assert_true(vec3_dot(vec3_sub(lesser, head), up) < -1.5 * anatomy->head.radius_mm);
    assert_true((greater.x - head.x) * (c->side == SYN_SIDE_LEFT ? 1 : -1) > anatomy->head.radius_mm);
    assert_true(lesser.y > anatomy->shaft_point.y - 5);
    syn_anatomy_destroy(anatomy);
    syn_trimesh_destroy(mesh);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_left_half_of_a_pelvis_has_the_landmarks_of_the_right_one),
      cmocka_unit_test(a_coarse_half_of_another_pelvis_has_its_landmarks_where_they_belong),
      cmocka_unit_test(the_lower_end_of_a_femur_is_no_hip),
      cmocka_unit_test(the_shaft_of_cut_femora_leads_to_the_middle_of_the_cut),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
