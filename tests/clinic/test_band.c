/* Bands: closed forms on blocks, the hips drawn made one by one as the slow twin, the same bits on any threads. */
#include "block_hip.h"

#include "base/status.h"
#include "base/vec.h"
#include "clinic/hip.h"
#include "clinic/rom/hip_rom.h"
#include "motion/rom/band.h"

static const double degrees = 180 / SYN_PI;
static const char *const names[] = {"flexion", "extension", "adduction", "internal_rotation"};
enum { MOTIONS = sizeof names / sizeof *names };

static syn_rom *rom_of(const syn_context *context, const syn_hip *hip) {
  syn_error error;
  syn_rom *rom;
  ASSERT_OK(syn_hip_rom_create(context, hip, &rom, &error));
  return rom;
}

static void ask_limits(const syn_rom *rom, syn_hip_motion_limit *limits, size_t count) {
  void *scratch = malloc(syn_rom_scratch(rom));
  for (size_t i = 0; i < count; ++i) {
    limits[i] = (syn_hip_motion_limit){.motion = syn_clinical_motion_named(names[i])};
    syn_rom_query(rom, limits[i].motion, scratch, &limits[i].bones);
    limits[i].limit = limits[i].bones;
  }
  free(scratch);
}

static void find(const syn_context *context, const syn_hip *hip, const syn_anatomy *anatomy,
                 const syn_band_options *options, syn_hip_motion_limit limits[MOTIONS]) {
  syn_error error;
  syn_rom *rom = rom_of(context, hip);
  ask_limits(rom, limits, MOTIONS);
  ASSERT_OK(syn_hip_bands_find(rom, anatomy, options, limits, MOTIONS, &error));
  syn_rom_destroy(rom);
}

/* ---- blocks -------------------------------------------------------------------------------------------------------
 */

static void a_certain_hip_has_no_band(void **state) {
  (void)state;
  block_hip blocks = make_block_hip(NULL, SYN_SIDE_RIGHT, NULL);
  syn_band_options options = syn_default_band_options();
  syn_hip_motion_limit limits[MOTIONS];
  options.voxel_mm = 1e-7;
  options.center_mm = 1e-7;
  options.draws = 20;
  find(NULL, &blocks.hip, NULL, &options, limits);
  for (size_t i = 0; i < MOTIONS; ++i)
    for (int k = 0; k < SYN_BAND_SOURCES; ++k) {
      if (limits[i].bones.state != SYN_LIMIT_STOPPED) {
        /* Free as far as it was followed, in every draw. */
        assert_true(limits[i].bands[k].low == limits[i].bands[k].high && limits[i].stopped_part == 0);
        ASSERT_NEAR(limits[i].bands[k].low, limits[i].motion->max_deg, 1e-9);
        continue;
      }
      ASSERT_NEAR(limits[i].bands[k].low, limits[i].bones.followed * degrees, 1e-4);
      ASSERT_NEAR(limits[i].bands[k].high, limits[i].bones.followed * degrees, 1e-4);
    }
  drop_block_hip(&blocks);
}

/* Nothing is met anywhere, so that nothing tells how far contacts reach: that is no reason to leave out the bones. */
static void a_motion_without_a_free_pose_has_no_band(void **state) {
  (void)state;
  syn_error error;
  block_hip blocks = make_block_hip(NULL, SYN_SIDE_RIGHT, NULL);
  syn_trimesh *stake =
      make_block(NULL, vec3(-1, -1, -3000), vec3(1, 1, -20)); /* along the bar's axis, out of its end */
  blocks.hip.parts[SYN_HIP_PELVIS] = stake;
  syn_rom *rom = rom_of(NULL, &blocks.hip);
  void *scratch = malloc(syn_rom_scratch(rom));
  syn_hip_motion_limit limit = {.motion = syn_clinical_motion_named("internal_rotation")};
  syn_rom_query(rom, limit.motion, scratch, &limit.bones);
  assert_int_equal(limit.bones.state, SYN_LIMIT_NO_FREE_POSE);
  syn_band_options options = syn_default_band_options();
  options.voxel_mm = 1e-7;
  options.center_mm = 1e-7;
  options.draws = 20;
  ASSERT_OK(syn_hip_bands_find(rom, NULL, &options, &limit, 1, &error));
  for (int k = 0; k < SYN_BAND_SOURCES; ++k) assert_true(isnan(limit.bands[k].low) && isnan(limit.bands[k].high));
  free(scratch);
  syn_rom_destroy(rom);
  syn_trimesh_destroy(stake);
  drop_block_hip(&blocks);
}

