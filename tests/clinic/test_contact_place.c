// test: slow
/* Regions of the bones get the names that their landmarks have, wherever the scene lies. */
#include "base/vec.h"
#include "clinic/hip.h"
#include "support.h"

#include <synovia/clinic.h>

static const syn_vec3 nowhere = {(double)NAN, 0, 0};

static syn_hip_case *open_hip(const char *pelvis, const char *femur) {
  syn_hip_input input = syn_default_hip_input();
  syn_hip_case *made;
  syn_error error;
  input.parts[SYN_HIP_PELVIS] = pelvis;
  input.parts[SYN_HIP_FEMUR] = femur;
  ASSERT_OK(syn_hip_case_create(NULL, &input, &made, &error));
  return made;
}

static syn_contact_place place_of(const syn_hip_case *c, syn_vec3 femur, syn_vec3 pelvis) {
  return syn_contact_place_of(&c->hip, c->anatomy, femur, pelvis);
}

static const struct {
  const char *pelvis, *femur;
} people[] = {
    {"vsd_NC/z013/Hip_R.ply", "vsd_NC/z013/Femur_R.ply"},
    {"vsd_NC/z013/Hip_L.ply", "vsd_NC/z013/Femur_L.ply"},
    {"staple_NC/ICL_MRI/pelvis_r.ply", "staple_NC/ICL_MRI/femur_r.ply"},
};
enum { PEOPLE = sizeof people / sizeof *people };

static void landmarks_lie_in_their_own_regions(void **state) {
  (void)state;
  static const struct {
    syn_landmark landmark;
    syn_femur_region region;
  } of_femur[] = {{SYN_LANDMARK_GREATER_TROCHANTER, SYN_FEMUR_GREATER_TROCHANTER},
                  {SYN_LANDMARK_LESSER_TROCHANTER, SYN_FEMUR_LESSER_TROCHANTER},
                  {SYN_LANDMARK_MEDIAL_EPICONDYLE, SYN_FEMUR_CONDYLES},
                  {SYN_LANDMARK_LATERAL_EPICONDYLE, SYN_FEMUR_CONDYLES},
                  {SYN_LANDMARK_DISTAL_MEDIAL_CONDYLE, SYN_FEMUR_CONDYLES},
                  {SYN_LANDMARK_POSTERIOR_LATERAL_CONDYLE, SYN_FEMUR_CONDYLES}};
  static const struct {
    syn_landmark landmark;
    syn_pelvis_region region;
  } of_pelvis[] = {{SYN_LANDMARK_ASIS, SYN_PELVIS_ASIS},
                   {SYN_LANDMARK_AIIS, SYN_PELVIS_AIIS},
                   {SYN_LANDMARK_PSIS, SYN_PELVIS_SACRUM_SIDE},
                   {SYN_LANDMARK_PUBIC_TUBERCLE, SYN_PELVIS_PUBIS},
                   {SYN_LANDMARK_ISCHIAL_SPINE, SYN_PELVIS_ISCHIUM},
                   {SYN_LANDMARK_ISCHIAL_TUBEROSITY, SYN_PELVIS_ISCHIUM}};
  for (size_t k = 0; k < PEOPLE; ++k) {
    char pelvis[1024];
    REQUIRE_DATA(pelvis_path, people[k].pelvis);
    snprintf(pelvis, sizeof pelvis, "%s", pelvis_path);
    REQUIRE_DATA(femur, people[k].femur);
    syn_hip_case *c = open_hip(pelvis, femur);
    const syn_found_point *found = c->anatomy->landmarks;
    for (size_t i = 0; i < sizeof of_femur / sizeof *of_femur; ++i)
      if (found[of_femur[i].landmark].found)
        assert_string_equal(syn_femur_region_name(place_of(c, found[of_femur[i].landmark].place, nowhere).femur),
                            syn_femur_region_name(of_femur[i].region));
    for (size_t i = 0; i < sizeof of_pelvis / sizeof *of_pelvis; ++i)
      if (found[of_pelvis[i].landmark].found)
        assert_string_equal(syn_pelvis_region_name(place_of(c, nowhere, found[of_pelvis[i].landmark].place).pelvis),
                            syn_pelvis_region_name(of_pelvis[i].region));
    syn_hip_case_destroy(c);
  }
}

