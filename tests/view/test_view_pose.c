/* What the viewer reports of a pose, on a hip of blocks whose limits have closed forms. */
#include "block_viewer.h"

#include "base/vec.h"
#include "program.h"
#include "report/display.h"

static const double degrees = 180 / 3.14159265358979323846, reach_mm = 5;

/* The depth of every vertex of one part in the other, by the library itself. */
static double *own_depths(const syn_hip *hip, const char *method, syn_hip_part of, const syn_pose *pose) {
  syn_error error;
  const bool swapped = of == SYN_HIP_PELVIS;
  const syn_body pelvis = {.surface = hip->parts[SYN_HIP_PELVIS]}, femur = {.surface = hip->parts[SYN_HIP_FEMUR]};
  const syn_pose used = swapped ? syn_pose_inverse(pose) : *pose;
  syn_collide_options options = syn_default_collide_options();
  options.center = hip->center;
  options.fixed_outside = !swapped;
  syn_collider *collider;
  ASSERT_OK(syn_collider_create(NULL, method, swapped ? &femur : &pelvis, swapped ? &pelvis : &femur, &options,
                                &collider, &error));
  syn_contacts result = {.vertex_depth = malloc(hip->parts[of]->vertex_count * sizeof(double))};
  void *scratch = malloc(syn_collider_scratch(collider) + 1);
  syn_collider_query(collider, &used, scratch, &result);
  free(scratch);
  syn_collider_destroy(collider);
  return result.vertex_depth;
}

/* Returns how many vertices have a value. */
static size_t check_field(const scene *s, const pose_answer *a, size_t index, const char *method,
                          const syn_pose *pose) {
  syn_error error;
  json_t *field = json_array_get(json_at(a->value, "fields"), index);
  const syn_hip_part part = index ? SYN_HIP_FEMUR : SYN_HIP_PELVIS;
  assert_string_equal(json_string_value(json_object_get(field, "body")), syn_hip_part_name(part));
  const double low = json_number_value(json_object_get(field, "low")),
               step = json_number_value(json_object_get(field, "step"));
  const size_t offset = (size_t)json_integer_value(json_object_get(field, "offset"));
  double *depths = own_depths(&s->blocks.hip, method, part, pose);
  syn_display display;
  const size_t most_triangles = 60000;
  ASSERT_OK(syn_displays_make(NULL, &s->blocks.hip.parts[part], &most_triangles, 1, &display, &error));
  assert_true(offset + display.mesh->vertex_count <= a->stored_count);
  size_t known = 0;
  for (uint32_t i = 0; i < display.mesh->vertex_count; ++i) {
    const unsigned char *at = a->stored + 2 * (offset + i);
    const unsigned stored = at[0] + 256u * at[1];
    const double expected = depths[display.source[i]];
    assert_int_equal(stored == 65535, !(expected >= -reach_mm));
    if (stored == 65535) continue;
    ++known;
    ASSERT_NEAR(low + step * stored, expected, step);
  }
  syn_display_release(NULL, &display);
  free(depths);
  return known;
}

static void fields_are_those_of_the_library(void **state) {
  const scene *s = *state;
  static const char *const fields[][2] = {{"pose_depth", "distance"}, {"pose_radial", "radial"}};
  size_t known[2] = {0, 0};
  for (int k = 0; k < 12; ++k) {
    const syn_pose pose =
        syn_hip_pose(&s->blocks.hip, (syn_hip_angles){(k - 3) * 0.2, (k % 4 - 2) * 0.15, (k % 3 - 1) * 0.3});
    for (int f = 0; f < 2; ++f) {
      pose_answer a = ask_pose(&s->viewer, &pose, fields[f][0]);
      assert_int_equal(json_array_size(json_at(a.value, "fields")), 2);
      for (size_t i = 0; i < 2; ++i) known[f] += check_field(s, &a, i, fields[f][1], &pose);
      end_pose(&a);
    }
  }
  assert_true(known[0] > 0 && known[1] > 0);
}

