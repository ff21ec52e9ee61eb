// test: slow, early
/* Resection: bone removed against degrees gained, checked against the shapes it should make, a slow integral of the
 * volume, and the range of motion of the meshes that it leaves. */
#include "program.h"

#include "clinic/surgery/resection.h"

/* ---- hips ---------------------------------------------------------------------------------------------------------
 */

static syn_hip_case *open_joint(const syn_context *context, const char *file) {
  syn_hip_input input = syn_default_hip_input();
  syn_hip_case *made;
  syn_error error = {0};
  input.joint = file;
  ASSERT_OK(syn_hip_case_create(context, &input, &made, &error));
  return made;
}

static syn_hip_case *open_meshes(const syn_context *context, const char *pelvis, const char *femur) {
  syn_hip_input input = syn_default_hip_input();
  syn_hip_case *made;
  syn_error error = {0};
  input.parts[SYN_HIP_PELVIS] = pelvis;
  input.parts[SYN_HIP_FEMUR] = femur;
  ASSERT_OK(syn_hip_case_create(context, &input, &made, &error));
  return made;
}

/* The parametric hip of this alpha angle, with its soft parts. */
static syn_hip_case *parametric(const syn_context *context, double alpha_deg) {
  char alpha[16], file[512];
  snprintf(alpha, sizeof alpha, "%g", alpha_deg);
  const char *path = temporary_path(alpha);
  program_run run = run_synovia("shape", "hip", "--alpha", alpha, "-o", path, NULL);
  assert_int_equal(run.code, 0);
  end_run(&run);
  snprintf(file, sizeof file, "%s/joint.json", path);
  return open_joint(context, file);
}

static syn_resection *plan(const syn_context *context, const syn_hip_case *hip_case,
                           const syn_resection_options *options) {
  syn_resection *made;
  syn_error error = {0};
  ASSERT_OK(syn_resection_create(context, hip_case, options, &made, &error));
  return made;
}

static syn_resection_options few(syn_resection_kind kind, double step_mm) {
  syn_resection_options options = syn_default_resection_options();
  options.kind = kind;
  options.step_mm = step_mm;
  options.edge_mm = 1;
  options.bands.draws = 0;
  return options;
}

static const syn_resection_step *last_of(const syn_resection *r) { return &r->steps[r->step_count - 1]; }
static double angle(const syn_resection_step *s, size_t motion) { return s->motions[motion].limit.angle * SYN_RADIAN; }

/* ---- what every plan keeps ----------------------------------------------------------------------------------------
 */

static void check_bone(const syn_resection_step *s) {
  syn_health health;
  syn_error error = {0};
  ASSERT_OK(syn_trimesh_check(s->bone, NULL, &health, &error));
  assert_true(syn_health_fit(&health));
  assert_int_equal(health.self_intersections, 0);
}

/* More bone removed never loses a degree, but for the mesh: a hundredth of a degree. */
static void check_plan(const syn_resection *r) {
  for (size_t i = 0; i < r->step_count; ++i) {
    const syn_resection_step *s = &r->steps[i], *before = &r->steps[i ? i - 1 : 0];
    check_bone(s);
    assert_true(s->deepest_mm <= s->depth_mm + 1e-4);
    if (i == 0) continue;
    assert_true(s->volume_mm3 > before->volume_mm3);
    for (uint32_t v = 0; v < s->bone->vertex_count; ++v) assert_true(s->removed_mm[v] >= before->removed_mm[v] - 1e-4);
    for (size_t m = 0; m < r->motion_count; ++m)
      if (isfinite(angle(before, m)) && isfinite(angle(s, m))) assert_true(angle(s, m) > angle(before, m) - 0.01);
  }
}