/* A pelvis that may be tilted takes its tilt off the flexion: the band is that of a normal variable. */
static void an_uncertain_tilt_is_the_band_of_flexion(void **state) {
  (void)state;
  block_hip blocks = make_block_hip(NULL, SYN_SIDE_RIGHT, NULL);
  const syn_anatomy anatomy = {.pelvis_frame_sd = {0.02, 0, 0}};
  syn_band_options options = syn_default_band_options();
  syn_hip_motion_limit limits[MOTIONS];
  options.voxel_mm = 1e-7;
  options.center_mm = 1e-7;
  options.draws = 2000;
  find(NULL, &blocks.hip, &anatomy, &options, limits);
  const double middle = block_flexion() * degrees, half = 1.96 * 0.02 * degrees;
  for (int k = 0; k < SYN_BAND_SOURCES; ++k) {
    const bool wide = k == SYN_BAND_ALL || k == SYN_BAND_FRAME;
    ASSERT_NEAR(limits[0].bands[k].low, middle - (wide ? half : 0), 0.2);
    ASSERT_NEAR(limits[0].bands[k].high, middle + (wide ? half : 0), 0.2);
  }
  drop_block_hip(&blocks);
}

/* A turn that is followed to one deviation before its stop is stopped in the 16 % of draws that lie further off. */
static void a_motion_without_a_stop_says_how_often_it_has_one(void **state) {
  (void)state;
  const double sd = 0.02;
  block_hip blocks = make_block_hip(NULL, SYN_SIDE_RIGHT, NULL);
  const syn_anatomy anatomy = {.pelvis_frame_sd = {sd, 0, 0}};
  syn_motion motion = *syn_clinical_motion_named("flexion");
  syn_band_options options = syn_default_band_options();
  syn_rom *rom = rom_of(NULL, &blocks.hip);
  void *scratch = malloc(syn_rom_scratch(rom));
  syn_error error;
  char words[96];
  options.voxel_mm = options.center_mm = 1e-7;
  options.draws = 2000;
  for (int before = 1; before <= 3; before += 2) { /* deviations */
    motion.max_deg = (block_flexion() - before * sd) * degrees;
    syn_hip_motion_limit limit = {.motion = &motion};
    syn_rom_query(rom, &motion, scratch, &limit.bones);
    assert_int_equal(limit.bones.state, SYN_LIMIT_NO_STOP);
    ASSERT_OK(syn_hip_bands_find(rom, &anatomy, &options, &limit, 1, &error));
    ASSERT_NEAR(limit.stopped_part, before == 1 ? 0.159 : 0.0013, before == 1 ? 0.02 : 0.003);
    const double low = before == 1 ? (block_flexion() - 1.96 * sd) * degrees : motion.max_deg;
    ASSERT_NEAR(limit.bands[SYN_BAND_ALL].low, low, 0.2);
    ASSERT_NEAR(limit.bands[SYN_BAND_ALL].high, motion.max_deg, 1e-9);
    syn_motion_band_words(&limit, words);
    assert_true((strstr(words, "of the draws, 95 % from") != NULL) == (before == 1));
  }
  syn_hip_motion_limit none = {.motion = &motion, .stopped_part = NAN};
  assert_string_equal(syn_motion_band_words(&none, words), "");
  free(scratch);
  syn_rom_destroy(rom);
  drop_block_hip(&blocks);
}