/* The rim is the rim all the way round, at its own hours; head, junction and neck follow each other along the neck. */
static void rim_and_neck_have_their_hours(void **state) {
  (void)state;
  for (size_t k = 0; k < PEOPLE; ++k) {
    char pelvis[1024];
    REQUIRE_DATA(pelvis_path, people[k].pelvis);
    snprintf(pelvis, sizeof pelvis, "%s", pelvis_path);
    REQUIRE_DATA(femur, people[k].femur);
    syn_hip_case *c = open_hip(pelvis, femur);
    const syn_anatomy *a = c->anatomy;
    for (int i = 0; i < SYN_RIM_POINTS; ++i) {
      const syn_contact_place p = place_of(c, nowhere, a->rim[i]);
      assert_int_equal(p.pelvis, SYN_PELVIS_RIM);
      assert_true(p.inside_joint);
      /* Hours are seen along the rim's normal, the points lie at equal angles about it. */
      const double off = fabs(p.pelvis_hour - 12.0 * i / SYN_RIM_POINTS);
      assert_true(fmin(off, 12 - off) < 0.75);
    }
    const syn_contact_place deep =
        place_of(c, nowhere, vec3_madd(a->acetabulum.center, -a->acetabulum.radius_mm, a->rim_normal));
    assert_int_equal(deep.pelvis, SYN_PELVIS_SOCKET);
    /* From the pole of the head down to the neck. */
    const syn_vec3 up = vec3_unit(vec3_madd(a->shaft_axis, -vec3_dot(a->shaft_axis, a->neck_axis), a->neck_axis));
    const double radius = a->head.radius_mm, isthmus = vec3_distance(a->head.center, a->neck_point);
    const syn_vec3 head = vec3_madd(a->head.center, radius, vec3_unit(vec3_add(a->neck_axis, up)));
    const syn_vec3 junction = vec3_madd(vec3_madd(a->head.center, -0.8 * radius, a->neck_axis), 0.8 * radius, up);
    const syn_vec3 neck = vec3_madd(vec3_madd(a->head.center, -isthmus - 1, a->neck_axis), 0.6 * radius, up);
    assert_int_equal(place_of(c, head, head).femur, SYN_FEMUR_HEAD);
    assert_int_equal(place_of(c, junction, head).femur, SYN_FEMUR_HEAD_NECK_JUNCTION);
    assert_int_equal(place_of(c, neck, head).femur, SYN_FEMUR_NECK);
    const double hour = place_of(c, junction, head).femur_hour;
    assert_true(fmin(hour, 12 - hour) < 1e-6);
    syn_hip_case_destroy(c);
  }
}