/* The volume between two closed surfaces by counting: points of a grid that are inside one and not inside the other. */
static double counted_volume(const syn_trimesh *old, const syn_trimesh *cut, const double *removed_mm, double step) {
  syn_surface *surfaces[2];
  syn_error error = {0};
  syn_box box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
  size_t count = 0;
  ASSERT_OK(syn_surface_create(old, &surfaces[0], &error));
  ASSERT_OK(syn_surface_create(cut, &surfaces[1], &error));
  for (uint32_t v = 0; v < cut->vertex_count; ++v) {
    const syn_vec3 p = cut->vertices[v];
    const double reach = removed_mm[v] * 2 + 1;
    if (!(removed_mm[v] > 0)) continue;
    box.min = (syn_vec3){fmin(box.min.x, p.x - reach), fmin(box.min.y, p.y - reach), fmin(box.min.z, p.z - reach)};
    box.max = (syn_vec3){fmax(box.max.x, p.x + reach), fmax(box.max.y, p.y + reach), fmax(box.max.z, p.z + reach)};
  }
  for (double x = box.min.x; x < box.max.x; x += step)
    for (double y = box.min.y; y < box.max.y; y += step)
      for (double z = box.min.z; z < box.max.z; z += step) {
        const syn_vec3 p = {x, y, z};
        syn_location side[2];
        for (int k = 0; k < 2; ++k) assert_int_equal(syn_surface_side(surfaces[k], &p, 1, &side[k]), SYN_OK);
        assert_true(side[0] == SYN_LOCATION_INSIDE || side[1] != SYN_LOCATION_INSIDE); /* nothing is added */
        count += side[0] == SYN_LOCATION_INSIDE && side[1] != SYN_LOCATION_INSIDE;
      }
  for (int k = 0; k < 2; ++k) syn_surface_destroy(surfaces[k]);
  return (double)count * step * step * step;
}

/* ---- the parametric hip -------------------------------------------------------------------------------------------
 */

static syn_limit limit_of(const syn_hip *hip, const char *motion) {
  syn_rom *rom;
  syn_limit limit;
  syn_error error = {0};
  const syn_hip bones = syn_hip_bones(hip);
  ASSERT_OK(syn_hip_rom_create(NULL, &bones, &rom, &error));
  void *scratch = malloc(syn_rom_scratch(rom));
  syn_rom_query(rom, syn_clinical_motion_named(motion), scratch, &limit);
  free(scratch);
  syn_rom_destroy(rom);
  return limit;
}

static void a_cam_cut_in_full_is_the_hip_of_normal_alpha(void **state) {
  static const char *const names[] = {"flexion", "internal_rotation_90", "fadir"};
  (void)state;
  syn_hip_case *cam = parametric(NULL, 70), *healthy = parametric(NULL, 40);
  syn_resection_options options = few(SYN_RESECTION_CAM, 2);
  options.alpha_deg = 40;
  options.from_hour = 0;
  options.to_hour = 12; /* the cam of the shape runs all round */
  syn_resection *r = plan(NULL, cam, &options);
  check_plan(r);
  ASSERT_NEAR(r->full_mm, 9.9 * 30 / 40, 0.3); /* the height of the bulge */
  ASSERT_NEAR(last_of(r)->deepest_mm, r->full_mm, 1e-4);
  ASSERT_NEAR(r->steps[0].alpha_deg, 70, 0.5);
  ASSERT_NEAR(last_of(r)->alpha_deg, 40, 1);
  for (size_t m = 0; m < 3; ++m) {
    const syn_limit before = limit_of(&cam->hip, names[m]), normal = limit_of(&healthy->hip, names[m]);
    /* The finer mesh of the bone as it was changes no angle. */
    if (isfinite(before.angle * SYN_RADIAN)) ASSERT_NEAR(angle(&r->steps[0], m), before.angle * SYN_RADIAN, 1e-6);
    ASSERT_NEAR(angle(last_of(r), m), normal.angle * SYN_RADIAN, 0.5);
  }
  syn_result_destroy(r);
  syn_hip_case_destroy(cam);
  syn_hip_case_destroy(healthy);
}

static void volumes_agree_with_counted_points(void **state) {
  (void)state;
  syn_hip_case *cam = parametric(NULL, 70);
  for (int kind = 0; kind < SYN_RESECTION_KINDS; ++kind) {
    syn_resection_options options = few((syn_resection_kind)kind, 2);
    options.depth_mm = 2;
    options.from_hour = 1;
    options.to_hour = 2;
    syn_resection *r = plan(NULL, cam, &options);
    const syn_resection_step *s = last_of(r);
    const syn_trimesh *old = cam->hip.parts[syn_resection_part(options.kind)];
    const double counted = counted_volume(old, s->bone, s->removed_mm, 0.5);
    ASSERT_NEAR(s->volume_mm3, counted, 0.02 * counted + 5);
    syn_result_destroy(r);
  }
  syn_hip_case_destroy(cam);
}

