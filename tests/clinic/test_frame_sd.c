// test: slow
/* The uncertainty that frames come with, against bones of which the better frame is known: halves of whole pelves, and
 * femora cut off above the knee. */
#include "base/vec.h"
#include "clinic/anatomy/anatomy.h"
#include "support.h"

static double degrees(double radians) { return radians * 180 / SYN_PI; }

static syn_trimesh *read_mesh(const char *path) {
  syn_error error;
  syn_trimesh *mesh;
  ASSERT_OK(syn_trimesh_read(NULL, path, NULL, &mesh, &error));
  return mesh;
}

static syn_anatomy *find(const syn_trimesh *pelvis, const syn_trimesh *femur, syn_side side) {
  syn_anatomy_options options = syn_default_anatomy_options();
  syn_anatomy *anatomy;
  syn_error error;
  options.side = &side;
  ASSERT_OK(syn_anatomy_create(NULL, pelvis, femur, &options, &anatomy, &error));
  return anatomy;
}

/* The small turn that brings `truth` to `found`, about the axes of `truth`. */
static syn_vec3 turn_between(const syn_hip_axes *found, const syn_hip_axes *truth) {
  const syn_vec3 turn = vec3_scale(
      vec3_add(vec3_add(vec3_cross(truth->flexion, found->flexion), vec3_cross(truth->adduction, found->adduction)),
               vec3_cross(truth->rotation, found->rotation)),
      0.5);
  return vec3(vec3_dot(turn, truth->flexion), vec3_dot(turn, truth->adduction), vec3_dot(turn, truth->rotation));
}

/* Squares of the turns over their deviations, summed per axis. */
typedef struct scatter {
  double sum[3];
  int count;
} scatter;

static void add_turn(scatter *s, const char *name, syn_vec3 turn, syn_vec3 sd) {
  print_message("%s: off by %.2f %.2f %.2f degrees, deviation %.1f %.1f %.1f\n", name, degrees(turn.x), degrees(turn.y),
                degrees(turn.z), degrees(sd.x), degrees(sd.y), degrees(sd.z));
  for (int k = 0; k < 3; ++k) {
    const double ratio = vec3_at(turn, k) / vec3_at(sd, k);
    assert_true(fabs(ratio) < 2.6);
    s->sum[k] += ratio * ratio;
  }
  ++s->count;
}

/* Neither far too small nor far too large. */
static void check_scatter(const scatter *s) {
  for (int k = 0; k < 3; ++k) {
    const double ratio = sqrt(s->sum[k] / s->count);
    print_message("axis %d: root mean square %.2f deviations\n", k, ratio);
    assert_true(ratio > 0.3 && ratio < 1.3);
  }
}

static const struct {
  const char *name, *halves[2], *sacrum;
} pelves[] = {
    {"z013", {"vsd_NC/z013/Hip_R.ply", "vsd_NC/z013/Hip_L.ply"}, "vsd_NC/z013/Sacrum.ply"},
    {"ICL_MRI", {"staple_NC/ICL_MRI/pelvis_r.ply", "staple_NC/ICL_MRI/pelvis_l.ply"}, "staple_NC/ICL_MRI/sacrum.ply"},
    {"bodyparts3d",
     {"bodyparts3d/hip_bone_R_FMA16586.ply", "bodyparts3d/hip_bone_L_FMA16587.ply"},
     "bodyparts3d/sacrum_FMA16202.ply"},
};

static void halves_differ_from_the_whole_as_they_say(void **state) {
  (void)state;
  scatter s = {{0}, 0};
  for (size_t i = 0; i < sizeof pelves / sizeof *pelves; ++i) {
    syn_error error;
    syn_trimesh *parts[3], *whole;
    for (int k = 0; k < 3; ++k) {
      REQUIRE_DATA(path, k < 2 ? pelves[i].halves[k] : pelves[i].sacrum);
      parts[k] = read_mesh(path);
    }
    ASSERT_OK(syn_trimesh_merge(NULL, (const syn_trimesh *const *)parts, 3, &whole, &error));
    for (int side = 0; side < 2; ++side) {
      syn_anatomy *truth = find(whole, NULL, (syn_side)side), *half = find(parts[side], NULL, (syn_side)side);
      assert_int_equal(truth->pelvis_frame, SYN_FRAME_ISB);
      assert_int_equal(half->pelvis_frame, SYN_FRAME_PARTIAL);
      for (int k = 0; k < 3; ++k)
        assert_true(vec3_at(truth->pelvis_frame_sd, k) > 0 &&
                    vec3_at(half->pelvis_frame_sd, k) > vec3_at(truth->pelvis_frame_sd, k));
      add_turn(&s, pelves[i].name, turn_between(&half->pelvis_axes, &truth->pelvis_axes), half->pelvis_frame_sd);
      syn_anatomy_destroy(truth);
      syn_anatomy_destroy(half);
    }
    syn_trimesh_destroy(whole);
    for (int k = 0; k < 3; ++k) syn_trimesh_destroy(parts[k]);
  }
  check_scatter(&s);
}

