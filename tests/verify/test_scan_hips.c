/* What a label map costs: hips of people are voxelised on grids of random position, made into surfaces again, and
 * their motions and alpha compared with those of the meshes. docs/evidence/images.md has the table that this prints. */
#include "voxelise.h"

typedef struct person {
  const char *name, *pelvis, *femur;
  syn_side side;
} person;

static const person people[] = {
    {"z013 R", "vsd_NC/z013/Hip_R.ply", "vsd_NC/z013/Femur_R.ply", SYN_SIDE_RIGHT},
    {"z013 L", "vsd_NC/z013/Hip_L.ply", "vsd_NC/z013/Femur_L.ply", SYN_SIDE_LEFT},
    {"ICL R", "staple_NC/ICL_MRI/pelvis_r.ply", "staple_NC/ICL_MRI/femur_r.ply", SYN_SIDE_RIGHT},
    {"JIA R", "staple_NC/JIA_MRI/pelvis_no_sacrum.ply", "staple_NC/JIA_MRI/femur_r.ply", SYN_SIDE_RIGHT},
    {"JIA L", "staple_NC/JIA_MRI/pelvis_no_sacrum.ply", "staple_NC/JIA_MRI/femur_l.ply", SYN_SIDE_LEFT},
    {"BodyParts3D R", "bodyparts3d/hip_bone_R_FMA16586.ply", "bodyparts3d/femur_R_FMA24474.ply", SYN_SIDE_RIGHT},
    {"BodyParts3D L", "bodyparts3d/hip_bone_L_FMA16587.ply", "bodyparts3d/femur_L_FMA24475.ply", SYN_SIDE_LEFT},
};
enum { PEOPLE = sizeof people / sizeof *people, MOTIONS = 6 };

static const char *const motions[MOTIONS] = {
    "flexion", "extension", "abduction", "adduction", "internal_rotation_90", "external_rotation_90"};

/* Voxels, and the bar for the motions. */
static const struct { double voxel_mm, bar_deg; } sizes[] = {{0.8, 2}, {1.0, 3}, {1.5, 5}, {2.0, 8}};
enum { SIZES = sizeof sizes / sizeof *sizes };

typedef struct answers {
  double angle[MOTIONS], alpha, alpha_three, lcea;
} answers;

static double angle_of(const syn_hip_analysis *hip, const char *name) {
  for (size_t i = 0; i < hip->limit_count; ++i)
    if (strcmp(hip->limits[i].motion->name, name) == 0) {
      const syn_limit *limit = &hip->limits[i].limit;
      return (limit->state == SYN_LIMIT_NO_STOP ? limit->followed : limit->angle) * SYN_RADIAN;
    }
  fail_msg("there is no motion %s", name);
  return 0;
}

static answers analyse(const syn_trimesh *pelvis, const syn_trimesh *femur, bool is_smooth) {
  syn_error error;
  syn_hip_analysis *hip;
  syn_hip_input input = syn_default_hip_input();
  syn_hip_analysis_options options = syn_default_hip_analysis_options();
  input.meshes[SYN_HIP_PELVIS] = pelvis;
  input.meshes[SYN_HIP_FEMUR] = femur;
  input.is_smooth = is_smooth;
  options.parts = SYN_HIP_MEASURES | SYN_HIP_LIMITS;
  ASSERT_OK(syn_hip_analyse(NULL, &input, &options, &hip, &error));
  answers found;
  for (int i = 0; i < MOTIONS; ++i) found.angle[i] = angle_of(hip, motions[i]);
  found.alpha = hip->measures.value[SYN_MEASURE_ALPHA_DEG];
  found.alpha_three = hip->measures.value[SYN_MEASURE_ALPHA_3_DEG];
  found.lcea = hip->measures.value[SYN_MEASURE_LCEA_DEG];
  syn_hip_analysis_destroy(hip);
  return found;
}

static answers analyse_labels(const syn_trimesh *const bones[2], syn_side side, double voxel_mm, test_random *random) {
  static const char *const names[SYN_SIDES][2] = {{"hip_right", "femur_right"}, {"hip_left", "femur_left"}};
  syn_error error;
  const test_grid grid = random_grid(random, voxel_mm);
  syn_image *image = voxelise(bones, names[side], 2, &grid);
  syn_hip_scan *scan;
  ASSERT_OK(syn_hip_scan_create(image, NULL, &scan, &error));
  const answers found = analyse(scan->pelvis[side], scan->femur[side], true);
  syn_hip_scan_destroy(scan);
  syn_image_destroy(image);
  return found;
}

static void read_bones(const person *of, syn_trimesh *bones[2]) {
  syn_error error;
  const char *const files[2] = {of->pelvis, of->femur};
  for (int i = 0; i < 2; ++i) {
    REQUIRE_DATA(path, files[i]);
    ASSERT_OK(syn_trimesh_read(NULL, path, NULL, &bones[i], &error));
  }
}

/* One row of the table; returns the greatest change of a motion. */
static double compare(const person *of, double voxel_mm, const answers *truth, const answers *found) {
  double worst = 0;
  print_message("| %s | %.1f |", of->name, voxel_mm);
  for (int i = 0; i < MOTIONS; ++i) {
    print_message(" %+.1f |", found->angle[i] - truth->angle[i]);
    worst = fmax(worst, fabs(found->angle[i] - truth->angle[i]));
  }
  print_message(" %.1f | %+.1f | %+.1f | %+.1f |\n", worst, found->alpha - truth->alpha,
                found->alpha_three - truth->alpha_three, found->lcea - truth->lcea);
  return worst;
}

static void motions_of_voxelised_hips_are_those_of_the_meshes(void **state) {
  (void)state;
  const char *only = getenv("SCAN_HIP"), *seed = getenv("SCAN_SEED"), *size = getenv("SCAN_VOXEL");
  test_random random = {seed ? (uint64_t)atoi(seed) : 7};
  size_t beyond = 0, rows = 0;
  double worst = 0;
  for (size_t p = 0; p < PEOPLE; ++p) {
    if (only && strcmp(only, people[p].name) != 0) continue;
    syn_trimesh *bones[2];
    read_bones(&people[p], bones);
    const answers truth = analyse(bones[0], bones[1], false);
    for (size_t s = 0; s < SIZES; ++s) {
      if (size && fabs(atof(size) - sizes[s].voxel_mm) > 0.01) continue;
      const answers found =
          analyse_labels((const syn_trimesh *const *)bones, people[p].side, sizes[s].voxel_mm, &random);
      const double change = compare(&people[p], sizes[s].voxel_mm, &truth, &found);
      beyond += change > sizes[s].bar_deg;
      worst = fmax(worst, change / sizes[s].bar_deg);
      ++rows;
    }
    for (int i = 0; i < 2; ++i) syn_trimesh_destroy(bones[i]);
  }
  /* A motion that ends at the edge of a thin rim changes by more. */
  print_message("beyond the bars: %zu of %zu, by a factor of %.2f at most\n", beyond, rows, worst);
  assert_true(2 * beyond <= rows && worst < 2.5);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(motions_of_voxelised_hips_are_those_of_the_meshes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
