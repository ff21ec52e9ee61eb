/* Every hip of the data: all twelve motions with their bands, from half a pelvis and from a whole one. The frame of
 * half a pelvis is an estimate; its band has to hold what the whole pelvis tells. */
#include "support.h"

#include "base/vec.h"

static const double degrees = 180 / 3.14159265358979323846;
enum { MOTIONS = 12, MOST_PIECES = 3 };

static const struct person {
  const char *name, *femur;
  const char *half; /* NULL: cut out of the whole */
  const char *whole[MOST_PIECES];
  syn_side side;
} people[] = {
    {"z013 R",
     "vsd_NC/z013/Femur_R.ply",
     "vsd_NC/z013/Hip_R.ply",
     {"vsd_NC/z013/Hip_R.ply", "vsd_NC/z013/Hip_L.ply", "vsd_NC/z013/Sacrum.ply"},
     SYN_SIDE_RIGHT},
    {"z013 L",
     "vsd_NC/z013/Femur_L.ply",
     "vsd_NC/z013/Hip_L.ply",
     {"vsd_NC/z013/Hip_R.ply", "vsd_NC/z013/Hip_L.ply", "vsd_NC/z013/Sacrum.ply"},
     SYN_SIDE_LEFT},
    {"ICL_MRI R",
     "staple_NC/ICL_MRI/femur_r.ply",
     "staple_NC/ICL_MRI/pelvis_r.ply",
     {"staple_NC/ICL_MRI/pelvis_r.ply", "staple_NC/ICL_MRI/pelvis_l.ply", "staple_NC/ICL_MRI/sacrum.ply"},
     SYN_SIDE_RIGHT},
    {"bodyparts3d R",
     "bodyparts3d/femur_R_FMA24474.ply",
     "bodyparts3d/hip_bone_R_FMA16586.ply",
     {"bodyparts3d/hip_bone_R_FMA16586.ply", "bodyparts3d/hip_bone_L_FMA16587.ply", "bodyparts3d/sacrum_FMA16202.ply"},
     SYN_SIDE_RIGHT},
    {"bodyparts3d L",
     "bodyparts3d/femur_L_FMA24475.ply",
     "bodyparts3d/hip_bone_L_FMA16587.ply",
     {"bodyparts3d/hip_bone_R_FMA16586.ply", "bodyparts3d/hip_bone_L_FMA16587.ply", "bodyparts3d/sacrum_FMA16202.ply"},
     SYN_SIDE_LEFT},
    {"JIA_MRI R", "staple_NC/JIA_MRI/femur_r.ply", NULL, {"staple_NC/JIA_MRI/pelvis_no_sacrum.ply"}, SYN_SIDE_RIGHT},
    {"JIA_MRI L", "staple_NC/JIA_MRI/femur_l.ply", NULL, {"staple_NC/JIA_MRI/pelvis_no_sacrum.ply"}, SYN_SIDE_LEFT},
};
enum { PEOPLE = sizeof people / sizeof *people };

static void write_mesh(const syn_trimesh *mesh, const char *path) {
  syn_error error;
  const syn_geometry geometry = syn_trimesh_geometry(mesh);
  ASSERT_OK(syn_geometry_write(NULL, &geometry, path, NULL, &error));
}

/* All pieces of the pelvis as one mesh. */
static void write_whole(const struct person *who, const char *path) {
  syn_error error;
  syn_trimesh *pieces[MOST_PIECES], *whole;
  size_t count = 0;
  for (; count < MOST_PIECES && who->whole[count]; ++count) {
    REQUIRE_DATA(piece, who->whole[count]);
    ASSERT_OK(syn_trimesh_read(NULL, piece, NULL, &pieces[count], &error));
  }
  ASSERT_OK(syn_trimesh_merge(NULL, (const syn_trimesh *const *)pieces, count, &whole, &error));
  write_mesh(whole, path);
  for (size_t i = 0; i < count; ++i) syn_trimesh_destroy(pieces[i]);
  syn_trimesh_destroy(whole);
}

/* The side of the femur, cut midway between the iliac spines. */
static void write_half(const syn_hip_case *whole, const char *path) {
  syn_error error;
  const syn_anatomy *a = whole->anatomy;
  const syn_trimesh *pelvis = whole->hip.parts[SYN_HIP_PELVIS];
  assert_int_equal(a->landmarks[SYN_LANDMARK_ASIS_OTHER].found, SYN_FOUND_MESH);
  const syn_vec3 own = a->landmarks[SYN_LANDMARK_ASIS].place, other = a->landmarks[SYN_LANDMARK_ASIS_OTHER].place;
  const syn_vec3 middle = vec3_lerp(own, other, 0.5), toward = vec3_sub(own, other);
  syn_triangle *triangles = malloc(pelvis->triangle_count * sizeof *triangles);
  uint32_t count = 0;
  for (uint32_t t = 0; t < pelvis->triangle_count; ++t) {
    bool near = true;
    for (int k = 0; k < 3; ++k)
      near = near && vec3_dot(vec3_sub(pelvis->vertices[pelvis->triangles[t].v[k]], middle), toward) > 0;
    if (near) triangles[count++] = pelvis->triangles[t];
  }
  syn_trimesh *half;
  ASSERT_OK(syn_trimesh_create(NULL, pelvis->vertices, pelvis->vertex_count, triangles, count, &half, &error));
  write_mesh(half, path);
  syn_trimesh_destroy(half);
  free(triangles);
}