/* What lies higher than so much of the length below the head. */
static syn_trimesh *cut_off(const syn_trimesh *femur, const syn_anatomy *anatomy, double share) {
  double length = 0;
  for (uint32_t v = 0; v < femur->vertex_count; ++v)
    length = max2(length, vec3_dot(vec3_sub(anatomy->head.center, femur->vertices[v]), anatomy->shaft_axis));
  syn_triangle *kept = malloc(femur->triangle_count * sizeof *kept);
  size_t count = 0;
  for (uint32_t t = 0; t < femur->triangle_count; ++t) {
    const syn_vec3 at = femur->vertices[femur->triangles[t].v[0]];
    if (vec3_dot(vec3_sub(anatomy->head.center, at), anatomy->shaft_axis) < share * length)
      kept[count++] = femur->triangles[t];
  }
  syn_trimesh *result;
  syn_error error;
  ASSERT_OK(syn_trimesh_create(NULL, femur->vertices, femur->vertex_count, kept, count, &result, &error));
  free(kept);
  return result;
}

static void cut_femora_differ_from_whole_ones_as_they_say(void **state) {
  (void)state;
  static const char *const femora[] = {"vsd_NC/z013/Femur_R.ply",          "vsd_NC/z013/Femur_L.ply",
                                       "staple_NC/ICL_MRI/femur_r.ply",    "bodyparts3d/femur_R_FMA24474.ply",
                                       "bodyparts3d/femur_L_FMA24475.ply", "staple_NC/JIA_MRI/femur_r.ply"};
  static const double shares[] = {0.4, 0.7, 0.85};
  scatter s = {{0}, 0};
  for (size_t i = 0; i < sizeof femora / sizeof *femora; ++i) {
    REQUIRE_DATA(path, femora[i]);
    syn_trimesh *femur = read_mesh(path);
    syn_error error;
    syn_anatomy *truth;
    ASSERT_OK(syn_anatomy_create(NULL, NULL, femur, NULL, &truth, &error));
    assert_int_equal(truth->femur_frame, SYN_FRAME_ISB);
    for (int k = 0; k < 3; ++k) {
      syn_trimesh *proximal = cut_off(femur, truth, shares[k]);
      syn_anatomy *cut = find(NULL, proximal, truth->side);
      /* Too little is left of some. */
      assert_true(cut->femur_frame == SYN_FRAME_PARTIAL || (k == 0 && cut->femur_frame == SYN_FRAME_BODY));
      assert_true(vec3_length(cut->femur_frame_sd) > vec3_length(truth->femur_frame_sd));
      const syn_vec3 turn = turn_between(&cut->femur_axes, &truth->femur_axes);
      if (cut->femur_frame == SYN_FRAME_PARTIAL) {
        add_turn(&s, femora[i], turn, cut->femur_frame_sd);
        /* Up to the torsion, which a cut femur does not show, it is the frame of the whole one. */
        assert_true(fabs(degrees(turn.x)) < 3 && fabs(degrees(turn.y)) < 3);
      }
      syn_anatomy_destroy(cut);
      syn_trimesh_destroy(proximal);
    }
    syn_anatomy_destroy(truth);
    syn_trimesh_destroy(femur);
  }
  check_scatter(&s);
}

/* The landmarks of a whole femur tell its flexion and adduction axis well, over the length of the bone, and its
 * rotation by the condyles alone. Those of a pelvis tell its tilt worst: the spines are the ends of a short line. */
static void raters_agree_least_about_the_short_ends_of_a_bone(void **state) {
  (void)state;
  const syn_vec3 femur = syn_femur_frame_sd(SYN_FRAME_ISB), pelvis = syn_pelvis_frame_sd(SYN_FRAME_ISB, true);
  assert_true(femur.z > 4 * femur.x && femur.z > 4 * femur.y);
  assert_true(pelvis.x > 2 * pelvis.y && pelvis.x > 2 * pelvis.z);
  /* A frame of fewer landmarks is never better about any axis. */
  const syn_vec3 cut = syn_femur_frame_sd(SYN_FRAME_PARTIAL), half = syn_pelvis_frame_sd(SYN_FRAME_PARTIAL, false);
  for (int k = 0; k < 3; ++k) assert_true(vec3_at(cut, k) > vec3_at(femur, k) && vec3_at(half, k) > vec3_at(pelvis, k));
}

static void given_axes_are_certain_and_those_of_a_scan_are_not(void **state) {
  (void)state;
  syn_joint *shape;
  syn_anatomy *anatomy;
  syn_error error;
  ASSERT_OK(syn_shape_create(NULL, "hip", NULL, 0, &shape, &error));
  const syn_trimesh *pelvis = syn_joint_body_named(shape, "pelvis")->surface;
  ASSERT_OK(syn_anatomy_create(NULL, pelvis, NULL, NULL, &anatomy, &error));
  assert_int_equal(anatomy->pelvis_frame, SYN_FRAME_BODY);
  assert_true(degrees(vec3_length(anatomy->pelvis_frame_sd)) > 10);
  /* The frame of a bone that is not there is the other one's. */
  assert_true(vec3_equal(anatomy->femur_frame_sd, anatomy->pelvis_frame_sd));
  syn_anatomy_destroy(anatomy);
  syn_anatomy_options options = syn_default_anatomy_options();
  options.axes = &shape->axes;
  ASSERT_OK(syn_anatomy_create(NULL, pelvis, NULL, &options, &anatomy, &error));
  assert_true(vec3_length(anatomy->pelvis_frame_sd) == 0);
  syn_anatomy_destroy(anatomy);
  syn_joint_destroy(shape);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(halves_differ_from_the_whole_as_they_say),
      cmocka_unit_test(cut_femora_differ_from_whole_ones_as_they_say),
      cmocka_unit_test(raters_agree_least_about_the_short_ends_of_a_bone),
      cmocka_unit_test(given_axes_are_certain_and_those_of_a_scan_are_not),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
