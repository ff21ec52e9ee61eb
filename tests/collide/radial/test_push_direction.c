/* The direction in which contacts push, from one millisecond of a haptic loop to the next: that of
 * examples/contact_loop.c, with the method it takes and the one it does not. */
#include "base/vec.h"
#include "support.h"

enum { POSES = 1000, CONTACTS = 4096 };

/* The mean direction of the contacts, each weighted by its depth, as in the example. */
static syn_vec3 push_of(const syn_contact *contacts, size_t count) {
  syn_vec3 sum = {0, 0, 0};
  for (size_t i = 0; i < count; ++i) sum = vec3_madd(sum, contacts[i].depth_mm, contacts[i].direction);
  return vec3_length(sum) > 0 ? vec3_unit(sum) : sum;
}

/* A femur that bends by 120 degrees and back in a second, on the labrum of the same hip. */
static double largest_turn_deg(const syn_joint *hip, const char *method, size_t *touching) {
  static syn_contact contacts[CONTACTS];
  syn_collide_options options = syn_default_collide_options();
  syn_collider *collider;
  syn_error error;
  double largest = 0;
  syn_vec3 last = {0, 0, 0};
  options.center = hip->center;
  options.reach_mm = 5;
  ASSERT_OK(syn_collider_create(NULL, method, syn_joint_body_named(hip, "labrum"), syn_joint_body_named(hip, "femur"),
                                &options, &collider, &error));
  void *scratch = malloc(syn_collider_scratch(collider) + 1);
  *touching = 0;
  for (int i = 0; i < POSES; ++i) {
    const syn_pose pose =
        syn_pose_about_axis(hip->center, hip->axes.flexion, 120 * sin(SYN_PI * i / POSES) * SYN_PI / 180);
    syn_contacts result = {.contacts = contacts, .capacity = CONTACTS};
    syn_collider_query(collider, &pose, scratch, &result);
    assert_true(result.count <= CONTACTS);
    const syn_vec3 push = push_of(contacts, result.count);
    if (result.count > 0 && vec3_length(last) > 0)
      largest = fmax(largest, acos(fmax(-1, fmin(vec3_dot(push, last), 1))) * 180 / SYN_PI);
    *touching += result.count > 0;
    last = push;
  }
  free(scratch);
  syn_collider_destroy(collider);
  return largest;
}

static void radial_pushes_steadily_where_the_shortest_way_out_flips(void **state) {
  (void)state;
  const syn_shape_value coarse[] = {{"resolution", 3}}, cam[] = {{"alpha", 60}};
  const syn_shape_value *const hips[] = {NULL, cam, coarse};
  for (size_t i = 0; i < 3; ++i) {
    syn_error error;
    syn_joint *hip;
    size_t touching;
    ASSERT_OK(syn_shape_create(NULL, "hip", hips[i], hips[i] ? 1 : 0, &hip, &error));
    const double radial = largest_turn_deg(hip, "radial", &touching);
    assert_true(touching > 100);
    if (!(radial < 10)) fail_msg("hip %zu: radial turns by %g degrees in a millisecond", i, radial);
    if (i == 0)
      assert_true(largest_turn_deg(hip, "distance", &touching) > 3 * radial); /* why the loop has no distance */
    syn_joint_destroy(hip);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(radial_pushes_steadily_where_the_shortest_way_out_flips)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
