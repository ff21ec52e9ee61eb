/* Every value of every public enum has a name of its own. tests/build/exports sees to it that the table has them all.
 */
#include <limits.h>

#include "support.h"

#include <synovia/synovia.h>

/* A name by number, for functions whose arguments are enums. */
#define NAMED(type)                                                                                                    \
  static const char *type##_at(int value) { return type##_name((type)value); }
NAMED(syn_status)
NAMED(syn_hip_part)
NAMED(syn_landmark)
NAMED(syn_found)
NAMED(syn_frame_source)
NAMED(syn_center_method)
NAMED(syn_measure_id)
NAMED(syn_hip_axis)
NAMED(syn_band_source)
NAMED(syn_limit_state)
NAMED(syn_fai_class)
NAMED(syn_severity)
NAMED(syn_verdict)
NAMED(syn_impingement_kind)
NAMED(syn_femur_region)
NAMED(syn_pelvis_region)
NAMED(syn_resection_kind)
NAMED(syn_congruity_side)
NAMED(syn_hip_ligament)
NAMED(syn_ligament_measure)
NAMED(syn_contact_of)
NAMED(syn_mapping)
NAMED(syn_feature)
NAMED(syn_location)
NAMED(syn_zone)
NAMED(syn_event_kind)
NAMED(syn_convex_algorithm)
NAMED(syn_convex_exit)
NAMED(syn_pose_field)
NAMED(syn_side)
NAMED(syn_image_kind)
NAMED(syn_vdm_constraint)
NAMED(syn_tissue)
NAMED(syn_law)
NAMED(syn_layer_extent)
NAMED(syn_layer_rule)
NAMED(syn_element)
NAMED(syn_contact_kind)
NAMED(syn_field_on)
NAMED(syn_space)
NAMED(syn_cell_kind)
NAMED(syn_joint_type)
NAMED(syn_dof_kind)
NAMED(syn_dof_state)
NAMED(syn_value_kind)
NAMED(syn_case_state)
NAMED(syn_spring_rule)
NAMED(syn_vdm_solver)
NAMED(syn_integrator)
NAMED(syn_response)
NAMED(syn_pressure_mark)

