/* Contact that counts: answers that survive noise and overlap, and do not change where there is neither. */
#include "support.h"

#include "base/vec.h"

static const double degrees = 180 / 3.14159265358979323846;
enum { MOTIONS = 12, SEEDS = 20 };

typedef struct answer {
  syn_limit_state state[MOTIONS];
  double angle_deg[MOTIONS];
} answer;

static answer ask(const syn_hip *hip) {
  syn_error error;
  syn_rom *rom;
  syn_context quiet = syn_default_context();
  answer a;
  quiet.warn = NULL;
  assert_int_equal(SYN_CLINICAL_MOTIONS, MOTIONS);
  ASSERT_OK(syn_hip_rom_create(&quiet, hip, &rom, &error));
  void *scratch = malloc(syn_rom_scratch(rom));
  for (size_t i = 0; i < MOTIONS; ++i) {
    syn_limit limit;
    syn_rom_query(rom, &syn_clinical_motions[i], scratch, &limit);
    a.state[i] = limit.state;
    a.angle_deg[i] = limit.followed * degrees;
  }
  free(scratch);
  syn_rom_destroy(rom);
  return a;
}

/* No state changes, and no angle by more than `most`; returns the greatest change. */
static double check_same(const answer *a, const answer *b, double most, const char *what) {
  double worst = 0;
  for (size_t i = 0; i < MOTIONS; ++i) {
    const char *name = syn_clinical_motions[i].name;
    if (a->state[i] != b->state[i])
      fail_msg("%s: %s is '%s', then '%s'", what, name, syn_limit_state_name(a->state[i]),
               syn_limit_state_name(b->state[i]));
    if (a->state[i] != SYN_LIMIT_STOPPED) continue;
    const double change = fabs(a->angle_deg[i] - b->angle_deg[i]);
    if (!(change <= most)) fail_msg("%s: %s is %.2f, then %.2f", what, name, a->angle_deg[i], b->angle_deg[i]);
    worst = fmax(worst, change);
  }
  return worst;
}

/* ---- real hips, changed --------------------------------------------------------------------------------------------
 */

static double normal(test_random *random) {
  double sum = -6; /* of twelve uniform ones */
  for (int i = 0; i < 12; ++i) sum += random_between(random, 0, 1);
  return sum;
}

typedef syn_vec3 change(syn_vec3 place, syn_vec3 normal_there, double by, test_random *random);

static syn_vec3 add_noise(syn_vec3 place, syn_vec3 normal_there, double by, test_random *random) {
  (void)normal_there;
  const double x = normal(random), y = normal(random), z = normal(random);
  return vec3_madd(place, by, vec3(x, y, z));
}

static syn_vec3 dilate(syn_vec3 place, syn_vec3 normal_there, double by, test_random *random) {
  (void)random;
  return vec3_madd(place, by, normal_there);
}

static void write_changed(const char *from, const char *to, change *how, double by, uint64_t seed) {
  syn_error error;
  syn_trimesh *mesh, *changed;
  test_random random = {seed};
  ASSERT_OK(syn_trimesh_read(NULL, from, NULL, &mesh, &error));
  syn_vec3 *normals = malloc(mesh->vertex_count * sizeof *normals);
  syn_trimesh_vertex_normals(mesh, normals);
  for (uint32_t i = 0; i < mesh->vertex_count; ++i) normals[i] = how(mesh->vertices[i], normals[i], by, &random);
  ASSERT_OK(
      syn_trimesh_create(NULL, normals, mesh->vertex_count, mesh->triangles, mesh->triangle_count, &changed, &error));
  const syn_geometry geometry = syn_trimesh_geometry(changed);
  ASSERT_OK(syn_geometry_write(NULL, &geometry, to, NULL, &error));
  free(normals);
  syn_trimesh_destroy(mesh);
  syn_trimesh_destroy(changed);
}

static syn_hip_case *open_hip(const char *pelvis, const char *femur) {
  syn_error error;
  syn_hip_case *hip_case;
  syn_hip_input input = syn_default_hip_input();
  syn_context quiet = syn_default_context();
  static syn_context kept;
  quiet.warn = NULL;
  kept = quiet;
  input.parts[SYN_HIP_PELVIS] = pelvis;
  input.parts[SYN_HIP_FEMUR] = femur;
  ASSERT_OK(syn_hip_case_create(&kept, &input, &hip_case, &error));
  return hip_case;
}

/* Everything is found again on the changed bones: anatomy, frames, centre and joint surface. */
static answer ask_changed(const char *const bones[2], change *how, double by, uint64_t seed) {
  char files[2][512];
  for (int i = 0; i < 2; ++i) {
    snprintf(files[i], sizeof files[i], "%s", temporary_path(i ? "femur.ply" : "pelvis.ply"));
    write_changed(bones[i], files[i], how, by, seed * 2 + (uint64_t)i);
  }
  syn_hip_case *changed = open_hip(files[0], files[1]);
  const answer a = ask(&changed->hip);
  syn_hip_case_destroy(changed);
  return a;
}