/* The half pelvis of a person has no stop in extension; the whole one, whose frame is better, has one at 86 degrees. */
static void half_a_pelvis_leaves_room_for_the_stop_of_the_whole(void **state) {
  (void)state;
  syn_hip_input input = syn_default_hip_input();
  syn_hip_analysis_options what = syn_default_hip_analysis_options();
  const syn_motion *extension = syn_clinical_motion_named("extension");
  syn_context quiet = syn_default_context();
  syn_hip_analysis *a;
  syn_error error;
  REQUIRE_DATA(pelvis, "staple_NC/ICL_MRI/pelvis_r.ply");
  input.parts[SYN_HIP_PELVIS] = strcpy((char[512]){0}, pelvis);
  REQUIRE_DATA(femur, "staple_NC/ICL_MRI/femur_r.ply");
  input.parts[SYN_HIP_FEMUR] = femur;
  what.parts = SYN_HIP_LIMITS | SYN_HIP_BANDS;
  what.motions = &extension;
  what.motion_count = 1;
  ASSERT_OK(syn_hip_analyse(&quiet, &input, &what, &a, &error));
  assert_int_equal(a->limits[0].bones.state, SYN_LIMIT_NO_STOP);
  assert_true(a->limits[0].bands[SYN_BAND_ALL].low < 86 && a->limits[0].bands[SYN_BAND_ALL].high == 90);
  assert_true(a->limits[0].stopped_part > 0.1 && a->limits[0].stopped_part < 0.5);
  syn_hip_analysis_destroy(a);
}

static double width(const syn_hip_motion_limit *l, syn_band_source source) {
  return l->bands[source].high - l->bands[source].low;
}

static void more_doubt_widens_its_own_band_and_that_of_all(void **state) {
  (void)state;
  block_hip blocks = make_block_hip(NULL, SYN_SIDE_LEFT, NULL);
  syn_hip_motion_limit little[MOTIONS], much[MOTIONS];
  syn_band_options options = syn_default_band_options();
  options.voxel_mm = 0.5;
  find(NULL, &blocks.hip, NULL, &options, little);
  options.voxel_mm = 2;
  find(NULL, &blocks.hip, NULL, &options, much);
  assert_true(width(&much[0], SYN_BAND_SURFACE) > 3 * width(&little[0], SYN_BAND_SURFACE));
  assert_true(width(&much[0], SYN_BAND_CENTER) == width(&little[0], SYN_BAND_CENTER));
  assert_true(width(&much[0], SYN_BAND_FRAME) == 0);
  assert_true(width(&much[0], SYN_BAND_ALL) > width(&little[0], SYN_BAND_ALL));
  options.center_mm = 6;
  find(NULL, &blocks.hip, NULL, &options, little);
  assert_true(width(&little[0], SYN_BAND_CENTER) > 1.5 * width(&much[0], SYN_BAND_CENTER));
  drop_block_hip(&blocks);
}

static void threads_and_other_motions_change_no_bit_and_seeds_do(void **state) {
  (void)state;
  block_hip blocks = make_block_hip(NULL, SYN_SIDE_RIGHT, NULL);
  const syn_anatomy anatomy = {.pelvis_frame_sd = {0.02, 0.01, 0.03}, .femur_frame_sd = {0.01, 0.01, 0.05}};
  syn_band_options options = syn_default_band_options();
  syn_context contexts[2] = {syn_default_context(), syn_default_context()};
  syn_hip_motion_limit limits[2][MOTIONS], one, other[MOTIONS];
  syn_error error;
  options.draws = 40;
  for (int i = 0; i < 2; ++i) {
    contexts[i].threads = i ? 5 : 1;
    find(&contexts[i], &blocks.hip, &anatomy, &options, limits[i]);
  }
  for (size_t i = 0; i < MOTIONS; ++i)
    assert_memory_equal(limits[0][i].bands, limits[1][i].bands, SYN_BAND_SOURCES * sizeof(syn_band));
  syn_rom *rom = rom_of(NULL, &blocks.hip);
  ask_limits(rom, &one, 1);
  ASSERT_OK(syn_hip_bands_find(rom, &anatomy, &options, &one, 1, &error));
  assert_memory_equal(one.bands, limits[0][0].bands, SYN_BAND_SOURCES * sizeof(syn_band));
  syn_rom_destroy(rom);
  options.seed = 2;
  find(NULL, &blocks.hip, &anatomy, &options, other);
  assert_true(other[0].bands[0].low != one.bands[0].low);
  drop_block_hip(&blocks);
}

