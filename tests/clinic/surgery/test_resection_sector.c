/* The hours of a cut: a cam is cut by the clock face of the neck, the rim by that of the acetabulum, also where the two
 * say different hours of one contact. */
#include "program.h"

#include "clinic/rom/hip_rom.h"
#include "clinic/surgery/resection.h"

static const syn_resection_kind cuts[] = {SYN_RESECTION_CAM, SYN_RESECTION_RIM};

static double hours_after(double from, double to) { return fmod(to - from + 12, 12); }

static void each_cut_has_the_hours_of_its_bone(void **state) {
  (void)state;
  const syn_contact_place both = {SYN_FEMUR_HEAD_NECK_JUNCTION, SYN_PELVIS_RIM, 4.5, 1.25, true},
                          neck = {SYN_FEMUR_NECK, SYN_PELVIS_SOCKET, 5, 2, true},
                          rim = {SYN_FEMUR_HEAD, SYN_PELVIS_RIM, 6, 3, true};
  ASSERT_NEAR(syn_resection_contact_hour(SYN_RESECTION_CAM, &both), 4.5, 0);
  ASSERT_NEAR(syn_resection_contact_hour(SYN_RESECTION_RIM, &both), 1.25, 0);
  ASSERT_NEAR(syn_resection_contact_hour(SYN_RESECTION_CAM, &neck), 5, 0);
  assert_true(isnan(syn_resection_contact_hour(SYN_RESECTION_RIM, &neck)));
  assert_true(isnan(syn_resection_contact_hour(SYN_RESECTION_CAM, &rim)));
  ASSERT_NEAR(syn_resection_contact_hour(SYN_RESECTION_RIM, &rim), 3, 0);
}

/* The contact is half an hour after the cut on one face, and far from it on the other. */
static void a_contact_beside_a_cut_is_one_on_its_bone(void **state) {
  (void)state;
  for (int k = 0; k < 2; ++k) {
    test_memory memory = {0};
    const syn_context context = test_context(&memory);
    const bool is_rim = cuts[k] == SYN_RESECTION_RIM;
    syn_gain motion = {.motion = syn_clinical_motion_named("flexion"),
                       .place = {SYN_FEMUR_NECK, SYN_PELVIS_RIM, is_rim ? 8 : 3.5, is_rim ? 3.5 : 8, true}};
    syn_resection_step step = {.motions = &motion};
    syn_resection plan = {.result = {&syn_resection_record, &context},
                          .options = {.kind = cuts[k], .from_hour = 12, .to_hour = 3},
                          .step_count = 1,
                          .motion_count = 1,
                          .steps = &step};
    syn_resection_warn_beside(&plan);
    assert_contains(memory.all_warnings, is_rim ? "3:30 o'clock of the acetabulum, just after the cut"
                                                : "3:30 o'clock of the neck, just after the cut");
    /* Now the other face says half an hour after it, which is no matter of this cut. */
    const double hour = motion.place.femur_hour;
    motion.place.femur_hour = motion.place.pelvis_hour;
    motion.place.pelvis_hour = hour;
    memory.all_warnings[0] = 0;
    syn_resection_warn_beside(&plan);
    assert_string_equal(memory.all_warnings, "");
  }
}

/* Of the parametric hip: the contact of a motion lies an hour within the sector of either cut, on that cut's face. */
static void the_sector_holds_the_contacts_of_its_bone(void **state) {
  static const char *const asked[] = {"flexion", "fadir", "extension", "external_rotation", "abduction", "faber"};
  (void)state;
  const char *folder = temporary_path("sector");
  char joint[600];
  program_run run = run_synovia("shape", "hip", "--alpha", "70", "--resolution", "2", "-o", folder, NULL);
  assert_int_equal(run.code, 0);
  end_run(&run);
  snprintf(joint, sizeof joint, "%s/joint.json", folder);
  syn_hip_input input = syn_default_hip_input();
  input.joint = joint;
  syn_hip_case *hip_case;
  syn_error error;
  ASSERT_OK(syn_hip_case_create(NULL, &input, &hip_case, &error));
  const syn_hip bones = syn_hip_bones(&hip_case->hip);
  syn_rom *rom;
  ASSERT_OK(syn_hip_rom_create(NULL, &bones, &rom, &error));
  void *scratch = malloc(syn_rom_scratch(rom));
  int contacts[2] = {0};
  for (size_t m = 0; m < sizeof asked / sizeof *asked; ++m) {
    const syn_motion *motion = syn_clinical_motion_named(asked[m]);
    syn_limit limit;
    syn_rom_query(rom, motion, scratch, &limit);
    const syn_contact_place place = syn_limit_place(&bones, hip_case->anatomy, &limit);
    const bool on_neck = place.femur == SYN_FEMUR_HEAD_NECK_JUNCTION || place.femur == SYN_FEMUR_NECK;
    const double hours[2] = {on_neck ? place.femur_hour : (double)NAN,
                             place.pelvis == SYN_PELVIS_RIM ? place.pelvis_hour : (double)NAN};
    for (int k = 0; k < 2; ++k) {
      syn_resection_options options = syn_default_resection_options();
      options.kind = cuts[k];
      ASSERT_OK(syn_resection_choose_sector(hip_case, &motion, 1, &options, &error));
      if (isnan(hours[k])) continue;
      ++contacts[k];
      const double span = hours_after(options.from_hour, options.to_hour),
                   at = hours_after(options.from_hour, hours[k]);
      print_message("%s, %s: %g within %g to %g\n", asked[m], k ? "rim" : "cam", hours[k], options.from_hour,
                    options.to_hour);
      assert_true(at >= 1 - 1e-9 && at <= span - 1 + 1e-9);
    }
  }
  assert_true(contacts[0] > 2 && contacts[1] > 2);
  free(scratch);
  syn_rom_destroy(rom);
  syn_hip_case_destroy(hip_case);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_cut_has_the_hours_of_its_bone),
      cmocka_unit_test(a_contact_beside_a_cut_is_one_on_its_bone),
      cmocka_unit_test(the_sector_holds_the_contacts_of_its_bone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
