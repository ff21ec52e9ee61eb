// test: slow
/* Hips of people from nothing but their two meshes: the side is found, and the motions lie where published ones do. */
#include "support.h"

static const double degrees = 180 / 3.14159265358979323846;

/* In degrees; how far it was followed where nothing stops it, NAN without a free pose. */
static double angle_of(const syn_hip_analysis *hip, const char *name) {
  for (size_t i = 0; i < hip->limit_count; ++i)
    if (strcmp(hip->limits[i].motion->name, name) == 0) {
      const syn_limit *limit = &hip->limits[i].limit;
      return (limit->state == SYN_LIMIT_NO_STOP ? limit->followed : limit->angle) * degrees;
    }
  fail_msg("there is no motion %s", name);
  return 0;
}

/* Bones stop no motion before the capsule does (Arbabi 2009, §4.2.3, with cadavers of Genoud et al. 2000, whose numbers
 * are not in the text): the lower ends of the passive range of healthy hips (Wilson and Furukawa 2014). One woman's
 * adduction ends early on both sides. */
static void check_passive_range(const syn_hip_analysis *hip, bool adducts) {
  static const struct {
    const char *name;
    double least_deg;
  } passive[] = {{"flexion", 110},
                 {"extension", 10},
                 {"abduction", 30},
                 {"adduction", 20},
                 {"internal_rotation_90", 30},
                 {"external_rotation_90", 40}};
  for (size_t i = 0; i < sizeof passive / sizeof *passive; ++i) {
    const bool early = !adducts && strcmp(passive[i].name, "adduction") == 0;
    const double angle = angle_of(hip, passive[i].name);
    if (!(angle >= (early ? 10 : passive[i].least_deg))) fail_msg("%s ends at %g degrees", passive[i].name, angle);
  }
}

static void check_person(const char *pelvis, const char *femur, const char *side) {
  syn_error error;
  syn_hip_analysis *hip;
  syn_hip_input input = syn_default_hip_input();
  syn_hip_analysis_options options = syn_default_hip_analysis_options();
  input.parts[SYN_HIP_PELVIS] = pelvis;
  input.parts[SYN_HIP_FEMUR] = femur;
  options.parts = SYN_HIP_MEASURES | SYN_HIP_LIMITS;
  ASSERT_OK(syn_hip_analyse(NULL, &input, &options, &hip, &error));
  assert_string_equal(syn_side_name(hip->hip_case->hip.side), side);
  assert_true(hip->has_measures);
  /* Within two standard deviations of the published means. */
  ASSERT_NEAR(angle_of(hip, "flexion"), 121, 24);
  ASSERT_NEAR(angle_of(hip, "internal_rotation_90"), 35, 24);
  check_passive_range(hip, !strstr(pelvis, "z013"));
  syn_hip_analysis_destroy(hip);
}

static void real_hips_need_nothing_but_their_meshes(void **state) {
  (void)state;
  static const char *const people[][3] = {
      {"vsd_NC/z013/Hip_R.ply", "vsd_NC/z013/Femur_R.ply", "right"},
      {"vsd_NC/z013/Hip_L.ply", "vsd_NC/z013/Femur_L.ply", "left"},
      {"staple_NC/ICL_MRI/pelvis_r.ply", "staple_NC/ICL_MRI/femur_r.ply", "right"},
      {"bodyparts3d/hip_bone_R_FMA16586.ply", "bodyparts3d/femur_R_FMA24474.ply", "right"},
  };
  for (size_t i = 0; i < sizeof people / sizeof *people; ++i) {
    char pelvis[1024];
    REQUIRE_DATA(pelvis_path, people[i][0]);
    snprintf(pelvis, sizeof pelvis, "%s", pelvis_path);
    REQUIRE_DATA(femur, people[i][1]);
    check_person(pelvis, femur, people[i][2]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(real_hips_need_nothing_but_their_meshes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