/* ---- the twin -----------------------------------------------------------------------------------------------------
 */

static syn_hip parametric_hip(syn_joint **shape) {
  syn_error error;
  const syn_shape_value values[] = {{"ce", 30}, {"alpha", 60}, {"resolution", 3}};
  ASSERT_OK(syn_shape_create(NULL, "hip", values, 3, shape, &error));
  const syn_hip whole = hip_of_shape(*shape);
  syn_hip hip = syn_hip_bones(&whole);
  hip.joint_ball = (syn_ball){hip.center, 26};
  return hip;
}

/* The moved mesh without its joint surface, which is that of the mesh as it was. */
static syn_trimesh *moved_mesh(const syn_hip *hip, const syn_band_options *options, const syn_band_scan *scan,
                               int part) {
  const syn_trimesh *mesh = scan->mesh;
  syn_error error;
  syn_trimesh *made;
  syn_vec3 *moved = malloc(mesh->vertex_count * sizeof *moved);
  syn_triangle *kept = malloc(mesh->triangle_count * sizeof *kept);
  uint8_t *left_out = calloc(mesh->triangle_count, 1);
  size_t count = 0;
  ASSERT_OK(syn_band_move_points(NULL, options, 0, (size_t)part, scan->voxel_mm, hip->center, mesh->vertices,
                                 scan->normals, mesh->vertex_count, moved, &error));
  if (part == SYN_HIP_FEMUR) syn_rom_mark_joint(hip, left_out);
  for (uint32_t t = 0; t < mesh->triangle_count; ++t)
    if (!left_out[t]) kept[count++] = mesh->triangles[t];
  ASSERT_OK(syn_trimesh_create(NULL, moved, mesh->vertex_count, kept, count, &made, &error));
  free(moved);
  free(kept);
  free(left_out);
  return made;
}

