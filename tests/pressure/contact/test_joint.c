/* A head in a socket under load, through a motion. */
#include "shell_layer.h"

#include "base/vec.h"
#include "pressure/run/pressure_run.h"

static const syn_material cartilage = {12, 0.42, 1000}, labrum = {20, 0.4, 1000};

typedef struct seen {
  size_t count;
  syn_pressure_step steps[8];
  const syn_layer *layers[2];
} seen;

/* The pressure on the faces of a layer as a force, from the fields alone: corners of flat faces. */
static syn_vec3 resultant(const syn_layer *layer, const double *pressure, const syn_vec3 *x) {
  syn_vec3 sum = {0, 0, 0};
  for (uint32_t f = 0; f < layer->face_count; ++f) {
    const uint32_t *n = layer->faces[f];
    const syn_vec3 area = vec3_scale(vec3_cross(vec3_sub(x[n[2]], x[n[0]]), vec3_sub(x[n[3]], x[n[1]])), 0.5);
    sum = vec3_madd(sum, -(pressure[n[0]] + pressure[n[1]] + pressure[n[2]] + pressure[n[3]]) / 4, area);
  }
  return sum;
}

static syn_status see(void *user, const syn_pressure_step *step, const pressure_fields *fields, syn_error *error) {
  (void)error;
  seen *s = user;
  print_message("at %g: peak %.4f mean %.4f area %.1f force %.2f vm %.3f principal %.3f shift %.4f %.4f %.4f, %u "
                "iterations\n",
                step->loaded.at, step->total.peak_mpa, step->total.mean_mpa, step->total.area_mm2, step->total.force_n,
                step->total.von_mises_mpa, step->total.principal_mpa, step->shift.x, step->shift.y, step->shift.z,
                step->iterations);
  /* Forces balance to 0.1 %, as reported and as the fields have them on either surface (those are coarse). */
  const double force = vec3_length(step->loaded.force);
  assert_true(vec3_length(vec3_add(step->contact_force, step->loaded.force)) < 1e-3 * force);
  for (int k = 0; k < 2; ++k) {
    const syn_vec3 on = resultant(s->layers[k], fields->solution.pressure_mpa[k], fields->solution.positions[k]);
    const syn_vec3 expected = k == 1 ? step->contact_force : vec3_neg(step->contact_force);
    assert_true(vec3_distance(on, expected) < 0.05 * force);
  }
  s->steps[s->count++] = *step;
  return SYN_OK;
}

static syn_load_step pose_at(double at, double angle, double force) {
  syn_load_step p = {.at = at, .pose = syn_pose_about_axis(vec3(0, 0, 0), vec3(0, 1, 0), angle)};
  p.force = vec3(0.2 * force, 0.1 * force, force);
  return p;
}

static void run(bool rigid_head, bool rigid_socket, syn_law law) {
  const shell socket = {20.2, rigid_socket ? 0 : 2, 1.3, 10, 2, false, false},
              head = {20, rigid_head ? 0 : 1.5, 1.5, 12, 2, true, false};
  syn_layer layers[2] = {make_shell_layer(&socket, cartilage, labrum, 1.1),
                         make_shell_layer(&head, cartilage, cartilage, 9)};
  const syn_load_step poses[3] = {pose_at(0, 0, 800), pose_at(0.5, 0.2, 1200), pose_at(1, 0.4, 600)};
  seen s = {.layers = {&layers[0], &layers[1]}};
  syn_pressure_fem_options options = syn_default_pressure_fem_options();
  options.law = law;
  syn_error error;
  const fem_loop loop = {
      .layers = {&layers[0], &layers[1]}, .poses = poses, .count = 3, .options = &options, .report = see, .user = &s};
  ASSERT_OK(syn_pressure_fem_run(&loop, &error));
  assert_int_equal(s.count, 3);
  for (int k = 0; k < 2; ++k) syn_layer_release(&layers[k]);
}

static void a_joint_goes_through_a_motion(void **state) {
  (void)state;
  run(false, false, SYN_LAW_NEO_HOOKEAN);
  run(true, false, SYN_LAW_NEO_HOOKEAN);
  run(false, true, SYN_LAW_COROTATIONAL);
  run(false, false, SYN_LAW_LINEAR);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_joint_goes_through_a_motion)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