static void steps_of_a_tenth_are_real(void **state) {
  (void)state;
  syn_hip_case *cam = parametric(NULL, 70);
  syn_resection_options options = few(SYN_RESECTION_CAM, 0.1);
  options.depth_mm = 0.4;
  options.to_hour = 6;
  syn_resection *r = plan(NULL, cam, &options);
  assert_int_equal(r->step_count, 5);
  check_plan(r);
  for (size_t i = 1; i < r->step_count; ++i) {
    const syn_resection_step *s = &r->steps[i];
    ASSERT_NEAR(s->depth_mm, 0.1 * (double)i, 1e-12);
    ASSERT_NEAR(s->deepest_mm, s->depth_mm, 1e-4);
    /* Nearly as much as in a flat plate, and every tenth gains. */
    ASSERT_NEAR(s->volume_mm3 / (s->area_mm2 * s->depth_mm), 1, 0.12);
    ASSERT_NEAR(s->motions[0].gain_deg_per_mm, 6.3, 1);
  }
  syn_result_destroy(r);
  syn_hip_case_destroy(cam);
}

static void threads_change_no_bit(void **state) {
  (void)state;
  syn_resection *made[2];
  syn_hip_case *hips[2];
  syn_context contexts[2] = {syn_default_context(), syn_default_context()};
  for (int k = 0; k < 2; ++k) {
    contexts[k].threads = k ? 3 : 1;
    hips[k] = parametric(&contexts[k], 70);
    syn_resection_options options = few(SYN_RESECTION_CAM, 3);
    options.bands.draws = 6;
    options.depth_mm = 3;
    made[k] = plan(&contexts[k], hips[k], &options);
  }
  assert_int_equal(made[0]->step_count, made[1]->step_count);
  for (size_t i = 0; i < made[0]->step_count; ++i) {
    const syn_resection_step *a = &made[0]->steps[i], *b = &made[1]->steps[i];
    assert_int_equal(a->bone->vertex_count, b->bone->vertex_count);
    assert_memory_equal(a->bone->vertices, b->bone->vertices, a->bone->vertex_count * sizeof *a->bone->vertices);
    assert_memory_equal(a->removed_mm, b->removed_mm, a->bone->vertex_count * sizeof *a->removed_mm);
    assert_memory_equal(&a->volume_mm3, &b->volume_mm3, sizeof a->volume_mm3);
    for (size_t m = 0; m < made[0]->motion_count; ++m) {
      assert_memory_equal(&a->motions[m].gain_deg, &b->motions[m].gain_deg, sizeof(double));
      assert_memory_equal(&a->motions[m].gain_band_deg, &b->motions[m].gain_band_deg, sizeof(syn_band));
    }
  }
  const syn_gain *flexion = &last_of(made[0])->motions[0];
  assert_true(flexion->gain_band_deg.low <= flexion->gain_deg && flexion->gain_band_deg.high >= flexion->gain_deg);
  assert_true(flexion->gain_band_deg.high - flexion->gain_band_deg.low > 0.1);
  for (int k = 0; k < 2; ++k) {
    syn_result_destroy(made[k]);
    syn_hip_case_destroy(hips[k]);
  }
}

/* ---- real hips ----------------------------------------------------------------------------------------------------
 */

/* Opens the written bone as any other hip and compares. The anatomy is found again, so frames may differ a little. */
static void check_by_files(const syn_resection *r, const char *pelvis, const char *femur) {
  const bool cam = r->options.kind == SYN_RESECTION_CAM;
  const syn_resection_step *s = last_of(r);
  const char *path = temporary_path("cut.ply");
  syn_error error = {0};
  const syn_geometry geometry = syn_trimesh_geometry(s->bone);
  ASSERT_OK(syn_geometry_write(NULL, &geometry, path, NULL, &error));
  syn_hip_case *cut = open_meshes(NULL, cam ? pelvis : path, cam ? path : femur);
  syn_hip hip = r->hip_case->hip;
  hip.parts[syn_resection_part(r->options.kind)] = cut->hip.parts[syn_resection_part(r->options.kind)];
  for (size_t m = 0; m < r->motion_count; ++m) {
    const char *name = s->motions[m].motion->name;
    const syn_limit same_frame = limit_of(&hip, name), found_again = limit_of(&cut->hip, name);
    ASSERT_NEAR(same_frame.angle * SYN_RADIAN, angle(s, m), 1e-4);
    print_message("%s: %.3f planned, %.3f of the file\n", name, angle(s, m), found_again.angle * SYN_RADIAN);
    ASSERT_NEAR(found_again.angle * SYN_RADIAN, angle(s, m), 1);
  }
  syn_hip_case_destroy(cut);
}