/* A cube of points about the joint keeps its names if hip and points are turned together. */
static void names_do_not_depend_on_the_scene(void **state) {
  (void)state;
  char pelvis[1024];
  REQUIRE_DATA(pelvis_path, people[0].pelvis);
  snprintf(pelvis, sizeof pelvis, "%s", pelvis_path);
  REQUIRE_DATA(femur, people[0].femur);
  syn_hip_case *c = open_hip(pelvis, femur);
  test_random random = {5};
  const syn_pose pose = random_pose(&random, 300);
  syn_hip hip = c->hip;
  syn_anatomy turned = *c->anatomy;
#define MOVE(point) ((point) = syn_pose_point(&pose, (point)))
#define TURN(vector) ((vector) = mat3_apply(&pose.rotation, (vector)))
  MOVE(hip.center), MOVE(turned.head.center), MOVE(turned.acetabulum.center), MOVE(turned.rim_center);
  MOVE(turned.neck_point), MOVE(turned.shaft_point);
  TURN(turned.neck_axis), TURN(turned.shaft_axis), TURN(turned.rim_normal);
  TURN(hip.pelvis_axes.flexion), TURN(hip.pelvis_axes.adduction), TURN(hip.pelvis_axes.rotation);
  TURN(turned.femur_axes.flexion), TURN(turned.femur_axes.adduction), TURN(turned.femur_axes.rotation);
  turned.pelvis_axes = hip.pelvis_axes;
  for (int i = 0; i < SYN_RIM_POINTS; ++i) MOVE(turned.rim[i]);
  for (int i = 0; i < SYN_LANDMARKS; ++i) MOVE(turned.landmarks[i].place);
  size_t seen_femur[SYN_FEMUR_REGIONS + 1] = {0}, seen_pelvis[SYN_PELVIS_REGIONS + 1] = {0};
  for (int i = 0; i < 20000; ++i) {
    const syn_trimesh *f = c->hip.parts[SYN_HIP_FEMUR], *p = c->hip.parts[SYN_HIP_PELVIS];
    const syn_vec3 on_femur = f->vertices[random_below(&random, f->vertex_count)],
                   on_pelvis = p->vertices[random_below(&random, p->vertex_count)];
    const syn_contact_place one = place_of(c, on_femur, on_pelvis),
                            two = syn_contact_place_of(&hip, &turned, syn_pose_point(&pose, on_femur),
                                                       syn_pose_point(&pose, on_pelvis));
    assert_int_equal(one.femur, two.femur);
    assert_int_equal(one.pelvis, two.pelvis);
    assert_int_equal(isnan(one.femur_hour), isnan(two.femur_hour));
    if (!isnan(one.femur_hour)) assert_true(fabs(sin((one.femur_hour - two.femur_hour) * SYN_PI / 12)) < 1e-6);
    ++seen_femur[one.femur];
    ++seen_pelvis[one.pelvis];
  }
  for (int i = 0; i < SYN_FEMUR_REGIONS; ++i) assert_true(seen_femur[i] > 0);
  for (int i = 0; i < SYN_PELVIS_REGIONS; ++i) assert_true(seen_pelvis[i] > 0);
  assert_int_equal(seen_femur[SYN_FEMUR_REGIONS] + seen_pelvis[SYN_PELVIS_REGIONS], 0);
  syn_hip_case_destroy(c);
}

static void words_say_what_is_known(void **state) {
  (void)state;
  char text[96];
  const syn_hip hip = {0};
  const syn_contact_place nothing = syn_contact_place_of(&hip, NULL, vec3(0, 0, 0), vec3(0, 0, 0));
  assert_string_equal(syn_contact_place_words(&nothing, text), "");
  assert_false(nothing.inside_joint);
  const syn_contact_place cam = {SYN_FEMUR_HEAD_NECK_JUNCTION, SYN_PELVIS_RIM, 1.5, 1.25, true};
  assert_string_equal(syn_contact_place_words(&cam, text), "head-neck junction (1:30) on the rim (1:15)");
  const syn_contact_place behind = {SYN_FEMUR_LESSER_TROCHANTER, SYN_PELVIS_ISCHIUM, (double)NAN, (double)NAN, false};
  assert_string_equal(syn_contact_place_words(&behind, text), "lesser trochanter on the ischium");
  const syn_contact_place half = {SYN_FEMUR_REGIONS, SYN_PELVIS_AIIS, (double)NAN, (double)NAN, false};
  assert_string_equal(syn_contact_place_words(&half, text), "on the AIIS");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(landmarks_lie_in_their_own_regions),
      cmocka_unit_test(rim_and_neck_have_their_hours),
      cmocka_unit_test(names_do_not_depend_on_the_scene),
      cmocka_unit_test(words_say_what_is_known),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