static syn_hip_analysis *analyse(const char *pelvis, const char *femur, const syn_side *side) {
  static syn_context quiet;
  syn_error error;
  syn_hip_analysis *hip;
  syn_hip_input input = syn_default_hip_input();
  syn_hip_analysis_options options = syn_default_hip_analysis_options();
  quiet = syn_default_context();
  quiet.warn = NULL;
  input.parts[SYN_HIP_PELVIS] = pelvis;
  input.parts[SYN_HIP_FEMUR] = femur;
  input.side = side;
  options.parts = SYN_HIP_LIMITS | SYN_HIP_BANDS;
  ASSERT_OK(syn_hip_analyse(&quiet, &input, &options, &hip, &error));
  assert_int_equal(hip->hip_case->hip.side, *side);
  assert_int_equal(hip->limit_count, MOTIONS);
  return hip;
}

/* Degrees; a motion without a stop goes as far as it was followed. */
static double reached(const syn_hip_motion_limit *limit) { return limit->limit.followed * degrees; }

/* Every motion has an answer, and a band unless no draw is stopped. An end of it is open where more than one draw in
 * forty has no free pose. */
static void check_answers(const syn_hip_analysis *hip, const char *who) {
  for (size_t i = 0; i < MOTIONS; ++i) {
    const syn_hip_motion_limit *m = &hip->limits[i];
    const syn_band band = m->bands[SYN_BAND_ALL];
    if (m->limit.state == SYN_LIMIT_NO_FREE_POSE) fail_msg("%s: %s: no free pose", who, m->motion->name);
    if (isnan(band.low) && isnan(band.high)) {
      if (m->limit.state != SYN_LIMIT_NO_STOP) fail_msg("%s: %s has no band", who, m->motion->name);
      continue;
    }
    if (isnan(band.low)) print_message("%s: the band of %s is open below\n", who, m->motion->name);
    if (isnan(band.high) || band.low > band.high)
      fail_msg("%s: %s: from %g to %g", who, m->motion->name, band.low, band.high);
  }
}

static double check_half(const syn_hip_analysis *half, const syn_hip_analysis *whole, const char *who) {
  double greatest = 0;
  for (size_t i = 0; i < MOTIONS; ++i) {
    const syn_hip_motion_limit *m = &half->limits[i];
    const syn_band band = m->bands[SYN_BAND_ALL];
    const double one = reached(m), other = reached(&whole->limits[i]);
    const bool none = isnan(band.low) && isnan(band.high);
    const bool within = none ? one == other : !(other < band.low - 1e-9) && other <= band.high + 1e-9;
    if (!within)
      fail_msg("%s: %s is %.1f on the whole pelvis, on half of it %.1f with a band from %.1f to %.1f", who,
               m->motion->name, other, one, band.low, band.high);
    greatest = fmax(greatest, fabs(one - other));
  }
  return greatest;
}

static void whole_pelves_answer_within_the_bands_of_half_ones(void **state) {
  (void)state;
  double greatest = 0;
  for (size_t p = 0; p < PEOPLE; ++p) {
    const struct person *who = &people[p];
    char femur[1024], half[1024], whole[512];
    REQUIRE_DATA(femur_path, who->femur);
    snprintf(femur, sizeof femur, "%s", femur_path);
    snprintf(whole, sizeof whole, "%s", temporary_path("whole.ply"));
    write_whole(who, whole);
    syn_hip_analysis *of_whole = analyse(whole, femur, &who->side);
    if (who->half) {
      REQUIRE_DATA(half_path, who->half);
      snprintf(half, sizeof half, "%s", half_path);
    } else {
      snprintf(half, sizeof half, "%s", temporary_path("half.ply"));
      write_half(of_whole->hip_case, half);
    }
    syn_hip_analysis *of_half = analyse(half, femur, &who->side);
    assert_int_equal(of_whole->hip_case->anatomy->pelvis_frame, SYN_FRAME_ISB);
    assert_int_equal(of_half->hip_case->anatomy->pelvis_frame, SYN_FRAME_PARTIAL);
    check_answers(of_whole, who->name);
    check_answers(of_half, who->name);
    const double apart = check_half(of_half, of_whole, who->name);
    print_message("%-14s half and whole pelvis at most %.1f degrees apart, all within the bands\n", who->name, apart);
    greatest = fmax(greatest, apart);
    syn_hip_analysis_destroy(of_half);
    syn_hip_analysis_destroy(of_whole);
  }
  assert_true(greatest > 1); /* else they were the same hips */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(whole_pelves_answer_within_the_bands_of_half_ones),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