static void real_hips_gain_by_either_cut(void **state) {
  static const char *const pelves[] = {"vsd_NC/z013/Hip_R.ply", "vsd_NC/z013/Hip_L.ply"},
                           *const femurs[] = {"vsd_NC/z013/Femur_R.ply", "vsd_NC/z013/Femur_L.ply"};
  (void)state;
  for (int side = 0; side < (long_cases() ? 2 : 1); ++side) {
    REQUIRE_DATA(pelvis, pelves[side]);
    REQUIRE_DATA(femur, femurs[side]);
    syn_hip_case *hip_case = open_meshes(NULL, pelvis, femur);
    syn_resection_options options = few(SYN_RESECTION_CAM, 2);
    options.depth_mm = 2;
    options.neck_mm = 8;
    options.offset_mm = 3;
    options.to_hour = 6;
    for (int kind = 0; kind < SYN_RESECTION_KINDS; ++kind) {
      options.kind = (syn_resection_kind)kind;
      if (kind == SYN_RESECTION_RIM) options.to_hour = NAN;
      syn_resection *r = plan(NULL, hip_case, &options);
      assert_int_equal(r->step_count, 2);
      check_plan(r);
      for (size_t m = 0; m < r->motion_count; ++m) {
        const syn_gain *of = &last_of(r)->motions[m];
        assert_true(of->gain_deg > 0.5 && of->gain_deg < 10);
      }
      check_by_files(r, pelvis, femur);
      syn_result_destroy(r);
    }
    syn_hip_case_destroy(hip_case);
  }
}

/* ---- nasty input --------------------------------------------------------------------------------------------------
 */

static void nothing_to_remove_is_said(void **state) {
  (void)state;
  test_memory memory = {0};
  const syn_context context = test_context(&memory);
  syn_hip_case *healthy = parametric(&context, 40);
  syn_resection_options options = few(SYN_RESECTION_CAM, 1);
  options.alpha_deg = 45;
  syn_resection *r = plan(&context, healthy, &options);
  assert_int_equal(r->step_count, 1);
  assert_true(r->full_mm < 0.05);
  assert_true(r->steps[0].volume_mm3 == 0 && r->steps[0].motions[0].gain_deg == 0);
  assert_non_null(strstr(memory.all_warnings, "nothing to remove"));
  syn_result_destroy(r);
  syn_hip_case_destroy(healthy);
  assert_int_equal(memory.live, 0);
}

static void bad_input_is_refused(void **state) {
  (void)state;
  syn_hip_case *cam = parametric(NULL, 70);
  syn_resection *r;
  syn_error error = {0};
  syn_resection_options options = few(SYN_RESECTION_RIM, 1);
  options.depth_mm = 9; /* deeper than the rim holds */
  ASSERT_FAILS(syn_resection_create(NULL, cam, &options, &r, &error), SYN_BAD_ARGUMENT, "depth in mm");
  options = few(SYN_RESECTION_CAM, 1);
  options.from_hour = 13;
  ASSERT_FAILS(syn_resection_create(NULL, cam, &options, &r, &error), SYN_BAD_ARGUMENT, "first hour");
  options = few(SYN_RESECTION_CAM, 0.01);
  ASSERT_FAILS(syn_resection_create(NULL, cam, &options, &r, &error), SYN_BAD_ARGUMENT, "more than");
  options.cookie = 0;
  ASSERT_FAILS(syn_resection_create(NULL, cam, &options, &r, &error), SYN_BAD_ARGUMENT,
               "syn_default_resection_options");

  options = few(SYN_RESECTION_CAM, 1);
  const syn_trimesh *whole = cam->hip.parts[SYN_HIP_FEMUR];
  syn_trimesh *open;
  ASSERT_OK(syn_trimesh_create(NULL, whole->vertices, whole->vertex_count, whole->triangles, whole->triangle_count - 1,
                               &open, &error));
  syn_hip_case holed = *cam;
  holed.hip.parts[SYN_HIP_FEMUR] = open;
  ASSERT_FAILS(syn_resection_create(NULL, &holed, &options, &r, &error), SYN_BAD_MESH, "open");
  syn_trimesh_destroy(open);

  holed = *cam;
  holed.hip.parts[SYN_HIP_PELVIS] = NULL;
  ASSERT_FAILS(syn_resection_create(NULL, &holed, &options, &r, &error), SYN_BAD_ARGUMENT, "both bones");
  holed = *cam;
  holed.anatomy = NULL;
  ASSERT_FAILS(syn_resection_create(NULL, &holed, &options, &r, &error), SYN_BAD_ARGUMENT, "head and neck");
  options.kind = SYN_RESECTION_RIM;
  ASSERT_FAILS(syn_resection_create(NULL, &holed, &options, &r, &error), SYN_BAD_ARGUMENT, "rim");
  assert_null(r);
  syn_hip_case_destroy(cam);
}