static const struct {
  const char *type;
  const char *(*name)(int value);
  int first, count;
} enums[] = {
    {"syn_status", syn_status_at, 0, SYN_STATUSES},
    {"syn_hip_part", syn_hip_part_at, 0, SYN_HIP_PARTS},
    {"syn_landmark", syn_landmark_at, 0, SYN_LANDMARKS},
    {"syn_found", syn_found_at, 0, SYN_FOUND_WAYS},
    {"syn_frame_source", syn_frame_source_at, 0, SYN_FRAME_SOURCES},
    {"syn_center_method", syn_center_method_at, 0, SYN_CENTER_METHODS},
    {"syn_measure_id", syn_measure_id_at, 0, SYN_MEASURES},
    {"syn_hip_axis", syn_hip_axis_at, 0, SYN_HIP_AXES},
    {"syn_band_source", syn_band_source_at, 0, SYN_BAND_SOURCES},
    {"syn_limit_state", syn_limit_state_at, 0, SYN_LIMIT_STATES},
    {"syn_fai_class", syn_fai_class_at, 0, SYN_FAI_CLASSES},
    {"syn_severity", syn_severity_at, 0, SYN_SEVERITIES},
    {"syn_verdict", syn_verdict_at, 0, SYN_VERDICTS},
    {"syn_impingement_kind", syn_impingement_kind_at, 0, SYN_IMPINGEMENT_KINDS},
    {"syn_femur_region", syn_femur_region_at, 0, SYN_FEMUR_REGIONS},
    {"syn_pelvis_region", syn_pelvis_region_at, 0, SYN_PELVIS_REGIONS},
    {"syn_resection_kind", syn_resection_kind_at, 0, SYN_RESECTION_KINDS},
    {"syn_congruity_side", syn_congruity_side_at, 0, SYN_CONGRUITY_SIDES},
    {"syn_hip_ligament", syn_hip_ligament_at, 0, SYN_HIP_LIGAMENTS},
    {"syn_ligament_measure", syn_ligament_measure_at, 0, SYN_LIGAMENT_MEASURES},
    {"syn_contact_of", syn_contact_of_at, 0, SYN_CONTACT_OF_KINDS},
    {"syn_mapping", syn_mapping_at, SYN_MAPPING_SPHERICAL, SYN_MAPPINGS},
    {"syn_feature", syn_feature_at, 0, SYN_FEATURES},
    {"syn_location", syn_location_at, 0, SYN_LOCATIONS},
    {"syn_zone", syn_zone_at, 0, SYN_ZONES},
    {"syn_event_kind", syn_event_kind_at, 0, SYN_EVENT_KINDS},
    {"syn_convex_algorithm", syn_convex_algorithm_at, 0, SYN_CONVEX_ALGORITHMS},
    {"syn_convex_exit", syn_convex_exit_at, 0, SYN_CONVEX_EXITS},
    {"syn_pose_field", syn_pose_field_at, 0, SYN_POSE_FIELDS},
    {"syn_vdm_constraint", syn_vdm_constraint_at, 0, SYN_VDM_CONSTRAINTS},
    {"syn_side", syn_side_at, 0, SYN_SIDES},
    {"syn_image_kind", syn_image_kind_at, 0, SYN_IMAGE_KINDS},
    {"syn_tissue", syn_tissue_at, 0, SYN_TISSUES},
    {"syn_law", syn_law_at, 0, SYN_LAWS},
    {"syn_layer_extent", syn_layer_extent_at, 0, SYN_EXTENTS},
    {"syn_layer_rule", syn_layer_rule_at, 0, SYN_RULES},
    {"syn_element", syn_element_at, 0, SYN_ELEMENTS},
    {"syn_contact_kind", syn_contact_kind_at, 0, SYN_CONTACT_KINDS},
    {"syn_field_on", syn_field_on_at, 0, SYN_ON_ELEMENTS},
    {"syn_space", syn_space_at, 0, SYN_SPACES},
    {"syn_cell_kind", syn_cell_kind_at, 0, SYN_CELL_KINDS},
    {"syn_joint_type", syn_joint_type_at, 0, SYN_JOINT_TYPES},
    {"syn_dof_kind", syn_dof_kind_at, 0, SYN_DOF_KINDS},
    {"syn_dof_state", syn_dof_state_at, 0, SYN_DOF_STATES},
    {"syn_value_kind", syn_value_kind_at, 0, SYN_VALUE_KINDS},
    {"syn_case_state", syn_case_state_at, 0, SYN_CASE_STATES},
    {"syn_spring_rule", syn_spring_rule_at, 0, SYN_SPRING_RULES},
    {"syn_vdm_solver", syn_vdm_solver_at, 0, SYN_VDM_SOLVERS},
    {"syn_integrator", syn_integrator_at, 0, SYN_INTEGRATORS},
    {"syn_response", syn_response_at, 0, SYN_RESPONSES},
    {"syn_pressure_mark", syn_pressure_mark_at, 0, SYN_PRESSURE_MARKS},
};

static void every_value_of_every_enum_has_a_name_of_its_own(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof enums / sizeof *enums; ++i)
    for (int a = enums[i].first; a < enums[i].count; ++a) {
      const char *name = enums[i].name(a);
      if (!name[0] || strcmp(name, "unknown") == 0) fail_msg("%s %d has no name", enums[i].type, a);
      for (int b = enums[i].first; b < a; ++b)
        if (strcmp(name, enums[i].name(b)) == 0) fail_msg("%s %d and %d are both %s", enums[i].type, a, b, name);
    }
}

static void other_values_are_unknown(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof enums / sizeof *enums; ++i) {
    const int others[] = {enums[i].count, enums[i].count + 1, enums[i].first - 1, 999, INT_MIN, INT_MAX};
    for (size_t k = 0; k < sizeof others / sizeof *others; ++k)
      assert_string_equal(enums[i].name(others[k]), "unknown");
  }
}

static void a_table_names_the_same_values_and_ends_in_null(void **state) {
  (void)state;
  assert_int_equal(syn_side_names.count, SYN_SIDES);
  for (size_t i = 0; i < syn_side_names.count; ++i)
    assert_string_equal(syn_enum_name(&syn_side_names, i), syn_side_name((syn_side)i));
  assert_null(syn_side_names.names[syn_side_names.count]);
  assert_string_equal(syn_enum_name(&syn_side_names, SIZE_MAX), "unknown");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_value_of_every_enum_has_a_name_of_its_own),
      cmocka_unit_test(other_values_are_unknown),
      cmocka_unit_test(a_table_names_the_same_values_and_ends_in_null),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