static const char *const people[][2] = {
    {"vsd_NC/z013/Hip_R.ply", "vsd_NC/z013/Femur_R.ply"},
    {"vsd_NC/z013/Hip_L.ply", "vsd_NC/z013/Femur_L.ply"},
    {"bodyparts3d/hip_bone_R_FMA16586.ply", "bodyparts3d/femur_R_FMA24474.ply"},
    {"staple_NC/ICL_MRI/pelvis_r.ply", "staple_NC/ICL_MRI/femur_r.ply"}, /* for the centre */
};

static void find_bones(int person, char bones[2][1024]) {
  for (int i = 0; i < 2; ++i) {
    REQUIRE_DATA(path, people[person][i]);
    snprintf(bones[i], sizeof bones[i], "%s", path);
  }
}

static void check_noise(double noise, double most) {
  for (int p = 0; p < 3; ++p) {
    char bones[2][1024];
    find_bones(p, bones);
    const char *const files[2] = {bones[0], bones[1]};
    syn_hip_case *clean = open_hip(bones[0], bones[1]);
    const answer expected = ask(&clean->hip);
    double worst = 0;
    for (uint64_t seed = 1; seed <= SEEDS; ++seed) {
      const answer found = ask_changed(files, add_noise, noise, seed);
      worst = fmax(worst, check_same(&expected, &found, most, people[p][1]));
    }
    print_message("noise %.1f mm, %s: within %.2f degrees\n", noise, people[p][1], worst);
    syn_hip_case_destroy(clean);
  }
}

static void noise_of_a_tenth_moves_no_motion_by_two_degrees(void **state) {
  (void)state;
  check_noise(0.1, 2);
}

static void noise_of_three_tenths_moves_no_motion_by_five_degrees(void **state) {
  (void)state;
  check_noise(0.3, 5);
}

static void surfaces_dilated_into_each_other_keep_their_flexion(void **state) {
  (void)state;
  for (int p = 0; p < 2; ++p) {
    char bones[2][1024];
    find_bones(p, bones);
    const char *const files[2] = {bones[0], bones[1]};
    syn_hip_case *clean = open_hip(bones[0], bones[1]);
    const answer expected = ask(&clean->hip);
    for (int i = 1; i <= 4; ++i) {
      const answer found = ask_changed(files, dilate, 0.5 * i, 1);
      assert_int_equal(found.state[0], SYN_LIMIT_STOPPED);
      print_message("dilated by %.1f mm: flexion %.2f, was %.2f\n", 0.5 * i, found.angle_deg[0], expected.angle_deg[0]);
      if (i <= 2) ASSERT_NEAR(found.angle_deg[0], expected.angle_deg[0], 10);
    }
    syn_hip_case_destroy(clean);
  }
}

/* ---- parametric hips -----------------------------------------------------------------------------------------------
 */

static void cams_count_on_the_25_hips_as_if_everything_did(void **state) {
  (void)state;
  for (int ce = 0; ce <= 40; ce += 10)
    for (int alpha = 40; alpha <= 80; alpha += 10) {
      syn_error error;
      syn_joint *shape;
      const syn_shape_value values[] = {{"ce", ce}, {"alpha", alpha}};
      ASSERT_OK(syn_shape_create(NULL, "hip", values, 2, &shape, &error));
      const syn_hip hip = hip_of_shape(shape);
      for (int soft = 0; soft < 2; ++soft) {
        syn_hip one = soft ? hip : syn_hip_bones(&hip);
        const answer all = ask(&one);
        one.joint_ball = (syn_ball){hip.center, 25 + 1.5};
        const answer counted = ask(&one);
        check_same(&all, &counted, 1, soft ? "with soft parts" : "bones");
      }
      syn_joint_destroy(shape);
    }
}

/* ---- the centre ----------------------------------------------------------------------------------------------------
 */

/* Published: in four hips of cadavers the functional centre lay 3.1 +- 1.2 mm from the anatomical one, "resulting in
 * BROM differences of 1 to 13 degrees across four motions" (docs/evidence/hip.md has the source; BROM is the motion
 * until bones meet). Its other angles are means over its hips, each hip has one shift of a direction that is not told,
 * and the motions are not named. So what is compared is a mean: of each motion over directions and hips, and of flexion
 * in each hip, over all directions and over the six along the axes. No source bounds a single direction: the greatest
 * are printed. */
static const char *const shifted[] = {"flexion", "extension", "abduction", "external_rotation", "internal_rotation_90"};
enum { SHIFTED = 5, DIRECTIONS = 26, ALONG_AXES = 6 };