/* ---- the sector ---------------------------------------------------------------------------------------------------
 */

static double hours_after(double from, double to) { return fmod(to - from + 12, 12); }

/* On junction or neck, which a cam cut reaches; NAN: elsewhere. */
static double cam_contact(const syn_resection_step *s, size_t motion) {
  const syn_contact_place *place = &s->motions[motion].place;
  return place->femur == SYN_FEMUR_HEAD_NECK_JUNCTION || place->femur == SYN_FEMUR_NECK ? place->femur_hour
                                                                                        : (double)NAN;
}

/* Whatever is asked for: the contacts that stop it lie an hour within the cut. */
static void the_usual_sector_follows_the_contacts(void **state) {
  static const char *const asked[][2] = {
      {"flexion", "fadir"}, {"extension", "external_rotation"}, {"abduction", "faber"}};
  (void)state;
  syn_hip_case *cam = parametric(NULL, 80);
  int contacts = 0, beyond_usual = 0;
  for (size_t k = 0; k < sizeof asked / sizeof *asked; ++k) {
    const syn_motion *motions[2] = {syn_clinical_motion_named(asked[k][0]), syn_clinical_motion_named(asked[k][1])};
    syn_resection_options options = few(SYN_RESECTION_CAM, 5);
    options.motions = motions;
    options.motion_count = 2;
    syn_resection *r = plan(NULL, cam, &options);
    const double from = r->options.from_hour, span = hours_after(from, r->options.to_hour);
    for (size_t m = 0; m < 2; ++m) {
      const double hour = cam_contact(&r->steps[0], m);
      if (isnan(hour)) continue;
      ++contacts;
      beyond_usual += hours_after(12, hour) > 4;
      assert_true(hours_after(from, hour) >= 1 - 1e-9 && hours_after(from, hour) <= span - 1 + 1e-9);
    }
    syn_result_destroy(r);
  }
  assert_true(contacts > 2);
  assert_true(beyond_usual > 0); /* 12 to 4 o'clock would not have met it */
  syn_hip_case_destroy(cam);
}

/* A cut that ends just before the contact says so, and which hour would reach it. */
static void a_contact_beside_the_cut_is_named(void **state) {
  (void)state;
  test_memory memory = {0};
  const syn_context context = test_context(&memory);
  syn_hip_case *cam = parametric(&context, 80);
  const syn_motion *motion = syn_clinical_motion_named("flexion");
  syn_resection_options options = few(SYN_RESECTION_CAM, 10);
  options.motions = &motion;
  options.motion_count = 1;
  syn_resection *r = plan(&context, cam, &options);
  const double hour = cam_contact(&r->steps[0], 0);
  syn_result_destroy(r);
  assert_true(isfinite(hour));
  memory.all_warnings[0] = 0;
  options.to_hour = hours_after(0.5, hour);
  options.from_hour = hours_after(3, hour);
  r = plan(&context, cam, &options);
  const double after = cam_contact(last_of(r), 0);
  if (hours_after(options.to_hour, after) <= 1)
    assert_contains(memory.all_warnings, "just after the cut");
  else
    assert_null(strstr(memory.all_warnings, "just after the cut"));
  assert_true(hours_after(options.to_hour, after) <= 1); /* this hip's cam runs all round: the neighbour stops it */
  syn_result_destroy(r);
  syn_hip_case_destroy(cam);
  assert_int_equal(memory.live, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_usual_sector_follows_the_contacts),
      cmocka_unit_test(a_contact_beside_the_cut_is_named),
      cmocka_unit_test(a_cam_cut_in_full_is_the_hip_of_normal_alpha),
      cmocka_unit_test(volumes_agree_with_counted_points),
      cmocka_unit_test(steps_of_a_tenth_are_real),
      cmocka_unit_test(threads_change_no_bit),
      cmocka_unit_test(real_hips_gain_by_either_cut),
      cmocka_unit_test(nothing_to_remove_is_said),
      cmocka_unit_test(bad_input_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