/* With one draw a band reaches from the angle itself to that of the draw. */
static void a_draw_is_a_hip_like_any_other(void **state) {
  (void)state;
  syn_joint *shape;
  const syn_hip hip = parametric_hip(&shape);
  const syn_anatomy anatomy = {.pelvis_frame_sd = {0.05, 0.04, 0.05}, .femur_frame_sd = {0.01, 0.01, 0.05}};
  syn_band_options options = syn_default_band_options();
  const syn_vec3 axes_sd[2] = {anatomy.pelvis_frame_sd, anatomy.femur_frame_sd};
  syn_band_scan scans[2];
  syn_vec3 *normals[2];
  for (int i = 0; i < 2; ++i) {
    normals[i] = malloc(hip.parts[i]->vertex_count * sizeof **normals);
    syn_trimesh_vertex_normals(hip.parts[i], normals[i]);
    scans[i] = (syn_band_scan){hip.parts[i], normals[i], 0.8};
  }
  options.draws = 1;
  options.voxel_mm = 0.8;
  for (uint64_t seed = 1; seed <= 6; ++seed) {
    syn_hip_motion_limit limits[MOTIONS], twin[MOTIONS];
    options.seed = seed;
    find(NULL, &hip, &anatomy, &options, limits);
    syn_trimesh *pelvis = moved_mesh(&hip, &options, &scans[SYN_HIP_PELVIS], SYN_HIP_PELVIS),
                *femur = moved_mesh(&hip, &options, &scans[SYN_HIP_FEMUR], SYN_HIP_FEMUR);
    syn_hip drawn = hip;
    syn_band_move_axes(&options, 0, axes_sd, &drawn.pelvis_axes, &drawn.femur_axes);
    drawn.center = syn_band_move_center(&options, 0, hip.center);
    drawn.joint_ball.radius_mm = 0;
    drawn.parts[SYN_HIP_PELVIS] = pelvis;
    drawn.parts[SYN_HIP_FEMUR] = femur;
    syn_rom *rom = rom_of(NULL, &drawn);
    ask_limits(rom, twin, MOTIONS);
    for (size_t i = 0; i < MOTIONS; ++i) {
      if (limits[i].bones.state != SYN_LIMIT_STOPPED) continue;
      const double own = limits[i].bones.followed * degrees, other = twin[i].bones.followed * degrees;
      assert_true(fabs(own - other) > 1e-3);
      ASSERT_NEAR(limits[i].bands[SYN_BAND_ALL].low, fmin(own, other), 1e-7);
      ASSERT_NEAR(limits[i].bands[SYN_BAND_ALL].high, fmax(own, other), 1e-7);
    }
    syn_rom_destroy(rom);
    syn_trimesh_destroy(pelvis);
    syn_trimesh_destroy(femur);
  }
  for (int i = 0; i < 2; ++i) free(normals[i]);
  syn_joint_destroy(shape);
}

/* ---- what is refused ----------------------------------------------------------------------------------------------
 */

static syn_status attempt(const syn_context *context, void *user, syn_error *error) {
  const block_hip *blocks = user;
  syn_hip hip = blocks->hip;
  const syn_trimesh pelvis = with_context(hip.parts[SYN_HIP_PELVIS], context),
                    femur = with_context(hip.parts[SYN_HIP_FEMUR], context);
  hip.parts[SYN_HIP_PELVIS] = &pelvis;
  hip.parts[SYN_HIP_FEMUR] = &femur;
  syn_band_options options = syn_default_band_options();
  syn_hip_motion_limit limits[MOTIONS];
  syn_rom *rom;
  options.draws = 2;
  SYN_TRY(syn_hip_rom_create(context, &hip, &rom, error));
  ask_limits(rom, limits, MOTIONS);
  const syn_status status = syn_hip_bands_find(rom, NULL, &options, limits, MOTIONS, error);
  syn_rom_destroy(rom);
  return status;
}

static void refused_memory_leaves_nothing_behind(void **state) {
  (void)state;
  block_hip blocks = make_block_hip(NULL, SYN_SIDE_RIGHT, NULL);
  check_every_allocation(attempt, &blocks);
  drop_block_hip(&blocks);
}

static void sources_have_names(void **state) {
  (void)state;
  static const char *const expected[] = {"all", "surface", "center", "frame"};
  for (int k = 0; k < SYN_BAND_SOURCES; ++k) assert_string_equal(syn_band_source_name((syn_band_source)k), expected[k]);
  assert_string_equal(syn_band_source_name(SYN_BAND_SOURCES), "unknown");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_certain_hip_has_no_band),
      cmocka_unit_test(a_motion_without_a_free_pose_has_no_band),
      cmocka_unit_test(an_uncertain_tilt_is_the_band_of_flexion),
      cmocka_unit_test(a_motion_without_a_stop_says_how_often_it_has_one),
      cmocka_unit_test(half_a_pelvis_leaves_room_for_the_stop_of_the_whole),
      cmocka_unit_test(more_doubt_widens_its_own_band_and_that_of_all),
      cmocka_unit_test(threads_and_other_motions_change_no_bit_and_seeds_do),
      cmocka_unit_test(a_draw_is_a_hip_like_any_other),
      cmocka_unit_test(refused_memory_leaves_nothing_behind),
      cmocka_unit_test(sources_have_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