typedef struct changes {
  double sum, greatest, axes_sum; /* the last: of shifts along the axes */
  size_t count, axes_count;       /* directions in which the motion is stopped before and after */
  size_t within;                  /* that change it by 13 degrees at most */
} changes;

static void add_change(changes *of, const answer *expected, const answer *found, size_t motion, int along_axis) {
  if (expected->state[motion] != SYN_LIMIT_STOPPED || found->state[motion] != SYN_LIMIT_STOPPED) return;
  const double moved = fabs(found->angle_deg[motion] - expected->angle_deg[motion]);
  of->sum += moved;
  of->greatest = fmax(of->greatest, moved);
  of->within += moved <= 13;
  ++of->count;
  if (along_axis) {
    of->axes_sum += moved;
    ++of->axes_count;
  }
}

static size_t motion_named(const char *name) {
  size_t i = 0;
  while (strcmp(syn_clinical_motions[i].name, name) != 0) ++i;
  return i;
}

/* Of the centre, in the directions of the neighbours of a cell in a cube. */
static void shift_all_round(const syn_hip *hip, changes of[SHIFTED]) {
  const answer expected = ask(hip);
  const syn_vec3 axes[] = {hip->pelvis_axes.flexion, hip->pelvis_axes.adduction, hip->pelvis_axes.rotation};
  for (int d = 0; d < 27; ++d) {
    const int steps[] = {d % 3 - 1, d / 3 % 3 - 1, d / 9 - 1};
    const int along = abs(steps[0]) + abs(steps[1]) + abs(steps[2]);
    syn_vec3 way = {0, 0, 0};
    if (along == 0) continue;
    for (int k = 0; k < 3; ++k) way = vec3_madd(way, steps[k], axes[k]);
    syn_hip off = *hip;
    off.center = vec3_madd(off.center, 3, vec3_unit(way));
    const answer found = ask(&off);
    for (int m = 0; m < SHIFTED; ++m) add_change(&of[m], &expected, &found, motion_named(shifted[m]), along == 1);
  }
}

static void check_published(double mean, const char *who, const char *what) {
  print_message("%s, centre off by 3 mm: %s by %.2f degrees in the mean\n", who, what, mean);
  if (!(mean >= 1 && mean <= 13)) fail_msg("%s: %s moves by %.2f degrees, published are 1 to 13", who, what, mean);
}

static void a_centre_three_millimetres_off_moves_motions_in_the_mean_as_published(void **state) {
  (void)state;
  double means[SHIFTED] = {0};
  size_t hips[SHIFTED] = {0}, single = 0, within = 0;
  for (int p = 0; p < 4; ++p) {
    char bones[2][1024];
    find_bones(p, bones);
    syn_hip_case *clean = open_hip(bones[0], bones[1]);
    changes of[SHIFTED] = {{0}};
    shift_all_round(&clean->hip, of);
    syn_hip_case_destroy(clean);
    assert_int_equal(of[0].count, DIRECTIONS); /* flexion is always stopped */
    assert_int_equal(of[0].axes_count, ALONG_AXES);
    check_published(of[0].sum / DIRECTIONS, people[p][1], "flexion, all directions,");
    check_published(of[0].axes_sum / ALONG_AXES, people[p][1], "flexion, along the axes,");
    for (int m = 0; m < SHIFTED; ++m) {
      if (of[m].count == 0) { /* nothing stops it as it is */
        print_message("%s: %s has no stop\n", people[p][1], shifted[m]);
        continue;
      }
      print_message("%s: %s by %.2f degrees in the mean of %zu directions, %.1f at most\n", people[p][1], shifted[m],
                    of[m].sum / (double)of[m].count, of[m].count, of[m].greatest);
      assert_true(of[m].sum <= 13 * (double)of[m].count);
      /* External rotation ends outside the joint, where the centre hardly matters: its mean over the hips counts. */
      if (strcmp(shifted[m], "external_rotation") != 0) assert_true(of[m].sum >= (double)of[m].count);
      means[m] += of[m].sum / (double)of[m].count;
      ++hips[m];
      single += of[m].count;
      within += of[m].within;
    }
  }
  for (int m = 0; m < SHIFTED; ++m) {
    assert_true(hips[m] >= 3); /* extension of ICL_MRI, half a pelvis, has no stop */
    check_published(means[m] / (double)hips[m], "over the hips", shifted[m]);
  }
  print_message("%zu of %zu single shifts move a motion by 13 degrees at most\n", within, single);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(noise_of_a_tenth_moves_no_motion_by_two_degrees),
      cmocka_unit_test(noise_of_three_tenths_moves_no_motion_by_five_degrees),
      cmocka_unit_test(surfaces_dilated_into_each_other_keep_their_flexion),
      cmocka_unit_test(cams_count_on_the_25_hips_as_if_everything_did),
      cmocka_unit_test(a_centre_three_millimetres_off_moves_motions_in_the_mean_as_published),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