static void limits_at_a_pose_have_their_closed_forms(void **state) {
  const scene *s = *state;
  const double flexed = 0.3;
  for (int k = 0; k < 2; ++k) {
    const syn_pose pose = syn_hip_pose(&s->blocks.hip, (syn_hip_angles){.flexion = k * flexed});
    pose_answer a = ask_pose(&s->viewer, &pose, "");
    assert_int_equal(json_array_size(json_at(a.value, "fields")), 0);
    assert_int_equal(a.stored_count, 0);
    ASSERT_NEAR(number_named(a.value, "flexion"), k * flexed * degrees, 1e-9);
    ASSERT_NEAR(number_named(a.value, "free_flexion"), (block_flexion() - k * flexed) * degrees, 1e-9);
    ASSERT_NEAR(number_named(a.value, "free_extension"), (block_extension() + k * flexed) * degrees, 1e-9);
    if (k == 0) {
      ASSERT_NEAR(number_named(a.value, "free_adduction"), block_adduction() * degrees, 1e-9);
      ASSERT_NEAR(number_named(a.value, "free_internal_rotation"), block_internal_rotation() * degrees, 1e-9);
      ASSERT_NEAR(number_named(a.value, "free_external_rotation"), block_external_rotation() * degrees, 1e-9);
    }
    end_pose(&a);
  }
}

/* The pose that the viewer opens with: the end of a motion, where bodies touch. */
static void at_a_limit_the_way_back_is_free(void **state) {
  const scene *s = *state;
  const syn_pose pose = syn_hip_pose(&s->blocks.hip, (syn_hip_angles){.flexion = block_flexion()});
  pose_answer a = ask_pose(&s->viewer, &pose, "");
  ASSERT_NEAR(number_named(a.value, "free_flexion"), 0, 1e-9);
  ASSERT_NEAR(number_named(a.value, "free_extension"), (block_extension() + block_flexion()) * degrees, 1e-9);
  end_pose(&a);
}

/* As "stop at contact" leaves it: free, and what it was stopped by is marked. */
static void a_hair_before_the_contact_it_is_marked(void **state) {
  const scene *s = *state;
  const double angles[] = {block_flexion() - 1e-4 / degrees, block_flexion() - 1 / degrees};
  for (int k = 0; k < 2; ++k) {
    const syn_pose pose = syn_hip_pose(&s->blocks.hip, (syn_hip_angles){.flexion = angles[k]});
    pose_answer a = ask_pose(&s->viewer, &pose, "");
    assert_true(number_named(a.value, "clearance_femur_pelvis") > 0);
    assert_int_equal(json_array_size(json_at(a.value, "contacts")), k == 0);
    end_pose(&a);
  }
}

static void clearance_and_contact_are_those_of_the_library(void **state) {
  const scene *s = *state;
  const syn_hip *hip = &s->blocks.hip;
  syn_error error;
  syn_distance *distance;
  ASSERT_OK(
      syn_distance_create(hip->parts[SYN_HIP_PELVIS], hip->parts[SYN_HIP_FEMUR], &hip->center, &distance, &error));
  void *scratch = malloc(syn_distance_scratch(distance) + 1);
  size_t touching = 0;
  for (int k = 0; k < 8; ++k) {
    const syn_pose pose = syn_hip_pose(hip, (syn_hip_angles){.flexion = k * 0.3});
    syn_clearance clearance;
    syn_distance_query(distance, &pose, NULL, scratch, &clearance);
    pose_answer a = ask_pose(&s->viewer, &pose, "pose_depth");
    ASSERT_NEAR(number_named(a.value, "clearance_femur_pelvis"), clearance.distance_mm, 1e-9);
    json_t *contacts = json_at(a.value, "contacts");
    assert_int_equal(json_array_size(contacts), clearance.distance_mm < 0.005); /* reads 0.00 mm */
    touching += json_array_size(contacts);
    if (json_array_size(contacts) > 0) {
      json_t *place = json_array_get(contacts, 0);
      double found[3];
      for (size_t i = 0; i < 3; ++i) found[i] = json_number_value(json_array_get(place, i));
      assert_true(vec3_distance(vec3(found[0], found[1], found[2]), clearance.point_fixed) < 0.02);
    }
    end_pose(&a);
  }
  assert_true(touching > 0 && touching < 8);
  free(scratch);
  syn_distance_destroy(distance);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fields_are_those_of_the_library),
      cmocka_unit_test(limits_at_a_pose_have_their_closed_forms),
      cmocka_unit_test(at_a_limit_the_way_back_is_free),
      cmocka_unit_test(a_hair_before_the_contact_it_is_marked),
      cmocka_unit_test(clearance_and_contact_are_those_of_the_library),
  };
  return cmocka_run_group_tests(tests, open_scene, close_scene);
}
